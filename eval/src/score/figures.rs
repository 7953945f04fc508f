//! The page of a report: the study's figures, each with its numbers beside it.

use super::accuracy::{Accuracy, Group};
use super::beside::{percent, plotted, probability, tabled, titles};
use super::class::ErrorClass;
use super::linked::{CaseShare, Linked, LinkedCases, LinkedGroup};
use super::report::{ModelReport, QuestionErrors, Report};
use super::study;
use super::tally::Key;
use super::twins::{TwinPairs, TwinTriplets};
use crate::diagnostic::counted;
use crate::page::{Bar, Page, Part, Plot, Stack, Table};

/// The largest number of values that are listed one by one in a table or along a line. More are put into bins.
const VALUES_MAX: usize = 24;

/// The HTML page of a report.
///
/// ```
/// use storysim::{dataset::Fields, score::{Reply, Response, Scorer, page}};
/// let choices = ["attic".to_owned(), "hall".to_owned()].into();
/// let row = Fields { answer: "hall".into(), choices, label: 1, mislead_distance: Some(7), order: 1, ..Fields::default() };
/// let mut scorer = Scorer::new(vec!["model".into()]);
/// scorer.add(&row, &[Reply::Said(&Response::new("Answer: attic"))]).unwrap();
/// let html = page(&scorer.finish(), "rows.jsonl").html();
/// assert!(html.contains("mislead distance") && html.contains("unmentioned place"));
/// ```
pub fn page(report: &Report, dataset: &str) -> Page {
    let mut parts = vec![
        Part::Prose(format!(
            "How {} answered the {} of {dataset}. Intervals are 95 % Wilson intervals. Rows without a response \
             are not counted.",
            report.models.iter().map(|model| model.model.as_str()).collect::<Vec<_>>().join(", "),
            counted(report.rows, "row")
        )),
        Part::Heading("Accuracy".to_owned()),
        overall(report),
    ];
    if !report.pairs.is_empty() {
        parts.extend([Part::Heading("Differences on the same rows".to_owned()), pairs(report)]);
    }
    parts.extend(report.study.iter().flat_map(study::parts));
    parts.push(Part::Heading("Errors".to_owned()));
    parts.extend(errors(report));
    parts.extend(distances(report));
    // The distance has a section of its own.
    for by in report.groups().into_iter().filter(|by| *by != "mislead_distance") {
        parts.extend(group(report, by));
    }
    parts.extend([Part::Heading("Consistency within a story".to_owned()), consistency(report)]);
    if report.models.iter().any(|model| model.twins.is_some()) {
        parts.extend([Part::Heading("Twins".to_owned()), twins(report)]);
    }
    if report.models.iter().any(|model| model.triplets.is_some()) {
        parts.push(triplets(report));
    }
    if report.models.iter().any(|model| model.linked.is_some()) {
        parts.push(Part::Heading("Linked questions".to_owned()));
        parts.extend(linked(report));
    }
    Page { title: format!("Scores on {dataset}"), parts }
}

fn cells(accuracy: &Accuracy) -> [String; 5] {
    let Accuracy { right, of, accuracy, low, high, chance } = accuracy;
    let interval = format!("{} – {}", percent(*low), percent(*high));
    [of.to_string(), right.to_string(), percent(*accuracy), interval, percent(*chance)]
}

fn overall(report: &Report) -> Part {
    let row = |model: &ModelReport| {
        let mut row = vec![model.model.clone()];
        row.extend(cells(&model.overall));
        row.push(model.without_response.to_string());
        row
    };
    Part::Table(Table {
        caption: "All rows with a response. Chance: the accuracy of guessing among the choices.".to_owned(),
        titles: titles(&[
            "model",
            "rows",
            "right",
            "accuracy",
            "95 % interval",
            "chance",
            "without response",
        ]),
        text_columns: 1,
        rows: report.models.iter().map(row).collect(),
    })
}

fn pairs(report: &Report) -> Part {
    let rows = report.pairs.iter().map(|pair| {
        let numbers = [pair.of, pair.both, pair.only_first, pair.only_second, pair.neither];
        let mut row = vec![pair.first.clone(), pair.second.clone()];
        row.extend(numbers.map(|number| number.to_string()));
        row.extend([format!("{:+.1}", pair.difference * 100.0), probability(pair.p)]);
        row
    });
    let titles =
        titles(&["first", "second", "rows", "both", "only first", "only second", "neither", "points", "p"]);
    let caption = "Right answers on rows to which both responded, the difference in percentage points, and a two-sided p after McNemar.";
    Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 2, rows: rows.collect() })
}

