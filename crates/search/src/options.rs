//! What a search can be told, with defaults and ranges.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How one search spends its visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// Visits of the root, at least 1. The first one evaluates the root itself, so a search of
    /// `visits` walks down `visits - 1` times; 1 means "the network's policy, no search".
    pub visits: u32,
    /// How the root spends its visits.
    pub root: RootOptions,
    /// The mates that are looked for at every new node, the root included.
    pub leaf_mate: LeafMate,
    /// Nodes of the mate search with which a search begins, 0 for none, at most 10,000,000: a mate of
    /// any length by checks is then played at once. A million take about 1.4 s, and each 8,000 a
    /// MiB while they are looked at.
    pub root_mate_nodes: u32,
    /// Random numbers at the root: Gumbel or Dirichlet, by the kind of root. On in self-play;
    /// off in matches, where a search is then a function of the game alone.
    pub noise: bool,
    /// Exploration constant of PUCT below the root (and at a `puct` root), above 0. In units of
    /// q in `[-1, 1]`; AlphaZero's and mctx's number is 1.25.
    pub c_init: f32,
    /// Visits at which exploration begins to grow, above 0 (AlphaZero and mctx: 19652).
    pub c_base: f32,
    /// A move not visited yet counts as the parent's q minus this times the square root of the
    /// prior already visited, 0 to 2 (KataGo: 0.2).
    pub fpu_reduction: f32,
    /// Value of a draw for the side to move at the root, -1 to 1; the opponent's is the opposite.
    pub draw_value: f32,
    /// The tree stops growing at this many nodes, 2 to 7,000,000. A node takes about 1 kB
    /// (12 bytes per legal move). Only a search that is extended again and again gets there.
    pub max_nodes: u32,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            visits: 32,
            root: RootOptions::default(),
            leaf_mate: LeafMate::One,
            root_mate_nodes: 0,
            noise: true,
            c_init: 1.25,
            c_base: 19652.0,
            fpu_reduction: 0.2,
            draw_value: 0.0,
            max_nodes: 1_000_000,
        }
    }
}

/// The longest mates that are looked for at every new node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeafMate {
    /// None: to measure what the others bring. Walks then find mates move by move.
    None,
    /// Mates in one.
    One,
    /// Mates in one and in three, by checks.
    Three,
}

/// How the root spends its visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum RootOptions {
    /// Gumbel top-k and sequential halving: learns from very few visits.
    Gumbel(GumbelOptions),
    /// PUCT as everywhere in the tree: AlphaZero's search; for long searches of unknown length.
    Puct(PuctOptions),
}

impl Default for RootOptions {
    fn default() -> Self {
        Self::Gumbel(GumbelOptions::default())
    }
}

/// The root of "Policy improvement by planning with Gumbel" (Danihelka et al. 2022).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelOptions {
    /// Moves that get visits at all, at least 1 (paper: 16). Never more than there are legal
    /// moves or walks.
    pub considered: u32,
    /// Visits that a value's weight starts from, 0 or more (paper: 50).
    pub c_visit: f32,
    /// Weight of a value against a logit, above 0. In units of q scaled to `[0, 1]`, where the
    /// paper has 1.0 for Go and chess. From zero, while values mean little, less is better (our
    /// prototype: 0.3 rising to 0.8 in half an hour).
    pub c_scale: f32,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self {
            considered: 16,
            c_visit: 50.0,
            c_scale: 1.0,
        }
    }
}

/// AlphaZero's root: PUCT over priors mixed with Dirichlet noise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PuctOptions {
    /// Parameter of the Dirichlet noise, above 0 (AlphaZero in shogi: 0.15).
    pub noise_alpha: f32,
    /// Share of noise in the prior, 0 to 1 (AlphaZero: 0.25).
    pub noise_weight: f32,
    /// With noise, a move that has been visited once gets at least
    /// `sqrt(forced_playouts * prior * visits)` visits, so that noise finds out something; 0 for
    /// none, at most 100 (KataGo: 2).
    pub forced_playouts: f32,
    /// Whether visits that only the forcing caused are taken out of the policy that is taught
    /// (KataGo's policy target pruning).
    pub prune_target: bool,
}

impl Default for PuctOptions {
    fn default() -> Self {
        Self {
            noise_alpha: 0.15,
            noise_weight: 0.25,
            forced_playouts: 0.0,
            prune_target: true,
        }
    }
}

