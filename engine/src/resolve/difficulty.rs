//! How difficult questions are to be: `difficulty` among the goals, and `hardest`, which of several walks is told.

use std::ops::RangeInclusive;

use super::{Ensured, Resolver};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::form::Hardness;
use crate::plan::{
    Balance, Bundle, Goal, Hardest, Level, Margin, Property, Question, Target, written_number,
};
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

impl Asked<'_> {
    /// The first of the questions that the author writes as one, with this number; `None` if it is a single one.
    fn first_of_several(&self, written: usize) -> Option<usize> {
        let mut firsts = self.bundles.iter().map(|bundle| bundle.first);
        firsts.find(|&first| written_number(self.bundles, first) == written)
    }
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
            let most = if bounds.most.is_some() { *range.end() } else { *range.start() };
            if by.value == Hardness::Quantile && most > 100 {
                let span = bounds.most.as_ref().or(bounds.least.as_ref()).map_or(by.span, |end| end.span);
                let message = "a quantile is at most 100";
                self.problem(Diagnostic::error(message, span, format!("this is {most}")));
                return None;
            }
            Some((by.value, range))
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
        let least = end(self, &bounds.least, 0);
        // One number is both ends, and is wrong once.
        let most = if bounds.least == bounds.most { least } else { end(self, &bounds.most, i64::MAX) };
        let (least, most) = (least?, most?);
        let at = bounds.least.as_ref().or(bounds.most.as_ref()).map_or(span, |number| number.span);
        if least > most || most < 0 {
            let message = "no number is in this range";
            let problem = Diagnostic::error(message, at, format!("from {least} to {most}"));
            self.problem(problem.help("write the smaller number first: `3..5`; none is below 0"));
            return None;
        }
        Some(least.max(0) as u64..=most as u64)
    }

    /// Reports goals on how difficult questions are that there are not, or that have no such numbers.
    pub(super) fn check_difficulty(&mut self, goals: &[Ensured], asked: &Asked, balance: Option<&Balance>) {
        let storyboard = self.storyboard;
        for goal in &storyboard.goals {
            let GoalKind::Difficulty { ranges, question } = &goal.kind else { continue };
            let resolved = goals.iter().find(|ensured| ensured.span == goal.span);
            let Some(Goal::Difficulty(_, wanted)) = resolved.map(|ensured| &ensured.goal) else { continue };
            let span = question.as_ref().map_or(goal.span, |number| number.span);
            let Some(number) = question.as_ref().map_or(Some(0), |number| self.number(number)) else {
                continue;
            };
            let by: Vec<&Spanned<Hardness>> = ranges.iter().map(|(by, _)| by).collect();
            let Some(question) = self.measured((number, span), &by, asked) else { continue };
            if let Some(first) = asked.first_of_several(question) {
                let message =
                    "difficulty cannot be demanded of a question that leaves open whom or what it is about";
                let asked = self.storyboard.questions[asked.authored[first]].span;
                let problem =
                    Diagnostic::error(message, goal.span, "demanded here").label(asked, "asked here");
                self.problem(problem.help(
                    "a story's number decides which question is asked, and drawing its events again may never make that one \
                     difficult enough. Choose among the stories that are made instead: `storysim generate BOARD --where 'quantile >= 80'`",
                ));
                continue;
            }
            self.check_shares(question, wanted, goal.span, balance);
        }
    }

    /// Reports shares of numbers that a goal rules out.
    fn check_shares(
        &mut self,
        question: usize,
        wanted: &[(Hardness, RangeInclusive<u64>)],
        span: Span,
        balance: Option<&Balance>,
    ) {
        let Some(balance) = balance.filter(|balance| balance.question == question) else { return };
        for (by, range) in wanted {
            let of_it = |margin: &&Margin| margin.property == Property::Difficulty(*by);
            let Some(margin) = balance.margins.iter().find(of_it) else { continue };
            let wanted = Level::Within(*range.start(), *range.end());
            let is_out = |(level, share): &&(Level, f64)| *share > 0.0 && !level.overlaps(wanted);
            if let Some([first, last]) =
                margin.shares.iter().find(is_out).and_then(|(level, _)| level.numbers())
            {
                let written = self.storyboard.balance.as_ref();
                let name = margin.property.name();
                let entry = written.and_then(|all| all.entries.iter().find(|(key, _)| key.value == name));
                let numbers = if first == last { first.to_string() } else { format!("{first} to {last}") };
                let message = format!("`{name}` is to be {numbers} in some rows, and never in any");
                let problem = Diagnostic::error(message, span, "not by this goal");
                self.problem(match entry {
                    Some((key, _)) => problem.label(key.span, "in a share of the rows"),
                    None => problem,
                });
            }
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
            let help = format!("questions are counted from 0; the last is {}", count.saturating_sub(1));
            self.problem(problem.help(help));
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
    let minds = question.others.len();
    let has_lower_order = !matches!(question.target, Target::Matter(_))
        && match question.kind {
            QuestionKind::Knows => minds > 1,
            QuestionKind::Belief
            | QuestionKind::CouldAnswer
            | QuestionKind::WhoLikes
            | QuestionKind::WhoDislikes => minds > 0,
            _ => false,
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
