use std::process::Stdio;

use serde_json::json;

use crate::program::{check_refused, json_of, narikin, run, stdout_of};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn without_arguments_it_shows_the_start_position() {
    let facts = json_of(&["position", "--json"]);
    assert_eq!(facts["schema"], 1);
    assert_eq!(facts["sfen"], START);
    assert_eq!(facts["side"], "black");
    assert_eq!(facts["in_check"], false);
    assert_eq!(facts["legal_moves"].as_array().unwrap().len(), 30);
    assert_eq!(facts["repetition"], 1);
    assert_eq!(facts["outcome"], json!(null));
    assert_eq!(facts["declaration"], "no");
    assert_eq!(facts["points"], json!({"black": 0, "white": 0}));
}

#[test]
fn all_ways_of_typing_one_position_agree() {
    let options = json_of(&[
        "position", "--sfen", START, "--moves", "7g7f", "3c3d", "--json",
    ]);
    let sfen = format!("sfen {START} moves 7g7f 3c3d");
    for text in [
        "startpos moves 7g7f 3c3d",
        "position startpos moves 7g7f 3c3d",
        sfen.as_str(),
        sfen.trim_start_matches("sfen "),
    ] {
        assert_eq!(json_of(&["position", "--json", text]), options, "{text}");
    }
    let words = ["position", "--json", "startpos", "moves", "7g7f", "3c3d"];
    assert_eq!(json_of(&words), options);
    assert_eq!(
        json_of(&["position", "--moves", "7g7f", "3c3d", "--json"]),
        options
    );
}

#[test]
fn a_mated_side_has_lost_by_checkmate() {
    let text = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b";
    let facts = json_of(&["position", "--json", text]);
    assert_eq!(facts["side"], "white");
    assert_eq!(facts["in_check"], true);
    assert_eq!(facts["legal_moves"], json!([]));
    assert_eq!(
        facts["outcome"],
        json!({"winner": "black", "reason": "checkmate"})
    );
}

#[test]
fn the_drawing_has_the_board_the_hands_and_the_facts() {
    let text = stdout_of(&["position", "sfen 4k4/9/4+P4/9/9/9/9/9/4K4 b 2G3p 7"]);
    let expected = "\
White in hand: 3 pawns
  9  8  7  6  5  4  3  2  1
  .  .  .  .  k  .  .  .  .  a
  .  .  .  .  .  .  .  .  .  b
  .  .  .  . +P  .  .  .  .  c
";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.contains("Black in hand: 2 golds\nBlack to move\n"),
        "{text}"
    );
    assert!(text.contains("to move      black, ply 6\n"), "{text}");
    assert!(text.contains("outcome      none yet\n"), "{text}");
}

#[test]
fn the_board_is_drawn_in_the_script_that_is_asked_for() {
    let text = "sfen 4k4/9/4+P4/9/9/9/9/9/4K4 b 2G3p 7";
    let japanese = stdout_of(&["position", "--board", "japanese", text]);
    assert!(
        japanese.starts_with("後手の持駒：歩三\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"),
        "{japanese}"
    );
    assert!(
        japanese.contains("\n| ・ ・ ・ ・ と ・ ・ ・ ・|三\n"),
        "{japanese}"
    );
    let none = stdout_of(&["position", "--board", "none", text]);
    assert!(none.starts_with("sfen         4k4/"), "{none}");
    let json = json_of(&["position", "--board", "none", "--json", text]);
    assert_eq!(json, json_of(&["position", "--json", text]));
}

#[test]
fn declaring_needs_the_rule_that_allows_it() {
    let text = "sfen K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b 2P 1";
    let facts = json_of(&["position", "--json", text]);
    assert_eq!(facts["declaration"], "win");
    assert_eq!(facts["points"], json!({"black": 28, "white": 0}));
    assert_eq!(
        json_of(&["position", "--json", "--rule", "none", text])["declaration"],
        "no"
    );
}

#[test]
fn a_declaration_can_draw_under_the_rule_of_24_points() {
    let text = "sfen K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b 4P 1";
    let facts = json_of(&["position", "--json", "--rule", "24", text]);
    assert_eq!(facts["declaration"], "draw");
    assert_eq!(facts["points"], json!({"black": 30, "white": 0}));
    assert_eq!(facts["outcome"], json!(null));
}

#[test]
fn a_try_is_a_declaration_before_and_an_outcome_after() {
    let text = "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1";
    let try_rule = |text: &str| json_of(&["position", "--json", "--rule", "try", text]);
    assert_eq!(try_rule(text)["declaration"], "win");
    assert_eq!(
        try_rule(&format!("{text} moves 5b5a"))["outcome"],
        json!({"winner": "black", "reason": "try"})
    );
}

#[test]
fn the_points_given_in_a_handicap_count() {
    let text = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d";
    let facts = json_of(&["position", "--json", text]);
    assert_eq!(facts["points"], json!({"black": 0, "white": 10}));
    let fragment = "sfen 4K4/9/9/9/9/9/3gggg2/3ssss2/3+p+p3k w RB4N4L9P7p 1";
    let facts = json_of(&["position", "--json", "--given", "10", fragment]);
    assert_eq!(
        (&facts["declaration"], &facts["points"]["white"]),
        (&json!("win"), &json!(27))
    );
}

#[test]
fn checks_prolong_a_game_beyond_the_limit_of_the_association() {
    let text = "sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves 9b9a";
    let at_limit = |style| {
        let options = [
            "position",
            "--json",
            "--max-ply",
            "1",
            "--max-ply-style",
            style,
            text,
        ];
        json_of(&options)["outcome"].clone()
    };
    assert_eq!(at_limit("jsa"), json!(null));
    assert_eq!(
        at_limit("plain"),
        json!({"winner": "draw", "reason": "ply-limit"})
    );
}

/// Row 25 of the rules' list of other programs' faults.
#[test]
fn what_is_no_position_is_refused_and_prints_nothing() {
    let output = run(&["position", "--json", "sfen sfen"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
}

#[test]
fn an_illegal_move_is_refused_by_its_number_and_reason() {
    let parts = [
        "position: move 2 ",
        "3c3e",
        "illegal",
        "the piece does not move that way",
    ];
    check_refused(&["position", "startpos moves 7g7f 3c3e"], 3, &parts);
}

#[test]
fn a_reader_that_leaves_early_is_not_an_error() {
    let mut child = narikin()
        .args(["perft", "2", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error"));
}
