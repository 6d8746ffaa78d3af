//! Ours beside the other Rust shogi cores, in one run: `cargo bench -p narikin-rules`.
//!
//! Each case is timed in turns (ours, peer, ours, peer, ...) on this thread's CPU time, so that
//! what else the machine does hits all alike; the best round counts. Numbers are millions per second
//! of what the row's name says, `ratio` is ours over the peer's. An argument keeps the rows whose
//! name has it in it.
//!
//! Node counts are compared with each other before a time is believed. haitaka 0.3.2 is known to
//! allow or refuse a few pawn drops wrongly, none of them in these positions.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rules::{MoveList, Position, perft, perft_made};

const ROUNDS: u32 = 5;

const INITIAL: &str = rules::STARTPOS_SFEN;
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
const MAX_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
const HANDS: &str =
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1";

struct Case {
    name: &'static str,
    sfen: &'static str,
    bulk_depth: u32,
    made_depth: u32,
}

const CASES: [Case; 4] = [
    Case {
        name: "initial",
        sfen: INITIAL,
        bulk_depth: 5,
        made_depth: 5,
    },
    Case {
        name: "matsuri",
        sfen: MATSURI,
        bulk_depth: 3,
        made_depth: 3,
    },
    Case {
        name: "593 moves",
        sfen: MAX_MOVES,
        bulk_depth: 3,
        made_depth: 2,
    },
    Case {
        name: "hands",
        sfen: HANDS,
        bulk_depth: 3,
        made_depth: 3,
    },
];

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let wanted = |name: &str| filter.as_ref().is_none_or(|part| name.contains(part));
    println!(
        "{:<34}{:>10}{:>10}{:>10}{:>9}{:>9}",
        "millions per second", "ours", "haitaka", "rsshogi", "ratio", "ratio"
    );
    for case in &CASES {
        let name = format!("perft bulk, {}", case.name);
        if wanted(&name) {
            report(&name, bulk_rows(case));
        }
    }
    for case in &CASES {
        let name = format!("perft made and unmade, {}", case.name);
        if wanted(&name) {
            report(&name, made_rows(case));
        }
    }
    for case in &CASES {
        let name = format!("positions: legal moves, {}", case.name);
        if wanted(&name) {
            report(&name, legal_moves_rows(case));
        }
    }
    for case in &CASES {
        let name = format!("do and undo, {}", case.name);
        if wanted(&name) {
            report(&name, do_undo_rows(case));
        }
    }
    for case in &CASES {
        let name = format!("moves: gives check, {}", case.name);
        if wanted(&name) {
            report(&name, gives_check_rows(case));
        }
    }
    for (name, sfens) in [("no mate", NO_MATE), ("mate", MATE)] {
        let name = format!("positions: mate in one, {name}");
        if wanted(&name) {
            report(&name, mate_in_one_rows(sfens));
        }
    }
    for (name, sfens) in [("no mate", NO_MATE), ("mate", MATE_IN_THREE)] {
        let name = format!("positions: mate in three, {name}");
        if wanted(&name) {
            report(&name, mate_in_three_rows(sfens));
        }
    }
}

/// What is timed: does its work once and says how much that was.
type Job<'a> = Option<Box<dyn FnMut() -> u64 + 'a>>;

fn report(name: &str, jobs: [Job; 3]) {
    let rates = best_rates(jobs);
    let cell = |rate: Option<f64>| match rate {
        Some(rate) if rate < 10.0 => format!("{rate:.2}"),
        Some(rate) => format!("{rate:.1}"),
        None => "-".to_owned(),
    };
    let ratio = |rate: Option<f64>| match (rates[0], rate) {
        (Some(ours), Some(peer)) => format!("{:.2}", ours / peer),
        _ => "-".to_owned(),
    };
    println!(
        "{name:<34}{:>10}{:>10}{:>10}{:>9}{:>9}",
        cell(rates[0]),
        cell(rates[1]),
        cell(rates[2]),
        ratio(rates[1]),
        ratio(rates[2]),
    );
}

/// Million units per second of each job: the best of the rounds, the jobs taking turns.
fn best_rates(mut jobs: [Job; 3]) -> [Option<f64>; 3] {
    let mut best = [None; 3];
    for round in 0..=ROUNDS {
        for (job, best) in jobs.iter_mut().zip(&mut best) {
            let Some(job) = job else { continue };
            let start = cpu_time();
            let mut units = 0;
            while cpu_time() - start < Duration::from_millis(150) {
                units += job();
            }
            let rate = units as f64 / (cpu_time() - start).as_secs_f64() / 1e6;
            // The first round warms up.
            if round > 0 && best.is_none_or(|best| best < rate) {
                *best = Some(rate);
            }
        }
    }
    best
}

/// CPU time of this thread where the system tells it, else the clock's time.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = text.and_then(|text| text.split(' ').next().and_then(|n| n.parse().ok()));
    match nanos {
        Some(nanos) => Duration::from_nanos(nanos),
        None => clock(),
    }
}

