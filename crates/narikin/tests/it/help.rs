use crate::program::{narikin, run, stderr, stdout_of};

/// Every command of the program.
fn commands() -> Vec<String> {
    let help = stdout_of(&["--help"]);
    let list = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_help_with_a_heading_and_an_example() {
    let commands = commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        let help = stdout_of(&[command, "--help"]);
        let heading = help.lines().next().unwrap();
        assert!(
            heading.len() <= 72 && !heading.ends_with('.'),
            "{command}: {heading}"
        );
        assert!(
            heading.starts_with(|c: char| c.is_ascii_uppercase()),
            "{command}: {heading}"
        );
        assert!(help.contains("Example"), "{command} shows no example");
    }
}

#[test]
fn paragraphs_of_a_help_text_fill_the_width_of_the_terminal() {
    let columns = 60;
    for command in commands().iter().filter(|name| *name != "help") {
        let help = narikin()
            .args([command, "--help"])
            .env("COLUMNS", columns.to_string())
            .output()
            .unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            let with_next = pair[0].chars().count() + 1 + next.chars().count();
            let goes_on = !pair[0].is_empty() && !pair[0].starts_with(' ') && !next.is_empty();
            assert!(!goes_on || columns < with_next, "{command}: {}", pair[0]);
        }
    }
}

#[test]
fn the_main_help_lists_the_exit_codes() {
    let help = stdout_of(&["--help"]);
    for line in [
        "0    done",
        "1    failed",
        "2    usage",
        "3    config",
        "4    the answer",
        "130",
    ] {
        assert!(help.contains(line), "{line}");
    }
}

#[test]
fn the_version_is_printed_on_stdout() {
    assert!(stdout_of(&["--version"]).starts_with("narikin "));
}

#[track_caller]
fn check_usage_error(args: &[&str]) {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).starts_with("error: ") || stderr(&output).contains("Usage:"));
}

#[test]
fn what_the_command_line_does_not_know_is_a_usage_error() {
    check_usage_error(&[]);
    check_usage_error(&["frobnicate"]);
    check_usage_error(&["perft", "1", "--frobnicate"]);
    check_usage_error(&["perft", "deep"]);
    check_usage_error(&["position", "startpos", "--sfen", "startpos"]);
}
