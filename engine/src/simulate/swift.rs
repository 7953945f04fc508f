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
use crate::plan::{Draw, Outcome, Outcomes, PackedOutcome, Phase, Plan, Rows, Table};
use crate::rng::{Digits, Stream};
use crate::world::Event;

/// The number of stories that are drawn together.
pub(super) const LANES: usize = 4;

/// The largest number of characters that the fast path can handle.
const CHARACTERS: usize = 1 << u8::BITS;

/// The largest number of ways, over all places, that the fast path can handle.
const WAYS: usize = 1 << 13;

/// The largest number of turns of a set of actors, if all places have the same number of ways.
const TURNS: usize = 1 << 8;

/// How many steps share a draw of the generator if all sets of actors have turns.
const TURNS_A_DRAW: usize = 4;

/// The fast path, with what it needs to know of a plan.
#[derive(Clone, Debug)]
pub(super) struct Swift<'a> {
    plan: &'a Plan,
    /// All ways of the map, by number.
    ways: Box<[Way; WAYS]>,
    /// The spots, indexed by place.
    spots: Vec<Spot>,
    /// The actors, indexed by actor set.
    actors: Vec<Actors>,
    /// Whether all actor sets have turns.
    is_regular: bool,
    /// The number of steps per draw; see [`Plan::turns_a_draw`].
    turns_a_draw: usize,
    /// The tables, by number.
    pending: Vec<Pending<'a>>,
    lanes: [Lane; LANES],
}

/// A place, with the ways out of it.
#[derive(Clone, Copy, Debug)]
struct Spot {
    first_way: u16,
    way_count: u8,
    place: u8,
}

static NO_ROWS: Rows = Rows { width: 0, lines: Vec::new() };

const NOWHERE: Spot = Spot { first_way: 0, way_count: 0, place: 0 };

/// A way from one place to another.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: PlaceId,
    to: PlaceId,
    /// The spot of `to`.
    spot: Spot,
}

/// The characters who may act in a step.
#[derive(Clone, Debug)]
struct Actors {
    who: Box<[u8; CHARACTERS]>,
    /// The number of characters in `who`, or 0.
    count: u32,
    /// Every actor with every way, ordered by actor, if all places have the same number of ways. One digit of a draw is then
    /// as good as two: with d ways, the whole part of n·d·x is d times that of n·x, plus that of d times what is left.
    turns: Box<[Turn; TURNS]>,
    /// The number of turns, or 1 if there are none.
    turn_count: u32,
}

/// The number of a character, and the index of one of the ways out of its place.
type Turn = [u8; 2];

/// A table, for the steps in which a condition is pending.
#[derive(Clone, Debug)]
struct Pending<'a> {
    rows: &'a Rows,
    bystanders: usize,
    table: &'a Table,
    /// A number, not 0, that is the same for all tables whose joint places mean the same.
    layout: usize,
}

/// One story being drawn.
#[derive(Clone, Debug)]
struct Lane {
    stream: Stream,
    /// The rest of the draw that says who goes freely.
    digits: Digits,
    /// The spot of each character.
    spots: [Spot; CHARACTERS],
    /// The joint place of a table's characters, in the layout given by `layout`.
    joint_place: usize,
    /// The layout of the joint place; 0 if the joint place is out of date.
    layout: usize,
    scratch: Scratch,
}

/// Memory for drawing from the weights of a table, which is reused.
#[derive(Clone, Debug, Default)]
struct Scratch {
    places: Vec<PlaceId>,
    outcomes: Outcomes,
}

