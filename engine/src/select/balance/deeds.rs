//! The short way where people do more than walk: minds are followed only if the rest of a story leaves it open whether it
//! weighs enough.
//!
//! Where everyone and everything has been says what a story would weigh with each answer, but for what depends on the answer
//! one order lower. Mostly no answer would make it weigh enough; then no mind is followed. Else the chain is followed, and
//! only if that leaves it open, the chain one order lower.

use super::paths::Paths;
use super::weigher::{MarginFactors, Weigher};
use crate::id::ContainerId;
use crate::plan::{Balance, Level, Moment, Plan, Property, Question, Shortcut, Stage, Target};
use crate::question::{Answer, Reply, chain};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::world::Item;

/// A sieve of stories with deeds.
///
/// The result equals that of a `Gauge` with [`Weigher::weigh`], to the last bit.
#[derive(Clone, Debug)]
pub struct DeedSieve<'a> {
    plan: &'a Plan,
    question: &'a Question,
    balance: &'a Balance,
    paths: Paths,
    /// What each shortcut that is balanced answers, by margin; that of lower order is not among them.
    named: Vec<Option<Answer>>,
    candidates: Vec<Candidate>,
    reply: Reply,
    lower: Reply,
    /// The answer of the last story that passed.
    answer: Option<Answer>,
    /// The levels of the last story that passed.
    levels: Vec<u16>,
}

/// A possible answer.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    answer: Answer,
    /// The level of its rank, or 0 if ranks are not balanced.
    rank: usize,
    /// The most that the product of its factors can be, as far as they have been multiplied; 0 if that is not enough.
    product: f64,
}

/// What is known of a property.
enum Known {
    Is(Level),
    /// It has no value, and such stories are never kept.
    Nothing,
    /// It depends on the answer one order lower.
    NotYet,
}

impl<'a> DeedSieve<'a> {
    /// A sieve of a plan's stories; `None` where more has to be known than who and what is where.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let question = &plan.questions[balance.question];
        let is_open = |property: Property| property.is_of_evidence() || property == Property::Votes;
        let is_item = matches!(question.target, Target::Item(Item::Character(_) | Item::Object(_)));
        if !is_item
            || question.kind != QuestionKind::Belief
            || question.moment != Moment::End
            || !question.choices.is_empty()
            || balance.margins.iter().any(|margin| is_open(margin.property))
        {
            return None;
        }
        let chain = chain(question).filter(|chain| chain.order() > 0)?;
        plan.things()?;
        let places = plan.map.places().map(Answer::Place);
        let containers = plan.staging.as_ref()?.containers.len();
        let containers = (0..containers).map(ContainerId::new).map(Answer::Container);
        let candidate = |answer| Candidate { answer, rank: 0, product: 0.0 };
        Some(Self {
            plan,
            question,
            balance,
            paths: Paths::default(),
            named: vec![None; balance.margins.len()],
            candidates: places.chain(containers).map(candidate).collect(),
            lower: Reply::new(plan, chain.lower()),
            reply: Reply::new(plan, chain),
            answer: None,
            levels: vec![0; balance.margins.len()],
        })
    }

    /// Whether a story weighs more than `bar`.
    ///
    /// Costs following the state of affairs and O(places · margins); for few stories, following one chain or two.
    pub fn passes(&mut self, story: &Story, weigher: &Weigher, bar: f64) -> bool {
        self.paths.follow(self.plan, self.question, story);
        if weigher.weight_max <= bar || !self.can_pass(weigher, bar) {
            return false;
        }
        self.answer = self.reply.find(story);
        let Some(answer) = self.answer else { return false };
        if !self.candidates.iter().any(|one| one.answer == answer && one.product > 0.0) {
            return false;
        }
        let lower = self.lower.find(story);
        self.passes_with(answer, lower, weigher, bar)
    }

    /// The answer of the last story that passed.
    pub fn answer(&self) -> Option<Answer> {
        self.answer
    }

    /// The level of each margin for the last story that passed.
    pub fn levels(&self) -> &[u16] {
        &self.levels
    }

    /// Whether some answer could make a story weigh more than `bar`. Afterwards, those that could have a product.
    fn can_pass(&mut self, weigher: &Weigher, bar: f64) -> bool {
        let Self { paths, balance, candidates, .. } = self;
        for candidate in &mut *candidates {
            let rank = weigher.rank_margin().map(|margin| {
                let known = value_of(paths, margin.property, candidate.answer, None, None);
                level_of(balance, margin, known)
            });
            candidate.product = if matches!(rank, Some(None)) { 0.0 } else { 1.0 };
            candidate.rank = rank.flatten().unwrap_or(0);
        }
        Stage::ALL.into_iter().all(|stage| self.can_pass_at(stage, weigher, bar))
    }

    fn can_pass_at(&mut self, stage: Stage, weigher: &Weigher, bar: f64) -> bool {
        let Self { plan, paths, balance, named, candidates, .. } = self;
        for margin in weigher.of_stage(stage) {
            if let Property::Shortcut(shortcut) = margin.property {
                named[margin.number] = paths.answer(plan, shortcut, paths.foils());
            }
            for candidate in candidates.iter_mut().filter(|candidate| candidate.product > 0.0) {
                let known = value_of(paths, margin.property, candidate.answer, named[margin.number], None);
                candidate.product *= match known {
                    Known::NotYet => margin.largest,
                    known => level_of(balance, margin, known).map_or(0.0, |level| margin.factor_at(level)),
                };
            }
        }
        let mut can_pass = false;
        for candidate in candidates {
            if candidate.product * weigher.cap(stage, candidate.rank) > bar {
                can_pass = true;
            } else {
                candidate.product = 0.0;
            }
        }
        can_pass
    }

    /// Whether the story weighs more than `bar`, now that all is known.
    fn passes_with(&mut self, answer: Answer, lower: Option<Answer>, weigher: &Weigher, bar: f64) -> bool {
        let Self { paths, balance, named, levels, .. } = self;
        for margin in weigher.all() {
            let known = value_of(paths, margin.property, answer, named[margin.number], Some(lower));
            let Some(level) = level_of(balance, margin, known) else { return false };
            levels[margin.number] = level as u16;
        }
        weigher.weigh(levels) > bar
    }
}

