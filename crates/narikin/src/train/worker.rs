//! The self-play threads of a run.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use data::GameRecord;
use search::{EvalCache, Evaluator};
use selfplay::{GameIds, PlayEvent, SearchTotals, SelfPlay, SelfPlayOptions};
use trainer::{ComputeDevice, Placement};

use super::orders::{Order, Orders};

/// How long a resting thread sleeps before it looks again.
const REST: Duration = Duration::from_millis(20);

/// A finished game on its way from a thread to the trainer.
pub struct Played {
    /// The game.
    pub record: Box<GameRecord>,
    /// What its searches were like.
    pub searches: SearchTotals,
}

/// What all self-play threads of a run have in common.
#[derive(Clone)]
pub struct WorkerSettings {
    /// How games are played.
    pub options: SelfPlayOptions,
    /// The run's seed.
    pub seed: u64,
    /// Numbers of games.
    pub ids: GameIds,
    /// Where nets run: OpenVINO on the CPU, or a device of libtorch's.
    pub placement: Placement,
}

/// Starts self-play thread `index`. It plays until the orders say stop, or the trainer has gone
/// away, or an evaluator fails, which its result tells.
///
/// # Errors
///
/// If the system starts no thread.
pub fn spawn(
    index: usize,
    settings: WorkerSettings,
    orders: Arc<Orders>,
    games: SyncSender<Played>,
) -> anyhow::Result<JoinHandle<anyhow::Result<()>>> {
    thread::Builder::new()
        .name(format!("selfplay-{index}"))
        .spawn(move || {
            work(index, &settings, &orders, &games)
                .with_context(|| format!("self-play thread {index} failed"))
        })
        .context("cannot start a self-play thread")
}

fn work(
    index: usize,
    settings: &WorkerSettings,
    orders: &Orders,
    games: &SyncSender<Played>,
) -> anyhow::Result<()> {
    let (mut seen, order) = orders.newer_than(0).expect("the first order has number 1");
    let mut evaluator = evaluator_of(settings, &order)?;
    let WorkerSettings {
        options, seed, ids, ..
    } = settings;
    let mut play = SelfPlay::new(options, &order.search, *seed, order.generation, ids.clone());
    let mut trainer_gone = false;
    while !orders.stopped() && !trainer_gone {
        if !orders.plays(index) {
            thread::sleep(REST);
            continue;
        }
        if let Some((number, order)) = orders.newer_than(seen) {
            seen = number;
            play.set_search(&order.search);
            if order.generation != play.generation() {
                evaluator = evaluator_of(settings, &order)?;
                play.set_generation(order.generation);
            }
        }
        let round = play.advance(&mut *evaluator, &mut |event| {
            let PlayEvent::GameFinished { record, searches } = event;
            trainer_gone |= games.send(Played { record, searches }).is_err();
        })?;
        orders.count(round.n_evaluations, round.n_searches);
    }
    Ok(())
}

fn evaluator_of(settings: &WorkerSettings, order: &Order) -> anyhow::Result<Box<dyn Evaluator>> {
    let max_batch = settings.options.games_at_once as usize;
    let evaluator = match (&order.net, settings.placement.device) {
        (Some(net), ComputeDevice::Cpu) => net.evaluator(max_batch)?,
        (Some(net), _) => net.torch_evaluator(&settings.placement, max_batch)?,
        (None, _) => return Ok(Box::new(search::UniformEvaluator)),
    };
    Ok(match settings.options.cache_mib {
        0 => evaluator,
        memory_mib => Box::new(EvalCache::new(evaluator, memory_mib as usize)),
    })
}
