use std::fs;
use std::path::PathBuf;

use rules::Color;
use tempfile::TempDir;

use super::*;
use crate::foreign::{ConversionOptions, Ending};
use crate::testing::{chain, mv, random_game};

/// Two games: one of six plies with a ply to be skipped and the most visits, one from the middle.
const SAMPLE: &[u8] = include_bytes!("../../../testdata/sample.hcpe3");
const DESCRIPTION: &str = include_str!("../../../testdata/hcpe3.tsv");

fn file(content: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.hcpe3");
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn read(content: &[u8]) -> Result<Vec<Hcpe3Game>, String> {
    let (_folder, path) = file(content);
    let games = Hcpe3Reader::open(&path).unwrap();
    games
        .collect::<Result<_, _>>()
        .map_err(|error| chain(&error).replace(&path.display().to_string(), "FILE"))
}

fn write(games: &[Hcpe3Game]) -> Vec<u8> {
    let (_folder, path) = file(b"");
    let mut writer = Hcpe3Writer::create(&path, Handicaps::Refuse).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    assert_eq!(writer.finish().unwrap(), games.len() as u64);
    fs::read(&path).unwrap()
}

/// The games as `hcpe3.tsv` describes their records.
fn described(games: &[Hcpe3Game]) -> Vec<String> {
    let mut lines = Vec::new();
    for (game, first_number) in games.iter().zip([1, 4]) {
        lines.push(format!(
            "moveNum={} result={} opponent={}",
            game.plies.len(),
            game.result.code(),
            game.opponent as u8,
        ));
        let mut position = game.start.clone();
        for (ply, number) in game.plies.iter().zip(first_number..) {
            let candidates = ply.candidates.iter().map(|(mv, n)| format!("{mv}:{n}"));
            let candidates = candidates.collect::<Vec<_>>().join(",");
            let sfen = position.to_string();
            let sfen = sfen.rsplit_once(' ').unwrap().0;
            lines.push(format!(
                "selected={} eval={} candidates={} position={sfen} {number}",
                ply.mv,
                ply.eval,
                if candidates.is_empty() {
                    "none"
                } else {
                    &candidates
                },
            ));
            position.do_move(ply.mv);
        }
    }
    lines
}

#[test]
fn the_published_games_are_read_as_described() {
    let expected: Vec<String> = DESCRIPTION
        .lines()
        .skip(1)
        .map(|line| {
            let meaning = line.rsplit('\t').next().unwrap();
            // A header's meaning begins with the game's number and its start.
            match meaning.find("moveNum=") {
                Some(at) => meaning[at..].to_owned(),
                None => meaning.to_owned(),
            }
        })
        .collect();
    assert_eq!(described(&read(SAMPLE).unwrap()), expected);
}

#[test]
fn the_published_games_are_written_byte_for_byte() {
    assert_eq!(write(&read(SAMPLE).unwrap()), SAMPLE);
}

#[test]
fn games_are_counted_without_replaying_them() {
    let (_folder, path) = file(SAMPLE);
    let expected = Hcpe3Counts {
        games: 2,
        plies: 8,
        positions: 7,
        black_wins: 1,
        white_wins: 1,
    };
    assert_eq!(Hcpe3Reader::count(&path).unwrap(), expected);
}

#[test]
fn random_games_come_back() {
    let games: Vec<_> = (0..30)
        .map(|seed| Hcpe3Game::of(&random_game(seed, 300), &ConversionOptions::default()).unwrap())
        .collect();
    assert_eq!(read(&write(&games)).unwrap(), games);
}

#[test]
fn a_torn_file_is_refused_or_ends_between_games() {
    let mut n_whole = 0;
    for length in 0..SAMPLE.len() {
        let (_folder, path) = file(&SAMPLE[..length]);
        let games = read(&SAMPLE[..length]);
        assert_eq!(games.is_ok(), Hcpe3Reader::count(&path).is_ok());
        n_whole += usize::from(games.is_ok());
        if let Err(error) = games {
            assert!(error.contains(" bytes, expected "), "{error}");
        }
    }
    // After nothing, and after the first game.
    assert_eq!(n_whole, 2);
}

#[track_caller]
fn check_refused(at: usize, bytes: &[u8], expected: &str) {
    let mut content = SAMPLE.to_vec();
    content[at..at + bytes.len()].copy_from_slice(bytes);
    assert_eq!(
        read(&content).unwrap_err(),
        format!("damaged hcpe3 file FILE at byte {expected}")
    );
}

#[test]
fn what_is_wrong_is_named_with_its_byte() {
    let after_7g7f = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    check_refused(
        34,
        &[3],
        "34, record 0: found 3 as result, expected 0 to 2, or that with one of 4, 8 and 16",
    );
    check_refused(
        147,
        &[7],
        "147, record 1: found 7 as kind of opponent, expected 0 to 2",
    );
    check_refused(
        36,
        &[0, 0],
        "36, record 0: found 0x0000 as move, expected a move",
    );
    check_refused(
        36,
        &[0x1e, 0x3b],
        "36, record 0: found 0x3b1e as move, expected the lower byte first: the other way round it \
         is the legal move 7g7f",
    );
    check_refused(
        54,
        &[0x3b, 0x1e],
        &format!("54, record 0: found the move 7g7f, which is illegal in {after_7g7f}")
            .replace(" 2", " 2"),
    );
    check_refused(
        58,
        &[0xff, 0xff],
        &format!(
            "58, record 0: found 65535 candidate moves, expected at most 30, the legal moves of \
             {after_7g7f}"
        ),
    );
    check_refused(
        64,
        &[0x15, 0x0a],
        "64, record 0: found the candidate 3c3d a second time",
    );
    check_refused(
        60,
        &[0x15, 0x0a, 0, 0, 0xc2, 0x20, 0, 0],
        "58, record 0: found no visit in 2 candidate moves",
    );
}

#[test]
fn every_flipped_bit_is_refused_or_read_as_another_game() {
    let whole = read(SAMPLE).unwrap();
    for bit in 0..8 * SAMPLE.len() {
        let mut content = SAMPLE.to_vec();
        content[bit / 8] ^= 1 << (bit % 8);
        if let Ok(games) = read(&content) {
            assert_ne!(games, whole, "bit {bit}");
        }
    }
}

#[test]
fn games_that_dlshogi_cannot_read_are_refused_by_name() {
    let (_folder, path) = file(b"as before");
    let refused = |game: &Hcpe3Game| {
        let mut writer = Hcpe3Writer::create(&path, Handicaps::Refuse).unwrap();
        let error = writer.write(game).unwrap_err();
        chain(&error).replace(&path.display().to_string(), "FILE")
    };
    let [mut game, _] = read(SAMPLE).unwrap().try_into().unwrap();
    game.start =
        Position::from_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    assert_eq!(
        refused(&game),
        "will not write record 0 to hcpe3 file FILE: a Bishop is missing in \
         lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1: dlshogi reads positions with \
         a full set of pieces only"
    );
    game.start = Position::startpos();
    game.plies = ["2h3h", "8b7b", "3h2h", "7b8b"]
        .into_iter()
        .cycle()
        .take(514)
        .map(|usi| Hcpe3Ply {
            mv: mv(usi),
            eval: 0,
            candidates: Vec::new(),
        })
        .collect();
    assert_eq!(
        refused(&game),
        "will not write record 0 to hcpe3 file FILE: the game has 514 plies, dlshogi reads at most \
         513"
    );
    game.plies.pop();
    assert_eq!(read(&write(&[game.clone()])).unwrap(), [game]);
    assert_eq!(fs::read(&path).unwrap(), b"as before");
}

#[test]
fn the_ending_is_a_flag_beside_the_winner() {
    let [mut game, _] = read(SAMPLE).unwrap().try_into().unwrap();
    assert_eq!(game.result.winner, Some(Color::Black));
    assert_eq!(game.result.ending, Ending::Declaration);
    for (winner, ending, code) in [
        (None, Ending::Repetition, 4),
        (Some(Color::White), Ending::Unsaid, 2),
        (None, Ending::PlyLimit, 16),
    ] {
        game.result = GameResult { winner, ending };
        assert_eq!(write(&[game.clone()])[34], code);
    }
}

/// A hundred megabytes, of which one game at a time is in memory.
#[test]
fn a_file_of_a_million_games_is_read() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let games = 1_000_000;
    let (_folder, path) = file(b"");
    let mut writer = Hcpe3Writer::create(&path, Handicaps::Refuse).unwrap();
    let sample = read(SAMPLE).unwrap();
    for i in 0..games {
        writer.write(&sample[i % 2]).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), games as u64);
    let counts = Hcpe3Reader::count(&path).unwrap();
    assert_eq!((counts.games, counts.plies), (1_000_000, 4_000_000));
    let mut n_read = 0;
    for (game, i) in Hcpe3Reader::open(&path).unwrap().zip(0..) {
        assert_eq!(game.unwrap().plies.len(), sample[i % 2].plies.len());
        n_read += 1;
    }
    assert_eq!(n_read, games);
}
