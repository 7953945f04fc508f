//! Backward messages: how likely it is that all conditions from a step on will hold, given where
//! the characters stand on which that depends.
//!
//! Let X be the joint place of these characters. `before[t](x)` is the probability that every
//! condition at step t and later holds, given X = x before step t; `after[t](x)` is the same for
//! conditions on the places after step t and everything later, given X = x after step t:
//!
//! ```text
//! before[horizon](x) = 1
//! after[t](x)  = [x is allowed after step t] · before[t + 1](x)
//! before[t](x) = Σ over actors c, destinations d:  1/actors · 1/ways · [c may go to d] · after[t](x with c at d)
//! ```
//!
//! A table of step t is `after[t]`: an event is drawn by what it leads to.
//!
//! Going back in time, a character joins X when a condition first depends on its place, and none
//! ever leaves. But where everyone in X must be at one place, the message is zero everywhere else,
//! and equal for all casts that agree on that place. So messages that are equal but for a factor
//! are kept once, and with them all that follows from them for the steps before.
//!
//! Where more of the past matters than where everyone is (what somebody believes, whether somebody has
//! moved), a *memory* takes part in X like one more character, with values for places
//! ([`Memory`]).
//!
//! The same recursion over squared probabilities gives the chance that two stories are the same:
//! `Σ p(story)²` over all stories that meet the conditions ([`Power::Two`]).
//!
//! A message costs O(places^|X| · |X| · ways), times the values of its memories.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::goal::walker;
use super::rule::Rule;
use crate::belief::Chain;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{DeedShare, Goal, Memory, Table, TableCharacter, TableMemory, Values};
use crate::weight::Weight;
use crate::world::{Event, Map, Value};

/// The largest number of entries in all messages together.
pub const ENTRIES_MAX: usize = 1 << 21;

/// The number of additional entries that each message counts as, for the other memory it takes.
const ENTRIES_EXTRA: usize = 32;

/// The largest relative difference at which two messages are considered equal except for rounding.
const RATIO_ERROR_MAX: f64 = 1.0 / (1_u64 << 50) as f64;

/// The largest number of lines in rows that are worked out in advance: about 25 MB.
const ROW_LINES_MAX: usize = 400_000;

/// The quantity that is summed over all stories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// The probability of the stories, which gives how likely the conditions are.
    One,
    /// The square of the probability, or slightly more where bystanders have different numbers of ways.
    Two,
}

impl Power {
    /// A weight times the probability, or its square, of one of `count` equally likely things.
    fn over(self, weight: Weight, count: usize) -> Weight {
        match self {
            Self::One => weight.over(count),
            Self::Two => weight.over(count).over(count),
        }
    }
}

/// A function of the joint place of some characters and memories.
#[derive(Clone, Debug, PartialEq)]
struct Message {
    /// The characters in ascending order; the first is the most significant digit.
    characters: Vec<CharacterId>,
    values: Vec<Weight>,
}

/// The number of a message, which is determined up to a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageId(usize);

/// The step that leads to a message.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The message before the step.
    pub before: MessageId,
    /// The factor that `before` has to be multiplied by.
    pub factor: Weight,
    /// The table from which the step is drawn; `None` if whoever may act does so freely.
    pub table: Option<usize>,
    /// The actor set of those who may act and on whom nothing depends.
    pub bystanders: usize,
}

/// An error: the storyboard needs messages beyond [`ENTRIES_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// All messages and tables of a storyboard.
pub struct Messages<'a> {
    map: &'a Map,
    character_count: usize,
    /// The memories, whose slots follow those of the characters.
    memories: &'a [Memory],
    power: Power,
    ways_min: usize,
    messages: Vec<Message>,
    /// Messages by the hash of their content.
    message_ids: HashMap<u64, Vec<MessageId>>,
    steps: HashMap<(Rule, MessageId), Step>,
    tables: Vec<Table>,
    actor_sets: Vec<Vec<CharacterId>>,
    actor_set_ids: HashMap<Vec<CharacterId>, usize>,
    entry_count: usize,
}

