use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::foreign::{ConversionOptions, Ending, positions_of};
use crate::testing::{chain, mv, random_game};
use crate::window::SampleOptions;

const VECTORS: &str = include_str!("../../../testdata/hcpe_psv_records.tsv");
const FORMATS: [PositionFormat; 2] = [PositionFormat::Hcpe, PositionFormat::Psv];

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

struct Vector {
    record: PositionRecord,
    hcpe: Vec<u8>,
    psv: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let lines = VECTORS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let winner = match fields[4] {
                "black" => Some(Color::Black),
                "white" => Some(Color::White),
                _ => None,
            };
            Vector {
                record: PositionRecord {
                    position: Position::from_sfen(fields[1]).unwrap(),
                    best: Some(mv(fields[2])),
                    eval: fields[3].parse().unwrap(),
                    result: GameResult::of(winner),
                },
                hcpe: bytes(fields[5]),
                psv: bytes(fields[6]),
            }
        })
        .collect()
}

/// A folder whose name has a blank and Japanese in it, and a file in it.
fn file(content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::Builder::new()
        .prefix("棋譜 データ ")
        .tempdir()
        .unwrap();
    let path = folder.path().join("教師 局面.bin");
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn read(format: PositionFormat, content: &[u8]) -> Result<Vec<PositionRecord>, String> {
    let (_folder, path) = file(content);
    let records = PositionReader::open(&path, format).unwrap();
    records
        .collect::<Result<_, _>>()
        .map_err(|error| chain(&error).replace(&path.display().to_string(), "FILE"))
}

fn write(format: PositionFormat, records: &[PositionRecord], handicaps: Handicaps) -> Vec<u8> {
    let (_folder, path) = file(b"");
    let mut writer = PositionWriter::create(&path, format, handicaps).unwrap();
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    assert_eq!(writer.finish().unwrap(), records.len() as u64);
    fs::read(&path).unwrap()
}

#[track_caller]
fn check_refused(format: PositionFormat, content: &[u8], expected: &str) {
    assert_eq!(read(format, content).unwrap_err(), expected);
}

#[test]
fn the_published_records_are_written_byte_for_byte() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 6);
    let records: Vec<_> = vectors.iter().map(|vector| vector.record.clone()).collect();
    let hcpe = vectors.iter().flat_map(|vector| vector.hcpe.clone());
    let psv = vectors.iter().flat_map(|vector| vector.psv.clone());
    assert_eq!(
        write(PositionFormat::Hcpe, &records, Handicaps::Write),
        hcpe.collect::<Vec<_>>()
    );
    assert_eq!(
        write(PositionFormat::Psv, &records, Handicaps::Refuse),
        psv.collect::<Vec<_>>()
    );
}

#[test]
fn the_published_records_are_read() {
    for Vector { record, hcpe, psv } in vectors() {
        assert_eq!(
            read(PositionFormat::Psv, &psv).unwrap(),
            std::slice::from_ref(&record)
        );
        let [read] = read(PositionFormat::Hcpe, &hcpe)
            .unwrap()
            .try_into()
            .unwrap();
        assert_eq!(read.position.ply(), 0);
        assert_eq!(read.position.key(), record.position.key());
        assert_eq!(
            (read.best, read.eval, read.result),
            (record.best, record.eval, record.result)
        );
    }
}

#[test]
fn positions_of_random_games_come_back() {
    for format in FORMATS {
        let records: Vec<_> = (0..20)
            .flat_map(|seed| {
                let options = (SampleOptions::default(), ConversionOptions::default());
                positions_of(&random_game(seed, 200), &options.0, &options.1)
            })
            .collect();
        assert!(records.len() > 1000);
        let back = read(format, &write(format, &records, Handicaps::Refuse)).unwrap();
        assert_eq!(back.len(), records.len());
        for (mut record, back) in records.into_iter().zip(back) {
            record.result.ending = Ending::Unsaid;
            if format == PositionFormat::Hcpe {
                assert_eq!(back.position.key(), record.position.key());
                record.position = back.position.clone();
            }
            assert_eq!(back, record);
        }
    }
}

#[test]
fn positions_are_counted_without_being_decoded() {
    let options = (SampleOptions::default(), ConversionOptions::default());
    let games: Vec<_> = (0..10).map(|seed| random_game(seed, 400)).collect();
    let records: Vec<_> = games
        .iter()
        .flat_map(|game| positions_of(game, &options.0, &options.1))
        .collect();
    let mut expected = PositionCounts::default();
    records
        .iter()
        .for_each(|record| expected.add(record.result.winner));
    assert!(0 < expected.black_wins && 0 < expected.white_wins);
    for format in FORMATS {
        let content = write(format, &records, Handicaps::Refuse);
        let (_folder, path) = file(&content);
        assert_eq!(PositionReader::count(&path, format).unwrap(), expected);
        let (_folder, path) = file(&content[..content.len() - 1]);
        let error = PositionReader::count(&path, format).unwrap_err();
        assert!(chain(&error).contains("bytes, expected "), "{error}");
    }
}

