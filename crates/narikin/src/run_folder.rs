//! The folder of one run, and what lies where in it.
//!
//! ```text
//! config.toml      every key, resolved; written before anything else
//! run.json         commit, version, seed and machine of every start
//! events.jsonl     one line per event: the truth of the run
//! tensorboard/     curves, made from the events
//! games/           records of finished games
//! checkpoints/     what training resumes from
//! models/          nets fit for play; `models/current` names the one that self-play uses
//! arena/           games against fixed opponents
//! lock             held by the one process that may write here
//! ```
//!
//! Whole files are replaced by [`write_whole`] only, so a process that is killed at any moment
//! leaves the old text or the new one.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

#[cfg(feature = "fleet")]
use fleet::RunId;
use model::{WriteError, write_whole};
use serde::{Deserialize, Serialize};

use crate::config::{Config, ConfigError};
use crate::machine::Machine;
use crate::report::events::unix_time_s;

/// The version of `run.json`.
const RUN_FORMAT: u32 = 1;

/// Git commit that this program was built from.
pub const COMMIT: &str = match option_env!("NARIKIN_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// Version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An opened run folder; as long as it lives, no other process can open the same one.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Unlocked by the system when the process ends, however it ends.
    _lock: File,
}

/// A run folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// Another process has the folder open.
    #[error("another process is working in {}", path.display())]
    Locked {
        /// The run folder.
        path: PathBuf,
    },
    /// The folder has files but no configuration: it is not a run.
    #[error("{} is neither empty nor a run folder: it has no config.toml", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is not a run.
    #[error("{} is not a run folder: it has no config.toml", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// The run was started with another configuration.
    #[error(
        "the run in {} was started with another configuration: {} differ; \
         choose another folder or use its own config.toml (narikin amend changes that of a run)",
        path.display(), keys.join(", ")
    )]
    OtherConfig {
        /// The run folder.
        path: PathBuf,
        /// Dotted keys that differ.
        keys: Vec<String>,
    },
    /// The folder's own configuration cannot be used by this version.
    #[error("cannot continue the run in {}", path.display())]
    Config {
        /// The run folder.
        path: PathBuf,
        /// What is wrong with it.
        source: ConfigError,
    },
    /// The run has no net yet.
    #[error("the run in {} has no net yet: there is no models/current", path.display())]
    NoModel {
        /// The run folder.
        path: PathBuf,
    },
    /// A file holds something else than expected.
    #[error("{}: expected {expected}, found {found:?}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What should be in it.
        expected: &'static str,
        /// What is in it.
        found: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system's error, with what was attempted.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// Verb, such as `write`.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// `run.json`.
#[derive(Debug, Serialize, Deserialize)]
struct RunFile {
    format: u32,
    name: String,
    seed: u64,
    /// One entry per start of the trainer, oldest first.
    starts: Vec<serde_json::Value>,
}

/// One entry of [`RunFile::starts`].
#[derive(Debug, Serialize)]
struct Start {
    time_s: f64,
    commit: &'static str,
    version: &'static str,
    encoding: u32,
    machine: Machine,
}

impl RunFolder {
    /// Opens the run in `path`, creating it if the folder is absent or empty, and writes the start
    /// into `run.json`.
    ///
    /// A run that exists must have been started with the same configuration, except for
    /// `budget`, `records.epochs` and `records.samples`, which are replaced by the new ones.
    ///
    /// # Errors
    ///
    /// Any [`RunFolderError`] but `NoRun` and `NoModel`.
    pub fn create_or_open(path: &Path, config: &Config) -> Result<RunFolder, RunFolderError> {
        fs::create_dir_all(path).map_err(io_error("create", path))?;
        let lock = lock(path)?;
        let folder = RunFolder {
            path: path.to_owned(),
            _lock: lock,
        };
        match folder.stored_config()? {
            Some(stored) => folder.check_same(&stored, config)?,
            None => folder.check_new()?,
        }
        write_whole(&folder.config_file(), config.to_toml().as_bytes())?;
        let subfolders = [
            folder.games(),
            folder.checkpoints(),
            folder.models(),
            folder.arena(),
            folder.tensorboard(),
        ];
        for subfolder in subfolders {
            fs::create_dir_all(&subfolder).map_err(io_error("create", &subfolder))?;
        }
        folder.record_start(config)?;
        Ok(folder)
    }

