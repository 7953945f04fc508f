//! What minds hold, by tracking what each of them has witnessed.
//!
//! # The definition
//!
//! A world says where every character is. **A mind is a world too**, and holds in turn a mind for every character: what
//! its owner takes that character to believe. In every mind M, M's mind of its own owner is M itself, and M·x (M's mind
//! of x) places x where M does. Of a place a mind may have *no idea* ([`Held::Nothing`]); or the mind that holds it cannot
//! tell what it has ([`Held::Unclear`]). An event "c moves a → b" is applied to M, whose owner witnesses it, like this:
//!
//! 1. *Surprises.* The event shows that c was at `a`; and if the owner is at `b` now, she has a *look*: she sees who is
//!    there, and that nobody else is. What M had otherwise has changed without her, just before: each character who is
//!    not where M had her *went* from there, and each who is seen where M did not have her *came* there (after she went,
//!    where M had her elsewhere). These are **slips**, and they have happened in any order.
//! 2. *Witnesses in M*: those whom M places at `a`, those whom M places at `b`, and c.
//! 3. *Effect*: M places c at `b`.
//! 4. For every witness x other than M's owner the event is applied to M·x; x has a look if M now places her at `b`, and
//!    sees there whom M places there.
//!
//! *A slip* of x is applied to M itself, which has no idea of x after she went; and to M·z for x and for every z whom M
//! places where x went from, or came to. If x went, M cannot tell where to: in M·z it is unclear. If x came, z first
//! finds that she was wrong about x, if she had her anywhere, and about whom else she now sees there: these are surprises
//! in M·z, with slips of their own. In either case those in M·z who see the slip have it applied to their minds, and so on.
//!
//! *Any order.* What M holds after slips in one order, and in another, may differ in M's minds. What they agree on is
//! held; the rest is unclear, *between* the values that the orders give.
//!
//! *Cases.* Before anything is applied to a mind in which something is unclear between values, each of them is assumed in
//! turn. What is held in all these cases is held after it; the rest is unclear between the values that it has in them.
//! (What was seen in one case, and only heard of in another, is held, and both cases are kept.)
//!
//! An answer is about its chain alone: in a mind, only the order of what happens to its owner, to the later members of the
//! chain and to the target is reckoned with; slips of all others come first. Where people only walk, a mind holds nothing of
//! these others, and their slips are not applied to it. (Whoever sees one of them come has a look, which may rule out a
//! case. That is left out, so something may stay unclear that need not, though very seldom.)
//!
//! *At a loss.* There may be too much to reckon with: more than 4,096 ways at once, where every set of slips that may have
//! happened is one (2ⁿ of n slips), and so is every case, and these are multiplied from mind to mind. Then everything in
//! M's minds is unclear from then on (or in M itself, if its own cases are too many). Nobody who reads could follow that.
//! (Where people only walk, [`Tracker`] has fewer ways to go through, and may still answer.)
//!
//! Reality is the outermost mind: it has no owner and is never surprised. All characters start at known places, by common
//! knowledge.
//!
//! # With things
//!
//! Where there are objects, containers and propositions, a world gives every [`Item`] a value, and a mind holds a value of
//! every item that it has *known* (seen, or heard of), or *nothing*, or it is *unclear*: [`Held`].
//! The *room* of an item in a world is the place of a character; of an object, the place where it lies, where
//! the container stands that it is in, or where the holder is; of a lid, where the container stands.
//! Propositions have no room. One *sees* at a place those whose place it is, the objects whose room it is but
//! for those in containers that this world does not have open, and the lids of the containers there: what it
//! has no value of is not seen. A third law holds in every mind M: M·x has an object in the hands of x just where
//! M does. (So whoever is to have something in hand at the start has to know it.)
//!
//! An event is an act by c at `a`, alone or with others who go together; they go to `b`, or stay (`b` is
//! `a`). Its *stages* are `a`, `b`, and the place that something is thrown to. It *shows* where those are who
//! act (`a`); that what movers have in hand is in their hands; of an object that is moved, where it was; of a
//! container that is opened or closed, that it was not; of an object that is only shown, where it is, and who has it
//! in hand; in a reaction, or where something is revealed, whether the proposition is true, and what is shown along
//! with it ([`Along`](crate::world::Along)). Its *effects* are that movers are at `b`, and where the
//! object or how the lid then is. Where someone arrived, or a container was opened, those at `b` have a *look* after
//! it: all that one sees there. Such an event is applied to M, whose owner witnesses it, like this:
//!
//! 1. *Surprises.* What is shown, of which M held anything else, is so. And if the owner has a look: what is
//!    seen, of which M held anything else, is so; and of what is not seen M has no idea any more, if M held it
//!    where it would be seen: a character at `b`; an object that lies at `b`, is in a container at `b` that is
//!    seen to be open, or is in the hands of someone who is seen. (A look says nothing of the owner's own place,
//!    nor of what the event shows: that may be otherwise after it.) All these are slips, as above: of each item from the
//!    value that M held, and to the one that it has. A slip is seen by whom the item is, or who has it in hand, and by
//!    those in its room. Only when a person comes do those who see it have a look. Nothing slips in the hands of someone
//!    who slips, if it slips itself: it goes before she does, and comes after her. Whoever is noticed to miss the event may
//!    have missed each slip, too, or not: that makes two cases.
//! 2. *Witnesses in M*: those whom M places at one of the stages, and those who act; but for those whose
//!    distraction was noticed. (Someone whose distraction goes unnoticed does not witness it really, and is a
//!    witness for everyone else; someone who peeks witnesses it really, and for nobody else. She has no look.)
//! 3. *Effects*: M takes them in.
//! 4. For every witness x other than M's owner the event is applied to M·x, those at `b` with the look that M now
//!    gives them.
//!
//! Where the target is an object, the order of slips of all people and lids is reckoned with, since it is where they are;
//! where it is a proposition, that of all propositions; where trust goes by who left later, that of all people.
//!
//! What is shown, seen in a look, or an effect counts as seen from then on, if it was only heard of before; that
//! is no surprise.
//!
//! *Telling.* c says that item i is v to a company: the hearers and c. If everyone present hears it, M's
//! company is whom M places at `a`, and c, and where c is, is shown as above; else it is the same in all minds,
//! and nothing is shown. (Distraction and peeking as above: who overhears it hears what the company hears.) It is
//! applied to M, whose owner o is of the company, or overhears it, like this, after what is shown has been
//! settled. If o is not c and *trusts* c in this, M learns that i is v (heard, not seen), and then M·c learns the same, if
//! it holds anything else by now: c is taken to mean what she says. If M held another value, i went from there, and those
//! in its room saw it go. Otherwise nothing of i changes. Then it is applied to M·x for every x of the company other
//! than o (c is one of them). So the speaker's own belief does not change, whether she lies or not.
//!
//! Where she is herself, what she has in hand and what she has not, and what the telling itself shows (where c is,
//! if c says it to everyone present), o knows: of that she trusts nobody. Else, if it is said of the telling who
//! believes it, everyone knows that: o trusts c if she is one of them. Else o trusts c by the rule of the board:
//! `always`; `never`; `unless_known_better`: unless M holds another value that was seen (where i is unclear
//! in M, so it remains, and M·c's becomes unclear too, but for a value that is v already); `later_leaver`: if c
//! left the scene later than o, as M has it: if the last event with which M ceased to have c there is later than
//! the last with which it ceased to have o there, where whom M has there still comes last, and who never was
//! there comes first. The scene is the place that v names, or the place of the container that it names; where it
//! names none, the rule is `unless_known_better`. (Where c was only just shown to have come from `a`, M had her
//! there for a moment; that counts.)
//!
//! *At the start* everyone knows who knows what ([`Knowledge`](crate::world::Knowledge)): those who know a thing,
//! or hold the contrary, take each other to hold what they hold themselves; of those who know nothing everyone
//! knows that they have no idea; and what the others hold is unclear to them. Where people are, and which
//! containers are open, everyone knows.
//!
//! # Two ways to compute it
//!
//! [`Tracker`] follows one chain and keeps only the minds along it; it is what makes data sets.
//! [`DeedTracker`] does the same where there are things and deeds. [`nested`] is the definition written out, with
//! all minds; it shares no code with the trackers and serves as their oracle.

