//! Draws stories from a plan. Who goes where cannot fail: compiling has proven every draw. What people do
//! besides (`simulate/deeds.rs`) the tables do not know, so a story with deeds may have to be drawn again.
//!
//! A story follows from the plan, the seed and its index alone. Costs O(1) a step, and O(outcomes)
//! for the steps in which a condition is pending.

mod deeds;
mod legs;
mod lives;
mod swift;

use std::ops::Range;
use std::{array, mem};

use rand::Rng;

use crate::id::{CharacterId, PlaceId};
use crate::plan::{Draw, Outcome, Outcomes, Plan, Table, Weight};
use crate::rng::{Digits, Purpose, Stream, StreamKey, below, sample_to_front};
use crate::trace::Trace;
use crate::world::{Event, Stage};
use deeds::Performer;
pub(crate) use deeds::attend;
use lives::LivesPlan;
use swift::{LANES, Swift};

/// One story: who plays it, where, and what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The number of the story.
    pub index: u64,
    /// The index of its cast in [`Plan::casts`].
    pub cast: usize,
    /// The name of each character, as an index into [`Plan::pool`].
    pub names: Vec<usize>,
    /// The events of the story.
    pub trace: Trace,
    /// How many steps there are before what the storyboard tells; others go about in them.
    pub before: usize,
    /// Where stories are drawn by lives: for each scenario, and in it for each life, the announcements that it hears, one bit
    /// each. The first life of a scenario is the one that is led. Those that are led in the story's twins come last.
    pub lives: Vec<u8>,
    /// Where stories are woven: for each strand, the index of its cast among those of its plan.
    pub strands: Vec<usize>,
}

impl Story {
    /// The places that the binds of its plan stand for.
    pub fn binds<'s>(&'s self, plan: &'s Plan) -> impl Iterator<Item = PlaceId> + 's {
        let of_strands = plan.weave.iter().flat_map(|weave| {
            weave.strands.iter().zip(&self.strands).enumerate().flat_map(|(at, (strand, &cast))| {
                weave.plan(at).casts[cast].binds.iter().map(|place| strand.places[place.index()])
            })
        });
        plan.casts[self.cast].binds.iter().copied().chain(of_strands)
    }

    /// The steps that the storyboard tells: all but those in which others go about around them.
    pub fn own_steps(&self, plan: &Plan) -> Range<usize> {
        let steps = self.trace.events.len();
        match plan.length {
            Some(_) => self.before..(self.before + plan.horizon).min(steps),
            None => 0..steps,
        }
    }
}

/// The next stories, which are drawn together.
#[derive(Clone, Debug, Default)]
struct Ahead {
    stories: [Story; LANES],
    /// How many of these stories, from the end, have not been asked for yet.
    waiting: usize,
    /// The index that was asked for last.
    last: Option<u64>,
}

impl Ahead {
    /// The largest number of steps of stories that are drawn together. Longer ones would take too much memory.
    const HORIZON_MAX: usize = 1 << 12;
}

/// Draws the stories of a plan under one seed, regardless of the plan's goals: [`crate::select`] sees to those.
///
/// ```
/// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut simulator = Simulator::new(&plan, 7);
/// let (mut story, mut again) = (Story::default(), Story::default());
/// simulator.draw(42, &mut story);
/// simulator.draw(42, &mut again);
/// assert_eq!(story, again);
/// assert_eq!(story.trace.events.len(), plan.horizon);
/// ```
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    plan: &'a Plan,
    cast_key: StreamKey,
    walk_key: StreamKey,
    /// Where everyone is while a story is drawn, followed by the values of memories.
    places: Vec<PlaceId>,
    /// What can happen in the next step.
    outcomes: Outcomes,
    cumulative: Vec<f64>,
    weights: Vec<Weight>,
    /// Whether to use nothing that was worked out in advance.
    is_plain: bool,
    /// Draws what people do, where they do more than walk.
    performer: Option<Performer<'a>>,
    /// Draws stories by lives, where they are drawn so.
    lives: Option<LivesPlan<'a>>,
    /// Draws the same walks faster, where that is possible.
    swift: Option<Swift<'a>>,
    /// The walks of the next stories, which are drawn together.
    ahead: Ahead,
}

impl<'a> Simulator<'a> {
    /// A simulator for a plan and the seed of a run.
    pub fn new(plan: &'a Plan, seed: u64) -> Self {
        Self::with(plan, seed, Purpose::Walk)
    }

    /// A simulator whose walks are only looked at and have nothing to do with those of any run.
    pub fn of_trials(plan: &'a Plan) -> Self {
        Self::with(plan, 0, Purpose::Trial)
    }

