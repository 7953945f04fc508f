//! `storysim score`: scores model answers and classifies the errors.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::abreast::{MODELS_ABREAST, beside, interval, percent, tabled};
use super::output::{refuse_no_place_for_page, write_page};
use super::responses::Responses;
use super::rows::{Complaints, Rows, refuse_to_replace};
use super::study::{experiment_at, study};
use super::{Failure, ScoreArguments, ScoreFormat, look, print, say};
use crate::dataset::{Fields, StoredRow};
use crate::diagnostic::counted;
use crate::render::Look;
use crate::score::{
    Accuracy, CaseShare, Consistency, ErrorClass, Group, Linked, LinkedGroup, ModelReport, Pair, Report,
    ResponseLine, Scorer, TwinPairs, TwinTriplets, page, probability,
};

/// The largest number of numeric values in a table. More are put into bins.
const VALUES_MAX: usize = 12;

pub fn score(arguments: &ScoreArguments) -> Result<(), Failure> {
    let names: BTreeSet<&str> = arguments.responses.iter().map(|model| model.name.as_str()).collect();
    if names.len() < arguments.responses.len() {
        let reason = "two models have the same name; rename one with NAME=FILE";
        return Err(Failure::Usage(reason.to_owned()));
    }
    if let Some(html) = &arguments.html {
        refuse_no_place_for_page(html)?;
        let responses = arguments.responses.iter().map(|model| model.file.as_path());
        refuse_to_replace(responses.chain([arguments.dataset.as_path()]), html)?;
    }
    let mut complaints = Complaints::default();
    let mut models = Vec::new();
    for model in &arguments.responses {
        models.push(Responses::read(model, &mut complaints, ResponseLine::of)?);
    }
    complaints.finish()?;
    if let Some(silent) = models.iter().find(|model| model.is_empty()) {
        return Err(Failure::Wrong(format!(
            "error: {}: this file has no responses\n",
            silent.file.display()
        )));
    }
    let report = scored(arguments, &mut models)?;
    if let Some(path) = &arguments.html {
        let dataset =
            arguments.dataset.file_name().unwrap_or(arguments.dataset.as_os_str()).to_string_lossy();
        write_page(path, &page(&report, &dataset))?;
    }
    match arguments.format {
        ScoreFormat::Json => {
            print(&format!("{}\n", serde_json::to_string(&report).expect("a report is JSON")))
        }
        ScoreFormat::Text => print(&written(&report, look(&std::io::stdout()))),
    }
}

/// Compares all responses with the rows.
fn scored(arguments: &ScoreArguments, models: &mut [Responses]) -> Result<Report, Failure> {
    let mut rows = Rows::at(&arguments.dataset)?;
    let names = models.iter().map(|model| model.name.clone()).collect();
    let mut scorer = Scorer::new(names).of(experiment_at(&arguments.dataset)?);
    while let Some(row) = rows.next()? {
        // Most rows of a large dataset may have no response: they need not be taken apart.
        let known = row.id();
        if !known.is_empty() && !models.iter().any(|model| model.has(known)) {
            scorer.skip(1);
            continue;
        }
        let compared = compare(&row, models, &mut scorer);
        rows.taken(compared);
    }
    rows.finish()?;
    if scorer.row_count() == 0 {
        return Err(Failure::Wrong(format!("error: {} has no rows\n", arguments.dataset.display())));
    }
    let mut complaints = Complaints::default();
    for model in models.iter() {
        let is_told = (!arguments.lenient).then_some(&mut complaints);
        let strangers = model.strangers(is_told, "row");
        if arguments.lenient && strangers > 0 {
            say(&format!(
                "warning: {}: skipped {} to rows that are not in the dataset\n",
                model.name,
                counted(strangers, "response")
            ));
        }
    }
    if complaints.finish().is_err() {
        say(
            "help: is this the dataset that the model answered? With --lenient, such responses are skipped.\n",
        );
        return Err(Failure::Input);
    }
    let report = scorer.finish();
    for model in report.models.iter().filter(|model| model.without_response > 0) {
        let ModelReport { model, without_response, failed, .. } = model;
        let failed = match failed {
            0 => String::new(),
            _ => format!(" ({})", counted(failed, "failed request")),
        };
        say(&format!(
            "warning: {model}: no response to {without_response} of {}{failed}; what has no response is not counted\n",
            counted(report.rows, "row")
        ));
    }
    Ok(report)
}

fn compare(row: &StoredRow, models: &mut [Responses], scorer: &mut Scorer) -> Result<(), String> {
    let fields = Fields::of(row).map_err(|error| format!("this is not a row: {error}"))?;
    if fields.id.is_empty() {
        return Err("this is not a row: it has no `id`".to_owned());
    }
    for model in models.iter_mut() {
        model.meet(&fields.id)?;
    }
    let replies: Vec<_> = models.iter().map(|model| model.reply(&fields.id)).collect();
    scorer.add(&fields, &replies)
}

