//! The engine for tables that would be too large by joint places: counts of moves, and walks of single
//! characters ([`crate::plan::Legs`] says what these are).
//!
//! Under free play a free step is a character, uniformly among the K that may act, and a way. So
//! the probability of a stretch is a sum over who arrives and over how often each leg moves, n_i:
//!
//! ```text
//! Π arrivals 1/K · Σ over n: [orders of who acts when, n_i times leg i, Π 1/K] · Π a_i(n_i)
//! ```
//!
//! where `a_i(n)` is how likely n moves (and the one that is its arrival) lead from the start of leg
//! i to its end. The orders depend on the sums s_l of a class alone, but for `s_l! / Π n_i!`; so a
//! class counts by its [`ClassProduct`], and parts multiply like polynomials in one variable a class.
//!
//! Which stretches there are follows from the conditions alone. A cast says where their legs start
//! and end, and casts that agree on that share the [`CastStretch`].

mod section;

use std::collections::HashMap;
use std::ops::Range;

use super::message::TooLarge;
use super::window::Window;
use super::{Found, PHASES_MAX};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{
    Arrivers, CastPlan, CastStretch, ClassProduct, Draw, LegClass, Legs, Phase, Stretch, StretchPart, Walks,
};
use crate::resolve::Resolved;
use crate::weight::Weight;
use section::{Leg, Outline, OutlinePart, Section, sections};

/// The largest number of additions of weights for the stretches of all casts together: about 1.2 s.
const WORK_MAX: usize = 5 << 27;

/// The number of additions that each stored weight, of 16 bytes, counts as: together at most about 130 MB.
const WORK_KEPT: usize = 80;

/// What makes legs equivalent: where they start, where they end, and whether they end with an arrival.
type LegEnds = ([PlaceId; 2], bool);

/// A run and its probability; `None` if that is 0.
type KnownStretch = Option<(usize, Weight)>;

