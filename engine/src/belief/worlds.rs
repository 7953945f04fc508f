//! A second definition of belief, by possible histories; for tiny stories.
//!
//! [The definition](super) says how a mind changes from event to event. This one never changes a mind. It asks
//! which histories of the whole story someone cannot tell from what she has witnessed, keeps the most
//! plausible ones, and lets her believe what these agree on. It shares no code with the definition or the
//! trackers, and no idea but what people see; so where they give the same answers, it is not for the same mistake.
//!
//! # Histories
//!
//! Someone *observes* the events that she witnesses, each with what it shows her and the look that she then has.
//! She has no clock. A history that she cannot tell from what happened begins as she knows it
//! and has the events that she observes, in their order and with the same observations, and between them *slips*:
//! changes that she missed. A slip takes an item out of the world, into a *nowhere* of its own, or brings one
//! back from there; so nothing slips from one place straight to another. Those who
//! are with the item see it go or come, and whom it is about, or who has it in hand; when it is a person who comes,
//! those who are there have a look. Where something is that is nowhere, the history does not say.
//!
//! The most plausible histories are those with the fewest slips; of these, the latest: the sum of how many
//! observations follow each slip is least; and of these, those in which the fewest things are in the hands of people who slip.
//! She believes what all of them have at their end. What she takes another to
//! believe is what the other believes in every one of them: a history is as good a story as the real one. (So
//! this is a Kripke model whose accessible worlds are the most plausible ones. What is accessible need not be
//! so: belief can be false, and the logic is KD45, not S5. Compare A. Baltag, S. Smets, "A qualitative theory of dynamic
//! interactive belief revision", 2008.) Whether she trusts someone depends on what she believes at the moment, by the
//! histories up to it.
//!
//! Of what is not so by seeing, these rules are the same as in the definition, since they say what words mean, not how
//! minds change: who knows what at the start; whom a hearer trusts; that a trusted speaker is taken to mean what she says
//! (a history in which that is so has the item there from that moment: those who were with it see it go, and nobody sees
//! it come); who misses or overhears an event, and who knows of that.
//!
//! # Cost
//!
//! The search for the fewest slips costs O(observations · states), where states are those that differ from what was
//! observed by at most as many slips; then every order of slips between two observations is another
//! history: up to `(2k)! / 2^k` for k surprises at once, to the power of the order. More than [`HISTORIES_MAX`] for
//! one mind are refused.

mod act;
mod search;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use self::act::{actors, effects, facts};
use self::search::Search;
use super::{Held, Source};
use crate::id::{CharacterId, PlaceId};
use crate::trace::Trace;
use crate::world::{Act, Distraction, Event, Item, Knowledge, Stage, Value};

/// The largest number of histories that are considered for one mind.
pub const HISTORIES_MAX: usize = 3_000;

/// The error that a mind has more than [`HISTORIES_MAX`] plausible histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyHistories;

/// What everyone believes at the end of a story, derived from its possible histories.
///
/// ```
/// use storysim::{belief::{worlds::Worlds, Held}, id::{CharacterId, PlaceId}, trace::Trace, world::Event};
/// let [a, b] = [0, 1].map(PlaceId::new);
/// let [ann, bob] = [0, 1].map(CharacterId::new);
/// // Bob leaves Ann for b; she goes there when he is back, and cannot say where he is.
/// let moves = [(bob, a, b), (bob, b, a), (ann, a, b)];
/// let events = moves.map(|(who, from, to)| Event { who, from, to });
/// let trace = Trace::of_moves(vec![a, a], events.to_vec());
/// let held = Worlds::new(&trace).held(&[ann], bob.into()).unwrap();
/// assert_eq!(held.value(), Some(storysim::world::Value::Place(a))); // she saw him come back
/// ```
pub struct Worlds {
    stage: Stage,
    items: Vec<Item>,
    reality: Rc<History>,
    /// Histories that were found before.
    known: HashMap<(CharacterId, Observed), Found>,
}

/// Someone's most plausible histories, unless there are too many.
type Found = Result<Rc<Vec<Plausible>>, TooManyHistories>;

/// A start, and what happens from there on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct History {
    is_real: bool,
    /// The value of each item at the start; `None` if it is nowhere.
    start: Vec<Option<Value>>,
    happenings: Vec<Happening>,
}

