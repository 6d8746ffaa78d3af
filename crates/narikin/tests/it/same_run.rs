//! The same seed and one thread give the same run; and a run that goes on is the run that stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::program::{interrupted, stderr, test_folder};
use crate::train::{events, train, train_in_one_thread, wait_for_nets};

/// Games, nets and checkpoints of a run, by their names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for part in ["games", "models", "checkpoints"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{part}/{}", entry.file_name().to_str().unwrap());
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn run_in_one_thread(name: &str, seed: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = test_folder(name);
    let more = [
        "budget.games=50",
        "learn.publish_samples=1500",
        seed,
        "learn.sharpness={}",
    ];
    let output = train_in_one_thread(&folder, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(events(&folder, "published").len() >= 3);
    files(&folder)
}

#[test]
fn the_same_seed_and_one_thread_give_the_same_run_byte_for_byte() {
    let first = run_in_one_thread("same-first", "seed=5");
    let second = run_in_one_thread("same-second", "seed=5");
    assert_eq!(
        first.keys().collect::<Vec<_>>(),
        second.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &first {
        assert!(bytes == &second[name], "{name} differs");
    }
    let other = run_in_one_thread("same-other", "seed=6");
    assert_ne!(first, other);
}

/// The tensors of a safetensors file, and the note in its header.
fn parts(file: &[u8]) -> (Vec<u8>, serde_json::Value) {
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let (header, tensors) = file[8..].split_at(length);
    let header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let manifest = header["__metadata__"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap();
    let manifest: serde_json::Value = serde_json::from_str(manifest.as_str().unwrap()).unwrap();
    (tensors.to_vec(), manifest["note"].clone())
}

#[test]
fn a_run_goes_on_with_the_very_state_that_ctrl_c_left() {
    let folder = test_folder("same-interrupt");
    let resigning = "selfplay.resign={played_out_share=0.5,moves_in_row=1}";
    let mut child = train(&folder, &["budget.games=1000000", resigning])
        .spawn()
        .unwrap();
    wait_for_nets(&folder, 3, &mut child);
    interrupted(child);
    let newest = |folder: &Path| {
        files(folder)
            .into_iter()
            .rfind(|(name, _)| name.starts_with("checkpoints"))
    };
    let (name, before) = newest(&folder).unwrap();
    // Ends at once: nothing is learned, but all that was loaded is saved again.
    let output = train(&folder, &["budget.games=1", resigning])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let (again, after) = newest(&folder).unwrap();
    assert_eq!(again, name);
    let (tensors, note) = parts(&before);
    let (tensors_after, note_after) = parts(&after);
    assert!(
        tensors == tensors_after,
        "weights, averages or moments differ"
    );
    for key in ["sampling", "window", "memories"] {
        assert!(!note[key].is_null(), "{key}: {note}");
        assert_eq!(note[key], note_after[key], "{key}");
    }
}
