//! Games of a pool played by workers elsewhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use arena::{Effort, MatchOptions, PlayerSpec, Who, next_pairing};
use fleet::{Broker, FleetError, MatchDesk, MatchStatus};

use super::{RateArgs, deadline};
use crate::exit::Refuse;
use crate::interrupt;
use crate::nets::{CpuPrecision, NetFile};
use crate::pool::{Pool, PoolGame, PoolPlayer};
use crate::report::events::unix_time_s;
use crate::report::terminal::{ProgressLine, note};
use crate::wire::broker::rest;
use crate::wire::pair::{PairId, PairOrder, PairPlayer, PairResult};

/// How long a result is waited for before anything else is looked at.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks at what the broker has.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Looks in a row at which the broker has fewer pairs than are out: then some are lost.
const LOOKS: u32 = 3;
/// Refused results without a good one in between that are put up with.
const MOST_REFUSED: u32 = 100;
/// Refused results that are told in full.
const TOLD_REFUSED: u32 = 5;

/// What is to be played.
#[derive(Debug, Clone)]
struct RemotePlan {
    /// Games to add, at least; they are played in pairs.
    games: u64,
    /// Pairs of two players that are offered in a row.
    round: u32,
    /// Pairs that are out at a time.
    pairs_out: usize,
    /// When to end, whatever is out.
    deadline: Option<Instant>,
    /// How games of the pool are played.
    options: MatchOptions,
}

/// A net or a baseline, ready to be sent.
#[derive(Debug, Clone)]
enum Seated {
    Anywhere(PairPlayer, Option<Vec<u8>>),
    /// An engine of this machine, an ONNX file, or a player with a clock.
    HereOnly,
}

/// Has the games played elsewhere, if the options name a broker, and says whether they do.
///
/// # Errors
///
/// If the broker cannot be reached, and as [`play`].
pub fn play_if_asked(
    pool: &mut Pool,
    args: &RateArgs,
    options: &MatchOptions,
) -> anyhow::Result<bool> {
    let Some(broker) = args.broker.connect("narikin rate")? else {
        return Ok(false);
    };
    let plan = RemotePlan {
        games: args.games,
        round: args.round,
        pairs_out: args.pairs_out as usize,
        deadline: deadline(args),
        options: options.clone(),
    };
    play(pool, &broker, plan)?;
    Ok(true)
}

/// Has games of the pool played at `broker`, and keeps them.
///
/// # Errors
///
/// If fewer than two players can play elsewhere (exit code 3), the pool cannot be written, or nothing but
/// rubbish comes back.
fn play(pool: &mut Pool, broker: &Broker, plan: RemotePlan) -> anyhow::Result<()> {
    let players: Vec<Seated> = pool
        .players()
        .iter()
        .map(seat)
        .collect::<anyhow::Result<_>>()?;
    let mut absent = Vec::new();
    for (index, player) in players.iter().enumerate() {
        if let Seated::HereOnly = player {
            let name = &pool.players()[index].name;
            note(&format!(
                "{name} does not play: only nets in our own format and baselines are sent"
            ));
            absent.push(index);
        }
    }
    if players.len() - absent.len() < 2 {
        let message = "fewer than two players can play on other machines";
        return Err(anyhow::anyhow!(message)).refused();
    }
    let desk = MatchDesk::open(broker, pool.identity()?).refused()?;
    let mut session = Session {
        games_left: plan.games,
        plan,
        players,
        absent,
        broker,
        out: BTreeMap::new(),
        refused: 0,
        refused_in_a_row: 0,
        done: 0,
    };
    session.lay_nets(&desk)?;
    let desk = session.run(pool, desk)?;
    if session.refused > 0 {
        note(&format!("{} results were refused", session.refused));
    }
    if let Err(error) = desk.close() {
        note(&format!(
            "something of this pool stays at the broker: {}",
            error.line()
        ));
    }
    Ok(())
}

