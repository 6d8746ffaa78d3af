use std::path::PathBuf;

use rules::{Color, Position};

use super::*;
use crate::foreign::Hcpe3Reader;
use crate::testing::{mv, ply, random_game, small_game};
use crate::{MoveLabel, RecordFault};

/// What dlshogi's own loader makes of `sample.hcpe3`.
const EXPECTED: &str = include_str!("../../../testdata/hcpe3_expected.tsv");

fn sample() -> Vec<Hcpe3Game> {
    let path = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/testdata/sample.hcpe3"
    ));
    Hcpe3Reader::open(&path)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn options() -> ConversionOptions {
    ConversionOptions::default()
}

/// One line per sample as dlshogi's loader says it, its index left out.
fn described(games: &[Hcpe3Game]) -> Vec<String> {
    let mut lines = Vec::new();
    for game in games {
        let record = game.to_record(0, &options());
        let mut position = record.start.clone();
        for (read, ply) in game.plies.iter().zip(&record.plies) {
            let side = position.side_to_move();
            if SampleOptions::default().admits(ply.kind) {
                let mut policy: Vec<(usize, f32)> = ply
                    .policy
                    .iter()
                    .map(|&(mv, p)| (MoveLabel::of(mv, side).index(), p))
                    .collect();
                policy.sort_by_key(|&(label, _)| label);
                let policy: Vec<_> = policy
                    .iter()
                    .map(|(label, p)| format!("{label}:{p:.6}"))
                    .collect();
                let sfen = position.to_string();
                lines.push(format!(
                    "{}\t{}\t{:.1}\t{:.5}\t{}",
                    sfen.rsplit_once(' ').unwrap().0,
                    read.eval,
                    f32::from(u8::from(record.outcome.winner == Some(side))),
                    ply.value.unwrap()[0],
                    policy.join(","),
                ));
            }
            position.do_move(ply.mv);
        }
    }
    lines
}

#[test]
fn hcpe3_becomes_what_dlshogis_loader_makes_of_it() {
    let expected: Vec<String> = EXPECTED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let sfen = fields[1].rsplit_once(' ').unwrap().0;
            let value: f32 = fields[4].parse().unwrap();
            format!(
                "{sfen}\t{}\t{}\t{value:.5}\t{}",
                fields[2], fields[3], fields[5]
            )
        })
        .collect();
    assert_eq!(described(&sample()), expected);
}

#[test]
fn a_ply_without_candidates_is_an_opening_move() {
    let record = sample()[0].to_record(0, &options());
    assert_eq!(record.plies[2], ply("8h2b+", PlyKind::Opening, None));
    assert_eq!(record.check(), Ok(()));
}

#[test]
fn our_games_come_back_from_hcpe3_as_far_as_it_can_hold_them() {
    for seed in 0..40 {
        let record = random_game(seed, 300);
        let back = Hcpe3Game::of(&record, &options())
            .unwrap()
            .to_record(seed, &options());
        assert_eq!(back.check(), Ok(()), "game {seed}");
        assert_eq!(back.outcome, record.outcome, "game {seed}");
        assert_eq!(back.plies.len(), record.plies.len());
        for (back, ply) in back.plies.iter().zip(&record.plies) {
            assert_eq!(back.mv, ply.mv);
            // Policies are kept in the same steps.
            assert_eq!(
                quantized_policy(&back.policy),
                quantized_policy(&ply.policy)
            );
            let known = match ply.kind {
                PlyKind::Full => PlyKind::Full,
                _ => PlyKind::Opening,
            };
            assert_eq!(back.kind, known);
            if let (Some(back), Some([win, draw, _])) = (back.value, ply.value) {
                // Half a centipawn.
                assert!((back[0] - win - draw / 2.0).abs() < 2e-4);
            }
        }
    }
}

#[test]
fn a_proven_mate_is_an_evaluation_of_thirty_thousand() {
    let game = Hcpe3Game::of(&small_game(), &options()).unwrap();
    let last = game.plies.last().unwrap();
    assert_eq!(
        (last.eval, last.candidates.as_slice()),
        (30_000, &[(mv("G*5b"), 1)][..])
    );
    let back = game.to_record(1, &options());
    assert_eq!(back.plies.last(), small_game().plies.last());
    // A search that is merely sure is no mate.
    assert_eq!(game.plies[3].eval, -29_999);
    assert_eq!(back.outcome, small_game().outcome);
}

