use super::*;

#[test]
fn pawns_that_fall_face_up_decide_who_begins() {
    let all_up = throw(u64::MAX);
    assert_eq!(all_up.0, Color::Black);
    assert!(
        all_up
            .1
            .contains("歩 歩 歩 歩 歩 (5 pawns, 0 promoted): you begin")
    );
    let none_up = throw(0);
    assert_eq!(none_up.0, Color::White);
    let three_up = throw(0b111 << 59);
    assert_eq!(three_up.0, Color::Black);
    let two_up = throw(0b11 << 59);
    assert_eq!(two_up.0, Color::White);
}