/// The value of a property if this is the answer, given what the shortcut that it is about answers, and the answer one order
/// lower, if that is known.
fn value_of(
    paths: &Paths,
    property: Property,
    answer: Answer,
    named: Option<Answer>,
    lower: Option<Option<Answer>>,
) -> Known {
    let is_or_is_not = |is_so| Known::Is(Level::Number(u64::from(is_so)));
    let or_neither = |is_so: Option<bool>| is_so.map_or(Known::Is(Level::Number(2)), is_or_is_not);
    let number = |number: Option<usize>| {
        number.map_or(Known::Nothing, |number| Known::Is(Level::Number(number as u64)))
    };
    match (property, lower) {
        (Property::Answer, _) => Known::Is(Level::Answer(answer.value())),
        (Property::AnswerRank, _) => number(paths.rank(answer)),
        (Property::AnswerRecency, _) => number(paths.recency(answer)),
        (Property::FalseBelief, _) => is_or_is_not(paths.truth() != answer),
        (Property::OrderGap | Property::Shortcut(Shortcut::LowerOrder), None) => Known::NotYet,
        (Property::OrderGap, Some(lower)) => or_neither(lower.map(|lower| lower != answer)),
        (Property::Shortcut(Shortcut::LowerOrder), Some(lower)) => {
            or_neither(lower.map(|lower| lower == answer))
        }
        (Property::Shortcut(_), _) => or_neither(named.map(|named| named == answer)),
        (Property::EvidencePosition | Property::Difficulty(_) | Property::Votes, _) => {
            unreachable!("more has to be known for this")
        }
    }
}

/// The level of a value; `None` if such stories are never kept.
fn level_of(balance: &Balance, margin: &MarginFactors, known: Known) -> Option<usize> {
    match known {
        Known::Is(value) => balance.margins[margin.number].level_of(value),
        Known::Nothing | Known::NotYet => None,
    }
}
