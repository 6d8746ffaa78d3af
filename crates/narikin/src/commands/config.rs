//! `narikin config`: the resolved configuration.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::output;

/// Arguments of `narikin config`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: narikin config --config configs/quick.toml --set search.visits=64"
)]
pub struct ConfigArgs {
    /// Configuration to read; without it, the defaults
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Override one key, e.g. `--set search.visits=64`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Prints the configuration as TOML, every key in it.
///
/// # Errors
///
/// If the file or an override is refused.
pub fn run(args: &ConfigArgs) -> anyhow::Result<ExitCode> {
    let ConfigArgs { config, set } = args;
    let config = Config::load(config.as_deref(), set).refused()?;
    output::print(config.to_toml().trim_end())?;
    Ok(exit::done())
}
