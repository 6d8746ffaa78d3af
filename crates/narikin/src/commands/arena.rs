//! `narikin arena`: one player against others.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use arena::page::{Page, PageGame, PageTable};
use arena::stats::sprt::{EloScale, Sprt, Verdict};
use arena::{
    Adjudication, Counts, DrawRule, Effort, Heading, MatchOptions, MatchReport, OpeningOptions,
    ResignRule, StoredGame, TimeControl,
};
use model::write_whole;
use serde::Serialize;

use crate::anchors::Anchors;
use crate::commands::position::{Rule, Style};
use crate::contest::{Contest, Contestant, read_openings, remark_on_openings};
use crate::exit::{self, Interrupted, Usage};
use crate::interrupt;
use crate::machine::cores;
use crate::match_folder::{Description, MatchFolder, file_name};
use crate::nets::SHIPPED;
use crate::output::{self, SCHEMA};
use crate::pool::{GAMES_SHOWN, page_game};
use crate::report::terminal::note;
use crate::transcripts::{RecordFormat, write_games};

/// Arguments of `narikin arena`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin arena runs/quick mate1 anchor:fairy-n100 --games 200 --visits 64
         narikin arena new.safetensors old.safetensors --games 2000 --sprt 0,50 --out matches/new

A player is a model file, a run folder (its current net), an ONNX file in dlshogi's interface,
`narikin-1` (the net that comes with the program), `random`, `mate1` (gives mate in one, else random),
`greedy` (mate in one, else the best capture or promotion, else random), `material2` (the same, looking
at the answer too), `usi:COMMAND`, or `anchor:NAME` of configs/anchors.toml. Settings of its own stand
behind it: PLAYER@KEY=VALUE,KEY=VALUE with the keys visits or nodes, depth, movetime (ms),
time, limit=options, name, margin, stuck, start (all ms), clocks=swapped, precision (of a net: auto, f32,
bf16 or int8), option.NAME. A time is
MAIN+BYOYOMI+INCREMENT in seconds, the latter two if need be, /stopwatch behind it for the
federation's stopwatch. Every opening is played twice, colours swapped.

The JSON object for one opponent: {schema, a, b, games, wins, draws, losses, as_black, as_white,
score, elo, elo_low, elo_high, los, pentanomial: pairs by A's points 0, 1/2, 1, 3/2, 2,
normalized_elo, draw_share, mean_plies, by_reason, reasons, sprt: {test, llr, lower, upper, verdict}
if asked for}, from A's side; ratings that are infinite are null. For several opponents: {schema, a,
matches: [one such object each]}. With --sprt, a rejected A ends with exit code 4.")]
pub struct ArenaArgs {
    /// Player to measure
    #[arg(value_name = "A")]
    pub a: String,
    /// Its opponents, one match each
    #[arg(value_name = "B", default_value = SHIPPED)]
    pub b: Vec<String>,
    /// Games per match, an even number
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u32,
    /// Visits per move of nets; nodes per move of USI engines
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub visits: u32,
    /// Time per move of USI engines in milliseconds, instead of nodes
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub byoyomi: Option<u64>,
    /// Clock of nets and USI engines, instead of visits and nodes
    #[arg(long, value_name = "TIME", conflicts_with = "byoyomi")]
    pub time: Option<TimeControl>,
    /// Number that openings and random choices follow from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Where games begin: random:PLIES, book, handicap:NAME+PLIES (a handicap and random plies), or a
    /// file of SFENs or USI lines [default: random:6]
    #[arg(long, value_name = "SET")]
    pub openings: Option<String>,
    /// Random moves at the start of every pair of games
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 6,
        conflicts_with = "openings"
    )]
    pub openings_plies: u32,
    /// Plies after which a game is drawn; 0 for no limit
    #[arg(long, value_name = "PLIES", default_value_t = 512)]
    pub max_ply: u32,
    /// Rule by which a king that has crossed the board can win
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Rule::Points27)]
    pub rule: Rule,
    /// Whether a chain of checks goes on beyond --max-ply
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = Style::Plain)]
    pub max_ply_style: Style,
    /// How often a repetition is replayed, colours swapped, with the time that is left
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub replays: u32,
    /// End games that the loser, and the winner if it gives scores, call lost by so many hundredths
    /// of a pawn for so many moves in a row
    #[arg(long, value_name = "CP,MOVES", value_parser = resign_rule)]
    pub resign: Option<ResignRule>,
    /// Draw games in which both call the position even, within so many hundredths of a pawn for so
    /// many moves in a row, after so many plies
    #[arg(long, value_name = "PLIES,CP,MOVES", value_parser = draw_rule)]
    pub draw: Option<DrawRule>,
    /// Stop as soon as it is clear whether A is stronger by ELO1 or only by ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Take the bounds of --sprt as normalized Elo
    #[arg(long, requires = "sprt")]
    pub normalized: bool,
    /// Chance that --sprt errs in either direction
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    pub error: f64,
    /// Folder that keeps the games; a match that was broken off goes on
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What other programs can read the games as, in that folder
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_values_t = [RecordFormat::Csa, RecordFormat::Pgn]
    )]
    pub records: Vec<RecordFormat>,
    /// Write the report page: tables, and games to click through
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// List of anchors [default: the program's own, configs/anchors.toml]
    #[arg(long, value_name = "FILE")]
    pub anchors: Option<PathBuf>,
    /// Threads, each with its own evaluator and share of the games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Games that one thread plays at the same time, so that nets get batches
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub parallel_games: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Several matches as one JSON object.
#[derive(Debug, Serialize)]
struct Table<'a> {
    schema: u32,
    a: &'a str,
    matches: &'a [MatchReport],
}

