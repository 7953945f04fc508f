//! `storysim audit`: how well a dataset can be answered without tracking minds.

mod arguments;
mod built_in;
mod sources;
pub(super) mod table;

use std::io;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::output::{refuse_no_place_for_page, write_page};
use super::progress::spinner;
use super::rows::refuse_to_replace;
use super::{Failure, ReportFormat, look, print, say};
use crate::audit::{
    Audit, BEGINS_TO_FOLLOW, Case, Finding, Group, GroupReport, JointGroup, Limits, Mapping, Measured,
    Options, Report, Seen, Subject, TREE, page,
};
pub use arguments::AuditArguments;
use sources::{Held, Item, Wrong};

/// The largest number of problems that are reported. The others are only counted.
const TOLD_MAX: usize = 20;

/// The largest number of items that are measured at a time.
const BATCH: usize = 1_024;
const BATCH_BYTES: usize = 32 << 20;

pub fn audit(arguments: &AuditArguments) -> Result<(), Failure> {
    if let Some((boards, out)) = arguments.built_in.as_ref().zip(arguments.out.as_ref()) {
        return built_in::measure(boards, out);
    }
    let dataset = arguments.dataset();
    let options =
        Options { sample: arguments.sample as usize, is_taught_elsewhere: arguments.learn_on.is_some() };
    if let Some(html) = &arguments.html {
        refuse_no_place_for_page(html)?;
        let read = arguments.learn_on.iter().map(String::as_str).chain([dataset]).map(Path::new);
        refuse_to_replace(read, html)?;
    }
    let mut audit = Audit::new(options);
    if let Some(elsewhere) = &arguments.learn_on {
        let mut learned = 0;
        run(arguments, elsewhere, &mut |row| {
            learned += 1;
            audit.learn_from(row);
        })?;
        if learned == 0 {
            return Err(nothing(arguments, elsewhere, "to learn from"));
        }
    }
    let unanswered = run(arguments, dataset, &mut |row| audit.add(row))?;
    let report = learned(audit);
    if report.rows == 0 {
        return Err(nothing(arguments, dataset, "to audit"));
    }
    if let Some(path) = &arguments.html {
        let (name, learn_on) = (named(dataset), arguments.learn_on.as_deref().map(named));
        let subject = Subject { dataset: &name, learn_on: learn_on.as_deref(), unanswered };
        write_page(path, &page(&report, subject))?;
    }
    let failures = arguments.fail_over.map(|over| failures(&report, arguments, over));
    let learners = arguments.learner_over.as_ref().map(|limits| learners(&report, arguments, limits));
    let joint_over = arguments.joint_over.or(arguments.fail_over);
    let joint = joint_over.map(|over| joint(&report, arguments, over));
    match arguments.format {
        ReportFormat::Text => {
            let look = look(&io::stdout());
            print(&table::report(&report, unanswered, arguments.show, look))?;
        }
        ReportFormat::Json => {
            let whole = Whole {
                dataset,
                learn_on: arguments.learn_on.as_deref(),
                sample: arguments.sample,
                unanswered,
                report: &report,
                fail_over: arguments.fail_over,
                tree_over: arguments.tree_over,
                failures: failures.as_deref(),
                learner_over: arguments.learner_over.as_ref(),
                learner_failures: learners.as_deref(),
                joint_over: arguments.joint_over,
                joint_failures: joint.as_deref(),
            };
            print(&(serde_json::to_string(&whole).expect("a report is JSON") + "\n"))?;
        }
    }
    let (failures, learners) = (failures.unwrap_or_default(), learners.unwrap_or_default());
    let joint = joint.unwrap_or_default();
    if let Some(over) = arguments.fail_over.filter(|_| !failures.is_empty()) {
        say(&blame(&failures, over));
    }
    if let Some(limits) = arguments.learner_over.as_ref() {
        say(&blame_learners(&report, arguments, &learners, limits));
    }
    if let Some(over) = joint_over.filter(|_| !joint.is_empty()) {
        say(&blame_joint(&joint, over));
    }
    if failures.is_empty() && learners.is_empty() && joint.is_empty() { Ok(()) } else { Err(Failure::Input) }
}

