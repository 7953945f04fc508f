//! The shares that a property of questions is to have over many stories.

use serde::{Deserialize, Serialize};

use crate::form::Hardness;
use crate::world::Value;

/// The shares that one question's rows are to have over many stories; stories are drawn again to reach them.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The number of the question.
    pub question: usize,
    /// The properties that are balanced, all at the same time.
    pub margins: Vec<Margin>,
    /// What nothing is to be learned from about the answer.
    pub learned: Vec<Sight>,
    /// How many stories are drawn to find out what can be learned, if the storyboard says so.
    pub pilots: Option<u64>,
}

impl Balance {
    /// Whether a question has to be ranked among usual ones before its share is known.
    pub fn has_quantiles(&self) -> bool {
        self.margins.iter().any(|margin| margin.property.is_quantile())
    }

    /// The number of the first margin of [`Property::AnswerRecency`] or [`Property::AnswerRank`], if one is balanced.
    pub fn ranks(&self) -> Option<usize> {
        self.margins.iter().position(|margin| margin.property.is_rank())
    }
}

/// What a learner is given to see of stories. It never sees who met whom: that is the beginning of following minds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// When and how often the text names each place.
    Surface,
    /// When the target was where.
    Target,
    /// When the owners of the minds were where.
    Minds,
    /// All of it, on one clock.
    Both,
}

impl Sight {
    /// All sights, with the names that storyboards have for them.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Surface, "surface"), (Self::Target, "target"), (Self::Minds, "minds"), (Self::Both, "both")];
}

/// One property of a row, and how often it should have each value.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// The property that is balanced.
    pub property: Property,
    /// The values with their shares, which sum up to 1. A row with any other value is never kept.
    pub shares: Vec<(Level, f64)>,
    /// A value that rows may have as often as it comes; the shares are those among the other rows.
    pub free: Option<Level>,
}

impl Margin {
    /// The place of a value among the shares; for the value that is free, one past them. `None` if no row with it is kept.
    pub fn level_of(&self, value: Level) -> Option<usize> {
        let listed = self.shares.iter().position(|&(other, share)| other.has(value) && share > 0.0);
        listed.or_else(|| (self.free == Some(value)).then_some(self.shares.len()))
    }
}

/// The thirds of a story, as storyboards name them: the values of [`Property::EvidencePosition`].
pub const THIRDS: [&str; 3] = ["early", "middle", "late"];

/// A property that can be balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// What the answer is.
    Answer,
    /// How many moves the target made after its last move to where the answer puts it.
    AnswerRank,
    /// How many other places the target has been in since it was last where the answer puts it.
    AnswerRecency,
    /// Whether the answer is a false belief.
    FalseBelief,
    /// Whether the answer differs from the answer one order lower, where that is known.
    OrderGap,
    /// In which third of the story the last piece of evidence lies.
    EvidencePosition,
    /// The rank of the answer when all possible answers are ordered by how many shortcuts name them; 0: the one most name.
    Votes,
    /// A number that says how difficult the question is.
    Difficulty(Hardness),
    /// Whether this shortcut is right, where it has an answer.
    Shortcut(Shortcut),
}

impl Property {
    /// All properties except shortcuts and numbers of difficulty, with the names that storyboards have for them.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Answer, "answer"),
        (Self::AnswerRank, "answer_rank"),
        (Self::AnswerRecency, "answer_recency"),
        (Self::FalseBelief, "false_belief"),
        (Self::OrderGap, "order_gap"),
        (Self::EvidencePosition, "evidence_position"),
        (Self::Votes, "votes"),
    ];

    /// All properties with their names.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let name = |number: Hardness| if number == Hardness::Quantile { "difficulty" } else { number.key() };
        let numbers = Hardness::ALL.map(|number| (Self::Difficulty(number), name(number)));
        let shortcuts = Shortcut::ALL.iter().map(|&(shortcut, name)| (Self::Shortcut(shortcut), name));
        Self::ALL.into_iter().chain(numbers).chain(shortcuts)
    }

    /// Whether it takes the evidence of the answer to read the property.
    pub const fn is_of_evidence(self) -> bool {
        matches!(self, Self::EvidencePosition | Self::Difficulty(_))
    }

    /// Whether the property ranks a question among usual ones.
    pub const fn is_quantile(self) -> bool {
        matches!(self, Self::Difficulty(Hardness::Quantile))
    }

    /// Whether the property says how far back the target was where the answer puts it.
    pub const fn is_rank(self) -> bool {
        matches!(self, Self::AnswerRank | Self::AnswerRecency)
    }

    /// Whether the property is a number, of which there may be many.
    pub const fn is_counted(self) -> bool {
        self.is_rank() || matches!(self, Self::Votes | Self::Difficulty(_))
    }

    /// How much of a story has to be known to read the property.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Answer | Self::AnswerRank | Self::AnswerRecency | Self::FalseBelief => Stage::Path,
            Self::OrderGap | Self::EvidencePosition | Self::Votes | Self::Difficulty(_) => Stage::All,
            Self::Shortcut(shortcut) => shortcut.stage(),
        }
    }

    /// The name of the property in storyboards.
    pub fn name(self) -> &'static str {
        Self::all().find(|&(property, _)| property == self).map_or("", |(_, name)| name)
    }
}

