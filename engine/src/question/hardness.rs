//! How hard a story is, by one number: for taking the hardest of many, and for those that are as hard as they are to be.

use super::difficulty::{changes_of_walk, differ_of_walk};
use super::watch::Watch;
use super::{Answered, Asker, DifficultyGauge, Inquiry};
use crate::form::Hardness;
use crate::plan::{Plan, written_number};
use crate::simulate::Story;

/// Measures how hard stories are, by a number of one of their questions.
///
/// ```
/// use storysim::{compile::compile, form::Hardness, question::HardnessGauge, simulate::{Simulator, Story}, storyboard};
/// let plan = compile(&storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap(), &[]).unwrap().plan;
/// let mut story = Story::default();
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let mut gauge = HardnessGauge::new(&plan, 7, Hardness::Updates, 0);
/// assert!(gauge.measure(&story) >= Some(2)); // T was seen to go twice
/// ```
#[derive(Clone, Debug)]
pub struct HardnessGauge<'a> {
    by: Hardness,
    question: usize,
    means: Means<'a>,
}

/// What has to be followed to measure.
#[derive(Clone, Debug)]
enum Means<'a> {
    /// The answer, where people only walk.
    Updates(Box<Watch>),
    /// That, and the answers of lower orders.
    LowerOrders(Vec<Watch>),
    /// Everything that a question is asked with.
    All(Box<(Asker<'a>, DifficultyGauge<'a>)>),
}

impl<'a> HardnessGauge<'a> {
    /// A gauge for the stories of a plan under the seed of a run, by a number of the question with this number, as the author counts.
    pub fn new(plan: &'a Plan, seed: u64, by: Hardness, question: usize) -> Self {
        let asked = (0..plan.questions.len()).find(|&at| written_number(&plan.bundles, at) == question);
        // Of several that are written as one, the seed and the story decide which is asked.
        let alone = asked.filter(|&at| plan.bundle_of(at).is_none());
        let of_walks =
            alone.map(|at| &plan.questions[at]).filter(|question| Inquiry::is_of_walks(plan, question));
        let means = match (by, of_walks) {
            (Hardness::Updates, Some(question)) => {
                Means::Updates(Box::new(Watch::new(question, plan.character_count)))
            }
            (Hardness::LowerOrdersDiffer, Some(question)) => {
                Means::LowerOrders(DifficultyGauge::watches(plan, question))
            }
            _ => Means::All(Box::new((asker(plan, seed, alone), DifficultyGauge::new(plan)))),
        };
        Self { by, question, means }
    }

    /// The number for a story; for the quantile, the score by which questions are ranked. `None` if the question is not asked of it,
    /// or has no such number. Costs O(events) where people only walk and the number is `updates`, else as much as to ask all
    /// questions.
    pub fn measure(&mut self, story: &Story) -> Option<u64> {
        let Self { by, question, means } = self;
        match means {
            Means::Updates(watch) => Some(changes_of_walk(watch, &story.trace) as u64),
            Means::LowerOrders(watches) => Some(differ_of_walk(watches, &story.trace) as u64),
            Means::All(both) => {
                let (asker, gauge) = &mut **both;
                let bundles = &asker.plan().bundles;
                let is_asked = |answered: &&Answered| written_number(bundles, answered.question) == *question;
                let answered = asker.ask(story).iter().find(is_asked)?;
                gauge.measure(story, answered).number(*by)
            }
        }
    }
}

/// What asks a question: it alone, unless it is drawn for each story which of several is asked, or it is about news.
fn asker(plan: &Plan, seed: u64, alone: Option<usize>) -> Asker<'_> {
    match alone.filter(|&at| plan.questions[at].dynamic.is_none()) {
        // What choices are offered, on which the seed bears as well, makes nothing harder.
        Some(at) => Asker::of_one(plan, at, true),
        None => Asker::new(plan, seed),
    }
}
