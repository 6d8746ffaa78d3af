//! Names of pieces and squares in Japanese, English and CSA's letters, and Japanese digits.

use crate::{PieceKind, Square};

use PieceKind::*;

impl PieceKind {
    /// The name in Japanese move texts: `歩`, `玉`, `と`, `成香`, `馬`, `龍`, …: one kanji, but two for
    /// promoted lances, knights and silvers.
    pub const fn kanji(self) -> &'static str {
        match self {
            ProLance => "成香",
            ProKnight => "成桂",
            ProSilver => "成銀",
            _ => self.kanji_single(),
        }
    }

    /// The name in one character, for diagrams: as [`PieceKind::kanji`], but `杏`, `圭` and `全` for
    /// promoted lances, knights and silvers.
    pub const fn kanji_single(self) -> &'static str {
        match self {
            Pawn => "歩",
            Lance => "香",
            Knight => "桂",
            Silver => "銀",
            Bishop => "角",
            Rook => "飛",
            Gold => "金",
            King => "玉",
            ProPawn => "と",
            ProLance => "杏",
            ProKnight => "圭",
            ProSilver => "全",
            Horse => "馬",
            Dragon => "龍",
        }
    }

    /// The full name in two characters, as it is written on the piece: `歩兵`, `飛車`, `龍王`, …
    pub const fn kanji_full(self) -> &'static str {
        match self {
            Pawn => "歩兵",
            Lance => "香車",
            Knight => "桂馬",
            Silver => "銀将",
            Bishop => "角行",
            Rook => "飛車",
            Gold => "金将",
            King => "玉将",
            ProPawn => "と金",
            ProLance => "成香",
            ProKnight => "成桂",
            ProSilver => "成銀",
            Horse => "龍馬",
            Dragon => "龍王",
        }
    }

    /// The kind with this Japanese name: any of the three forms above, with the usual other
    /// characters (`王`, `竜`, …).
    pub fn from_kanji(name: &str) -> Option<PieceKind> {
        let (kind, rest) = split_kanji(name)?;
        rest.is_empty().then_some(kind)
    }

    /// The English name, lower case: `pawn`, `tokin`, `promoted lance`, `horse`, `dragon`, …
    pub const fn english(self) -> &'static str {
        match self {
            Pawn => "pawn",
            Lance => "lance",
            Knight => "knight",
            Silver => "silver",
            Bishop => "bishop",
            Rook => "rook",
            Gold => "gold",
            King => "king",
            ProPawn => "tokin",
            ProLance => "promoted lance",
            ProKnight => "promoted knight",
            ProSilver => "promoted silver",
            Horse => "horse",
            Dragon => "dragon",
        }
    }

    /// The two letters of CSA records and the CSA server protocol: `FU`, `KY`, …
    pub const fn csa(self) -> &'static str {
        match self {
            Pawn => "FU",
            Lance => "KY",
            Knight => "KE",
            Silver => "GI",
            Bishop => "KA",
            Rook => "HI",
            Gold => "KI",
            King => "OU",
            ProPawn => "TO",
            ProLance => "NY",
            ProKnight => "NK",
            ProSilver => "NG",
            Horse => "UM",
            Dragon => "RY",
        }
    }

    /// The kind with these letters of CSA.
    pub fn from_csa(letters: &str) -> Option<PieceKind> {
        PieceKind::ALL
            .into_iter()
            .find(|kind| kind.csa() == letters)
    }
}

impl Square {
    /// The name in Japanese texts: a full-width digit for the file and a kanji for the rank, `７六`.
    pub fn kanji(self) -> String {
        [full_width_digit(self.file()), kanji_digit(self.rank())]
            .into_iter()
            .collect()
    }
}

