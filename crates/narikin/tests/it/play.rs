use crate::arena::{has_openvino, small_net};
use crate::program::{check_refused, narikin, stderr, talk, test_folder};

#[test]
fn a_game_can_be_played_with_hints_and_moves_taken_back() {
    if !has_openvino() {
        return;
    }
    let net = small_net(&test_folder("play"));
    let mut command = narikin();
    command
        .args(["play", "--model", &net, "--side", "black", "--visits", "4"])
        .args(["--pieces", "japanese"]);
    let output = talk(
        command,
        "help\nhint\n7g7f\nundo\n２六歩\n9a9i\nresign\nquit\n",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "Type a move",
        "Narikin would play ▲",
        "You: ▲７六歩 [7g7f]",
        "You: ▲２六歩 [2g2f]",
        "Narikin: △",
        "|v香v桂v銀v金v玉v金v銀v桂v香|一",
        "Narikin has won (resignation).",
        "Goodbye.",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn a_start_or_a_net_that_is_none_is_refused() {
    check_refused(&["play", "--sfen", "x"], 3, &["x"]);
    check_refused(&["play", "--model", "nowhere.safetensors"], 3, &["nowhere"]);
}
