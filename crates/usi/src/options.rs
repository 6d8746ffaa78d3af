//! The options that a GUI may set: their names, ranges and values.

use std::path::PathBuf;
use std::time::Duration;

use rules::{Color, DeclarationRule, GameRules, PlyLimitStyle};
use search::{LeafMate, PuctOptions, RootOptions, SearchOptions};

mod table;

use table::{Kind, OPTIONS, RULES, rule_word, rule_words};

#[cfg(test)]
mod tests;

/// `BookFile` for no book, as match runners set it.
const NO_BOOK: &str = "no_book";

/// The values of all options. `Default` gives what `usi` announces as default.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `USI_Ponder`: the GUI will ponder, so a `bestmove` names the move to ponder on.
    pub ponder: bool,
    /// `USI_Hash`, MiB: memory for the network's answers, so that a position is evaluated once. The
    /// tree is bounded by `node_limit`.
    pub hash_mib: u32,
    /// `Threads` and `UCT_Threads`: evaluators at work on the tree, each in a thread, 1 to 256.
    pub threads: u32,
    /// `DNN_Batch_Size`: positions that each evaluator takes at once, 1 to 256. More than one wins
    /// visits where evaluators are slow to start, and loses strength per visit.
    pub batch_size: u32,
    /// `MultiPV`: how many first moves are shown, 1 to 100.
    pub multi_pv: u32,
    /// `DNN_Model`: path of the network; empty for the one that the program chooses.
    pub model: String,
    /// `UCT_NodeLimit`: most nodes in one tree, a bound on memory: a node takes about 1 kB.
    pub node_limit: u32,
    /// `ReuseSubtree`: whether a search goes on with the tree of the one before it in the same game.
    pub reuse_tree: bool,
    /// `NodesLimit` and `Const_Playout`: visits for each move whatever the clock says, 0 for no such
    /// limit. The strength of the engine for people: with 1 it plays the network's first idea.
    pub nodes_per_move: u32,
    /// `RootMateSearchNodesLimit`: positions that the solver may look at to find a mate for the side
    /// to move, beside the search; 0 for no solver.
    pub root_mate_nodes: u32,
    /// `LeafMatePlies`: the longest mates that are looked for at every new node, 0, 1 or 3 plies.
    pub leaf_mate_plies: u32,
    /// `Stochastic_Ponder`: while pondering, think about all moves of the opponent instead of the one
    /// that was guessed.
    pub ponder_all: bool,
    /// `USI_OwnBook` and `OwnBook`: whether the book is used.
    pub own_book: bool,
    /// `BookFile` and `Book_File`: path of the book; empty or `no_book` for none.
    pub book_file: String,
    /// `BookMoves`: the book is used for the first so many moves of a game, both sides counted.
    pub book_moves: u32,
    /// `Random_Ply`: the first so many moves of a game, both sides counted, are drawn in proportion to
    /// their visits; 0 for none.
    pub random_ply: u32,
    /// `Random_Temperature`, thousandths: the visits are raised to 1000 over this first.
    pub random_temperature: u32,
    /// `Random_Cutoff`, per mille: no move is drawn whose expected score is so much below the best
    /// one's.
    pub random_cutoff: u32,
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
    /// `MinimumThinkingTime`, ms: no answer before, unless clock, visits or a proof ask for it.
    pub minimum_time_ms: u32,
}

/// What is loaded at `isready`; when it changes, all of it is loaded anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkSettings {
    /// Path of the network, relative to the working directory; `None` for the program's own choice.
    pub model: Option<PathBuf>,
    /// Evaluators to make, at least 1.
    pub threads: u32,
    /// Positions that each will be asked about at once, at least 1.
    pub batch_size: u32,
    /// Path of the book, relative to the working directory.
    pub book: Option<PathBuf>,
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
            batch_size: 1,
            multi_pv: 1,
            model: String::new(),
            node_limit: 1_000_000,
            reuse_tree: true,
            nodes_per_move: 0,
            // FukauraOu's value.
            root_mate_nodes: 1_000_000,
            leaf_mate_plies: 3,
            ponder_all: false,
            own_book: true,
            book_file: NO_BOOK.to_owned(),
            // YaneuraOu's value.
            book_moves: 16,
            random_ply: 0,
            random_temperature: 1000,
            random_cutoff: 50,
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
            minimum_time_ms: 0,
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

    /// What is loaded.
    pub fn network(&self) -> NetworkSettings {
        let book = self.own_book && !["", NO_BOOK].contains(&self.book_file.as_str());
        NetworkSettings {
            model: (!self.model.is_empty()).then(|| PathBuf::from(&self.model)),
            threads: self.threads,
            batch_size: self.batch_size,
            book: book.then(|| PathBuf::from(&self.book_file)),
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

    /// `MinimumThinkingTime` as a time.
    pub(crate) fn minimum_time(&self) -> Duration {
        Duration::from_millis(self.minimum_time_ms.into())
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
            leaf_mate: match self.leaf_mate_plies {
                0 => LeafMate::None,
                1 | 2 => LeafMate::One,
                _ => LeafMate::Three,
            },
            root_mate_nodes: 0,
            max_nodes: self.node_limit,
            c_init: self.c_init as f32 / 100.0,
            c_base: self.c_base as f32,
            fpu_reduction: self.c_fpu_reduction as f32 / 100.0,
            draw_value: draw_value as f32 / 500.0 - 1.0,
        }
    }
}

/// What `EnteringKingRule` is called for games under `rules`.
pub fn entering_king_rule(rules: GameRules) -> &'static str {
    rule_word(rules.declaration, rules.credit_handicap)
}
