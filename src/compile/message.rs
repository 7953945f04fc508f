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
//! A message costs O(places^|X| · |X| · ways).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::rule::Rule;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Table, TableCharacter, Values};
use crate::weight::Weight;
use crate::world::Map;

/// All messages together may have this many entries.
pub const ENTRIES_MAX: usize = 1 << 21;

/// Every message counts as so many more entries, for what else it takes to keep it.
const ENTRIES_EXTRA: usize = 32;

/// The rows that are worked out beforehand may have this many outcomes: some 3 MB.
const ROW_OUTCOMES_MAX: usize = 1 << 18;

/// A function of the joint place of some characters.
#[derive(Clone, Debug, PartialEq)]
struct Message {
    /// In ascending order; the first is the most significant digit.
    characters: Vec<CharacterId>,
    values: Vec<Weight>,
}

impl Message {
    fn value(&self, places: usize, place_of: impl Fn(CharacterId) -> PlaceId) -> Weight {
        self.values[self.characters.iter().fold(0, |at, &who| at * places + place_of(who).index())]
    }
}

/// A message up to a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageId(usize);

/// The step that leads to a message.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The message before the step.
    pub before: MessageId,
    /// What `before` is to be multiplied by.
    pub factor: Weight,
    /// The table from which the step is drawn; none if whoever may act does so freely.
    pub table: Option<usize>,
    /// Those who may act and on whom nothing depends: an actor set.
    pub bystanders: usize,
}

/// The storyboard asks for messages beyond [`ENTRIES_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// All messages and tables of a storyboard.
pub struct Messages<'a> {
    map: &'a Map,
    character_count: usize,
    messages: Vec<Message>,
    /// By hash of what they hold.
    message_ids: HashMap<u64, Vec<MessageId>>,
    steps: HashMap<(Rule, MessageId), Step>,
    tables: Vec<Table>,
    actor_sets: Vec<Vec<CharacterId>>,
    actor_set_ids: HashMap<Vec<CharacterId>, usize>,
    entry_count: usize,
}

impl<'a> Messages<'a> {
    pub fn new(map: &'a Map, character_count: usize) -> Self {
        Self {
            map,
            character_count,
            messages: Vec::new(),
            message_ids: HashMap::new(),
            steps: HashMap::new(),
            tables: Vec::new(),
            actor_sets: Vec::new(),
            actor_set_ids: HashMap::new(),
            entry_count: 0,
        }
    }

    /// The message after the last step: nothing is left to hold.
    pub fn end(&mut self) -> MessageId {
        self.keep(Message { characters: Vec::new(), values: vec![Weight::ONE] })
    }

    /// The step under `rule` that leads to `next`.
    ///
    /// # Errors
    /// If this takes more room than there is.
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
        let is_free = rule.arrival.is_none() && rule.after.is_empty();
        if is_free && !actors.is_empty() && !actors.iter().any(|who| depends.contains(who)) {
            // Only bystanders act, so nothing changes that matters.
            let bystanders = self.actor_set(actors);
            return Ok(Step { before: next, factor: Weight::ONE, table: None, bystanders });
        }
        let mut bystanders = actors.clone();
        bystanders.retain(|who| !depends.contains(who) && rule.arrival.is_none());

