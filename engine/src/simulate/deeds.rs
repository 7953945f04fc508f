//! Draws what people do besides walking: what the storyboard demands at a step, and what is drawn in free play.
//!
//! The tables say who goes where. What can be done depends on things and on what people believe, of which
//! they know nothing; so what they leave open is drawn here, and where it does not go together with what they
//! drew, the story is none and is drawn again.

mod options;

use super::{Simulator, Story};
use crate::belief::DeedTracker;
use crate::form::ActKind;
use crate::id::{CharacterId, PlaceId, ProspectId};
use crate::plan::{
    Arrival, Attending, Attention, DeedShare, Draw, Outcome, Plan, PlannedAct, PlannedDeed, Play, Staging,
    Table,
};
use crate::rng::{Stream, below};
use crate::trace::Trace;
use crate::world::{
    Act, ActInWorld, Container, Deed, Distraction, Event, Item, Knowledge, Scene, Side, Thing, Value, Wish,
};

/// Decides what people do in a story while it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Performer<'a> {
    plan: &'a Plan,
    staging: &'a Staging,
    /// The weight of every kind of act, beginning with those that leave everyone where they are.
    kinds: Vec<(Play, u32)>,
    /// The sum of the weights of those, and of all; `None` if people only move.
    share: Option<DeedShare>,
    scene: Scene,
    /// For each character, what she believes, if anybody ever says what she believes.
    minds: Vec<Mind>,
    /// The acts that are possible now.
    options: Vec<Act>,
}

/// The beliefs of a character. They are only followed up to the last step at which she had to say something.
#[derive(Clone, Debug)]
struct Mind {
    tracker: DeedTracker,
    /// The number of steps that have been followed; `None` if not even the start has been read.
    followed: Option<usize>,
}

impl Mind {
    /// The beliefs after everything that has happened.
    fn after(&mut self, trace: &Trace) -> &DeedTracker {
        let from = self.followed.unwrap_or_else(|| {
            self.tracker.start(trace);
            0
        });
        for (&event, deed) in trace.events[from..].iter().zip(&trace.deeds[from..]) {
            self.tracker.follow(event, deed);
        }
        self.followed = Some(trace.events.len());
        &self.tracker
    }
}

/// The next character to act, as the walk has it.
struct Turn {
    who: CharacterId,
    /// The place that the character goes to, if any.
    to: Option<PlaceId>,
    /// Whether the storyboard demands exactly this move, so that nothing may be carried along.
    is_exact: bool,
}

impl<'a> Performer<'a> {
    pub fn new(plan: &'a Plan, staging: &'a Staging) -> Self {
        let mut kinds: Vec<(Play, u32)> =
            staging.play.iter().filter(|(_, weight)| *weight > 0).copied().collect();
        kinds.sort_by_key(|(kind, _)| (kind.is_going(), *kind));
        let only_moves = kinds.iter().all(|(kind, _)| *kind == Play::Move);
        let sum = |kinds: &[(Play, u32)]| kinds.iter().map(|(_, weight)| weight).sum();
        let staying = kinds.iter().take_while(|(kind, _)| !kind.is_going()).count();
        let share = DeedShare { deeds: sum(&kinds[..staying]), all: sum(&kinds) };
        let share = (!only_moves).then_some(share);
        let is_told = |(step, deed): &(usize, PlannedDeed)| match &deed.act {
            PlannedAct::Tell(telling) => telling.value.is_none() || deed.is_lie,
            PlannedAct::Reveal(Some(that)) => !staging.surely_knows(deed.who, *that, *step),
            PlannedAct::Reveal(None) => true,
            _ => false,
        };
        let is_said = kinds.iter().any(|(kind, _)| kind.act() == ActKind::Tell);
        let has_minds = is_said || staging.deeds.iter().any(is_told);
        let count = if has_minds { plan.character_count } else { 0 };
        let is_of_people = |(_, deed): &(usize, PlannedDeed)| match &deed.act {
            PlannedAct::Tell(telling) => matches!(telling.item, Some(Item::Character(_))),
            _ => false,
        };
        let follows_people = staging.deeds.iter().any(is_of_people);
        let mind = |who: usize| {
            let tracker = DeedTracker::of_one_mind(CharacterId::new(who), follows_people);
            Mind { tracker, followed: None }
        };
        Self {
            plan,
            staging,
            kinds,
            share,
            scene: Scene::default(),
            minds: (0..count).map(mind).collect(),
            options: Vec::new(),
        }
    }

