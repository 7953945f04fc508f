//! Arguments, files, progress and exit codes: everything that touches the outside.
//!
//! Rows and reports go to stdout or files. Everything said to people on the way goes to stderr.

mod abreast;
mod audit;
mod batch;
mod boards;
mod check;
mod check_story;
mod drawing;
mod fit;
mod generate;
mod interrupt;
mod list;
mod merge;
mod origins;
mod output;
mod packs;
mod paraphrase;
mod progress;
mod replay;
mod report;
mod respond;
mod responses;
mod rows;
mod scenarios;
mod score;
mod sheet;
mod shortcuts;
mod show;
mod study;
mod task;
mod verify;
mod worded;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::dataset::{Prompt, Splits, Unit};
use crate::experiment::{EXPERIMENTS, Experiment};
use crate::files::Format;
pub use crate::folder::Failure;
use crate::folder::{Setting, Shard};
use crate::log::Departures;
use crate::render::Look;
use crate::respond::Mock;
use crate::select::Twinning;
use crate::storyboard::SCHEMA;
use audit::AuditArguments;
pub use audit::table::report as audit_text;
use output::Target;
use paraphrase::ParaphraseCommand;
pub use report::survey_text;
pub use score::written as score_text;
use worded::Worded;

/// Generate short stories with provable answers about what their characters believe.
///
/// Start with `storysim list`, which shows the built-in storyboards, and `storysim show BOARD`, which shows a
/// story. Then write rows with `storysim generate BOARD --count N`.
#[derive(Debug, Parser)]
#[command(name = "storysim", version, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate stories and write their questions as rows.
    ///
    /// Use this to make a dataset. Rows go to stdout, to a file, or to a dataset folder that can be resumed,
    /// checked with `verify` and made on several machines.
    Generate(GenerateArguments),
    /// Check storyboards for errors and report how likely their conditions are; check packs.
    ///
    /// Use this while you write a storyboard or a pack. All errors are reported at once. For a valid storyboard you
    /// see how likely free play meets its conditions, how many different stories there are, and how its answers are
    /// spread. For a valid pack you see what it holds.
    Check(CheckArguments),
    /// Show stories with their questions, answers and evidence.
    ///
    /// Use this to read a story and follow what each mind in it believes. With --html, you get a page of stories with
    /// questions to tick, so that a person can be scored as a model is.
    Show(ShowArguments),
    /// Find out how a storyboard's stories are to be balanced, and keep it in a file.
    ///
    /// Use this where `balance` takes long to start, as it does with `learned`. The file is written beside the
    /// storyboard, and found there by all commands. Without it they find the same, and make the same stories.
    /// What an existing file says about other values of parameters is kept.
    Fit(FitArguments),
    /// Check whether a story written elsewhere satisfies a storyboard.
    ///
    /// Use this if you asked a person or a model for a story. If the story does not satisfy the storyboard, you
    /// see which condition fails at which step.
    CheckStory(CheckStoryArguments),
    /// Verify a dataset folder, or check rows against the definition of belief.
    ///
    /// Use this after copying a folder or making it on several machines. With --oracle, use it to convince
    /// yourself that the answers are right.
    Verify(VerifyArguments),
    /// Merge the parts of a dataset that were made with --shard.
    ///
    /// Use this when all machines are done and their parts are in one folder.
    Merge(MergeArguments),
    /// Derive the answers to questions about stories made elsewhere.
    ///
    /// Use this to check the answers of a published dataset, or to answer questions about your own logs of events.
    Replay(ReplayArguments),
    /// Score model answers and classify the errors.
    ///
    /// Use this after a model has answered the rows of a dataset. You get accuracies with intervals, differences
    /// between models, and the shortcuts that the errors agree with.
    Score(ScoreArguments),
    /// Write the questions of a dataset as a batch of requests to a model.
    ///
    /// Use this to ask a model through the batch interface of OpenAI, or of vLLM (`run-batch`), which takes the same.
    /// `score` reads what comes back.
    Batch(BatchArguments),
    /// Write stories as tasks of an evaluation harness.
    ///
    /// Use this if you evaluate models with a harness, which asks them and reports accuracies.
    #[command(subcommand)]
    Task(TaskCommand),
    /// Have a language model word stories again, and take what says the same.
    ///
    /// Use this for stories in words of a model's own, with answers that are as certain as before: a sentence is taken
    /// only if it is completely understood, and tells the same event of the same people, places and things.
    #[command(subcommand)]
    Paraphrase(ParaphraseCommand),
    /// Answer a dataset the way a shortcut would.
    ///
    /// Use this to try out `score` without a model, or to have a baseline beside one.
    Respond(RespondArguments),
    /// Measure how well a dataset can be answered without tracking minds.
    ///
    /// Use this before you trust a benchmark. If a simple shortcut does well, a model may do well without any
    /// notion of belief.
    Audit(AuditArguments),
    /// List the built-in storyboards and experiments, or packs.
    ///
    /// Each storyboard stands under what it is for, with its best shortcut: how many percentage points above chance it
    /// is, though it follows no mind. With --packs, you see the packs that words of stories come from. With --show, you
    /// get the text of one, to write your own from.
    List(ListArguments),
    /// Print the JSON Schema of the storyboard format.
    ///
    /// Use this to get completion and checks for storyboards in an editor.
    Schema,
}

