//! Signs of who met whom, and when: added up, and move by move. With them begins the following of minds.

use super::{ago, number, ranks};
use crate::audit::stays::Stay;

pub const NAMES: [&str; 9] = [
    "times together there",
    "events since together there",
    "first time together there",
    "time together there",
    "rank by when together there",
    "arrivals seen",
    "events since an arrival was seen",
    "events since a departure was seen",
    "rank by when an arrival was seen",
];

pub const GATHERING_NAMES: [&str; 4] = [
    "events since all were there",
    "rank by when all were there",
    "events since all saw it come",
    "rank by when all saw it come",
];

/// How many moves of these people are looked at one by one: the last ones.
pub const MOVES_MAX: usize = 64;

/// That the target came to a place, and who saw it. Four bytes, since a sample has millions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// How many moves of these people came after it; fewer than [`MOVES_MAX`].
    pub moves_since: u8,
    /// The mind whose owner saw it, 0 for the outermost; `None` for all of several.
    pub mind: Option<u8>,
    /// The choice that the place is.
    pub choice: u8,
}

/// What two people have had in common in one place.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    count: usize,
    first: Option<usize>,
    last: Option<usize>,
    time: usize,
    /// How often, and when last, the second saw the first come, or leave.
    arrivals: usize,
    arrival: Option<usize>,
    departure: Option<usize>,
}

/// Meetings of some people, the target first.
pub struct Meetings {
    steps: usize,
    choices: usize,
    /// For each pair, in order, and each choice.
    pairs: Vec<(usize, usize, Vec<Meeting>)>,
    /// For each choice, when all were last there, and when all saw the target come.
    all: Vec<[Option<usize>; 2]>,
    /// The number of moves so far.
    moves: usize,
    /// For each move of the target that somebody saw: its number, who saw it, and the choice where it led.
    seen: Vec<(usize, Option<u8>, u8)>,
}

impl Meetings {
    /// Goes through the stays of all of them together.
    pub fn of(walks: &[Vec<Stay>], steps: usize, choices: usize) -> Self {
        let count = walks.len();
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let pairs = pairs.map(|(one, other)| (one, other, vec![Meeting::default(); choices])).collect();
        let all = vec![[None; 2]; choices];
        let mut meetings = Self { steps, choices, pairs, all, moves: 0, seen: Vec::new() };
        let arrivals = |who: usize| walks[who].iter().map(move |stay| (stay.from, who, *stay));
        let mut arrivals: Vec<(usize, usize, Stay)> = (0..count).flat_map(arrivals).collect();
        arrivals.sort_by_key(|&(from, who, _)| (from, who));
        let mut now: Vec<Option<Stay>> = vec![None; count];
        let moments: Vec<_> = arrivals.chunk_by(|one, other| one.0 == other.0).collect();
        for (at, moment) in moments.iter().enumerate() {
            let before = now.clone();
            for &(_, who, stay) in *moment {
                now[who] = Some(stay);
            }
            let until = moments.get(at + 1).map_or(steps, |next| next[0].0);
            meetings.note(&before, &now, moment[0].0, until);
        }
        meetings
    }

    /// Notes a moment, which lasts from one event until another.
    fn note(&mut self, before: &[Option<Stay>], now: &[Option<Stay>], from: usize, until: usize) {
        let room = |stay: Option<Stay>| stay.and_then(|stay| stay.room);
        let are_together = |at: &[Option<Stay>], one: usize, other: usize| {
            room(at[one]).is_some() && room(at[one]) == room(at[other])
        };
        // Whoever is where somebody comes from or goes to sees it.
        let sees =
            |one: usize, other: usize| are_together(before, one, other) || are_together(now, one, other);
        let choice = |stay: Option<Stay>| stay.and_then(|stay| stay.choice);
        for (one, other, meetings) in &mut self.pairs {
            let (one, other) = (*one, *other);
            if let Some(choice) = choice(now[one]).filter(|_| are_together(now, one, other)) {
                let meeting = &mut meetings[choice];
                let is_new = !are_together(before, one, other) || before[one] != now[one];
                meeting.count += usize::from(is_new);
                meeting.first = meeting.first.or(Some(from));
                meeting.last = Some(until);
                meeting.time += until.saturating_sub(from);
            }
            if before[one] != now[one] && sees(one, other) {
                if let Some(choice) = choice(now[one]) {
                    meetings[choice].arrivals += 1;
                    meetings[choice].arrival = Some(from);
                }
                if let Some(choice) = choice(before[one]) {
                    meetings[choice].departure = Some(from);
                }
            }
        }
        self.moves += 1;
        let Some(choice) = choice(now[0]) else { return };
        if (1..now.len()).all(|other| are_together(now, 0, other)) {
            self.all[choice][0] = Some(until);
        }
        if before[0] == now[0] {
            return;
        }
        let who_saw = (1..now.len()).filter(|&other| sees(0, other));
        let mut seen: Vec<Option<u8>> = who_saw.map(|other| Some(other as u8 - 1)).collect(); // at most MINDS_MAX
        if seen.len() == now.len() - 1 {
            self.all[choice][1] = Some(from);
            seen.extend((seen.len() > 1).then_some(None));
        }
        self.seen.extend(seen.into_iter().map(|mind| (self.moves, mind, choice as u8))); // at most CHOICES_MAX
    }

    /// The arrivals of the target that were seen, of the last moves, in order.
    pub fn arrivals(&self) -> Vec<Arrival> {
        let arrival = |&(number, mind, choice): &(usize, Option<u8>, u8)| {
            let moves_since = self.moves - number;
            (moves_since < MOVES_MAX).then_some(Arrival { moves_since: moves_since as u8, mind, choice })
        };
        self.seen.iter().filter_map(arrival).collect()
    }

    /// The signs of every choice, pair by pair.
    pub fn pairs(&self) -> impl Iterator<Item = Vec<[i16; NAMES.len()]>> + '_ {
        self.pairs.iter().map(|(_, _, meetings)| {
            let by_last = ranks(&meetings.iter().map(|meeting| meeting.last).collect::<Vec<_>>());
            let by_arrival = ranks(&meetings.iter().map(|meeting| meeting.arrival).collect::<Vec<_>>());
            let sign = |(at, meeting): (usize, &Meeting)| {
                [
                    meeting.count,
                    ago(self.steps, meeting.last),
                    meeting.first.unwrap_or(self.steps.saturating_add(1)),
                    meeting.time,
                    by_last[at],
                    meeting.arrivals,
                    ago(self.steps, meeting.arrival),
                    ago(self.steps, meeting.departure),
                    by_arrival[at],
                ]
                .map(number)
            };
            meetings.iter().enumerate().map(sign).collect()
        })
    }

    /// The signs of every choice, of all together.
    pub fn gathering(&self) -> Vec<[i16; GATHERING_NAMES.len()]> {
        let [by_there, by_seen] =
            [0, 1].map(|which| ranks(&self.all.iter().map(|all| all[which]).collect::<Vec<_>>()));
        let sign = |at: usize| {
            let [there, seen] = self.all[at];
            [ago(self.steps, there), by_there[at], ago(self.steps, seen), by_seen[at]].map(number)
        };
        (0..self.choices).map(sign).collect()
    }
}
