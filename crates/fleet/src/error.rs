//! What can go wrong between a program and the broker.

use std::error::Error;
use std::fmt;

/// What the library below said: its words only. Its type is no business of callers, and its own causes
/// are in the words already.
#[derive(Debug)]
pub struct Said(String);

impl Said {
    pub(crate) fn new(words: impl fmt::Display) -> Said {
        Said(words.to_string())
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Said {}

/// Why something could not be done at the broker. No variant holds credentials.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// An address cannot be understood.
    #[error("broker {address}: {message}")]
    Address {
        /// The address, credentials left out.
        address: String,
        /// What was found and expected.
        message: String,
    },
    /// Credentials cannot be understood. What they are is not told.
    #[error("the {what} cannot be used: {expected}")]
    Credentials {
        /// Which kind.
        what: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// The broker does not answer.
    #[error("cannot reach the broker at {broker}")]
    Unreachable {
        /// Its addresses, credentials left out.
        broker: String,
        /// What the network said.
        #[source]
        source: Said,
    },
    /// The broker does not want us.
    #[error("the broker at {broker} refuses these credentials")]
    Refused {
        /// Its addresses, credentials left out.
        broker: String,
    },
    /// The runtime cannot be started.
    #[error("cannot start the threads for the broker")]
    Runtime(#[source] std::io::Error),
    /// Something was asked of the broker, and it did not do it.
    #[error("the broker does not {action}")]
    Broker {
        /// Verb and object.
        action: &'static str,
        /// What it said.
        #[source]
        source: Said,
    },
    /// There is no such run.
    #[error("the broker has no run {name}{}", and_others(.others))]
    NoRun {
        /// The name.
        name: String,
        /// Runs that there are.
        others: Vec<String>,
    },
    /// No run was named, and there is not exactly one.
    #[error("the broker has {}: name one of them", counted(.runs))]
    WhichRun {
        /// Runs that there are.
        runs: Vec<String>,
    },
    /// The name belongs to another run.
    #[error(
        "the broker's run {name} is another one (identity {found}, this one is {expected}): \
         give one of them another name, or remove the other with `narikin fleet remove`"
    )]
    OtherRun {
        /// The name.
        name: String,
        /// Identity of the broker's run.
        found: String,
        /// Identity of ours.
        expected: String,
    },
    /// A message is not what this version reads.
    #[error("{what} of run {name} {problem}: use the trainer's version of narikin")]
    Version {
        /// Which message.
        what: &'static str,
        /// Name of the run.
        name: String,
        /// What was found and expected.
        problem: String,
    },
    /// A model is not the one that was ordered.
    #[error("model {object} has {found}, expected {expected}")]
    WrongModel {
        /// Its name.
        object: String,
        /// Hash or length.
        found: String,
        /// Hash or length that was ordered.
        expected: String,
    },
    /// No number is left for another worker.
    #[error("the run has had {found} workers, which is all that can be numbered")]
    TooManyWorkers {
        /// The number that the next one would get.
        found: u64,
    },
}

impl FleetError {
    /// For `map_err`: the broker's refusal of `action`.
    pub(crate) fn broker<E: fmt::Display>(action: &'static str) -> impl Fn(E) -> FleetError {
        move |source| FleetError::Broker {
            action,
            source: Said::new(source),
        }
    }

    /// The error with its causes, on one line.
    pub fn line(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn and_others(runs: &[String]) -> String {
    match runs {
        [] => String::new(),
        runs => format!(", it has {}", runs.join(", ")),
    }
}

fn counted(runs: &[String]) -> String {
    match runs {
        [] => "no run yet".to_owned(),
        runs => format!("{} runs ({})", runs.len(), runs.join(", ")),
    }
}