#[derive(Debug, Args)]
#[command(override_usage = "storysim generate [OPTIONS] --count N BOARD...\n       \
                            storysim generate [OPTIONS] --count N --experiment NAME --out FOLDER")]
struct GenerateArguments {
    /// Storyboard files, or names of built-in storyboards
    #[arg(required_unless_present = "experiment", value_name = "BOARD")]
    boards: Vec<String>,
    /// Generate the stories of a ready-made study
    ///
    /// The study chooses the storyboards and their values, so give no BOARD. The stories go to a dataset folder,
    /// from which `score` draws the study's figures.
    #[arg(long, value_name = "NAME", value_parser = experiment_parser(), conflicts_with_all = ["boards", "settings"])]
    experiment: Option<&'static Experiment>,
    /// How many stories to make for every storyboard and every swept value
    #[arg(long, value_name = "N")]
    count: u64,
    /// Seed for all random choices; the same seed gives the same stories
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Set a parameter to a value, or sweep it over several
    ///
    /// A..B..STEP includes both ends. May be given once for each parameter.
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP")]
    settings: Vec<Setting>,
    /// Where to write: a file, a dataset folder, or `-` for stdout
    ///
    /// A name that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet is a file, and an existing file is replaced.
    /// A pipe or a device is written to directly. Anything else is a dataset folder: it is created, or completed
    /// if the same command began it.
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
    /// Format of the rows [default: from the file name, otherwise jsonl]
    #[arg(long, value_parser = format_parser())]
    format: Option<Format>,
    /// How many stories a file of a dataset folder holds [default: about 300 MB of text]
    ///
    /// With --split, files hold this many stories on average.
    #[arg(long, value_name = "STORIES", value_parser = clap::value_parser!(u64).range(1..))]
    shard_size: Option<u64>,
    /// Divide a dataset folder into splits, such as train=0.9,test=0.1
    ///
    /// No story is in two splits.
    #[arg(long, value_name = "NAME=SHARE,…")]
    split: Option<Splits>,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Make only part I of N, counting from 0
    ///
    /// For a dataset folder the files are divided into N parts, otherwise the stories.
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    #[command(flatten)]
    worded: Worded,
    /// Add the events of the story to every row as data
    #[arg(long)]
    with_events: bool,
    /// Add to every row how difficult its question is
    ///
    /// That is, how often the answer changed, how much bears on it and how much does not, which shortcuts are right, and how
    /// many of a hundred stories of the storyboard are easier.
    #[arg(long)]
    difficulty: bool,
    /// Keep only rows for which this holds, such as 'updates >= 3 and shortcuts_right == 0'
    ///
    /// It compares the numbers of --difficulty, `order`, `mislead_distance`, `false_belief` (0 or 1), `scenario` and `label`,
    /// with `and`, `or`, `not` and parentheses. Stories keep their numbers, and a story of which no row is kept is left out:
    /// --count says how many are looked at. Twins go with their story.
    #[arg(long = "where", value_name = "EXPR")]
    keep: Option<String>,
    /// Add the question to every row as a prompt for language models [possible values: plain, cot, shots:K]
    ///
    /// The fields `prompt` and `messages` hold what a reader needs, the choices, and how to answer such that `score` finds
    /// the answer. With cot, a model is asked to think first. With shots:K, K other stories with their answers come
    /// first.
    #[arg(long, value_name = "KIND")]
    prompt: Option<Prompt>,
    /// What one row is about: a question, or a story with a list of its questions
    #[arg(long, value_name = "UNIT", default_value = Unit::Question.name(), value_parser = unit_parser())]
    shape: Unit,
    /// Give every story a twin that differs in one event and in the answer
    ///
    /// The answer is that of the first `belief` question, or of the balanced one. The target does the same in both
    /// stories. The twin's rows follow those of the story and have `-twin` in their ids.
    ///
    /// With --twins=triplets there is a second twin, in which those whose minds the question is about do the same, one
    /// event of the target differs, and so does the answer. Its rows have `-target` in their ids.
    #[arg(
        long,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "pairs",
        value_parser = twins_parser()
    )]
    twins: Option<Twinning>,
    /// Check every story against its storyboard before it is written
    #[arg(long)]
    check: bool,
    /// Print only errors and warnings
    #[arg(long, short)]
    quiet: bool,
}