/// Compiles a storyboard by legs.
///
/// # Errors
/// If a condition does not say where someone is or who is idle, or if this takes more than [`WORK_MAX`].
pub fn plan(resolved: &Resolved, windows: &[Window<'_>], casts: &[Vec<PlaceId>]) -> Result<Found, TooLarge> {
    let mut builder = Builder::new(resolved);
    let mut found = Found::default();
    let sections = sections(resolved, windows)?;
    let mut phase_count = 0;
    for binds in casts {
        let Some((phases, probability)) = builder.phases(&sections, binds)? else { continue };
        phase_count += phases.len();
        if phase_count > PHASES_MAX {
            return Err(TooLarge);
        }
        let start = resolved.start.iter().map(|place| place.under(binds)).collect();
        found.casts.push(CastPlan { binds: binds.clone(), start, probability, phases });
    }
    (found.legs, found.actor_sets) = (builder.legs, builder.actor_sets);
    Ok(found)
}

/// Whether all conditions can hold under one of the casts. The work this takes, at most [`WORK_MAX`], is subtracted from
/// what is `left`.
///
/// # Errors
/// Like [`plan`], and if no work is left.
pub fn can_hold(
    resolved: &Resolved,
    windows: &[Window<'_>],
    casts: &[Vec<PlaceId>],
    left: &mut usize,
) -> Result<bool, TooLarge> {
    let mut builder = Builder::new(resolved);
    let before = WORK_MAX.saturating_sub(*left);
    builder.work = before;
    let sections = sections(resolved, windows)?;
    let mut found = Ok(false);
    for binds in casts {
        found = builder.phases(&sections, binds).map(|phases| phases.is_some());
        if found != Ok(false) {
            break;
        }
    }
    *left = left.saturating_sub(builder.work - before);
    found
}

struct Builder<'a> {
    resolved: &'a Resolved,
    legs: Legs,
    actor_sets: Vec<Vec<CharacterId>>,
    /// By section and level, a stretch and the probability of the move counts that are left out.
    stretches: HashMap<(usize, usize), (usize, Weight)>,
    /// By stretch and class, the ranges of move counts of its first leg, its first two legs, and so on.
    ranges: Vec<Vec<Vec<Range<usize>>>>,
    /// Products by stretch, class and legs.
    products: HashMap<(usize, usize, Vec<LegEnds>), usize>,
    /// Runs by section and ends.
    of_casts: HashMap<(usize, Vec<[PlaceId; 2]>), KnownStretch>,
    /// For each place, the places that can be reached from it by at least one move.
    reach: HashMap<PlaceId, Vec<bool>>,
    work: usize,
}

impl<'a> Builder<'a> {
    fn new(resolved: &'a Resolved) -> Self {
        let map = &resolved.map;
        let mut back = vec![Vec::new(); map.place_count()];
        for from in map.places() {
            map.ways(from).iter().for_each(|to| back[to.index()].push(from));
        }
        let walks = vec![Walks::default(); map.place_count()];
        Self {
            resolved,
            legs: Legs { back, walks, ..Legs::default() },
            actor_sets: Vec::new(),
            stretches: HashMap::new(),
            ranges: Vec::new(),
            products: HashMap::new(),
            of_casts: HashMap::new(),
            reach: HashMap::new(),
            work: 0,
        }
    }

    fn spend(&mut self, work: usize) -> Result<(), TooLarge> {
        self.work = self.work.saturating_add(work);
        if self.work > WORK_MAX { Err(TooLarge) } else { Ok(()) }
    }

    /// The phases of a cast and its probability; `None` if that is 0.
    fn phases(
        &mut self,
        sections: &[(usize, Section)],
        binds: &[PlaceId],
    ) -> Result<Option<(Vec<Phase>, Weight)>, TooLarge> {
        let mut probability = Weight::ONE;
        let mut phases: Vec<Phase> = Vec::with_capacity(sections.len());
        for (at, (until, section)) in sections.iter().enumerate() {
            let draw = match section {
                Section::Free(actors) if actors.is_empty() => return Ok(None),
                Section::Free(actors) => Draw::Free(self.actor_set(actors)),
                Section::Stretch(outline) => {
                    let Some((run, of_run)) = self.run(at, outline, binds)? else { return Ok(None) };
                    probability = probability.times(of_run);
                    Draw::Legs(run)
                }
            };
            phases.push(Phase { until: *until, draw });
        }
        phases.sort_by_key(|phase| phase.until);
        Ok(Some((phases, probability)))
    }

    /// A stretch under a cast, and its probability; `None` if that is 0.
    fn run(&mut self, at: usize, outline: &Outline, binds: &[PlaceId]) -> Result<KnownStretch, TooLarge> {
        let ends: Vec<[PlaceId; 2]> =
            outline.legs.iter().map(|leg| leg.ends.map(|place| place.under(binds))).collect();
        if let Some(&known) = self.of_casts.get(&(at, ends.clone())) {
            return Ok(known);
        }
        let run = self.make_run(at, outline, &ends)?;
        self.of_casts.insert((at, ends), run);
        Ok(run)
    }

    /// Makes a run. Costs the sums over all counts for each choice, and the products that are new.
    fn make_run(
        &mut self,
        at: usize,
        outline: &Outline,
        ends: &[[PlaceId; 2]],
    ) -> Result<KnownStretch, TooLarge> {
        let mut possible = Vec::new();
        for arrivers in &outline.arrivers {
            let mut leads = true;
            for (leg, &ends) in ends.iter().enumerate() {
                leads = leads && self.leads(ends, arrivers.contains(&leg))?;
            }
            if leads {
                possible.push(arrivers);
            }
        }
        if possible.is_empty() {
            return Ok(None);
        }
        let mut level = 2;
        loop {
            let (stretch, left_out) = self.stretch(at, outline, level)?;
            let mut choices: Vec<(Arrivers, Weight)> = Vec::new();
            for &arrivers in &possible {
                let choice = self.choice(stretch, arrivers, ends)?;
                let size = self.legs.stretches[stretch].orders.len();
                self.spend(size * (1 + 2 * outline.legs.len()) + WORK_KEPT * ends.len())?;
                let of_stretch = &self.legs.stretches[stretch];
                let weights = (0..size).map(|moves| self.legs.weight(of_stretch, &choice, moves));
                let weight = weights.fold(Weight::ZERO, Weight::plus);
                if !weight.is_zero() {
                    choices.push((choice, weight));
                }
            }
            let total = choices.iter().fold(Weight::ZERO, |sum, (_, weight)| sum.plus(*weight));
            // All that may be left out, against 2^-64 of what is not; and as much for what bounds are
            // rounded by.
            let is_too_much = |left_out: Weight| {
                let left_out = left_out.times(Weight::new(possible.len() as f64)).times(power(2.0, 65));
                !left_out.is_zero() && left_out.larger(total) == left_out
            };
            if is_too_much(left_out) {
                level += if total.is_zero() { level } else { 1 };
                while !total.is_zero() && is_too_much(rare(level)) {
                    level += 1;
                }
                continue;
            }
            if choices.is_empty() {
                return Ok(None);
            }
            let mut sum = 0.0;
            let add = |(_, weight): &(Arrivers, Weight)| {
                sum += weight.share_of(total);
                sum
            };
            let cumulative = choices.iter().map(add).collect();
            let choices = choices.into_iter().map(|(choice, _)| choice).collect();
            self.legs.of_casts.push(CastStretch { stretch, ends: ends.to_vec(), choices, cumulative });
            return Ok(Some((self.legs.of_casts.len() - 1, total.times(outline.share))));
        }
    }

    /// Whether a walk leads from the first place to the second, with at least one move if it ends in an arrival.
    /// Costs O(ways) for each new first place.
    fn leads(&mut self, [from, to]: [PlaceId; 2], arrives: bool) -> Result<bool, TooLarge> {
        let map = &self.resolved.map;
        if !self.reach.contains_key(&from) {
            self.spend(8 * map.place_count())?;
            let mut reach = vec![false; map.place_count()];
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for &next in map.ways(at) {
                    if !std::mem::replace(&mut reach[next.index()], true) {
                        open.push(next);
                    }
                }
            }
            self.reach.insert(from, reach);
        }
        Ok((!arrives && from == to) || self.reach[&from][to.index()])
    }

    fn choice(
        &mut self,
        stretch: usize,
        arrivers: &[usize],
        ends: &[[PlaceId; 2]],
    ) -> Result<Arrivers, TooLarge> {
        let mut products = Vec::new();
        for class in 0..self.ranges[stretch].len() {
            let legs = self.legs.stretches[stretch].classes[class].ordered(arrivers);
            let kind = |leg: usize| (ends[leg], arrivers.contains(&leg));
            let kinds: Vec<LegEnds> = legs.map(kind).collect();
            products.push(self.product(stretch, class, &kinds)?);
        }
        Ok(Arrivers { arrivers: arrivers.to_vec(), products })
    }

    /// The product of a class whose legs are of these kinds.
    ///
    /// Costs O(move counts of the last leg · move counts of the other legs).
    fn product(&mut self, stretch: usize, class: usize, kinds: &[LegEnds]) -> Result<usize, TooLarge> {
        let key = (stretch, class, kinds.to_vec());
        if let Some(&known) = self.products.get(&key) {
            return Ok(known);
        }
        let range = self.ranges[stretch][class][kinds.len() - 1].clone();
        self.spend(WORK_KEPT * range.len())?;
        let (last, rest) = kinds.split_last().expect("a class has legs");
        let (values, factors) = if rest.is_empty() {
            (self.leg(range.clone(), *last)?, None)
        } else {
            let factors = [self.product(stretch, class, rest)?, self.product(stretch, class, &[*last])?];
            let [rest, last] = factors.map(|factor| &self.legs.products[factor]);
            let (rest, last) = (positive(rest.first, &rest.values), positive(last.first, &last.values));
            self.spend(rest.len().saturating_mul(last.len()))?;
            let mut values = vec![Weight::ZERO; range.len()];
            for &(others, weight) in &rest {
                let sums = last.iter().map(|&(own, of_own)| (others + own, of_own));
                let sums = sums.skip_while(|(sum, _)| *sum < range.start);
                for (sum, of_own) in sums.take_while(|(sum, _)| *sum < range.end) {
                    let value = &mut values[sum - range.start];
                    *value = value.plus(weight.times(of_own));
                }
            }
            (values, Some(factors))
        };
        let id = self.legs.products.len();
        self.legs.products.push(ClassProduct { first: range.start, values, factors });
        self.products.insert(key, id);
        Ok(id)
    }

    /// The values `a(n) / n!` of a leg. Costs O(n · log places), and the walks from its start that are new.
    fn leg(&mut self, range: Range<usize>, ([from, to], arrives): LegEnds) -> Result<Vec<Weight>, TooLarge> {
        let last = usize::from(arrives);
        while self.legs.walks[from.index()].moves_max() < Some(range.end - 1 + last) {
            let reached = self.legs.walks[from.index()].lengthen(&self.resolved.map, from);
            self.spend(WORK_KEPT * (2 * reached + 1))?;
        }
        let walks = &self.legs.walks[from.index()];
        let inverse = running(range.end, Weight::over);
        Ok(range.map(|moves| walks.weight(moves + last, to).times(inverse[moves])).collect())
    }

    /// A stretch with the move counts of this level, and a bound on the probability of the counts that are left out.
    ///
    /// Costs O(product of the sizes of all classes) per part, and the square of that for parts after the first.
    fn stretch(&mut self, at: usize, outline: &Outline, level: usize) -> Result<(usize, Weight), TooLarge> {
        if let Some(&known) = self.stretches.get(&(at, level)) {
            return Ok(known);
        }
        let mut classes: Vec<LegClass> = Vec::new();
        let mut rooms: Vec<&[usize]> = Vec::new();
        for (leg, Leg { parts, .. }) in outline.legs.iter().enumerate() {
            match rooms.iter().position(|room| room == parts) {
                Some(class) => classes[class].legs.push(leg),
                None => {
                    rooms.push(parts);
                    classes.push(LegClass { legs: vec![leg], size: 0, stride: 0 });
                }
            }
        }
        let mut left_out = Weight::ZERO;
        let mut ranges = Vec::new();
        let mut stride = 1;
        for (class, room) in classes.iter_mut().zip(&rooms) {
            let of_class = (1..=class.legs.len()).map(|legs| {
                let (range, beyond) = range(outline, room, legs, level);
                // One leg alone may be any of the class.
                let times = if legs == 1 { class.legs.len() } else { 1 };
                left_out = left_out.plus(beyond.times(Weight::new(times as f64)));
                range
            });
            let of_class: Vec<Range<usize>> = of_class.collect();
            (class.size, class.stride) = (of_class[of_class.len() - 1].end, stride);
            ranges.push(of_class);
            self.spend(stride.saturating_mul(class.size).saturating_mul(WORK_KEPT))?;
            stride *= class.size;
        }

        let mut orders = vec![Weight::ZERO; stride];
        orders[0] = Weight::ONE;
        let mut parts = Vec::new();
        for (at, part) in outline.parts.iter().enumerate() {
            let OutlinePart::Free { steps, actors, bystanders } = part else {
                parts.push(StretchPart::Arrival);
                continue;
            };
            self.spend(stride.saturating_mul(3 * WORK_KEPT))?; // of `moves` and `before`
            let mut of_part = Vec::new();
            for (class, room) in classes.iter().zip(&rooms) {
                let part: &[usize] = if room.contains(&at) { &[at] } else { &[] };
                let (range, beyond) = range(outline, part, class.legs.len(), level);
                left_out = left_out.plus(beyond);
                of_part.push(range);
            }
            let moves = moves((*steps, *actors, bystanders.len()), &classes, &of_part);
            let before = orders;
            let pairs = positive(0, &before).len().saturating_mul(moves.len());
            self.spend(pairs.saturating_mul(4 * classes.len()))?; // of divisions
            orders = join(&before, &moves, &classes);
            parts.push(StretchPart::Free {
                steps: *steps,
                bystanders: self.actor_set(bystanders),
                moves,
                before,
            });
        }
        let size_max = classes.iter().map(|class| class.size).max().unwrap_or(1);
        let factorials = running(size_max, |product, n| product.times(Weight::new(n as f64)));
        for (moves, orders) in orders.iter_mut().enumerate() {
            for class in &classes {
                *orders = orders.times(factorials[class.count(moves)]);
            }
        }
        let legs = outline.legs.iter().map(|leg| leg.who).collect();
        self.legs.stretches.push(Stretch { legs, classes, parts, orders });
        self.ranges.push(ranges);
        let made = (self.legs.stretches.len() - 1, left_out);
        self.stretches.insert((at, level), made);
        Ok(made)
    }

    fn actor_set(&mut self, actors: &[CharacterId]) -> usize {
        let known = self.actor_sets.iter().position(|known| known == actors);
        known.unwrap_or_else(|| {
            self.actor_sets.push(actors.to_vec());
            self.actor_sets.len() - 1
        })
    }
}

