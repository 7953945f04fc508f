//! Draws one story of each strand of a woven storyboard, and tells them as one.
//!
//! The strands know nothing of each other: each draws, balances and redraws its own stories, under a seed of its own. Only then it is
//! drawn in which order all their events happen, every interleaving being as likely as any other, and who takes part. Beside the
//! strands' own stories, that costs O(names + events · strands).

use rand::Rng as _;

use super::family::Family;
use crate::id::PlaceId;
use crate::plan::{Plan, PlannedWeave};
use crate::rng::{Purpose, Stream, StreamKey, below, sample_to_front};
use crate::simulate::Story;
use crate::world::{Container, Deed, Event, Stage, Thing, Trust};

/// Weaves the stories of strands.
#[derive(Clone, Debug)]
pub struct Weaver<'a> {
    family: &'a Family,
    key: StreamKey,
    /// The story of each strand, to be drawn before they are woven.
    pub stories: Vec<Story>,
    /// The strand of each step, in the woven story drawn last.
    order: Vec<usize>,
    /// The names of everyone, drawn last; behind them, those of nobody.
    names: Vec<usize>,
}

/// The seed under which a strand's stories are drawn, under the seed of a run.
pub fn seed_of(seed: u64, strand: usize) -> u64 {
    StreamKey::derive(seed, &format!("strand {strand}"), Purpose::Weave).stream(0, 0).next_u64()
}

impl<'a> Weaver<'a> {
    /// What weaves the stories of a family under the seed of a run, if they are woven.
    pub fn new(family: &'a Family, seed: u64) -> Option<Self> {
        let plan = &family.plans()[0];
        plan.weave.is_some().then(|| Self {
            family,
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Weave),
            stories: vec![Story::default(); family.strands().len()],
            order: Vec::new(),
            names: Vec::new(),
        })
    }

    /// Weaves the stories that were drawn last, whose plans have these numbers. Returns the number of the plan of the woven story.
    pub fn weave(&mut self, numbers: &[usize], (index, first): (u64, u64), story: &mut Story) -> usize {
        let strands = self.family.strands().iter().zip(numbers);
        let number =
            strands.fold(0, |number, (strand, &of_strand)| number * strand.plans().len() + of_strand);
        let plan = &self.family.plans()[number];
        let mut stream = self.key.stream(index, first);
        self.names.clear();
        self.names.extend(0..plan.pool.len());
        sample_to_front(&mut stream, &mut self.names, plan.character_count);
        self.draw_order(&mut stream);
        story.index = index;
        self.compose(number, None, story);
        number
    }

    /// Tells the stories that were drawn last as one, the story of one strand being replaced by another.
    pub fn compose(&self, number: usize, other: Option<(usize, &Story)>, story: &mut Story) {
        let plan = &self.family.plans()[number];
        let planned = planned(plan);
        let of = |at: usize| match other {
            Some((strand, other)) if strand == at => other,
            _ => &self.stories[at],
        };
        (story.cast, story.before) = (0, 0);
        story.lives.clear();
        story.strands.clear();
        story.names.clear();
        story.names.extend_from_slice(&self.names[..plan.character_count]);
        story.trace.start.clone_from(&plan.casts[0].start);
        for (at, strand) in planned.strands.iter().enumerate() {
            story.strands.push(of(at).cast);
            for (who, place) in strand.people.iter().zip(&of(at).trace.start) {
                story.trace.start[who.index()] = strand.places[place.index()];
            }
        }
        let mut next = vec![0; planned.strands.len()];
        // The memory of another story may be reused, in which there was more than walking.
        story.trace.deeds.clear();
        story.trace.stage = Stage::default();
        if plan.staging.is_some() {
            let mut next = vec![0; planned.strands.len()];
            story.trace.deeds.extend(self.order.iter().map(|&at| {
                let deed = of(at).trace.deeds.get(next[at]);
                next[at] += 1;
                deed.map_or_else(Deed::default, |deed| planned.strands[at].deed(deed))
            }));
            story.trace.stage = set_up(plan, planned, |at| &of(at).trace.stage);
        }
        story.trace.events.clear();
        story.trace.events.extend(self.order.iter().map(|&at| {
            let (strand, event) = (&planned.strands[at], of(at).trace.events[next[at]]);
            next[at] += 1;
            let place = |place: PlaceId| strand.places[place.index()];
            Event { who: strand.people[event.who.index()], from: place(event.from), to: place(event.to) }
        }));
    }

    /// The step of the woven story in which a step of a strand is told.
    pub fn step_of(&self, strand: usize, step: usize) -> usize {
        let of_strand = self.order.iter().enumerate().filter(|(_, at)| **at == strand);
        of_strand.map(|(at, _)| at).nth(step).unwrap_or(0)
    }

    /// Draws in which order the strands take their steps: of all orders, each is as likely.
    fn draw_order(&mut self, stream: &mut Stream) {
        let mut left: Vec<usize> = self.stories.iter().map(|story| story.trace.events.len()).collect();
        self.order.clear();
        for rest in (1..=left.iter().sum::<usize>()).rev() {
            let mut drawn = below(stream, rest as u32) as usize;
            let strand = left.iter().position(|&steps| match drawn.checked_sub(steps) {
                Some(more) => {
                    drawn = more;
                    false
                }
                None => true,
            });
            let strand = strand.expect("so many steps are left");
            left[strand] -= 1;
            self.order.push(strand);
        }
    }
}

/// The things of all strands at the start.
fn set_up<'s>(plan: &Plan, planned: &PlannedWeave, of: impl Fn(usize) -> &'s Stage) -> Stage {
    let trust = plan.staging.as_ref().map_or_else(Trust::default, |staging| staging.trust);
    let mut all = Stage { trust, ..Stage::default() };
    for (at, strand) in planned.strands.iter().enumerate() {
        let own = of(at);
        let thing = |thing: &Thing| Thing {
            value: strand.value(thing.value),
            knowledge: strand.knowledge(&thing.knowledge, plan.character_count),
        };
        let containers = own.containers.iter();
        all.containers.extend(
            containers.map(|container| Container { place: strand.place(container.place), ..*container }),
        );
        all.objects.extend(own.objects.iter().map(thing));
        let staged = planned.plan(at).staging.iter().flat_map(|staging| &staging.propositions);
        all.propositions.extend(own.propositions.iter().zip(staged).map(|(thing, known)| Thing {
            value: strand.value(thing.value),
            knowledge: strand.knowledge_of(&known.says, &thing.knowledge, plan.character_count),
        }));
    }
    all
}

fn planned(plan: &Plan) -> &PlannedWeave {
    plan.weave.as_ref().expect("a plan of woven stories")
}
