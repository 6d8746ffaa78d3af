//! Finding OpenVINO at run time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, io};

/// Environment variable that names the library, `libopenvino_c.so` with or without a version.
const LIBRARY_VARIABLE: &str = "NARIKIN_OPENVINO";
/// Folder of the library below the cache that `scripts/setup` fills.
const CACHE_FOLDER: &str = "openvino-2026.4.1";
/// What the library's file name starts with.
const LIBRARY_PREFIX: &str = "libopenvino_c.so";

/// The OpenVINO library, loaded into this process; what an evaluator needs to be made.
///
/// A process loads it once: the first library found stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenVino {
    path: PathBuf,
    version: String,
}

/// Why there is no OpenVINO.
#[derive(Debug, thiserror::Error)]
pub enum OpenVinoError {
    /// The variable names something else than the library.
    #[error(
        "{LIBRARY_VARIABLE} is {}, expected the path of a file whose name starts with \
         {LIBRARY_PREFIX}",
        path.display()
    )]
    Variable {
        /// Value of the variable.
        path: PathBuf,
    },
    /// Nothing in the cache.
    #[error(
        "no {LIBRARY_PREFIX}.* in {} (run scripts/setup, or set {LIBRARY_VARIABLE} to the path of \
         the library)",
        folder.display()
    )]
    NotFound {
        /// The folder looked at.
        folder: PathBuf,
        /// What the system said of the folder, if it could not be listed.
        #[source]
        source: Option<io::Error>,
    },
    /// No variable that says where the cache is.
    #[error(
        "OpenVINO not looked for: none of {LIBRARY_VARIABLE}, NARIKIN_CACHE, XDG_CACHE_HOME and \
         HOME is set"
    )]
    NoCache,
    /// The library is there but cannot be used.
    #[error("cannot load OpenVINO from {}: {message}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
}

impl OpenVino {
    /// Loads the library that `NARIKIN_OPENVINO` names, else the one that `scripts/setup` put into
    /// the cache: `openvino-2026.4.1` in `NARIKIN_CACHE`, or in `narikin` in the user's cache folder.
    ///
    /// # Errors
    ///
    /// What was looked for, and what to do about it.
    pub fn load() -> Result<Self, OpenVinoError> {
        static LOADED: Mutex<Option<OpenVino>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &*loaded {
            return Ok(library.clone());
        }
        let path = find(&|name| env::var_os(name))?;
        openvino_sys::library::load_from(&path).map_err(|message| OpenVinoError::Load {
            path: path.clone(),
            message,
        })?;
        let version = openvino::version().build_number;
        Ok(loaded.insert(Self { path, version }).clone())
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The library's version and build, such as `2026.4.1-…`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The library's path, by the environment variables that `variable` looks up.
fn find(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, OpenVinoError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(path) = set(LIBRARY_VARIABLE) {
        let path = PathBuf::from(path);
        return if is_library(&path) {
            Ok(path)
        } else {
            Err(OpenVinoError::Variable { path })
        };
    }
    let in_home = |name: &str, folders: &str| set(name).map(|home| Path::new(&home).join(folders));
    let cache = in_home("NARIKIN_CACHE", "")
        .or_else(|| in_home("XDG_CACHE_HOME", "narikin"))
        .or_else(|| in_home("HOME", ".cache/narikin"))
        .ok_or(OpenVinoError::NoCache)?;
    find_in(cache.join(CACHE_FOLDER))
}

fn find_in(folder: PathBuf) -> Result<PathBuf, OpenVinoError> {
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(source) => {
            let source = Some(source);
            return Err(OpenVinoError::NotFound { folder, source });
        }
    };
    // The last by name, so that the choice does not depend on the order of the folder.
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_library(path))
        .max()
        .ok_or(OpenVinoError::NotFound {
            folder,
            source: None,
        })
}

/// Whether this is a file with the library's name. Loading any other library would succeed, and
/// the first call into it would panic.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(LIBRARY_PREFIX) && path.is_file()
}

#[cfg(test)]
mod tests;
