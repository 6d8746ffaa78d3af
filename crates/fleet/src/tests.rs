//! Both sides with a real broker between them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::testing::{Nats, wait_for};
use crate::*;

fn name() -> RunName {
    RunName::new("quick").unwrap()
}

fn run() -> RunId {
    RunId::of(&["quick"])
}

fn card() -> RunCard {
    RunCard {
        format: MESSAGE_FORMAT,
        run: run().to_string(),
        name: name().to_string(),
        program: "test".to_owned(),
        records: data::RECORD_VERSION,
        encoding: data::ENCODING_VERSION,
        seed: 1,
        first_worker: 0,
        selfplay: json!({"max_ply": 40}),
    }
}

fn order(generation: u32, model: Option<&[u8]>) -> Order {
    let named = model.map(|bytes| ModelRef {
        object: format!("{generation:06}"),
        sha256: Hash::of(bytes).to_string(),
        bytes: bytes.len() as u64,
    });
    Order {
        format: MESSAGE_FORMAT,
        run: run().to_string(),
        playing: true,
        generation,
        model: named,
        search: json!({"visits": 2}),
    }
}

fn open(broker: &Broker) -> TrainerSide {
    TrainerSide::open(broker, &name(), card(), 0).unwrap()
}

fn start(broker: &Broker) -> (Membership, WorkerSide) {
    let membership = Membership::join(broker, None, None).unwrap();
    let side = WorkerSide::start(broker, &membership, Spool::in_memory(1000));
    (membership, side)
}

fn chunk(worker: u32, sequence: u32) -> Vec<u8> {
    Chunk {
        run: run(),
        worker,
        models: Vec::new(),
        games: vec![ChunkGame {
            sequence,
            remarks: Vec::new(),
            record: vec![1; 50],
        }],
    }
    .encode()
}

fn receive(trainer: &TrainerSide) -> Delivery {
    wait_for("message", || trainer.receive(Duration::from_millis(50)))
}

fn sequence_in(delivery: &Delivery) -> u32 {
    Chunk::decode(delivery.bytes()).unwrap().games[0].sequence
}

#[test]
fn games_go_one_way_and_models_the_other() {
    let Some(nats) = Nats::start() else { return };
    let (here, there) = (nats.connect(), nats.connect());
    let trainer = open(&here);
    trainer.announce(order(0, None), None);
    let (membership, mut worker) = start(&there);
    assert_eq!(membership.card().selfplay, card().selfplay);
    let first = wait_for("order", || worker.news());
    assert_eq!((first.order, first.model), (order(0, None), None));

    let model: Vec<u8> = (0..300_000_u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    trainer.announce(order(1, Some(&model)), Some(Arc::new(model.clone())));
    let second = wait_for("model", || worker.news());
    assert_eq!(second.order.generation, 1);
    assert_eq!(second.model.as_deref(), Some(&model));
    assert!(worker.news().is_none());

    for sequence in 1..=3 {
        worker.send(chunk(membership.worker(), sequence)).unwrap();
    }
    for sequence in 1..=3 {
        let delivery = receive(&trainer);
        assert_eq!(delivery.sender, Some(Sender::Worker(membership.worker())));
        assert_eq!(sequence_in(&delivery), sequence);
        trainer.settle(delivery.receipt, Verdict::Stored);
    }
    wait_for("empty stream", || {
        let status = FleetStatus::read(&here, &name()).unwrap();
        (status.waiting_messages == 0 && status.workers.len() == 1).then_some(())
    });
    assert_eq!(worker.leave(Duration::from_secs(10)), 0);
    let status = FleetStatus::read(&here, &name()).unwrap();
    assert!(
        status.workers.is_empty(),
        "who leaves takes its report away"
    );
    trainer.close();
}

#[test]
fn every_worker_gets_a_number_of_its_own() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    let join = || {
        Membership::join(&broker, Some(&name()), None)
            .unwrap()
            .worker()
    };
    let mut numbers = BTreeSet::new();
    for _ in 0..5 {
        assert!(numbers.insert(join()));
    }
    trainer.close();
    // A trainer that comes back, and orders in between, change nothing.
    let trainer = open(&broker);
    trainer.announce(order(0, None), None);
    for _ in 0..5 {
        assert!(numbers.insert(join()));
    }
    assert!(numbers.iter().all(|&number| number >= 1));
    trainer.close();
}

#[test]
fn a_model_with_other_bytes_than_were_ordered_is_not_taken() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    let (_, mut worker) = start(&broker);
    let wrong = Arc::new(b"wrong".to_vec());
    trainer.announce(order(1, Some(b"right")), Some(wrong));
    let trouble = wait_for("trouble", || {
        let trouble = worker.state().trouble;
        trouble.contains("SHA-256").then_some(trouble)
    });
    assert!(
        trouble.contains(&Hash::of(b"right").to_string()),
        "{trouble}"
    );
    assert!(worker.news().is_none());
    // The next order is a good one.
    let right = Arc::new(b"another".to_vec());
    trainer.announce(order(2, Some(b"another")), Some(right));
    let assignment = wait_for("order", || worker.news());
    assert_eq!(assignment.order.generation, 2);
    trainer.close();
}

