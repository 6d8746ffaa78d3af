//! Numbers of games: which worker played it, and its how-many-eth.
//!
//! A game's number is its identity for good. It is in the record itself, so the run folder knows
//! which games it has, without a list of its own that could disagree; and with the run's seed it is
//! what the game's random choices follow from, so that any game can be played again.

/// The lowest number of a worker's game; the trainer's own games have lower ones.
pub const FIRST_FLEET_GAME: u64 = 1 << 32;

/// The highest number of a worker that gets its number from the run.
pub(crate) const MAX_WORKER: u64 = (1 << 30) - 1;

/// Members' numbers begin here; numbers of games have 63 bits.
const FIRST_MEMBER: u32 = 1 << 30;

/// Bits that count the starts of a member.
const START_BITS: u32 = 14;

/// Starts that a member can have.
pub const MAX_STARTS: u32 = 1 << START_BITS;

/// The number of the worker that is start `start` of `member`: a worker whose owner has a number of its
/// own, so that a broker can keep others from using it.
///
/// # Panics
///
/// Unless `start` is below [`MAX_STARTS`].
pub(crate) fn member_worker(member: u16, start: u32) -> u32 {
    assert!(start < MAX_STARTS, "start {start} of {MAX_STARTS}");
    FIRST_MEMBER | u32::from(member) << START_BITS | start
}

/// Whose games may come on a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// Those of one worker, which got its number from the run.
    Worker(u32),
    /// Those of all workers that a member has been.
    Member(u16),
}

impl Sender {
    /// Who sends the games of `worker`.
    pub fn of(worker: u32) -> Sender {
        match worker {
            FIRST_MEMBER.. => Sender::Member((worker >> START_BITS) as u16),
            _ => Sender::Worker(worker),
        }
    }
}

/// The number of game `sequence` of `worker`, which is at least 1.
pub fn game_id(worker: u32, sequence: u32) -> u64 {
    u64::from(worker) << 32 | u64::from(sequence)
}

/// The worker that played game `id`; 0 for the trainer's own games.
pub fn worker_of(id: u64) -> u32 {
    (id >> 32) as u32
}

/// The number of game `id` among those of its worker.
pub fn sequence_of(id: u64) -> u32 {
    id as u32
}

#[cfg(test)]
mod tests;
