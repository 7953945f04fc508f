//! The plans of a storyboard, taken together, with what their stories are kept by.

use std::sync::{Arc, OnceLock};

use super::balance::{self, LOOKS, LOOKS_AT_DEEDS, Reader, Weigher, Weights};
use super::family_weights::FamilyWeights;
use super::judge::judges;
use super::look::Look;
use super::ranking::Ranking;
use crate::plan::{Balance, Plan};
use crate::rng::{Purpose, StreamKey, below};
use crate::simulate::{Simulator, Story};

/// The first attempt number, or trial number, of pilot stories; trials proper use smaller ones.
pub const PILOT: u64 = 1 << 32;

/// The plans of a storyboard, one for every combination of the numbers that are drawn for each story, and the factors by
/// which stories are kept where shares are balanced.
///
/// A family is made once, by [`super::admit`] or [`Family::new`], and then only read: whoever draws stories borrows it.
///
/// ```
/// use storysim::{compile::compile_family, diagnostic::Source, select::{Family, Selector}, simulate::Story, storyboard};
/// let text = "storysim: 1\nname: brief\ncharacters: {pool: [Ann, Bob]}\nroles: [T]\nplaces: {complete: [a, b, c]}\n\
///             start: a\ndraw: {steps: [3, 5]}\nhorizon: steps\nquestions: [{reality: T}]\n";
/// let board = storyboard::parse(Source { name: "brief.yaml".into(), text: text.into() }).unwrap();
/// let family = Family::new(compile_family(&board, &[]).unwrap().plans);
/// assert_eq!((family.plans().len(), family.name()), (3, "brief"));
/// let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
/// selector.draw(0, &mut story);
/// assert_eq!(story.trace.events.len(), selector.plan().horizon);
/// ```
#[derive(Clone, Debug)]
pub struct Family {
    plans: Vec<Plan>,
    weights: FamilyWeights,
    /// The families of the strands, where stories are woven; their weights are among those of this one.
    strands: Vec<Family>,
    /// How difficult questions usually are, once somebody has asked for it.
    ranking: OnceLock<Arc<Ranking>>,
}

impl Family {
    /// The family of plans that were compiled again, with the factors that were found for the first compilation.
    ///
    /// # Panics
    /// If there is no plan, or if there are factors but no balanced shares, or balanced shares but no factors.
    pub fn with_weights(plans: Vec<Plan>, weights: FamilyWeights) -> Self {
        assert_eq!(is_balanced(&plans), weights.stories.is_some(), "the weights are those of these plans");
        if least(&plans).weave.is_some() {
            let of_strand = |at: usize| weights.strands.get(at).cloned().unwrap_or_default();
            let family = Self::woven(plans, |at, plans| Self::with_weights(plans, of_strand(at)));
            return family.without_twins_of(weights.twinless);
        }
        let known = weights.ranking.clone().map(Arc::new);
        let ranking = known.map_or_else(OnceLock::new, OnceLock::from);
        Self { plans, weights, strands: Vec::new(), ranking }
    }

    /// The family of plans whose stories are woven. `make` makes those of the strands, each given its number.
    pub(super) fn woven(plans: Vec<Plan>, mut make: impl FnMut(usize, Vec<Plan>) -> Self) -> Self {
        let strands =
            strands_of(&plans).iter().enumerate().map(|(at, plans)| make(at, plans.clone())).collect();
        Self::of_strands(plans, strands)
    }

    /// The family of plans whose stories are woven, with those of the strands.
    pub(super) fn of_strands(plans: Vec<Plan>, strands: Vec<Self>) -> Self {
        let weights = FamilyWeights::default();
        Self { plans, weights, strands: Vec::new(), ranking: OnceLock::new() }.with_strands(strands)
    }

    /// The same family, of which these strands have no twins.
    pub(super) fn without_twins_of(self, twinless: Vec<usize>) -> Self {
        Self { weights: FamilyWeights { twinless, ..self.weights }, ..self }
    }

    /// The same family with these strands.
    pub(super) fn with_strands(self, strands: Vec<Self>) -> Self {
        let weights = FamilyWeights {
            strands: strands.iter().map(|strand| strand.weights.clone()).collect(),
            ..self.weights
        };
        Self { strands, weights, ..self }
    }

    /// The families of the strands, where stories are woven; none where they are not.
    pub fn strands(&self) -> &[Self] {
        &self.strands
    }

    /// The same plans, with a second look at their stories.
    pub(super) fn with_look(self, look: Look) -> Self {
        Self { weights: FamilyWeights { look: Some(look), ..self.weights }, ..self }
    }

    /// Adds to the family by what pairs are kept.
    pub(super) fn with_pair_weights(self, pairs: Weights, pair_look: Option<Look>) -> Self {
        Self { weights: FamilyWeights { pairs: Some(pairs), pair_look, ..self.weights }, ..self }
    }

