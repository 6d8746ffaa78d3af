use crate::notation::NotationProblem;
use crate::{Color, Move, Notation, Piece, PieceKind, Position, PositionBuilder, Square};

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// A square from two digits, as texts about notation name it: `76`.
fn digits(name: &str) -> Square {
    let value = |i: usize| name.as_bytes()[i] - b'0';
    Square::from_file_rank(value(0), value(1)).unwrap()
}

/// The position seen from the other side: turned by 180 degrees, colours exchanged.
fn turned(position: &Position) -> Position {
    let mut builder = PositionBuilder::new();
    builder.set_side_to_move(position.side_to_move().flipped());
    for at in position.occupied() {
        let Piece { color, kind } = position.piece_at(at).unwrap();
        let color = color.flipped();
        builder.put(at.rotated(), Piece { color, kind });
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            builder.set_hand(color.flipped(), kind, count);
        }
    }
    builder.build().unwrap()
}

/// Black pieces of one kind on the squares, nothing else; Black is to move.
fn pieces(kind: PieceKind, squares: &[&str]) -> Position {
    let mut builder = PositionBuilder::new();
    let color = Color::Black;
    for name in squares {
        builder.put(digits(name), Piece { color, kind });
    }
    builder.build().unwrap()
}

/// Each move, given by origin and destination, has the KI2 text, for Black as given and for White
/// on the turned board; and the text is read as the move.
#[track_caller]
fn check_marks(kind: PieceKind, moves: &[(&str, &str, &str)]) {
    let squares: Vec<&str> = moves.iter().map(|&(from, _, _)| from).collect();
    let position = pieces(kind, &squares);
    for &(from, to, marks) in moves {
        let (from, to) = (digits(from), digits(to));
        let black = format!("▲{}{}{marks}", to.kanji(), kind.kanji());
        check_text(&position, Move::board(from, to, false), &black);
        let (from, to) = (from.rotated(), to.rotated());
        let white = format!("△{}{}{marks}", to.kanji(), kind.kanji());
        check_text(&turned(&position), Move::board(from, to, false), &white);
    }
}

/// The move is written so, and read from that.
#[track_caller]
fn check_text(position: &Position, mv: Move, text: &str) {
    assert_eq!(Notation::Ki2.write(position, mv, None), text);
    assert_eq!(Notation::Ki2.read(position, text, None), Ok(mv), "{text}");
}

// The figures of the Japan Shogi Association's page on notation.

#[test]
fn movement_tells_two_pieces_apart() {
    let gold = PieceKind::Gold;
    check_marks(gold, &[("93", "82", "上"), ("72", "82", "寄")]);
    check_marks(gold, &[("43", "32", "上"), ("31", "32", "引")]);
    check_marks(gold, &[("56", "55", "上"), ("45", "55", "寄")]);
    let silver = PieceKind::Silver;
    check_marks(silver, &[("89", "88", "上"), ("77", "88", "引")]);
    check_marks(silver, &[("49", "38", "上"), ("27", "38", "引")]);
}

#[test]
fn left_right_and_straight_tell_pieces_apart_that_move_alike() {
    let gold = PieceKind::Gold;
    check_marks(gold, &[("92", "81", "左"), ("72", "81", "右")]);
    check_marks(gold, &[("32", "22", "左"), ("12", "22", "右")]);
    let silver = PieceKind::Silver;
    check_marks(silver, &[("65", "56", "左"), ("45", "56", "右")]);
    check_marks(gold, &[("89", "78", "左"), ("79", "78", "直")]);
    check_marks(silver, &[("39", "38", "直"), ("29", "38", "右")]);
}

#[test]
fn three_pieces_or_more_may_need_side_and_movement() {
    check_marks(
        PieceKind::Gold,
        &[("63", "52", "左"), ("53", "52", "直"), ("43", "52", "右")],
    );
    check_marks(
        PieceKind::ProPawn,
        &[
            ("79", "88", "右"),
            ("89", "88", "直"),
            ("99", "88", "左上"),
            ("98", "88", "寄"),
            ("87", "88", "引"),
        ],
    );
    check_marks(
        PieceKind::Silver,
        &[
            ("29", "28", "直"),
            ("17", "28", "右"),
            ("39", "28", "左上"),
            ("37", "28", "左引"),
        ],
    );
}

