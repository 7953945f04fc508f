//! The second definition of belief, by possible histories, against the trackers of the first.
//!
//! They agree on whatever one person believes, in every detail, and on what she takes another to believe. Beyond, one of
//! them may leave open what the other says, but they never say two different things. `docs/belief.md` says where they
//! part and why; each kind is pinned below.

use std::mem::discriminant;
use std::ops::AddAssign;

use storysim::belief::worlds::Worlds;
use storysim::belief::{Chain, DeedTracker, Held, Source, Tracker};
use storysim::fuzzing::story_with_deeds;
use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use storysim::trace::Trace;
use storysim::world::{Act, Container, Deed, Distraction, Event, Item, Stage, Thing, Value};

mod minds;

use minds::{chains, characters, items};

const ORDER_MAX: usize = 3;

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// A story of two to four people who do up to eight moves between two to four places.
fn walk(number: u64) -> Trace {
    let mut draw = Draw(number << 20);
    let (people, places) = (2 + draw.below(3), 2 + draw.below(3));
    let start: Vec<usize> = (0..people).map(|_| draw.below(places)).collect();
    let moves = (0..draw.below(9)).map(|_| (draw.below(people), draw.below(places - 1)));
    trace_of(&start, moves.collect::<Vec<_>>(), places)
}

/// A story of moves; each is of someone, to the place so many after the next one.
fn trace_of(start: &[usize], moves: impl IntoIterator<Item = (usize, usize)>, places: usize) -> Trace {
    let mut at = start.to_vec();
    let event = |(who, by): (usize, usize)| {
        let to = (at[who] + 1 + by) % places;
        let from = std::mem::replace(&mut at[who], to);
        Event { who: CharacterId::new(who), from: PlaceId::new(from), to: PlaceId::new(to) }
    };
    let events = moves.into_iter().map(event).collect();
    Trace::of_moves(start.iter().map(|&place| PlaceId::new(place)).collect(), events)
}

/// A story in which all kinds of things are done.
fn deeds(number: u64) -> Trace {
    let mut draw = Draw(number << 20);
    let length = 20 + draw.below(60);
    let bytes: Vec<u8> = (0..length).map(|_| draw.below(256) as u8).collect();
    story_with_deeds(&bytes)
}

/// What the trackers say.
fn tracked(trace: &Trace, minds: &[CharacterId], item: Item) -> Held {
    let chain = Chain::new(minds, item);
    let mut deeds = DeedTracker::new(chain.clone());
    deeds.start(trace);
    for (step, &event) in trace.events.iter().enumerate() {
        deeds.apply(event, &trace.deeds.get(step).cloned().unwrap_or_default());
    }
    let held = deeds.held();
    if !trace.has_deeds() && trace.stage == Stage::default() {
        let mut tracker = Tracker::new(chain, trace.start.len());
        tracker.start(&trace.start);
        trace.events.iter().for_each(|&event| {
            tracker.apply(event);
        });
        assert_eq!(held.value(), tracker.answer().map(Value::Place), "{minds:?} about {item:?} of {trace:?}");
    }
    held
}

/// How often both definitions say the same of chains of an order.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    pairs: usize,
    /// Both leave it open, one because she has no idea, the other because one cannot tell what she has.
    other_reason: usize,
    /// The definition says something and histories leave it open.
    open_in_histories: usize,
    /// The other way round.
    open_in_definition: usize,
    /// There were too many histories.
    refused: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.other_reason += other.other_reason;
        self.open_in_histories += other.open_in_histories;
        self.open_in_definition += other.open_in_definition;
        self.refused += other.refused;
    }
}

impl Tally {
    fn part(&self) -> usize {
        self.open_in_histories + self.open_in_definition
    }
}

fn has_noticed_distraction(trace: &Trace) -> bool {
    trace.deeds.iter().any(|deed| deed.distracted.iter().any(|missing| missing.is_noticed))
}