fn experiment_parser() -> impl TypedValueParser<Value = &'static Experiment> {
    PossibleValuesParser::new(EXPERIMENTS.iter().map(|experiment| experiment.name))
        .map(|name| Experiment::named(&name).expect("one of the possible values"))
}

fn twins_parser() -> impl TypedValueParser<Value = Twinning> {
    PossibleValuesParser::new(Twinning::ALL.map(Twinning::name))
        .map(|text| text.parse().expect("one of the possible values"))
}

fn unit_parser() -> impl TypedValueParser<Value = Unit> {
    PossibleValuesParser::new(Unit::ALL.map(Unit::name))
        .map(|text| text.parse().expect("one of the possible values"))
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::ending))
        .map(|text| text.parse().expect("one of the possible values"))
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Files of storyboards or packs, or names of built-in ones
    #[arg(required = true, value_name = "BOARD|PACK")]
    boards: Vec<String>,
    /// Set a parameter to a value, or sweep it over several
    ///
    /// A..B..STEP includes both ends. May be given once for each parameter.
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP")]
    settings: Vec<Setting>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Tables for people
    Text,
    /// One JSON object a line, also for errors
    Json,
}

#[derive(Debug, Args)]
struct ListArguments {
    /// List the built-in packs
    #[arg(long)]
    packs: bool,
    /// Print the text of a built-in storyboard or pack
    #[arg(long, value_name = "NAME", conflicts_with = "format")]
    show: Option<String>,
    /// Format of the list
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// A storyboard file, or the name of a built-in storyboard
    #[arg(value_name = "BOARD")]
    board: String,
    /// Seed for all random choices; the same seed gives the same stories
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Number of the story, counting from 0
    #[arg(long, value_name = "I", default_value_t = 0)]
    index: u64,
    /// Show this many stories, from that one on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=show::COUNT_MAX))]
    count: u64,
    /// Write a page of stories with questions to tick, instead of showing them here
    ///
    /// Answers and evidence are folded away, and so is a drawing of what happens in a story in scenarios. What is ticked
    /// can be saved on the page, as responses that `score` takes.
    #[arg(long, value_name = "PATH")]
    html: Option<PathBuf>,
    /// Set a parameter to a value
    #[arg(long = "set", value_name = "NAME=V")]
    settings: Vec<Setting>,
    #[command(flatten)]
    worded: Worded,
    /// Also show how difficult each question is
    #[arg(long, conflicts_with = "html")]
    difficulty: bool,
    /// Show only stories with a question for which this holds, as `generate --where` keeps them
    #[arg(long = "where", value_name = "EXPR", conflicts_with = "html")]
    keep: Option<String>,
}

#[derive(Debug, Args)]
struct FitArguments {
    /// A storyboard file, or the name of a built-in storyboard
    #[arg(value_name = "BOARD")]
    board: String,
    /// Set a parameter to a value, or sweep it over several
    #[arg(long = "set", value_name = "NAME=V|A..B..STEP")]
    settings: Vec<Setting>,
    /// Also find out how pairs of twins, or triplets, are to be balanced
    #[arg(
        long,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "pairs",
        value_parser = twins_parser()
    )]
    twins: Option<Twinning>,
    /// The file to write; by default BOARD with the ending `.weights.json` in place of `.yaml`
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct CheckStoryArguments {
    /// A storyboard file, or the name of a built-in storyboard
    #[arg(value_name = "BOARD")]
    board: String,
    /// A file with one story in words, or with rows or logs; `-` for stdin
    ///
    /// A story in words uses the sentences that storysim writes. Rows of a dataset and logs of events are one JSON
    /// object a line.
    #[arg(value_name = "STORY")]
    story: String,
    /// Set part of the cast, such as S1=Ann or first=garden
    ///
    /// This says who plays a role, which place a bind is, where an object is at the start, or whether a proposition
    /// is true. Separate several with commas. Anything that neither this option nor a row gives is searched for.
    #[arg(long = "cast", value_name = "NAME=VALUE")]
    cast: Vec<check_story::Casting>,
    /// Set a parameter to a value, overriding that of a row
    #[arg(long = "set", value_name = "NAME=V")]
    settings: Vec<Setting>,
    #[command(flatten)]
    worded: Worded,
}

