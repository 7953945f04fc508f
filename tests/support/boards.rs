//! Random storyboards of walks, as YAML. Shared by the integration tests.

use std::ops::RangeInclusive;

use proptest::prelude::*;

/// Boards of so many characters, places and steps, with conditions of all kinds and goals of order 1 that may
/// or may not be possible together. All of them are well-formed.
pub fn boards(
    characters: RangeInclusive<usize>,
    places: RangeInclusive<usize>,
    horizon: RangeInclusive<usize>,
) -> impl Strategy<Value = String> {
    (characters, places, horizon).prop_flat_map(move |(characters, places, horizon)| {
        let roles = characters.min(4);
        let ways = prop::collection::vec(prop::collection::vec(any::<bool>(), places), places);
        let company = move || prop::collection::vec(0..roles, 1..=roles);
        let events =
            prop::collection::vec((0..9_u8, 0..horizon, 1..=horizon, company(), 0..places + 2), 0..6);
        // Few stories meet a goal of higher order on a story as short as these: those have tests of their own.
        let goals = prop::collection::vec((0..4_u8, 0..roles, 1..roles, 0..places + 2), 0..3);
        let goals = prop_oneof![3 => Just(Vec::new()), 1 => goals];
        (ways, events, goals)
            .prop_map(move |(ways, events, goals)| text(characters, roles, horizon, &ways, events, goals))
    })
}

/// A goal: its kind, the mind, how many roles further the target is, a place.
type GoalParts = (u8, usize, usize, usize);

/// An event: its kind, when it begins and how long it lasts, its roles, a place.
type EventParts = (u8, usize, usize, Vec<usize>, usize);

fn text(
    characters: usize,
    roles: usize,
    horizon: usize,
    ways: &[Vec<bool>],
    events: Vec<EventParts>,
    goals: Vec<GoalParts>,
) -> String {
    let places = ways.len();
    let names = |letter: char, count: usize| {
        (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "storysim: 1\nname: random\ncharacters: {{pool: [{}]}}\nroles: [{}]\nstart: {{R0: p1, else: p0}}\n\
         horizon: {horizon}\nbind: {{near: {{next_to: p0}}, far: {{not: [near]}}}}\nplaces:\n",
        names('c', characters),
        names('R', roles)
    );
    for (from, to) in ways.iter().enumerate() {
        let mut next: Vec<usize> = (0..places).filter(|&at| at != from && to[at]).collect();
        if next.is_empty() {
            next.push((from + 1) % places);
        }
        let next: Vec<String> = next.iter().map(|at| format!("p{at}")).collect();
        text.push_str(&format!("  p{from}: [{}]\n", next.join(", ")));
    }
    text.push_str("events:\n");
    let mut forced = Vec::new();
    for (kind, at, length, mut who, place) in events {
        who.sort_unstable();
        who.dedup();
        let place = place_name(places, place);
        let company: Vec<String> = who.iter().map(|role| format!("R{role}")).collect();
        let company = company.join(", ");
        let until = (at + length).min(horizon);
        let window = format!("from: {at}, until: {until}");
        let (one, other) = (who[0], (who[0] + 1) % roles);
        let line = match kind {
            0 => format!("{window}, idle: [{company}]"),
            1 if who.len() > 1 => format!("{window}, apart: [{company}]"),
            2 if who.len() > 1 => format!("{window}, together: [{company}]"),
            3 => format!("{window}, avoid: {{who: [{company}], place: {place}}}"),
            4 => format!("{window}, unseen: {{who: R{one}, by: [R{other}]}}"),
            5 => format!("{window}, follow: {{who: R{one}, whom: R{other}}}"),
            _ if forced.contains(&at) => continue,
            6 if who.len() > 1 => format!("at: {at}, meet: {{who: [{company}], in: {place}}}"),
            7 if who.len() > 1 => format!("at: {at}, meet: {{who: [{company}]}}"),
            _ => format!("at: {at}, move: {{who: R{one}, to: {place}}}"),
        };
        if line.starts_with("at") {
            forced.push(at);
        }
        text.push_str(&format!("- {{{line}}}\n"));
    }
    text.push_str("ensure:\n");
    for (kind, mind, further, place) in goals {
        let chain = format!("[R{mind}, R{}]", (mind + further) % roles);
        text.push_str(&match kind {
            0 => format!("- {{holds: {chain}, in: {}}}\n", place_name(places, place)),
            1 => format!("- {{false_belief: {chain}}}\n"),
            2 => format!("- {{true_belief: {chain}}}\n"),
            _ => format!("- {{unknown: {chain}}}\n"),
        });
    }
    text
}

fn place_name(places: usize, place: usize) -> String {
    match place.checked_sub(places) {
        None => format!("p{place}"),
        Some(0) => "near".to_owned(),
        Some(_) => "far".to_owned(),
    }
}