/// How much of a story has to be known; each stage includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Where the target has been, where the owner of the outermost mind is at the end, and the answer.
    Path,
    /// Where the question's characters came together, and where the owner of the outermost mind has been.
    Company,
    /// Combinations of the classes' move counts in these steps, and their probabilities, without the orders in a class.
    All,
}

impl Stage {
    /// All stages, from the least known to the most.
    pub const ALL: [Self; 3] = [Self::Path, Self::Company, Self::All];
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A value of [`Property::Answer`]; `None`: "unknown".
    Answer(Option<Value>),
    /// A value of any other property: a number, a third of the story, or 0 for no, 1 for yes and 2 for neither.
    Number(u64),
    /// All numbers from the first to the last, which have one share together.
    Within(u64, u64),
}

impl Level {
    /// Whether a value that a row has is this one, or one of these.
    ///
    /// ```
    /// use storysim::plan::Level;
    /// let hard = Level::Within(80, 100);
    /// assert_eq!([79, 80, 100].map(|number| hard.has(Level::Number(number))), [false, true, true]);
    /// ```
    pub fn has(self, value: Self) -> bool {
        match (self, value) {
            (Self::Within(first, last), Self::Number(number)) => (first..=last).contains(&number),
            _ => self == value,
        }
    }

    /// The first and the last number, if these are numbers.
    pub const fn numbers(self) -> Option<[u64; 2]> {
        match self {
            Self::Number(number) => Some([number; 2]),
            Self::Within(first, last) => Some([first, last]),
            Self::Answer(_) => None,
        }
    }

    /// Whether a row can have both.
    pub fn overlaps(self, other: Self) -> bool {
        match (self.numbers(), other.numbers()) {
            (Some([first, last]), Some([from, until])) => first <= until && from <= last,
            _ => self == other,
        }
    }
}

/// A way to answer that tracks no mind. In what follows, *she* is the owner of the outermost mind, places of an
/// object may be containers, and *moves* of an object are those that change where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shortcut {
    /// Where the target was this many moves before its last one; 0: where it is at the end.
    LastPlace(u8),
    /// Where the target went first.
    FirstPlace,
    /// Where the target was at the start.
    StartPlace,
    /// Where the target has been most often, if that is one place.
    UsualPlace,
    /// Where the target has been least often, maybe never, if that is one place.
    LeastUsualPlace,
    /// Where all of the question's characters came together first.
    FirstCommonPlace,
    /// Where all of the question's characters came together last.
    LastCommonPlace,
    /// Where all of the question's characters came together the time before the last.
    SecondLastCommonPlace,
    /// Where all of the question's characters came together last, or else where all of them started.
    LastCommonOrStart,
    /// Where she and the target came together first, whoever else was there.
    FirstMeetingPlace,
    /// Where she and the target came together last, whoever else was there.
    LastMeetingPlace,
    /// Where she and the target came together the time before the last.
    SecondLastMeetingPlace,
    /// Where the innermost mind's owner and the target came together last.
    LastInnerMeetingPlace,
    /// Where she is at the end.
    OwnPlace,
    /// Where she was before her last move.
    OwnSecondLastPlace,
    /// Where she went first.
    OwnFirstPlace,
    /// Where she has been most often, if that is one place.
    OwnUsualPlace,
    /// Where she was when the target last moved.
    OwnPlaceThen,
    /// Where the target was when she last moved.
    PlaceAtOwnLastMove,
    /// Where a character of the question last went, whoever it was.
    LastMoveOfAny,
    /// Where someone first went, whoever it was.
    FirstNamed,
    /// Where people went most often, if that is one place.
    MostVisitedPlace,
    /// Where people went least often, maybe never, if that is one place.
    LeastVisitedPlace,
    /// Where most people are at the end, if that is one place.
    Crowd,
    /// The place or container that was last named in a sentence about what she did.
    LastNamedWithHer,
    /// The place or container that was last named in a sentence about the target.
    LastNamedWithTarget,
    /// The place or container that was last named in a sentence about what she did with the target.
    LastNamedWithBoth,
    /// The place or container that was last named in a sentence about what the innermost mind's owner did with the target.
    LastNamedWithInner,
    /// The answer of the chain without its outermost mind.
    LowerOrder,
}

