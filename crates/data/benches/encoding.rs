//! Input planes, ours beside the plain way of writing down the definition: `cargo bench -p narikin-data`.
//!
//! Both are timed in turns, the best round counts, and both must write the same numbers first.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use data::{BOARD_PLANES, encode_board};
use rules::{Color, PieceKind, Position, Square, attacks};

const ROUNDS: u32 = 7;
const POSITIONS: [(&str, &str); 3] = [
    ("initial", rules::STARTPOS_SFEN),
    (
        "matsuri",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    ),
    (
        "hands",
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    ),
];

fn main() {
    println!(
        "{:<34}{:>10}{:>10}{:>9}",
        "thousand positions per second", "ours", "plain", "ratio"
    );
    for (name, sfen) in POSITIONS {
        let position = Position::from_sfen(sfen).expect("a position of this file is valid");
        let mut ours = vec![0.0; BOARD_PLANES * 81];
        let mut plain = ours.clone();
        encode_board(&position, &mut ours);
        encode_plainly(&position, &mut plain);
        assert_eq!(ours, plain, "{sfen}");
        let mut best = [0.0f64; 2];
        for _ in 0..ROUNDS {
            best[0] = best[0].max(rate(|| encode_board(black_box(&position), &mut ours)));
            best[1] = best[1].max(rate(|| encode_plainly(black_box(&position), &mut plain)));
        }
        println!(
            "{:<34}{:>10.1}{:>10.1}{:>9.2}",
            format!("board planes, {name}"),
            best[0],
            best[1],
            best[0] / best[1]
        );
    }
}

/// Thousand runs of `work` per second.
fn rate(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut n_runs = 0;
    while start.elapsed() < Duration::from_millis(100) {
        for _ in 0..100 {
            work();
        }
        n_runs += 100;
    }
    f64::from(n_runs) / start.elapsed().as_secs_f64() / 1e3
}

/// The definition of the board planes, square by square.
fn encode_plainly(position: &Position, planes: &mut [f32]) {
    planes.fill(0.0);
    let side = position.side_to_move();
    for (half, color) in [side, side.flipped()].into_iter().enumerate() {
        let mut attackers = [0; 81];
        for from in Square::all() {
            let Some(piece) = position.piece_at(from).filter(|piece| piece.color == color) else {
                continue;
            };
            planes[81 * (31 * half + piece.kind.index()) + seen(from, side)] = 1.0;
            for to in attacks(piece.kind, color, from, position.occupied()) {
                attackers[seen(to, side)] += 1;
                let plane = 31 * half + PieceKind::ALL.len() + piece.kind.index();
                planes[81 * plane + seen(to, side)] = 1.0;
            }
        }
        for (square, &n) in attackers.iter().enumerate() {
            for least in 1..=3 {
                if n >= least {
                    planes[81 * (31 * half + 27 + least) + square] = 1.0;
                }
            }
        }
    }
}

fn seen(square: Square, side: Color) -> usize {
    match side {
        Color::Black => square.index(),
        Color::White => square.rotated().index(),
    }
}
