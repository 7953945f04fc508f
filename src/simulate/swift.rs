//! The fast path: the same walks as the plain one, draw by draw.
//!
//! What the plain path looks up in lists of lists lies here in small arrays whose bounds are known, so that a step
//! takes a few dozen instructions and no branch that depends on what is drawn. Steps in which a condition is pending
//! hang on one another: each needs the joint place that the last one led to. So those of several stories, the
//! *lanes*, are drawn in turn.
//!
//! It is for maps and companies of usual size. [`super::Simulator::plainly`] is what to check it against, as the
//! tests do.

use std::array;
use std::hint::select_unpredictable;

use rand::Rng;

use super::Story;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Draw, Outcome, Outcomes, PackedOutcome, Plan, Table};
use crate::rng::Stream;
use crate::world::Event;

/// So many stories are drawn at once.
pub(super) const LANES: usize = 4;

/// The largest number of characters.
const CHARACTERS: usize = 1 << u8::BITS;

/// The largest number of ways, of all places together.
const WAYS: usize = 1 << 13;

/// The largest number of turns that a set of actors can have, if all places have as many ways.
const TURNS: usize = 1 << 10;

/// What the fast path needs to know of a plan.
#[derive(Clone, Debug)]
pub(super) struct Swift<'a> {
    plan: &'a Plan,
    /// All ways, by number.
    ways: Box<[Way; WAYS]>,
    /// By place.
    spots: Vec<Spot>,
    /// By the number of the set of actors.
    actors: Vec<Actors>,
    /// Whether all of these have turns.
    is_regular: bool,
    /// By the number of the table.
    pending: Vec<Pending<'a>>,
    lanes: [Lane; LANES],
}

/// A place, with where one can go from there.
#[derive(Clone, Copy, Debug)]
struct Spot {
    first_way: u16,
    way_count: u8,
    place: u8,
}

const NOWHERE: Spot = Spot { first_way: 0, way_count: 0, place: 0 };

/// One way.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: PlaceId,
    to: PlaceId,
    /// That of `to`.
    spot: Spot,
}

/// Those who may act in a step.
#[derive(Clone, Debug)]
struct Actors {
    who: [u8; CHARACTERS],
    count: u32,
    /// Where all places have as many ways: every actor with every way, the actor first. One digit of a draw is then as
    /// good as two: with d ways, the whole part of n·d·x is d times that of n·x, plus that of d times what is left.
    turns: Box<[(u8, u8); TURNS]>,
    turn_count: u32,
}

/// A table, for the steps in which a condition is pending.
#[derive(Clone, Debug)]
struct Pending<'a> {
    table: &'a Table,
    /// The same number for all tables whose joint places mean the same; not 0.
    layout: usize,
}

/// One story in the making.
#[derive(Clone, Debug)]
struct Lane {
    stream: Stream,
    /// Where everyone is.
    spots: [Spot; CHARACTERS],
    /// The joint place of the characters of a table,
    joint_place: usize,
    /// which has this layout. 0 if it is of no use any more.
    layout: usize,
    scratch: Scratch,
}

/// What it takes to draw from the weights of a table. Used again and again.
#[derive(Clone, Debug, Default)]
struct Scratch {
    places: Vec<PlaceId>,
    outcomes: Outcomes,
}

