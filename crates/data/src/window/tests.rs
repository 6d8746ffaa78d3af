use ndarray::Axis;
use rules::{Color, EndReason, Outcome, Position};
use tempfile::TempDir;

use super::*;
use crate::encoding::{encode_board, encode_board_mirrored, encode_hands};
use crate::label::{MoveLabel, N_LABELS};
use crate::shard::{RecordWriter, WriterOptions};
use crate::testing::{mv, random_game, seeded, small_game};

fn window_of(games: &[GameRecord], options: SampleOptions) -> Window {
    let mut window = Window::new(options);
    games.iter().for_each(|game| window.push(game));
    window
}

fn random_games(n: u64) -> Vec<GameRecord> {
    (0..n).map(|seed| random_game(seed, 60)).collect()
}

fn samples_in(game: &GameRecord) -> usize {
    game.plies
        .iter()
        .filter(|ply| ply.kind != PlyKind::Opening)
        .count()
}

#[test]
fn sampling_twice_gives_the_same_bytes_on_any_number_of_threads() {
    let window = window_of(&random_games(5), SampleOptions::default());
    let sample = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        pool.install(|| window.sample_batch(64, &mut seeded(9)))
    };
    let batch = sample(1);
    assert_eq!(sample(1), batch);
    assert_eq!(sample(3), batch);
    assert_ne!(window.sample_batch(64, &mut seeded(10)), batch);
}

#[test]
fn every_position_can_be_drawn_and_opening_plies_are_none() {
    let games = random_games(5);
    let window = window_of(&games, SampleOptions::default());
    let expected: usize = games.iter().map(samples_in).sum();
    assert_eq!(window.n_positions(), expected);
    let mut drawn = (window.start()..window.end()).map(|number| {
        let draw = window.draw(number, false);
        draw.game.position(draw.sample)
    });
    for game in &games {
        let mut position = game.start.clone();
        for ply in &game.plies {
            if ply.kind != PlyKind::Opening {
                assert_eq!(drawn.next().unwrap().to_string(), position.to_string());
            }
            position.do_move(ply.mv);
        }
    }
    assert!(drawn.next().is_none());
}

#[test]
fn fast_plies_can_be_left_out() {
    let options = SampleOptions {
        fast_plies: false,
        ..SampleOptions::default()
    };
    assert_eq!(
        window_of(&[small_game()], SampleOptions::default()).n_positions(),
        4
    );
    assert_eq!(window_of(&[small_game()], options).n_positions(), 3);
}

