//! The list of opponents that never change: `configs/anchors.toml`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{Effort, EngineLimit, EngineSettings};
use serde::Deserialize;

use crate::exit::Refuse;

/// The list that comes with the program.
const BUILT_IN: &str = include_str!("../../../configs/anchors.toml");

/// Where Debian puts its games; not on everybody's PATH.
const DEBIAN_GAMES: &str = "/usr/games";

/// One opponent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// What it is called.
    pub name: String,
    /// Command line of the engine.
    pub command: String,
    /// How much it thinks: `KEY=VALUE`.
    pub limit: String,
    /// Options to set.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// How late an answer may be, in milliseconds.
    pub margin: Option<u64>,
    /// Whether the engine mixes up the clocks of the two sides.
    #[serde(default)]
    pub swapped_clocks: bool,
    /// Grade in Elo, if it has one.
    pub elo: Option<f64>,
}

/// All opponents.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchors {
    anchor: Vec<Anchor>,
}

impl Anchors {
    /// The list in `file`, or the one that comes with the program.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is refused (exit code 3).
    pub fn load(file: Option<&Path>) -> anyhow::Result<Anchors> {
        let Some(path) = file else {
            return Anchors::parse(BUILT_IN).context("the anchors of the program");
        };
        let read = || -> anyhow::Result<Anchors> {
            let text = fs::read_to_string(path)?;
            Anchors::parse(&text)
        };
        read()
            .with_context(|| format!("anchors {}", path.display()))
            .refused()
    }

    fn parse(text: &str) -> anyhow::Result<Anchors> {
        let anchors: Anchors = toml::from_str(text)?;
        for (index, anchor) in anchors.anchor.iter().enumerate() {
            anchor
                .effort()
                .with_context(|| format!("anchor {}", anchor.name))?;
            if anchors.anchor[..index]
                .iter()
                .any(|a| a.name == anchor.name)
            {
                bail!("anchor {}: there are two of this name", anchor.name);
            }
        }
        Ok(anchors)
    }

    /// The opponent called `name`.
    ///
    /// # Errors
    ///
    /// If there is none (exit code 3); the message lists those that there are.
    pub fn find(&self, name: &str) -> anyhow::Result<&Anchor> {
        let found = self.anchor.iter().find(|anchor| anchor.name == name);
        let names = || {
            let names: Vec<&str> = self.anchor.iter().map(|a| a.name.as_str()).collect();
            names.join(", ")
        };
        found
            .with_context(|| format!("no anchor is called {name:?}: expected one of {}", names()))
            .refused()
    }
}

impl Anchor {
    /// How much it thinks.
    ///
    /// # Errors
    ///
    /// If `limit` is no limit.
    pub fn effort(&self) -> anyhow::Result<Effort> {
        let Some((key, value)) = self.limit.split_once('=') else {
            bail!("limit {:?}: expected KEY=VALUE", self.limit);
        };
        match Effort::parse(key, value) {
            Ok(effort) => Ok(effort),
            Err(expected) => bail!("limit {:?}: expected {expected}", self.limit),
        }
    }

    /// How to start it and play against it.
    ///
    /// # Errors
    ///
    /// As [`Anchor::effort`].
    pub fn settings(&self) -> anyhow::Result<EngineSettings> {
        let mut settings = engine_settings(&self.command, engine_limit(self.effort()?));
        settings.options = self.options.clone().into_iter().collect();
        settings.swapped_clocks = self.swapped_clocks;
        if let Some(ms) = self.margin {
            settings.margin = Duration::from_millis(ms);
        }
        Ok(settings)
    }
}

/// What `effort` means for an engine.
pub fn engine_limit(effort: Effort) -> EngineLimit {
    match effort {
        Effort::Nodes(nodes) => EngineLimit::Nodes(u64::from(nodes)),
        Effort::Depth(depth) => EngineLimit::Depth(depth),
        Effort::MoveTime(time) => EngineLimit::MoveTime(time),
        Effort::Clock(control) => EngineLimit::Clock(control),
        Effort::Options => EngineLimit::Options,
    }
}

/// An engine by its command line, whose program is looked for in the places that `scripts/setup`
/// uses, too.
pub fn engine_settings(command: &str, limit: EngineLimit) -> EngineSettings {
    let mut settings = EngineSettings::new(command, limit);
    if let Some(found) = find_program(&settings.command.program) {
        settings.command.program = found;
    }
    settings
}

/// Where the bare name of a program that is not on the PATH leads to, if anywhere.
fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() != 1 {
        return None;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join(program).is_file()) {
        return None;
    }
    let opponents = cache_folder().map(|cache| cache.join("opponents").join("bin"));
    let folders = opponents.into_iter().chain([PathBuf::from(DEBIAN_GAMES)]);
    folders
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// The folder that `scripts/setup` fetches into; see `scripts/env.sh`.
fn cache_folder() -> Option<PathBuf> {
    let var = |name| env::var_os(name).filter(|value| !value.is_empty());
    let cache = var("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(var("HOME")?).join(".cache")));
    var("NARIKIN_CACHE")
        .map(PathBuf::from)
        .or_else(|| Some(cache?.join("narikin")))
}

#[cfg(test)]
mod tests;
