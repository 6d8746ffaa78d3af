//! Standard output: the only place that writes results.
//!
//! A closed pipe becomes [`StdoutClosed`], which `main` takes for success. Nothing here buffers
//! across calls, so what was printed is out when the call returns.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use crate::exit::StdoutClosed;

/// The version of the JSON that commands print; it counts changes that could break a reader.
pub const SCHEMA: u32 = 1;

/// Prints `text` and a line end on standard output.
///
/// # Errors
///
/// [`StdoutClosed`] if the reader has gone away, else the system's error.
pub fn print(text: &str) -> anyhow::Result<()> {
    write(format_args!("{text}\n"))
}

/// Prints `text` without a line end: the person at the terminal is to go on in the same line.
///
/// # Errors
///
/// As [`print()`].
pub fn prompt(text: &str) -> anyhow::Result<()> {
    write(format_args!("{text}"))
}

fn write(text: fmt::Arguments<'_>) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_fmt(text).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => anyhow::Error::new(StdoutClosed),
        _ => anyhow::Error::new(error).context("cannot write to standard output"),
    })
}

/// Prints `value` as one JSON object on one line.
///
/// # Errors
///
/// As [`print()`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string(value)?)
}
