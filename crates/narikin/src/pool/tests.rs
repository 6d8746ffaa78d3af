use super::*;
use crate::testing::test_folder;

fn wishes() -> PoolWishes {
    PoolWishes {
        seed: Some(1),
        openings: Some(OpeningOptions::Book),
        max_ply: Some(512),
    }
}

fn player(text: &str) -> PoolPlayer {
    PoolPlayer::read(text, 32, &Anchors::load(None).unwrap()).unwrap()
}

fn game(a: &str, b: &str, pair: u32, winner: arena::Winner) -> PoolGame {
    PoolGame {
        a: a.to_owned(),
        b: b.to_owned(),
        pair,
        time_s: 0.5,
        game: StoredGame {
            game: 0,
            replay: 0,
            replayed: false,
            seed: 1,
            pair_seed: 2,
            black: arena::Seat::A,
            winner,
            reason: "checkmate".to_owned(),
            ended_s: None,
            message: None,
            start: rules::Position::startpos().to_string(),
            moves: "7g7f 3c3d 8h2b+".to_owned(),
            opening_plies: 1,
            scores: vec!["cp -50".to_owned(), "mate 3".to_owned()],
            times_ms: vec![0, 0],
        },
    }
}

/// A pool of three with a few games.
fn filled(name: &str) -> (PathBuf, Pool) {
    let path = test_folder(name);
    let mut pool = Pool::open(&path, &wishes()).unwrap();
    for text in ["random@elo=-1000", "greedy", "mate1"] {
        pool.add(player(text)).unwrap();
    }
    for winner in [
        arena::Winner::Black,
        arena::Winner::White,
        arena::Winner::Draw,
    ] {
        pool.keep(game("greedy", "random", 0, winner)).unwrap();
        pool.keep(game("mate1", "greedy", 4, winner)).unwrap();
    }
    (path, pool)
}

#[test]
fn players_join_with_all_that_their_words_leave_open() {
    let greedy = player("greedy");
    assert_eq!(
        (greedy.name.as_str(), greedy.player.as_str()),
        ("greedy", "greedy")
    );
    assert_eq!(greedy.elo, None);
    assert_eq!(player("usi:e").player, "usi:e@visits=32");
    assert_eq!(
        player("usi:e@name=x,depth=2").player,
        "usi:e@name=x,depth=2"
    );
    let anchor = player("anchor:fairy-n100");
    assert_eq!(anchor.name, "fairy-n100");
    assert!(anchor.elo.is_some());
    assert_eq!(player("anchor:fairy-n100@elo=free").elo, None);
    assert_eq!(player("anchor:fairy-n100@elo=5").elo, Some(5.0));
}

#[test]
fn nets_of_a_run_join_with_where_they_were_made() {
    use crate::report::events::{Event, EventLog, Published};

    let run = test_folder("pool-run").join("quick");
    fs::create_dir_all(run.join("models")).unwrap();
    fs::write(run.join("models/7.safetensors"), "no net").unwrap();
    fs::write(run.join("models/current"), "7.safetensors\n").unwrap();
    let progress = Progress {
        generation: 7,
        games: 100,
        ..Progress::default()
    };
    let published = Event::Published(Published {
        model: "7.safetensors".to_owned(),
        progress,
    });
    EventLog::open(&run.join("events.jsonl"))
        .unwrap()
        .append(published)
        .unwrap();
    let by_run = player(run.to_str().unwrap());
    let by_file = player(run.join("models/7.safetensors").to_str().unwrap());
    assert_eq!(by_run, by_file);
    assert_eq!(by_run.name, "quick/7");
    assert_eq!(by_run.origin.unwrap().progress, progress);
}

#[test]
fn the_net_that_comes_with_the_program_joins_by_its_name() {
    let shipped = player("narikin-1@visits=100");
    assert_eq!(shipped.name, "narikin-1@100");
    assert_eq!(shipped.player, "narikin-1@visits=100");
    assert_eq!(shipped.origin, None);
}