        let mut after = self.after(rule, next, &depends)?;
        let factor = take_factor(&mut after);
        let places = self.map.place_count();
        let mut stride = after.len();
        let characters = depends.iter().map(|&who| {
            stride /= places;
            TableCharacter { who, stride, may_act: actors.binary_search(&who).is_ok() }
        });
        let characters: Vec<TableCharacter> = characters.collect();
        let sums = (0..after.len()).map(|here| {
            self.sum(rule, &characters, bystanders.len(), &after, here).over(actors.len().max(1))
        });
        let values = sums.collect();
        let before = self.keep(Message { characters: depends, values });
        let bystanders = self.actor_set(bystanders);
        let table = Some(self.tables.len());
        let (arrival, values) = (rule.arrival.clone(), table_values(after));
        self.tables.push(Table { characters, bystanders, arrival, values, rows: None });
        Ok(Step { before, factor, table, bystanders })
    }

    /// `after[t]` as a function of the places of `characters`.
    fn after(
        &mut self,
        rule: &Rule,
        next: MessageId,
        characters: &[CharacterId],
    ) -> Result<Vec<Weight>, TooLarge> {
        let places = self.map.place_count();
        let size = u32::try_from(characters.len()).ok().and_then(|count| places.checked_pow(count));
        let size =
            size.filter(|&size| self.entry_count + size + ENTRIES_EXTRA <= ENTRIES_MAX).ok_or(TooLarge)?;
        self.entry_count += size + ENTRIES_EXTRA;
        let next = &self.messages[next.0];
        let value = |index| {
            let place_of = |who| place_in(index, characters, places, who);
            if rule.allows_state(place_of) { next.value(places, place_of) } else { Weight::ZERO }
        };
        Ok((0..size).map(value).collect())
    }

    /// `before[t]` at one joint place, but for the common factor 1/actors.
    fn sum(
        &self,
        rule: &Rule,
        characters: &[TableCharacter],
        bystander_count: usize,
        after: &[Weight],
        here: usize,
    ) -> Weight {
        let mut sum = Weight::ZERO;
        if bystander_count > 0 {
            sum = after[here].times(Weight::new(bystander_count as f64));
        }
        for &TableCharacter { who, stride, may_act } in characters {
            if !may_act {
                continue;
            }
            let from = here / stride % self.map.place_count();
            let ways = self.map.ways(PlaceId::new(from));
            let mut over_ways = Weight::ZERO;
            for &to in ways {
                if rule.arrival.as_ref().is_none_or(|arrival| arrival.allows(who, to)) {
                    over_ways = over_ways.plus(after[here + to.index() * stride - from * stride]);
                }
            }
            sum = sum.plus(over_ways.over(ways.len()));
        }
        sum
    }

    /// A message's value where the characters stand as `place_of` says.
    pub fn value(&self, message: MessageId, place_of: impl Fn(CharacterId) -> PlaceId) -> Weight {
        self.messages[message.0].value(self.map.place_count(), place_of)
    }

    /// The tables and the actor sets.
    pub fn finish(mut self) -> (Vec<Table>, Vec<Vec<CharacterId>>) {
        let mut room = ROW_OUTCOMES_MAX;
        for table in &mut self.tables {
            let bystander_count = self.actor_sets[table.bystanders].len();
            room = table.make_rows(self.map, self.character_count, bystander_count, room);
        }
        (self.tables, self.actor_sets)
    }

    /// Keeps a message, or finds the one that is the same.
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

/// The place of `who` in a joint place of `characters`, or the first place if it is not among them.
fn place_in(index: usize, characters: &[CharacterId], places: usize, who: CharacterId) -> PlaceId {
    let after = characters.iter().rev().take_while(|&&character| character != who).count();
    PlaceId::new(index / places.pow(after as u32) % places)
}

fn union(left: &[CharacterId], right: impl Iterator<Item = CharacterId>) -> Vec<CharacterId> {
    let mut all: Vec<CharacterId> = left.iter().copied().chain(right).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Scales a message with one positive value to 1, and returns what it was.
///
/// Nothing is rounded then; and where everyone must be in one place, casts that differ in what comes
/// later have the same message from here on.
fn take_factor(values: &mut [Weight]) -> Weight {
    let mut positive = values.iter_mut().filter(|value| !value.is_zero());
    match (positive.next(), positive.next()) {
        (Some(only), None) => std::mem::replace(only, Weight::ONE),
        _ => Weight::ONE,
    }
}

/// As numbers from which one can draw fast, if they are within range of each other.
fn table_values(values: Vec<Weight>) -> Values {
    let largest = values.iter().fold(Weight::ZERO, |largest, &value| largest.larger(value));
    let plain = || values.iter().map(|value| value.share_of(largest));
    let fits = values.iter().zip(plain()).all(|(value, share)| value.is_zero() || share >= 1e-250);
    if fits { Values::Plain(plain().collect()) } else { Values::Wide(values) }
}
