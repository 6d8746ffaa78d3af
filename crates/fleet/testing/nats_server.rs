//! A real broker on the loopback, for the tests of this crate and of the program, which both include
//! this file.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// A broker that ends with the test.
pub(crate) struct NatsServer {
    pub(crate) port: u16,
    /// Folder for all that it keeps.
    pub(crate) store: PathBuf,
    config: String,
    pub(crate) child: Child,
}

/// Whether there is a broker to test with; says so where there is none.
pub(crate) fn is_there() -> bool {
    let found = program().arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested: there is no nats-server (scripts/setup --fleet)");
    }
    found
}

impl NatsServer {
    /// Starts one that keeps its messages in `store`, with more lines of configuration.
    pub(crate) fn start(store: PathBuf, config: &str) -> NatsServer {
        let port = free_port();
        let config = config.to_owned();
        let child = serve(port, &store, &config);
        NatsServer {
            port,
            store,
            config,
            child,
        }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it with all it has not written.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again after [`NatsServer::kill`].
    pub(crate) fn restart(&mut self) {
        self.child = serve(self.port, &self.store, &self.config);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The broker's program: the one that `scripts/env.sh` names, or whatever is on the PATH.
fn program() -> Command {
    let named = std::env::var_os("NARIKIN_NATS_SERVER");
    Command::new(named.unwrap_or_else(|| "nats-server".into()))
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

fn serve(port: u16, store: &Path, config: &str) -> Child {
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
