//! Finds what stories are kept by at a second look, on pilot stories.

use std::ops::Range;

use super::signs::Signs;
use super::{Look, Looker};
use crate::boost::{Data, Ranker, Settings};
use crate::plan::{Balance, Plan, Sight};
use crate::select::balance::{Limited, Reader, Weigher, cap, corrections, even};
use crate::select::cores::in_chunks;
use crate::select::family::{Family, PILOT};
use crate::select::selector::Selector;
use crate::simulate::Story;

/// The number of pilot stories where people only walk, and where they do more. There, each takes some ten times as long.
const PILOTS: [u64; 2] = [400_000, 200_000];

/// The part of the pilots that the first round of learning takes. Those of the second are thinned by what was learned in the first, so
/// that what is left to learn is seen as whoever reads the stories will see it.
const FIRST_ROUND: f64 = 1.0 / 3.0;

/// The part of the first round's pilots that those learn from who see target and minds alike. The others learn from the rest, which has
/// not been seen before: what was learned by heart does not help there.
const FIRST_PART: f64 = 0.6;

/// How learners learn that see target and minds alike.
const OF_BOTH: Settings = Settings { trees: 160, depth: 6, shrinkage: 0.12, ..OF_ONE };

/// How all others learn.
const OF_ONE: Settings = Settings {
    trees: 60,
    depth: 5,
    shrinkage: 0.15,
    leaf_penalty: 4.0,
    leaf_hessian_min: 20.0,
    patience: None,
};

/// The largest part of the total weight that may be lost by limiting the weight of single stories.
const LOST_MAX: f64 = 0.04;

/// Of the stories with the right shares, the least part that is kept. Where the limit would leave fewer, it is lowered, and more weight
/// is lost.
const KEPT_MIN: f64 = 0.025;

/// Factors and limits are found in turn, this often.
const SETTLINGS: usize = 3;

/// Factors are found once no share is off by more than this, or after so many rounds.
const ERROR_MAX: f64 = 1e-3;
const ROUNDS_MAX: usize = 200;

/// The number of pilots that one thread draws in a row.
const CHUNK: u64 = 256;

/// What is learned from: a pilot story, or one with its twins.
pub struct Pilot {
    /// The story, and its twins if it has some. All pilots have as many.
    pub stories: Vec<Told>,
    /// How many pilots it stands for, as others like it were thinned out.
    pub count: f64,
}

/// A story that is learned from: its signs, its answer as the number of a place, and its level of each margin.
pub struct Told {
    signs: Signs,
    answer: usize,
    levels: Vec<u16>,
    /// What it counts for by what was learned so far from each sight.
    weights: [f64; Sight::ALL.len()],
}

impl Told {
    /// What is to be seen of a story, given the number of the place that is its answer, and the levels of its shares.
    pub fn read(
        looker: &mut Looker,
        plan: &Plan,
        look: &Look,
        story: &Story,
        (answer, levels): (usize, &[u16]),
    ) -> Self {
        looker.read(plan, story);
        let weights = Sight::ALL.map(|(sight, _)| looker.weigh_by(look, sight, answer));
        Self { signs: looker.signs.clone(), answer, levels: levels.to_vec(), weights }
    }
}

impl Pilot {
    /// What it weighs by what was learned, and by the factors of shares.
    pub fn weigh(&self, look: &Look) -> f64 {
        let weight = |told: &Told| look.by_shares(told.weights.iter().product(), &told.levels);
        self.stories.iter().map(weight).product()
    }
}

/// Finds by what stories are kept at a second look, which learners of these sights take. `family` draws stories whose shares
/// are right.
///
/// Costs drawing the pilot stories, and O(pilots · places · signs · trees) for each learner.
pub fn fit(family: &Family, sights: &[Sight]) -> Look {
    Look::of_pilots(family, sights, pilots_of(family))
}

