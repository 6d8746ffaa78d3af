//! The model file in PyTorch, by the example in the documentation.

use super::*;
use crate::model_file::little_endian;
use crate::testing::labels_of;
use data::{encode_board, encode_hands};
use std::path::Path;
use std::process::Command;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Loads the models in the folder `argv[2]` with the example in the folder `argv[1]`, and writes what
/// they answer to the positions there.
const PYTHON: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import torch
from load_in_torch import load
folder, names = sys.argv[2], sys.argv[3:]
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

#[test]
fn the_documented_example_gets_the_same_answers() {
    let Some(python) = python() else { return };
    let models: Vec<(&str, Model)> = [("plain", SMALL)]
        .into_iter()
        .chain(PARTS)
        .map(|(name, shape)| (name, lively_net(shape, 4)))
        .collect();
    let cases = cases(20);
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, model) in &models {
        model.save(&path(name)).unwrap();
    }
    write_planes(folder.path(), &cases);
    let run = Command::new(python)
        .args(["-c", PYTHON, EXAMPLE])
        .arg(folder.path())
        .args(models.iter().map(|(name, _)| name))
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    for (name, model) in &models {
        let theirs = answers(folder.path(), name, &cases);
        let ours: Vec<Answer> = cases.iter().map(|case| expected(model, case)).collect();
        check_near(&ours, &theirs, 1e-4, 1e-4);
    }
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
