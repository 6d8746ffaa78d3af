//! The model file in PyTorch, by the example in the documentation.

use super::*;
use crate::model_file::little_endian;
use crate::testing::labels_of;
use data::{encode_board, encode_hands};
use std::process::Command;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Loads the model in the folder `argv[2]` with the example in the folder `argv[1]`, and writes what
/// it answers to the positions there.
const PYTHON: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import torch
from load_in_torch import load
folder = sys.argv[2]
def planes(name, *shape):
    with open(f"{folder}/{name}", "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.float32).reshape(-1, *shape)
net, manifest = load(f"{folder}/net.safetensors")
with torch.no_grad():
    outputs = net(planes("board", 62, 9, 9), planes("hands", 57))
for name, output in zip(["policy", "wdl"], outputs):
    with open(f"{folder}/{name}", "wb") as file:
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
    let cases = cases(50);
    let model = lively_net(SMALL, 4);
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    model.save(&path("net.safetensors")).unwrap();
    let (mut board, mut hands) = (
        vec![0.0; cases.len() * 62 * 81],
        vec![0.0; cases.len() * 57],
    );
    for (i, case) in cases.iter().enumerate() {
        encode_board(&case.position, &mut board[62 * 81 * i..][..62 * 81]);
        encode_hands(&case.position, &mut hands[57 * i..][..57]);
    }
    std::fs::write(path("board"), little_endian(&board)).unwrap();
    std::fs::write(path("hands"), little_endian(&hands)).unwrap();
    let mut command = Command::new(python);
    let run = command
        .args(["-c", PYTHON, EXAMPLE])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let numbers = |name: &str| -> Vec<f32> {
        let bytes = std::fs::read(path(name)).unwrap();
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&x| f32::from_le_bytes(x))
            .collect()
    };
    let (policy, wdl) = (numbers("policy"), numbers("wdl"));
    let theirs: Vec<Answer> = cases
        .iter()
        .zip(policy.chunks_exact(2187).zip(wdl.as_chunks::<3>().0))
        .map(|(case, (all, &wdl))| (labels_of(case).map(|label| all[label]).collect(), wdl))
        .collect();
    let ours: Vec<Answer> = cases.iter().map(|case| expected(&model, case)).collect();
    check_near(&ours, &theirs, 1e-4, 1e-4);
}
