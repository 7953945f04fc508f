//! Signs of one walk, and of two on one clock: where somebody was, when and how long. Who met whom is in `meetings.rs`.

use super::{ago, difference, number, ranks};
use crate::audit::stays::Stay;

pub const NAMES: [&str; 20] = [
    "times it came there",
    "events since it left",
    "events since it came last",
    "event at which it came first",
    "time there",
    "longest stay",
    "last stay",
    "places since",
    "moves since",
    "events since it came before",
    "events since it left before",
    "rank by time there",
    "rank by longest stay",
    "rank by last stay",
    "rank by when it came first",
    "rank by times it came",
    "first stay",
    "events",
    "moves",
    "events since it moved",
];

pub const CLOCK_NAMES: [&str; 4] = [
    "when the other left, against it",
    "when the other came, against it",
    "visits of the other since",
    "left and not visited since",
];

/// The visits of somebody to one place.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    count: usize,
    first: Option<Stay>,
    last: Option<Stay>,
    before: Option<Stay>,
    time: usize,
    longest: usize,
    /// How many moves, and to how many other places, came after the last stay.
    moves_since: usize,
    places_since: usize,
}

fn visits(stays: &[Stay], choices: usize) -> Vec<Visit> {
    let mut visits =
        vec![Visit { moves_since: stays.len(), places_since: choices, ..Visit::default() }; choices];
    let mut places_since = 0;
    for (moves_since, stay) in stays.iter().rev().enumerate() {
        let Some(choice) = stay.choice else { continue };
        let visit = &mut visits[choice];
        match visit.count {
            0 => {
                (visit.last, visit.moves_since, visit.places_since) =
                    (Some(*stay), moves_since, places_since);
                places_since += 1;
            }
            1 => visit.before = Some(*stay),
            _ => {}
        }
        visit.count += 1;
        visit.first = Some(*stay);
        visit.time += stay.length();
        visit.longest = visit.longest.max(stay.length());
    }
    visits
}

/// The signs of every choice, from the stays of one person or thing.
pub fn signs(stays: &[Stay], steps: usize, choices: usize) -> Vec<[i16; NAMES.len()]> {
    let visits = visits(stays, choices);
    let length = |stay: Option<Stay>| stay.map_or(0, |stay| stay.length());
    let from = |stay: Option<Stay>| stay.map(|stay| stay.from);
    let until = |stay: Option<Stay>| stay.map(|stay| stay.until);
    let rank = |of: &dyn Fn(&Visit) -> usize| ranks(&visits.iter().map(of).collect::<Vec<_>>());
    let (by_time, by_longest) = (rank(&|visit| visit.time), rank(&|visit| visit.longest));
    let (by_last, by_count) = (rank(&|visit| length(visit.last)), rank(&|visit| visit.count));
    let by_first = rank(&|visit| from(visit.first).unwrap_or(steps.saturating_add(1)));
    let sign = |at: usize| {
        let visit = visits[at];
        [
            visit.count,
            ago(steps, until(visit.last)),
            ago(steps, from(visit.last)),
            from(visit.first).unwrap_or(steps.saturating_add(1)),
            visit.time,
            visit.longest,
            length(visit.last),
            visit.places_since,
            visit.moves_since,
            ago(steps, from(visit.before)),
            ago(steps, until(visit.before)),
            by_time[at],
            by_longest[at],
            by_last[at],
            by_first[at],
            by_count[at],
            length(visit.first),
            steps,
            stays.len(),
            ago(steps, from(stays.last().copied())),
        ]
        .map(number)
    };
    (0..choices).map(sign).collect()
}

/// A time, however long a story says it is.
fn clamped(time: usize) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// When the other was in a place, against when one left it.
pub fn clock(one: &[Stay], other: &[Stay], steps: usize, choices: usize) -> Vec<[i16; CLOCK_NAMES.len()]> {
    let (visits, others) = (visits(one, choices), visits(other, choices));
    let time = |visit: &Visit, of: fn(Stay) -> usize| visit.last.map_or(-1, |stay| clamped(of(stay)));
    let left: Vec<i64> = visits.iter().map(|visit| time(visit, |stay| stay.until)).collect();
    let mut since = vec![0; choices];
    for stay in other {
        if let Some(choice) = stay.choice.filter(|&choice| clamped(stay.until) > left[choice]) {
            since[choice] += 1;
        }
    }
    let sign = |at: usize| {
        let is_gone = left[at] >= 0 && left[at] < clamped(steps);
        [
            difference(time(&others[at], |stay| stay.until), left[at]),
            difference(time(&others[at], |stay| stay.from), left[at]),
            number(since[at]),
            i16::from(is_gone && since[at] == 0),
        ]
    };
    (0..choices).map(sign).collect()
}
