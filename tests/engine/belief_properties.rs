//! What has to be so of belief in any story with deeds.

use proptest::prelude::*;
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::fuzzing::story_with_deeds;
use storysim::id::CharacterId;
use storysim::trace::{Trace, Witnessed};
use storysim::world::{Act, ActInWorld, Event, Hearers, Item, Scene, Trust, Value};

use crate::effort::times;
use crate::minds::chains;
use crate::stage::{characters, items};

const DEPTH: usize = 3;

/// Stories with all kinds of deeds.
fn stories() -> impl Strategy<Value = Trace> {
    prop::collection::vec(any::<u8>(), 0..240).prop_map(|bytes| story_with_deeds(&bytes))
}

/// Every event, with reality before and after it.
fn steps(trace: &Trace) -> Vec<(Mind, Witnessed, Mind)> {
    let mut reality = Mind::begin(trace, DEPTH);
    let step = |witnessed: Witnessed| {
        let before = reality.clone();
        reality.happen(&witnessed);
        (before, witnessed, reality.clone())
    };
    trace.witnessed().into_iter().map(step).collect()
}

/// A story in which `watcher` witnesses every event, nobody says what she does not believe, and nobody is
/// distracted unnoticed or peeks; everyone knows everything at the start.
fn watched(mut story: Trace, watcher: CharacterId) -> Trace {
    let things = story.stage.objects.iter_mut().chain(&mut story.stage.propositions);
    things.for_each(|thing| thing.knowledge.clear());
    if matches!(story.stage.trust, Trust::Always | Trust::LaterLeaver) {
        story.stage.trust = Trust::UnlessKnownBetter;
    }
    let mut scene = Scene::new(&story.start, &story.stage);
    let planned = std::mem::take(&mut story.events).into_iter().zip(std::mem::take(&mut story.deeds));
    for (event, mut deed) in planned {
        let from = scene.place(event.who);
        let event = Event { from, to: if deed.act.is_going() { event.to } else { from }, ..event };
        deed.peeking.clear();
        if let Act::Tell(telling) = &mut deed.act {
            telling.believers = None; // or they would believe against what they know
        }
        deed.distracted.retain(|distraction| distraction.who != watcher && distraction.is_noticed);
        let is_honest = match &deed.act {
            Act::Tell(telling) => {
                let held = Mind::after(&story, 1).held(&[event.who], telling.item);
                held.and_then(Held::value) == Some(telling.value)
            }
            _ => true,
        };
        if is_honest && scene.allows(event, &deed) && scene.is_witness(event, &deed, watcher) {
            scene.apply(event, &deed.act);
            story.events.push(event);
            story.deeds.push(deed);
        }
    }
    story
}

