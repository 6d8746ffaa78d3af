//! The engine between real streams: a reader thread, a loader thread, the loop that thinks, and the
//! desk that has its answer out in time.

mod desk;
mod ledger;
mod standby;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::engine::{EngineOptions, Loaded, Next, UsiEngine};
use crate::info::info_string;
use crate::options::NetworkSettings;
use desk::{Agenda, Desk};
pub(crate) use ledger::{Promise, Turn, reserve};
use standby::Standby;

#[cfg(test)]
mod tests;

/// Why a network could not be loaded.
pub type LoadError = Box<dyn std::error::Error + Send + Sync>;

/// Loads the network when the GUI says `isready`, on a thread of its own.
pub trait EvaluatorLoader: Send + 'static {
    /// Network and book for `settings`.
    ///
    /// # Errors
    ///
    /// When there is no such network or it cannot be run; the engine then ends.
    fn load(&mut self, settings: &NetworkSettings) -> Result<Loaded, LoadError>;
}

impl<F> EvaluatorLoader for F
where
    F: FnMut(&NetworkSettings) -> Result<Loaded, LoadError> + Send + 'static,
{
    fn load(&mut self, settings: &NetworkSettings) -> Result<Loaded, LoadError> {
        self(settings)
    }
}

/// Why the engine ended before `quit`.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The network could not be loaded.
    #[error("cannot load the network")]
    Load(#[source] LoadError),
    /// The loader ended by a panic.
    #[error("the thread that loads networks has ended")]
    LoaderGone,
    /// The output could not be written.
    #[error("cannot write to the GUI")]
    Write(#[source] io::Error),
}

/// How often an empty line tells the GUI that a slow load is still going on.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// How long the end of a load is waited for when the GUI leaves meanwhile.
const FAREWELL: Duration = Duration::from_secs(2);

/// Runs the engine until `quit`, the end of `input`, or a GUI that no longer reads.
///
/// The reader thread outlives this call if `input` never ends; so may the loader.
///
/// # Errors
///
/// When a network cannot be loaded, or `output` fails other than by being closed.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    options: EngineOptions,
    loader: impl EvaluatorLoader,
) -> Result<(), RunError> {
    run_with(input, output, options, loader, (KEEP_ALIVE, FAREWELL))
}

fn run_with(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    options: EngineOptions,
    loader: impl EvaluatorLoader,
    (keep_alive, farewell): (Duration, Duration),
) -> Result<(), RunError> {
    let (to_main, events) = mpsc::channel();
    let (to_loader, requests) = mpsc::channel();
    let desk = Desk::new(output);
    let reader = LineReader {
        to_main: to_main.clone(),
        standby: Standby::new(options.settings.clone()),
        agenda: desk.agenda(),
    };
    thread::spawn(move || reader.read(input));
    let loader = thread::spawn(move || load_networks(loader, &requests, &to_main));
    let engine = UsiEngine::new(options, Box::new(Instant::now));
    let mut session = Session {
        engine,
        events,
        to_loader,
        loader,
        keep_alive,
        farewell,
        early: VecDeque::new(),
        input_over: false,
        desk: &desk,
        out: Vec::new(),
    };
    let end = thread::scope(|scope| {
        scope.spawn(|| desk.keep_promises());
        // Also when the loop below panics: the scope waits for its threads.
        let _closing = Closing(&desk);
        session.run()
    });
    match end {
        Err(RunError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        end => end,
    }
}

/// What the two threads tell the loop.
enum Event {
    Line(Instant, String),
    End,
    Loaded(Result<Loaded, LoadError>),
}

/// What the thread that reads has to do with every line.
struct LineReader {
    to_main: Sender<Event>,
    standby: Standby,
    agenda: Arc<Agenda>,
}

impl LineReader {
    fn read(mut self, mut input: impl BufRead) {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let at = Instant::now();
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            if self.to_main.send(Event::Line(at, line.clone())).is_err() {
                return;
            }
            // Only now: nobody should have to wait for what is hardly ever needed.
            if let Some(call) = self.standby.hear(&line, at) {
                self.agenda.stand_by(call);
            }
        }
        // Nobody listens any more when the engine has quit by itself.
        let _ = self.to_main.send(Event::End);
    }
}

