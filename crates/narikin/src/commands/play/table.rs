//! The game between a person and a partner: what is typed in, what is shown out. No terminal here.

use std::fmt::Write as _;

use rules::{Color, Declaration, EndReason, Game, Move, Notation, Outcome, Script, Square};
use usi::{BestMove, Score};

use super::partner::{Partner, Thought};

#[cfg(test)]
mod tests;

/// What can be typed beside moves.
const HELP: &str = "\
Type a move: 7g7f, 8h2b+, P*5e (USI), P-7f, Bx2b+ (English), ７六歩, ▲２二角成 (Japanese).
  hint    what Narikin would play
  undo    take your last move back
  moves   all legal moves
  board   draw the board again
  win     declare that your king has entered (27 points)
  resign  give up
  quit    leave";

/// A game under way.
pub struct Table {
    game: Game,
    human: Color,
    script: Script,
    /// How it ended, if it has.
    outcome: Option<Outcome>,
    is_left: bool,
}

impl Table {
    /// A table at which the person plays `human`.
    pub fn new(game: Game, human: Color, script: Script) -> Table {
        Table {
            game,
            human,
            script,
            outcome: None,
            is_left: false,
        }
    }

    /// Whether the person has left.
    pub fn is_left(&self) -> bool {
        self.is_left
    }

    /// The first thing to show, with the partner's first move if it begins.
    ///
    /// # Errors
    ///
    /// If the partner cannot think.
    pub fn begin(&mut self, partner: &mut dyn Partner) -> anyhow::Result<String> {
        let mut text = String::from("Type help for what can be typed.\n\n");
        self.outcome = self.game.outcome();
        let is_partners = self.game.position().side_to_move() != self.human;
        if is_partners && self.outcome.is_none() {
            self.answer(partner, &mut text)?;
        }
        self.draw(&mut text);
        Ok(text)
    }

    /// What to show after a typed line.
    ///
    /// # Errors
    ///
    /// If the partner cannot think.
    pub fn hear(&mut self, line: &str, partner: &mut dyn Partner) -> anyhow::Result<String> {
        let mut text = String::new();
        match line.trim() {
            "" => {}
            "help" | "?" => text.push_str(HELP),
            "quit" | "exit" => {
                self.is_left = true;
                text.push_str("Goodbye.");
            }
            "board" => self.draw(&mut text),
            "moves" => text.push_str(&self.legal_moves()),
            "undo" => self.take_back(&mut text),
            _ if self.outcome.is_some() => {
                text.push_str("The game is over: undo takes a move back, quit leaves.");
            }
            "hint" => self.hint(partner, &mut text)?,
            "resign" => self.end(
                Outcome::win(self.human.flipped(), EndReason::Resignation),
                &mut text,
            ),
            "win" => self.declare(&mut text),
            typed => self.play(typed, partner, &mut text)?,
        }
        Ok(text)
    }

    fn play(
        &mut self,
        typed: &str,
        partner: &mut dyn Partner,
        text: &mut String,
    ) -> anyhow::Result<()> {
        let mv = match self.read(typed) {
            Ok(mv) => mv,
            Err(problem) => {
                text.push_str(&problem);
                return Ok(());
            }
        };
        let shown = self.written(mv);
        self.game.play_unchecked(mv);
        let _ = writeln!(text, "You: {shown}");
        self.outcome = self.game.outcome();
        if self.outcome.is_none() {
            self.answer(partner, text)?;
        }
        self.draw(text);
        Ok(())
    }

    /// The move that was typed, if it is one and legal.
    fn read(&self, typed: &str) -> Result<Move, String> {
        let position = self.game.position();
        let read = Notation::ALL
            .iter()
            .find_map(|notation| notation.read(position, typed, self.previous()).ok());
        let Some(mv) = read else {
            // The message for the notation that people at a keyboard use.
            return Err(match Notation::Usi.read(position, typed, None) {
                Err(error) => format!("{error} (type help for what can be typed)"),
                Ok(_) => String::new(),
            });
        };
        match position.why_illegal(mv) {
            None => Ok(mv),
            Some(reason) => Err(format!("{mv} is illegal: {reason}")),
        }
    }