impl<'a> Messages<'a> {
    pub fn new(map: &'a Map, character_count: usize, memories: &'a [Memory], power: Power) -> Self {
        Self {
            map,
            character_count,
            memories,
            power,
            ways_min: map.ways_min(),
            messages: Vec::new(),
            message_ids: HashMap::new(),
            steps: HashMap::new(),
            tables: Vec::new(),
            actor_sets: Vec::new(),
            actor_set_ids: HashMap::new(),
            entry_count: 0,
        }
    }

    /// The message after the last step, where these goals, at most of order 1, are left to hold.
    ///
    /// # Errors
    /// If this takes more room than is available.
    pub fn end(&mut self, goals: &[Goal], binds: &[PlaceId]) -> Result<MessageId, TooLarge> {
        let characters = self.of_end(goals);
        let size = self.room(&characters)?;
        let places = self.map.place_count();
        let value = |index| {
            let place_of = |who| self.place_in(index, &characters, who);
            let is_met = goals.iter().all(|goal| {
                let answer = |at: usize| {
                    let chain = &goal.chains()[at];
                    let held = self.slot(chain).map_or(place_of(walker(chain)), place_of);
                    Some(held).filter(|held| held.index() < places).map(Value::Place)
                };
                goal.is_met(binds, answer, Value::Place(place_of(walker(&goal.chains()[0]))))
            });
            if is_met { Weight::ONE } else { Weight::ZERO }
        };
        let values = (0..size).map(value).collect();
        Ok(self.keep(Message { characters, values }))
    }

    /// The characters and memories on which goals depend.
    fn of_end(&self, goals: &[Goal]) -> Vec<CharacterId> {
        let chains = || goals.iter().flat_map(|goal| goal.chains());
        let members = chains().flat_map(|chain| chain.members());
        union(&[], members.chain(chains().filter_map(|chain| self.slot(chain))))
    }

    /// How many values the message after the last step has; `None` if too many to count.
    pub fn size_of_end(&self, goals: &[Goal]) -> Option<usize> {
        self.product(&self.of_end(goals))
    }

    fn product(&self, characters: &[CharacterId]) -> Option<usize> {
        characters.iter().try_fold(1_usize, |size, &who| size.checked_mul(self.size(who)))
    }

    /// The slot that keeps what a chain of order 1 holds.
    fn slot(&self, chain: &Chain) -> Option<CharacterId> {
        let &[mind] = chain.minds() else { return None };
        let belief = Memory::Belief { mind, target: walker(chain) };
        let at = self.memories.iter().position(|&memory| memory == belief).expect("kept for every goal");
        Some(CharacterId::new(self.character_count + at))
    }

    /// The step under `rule` that leads to `next`.
    ///
    /// # Errors
    /// If this takes more room than is available.
    pub fn step(&mut self, rule: &Rule, next: MessageId) -> Result<Step, TooLarge> {
        if let Some(&step) = self.steps.get(&(rule.clone(), next)) {
            return Ok(step);
        }
        let step = self.make_step(rule, next)?;
        self.steps.insert((rule.clone(), next), step);
        Ok(step)
    }

