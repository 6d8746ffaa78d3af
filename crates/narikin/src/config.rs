//! The configuration of a run: everything that changes what is learned, and nothing else.
//!
//! What belongs to the machine (threads, device, folders) is a command-line option instead, so two
//! runs can be compared by their configs. Every part has its own `Default` and range check, in the
//! crate that uses it; here they are put together, read from TOML, and their errors get a place:
//! `configs/quick.toml line 4: search.visit: unknown field …`.

pub mod budget;
mod fault;
mod fleet;
pub mod gate;
mod learning;
mod measure;
mod records;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use data::SampleOptions;
use model::NetShape;
use search::{OptionError, SearchOptions};
use selfplay::{SelfPlayOptions, Start};
use serde::{Deserialize, Serialize};

use crate::openings;
#[cfg(feature = "torch")]
use crate::report::events::Change;

pub use self::fleet::FleetOptions;
pub use budget::Budget;
pub use fault::Fault;
pub use gate::Gate;
pub use learning::{LoopOptions, Stage};
pub use measure::MeasureOptions;
pub use records::RecordsOptions;

/// The configuration of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Name of the run, used where none is given: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The number that all random choices of the run follow from, below 2^63.
    pub seed: u64,
    /// The net that the run begins with, as it is named elsewhere: a model file, a run folder, or the
    /// net that comes with the program. Without one, random weights and `learn.blind_games`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// When the run ends.
    pub budget: Budget,
    /// Size of the network.
    pub net: NetShape,
    /// The search that plays training games.
    pub search: SearchOptions,
    /// What the search is instead as the run goes on, in the order of their games.
    pub stages: Vec<Stage>,
    /// How training games are played, apart from the search.
    pub selfplay: SelfPlayOptions,
    /// How finished games become training rows.
    pub sample: SampleOptions,
    /// How self-play and learning go together.
    pub learn: LoopOptions,
    /// How the network learns from a batch.
    pub train: TrainOptions,
    /// How `narikin learn` goes through given records.
    pub records: RecordsOptions,
    /// How the nets of the run are measured. Changes nothing that is learned.
    pub measure: MeasureOptions,
    /// What is taken from workers on other machines.
    pub fleet: FleetOptions,
    /// For tests of the sentinels only: a fault that is built into the run on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            name: "run".to_owned(),
            seed: 1,
            from: None,
            budget: Budget::default(),
            net: NetShape::default(),
            search: SearchOptions::default(),
            stages: Vec::new(),
            selfplay: SelfPlayOptions::default(),
            sample: SampleOptions::default(),
            learn: LoopOptions::default(),
            train: TrainOptions::default(),
            records: RecordsOptions::default(),
            measure: MeasureOptions::default(),
            fleet: FleetOptions::default(),
            fault: None,
        }
    }
}

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    Read {
        /// The configuration file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not TOML, or a key or a type is wrong.
    #[error("{} line {line}: {key}{message}", path.display())]
    File {
        /// The configuration file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// Dotted key and `: `, or nothing where the line has none.
        key: String,
        /// What was found and what was expected.
        message: String,
    },
    /// An override is not of the form `key=value`, or its key or type is wrong.
    #[error("--set {text}: {message}")]
    Set {
        /// The override as it was typed.
        text: String,
        /// What was found and what was expected.
        message: String,
    },
    /// A value is out of its range.
    #[error("{key} = {message}")]
    Range {
        /// Dotted key.
        key: String,
        /// The value found, `: ` and what was expected.
        message: String,
    },
}

impl Config {
    /// Reads `path` (without one: the defaults), applies the overrides (`key=value`, keys dotted,
    /// values TOML) in their order, and checks all ranges.
    ///
    /// # Errors
    ///
    /// Any [`ConfigError`]; all of them are the user's to mend.
    pub fn load(path: Option<&Path>, overrides: &[String]) -> Result<Config, ConfigError> {
        let text = match path {
            Some(path) => fs::read_to_string(path).map_err(|source| ConfigError::Read {
                path: path.to_owned(),
                source,
            })?,
            None => String::new(),
        };
        // The whole file first: only its own text can tell the line of an error.
        let mut config = Config::parse(&text, path.unwrap_or(Path::new("(defaults)")))?;
        if !overrides.is_empty() {
            let table = toml::from_str(&text).expect("the text was read just now");
            config = overridden(table, overrides)?;
        }
        config.read_starts()?;
        config.check()?;
        Ok(config)
    }

    /// Takes the positions of `selfplay.starts_file` in; a relative path is one from the current folder.
    fn read_starts(&mut self) -> Result<(), ConfigError> {
        let Some(path) = self.selfplay.starts_file.take() else {
            return Ok(());
        };
        let openings = openings::read(&path).map_err(|error| ConfigError::Range {
            key: "selfplay.starts_file".to_owned(),
            message: format!("{error:#}"),
        })?;
        self.selfplay.starts.extend(openings.iter().map(|opening| {
            let mut position = opening.start().clone();
            for &mv in opening.moves() {
                position.do_move(mv);
            }
            Start(position)
        }));
        Ok(())
    }

