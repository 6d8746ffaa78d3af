//! `narikin bench --learning`: how fast are optimizer steps, and do they wait for their batches?
//!
//! Steps go as in `narikin learn`: a second thread reads records and encodes the next batch meanwhile.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use data::{Batch, ReadOptions, SampleOptions, Window};
use model::{Model, NetShape, Precision, write_whole};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use trainer::{ComputeDevice, Placement, StepReport, TrainOptions, Trainer};

use super::{BenchArgs, median};
use crate::ahead::Ahead;
use crate::exit::{self, Refuse, Usage};
use crate::learn::records::{Epoch, EpochOptions, Records};
use crate::machine::process_time;
use crate::nets::CpuPrecision;
use crate::output::{self, SCHEMA};
use crate::report::terminal::ProgressLine;
use crate::{allocator, torch};

/// Samples among which the next ones are drawn: quickly filled, and from then on each batch reads as many
/// samples as it has.
const POOL: usize = 4096;

/// Positions of the replay window that drawing is measured on.
const WINDOW: usize = 100_000;

/// Steps before the clock runs.
const FIRST_STEPS: usize = 4;

/// Batches that are drawn to see how long that takes.
const DRAWS: u32 = 16;

/// What `narikin bench` is told about learning.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Learning")]
pub struct LearningArgs {
    /// Measure optimizer steps on these records instead: files, or folders of our own
    #[arg(long, value_name = "RECORDS", num_args = 1.., conflicts_with = "checksum")]
    pub learning: Vec<PathBuf>,
    /// Samples per step
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(2..=65536))]
    pub batch: u32,
    /// Write the first batches there: 32-bit numbers, each batch array by array
    #[arg(long, value_name = "FILE", requires = "learning", hide = true)]
    pub batches_to: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct LearningBench {
    schema: u32,
    net: NetShape,
    device: String,
    batch: u32,
    threads: usize,
    rates: Vec<Rate>,
    draw_ms: f64,
    window_draw_ms: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Rate {
    precision: &'static str,
    samples_per_s: f64,
    samples_per_cpu_s: f64,
    waiting_share: f64,
    first_losses: Vec<f64>,
}

/// Measures and prints.
///
/// # Errors
///
/// If the net or the records are refused, or the device is absent.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    allocator::keep_memory();
    let model = match &args.model {
        Some(path) => Model::load(path).refused()?,
        None => Model::random(NetShape::default(), 1, false),
    };
    let records = Records {
        paths: args.learning.learning.clone(),
        options: ReadOptions::default(),
        seed: 1,
        held_out: 0.0,
    };
    let batch = args.learning.batch as usize;
    if let Some(path) = &args.learning.batches_to {
        write_batches(path, &mut Endless::begin(&records, batch)?)?;
    }
    let bench = measure(args, &model, &records)?;
    if args.json {
        output::print_json(&bench)?;
    } else {
        output::print(&bench.text())?;
    }
    Ok(exit::done())
}

fn measure(args: &BenchArgs, model: &Model, records: &Records) -> anyhow::Result<LearningBench> {
    let batch = args.learning.batch as usize;
    let device: ComputeDevice = match &args.device {
        Some(name) => name.parse().refused()?,
        None => ComputeDevice::Cpu,
    };
    let threads = args.threads.unwrap_or(1) as usize;
    let courses = precisions(args.precision)?.into_iter().map(|precision| {
        let placement = Placement {
            device,
            threads,
            precision,
        };
        Course::begin(model, &placement, Endless::begin(records, batch)?)
    });
    let mut courses = courses.collect::<anyhow::Result<Vec<_>>>()?;
    let time = Duration::from_secs_f64(args.seconds);
    let mut progress = ProgressLine::new("bench", "rounds", args.rounds);
    for round in 0..args.rounds {
        progress.set(round, "");
        for course in &mut courses {
            course.run(time)?;
        }
    }
    progress.finish();
    let mut source = Endless::begin(records, batch)?;
    let mut last = None;
    let draw_ms = milliseconds_of_processor(|| last = Some(source.next_batch()));
    last.transpose()?;
    Ok(LearningBench {
        schema: SCHEMA,
        net: model.manifest.shape,
        device: device.to_string(),
        batch: args.learning.batch,
        threads,
        rates: courses.into_iter().map(Course::rate).collect(),
        draw_ms,
        window_draw_ms: window_draw_ms(&records.paths, batch)?,
    })
}

