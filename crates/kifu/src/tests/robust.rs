//! Texts that are broken: refused with a place, never a panic, never without end.

use std::fs;
use std::path::Path;

use rand::{RngExt, SeedableRng};

use crate::testing::{Rng, n_games, random_record};
use crate::{
    CsaVersion, Encoding, Fault, Format, Games, MAX_DEPTH, MAX_GAME_BYTES, ReadError, Record,
    Refusal, read, write,
};

const CSA: Format = Format::Csa(CsaVersion::V22);

#[track_caller]
fn refusal(text: &str, format: Format) -> Refusal {
    match read(text.as_bytes(), format) {
        Err(ReadError::Refused(refusal)) => refusal,
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn check_refused(text: &str, format: Format, message: &str) {
    let found = refusal(text, format).to_string();
    assert!(
        found.starts_with(message),
        "{text}\nfound    {found}\nexpected {message}"
    );
}

#[test]
fn a_broken_csa_is_refused_with_line_and_column() {
    for (text, message) in [
        (
            "hello\n",
            "line 1, column 1: found \"hello\", expected a statement of CSA",
        ),
        (
            "V4.0\n",
            "line 1, column 1: found \"V4.0\", expected a version from V1 to V3.0",
        ),
        (
            "V2.2\nP1-KY-KE\n+\n",
            "line 2, column 9: found the end of the line, expected one of nine",
        ),
        (
            "V2.2\nP1-KY-XX *  *  *  *  *  *  * \n",
            "line 2, column 6: found \"-XX *",
        ),
        (
            "V2.2\nPI55FU\n",
            "line 2, column 3: found \"55FU\", expected a square of the even start",
        ),
        (
            "V2.2\nP+00FU0AKY\n",
            "line 2, column 7: found \"0AKY\", expected a square of two digits",
        ),
        (
            "V2.2\nP+51OU\nP-51OU\n",
            "line 3, column 3: the start position has two pieces on 5a",
        ),
        (
            "V2.2\nP+51FU\n+\n",
            "line 2, column 1: the start position cannot be played: ",
        ),
        (
            "V2.2\nPI\n+\n+7776FU,+8384FU\n",
            "line 4, column 9: csa move \"+8384FU\": found a move of black",
        ),
        (
            "V2.2\nPI\n+\n+7775FU\n-3334FU\n",
            "line 5, column 1: found a move after the move 7g7e, which is illegal",
        ),
        (
            "V2.2\nPI\n+\n+7776\n",
            "line 4, column 1: found \"+7776\", expected a move such as +7776FU",
        ),
        (
            "V2.2\nPI\n+\n+7776FUxx\n",
            "line 4, column 8: found \"xx\", expected the end of the move",
        ),
        (
            "V2.2\nPI\n+\n%TORYO\n+7776FU\n",
            "line 5, column 1: found \"+7776FU\", but the game has ended",
        ),
        (
            "V2.2\nPI\n+\n%TORYOO\n",
            "line 4, column 1: found \"%TORYOO\", expected an ending: %TORYO",
        ),
        (
            "V2.2\nPI\n+\n+7776FU\nT1.x\n",
            "line 5, column 1: found \"T1.x\", expected T and a number",
        ),
        (
            "V2.2\nPI\n+\n+7776FU\nP+00FU\n",
            "line 5, column 1: found \"P+00FU\", expected a move",
        ),
        (
            "N先手\n",
            "line 1, column 1: found \"N先手\", expected N+ or N-",
        ),
        (
            "$EVENT\n",
            "line 1, column 1: found \"$EVENT\", expected $ and a keyword",
        ),
    ] {
        check_refused(text, CSA, message);
    }
}

#[test]
fn a_broken_kif_is_refused_with_line_and_column() {
    for (text, message) in [
        (
            "これは棋譜ではない\n",
            "line 1, column 1: found \"これは棋譜ではない\", expected a header",
        ),
        (
            "手合割：半分落ち\n",
            "line 1, column 5: found \"半分落ち\", expected 平手, a handicap",
        ),
        (
            "手合割：平手\n   1 ７五歩(66)\n",
            "line 2, column 6: kif move \"７五歩(66)\": found no piece on 6f",
        ),
        (
            "1 ７六歩(77)\n3 ２六歩(27)\n",
            "line 2, column 1: found ply 3, expected ply 2",
        ),
        (
            "1 ７六歩(77)\n2\u{3000}\u{3000}３四歩(33)\n4 x\n",
            "line 3, column 1: found ply 4, expected ply 3",
        ),
        (
            "1 同歩(77)\n",
            "line 1, column 3: kif move \"同歩(77)\": found 同, expected a square",
        ),
        (
            "1 ７六歩(77)\n2 投了\n3 ２六歩(27)\n",
            "line 3, column 3: found \"２六歩(27)\", but the game",
        ),
        (
            "1 ７六歩(77)\n変化：5手\n",
            "line 2, column 1: found a variation at ply 5, expected one at ply 1 to 2",
        ),
        (
            "1 ７六歩(77)\nなんだこれ\n",
            "line 2, column 1: found \"なんだこれ\", expected a move, a remark",
        ),
        (
            "|v玉 ・|一\n1 ７六歩(77)\n",
            "line 1, column 1: diagram, rank 1: found 2 squares",
        ),
        (
            "1 ７六歩(77)\n2 ３四歩\u{fffd}\n",
            "line 2, column 3: kif move \"３四歩",
        ),
    ] {
        check_refused(text, Format::Kif, message);
    }
}

#[test]
fn a_broken_ki2_is_refused_with_line_and_column() {
    for (text, message) in [
        (
            "▲７六歩△３四歩▲５五金\n",
            "line 1, column 9: ki2 move \"▲５五金\": found no gold that can move to 5e",
        ),
        (
            "▲７六歩▲２六歩\n",
            "line 1, column 5: ki2 move \"▲２六歩\": found a move of black",
        ),
        (
            "▲７六歩 △３四歩\n  ▲５八金\n",
            "line 2, column 3: ki2 move \"▲５八金\": the golds on 4i and 6i can move to 5h",
        ),
    ] {
        check_refused(text, Format::Ki2, message);
    }
}

#[test]
fn a_broken_usi_list_is_refused_with_line_and_column() {
    for (text, message) in [
        (
            "startpos\nendpos\n",
            "line 2, column 1: found \"endpos\", expected startpos, or sfen",
        ),
        (
            "startpos moves 7g7f 3c3x\n",
            "line 1, column 21: usi move \"3c3x\":",
        ),
        (
            "startpos 7g7f\n",
            "line 1, column 10: found \"7g7f\", expected moves",
        ),
        (
            "startpos moves 7g7e 3c3d\n",
            "line 1, column 21: found a move after the move 7g7e",
        ),
        ("position sfen 9/9/9 b - 1\n", "line 1, column 10: sfen"),
    ] {
        check_refused(text, Format::Usi, message);
    }
}

#[test]
fn columns_count_characters_whatever_the_encoding() {
    let text = "先手：羽生\n手合割：半分落ち\n";
    for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
        let bytes = crate::encode(text, encoding);
        match read(&bytes, Format::Kif) {
            Err(ReadError::Refused(refusal)) => {
                assert_eq!((refusal.line, refusal.column), (2, 5));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn utf16_and_pgn_are_refused_by_name() {
    let found = read(b"\xff\xfeV\x002\x00", CSA).unwrap_err().to_string();
    assert_eq!(
        found,
        "line 1, column 1: found UTF-16, expected UTF-8 or Shift_JIS"
    );
    let found = read(b"[Event \"?\"]", Format::Pgn).unwrap_err().to_string();
    assert_eq!(found, "PGN is written, but not read");
}

#[test]
fn a_text_without_a_game_holds_none() {
    for format in [CSA, Format::Kif, Format::Ki2, Format::Usi] {
        for text in ["", "\n\n", "\r\n", "\x1a"] {
            assert_eq!(
                read(text.as_bytes(), format).unwrap(),
                [],
                "{} {text:?}",
                format.name()
            );
        }
    }
    assert_eq!(read(b"'only a remark\n/\n/\n", CSA).unwrap(), []);
    assert_eq!(read(b"# a remark\n\n", Format::Usi).unwrap(), []);
}

#[test]
fn the_game_behind_a_refused_one_is_read() {
    let csa = "PI\n+\n+7776FU\n/\nPI\n+\n+7776XX\n/\nPI\n+\n+2726FU\n";
    let kif =
        "手合割：平手\n1 ７六歩(77)\n手合割：平手\n1 ７六金(77)\n手合割：平手\n1 ２六歩(27)\n";
    let usi = "startpos moves 7g7f\nstartpos moves 7g7x\nstartpos moves 2g2f\n";
    for (text, format) in [(csa, CSA), (kif, Format::Kif), (usi, Format::Usi)] {
        let games: Vec<_> = Games::new(text.as_bytes(), format).collect();
        assert_eq!(games.len(), 3, "{text}");
        let first = |game: &Result<Record, ReadError>| {
            game.as_ref()
                .ok()
                .and_then(|record| record.moves().next())
                .map(|mv| mv.to_string())
        };
        let moves: Vec<_> = games.iter().map(first).collect();
        assert_eq!(
            moves,
            [Some("7g7f".to_owned()), None, Some("2g2f".to_owned())]
        );
    }
}

#[test]
fn a_game_without_end_is_refused_before_memory_runs_out() {
    struct Endless(&'static [u8], usize);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }
    for (format, bytes) in [
        (CSA, &b"'\n"[..]),
        (CSA, b"x"),
        (Format::Usi, b"startpos "),
        (Format::Kif, b"\n"),
    ] {
        let source = std::io::BufReader::new(Endless(bytes, 0));
        let games: Vec<_> = Games::new(source, format).take(2).collect();
        let [Err(ReadError::Refused(refusal))] = &games[..] else {
            panic!("{}: {games:?}", format.name());
        };
        assert!(matches!(refusal.fault, Fault::TooMuch { limit, .. } if limit >= MAX_GAME_BYTES));
    }
}

/// A game with variations of variations: each begins one ply behind the one around it, whose
/// second move it replaces.
fn nested(depth: usize) -> String {
    const ROOKS: [&str; 4] = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"];
    const PAWNS: [&str; 2] = ["９六歩(97)", "９四歩(93)"];
    let line = |n: usize| {
        let (rook, pawn) = (ROOKS[n % 4], PAWNS[(n + 1) % 2]);
        format!("{} {rook}\n{} {pawn}\n", n + 1, n + 2)
    };
    let variations = (1..=depth).map(|n| format!("変化：{}手\n{}", n + 1, line(n)));
    format!("{}{}", line(0), variations.collect::<String>())
}

#[test]
fn variations_nested_too_deep_are_refused() {
    let record = read(nested(MAX_DEPTH).as_bytes(), Format::Kif)
        .unwrap()
        .remove(0);
    record.check().unwrap();
    let again = write(&record, Format::Kif, Encoding::Utf8).unwrap();
    assert!(read(&again, Format::Kif).unwrap()[0].main.variations == record.main.variations);

    let found = refusal(&nested(MAX_DEPTH + 1), Format::Kif).to_string();
    let expected = format!("found more than {MAX_DEPTH} variations inside each other");
    assert!(found.ends_with(&expected), "{found}");
}

#[test]
fn variations_in_the_wrong_order_do_not_cost_time_without_end() {
    // Each pair goes back to the beginning, and from there to the end of a long line.
    let rooks = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"];
    let mut text: String = (0..2_000)
        .map(|n| format!("{} {}\n", n + 1, rooks[n % 4]))
        .collect();
    let pair = "変化：1手\n1 ９六歩(97)\n変化：2001手\n2001 ９六歩(97)\n";
    text.push_str(&pair.repeat(6_000));
    let found = refusal(&text, Format::Kif).to_string();
    assert!(
        found.contains("found more than 10000000 moves to play again"),
        "{found}"
    );
}

/// What fuzzers do, from a fixed seed: samples and random games, cut, spliced, with other bytes.
#[test]
fn damaged_files_are_read_or_refused() {
    let mut texts: Vec<(Vec<u8>, Format)> = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/samples");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().unwrap().to_str().unwrap().to_owned();
        if let Some((format, _)) = Format::from_extension(&extension) {
            texts.push((fs::read(path).unwrap(), format));
        }
    }
    for seed in 0..20 {
        for (format, encoding) in [
            (Format::Csa(CsaVersion::V30), Encoding::Utf8),
            (Format::Kif, Encoding::ShiftJis),
            (Format::Ki2, Encoding::Utf8Bom),
            (Format::Usi, Encoding::Utf8),
        ] {
            texts.push((
                write(&random_record(seed), format, encoding).unwrap(),
                format,
            ));
        }
    }
    let rng = &mut Rng::seed_from_u64(7);
    let (mut n_read, mut n_refused) = (0, 0);
    for _ in 0..n_games(2_000, 200_000) {
        let (mut bytes, format) = texts[rng.random_range(0..texts.len())].clone();
        let (other, _) = &texts[rng.random_range(0..texts.len())];
        for _ in 0..rng.random_range(1..4) {
            damage(rng, &mut bytes, other);
        }
        // As its own format or as another one.
        let format = match rng.random_range(0..8) {
            0 => [CSA, Format::Kif, Format::Ki2, Format::Usi][rng.random_range(0..4)],
            _ => format,
        };
        for game in Games::new(&bytes[..], format) {
            match game {
                Ok(record) => {
                    record.check().unwrap();
                    record.outcome();
                    n_read += 1;
                }
                Err(ReadError::Refused(refusal)) => {
                    assert!(refusal.line > 0 && refusal.column > 0, "{refusal}");
                    n_refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(
        n_read > 200 && n_refused > 200,
        "{n_read} games read, {n_refused} refused"
    );
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = rng.random_range(0..=bytes.len());
    match rng.random_range(0..5) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, rng.random()),
        2 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
        3 => {
            let end = (at + rng.random_range(0..40)).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => {
            let from = rng.random_range(0..=other.len());
            let to = (from + rng.random_range(0..200)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
    }
}
