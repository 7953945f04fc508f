//! Arguments, files, progress and exit codes: everything that touches the outside.
//!
//! Rows and reports go to stdout or files, everything said to people on the way goes to stderr.

mod audit;
mod boards;
mod check_story;
mod folder;
mod generate;
mod interrupt;
mod output;
mod progress;
mod replay;
mod report;
mod respond;
mod responses;
mod rows;
mod score;
mod show;
mod study;
mod turns;
mod verify;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::audit::Mapping;
use crate::dataset::{Format, Splits};
use crate::diagnostic::Look;
use crate::experiment::{EXPERIMENTS, Experiment};
use crate::log::Departures;
use crate::respond::Responder;
use crate::storyboard::SCHEMA;
use boards::Setting;
use output::Target;

/// Short stories with provable answers about what their characters believe, by the million.
#[derive(Debug, Parser)]
#[command(name = "storysim", version, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the rows of many stories
    Generate(GenerateArguments),
    /// Look for mistakes in storyboards, and tell how likely their conditions are
    Check(CheckArguments),
    /// Show one story to read: events, questions, answers, evidence, and what each mind held
    Show(ShowArguments),
    /// Say whether stories that others wrote satisfy a storyboard, and if not, which condition fails when
    CheckStory(CheckStoryArguments),
    /// Say whether a dataset folder is what it should be; or hold rows against the definition of belief
    Verify(VerifyArguments),
    /// Join the parts of a dataset, made with --shard, to the whole
    Merge(MergeArguments),
    /// Derive the answers of logs of events made elsewhere
    Replay(ReplayArguments),
    /// Say how good the answers of models to a dataset are, and what is wrong with those that are not
    Score(ScoreArguments),
    /// Answer a dataset as a shortcut would, to try out what scores answers
    Respond(RespondArguments),
    /// Tell how far one gets in a dataset without tracking a mind: shortcuts, labels, repetitions
    Audit(AuditArguments),
    /// List the built-in storyboards, and the experiments
    List,
    /// Print the JSON Schema of the storyboard format
    Schema,
}

#[derive(Debug, Args)]
#[command(override_usage = "storysim generate [OPTIONS] --count N BOARD...\n       \
                            storysim generate [OPTIONS] --count N --experiment NAME --out FOLDER")]
struct GenerateArguments {
    /// Storyboards: files, or names of built-in ones
    #[arg(required_unless_present = "experiment", value_name = "BOARD")]
    boards: Vec<String>,
    /// Instead of storyboards, the boards and values of a study, in a dataset folder; `score` draws its figures
    #[arg(long, value_name = "NAME", value_parser = experiment_parser(), conflicts_with_all = ["boards", "settings"])]
    experiment: Option<&'static Experiment>,
    /// How many stories, for every board and every value swept
    #[arg(long, value_name = "N")]
    count: u64,
    /// All randomness follows from this number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// A parameter's value, or the values to sweep, both ends included
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP")]
    settings: Vec<Setting>,
    /// Where to: a file that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet (replaced if it is there),
    /// a pipe or a device, `-` for stdout; anything else is a dataset folder, which is made, or finished if it was
    /// begun
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
    /// The form of the rows; if not given, as the name of the file says, or else jsonl
    #[arg(long, value_parser = format_parser())]
    format: Option<Format>,
    /// Of a dataset folder: how many stories a file holds (on average, if there are splits); if not given, such that
    /// a file has some 300 MB of text
    #[arg(long, value_name = "STORIES", value_parser = clap::value_parser!(u64).range(1..))]
    shard_size: Option<u64>,
    /// Divide a dataset folder: no story is in two splits
    #[arg(long, value_name = "NAME=SHARE,…")]
    split: Option<Splits>,
    /// How many threads; all cores if not given
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Make only part I (from 0) of N parts of the stories; of a dataset folder, of its files
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: generate::Shard,
    /// Add the events to every row, as data
    #[arg(long)]
    with_events: bool,
    /// Give every story a twin that differs in one event, and in what the first `belief` (or the one that is balanced) is;
    /// the target does the same in both. Its rows come next, with `-twin` in their ids
    #[arg(long)]
    twins: bool,
    /// Replay every story against its storyboard before it is written
    #[arg(long)]
    check: bool,
    /// Say nothing but what is wrong
    #[arg(long, short)]
    quiet: bool,
}

