//! `hardest`: which of several walks is told.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::form::Hardness;
use crate::plan::{Bundle, Hardest, Question, Target, written_number};
use crate::storyboard::QuestionKind;

/// The largest number of walks of which the hardest is taken: drawing them takes a tenth of a second.
const OF_MAX: i64 = 100_000;

impl Resolver<'_> {
    pub(super) fn hardest(&mut self, questions: &[Question], bundles: &[Bundle]) -> Option<Hardest> {
        let storyboard = self.storyboard;
        let hardest = storyboard.hardest.as_ref()?;
        if let Some(balance) = &storyboard.balance {
            let message = "shares cannot be balanced where only the hardest stories are told";
            let problem =
                Diagnostic::error(message, hardest.span, "the hardest").label(balance.span, "balanced");
            self.problem(
                problem.help(
                    "leave one of the two out; `--difficulty` and `--where` choose among balanced rows",
                ),
            );
        }
        let of = self.number(&hardest.of)?;
        if !(1..=OF_MAX).contains(&of) {
            let message = format!("the hardest is taken of 1 to {OF_MAX} walks");
            self.problem(Diagnostic::error(message, hardest.of.span, format!("this is {of}")));
            return None;
        }
        let (number, span) = match &hardest.question {
            Some(number) => (self.number(number)?, number.span),
            None => (0, hardest.span),
        };
        // If one is wrong, that has been said, and the others have moved up.
        let written = |at: usize| written_number(bundles, at);
        if questions.iter().enumerate().map(|(at, _)| written(at)).max().map_or(0, |last| last + 1)
            < storyboard.questions.len()
        {
            return None;
        }
        let found = usize::try_from(number).ok();
        let found = found.and_then(|wanted| (0..questions.len()).find(|&at| written(at) == wanted));
        let Some(at) = found else {
            let message = format!("there is no question {number} to be hard");
            self.problem(Diagnostic::error(message, span, "").help("questions are counted from 0"));
            return None;
        };
        if !has_number(&questions[at], hardest.by.value) {
            let message = format!("this question has no number `{}`", hardest.by.value.key());
            let asked = storyboard.questions[written(at)].span;
            let problem = Diagnostic::error(message, hardest.by.span, "by this").label(asked, "asked here");
            self.problem(problem.help("`quantile` ranks questions of all kinds"));
            return None;
        }
        Some(Hardest { of: of as u64, by: hardest.by.value, question: written(at) })
    }
}

/// Whether a number has a meaning for a question.
fn has_number(question: &Question, by: Hardness) -> bool {
    let has_lower_order = match (question.kind, question.target) {
        (
            QuestionKind::Reality | QuestionKind::Start | QuestionKind::World | QuestionKind::WorldThings,
            _,
        ) => false,
        (_, Target::Item(_) | Target::Attitude(_)) => !question.others.is_empty(),
        (_, Target::Matter(_)) => false,
    };
    match by {
        Hardness::Updates => question.dynamic.is_none(),
        Hardness::LowerOrdersDiffer => question.dynamic.is_none() && has_lower_order,
        Hardness::Bearing | Hardness::Between | Hardness::After | Hardness::Quantile => true,
    }
}