/// Plays the matches and prints the table.
///
/// # Errors
///
/// If a player is refused, does not start, or a net cannot evaluate. An engine that fails during a
/// game has lost it.
pub fn run(args: &ArenaArgs) -> anyhow::Result<ExitCode> {
    let options = match_options(args)?;
    if let Some(remark) = remark_on_openings(&options) {
        note(&remark);
    }
    let sprt = args.sprt.map(|test| with_errors(test, args));
    if let Some(test) = &sprt {
        let checked = test.check().map_err(|error| error.within("sprt"));
        checked.map_err(|error| Usage(error.to_string()))?;
    }
    let anchors = Anchors::load(args.anchors.as_deref())?;
    let read = |text: &String| Contestant::read(text, effort_of(text, args), &anchors);
    let a = read(&args.a)?;
    let opponents: Vec<Contestant> = args.b.iter().map(read).collect::<anyhow::Result<_>>()?;
    interrupt::listen()?;

    let mut reports = Vec::new();
    let mut shown = Vec::new();
    for (index, b) in opponents.iter().enumerate() {
        let contest = Contest {
            options: &options,
            a: &a,
            b,
            threads: args.threads.unwrap_or(cores() as u32),
            sprt,
            finished: Vec::new(),
        };
        reports.push(play(contest, index, args, &mut shown)?);
        if interrupt::requested() {
            break;
        }
    }
    if let Some(file) = &args.html {
        write_whole(file, page(&reports, shown).html().as_bytes())?;
    }
    print(&reports, &opponents, args)?;
    if interrupt::requested() {
        return Err(Interrupted.into());
    }
    let rejected = |report: &MatchReport| {
        let sprt = report.sprt.as_ref();
        sprt.is_some_and(|sprt| sprt.verdict == Some(Verdict::Rejected))
    };
    Ok(if reports.iter().any(rejected) {
        ExitCode::from(exit::NO)
    } else {
        exit::done()
    })
}

fn match_options(args: &ArenaArgs) -> anyhow::Result<MatchOptions> {
    let options = MatchOptions {
        games: args.games,
        seed: args.seed,
        parallel_games: args.parallel_games,
        openings: match &args.openings {
            Some(text) => read_openings(text)?,
            None => OpeningOptions::Random {
                plies: args.openings_plies,
            },
        },
        max_ply: args.max_ply,
        max_ply_style: args.max_ply_style.into(),
        declaration: args.rule.into(),
        replays: args.replays,
        adjudication: Adjudication {
            resign: args.resign.clone(),
            draw: args.draw.clone(),
        },
        ..MatchOptions::default()
    };
    options.check().map_err(|error| Usage(error.to_string()))?;
    Ok(options)
}

/// How much a player may think whose words do not say it.
fn effort_of(text: &str, args: &ArenaArgs) -> Effort {
    match (args.time, args.byoyomi) {
        (Some(control), _) => Effort::Clock(control),
        (None, Some(ms)) if text.starts_with("usi:") => {
            Effort::Clock(TimeControl::per_move(Duration::from_millis(ms)))
        }
        _ => Effort::Nodes(args.visits),
    }
}

fn with_errors(test: Sprt, args: &ArenaArgs) -> Sprt {
    Sprt {
        alpha: args.error,
        beta: args.error,
        scale: if args.normalized {
            EloScale::Normalized
        } else {
            EloScale::Logistic
        },
        ..test
    }
}

