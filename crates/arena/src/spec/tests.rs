use super::*;

fn spec(text: &str) -> PlayerSpec {
    text.parse().unwrap()
}

#[test]
fn player_words_mean_baselines_engines_anchors_and_models() {
    let who = |text: &str| spec(text).who;
    assert_eq!(who("random"), Who::Baseline(Baseline::Random));
    assert_eq!(who("mate1"), Who::Baseline(Baseline::Mate1));
    assert_eq!(who("greedy"), Who::Baseline(Baseline::Greedy));
    assert_eq!(
        who("usi:engine --threads 1"),
        Who::Usi("engine --threads 1".to_owned())
    );
    assert_eq!(who("anchor:fairy-n1"), Who::Anchor("fairy-n1".to_owned()));
    assert_eq!(
        who("runs/a@b/models/3"),
        Who::Model("runs/a@b/models/3".to_owned())
    );
    for text in ["random", "usi:engine -x", "anchor:a", "a/b"] {
        assert_eq!(who(text).to_string(), text);
    }
}

#[test]
fn settings_behind_the_player_are_its_own() {
    let net = spec("a.safetensors@visits=200,name=big");
    assert_eq!(net.who, Who::Model("a.safetensors".to_owned()));
    assert_eq!(net.own.effort, Some(Effort::Nodes(200)));
    assert_eq!(net.own.name.as_deref(), Some("big"));
    let engine = spec(
        "usi:e x@y@time=10+1,option.Threads=2,option.Book=,margin=300,clocks=swapped,start=9000",
    );
    assert_eq!(engine.who, Who::Usi("e x@y".to_owned()));
    let options = [("Threads", "2"), ("Book", "")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(
        engine.own,
        OwnSettings {
            name: None,
            effort: Some(Effort::Clock("10+1".parse().unwrap())),
            options: options.to_vec(),
            margin: Some(Duration::from_millis(300)),
            stuck_after: None,
            start: Some(Duration::from_secs(9)),
            swapped_clocks: true,
            grade: Grade::AsListed,
            precision: None,
        }
    );
    let net = spec("a.safetensors@precision=int8").own;
    assert_eq!(net.precision.as_deref(), Some("int8"));
    assert_eq!(spec("random@elo=-1000").own.grade, Grade::Fixed(-1000.0));
    assert_eq!(spec("anchor:a@elo=free").own.grade, Grade::Free);
    let effort = |text: &str| spec(text).own.effort.unwrap();
    assert_eq!(effort("usi:e@depth=3"), Effort::Depth(3));
    let ms = Duration::from_millis(50);
    assert_eq!(effort("usi:e@movetime=50"), Effort::MoveTime(ms));
    assert_eq!(effort("usi:e@limit=options"), Effort::Options);
}

#[track_caller]
fn check_refused(text: &str, message: &str) {
    assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), message);
}

#[test]
fn wrong_settings_are_refused_with_what_was_expected() {
    check_refused(
        "a.net@visits=0",
        "player a.net@visits=0: visits=0: expected a whole number of at least 1",
    );
    check_refused(
        "a.net@visits=1,nodes=2",
        "player a.net@visits=1,nodes=2: nodes=2: expected one limit only",
    );
    check_refused(
        "a.net@depth=2",
        "player a.net@depth=2: depth=2: expected settings of engines only behind usi: or anchor:",
    );
    check_refused(
        "greedy@precision=int8",
        "player greedy@precision=int8: precision=int8: expected precision only behind the path of a \
         net",
    );
    let error = "a.net@vists=0".parse::<PlayerSpec>().unwrap_err();
    assert!(error.expected.starts_with("one of the keys visits"));
    assert!("random@elo=inf".parse::<PlayerSpec>().is_err());
    assert!("usi:e@time=0".parse::<PlayerSpec>().is_err());
}
