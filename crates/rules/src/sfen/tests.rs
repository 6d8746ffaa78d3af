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
fn what_is_no_position_is_refused_with_the_place() {
    check_refused("", "sfen: the board is missing");
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
        "+G3k4/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen board, rank a: found \"+G\", expected a piece (KRBGSNLP, + before RBSNLP) or a \
         number of empty squares 1-9",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "sfen side to move: found \"x\", expected b or w",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b 19p 1",
        "sfen hands: found \"19p\", expected - or counts and pieces such as RB2gp",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b - one",
        "sfen move number: found \"one\", expected a number",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b - 1 7g7f",
        "sfen: found \"7g7f\" after the move number, expected nothing",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/9/4K4 b 2R+b 1",
        "sfen hands: found \"2R+b\", expected - or counts and pieces such as RB2gp",
    );
    check_refused(
        "rr2k4/9/9/9/9/9/9/9/4K4 b 3R 1",
        "sfen: found 5 pieces of kind Rook, expected at most 4",
    );
    check_refused(
        "4k3k/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen: white has two kings, expected one",
    );
    check_refused(
        "P3k4/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen: the piece P on 9a could never move",
    );
    check_refused(
        "4k4/9/9/9/9/P8/P8/9/4K4 b - 1",
        "sfen: black has two unpromoted pawns on file 9",
    );
    check_refused(
        "4k4/9/9/9/9/9/9/4R4/4K4 b - 1",
        "sfen: white is in check, but it is the opponent's turn",
    );
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