impl<'a> Swift<'a> {
    /// The fast path for a plan; `None` if the plan is too large for it or has more than walks and tables.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let map = &plan.map;
        let is_small = plan.character_count <= CHARACTERS
            && map.place_count() <= 1 << u8::BITS
            && map.way_count() <= WAYS
            && map.places().all(|place| map.ways(place).len() < usize::from(PackedOutcome::NO_WAY));
        if plan.things().is_some() || !plan.memories.is_empty() || !plan.legs.of_casts.is_empty() || !is_small
        {
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
        let turns_a_draw = plan.turns_a_draw();
        let is_regular = map.places().all(|place| map.ways(place).len() == degree)
            && plan.actor_sets.iter().all(|actors| actors.len() * degree <= TURNS)
            && turns_a_draw == TURNS_A_DRAW;
        let actors = |actors: &Vec<CharacterId>| {
            let numbers = || actors.iter().map(|actor| actor.index() as u8);
            let mut who = Box::new([0; CHARACTERS]);
            who.iter_mut().zip(numbers()).for_each(|(who, actor)| *who = actor);
            let all = numbers().flat_map(|who| (0..degree as u8).map(move |way| [who, way]));
            let mut turns = Box::new([[0; 2]; TURNS]);
            turns.iter_mut().zip(all).for_each(|(own, turn)| *own = turn);
            let turn_count = (actors.len() * degree).max(1) as u32;
            Actors { who, count: actors.len() as u32, turns, turn_count }
        };
        let mut layouts = Vec::new();
        let pending = |table: &'a Table| {
            let layout = layouts.iter().position(|known| *known == &table.characters).unwrap_or_else(|| {
                layouts.push(&table.characters);
                layouts.len() - 1
            });
            let rows = table.rows.as_ref().unwrap_or(&NO_ROWS);
            Pending { rows, bystanders: table.bystanders, table, layout: layout + 1 }
        };
        let lane = Lane {
            stream: Stream::new(0),
            digits: Digits::NONE,
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
            turns_a_draw,
            pending: plan.tables.iter().map(pending).collect(),
            lanes: array::from_fn(|_| lane.clone()),
        })
    }

    /// Draws what happens in stories whose casts have been drawn.
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
        stories: [&mut Story; N],
    ) {
        let Self { plan, ways, spots, actors, pending, lanes, .. } = self;
        let turns_a_draw = if REGULAR { TURNS_A_DRAW } else { self.turns_a_draw };
        let lanes: &mut [Lane; N] = lanes.first_chunk_mut().expect("as many lanes as stories");
        let mut courses = {
            let mut lanes = lanes.each_mut().into_iter();
            let mut streams = streams.into_iter();
            stories.map(|story| {
                let (lane, stream) = lanes.next().zip(streams.next()).expect("as many as stories");
                let cast = &plan.casts[story.cast];
                story.trace.start.clone_from(&cast.start);
                lane.begin(stream, &cast.start, spots);
                let nothing = Event { who: CharacterId::new(0), from: PlaceId::new(0), to: PlaceId::new(0) };
                story.trace.events.resize(plan.horizon, nothing);
                let phases = &cast.phases[..];
                Course { lane, events: &mut story.trace.events, phases, how: How::NotYet }
            })
        };
        let mut step = 0;
        while step < plan.horizon {
            // As far as every lane goes on as it does now.
            let mut until = plan.horizon;
            let mut are_pending = true;
            for course in &mut courses {
                if course.phases[0].until == step {
                    course.phases = &course.phases[1..];
                }
                let phase = course.phases[0];
                until = until.min(phase.until);
                course.how = match phase.draw {
                    Draw::Table(number) => {
                        let table = &pending[number];
                        course.lane.begin_table(table);
                        How::By(table, &actors[table.bystanders])
                    }
                    Draw::Free(set) => How::Freely(&actors[set]),
                    Draw::Legs(_) => unreachable!("a plan without legs"),
                };
                are_pending &= matches!(course.how, How::By(..));
            }
            if are_pending {
                for step in step..until {
                    for Course { lane, events, how, .. } in &mut courses {
                        let How::By(table, bystanders) = how else { unreachable!("all have a table") };
                        lane.begin_step(step, turns_a_draw);
                        lane.move_by::<REGULAR>(plan, table, bystanders, ways, &mut events[step]);
                    }
                }
            } else {
                for Course { lane, events, how, .. } in &mut courses {
                    match how {
                        How::Freely(actors) => {
                            let next = step.next_multiple_of(turns_a_draw).min(until);
                            let (started, fresh) = events[step..until].split_at_mut(next - step);
                            lane.move_freely::<REGULAR>(actors, ways, turns_a_draw, started, fresh);
                        }
                        How::NotYet => unreachable!("set above"),
                        How::By(table, bystanders) => {
                            for step in step..until {
                                lane.begin_step(step, turns_a_draw);
                                lane.move_by::<REGULAR>(plan, table, bystanders, ways, &mut events[step]);
                            }
                        }
                    }
                }
            }
            step = until;
        }
    }
}

/// The progress of one of several stories that are drawn in turn.
struct Course<'s> {
    lane: &'s mut Lane,
    events: &'s mut [Event],
    /// The phases that are not yet drawn.
    phases: &'s [Phase],
    /// How the current phase is drawn.
    how: How<'s>,
}

