use std::collections::BTreeMap;
use std::process::Command;

use super::*;
use crate::testing::test_folder;

fn write_a_run(folder: &Path) {
    let mut board = TensorBoard::create(folder).unwrap();
    for steps in [10, 20] {
        let policy_loss = 4.0 - steps as f64 / 10.0;
        board.show(&Event::Learned(Learned {
            steps,
            policy_loss,
            ..Learned::default()
        }));
    }
    board.show(&Event::Games(Games {
        total_games: 4,
        games: 4,
        plies: Histogram::of([100, 110, 130, 180], 20),
        by_reason: BTreeMap::from([("checkmate".to_owned(), 3), ("repetition".to_owned(), 1)]),
        ..Games::default()
    }));
    board.show(&Event::Measured(Measured {
        generation: 3,
        opponent: "usi:some engine".to_owned(),
        games: 4,
        wins: 2,
        draws: 1,
        losses: 1,
        elo: Some(88.7),
        elo_low: None,
        elo_high: None,
    }));
}

#[test]
fn every_writer_leaves_one_event_file() {
    let folder = test_folder("tensorboard-file");
    write_a_run(&folder);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert!(files[0].as_ref().unwrap().metadata().unwrap().len() > 500);
}

const READ_BACK: &str = r#"
import sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
run = EventAccumulator(sys.argv[1])
run.Reload()
for tag in ("loss/policy", "ends/checkmate", "score/usi_some_engine", "elo/usi_some_engine"):
    print(tag, [(e.step, round(e.value, 3)) for e in run.Scalars(tag)])
for e in run.Histograms("games/plies"):
    h = e.histogram_value
    print("games/plies", e.step, h.num, h.min, h.max, h.sum, h.bucket[-2:])
"#;

/// Needs `NARIKIN_TEST_PYTHON`, a Python with the package `tensorboard`.
#[test]
fn tensorboard_reads_the_scalars_and_histograms_back() {
    let Some(python) = std::env::var_os("NARIKIN_TEST_PYTHON") else {
        return;
    };
    let imported = Command::new(&python)
        .args(["-c", "import tensorboard"])
        .output()
        .unwrap();
    if !imported.status.success() {
        eprintln!("skipped: this Python has no package tensorboard");
        return;
    }
    let folder = test_folder("tensorboard-python");
    write_a_run(&folder);
    let output = Command::new(python)
        .arg("-c")
        .arg(READ_BACK)
        .arg(&folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let expected = "\
loss/policy [(10, 3.0), (20, 2.0)]
ends/checkmate [(4, 0.75)]
score/usi_some_engine [(3, 0.625)]
elo/usi_some_engine [(3, 88.7)]
games/plies 4 4.0 100.0 180.0 520.0 [0.0, 1.0]
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
