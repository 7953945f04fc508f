//! What `storysim score` reports about an experiment: its name, and its figures as tables.

use std::path::Path;

use super::abreast::{MODELS_ABREAST, beside, tabled};
use super::rows::unread;
use super::{Failure, say};
use crate::dataset::Manifest;
use crate::diagnostic::Look;
use crate::experiment::Experiment;
use crate::score::{Difference, Group, Key, ModelFigure, Pair, Study, StudyFigure, probability};

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
