//! The minds along one chain in a story with deeds.
//!
//! To answer the chain `m₁ … mₖ`, only reality and the minds `[m₁]`, `[m₁ m₂]`, … are kept, each with a value
//! of every item: what one of them learns depends on the one before and on itself, and on no other mind.
//!
//! An event costs O(order · items), and as often as there are ways in which what happened unseen may have been seen: at
//! most O(2^slips) times for each mind that sees it, mostly once or twice.

mod slips;

use self::slips::{Departure, Minds, Slip};
use super::{Chain, Held, Source};
use crate::id::{CharacterId, ObjectId, PlaceId};
use crate::trace::Trace;
use crate::world::{
    Act, ActInWorld, Deed, Distraction, Event, Hearers, Item, Knowledge, Scene, Telling, Trust, Value,
};

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
    /// All items: characters, objects, lids, propositions, prospects.
    items: Vec<Item>,
    /// The columns at which objects, lids, propositions and prospects begin.
    first: [usize; 4],
    /// The columns on which the answer can depend.
    relevant: Vec<usize>,
    /// Whether it matters where the mind has people.
    follows_people: bool,
    /// Whether a container has been opened, closed or spoken of as either. Until then nobody can be wrong about any.
    are_lids_in_doubt: bool,
    /// Whether people only walk, so that nobody matters but those with whom some row reckons.
    is_walk: bool,
    /// For each cell, whether the order of what happens to its item unseen is reckoned with.
    is_reckoned: Vec<bool>,
    minds: Minds,
    /// Memory for further states.
    spare: Vec<Minds>,
    /// The number of ways that are gone through at the moment.
    ways: usize,
    /// For each item, what the event shows of it.
    shown: Vec<Option<Value>>,
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
            first: [0; 4],
            relevant: Vec::new(),
            follows_people: true,
            are_lids_in_doubt: false,
            is_walk: false,
            is_reckoned: Vec::new(),
            minds: Minds::default(),
            spare: Vec::new(),
            ways: 1,
            shown: Vec::new(),
        }
    }

    /// A tracker of all that one character has of things, lids and propositions; and of people, if that is wanted.
    pub(crate) fn of_one_mind(who: CharacterId, follows_people: bool) -> Self {
        // About which thing the chain is does not matter: a single mind is followed as a whole.
        let thing = Item::Object(ObjectId::new(0));
        Self { follows_people, ..Self::new(Chain::new(&[who], thing)) }
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
        self.minds.departures.clear();
        self.minds.open.clear();
        self.items.clear();
        self.items.extend(stage.items(trace.start.len()));
        let objects = trace.start.len();
        let lids = objects + stage.objects.len();
        let propositions = lids + stage.containers.len();
        self.first = [objects, lids, propositions, propositions + stage.propositions.len()];
        self.minds.held.clear();
        self.minds
            .held
            .extend(self.items.iter().map(|&item| Held::Known(self.scene.value(item), Source::Seen)));
        for row in 1..=self.order() {
            for column in 0..self.items.len() {
                let knowledge = match self.items[column] {
                    Item::Character(_) | Item::Lid(_) => None,
                    thing => stage.thing(thing).knowledge.get(self.owner(row).index()),
                };
                let outer = self.at(row - 1, column);
                self.minds.held.push(match (knowledge, outer) {
                    (Some(Knowledge::Nothing), _) => Held::Nothing,
                    (Some(Knowledge::Wrong), Held::Known(Value::Truth(is_true), source)) if row == 1 => {
                        Held::Known(Value::Truth(!is_true), source)
                    }
                    (_, Held::Nothing) => Held::Unclear,
                    (_, outer) => outer,
                });
            }
        }
        self.minds.lost = self.minds.held.len();
        self.shown.clear();
        self.shown.resize(self.items.len(), None);
        self.is_walk = !trace.has_deeds() && !trace.has_things();
        self.are_lids_in_doubt = false;
        self.reckon();
    }

    /// Settles with what each row reckons: its owner, later members and the target, and what that depends on.
    fn reckon(&mut self) {
        let target = self.chain.target();
        self.is_reckoned.clear();
        for row in 0..=self.order() {
            let later = &self.chain.minds()[row.saturating_sub(1)..];
            let is_reckoned = |item: &Item| match (item, target) {
                (Item::Character(who), _) => {
                    self.trust == Trust::LaterLeaver
                        || matches!(target, Item::Object(_))
                        || later.contains(who)
                        || *item == target
                }
                (Item::Lid(_), Item::Object(_)) | (Item::Proposition(_), Item::Proposition(_)) => true,
                (item, target) => *item == target,
            };
            self.is_reckoned.extend(self.items.iter().map(is_reckoned));
        }
        self.relevant.clear();
        // A single mind is followed as a whole.
        let is_single = self.order() == 1;
        let is_relevant = |&column: &usize| {
            let item = self.items[column];
            let can_differ = match item {
                Item::Lid(_) => self.are_lids_in_doubt,
                // Whom to trust depends on where people are.
                Item::Character(_) => self.follows_people || self.trust == Trust::LaterLeaver,
                Item::Object(_) | Item::Proposition(_) | Item::Prospect(_) => true,
            };
            let is_followed = || item.character().is_some() || is_single;
            can_differ && (self.is_reckoned[column] || !self.is_walk && is_followed())
        };
        self.relevant.extend((0..self.items.len()).filter(is_relevant));
    }

    /// Applies an event. Returns whether the owner of the outermost mind witnessed it; true if the chain has no minds.
    ///
    /// # Panics
    /// If the event cannot happen (see [`crate::world::Scene::allows`]).
    pub fn apply(&mut self, event: Event, deed: &Deed) -> bool {
        assert!(self.scene.allows(event, deed), "{event:?} cannot happen: {deed:?}");
        self.follow(event, deed)
    }

    /// Applies an event that is known to be possible.
    pub(crate) fn follow(&mut self, event: Event, deed: &Deed) -> bool {
        self.doubt_lids(&deed.act);
        let first = self.chain.minds().first();
        let is_witnessed = first.is_none_or(|&first| self.scene.is_witness(event, deed, first));
        let is_reckoned = |who: CharacterId| self.is_reckoned[who.index()];
        let matters =
            !self.is_walk || is_reckoned(event.who) || Scene::movers(event, &deed.act).any(is_reckoned);
        if is_witnessed && matters {
            self.find_oneself();
            let Self { scene, shown, first, .. } = self;
            scene.shown(event, &deed.act).for_each(|(item, value)| shown[column(*first, item)] = Some(value));
        }
        self.scene.apply(event, &deed.act);
        self.step += 1;
        self.take_effect(0, event, &deed.act);
        if is_witnessed && matters {
            self.witness(1, event, deed);
            self.shown.fill(None);
        }
        is_witnessed
    }

    /// Applies an event of which the minds learn nothing, whoever witnesses it.
    pub fn pass(&mut self, event: Event, deed: &Deed) {
        self.doubt_lids(&deed.act);
        self.scene.apply(event, &deed.act);
        self.step += 1;
        self.take_effect(0, event, &deed.act);
    }

    fn doubt_lids(&mut self, act: &Act) {
        let puts_in_doubt =
            matches!(act, Act::Open(_) | Act::Close(_) | Act::Tell(Telling { item: Item::Lid(_), .. }));
        if puts_in_doubt && !self.are_lids_in_doubt {
            self.are_lids_in_doubt = true;
            self.reckon();
        }
    }

    /// Lets the owner of the outermost mind know where she is, if she went there in an event that [passed](Self::pass).
    fn find_oneself(&mut self) {
        let Some(&first) = self.chain.minds().first() else { return };
        let place = self.at(0, first.index());
        if self.at(1, first.index()) != place {
            self.hold(1, first.index(), place);
        }
    }

    /// What the chain holds about its target.
    pub fn held(&self) -> Held {
        self.held_at(self.order(), self.chain.target())
    }

    /// Whether there was too much to reckon with to say anything of one of the minds along the chain.
    pub fn is_lost(&self) -> bool {
        self.minds.lost < self.minds.held.len()
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

    /// Applies an event to a mind whose owner witnesses it, and to the further ones that take part in it.
    fn witness(&mut self, row: usize, event: Event, deed: &Deed) {
        if row > self.order() {
            return;
        }
        let gives_look = deed.act.is_going() || matches!(deed.act, Act::Open(_));
        let mut act = |tracker: &mut Self| {
            // 1. Surprises.
            let owner = tracker.owner(row);
            let has_look = gives_look && tracker.place(row - 1, owner) == Some(event.to);
            let lesson = |tracker: &mut Self, column: usize| match tracker.shown[column] {
                Some(value) => tracker.lesson_of_seen(row, column, value),
                None if has_look => tracker.lesson_of_look(row, column, row - 1, event.to),
                None => None,
            };
            tracker.slip(row, lesson, &deed.distracted);
            if let Act::Tell(telling) = &deed.act
                && event.who != owner
                && tracker.shown[tracker.column(telling.item)].is_none()
            {
                tracker.hear(row, event.who, telling);
            }
            // 2. and 3. Does the next mind's owner witness it, in this mind? Then the effects.
            let next_witnesses =
                row < tracker.order() && tracker.is_witness(row, tracker.owner(row + 1), event, deed);
            tracker.take_effect(row, event, &deed.act);
            // 4. What the next mind makes of it.
            if next_witnesses {
                tracker.witness(row + 1, event, deed);
            }
        };
        if matches!(deed.act, Act::Tell(_)) {
            self.by_all_cases(row, &mut act);
        } else {
            self.by_cases(row, &mut act);
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
        let cell = self.cell(row, column);
        self.minds.held[cell] = seen;
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
        let (outer, own) = (self.at(looked_at, column), self.at(row, column));
        let is_known = outer.value() == own.value() && !matches!(own, Held::Known(_, Source::Heard));
        if is_known || self.items[column] == Item::Character(self.owner(row)) {
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
            Value::Truth(_) | Value::Case(_) | Value::NoCase => false,
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

    /// Handles that someone else says something to the owner of `row`.
    fn hear(&mut self, row: usize, speaker: CharacterId, telling: &Telling) {
        let Telling { item, value, .. } = *telling;
        let column = self.column(item);
        let Some(lesson) = self.lesson_of_telling(row, speaker, telling) else { return };
        if lesson != Held::Unclear {
            self.learn_of(row, column, lesson, value);
        }
        if row < self.order() && self.owner(row + 1) == speaker {
            self.by_cases(row + 1, &mut |tracker| tracker.learn_of(row + 1, column, lesson, value));
        }
    }

    /// Lets a row learn about one item, unless it already holds this value.
    fn learn_of(&mut self, row: usize, column: usize, held: Held, value: Value) {
        let before = self.at(row, column).value();
        if before == Some(value) {
            return;
        }
        if before.is_some() {
            self.apply_slip(row, Slip::Goes(column), &[], true);
        }
        self.hold(row, column, held);
        if held != Held::Unclear {
            self.tell_next(row, column, value);
        }
    }

    /// Whoever something is said of knows it herself, if it is where she is or what she has in hand.
    fn tell_next(&mut self, row: usize, column: usize, value: Value) {
        if row == self.order() {
            return;
        }
        let z = self.owner(row + 1);
        if column != z.index() && value != Value::Hands(z) {
            return;
        }
        self.by_cases(row + 1, &mut |tracker| {
            if tracker.at(row + 1, column).value().is_some() {
                tracker.apply_slip(row + 1, Slip::Goes(column), &[], false);
            }
            tracker.hold(row + 1, column, Held::Known(value, Source::Seen));
            tracker.tell_next(row + 1, column, value);
        });
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
        let is_it =
            |gone: &&Departure| usize::from(gone.row) == row && gone.who == who && gone.place == scene;
        self.minds.departures.iter().rev().find(is_it).map_or(0, |gone| gone.step as usize)
    }

    fn take_effect(&mut self, row: usize, event: Event, act: &Act) {
        Scene::effects(event, act)
            .for_each(|(item, value)| self.hold(row, self.column(item), Held::Known(value, Source::Seen)));
    }

    fn hold(&mut self, row: usize, column: usize, held: Held) {
        if self.trust == Trust::LaterLeaver
            && row > 0
            && let (Item::Character(who), Some(place)) = (self.items[column], self.room(row, column))
            && held.value() != Some(Value::Place(place))
        {
            self.minds.departures.push(Departure { row: row as u16, who, place, step: self.step as u32 });
        }
        let cell = self.cell(row, column);
        if self.minds.open.is_empty() {
            self.minds.held[cell] = held;
        } else {
            self.minds.set(cell, &[held]);
        }
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
        self.room_of(column, self.at(row, column).value(), |who| self.place(row, who))
    }

    /// The place of an item with this value, where characters are in these places.
    fn room_of(
        &self,
        column: usize,
        value: Option<Value>,
        place: impl Fn(CharacterId) -> Option<PlaceId>,
    ) -> Option<PlaceId> {
        match (self.items[column], value) {
            (Item::Lid(container), _) => Some(self.scene.place_of_container(container)),
            (_, Some(Value::Hands(who))) => place(who),
            (_, value) => self.place_named(value?),
        }
    }

    /// The place that a value names directly.
    fn place_named(&self, value: Value) -> Option<PlaceId> {
        match value {
            Value::Place(place) => Some(place),
            Value::Container(container) => Some(self.scene.place_of_container(container)),
            Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => None,
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

    fn cell(&self, row: usize, column: usize) -> usize {
        row * self.items.len() + column
    }

    fn at(&self, row: usize, column: usize) -> Held {
        self.minds.held[self.cell(row, column)]
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
        self.relevant.clone_from(&other.relevant);
        (self.is_walk, self.are_lids_in_doubt) = (other.is_walk, other.are_lids_in_doubt);
        self.follows_people = other.follows_people;
        self.is_reckoned.clone_from(&other.is_reckoned);
        self.minds.clone_from(&other.minds);
        self.shown.clone_from(&other.shown);
        (self.trust, self.step, self.first) = (other.trust, other.step, other.first);
    }
}

/// The column of an item, given the columns at which objects, lids, propositions and prospects begin.
fn column([objects, lids, propositions, prospects]: [usize; 4], item: Item) -> usize {
    match item {
        Item::Character(who) => who.index(),
        Item::Object(object) => objects + object.index(),
        Item::Lid(container) => lids + container.index(),
        Item::Proposition(proposition) => propositions + proposition.index(),
        Item::Prospect(prospect) => prospects + prospect.index(),
    }
}

fn is_actor(who: CharacterId, event: Event, deed: &Deed) -> bool {
    who == event.who || Scene::movers(event, &deed.act).any(|mover| mover == who)
}

fn is_noticed_to_miss(who: CharacterId, missing: &[Distraction]) -> bool {
    missing.iter().any(|missing| missing.who == who && missing.is_noticed)
}
