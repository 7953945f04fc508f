//! Keeps some stories and draws the others again, such that over many of them shares are what a storyboard demands.
//!
//! Every property of a story ([`Property`]) has a factor for each of its values; a story is kept with a probability in
//! proportion to the product of its factors. The factors are those for which the shares come out right on *pilot* stories,
//! always the same ones, whatever the seed: found by *raking*, one property after another, again and again (Deming and
//! Stephan, 1940). Of all ways to get these shares it changes the stories least (Ireland and Kullback, 1968): among
//! stories that agree in what is balanced, each keeps its probability under free play.

use std::collections::BTreeMap;

use rand::Rng;

use crate::diagnostic::Diagnostic;
use crate::plan::{Level, Margin, Plan, Property, Weights};
use crate::question::{Answered, Asker, Paths};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// At most so many pilot stories are drawn to begin with,
const PILOTS_MAX: usize = 200_000;

/// at least so many,
const PILOTS_MIN: usize = 2_000;

/// and such that it takes about so much: a unit for every event, and for what has to be followed then.
const PILOT_COST_MAX: usize = 1 << 23;

/// Then, by the factors found on those, so many more times as many at most,
const MORE_PILOTS: usize = 16;

/// until so many are kept.
const KEPT_ENOUGH: usize = 10_000;

/// Stories of the rarest kinds, which would have to be kept most often, are kept less often than that, if it loses no more of
/// all than this: it is they for whose sake all others are drawn again so often.
const CLIPPED_MAX: f64 = 0.02;

/// A storyboard is refused if less than one story in so many is kept,
const ATTEMPTS_MAX: f64 = 4_000.0;

/// or a share is off by more than this.
const MISFIT_MAX: f64 = 0.005;

/// Shares are fitted until none is off by more than this; the first time,
const ROUGHLY: f64 = 1e-2;

/// and in the end,
const ERROR_MAX: f64 = 1e-4;

/// or so often.
const ROUNDS_MAX: usize = 1_000;

/// Pilot stories have draws of their own.
const PILOT_PART: u64 = u64::MAX;

/// Says whether stories are kept.
#[derive(Clone, Debug)]
pub struct Balancer<'a> {
    gauge: Gauge<'a>,
    key: StreamKey,
    weights: &'a Weights,
}

impl<'a> Balancer<'a> {
    /// For a plan that is balanced, and the seed of a run. None for others.
    pub fn new(plan: &'a Plan, seed: u64, pilot: impl FnOnce() -> Weights) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let weights = balance.weights.get_or_init(pilot);
        let key = StreamKey::derive(seed, &plan.fingerprint, Purpose::Balance);
        Some(Self { gauge: Gauge::new(plan)?, key, weights })
    }

    /// Whether a story of this attempt is kept.
    pub fn keeps(&mut self, story: &Story, attempt: u64) -> bool {
        let Some(levels) = self.gauge.levels(story) else { return false };
        let share = product(&self.weights.factors, levels) / self.weights.largest;
        is_below(&self.key, story.index, attempt, share)
    }
}

/// Happens so often.
fn is_below(key: &StreamKey, index: u64, part: u64, share: f64) -> bool {
    let draw = key.stream(index, part).next_u64() >> 11;
    (draw as f64) * (1.0 / (1_u64 << 53) as f64) < share
}

fn product(factors: &[Vec<f64>], levels: &[u16]) -> f64 {
    factors.iter().zip(levels).fold(1.0, |product, (factors, &level)| product * factors[usize::from(level)])
}

/// Tells the values of what is balanced.
#[derive(Clone, Debug)]
struct Gauge<'a> {
    plan: &'a Plan,
    asker: Asker<'a>,
    paths: Paths,
    levels: Vec<u16>,
}

