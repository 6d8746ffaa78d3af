use super::*;

#[test]
fn usi_moves_are_written_as_they_were_read() {
    for text in ["7g7f", "8h2b+", "P*5e", "G*1i", "1a9i"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
}

#[test]
fn what_is_no_move_is_refused() {
    for text in [
        "", "7g", "7g7", "7g7g", "0a1a", "7j7f", "K*5e", "P*5e+", "7g7f++", "p*5e", "７g7f",
    ] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    let error = "7g".parse::<Move>().unwrap_err().to_string();
    assert_eq!(
        error,
        "move \"7g\": expected USI notation such as 7g7f, 8h2b+ or P*5e"
    );
}

#[test]
fn numbers_and_moves_correspond_one_to_one() {
    let mut n_moves = 0;
    for raw in 0..=u16::MAX {
        if let Some(mv) = Move::from_raw(raw) {
            assert_eq!(mv.raw(), raw);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            n_moves += 1;
        }
    }
    assert_eq!(n_moves, 81 * 80 * 2 + 81 * 7);
}
