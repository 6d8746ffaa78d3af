use super::*;

#[test]
fn members_have_numbers_of_their_own_and_no_others() {
    for (member, start) in [(0, 0), (7, 12), (u16::MAX, MAX_STARTS - 1)] {
        let worker = member_worker(member, start);
        assert_eq!(Sender::of(worker), Sender::Member(member));
        assert!(u64::from(worker) > MAX_WORKER && worker < 1 << 31);
    }
    let last = MAX_WORKER as u32;
    assert_eq!(Sender::of(last), Sender::Worker(last));
    assert_ne!(member_worker(7, 1), member_worker(8, 1));
}

#[test]
fn a_game_number_holds_worker_and_sequence() {
    for (worker, sequence) in [(1, 0), (1, u32::MAX), (0x7fff_ffff, 12)] {
        let id = game_id(worker, sequence);
        assert_eq!((worker_of(id), sequence_of(id)), (worker, sequence));
        assert!((FIRST_FLEET_GAME..1 << 63).contains(&id));
    }
    assert_eq!(worker_of(FIRST_FLEET_GAME - 1), 0);
}