impl<'a> Swift<'a> {
    /// None if there is too much of something, or more to it than walks and tables.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let map = &plan.map;
        let is_small = plan.character_count <= CHARACTERS
            && map.place_count() <= 1 << u8::BITS
            && map.way_count() <= WAYS
            && map.places().all(|place| map.ways(place).len() < usize::from(PackedOutcome::NO_WAY));
        if plan.things().is_some() || !plan.memories.is_empty() || !plan.legs.runs.is_empty() || !is_small {
            return None;
        }
        let spot = |place: PlaceId| Spot {
            first_way: map.first_way(place) as u16,
            way_count: map.ways(place).len() as u8,
            place: place.index() as u8,
        };
        let nowhere = PlaceId::new(0);
        let mut ways = Box::new([Way { from: nowhere, to: nowhere, spot: NOWHERE }; WAYS]);
        let all = map.places().flat_map(|from| map.ways(from).iter().map(move |&to| (from, to)));
        for (way, (from, to)) in ways.iter_mut().zip(all) {
            *way = Way { from, to, spot: spot(to) };
        }
        let degree = map.ways(nowhere).len();
        let is_regular = map.places().all(|place| map.ways(place).len() == degree)
            && plan.actor_sets.iter().all(|actors| actors.len() * degree <= TURNS);
        let actors = |actors: &Vec<CharacterId>| {
            let numbers = || actors.iter().map(|actor| actor.index() as u8);
            let mut who = [0; CHARACTERS];
            who.iter_mut().zip(numbers()).for_each(|(who, actor)| *who = actor);
            let all = numbers().flat_map(|who| (0..degree as u8).map(move |way| (who, way)));
            let mut turns = Box::new([(0, 0); TURNS]);
            turns.iter_mut().zip(all).for_each(|(own, turn)| *own = turn);
            let turn_count = (actors.len() * degree) as u32;
            Actors { who, count: actors.len() as u32, turns, turn_count }
        };
        let mut layouts = Vec::new();
        let pending = |table: &'a Table| {
            let layout = layouts.iter().position(|known| *known == &table.characters).unwrap_or_else(|| {
                layouts.push(&table.characters);
                layouts.len() - 1
            });
            Pending { table, layout: layout + 1 }
        };
        let lane = Lane {
            stream: Stream::new(0),
            spots: [NOWHERE; CHARACTERS],
            joint_place: 0,
            layout: 0,
            scratch: Scratch::default(),
        };
        Some(Self {
            plan,
            ways,
            spots: map.places().map(spot).collect(),
            actors: plan.actor_sets.iter().map(actors).collect(),
            is_regular,
            pending: plan.tables.iter().map(pending).collect(),
            lanes: array::from_fn(|_| lane.clone()),
        })
    }

    /// Draws what happens in stories whose casts are drawn.
    pub fn draw<const N: usize>(&mut self, streams: [Stream; N], stories: [&mut Story; N]) {
        if self.is_regular {
            self.draw_by::<N, true>(streams, stories);
        } else {
            self.draw_by::<N, false>(streams, stories);
        }
    }

    fn draw_by<const N: usize, const REGULAR: bool>(
        &mut self,
        streams: [Stream; N],
        mut stories: [&mut Story; N],
    ) {
        let Self { plan, ways, spots, actors, pending, lanes, .. } = self;
        let lanes: &mut [Lane; N] = lanes.first_chunk_mut().expect("as many lanes as stories");
        let mut phases = stories.each_ref().map(|story| &plan.casts[story.cast].phases[..]);
        for ((lane, stream), story) in lanes.iter_mut().zip(streams).zip(&mut stories) {
            let start = &plan.casts[story.cast].start;
            story.trace.start.clone_from(start);
            lane.spots.iter_mut().zip(start).for_each(|(own, place)| *own = spots[place.index()]);
            lane.layout = 0;
            lane.stream = stream;
            let nothing = Event { who: CharacterId::new(0), from: PlaceId::new(0), to: PlaceId::new(0) };
            story.trace.events.resize(plan.horizon, nothing);
        }
        let mut events = stories.map(|story| &mut story.trace.events[..]);
        let mut tables: [Option<&Pending>; N] = [None; N];
        let mut step = 0;
        while step < plan.horizon {
            // As far as every lane goes on as it does now.
            let mut until = plan.horizon;
            let mut are_pending = true;
            for ((lane, table), phases) in lanes.iter_mut().zip(&mut tables).zip(&phases) {
                until = until.min(phases[0].until);
                *table = None;
                if let Draw::Table(number) = phases[0].draw {
                    *table = Some(&pending[number]);
                    lane.begin(&pending[number]);
                }
                are_pending &= table.is_some();
            }
            if are_pending {
                for step in step..until {
                    for ((lane, table), events) in lanes.iter_mut().zip(&tables).zip(&mut events) {
                        let table = table.expect("all have one");
                        let bystanders = &actors[table.table.bystanders];
                        lane.move_by::<REGULAR>(plan, table, bystanders, ways, &mut events[step]);
                    }
                }
            } else {
                for (((lane, table), events), phases) in
                    lanes.iter_mut().zip(&tables).zip(&mut events).zip(&phases)
                {
                    let events = &mut events[step..until];
                    match (phases[0].draw, table) {
                        (Draw::Free(set), _) => lane.move_freely::<REGULAR>(&actors[set], ways, events),
                        (_, Some(table)) => {
                            let bystanders = &actors[table.table.bystanders];
                            for event in events {
                                lane.move_by::<REGULAR>(plan, table, bystanders, ways, event);
                            }
                        }
                        (_, None) => unreachable!("a plan without legs"),
                    }
                }
            }
            step = until;
            for phases in &mut phases {
                if phases[0].until == until {
                    *phases = &phases[1..];
                }
            }
        }
    }
}

