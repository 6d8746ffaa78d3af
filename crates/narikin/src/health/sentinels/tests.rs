use super::super::{GameHealth, NetHealth, PositionHealth};
use super::*;

/// A run with which nothing is wrong.
fn healthy() -> Health {
    let mut health = Health {
        games: GameHealth {
            games: 2000,
            black_share: 0.5,
            white_share: 0.47,
            draw_share: 0.03,
            cap_share: 0.01,
            repetition_share: 0.02,
            plies_median: 90,
            plies_p90: 160,
            lines_share: 0.9,
            top_line_share: 0.02,
            network_entropy: Some(1.5),
            policy_divergence: Some(0.3),
            value_sign_near_end: Some(0.8),
            near_end_positions: 15_000,
            ..GameHealth::default()
        },
        positions: Some(PositionHealth {
            positions: 8192,
            calibration_error: 0.03,
            sign_near: Some(0.75),
            near_positions: 900,
            policy_learned: Some(0.4),
            mirror_difference: Some(0.02),
            ..PositionHealth::default()
        }),
        net: Some(NetHealth {
            change: Some(0.05),
            policy_distance: Some(0.01),
            value_distance: Some(0.002),
            value_correlation: Some(0.99),
            ..NetHealth::default()
        }),
        ..Health::default()
    };
    health.progress.generation = 20;
    health.progress.samples = 1_000_000;
    health.replay.age_nets = 4.0;
    health.machine.disk_free_mib = Some(50_000);
    health.machine.batch_fill = Some(0.95);
    health
}

fn alarms_of(health: &Health) -> Vec<Alarm> {
    alarms(&Vitals {
        health,
        learned: None,
        measured: &[],
        implied_age_nets: 4.0,
    })
}

/// Only the sentinel called `name` speaks once `harm` is done; its words hold a remedy.
#[track_caller]
fn check_alone(name: &str, stops: bool, harm: impl Fn(&mut Health)) {
    let mut health = healthy();
    assert_eq!(alarms_of(&health), []);
    harm(&mut health);
    let alarms = alarms_of(&health);
    let names: Vec<&str> = alarms.iter().map(|alarm| alarm.sentinel).collect();
    assert_eq!(names, [name]);
    assert_eq!(alarms[0].stops, stops);
    assert!(alarms[0].message.len() > 80, "{}", alarms[0].message);
}

fn positions(health: &mut Health) -> &mut PositionHealth {
    health.positions.as_mut().unwrap()
}

fn net(health: &mut Health) -> &mut NetHealth {
    health.net.as_mut().unwrap()
}

#[test]
fn each_sentinel_speaks_of_its_own_harm_only() {
    check_alone("cap-share", false, |health| {
        health.games.cap_share = 0.3;
        health.games.draw_share = 0.32;
    });
    check_alone("draw-share", false, |health| {
        health.games.repetition_share = 0.2
    });
    check_alone("side-bias", false, |health| {
        health.games.black_share = 0.3;
        health.games.white_share = 0.67;
    });
    check_alone("openings", false, |health| {
        health.games.top_line_share = 0.4
    });
    check_alone("openings", false, |health| health.games.lines_share = 0.55);
    check_alone("policy-collapse", true, |health| {
        health.games.network_entropy = Some(0.01)
    });
    check_alone("policy-learns-nothing", false, |health| {
        positions(health).policy_learned = Some(-0.1);
    });
    check_alone("policy-divergence", false, |health| {
        health.games.policy_divergence = Some(1.2)
    });
    check_alone("policy-divergence", false, |health| {
        health.games.policy_divergence = Some(0.001)
    });
    check_alone("value-sign", false, |health| {
        positions(health).sign_near = Some(0.25)
    });
    check_alone("search-value-sign", false, |health| {
        health.games.value_sign_near_end = Some(0.2)
    });
    check_alone("calibration", false, |health| {
        positions(health).calibration_error = 0.3
    });
    check_alone("stale-replay", false, |health| {
        health.replay.age_nets = 60.0
    });
    check_alone("batch-fill", false, |health| {
        health.machine.batch_fill = Some(0.1)
    });
    check_alone("disk-space", false, |health| {
        health.machine.disk_free_mib = Some(1000)
    });
    check_alone("disk-space", true, |health| {
        health.machine.disk_free_mib = Some(10)
    });
    check_alone("frozen-players", false, |health| net(health).strangers = 1);
    check_alone("net-disagreement", false, |health| {
        net(health).value_distance = Some(0.3)
    });
    check_alone("net-disagreement", false, |health| {
        net(health).policy_distance = Some(0.3)
    });
    check_alone("net-disagreement", false, |health| {
        net(health).value_correlation = Some(-0.9)
    });
    check_alone("no-learning", false, |health| {
        net(health).change = Some(0.0)
    });
    check_alone("mirror", false, |health| {
        positions(health).mirror_difference = Some(0.3)
    });
}

