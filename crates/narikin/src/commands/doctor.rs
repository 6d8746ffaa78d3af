//! `narikin doctor`: what can this machine do, and does the program work on it?

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use data::{
    GameRecord, PlyKind, PlyRecord, RecordReader, RecordWriter, WriterOptions, list_shards,
};
use model::{Model, NetShape, OnnxRuntime, OpenVino};
use rules::{Game, GameRules, Position};
use serde::Serialize;

use crate::exit;
use crate::health::disk;
use crate::machine::Machine;
use crate::nets::{CpuPrecision, Net};
use crate::output::{self, SCHEMA};
use crate::probe::Probe;
use crate::speed;
use crate::torch::{self, Libtorch, TorchDevice};

/// Arguments of `narikin doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin doctor --json

The JSON object: {schema, machine: {cpu, cores, system, avx512_bf16, amx_bf16, avx512_vnni},
libtorch: null or {version, onednn, devices: [{device, precision, fault}]}, openvino: {version, path,
problem}, onnxruntime: {path, problem}, precision: int8|bf16|f32 of nets on the CPU, evals_per_s: of one
thread in it, speeds: the same in each {f32, bf16, int8}, disk_free_mib: of the disk of this folder, or
null, precision_distance: the largest difference of a probability or an expected score between nets as they
run and in 32 bits, or null, self_tests: {rules, records, network, precision: ok, or what failed}, ok}.")]
pub struct DoctorArgs {
    /// Device that has to be there and work: `cpu`, `cuda` or `cuda:N`
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Serialize)]
struct Diagnosis {
    schema: u32,
    machine: Machine,
    libtorch: Option<Libtorch>,
    openvino: OpenVinoState,
    onnxruntime: OnnxRuntimeState,
    precision: &'static str,
    evals_per_s: Option<f64>,
    speeds: Option<Speeds>,
    disk_free_mib: Option<u64>,
    precision_distance: Option<f32>,
    self_tests: SelfTests,
    ok: bool,
}

/// Evaluations per second of one thread in each precision, measured in turns.
#[derive(Debug, Clone, Copy, Serialize)]
struct Speeds {
    f32: f64,
    bf16: f64,
    int8: f64,
}

impl Speeds {
    fn of(self, precision: CpuPrecision) -> f64 {
        match precision {
            CpuPrecision::Int8 => self.int8,
            CpuPrecision::Bf16 => self.bf16,
            CpuPrecision::F32 | CpuPrecision::Auto => self.f32,
        }
    }
}

#[derive(Debug, Serialize)]
struct OpenVinoState {
    version: Option<String>,
    path: Option<String>,
    problem: Option<String>,
}

/// The second choice for nets of other programs; nothing is wrong where it is absent.
#[derive(Debug, Serialize)]
struct OnnxRuntimeState {
    path: Option<String>,
    problem: Option<String>,
}

/// The verdict of a self-test that passed.
const OK: &str = "ok";

/// [`OK`], or what failed.
#[derive(Debug, Serialize)]
struct SelfTests {
    rules: String,
    records: String,
    network: String,
    precision: String,
}

/// Probabilities and expected scores may differ by this from those in 32 bits; with 8 bits 0.012 was
/// seen.
const PRECISION: f32 = 0.05;

/// Looks, tests, and prints. A self-test that fails is code 1 after the whole report.
///
/// # Errors
///
/// If the device asked for is absent.
pub fn run(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let diagnosis = diagnose();
    if args.json {
        output::print_json(&diagnosis)?;
    } else {
        output::print(&diagnosis.text())?;
    }
    if let Some(device) = &args.device {
        require(device, diagnosis.libtorch.as_ref())?;
    }
    Ok(if diagnosis.ok {
        exit::done()
    } else {
        ExitCode::from(exit::FAILED)
    })
}

/// Finds fault with a device that is absent or does not work. `cuda` is the first CUDA device.
fn require(device: &str, libtorch: Option<&Libtorch>) -> anyhow::Result<()> {
    let libtorch = libtorch.context("this build has no libtorch, so it has no devices")?;
    let name = if device == "cuda" { "cuda:0" } else { device };
    let Some(found) = libtorch.devices.iter().find(|found| found.device == name) else {
        let names: Vec<&str> = libtorch
            .devices
            .iter()
            .map(|found| found.device.as_str())
            .collect();
        bail!(
            "device {device} is absent: libtorch sees {} only",
            names.join(", ")
        );
    };
    match &found.fault {
        Some(fault) => bail!("device {device} does not work: {fault}"),
        None => Ok(()),
    }
}

