use rules::Game;
use search::{EvalAnswers, Evaluator, HashEvaluator, SearchOptions, UniformEvaluator};

use super::*;
use crate::baseline::Baseline;
use crate::external::tests::script_engine;
use crate::external::{EngineFault, EngineLimit};
use crate::opening::OpeningOptions;

mod engines;

fn options(games: u32) -> MatchOptions {
    MatchOptions {
        games,
        max_ply: 120,
        ..MatchOptions::default()
    }
}

fn net(seed: u64, visits: u32) -> Player<'static> {
    let options = SearchOptions {
        visits,
        ..SearchOptions::default()
    };
    Player::net(format!("hash{seed}"), options, HashEvaluator { seed })
}

fn play(options: &MatchOptions, a: Player<'_>, b: Player<'_>) -> (MatchReport, Vec<FinishedGame>) {
    let mut games = Vec::new();
    let report = play_match(options, a, b, &mut |event| {
        if let ArenaEvent::GameFinished(game) = event {
            games.push(*game);
        }
    })
    .unwrap();
    games.sort_by_key(|game| game.game);
    (report, games)
}

/// Everything of the games that must not depend on chance.
fn texts(games: &[FinishedGame]) -> Vec<String> {
    games.iter().map(|game| format!("{game:?}")).collect()
}

fn one_opening(text: &str) -> OpeningOptions {
    OpeningOptions::List {
        openings: vec![text.parse().unwrap()],
    }
}

/// Black mates by G*5b.
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// Black's king and ten pieces are in White's camp: 28 points and more.
const DECLARABLE: &str = "sfen K+R+B+R+BGGGG/SSSSP4/9/9/9/9/9/9/8k b 9P 1";

#[test]
fn games_are_complete_legal_and_end_as_they_say() {
    let options = options(6);
    let (report, games) = play(&options, net(1, 8), net(2, 8));
    assert_eq!(report.games, 6);
    assert_eq!(games.len(), 6);
    for finished in &games {
        let mut game = Game::new(finished.start.clone(), options.rules());
        for &mv in &finished.moves {
            assert_eq!(game.outcome(), None);
            game.play(mv).unwrap();
        }
        assert_eq!(game.outcome(), Some(finished.end.outcome()));
        assert_eq!(finished.opening_plies, 6);
    }
}

#[test]
fn pairs_share_the_opening_with_colours_swapped() {
    let (_, games) = play(&options(8), Player::baseline(Baseline::Mate1), net(1, 4));
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves[..6], pair[1].moves[..6]);
        assert_eq!(pair[0].pair_seed, pair[1].pair_seed);
        assert_ne!(pair[0].seed, pair[1].seed);
        assert_eq!((pair[0].black, pair[1].black), (Seat::A, Seat::B));
    }
    assert_ne!(games[0].moves[..6], games[2].moves[..6]);
}

#[test]
fn deterministic_player_against_itself_scores_exactly_one_half_in_each_pair() {
    let (report, games) = play(&options(8), net(5, 8), net(5, 8));
    assert_eq!(report.score, Some(0.5));
    assert_eq!(report.pentanomial, [0, 0, 4, 0, 0]);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves, pair[1].moves);
        assert_eq!(pair[0].end, pair[1].end);
    }
}

#[test]
fn swapping_the_players_mirrors_the_report() {
    let (report, _) = play(&options(8), net(1, 8), net(2, 8));
    let (mirrored, _) = play(&options(8), net(2, 8), net(1, 8));
    assert_eq!(
        (report.wins, report.losses),
        (mirrored.losses, mirrored.wins)
    );
    assert_eq!(report.draws, mirrored.draws);
    assert_eq!(report.by_reason, mirrored.by_reason);
    let mut pairs = mirrored.pentanomial;
    pairs.reverse();
    assert_eq!(report.pentanomial, pairs);
}

#[test]
fn same_seed_gives_the_same_games_and_another_seed_gives_others() {
    let play_with = |seed| {
        let options = MatchOptions { seed, ..options(4) };
        texts(&play(&options, Player::baseline(Baseline::Greedy), net(1, 4)).1)
    };
    assert_eq!(play_with(3), play_with(3));
    assert_ne!(play_with(3), play_with(4));
}

#[test]
fn games_do_not_depend_on_how_many_are_played_at_the_same_time() {
    let play_with = |parallel_games| {
        let options = MatchOptions {
            parallel_games,
            ..options(10)
        };
        let (report, games) = play(&options, net(1, 6), Player::baseline(Baseline::Greedy));
        (report, texts(&games))
    };
    let alone = play_with(1);
    assert_eq!(alone, play_with(3));
    assert_eq!(alone, play_with(64));
}

