use super::*;
use crate::ResignOptions;
use crate::play::tests::variety::{WhiteWins, certain_tuner, resigning};
use crate::play::tests::{games, quick, search_options};
use search::HashEvaluator;

const EVALUATOR: HashEvaluator = HashEvaluator { seed: 3 };

/// Every trick that draws random numbers or goes on with what was before.
fn everything() -> SelfPlayOptions {
    SelfPlayOptions {
        fast_share: 0.5,
        fast_visits: 3,
        reuse_tree: true,
        temperature_end: Some(0.3),
        starts_share: 0.2,
        starts: vec!["4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap()],
        handicap_share: 0.2,
        handicaps: vec![rules::Handicap::Rook],
        late_start_share: 0.4,
        resign: Some(ResignOptions::default()),
        ..quick()
    }
}

/// The bytes of a game played again under `options`.
fn again(record: &GameRecord, options: &SelfPlayOptions) -> Vec<u8> {
    let how = Replay {
        options,
        search: &search_options(8),
        master_seed: 7,
    };
    let replayed = replay(record, &how, &mut { EVALUATOR }).unwrap();
    replayed.to_bytes().unwrap()
}

#[test]
fn any_game_of_many_is_played_again_byte_for_byte() {
    for options in [quick(), everything()] {
        let many = SelfPlayOptions {
            games_at_once: 16,
            ..options.clone()
        };
        let played = games(&many, &search_options(8), 5, &mut { EVALUATOR }, 40);
        for (id, record) in &played {
            assert_eq!(
                again(record, &options),
                record.to_bytes().unwrap(),
                "game {id}"
            );
        }
        let n_starts = played
            .values()
            .filter(|record| record.start != Position::startpos());
        assert_eq!(n_starts.count() > 10, options.late_start_share > 0.0);
    }
}

#[test]
fn a_game_that_was_resigned_ends_where_it_did() {
    let options = resigning();
    let mut play = SelfPlay::new(&options, &search_options(2), 7, 1, GameIds::starting_at(0));
    play.seen.tuner = Some(certain_tuner());
    let mut records = Vec::new();
    while records.len() < 20 {
        play.advance(
            &mut WhiteWins,
            &mut |PlayEvent::GameFinished { record, .. }| {
                records.push(*record);
            },
        )
        .unwrap();
    }
    records.retain(|record| record.outcome.reason == EndReason::Resignation);
    assert!(!records.is_empty());
    for record in records {
        let how = Replay {
            options: &options,
            search: &search_options(2),
            master_seed: 7,
        };
        let replayed = replay(&record, &how, &mut WhiteWins).unwrap();
        assert_eq!(replayed.to_bytes(), record.to_bytes());
    }
}

#[test]
fn another_seed_or_another_evaluator_is_another_game() {
    let record = &games(&quick(), &search_options(8), 1, &mut { EVALUATOR }, 1)[&1];
    let options = quick();
    let how = Replay {
        options: &options,
        search: &search_options(8),
        master_seed: 8,
    };
    let other_seed = replay(record, &how, &mut { EVALUATOR }).unwrap();
    assert_ne!(other_seed.plies, record.plies);
    let how = Replay {
        master_seed: 7,
        ..how
    };
    let other_net = replay(record, &how, &mut HashEvaluator { seed: 4 }).unwrap();
    assert_ne!(other_net.plies, record.plies);
}
