//! Who plays against the person: the USI engine, in this process.

use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use rules::{Game, Move};
use usi::{BestMove, EngineOptions, Next, Score, Settings, UsiEngine, position_line};

use crate::commands::usi::load;
use crate::exit::Refuse;

/// What somebody thinks of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// What it would do.
    pub best: BestMove,
    /// How it stands, for the side to move.
    pub score: Option<Score>,
    /// How it would go on.
    pub line: Vec<Move>,
}

/// Somebody who plays.
pub trait Partner {
    /// What to do in the position that `game` has come to.
    ///
    /// # Errors
    ///
    /// If it cannot think.
    fn think(&mut self, game: &Game) -> anyhow::Result<Thought>;
}

/// Our engine, spoken to in its protocol.
pub struct EnginePartner {
    engine: UsiEngine,
}

impl EnginePartner {
    /// Loads the net.
    ///
    /// # Errors
    ///
    /// If it is refused.
    pub fn new(settings: Settings) -> anyhow::Result<EnginePartner> {
        let options = EngineOptions {
            name: "Narikin".to_owned(),
            author: "the Narikin authors".to_owned(),
            settings,
        };
        let mut partner = EnginePartner {
            engine: UsiEngine::new(options, Box::new(Instant::now)),
        };
        partner.say("isready").refused()?;
        Ok(partner)
    }

    /// The engine's answer to a line, with all that it thinks.
    fn say(&mut self, line: &str) -> anyhow::Result<Vec<String>> {
        let mut out = Vec::new();
        match self.engine.handle(line, Instant::now(), &mut out) {
            Next::Load(wanted) => {
                let loaded = load(&wanted).map_err(|error| anyhow!("{error}"))?;
                self.engine.network_loaded(loaded, &mut out);
            }
            Next::GoOn => {}
            Next::Quit => bail!("the engine has quit"),
        }
        while self.engine.is_thinking() {
            self.engine.think(&mut out);
        }
        Ok(out)
    }
}

impl Partner for EnginePartner {
    fn think(&mut self, game: &Game) -> anyhow::Result<Thought> {
        self.say(&position_line(game))?;
        let out = self.say("go btime 600000 wtime 600000")?;
        thought(&out).with_context(|| format!("the engine gave no answer but {out:?}"))
    }
}

/// Reads the last lines of an answer.
fn thought(out: &[String]) -> Option<Thought> {
    let [before @ .., last] = out else {
        return None;
    };
    let mut words = last.strip_prefix("bestmove ")?.split(' ');
    let best = match words.next()? {
        "resign" => BestMove::Resign,
        "win" => BestMove::Win,
        mv => BestMove::Move(mv.parse().ok()?),
    };
    let info = before.last().map_or("", String::as_str);
    let (head, pv) = info.split_once(" pv ").unwrap_or((info, ""));
    let score = head
        .split_once(" score ")
        .and_then(|(_, score)| score.parse().ok());
    let line = pv.split_whitespace().filter_map(|mv| mv.parse().ok());
    Some(Thought {
        best,
        score,
        line: line.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_with_score_and_line() {
        let out = [
            "info depth 2 nodes 9 score cp -31 pv 7g7f 3c3d".to_owned(),
            "bestmove 7g7f ponder 3c3d".to_owned(),
        ];
        let read = thought(&out).unwrap();
        assert_eq!(read.best, BestMove::Move("7g7f".parse().unwrap()));
        assert_eq!(read.score, Some(Score::Cp(-31)));
        assert_eq!(read.line.len(), 2);
        let out = [
            "info depth 0 score mate -".to_owned(),
            "bestmove resign".to_owned(),
        ];
        let read = thought(&out).unwrap();
        assert_eq!(
            (read.best, read.score),
            (BestMove::Resign, Some(Score::Lost))
        );
        assert_eq!(thought(&["readyok".to_owned()]), None);
    }
}
