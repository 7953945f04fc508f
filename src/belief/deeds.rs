//! The minds along one chain in a story with deeds.
//!
//! To answer the chain `m₁ … mₖ`, only reality and the minds `[m₁]`, `[m₁ m₂]`, … are kept, each with a value
//! of every item: what one of them learns depends on the one before and on itself, and on no other mind.
//!
//! An event costs O(order · items).

use super::{Chain, Held, Source};
use crate::id::{CharacterId, PlaceId};
use crate::trace::Trace;
use crate::world::{Act, Deed, Distraction, Event, Hearers, Item, Knowledge, Scene, Telling, Trust, Value};

/// The tracker of one chain of any order, where people do more than go from place to place.
///
/// ```
/// use storysim::belief::{Chain, DeedTracker, Held};
/// use storysim::id::{CharacterId, ObjectId, PlaceId};
/// use storysim::trace::Trace;
/// use storysim::world::{Act, Deed, Event, Item, Stage, Thing, Value};
/// let [a, b] = [0, 1].map(PlaceId::new);
/// let [ann, bob] = [0, 1].map(CharacterId::new);
/// let ball = ObjectId::new(0);
/// let objects = vec![Thing { value: Value::Place(a), knowledge: vec![] }];
/// let stage = Stage { objects, ..Stage::default() };
/// let story = Trace { start: vec![a, a], stage, ..Trace::default() };
/// let mut tracker = DeedTracker::new(Chain::new(&[ann], Item::Object(ball)));
/// tracker.start(&story);
/// tracker.apply(Event { who: ann, from: a, to: b }, &Deed::default());
/// tracker.apply(Event { who: bob, from: a, to: a }, &Deed { act: Act::Take(ball), ..Deed::default() });
/// assert_eq!(tracker.held().value(), Some(Value::Place(a)));
/// assert_eq!(tracker.truth(), Value::Hands(bob));
/// ```
#[derive(Debug)]
pub struct DeedTracker {
    chain: Chain,
    /// The real state of the story.
    scene: Scene,
    trust: Trust,
    /// The number of events applied so far.
    step: usize,
    /// All items: characters, objects, lids, propositions.
    items: Vec<Item>,
    /// The columns at which objects, lids and propositions begin.
    first: [usize; 3],
    /// What minds hold: row 0 is reality, row i the mind of the first i members, with one column per item.
    held: Vec<Held>,
    /// For each row, what its mind is about to learn about each item.
    lessons: Vec<Option<Held>>,
    /// For each item, what the event shows of it.
    shown: Vec<Option<Value>>,
    /// When the mind of each row last ceased to have someone in a place; only needed for [`Trust::LaterLeaver`].
    departures: Vec<Departure>,
}

/// The record that the mind of a row ceased to have someone in a place.
#[derive(Clone, Copy, Debug)]
struct Departure {
    row: usize,
    who: CharacterId,
    place: PlaceId,
    step: usize,
}

