//! `words` and `at_depth`: how long stories are made.

use super::{Condition, Demand, Resolver};
use crate::diagnostic::Diagnostic;
use crate::id::CharacterId;
use crate::plan::Length;
use crate::storyboard::{Depth, Style};

impl Resolver<'_> {
    /// The condition that those who only pass by, the last of so many characters, do nothing in the storyboard's own part.
    pub(super) fn passing_by(&self, characters: Option<usize>, passers_by: usize) -> Option<Condition> {
        let (length, until, count) = (self.storyboard.length.as_ref()?, self.horizon?, characters?);
        if passers_by == 0 || until == 0 {
            return None;
        }
        let who = (count - passers_by..count).map(CharacterId::new).collect();
        Some(Condition { from: 0, until, demand: Demand::Idle { who }, span: length.words.span })
    }

    pub(super) fn length(&mut self, characters: Option<usize>) -> Option<Length> {
        let storyboard = self.storyboard;
        let length = storyboard.length.as_ref()?;
        let span = length.words.span;
        if storyboard.style == Style::Conversation || storyboard.scenarios.is_some() {
            let message = "only stories in which people go from place to place can be made longer by `words`";
            let help = match &storyboard.scenarios {
                None => "people talk here (`style: conversation`); leave `words` out",
                Some(_) => {
                    "leave `words` out, and write a greater `between`: the number of moves before each announcement"
                }
            };
            self.problem(Diagnostic::error(message, span, "asked for here").help(help));
        } else if characters.is_some_and(|count| count <= storyboard.roles.len()) {
            let message =
                "`words` needs somebody who goes about, but everybody here has a role, and no name is left";
            let problem = match (&storyboard.characters.count, storyboard.roles.last()) {
                (Some(count), _) => Diagnostic::error(message, count.span, "so many people"),
                (None, Some(role)) => Diagnostic::error(message, role.span, "the last one of the pool"),
                (None, None) => Diagnostic::error(message, span, "asked for here"),
            };
            self.problem(problem.help("write more names into the pool: whoever bears them passes by"));
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
