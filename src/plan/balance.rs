//! How often what is to be so, over the stories of a plan.

use std::sync::OnceLock;

use crate::world::Value;

/// Stories are drawn again such that, over many of them, shares of one question's rows are these.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The number of the question.
    pub question: usize,
    /// What is balanced: all of these at once.
    pub margins: Vec<Margin>,
    /// What stories are kept by; found when it is first needed, and always the same.
    pub weights: OnceLock<Weights>,
    /// The same of pairs of twins: each counts for the product of the factors of both.
    pub pairs: OnceLock<Weights>,
}

impl Balance {
    /// The number of the first margin of [`Property::AnswerRecency`] or [`Property::AnswerRank`], if one is balanced.
    pub fn ranks(&self) -> Option<usize> {
        self.margins.iter().position(|margin| margin.property.is_rank())
    }
}

/// Stories are kept with a probability in proportion to the product of their factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Of each margin, of each of its values.
    pub factors: Vec<Vec<f64>>,
    /// The product from which on a story is always kept; of pairs, the mean over the changes of a story.
    pub largest: f64,
    /// Of each [`Stage`] but the last, and of each value of the margin that [`Balance::ranks`] names: so many times the
    /// product of the factors up to and with that stage is the most that a story counts for.
    pub caps: Vec<Vec<f64>>,
    /// The share of stories that are kept; of pairs, of those that `balance` keeps.
    pub kept: f64,
    /// By how much a share is off, at most, on the stories that the factors were fitted on,
    pub error: f64,
    /// and the number of the margin where that is so.
    pub worst: usize,
    /// How many of those there were.
    pub pilots: usize,
}

/// One property of a row, and how often it is to have which value.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// The property.
    pub property: Property,
    /// Its values with their shares, which sum up to 1. A row with any other value is never kept.
    pub shares: Vec<(Level, f64)>,
    /// Of rows with this value there may be as many as there are; shares are those of the others.
    pub free: Option<Level>,
}

/// What is balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// What the answer is.
    Answer,
    /// How many moves of the target came after the last one to where the answer has it.
    AnswerRank,
    /// How many other places the target has been in after it was last where the answer has it.
    AnswerRecency,
    /// Whether the answer is a false belief.
    FalseBelief,
    /// Whether the answer is another than that of one order less, where that is known.
    OrderGap,
    /// In which third of the story the last piece of evidence lies.
    EvidencePosition,
    /// Which place the answer takes among all possible ones, by how many shortcuts name them; 0: that which most name.
    Votes,
    /// Whether this shortcut is right, where it has an answer.
    Shortcut(Shortcut),
}

impl Property {
    /// What can be balanced besides shortcuts.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Answer, "answer"),
        (Self::AnswerRank, "answer_rank"),
        (Self::AnswerRecency, "answer_recency"),
        (Self::FalseBelief, "false_belief"),
        (Self::OrderGap, "order_gap"),
        (Self::EvidencePosition, "evidence_position"),
        (Self::Votes, "votes"),
    ];

    /// Whether it says how far back the target was where the answer has it.
    pub const fn is_rank(self) -> bool {
        matches!(self, Self::AnswerRank | Self::AnswerRecency)
    }

    /// What has to be known of a story for it.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Answer | Self::AnswerRank | Self::AnswerRecency | Self::FalseBelief => Stage::Path,
            Self::OrderGap | Self::EvidencePosition | Self::Votes => Stage::All,
            Self::Shortcut(shortcut) => shortcut.stage(),
        }
    }

    /// The name that storyboards have for it.
    pub fn name(self) -> &'static str {
        let shortcuts = Shortcut::ALL.iter().map(|&(shortcut, name)| (Self::Shortcut(shortcut), name));
        let mut all = Self::ALL.into_iter().chain(shortcuts);
        all.find(|&(property, _)| property == self).map_or("", |(_, name)| name)
    }
}

/// How much of a story has to be known: each goes with those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Where the target has been, where she is at the end, and the answer.
    Path,
    /// Where the question's characters came together, and where she has been.
    Company,
    /// What everyone did, and what is believed on a lower order.
    All,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Path, Self::Company, Self::All];
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Of [`Property::Answer`]; none: "unknown".
    Answer(Option<Value>),
    /// Of all others: a number; 0 for no, 1 for yes, 2 for neither; a third of the story.
    Number(u64),
}

/// A way to answer that tracks no mind. In what follows, *she* is the owner of the outermost mind, places of an
/// object may be containers, and *moves* of an object are those that change where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shortcut {
    /// Where the target was so many moves before its last one; 0: where it is at the end.
    LastPlace(u8),
    /// Where it went first.
    FirstPlace,
    /// Where it was at the start.
    StartPlace,
    /// Where it has been most often, if that is one place.
    UsualPlace,
    /// Where it has been least often, maybe never, if that is one place.
    LeastUsualPlace,
    /// Where all of the question's characters came together first.
    FirstCommonPlace,
    /// Where they came together last,
    LastCommonPlace,
    /// and where the time before that.
    SecondLastCommonPlace,
    /// Where they came together last, or else where all of them started.
    LastCommonOrStart,
    /// Where she and the target came together first, whoever else was there.
    FirstMeetingPlace,
    /// Where they came together last,
    LastMeetingPlace,
    /// and where the time before that.
    SecondLastMeetingPlace,
    /// Where the innermost mind's owner and the target came together last.
    LastInnerMeetingPlace,
    /// Where she is at the end.
    OwnPlace,
    /// Where she was before that.
    OwnSecondLastPlace,
    /// Where she went first.
    OwnFirstPlace,
    /// Where she has been most often, if that is one place.
    OwnUsualPlace,
    /// Where she was when the target moved last.
    OwnPlaceThen,
    /// Where the target was when she moved last.
    PlaceAtOwnLastMove,
    /// Where someone of the question went last, whoever it was.
    LastMoveOfAny,
    /// Where anyone went first.
    FirstNamed,
    /// Where people went most often, if that is one place.
    MostVisitedPlace,
    /// Where people went least often, maybe never, if that is one place.
    LeastVisitedPlace,
    /// Where most people are at the end, if that is one place.
    Crowd,
    /// Which place was named last together with her,
    LastNamedWithHer,
    /// and with the target,
    LastNamedWithTarget,
    /// or with both: where she had it come last, or said that it was.
    LastNamedWithBoth,
    /// Where the innermost mind's owner did.
    LastNamedWithInner,
    /// What the chain without its outermost mind answers.
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

    /// All of them, with the names that storyboards have for them.
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