mod deeds;
pub mod nested;
mod tracker;
pub mod worlds;

pub use deeds::DeedTracker;
pub use tracker::Tracker;

use std::hint::select_unpredictable;

use crate::id::{CharacterId, PlaceId};
use crate::world::{Event, Item, Value};

/// The largest number of ways that are gone through at once, cases and sets of slips multiplied.
const WAYS_MAX: usize = 1 << 12;

/// What `mind` holds of `target` after an event, given what it `held` and everyone's place before the event. This is the
/// definition at order 1, which needs no more than that.
///
/// # Panics
/// If `mind` is `target`.
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
#[inline]
pub fn first_order(
    held: Option<PlaceId>,
    mind: CharacterId,
    target: CharacterId,
    event: Event,
    place_of: impl Fn(CharacterId) -> PlaceId,
) -> Option<PlaceId> {
    assert_ne!(mind, target, "everyone knows where she is");
    // Who moves, and who sees it, is drawn: nothing branches on that.
    let to = Some(event.to);
    let seen = select_unpredictable(event.seen_by(mind, place_of(mind)), to, held);
    let elsewhere = select_unpredictable(held == to, None, held);
    let met = select_unpredictable(place_of(target) == event.to, to, elsewhere);
    // Company agrees on who is there: strangers show nothing new.
    let of_others = select_unpredictable(event.who == mind, met, held);
    select_unpredictable(event.who == target, seen, of_others)
}

