//! What `storysim score` reports about an experiment: its name, and its figures as tables.

use std::ops::Range;
use std::path::Path;

use comfy_table::{Cell, Color};

use super::abreast::{MODELS_ABREAST, beside, tabled};
use super::rows::unread;
use super::{Failure, say};
use crate::experiment::Experiment;
use crate::files::Manifest;
use crate::render::Look;
use crate::score::{
    Accuracy, Difference, Group, Key, MapValues, ModelFigure, Pair, Study, StudyFigure, StudyMaps,
    probability,
};

/// The colours of cells of heat maps and of the letters on them, among the 256 of terminals: blue, from light to dark, each for
/// a sixth of the shares.
const SHADES: [(u8, u8); 6] = [(195, 16), (153, 16), (111, 16), (69, 16), (27, 231), (18, 231)];

/// The width that the table of a heat map may have.
const MAP_WIDTH: usize = 80;
/// The letters of the widest percentage, `100%`.
const CELL_LETTERS: usize = 4;
/// The space around what is in a column.
const AROUND: usize = 2;

/// The experiment that a dataset folder was made for; `None` if there is none, or if this is a file.
///
/// # Errors
/// If the folder's manifest cannot be read.
pub fn experiment_at(dataset: &Path) -> Result<Option<&'static Experiment>, Failure> {
    if !dataset.is_dir() {
        return Ok(None);
    }
    let manifest = Manifest::at(dataset).map_err(|error| unread(dataset, error))?;
    let Some(name) = manifest.experiment else { return Ok(None) };
    let experiment = Experiment::named(&name);
    if experiment.is_none() {
        let dataset = dataset.display();
        say(&format!(
            "warning: {dataset}: this version of storysim has no experiment {name:?}; its figures are left out\n"
        ));
    }
    Ok(experiment)
}

/// The figures of an experiment as text, each with its title.
pub fn study(study: &Study, look: Look) -> String {
    let figure = |figure| written(figure, look);
    study.figures.iter().map(figure).collect()
}

fn written(figure: &StudyFigure, look: Look) -> String {
    let mut text = format!("{}\n\n", figure.title);
    if let Some(maps) = &figure.maps {
        return text + &mapped(figure, maps, look);
    }
    let values: Vec<Key> = figure.line_values().into_iter().flatten().collect();
    if figure.lines.is_some() {
        let names: Vec<String> = values.iter().map(|value| figure.line_name(value)).collect();
        for model in &figure.models {
            let lines: Vec<Vec<Group>> = values.iter().map(|value| model.groups(Some(value))).collect();
            text += &format!("{}:\n", model.model);
            for (names, lines) in names.chunks(MODELS_ABREAST).zip(lines.chunks(MODELS_ABREAST)) {
                text += &table(figure, names, lines, look);
            }
        }
    } else {
        for models in figure.models.chunks(MODELS_ABREAST) {
            let names: Vec<String> = models.iter().map(|model| model.model.clone()).collect();
            let lines: Vec<Vec<Group>> = models.iter().map(|model| model.groups(None)).collect();
            text += &table(figure, &names, &lines, look);
        }
    }
    text + &differences(figure, look)
}

fn table(figure: &StudyFigure, names: &[String], lines: &[Vec<Group>], look: Look) -> String {
    let titles: Vec<&str> = std::iter::once(&figure.along).chain(names).map(String::as_str).collect();
    // Every value of an experiment was chosen: none is put into a bin with others.
    tabled(&titles, 1, beside(lines, usize::MAX), look)
}

/// The heat maps of every model as tables: a row for each value down the map, a column for each along it.
fn mapped(figure: &StudyFigure, maps: &StudyMaps, look: Look) -> String {
    if figure.is_empty() {
        return "There are no responses to the rows of this figure.\n\n".to_owned();
    }
    let values = figure.map_values();
    let mut text = String::new();
    for model in &figure.models {
        for value in values.each.iter().filter(|value| model.maps.iter().any(|map| map.value == **value)) {
            let cells = model.map(value, &values);
            text += &format!("{}, {} {value}, by {}:\n", model.model, maps.each, figure.along);
            for columns in abreast(&values, &maps.down) {
                text += &map_table(&cells, &values, &maps.down, columns, look);
            }
        }
    }
    text
}

/// The columns of a heat map, in parts that fit beside each other.
fn abreast(values: &MapValues, down: &str) -> Vec<Range<usize>> {
    let letters = |text: &str| text.chars().count();
    let first = values.down.iter().map(|value| letters(&value.to_string())).chain([letters(down)]).max();
    let first = first.unwrap_or(0) + AROUND;
    let width = |value: &Key| letters(&value.to_string()).max(CELL_LETTERS) + AROUND;
    let (mut parts, mut from, mut sum) = (Vec::new(), 0, first);
    for (at, value) in values.along.iter().enumerate() {
        if sum + width(value) > MAP_WIDTH && at > from {
            parts.push(from..at);
            (from, sum) = (at, first);
        }
        sum += width(value);
    }
    parts.push(from..values.along.len());
    parts
}

fn map_table(
    cells: &[Vec<Option<Accuracy>>],
    values: &MapValues,
    down: &str,
    columns: Range<usize>,
    look: Look,
) -> String {
    let names: Vec<String> = values.along[columns.clone()].iter().map(Key::to_string).collect();
    let titles: Vec<&str> = std::iter::once(down).chain(names.iter().map(String::as_str)).collect();
    let rows = values.down.iter().zip(cells).map(|(value, row)| {
        let shares = row[columns.clone()].iter().map(|accuracy| shaded(*accuracy, look));
        std::iter::once(Cell::new(value)).chain(shares).collect()
    });
    tabled(&titles, 1, rows.collect::<Vec<Vec<Cell>>>(), look)
}