    fn make_step(&mut self, rule: &Rule, next: MessageId) -> Result<Step, TooLarge> {
        let everyone = (0..self.character_count).map(CharacterId::new);
        let actors: Vec<CharacterId> = everyone.filter(|who| rule.idle.binary_search(who).is_err()).collect();
        let depends = union(&self.messages[next.0].characters, rule.characters());
        if rule.is_free() && !actors.is_empty() && !actors.iter().any(|who| depends.contains(who)) {
            // Only bystanders act, so nothing changes that matters.
            let factor = self.power.over(self.of_bystanders(actors.len(), rule.limits.play), actors.len());
            let bystanders = self.actor_set(actors);
            return Ok(Step { before: next, factor, table: None, bystanders });
        }
        let mut bystanders = actors.clone();
        bystanders.retain(|who| !depends.contains(who) && !rule.limits.is_forced());
        let is_barred = rule.must_act.iter().any(|who| rule.idle.contains(who));

        let mut after = self.after(rule, next, &depends)?;
        if is_barred {
            after.fill(Weight::ZERO);
        }
        let factor = take_factor(&mut after);
        let mut stride = after.len();
        let characters = depends.iter().map(|&who| {
            let size = self.size(who);
            stride /= size;
            let may_act = actors.binary_search(&who).is_ok();
            TableCharacter { who, size: u16::try_from(size).expect("places are few"), may_act, stride }
        });
        let characters: Vec<TableCharacter> = characters.collect();
        let kept = characters.iter().filter(|character| rule.remembers.contains(&character.who));
        let memories = kept.map(|&TableCharacter { who, stride, .. }| {
            let memory = self.memories[who.index() - self.character_count];
            TableMemory { memory, slot: who, stride }
        });
        let memories: Vec<TableMemory> = memories.collect();
        let sums = (0..after.len()).map(|here| {
            let sum = self.sum(rule, &characters, &memories, bystanders.len(), &after, here);
            if rule.limits.is_scripted() { sum } else { self.power.over(sum, actors.len().max(1)) }
        });
        let values: Vec<Weight> = sums.collect();
        let before = Message { characters: depends, values };
        let before = self.without(before, &rule.begins);
        let before = self.keep(before);
        let bystanders = self.actor_set(bystanders);
        let table = Some(self.tables.len());
        let (limits, values) = (Box::new(rule.limits.clone()), table_values(after));
        let memories = memories.into_boxed_slice();
        self.tables.push(Table { characters, bystanders, limits, memories, values, rows: None });
        Ok(Step { before, factor, table, bystanders })
    }

    /// The message before memories begin, when they are 0.
    fn without(&self, message: Message, begins: &[CharacterId]) -> Message {
        if begins.is_empty() {
            return message;
        }
        let mut characters = message.characters.clone();
        characters.retain(|who| !begins.contains(who));
        let size = characters.iter().map(|&who| self.size(who)).product();
        let value = |index| {
            let place_of = |who| self.place_in(index, &characters, who);
            message.values[self.index(&message.characters, place_of)]
        };
        let values = (0..size).map(value).collect();
        Message { characters, values }
    }

    /// The number of places that a character can be in, or of values that a memory can have.
    fn size(&self, who: CharacterId) -> usize {
        let places = self.map.place_count();
        match who.index().checked_sub(self.character_count) {
            None => places,
            Some(memory) => self.memories[memory].size(places),
        }
    }

    /// The number of a joint place of `characters`.
    fn index(&self, characters: &[CharacterId], place_of: impl Fn(CharacterId) -> PlaceId) -> usize {
        characters.iter().fold(0, |at, &who| at * self.size(who) + place_of(who).index())
    }

    /// The place of `who` in a joint place of `characters`, or the first place if it is not among them.
    fn place_in(&self, mut index: usize, characters: &[CharacterId], who: CharacterId) -> PlaceId {
        for &character in characters.iter().rev() {
            let size = self.size(character);
            if character == who {
                return PlaceId::new(index % size);
            }
            index /= size;
        }
        PlaceId::new(0)
    }

    /// Reserves room for a message about these characters. Returns the number of its values.
    fn room(&mut self, characters: &[CharacterId]) -> Result<usize, TooLarge> {
        let size = self.product(characters);
        let size =
            size.filter(|&size| self.entry_count + size + ENTRIES_EXTRA <= ENTRIES_MAX).ok_or(TooLarge)?;
        self.entry_count += size + ENTRIES_EXTRA;
        Ok(size)
    }