/// The number of pilot stories that are learned from.
pub fn pilots_of(family: &Family) -> u64 {
    let asked = family.plans().iter().filter_map(|plan| plan.balance.as_ref()?.pilots).max();
    asked.unwrap_or(PILOTS[usize::from(family.plans()[0].things().is_some())])
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
        Self::learn(&family.plans()[0], sights, count, |numbers, look| draw(family, numbers, look))
    }

    /// Learns in two rounds, for each of which `draw` is given the numbers of its pilots and what was learned so far.
    ///
    /// # Panics
    /// If the plan's shares are not balanced.
    pub fn learn(
        plan: &Plan,
        sights: &[Sight],
        count: u64,
        mut draw: impl FnMut(Range<u64>, &Self) -> Vec<Pilot>,
    ) -> Self {
        let balance = plan.balance.as_ref().expect("a plan that is balanced");
        let mut look = Self {
            rankers: Vec::new(),
            factors: even(balance).factors,
            largest: 1.0,
            kept: 0.0,
            error: f64::INFINITY,
            worst: 0,
            bar: 0.0,
        };
        let first = (count as f64 * FIRST_ROUND) as u64;
        for (round, numbers) in [0..first, first..count].into_iter().enumerate() {
            let mut pilots = draw(numbers, &look);
            if pilots.is_empty() {
                continue;
            }
            let all = 0..pilots.len();
            let middle = (pilots.len() as f64 * FIRST_PART) as usize;
            let (of_both, of_others) = match round == 0 && sights.contains(&Sight::Both) {
                true => (0..middle, middle..pilots.len()),
                false => (all.clone(), all),
            };
            settle(balance, &pilots[of_others.clone()], &mut look);
            for sight in in_order(sights, round == 0) {
                let ranker = match sight {
                    Sight::Both => learn(plan, sight, &pilots[of_both.clone()], &look, &OF_BOTH),
                    _ => learn(plan, sight, &pilots[of_others.clone()], &look, &OF_ONE),
                };
                look.rankers.push((sight, ranker));
                weigh(plan, sight, &look, &mut pilots);
                settle(balance, &pilots[of_others.clone()], &mut look);
            }
        }
        look
    }
}

/// Those who see target and minds alike learn first in the first round, as there is most for them to learn, and last in the second:
/// what they have made right, those after them may undo.
fn in_order(sights: &[Sight], both_first: bool) -> impl Iterator<Item = Sight> {
    let are = |both: bool| sights.iter().copied().filter(move |sight| (*sight == Sight::Both) == both);
    are(both_first).chain(are(!both_first))
}

