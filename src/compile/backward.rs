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

/// What stories have to meet: all that a storyboard demands, or some of it.
#[derive(Clone, Debug)]
pub struct Demands<'r> {
    resolved: &'r Resolved,
    conditions: Vec<Condition>,
    /// Of order 1.
    pub goals: Vec<Goal>,
    /// What the conditions and goals want to have remembered.
    pub memories: Vec<Memory>,
    horizon: usize,
}

/// The steps of a cast.
#[derive(Clone, Debug)]
pub struct Backward {
    /// One past the last step of a run, and how its steps are drawn.
    pub steps: Vec<(usize, Step)>,
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// How likely it is that all demands are met.
    pub probability: Weight,
}

/// At this step the tables outgrew their room.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub step: usize,
}

impl<'r> Demands<'r> {
    /// These conditions and goals, in stories of so many steps. The goals are of order 1.
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

    /// Room for the messages of all casts.
    pub fn messages(&self, power: Power) -> Messages<'_> {
        Messages::new(&self.resolved.map, self.resolved.character_count, &self.memories, power)
    }

    /// The story cut into windows, see [`Window::cut`].
    pub fn windows(&self) -> Vec<Window<'_>> {
        Window::cut(&self.conditions, self.horizon)
    }

    /// The steps under one cast, and how likely the demands are.
    ///
    /// Costs a message for every step that is not shared with another cast, and not like the next.
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
