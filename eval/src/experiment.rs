//! Studies: which storyboards are generated at which values, and which figures are drawn of the answers.
//!
//! An experiment is an entry of [`EXPERIMENTS`] and nothing else. The code that makes rows takes storyboards and values
//! from there, and the code that scores answers takes the figures. `docs/experiments.md` explains each one.

/// A study: boards with values, and the figures that are drawn from the answers.
#[derive(Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The name on the command line, and in the manifest of a folder.
    pub name: &'static str,
    /// The question that the study asks, in one line.
    pub about: &'static str,
    /// The boards whose stories are told, with their values.
    pub boards: &'static [Told],
    /// The figures that are drawn from the answers.
    pub figures: &'static [Figure],
}

/// A built-in storyboard, told at every combination of some values.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    /// The name of the storyboard.
    pub board: &'static str,
    /// Parameters and their values; all others have the values of the board.
    pub set: &'static [(&'static str, &'static [i64])],
}

/// A plot of accuracies along some property of the rows, or heat maps over two.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    /// The title of the figure.
    pub title: &'static str,
    /// The boards whose rows it counts.
    pub boards: &'static [&'static str],
    /// The rows of these boards that count.
    pub counted: Counted,
    /// The property along which accuracies are drawn.
    pub along: Axis,
    /// What is drawn along the axis.
    pub form: Form,
    /// The differences along the axis that are reported.
    pub compared: Compared,
}

/// The rows of a board that a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Rows of the board's first question, which is the one that it is about, where the belief is false.
    FalseBeliefs,
    /// All rows.
    All,
    /// Rows that ask for a state at the end of a scenario, with the rules told.
    States,
    /// Rows that ask of a state whether it changed from one scenario to the next, or what accounts for that.
    Changes,
}

/// A property that differs from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The value of the parameter with this name.
    Parameter(&'static str),
    /// The order of the belief that is asked about.
    Order,
    /// The kind of question.
    Kind,
    /// The name of the storyboard.
    Board,
    /// What a lie about the matter that is asked about would be told for; see [`crate::pack::Class`].
    Class,
    /// The scenario that is asked about; of a change, the later one.
    Scenario,
    /// Whether readers are told the rules by which people feel.
    Rules,
}

/// What a figure draws along its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One line.
    Line,
    /// A line for every value of a property.
    Lines(Axis),
    /// Heat maps, whose columns are along the axis.
    Maps {
        /// The property along which the rows of a map are, from top to bottom.
        down: Axis,
        /// The property for every value of which there is a map.
        each: Axis,
    },
}

/// The differences that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// No differences.
    Nothing,
    /// The difference between every two kinds of rows of the same stories.
    WithinStories,
    /// The difference between every two kinds of rows of different stories.
    BetweenStories,
}

impl Experiment {
    /// The experiment with this name.
    ///
    /// ```
    /// use storysim::experiment::Experiment;
    /// assert_eq!(Experiment::named("mislead").unwrap().cells(), 48);
    /// assert_eq!(Experiment::named("nonsense"), None);
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }

    /// Whether others go about around the stories until they have as many words as the parameter `words` says, at the depth that
    /// `depth` says; see [`crate::storyboard::in_length`].
    ///
    /// ```
    /// use storysim::experiment::Experiment;
    /// assert!(Experiment::named("depth").unwrap().has_length() && !Experiment::named("mislead").unwrap().has_length());
    /// ```
    pub fn has_length(&self) -> bool {
        let is_set = |wanted| self.boards.iter().all(|told| told.set.iter().any(|(name, _)| *name == wanted));
        is_set("words") && is_set("depth")
    }

    /// The number of combinations of values, over all boards.
    pub fn cells(&self) -> usize {
        let of = |told: &Told| told.set.iter().map(|(_, values)| values.len()).product::<usize>();
        self.boards.iter().map(of).sum()
    }
}

impl Form {
    /// The property that distinguishes lines or maps; `None` if there is only one line.
    ///
    /// ```
    /// use storysim::experiment::{Axis, Form};
    /// let maps = Form::Maps { down: Axis::Parameter("depth"), each: Axis::Order };
    /// assert_eq!((maps.each(), Form::Line.each()), (Some(Axis::Order), None));
    /// ```
    pub const fn each(self) -> Option<Axis> {
        match self {
            Self::Line => None,
            Self::Lines(each) | Self::Maps { each, .. } => Some(each),
        }
    }

    /// The property along which the rows of heat maps are; `None` if there are lines.
    ///
    /// ```
    /// use storysim::experiment::{Axis, Form};
    /// let maps = Form::Maps { down: Axis::Parameter("depth"), each: Axis::Order };
    /// assert_eq!((maps.down(), Form::Lines(Axis::Order).down()), (Some(Axis::Parameter("depth")), None));
    /// ```
    pub const fn down(self) -> Option<Axis> {
        match self {
            Self::Line | Self::Lines(_) => None,
            Self::Maps { down, .. } => Some(down),
        }
    }
}

