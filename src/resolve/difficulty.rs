//! How difficult questions are to be: `difficulty` among the goals, and `hardest`, which of several walks is told.

use std::ops::RangeInclusive;

use super::{Ensured, Resolver};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::form::Hardness;
use crate::plan::{Bundle, Goal, Hardest, Question, Target, written_number};
use crate::storyboard::{Bounds, GoalKind, Number, QuestionKind};

/// The largest number of walks of which the hardest is taken: drawing them takes a tenth of a second.
const OF_MAX: i64 = 100_000;

/// The questions that are asked.
pub(super) struct Asked<'a> {
    pub questions: &'a [Question],
    /// Those of which several are written as one.
    pub bundles: &'a [Bundle],
    /// For each question, the number of the author's line that it belongs to.
    pub authored: &'a [usize],
}

impl Resolver<'_> {
    pub(super) fn hardest(&mut self, asked: &Asked) -> Option<Hardest> {
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
        let question = self.measured((number, span), &[&hardest.by], asked)?;
        Some(Hardest { of: of as u64, by: hardest.by.value, question })
    }

    /// How difficult a question is to be. The questions are looked at later, in [`Self::check_difficulty`].
    pub(super) fn difficulty(
        &mut self,
        ranges: &[(Spanned<Hardness>, Bounds)],
        question: Option<&Number>,
    ) -> Option<Goal> {
        let ranges = ranges.iter().map(|(by, bounds)| {
            let range = self.range(bounds, by.span)?;
            let problem = match by.value {
                Hardness::Quantile if *range.start() > 100 => "a quantile is at most 100",
                _ => return Some((by.value, range)),
            };
            let span = bounds.least.as_ref().map_or(by.span, |least| least.span);
            self.problem(Diagnostic::error(problem, span, format!("this is {}", range.start())));
            None
        });
        let ranges: Option<Vec<_>> = ranges.collect();
        let question = match question {
            Some(number) => self.number(number)?,
            None => 0,
        };
        // A number that no question has is not one of any.
        Some(Goal::Difficulty(usize::try_from(question).unwrap_or(usize::MAX), ranges?))
    }

    /// The numbers between two, both included.
    fn range(&mut self, bounds: &Bounds, span: Span) -> Option<RangeInclusive<u64>> {
        let end = |resolver: &mut Self, end: &Option<Number>, none: i64| match end {
            Some(number) => resolver.number(number),
            None => Some(none),
        };
        let (least, most) = (end(self, &bounds.least, 0), end(self, &bounds.most, i64::MAX));
        let (least, most) = (least?, most?);
        let at = bounds.least.as_ref().or(bounds.most.as_ref()).map_or(span, |number| number.span);
        if least > most || most < 0 {
            let message = "no number is in this range";
            self.problem(Diagnostic::error(message, at, format!("from {least} to {most}")));
            return None;
        }
        Some(least.max(0) as u64..=most as u64)
    }

    /// Reports goals on how difficult questions are that there are not, or that have no such numbers.
    pub(super) fn check_difficulty(&mut self, goals: &[Ensured], asked: &Asked) {
        let storyboard = self.storyboard;
        for goal in &storyboard.goals {
            let GoalKind::Difficulty { ranges, question } = &goal.kind else { continue };
            let resolved = goals.iter().find(|ensured| ensured.span == goal.span);
            let Some(Goal::Difficulty(number, _)) = resolved.map(|ensured| &ensured.goal) else { continue };
            let span = question.as_ref().map_or(goal.span, |number| number.span);
            let number = i64::try_from(*number).unwrap_or(i64::MAX);
            let by: Vec<&Spanned<Hardness>> = ranges.iter().map(|(by, _)| by).collect();
            self.measured((number, span), &by, asked);
        }
    }

    /// The number, as the author counts, of a question that has all these numbers; or reports why there is none.
    fn measured(
        &mut self,
        (number, span): (i64, Span),
        by: &[&Spanned<Hardness>],
        asked: &Asked,
    ) -> Option<usize> {
        let Asked { questions, bundles, authored } = *asked;
        // If one is wrong, that has been said, and the others have moved up.
        let written = |at: usize| written_number(bundles, at);
        let count = questions.iter().enumerate().map(|(at, _)| written(at)).max().map_or(0, |last| last + 1);
        if count < self.storyboard.questions.len() {
            return None;
        }
        let found = usize::try_from(number).ok();
        let found = found.and_then(|wanted| (0..questions.len()).find(|&at| written(at) == wanted));
        let Some(at) = found else {
            let problem = Diagnostic::error("there is no such question", span, format!("question {number}"));
            self.problem(problem.help("questions are counted from 0"));
            return None;
        };
        for by in by {
            if !has_number(&questions[at], by.value) {
                let message = format!("this question has no number `{}`", by.value.key());
                let asked = self.storyboard.questions[authored[at]].span;
                let problem = Diagnostic::error(message, by.span, "this number").label(asked, "asked here");
                self.problem(problem.help("`quantile` ranks questions of all kinds"));
                return None;
            }
        }
        Some(written(at))
    }
}

/// Whether a number has a meaning for a question.
pub(super) fn has_number(question: &Question, by: Hardness) -> bool {
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
        Hardness::Bearing
        | Hardness::Between
        | Hardness::After
        | Hardness::ShortcutsRight
        | Hardness::Quantile => true,
    }
}