/// Compares all chains of minds about all items, by order.
fn compare(trace: &Trace) -> [Tally; ORDER_MAX] {
    let mut worlds = Worlds::new(trace);
    let mut tallies = [Tally::default(); ORDER_MAX];
    for minds in chains(&characters(trace).collect::<Vec<_>>(), ORDER_MAX) {
        let order = minds.len();
        let tally = &mut tallies[order - 1];
        for item in items(trace) {
            let held = tracked(trace, &minds, item);
            tally.pairs += 1;
            let Ok(plausible) = worlds.held(&minds, item) else {
                tally.refused += 1;
                continue;
            };
            let context = || format!("{minds:?} about {item:?} of {trace:?}");
            match (held.value(), plausible.value()) {
                (Some(tracked), Some(plausible)) => assert_eq!(tracked, plausible, "{}", context()),
                (None, None) => {
                    tally.other_reason += usize::from(discriminant(&held) != discriminant(&plausible));
                }
                (Some(_), None) => tally.open_in_histories += 1,
                (None, Some(_)) => tally.open_in_definition += 1,
            }
            match order {
                1 => assert_eq!(held, plausible, "{}", context()),
                2 if !has_noticed_distraction(trace) => {
                    assert_eq!(held.value(), plausible.value(), "{}", context());
                }
                _ => {}
            }
        }
    }
    tallies
}

/// Compares stories until there are so many pairs of a story and a chain (with its target).
fn compare_many(pairs_wanted: usize, story: impl Fn(u64) -> Trace) -> [Tally; ORDER_MAX] {
    let mut tallies = [Tally::default(); ORDER_MAX];
    let mut number = 0;
    while tallies.iter().map(|tally| tally.pairs).sum::<usize>() < pairs_wanted {
        for (sum, tally) in tallies.iter_mut().zip(compare(&story(number))) {
            *sum += tally;
        }
        number += 1;
    }
    for (order, tally) in tallies.iter().enumerate() {
        println!("order {}: {tally:?}", order + 1);
    }
    println!("{number} stories");
    tallies
}

/// As many as `WORLDS_PAIRS` says.
fn pairs_wanted() -> usize {
    std::env::var("WORLDS_PAIRS").map_or(60_000, |pairs| pairs.parse().expect("a number"))
}

#[test]
fn walks_are_believed_alike() {
    let [first, second, third] = compare_many(pairs_wanted(), walk);
    assert_eq!((first.part(), first.refused, second.part(), second.refused), (0, 0, 0, 0));
    assert_eq!(third.open_in_definition, 0);
    assert!(third.open_in_histories * 200 < third.pairs && third.refused * 1000 < third.pairs, "{third:?}");
}

#[test]
fn stories_with_deeds_are_believed_alike() {
    let [first, second, third] = compare_many(pairs_wanted(), deeds);
    assert_eq!(first.part(), 0);
    assert!(second.part() * 1000 < second.pairs && third.part() * 500 < third.pairs, "{second:?} {third:?}");
    assert!((second.refused + third.refused) * 200 < third.pairs, "{second:?} {third:?}");
}

/// All stories of four moves of three people in three places, who start in one, in two, or in three of them.
#[test]
fn every_short_walk_is_believed_alike() {
    let mut pairs = 0;
    for start in [[0, 0, 0], [0, 0, 1], [0, 1, 2]] {
        for number in 0..6_usize.pow(4) {
            let moves = (0..4).map(|at| number / 6_usize.pow(at) % 6).map(|one| (one / 2, one % 2));
            let trace = trace_of(&start, moves, 3);
            let tallies = compare(&trace);
            assert_eq!(tallies.iter().map(|tally| tally.refused).sum::<usize>(), 0, "{trace:?}");
            pairs += tallies.iter().map(|tally| tally.pairs).sum::<usize>();
        }
    }
    assert_eq!(pairs, 3 * 1296 * (3 + 6 + 12) * 3);
}

fn seen(place: usize) -> Held {
    Held::Known(Value::Place(PlaceId::new(place)), Source::Seen)
}

/// What both definitions hold of a chain.
fn both(trace: &Trace, minds: &[usize], item: Item) -> (Held, Held) {
    let minds: Vec<CharacterId> = minds.iter().map(|&who| CharacterId::new(who)).collect();
    let plausible = Worlds::new(trace).held(&minds, item).expect("a small story");
    (tracked(trace, &minds, item), plausible)
}