/// All Japanese names of pieces, so that a name comes before its own beginnings.
const KANJI: [(&str, PieceKind); 38] = [
    ("歩兵", Pawn),
    ("香車", Lance),
    ("桂馬", Knight),
    ("銀将", Silver),
    ("角行", Bishop),
    ("飛車", Rook),
    ("金将", Gold),
    ("玉将", King),
    ("王将", King),
    ("と金", ProPawn),
    ("成歩", ProPawn),
    ("成香", ProLance),
    ("成桂", ProKnight),
    ("成銀", ProSilver),
    ("成角", Horse),
    ("成飛", Dragon),
    ("龍馬", Horse),
    ("竜馬", Horse),
    ("龍王", Dragon),
    ("竜王", Dragon),
    ("歩", Pawn),
    ("香", Lance),
    ("桂", Knight),
    ("銀", Silver),
    ("角", Bishop),
    ("飛", Rook),
    ("金", Gold),
    ("玉", King),
    ("王", King),
    ("と", ProPawn),
    ("杏", ProLance),
    ("仝", ProLance),
    ("圭", ProKnight),
    ("今", ProKnight),
    ("全", ProSilver),
    ("馬", Horse),
    ("龍", Dragon),
    ("竜", Dragon),
];

/// The piece whose Japanese name `text` begins with, and what follows the name.
pub(crate) fn split_kanji(text: &str) -> Option<(PieceKind, &str)> {
    KANJI
        .iter()
        .find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}

const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The kanji for a number from 1 to 9: `一` to `九`.
///
/// # Panics
///
/// If the number is another one.
pub fn kanji_digit(n: u8) -> char {
    assert!((1..=9).contains(&n), "a kanji digit is from 1 to 9");
    KANJI_DIGITS[usize::from(n) - 1]
}

/// The full-width digit for a number from 1 to 9: `１` to `９`.
///
/// # Panics
///
/// If the number is another one.
pub fn full_width_digit(n: u8) -> char {
    const DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    assert!((1..=9).contains(&n), "a full-width digit is from 1 to 9");
    DIGITS[usize::from(n) - 1]
}

/// The value 1..=9 of a digit in any of the three scripts: `7`, `７`, `七`.
pub fn digit_value(digit: char) -> Option<u8> {
    let from = |first: char| u8::try_from(digit as u32 - first as u32 + 1).ok();
    match digit {
        '1'..='9' => from('1'),
        '１'..='９' => from('１'),
        _ => KANJI_DIGITS
            .iter()
            .position(|&kanji| kanji == digit)
            .and_then(|index| u8::try_from(index + 1).ok()),
    }
}

/// A number in kanji, as hands are counted: `一`, `十`, `十八`. The empty text for 0.
///
/// # Panics
///
/// From 100 on.
pub fn kanji_number(n: u32) -> String {
    assert!(n < 100, "counts of pieces have two digits at most");
    let (tens, ones) = ((n / 10) as u8, (n % 10) as u8);
    let mut text = String::new();
    if tens > 1 {
        text.push(kanji_digit(tens));
    }
    if tens > 0 {
        text.push('十');
    }
    if ones > 0 {
        text.push(kanji_digit(ones));
    }
    text
}

/// The value 1..=99 of a number in kanji (`十八`, `一八`) or in digits (`18`, `１８`).
pub fn parse_kanji_number(text: &str) -> Option<u32> {
    let digits: Vec<char> = text.chars().collect();
    let digit = |c: &char| digit_value(*c).map(u32::from);
    let zero = |c: &char| matches!(c, '0' | '０' | '〇');
    match digits.as_slice() {
        ['十'] => Some(10),
        ['十', ones] => Some(10 + digit(ones)?),
        [tens, '十'] => Some(10 * digit(tens)?),
        [tens, '十', ones] => Some(10 * digit(tens)? + digit(ones)?),
        [tens, ones] if zero(ones) => Some(10 * digit(tens)?),
        [tens, ones] => Some(10 * digit(tens)? + digit(ones)?),
        [ones] => digit(ones),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