#[test]
fn a_pool_reads_back_as_it_was_and_goes_on() {
    let (path, pool) = filled("pool-again");
    let before = (
        pool.players().to_vec(),
        pool.games().to_vec(),
        pool.ratings(),
    );
    assert_eq!(pool.next_pair(0, 1), 1);
    assert_eq!(pool.next_pair(2, 1), 5);
    assert_eq!(pool.next_pair(0, 2), 0);
    drop(pool);
    // As a process leaves it that is killed in the middle of a line.
    let file = path.join("games.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "{\"a\":\"gree").unwrap();
    let mut pool = Pool::open(&path, &wishes()).unwrap();
    assert_eq!(
        before,
        (
            pool.players().to_vec(),
            pool.games().to_vec(),
            pool.ratings()
        )
    );
    pool.keep(game("greedy", "mate1", 5, arena::Winner::Black))
        .unwrap();
    drop(pool);
    assert_eq!(Pool::open(&path, &wishes()).unwrap().games().len(), 7);
}

#[test]
fn what_is_not_asked_for_is_as_the_pool_has_it() {
    let path = test_folder("pool-wishes");
    let made = PoolWishes {
        seed: Some(7),
        max_ply: Some(320),
        openings: None,
    };
    let rules = Pool::open(&path, &made).unwrap().rules().clone();
    assert_eq!(rules, PoolRules::new(7, OpeningOptions::Book, 320));
    let again = Pool::open(&path, &PoolWishes::default()).unwrap();
    assert_eq!(again.rules(), &rules);
}

#[test]
fn what_does_not_fit_into_a_pool_is_refused() {
    let (path, mut pool) = filled("pool-refused");
    pool.add(player("greedy")).unwrap();
    let error = pool
        .add(player("mate1@name=greedy"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("another player called greedy"), "{error}");
    drop(pool);
    let other = PoolWishes {
        seed: Some(2),
        ..wishes()
    };
    let error = format!("{:#}", Pool::open(&path, &other).unwrap_err());
    assert!(
        error.contains("pool.json: its games were played by another --seed:"),
        "{error}"
    );
    let file = path.join("games.jsonl");
    let text = fs::read_to_string(&file)
        .unwrap()
        .replace("\"mate1\"", "\"nobody\"");
    fs::write(&file, text).unwrap();
    let error = format!("{:#}", Pool::open(&path, &wishes()).unwrap_err());
    assert!(
        error.contains("games.jsonl line 2: player nobody is not in"),
        "{error}"
    );
}

#[test]
fn the_table_is_sorted_aligned_and_relative_to_the_anchors() {
    let (_, pool) = filled("pool-table");
    let standing = Standing::of(&pool);
    assert_eq!(
        standing.table(),
        "   player    Elo  ± 95 %  games   score\n\
         1  random  -1000   fixed      3  50.0 %\n\
         2  greedy  -1000     508      6  50.0 %\n\
         3  mate1   -1000     887      3  50.0 %\n\
         6 games, Black's advantage +0 Elo\n"
    );
    let json = serde_json::to_value(&standing).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["games"], 6);
    assert_eq!(json["players"][0]["anchor"], true);
    assert_eq!(json["crosstable"][0][1]["wins"], 1);
    assert_eq!(json["crosstable"][0][2], serde_json::Value::Null);
}

#[test]
fn the_page_shows_scores_from_blacks_view() {
    let (_, pool) = filled("pool-page");
    let page = Standing::of(&pool).page(&pool);
    assert_eq!(page.games.len(), 6);
    // White's move first, then Black's.
    assert_eq!(page.games[0].scores, [Some(50), Some(31_997)]);
    assert_eq!(page.games[0].result, "draw, checkmate");
    assert!(page.html().contains("Points of games against each other"));
}

#[test]
fn the_nets_of_a_run_make_curves_over_games_samples_and_hours() {
    let (_, mut pool) = filled("pool-curves");
    // The same net with more visits is no point of the same curve.
    for (name, generation, visits, elapsed_s) in [
        ("net2", 2, 8, 7200.0),
        ("net2 thinking", 2, 800, 7200.0),
        ("net1", 1, 8, 3600.0),
    ] {
        let progress = Progress {
            generation,
            games: 10 * u64::from(generation),
            samples: 1000,
            elapsed_s,
            ..Progress::default()
        };
        pool.add(PoolPlayer {
            name: name.to_owned(),
            player: format!("net{generation}.safetensors@name=x,visits={visits}"),
            elo: None,
            origin: Some(Origin {
                run: "runs/a".to_owned(),
                progress,
            }),
        })
        .unwrap();
    }
    for winner in [arena::Winner::Black, arena::Winner::White] {
        pool.keep(game("net1", "random", 0, winner)).unwrap();
        pool.keep(game("net2", "random", 0, winner)).unwrap();
        pool.keep(game("net2 thinking", "random", 0, winner))
            .unwrap();
    }
    let standing = Standing::of(&pool);
    let at = |unit: &str| {
        let curve = standing.curves().iter().find(|curve| curve.unit == unit);
        let points = &curve.unwrap().points;
        points.iter().map(|point| point.at).collect::<Vec<f64>>()
    };
    assert_eq!(at("hours"), [1.0, 2.0]);
    assert_eq!(at("games"), [10.0, 20.0]);
    assert_eq!(at("samples"), [1000.0, 1000.0]);
    assert_eq!(standing.page(&pool).html().matches("<figure>").count(), 3);
    assert_eq!(standing.curves()[0].title, "a, visits=8: Elo over games");
}