/// Counts batches and positions.
struct Counting<'a> {
    batches: &'a mut Vec<usize>,
}

impl Evaluator for Counting<'_> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        self.batches.push(requests.len());
        UniformEvaluator.evaluate(requests, answers)
    }
}

#[test]
fn shares_of_a_match_are_together_the_whole_match() {
    let options = options(14);
    let (whole, games) = play(&options, net(1, 4), net(2, 4));
    let mut shares = Vec::new();
    let mut shared_games = Vec::new();
    for share in 0..3 {
        let part = Match::new(&options, net(1, 4), net(2, 4)).unwrap();
        let mut part = part.only_share(share, 3);
        let mut on_event = |event| {
            if let ArenaEvent::GameFinished(game) = event {
                shared_games.push(*game);
            }
        };
        while part.advance(&mut on_event).unwrap() == Progress::Running {}
        shares.push(part);
    }
    shared_games.sort_by_key(|game| game.game);
    assert_eq!(texts(&shared_games), texts(&games));
    let scores: Vec<_> = shared_games.iter().map(|game| Some(game.score())).collect();
    assert_eq!(MatchReport::new("hash1", "hash2", &scores), whole);
    assert_eq!(shares[1].report().games, 4);
}

#[test]
fn games_in_play_share_one_batch_per_network() {
    let mut batches = Vec::new();
    let counting = Counting {
        batches: &mut batches,
    };
    let player = Player::net(
        "uniform",
        SearchOptions {
            visits: 4,
            ..Default::default()
        },
        counting,
    );
    let options = MatchOptions {
        max_ply: 20,
        ..options(16)
    };
    let (report, _) = play(&options, player, Player::baseline(Baseline::Random));
    assert_eq!(report.games, 16);
    // Half of the games begin with the other side, so both halves wait from the first round on.
    assert_eq!(batches[0], 16);
    let mean = batches.iter().sum::<usize>() as f64 / batches.len() as f64;
    assert!(mean > 12.0, "{mean}");
}

#[test]
fn mate1_beats_random() {
    let options = MatchOptions {
        max_ply: 512,
        ..options(40)
    };
    let mate1 = Player::baseline(Baseline::Mate1);
    let (report, _) = play(&options, mate1, Player::baseline(Baseline::Random));
    // Random gives mate by chance in about one game of ten.
    assert!(report.wins >= 4 * report.losses, "{report}");
    assert!(report.los.unwrap() > 0.99);
}

#[test]
fn greedy_beats_mate1() {
    let options = MatchOptions {
        max_ply: 512,
        ..options(20)
    };
    let greedy = Player::baseline(Baseline::Greedy);
    let (report, _) = play(&options, greedy, Player::baseline(Baseline::Mate1));
    assert!(report.wins >= 15, "{report}");
}

#[test]
fn match_can_be_stopped_and_reported_between_two_rounds() {
    let options = MatchOptions {
        parallel_games: 2,
        ..options(8)
    };
    let mut arena_match = Match::new(&options, net(1, 4), net(2, 4)).unwrap();
    assert_eq!(arena_match.report().games, 0);
    let mut finished = 0;
    while finished < 3 {
        let progress = arena_match
            .advance(&mut |event| {
                finished += u32::from(matches!(event, ArenaEvent::GameFinished(_)))
            })
            .unwrap();
        assert_eq!(progress, Progress::Running);
    }
    let report = arena_match.report();
    assert_eq!(report.games, finished);
    assert!(report.pentanomial.iter().sum::<u32>() <= finished / 2);
    drop(arena_match);
    let (whole, _) = play(&options, net(1, 4), net(2, 4));
    assert_eq!(whole.games, 8);
}

#[test]
fn greedy_and_networks_declare_as_soon_as_they_may() {
    for player in [Player::baseline(Baseline::Greedy), net(1, 4)] {
        let mut options = MatchOptions {
            openings: one_opening(DECLARABLE),
            ..options(2)
        };
        let (_, games) = play(&options, player, Player::baseline(Baseline::Random));
        assert_eq!(games[0].end.reason(), "declaration");
        assert_eq!(games[0].winner(), Some(Seat::A));
        assert!(games[0].moves.is_empty());
        options.declaration = rules::DeclarationRule::None;
        let greedy = || Player::baseline(Baseline::Greedy);
        let (report, _) = play(&options, greedy(), greedy());
        assert!(!report.by_reason.contains_key("declaration"), "{report}");
    }
}

#[test]
fn a_draw_is_not_declared() {
    let options = MatchOptions {
        declaration: rules::DeclarationRule::Points24,
        openings: one_opening("sfen K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b 4P 1"),
        max_ply: 4,
        ..options(2)
    };
    for player in [Player::baseline(Baseline::Greedy), net(1, 4)] {
        let (_, games) = play(&options, player, Player::baseline(Baseline::Random));
        assert!(!games[0].moves.is_empty());
    }
}

