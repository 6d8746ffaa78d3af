//! A child process in a process group of its own, its streams served by threads, so that no call
//! here can block on it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{EngineCommand, Farewell};

/// Lines that may wait to be read; an engine that floods is held up by its own full pipe.
const LINES_KEPT: usize = 4096;
/// Longest line, bytes; what follows counts as the next line.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines of stderr kept for the report of a crash.
const STDERR_LINES_KEPT: usize = 20;
/// How long a process that closed its output may take to end before it is killed.
const EXIT_GRACE: Duration = Duration::from_millis(500);
/// How often an ending process is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The process; dropping it kills the whole group.
pub(super) struct EngineProcess {
    child: Child,
    /// `None` once the input is closed.
    to_engine: Option<Sender<Outgoing>>,
    from_engine: Receiver<(Instant, String)>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    stderr_reader: Option<JoinHandle<()>>,
    ended: Option<ExitStatus>,
    /// Once is enough: the group's number may be another's by then.
    group_killed: bool,
}

/// A line on its way to the engine.
struct Outgoing {
    text: String,
    /// Who wants to know when it was written.
    written: Option<Sender<Instant>>,
}

/// What waiting for a line can come to.
pub(super) enum Heard {
    Line(Instant, String),
    Nothing,
    Closed,
}

impl EngineProcess {
    pub(super) fn spawn(command: &EngineCommand) -> io::Result<EngineProcess> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.args);
        if let Some(dir) = &command.dir {
            builder.current_dir(dir);
        }
        builder
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        own_group(&mut builder);
        let mut child = builder.spawn()?;
        let (to_engine, lines_out) = mpsc::channel();
        let (lines_in, from_engine) = mpsc::sync_channel(LINES_KEPT);
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_lines(stdin, &lines_out));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &lines_in));
        }
        let stderr_reader = child.stderr.take().map(|stream| {
            let tail = Arc::clone(&stderr);
            thread::spawn(move || keep_tail(stream, &tail))
        });
        Ok(EngineProcess {
            child,
            to_engine: Some(to_engine),
            from_engine,
            stderr,
            stderr_reader,
            ended: None,
            group_killed: false,
        })
    }

    /// Queues a line; whether it is ever read is the engine's business.
    pub(super) fn send(&self, line: &str) {
        self.queue(line, None);
    }

    /// [`EngineProcess::send`], and when the line was written: a thread that writes late on a busy
    /// machine is not the engine's fault. An engine that does not read for so long as `patience` has
    /// the time of the call.
    pub(super) fn send_timed(&self, line: &str, patience: Duration) -> Instant {
        let queued = Instant::now();
        let (written, at) = mpsc::channel();
        self.queue(line, Some(written));
        at.recv_timeout(patience).unwrap_or(queued)
    }

    fn queue(&self, line: &str, written: Option<Sender<Instant>>) {
        // The writer has ended when the engine closed its input: reading will tell.
        if let Some(to_engine) = &self.to_engine {
            let text = format!("{line}\n");
            let _ = to_engine.send(Outgoing { text, written });
        }
    }

    /// Ends the engine's input behind what is queued.
    pub(super) fn close_input(&mut self) {
        self.to_engine = None;
    }

    /// The next line that has come already.
    pub(super) fn heard_already(&self) -> Option<String> {
        self.from_engine.try_recv().ok().map(|(_, line)| line)
    }

    /// The next line that comes before `deadline`.
    pub(super) fn hear(&self, deadline: Instant) -> Heard {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.from_engine.recv_timeout(left) {
            Ok((at, line)) => Heard::Line(at, line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// The last lines of stderr.
    pub(super) fn stderr_tail(&self) -> String {
        let lines = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        lines
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Gives the process `grace` to end, then kills it with its group; says which it was.
    pub(super) fn leave(&mut self, grace: Duration) -> Farewell {
        if self.ended_within(grace) {
            self.end(Duration::ZERO);
            return Farewell::Left;
        }
        self.end(Duration::ZERO);
        Farewell::Killed
    }

    /// Gives the process `grace` to end, then kills what is left of its group.
    pub(super) fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.group_killed {
            return self.ended;
        }
        self.ended_within(grace);
        kill_group(&mut self.child);
        self.group_killed = true;
        if self.ended.is_none() {
            self.ended = self.child.wait().ok();
        }
        self.ended
    }

    fn ended_within(&mut self, grace: Duration) -> bool {
        let deadline = Instant::now() + grace;
        while self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
            if self.ended.is_some() || Instant::now() >= deadline {
                break;
            }
            thread::sleep(POLL_INTERVAL);
        }
        self.ended.is_some()
    }

    /// How the process ended, once its output is closed, and the last lines of its stderr. One that
    /// lives on without output is killed, and has no status of its own.
    pub(super) fn post_mortem(&mut self) -> (Option<ExitStatus>, String) {
        self.ended_within(EXIT_GRACE);
        let status = self.ended;
        self.end(Duration::ZERO);
        // The reader ends with the process, unless something outside the group holds the pipe.
        let deadline = Instant::now() + EXIT_GRACE;
        while self
            .stderr_reader
            .as_ref()
            .is_some_and(|reader| !reader.is_finished())
            && Instant::now() < deadline
        {
            thread::sleep(POLL_INTERVAL);
        }
        (status, self.stderr_tail())
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Outgoing>) {
    for Outgoing { text, written } in lines {
        let begun = Instant::now();
        if stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
        if let Some(written) = written {
            // The other side may have lost its patience.
            let _ = written.send(begun);
        }
    }
}

fn read_lines(stream: impl Read, lines: &SyncSender<(Instant, String)>) {
    let mut stream = BufReader::new(stream);
    while let Some(line) = read_line(&mut stream) {
        if lines.send((Instant::now(), line)).is_err() {
            return;
        }
    }
}

fn keep_tail(stream: impl Read, tail: &Mutex<VecDeque<String>>) {
    let mut stream = BufReader::new(stream);
    while let Some(line) = read_line(&mut stream) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == STDERR_LINES_KEPT {
            tail.pop_front();
        }
        tail.push_back(line);
    }
}

/// One line of at most [`LONGEST_LINE`] bytes without its end; `None` when the stream is over.
fn read_line(stream: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match stream.take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&bytes).trim().to_owned()),
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// Kills the group of `child`, so that what a wrapper script has started goes too. An error means
/// that nothing was left.
#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    if let Ok(group) = i32::try_from(child.id()) {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}
