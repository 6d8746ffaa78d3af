//! Chunks that wait for the broker, oldest first: in a folder, or in memory.
//!
//! In a folder a chunk is a file, there as a whole or not at all; it goes when the broker has
//! acknowledged it. A worker that is killed finds its chunks again.

use std::collections::VecDeque;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use data::{WriteError, write_whole};
use thiserror::Error;

use crate::chunk::Chunk;
use crate::hash::RunId;
use crate::ids::MAX_STARTS;

/// Ends the names of chunk files.
const SUFFIX: &str = ".chunk";

/// Why a spool cannot be used.
#[derive(Debug, Error)]
pub enum SpoolError {
    /// Another process has it.
    #[error("another process keeps its games in {}: give each worker a spool of its own", dir.display())]
    Locked {
        /// The folder.
        dir: PathBuf,
    },
    /// A chunk cannot be written.
    #[error("cannot keep finished games")]
    Write(#[from] WriteError),
    /// The starts of a member cannot be counted.
    #[error(
        "starts cannot be counted: {found}, expected a number below {MAX_STARTS}; take another number"
    )]
    Starts {
        /// What was found.
        found: String,
    },
    /// The system's error, with what was attempted.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// Verb, such as `read`.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The chunks that wait.
#[derive(Debug)]
pub struct Spool {
    folder: Option<Folder>,
    waiting: VecDeque<Waiting>,
    bytes: u64,
    limit: u64,
}

#[derive(Debug)]
struct Folder {
    dir: PathBuf,
    /// Number of the next file.
    next: u64,
    /// Unlocked by the system when the process ends, however it ends.
    _lock: File,
}

#[derive(Debug)]
enum Waiting {
    Memory(Vec<u8>),
    File { path: PathBuf, len: u64 },
}

impl Waiting {
    fn len(&self) -> u64 {
        match self {
            Waiting::Memory(bytes) => bytes.len() as u64,
            Waiting::File { len, .. } => *len,
        }
    }
}

impl Spool {
    /// A spool that is lost with the process. It has room as long as it holds less than `limit` bytes.
    pub fn in_memory(limit: u64) -> Spool {
        Spool {
            folder: None,
            waiting: VecDeque::new(),
            bytes: 0,
            limit,
        }
    }

    /// A spool in `dir`, which is created if absent, with the chunks that an earlier process left.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Locked`] or [`SpoolError::Io`].
    pub fn open(dir: &Path, limit: u64) -> Result<Spool, SpoolError> {
        fs::create_dir_all(dir).map_err(io_error("create", dir))?;
        let mut spool = Spool::in_memory(limit);
        let lock = lock(dir)?;
        let mut files = Vec::new();
        for entry in fs::read_dir(dir).map_err(io_error("list", dir))? {
            let path = entry.map_err(io_error("list", dir))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if let Some(number) = name
                .strip_suffix(SUFFIX)
                .and_then(|n| n.parse::<u64>().ok())
            {
                let len = fs::metadata(&path).map_err(io_error("read", &path))?.len();
                files.push((number, path, len));
            } else if name.ends_with(".chunk.tmp") {
                // Begun by a process that was killed.
                fs::remove_file(&path).map_err(io_error("remove", &path))?;
            }
        }
        files.sort();
        let next = files.last().map_or(1, |(number, ..)| number + 1);
        spool.bytes = files.iter().map(|(.., len)| len).sum();
        let file = |(_, path, len)| Waiting::File { path, len };
        spool.waiting = files.into_iter().map(file).collect();
        spool.folder = Some(Folder {
            dir: dir.to_owned(),
            next,
            _lock: lock,
        });
        Ok(spool)
    }

    /// Counts one more start of a member that keeps its games here; the first is 0.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Starts`] for a spool in memory, one that has counted as many as there can be, or whose
    /// count cannot be read; [`SpoolError::Write`].
    pub fn count_start(&mut self) -> Result<u32, SpoolError> {
        let expected = SpoolError::Starts {
            found: "none is kept in memory".to_owned(),
        };
        let folder = self.folder.as_ref().ok_or(expected)?;
        let path = folder.dir.join("starts");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => "0".to_owned(),
            read => read.map_err(io_error("read", &path))?,
        };
        let start = text.trim().parse().ok().filter(|&start| start < MAX_STARTS);
        let start = start.ok_or_else(|| SpoolError::Starts {
            found: format!("{} has {:?}", path.display(), text.trim()),
        })?;
        write_whole(&path, format!("{}\n", start + 1).as_bytes())?;
        Ok(start)
    }

    /// Puts a chunk behind the others, whether there is room or not.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Write`]; the chunk is not kept then.
    pub fn push(&mut self, chunk: Vec<u8>) -> Result<(), SpoolError> {
        let waiting = match &mut self.folder {
            None => Waiting::Memory(chunk),
            Some(folder) => {
                let path = folder.dir.join(format!("{:09}{SUFFIX}", folder.next));
                write_whole(&path, &chunk)?;
                folder.next += 1;
                let len = chunk.len() as u64;
                Waiting::File { path, len }
            }
        };
        self.bytes += waiting.len();
        self.waiting.push_back(waiting);
        Ok(())
    }

    /// The oldest chunk.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Io`].
    pub fn first(&self) -> Result<Option<Vec<u8>>, SpoolError> {
        match self.waiting.front() {
            None => Ok(None),
            Some(Waiting::Memory(bytes)) => Ok(Some(bytes.clone())),
            Some(Waiting::File { path, .. }) => {
                fs::read(path).map(Some).map_err(io_error("read", path))
            }
        }
    }

    /// Removes the oldest chunk for good.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Io`]; it is not looked at again in this process, but would be by the next.
    pub fn remove_first(&mut self) -> Result<(), SpoolError> {
        let Some(waiting) = self.waiting.pop_front() else {
            return Ok(());
        };
        self.bytes -= waiting.len();
        match waiting {
            Waiting::Memory(_) => Ok(()),
            Waiting::File { path, .. } => fs::remove_file(&path).map_err(io_error("remove", &path)),
        }
    }

    /// Passes over chunks of other runs than `run`, which stay in their files. Returns how many.
    ///
    /// # Errors
    ///
    /// [`SpoolError::Io`].
    pub fn leave_others(&mut self, run: RunId) -> Result<usize, SpoolError> {
        let mut ours = VecDeque::new();
        let before = self.waiting.len();
        while let Some(first) = self.first()? {
            let waiting = self.waiting.pop_front().expect("there is a first one");
            if Chunk::origin(&first).is_some_and(|(of, _)| of == run) {
                ours.push_back(waiting);
            } else {
                self.bytes -= waiting.len();
            }
        }
        self.waiting = ours;
        Ok(before - self.waiting.len())
    }

    /// Whether more chunks should come.
    pub fn has_room(&self) -> bool {
        self.bytes < self.limit
    }

    /// Chunks that wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Bytes of the chunks that wait.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

fn lock(dir: &Path) -> Result<File, SpoolError> {
    let path = dir.join("lock");
    let file = File::create(&path).map_err(io_error("create", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SpoolError::Locked {
            dir: dir.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &path)(error)),
    }
}

fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> SpoolError {
    let path = path.to_owned();
    move |source| SpoolError::Io {
        action,
        path: path.clone(),
        source,
    }
}

#[cfg(test)]
mod tests;