impl<'a> Gauge<'a> {
    fn new(plan: &'a Plan) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let has_evidence = |margin: &Margin| margin.property == Property::EvidencePosition;
        let asker = Asker::of_one(plan, balance.question, balance.margins.iter().any(has_evidence));
        Some(Self { plan, asker, paths: Paths::default(), levels: Vec::new() })
    }

    /// Of each margin, the number of the value that a story has. None if it has one that is in none of the shares, or no
    /// answer at all.
    fn levels(&mut self, story: &Story) -> Option<&[u16]> {
        let balance = self.plan.balance.as_ref()?;
        let question = &self.plan.questions[balance.question];
        let answered = self.asker.ask(story).first()?;
        let answer = answered.answer?;
        self.paths.follow(self.plan, question, story);
        self.levels.clear();
        for margin in &balance.margins {
            let level = match margin.property {
                Property::Answer => Level::Answer(answer.value()),
                Property::AnswerRank => Level::Number(self.paths.rank(answer)? as u64),
                Property::FalseBelief => Level::Number(u64::from(answered.false_belief == Some(true))),
                Property::OrderGap => {
                    Level::Number(answered.foils.lower_order.map_or(2, |lower| u64::from(lower != answer)))
                }
                Property::EvidencePosition => Level::Number(third(answered, story)),
                Property::Votes => {
                    let votes = self.paths.votes(self.plan, story, answer, &answered.foils)?;
                    Level::Number(votes as u64)
                }
                Property::Shortcut(shortcut) => {
                    let named = self.paths.answer(self.plan, shortcut, &answered.foils);
                    Level::Number(named.map_or(2, |named| u64::from(named == answer)))
                }
            };
            let listed = margin.shares.iter().position(|&(other, share)| other == level && share > 0.0);
            let at = listed.or_else(|| (margin.free == Some(level)).then_some(margin.shares.len()))?;
            self.levels.push(at as u16);
        }
        Some(&self.levels)
    }
}

/// In which third of a story the last piece of evidence lies; the first, if there is none.
fn third(answered: &Answered, story: &Story) -> u64 {
    let last = answered.evidence.last().copied().unwrap_or(0);
    (last * 3 / story.trace.events.len().max(1)) as u64
}

/// Whether enough stories can be tried out.
///
/// # Errors
/// If they are too long for that.
pub fn admit_length(storyboard: &Storyboard, plan: &Plan) -> Result<(), Diagnostic> {
    let Some(written) = &storyboard.balance else { return Ok(()) };
    let steps_max = PILOT_COST_MAX / PILOTS_MIN / cost_of_event(plan);
    if plan.horizon > steps_max {
        let message = format!(
            "to balance shares, stories like these may have {steps_max} steps, and they have {}",
            plan.horizon
        );
        return Err(Diagnostic::error(message, written.span, "too many to try out")
            .label(storyboard.horizon.span, "the number of steps"));
    }
    Ok(())
}

/// Whether the shares can be had, by what was seen on pilot stories.
///
/// # Errors
/// If they cannot, or only if too few stories are kept.
pub fn admit(storyboard: &Storyboard, plan: &Plan, weights: &Weights) -> Result<(), Diagnostic> {
    let (Some(written), Some(balance)) = (&storyboard.balance, &plan.balance) else { return Ok(()) };
    let Weights { kept, error, pilots, .. } = *weights;
    if error > MISFIT_MAX || kept == 0.0 {
        let property = balance.margins.get(weights.worst).map(|margin| margin.property.name());
        let entry = written.entries.iter().find(|(name, _)| Some(name.value.as_str()) == property);
        let span = entry.map_or(written.span, |(name, _)| name.span);
        let property = property.unwrap_or("balance");
        let message = match kept {
            0.0 => format!("of {pilots} stories, none has shares that `balance` allows"),
            _ => format!(
                "no way to keep stories gives all these shares together: `{property}` stays off by {error:.3}"
            ),
        };
        return Err(Diagnostic::error(message, span, "cannot be had, as far as one can see").help(
            "either it is impossible, or stories of some kind are too rare: make them likelier by `events`, or ask for less",
        ));
    }
    if kept * ATTEMPTS_MAX < 1.0 {
        let message = format!("of {:.0} stories, only one would be kept", 1.0 / kept);
        return Err(Diagnostic::error(message, written.span, "too rare to wait for").help(format!(
            "stories are drawn again until shares are right, and one in {ATTEMPTS_MAX:.0} should be kept at least.              Balance less, or make likelier by `events` what is to be frequent"
        )));
    }
    Ok(())
}

