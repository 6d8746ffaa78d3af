//! TensorBoard as a view of events: scalars and histograms named like `loss/policy`.
//!
//! The x axis is the number of optimizer updates for what the learner reports, of games for what
//! self-play reports, and the net's generation for what the arena reports.

use std::path::Path;

use tensorboard_rs::summary_writer::SummaryWriter;

use super::events::{Event, Games, Histogram, Learned, Measured};

/// Writes the curves of one run into one TensorBoard folder.
///
/// Every process that opens the folder writes a file of its own, as TensorBoard expects.
pub struct TensorBoard {
    writer: SummaryWriter,
}

impl TensorBoard {
    /// Creates `folder` and a new event file in it.
    ///
    /// # Panics
    ///
    /// If the folder or the file cannot be written: `tensorboard-rs` has no errors.
    pub fn create(folder: &Path) -> TensorBoard {
        TensorBoard {
            writer: SummaryWriter::new(folder),
        }
    }

    /// Adds the curves' points that `event` holds; many events hold none.
    pub fn show(&mut self, event: &Event) {
        match event {
            Event::Games(games) => self.show_games(games),
            Event::Learned(learned) => self.show_learned(learned),
            Event::Measured(measured) => self.show_measured(measured),
            Event::Started(_)
            | Event::Published(_)
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

/// `name` with everything that TensorBoard does not allow in a tag replaced by `_`.
fn tag_part(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    name.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests;