fn clock() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn ours(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("a position of this file is valid")
}

fn haitaka(sfen: &str) -> Option<haitaka::Board> {
    haitaka::Board::from_sfen(sfen).ok()
}

fn rsshogi(sfen: &str) -> rsshogi::board::Position {
    rsshogi::board::position_from_sfen(sfen).expect("rsshogi reads the position")
}

fn bulk_rows(case: &Case) -> [Job<'static>; 3] {
    let depth = case.bulk_depth;
    let (mut ours, haitaka, mut rsshogi) =
        (ours(case.sfen), haitaka(case.sfen), rsshogi(case.sfen));
    let expected = perft(&mut ours, depth);
    assert_eq!(
        rsshogi::board::perft::compute_perft(&mut rsshogi, depth as u8),
        expected
    );
    [
        Some(Box::new(move || perft(black_box(&mut ours), depth))),
        haitaka.map(|board| {
            assert_eq!(haitaka_bulk(&board, depth, &mut Vec::new()), expected);
            let mut list = Vec::with_capacity(1024);
            Box::new(move || haitaka_bulk(black_box(&board), depth, &mut list)) as _
        }),
        Some(Box::new(move || {
            rsshogi::board::perft::compute_perft(black_box(&mut rsshogi), depth as u8)
        })),
    ]
}

/// The last ply is written to a list and counted: what a search needs, unlike a sum of set sizes.
fn haitaka_bulk(board: &haitaka::Board, depth: u32, list: &mut Vec<haitaka::Move>) -> u64 {
    if depth == 1 {
        list.clear();
        haitaka_moves(board, list);
        return list.len() as u64;
    }
    let mut moves = Vec::with_capacity(128);
    haitaka_moves(board, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let mut after = board.clone();
            after.play_unchecked(mv);
            haitaka_bulk(&after, depth - 1, list)
        })
        .sum()
}

fn haitaka_moves(board: &haitaka::Board, list: &mut Vec<haitaka::Move>) {
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
}

fn made_rows(case: &Case) -> [Job<'static>; 3] {
    let depth = case.made_depth;
    let (mut ours, haitaka, mut rsshogi) =
        (ours(case.sfen), haitaka(case.sfen), rsshogi(case.sfen));
    [
        Some(Box::new(move || perft_made(black_box(&mut ours), depth))),
        haitaka.map(|board| Box::new(move || haitaka_made(black_box(&board), depth)) as _),
        Some(Box::new(move || {
            rsshogi_made(black_box(&mut rsshogi), depth)
        })),
    ]
}

/// As haitaka's own perft example does it, its bulk counting off.
fn haitaka_made(board: &haitaka::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += haitaka_made(&after, depth - 1);
        }
        false
    });
    nodes
}

fn rsshogi_made(position: &mut rsshogi::board::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = rsshogi::board::Move32List::new();
    rsshogi::board::movegen::generate_legal_all_move32(position, &mut list);
    let mut nodes = 0;
    for &mv in list.iter() {
        position.apply_move32(mv);
        nodes += rsshogi_made(position, depth - 1);
        position.undo_move32(mv).expect("the move was just made");
    }
    nodes
}

fn legal_moves_rows(case: &Case) -> [Job<'static>; 3] {
    let (ours, haitaka, rsshogi) = (ours(case.sfen), haitaka(case.sfen), rsshogi(case.sfen));
    const TIMES: u64 = 10_000;
    [
        Some(Box::new(move || {
            let mut list = MoveList::new();
            for _ in 0..TIMES {
                black_box(&ours).legal_moves_into(&mut list);
                black_box(&list);
            }
            TIMES
        })),
        haitaka.map(|board| {
            let mut list = Vec::with_capacity(1024);
            Box::new(move || {
                for _ in 0..TIMES {
                    list.clear();
                    haitaka_moves(black_box(&board), &mut list);
                    black_box(&list);
                }
                TIMES
            }) as _
        }),
        Some(Box::new(move || {
            let mut list = rsshogi::board::Move32List::new();
            for _ in 0..TIMES {
                list.clear();
                rsshogi::board::movegen::generate_legal_all_move32(black_box(&rsshogi), &mut list);
                black_box(&list);
            }
            TIMES
        })),
    ]
}

fn do_undo_rows(case: &Case) -> [Job<'static>; 3] {
    let (mut ours, haitaka, mut rsshogi) =
        (ours(case.sfen), haitaka(case.sfen), rsshogi(case.sfen));
    const TIMES: usize = 100;
    let moves = ours.legal_moves();
    let mut their_moves = rsshogi::board::Move32List::new();
    rsshogi::board::movegen::generate_legal_all_move32(&rsshogi, &mut their_moves);
    [
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for &mv in &moves {
                    let undo = ours.do_move(black_box(mv));
                    black_box(&ours);
                    ours.undo_move(undo);
                }
            }
            (TIMES * moves.len()) as u64
        })),
        haitaka.map(|board| {
            let mut list = Vec::new();
            haitaka_moves(&board, &mut list);
            Box::new(move || {
                for _ in 0..TIMES {
                    for &mv in &list {
                        let mut after = board.clone();
                        after.play_unchecked(black_box(mv));
                        black_box(&after);
                    }
                }
                (TIMES * list.len()) as u64
            }) as _
        }),
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for &mv in their_moves.iter() {
                    rsshogi.apply_move32(black_box(mv));
                    black_box(&rsshogi);
                    rsshogi.undo_move32(mv).expect("the move was just made");
                }
            }
            (TIMES * their_moves.len()) as u64
        })),
    ]
}

