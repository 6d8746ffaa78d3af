//! One self-play thread's work: many games in lockstep, with the net that the orders name.

use std::sync::Arc;

use anyhow::Context;
use data::GameRecord;
use search::{EvalAnswers, EvalCache, EvalRequest, Evaluator, EvaluatorError, Wdl};
use selfplay::{GameIds, PlayEvent, PlayMemory, SearchTotals, SelfPlay, SelfPlayOptions};

use super::orders::{Order, Orders};
use crate::config::Fault;
use crate::nets::Net;
use crate::probe::Probe;

/// A finished game on its way from a thread to the trainer.
pub struct Played {
    /// The game.
    pub record: Box<GameRecord>,
    /// What its searches were like.
    pub searches: SearchTotals,
}

/// Makes the evaluator of a net for one thread, for batches of up to so many positions.
pub type MakeEvaluator =
    Arc<dyn Fn(&Net, usize) -> anyhow::Result<Box<dyn Evaluator>> + Send + Sync>;

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
    pub make_evaluator: MakeEvaluator,
    /// What is broken on purpose.
    pub fault: Option<Fault>,
}

/// The games of one thread.
pub struct Worker {
    index: usize,
    settings: WorkerSettings,
    play: SelfPlay,
    evaluator: Box<dyn Evaluator>,
    /// Whether the evaluator is a net, rather than knows nothing.
    has_net: bool,
    /// Number of the last order obeyed.
    seen: u64,
}

impl Worker {
    /// Begins the games of thread `index`, which has `memory` of earlier ones.
    ///
    /// # Errors
    ///
    /// If the net cannot be evaluated.
    pub fn new(
        index: usize,
        settings: WorkerSettings,
        orders: &Orders,
        memory: PlayMemory,
    ) -> anyhow::Result<Worker> {
        let (seen, order) = orders.newer_than(0).expect("the first order has number 1");
        let evaluator = evaluator_of(&settings, &order)?;
        let play = SelfPlay::with_memory(
            &settings.options,
            &order.search,
            settings.seed,
            order.generation,
            settings.ids.clone(),
            memory,
        );
        let mut worker = Worker {
            index,
            settings,
            play,
            evaluator,
            has_net: order.net.is_some(),
            seen,
        };
        worker.report(orders)?;
        Ok(worker)
    }

    /// Obeys a new order, then goes one step in every game: one batch. Finished games go to
    /// `on_game`.
    ///
    /// # Errors
    ///
    /// If the evaluator fails.
    pub fn advance(
        &mut self,
        orders: &Orders,
        on_game: &mut dyn FnMut(Played),
    ) -> anyhow::Result<()> {
        if let Some((number, order)) = orders.newer_than(self.seen) {
            self.seen = number;
            self.obey(orders, &order)?;
        }
        let mut finished = 0;
        let round = self
            .play
            .advance(&mut *self.evaluator, &mut |event| {
                let PlayEvent::GameFinished { record, searches } = event;
                finished += 1;
                on_game(Played { record, searches });
            })
            .with_context(|| format!("self-play thread {} failed", self.index))?;
        orders.count(round.n_evaluations, round.n_searches);
        if finished > 0
            && let Some(memory) = self.play.memory()
        {
            orders.remember(self.index, memory);
            if let Some(stats) = self.play.resign_stats() {
                orders.measured_resigning(self.index, stats);
            }
        }
        Ok(())
    }

    /// Begins no more games: those that were begun are played to their ends.
    pub fn finish_begun(&mut self) {
        self.play.finish_begun();
    }

    /// Games in progress.
    pub fn n_games(&self) -> usize {
        self.play.n_games()
    }

    fn obey(&mut self, orders: &Orders, order: &Order) -> anyhow::Result<()> {
        self.play.set_search(&order.search);
        if order.generation == self.play.generation() {
            return Ok(());
        }
        let frozen = self.settings.fault == Some(Fault::FrozenPlayers) && self.has_net;
        if !frozen {
            self.evaluator = evaluator_of(&self.settings, order)?;
            self.has_net = order.net.is_some();
        }
        self.play.set_generation(order.generation);
        self.report(orders)
    }

    /// Says what the net in use answers to known questions.
    fn report(&mut self, orders: &Orders) -> anyhow::Result<()> {
        if self.has_net {
            let probe = Probe::of(&mut *self.evaluator)
                .with_context(|| format!("self-play thread {} failed", self.index))?;
            orders.answer(self.index, self.play.generation(), probe);
        }
        Ok(())
    }
}

/// The players' evaluator of the net that an order names.
///
/// # Errors
///
/// If the net cannot be evaluated.
pub fn evaluator_of(
    settings: &WorkerSettings,
    order: &Order,
) -> anyhow::Result<Box<dyn Evaluator>> {
    let max_batch = settings.options.games_at_once as usize;
    let evaluator = match &order.net {
        Some(net) => (settings.make_evaluator)(net, max_batch)?,
        None => return Ok(Box::new(search::UniformEvaluator)),
    };
    let evaluator = match settings.fault {
        Some(Fault::FlippedValue) => Box::new(Flipped(evaluator)),
        _ => evaluator,
    };
    Ok(match settings.options.cache_mib {
        0 => evaluator,
        memory_mib => Box::new(EvalCache::new(evaluator, memory_mib as usize)),
    })
}

/// [`Fault::FlippedValue`].
struct Flipped(Box<dyn Evaluator>);

impl Evaluator for Flipped {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        let mut right = EvalAnswers::new();
        self.0.evaluate(requests, &mut right)?;
        answers.clear();
        for index in 0..right.len() {
            let (logits, wdl): (&[f32], Wdl) = right.get(index);
            answers.push(logits, wdl.flipped());
        }
        Ok(())
    }
}
