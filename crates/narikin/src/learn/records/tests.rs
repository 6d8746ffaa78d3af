use super::*;
use crate::testing::test_folder;
use data::{PositionFormat, PositionRecord, PositionWriter};
use rules::Position;

/// 2,000 positions of random games: eight groups.
fn records(name: &str, held_out: f64) -> Records {
    let path = test_folder(name).join("positions.psv");
    let mut writer =
        PositionWriter::create(&path, PositionFormat::Psv, data::Handicaps::Refuse).unwrap();
    let mut position = Position::startpos();
    for i in 0..2000 {
        let legal = position.legal_moves();
        if legal.is_empty() || position.ply() > 100 {
            position = Position::startpos();
            continue;
        }
        let mv = legal[search::mix_seed(3, i) as usize % legal.len()];
        let record = PositionRecord {
            position: position.clone(),
            best: Some(mv),
            eval: i as i16,
            result: data::GameResult {
                winner: Some(rules::Color::Black),
                ending: data::Ending::Unsaid,
            },
        };
        writer.write(&record).unwrap();
        position.do_move(mv);
    }
    writer.finish().unwrap();
    Records {
        paths: vec![path],
        options: ReadOptions::default(),
        seed: 1,
        held_out,
    }
}

fn options(passed: u64) -> EpochOptions {
    EpochOptions {
        pool: 300,
        batch: 50,
        passed,
    }
}

fn drawn(epoch: &mut Epoch<'_>) -> Vec<Batch> {
    std::iter::from_fn(|| epoch.next_batch().unwrap()).collect()
}

#[test]
fn held_out_games_are_not_learned_from_and_the_others_are_once() {
    let records = records("records-held-out", 0.4);
    let survey = records.survey(1_000_000).unwrap();
    let Content {
        samples, held_out, ..
    } = survey.content;
    assert!(0 < held_out && 0 < samples);
    let n_scored: usize = survey.held_out.iter().map(Batch::len).sum();
    assert_eq!(n_scored as u64, held_out);
    let batches = drawn(&mut records.epoch(0, &options(0)).unwrap());
    assert_eq!(batches.len() as u64, samples / 50);
    let boards = |batches: &[Batch]| -> std::collections::HashSet<Vec<u8>> {
        let rows = batches.iter().flat_map(|batch| batch.wdl.rows());
        rows.into_iter()
            .map(|row| row.iter().flat_map(|x| x.to_le_bytes()).collect())
            .collect()
    };
    // The evaluation, and so the value target, is another one in every record.
    assert!(boards(&batches).is_disjoint(&boards(&survey.held_out)));
    assert!(batches.len() * 50 - 10 < boards(&batches).len());
}

#[test]
fn an_epoch_can_be_entered_anywhere() {
    let records = records("records-enter", 0.1);
    let whole = drawn(&mut records.epoch(3, &options(0)).unwrap());
    for passed in [1, 7] {
        let rest = drawn(&mut records.epoch(3, &options(passed)).unwrap());
        assert!(rest == whole[passed as usize..]);
    }
    let other = drawn(&mut records.epoch(4, &options(0)).unwrap());
    assert!(other != whole, "every epoch has an order of its own");
}

#[test]
fn at_most_so_many_positions_are_scored_as_were_asked_for() {
    let records = records("records-limit", 0.5);
    let survey = records.survey(10).unwrap();
    assert!(10 < survey.content.held_out);
    let n_scored: usize = survey.held_out.iter().map(Batch::len).sum();
    assert_eq!(n_scored, 10);
    let none = Records {
        held_out: 0.0,
        ..records
    };
    let survey = none.survey(10).unwrap();
    assert_eq!((survey.content.held_out, survey.held_out.len()), (0, 0));
}
