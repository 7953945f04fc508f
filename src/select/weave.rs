//! Draws one story of each strand of a woven storyboard, and tells them as one.
//!
//! The strands know nothing of each other: each draws, balances and redraws its own stories, under a seed of its own. Only then it is
//! drawn in which order all their events happen, every interleaving being as likely as any other, and who takes part.

use rand::Rng as _;

use super::family::Family;
use super::selector::Selector;
use crate::plan::{Plan, PlannedWeave};
use crate::rng::{Purpose, Stream, StreamKey, below, sample_to_front};
use crate::simulate::Story;
use crate::world::Event;

/// Draws the stories of strands, and weaves them.
#[derive(Clone, Debug)]
pub struct Weaver<'a> {
    family: &'a Family,
    key: StreamKey,
    selectors: Vec<Selector<'a>>,
    /// The story of each strand, drawn last.
    stories: Vec<Story>,
    /// The strand of each step, in the woven story drawn last.
    order: Vec<usize>,
    /// The names of everyone, drawn last; behind them, those of nobody.
    names: Vec<usize>,
}

/// The seed under which a strand's stories are drawn, under the seed of a run.
pub(super) fn seed_of(seed: u64, strand: usize) -> u64 {
    StreamKey::derive(seed, &format!("strand {strand}"), Purpose::Weave).stream(0, 0).next_u64()
}

impl<'a> Weaver<'a> {
    /// What weaves the stories of a family, if they are woven. `select` draws the stories of a strand under a seed.
    pub fn new(family: &'a Family, seed: u64, select: fn(&'a Family, u64) -> Selector<'a>) -> Option<Self> {
        family.plans()[0].weave.as_ref()?;
        let strands = family.strands().iter().enumerate();
        Some(Self {
            family,
            key: StreamKey::derive(seed, &family.plans()[0].fingerprint, Purpose::Weave),
            selectors: strands.map(|(at, strand)| select(strand, seed_of(seed, at))).collect(),
            stories: vec![Story::default(); family.strands().len()],
            order: Vec::new(),
            names: Vec::new(),
        })
    }

    /// Draws the story of every strand with this index, starting at an attempt, and weaves them. Returns the number of the plan of
    /// the woven story, and the number of attempts of the strand that took most.
    pub fn draw_from(&mut self, index: u64, first: u64, story: &mut Story) -> (usize, u64) {
        let drawn = self.selectors.iter_mut().zip(&mut self.stories);
        let attempts = drawn.map(|(selector, story)| selector.draw_from(index, first, story)).max();
        let numbers: Vec<usize> = self.selectors.iter().map(Selector::plan_number).collect();
        (self.weave(&numbers, (index, first), story), attempts.unwrap_or(first + 1))
    }

    /// The same, but the story of one strand is drawn by `draw`, which returns the number of its plan and the number of attempts.
    pub(super) fn draw_with(
        &mut self,
        strand: usize,
        (index, first): (u64, u64),
        draw: impl FnOnce(&mut Story) -> (usize, u64),
        story: &mut Story,
    ) -> (usize, u64) {
        let mut numbers = vec![0; self.selectors.len()];
        let mut attempts = first;
        for (at, (selector, of_strand)) in self.selectors.iter_mut().zip(&mut self.stories).enumerate() {
            if at != strand {
                attempts = attempts.max(selector.draw_from(index, first, of_strand));
                numbers[at] = selector.plan_number();
            }
        }
        let (number, drawn) = draw(&mut self.stories[strand]);
        numbers[strand] = number;
        (self.weave(&numbers, (index, first), story), attempts.max(drawn))
    }

    /// Weaves the stories that were drawn last, whose plans have these numbers. Returns the number of the plan of the woven story.
    fn weave(&mut self, numbers: &[usize], (index, first): (u64, u64), story: &mut Story) -> usize {
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
    pub(super) fn compose(&self, number: usize, other: Option<(usize, &Story)>, story: &mut Story) {
        let plan = &self.family.plans()[number];
        let planned = planned(plan);
        let of = |at: usize| match other {
            Some((strand, other)) if strand == at => other,
            _ => &self.stories[at],
        };
        story.cast = 0;
        story.strands.clear();
        story.names.clear();
        story.names.extend_from_slice(&self.names[..plan.character_count]);
        story.trace.start.resize(plan.character_count, plan.casts[0].start[0]);
        for (at, strand) in planned.strands.iter().enumerate() {
            story.strands.push(of(at).cast);
            for (who, place) in strand.people.iter().zip(&of(at).trace.start) {
                story.trace.start[who.index()] = strand.places[place.index()];
            }
        }
        let mut next = vec![0; planned.strands.len()];
        story.trace.events.clear();
        story.trace.events.extend(self.order.iter().map(|&at| {
            let (strand, event) = (&planned.strands[at], of(at).trace.events[next[at]]);
            next[at] += 1;
            let place = |place: crate::id::PlaceId| strand.places[place.index()];
            Event { who: strand.people[event.who.index()], from: place(event.from), to: place(event.to) }
        }));
    }

    /// The step of the woven story in which a step of a strand is told.
    pub(super) fn step_of(&self, strand: usize, step: usize) -> usize {
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

fn planned(plan: &Plan) -> &PlannedWeave {
    plan.weave.as_ref().expect("a plan of woven stories")
}