/// The report of an audit. Learning takes a while.
fn learned(audit: Audit) -> Report {
    let spinner = spinner("rows learned from");
    spinner.inc(audit.rows());
    let report = audit.report();
    spinner.finish_and_clear();
    report
}

/// The name of a data set: without its folder, which depends on the machine.
fn named(dataset: &str) -> String {
    let path = Path::new(dataset);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The whole report in the form for programs.
#[derive(Serialize)]
struct Whole<'a> {
    dataset: &'a str,
    learn_on: Option<&'a str>,
    sample: u32,
    /// The number of questions in logs that have no answer among their choices.
    unanswered: u64,
    #[serde(flatten)]
    report: &'a Report,
    fail_over: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree_over: Option<f64>,
    failures: Option<&'a [Fault<'a>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    learner_over: Option<&'a Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    learner_failures: Option<&'a [Fault<'a>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_over: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_failures: Option<&'a [&'a JointGroup]>,
}

/// A shortcut that does too well.
#[derive(Serialize)]
struct Fault<'a> {
    #[serde(flatten)]
    group: &'a Group,
    #[serde(flatten)]
    finding: &'a Finding,
}

fn failures<'a>(report: &'a Report, arguments: &AuditArguments, over: f64) -> Vec<Fault<'a>> {
    let tree_over = arguments.tree_over.unwrap_or(over);
    let of_group = |group: &'a GroupReport| {
        let is_of_many = |finding: &Finding| finding.key == TREE || finding.key == BEGINS_TO_FOLLOW;
        let limit = move |finding: &Finding| if is_of_many(finding) { tree_over } else { over };
        let found =
            group.above(over.min(tree_over)).filter(move |finding| finding.over > limit(finding) + 1e-9);
        found.map(|finding| Fault { group: &group.group, finding })
    };
    judged(report, arguments).flat_map(of_group).collect()
}

/// The groups to which limits apply.
fn judged<'a>(report: &'a Report, arguments: &AuditArguments) -> impl Iterator<Item = &'a GroupReport> {
    let every_kind = arguments.every_kind;
    report.groups.iter().filter(move |group| group.asks_for_minds || every_kind)
}

/// The learners that pass their limits.
fn learners<'a>(report: &'a Report, arguments: &AuditArguments, limits: &Limits) -> Vec<Fault<'a>> {
    let of_group = |group: &'a GroupReport| {
        let found = group.learning.sights.iter().filter(|seen| limits.are_passed_by(seen));
        found.map(|Seen { finding, .. }| Fault { group: &group.group, finding }).collect::<Vec<_>>()
    };
    judged(report, arguments).flat_map(of_group).collect()
}

/// The groups of questions in which the joint solver passes its limit.
fn joint<'a>(report: &'a Report, arguments: &AuditArguments, over: f64) -> Vec<&'a JointGroup> {
    let mut above = report.joint.as_ref().map(|joint| joint.above(over)).unwrap_or_default();
    above.retain(|group| group.asks_for_minds || arguments.every_kind);
    above
}

fn blame_joint(failures: &[&JointGroup], over: f64) -> String {
    let mut text = format!(
        "error: the choices of a story's questions give each other away, more than {:.1} points above chance\n",
        over * 100.0
    );
    for JointGroup { group, finding, .. } in failures.iter().take(TOLD_MAX) {
        let [right, chance, decided] =
            [finding.accuracy, finding.chance, finding.decided].map(|share| share * 100.0);
        text.push_str(&format!("  {group}: {right:.1}%, chance {chance:.1}%; {decided:.1}% decided\n"));
    }
    if failures.len() > TOLD_MAX {
        text.push_str(&format!("  … and {} more\n", failures.len() - TOLD_MAX));
    }
    text
}

