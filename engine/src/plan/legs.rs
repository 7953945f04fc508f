//! Tables from which whole stretches of steps are drawn: how often each character moves, then its walk.
//!
//! Given who acts when, the characters' walks are independent. A *leg* is the walk of one character
//! from where it starts, or where a condition last put it, to where the next condition puts it. A
//! *stretch* is a run of steps that legs with room to move begin and end in. Legs that may move in
//! the same steps of a stretch are a *class*: all that matters elsewhere is how often they move
//! together. So what is to be known is a number for every count of every class, and the walks of
//! single characters: not joint places, of which there are `places^legs`.
//!
//! For example, let Ann and Bob meet in the garden at step 4, with Cas standing by, and let Ann be idle at steps 0 and 1.
//! Two legs end in the meeting: Ann's, with room to move at steps 2 and 3, and Bob's, with room at steps 0 to 3. So the
//! stretch is steps 0 to 4. It has the parts "0 and 1: Bob or Cas acts", "2 and 3: Ann, Bob or Cas acts" and "4: one of
//! the two arrives". The steps in which Ann may move are not those in which Bob may, so each of them is a class. That Ann moves once
//! and Bob twice before one of them arrives is one number of moves of all classes, with the orders in which that can happen
//! as its weight; whether one move leads Ann to the garden, or next to it, is for her walks to say.

use crate::id::{CharacterId, PlaceId};
use crate::weight::Weight;
use crate::world::Map;

/// What stretches are drawn from; empty in plans that are drawn step by step.
#[derive(Clone, Debug, Default)]
pub struct Legs {
    /// For each place, the places from which one can come to it.
    pub back: Vec<Vec<PlaceId>>,
    /// The walks from each place where legs start.
    pub walks: Vec<Walks>,
    /// The products of classes, shared by the stretches of all casts.
    pub products: Vec<ClassProduct>,
    /// The parts of the stretches that are the same for all casts.
    pub stretches: Vec<Stretch>,
    /// The stretches under each cast. [`super::Draw::Legs`] refers to these.
    pub of_casts: Vec<CastStretch>,
}

/// Where walks from one place lead.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// For each number of moves, the places that can be reached, in ascending order, and how likely each is.
    layers: Vec<Vec<(PlaceId, Weight)>>,
}

/// `Σ over n_1 + … + n_j = s of Π a_i(n_i) / n_i!` by s, where `a_i(n)` is how likely leg i ends
/// where it should if its character moves n times (and once more, if it is the one who arrives).
///
/// An s is left out if it is impossible, or if all those left out together are less likely than 2^-64 of those kept.
#[derive(Clone, Debug)]
pub struct ClassProduct {
    /// The first s that is not left out.
    pub first: usize,
    /// The values, one for each s, from the first one on.
    pub values: Vec<Weight>,
    /// The product of all legs but the last, and that of the last alone; `None` if there is only one leg.
    pub factors: Option<[usize; 2]>,
}

/// A run of steps in which legs begin and end, whatever the cast.
///
/// The numbers of moves of all classes together are one mixed-radix number, a digit each.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The character whose walk each leg is.
    pub legs: Vec<CharacterId>,
    /// The classes of the legs; each leg is in one of them.
    pub classes: Vec<LegClass>,
    /// The steps of the stretch, in order.
    pub parts: Vec<StretchPart>,
    /// For every combination of move counts of the classes, its probability times the number of orders in which the legs
    /// of each class can make their moves.
    pub orders: Vec<Weight>,
}

/// Legs that may move in the same steps.
#[derive(Clone, Debug)]
pub struct LegClass {
    /// The legs of the class, as indices into [`Stretch::legs`].
    pub legs: Vec<usize>,
    /// The number of possible move counts of the class: it makes fewer moves than this.
    pub size: usize,
    /// What one move of the class adds to the mixed-radix number of moves.
    pub stride: usize,
}

/// A run of steps within a stretch, or a single arrival.
#[derive(Clone, Debug)]
pub enum StretchPart {
    /// Steps in which the same characters may act, each freely.
    Free {
        /// The number of steps.
        steps: usize,
        /// The bystanders who may act, as an index into [`super::Plan::actor_sets`].
        bystanders: usize,
        /// Combinations of the classes' move counts in these steps, and their probabilities, without the orders in a class.
        moves: Vec<(usize, Weight)>,
        /// For each combination of move counts of the classes, its probability in all earlier parts together.
        before: Vec<Weight>,
    },
    /// A step in which someone arrives and legs end.
    Arrival,
}

