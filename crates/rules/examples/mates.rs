//! The mate solver on positions from standard input:
//! `cargo run --release -p narikin-rules --example mates -- [NODES] [first|shortest] < FILE`.
//!
//! A line begins with an SFEN; what comes after a tab, empty lines and lines with `#` are left out. For
//! each one line comes out: `mate`, `nomate` or `unknown`, nodes, and the line found, separated by
//! tabs; at the end, on standard error, how many of each, and the CPU time of the process.
//! `src/mate/tests/cshogi_df_pn.py` does the same with cshogi.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints answers"
)]

use rules::Position;
use rules::mate::{Answer, Solver, SolverOptions};

fn main() {
    let mut args = std::env::args().skip(1);
    let nodes = args.next().map_or(1_000_000, |nodes| {
        nodes.parse().expect("the first argument is a number")
    });
    let shorten = args.next().is_none_or(|what| what == "shortest");
    let mut solver = Solver::new(SolverOptions {
        shorten,
        ..SolverOptions::default()
    });
    let (mut mates, mut no_mates, mut unknown) = (0, 0, 0);
    for line in std::io::stdin().lines() {
        let line = line.expect("standard input is text");
        let sfen = line.split('\t').next().unwrap_or_default();
        if sfen.is_empty() || sfen.starts_with('#') || sfen == "sfen" {
            continue;
        }
        let position = Position::from_sfen(sfen).expect("a line begins with an SFEN");
        solver.start(&position);
        let (answer, count, moves) = match solver.search(nodes) {
            Answer::Mate(line) => ("mate", &mut mates, line.moves()),
            Answer::NoMate => ("nomate", &mut no_mates, &[][..]),
            Answer::Unknown => ("unknown", &mut unknown, &[][..]),
        };
        *count += 1;
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        println!("{answer}\t{}\t{}", solver.nodes(), moves.join(" "));
    }
    eprintln!(
        "mate {mates}, nomate {no_mates}, unknown {unknown}, CPU time {:.2} s",
        cpu_seconds()
    );
}

/// The CPU time of this process so far; 0 where the system does not say.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next().and_then(|n| n.parse().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}
