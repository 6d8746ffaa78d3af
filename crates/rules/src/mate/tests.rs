//! The mate problems in `testdata/tsume.tsv`.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use super::testing::AllLines;
use super::{Answer, MateLine, Solver, SolverOptions};
use crate::Position;

const TABLE: &str = include_str!("../../testdata/tsume.tsv");
const PEER: &str = include_str!("tests/cshogi_df_pn.py");

/// A row of the table.
struct Problem {
    sfen: &'static str,
    position: Position,
    /// Plies of the shortest mate, if there is one.
    plies: Option<u32>,
    shows: &'static str,
}

fn problems() -> Vec<Problem> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let [sfen, answer, shows] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {line}");
            };
            Problem {
                sfen,
                position: Position::from_sfen(sfen).expect(sfen),
                plies: (answer != "nomate").then(|| answer.parse().expect(line)),
                shows,
            }
        })
        .collect()
}

/// That the line is one by the rules alone: legal moves, the attacker's all checks, no position
/// twice, and at the end nothing but drops, for each of which the checker takes what is dropped.
#[track_caller]
fn check_line(problem: &Problem, line: &MateLine) {
    let mut position = problem.position.clone();
    let mut keys = BTreeSet::from([position.key()]);
    for (ply, &mv) in line.moves().iter().enumerate() {
        assert!(position.is_legal(mv), "{mv} in {position}");
        position.do_move(mv);
        assert!(ply % 2 == 1 || position.in_check(), "{mv}: {position}");
        assert!(keys.insert(position.key()), "{position} repeats");
    }
    let checker = position.checkers().first();
    for &drop in &position.legal_moves() {
        assert!(drop.is_drop(), "{} is no mate: {drop}", problem.sfen);
        let mut dropped = position.clone();
        dropped.do_move(drop);
        let takes = dropped.legal_moves();
        assert!(
            takes
                .iter()
                .any(|take| take.from() == checker && take.to() == drop.to()),
            "{} is no mate: {drop}",
            problem.sfen
        );
    }
}

#[test]
fn every_problem_has_the_answer_that_the_table_says() {
    let mut solver = Solver::new(SolverOptions {
        memory_mib: 16,
        ..SolverOptions::default()
    });
    for problem in problems() {
        solver.start(&problem.position);
        match solver.search(1_000_000) {
            Answer::Mate(line) => {
                assert_eq!(Some(line.plies()), problem.plies, "{}", problem.sfen);
                assert!(line.is_shortest(), "{}", problem.sfen);
                check_line(&problem, line);
            }
            Answer::NoMate => assert_eq!(problem.plies, None, "{}", problem.sfen),
            Answer::Unknown => panic!("undecided: {}", problem.sfen),
        }
    }
}

#[test]
fn up_to_five_plies_the_table_says_what_all_lines_say() {
    let mut n_mates = 0;
    for problem in problems() {
        let Ok(length) = AllLines::length(&problem.position, 5, 50_000) else {
            continue;
        };
        let expected = problem.plies.filter(|&plies| plies <= 5);
        assert_eq!(length, expected, "{}", problem.sfen);
        n_mates += u32::from(length.is_some());
    }
    assert!(n_mates > 30, "{n_mates}");
}

#[test]
fn the_table_has_mates_of_all_lengths_and_what_makes_them_hard() {
    let problems = problems();
    let with = |plies| {
        problems
            .iter()
            .filter(move |problem| problem.plies == plies)
    };
    assert!(with(None).count() >= 20);
    for plies in (1..=17).step_by(2) {
        assert!(with(Some(plies)).count() >= 4, "{plies}");
    }
    for shown in [
        "in vain",
        "put between saves",
        "bishop stays unpromoted",
        "silver stays unpromoted",
        "pawn drop",
        "only a dropped pawn would mate",
        "repeat",
        "no king of the attacker",
        "the attacker is in check",
        "gives check",
    ] {
        let rows = problems
            .iter()
            .filter(|problem| problem.shows.contains(shown));
        assert!(rows.count() >= 2, "{shown}");
    }
}

#[test]
fn cshogi_finds_a_mate_exactly_where_the_table_has_one() {
    let Some(python) = std::env::var_os("NARIKIN_TEST_PYTHON") else {
        eprintln!("skipped: NARIKIN_TEST_PYTHON names no Python with cshogi");
        return;
    };
    let mut peer = Command::new(python)
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = peer.stdin.take().unwrap();
    let asking = std::thread::spawn(move || questions.write_all(TABLE.as_bytes()));
    let output = peer.wait_with_output().unwrap();
    asking.join().unwrap().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let problems = problems();
    assert_eq!(text.lines().count(), problems.len());
    for (line, problem) in text.lines().zip(&problems) {
        let answer = line.split('\t').next().unwrap();
        let expected = if problem.plies.is_some() {
            "mate"
        } else {
            "nomate"
        };
        assert_eq!(answer, expected, "{}", problem.sfen);
    }
}
