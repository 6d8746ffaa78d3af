use super::*;

#[test]
fn names_hold_only_what_brokers_allow() {
    let run = RunName::new("quick-2.b_C").unwrap();
    assert_eq!(run.to_string(), "quick-2.b_C");
    assert_eq!(run.games(), "narikin-games-quick-2_b_C");
    assert_eq!(run.games_subject(7), "narikin.games.quick-2_b_C.7");
    assert_eq!(run.order_subject(), "$KV.narikin-run-quick-2_b_C.order");
    for refused in ["", "a b", "a*", "a>", "ä", &"x".repeat(101)] {
        assert_eq!(RunName::new(refused), None, "{refused:?}");
    }
}

#[test]
fn who_sends_a_message_is_in_its_subject() {
    let run = RunName::new("a").unwrap();
    let member = crate::ids::member_worker(7, 3);
    assert_eq!(run.games_subject(member), "narikin.games.a.n7");
    for worker in [12, member] {
        let sender = run.sender_of_subject(&run.games_subject(worker));
        assert_eq!(sender, Some(Sender::of(worker)));
    }
    for foreign in [
        "narikin.games.b.1",
        "narikin.games.a.x",
        "narikin.games.a.1.2",
        "narikin.games.a.n",
        "narikin.games.a.n65536",
    ] {
        assert_eq!(run.sender_of_subject(foreign), None, "{foreign}");
    }
}

#[test]
fn no_run_can_be_named_like_a_part_of_another() {
    let [a, b] = ["x", "x-live"].map(|name| RunName::new(name).unwrap());
    let names = |run: &RunName| [run.games(), run.bucket(), run.live(), run.models()];
    assert!(names(&a).iter().all(|name| !names(&b).contains(name)));
}