/// Draws pilot stories, which have nothing to do with any run, and thins them by what was learned so far.
fn draw(family: &Family, numbers: Range<u64>, look: &Look) -> Vec<Pilot> {
    let (balance, weights) = family.balance().expect("shares are balanced");
    let weigher = Weigher::new(balance, weights);
    let chunks = in_chunks(numbers, CHUNK, || {
        let mut selector = Selector::of_trials(family);
        let ranking = family.weights().ranking.as_ref();
        let reader = |plan| Reader::new(plan, ranking).expect("a plan that is balanced");
        let mut members: Vec<(Reader<'_>, Looker)> =
            family.plans().iter().map(|plan| (reader(plan), Looker::new(plan))).collect();
        let (mut story, weigher) = (Story::default(), &weigher);
        move |numbers: Range<u64>| {
            // What is due after each pilot, so that of each chunk as many are kept as should be.
            let mut due = 0.5;
            let pilot = |number| {
                selector.draw_trial(0, 0, PILOT + number, &mut story);
                let (reader, looker) = &mut members[selector.plan_number()];
                let levels = reader.read(&story, weigher).expect("a story that was kept").to_vec();
                let answer = reader.place()?.index();
                let told = Told::read(looker, selector.plan(), look, &story, (answer, &levels));
                let pilot = Pilot { stories: vec![told], count: 1.0 };
                let chance = (pilot.weigh(look) / look.largest).min(1.0);
                due += chance;
                if due < 1.0 {
                    return None;
                }
                due -= 1.0;
                Some(Pilot { count: 1.0 / chance, ..pilot })
            };
            numbers.filter_map(pilot).collect::<Vec<_>>()
        }
    });
    chunks.into_iter().flatten().collect()
}

/// Learns from pilots, as far as they are kept by now, how likely each place is to be the answer.
fn learn(plan: &Plan, sight: Sight, pilots: &[Pilot], look: &Look, settings: &Settings) -> Ranker {
    let balance = plan.balance.as_ref().expect("a plan that is balanced");
    let minds = Signs::mind_count(&plan.questions[balance.question]);
    let mut data = Data::new(Signs::width(sight, minds));
    let mut shown = Vec::new();
    for pilot in pilots {
        let weight = pilot.weigh(look).min(look.largest);
        for told in &pilot.stories {
            shown.clear();
            told.signs.show(sight, &mut shown);
            data.push(&shown, told.answer, pilot.count * weight);
        }
    }
    Ranker::learn(&data, settings)
}

/// Weighs pilots by how likely their answers are to what was learned from a sight.
fn weigh(plan: &Plan, sight: Sight, look: &Look, pilots: &mut [Pilot]) {
    let mut looker = Looker::new(plan);
    for told in pilots.iter_mut().flat_map(|pilot| &mut pilot.stories) {
        std::mem::swap(&mut looker.signs, &mut told.signs);
        looker.shown[sight as usize].clear();
        told.weights[sight as usize] = looker.weigh_by(look, sight, told.answer);
        std::mem::swap(&mut looker.signs, &mut told.signs);
    }
}

/// Finds the factors of shares, and the limit of weights.
fn settle(balance: &Balance, pilots: &[Pilot], look: &mut Look) {
    let mut weights: Vec<f64> = pilots.iter().map(|pilot| pilot.weigh(look)).collect();
    look.largest = f64::MAX;
    for _ in 0..SETTLINGS {
        rake(balance, pilots, look, &mut weights);
        let limited =
            |(&weight, pilot): (&f64, &Pilot)| Limited { rank: 0, bound: 1.0, weight, count: pilot.count };
        let limited: Vec<Limited> = weights.iter().zip(pilots).map(limited).collect();
        look.largest = limit_of_kept(&limited, KEPT_MIN).min(cap(limited, LOST_MAX));
    }
    rake(balance, pilots, look, &mut weights);
    let kept = |(weight, pilot): (&f64, &Pilot)| pilot.count * (weight / look.largest).min(1.0);
    let all: f64 = pilots.iter().map(|pilot| pilot.count).sum();
    look.kept = weights.iter().zip(pilots).map(kept).sum::<f64>() / all.max(1.0);
}

/// The limit of weights under which this part of the stories is kept; of no stories, the largest number.
fn limit_of_kept(stories: &[Limited], part: f64) -> f64 {
    let mut stories: Vec<(f64, f64)> = stories.iter().map(|story| (story.weight, story.count)).collect();
    stories.sort_by(|one, other| other.0.total_cmp(&one.0));
    let wanted = part * stories.iter().map(|(_, count)| count).sum::<f64>();
    // How many stories weigh more than the limit, and what all others weigh.
    let (mut above, mut rest) = (0.0, stories.iter().map(|(weight, count)| weight * count).sum::<f64>());
    for (weight, count) in stories {
        if above + rest / weight >= wanted {
            return rest / (wanted - above);
        }
        above += count;
        rest -= weight * count;
    }
    f64::MAX
}

/// Adjusts the factors of one margin after another until shares are right. `weights` are those of the pilots, without limit.
///
/// All stories of a pilot contribute to each share, so a factor changes by a root of what it would if there were only one: by the
/// square root for two, and by the fourth for three (see the rounds of triplets).
fn rake(balance: &Balance, pilots: &[Pilot], look: &mut Look, weights: &mut [f64]) {
    let twins = pilots.first().map_or(0, |pilot| pilot.stories.len() - 1);
    for _ in 0..ROUNDS_MAX {
        look.error = 0.0;
        for (at, margin) in balance.margins.iter().enumerate() {
            let mut sums = vec![0.0; margin.shares.len() + 1];
            for (pilot, weight) in pilots.iter().zip(&*weights) {
                for told in &pilot.stories {
                    sums[usize::from(told.levels[at])] += pilot.count * weight.min(look.largest);
                }
            }
            let Some((mut changes, error)) = corrections(margin, &sums) else { continue };
            (0..twins).for_each(|_| changes.iter_mut().for_each(|change| *change = change.sqrt()));
            if error > look.error {
                (look.error, look.worst) = (error, at);
            }
            look.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for (pilot, weight) in pilots.iter().zip(&mut *weights) {
                pilot.stories.iter().for_each(|told| *weight *= changes[usize::from(told.levels[at])]);
            }
        }
        if look.error <= ERROR_MAX {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn under_its_limit_this_part_is_kept() {
        let story = |weight, count| Limited { rank: 0, bound: 1.0, weight, count };
        let stories: Vec<Limited> = [(0.5, 40.0), (30.0, 1.0), (2.0, 3.0), (7.0, 2.0)]
            .map(|(weight, count)| story(weight, count))
            .into();
        for part in [0.001, 0.02, 0.05, 0.2, 0.6, 0.99] {
            let limit = limit_of_kept(&stories, part);
            let kept: f64 = stories.iter().map(|story| story.count * (story.weight / limit).min(1.0)).sum();
            assert!((kept / 46.0 / part - 1.0).abs() < 1e-9, "{kept} of 46 under {limit}, not {part}");
        }
        assert_eq!(limit_of_kept(&[], 0.1), f64::MAX);
    }
}
