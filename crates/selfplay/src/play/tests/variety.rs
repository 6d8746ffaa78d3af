//! Fast searches, starts, kept trees and resigning.

use super::*;
use crate::{ResignOptions, Start};

/// Finished games in the order of their ends, until there are `n`.
fn finished(play: &mut SelfPlay, evaluator: &mut dyn Evaluator, n: usize) -> Vec<GameRecord> {
    let mut done = Vec::new();
    while done.len() < n {
        play.advance(evaluator, &mut |PlayEvent::GameFinished {
                                          record, ..
                                      }| {
            done.push(*record);
        })
        .unwrap();
    }
    done
}

fn selfplay(options: &SelfPlayOptions, visits: u32) -> SelfPlay {
    options.check().unwrap();
    let ids = GameIds::starting_at(1);
    SelfPlay::new(options, &search_options(visits), 7, 1, ids)
}

#[test]
fn fast_searches_are_made_for_their_share_and_teach_no_policy() {
    let options = SelfPlayOptions {
        fast_share: 0.75,
        fast_visits: 4,
        random_opening_share: 0.0,
        ..quick()
    };
    let games = games(
        &options,
        &search_options(24),
        1,
        &mut HashEvaluator { seed: 1 },
        8,
    );
    let plies = || games.values().flat_map(|game| &game.plies);
    let count = |kind| plies().filter(|ply| ply.kind == kind).count() as f32;
    let (fast, full) = (count(PlyKind::Fast), count(PlyKind::Full));
    // Some 400 plies: the standard error is 2 %.
    assert!(
        (fast / (fast + full) - 0.75).abs() < 0.1,
        "{fast} fast, {full} full"
    );
    for ply in plies() {
        assert_eq!(ply.policy.is_empty(), ply.kind == PlyKind::Fast);
        assert!(ply.value.is_some());
    }
    assert!(games.values().all(|game| game.check().is_ok()));
}

#[test]
fn a_search_that_is_small_already_has_no_fast_ones() {
    let options = SelfPlayOptions {
        fast_share: 1.0,
        fast_visits: 8,
        ..quick()
    };
    let games = games(
        &options,
        &search_options(8),
        1,
        &mut HashEvaluator { seed: 1 },
        2,
    );
    let mut plies = games.values().flat_map(|game| &game.plies);
    assert!(plies.all(|ply| ply.kind != PlyKind::Fast));
}

#[test]
fn a_game_depends_on_its_number_alone_with_fast_searches_and_kept_trees() {
    let with = |games_at_once| SelfPlayOptions {
        games_at_once,
        fast_share: 0.5,
        fast_visits: 6,
        reuse_tree: true,
        handicap_share: 0.5,
        handicaps: vec![Handicap::ALL[1], Handicap::ALL[7]],
        ..quick()
    };
    let mut evaluator = HashEvaluator { seed: 3 };
    let a = games(&with(1), &search_options(16), 1, &mut evaluator, 5);
    let b = games(&with(16), &search_options(16), 1, &mut evaluator, 5);
    assert_same_games(&a, &b);
    assert!(a.values().all(|game| game.check().is_ok()));
}

#[test]
fn a_kept_tree_asks_less_of_the_network_for_the_same_walks() {
    let evaluations = |reuse_tree| {
        let options = SelfPlayOptions {
            reuse_tree,
            random_opening_share: 0.0,
            max_ply: 20,
            ..quick()
        };
        let mut play = selfplay(&options, 32);
        let (mut n_evaluations, mut n_searches) = (0, 0);
        while n_searches < 100 {
            play.advance(&mut HashEvaluator { seed: 1 }, &mut |event| {
                let PlayEvent::GameFinished { searches, .. } = event;
                n_evaluations += searches.n_evaluations;
                n_searches += searches.n_searches;
            })
            .unwrap();
        }
        n_evaluations as f32 / n_searches as f32
    };
    // The root is evaluated already: one less in each search.
    assert!(evaluations(true) < evaluations(false) - 0.5);
}

#[test]
fn games_begin_where_the_shares_say() {
    let given: Start = "4k4/9/9/9/9/9/9/9/4K4 w RB 31".parse().unwrap();
    let options = SelfPlayOptions {
        games_at_once: 400,
        starts_share: 0.25,
        starts: vec![given.clone()],
        handicap_share: 0.25,
        handicaps: vec![Handicap::ALL[1], Handicap::ALL[2]],
        ..quick()
    };
    let play = selfplay(&options, 2);
    let count = |start: &Position| {
        let begun = play.games.iter().filter(|live| live.game.start() == start);
        begun.count()
    };
    // 400 games: standard errors of 9 (a quarter) and 7 (an eighth); five of them.
    assert!(count(&given.0).abs_diff(100) < 45);
    for handicap in &options.handicaps {
        assert!(count(&handicap.position()).abs_diff(50) < 35);
    }
    assert!(count(&Position::startpos()).abs_diff(200) < 50);
    let given = play.games.iter().find(|live| *live.game.start() == given.0);
    assert_eq!(
        given.unwrap().n_opening,
        0,
        "a given start is played as it is"
    );
}