/// Finds the factors, on pilot stories that `draw` draws by their number, each of one of these plans.
///
/// First roughly, on some; then on many more, of which those are looked at that would be kept by what was found. Costs
/// drawing and asking the pilots, and O(different combinations of values · margins) a round.
pub fn fit(plans: &[Plan], draw: impl FnMut(u64, &mut Story) -> Option<usize>) -> Weights {
    let balance = plans[0].balance.as_ref().expect("a plan that is balanced");
    let gauges = plans.iter().map(|plan| Gauge::new(plan).expect("a plan that is balanced")).collect();
    let shares = balance.margins.iter().map(|margin| margin.shares.iter().map(|&(_, share)| share).collect());
    let shares: Vec<Vec<f64>> = shares.collect();
    let mut pilots = Pilots { gauges, draw, story: Story::default(), count: 0 };
    let mut rake = Rake {
        // The last one, of rows that are neither, stays as it is.
        factors: shares.iter().map(|shares| vec![1.0; shares.len() + 1]).collect(),
        shares,
        cells: Vec::new(),
        largest: f64::INFINITY,
    };

    let mut cells: Cells = BTreeMap::new();
    let first = plans.iter().map(pilots_of).min().expect("there is a plan");
    while pilots.count < first {
        if let Some(levels) = pilots.next() {
            add(&mut cells, levels, 1.0);
        }
    }
    rake.cells = cells.into_iter().collect();
    if rake.cells.is_empty() {
        let Rake { factors, largest, .. } = rake;
        return Weights { factors, largest, kept: 0.0, error: f64::INFINITY, worst: 0, pilots: pilots.count };
    }
    rake.until(ROUGHLY, ROUNDS_MAX / 10);
    rake.clip();

    // What is kept stands for all that are like it.
    let mut cells: Cells = BTreeMap::new();
    let (begun, mut kept) = (pilots.count, 0);
    let sieve = StreamKey::derive(0, &plans[0].fingerprint, Purpose::Balance);
    while pilots.count < begun + first * MORE_PILOTS && kept < KEPT_ENOUGH {
        let number = pilots.count as u64;
        let Some(levels) = pilots.next() else { continue };
        let share = rake.share(levels);
        if is_below(&sieve, number, PILOT_PART, share) {
            add(&mut cells, levels, 1.0 / share);
            kept += 1;
        }
    }
    rake.cells = cells.into_iter().collect();
    let (error, worst) = rake.until(ERROR_MAX, ROUNDS_MAX);
    let kept = rake.kept() / (pilots.count - begun) as f64;
    Weights { factors: rake.factors, largest: rake.largest, kept, error, worst, pilots: pilots.count }
}

/// How many stories there are of each combination of values.
type Cells = BTreeMap<Vec<u16>, f64>;

fn add(cells: &mut Cells, levels: &[u16], count: f64) {
    match cells.get_mut(levels) {
        Some(sum) => *sum += count,
        None => drop(cells.insert(levels.to_vec(), count)),
    }
}

/// Pilot stories, one after another.
struct Pilots<'a, D> {
    gauges: Vec<Gauge<'a>>,
    draw: D,
    story: Story,
    count: usize,
}

impl<D: FnMut(u64, &mut Story) -> Option<usize>> Pilots<'_, D> {
    fn next(&mut self) -> Option<&[u16]> {
        let number = self.count as u64;
        self.count += 1;
        let plan = (self.draw)(number, &mut self.story)?;
        self.gauges[plan].levels(&self.story)
    }
}

