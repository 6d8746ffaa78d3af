//! What a search says: its lines of analysis, and its answer.

use std::time::Instant;

use super::{Plan, Thinking, draw};
use crate::info::{BestMove, Effort, Line, Score, bestmove_line, info_line};
use crate::lines::{line_after, ranked_lines};

impl Thinking {
    pub(super) fn write_answer(&self, now: Instant, out: &mut Vec<String>) {
        let mut lines = self.lines();
        if let Some(drawn) = self.drawn_line() {
            // Clients take the last line before the answer for its own.
            lines = vec![drawn];
        }
        self.write_lines(&lines, now, out);
        let first = lines.first().and_then(|line| line.pv.first().copied());
        let best = match (&self.plan, first) {
            (Plan::Known(best), _) => *best,
            (Plan::Search(_), _) if self.resigns() => BestMove::Resign,
            (_, Some(mv)) => BestMove::Move(mv),
            (_, None) => BestMove::Move(self.any_move()),
        };
        let ponder = self
            .settings
            .ponder
            .then(|| lines.first()?.pv.get(1).copied())
            .flatten();
        out.push(bestmove_line(best, ponder));
    }

    fn resigns(&self) -> bool {
        let Some(standing) = &self.standing else {
            return false;
        };
        let p = match standing.result.mate {
            _ if self.mate.line().is_some() => 1.0,
            Some(plies) if plies > 0 => 1.0,
            Some(_) => 0.0,
            None => standing.result.value.expected(),
        };
        let is_asked = !self.limits.infinite && self.guess.is_none();
        is_asked && p * 1000.0 < self.settings.resign_threshold as f32
    }

    /// The line of a move that is played for variety instead of the best one.
    fn drawn_line(&self) -> Option<Line> {
        let Plan::Search(search) = &self.plan else {
            return None;
        };
        let n_moves = u32::try_from(self.game.moves().len()).unwrap_or(u32::MAX);
        let is_wanted = n_moves < self.settings.random_ply;
        if !is_wanted || self.limits.infinite || self.guess.is_some() || self.resigns() {
            return None;
        }
        let result = &self.standing.as_ref()?.result;
        if result.mate.is_some() || self.mate.line().is_some() {
            return None;
        }
        let moves: Vec<_> = search.root_moves().collect();
        let mv = draw::draw(&moves, result.best, &self.settings, self.seed)?;
        line_after(search, mv, &self.settings)
    }

    pub(super) fn write_lines(&self, lines: &[Line], now: Instant, out: &mut Vec<String>) {
        let (nodes_used, depth) = match &self.plan {
            Plan::Known(_) | Plan::Book(_) => (0, 0),
            Plan::Search(search) => (search.node_count(), search.depth()),
        };
        let effort = Effort {
            time: now.saturating_duration_since(self.started),
            nodes: u64::from(self.visits()),
            seldepth: depth,
            hashfull: nodes_used * 1000 / self.settings.node_limit as usize,
        };
        let ranked = self.settings.multi_pv > 1 && self.guess.is_none();
        for (idx, line) in lines.iter().enumerate() {
            out.push(info_line(&effort, line, idx + 1, ranked));
        }
    }

    /// The best lines, best first, as many as `MultiPV` asks for.
    pub(super) fn lines(&self) -> Vec<Line> {
        match &self.plan {
            Plan::Known(BestMove::Win) => vec![Line::bare(Score::Won)],
            Plan::Known(_) => vec![Line::bare(Score::Lost)],
            Plan::Book(entry) => vec![Line {
                score: Score::Cp(entry.score_cp.unwrap_or(0)),
                pv: std::iter::once(entry.mv).chain(entry.reply).collect(),
            }],
            Plan::Search(search) => match self.guess {
                None => self.with_mate(ranked_lines(search, &self.settings)),
                Some(guess) => {
                    let line = line_after(search, guess, &self.settings);
                    line.map(Line::after_first).into_iter().collect()
                }
            },
        }
    }

    /// Puts the solver's mate first, unless the search knows a shorter one.
    fn with_mate(&self, mut lines: Vec<Line>) -> Vec<Line> {
        let Some(mate) = self.mate.line() else {
            return lines;
        };
        let plies = i32::try_from(mate.len()).unwrap_or(i32::MAX);
        let is_shorter = |line: &Line| {
            let Score::Mate(known) = line.score else {
                return false;
            };
            0 < known && known <= plies && !line.pv.is_empty()
        };
        if lines.first().is_some_and(is_shorter) {
            return lines;
        }
        lines.retain(|line| line.pv.first() != mate.first());
        let mate = Line {
            score: Score::Mate(plies),
            pv: mate.to_vec(),
        };
        lines.insert(0, mate);
        lines.truncate(self.settings.multi_pv as usize);
        lines
    }
}
