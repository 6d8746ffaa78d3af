use crate::program::{check_refused, json_of, narikin, run, stderr, stdout_of, test_folder, text};

#[test]
fn a_pool_rates_its_players_and_grows_from_call_to_call() {
    let pool = test_folder("rate-pool");
    let first = json_of(&[
        "rate",
        text(&pool),
        "random@elo=0",
        "mate1",
        "greedy",
        "--games",
        "120",
        "--json",
    ]);
    assert_eq!(first["games"], 120);
    let names: Vec<&str> = first["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["greedy", "mate1", "random"]);
    assert_eq!(first["players"][2]["elo"], 0.0);
    assert_eq!(first["players"][2]["anchor"], true);
    let mate1 = &first["players"][1];
    assert!(mate1["elo_low"].as_f64().unwrap() > 50.0, "{first}");
    assert_eq!(first["crosstable"].as_array().unwrap().len(), 3);

    let page = pool.join("page.html");
    let table = stdout_of(&["rate", text(&pool), "--games", "16", "--html", text(&page)]);
    assert!(table.contains("136 games"), "{table}");
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("<h2>Games</h2>")
    );
    let again = json_of(&["rate", text(&pool), "--games", "0", "--json"]);
    assert_eq!(again["games"], 136);
}

#[test]
fn a_pool_that_is_killed_at_any_moment_goes_on() {
    let pool = test_folder("rate-killed");
    let path = text(&pool).to_owned();
    let games = || std::fs::read_to_string(pool.join("games.jsonl")).unwrap_or_default();
    for round in 1..4 {
        let before = games().lines().count();
        let mut child = narikin()
            .args([
                "rate", &path, "random", "mate1", "greedy", "--games", "100000",
            ])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // However fast this machine is: some games more than before.
        while games().lines().count() < before + 20 * round {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let whole = games().lines().count();
    let report = json_of(&["rate", &path, "--games", "0", "--json"]);
    let counted = report["games"].as_u64().unwrap() as usize;
    assert!(
        counted == whole || counted + 1 == whole,
        "{counted} of {whole}"
    );
}

#[test]
fn what_a_pool_cannot_use_is_refused_before_a_game_is_played() {
    let pool = test_folder("rate-refused");
    check_refused(
        &["rate", text(&pool), "no-such-net"],
        3,
        &["player no-such-net"],
    );
    check_refused(
        &["rate", text(&pool), "random@elo=high"],
        2,
        &["elo=high: expected a number"],
    );
    stdout_of(&["rate", text(&pool), "random", "--games", "0"]);
    check_refused(
        &["rate", text(&pool), "--seed", "2", "--games", "0"],
        3,
        &["another --seed"],
    );
    let output = run(&["rate", text(&pool), "--games", "0", "--svg", "curve.svg"]);
    assert!(stderr(&output).contains("it takes two rated nets of one run folder"));
}
