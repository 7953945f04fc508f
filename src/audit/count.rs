//! How often something was named, and rightly, in the half of the rows from which is learned and in the other.

/// The rows from which is learned, and those on which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Learners learn from these.
    Learn = 0,
    /// Learners are tried on these.
    Try = 1,
}

/// How often something was named, and rightly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// In how many rows it has an answer.
    pub answered: u64,
    /// What guessing would get right of the rows in which it has an answer.
    pub chance: f64,
    /// How many of its answers are right; a share of one, where it is one of several answers.
    pub hits: f64,
}

impl Count {
    /// Adds an answer to one of so many choices.
    pub fn add(&mut self, choices: usize, credit: f64) {
        self.answered += 1;
        self.chance += 1.0 / choices as f64;
        self.hits += credit;
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            answered: self.answered + other.answered,
            chance: self.chance + other.chance,
            hits: self.hits + other.hits,
        }
    }
}

/// How often something was named in each half.
pub type Counts = [Count; 2];
