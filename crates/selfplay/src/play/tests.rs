pub(in crate::play) mod variety;

use std::collections::BTreeMap;

use data::PlyKind;
use rules::{Color, DeclarationRule, EndReason, Handicap, Position};
use search::{HashEvaluator, RootOptions, UniformEvaluator};

use super::*;

pub(in crate::play) fn search_options(visits: u32) -> SearchOptions {
    SearchOptions {
        visits,
        ..SearchOptions::default()
    }
}

pub(in crate::play) fn quick() -> SelfPlayOptions {
    SelfPlayOptions {
        games_at_once: 4,
        max_ply: 60,
        ..SelfPlayOptions::default()
    }
}

/// Plays until the games numbered 1 to `n` are finished; by number.
pub(in crate::play) fn games(
    options: &SelfPlayOptions,
    search: &SearchOptions,
    generation: u32,
    evaluator: &mut dyn Evaluator,
    n: u64,
) -> BTreeMap<u64, GameRecord> {
    let mut play = SelfPlay::new(options, search, 7, generation, GameIds::starting_at(1));
    let mut done = BTreeMap::new();
    while (1..=n).any(|id| !done.contains_key(&id)) {
        play.advance(evaluator, &mut |PlayEvent::GameFinished {
                                          record, ..
                                      }| {
            done.insert(record.id, *record);
        })
        .unwrap();
    }
    done.retain(|&id, _| id <= n);
    done
}

#[track_caller]
fn assert_same_games(a: &BTreeMap<u64, GameRecord>, b: &BTreeMap<u64, GameRecord>) {
    assert_eq!(a.len(), b.len());
    for (id, game) in a {
        assert_eq!(game.plies, b[id].plies, "game {id}");
        assert_eq!(game.outcome, b[id].outcome, "game {id}");
    }
}

#[test]
fn a_game_depends_on_its_number_alone_and_not_on_the_games_beside_it() {
    let search = search_options(8);
    let alone = SelfPlayOptions {
        games_at_once: 1,
        ..quick()
    };
    let among_many = SelfPlayOptions {
        games_at_once: 16,
        ..quick()
    };
    let mut evaluator = HashEvaluator { seed: 3 };
    let a = games(&alone, &search, 1, &mut evaluator, 5);
    let b = games(&among_many, &search, 1, &mut evaluator, 5);
    assert_same_games(&a, &b);
}

#[test]
fn every_record_passes_its_own_check() {
    for (generation, game) in [(
        0,
        games(&quick(), &search_options(8), 0, &mut UniformEvaluator, 8),
    )]
    .into_iter()
    .chain([(
        5,
        games(
            &quick(),
            &search_options(8),
            5,
            &mut HashEvaluator { seed: 1 },
            8,
        ),
    )])
    .flat_map(|(generation, games)| games.into_values().map(move |game| (generation, game)))
    {
        assert_eq!(game.check(), Ok(()));
        assert_eq!(game.generation, generation);
        assert_eq!(game.seed, mix_seed(7, game.id));
    }
}

#[test]
fn random_first_moves_carry_neither_policy_nor_value() {
    let options = SelfPlayOptions {
        random_opening_share: 1.0,
        random_opening_plies: 6,
        ..quick()
    };
    for game in games(
        &options,
        &search_options(4),
        1,
        &mut HashEvaluator { seed: 1 },
        8,
    )
    .values()
    {
        let n_opening = game
            .plies
            .iter()
            .take_while(|ply| ply.kind == PlyKind::Opening)
            .count();
        assert!((1..=6).contains(&n_opening));
        for (index, ply) in game.plies.iter().enumerate() {
            assert_eq!(ply.kind == PlyKind::Opening, index < n_opening);
            assert_eq!(ply.policy.is_empty(), index < n_opening);
            assert_eq!(ply.value.is_none(), index < n_opening);
        }
    }
}

#[test]
fn a_net_that_knows_nothing_leaves_no_values_except_proven_ones() {
    let options = SelfPlayOptions {
        max_ply: 320,
        ..quick()
    };
    let games = games(&options, &search_options(8), 0, &mut UniformEvaluator, 8);
    let mut n_certain = 0;
    for ply in games.values().flat_map(|game| &game.plies) {
        if let Some(value) = ply.value {
            assert!(value.contains(&1.0), "{value:?}");
            n_certain += 1;
        }
    }
    assert!(
        n_certain > 0,
        "games of eight visits give mate now and then"
    );
}

