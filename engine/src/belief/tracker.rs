//! The minds along one chain, kept up to date event by event.
//!
//! To answer the chain `m₁ … mₖ` about T, only reality and the minds `[m₁]`, `[m₁ m₂]`, … are kept,
//! and each tracks only the later members of the chain, and T. Company agrees on who is there, in every
//! mind and at every depth, so a stranger who comes or goes shows no member anything about another that
//! it did not know.
//!
//! A move costs O(1) if its mover is no member or the outermost mind does not see it, and O(order²)
//! at worst otherwise.

mod minds;

use std::hint::select_unpredictable;

use smallvec::SmallVec;

use super::{Chain, WAYS_MAX};
use crate::id::{CharacterId, PlaceId};
use crate::trace::Trace;
use crate::world::Event;
use minds::{FEW, Minds, Perhaps};

/// The fast tracker of one chain of any order.
///
/// ```
/// use storysim::{belief::{Chain, Tracker}, id::{CharacterId, PlaceId}, world::Event};
/// let [a, b, c] = [0, 1, 2].map(PlaceId::new);
/// let [ann, bob] = [0, 1].map(CharacterId::new);
/// let mut tracker = Tracker::new(Chain::new(&[ann], bob), 2);
/// tracker.start(&[a, a]);
/// tracker.apply(Event { who: bob, from: a, to: b });
/// tracker.apply(Event { who: bob, from: b, to: c });
/// assert_eq!(tracker.answer(), Some(b));
/// assert_eq!(tracker.truth(), c);
/// ```
#[derive(Clone, Debug)]
pub struct Tracker {
    chain: Chain,
    /// The chain's minds followed by its target, with one column each.
    members: Vec<CharacterId>,
    /// For each character, whether it is a member.
    is_member: Vec<bool>,
    minds: Minds,
    /// The number of ways that are gone through at the moment.
    ways: usize,
    /// Memory for further states.
    spare: Vec<Minds>,
}

/// A move that a mind takes to have happened unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// A member leaves the place where the mind has her.
    Goes(CharacterId),
    /// A member comes to a place.
    Comes(CharacterId, PlaceId),
}

impl Slip {
    fn who(self) -> CharacterId {
        match self {
            Self::Goes(who) | Self::Comes(who, _) => who,
        }
    }
}

/// A single mind about a target, the simplest case.
struct Pair {
    mind: CharacterId,
    target: CharacterId,
    /// Where the owner of the mind is.
    place: PlaceId,
    /// Where the target is.
    target_place: PlaceId,
    /// Where the target is thought to be.
    held: Option<PlaceId>,
}

impl Pair {
    /// Applies a move of the owner or the target.
    #[inline]
    fn apply(&mut self, event: Event) {
        let Self { mind, target, place, target_place, held } = *self;
        let place_of = |who| if who == mind { place } else { target_place };
        self.held = super::first_order(held, mind, target, event, place_of);
        let is_mind = event.who == mind;
        self.place = select_unpredictable(is_mind, event.to, place);
        self.target_place = select_unpredictable(is_mind, target_place, event.to);
    }
}

impl Tracker {
    /// A tracker for `chain` in stories of `character_count` characters. Call [`Self::start`]
    /// before applying events.
    pub fn new(chain: Chain, character_count: usize) -> Self {
        let members: Vec<CharacterId> = chain.members().collect();
        let width = members.len();
        let mut is_member = vec![false; character_count];
        for member in &members {
            is_member[member.index()] = true;
        }
        Self {
            chain,
            members,
            is_member,
            minds: Minds { places: vec![None; width * width], open: SmallVec::new(), lost: width * width },
            ways: 1,
            spare: Vec::new(),
        }
    }

    /// A copy of the present state, in memory that has been used before if there is any.
    fn copy(&mut self) -> Minds {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.set(&self.minds);
        copy
    }

    /// The chain that is tracked.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Whether a move of `character` can matter to this chain.
    #[inline]
    pub fn is_member(&self, character: CharacterId) -> bool {
        self.is_member[character.index()]
    }

    /// Begins a story: everyone's start is common knowledge.
    pub fn start(&mut self, start: &[PlaceId]) {
        let width = self.members.len();
        for (column, member) in self.members.iter().enumerate() {
            for row in 0..width {
                self.minds.places[row * width + column] = Some(start[member.index()]);
            }
        }
        self.minds.open.clear();
        self.minds.lost = self.minds.places.len();
    }