/// The range of how often `legs` legs move together if they may move in these parts, at this level, and a bound on
/// the probability that they move less or more often.
///
/// The number of moves is a sum of N independent variables that are 0 or 1, with mean m. So for r > m it is at least r,
/// and for r < m at most r, with a probability of no more than `(m / r)^r · ((N - m) / (N - r))^(N - r)`
/// (Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963).
fn range(outline: &Outline, parts: &[usize], legs: usize, level: usize) -> (Range<usize>, Weight) {
    let (mut most, mut mean) = (0, 0.0);
    for &part in parts {
        if let OutlinePart::Free { steps, actors, .. } = &outline.parts[part] {
            most += steps;
            mean += (steps * legs) as f64 / *actors as f64;
        }
    }
    let bound = |moves: usize| {
        let others = most - moves;
        let of_moves = power(mean / moves as f64, moves);
        of_moves.times(power((most as f64 - mean) / others as f64, others))
    };
    let is_rare = |moves: usize| bound(moves).larger(rare(level)) == rare(level);
    let start = bisect(0, mean as usize, |moves| !is_rare(moves));
    let end = bisect(mean as usize + 1, most + 1, is_rare);
    let below = if start > 0 { bound(start - 1) } else { Weight::ZERO };
    let above = if end <= most { bound(end) } else { Weight::ZERO };
    (start..end, below.plus(above))
}

