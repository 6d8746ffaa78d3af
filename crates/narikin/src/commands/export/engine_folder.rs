//! `narikin export --usi`: a folder that is a USI engine by itself, on another machine of the same
//! system.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use model::OpenVino;

use crate::nets::NetFile;

#[cfg(test)]
mod tests;

/// What the names of OpenVINO's files that a CPU needs begin with; the folder may hold more.
const LIBRARIES: [&str; 9] = [
    "libopenvino.so",
    "libopenvino_c.so",
    "libopenvino_intel_cpu_plugin.so",
    "libopenvino_onnx_frontend.so",
    "libtbb.so",
    "libtbbbind",
    "libtbbmalloc.so",
    "libhwloc.so",
    "LICENSE",
];

/// Where a build without libtorch lies, seen from the folder of one with it.
const LEAN_PROGRAM: &str = "../lean/release/narikin";

/// How to make that build.
const LEAN_BUILD: &str =
    "cargo build --release -p narikin --no-default-features --target-dir target/lean";

/// What a program linked with libtorch has in it, from its end: written as it is, this very constant
/// would be found.
const DEMANDED_LIBRARY_BACKWARDS: &[u8] = b"\0os.upc_hcrotbil";

/// A file with this name marks a folder that may be replaced.
const LAUNCHER: &str = "narikin-usi";

/// What was written.
#[derive(Debug)]
pub struct EngineFolder {
    /// The folder.
    pub folder: PathBuf,
    /// The file that a GUI starts.
    pub launcher: PathBuf,
    /// Size of all files.
    pub bytes: u64,
    /// The files, relative to the folder.
    pub files: Vec<String>,
}

/// Writes the folder: as a whole, or not at all.
///
/// `program` is a build without libtorch; without it this program, if it is one, else the one in
/// `target/lean`.
///
/// # Errors
///
/// If there is no such program or no OpenVINO, or `folder` is there and holds something else.
pub fn write(folder: &Path, net: &Path, program: Option<&Path>) -> anyhow::Result<EngineFolder> {
    let program = match program {
        Some(program) => program.to_owned(),
        None => lean_program()?,
    };
    check_lean(&program)?;
    let net = NetFile::read(net)?;
    let library = OpenVino::load().context("the engine needs OpenVINO")?;
    check_replaceable(folder)?;

    let name = folder
        .file_name()
        .with_context(|| format!("{} has no name", folder.display()))?;
    let name = name.to_string_lossy();
    let partial = folder.with_file_name(format!(".{name}.partial"));
    remove(&partial)?;
    let written = fill(&partial, &program, &net, library.path()).and_then(|()| {
        replace(
            folder,
            &partial,
            &folder.with_file_name(format!(".{name}.old")),
        )
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = remove(&partial);
    }
    written?;
    let mut files = Vec::new();
    list(folder, Path::new(""), &mut files)?;
    files.sort();
    let sizes = files
        .iter()
        .map(|file| Ok(fs::metadata(folder.join(file))?.len()));
    let bytes = sizes.sum::<io::Result<u64>>()?;
    Ok(EngineFolder {
        launcher: folder.join(LAUNCHER),
        folder: folder.to_owned(),
        bytes,
        files,
    })
}

fn lean_program() -> anyhow::Result<PathBuf> {
    let this = env::current_exe().context("cannot find this program")?;
    if !cfg!(feature = "torch") {
        return Ok(this);
    }
    let lean = this.parent().unwrap_or(Path::new("")).join(LEAN_PROGRAM);
    if lean.is_file() {
        return Ok(lean);
    }
    bail!(
        "this program is linked with libtorch, which the engine does not need: build one without it \
         ({LEAN_BUILD}), or name one with --program FILE"
    )
}

/// Refuses a program that needs libtorch: it would not start on the other machine.
fn check_lean(program: &Path) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    File::open(program)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .with_context(|| format!("cannot read the program {}", program.display()))?;
    // Or the compiler would turn the constant round, and this program would find it in itself.
    let mut needed = std::hint::black_box(DEMANDED_LIBRARY_BACKWARDS).to_vec();
    needed.reverse();
    if bytes.windows(needed.len()).any(|window| window == needed) {
        bail!(
            "{} is linked with libtorch, expected a build without it ({LEAN_BUILD})",
            program.display()
        );
    }
    Ok(())
}

/// Only an engine folder, or an empty one, may be replaced.
fn check_replaceable(folder: &Path) -> anyhow::Result<()> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot look into {}", folder.display()));
        }
    };
    if is_empty || folder.join(LAUNCHER).is_file() {
        return Ok(());
    }
    bail!(
        "{} is there and no engine folder: choose another name",
        folder.display()
    )
}

