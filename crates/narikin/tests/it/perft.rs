use crate::program::{check_refused, run, stderr, stdout_of};

#[test]
fn the_last_line_is_the_number_of_nodes_and_the_speed_is_on_stderr() {
    let output = run(&["perft", "3"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "nodes 25470\n");
    assert!(stderr(&output).contains("million nodes/s"));
}

#[test]
fn divide_prints_every_root_move_before_the_total() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let text = stdout_of(&["perft", "2", "--sfen", sfen, "--divide"]);
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.pop(), Some("nodes 25"));
    lines.sort();
    assert_eq!(lines, ["5i4h 5", "5i4i 5", "5i5h 5", "5i6h 5", "5i6i 5"]);
}

#[test]
fn depth_0_is_the_position_itself() {
    assert_eq!(stdout_of(&["perft", "0", "--divide"]), "nodes 1\n");
}

#[test]
fn a_bad_sfen_is_refused() {
    check_refused(&["perft", "1", "--sfen", "9/9 b - 1"], 3, &["--sfen: "]);
}
