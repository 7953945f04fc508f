//! A compiled storyboard: every name an index, every condition proven satisfiable, and the tables
//! from which stories are drawn.
//!
//! A plan is what [`crate::compile`] makes and everything to its right reads. It holds no
//! expression, no span and no name that could fail to exist, so that what is drawn from it cannot
//! go wrong.

mod balance;
mod goal;
mod hardest;
mod legs;
mod length;
mod matter;
mod memory;
mod prospect;
mod question;
mod staging;
mod table;
mod weave;

pub use balance::{Balance, Level, Margin, Property, Shortcut, Sight, Stage, THIRDS};
pub use goal::Goal;
pub use hardest::Hardest;
pub use legs::{Arrivers, CastStretch, ClassProduct, LegClass, Legs, Stretch, StretchPart, Walks};
pub use length::Length;
pub use matter::{Lot, PlannedMatter};
pub use memory::Memory;
pub use prospect::{Lives, PlannedProfiles, PlannedProspect, PlannedRules, Scenarios};
pub use question::{Bundle, Dynamic, Moment, Question, Target, written_number};
pub use staging::{
    Attending, Attention, Planned, PlannedAct, PlannedCase, PlannedContainer, PlannedDeed, PlannedObject,
    PlannedProposition, PlannedTelling, PlannedValue, Play, Saying, Staging, open_act,
};

pub use weave::{PlannedStrand, PlannedWeave, ThingCounts};

pub use table::{
    Arrival, DeedShare, Limits, Line, Outcome, Outcomes, PackedOutcome, Rows, Table, TableCharacter,
    TableMemory, Values,
};

use std::sync::Arc;

use crate::id::{CharacterId, PlaceId};
use crate::pack::Pack;
pub use crate::weight::Weight;
use crate::world::Map;

/// A compiled storyboard.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The storyboard's name.
    pub name: String,
    /// The storyboard's parameters with the values of this plan.
    pub parameters: Vec<(String, i64)>,
    /// How many parameters, the last ones, are drawn for each story; every combination of their values has a plan.
    pub drawn: usize,
    /// The number of steps, each with one event.
    pub horizon: usize,
    /// The map: which places lead to which.
    pub map: Map,
    /// The names of the places.
    pub place_names: Vec<String>,
    /// The names that characters can bear.
    pub pool: Arc<[String]>,
    /// The number of characters of a story.
    pub character_count: usize,
    /// The names of the roles: the first characters of every story.
    pub role_names: Vec<String>,
    /// The names of the binds.
    pub bind_names: Vec<String>,
    /// All feasible casts, each equally likely.
    pub casts: Vec<CastPlan>,
    /// The sampling tables, shared by the casts.
    pub tables: Vec<Table>,
    /// The memories that tables keep of the past; their slots come after those of the characters.
    pub memories: Vec<Memory>,
    /// The goals that the tables do not see to, each with its number in the storyboard: a story is drawn again
    /// until it meets them.
    pub goals: Vec<(usize, Goal)>,
    /// The shares that are demanded over many stories, if the storyboard balances any.
    pub balance: Option<Balance>,
    /// Of how many walks the hardest is taken, and by what, if the storyboard says so.
    pub hardest: Option<Hardest>,
    /// How long stories are made by what others do around them, if they are.
    pub length: Option<Length>,
    /// What whole stretches of steps are drawn from, where tables would be too large.
    pub legs: Legs,
    /// How many characters may act in each run of steps, after the step that follows the run.
    pub actors: Vec<(usize, usize)>,
    /// Sets of characters that may act, in ascending order; phases refer to them.
    pub actor_sets: Vec<Vec<CharacterId>>,
    /// What characters do when they move.
    pub verbs: Vec<String>,
    /// How sentences are worded, if not plainly.
    pub wording: Option<Arc<Pack>>,
    /// Sentences that stand after the event of a step, in the order of steps.
    pub notes: Vec<Note>,
    /// The things of the storyboard and what people do besides walking; `None` if there is neither.
    pub staging: Option<Staging>,
    /// Whether the place where everyone starts is drawn along with what happens.
    pub start_is_drawn: bool,
    /// How stories are divided, if they are.
    pub scenarios: Option<Scenarios>,
    /// The questions, in the order of the storyboard.
    pub questions: Vec<Question>,
    /// For each of the questions, its number among those that the author writes.
    pub authored: Vec<usize>,
    /// Those of which an author writes several as one.
    pub bundles: Vec<Bundle>,
    /// Everything that decides what happens, as text; it goes into the keys of the random streams.
    pub fingerprint: String,
    /// How likely the conditions are.
    pub odds: Odds,
    /// Of which plans' stories those of this one are woven, if they are. What else this plan says is then that everybody goes
    /// about in free play.
    pub weave: Option<PlannedWeave>,
}