#[test]
fn greedy_and_networks_make_their_try_as_soon_as_they_may() {
    let options = MatchOptions {
        declaration: rules::DeclarationRule::Try,
        openings: one_opening("sfen 9/4K4/9/9/9/9/9/9/k8 b - 1"),
        ..options(2)
    };
    for player in [Player::baseline(Baseline::Greedy), net(1, 4)] {
        let (_, games) = play(&options, player, Player::baseline(Baseline::Random));
        assert_eq!(games[0].end.reason(), "try");
        assert_eq!(games[0].moves, ["5b5a".parse().unwrap()]);
        assert_eq!(games[0].winner(), Some(Seat::A));
    }
}

/// Row 21 of the rules' list of other programs' faults: the driver knows the whole game, so two
/// players that only shuffle their rooks are stopped by the repetition and not by the limit.
#[test]
fn shuffled_rooks_end_by_repetition() {
    // Turn by turn: Black there, White there, Black back, White back.
    let on_go = "case $((n % 4)) in 0) echo bestmove 2h3h;; 1) echo bestmove 8b7b;; \
                 2) echo bestmove 3h2h;; 3) echo bestmove 7b8b;; esac";
    let shuffler = |name: &str| {
        let mut settings = script_engine(on_go, EngineLimit::Nodes(1));
        let script = settings.command.args.pop().unwrap();
        // The words behind `startpos moves`.
        let count = "position) set -- $rest; n=$(($# > 1 ? $# - 2 : 0));; go)";
        settings.command.args.push(script.replacen("go)", count, 1));
        Player::usi(name, settings)
    };
    let options = MatchOptions {
        openings: one_opening("startpos"),
        ..options(2)
    };
    let (report, games) = play(&options, shuffler("a"), shuffler("b"));
    for game in &games {
        assert_eq!(game.end.reason(), "repetition");
        assert_eq!(game.moves.len(), 12, "the fourth occurrence of the start");
    }
    assert_eq!(report.draws, 2);
}

#[test]
fn match_at_the_ply_limit_is_drawn() {
    let options = MatchOptions {
        max_ply: 10,
        ..options(2)
    };
    let (report, games) = play(&options, net(1, 2), net(2, 2));
    assert_eq!(report.by_reason["ply-limit"], 2);
    assert_eq!((report.draws, games[0].moves.len()), (2, 10));
}

#[test]
fn options_out_of_range_and_finished_openings_are_refused() {
    let random = || Player::baseline(Baseline::Random);
    let refused = |options: &MatchOptions| {
        Match::new(options, random(), random())
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        refused(&options(0)),
        "games = 0: expected an even number of at least 2"
    );
    let error = Match::new(&options(2), net(1, 0), random()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "search.visits = 0: expected a whole number of at least 1"
    );
    let over = one_opening(&format!("{MATE_IN_ONE} moves G*5b"));
    let message = refused(&MatchOptions {
        openings: over,
        ..options(2)
    });
    assert!(
        message.starts_with("no opening of the list can be played on"),
        "{message}"
    );
}

/// Fails at the first question.
struct Broken;

impl Evaluator for Broken {
    fn evaluate(
        &mut self,
        _: &[EvalRequest<'_>],
        _: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        Err(EvaluatorError::new("out of order"))
    }
}

#[test]
fn evaluator_that_fails_ends_the_match_with_its_name() {
    let broken = Player::net("broken", SearchOptions::default(), Broken);
    let random = Player::baseline(Baseline::Random);
    let error = play_match(&options(2), broken, random, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "broken cannot evaluate positions");
}

#[test]
fn match_that_was_broken_off_goes_on_to_the_same_end() {
    let options = MatchOptions {
        parallel_games: 3,
        ..options(12)
    };
    let (whole, games) = play(&options, net(1, 4), net(2, 4));
    let mut first = Match::new(&options, net(1, 4), net(2, 4)).unwrap();
    let mut finished = Vec::new();
    while finished.len() < 5 {
        let mut on_event = |event| {
            if let ArenaEvent::GameFinished(game) = event {
                finished.push(*game);
            }
        };
        first.advance(&mut on_event).unwrap();
    }
    drop(first);
    let n_before = finished.len();
    let scores: Vec<_> = finished
        .iter()
        .map(|game| (game.game, game.score()))
        .collect();
    let second = Match::new(&options, net(1, 4), net(2, 4)).unwrap();
    let mut second = second.with_finished(scores);
    assert_eq!(second.report().games as usize, n_before);
    let mut on_event = |event| {
        if let ArenaEvent::GameFinished(game) = event {
            finished.push(*game);
        }
    };
    while second.advance(&mut on_event).unwrap() == Progress::Running {}
    assert_eq!(second.report(), whole);
    finished.sort_by_key(|game| game.game);
    assert_eq!(texts(&finished), texts(&games));
}

#[test]
fn later_pairs_go_on_where_a_shorter_match_ended() {
    let (_, whole) = play(&options(8), net(1, 4), net(2, 4));
    let rest = MatchOptions {
        first_pair: 3,
        ..options(2)
    };
    let (_, rest) = play(&rest, net(1, 4), net(2, 4));
    assert_eq!(rest[0].moves, whole[6].moves);
    assert_eq!(rest[1].moves, whole[7].moves);
}

/// A shell engine whose king steps to and fro, whatever its colour: it counts the moves so far.
fn shuffler() -> Player<'static> {
    let on_position = "position) set -- $rest; n=$(($# - 6)); [ $n -lt 0 ] && n=0; \
         case $((n % 4)) in 0) mv=5i4i;; 1) mv=5a4a;; 2) mv=4i5i;; 3) mv=4a5a;; esac;;";
    let mut settings = script_engine("echo bestmove $mv", EngineLimit::Nodes(1));
    settings.command.args[1] =
        settings.command.args[1].replace("quit)", &format!("{on_position} quit)"));
    Player::usi("shuffler", settings)
}

