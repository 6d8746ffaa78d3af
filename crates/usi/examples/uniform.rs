//! A USI engine without a network: every move is as good as any other, every position even.
//!
//! For trying clients and the protocol: `cargo run --example uniform`.

use std::io::{BufReader, stdin, stdout};

use search::{Evaluator, UniformEvaluator};
use usi::{EngineOptions, LoadError, NetworkSettings, RunError, Settings};

fn main() -> Result<(), RunError> {
    let options = EngineOptions {
        name: "uniform".to_owned(),
        author: "the Narikin authors".to_owned(),
        settings: Settings::default(),
    };
    let loader = |_: &NetworkSettings| -> Result<Box<dyn Evaluator>, LoadError> {
        Ok(Box::new(UniformEvaluator))
    };
    usi::run(BufReader::new(stdin()), stdout(), options, loader)
}