/// How the steps of a phase are drawn.
#[derive(Clone, Copy)]
enum How<'s> {
    /// No phase has begun.
    NotYet,
    /// One of these actors goes somewhere.
    Freely(&'s Actors),
    /// The table decides, and if it leaves the step to a bystander, one of these goes somewhere.
    By(&'s Pending<'s>, &'s Actors),
}

impl Lane {
    /// Begins a story.
    fn begin(&mut self, stream: Stream, start: &[PlaceId], spots: &[Spot]) {
        self.stream = stream;
        self.layout = 0;
        self.spots.iter_mut().zip(start).for_each(|(own, place)| *own = spots[place.index()]);
    }

    /// Computes the joint place of a table's characters.
    #[inline(always)]
    fn begin_table(&mut self, table: &Pending) {
        if self.layout != table.layout {
            self.layout = table.layout;
            let place = |who: CharacterId| usize::from(self.spots[who.index() % CHARACTERS].place);
            let characters = table.table.characters.iter();
            self.joint_place = characters.map(|character| place(character.who) * character.stride).sum();
        }
    }

    /// Makes a new draw for who goes freely in this step and those after it, if the last draw is used up.
    #[inline(always)]
    fn begin_step(&mut self, step: usize, turns_a_draw: usize) {
        if step.is_multiple_of(turns_a_draw) {
            self.digits = Digits::draw(&mut self.stream);
        }
    }

    /// In each of these steps, a random one of these actors goes to a random neighbouring place. Steps in `started` use
    /// what is left of the last draw, those in `fresh` use new draws.
    #[inline(never)]
    fn move_freely<const REGULAR: bool>(
        &mut self,
        actors: &Actors,
        ways: &[Way; WAYS],
        turns_a_draw: usize,
        started: &mut [Event],
        fresh: &mut [Event],
    ) {
        let mut stream = self.stream.clone();
        let mut digits = self.digits.clone();
        let mut move_by = |digits: &mut Digits, event: &mut Event| {
            let turn = turn::<REGULAR>(&self.spots, actors, digits);
            go(&mut self.spots, turn, ways, event);
        };
        started.iter_mut().for_each(|event| move_by(&mut digits, event));
        let turns_a_draw = if REGULAR { TURNS_A_DRAW } else { turns_a_draw };
        let mut draws = fresh.chunks_exact_mut(turns_a_draw);
        for events in &mut draws {
            digits = Digits::draw(&mut stream);
            events.iter_mut().for_each(|event| move_by(&mut digits, event));
        }
        let rest = draws.into_remainder();
        if !rest.is_empty() {
            digits = Digits::draw(&mut stream);
            rest.iter_mut().for_each(|event| move_by(&mut digits, event));
        }
        self.digits = digits;
        self.stream = stream;
        self.layout = 0;
    }

    /// Draws the event according to how likely the conditions are after it.
    #[inline(always)]
    fn move_by<const REGULAR: bool>(
        &mut self,
        plan: &Plan,
        table: &Pending,
        bystanders: &Actors,
        ways: &[Way; WAYS],
        event: &mut Event,
    ) {
        let bystander = turn::<REGULAR>(&self.spots, bystanders, &mut self.digits);
        let draw = self.stream.next_u64();
        let (turn, next) = match table.rows.find(self.joint_place, draw) {
            Some(outcome) => ([outcome.who, outcome.way], usize::from(outcome.next)),
            None => self.find_slowly(plan, table.table, draw),
        };
        self.joint_place = next;
        let is_bystander = turn[1] == PackedOutcome::NO_WAY;
        let [turn, bystander] = [turn, bystander].map(u16::from_le_bytes);
        let turn = select_unpredictable(is_bystander, bystander, turn).to_le_bytes();
        go(&mut self.spots, turn, ways, event);
    }

    /// What a draw makes happen if it falls on a limit, or if no rows are worked out: who goes, which way, and the joint
    /// place that it leads to.
    #[cold]
    #[inline(never)]
    fn find_slowly(&mut self, plan: &Plan, table: &Table, draw: u64) -> (Turn, usize) {
        let Scratch { places, outcomes } = &mut self.scratch;
        let everyone = &self.spots[..plan.character_count];
        places.clear();
        places.extend(everyone.iter().map(|spot| PlaceId::new(usize::from(spot.place))));
        let bystander_count = plan.actor_sets[table.bystanders].len();
        let (outcome, next) = table.weigh(places, &plan.map, bystander_count, draw, outcomes);
        match outcome {
            Outcome::Move(who, to) => {
                let way = plan.map.way_number(places[who.index()], to).expect("there is a way");
                ([who.index() as u8, way], next)
            }
            _ => ([0, PackedOutcome::NO_WAY], next),
        }
    }
}

/// A random one of these actors and a random way out of its place, from the next two digits. If there are no actors, the
/// result must not be used, and takes no digit.
#[inline(always)]
fn turn<const REGULAR: bool>(spots: &[Spot; CHARACTERS], actors: &Actors, digits: &mut Digits) -> Turn {
    if REGULAR {
        return actors.turns[digits.below(actors.turn_count) as usize % TURNS];
    }
    if actors.count == 0 {
        return [0; 2];
    }
    let who = actors.who[usize::from(digits.below(actors.count) as u8)];
    let ways = spots[usize::from(who)].way_count;
    [who, digits.below(u32::from(ways)) as u8]
}

#[inline(always)]
fn go(spots: &mut [Spot; CHARACTERS], [who, way]: Turn, ways: &[Way; WAYS], event: &mut Event) {
    let spot = &mut spots[usize::from(who)];
    let way = &ways[(usize::from(spot.first_way) + usize::from(way)) % WAYS];
    *spot = way.spot;
    event.who = CharacterId::new(usize::from(who));
    event.from = way.from;
    event.to = way.to;
}