#[test]
fn dragons_are_never_straight() {
    let dragon = PieceKind::Dragon;
    check_marks(dragon, &[("91", "82", "引"), ("84", "82", "上")]);
    check_marks(dragon, &[("23", "43", "寄"), ("52", "43", "引")]);
    check_marks(dragon, &[("55", "35", "左"), ("15", "35", "右")]);
    check_marks(dragon, &[("99", "88", "左"), ("89", "88", "右")]);
    check_marks(dragon, &[("28", "17", "左"), ("19", "17", "右")]);
}

#[test]
fn horses_are_never_straight() {
    let horse = PieceKind::Horse;
    check_marks(horse, &[("91", "82", "左"), ("81", "82", "右")]);
    check_marks(horse, &[("95", "85", "寄"), ("63", "85", "引")]);
    check_marks(horse, &[("11", "12", "引"), ("34", "12", "上")]);
    check_marks(horse, &[("99", "77", "左"), ("59", "77", "右")]);
    check_marks(horse, &[("47", "29", "左"), ("18", "29", "右")]);
}

#[test]
fn six_golds_around_a_square_are_all_told_apart() {
    // Twice as many as a set has but one: the reader of positions takes them for problems' sake.
    check_marks(
        PieceKind::Gold,
        &[
            ("54", "55", "引"),
            ("65", "55", "左寄"),
            ("45", "55", "右寄"),
            ("66", "55", "左上"),
            ("56", "55", "直"),
            ("46", "55", "右上"),
        ],
    );
    check_marks(
        PieceKind::Silver,
        &[
            ("64", "55", "左引"),
            ("44", "55", "右引"),
            ("66", "55", "左上"),
            ("56", "55", "直"),
            ("46", "55", "右上"),
        ],
    );
}

#[test]
fn knights_rooks_and_bishops_have_sides_and_movements() {
    check_marks(PieceKind::Knight, &[("67", "55", "左"), ("47", "55", "右")]);
    check_marks(PieceKind::Rook, &[("95", "55", "寄"), ("59", "55", "上")]);
    check_marks(PieceKind::Rook, &[("95", "55", "左"), ("15", "55", "右")]);
    check_marks(PieceKind::Rook, &[("54", "55", "引"), ("59", "55", "上")]);
    check_marks(PieceKind::Bishop, &[("99", "55", "左"), ("28", "55", "右")]);
    check_marks(PieceKind::Bishop, &[("88", "55", "上"), ("64", "55", "引")]);
}

#[test]
fn more_dragons_than_marks_can_tell_apart_get_their_origin() {
    check_marks(
        PieceKind::Dragon,
        &[
            ("95", "55", "左"),
            ("15", "55", "右"),
            ("51", "55", "引"),
            ("59", "55", "上"),
        ],
    );
    let crowd = pieces(PieceKind::Dragon, &["69", "59", "49"]);
    check_text(
        &crowd,
        Move::board(digits("59"), digits("58"), false),
        "▲５八龍(59)",
    );
    check_text(
        &crowd,
        Move::board(digits("69"), digits("58"), false),
        "▲５八龍左",
    );
}

