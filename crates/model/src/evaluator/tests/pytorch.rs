//! The model file in PyTorch, by the examples in the documentation.

use super::*;
use crate::model_file::little_endian;
use crate::testing::labels_of;
use data::{encode_board, encode_hands};
use std::path::Path;
use std::process::{Command, Output};

/// Where the examples are.
const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Reads nets of residual blocks.
const EXAMPLE: &str = "load_in_torch";

/// Reads all nets.
const WHOLE_EXAMPLE: &str = "load_in_torch_all";

/// Loads the models in the folder `argv[3]` with the example `argv[2]` of the folder `argv[1]`, and
/// writes what they answer to the positions there.
const PYTHON: &str = r#"
import importlib, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import torch
load = importlib.import_module(sys.argv[2]).load
folder, names = sys.argv[3], sys.argv[4:]
def planes(name, *shape):
    with open(f"{folder}/{name}", "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.float32).reshape(-1, *shape)
for name in names:
    net, manifest = load(f"{folder}/{name}")
    with torch.no_grad():
        outputs = net(planes("board", 62, 9, 9), planes("hands", 57))
    for part, output in zip(["policy", "wdl"], outputs):
        with open(f"{folder}/{name}.{part}", "wb") as file:
            file.write(bytes(output.contiguous().view(torch.uint8).flatten().tolist()))
"#;

/// A Python with PyTorch: `NARIKIN_TORCH_PYTHON`, else `python3`.
fn python() -> Option<String> {
    let chosen = std::env::var("NARIKIN_TORCH_PYTHON").unwrap_or("python3".to_owned());
    let imports = Command::new(&chosen).args(["-c", "import torch"]).output();
    let has_torch = imports.is_ok_and(|run| run.status.success());
    if !has_torch {
        eprintln!("skipped: {chosen} has no PyTorch (NARIKIN_TORCH_PYTHON=FILE names another)");
    }
    has_torch.then_some(chosen)
}

/// Lets an example read the models and answer to 20 positions.
fn run(python: &str, example: &str, folder: &Path, models: &[(&str, Model)]) -> Output {
    for (name, model) in models {
        model.save(&folder.join(name)).unwrap();
    }
    write_planes(folder, &cases(20));
    Command::new(python)
        .args(["-c", PYTHON, DOCS, example])
        .arg(folder)
        .args(models.iter().map(|(name, _)| name))
        .output()
        .unwrap()
}

#[track_caller]
fn check_answers(example: &str, models: &[(&str, Model)]) {
    let Some(python) = python() else { return };
    let (folder, cases) = (TempDir::new().unwrap(), cases(20));
    let run = run(&python, example, folder.path(), models);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    for (name, model) in models {
        let theirs = answers(folder.path(), name, &cases);
        let ours: Vec<Answer> = cases.iter().map(|case| expected(model, case)).collect();
        check_near(&ours, &theirs, 1e-4, 1e-4);
    }
}

#[test]
fn the_documented_example_gets_the_same_answers() {
    check_answers(EXAMPLE, &[("plain", lively_net(SMALL, 4))]);
}

#[test]
fn the_example_for_all_parts_gets_the_same_answers() {
    let shapes = [("plain", SMALL)].into_iter().chain(PARTS);
    let models: Vec<(&str, Model)> = shapes
        .map(|(name, shape)| (name, lively_net(shape, 4)))
        .collect();
    check_answers(WHOLE_EXAMPLE, &models);
}

#[test]
fn the_documented_example_names_the_other_one_for_nets_with_more_parts() {
    let Some(python) = python() else { return };
    let folder = TempDir::new().unwrap();
    let models = [("parts", lively_net(ALL_PARTS, 4))];
    let run = run(&python, EXAMPLE, folder.path(), &models);
    assert!(!run.status.success());
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(
        message.contains("has format 2, expected 1: load_in_torch_all.py"),
        "{message}"
    );
}

#[test]
fn the_documented_example_has_at_most_60_lines() {
    let text = std::fs::read_to_string(format!("{DOCS}/{EXAMPLE}.py")).unwrap();
    assert!(text.lines().count() <= 60, "{}", text.lines().count());
}

fn write_planes(folder: &Path, cases: &[Case]) {
    let (mut board, mut hands) = (
        vec![0.0; cases.len() * 62 * 81],
        vec![0.0; cases.len() * 57],
    );
    for (i, case) in cases.iter().enumerate() {
        encode_board(&case.position, &mut board[62 * 81 * i..][..62 * 81]);
        encode_hands(&case.position, &mut hands[57 * i..][..57]);
    }
    std::fs::write(folder.join("board"), little_endian(&board)).unwrap();
    std::fs::write(folder.join("hands"), little_endian(&hands)).unwrap();
}

/// What the example wrote about the net called `name`.
fn answers(folder: &Path, name: &str, cases: &[Case]) -> Vec<Answer> {
    let numbers = |part: &str| -> Vec<f32> {
        let bytes = std::fs::read(folder.join(format!("{name}.{part}"))).unwrap();
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&x| f32::from_le_bytes(x))
            .collect()
    };
    let (policy, wdl) = (numbers("policy"), numbers("wdl"));
    cases
        .iter()
        .zip(policy.chunks_exact(2187).zip(wdl.as_chunks::<3>().0))
        .map(|(case, (all, &wdl))| (labels_of(case).map(|label| all[label]).collect(), wdl))
        .collect()
}