/// The whole report as text.
pub fn written(report: &Report, look: Look) -> String {
    let mut text = format!("{}\n\n", counted(report.rows, "row"));
    text += &overall(report, look);
    text += &pairs(report, look);
    text += &report.study.as_ref().map_or_else(String::new, |found| study(found, look));
    text += &errors(report, look);
    for by in report.groups() {
        text += &group(report, by, look);
    }
    text += &consistency(report, look);
    text += &twins(report, look);
    text += &triplets(report, look);
    text += &linked(report, look);
    text + "Intervals are 95 % Wilson intervals. An error is counted under the first\n\
            shortcut that gives the same answer. The share in brackets counts it under\n\
            every shortcut that does. Missing rows have no response and are not counted.\n"
}

fn overall(report: &Report, look: Look) -> String {
    let row = |model: &ModelReport| {
        let Accuracy { right, of, accuracy, chance, .. } = model.overall;
        let numbers =
            [of.to_string(), right.to_string(), percent(accuracy), interval(&model.overall), percent(chance)];
        std::iter::once(model.model.clone())
            .chain(numbers)
            .chain([model.without_response.to_string()])
            .collect()
    };
    let titles = ["model", "rows", "right", "accuracy", "interval", "chance", "missing"];
    tabled(&titles, 1, report.models.iter().map(row).collect(), look)
}

fn pairs(report: &Report, look: Look) -> String {
    if report.pairs.is_empty() {
        return String::new();
    }
    let row = |pair: &Pair| {
        vec![
            format!("{} – {}", pair.first, pair.second),
            pair.of.to_string(),
            pair.only_first.to_string(),
            pair.only_second.to_string(),
            format!("{:+.1}", pair.difference * 100.0),
            probability(pair.p),
        ]
    };
    let titles = ["pair", "rows", "only first", "only second", "points", "p"];
    tabled(&titles, 1, report.pairs.iter().map(row).collect(), look)
}

/// A table with models side by side: every line has a title and a cell for each model.
fn abreast(
    report: &Report,
    title: &str,
    look: Look,
    lines: impl Fn(&[ModelReport]) -> Vec<Vec<String>>,
) -> String {
    let mut text = String::new();
    for models in report.models.chunks(MODELS_ABREAST) {
        let mut titles = vec![title];
        titles.extend(models.iter().map(|model| model.model.as_str()));
        text += &tabled(&titles, 1, lines(models), look);
    }
    text
}

fn errors(report: &Report, look: Look) -> String {
    let wrong = |model: &ModelReport| model.overall.of - model.overall.right;
    if report.models.iter().all(|model| wrong(model) == 0) {
        return String::new();
    }
    abreast(report, "errors", look, |models| {
        let mut lines = vec![
            std::iter::once("all".to_owned()).chain(models.iter().map(|m| wrong(m).to_string())).collect(),
        ];
        for class in ErrorClass::ALL {
            let cells: Vec<Option<String>> = models
                .iter()
                .map(|model| {
                    let error = model.errors.iter().find(|error| error.class == class)?;
                    let share = |count: u64| percent(count as f64 / wrong(model).max(1) as f64);
                    Some(format!("{} ({})", share(error.count), share(error.equals)))
                })
                .collect();
            if cells.iter().any(Option::is_some) {
                let cells = cells.into_iter().map(Option::unwrap_or_default);
                lines.push(std::iter::once(class.title().to_owned()).chain(cells).collect());
            }
        }
        lines
    })
}

fn group(report: &Report, by: &str, look: Look) -> String {
    let title = by.replace("params.", "").replace('_', " ");
    abreast(report, &title, look, |models| {
        let groups = |model: &ModelReport| model.groups.get(by).cloned().unwrap_or_default();
        beside(&models.iter().map(groups).collect::<Vec<_>>(), VALUES_MAX)
    })
}

fn consistency(report: &Report, look: Look) -> String {
    if report.models.iter().all(|model| model.consistency.of == 0) {
        return String::new();
    }
    abreast(report, "within a story", look, |models| {
        let line = |title: &str, count: fn(&Consistency) -> u64| {
            let cells = models.iter().map(|model| {
                let found = &model.consistency;
                let mut cell = String::new();
                let share = percent(count(found) as f64 / found.of.max(1) as f64);
                write!(cell, "{} ({share})", count(found)).expect("writing to a string");
                cell
            });
            std::iter::once(title.to_owned()).chain(cells).collect::<Vec<String>>()
        };
        vec![
            line("stories asked at several orders", |found| found.of),
            line("all right", |found| found.all_right),
            line("right answer on wrong premises", |found| found.right_on_wrong),
            line("wrong answer on right premises", |found| found.wrong_on_right),
            line("all wrong", |found| found.all_wrong),
            line("mixed", |found| found.mixed),
        ]
    })
}