/// What a mind holds about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Held {
    /// This value, and where it comes from.
    Known(Value, Source),
    /// The owner of this mind has no idea.
    Nothing,
    /// The mind that holds this one cannot tell.
    Unclear,
}

impl Held {
    /// The value, if there is one.
    pub const fn value(self) -> Option<Value> {
        match self {
            Self::Known(value, _) => Some(value),
            Self::Nothing | Self::Unclear => None,
        }
    }
}

/// How the owner of a mind has come to hold a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// She has seen it (or known it from the start).
    Seen,
    /// She has been told.
    Heard,
}

/// A chain of minds about a target: `[S1, S2]` about `T` is where S1 thinks that S2 thinks T is. The number of minds is
/// the **order**; with none, the chain is reality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    minds: Vec<CharacterId>,
    target: Item,
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
    pub fn new(minds: &[CharacterId], target: impl Into<Item>) -> Self {
        let target = target.into();
        let mut minds = minds.to_vec();
        minds.dedup();
        if minds.last().is_some_and(|&last| Item::Character(last) == target) {
            minds.pop();
        }
        Self { minds, target }
    }

    /// The minds, the outermost first.
    pub fn minds(&self) -> &[CharacterId] {
        &self.minds
    }

    /// The character or thing that the chain is about.
    pub fn target(&self) -> Item {
        self.target
    }

    /// The character that the chain is about, if it is about one.
    pub fn character(&self) -> Option<CharacterId> {
        self.target.character()
    }

    /// The number of minds.
    pub fn order(&self) -> usize {
        self.minds.len()
    }

    /// The chain one order lower, without the outermost mind.
    ///
    /// # Panics
    /// If the order is 0.
    pub fn lower(&self) -> Self {
        Self::new(&self.minds[1..], self.target)
    }

    /// The minds, followed by the target if it is a character.
    pub fn members(&self) -> impl Iterator<Item = CharacterId> + '_ {
        self.minds.iter().copied().chain(self.character())
    }
}