/// Something that happens in a history.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Happening {
    /// The step of the real event that shows this.
    step: usize,
    what: What,
    /// If this is a slip, who was there and missed it.
    missed: Vec<CharacterId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// An event of the story.
    Done(Done),
    /// An item leaves the world: those who are with it see it go.
    Goes(Item),
    /// An item comes back: those who are there see it come.
    Comes(Item, Value),
    /// An item comes back as somebody said, which nobody sees except whoever it is about.
    Told(Item, Value),
}

/// An event, with what its witnesses can tell about who else witnesses it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Done {
    event: Event,
    act: Act,
    /// The characters who miss the event and are noticed to do so by its witnesses.
    noticed: Vec<CharacterId>,
    /// The characters who miss the event unnoticed. In a history that someone imagines, there are none.
    unnoticed: Vec<CharacterId>,
    /// The characters who watch the event in secret. In a history that someone imagines, that is at most herself.
    peeking: Vec<CharacterId>,
    /// What the event shows about the state before it, which is the same for everyone.
    shown: Vec<(Item, Value)>,
    /// What the speaker is taken to hold.
    meant: Meant,
}

/// What a speaker is taken to hold about what she says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Meant {
    /// She holds what she held before.
    AsBefore,
    /// She holds what she says.
    AsSaid,
    /// It cannot be told what she holds.
    Unclear,
}

/// Everything that someone has observed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Observed {
    start: Vec<At>,
    observations: Vec<(usize, Observation)>,
}

/// What someone observes when something happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Observation {
    /// An event of the story, and the look that she then has.
    Done(Done, Option<Vec<(Item, Value)>>),
    /// An item goes away from where it was.
    Goes(Item),
    /// An item comes back, with the look that she then has.
    Comes(Item, Value, Option<Vec<(Item, Value)>>),
    /// The observer herself is in another place, or has something else in hand, than before.
    Told(Item, Value),
}

/// The value of an item in a history, as seen by the one whose history it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum At {
    Known(Value, Source),
    /// Nowhere, and whether she *saw* it go there: then she knows more than whoever imagines this can tell.
    Nowhere {
        is_seen: bool,
    },
}

impl At {
    fn value(self) -> Option<Value> {
        match self {
            Self::Known(value, _) => Some(value),
            Self::Nowhere { .. } => None,
        }
    }
}

/// The state of the world at some point of a history, as seen by the one whose history it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    at: Vec<At>,
    /// The last step at which someone left a place, if that decides who is trusted.
    left: BTreeMap<(CharacterId, PlaceId), usize>,
}

/// One of someone's most plausible histories.
#[derive(Debug)]
struct Plausible {
    history: Rc<History>,
    end: State,
}

impl Worlds {
    /// The worlds of a story.
    pub fn new(trace: &Trace) -> Self {
        let stage = trace.stage.clone();
        let items: Vec<Item> = stage.items(trace.start.len()).collect();
        let value = |&item: &Item| match item {
            Item::Character(who) => Value::Place(trace.start[who.index()]),
            Item::Lid(container) => Value::Truth(stage.containers[container.index()].is_open),
            Item::Object(_) | Item::Proposition(_) | Item::Prospect(_) => stage.thing(item).value,
        };
        let start: Vec<Option<Value>> = items.iter().map(|item| Some(value(item))).collect();
        let reality = History { is_real: true, start: start.clone(), happenings: Vec::new() };
        let mut worlds = Self { stage, items, reality: Rc::new(reality.clone()), known: HashMap::new() };
        let (mut world, mut happenings) = (start, Vec::new());
        for (step, &event) in trace.events.iter().enumerate() {
            let deed = trace.deeds.get(step).cloned().unwrap_or_default();
            let (noticed, unnoticed): (Vec<_>, Vec<_>) =
                deed.distracted.iter().partition(|missing| missing.is_noticed);
            let who = |missing: Vec<Distraction>| missing.iter().map(|one| one.who).collect();
            let (noticed, unnoticed) = (who(noticed), who(unnoticed));
            let (act, peeking) = (deed.act, deed.peeking);
            let (shown, meant) = (Vec::new(), Meant::AsBefore);
            let mut done = Done { event, act, noticed, unnoticed, peeking, shown, meant };
            done.shown = worlds.shown(&world, &done);
            worlds.perform(&mut world, &done);
            happenings.push(Happening { step, what: What::Done(done), missed: Vec::new() });
        }
        worlds.reality = Rc::new(History { happenings, ..reality });
        worlds
    }

