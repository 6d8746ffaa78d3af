use crate::testing::{Stream, walk};
use crate::{Handicap, Move, Notation, Position, Square};

/// Positions in which many pieces of a kind reach the same square, for both sides.
const CROWDED: [&str; 6] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "k8/9/1+P+P+P+P4/1+P1G1+P3/1+PGGG4/1+P1S1S3/2SSS4/9/8K b 2R2B4N4L9P 1",
    "k8/9/4sss2/3+p1s1s1/4ggg1+p/3+p1g1+p1/4+p+p+p2/9/8K w 2r2b4n4l9p 1",
    // Twice the full set: what the marks of dragons and horses cannot tell apart.
    "1k7/4+R4/6+B2/9/+R7+R/9/2+B3+B2/9/K3+R4 b GSNLP 1",
    "4+r3k/9/2+b3+b2/9/+r7+r/9/2+b6/4+r4/7K1 w gsnlp 1",
];

#[test]
fn every_legal_move_is_read_as_it_was_written() {
    let starts = Handicap::ALL
        .into_iter()
        .map(Handicap::position)
        .chain(CROWDED.map(|sfen| Position::from_sfen(sfen).unwrap()));
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let positions = if slow { 3_000 } else { 150 };
    let mut moves_checked = 0;
    for (seed, start) in (1..).zip(starts) {
        let mut previous = None;
        walk(&start, positions, seed, |position, moves| {
            for &mv in moves {
                for notation in Notation::ALL {
                    check_round_trip(notation, position, mv, previous);
                }
                for notation in [Notation::Kif, Notation::Ki2] {
                    check_round_trip(notation, position, mv, Some(mv.to()));
                    check_round_trip(notation, position, mv, None);
                }
                moves_checked += 1;
            }
            previous = moves.first().map(|mv| mv.to());
        });
    }
    assert!(moves_checked > 150_000, "{moves_checked}");
}

fn check_round_trip(notation: Notation, position: &Position, mv: Move, previous: Option<Square>) {
    let text = notation.write(position, mv, previous);
    let read = notation.read(position, &text, previous);
    assert_eq!(read, Ok(mv), "{notation} {text} in {position}");
}

#[test]
fn the_example_of_the_documentation_is_written_in_each_notation() {
    let after = |usi: &str| {
        let mut position = Position::startpos();
        for mv in usi.split(' ') {
            position.do_move(mv.parse().unwrap());
        }
        position
    };
    let position = after("7g7f 3c3d");
    let mv: Move = "8h2b+".parse().unwrap();
    let texts =
        Notation::ALL.map(|notation| notation.write(&position, mv, Some("3d".parse().unwrap())));
    assert_eq!(
        texts,
        [
            "8h2b+",
            "+8822UM",
            "２二角成(88)",
            "▲２二角成",
            "Bx2b+",
            "Bx22+",
            "Tg(88)x22+"
        ]
    );
    let position = after("7g7f 3c3d 8h2b+");
    let mv: Move = "3a2b".parse().unwrap();
    let texts =
        Notation::ALL.map(|notation| notation.write(&position, mv, Some("2b".parse().unwrap())));
    assert_eq!(
        texts,
        [
            "3a2b",
            "-3122GI",
            "同　銀(31)",
            "△同銀",
            "Sx2b",
            "Sx22",
            "B(31)x22"
        ]
    );
    let position = after("7g7f 3c3d 8h2b+ 3a2b");
    let mv: Move = "B*4e".parse().unwrap();
    let texts =
        Notation::ALL.map(|notation| notation.write(&position, mv, Some("2b".parse().unwrap())));
    assert_eq!(
        texts,
        [
            "B*4e",
            "+0045KA",
            "４五角打",
            "▲４五角",
            "B*4e",
            "B*45",
            "Tg*45"
        ]
    );
}