    /// Follows a whole story of people who only walk, given all steps in which a member of the chain may move. Returns
    /// [`Self::answer`].
    pub fn follow(&mut self, trace: &Trace, steps: &[u32]) -> Option<PlaceId> {
        self.start(&trace.start);
        if self.members.len() == 2 {
            let mut pair = self.pair();
            for &step in steps {
                pair.apply(trace.events[step as usize]);
            }
            self.set_pair(&pair);
            return self.answer();
        }
        for &step in steps {
            self.apply(trace.events[step as usize]);
        }
        self.answer()
    }

    /// Where the chain's last mind, as seen through the chain, has the target; `None` if that is unknown.
    #[inline]
    pub fn answer(&self) -> Option<PlaceId> {
        self.minds.places[self.minds.places.len() - 1]
    }

    /// Where the target really is.
    #[inline]
    pub fn truth(&self) -> PlaceId {
        self.real(self.members.len() - 1)
    }

    /// Where a member of the chain, or its target, really is; `None` for anyone else.
    pub fn place(&self, member: CharacterId) -> Option<PlaceId> {
        let column = self.members.iter().position(|&other| other == member)?;
        self.at(0, column)
    }

    /// The chain's minds, followed by its target.
    pub fn members(&self) -> &[CharacterId] {
        &self.members
    }

    /// Where the mind of the first `depth` members, or reality, has each of the members. It follows only those after them.
    #[inline]
    pub fn row(&self, depth: usize) -> &[Option<PlaceId>] {
        let width = self.members.len();
        &self.minds.places[depth * width..][..width]
    }

    /// Puts the members where they really are, although no mind has witnessed how they came there. But the owner of the
    /// outermost mind knows where she is.
    pub fn set_reality(&mut self, places: &[Option<PlaceId>]) {
        self.minds.places[..self.members.len()].copy_from_slice(places);
        if self.order() > 0 {
            self.set_place(1, self.members[0], places[0]);
        }
    }

    /// Where the mind of the first `depth` members has the target; for depth 0, where it really is.
    pub fn held(&self, depth: usize) -> Option<PlaceId> {
        self.at(depth, self.members.len() - 1)
    }

    /// Applies a move. Returns whether the owner of the outermost mind witnessed a move of a member.
    #[inline]
    pub fn apply(&mut self, event: Event) -> bool {
        self.is_member(event.who) && self.apply_to_member(event)
    }

    fn apply_to_member(&mut self, event: Event) -> bool {
        if self.members.len() == 2 {
            let mut pair = self.pair();
            let is_witnessed = event.seen_by(pair.mind, pair.place);
            pair.apply(event);
            self.set_pair(&pair);
            return is_witnessed;
        }
        let witnessed = event.seen_by(self.members[0], self.real(0));
        self.put(0, event);
        if witnessed {
            let sees_roster = self.real(0) == event.to;
            self.witness(1, event, sees_roster);
        }
        witnessed
    }

    /// The state of a chain that consists of a single mind and a target.
    #[inline]
    fn pair(&self) -> Pair {
        let &[mind, target] = &self.members[..] else { unreachable!("a mind and a target") };
        let &[Some(place), Some(target_place), _, held] = &self.minds.places[..] else {
            unreachable!("two rows of two columns, and reality is known")
        };
        Pair { mind, target, place, target_place, held }
    }

    #[inline]
    fn set_pair(&mut self, pair: &Pair) {
        self.minds.places[0] = Some(pair.place);
        self.minds.places[1] = Some(pair.target_place);
        self.minds.places[3] = pair.held;
    }

    /// Applies an event to a row whose owner witnesses it, and to the further ones that take part in it.
    fn witness(&mut self, row: usize, event: Event, sees_roster: bool) {
        if row > self.order() {
            return;
        }
        self.by_cases(row, &mut |tracker| {
            // 1. Surprises.
            let owner = tracker.members[row - 1];
            let lesson = |tracker: &Self, column: usize| {
                let (member, held) = (tracker.members[column], tracker.at(row, column));
                if member == event.who {
                    (held != Some(event.from)).then_some(Some(event.from))
                } else if sees_roster && member != owner {
                    tracker.roster_lesson(row, column, event.to)
                } else {
                    None
                }
            };
            tracker.slip(row, lesson);
            // 2. and 3. Does the next mind's owner witness it, in this mind? Then the effect.
            let place = tracker.at(row, row);
            let next_sees =
                tracker.members[row] == event.who || place == Some(event.from) || place == Some(event.to);
            tracker.put(row, event);
            // 4. What the next mind makes of it.
            if next_sees {
                let sees_roster = tracker.at(row, row) == Some(event.to);
                tracker.witness(row + 1, event, sees_roster);
            }
        });
    }