/// What is read as the move, besides what is written for it.
#[track_caller]
fn check_also_read(sfen: &str, usi: &str, previous: Option<&str>, texts: &[&str]) {
    let position = Position::from_sfen(sfen).unwrap();
    let mv: Move = usi.parse().unwrap();
    for text in texts {
        for notation in [Notation::Kif, Notation::Ki2] {
            let read = notation.read(&position, text, previous.map(square));
            assert_eq!(read, Ok(mv), "{text}");
        }
    }
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn superfluous_marks_and_other_spellings_are_accepted() {
    check_also_read(
        START,
        "7g7f",
        Some("3d"),
        &[
            "▲７六歩",
            "☗７六歩",
            "▼７六歩",
            "７六歩",
            "76歩",
            "７６歩",
            "7六歩(77)",
            "７六歩（７７）",
            " ▲ ７六 歩 ",
            "▲７六歩上",
            "▲７六歩直",
            "▲７六歩直上",
            "▲７六歩行",
            "▲７六歩不成",
            "▲７六歩生",
            "七六歩",
            "７六歩兵",
        ],
    );
    let golds = "4k4/9/9/9/9/9/9/9/3GKG3 b - 1";
    check_also_read(
        golds,
        "4i5h",
        None,
        &["▲５八金右", "▲５八金右上", "▲58金右", "▲５八金右(49)"],
    );
    let straight = "4k4/9/9/9/9/9/9/3GK4/9 b - 1";
    check_also_read(
        straight,
        "6h6g",
        None,
        &["▲６七金直", "▲６七金上", "▲６七金"],
    );
    // A lone dragon, with the side that a second one would need.
    let dragon = "4k4/9/9/9/9/9/9/9/+R7K b - 1";
    check_also_read(dragon, "9i5i", None, &["▲５九龍", "▲５九竜寄", "▲５九竜左"]);
}

#[test]
fn the_last_square_may_be_named_in_several_ways() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppp1p/7p1/7P1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1";
    check_also_read(
        sfen,
        "2e2d",
        Some("2d"),
        &[
            "同　歩(25)",
            "同 歩(25)",
            "同歩(25)",
            "▲同歩",
            "▲同　歩",
            "▲２四歩",
            "▲２四同歩",
            "同歩上",
        ],
    );
}

#[test]
fn the_pieces_have_many_names() {
    let sfen = "4k4/9/9/9/9/9/9/4K4/+L+N+S+P+B+R3 b - 1";
    for (usi, names) in [
        ("9i9h", &["成香", "杏", "仝"][..]),
        ("8i8h", &["成桂", "圭", "今"]),
        ("7i7h", &["成銀", "全"]),
        ("6i6h", &["と", "と金", "成歩"]),
        ("5i4h", &["馬", "成角", "龍馬", "竜馬"]),
        ("4i4d", &["龍", "竜", "龍王", "竜王", "成飛"]),
        ("5h5g", &["玉", "王", "玉将", "王将"]),
    ] {
        let mv: Move = usi.parse().unwrap();
        let from = mv.from().unwrap();
        for name in names {
            let text = format!("{}{name}({}{})", mv.to().kanji(), from.file(), from.rank());
            check_also_read(sfen, usi, None, &[&text]);
        }
    }
}

#[test]
fn drops_have_a_mark_only_where_a_piece_could_move() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/3G5/4K4 b 2GP 1").unwrap();
    check_text(
        &position,
        Move::drop(PieceKind::Gold, square("5h")),
        "▲５八金打",
    );
    check_text(
        &position,
        Move::board(square("6h"), square("5h"), false),
        "▲５八金",
    );
    check_text(
        &position,
        Move::drop(PieceKind::Gold, square("5e")),
        "▲５五金",
    );
    let kif = Notation::Kif.write(&position, Move::drop(PieceKind::Gold, square("5e")), None);
    assert_eq!(kif, "５五金打");
    check_also_read(
        &position.to_string(),
        "G*5h",
        None,
        &[
            "５八金打",
            "▲５八金打",
            "５八金打(00)",
            "５八金(00)",
            "５八金打（００）",
        ],
    );
    check_also_read(&position.to_string(), "P*5e", None, &["５五歩打", "５五歩"]);
}

