//! Makes `narikin` and its tests find libtorch when they run: crates/trainer/build.rs says where it
//! is. Without the feature `torch` there is nothing to find.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Ok(folder) = env::var("DEP_NARIKIN_TRAINER_LIBTORCH_LIB") else {
        return;
    };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    if env::var_os("DEP_NARIKIN_TRAINER_CUDA").is_some() {
        // Nothing calls it by name, and the linker would drop it without a word.
        println!("cargo::rustc-link-arg=-Wl,--no-as-needed,-ltorch_cuda,--as-needed");
    }
}