    /// Does something to a row in each case of what is unclear in it. What the cases do not agree on is unclear after it.
    fn by_cases(&mut self, row: usize, act: &mut dyn FnMut(&mut Self)) {
        let width = self.members.len();
        if row * width >= self.minds.lost {
            return;
        }
        let in_row = |perhaps: &&Perhaps| usize::from(perhaps.cell) / width == row;
        let Some(&Perhaps { cell, .. }) = self.minds.open.iter().find(in_row) else { return act(self) };
        let who = self.members[usize::from(cell) % width];
        let places: SmallVec<[Option<PlaceId>; FEW]> = self.minds.alternatives(usize::from(cell)).collect();
        let Some(ways) = self.multiplied(places.len()) else { return self.lose(row) };
        let before = self.copy();
        let mut joined: Option<Minds> = None;
        for place in places {
            self.minds.set(&before);
            self.hold(row, who, place);
            let outer = std::mem::replace(&mut self.ways, ways);
            self.by_cases(row, act);
            self.ways = outer;
            match &mut joined {
                None => joined = Some(self.copy()),
                Some(joined) => joined.join(&self.minds),
            }
        }
        let last = std::mem::replace(&mut self.minds, joined.expect("at least two places"));
        self.spare.extend([before, last]);
    }

    /// How many ways there are to go through, if each of these goes on in so many; `None` if they are too many.
    fn multiplied(&self, by: usize) -> Option<usize> {
        self.ways.checked_mul(by).filter(|&ways| ways <= WAYS_MAX)
    }

    /// Gives a row and those below it up: nothing can be said of them any more.
    fn lose(&mut self, row: usize) {
        self.minds.lost = self.minds.lost.min(row * self.members.len());
        self.minds.forget();
    }

    /// What the mind of `row` learns if a member is, or is not, at `place`, where the row above has everyone right.
    #[inline]
    fn roster_lesson(&self, row: usize, column: usize, place: PlaceId) -> Option<Option<PlaceId>> {
        let is_there = self.at(row - 1, column) == Some(place);
        let was_thought_there = self.at(row, column) == Some(place);
        match (is_there, was_thought_there) {
            (true, false) => Some(Some(place)),
            (false, true) => Some(None),
            _ => None,
        }
    }

    /// Lets the mind of `row` conclude that whoever is not where it had them has gone there unseen.
    fn slip(&mut self, row: usize, lesson: impl Fn(&Self, usize) -> Option<Option<PlaceId>>) {
        let mut slips: SmallVec<[Slip; FEW]> = SmallVec::new();
        let mut count = 0;
        for column in row..self.members.len() {
            let who = self.members[column];
            let Some(new) = lesson(self, column) else { continue };
            if self.members[row..column].contains(&who) {
                continue;
            }
            count += 1;
            slips.extend(self.at(row, column).map(|_| Slip::Goes(who)));
            slips.extend(new.map(|place| Slip::Comes(who, place)));
        }
        if count < 2 || row == self.order() {
            return slips.iter().for_each(|&slip| self.apply_slip(row, slip));
        }
        match self.multiplied(1_usize.checked_shl(slips.len() as u32).unwrap_or(usize::MAX)) {
            Some(ways) => {
                let outer = std::mem::replace(&mut self.ways, ways);
                self.in_any_order(row, &slips);
                self.ways = outer;
            }
            None => {
                self.lose(row + 1);
                slips.iter().for_each(|&slip| self.apply_slip(row, slip));
            }
        }
    }

    /// Applies slips in every order in which each member goes before she comes. What the orders do not agree on is unclear.
    ///
    /// Only of those that the owner of the next mind may see does the order matter: the others go first, or come last.
    /// What has happened when some of the slips are done is unclear only where the orders of these differ, so that
    /// O(2^slips) states suffice.
    fn in_any_order(&mut self, row: usize, slips: &[Slip]) {
        let (watched, others) = self.watched(row, slips);
        let (first, last): (Vec<Slip>, _) = others.iter().partition(|slip| matches!(slip, Slip::Goes(_)));
        first.iter().for_each(|&slip| self.apply_slip(row, slip));
        self.in_any_order_of_watched(row, &watched);
        last.iter().for_each(|&slip: &Slip| self.apply_slip(row, slip));
    }

    /// Those slips that the owner of the next mind may see in some order, and the others.
    fn watched(&self, row: usize, slips: &[Slip]) -> (Vec<Slip>, Vec<Slip>) {
        let next = self.members[row];
        let comes = slips.iter().find_map(|&slip| match slip {
            Slip::Comes(who, place) if who == next => Some(place),
            _ => None,
        });
        let places = [self.at(row, row), comes];
        let is_watched = |&slip: &Slip| {
            let (who, place) = match slip {
                Slip::Goes(who) => (who, self.place_in(row, who)),
                Slip::Comes(who, place) => (who, Some(place)),
            };
            who == next || place.is_some() && places.contains(&place)
        };
        slips.iter().copied().partition(is_watched)
    }

