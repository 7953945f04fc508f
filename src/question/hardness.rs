//! How hard a story is, by one number: for taking the hardest of many.

use super::difficulty::{changes_of_walk, differ_of_walk};
use super::watch::Watch;
use super::{Answered, Asker, Difficulty, DifficultyGauge, Inquiry};
use crate::form::Hardness;
use crate::plan::{Hardest, Plan, written_number};
use crate::simulate::Story;

/// Measures how hard stories are, by the number that a storyboard names.
///
/// ```
/// use storysim::{compile::compile, question::HardnessGauge, simulate::{Simulator, Story}, storyboard};
/// let mut source = storyboard::BUILT_IN[0].source();
/// source.text.push_str("hardest: {of: 10, by: updates}\n");
/// let plan = compile(&storyboard::parse(source).unwrap(), &[]).unwrap().plan;
/// let mut story = Story::default();
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// assert!(HardnessGauge::new(&plan).unwrap().measure(&story) >= 2); // T was seen to go twice
/// ```
#[derive(Clone, Debug)]
pub struct HardnessGauge<'a> {
    hardest: Hardest,
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
    /// A gauge for the stories of a plan; `None` if it does not ask for the hardest.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let hardest = plan.hardest?;
        let asked =
            (0..plan.questions.len()).find(|&at| written_number(&plan.bundles, at) == hardest.question);
        let question =
            asked.map(|at| &plan.questions[at]).filter(|question| Inquiry::is_of_walks(plan, question));
        let means = match (hardest.by, question) {
            (Hardness::Updates, Some(question)) => {
                Means::Updates(Box::new(Watch::new(question, plan.character_count)))
            }
            (Hardness::LowerOrdersDiffer, Some(question)) => {
                Means::LowerOrders(DifficultyGauge::watches(plan, question))
            }
            // What choices are offered, on which the seed bears, makes nothing harder.
            _ => Means::All(Box::new((Asker::new(plan, 0), DifficultyGauge::new(plan)))),
        };
        Some(Self { hardest, means })
    }

    /// Of how many walks the hardest is to be taken.
    pub const fn of(&self) -> u64 {
        self.hardest.of
    }

    /// How hard a story is: what is greater is harder. A question without an answer is not hard at all. Costs O(events) where
    /// people only walk and the number is `updates`, else as much as to ask all questions.
    pub fn measure(&mut self, story: &Story) -> u64 {
        let Hardest { by, question, .. } = self.hardest;
        match &mut self.means {
            Means::Updates(watch) => changes_of_walk(watch, &story.trace) as u64,
            Means::LowerOrders(watches) => differ_of_walk(watches, &story.trace) as u64,
            Means::All(both) => {
                let (asker, gauge) = &mut **both;
                let bundles = &asker.plan().bundles;
                let is_asked = |answered: &&Answered| written_number(bundles, answered.question) == question;
                let answered = asker.ask(story).iter().find(is_asked);
                answered.map_or(0, |answered| number(&gauge.measure(story, answered), by))
            }
        }
    }
}

/// The number by which questions are compared.
fn number(difficulty: &Difficulty, by: Hardness) -> u64 {
    let number = match by {
        Hardness::Updates => difficulty.updates.unwrap_or(0),
        Hardness::Bearing => difficulty.bearing,
        Hardness::Between => difficulty.between,
        Hardness::After => difficulty.after,
        Hardness::LowerOrdersDiffer => difficulty.lower_orders_differ.unwrap_or(0),
        // A greater score never has a lower quantile.
        Hardness::Quantile => return difficulty.score(),
    };
    number as u64
}
