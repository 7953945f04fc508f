//! Finds what stories are kept by at a second look, on pilot stories.

use std::ops::Range;

use super::signs::Signs;
use super::{Look, Looker};
use crate::boost::{Data, Ranker, Settings};
use crate::plan::{Balance, Plan, Sight};
use crate::select::balance::{Limited, Reader, Weigher, cap, corrections};
use crate::select::cores::in_chunks;
use crate::select::family::{Family, PILOT};
use crate::select::selector::Selector;
use crate::simulate::Story;

/// The number of pilot stories where people only walk, and where they do more. There, each takes some ten times as long.
const PILOTS: [u64; 2] = [400_000, 200_000];

/// The part of the pilots that those learn from who see target and minds alike. The others learn from the rest, which has not
/// been seen before: what was learned by heart does not help there.
const FIRST_PART: f64 = 0.6;

/// How learners learn that see target and minds alike, and how all others do.
const SETTINGS: [Settings; 2] = [
    Settings {
        trees: 160,
        depth: 6,
        shrinkage: 0.12,
        leaf_penalty: 4.0,
        leaf_hessian_min: 20.0,
        patience: None,
    },
    Settings {
        trees: 60,
        depth: 5,
        shrinkage: 0.15,
        leaf_penalty: 4.0,
        leaf_hessian_min: 20.0,
        patience: None,
    },
];

/// How often all learn but those who see target and minds alike. What one has made right, those after it may undo.
const PASSES: usize = 2;

/// The largest part of the total weight that may be lost by limiting the weight of single stories.
const LOST_MAX: f64 = 0.08;

/// Factors and limits are found in turn, this often.
const SETTLINGS: usize = 3;

/// Factors are found once no share is off by more than this, or after so many rounds.
const ERROR_MAX: f64 = 1e-3;
const ROUNDS_MAX: usize = 200;

/// The number of pilots that one thread draws in a row.
const CHUNK: u64 = 256;

/// A pilot story: its signs, its answer as the number of a place, and its level of each margin.
struct Pilot {
    signs: Signs,
    answer: usize,
    levels: Vec<u16>,
    /// What it counts for by what was learned so far.
    weight: f64,
}

/// Finds by what stories are kept at a second look, which learners of these sights take. `family` draws stories whose shares
/// are right.
///
/// Costs drawing the pilot stories, and O(pilots · places · signs · trees) for each learner.
pub fn fit(family: &Family, sights: &[Sight]) -> Look {
    let count = PILOTS[usize::from(family.plans()[0].things().is_some())];
    Look::of_pilots(family, sights, count)
}

impl Look {
    /// Finds by what stories are kept at a second look, on so many pilot stories. `family` draws stories whose shares are right.
    ///
    /// ```
    /// use storysim::{compile::compile_family, diagnostic::Source, plan::Sight, select::{Family, Look}, storyboard::parse};
    /// let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 2}\nroles: [S1, T]\nplaces: {complete: [a, b]}\n\
    ///             start: a\nhorizon: 4\nquestions: [belief: [S1, T]]\nbalance: {answer: uniform}\n";
    /// let board = parse(Source { name: "t.yaml".into(), text: text.into() }).unwrap();
    /// let family = Family::new(compile_family(&board, &[]).unwrap().plans);
    /// let look = Look::of_pilots(&family, &[Sight::Target], 200);
    /// assert!(look.kept > 0.0 && look.kept <= 1.0);
    /// ```
    ///
    /// # Panics
    /// If the family's shares are not balanced.
    pub fn of_pilots(family: &Family, sights: &[Sight], count: u64) -> Self {
        let plan = &family.plans()[0];
        let balance = plan.balance.as_ref().expect("plans that are balanced");
        let mut pilots = draw(family, 0..count);
        let minds = Signs::mind_count(&plan.questions[balance.question]);
        let begin = match sights.contains(&Sight::Both) {
            true => (pilots.len() as f64 * FIRST_PART) as usize,
            false => 0,
        };
        let mut look = Self {
            rankers: Vec::new(),
            factors: balance.margins.iter().map(|margin| vec![1.0; margin.shares.len() + 1]).collect(),
            largest: f64::MAX,
            kept: 0.0,
            error: f64::INFINITY,
            worst: 0,
        };
        if sights.contains(&Sight::Both) {
            let ranker =
                learn(Sight::Both, &pilots[..begin], &look, Signs::width(Sight::Both, minds), &SETTINGS[0]);
            take(plan, balance, (Sight::Both, ranker), &mut pilots, begin, &mut look);
        }
        let single = || sights.iter().copied().filter(|sight| *sight != Sight::Both);
        for sight in (0..PASSES).flat_map(|_| single()) {
            let ranker = learn(sight, &pilots[begin..], &look, Signs::width(sight, minds), &SETTINGS[1]);
            take(plan, balance, (sight, ranker), &mut pilots, begin, &mut look);
        }
        look
    }
}

