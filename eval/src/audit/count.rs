//! How often something was named, and rightly, in the half of the rows from which is learned and in the other.

/// The rows that learners learn from, or those that they are tested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The rows that learners learn from.
    Learn = 0,
    /// The rows that learners are tested on.
    Try = 1,
}

/// How often a shortcut had an answer, and how often the right one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// The number of rows in which it has an answer.
    pub answered: u64,
    /// The number of right answers that guessing would give in these rows.
    pub chance: f64,
    /// The number of right answers; an answer that is one of several counts as a fraction.
    pub hits: f64,
}

impl Count {
    /// Counts an answer to a question with `choices` choices.
    pub fn add(&mut self, choices: usize, credit: f64) {
        self.answered += 1;
        self.chance += 1.0 / choices as f64;
        self.hits += credit;
    }

    /// The sum of two counts.
    pub fn plus(self, other: Self) -> Self {
        Self {
            answered: self.answered + other.answered,
            chance: self.chance + other.chance,
            hits: self.hits + other.hits,
        }
    }
}

/// How often a shortcut had an answer, and the right one, in each half.
pub type Counts = [Count; 2];