/// A cell of a heat map: its percentage, where there are colours on that of its share.
fn shaded(accuracy: Option<Accuracy>, look: Look) -> Cell {
    let Some(Accuracy { accuracy, .. }) = accuracy else { return Cell::new("-") };
    let cell = Cell::new(format!("{:.0}%", accuracy * 100.0));
    if !look.colour {
        return cell;
    }
    let (shade, letters) = SHADES[((accuracy * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
    cell.bg(Color::AnsiValue(shade)).fg(Color::AnsiValue(letters))
}

/// For every model, the differences between kinds of rows.
fn differences(figure: &StudyFigure, look: Look) -> String {
    let points = |difference: f64| format!("{:+.1}", difference * 100.0);
    let within = |pair: &Pair| {
        vec![
            format!("{} – {}", pair.first, pair.second),
            pair.of.to_string(),
            pair.only_first.to_string(),
            pair.only_second.to_string(),
            points(pair.difference),
            probability(pair.p),
        ]
    };
    let between = |Difference { first, second, difference, low, high }: &Difference| {
        let interval = format!("{} – {}", points(*low), points(*high));
        vec![format!("{first} – {second}"), points(*difference), interval]
    };
    let mut text = String::new();
    for ModelFigure { model, within_stories, between_stories, .. } in &figure.models {
        if !within_stories.is_empty() {
            let titles = [model.as_str(), "stories", "only first", "only second", "points", "p"];
            text += &tabled(&titles, 1, within_stories.iter().map(within).collect(), look);
        }
        if !between_stories.is_empty() {
            let titles = [model.as_str(), "points", "interval"];
            text += &tabled(&titles, 1, between_stories.iter().map(between).collect(), look);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Fields;
    use crate::experiment::{Axis, Compared, Counted, Figure, Form};
    use crate::score::{Reply, Response, Scorer};

    static STUDY: Experiment = Experiment {
        name: "mapped",
        about: "?",
        boards: &[],
        figures: &[Figure {
            title: "Answers by words and depth",
            boards: &["b"],
            counted: Counted::All,
            along: Axis::Parameter("words"),
            form: Form::Maps { down: Axis::Parameter("depth"), each: Axis::Order },
            compared: Compared::Nothing,
        }],
    };

    const PLAIN: Look = Look { colour: false, width: 80 };

    /// Two models' answers at these numbers of words: of four to each cell, the first gets the more right the deeper, and the
    /// fewer the more words; the second gets all.
    /// At order 2, the last number of words has no rows of depth 50.
    fn scored(words: &[i64]) -> Study {
        let mut scorer = Scorer::new(vec!["one".into(), "two".into()]).of(Some(&STUDY));
        for order in [1, 2] {
            for (column, words) in words.iter().enumerate() {
                for (row, depth) in [0, 25, 50, 75, 100].into_iter().enumerate() {
                    if (order, column + 1, depth) == (2, STUDY_COLUMNS, 50) {
                        continue;
                    }
                    for at in 0..4 {
                        let params = [("words", *words), ("depth", depth)];
                        let fields = Fields {
                            id: format!("b/{order}/{column}/{row}{at}"),
                            board: "b".into(),
                            order,
                            answer: "hall".into(),
                            choices: ["hall", "attic"].map(str::to_owned).into(),
                            params: params.map(|(name, value)| (name.to_owned(), value.into())).into(),
                            ..Fields::default()
                        };
                        let (right, wrong) = (Response::new("Answer: hall"), Response::new("Answer: attic"));
                        let one = if at + column < row { &right } else { &wrong };
                        scorer.add(&fields, &[Reply::Said(one), Reply::Said(&right)]).unwrap();
                    }
                }
            }
        }
        scorer.finish().study.unwrap()
    }

    const STUDY_COLUMNS: usize = 3;

    #[test]
    fn heat_maps_are_tables() {
        insta::assert_snapshot!("heat_maps", study(&scored(&[1000, 4000, 16000]), PLAIN));
        let empty = Scorer::new(vec!["one".into()]).of(Some(&STUDY)).finish().study.unwrap();
        assert!(
            study(&empty, PLAIN).ends_with("depth\n\nThere are no responses to the rows of this figure.\n\n")
        );
    }

    #[test]
    fn cells_have_colours_where_there_are_any() {
        let text = study(&scored(&[1000]), Look { colour: true, width: 80 });
        for (shade, letters) in [SHADES[0], SHADES[1], SHADES[3], SHADES[4], SHADES[5]] {
            assert!(
                text.contains(&format!("48;5;{shade}m")) && text.contains(&format!("38;5;{letters}m")),
                "{text}"
            );
        }
        assert!(!study(&scored(&[1000]), PLAIN).contains('\u{1b}'));
    }

    /// However many columns there are, no line is longer than 80 letters, and every column is there once.
    #[test]
    fn wide_maps_are_put_below_each_other() {
        for (count, wide) in [(1, 1), (9, 1_000_000_000_000), (40, 1000), (17, 100_000)] {
            let words: Vec<i64> = (0..count).map(|at| wide + at).collect();
            let text = study(&scored(&words), PLAIN);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            for words in words {
                assert_eq!(
                    text.matches(&format!(" {words} ")).count()
                        + text.matches(&format!(" {words}\n")).count(),
                    4,
                    "{words}: {text}"
                );
            }
        }
    }
}
