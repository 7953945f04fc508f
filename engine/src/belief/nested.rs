//! The definition of belief, written out: every mind holds a mind for everyone, to a fixed depth.
//!
//! Slow and plain on purpose; the fast trackers are checked against it. It follows the numbered
//! paragraphs of [the definition](super), of which walking is the case without things. It takes events as
//! they were recorded, each with its origin, witnesses and looks, so that a property test can leave
//! events out.
//!
//! Costs O(characters^depth) minds, each with a value per item; or, since the definition only ever hands
//! things down, those along the chains that are asked for ([`Mind::of_chain`]).

mod slips;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::slips::Slip;
use super::{Chain, Held, Source};
use crate::id::{CharacterId, PlaceId};
use crate::trace::{Trace, Witnessed};
use crate::world::{Act, ActInWorld, Item, Knowledge, Scene, Stage, Telling, Trust, Value};

/// A mind: its owner's picture of the world, and of every other mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mind {
    /// The owner of the mind; `None` for reality.
    owner: Option<CharacterId>,
    /// What the mind holds about every item.
    held: BTreeMap<Item, Held>,
    /// For each item that is unclear between several values, what the mind may hold: at least two, sorted.
    open: BTreeMap<Item, Vec<Held>>,
    /// The minds that the owner attributes to everyone else.
    minds: BTreeMap<CharacterId, Mind>,
    /// The last step at which the mind ceased to have someone in a place.
    left: BTreeMap<(CharacterId, PlaceId), usize>,
    /// Where containers stand, and whom hearers believe: the same in all minds.
    stage: Arc<Stage>,
    /// The items with whose slips the mind reckons in any order.
    reckoned: Arc<BTreeSet<Item>>,
    /// Whether there was too much to reckon with, so that nothing can be said of this mind any more.
    is_lost: bool,
}

/// The minds that are kept within a mind.
enum Kept<'a> {
    /// The minds of everyone, to this depth.
    Everyone(usize),
    /// The mind with which this chain begins, and so on along the chain, to its target.
    Along(&'a [CharacterId], Item),
}

impl Kept<'_> {
    /// The minds that are kept in the mind of `x` within this one; `None` if that is not kept.
    fn in_mind_of(&self, x: CharacterId) -> Option<Self> {
        match self {
            Self::Everyone(depth) => Some(Self::Everyone(depth.checked_sub(1)?)),
            Self::Along([first, rest @ ..], target) if *first == x => Some(Self::Along(rest, *target)),
            Self::Along(..) => None,
        }
    }

    /// Whether the order matters in which something happens unseen to an item.
    fn reckons_with(&self, item: Item, stage: &Stage) -> bool {
        let Self::Along(minds, target) = *self else { return true };
        match (item, target) {
            (Item::Character(_) | Item::Lid(_), Item::Object(_)) => true,
            (Item::Proposition(_), Item::Proposition(_)) => true,
            (Item::Character(_), _) if stage.trust == Trust::LaterLeaver => true,
            (Item::Character(who), _) if minds.contains(&who) => true,
            _ => item == target,
        }
    }
}

/// The things that someone learns at the same time.
type Lesson = BTreeMap<Item, Held>;

/// Everything that can be seen in a place.
type Look = BTreeMap<Item, Value>;

impl Mind {
    /// Reality after a story, with all minds to `depth`.
    ///
    /// ```
    /// use storysim::{belief::nested::Mind, id::{CharacterId, PlaceId}, trace::Trace, world::Event};
    /// let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    /// let [ann, bob] = [0, 1].map(CharacterId::new);
    /// let moves = [(a, b), (b, c)].map(|(from, to)| Event { who: bob, from, to });
    /// let trace = Trace::of_moves(vec![a, a], moves.to_vec());
    /// let reality = Mind::after(&trace, 1);
    /// assert_eq!(reality.answer(&[ann], bob), Some(b)); // she saw the first move only
    /// assert_eq!(reality.answer(&[], bob), Some(c));
    /// ```
    pub fn after(trace: &Trace, depth: usize) -> Self {
        let mut reality = Self::begin(trace, depth);
        for witnessed in trace.witnessed() {
            reality.happen(&witnessed);
        }
        reality
    }

