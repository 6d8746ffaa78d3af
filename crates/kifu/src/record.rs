//! A whole game as files tell it: a start, a tree of moves, and what was said about them.

use rules::{Color, EndReason, Game, GameRules, IllegalMove, Move, Outcome, Position, Square};

use crate::clock::Clock;
use crate::ending::{Ending, GameResult};
use crate::header::{Header, HeaderKey};
use crate::notes::Note;

/// A game: who played, from where, the moves with variations, and how it ended.
///
/// Every move is legal where it stands, but for the last one of a line, which may be the illegal
/// move that lost the game. [`Record::check`] tells whether that holds; the readers keep to it and
/// the writers rely on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What the file says about the game, in the order of the file.
    pub headers: Vec<Header>,
    /// Where the game began. Only USI lists tell its move number; other readers set it to 1.
    pub start: Position,
    /// The game itself.
    pub main: Line,
}

/// Moves one after another: the game itself, or a variation of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// What was said before the first move.
    pub notes: Vec<Note>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// How the line ended; `None` where the file says nothing.
    pub end: Option<End>,
    /// Other ways to go on, by [`Variation::at`] ascending; those from one place in the order of
    /// the file.
    pub variations: Vec<Variation>,
}

/// One move, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The time that it took.
    pub clock: Option<Clock>,
    /// What was said after it.
    pub notes: Vec<Note>,
}

impl Ply {
    /// A move of which nothing more is known.
    pub fn new(mv: Move) -> Ply {
        Ply {
            mv,
            clock: None,
            notes: Vec::new(),
        }
    }
}

/// How a line ended: what files write like a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// What happened.
    pub ending: Ending,
    /// The time that the side to move took for it.
    pub clock: Option<Clock>,
    /// What was said after it.
    pub notes: Vec<Note>,
}

impl End {
    /// An ending of which nothing more is known.
    pub fn new(ending: Ending) -> End {
        End {
            ending,
            clock: None,
            notes: Vec::new(),
        }
    }
}

/// Another way to go on from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// Its first move takes the place of the ply with this index (from 0) in the line that it
    /// leaves; as many as that line has plies where it takes the place of the ending.
    pub at: usize,
    /// The moves.
    pub line: Line,
}

/// Why a record is none, see [`Record`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// A move that is not the last of its line is illegal.
    #[error("ply {ply}: the move {mv} is illegal in {sfen}, and the line goes on after it")]
    Illegal {
        /// The ply, from 1 at the start of the record.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position before it.
        sfen: String,
    },
    /// The illegal last move of a line moves nothing that the side to move has.
    #[error("ply {ply}: the move {mv} moves no piece of the side to move in {sfen}")]
    NoPiece {
        /// The ply, from 1 at the start of the record.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position before it.
        sfen: String,
    },
    /// A variation leaves its line where the line has no ply and no ending.
    #[error("a variation begins at ply {ply}, the line that it leaves ends before ply {last}")]
    Unrooted {
        /// Where it begins, from 1 at the start of the record.
        ply: usize,
        /// The last ply at which one could begin.
        last: usize,
    },
    /// A variation takes the place of another variation's first move.
    #[error(
        "a variation of a variation begins at ply {ply} like that one: expected both beside each other"
    )]
    Twin {
        /// Where both begin, from 1 at the start of the record.
        ply: usize,
    },
    /// The variations are not in order.
    #[error("the variations at ply {ply} and later stand in the wrong order")]
    Order {
        /// Where the misplaced one begins, from 1 at the start of the record.
        ply: usize,
    },
    /// Variations of variations of variations.
    #[error("variations are nested more than {limit} deep")]
    TooDeep {
        /// How deep they may be nested.
        limit: usize,
    },
}

/// How deep variations may be nested: no study of a game comes near, and a stack holds it.
pub const MAX_DEPTH: usize = 100;

impl Record {
    /// A game without anything but its moves.
    pub fn new(start: Position, moves: impl IntoIterator<Item = Move>) -> Record {
        Record {
            headers: Vec::new(),
            start,
            main: Line {
                plies: moves.into_iter().map(Ply::new).collect(),
                ..Line::default()
            },
        }
    }

    /// What the file says under `key`, the first time if it does so more than once.
    pub fn header(&self, key: &HeaderKey) -> Option<&str> {
        let header = self.headers.iter().find(|header| header.key == *key)?;
        Some(&header.value)
    }

    /// Adds a header at the end.
    pub fn add_header(&mut self, key: HeaderKey, value: impl Into<String>) {
        let value = value.into();
        self.headers.push(Header { key, value });
    }