/// What to compare: both, or the one that was asked for.
fn precisions(asked: CpuPrecision) -> anyhow::Result<Vec<Precision>> {
    match asked {
        CpuPrecision::Auto => Ok(vec![Precision::F32, Precision::Bf16]),
        CpuPrecision::F32 => Ok(vec![Precision::F32]),
        CpuPrecision::Bf16 => Ok(vec![Precision::Bf16]),
        CpuPrecision::Int8 => Err(Usage(
            "--precision int8: expected f32 or bf16, as nothing is learned in 8 bits".to_owned(),
        )
        .into()),
    }
}

/// Batches from records, which begin anew when they have been gone through.
struct Endless<'a> {
    records: &'a Records,
    batch: usize,
    number: u32,
    epoch: Epoch<'a>,
}

impl<'a> Endless<'a> {
    fn begin(records: &'a Records, batch: usize) -> anyhow::Result<Endless<'a>> {
        let mut endless = Endless {
            records,
            batch,
            number: 0,
            epoch: epoch(records, batch, 0)?,
        };
        let enough = endless.epoch.next_batch()?.is_some();
        let few = || anyhow::anyhow!("the records hold fewer samples than one batch of {batch}");
        enough.then_some(()).ok_or_else(few).refused()?;
        endless.epoch = epoch(records, batch, 0)?;
        Ok(endless)
    }

    fn next_batch(&mut self) -> anyhow::Result<Batch> {
        loop {
            if let Some(batch) = self.epoch.next_batch()? {
                return Ok(batch);
            }
            self.number += 1;
            self.epoch = epoch(self.records, self.batch, self.number)?;
        }
    }
}

fn epoch(records: &Records, batch: usize, number: u32) -> anyhow::Result<Epoch<'_>> {
    let options = EpochOptions {
        pool: POOL.max(batch),
        batch,
        passed: 0,
    };
    records.epoch(number, &options)
}

/// One way of learning, begun from the net.
struct Course<'a> {
    trainer: Trainer,
    batch: usize,
    source: Endless<'a>,
    batches: Ahead<anyhow::Result<Batch>>,
    first_losses: Vec<f64>,
    rounds: Vec<Round>,
}

struct Round {
    samples: f64,
    seconds: f64,
    cpu_seconds: f64,
    waited: f64,
}

impl<'a> Course<'a> {
    fn begin(
        model: &Model,
        placement: &Placement,
        source: Endless<'a>,
    ) -> anyhow::Result<Course<'a>> {
        // Without a warm-up, so that another program can do the same steps with a plain optimizer.
        let options = TrainOptions {
            warmup_steps: 0,
            ..TrainOptions::default()
        };
        let mut course = Course {
            trainer: Trainer::from_model(model, &options, placement)?,
            batch: source.batch,
            source,
            batches: Ahead::default(),
            first_losses: Vec::new(),
            rounds: Vec::new(),
        };
        for _ in 0..FIRST_STEPS {
            let report = course.step()?;
            course.first_losses.push(report.loss.total);
        }
        Ok(course)
    }

    fn step(&mut self) -> anyhow::Result<StepReport> {
        let learn = |batch: anyhow::Result<Batch>| anyhow::Ok(self.trainer.step(&batch?)?);
        self.batches
            .work_on_next(|| self.source.next_batch(), learn)
            .context("cannot start a thread to read batches")?
    }

    fn run(&mut self, time: Duration) -> anyhow::Result<()> {
        self.batches.take_waited();
        let (started, cpu_started) = (Instant::now(), process_time());
        let mut samples = 0;
        // Of processor time, so that a machine that others use as well gets the same work done.
        while process_time() - cpu_started < time {
            self.step()?;
            samples += self.batch;
        }
        self.rounds.push(Round {
            samples: samples as f64,
            seconds: started.elapsed().as_secs_f64(),
            cpu_seconds: (process_time() - cpu_started).as_secs_f64(),
            waited: self.batches.take_waited().as_secs_f64(),
        });
        Ok(())
    }

    fn rate(self) -> Rate {
        let median_of = |value: fn(&Round) -> f64| median(self.rounds.iter().map(value).collect());
        Rate {
            precision: torch::precision_name(self.trainer.precision()),
            samples_per_s: median_of(|round| round.samples / round.seconds),
            samples_per_cpu_s: median_of(|round| round.samples / round.cpu_seconds),
            waiting_share: median_of(|round| round.waited / round.seconds),
            first_losses: self.first_losses,
        }
    }
}

