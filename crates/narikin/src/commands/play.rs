//! `narikin play`: a game in the terminal against a net.

mod partner;
mod table;

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use rules::{Color, DeclarationRule, Game, GameRules, Handicap, PlyLimitStyle, Position, Script};
use search::mix_seed;
use usi::Settings;

use crate::commands::usi::settings;
use crate::exit::{self, Refuse};
use crate::nets::SHIPPED;
use crate::output;
use partner::EnginePartner;
use table::Table;

/// Arguments of `narikin play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  narikin play
  narikin play --side white --pieces japanese --visits 50
  narikin play --handicap two-piece

In a handicap game the side that gives the pieces is White and moves first; you are Black unless
--side says otherwise. Type help during the game.")]
pub struct PlayArgs {
    /// Model file, run folder or ONNX file to play against
    #[arg(long, value_name = "NET", default_value = SHIPPED)]
    pub model: PathBuf,
    /// Your side [default: pieces are thrown for it (furigoma); black in a handicap game]
    #[arg(long, value_enum, value_name = "SIDE")]
    pub side: Option<Side>,
    /// Start of a handicap game, by its English name
    #[arg(long, value_name = "NAME")]
    pub handicap: Option<Handicap>,
    /// Start from another position
    #[arg(long, value_name = "SFEN", conflicts_with = "handicap")]
    pub sfen: Option<String>,
    /// Positions that the net may look at for a move: its strength
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    pub visits: u32,
    /// How pieces are drawn and moves are written
    #[arg(long, value_enum, value_name = "SCRIPT", default_value_t = Pieces::English)]
    pub pieces: Pieces,
}

/// A side as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Sente (先手); in a handicap game the one who takes the pieces
    Black,
    /// Gote (後手); in a handicap game the one who gives them
    White,
}

/// How pieces are drawn, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Pieces {
    /// Kanji, and moves as in Japanese books
    Japanese,
    /// Letters, and moves as in English books
    English,
}

impl From<Pieces> for Script {
    fn from(pieces: Pieces) -> Script {
        match pieces {
            Pieces::Japanese => Script::Japanese,
            Pieces::English => Script::English,
        }
    }
}

/// Plays until somebody has won or standard input ends.
///
/// # Errors
///
/// If the net or the position is refused.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let start = match (&args.sfen, args.handicap) {
        (Some(sfen), _) => Position::from_sfen(sfen).refused()?,
        (None, handicap) => handicap.unwrap_or(Handicap::Even).position(),
    };
    let settings = Settings {
        nodes_per_move: args.visits,
        // Games against the same person should differ.
        random_ply: 20,
        random_temperature: 500,
        random_cutoff: 20,
        ..settings(args.model.display().to_string())
    };
    let mut partner = EnginePartner::new(settings)?;
    let is_handicap = args
        .handicap
        .is_some_and(|handicap| handicap != Handicap::Even);
    let human = match args.side {
        Some(Side::Black) => Color::Black,
        Some(Side::White) => Color::White,
        None if is_handicap => Color::Black,
        None => furigoma()?,
    };
    let rules = GameRules {
        declaration: DeclarationRule::Points27,
        credit_handicap: true,
        max_ply: None,
        max_ply_style: PlyLimitStyle::Plain,
    };
    let mut table = Table::new(Game::new(start, rules), human, args.pieces.into());
    output::print(&table.begin(&mut partner)?)?;
    let prompts = io::stdin().is_terminal();
    let mut lines = io::stdin().lock().lines();
    while !table.is_left() {
        if prompts {
            output::prompt("> ")?;
        }
        // What is no text is no move either.
        let line = match lines.next() {
            Some(Ok(line)) => line,
            Some(Err(error)) if error.kind() == io::ErrorKind::InvalidData => String::from("?"),
            _ => break,
        };
        output::print(&table.hear(&line, &mut partner)?)?;
    }
    Ok(exit::done())
}

/// Throws five pawns (振り駒): with most of them face up the one whose pawns they are begins.
fn furigoma() -> anyhow::Result<Color> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let lot = mix_seed(since.map_or(0, |since| since.as_nanos() as u64), 0);
    let (color, text) = throw(lot);
    output::print(&text)?;
    Ok(color)
}

/// The side of the one whose pawns are thrown, and how they fell.
fn throw(lot: u64) -> (Color, String) {
    let fell: Vec<bool> = (0..5).map(|pawn| lot >> (59 + pawn) & 1 == 1).collect();
    let n_pawns = fell.iter().filter(|&&face_up| face_up).count();
    let pieces: Vec<&str> = fell
        .iter()
        .map(|&face_up| if face_up { "歩" } else { "と" })
        .collect();
    let (color, who) = if 2 < n_pawns {
        (Color::Black, "you begin, as Black")
    } else {
        (Color::White, "Narikin begins, you are White")
    };
    let text = format!(
        "Furigoma with your pawns: {} ({n_pawns} pawns, {} promoted): {who}.",
        pieces.join(" "),
        5 - n_pawns
    );
    (color, text)
}

#[cfg(test)]
mod tests;
