//! Belief: the worked cases of the definition, and the fast tracker against the nested oracle.

use std::collections::BTreeMap;

use proptest::prelude::*;
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, DeedTracker, Tracker, first_order};
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::id::{CharacterId, PlaceId};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::parse;
use storysim::trace::Trace;
use storysim::world::{Deed, Event, Value};

use crate::effort::{part, times};

const ORDER_MAX: usize = 4;

fn tracked(trace: &Trace, chain: &Chain) -> Option<PlaceId> {
    let mut tracker = Tracker::new(chain.clone(), trace.start.len());
    tracker.start(&trace.start);
    for &event in &trace.events {
        tracker.apply(event);
    }
    tracker.answer()
}

/// The same by the definition written out.
fn defined(trace: &Trace, chain: &Chain) -> Option<PlaceId> {
    Mind::after_along(trace, chain).answer(chain.minds(), chain.character().expect("about a character"))
}

/// Whether the definition gives one of the minds along a chain up. The tracker of walks has less to reckon with, and may go
/// on.
pub(crate) fn is_lost(trace: &Trace, chain: &Chain) -> bool {
    Mind::after_along(trace, chain).is_lost(chain.minds())
}

/// The same by the tracker of stories in which there is more than walking.
fn tracked_with_deeds(trace: &Trace, chain: &Chain) -> Option<PlaceId> {
    let mut tracker = DeedTracker::new(chain.clone());
    tracker.start(trace);
    for &event in &trace.events {
        tracker.apply(event, &Deed::default());
    }
    match tracker.held().value() {
        Some(Value::Place(place)) => Some(place),
        _ => None,
    }
}

/// A trace from where everyone starts and a list of (who, to).
fn trace(start: Vec<PlaceId>, moves: impl IntoIterator<Item = (CharacterId, PlaceId)>) -> Trace {
    let mut places = start.clone();
    let events = moves.into_iter().map(|(who, to)| {
        let from = std::mem::replace(&mut places[who.index()], to);
        Event { who, from, to }
    });
    let events = events.collect();
    Trace::of_moves(start, events)
}

#[derive(serde::Deserialize)]
struct Case {
    title: String,
    start: BTreeMap<String, String>,
    events: Vec<(String, String)>,
    reality: BTreeMap<String, String>,
    answers: BTreeMap<String, Option<String>>,
}

#[test]
fn worked_cases() {
    let mut answers = 0;
    for line in include_str!("belief-cases.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let characters: Vec<&String> = case.start.keys().collect();
        let mut places: Vec<&String> =
            case.start.values().chain(case.events.iter().map(|(_, to)| to)).collect();
        places.sort();
        places.dedup();
        let who = |name: &str| CharacterId::new(characters.iter().position(|known| *known == name).unwrap());
        let place = |name: &str| PlaceId::new(places.iter().position(|known| *known == name).unwrap());
        let trace = trace(
            case.start.values().map(|name| place(name)).collect(),
            case.events.iter().map(|(name, to)| (who(name), place(to))),
        );
        let reality = Mind::after(&trace, 0);
        for (name, at) in &case.reality {
            assert_eq!(reality.answer(&[], who(name)), Some(place(at)), "{}: {name}", case.title);
        }
        for (question, wanted) in &case.answers {
            let (minds, target) = question.split_once(" > ").unwrap();
            let minds: Vec<CharacterId> = minds.split(',').map(who).collect();
            let wanted = wanted.as_ref().map(|name| place(name));
            let chain = Chain::new(&minds, who(target));
            assert_eq!(defined(&trace, &chain), wanted, "{}: {question}", case.title);
            assert_eq!(tracked(&trace, &chain), wanted, "{}, tracker: {question}", case.title);
            assert_eq!(tracked_with_deeds(&trace, &chain), wanted, "{}, deeds: {question}", case.title);
            answers += 1;
        }
    }
    assert_eq!(answers, 2928);
}