    fn with(plan: &'a Plan, seed: u64, walks: Purpose) -> Self {
        let key = |purpose| StreamKey::derive(seed, &plan.fingerprint, purpose);
        Self {
            plan,
            cast_key: key(Purpose::Cast),
            walk_key: key(walks),
            places: Vec::new(),
            outcomes: Outcomes::default(),
            cumulative: Vec::new(),
            weights: Vec::new(),
            is_plain: false,
            performer: plan.things().map(|staging| Performer::new(plan, staging)),
            lives: LivesPlan::new(plan),
            swift: Swift::new(plan),
            ahead: Ahead::default(),
        }
    }

    /// The same simulator without any of its ways to be fast: every step is drawn as [`crate::plan`] defines it, by
    /// straightforward code. It draws the same stories.
    #[must_use]
    pub fn plainly(self) -> Self {
        Self { swift: None, is_plain: true, ..self }
    }

    /// Whether stories are drawn by the fast path. Then every draw gives a valid story.
    pub fn is_swift(&self) -> bool {
        self.swift.is_some()
    }

    /// The plan whose stories are drawn.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Draws the story with an index into `story`, whose memory is reused. Returns whether the story is valid, as
    /// [`Self::draw_walk`] does.
    pub fn draw(&mut self, index: u64, story: &mut Story) -> bool {
        if self.swift.is_some() {
            self.draw_ahead(index, story);
            return true;
        }
        self.draw_cast(index, story);
        self.draw_walk(index, 0, story)
    }

    /// Draws a story and, if stories are wanted one after another, the next ones along with it.
    fn draw_ahead(&mut self, index: u64, story: &mut Story) {
        let Ahead { stories, waiting, last } = &mut self.ahead;
        let next = stories.len() - *waiting;
        let follows = last.replace(index).is_some_and(|last| last.checked_add(1) == Some(index));
        if stories.get(next).is_some_and(|next| next.index == index) {
            *waiting -= 1;
            return mem::swap(story, &mut stories[next]);
        }
        *waiting = 0;
        let is_last = index > u64::MAX - LANES as u64;
        if !follows || is_last || self.plan.horizon > Ahead::HORIZON_MAX {
            self.draw_cast(index, story);
            self.draw_walk(index, 0, story);
            return;
        }
        let mut ahead = mem::take(&mut self.ahead);
        for (story, index) in ahead.stories.iter_mut().zip(index..) {
            self.draw_cast(index, story);
        }
        let streams = array::from_fn(|lane| self.walk_key.stream(index + lane as u64, 0));
        let swift = self.swift.as_mut().expect("only it draws ahead");
        swift.draw(streams, ahead.stories.each_mut());
        mem::swap(story, &mut ahead.stories[0]);
        ahead.waiting = LANES - 1;
        self.ahead = ahead;
    }

    /// Draws who plays a story, and in which places.
    pub fn draw_cast(&mut self, index: u64, story: &mut Story) {
        self.draw_cast_again(index, 0, story);
    }

    /// Draws who plays an attempt at a story, and in which places.
    pub fn draw_cast_again(&mut self, index: u64, attempt: u64, story: &mut Story) {
        let plan = self.plan;
        let mut stream = self.cast_key.stream(index, attempt);
        self.begin(index, below(&mut stream, plan.casts.len() as u32), story);
        story.names.clear();
        story.names.extend(0..plan.pool.len());
        sample_to_front(&mut stream, &mut story.names, plan.character_count);
        story.names.truncate(plan.character_count);
    }

    /// Draws an attempt at a story, except the names, which do not affect what happens. If the attempt is kept,
    /// [`Self::draw_cast_again`] draws these. Returns the same as [`Self::draw_walk`].
    pub fn draw_attempt(&mut self, index: u64, attempt: u64, story: &mut Story) -> bool {
        let cast = match self.plan.casts.len() as u32 {
            1 => 0,
            several => below(&mut self.cast_key.stream(index, attempt), several),
        };
        self.begin(index, cast, story);
        self.draw_walk(index, attempt, story)
    }

    fn begin(&self, index: u64, cast: u32, story: &mut Story) {
        story.index = index;
        story.cast = cast as usize;
        story.before = 0;
        if self.performer.is_none() {
            // What a story of another plan has left behind.
            story.trace.deeds.clear();
            story.trace.stage = Stage::default();
        }
        story.lives.clear();
    }