/// Factors, in the making.
struct Rake {
    factors: Vec<Vec<f64>>,
    shares: Vec<Vec<f64>>,
    cells: Vec<(Vec<u16>, f64)>,
    /// No product counts for more than this.
    largest: f64,
}

impl Rake {
    /// The share of such stories that is kept.
    fn share(&self, levels: &[u16]) -> f64 {
        (product(&self.factors, levels) / self.largest).min(1.0)
    }

    /// How many of the stories are kept.
    fn kept(&self) -> f64 {
        self.cells.iter().fold(0.0, |sum, (levels, count)| sum + self.share(levels) * count)
    }

    /// Rounds until no share is off by more than this, or so many. Returns by how much one is, and of which margin.
    fn until(&mut self, error_max: f64, rounds_max: usize) -> (f64, usize) {
        let mut worst = (f64::INFINITY, 0);
        for _ in 0..rounds_max {
            worst = self.round();
            if worst.0 <= error_max {
                break;
            }
        }
        worst
    }

    /// Every margin in turn is made right. Returns by how much a share was off, at most, and of which margin.
    fn round(&mut self) -> (f64, usize) {
        let Self { factors, shares, cells, largest } = self;
        let mut worst = (0.0, 0);
        let mut products: Vec<f64> = cells.iter().map(|(levels, _)| product(factors, levels)).collect();
        for (at, shares) in shares.iter().enumerate() {
            let mut sums = vec![0.0; shares.len() + 1];
            for ((levels, count), product) in cells.iter().zip(&products) {
                sums[usize::from(levels[at])] += product.min(*largest) * count;
            }
            let total: f64 = sums[..shares.len()].iter().sum();
            if total == 0.0 && sums[shares.len()] > 0.0 {
                continue; // there are none of which there could be shares
            }
            sums[shares.len()] = 1.0; // by which what is neither changes
            for (level, (&share, sum)) in shares.iter().zip(&mut sums).enumerate() {
                let error = (share - *sum / total).abs();
                // Not a number: there are no stories at all.
                if error.is_nan() || error > worst.0 {
                    worst = (if error.is_nan() { f64::INFINITY } else { error }, at);
                }
                let change = if *sum > 0.0 { share * total / *sum } else { 1.0 };
                factors[at][level] *= change;
                *sum = change;
            }
            for ((levels, _), product) in cells.iter().zip(&mut products) {
                *product *= sums[usize::from(levels[at])];
            }
        }
        worst
    }

    /// Lets no product count for more than one beyond which there is little.
    fn clip(&mut self) {
        let products = self.cells.iter().map(|(levels, count)| (product(&self.factors, levels), *count));
        let mut products: Vec<(f64, f64)> = products.collect();
        products.sort_by(|one, other| other.0.total_cmp(&one.0));
        let total: f64 = products.iter().map(|(product, count)| product * count).sum();
        let (mut count, mut sum) = (0.0, 0.0);
        self.largest = products.first().map_or(1.0, |&(product, _)| product);
        for (product, more) in products {
            // What would be lost if this one counted for all.
            if sum - count * product > CLIPPED_MAX * total {
                break;
            }
            self.largest = product;
            count += more;
            sum += product * more;
        }
    }
}

/// How many pilot stories there are to be at first.
fn pilots_of(plan: &Plan) -> usize {
    (PILOT_COST_MAX / plan.horizon.max(1) / cost_of_event(plan)).clamp(PILOTS_MIN, PILOTS_MAX)
}

/// What it takes to follow an event, where people walk it is 1.
fn cost_of_event(plan: &Plan) -> usize {
    let places = plan.place_names.len();
    plan.things().map_or(1, |things| 1 + things.event_cost(plan.character_count, places) / 8)
}
