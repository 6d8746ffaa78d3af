use super::*;
use crate::anchors::Anchors;
use crate::testing::test_folder;

fn contestant(text: &str) -> Contestant {
    let anchors = Anchors::load(None).unwrap();
    Contestant::read(text, arena::Effort::Nodes(8), &anchors).unwrap()
}

fn description(b: &str, options: &MatchOptions) -> Description {
    Description::new(&contestant("greedy"), &contestant(b), options, None)
}

#[test]
fn a_longer_match_goes_on_in_the_folder_and_another_is_refused() {
    let path = test_folder("match-folder");
    let options = MatchOptions::default();
    let open = |description: &Description| MatchFolder::open(&path, description).map(|_| ());
    open(&description("mate1", &options)).unwrap();
    let longer = MatchOptions {
        games: 1000,
        parallel_games: 2,
        ..options.clone()
    };
    open(&description("mate1", &longer)).unwrap();
    let refused = |description: &Description| open(description).unwrap_err().to_string();
    let message = refused(&description("random", &options));
    assert!(
        message.contains("is of another match (player B)"),
        "{message}"
    );
    let other = MatchOptions {
        seed: 2,
        ..options.clone()
    };
    assert!(refused(&description("mate1", &other)).contains("(seed)"));
    let other = MatchOptions {
        max_ply: 100,
        ..options
    };
    assert!(refused(&description("mate1", &other)).contains("(rules or adjudication)"));
}

#[test]
fn two_processes_cannot_write_into_one_folder() {
    let path = test_folder("match-folder-lock");
    let description = description("mate1", &MatchOptions::default());
    let first = MatchFolder::open(&path, &description).unwrap();
    let error = MatchFolder::open(&path, &description).unwrap_err();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(first);
    MatchFolder::open(&path, &description).unwrap();
}

#[test]
fn names_of_files_never_carry_a_path() {
    assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
    assert_eq!(
        file_name("Fairy-Stockfish 11.1 (LB 64)"),
        "Fairy-Stockfish-11.1--LB-64"
    );
    assert_eq!(file_name("..."), "player");
    assert_eq!(file_name("将棋"), "player");
    assert_eq!(file_name(&"ab".repeat(100)).len(), 60);
}
