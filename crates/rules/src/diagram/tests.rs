use crate::testing::{Stream, walk};
use crate::{Color, Handicap, PieceKind, Position, PositionBuilder, Script};

#[test]
fn drawings_in_both_scripts_are_read_back() {
    let mut checked = 0;
    for (seed, handicap) in (1..).zip(Handicap::ALL) {
        walk(&handicap.position(), 100, seed, |position, _| {
            for script in [Script::Japanese, Script::English] {
                let drawing = position.diagram(script).to_string();
                let read = Position::from_diagram(&drawing).unwrap();
                let start = PositionBuilder::from(position).set_ply(0).build().unwrap();
                assert_eq!(read, start, "{drawing}");
                checked += 1;
            }
        });
    }
    assert_eq!(checked, 4000);
}

#[test]
fn hands_are_listed_with_the_strongest_first() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R2B4G4S4N4L18Pr 1").unwrap();
    let text = |color, script| position.hand_text(color, script);
    assert_eq!(
        text(Color::Black, Script::Japanese),
        "飛　角二　金四　銀四　桂四　香四　歩十八"
    );
    assert_eq!(
        text(Color::Black, Script::English),
        "rook, 2 bishops, 4 golds, 4 silvers, 4 knights, 4 lances, 18 pawns"
    );
    assert_eq!(text(Color::White, Script::Japanese), "飛");
    assert_eq!(text(Color::White, Script::English), "rook");
}

#[test]
fn promoted_pieces_have_one_character_in_japanese_drawings() {
    let position =
        Position::from_sfen("+l+n+s+p+b+r3/9/4k4/9/9/9/4K4/9/+L+N+S+P+B+R3 b - 1").unwrap();
    let drawing = position.diagram(Script::Japanese).to_string();
    assert!(
        drawing.contains("|v杏v圭v全vとv馬v龍 ・ ・ ・|一"),
        "{drawing}"
    );
    assert!(
        drawing.contains("| 杏 圭 全 と 馬 龍 ・ ・ ・|九"),
        "{drawing}"
    );
}

/// A row on rank 4 of an otherwise empty board.
fn row(text: &str) -> Result<String, String> {
    let mut builder = PositionBuilder::new();
    builder
        .put_row(4, text)
        .map_err(|error| error.to_string())?;
    Ok(builder.build().unwrap().to_string())
}

#[test]
fn rows_of_other_writers_are_read() {
    let expected = Ok("9/9/9/p1+R2g2L/9/9/9/9/9 b - 1".to_owned());
    for text in [
        "|v歩 ・ 龍 ・ ・v金 ・ ・ 香|四",
        "|v歩 ・ 竜 ・ ・v金 ・ ・ 香|",
        "|v歩 ．^龍 . ・V金 ・ ・ 香|４",
        "v歩 ・ 龍 ・ ・v金 ・ ・ 香",
        "|v歩・龍・・v金・・香|四",
        "| v歩 ・ 龍 ・ ・ v金 ・ ・ 香 |四",
        "p . +R . . g . . L",
        "  p  . +R  .  .  g  .  .  L  d",
        "| p  . +R  .  .  g  .  .  L | d",
    ] {
        assert_eq!(row(text), expected, "{text}");
    }
}

