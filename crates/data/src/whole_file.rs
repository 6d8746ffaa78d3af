//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that could not be written; what was there before is still there.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Replaces the file `path` by `bytes`, see [`WholeFile`].
///
/// # Errors
///
/// [`WriteError`], which names the temporary file where that is the one that failed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = WholeFile::create(path)?;
    let written = file.write_all(bytes);
    written.map_err(failed(&file.temporary))?;
    file.finish()
}

/// A file that is being written, beside the place where it will be: `path` with `.tmp` appended.
///
/// [`WholeFile::finish`] puts it there, so that `path` holds either what it held before or all that
/// was written, and is on disk then. A file that is dropped before leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    temporary: PathBuf,
    /// Gone once the file is in its place.
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file that will replace `path`.
    ///
    /// # Errors
    ///
    /// [`WriteError`], which names the temporary file.
    pub fn create(path: &Path) -> Result<WholeFile, WriteError> {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let file = File::create(&temporary).map_err(failed(&temporary))?;
        Ok(WholeFile {
            path: path.to_owned(),
            temporary,
            file: Some(BufWriter::new(file)),
        })
    }

    /// Syncs the file and puts it in its place.
    ///
    /// # Errors
    ///
    /// [`WriteError`], which names the temporary file where that is the one that failed.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let file = self.buffer();
        let synced = file.flush().and_then(|()| file.get_ref().sync_all());
        synced.map_err(failed(&self.temporary))?;
        rename_synced(&self.temporary, &self.path).map_err(failed(&self.path))?;
        self.file = None;
        Ok(())
    }

    fn buffer(&mut self) -> &mut BufWriter<File> {
        self.file
            .as_mut()
            .expect("the file is open until it is in its place")
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer().flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Whoever drops an unfinished file has an error to tell already.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError { path, source }
}

/// Renames, and syncs the folder: only then does the new name survive a power cut.
fn rename_synced(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests;