/// The first number from `low` up to but not including `high` for which `holds` is true, given that it stays true
/// from there on; `high` if there is none.
fn bisect(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The largest probability of move counts that are left out: 2^-64 at level 1, 2^-128 at level 2 and so on.
fn rare(level: usize) -> Weight {
    power(0.5, 64 * level)
}

/// `base^exponent`. Costs O(log exponent).
fn power(base: f64, exponent: usize) -> Weight {
    Weight::new(base).to_the(exponent)
}

/// The probability that classes move this often in a part, by move counts, not counting the orders in a class:
/// `N! / (Π s_l! · (N - Σ s_l)!) · bystanders^(N - Σ s_l) / K^N`, without those that are 0 or out of range.
///
/// Costs O(product of the sizes of all classes · classes).
fn moves(
    (steps, actors, bystanders): (usize, usize, usize),
    classes: &[LegClass],
    ranges: &[Range<usize>],
) -> Vec<(usize, Weight)> {
    let most: usize = classes.iter().map(|class| class.size - 1).sum();
    let share = |count: usize| count as f64 / actors as f64;
    let mut orders = Weight::ONE;
    let by_sum: Vec<Weight> = (0..=most.min(steps))
        .map(|sum| {
            let weight = orders.times(power(share(1), sum)).times(power(share(bystanders), steps - sum));
            orders = orders.times(Weight::new((steps - sum) as f64));
            weight
        })
        .collect();
    let inverse = running(most + 1, Weight::over);
    let all: usize = classes.iter().map(|class| class.size).product();
    let weight = |moves: usize| {
        let counts = || classes.iter().map(|class| class.count(moves));
        let is_possible = counts().zip(ranges).all(|(count, range)| range.contains(&count));
        let by_sum = by_sum.get(counts().sum::<usize>()).filter(|_| is_possible)?;
        let weight = counts().fold(*by_sum, |weight, count| weight.times(inverse[count]));
        (!weight.is_zero()).then_some((moves, weight))
    };
    (0..all).filter_map(weight).collect()
}

/// The factorials 0! to (size - 1)!, or their reciprocals if `step` divides.
fn running(size: usize, step: impl Fn(Weight, usize) -> Weight) -> Vec<Weight> {
    let mut product = Weight::ONE;
    let next = |n: usize| {
        product = step(product, n.max(1));
        product
    };
    (0..size).map(next).collect()
}

/// Combines the moves of one part with those of the parts before it.
///
/// Costs O(classes) for each pair of positive weights from the two.
fn join(before: &[Weight], moves: &[(usize, Weight)], classes: &[LegClass]) -> Vec<Weight> {
    let mut joined = vec![Weight::ZERO; before.len()];
    for (so_far, weight) in positive(0, before) {
        for &(more, of_more) in moves {
            if classes.iter().all(|class| class.count(so_far) + class.count(more) < class.size) {
                joined[so_far + more] = joined[so_far + more].plus(weight.times(of_more));
            }
        }
    }
    joined
}

/// The positive values with their numbers, given the number of the first value.
fn positive(first: usize, values: &[Weight]) -> Vec<(usize, Weight)> {
    (first..).zip(values.iter().copied()).filter(|(_, value)| !value.is_zero()).collect()
}