    /// Opens a run that exists, and reads its configuration.
    ///
    /// # Errors
    ///
    /// Any [`RunFolderError`] but `NoModel` and `OtherConfig`.
    pub fn open(path: &Path) -> Result<(RunFolder, Config), RunFolderError> {
        let not_a_run = || RunFolderError::NotARun {
            path: path.to_owned(),
        };
        if !path.join("config.toml").exists() {
            return Err(not_a_run());
        }
        let folder = RunFolder {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        let config = folder.stored_config()?.ok_or_else(not_a_run)?;
        Ok((folder, config))
    }

    /// Makes `config` the configuration of the run from now on.
    ///
    /// # Errors
    ///
    /// [`RunFolderError::Write`].
    pub fn replace_config(&self, config: &Config) -> Result<(), RunFolderError> {
        Ok(write_whole(
            &self.config_file(),
            config.to_toml().as_bytes(),
        )?)
    }

    /// What tells the run from all others: it follows from its name, its seed and its first start, so it
    /// is the same at every start.
    ///
    /// # Errors
    ///
    /// [`RunFolderError::Content`] or `Io`.
    #[cfg(feature = "fleet")]
    pub fn identity(&self) -> Result<RunId, RunFolderError> {
        let path = self.path.join("run.json");
        let text = fs::read_to_string(&path).map_err(io_error("read", &path))?;
        let run = read_run_file(&path, &text)?;
        let first = run.starts.first().map(|start| start["time_s"].to_string());
        let first = first.unwrap_or_default();
        Ok(RunId::of(&[&run.name, &run.seed.to_string(), &first]))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The configuration, every key resolved.
    pub fn config_file(&self) -> PathBuf {
        self.path.join("config.toml")
    }

    /// The event log.
    pub fn events_file(&self) -> PathBuf {
        self.path.join("events.jsonl")
    }

    /// Folder of the game records.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Folder of the checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// Folder of the nets.
    pub fn models(&self) -> PathBuf {
        self.path.join("models")
    }

    /// Folder of the games against fixed opponents.
    pub fn arena(&self) -> PathBuf {
        self.path.join("arena")
    }

    /// Folder of the TensorBoard files.
    pub fn tensorboard(&self) -> PathBuf {
        self.path.join("tensorboard")
    }

    /// Makes `model`, a file in `models/`, the net that self-play uses.
    ///
    /// # Errors
    ///
    /// [`RunFolderError::Io`].
    pub fn set_current_model(&self, model: &str) -> Result<(), RunFolderError> {
        Ok(write_whole(
            &self.models().join("current"),
            format!("{model}\n").as_bytes(),
        )?)
    }

    fn stored_config(&self) -> Result<Option<Config>, RunFolderError> {
        let path = self.config_file();
        if !path.exists() {
            return Ok(None);
        }
        let error = |source| RunFolderError::Config {
            path: self.path.clone(),
            source,
        };
        Config::load(Some(&path), &[]).map(Some).map_err(error)
    }

    fn check_same(&self, stored: &Config, config: &Config) -> Result<(), RunFolderError> {
        let mut keys = stored.differences(config);
        let ends = ["records.epochs", "records.samples"];
        keys.retain(|key| !key.starts_with("budget.") && !ends.contains(&&**key));
        if keys.is_empty() {
            return Ok(());
        }
        Err(RunFolderError::OtherConfig {
            path: self.path.clone(),
            keys,
        })
    }

    fn check_new(&self) -> Result<(), RunFolderError> {
        let entries = fs::read_dir(&self.path).map_err(io_error("read", &self.path))?;
        // What a process leaves that was killed before it had written the configuration.
        let ours = ["lock", "config.toml.tmp"];
        let foreign = entries
            .filter_map(Result::ok)
            .any(|entry| !ours.iter().any(|name| entry.file_name() == *name));
        if foreign {
            return Err(RunFolderError::NotARun {
                path: self.path.clone(),
            });
        }
        Ok(())
    }

    fn record_start(&self, config: &Config) -> Result<(), RunFolderError> {
        let path = self.path.join("run.json");
        let mut run = match fs::read_to_string(&path) {
            Ok(text) => read_run_file(&path, &text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => RunFile {
                format: RUN_FORMAT,
                name: config.name.clone(),
                seed: config.seed,
                starts: Vec::new(),
            },
            Err(error) => return Err(io_error("read", &path)(error)),
        };
        let start = Start {
            time_s: unix_time_s(),
            commit: COMMIT,
            version: VERSION,
            encoding: data::ENCODING_VERSION,
            machine: Machine::detect(),
        };
        let json = "plain numbers and strings are always JSON";
        run.starts.push(serde_json::to_value(start).expect(json));
        let text = serde_json::to_string_pretty(&run).expect(json);
        Ok(write_whole(&path, text.as_bytes())?)
    }
}

/// The configuration file of the run in `run`, if there is a run.
#[cfg(feature = "torch")]
pub fn own_config(run: &Path) -> Option<PathBuf> {
    let file = run.join("config.toml");
    file.exists().then_some(file)
}

/// The net that the run in `run` uses now. Needs no lock: the file is replaced as a whole.
///
/// # Errors
///
/// [`RunFolderError::NoModel`], `Content` or `Io`.
pub fn current_model(run: &Path) -> Result<PathBuf, RunFolderError> {
    let models = run.join("models");
    let path = models.join("current");
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunFolderError::NoModel {
                path: run.to_owned(),
            });
        }
        read => read.map_err(io_error("read", &path))?,
    };
    let name = text.trim();
    let is_file_name = Path::new(name).file_name().is_some_and(|file| file == name);
    if !is_file_name {
        let expected = "the name of a file in the same folder";
        return Err(RunFolderError::Content {
            path,
            expected,
            found: name.to_owned(),
        });
    }
    Ok(models.join(name))
}