#[test]
fn a_single_visit_teaches_no_policy() {
    let games = games(
        &quick(),
        &search_options(1),
        1,
        &mut HashEvaluator { seed: 1 },
        4,
    );
    for ply in games.values().flat_map(|game| &game.plies) {
        assert_eq!(ply.policy.is_empty(), ply.kind != PlyKind::Mate);
    }
}

#[test]
fn a_game_that_can_be_mated_in_one_ends_by_that_mate() {
    let options = SelfPlayOptions {
        max_ply: 320,
        ..quick()
    };
    let games = games(&options, &search_options(4), 0, &mut UniformEvaluator, 8);
    let mut n_mates = 0;
    for game in games.values() {
        let mut position = game.start.clone();
        for (index, ply) in game.plies.iter().enumerate() {
            let mate = position.mate_in_one();
            position.do_move(ply.mv);
            if mate.is_some() && ply.kind != PlyKind::Opening {
                assert_eq!(index + 1, game.plies.len(), "nothing follows a mate");
                assert!(position.is_checkmate());
                assert_eq!(ply.kind, PlyKind::Mate);
                assert_eq!(ply.policy, [(ply.mv, 1.0)]);
                n_mates += 1;
            }
        }
    }
    assert!(n_mates >= 4, "{n_mates} of 8 games");
}

#[test]
fn the_ply_limit_ends_a_game_as_a_draw() {
    let options = SelfPlayOptions {
        max_ply: 10,
        random_opening_share: 0.0,
        ..quick()
    };
    for game in games(&options, &search_options(2), 0, &mut UniformEvaluator, 4).values() {
        assert_eq!(game.plies.len(), 10);
        assert_eq!(game.outcome, Outcome::draw(EndReason::PlyLimit));
    }
}

#[test]
fn after_the_temperature_plies_the_best_move_is_played() {
    let options = SelfPlayOptions {
        temperature_plies: 0,
        random_opening_share: 0.0,
        max_ply: 4,
        ..quick()
    };
    // Without noise a search is a function of the game, so all games are the same.
    let search = SearchOptions {
        noise: false,
        ..search_options(8)
    };
    let games = games(&options, &search, 1, &mut HashEvaluator { seed: 2 }, 4);
    let moves = |game: &GameRecord| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
    let mut all = games.values().map(moves);
    let first = all.next().unwrap();
    assert!(all.all(|other| other == first));
}

/// A game in play that begins at `start`.
fn live_at(start: &str, options: &SelfPlayOptions) -> LiveGame {
    LiveGame {
        id: 1,
        seed: 1,
        generation: 0,
        rng: Xoshiro256PlusPlus::seed_from_u64(1),
        game: Game::new(Position::from_sfen(start).unwrap(), options.rules()),
        n_opening: 0,
        plies: Vec::new(),
        totals: SearchTotals::default(),
        is_fast: false,
        tree_generation: 0,
        watch: ResignWatch::new(true),
    }
}

/// Row 22 of the rules' list of other programs' faults, its second half.
#[test]
fn whoever_can_declare_does_and_the_record_leads_to_the_declared_position() {
    let mut live = live_at("K+R+R+B+B4/GGGSSS3/9/9/9/9/9/4k4/9 w 2P 1", &quick());
    assert_eq!(live.outcome(), None);
    let mv = "5h5i".parse().unwrap();
    live.game.play(mv).unwrap();
    live.plies.push(PlyRecord {
        mv,
        kind: PlyKind::Full,
        value: None,
        policy: Vec::new(),
    });
    let declared = live.game.position().clone();
    let outcome = live.outcome().unwrap();
    assert_eq!(outcome, Outcome::win(Color::Black, EndReason::Declaration));

    let record = live.into_record(outcome);
    record.check().unwrap();
    let mut replayed = Game::new(record.start, record.rules);
    for ply in record.plies {
        replayed.play(ply.mv).unwrap();
    }
    assert_eq!(replayed.position(), &declared);
}

#[test]
fn a_draw_is_not_declared() {
    let options = SelfPlayOptions {
        declaration: DeclarationRule::Points24,
        ..quick()
    };
    let entered = "K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b";
    assert_eq!(
        live_at(&format!("{entered} 4P 1"), &options).outcome(),
        None
    );
    assert!(
        live_at(&format!("{entered} 5P 1"), &options)
            .outcome()
            .is_some()
    );
}