#[test]
fn usi_and_csa_texts_must_fit_the_position() {
    let position = Position::startpos();
    for (notation, text, message) in [
        (
            Notation::Usi,
            "7g7",
            "found \"7g7\", expected a move such as 7g7f, 8h2b+ or P*5e",
        ),
        (
            Notation::Usi,
            "5e5d",
            "found no piece on 5e, expected one of the side to move",
        ),
        (
            Notation::Usi,
            "3c3d",
            "found white's pawn on 3c, expected a piece of black",
        ),
        (Notation::Usi, "4i5h+", "a gold cannot promote"),
        (
            Notation::Csa,
            "-3334FU",
            "found a move of white, expected one of black",
        ),
        (
            Notation::Csa,
            "+7776KI",
            "found a pawn on 7g, expected a gold",
        ),
        (
            Notation::Csa,
            "+7676FU",
            "found 7f as origin and destination, expected two squares",
        ),
        (
            Notation::Csa,
            "+0055OU",
            "found a king to drop, expected an unpromoted piece other than a king",
        ),
        (
            Notation::Csa,
            "+777FU",
            "found \"777FU\", expected two squares and a piece, such as 7776FU or 0055KA",
        ),
        (
            Notation::Csa,
            "+7700FU",
            "found \"00FU\", expected the square of destination, 11 to 99",
        ),
        (
            Notation::Csa,
            "+0776FU",
            "found \"0776FU\", expected the square of origin, 11 to 99, or 00 for a drop",
        ),
        (
            Notation::Csa,
            "+7776XX",
            "found \"XX\", expected a piece: FU KY KE GI KI KA HI OU TO NY NK NG UM RY",
        ),
    ] {
        let error = notation.read(&position, text, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{notation} move {text:?}: {message}")
        );
    }
    let read = |notation: Notation, text: &str| {
        notation
            .read(&position, text, None)
            .map(|mv| mv.to_string())
    };
    assert_eq!(read(Notation::Csa, "7776FU"), Ok("7g7f".to_owned()));
    assert_eq!(read(Notation::Csa, " +7776FU\n"), Ok("7g7f".to_owned()));
    assert_eq!(read(Notation::Csa, "+0055KA"), Ok("B*5e".to_owned()));
    assert_eq!(read(Notation::Csa, "+8822UM"), Ok("8h2b+".to_owned()));
}

#[test]
fn a_whole_file_taken_for_a_move_is_quoted_in_part() {
    let text = "+7776FU,T1\n".repeat(10_000);
    let error = Notation::Csa
        .read(&Position::startpos(), &text, None)
        .unwrap_err();
    assert_eq!(error.text(), "+7776FU,T1\n+7776FU,T1\n+7…");
    assert!(error.to_string().len() < 200, "{error}");
}

#[test]
fn notations_are_found_by_their_keys() {
    for notation in Notation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    assert_eq!(
        "kif2".parse::<Notation>().unwrap_err().to_string(),
        "notation \"kif2\": expected one of usi, csa, kif, ki2, hodges, hosking, vietnamese"
    );
}

/// The text with one random change.
fn damaged(text: &str, stream: &mut Stream) -> String {
    const PARTS: [&str; 36] = [
        "▲", "△", "同", "７", "六", "7", "1", "a", "g", "歩", "金", "成", "不", "銀", "打", "(",
        ")", "00", "77", "右", "上", "直", "　", " ", "龍", "+", "-", "x", "*", "=", "P", "Tg",
        "T", "FU", "\u{301}", "é",
    ];
    let mut chars: Vec<String> = text.chars().map(String::from).collect();
    let at = stream.below(chars.len() + 1);
    let part = (*stream.choose(&PARTS)).to_owned();
    match stream.below(3) {
        0 => chars.insert(at, part),
        1 if at < chars.len() => chars[at] = part,
        _ if at < chars.len() => drop(chars.remove(at)),
        _ => {}
    }
    chars.concat()
}

#[test]
fn a_damaged_text_is_refused_or_read_as_a_move_that_can_be_written_again() {
    let mut stream = Stream(11);
    let (mut read, mut refused) = (0, 0);
    for (seed, start) in (1..).zip(CROWDED.map(|sfen| Position::from_sfen(sfen).unwrap())) {
        walk(&start, 500, seed, |position, moves| {
            if moves.is_empty() {
                return;
            }
            for notation in Notation::ALL {
                let mv = *stream.choose(moves);
                let mut text = notation.write(position, mv, None);
                for _ in 0..=stream.below(3) {
                    text = damaged(&text, &mut stream);
                }
                for reader in Notation::ALL {
                    match reader.read(position, &text, Some(mv.to())) {
                        Err(error) => {
                            refused += 1;
                            assert!(!error.to_string().is_empty());
                        }
                        Ok(mv) => {
                            read += 1;
                            let again = reader.write(position, mv, None);
                            let reread = reader.read(position, &again, None);
                            assert_eq!(reread, Ok(mv), "{reader} {text} {again} {position}");
                        }
                    }
                }
            }
        });
    }
    assert!(read > 2_000 && refused > 100_000, "{read} {refused}");
}