    /// Reality after a story, with only the minds along one chain. Others cannot be asked.
    ///
    /// ```
    /// use storysim::{belief::{nested::Mind, Chain}, id::{CharacterId, PlaceId}, trace::Trace, world::Event};
    /// let [a, b] = [0, 1].map(PlaceId::new);
    /// let [ann, bob] = [0, 1].map(CharacterId::new);
    /// let trace = Trace::of_moves(vec![a, a], vec![Event { who: bob, from: a, to: b }]);
    /// let chain = Chain::new(&[ann], bob);
    /// assert_eq!(Mind::after_along(&trace, &chain).answer(chain.minds(), bob), Some(b));
    /// ```
    pub fn after_along(trace: &Trace, chain: &Chain) -> Self {
        let mut reality = Self::of_chain(trace, chain);
        trace.witnessed().iter().for_each(|witnessed| reality.happen(witnessed));
        reality
    }

    /// Reality before anything happens, in a story with only people.
    pub fn start(start: &[PlaceId], depth: usize) -> Self {
        Self::begin(&Trace::of_moves(start.to_vec(), Vec::new()), depth)
    }

    /// Reality before anything happens, with what everyone knows at the start.
    pub fn begin(trace: &Trace, depth: usize) -> Self {
        Self::with(trace, &Arc::new(trace.stage.clone()), &Kept::Everyone(depth))
    }

    /// Reality before anything happens, with only the minds along one chain. Others cannot be asked.
    ///
    /// ```
    /// use storysim::{belief::{nested::Mind, Chain}, id::{CharacterId, PlaceId}, trace::Trace};
    /// let [ann, bob, cat] = [0, 1, 2].map(CharacterId::new);
    /// let trace = Trace::of_moves(vec![PlaceId::new(0); 3], Vec::new());
    /// let reality = Mind::of_chain(&trace, &Chain::new(&[ann, bob], cat));
    /// assert_eq!(reality.answer(&[ann, bob], cat), Some(PlaceId::new(0)));
    /// assert!(reality.mind(bob).is_none());
    /// ```
    pub fn of_chain(trace: &Trace, chain: &Chain) -> Self {
        Self::of_chain_on(trace, &Arc::new(trace.stage.clone()), chain)
    }

    /// The same, where the stage of the story is shared by many.
    pub fn of_chain_on(trace: &Trace, stage: &Arc<Stage>, chain: &Chain) -> Self {
        Self::with(trace, stage, &Kept::Along(chain.minds(), chain.target()))
    }

    fn with(trace: &Trace, stage: &Arc<Stage>, kept: &Kept<'_>) -> Self {
        let scene = Scene::new(&trace.start, &trace.stage);
        let known = |item| (item, Held::Known(scene.value(item), Source::Seen));
        let held = trace.stage.items(trace.start.len()).map(known).collect();
        let none = Self {
            owner: None,
            held: Lesson::new(),
            open: BTreeMap::new(),
            minds: BTreeMap::new(),
            left: BTreeMap::new(),
            stage: Arc::clone(stage),
            reckoned: Arc::default(),
            is_lost: false,
        };
        let is_walk = !trace.has_deeds() && !trace.has_things();
        none.at_start(None, held, kept, is_walk)
    }

    /// The mind of `owner` at the start, who holds this herself. Where people only walk, it is only about those with whom it
    /// reckons: others show them nothing that they do not know.
    fn at_start(&self, owner: Option<CharacterId>, mut held: Lesson, kept: &Kept<'_>, is_walk: bool) -> Self {
        let characters = held.keys().filter_map(|item| item.character());
        let others = characters.filter(|&x| Some(x) != owner);
        let mind_of = |x| {
            let kept = kept.in_mind_of(x)?;
            let taken = |(&item, &held)| (item, held_at_start(owner, held, knowledge(&self.stage, item, x)));
            Some((x, self.at_start(Some(x), held.iter().map(taken).collect(), &kept, is_walk)))
        };
        let minds = others.filter_map(mind_of).collect();
        let own = owner.map(Item::Character);
        let is_reckoned = |item: &Item| own == Some(*item) || kept.reckons_with(*item, &self.stage);
        let reckoned: BTreeSet<Item> = held.keys().copied().filter(is_reckoned).collect();
        held.retain(|item, _| !is_walk || reckoned.contains(item));
        Self { owner, held, minds, reckoned: Arc::new(reckoned), ..self.clone() }
    }

    /// Where the chain of `minds` places `target`; `None` if that is unknown. The chain need not be in its shortest
    /// form.
    ///
    /// # Panics
    /// If these minds are not kept: the chain is longer than the depth.
    pub fn answer(&self, minds: &[CharacterId], target: CharacterId) -> Option<PlaceId> {
        match self.held(minds, target)? {
            Held::Known(Value::Place(place), _) => Some(place),
            _ => None,
        }
    }

