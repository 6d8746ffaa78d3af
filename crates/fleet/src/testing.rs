//! A real broker on the loopback for tests.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Broker, BrokerOptions, Credentials, TlsOptions};

/// A broker that ends with the test.
pub(crate) struct Nats {
    port: u16,
    folder: TempDir,
    config: String,
    child: Child,
}

impl Nats {
    /// Starts one; `None`, with a word about it, where there is none.
    pub(crate) fn start() -> Option<Nats> {
        Nats::start_with("")
    }

    /// Starts one with more lines of configuration.
    pub(crate) fn start_with(config: &str) -> Option<Nats> {
        if program().arg("--version").output().is_err() {
            eprintln!("not tested: there is no nats-server (scripts/setup --fleet)");
            return None;
        }
        let folder = TempDir::new().unwrap();
        let port = free_port();
        let child = serve(port, &folder, config);
        Some(Nats {
            port,
            folder,
            config: config.to_owned(),
            child,
        })
    }

    pub(crate) fn connect(&self) -> Broker {
        Broker::connect(&self.options(Credentials::None)).unwrap()
    }

    /// How to connect as somebody.
    pub(crate) fn options(&self, credentials: Credentials) -> BrokerOptions {
        BrokerOptions {
            address: format!("127.0.0.1:{}", self.port).parse().unwrap(),
            credentials,
            tls: TlsOptions::default(),
            client_name: "test".to_owned(),
        }
    }

    /// Kills it; it comes back with what it had on disk, or with nothing at all.
    pub(crate) fn kill_and_restart(&mut self, forgets: bool) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        if forgets {
            self.folder = TempDir::new().unwrap();
        }
        self.child = serve(self.port, &self.folder, &self.config);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens on, below those that systems give to outgoing connections: with one of
/// those, who tries to connect can meet itself.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(101);
    loop {
        let offset = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000;
        let port = 10_000 + offset as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Whether a broker answers.
fn answers(port: u16) -> bool {
    let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) else {
        return false;
    };
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).is_ok() && line.starts_with("INFO")
}

fn program() -> Command {
    let named = std::env::var_os("NARIKIN_NATS_SERVER");
    Command::new(named.unwrap_or_else(|| "nats-server".into()))
}

fn serve(port: u16, folder: &TempDir, config: &str) -> Child {
    let file = folder.path().join("server.conf");
    std::fs::write(&file, config).unwrap();
    let mut child = program()
        .args(["--addr", "127.0.0.1", "--jetstream"])
        .args(["--port", &port.to_string()])
        .arg("--store_dir")
        .arg(folder.path())
        .arg("--config")
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !answers(port) {
        assert!(child.try_wait().unwrap().is_none(), "it does not start");
        thread::sleep(Duration::from_millis(20));
    }
    child
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
