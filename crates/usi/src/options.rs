//! The options that a GUI may set: their names, ranges and values.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use rules::{Color, DeclarationRule, GameRules, PlyLimitStyle};
use search::{LeafMate, PuctOptions, RootOptions, SearchOptions};

#[cfg(test)]
mod tests;

/// The values of all options. `Default` gives what `usi` announces as default.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `USI_Ponder`: the GUI will ponder, so a `bestmove` names the move to ponder on.
    pub ponder: bool,
    /// `USI_Hash`, MiB: memory for the network's answers, so that a position is evaluated once. The
    /// tree is bounded by `node_limit`.
    pub hash_mib: u32,
    /// `Threads`: handed to the evaluator, 1 to 256. The tree itself uses one thread.
    pub threads: u32,
    /// `MultiPV`: how many first moves are shown, 1 to 100.
    pub multi_pv: u32,
    /// `DNN_Model`: path of the network; empty for the one that the program chooses.
    pub model: String,
    /// `UCT_NodeLimit`: most nodes in one tree, a bound on memory: a node takes about 1 kB.
    pub node_limit: u32,
    /// `ReuseSubtree`: whether a search goes on with the tree of the one before it in the same game.
    pub reuse_tree: bool,
    /// `NodesLimit`: visits for each move whatever the clock says, 0 for no such limit.
    pub nodes_per_move: u32,
    /// `MaxMovesToDraw` and `Draw_Ply`: the game is a draw at this ply, 0 for never.
    pub max_moves_to_draw: u32,
    /// `EnteringKingRule`: the rule, by YaneuraOu's names.
    pub declaration: DeclarationRule,
    /// `EnteringKingRule`: whether points given in a handicap count (the names with an `H`).
    pub credit_handicap: bool,
    /// `Resign_Threshold`, per mille: resign when the expected score is below, 0 for never.
    pub resign_threshold: u32,
    /// `Draw_Value_Black`, per mille: what a draw is worth to Black when Black is to think.
    pub draw_value_black: u32,
    /// `Draw_Value_White`, per mille: what a draw is worth to White when White is to think.
    pub draw_value_white: u32,
    /// `C_init`, hundredths.
    pub c_init: u32,
    /// `C_base`.
    pub c_base: u32,
    /// `C_fpu_reduction`, hundredths.
    pub c_fpu_reduction: u32,
    /// `Eval_Coef`: centipawns = this times ln(p / (1 - p)), where p is the expected score.
    pub eval_coef: u32,
    /// `PV_Interval`, ms between two `info` lines; 0 for a line whenever the best line changes.
    pub pv_interval_ms: u32,
    /// `NetworkDelay`, ms of each move's time that are left unused.
    pub network_delay_ms: u32,
}

/// What a network is loaded from and for; when it changes, the network is loaded anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkSettings {
    /// Path of the network, relative to the working directory; `None` for the program's own choice.
    pub model: Option<PathBuf>,
    /// Threads for one evaluation, at least 1.
    pub threads: u32,
}

/// Why a `setoption` was refused; the old value stays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option {name:?}")]
    Unknown {
        /// The name as written.
        name: String,
    },
    /// The value is not one that this option can have.
    #[error("option {name}: expected {expected}, found {found:?}")]
    Value {
        /// The option.
        name: &'static str,
        /// What it can be.
        expected: String,
        /// The value as written.
        found: String,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            ponder: false,
            hash_mib: 256,
            threads: 1,
            multi_pv: 1,
            model: String::new(),
            node_limit: 1_000_000,
            reuse_tree: true,
            nodes_per_move: 0,
            max_moves_to_draw: 0,
            declaration: DeclarationRule::Points27,
            credit_handicap: false,
            // dlshogi's value.
            resign_threshold: 10,
            draw_value_black: 500,
            draw_value_white: 500,
            c_init: 125,
            c_base: 19652,
            c_fpu_reduction: 20,
            // Guess, between FukauraOu's 285 and dlshogi's 756.
            eval_coef: 600,
            pv_interval_ms: 500,
            network_delay_ms: 120,
        }
    }
}