/// How a player of a pool is sent; its words were looked at when it joined.
fn seat(player: &PoolPlayer) -> anyhow::Result<Seated> {
    let spec: PlayerSpec = player.player.parse().refused()?;
    let path = match (&spec.who, spec.own.effort) {
        (Who::Baseline(baseline), _) => {
            let name = baseline.name().to_owned();
            return Ok(Seated::Anywhere(PairPlayer::Baseline { name }, None));
        }
        (Who::Model(path), Some(Effort::Nodes(_))) => Path::new(path),
        _ => return Ok(Seated::HereOnly),
    };
    let Some(Effort::Nodes(visits)) = spec.own.effort else {
        return Ok(Seated::HereOnly);
    };
    let file = NetFile::read(path).with_context(|| format!("player {}", path.display()))?;
    if file.is_onnx() {
        return Ok(Seated::HereOnly);
    }
    // Better here than at each worker.
    file.model()?;
    let bytes = file.bytes.into_owned();
    let model = fleet::ModelRef {
        object: String::new(),
        sha256: String::new(),
        bytes: bytes.len() as u64,
    };
    let precision = spec.own.precision.as_deref();
    let precision = precision.unwrap_or(CpuPrecision::Auto.word()).to_owned();
    let net = PairPlayer::Net {
        model,
        visits,
        precision,
    };
    Ok(Seated::Anywhere(net, Some(bytes)))
}

struct Session<'a> {
    plan: RemotePlan,
    players: Vec<Seated>,
    /// Players that cannot play elsewhere.
    absent: Vec<usize>,
    broker: &'a Broker,
    games_left: u64,
    /// Pairs that are out.
    out: BTreeMap<PairId, PairOrder>,
    refused: u64,
    refused_in_a_row: u32,
    done: u64,
}

