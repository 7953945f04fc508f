//! Goals on what minds hold at the end: one entry each.

/// Everything that authors know about a goal.
#[derive(Debug, PartialEq, Eq)]
pub struct GoalForm {
    /// The key in storyboards.
    pub key: &'static str,
    /// What the goal demands, in one sentence for authors.
    pub about: &'static str,
    /// Whether it compares two chains; otherwise it is about one.
    pub is_of_two: bool,
    /// Keys of which one has to be given together with it.
    pub beside: &'static [&'static str],
}

/// The kind of demand that a goal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GoalWord {
    /// The chain's answer is a certain value.
    Holds,
    /// The chain's answer is not where the target is.
    FalseBelief,
    /// The chain's answer is where the target is.
    TrueBelief,
    /// Both chains have an answer, and the answers differ.
    Differs,
    /// The chain has no answer.
    Unknown,
    /// The chain's answer is false, at a certain mislead distance.
    MisleadDistance,
}

impl GoalWord {
    /// All kinds of demands.
    pub const ALL: [Self; 6] = [
        Self::Holds,
        Self::FalseBelief,
        Self::TrueBelief,
        Self::Differs,
        Self::Unknown,
        Self::MisleadDistance,
    ];

    /// What authors know about the goal.
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
