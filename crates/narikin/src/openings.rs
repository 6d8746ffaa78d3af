//! Files of openings: one a line, as `startpos moves …`, `sfen … moves …` or a bare SFEN, `position`
//! before it or not. Empty lines and lines that begin with `#` are left out.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use arena::Opening;

/// The openings of a file, in its order.
///
/// # Errors
///
/// If the file cannot be read, has a line that is no opening, or has none at all.
pub fn read(path: &Path) -> anyhow::Result<Vec<Opening>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate();
    let openings = lines
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            line.parse::<Opening>()
                .with_context(|| format!("{} line {number}", path.display()))
        })
        .collect::<anyhow::Result<Vec<Opening>>>()?;
    if openings.is_empty() {
        bail!("{} has no openings", path.display());
    }
    Ok(openings)
}
