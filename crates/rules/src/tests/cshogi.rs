//! The same questions to cshogi (<https://github.com/TadaoYamaoka/cshogi>), another core with another
//! history. Needs `NARIKIN_TEST_PYTHON`, a Python with the package `cshogi`.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::testing::{Stream, has_odd_set, random_game, scattered, try_put};
use crate::{
    Color, Declaration, DeclarationRule, Game, GameRules, Move, MoveList, Outcome, Piece,
    PieceKind, Position, PositionBuilder, Square,
};

const PEER: &str = include_str!("cshogi_peer.py");

/// A running `cshogi_peer.py`.
struct Peer {
    process: Child,
    questions: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Peer {
    /// `None` if there is no Python to ask.
    fn start() -> Option<Peer> {
        let Some(python) = std::env::var_os("NARIKIN_TEST_PYTHON") else {
            eprintln!("skipped: NARIKIN_TEST_PYTHON names no Python with cshogi");
            return None;
        };
        let mut process = Command::new(python)
            .args(["-c", PEER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Some(Peer {
            questions: process.stdin.take(),
            answers: BufReader::new(process.stdout.take().unwrap()).lines(),
            process,
        })
    }

    fn ask(&mut self, game: &Game) -> Answer {
        let moves = written(game.moves().iter().copied());
        let question = format!("{}\t{}\n", game.start(), moves.join(" "));
        let stdin = self.questions.as_mut().unwrap();
        stdin.write_all(question.as_bytes()).unwrap();
        let line = self
            .answers
            .next()
            .expect("an answer to each question")
            .unwrap();
        Answer::read(&line)
    }
}

impl Drop for Peer {
    /// The end of its input is the end of the peer.
    fn drop(&mut self) {
        self.questions = None;
        self.process.wait().unwrap();
    }
}

/// See `cshogi_peer.py`.
struct Answer {
    sfen: String,
    in_check: bool,
    moves: Vec<String>,
    mating: Vec<String>,
    found_mate: String,
    points27: String,
    points24: String,
    repetition: String,
    occurrences: u32,
}

impl Answer {
    fn read(line: &str) -> Answer {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 9, "{line}");
        let list = |text: &str| {
            let mut moves: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            moves.sort_unstable();
            moves
        };
        Answer {
            sfen: fields[0].to_owned(),
            in_check: fields[1] == "1",
            moves: list(fields[2]),
            mating: list(fields[3]),
            found_mate: fields[4].to_owned(),
            points27: fields[5].to_owned(),
            points24: fields[6].to_owned(),
            repetition: fields[7].to_owned(),
            occurrences: fields[8].parse().unwrap(),
        }
    }
}

/// Moves in USI notation, sorted as text unless they are a game's.
fn written(moves: impl Iterator<Item = Move>) -> Vec<String> {
    moves.map(|mv| mv.to_string()).collect()
}

fn sorted(moves: &MoveList) -> Vec<String> {
    let mut texts = written(moves.iter().copied());
    texts.sort_unstable();
    texts
}

fn mating_moves(position: &Position) -> Vec<String> {
    let mut after = position.clone();
    let moves = position.legal_moves();
    let mut texts = written(moves.iter().copied().filter(|&mv| {
        let undo = after.do_move(mv);
        let mates = after.is_checkmate();
        after.undo_move(undo);
        mates
    }));
    texts.sort_unstable();
    texts
}

fn declaration(game: &Game, rule: DeclarationRule) -> &'static str {
    let rules = GameRules {
        declaration: rule,
        credit_handicap: false,
        ..GameRules::default()
    };
    match Game::new(game.position().clone(), rules).declaration() {
        Declaration::Win => "win",
        Declaration::Draw => "draw",
        Declaration::No => "no",
    }
}

/// cshogi's code for what a repetition comes to, seen by the side to move.
fn repetition(outcome: Option<Outcome>, side: Color) -> &'static str {
    match outcome.map(|outcome| outcome.winner) {
        None => "0",
        Some(None) => "1",
        Some(Some(winner)) if winner == side => "2",
        Some(Some(_)) => "3",
    }
}

/// Compares everything but repetition.
fn check_position(game: &Game, answer: &Answer) {
    let position = game.position();
    assert_eq!(answer.sfen, position.to_string());
    assert_eq!(answer.in_check, position.in_check(), "{position}");
    assert_eq!(answer.moves, sorted(&position.legal_moves()), "{position}");
    assert_eq!(answer.mating, mating_moves(position), "{position}");
    match position.mate_in_one() {
        Some(mv) => assert!(
            answer.mating.contains(&mv.to_string()),
            "{mv} in {position}"
        ),
        None => assert!(answer.mating.is_empty(), "{position}"),
    }
    // Its own search for mates sees near checks only, and needs a king to mate.
    let has_target = position.king(position.side_to_move().flipped()).is_some();
    if has_target && !["-", "none"].contains(&answer.found_mate.as_str()) {
        assert!(answer.mating.contains(&answer.found_mate), "{position}");
    }
    assert_eq!(
        answer.points27,
        declaration(game, DeclarationRule::Points27),
        "{position}"
    );
    assert_eq!(
        answer.points24,
        declaration(game, DeclarationRule::Points24),
        "{position}"
    );
}

/// Compares what the history tells.
fn check_repetition(game: &Game, answer: &Answer) {
    let position = game.position();
    assert_eq!(answer.occurrences, game.repetitions(), "{position}");
    // 4 and 5 are another notion: the same board with more, or with less, in hand.
    if !["4", "5"].contains(&answer.repetition.as_str()) {
        let ours = repetition(game.repetition_in_search(), position.side_to_move());
        assert_eq!(answer.repetition, ours, "{position}");
    }
}

