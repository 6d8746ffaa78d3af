//! Random records for tests, and what is left of them in each format.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Color, Handicap, Move, Position, Square};

use crate::{
    Analysis, Clock, CsaVersion, End, Ending, Format, Header, HeaderKey, Line, Note, Ply, Record,
    Variation,
};

pub(crate) type Rng = Xoshiro256PlusPlus;

/// How many random games a test takes: `slow` of them if `RUN_SLOW_TESTS` is set.
pub(crate) fn n_games(quick: u64, slow: u64) -> u64 {
    match std::env::var_os("RUN_SLOW_TESTS") {
        Some(_) => slow,
        None => quick,
    }
}

/// Starts that are no handicap.
const STARTS: [&str; 5] = [
    "4k4/9/4S4/9/9/9/9/9/4K4 w 2RB2Gb2g3s4n4l18p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "8k/9/1+R+B+S+N+L+P2/9/9/9/1+r+b+s+n+l+p2/9/K8 b 2G2gSs2N2n2L2l8P8p 1",
];

const TEXTS: [&str; 6] = [
    "本譜の注釈",
    "a comment in English, with a comma",
    "",
    "表示 ソ 能 十", // second bytes of Shift_JIS that are ASCII
    "  indented：とコロン",
    "まで10手で先手の勝ち、ではない",
];

/// Everything that a record can hold, from a seed.
pub(crate) fn random_record(seed: u64) -> Record {
    let rng = &mut Rng::seed_from_u64(seed);
    let start = random_start(rng);
    let mut record = Record::new(start.clone(), []);
    record.add_header(HeaderKey::Black, "先手 太郎");
    record.add_header(HeaderKey::White, "Gote");
    for (key, value) in [
        (HeaderKey::Event, "見本棋戦"),
        (HeaderKey::Site, "東京"),
        (HeaderKey::StartTime, "2026/01/02 03:04:05"),
        (HeaderKey::Opening, "相掛かり"),
        (HeaderKey::Named("SOURCE".to_owned()), "walk"),
        (HeaderKey::Named("表題".to_owned()), "その1"),
        (HeaderKey::Note, "一行目\n二行目 \\ n"),
    ] {
        if rng.random_bool(0.4) {
            record.add_header(key, value);
        }
    }
    let max_plies = rng.random_range(0..160);
    record.main = random_line(rng, &start, None, max_plies, 0);
    record.check().expect("random records are records");
    record
}

fn random_start(rng: &mut Rng) -> Position {
    match rng.random_range(0..10) {
        0..6 => Position::startpos(),
        6..8 => Handicap::ALL[rng.random_range(0..Handicap::ALL.len())].position(),
        _ => {
            let sfen = STARTS[rng.random_range(0..STARTS.len())];
            Position::from_sfen(sfen).expect(sfen)
        }
    }
}

/// A line of moves from `start`, whose first move is not `other_than`.
fn random_line(
    rng: &mut Rng,
    start: &Position,
    other_than: Option<Move>,
    max_plies: usize,
    depth: usize,
) -> Line {
    let mut line = Line::default();
    let mut position = start.clone();
    if rng.random_bool(0.3) {
        line.notes.push(Note::Text("初めに".to_owned()));
    }
    for idx in 0..max_plies {
        let legal = position.legal_moves();
        let mut moves = legal
            .iter()
            .copied()
            .filter(|&mv| idx > 0 || Some(mv) != other_than);
        let n_moves = moves.clone().count();
        if n_moves == 0 {
            break;
        }
        let mv = moves
            .nth(rng.random_range(0..n_moves))
            .expect("there are that many");
        if depth < 3 && n_moves > 1 && idx + depth > 0 && rng.random_bool(0.03) {
            // The first move of a variation has none of its own: they lie beside it.
            if idx > 0 || depth == 0 {
                let n_plies = rng.random_range(1..12);
                let variation = random_line(rng, &position, Some(mv), n_plies, depth + 1);
                line.add_variation(Variation {
                    at: idx,
                    line: variation,
                });
            }
        }
        position.do_move(mv);
        let mut ply = Ply::new(mv);
        ply.clock = random_clock(rng);
        random_notes(rng, &position, &mut ply.notes);
        line.plies.push(ply);
    }
    random_end(rng, &position, &mut line, depth);
    line
}

fn random_end(rng: &mut Rng, position: &Position, line: &mut Line, depth: usize) {
    let ending = Ending::ALL[rng.random_range(0..Ending::ALL.len())];
    let illegal = illegal_drop(position);
    match (rng.random_range(0..10), illegal) {
        (0..2, _) => {}
        (2, Some(illegal)) => {
            line.plies.push(Ply::new(illegal));
            line.end = Some(End::new(Ending::Foul(position.side_to_move())));
        }
        _ => {
            let mut end = End::new(ending);
            end.clock = random_clock(rng);
            if rng.random_bool(0.3) {
                end.notes.push(Note::Text("終わりに".to_owned()));
            }
            line.end = Some(end);
            // Another way to go on than to end.
            let at = line.plies.len();
            if depth < 3 && at > 0 && rng.random_bool(0.2) && position.has_legal_move() {
                let line_on = random_line(rng, position, None, 3, depth + 1);
                line.add_variation(Variation { at, line: line_on });
            }
        }
    }
}

