//! `narikin position`: what is this position?

use std::fmt;
use std::process::ExitCode;

use rules::{
    Color, Declaration, DeclarationRule, Game, GameRules, Outcome, PlyLimitStyle, Position, Script,
};
use serde::Serialize;

use crate::exit;
use crate::given::PositionText;
use crate::output::{self, SCHEMA};

/// Arguments of `narikin position`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  narikin position startpos moves 7g7f 3c3d
  narikin position --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --moves 'G*5b' --json

The JSON object: {schema, sfen, side: black|white, ply, in_check, legal_moves: [USI],
repetition: how often the position has occurred in the game, outcome: null or
{winner: black|white|draw, reason}, declaration: win|draw|no, points: {black, white}}.
Moves after the end of the game are played, but the outcome stays the first one. Under the try rule
the declaration is a win if the king can step to its goal. Points are those of a declaration; in a
handicap game what was given at the start counts for its giver.")]
pub struct PositionArgs {
    /// Which position.
    #[command(flatten)]
    pub position: PositionText,
    /// Rule by which a king that has crossed the board can win
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Rule::Points27)]
    pub rule: Rule,
    /// Points that White gave in a handicap, where the position is not the start of its game
    #[arg(long, value_name = "POINTS")]
    pub given: Option<u32>,
    /// Plies after which a game is drawn [default: no limit]
    #[arg(long, value_name = "PLIES")]
    pub max_ply: Option<u32>,
    /// Whether a chain of checks goes on beyond that limit
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = Style::Plain)]
    pub max_ply_style: Style,
    /// How the board is drawn
    #[arg(long, value_enum, value_name = "SCRIPT", default_value_t = Board::English)]
    pub board: Board,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How the board is drawn, as it is typed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Board {
    /// One kanji a piece, as KIF records have it
    Japanese,
    /// SFEN's letters
    English,
    /// Not at all
    None,
}

impl Board {
    fn drawing(self, position: &Position) -> Option<String> {
        let script = match self {
            Board::Japanese => Script::Japanese,
            Board::English => Script::English,
            Board::None => return None,
        };
        Some(position.diagram(script).to_string())
    }
}

/// The rule for entered kings as it is typed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Rule {
    /// 27 points: declaring wins with 28 for Black, 27 for White
    #[value(name = "27")]
    Points27,
    /// 24 points: declaring wins with 31, draws with 24
    #[value(name = "24")]
    Points24,
    /// Stepping to where the other king began wins
    Try,
    /// Nothing is won
    None,
}

impl From<Rule> for DeclarationRule {
    fn from(rule: Rule) -> DeclarationRule {
        match rule {
            Rule::Points27 => DeclarationRule::Points27,
            Rule::Points24 => DeclarationRule::Points24,
            Rule::Try => DeclarationRule::Try,
            Rule::None => DeclarationRule::None,
        }
    }
}

/// The style of the ply limit as it is typed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Style {
    /// The game is drawn at once
    Plain,
    /// If the last ply gave check, the game goes on until a move of that side gives none
    Jsa,
}

impl From<Style> for PlyLimitStyle {
    fn from(style: Style) -> PlyLimitStyle {
        match style {
            Style::Plain => PlyLimitStyle::Plain,
            Style::Jsa => PlyLimitStyle::Jsa,
        }
    }
}

/// What the command knows about a position; printed as JSON or as a drawing.
#[derive(Debug, Serialize)]
struct Facts {
    schema: u32,
    sfen: String,
    side: &'static str,
    ply: u32,
    in_check: bool,
    legal_moves: Vec<String>,
    repetition: u32,
    outcome: Option<End>,
    declaration: &'static str,
    points: Points,
}

/// How the game ended.
#[derive(Debug, Serialize)]
struct End {
    winner: &'static str,
    reason: &'static str,
}

/// Declaration points of both sides.
#[derive(Debug, Serialize)]
struct Points {
    black: u32,
    white: u32,
}

/// Prints what is known about the position.
///
/// # Errors
///
/// If the position or a move is refused.
pub fn run(args: &PositionArgs) -> anyhow::Result<ExitCode> {
    let mut game = args.position.game(GameRules {
        declaration: args.rule.into(),
        credit_handicap: true,
        max_ply: args.max_ply,
        max_ply_style: args.max_ply_style.into(),
    })?;
    if let Some(points) = args.given {
        game = game.with_given_points(Color::White, points);
    }
    let facts = facts(&game);
    if args.json {
        output::print_json(&facts)?;
    } else {
        if let Some(drawing) = args.board.drawing(game.position()) {
            output::print(&drawing)?;
        }
        output::print(facts.to_string().trim_end())?;
    }
    Ok(exit::done())
}

fn facts(game: &Game) -> Facts {
    let position = game.position();
    let mut legal_moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    legal_moves.sort();
    Facts {
        schema: SCHEMA,
        sfen: position.to_string(),
        side: color_name(position.side_to_move()),
        ply: position.ply(),
        in_check: position.in_check(),
        legal_moves,
        repetition: game.repetitions(),
        outcome: first_outcome(game).map(|end| End {
            winner: winner_name(&end),
            reason: end.reason.as_str(),
        }),
        declaration: declaration(game),
        points: Points {
            black: game.declaration_points(Color::Black),
            white: game.declaration_points(Color::White),
        },
    }
}

/// What the rule for entered kings gives the side to move.
fn declaration(game: &Game) -> &'static str {
    match game.declaration() {
        _ if game.try_move().is_some() => "win",
        Declaration::Win => "win",
        Declaration::Draw => "draw",
        Declaration::No => "no",
    }
}

/// How the game ended when it first ended: it cannot end a second time in another way.
fn first_outcome(game: &Game) -> Option<Outcome> {
    let mut replayed = Game::new(game.start().clone(), game.rules());
    for &mv in game.moves() {
        if let Some(outcome) = replayed.outcome() {
            return Some(outcome);
        }
        replayed.play_unchecked(mv);
    }
    replayed.outcome()
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn winner_name(outcome: &Outcome) -> &'static str {
    outcome.winner.map_or("draw", color_name)
}

impl fmt::Display for Facts {
    /// The same facts as the JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sfen         {}", self.sfen)?;
        let check = if self.in_check { ", in check" } else { "" };
        writeln!(f, "to move      {}, ply {}{check}", self.side, self.ply)?;
        match &self.outcome {
            Some(end) => writeln!(f, "outcome      {} ({})", end.winner, end.reason)?,
            None => writeln!(f, "outcome      none yet")?,
        }
        writeln!(f, "repetition   {}", self.repetition)?;
        let Points { black, white } = self.points;
        writeln!(
            f,
            "declaration  {} (points: black {black}, white {white})",
            self.declaration
        )?;
        writeln!(
            f,
            "legal moves  {}: {}",
            self.legal_moves.len(),
            self.legal_moves.join(" ")
        )
    }
}
