use std::io::Write;
use std::process::{Output, Stdio};

use crate::arena::{has_openvino, small_net};
use crate::program::{narikin, test_folder};

/// Sends the lines, then waits for the end.
fn talk(mut command: std::process::Command, lines: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn it_introduces_itself_without_looking_for_a_net() {
    let mut command = narikin();
    command.arg("usi").current_dir(test_folder("usi-hello"));
    let output = talk(command, "usi\nquit\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("id name Narikin "), "{text}");
    assert!(text.trim_end().ends_with("usiok"), "{text}");
    assert!(
        text.contains("option name DNN_Model type filename"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_net_that_is_nowhere_is_told_to_the_gui_at_isready() {
    let mut command = narikin();
    command.arg("usi").current_dir(test_folder("usi-no-net"));
    let output = talk(command, "usi\nisready\nquit\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text
        .lines()
        .any(|line| line.starts_with("info string") && line.contains("no net"));
    assert!(told, "{text}");
    assert!(!text.contains("readyok"));
}

#[test]
fn it_answers_go_with_a_legal_move() {
    if !has_openvino() {
        return;
    }
    let mut command = narikin();
    command.args(["usi", "--model", &small_net(&test_folder("usi-go"))]);
    let lines = "usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 8\n";
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    let stdout = child.stdout.take().unwrap();
    let best = std::io::BufRead::lines(std::io::BufReader::new(stdout))
        .map_while(Result::ok)
        .find(|line| line.starts_with("bestmove "))
        .expect("the engine answers");
    stdin.write_all(b"quit\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mv = best.split(' ').nth(1).unwrap().parse().unwrap();
    let mut position = rules::Position::startpos();
    position.do_move("7g7f".parse().unwrap());
    assert!(position.is_legal(mv), "{best}");
}
