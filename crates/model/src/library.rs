//! Finding shared libraries at run time: [`OpenVino`](crate::OpenVino) and
//! [`OnnxRuntime`](crate::OnnxRuntime).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A library that may be on this machine, and where it would be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Library {
    /// What people call it.
    pub(crate) name: &'static str,
    /// Environment variable that names its file.
    pub(crate) variable: &'static str,
    /// Its folder below the cache that `scripts/setup` fills.
    pub(crate) cache_folder: &'static str,
    /// What the name of its file starts with; a version may follow.
    pub(crate) prefix: &'static str,
    /// The command that fetches it.
    pub(crate) setup: &'static str,
}

/// Why there is no library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The variable names something else than the library.
    #[error(
        "{variable} is {}, expected the path of a file whose name starts with {prefix}",
        path.display()
    )]
    Variable {
        /// Name of the variable.
        variable: &'static str,
        /// Its value.
        path: PathBuf,
        /// What the library's file name starts with.
        prefix: &'static str,
    },
    /// Nothing in the cache.
    #[error(
        "no {prefix}.* in {} (run {setup}, or set {variable} to the path of the library)",
        folder.display()
    )]
    NotFound {
        /// The folder looked at.
        folder: PathBuf,
        /// What the library's file name starts with.
        prefix: &'static str,
        /// The command that fetches it.
        setup: &'static str,
        /// The variable that can name it.
        variable: &'static str,
        /// What the system said of the folder, if it could not be listed.
        #[source]
        source: Option<io::Error>,
    },
    /// No variable that says where the cache is.
    #[error(
        "{library} not looked for: none of {variable}, NARIKIN_CACHE, XDG_CACHE_HOME and HOME is \
         set"
    )]
    NoCache {
        /// The library.
        library: &'static str,
        /// The variable that can name it.
        variable: &'static str,
    },
    /// A system without the files by which the library counts processors; it would look for them for
    /// ever.
    #[error(
        "{library} cannot count the processors of this system: neither {} nor {} is there, mount /sys or \
         /proc", files[0], files[1]
    )]
    NoProcessors {
        /// The library.
        library: &'static str,
        /// What it reads.
        files: [&'static str; 2],
    },
    /// The library is there but cannot be used.
    #[error("cannot load {library} from {}: {message}", path.display())]
    Load {
        /// The library.
        library: &'static str,
        /// Its file.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
}

impl Library {
    /// The library's file: the one that the variable names, else the one in the cache.
    pub(crate) fn find(&self) -> Result<PathBuf, LibraryError> {
        self.find_with(&|name| env::var_os(name))
    }

    /// Whether one of these `files` is there, as the library takes for granted; `root` is the system's
    /// root folder.
    pub(crate) fn check_processors(
        &self,
        root: &Path,
        files: [&'static str; 2],
    ) -> Result<(), LibraryError> {
        let is_there = |file: &&str| root.join(file.trim_start_matches('/')).exists();
        if files.iter().any(is_there) {
            return Ok(());
        }
        Err(LibraryError::NoProcessors {
            library: self.name,
            files,
        })
    }

    /// [`find`](Self::find) by the environment variables that `variable` looks up.
    fn find_with(
        &self,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<PathBuf, LibraryError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(path) = set(self.variable) {
            let path = PathBuf::from(path);
            return if self.is_file(&path) {
                Ok(path)
            } else {
                Err(LibraryError::Variable {
                    variable: self.variable,
                    path,
                    prefix: self.prefix,
                })
            };
        }
        let in_home =
            |name: &str, folders: &str| set(name).map(|home| Path::new(&home).join(folders));
        let cache = in_home("NARIKIN_CACHE", "")
            .or_else(|| in_home("XDG_CACHE_HOME", "narikin"))
            .or_else(|| in_home("HOME", ".cache/narikin"))
            .ok_or(LibraryError::NoCache {
                library: self.name,
                variable: self.variable,
            })?;
        self.find_in(cache.join(self.cache_folder))
    }

    fn find_in(&self, folder: PathBuf) -> Result<PathBuf, LibraryError> {
        let not_found = |folder, source| LibraryError::NotFound {
            folder,
            prefix: self.prefix,
            setup: self.setup,
            variable: self.variable,
            source,
        };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(source) => return Err(not_found(folder, Some(source))),
        };
        // The last by name, so that the choice does not depend on the order of the folder.
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| self.is_file(path))
            .max()
            .ok_or_else(|| not_found(folder, None))
    }

    /// Whether this is a file with the library's name. Loading any other library would succeed, and
    /// the first call into it would panic.
    fn is_file(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(self.prefix) && path.is_file()
    }

    pub(crate) fn load_error(&self, path: &Path, message: String) -> LibraryError {
        LibraryError::Load {
            library: self.name,
            path: path.to_owned(),
            message,
        }
    }
}

#[cfg(test)]
mod tests;