/// What `run.json` says about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAbout {
    /// Its name.
    pub name: String,
    /// The seed that all its random choices follow from.
    pub seed: u64,
    /// How often the trainer was started.
    pub starts: usize,
}

/// What the run in `run` says about itself. Needs no lock: the file is replaced as a whole.
///
/// # Errors
///
/// [`RunFolderError::Content`] or `Io`.
pub fn read_run(run: &Path) -> Result<RunAbout, RunFolderError> {
    let path = run.join("run.json");
    let text = fs::read_to_string(&path).map_err(io_error("read", &path))?;
    let file = read_run_file(&path, &text)?;
    Ok(RunAbout {
        name: file.name,
        seed: file.seed,
        starts: file.starts.len(),
    })
}

fn read_run_file(path: &Path, text: &str) -> Result<RunFile, RunFolderError> {
    let content = |found| RunFolderError::Content {
        path: path.to_owned(),
        expected: "a run description of format 1",
        found,
    };
    let run: RunFile = serde_json::from_str(text).map_err(|error| content(error.to_string()))?;
    if run.format != RUN_FORMAT {
        return Err(content(format!("format {}", run.format)));
    }
    Ok(run)
}

/// Locks a folder for this process; see [`RunFolder`].
///
/// # Errors
///
/// [`RunFolderError::Locked`] or [`RunFolderError::Io`].
pub fn lock(folder: &Path) -> Result<File, RunFolderError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(io_error("create", &path))?;
    // Who only asks whether it is locked holds it for a moment.
    for pause in [Duration::ZERO, GLANCE, GLANCE] {
        thread::sleep(pause);
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
        }
    }
    Err(RunFolderError::Locked {
        path: folder.to_owned(),
    })
}

/// Longer than [`is_locked`] holds a lock.
const GLANCE: Duration = Duration::from_millis(50);

/// Whether a process works in a folder now.
///
/// # Errors
///
/// [`RunFolderError::Io`].
pub fn is_locked(folder: &Path) -> Result<bool, RunFolderError> {
    let path = folder.join("lock");
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened.map_err(io_error("read", &path))?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &path)(error)),
    }
}

fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> RunFolderError {
    let path = path.to_owned();
    move |source| RunFolderError::Io {
        action,
        path: path.clone(),
        source,
    }
}

#[cfg(test)]
mod tests;