/// Ann, Bob and Cat are in one place, Dan in another; the chain is what Ann thinks that Bob thinks of Cat.
#[test]
fn what_a_tracker_says_on_the_way() {
    let [here, there, nowhere] = [0, 1, 2].map(PlaceId::new);
    let [ann, bob, cat, dan] = [0, 1, 2, 3].map(CharacterId::new);
    let chain = Chain::new(&[ann, bob], cat);
    let mut tracker = Tracker::new(chain.clone(), 4);
    tracker.start(&[here, here, here, there]);
    assert_eq!(tracker.chain(), &chain);
    assert_eq!([ann, bob, cat, dan].map(|who| tracker.is_member(who)), [true, true, true, false]);
    assert_eq!(tracker.members(), [ann, bob, cat]);
    // Who moves, where from and where to; whether Ann witnesses a move of a member; where she thinks that Bob thinks
    // Cat is after it; where Cat is; where Bob is.
    let moves = [
        (dan, there, here, false, Some(here), here, here), // she does, but he is no member
        (cat, here, there, true, Some(there), there, here),
        (cat, there, nowhere, false, Some(there), nowhere, here),
        (bob, here, there, true, Some(there), nowhere, there), // as far as Ann knows, he finds her there
        (bob, there, nowhere, false, Some(there), nowhere, nowhere),
        (ann, here, nowhere, true, Some(nowhere), nowhere, nowhere),
    ];
    for (who, from, to, is_witnessed, answer, truth, place_of_bob) in moves {
        assert_eq!(tracker.apply(Event { who, from, to }), is_witnessed, "{who:?} to {to:?}");
        assert_eq!(tracker.answer(), answer, "{who:?} to {to:?}");
        assert_eq!((tracker.held(2), tracker.truth()), (answer, truth));
        assert_eq!((tracker.place(bob), tracker.place(dan)), (Some(place_of_bob), None));
        assert_eq!(tracker.row(0)[1..], [Some(place_of_bob), Some(truth)]);
        assert_eq!(tracker.row(2)[2], answer);
    }
    // Of what was left out, the minds know nothing; but what Ann sees is what there is.
    tracker.start(&[here, here, here, there]);
    tracker.set_reality(&[Some(there), Some(nowhere), Some(nowhere)]);
    assert_eq!((tracker.answer(), tracker.truth(), tracker.place(ann)), (Some(here), nowhere, Some(there)));
    assert!(tracker.apply(Event { who: ann, from: there, to: nowhere }));
    assert_eq!(tracker.row(1)[1..], [Some(nowhere), Some(nowhere)]);
    assert_eq!(tracker.answer(), Some(nowhere));
    // Without minds, it is reality that the tracker follows.
    let mut reality = Tracker::new(Chain::new(&[], cat), 4);
    reality.start(&[here, here, here, there]);
    assert!(reality.apply(Event { who: cat, from: here, to: there }));
    assert!(!reality.apply(Event { who: ann, from: here, to: there }));
    assert_eq!(reality.answer(), Some(there));
}

/// Stories of 2 to 5 characters in 2 to 5 places, everything connected, often crowded.
fn stories() -> impl Strategy<Value = Trace> {
    (2..=5_usize, 2..=5_usize, any::<bool>()).prop_flat_map(|(characters, places, together)| {
        let start = prop::collection::vec(0..places, characters);
        let moves = prop::collection::vec((0..characters, 1..places), 0..24);
        (start, moves).prop_map(move |(start, moves)| {
            let mut at: Vec<usize> = if together { vec![0; characters] } else { start };
            let start = at.iter().map(|&place| PlaceId::new(place)).collect();
            let moves: Vec<_> = moves
                .into_iter()
                .map(|(who, by)| {
                    at[who] = (at[who] + by) % places;
                    (CharacterId::new(who), PlaceId::new(at[who]))
                })
                .collect();
            trace(start, moves)
        })
    })
}