#[derive(Debug, Args)]
#[command(override_usage = "storysim verify [--deep] [--jobs J] FOLDER...\n       \
                            storysim verify --oracle [OPTIONS] [BOARD]...")]
struct VerifyArguments {
    /// Dataset folders; with --oracle, storyboards [default with --oracle: all built-in ones]
    #[arg(value_name = "FOLDER|BOARD", required_unless_present = "oracle")]
    names: Vec<String>,
    /// Generate some stories of every file again and compare their rows
    #[arg(long, conflicts_with = "oracle")]
    deep: bool,
    /// Generate rows and derive their answers again by the written-out definition of belief
    ///
    /// This implementation of the definition shares no code with the one that made the rows.
    #[arg(long)]
    oracle: bool,
    /// With --oracle: how many rows to check, divided over the storyboards and values
    #[arg(long, value_name = "N", default_value_t = 10_000_000, requires = "oracle")]
    rows: u64,
    /// With --oracle: seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 0, requires = "oracle")]
    seed: u64,
    /// With --oracle: set a parameter to a value, or sweep it over several
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP", requires = "oracle")]
    settings: Vec<Setting>,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(Debug, Args)]
struct MergeArguments {
    /// The folder that holds all parts
    folder: String,
}

#[derive(Debug, Args)]
struct ReplayArguments {
    /// Files of logs, one JSON object a line; `-` for stdin
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<String>,
    /// Where to write: a .jsonl, .jsonl.gz or .jsonl.zst file, or `-` for stdout
    ///
    /// An existing file is replaced. A pipe or a device is written to directly.
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
    /// What those left behind see when someone leaves, overriding the log
    ///
    /// With `destination` they see where she goes; with `vanish` they only see that she goes.
    #[arg(long, value_parser = word_parser(&Departures::WORDS))]
    departures: Option<Departures>,
    /// Whether people see what is in containers, overriding the log
    #[arg(long, value_parser = word_parser(&CONTAINERS))]
    containers: Option<bool>,
    /// Skip what is impossible or cannot be read, with a warning
    #[arg(long)]
    lenient: bool,
}

#[derive(Debug, Args)]
struct ScoreArguments {
    /// The rows that the models answered: a dataset folder or a file of rows
    ///
    /// The name of a file ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// One file of responses for each model
    ///
    /// A file holds JSON Lines with `id` and `response`, samples from lm-evaluation-harness, or the output of an
    /// OpenAI batch. A model is named after its file unless NAME is given.
    #[arg(required = true, value_name = "FILE | NAME=FILE")]
    responses: Vec<responses::Model>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    format: ScoreFormat,
    /// Also write a page with tables and plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Skip responses to rows that are not in the dataset, with a warning
    #[arg(long)]
    lenient: bool,
}

/// The format of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScoreFormat {
    /// Tables for people
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
struct RespondArguments {
    /// The rows to answer: a dataset folder or a file of rows
    ///
    /// The name of a file ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Which responder answers
    ///
    /// `last-place` and `first-common` give the foil of that name, and `order-below` the answer one order lower.
    /// `random` gives any of the choices, `perfect` the right answer, and `refuser` refuses.
    ///
    /// `last-words:N` has read only the last N words of each story: it gives the right answer if they tell of all steps of
    /// the row's `evidence`, and any of the choices otherwise. N may be written as 20k or 1M. Where there is no evidence, the
    /// whole story has to be among them.
    #[arg(long = "as", value_name = "NAME")]
    who: Mock,
    /// The file of a storyboard that the rows were made of, unless it is built in, for `last-words:N`
    #[arg(long = "board", value_name = "PATH")]
    boards: Vec<String>,
    /// Seed for the guesses of `random` and `last-words:N`
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Where to write: a .jsonl, .jsonl.gz or .jsonl.zst file, or `-` for stdout
    ///
    /// An existing file is replaced. A pipe or a device is written to directly.
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
}