/// In every mind, everyone knows where she is, and what she has in hand.
fn everyone_knows_her_hands(mind: &Mind, trace: &Trace) -> Result<(), TestCaseError> {
    for (x, inner) in mind.minds().filter(|(_, inner)| !inner.is_lost(&[])) {
        prop_assert_eq!(mind.answer(&[], x), inner.answer(&[], x), "where {:?} is {:?}", x, trace);
        for item in items(trace) {
            let is_in_hand = |mind: &Mind| mind.held(&[], item).unwrap().value() == Some(Value::Hands(x));
            prop_assert_eq!(is_in_hand(mind), is_in_hand(inner), "{:?} in the hands of {:?}", item, x);
        }
        everyone_knows_her_hands(inner, trace)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(80) as u32, ..ProptestConfig::default() })]

    /// Her whole mind stays: what she holds, and what she takes others to hold.
    #[test]
    fn nobody_learns_from_what_she_did_not_witness_or_hear(trace in stories()) {
        for (before, witnessed, after) in steps(&trace) {
            for x in characters(&trace).filter(|x| !witnessed.witnesses.contains(x)) {
                prop_assert_eq!(before.mind(x), after.mind(x));
            }
        }
    }

    #[test]
    fn what_one_says_never_changes_what_one_holds(trace in stories()) {
        for (before, witnessed, after) in steps(&trace) {
            if matches!(witnessed.deed.act, Act::Tell(_)) {
                for item in items(&trace) {
                    let speaker = [witnessed.event.who];
                    prop_assert_eq!(before.held(&speaker, item), after.held(&speaker, item));
                }
            }
        }
    }

    /// Whoever does not hear of it keeps her whole mind. Those who do learn of nothing else; and what they take
    /// someone else to hold, who does not hear of it, stays, or becomes unclear to them. (But those who believe
    /// that she is in a place, or has something in hand, believe that she knows.)
    #[test]
    fn a_private_telling_changes_nothing_for_those_who_do_not_hear_of_it(trace in stories()) {
        for (before, witnessed, after) in steps(&trace) {
            let Act::Tell(telling) = &witnessed.deed.act else { continue };
            if telling.hearers == Hearers::Present {
                continue;
            }
            for first in characters(&trace) {
                if !witnessed.witnesses.contains(&first) {
                    prop_assert_eq!(before.mind(first), after.mind(first));
                    continue;
                }
                for item in items(&trace).into_iter().filter(|&item| item != telling.item) {
                    prop_assert_eq!(before.held(&[first], item), after.held(&[first], item));
                }
                let is_outside = |x: &CharacterId| {
                    *x != first && *x != witnessed.event.who && !telling.hearers.named().contains(x)
                };
                for x in characters(&trace).filter(is_outside) {
                    if telling.item == Item::Character(x) || telling.value == Value::Hands(x) {
                        continue;
                    }
                    for item in items(&trace) {
                        let (old, new) = (before.held(&[first, x], item), after.held(&[first, x], item));
                        prop_assert!(new == old || new == Some(Held::Unclear), "{:?} to {:?}", old, new);
                    }
                }
            }
        }
    }

    /// Had they not peeked, all others would hold the same at the end, at every order.
    #[test]
    fn a_peek_is_invisible_to_all_others(trace in stories()) {
        let mut without = trace.clone();
        without.deeds.iter_mut().for_each(|deed| deed.peeking.clear());
        let (with, without) = (Mind::after(&trace, DEPTH), Mind::after(&without, DEPTH));
        let peeks = |x: &CharacterId| trace.deeds.iter().any(|deed| deed.peeking.contains(x));
        for x in characters(&trace).filter(|x| !peeks(x)) {
            prop_assert_eq!(with.mind(x), without.mind(x));
        }
    }

    /// The same of those whom nobody sees to be distracted.
    #[test]
    fn an_unnoticed_distraction_is_invisible_to_all_others(trace in stories()) {
        let mut without = trace.clone();
        without.deeds.iter_mut().for_each(|deed| deed.distracted.retain(|missing| missing.is_noticed));
        let (with, without) = (Mind::after(&trace, DEPTH), Mind::after(&without, DEPTH));
        let misses = |x: &CharacterId| trace.deeds.iter().any(|deed| {
            deed.distracted.iter().any(|missing| missing.who == *x && !missing.is_noticed)
        });
        for x in characters(&trace).filter(|x| !misses(x)) {
            prop_assert_eq!(with.mind(x), without.mind(x));
        }
    }

    #[test]
    fn who_witnesses_everything_takes_minds_to_hold_what_they_hold(trace in stories()) {
        for watcher in characters(&trace) {
            let trace = watched(trace.clone(), watcher);
            let held = |minds: &[CharacterId], item: Item| {
                let chain = Chain::new(minds, item);
                Mind::after_along(&trace, &chain).held(chain.minds(), item)
            };
            for minds in chains(&characters(&trace).collect::<Vec<_>>(), DEPTH) {
                for item in items(&trace) {
                    let through = [&[watcher], minds.as_slice()].concat();
                    prop_assert_eq!(held(&through, item), held(&minds, item), "{:?} {:?}", through, item);
                }
            }
        }
    }

    /// After an arrival, or when a container is opened: at every order within those who are there and attend.
    #[test]
    fn the_company_that_sees_into_a_room_agrees_on_it(trace in stories()) {
        for (_, witnessed, after) in steps(&trace) {
            let act = &witnessed.deed.act;
            if !act.is_going() && !matches!(act, Act::Open(_)) {
                continue;
            }
            let is_distracted = |x: &CharacterId| witnessed.deed.distracted.iter().any(|missing| missing.who == *x);
            let company: Vec<CharacterId> =
                witnessed.roster.iter().copied().filter(|x| !is_distracted(x)).collect();
            for minds in chains(&company, DEPTH).iter().filter(|minds| !after.is_lost(minds)) {
                for &(item, value) in &witnessed.look {
                    let held = after.held(minds, item).unwrap().value();
                    prop_assert_eq!(held, Some(value), "{:?} about {:?}", minds, item);
                }
            }
        }
    }

    #[test]
    fn everyone_knows_where_she_is_and_what_she_has_in_hand(trace in stories()) {
        everyone_knows_her_hands(&Mind::begin(&trace, DEPTH), &trace)?;
        for (_, _, after) in steps(&trace) {
            everyone_knows_her_hands(&after, &trace)?;
        }
    }

    /// What is unclear is so to a mind that holds another one.
    #[test]
    fn nothing_is_unclear_at_first_order(trace in stories()) {
        let reality = Mind::after(&trace, 1);
        for x in characters(&trace) {
            for item in items(&trace) {
                prop_assert_ne!(reality.held(&[x], item), Some(Held::Unclear));
            }
        }
    }
}