#[test]
fn a_position_without_move_has_none() {
    let mut record = vectors()[0].record.clone();
    record.best = None;
    for format in FORMATS {
        let content = write(format, &[record.clone()], Handicaps::Refuse);
        assert_eq!(read(format, &content).unwrap(), [record.clone()]);
    }
    // YaneuraOu's resigning.
    let mut psv = vectors()[0].psv.clone();
    psv[34..36].copy_from_slice(&258_u16.to_le_bytes());
    assert_eq!(read(PositionFormat::Psv, &psv).unwrap(), [record]);
}

#[test]
fn endings_of_hcpe2_are_read() {
    let mut hcpe = vectors()[0].hcpe.clone();
    for (code, winner, ending) in [
        (4, None, Ending::Repetition),
        (9, Some(Color::Black), Ending::Declaration),
        (16, None, Ending::PlyLimit),
    ] {
        hcpe[36] = code;
        let [record] = read(PositionFormat::Hcpe, &hcpe)
            .unwrap()
            .try_into()
            .unwrap();
        assert_eq!(record.result, GameResult { winner, ending });
    }
}

#[test]
fn an_empty_file_has_no_positions() {
    for format in FORMATS {
        assert_eq!(read(format, b"").unwrap(), []);
        assert_eq!(write(format, &[], Handicaps::Refuse), b"");
    }
}

#[test]
fn a_torn_record_is_refused_with_its_offset() {
    let hcpe: Vec<u8> = vectors()
        .into_iter()
        .flat_map(|vector| vector.hcpe)
        .collect();
    for length in 1..hcpe.len() {
        match read(PositionFormat::Hcpe, &hcpe[..length]) {
            Ok(records) => assert_eq!(38 * records.len(), length),
            Err(error) => assert_eq!(
                error,
                format!(
                    "damaged hcpe file FILE at byte {}, record {}: the record ends after {} bytes, \
                     expected 38",
                    length / 38 * 38,
                    length / 38,
                    length % 38
                )
            ),
        }
    }
}

#[test]
fn what_is_wrong_in_a_record_is_named_with_its_byte() {
    let vectors = vectors();
    let changed = |second: &Vector, at: usize, byte: u8| {
        let mut content = [vectors[0].hcpe.clone(), second.hcpe.clone()].concat();
        content[38 + at] = byte;
        content
    };
    check_refused(
        PositionFormat::Hcpe,
        &changed(&vectors[0], 36, 3),
        "damaged hcpe file FILE at byte 74, record 1: found 3 as result, expected 0 to 2, or that \
         with one of 4, 8 and 16",
    );
    check_refused(
        PositionFormat::Hcpe,
        &changed(&vectors[0], 35, 0xff),
        "damaged hcpe file FILE at byte 72, record 1: found 0xff3b as best move, expected a move",
    );
    check_refused(
        PositionFormat::Hcpe,
        &changed(&vectors[0], 34, 0x3a),
        "damaged hcpe file FILE at byte 72, record 1: found the best move 7g7e, which is illegal in \
         lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    );
    check_refused(
        PositionFormat::Hcpe,
        &changed(&vectors[0], 0, 0xfe),
        "damaged hcpe file FILE at byte 38, record 1: cannot read the position: found black's king \
         on square 127, expected 0 to 80",
    );
    let mut psv = vectors[0].psv.clone();
    psv[38] = 2;
    check_refused(
        PositionFormat::Psv,
        &psv,
        "damaged psv file FILE at byte 38, record 0: found 2 as result, expected -1 to 1",
    );
}

#[test]
fn numbers_with_the_higher_byte_first_are_recognised() {
    let Vector {
        mut hcpe, mut psv, ..
    } = vectors().remove(0);
    hcpe[34..36].reverse();
    psv[34..36].reverse();
    let expected = "found 0x3b1e as best move, expected the lower byte first: the other way round \
                    it is the legal move 7g7f";
    check_refused(
        PositionFormat::Hcpe,
        &hcpe,
        &format!("damaged hcpe file FILE at byte 34, record 0: {expected}"),
    );
    check_refused(
        PositionFormat::Psv,
        &psv,
        &format!("damaged psv file FILE at byte 34, record 0: {expected}"),
    );
}

#[test]
fn one_format_behind_the_other_is_refused_at_its_first_record() {
    let Vector { hcpe, psv, .. } = vectors().remove(0);
    let content = [psv.clone(), psv, hcpe.repeat(20)].concat();
    let error = read(PositionFormat::Psv, &content).unwrap_err();
    assert!(error.contains(", record 2: "), "{error}");
}

#[test]
fn psv_files_with_moves_in_other_codes_are_read() {
    // Drops and promotions among them.
    let game = random_game(5, 300);
    let options = (SampleOptions::default(), ConversionOptions::default());
    let mut records = positions_of(&game, &options.0, &options.1);
    records
        .iter_mut()
        .for_each(|record| record.result.ending = Ending::Unsaid);
    let usual = write(PositionFormat::Psv, &records, Handicaps::Refuse);
    for code in MoveCode::ALL {
        let mut content = usual.clone();
        for (record, bytes) in records.iter().zip(content.chunks_exact_mut(PSV_LEN)) {
            bytes[34..36].copy_from_slice(&code.write(record.best).to_le_bytes());
        }
        let (_folder, path) = file(&content);
        let reader = PositionReader::open(&path, PositionFormat::Psv).unwrap();
        assert_eq!(reader.move_code(), code);
        assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), records);
    }
}

