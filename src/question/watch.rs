//! What is followed, move by move, to answer a question.

use crate::belief::{Chain, Tracker};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Question;
use crate::storyboard::QuestionKind;
use crate::world::Event;

/// The state from which an answer is read.
///
/// Only the moves of its members can change it.
#[derive(Clone, Debug)]
pub enum Watch {
    /// Where a chain of minds has the target; without minds, where it is.
    Belief(Tracker),
    /// Where the target started.
    Start(CharacterId, Option<PlaceId>),
    /// Where the target went from the company.
    World(Company),
}

impl Watch {
    pub fn new(question: &Question, character_count: usize) -> Self {
        match question.kind {
            QuestionKind::Belief | QuestionKind::Reality => {
                Self::of_chain(Chain::new(&question.others, question.target), character_count)
            }
            QuestionKind::Start => Self::Start(question.target, None),
            QuestionKind::World | QuestionKind::WorldThings => {
                let members = question.others.iter().chain([&question.target]);
                Self::World(Company { members: members.map(|&who| (who, None)).collect(), went: None })
            }
        }
    }

    pub fn of_chain(chain: Chain, character_count: usize) -> Self {
        Self::Belief(Tracker::new(chain, character_count))
    }

    pub fn start(&mut self, start: &[PlaceId]) {
        match self {
            Self::Belief(tracker) => tracker.start(start),
            Self::Start(target, place) => *place = Some(start[target.index()]),
            Self::World(company) => {
                company.went = None;
                company.members.iter_mut().for_each(|(who, place)| *place = Some(start[who.index()]));
            }
        }
    }

    /// Whether a move of `character` matters: it is one of the question's characters.
    #[inline]
    pub fn is_member(&self, character: CharacterId) -> bool {
        match self {
            Self::Belief(tracker) => tracker.is_member(character),
            Self::Start(target, _) => *target == character,
            Self::World(company) => company.members.iter().any(|&(who, _)| who == character),
        }
    }

    /// Applies a move. Returns whether the outermost mind's owner witnessed a move of a member.
    #[inline]
    pub fn apply(&mut self, event: Event) -> bool {
        match self {
            Self::Belief(tracker) => tracker.apply(event),
            Self::Start(..) => false,
            Self::World(company) => {
                company.apply(event);
                false
            }
        }
    }

    pub fn answer(&self) -> Option<PlaceId> {
        match self {
            Self::Belief(tracker) => tracker.answer(),
            Self::Start(_, place) => *place,
            Self::World(company) => company.went,
        }
    }

    /// Takes over the state of another watch of the same question.
    pub fn copy_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Belief(own), Self::Belief(other)) => own.copy_from(other),
            (Self::World(own), Self::World(other)) => {
                own.members.copy_from_slice(&other.members);
                own.went = other.went;
            }
            (own, other) => own.clone_from(other),
        }
    }

    /// Whether both will give the same answers whatever happens next.
    pub fn is_at_one_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Belief(own), Self::Belief(other)) => own.is_at_one_with(other),
            (Self::World(own), Self::World(other)) => own.members == other.members && own.went == other.went,
            (Self::Start(..), Self::Start(..)) => true,
            _ => false,
        }
    }
}

/// "When A and B were last in the same place as T, where did T go?"
#[derive(Clone, Debug)]
pub struct Company {
    /// Everyone with its place; the target last.
    members: Vec<(CharacterId, Option<PlaceId>)>,
    /// Where the target went when all were last together. None if they never were or still are, or
    /// if another of them moved first.
    went: Option<PlaceId>,
}

impl Company {
    fn is_together(&self) -> bool {
        self.members.iter().all(|(_, place)| *place == self.members[0].1)
    }

    fn apply(&mut self, event: Event) {
        let target = self.members[self.members.len() - 1].0;
        if self.is_together() {
            self.went = (event.who == target).then_some(event.to);
        }
        for (who, place) in &mut self.members {
            if *who == event.who {
                *place = Some(event.to);
            }
        }
        if self.is_together() {
            self.went = None;
        }
    }
}
