//! What is followed, move by move, to answer a question.

use crate::belief::{Chain, Tracker};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Question;
use crate::storyboard::QuestionKind;
use crate::world::Event;

/// The state from which the answer to a question about walks is read.
///
/// Only the moves of the question's characters can change it.
#[derive(Clone, Debug)]
pub enum Watch {
    /// Where a chain of minds puts the target or, without minds, where it is.
    Belief(Tracker),
    /// Where the target started.
    Start(CharacterId, Option<PlaceId>),
    /// Where the target went when it left the company.
    World(Company),
}

impl Watch {
    pub fn new(question: &Question, character_count: usize) -> Self {
        match question.kind {
            QuestionKind::Belief | QuestionKind::Reality => {
                Self::of_chain(Chain::new(&question.others, question.character()), character_count)
            }
            QuestionKind::Start => Self::Start(question.character(), None),
            QuestionKind::World | QuestionKind::WorldThings => {
                Self::World(Company::new(&question.others, question.character()))
            }
            _ => panic!("not a question of this part"),
        }
    }

    pub fn of_chain(chain: Chain, character_count: usize) -> Self {
        Self::Belief(Tracker::new(chain, character_count))
    }

    pub fn start(&mut self, start: &[PlaceId]) {
        match self {
            Self::Belief(tracker) => tracker.start(start),
            Self::Start(target, place) => *place = Some(start[target.index()]),
            Self::World(company) => company.start(start),
        }
    }

    /// Whether a move of `character` matters because it is one of the question's characters.
    #[inline]
    pub fn is_member(&self, character: CharacterId) -> bool {
        match self {
            Self::Belief(tracker) => tracker.is_member(character),
            Self::Start(target, _) => *target == character,
            Self::World(company) => company.members.contains(&character),
        }
    }

    /// Applies a move. Returns whether the outermost mind's owner witnessed it and the mover is a member.
    #[inline(always)]
    pub fn apply(&mut self, event: Event) -> bool {
        match self {
            Self::Belief(tracker) => tracker.apply(event),
            Self::Start(..) => false,
            Self::World(company) => {
                company.go(event.to, |who| who == event.who);
                false
            }
        }
    }

    pub fn answer(&self) -> Option<PlaceId> {
        match self {
            Self::Belief(tracker) => tracker.answer(),
            Self::Start(_, place) => *place,
            Self::World(company) => company.went(),
        }
    }
}

/// "When A and B were last in the same place as T, where did T go?"
#[derive(Clone, Debug)]
pub struct Company {
    /// All members of the company, then the target.
    members: Vec<CharacterId>,
    /// The place of each member, then where the target went when all were last together; `None` if they never were or
    /// still are, or if another of them moved first.
    state: Vec<Option<PlaceId>>,
}

impl Company {
    pub fn new(others: &[CharacterId], target: CharacterId) -> Self {
        let members: Vec<CharacterId> = others.iter().copied().chain([target]).collect();
        Self { state: vec![None; members.len() + 1], members }
    }

    pub fn start(&mut self, start: &[PlaceId]) {
        for (place, member) in self.state.iter_mut().zip(&self.members) {
            *place = Some(start[member.index()]);
        }
        self.state[self.members.len()] = None;
    }

    pub fn went(&self) -> Option<PlaceId> {
        self.state[self.members.len()]
    }

    pub fn is_together(&self) -> bool {
        self.state[..self.members.len()].iter().all(|place| *place == self.state[0])
    }

    /// Moves all characters for whom `goes` is true to a place.
    pub fn go(&mut self, to: PlaceId, goes: impl Fn(CharacterId) -> bool) {
        if !self.members.iter().any(|&member| goes(member)) {
            return;
        }
        let target = self.members.len() - 1;
        if self.is_together() {
            self.state[target + 1] = goes(self.members[target]).then_some(to);
        }
        for (place, &member) in self.state.iter_mut().zip(&self.members) {
            if goes(member) {
                *place = Some(to);
            }
        }
        if self.is_together() {
            self.state[target + 1] = None;
        }
    }
}