#[test]
fn a_worker_whose_messages_nobody_takes_is_held_back() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    let (membership, worker) = start(&broker);
    trainer.close();
    // The broker takes 2,000 messages of a worker.
    for sequence in 1..=2005 {
        worker.send(chunk(membership.worker(), sequence)).unwrap();
    }
    assert!(!worker.has_room());
    let trouble = wait_for("trouble", || {
        let trouble = worker.state().trouble;
        trouble.contains("no room").then_some(trouble)
    });
    assert_eq!(worker.waiting().0, 5, "{trouble}");
    let other = Membership::join(&broker, None, None).unwrap();
    let other_side = WorkerSide::start(&broker, &other, Spool::in_memory(1000));
    other_side.send(chunk(other.worker(), 1)).unwrap();
    let left = other_side.leave(Duration::from_secs(30));
    assert_eq!(left, 0, "other workers are not held back");

    let trainer = open(&broker);
    let mut seen = BTreeSet::new();
    while seen.len() < 2006 {
        let delivery = receive(&trainer);
        let Some(Sender::Worker(number)) = delivery.sender else {
            panic!("{:?}", delivery.sender);
        };
        let origin = (number, sequence_in(&delivery));
        assert!(seen.insert(origin), "{origin:?} came twice");
        trainer.settle(delivery.receipt, Verdict::Stored);
    }
    assert!(worker.has_room());
    trainer.close();
}

#[test]
fn a_message_is_gone_when_it_is_settled_and_comes_again_when_it_is_returned() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    let (membership, worker) = start(&broker);
    worker.send(chunk(membership.worker(), 1)).unwrap();
    let delivery = receive(&trainer);
    let number = delivery.receipt.number();
    trainer.settle(delivery.receipt, Verdict::Returned);
    let again = receive(&trainer);
    assert_eq!(again.receipt.number(), number);
    trainer.settle(again.receipt, Verdict::Refused);
    wait_for("empty stream", || {
        let status = FleetStatus::read(&broker, &name()).unwrap();
        (status.waiting_messages == 0).then_some(())
    });
    trainer.close();
}

#[test]
fn the_same_chunk_sent_twice_is_delivered_once() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    let (membership, worker) = start(&broker);
    for sequence in [1, 1, 2] {
        worker.send(chunk(membership.worker(), sequence)).unwrap();
    }
    for sequence in [1, 2] {
        let delivery = receive(&trainer);
        assert_eq!(sequence_in(&delivery), sequence);
        trainer.settle(delivery.receipt, Verdict::Stored);
    }
    assert_eq!(worker.leave(Duration::from_secs(10)), 0);
    trainer.close();
}

#[test]
fn a_broker_that_was_killed_is_used_again_by_both_sides() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let (here, there) = (nats.connect(), nats.connect());
    let trainer = open(&here);
    let (membership, mut worker) = start(&there);
    nats.kill_and_restart(false);
    worker.send(chunk(membership.worker(), 1)).unwrap();
    trainer.announce(order(3, Some(b"model")), Some(Arc::new(b"model".to_vec())));
    let delivery = receive(&trainer);
    assert_eq!(sequence_in(&delivery), 1);
    trainer.settle(delivery.receipt, Verdict::Stored);
    let assignment = wait_for("order", || worker.news());
    assert_eq!(assignment.order.generation, 3);
    trainer.close();
}

#[test]
fn a_broker_that_has_lost_everything_is_filled_again() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let (here, there) = (nats.connect(), nats.connect());
    let trainer = open(&here);
    let (membership, mut worker) = start(&there);
    trainer.know_worker(membership.worker());
    nats.kill_and_restart(true);
    trainer.announce(order(3, Some(b"model")), Some(Arc::new(b"model".to_vec())));
    let assignment = wait_for("order", || worker.news());
    assert_eq!(assignment.order.generation, 3);
    worker.send(chunk(membership.worker(), 1)).unwrap();
    let delivery = receive(&trainer);
    assert_eq!(sequence_in(&delivery), 1);
    // Numbers that were given out before are not given out again.
    let later = wait_for("run", || Membership::join(&there, None, None).ok());
    assert!(later.worker() > membership.worker() + 1000);
    trainer.close();
}

#[test]
fn only_the_newest_models_are_kept() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let trainer = open(&broker);
    for generation in 1..=6 {
        let model = vec![generation as u8; 1000];
        trainer.announce(order(generation, Some(&model)), Some(Arc::new(model)));
        wait_for("order", || {
            (trainer.state().published == Some(generation)).then_some(())
        });
    }
    let objects = broker.block_on(async {
        use futures_util::TryStreamExt;
        let models = broker.context().get_object_store(name().models()).await;
        let objects: Vec<_> = models
            .unwrap()
            .list()
            .await
            .unwrap()
            .try_collect()
            .await
            .unwrap();
        objects
    });
    let names: Vec<String> = objects.into_iter().map(|object| object.name).collect();
    assert_eq!(names, ["000004", "000005", "000006"]);
    trainer.close();
}