    /// Adds the factors of triplets to the family.
    pub(super) fn with_triplet_weights(self, triplets: Weights) -> Self {
        Self { weights: FamilyWeights { triplets: Some(triplets), ..self.weights }, ..self }
    }

    /// The plans, in the order of their drawn numbers, the last number running fastest.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The factors by which stories and pairs are kept.
    pub fn weights(&self) -> &FamilyWeights {
        &self.weights
    }

    /// The storyboard's name.
    pub fn name(&self) -> &str {
        &least(&self.plans).name
    }

    /// The number of questions that the storyboard asks of each story.
    pub fn question_count(&self) -> usize {
        least(&self.plans).asked_count()
    }

    /// The largest number of steps of a story.
    pub fn steps_max(&self) -> usize {
        self.plans.iter().map(Plan::steps_max).max().unwrap_or(0)
    }

    /// How difficult the questions of the family's stories usually are, made if nobody has asked for it before.
    pub(super) fn ranking_or_make(&self, make: impl FnOnce() -> Ranking) -> &Ranking {
        self.ranking.get_or_init(|| Arc::new(make()))
    }

    /// Roughly how much memory the plans take, counted in numbers.
    pub fn room(&self) -> usize {
        let of_strands: usize = self.strands.iter().map(Self::room).sum();
        self.plans.iter().map(Plan::room).sum::<usize>() + 2 * of_strands
    }

    /// What is balanced, with the factors by which stories are kept; `None` if no shares are balanced.
    pub(super) fn balance(&self) -> Option<(&Balance, &Weights)> {
        least(&self.plans).balance.as_ref().zip(self.weights.stories.as_ref())
    }

    /// Draws, under the seed of a run, which plan each story has.
    pub(super) fn picks(&self, seed: u64) -> Picks {
        Picks::new(&self.plans, seed)
    }
}

/// The plans of the strands; none where stories are not woven.
pub(super) fn strands_of(plans: &[Plan]) -> &[Vec<Plan>] {
    least(plans).weave.as_ref().map_or(&[], |planned| &planned.plans)
}

/// The plan with the smallest numbers. Names, questions and what is balanced are the same in all plans of a storyboard.
/// This plan's fingerprint stands for all of them in the key of the stream by which numbers are drawn.
fn least(plans: &[Plan]) -> &Plan {
    plans.first().expect("a storyboard has a plan")
}

pub(super) fn is_balanced(plans: &[Plan]) -> bool {
    least(plans).balance.is_some()
}

/// Draws which plan a story has.
#[derive(Clone, Debug)]
pub struct Picks {
    key: StreamKey,
    count: u32,
}

impl Picks {
    fn new(plans: &[Plan], seed: u64) -> Self {
        let key = StreamKey::derive(seed, &least(plans).fingerprint, Purpose::Numbers);
        Self { key, count: plans.len() as u32 }
    }

    /// The number of the plan for one attempt at the story with an index.
    pub fn plan(&self, index: u64, attempt: u64) -> usize {
        match self.count {
            1 => 0,
            count => below(&mut self.key.stream(index, attempt), count) as usize,
        }
    }
}

/// Finds the factors by which the stories of balanced plans are kept. The pilot stories are drawn like those of trials,
/// so they have nothing to do with any run. Without a ranking, they need not meet goals that take one.
pub(super) fn weights(plans: &[Plan], ranking: Option<&Ranking>) -> Weights {
    let picks = Picks::new(plans, 0);
    let pilots = || {
        let of_plan = |plan| {
            (
                Simulator::of_trials(plan),
                judges(plan, 0, ranking),
                Reader::new(plan, ranking).expect("a plan that is balanced"),
            )
        };
        let mut members: Vec<_> = plans.iter().map(of_plan).collect();
        let (picks, mut story) = (picks.clone(), Story::default());
        move |number: u64, weigher: &Weigher, bar: f64, levels: &mut Vec<u16>| {
            let (simulator, judges, reader) = &mut members[picks.plan(number, PILOT)];
            let passes = simulator.draw_attempt(number, PILOT, &mut story)
                && judges.iter_mut().all(|judge| judge.accepts(&story))
                && reader.passes(&story, weigher, bar);
            if passes {
                levels.clear();
                levels.extend_from_slice(reader.levels(weigher));
            }
            passes
        }
    };
    let plan = least(plans);
    let balance = plan.balance.as_ref().expect("plans that are balanced");
    let count = plans.iter().map(balance::pilots_of).min().expect("there is one");
    let looks = if plan.things().is_some() { LOOKS_AT_DEEDS } else { LOOKS };
    balance::fit(balance, count, looks, &plan.fingerprint, pilots)
}
