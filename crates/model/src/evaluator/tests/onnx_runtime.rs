//! The exported file in ONNX Runtime, from Python: an independent reader.

use super::*;
use crate::model_file::little_endian;
use crate::testing::labels_of;
use crate::{OnnxOptions, OnnxPrecision, to_onnx};
use data::{encode_board, encode_hands};

const N: usize = 1000;
const BATCHES: [usize; 3] = [1, 8, 64];

/// Has the nets in the folder `argv[1]` checked by ONNX's own checker, and writes what ONNX Runtime
/// answers to the positions there, in each batch size.
const PYTHON_PEER: &str = r#"
import sys, numpy, onnx, onnxruntime
folder, names = sys.argv[1], sys.argv[2:]
board = numpy.fromfile(folder + "/board", numpy.float32).reshape(-1, 62, 9, 9)
hands = numpy.fromfile(folder + "/hands", numpy.float32).reshape(-1, 57, 1, 1)
hands = numpy.broadcast_to(hands, (len(hands), 57, 9, 9)).copy()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
for name in names:
    path = folder + "/" + name
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    for n in [1, 8, 64]:
        policies, values = [], []
        for i in range(0, len(board), n):
            inputs = {"input1": board[i : i + n], "input2": hands[i : i + n]}
            policy, value = session.run(["output_policy", "output_value"], inputs)
            rows = len(inputs["input1"])
            assert policy.shape == (rows, 2187) and value.shape == (rows, 1)
            assert policy.dtype == value.dtype == numpy.float32
            policies.append(policy)
            values.append(value)
        numpy.concatenate(policies).tofile(f"{path}.{n}.policy")
        numpy.concatenate(values).tofile(f"{path}.{n}.value")
"#;

/// Answers of the peer to the cases: logits of the legal moves, and the value.
type Answers = Vec<(Vec<f32>, f32)>;

/// The peer's answers to `nets` (names and ONNX files), by net and batch size; `None` where there
/// is no peer.
fn peer_answers(cases: &[Case], nets: &[(&str, Vec<u8>)]) -> Option<Vec<[Answers; 3]>> {
    let Ok(python) = std::env::var("NARIKIN_TEST_PYTHON") else {
        eprintln!("skipped: NARIKIN_TEST_PYTHON names no Python with onnx and onnxruntime");
        return None;
    };
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
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
    for (name, bytes) in nets {
        std::fs::write(path(name), bytes).unwrap();
    }
    let run = std::process::Command::new(python)
        .args(["-c", PYTHON_PEER])
        .arg(folder.path())
        .args(nets.iter().map(|(name, _)| name))
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let numbers = |file: String| -> Vec<f32> {
        let bytes = std::fs::read(path(&file)).unwrap();
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&x| f32::from_le_bytes(x))
            .collect()
    };
    let answers = |name: &str, n: usize| -> Answers {
        let policy = numbers(format!("{name}.{n}.policy"));
        let value = numbers(format!("{name}.{n}.value"));
        let rows = cases.iter().zip(policy.chunks_exact(2187)).zip(value);
        rows.map(|((case, all), value)| (labels_of(case).map(|label| all[label]).collect(), value))
            .collect()
    };
    Some(
        nets.iter()
            .map(|(name, _)| BATCHES.map(|n| answers(name, n)))
            .collect(),
    )
}

/// The largest differences of logits and of values.
fn differences(ours: &[(Vec<f32>, [f32; 3])], peer: &Answers) -> (f32, f32) {
    assert_eq!(ours.len(), peer.len());
    let (mut in_logits, mut in_values) = (0.0_f32, 0.0_f32);
    for ((logits, wdl), (peer_logits, peer_value)) in ours.iter().zip(peer) {
        assert_eq!(logits.len(), peer_logits.len());
        in_values = in_values.max((wdl[0] + wdl[1] / 2.0 - peer_value).abs());
        for (logit, peer) in logits.iter().zip(peer_logits) {
            in_logits = in_logits.max((logit - peer).abs());
        }
    }
    (in_logits, in_values)
}

/// Small and large nets, every part, odd widths, the other variant of the interface, and a foreign net.
fn nets() -> Vec<(&'static str, Vec<u8>)> {
    let shape = |blocks, channels, value_channels, value_hidden| NetShape {
        blocks,
        channels,
        value_channels,
        value_hidden,
        ..NetShape::default()
    };
    let ours = |shape| exported(&lively_net(shape, 1), OnnxOutputs::Dlshogi);
    let mut nets: Vec<_> = PARTS.map(|(name, shape)| (name, ours(shape))).into();
    nets.extend([
        ("small", ours(SMALL)),
        ("smallest", ours(shape(1, 1, 1, 1))),
        ("odd", ours(shape(3, 23, 5, 17))),
        ("usual", ours(NetShape::default())),
        (
            "with wdl",
            exported(&lively_net(SMALL, 2), OnnxOutputs::WithWdl),
        ),
        ("foreign", std::fs::read(anchor()).unwrap()),
    ]);
    nets
}

#[test]
fn onnx_runtime_accepts_the_exported_files_and_agrees() {
    let Some(library) = library() else { return };
    let (cases, nets) = (cases(N), nets());
    let Some(peer) = peer_answers(&cases, &nets) else {
        return;
    };
    for ((name, bytes), by_batch) in nets.iter().zip(&peer) {
        let ours = evaluate(
            &mut evaluator(&library, loaded(bytes), Precision::F32),
            &cases,
        );
        for (n, answers) in BATCHES.iter().zip(by_batch) {
            let (in_logits, in_values) = differences(&ours, answers);
            assert!(
                in_logits < 1e-4,
                "{name}, batch {n}: logits differ by {in_logits}"
            );
            assert!(
                in_values < 1e-4,
                "{name}, batch {n}: values differ by {in_values}"
            );
        }
    }
}

#[test]
fn onnx_runtime_runs_the_net_in_half_precision() {
    let usual = NetShape::default();
    let full = NetShape {
        squeeze_ratio: 8,
        pool_every: 2,
        attention_blocks: 1,
        ..usual
    };
    check_half(usual);
    check_half(full);
}

#[track_caller]
fn check_half(shape: NetShape) {
    let Some(library) = library() else { return };
    let cases = cases(100);
    let model = lively_net(shape, 3);
    let options = OnnxOptions {
        precision: OnnxPrecision::F16,
        ..OnnxOptions::default()
    };
    let half = to_onnx(&model, &options).unwrap();
    let Some(peer) = peer_answers(&cases, &[("half", half.clone())]) else {
        return;
    };
    let mut exact = evaluator(&library, OnnxNet::from_model(&model), Precision::F32);
    let exact = evaluate(&mut exact, &cases);
    let spread = exact.iter().flat_map(|(logits, _)| logits);
    let spread = spread.fold(0.0_f32, |most, logit| most.max(logit.abs()));
    for answers in &peer[0] {
        let (in_logits, in_values) = differences(&exact, answers);
        // Ten bits of fraction, and some are lost on the way.
        assert!(
            0.0 < in_logits && in_logits < 0.01 * spread,
            "{in_logits} of {spread}"
        );
        assert!(in_values < 0.01, "{in_values}");
    }
    // Our own evaluator reads it too.
    let ours = evaluate(
        &mut evaluator(&library, loaded(&half), Precision::F32),
        &cases,
    );
    let (in_logits, in_values) = differences(&ours, &peer[0][0]);
    assert!(
        in_logits < 0.01 * spread && in_values < 0.01,
        "{in_logits} {in_values}"
    );
}
