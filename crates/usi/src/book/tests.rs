use super::*;

const YANEURAOU: &str = "\u{feff}#YANEURAOU-DB2016 1.00
# a note
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 40 12 3
2g2f 8c8d 38 12 9
5g5f none -60 12 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f
";

fn read(text: &str) -> Result<Book, BookError> {
    Book::read(text.as_bytes())
}

fn after(usi: &str) -> Position {
    let mut position = Position::startpos();
    for mv in usi.split_whitespace() {
        position.do_move(mv.parse().unwrap());
    }
    position
}

fn moves_of(book: &Book, usi: &str) -> Vec<(String, u32)> {
    let moves = book.moves(&after(usi)).into_iter();
    moves
        .map(|entry| (entry.mv.to_string(), entry.count))
        .collect()
}

#[test]
fn yaneuraous_text_format_is_read_and_bad_moves_stay_out() {
    let book = read(YANEURAOU).unwrap();
    assert_eq!(book.n_positions(), 2);
    let best = book.moves(&after(""))[0];
    assert_eq!(
        best,
        BookMove {
            mv: "7g7f".parse().unwrap(),
            reply: "3c3d".parse().ok(),
            score_cp: Some(40),
            depth: 12,
            count: 3,
        }
    );
    let expected = [("7g7f".to_owned(), 3), ("2g2f".to_owned(), 9)];
    assert_eq!(moves_of(&book, ""), expected);
    assert_eq!(moves_of(&book, "7g7f"), [("3c3d".to_owned(), 1)]);
    assert!(book.moves(&after("2g2f")).is_empty());
}

#[test]
fn games_in_a_list_are_counted_move_by_move() {
    let book = read(
        "startpos moves 7g7f 3c3d\nposition startpos moves 7g7f 8c8d\r\n\nstartpos moves 2g2f\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f\n",
    )
    .unwrap();
    let expected = [("7g7f".to_owned(), 3), ("2g2f".to_owned(), 1)];
    assert_eq!(moves_of(&book, ""), expected);
    let expected = [("3c3d".to_owned(), 1), ("8c8d".to_owned(), 1)];
    assert_eq!(moves_of(&book, "7g7f"), expected);
}

#[test]
fn a_bad_line_is_named() {
    for (text, message) in [
        (
            "startpos moves 7g7f\nhello\n",
            "line 2 of the book: expected a game such as \"startpos moves 7g7f 3c3d\", found \"hello\"",
        ),
        (
            "#YANEURAOU-DB2016 1.00\nsfen x\n",
            "line 2 of the book: expected a position, found \"sfen x\"",
        ),
        (
            "#YANEURAOU-DB2016 1.00\n7g7f\n",
            "line 2 of the book: expected a line that begins with sfen, found \"7g7f\"",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_move_that_is_illegal_where_it_stands_is_never_played() {
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let book = read(&format!("#YANEURAOU-DB2016 1.00\n{start}\n7g7e\n7g7f\n")).unwrap();
    assert_eq!(moves_of(&book, ""), [("7g7f".to_owned(), 1)]);
}