/// Row 22 of the rules' list of other programs' faults, its first half.
#[test]
fn a_game_that_cannot_go_on_gives_no_record() {
    /// Answers so many batches, then fails for ever.
    struct Dies(u32);
    impl Evaluator for Dies {
        fn evaluate(
            &mut self,
            requests: &[search::EvalRequest<'_>],
            answers: &mut search::EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            let left = self.0.checked_sub(1);
            self.0 = left.ok_or_else(|| EvaluatorError::new("the device is gone"))?;
            UniformEvaluator.evaluate(requests, answers)
        }
    }
    let options = SelfPlayOptions {
        random_opening_share: 0.0,
        ..quick()
    };
    let ids = GameIds::starting_at(1);
    let mut play = SelfPlay::new(&options, &search_options(2), 7, 1, ids);
    let mut n_records = 0;
    let mut evaluator = Dies(20);
    while play
        .advance(&mut evaluator, &mut |_| n_records += 1)
        .is_ok()
    {}
    assert!(play.games.iter().all(|live| !live.plies.is_empty()));
    assert_eq!(n_records, 0);
}

#[test]
fn a_failed_batch_names_the_games_and_can_be_repeated() {
    /// Fails when told to.
    struct Flaky(bool);
    impl Evaluator for Flaky {
        fn evaluate(
            &mut self,
            requests: &[search::EvalRequest<'_>],
            answers: &mut search::EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            if self.0 {
                return Err(EvaluatorError::new("the device is gone"));
            }
            HashEvaluator { seed: 3 }.evaluate(requests, answers)
        }
    }
    let ids = GameIds::starting_at(10);
    let mut play = SelfPlay::new(&quick(), &search_options(4), 7, 1, ids);
    let error = play.advance(&mut Flaky(true), &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot go on with 4 training games (numbers 10 to 13)"
    );
    assert!(play.advance(&mut Flaky(false), &mut |_| {}).is_ok());
}

#[test]
fn drawing_a_move_follows_the_policy() {
    let policy: Vec<(Move, f32)> = [("7g7f", 0.75), ("2g2f", 0.25), ("5i5h", 0.0)]
        .map(|(mv, p)| (mv.parse().unwrap(), p))
        .to_vec();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut share = |temperature| {
        let draws = (0..4000).map(|_| draw_move(&policy, temperature, &mut rng));
        draws.filter(|&mv| mv == policy[0].0).count() as f32 / 4000.0
    };
    // Standard error 0.7 %: five of them.
    assert!((share(1.0) - 0.75).abs() < 0.035);
    assert!((share(0.5) - 0.9).abs() < 0.035);
    assert_eq!(share(0.01), 1.0);
}

#[test]
fn a_puct_root_plays_as_well() {
    let search = SearchOptions {
        root: RootOptions::Puct(Default::default()),
        ..search_options(8)
    };
    let games = games(&quick(), &search, 1, &mut HashEvaluator { seed: 1 }, 2);
    assert!(games.values().all(|game| game.check().is_ok()));
}

#[test]
fn begun_games_are_finished_as_they_would_have_been_and_no_others_begin() {
    let (options, search) = (quick(), search_options(4));
    let mut evaluator = HashEvaluator { seed: 1 };
    let whole = games(&options, &search, 1, &mut evaluator, 12);
    let mut play = SelfPlay::new(&options, &search, 7, 1, GameIds::starting_at(1));
    let mut finished = BTreeMap::new();
    let mut begun = None;
    while play.n_games() > 0 {
        play.advance(&mut evaluator, &mut |event| {
            let PlayEvent::GameFinished { record, .. } = event;
            finished.insert(record.id, *record);
        })
        .unwrap();
        if begun.is_none() && finished.len() >= 3 {
            begun = Some(finished.len() + play.n_games());
            play.finish_begun();
        }
    }
    assert_eq!(Some(finished.len()), begun);
    for (id, game) in finished.iter().filter(|(id, _)| whole.contains_key(id)) {
        assert_eq!(game.to_bytes().unwrap(), whole[id].to_bytes().unwrap());
    }
    let round = play.advance(&mut evaluator, &mut |_| unreachable!("no game is left"));
    assert_eq!(round.unwrap().n_evaluations, 0);
}