/// haitaka has no such question.
fn gives_check_rows(case: &Case) -> [Job<'static>; 3] {
    let (ours, rsshogi) = (ours(case.sfen), rsshogi(case.sfen));
    const TIMES: usize = 100;
    let moves = ours.legal_moves();
    let mut their_moves = rsshogi::board::Move32List::new();
    rsshogi::board::movegen::generate_legal_all_move32(&rsshogi, &mut their_moves);
    [
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for &mv in &moves {
                    black_box(black_box(&ours).gives_check(black_box(mv)));
                }
            }
            (TIMES * moves.len()) as u64
        })),
        None,
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for &mv in their_moves.iter() {
                    black_box(black_box(&rsshogi).gives_check_move32(black_box(mv)));
                }
            }
            (TIMES * their_moves.len()) as u64
        })),
    ]
}

const NO_MATE: &[&str] = &[
    INITIAL,
    MATSURI,
    HANDS,
    "1n2g1k1p/2r2p2P/l+B1pp1p1n/p6P1/LN3g2L/3PG1Pp1/S3GS+s2/1P5R1/+b1KS3N1 b L3P3p 155",
];
const MATE: &[&str] = &[
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "7nk/9/8S/9/9/9/9/9/4K4 b Nr2b4g3s2n4l17p 1",
];

/// haitaka has no mate search.
fn mate_in_one_rows(sfens: &'static [&'static str]) -> [Job<'static>; 3] {
    let ours: Vec<Position> = sfens.iter().map(|sfen| ours(sfen)).collect();
    let theirs: Vec<_> = sfens.iter().map(|sfen| rsshogi(sfen)).collect();
    const TIMES: usize = 1_000;
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let found = rsshogi::mate::solve_mate_in_one(theirs).is_some();
        assert_eq!(ours.mate_in_one().is_some(), found, "{ours}");
    }
    [
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for position in &ours {
                    black_box(black_box(position).mate_in_one());
                }
            }
            (TIMES * ours.len()) as u64
        })),
        None,
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for position in &theirs {
                    black_box(rsshogi::mate::solve_mate_in_one(black_box(position)));
                }
            }
            (TIMES * theirs.len()) as u64
        })),
    ]
}

const MATE_IN_THREE: &[&str] = &[
    "9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1",
    "8k/9/7R1/9/9/9/9/9/9 b Sr2b3g4s4n4l9p 1",
];

/// No peer has a mate in three: rsshogi's column is the plain way on top of its mate in one.
fn mate_in_three_rows(sfens: &'static [&'static str]) -> [Job<'static>; 3] {
    let ours: Vec<Position> = sfens.iter().map(|sfen| ours(sfen)).collect();
    let mut theirs: Vec<_> = sfens.iter().map(|sfen| rsshogi(sfen)).collect();
    const TIMES: usize = 100;
    for (ours, theirs) in ours.iter().zip(&mut theirs) {
        let found = rsshogi_mates_in_three(theirs);
        assert_eq!(ours.mate_in_three().is_some(), found, "{ours}");
    }
    [
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for position in &ours {
                    black_box(black_box(position).mate_in_three());
                }
            }
            (TIMES * ours.len()) as u64
        })),
        None,
        Some(Box::new(move || {
            for _ in 0..TIMES {
                for position in &mut theirs {
                    black_box(rsshogi_mates_in_three(black_box(position)));
                }
            }
            (TIMES * theirs.len()) as u64
        })),
    ]
}

/// Tries every check and every reply to it.
fn rsshogi_mates_in_three(position: &mut rsshogi::board::Position) -> bool {
    use rsshogi::board::movegen::generate_legal_all_move32;
    use rsshogi::mate::solve_mate_in_one;

    if solve_mate_in_one(position).is_some() {
        return true;
    }
    let mut moves = rsshogi::board::Move32List::new();
    generate_legal_all_move32(position, &mut moves);
    moves.iter().any(|&mv| {
        if !position.gives_check_move32(mv) {
            return false;
        }
        position.apply_move32(mv);
        let mut replies = rsshogi::board::Move32List::new();
        generate_legal_all_move32(position, &mut replies);
        let mates = replies.iter().all(|&reply| {
            position.apply_move32(reply);
            let mates = solve_mate_in_one(position).is_some();
            position.undo_move32(reply).expect("the move was just made");
            mates
        });
        position.undo_move32(mv).expect("the move was just made");
        mates
    })
}