/// For every model and kind of question, a bar with the shares of errors, and a table line.
fn errors(report: &Report) -> Vec<Part> {
    let occurs = |class: &ErrorClass| {
        report.models.iter().flat_map(|model| &model.errors).any(|error| error.class == *class)
    };
    let shown: Vec<(usize, ErrorClass)> =
        ErrorClass::ALL.into_iter().enumerate().filter(|(_, class)| occurs(class)).collect();
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for model in &report.models {
        for QuestionErrors { kind, order, of, classes } in &model.errors_by_question {
            let name = format!("{}: {kind}, order {order}", model.model);
            let mut row = vec![name.clone(), of.to_string()];
            let mut shares = Vec::new();
            for (_, class) in &shown {
                let error = classes.iter().find(|error| error.class == *class);
                shares.push(error.map_or(0.0, |error| error.count as f64 / (*of).max(1) as f64));
                row.push(
                    error.map_or_else(String::new, |error| format!("{} ({})", error.count, error.equals)),
                );
            }
            bars.push(Bar { name, shares });
            rows.push(row);
        }
    }
    // What is never the first shortcut that an error equals has no segment.
    let is_drawn: Vec<bool> =
        (0..shown.len()).map(|at| bars.iter().any(|bar: &Bar| bar.shares[at] > 0.0)).collect();
    for bar in &mut bars {
        let mut is_drawn = is_drawn.iter();
        bar.shares.retain(|_| is_drawn.next() == Some(&true));
    }
    let segments = shown.iter().zip(&is_drawn).filter(|(_, is_drawn)| **is_drawn);
    let segments = segments.map(|((colour, class), _)| (*colour, class.title().to_owned())).collect();
    let stack = Stack { x: "share of wrong answers".to_owned(), segments, bars };
    let mut titles = titles(&["questions", "rows"]);
    titles.extend(shown.iter().map(|(_, class)| class.title().to_owned()));
    let caption = "Errors. An error that several shortcuts share is counted under the first of them, from left to \
                   right; brackets show how many errors agree with each.";
    let table = Table { caption: caption.to_owned(), titles, text_columns: 1, rows };
    let caption = "Wrong answers by the shortcut that they agree with. The rest, up to 100%, is right.";
    vec![Part::Figure(Plot::Stack(stack), caption.to_owned()), Part::Table(table)]
}

/// The accuracy along the mislead distance, for every order.
fn distances(report: &Report) -> Vec<Part> {
    let mut orders: Vec<usize> =
        report.models.iter().flat_map(|model| model.mislead_distance_by_order.keys().copied()).collect();
    orders.sort_unstable();
    orders.dedup();
    let mut parts = Vec::new();
    for order in orders {
        let groups =
            |model: &ModelReport| model.mislead_distance_by_order.get(&order).cloned().unwrap_or_default();
        parts.push(Part::Heading(format!("Mislead distance, order {order}")));
        parts.push(lines(report, "mislead distance (steps)", groups));
        parts.push(table(report, "mislead distance", groups));
    }
    parts
}

fn group(report: &Report, by: &str) -> Vec<Part> {
    let title = by.replace("params.", "").replace('_', " ");
    let groups = |model: &ModelReport| model.groups.get(by).cloned().unwrap_or_default();
    let is_numeric = report.models.iter().flat_map(groups).all(|group| matches!(group.value, Key::Number(_)));
    let mut parts = vec![Part::Heading(format!("By {title}"))];
    if is_numeric {
        parts.push(lines(report, &title, groups));
    }
    parts.push(table(report, &title, groups));
    parts
}

fn lines(report: &Report, x: &str, groups: impl Fn(&ModelReport) -> Vec<Group>) -> Part {
    let names: Vec<String> = report.models.iter().map(|model| model.model.clone()).collect();
    let all: Vec<Vec<Group>> = report.models.iter().map(groups).collect();
    let plot = plotted(x, &names, &all, VALUES_MAX);
    Part::Figure(plot, "Bands are 95 % Wilson intervals; the dashed line is chance.".to_owned())
}

fn table(report: &Report, title: &str, groups: impl Fn(&ModelReport) -> Vec<Group>) -> Part {
    let all: Vec<Vec<Group>> = report.models.iter().map(groups).collect();
    let mut titles = titles(&[title]);
    titles.extend(report.models.iter().map(|model| model.model.clone()));
    let caption = format!("Accuracy by {title}, with its interval and the number of rows.");
    Part::Table(Table { caption, titles, text_columns: 1, rows: tabled(&all, VALUES_MAX) })
}

fn consistency(report: &Report) -> Part {
    let rows = report.models.iter().map(|model| {
        let found = &model.consistency;
        let cases =
            [found.all_right, found.right_on_wrong, found.wrong_on_right, found.all_wrong, found.mixed];
        let cell = |count: u64| format!("{count} ({})", percent(count as f64 / found.of.max(1) as f64));
        let mut row = vec![model.model.clone(), found.of.to_string()];
        row.extend(cases.map(cell));
        row
    });
    let caption = "Stories with questions about one target at several orders. The answer is the response at the highest \
                   order, and the premises are those below it.";
    let titles = titles(&[
        "model",
        "stories",
        "all right",
        "right on wrong premises",
        "wrong on right premises",
        "all wrong",
        "mixed",
    ]);
    Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 1, rows: rows.collect() })
}