fn experiment_parser() -> impl TypedValueParser<Value = &'static Experiment> {
    PossibleValuesParser::new(EXPERIMENTS.iter().map(|experiment| experiment.name))
        .map(|name| Experiment::named(&name).expect("one of the possible values"))
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::ending))
        .map(|text| text.parse().expect("one of the possible values"))
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Storyboards: files, or names of built-in ones
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// A parameter's value, or the values to sweep, both ends included
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP")]
    settings: Vec<Setting>,
    /// How to say it: to people, or to programs, as a JSON object a line
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Tables
    Text,
    /// A JSON object a line, for what is wrong, too
    Json,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// A storyboard: a file, or the name of a built-in one
    #[arg(value_name = "BOARD")]
    board: String,
    /// All randomness follows from this number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Which story
    #[arg(long, value_name = "I", default_value_t = 0)]
    index: u64,
    /// A parameter's value
    #[arg(long = "set", value_name = "NAME=V")]
    settings: Vec<Setting>,
}

#[derive(Debug, Args)]
struct CheckStoryArguments {
    /// A storyboard: a file, or the name of a built-in one
    #[arg(value_name = "BOARD")]
    board: String,
    /// A file of stories, or `-` for stdin: one story in the sentences that storysim writes; or rows of a data
    /// set or logs of events, one JSON object a line
    #[arg(value_name = "STORY")]
    story: String,
    /// Who plays a role, which place a bind is, where an object is at the start, whether a proposition is true;
    /// several with commas between. What is given neither here nor by a row is searched
    #[arg(long = "cast", value_name = "NAME=VALUE")]
    cast: Vec<check_story::Casting>,
    /// A parameter's value; goes before that of a row
    #[arg(long = "set", value_name = "NAME=V")]
    settings: Vec<Setting>,
}

#[derive(Debug, Args)]
#[command(override_usage = "storysim verify [--deep] [--jobs J] FOLDER...\n       \
                            storysim verify --oracle [--rows N] [--seed S] [--set NAME=V] [--jobs J] [BOARD]...")]
struct VerifyArguments {
    /// Dataset folders; with --oracle, storyboards: files, or names of built-in ones; if none is given, all
    /// built-in ones
    #[arg(value_name = "FOLDER|BOARD", required_unless_present = "oracle")]
    names: Vec<String>,
    /// Make some stories of every file again, and compare their rows
    #[arg(long, conflicts_with = "oracle")]
    deep: bool,
    /// Make rows of storyboards, and derive again what they say by the definition of belief written out, which
    /// shares no code with what made them
    #[arg(long)]
    oracle: bool,
    /// With --oracle: how many rows, divided over the boards and values
    #[arg(long, value_name = "N", default_value_t = 10_000_000, requires = "oracle")]
    rows: u64,
    /// With --oracle: all randomness follows from this number
    #[arg(long, value_name = "S", default_value_t = 0, requires = "oracle")]
    seed: u64,
    /// With --oracle: a parameter's value, or the values to sweep, both ends included
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP", requires = "oracle")]
    settings: Vec<Setting>,
    /// How many threads; all cores if not given
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(Debug, Args)]
struct MergeArguments {
    /// The folder in which all parts are
    folder: String,
}

#[derive(Debug, Args)]
struct ReplayArguments {
    /// Logs, one JSON object a line: files, or `-` for stdin
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<String>,
    /// Where to: a file that ends in .jsonl, .jsonl.gz or .jsonl.zst (replaced if it is there), a pipe or a device,
    /// `-` for stdout
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
    /// What those see who are left behind, whatever the log says: `destination`, where to; `vanish`, that she goes
    #[arg(long, value_parser = word_parser(&Departures::WORDS))]
    departures: Option<Departures>,
    /// Whether one sees what is in containers, whatever the log says
    #[arg(long, value_parser = word_parser(&CONTAINERS))]
    containers: Option<bool>,
    /// Leave out events, questions and lines that cannot be, with a warning, and go on
    #[arg(long)]
    lenient: bool,
}

#[derive(Debug, Args)]
struct ScoreArguments {
    /// The rows that were asked: a dataset folder, or a file that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Responses, a file a model: JSON Lines with `id` and `response`, samples of lm-evaluation-harness, or the output
    /// of an OpenAI batch. A model is called as its file, or NAME
    #[arg(required = true, value_name = "FILE | NAME=FILE")]
    responses: Vec<responses::Model>,
    /// How to say it: to people, or to programs, as one JSON object
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    format: ScoreFormat,
    /// Write a page with tables and plots to this file as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Leave out responses to rows that the dataset does not have, with a warning
    #[arg(long)]
    lenient: bool,
}

