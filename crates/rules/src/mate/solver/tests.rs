use super::{Answer, Solver, SolverOptions};
use crate::mate::testing::{AllLines, TooMany, mates_at_all, problems, small_problems, walk};
use crate::{Game, GameRules, Position};

/// A mate in five.
const IN_FIVE: &str = "6+B1k/9/9/9/9/9/9/9/9 b S 1";

fn solver(max_plies: Option<u32>) -> Solver {
    Solver::new(SolverOptions {
        memory_mib: 4,
        max_plies,
        shorten: true,
    })
}

/// How much a test does: the usual amount, or more on request.
fn amount<T>(usual: T, slow: T) -> T {
    if std::env::var_os("RUN_SLOW_TESTS").is_some() {
        slow
    } else {
        usual
    }
}

/// How often each length of a mate was found; index 0 counts positions without a mate.
type Lengths = [u32; 40];

/// Compares the answer, and the length of a mate, with all lines of up to `limit` plies.
#[track_caller]
fn check(solver: &mut Solver, position: &Position, limit: u32) -> Result<u32, TooMany> {
    let length = AllLines::length(position, limit, amount(2_000, 200_000))?;
    solver.start(position);
    match solver.search(amount(20_000, 200_000)).clone() {
        Answer::Mate(line) if line.plies() <= limit || length.is_some() => {
            assert!(line.is_shortest(), "{position}");
            assert_eq!(Some(line.plies()), length, "{position}");
        }
        answer => assert_eq!(length, None, "{position} {answer:?}"),
    }
    Ok(length.unwrap_or(0))
}

#[test]
fn random_games_have_the_mates_that_all_lines_show() {
    let mut solver = solver(Some(7));
    let mut found: Lengths = [0; 40];
    walk(31, amount(1_000, 10_000), |position| {
        if let Ok(plies) = check(&mut solver, position, 5) {
            found[plies as usize] += 1;
        }
    });
    let [none, one, _, three, _, five, ..] = found;
    assert!(
        none > 700 && one > 50 && three > 30 && five > 20,
        "{found:?}"
    );
}

#[test]
fn problems_have_the_mates_that_all_lines_show() {
    let mut solver = solver(Some(7));
    let mut found: Lengths = [0; 40];
    for position in problems(32, amount(500, 3_000)) {
        if let Ok(plies) = check(&mut solver, &position, 5) {
            found[plies as usize] += 1;
        }
    }
    let [none, one, _, three, _, five, ..] = found;
    assert!(
        none > 400 && one > 10 && three > 10 && five > 1,
        "{found:?}"
    );
}

/// Where repetitions, transpositions and hands of other sizes matter, which a search may get wrong:
/// positions with few enough lines that all of them can be followed to the end.
#[test]
fn small_problems_have_the_long_mates_that_all_positions_show() {
    let mut solver = solver(None);
    let mut found: Lengths = [0; 40];
    for seed in 100..amount(101, 103) {
        for position in small_problems(seed, 3_000) {
            solver.start(&position);
            solver.search(2_000);
            let was_easy = match solver.answer() {
                Answer::Mate(line) => line.plies() < 5,
                Answer::NoMate => solver.nodes() < 15,
                Answer::Unknown => false,
            };
            if was_easy {
                continue;
            }
            let Ok(mates) = mates_at_all(&position, amount(1_500, 10_000)) else {
                continue;
            };
            let plies = match solver.search(200_000) {
                Answer::Mate(line) => line.plies(),
                Answer::NoMate => 0,
                Answer::Unknown => panic!("undecided: {position}"),
            };
            assert_eq!(mates, plies > 0, "{position}");
            found[plies as usize] += 1;
        }
    }
    assert!(found[0] > 5, "{found:?}");
}

#[test]
fn stopping_after_every_node_changes_nothing() {
    let (mut whole, mut stopped) = (solver(None), solver(None));
    for position in problems(33, 100) {
        whole.start(&position);
        whole.search(300);
        stopped.start(&position);
        for _ in 0..300 {
            stopped.search(1);
        }
        assert_eq!(stopped.answer(), whole.answer(), "{position}");
        assert_eq!(stopped.is_finished(), whole.is_finished(), "{position}");
        assert_eq!(stopped.nodes(), whole.nodes(), "{position}");
    }
}

#[test]
fn a_second_position_is_answered_as_by_a_new_solver() {
    let mut used = solver(None);
    for position in problems(34, 100) {
        used.start(&position);
        used.search(300);
        let mut new = solver(None);
        new.start(&position);
        new.search(300);
        assert_eq!(used.answer(), new.answer(), "{position}");
        assert_eq!(used.nodes(), new.nodes(), "{position}");
    }
}

#[test]
fn within_fewer_plies_than_it_takes_there_is_no_mate() {
    let position = Position::from_sfen(IN_FIVE).unwrap();
    for (max_plies, plies) in [
        (None, Some(5)),
        (Some(9), Some(5)),
        (Some(6), Some(5)),
        (Some(5), Some(5)),
        (Some(4), None),
        (Some(3), None),
        (Some(0), None),
    ] {
        let mut solver = solver(max_plies);
        solver.start(&position);
        let found = match solver.search(100_000) {
            Answer::Mate(line) => Some(line.plies()),
            Answer::NoMate => None,
            Answer::Unknown => panic!("undecided within {max_plies:?}"),
        };
        assert_eq!(found, plies, "within {max_plies:?}");
        assert!(solver.is_finished());
    }
}

#[test]
fn a_mate_enters_no_position_that_the_game_has_had() {
    let start = Position::from_sfen("6s1K/9/4+r4/9/9/9/9/9/9 w - 1").unwrap();
    let mut game = Game::new(start, GameRules::default());
    let first_move = |solver: &Solver| match solver.answer() {
        Answer::Mate(line) => Some(line.moves()[0].to_string()),
        _ => None,
    };
    let mut solver = solver(Some(3));
    solver.start_in_game(&game);
    solver.search(10_000);
    assert_eq!(first_move(&solver).as_deref(), Some("5c1c"));
    for mv in ["5c1c", "1a2a", "1c5c", "2a1a"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    solver.start_in_game(&game);
    solver.search(10_000);
    assert!(solver.is_finished());
    assert_ne!(first_move(&solver).as_deref(), Some("5c1c"));
}

#[test]
fn without_a_king_to_mate_there_is_no_mate() {
    let mut solver = solver(None);
    solver.start(&Position::from_sfen("9/9/9/9/9/9/9/9/4K4 b RG 1").unwrap());
    assert_eq!(solver.search(0), &Answer::NoMate);
    assert!(solver.is_finished());
}
