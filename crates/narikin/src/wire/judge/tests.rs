use rules::{Color, EndReason, Outcome};
use search::{SearchOptions, UniformEvaluator};
use selfplay::{GameIds, PlayEvent, SelfPlay, SelfPlayOptions};

use super::*;
use crate::testing::test_folder;
use crate::wire::remarks_of;

const RUN: RunId = RunId([7; 8]);
const SEED: u64 = 5;
const WORKER: u32 = 3;

fn options() -> SelfPlayOptions {
    SelfPlayOptions {
        games_at_once: 2,
        max_ply: 12,
        ..SelfPlayOptions::default()
    }
}

fn search_options() -> SearchOptions {
    SearchOptions {
        visits: 2,
        ..SearchOptions::default()
    }
}

/// The first two games of worker 3, begun with the net of `generation`.
fn games(generation: u32) -> Vec<Played> {
    let ids = GameIds::starting_at(game_id(WORKER, 1));
    let mut play = SelfPlay::new(&options(), &search_options(), SEED, generation, ids);
    play.finish_begun();
    let mut games = Vec::new();
    while play.n_games() > 0 {
        play.advance(&mut UniformEvaluator, &mut |event| {
            let PlayEvent::GameFinished { record, searches } = event;
            games.push(Played { record, searches });
        })
        .unwrap();
    }
    games.sort_by_key(|played| played.record.id);
    games
}

fn chunk(games: &[Played]) -> Chunk {
    let game = |played: &Played| ChunkGame {
        sequence: fleet::sequence_of(played.record.id),
        remarks: remarks_of(&played.searches),
        record: played.record.to_bytes().unwrap(),
    };
    Chunk {
        run: RUN,
        worker: WORKER,
        models: vec![model(0, Hash::NONE)],
        games: games.iter().map(game).collect(),
    }
}

fn model(generation: u32, hash: Hash) -> ModelUse {
    ModelUse { generation, hash }
}

/// A judge of a run whose nets 1 to 9 are files with their numbers in them.
fn judge(name: &str) -> Judge {
    let models = test_folder(name);
    for generation in 1..10 {
        let path = models.join(crate::train::model_name(generation));
        fs::write(path, generation.to_string()).unwrap();
    }
    Judge {
        run: RUN,
        seed: SEED,
        rules: options().rules(),
        visits: 2,
        max_age_nets: 4,
        models,
        seen: SeenGames::default(),
        hashes: BTreeMap::new(),
    }
}

fn hash_of_net(generation: u32) -> Hash {
    Hash::of(generation.to_string().as_bytes())
}

#[track_caller]
fn check_refused(judge: &mut Judge, bytes: &[u8], generation: u32, expected: &[(Refusal, u64)]) {
    let judged = judge.judge(bytes, Some(Sender::Worker(WORKER)), generation);
    assert!(judged.games.is_empty());
    assert_eq!(
        judged.refused,
        BTreeMap::from_iter(expected.iter().copied())
    );
    assert_eq!(judge.seen.n_rows(), 0, "what is refused is not known");
}

#[test]
fn games_are_taken_once_and_come_as_they_were() {
    let mut judge = judge("judge-once");
    let games = games(0);
    let bytes = chunk(&games).encode();
    let judged = judge.judge(&bytes, Some(Sender::Worker(WORKER)), 0);
    assert!(judged.refused.is_empty());
    assert_eq!((judged.games.len(), judged.duplicates), (2, 0));
    for (taken, sent) in judged.games.iter().zip(&games) {
        assert_eq!(taken.searches, sent.searches);
        let [taken, sent] = [taken, sent].map(|played| played.record.to_bytes().unwrap());
        assert_eq!(taken, sent);
    }
    let again = judge.judge(&bytes, Some(Sender::Worker(WORKER)), 0);
    assert_eq!((again.games.len(), again.duplicates), (0, 2));
    assert!(again.refused.is_empty());
}

#[test]
fn one_bad_game_does_not_spoil_the_others() {
    let mut judge = judge("judge-one");
    let mut chunk = chunk(&games(0));
    chunk.games[0].record[40] ^= 0xff;
    let judged = judge.judge(&chunk.encode(), Some(Sender::Worker(WORKER)), 0);
    assert_eq!(judged.games.len(), 1);
    assert_eq!(judged.refused.values().sum::<u64>(), 1);
}

