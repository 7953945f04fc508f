//! What is asked about the roles of every story.

use super::Plan;
use crate::form::State;
use crate::id::CharacterId;
use crate::storyboard::{Facet, OfMatter, QuestionKind};
use crate::trace::Trace;
use crate::world::{Item, Value};

/// A question about the characters of every story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The kind of question.
    pub kind: QuestionKind,
    /// The minds of the chain, or the company of the target; empty where the kind has none.
    pub others: Vec<CharacterId>,
    /// The character, thing or attitude that the question is about.
    pub target: Target,
    /// The only people about whom a list of people asks; empty if it is about everyone.
    pub of: Vec<CharacterId>,
    /// The moment that the question asks about, if nothing but its own board's steps is counted.
    pub moment: Moment,
    /// The people whose steps are counted: those of one board of a woven storyboard. If it is empty, all steps are.
    pub counted: Vec<CharacterId>,
    /// Which state at the end of which scenario, if it asks what news does to somebody.
    pub dynamic: Option<Dynamic>,
    /// The answers that are offered to choose from, at least two; empty if all are. A question with another answer is not
    /// written.
    pub choices: Vec<Value>,
}

/// A state at the end of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dynamic {
    /// The state.
    pub state: State,
    /// The scenario, counted from 0; of a course, the last.
    pub scenario: usize,
}

/// Questions that an author writes as one, leaving open who of a group is named, or which matter is meant. One of them is asked of
/// a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The number of the first of them in [`super::Plan::questions`]; the others follow.
    pub first: usize,
    /// What the author writes: the minds, and the target last.
    pub written: Vec<String>,
    /// For each way to name people, those who are named of groups, in the order in which they are.
    pub ways: Vec<Vec<CharacterId>>,
    /// Of how many matters each way can ask; 1 where no matter is open.
    pub matters: usize,
    /// How many other matters must have other answers to the same question, if that is demanded. Their answers are the choices.
    pub unlike: Option<usize>,
}

impl Bundle {
    /// The number of the question that names people in this way, of this matter.
    pub const fn question(&self, way: usize, matter: usize) -> usize {
        self.first + way * self.matters + matter
    }

    /// The way and the matter of a question, if it is one of these.
    pub const fn place(&self, question: usize) -> Option<(usize, usize)> {
        match question.checked_sub(self.first) {
            Some(at) if at < self.len() => Some((at / self.matters, at % self.matters)),
            _ => None,
        }
    }

    /// The number of questions.
    pub const fn len(&self) -> usize {
        self.ways.len() * self.matters
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The number that a question of a plan has in the storyboard, where each of these bundles is written as one question.
pub fn written_number(bundles: &[Bundle], question: usize) -> usize {
    let before = bundles.iter().filter(|bundle| bundle.first < question);
    before.fold(question, |number, bundle| number - (bundle.len() - 1).min(question - bundle.first))
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A character, an object, or a proposition.
    Item(Item),
    /// Everyone's attitude to a thing, as a number in [`super::Staging::attitudes`].
    Attitude(usize),
    /// A matter, as a number in [`super::Staging::matters`].
    Matter(usize),
}

/// The moment that a question asks about, or the condition under which it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The end of the story.
    #[default]
    End,
    /// The moment just before this step.
    Before(usize),
    /// The end of the story if this step's event had not happened.
    Without(usize),
}

impl Question {
    /// A question that is asked at the end, about everyone, and with all answers to choose from.
    pub const fn new(kind: QuestionKind, others: Vec<CharacterId>, target: Target) -> Self {
        Self {
            kind,
            others,
            target,
            of: Vec::new(),
            moment: Moment::End,
            counted: Vec::new(),
            dynamic: None,
            choices: Vec::new(),
        }
    }

    /// The moment in a story, of whose steps all are counted. `before` is the number of those that others take before the storyboard's
    /// own part.
    ///
    /// Costs O(events) in woven stories.
    ///
    /// ```
    /// use storysim::id::{CharacterId, PlaceId};
    /// use storysim::plan::{Moment, Question, Target};
    /// use storysim::{storyboard::QuestionKind, trace::Trace, world::{Event, Item}};
    /// let [ann, bob] = [0, 1].map(CharacterId::new);
    /// let [hall, attic] = [0, 1].map(PlaceId::new);
    /// let goes = |who| Event { who, from: hall, to: attic };
    /// let trace = Trace::of_moves(vec![hall, hall], vec![goes(ann), goes(bob)]);
    /// let question = Question {
    ///     moment: Moment::Before(0), counted: vec![bob],
    ///     ..Question::new(QuestionKind::Reality, Vec::new(), Target::Item(Item::Character(bob)))
    /// };
    /// assert_eq!(question.moment_in(&trace, 0), Moment::Before(1));
    /// ```
    pub fn moment_in(&self, trace: &Trace, before: usize) -> Moment {
        let all = |step: usize| {
            let is_counted = |at: &usize| self.counted.contains(&trace.events[*at].who);
            let count = trace.events.len();
            match self.counted.is_empty() {
                true => before + step,
                false => (before..count).filter(is_counted).nth(step).unwrap_or(count),
            }
        };
        match self.moment {
            Moment::End => Moment::End,
            Moment::Before(step) => Moment::Before(all(step)),
            Moment::Without(step) => Moment::Without(all(step)),
        }
    }

    /// The matter that the question is about, and what of it; `None` if it is about something else. A question about a matter
    /// as a whole is about what is claimed.
    pub fn of_matter(&self, plan: &Plan) -> Option<OfMatter> {
        match self.target {
            Target::Matter(matter) => Some(OfMatter { matter, facet: Facet::Claim }),
            Target::Item(Item::Proposition(proposition)) => {
                plan.staging.as_ref()?.propositions[proposition.index()].of_matter()
            }
            Target::Item(_) | Target::Attitude(_) => None,
        }
    }

    /// The character that the question is about.
    ///
    /// # Panics
    /// If the question is not about a character: then it is answered by the part that knows deeds.
    pub fn character(&self) -> CharacterId {
        match self.target {
            Target::Item(Item::Character(who)) => who,
            _ => panic!("a question about a character"),
        }
    }
}