#[test]
fn what_dlshogi_cannot_read_is_refused_by_name() {
    let Vector {
        record: handicap, ..
    } = vectors().remove(1);
    let mut one_king = handicap.clone();
    one_king.position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").unwrap();
    one_king.best = None;
    let (_folder, path) = file(b"as before");
    let refused = |format, record: &PositionRecord| {
        let mut writer = PositionWriter::create(&path, format, Handicaps::Refuse).unwrap();
        let error = writer.write(record).unwrap_err();
        chain(&error).replace(&path.display().to_string(), "FILE")
    };
    assert_eq!(
        refused(PositionFormat::Hcpe, &handicap),
        "will not write record 0 to hcpe file FILE: a Bishop is missing in \
         lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1: dlshogi reads positions with \
         a full set of pieces only"
    );
    for format in FORMATS {
        let error = refused(format, &one_king);
        assert!(
            error.contains("black has no king in 4k4/9/4P4/9/9/9/9/9/9"),
            "{error}"
        );
    }
    // Neither a new file nor a leftover.
    assert_eq!(fs::read(&path).unwrap(), b"as before");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

/// Reads `argv[1]` (hcpe) and `argv[2]` (psv) as records of one layout, says what it sees, and
/// writes both again from what it read.
const PYTHON_PEER: &str = r#"
import sys, cshogi, numpy
hcpes = numpy.fromfile(sys.argv[1], cshogi.HuffmanCodedPosAndEval)
psvs = numpy.fromfile(sys.argv[2], cshogi.PackedSfenValue)
board = cshogi.Board()
for hcpe, psv in zip(hcpes, psvs):
    board.set_psfen(psv["sfen"])
    sfen = board.sfen().rsplit(" ", 1)[0]
    from_psv = cshogi.move_to_usi(board.move_from_psv(int(psv["move"])))
    board.to_psfen(psv["sfen"])
    board.set_hcp(hcpe["hcp"])
    assert board.sfen().rsplit(" ", 1)[0] == sfen
    mv = board.move_from_move16(int(hcpe["bestMove16"]))
    assert cshogi.move_to_usi(mv) == from_psv
    assert board.is_legal(mv)
    hcpe["hcp"] = 0
    board.to_hcp(hcpe["hcp"])
    winner = ["draw", "black", "white"][hcpe["gameResult"]]
    print(sfen, from_psv, hcpe["eval"], psv["score"], winner, psv["game_result"], psv["gamePly"], sep="\t")
hcpes.tofile(sys.argv[1])
psvs.tofile(sys.argv[2])
"#;

/// Needs `NARIKIN_TEST_PYTHON`, a Python with the package `cshogi` (`scripts/setup --test-tools`).
#[test]
fn cshogi_reads_and_writes_the_same_bytes() {
    let Some(python) = std::env::var_os("NARIKIN_TEST_PYTHON") else {
        eprintln!("skipped: NARIKIN_TEST_PYTHON names no Python with cshogi");
        return;
    };
    let options = (SampleOptions::default(), ConversionOptions::default());
    let games = (0..20).map(|seed| random_game(seed, 300));
    let records: Vec<_> = games
        .flat_map(|game| positions_of(&game, &options.0, &options.1))
        .collect();
    let folder = TempDir::new().unwrap();
    let paths = FORMATS.map(|format| {
        let path = folder.path().join(format!("{format:?}"));
        fs::write(&path, write(format, &records, Handicaps::Refuse)).unwrap();
        path
    });
    let ours = paths.clone().map(|path| fs::read(path).unwrap());
    let mut command = std::process::Command::new(python);
    let output = command
        .args(["-c", PYTHON_PEER])
        .args(&paths)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        ours == paths.map(|path| fs::read(path).unwrap()),
        "other bytes"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), records.len());
    for (line, record) in text.lines().zip(&records) {
        let position = &record.position;
        let sfen = position.to_string();
        let winner = record.result.winner.map_or("draw", Color::as_str);
        let fields = [
            sfen.rsplit_once(' ').unwrap().0.to_owned(),
            record.best.unwrap().to_string(),
            record.eval.to_string(),
            record.eval.to_string(),
            winner.to_owned(),
            relative_result(record.result.winner, position.side_to_move()).to_string(),
            (position.ply() + 1).to_string(),
        ];
        assert_eq!(line, fields.join("\t"));
    }
}
