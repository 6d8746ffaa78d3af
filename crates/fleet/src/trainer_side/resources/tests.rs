use super::*;

fn card(run: &str) -> RunCard {
    RunCard {
        format: 1,
        run: run.to_owned(),
        name: "quick".to_owned(),
        program: String::new(),
        records: 1,
        encoding: 1,
        seed: 1,
        first_worker: 7,
        selfplay: serde_json::Value::Null,
    }
}

#[test]
fn numbers_of_workers_go_on_in_the_same_run_only() {
    let bytes = serde_json::to_vec(&card("a")).unwrap();
    assert_eq!(first_worker_of(&bytes, &card("a")).unwrap(), 7);
    for (bytes, ours) in [(&bytes[..], "b"), (b"rubbish", "a"), (b"{}", "a")] {
        let error = first_worker_of(bytes, &card(ours)).unwrap_err();
        assert!(matches!(error, FleetError::OtherRun { .. }), "{error}");
    }
}

#[test]
fn numbers_that_may_have_been_given_out_are_skipped() {
    assert_eq!(first_worker_after(0).unwrap(), 0);
    assert_eq!(first_worker_after(5).unwrap(), 5 + (1 << 20));
    assert!(first_worker_after(MAX_WORKER as u32).is_err());
}