#[test]
fn a_name_belongs_to_one_run_until_it_is_removed() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    open(&broker).close();
    let mut other = card();
    other.run = RunId::of(&["other"]).to_string();
    let error = TrainerSide::open(&broker, &name(), other.clone(), 0).unwrap_err();
    assert!(matches!(error, FleetError::OtherRun { .. }), "{error}");
    assert_eq!(runs(&broker).unwrap(), [name()]);
    FleetStatus::remove(&broker, &name()).unwrap();
    assert!(runs(&broker).unwrap().is_empty());
    let error = FleetStatus::read(&broker, &name()).unwrap_err();
    assert!(matches!(error, FleetError::NoRun { .. }), "{error}");
    TrainerSide::open(&broker, &name(), other, 0)
        .unwrap()
        .close();
}

#[test]
fn where_there_is_no_choice_the_run_need_not_be_named() {
    let Some(nats) = Nats::start() else { return };
    let broker = nats.connect();
    let error = Membership::join(&broker, None, None).unwrap_err();
    assert!(
        matches!(&error, FleetError::WhichRun { runs } if runs.is_empty()),
        "{error}"
    );
    let trainer = open(&broker);
    Membership::join(&broker, None, None).unwrap();
    let second = RunName::new("second.1").unwrap();
    let mut other = card();
    other.name = second.to_string();
    let also = TrainerSide::open(&broker, &second, other, 0).unwrap();
    let error = Membership::join(&broker, None, None).unwrap_err();
    assert!(error.line().contains("2 runs (quick, second.1)"), "{error}");
    Membership::join(&broker, Some(&second), None).unwrap();
    let error = Membership::join(&broker, RunName::new("third").as_ref(), None).unwrap_err();
    assert!(
        error
            .line()
            .contains("no run third, it has quick, second.1"),
        "{error}"
    );
    trainer.close();
    also.close();
}

#[test]
fn who_shows_the_right_key_or_password_comes_in_and_nobody_else() {
    let key = nkeys::KeyPair::new_user();
    let config = format!(
        "authorization {{ users = [ {{ nkey: {} }}, {{ user: anna, password: geheim }} ] }}",
        key.public_key()
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let user = |password: &str| Credentials::User {
        name: "anna".to_owned(),
        password: Secret::new(password),
    };
    let seed = |key: &nkeys::KeyPair| Credentials::NKey(Secret::new(&key.seed().unwrap()));
    for right in [seed(&key), user("geheim")] {
        Broker::connect(&nats.options(right)).unwrap();
    }
    let stranger = nkeys::KeyPair::new_user();
    for wrong in [Credentials::None, user("falsch"), seed(&stranger)] {
        let error = Broker::connect(&nats.options(wrong)).unwrap_err();
        assert!(matches!(error, FleetError::Refused { .. }), "{error:?}");
        let shown = format!("{} {error:?}", error.line());
        assert!(!shown.contains("falsch") && !shown.contains(&stranger.seed().unwrap()));
    }
}

/// A certificate for 127.0.0.1 and the one that signs it, in `dir`; false where there is no openssl.
fn make_certificates(dir: &Path) -> bool {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    fs::write(dir.join("names"), "subjectAltName=IP:127.0.0.1").unwrap();
    let commands = [
        format!("req -x509 {key} -subj /CN=authority -days 2 -keyout ca-key.pem -out ca.pem"),
        format!("req -new {key} -subj /CN=broker -keyout key.pem -out request.pem"),
        "x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 \
         -extfile names -out cert.pem"
            .to_owned(),
    ];
    commands.iter().all(|command| {
        let output = Command::new("openssl")
            .args(command.split_whitespace())
            .current_dir(dir)
            .output();
        output.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn an_encrypted_connection_is_made_with_the_right_broker_only() {
    let dir = tempfile::TempDir::new().unwrap();
    if !make_certificates(dir.path()) {
        return;
    }
    let file = |name: &str| dir.path().join(name);
    let config = format!(
        "tls {{ cert_file: {:?}, key_file: {:?} }}",
        file("cert.pem"),
        file("key.pem")
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let mut options = nats.options(Credentials::None);
    options.tls.authorities = Some(file("ca.pem"));
    options.tls.required = true;
    let broker = Broker::connect(&options).unwrap();
    open(&broker).close();
    // The system's authorities do not know this one.
    options.tls.authorities = None;
    let error = Broker::connect(&options).unwrap_err();
    assert!(matches!(error, FleetError::Unreachable { .. }), "{error:?}");

    let Some(plain) = Nats::start() else { return };
    let mut options = plain.options(Credentials::None);
    options.tls.required = true;
    assert!(Broker::connect(&options).is_err(), "not without encryption");
}
