//! The steps of a story under one cast, from the last to the first.

use super::PHASES_MAX;
use super::goal::belief;
use super::message::{Messages, Power, Step, TooLarge};
use super::rule::Rule;
use super::window::Window;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Draw, Goal, Memory};
use crate::resolve::{Condition, Resolved};
use crate::weight::Weight;

/// What stories have to meet: everything that a storyboard demands, or a part of it.
#[derive(Clone, Debug)]
pub struct Demands<'r> {
    resolved: &'r Resolved,
    conditions: Vec<Condition>,
    /// The goals, all of order 1.
    pub goals: Vec<Goal>,
    /// The memories that the conditions and goals need.
    pub memories: Vec<Memory>,
    horizon: usize,
}

/// The steps of a cast and how they are drawn.
#[derive(Clone, Debug)]
pub struct Backward {
    /// For each run of steps, the step that follows it and how the run is drawn.
    pub steps: Vec<(usize, Step)>,
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// The probability that all demands are met.
    pub probability: Weight,
}

/// An error: the tables outgrew their room at this step.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub step: usize,
}

impl<'r> Demands<'r> {
    /// The demands of these conditions and goals (of order 1) on stories with `horizon` steps.
    pub fn new(resolved: &'r Resolved, conditions: Vec<Condition>, goals: Vec<Goal>, horizon: usize) -> Self {
        let mut memories = resolved.memories.clone();
        for chain in goals.iter().flat_map(Goal::chains) {
            let belief = belief(chain);
            if !memories.contains(&belief) {
                memories.push(belief);
            }
        }
        Self { resolved, conditions, goals, memories, horizon }
    }

    /// An empty collection of messages for all casts.
    pub fn messages(&self, power: Power) -> Messages<'_> {
        Messages::new(&self.resolved.map, self.resolved.character_count, &self.memories, power)
    }

    /// The story cut into windows; see [`Window::cut`].
    pub fn windows(&self) -> Vec<Window<'_>> {
        Window::cut(&self.conditions, self.horizon)
    }

    /// The steps under one cast, and the probability of the demands.
    ///
    /// Costs a message for every step that is neither shared with another cast nor like the next one.
    pub fn backward(
        &self,
        windows: &[Window<'_>],
        binds: &[PlaceId],
        messages: &mut Messages<'_>,
    ) -> Result<Backward, Fault> {
        let fault = |step: usize| move |TooLarge| Fault { step };
        let count = self.resolved.character_count;
        let lasting =
            self.memories.iter().enumerate().filter(|(_, memory)| matches!(memory, Memory::Belief { .. }));
        let lasting: Vec<CharacterId> = lasting.map(|(at, _)| CharacterId::new(count + at)).collect();
        let mut message = messages.end(&self.goals, binds).map_err(fault(self.horizon - 1))?;
        let mut probability = Weight::ONE;
        let mut steps: Vec<(usize, Step)> = Vec::new();
        for window in windows.iter().rev() {
            let rule = Rule::new(window, &lasting, binds, self.resolved.play());
            let mut until = window.until;
            while until > window.from {
                let step = messages.step(&rule, message).map_err(fault(until - 1))?;
                if steps.last().is_none_or(|(_, later)| draw(*later) != draw(step)) {
                    steps.push((until, step));
                }
                if steps.len() > PHASES_MAX {
                    return Err(Fault { step: until - 1 });
                }
                // Far from what is to come the message often stays the same but for a factor: then
                // one step stands for all the others of its window.
                if let Some(ratio) = messages.ratio(step.before, message) {
                    probability = probability.times(step.factor.times(ratio).to_the(until - window.from));
                    break;
                }
                probability = probability.times(step.factor);
                message = step.before;
                until -= 1;
            }
        }
        steps.reverse();
        let start: Vec<PlaceId> = self.resolved.start.iter().map(|place| place.under(binds)).collect();
        let slot = |slot: CharacterId| match slot.index().checked_sub(count) {
            None => start[slot.index()],
            Some(memory) => self.memories[memory].at_start(&start),
        };
        let probability = probability.times(messages.value(message, slot));
        Ok(Backward { steps, start, probability })
    }
}

/// How the steps of a run are drawn.
pub fn draw(step: Step) -> Draw {
    step.table.map_or(Draw::Free(step.bystanders), Draw::Table)
}
