//! Files that are written here, read by other programs.
//!
//! They come with `scripts/setup --test-tools`; without them the tests say so and pass.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use rules::{Color, Handicap, PieceKind, Position};

use crate::testing::{n_games, random_record};
use crate::{CsaVersion, Encoding, Ending, Format, GameResult, Record, write};

const CSA: Format = Format::Csa(CsaVersion::V22);

/// One line of what a peer's script prints.
struct Answer {
    start: String,
    moves: String,
    ending: String,
    /// cshogi: the winner; tsshogi: the number of nodes.
    last: String,
}

/// What a peer reads in `records`, written in `format`.
fn answers(command: &mut Command, name: &str, format: Format, records: &[Record]) -> Vec<Answer> {
    let folder = tempfile::tempdir().unwrap();
    let mut list = String::new();
    for (idx, record) in records.iter().enumerate() {
        let path = folder.path().join(format!("{idx}.txt"));
        fs::write(&path, write(record, format, Encoding::Utf8).unwrap()).unwrap();
        list.push_str(&format!("{name} {}\n", path.display()));
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(list.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}: {}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Answer> = text
        .lines()
        .map(|line| {
            let mut fields = line.split('\t').map(str::to_owned);
            let mut next = || fields.next().unwrap();
            Answer {
                start: next(),
                moves: next(),
                ending: next(),
                last: next(),
            }
        })
        .collect();
    assert_eq!(answers.len(), records.len());
    answers
}

fn script(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/peers")
        .join(name);
    path.to_str().unwrap().to_owned()
}

fn cshogi() -> Option<Command> {
    let Ok(python) = std::env::var("NARIKIN_TEST_PYTHON") else {
        eprintln!("skipped: NARIKIN_TEST_PYTHON names no Python with cshogi");
        return None;
    };
    let mut command = Command::new(python);
    command.arg(script("cshogi_read.py"));
    Some(command)
}

fn tsshogi() -> Option<Command> {
    if std::env::var_os("NARIKIN_TSSHOGI").is_none() {
        eprintln!("skipped: NARIKIN_TSSHOGI names no folder of tsshogi");
        return None;
    }
    let mut command = Command::new("node");
    command.arg(script("tsshogi_read.mjs"));
    Some(command)
}

/// Random games that `peer_can` read, of those with legal moves only and both kings.
fn games(peer_can: impl Fn(&Record) -> bool) -> Vec<Record> {
    let is_plain = |record: &Record| {
        let has_kings = Color::ALL
            .iter()
            .all(|&color| record.start.king(color).is_some());
        has_kings && record.replay().1.is_none()
    };
    let games = (0..u64::MAX)
        .map(random_record)
        .filter(|record| is_plain(record) && peer_can(record));
    games.take(n_games(60, 400) as usize).collect()
}

fn moves_text(record: &Record) -> String {
    record
        .moves()
        .map(|mv| mv.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn number_of_nodes(line: &crate::Line) -> usize {
    let variations = line.variations.iter().map(|v| number_of_nodes(&v.line));
    line.plies.len() + usize::from(line.end.is_some()) + variations.sum::<usize>()
}

#[track_caller]
fn check_game(record: &Record, answer: &Answer) {
    let start = Position::from_sfen(&answer.start);
    let start = start.unwrap_or_else(|error| panic!("{error}: {} {}", answer.start, answer.moves));
    assert_eq!(start.to_string(), record.start.to_string());
    assert_eq!(answer.moves, moves_text(record));
}

#[test]
fn cshogi_reads_our_csa() {
    let Some(mut command) = cshogi() else {
        return;
    };
    let records = games(|_| true);
    for (record, answer) in records
        .iter()
        .zip(answers(&mut command, "csa", CSA, &records))
    {
        check_game(record, &answer);
        let winner = match (record.ending(), record.result()) {
            // Of those that lose it does not know all.
            (Some(Ending::Mate), _) => continue,
            (_, GameResult::Win(Color::Black)) => "black",
            (_, GameResult::Win(Color::White)) => "white",
            // It takes games without a result for draws.
            (_, GameResult::Draw | GameResult::Unknown) => "draw",
        };
        assert_eq!(
            answer.last,
            winner,
            "{:?} {}",
            record.ending(),
            answer.ending
        );
    }
}

#[test]
fn tsshogi_reads_our_csa() {
    let Some(mut command) = tsshogi() else {
        return;
    };
    for version in [CsaVersion::V22, CsaVersion::V30] {
        let format = Format::Csa(version);
        let records = games(|_| true);
        for (record, answer) in records
            .iter()
            .zip(answers(&mut command, "csa", format, &records))
        {
            check_game(record, &answer);
            let ending = record
                .ending()
                .map_or("", |ending| csa_ending(ending, record.side_at_end()));
            assert_eq!(answer.ending, ending, "{:?}", record.ending());
        }
    }
}

/// What tsshogi calls what stands in our CSA.
fn csa_ending(ending: Ending, side: Color) -> &'static str {
    match ending {
        // Version 2.2.0 takes the two statements for each other, see its pull request 136.
        Ending::Foul(loser) if loser != side => "foulLose",
        Ending::DefaultWin => "foulLose",
        Ending::DefaultLoss => "resign",
        Ending::Draw => "draw",
        Ending::MaxMoves => "maxMoves",
        Ending::TakeBack | Ending::Error => "any",
        ending => kif_ending(ending, side),
    }
}

/// What tsshogi calls what stands in our KIF and KI2.
fn kif_ending(ending: Ending, side: Color) -> &'static str {
    match ending {
        Ending::Resign => "resign",
        Ending::Interrupt | Ending::TakeBack | Ending::Error => "interrupt",
        Ending::Repetition => "repetitionDraw",
        Ending::TimeUp => "timeout",
        Ending::Foul(loser) if loser == side => "foulLose",
        Ending::Foul(_) => "foulWin",
        Ending::Impasse | Ending::Draw | Ending::MaxMoves => "impass",
        Ending::Declaration => "enteringOfKing",
        Ending::Mate => "mate",
        Ending::NoMate => "noMate",
        Ending::DefaultWin => "winByDefault",
        Ending::DefaultLoss => "loseByDefault",
    }
}

#[test]
fn tsshogi_reads_our_kif_with_its_variations() {
    let Some(mut command) = tsshogi() else {
        return;
    };
    let records = games(|_| true);
    for (record, answer) in records
        .iter()
        .zip(answers(&mut command, "kif", Format::Kif, &records))
    {
        check_game(record, &answer);
        let ending = record
            .ending()
            .map_or("", |ending| kif_ending(ending, record.side_at_end()));
        assert_eq!(answer.ending, ending, "{:?}", record.ending());
        let n_nodes = number_of_nodes(&record.main) + 1;
        assert_eq!(answer.last, n_nodes.to_string());
    }
}

#[test]
fn tsshogi_reads_our_ki2_with_its_variations() {
    let Some(mut command) = tsshogi() else {
        return;
    };
    let records = games(|_| true);
    for (record, answer) in records
        .iter()
        .zip(answers(&mut command, "ki2", Format::Ki2, &records))
    {
        check_game(record, &answer);
        let ending = record
            .ending()
            .map_or("", |ending| kif_ending(ending, record.side_at_end()));
        assert_eq!(answer.ending, ending, "{:?}", record.ending());
    }
}

/// Whether cshogi 1.1.0 reads a game in KIF and KI2 to its end: it knows few starts, does not know
/// promoted silvers, knights and lances by the names that all other programs write, and stops only
/// at sentences that it knows.
fn cshogi_can(record: &Record) -> bool {
    let named = Handicap::of(&record.start).is_some_and(Handicap::is_kif_name);
    let ended = matches!(
        record.ending(),
        Some(Ending::Resign | Ending::Interrupt | Ending::Repetition | Ending::Impasse)
            | Some(Ending::Foul(_) | Ending::Declaration)
    );
    let mut position = record.start.clone();
    let plain = record.moves().all(|mv| {
        let mover = mv.from().and_then(|from| position.piece_at(from));
        position.do_move(mv);
        use PieceKind::{ProKnight, ProLance, ProSilver};
        mover.is_none_or(|piece| ![ProLance, ProKnight, ProSilver].contains(&piece.kind))
    });
    named && ended && plain
}

#[test]
fn cshogi_reads_our_kif() {
    let Some(mut command) = cshogi() else {
        return;
    };
    let records = games(cshogi_can);
    for (record, answer) in records
        .iter()
        .zip(answers(&mut command, "kif", Format::Kif, &records))
    {
        assert_eq!(answer.moves, moves_text(record));
        let winner = match record.result() {
            GameResult::Win(Color::Black) => "black",
            GameResult::Win(Color::White) => "white",
            GameResult::Draw => "draw",
            GameResult::Unknown => "none",
        };
        assert_eq!(
            answer.last,
            winner,
            "{:?} {}",
            record.ending(),
            answer.ending
        );
    }
}

/// It fails on marks where the piece could be dropped too, so not every game gets an answer.
#[test]
fn where_cshogi_can_read_our_ki2_it_reads_the_same_moves() {
    let Some(mut command) = cshogi() else {
        return;
    };
    let records = games(cshogi_can);
    let mut n_read = 0;
    for (record, answer) in records
        .iter()
        .zip(answers(&mut command, "ki2", Format::Ki2, &records))
    {
        if answer.start != "error" {
            assert_eq!(answer.moves, moves_text(record));
            n_read += 1;
        }
    }
    assert!(
        n_read > records.len() / 4,
        "{n_read} of {} were read",
        records.len()
    );
}