#[test]
fn rows_that_are_none_are_refused_with_the_place() {
    for (text, message) in [
        ("", "diagram, rank 4: found 0 squares, expected 9"),
        (
            "|v歩 ・ 龍|四",
            "diagram, rank 4: found 3 squares, expected 9",
        ),
        (
            "|v歩 ・ 龍 ・ ・v玉 ・ ・ 象|四",
            "diagram, rank 4, file 1: found \"象\", expected a piece or an empty square",
        ),
        (
            ". . . +G . . . . .",
            "diagram, rank 4, file 6: found \"+G\", expected a piece or an empty square",
        ),
        (
            ". . . . . . . . . c",
            "diagram, rank 4: found 10 squares, expected 9",
        ),
        (
            ". . . . . . . . . . .",
            "diagram, rank 4: found 11 squares, expected 9",
        ),
    ] {
        assert_eq!(row(text), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn a_row_replaces_what_stood_there() {
    let mut builder = PositionBuilder::from(&Position::startpos());
    builder.put_row(9, ". . . . K . . . .").unwrap();
    assert_eq!(
        builder.build().unwrap().to_string(),
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/4K4 b - 1"
    );
}

#[test]
fn hands_of_other_writers_are_read() {
    let expected = [
        (PieceKind::Pawn, 18),
        (PieceKind::Rook, 2),
        (PieceKind::Gold, 1),
    ];
    for text in [
        "飛二　金　歩十八",
        "飛二　金　歩十八　",
        "飛二 金一 歩18",
        "飛２金歩１８",
        "飛　飛　金　歩十　歩八",
        "飛車二、金将、歩兵一八",
        "2 rooks, gold, 18 pawns",
        "2R G 18P",
        "2rg18p",
    ] {
        let mut builder = PositionBuilder::new();
        builder.add_hand_text(Color::White, text).unwrap();
        let position = builder.build().unwrap();
        let held: Vec<(PieceKind, u32)> = position.hand(Color::White).iter().collect();
        assert_eq!(held, expected, "{text}");
    }
    for text in ["", "なし", "　なし　", "nothing", "-", " "] {
        let mut builder = PositionBuilder::new();
        builder.add_hand_text(Color::White, text).unwrap();
        assert_eq!(builder, PositionBuilder::new(), "{text}");
    }
}

#[test]
fn hands_that_are_none_are_refused_with_the_rest() {
    for (text, found) in [
        ("飛二　象", "象"),
        ("歩百", "百"),
        ("歩十十", "歩十十"),
        ("2", "2"),
        ("99999999999P", "99999999999P"),
        ("rook and gold", "and gold"),
    ] {
        let mut builder = PositionBuilder::new();
        let error = builder.add_hand_text(Color::Black, text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "diagram, black's hand: found {found:?}, expected pieces with their numbers, as \
                 in 飛　歩十八, or rook, 18 pawns, or R18P"
            )
        );
    }
}

#[test]
fn drawings_that_are_none_are_refused() {
    let rows = ". . . . . . . . .\n".repeat(8);
    let refused = |text: &str| Position::from_diagram(text).unwrap_err().to_string();
    assert_eq!(refused(""), "diagram: found 0 rows, expected 9");
    assert_eq!(refused(&rows), "diagram: found 8 rows, expected 9");
    assert_eq!(
        refused(&format!("{rows}{rows}")),
        "diagram: found 16 rows, expected 9"
    );
    assert_eq!(
        refused(&format!("{rows}. . . . . . . . .\nGrey: P")),
        "diagram: found the line \"Grey: P\", expected a row, a hand or the side to move"
    );
    assert_eq!(
        refused(&format!("P . . . . . . . .\n{rows}")),
        "diagram: the black pawn on 9a could never move, expected it on ranks b to i"
    );
}

#[test]
fn no_text_makes_the_readers_panic() {
    const PARTS: [&str; 20] = [
        "|",
        "v",
        " ",
        "　",
        "歩",
        "成",
        "・",
        "飛",
        "龍",
        "十",
        "八",
        "９",
        "9",
        "+",
        "P",
        ".",
        "\n",
        "先手の持駒：",
        "Black:",
        "後手番",
    ];
    let mut stream = Stream(3);
    for _ in 0..20_000 {
        let length = stream.below(40);
        let text: String = (0..length).map(|_| *stream.choose(&PARTS)).collect();
        // Only that they return matters here.
        let _ = Position::from_diagram(&text);
        let mut builder = PositionBuilder::new();
        let _ = builder.put_row(1, &text);
        let _ = builder.add_hand_text(Color::Black, &text);
    }
}
