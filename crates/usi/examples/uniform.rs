//! A USI engine without a network: every move is as good as any other, every position even.
//!
//! For trying clients and the protocol: `cargo run --example uniform`.

use std::io::{BufReader, stdin, stdout};

use search::{Evaluator, UniformEvaluator};
use usi::{EngineOptions, LoadError, Loaded, NetworkSettings, RunError, Settings};

fn main() -> Result<(), RunError> {
    let options = EngineOptions {
        name: "uniform".to_owned(),
        author: "the Narikin authors".to_owned(),
        settings: Settings::default(),
    };
    let loader = |_: &NetworkSettings| -> Result<Loaded, LoadError> {
        let evaluator: Box<dyn Evaluator> = Box::new(UniformEvaluator);
        Ok(evaluator.into())
    };
    usi::run(BufReader::new(stdin()), stdout(), options, loader)
}
