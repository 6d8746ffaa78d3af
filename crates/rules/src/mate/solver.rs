//! The solver as others use it: asks for a mate, reads the line off the proof, and asks for a shorter
//! one.

use super::frame::{Back, Step};
use super::line::MateLine;
use super::search::{Found, Search};
use super::value::{NO_PATH, Plies};
use super::walk::Walk;
use crate::{Game, Move, Position};

/// How a [`Solver`] works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverOptions {
    /// Memory of the tables in MiB, at least 1; taken once.
    pub memory_mib: usize,
    /// Only mates within so many plies are looked for, if given.
    pub max_plies: Option<u32>,
    /// Whether to go on after the first mate, until no shorter one is left.
    pub shorten: bool,
}

impl Default for SolverOptions {
    /// 64 MiB, mates of any length, the shortest wanted.
    fn default() -> SolverOptions {
        SolverOptions {
            memory_mib: 64,
            max_plies: None,
            shorten: true,
        }
    }
}

/// What a [`Solver`] knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The side to move mates by force.
    Mate(MateLine),
    /// It does not, by checks alone (or not within the plies asked for).
    NoMate,
    /// Neither is known yet.
    Unknown,
}

/// Looks for a mate by continuous checks, of any length: depth-first proof-number search
/// (Nagai 2002). `docs/mate-search.md` says how, and what an answer promises.
///
/// ```
/// use rules::Position;
/// use rules::mate::{Answer, Solver, SolverOptions};
///
/// let mut solver = Solver::new(SolverOptions { memory_mib: 1, ..SolverOptions::default() });
/// solver.start(&Position::from_sfen("6+B1k/9/9/9/9/9/9/9/9 b S 1").unwrap());
/// let Answer::Mate(line) = solver.search(10_000) else { panic!("a mate in five") };
/// let moves: Vec<String> = line.moves().iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["S*2b", "1a1b", "2b1c+", "1b1a", "1c2b"]);
/// assert!(line.is_shortest());
/// ```
///
/// All memory is taken by [`Solver::new`], apart from the path looked at. The same position gives
/// the same answer after the same number of nodes, whatever was searched before.
pub struct Solver {
    options: SolverOptions,
    search: Search,
    phase: Phase,
    /// The question that the search is at: the step to the position it asks about, taken back.
    asking: Option<Back>,
    answer: Answer,
    /// A mate within so many plies is proved.
    proved: Plies,
}

enum Phase {
    /// Asks at the root for a mate within so many plies.
    Prove(Plies),
    /// Follows a proof from the root to the mate.
    Walk(Walk),
    Finished,
}

impl Solver {
    /// A solver with its memory; it knows no position yet.
    pub fn new(options: SolverOptions) -> Solver {
        Solver {
            search: Search::new(options.memory_mib.max(1) << 20),
            options,
            phase: Phase::Finished,
            asking: None,
            answer: Answer::Unknown,
            proved: Plies::UNLIMITED,
        }
    }

    /// Takes a position in which the side to move is to mate, and forgets what was before.
    pub fn start(&mut self, position: &Position) {
        self.search.set(position);
        self.asking = None;
        self.answer = Answer::Unknown;
        self.proved = Plies::UNLIMITED;
        // The attacker moves last: an even number of plies is as good as one less.
        let within = self.options.max_plies.map_or(Plies::UNLIMITED, |plies| {
            Plies::new(plies.saturating_sub(1) / 2 * 2 + 1)
        });
        let can_win = position.king(position.side_to_move().flipped()).is_some();
        if can_win && self.options.max_plies != Some(0) {
            self.phase = Phase::Prove(within);
        } else {
            self.phase = Phase::Finished;
            self.answer = Answer::NoMate;
        }
    }

    /// [`Solver::start`] with the position that a game has come to. A mate then enters no position
    /// that occurred in the game: it would be a repetition by checks, which loses.
    pub fn start_in_game(&mut self, game: &Game) {
        self.start(game.position());
        let mut position = game.start().clone();
        let mut played = Vec::new();
        for &mv in game.moves() {
            played.push(position.clone());
            position.do_move(mv);
        }
        self.search.forbid(&played);
    }

    /// Looks at so many more nodes, or fewer if nothing is left to find. Stopping after every node
    /// and going on gives the same as one call.
    pub fn search(&mut self, nodes: u64) -> &Answer {
        let mut budget = nodes;
        while !self.is_finished() {
            let back = match self.asking.take() {
                Some(back) => back,
                None => self.search.make(self.question().0),
            };
            let found = if self.search.is_running() {
                self.search.run(&mut budget)
            } else {
                self.search.ask(self.question().1, &mut budget)
            };
            if found.is_none() && self.search.is_running() {
                self.asking = Some(back);
            } else {
                self.search.unmake(back);
            }
            match found {
                Some(found) => self.receive(found),
                None if budget == 0 => break,
                None => {}
            }
        }
        &self.answer
    }

    /// What is known so far. A mate may still become shorter until [`Solver::is_finished`].
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Whether searching on would change nothing.
    pub fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// Nodes looked at since the start.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// What must be known next: the step to a position, and within how many plies a mate is looked
    /// for there.
    fn question(&self) -> (Step, Plies) {
        match &self.phase {
            Phase::Prove(within) => (Step::Stay, *within),
            Phase::Walk(walk) => walk.question(),
            Phase::Finished => unreachable!("nothing is asked at the end"),
        }
    }

    fn receive(&mut self, found: Found) {
        match std::mem::replace(&mut self.phase, Phase::Finished) {
            Phase::Prove(_) if found.value.is_mate() => {
                self.proved = self.proved.min(found.value.plies);
                self.phase = Phase::Walk(Walk::new(found.value.plies));
            }
            Phase::Prove(_) if found.value.leans_on == NO_PATH => match &mut self.answer {
                Answer::Mate(line) => line.set_shortest(Plies::new(line.plies()) <= self.proved),
                answer => *answer = Answer::NoMate,
            },
            // A path was cut for its depth: nothing is disproved.
            Phase::Prove(_) => {}
            Phase::Walk(mut walk) => {
                if walk.receive(&mut self.search, found) {
                    let moves = walk.finish(&mut self.search);
                    self.take_line(moves);
                } else {
                    self.phase = Phase::Walk(walk);
                }
            }
            Phase::Finished => unreachable!("nothing is asked at the end"),
        }
    }

    /// Takes the line that a walk has found, if it is one, and asks for a shorter mate.
    fn take_line(&mut self, moves: Option<Vec<Move>>) {
        let line = moves.and_then(|moves| MateLine::new(&mut self.search, moves));
        let Some(line) = line else {
            return;
        };
        let is_better = match &self.answer {
            Answer::Mate(old) => line.plies() < old.plies(),
            _ => true,
        };
        let shortest_known = self.proved.min(Plies::new(line.plies()));
        if is_better {
            self.answer = Answer::Mate(line);
        }
        if shortest_known == Plies::new(1) {
            if let Answer::Mate(line) = &mut self.answer {
                line.set_shortest(line.plies() == 1);
            }
        } else if self.options.shorten {
            self.phase = Phase::Prove(shortest_known.minus(2));
        }
    }
}

#[cfg(test)]
mod tests;
