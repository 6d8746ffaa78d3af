use std::fs;

use tempfile::TempDir;

use super::*;
use crate::foreign::{
    ConversionOptions, Handicaps, Hcpe3Game, Hcpe3Writer, PositionWriter, positions_of,
};
use crate::testing::{chain, random_game};
use crate::window::SampleOptions;

const SAMPLE: &[u8] = include_bytes!("../../../testdata/sample.hcpe3");
const HCPE: ForeignFormat = ForeignFormat::Positions(PositionFormat::Hcpe);

fn detect(content: &[u8]) -> Result<ForeignFormat, String> {
    detect_named("data", content)
}

fn detect_named(name: &str, content: &[u8]) -> Result<ForeignFormat, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    ForeignFormat::detect(&path)
        .map_err(|error| chain(&error).replace(&path.display().to_string(), "FILE"))
}

/// The random game with this number in each of the formats.
fn contents(seed: u64) -> [(ForeignFormat, Vec<u8>); 3] {
    let game = random_game(seed, 100);
    let options = ConversionOptions::default();
    let folder = TempDir::new().unwrap();
    ForeignFormat::ALL.map(|format| {
        let path = folder.path().join(format.name());
        match format {
            ForeignFormat::Positions(format) => {
                let mut writer = PositionWriter::create(&path, format, Handicaps::Refuse).unwrap();
                for record in positions_of(&game, &SampleOptions::default(), &options) {
                    writer.write(&record).unwrap();
                }
                writer.finish().unwrap();
            }
            ForeignFormat::Hcpe3 => {
                let mut writer = Hcpe3Writer::create(&path, Handicaps::Refuse).unwrap();
                writer
                    .write(&Hcpe3Game::of(&game, &options).unwrap())
                    .unwrap();
                writer.finish().unwrap();
            }
        }
        (format, fs::read(path).unwrap())
    })
}

#[test]
fn each_format_is_known_by_its_content() {
    assert_eq!(detect(SAMPLE), Ok(ForeignFormat::Hcpe3));
    for seed in 0..50 {
        for (format, content) in contents(seed) {
            assert_eq!(detect(&content), Ok(format), "game {seed}");
        }
    }
}

#[test]
fn one_record_is_enough() {
    for seed in 0..50 {
        for (format, content) in contents(seed) {
            if let ForeignFormat::Positions(positions) = format {
                assert_eq!(
                    detect(&content[..positions.record_len()]),
                    Ok(format),
                    "{seed}"
                );
            }
        }
    }
}

#[test]
fn a_file_cut_within_its_first_record_is_still_known_by_its_position() {
    let [(_, hcpe), (_, psv), (_, hcpe3)] = contents(1);
    assert_eq!(detect_named("a.hcpe", &hcpe[..35]), Ok(HCPE));
    assert_eq!(detect_named("データ 1.psv", &psv[..36]), Ok(PSV));
    assert_eq!(detect(&hcpe3[..60]), Ok(ForeignFormat::Hcpe3));
}

#[test]
fn other_files_are_refused() {
    assert_eq!(
        detect(b"").unwrap_err(),
        "FILE is empty, expected training data (hcpe, hcpe3 or psv)"
    );
    assert_eq!(
        detect(b"V2.2\nN+").unwrap_err(),
        "FILE is no training data: it begins like none of hcpe, hcpe3 and psv: the position ends \
         after 7 bytes, expected 32"
    );
    assert_eq!(
        detect(&[0xff; 100]).unwrap_err(),
        "FILE is no training data: it begins like none of hcpe, hcpe3 and psv: cannot read the \
         position: found black's king on square 127, expected 0 to 80"
    );
}

#[test]
fn problems_without_a_king_are_refused_by_name() {
    // Written by others as square 81.
    let mut one_king = SAMPLE.to_vec();
    one_king[0] = 81 << 1;
    assert_eq!(
        detect(&one_king).unwrap_err(),
        "FILE is no training data: it begins like none of hcpe, hcpe3 and psv: cannot read the \
         position: found no king of black's (square 81): such positions do not fit into 32 bytes, \
         and the last piece is lost"
    );
}
