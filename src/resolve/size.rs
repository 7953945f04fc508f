//! Whether stories with things can be drawn and asked about in reasonable time and memory.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::plan::{Question, Staging};

/// The most that drawing one event may cost, in the unit of [`Staging::event_cost`].
const EVENT_COST_MAX: usize = 1 << 20;

/// The most that drawing all events of a story may cost, in the same unit.
const STORY_COST_MAX: usize = 1 << 25;

/// The most steps at which the state of what is asked is kept.
const KEPT_MAX: usize = 256;

/// The most values that may be kept of it: about 200 MB a thread.
const KEPT_VALUES_MAX: usize = 3 << 20;

/// Finding the evidence of all questions may take this many values to be gone through.
const EVIDENCE_COST_MAX: usize = 1 << 26;

/// Of this many steps an answer usually follows.
const EVIDENCE_USUAL: usize = 16;

impl Resolver<'_> {
    /// Whether what is drawn has a reasonable size.
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

    /// Whether what is asked of stories with things, each event of which matters to every mind, has a reasonable size.
    pub(super) fn check_evidence_cost(
        &mut self,
        questions: &[Question],
        staging: &Staging,
        character_count: usize,
    ) {
        let Some(horizon) = self.horizon else { return };
        let items = staging.item_count(character_count);
        let values = staging.values_asked(questions, character_count);
        let kept = values.saturating_mul(horizon.min(KEPT_MAX));
        let passes = horizon.saturating_mul(horizon.div_ceil(KEPT_MAX) + EVIDENCE_USUAL);
        if kept > KEPT_VALUES_MAX || values.saturating_mul(passes) > EVIDENCE_COST_MAX {
            let first = &self.storyboard.questions[0];
            let message =
                "finding the evidence for these questions takes too long in stories with this many steps";
            let problem = Diagnostic::error(message, first.span, "the first")
                .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"));
            self.problem(problem.help(format!(
                "use fewer steps, questions, characters or things: every mind asked about holds a value for each of \
                 {items} people and things, {values} values in all"
            )));
        }
    }
}