#[test]
fn promotion_is_said_where_there_is_a_choice() {
    let position = Position::from_sfen("4k4/9/2S6/1P7/9/9/9/2S6/4K4 b - 1").unwrap();
    for (usi, text) in [
        ("7c7b+", "▲７二銀成"),
        ("7c7b", "▲７二銀不成"),
        ("7c6d+", "▲６四銀成"),
        ("8d8c+", "▲８三歩成"),
        ("8d8c", "▲８三歩不成"),
        ("7h7g", "▲７七銀"),
    ] {
        check_text(&position, usi.parse().unwrap(), text);
    }
    // KIF does not write that promotion was declined.
    let kif = Notation::Kif.write(&position, "7c7b".parse().unwrap(), None);
    assert_eq!(kif, "７二銀(73)");
    check_also_read(
        &position.to_string(),
        "7c7b",
        None,
        &["７二銀不成(73)", "７二銀生(73)"],
    );
    // A pawn that must promote: without a mark it does, unless an origin makes the text exact.
    let last = Position::from_sfen("4k4/1P7/9/9/9/9/9/9/4K4 b - 1").unwrap();
    check_text(&last, "8b8a+".parse().unwrap(), "▲８一歩成");
    let read = |text: &str| Notation::Ki2.read(&last, text, None).unwrap().to_string();
    assert_eq!(read("▲８一歩"), "8b8a+");
    assert_eq!(read("▲８一歩不成"), "8b8a");
    assert_eq!(read("８一歩(82)"), "8b8a");
}

#[test]
fn a_pinned_piece_takes_part_in_the_marks_but_not_in_the_meaning() {
    // The bishop on 9e pins the gold on 6h to the king on 5i.
    let position = Position::from_sfen("4k4/9/9/9/b8/9/9/3G1G3/4K4 b - 1").unwrap();
    let right: Move = "4h5h".parse().unwrap();
    assert!(position.is_legal(right));
    assert!(!position.is_legal("6h5h".parse().unwrap()));
    check_text(&position, right, "▲５八金右");
    // Writers that look at pins write no mark.
    check_also_read(
        &position.to_string(),
        "4h5h",
        None,
        &["▲５八金", "▲５八金寄"],
    );
    // A record may end with the illegal move.
    check_text(&position, "6h5h".parse().unwrap(), "▲５八金左");
}

#[test]
fn a_drop_is_meant_where_only_a_pinned_piece_could_move() {
    let sfen = "4k4/9/9/9/b8/9/9/3G5/4K4 b G 1";
    check_also_read(sfen, "G*5h", None, &["▲５八金", "▲５八金打"]);
    check_also_read(sfen, "6h5h", None, &["▲５八金寄", "５八金(68)"]);
}

#[test]
fn moves_that_end_records_illegally_are_read_back() {
    for (sfen, usi, text) in [
        // A drop of what is not in hand.
        (START, "P*5e", "▲５五歩打"),
        // A king that walks into check, and a second pawn on a file.
        ("4k4/4g4/4K4/9/9/9/9/9/9 b - 1", "5c5b", "▲５二玉"),
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "▲５五歩"),
        // A knight that goes as a pawn does: only the origin says so.
        (START, "8i8f", "▲８六桂(89)"),
        // A pawn that does not promote on the last rank.
        ("4k4/1P7/9/9/9/9/9/9/4K4 b - 1", "8b8a", "▲８一歩不成"),
        // Onto an own piece.
        (START, "9i9g", "▲９七香"),
        ("4k4/9/9/9/9/9/9/4P4/4L3K b - 1", "5i5h", "▲５八香"),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let mv: Move = usi.parse().unwrap();
        assert!(!position.is_legal(mv));
        check_text(&position, mv, text);
        let kif = Notation::Kif.write(&position, mv, None);
        assert_eq!(Notation::Kif.read(&position, &kif, None), Ok(mv), "{kif}");
    }
}

#[track_caller]
fn check_refused(sfen: &str, text: &str, message: &str) {
    let position = Position::from_sfen(sfen).unwrap();
    let error = Notation::Ki2.read(&position, text, None).unwrap_err();
    assert_eq!(error.to_string(), format!("ki2 move {text:?}: {message}"));
}