fn diagnose() -> Diagnosis {
    let measured = measure();
    let precision = CpuPrecision::Auto.resolved();
    let network = measured
        .as_ref()
        .map_or_else(|error| format!("{error:#}"), |_| OK.to_owned());
    let distance = precision_distance();
    let exactness = distance.as_ref().map_or_else(
        |error| format!("{error:#}"),
        |&distance| match distance <= PRECISION {
            true => OK.to_owned(),
            false => format!("found a difference of {distance}, expected at most {PRECISION}"),
        },
    );
    let self_tests = SelfTests {
        rules: verdict(test_rules()),
        records: verdict(test_records()),
        network,
        precision: exactness,
    };
    let SelfTests {
        rules,
        records,
        network,
        precision: exactness,
    } = &self_tests;
    let ok = [rules, records, network, exactness]
        .iter()
        .all(|verdict| *verdict == OK);
    Diagnosis {
        schema: SCHEMA,
        machine: Machine::detect(),
        libtorch: torch::look(),
        openvino: openvino_state(),
        onnxruntime: onnx_runtime_state(),
        precision: precision.word(),
        evals_per_s: measured.as_ref().ok().map(|speeds| speeds.of(precision)),
        speeds: measured.ok(),
        disk_free_mib: disk::free_mib(std::path::Path::new(".")),
        precision_distance: distance.ok(),
        self_tests,
        ok,
    }
}

fn openvino_state() -> OpenVinoState {
    match OpenVino::load() {
        Ok(library) => OpenVinoState {
            version: Some(library.version().to_owned()),
            path: Some(library.path().display().to_string()),
            problem: None,
        },
        Err(error) => OpenVinoState {
            version: None,
            path: None,
            problem: Some(format!("{:#}", anyhow::Error::new(error))),
        },
    }
}

fn onnx_runtime_state() -> OnnxRuntimeState {
    match OnnxRuntime::load() {
        Ok(library) => OnnxRuntimeState {
            path: Some(library.path().display().to_string()),
            problem: None,
        },
        Err(error) => OnnxRuntimeState {
            path: None,
            problem: Some(format!("{:#}", anyhow::Error::new(error))),
        },
    }
}

/// Times an untrained net of the default shape; the best of some short rounds.
fn measure() -> anyhow::Result<Speeds> {
    const BATCH: usize = 64;
    const ROUNDS: usize = 4;
    let net = Net::from_model("untrained", &Model::random(NetShape::default(), 1, true));
    let positions = speed::positions(8 * BATCH);
    let mut evaluators = Vec::new();
    for precision in [CpuPrecision::F32, CpuPrecision::Bf16, CpuPrecision::Int8] {
        let mut evaluator = net.clone().with_precision(precision)?.evaluator(BATCH)?;
        // The first batch compiles the net.
        speed::evals_per_s(evaluator.as_mut(), &positions, BATCH, Duration::ZERO)?;
        evaluators.push(evaluator);
    }
    let mut best = [0.0_f64; 3];
    for _ in 0..ROUNDS {
        for (evaluator, best) in evaluators.iter_mut().zip(&mut best) {
            let time = Duration::from_millis(100);
            *best = best.max(speed::evals_per_s(
                evaluator.as_mut(),
                &positions,
                BATCH,
                time,
            )?);
        }
    }
    let [f32, bf16, int8] = best;
    Ok(Speeds { f32, bf16, int8 })
}

/// How far an untrained net's answers, as nets run here, are from those in 32 bits: OpenVINO's, and
/// libtorch's where this build has it.
fn precision_distance() -> anyhow::Result<f32> {
    let model = Model::random(NetShape::default(), 1, true);
    let net = Net::from_model("untrained", &model);
    let exact_net = net.clone().with_precision(CpuPrecision::F32)?;
    let found = Probe::of(net.evaluator(1)?.as_mut())?;
    let mut exact = vec![Probe::of(exact_net.evaluator(1)?.as_mut())?];
    if let Some(mut evaluator) = net.naive_evaluator()? {
        exact.push(Probe::of(evaluator.as_mut())?);
    }
    Ok(exact
        .iter()
        .map(|exact| found.distance(exact))
        .fold(0.0, f32::max))
}

/// The known number of move sequences of three plies from the start position.
fn test_rules() -> anyhow::Result<()> {
    let nodes = rules::perft(&mut Position::startpos(), 3);
    ensure!(nodes == 25_470, "perft 3 counts {nodes}, expected 25470");
    Ok(())
}

