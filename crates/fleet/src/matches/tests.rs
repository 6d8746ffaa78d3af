use std::time::Duration;

use super::*;
use crate::testing::{Nats, wait_for};
use crate::{FleetError, Hash, ModelRef, RunId};

const PATIENCE: Duration = Duration::from_millis(100);

fn pool(name: &str) -> RunId {
    RunId::of(&[name])
}

fn take(seat: &mut MatchSeat) -> PairTask {
    wait_for("pair", || seat.take().unwrap())
}

/// The next `n` results, in the order of their texts.
fn results(desk: &MatchDesk, n: usize) -> Vec<String> {
    let mut found = Vec::new();
    wait_for("result", || {
        for delivery in desk.results(PATIENCE).unwrap() {
            found.push(String::from_utf8(delivery.bytes().to_vec()).unwrap());
            desk.settle(delivery.receipt);
        }
        (n <= found.len()).then_some(())
    });
    found.sort();
    found
}

#[test]
fn pairs_go_to_one_worker_each_and_results_come_back() {
    let Some(nats) = Nats::start() else { return };
    let (here, there) = (nats.connect(), nats.connect());
    let mut seat = MatchSeat::new(&there);
    assert!(seat.take().unwrap().is_none(), "there never was a match");
    let desk = MatchDesk::open(&here, pool("a")).unwrap();
    let net = vec![7; 300_000];
    let named = desk.lay_net(&net).unwrap();
    for pair in [b"1", b"2"] {
        desk.offer(pair.to_vec()).unwrap();
    }
    assert_eq!(desk.n_open().unwrap(), 2);
    let mut other = MatchSeat::new(&nats.connect());
    let (first, second) = (take(&mut seat), take(&mut other));
    assert_eq!((first.bytes(), second.bytes()), (&b"1"[..], &b"2"[..]));
    assert!(seat.take().unwrap().is_none());
    assert_eq!(first.net(&named).unwrap(), net);
    let status = MatchStatus::read(&here).unwrap();
    assert_eq!((status.waiting, status.in_play, status.results), (0, 2, 0));
    first.finish(b"one").unwrap();
    second.finish(b"two").unwrap();
    assert_eq!(results(&desk, 2), ["one", "two"]);
    wait_for("empty queue", || {
        (desk.n_open().unwrap() == 0 && MatchStatus::read(&here).unwrap() == MatchStatus::default())
            .then_some(())
    });
    desk.close().unwrap();
    let gone = second.net(&named);
    assert!(gone.is_err(), "who closes takes the nets away");
}

#[test]
fn a_pair_of_a_worker_that_is_not_heard_of_goes_to_another() {
    let Some(nats) = Nats::start() else { return };
    let desk = MatchDesk::open(&nats.connect(), pool("a")).unwrap();
    desk.offer(b"pair".to_vec()).unwrap();
    let lost = take(&mut MatchSeat::new(&nats.connect()));
    // Given back after it was lost by its worker: that of somebody else by then.
    let mut seat = MatchSeat::new(&nats.connect());
    let found = take(&mut seat);
    assert_eq!(found.bytes(), b"pair");
    // Given back in good order: soon there again.
    found.give_back();
    let again = take(&mut seat);
    again.finish(b"done").unwrap();
    assert_eq!(results(&desk, 1), ["done"]);
    // The worker that had been silent brings the same: the broker knows it.
    lost.finish(b"done").unwrap();
    lost.finish(b"done otherwise").unwrap();
    assert_eq!(results(&desk, 1), ["done otherwise"]);
    assert!(desk.results(PATIENCE).unwrap().is_empty());
}

#[test]
fn pools_do_not_see_each_others_results_and_take_back_their_own_pairs() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let desks = ["a", "b"].map(|name| MatchDesk::open(&broker, pool(name)).unwrap());
    desks[0].offer(b"of a".to_vec()).unwrap();
    desks[1].offer(b"of b".to_vec()).unwrap();
    // The first process ends without a word, and another one opens its pool.
    let [_, second] = desks;
    let first = MatchDesk::open(&broker, pool("a")).unwrap();
    assert_eq!((first.n_open().unwrap(), second.n_open().unwrap()), (0, 1));
    let task = take(&mut MatchSeat::new(&broker));
    assert_eq!(task.bytes(), b"of b");
    task.finish(b"for b").unwrap();
    assert!(first.results(PATIENCE).unwrap().is_empty());
    assert_eq!(results(&second, 1), ["for b"]);
}

#[test]
fn a_result_that_is_not_settled_comes_again_to_the_next_process() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let broker = nats.connect();
    let desk = MatchDesk::open(&broker, pool("a")).unwrap();
    desk.offer(b"pair".to_vec()).unwrap();
    take(&mut MatchSeat::new(&broker)).finish(b"kept").unwrap();
    drop(desk);
    nats.kill_and_restart(false);
    let broker = nats.connect();
    let desk = MatchDesk::open(&broker, pool("a")).unwrap();
    assert_eq!(results(&desk, 1), ["kept"]);
}

#[test]
fn a_net_with_other_bytes_than_were_asked_for_is_not_taken() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let desk = MatchDesk::open(&broker, pool("a")).unwrap();
    let named = desk.lay_net(b"net").unwrap();
    desk.offer(b"pair".to_vec()).unwrap();
    let task = take(&mut MatchSeat::new(&broker));
    let wrong = ModelRef {
        sha256: Hash::of(b"another").to_string(),
        ..named.clone()
    };
    assert!(matches!(
        task.net(&wrong),
        Err(FleetError::WrongModel { .. })
    ));
    let longer = ModelRef { bytes: 4, ..named };
    assert!(matches!(
        task.net(&longer),
        Err(FleetError::WrongModel { .. })
    ));
}

#[test]
fn a_result_that_is_too_large_is_refused_by_the_broker() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let desk = MatchDesk::open(&broker, pool("a")).unwrap();
    desk.offer(b"pair".to_vec()).unwrap();
    let task = take(&mut MatchSeat::new(&broker));
    assert!(task.finish(&vec![0; MAX_PAIR_BYTES + 2000]).is_err());
    assert!(desk.results(PATIENCE).unwrap().is_empty());
}
