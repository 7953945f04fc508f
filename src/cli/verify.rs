//! `storysim verify`: checks rows against what they should say.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, ColumnConstraint};
use indicatif::{HumanCount, ProgressBar};
use rayon::prelude::*;

use super::boards::{compile_aloud, load};
use super::progress::{Files, bar};
use super::report::{header, table};
use super::{Failure, ReportFormat, VerifyArguments, look, print, say};
use crate::dataset::{RowMaker, RowOptions};
use crate::diagnostic::counted;
use crate::files::Format;
use crate::folder::{Variant, Verified, variants};
use crate::plan::Plan;
use crate::select::Family;
use crate::storyboard::{BUILT_IN, Storyboard};
use crate::verify::{Disagreement, Inspector, ORDER_MAX};

/// The largest number of disagreements that are shown.
const SHOWN_MAX: usize = 10;

/// The largest number of events in a block of several stories.
const EVENTS_PER_BLOCK: usize = 10_000;

/// The largest number of stories that are made for one row, where few of them have answers.
const STORIES_PER_ROW_MAX: u64 = 4;

/// The largest number of values that minds hold over the events of one story: beyond it, one story would take minutes.
const COST_MAX: usize = 1 << 30;

pub fn verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    if arguments.oracle {
        return verify_by_oracle(arguments);
    }
    // All of them are looked at, whatever is wrong with one.
    let found = arguments.names.iter().map(|folder| verify_folder(folder, arguments));
    found.collect::<Vec<_>>().into_iter().collect()
}

fn verify_folder(folder: &str, arguments: &VerifyArguments) -> Result<(), Failure> {
    if !Path::new(folder).exists() && BUILT_IN.iter().any(|built_in| built_in.name == folder) {
        let message =
            format!("{folder} is a storyboard, not a dataset folder; use --oracle to check its rows");
        return Err(Failure::Usage(message));
    }
    let progress = Files::default();
    let verified = super::generate::threads(arguments.jobs)?
        .install(|| crate::folder::verify(folder, arguments.deep, &progress));
    progress.finish();
    let Verified { files, rows, bytes } = match verified {
        Err(Failure::Wrong(what)) => {
            say(&what);
            return Err(Failure::Input);
        }
        verified => verified?,
    };
    let again =
        if arguments.deep { "; some stories of each file were generated again and are the same" } else { "" };
    let files = counted(HumanCount(files as u64), "file");
    let (rows, bytes) = (counted(HumanCount(rows), "row"), counted(HumanCount(bytes), "byte"));
    print(&format!("{folder}: intact ({files}, {rows}, {bytes}){again}\n"))
}

fn verify_by_oracle(arguments: &VerifyArguments) -> Result<(), Failure> {
    let names = match &arguments.names[..] {
        [] => BUILT_IN.iter().map(|built_in| built_in.name.to_owned()).collect(),
        names => names.to_vec(),
    };
    let is_of_rows = |name: &&String| Format::of_name(name.as_ref()).is_some() && Path::new(name).is_file();
    if let Some(name) = names.iter().find(is_of_rows) {
        let message = format!(
            "{name} is a file of rows, and --oracle takes storyboards, whose rows it generates; `audit` and `score` read \
             files of rows"
        );
        return Err(Failure::Usage(message));
    }
    let boards = load(&names, ReportFormat::Text)?;
    let variants = variants(&boards, &arguments.settings)?;
    let mut said = Vec::new();
    let mut outcome = Ok(());
    let mut families = Vec::new();
    for variant in &variants {
        match compile_aloud(variant, &mut said, ReportFormat::Text, false) {
            Ok(admitted) => families.push(admitted.family),
            Err(failure) => outcome = Err(failure),
        }
    }
    outcome?;
    let mut outcome = Ok(());
    for (variant, family) in variants.iter().zip(&families) {
        outcome = family.plans().iter().try_for_each(|plan| is_affordable(variant, plan)).and(outcome);
    }
    outcome?;
    let threads = super::generate::threads(arguments.jobs)?;
    let progress = bar(arguments.rows, "rows");
    let count = variants.len() as u64;
    let mut reports = Vec::new();
    let mut shown = 0;
    for (at, (variant, family)) in (0_u64..).zip(variants.iter().zip(&families)) {
        let rows = arguments.rows / count + u64::from(at < arguments.rows % count);
        let run = Run { seed: arguments.seed, variant, family, progress: &progress };
        let report = threads.install(|| run.check(rows));
        for disagreement in report.shown.iter().take(SHOWN_MAX - shown) {
            progress.suspend(|| say(&run.message(disagreement)));
            shown += 1;
        }
        if progress.is_hidden() {
            // Nobody sees the bar; whoever reads this later wants to know how far it came.
            let (name, Report { rows, disagreements, .. }) = (variant.name(), &report);
            let (rows, disagreements) = (counted(rows, "row"), counted(disagreements, "disagreement"));
            say(&format!("{name}: {rows}, {disagreements}\n"));
        }
        reports.push((variant.name(), report));
    }
    progress.finish_and_clear();
    print(&summary(&reports))?;
    if reports.iter().all(|(_, report)| report.disagreements == 0) { Ok(()) } else { Err(Failure::Input) }
}

