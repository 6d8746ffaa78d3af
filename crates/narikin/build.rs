//! Makes `narikin` and its tests find libtorch when they run: crates/trainer/build.rs says where it
//! is. Without the feature `torch` there is nothing to find.
//!
//! Also tells the program which commit it was built from, where git knows.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=NARIKIN_COMMIT={commit}");
    }
    find_libtorch();
}

/// The commit that is checked out, and `-changed` behind it where files differ from it.
fn commit() -> Option<String> {
    // Moves with every commit and checkout.
    let head = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={head}");
    println!("cargo::rerun-if-changed=src");
    let commit = git(&["rev-parse", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() {
        commit
    } else {
        format!("{commit}-changed")
    })
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn find_libtorch() {
    let Ok(folder) = env::var("DEP_NARIKIN_TRAINER_LIBTORCH_LIB") else {
        return;
    };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    if env::var_os("DEP_NARIKIN_TRAINER_CUDA").is_some() {
        // Nothing calls it by name, and the linker would drop it without a word.
        println!("cargo::rustc-link-arg=-Wl,--no-as-needed,-ltorch_cuda,--as-needed");
    }
}
