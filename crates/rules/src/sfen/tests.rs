use crate::Position;

#[track_caller]
fn check_refused(sfen: &str, message: &str) {
    assert_eq!(Position::from_sfen(sfen).unwrap_err().to_string(), message);
}

#[test]
fn a_position_is_written_as_it_was_read() {
    for sfen in [
        super::STARTPOS_SFEN,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 37",
    ] {
        assert_eq!(Position::from_sfen(sfen).unwrap().to_string(), sfen);
    }
}

#[test]
fn the_words_sfen_and_startpos_are_accepted() {
    let startpos = Position::startpos();
    assert_eq!(Position::from_sfen("startpos").unwrap(), startpos);
    assert_eq!(
        Position::from_sfen(&format!("sfen {startpos}")).unwrap(),
        startpos
    );
}

#[test]
fn the_move_number_is_optional_and_the_ply_is_one_less() {
    let kings = "4k4/9/9/9/9/9/9/9/4K4 w -";
    assert_eq!(Position::from_sfen(kings).unwrap().ply(), 0);
    assert_eq!(
        Position::from_sfen(&format!("{kings} 12")).unwrap().ply(),
        11
    );
    assert_eq!(Position::from_sfen(&format!("{kings} 0")).unwrap().ply(), 0);
}

#[test]
fn what_is_no_sfen_is_refused_with_the_place() {
    check_refused("", "sfen: the board is missing");
    check_refused("sfen", "sfen: the board is missing");
    check_refused("4k4/9/9/9/9/9/9/9/4K4", "sfen: the side to move is missing");
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b",
        "sfen: the hands field is missing",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9 b - 1",
        "sfen board: found 8 ranks, expected 9",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K5 b - 1",
        "sfen board, rank i: found 10 squares, expected 9",
    );
    check_refused(
        "K+P+P+P+P+P+P+P+P1/9/9/9/9/9/9/9/4k4 b - 1",
        "sfen board, rank a: found 10 squares, expected 9",
    );
    check_refused(
        "4k4/9/8/9/9/9/9/9/4K4 b - 1",
        "sfen board, rank c: found 8 squares, expected 9",
    );
    for (board, place, found) in [
        ("+G3k4/9/9/9/9/9/9/9/4K4", "rank a, file 9", "+G"),
        ("4k4/9/9/9/9/3+K5/9/9/9", "rank f, file 6", "+K"),
        ("4k4/9/9/9/9/9/2++P6/9/4K4", "rank g, file 7", "++"),
        ("4k4/9/9/9/9/9/2+3P3/9/4K4", "rank g, file 7", "+3"),
        ("4k4/9/9/9/9/9/9/9/4K4+", "rank i, after file 1", "+"),
        ("4k4/9/9/9/9/9/9/9/4K4x", "rank i, after file 1", "x"),
        ("4k4/9/9/9/9/9/9/9/4玉4", "rank i, file 5", "玉"),
        ("4k4/0/9/9/9/9/9/9/4K4", "rank b, file 9", "0"),
    ] {
        check_refused(
            &format!("{board} b - 1"),
            &format!(
                "sfen board, {place}: found {found:?}, expected a piece (KRBGSNLP, + before \
                 RBSNLP) or a number of empty squares 1-9"
            ),
        );
    }
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "sfen side to move: found \"x\", expected b or w",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b - one",
        "sfen move number: found \"one\", expected a number",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b - 1 7g7f",
        "sfen: found \"7g7f\" after the move number, expected nothing",
    );
}

#[test]
fn hands_that_cannot_be_read_are_refused_with_the_part() {
    for (hands, found) in [
        ("19p", "19"),
        ("0p", "0"),
        ("2R+b", "+"),
        ("2R-", "-"),
        ("RK", "K"),
        ("x", "x"),
    ] {
        check_refused(
            &format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"),
            &format!(
                "sfen hands {hands:?}: found {found:?}, expected - or pieces (RBGSNLP), with \
                 counts 2-18 before, as in RB2gp"
            ),
        );
    }
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b R2 1",
        "sfen hands \"R2\": found the end after a count, expected a piece (RBGSNLP)",
    );
}

#[test]
fn a_position_that_could_not_arise_is_refused_with_squares_and_reason() {
    check_refused(
        "rr2k4/9/9/9/9/9/9/9/4K4 b 3R 1",
        "sfen: found 5 rooks (2 on the board, 3 in hand), expected at most 4",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b 10P9p 1",
        "sfen: found 19 pawns (0 on the board, 19 in hand), expected at most 18",
    );
    check_refused(
        "4k3k/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen: white has kings on 1a and 5a, expected at most one",
    );
    check_refused(
        "P3k4/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen: the black pawn on 9a could never move, expected it on ranks b to i",
    );
    check_refused(
        "4k4/3N5/9/9/9/9/9/9/4K4 b - 1",
        "sfen: the black knight on 6b could never move, expected it on ranks c to i",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K2l1 b - 1",
        "sfen: the white lance on 2i could never move, expected it on ranks a to h",
    );
    check_refused(
        "4k4/9/9/9/9/P8/P8/9/4K4 b - 1",
        "sfen: black has unpromoted pawns on 9f and 9g, expected at most one on file 9",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/4R4/4K4 b - 1",
        "sfen: white's king on 5a is in check by the rook on 5h, but black is to move",
    );
    check_refused(
        "3gk4/9/9/9/9/9/3n5/9/4K4 w - 1",
        "sfen: black's king on 5i is in check by the knight on 6g, but white is to move",
    );
    check_refused(
        "4k4/4G4/9/9/9/9/B8/9/4K4 b - 1",
        "sfen: white's king on 5a is in check by the gold on 5b, but black is to move",
    );
    check_refused(
        "4k4/5G3/9/9/B8/9/9/9/4K4 b - 1",
        "sfen: white's king on 5a is in check by the gold on 4b and the bishop on 9e, but black is \
         to move",
    );
    check_refused(
        "4k4/4K4/9/9/9/9/9/9/9 b - 1",
        "sfen: white's king on 5a is in check by the king on 5b, but black is to move",
    );
}

#[test]
fn a_move_number_beyond_any_game_is_refused() {
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b - 4294967295",
        "sfen: found ply 4294967294, expected at most 2147483648",
    );
}

#[test]
fn problems_and_odd_sets_are_accepted() {
    for sfen in [
        // One king, or none.
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "9/9/9/9/9/9/9/9/4K4 w - 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
        // All pieces in one hand.
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
        // Fewer pieces than a set, and three bishops.
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "k8/1B7/B8/9/9/9/9/9/4K4 w b 1",
        // The side to move may be in check, also twice.
        "4k4/5G3/9/9/B8/9/9/9/4K4 w - 1",
    ] {
        assert_eq!(Position::from_sfen(sfen).unwrap().to_string(), sfen);
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let base = super::STARTPOS_SFEN.as_bytes();
    for i in 0..base.len() {
        for byte in [b' ', b'+', b'9', b'0', b'K', b'/', b'x', 0xc3] {
            let mut text = base.to_vec();
            text[i] = byte;
            // Only that it returns matters here.
            let _ = Position::from_sfen(&String::from_utf8_lossy(&text));
        }
    }
}
