//! What the fuzz targets check, on the samples and on mutations of them.

#[path = "../../../../fuzz/checks/games.rs"]
mod games;
#[path = "../../../../fuzz/checks/seeds.rs"]
mod seeds;

use crate::testing::n_games;
use crate::{CsaVersion, Format};

/// As every format in turn, so that each reader meets the others' texts too.
#[test]
fn games_read_from_any_text_are_the_same_when_written_in_any_format() {
    let rounds = n_games(20, 500) as u32;
    let samples = "crates/kifu/testdata/samples";
    seeds::check_all(samples, rounds, |data| {
        games::check(data, Format::Csa(CsaVersion::V30));
    });
    seeds::check_all(samples, rounds, |data| games::check(data, Format::Kif));
    seeds::check_all(samples, rounds, |data| games::check(data, Format::Ki2));
    seeds::check_all(samples, rounds, |data| games::check(data, Format::Usi));
}
