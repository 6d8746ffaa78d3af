use super::*;
use crate::{ArenaEvent, Baseline, Player, play_match};

fn options() -> MatchOptions {
    MatchOptions {
        games: 200,
        seed: 7,
        max_ply: 200,
        ..MatchOptions::default()
    }
}

/// The games of pair `pair`, played as a match of one pair.
fn games(pair: u32, openings: OpeningOptions) -> (MatchOptions, Vec<StoredGame>) {
    let whole = MatchOptions {
        openings,
        ..options()
    };
    let options = whole.only_pair(pair).unwrap();
    let players = [Baseline::Mate1, Baseline::Random].map(Player::baseline);
    let [a, b] = players;
    let mut games = Vec::new();
    play_match(&options, a, b, &mut |event| {
        if let ArenaEvent::GameFinished(game) = event {
            games.push(StoredGame::new(&game, false));
        }
    })
    .unwrap();
    (options, games)
}

#[test]
fn played_games_pass_whatever_their_openings() {
    for openings in [
        OpeningOptions::Book,
        OpeningOptions::Random { plies: 6 },
        OpeningOptions::default(),
    ] {
        for pair in [0, 3, 1000] {
            let (options, games) = games(pair, openings.clone());
            assert_eq!(games.len(), 2);
            for game in games {
                audit(&game, &options).unwrap();
            }
        }
    }
}

#[test]
fn a_pair_played_alone_is_that_pair_of_the_match() {
    let whole = MatchOptions {
        games: 8,
        openings: OpeningOptions::Book,
        ..options()
    };
    let mut all = Vec::new();
    let [a, b] = [Baseline::Mate1, Baseline::Random].map(Player::baseline);
    play_match(&whole, a, b, &mut |event| {
        if let ArenaEvent::GameFinished(game) = event {
            all.push(StoredGame::new(&game, false));
        }
    })
    .unwrap();
    all.sort_by_key(|game| game.game);
    let (_, alone) = games(2, OpeningOptions::Book);
    for (game, of_match) in alone.iter().zip(&all[4..6]) {
        let renumbered = StoredGame {
            game: of_match.game,
            ..game.clone()
        };
        assert_eq!(renumbered, *of_match);
    }
}

#[track_caller]
fn check_refused(change: impl Fn(&mut StoredGame), expected: &str) {
    let (options, games) = games(5, OpeningOptions::Book);
    let mut game = games[0].clone();
    change(&mut game);
    let error = audit(&game, &options).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn whatever_is_changed_in_a_game_is_found() {
    let other = |winner| match winner {
        Winner::Black => Winner::White,
        _ => Winner::Black,
    };
    check_refused(|game| game.winner = other(game.winner), "its winner");
    check_refused(|game| game.winner = Winner::Draw, "its winner");
    check_refused(|game| game.reason = "resignation".to_owned(), "its end");
    check_refused(|game| game.game = 1, "seed");
    check_refused(|game| game.game = 2, "its number");
    check_refused(|game| game.game = 3, "its number");
    check_refused(|game| game.seed += 1, "its seed");
    check_refused(|game| game.pair_seed += 1, "its pair's seed");
    check_refused(|game| game.black = game.black.other(), "Black");
    check_refused(|game| game.opening_plies -= 1, "its opening");
    check_refused(|game| game.replayed = true, "replayed");
    check_refused(|game| game.message = Some("x".to_owned()), "its message");
    check_refused(|game| game.scores[0] = "x".to_owned(), "a score");
    check_refused(|game| game.scores.push(String::new()), "number of scores");
    check_refused(|game| game.times_ms.clear(), "number of times");
    check_refused(|game| game.moves.push_str(" 7g7f"), "7g7f");
    check_refused(
        |game| game.moves = game.moves.replacen(' ', "  x ", 1),
        "\"x\"",
    );
    // The last moves are missing.
    check_refused(
        |game| {
            let kept: Vec<&str> = game.moves.split(' ').take(12).collect();
            game.moves = kept.join(" ");
            let n_notes = 12 - game.opening_plies as usize;
            game.scores.truncate(n_notes);
            game.times_ms.truncate(n_notes);
        },
        "it is not over",
    );
}

#[test]
fn a_game_that_goes_on_behind_its_end_is_refused() {
    let (options, games) = games(5, OpeningOptions::Book);
    let shorter = MatchOptions {
        max_ply: 20,
        ..options
    };
    let long = games.iter().find(|game| game.scores.len() > 20);
    let error = audit(long.unwrap(), &shorter).unwrap_err().to_string();
    assert!(error.contains("it is over before move 21"), "{error}");
}

#[test]
fn a_win_by_declaring_stands_only_where_it_can_be_declared() {
    check_refused(
        |game| {
            let kept: Vec<&str> = game.moves.split(' ').take(11).collect();
            game.moves = kept.join(" ");
            game.scores.truncate(1);
            game.times_ms.truncate(1);
            game.reason = "declaration".to_owned();
        },
        "\"declaration\" does not end it",
    );
}
