//! What minds are to hold at the end of a story, and how difficult it is to be to say so.

use std::ops::RangeInclusive;

use super::PlannedValue;
use crate::belief::Chain;
use crate::form::Hardness;
use crate::id::PlaceId;
use crate::world::Value;

/// A demand on the end of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The chain's answer is this value.
    Holds(Chain, PlannedValue),
    /// The chain has an answer, and it is not where the target is.
    FalseBelief(Chain),
    /// The chain's answer is where the target is.
    TrueBelief(Chain),
    /// The chain has no answer.
    Unknown(Chain),
    /// Both chains have an answer, and the answers differ.
    Differs([Chain; 2]),
    /// The chain's answer is false, at a mislead distance between the two numbers, both included.
    MisleadDistance(Chain, usize, usize),
    /// The question with this number, as the author counts, is as difficult as these numbers say, all ends included.
    Difficulty(usize, Vec<(Hardness, RangeInclusive<u64>)>),
}

impl Goal {
    /// The chains that the goal is about.
    pub fn chains(&self) -> &[Chain] {
        match self {
            Self::Holds(chain, _)
            | Self::FalseBelief(chain)
            | Self::TrueBelief(chain)
            | Self::Unknown(chain)
            | Self::MisleadDistance(chain, ..) => std::slice::from_ref(chain),
            Self::Differs(chains) => chains,
            Self::Difficulty(..) => &[],
        }
    }

    /// Whether it takes a ranking of questions by how difficult they are.
    pub fn is_of_ranks(&self) -> bool {
        matches!(self, Self::Difficulty(_, ranges) if ranges.iter().any(|(by, _)| *by == Hardness::Quantile))
    }

    /// Whether it demands nothing that could be seen without such a ranking.
    pub fn is_only_of_ranks(&self) -> bool {
        matches!(self, Self::Difficulty(_, ranges) if ranges.iter().all(|(by, _)| *by == Hardness::Quantile))
    }

    /// Whether the goal is met if `answer` gives the answer of each of its chains and `truth` is what really holds for
    /// the target of the first one. For a distance, this only says whether there is one; of difficulty it says nothing.
    pub fn is_met(&self, binds: &[PlaceId], answer: impl Fn(usize) -> Option<Value>, truth: Value) -> bool {
        match self {
            Self::Holds(_, value) => answer(0) == Some(value.under(binds)),
            Self::FalseBelief(_) | Self::MisleadDistance(..) => answer(0).is_some_and(|held| held != truth),
            Self::TrueBelief(_) => answer(0) == Some(truth),
            Self::Unknown(_) => answer(0).is_none(),
            Self::Differs(_) => answer(0).zip(answer(1)).is_some_and(|(one, other)| one != other),
            Self::Difficulty(..) => true,
        }
    }
}