impl Session<'_> {
    /// Lays all nets ready at the broker, and remembers what they are called there.
    fn lay_nets(&mut self, desk: &MatchDesk) -> Result<(), FleetError> {
        for player in &mut self.players {
            if let Seated::Anywhere(PairPlayer::Net { model, .. }, Some(bytes)) = player {
                *model = desk.lay_net(bytes)?;
            }
        }
        Ok(())
    }

    /// Goes on until all games are there, the time is up, or Ctrl-C comes.
    fn run(&mut self, pool: &mut Pool, mut desk: MatchDesk) -> anyhow::Result<MatchDesk> {
        let mut progress = ProgressLine::new("rate", "games", self.plan.games);
        let mut missed = 0;
        let mut looked = Instant::now();
        let mut words = String::new();
        while !self.is_over() {
            let came = self.turn(pool, &desk);
            match came {
                Ok(came) => missed = if came { 0 } else { missed },
                Err(Trouble::Pool(error)) => return Err(error),
                Err(Trouble::Broker(error)) => {
                    note(&format!("trouble: {}", error.line()));
                    desk = self.again(desk)?;
                }
            }
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                if let Ok(seen) = MatchStatus::read(self.broker) {
                    words = format!("{} pairs wait, {} in play", seen.waiting, seen.in_play);
                }
                let is_short = desk.n_open().is_ok_and(|n| n < self.out.len() as u64);
                missed = if is_short { missed + 1 } else { 0 };
                if missed >= LOOKS {
                    // Somebody took a pair and brought nothing.
                    desk = self.again(desk)?;
                    missed = 0;
                }
            }
            progress.set(self.done, &words);
        }
        progress.finish();
        Ok(desk)
    }

    fn is_over(&self) -> bool {
        let is_late = |deadline| Instant::now() >= deadline;
        let all_played = self.games_left == 0 && self.out.is_empty();
        all_played || interrupt::requested() || self.plan.deadline.is_some_and(is_late)
    }

    /// Offers pairs and takes results; whether there were any.
    fn turn(&mut self, pool: &mut Pool, desk: &MatchDesk) -> Result<bool, Trouble> {
        while self.out.len() < self.plan.pairs_out && self.games_left > 0 {
            let orders = self.next_round(pool);
            if orders.is_empty() {
                break;
            }
            for order in orders {
                let bytes = order.to_bytes();
                // First, so that one whose offer failed is offered again.
                self.out.insert(order.id, order);
                desk.offer(bytes)?;
            }
        }
        let results = desk.results(PATIENCE)?;
        let came = !results.is_empty();
        for result in results {
            match self.keep(pool, result.bytes())? {
                Kept::Stored | Kept::Known => {}
                Kept::Refused(again) => {
                    if let Some(order) = again.and_then(|id| self.out.get(&id)) {
                        desk.offer(order.to_bytes())?;
                    }
                }
            }
            desk.settle(result.receipt);
        }
        Ok(came)
    }

    /// The pairs that tell most, as many as a round has.
    fn next_round(&mut self, pool: &Pool) -> Vec<PairOrder> {
        let busy: Vec<(usize, usize)> = self.out.keys().map(|id| (id.a, id.b)).collect();
        let pairing = next_pairing(&pool.ratings(), &pool.anchors(), &busy, &self.absent);
        let Some((a, b)) = pairing else {
            // Where results are under way, they may change that.
            if self.out.is_empty() {
                self.games_left = 0;
            }
            return Vec::new();
        };
        let room = (self.plan.pairs_out - self.out.len()) as u64;
        let n_pairs = u64::from(self.plan.round).min(self.games_left.div_ceil(2));
        let n_pairs = n_pairs.min(room);
        self.games_left -= (2 * n_pairs).min(self.games_left);
        let of_these = self.out.keys().filter(|id| (id.a, id.b) == (a, b));
        let last = of_these.map(|id| id.pair + 1).max().unwrap_or(0);
        let first = last.max(pool.next_pair(a, b));
        let order = |pair| {
            let players = [a, b].map(|index| match &self.players[index] {
                Seated::Anywhere(player, _) => player.clone(),
                Seated::HereOnly => unreachable!("players that are absent are not paired"),
            });
            let [player_a, player_b] = players;
            let options = self.plan.options.only_pair(pair)?;
            Some(PairOrder::new(
                PairId { a, b, pair },
                options,
                player_a,
                player_b,
            ))
        };
        (first..first + n_pairs as u32).map_while(order).collect()
    }

    /// Keeps the games of a result, if it is one that was asked for and can be.
    fn keep(&mut self, pool: &mut Pool, bytes: &[u8]) -> anyhow::Result<Kept> {
        let result = match PairResult::read(bytes) {
            Ok(result) => result,
            Err(error) => return self.refuse(&error, None),
        };
        let Some(order) = self.out.get(&result.id) else {
            // It has come before, or an earlier process has asked for it.
            return Ok(Kept::Known);
        };
        if let Err(error) = result.check(&order.options) {
            let error = error.context(format!("a result of {:?}", result.worker));
            return self.refuse(&error, Some(result.id));
        }
        let PairId { a, b, pair } = result.id;
        let [a, b] = [a, b].map(|index| pool.players()[index].name.clone());
        for game in result.games {
            pool.keep(PoolGame {
                a: a.clone(),
                b: b.clone(),
                pair,
                time_s: unix_time_s(),
                game,
            })?;
            self.done += 1;
        }
        self.out.remove(&result.id);
        self.refused_in_a_row = 0;
        Ok(Kept::Stored)
    }

    fn refuse(&mut self, why: &anyhow::Error, again: Option<PairId>) -> anyhow::Result<Kept> {
        self.refused += 1;
        self.refused_in_a_row += 1;
        if self.refused <= u64::from(TOLD_REFUSED) {
            note(&format!("refused: {why:#}"));
        }
        if self.refused_in_a_row >= MOST_REFUSED {
            bail!("nothing but results that are refused, the last one for: {why:#}");
        }
        Ok(Kept::Refused(again))
    }

    /// Opens the desk again, and offers everything that is out: the broker was away, has lost things, or
    /// somebody took a pair and brought nothing. What is played twice is kept once.
    fn again(&mut self, desk: MatchDesk) -> anyhow::Result<MatchDesk> {
        let mut desk = desk;
        while !self.is_over() {
            let opened = desk.open_again();
            let offered = opened.and_then(|opened| {
                self.lay_nets(&opened)?;
                for order in self.out.values() {
                    opened.offer(order.to_bytes())?;
                }
                Ok(opened)
            });
            match offered {
                Ok(opened) => {
                    desk = opened;
                    break;
                }
                // Ctrl-C is looked at by the caller.
                Err(_) if rest().is_err() => break,
                Err(_) => {}
            }
        }
        Ok(desk)
    }
}

/// What became of a result.
enum Kept {
    Stored,
    Known,
    /// With the pair that is to be played again, if it is known which.
    Refused(Option<PairId>),
}

/// What went wrong in a turn.
enum Trouble {
    /// It may be better in a moment.
    Broker(FleetError),
    /// It is the end.
    Pool(anyhow::Error),
}

impl From<FleetError> for Trouble {
    fn from(error: FleetError) -> Trouble {
        Trouble::Broker(error)
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Trouble {
        Trouble::Pool(error)
    }
}
