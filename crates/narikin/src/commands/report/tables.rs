//! The tables of a run: its health with what is usual, warnings, measurements, settings.

use arena::page::PageTable;

use crate::commands::status::rating_words;
use crate::config::Config;
use crate::health::{GameHealth, Health};
use crate::history::History;
use crate::report::terminal::clock;

/// All tables; empty ones are left out.
pub fn tables(config: &Config, history: &History) -> Vec<PageTable> {
    let mut tables = Vec::new();
    if let Some(point) = history.health.last() {
        tables.push(health(&point.what));
    }
    tables.push(table(
        "Measurements",
        &["net", "result"],
        history.measured.iter().map(|point| {
            let measured = &point.what;
            vec![measured.generation.to_string(), rating_words(measured)]
        }),
    ));
    tables.push(table(
        "Nets at the gate",
        &["steps", "games", "won", "drawn", "lost", "accepted"],
        history.gated.iter().map(|point| {
            let gated = &point.what;
            [
                gated.steps.to_string(),
                gated.games.to_string(),
                gated.wins.to_string(),
                gated.draws.to_string(),
                gated.losses.to_string(),
                if gated.accepted { "yes" } else { "no" }.to_owned(),
            ]
            .to_vec()
        }),
    ));
    tables.push(table(
        "Warnings so far",
        &["sentinel", "after"],
        history.warnings.iter().map(|point| {
            let (sentinel, message) = &point.what;
            vec![format!("{sentinel}: {message}"), clock(point.elapsed_s)]
        }),
    ));
    tables.push(table(
        "Settings changed on the way",
        &["key", "before", "since", "after"],
        history.amended.iter().flat_map(|point| {
            let absent = || "(none)".to_owned();
            point.what.changes.iter().map(move |change| {
                vec![
                    change.key.clone(),
                    change.from.clone().unwrap_or_else(absent),
                    change.to.clone().unwrap_or_else(absent),
                    clock(point.elapsed_s),
                ]
            })
        }),
    ));
    tables.push(settings(config));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn table(title: &str, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> PageTable {
    PageTable {
        title: title.to_owned(),
        headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
        rows: rows.collect(),
        folded: false,
    }
}

/// What is known of the run's health, and what healthy runs show.
fn health(health: &Health) -> PageTable {
    let mut rows = Vec::new();
    let mut row = |name: &str, found: Option<String>, usual: &str| {
        if let Some(found) = found {
            rows.push(vec![name.to_owned(), found, usual.to_owned()]);
        }
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let number = |number: f64| format!("{number:.3}");
    let games = &health.games;
    let known = health.known_games();
    row(
        "games looked at",
        Some(games.games.to_string()),
        "up to 2,000",
    );
    row(
        "Black wins, of decided games",
        games.black_of_decided().map(percent),
        "48–52 % early, 52–56 % later",
    );
    let share = |share: fn(&GameHealth) -> f64| known.map(share).map(percent);
    row("drawn", share(|games| games.draw_share), "below 8 %");
    row("ply limit", share(|games| games.cap_share), "below 5 %");
    row(
        "repetition",
        share(|games| games.repetition_share),
        "below 8 %",
    );
    row("declared", share(|games| games.declared_share), "0–5 %");
    row(
        "median length",
        known.map(|games| games.plies_median.to_string()),
        "60–200",
    );
    row(
        "most frequent line",
        share(|games| games.top_line_share),
        "below 10 %",
    );
    row(
        "network's entropy",
        games.network_entropy.map(number),
        "1–3.9 nats, falling",
    );
    row(
        "search and network apart",
        games.policy_divergence.map(number),
        "0.1–0.7 nats",
    );
    row(
        "network overridden",
        games.overridden_share.map(percent),
        "10–50 %",
    );
    row("root moves visited", games.visited_moves.map(number), "");
    row(
        "rank of the chosen move",
        games.prior_rank.map(number),
        "1–3",
    );
    row(
        "search right near the end",
        games.value_sign_near_end.map(percent),
        "above 60 %",
    );
    if let Some(positions) = &health.positions {
        row(
            "unseen: Brier score",
            Some(number(positions.brier)),
            "below 0.25",
        );
        row(
            "unseen: expected too much",
            Some(number(positions.bias)),
            "–0.03 to 0.03",
        );
        row(
            "unseen: for Black",
            Some(number(positions.black_bias)),
            "–0.03 to 0.03",
        );
        row(
            "unseen: calibration error",
            Some(number(positions.calibration_error)),
            "below 0.1",
        );
        row(
            "unseen: right near the end",
            positions.sign_near.map(percent),
            "above 60 %",
        );
        row(
            "unseen: right further away",
            positions.sign_far.map(percent),
            "above 50 %",
        );
        row(
            "unseen: policy learned",
            positions.policy_learned.map(percent),
            "rising",
        );
        row(
            "unseen: same first move",
            positions.top1_share.map(percent),
            "rising",
        );
        row(
            "unseen: mates in one seen",
            positions.mate_top1_share.map(percent),
            "above 80 % later",
        );
        row(
            "mass on illegal moves",
            Some(percent(positions.illegal_mass)),
            "any: it is not taught",
        );
        row(
            "mirror image differs",
            positions.mirror_difference.map(number),
            "below 0.05 later",
        );
    }
    if let Some(net) = health.net {
        row(
            "weights changed by",
            net.change.map(percent),
            "0.1–30 % a net",
        );
        row(
            "running variances",
            Some(format!(
                "{:.1e} to {:.1e}",
                net.variance_min, net.variance_max
            )),
            "",
        );
        row(
            "players' policy is off by",
            net.policy_distance.map(percent),
            "below 3 %",
        );
        row(
            "players' score is off by",
            net.value_distance.map(percent),
            "below 1 %",
        );
    }
    row(
        "age of positions",
        Some(format!("{:.1} nets", health.replay.age_nets)),
        "below 20",
    );
    let reuse = format!(
        "{:.2} of {:.1}",
        health.replay.reuse, health.replay.reuse_allowed
    );
    row("rows per position", Some(reuse), "");
    row("c_scale", health.c_scale.map(number), "");
    if let Some(resigning) = &health.resigning {
        let text = format!(
            "{} of {} at {:.3}",
            resigning.mistakes, resigning.resigning, resigning.threshold
        );
        row("mistaken resignations", Some(text), "below 5 %");
    }
    row(
        "batch fill",
        health.machine.batch_fill.map(percent),
        "above 80 %",
    );
    row(
        "memory",
        health.machine.memory_mib.map(|mib| format!("{mib} MiB")),
        "steady",
    );
    row(
        "free disk",
        health.machine.disk_free_mib.map(|mib| format!("{mib} MiB")),
        "above 2048 MiB",
    );
    table("Health", &["", "now", "usual"], rows.into_iter())
}

/// Every key of the configuration, and its default where that is another.
fn settings(config: &Config) -> PageTable {
    let defaults = Config::default();
    let different = config.differences(&defaults);
    let rows = config.flat().into_iter().map(|(key, value)| {
        let is_default = !different
            .iter()
            .any(|other| key.starts_with(other.as_str()));
        let mark = if is_default { "" } else { "not the default" };
        vec![key, value, mark.to_owned()]
    });
    PageTable {
        folded: true,
        ..table("Settings", &["key", "value", ""], rows)
    }
}
