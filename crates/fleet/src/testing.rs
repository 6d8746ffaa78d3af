//! A real broker on the loopback for tests.

#[path = "../testing/nats_server.rs"]
mod nats_server;

use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Broker, BrokerOptions, Credentials, TlsOptions};
use nats_server::NatsServer;

/// A broker that ends with the test.
pub(crate) struct Nats {
    server: NatsServer,
    folder: TempDir,
}

impl Nats {
    /// Starts one; `None`, with a word about it, where there is none.
    pub(crate) fn start() -> Option<Nats> {
        Nats::start_with("")
    }

    /// Starts one with more lines of configuration.
    pub(crate) fn start_with(config: &str) -> Option<Nats> {
        nats_server::is_there().then(|| {
            let folder = TempDir::new().unwrap();
            let server = NatsServer::start(folder.path().to_owned(), config);
            Nats { server, folder }
        })
    }

    pub(crate) fn connect(&self) -> Broker {
        Broker::connect(&self.options(Credentials::None)).unwrap()
    }

    /// How to connect as somebody.
    pub(crate) fn options(&self, credentials: Credentials) -> BrokerOptions {
        BrokerOptions {
            address: self.server.url().parse().unwrap(),
            credentials,
            tls: TlsOptions::default(),
            client_name: "test".to_owned(),
        }
    }

    /// Kills it; it comes back with what it had on disk, or with nothing at all.
    pub(crate) fn kill_and_restart(&mut self, forgets: bool) {
        self.server.kill();
        if forgets {
            self.folder = TempDir::new().unwrap();
            self.server.store = self.folder.path().to_owned();
        }
        self.server.restart();
    }
}

/// Waits until `look` finds something; far longer than it should take.
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
