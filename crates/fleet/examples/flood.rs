//! Simulated workers that bring games as fast as the broker takes them: how much can a trainer and a
//! broker bear?
//!
//! ```text
//! narikin selfplay --model none --games 500 --out games --config run.toml
//! narikin train --config run.toml --run runs/flood --threads 0 --broker nats://127.0.0.1:4222
//! cargo run --release --package narikin-fleet --example flood -- nats://127.0.0.1:4222 games 100 30
//! ```
//!
//! The games in the folder are sent again and again under new numbers, as games of generation 0: the run
//! must not publish a net meanwhile (`learn.blind_games`), and its rules must be those of the games.

#![expect(clippy::print_stdout, reason = "the result of a measurement")]

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use data::{GameRecord, RecordReader, list_shards};
use fleet::{
    Broker, BrokerOptions, Chunk, ChunkGame, Credentials, FleetStatus, Hash, Membership, ModelUse,
    RunName, Spool, TlsOptions, WorkerSide, game_id,
};
use search::mix_seed;

/// Bytes that wait in each worker; then it stops for a moment.
const WAITING_BYTES: u64 = 1 << 20;
/// What a worker says about a game: nothing.
const REMARKS: [u8; 32] = [0; 32];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, games, workers, seconds, rest @ ..] = &args[..] else {
        return Err("usage: flood URL GAMES WORKERS SECONDS [GAMES_PER_CHUNK]".into());
    };
    let per_chunk: usize = rest.first().map_or(Ok(20), |text| text.parse())?;
    let records = records(Path::new(games))?;
    let n_workers: usize = workers.parse()?;
    let time = Duration::from_secs(seconds.parse()?);
    let options = BrokerOptions {
        address: url.parse()?,
        credentials: Credentials::None,
        tls: TlsOptions::default(),
        client_name: "flood".to_owned(),
    };
    let [games, bytes] = [(); 2].map(|()| AtomicU64::new(0));
    let began = Instant::now();
    let looker = Broker::connect(&options)?;
    thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                let worker = Worker::join(&options, &records, per_chunk);
                worker.and_then(|worker| worker.flood(began + time, &games, &bytes))
            });
        }
        while began.elapsed() < time {
            thread::sleep(Duration::from_secs(5));
            let name = Membership::join(&looker, None, None).map(|run| run.card().name.clone());
            let name = name.ok().and_then(|name| RunName::new(&name));
            let status = name.and_then(|name| FleetStatus::read(&looker, &name).ok());
            let seconds = began.elapsed().as_secs_f64();
            let sent = games.load(Ordering::Relaxed) as f64;
            let of_game = bytes.load(Ordering::Relaxed) as f64 / sent.max(1.0);
            let waiting = status.map_or(0, |status| status.waiting_messages);
            println!(
                "{seconds:.0} s: {sent} games, {:.0}/s, {of_game:.0} bytes each, {waiting} messages wait",
                sent / seconds
            );
        }
    });
    Ok(())
}

/// The games of a folder as bytes.
fn records(dir: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut records = Vec::new();
    for shard in list_shards(dir)? {
        for record in RecordReader::open(&shard.path)? {
            records.push(
                GameRecord {
                    generation: 0,
                    ..record?
                }
                .to_bytes()?,
            );
        }
    }
    if records.is_empty() {
        return Err("there are no games in that folder".into());
    }
    Ok(records)
}

struct Worker<'a> {
    membership: Membership,
    side: WorkerSide,
    records: &'a [Vec<u8>],
    per_chunk: usize,
}

impl<'a> Worker<'a> {
    fn join(
        options: &BrokerOptions,
        records: &'a [Vec<u8>],
        per_chunk: usize,
    ) -> Result<Worker<'a>, fleet::FleetError> {
        let broker = Broker::connect(options)?;
        let membership = Membership::join(&broker, None, None)?;
        let side = WorkerSide::start(&broker, &membership, Spool::in_memory(WAITING_BYTES));
        Ok(Worker {
            membership,
            side,
            records,
            per_chunk,
        })
    }

    fn flood(
        self,
        deadline: Instant,
        games: &AtomicU64,
        bytes: &AtomicU64,
    ) -> Result<(), fleet::FleetError> {
        let mut sequence = 0;
        // Not all workers send the same games at the same time.
        let mut at = self.membership.worker() as usize * 7;
        while Instant::now() < deadline {
            if !self.side.has_room() {
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            let of_chunk = (0..self.per_chunk).map(|_| {
                sequence += 1;
                at += 1;
                self.game(sequence, &self.records[at % self.records.len()])
            });
            let chunk = Chunk {
                run: self.membership.run(),
                worker: self.membership.worker(),
                models: vec![ModelUse {
                    generation: 0,
                    hash: Hash::NONE,
                }],
                games: of_chunk.collect(),
            };
            let encoded = chunk.encode();
            games.fetch_add(self.per_chunk as u64, Ordering::Relaxed);
            bytes.fetch_add(encoded.len() as u64, Ordering::Relaxed);
            // In memory, so nothing can fail.
            let _ = self.side.send(encoded);
        }
        self.side.leave(Duration::from_secs(30));
        Ok(())
    }

    /// The game under another number: number and seed are the first 16 bytes of a record.
    fn game(&self, sequence: u32, record: &[u8]) -> ChunkGame {
        let id = game_id(self.membership.worker(), sequence);
        let seed = mix_seed(self.membership.card().seed, id);
        let mut record = record.to_vec();
        record[..8].copy_from_slice(&id.to_le_bytes());
        record[8..16].copy_from_slice(&seed.to_le_bytes());
        ChunkGame {
            sequence,
            remarks: REMARKS.to_vec(),
            record,
        }
    }
}
