//! Stories in which things are moved, told, watched and missed.

use std::collections::HashMap;

use super::said;
use crate::check::{Act, Claim, Deed, Fact, Hearers, Item, Telling, Things, Value};
use crate::world::Trust;

const BOARD: &str = "
storysim: 1
name: house
characters: {pool: [Ann, Bob, Cas, Dora]}
roles: [A, B, C]
places: {hall: [attic, cellar], attic: [hall], cellar: [hall]}
start: hall
bind: {near: {next_to: attic}}
containers: {box: {in: near, is: closed}, basket: hall}
objects:
  ball: {in: [basket, cellar]}
  key: {in: box, known: [A]}
  hat: attic
propositions:
  gift: {says: 'the gift is a bicycle', is: true, known: [A], wrong: [B]}
attitudes: [painting]
trust: always
play: {move: 1, take: 1, tell: 1, lie: 1, whisper: 1, phone: 1, put: 0}
friends: {A: [B, C]}
horizon: 20
events:
  - {at: 0, take: {who: A, object: ball}}
  - {at: 1, put: {who: A, object: ball, in: box}}
  - {at: 2, open: {who: B, container: box}}
  - {at: 3, move_object: {who: C, object: ball, to: basket}}
  - {at: 3, distracted: B}
  - {at: 4, tell: {who: A, to: [B], that: gift}}
  - {at: 5, lie: {who: B, to: present, that: {ball: cellar}}}
  - {at: 6, move: {who: [A, B], to: attic}}
  - {at: 6, meet: {who: [A, B], in: attic}}
  - {at: 7, throw: {who: C, object: ball, to: cellar}}
  - {at: 7, peek: A}
  - {at: 8, tell: {who: A, to: {phone: C}, that: ball}}
  - {at: 9, react: {who: C, to: painting}}
  - {at: 10, carry: {who: B, to: near}}
  - {at: 11, close: {who: B, container: box}}
  - {from: 12, until: 15, idle: [A, B]}
  - {from: 12, until: 14, distracted: {who: C, noticed: true}}
  - {from: 17, until: end, peek: C}
  - {from: 17, until: end, unseen: {who: B, by: [A]}}
ensure:
  - {holds: [A, ball], in: cellar}
  - {holds: [B, gift], is: true}
  - {holds: [C, A, ball], in: cellar}
  - {false_belief: [A, ball]}
  - {true_belief: [B, ball]}
  - {differs: [[A, ball], [B, ball]]}
  - {unknown: [C, gift]}
  - {mislead_distance: [A, ball], is: 10}
";

fn act(act: Act<'static>) -> Deed<'static> {
    Deed { act, ..Deed::default() }
}

fn tell(hearers: Hearers<'static>, item: Item<'static>, value: Value<'static>) -> Deed<'static> {
    act(Act::Tell(Telling { hearers, item, value }))
}

fn known<'a>(item: Item<'a>, value: Value<'a>, known: &[&'a str], wrong: &[&'a str]) -> Fact<'a> {
    Fact { item, value, known: known.to_vec(), wrong: wrong.to_vec() }
}

fn good() -> Claim<'static> {
    let [ball, key, hat] = ["ball", "key", "hat"].map(Item::Object);
    let everyone = ["Ann", "Bob", "Cas", "Dora"];
    let likes = everyone.map(|who| known(Item::Likes(who, "painting"), Value::Truth(true), &[who], &[]));
    let facts = vec![
        known(ball, Value::Container("basket"), &everyone, &[]),
        known(key, Value::Container("box"), &["Ann"], &[]),
        known(hat, Value::Place("attic"), &everyone, &[]),
        known(Item::Proposition("gift"), Value::Truth(true), &["Ann"], &["Bob"]),
    ];
    let steps = [
        ("Ann", "hall", "hall", act(Act::Take("ball"))),
        ("Ann", "hall", "hall", act(Act::Put("ball", Value::Container("box")))),
        ("Bob", "hall", "hall", act(Act::Open("box"))),
        (
            "Cas",
            "hall",
            "hall",
            Deed { distracted: vec![("Bob", false)], ..act(Act::MoveObject("ball", "basket")) },
        ),
        (
            "Ann",
            "hall",
            "hall",
            tell(Hearers::Named(vec!["Bob"]), Item::Proposition("gift"), Value::Truth(true)),
        ),
        ("Bob", "hall", "hall", tell(Hearers::Present, ball, Value::Place("cellar"))),
        ("Bob", "hall", "attic", act(Act::GoTogether(vec!["Ann"]))),
        ("Cas", "hall", "hall", Deed { peeking: vec!["Ann"], ..act(Act::Throw("ball", "cellar")) }),
        ("Ann", "attic", "attic", tell(Hearers::Afar(vec!["Cas"]), ball, Value::Place("cellar"))),
        ("Cas", "hall", "hall", act(Act::React(Item::Likes("Cas", "painting"), true))),
        ("Bob", "attic", "hall", act(Act::Carry("hat"))),
        ("Bob", "hall", "hall", act(Act::Close("box"))),
        ("Dora", "hall", "hall", Deed { distracted: vec![("Cas", true)], ..act(Act::Take("key")) }),
        (
            "Dora",
            "hall",
            "hall",
            Deed { distracted: vec![("Cas", true)], ..tell(Hearers::Present, key, Value::Hands("Dora")) },
        ),
        ("Dora", "hall", "hall", tell(Hearers::Present, key, Value::Container("box"))),
        ("Ann", "attic", "attic", tell(Hearers::Afar(vec!["Bob"]), ball, Value::Place("cellar"))),
        ("Bob", "hall", "hall", tell(Hearers::Named(vec!["Dora"]), ball, Value::Place("cellar"))),
        ("Bob", "hall", "cellar", act(Act::Go)),
        ("Bob", "cellar", "cellar", Deed { peeking: vec!["Cas"], ..act(Act::Take("ball")) }),
        ("Ann", "attic", "hall", act(Act::Go)),
    ];
    Claim {
        parameters: HashMap::new(),
        roles: HashMap::from([("A", "Ann"), ("B", "Bob"), ("C", "Cas")]),
        binds: HashMap::from([("near", "hall")]),
        start: everyone.map(|who| (who, "hall")).to_vec(),
        things: Things {
            containers: vec![("box", "hall", false), ("basket", "hall", true)],
            facts: facts.into_iter().chain(likes).collect(),
            trust: Trust::Always,
        },
        events: steps.iter().map(|&(who, from, to, _)| (who, from, to)).collect(),
        deeds: steps.into_iter().map(|(.., deed)| deed).collect(),
    }
}

#[test]
fn a_story_with_all_kinds_of_deeds_passes() {
    assert_eq!(said(BOARD, &good()), "nothing");
}