    /// What the chain of `minds` holds about an item at the end; at order 0, its real value.
    ///
    /// # Errors
    /// If that would take too long.
    ///
    /// # Panics
    /// If there is no such item, or the story cannot happen.
    pub fn held(&mut self, minds: &[CharacterId], item: Item) -> Result<Held, TooManyHistories> {
        let column = self.column(item);
        self.held_in(&self.reality.clone(), minds, column)
    }

    fn held_in(
        &mut self,
        history: &History,
        minds: &[CharacterId],
        column: usize,
    ) -> Result<Held, TooManyHistories> {
        let Some((&owner, rest)) = minds.split_first() else {
            let end = self.replay(history, |_, _| {});
            return Ok(end[column].map_or(Held::Unclear, |value| Held::Known(value, Source::Seen)));
        };
        let plausible = self.plausible(owner, self.observe(history, owner))?;
        let mut agreed = None;
        for Plausible { history, end } in plausible.iter() {
            let held = match (rest, end.at[column]) {
                ([], At::Known(value, source)) => Held::Known(value, source),
                ([], At::Nowhere { is_seen: false }) => Held::Nothing,
                ([], At::Nowhere { is_seen: true }) => Held::Unclear,
                (rest, _) => self.held_in(history, rest, column)?,
            };
            agreed = Some(match (agreed, held) {
                (None, held) => held,
                (Some(Held::Known(value, _)), Held::Known(other, _)) if agreed != Some(held) => {
                    // At a different source there is less to know than having seen it.
                    if value == other { Held::Known(value, Source::Heard) } else { Held::Unclear }
                }
                (Some(before), held) => {
                    if before == held {
                        held
                    } else {
                        Held::Unclear
                    }
                }
            });
            if agreed == Some(Held::Unclear) {
                break;
            }
        }
        Ok(agreed.expect("what happened is a history that fits what was observed"))
    }

    fn column(&self, item: Item) -> usize {
        self.items.iter().position(|&other| other == item).expect("an item of the story")
    }

    /// Plays a history, passing everything that happens and the world before it to `see`. Returns the world at the end.
    fn replay(
        &self,
        history: &History,
        mut see: impl FnMut(&Happening, &[Option<Value>]),
    ) -> Vec<Option<Value>> {
        let mut world = history.start.clone();
        for happening in &history.happenings {
            see(happening, &world);
            match &happening.what {
                What::Done(done) => self.perform(&mut world, done),
                What::Goes(item) => world[self.column(*item)] = None,
                What::Comes(item, value) | What::Told(item, value) => {
                    world[self.column(*item)] = Some(*value);
                }
            }
        }
        world
    }

    fn perform(&self, world: &mut [Option<Value>], done: &Done) {
        for (item, value) in effects(done) {
            world[self.column(item)] = Some(value);
        }
    }

    /// Everything that someone observes in a history.
    fn observe(&self, history: &History, owner: CharacterId) -> Observed {
        let begin = |(&item, &value): (&Item, &Option<Value>)| match (self.knowledge(item, owner), value) {
            (Knowledge::Nothing, _) => At::Nowhere { is_seen: false },
            (Knowledge::Wrong, Some(Value::Truth(is_true))) if history.is_real => {
                At::Known(Value::Truth(!is_true), Source::Seen)
            }
            (_, Some(value)) => At::Known(value, Source::Seen),
            (_, None) => At::Nowhere { is_seen: true },
        };
        let start = self.items.iter().zip(&history.start).map(begin).collect();
        let mut observations = Vec::new();
        self.replay(history, |happening, before| {
            let observation = self.observation(happening, before, owner);
            observations.extend(observation.map(|observation| (happening.step, observation)));
        });
        Observed { start, observations }
    }