impl Plan {
    /// The things and deeds, if there is anything besides people who walk.
    pub fn things(&self) -> Option<&Staging> {
        self.staging.as_ref().filter(|staging| !staging.is_bare())
    }

    /// The largest number of steps that a story can have.
    pub fn steps_max(&self) -> usize {
        self.horizon.max(self.length.map_or(0, Length::steps_max))
    }

    /// How many steps share one draw of the generator, which says who would go freely in each of them, and where to: at most
    /// four, and only as many as keep the product of all the ranges at or below 2^32 (see [`crate::rng::Digits`]).
    pub fn turns_a_draw(&self) -> usize {
        let actors = self.actor_sets.iter().map(Vec::len).max().unwrap_or(0);
        let ways = self.map.places().map(|place| self.map.ways(place).len()).max().unwrap_or(0);
        if actors * ways <= 1 << 8 { 4 } else { 1 }
    }

    /// The lives by which stories are drawn, if they are.
    pub fn lives(&self) -> Option<&Lives> {
        self.scenarios.as_ref().and_then(|scenarios| scenarios.lives.as_ref())
    }

    /// Roughly how much memory the plan takes, counted in numbers.
    pub fn room(&self) -> usize {
        let of_tables = self.tables.iter().map(|table| {
            let values = match &table.values {
                Values::Plain(values) => values.len(),
                Values::Wide(values) => 2 * values.len(),
            };
            values + table.rows.as_ref().map_or(0, |rows| size_of_val(&rows.lines[..]) / size_of::<f64>())
        });
        of_tables.sum::<usize>() + self.legs.weight_count() + self.casts.len() + self.horizon
    }

    /// The parameters that are drawn for each story, with their values in this plan.
    pub fn drawn(&self) -> &[(String, i64)] {
        &self.parameters[self.parameters.len() - self.drawn..]
    }

    /// The number of feasible casts; where stories are woven, of all combinations of those of the strands.
    pub fn cast_count(&self) -> usize {
        match &self.weave {
            None => self.casts.len(),
            Some(weave) => {
                let counts = (0..weave.strands.len()).map(|at| weave.plan(at).casts.len());
                counts.fold(1, usize::saturating_mul)
            }
        }
    }

    /// The parameters that are the same for every story, with their values.
    pub fn given(&self) -> &[(String, i64)] {
        &self.parameters[..self.parameters.len() - self.drawn]
    }

    /// The number of questions that are asked of a story.
    pub fn asked_count(&self) -> usize {
        self.questions.len() - self.bundles.iter().map(|bundle| bundle.len() - 1).sum::<usize>()
    }

    /// The questions with which one is written as one, if there are any.
    pub fn bundle_of(&self, question: usize) -> Option<&Bundle> {
        self.bundles.iter().find(|bundle| bundle.place(question).is_some())
    }

