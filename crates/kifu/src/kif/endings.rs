//! Endings in KIF and KI2: as a move, and in the sentence that begins with まで.

use rules::Color;

use super::line::split_number;
use crate::ending::Ending;

/// Words that stand where a move would. The last four are not in KIF's definition: they are
/// written as [`Words::plain`] says, with these in a line for programs.
const WORDS: [(&str, Ending); 15] = [
    ("投了", Ending::Resign),
    ("中断", Ending::Interrupt),
    ("持将棋", Ending::Impasse),
    ("千日手", Ending::Repetition),
    ("詰み", Ending::Mate),
    ("詰", Ending::Mate),
    ("不詰", Ending::NoMate),
    ("切れ負け", Ending::TimeUp),
    ("入玉勝ち", Ending::Declaration),
    ("不戦勝", Ending::DefaultWin),
    ("不戦敗", Ending::DefaultLoss),
    ("引き分け", Ending::Draw),
    ("最大手数", Ending::MaxMoves),
    ("待った", Ending::TakeBack),
    ("エラー", Ending::Error),
];

/// Other spellings that occur.
const SPELLINGS: [(&str, &str); 5] = [
    ("引分け", "引き分け"),
    ("引分", "引き分け"),
    ("時間切れ", "切れ負け"),
    ("不詰み", "不詰"),
    ("入玉宣言", "入玉勝ち"),
];

/// The ending that a word names, where `side` is to move.
pub(super) fn ending(word: &str, side: Color) -> Option<Ending> {
    match word {
        "反則負け" | "反則負" => return Some(Ending::Foul(side)),
        "反則勝ち" | "反則勝" => return Some(Ending::Foul(side.flipped())),
        _ => {}
    }
    let known = SPELLINGS.iter().find(|(other, _)| *other == word);
    let word = known.map_or(word, |(_, usual)| usual);
    let found = WORDS.iter().find(|(known, _)| *known == word)?;
    Some(found.1)
}

/// How an ending is written.
pub(super) struct Words {
    /// A word that KIF's definition has, so that every reader knows it.
    pub(super) plain: &'static str,
    /// What it is exactly, where that word is not.
    pub(super) exact: Option<&'static str>,
}

/// The words for an ending, where `side` is to move.
pub(super) fn words(ending: Ending, side: Color) -> Words {
    let name = |ending| {
        let found = WORDS.iter().find(|(_, known)| *known == ending);
        found.expect("all endings but fouls are in the table").0
    };
    let (plain, exact) = match ending {
        Ending::Foul(color) if color == side => ("反則負け", None),
        Ending::Foul(_) => ("反則勝ち", None),
        Ending::Draw | Ending::MaxMoves => ("持将棋", Some(name(ending))),
        Ending::TakeBack | Ending::Error => ("中断", Some(name(ending))),
        ending => (name(ending), None),
    };
    Words { plain, exact }
}

/// The names of Black and White in sentences, in handicap games and others.
pub(super) fn player(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The sentence at the end of a line: `まで16手で後手の勝ち`.
pub(super) fn summary(ending: Ending, side: Color, n_plies: usize, handicap: bool) -> String {
    let [mover, other] = [side, side.flipped()].map(|color| player(color, handicap));
    let Words { plain, .. } = words(ending, side);
    let end = match ending {
        Ending::Resign => format!("{other}の勝ち"),
        Ending::TimeUp => format!("時間切れにより{other}の勝ち"),
        Ending::Foul(_) | Ending::Declaration => format!("{mover}の{plain}"),
        _ => plain.to_owned(),
    };
    format!("まで{n_plies}手で{end}")
}

/// What the sentence says, from behind まで: the ending where it is one of the usual sentences.
/// `side` is to move.
pub(super) fn read_summary(text: &str, side: Color) -> Option<Ending> {
    let text = text.trim().trim_start_matches(['、', ',']);
    let behind = split_number(text).and_then(|(_, rest)| rest.strip_prefix('手'));
    let text = behind.unwrap_or(text);
    let text = text.strip_prefix('で').unwrap_or(text).trim();
    if let Some(known) = ending(text, side) {
        return Some(known);
    }
    let (named, rest) = named_player(text)?;
    // Somebody else than the side to move loses only by a foul.
    let lost = |loser: Color, ending: Ending| match loser == side {
        true => ending,
        false => Ending::Foul(loser),
    };
    match rest {
        "の勝ち" | "の勝" if text.starts_with("時間切れ") => {
            Some(lost(named.flipped(), Ending::TimeUp))
        }
        "の勝ち" | "の勝" if text.starts_with("反則") => Some(Ending::Foul(named.flipped())),
        "の勝ち" | "の勝" => Some(lost(named.flipped(), Ending::Resign)),
        "の反則勝ち" => Some(Ending::Foul(named.flipped())),
        "の反則負け" => Some(Ending::Foul(named)),
        "の入玉勝ち" if named == side => Some(Ending::Declaration),
        "の不戦勝" if named == side => Some(Ending::DefaultWin),
        "の不戦敗" if named != side => Some(Ending::DefaultWin),
        "の不戦勝" | "の不戦敗" => Some(Ending::DefaultLoss),
        "の時間切れ負け" | "の切れ負け" => Some(lost(named, Ending::TimeUp)),
        _ => None,
    }
}

/// The line for programs that says what an ending is exactly: other readers pass over it.
pub(super) fn exact_line(exact: &str) -> String {
    format!("#{EXACT}{exact}")
}

/// The word in such a line, from behind its `#`.
pub(super) fn split_exact(text: &str) -> Option<&str> {
    text.strip_prefix(EXACT)
}

const EXACT: &str = "終局：";

/// The ending that `exact` names, if the word for `known` may stand for it: the words of KIF's
/// definition are fewer than the endings.
pub(super) fn exact_ending(known: Ending, exact: &str, side: Color) -> Option<Ending> {
    let found = ending(exact.trim(), side)?;
    let Words { plain, exact } = words(found, side);
    (exact.is_some() && ending(plain, side) == Some(known)).then_some(found)
}

/// The player that a sentence names, and what stands behind it.
fn named_player(text: &str) -> Option<(Color, &str)> {
    let names = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    names
        .into_iter()
        .find_map(|(name, color)| Some((color, text.split_once(name)?.1)))
}

#[cfg(test)]
mod tests;