fn n_positions() -> u32 {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if slow { 10_000 } else { 500 }
}

fn game_at(position: Position) -> Game {
    Game::new(position, GameRules::default())
}

#[test]
fn cshogi_agrees_about_positions_of_random_games() {
    let Some(mut peer) = Peer::start() else {
        return;
    };
    let mut stream = Stream(41);
    let (mut checks, mut mates) = (0, 0);
    for _ in 0..n_positions() {
        let plies = stream.below(200);
        let game = random_game(Position::startpos(), &mut stream, plies);
        let game = game_at(game.position().clone());
        let answer = peer.ask(&game);
        check_position(&game, &answer);
        checks += u32::from(answer.in_check);
        mates += u32::from(!answer.mating.is_empty());
    }
    assert!(checks > 5 && mates > 3, "{checks} {mates}");
}

#[test]
fn cshogi_agrees_about_scattered_pieces() {
    let Some(mut peer) = Peer::start() else {
        return;
    };
    let mut stream = Stream(42);
    let (mut asked, mut checks, mut mates) = (0, 0, 0);
    while asked < n_positions() {
        let position = scattered(&mut stream);
        // cshogi has room for a full set only.
        if has_odd_set(&position) {
            continue;
        }
        asked += 1;
        let game = game_at(position);
        let answer = peer.ask(&game);
        check_position(&game, &answer);
        checks += u32::from(answer.in_check);
        mates += u32::from(!answer.mating.is_empty());
    }
    assert!(checks > 50 && mates > 2, "{checks} {mates}");
}

/// Positions in which a declaration is near: most of the set in or around one player's far ranks.
#[test]
fn cshogi_agrees_about_declarations_of_entered_kings() {
    let Some(mut peer) = Peer::start() else {
        return;
    };
    let mut stream = Stream(43);
    let mut told = [0; 3];
    for _ in 0..n_positions() {
        let game = game_at(entered(&mut stream));
        let answer = peer.ask(&game);
        check_position(&game, &answer);
        for (count, word) in told.iter_mut().zip(["no", "draw", "win"]) {
            *count += u32::from(answer.points24 == word);
        }
    }
    assert!(told.iter().all(|&n| n > 30), "{told:?}");
}

/// A king in its far ranks with about ten pieces, the rest of the set in the hands, for one player
/// or the other.
fn entered(stream: &mut Stream) -> Position {
    let mut builder = PositionBuilder::new();
    let king = |color| Piece {
        color,
        kind: PieceKind::King,
    };
    try_put(&mut builder, on_ranks(stream, 1), king(Color::Black));
    try_put(&mut builder, on_ranks(stream, 7), king(Color::White));
    for kind in PieceKind::HAND {
        for _ in 0..kind.in_full_set() {
            match stream.below(12) {
                0..=3 => {
                    let promoted = kind.promoted().filter(|_| stream.below(4) > 0);
                    let piece = Piece {
                        color: Color::Black,
                        kind: promoted.unwrap_or(kind),
                    };
                    try_put(&mut builder, on_ranks(stream, 1), piece);
                }
                4..=6 => _ = builder.add_to_hand(Color::Black, kind, 1),
                _ => _ = builder.add_to_hand(Color::White, kind, 1),
            }
        }
    }
    let position = builder.build().unwrap();
    match stream.below(2) {
        0 => position,
        _ => position.rotated(),
    }
}

/// A square on one of three ranks from `first` on.
fn on_ranks(stream: &mut Stream, first: u8) -> Square {
    let (file, rank) = (stream.below(9) as u8 + 1, stream.below(3) as u8 + first);
    Square::from_file_rank(file, rank).unwrap()
}

/// Every position of games in which few pieces move to and fro, checking where they can.
#[test]
fn cshogi_agrees_about_repetitions_and_perpetual_checks() {
    let Some(mut peer) = Peer::start() else {
        return;
    };
    let mut stream = Stream(44);
    let mut told = [0; 4];
    let mut asked = 0;
    while asked < 4 * n_positions() {
        let start = *stream.choose(&[
            "8k/R8/9/9/9/9/9/9/K8 b - 1",
            "k7r/9/9/9/9/9/9/4R4/K8 w - 1",
            "4k4/9/4g4/9/9/9/9/9/4K4 b 2P 1",
        ]);
        let mut game = game_at(Position::from_sfen(start).unwrap());
        while game.moves().len() < 60 && game.outcome().is_none() {
            game.play_unchecked(shuffling_move(&game, &mut stream));
            let answer = peer.ask(&game);
            check_repetition(&game, &answer);
            if let Some(count) = told.get_mut(answer.repetition.parse::<usize>().unwrap()) {
                *count += 1;
            }
            asked += 1;
        }
    }
    assert!(told.iter().all(|&n| n > 5), "{told:?}");
}

/// The last own move taken back, a check, or any move.
fn shuffling_move(game: &Game, stream: &mut Stream) -> Move {
    let position = game.position();
    let own_last = game.moves().iter().rev().nth(1);
    let back = own_last.and_then(|mv| Some(Move::board(mv.to(), mv.from()?, false)));
    let (moves, checks) = (position.legal_moves(), position.checking_moves());
    match (back, stream.below(6)) {
        (Some(back), 0..=3) if position.is_legal(back) => back,
        (_, 0..=4) if !checks.is_empty() => *stream.choose(&checks),
        _ => *stream.choose(&moves),
    }
}