impl DeedTracker {
    /// A tracker of a chain.
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            scene: Scene::default(),
            trust: Trust::default(),
            step: 0,
            items: Vec::new(),
            first: [0; 3],
            held: Vec::new(),
            lessons: Vec::new(),
            shown: Vec::new(),
            departures: Vec::new(),
        }
    }

    /// The chain that is tracked.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Goes back to the start of a story.
    pub fn start(&mut self, trace: &Trace) {
        let stage = &trace.stage;
        self.scene.begin(&trace.start, stage);
        self.trust = stage.trust;
        self.step = 0;
        self.departures.clear();
        self.items.clear();
        self.items.extend(stage.items(trace.start.len()));
        let objects = trace.start.len();
        let lids = objects + stage.objects.len();
        self.first = [objects, lids, lids + stage.containers.len()];
        self.held.clear();
        self.held.extend(self.items.iter().map(|&item| Held::Known(self.scene.value(item), Source::Seen)));
        for row in 1..=self.order() {
            for column in 0..self.items.len() {
                let knowledge = match self.items[column] {
                    Item::Character(_) | Item::Lid(_) => None,
                    thing => stage.thing(thing).knowledge.get(self.owner(row).index()),
                };
                let outer = self.at(row - 1, column);
                self.held.push(match (knowledge, outer) {
                    (Some(Knowledge::Nothing), _) => Held::Nothing,
                    (Some(Knowledge::Wrong), Held::Known(Value::Truth(is_true), source)) if row == 1 => {
                        Held::Known(Value::Truth(!is_true), source)
                    }
                    (_, Held::Nothing) => Held::Unclear,
                    (_, outer) => outer,
                });
            }
        }
        self.lessons.clear();
        self.lessons.resize(self.held.len(), None);
        self.shown.clear();
        self.shown.resize(self.items.len(), None);
    }

    /// Applies an event. Returns whether the owner of the outermost mind witnessed it; true if the chain has no minds.
    ///
    /// # Panics
    /// If the event cannot happen (see [`crate::world::Scene::allows`]).
    pub fn apply(&mut self, event: Event, deed: &Deed) -> bool {
        assert!(self.scene.allows(event, deed), "{event:?} cannot happen: {deed:?}");
        let first = self.chain.minds().first();
        let is_witnessed = first.is_none_or(|&first| self.scene.is_witness(event, deed, first));
        if is_witnessed {
            for (item, value) in self.scene.shown(event, &deed.act) {
                self.shown[column(self.first, item)] = Some(value);
            }
        }
        self.scene.apply(event, &deed.act);
        self.step += 1;
        self.take_effect(0, event, &deed.act);
        if is_witnessed {
            self.witness(event, deed);
            self.shown.fill(None);
        }
        is_witnessed
    }

    /// What the chain holds about its target.
    pub fn held(&self) -> Held {
        self.held_at(self.order(), self.chain.target())
    }

    /// What the mind of the first `depth` members holds about an item; for depth 0, reality.
    pub fn held_at(&self, depth: usize, item: Item) -> Held {
        self.at(depth, self.column(item))
    }

    /// The real value of the target.
    pub fn truth(&self) -> Value {
        self.scene.value(self.chain.target())
    }

    /// The state of the story: everything that is really so.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Applies an event to the first mind, and to the further ones that take part in it.
    fn witness(&mut self, event: Event, deed: &Deed) {
        let gives_look = deed.act.is_going() || matches!(deed.act, Act::Open(_));
        for row in 1..=self.order() {
            // 1. Surprises.
            let owner = self.owner(row);
            let has_look = gives_look && self.place(row - 1, owner) == Some(event.to);
            let (mut is_surprised, mut by_someone) = (false, false);
            for column in 0..self.items.len() {
                let lesson = match self.shown[column] {
                    Some(value) => self.lesson_of_seen(row, column, value),
                    None if has_look => self.lesson_of_look(row, column, row - 1, event.to),
                    None => None,
                };
                is_surprised |= lesson.is_some();
                let is_someone = self.items[column].character().is_some();
                by_someone |= is_someone && lesson.is_some() && self.shown[column].is_some();
                *self.lesson(row, column) = lesson;
            }
            if is_surprised {
                self.learn(row, &deed.distracted);
            }
            if row < self.order() && is_noticed_to_miss(self.owner(row + 1), &deed.distracted) {
                self.look_up(row);
            } else if by_someone {
                self.be_together(row, event.from);
            }
            if let Act::Tell(telling) = &deed.act
                && event.who != owner
                && self.shown[self.column(telling.item)].is_none()
            {
                self.hear(row, event.who, telling);
            }
            // 2. and 3. Does the next mind's owner witness it, in this mind? Then the effects.
            let next_witnesses = row < self.order() && self.is_witness(row, self.owner(row + 1), event, deed);
            self.take_effect(row, event, &deed.act);
            // 4. What the next mind makes of it.
            if !next_witnesses {
                break;
            }
        }
    }

    /// Whether someone witnesses an event, according to the mind of `row`.
    fn is_witness(&self, row: usize, who: CharacterId, event: Event, deed: &Deed) -> bool {
        let is_there = match &deed.act {
            Act::Tell(Telling { hearers: Hearers::Named(hearers) | Hearers::Afar(hearers), .. }) => {
                hearers.contains(&who)
            }
            act => self.place(row, who).is_some_and(|place| Scene::stages(event, act).contains(&place)),
        };
        (is_there || is_actor(who, event, deed)) && !is_noticed_to_miss(who, &deed.distracted)
    }

    /// What the mind of `row` learns if an item is seen to have a value. What it had only heard counts as seen from then on.
    fn lesson_of_seen(&mut self, row: usize, column: usize, value: Value) -> Option<Held> {
        let seen = Held::Known(value, Source::Seen);
        if self.at(row, column).value() != Some(value) {
            return Some(seen);
        }
        *self.at_mut(row, column) = seen;
        None
    }

    /// What the mind of `row` learns about an item from a look at `place`, seeing what the mind of `looked_at` has there.
    fn lesson_of_look(
        &mut self,
        row: usize,
        column: usize,
        looked_at: usize,
        place: PlaceId,
    ) -> Option<Held> {
        if self.items[column] == Item::Character(self.owner(row)) {
            return None;
        }
        if let Some(value) = self.seen(looked_at, column, place) {
            return self.lesson_of_seen(row, column, value);
        }
        let would_be_seen = match self.at(row, column).value()? {
            Value::Place(at) => at == place,
            Value::Container(container) => {
                self.scene.place_of_container(container) == place
                    && self.is_open(looked_at, Item::Lid(container))
            }
            Value::Hands(who) => self.place(looked_at, who) == Some(place),
            Value::Truth(_) => false,
        };
        would_be_seen.then_some(Held::Nothing)
    }

    /// What can be seen of an item in a place, according to the mind of `row`.
    fn seen(&self, row: usize, column: usize, place: PlaceId) -> Option<Value> {
        let value = self.at(row, column).value()?;
        let is_hidden =
            matches!(value, Value::Container(container) if !self.is_open(row, Item::Lid(container)));
        (!is_hidden && self.room(row, column) == Some(place)).then_some(value)
    }

    /// Applies the lessons of `row` and hands them down to the rows below it. Some characters miss what shows them.
    fn learn(&mut self, row: usize, missing: &[Distraction]) {
        for row in row..=self.order() {
            let goes_on = row < self.order() && self.hand_down(row, missing);
            for column in 0..self.items.len() {
                if let Some(held) = *self.lesson(row, column) {
                    self.hold(row, column, held);
                }
            }
            if !goes_on {
                return;
            }
        }
    }

    /// Derives the next row's lessons from those of `row`, which still holds its old values. Returns whether there
    /// are any.
    fn hand_down(&mut self, row: usize, missing: &[Distraction]) -> bool {
        let z = self.owner(row + 1);
        let place_of_z = z.index();
        let rooms_of_z = [self.room(row, place_of_z), self.new_room(row, place_of_z)];
        let z_surprises = self.lesson(row, place_of_z).is_some();
        let z_is_absent = is_noticed_to_miss(z, missing);
        let mut any = false;
        for column in 0..self.items.len() {
            let handed_down = (*self.lesson(row, column)).and_then(|held| {
                let in_hand = Some(Value::Hands(z));
                if let Some(value) = held.value()
                    && (column == place_of_z || held.value() == in_hand)
                {
                    return Some(Held::Known(value, Source::Seen));
                }
                let rooms = [self.room(row, column), self.new_room(row, column)];
                let had_it_in_hand = self.at(row, column).value() == in_hand;
                let was_with_it = rooms[0].is_some() && rooms[0] == rooms_of_z[0];
                let met_it = z_surprises && rooms.iter().any(|at| at.is_some() && rooms_of_z.contains(at));
                let may_have_missed_it = z_is_absent && rooms[1].is_some() && rooms[1] == rooms_of_z[1];
                (column == place_of_z || had_it_in_hand || was_with_it || met_it || may_have_missed_it)
                    .then_some(Held::Unclear)
            });
            any |= handed_down.is_some();
            *self.lesson(row + 1, column) = handed_down;
        }
        any
    }

    /// Makes what can be seen at `place` common knowledge of those whom the mind of `row` places there.
    fn be_together(&mut self, row: usize, place: PlaceId) {
        for next in row + 1..=self.order() {
            // The chain goes on within that company, or leaves it.
            if self.place(row, self.owner(next)) != Some(place) {
                return;
            }
            let mut any = false;
            for column in 0..self.items.len() {
                let lesson = self.lesson_of_look(next, column, row, place);
                any |= lesson.is_some();
                *self.lesson(next, column) = lesson;
            }
            if any {
                self.learn(next, &[]);
            }
        }
    }

    /// Handles that the mind of `row` finds some to be where the next mind's owner is, who is noticed to miss what shows
    /// it. She may have looked up when they came; if she is one of them, she has looked about.
    fn look_up(&mut self, row: usize) {
        let (next, z) = (row + 1, self.owner(row + 1));
        let Some(place) = self.place(row, z) else { return };
        if self.lesson(row, z.index()).is_some() {
            return self.be_together(row, place);
        }
        let has_come = |column: usize| {
            self.items[column].character().is_some()
                && self.lessons[row * self.items.len() + column].is_some()
                && self.room(row, column) == Some(place)
        };
        if !(0..self.items.len()).any(has_come) {
            return;
        }
        for column in 0..self.items.len() {
            let before = self.at(next, column);
            let is_seen_perhaps = self.lesson_of_look(next, column, row, place).is_some();
            *self.at_mut(next, column) = before;
            *self.lesson(next, column) = is_seen_perhaps.then_some(Held::Unclear);
        }
        self.learn(next, &[]);
    }

    /// Handles that someone else says something to the owner of `row`.
    fn hear(&mut self, row: usize, speaker: CharacterId, telling: &Telling) {
        let Telling { item, value, .. } = *telling;
        let column = self.column(item);
        let Some(lesson) = self.lesson_of_telling(row, speaker, telling) else { return };
        if lesson != Held::Unclear {
            self.learn_of(row, column, lesson, value);
        }
        if row < self.order() && self.owner(row + 1) == speaker {
            self.learn_of(row + 1, column, lesson, value);
        }
    }

    /// Lets a row learn about one item, unless it already holds this value.
    fn learn_of(&mut self, row: usize, column: usize, held: Held, value: Value) {
        if self.at(row, column).value() != Some(value) {
            for other in 0..self.items.len() {
                *self.lesson(row, other) = (other == column).then_some(held);
            }
            self.learn(row, &[]);
        }
    }

    /// What the owner of `row` learns, and takes the speaker to hold, if she trusts her in this; unclear if the mind that
    /// holds hers cannot tell whether she does.
    fn lesson_of_telling(&self, row: usize, speaker: CharacterId, telling: &Telling) -> Option<Held> {
        let (column, value) = (self.column(telling.item), telling.value);
        let (owner, held) = (self.owner(row), self.at(row, column));
        let in_hand = Value::Hands(owner);
        if column == owner.index() || held.value() == Some(in_hand) || value == in_hand {
            return None; // that she knows herself
        }
        let is_trusted = match (&telling.believers, self.trust, self.place_named(value)) {
            (Some(believers), ..) => believers.contains(&owner),
            (None, Trust::Always, _) => true,
            (None, Trust::Never, _) => false,
            (None, Trust::LaterLeaver, Some(scene)) => {
                self.leaving(row, speaker, scene) > self.leaving(row, owner, scene)
            }
            (None, Trust::UnlessKnownBetter, _) | (None, Trust::LaterLeaver, None) => match held {
                Held::Unclear => return Some(Held::Unclear),
                Held::Known(known, Source::Seen) => known == value,
                Held::Known(_, Source::Heard) | Held::Nothing => true,
            },
        };
        is_trusted.then_some(Held::Known(value, Source::Heard))
    }

    /// The step at which the mind of `row` ceased to have someone in a place: 0 if it never had her there, and after all
    /// steps if it still has.
    fn leaving(&self, row: usize, who: CharacterId, scene: PlaceId) -> usize {
        if self.place(row, who) == Some(scene) {
            return usize::MAX;
        }
        let is_it = |gone: &&Departure| gone.row == row && gone.who == who && gone.place == scene;
        self.departures.iter().rev().find(is_it).map_or(0, |gone| gone.step)
    }

    fn take_effect(&mut self, row: usize, event: Event, act: &Act) {
        for (item, value) in Scene::effects(event, act) {
            self.hold(row, self.column(item), Held::Known(value, Source::Seen));
        }
    }

    fn hold(&mut self, row: usize, column: usize, held: Held) {
        if self.trust == Trust::LaterLeaver
            && let (Item::Character(who), Some(place)) = (self.items[column], self.room(row, column))
            && held.value() != Some(Value::Place(place))
        {
            self.departures.push(Departure { row, who, place, step: self.step });
        }
        *self.at_mut(row, column) = held;
    }

    /// The place where the mind of `row` has someone.
    fn place(&self, row: usize, who: CharacterId) -> Option<PlaceId> {
        self.room(row, who.index())
    }

    fn is_open(&self, row: usize, lid: Item) -> bool {
        self.at(row, self.column(lid)).value() == Some(Value::Truth(true))
    }

    /// The place in which the mind of `row` has an item.
    fn room(&self, row: usize, column: usize) -> Option<PlaceId> {
        self.room_if(column, |column| self.at(row, column))
    }

    /// The place in which the mind of `row` has an item once it has applied its lessons.
    fn new_room(&self, row: usize, column: usize) -> Option<PlaceId> {
        let new =
            |column: usize| self.lessons[row * self.items.len() + column].unwrap_or(self.at(row, column));
        self.room_if(column, new)
    }

    fn room_if(&self, column: usize, held: impl Fn(usize) -> Held) -> Option<PlaceId> {
        if let Item::Lid(container) = self.items[column] {
            return Some(self.scene.place_of_container(container));
        }
        let value = match held(column).value()? {
            Value::Hands(who) => held(who.index()).value()?,
            value => value,
        };
        self.place_named(value)
    }

    /// The place that a value names directly.
    fn place_named(&self, value: Value) -> Option<PlaceId> {
        match value {
            Value::Place(place) => Some(place),
            Value::Container(container) => Some(self.scene.place_of_container(container)),
            Value::Hands(_) | Value::Truth(_) => None,
        }
    }

    fn order(&self) -> usize {
        self.chain.order()
    }

    /// The owner of the mind of a row.
    fn owner(&self, row: usize) -> CharacterId {
        self.chain.minds()[row - 1]
    }

    fn column(&self, item: Item) -> usize {
        column(self.first, item)
    }

    fn at(&self, row: usize, column: usize) -> Held {
        self.held[row * self.items.len() + column]
    }

    fn at_mut(&mut self, row: usize, column: usize) -> &mut Held {
        &mut self.held[row * self.items.len() + column]
    }

    fn lesson(&mut self, row: usize, column: usize) -> &mut Option<Held> {
        &mut self.lessons[row * self.items.len() + column]
    }
}

