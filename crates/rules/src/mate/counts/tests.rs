use super::Counts;
use crate::mate::testing::Stream;
use crate::{Hand, PieceKind};

/// A hand with up to four of each kind, and what it holds.
fn random(stream: &mut Stream) -> (Counts, [u32; 7]) {
    let mut hand = Hand::default();
    for kind in PieceKind::HAND {
        hand.add(kind, stream.below(5) as u8);
    }
    let counts = Counts::of(&hand);
    (counts, PieceKind::HAND.map(|kind| hand.count(kind)))
}

fn as_array(counts: Counts) -> [u32; 7] {
    PieceKind::HAND.map(|kind| counts.count(kind))
}

#[test]
fn the_order_compares_kind_by_kind() {
    let mut stream = Stream(1);
    let mut n_covering = 0;
    for _ in 0..20_000 {
        let (a, in_a) = random(&mut stream);
        let (b, in_b) = random(&mut stream);
        let covers = in_a.iter().zip(in_b).all(|(&a, b)| a >= b);
        assert_eq!(a.covers(b), covers, "{in_a:?} {in_b:?}");
        n_covering += u32::from(covers);
        assert!(a.covers(a) && Counts::ALL.covers(a) && a.covers(Counts::NONE));
    }
    assert!(n_covering > 20, "{n_covering}");
}

#[test]
fn join_and_meet_take_the_larger_and_the_smaller_counts() {
    let mut stream = Stream(2);
    for _ in 0..2_000 {
        let (a, in_a) = random(&mut stream);
        let (b, in_b) = random(&mut stream);
        let larger: Vec<u32> = in_a.iter().zip(in_b).map(|(&a, b)| a.max(b)).collect();
        let smaller: Vec<u32> = in_a.iter().zip(in_b).map(|(&a, b)| a.min(b)).collect();
        assert_eq!(as_array(a.join(b)).to_vec(), larger);
        assert_eq!(as_array(a.meet(b)).to_vec(), smaller);
        assert_eq!(a.meet(Counts::ALL), a);
    }
}

#[test]
fn adding_and_taking_a_piece_stop_at_nothing_and_at_any_number() {
    for kind in PieceKind::HAND {
        assert_eq!(Counts::NONE.minus(kind), Counts::NONE);
        assert_eq!(Counts::ALL.plus(kind), Counts::ALL);
        assert_eq!(Counts::ALL.minus(kind), Counts::ALL);
        let two = Counts::NONE.plus(kind).plus(kind);
        assert_eq!(two.count(kind), 2);
        assert_eq!(two.minus(kind).minus(kind), Counts::NONE);
        assert_eq!(Counts::ALL.at_most(kind, 2).count(kind), 2);
        assert_eq!(Counts::NONE.at_least(kind, 2), two);
    }
}

#[test]
fn the_largest_hand_that_a_position_can_have_fits() {
    let mut hand = Hand::default();
    for (kind, n) in PieceKind::HAND.into_iter().zip([18, 8, 8, 8, 4, 4, 8]) {
        hand.add(kind, n);
    }
    assert_eq!(as_array(Counts::of(&hand)), [18, 8, 8, 8, 4, 4, 8]);
}
