//! Whether the learner keeps up with self-play, so that each position is trained about as often as
//! the configuration says.

/// Batches that the learner may be behind before self-play rests for it.
const MOST_BEHIND: f64 = 64.0;

/// Compares what has been learned with what has been played since the first net. What was played
/// before it, the blind games, is worth less and has no claim to be trained as often.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Training rows wanted for each position.
    reuse: f64,
    /// Training rows of a batch.
    batch: f64,
    /// Training rows and positions at the first net, or at the start of this process if that is later.
    begun: Option<(u64, u64)>,
    is_behind: bool,
}

impl Pace {
    /// For `reuse` training rows per position, in batches of `batch`.
    pub fn new(reuse: f64, batch: u32) -> Pace {
        Pace {
            reuse,
            batch: f64::from(batch),
            begun: None,
            is_behind: false,
        }
    }

    /// Whether self-play should rest until the learner has caught up, where a run stands at so many
    /// training `samples` and `positions` played: from too many batches behind on until none is missing.
    pub fn is_behind(&mut self, samples: u64, positions: u64) -> bool {
        let (samples_then, positions_then) = *self.begun.get_or_insert((samples, positions));
        let wanted = (positions - positions_then) as f64 * self.reuse;
        let missing = (wanted - (samples - samples_then) as f64) / self.batch;
        self.is_behind = missing >= if self.is_behind { 1.0 } else { MOST_BEHIND };
        self.is_behind
    }
}

#[cfg(test)]
mod tests;
