//! TensorBoard as a view of events: scalars and histograms named like `loss/policy`.
//!
//! The x axis is the number of optimizer updates for what the learner reports, of games for what
//! self-play reports, and the net's generation for what the arena reports.

use std::fs::{self, File};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use tensorboard_rs::summary_writer::SummaryWriter;

use super::events::{Event, FleetStands, Games, Histogram, Learned, Measured};
use crate::health::Health;

/// Writes the curves of one run into one TensorBoard folder.
///
/// Every process that opens the folder writes a file of its own, as TensorBoard expects. Curves are
/// a view: where they can be written no more (a full disk), they end, and the run does not.
pub struct TensorBoard {
    /// None once a file could not be written.
    writer: Option<SummaryWriter>,
}

impl TensorBoard {
    /// Creates `folder` and a new event file in it.
    ///
    /// # Errors
    ///
    /// If no file can be created there.
    pub fn create(folder: &Path) -> io::Result<TensorBoard> {
        // `tensorboard-rs` has no errors: it panics. So that is tried before.
        fs::create_dir_all(folder)?;
        let probe = folder.join("probe.tmp");
        File::create(&probe)?;
        fs::remove_file(&probe)?;
        Ok(TensorBoard {
            writer: Some(SummaryWriter::new(folder)),
        })
    }

    /// Adds the curves' points that `event` holds; many events hold none.
    pub fn show(&mut self, event: &Event) {
        let Some(writer) = self.writer.take() else {
            return;
        };
        let mut pen = Pen { writer };
        // What panics is a channel to a thread that could not write.
        let shown = panic::catch_unwind(AssertUnwindSafe(|| {
            pen.show(event);
            pen
        }));
        self.writer = shown.ok().map(|pen| pen.writer);
    }
}

impl Drop for TensorBoard {
    fn drop(&mut self) {
        let writer = self.writer.take();
        // The same panic, where the last point could not be written.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(writer)));
    }
}

/// A writer that works.
struct Pen {
    writer: SummaryWriter,
}

impl Pen {
    fn show(&mut self, event: &Event) {
        match event {
            Event::Games(games) => self.show_games(games),
            Event::Learned(learned) => self.show_learned(learned),
            Event::Measured(measured) => self.show_measured(measured),
            Event::Health(health) => self.show_health(health),
            Event::Fleet(fleet) => self.show_fleet(fleet),
            Event::Started(_)
            | Event::Published(_)
            | Event::Gated(_)
            | Event::Amended(_)
            | Event::Checkpoint(_)
            | Event::Warning(_)
            | Event::Interrupted(_)
            | Event::Finished(_) => return,
        }
        self.writer.flush();
    }

    fn show_games(&mut self, games: &Games) {
        let at = games.total_games;
        self.scalar("games/plies_mean", games.plies.mean(), at);
        self.scalar("games/plies_deviation", games.plies.deviation(), at);
        self.histogram("games/plies", &games.plies, at);
        self.scalar("games/black_share", games.black_share, at);
        self.scalar("games/white_share", games.white_share, at);
        self.scalar("games/draw_share", games.draw_share, at);
        self.scalar("games/repeated_share", games.repeated_share, at);
        for (reason, &count) in &games.by_reason {
            let share = count as f64 / games.games.max(1) as f64;
            self.scalar(&format!("ends/{reason}"), share, at);
        }
        self.scalar("search/root_entropy", games.root_entropy, at);
        self.scalar("search/network_entropy", games.network_entropy, at);
        self.scalar("search/policy_divergence", games.policy_divergence, at);
        self.scalar("search/overridden_share", games.overridden_share, at);
        self.scalar("speed/games_per_s", games.games_per_s, at);
        self.scalar("speed/plies_per_s", games.plies_per_s, at);
        self.scalar("speed/evals_per_s", games.evals_per_s, at);
        self.scalar("speed/batch_fill", games.batch_fill, at);
    }

    fn show_learned(&mut self, learned: &Learned) {
        let at = learned.steps;
        self.scalar("loss/total", learned.loss, at);
        self.scalar("loss/policy", learned.policy_loss, at);
        self.scalar(
            "loss/policy_target_entropy",
            learned.policy_target_entropy,
            at,
        );
        self.scalar("loss/value", learned.value_loss, at);
        let unseen = [
            ("loss/policy_unseen", learned.unseen_policy_loss),
            ("loss/value_unseen", learned.unseen_value_loss),
            ("loss/outcome_unseen", learned.unseen_outcome_loss),
            ("learning/value_sign_unseen", learned.unseen_value_sign),
        ];
        for (tag, value) in unseen {
            if let Some(value) = value {
                self.scalar(tag, value, at);
            }
        }
        self.scalar("learning/top1_share", learned.top1_share, at);
        self.scalar("learning/rate", learned.learning_rate, at);
        self.scalar("learning/gradient_norm", learned.gradient_norm, at);
        self.scalar("learning/clipped_share", learned.clipped_share, at);
        self.scalar("learning/reuse", learned.reuse, at);
        self.scalar(
            "learning/window_positions",
            learned.window_positions as f64,
            at,
        );
        self.scalar("speed/samples_per_s", learned.samples_per_s, at);
    }

    fn show_measured(&mut self, measured: &Measured) {
        let at = u64::from(measured.generation);
        let opponent = tag_part(&measured.opponent);
        self.scalar(&format!("score/{opponent}"), measured.score(), at);
        if let Some(elo) = measured.elo {
            self.scalar(&format!("elo/{opponent}"), elo, at);
        }
    }

