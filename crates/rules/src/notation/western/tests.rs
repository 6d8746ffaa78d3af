use crate::{Move, Notation, Position};

#[track_caller]
fn check_text(notation: Notation, sfen: &str, usi: &str, text: &str) {
    let position = Position::from_sfen(sfen).unwrap();
    let mv: Move = usi.parse().unwrap();
    assert_eq!(notation.write(&position, mv, None), text);
    assert_eq!(notation.read(&position, text, None), Ok(mv), "{text}");
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// Three golds that reach 7h, and pieces that promote.
const MIDDLE: &str = "4k4/2P6/1SN6/9/9/9/2G6/3G3+R1/2G1K4 b BP 1";

#[test]
fn each_notation_has_its_letters_squares_and_origins() {
    for (usi, hodges, hosking, vietnamese) in [
        ("7g7h", "G7g-7h", "G77-78", "Vg(77)-78"),
        ("6h7h", "G6h-7h", "G68-78", "Vg(68)-78"),
        ("7i7h", "G7i-7h", "G79-78", "Vg(79)-78"),
        ("6h5h", "G-5h", "G-58", "Vg(68)-58"),
        ("5i5h", "K-5h", "K-58", "V(59)-58"),
        ("2h2b", "+R-2b", "+R-22", "+X(28)-22"),
        ("7b7a+", "P-7a+", "P-71+", "T(72)-71+"),
        ("8c8b+", "S-8b+", "S-82+", "B(83)-82+"),
        ("8c8b", "S-8b=", "S-82=", "B(83)-82="),
        ("7c6a+", "N-6a+", "N-61+", "M(73)-61+"),
        ("B*4d", "B*4d", "B*44", "Tg*44"),
        ("P*5e", "P*5e", "P*55", "T*55"),
    ] {
        check_text(Notation::Hodges, MIDDLE, usi, hodges);
        check_text(Notation::Hosking, MIDDLE, usi, hosking);
        check_text(Notation::Vietnamese, MIDDLE, usi, vietnamese);
    }
    // The examples of English texts: the golds of the start position.
    check_text(Notation::Hodges, START, "6i5h", "G6i-5h");
    check_text(Notation::Hodges, START, "4i5h", "G4i-5h");
}

#[test]
fn captures_have_an_x() {
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    check_text(Notation::Hodges, sfen, "8h2b+", "Bx2b+");
    check_text(Notation::Hosking, sfen, "8h2b", "Bx22=");
    check_text(Notation::Vietnamese, sfen, "8h2b+", "Tg(88)x22+");
    let knight = "4k4/9/4p4/9/3N5/9/9/9/4K4 b - 1";
    check_text(Notation::Vietnamese, knight, "6e5c+", "M(65)x53+");
    check_text(Notation::Hodges, knight, "6e5c+", "Nx5c+");
}

#[track_caller]
fn check_also_read(notation: Notation, sfen: &str, usi: &str, texts: &[&str]) {
    let position = Position::from_sfen(sfen).unwrap();
    for text in texts {
        let read = notation
            .read(&position, text, None)
            .map(|mv| mv.to_string());
        assert_eq!(read.as_deref(), Ok(usi), "{text}");
    }
}

#[test]
fn other_spellings_are_accepted() {
    check_also_read(
        Notation::Hosking,
        START,
        "7g7f",
        &[
            "P76", "P-76", "P-7f", "p76", "P77-76", "P7776", "P(77)-76", "P(77)76", "P–76", "P76=",
            "☗P76", "▲ P-76", "▼P76", " P76 ",
        ],
    );
    check_also_read(
        Notation::Hodges,
        START,
        "7g7f",
        &["P-7f", "P7f", "P76", "P7g7f", "Px7f"],
    );
    check_also_read(
        Notation::Hodges,
        MIDDLE,
        "B*4d",
        &["B*4d", "B'4d", "B’44", "B4d", "b*4d"],
    );
    check_also_read(
        Notation::Hosking,
        MIDDLE,
        "2h2b",
        &["+R22", "+R-22", "D22", "d-22"],
    );
    check_also_read(
        Notation::Vietnamese,
        START,
        "2g2f",
        &["T(27)-26", "T27-26", "T-26", "T26", "t26", "T(2g)-2f"],
    );
    check_also_read(
        Notation::Vietnamese,
        START,
        "2h7h",
        &["X(28)-78", "X78", "x-78", "X2878"],
    );
    check_also_read(
        Notation::Vietnamese,
        START,
        "9i9h",
        &["Th(99)-98", "TH98", "th98"],
    );
    let promoted = "4k4/9/9/9/9/9/4+P4/4+B4/4K4 b - 1";
    check_also_read(Notation::Hosking, promoted, "5g5f", &["+P56", "T56"]);
    check_also_read(Notation::Hosking, promoted, "5h4i", &["+B49", "H49"]);
}

#[test]
fn what_is_ambiguous_or_no_move_is_refused() {
    let example = "a piece (PLNSGBRK, + before if promoted), as in P-7f, +Rx5b or B*4d";
    for (notation, text, message) in [
        (
            Notation::Hodges,
            "G-7h",
            "the golds on 6h, 7g and 7i can move to 7h, expected a text that fits one of them".to_owned(),
        ),
        (Notation::Hodges, "", format!("found nothing more, expected {example}")),
        (Notation::Hodges, "X-7f", format!("found \"X-7f\", expected {example}")),
        (Notation::Hodges, "+G-7f", format!("found \"+G-7f\", expected {example}")),
        (
            Notation::Hodges,
            "G7g-",
            "found nothing more, expected the square of destination, 7f or 76".to_owned(),
        ),
        (
            Notation::Hodges,
            "G-7j",
            "found \"7j\", expected the square of destination, 7f or 76".to_owned(),
        ),
        (Notation::Hodges, "G-7h!", "found \"!\", expected + or = or the end".to_owned()),
        (Notation::Hodges, "G7g-7h+", "a gold cannot promote".to_owned()),
        (Notation::Hodges, "S7g-7h", "found a gold on 7g, expected a silver".to_owned()),
        (
            Notation::Hodges,
            "P5g*5e",
            "found a drop with an origin, a promotion or a mark of movement, expected a bare one".to_owned(),
        ),
        (
            Notation::Hodges,
            "P*5e+",
            "found a drop with an origin, a promotion or a mark of movement, expected a bare one".to_owned(),
        ),
        (Notation::Hodges, "P-5e", "found no pawn that can move to 5e or be dropped there".to_owned()),
        (
            Notation::Vietnamese,
            "Q(77)-76",
            "found \"Q(77)-76\", expected a piece (V X Tg Vg B M Th T, + before if promoted), as in \
             T(77)-76 or Tg*44"
                .to_owned(),
        ),
        (Notation::Hosking, "△P76", "found a move of white, expected one of black".to_owned()),
    ] {
        let position = Position::from_sfen(MIDDLE).unwrap();
        let error = notation.read(&position, text, None).unwrap_err();
        assert_eq!(error.to_string(), format!("{notation} move {text:?}: {message}"));
    }
}
