use super::*;

#[test]
fn seats_are_each_others_opponents() {
    assert_eq!(Seat::ALL.map(Seat::index), [0, 1]);
    assert_eq!(Seat::ALL.map(Seat::other), [Seat::B, Seat::A]);
}