/// Refuses stories for which the written-out definition would take too long.
fn is_affordable(variant: &Variant<'_>, plan: &Plan) -> Result<(), Failure> {
    let inspector = Inspector::new(plan, 0, &[]);
    let (cost, order) = (inspector.oracle().cost(), inspector.oracle().order());
    let (name, problem) = (variant.name(), "is too large for the written-out definition");
    if order > ORDER_MAX {
        say(&format!(
            "error: {name} {problem}: a chain has {order} minds\nhelp: the limit is {ORDER_MAX} minds\n"
        ));
        return Err(Failure::Input);
    }
    if cost > COST_MAX {
        say(&format!(
            "error: {name} {problem}: the minds of one story hold {cost} values (steps, times minds along the chains \
             of its questions, times people and things)\nhelp: the limit is {COST_MAX}: use fewer steps, people, \
             things or questions\n"
        ));
        return Err(Failure::Input);
    }
    Ok(())
}

/// The results for one storyboard.
#[derive(Debug, Default)]
struct Report {
    stories: u64,
    rows: u64,
    chains: u64,
    disagreements: u64,
    /// The first disagreements, which are shown.
    shown: Vec<Disagreement>,
    elapsed: Duration,
}

impl Report {
    /// Adds the results that come after these.
    fn add(&mut self, mut other: Self) {
        self.stories += other.stories;
        self.rows += other.rows;
        self.chains += other.chains;
        self.disagreements += other.disagreements;
        self.shown.append(&mut other.shown);
        self.shown.truncate(SHOWN_MAX);
    }
}

/// The stories of one storyboard that are checked.
struct Run<'a> {
    seed: u64,
    variant: &'a Variant<'a>,
    family: &'a Family,
    progress: &'a ProgressBar,
}