/// What is said about learners: those that pass their limits, and groups from which nothing could be learned.
fn blame_learners(
    report: &Report,
    arguments: &AuditArguments,
    failures: &[Fault<'_>],
    limits: &Limits,
) -> String {
    let mut text = String::new();
    for group in judged(report, arguments) {
        if let Some(reason) = group.learning.too_few() {
            text.push_str(&format!("warning: {}: {reason}, so --learner-over says nothing\n", group.group));
        }
    }
    if !failures.is_empty() {
        let limits = serde_json::to_string(limits).expect("limits are JSON");
        text.push_str(&format!("error: learners find more than --learner-over allows, {limits}\n"));
        text.push_str(&told(failures));
    }
    text
}

fn blame(failures: &[Fault<'_>], over: f64) -> String {
    let mut text = format!(
        "error: {} more than {:.1} points above chance\n",
        match failures.len() {
            1 => "a shortcut is".to_owned(),
            count => format!("{count} shortcuts are"),
        },
        over * 100.0
    );
    text.push_str(&told(failures));
    text
}

/// A line for each of the first failures.
fn told(failures: &[Fault<'_>]) -> String {
    let mut text = String::new();
    for Fault { group, finding } in failures.iter().take(TOLD_MAX) {
        let which = finding.which.as_ref().map(|which| format!(" ({which})")).unwrap_or_default();
        text.push_str(&format!(
            "  {}: {}{which} {:.1}% [{:.1}–{:.1}], chance {:.1}%\n",
            group,
            finding.key,
            finding.accuracy * 100.0,
            finding.low * 100.0,
            finding.high * 100.0,
            finding.chance * 100.0
        ));
    }
    if failures.len() > TOLD_MAX {
        text.push_str(&format!("  … and {} more\n", failures.len() - TOLD_MAX));
    }
    text
}

/// The failure that a dataset contains no question.
fn nothing(arguments: &AuditArguments, dataset: &str, to_do: &str) -> Failure {
    say(&format!("error: {dataset} has no question {to_do}\n"));
    if !arguments.only.is_empty() || !arguments.question.is_empty() {
        say("help: no question matches --only and --question\n");
    }
    Failure::Input
}

/// Measures everything in a data set, in order. Returns how many questions have no answer.
fn run(arguments: &AuditArguments, name: &str, take: &mut dyn FnMut(Measured)) -> Result<u64, Failure> {
    let with_separator = |mapping: Mapping| mapping.separated_by(&arguments.separator);
    let mapping = arguments.map.clone().map(with_separator);
    let (mut items, reader) = sources::open(name, arguments.log, mapping)?;
    let wanted = |group: &Group| {
        let is_kind = arguments.only.is_empty() || arguments.only.contains(&group.kind);
        let number = group.question;
        is_kind
            && (arguments.question.is_empty()
                || number.is_some_and(|number| arguments.question.contains(&number)))
    };
    let spinner = spinner("rows");
    let (mut wrong, mut unanswered) = (0, 0);
    loop {
        let batch = items.batch(BATCH, BATCH_BYTES)?;
        if batch.is_empty() {
            break;
        }
        let measured: Vec<(Vec<Measured>, u64, Vec<Wrong>)> = batch
            .into_par_iter()
            .map(|item: Item| {
                let mut rows = Vec::new();
                let mut measure = |case: Case| rows.extend(wanted(&case.group).then(|| Measured::of(case)));
                let Held { unanswered, wrong } = reader.read(item, &mut measure);
                (rows, unanswered, wrong)
            })
            .collect();
        for (rows, without, problems) in measured {
            unanswered += without;
            for problem in problems {
                wrong += 1;
                if wrong <= TOLD_MAX {
                    let text = problem.text(arguments.lenient, look(&io::stderr()));
                    spinner.suspend(|| say(&text));
                }
            }
            spinner.inc(rows.len() as u64);
            if wrong == 0 || arguments.lenient {
                rows.into_iter().for_each(&mut *take);
            }
        }
    }
    spinner.finish_and_clear();
    if wrong > TOLD_MAX {
        say(&format!("{name}: … and {} more\n", wrong - TOLD_MAX));
    }
    if wrong == 0 || arguments.lenient {
        return Ok(unanswered);
    }
    say("help: with --lenient, what is impossible or cannot be read is skipped\n");
    Err(Failure::Input)
}