    /// Those that can be seen, in every order in which they can be.
    fn in_any_order_of_watched(&mut self, row: usize, slips: &[Slip]) {
        if slips.iter().all(|slip| slip.who() == slips[0].who()) {
            return slips.iter().for_each(|&slip| self.apply_slip(row, slip));
        }
        let all = (1_usize << slips.len()) - 1;
        let goes_before = |slip: Slip| match slip {
            Slip::Comes(who, _) => slips.iter().position(|&other| other == Slip::Goes(who)),
            Slip::Goes(_) => None,
        };
        let mut states: Vec<Option<Minds>> = vec![None; all + 1];
        states[0] = Some(self.copy());
        for done in 0..all {
            let Some(state) = states[done].take() else { continue };
            for (at, &slip) in slips.iter().enumerate() {
                let is_next =
                    done & (1 << at) == 0 && goes_before(slip).is_none_or(|goes| done & (1 << goes) != 0);
                if !is_next {
                    continue;
                }
                self.minds.set(&state);
                self.apply_slip(row, slip);
                match &mut states[done | (1 << at)] {
                    Some(joined) => joined.join(&self.minds),
                    next => *next = Some(self.copy()),
                }
            }
            self.spare.push(state);
        }
        let all_done = states.pop().flatten().expect("all slips are done in the end");
        let last = std::mem::replace(&mut self.minds, all_done);
        self.spare.push(last);
    }

    /// Applies a slip to the mind of `row`, and to those below it that witness it.
    fn apply_slip(&mut self, row: usize, slip: Slip) {
        let who = slip.who();
        if let Slip::Comes(_, place) = slip {
            self.set_place(row, who, Some(place));
        }
        // The next mind is about its owner and the members after her alone.
        let next_sees = |tracker: &Self| {
            let next = tracker.members[row];
            let is_beside =
                || tracker.at(row, row).is_some_and(|place| tracker.place_in(row, who) == Some(place));
            next == who || tracker.members[row + 1..].contains(&who) && is_beside()
        };
        if row < self.order() && next_sees(self) {
            self.by_cases(row + 1, &mut |tracker| tracker.see(row + 1, slip));
        }
        if slip == Slip::Goes(who) {
            self.set_place(row, who, None);
        }
    }

    /// Lets the owner of `row` see someone go; or come, and then who else is there.
    fn see(&mut self, row: usize, slip: Slip) {
        if let Slip::Comes(who, place) = slip {
            let owner = self.members[row - 1];
            self.slip(row, |tracker, column| {
                let member = tracker.members[column];
                if member == owner {
                    None
                } else if member == who {
                    tracker.at(row, column).map(|_| None)
                } else {
                    tracker.roster_lesson(row, column, place)
                }
            });
        }
        self.apply_slip(row, slip);
    }

    /// The place where the mind of `row` has someone, as far as it is tracked.
    fn place_in(&self, row: usize, who: CharacterId) -> Option<PlaceId> {
        if self.members[row - 1] == who {
            return self.at(row - 1, row - 1);
        }
        let column = (row..self.members.len()).find(|&column| self.members[column] == who)?;
        self.at(row, column)
    }

    fn set_place(&mut self, row: usize, who: CharacterId, place: Option<PlaceId>) {
        let width = self.members.len();
        for column in row..width {
            if self.members[column] == who {
                let cell = row * width + column;
                self.minds.places[cell] = place;
                self.minds.open.retain(|perhaps| usize::from(perhaps.cell) != cell);
            }
        }
    }

    #[inline]
    fn put(&mut self, row: usize, event: Event) {
        self.set_place(row, event.who, Some(event.to));
    }

    /// Holds a place in a row, and in her own mind: everyone knows where she is.
    fn hold(&mut self, row: usize, who: CharacterId, place: Option<PlaceId>) {
        self.set_place(row, who, place);
        if row < self.order() && self.members[row] == who && (row + 1) * self.members.len() < self.minds.lost
        {
            self.hold(row + 1, who, place);
        }
    }

    #[inline]
    fn order(&self) -> usize {
        self.members.len() - 1
    }

    #[inline]
    fn real(&self, column: usize) -> PlaceId {
        self.at(0, column).expect("reality is known")
    }

    #[inline]
    fn at(&self, row: usize, column: usize) -> Option<PlaceId> {
        self.minds.places[row * self.members.len() + column]
    }
}