    /// What the chain of `minds` holds about an item; `None` if there is no such item. The chain need not be in its
    /// shortest form.
    ///
    /// # Panics
    /// If these minds are not kept: the chain is longer than the depth.
    pub fn held(&self, minds: &[CharacterId], item: impl Into<Item>) -> Option<Held> {
        match minds {
            [] => self.held.get(&item.into()).copied(),
            // M's mind of its own owner is M itself.
            [first, rest @ ..] if Some(*first) == self.owner => self.held(rest, item),
            [first, rest @ ..] => self.minds[first].held(rest, item),
        }
    }

    /// Whether there was too much to reckon with to say anything of one of the minds along a chain.
    ///
    /// # Panics
    /// If these minds are not kept.
    pub fn is_lost(&self, minds: &[CharacterId]) -> bool {
        match minds {
            [] => self.is_lost,
            [first, rest @ ..] if Some(*first) == self.owner => self.is_lost(rest),
            [first, rest @ ..] => self.is_lost || self.minds[first].is_lost(rest),
        }
    }

    /// The mind of `character` within this one, if it is kept.
    pub fn mind(&self, character: CharacterId) -> Option<&Self> {
        self.minds.get(&character)
    }

    /// All minds that are kept within this one.
    pub fn minds(&self) -> impl Iterator<Item = (CharacterId, &Self)> {
        self.minds.iter().map(|(&character, mind)| (character, mind))
    }

    /// Applies a recorded event to reality.
    pub fn happen(&mut self, witnessed: &Witnessed) {
        if actors(witnessed).iter().all(|&who| !self.held.contains_key(&Item::Character(who))) {
            return; // where people only walk, strangers to the chain do not matter
        }
        // Where steps were left out, whoever acted in them still knows where she is. She went before this one.
        for who in &witnessed.witnesses {
            let own = Item::Character(*who);
            if let Some(mind) = self.minds.get_mut(who)
                && mind.held[&own] != self.held[&own]
            {
                mind.hold(own, self.held[&own], witnessed.step.saturating_sub(1));
            }
        }
        self.take_effect(witnessed);
        if self.minds.is_empty() {
            return;
        }
        let look: Look =
            witnessed.look.iter().copied().filter(|(item, _)| self.held.contains_key(item)).collect();
        for witness in &witnessed.witnesses {
            let Some(mind) = self.minds.get_mut(witness) else { continue };
            mind.witness(witnessed, look_of(*witness, witnessed, &look), 1);
        }
    }

    /// Applies an event that this mind's owner witnesses, along with the look that she then has; `ways` is the number of
    /// ways that are gone through at the moment.
    fn witness(&mut self, witnessed: &Witnessed, look: Option<&Look>, ways: usize) {
        let Witnessed { step, event, deed, shown, .. } = witnessed;
        // 1. Surprises.
        let mut surprises = look.map(|look| self.surprises(look, event.to)).unwrap_or_default();
        for &(item, value) in shown {
            surprises.remove(&item);
            if self.held.get(&item).is_some_and(|held| held.value() != Some(value)) {
                surprises.insert(item, Held::Known(value, Source::Seen));
            }
        }
        let noticed = deed.distracted.iter().filter(|missing| missing.is_noticed);
        let absent: Vec<CharacterId> = noticed.map(|missing| missing.who).collect();
        self.slip(&surprises, &absent, *step, ways);
        self.see(shown.iter().copied());
        self.see(look.into_iter().flatten().map(|(&item, &value)| (item, value)));
        if let Act::Tell(telling) = &deed.act
            && self.owner != Some(event.who)
            && shown.iter().all(|&(item, _)| item != telling.item)
        {
            self.hear(event.who, telling, *step, ways);
        }
        // 2. Witnesses.
        let witnesses = self.witnesses(witnessed);
        // 3. Effects.
        self.take_effect(witnessed);
        // 4. What the witnesses make of it.
        if witnesses.is_empty() {
            return;
        }
        let look = self.look(event.to);
        for witness in witnesses {
            let Some(mind) = self.minds.get_mut(&witness) else { continue };
            mind.by_cases(ways, &|mind, ways| {
                mind.witness(witnessed, look_of(witness, witnessed, &look), ways)
            });
        }
    }

    /// The witnesses of an event, according to this mind, among those whose minds it keeps.
    fn witnesses(&self, witnessed: &Witnessed) -> Vec<CharacterId> {
        let Witnessed { event, deed, .. } = witnessed;
        let stages = Scene::stages(*event, &deed.act);
        let is_there = |x: CharacterId| match deed.act.named() {
            [] => self.place(x).is_some_and(|place| stages.contains(&place)),
            named => named.contains(&x),
        };
        let is_noticed = |x| deed.distracted.iter().any(|missing| missing.who == x && missing.is_noticed);
        let others = self.minds.keys().copied();
        others.filter(|&x| (is_there(x) || actors(witnessed).contains(&x)) && !is_noticed(x)).collect()
    }

