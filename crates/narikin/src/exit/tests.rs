use std::io;

use anyhow::Context;

use super::*;

#[track_caller]
fn check(error: anyhow::Error, code: u8, message: Option<&str>) {
    assert_eq!(classify(&error), (code, message.map(str::to_owned)));
}

fn not_found() -> Result<(), io::Error> {
    Err(io::Error::new(io::ErrorKind::NotFound, "no such file"))
}

#[test]
fn an_unmarked_error_is_a_failure_with_its_whole_chain_on_one_line() {
    let error = not_found()
        .context("reading\nx")
        .context("starting")
        .unwrap_err();
    check(error, FAILED, Some("starting: reading x: no such file"));
}

#[test]
fn a_refused_error_keeps_its_text_and_gets_code_3_under_any_context() {
    let error = not_found()
        .context("reading x")
        .refused()
        .context("starting")
        .unwrap_err();
    check(error, REFUSED, Some("starting: reading x: no such file"));
}

#[test]
fn a_closed_standard_output_is_success_without_a_message() {
    check(
        anyhow::Error::new(StdoutClosed).context("printing the table"),
        DONE,
        None,
    );
}

#[test]
fn a_broken_pipe_to_anything_but_standard_output_is_a_failure() {
    let error = anyhow::Error::new(io::Error::new(io::ErrorKind::BrokenPipe, "engine died"));
    check(error, FAILED, Some("engine died"));
}

#[test]
fn interruption_and_usage_have_their_own_codes() {
    check(Interrupted.into(), INTERRUPTED, Some("interrupted"));
    check(Usage("two of --a".into()).into(), USAGE, Some("two of --a"));
}
