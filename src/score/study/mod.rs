//! The figures of an experiment: what it counts, and the results.

mod parts;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::accuracy::{Accuracy, Group, Pair, listed};
use super::pairs;
use super::statistics::newcombe;
use super::tally::{Key, Share};
use crate::dataset::Fields;
use crate::experiment::{Axis, Compared, Counted, Experiment, Figure};

pub(super) use parts::parts;

/// An experiment, and what the models made of it.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The name.
    pub experiment: &'static str,
    /// What it asks.
    pub about: &'static str,
    /// The figures.
    pub figures: Vec<StudyFigure>,
}

/// A figure of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct StudyFigure {
    /// What it shows.
    pub title: &'static str,
    /// What accuracies are set against.
    pub along: String,
    /// What there is a line for; if there is one line a model, nothing.
    pub lines: Option<String>,
    /// The models, as they were given.
    pub models: Vec<ModelFigure>,
}

/// What a figure shows of one model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelFigure {
    /// How it is called.
    pub model: String,
    /// The lines, in order; one without a response has none.
    pub lines: Vec<StudyLine>,
    /// Differences between rows of the same stories, if the figure compares them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within_stories: Vec<Pair>,
    /// Differences between rows of different stories, if the figure compares them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between_stories: Vec<Difference>,
}

/// Accuracies along an axis.
#[derive(Clone, Debug, Serialize)]
pub struct StudyLine {
    /// What the line is of; nothing, if there is but one.
    pub value: Option<Key>,
    /// What is along it.
    pub groups: Vec<Group>,
}

/// By how much two accuracies differ that are of different stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// By how much the one's accuracy is above the other's.
    pub difference: f64,
    /// Where its 95 % interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl StudyFigure {
    /// The values of its lines, of all models together, in order; nothing stands for the only line.
    pub fn line_values(&self) -> Vec<Option<Key>> {
        let mut values: Vec<Option<Key>> =
            self.models.iter().flat_map(|model| &model.lines).map(|line| line.value.clone()).collect();
        values.sort();
        values.dedup();
        values
    }

    /// What a line is called.
    pub fn line_name(&self, value: &Key) -> String {
        format!("{} {value}", self.lines.as_deref().unwrap_or_default())
    }
}

impl ModelFigure {
    /// What is along a line; nothing, if it has no such line.
    pub fn groups(&self, value: Option<&Key>) -> Vec<Group> {
        let line = self.lines.iter().find(|line| line.value.as_ref() == value);
        line.map_or_else(Vec::new, |line| line.groups.clone())
    }
}

/// What is counted of one model's answers for the figures of an experiment.
#[derive(Clone, Debug)]
pub(super) struct StudyTally(Vec<FigureTally>);

/// What is counted for one figure.
#[derive(Clone, Debug)]
struct FigureTally {
    figure: &'static Figure,
    /// By line, and where along it.
    lines: BTreeMap<Option<Key>, BTreeMap<Key, Share>>,
    /// Where rows of a story are compared: by story, what is right of it, and what is not.
    stories: HashMap<String, BTreeMap<Key, bool>>,
}

impl StudyTally {
    pub fn new(experiment: &'static Experiment) -> Self {
        let tally = |figure| FigureTally { figure, lines: BTreeMap::new(), stories: HashMap::new() };
        Self(experiment.figures.iter().map(tally).collect())
    }

    /// Counts the answer to a row.
    pub fn add(&mut self, fields: &Fields, is_right: bool) {
        self.0.iter_mut().for_each(|figure| figure.add(fields, is_right));
    }
}

impl FigureTally {
    fn add(&mut self, fields: &Fields, is_right: bool) {
        let figure = self.figure;
        let is_counted = figure.boards.contains(&fields.board.as_str())
            && match figure.counted {
                Counted::FalseBeliefs => fields.false_belief == Some(true) && fields.id.ends_with("/0"),
                Counted::All => true,
            };
        let (true, Some(along)) = (is_counted, key(fields, figure.along)) else { return };
        let line = figure.lines.and_then(|axis| key(fields, axis));
        if figure.compared == Compared::WithinStories {
            let story = self.stories.entry(fields.story_id().to_owned()).or_default();
            story.insert(along.clone(), is_right);
        }
        self.lines.entry(line).or_default().entry(along).or_default().add(Share::of(fields, is_right));
    }

    /// How often, of two kinds of rows of one story, both are right, only the first, only the second, neither.
    fn cells(&self, first: &Key, second: &Key) -> [u64; 4] {
        let mut cells = [0; 4];
        for story in self.stories.values() {
            if let (Some(first), Some(second)) = (story.get(first), story.get(second)) {
                cells[2 * usize::from(!first) + usize::from(!second)] += 1;
            }
        }
        cells
    }

    fn finish(&self, model: &str) -> ModelFigure {
        let mut drawn = ModelFigure {
            model: model.to_owned(),
            lines: Vec::new(),
            within_stories: Vec::new(),
            between_stories: Vec::new(),
        };
        for (value, shares) in &self.lines {
            let groups = listed(shares);
            for (first, second) in pairs(groups.len()) {
                let (first, second) = (&groups[first], &groups[second]);
                let names = [&first.value, &second.value].map(Key::to_string);
                match self.figure.compared {
                    Compared::Nothing => {}
                    Compared::WithinStories => {
                        let cells = self.cells(&first.value, &second.value);
                        drawn.within_stories.push(Pair::new(&names[0], &names[1], cells));
                    }
                    Compared::BetweenStories => {
                        drawn.between_stories.push(Difference::new(names, &first.accuracy, &second.accuracy));
                    }
                }
            }
            drawn.lines.push(StudyLine { value: value.clone(), groups });
        }
        drawn
    }
}

impl Difference {
    fn new([first, second]: [String; 2], one: &Accuracy, other: &Accuracy) -> Self {
        let (low, high) = newcombe((one.right, one.of), (other.right, other.of));
        Self { first, second, difference: one.accuracy - other.accuracy, low, high }
    }
}

impl Study {
    /// Of every model, what was counted.
    pub(super) fn new(experiment: &'static Experiment, models: &[String], tallies: &[StudyTally]) -> Self {
        let figure = |(at, figure): (usize, &'static Figure)| StudyFigure {
            title: figure.title,
            along: figure.along.title(),
            lines: figure.lines.map(Axis::title),
            models: models.iter().zip(tallies).map(|(model, tally)| tally.0[at].finish(model)).collect(),
        };
        let figures = experiment.figures.iter().enumerate().map(figure).collect();
        Self { experiment: experiment.name, about: experiment.about, figures }
    }
}

/// Where a row is on an axis; nothing, if it is nowhere on it.
fn key(fields: &Fields, axis: Axis) -> Option<Key> {
    Some(match axis {
        Axis::Parameter(name) => Key::Number(fields.parameter(name)?),
        Axis::Order => Key::Number(fields.order as i64),
        Axis::Kind => Key::Text(fields.kind.clone()),
        Axis::Board => Key::Text(fields.board.clone()),
    })
}
