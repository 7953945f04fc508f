//! What minds hold, by tracking what each of them has witnessed.
//!
//! # The definition
//!
//! A world says where every character is. **A mind is a world too**, and holds in turn a mind for
//! every character: what its owner takes that character to believe. Two laws hold in every mind M:
//! M's mind of its own owner is M itself, and M·x (M's mind of x) places x where M does. An event
//! "c moves a → b" is applied to M like this:
//!
//! 1. *Surprises.* If M's owner witnesses the event, it may show that M was wrong: c comes from an
//!    `a` where M did not have c; or, the owner being at `b` now, the **roster** of `b` holds someone
//!    whom M had elsewhere, or lacks someone whom M had there. All surprises of one event are
//!    settled together, against M's old places: x is placed where it is seen (`a` or `b`), or
//!    becomes **unknown**. M concludes that x moved on unseen, and that those with x saw it go,
//!    though M cannot tell where to. So M·x learns x's place as M does; and M·z, for any other z,
//!    learns that x is unknown if M had z at x's old place, or if z is itself a surprise of this
//!    event and one of z's two places, old and new, is one of x's two. What M·z learns is handed
//!    down by the same rule. If c was the surprise, those whom M now places at `a` have common
//!    knowledge of who is there: each of them learns, as a surprise, who of them is and who is not.
//! 2. *Witnesses in M*: those whom M places at `a`, those whom M places at `b`, and c.
//! 3. *Effect*: M places c at `b`.
//! 4. For every witness x other than M's owner the event is applied to M·x; for those at `b` with
//!    the roster that M now gives `b`, so that company has common knowledge of being together.
//!
//! Reality is the outermost mind: it has no owner and is never surprised. All characters start at
//! known places, by common knowledge.
//!
//! # Two ways to compute it
//!
//! [`Tracker`] follows one chain and keeps only the minds along it; it is what makes data sets.
//! [`nested`] is the definition written out, with all minds; it shares no code with the tracker and
//! serves as its oracle.

pub mod nested;
mod tracker;

pub use tracker::Tracker;

use crate::id::{CharacterId, PlaceId};
use crate::world::Event;

/// What `mind` holds of `target` after an event, given what it `held` and everyone's place before the
/// event: the definition at order 1, which needs no more than that.
///
/// # Panics
/// If the mind is the target's.
///
/// ```
/// use storysim::{belief::first_order, id::{CharacterId, PlaceId}, world::Event};
/// let [a, b, c] = [0, 1, 2].map(PlaceId::new);
/// let [ann, bob] = [0, 1].map(CharacterId::new);
/// let places = [a, c];
/// // Ann, who took Bob to be in b, goes there and finds that he is not.
/// let event = Event { who: ann, from: a, to: b };
/// assert_eq!(first_order(Some(b), ann, bob, event, |who| places[who.index()]), None);
/// ```
pub fn first_order(
    held: Option<PlaceId>,
    mind: CharacterId,
    target: CharacterId,
    event: Event,
    place_of: impl Fn(CharacterId) -> PlaceId,
) -> Option<PlaceId> {
    assert_ne!(mind, target, "everyone knows where she is");
    if event.who == target {
        return if event.seen_by(mind, place_of(mind)) { Some(event.to) } else { held };
    }
    if event.who != mind {
        return held; // company agrees on who is there: strangers show nothing new
    }
    if place_of(target) == event.to { Some(event.to) } else { held.filter(|&place| place != event.to) }
}

/// Whose picture of whose mind, and about whom: `[S1, S2]` about `T` is where S1 thinks that S2
/// thinks T is. The number of minds is the **order**; with none, it is reality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    minds: Vec<CharacterId>,
    target: CharacterId,
}

impl Chain {
    /// The chain of these minds about `target`, in its shortest form: everyone knows what she
    /// herself thinks and where she is, so `[a, a]` about T is `[a]` about T, and `[a, x]` about x
    /// is `[a]` about x.
    ///
    /// ```
    /// use storysim::{belief::Chain, id::CharacterId};
    /// let [a, x, t] = [0, 1, 2].map(CharacterId::new);
    /// assert_eq!(Chain::new(&[a, a], t), Chain::new(&[a], t));
    /// assert_eq!(Chain::new(&[a, x], x), Chain::new(&[a], x));
    /// assert_eq!(Chain::new(&[a, x, a], t).order(), 3);
    /// ```
    pub fn new(minds: &[CharacterId], target: CharacterId) -> Self {
        let mut minds = minds.to_vec();
        minds.dedup();
        if minds.last() == Some(&target) {
            minds.pop();
        }
        Self { minds, target }
    }

    /// The minds, the outermost first.
    pub fn minds(&self) -> &[CharacterId] {
        &self.minds
    }

    /// Whom it is about.
    pub fn target(&self) -> CharacterId {
        self.target
    }

    /// The number of minds.
    pub fn order(&self) -> usize {
        self.minds.len()
    }

    /// The chain one order lower: without its outermost mind.
    ///
    /// # Panics
    /// If the order is 0.
    pub fn lower(&self) -> Self {
        Self::new(&self.minds[1..], self.target)
    }

    /// The minds and then the target.
    pub fn members(&self) -> impl Iterator<Item = CharacterId> + '_ {
        self.minds.iter().copied().chain([self.target])
    }
}