impl Shortcut {
    const fn stage(self) -> Stage {
        match self {
            Self::LastPlace(_)
            | Self::FirstPlace
            | Self::StartPlace
            | Self::UsualPlace
            | Self::LeastUsualPlace
            | Self::OwnPlace => Stage::Path,
            Self::FirstCommonPlace
            | Self::LastCommonPlace
            | Self::SecondLastCommonPlace
            | Self::LastCommonOrStart
            | Self::FirstMeetingPlace
            | Self::LastMeetingPlace
            | Self::SecondLastMeetingPlace
            | Self::LastInnerMeetingPlace
            | Self::OwnSecondLastPlace
            | Self::OwnFirstPlace
            | Self::OwnUsualPlace
            | Self::OwnPlaceThen
            | Self::PlaceAtOwnLastMove
            | Self::LastMoveOfAny => Stage::Company,
            Self::FirstNamed
            | Self::MostVisitedPlace
            | Self::LeastVisitedPlace
            | Self::Crowd
            | Self::LastNamedWithHer
            | Self::LastNamedWithTarget
            | Self::LastNamedWithBoth
            | Self::LastNamedWithInner
            | Self::LowerOrder => Stage::All,
        }
    }

    /// All shortcuts, with the names that storyboards have for them.
    pub const ALL: [(Self, &'static str); 34] = [
        (Self::LastPlace(0), "last_place"),
        (Self::LastPlace(1), "second_last_place"),
        (Self::LastPlace(2), "third_last_place"),
        (Self::LastPlace(3), "fourth_last_place"),
        (Self::LastPlace(4), "fifth_last_place"),
        (Self::LastPlace(5), "sixth_last_place"),
        (Self::FirstPlace, "first_place"),
        (Self::StartPlace, "start_place"),
        (Self::UsualPlace, "usual_place"),
        (Self::LeastUsualPlace, "least_usual_place"),
        (Self::FirstCommonPlace, "first_common_place"),
        (Self::LastCommonPlace, "last_common_place"),
        (Self::SecondLastCommonPlace, "second_last_common_place"),
        (Self::LastCommonOrStart, "last_common_or_start"),
        (Self::FirstMeetingPlace, "first_meeting_place"),
        (Self::LastMeetingPlace, "last_meeting_place"),
        (Self::SecondLastMeetingPlace, "second_last_meeting_place"),
        (Self::LastInnerMeetingPlace, "last_inner_meeting_place"),
        (Self::OwnPlace, "own_place"),
        (Self::OwnSecondLastPlace, "own_second_last_place"),
        (Self::OwnFirstPlace, "own_first_place"),
        (Self::OwnUsualPlace, "own_usual_place"),
        (Self::OwnPlaceThen, "own_place_then"),
        (Self::PlaceAtOwnLastMove, "place_at_own_last_move"),
        (Self::LastMoveOfAny, "last_move_of_any"),
        (Self::FirstNamed, "first_named"),
        (Self::MostVisitedPlace, "most_visited_place"),
        (Self::LeastVisitedPlace, "least_visited_place"),
        (Self::Crowd, "crowd"),
        (Self::LastNamedWithHer, "last_named_with_her"),
        (Self::LastNamedWithTarget, "last_named_with_target"),
        (Self::LastNamedWithBoth, "last_named_with_both"),
        (Self::LastNamedWithInner, "last_named_with_inner"),
        (Self::LowerOrder, "lower_order"),
    ];
}
