//! CSA records (コンピュータ将棋協会 標準棋譜ファイル形式), versions 1 to 3.

mod read;
mod start;
mod write;

use rules::Color;

use crate::ending::Ending;

pub(crate) use read::{CsaGame, is_separator};
pub(crate) use write::write_csa;

/// The versions of CSA's format that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CsaVersion {
    /// V2.2, which every program reads. Whole seconds only.
    V22,
    /// V3.0 (2024): names its encoding, tells milliseconds and the time control.
    V30,
}

/// The statements behind `%` that mean one thing wherever they stand.
const ENDINGS: [(&str, Ending); 14] = [
    ("TORYO", Ending::Resign),
    ("CHUDAN", Ending::Interrupt),
    ("SENNICHITE", Ending::Repetition),
    ("TIME_UP", Ending::TimeUp),
    ("+ILLEGAL_ACTION", Ending::Foul(Color::Black)),
    ("-ILLEGAL_ACTION", Ending::Foul(Color::White)),
    ("JISHOGI", Ending::Impasse),
    ("KACHI", Ending::Declaration),
    ("HIKIWAKE", Ending::Draw),
    ("MAX_MOVES", Ending::MaxMoves),
    ("MATTA", Ending::TakeBack),
    ("TSUMI", Ending::Mate),
    ("FUZUMI", Ending::NoMate),
    ("ERROR", Ending::Error),
];

/// The ending with this name, where `side` is to move and its opponent's last move was `illegal`.
///
/// `%ILLEGAL_MOVE` is a foul of the side to move by CSA's definition, whose illegal move is not in
/// the record. Where the record does hold it, as the last move, the foul is that move's.
fn ending(name: &str, side: Color, illegal: bool) -> Option<Ending> {
    if name == "ILLEGAL_MOVE" {
        return Some(Ending::Foul(if illegal { side.flipped() } else { side }));
    }
    let found = ENDINGS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

/// The name of an ending, where `side` is to move. CSA has none for games that were not played:
/// the player who was absent resigns if it is its turn, and commits a foul if it is not.
fn ending_name(ending: Ending, side: Color) -> &'static str {
    let ending = match ending {
        Ending::Foul(color) if color == side => return "ILLEGAL_MOVE",
        Ending::DefaultLoss => Ending::Resign,
        Ending::DefaultWin => Ending::Foul(side.flipped()),
        ending => ending,
    };
    ENDINGS
        .iter()
        .find(|(_, known)| *known == ending)
        .map(|(name, _)| *name)
        .expect("every other ending has a name")
}

#[cfg(test)]
mod tests;
