//! The part of the page that is about an experiment.

use super::super::accuracy::{Accuracy, Group, Pair};
use super::super::beside::{chance, percent, plotted, probability, tabled, titles};
use super::super::tally::Key;
use super::{Difference, ModelFigure, Study, StudyFigure, StudyMaps};
use crate::page::{HeatMap, Part, Plot, Rank, Ranks, Table};

/// The page parts of an experiment: for each figure the plots, the tables of their numbers, and the differences.
pub fn parts(study: &Study) -> Vec<Part> {
    let mut parts = vec![
        Part::Heading(format!("The experiment {}", study.experiment)),
        Part::Prose(study.about.to_owned()),
    ];
    for figure in &study.figures {
        parts.push(Part::Heading(figure.title.to_owned()));
        if figure.is_empty() {
            parts.push(Part::Prose("There are no responses to the rows of this figure.".to_owned()));
            continue;
        }
        match (&figure.maps, &figure.lines) {
            (Some(maps), _) => parts.extend(mapped(figure, maps)),
            (None, Some(_)) => figure.models.iter().for_each(|model| parts.extend(of_model(figure, model))),
            (None, None) => parts.extend(of_all(figure)),
        }
        parts.extend(within_stories(figure));
        parts.extend(between_stories(figure));
    }
    parts
}

/// The parts of a figure with several lines for one model: one line for every value.
fn of_model(figure: &StudyFigure, model: &ModelFigure) -> Vec<Part> {
    let values: Vec<Key> = figure.line_values().into_iter().flatten().collect();
    let names: Vec<String> = values.iter().map(|value| figure.line_name(value)).collect();
    let lines: Vec<Vec<Group>> = values.iter().map(|value| model.groups(Some(value))).collect();
    drawn(figure, &format!("{}. ", model.model), &names, &lines)
}

/// The parts of a figure with one line per model.
fn of_all(figure: &StudyFigure) -> Vec<Part> {
    let names: Vec<String> = figure.models.iter().map(|model| model.model.clone()).collect();
    let lines: Vec<Vec<Group>> = figure.models.iter().map(|model| model.groups(None)).collect();
    drawn(figure, "", &names, &lines)
}

/// The parts of a figure with heat maps: for every model and value a map, and a table of its numbers.
fn mapped(figure: &StudyFigure, maps: &StudyMaps) -> Vec<Part> {
    let values = figure.map_values();
    let names = |keys: &[Key]| keys.iter().map(Key::to_string).collect::<Vec<String>>();
    let mut parts = Vec::new();
    for model in &figure.models {
        for map in &model.maps {
            let title = format!("{}, {} {}", model.model, maps.each, map.value);
            let share = |accuracy: Option<Accuracy>| accuracy.map(|accuracy| accuracy.accuracy);
            let row = |row: Vec<Option<Accuracy>>| row.into_iter().map(share).collect();
            let plot = Plot::HeatMap(HeatMap {
                title: title.clone(),
                x: figure.along.clone(),
                y: maps.down.clone(),
                columns: names(&values.along),
                rows: names(&values.down),
                cells: model.map(&map.value, &values).into_iter().map(row).collect(),
            });
            let columns = values.along.iter().map(|value| format!("{} {value}", figure.along));
            let table = Table {
                caption: format!(
                    "{title}. Accuracy by {} and {}, with its interval and the number of rows.",
                    maps.down, figure.along
                ),
                titles: std::iter::once(maps.down.clone()).chain(columns).collect(),
                text_columns: 1,
                rows: tabled(&map.columns(&values), usize::MAX),
            };
            let chance = chance(&map.columns(&values)).map_or_else(String::new, percent);
            let caption = format!("{title}. The darker, the more is right. Guessing gets {chance} right.");
            parts.extend([Part::Figure(plot, caption), Part::Table(table)]);
        }
    }
    parts
}

/// Lines along an axis of numbers, or bars, and a table of the same numbers. The captions begin with `whose`.
fn drawn(figure: &StudyFigure, whose: &str, names: &[String], lines: &[Vec<Group>]) -> Vec<Part> {
    let is_numeric = lines.iter().flatten().all(|group| matches!(group.value, Key::Number(_)));
    // Every value of an experiment was chosen: none is put into a bin with others.
    let (plot, drawn) = match is_numeric {
        true => (plotted(&figure.along, names, lines, usize::MAX), "Bands"),
        false => (bars(names, lines), "Whiskers"),
    };
    let caption = format!("{whose}{drawn} are 95 % Wilson intervals; the dashed line is chance.");
    let table = Table {
        caption: format!("{whose}Accuracy by {}, with its interval and the number of rows.", figure.along),
        titles: std::iter::once(&figure.along).chain(names).cloned().collect(),
        text_columns: 1,
        rows: tabled(lines, usize::MAX),
    };
    vec![Part::Figure(plot, caption), Part::Table(table)]
}

/// A plot with a bar for every value of every line.
fn bars(names: &[String], lines: &[Vec<Group>]) -> Plot {
    let ranks = lines.iter().enumerate().flat_map(|(series, groups)| {
        groups.iter().map(move |group| {
            let Accuracy { accuracy, low, high, .. } = group.accuracy;
            Rank { name: group.value.to_string(), series, share: accuracy, interval: Some((low, high)) }
        })
    });
    let (x, series, level) = ("accuracy".to_owned(), names.to_vec(), chance(lines));
    Plot::Ranks(Ranks { x, end: 1.0, series, ranks: ranks.collect(), level })
}

fn within_stories(figure: &StudyFigure) -> Option<Part> {
    let row = |model: &str, pair: &Pair| {
        let mut row = vec![model.to_owned(), pair.first.clone(), pair.second.clone()];
        row.extend(
            [pair.of, pair.both, pair.only_first, pair.only_second, pair.neither].map(|n| n.to_string()),
        );
        row.extend([points(pair.difference), probability(pair.p)]);
        row
    };
    let of_model = |model: &ModelFigure| {
        model.within_stories.iter().map(|pair| row(&model.model, pair)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = figure.models.iter().flat_map(of_model).collect();
    let titles = titles(&[
        "model",
        "first",
        "second",
        "stories",
        "both",
        "only first",
        "only second",
        "neither",
        "points",
        "p",
    ]);
    let caption = "Right answers to two questions about the same story, the difference in percentage points, and a two-sided p after McNemar.";
    let table = Table { caption: caption.to_owned(), titles, text_columns: 3, rows };
    (!table.rows.is_empty()).then_some(Part::Table(table))
}

fn between_stories(figure: &StudyFigure) -> Option<Part> {
    let row = |model: &str, difference: &Difference| {
        let Difference { first, second, difference, low, high } = difference;
        let interval = format!("{} – {}", points(*low), points(*high));
        vec![model.to_owned(), first.clone(), second.clone(), points(*difference), interval]
    };
    let of_model = |model: &ModelFigure| {
        model.between_stories.iter().map(|found| row(&model.model, found)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = figure.models.iter().flat_map(of_model).collect();
    let titles = titles(&["model", "first", "second", "points", "95 % interval"]);
    let caption =
        "Differences in percentage points between rows of different stories, with intervals after Newcombe.";
    let table = Table { caption: caption.to_owned(), titles, text_columns: 3, rows };
    (!table.rows.is_empty()).then_some(Part::Table(table))
}

/// A difference of shares in points.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}