#[test]
fn late_starts_come_from_games_that_somebody_won() {
    let options = SelfPlayOptions {
        max_ply: 320,
        random_opening_share: 0.0,
        late_start_share: 0.5,
        late_start_nearest: 3,
        late_start_farthest: 9,
        ..quick()
    };
    let ids = GameIds::starting_at(1);
    let mut play = SelfPlay::new(&options, &search_options(4), 7, 0, ids);
    let done = finished(&mut play, &mut UniformEvaluator, 40);
    let late: Vec<&GameRecord> = done
        .iter()
        .filter(|record| record.start != Position::startpos())
        .collect();
    assert!(8 < late.len() && late.len() < 32, "{} of 40", late.len());
    for record in &late {
        assert_eq!(record.check(), Ok(()));
        assert!(record.start.ply() > 0);
        // The game that the position comes from: its moves lead to it, and it was won.
        let source = done.iter().find(|other| {
            let mut game = Game::new(other.start.clone(), other.rules);
            let n_plies = other.plies.len();
            other.plies.iter().enumerate().any(|(ply, record_ply)| {
                let is_it = *game.position() == record.start && (3..=9).contains(&(n_plies - ply));
                game.play_unchecked(record_ply.mv);
                is_it
            })
        });
        assert!(source.is_some_and(|source| source.outcome.winner.is_some()));
    }
}

#[test]
fn a_restarted_self_play_begins_its_games_with_the_late_starts_that_it_had() {
    let options = SelfPlayOptions {
        late_start_share: 1.0,
        ..quick()
    };
    let ids = GameIds::starting_at(1);
    let mut play = SelfPlay::new(&options, &search_options(4), 7, 0, ids);
    finished(&mut play, &mut UniformEvaluator, 40);
    let memory = play.memory().unwrap();
    assert!(!memory.late_starts.is_empty());

    let text = serde_json::to_string(&memory).unwrap();
    let kept: crate::PlayMemory = serde_json::from_str(&text).unwrap();
    assert_eq!(kept, memory);
    let ids = GameIds::starting_at(1000);
    let mut again = SelfPlay::with_memory(&options, &search_options(4), 7, 0, ids, kept);
    let games = finished(
        &mut again,
        &mut UniformEvaluator,
        options.games_at_once as usize,
    );
    let first: Vec<_> = games
        .iter()
        .filter(|record| record.id < 1000 + u64::from(options.games_at_once))
        .collect();
    assert!(!first.is_empty());
    for record in first {
        assert!(
            memory
                .late_starts
                .iter()
                .any(|start| start.0 == record.start)
        );
    }
}

/// Believes that White wins, always.
pub(in crate::play) struct WhiteWins;

impl Evaluator for WhiteWins {
    fn evaluate(
        &mut self,
        requests: &[search::EvalRequest<'_>],
        answers: &mut search::EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            let value = match request.position.side_to_move() {
                Color::White => search::Wdl::WIN,
                Color::Black => search::Wdl::LOSS,
            };
            answers.push_with(value, request.legal_moves.len(), |_| {});
        }
        Ok(())
    }
}

pub(in crate::play) fn resigning() -> SelfPlayOptions {
    SelfPlayOptions {
        resign: Some(ResignOptions::default()),
        ..quick()
    }
}

/// A tuner that has seen a hundred sides lose that expected to.
pub(in crate::play) fn certain_tuner() -> ResignTuner {
    let mut tuner = ResignTuner::new(ResignOptions::default(), crate::ResignMemory::default());
    for _ in 0..100 {
        let mut watch = ResignWatch::new(true);
        for _ in 0..3 {
            watch.resigns(Color::Black, 0.0, &tuner);
        }
        tuner.add(&watch, Some(Color::White));
    }
    assert!(tuner.threshold() > 0.0);
    tuner
}

#[test]
fn a_hopeless_side_resigns_and_a_share_of_games_is_played_out() {
    let mut play = selfplay(&resigning(), 2);
    play.seen.tuner = Some(certain_tuner());
    for live in &mut play.games {
        live.watch.plays_out = false;
    }
    let done = finished(&mut play, &mut WhiteWins, 40);
    let resigned = EndReason::Resignation;
    let n_resigned = done
        .iter()
        .filter(|game| game.outcome.reason == resigned)
        .count();
    assert!(20 < n_resigned, "{n_resigned} of 40");
    for game in &done {
        assert_eq!(game.check(), Ok(()));
        if game.outcome.reason == resigned {
            assert_eq!(game.outcome, Outcome::win(Color::White, resigned));
            assert_eq!(game.side_at(game.plies.len()), Color::Black);
        }
    }
}

#[test]
fn games_that_end_in_draws_teach_that_resigning_is_a_mistake() {
    // Everybody believes in White, and the ply limit makes a draw of nearly every game.
    let mut play = selfplay(&resigning(), 2);
    let done = finished(&mut play, &mut WhiteWins, 60);
    assert!(
        done.iter()
            .all(|game| game.outcome.reason != EndReason::Resignation)
    );
    let stats = play.resign_stats().unwrap();
    assert_eq!((stats.threshold, stats.n_resigning), (0.0, 0));
    assert!(100 <= stats.n_played_out);
    assert_eq!(selfplay(&quick(), 2).resign_stats(), None);
}

#[test]
fn nobody_resigns_at_a_forced_move_or_by_a_net_that_knows_nothing() {
    let tuner = certain_tuner();
    let result = |sfen: &str| {
        let game = Game::new(Position::from_sfen(sfen).unwrap(), quick().rules());
        let mut search = Search::new(&game, &search_options(2), 1);
        search::run(&mut search, &mut WhiteWins).unwrap();
        search.result()
    };
    let lost = result("startpos");
    let forced = result("k8/9/9/9/9/9/9/1r7/K8 b - 1");
    assert_eq!(forced.visits.len(), 1);
    for (result, generation, resigns) in [(&lost, 1, true), (&lost, 0, false), (&forced, 1, false)]
    {
        let mut live = live_at("startpos", &quick());
        live.generation = generation;
        live.watch.plays_out = false;
        let at_last = (0..9).map(|_| live.resigns(result, Some(&tuner))).last();
        assert_eq!(at_last, Some(resigns));
    }
    let mut live = live_at("startpos", &quick());
    live.generation = 1;
    assert!((0..9).all(|_| !live.resigns(&lost, None)));
}