/// A stretch under one cast.
#[derive(Clone, Debug)]
pub struct CastStretch {
    /// The number of the stretch.
    pub stretch: usize,
    /// Where each leg starts and ends.
    pub ends: Vec<[PlaceId; 2]>,
    /// The ways to choose who arrives.
    pub choices: Vec<Arrivers>,
    /// The cumulative weights of the choices.
    pub cumulative: Vec<f64>,
}

/// One way to choose who arrives.
#[derive(Clone, Debug)]
pub struct Arrivers {
    /// The leg that ends with each arrival.
    pub arrivers: Vec<usize>,
    /// The product of each class, as an index into [`Legs::products`].
    pub products: Vec<usize>,
}

impl Walks {
    /// The probability that a walk of `moves` moves ends at a place. Costs O(log places).
    pub fn weight(&self, moves: usize, place: PlaceId) -> Weight {
        let layer = &self.layers[moves];
        layer.binary_search_by_key(&place, |&(at, _)| at).map_or(Weight::ZERO, |found| layer[found].1)
    }

    /// The largest number of moves for which there are walks, if there are any.
    pub fn moves_max(&self) -> Option<usize> {
        self.layers.len().checked_sub(1)
    }

    /// Adds the walks that are one move longer, or those of no moves if there are none yet. Returns how many places they
    /// reach. Costs O(ways out of the places that were reached before, sorted).
    pub fn lengthen(&mut self, map: &Map, start: PlaceId) -> usize {
        let mut next: Vec<(PlaceId, Weight)> = Vec::new();
        match self.layers.last() {
            None => next.push((start, Weight::ONE)),
            Some(last) => {
                for &(from, weight) in last {
                    let ways = map.ways(from);
                    let share = weight.over(ways.len());
                    next.extend(ways.iter().map(|&to| (to, share)));
                }
            }
        }
        next.sort_by_key(|&(place, _)| place); // stable, so the order of sums is fixed
        next.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                kept.1 = kept.1.plus(later.1);
            }
            is_same
        });
        next.shrink_to_fit();
        self.layers.push(next);
        self.layers[self.layers.len() - 1].len()
    }
}

impl ClassProduct {
    /// The value at s = `sum`.
    #[inline]
    pub fn value(&self, sum: usize) -> Weight {
        let at = sum.checked_sub(self.first);
        at.and_then(|at| self.values.get(at)).copied().unwrap_or(Weight::ZERO)
    }
}

impl LegClass {
    /// How often the legs of this class move, read from the mixed-radix number of moves.
    #[inline]
    pub fn count(&self, moves: usize) -> usize {
        moves / self.stride % self.size
    }

    /// The legs of the class in the order of its product: those that end with an arrival come last.
    pub fn ordered(&self, arrivers: &[usize]) -> impl DoubleEndedIterator<Item = usize> {
        let is_last = |leg: &&usize| arrivers.contains(leg);
        let (last, first): (Vec<usize>, Vec<usize>) = self.legs.iter().partition(is_last);
        first.into_iter().chain(last)
    }
}

impl Legs {
    /// How many weights are kept for walks and for counts of moves.
    pub fn weight_count(&self) -> usize {
        let walks = self.walks.iter().flat_map(|walks| &walks.layers).map(Vec::len);
        let products = self.products.iter().map(|product| product.values.len());
        let orders = self.stretches.iter().map(|stretch| stretch.orders.len());
        walks.chain(products).chain(orders).sum()
    }

    /// The probability that a stretch ends as it should with these numbers of moves, up to a factor. Costs O(classes).
    #[inline]
    pub fn weight(&self, stretch: &Stretch, choice: &Arrivers, moves: usize) -> Weight {
        let mut weight = stretch.orders[moves];
        if !weight.is_zero() {
            for (class, &product) in stretch.classes.iter().zip(&choice.products) {
                weight = weight.times(self.products[product].value(class.count(moves)));
            }
        }
        weight
    }
}