fn load_networks(
    mut loader: impl EvaluatorLoader,
    requests: &Receiver<NetworkSettings>,
    to_main: &Sender<Event>,
) {
    for settings in requests {
        if to_main.send(Event::Loaded(loader.load(&settings))).is_err() {
            return;
        }
    }
}

/// Closes the desk when it is dropped.
struct Closing<'a, W: Write>(&'a Desk<W>);

impl<W: Write> Drop for Closing<'_, W> {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Session<'a, W> {
    engine: UsiEngine,
    events: Receiver<Event>,
    to_loader: Sender<NetworkSettings>,
    loader: JoinHandle<()>,
    keep_alive: Duration,
    farewell: Duration,
    /// Lines that came while a network was being loaded.
    early: VecDeque<(Instant, String)>,
    /// Whether the input ended while a network was being loaded.
    input_over: bool,
    desk: &'a Desk<W>,
    out: Vec<String>,
}

impl<W: Write> Session<'_, W> {
    fn run(&mut self) -> Result<(), RunError> {
        while let Some((at, line)) = self.next_line()? {
            match self.engine.handle(&line, at, &mut self.out) {
                Next::GoOn => self.flush_and_promise()?,
                Next::Quit => return Ok(()),
                Next::Load(settings) => {
                    self.flush()?;
                    self.desk.set_loading(true);
                    let Some(loaded) = self.load(settings)? else {
                        return Ok(());
                    };
                    self.desk.set_loading(false);
                    self.engine.network_loaded(loaded, &mut self.out);
                    self.flush()?;
                }
            }
        }
        Ok(())
    }

    /// The next line, thinking until it comes; `None` at the end of input.
    fn next_line(&mut self) -> Result<Option<(Instant, String)>, RunError> {
        if let Some(line) = self.early.pop_front() {
            return Ok(Some(line));
        }
        if self.input_over {
            return Ok(None);
        }
        loop {
            let event = if self.engine.is_thinking() {
                match self.events.try_recv() {
                    Ok(event) => event,
                    Err(TryRecvError::Empty) => {
                        self.engine.allow_for(self.desk.lateness());
                        self.engine.think(&mut self.out);
                        self.flush_and_promise()?;
                        continue;
                    }
                    Err(TryRecvError::Disconnected) => return Ok(None),
                }
            } else {
                match self.events.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(None),
                }
            };
            match event {
                Event::Line(at, line) => return Ok(Some((at, line))),
                Event::End => return Ok(None),
                Event::Loaded(_) => {}
            }
        }
    }

    /// Has a network loaded, with signs of life; `None` if the GUI has left and does not wait for
    /// the end of a slow load. Behind a quick one its last lines are still answered, so that a
    /// script may send all its lines at once.
    fn load(&mut self, settings: NetworkSettings) -> Result<Option<Loaded>, RunError> {
        self.to_loader
            .send(settings)
            .map_err(|_| RunError::LoaderGone)?;
        let mut leave_at = None;
        loop {
            let patience = leave_at.map_or(self.keep_alive, |leave_at: Instant| {
                leave_at.saturating_duration_since(Instant::now())
            });
            match self.events.recv_timeout(patience) {
                Ok(Event::Loaded(Ok(loaded))) => return Ok(Some(loaded)),
                Ok(Event::Loaded(Err(error))) => {
                    let message = format_args!("cannot load the network: {error}");
                    self.out.push(info_string(message));
                    self.flush()?;
                    return Err(RunError::Load(error));
                }
                Ok(Event::Line(at, line)) => {
                    if line == "quit" {
                        leave_at = leave_at.or(Some(Instant::now() + self.farewell));
                    }
                    self.early.push_back((at, line));
                }
                Ok(Event::End) => {
                    self.input_over = true;
                    leave_at = leave_at.or(Some(Instant::now() + self.farewell));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if self.loader.is_finished() => {
                    return Err(RunError::LoaderGone);
                }
                Err(RecvTimeoutError::Timeout) if leave_at.is_some() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    self.out.push(String::new());
                    self.flush()?;
                }
            }
        }
    }

    fn flush_and_promise(&mut self) -> Result<(), RunError> {
        self.flush()?;
        if let Some(promise) = self.engine.promise() {
            self.desk.promise(promise);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.desk.print(&mut self.out).map_err(RunError::Write)
    }
}