impl Settings {
    /// Sets the option `name` (in any case) from the text of a `setoption`.
    ///
    /// # Errors
    ///
    /// When there is no such option or the value does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let option = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown {
                name: name.to_owned(),
            })?;
        let refused = |expected: String| OptionError::Value {
            name: option.name,
            expected,
            found: value.to_owned(),
        };
        match option.kind {
            Kind::Check(field) => {
                *field(self) = value
                    .parse()
                    .map_err(|_| refused("true or false".to_owned()))?;
            }
            Kind::Spin { field, min, max } => {
                let number = value
                    .parse()
                    .ok()
                    .filter(|number| (min..=max).contains(number));
                *field(self) =
                    number.ok_or_else(|| refused(format!("a number from {min} to {max}")))?;
            }
            Kind::FileName(field) => *field(self) = value.to_owned(),
            Kind::Rule => {
                let rule = RULES
                    .iter()
                    .find(|(word, ..)| word.eq_ignore_ascii_case(value));
                let &(_, declaration, credit) = rule.ok_or_else(|| refused(rule_words()))?;
                (self.declaration, self.credit_handicap) = (declaration, credit);
            }
        }
        Ok(())
    }

    /// The `option` lines that answer `usi`, with these values as defaults.
    pub fn lines(&self) -> Vec<String> {
        let mut values = self.clone();
        OPTIONS
            .iter()
            .filter(|option| option.shown)
            .map(|option| option.line(&mut values))
            .collect()
    }

    /// What the network is loaded from.
    pub fn network(&self) -> NetworkSettings {
        NetworkSettings {
            model: (!self.model.is_empty()).then(|| PathBuf::from(&self.model)),
            threads: self.threads,
        }
    }

    /// The rules that games are played by.
    pub fn rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration,
            credit_handicap: self.credit_handicap,
            max_ply: (self.max_moves_to_draw > 0).then_some(self.max_moves_to_draw),
            max_ply_style: PlyLimitStyle::Plain,
        }
    }

    /// Memory for the network's answers, MiB. GUIs send what an alpha-beta engine would want: more
    /// than 4 GiB would hold seven million positions, more than a game ever asks about.
    pub(crate) fn cache_mib(&self) -> usize {
        self.hash_mib.min(4096) as usize
    }

    /// `NetworkDelay` as a time.
    pub fn network_delay(&self) -> Duration {
        Duration::from_millis(self.network_delay_ms.into())
    }

    /// How a tree of at most `visits` visits searches for `side`: PUCT without noise.
    pub fn search(&self, side: Color, visits: u32) -> SearchOptions {
        let draw_value = match side {
            Color::Black => self.draw_value_black,
            Color::White => self.draw_value_white,
        };
        SearchOptions {
            visits,
            root: RootOptions::Puct(PuctOptions::default()),
            noise: false,
            leaf_mate: LeafMate::One,
            max_nodes: self.node_limit,
            c_init: self.c_init as f32 / 100.0,
            c_base: self.c_base as f32,
            fpu_reduction: self.c_fpu_reduction as f32 / 100.0,
            draw_value: draw_value as f32 / 500.0 - 1.0,
        }
    }
}

/// One option of the protocol.
struct UsiOption {
    name: &'static str,
    kind: Kind,
    /// An alias is taken but not announced.
    shown: bool,
}

/// The type of an option and the field that it sets.
#[derive(Clone, Copy)]
enum Kind {
    Check(fn(&mut Settings) -> &mut bool),
    Spin {
        field: fn(&mut Settings) -> &mut u32,
        min: u32,
        max: u32,
    },
    FileName(fn(&mut Settings) -> &mut String),
    Rule,
}

/// Name, rule, and whether points given in a handicap count.
const RULES: &[(&str, DeclarationRule, bool)] = &[
    ("NoEnteringKing", DeclarationRule::None, false),
    ("CSARule24", DeclarationRule::Points24, false),
    ("CSARule24H", DeclarationRule::Points24, true),
    ("CSARule27", DeclarationRule::Points27, false),
    ("CSARule27H", DeclarationRule::Points27, true),
    ("TryRule", DeclarationRule::Try, false),
];