/// States are saved and restored by copying; [`Clone::clone_from`] reuses memory.
impl Clone for DeedTracker {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.chain.clone());
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        if self.chain != other.chain {
            self.chain.clone_from(&other.chain);
        }
        self.scene.clone_from(&other.scene);
        self.items.clone_from(&other.items);
        self.held.clone_from(&other.held);
        self.lessons.clone_from(&other.lessons);
        self.shown.clone_from(&other.shown);
        self.departures.clone_from(&other.departures);
        (self.trust, self.step, self.first) = (other.trust, other.step, other.first);
    }
}

/// The column of an item, given the columns at which objects, lids and propositions begin.
fn column([objects, lids, propositions]: [usize; 3], item: Item) -> usize {
    match item {
        Item::Character(who) => who.index(),
        Item::Object(object) => objects + object.index(),
        Item::Lid(container) => lids + container.index(),
        Item::Proposition(proposition) => propositions + proposition.index(),
    }
}

fn is_actor(who: CharacterId, event: Event, deed: &Deed) -> bool {
    who == event.who || Scene::movers(event, &deed.act).any(|mover| mover == who)
}

fn is_noticed_to_miss(who: CharacterId, missing: &[Distraction]) -> bool {
    missing.iter().any(|missing| missing.who == who && missing.is_noticed)
}