#[test]
fn repetitions_are_drawn_or_replayed_with_colours_swapped() {
    let opening = "sfen 4k4/9/9/p1p1p1p1p/P1P1P1P1P/9/9/9/4K4 b - 1";
    let mut options = MatchOptions {
        openings: one_opening(opening),
        ..options(2)
    };
    let (report, games) = play(&options, shuffler(), shuffler());
    assert_eq!((report.draws, report.by_reason["repetition"]), (2, 2));
    assert_eq!(games[0].replay, 0);

    options.replays = 2;
    let mut replayed = Vec::new();
    let mut finished = Vec::new();
    play_match(&options, shuffler(), shuffler(), &mut |event| match event {
        ArenaEvent::GameReplayed(game) => replayed.push(*game),
        ArenaEvent::GameFinished(game) => finished.push(*game),
        _ => {}
    })
    .unwrap();
    let seats = |games: &[FinishedGame]| -> Vec<_> {
        games
            .iter()
            .map(|game| (game.game, game.replay, game.black))
            .collect()
    };
    assert_eq!(
        seats(&replayed),
        [
            (0, 0, Seat::A),
            (0, 1, Seat::B),
            (1, 0, Seat::B),
            (1, 1, Seat::A)
        ]
    );
    assert_eq!(seats(&finished), [(0, 2, Seat::A), (1, 2, Seat::B)]);
}

#[test]
fn hopeless_games_are_adjudicated_if_that_is_asked_for() {
    use crate::adjudication::{Adjudication, ResignRule};
    // White has all the gold; the engine says so.
    let engine = |name: &str, cp: i32| {
        let on_go = format!("echo info score cp {cp} pv 5i4i; echo bestmove $mv");
        let Player { mut mind, .. } = shuffler();
        let Mind::Usi(external) = &mut mind else {
            panic!("an engine")
        };
        let mut settings = external.settings().clone();
        settings.command.args[1] = settings.command.args[1].replace("echo bestmove $mv", &on_go);
        Player::usi(name, settings)
    };
    let resign = ResignRule {
        score: 1000,
        moves: 2,
    };
    let options = MatchOptions {
        openings: one_opening("sfen 4k4/9/9/p1p1p1p1p/P1P1P1P1P/9/9/9/4K4 b - 1"),
        adjudication: Adjudication {
            resign: Some(resign),
            draw: None,
        },
        ..options(2)
    };
    let (report, games) = play(&options, engine("up", 1500), engine("down", -1500));
    assert_eq!((report.wins, report.by_reason["adjudicated"]), (2, 2));
    assert_eq!((games[0].moves.len(), games[1].moves.len()), (5, 4));
    assert_eq!(games[0].notes[0].score, Some(usi::Score::Cp(1500)));
}

#[test]
fn networks_play_by_the_clock_too() {
    let timed = net(1, 1).with_time("0+0.02".parse().unwrap());
    let options = MatchOptions {
        max_ply: 8,
        ..options(2)
    };
    let (report, games) = play(&options, timed, net(2, 2));
    assert_eq!(report.games, 2);
    // Black in game 0: its moves take time, the opponent's are not measured.
    let times: Vec<bool> = games[0]
        .notes
        .iter()
        .map(|note| !note.time.is_zero())
        .collect();
    assert_eq!(times, [true, false]);
    assert!(games[0].notes.iter().all(|note| note.score.is_some()));
}