#[test]
fn messages_that_are_none_are_refused_by_reason() {
    let mut judge = judge("judge-messages");
    let bytes = chunk(&games(0)).encode();
    check_refused(&mut judge, b"rubbish", 0, &[(Refusal::Format, 1)]);
    check_refused(&mut judge, &[], 0, &[(Refusal::Format, 1)]);
    let large = vec![0; fleet::MAX_CHUNK_BYTES + 1];
    check_refused(&mut judge, &large, 0, &[(Refusal::Oversized, 1)]);
    let mut damaged = bytes.clone();
    damaged[60] ^= 1;
    check_refused(&mut judge, &damaged, 0, &[(Refusal::Damaged, 1)]);
    let mut version = bytes.clone();
    version[8] = 2;
    check_refused(&mut judge, &version, 0, &[(Refusal::Version, 1)]);
    let others = [Sender::Worker(WORKER + 1), Sender::Member(WORKER as u16)];
    for sender in [None, Some(others[0]), Some(others[1])] {
        let judged = judge.judge(&bytes, sender, 0);
        assert_eq!(judged.refused, BTreeMap::from([(Refusal::Foreign, 1)]));
    }
    let mut other = chunk(&games(0));
    other.run = RunId([8; 8]);
    check_refused(&mut judge, &other.encode(), 0, &[(Refusal::Foreign, 1)]);
}

#[test]
fn games_that_cannot_be_are_refused_by_reason() {
    let mut judge = judge("judge-games");
    let mut refused = |change: fn(&mut Played, &mut ChunkGame), refusal: Refusal| {
        let mut games = games(0);
        games.truncate(1);
        let mut chunk = chunk(&games);
        change(&mut games[0], &mut chunk.games[0]);
        check_refused(&mut judge, &chunk.encode(), 0, &[(refusal, 1)]);
    };
    refused(|_, game| game.record.truncate(30), Refusal::Undecodable);
    refused(
        |_, game| {
            let first = first_move(&game.record);
            game.record.copy_within(first..first + 2, first + 2);
        },
        Refusal::Impossible,
    );
    refused(|_, game| game.sequence += 1, Refusal::Identity);
    refused(|_, game| game.remarks.clear(), Refusal::Identity);
    refused(
        |played, game| {
            played.record.seed += 1;
            game.record = played.record.to_bytes().unwrap();
        },
        Refusal::Identity,
    );
    refused(
        |played, game| {
            played.record.rules.max_ply = Some(100);
            played.record.outcome = Outcome::win(Color::Black, EndReason::Resignation);
            game.record = played.record.to_bytes().unwrap();
        },
        Refusal::Rules,
    );
}

/// Where the moves of a game begin in its bytes: behind the start position and the number of plies.
fn first_move(record: &[u8]) -> usize {
    let start = 8 + 8 + 4 + 1 + 1 + 1 + 4;
    let sfen = u16::from_le_bytes([record[start], record[start + 1]]);
    start + 2 + usize::from(sfen) + 2
}

#[test]
fn games_of_unknown_and_of_old_nets_are_refused() {
    let mut judge = judge("judge-nets");
    let chunk_of = |generation: u32, hash: Hash| {
        let mut games = games(generation);
        games.truncate(1);
        let mut chunk = chunk(&games);
        chunk.models = vec![model(generation, hash)];
        chunk.encode()
    };
    let unknown = [(Refusal::UnknownModel, 1)];
    let foreign = chunk_of(5, hash_of_net(6));
    check_refused(&mut judge, &foreign, 6, &unknown);
    let early = chunk_of(7, hash_of_net(7));
    check_refused(&mut judge, &early, 6, &unknown);
    let unnamed = chunk_of(0, hash_of_net(1));
    check_refused(&mut judge, &unnamed, 6, &unknown);
    let absent = chunk_of(12, hash_of_net(12));
    check_refused(&mut judge, &absent, 20, &unknown);
    let late = chunk_of(4, hash_of_net(4));
    check_refused(&mut judge, &late, 9, &[(Refusal::Late, 1)]);
    let judged = judge.judge(&late, Some(Sender::Worker(WORKER)), 8);
    assert_eq!(judged.games.len(), 1, "four nets old is not too old");
}
