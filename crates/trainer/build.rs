//! Makes this crate's tests find libtorch when they run, and tells the binary's build script where
//! it is.
//!
//! torch-sys says which libtorch it was built against (`LIBTORCH`, the installed PyTorch, or the
//! system's), so nothing is searched for a second time here.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Ok(folder) = env::var("DEP_TCH_LIBTORCH_LIB") else {
        return;
    };
    // Read by crates/narikin/build.rs as DEP_NARIKIN_TRAINER_LIBTORCH_LIB.
    println!("cargo::metadata=LIBTORCH_LIB={folder}");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    if Path::new(&folder).join("libtorch_cuda.so").exists() {
        // Nothing calls it by name, and the linker would drop it without a word.
        println!("cargo::metadata=CUDA=yes");
        println!("cargo::rustc-link-arg=-Wl,--no-as-needed,-ltorch_cuda,--as-needed");
    }
}