    fn take_effect(&mut self, witnessed: &Witnessed) {
        for (item, value) in Scene::effects(witnessed.event, &witnessed.deed.act) {
            self.hold(item, Held::Known(value, Source::Seen), witnessed.step);
        }
    }

    fn hold(&mut self, item: Item, held: Held, step: usize) {
        let old = self.held.get_mut(&item).map(|place| std::mem::replace(place, held));
        if let (Item::Character(who), Some(Held::Known(Value::Place(place), _))) = (item, old)
            && held.value() != Some(Value::Place(place))
        {
            self.left.insert((who, place), step);
        }
    }

    /// Makes what was only heard count as seen from now on.
    fn see(&mut self, seen: impl Iterator<Item = (Item, Value)>) {
        for (item, value) in seen {
            if self.held.get(&item) == Some(&Held::Known(value, Source::Heard)) {
                self.held.insert(item, Held::Known(value, Source::Seen));
            }
        }
    }

    /// The place where this mind has someone.
    fn place(&self, who: CharacterId) -> Option<PlaceId> {
        self.room(Item::Character(who))
    }

    /// The place in which this mind has an item.
    fn room(&self, item: Item) -> Option<PlaceId> {
        room(&self.held, &self.stage, item)
    }

    /// What can be seen in a place, according to this mind.
    fn look(&self, place: PlaceId) -> Look {
        let is_hidden = |value| match value {
            Value::Container(container) => {
                self.held[&Item::Lid(container)].value() != Some(Value::Truth(true))
            }
            _ => false,
        };
        let seen = |(&item, held): (&Item, &Held)| {
            let value = held.value()?;
            (self.room(item) == Some(place) && !is_hidden(value)).then_some((item, value))
        };
        self.held.iter().filter_map(seen).collect()
    }

    /// What a look at `place` shows to be wrong in this mind.
    fn surprises(&self, look: &Look, place: PlaceId) -> Lesson {
        let mut surprises = Lesson::new();
        for (&item, held) in &self.held {
            if self.owner.is_some_and(|owner| item == Item::Character(owner)) {
                continue;
            }
            let would_be_seen = match held.value() {
                Some(Value::Place(at)) => at == place,
                Some(Value::Container(container)) => {
                    look.get(&Item::Lid(container)) == Some(&Value::Truth(true))
                }
                Some(Value::Hands(who)) => look.contains_key(&Item::Character(who)),
                Some(Value::Truth(_) | Value::Case(_) | Value::NoCase) | None => false,
            };
            match look.get(&item) {
                Some(&value) if held.value() != Some(value) => {
                    surprises.insert(item, Held::Known(value, Source::Seen));
                }
                None if would_be_seen => {
                    surprises.insert(item, Held::Nothing);
                }
                _ => {}
            }
        }
        surprises
    }

    /// Handles that someone else says something.
    fn hear(&mut self, speaker: CharacterId, telling: &Telling, step: usize, ways: usize) {
        let Telling { item, value, .. } = *telling;
        let lesson = match self.verdict(speaker, telling) {
            Verdict::Believed => Held::Known(value, Source::Heard),
            Verdict::Unclear => Held::Unclear,
            Verdict::Ignored => return,
        };
        if lesson != Held::Unclear {
            self.learn_of(item, lesson, value, step, ways);
        }
        if let Some(mind) = self.minds.get_mut(&speaker) {
            mind.by_cases(ways, &|mind, ways| mind.learn_of(item, lesson, value, step, ways));
        }
    }

    /// Learns about an item, unless this value is already held.
    fn learn_of(&mut self, item: Item, held: Held, value: Value, step: usize, ways: usize) {
        if self.held[&item].value() == Some(value) {
            return;
        }
        if self.held[&item].value().is_some() {
            self.apply(Slip::Goes(item), &[], step, true, ways);
        }
        self.hold(item, held, step);
        for (&z, mind) in &mut self.minds {
            if held != Held::Unclear && (item == Item::Character(z) || value == Value::Hands(z)) {
                mind.by_cases(ways, &|mind, ways| {
                    if mind.held[&item].value().is_some() {
                        mind.slip(&Lesson::from([(item, Held::Nothing)]), &[], step, ways);
                    }
                    mind.tell_own(item, value, step, ways);
                });
            }
        }
    }