    /// The partner's move.
    fn answer(&mut self, partner: &mut dyn Partner, text: &mut String) -> anyhow::Result<()> {
        let Thought { best, score, .. } = partner.think(&self.game)?;
        let side = self.human.flipped();
        match best {
            BestMove::Move(mv) => {
                let shown = self.written(mv);
                self.game.play_unchecked(mv);
                let score = score.map_or(String::new(), |score| format!("  ({})", in_words(score)));
                let _ = writeln!(text, "Narikin: {shown}{score}");
                self.outcome = self.game.outcome();
            }
            BestMove::Resign => {
                self.outcome = Some(Outcome::win(side.flipped(), EndReason::Resignation))
            }
            BestMove::Win => self.outcome = Some(Outcome::win(side, EndReason::Declaration)),
        }
        Ok(())
    }

    fn hint(&mut self, partner: &mut dyn Partner, text: &mut String) -> anyhow::Result<()> {
        let Thought { best, score, line } = partner.think(&self.game)?;
        match best {
            BestMove::Move(mv) => {
                let score = score.map_or(String::new(), |score| format!("  ({})", in_words(score)));
                let _ = write!(text, "Narikin would play {}{score}", self.written(mv));
                let rest: Vec<String> = line.iter().skip(1).take(4).map(Move::to_string).collect();
                if !rest.is_empty() {
                    let _ = write!(text, ", and then {}", rest.join(" "));
                }
            }
            BestMove::Resign => text.push_str("Narikin would resign."),
            BestMove::Win => text.push_str("Narikin would declare: type win."),
        }
        Ok(())
    }

    /// Takes moves back up to the person's last one.
    fn take_back(&mut self, text: &mut String) {
        let n_moves = self.game.moves().len();
        let is_mine = |back: &usize| {
            // Who is to move after so many moves were taken back.
            let flips = back % 2 == 1;
            let side = self.game.position().side_to_move();
            (if flips { side.flipped() } else { side }) == self.human
        };
        let Some(back) = (1..=n_moves).find(is_mine) else {
            text.push_str("There is no move of yours to take back.");
            return;
        };
        for _ in 0..back {
            self.game.undo();
        }
        self.outcome = None;
        self.draw(text);
    }

    fn declare(&mut self, text: &mut String) {
        if self.game.declaration() == Declaration::Win {
            self.end(Outcome::win(self.human, EndReason::Declaration), text);
        } else {
            let points = self.game.declaration_points(self.human);
            let _ = write!(
                text,
                "You cannot declare yet: you have {points} points, and the king, ten other pieces and \
                 28 points (27 for White) are needed in the far three ranks, and no check."
            );
        }
    }

    fn end(&mut self, outcome: Outcome, text: &mut String) {
        self.outcome = Some(outcome);
        text.push_str(&self.result(outcome));
    }

    fn result(&self, Outcome { winner, reason }: Outcome) -> String {
        match winner {
            Some(winner) if winner == self.human => format!("You have won ({reason})."),
            Some(_) => format!("Narikin has won ({reason})."),
            None => format!("The game is a draw ({reason})."),
        }
    }

    fn draw(&self, text: &mut String) {
        let position = self.game.position();
        let _ = write!(text, "{}", position.diagram(self.script));
        match self.outcome {
            Some(outcome) => text.push_str(&self.result(outcome)),
            None if position.in_check() => text.push_str("Check: your move."),
            None => text.push_str("Your move."),
        }
    }

    fn legal_moves(&self) -> String {
        let moves = self.game.position().legal_moves();
        let written: Vec<String> = moves.iter().map(|&mv| self.written(mv)).collect();
        written.join("  ")
    }

    /// A move of this position, in books' notation and as it can be typed anywhere.
    fn written(&self, mv: Move) -> String {
        let notation = match self.script {
            Script::Japanese => Notation::Ki2,
            Script::English => Notation::Hodges,
        };
        let shown = notation.write(self.game.position(), mv, self.previous());
        format!("{shown} [{mv}]")
    }

    /// Where the last move arrived.
    fn previous(&self) -> Option<Square> {
        self.game.moves().last().map(|mv| mv.to())
    }
}

/// What a score says to a person, from the view of whom it belongs to.
fn in_words(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.1}", f64::from(cp) / 100.0),
        Score::Mate(plies) if 0 < plies => format!("mates in {plies}"),
        Score::Mate(plies) => format!("is mated in {}", -plies),
        Score::Won => "wins".to_owned(),
        Score::Lost => "is lost".to_owned(),
    }
}
