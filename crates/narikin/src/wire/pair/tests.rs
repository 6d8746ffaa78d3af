use super::*;

fn order() -> PairOrder {
    let options = MatchOptions {
        openings: OpeningOptions::Book,
        ..MatchOptions::default()
    };
    let id = PairId {
        a: 0,
        b: 2,
        pair: 7,
    };
    let baseline = |name: &str| PairPlayer::Baseline {
        name: name.to_owned(),
    };
    let (a, b) = (baseline("random"), baseline("mate1"));
    PairOrder::new(id, options.only_pair(id.pair).unwrap(), a, b)
}

fn result() -> PairResult {
    let order = order();
    let nobody = |_: &ModelRef| -> anyhow::Result<Net> { panic!("baselines have no net") };
    let [a, b] = [&order.a, &order.b].map(|player| player.player(nobody).unwrap());
    let mut games = Vec::new();
    arena::play_match(&order.options, a, b, &mut |event| {
        if let arena::ArenaEvent::GameFinished(game) = event {
            games.push(StoredGame::new(&game, false));
        }
    })
    .unwrap();
    games.sort_by_key(|game| game.game);
    PairResult::new(order.id, "anna", games)
}

#[test]
fn orders_and_results_come_back() {
    let (order, result) = (order(), result());
    assert_eq!(PairOrder::read(&order.to_bytes()).unwrap(), order);
    let read = PairResult::read(&result.to_bytes()).unwrap();
    assert_eq!(read, result);
    read.check(&order.options).unwrap();
    assert!(result.to_bytes().len() < MAX_PAIR_BYTES / 4);
}

#[track_caller]
fn check_refused(refused: anyhow::Result<impl std::fmt::Debug>, expected: &str) {
    let message = format!("{:#}", refused.unwrap_err());
    assert!(message.contains(expected), "{message}");
}

#[test]
fn orders_of_other_versions_are_refused_with_a_clear_word() {
    let read = |change: &dyn Fn(&mut PairOrder)| {
        let mut order = order();
        change(&mut order);
        PairOrder::read(&order.to_bytes())
    };
    check_refused(
        read(&|order| order.format = 2),
        "an order for a pair has format 2, this program reads 1",
    );
    check_refused(
        read(&|order| order.program = "9.9.9".to_owned()),
        "asked for by narikin 9.9.9",
    );
    check_refused(read(&|order| order.options.games = 4), "none");
    check_refused(
        read(&|order| order.options.openings = OpeningOptions::Book),
        "none",
    );
    check_refused(PairOrder::read(b"{"), "an order for a pair");
}

#[test]
fn nobody_plays_with_more_than_a_worker_can_bear() {
    let model = ModelRef {
        object: "net".to_owned(),
        sha256: String::new(),
        bytes: 1,
    };
    let player = |visits, precision: &str| PairPlayer::Net {
        model: model.clone(),
        visits,
        precision: precision.to_owned(),
    };
    let nobody = |_: &ModelRef| -> anyhow::Result<Net> { panic!("looked at before") };
    for (player, expected) in [
        (player(0, "auto"), "0 visits"),
        (player(u32::MAX, "auto"), "4294967295 visits"),
        (player(1, "f64"), "no precision \"f64\""),
        (
            PairPlayer::Baseline {
                name: "usi:rm".to_owned(),
            },
            "no baseline \"usi:rm\"",
        ),
    ] {
        let made = player.player(nobody).map(|player| player.name().to_owned());
        check_refused(made, expected);
    }
}

#[test]
fn results_that_cannot_be_are_refused() {
    let options = order().options;
    let check = |change: &dyn Fn(&mut PairResult)| {
        let mut result = result();
        change(&mut result);
        result.check(&options)
    };
    check_refused(
        check(&|result| {
            result.games.pop();
        }),
        "a pair with the games [0], expected [0, 1]",
    );
    check_refused(check(&|result| result.games.swap(0, 1)), "the games [1, 0]");
    check_refused(
        check(&|result| result.games[1].reason = "resignation".to_owned()),
        "game 1: its end is resignation",
    );
    let large = vec![b' '; MAX_PAIR_BYTES + 1];
    check_refused(PairResult::read(&large), "expected at most");
    let mut labelled = result();
    labelled.worker = "a\u{1b}[31m".repeat(100);
    let read = PairResult::read(&labelled.to_bytes()).unwrap();
    assert_eq!(read.worker.len(), MAX_LABEL);
    assert!(!read.worker.contains('\u{1b}'));
}
