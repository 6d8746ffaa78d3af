use super::*;

#[test]
fn player_words_mean_baselines_engines_and_models() {
    let spec = |text: &str| text.parse::<PlayerSpec>().unwrap();
    assert_eq!(spec("random"), PlayerSpec::Baseline(Baseline::Random));
    assert_eq!(spec("mate1"), PlayerSpec::Baseline(Baseline::Mate1));
    assert_eq!(spec("greedy"), PlayerSpec::Baseline(Baseline::Greedy));
    assert_eq!(
        spec("usi:engine --threads 1"),
        PlayerSpec::Usi("engine --threads 1".to_owned())
    );
    assert_eq!(
        spec("runs/a/models/3"),
        PlayerSpec::Model("runs/a/models/3".to_owned())
    );
}

#[test]
fn seats_are_each_others_opponents() {
    assert_eq!(Seat::ALL.map(Seat::index), [0, 1]);
    assert_eq!(Seat::ALL.map(Seat::other), [Seat::B, Seat::A]);
}