    /// The contribution of `count` bystanders to a sum over actors.
    fn of_bystanders(&self, count: usize, play: Option<DeedShare>) -> Weight {
        let count = Weight::new(count as f64);
        match self.power {
            Power::One => count,
            // Each of their moves has its probability squared; together at most that of one move.
            Power::Two => {
                let of_moves = 1.0 / self.ways_min as f64;
                // She can do what is drawn, or cannot and moves: whichever makes stories more alike.
                let share = play.map_or(0.0, DeedShare::share);
                let of_deeds = share * share + (1.0 - share) * (1.0 - share) * of_moves;
                if of_deeds > of_moves {
                    count.times(Weight::new(of_deeds))
                } else {
                    count.over(self.ways_min)
                }
            }
        }
    }

    /// `after[t]` as a function of the places of `characters`.
    fn after(
        &mut self,
        rule: &Rule,
        next: MessageId,
        characters: &[CharacterId],
    ) -> Result<Vec<Weight>, TooLarge> {
        let size = self.room(characters)?;
        let next = &self.messages[next.0];
        let value = |index| {
            let place_of = |who| self.place_in(index, characters, who);
            if rule.allows_state(place_of) {
                next.values[self.index(&next.characters, place_of)]
            } else {
                Weight::ZERO
            }
        };
        Ok((0..size).map(value).collect())
    }

    /// The value `before[t]` at one joint place, without the common factor 1/actors.
    fn sum(
        &self,
        rule: &Rule,
        characters: &[TableCharacter],
        memories: &[TableMemory],
        bystander_count: usize,
        after: &[Weight],
        here: usize,
    ) -> Weight {
        let place_count = self.map.place_count();
        let place_of = |who: CharacterId| {
            let found = characters.iter().find(|character| character.who == who);
            PlaceId::new(found.map_or(0, |found| here / found.stride % usize::from(found.size)))
        };
        let is_plain = rule.limits.is_blind() && memories.is_empty();
        let remembered = |there: usize, event: Event| {
            memories.iter().fold(there, |there, &TableMemory { memory, slot, stride }| {
                let value = place_of(slot);
                let next = memory.next(value, event, place_count, place_of);
                there + next.index() * stride - value.index() * stride
            })
        };
        if rule.limits.deed.is_some() {
            return after[here];
        }
        if let Some((who, to)) = &rule.limits.together {
            if !rule.limits.allows_together(self.map, place_of) {
                return Weight::ZERO;
            }
            let members = characters.iter().filter(|character| who.contains(&character.who));
            let there = members.fold(here, |there, &TableCharacter { who, stride, .. }| {
                let from = place_of(who);
                let there = there + to.index() * stride - from.index() * stride;
                remembered(there, Event { who, from, to: *to })
            });
            return after[there];
        }
        let mut sum = Weight::ZERO;
        if bystander_count > 0 {
            sum = after[here].times(self.of_bystanders(bystander_count, rule.limits.play));
        }
        if let Some(play) = rule.limits.play
            && rule.limits.arrival.is_none()
        {
            let count = characters.iter().filter(|character| character.may_act).count() as f64;
            let share = match self.power {
                Power::One => play.share(),
                Power::Two => play.share() * play.share(),
            };
            sum = sum.plus(after[here].times(Weight::new(count * share)));
        }
        for &TableCharacter { who, size, may_act, stride } in characters {
            if !may_act {
                continue;
            }
            let from = PlaceId::new(here / stride % usize::from(size));
            let ways = self.map.ways(from);
            let mut over_ways = Weight::ZERO;
            for &to in ways {
                let mut there = here + to.index() * stride - from.index() * stride;
                if is_plain {
                    if rule.limits.arrival.as_ref().is_none_or(|arrival| arrival.allows(who, to)) {
                        over_ways = over_ways.plus(after[there]);
                    }
                    continue;
                }
                let event = Event { who, from, to };
                if rule.limits.allows(event, place_of) {
                    there = remembered(there, event);
                    over_ways = over_ways.plus(after[there]);
                }
            }
            sum = sum.plus(self.power.over(over_ways, ways.len()));
        }
        sum
    }