fn twins(report: &Report, look: Look) -> String {
    if report.models.iter().all(|model| model.twins.is_none()) {
        return String::new();
    }
    abreast(report, "pairs of twins", look, |models| {
        let line = |title: &str, cell: &dyn Fn(&TwinPairs) -> String| {
            let cells = models.iter().map(|model| model.twins.as_ref().map_or_else(String::new, cell));
            std::iter::once(title.to_owned()).chain(cells).collect::<Vec<String>>()
        };
        let share = |pairs: &TwinPairs, count: u64| percent(count as f64 / pairs.accuracy.of as f64);
        vec![
            line("all", &|pairs| pairs.accuracy.of.to_string()),
            line("both right", &|pairs| {
                format!("{} ({})", percent(pairs.accuracy.accuracy), interval(&pairs.accuracy))
            }),
            line("both by chance", &|pairs| percent(pairs.accuracy.chance)),
            line("one right", &|pairs| share(pairs, pairs.one)),
            line("none right", &|pairs| share(pairs, pairs.neither)),
            line("same answer twice", &|pairs| share(pairs, pairs.same)),
        ]
    })
}

fn triplets(report: &Report, look: Look) -> String {
    if report.models.iter().all(|model| model.triplets.is_none()) {
        return String::new();
    }
    abreast(report, "triplets", look, |models| {
        let line = |title: &str, cell: &dyn Fn(&TwinTriplets) -> String| {
            let cells = models.iter().map(|model| model.triplets.as_ref().map_or_else(String::new, cell));
            std::iter::once(title.to_owned()).chain(cells).collect::<Vec<String>>()
        };
        let share = |found: &TwinTriplets, count: u64| percent(count as f64 / found.accuracy.of as f64);
        vec![
            line("all", &|found| found.accuracy.of.to_string()),
            line("all three right", &|found| {
                format!("{} ({})", percent(found.accuracy.accuracy), interval(&found.accuracy))
            }),
            line("all three by chance", &|found| percent(found.accuracy.chance)),
            line("two right", &|found| share(found, found.two)),
            line("one right", &|found| share(found, found.one)),
            line("none right", &|found| share(found, found.none)),
            line("first twin answered alike", &|found| share(found, found.same_as_first_twin)),
            line("second twin answered alike", &|found| share(found, found.same_as_second_twin)),
        ]
    })
}

/// The four cases of linked questions, and how many are fully correct by what they have in common.
fn linked(report: &Report, look: Look) -> String {
    if report.models.iter().all(|model| model.linked.is_none()) {
        return String::new();
    }
    let cell = |share: &CaseShare| format!("{} ({})", percent(share.share), percent(share.independent));
    let mut text = abreast(report, "linked questions", look, |models| {
        let found: Vec<_> =
            models.iter().map(|model| model.linked.as_ref().map(|linked| linked.cases)).collect();
        let all = found.iter().map(|cases| cases.map_or_else(String::new, |cases| cases.of.to_string()));
        let mut lines = vec![std::iter::once("all".to_owned()).chain(all).collect::<Vec<String>>()];
        let names = found.iter().flatten().next().map(|cases| cases.named().map(|(name, _)| name));
        for (at, name) in names.into_iter().flatten().enumerate() {
            let cells =
                found.iter().map(|cases| cases.map_or_else(String::new, |cases| cell(cases.named()[at].1)));
            lines.push(std::iter::once(name.to_owned()).chain(cells).collect());
        }
        lines
    });
    let groups = |model: &ModelReport, which: usize| -> Vec<Group> {
        let of = |linked: &Linked| linked.groups()[which].1.iter().map(LinkedGroup::correct).collect();
        model.linked.as_ref().map(of).unwrap_or_default()
    };
    let titles = report.models.iter().find_map(|model| model.linked.as_ref()).map(Linked::groups);
    for (which, (title, _)) in titles.into_iter().flatten().enumerate() {
        if report.models.iter().any(|model| groups(model, which).len() > 1) {
            let title = format!("fully correct by {title}");
            text += &abreast(report, &title, look, |models| {
                beside(&models.iter().map(|model| groups(model, which)).collect::<Vec<_>>(), VALUES_MAX)
            });
        }
    }
    text + "In brackets beside the cases of linked questions: what there would be of each\n\
            if errors did not go together.\n\n"
}
