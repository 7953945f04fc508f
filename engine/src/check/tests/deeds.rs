//! Stories in which things are moved, told, watched and missed.

use std::collections::BTreeMap;

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
  - {mislead_distance: [A, ball], is: 11}
";

fn act(act: Act<'static>) -> Deed<'static> {
    Deed { act, ..Deed::default() }
}

fn tell(hearers: Hearers<'static>, item: Item<'static>, value: Value<'static>) -> Deed<'static> {
    act(Act::Tell(Telling { hearers, item, value, believers: None }))
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
        ("Cas", "hall", "hall", act(Act::React((Item::Likes("Cas", "painting"), true)))),
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
        ("Bob", "cellar", "hall", act(Act::Go)),
    ];
    Claim {
        parameters: BTreeMap::new(),
        roles: BTreeMap::from([("A", "Ann"), ("B", "Bob"), ("C", "Cas")]),
        binds: BTreeMap::from([("near", "hall")]),
        start: everyone.map(|who| (who, "hall")).to_vec(),
        things: Things {
            containers: vec![("box", "hall", false), ("basket", "hall", true)],
            facts: facts.into_iter().chain(likes).collect(),
            trust: Trust::Always,
        },
        events: steps.iter().map(|&(who, from, to, _)| (who, from, to)).collect(),
        deeds: steps.into_iter().map(|(.., deed)| deed).collect(),
        ..Claim::default()
    }
}

#[test]
fn a_story_with_all_kinds_of_deeds_passes() {
    assert_eq!(said(BOARD, &good()), "nothing");
}

/// What `check` says of the good claim, spoilt.
fn spoilt(spoil: fn(&mut Claim<'static>)) -> String {
    let mut claim = good();
    spoil(&mut claim);
    said(BOARD, &claim)
}

/// A claim spoilt, and what is said of it.
type Case = (fn(&mut Claim<'static>), &'static str);

fn are_said(cases: &[Case]) {
    for (spoil, wanted) in cases {
        assert_eq!(spoilt(*spoil), *wanted);
    }
}

#[test]
fn things_start_as_declared() {
    are_said(&[
        (|c| c.things.containers[0].1 = "attic", "box stands in attic, not in hall"),
        (|c| c.things.containers[0].2 = true, "box should be closed"),
        (|c| c.things.containers.truncate(1), "there is no basket"),
        (|c| c.things.containers.push(("sack", "hall", true)), "3 containers, not 2"),
        (|c| c.things.facts[0].value = Value::Container("box"), "ball does not start in box"),
        (|c| c.things.facts[0].value = Value::Hands("Ann"), "ball does not start in the hands of Ann"),
        (|c| drop(c.things.facts.remove(0)), "nothing is said about ball"),
        (|c| c.things.facts[0].known.truncate(3), "Dora should know ball"),
        (|c| c.things.facts[1].known.push("Bob"), "Bob should not know key"),
        (
            |c| c.things.facts[3].value = Value::Truth(false),
            "gift does not have the truth value that is declared",
        ),
        (|c| c.things.facts[3].wrong.clear(), "Bob should be wrong about gift"),
        (|c| c.things.facts[3].known.push("Cas"), "Cas should not know gift"),
        (|c| c.things.facts.truncate(7), "nothing is said about whether Dora likes painting"),
        (|c| c.things.facts[4].value = HALL, "whether Ann likes painting is neither true nor false"),
        (|c| c.things.facts[4].known.clear(), "whether Ann likes painting should be known to Ann alone"),
        (|c| c.things.facts.push(known(Item::Object("sack"), HALL, &[], &[])), "9 things, not 8"),
        (|c| c.things.trust = Trust::Never, "the rule of trust should be always"),
    ]);
}

const HALL: Value<'static> = Value::Place("hall");
const GIFT: Item<'static> = Item::Proposition("gift");
const BALL: Item<'static> = Item::Object("ball");
const TRUE: Value<'static> = Value::Truth(true);

fn whisper(hearers: &[&'static str]) -> Deed<'static> {
    tell(Hearers::Named(hearers.to_vec()), GIFT, TRUE)
}

#[test]
fn nothing_happens_that_cannot() {
    are_said(&[
        (|c| c.deeds.truncate(19), "19 deeds in 20 events"),
        (|c| c.events[0].2 = "attic", "step 0: Ann should stay in hall"),
        (|c| c.events[0] = ("Ann", "attic", "attic"), "step 0: Ann is not in attic"),
        (|c| c.deeds[0] = act(Act::Take("sack")), "step 0: there is no sack"),
        (|c| c.deeds[0] = act(Act::Take("hat")), "step 0: hat is not within the reach of Ann"),
        (|c| c.deeds[1] = act(Act::Take("ball")), "step 1: Ann already has ball in hand"),
        (|c| c.events[1].0 = "Bob", "step 1: Bob does not have ball in hand"),
        (|c| c.deeds[1] = act(Act::Put("ball", Value::Place("attic"))), "step 1: Ann cannot put ball there"),
        (|c| c.deeds[1] = act(Act::Give("ball", "Ann")), "step 1: Ann is not there to be given ball"),
        (|c| c.deeds[1] = act(Act::Give("ball", "Eve")), "step 1: Eve is not there to be given ball"),
        (|c| c.deeds[1] = act(Act::MoveObject("ball", "sack")), "step 1: sack does not stand in hall"),
        (
            |c| (c.events[1].0, c.deeds[1]) = ("Bob", act(Act::MoveObject("ball", "box"))),
            "step 1: Ann has ball in hand, not Bob",
        ),
        (|c| c.deeds[2] = act(Act::Open("basket")), "step 2: basket is already open"),
        (|c| c.deeds[2] = act(Act::Close("box")), "step 2: box is already closed"),
        (|c| c.deeds[3] = act(Act::MoveObject("ball", "box")), "step 3: ball is already in box"),
        (|c| c.deeds[4] = whisper(&[]), "step 4: Ann speaks to nobody"),
        (|c| c.deeds[4] = whisper(&["Bob", "Bob"]), "step 4: Bob should not hear it twice"),
        (|c| c.deeds[4] = whisper(&["Eve"]), "step 4: Eve is not in the story"),
        (|c| c.deeds[4] = whisper(&["Dora"]), "step 4: Ann should not tell Dora, who is no friend"),
        (
            |c| c.deeds[4] = tell(Hearers::Afar(vec!["Bob"]), GIFT, TRUE),
            "step 4: Bob should be elsewhere to hear Ann in hall",
        ),
        (
            |c| c.deeds[8] = tell(Hearers::Named(vec!["Cas"]), GIFT, TRUE),
            "step 8: Cas should be there to hear Ann in attic",
        ),
        (|c| c.deeds[15] = tell(Hearers::Present, GIFT, TRUE), "step 15: nobody is in attic to hear Ann"),
        (|c| c.deeds[5] = tell(Hearers::Present, GIFT, HALL), "step 5: Bob says something impossible"),
        (
            |c| c.deeds[5] = tell(Hearers::Present, Item::Proposition("cake"), TRUE),
            "step 5: Bob speaks about something that does not exist",
        ),
        (|c| c.deeds[5] = tell(Hearers::Present, BALL, Value::Place("moon")), "step 5: there is no moon"),
        (|c| c.deeds[6] = act(Act::GoTogether(vec![])), "step 6: Bob goes together with nobody"),
        (|c| c.deeds[6] = act(Act::GoTogether(vec!["Ann", "Ann"])), "step 6: Ann goes twice"),
        (
            |c| (c.events[7], c.deeds[7]) = (("Cas", "hall", "cellar"), act(Act::GoTogether(vec!["Ann"]))),
            "step 7: Ann is not in hall",
        ),
        (|c| c.deeds[7] = act(Act::Throw("ball", "hall")), "step 7: Cas cannot throw ball from hall to hall"),
        (|c| c.deeds[7].act = Act::Throw("ball", "attic"), "step 7: Ann should be elsewhere to peek"),
        (|c| c.deeds[7] = act(Act::Give("key", "Dora")), "step 7: Cas does not have key in hand"),
        (
            |c| c.deeds[9] = act(Act::React((Item::Likes("Cas", "painting"), false))),
            "step 9: Cas shows something that is not true",
        ),
        (
            |c| c.deeds[9] = act(Act::React((Item::Likes("Ann", "painting"), true))),
            "step 9: Cas should show what Cas likes",
        ),
        (|c| c.deeds[9] = act(Act::Go), "step 9: Cas cannot go from hall to hall"),
        (|c| c.deeds[10] = act(Act::Carry("ball")), "step 10: ball is not within the reach of Bob"),
        (|c| c.deeds[7].peeking.push("Ann"), "step 7: Ann peeks twice"),
        (|c| c.deeds[7].peeking.push("Eve"), "step 7: Eve is not in the story"),
        (|c| c.deeds[3].distracted.push(("Bob", true)), "step 3: Bob is distracted twice"),
        (|c| c.deeds[3].distracted.push(("Cas", false)), "step 3: Cas acts, and cannot be distracted"),
        (|c| c.deeds[7].distracted.push(("Bob", false)), "step 7: Bob should be there to be distracted"),
    ]);
}

#[test]
fn demanded_deeds_are_done() {
    are_said(&[
        (|c| c.events[0].0 = "Bob", "step 0: Ann should take ball"),
        (|c| c.deeds[0] = act(Act::Take("key")), "step 0: Ann should take ball"),
        (|c| c.deeds[1] = act(Act::Put("ball", HALL)), "step 1: Ann should put ball into box"),
        (|c| c.deeds[2] = act(Act::Close("basket")), "step 2: Bob should open box"),
        (|c| c.deeds[3].act = Act::MoveObject("key", "basket"), "step 3: Cas should move ball to basket"),
        (|c| c.deeds[4] = whisper(&["Cas"]), "step 4: Ann should tell Bob of gift"),
        (|c| c.deeds[4] = tell(Hearers::Present, GIFT, TRUE), "step 4: Ann should tell Bob of gift"),
        (
            |c| c.deeds[5] = tell(Hearers::Present, BALL, Value::Place("attic")),
            "step 5: Bob should tell everyone there of ball that it is cellar",
        ),
        (|c| c.deeds[6] = act(Act::Go), "step 6: Ann, Bob should go to attic together"),
        (|c| c.deeds[6] = act(Act::GoTogether(vec!["Cas"])), "step 6: Ann, Bob should go to attic together"),
        (|c| c.deeds[7].act = Act::Throw("key", "cellar"), "step 7: Cas should throw ball to cellar"),
        (
            |c| c.deeds[8] = tell(Hearers::Afar(vec!["Cas"]), GIFT, TRUE),
            "step 8: Ann should tell Cas, from afar, of ball",
        ),
        (
            |c| {
                (c.events[9].0, c.deeds[9]) =
                    ("Dora", act(Act::React((Item::Likes("Dora", "painting"), true))))
            },
            "step 9: Cas should react to painting",
        ),
        (|c| c.deeds[10] = act(Act::Go), "step 10: Bob should carry something to hall"),
        (|c| c.deeds[11] = act(Act::Close("basket")), "step 11: Bob should close box"),
    ]);
}

#[test]
fn people_watch_and_miss_what_they_should() {
    are_said(&[
        (|c| c.deeds[3].distracted.clear(), "step 3: Bob should be distracted, unnoticed"),
        (|c| c.deeds[3].distracted[0].1 = true, "step 3: Bob should be distracted, unnoticed"),
        (|c| c.deeds[3].distracted.push(("Dora", false)), "step 3: Dora should not be distracted"),
        (|c| c.deeds[12].distracted.clear(), "step 12: Cas should be distracted, noticed"),
        (|c| c.deeds[7].peeking.clear(), "step 7: Ann should peek"),
        (|c| c.deeds[7].peeking.push("Bob"), "step 7: Bob should not peek"),
        (|c| c.deeds[18].peeking.clear(), "step 18: Cas should peek"),
    ]);
}

#[test]
fn people_say_what_they_believe() {
    are_said(&[
        (
            |c| c.deeds[4] = tell(Hearers::Named(vec!["Bob"]), GIFT, Value::Truth(false)),
            "step 4: Ann should say what Ann believes",
        ),
        (
            |c| c.deeds[8] = tell(Hearers::Afar(vec!["Cas"]), BALL, Value::Container("basket")),
            "step 8: Ann should say what Ann believes",
        ),
        (
            |c| c.deeds[16] = tell(Hearers::Named(vec!["Dora"]), BALL, HALL),
            "step 16: Bob should say what Bob believes",
        ),
        // Who has no idea can neither say so nor lie.
        (
            |c| (c.events[16].0, c.deeds[16]) = ("Cas", tell(Hearers::Present, GIFT, TRUE)),
            "step 16: Cas should say what Cas believes",
        ),
    ]);
    // Bob was distracted when the ball was moved out of the box.
    let board = BOARD.replace("that: {ball: cellar}", "that: ball");
    assert_eq!(said(&board, &good()), "nothing");
    let mut claim = good();
    claim.deeds[5] = tell(Hearers::Present, BALL, Value::Container("box"));
    assert_eq!(said(&board, &claim), "step 5: Bob should contradict what Bob believes");
}

#[test]
fn nothing_is_done_that_neither_a_verb_demands_nor_free_play_draws() {
    are_said(&[
        (
            |c| (c.events[14], c.deeds[14]) = (("Bob", "hall", "hall"), act(Act::Put("hat", HALL))),
            "step 14: Bob should not put",
        ),
        (|c| c.deeds[12].act = Act::Open("box"), "step 12: Dora should not open"),
        (
            |c| (c.events[14].2, c.deeds[14]) = ("cellar", act(Act::GoTogether(vec!["Cas"]))),
            "step 14: Dora should not go together with others",
        ),
        (|c| c.deeds[16] = whisper(&["Dora", "Cas"]), "step 16: Bob should whisper to one alone"),
    ]);
    for (kind, wanted) in [
        ("take: 1, ", "step 12: Dora should not take"),
        ("tell: 1, ", "step 13: Dora should not tell"),
        ("lie: 1, ", "step 14: Dora should not lie"),
        (", phone: 1", "step 15: Ann should not phone"),
        ("whisper: 1, ", "step 16: Bob should not whisper"),
    ] {
        assert_eq!(said(&BOARD.replace(kind, ""), &good()), wanted);
    }
}

#[test]
fn conditions_on_walks_hold_with_deeds() {
    for (condition, wanted) in [
        ("{at: 6, idle: A}", "step 6: Ann should be idle"),
        ("{at: 12, idle: C}", "nothing"),
        ("{at: 2, idle: B}", "step 2: Bob should be idle"),
        ("{at: 0, if: 0, idle: A}", "nothing"),
        ("{at: 0, if: 1, idle: A}", "step 0: Ann should be idle"),
        ("{at: 6, meet: {who: [B, C], in: attic}}", "step 6: Cas should be in attic"),
        ("{at: 6, meet: {who: [A, B], in: attic}}", "nothing"),
        ("{at: 10, meet: {who: [B, C], in: hall}}", "nothing"),
        ("{at: 11, meet: {who: [B, C], in: hall}}", "step 11: one of Bob, Cas should arrive in hall"),
        ("{at: 10, move: {who: B, to: hall}}", "step 10: Bob should move to hall"),
        ("{from: 6, until: 7, follow: {who: A, whom: B}}", "nothing"),
        (
            "{from: 0, until: 6, follow: {who: A, whom: B}}",
            "step 5: Ann should move from step 0 on before step 6",
        ),
        ("{from: 6, until: 7, unseen: {who: B, by: [A]}}", "step 6: Ann should not see Bob move"),
        ("{from: 0, until: 6, unseen: {who: A, by: [B, C]}}", "nothing"),
        ("{at: 19, apart: [B, C]}", "step 19: Cas should not be with others of Bob, Cas"),
        ("{from: 6, until: 8, avoid: {who: A, place: attic}}", "step 6: Ann should avoid attic"),
    ] {
        let board = BOARD.replace("ensure:", &format!("  - {condition}\nensure:"));
        assert_eq!(said(&board, &good()), wanted, "{condition}");
    }
}

#[test]
fn those_who_peek_see_and_those_who_are_distracted_do_not() {
    let board = BOARD.replace("unseen: {who: B, by: [A]}", "unseen: {who: B, by: [C]}");
    assert_eq!(said(&board, &good()), "step 17: Cas should not see Bob move");
    let board = board.replace("until: end, peek: C", "until: end, distracted: C");
    let mut claim = good();
    claim.deeds[17].distracted.push(("Cas", false));
    claim.deeds[18].peeking.clear();
    claim.deeds[19].distracted.push(("Cas", false));
    assert_eq!(said(&board, &claim), "nothing");
}

#[test]
fn goals_about_things_are_met() {
    for (goal, wanted) in [
        ("{holds: [B, ball], in: B}", "nothing"),
        ("{holds: [B, ball], in: hall}", "nothing"),
        ("{holds: [B, ball], in: box}", "a goal about B, ball is not met"),
        ("{holds: [B, gift], is: false}", "a goal about B, gift is not met"),
        ("{holds: [A, B], in: cellar}", "a goal about A, B is not met"),
        ("{true_belief: [A, ball]}", "a goal about A, ball is not met"),
        ("{unknown: [B, gift]}", "a goal about B, gift is not met"),
        ("{mislead_distance: [A, ball], is: 10}", "a goal about A, ball is not met"),
        // More minds than are written out.
        ("{holds: [C, A, C, A, C, A, C, ball], in: cellar}", "nothing"),
        ("{unknown: [C, A, C, A, C, A, C, ball]}", "a goal about C, A, C, A, C, A, C, ball is not met"),
    ] {
        let board = BOARD.replace("ensure:\n", &format!("ensure:\n  - {goal}\n"));
        assert_eq!(said(&board, &good()), wanted, "{goal}");
    }
}
