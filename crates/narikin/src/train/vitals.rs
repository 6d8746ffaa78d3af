//! How a run is: its reports, its health, and what the sentinels have to say about that.

use std::time::Instant;

use search::RootOptions;

use super::Run;
use crate::health::sentinels::{self, Vitals};
use crate::health::{Health, MachineHealth, ReplayHealth, ResignHealth, disk};
use crate::report::events::{Event, FleetStands, Warning};

impl Run<'_> {
    /// Tells what was played and learned since the last report.
    pub(super) fn report(&mut self) -> anyhow::Result<()> {
        let seconds = self.reported_at.elapsed().as_secs_f64();
        self.reported_at = Instant::now();
        let games = self.intake.report(seconds, self.orders.counted());
        let learned = self.learner.report(&self.intake);
        if let Some(games) = games {
            self.story.tell(Event::Games(games))?;
        }
        if let Some(learned) = learned {
            self.story.tell(Event::Learned(learned))?;
        }
        let health = Box::new(self.health());
        self.story.tell(Event::Health(health))?;
        let progress = self.progress();
        if let Some(remote) = &mut self.remote {
            let trainer = remote.report();
            let stands = FleetStands { progress, trainer };
            self.story.tell(Event::Fleet(Box::new(stands)))?;
        }
        self.story.show(&progress);
        Ok(())
    }

    /// How the run is.
    fn health(&mut self) -> Health {
        let counted = self.orders.counted();
        let (evaluations, slots) = (counted.0 - self.counted.0, counted.1 - self.counted.1);
        // Few batches say little.
        if slots >= 10_000 {
            self.counted = counted;
            self.batch_fill = Some(evaluations as f64 / slots as f64);
        }
        let resigning = self.orders.resign_stats().map(|stats| ResignHealth {
            threshold: f64::from(stats.threshold),
            played_out: stats.n_played_out as u64,
            resigning: stats.n_resigning as u64,
            mistakes: stats.n_mistakes as u64,
        });
        let c_scale = match self.search().root {
            RootOptions::Gumbel(root) => Some(f64::from(root.c_scale)),
            RootOptions::Puct(_) => None,
        };
        Health {
            progress: self.progress(),
            games: self.intake.health(),
            positions: self.learner.health(),
            net: self.checkup.health(&self.orders),
            replay: ReplayHealth {
                positions: self.intake.window().n_positions() as u64,
                age_nets: self.intake.age_nets(self.generation),
                reuse: self.learner.samples() as f64 / self.intake.stored().positions.max(1) as f64,
                reuse_allowed: self.config.learn.reuse,
            },
            resigning,
            c_scale,
            machine: MachineHealth {
                memory_mib: disk::memory_mib(),
                disk_free_mib: disk::free_mib(self.folder.path()),
                batch_fill: self.batch_fill,
            },
        }
    }

    /// Lets the sentinels look. Returns the reason to stop, if one of them has it.
    pub(super) fn look(&mut self) -> anyhow::Result<Option<String>> {
        self.looked_at = Instant::now();
        if let Some(remote) = &self.remote {
            remote.show();
        }
        let health = self.health();
        // Positions per net at the pace so far; the window is half as old as it is long.
        let per_net = self.intake.stored().positions as f64 / f64::from(self.generation.max(1));
        let alarms = sentinels::alarms(&Vitals {
            health: &health,
            learned: self.story.learned(),
            measured: self.story.measured(),
            implied_age_nets: health.replay.positions as f64 / per_net.max(1.0) / 2.0,
        });
        let news = self.watch.look(alarms);
        let mut stop = None;
        if !news.raised.is_empty() || !news.over.is_empty() {
            self.story.tell(Event::Health(Box::new(health)))?;
        }
        for sentinel in news.over {
            self.story.tell(Event::Warning(Warning {
                sentinel: sentinel.to_owned(),
                message: String::new(),
                over: true,
            }))?;
        }
        for alarm in news.raised {
            if alarm.stops {
                stop = Some(alarm.message.clone());
            }
            self.story.tell(Event::Warning(Warning {
                sentinel: alarm.sentinel.to_owned(),
                message: alarm.message,
                over: false,
            }))?;
        }
        Ok(stop)
    }
}