/// Writes a short game to the temporary folder and reads it back.
fn test_records() -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("narikin-doctor-{}", std::process::id()));
    let result = write_and_read(&folder);
    // Whether the folder can be removed again says nothing about records.
    let _ = fs::remove_dir_all(&folder);
    result.with_context(|| format!("in {}", folder.display()))
}

fn write_and_read(folder: &std::path::Path) -> anyhow::Result<()> {
    let record = short_game();
    let (mut writer, _) = RecordWriter::open(folder, WriterOptions::default())?;
    writer.append(&record)?;
    writer.finish()?;
    let shards = list_shards(folder)?;
    let [shard] = shards.as_slice() else {
        bail!("found {} shards, expected 1", shards.len())
    };
    let read = RecordReader::open(&shard.path)?.collect::<Result<Vec<_>, _>>()?;
    let [read] = read.as_slice() else {
        bail!("read {} games, expected 1", read.len())
    };
    ensure!(
        read.plies == record.plies,
        "the game read differs from the one written"
    );
    Ok(())
}

/// The fourth move ends it by the ply limit.
fn short_game() -> GameRecord {
    let rules = GameRules {
        max_ply: Some(4),
        ..GameRules::default()
    };
    let mut game = Game::new(Position::startpos(), rules);
    let mut plies = Vec::new();
    while game.outcome().is_none() {
        let mv = game.position().legal_moves()[0];
        plies.push(PlyRecord {
            mv,
            kind: PlyKind::Opening,
            value: None,
            policy: Vec::new(),
        });
        game.play_unchecked(mv);
    }
    let outcome = game.outcome().expect("the game has been played to its end");
    GameRecord {
        id: 0,
        seed: 0,
        generation: 0,
        start: Position::startpos(),
        rules,
        plies,
        outcome,
    }
}

fn verdict(result: anyhow::Result<()>) -> String {
    result.map_or_else(|error| format!("{error:#}"), |()| OK.to_owned())
}

impl Libtorch {
    fn text(&self) -> String {
        let device = |found: &TorchDevice| match &found.fault {
            None => format!("{} ({})", found.device, found.precision),
            Some(fault) => format!("{} (FAULT: {fault})", found.device),
        };
        let devices: Vec<String> = self.devices.iter().map(device).collect();
        let onednn = if self.onednn {
            ""
        } else {
            ", without oneDNN: slow on a CPU"
        };
        format!("{}{onednn}, devices: {}", self.version, devices.join(", "))
    }
}

impl Diagnosis {
    fn text(&self) -> String {
        let Diagnosis {
            machine,
            libtorch,
            openvino,
            onnxruntime,
            self_tests,
            ..
        } = self;
        let has = |flag: bool| if flag { "yes" } else { "no" };
        let libtorch = libtorch
            .as_ref()
            .map_or("not in this build".to_owned(), Libtorch::text);
        let openvino = match (&openvino.version, &openvino.path, &openvino.problem) {
            (Some(version), Some(path), _) => format!("{version} in {path}"),
            (_, _, problem) => problem.clone().unwrap_or_default(),
        };
        let onnxruntime = match (&onnxruntime.path, &onnxruntime.problem) {
            (Some(path), _) => path.clone(),
            (None, problem) => problem.clone().unwrap_or_default(),
        };
        let speed = match self.speeds {
            Some(Speeds { f32, bf16, int8 }) => format!(
                "{f32:.0} (f32), {bf16:.0} (bf16), {int8:.0} (int8) evaluations/s on one thread (5 \
                 blocks, 64 channels)"
            ),
            None => "not measured".to_owned(),
        };
        let agreement = match self.precision_distance {
            Some(distance) => format!("{distance:.4} apart from 32 bits at most"),
            None => "not measured".to_owned(),
        };
        let disk = match self.disk_free_mib {
            Some(mib) => format!("{mib} MiB free"),
            None => "unknown".to_owned(),
        };
        [
            format!(
                "machine    {}, {} cores, {}",
                machine.cpu, machine.cores, machine.system
            ),
            format!(
                "bf16       AVX-512 {}, AMX {}; int8 VNNI {}",
                has(machine.avx512_bf16),
                has(machine.amx_bf16),
                has(machine.avx512_vnni)
            ),
            format!("libtorch   {libtorch}"),
            format!("openvino   {openvino}"),
            format!("onnxrt     {onnxruntime}"),
            format!("precision  {}", self.precision),
            format!("speed      {speed}"),
            format!("agreement  {agreement}"),
            format!("disk       {disk}"),
            format!("rules      {}", self_tests.rules),
            format!("records    {}", self_tests.records),
            format!("network    {}", self_tests.network),
            format!("bits       {}", self_tests.precision),
        ]
        .join("\n")
    }
}
