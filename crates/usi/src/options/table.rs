//! The table of options: names, types, ranges, and the fields that they set.

use std::fmt::Write as _;

use rules::DeclarationRule;

use super::Settings;

/// One option of the protocol.
pub(super) struct UsiOption {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// An alias is taken but not announced.
    pub(super) shown: bool,
}

/// The type of an option and the field that it sets.
#[derive(Clone, Copy)]
pub(super) enum Kind {
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
pub(super) const RULES: &[(&str, DeclarationRule, bool)] = &[
    ("NoEnteringKing", DeclarationRule::None, false),
    ("CSARule24", DeclarationRule::Points24, false),
    ("CSARule24H", DeclarationRule::Points24, true),
    ("CSARule27", DeclarationRule::Points27, false),
    ("CSARule27H", DeclarationRule::Points27, true),
    ("TryRule", DeclarationRule::Try, false),
];

/// All options, in the order in which `usi` announces them.
pub(super) const OPTIONS: &[UsiOption] = &[
    check("USI_Ponder", |s| &mut s.ponder),
    check("Stochastic_Ponder", |s| &mut s.ponder_all),
    spin("USI_Hash", |s| &mut s.hash_mib, 1, 1 << 20),
    spin("Threads", |s| &mut s.threads, 1, 256),
    alias(spin("UCT_Threads", |s| &mut s.threads, 1, 256)),
    spin("MultiPV", |s| &mut s.multi_pv, 1, 100),
    alias(spin("USI_MultiPV", |s| &mut s.multi_pv, 1, 100)),
    file_name("DNN_Model", |s| &mut s.model),
    alias(file_name("DNN_Model1", |s| &mut s.model)),
    spin("DNN_Batch_Size", |s| &mut s.batch_size, 1, 256),
    spin("UCT_NodeLimit", |s| &mut s.node_limit, 10, 7_000_000),
    check("ReuseSubtree", |s| &mut s.reuse_tree),
    spin("NodesLimit", |s| &mut s.nodes_per_move, 0, MOST_VISITS),
    alias(spin(
        "Const_Playout",
        |s| &mut s.nodes_per_move,
        0,
        MOST_VISITS,
    )),
    spin(
        "RootMateSearchNodesLimit",
        |s| &mut s.root_mate_nodes,
        0,
        MOST_VISITS,
    ),
    spin("LeafMatePlies", |s| &mut s.leaf_mate_plies, 0, 3),
    spin("MaxMovesToDraw", |s| &mut s.max_moves_to_draw, 0, 100_000),
    alias(spin("Draw_Ply", |s| &mut s.max_moves_to_draw, 0, 100_000)),
    UsiOption {
        name: "EnteringKingRule",
        kind: Kind::Rule,
        shown: true,
    },
    spin("Resign_Threshold", |s| &mut s.resign_threshold, 0, 1000),
    spin("Draw_Value_Black", |s| &mut s.draw_value_black, 0, 1000),
    spin("Draw_Value_White", |s| &mut s.draw_value_white, 0, 1000),
    check("USI_OwnBook", |s| &mut s.own_book),
    alias(check("OwnBook", |s| &mut s.own_book)),
    file_name("BookFile", |s| &mut s.book_file),
    alias(file_name("Book_File", |s| &mut s.book_file)),
    spin("BookMoves", |s| &mut s.book_moves, 0, 10_000),
    spin("Random_Ply", |s| &mut s.random_ply, 0, 10_000),
    spin(
        "Random_Temperature",
        |s| &mut s.random_temperature,
        10,
        100_000,
    ),
    spin("Random_Cutoff", |s| &mut s.random_cutoff, 0, 1000),
    spin("C_init", |s| &mut s.c_init, 1, 1000),
    spin("C_base", |s| &mut s.c_base, 1, 10_000_000),
    spin("C_fpu_reduction", |s| &mut s.c_fpu_reduction, 0, 100),
    spin("Eval_Coef", |s| &mut s.eval_coef, 1, 10_000),
    spin("PV_Interval", |s| &mut s.pv_interval_ms, 0, 3_600_000),
    alias(spin("PvInterval", |s| &mut s.pv_interval_ms, 0, 3_600_000)),
    spin("NetworkDelay", |s| &mut s.network_delay_ms, 0, 10_000),
    spin(
        "MinimumThinkingTime",
        |s| &mut s.minimum_time_ms,
        0,
        3_600_000,
    ),
];

/// Largest number of visits that an option can ask for.
const MOST_VISITS: u32 = 1_000_000_000;

/// Another name for an option, as another engine has it.
const fn alias(option: UsiOption) -> UsiOption {
    UsiOption {
        shown: false,
        ..option
    }
}

const fn file_name(name: &'static str, field: fn(&mut Settings) -> &mut String) -> UsiOption {
    UsiOption {
        name,
        kind: Kind::FileName(field),
        shown: true,
    }
}

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
    pub(super) fn line(&self, values: &mut Settings) -> String {
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

/// The name of a rule; the first that fits, for a rule to which the handicap does not matter.
pub(super) fn rule_word(declaration: DeclarationRule, credit_handicap: bool) -> &'static str {
    let same_rule = || RULES.iter().filter(|(_, rule, _)| *rule == declaration);
    let exact = same_rule().find(|(_, _, credit)| *credit == credit_handicap);
    let (word, ..) = exact
        .or_else(|| same_rule().next())
        .expect("every rule has a name");
    word
}

pub(super) fn rule_words() -> String {
    let words: Vec<&str> = RULES.iter().map(|(word, ..)| *word).collect();
    words.join(" or ")
}