/// Weighs pilots by what was learned, too, and puts shares right again.
fn take(
    plan: &Plan,
    balance: &Balance,
    (sight, ranker): (Sight, Ranker),
    pilots: &mut [Pilot],
    begin: usize,
    look: &mut Look,
) {
    weigh(plan, sight, &ranker, pilots);
    look.rankers.push((sight, ranker));
    settle(balance, &pilots[begin..], look);
}

/// Draws pilot stories, which have nothing to do with any run.
fn draw(family: &Family, numbers: Range<u64>) -> Vec<Pilot> {
    let (balance, weights) = family.balance().expect("shares are balanced");
    let weigher = Weigher::new(balance, weights);
    let chunks = in_chunks(numbers, CHUNK, || {
        let mut selector = Selector::of_trials(family);
        let ranking = family.weights().ranking.as_ref();
        let reader = |plan| Reader::new(plan, ranking).expect("a plan that is balanced");
        let mut readers: Vec<Reader<'_>> = family.plans().iter().map(reader).collect();
        let (mut story, weigher) = (Story::default(), &weigher);
        move |numbers: Range<u64>| {
            let pilot = |number| {
                selector.draw_trial(0, 0, PILOT + number, &mut story);
                let reader = &mut readers[selector.plan_number()];
                let levels = reader.read(&story, weigher).expect("a story that was kept").to_vec();
                let plan = selector.plan();
                let mut signs = Signs::default();
                signs.read(plan, &plan.questions[balance.question], &story);
                Some(Pilot { signs, answer: reader.place()?.index(), levels, weight: 1.0 })
            };
            numbers.filter_map(pilot).collect::<Vec<_>>()
        }
    });
    chunks.into_iter().flatten().collect()
}

/// Learns from pilots, as far as they are kept by now, how likely each place is to be the answer.
fn learn(sight: Sight, pilots: &[Pilot], look: &Look, width: usize, settings: &Settings) -> Ranker {
    let mut data = Data::new(width);
    let mut shown = Vec::new();
    for pilot in pilots {
        shown.clear();
        pilot.signs.show(sight, &mut shown);
        data.push(&shown, pilot.answer, look.by_shares(pilot.weight, &pilot.levels).min(look.largest));
    }
    Ranker::learn(&data, settings)
}

/// Weighs pilots by how likely their answers are to what was learned.
fn weigh(plan: &Plan, sight: Sight, ranker: &Ranker, pilots: &mut [Pilot]) {
    let mut looker = Looker::new(plan);
    for pilot in pilots {
        std::mem::swap(&mut looker.signs, &mut pilot.signs);
        looker.shown.iter_mut().for_each(Vec::clear);
        pilot.weight *= looker.weigh_by(sight, ranker, pilot.answer);
        std::mem::swap(&mut looker.signs, &mut pilot.signs);
    }
}

/// Finds the factors of shares, and the limit of weights.
fn settle(balance: &Balance, pilots: &[Pilot], look: &mut Look) {
    let mut weights: Vec<f64> =
        pilots.iter().map(|pilot| look.by_shares(pilot.weight, &pilot.levels)).collect();
    look.largest = f64::MAX;
    for _ in 0..SETTLINGS {
        rake(balance, pilots, look, &mut weights);
        let limited = |&weight: &f64| Limited { rank: 0, bound: 1.0, weight, count: 1.0 };
        look.largest = cap(weights.iter().map(limited).collect(), LOST_MAX);
    }
    rake(balance, pilots, look, &mut weights);
    let kept = weights.iter().map(|weight| (weight / look.largest).min(1.0)).sum::<f64>();
    look.kept = kept / pilots.len().max(1) as f64;
}

/// Adjusts the factors of one margin after another until shares are right. `weights` are those of the pilots, without limit.
fn rake(balance: &Balance, pilots: &[Pilot], look: &mut Look, weights: &mut [f64]) {
    for _ in 0..ROUNDS_MAX {
        look.error = 0.0;
        for (at, margin) in balance.margins.iter().enumerate() {
            let mut sums = vec![0.0; margin.shares.len() + 1];
            for (pilot, weight) in pilots.iter().zip(&*weights) {
                sums[usize::from(pilot.levels[at])] += weight.min(look.largest);
            }
            let Some((changes, error)) = corrections(margin, &sums) else { continue };
            if error > look.error {
                (look.error, look.worst) = (error, at);
            }
            look.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for (pilot, weight) in pilots.iter().zip(&mut *weights) {
                *weight *= changes[usize::from(pilot.levels[at])];
            }
        }
        if look.error <= ERROR_MAX {
            break;
        }
    }
}
