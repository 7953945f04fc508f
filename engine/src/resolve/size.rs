//! Whether stories with things can be drawn and asked about in reasonable time and memory.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::plan::{Question, Staging};

/// The largest cost of drawing one event, in the unit of [`Staging::event_cost`].
const EVENT_COST_MAX: usize = 1 << 20;

/// The largest cost of drawing all events of a story, in the unit of [`Staging::event_cost`].
const STORY_COST_MAX: usize = 1 << 25;

/// The largest number of values that the minds asked about may hold: about 200 MB per thread.
const VALUES_MAX: usize = 3 << 20;

/// The largest number of values to go through in order to answer all questions.
const ANSWER_COST_MAX: usize = 1 << 26;

impl Resolver<'_> {
    /// Checks that drawing events is not too expensive.
    pub(super) fn check_event_cost(&mut self, staging: &Staging, character_count: usize, place_count: usize) {
        let Some(horizon) = self.horizon else { return };
        let cost = staging.event_cost(character_count, place_count);
        if !staging.is_bare() && (cost > EVENT_COST_MAX || cost.saturating_mul(horizon) > STORY_COST_MAX) {
            let message = "there are too many things, deeds or beliefs for stories with this many steps";
            let span = self.storyboard.horizon.span;
            let problem = Diagnostic::error(message, span, format!("{horizon} steps, {cost} values each"));
            self.problem(problem.help(format!(
                "the limit is {EVENT_COST_MAX} values for each step, and {STORY_COST_MAX} in all: use fewer steps, \
                 things or characters. If anyone tells anything, everyone's mind is followed, so fewer characters help \
                 most"
            )));
        }
    }

    /// Checks that answering is not too expensive in stories with things, where each event matters to every mind. Finding
    /// evidence takes as long as that, as a rule.
    pub(super) fn check_answer_cost(
        &mut self,
        questions: &[Question],
        staging: &Staging,
        character_count: usize,
    ) {
        let Some(horizon) = self.horizon else { return };
        let items = staging.item_count(character_count);
        let values = staging.values_asked(questions, character_count);
        if values > VALUES_MAX || values.saturating_mul(horizon) > ANSWER_COST_MAX {
            let first = &self.storyboard.questions[0];
            let message = "answering these questions takes too long in stories with this many steps";
            let problem = Diagnostic::error(message, first.span, "the first")
                .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"));
            self.problem(problem.help(format!(
                "use fewer steps, questions, characters or things: every mind asked about holds a value for each of \
                 {items} people and things, {values} values in all"
            )));
        }
    }
}
