//! Draws a stretch from how often its legs move: the counts, then every walk from its end, then the
//! steps in which they are made.

use super::{Simulator, go, turn};
use crate::id::PlaceId;
use crate::plan::{Arrivers, CastStretch, Legs, Stretch, StretchPart, Weight};
use crate::rng::{Digits, Stream, below, weighted};
use crate::world::Event;

impl Simulator<'_> {
    /// Draws all steps of a stretch.
    ///
    /// Costs O(1) per step and O(ways · log places) per move of a leg, and once O(counts · legs), where the counts are
    /// the combinations of moves that the classes can make.
    #[inline(never)]
    pub(super) fn move_by_legs(&mut self, run: &CastStretch, events: &mut Vec<Event>, stream: &mut Stream) {
        let legs = &self.plan.legs;
        let stretch = &legs.stretches[run.stretch];
        let choice = &run.choices[weighted(stream, &run.cumulative)];
        let all = 0..stretch.orders.len();
        let moves = self.choose(stream, all.map(|moves| legs.weight(stretch, choice, moves)));
        let mut counts = self.counts(stretch, choice, moves, stream);
        let mut walks: Vec<Vec<PlaceId>> = Vec::with_capacity(counts.len());
        for (leg, &[start, end]) in run.ends.iter().enumerate() {
            let last = usize::from(choice.arrivers.contains(&leg));
            walks.push(self.walk_back(start, counts[leg] + last, end, stream));
        }
        let moves_of_parts = self.split(stretch, moves, stream);

        let mut arrivers = choice.arrivers.iter();
        for (part, moves) in stretch.parts.iter().zip(moves_of_parts) {
            match part {
                StretchPart::Free { steps, bystanders, .. } => {
                    let bystanders = &self.plan.actor_sets[*bystanders];
                    let mut left: Vec<usize> =
                        stretch.classes.iter().map(|class| class.count(moves)).collect();
                    let mut total: usize = left.iter().sum();
                    for steps_left in (1..=*steps).rev() {
                        let draw = below(stream, steps_left as u32) as usize;
                        if draw >= total {
                            let turn = turn(self.plan, bystanders, &self.places, &mut Digits::draw(stream));
                            events.push(go(&mut self.places, turn));
                            continue;
                        }
                        total -= 1;
                        let class = take(&mut left, 0..stretch.classes.len(), draw);
                        let members = &stretch.classes[class].legs;
                        let moves: usize = members.iter().map(|&leg| counts[leg]).sum();
                        let draw = below(stream, moves as u32) as usize;
                        let leg = take(&mut counts, members.iter().copied(), draw);
                        events.push(self.go(stretch, leg, &mut walks));
                    }
                }
                StretchPart::Arrival => {
                    let &leg = arrivers.next().expect("someone arrives in every arrival");
                    events.push(self.go(stretch, leg, &mut walks));
                }
            }
        }
    }

    /// The next move of a leg.
    fn go(&mut self, stretch: &Stretch, leg: usize, walks: &mut [Vec<PlaceId>]) -> Event {
        let (who, to) = (stretch.legs[leg], walks[leg].pop().expect("it has moves left"));
        let from = std::mem::replace(&mut self.places[who.index()], to);
        Event { who, from, to }
    }

    /// How often each leg moves, not counting arrivals. Costs O(counts) per leg.
    fn counts(
        &mut self,
        stretch: &Stretch,
        choice: &Arrivers,
        moves: usize,
        stream: &mut Stream,
    ) -> Vec<usize> {
        let products = &self.plan.legs.products;
        let mut counts = vec![0; stretch.legs.len()];
        for (class, &product) in stretch.classes.iter().zip(&choice.products) {
            let (mut product, mut sum) = (product, class.count(moves));
            for leg in class.ordered(&choice.arrivers).rev() {
                counts[leg] = sum;
                if let Some([rest, last]) = products[product].factors {
                    let (others, own) = (&products[rest], &products[last]);
                    let own_counts = (own.first..=sum).zip(&own.values);
                    let weights = own_counts.map(|(n, own)| others.value(sum - n).times(*own));
                    counts[leg] = own.first + self.choose(stream, weights);
                    product = rest;
                    sum -= counts[leg];
                }
            }
        }
        counts
    }

    /// A walk with this number of moves between two places: the places it leads to, the last one first.
    fn walk_back(&mut self, start: PlaceId, moves: usize, end: PlaceId, stream: &mut Stream) -> Vec<PlaceId> {
        let Self { plan, .. } = *self;
        let Legs { back, walks, .. } = &plan.legs;
        let walks = &walks[start.index()];
        let mut walk = Vec::with_capacity(moves);
        let mut at = end;
        for before in (0..moves).rev() {
            walk.push(at);
            let origins = &back[at.index()];
            let weight = |&from: &PlaceId| walks.weight(before, from).over(plan.map.ways(from).len());
            at = origins[self.choose(stream, origins.iter().map(weight))];
        }
        walk
    }

    /// Distributes all moves over the parts, from the last part to the first, by the probability that the parts before
    /// make the remaining moves. Costs O(counts · classes) per part.
    fn split(&mut self, stretch: &Stretch, moves: usize, stream: &mut Stream) -> Vec<usize> {
        let mut rest = moves;
        let mut split = vec![0; stretch.parts.len()];
        for (part, own) in stretch.parts.iter().zip(&mut split).rev() {
            let StretchPart::Free { moves, before, .. } = part else { continue };
            if moves.len() > 1 {
                let weight = |&(own, weight): &(usize, Weight)| {
                    let fits = stretch.classes.iter().all(|class| class.count(own) <= class.count(rest));
                    if fits { before[rest - own].times(weight) } else { Weight::ZERO }
                };
                *own = moves[self.choose(stream, moves.iter().map(weight))].0;
            } else {
                *own = moves[0].0;
            }
            rest -= *own;
        }
        split
    }

    /// Draws the index of a weight, with probabilities proportional to the weights.
    fn choose(&mut self, stream: &mut Stream, weights: impl Iterator<Item = Weight>) -> usize {
        self.weights.clear();
        self.weights.extend(weights);
        let largest = self.weights.iter().fold(Weight::ZERO, |largest, &weight| largest.larger(weight));
        let mut sum = 0.0;
        self.cumulative.clear();
        self.cumulative.extend(self.weights.iter().map(|weight| {
            sum += weight.share_of(largest);
            sum
        }));
        weighted(stream, &self.cumulative)
    }
}

/// Finds what the `draw`th of all remaining units belongs to, and removes that unit from it.
fn take(left: &mut [usize], of: impl Iterator<Item = usize>, mut draw: usize) -> usize {
    for at in of {
        if draw < left[at] {
            left[at] -= 1;
            return at;
        }
        draw -= left[at];
    }
    unreachable!("the draw is below what is left")
}
