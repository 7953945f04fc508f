//! Goals on what minds hold at the end, and on how difficult it is to say so: one entry each.

/// Everything that authors know about a goal.
#[derive(Debug, PartialEq, Eq)]
pub struct GoalForm {
    /// The key in storyboards.
    pub key: &'static str,
    /// What the goal demands, in one sentence for authors.
    pub about: &'static str,
    /// What is written after the key.
    pub takes: GoalTakes,
    /// Keys of which one has to be given together with it.
    pub beside: &'static [&'static str],
}

/// What is written after the key of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalTakes {
    /// A chain of minds and a target.
    Chain,
    /// Two chains.
    Two,
    /// Ranges of numbers of difficulty. The question may be named beside it.
    Difficulty,
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
    /// A question is as difficult as these numbers say.
    Difficulty,
}

impl GoalWord {
    /// All kinds of demands.
    pub const ALL: [Self; 7] = [
        Self::Holds,
        Self::FalseBelief,
        Self::TrueBelief,
        Self::Differs,
        Self::Unknown,
        Self::MisleadDistance,
        Self::Difficulty,
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
            Self::Difficulty => {
                let about = "How difficult a question is: the range of its quantile, as in `80..100`, or of other numbers \
                             that say how difficult it is.";
                ("difficulty", about, &[])
            }
        };
        let takes = match self {
            Self::Differs => GoalTakes::Two,
            Self::Difficulty => GoalTakes::Difficulty,
            _ => GoalTakes::Chain,
        };
        GoalForm { key, about, takes, beside }
    }
}