#[derive(Debug, Args)]
struct BatchArguments {
    /// The rows to ask about: a dataset folder or a file of rows
    ///
    /// The name of a file ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// The name of the model, as its server knows it
    #[arg(long, value_name = "NAME")]
    model: String,
    /// How the model is asked: plain or cot [default: the messages of the rows, otherwise plain]
    #[arg(long, value_name = "KIND")]
    prompt: Option<Prompt>,
    /// Further settings of each request, as a JSON object
    #[arg(long, value_name = "JSON")]
    body: Option<String>,
    /// Where to write: a .jsonl file, or `-` for stdout
    ///
    /// An existing file is replaced. A pipe or a device is written to directly.
    #[arg(long, value_name = "PATH", default_value = "-")]
    out: Target,
}

/// The harness that tasks are for.
#[derive(Debug, Subcommand)]
enum TaskCommand {
    /// Write tasks for lm-evaluation-harness
    ///
    /// Every kind and order of question is a task in two forms: `…_choice` compares the likelihoods of the choices, and
    /// `…_free` lets the model write and finds its answer as `score` does. `lm_eval --include_path FOLDER --tasks storysim`
    /// runs them all; it needs the Python package storysim. `score` reads the samples that it logs.
    LmEval(LmEvalArguments),
}

#[derive(Debug, Args)]
struct LmEvalArguments {
    /// Where to write the tasks; files of the same names are replaced
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Storyboard files, or names of built-in storyboards
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// How many stories to make for every storyboard and every swept value
    #[arg(long, value_name = "N")]
    count: u64,
    /// Seed for all random choices; the same seed gives the same stories
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Set a parameter to a value, or sweep it over several
    #[arg(long = "set", value_name = "NAME=V | NAME=A..B..STEP")]
    settings: Vec<Setting>,
    /// Give every story a twin, or two, as `generate --twins` does, and report how often all of them are answered right
    #[arg(
        long,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "pairs",
        value_parser = twins_parser()
    )]
    twins: Option<Twinning>,
    /// What the names of the tasks begin with; the group of all tasks has this name
    #[arg(long, value_name = "NAME", default_value = crate::task::NAME)]
    name: String,
}

const CONTAINERS: [(&str, bool); 2] = [("open", true), ("closed", false)];

fn word_parser<T: Copy + Send + Sync>(words: &'static [(&str, T)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word))
        .map(|text| words.iter().find(|(word, _)| *word == text).expect("one of the possible values").1)
}

/// What shells use for a process that Ctrl-C has stopped.
const INTERRUPTED: u8 = 130;

/// Runs the program: reads the command line of the process, acts, and tells how it went.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with these arguments, of which the first is its own name. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => code(act(arguments.command)),
        Err(told) => {
            let _ = told.print(); // help, or what is wrong with the arguments; if that fails, there is nobody to tell
            told.exit_code() as u8
        }
    }
}

fn act(command: Command) -> Result<(), Failure> {
    match command {
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Fit(arguments) => fit::fit(&arguments),
        Command::CheckStory(arguments) => check_story::check_story(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Merge(arguments) => merge::merge(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Score(arguments) => score::score(&arguments),
        Command::Batch(arguments) => batch::batch(&arguments),
        Command::Task(TaskCommand::LmEval(arguments)) => task::lm_eval(&arguments),
        Command::Paraphrase(command) => paraphrase::run(&command),
        Command::Respond(arguments) => respond::respond(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Schema => print(SCHEMA),
    }
}

/// The exit code that says how it went; what has not been told yet is told.
fn code(done: Result<(), Failure>) -> u8 {
    match done {
        Ok(()) | Err(Failure::ReaderLeft) => 0,
        Err(Failure::Input) => 1,
        Err(Failure::Wrong(what)) => {
            say(&what);
            1
        }
        Err(Failure::Usage(message)) => {
            say(&format!("error: {message}\n\nFor more information, try '--help'.\n"));
            2
        }
        Err(Failure::Interrupted) => {
            say("stopped; run the same command again to resume a dataset folder, or to start a file over\n");
            INTERRUPTED
        }
        Err(Failure::Environment(what, error)) => {
            say(&format!("error: {what}: {error}\n"));
            3
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