/// Processor time of one draw, all threads that encode together.
fn milliseconds_of_processor(mut draw: impl FnMut()) -> f64 {
    draw();
    let started = process_time();
    for _ in 0..DRAWS {
        draw();
    }
    1e3 * (process_time() - started).as_secs_f64() / f64::from(DRAWS)
}

/// The same for batches of the replay window that `narikin train` has, where the records are a folder of
/// our own.
fn window_draw_ms(paths: &[PathBuf], batch: usize) -> anyhow::Result<Option<f64>> {
    let Some(folder) = paths.iter().find(|path| path.is_dir()) else {
        return Ok(None);
    };
    let mut window = Window::new(SampleOptions::default());
    window.refill(folder, WINDOW).refused()?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut last = None;
    let draw = || last = Some(window.sample_batch(batch, &mut rng));
    Ok(Some(milliseconds_of_processor(draw)))
}

/// Writes the batches of the first steps.
fn write_batches(path: &Path, source: &mut Endless<'_>) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    for _ in 0..FIRST_STEPS {
        let batch = source.next_batch()?;
        let Batch {
            board,
            hands,
            legal,
            policy,
            policy_weight,
            wdl,
            value_weight,
            outcome: _,
            auxiliary: _,
        } = &batch;
        let arrays = [
            board.as_slice(),
            hands.as_slice(),
            legal.as_slice(),
            policy.as_slice(),
            policy_weight.as_slice(),
            wdl.as_slice(),
            value_weight.as_slice(),
        ];
        for array in arrays {
            let numbers = array.expect("batches are in standard layout");
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
    }
    Ok(write_whole(path, &bytes)?)
}

impl LearningBench {
    fn text(&self) -> String {
        let LearningBench {
            schema: _,
            net,
            device,
            batch,
            threads,
            rates,
            draw_ms,
            window_draw_ms,
        } = self;
        let mut lines = vec![format!(
            "{net}; batches of {batch}, on {device}, threads: {threads}"
        )];
        lines.extend(rates.iter().map(|rate| {
            format!(
                "{:<5}{:>9.0} samples/s ({:.0} per second of processor time), {:.1} ms a step, of which \
                 {:.1} % is waiting for the batch",
                rate.precision,
                rate.samples_per_s,
                rate.samples_per_cpu_s,
                1e3 * f64::from(*batch) / rate.samples_per_s,
                100.0 * rate.waiting_share
            )
        }));
        if let [exact, short] = rates.as_slice() {
            lines.push(format!(
                "{} is {:.2} times as fast as {}",
                short.precision,
                short.samples_per_s / exact.samples_per_s,
                exact.precision
            ));
        }
        lines.push(format!(
            "reading and encoding a batch takes {draw_ms:.1} ms of processor time"
        ));
        lines.extend(
            window_draw_ms.map(|ms| format!("drawing one from the replay window takes {ms:.1} ms")),
        );
        lines.join("\n")
    }
}
