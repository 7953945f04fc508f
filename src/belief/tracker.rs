//! The minds along one chain, kept up to date event by event.
//!
//! To answer the chain `m₁ … mₖ` about T, only reality and the minds `[m₁]`, `[m₁ m₂]`, … are kept,
//! and each tracks only the later members of the chain, and T: nothing else flows into the answer.
//! In particular no move of anyone else does. Company agrees on who is there, in every mind and at
//! every depth, so a stranger who comes or goes shows no member anything about another that it did
//! not know. (That, too, is checked against the oracle, which applies every event to every mind.)
//!
//! A move costs O(1) if its mover is no member or the outermost mind does not see it, and O(order²)
//! at worst otherwise.

use std::hint::select_unpredictable;

use super::Chain;
use crate::id::{CharacterId, PlaceId};
use crate::trace::Trace;
use crate::world::Event;

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
    /// Where minds place members: row 0 is reality, row i the mind of the first i members. A row only tracks the columns
    /// from its own number on, since those before are not needed.
    places: Vec<Option<PlaceId>>,
    /// What the mind of each row is about to learn, column by column.
    lessons: Vec<Option<Lesson>>,
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

/// Where a member turns out to be; `None` if it is only known not to be where it was thought to be.
type Lesson = Option<PlaceId>;

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
            places: vec![None; width * width],
            lessons: vec![None; width * width],
        }
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
                self.places[row * width + column] = Some(start[member.index()]);
            }
        }
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
        self.places[self.places.len() - 1]
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

    /// Moves a member of the chain, or its target, to a place; does nothing if it is already there. Returns the same as
    /// [`Self::apply`].
    ///
    /// # Panics
    /// If `who` is neither a member nor the target.
    #[inline]
    pub fn go(&mut self, who: CharacterId, to: PlaceId) -> bool {
        let column = self.members.iter().position(|&member| member == who).expect("a member");
        let from = self.real(column);
        from != to && self.apply_to_member(Event { who, from, to })
    }

    /// Everything that the minds hold.
    #[inline]
    pub fn state(&self) -> &[Option<PlaceId>] {
        &self.places
    }

    /// Restores a state that [`Self::state`] returned.
    ///
    /// # Panics
    /// If it is the state of a chain with another length.
    #[inline]
    pub fn load(&mut self, state: &[Option<PlaceId>]) {
        self.places.copy_from_slice(state);
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
            self.witness(event, sees_roster);
        }
        witnessed
    }

    /// The state of a chain that consists of a single mind and a target.
    #[inline]
    fn pair(&self) -> Pair {
        let &[mind, target] = &self.members[..] else { unreachable!("a mind and a target") };
        let &[Some(place), Some(target_place), _, held] = &self.places[..] else {
            unreachable!("two rows of two columns, and reality is known")
        };
        Pair { mind, target, place, target_place, held }
    }

    #[inline]
    fn set_pair(&mut self, pair: &Pair) {
        self.places[0] = Some(pair.place);
        self.places[1] = Some(pair.target_place);
        self.places[3] = pair.held;
    }

    /// Applies an event to the first row, and to the further ones that take part in it.
    fn witness(&mut self, event: Event, mut sees_roster: bool) {
        let order = self.order();
        for row in 1..=order {
            // 1. Surprises.
            let owner = self.members[row - 1];
            let (mut any, mut mover_surprises) = (false, false);
            for column in row..=order {
                let (member, held) = (self.members[column], self.at(row, column));
                let lesson = if member == event.who {
                    mover_surprises |= held != Some(event.from);
                    (held != Some(event.from)).then_some(Some(event.from))
                } else if sees_roster && member != owner {
                    let is_there = self.at(row - 1, column) == Some(event.to);
                    self.roster_lesson(row, column, event.to, is_there)
                } else {
                    None
                };
                any |= lesson.is_some();
                *self.lesson(row, column) = lesson;
            }
            if any {
                self.learn(row);
                if mover_surprises {
                    self.be_together(row, event.from);
                }
            }
            // 2. and 3. Does the next mind's owner witness it, in this mind? Then the effect.
            let place = self.at(row, row);
            let next_sees =
                self.members[row] == event.who || place == Some(event.from) || place == Some(event.to);
            self.put(row, event);
            // 4. What the next mind makes of it.
            if !next_sees {
                break;
            }
            sees_roster = self.at(row, row) == Some(event.to);
        }
    }

    /// What the mind of `row` learns if a member is, or is not, at `place`.
    #[inline]
    fn roster_lesson(&self, row: usize, column: usize, place: PlaceId, is_there: bool) -> Option<Lesson> {
        let was_thought_there = self.at(row, column) == Some(place);
        match (is_there, was_thought_there) {
            (true, false) => Some(Some(place)),
            (false, true) => Some(None),
            _ => None,
        }
    }

    /// Applies the lessons of `row` and hands them down to the rows below it.
    fn learn(&mut self, row: usize) {
        for row in row..=self.order() {
            let goes_on = self.hand_down(row);
            self.take_in(row);
            if !goes_on {
                return;
            }
        }
    }

    /// Derives the next row's lessons from those of `row`, which still holds its old places. Returns whether there
    /// are any.
    fn hand_down(&mut self, row: usize) -> bool {
        let (z, old_z, lesson_z) = (self.members[row], self.at(row, row), *self.lesson(row, row));
        let mut any = false;
        for column in row + 1..=self.order() {
            let (old_x, lesson_x) = (self.at(row, column), *self.lesson(row, column));
            let handed_down = lesson_x.and_then(|new_x| {
                if self.members[column] == z {
                    return Some(new_x);
                }
                let same = |left: Option<PlaceId>, right: Option<PlaceId>| left.is_some() && left == right;
                let was_with_x = same(old_z, old_x);
                let met_x = lesson_z
                    .is_some_and(|new_z| same(old_z, new_x) || same(new_z, old_x) || same(new_z, new_x));
                (was_with_x || met_x).then_some(None)
            });
            any |= handed_down.is_some();
            *self.lesson(row + 1, column) = handed_down;
        }
        any
    }

    fn take_in(&mut self, row: usize) {
        for column in row..=self.order() {
            if let Some(place) = *self.lesson(row, column) {
                *self.at_mut(row, column) = place;
            }
        }
    }

    /// Lets those whom the mind of `row` places at `place` know that exactly they are there together.
    fn be_together(&mut self, row: usize, place: PlaceId) {
        for next in row + 1..=self.order() {
            // The chain goes on within that company, or leaves it.
            if self.at(row, next - 1) != Some(place) {
                return;
            }
            let mut any = false;
            for column in next..=self.order() {
                let is_there = self.at(row, column) == Some(place);
                let lesson = self.roster_lesson(next, column, place, is_there);
                any |= lesson.is_some();
                *self.lesson(next, column) = lesson;
            }
            if any {
                self.learn(next);
            }
        }
    }

    #[inline]
    fn put(&mut self, row: usize, event: Event) {
        for column in row..self.members.len() {
            if self.members[column] == event.who {
                *self.at_mut(row, column) = Some(event.to);
            }
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
        self.places[row * self.members.len() + column]
    }

    #[inline]
    fn at_mut(&mut self, row: usize, column: usize) -> &mut Option<PlaceId> {
        &mut self.places[row * self.members.len() + column]
    }

    #[inline]
    fn lesson(&mut self, row: usize, column: usize) -> &mut Option<Lesson> {
        &mut self.lessons[row * self.members.len() + column]
    }
}
