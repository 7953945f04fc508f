//! The figures of an experiment: what it counts, and the results.

mod map;
mod parts;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::accuracy::{Accuracy, Group, Pair, listed};
use super::pairs;
use super::statistics::newcombe;
use super::tally::{Key, Share};
use crate::dataset::Fields;
use crate::experiment::{Axis, Compared, Counted, Experiment, Figure, Form};
use crate::form::QuestionKind;

pub use map::{MapCell, MapValues, StudyMap};
pub(super) use parts::parts;

/// An experiment with the results of the models.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// The question that the experiment asks.
    pub about: &'static str,
    /// The figures of the experiment, with results.
    pub figures: Vec<StudyFigure>,
}

/// A figure of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct StudyFigure {
    /// The title of the figure.
    pub title: &'static str,
    /// The name of the axis along which accuracies are drawn.
    pub along: String,
    /// What the lines stand for; `None` if there is one line per model, or none.
    pub lines: Option<String>,
    /// If the figure has heat maps, what they and their rows stand for.
    #[serde(flatten)]
    pub maps: Option<StudyMaps>,
    /// The results of each model, in the given order.
    pub models: Vec<ModelFigure>,
}

/// What the heat maps of a figure stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyMaps {
    /// The name of the property for every value of which there is a map.
    pub each: String,
    /// The name of the axis along which the rows of a map are.
    pub down: String,
}

/// The results of one model in a figure.
#[derive(Clone, Debug, Serialize)]
pub struct ModelFigure {
    /// The name of the model.
    pub model: String,
    /// The lines, in order; a line without responses is left out. None if the figure has heat maps.
    pub lines: Vec<StudyLine>,
    /// The heat maps, in order, if the figure has them; one without responses is left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<StudyMap>,
    /// Differences between rows of the same stories, if the figure compares them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within_stories: Vec<Pair>,
    /// Differences between rows of different stories, if the figure compares them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between_stories: Vec<Difference>,
}

/// A line of accuracies along an axis.
#[derive(Clone, Debug, Serialize)]
pub struct StudyLine {
    /// The value that the line stands for; `None` if it is the only line.
    pub value: Option<Key>,
    /// The accuracies along the line.
    pub groups: Vec<Group>,
}

/// The difference between two accuracies on different stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The name of the first one.
    pub first: String,
    /// The name of the second one.
    pub second: String,
    /// How far the accuracy of the first is above that of the second.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

impl StudyFigure {
    /// Whether nobody responded to any row of the figure.
    pub fn is_empty(&self) -> bool {
        self.models.iter().all(|model| model.lines.is_empty() && model.maps.is_empty())
    }

    /// The values of the lines over all models, in order; `None` stands for the only line.
    pub fn line_values(&self) -> Vec<Option<Key>> {
        let mut values: Vec<Option<Key>> =
            self.models.iter().flat_map(|model| &model.lines).map(|line| line.value.clone()).collect();
        values.sort();
        values.dedup();
        values
    }

    /// The name of a line.
    pub fn line_name(&self, value: &Key) -> String {
        format!("{} {value}", self.lines.as_deref().unwrap_or_default())
    }
}

impl ModelFigure {
    /// The accuracies along a line; empty if there is no such line.
    pub fn groups(&self, value: Option<&Key>) -> Vec<Group> {
        let line = self.lines.iter().find(|line| line.value.as_ref() == value);
        line.map_or_else(Vec::new, |line| line.groups.clone())
    }
}

/// The counts of one model's answers for the figures of an experiment.
#[derive(Clone, Debug)]
pub(super) struct StudyTally(Vec<FigureTally>);

/// Where a row is in a line or a heat map: down the map, if it is one, and along the axis.
type Place = (Option<Key>, Key);