    /// The questions as the storyboard has them: of those that are written as one, the first.
    pub fn written_questions(&self) -> impl Iterator<Item = usize> + '_ {
        let is_first = |at: &usize| self.bundle_of(*at).is_none_or(|bundle| bundle.first == *at);
        (0..self.questions.len()).filter(is_first)
    }

    /// Whether any question asks about some people only, or leaves open whom or what it is about.
    pub fn asks_about_some(&self) -> bool {
        !self.bundles.is_empty() || self.questions.iter().any(|question| !question.of.is_empty())
    }

    /// The lengths of all chains that have to be followed to see whether a story meets its goals: minds and target, counted once
    /// each time.
    pub fn lengths_judged(&self) -> Vec<usize> {
        let of_questions = || self.questions.iter().map(|question| question.others.len() + 1);
        let mut lengths = Vec::new();
        for (_, goal) in &self.goals {
            match goal {
                Goal::Difficulty(..) => lengths.extend(of_questions()),
                _ => lengths.extend(goal.chains().iter().map(|chain| chain.order() + 1)),
            }
        }
        lengths
    }

    /// Whether it takes a ranking of questions by how difficult they are to see whether a story meets its goals, or which share it
    /// belongs to.
    pub fn is_of_ranks(&self) -> bool {
        self.goals.iter().any(|(_, goal)| goal.is_of_ranks())
            || self.balance.as_ref().is_some_and(Balance::has_quantiles)
    }

    /// The same plan without shares of quantiles: that of the stories among which questions are ranked.
    #[must_use]
    pub fn without_shares_of_quantiles(&self) -> Self {
        let mut plan = self.clone();
        if let Some(balance) = &mut plan.balance {
            balance.margins.retain(|margin| !margin.property.is_quantile());
        }
        plan.balance =
            plan.balance.filter(|balance| !balance.margins.is_empty() || !balance.learned.is_empty());
        plan
    }

    /// Whether a story may have to be drawn again because the tables do not see to everything.
    pub fn may_miss(&self) -> bool {
        !self.goals.is_empty()
            || self.balance.is_some()
            || self.lives().is_none() && self.things().is_some_and(Staging::may_miss)
    }
}

/// A fixed place, or the place that a bind will stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A place that is known when the plan is made.
    Fixed(PlaceId),
    /// The place that the bind with this number stands for.
    Bound(usize),
}

impl Place {
    /// The place that is meant when the binds stand for `binds`.
    pub fn under(self, binds: &[PlaceId]) -> PlaceId {
        match self {
            Self::Fixed(place) => place,
            Self::Bound(bind) => binds[bind],
        }
    }
}

/// One way to bind all places, and how its stories are drawn.
#[derive(Clone, Debug)]
pub struct CastPlan {
    /// The place of each bind.
    pub binds: Vec<PlaceId>,
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// The probability that free play meets all demands that the tables see to.
    pub probability: Weight,
    /// The steps, one phase after another.
    pub phases: Vec<Phase>,
}

/// A run of steps that are drawn in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// One past the last step of the phase.
    pub until: usize,
    /// How the steps of the phase are drawn.
    pub draw: Draw,
}

/// How a step is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// A character of this actor set, chosen uniformly, goes to a neighbouring place, chosen uniformly.
    Free(usize),
    /// The event is drawn from the table with this number.
    Table(usize),
    /// All steps of the phase are drawn at once, from this entry of [`Legs::of_casts`].
    Legs(usize),
}

/// A sentence that the storyboard adds to the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The step after whose event the sentence stands.
    pub step: usize,
    /// The people whose events are counted for that; none if all events are.
    pub counted: Vec<CharacterId>,
    /// The pieces of the sentence.
    pub text: Vec<NotePiece>,
    /// Those of the same sentence in the past, if it is written in both tenses.
    pub past: Option<Vec<NotePiece>>,
}

impl Note {
    /// The pieces of the sentence in a story in the past, or in the present.
    pub fn told(&self, is_past: bool) -> &[NotePiece] {
        match &self.past {
            Some(past) if is_past => past,
            _ => &self.text,
        }
    }
}

/// A piece of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotePiece {
    /// Literal text.
    Text(String),
    /// The name of a character.
    Character(CharacterId),
    /// The name of the place that a bind stands for.
    Bind(usize),
}

/// How likely the storyboard's demands are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The decimal logarithm of the probability that free play meets all conditions and the goals that the tables
    /// see to, averaged over the feasible casts.
    pub log10_probability: f64,
    /// The number of ways to bind the places, feasible or not.
    pub cast_count: usize,
}
