//! A new net on its way to the players: at once, or through a match with the one that makes games.

use std::thread::JoinHandle;

use anyhow::Context;
use model::Model;

use super::Run;
use super::measure::{self, GateMatchResult};
use super::players::Players;
use crate::config::Gate;
use crate::interrupt;
use crate::nets::Net;
use crate::report::events::{Event, Gated};

/// A new net on its way through the gate.
pub(super) struct Candidate {
    pub(super) model: Model,
    pub(super) thread: JoinHandle<anyhow::Result<GateMatchResult>>,
}

impl Run<'_> {
    /// Takes the averaged net as the next one: it plays at once, or has to pass the gate first.
    pub(super) fn offer(&mut self) -> anyhow::Result<()> {
        let mut model = self
            .learner
            .publish(self.generation + 1, self.intake.stored().games);
        model.manifest.run.clone_from(&self.config.name);
        model.manifest.name = format!("{}-{:06}", self.config.name, self.generation + 1);
        let (Gate::Match(gate), Some(old)) = (&self.config.learn.gate, &self.net) else {
            return self.publish(model);
        };
        let new = Net::from_model(&model.manifest.name, &model);
        let (old, gate) = (old.clone(), gate.clone());
        let (options, orders) = (self.config.measure.clone(), self.orders.clone());
        // At the end of a run the players have been told to stop already.
        let ends_with_players = !orders.stopped();
        let play = move || {
            measure::play_gate(&new, &old, &gate, &options, &|| {
                (ends_with_players && orders.stopped()) || interrupt::requested()
            })
        };
        self.save_checkpoint()?;
        if let Players::InTurn(_) = self.players {
            let result = play()?;
            return self.judge(model, &result);
        }
        let thread = std::thread::Builder::new()
            .name("gate".to_owned())
            .spawn(play)
            .context("cannot start a thread to play a new net")?;
        self.candidate = Some(Candidate { model, thread });
        Ok(())
    }

    /// Judges the net at the gate once its match is over.
    pub(super) fn pass_gate(&mut self) -> anyhow::Result<()> {
        let is_over = |candidate: &mut Candidate| candidate.thread.is_finished();
        match self.candidate.take_if(is_over) {
            Some(candidate) => self.hear(candidate),
            None => Ok(()),
        }
    }

    /// Waits for the end of the match, and judges the net by it.
    pub(super) fn hear(&mut self, candidate: Candidate) -> anyhow::Result<()> {
        let Candidate { model, thread } = candidate;
        let result = match thread.join() {
            Ok(result) => result?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        self.judge(model, &result)
    }

    fn judge(&mut self, model: Model, result: &GateMatchResult) -> anyhow::Result<()> {
        let report = &result.report;
        self.story.tell(Event::Gated(Gated {
            generation: self.generation,
            steps: model.manifest.steps,
            games: report.games,
            wins: report.wins,
            draws: report.draws,
            losses: report.losses,
            accepted: result.accepted,
        }))?;
        if result.accepted {
            self.publish(model)?;
        }
        Ok(())
    }
}
