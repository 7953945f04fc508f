//! The page of a report: the study's figures, each with the numbers beside it.

use std::collections::BTreeMap;

use super::class::ErrorClass;
use super::report::{Accuracy, Group, ModelReport, QuestionErrors, Report};
use super::study;
use super::tally::Key;
use super::twins::TwinPairs;
use crate::page::{Bar, Lines, Page, Part, Plot, Point, Series, Stack, Table};

/// So many values stand in a table, or along a line, one by one; of more there are bins.
const VALUES_MAX: usize = 24;

/// The page of a report.
///
/// ```
/// use storysim::{dataset::Fields, score::{Reply, Response, Scorer, page}};
/// let choices = ["attic".to_owned(), "hall".to_owned()].into();
/// let row = Fields { answer: "hall".into(), choices, mislead_distance: Some(7), order: 1, ..Fields::default() };
/// let mut scorer = Scorer::new(vec!["model".into()]);
/// scorer.add(&row, &[Reply::Said(&Response::new("Answer: attic"))]).unwrap();
/// let html = page(&scorer.finish(), "rows.jsonl").html();
/// assert!(html.contains("mislead distance") && html.contains("unmentioned place"));
/// ```
pub fn page(report: &Report, dataset: &str) -> Page {
    let mut parts = vec![
        Part::Prose(format!(
            "What {} answered to the questions of {dataset}, of {} rows. Intervals are 95 % Wilson intervals; a row \
             without a response counts for nothing.",
            report.models.iter().map(|model| model.model.as_str()).collect::<Vec<_>>().join(", "),
            report.rows
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
    for by in keys(report) {
        parts.extend(group(report, &by));
    }
    parts.extend([Part::Heading("Consistency within a story".to_owned()), consistency(report)]);
    if report.models.iter().any(|model| model.twins.is_some()) {
        parts.extend([Part::Heading("Twins".to_owned()), twins(report)]);
    }
    Page { title: format!("Scores on {dataset}"), parts }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

pub(super) fn titles(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
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
        caption: "All rows with a response. Chance: what guessing among the choices would have right."
            .to_owned(),
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
    let caption = "Right answers on rows to which both responded; the difference in points; p after McNemar, two-sided.";
    Part::Table(Table { caption: caption.to_owned(), titles, text_columns: 2, rows: rows.collect() })
}

/// A probability, in as few digits as say something.
pub(crate) fn probability(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

/// A bar and a line for every model and kind of question.
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
    let stack = Stack { x: "wrong answers, of all answers".to_owned(), segments, bars };
    let mut titles = titles(&["questions", "rows"]);
    titles.extend(shown.iter().map(|(_, class)| class.title().to_owned()));
    let caption = "Errors. One that several shortcuts would give is counted under the first of them, from left to right; \
                   in brackets stands how many would be given by each.";
    let table = Table { caption: caption.to_owned(), titles, text_columns: 1, rows };
    let caption = "Wrong answers by the shortcut that they equal. What is missing to 100% is right.";
    vec![Part::Figure(Plot::Stack(stack), caption.to_owned()), Part::Table(table)]
}

/// Accuracy along the mislead distance, for every order.
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

/// All that rows are grouped by, where there are several groups; the distance aside.
fn keys(report: &Report) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (by, groups) in report.models.iter().flat_map(|model| &model.groups) {
        let is_distance = by == "mislead_distance" || by == "params.mislead_distance";
        if groups.len() > 1 && !is_distance && !keys.contains(by) {
            keys.push(by.clone());
        }
    }
    keys.sort();
    keys
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

/// A line for each of these names along an axis of numbers.
pub(super) fn plotted(x: &str, names: &[String], all: &[Vec<Group>], count_max: usize) -> Plot {
    let beside = side_by_side(all, count_max);
    let series = names.iter().enumerate().map(|(at, name)| {
        let points = beside.iter().filter_map(|line| {
            let Accuracy { accuracy, low, high, .. } = line.accuracies[at]?;
            Some(Point { x: line.x, y: accuracy, low, high })
        });
        Series { name: name.clone(), points: points.collect() }
    });
    let (x, y) = (x.to_owned(), "accuracy".to_owned());
    Plot::Lines(Lines { x, y, series: series.collect(), chance: chance(all) })
}

/// What guessing would have right of all rows together.
pub(super) fn chance(all: &[Vec<Group>]) -> Option<f64> {
    let all = all.iter().flatten().map(|group| group.accuracy).reduce(|all, more| all.with(&more));
    all.map(|all| all.chance)
}

fn table(report: &Report, title: &str, groups: impl Fn(&ModelReport) -> Vec<Group>) -> Part {
    let all: Vec<Vec<Group>> = report.models.iter().map(groups).collect();
    let mut titles = titles(&[title]);
    titles.extend(report.models.iter().map(|model| model.model.clone()));
    let caption = format!("Accuracy by {title}, with its interval, and of how many rows.");
    Part::Table(Table { caption, titles, text_columns: 1, rows: tabled(&all, VALUES_MAX) })
}

/// A row for every value, with a cell for each of these.
pub(super) fn tabled(all: &[Vec<Group>], count_max: usize) -> Vec<Vec<String>> {
    let cell = |accuracy: &Option<Accuracy>| {
        accuracy.map_or_else(String::new, |Accuracy { of, accuracy, low, high, .. }| {
            format!("{} ({:.1} – {:.1}) of {of}", percent(accuracy), low * 100.0, high * 100.0)
        })
    };
    let beside = side_by_side(all, count_max).into_iter();
    beside.map(|line| std::iter::once(line.name).chain(line.accuracies.iter().map(cell)).collect()).collect()
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
    let caption = "Stories asked about one target at several orders. The answer is what is asked at the highest order, \
                   the premises are what is asked below.";
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
    let caption = "Pairs of stories that differ in one event and in the answer. Right are those of which both are: who gives \
                   the same answer twice has at most one.";
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

/// What some models have of one value, or of a bin of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The value, or from where to where the bin goes.
    pub name: String,
    /// Where that is along an axis, if it is a number.
    pub x: f64,
    /// The accuracy of every model that has such rows.
    pub accuracies: Vec<Option<Accuracy>>,
}

/// The groups of some models by their values. If there are more values than that, and all are numbers, they are put
/// together to bins of equal width: 1, 2 or 5 times a power of ten.
pub fn side_by_side(models: &[Vec<Group>], count_max: usize) -> Vec<Line> {
    let mut by_value: BTreeMap<&Key, Vec<Option<Accuracy>>> = BTreeMap::new();
    for (at, groups) in models.iter().enumerate() {
        for group in groups {
            by_value.entry(&group.value).or_insert_with(|| vec![None; models.len()])[at] =
                Some(group.accuracy);
        }
    }
    let number = |key: &&Key| if let Key::Number(number) = key { Some(*number) } else { None };
    let numbers: Option<Vec<i64>> = by_value.keys().map(number).collect();
    let width = numbers.filter(|_| by_value.len() > count_max).map(|numbers| width(&numbers, count_max));
    let mut lines: Vec<Line> = Vec::new();
    for (value, accuracies) in by_value {
        let (name, x) = match (value, width) {
            (Key::Number(number), Some(width)) => {
                let from = i128::from(*number).div_euclid(width) * width;
                (format!("{from} – {}", from + width - 1), from as f64 + (width - 1) as f64 / 2.0)
            }
            (Key::Number(number), None) => (number.to_string(), *number as f64),
            (word, _) => (word.to_string(), 0.0),
        };
        match lines.last_mut().filter(|last| width.is_some() && last.name == name) {
            Some(last) => {
                for (own, more) in last.accuracies.iter_mut().zip(accuracies) {
                    *own = own.map_or(more, |own| Some(more.map_or(own, |more| own.with(&more))));
                }
            }
            None => lines.push(Line { name, x, accuracies }),
        }
    }
    lines
}

/// The least round width of which so many bins hold all numbers, which are sorted.
fn width(numbers: &[i64], count_max: usize) -> i128 {
    let (first, last) = (i128::from(numbers[0]), i128::from(numbers[numbers.len() - 1]));
    let bins = |width: i128| last.div_euclid(width) - first.div_euclid(width) + 1;
    let round = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i128.pow(power)));
    round.into_iter().find(|width| bins(*width) <= count_max as i128).expect("one bin holds all")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::report::accuracy_of;

    fn groups(numbers: impl IntoIterator<Item = i64>) -> Vec<Group> {
        let group = |number| Group { value: Key::Number(number), accuracy: accuracy_of(1, 2) };
        numbers.into_iter().map(group).collect()
    }

    fn names(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.name.as_str()).collect()
    }

    fn rows(lines: &[Line]) -> u64 {
        lines.iter().flat_map(|line| &line.accuracies).flatten().map(|accuracy| accuracy.of).sum()
    }

    #[test]
    fn many_numbers_are_put_into_bins() {
        let few = side_by_side(&[groups([3, 70]), groups([5])], 3);
        assert_eq!(names(&few), ["3", "5", "70"]);
        assert_eq!(few[1].accuracies, [None, Some(accuracy_of(1, 2))]);
        let many = side_by_side(&[groups(0..=99), groups([7])], 24);
        assert_eq!((many.len(), many[0].name.as_str(), many[0].x), (20, "0 – 4", 2.0));
        assert_eq!(many[0].accuracies, [Some(accuracy_of(5, 10)), None]);
        assert_eq!(many[1].accuracies, [Some(accuracy_of(5, 10)), Some(accuracy_of(1, 2))]);
        let wide = side_by_side(&[groups([i64::MIN, -5, 0, 7, i64::MAX])], 2);
        assert_eq!((wide.len(), rows(&wide)), (2, 10));
        assert_eq!(side_by_side(&[], 2), []);
    }

    #[test]
    fn words_are_not() {
        let group = |word: &str| Group { value: Key::Text(word.into()), accuracy: accuracy_of(1, 1) };
        assert_eq!(names(&side_by_side(&[vec![group("b"), group("a"), group("c")]], 2)), ["a", "b", "c"]);
    }
}
