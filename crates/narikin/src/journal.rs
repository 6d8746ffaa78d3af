//! A file of JSON lines that only grows: each line is handed to the system whole and at once.
//!
//! A process that is killed while writing leaves a last line without its line end. Reading ignores
//! that line, and [`Journal::open`] cuts it off before anything is appended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// An error of reading or writing a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A whole line is not what the file should hold.
    #[error("{} line {line}: not {what} of this version", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// What a line should be, with its article.
        what: &'static str,
        /// What was found.
        source: serde_json::Error,
    },
}

/// A journal open for appending lines of `T`. There is to be one writer; a lock is the caller's
/// business.
#[derive(Debug)]
pub struct Journal<T> {
    path: PathBuf,
    file: File,
    lines: PhantomData<fn(&T)>,
}

impl<T: Serialize> Journal<T> {
    /// Opens the file for appending, after cutting off a torn last line; creates it if absent.
    ///
    /// # Errors
    ///
    /// [`JournalError::Read`] or [`JournalError::Write`].
    pub fn open(path: &Path) -> Result<Journal<T>, JournalError> {
        let text = read_text(path)?;
        let write_error = |source| JournalError::Write {
            path: path.to_owned(),
            source,
        };
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(write_error)?;
        let whole = whole_lines(&text).len();
        if whole < text.len() {
            file.set_len(whole as u64).map_err(write_error)?;
        }
        Ok(Journal {
            path: path.to_owned(),
            file,
            lines: PhantomData,
        })
    }

    /// Appends one line.
    ///
    /// # Errors
    ///
    /// [`JournalError::Write`].
    pub fn append(&mut self, value: &T) -> Result<(), JournalError> {
        let write_error = |source| JournalError::Write {
            path: self.path.clone(),
            source,
        };
        let mut line = serde_json::to_vec(value).map_err(|e| write_error(e.into()))?;
        line.push(b'\n');
        // One call, so that no other process ever sees half a line while this one lives.
        self.file.write_all(&line).map_err(write_error)
    }
}

/// All whole lines of a journal of `what` (with its article); an absent file has none, a torn last
/// line is left out.
///
/// # Errors
///
/// [`JournalError::Read`], or [`JournalError::Line`] for a whole line that is something else.
pub fn read_journal<T: DeserializeOwned>(
    path: &Path,
    what: &'static str,
) -> Result<Vec<T>, JournalError> {
    let text = read_text(path)?;
    let lines = whole_lines(&text).split(|&byte| byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| {
            serde_json::from_slice(line).map_err(|source| JournalError::Line {
                path: path.to_owned(),
                line: index + 1,
                what,
                source,
            })
        })
        .collect()
}

fn read_text(path: &Path) -> Result<Vec<u8>, JournalError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|source| JournalError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}

/// `text` up to and with its last line end.
fn whole_lines(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |last| last + 1);
    &text[..end]
}

#[cfg(test)]
mod tests;