#[test]
fn rows_hold_planes_labels_and_targets_of_the_side_to_move() {
    let game = small_game();
    let options = SampleOptions {
        lambda: 1.0,
        ..SampleOptions::default()
    };
    let batch = unseen_batch(
        std::slice::from_ref(&game),
        usize::MAX,
        &options,
        &mut seeded(0),
    );
    assert_eq!(batch.len(), 4);
    let mut position = game.start.clone();
    for (ply, played) in game.plies.iter().enumerate() {
        // Ply 0 is an opening move.
        if let Some(row) = ply.checked_sub(1) {
            let side = position.side_to_move();
            let mut board = vec![0.0; 62 * 81];
            encode_board(&position, &mut board);
            assert_eq!(
                batch
                    .board
                    .index_axis(Axis(0), row)
                    .iter()
                    .copied()
                    .collect::<Vec<_>>(),
                board
            );
            let mut hands = vec![0.0; 57];
            encode_hands(&position, &mut hands);
            assert_eq!(batch.hands.row(row).to_vec(), hands);
            let mut legal = vec![0.0; N_LABELS];
            for &mv in &position.legal_moves() {
                legal[MoveLabel::of(mv, side).index()] = 1.0;
            }
            assert_eq!(batch.legal.row(row).to_vec(), legal);
            let won = if side == Color::Black {
                [1.0, 0.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
            assert_eq!(batch.outcome.row(row).to_vec(), won);
            assert_eq!(batch.wdl.row(row).to_vec(), won);
        }
        position.do_move(played.mv);
    }
    assert_eq!(batch.policy_weight.to_vec(), [0.0, 1.0, 1.0, 1.0]);
    assert_eq!(batch.value_weight.to_vec(), [1.0; 4]);
    let policy = |row, usi, side| batch.policy[[row, MoveLabel::of(mv(usi), side).index()]];
    assert!((policy(1, "9g9f", Color::Black) - 0.75).abs() < 1e-4);
    assert_eq!(policy(2, "9e9f", Color::White), 1.0);
    assert_eq!(
        policy(3, "G*5b", Color::Black),
        1.0,
        "a mate is the whole policy"
    );
    let sums: Vec<f32> = batch.policy.sum_axis(Axis(1)).to_vec();
    assert!(
        sums[0] == 0.0 && sums[1..].iter().all(|sum| (sum - 1.0).abs() < 1e-5),
        "{sums:?}"
    );
}

#[test]
fn policy_lies_on_legal_moves_in_mirrored_samples_too() {
    let batch =
        window_of(&random_games(3), SampleOptions::default()).sample_batch(64, &mut seeded(4));
    assert!(
        batch
            .policy
            .iter()
            .zip(&batch.legal)
            .all(|(&p, &legal)| p == 0.0 || legal == 1.0)
    );
}

#[test]
fn mirrored_samples_are_half_of_all_and_wholly_mirrored() {
    let mut game = small_game();
    game.plies.truncate(3);
    game.outcome = Outcome::draw(EndReason::Resignation);
    game.plies[1].kind = PlyKind::Opening;
    let window = window_of(&[game.clone()], SampleOptions::default());
    assert_eq!(window.n_positions(), 1);
    let mut position = game.start.clone();
    for ply in &game.plies[..2] {
        position.do_move(ply.mv);
    }
    let mut board = vec![0.0; 62 * 81];
    encode_board_mirrored(&position, &mut board);
    let label = MoveLabel::of(mv("9g9f"), Color::Black);

    let batch = window.sample_batch(400, &mut seeded(5));
    let mut n_mirrored = 0;
    for row in 0..400 {
        let is_mirrored = batch.board.index_axis(Axis(0), row).iter().eq(&board);
        let label = if is_mirrored { label.mirrored() } else { label };
        assert!((batch.policy[[row, label.index()]] - 0.75).abs() < 1e-4);
        assert_eq!(batch.legal[[row, label.index()]], 1.0);
        n_mirrored += u32::from(is_mirrored);
    }
    // Six standard deviations: fails by chance once in 500 million seeds.
    assert!((140..=260).contains(&n_mirrored), "{n_mirrored}");
    let upright = SampleOptions {
        mirror: false,
        ..SampleOptions::default()
    };
    let batch = window_of(&[game], upright).sample_batch(50, &mut seeded(5));
    assert!(batch.board.outer_iter().all(|row| !row.iter().eq(&board)));
}

#[test]
fn draws_by_the_ply_limit_weigh_less() {
    let games: Vec<_> = random_games(20);
    let capped = games
        .iter()
        .find(|game| game.outcome.reason == EndReason::PlyLimit)
        .unwrap();
    let options = SampleOptions {
        cap_weight: 0.25,
        ..SampleOptions::default()
    };
    let batch = window_of(std::slice::from_ref(capped), options).sample_batch(8, &mut seeded(1));
    assert_eq!(batch.value_weight.to_vec(), [0.25; 8]);
}

#[test]
fn oldest_games_drop_first_and_the_newest_stays() {
    let games = random_games(5);
    let mut window = window_of(&games, SampleOptions::default());
    let newest_two: usize = games[3..].iter().map(samples_in).sum();
    window.truncate(newest_two);
    assert_eq!((window.n_games(), window.n_positions()), (2, newest_two));
    window.truncate(newest_two - 1);
    assert_eq!(
        (window.n_games(), window.n_positions()),
        (1, samples_in(&games[4]))
    );
    window.truncate(0);
    assert_eq!(window.n_games(), 1);
    window.push(&games[0]);
    assert_eq!(
        window.n_positions(),
        samples_in(&games[0]) + samples_in(&games[4])
    );
}

#[test]
fn refilled_window_is_the_one_that_was_lost() {
    let dir = TempDir::new().unwrap();
    let options = WriterOptions {
        max_games: 3,
        ..WriterOptions::default()
    };
    let (mut writer, _) = RecordWriter::open(dir.path(), options).unwrap();
    let games = random_games(10);
    games.iter().for_each(|game| writer.append(game).unwrap());
    let mut lost = window_of(&games, SampleOptions::default());
    for n_positions in [10_000, 120, 1] {
        lost.truncate(n_positions);
        let mut window = window_of(&games[..1], SampleOptions::default());
        window.refill(dir.path(), n_positions).unwrap();
        assert_eq!(window.n_games(), lost.n_games());
        let batches = [&window, &lost].map(|window| window.sample_batch(16, &mut seeded(3)).wdl);
        // The disk keeps values in steps of 1/65,535.
        let close = batches[0]
            .iter()
            .zip(&batches[1])
            .all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(close, "{n_positions}");
    }
}

#[test]
fn unseen_batch_draws_different_positions() {
    let games = random_games(3);
    let all = games.iter().map(samples_in).sum::<usize>();
    let options = SampleOptions::default();
    assert_eq!(
        unseen_batch(&games, all + 1, &options, &mut seeded(1)).len(),
        all
    );
    let batch = unseen_batch(&games, all - 1, &options, &mut seeded(1));
    assert_eq!(batch.len(), all - 1);
    assert_eq!(
        batch,
        unseen_batch(&games, all - 1, &options, &mut seeded(1))
    );
    assert!(unseen_batch(&[], 5, &options, &mut seeded(1)).is_empty());
}

#[test]
fn unseen_positions_tell_where_they_are_from() {
    let games = random_games(3);
    let options = SampleOptions::default();
    let all = unseen_positions(&games, usize::MAX, 2, &options, &mut seeded(1));
    assert_eq!(all.places.len(), all.batch.len());
    assert_eq!(all.mirrored.len(), 2);
    assert_ne!(
        all.mirrored.board,
        all.batch.board.slice(ndarray::s![..2, .., ..])
    );
    for (row, place) in all.places.iter().enumerate() {
        let record = &games[place.game];
        let mut position = record.start.clone();
        for ply in &record.plies[..place.ply] {
            position.do_move(ply.mv);
        }
        let mut hands = [0.0; crate::HAND_PLANES];
        crate::encode_hands(&position, &mut hands);
        assert_eq!(all.batch.hands.row(row).as_slice().unwrap(), hands);
    }
}

#[test]
fn packed_games_are_small() {
    let games = random_games(20);
    let window = window_of(&games, SampleOptions::default());
    let entries: usize = games
        .iter()
        .flat_map(|g| &g.plies)
        .map(|ply| ply.policy.len())
        .sum();
    let fixed = 20 * (size_of::<Position>() + 256) + 24 * 60 * 20;
    assert!(
        window.n_bytes() <= 4 * entries + fixed,
        "{} bytes",
        window.n_bytes()
    );
}

#[test]
fn options_out_of_range_are_named() {
    let options = SampleOptions {
        lambda: 1.5,
        ..SampleOptions::default()
    };
    let expected = ("lambda", "1.5: expected a number from 0 to 1".to_owned());
    assert_eq!(options.check(), Err(expected));
    assert_eq!(
        SampleOptions {
            cap_weight: f32::NAN,
            ..options
        }
        .check()
        .unwrap_err()
        .0,
        "lambda"
    );
    assert_eq!(SampleOptions::default().check(), Ok(()));
}

#[test]
#[should_panic(expected = "an empty window has nothing to draw")]
fn empty_window_cannot_be_sampled() {
    Window::new(SampleOptions::default()).sample_batch(1, &mut seeded(1));
}

fn with_auxiliary() -> SampleOptions {
    SampleOptions {
        auxiliary: true,
        ..SampleOptions::default()
    }
}

fn auxiliary_of(games: &[GameRecord]) -> crate::AuxiliaryBatch {
    let batch = unseen_batch(games, usize::MAX, &with_auxiliary(), &mut seeded(0));
    batch.auxiliary.expect("the options ask for it")
}

#[test]
fn auxiliary_targets_are_there_only_where_they_are_asked_for() {
    let games = random_games(2);
    let plain = window_of(&games, SampleOptions::default());
    let more = window_of(&games, with_auxiliary());
    let (plain, more) = (
        plain.sample_batch(64, &mut seeded(1)),
        more.sample_batch(64, &mut seeded(1)),
    );
    assert_eq!(plain.auxiliary, None);
    let without = Batch {
        auxiliary: None,
        ..more.clone()
    };
    assert!(without == plain, "the other arrays stay as they are");
    assert_eq!(more.auxiliary.unwrap().reply_weight.len(), 64);
}

#[test]
fn the_reply_is_the_opponents_policy_on_the_board_of_the_side_that_waits() {
    // Rows are the plies from 1 on: fast, full, full, mate.
    let batch = auxiliary_of(&[small_game()]);
    assert_eq!(batch.reply_weight.to_vec(), [1.0, 1.0, 1.0, 0.0]);
    let reply = |row: usize, usi: &str, side| {
        batch.reply[[row, MoveLabel::of(mv(usi), side).reply_index()]]
    };
    assert!((reply(0, "9g9f", Color::Black) - 0.75).abs() < 1e-4);
    assert_eq!(reply(1, "9e9f", Color::White), 1.0);
    assert_eq!(reply(2, "G*5b", Color::Black), 1.0);
    let sums = batch.reply.sum_axis(Axis(1));
    assert!((sums[0] - 1.0).abs() < 1e-4, "{sums}");
    assert_eq!(sums.to_vec()[1..], [1.0, 1.0, 0.0]);
    // White waits for the pawn to come to 9f, which it sees as 1d.
    let to_9f = 81 - 1 - (9 * 8 + 5);
    let labels = batch.reply.row(0);
    let likeliest = (0..N_LABELS).max_by(|&a, &b| labels[a].total_cmp(&labels[b]));
    assert_eq!(likeliest.unwrap() % 81, to_9f);
}

#[test]
fn moves_left_are_counted_to_the_end_and_unknown_in_games_that_were_cut() {
    let batch = auxiliary_of(&[small_game()]);
    assert_eq!(batch.moves_left.to_vec(), [4.0, 3.0, 2.0, 1.0]);
    assert_eq!(batch.moves_left_weight.to_vec(), [1.0; 4]);
    let mut cut = small_game();
    cut.outcome = Outcome {
        winner: None,
        reason: EndReason::PlyLimit,
    };
    let batch = auxiliary_of(&[cut]);
    assert_eq!(batch.moves_left_weight.to_vec(), [0.0; 4]);
    assert_eq!(batch.short_weight.to_vec(), [0.5; 4]);
}

#[test]
fn short_horizons_see_the_next_value_rather_than_the_result() {
    let batch = auxiliary_of(&[small_game()]);
    assert_eq!(batch.short_weight.to_vec(), [1.0; 4]);
    // At the last ply there is nothing but the result.
    assert_eq!(
        batch.short_wdl.row(3).to_vec(),
        [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    );
    // The ply after the first row is valued 0.5, 0.125, 0.375, and from there on all is clear.
    let first = batch.short_wdl.row(0).to_vec();
    let near = |found: f32, expected: f32| (found - expected).abs() < 1e-6;
    let lambda = 5.0 / 6.0;
    assert!(near(first[0], 0.375 / 6.0), "{first:?}");
    assert!(near(first[2], lambda + 0.5 / 6.0), "{first:?}");
    assert!(near(first[5], 15.0 / 16.0 + 0.5 / 16.0), "{first:?}");
}

#[test]
fn a_horizon_of_less_than_a_ply_is_refused() {
    for horizon in [0.5, f32::NAN, f32::INFINITY] {
        let options = SampleOptions {
            short_horizons: [6.0, horizon],
            ..SampleOptions::default()
        };
        let (key, message) = options.check().unwrap_err();
        assert_eq!(key, "short_horizons");
        assert!(
            message.ends_with("expected two numbers of at least 1"),
            "{message}"
        );
    }
}

#[test]
fn mirroring_mirrors_replies_too() {
    let game = small_game();
    let window = window_of(&[game], with_auxiliary());
    let draws = [false, true].map(|mirrored| window.draw(0, mirrored));
    let auxiliary = Batch::encode(&draws, true).auxiliary.unwrap();
    let label = MoveLabel::of(mv("9g9f"), Color::Black);
    let probability = auxiliary.reply[[0, label.reply_index()]];
    assert!(0.7 < probability);
    assert_eq!(
        auxiliary.reply[[1, label.mirrored().reply_index()]],
        probability
    );
}
