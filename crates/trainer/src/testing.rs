//! What the tests of several modules need.

use crate::{AuxiliaryOptions, ComputeDevice, Placement};
use data::{AuxiliaryBatch, BOARD_PLANES, Batch, HAND_PLANES, N_HORIZONS, N_LABELS};
use model::{NetShape, Precision};
use ndarray::{Array1, Array2, Array3};
use rules::{MoveList, Position};
use search::mix_seed;
use std::fs;
use std::path::{Path, PathBuf};

/// A network that trains in milliseconds.
pub(crate) fn tiny() -> NetShape {
    NetShape {
        blocks: 1,
        channels: 8,
        value_channels: 2,
        value_hidden: 8,
        ..NetShape::default()
    }
}

/// As [`tiny`], with every part that a net can have.
pub(crate) fn tiny_with_all_parts() -> NetShape {
    NetShape {
        blocks: 2,
        squeeze_ratio: 4,
        pool_every: 2,
        pool_channels: 3,
        attention_blocks: 1,
        attention_heads: 2,
        ..tiny()
    }
}

/// One CPU thread.
pub(crate) fn cpu(precision: Precision) -> Placement {
    Placement {
        device: ComputeDevice::Cpu,
        threads: 1,
        precision,
    }
}

/// A stream of numbers in `[0, 1)`, fixed by its seed.
pub(crate) fn uniform(seed: u64) -> impl FnMut() -> f32 {
    let mut drawn = 0;
    move || {
        drawn += 1;
        (mix_seed(seed, drawn) >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// `n` samples that mean nothing but have the form of real ones: some 60 legal moves each, every
/// fourth without a policy target, results mostly decided.
pub(crate) fn batch(n: usize, seed: u64) -> Batch {
    let mut next = uniform(seed);
    let mut bits = |share: f32| if next() < share { 1.0 } else { 0.0 };
    let board = Array3::from_shape_simple_fn((n, BOARD_PLANES, 81), || bits(0.1));
    let hands = Array2::from_shape_simple_fn((n, HAND_PLANES), || bits(0.2));
    let legal = Array2::from_shape_simple_fn((n, N_LABELS), || bits(60.0 / N_LABELS as f32));
    let mut policy = legal.mapv(|legal| legal * next());
    let mut policy_weight = Array1::ones(n);
    let mut wdl = Array2::from_shape_simple_fn((n, 3), || 0.1 + next());
    let mut outcome = Array2::zeros((n, 3));
    for i in 0..n {
        let (mut policy, mut wdl) = (policy.row_mut(i), wdl.row_mut(i));
        policy /= policy.sum();
        wdl /= wdl.sum();
        if i % 4 == 3 {
            policy.fill(0.0);
            policy_weight[i] = 0.0;
        }
        outcome[[i, [0, 2, 2, 0, 1][i % 5]]] = 1.0;
    }
    Batch {
        board,
        hands,
        legal,
        policy,
        policy_weight,
        wdl,
        value_weight: Array1::from_shape_simple_fn(n, || 0.5 + next()),
        outcome,
        auxiliary: None,
    }
}

/// As [`batch`], with targets for auxiliary heads; every third sample is of an unknown game.
pub(crate) fn batch_with_auxiliary(n: usize, seed: u64) -> Batch {
    let mut next = uniform(seed + 1000);
    let mut reply = Array2::from_shape_simple_fn((n, N_LABELS), || {
        if next() < 0.02 { 0.1 + next() } else { 0.0 }
    });
    let mut short_wdl = Array2::from_shape_simple_fn((n, 3 * N_HORIZONS), || 0.1 + next());
    let weight = Array1::from_shape_fn(n, |i| if i % 3 == 2 { 0.0 } else { 1.0 });
    for i in 0..n {
        let mut reply = reply.row_mut(i);
        reply /= reply.sum();
        reply *= weight[i];
        for mut wdl in short_wdl.row_mut(i).exact_chunks_mut(3) {
            wdl /= wdl.sum();
        }
    }
    Batch {
        auxiliary: Some(AuxiliaryBatch {
            reply,
            reply_weight: weight.clone(),
            moves_left: Array1::from_shape_simple_fn(n, || (1.0 + 150.0 * next()).round()),
            moves_left_weight: weight.clone(),
            short_wdl,
            short_weight: weight,
        }),
        ..batch(n, seed)
    }
}

/// Every auxiliary head.
pub(crate) fn all_heads() -> AuxiliaryOptions {
    AuxiliaryOptions {
        reply_weight: 0.15,
        moves_left_weight: 0.02,
        short_value_weight: 0.2,
    }
}

/// `n` different positions of one random game, with their legal moves.
pub(crate) fn positions(n: usize) -> Vec<(Position, MoveList)> {
    let mut position = Position::startpos();
    let mut positions = Vec::new();
    for ply in 0.. {
        let moves = position.legal_moves();
        if moves.is_empty() || positions.len() == n {
            break;
        }
        let mv = moves[mix_seed(7, ply) as usize % moves.len()];
        positions.push((position.clone(), moves));
        let _ = position.do_move(mv);
    }
    assert_eq!(positions.len(), n, "the game ended too early");
    positions
}

/// A folder of its own for one test, removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let name = format!("narikin-trainer-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| name(entry.unwrap()))
            .collect();
        names.sort();
        names
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
