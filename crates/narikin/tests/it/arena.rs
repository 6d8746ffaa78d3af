use std::path::Path;

use crate::program::{check_refused, json_of, narikin, run, stderr, stdout_of, test_folder, text};

const MATCH: [&str; 8] = [
    "arena", "greedy", "random", "--games", "8", "--seed", "7", "--json",
];

#[test]
fn the_json_of_one_match_has_the_agreed_fields() {
    let report = json_of(&MATCH);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["a"], "greedy");
    assert_eq!(report["b"], "random");
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(count("games"), 8);
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert_eq!(report["pentanomial"].as_array().unwrap().len(), 5);
    assert!(report["score"].as_f64().unwrap() > 0.5);
    for key in ["elo", "elo_low", "elo_high", "by_reason"] {
        assert!(report.get(key).is_some(), "{key}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_games() {
    let with = |threads: &str| json_of(&[MATCH.as_slice(), &["--threads", threads]].concat());
    assert_eq!(with("1"), with("3"));
}

#[test]
fn several_opponents_make_a_table_with_a_line_each() {
    let table = stdout_of(&["arena", "mate1", "random", "mate1", "--games", "4"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(lines[0].contains("W-D-L"));
    assert!(lines[1].starts_with("random"));
    assert!(lines[2].starts_with("mate1"));
    let json = json_of(&[
        "arena", "mate1", "random", "mate1", "--games", "2", "--json",
    ]);
    assert_eq!(json["matches"].as_array().unwrap().len(), 2);
}

#[test]
fn a_player_alone_meets_the_net_that_comes_with_the_program_and_loses() {
    if !has_openvino() {
        return;
    }
    let report = json_of(&["arena", "random", "--games", "4", "--visits", "1", "--json"]);
    assert_eq!(report["b"], "narikin-1");
    assert_eq!(report["losses"], 4);
}

#[test]
fn an_odd_number_of_games_is_a_usage_error() {
    let output = run(&["arena", "random", "random", "--games", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("games = 3: expected an even number"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_player_that_is_no_file_is_refused() {
    check_refused(
        &["arena", "randon", "mate1"],
        3,
        &["player randon", "No such file"],
    );
}

#[test]
fn an_engine_that_does_not_start_fails_with_its_name() {
    let parts = ["usi:./no-such-engine"];
    check_refused(
        &["arena", "random", "usi:./no-such-engine", "--games", "2"],
        1,
        &parts,
    );
}

/// Whether the library that runs nets is on this machine.
pub fn has_openvino() -> bool {
    let found = model::OpenVino::load().is_ok();
    if !found {
        eprintln!("skipped: there is no OpenVINO");
    }
    found
}

/// A small untrained net with random heads.
pub fn small_net(folder: &Path) -> String {
    let shape = model::NetShape {
        blocks: 1,
        channels: 8,
        value_channels: 1,
        value_hidden: 4,
        ..model::NetShape::default()
    };
    let path = folder.join("net.safetensors");
    model::Model::random(shape, 1, true).save(&path).unwrap();
    text(&path).to_owned()
}

#[test]
fn a_net_and_its_own_usi_engine_can_play() {
    if !has_openvino() {
        return;
    }
    let net = small_net(&test_folder("arena-net"));
    let engine = format!(
        "usi:'{}' usi --model '{net}'",
        env!("CARGO_BIN_EXE_narikin")
    );
    let args = [
        "--games",
        "2",
        "--visits",
        "2",
        "--max-ply",
        "30",
        "--threads",
        "1",
        "--json",
    ];
    let report = json_of(&[&["arena", &net, &engine], args.as_slice()].concat());
    assert_eq!(report["games"], 2);
    assert_eq!(report["by_reason"].get("engine-failure"), None, "{report}");
    assert_eq!(report["by_reason"].get("illegal-move"), None, "{report}");
}

#[test]
fn nothing_but_the_result_is_on_stdout() {
    let output = narikin().args(MATCH).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    assert_eq!(stderr(&output), "");
}

/// What a folder of a match holds of its games, but for the time of day.
fn games_in(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("1-random/games.jsonl")).unwrap();
    let read = |line| {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        let ended = game.as_object_mut().unwrap().remove("ended_s").unwrap();
        // Later than the beginning of 2026.
        assert!(ended.as_f64().unwrap() > 1.767e9, "{ended}");
        game
    };
    text.lines().map(read).collect()
}

#[test]
fn a_match_goes_on_in_its_folder_after_it_was_broken_off() {
    let folder = test_folder("arena-resume");
    let out = ["--out", text(&folder)];
    let whole = json_of(&[MATCH.as_slice(), &out].concat());
    let games = games_in(&folder);
    assert_eq!(games.len(), 8);
    assert_eq!(whole["games"], 8);

    // As a process leaves it that is killed in the middle of a line.
    let file = folder.join("1-random/games.jsonl");
    let kept = std::fs::read_to_string(&file).unwrap();
    let cut = kept.lines().take(3).map(str::len).sum::<usize>() + 3 + 40;
    std::fs::write(&file, &kept[..cut]).unwrap();
    assert_eq!(json_of(&[MATCH.as_slice(), &out].concat()), whole);
    let mut again = games_in(&folder);
    let mut before = games;
    let key = |game: &serde_json::Value| game["game"].as_u64();
    again.sort_by_key(key);
    before.sort_by_key(key);
    assert_eq!(again, before);

    let csa = std::fs::read(folder.join("1-random/games.csa")).unwrap();
    let format = kifu::Format::Csa(kifu::CsaVersion::V30);
    let records = kifu::read(&csa, format).unwrap();
    assert_eq!(records.len(), 8);
    let moves: Vec<String> = records[0].moves().map(|mv| mv.to_string()).collect();
    assert_eq!(before[0]["moves"], moves.join(" "));
    let pgn = std::fs::read_to_string(folder.join("1-random/games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result ").count(), 8);

    let other = ["arena", "greedy", "random", "--games", "8", "--seed", "8"];
    check_refused(
        &[other.as_slice(), &out].concat(),
        3,
        &["of another match (seed)"],
    );
}

#[test]
fn a_sequential_test_stops_early_and_says_no_by_its_exit_code() {
    let args = |a: &str, b: &str| {
        let args = [
            "arena", a, b, "--games", "2000", "--sprt", "0,100", "--json",
        ];
        let output = run(&args);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), report)
    };
    let (code, report) = args("greedy", "random");
    assert_eq!(
        (code, &report["sprt"]["verdict"]),
        (Some(0), &"accepted".into())
    );
    assert!(
        (50..500).contains(&report["games"].as_u64().unwrap()),
        "{report}"
    );
    let (code, report) = args("random", "greedy");
    assert_eq!(
        (code, &report["sprt"]["verdict"]),
        (Some(4), &"rejected".into())
    );
}

#[test]
fn players_can_have_settings_names_and_openings_of_their_own() {
    let folder = test_folder("arena-openings");
    let file = folder.join("openings.txt");
    std::fs::write(
        &file,
        "# two forms\nstartpos moves 7g7f 3c3d\n\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n",
    )
    .unwrap();
    let report = json_of(&[
        "arena",
        "greedy@name=first",
        "random",
        "--games",
        "4",
        "--json",
        "--openings",
        text(&file),
    ]);
    assert_eq!(report["a"], "first");
    assert_eq!(report["games"], 4);
    // Greedy mates at once where it has Black in the second opening.
    assert!(report["wins"].as_u64() >= Some(1), "{report}");
    let over = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b";
    std::fs::write(&file, format!("startpos\n{over}\n")).unwrap();
    let output = run(&[
        "arena",
        "random",
        "random",
        "--games",
        "4",
        "--openings",
        text(&file),
    ]);
    assert_eq!(
        stderr(&output).trim_end(),
        "1 openings are left out: the game is over there; 1 openings for 2 pairs: some are used again"
    );
    std::fs::write(&file, "startpos moves 7g7f 7g7f\n").unwrap();
    check_refused(
        &["arena", "greedy", "random", "--openings", text(&file)],
        3,
        &["openings.txt line 1", "7g7f"],
    );
    check_refused(
        &["arena", "greedy@depth=1", "random"],
        2,
        &["settings of engines only"],
    );
    check_refused(
        &["arena", "greedy", "anchor:nobody"],
        3,
        &["no anchor is called"],
    );
}

#[test]
fn the_report_page_of_a_match_holds_its_games() {
    let folder = test_folder("arena-page");
    let page = folder.join("report.html");
    let table = stdout_of(&[
        "arena",
        "greedy",
        "random",
        "--games",
        "4",
        "--html",
        text(&page),
    ]);
    assert!(table.contains("as Black"), "{table}");
    assert!(
        table
            .lines()
            .last()
            .unwrap()
            .starts_with("greedy - random: +"),
        "{table}"
    );
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("\"black\":").count(), 4);
}

/// An engine by the variable that `scripts/env.sh` sets where it is installed.
fn installed(variable: &str) -> Option<String> {
    let engine = std::env::var(variable).ok();
    if engine.is_none() {
        eprintln!("skipped: {variable} is not set");
    }
    engine
}

#[test]
fn sjaak_loses_by_its_illegal_drops_and_the_match_goes_on() {
    let Some(engine) = installed("NARIKIN_SJAAKII") else {
        return;
    };
    // It writes drops with an @.
    let engine = format!("usi:{engine}@time=0+0.2,margin=20000,start=300000");
    let report = json_of(&[
        "arena",
        &engine,
        "greedy",
        "--games",
        "4",
        "--json",
        "--threads",
        "1",
    ]);
    assert_eq!(report["games"], 4);
    let lost = report["reasons"]["illegal-move"]["losses"].as_u64();
    assert!(lost >= Some(1), "{report}");
}

#[test]
fn gps_loses_by_what_it_cannot_do_and_leaves_nothing_running() {
    let Some(engine) = installed("NARIKIN_GPSUSI") else {
        return;
    };
    // It knows neither nodes nor how to end with its input.
    let engine = format!("usi:{engine}@nodes=100,stuck=2000,start=300000");
    let report = json_of(&[
        "arena",
        &engine,
        "random",
        "--games",
        "2",
        "--json",
        "--threads",
        "1",
    ]);
    assert_eq!(
        (&report["games"], &report["losses"]),
        (&2.into(), &2.into())
    );
    let reasons = report["by_reason"].as_object().unwrap();
    let named = [
        "engine-crash",
        "engine-stall",
        "time-forfeit",
        "engine-not-ready",
    ];
    assert!(
        reasons
            .keys()
            .all(|reason| named.contains(&reason.as_str())),
        "{report}"
    );
}
