//! A real broker on the loopback, where there is one to be had.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crate::program::test_folder;

/// A broker. It ends with the test.
pub struct Nats {
    port: u16,
    store: PathBuf,
    config: String,
    child: Child,
}

/// The broker's program: the one that `scripts/env.sh` names, or whatever is on the PATH.
fn program() -> Command {
    let named = std::env::var_os("NARIKIN_NATS_SERVER");
    Command::new(named.unwrap_or_else(|| "nats-server".into()))
}

/// Whether there is a broker to test with; says so where there is none.
pub fn is_there() -> bool {
    let found = program().arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested: there is no nats-server (scripts/setup --fleet)");
    }
    found
}

/// Sends a signal to a process.
#[track_caller]
pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &pid.to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

impl Nats {
    /// Starts a broker for the test called `name`.
    pub fn start(name: &str) -> Nats {
        Nats::with_config(name, "")
    }

    /// Starts a broker with more lines of configuration.
    pub fn with_config(name: &str, config: &str) -> Nats {
        let store = test_folder(name);
        let port = free_port();
        let child = start(port, &store, config);
        Nats {
            port,
            store,
            config: config.to_owned(),
            child,
        }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it with all it has not written, and starts it again.
    pub fn kill_and_restart(&mut self) {
        self.kill();
        self.restart();
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again after [`Nats::kill`].
    pub fn restart(&mut self) {
        self.child = start(self.port, &self.store, &self.config);
    }

    /// Publishes a message as any stranger could.
    pub fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut answers = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert!(line.starts_with("INFO"), "{line}");
        let head = format!(
            "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n",
            payload.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(payload).unwrap();
        stream.write_all(b"\r\nPING\r\n").unwrap();
        line.clear();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "PONG");
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

fn start(port: u16, store: &Path, config: &str) -> Child {
    let file = store.join("server.conf");
    fs::write(&file, config).unwrap();
    let mut command = program();
    command.args(["--addr", "127.0.0.1", "--jetstream"]);
    command.args(["--port", &port.to_string()]);
    command.arg("--store_dir").arg(store.join("jetstream"));
    command.arg("--config").arg(&file);
    command.arg("--log").arg(store.join("log"));
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !answers(port) {
        let ended = child.try_wait().unwrap();
        let log = || fs::read_to_string(store.join("log")).unwrap_or_default();
        assert!(ended.is_none(), "nats-server does not start: {}", log());
        thread::sleep(Duration::from_millis(20));
    }
    child
}