    /// Reads the text of a configuration file; `path` is for messages only. Ranges are not checked.
    ///
    /// # Errors
    ///
    /// [`ConfigError::File`].
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        toml::from_str(text).map_err(|error| file_error(text, path, &error))
    }

    /// Every key with its value, as TOML that [`Config::parse`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a checked config has nothing that TOML cannot hold")
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Range`] with the dotted key.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Config {
            name,
            seed,
            from,
            budget,
            net,
            search,
            stages,
            selfplay,
            sample,
            learn,
            train,
            records,
            measure,
            fleet,
            fault: _,
        } = self;
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(allowed) {
            let message = format!("{name:?}: expected letters, digits, '-', '_' and '.'");
            return Err(range("name", message));
        }
        if i64::try_from(*seed).is_err() {
            return Err(range(
                "seed",
                format!("{seed}: expected a number below 2^63"),
            ));
        }
        if from.as_ref().is_some_and(String::is_empty) {
            return Err(range("from", "\"\": expected the name of a net".to_owned()));
        }
        budget
            .check()
            .map_err(|(key, message)| range(&format!("budget.{key}"), message))?;
        if let (Some(elo), true) = (budget.elo, measure.every_minutes == 0.0) {
            let message = format!("{elo}: expected none, as measure.every_minutes is 0");
            return Err(range("budget.elo", message));
        }
        net.check()
            .map_err(|(key, message)| range(&format!("net.{key}"), message))?;
        search.check().map_err(|error| {
            let OptionError {
                key,
                found,
                expected,
            } = error.within("search");
            range(&key, format!("{found}: expected {expected}"))
        })?;
        let in_selfplay = |(key, message): (&str, _)| range(&format!("selfplay.{key}"), message);
        selfplay.check().map_err(in_selfplay)?;
        sample
            .check()
            .map_err(|(key, message)| range(&format!("sample.{key}"), message))?;
        learning::check_stages(search, stages).map_err(|(key, message)| range(&key, message))?;
        learn
            .check(search)
            .map_err(|(key, message)| range(&format!("learn.{key}"), message))?;
        check_train(train)?;
        records
            .check()
            .map_err(|(key, message)| range(&format!("records.{key}"), message))?;
        measure
            .check()
            .map_err(|(key, message)| range(&format!("measure.{key}"), message))?;
        fleet
            .check()
            .map_err(|(key, message)| range(&format!("fleet.{key}"), message))
    }

    /// The search of training games when `games` of the run have been finished.
    pub fn search_at(&self, games: u64) -> SearchOptions {
        learning::search_at(&self.search, &self.stages, games)
    }

    /// Games before the first net is published; none where the run begins with one.
    #[cfg(feature = "torch")]
    pub fn blind_games(&self) -> u64 {
        match self.from {
            Some(_) => 0,
            None => self.learn.blind_games,
        }
    }

    /// Every dotted key with its value as TOML, in the order of the file.
    pub fn flat(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        collect_values(&as_value(self), "", &mut pairs);
        pairs
    }

    /// How games become training rows for this network: [`Config::sample`], and whether there are
    /// auxiliary heads to be taught.
    #[cfg(feature = "torch")]
    pub fn sampling(&self) -> SampleOptions {
        SampleOptions {
            auxiliary: self.train.auxiliary.is_any(),
            ..self.sample
        }
    }

    /// Dotted keys in which `self` and `other` differ, in the order of the file.
    pub fn differences(&self, other: &Config) -> Vec<String> {
        let mut keys = Vec::new();
        collect_differences(&as_value(self), &as_value(other), "", &mut keys);
        keys
    }

    /// What changes from `self` to `other`, in the order of the file.
    #[cfg(feature = "torch")]
    pub fn changes_to(&self, other: &Config) -> Vec<Change> {
        let (from, to) = (as_value(self), as_value(other));
        let keys = self.differences(other).into_iter();
        keys.map(|key| Change {
            from: value_at(&from, &key),
            to: value_at(&to, &key),
            key,
        })
        .collect()
    }
}

/// How the network learns. Without libtorch nothing can use it, but the file is still read.
#[cfg(feature = "torch")]
type TrainOptions = trainer::TrainOptions;
#[cfg(not(feature = "torch"))]
type TrainOptions = toml::Table;

#[cfg(feature = "torch")]
fn check_train(train: &TrainOptions) -> Result<(), ConfigError> {
    train.check().map_err(|error| {
        let OptionError {
            key,
            found,
            expected,
        } = error.within("train");
        range(&key, format!("{found}: expected {expected}"))
    })
}

#[cfg(not(feature = "torch"))]
fn check_train(_: &TrainOptions) -> Result<(), ConfigError> {
    Ok(())
}

fn range(key: &str, message: String) -> ConfigError {
    ConfigError::Range {
        key: key.to_owned(),
        message,
    }
}

/// `table` with the overrides put in, as a config.
fn overridden(mut table: toml::Table, overrides: &[String]) -> Result<Config, ConfigError> {
    let mut config = None;
    for text in overrides {
        let error = |message: String| ConfigError::Set {
            text: text.clone(),
            message,
        };
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| error("expected KEY=VALUE".to_owned()))?;
        put(&mut table, key.trim(), parse_value(value.trim())).map_err(error)?;
        config = Some(
            table
                .clone()
                .try_into()
                .map_err(|e: toml::de::Error| error(one_line(&e)))?,
        );
    }
    Ok(config.expect("there is at least one override"))
}

/// A TOML value, or a string where it is none, so that words need no quotes.
fn parse_value(text: &str) -> toml::Value {
    let parsed: Result<toml::Table, _> = toml::from_str(&format!("value = {text}"));
    match parsed {
        Ok(mut table) if table.len() == 1 => table
            .remove("value")
            .expect("the table was written with this key"),
        _ => toml::Value::String(text.to_owned()),
    }
}

/// Sets the dotted `key` of `table`, creating tables on the way.
fn put(table: &mut toml::Table, key: &str, value: toml::Value) -> Result<(), String> {
    match key.split_once('.') {
        None if key.is_empty() => Err("expected a key before '='".to_owned()),
        None => {
            table.insert(key.to_owned(), value);
            Ok(())
        }
        Some((head, rest)) => {
            let inner = table
                .entry(head)
                .or_insert_with(|| toml::Table::new().into());
            let inner = inner
                .as_table_mut()
                .ok_or(format!("{head} is not a table"))?;
            put(inner, rest, value)
        }
    }
}

/// Gives the error of a TOML reader its place: file, line and dotted key.
fn file_error(text: &str, path: &Path, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start).min(text.len());
    let line = text[..at].matches('\n').count() + 1;
    let key = dotted_key(text, line).map_or(String::new(), |key| format!("{key}: "));
    ConfigError::File {
        path: path.to_owned(),
        line,
        key,
        message: fold(error.message()),
    }
}

/// The key set on line `line` of a TOML text, with its table's name before it.
fn dotted_key(text: &str, line: usize) -> Option<String> {
    let table_of = |line: &str| -> Option<String> {
        let line = line.split('#').next()?.trim();
        Some(line.strip_prefix('[')?.strip_suffix(']')?.trim().to_owned())
    };
    let mut table = None;
    for (index, text) in text.lines().take(line).enumerate() {
        if let Some(name) = table_of(text) {
            table = Some(name);
        } else if index + 1 == line {
            let (key, _) = text.split_once('=')?;
            let prefix = table.map_or(String::new(), |table| format!("{table}."));
            return Some(format!("{prefix}{}", key.trim()));
        }
    }
    table
}

/// A TOML error without a text to point into, on one line.
fn one_line(error: &toml::de::Error) -> String {
    fold(&error.to_string())
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn as_value(config: &Config) -> toml::Value {
    toml::Value::try_from(config).expect("a checked config has nothing that TOML cannot hold")
}

/// The value of a dotted key, as TOML.
#[cfg(feature = "torch")]
fn value_at(config: &toml::Value, key: &str) -> Option<String> {
    let value = key
        .split('.')
        .try_fold(config, |value, name| value.get(name))?;
    Some(shown(value))
}

/// A value as TOML in one line. What was a number of 32 bits has no more digits than that.
fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) if f64::from(*number as f32) == *number => {
            format!("{:?}", *number as f32)
        }
        toml::Value::Array(values) => {
            let values: Vec<String> = values.iter().map(shown).collect();
            format!("[{}]", values.join(", "))
        }
        toml::Value::Table(table) => {
            let shown_pair = |(name, value)| format!("{name} = {}", shown(value));
            let pairs: Vec<String> = table.iter().map(shown_pair).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        _ => value.to_string(),
    }
}

fn collect_values(value: &toml::Value, key: &str, pairs: &mut Vec<(String, String)>) {
    let toml::Value::Table(table) = value else {
        pairs.push((key.to_owned(), shown(value)));
        return;
    };
    for (name, value) in table {
        let key = if key.is_empty() {
            name.clone()
        } else {
            format!("{key}.{name}")
        };
        collect_values(value, &key, pairs);
    }
}

fn collect_differences(a: &toml::Value, b: &toml::Value, key: &str, keys: &mut Vec<String>) {
    let (toml::Value::Table(a), toml::Value::Table(b)) = (a, b) else {
        if a != b {
            keys.push(key.to_owned());
        }
        return;
    };
    let absent = toml::Value::String("(absent)".to_owned());
    let only_b = b.keys().filter(|name| !a.contains_key(*name));
    for name in a.keys().chain(only_b) {
        let key = if key.is_empty() {
            name.clone()
        } else {
            format!("{key}.{name}")
        };
        let (a, b) = (
            a.get(name).unwrap_or(&absent),
            b.get(name).unwrap_or(&absent),
        );
        collect_differences(a, b, &key, keys);
    }
}

#[cfg(test)]
mod tests;