    /// Sets up the start of a story.
    fn begin(&mut self, story: &mut Story, stream: &mut Stream) {
        let binds = &self.plan.casts[story.cast].binds;
        let stage = &mut story.trace.stage;
        let containers = self.staging.containers.iter();
        stage.containers.clear();
        stage.containers.extend(
            containers.map(|container| Container {
                place: container.place.under(binds),
                is_open: container.is_open,
            }),
        );
        let objects = self.staging.objects.iter().map(|object| {
            (object.start[pick(stream, object.start.len())].under(binds), object.knowledge.as_slice())
        });
        fill(&mut stage.objects, objects);
        let propositions = self.staging.propositions.iter().map(|proposition| {
            let is_true = proposition.is_true.unwrap_or_else(|| below(stream, 2) == 1);
            (Value::Truth(is_true), proposition.knowledge.as_slice())
        });
        fill(&mut stage.propositions, propositions);
        for lot in &self.staging.lots {
            let mut lies = lot.lies;
            for (at, claim) in lot.claims.iter().enumerate() {
                let is_lie = pick(stream, lot.claims.len() - at) < lies;
                lies -= usize::from(is_lie);
                stage.propositions[claim.index()].value = Value::Truth(!is_lie);
            }
        }
        stage.prospects.clear();
        let unknown = || vec![Knowledge::Nothing; self.plan.character_count];
        let prospects = self.staging.prospects.iter();
        stage.prospects.extend(prospects.map(|_| Thing { value: Value::NoCase, knowledge: unknown() }));
        stage.wishes.clear();
        for (of, prospect) in (0..).map(ProspectId::new).zip(&self.staging.prospects) {
            for &(who, side) in &prospect.wants {
                let side = side.unwrap_or_else(|| Side::ALL[pick(stream, 2)]);
                stage.wishes.push(Wish { who, of, side });
            }
        }
        stage.trust = self.staging.trust;
        if stage.along != self.staging.along {
            stage.along.clone_from(&self.staging.along); // the same for all stories of a plan
        }
        self.scene.begin(&story.trace.start, stage);
        self.minds.iter_mut().for_each(|mind| mind.followed = None);
    }

    /// The act of a character in free play: what is drawn if she can do it, otherwise she goes.
    ///
    /// If she is a character of a table, the table has already decided whether she goes. Then the result is `None` if that
    /// does not match what is drawn.
    fn play(&mut self, turn: &Turn, is_settled: bool, trace: &Trace, stream: &mut Stream) -> Option<Act> {
        let Some(share) = self.share else { return Some(Act::Go) };
        let has_to_stay = turn.to.is_none();
        let mut draw = below(stream, if has_to_stay { share.deeds } else { share.all });
        let kind = self.kinds.iter().find(|(_, weight)| {
            let is_it = draw < *weight;
            draw = draw.wrapping_sub(*weight);
            is_it
        });
        let &(kind, _) = kind.expect("the weights add up");
        self.list_played(kind, turn.who, trace);
        match (self.options.is_empty(), kind.is_going()) {
            (true, _) if has_to_stay => None,
            (true, _) => Some(Act::Go),
            (false, false) if is_settled && !has_to_stay => None,
            (false, true) if turn.is_exact => None,
            (false, _) => Some(self.one_of(stream)),
        }
    }

    fn one_of(&mut self, stream: &mut Stream) -> Act {
        let option = pick(stream, self.options.len());
        self.options.swap_remove(option)
    }

    fn perform(&mut self, event: Event, deed: &Deed) {
        debug_assert!(self.scene.allows(event, deed), "{event:?} {deed:?}");
        self.scene.apply(event, &deed.act);
    }
}

/// Makes these the things of a stage, each with what everybody knows of it. Their memory is used again.
fn fill<'k>(things: &mut Vec<Thing>, all: impl Iterator<Item = (Value, &'k [Knowledge])>) {
    let mut count = 0;
    for (value, knowledge) in all {
        if things.len() == count {
            things.push(Thing { value, knowledge: Vec::new() });
        }
        let thing = &mut things[count];
        thing.value = value;
        thing.knowledge.clear();
        thing.knowledge.extend_from_slice(knowledge);
        count += 1;
    }
    things.truncate(count);
}

