//! Random storyboards, as YAML. Shared by the integration tests.

use proptest::prelude::*;

/// Boards of 2 to 6 characters and 2 to 5 places, with forced events and idle windows that may or
/// may not be possible together. All of them are well-formed.
pub fn boards() -> impl Strategy<Value = String> {
    (2..=6_usize, 2..=5_usize, 4..=14_usize).prop_flat_map(|(characters, places, horizon)| {
        let roles = characters.min(4);
        let ways = prop::collection::vec(prop::collection::vec(any::<bool>(), places), places);
        let events = prop::collection::vec(
            (0..3_u8, 0..horizon, 1..=horizon, prop::collection::vec(0..roles, 1..=roles), 0..places + 2),
            0..5,
        );
        (ways, events).prop_map(move |(ways, events)| text(characters, roles, horizon, &ways, events))
    })
}

type EventParts = (u8, usize, usize, Vec<usize>, usize);

fn text(
    characters: usize,
    roles: usize,
    horizon: usize,
    ways: &[Vec<bool>],
    events: Vec<EventParts>,
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
        let place = match place.checked_sub(places) {
            None => format!("p{place}"),
            Some(0) => "near".to_owned(),
            Some(_) => "far".to_owned(),
        };
        let company: Vec<String> = who.iter().map(|role| format!("R{role}")).collect();
        let company = company.join(", ");
        let until = (at + length).min(horizon);
        if kind == 0 {
            text.push_str(&format!("- {{from: {at}, until: {until}, idle: [{company}]}}\n"));
        } else if !forced.contains(&at) {
            forced.push(at);
            if kind == 1 || who.len() < 2 {
                text.push_str(&format!("- {{at: {at}, move: {{who: R{}, to: {place}}}}}\n", who[0]));
            } else {
                text.push_str(&format!("- {{at: {at}, meet: {{who: [{company}], in: {place}}}}}\n"));
            }
        }
    }
    text
}
