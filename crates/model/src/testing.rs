//! What several test modules need: positions, nets, the library, the slow reference.

pub(crate) mod reference;

use crate::{
    LibraryError, Model, NetShape, OnnxOptions, OnnxOutputs, OnnxPrecision, OnnxRuntime, OpenVino,
    to_onnx,
};
use data::MoveLabel;
use rules::{Move, Position};
use search::mix_seed;
use std::error::Error;
use std::path::PathBuf;

/// A shogi net that plays, in dlshogi's interface, with the sigmoid written as a tanh.
pub(crate) fn anchor() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/anchors/prototype-30min.onnx"
    ))
}

/// OpenVINO, or `None` and a note where it is not installed. `NARIKIN_REQUIRE_LIBS=1` makes that
/// a failure.
pub(crate) fn library() -> Option<OpenVino> {
    found(OpenVino::load())
}

/// ONNX Runtime, as [`library`].
pub(crate) fn onnx_runtime() -> Option<OnnxRuntime> {
    found(OnnxRuntime::load())
}

fn found<T>(loaded: Result<T, LibraryError>) -> Option<T> {
    match loaded {
        Ok(library) => Some(library),
        Err(error) if std::env::var("NARIKIN_REQUIRE_LIBS").is_ok_and(|x| x == "1") => {
            panic!("{}", chain(&error))
        }
        Err(error) => {
            eprintln!("skipped: {}", chain(&error));
            None
        }
    }
}

/// An error and its sources, as the binary prints them.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text += &format!(": {source}");
        next = source.source();
    }
    text
}

/// A position with its legal moves.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) position: Position,
    pub(crate) legal_moves: Vec<Move>,
}

/// The policy outputs of the case's legal moves, in their order.
pub(crate) fn labels_of(case: &Case) -> impl Iterator<Item = usize> + '_ {
    let side = case.position.side_to_move();
    let label = move |&mv| MoveLabel::of(mv, side).index();
    case.legal_moves.iter().map(label)
}

/// `n` positions of random games, both sides to move, with pieces in hand and checks among them.
pub(crate) fn cases(n: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut position = Position::startpos();
    for draw in 0.. {
        let legal_moves = position.legal_moves().to_vec();
        if legal_moves.is_empty() || 120 < position.ply() {
            position = Position::startpos();
            continue;
        }
        let mv = legal_moves[mix_seed(20, draw) as usize % legal_moves.len()];
        // Every seventh position: early and late ones, in any order.
        if draw % 7 == 0 {
            cases.push(Case {
                position: position.clone(),
                legal_moves,
            });
            if cases.len() == n {
                break;
            }
        }
        position.do_move(mv);
    }
    cases
}

/// A net whose batch normalisations and last layers are all at work, with numbers of the size
/// that trained nets have.
pub(crate) fn lively_net(shape: NetShape, seed: u64) -> Model {
    let mut model = Model::random(shape, seed, true);
    let mut drawn = 0;
    for (name, tensor) in &mut model.tensors {
        let (low, high) = match name.rsplit('.').next() {
            Some("running_mean") => (-0.5, 0.5),
            Some("running_var") => (0.5, 2.0),
            Some("bias") => (-0.3, 0.3),
            Some("weight") if name.contains(".bn") => (0.3, 0.9),
            Some("position") => (-1.0, 1.0),
            // Strong enough for opinions that differ from position to position.
            Some("weight") if name == "value.fc2.weight" => (-2.0, 2.0),
            _ => continue,
        };
        for x in &mut tensor.data {
            let uniform = (mix_seed(seed, drawn) >> 40) as f32 / (1_u64 << 24) as f32;
            *x = low + (high - low) * uniform;
            drawn += 1;
        }
    }
    model
}

/// The model as ONNX in float32.
pub(crate) fn exported(model: &Model, outputs: OnnxOutputs) -> Vec<u8> {
    let options = OnnxOptions {
        outputs,
        precision: OnnxPrecision::F32,
    };
    to_onnx(model, &options).expect("float32 holds every weight")
}

/// Small enough for the reference, with all numbers different.
pub(crate) const SMALL: NetShape = NetShape {
    blocks: 2,
    channels: 16,
    value_channels: 3,
    value_hidden: 10,
    squeeze_ratio: 0,
    pool_every: 0,
    pool_channels: 16,
    attention_blocks: 0,
    attention_heads: 4,
};

/// Each part alone, all at once, and all in odd sizes.
pub(crate) const PARTS: [(&str, NetShape); 5] = [
    (
        "squeeze-excite",
        NetShape {
            squeeze_ratio: 4,
            ..SMALL
        },
    ),
    (
        "global pooling",
        NetShape {
            pool_every: 2,
            pool_channels: 6,
            ..SMALL
        },
    ),
    (
        "attention",
        NetShape {
            attention_blocks: 1,
            ..SMALL
        },
    ),
    ("everything", ALL_PARTS),
    (
        "everything odd",
        NetShape {
            blocks: 3,
            channels: 21,
            squeeze_ratio: 21,
            pool_every: 1,
            pool_channels: 20,
            attention_blocks: 2,
            attention_heads: 7,
            ..SMALL
        },
    ),
];

/// Small, and with every part that a net can have.
pub(crate) const ALL_PARTS: NetShape = NetShape {
    squeeze_ratio: 4,
    pool_every: 2,
    pool_channels: 6,
    attention_blocks: 2,
    ..SMALL
};
