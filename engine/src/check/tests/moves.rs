//! Stories of people who go from place to place.

use std::collections::BTreeMap;

use super::said;
use crate::check::Claim;

const BOARD: &str = "
storysim: 1
name: house
characters: {pool: [Ann, Bob, Cas, Dora], count: 3}
roles: [S1, T]
places: {hall: [attic, cellar], attic: [hall], cellar: [hall]}
start: {S1: attic, else: hall}
bind: {first: {next_to: attic, not: [cellar]}}
horizon: 5
events:
  - {at: 1, meet: {who: [S1, T], in: first}}
  - {at: 2, move: {who: T, to: cellar}}
  - {from: 3, until: end, idle: T}
";

fn good() -> Claim<'static> {
    Claim {
        parameters: BTreeMap::new(),
        roles: BTreeMap::from([("S1", "Ann"), ("T", "Bob")]),
        binds: BTreeMap::from([("first", "hall")]),
        start: vec![("Ann", "attic"), ("Bob", "hall"), ("Cas", "hall")],
        events: vec![
            ("Cas", "hall", "attic"),
            ("Ann", "attic", "hall"),
            ("Bob", "hall", "cellar"),
            ("Ann", "hall", "attic"),
            ("Cas", "attic", "hall"),
        ],
        ..Claim::default()
    }
}

/// What `check` says of the good claim, spoilt.
fn spoilt(spoil: impl FnOnce(&mut Claim<'static>)) -> String {
    let mut claim = good();
    spoil(&mut claim);
    said(BOARD, &claim)
}

#[test]
fn every_rule_is_checked() {
    assert_eq!(spoilt(|_| {}), "nothing");
    for (said, wanted) in [
        (
            spoilt(|c| {
                c.roles.remove("T");
            }),
            "nobody plays T",
        ),
        (
            spoilt(|c| {
                c.roles.insert("T", "Ann");
            }),
            "Ann plays two roles",
        ),
        (
            spoilt(|c| {
                c.roles.insert("T", "Dora");
            }),
            "Dora is not in the story",
        ),
        (
            spoilt(|c| {
                c.binds.remove("first");
            }),
            "first is not bound",
        ),
        (
            spoilt(|c| {
                c.binds.insert("first", "attic");
            }),
            "attic is not next to attic",
        ),
        (
            spoilt(|c| {
                c.binds.insert("first", "cellar");
            }),
            "cellar is not next to attic",
        ),
        (spoilt(|c| c.start[0].1 = "hall"), "Ann starts in hall, not in attic"),
        (spoilt(|c| c.start[2].1 = "attic"), "Cas starts in attic, not in hall"),
        (spoilt(|c| c.start[2].0 = "Eve"), "Eve is not in the pool"),
        (spoilt(|c| c.start[2].0 = "Bob"), "Bob appears twice"),
        (
            spoilt(|c| {
                c.start.pop();
            }),
            "2 characters, not 3",
        ),
        (
            spoilt(|c| {
                c.events.pop();
            }),
            "step 4: the story ends before this step: 4 events, and the horizon is 5",
        ),
        (spoilt(|c| c.events[0] = ("Cas", "attic", "hall")), "step 0: Cas is not in attic"),
        (spoilt(|c| c.events[0] = ("Dora", "hall", "attic")), "step 0: Dora is not in hall"),
        (spoilt(|c| c.events[3] = ("Cas", "attic", "cellar")), "step 3: Cas cannot go from attic to cellar"),
        (spoilt(|c| c.events[1] = ("Cas", "attic", "hall")), "step 1: Ann should be in hall"),
        (spoilt(|c| c.events[2] = ("Ann", "hall", "attic")), "step 2: Bob should move to cellar"),
        (spoilt(|c| c.events[2] = ("Bob", "hall", "attic")), "step 2: Bob should move to cellar"),
        (spoilt(|c| c.events[3] = ("Bob", "cellar", "hall")), "step 3: Bob should be idle"),
        (
            spoilt(|c| {
                c.events[0] = ("Ann", "attic", "hall");
                c.events[1] = ("Cas", "hall", "attic");
            }),
            "step 1: one of Ann, Bob should arrive in hall",
        ),
    ] {
        assert_eq!(said, wanted);
    }
}

#[test]
fn binds_may_not_be_what_they_are_not() {
    let text = BOARD.replace("next_to: attic, not: [cellar]", "not: [hall]");
    assert_eq!(said(&text, &good()), "first may not be hall");
}
