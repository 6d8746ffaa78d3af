use super::*;

/// What the last of these lines that asks for anything asks for; all of them come at the same time. The
/// number of the `go`, and, if there is a clock, after how many milliseconds which answer goes out.
#[track_caller]
fn after(lines: &[&str]) -> Option<(u64, Option<(u128, String)>)> {
    let at = Instant::now();
    let mut standby = Standby::new(Settings::default());
    let mut last = None;
    for line in lines {
        last = standby.hear(line, at).or(last);
    }
    let (n_go, turn, lines) = match last? {
        Call::Go {
            n_go,
            answer: Some((turn, lines)),
        } => (n_go, turn, lines),
        Call::Go { n_go, answer: None } | Call::Stop { n_go, .. } => return Some((n_go, None)),
    };
    assert_eq!(turn.since, at);
    let [.., info, best] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert!(info.contains(" score "), "{info}");
    Some((n_go, Some(((turn.until - at).as_millis(), best.clone()))))
}

#[test]
fn every_go_with_a_clock_has_an_answer_at_its_last_moment() {
    // Half of a very short time, all but the delay of a longer one.
    let go = "go btime 0 wtime 0 byoyomi 200";
    let (n_go, promise) = after(&["position startpos", go]).unwrap();
    assert_eq!((n_go, promise.unwrap().0), (1, 100));
    let (n_go, promise) = after(&[go, "go btime 9000 wtime 1000 binc 100 winc 100"]).unwrap();
    assert_eq!((n_go, promise.unwrap().0), (2, 8880));
    let settings = "setoption name NetworkDelay value 1000";
    let (_, promise) = after(&[settings, "go movetime 10000"]).unwrap();
    assert_eq!(promise.unwrap().0, 9000);
}

#[test]
fn a_go_without_a_clock_has_none() {
    for go in ["go nodes 5", "go infinite", "go infinite byoyomi 9", "go"] {
        assert_eq!(after(&["go byoyomi 9", go]), Some((2, None)), "{go}");
    }
    // No `bestmove` answers this one.
    let (n_go, _) = after(&["go mate 9", "go byoyomi 9"]).unwrap();
    assert_eq!(n_go, 1);
    assert_eq!(after(&["usi", "isready", "rubbish", "go mate"]), None);
}

#[test]
fn a_ponder_search_gets_its_answer_at_ponderhit() {
    let go = "go ponder btime 0 wtime 0 byoyomi 2000";
    assert_eq!(after(&[go]), Some((1, None)));
    assert_eq!(after(&[go, "ponderhit"]).unwrap().1.unwrap().0, 1880);
    let hit = "ponderhit btime 0 wtime 0 byoyomi 1000";
    assert_eq!(after(&[go, hit]).unwrap().1.unwrap().0, 880);
    // Too late.
    assert_eq!(after(&[go, "stop", "ponderhit"]), Some((1, None)));
}

#[test]
fn it_answers_for_the_last_position_that_can_be_read() {
    let mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    let go = "go byoyomi 1000";
    for lines in [
        &[mate, go][..],
        &["position startpos moves 7g7f", mate, go],
        &[mate, "position startpos moves 7g7e", go],
        &[mate, "position startpos moves 7g7e", "position", go],
    ] {
        let (_, answer) = after(lines).unwrap().1.unwrap();
        assert_eq!(answer, "bestmove G*5b", "{lines:?}");
    }
    let mated = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1";
    assert_eq!(after(&[mated, go]).unwrap().1.unwrap().1, "bestmove resign");
}