impl SearchOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the first key that is out of range, relative to this struct (`c_init`,
    /// `root.c_scale`); [`OptionError::within`] puts the table's name before it.
    pub fn check(&self) -> Result<(), OptionError> {
        let Self {
            visits,
            root,
            leaf_mate: _,
            root_mate_nodes,
            noise: _,
            c_init,
            c_base,
            fpu_reduction,
            draw_value,
            max_nodes,
        } = self;
        at_least_one("visits", *visits)?;
        match root {
            RootOptions::Gumbel(GumbelOptions {
                considered,
                c_visit,
                c_scale,
            }) => {
                at_least_one("root.considered", *considered)?;
                expect("root.c_visit", *c_visit, "a number of at least 0", |x| {
                    0.0 <= x && x.is_finite()
                })?;
                above_zero("root.c_scale", *c_scale)?;
            }
            RootOptions::Puct(PuctOptions {
                noise_alpha,
                noise_weight,
                forced_playouts,
                prune_target: _,
            }) => {
                above_zero("root.noise_alpha", *noise_alpha)?;
                from_to("root.noise_weight", *noise_weight, 0.0..=1.0)?;
                from_to("root.forced_playouts", *forced_playouts, 0.0..=100.0)?;
            }
        }
        above_zero("c_init", *c_init)?;
        above_zero("c_base", *c_base)?;
        from_to("fpu_reduction", *fpu_reduction, 0.0..=2.0)?;
        from_to("draw_value", *draw_value, -1.0..=1.0)?;
        from_to("root_mate_nodes", *root_mate_nodes, 0..=10_000_000)?;
        from_to("max_nodes", *max_nodes, 2..=7_000_000)
    }
}

/// An option outside its range: `search.c_init = -1: expected a number above 0`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{key} = {found}: expected {expected}")]
pub struct OptionError {
    /// The dotted key.
    pub key: String,
    /// Its value.
    pub found: String,
    /// What would have been accepted.
    pub expected: String,
}

impl OptionError {
    /// The same error seen from a struct that has these options under the name `table`.
    #[must_use]
    pub fn within(self, table: &str) -> Self {
        Self {
            key: format!("{table}.{}", self.key),
            ..self
        }
    }
}

fn at_least_one(key: &str, found: u32) -> Result<(), OptionError> {
    expect(key, found, "a whole number of at least 1", |x| 1 <= x)
}

fn above_zero(key: &str, found: f32) -> Result<(), OptionError> {
    expect(key, found, "a number above 0", |x| 0.0 < x && x.is_finite())
}

fn from_to<T>(key: &str, found: T, range: RangeInclusive<T>) -> Result<(), OptionError>
where
    T: Copy + Display + PartialOrd,
{
    let expected = format!("a number from {} to {}", range.start(), range.end());
    expect(key, found, &expected, |x| range.contains(&x))
}

fn expect<T: Copy + Display>(
    key: &str,
    found: T,
    expected: &str,
    is_right: impl FnOnce(T) -> bool,
) -> Result<(), OptionError> {
    if is_right(found) {
        return Ok(());
    }
    Err(OptionError {
        key: key.into(),
        found: found.to_string(),
        expected: expected.into(),
    })
}

/// For `#[serde(with = "search::as_text")]`: a value of a configuration that is written as its
/// text. A number is taken as its digits, so that `27` needs no quotes.
pub mod as_text {
    use std::fmt::{self, Display};
    use std::marker::PhantomData;
    use std::str::FromStr;

    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    /// Writes the text.
    ///
    /// # Errors
    ///
    /// The serializer's.
    pub fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads what [`serialize`] wrote.
    ///
    /// # Errors
    ///
    /// If it is neither text nor number, or not a text of the type.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_any(Text(PhantomData))
    }

    struct Text<T>(PhantomData<T>);

    impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a word or a number")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }
    }
}

/// For `#[serde(with = "search::as_texts")]`: a list of values that are written as their texts.
pub mod as_texts {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::Deserialize;
    use serde::de::{Deserializer, Error};
    use serde::ser::Serializer;

    /// Writes the texts.
    ///
    /// # Errors
    ///
    /// The serializer's.
    pub fn serialize<T: Display, S: Serializer>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    /// Reads what [`serialize`] wrote.
    ///
    /// # Errors
    ///
    /// If it is no list of texts of the type.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let values = texts
            .iter()
            .map(|text| text.parse().map_err(D::Error::custom));
        values.collect()
    }
}

#[cfg(test)]
mod tests;
