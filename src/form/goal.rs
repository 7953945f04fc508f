//! Goals on what minds hold at the end: one entry each.

/// What an author knows of a goal.
#[derive(Debug, PartialEq, Eq)]
pub struct GoalForm {
    /// The author's key.
    pub key: &'static str,
    /// What it demands, in a sentence for authors.
    pub about: &'static str,
    /// Whether it compares two chains; else it is about one.
    pub is_of_two: bool,
    /// Keys of which one has to stand beside it.
    pub beside: &'static [&'static str],
}

/// What is demanded of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GoalWord {
    /// The chain's answer is this.
    Holds,
    /// The chain's answer is not where the target is.
    FalseBelief,
    /// The chain's answer is where the target is.
    TrueBelief,
    /// Two chains have an answer each, and not the same.
    Differs,
    /// There is no answer.
    Unknown,
    /// The belief is false, at this distance.
    MisleadDistance,
}

impl GoalWord {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Holds,
        Self::FalseBelief,
        Self::TrueBelief,
        Self::Differs,
        Self::Unknown,
        Self::MisleadDistance,
    ];

    /// What an author knows of it.
    pub const fn form(self) -> GoalForm {
        let (key, about, beside): (_, _, &'static [&'static str]) = match self {
            Self::Holds => {
                ("holds", "[minds…, target]: the answer is what `in` or `is` says.", &["in", "is"])
            }
            Self::FalseBelief => ("false_belief", "The answer is not where the target is.", &[]),
            Self::TrueBelief => ("true_belief", "The answer is where the target is.", &[]),
            Self::Differs => ("differs", "Two chains whose answers differ.", &[]),
            Self::Unknown => ("unknown", "There is no answer.", &[]),
            Self::MisleadDistance => {
                let about = "The belief is false, at the distance that `is` or `within` says.";
                ("mislead_distance", about, &["is", "within"])
            }
        };
        GoalForm { key, about, is_of_two: matches!(self, Self::Differs), beside }
    }
}