/// Plays one match, in its folder if there is one, and adds games for the page to `shown`.
fn play(
    mut contest: Contest<'_>,
    index: usize,
    args: &ArenaArgs,
    shown: &mut Vec<PageGame>,
) -> anyhow::Result<MatchReport> {
    let seats = [&contest.a.name, &contest.b.name].map(String::clone);
    let mut show = |game: &StoredGame| {
        if args.html.is_some() && shown.len() < GAMES_SHOWN {
            shown.push(page_game([&seats[0], &seats[1]], game));
        }
    };
    let Some(out) = &args.out else {
        return contest.play(&mut |game| {
            show(game);
            Ok(())
        });
    };
    let name = format!("{}-{}", index + 1, file_name(&contest.b.name));
    let description = Description::new(contest.a, contest.b, contest.options, contest.sprt);
    let (mut folder, finished) = MatchFolder::open(&out.join(name), &description)?;
    contest.finished = finished;
    let report = contest.play(&mut |game| folder.keep(game))?;
    folder.keep_report(&report)?;
    let mut games = folder.games()?;
    games.sort_by_key(|game| (game.game, game.replay));
    let heading = Heading {
        event: format!("{} - {}", seats[0], seats[1]),
        a: seats[0].clone(),
        b: seats[1].clone(),
        time_a: contest.a.time(),
        time_b: contest.b.time(),
        max_ply: contest.options.max_ply,
    };
    let headed = games.iter().map(|game| (game, heading.clone()));
    write_games(folder.path(), &args.records, headed)?;
    games.iter().for_each(show);
    Ok(report)
}

/// The report page.
fn page(reports: &[MatchReport], games: Vec<PageGame>) -> Page {
    let counts = |counts: &Counts| format!("+{} ={} -{}", counts.wins, counts.draws, counts.losses);
    let results = PageTable {
        title: "Results".to_owned(),
        headings: [
            "opponent", "games", "+", "=", "-", "score", "Elo", "low", "high", "LOS",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: reports.iter().map(result_cells).collect(),
        ..PageTable::default()
    };
    let ends = PageTable {
        title: "By side and by reason".to_owned(),
        headings: ["opponent", "", "result"].map(str::to_owned).to_vec(),
        rows: reports
            .iter()
            .flat_map(|report| {
                let row =
                    |what: &str, by: &Counts| vec![report.b.clone(), what.to_owned(), counts(by)];
                let sides = [
                    row("as Black", &report.as_black),
                    row("as White", &report.as_white),
                ];
                let reasons = report
                    .reasons
                    .iter()
                    .map(move |(reason, by)| row(reason, by));
                sides.into_iter().chain(reasons)
            })
            .collect(),
        ..PageTable::default()
    };
    Page {
        title: reports
            .first()
            .map_or_else(String::new, |report| format!("Matches of {}", report.a)),
        notes: reports.iter().map(MatchReport::summary).collect(),
        tables: vec![results, ends],
        games,
        ..Page::default()
    }
}

fn result_cells(report: &MatchReport) -> Vec<String> {
    let or_dash =
        |number: Option<f64>, form: fn(f64) -> String| number.map_or_else(|| "–".to_owned(), form);
    let elo = |elo: Option<f64>| or_dash(elo, |elo| format!("{elo:+.0}"));
    let percent = |share: Option<f64>| or_dash(share, |share| format!("{:.1} %", 100.0 * share));
    vec![
        report.b.clone(),
        report.games.to_string(),
        report.wins.to_string(),
        report.draws.to_string(),
        report.losses.to_string(),
        percent(report.score),
        elo(report.elo),
        elo(report.elo_low),
        elo(report.elo_high),
        percent(report.los),
    ]
}

fn print(
    reports: &[MatchReport],
    opponents: &[Contestant],
    args: &ArenaArgs,
) -> anyhow::Result<()> {
    match reports {
        [report] if args.json && opponents.len() == 1 => output::print_json(report),
        matches if args.json => output::print_json(&Table {
            schema: SCHEMA,
            a: &args.a,
            matches,
        }),
        reports => {
            output::print(arena::table(reports).trim_end())?;
            match reports {
                [report] => output::print(&format!("{}{}", report.details(), report.summary())),
                _ => Ok(()),
            }
        }
    }
}

/// Numbers with commas between them.
fn numbers<T: std::str::FromStr, const N: usize>(text: &str, form: &str) -> Result<[T; N], String> {
    let parsed: Option<Vec<T>> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    parsed
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("expected {form}"))
}

fn resign_rule(text: &str) -> Result<ResignRule, String> {
    let [score, moves] = numbers(text, "CP,MOVES")?;
    Ok(ResignRule { score, moves })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [after_ply, score, moves] = numbers(text, "PLIES,CP,MOVES")?;
    Ok(DrawRule {
        after_ply,
        score,
        moves,
    })
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let [elo0, elo1] = numbers(text, "ELO0,ELO1")?;
    Ok(Sprt {
        elo0,
        elo1,
        ..Sprt::default()
    })
}
