//! Exit codes, and how an error gets its code.
//!
//! Code 3 is for what the user handed in (a config, a position, a file) and code 1 for everything
//! that failed on its own, so a script can tell a typo from a full disk. An error is of the first
//! kind when [`Refuse::refused`] was called where the input was looked at.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

/// The command did what it was asked to do. Also: help, version, closed standard output.
pub const DONE: u8 = 0;
/// Something failed that is not the input's fault.
pub const FAILED: u8 = 1;
/// The command line was not understood (clap's own code, and ours for combinations it cannot see).
pub const USAGE: u8 = 2;
/// A configuration or an input was read and refused.
pub const REFUSED: u8 = 3;
/// The question was answered, and the answer is no.
pub const NO: u8 = 4;
/// Interrupted, after the write in progress was finished.
pub const INTERRUPTED: u8 = 130;

/// The table that ends `narikin --help`.
pub const HELP: &str = "\
Exit codes:
  0    done (also: help, version, standard output closed by the reader)
  1    failed
  2    usage error
  3    configuration or input refused
  4    the answer is no (inspect --check found a bad file)
  130  interrupted, after finishing the write in progress";

/// Marks an error as the fault of the user's input; it reads exactly like the error it holds.
#[derive(Debug)]
struct Refused(anyhow::Error);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for Refused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.chain().nth(1)
    }
}

/// The reader of standard output has gone away (`narikin … | head`): success, and quiet.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub struct StdoutClosed;

/// The last Ctrl-C was obeyed: what had to be written is written.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The command line parses, but asks for something that does not go together.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Turns the errors of looking at the user's input into errors with exit code [`REFUSED`].
pub trait Refuse<T> {
    /// Marks the error, if there is one; its text stays the same.
    fn refused(self) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> Refuse<T> for Result<T, E> {
    fn refused(self) -> anyhow::Result<T> {
        self.map_err(|error| anyhow::Error::new(Refused(error.into())))
    }
}

/// The code and the message of an error that reached `main`; no message where silence is right.
pub fn classify(error: &anyhow::Error) -> (u8, Option<String>) {
    let has = |is: fn(&(dyn Error + 'static)) -> bool| error.chain().any(is);
    if has(|cause| cause.is::<StdoutClosed>()) {
        return (DONE, None);
    }
    let code = if has(|cause| cause.is::<Interrupted>()) {
        INTERRUPTED
    } else if has(|cause| cause.is::<Usage>()) {
        USAGE
    } else if has(|cause| cause.is::<Refused>()) {
        REFUSED
    } else {
        FAILED
    };
    // One line: a cause that spans several (a foreign library's, say) is folded.
    let message = format!("{error:#}");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    (code, Some(message))
}

/// [`DONE`] as the value that commands return.
pub fn done() -> ExitCode {
    ExitCode::from(DONE)
}

#[cfg(test)]
mod tests;
