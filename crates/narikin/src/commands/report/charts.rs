//! The curves of a run over its minutes.

use arena::page::{Chart, ChartLine};

use crate::health::{GameHealth, Health, PositionHealth};
use crate::history::{At, History};
use crate::report::events::{Games, Learned, Measured};

/// Points of a line: a page is for eyes, so longer curves are thinned out.
const POINTS: usize = 400;

/// All charts, those that hold nothing included.
pub fn charts(history: &History) -> Vec<Chart> {
    vec![
        policy_loss(history),
        value_loss(history),
        strength(history),
        value_sign(history),
        ends(history),
        lengths(history),
        policy(history),
        openings(history),
        evaluations(history),
        samples(history),
        replay(history),
        weights(history),
        calibration(history),
    ]
}

fn chart(title: &str, shown: &[f64], lines: Vec<ChartLine>) -> Chart {
    Chart {
        title: title.to_owned(),
        unit: "minutes".to_owned(),
        lines,
        shown: shown.to_vec(),
    }
}

/// One line; points whose number is unknown are left out.
fn line<T>(name: &str, points: &[At<T>], number: impl Fn(&T) -> Option<f64>) -> ChartLine {
    let every = points.len().div_ceil(POINTS).max(1);
    // The newest point is always there.
    let offset = points.len().saturating_sub(1) % every;
    let thinned = points.iter().skip(offset).step_by(every);
    let place = |point: &At<T>| {
        let number = number(&point.what).filter(|number| number.is_finite())?;
        Some((point.elapsed_s / 60.0, number))
    };
    ChartLine {
        name: name.to_owned(),
        points: thinned.filter_map(place).collect(),
    }
}

fn policy_loss(history: &History) -> Chart {
    let of = |name, number: fn(&Learned) -> Option<f64>| line(name, &history.learned, number);
    chart(
        "Policy loss, nats",
        &[],
        vec![
            of("in the window", |learned| Some(learned.policy_loss)),
            of("unseen", |learned| learned.unseen_policy_loss),
            of("at best", |learned| Some(learned.policy_target_entropy)),
        ],
    )
}

fn value_loss(history: &History) -> Chart {
    let of = |name, number: fn(&Learned) -> Option<f64>| line(name, &history.learned, number);
    chart(
        "Value loss, nats (knowing nothing: 0.69 without draws, up to 1.10 with them)",
        &[],
        vec![
            of("in the window", |learned| Some(learned.value_loss)),
            of("unseen", |learned| learned.unseen_value_loss),
            of("result, unseen", |learned| learned.unseen_outcome_loss),
        ],
    )
}

fn strength(history: &History) -> Chart {
    let against = |opponent: &'static str| {
        let points: Vec<At<Measured>> = history
            .measured
            .iter()
            .filter(|point| point.what.opponent == opponent)
            .cloned()
            .collect();
        line(opponent, &points, |measured| Some(measured.score()))
    };
    let opponents = ["greedy", "mate1", "random"];
    chart(
        "Points per game against built-in players",
        &[0.0, 1.0],
        opponents.map(against).into(),
    )
}

fn value_sign(history: &History) -> Chart {
    let of = |name, number: fn(&PositionHealth) -> Option<f64>| {
        line(name, &history.health, move |health: &Health| {
            health.positions.as_ref().and_then(number)
        })
    };
    chart(
        "Winner expected, share of unseen positions",
        &[0.5, 1.0],
        vec![
            of("within 10 plies of the end", |positions| {
                positions.sign_near
            }),
            of("11 to 30", |positions| positions.sign_middle),
            of("further", |positions| positions.sign_far),
        ],
    )
}

fn ends(history: &History) -> Chart {
    let of = |name, number: fn(&GameHealth) -> f64| {
        line(name, &history.health, move |health: &Health| {
            health.known_games().map(number)
        })
    };
    chart(
        "How games end, share of the last 2,000",
        &[0.0, 1.0],
        vec![
            of("Black wins", |games| games.black_share),
            of("drawn", |games| games.draw_share),
            of("ply limit", |games| games.cap_share),
            of("repetition", |games| games.repetition_share),
            of("declared", |games| games.declared_share),
            of("resigned", |games| games.resigned_share),
        ],
    )
}

fn lengths(history: &History) -> Chart {
    let mean = |games: &Games| Some(games.plies.mean());
    chart(
        "Length of games, plies",
        &[0.0],
        vec![
            line("mean", &history.games, mean),
            line(
                "nine of ten are shorter",
                &history.health,
                |health: &Health| health.known_games().map(|games| f64::from(games.plies_p90)),
            ),
        ],
    )
}

fn policy(history: &History) -> Chart {
    let of = |name, number: fn(&Games) -> f64| {
        line(name, &history.games, move |games| Some(number(games)))
    };
    chart(
        "Policy at the root, nats",
        &[0.0],
        vec![
            of("network's entropy", |games| games.network_entropy),
            of("search's entropy", |games| games.root_entropy),
            of("apart", |games| games.policy_divergence),
        ],
    )
}

fn openings(history: &History) -> Chart {
    let of = |name, number: fn(&GameHealth) -> Option<f64>| {
        line(name, &history.health, move |health: &Health| {
            health.known_games().and_then(number)
        })
    };
    chart(
        "Variety",
        &[0.0, 1.0],
        vec![
            of("different first ten plies", |games| Some(games.lines_share)),
            of("most frequent line", |games| Some(games.top_line_share)),
            of("search overrides the network", |games| {
                games.overridden_share
            }),
        ],
    )
}

fn evaluations(history: &History) -> Chart {
    let speed = |games: &Games| Some(games.evals_per_s);
    let line = line("self-play", &history.games, speed);
    chart("Evaluations per second", &[0.0], vec![line])
}

fn samples(history: &History) -> Chart {
    let speed = |learned: &Learned| Some(learned.samples_per_s);
    let line = line("training", &history.learned, speed);
    chart("Training rows per second", &[0.0], vec![line])
}

fn replay(history: &History) -> Chart {
    let of = |name, number: fn(&Health) -> f64| {
        line(name, &history.health, move |health| Some(number(health)))
    };
    chart(
        "Replay",
        &[0.0],
        vec![
            of("age of positions, nets", |health| health.replay.age_nets),
            of("rows per position", |health| health.replay.reuse),
        ],
    )
}

fn weights(history: &History) -> Chart {
    let change = |health: &Health| health.net.and_then(|net| net.change);
    let clipped = |learned: &Learned| Some(learned.clipped_share);
    chart(
        "Weights",
        &[0.0],
        vec![
            line("change from net to net, share", &history.health, change),
            line("clipped steps, share", &history.learned, clipped),
        ],
    )
}

fn calibration(history: &History) -> Chart {
    let newest = history.health.last();
    let positions = newest.and_then(|point| point.what.positions.as_ref());
    let bins = positions.map_or(&[][..], |positions| &positions.calibration);
    let points: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.expected, bin.came)).collect();
    let ideal = match points.is_empty() {
        true => Vec::new(),
        false => vec![(0.0, 0.0), (1.0, 1.0)],
    };
    let named = |name: &str, points| ChartLine {
        name: name.to_owned(),
        points,
    };
    Chart {
        title: "Score that came, by the score that was expected (unseen positions, now)".to_owned(),
        unit: "expected score".to_owned(),
        lines: vec![named("came", points), named("ideal", ideal)],
        shown: vec![0.0, 1.0],
    }
}
