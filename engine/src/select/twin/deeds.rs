//! What can be changed in a story in which people do more than walk.

use super::same::Same;
use crate::form::PartForm;
use crate::id::CharacterId;
use crate::plan::{Plan, Question, Staging};
use crate::simulate::{Story, attend};
use crate::world::{Act, ActInWorld, Deed, Event, Hearers, Item, Part, Scene, Telling, Value};

/// Changes of a story that can happen at their step.
#[derive(Clone, Debug)]
pub struct DeedChanges<'a> {
    plan: &'a Plan,
    staging: &'a Staging,
    same: Same,
    target: Item,
    minds: Vec<CharacterId>,
    listed: Vec<(usize, Event, Act)>,
    scene: Scene,
    /// The state of affairs in the twin; that of the story is `scene`.
    other: Scene,
}

impl<'a> DeedChanges<'a> {
    /// The changes of a plan's stories for a question about this target, in which these do the same.
    pub fn new(
        plan: &'a Plan,
        staging: &'a Staging,
        (question, target): (&Question, Item),
        same: Same,
    ) -> Self {
        let (scene, other, minds) = (Scene::default(), Scene::default(), question.others.clone());
        Self { plan, staging, same, target, minds, listed: Vec::new(), scene, other }
    }

    /// Lists the changes, leaving out events of those who do the same. Returns how many there are.
    ///
    /// Costs O(steps · (characters + ways + containers) · size of the state).
    pub fn list(&mut self, story: &Story) -> usize {
        let Self { plan, same, target, minds, listed, scene, .. } = self;
        let trace = &story.trace;
        listed.clear();
        scene.begin(&trace.start, &trace.stage);
        for (step, (&event, deed)) in trace.events.iter().zip(&trace.deeds).enumerate() {
            let of_target = touches(scene, event, &deed.act, *target);
            let is_fixed = match same {
                Same::Target => of_target,
                Same::Minds => names(event, &deed.act, minds),
            };
            if !is_fixed {
                let of_others = scene.characters().filter(|&who| who != event.who).map(|who| {
                    let from = scene.place(who);
                    (
                        Event { who, from, to: if deed.act.is_going() { event.to } else { from } },
                        deed.act.clone(),
                    )
                });
                let changes = of_others.chain(elsewhere(plan, scene, event, &deed.act));
                let can_be = changes.filter(|(event, act)| {
                    can_happen(plan, scene, *event, &Deed { act: act.clone(), ..Deed::default() })
                        && match same {
                            Same::Target => !touches(scene, *event, act, *target),
                            Same::Minds => {
                                !names(*event, act, minds)
                                    && (of_target || touches(scene, *event, act, *target))
                            }
                        }
                });
                listed.extend(can_be.map(|(event, act)| (step, event, act)));
            }
            scene.apply(event, &deed.act);
        }
        listed.len()
    }

    /// Makes the change with the number `drawn` in `twin` and swaps it with the one numbered `tried`. Returns the step, or
    /// `None` if the rest of the story can no longer happen, if those who do the same would be elsewhere at some step, or if
    /// the target should be elsewhere at some step and is not.
    pub fn make(&mut self, (tried, drawn): (usize, usize), story: &Story, twin: &mut Story) -> Option<usize> {
        self.listed.swap(tried, drawn);
        let Self { plan, staging, same, target, minds, listed, scene, other } = self;
        let (changed, event, act) = &listed[tried];
        let (trace, own) = (&story.trace, &mut twin.trace);
        own.events.clone_from(&trace.events);
        own.deeds.clone_from(&trace.deeds);
        scene.begin(&trace.start, &trace.stage);
        other.begin(&trace.start, &trace.stage);
        let mut is_elsewhere = false;
        for (step, (event_now, deed_now)) in own.events.iter_mut().zip(&mut own.deeds).enumerate() {
            if step == *changed {
                *event_now = *event;
                *deed_now = Deed { act: act.clone(), ..Deed::default() };
                if !attend(staging, other, step, *event, deed_now) {
                    return None;
                }
            } else if deed_now.act.is_going() {
                // She goes to the same place, from where she now is.
                event_now.from = other.place(event_now.who);
            }
            if !can_happen(plan, other, *event_now, deed_now) {
                return None;
            }
            other.apply(*event_now, &deed_now.act);
            scene.apply(trace.events[step], &trace.deeds[step].act);
            let is_same = whereabouts(other, *target) == whereabouts(scene, *target);
            is_elsewhere |= !is_same;
            let goes_on = match same {
                Same::Target => is_same,
                Same::Minds => {
                    let place = |who: &CharacterId| scene.place(*who) == other.place(*who);
                    minds.iter().all(place) && attend_alike(deed_now, &trace.deeds[step], minds)
                }
            };
            if !goes_on {
                return None;
            }
        }
        (*same == Same::Target || is_elsewhere).then_some(*changed)
    }
}