/// Every chain of at most `order` minds, repetitions and self-reference included.
fn all_minds(characters: usize, order: usize) -> Vec<Vec<CharacterId>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..order {
        last = last
            .iter()
            .flat_map(|minds| {
                (0..characters).map(|next| {
                    let mut longer = minds.clone();
                    longer.push(CharacterId::new(next));
                    longer
                })
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// In every mind, those whom it has in one place agree on who is there.
fn company_agrees(mind: &Mind, characters: &[CharacterId]) -> Result<(), TestCaseError> {
    for (x, inner) in mind.minds().filter(|(_, inner)| !inner.is_lost(&[])) {
        let Some(place) = mind.answer(&[], x) else { continue };
        prop_assert_eq!(inner.answer(&[], x), Some(place), "a mind places its owner wrongly");
        for &y in characters {
            let is_there = mind.answer(&[], y) == Some(place);
            let thought_there = inner.answer(&[], y) == Some(place);
            prop_assert_eq!(is_there, thought_there, "{:?} and {:?} at {:?}", x, y, place);
        }
        company_agrees(inner, characters)?;
    }
    Ok(())
}

/// All chains in their shortest form.
fn all_chains(characters: usize, order: usize) -> impl Iterator<Item = Chain> {
    let targets = move |minds: Vec<CharacterId>| {
        (0..characters).map(move |target| (Chain::new(&minds, CharacterId::new(target)), minds.clone()))
    };
    let all = all_minds(characters, order).into_iter().flat_map(targets);
    all.filter(|(chain, minds)| chain.minds() == minds).map(|(chain, _)| chain)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(8) as u32, ..ProptestConfig::default() })]

    #[test]
    fn tracker_equals_nested_for_every_chain(trace in stories()) {
        for chain in all_chains(trace.start.len(), ORDER_MAX) {
            let (told, wanted) = (tracked(&trace, &chain), defined(&trace, &chain));
            prop_assert!(told == wanted || is_lost(&trace, &chain), "{:?}: {:?}, not {:?}", chain, told, wanted);
        }
    }

    #[test]
    fn tracker_equals_nested_on_stories_of_random_boards(text in crate::boards::boards(2..=6, 2..=5, 4..=14), index in any::<u64>()) {
        let board = parse(Source { name: "test".into(), text }).unwrap();
        if let Ok(compiled) = compile(&board, &[]) {
            let mut story = Story::default();
            Simulator::new(&compiled.plan, 7).draw(index, &mut story);
            for chain in all_chains(story.trace.start.len(), ORDER_MAX) {
                let (told, wanted) = (tracked(&story.trace, &chain), defined(&story.trace, &chain));
                let is_right = told == wanted || is_lost(&story.trace, &chain);
                prop_assert!(is_right, "{:?}: {:?}, not {:?}", chain, told, wanted);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(120) as u32, ..ProptestConfig::default() })]

    #[test]
    fn the_definition_at_order_1_needs_no_more_than_places(trace in stories()) {
        let characters: Vec<_> = (0..trace.start.len()).map(CharacterId::new).collect();
        for &mind in &characters {
            for &target in characters.iter().filter(|&&target| target != mind) {
                let mut places = trace.start.clone();
                let mut held = Some(places[target.index()]);
                for &event in &trace.events {
                    held = first_order(held, mind, target, event, |who| places[who.index()]);
                    places[event.who.index()] = event.to;
                }
                prop_assert_eq!(held, tracked(&trace, &Chain::new(&[mind], target)), "{:?} {:?}", mind, target);
            }
        }
    }

    #[test]
    fn trackers_of_walks_and_of_deeds_agree_on_walks(trace in stories()) {
        let characters = trace.start.len();
        for minds in all_minds(characters.min(4), 3) {
            for target in (0..characters).map(CharacterId::new) {
                let chain = Chain::new(&minds, target);
                let (told, wanted) = (tracked(&trace, &chain), tracked_with_deeds(&trace, &chain));
                prop_assert!(told == wanted || is_lost(&trace, &chain), "{:?}: {:?}, not {:?}", chain, told, wanted);
            }
        }
    }

    #[test]
    fn company_agrees_on_who_is_there(trace in stories()) {
        let characters: Vec<_> = (0..trace.start.len()).map(CharacterId::new).collect();
        company_agrees(&Mind::after(&trace, 3), &characters)?;
    }

    #[test]
    fn events_that_no_mind_of_the_chain_witnesses_teach_it_nothing(trace in stories()) {
        let characters = trace.start.len();
        let reality = Mind::after(&trace, 3);
        let witnessed = trace.witnessed();
        let chains = all_minds(characters, 3).into_iter().filter(|minds| !minds.is_empty());
        for minds in part(chains, 0, 4) {
            let mut partial = Mind::start(&trace.start, 3);
            for event in witnessed.iter().filter(|event| minds.iter().any(|mind| event.witnesses.contains(mind))) {
                partial.happen(event);
            }
            for target in (0..characters).map(CharacterId::new) {
                prop_assert_eq!(partial.answer(&minds, target), reality.answer(&minds, target));
            }
        }
    }

    #[test]
    fn lower_orders_of_one_tracker_are_trackers_of_their_own(trace in stories()) {
        let characters = trace.start.len();
        for minds in all_minds(characters, 3) {
            let chain = Chain::new(&minds, CharacterId::new(0));
            let mut tracker = Tracker::new(chain.clone(), characters);
            tracker.start(&trace.start);
            for &event in &trace.events {
                tracker.apply(event);
            }
            for depth in 0..=chain.order() {
                let outer = Chain::new(&chain.minds()[..depth], chain.target());
                prop_assert_eq!(tracker.held(depth), tracked(&trace, &outer));
            }
        }
    }
}