impl Simulator<'_> {
    /// Draws what happens, as described at [`Simulator::draw_walk`].
    pub(super) fn draw_deeds(&mut self, index: u64, attempt: u64, story: &mut Story) -> bool {
        let mut performer = self.performer.take().expect("a plan with deeds");
        let mut stream = self.walk_key.stream(index, attempt);
        let is_story = self.perform(&mut performer, &mut stream, story);
        self.performer = Some(performer);
        is_story
    }

    fn perform(&mut self, performer: &mut Performer<'_>, stream: &mut Stream, story: &mut Story) -> bool {
        let plan = self.plan;
        let cast = &plan.casts[story.cast];
        story.trace.start.clone_from(&cast.start);
        story.trace.events.clear();
        story.trace.deeds.clear();
        self.places.clone_from(&cast.start);
        self.places.extend(plan.memories.iter().map(|memory| memory.at_start(&cast.start)));
        performer.begin(story, stream);
        let mut planned = performer.staging.deeds.iter().peekable();
        for phase in &cast.phases {
            for step in story.trace.events.len()..phase.until {
                let planned = planned.next_if(|(at, _)| *at == step).map(|(_, deed)| deed);
                let trace = &story.trace;
                let acted = self.act(performer, phase.draw, planned, &cast.binds, trace, stream);
                let Some((event, act)) = acted else { return false };
                let mut deed = Deed { act, ..Deed::default() };
                if !attend(performer.staging, &performer.scene, step, event, &mut deed) {
                    return false;
                }
                performer.perform(event, &deed);
                story.trace.events.push(event);
                story.trace.deeds.push(deed);
            }
        }
        true
    }

    /// What happens at one step; `None` if what the tables drew and what can be done do not match.
    fn act(
        &mut self,
        performer: &mut Performer<'_>,
        draw: Draw,
        planned: Option<&PlannedDeed>,
        binds: &[PlaceId],
        trace: &Trace,
        stream: &mut Stream,
    ) -> Option<(Event, Act)> {
        let plan = self.plan;
        let (turn, table, is_settled) = match draw {
            Draw::Free(actors) => (self.turn(actors, stream), None, false),
            Draw::Table(table) => {
                let table = &plan.tables[table];
                match self.outcome(table, stream) {
                    Outcome::Bystander => (self.turn(table.bystanders, stream), None, false),
                    Outcome::Move(who, to) => {
                        let is_exact = table.limits.arrival.as_ref().is_some_and(Arrival::is_exact);
                        (Turn { who, to: Some(to), is_exact }, Some(table), true)
                    }
                    Outcome::Deed(who) => (Turn { who, to: None, is_exact: false }, Some(table), true),
                    Outcome::Together => {
                        let (who, to) = table.limits.together.as_ref().expect("the table has it");
                        (Turn { who: who[0], to: Some(*to), is_exact: false }, Some(table), true)
                    }
                }
            }
            Draw::Legs(_) => unreachable!("legs know no deeds"),
        };
        let who = turn.who;
        let from = self.places[who.index()];
        let act = match planned {
            Some(planned) => {
                performer.list(planned, binds, false, trace);
                if performer.options.is_empty() {
                    return None;
                }
                performer.one_of(stream)
            }
            None => performer.play(&turn, is_settled, trace, stream)?,
        };
        let to = if act.is_going() { turn.to.expect("who goes has somewhere to go") } else { from };
        let event = Event { who, from, to };
        self.walk(table, event, &act);
        Some((event, act))
    }

    /// A random one of these actors, and where it would go.
    fn turn(&self, actors: usize, stream: &mut Stream) -> Turn {
        let actors = &self.plan.actor_sets[actors];
        let who = actors[pick(stream, actors.len())];
        let ways = self.plan.map.ways(self.places[who.index()]);
        Turn { who, to: Some(ways[pick(stream, ways.len())]), is_exact: false }
    }

    /// Updates who is where.
    fn walk(&mut self, table: Option<&Table>, event: Event, act: &Act) {
        for mover in Scene::movers(event, act) {
            match table {
                Some(table) => {
                    self.go_by(table, mover, event.to);
                }
                None => self.places[mover.index()] = event.to,
            }
        }
    }
}

/// Adds those who miss or watch a deed. Returns whether all who have to do so can.
pub fn attend(staging: &Staging, scene: &Scene, step: usize, event: Event, deed: &mut Deed) -> bool {
    for Attending { from, until, is_demanded, attention } in &staging.attention {
        if !(*from..*until).contains(&step) {
            continue;
        }
        let (Attention::Peek(who) | Attention::Distracted { who, .. }) = attention;
        for &who in who {
            let is_so = match attention {
                Attention::Peek(_) => deed.peeking.contains(&who),
                Attention::Distracted { .. } => deed.distracted.iter().any(|missing| missing.who == who),
            };
            if is_so {
                continue; // windows may overlap
            }
            let mut with = deed.clone();
            match attention {
                Attention::Peek(_) => with.peeking.push(who),
                Attention::Distracted { is_noticed, .. } => {
                    with.distracted.push(Distraction { who, is_noticed: *is_noticed });
                }
            }
            if scene.allows(event, &with) {
                *deed = with;
            } else if *is_demanded {
                return false;
            }
        }
    }
    true
}

/// A random number below `count`.
fn pick(stream: &mut Stream, count: usize) -> usize {
    below(stream, u32::try_from(count).expect("few")) as usize
}