    /// Draws what happens in a story whose cast has been drawn. Every attempt has its own stream, so it does not need
    /// the ones before it.
    ///
    /// Returns whether the story is valid. Where people only walk, it always is. Otherwise it is invalid, and has to be
    /// drawn again, if what the storyboard demands cannot be done at that step, or if what was drawn and what can be done
    /// do not match (see [`crate::plan::DeedShare`]).
    pub fn draw_walk(&mut self, index: u64, attempt: u64, story: &mut Story) -> bool {
        if self.lives.is_some() {
            self.draw_lives(index, attempt, story);
            return true;
        }
        if self.performer.is_some() {
            return self.draw_deeds(index, attempt, story);
        }
        let plan = self.plan;
        if let Some(swift) = &mut self.swift {
            swift.draw([self.walk_key.stream(index, attempt)], [story]);
            return true;
        }
        let cast = &plan.casts[story.cast];
        let Trace { start, events, .. } = &mut story.trace;
        start.clear();
        start.extend_from_slice(&cast.start);
        self.places.clone_from(&cast.start);
        self.places.extend(plan.memories.iter().map(|memory| memory.at_start(start)));
        events.clear();
        let mut stream = self.walk_key.stream(index, attempt);
        let mut turns = Turns::new(plan);
        for phase in &cast.phases {
            let steps = events.len()..phase.until;
            match phase.draw {
                Draw::Free(actors) => {
                    let actors = &plan.actor_sets[actors];
                    events.extend(steps.map(|_| {
                        let turn = turn(plan, actors, &self.places, turns.next(&mut stream));
                        go(&mut self.places, turn)
                    }));
                }
                Draw::Table(table) => {
                    let table = &plan.tables[table];
                    events.extend(steps.map(|_| self.move_by(table, turns.next(&mut stream), &mut stream)));
                }
                Draw::Legs(run) => {
                    // A copy, so that the other draws keep theirs in registers.
                    let mut own = stream.clone();
                    self.move_by_legs(&plan.legs.of_casts[run], events, &mut own);
                    stream = own;
                }
            }
        }
        true
    }

    /// Draws the event according to how likely the conditions are after it.
    ///
    /// Digits are always taken for what a bystander would do, even if it is not one who acts. So the position of a step's
    /// digits does not depend on what is drawn.
    #[inline]
    fn move_by(&mut self, table: &Table, digits: &mut Digits, stream: &mut Stream) -> Event {
        let bystanders = &self.plan.actor_sets[table.bystanders];
        let turn = (!bystanders.is_empty()).then(|| turn(self.plan, bystanders, &self.places, digits));
        match self.outcome(table, stream) {
            Outcome::Bystander => go(&mut self.places, turn.expect("there is one")),
            Outcome::Move(who, to) => self.go_by(table, who, to),
            Outcome::Deed(_) | Outcome::Together => unreachable!("only where there are deeds"),
        }
    }

    /// Moves a character of a table, and updates the memories.
    #[inline]
    fn go_by(&mut self, table: &Table, who: CharacterId, to: PlaceId) -> Event {
        let event = Event { who, from: self.places[who.index()], to };
        if !self.plan.memories.is_empty() {
            table.remember(&mut self.places, self.plan.map.place_count(), event);
        }
        self.places[who.index()] = to;
        event
    }

    /// Draws an outcome from a table.
    #[inline(always)]
    fn outcome(&mut self, table: &Table, stream: &mut Stream) -> Outcome {
        let draw = stream.next_u64();
        let rows = table.rows.as_ref().filter(|_| !self.is_plain);
        if let Some(found) = rows.and_then(|rows| rows.find(table.joint_place(&self.places), draw)) {
            return found.unpack(&self.places, &self.plan.map);
        }
        let bystander_count = self.plan.actor_sets[table.bystanders].len();
        table.weigh(&self.places, &self.plan.map, bystander_count, draw, &mut self.outcomes).0
    }
}

/// The draws that say who goes freely, and where to. Each serves [`Plan::turns_a_draw`] consecutive steps.
struct Turns {
    digits: Digits,
    a_draw: usize,
    left: usize,
}

impl Turns {
    fn new(plan: &Plan) -> Self {
        Self { digits: Digits::NONE, a_draw: plan.turns_a_draw(), left: 0 }
    }

    /// The digits of the next step.
    #[inline]
    fn next(&mut self, stream: &mut Stream) -> &mut Digits {
        if self.left == 0 {
            self.digits = Digits::draw(stream);
            self.left = self.a_draw;
        }
        self.left -= 1;
        &mut self.digits
    }
}

/// The move of a random actor to a random neighbouring place, both uniform.
#[inline]
fn turn(plan: &Plan, actors: &[CharacterId], places: &[PlaceId], digits: &mut Digits) -> Event {
    let who = actors[digits.below(actors.len() as u32) as usize];
    let from = places[who.index()];
    let ways = plan.map.ways(from);
    Event { who, from, to: ways[digits.below(ways.len() as u32) as usize] }
}

#[inline]
fn go(places: &mut [PlaceId], event: Event) -> Event {
    places[event.who.index()] = event.to;
    event
}