impl Run<'_> {
    /// Checks stories from the first on until they have `rows` rows, but limits the number of stories per row, since
    /// there may be no answers. The number of stories does not depend on how many are made at once.
    fn check(&self, rows: u64) -> Report {
        let started = Instant::now();
        let mut report = Report::default();
        let rows_per_story = self.family.question_count().max(1) as u64;
        let stories_max = rows.saturating_mul(STORIES_PER_ROW_MAX);
        while report.rows < rows && report.stories < stories_max {
            let needed = (rows - report.rows).div_ceil(rows_per_story);
            let stories = needed.min(stories_max - report.stories);
            report.add(self.check_stories(report.stories..report.stories + stories));
        }
        report.elapsed = started.elapsed();
        report
    }

    fn check_stories(&self, stories: Range<u64>) -> Report {
        let horizon = self.family.steps_max();
        let per_block = (EVENTS_PER_BLOCK / horizon.max(1)).max(1) as u64;
        let set = self.variant.set();
        let new = || {
            // With the events come the lives, which are derived, too.
            let with_events = self.family.plans()[0].lives().is_some();
            let options = RowOptions { with_events, ..RowOptions::default() };
            let maker = RowMaker::new(self.family, self.seed, &set, options);
            let inspectors = self.family.plans().iter().map(|plan| Inspector::new(plan, self.seed, &set));
            (maker, inspectors.collect::<Vec<_>>(), String::new())
        };
        let blocks = (stories.end - stories.start).div_ceil(per_block);
        let mut report = Report::default();
        // Some blocks at a time: what is kept of them does not grow with their number.
        let batch = 64 * rayon::current_num_threads() as u64;
        for first in (0..blocks).step_by(batch as usize) {
            let block = |at: u64| {
                let start = stories.start + at * per_block;
                start..start.saturating_add(per_block).min(stories.end)
            };
            let done: Vec<Report> = (first..blocks.min(first + batch))
                .into_par_iter()
                .map_init(new, |(maker, inspectors, text), at| {
                    self.check_block(block(at), maker, inspectors, text)
                })
                .collect();
            done.into_iter().for_each(|block| report.add(block));
        }
        report
    }

    fn check_block(
        &self,
        stories: Range<u64>,
        maker: &mut RowMaker<'_>,
        inspectors: &[Inspector<'_>],
        text: &mut String,
    ) -> Report {
        let mut report = Report::default();
        for index in stories {
            text.clear();
            let rows = maker.rows(index, text) as u64;
            let inspector = &inspectors[maker.plan_number()];
            let mut found = inspector.inspect(maker.story(), text);
            let disagreements = found.len() as u64;
            found.truncate(SHOWN_MAX);
            report.add(Report {
                stories: 1,
                rows,
                chains: inspector.oracle().chain_count() as u64,
                disagreements,
                shown: found,
                elapsed: Duration::ZERO,
            });
        }
        self.progress.inc(report.rows);
        report
    }

    /// A message that says what is wrong, and how to see it again.
    fn message(&self, disagreement: &Disagreement) -> String {
        let (seed, index) = (self.seed, disagreement.index);
        let settings: String =
            self.variant.settings.iter().map(|(name, value)| format!(" --set {name}={value}")).collect();
        let Storyboard { name, source, .. } = self.variant.board;
        let is_built_in = BUILT_IN.iter().any(|built_in| built_in.source().name == source.name);
        let board = if is_built_in { &name.value } else { &source.name };
        // One question of a storyboard may stand for many.
        let asked = self.family.plans()[0].questions.get(disagreement.question);
        let asked = asked.map_or_else(String::new, |asked| format!(" ({})", asked.kind.key()));
        format!(
            "error: {} seed {seed}, {disagreement}{asked}; this is a bug\nhelp: storysim show {board}{settings} \
             --seed {seed} --index {index}\n",
            self.variant.name(),
        )
    }
}

/// A summary with one line for every storyboard, and the totals.
fn summary(reports: &[(String, Report)]) -> String {
    let look = look(&std::io::stdout());
    let mut table = table(look);
    let titles = ["storyboard", "stories", "rows", "chains", "disagreements", "rows/s"];
    table.set_header(header(&titles, look));
    let line = |name: &str, report: &Report| {
        let rate = report.rows as f64 / report.elapsed.as_secs_f64().max(1e-9);
        vec![
            name.to_owned(),
            report.stories.to_string(),
            report.rows.to_string(),
            report.chains.to_string(),
            report.disagreements.to_string(),
            format!("{rate:.0}"),
        ]
    };
    let mut all = Report::default();
    for (name, report) in reports {
        table.add_row(line(name, report));
        all.stories += report.stories;
        all.rows += report.rows;
        all.chains += report.chains;
        all.disagreements += report.disagreements;
        all.elapsed += report.elapsed;
    }
    if reports.len() > 1 {
        table.add_row(line("all", &all));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!(
        "{table}\n\nchains: answers that were derived by the written-out definition, in all stories.\n\
         disagreements: {} of {}.\n",
        all.disagreements,
        counted(all.rows, "row")
    )
}
