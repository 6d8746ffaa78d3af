//! A real broker on the loopback, where there is one to be had.

#[path = "../../../fleet/testing/nats_server.rs"]
mod nats_server;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::program::test_folder;
use nats_server::NatsServer;

pub(crate) use nats_server::is_there;

/// A broker. It ends with the test.
pub struct Nats {
    server: NatsServer,
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
        let server = NatsServer::start(test_folder(name), config);
        Nats { server }
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.server.child.id()
    }

    /// Kills it with all it has not written, and starts it again.
    pub fn kill_and_restart(&mut self) {
        self.kill();
        self.restart();
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts it again after [`Nats::kill`].
    pub fn restart(&mut self) {
        self.server.restart();
    }

    /// Publishes a message as any stranger could.
    pub fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.server.port)).unwrap();
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
