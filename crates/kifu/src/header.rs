//! What files say about a game beside its moves.

/// One statement about a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What it is about.
    pub key: HeaderKey,
    /// What it says, as written in the file; times and limits in the words of its format.
    pub value: String,
}

/// What a header is about. Those that several formats know have a name of their own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HeaderKey {
    /// 先手, in handicap games 下手: the name of Black.
    Black,
    /// 後手, in handicap games 上手: the name of White.
    White,
    /// 棋戦.
    Event,
    /// 場所.
    Site,
    /// 開始日時.
    StartTime,
    /// 終了日時.
    EndTime,
    /// 持ち時間, for both: [`TimeControl::parse`](crate::TimeControl::parse) reads the usual forms.
    TimeLimit,
    /// Black's time where the players' differ (CSA V3).
    BlackTimeLimit,
    /// White's time where the players' differ (CSA V3).
    WhiteTimeLimit,
    /// 戦型: the opening.
    Opening,
    /// 最大手数: after how many plies the game is drawn.
    MaxMoves,
    /// 持将棋: the rule of declaring, `27` or `24` (CSA V3).
    Jishogi,
    /// 備考: a note, maybe of several lines.
    Note,
    /// Anything else, by the name that its file gives it.
    Named(String),
}

/// A key's names in the formats.
struct Names {
    key: HeaderKey,
    csa: &'static str,
    kif: &'static str,
}

/// The players are not here: their names in KIF depend on the handicap, and CSA has `N+` and `N-`.
/// `$TIME_LIMIT` is V2.2's word, see the CSA writer for V3's.
static NAMES: [Names; 11] = [
    names(HeaderKey::Event, "EVENT", "棋戦"),
    names(HeaderKey::Site, "SITE", "場所"),
    names(HeaderKey::StartTime, "START_TIME", "開始日時"),
    names(HeaderKey::EndTime, "END_TIME", "終了日時"),
    names(HeaderKey::TimeLimit, "TIME_LIMIT", "持ち時間"),
    names(HeaderKey::BlackTimeLimit, "TIME+", "先手の持ち時間"),
    names(HeaderKey::WhiteTimeLimit, "TIME-", "後手の持ち時間"),
    names(HeaderKey::Opening, "OPENING", "戦型"),
    names(HeaderKey::MaxMoves, "MAX_MOVES", "最大手数"),
    names(HeaderKey::Jishogi, "JISHOGI", "持将棋"),
    names(HeaderKey::Note, "NOTE", "備考"),
];

const fn names(key: HeaderKey, csa: &'static str, kif: &'static str) -> Names {
    Names { key, csa, kif }
}

impl HeaderKey {
    /// The key with this keyword behind `$` in CSA.
    pub(crate) fn from_csa(keyword: &str) -> HeaderKey {
        if keyword == "TIME" {
            return HeaderKey::TimeLimit;
        }
        let known = NAMES.iter().find(|names| names.csa == keyword);
        known.map_or_else(
            || HeaderKey::Named(keyword.to_owned()),
            |names| names.key.clone(),
        )
    }

    /// The keyword behind `$` in CSA; `None` for the players, and for names that are no keywords.
    pub(crate) fn to_csa(&self) -> Option<&str> {
        if let HeaderKey::Named(name) = self {
            let is_keyword = name
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_+-".contains(&b));
            return (is_keyword && !name.is_empty()).then_some(name);
        }
        let known = NAMES.iter().find(|names| names.key == *self)?;
        Some(known.csa)
    }

    /// The key with this name in KIF and KI2.
    pub(crate) fn from_kif(name: &str) -> HeaderKey {
        match name {
            "先手" | "下手" => HeaderKey::Black,
            "後手" | "上手" => HeaderKey::White,
            _ => {
                let known = NAMES.iter().find(|names| names.kif == name);
                known.map_or_else(
                    || HeaderKey::Named(name.to_owned()),
                    |names| names.key.clone(),
                )
            }
        }
    }

    /// The name in KIF and KI2; of the players that of a handicap game or of an even one.
    pub(crate) fn to_kif(&self, handicap: bool) -> &str {
        match (self, handicap) {
            (HeaderKey::Black, false) => "先手",
            (HeaderKey::Black, true) => "下手",
            (HeaderKey::White, false) => "後手",
            (HeaderKey::White, true) => "上手",
            (HeaderKey::Named(name), _) => name,
            _ => NAMES
                .iter()
                .find(|names| names.key == *self)
                .map(|names| names.kif)
                .expect("a key that is not in the table is a player or has its own name"),
        }
    }
}