/// Whether an event is something that one of these people does, is taken along in, is given or hears alone.
fn names(event: Event, act: &Act, people: &[CharacterId]) -> bool {
    let is_named = |who: CharacterId| people.contains(&who);
    Scene::movers(event, act).any(is_named)
        || is_named(event.who)
        || act.receiver().is_some_and(is_named)
        || act.named().iter().any(|&who| is_named(who))
}

/// Whether these people peek, and are distracted, in both of two deeds or in none.
fn attend_alike(one: &Deed, other: &Deed, people: &[CharacterId]) -> bool {
    let peeks = |deed: &Deed, who: &CharacterId| deed.peeking.contains(who);
    let is_missing =
        |deed: &Deed, who: &CharacterId| deed.distracted.iter().any(|missing| missing.who == *who);
    people
        .iter()
        .all(|who| peeks(one, who) == peeks(other, who) && is_missing(one, who) == is_missing(other, who))
}

/// The value of an item and, for an object, the place that it is in.
fn whereabouts(scene: &Scene, item: Item) -> (Value, Option<Value>) {
    let room = match item {
        Item::Object(object) => Some(Value::Place(scene.room(object))),
        _ => None,
    };
    (scene.value(item), room)
}

/// Whether an event that is about to happen is something that the target does, or that is done with it.
fn touches(scene: &Scene, event: Event, act: &Act, target: Item) -> bool {
    let goes = |who| Scene::movers(event, act).any(|mover| mover == who);
    match target {
        Item::Character(who) => event.who == who || goes(who),
        Item::Object(object) => {
            act.object() == Some(object)
                || matches!(scene.value(target), Value::Hands(holder) if goes(holder))
        }
        Item::Lid(container) => matches!(act, Act::Open(lid) | Act::Close(lid) if *lid == container),
        Item::Proposition(_) | Item::Prospect(_) => false,
    }
}

/// Whether an event can happen now: there is a way, and the things for it are there.
fn can_happen(plan: &Plan, scene: &Scene, event: Event, deed: &Deed) -> bool {
    let leads = match deed.act {
        Act::Throw(_, to) => plan.map.leads(event.from, to),
        _ => !deed.act.is_going() || plan.map.leads(event.from, event.to),
    };
    leads && scene.allows(event, deed)
}

/// The ways in which an event can lead elsewhere: to another place, another container or another hearer.
fn elsewhere(plan: &Plan, scene: &Scene, event: Event, act: &Act) -> Vec<(Event, Act)> {
    let ways = || plan.map.ways(event.from).iter().copied();
    let containers = || scene.containers(event.from);
    if act.is_going() {
        let others = ways().filter(|&to| to != event.to);
        return others.map(|to| (Event { to, ..event }, act.clone())).collect();
    }
    if let Act::Tell(telling) = act {
        let [heard] = telling.hearers.named() else { return Vec::new() };
        let others = scene.characters().filter(|other| other != heard && *other != event.who);
        return others.map(|other| (event, Act::Tell(to_another(telling, other)))).collect();
    }
    let Some(at) = act.form().parts.iter().position(PartForm::leads) else { return Vec::new() };
    let others: Vec<Part> = match act.part(at).expect("the parts of the form") {
        Part::Place(was) => ways().filter(|&to| to != was).map(Part::Place).collect(),
        Part::Container(was) => containers().filter(|&to| to != was).map(Part::Container).collect(),
        Part::Spot(was) => {
            let spots = containers().map(Value::Container).chain([Value::Place(event.from)]);
            spots.filter(|&spot| spot != was).map(Part::Spot).collect()
        }
        Part::Person(was) => scene.characters().filter(|&to| to != was).map(Part::Person).collect(),
        Part::Company(_) | Part::Object(_) | Part::Liking(_) | Part::Fact(_) | Part::Telling(_) => Vec::new(),
    };
    others.into_iter().map(|part| (event, act.with(at, part))).collect()
}

/// The same telling with a different hearer.
fn to_another(telling: &Telling, other: CharacterId) -> Telling {
    let hearers = match telling.hearers {
        Hearers::Afar(_) => Hearers::Afar(vec![other]),
        Hearers::Named(_) | Hearers::Present => Hearers::Named(vec![other]),
    };
    Telling { hearers, ..telling.clone() }
}