#[test]
fn the_reason_of_the_end_is_what_the_board_or_the_file_says() {
    let [first, second] = sample().try_into().unwrap();
    // Said to be a declaration, which the position does not allow.
    let outcome = first.to_record(0, &options()).outcome;
    assert_eq!(outcome, Outcome::win(Color::Black, EndReason::Resignation));
    assert_eq!(
        second.to_record(0, &options()).outcome.winner,
        Some(Color::White)
    );
    let with = |winner, ending| {
        let mut game = first.clone();
        game.result = GameResult { winner, ending };
        let record = game.to_record(0, &options());
        assert_eq!(record.check(), Ok(()));
        record.outcome
    };
    assert_eq!(
        with(None, Ending::PlyLimit),
        Outcome::draw(EndReason::PlyLimit)
    );
    // Our rules count to four; other programs stop sooner.
    assert_eq!(
        with(None, Ending::Repetition),
        Outcome::draw(EndReason::Agreement)
    );
    assert_eq!(
        with(Some(Color::White), Ending::Unsaid),
        Outcome::win(Color::White, EndReason::Resignation)
    );
}

#[test]
fn evaluations_and_win_probabilities_are_each_others_inverse() {
    for scale in [100.0, 465.0, 756.086_5] {
        for eval in (-3000_i16..=3000).step_by(7) {
            let wdl = eval_wdl(eval, scale);
            assert!((wdl.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            if f32::from(eval.abs()) < 8.0 * scale {
                assert_eq!(wdl_eval(wdl, scale), eval, "{scale}");
            }
        }
    }
    assert_eq!(eval_wdl(30_000, 756.0), [1.0, 0.0, 0.0]);
    assert_eq!(eval_wdl(i16::MIN, 1e9), [0.0, 0.0, 1.0]);
    assert_eq!(wdl_eval([0.0, 1.0, 0.0], 756.0), 0);
    assert_eq!(wdl_eval([1.0, 0.0, 0.0], 756.0), 29_999);
    assert_eq!(wdl_eval([0.0, 0.0, 1.0], 756.0), -29_999);
}

#[test]
fn single_positions_are_the_plies_that_are_samples() {
    let samples = SampleOptions::default();
    let positions = positions_of(&small_game(), &samples, &options());
    let facts: Vec<_> = positions
        .iter()
        .map(|record| {
            (
                record.best.unwrap().to_string(),
                record.eval,
                record.position.ply(),
            )
        })
        .collect();
    // The opening move is none; the policy's first choice is not always what was played.
    assert_eq!(
        facts,
        [
            ("9d9e".to_owned(), -386, 3),
            ("9g9f".to_owned(), 190, 4),
            ("9e9f".to_owned(), -29_999, 5),
            ("G*5b".to_owned(), 30_000, 6),
        ]
    );
    let without_fast = SampleOptions {
        fast_plies: false,
        ..samples
    };
    assert_eq!(
        positions_of(&small_game(), &without_fast, &options()).len(),
        3
    );
}

#[test]
fn the_best_move_is_the_policys_first_choice() {
    let mut game = small_game();
    game.plies[2].policy = vec![(mv("9g9f"), 0.25), (mv("5h5g"), 0.75)];
    let positions = positions_of(&game, &SampleOptions::default(), &options());
    assert_eq!(positions[1].best, Some(mv("5h5g")));
}

#[test]
fn plies_with_candidates_are_single_positions_too() {
    let [game, _] = sample().try_into().unwrap();
    let positions = game.positions();
    let facts: Vec<_> = positions
        .iter()
        .map(|record| (record.best.unwrap().to_string(), record.eval))
        .collect();
    // The move played with one visit of a thousand is not the best one.
    let expected = [
        ("7g7f", 35),
        ("3c3d", -20),
        ("3a2b", -15),
        ("2g2f", -300),
        ("B*3c", 250),
    ];
    assert_eq!(facts, expected.map(|(mv, eval)| (mv.to_owned(), eval)));
    assert!(positions.iter().all(|record| record.result == game.result));
}

#[test]
fn a_record_that_is_no_game_becomes_no_hcpe3() {
    let mut game = small_game();
    game.plies[1].mv = mv("1a1b");
    let error = Hcpe3Game::of(&game, &options()).unwrap_err();
    assert!(matches!(
        error,
        WriteFault::Game(RecordFault::IllegalMove { ply: 1, .. })
    ));
}

#[test]
fn a_scale_that_is_no_scale_is_refused() {
    for eval_scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = ConversionOptions {
            eval_scale,
            ..options()
        };
        assert_eq!(options.check().unwrap_err().0, "eval_scale");
    }
    assert_eq!(options().check(), Ok(()));
    assert_eq!(options().handicaps, Handicaps::Refuse);
    assert!(small_game().start != Position::startpos());
}