/// The counts for one figure.
#[derive(Clone, Debug)]
struct FigureTally {
    figure: &'static Figure,
    /// The share of right answers by line, or map, and by position along it.
    lines: BTreeMap<Option<Key>, BTreeMap<Place, Share>>,
    /// If rows of one story are compared: for each story, whether the answer at each value was right.
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
                Counted::States => fields.rules.as_deref() == Some("told") && is_of(fields, &STATES),
                Counted::Changes => is_of(fields, &[QuestionKind::Changed, QuestionKind::Cause]),
            };
        let (true, Some(along)) = (is_counted, key(fields, figure.along)) else { return };
        let line = figure.form.each().and_then(|axis| key(fields, axis));
        let down = figure.form.down().and_then(|axis| key(fields, axis));
        if figure.form.down().is_some() && (line.is_none() || down.is_none()) {
            return;
        }
        if figure.compared == Compared::WithinStories {
            let story = self.stories.entry(fields.story_id().to_owned()).or_default();
            story.insert(along.clone(), is_right);
        }
        self.lines
            .entry(line)
            .or_default()
            .entry((down, along))
            .or_default()
            .add(Share::of(fields, is_right));
    }

    /// For two kinds of rows of the same story, how often both are right, only the first, only the second, and neither.
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
            maps: Vec::new(),
            within_stories: Vec::new(),
            between_stories: Vec::new(),
        };
        for (value, shares) in &self.lines {
            match value {
                Some(value) if self.figure.form.down().is_some() => {
                    drawn.maps.push(StudyMap { value: value.clone(), cells: cells(shares) });
                }
                _ => {
                    let shares = shares.iter().map(|((_, along), share)| (along.clone(), *share));
                    let groups = listed(&shares.collect());
                    self.compare(&groups, &mut drawn);
                    drawn.lines.push(StudyLine { value: value.clone(), groups });
                }
            }
        }
        drawn
    }

    /// Adds the differences along a line, if the figure compares them.
    fn compare(&self, groups: &[Group], drawn: &mut ModelFigure) {
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
    }
}

/// The cells of a heat map, row by row.
fn cells(shares: &BTreeMap<Place, Share>) -> Vec<MapCell> {
    let cell = |((down, along), share): (&Place, &Share)| {
        let accuracy = Accuracy::new(*share);
        Some(MapCell { down: down.clone()?, along: along.clone(), accuracy })
    };
    shares.iter().filter_map(cell).collect()
}

impl Difference {
    fn new([first, second]: [String; 2], one: &Accuracy, other: &Accuracy) -> Self {
        let (low, high) = newcombe((one.right, one.of), (other.right, other.of));
        Self { first, second, difference: one.accuracy - other.accuracy, low, high }
    }
}

impl Study {
    /// The results of an experiment from the counts of every model.
    pub(super) fn new(experiment: &'static Experiment, models: &[String], tallies: &[StudyTally]) -> Self {
        let figure = |(at, figure): (usize, &'static Figure)| StudyFigure {
            title: figure.title,
            along: figure.along.title(),
            lines: figure.form.each().filter(|_| figure.form.down().is_none()).map(Axis::title),
            maps: match figure.form {
                Form::Maps { down, each } => Some(StudyMaps { each: each.title(), down: down.title() }),
                Form::Line | Form::Lines(_) => None,
            },
            models: models.iter().zip(tallies).map(|(model, tally)| tally.0[at].finish(model)).collect(),
        };
        let figures = experiment.figures.iter().enumerate().map(figure).collect();
        Self { experiment: experiment.name, about: experiment.about, figures }
    }
}

/// The kinds of questions that ask for a state at the end of a scenario.
const STATES: [QuestionKind; 4] =
    [QuestionKind::BeliefIn, QuestionKind::Emotion, QuestionKind::Intention, QuestionKind::Action];

/// Whether a row asks a question of one of these kinds.
fn is_of(fields: &Fields, kinds: &[QuestionKind]) -> bool {
    kinds.iter().any(|kind| kind.key() == fields.kind)
}

/// The position of a row on an axis, if it has one.
fn key(fields: &Fields, axis: Axis) -> Option<Key> {
    Some(match axis {
        Axis::Parameter(name) => Key::Number(fields.parameter(name)?),
        Axis::Order => Key::Number(fields.order as i64),
        Axis::Kind => Key::Text(fields.kind.clone()),
        Axis::Board => Key::Text(fields.board.clone()),
        Axis::Class => Key::Text(fields.matter_asked()?.class.clone()),
        Axis::Scenario => Key::Number(i64::try_from(fields.scenario?).ok()?),
        Axis::Rules => Key::Text(fields.rules.clone()?),
    })
}