/// A drop of a piece that is not in hand.
fn illegal_drop(position: &Position) -> Option<Move> {
    let side = position.side_to_move();
    let kind = rules::PieceKind::HAND
        .into_iter()
        .find(|&kind| position.hand(side).count(kind) == 0)?;
    let square = Square::all().find(|&square| position.piece_at(square).is_none())?;
    let mv = Move::drop(kind, square);
    (!position.is_legal(mv)).then_some(mv)
}

fn random_clock(rng: &mut Rng) -> Option<Clock> {
    let spent = Duration::from_millis(rng.random_range(0..4_000_000));
    rng.random_bool(0.7).then(|| Clock::of(spent))
}

fn random_notes(rng: &mut Rng, position: &Position, notes: &mut Vec<Note>) {
    while rng.random_bool(0.15) {
        notes.push(match rng.random_range(0..6) {
            0..3 => Note::Text(TEXTS[rng.random_range(0..TEXTS.len())].to_owned()),
            3 => Note::Engine(" 深さ 12 候補 1".to_owned()),
            4 => Note::Bookmark("しおり".to_owned()),
            _ => Note::Analysis(random_analysis(rng, position.clone())),
        });
    }
}

fn random_analysis(rng: &mut Rng, mut position: Position) -> Analysis {
    let mut analysis = Analysis {
        score: rng.random_range(-32_000..=32_000),
        pv: Vec::new(),
        nodes: rng.random_bool(0.5).then(|| rng.random()),
    };
    for _ in 0..rng.random_range(0..6) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.random_range(0..legal.len())];
        position.do_move(mv);
        analysis.pv.push(mv);
    }
    analysis
}

/// What a format keeps of a record: `docs/game-records.md` as code.
pub(crate) fn what_survives(record: &Record, format: Format) -> Record {
    let mut left = record.clone();
    let side = left.start.side_to_move();
    match format {
        Format::Csa(version) => {
            let is_keyword = |header: &Header| header.key != HeaderKey::Named("表題".to_owned());
            left.headers.retain(is_keyword);
            left.main.variations.clear();
            strip(&mut left.main, &|note| !matches!(note, Note::Bookmark(_)));
            each_clock(&mut left.main, &mut |clock| {
                if let (CsaVersion::V22, Some(clock)) = (version, clock) {
                    clock.spent = Duration::from_secs(clock.spent.as_secs());
                }
            });
            let side = left.side_at_end();
            if let Some(end) = &mut left.main.end {
                end.ending = match end.ending {
                    Ending::DefaultLoss => Ending::Resign,
                    Ending::DefaultWin => Ending::Foul(side.flipped()),
                    ending => ending,
                };
            }
        }
        Format::Kif => add_totals(&mut left.main, side, [Duration::ZERO; 2]),
        Format::Ki2 => each_clock(&mut left.main, &mut |clock| *clock = None),
        Format::Usi => left = Record::new(left.start.clone(), record.moves()),
        Format::Pgn => unreachable!("PGN is not read"),
    }
    left
}

fn strip(line: &mut Line, keep: &dyn Fn(&Note) -> bool) {
    line.notes.retain(keep);
    for ply in &mut line.plies {
        ply.notes.retain(keep);
    }
    if let Some(end) = &mut line.end {
        end.notes.retain(keep);
    }
}

fn each_clock(line: &mut Line, change: &mut dyn FnMut(&mut Option<Clock>)) {
    for ply in &mut line.plies {
        change(&mut ply.clock);
    }
    if let Some(end) = &mut line.end {
        change(&mut end.clock);
    }
    for variation in &mut line.variations {
        each_clock(&mut variation.line, change);
    }
}

/// Whole seconds, with the total of each side.
fn add_totals(line: &mut Line, first: Color, spent: [Duration; 2]) {
    let mut sums = vec![spent];
    let mut side = first;
    let mut total = |clock: &mut Option<Clock>| {
        let mut sum = *sums.last().expect("there is the first");
        if let Some(clock) = clock {
            sum[side.index()] += clock.spent;
            *clock = Clock {
                spent: Duration::from_secs(clock.spent.as_secs()),
                total: Some(Duration::from_secs(sum[side.index()].as_secs())),
            };
        }
        sums.push(sum);
        side = side.flipped();
    };
    for ply in &mut line.plies {
        total(&mut ply.clock);
    }
    if let Some(end) = &mut line.end {
        total(&mut end.clock);
    }
    for Variation { at, line } in &mut line.variations {
        let first = crate::record::side_after(first, *at);
        add_totals(line, first, sums[*at]);
    }
}