    fn show_health(&mut self, health: &Health) {
        let at = health.progress.steps;
        for (tag, value) in health_curves(health) {
            self.scalar(tag, value, at);
        }
    }

    fn show_fleet(&mut self, fleet: &FleetStands) {
        let at = fleet.progress.games;
        let trainer = &fleet.trainer;
        let mean_bytes = trainer.bytes as f64 / trainer.games.max(1) as f64;
        for (tag, value) in [
            ("fleet/connected", f64::from(u8::from(trainer.connected))),
            ("fleet/workers", trainer.workers as f64),
            ("fleet/games", trainer.games as f64),
            ("fleet/games_per_s", trainer.games_per_s),
            ("fleet/bytes_per_game", mean_bytes),
            ("fleet/waiting_messages", trainer.waiting_messages as f64),
            (
                "fleet/waiting_mib",
                trainer.waiting_bytes as f64 / f64::from(1 << 20),
            ),
            ("fleet/duplicates", trainer.duplicates as f64),
        ] {
            self.scalar(tag, value, at);
        }
        for (reason, &count) in &trainer.refused {
            self.scalar(
                &format!("fleet_refused/{}", tag_part(reason)),
                count as f64,
                at,
            );
        }
    }

    fn scalar(&mut self, tag: &str, value: f64, at: u64) {
        self.writer.add_scalar(tag, value as f32, at as usize);
    }

    fn histogram(&mut self, tag: &str, values: &Histogram, at: u64) {
        if values.len() == 0 {
            return;
        }
        // TensorBoard wants the upper end of every bin.
        let limits: Vec<f64> = (1..=values.counts.len())
            .map(|i| i as f64 * f64::from(values.bin_width))
            .collect();
        let counts: Vec<f64> = values.counts.iter().map(|&count| count as f64).collect();
        self.writer.add_histogram_raw(
            tag,
            f64::from(values.min),
            f64::from(values.max),
            values.len() as f64,
            values.sum,
            values.sum_of_squares,
            &limits,
            &counts,
            at as usize,
        );
    }
}

/// The numbers of a health report with their tags; what is unknown has none.
pub fn health_curves(health: &Health) -> Vec<(&'static str, f64)> {
    let Health {
        progress: _,
        games,
        positions,
        net,
        replay,
        resigning,
        c_scale,
        machine,
    } = health;
    let known = health.known_games();
    let mut curves = vec![
        ("health/cap_share", known.map(|games| games.cap_share)),
        (
            "health/repetition_share",
            known.map(|games| games.repetition_share),
        ),
        (
            "health/declared_share",
            known.map(|games| games.declared_share),
        ),
        (
            "health/resigned_share",
            known.map(|games| games.resigned_share),
        ),
        ("health/black_share", known.map(|games| games.black_share)),
        (
            "health/plies_median",
            known.map(|games| f64::from(games.plies_median)),
        ),
        (
            "health/plies_p90",
            known.map(|games| f64::from(games.plies_p90)),
        ),
        ("health/lines_share", known.map(|games| games.lines_share)),
        (
            "health/top_line_share",
            known.map(|games| games.top_line_share),
        ),
        ("health/network_entropy", games.network_entropy),
        ("health/policy_divergence", games.policy_divergence),
        ("health/overridden_share", games.overridden_share),
        ("health/visited_moves", games.visited_moves),
        ("health/prior_rank", games.prior_rank),
        ("health/search_value_sign_near", games.value_sign_near_end),
        ("health/window_age_nets", Some(replay.age_nets)),
        ("health/c_scale", *c_scale),
        (
            "health/memory_mib",
            machine.memory_mib.map(|mib| mib as f64),
        ),
        (
            "health/disk_free_mib",
            machine.disk_free_mib.map(|mib| mib as f64),
        ),
    ];
    if let Some(positions) = positions {
        curves.extend([
            ("health/brier", Some(positions.brier)),
            ("health/value_bias", Some(positions.bias)),
            ("health/value_bias_black", Some(positions.black_bias)),
            (
                "health/calibration_error",
                Some(positions.calibration_error),
            ),
            ("health/value_sign_near", positions.sign_near),
            ("health/value_sign_middle", positions.sign_middle),
            ("health/value_sign_far", positions.sign_far),
            ("health/policy_learned", positions.policy_learned),
            ("health/top1_unseen", positions.top1_share),
            ("health/mate_in_one_seen", positions.mate_top1_share),
            ("health/illegal_mass", Some(positions.illegal_mass)),
            ("health/mirror_difference", positions.mirror_difference),
        ]);
    }
    if let Some(net) = net {
        curves.extend([
            ("health/weight_norm", Some(net.weight_norm)),
            ("health/weight_change", net.change),
            ("health/variance_min", Some(net.variance_min)),
            ("health/variance_max", Some(net.variance_max)),
            ("health/policy_distance", net.policy_distance),
            ("health/value_distance", net.value_distance),
            ("health/value_correlation", net.value_correlation),
        ]);
    }
    if let Some(resigning) = resigning {
        let n = resigning.resigning.max(1) as f64;
        curves.extend([
            ("health/resign_threshold", Some(resigning.threshold)),
            (
                "health/resign_mistakes",
                Some(resigning.mistakes as f64 / n),
            ),
        ]);
    }
    curves
        .into_iter()
        .filter_map(|(tag, value)| Some((tag, value?)))
        .collect()
}

/// `name` with everything that TensorBoard does not allow in a tag replaced by `_`.
fn tag_part(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    name.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests;