fn twins(report: &Report) -> Part {
    let rows = report.models.iter().filter_map(|model| {
        let TwinPairs { accuracy, one, neither, same } = model.twins.as_ref()?;
        let mut row = vec![model.model.clone()];
        row.extend(cells(accuracy));
        row.extend([one, neither, same].map(u64::to_string));
        Some(row)
    });
    let caption = "Pairs of stories that differ in one event and in the answer. A pair is right if both answers are, so the \
                   same answer twice is never right.";
    let titles = titles(&[
        "model",
        "pairs",
        "both right",
        "pair accuracy",
        "95 % interval",
        "chance",
        "one right",
        "none right",
        "same answer twice",
    ]);
    Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 1, rows: rows.collect() })
}

fn triplets(report: &Report) -> Part {
    let rows = report.models.iter().filter_map(|model| {
        let found = model.triplets.as_ref()?;
        let TwinTriplets { accuracy, two, one, none, same_as_first_twin, same_as_second_twin } = found;
        let mut row = vec![model.model.clone()];
        row.extend(cells(accuracy));
        row.extend([two, one, none, same_as_first_twin, same_as_second_twin].map(u64::to_string));
        Some(row)
    });
    let caption = "Triplets: a story, a twin in which the target does the same, and one in which the minds do. A triplet is \
                   right if all three answers are. Whoever looks at the target alone gives the story and its first twin the \
                   same answer; whoever looks at the minds alone, the story and its second twin.";
    let titles = titles(&[
        "model",
        "triplets",
        "all right",
        "triplet accuracy",
        "95 % interval",
        "chance",
        "two right",
        "one right",
        "none right",
        "first twin alike",
        "second twin alike",
    ]);
    Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 1, rows: rows.collect() })
}

/// For every model and what questions have in common, a bar with the shares of the four cases, and a table line.
fn linked(report: &Report) -> Vec<Part> {
    let (mut bars, mut rows, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    let cell = |share: &CaseShare| {
        let CaseShare { count, share, low, high, independent } = share;
        let interval = format!("{:.1} – {:.1}", low * 100.0, high * 100.0);
        format!("{count}: {} ({interval}), independent {}", percent(*share), percent(*independent))
    };
    for (model, found) in report.models.iter().filter_map(|model| Some((model, model.linked.as_ref()?))) {
        let mut line = |name: String, cases: &LinkedCases| {
            let named = cases.named();
            segments = named.iter().enumerate().map(|(at, (name, _))| (at, (*name).to_owned())).collect();
            bars.push(Bar { name: name.clone(), shares: named.map(|(_, share)| share.share).to_vec() });
            rows.push(
                [vec![name, cases.of.to_string()], named.map(|(_, share)| cell(share)).to_vec()].concat(),
            );
        };
        line(format!("{}: all", model.model), &found.cases);
        for LinkedGroup { value, cases } in found.kind.iter().chain(&found.state) {
            line(format!("{}: {value}", model.model), cases);
        }
    }
    let x = "share of linked questions".to_owned();
    let caption = "Questions whose answers rest on others, which were answered, too. Fully correct: it is right, and so are all \
                   linked ones. Local error: only they are. Restoration: it is right, though one of them is wrong. Full error: \
                   it is wrong, and so is one of them.";
    let figure = Part::Figure(Plot::Stack(Stack { x, segments, bars }), caption.to_owned());
    let caption = "Linked questions of every case, with the share, its 95 % interval, and the share that there would be if the \
                   same accuracies came from errors that have nothing to do with each other.";
    let titles = titles(&["questions", "rows", "fully correct", "local error", "restoration", "full error"]);
    let table = Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 1, rows });
    let mut parts = vec![figure, table];
    for which in [2, 3] {
        parts.extend(along(report, which));
    }
    parts
}

/// How many linked questions are fully correct along the scenario of a change, or the number of scenarios.
fn along(report: &Report, which: usize) -> Vec<Part> {
    let groups = |model: &ModelReport| -> Vec<Group> {
        let of = |linked: &Linked| linked.groups()[which].1.iter().map(LinkedGroup::correct).collect();
        model.linked.as_ref().map(of).unwrap_or_default()
    };
    let all: Vec<Vec<Group>> = report.models.iter().map(groups).collect();
    let titled = report.models.iter().find_map(|model| Some(model.linked.as_ref()?.groups()[which].0));
    let Some(title) = titled.filter(|_| all.iter().any(|groups| groups.len() > 1)) else {
        return Vec::new();
    };
    let names: Vec<String> = report.models.iter().map(|model| model.model.clone()).collect();
    let caption = "Fully correct linked questions. Bands are 95 % Wilson intervals; the dashed line is what independent errors \
                   would give.";
    vec![Part::Figure(plotted(title, &names, &all, VALUES_MAX), caption.to_owned())]
}
