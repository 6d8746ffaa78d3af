//! Starting the binary and looking at what it leaves.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The binary under test, with no terminal and no environment that changes its behaviour.
pub fn narikin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_narikin"));
    command.env_remove("RUST_BACKTRACE").env("NO_COLOR", "1");
    command
}

/// Runs the binary to its end.
pub fn run(args: &[&str]) -> Output {
    narikin().args(args).output().expect("the binary starts")
}

/// Standard output of a run that must succeed.
#[track_caller]
pub fn stdout_of(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}

/// Standard output of a run that must succeed, as one JSON object.
#[track_caller]
pub fn json_of(args: &[&str]) -> serde_json::Value {
    let text = stdout_of(args);
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect(&text)
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run that must end with `code` and exactly one line on standard error, which starts with
/// `error: ` and contains each of `parts`.
#[track_caller]
pub fn check_refused(args: &[&str], code: i32, parts: &[&str]) {
    let output = run(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(message.starts_with("error: "), "{message}");
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
}

/// Starts `command`, says `lines` to it and waits for its end.
pub fn talk(mut command: Command, lines: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(lines.as_bytes())
        .expect("the program listens");
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// Sends Ctrl-C to a run, which must end with code 130.
#[track_caller]
pub fn interrupted(child: Child) -> Output {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("there is a program kill");
    assert!(sent.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    output
}

/// A new, empty folder for the test called `name`; names are not used twice.
pub fn test_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old test folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a test folder can be created");
    folder
}

/// A path as the text of an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are UTF-8")
}
