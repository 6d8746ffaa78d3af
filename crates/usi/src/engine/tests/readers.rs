//! The check of the fuzz target `commands`, on its seeds and on mutations of them.

#[path = "../../../../../fuzz/checks/commands.rs"]
mod commands;

use crate::seeds;

#[test]
fn no_line_costs_an_answer_or_the_engine() {
    let rounds = if std::env::var_os("RUN_SLOW_TESTS").is_some() {
        5_000
    } else {
        150
    };
    seeds::check_all("fuzz/seeds/commands", rounds, commands::check);
}
