//! Puts a record together, move by move as a reader finds them.

use rules::{Color, Move, Position, Square, Undo};

use crate::clock::Clock;
use crate::ending::Ending;
use crate::error::{Fault, shortened};
use crate::header::Header;
use crate::notes::Note;
use crate::record::{End, Line, MAX_DEPTH, Ply, Record, Variation, arrival};

/// How many moves one game may have, its variations counted.
const MAX_MOVES: usize = 1_000_000;
/// How many moves may be played again to reach the roots of variations: files list them so that
/// none is, and those that do not must not cost time without end.
const MAX_REPLAYED: usize = 10_000_000;

/// A record that is not finished, and the position that its last move led to.
pub(crate) struct Builder {
    headers: Vec<Header>,
    start: Position,
    /// The main line, then the variation that is open in it, the one open in that, …
    path: Vec<OpenLine>,
    position: Position,
    /// What takes back the moves on the path, up to the first illegal one.
    undos: Vec<Undo>,
    n_moves: usize,
    n_replayed: usize,
}

/// A line that moves are still added to.
struct OpenLine {
    /// The ply of its first move, from 0 at the start of the record.
    first: usize,
    line: Line,
    /// Whether its last move is illegal.
    illegal: bool,
}

impl OpenLine {
    fn new(first: usize) -> OpenLine {
        OpenLine {
            first,
            line: Line::default(),
            illegal: false,
        }
    }

    /// The ply behind its last legal move.
    fn legal_end(&self) -> usize {
        self.first + self.line.plies.len() - usize::from(self.illegal)
    }
}

impl Builder {
    pub(crate) fn new(headers: Vec<Header>, start: Position) -> Builder {
        Builder {
            headers,
            position: start.clone(),
            start,
            path: vec![OpenLine::new(0)],
            undos: Vec::new(),
            n_moves: 0,
            n_replayed: 0,
        }
    }

    pub(crate) fn headers_mut(&mut self) -> &mut Vec<Header> {
        &mut self.headers
    }

    /// The position after the last legal move.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Whose turn it is; an illegal move counts like any other.
    pub(crate) fn side(&self) -> Color {
        if self.top().illegal {
            self.position.side_to_move().flipped()
        } else {
            self.position.side_to_move()
        }
    }

    /// The number of the next ply, from 0 at the start of the record.
    pub(crate) fn next_ply(&self) -> usize {
        self.top().first + self.top().line.plies.len()
    }

    /// Where the last move arrived.
    pub(crate) fn previous(&self) -> Option<Square> {
        let mut end = usize::MAX;
        for open in self.path.iter().rev() {
            let n_plies = end.saturating_sub(open.first).min(open.line.plies.len());
            if n_plies > 0 {
                return arrival(&open.line.plies[..n_plies]);
            }
            end = open.first;
        }
        None
    }

    /// Whether the last move of the open line is illegal.
    pub(crate) fn is_illegal(&self) -> bool {
        self.top().illegal
    }

    /// What would be wrong with a move that `found` names, before it is looked at.
    pub(crate) fn expect_move(&self, found: &str) -> Result<(), Fault> {
        let top = self.top();
        if top.line.end.is_some() {
            return Err(Fault::AfterEnd {
                found: shortened(found),
            });
        }
        match top.line.plies.last() {
            Some(ply) if top.illegal => Err(Fault::AfterIllegal {
                mv: ply.mv,
                sfen: self.position.to_string(),
            }),
            _ if self.n_moves == MAX_MOVES => Err(Fault::TooMuch {
                what: "moves in one game",
                limit: MAX_MOVES,
            }),
            _ => Ok(()),
        }
    }

    /// Adds a move; [`Builder::expect_move`] must have found nothing wrong.
    pub(crate) fn add_move(&mut self, mv: Move) {
        if self.position.is_legal(mv) {
            self.undos.push(self.position.do_move(mv));
        } else {
            self.top_mut().illegal = true;
        }
        self.top_mut().line.plies.push(Ply::new(mv));
        self.n_moves += 1;
    }