const OPTIONS: &[UsiOption] = &[
    check("USI_Ponder", |s| &mut s.ponder),
    spin("USI_Hash", |s| &mut s.hash_mib, 1, 1 << 20),
    spin("Threads", |s| &mut s.threads, 1, 256),
    spin("MultiPV", |s| &mut s.multi_pv, 1, 100),
    UsiOption {
        name: "DNN_Model",
        kind: Kind::FileName(|s| &mut s.model),
        shown: true,
    },
    spin("UCT_NodeLimit", |s| &mut s.node_limit, 10, 7_000_000),
    check("ReuseSubtree", |s| &mut s.reuse_tree),
    spin("NodesLimit", |s| &mut s.nodes_per_move, 0, 1_000_000_000),
    spin("MaxMovesToDraw", |s| &mut s.max_moves_to_draw, 0, 100_000),
    UsiOption {
        shown: false,
        ..spin("Draw_Ply", |s| &mut s.max_moves_to_draw, 0, 100_000)
    },
    UsiOption {
        name: "EnteringKingRule",
        kind: Kind::Rule,
        shown: true,
    },
    spin("Resign_Threshold", |s| &mut s.resign_threshold, 0, 1000),
    spin("Draw_Value_Black", |s| &mut s.draw_value_black, 0, 1000),
    spin("Draw_Value_White", |s| &mut s.draw_value_white, 0, 1000),
    spin("C_init", |s| &mut s.c_init, 1, 1000),
    spin("C_base", |s| &mut s.c_base, 1, 10_000_000),
    spin("C_fpu_reduction", |s| &mut s.c_fpu_reduction, 0, 100),
    spin("Eval_Coef", |s| &mut s.eval_coef, 1, 10_000),
    spin("PV_Interval", |s| &mut s.pv_interval_ms, 0, 3_600_000),
    spin("NetworkDelay", |s| &mut s.network_delay_ms, 0, 10_000),
];

const fn check(name: &'static str, field: fn(&mut Settings) -> &mut bool) -> UsiOption {
    UsiOption {
        name,
        kind: Kind::Check(field),
        shown: true,
    }
}

const fn spin(
    name: &'static str,
    field: fn(&mut Settings) -> &mut u32,
    min: u32,
    max: u32,
) -> UsiOption {
    UsiOption {
        name,
        kind: Kind::Spin { field, min, max },
        shown: true,
    }
}

impl UsiOption {
    fn line(&self, values: &mut Settings) -> String {
        let mut line = format!("option name {} type ", self.name);
        let rest = match self.kind {
            Kind::Check(field) => format!("check default {}", field(values)),
            Kind::Spin { field, min, max } => {
                format!("spin default {} min {min} max {max}", field(values))
            }
            Kind::FileName(field) => match field(values).as_str() {
                "" => "filename default <empty>".to_owned(),
                path => format!("filename default {path}"),
            },
            Kind::Rule => {
                let mut text = format!(
                    "combo default {}",
                    rule_word(values.declaration, values.credit_handicap)
                );
                for (word, ..) in RULES {
                    let _ = write!(text, " var {word}");
                }
                text
            }
        };
        line.push_str(&rest);
        line
    }
}

/// What `EnteringKingRule` is called for games under `rules`.
pub fn entering_king_rule(rules: GameRules) -> &'static str {
    rule_word(rules.declaration, rules.credit_handicap)
}

/// The name of a rule; the first that fits, for a rule to which the handicap does not matter.
fn rule_word(declaration: DeclarationRule, credit_handicap: bool) -> &'static str {
    let same_rule = || RULES.iter().filter(|(_, rule, _)| *rule == declaration);
    let exact = same_rule().find(|(_, _, credit)| *credit == credit_handicap);
    let (word, ..) = exact
        .or_else(|| same_rule().next())
        .expect("every rule has a name");
    word
}

fn rule_words() -> String {
    let words: Vec<&str> = RULES.iter().map(|(word, ..)| *word).collect();
    words.join(" or ")
}