/// The form of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScoreFormat {
    /// Tables
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
struct RespondArguments {
    /// The rows to answer: a dataset folder, or a file that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Who answers
    #[arg(long = "as", value_name = "NAME", value_parser = word_parser(&Responder::WORDS))]
    who: Responder,
    /// What `random` guesses follows from this number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Where to: a file that ends in .jsonl, .jsonl.gz or .jsonl.zst (replaced if it is there), a pipe or a device,
    /// `-` for stdout
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
}

#[derive(Debug, Args)]
struct AuditArguments {
    /// A dataset folder, or a file of rows: .jsonl (.gz, .zst) or .parquet; with --log, a log; with --map, rows of
    /// somebody else, also .csv or .tsv
    dataset: String,
    /// Have what is learned be learned here, instead of on half of the stories
    #[arg(long, value_name = "DATASET")]
    learn_on: Option<String>,
    /// Only questions of this kind; several times: of these
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Only the questions of this number; several times: of these
    #[arg(long, value_name = "N")]
    question: Vec<u64>,
    /// So many rows of a group of questions are learned from, and on as many it is tried
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: u32,
    /// Fail (exit code 1) if a shortcut is further above chance than this: 0.02 is two points
    #[arg(long, value_name = "SHARE", value_parser = share)]
    fail_over: Option<f64>,
    /// The same for the tree, which may ask all shortcuts; as --fail-over, if not given
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "fail_over")]
    tree_over: Option<f64>,
    /// Fail for questions of what is really so, too, which ask for no mind
    #[arg(long, requires = "fail_over")]
    every_kind: bool,
    /// It is a log of events or of conversations, as `replay` takes them
    #[arg(long, conflicts_with = "map")]
    log: bool,
    /// Which column holds what: choices, and answer or label; story, question, board, kind, chain, about, start
    #[arg(long, value_name = "PART=COLUMN,…")]
    map: Option<Mapping>,
    /// What stands between several choices, or minds, in one column
    #[arg(long, value_name = "TEXT", default_value = "|", requires = "map", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    separator: String,
    /// So many shortcuts of each group are shown, the worst
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    /// Write a page with plots as well, which needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How to say it: to people, or to programs, as a JSON object
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

/// A share of one.
fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("not between 0 and 1".into()) }
}

const CONTAINERS: [(&str, bool); 2] = [("open", true), ("closed", false)];

fn word_parser<T: Copy + Send + Sync>(words: &'static [(&str, T)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word))
        .map(|text| words.iter().find(|(word, _)| *word == text).expect("one of the possible values").1)
}

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong, and that has been said: exit code 1.
    Input,
    /// The command line asks for something that cannot be: exit code 2.
    Usage(String),
    /// A file or a stream failed: what was attempted, and why not. Exit code 3.
    Environment(String, std::io::Error),
    /// Whoever reads our output has seen enough: exit code 0.
    ReaderLeft,
    /// Somebody asked to stop: exit code 130.
    Interrupted,
}

impl Failure {
    /// What shells use for a process that Ctrl-C has stopped.
    const INTERRUPTED: u8 = 130;

    fn environment(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        |error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ReaderLeft,
            _ => Self::Environment(what.into(), error),
        }
    }
}

/// Runs the program: reads the command line, acts, and tells how it went.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse(); // ends the process with code 2 if they are wrong
    let done = match arguments.command {
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Check(arguments) => report::check(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::CheckStory(arguments) => check_story::check_story(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Merge(arguments) => folder::merge(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Score(arguments) => score::score(&arguments),
        Command::Respond(arguments) => respond::respond(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::List => report::list(),
        Command::Schema => print(SCHEMA),
    };
    match done {
        Ok(()) | Err(Failure::ReaderLeft) => ExitCode::SUCCESS,
        Err(Failure::Input) => ExitCode::from(1),
        Err(Failure::Usage(message)) => {
            say(&format!("error: {message}\n\nFor more information, try '--help'.\n"));
            ExitCode::from(2)
        }
        Err(Failure::Interrupted) => {
            say("stopped; the same command goes on with a dataset folder, and begins anew with a file\n");
            ExitCode::from(Failure::INTERRUPTED)
        }
        Err(Failure::Environment(what, error)) => {
            say(&format!("error: {what}: {error}\n"));
            ExitCode::from(3)
        }
    }
}

/// Says something to people. If even that fails, there is nobody to tell.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints a command's result.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(Failure::environment("writing to stdout"))
}

/// How to write for people on this stream.
fn look(stream: &impl IsTerminal) -> Look {
    let wants_colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width =
        terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).or(columns).unwrap_or(80);
    Look { colour: stream.is_terminal() && wants_colour && !is_dumb, width: width.clamp(40, 120) }
}
