//! `narikin convert`: games from one format to another.

mod format;
mod game;
mod input;
mod output;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Context;
use data::{ConversionOptions, Handicaps};

use self::format::{FormatName, TextEncoding, format_of};
use self::input::Input;
use self::output::{GameSink, sink};
use crate::exit::{self, Interrupted, Refuse, Usage};
use crate::interrupt;
use crate::output::print;
use crate::report::terminal::{ProgressLine, note};

/// Arguments of `narikin convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  narikin convert game.kif game.csa
  narikin convert runs/quick/games games.csa
  narikin convert --to kif floodgate/*.csa kif/

Formats are known by the ending of the file name, or by --from and --to:
  csa   .csa               CSA, written as V2.2, in UTF-8
  csa3                     CSA V3.0
  kif   .kif .kifu         KIF, written in Shift_JIS (.kif) or UTF-8 (.kifu)
  ki2   .ki2 .ki2u         KI2, in the same way
  usi   .usi .sfen .txt    one game per line: startpos or sfen, and moves
  pgn   .pgn               PGN for rating programs, written only
  nkg   .nkg               this program's records, or a folder of them
  hcpe3 .hcpe3             games with visits, for training, of dlshogi
  hcpe  .hcpe              positions for training, of dlshogi
  psv   .psv               positions for training, of YaneuraOu

A folder as OUT (or a name with / at its end) gets a file for each game. A file is written with all
games or, if one is refused, not at all. What each format holds is in docs/game-records.md and
docs/training-data.md.")]
pub struct ConvertArgs {
    /// Files to read, in this order, and last the file to write, or a folder for one file per game;
    /// `-` is standard input and standard output
    // One list, since the command line's parser takes no option between two.
    #[arg(value_name = "IN... OUT", required = true)]
    pub files: Vec<PathBuf>,
    /// Format of all files that are read [default: by their names]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<FormatName>,
    /// Format to write [default: by the name of OUT]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<FormatName>,
    /// Encoding to write text in [default: that of the format]
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub encoding: Option<TextEncoding>,
    /// Centipawns per unit of log-odds, of evaluations in hcpe3, hcpe and psv
    #[arg(long, value_name = "X", default_value_t = ConversionOptions::default().eval_scale)]
    pub eval_scale: f32,
    /// Write handicap games to hcpe3 and hcpe too, which dlshogi itself does not read
    #[arg(long)]
    pub handicaps: bool,
    /// Leave out games that are refused, and say so for each
    #[arg(long)]
    pub skip_bad: bool,
}

/// Converts the games.
///
/// # Errors
///
/// If a game is refused (and `--skip-bad` is not given), or a file cannot be read or written. OUT is
/// then as it was.
pub fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let ConvertArgs {
        files,
        from,
        to,
        encoding,
        eval_scale,
        handicaps,
        skip_bad,
    } = args;
    let (output, input) = match files.split_last() {
        Some((output, input)) if !input.is_empty() => (output, input),
        _ => return Err(Usage("give files to read, and last the file to write".to_owned()).into()),
    };
    let conversion = ConversionOptions {
        eval_scale: *eval_scale,
        handicaps: if *handicaps {
            Handicaps::Write
        } else {
            Handicaps::Refuse
        },
    };
    conversion
        .check()
        .map_err(|(_, message)| Usage(format!("--eval-scale {message}")))?;
    let (to, encoding) = format_of(output, *to, *encoding)?;
    let inputs: Vec<Input> = input
        .iter()
        .map(|path| Input::find(path, *from))
        .collect::<anyhow::Result<Vec<Vec<Input>>>>()?
        .into_iter()
        .flatten()
        .collect();
    if let Some(same) = inputs
        .iter()
        .find(|input| is_same_file(&input.path, output))
    {
        let message = format!("{} would be read and written", same.path.display());
        return Err(Usage(message).into());
    }
    interrupt::listen()?;
    let mut job = Job {
        sink: sink(output, to, encoding, &conversion)?,
        skip_bad: *skip_bad,
        n_games: 0,
        n_skipped: 0,
        progress: Progress::over(&inputs),
    };
    for input in &inputs {
        job.convert(input)?;
    }
    job.finish(output)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => false,
    }
}

/// A conversion under way.
struct Job {
    sink: Box<dyn GameSink>,
    skip_bad: bool,
    n_games: u64,
    n_skipped: u64,
    progress: Progress,
}

impl Job {
    fn convert(&mut self, input: &Input) -> anyhow::Result<()> {
        let opened = input.games(&self.progress.read);
        for game in opened.with_context(|| input.path.display().to_string())? {
            if interrupt::requested() {
                return Err(Interrupted.into());
            }
            let taken = game.and_then(|game| self.sink.write(game));
            match taken {
                Ok(()) => self.n_games += 1,
                Err(error) if self.skip_bad && exit::classify(&error).0 == exit::REFUSED => {
                    let error = error.context(input.path.display().to_string());
                    note(&format!("skipped: {error:#}"));
                    self.n_skipped += 1;
                }
                Err(error) => return Err(error.context(input.path.display().to_string())),
            }
            self.progress.show(self.n_games);
        }
        self.progress.end_file(input.len);
        Ok(())
    }

    fn finish(self, output: &Path) -> anyhow::Result<ExitCode> {
        if let Some(line) = self.progress.line {
            line.finish();
        }
        if self.n_games == 0 {
            return Err(anyhow::anyhow!("found no game to convert")).refused();
        }
        let positions = self.sink.positions();
        self.sink.finish()?;
        if output != Path::new("-") {
            let (n, what) = match positions {
                Some(n) => (n, "position"),
                None => (self.n_games, "game"),
            };
            let plural = if n == 1 { "" } else { "s" };
            let mut line = format!("{n} {what}{plural} in {}", output.display());
            if self.n_skipped > 0 {
                line.push_str(&format!(", {} left out", self.n_skipped));
            }
            print(&line)?;
        }
        Ok(exit::done())
    }
}

/// How much was read, shown where there is much to read.
struct Progress {
    /// Bytes read, counted by the sources that can.
    read: Rc<Cell<u64>>,
    /// Bytes of the files that are done.
    done: u64,
    line: Option<ProgressLine>,
}

impl Progress {
    /// Less than this is read before anybody looks.
    const MIN_MIB: u64 = 16;

    fn over(inputs: &[Input]) -> Progress {
        let mib = inputs.iter().map(|input| input.len).sum::<u64>() >> 20;
        Progress {
            read: Rc::default(),
            done: 0,
            line: (mib >= Self::MIN_MIB).then(|| ProgressLine::new("convert", "MiB", mib)),
        }
    }

    fn show(&mut self, n_games: u64) {
        if let Some(line) = &mut self.line {
            line.set(self.read.get() >> 20, &format!("{n_games} games"));
        }
    }

    /// Counts a file of `len` bytes as read, whether or not its source counted.
    fn end_file(&mut self, len: u64) {
        self.done += len;
        self.read.set(self.done);
    }
}