    /// The value of a message when the characters stand as `place_of` says.
    pub fn value(&self, message: MessageId, place_of: impl Fn(CharacterId) -> PlaceId) -> Weight {
        let Message { characters, values } = &self.messages[message.0];
        values[self.index(characters, place_of)]
    }

    /// The number of entries in all messages so far.
    pub fn entry_count(&self) -> usize {
        self.entry_count
    }

    /// The factor by which `before` differs from `after`, if they are the same except for a factor and rounding. Then every
    /// further step changes the message by this factor.
    pub fn ratio(&self, before: MessageId, after: MessageId) -> Option<Weight> {
        if before == after {
            return Some(Weight::ONE);
        }
        let (before, after) = (&self.messages[before.0], &self.messages[after.0]);
        if before.characters != after.characters {
            return None;
        }
        let first = after.values.iter().position(|value| !value.is_zero())?;
        let ratio = before.values[first].divided_by(after.values[first]);
        let is_multiple = before.values.iter().zip(&after.values).all(|(before, after)| {
            let share = |value: Weight| value.share_of(after.times(ratio));
            if after.is_zero() { before.is_zero() } else { (share(*before) - 1.0).abs() <= RATIO_ERROR_MAX }
        });
        (is_multiple && !ratio.is_zero()).then_some(ratio)
    }

    /// The tables and the actor sets.
    pub fn finish(mut self) -> (Vec<Table>, Vec<Vec<CharacterId>>) {
        let mut room = ROW_LINES_MAX;
        for table in &mut self.tables {
            let bystander_count = self.actor_sets[table.bystanders].len();
            let slot_count = self.character_count + self.memories.len();
            room = table.make_rows(self.map, slot_count, bystander_count, room);
        }
        (self.tables, self.actor_sets)
    }

    /// Stores a message, or finds an identical one.
    fn keep(&mut self, message: Message) -> MessageId {
        let mut hasher = DefaultHasher::new();
        message.characters.hash(&mut hasher);
        message.values.iter().for_each(|value| value.bits().hash(&mut hasher));
        let alike = self.message_ids.entry(hasher.finish()).or_default();
        let known = alike.iter().find(|id| self.messages[id.0] == message);
        if let Some(&known) = known {
            return known;
        }
        let id = MessageId(self.messages.len());
        alike.push(id);
        self.messages.push(message);
        id
    }

    fn actor_set(&mut self, actors: Vec<CharacterId>) -> usize {
        let next = self.actor_sets.len();
        let id = *self.actor_set_ids.entry(actors.clone()).or_insert(next);
        if id == next {
            self.actor_sets.push(actors);
        }
        id
    }
}

fn union(left: &[CharacterId], right: impl Iterator<Item = CharacterId>) -> Vec<CharacterId> {
    let mut all: Vec<CharacterId> = left.iter().copied().chain(right).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Scales a message with only one positive value so that this is 1, and returns what it was.
///
/// Then nothing is rounded; and where everyone must be in one place, casts that only differ in what comes later have
/// the same message from here on.
fn take_factor(values: &mut [Weight]) -> Weight {
    let mut positive = values.iter_mut().filter(|value| !value.is_zero());
    match (positive.next(), positive.next()) {
        (Some(only), None) => std::mem::replace(only, Weight::ONE),
        _ => Weight::ONE,
    }
}

/// Converts weights to numbers that are fast to draw from, if they are within range of each other.
fn table_values(values: Vec<Weight>) -> Values {
    let largest = values.iter().fold(Weight::ZERO, |largest, &value| largest.larger(value));
    let plain = || values.iter().map(|value| value.share_of(largest));
    let fits = values.iter().zip(plain()).all(|(value, share)| value.is_zero() || share >= 1e-250);
    if fits { Values::Plain(plain().collect()) } else { Values::Wide(values) }
}
