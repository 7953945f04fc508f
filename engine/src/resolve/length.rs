//! `words` and `at_depth`: how long stories are made.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::plan::{Length, Moment, Question};
use crate::storyboard::{Depth, Style};

impl Resolver<'_> {
    pub(super) fn length(&mut self, questions: &[Question], characters: Option<usize>) -> Option<Length> {
        let storyboard = self.storyboard;
        let length = storyboard.length.as_ref()?;
        let span = length.words.span;
        let mut refuse = |message: &str, help: &str| {
            self.problem(Diagnostic::error(message, span, "asked for here").help(help));
        };
        if storyboard.style == Style::Conversation || storyboard.scenarios.is_some() {
            let message = "only stories in which people go from place to place can be made longer by `words`";
            refuse(message, "this storyboard has `style: conversation` or `scenarios`; leave `words` out");
        } else if characters.is_some_and(|count| count <= storyboard.roles.len()) {
            let message = "`words` needs somebody who goes about, but everybody here has a role";
            refuse(message, "let more people take part, with `count` under `characters`");
        }
        if questions.iter().any(|question| question.moment != Moment::End) {
            let message = "a question with `before` or `without` names a step, and `words` moves all steps";
            refuse(message, "leave one of the two out");
        }
        let (most, words) = (Length::WORDS_MAX, self.number(&length.words)?);
        let counted = usize::try_from(words).ok().filter(|words| (1..=most).contains(words));
        if counted.is_none() {
            let message = format!("a story has 1 to {most} words");
            self.problem(Diagnostic::error(message, span, format!("this is {words}")));
        }
        let depth = match &length.depth {
            None => None,
            Some(Depth::Share(share)) => Some(share.value.value()),
            Some(Depth::Percent(percent)) => {
                let value = self.number(percent)?;
                if !(0..=100).contains(&value) {
                    let message = "a depth is 0% (the beginning of a story) to 100% (its end)";
                    self.problem(Diagnostic::error(message, percent.span, format!("this is {value}%")));
                    return None;
                }
                Some(value as f64 / 100.0)
            }
        };
        Some(Length { words: counted?, depth })
    }
}
