//! No text breaks a reader: what the fuzz targets check, on their seeds and on mutations of them.

#[path = "../../../../fuzz/checks/diagram.rs"]
mod diagram;
#[path = "../../../../fuzz/checks/moves.rs"]
mod moves;
#[path = "../../../../fuzz/checks/seeds.rs"]
mod seeds;
#[path = "../../../../fuzz/checks/sfen.rs"]
mod sfen;

/// Mutations per seed.
fn rounds() -> u32 {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if slow { 20_000 } else { 1000 }
}

#[test]
fn no_text_breaks_the_reader_of_sfens() {
    seeds::check_all("fuzz/seeds/sfen", rounds(), sfen::check);
}

#[test]
fn no_text_breaks_a_reader_of_moves() {
    seeds::check_all("fuzz/seeds/moves", rounds(), moves::check);
}

#[test]
fn no_text_breaks_the_reader_of_drawings() {
    seeds::check_all("fuzz/seeds/diagram", rounds(), diagram::check);
}
