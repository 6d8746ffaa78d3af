#![no_main]

#[path = "../checks/games.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::check(data, kifu::Format::Usi));