impl Lane {
    /// Finds the joint place of a table's characters.
    #[inline(always)]
    fn begin(&mut self, table: &Pending) {
        if self.layout != table.layout {
            self.layout = table.layout;
            let place = |who: CharacterId| usize::from(self.spots[who.index() % CHARACTERS].place);
            let characters = table.table.characters.iter();
            self.joint_place = characters.map(|character| place(character.who) * character.stride).sum();
        }
    }

    /// Someone of these goes somewhere, both uniformly.
    #[inline(never)]
    fn move_freely<const REGULAR: bool>(
        &mut self,
        actors: &Actors,
        ways: &[Way; WAYS],
        events: &mut [Event],
    ) {
        let mut stream = self.stream.clone();
        for event in events {
            let (who, way) = turn::<REGULAR>(&self.spots, actors, &mut stream);
            *event = go(&mut self.spots, who, way, ways);
        }
        self.stream = stream;
        self.layout = 0;
    }

    /// The event is drawn by how likely it leaves the conditions.
    #[inline(always)]
    fn move_by<const REGULAR: bool>(
        &mut self,
        plan: &Plan,
        table: &Pending,
        bystanders: &Actors,
        ways: &[Way; WAYS],
        event: &mut Event,
    ) {
        let mut stream = self.stream.clone();
        let draw = stream.next_u64();
        let rows = table.table.rows.as_ref();
        let found = rows.and_then(|rows| rows.find(self.joint_place, draw));
        let (who, way, next) = match found {
            Some(outcome) => (outcome.who, outcome.way, usize::from(outcome.next)),
            None => self.find_slowly(plan, table.table, draw),
        };
        self.joint_place = next;
        // What a bystander would do is drawn in any case, and forgotten if it is none.
        let mut beyond = stream.clone();
        let (bystander, bystander_way) = turn::<REGULAR>(&self.spots, bystanders, &mut beyond);
        let is_bystander = way == PackedOutcome::NO_WAY;
        let who = select_unpredictable(is_bystander, bystander, who);
        let way = select_unpredictable(is_bystander, bystander_way, way);
        self.stream = select_unpredictable(is_bystander, beyond, stream);
        *event = go(&mut self.spots, who, way, ways);
    }

    /// What a draw makes happen that falls on a limit, or where no rows are worked out: who goes, which way, and the
    /// joint place that it leads to.
    #[cold]
    #[inline(never)]
    fn find_slowly(&mut self, plan: &Plan, table: &Table, draw: u64) -> (u8, u8, usize) {
        let Scratch { places, outcomes } = &mut self.scratch;
        let everyone = &self.spots[..plan.character_count];
        places.clear();
        places.extend(everyone.iter().map(|spot| PlaceId::new(usize::from(spot.place))));
        let bystander_count = plan.actor_sets[table.bystanders].len();
        let (outcome, next) = table.weigh(places, &plan.map, bystander_count, draw, outcomes);
        match outcome {
            Outcome::Move(who, to) => {
                let way = plan.map.way_number(places[who.index()], to).expect("there is a way");
                (who.index() as u8, way, next)
            }
            _ => (0, PackedOutcome::NO_WAY, next),
        }
    }
}

/// Someone of these, and which of the ways from where she is: from one draw of the generator, as two digits (see
/// [`crate::rng::Digits`]).
#[inline(always)]
fn turn<const REGULAR: bool>(spots: &[Spot; CHARACTERS], actors: &Actors, stream: &mut Stream) -> (u8, u8) {
    let draw = u128::from(stream.next_u64());
    if REGULAR {
        let digit = (draw * u128::from(actors.turn_count)) >> 64;
        return actors.turns[digit as usize % TURNS];
    }
    let product = draw * u128::from(actors.count);
    let who = actors.who[usize::from((product >> 64) as u8)];
    let ways = u128::from(spots[usize::from(who)].way_count);
    (who, ((u128::from(product as u64) * ways) >> 64) as u8)
}

#[inline(always)]
fn go(spots: &mut [Spot; CHARACTERS], who: u8, way: u8, ways: &[Way; WAYS]) -> Event {
    let way = ways[(usize::from(spots[usize::from(who)].first_way) + usize::from(way)) % WAYS];
    spots[usize::from(who)] = way.spot;
    Event { who: CharacterId::new(usize::from(who)), from: way.from, to: way.to }
}
