use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::program::{check_refused, json_of, narikin, run, stderr, stdout_of, test_folder, text};

const CSA: &str = "V2.2\nN+A\nPI\n+\n+7776FU\nT3\n-3334FU\n%TORYO\n";
const USI: &str = "position startpos moves 7g7f 3c3d\n";

fn write(path: &Path, content: &str) {
    fs::write(path, content).expect("a test file can be written");
}

#[test]
fn a_game_goes_through_all_formats_and_back() {
    let folder = test_folder("convert_all");
    let at = |name: &str| folder.join(name);
    write(&at("a.csa"), CSA);
    let mut last = at("a.csa");
    for name in [
        "b.kif", "c.kifu", "d.csa", "e.ki2", "f.ki2u", "g.nkg", "h.usi", "i.pgn",
    ] {
        let line = stdout_of(&["convert", text(&last), text(&at(name))]);
        assert_eq!(line, format!("1 game in {}\n", at(name).display()));
        last = at(name);
    }
    assert_eq!(fs::read_to_string(at("h.usi")).unwrap(), USI);
    assert_eq!(fs::read_to_string(at("d.csa")).unwrap(), CSA);
    // Shift_JIS, with Windows' line ends.
    let kif = fs::read(at("b.kif")).unwrap();
    assert!(std::str::from_utf8(&kif).is_err() && kif.ends_with(b"\r\n"));
    let kifu = fs::read_to_string(at("c.kifu")).unwrap();
    assert!(
        kifu.contains("   1 ７六歩(77)   ( 0:03/00:00:03)\n"),
        "{kifu}"
    );
    let records = json_of(&["inspect", text(&at("g.nkg")), "--json"]);
    assert_eq!(records["content"]["games"], 1);
    assert_eq!(records["content"]["white_wins"], 1);
    // Nothing else is left behind.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 9);
}

#[test]
fn many_games_go_to_one_file_or_to_one_file_each() {
    let folder = test_folder("convert_many");
    let at = |name: &str| folder.join(name);
    write(&at("a.csa"), &format!("{CSA}/\n{CSA}"));
    write(&at("b.usi"), &USI.repeat(3));
    let all = at("all.csa");
    stdout_of(&[
        "convert",
        text(&at("a.csa")),
        text(&at("b.usi")),
        text(&all),
    ]);
    let csa = fs::read_to_string(&all).unwrap();
    assert_eq!(csa.matches("\n/\n").count(), 4, "{csa}");

    let kif = at("kif.kif");
    let args = ["convert", text(&all), text(&kif)];
    check_refused(
        &args,
        3,
        &["all.csa", "KIF holds one game per file", "folder as OUT"],
    );
    assert!(!kif.exists());

    let each = format!("{}/", at("each").display());
    stdout_of(&["convert", "--to", "kif", text(&all), &each]);
    let mut names: Vec<_> = fs::read_dir(&each)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "000001.kif",
            "000002.kif",
            "000003.kif",
            "000004.kif",
            "000005.kif"
        ]
    );
}

#[test]
fn options_may_stand_anywhere() {
    let folder = test_folder("convert_options");
    let input = folder.join("a.csa");
    write(&input, CSA);
    for args in [
        ["convert", text(&input), "--to", "usi", "-"],
        ["convert", "--to", "usi", text(&input), "-"],
        ["convert", text(&input), "-", "--to", "usi"],
    ] {
        assert_eq!(stdout_of(&args), USI, "{args:?}");
    }
}

