//! From a search to the lines that `MultiPV` shows.

use rules::Move;
use search::{RootMove, Search, Wdl};

use crate::info::{Line, Score};
use crate::options::Settings;

/// The best lines of `search`, best first: the move to play with its whole line, then the others by
/// visits. As many as `MultiPV` asks for and there are moves with a value.
pub(crate) fn ranked_lines(search: &Search, settings: &Settings) -> Vec<Line> {
    let result = search.result();
    let best = Line {
        score: score(result.mate, result.value, settings),
        pv: result.pv,
    };
    let mut lines = vec![best];
    if settings.multi_pv == 1 {
        return lines;
    }
    let mut others: Vec<RootMove> = search
        .root_moves()
        .filter(|root_move| root_move.mv != result.best)
        .collect();
    others.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
    for other in others.into_iter().take(settings.multi_pv as usize - 1) {
        let Some(value) = other.value else { break };
        lines.push(Line {
            score: score(other.mate, value, settings),
            pv: search.pv_after(other.mv),
        });
    }
    lines
}

/// The best line that begins with `mv`; `None` if that has no value yet.
pub(crate) fn line_after(search: &Search, mv: Move, settings: &Settings) -> Option<Line> {
    let root_move = search.root_moves().find(|root_move| root_move.mv == mv)?;
    Some(Line {
        score: score(root_move.mate, root_move.value?, settings),
        pv: search.pv_after(mv),
    })
}

fn score(mate: Option<i32>, value: Wdl, settings: &Settings) -> Score {
    match mate {
        Some(plies) => Score::Mate(plies),
        None => Score::from_expected(value.expected(), settings.eval_coef),
    }
}