#[test]
fn few_games_or_positions_prove_nothing() {
    let mut health = healthy();
    health.games = GameHealth {
        games: 20,
        black_share: 1.0,
        cap_share: 1.0,
        draw_share: 1.0,
        lines_share: 0.1,
        top_line_share: 1.0,
        network_entropy: Some(0.0),
        policy_divergence: Some(9.0),
        value_sign_near_end: Some(0.3),
        near_end_positions: 30,
        ..GameHealth::default()
    };
    positions(&mut health).positions = 100;
    positions(&mut health).sign_near = Some(0.4);
    positions(&mut health).near_positions = 50;
    positions(&mut health).policy_learned = Some(0.0);
    positions(&mut health).calibration_error = 0.3;
    assert_eq!(alarms_of(&health), []);
}

#[test]
fn a_loss_that_is_good_on_known_games_only_is_memorising() {
    let health = healthy();
    let learned = Learned {
        value_loss: 0.45,
        unseen_value_loss: Some(0.7),
        ..Learned::default()
    };
    let vitals = Vitals {
        health: &health,
        learned: Some(&learned),
        measured: &[],
        implied_age_nets: 4.0,
    };
    assert_eq!(alarms(&vitals)[0].sentinel, "memorising");
}

#[test]
fn strength_that_falls_beyond_both_intervals_is_an_alarm() {
    let measured = |generation, low, high| Measured {
        generation,
        opponent: "greedy".to_owned(),
        games: 40,
        wins: 20,
        draws: 0,
        losses: 20,
        elo: None,
        elo_low: Some(low),
        elo_high: Some(high),
    };
    let health = healthy();
    let falls = |newest: Measured| {
        let measured = [
            measured(1, -300.0, -100.0),
            measured(2, 200.0, 400.0),
            newest,
        ];
        let vitals = Vitals {
            health: &health,
            learned: None,
            measured: &measured,
            implied_age_nets: 4.0,
        };
        alarms(&vitals)
            .iter()
            .any(|alarm| alarm.sentinel == "falling-strength")
    };
    assert!(falls(measured(3, -200.0, 0.0)));
    assert!(!falls(measured(3, -50.0, 120.0)));
}

#[test]
fn a_sentinel_warns_once_and_its_warning_ends_after_some_quiet_looks() {
    let alarm = Alarm {
        sentinel: "cap-share",
        stops: false,
        message: String::new(),
    };
    let mut watch = Watch::default();
    assert_eq!(watch.look(vec![alarm.clone()]).raised.len(), 1);
    assert_eq!(watch.look(vec![alarm.clone()]), News::default());
    for _ in 1..QUIET_LOOKS {
        assert_eq!(watch.look(Vec::new()), News::default());
    }
    assert_eq!(watch.look(Vec::new()).over, ["cap-share"]);
    assert_eq!(watch.look(vec![alarm]).raised.len(), 1);
}
