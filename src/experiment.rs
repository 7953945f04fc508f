//! Studies: which storyboards are generated at which values, and which figures are drawn of the answers.
//!
//! An experiment is an entry of [`EXPERIMENTS`] and nothing else. The code that makes rows takes storyboards and values
//! from there, and the code that scores answers takes the figures. `docs/experiments.md` explains each one.

/// A study.
#[derive(Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The name on the command line, and in the manifest of a folder.
    pub name: &'static str,
    /// What it asks, in one line.
    pub about: &'static str,
    /// What is told.
    pub boards: &'static [Told],
    /// What is drawn of the answers.
    pub figures: &'static [Figure],
}

/// A built-in storyboard, told at every combination of some values.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    /// The name.
    pub board: &'static str,
    /// Parameters, each with its values; the others are as in the board.
    pub set: &'static [(&'static str, &'static [i64])],
}

/// Accuracies of rows, set against something.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it shows.
    pub title: &'static str,
    /// The boards whose rows it counts.
    pub boards: &'static [&'static str],
    /// Which of their rows.
    pub counted: Counted,
    /// What they are set against.
    pub along: Axis,
    /// What there is a line for; if there is but one, nothing.
    pub lines: Option<Axis>,
    /// What is compared along the axis.
    pub compared: Compared,
}

/// Which rows of a board a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Those of the board's first question, which is the one that it is about, where the belief is false.
    FalseBeliefs,
    /// All.
    All,
}

/// What differs from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The value of a parameter.
    Parameter(&'static str),
    /// The order of the belief that is asked for.
    Order,
    /// The kind of question.
    Kind,
    /// The storyboard.
    Board,
}

/// Which differences are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// None.
    Nothing,
    /// Of every two kinds of rows of the same stories.
    WithinStories,
    /// Of every two kinds of rows, each of stories of its own.
    BetweenStories,
}

impl Experiment {
    /// The experiment of this name.
    ///
    /// ```
    /// use storysim::experiment::Experiment;
    /// assert_eq!(Experiment::named("mislead").unwrap().cells(), 48);
    /// assert_eq!(Experiment::named("nonsense"), None);
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }

    /// How many combinations of values there are on all boards together.
    pub fn cells(&self) -> usize {
        let of = |told: &Told| told.set.iter().map(|(_, values)| values.len()).product::<usize>();
        self.boards.iter().map(of).sum()
    }
}

impl Axis {
    /// What people call it.
    ///
    /// ```
    /// assert_eq!(storysim::experiment::Axis::Parameter("mislead_distance").title(), "mislead distance");
    /// ```
    pub fn title(self) -> String {
        match self {
            Self::Parameter(name) => name.replace('_', " "),
            Self::Order => "order".to_owned(),
            Self::Kind => "kind of question".to_owned(),
            Self::Board => "storyboard".to_owned(),
        }
    }
}

const DISTANCES: &[i64] = &[5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80];

/// From as few people as can play the roles and leave somebody to go about.
const FROM_THREE: &[i64] = &[3, 5, 10, 15, 20, 25, 30, 35, 40];
const FROM_FOUR: &[i64] = &[4, 5, 10, 15, 20, 25, 30, 35, 40];
const FROM_FIVE: &[i64] = &[5, 10, 15, 20, 25, 30, 35, 40];

const LENGTHS: &[i64] = &[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];

/// All experiments, in the order in which `storysim list` shows them.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "mislead",
        about: "Does it matter how late a belief becomes false?",
        boards: &[
            Told { board: "first-order-mislead", set: &[("mislead_distance", DISTANCES)] },
            Told { board: "second-order-mislead", set: &[("mislead_distance", DISTANCES)] },
            Told { board: "third-order-mislead", set: &[("mislead_distance", DISTANCES)] },
        ],
        figures: &[Figure {
            title: "False beliefs by mislead distance",
            boards: &["first-order-mislead", "second-order-mislead", "third-order-mislead"],
            counted: Counted::FalseBeliefs,
            along: Axis::Parameter("mislead_distance"),
            lines: Some(Axis::Order),
            compared: Compared::Nothing,
        }],
    },
    Experiment {
        name: "characters",
        about: "Does the number of characters matter?",
        boards: &[
            Told { board: "many-characters", set: &[("characters", FROM_THREE)] },
            Told { board: "many-characters-second-order", set: &[("characters", FROM_FOUR)] },
            Told { board: "many-characters-third-order", set: &[("characters", FROM_FIVE)] },
        ],
        figures: &[Figure {
            title: "False beliefs by number of characters",
            boards: &["many-characters", "many-characters-second-order", "many-characters-third-order"],
            counted: Counted::FalseBeliefs,
            along: Axis::Parameter("characters"),
            lines: Some(Axis::Order),
            compared: Compared::Nothing,
        }],
    },
    Experiment {
        name: "order",
        about: "Is higher order harder? Are beliefs harder than facts?",
        boards: &[
            Told { board: "first-order-mislead", set: &[] },
            Told { board: "second-order-mislead", set: &[] },
            Told { board: "third-order-mislead", set: &[] },
            Told { board: "fourth-order-mislead", set: &[] },
            Told { board: "world-model", set: &[] },
        ],
        figures: &[
            Figure {
                title: "False beliefs by order",
                boards: &[
                    "first-order-mislead",
                    "second-order-mislead",
                    "third-order-mislead",
                    "fourth-order-mislead",
                ],
                counted: Counted::FalseBeliefs,
                along: Axis::Order,
                lines: None,
                compared: Compared::Nothing,
            },
            Figure {
                title: "Minds and facts of the same stories",
                boards: &["world-model"],
                counted: Counted::All,
                along: Axis::Kind,
                lines: None,
                compared: Compared::WithinStories,
            },
        ],
    },
    Experiment {
        name: "length",
        about: "Does the length before or after the evidence matter?",
        boards: &[Told { board: "story-length", set: &[("length", LENGTHS), ("late", &[0, 1])] }],
        figures: &[Figure {
            title: "False beliefs by length of the story",
            boards: &["story-length"],
            counted: Counted::FalseBeliefs,
            along: Axis::Parameter("length"),
            lines: Some(Axis::Parameter("late")),
            compared: Compared::Nothing,
        }],
    },
    Experiment {
        name: "setting",
        about: "Does the setting matter: rooms, a museum, a station?",
        boards: &[
            Told { board: "first-order-mislead", set: &[] },
            Told { board: "first-order-mislead-museum", set: &[] },
            Told { board: "first-order-mislead-station", set: &[] },
        ],
        figures: &[Figure {
            title: "False beliefs by setting",
            boards: &["first-order-mislead", "first-order-mislead-museum", "first-order-mislead-station"],
            counted: Counted::FalseBeliefs,
            along: Axis::Board,
            lines: None,
            compared: Compared::BetweenStories,
        }],
    },
];