    /// What someone observes when something happens, if she witnesses it.
    fn observation(
        &self,
        happening: &Happening,
        before: &[Option<Value>],
        owner: CharacterId,
    ) -> Option<Observation> {
        let is_missed = happening.missed.contains(&owner);
        match &happening.what {
            What::Done(done) => {
                let is_peeking = done.peeking.contains(&owner);
                if !is_peeking && !self.is_witness(before, done, owner) {
                    return None;
                }
                let mut after = before.to_vec();
                self.perform(&mut after, done);
                let has_look =
                    facts(&done.act).gives_look && self.place(&after, owner) == Some(done.event.to);
                let look = has_look.then(|| self.look(&after, done.event.to));
                let meant = if done.event.who == owner { done.meant } else { Meant::AsBefore };
                let peeking = if is_peeking { vec![owner] } else { Vec::new() };
                let seen = Done { unnoticed: Vec::new(), peeking, meant, ..done.clone() };
                Some(Observation::Done(seen, look))
            }
            What::Goes(item) => {
                let is_seen =
                    self.is_hers(before, *item, owner) || !is_missed && self.is_beside(before, *item, owner);
                is_seen.then_some(Observation::Goes(*item))
            }
            What::Comes(item, value) => {
                let mut after = before.to_vec();
                after[self.column(*item)] = Some(*value);
                let look = match value {
                    Value::Place(place) if item.character().is_some() => Some(self.look(&after, *place)),
                    _ => None,
                };
                let is_seen =
                    self.is_hers(&after, *item, owner) || !is_missed && self.is_beside(&after, *item, owner);
                is_seen.then_some(Observation::Comes(*item, *value, look))
            }
            What::Told(item, value) => {
                let mut after = before.to_vec();
                after[self.column(*item)] = Some(*value);
                self.is_hers(&after, *item, owner).then_some(Observation::Told(*item, *value))
            }
        }
    }

    /// Whether an item is someone herself, or is in her hands.
    fn is_hers(&self, world: &[Option<Value>], item: Item, who: CharacterId) -> bool {
        item == Item::Character(who) || world[self.column(item)] == Some(Value::Hands(who))
    }

    /// Whether someone is where an item is.
    fn is_beside(&self, world: &[Option<Value>], item: Item, who: CharacterId) -> bool {
        let room = self.room(world, item);
        room.is_some() && room == self.place(world, who)
    }

    /// Whether someone witnesses an event because it happens before her eyes or ears.
    fn is_witness(&self, world: &[Option<Value>], done: &Done, who: CharacterId) -> bool {
        let Event { from, to, .. } = done.event;
        let facts = facts(&done.act);
        let is_there = |place| place == from || place == to || facts.thrown_to == Some(place);
        let is_before_her = match facts.hearers {
            Some(hearers) => hearers.contains(&who),
            None => self.place(world, who).is_some_and(is_there),
        };
        let is_missed = done.noticed.contains(&who) || done.unnoticed.contains(&who);
        (is_before_her || actors(done).contains(&who)) && !is_missed
    }

    /// All that one sees in a place.
    fn look(&self, world: &[Option<Value>], place: PlaceId) -> Vec<(Item, Value)> {
        let seen = |(&item, &value): (&Item, &Option<Value>)| {
            let is_visible = match value? {
                Value::Container(container) => {
                    world[self.column(Item::Lid(container))] == Some(Value::Truth(true))
                }
                _ => true,
            };
            (is_visible && self.room(world, item) == Some(place)).then_some((item, value?))
        };
        self.items.iter().zip(world).filter_map(seen).collect()
    }

    fn place(&self, world: &[Option<Value>], who: CharacterId) -> Option<PlaceId> {
        self.room(world, Item::Character(who))
    }

    /// The place in which an item is.
    fn room(&self, world: &[Option<Value>], item: Item) -> Option<PlaceId> {
        if let Item::Lid(container) = item {
            return Some(self.stage.containers[container.index()].place);
        }
        match world[self.column(item)]? {
            Value::Place(place) => Some(place),
            Value::Container(container) => Some(self.stage.containers[container.index()].place),
            Value::Hands(who) => self.place(world, who),
            Value::Truth(_) | Value::Case(_) | Value::NoCase => None,
        }
    }

    /// What someone knows about an item at the start.
    fn knowledge(&self, item: Item, who: CharacterId) -> Knowledge {
        let known = match item {
            Item::Character(_) | Item::Lid(_) => None,
            Item::Object(object) => self.stage.objects[object.index()].knowledge.get(who.index()),
            Item::Proposition(about) => self.stage.propositions[about.index()].knowledge.get(who.index()),
            Item::Prospect(prospect) => self.stage.prospects[prospect.index()].knowledge.get(who.index()),
        };
        known.copied().unwrap_or(Knowledge::Right)
    }

    /// The most plausible histories that agree with everything that someone has observed.
    fn plausible(&mut self, owner: CharacterId, observed: Observed) -> Found {
        let key = (owner, observed);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = Search::new(self, owner, &key.1).run().map(Rc::new);
        self.known.insert(key, found.clone());
        found
    }
}