    fn tell_own(&mut self, item: Item, value: Value, step: usize, ways: usize) {
        self.hold(item, Held::Known(value, Source::Seen), step);
        for (&z, mind) in &mut self.minds {
            if item == Item::Character(z) || value == Value::Hands(z) {
                mind.by_cases(ways, &|mind, ways| mind.tell_own(item, value, step, ways));
            }
        }
    }

    /// Whether the owner trusts the speaker in what she says.
    fn verdict(&self, speaker: CharacterId, telling: &Telling) -> Verdict {
        let Telling { item, value, .. } = *telling;
        let owner = self.owner.expect("nobody tells reality anything");
        let held = self.held[&item];
        let in_hand = Some(Value::Hands(owner));
        if item == Item::Character(owner) || held.value() == in_hand || Some(value) == in_hand {
            return Verdict::Ignored;
        }
        if let Some(believers) = &telling.believers {
            return if believers.contains(&owner) { Verdict::Believed } else { Verdict::Ignored };
        }
        let unless_known_better = match held {
            Held::Unclear => Verdict::Unclear,
            Held::Known(known, Source::Seen) if known != value => Verdict::Ignored,
            _ => Verdict::Believed,
        };
        match self.stage.trust {
            Trust::Always => Verdict::Believed,
            Trust::Never => Verdict::Ignored,
            Trust::UnlessKnownBetter => unless_known_better,
            Trust::LaterLeaver => {
                let scene = match value {
                    Value::Place(place) => place,
                    Value::Container(container) => self.stage.containers[container.index()].place,
                    Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => {
                        return unless_known_better;
                    }
                };
                let is_later = self.leaving(speaker, scene) > self.leaving(owner, scene);
                if is_later { Verdict::Believed } else { Verdict::Ignored }
            }
        }
    }

    /// When someone left a place, for comparison: those who are still there come last, those who never were come first.
    fn leaving(&self, who: CharacterId, scene: PlaceId) -> (bool, Option<usize>) {
        let is_there = self.place(who) == Some(scene);
        (is_there, if is_there { None } else { self.left.get(&(who, scene)).copied() })
    }
}

/// How a hearer takes what she is told.
enum Verdict {
    Believed,
    Ignored,
    /// The mind that holds the hearer's cannot tell whether she believes it.
    Unclear,
}

/// What `x` knows of an item at the start.
fn knowledge(stage: &Stage, item: Item, x: CharacterId) -> Knowledge {
    match item {
        Item::Character(_) | Item::Lid(_) => Knowledge::Right,
        Item::Object(_) | Item::Proposition(_) | Item::Prospect(_) => {
            stage.thing(item).knowledge.get(x.index()).copied().unwrap_or(Knowledge::Right)
        }
    }
}

/// What the mind of `owner`, who holds this herself, takes someone with this knowledge to hold.
fn held_at_start(owner: Option<CharacterId>, held: Held, knowledge: Knowledge) -> Held {
    match (owner, held, knowledge) {
        (_, _, Knowledge::Nothing) => Held::Nothing,
        (None, Held::Known(Value::Truth(is_true), source), Knowledge::Wrong) => {
            Held::Known(Value::Truth(!is_true), source)
        }
        (_, Held::Known(..), _) => held,
        (_, Held::Nothing | Held::Unclear, _) => Held::Unclear,
    }
}

fn room(held: &Lesson, stage: &Stage, item: Item) -> Option<PlaceId> {
    match (item, held.get(&item).and_then(|held| held.value())) {
        (Item::Lid(container), _) | (_, Some(Value::Container(container))) => {
            Some(stage.containers[container.index()].place)
        }
        (_, Some(Value::Place(place))) => Some(place),
        (_, Some(Value::Hands(who))) => room(held, stage, Item::Character(who)),
        (_, Some(Value::Truth(_) | Value::Case(_) | Value::NoCase) | None) => None,
    }
}

/// The characters who act.
fn actors(witnessed: &Witnessed) -> Vec<CharacterId> {
    let Witnessed { event, deed, .. } = witnessed;
    Scene::movers(*event, &deed.act).chain([event.who]).collect()
}

/// The look that someone has after an event, given what can be seen at the place where it ends.
fn look_of<'a>(who: CharacterId, witnessed: &Witnessed, look: &'a Look) -> Option<&'a Look> {
    let act = &witnessed.deed.act;
    let gives_look = act.is_going() || matches!(act, Act::Open(_));
    (gives_look && look.contains_key(&Item::Character(who))).then_some(look)
}