/// Writes everything into a new folder.
fn fill(folder: &Path, program: &Path, net: &NetFile, library: &Path) -> anyhow::Result<()> {
    for sub in ["bin", "lib"] {
        let path = folder.join(sub);
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    }
    copy_program(program, &folder.join("bin/narikin"))?;
    let libraries = library.parent().unwrap_or(Path::new(""));
    let listing = fs::read_dir(libraries)
        .with_context(|| format!("cannot look into {}", libraries.display()))?;
    for entry in listing {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if LIBRARIES.iter().any(|prefix| name.starts_with(prefix)) {
            copy(&libraries.join(&name), &folder.join("lib").join(&name))?;
        }
    }
    let net_name = format!("net.{}", net.extension());
    model::write_whole(&folder.join(&net_name), &net.bytes)?;
    let library = library.file_name().unwrap_or_default().to_string_lossy();
    for (name, command) in [(LAUNCHER, "usi"), ("narikin-play", "play")] {
        let path = folder.join(name);
        model::write_whole(&path, launcher(command, &library, &net_name).as_bytes())?;
        make_executable(&path)?;
    }
    let readme = README.replace(GLIBC_PLACE, &glibc_of(folder)?);
    model::write_whole(&folder.join("README.txt"), readme.as_bytes())?;
    Ok(())
}

/// The oldest glibc that everything in the folder runs with. The program's part of it is that of the
/// machine which built it.
fn glibc_of(folder: &Path) -> anyhow::Result<String> {
    let mut newest = (0, 0);
    for sub in ["bin", "lib"] {
        let folder = folder.join(sub);
        let mut files = Vec::new();
        list(&folder, Path::new(""), &mut files)
            .with_context(|| format!("cannot look into {}", folder.display()))?;
        for file in files {
            let path = folder.join(file);
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            newest = newest.max(newest_glibc(&bytes));
        }
    }
    let (major, minor) = newest;
    Ok(format!("{major}.{minor}"))
}

/// The newest version of glibc's symbols that a program or a library asks for; (0, 0) for none.
fn newest_glibc(bytes: &[u8]) -> (u32, u32) {
    const PREFIX: &[u8] = b"GLIBC_";
    let starts = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(PREFIX));
    let versions = starts.filter_map(|at| {
        let rest = &bytes[at + PREFIX.len()..];
        let version = rest
            .split(|byte| !matches!(byte, b'0'..=b'9' | b'.'))
            .next()?;
        let (major, minor) = std::str::from_utf8(version).ok()?.split_once('.')?;
        // Some have a third number, which no glibc has needed for long.
        let minor = minor.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    versions.max().unwrap_or_default()
}

/// Copies the program, without its debugging information where there is a `strip`.
fn copy_program(from: &Path, to: &Path) -> anyhow::Result<()> {
    let stripped = Command::new("strip").arg("-o").arg(to).arg(from).output();
    if !stripped.is_ok_and(|output| output.status.success()) {
        copy(from, to)?;
    }
    make_executable(to)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn make_executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode)
        .with_context(|| format!("cannot make {} executable", path.display()))
}

/// Puts the new folder in the place of the old one.
fn replace(folder: &Path, new: &Path, old: &Path) -> anyhow::Result<()> {
    remove(old)?;
    let moved = |from: &Path, to: &Path| {
        fs::rename(from, to)
            .with_context(|| format!("cannot move {} to {}", from.display(), to.display()))
    };
    if folder.exists() {
        moved(folder, old)?;
    }
    moved(new, folder)?;
    remove(old)
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// The files below `folder`, by their names from there.
fn list(folder: &Path, below: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(folder, &name, files)?;
        } else {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// A script that finds its folder whatever the working directory is, and needs nothing but a shell.
fn launcher(command: &str, library: &str, net: &str) -> String {
    format!(
        "#!/bin/sh
# Starts Narikin from this folder: see README.txt.
self=$0
if [ -L \"$self\" ]; then self=$(readlink -f \"$self\"); fi
case $self in */*) cd \"${{self%/*}}\" || exit 1 ;; esac
NARIKIN_OPENVINO=$PWD/lib/{library}
export NARIKIN_OPENVINO
exec bin/narikin {command} --model {net} \"$@\"
"
    )
}

/// Stands in [`README`] for what [`glibc_of`] finds.
const GLIBC_PLACE: &str = "{glibc}";

/// What the folder says about itself.
const README: &str = include_str!("engine_folder/README.txt");
