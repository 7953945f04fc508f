//! The page of a report: the study's figures, each with the numbers beside it.

use super::class::ErrorClass;
use super::report::{Accuracy, Group, ModelReport, QuestionErrors, Report};
use super::tally::Key;
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
    parts.push(Part::Heading("Errors".to_owned()));
    parts.extend(errors(report));
    parts.extend(distances(report));
    for by in keys(report) {
        parts.extend(group(report, &by));
    }
    parts.extend([Part::Heading("Consistency within a story".to_owned()), consistency(report)]);
    Page { title: format!("Scores on {dataset}"), parts }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn titles(titles: &[&str]) -> Vec<String> {
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

fn errors(report: &Report) -> Vec<Part> {
    let mut bars = Vec::new();
    let mut rows = Vec::new();
    for model in &report.models {
        for question in &model.errors_by_question {
            let QuestionErrors { kind, order, of, classes } = question;
            let name = format!("{}: {kind}, order {order}", model.model);
            let share = |class| {
                let count = classes.iter().find(|error| error.class == class).map_or(0, |error| error.count);
                count as f64 / (*of).max(1) as f64
            };
            let shares = ErrorClass::ALL.map(share).to_vec();
            bars.push(Bar { name: name.clone(), shares });
            for error in classes {
                rows.push(vec![
                    name.clone(),
                    error.class.title().to_owned(),
                    error.count.to_string(),
                    percent(error.count as f64 / (*of).max(1) as f64),
                    error.equals.to_string(),
                ]);
            }
        }
    }
    let occurs = |class: &ErrorClass| {
        let mut counts = report.models.iter().flat_map(|model| &model.errors);
        counts.any(|error| error.class == *class && error.count > 0)
    };
    let shown: Vec<usize> = (0..ErrorClass::ALL.len()).filter(|at| occurs(&ErrorClass::ALL[*at])).collect();
    for bar in &mut bars {
        bar.shares = shown.iter().map(|at| bar.shares[*at]).collect();
    }
    let segments = shown.iter().map(|at| (*at, ErrorClass::ALL[*at].title().to_owned())).collect();
    let stack = Stack { x: "wrong answers, of all answers".to_owned(), segments, bars };
    let table = Table {
        caption:
            "Errors. An error that several shortcuts would give is counted once under the first of them, and \
                  under each in the last column."
                .to_owned(),
        titles: titles(&["questions", "error", "count", "of answers", "equal it"]),
        text_columns: 2,
        rows,
    };
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
    let (mut rows, mut chance) = (0.0, 0.0);
    let mut series = Vec::new();
    for model in &report.models {
        let points = binned(&groups(model), VALUES_MAX).into_iter().map(|(_, x, accuracy)| {
            rows += accuracy.of as f64;
            chance += accuracy.chance * accuracy.of as f64;
            Point { x, y: accuracy.accuracy, low: accuracy.low, high: accuracy.high }
        });
        series.push(Series { name: model.model.clone(), points: points.collect() });
    }
    let chance = (rows > 0.0).then(|| chance / rows);
    let lines = Lines { x: x.to_owned(), y: "accuracy".to_owned(), series, chance };
    Part::Figure(Plot::Lines(lines), "Bands are 95 % Wilson intervals; the dashed line is chance.".to_owned())
}

fn table(report: &Report, title: &str, groups: impl Fn(&ModelReport) -> Vec<Group>) -> Part {
    let mut rows = Vec::new();
    for model in &report.models {
        for (name, _, accuracy) in binned(&groups(model), VALUES_MAX) {
            let mut row = vec![model.model.clone(), name];
            row.extend(cells(&accuracy));
            rows.push(row);
        }
    }
    let titles = titles(&["model", title, "rows", "right", "accuracy", "95 % interval", "chance"]);
    Part::Table(Table { caption: format!("Accuracy by {title}."), titles, text_columns: 2, rows })
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

/// Groups with their names and where they are along an axis; numbers, if there are more of them than that, put together to
/// bins of equal width, 1, 2 or 5 times a power of ten.
pub fn binned(groups: &[Group], count_max: usize) -> Vec<(String, f64, Accuracy)> {
    let numbers: Option<Vec<i64>> = groups
        .iter()
        .map(|group| match group.value {
            Key::Number(number) => Some(number),
            _ => None,
        })
        .collect();
    let each = |group: &Group| {
        let x = if let Key::Number(number) = group.value { number as f64 } else { 0.0 };
        (group.value.to_string(), x, group.accuracy)
    };
    let (Some(numbers), true) = (numbers, groups.len() > count_max) else {
        return groups.iter().map(each).collect();
    };
    let width = width(&numbers, count_max);
    let mut bins: Vec<(i128, Accuracy)> = Vec::new();
    for (number, group) in numbers.iter().zip(groups) {
        let bin = i128::from(*number).div_euclid(width);
        match bins.last_mut().filter(|(last, _)| *last == bin) {
            Some((_, accuracy)) => *accuracy = accuracy.with(&group.accuracy),
            None => bins.push((bin, group.accuracy)),
        }
    }
    let name = |(bin, accuracy): (i128, Accuracy)| {
        let (from, until) = (bin * width, (bin + 1) * width - 1);
        (format!("{from} – {until}"), (from + until) as f64 / 2.0, accuracy)
    };
    bins.into_iter().map(name).collect()
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

    #[test]
    fn many_numbers_are_put_into_bins() {
        let few: Vec<String> = binned(&groups([3, 70]), 2).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(few, ["3", "70"]);
        let many = binned(&groups(0..=99), 24);
        assert_eq!(many.len(), 20);
        assert_eq!((many[0].0.as_str(), many[0].1, many[0].2.of), ("0 – 4", 2.0, 10));
        let wide = binned(&groups([i64::MIN, -5, 0, 7, i64::MAX]), 2);
        assert_eq!(wide.iter().map(|(.., accuracy)| accuracy.of).sum::<u64>(), 10);
        assert!(wide.len() <= 2);
    }

    #[test]
    fn words_are_not() {
        let group = |word: &str| Group { value: Key::Text(word.into()), accuracy: accuracy_of(1, 1) };
        assert_eq!(binned(&[group("a"), group("b"), group("c")], 2).len(), 3);
    }
}
