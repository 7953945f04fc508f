//! What built-in storyboards give away: how far one gets in their stories without following a mind.
//!
//! The figures are data, `storyboards/shortcuts.json`. `storysim audit --built-in` measures and writes them.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::builtin::{BUILT_IN, BuiltIn};

/// The file that comes with the program.
const SHORTCUTS: &str = include_str!("../../../storyboards/shortcuts.json");

/// The version of the file's format.
const VERSION: u32 = 1;

/// Above how much a shortcut that begins to follow a mind is told, in shares of all rows. Up to there it helps
/// little.
const TOLD_OVER: f64 = 0.1;

/// The figures of some built-in storyboards, as a file.
///
/// ```
/// use storysim::storyboard::{BUILT_IN, Giveaways};
/// let known = Giveaways::built_in();
/// let found = known.of(&BUILT_IN[0]).unwrap();
/// assert_eq!(found.board, BUILT_IN[0].name);
/// assert_eq!(&Giveaways::read(&known.write()).unwrap(), known);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Giveaways {
    storysim_shortcuts: u32,
    boards: Vec<Giveaway>,
}

/// What one storyboard gives away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Giveaway {
    /// The name of the storyboard.
    pub board: String,
    /// A hash of what was measured; another one means that the storyboard has changed since.
    pub of: String,
    /// The number of stories.
    pub stories: u64,
    /// The seed of the stories.
    pub seed: u64,
    /// The best of all shortcuts that follow no mind, over all questions about minds.
    pub shortcut: Found,
    /// The shortcut that begins to follow a mind, if it has an answer: it goes by where somebody has been since the target left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<Found>,
    /// What boosted trees learn; `None` if there are too few rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<Learner>,
}

/// How well boosted trees do, each time at the question at which they do best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    /// What they learn from the text of story, question and choices.
    pub surface: Found,
    /// What they learn from the target's moves alone, where people move.
    pub target: Found,
    /// What they learn from the moves of the owner of one mind alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minds: Option<Found>,
    /// What they learn from all of this on one clock.
    pub both: Found,
}

/// How often something is right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// What it is called in the audit.
    pub name: String,
    /// The variant, such as the number of a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<String>,
    /// The number of the question in its storyboard; `None` where several are measured together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<u64>,
    /// What all of them ask, where several are measured together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The number of rows that were counted.
    pub rows: u64,
    /// The share of rows in which it is right.
    pub right: f64,
    /// The share of rows that guessing gets right.
    pub chance: f64,
}

impl Found {
    /// How far it is above chance.
    pub fn over(&self) -> f64 {
        self.right - self.chance
    }

    /// How far it is above chance, in percentage points: `+83.3`.
    ///
    /// ```
    /// use storysim::storyboard::Found;
    /// let found = Found { name: "last_place".into(), which: None, question: Some(0), kind: None, rows: 9, right: 1.0, chance: 0.1667 };
    /// assert_eq!(found.points(), "+83.3");
    /// ```
    pub fn points(&self) -> String {
        format!("{:+.1}", self.over() * 100.0)
    }

    /// The question, by its number, or by what several ask: `question 0`, `changed emotion`.
    pub fn asked(&self) -> String {
        match (self.question, &self.kind) {
            (Some(number), _) => format!("question {number}"),
            (None, Some(kind)) => kind.clone(),
            (None, None) => "all questions".to_owned(),
        }
    }

    /// The name, with its variant if there are several.
    pub fn told(&self) -> String {
        match &self.which {
            Some(which) => format!("{} ({which})", self.name),
            None => self.name.clone(),
        }
    }
}

impl Learner {
    /// What is learned from most, and its heading.
    pub fn best(&self) -> (&'static str, &Found) {
        self.parts()
            .into_iter()
            .reduce(|best, next| if next.1.over() > best.1.over() { next } else { best })
            .expect("there are several")
    }

    /// All that was learned, each with its heading.
    pub fn parts(&self) -> Vec<(&'static str, &Found)> {
        let Self { surface, target, minds, both } = self;
        let parts = [
            ("surface", Some(surface)),
            ("target", Some(target)),
            ("minds", minds.as_ref()),
            ("both", Some(both)),
        ];
        parts.into_iter().filter_map(|(name, found)| Some((name, found?))).collect()
    }
}

impl Giveaway {
    /// The shortcut that begins to follow a mind, if it is far above chance and above all others.
    pub fn telling_beginning(&self) -> Option<&Found> {
        let least = self.shortcut.over().max(TOLD_OVER);
        self.beginning.as_ref().filter(|found| found.over() > least)
    }
}

impl Giveaways {
    /// The figures that come with the program.
    ///
    /// # Panics
    /// Never: the file comes with the program, too.
    pub fn built_in() -> &'static Self {
        static READ: LazyLock<Giveaways> =
            LazyLock::new(|| Giveaways::read(SHORTCUTS).expect("the file of this version"));
        &READ
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the text is not that of such a file, or of another version of it.
    pub fn read(text: &str) -> Result<Self, String> {
        let known: Self =
            serde_json::from_str(text).map_err(|error| format!("it is not a file of shortcuts: {error}"))?;
        match known.storysim_shortcuts {
            VERSION => Ok(known),
            version => Err(format!("it is of version {version}, and this program reads version {VERSION}")),
        }
    }

    /// The text of a file.
    ///
    /// # Panics
    /// Never: names and finite numbers can be written.
    pub fn write(&self) -> String {
        let known = Self { storysim_shortcuts: VERSION, ..self.clone() };
        serde_json::to_string_pretty(&known).expect("names and numbers") + "\n"
    }

    /// Adds what a storyboard gives away, in place of what was known, in the order in which storyboards are listed. What was
    /// known of storyboards that are no longer built in is dropped.
    pub fn add(&mut self, found: Giveaway) {
        let place = |found: &Giveaway| BUILT_IN.iter().position(|board| board.name == found.board);
        self.boards.retain(|known| known.board != found.board && place(known).is_some());
        self.boards.push(found);
        self.boards.sort_by_key(place);
    }

    /// What a built-in storyboard gives away.
    pub fn of(&self, board: &BuiltIn) -> Option<&Giveaway> {
        self.boards.iter().find(|found| found.board == board.name)
    }

    /// What a storyboard with this text gives away; `None` if it is not built in, whatever it is called.
    ///
    /// ```
    /// use storysim::storyboard::{BUILT_IN, Giveaways};
    /// let known = Giveaways::built_in();
    /// assert!(known.of_text(BUILT_IN[0].text()).is_some());
    /// assert!(known.of_text(&BUILT_IN[0].text().replace("horizon: ", "horizon: 1 + ")).is_none());
    /// ```
    pub fn of_text(&self, text: &str) -> Option<&Giveaway> {
        self.of(BUILT_IN.iter().find(|board| board.text() == text)?)
    }
}