impl Axis {
    /// The name of the axis in words.
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
            Self::Class => "class of white lies".to_owned(),
            Self::Scenario => "scenario".to_owned(),
            Self::Rules => "rules".to_owned(),
        }
    }
}

const DISTANCES: &[i64] = &[5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80];

/// Numbers of people, from the fewest that can play the roles and leave somebody free to move.
const FROM_THREE: &[i64] = &[3, 5, 10, 15, 20, 25, 30, 35, 40];
const FROM_FOUR: &[i64] = &[4, 5, 10, 15, 20, 25, 30, 35, 40];
const FROM_FIVE: &[i64] = &[5, 10, 15, 20, 25, 30, 35, 40];

const LENGTHS: &[i64] = &[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];

/// Numbers of words, and depths in percent.
const WORDS: &[i64] = &[1_000, 4_000, 16_000, 64_000];
const DEPTHS: &[i64] = &[0, 25, 50, 75, 100];

/// Numbers of scenarios.
const SCENARIOS: &[i64] = &[3, 4, 5, 6, 7, 8, 9, 10];

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
            form: Form::Lines(Axis::Order),
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
            form: Form::Lines(Axis::Order),
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
                form: Form::Line,
                compared: Compared::Nothing,
            },
            Figure {
                title: "Minds and facts of the same stories",
                boards: &["world-model"],
                counted: Counted::All,
                along: Axis::Kind,
                form: Form::Line,
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
            form: Form::Lines(Axis::Parameter("late")),
            compared: Compared::Nothing,
        }],
    },
    Experiment {
        name: "depth",
        about: "Is the evidence found, however deep in a long story?",
        boards: &[
            Told { board: "first-order-mislead", set: &[("words", WORDS), ("depth", DEPTHS)] },
            Told { board: "second-order-mislead", set: &[("words", WORDS), ("depth", DEPTHS)] },
            Told { board: "third-order-mislead", set: &[("words", WORDS), ("depth", DEPTHS)] },
        ],
        figures: &[Figure {
            title: "False beliefs by number of words and depth",
            boards: &["first-order-mislead", "second-order-mislead", "third-order-mislead"],
            counted: Counted::FalseBeliefs,
            along: Axis::Parameter("words"),
            form: Form::Maps { down: Axis::Parameter("depth"), each: Axis::Order },
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
            form: Form::Line,
            compared: Compared::BetweenStories,
        }],
    },
    Experiment {
        name: "white-lies",
        about: "Does the class or the level of a white lie matter?",
        boards: &[Told { board: "white-lies-calibrated", set: &[("level", &[1, 2, 3])] }],
        figures: &[
            Figure {
                title: "Answers by class of white lies",
                boards: &["white-lies-calibrated"],
                counted: Counted::All,
                along: Axis::Class,
                form: Form::Lines(Axis::Parameter("level")),
                compared: Compared::Nothing,
            },
            Figure {
                title: "Answers by kind of question",
                boards: &["white-lies-calibrated"],
                counted: Counted::All,
                along: Axis::Kind,
                form: Form::Lines(Axis::Parameter("level")),
                compared: Compared::Nothing,
            },
        ],
    },
    Experiment {
        name: "dynamics",
        about: "How often news changes a mind; rules told and untold",
        boards: &[Told { board: "dynamic-minds", set: &[("n", SCENARIOS), ("told", &[1, 0])] }],
        figures: &[
            Figure {
                title: "Answers by number of scenarios",
                boards: &["dynamic-minds"],
                counted: Counted::All,
                along: Axis::Parameter("n"),
                form: Form::Lines(Axis::Rules),
                compared: Compared::Nothing,
            },
            Figure {
                title: "Changes by span: into which scenario",
                boards: &["dynamic-minds"],
                counted: Counted::Changes,
                along: Axis::Scenario,
                form: Form::Lines(Axis::Rules),
                compared: Compared::Nothing,
            },
            Figure {
                title: "States by scenario, in shorter and longer stories",
                boards: &["dynamic-minds"],
                counted: Counted::States,
                along: Axis::Scenario,
                form: Form::Lines(Axis::Parameter("n")),
                compared: Compared::Nothing,
            },
            Figure {
                title: "Answers by kind of question",
                boards: &["dynamic-minds"],
                counted: Counted::All,
                along: Axis::Kind,
                form: Form::Lines(Axis::Rules),
                compared: Compared::Nothing,
            },
        ],
    },
    Experiment {
        name: "lives",
        about: "Does it matter among how many lives one has to choose?",
        boards: &[Told { board: "dynamic-minds", set: &[("turns", &[1, 2, 3, 4, 5, 6, 7])] }],
        figures: &[Figure {
            title: "Answers by number of announcements in a scenario",
            boards: &["dynamic-minds"],
            counted: Counted::All,
            along: Axis::Parameter("turns"),
            form: Form::Line,
            compared: Compared::Nothing,
        }],
    },
];
