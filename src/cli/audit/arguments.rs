//! The arguments of `storysim audit`.

use std::path::PathBuf;

use clap::Args;

use super::super::ReportFormat;
use crate::audit::{Limits, Mapping};

/// The options that say something about a dataset.
const NOT_OF_BUILT_IN: [&str; 12] = [
    "dataset",
    "learn_on",
    "only",
    "question",
    "fail_over",
    "tree_over",
    "learner_over",
    "joint_over",
    "every_kind",
    "log",
    "map",
    "html",
];

#[derive(Debug, Args)]
#[command(override_usage = "storysim audit [OPTIONS] DATASET\n       \
                            storysim audit --built-in [BOARD]... --out FILE")]
pub struct AuditArguments {
    /// A dataset folder or a file of rows; with --log, a log; with --map, any table
    ///
    /// A file of rows ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet; a table may also be .csv or .tsv.
    #[arg(required_unless_present = "built_in")]
    pub dataset: Option<String>,
    /// Measure again what built-in storyboards give away, all of them or these
    ///
    /// This makes stories and audits them; for all storyboards it takes minutes. The figures are those that `list`, `check`
    /// and the cards of dataset folders show. What FILE says about other storyboards is kept.
    #[arg(long, value_name = "BOARD", num_args = 0.., requires = "out", conflicts_with_all = NOT_OF_BUILT_IN)]
    pub built_in: Option<Vec<String>>,
    /// With --built-in: the file to write, such as storyboards/shortcuts.json
    #[arg(long, value_name = "FILE", requires = "built_in", conflicts_with = "dataset")]
    pub out: Option<PathBuf>,
    /// Learn on this dataset instead of on half of the stories
    #[arg(long, value_name = "DATASET")]
    pub learn_on: Option<String>,
    /// Audit only questions of this kind; may be given several times
    #[arg(long, value_name = "KIND")]
    pub only: Vec<String>,
    /// Audit only the question with this number; may be given several times
    #[arg(long, value_name = "N")]
    pub question: Vec<u64>,
    /// How many rows of each group to learn on, and how many to test on
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub sample: u32,
    /// Exit with code 1 if a shortcut is further above chance than this; 0.02 is two points
    ///
    /// Where questions ask what news does to somebody, shortcuts that follow two people at once have no limit.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub fail_over: Option<f64>,
    /// The same limit for the decision tree over all shortcuts, and for `left_first_unvisited`, which begins to follow a
    /// mind [default: that of --fail-over]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "fail_over")]
    pub tree_over: Option<f64>,
    /// Exit with code 1 if what boosted trees learn is further above chance than this, beyond its interval
    ///
    /// One limit is for all sights but `meetings` and `moves`, which follow minds. Sights can have limits of their own, as in
    /// 0.02,both=0.12; they are options, surface, target, minds and both.
    #[arg(long, value_name = "LIMITS")]
    pub learner_over: Option<Limits>,
    /// Exit with code 1 if the joint solver is further above chance than this in a group of questions [default: that of
    /// --fail-over]
    ///
    /// It reads no story. It compares the choices of all questions of a story with each other, and takes away what does not fit.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub joint_over: Option<f64>,
    /// Apply --fail-over, --learner-over and --joint-over to questions about reality as well, which involve no mind
    #[arg(long)]
    pub every_kind: bool,
    /// Read DATASET as a log of events or of conversations, as `replay` does
    #[arg(long, conflicts_with = "map")]
    pub log: bool,
    /// Read DATASET as a table, and say which column holds what
    ///
    /// The parts are choices, and answer or label; optionally story, story-id, question, board, kind, chain, about and
    /// start.
    #[arg(long, value_name = "PART=COLUMN,…")]
    pub map: Option<Mapping>,
    /// Skip what is impossible or cannot be read, with a warning
    #[arg(long)]
    pub lenient: bool,
    /// What separates several choices or minds in one column
    #[arg(long, value_name = "TEXT", default_value = "|", requires = "map", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub separator: String,
    /// How many shortcuts of each group to show, the most successful first
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
    /// Also write a self-contained page with plots to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
}

impl AuditArguments {
    /// The dataset that is audited.
    ///
    /// # Panics
    /// If built-in storyboards are measured instead.
    pub fn dataset(&self) -> &str {
        self.dataset.as_deref().expect("it is required without --built-in")
    }
}

/// A share of one.
fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("not between 0 and 1".into()) }
}
