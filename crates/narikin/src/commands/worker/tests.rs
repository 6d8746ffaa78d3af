use clap::Parser;

use super::*;
use crate::cli::{Cli, Command};

const PAGE: &str = include_str!("../../../../../docs/fleet.md");

/// What a page's command line says to `narikin worker`.
#[track_caller]
fn read(words: &[&str]) -> WorkerArgs {
    let words = [&["narikin"], words].concat();
    match Cli::try_parse_from(&words).map(|cli| cli.command) {
        Ok(Command::Worker(args)) => args,
        Ok(other) => panic!("{words:?} is another command: {other:?}"),
        Err(error) => panic!("{words:?}: {error}"),
    }
}

#[test]
fn the_documented_service_starts_a_worker_that_has_time_to_leave() {
    let value = |key: &str| {
        let found = PAGE.lines().find_map(|line| line.strip_prefix(key));
        found.unwrap_or_else(|| panic!("the page has no {key}"))
    };
    let start = value("ExecStart=/opt/narikin/narikin ");
    let args = read(&start.split(' ').collect::<Vec<_>>());
    assert!(args.spool.is_some() && args.broker.creds_file.is_some());
    let time: u64 = value("TimeoutStopSec=").parse().unwrap();
    assert!(time > 2 * args.grace, "{time} seconds");
    assert_eq!(value("SuccessExitStatus="), "130");
}

#[test]
fn the_documented_pod_starts_a_worker_that_has_time_to_leave() {
    let value = |key: &str| {
        let found = PAGE
            .lines()
            .find_map(|line| line.trim_start().strip_prefix(key));
        found.unwrap_or_else(|| panic!("the page has no {key}"))
    };
    let words = value("args: [").trim_end_matches(']').split(", ");
    let words: Vec<&str> = words.map(|word| word.trim_matches('"')).collect();
    let args = read(&words);
    assert_eq!(args.threads, Some(4));
    let time: u64 = value("terminationGracePeriodSeconds: ").parse().unwrap();
    assert!(time > 2 * args.grace, "{time} seconds");
}

#[test]
fn labels_are_short_and_readable_whatever_was_given() {
    assert_eq!(label(Some(" anna\n")), "anna");
    assert_eq!(label(Some("a\u{1b}[31m")), "a[31m");
    assert_eq!(label(Some(&"x".repeat(1000))).len(), LABEL_LEN);
}