#[test]
fn a_broken_game_is_refused_with_its_place_and_nothing_is_written() {
    let folder = test_folder("convert_broken");
    let (input, output) = (folder.join("in.csa"), folder.join("out.usi"));
    write(&input, &format!("{CSA}/\nPI\n+\n+7776KI\n/\n{CSA}"));
    write(&output, "as before\n");
    let args = ["convert", text(&input), text(&output)];
    check_refused(
        &args,
        3,
        &["in.csa: line 12, column 1: csa move \"+7776KI\""],
    );
    assert_eq!(fs::read_to_string(&output).unwrap(), "as before\n");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);

    let skipped = run(&["convert", "--skip-bad", text(&input), text(&output)]);
    assert_eq!(skipped.status.code(), Some(0));
    assert!(
        stderr(&skipped).starts_with("skipped: "),
        "{}",
        stderr(&skipped)
    );
    assert!(
        stderr(&skipped).contains("in.csa: line 12, column 1"),
        "{}",
        stderr(&skipped)
    );
    let line = String::from_utf8(skipped.stdout).unwrap();
    assert!(line.ends_with("out.usi, 1 left out\n"), "{line}");
    assert_eq!(fs::read_to_string(&output).unwrap(), USI.repeat(2));
}

#[test]
fn a_game_without_result_is_no_record() {
    let folder = test_folder("convert_no_result");
    let (input, output) = (folder.join("in.usi"), folder.join("out.nkg"));
    write(&input, USI);
    let args = ["convert", text(&input), text(&output)];
    check_refused(&args, 3, &["in.usi: the game has no result"]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn standard_input_and_output_are_files_too() {
    let mut child = narikin()
        .args(["convert", "--from", "usi", "--to", "csa3", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(USI.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let expected = "'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\n-3334FU\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn what_cannot_be_converted_is_refused_by_name() {
    let folder = test_folder("convert_refused");
    let at = |name: &str| folder.join(name);
    write(&at("a.csa"), CSA);
    write(&at("a.pgn"), "[Event \"?\"]\n");
    write(&at("a.txt"), "\n");
    let out = at("out.csa");
    for (input, code, parts) in [
        (at("absent.csa"), 3, "absent.csa"),
        (at("a.pgn"), 3, "PGN is written, but not read"),
        (at("a.txt"), 3, "found no game"),
        (folder.clone(), 3, "found no record file"),
    ] {
        check_refused(&["convert", text(&input), text(&out)], code, &[parts]);
    }
    check_refused(
        &["convert", text(&at("a.csa")), text(&at("a.csa"))],
        2,
        &["read and written"],
    );
    check_refused(
        &["convert", text(&at("a.csa")), text(&at("x.zip"))],
        2,
        &["--to"],
    );
    let nowhere = at("absent").join("x.csa");
    check_refused(
        &["convert", text(&at("a.csa")), text(&nowhere)],
        1,
        &["cannot write"],
    );
    assert!(!out.exists());
}

/// Two moves with evaluations, both from Black's view.
const ANALYSED: &str = "V2.2\nPI\n+\n+7776FU\n'** 120\n-3334FU\n'** 80\n+2726FU\n%TORYO\n";

fn content(path: &Path) -> serde_json::Value {
    json_of(&[
        "inspect",
        "--check",
        "--positions",
        "9",
        text(path),
        "--json",
    ])["content"]
        .take()
}

#[test]
fn a_game_becomes_training_data_and_comes_back() {
    let folder = test_folder("convert 教師");
    let at = |name: &str| folder.join(name);
    write(&at("a.csa"), ANALYSED);
    let line = stdout_of(&["convert", text(&at("a.csa")), text(&at("b.hcpe3"))]);
    assert_eq!(line, format!("1 game in {}\n", at("b.hcpe3").display()));
    let games = content(&at("b.hcpe3"));
    assert_eq!((&games["games"], &games["plies"]), (&1.into(), &3.into()));
    assert_eq!(games["black_wins"], 1);

    for from in ["a.csa", "b.hcpe3"] {
        for (name, format) in [("c.hcpe", "hcpe"), ("d.psv", "psv")] {
            let line = stdout_of(&["convert", text(&at(from)), text(&at(name))]);
            assert_eq!(line, format!("3 positions in {}\n", at(name).display()));
            let positions = content(&at(name));
            assert_eq!(positions["format"], format);
            assert_eq!(
                (&positions["positions"], &positions["black_wins"]),
                (&3.into(), &3.into())
            );
            let evals: Vec<_> = positions["first"].as_array().unwrap().iter().collect();
            let evals: Vec<_> = evals
                .iter()
                .map(|first| first["eval"].as_i64().unwrap())
                .collect();
            // Of the side to move.
            assert_eq!(evals, [120, -80, 0]);
        }
    }
    // The name of a file of positions need not tell what it is.
    fs::copy(at("d.psv"), at("d.bin")).unwrap();
    stdout_of(&["convert", text(&at("d.bin")), text(&at("e.hcpe"))]);
    assert_eq!(
        fs::read(at("e.hcpe")).unwrap(),
        fs::read(at("c.hcpe")).unwrap()
    );

    stdout_of(&["convert", text(&at("b.hcpe3")), text(&at("f.csa"))]);
    let csa = fs::read_to_string(at("f.csa")).unwrap();
    for line in [
        "+7776FU", "'** 120", "-3334FU", "'** 80", "+2726FU", "%TORYO",
    ] {
        assert!(
            csa.lines().any(|found| found == line),
            "{line:?} is not in: {csa}"
        );
    }
    stdout_of(&["convert", text(&at("b.hcpe3")), text(&at("g.nkg"))]);
    assert_eq!(content(&at("g.nkg"))["games"], 1);
    stdout_of(&["convert", text(&at("g.nkg")), text(&at("h.hcpe3"))]);
    // Up to the number of visits, which a record does not know.
    assert_eq!(
        fs::read(at("h.hcpe3")).unwrap()[..44],
        fs::read(at("b.hcpe3")).unwrap()[..44]
    );
}

#[test]
fn what_training_data_cannot_hold_is_refused_by_name() {
    let folder = test_folder("convert_training_refused");
    let at = |name: &str| folder.join(name);
    write(&at("even.csa"), ANALYSED);
    stdout_of(&["convert", text(&at("even.csa")), text(&at("even.psv"))]);
    check_refused(
        &["convert", text(&at("even.psv")), text(&at("x.csa"))],
        3,
        &[
            "even.psv",
            "single positions are no games: they become hcpe or psv only",
        ],
    );
    write(
        &at("two.csa"),
        "V2.2\nPI82HI22KA\n-\n-5142OU\n+7776FU\n%TORYO\n",
    );
    for name in ["x.hcpe", "x.hcpe3"] {
        let (input, output) = (at("two.csa"), at(name));
        let args = ["convert", text(&input), text(&output)];
        check_refused(
            &args,
            3,
            &["two.csa", "a Bishop is missing in", "dlshogi reads"],
        );
        stdout_of(&[&args[..], &["--handicaps"]].concat());
        assert!(content(&output)["black_wins"].as_u64().unwrap() > 0);
    }
    // YaneuraOu reads them.
    stdout_of(&["convert", text(&at("two.csa")), text(&at("x.psv"))]);
    write(&at("broken_off.csa"), "V2.2\nPI\n+\n+7776FU\n%CHUDAN\n");
    check_refused(
        &["convert", text(&at("broken_off.csa")), text(&at("y.hcpe3"))],
        3,
        &["broken_off.csa", "the game has no result"],
    );
    check_refused(
        &["convert", text(&at("even.psv")), "-", "--to", "hcpe"],
        2,
        &["hcpe is written to one file: give a name that ends in .hcpe"],
    );
    check_refused(
        &[
            "convert",
            text(&at("even.csa")),
            text(&at("y.psv")),
            "--eval-scale",
            "0",
        ],
        2,
        &["--eval-scale 0: expected a number above 0"],
    );
    for name in ["x.csa", "y.hcpe3", "y.psv"] {
        assert!(!at(name).exists(), "{name}");
    }
}