#[test]
fn texts_that_are_no_move_are_refused_with_the_place() {
    let piece = "expected a piece such as 歩 or 成銀";
    let square = "expected a square such as ７六, or 同";
    let mark = "expected a mark (左右直上寄引), 成, 不成, 打, an origin such as (77), or the end";
    for (text, message) in [
        ("", format!("found nothing more, {square}")),
        ("投了", format!("found \"投了\", {square}")),
        ("▲", format!("found nothing more, {square}")),
        ("７", format!("found \"７\", {square}")),
        ("▲十六歩", format!("found \"十六歩\", {square}")),
        ("▲７六", format!("found nothing more, {piece}")),
        ("▲７六象", format!("found \"象\", {piece}")),
        ("▲７六歩右左", format!("found \"左\", {mark}")),
        ("▲７六歩成不成", format!("found \"不成\", {mark}")),
        ("▲７六歩!", format!("found \"!\", {mark}")),
        (
            "７六歩(",
            "found nothing more, expected an origin such as 77, or 00 for a drop".to_owned(),
        ),
        (
            "７六歩(7",
            "found \"7\", expected an origin such as 77, or 00 for a drop".to_owned(),
        ),
        (
            "７六歩(77",
            "found nothing more, expected a closing parenthesis after the origin".to_owned(),
        ),
        ("７六歩(77)(77)x", format!("found \"x\", {mark}")),
    ] {
        check_refused(START, text, &message);
    }
}

#[test]
fn texts_that_do_not_fit_the_position_are_refused_with_what_is_there() {
    check_refused(
        START,
        "△３四歩",
        "found a move of white, expected one of black",
    );
    check_refused(
        START,
        "同歩",
        "found 同, expected a square: there is no move before this one",
    );
    check_refused(
        START,
        "５五歩",
        "found no pawn that can move to 5e or be dropped there",
    );
    check_refused(
        START,
        "７六歩(76)",
        "found 7f as origin and destination, expected two squares",
    );
    check_refused(
        START,
        "７五歩(76)",
        "found no piece on 7f, expected one of the side to move",
    );
    check_refused(
        START,
        "３四歩(33)",
        "found white's pawn on 3c, expected a piece of black",
    );
    check_refused(START, "７六銀(77)", "found a pawn on 7g, expected a silver");
    check_refused(START, "５八金成(49)", "a gold cannot promote");
    check_refused(START, "５八金右成", "a gold cannot promote");
    check_refused(
        START,
        "５五と打",
        "found a tokin to drop, expected an unpromoted piece other than a king",
    );
    for text in ["５五歩成打", "５五歩右打", "５五歩打(57)", "５五歩(57)打"] {
        check_refused(
            START,
            text,
            "found a drop with an origin, a promotion or a mark of movement, expected a bare one",
        );
    }
}

#[test]
fn ambiguous_texts_are_refused_with_the_candidates() {
    let golds = "4k4/9/9/9/9/9/9/3G1G3/3GKG3 b - 1";
    check_refused(
        golds,
        "▲５八金",
        "the golds on 4h, 4i, 6h and 6i can move to 5h, expected a text that fits one of them",
    );
    check_refused(
        golds,
        "▲５八金上",
        "the golds on 4i and 6i can move to 5h, expected a text that fits one of them",
    );
    check_refused(
        golds,
        "▲５八金直",
        "the marks fit none of the golds that can move to 5h, which stand on 4h, 4i, 6h and 6i",
    );
    let position = Position::from_sfen(golds).unwrap();
    let error = Notation::Ki2
        .read(&position, "▲５八金右", None)
        .unwrap_err();
    assert_eq!(
        *error.problem(),
        NotationProblem::Ambiguous {
            kind: PieceKind::Gold,
            to: square("5h"),
            candidates: vec![square("4h"), square("4i")],
        }
    );
    assert_eq!(
        (error.notation(), error.text()),
        (Notation::Ki2, "▲５八金右")
    );
}