    /// Ends the open line.
    pub(crate) fn end(&mut self, ending: Ending, found: &str) -> Result<(), Fault> {
        let line = &mut self.top_mut().line;
        if line.end.is_some() {
            return Err(Fault::AfterEnd {
                found: shortened(found),
            });
        }
        line.end = Some(End::new(ending));
        Ok(())
    }

    /// Puts another ending in the place of the open line's.
    pub(crate) fn refine_ending(&mut self, ending: Ending) {
        if let Some(end) = &mut self.top_mut().line.end {
            end.ending = ending;
        }
    }

    /// The ending of the open line.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.top().line.end.as_ref().map(|end| end.ending)
    }

    /// Says how long the last move or the ending took; nothing where there is neither.
    pub(crate) fn set_clock(&mut self, clock: Clock) {
        let line = &mut self.top_mut().line;
        if let Some(end) = &mut line.end {
            end.clock = Some(clock);
        } else if let Some(ply) = line.plies.last_mut() {
            ply.clock = Some(clock);
        }
    }

    /// Adds a remark on what was last added to the open line.
    pub(crate) fn add_note(&mut self, note: Note) {
        let line = &mut self.top_mut().line;
        let notes = match (&mut line.end, line.plies.last_mut()) {
            (Some(end), _) => &mut end.notes,
            (None, Some(ply)) => &mut ply.notes,
            (None, None) => &mut line.notes,
        };
        notes.push(note);
    }

    /// Opens a variation whose first move has the number `ply`, from 0 at the start of the record:
    /// of the innermost open line that begins before it and is long enough.
    pub(crate) fn open_variation(&mut self, ply: usize) -> Result<(), Fault> {
        while self.path.len() > 1 && (self.top().first >= ply || self.top().legal_end() < ply) {
            self.close_line();
        }
        let last = self.top().legal_end();
        if ply > last {
            return Err(Fault::Unrooted {
                ply: ply + 1,
                first: 1,
                last: last + 1,
            });
        }
        if self.path.len() > MAX_DEPTH {
            return Err(Fault::TooMuch {
                what: "variations inside each other",
                limit: MAX_DEPTH,
            });
        }
        self.go_to(ply)?;
        self.path.push(OpenLine::new(ply));
        Ok(())
    }

    /// The finished record.
    pub(crate) fn finish(mut self) -> Record {
        while self.path.len() > 1 {
            self.close_line();
        }
        let mut main = self.path.pop().expect("the path has the main line").line;
        sort_variations(&mut main);
        Record {
            headers: self.headers,
            start: self.start,
            main,
        }
    }

    /// Makes the innermost line a variation of the one around it, and goes back to where it began.
    fn close_line(&mut self) {
        let mut closed = self
            .path
            .pop()
            .expect("the path has more than the main line");
        sort_variations(&mut closed.line);
        while self.undos.len() > closed.first {
            self.take_back();
        }
        let around = self.top_mut();
        let variation = Variation {
            at: closed.first - around.first,
            line: closed.line,
        };
        around.line.variations.push(variation);
    }

    /// Goes to the position before `ply` of the innermost line.
    fn go_to(&mut self, ply: usize) -> Result<(), Fault> {
        while self.undos.len() > ply {
            self.take_back();
        }
        while self.undos.len() < ply {
            if self.n_replayed == MAX_REPLAYED {
                return Err(Fault::TooMuch {
                    what: "moves to play again, since variations are not listed from the last to \
                           the first,",
                    limit: MAX_REPLAYED,
                });
            }
            self.n_replayed += 1;
            let idx = self.undos.len() - self.top().first;
            let mv = self.top().line.plies[idx].mv;
            self.undos.push(self.position.do_move(mv));
        }
        Ok(())
    }

    fn take_back(&mut self) {
        let undo = self.undos.pop().expect("a move was played");
        self.position.undo_move(undo);
    }

    fn top(&self) -> &OpenLine {
        self.path.last().expect("the path has the main line")
    }

    fn top_mut(&mut self) -> &mut OpenLine {
        self.path.last_mut().expect("the path has the main line")
    }
}

/// Files list variations from the last to the first, records from the first to the last.
fn sort_variations(line: &mut Line) {
    line.variations.sort_by_key(|variation| variation.at);
}
