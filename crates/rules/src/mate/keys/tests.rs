use super::{board_key, key_after};
use crate::mate::testing::walk;

#[test]
fn the_key_after_a_move_is_the_key_of_the_board_after_it() {
    walk(21, 600, |position| {
        let key = board_key(position);
        for &mv in &position.legal_moves() {
            let mut after = position.clone();
            after.do_move(mv);
            assert_eq!(
                key_after(position, key, mv),
                board_key(&after),
                "{mv} in {position}"
            );
        }
    });
}