    /// The moves of the game, variations left out.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main.plies.iter().map(|ply| ply.mv)
    }

    /// How the game ended, if the file says so.
    pub fn ending(&self) -> Option<Ending> {
        self.main.end.as_ref().map(|end| end.ending)
    }

    /// Whose turn it is after `plies` moves of the game.
    pub fn side_at(&self, plies: usize) -> Color {
        side_after(self.start.side_to_move(), plies)
    }

    /// Whose turn it is after the last move; an illegal one counts like any other.
    pub fn side_at_end(&self) -> Color {
        self.side_at(self.main.plies.len())
    }

    /// Plays the game: its legal moves, and what is wrong with the one after them if there is one.
    pub fn replay(&self) -> (Game, Option<IllegalMove>) {
        let rules = GameRules {
            max_ply: None,
            ..GameRules::default()
        };
        let mut game = Game::new(self.start.clone(), rules);
        for mv in self.moves() {
            if let Err(illegal) = game.play(mv) {
                return (game, Some(illegal));
            }
        }
        (game, None)
    }

    /// Who won, as far as the file says how the game ended.
    ///
    /// A repetition is a draw, unless the moves show that one side gave check all the while: that
    /// side lost.
    pub fn result(&self) -> GameResult {
        match (self.ending(), self.outcome()) {
            (None, _) => GameResult::Unknown,
            (Some(Ending::Repetition), Some(outcome)) => {
                outcome.winner.map_or(GameResult::Draw, GameResult::Win)
            }
            (Some(ending), _) => ending.result(self.side_at_end()),
        }
    }

    /// How the game ended in the words of the rules, where somebody won or it was drawn.
    ///
    /// The file is believed, and the moves say what it leaves open: which rule an illegal move
    /// breaks, and whether a repetition or a foul was perpetual check.
    pub fn outcome(&self) -> Option<Outcome> {
        let side = self.side_at_end();
        let ending = self.ending()?;
        let reason = match ending {
            Ending::Resign => EndReason::Resignation,
            Ending::TimeUp => EndReason::TimeForfeit,
            Ending::Declaration => EndReason::Declaration,
            Ending::Impasse => EndReason::Impasse,
            Ending::Draw => EndReason::Agreement,
            Ending::MaxMoves => EndReason::PlyLimit,
            Ending::DefaultWin | Ending::DefaultLoss => EndReason::Forfeit,
            Ending::Mate => match self.replay().0.position().in_check() {
                true => EndReason::Checkmate,
                false => EndReason::NoMoves,
            },
            Ending::Repetition => match self.perpetual_check() {
                Some(outcome) => return Some(outcome),
                None => EndReason::Repetition,
            },
            Ending::Foul(loser) => return Some(self.foul(loser)),
            Ending::Interrupt | Ending::NoMate | Ending::TakeBack | Ending::Error => return None,
        };
        match ending.result(side) {
            GameResult::Win(winner) => Some(Outcome::win(winner, reason)),
            GameResult::Draw => Some(Outcome::draw(reason)),
            GameResult::Unknown => None,
        }
    }

    /// What the foul of `loser` was, if the moves show it.
    fn foul(&self, loser: Color) -> Outcome {
        match (self.replay().1, self.perpetual_check()) {
            (Some(illegal), _) if illegal.side == loser => illegal.outcome(),
            (None, Some(outcome)) if outcome.winner != Some(loser) => outcome,
            _ => Outcome::win(loser.flipped(), EndReason::IllegalMove),
        }
    }

    /// The outcome, if the moves end with perpetual check.
    fn perpetual_check(&self) -> Option<Outcome> {
        let (game, illegal) = self.replay();
        let outcome = game.outcome().filter(|_| illegal.is_none())?;
        (outcome.reason == EndReason::PerpetualCheck).then_some(outcome)
    }

    /// Checks what [`Record`] promises.
    ///
    /// # Errors
    ///
    /// The first thing that does not hold.
    pub fn check(&self) -> Result<(), RecordFault> {
        self.main.check(&self.start, 0, 0)
    }
}

impl Line {
    /// `position` is the one before the first move, `ply` its number from 0 at the start of the
    /// record, and `depth` how many lines this one is a variation of.
    fn check(&self, position: &Position, ply: usize, depth: usize) -> Result<(), RecordFault> {
        if depth > MAX_DEPTH {
            return Err(RecordFault::TooDeep { limit: MAX_DEPTH });
        }
        let mut position = position.clone();
        let mut variations = self.variations.iter().peekable();
        let mut last = self.plies.len();
        for (idx, played) in self.plies.iter().enumerate() {
            while let Some(variation) = variations.next_if(|variation| variation.at == idx) {
                variation.check(&position, ply, depth)?;
            }
            let mv = played.mv;
            if position.is_legal(mv) {
                position.do_move(mv);
                continue;
            }
            let (ply, sfen) = (ply + idx + 1, position.to_string());
            if idx + 1 < self.plies.len() {
                return Err(RecordFault::Illegal { ply, mv, sfen });
            }
            // Notations name the piece.
            let mover = mv.from().map(|from| position.piece_at(from));
            let side = position.side_to_move();
            if mover.is_some_and(|piece| piece.is_none_or(|piece| piece.color != side)) {
                return Err(RecordFault::NoPiece { ply, mv, sfen });
            }
            last = idx;
        }
        while let Some(variation) = variations.next_if(|variation| variation.at == last) {
            variation.check(&position, ply, depth)?;
        }
        match variations.next() {
            None => Ok(()),
            Some(variation) if variation.at > last => Err(RecordFault::Unrooted {
                ply: ply + variation.at + 1,
                last: ply + last + 1,
            }),
            Some(variation) => Err(RecordFault::Order {
                ply: ply + variation.at + 1,
            }),
        }
    }

    /// Adds a variation behind those that begin at the same place.
    pub fn add_variation(&mut self, variation: Variation) {
        let behind = self.variations.partition_point(|v| v.at <= variation.at);
        self.variations.insert(behind, variation);
    }
}

impl Variation {
    fn check(&self, position: &Position, ply: usize, depth: usize) -> Result<(), RecordFault> {
        let first = ply + self.at;
        if self
            .line
            .variations
            .first()
            .is_some_and(|twin| twin.at == 0)
        {
            return Err(RecordFault::Twin { ply: first + 1 });
        }
        self.line.check(position, first, depth + 1)
    }
}

/// Whose turn it is `plies` moves after `first` was to move.
pub(crate) fn side_after(first: Color, plies: usize) -> Color {
    if plies.is_multiple_of(2) {
        first
    } else {
        first.flipped()
    }
}

/// Where the last move of `plies` arrived.
pub(crate) fn arrival(plies: &[Ply]) -> Option<Square> {
    plies.last().map(|ply| ply.mv.to())
}

#[cfg(test)]
mod tests;
