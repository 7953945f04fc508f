//! The answers of a story that differs from another in one event.

use super::{Answer, Answered, Asker, CHOICES_MAX};
use crate::rng::below;
use crate::simulate::Story;

/// Where the twin's part of a story's stream of choices begins; from there on it is indexed by question.
const TWIN_PART: u64 = 1 << 32;

impl Asker<'_> {
    /// The answers of a story and, found by `twins`, those of its twin.
    ///
    /// In both, a question offers the same choices in the same order. Where more can be answered than is offered, a choice
    /// that is wrong in both makes room for the twin's answer: if the lists differed, the difference would tell a reader
    /// of both what the answers are. Only sets of people are made from the answer, and so differ.
    pub fn ask_pair<'s>(
        &'s mut self,
        twins: &'s mut Self,
        story: &Story,
        twin: &Story,
    ) -> [&'s [Answered]; 2] {
        let counts = [self.ask(story).len(), twins.ask(twin).len()];
        for own in &mut twins.answers[..counts[1]] {
            let first = self.answers[..counts[0]].iter_mut().find(|first| first.question == own.question);
            let Some(first) = first else { continue };
            let answer = own.answer.expect("an answered question");
            let label = match first.choices.iter().position(|&choice| choice == answer) {
                Some(label) => label,
                None if matches!(answer, Answer::People(_)) => continue,
                None => {
                    let mut stream = self.choices_key.stream(twin.index, TWIN_PART + own.question as u64);
                    let other = below(&mut stream, CHOICES_MAX as u32 - 1) as usize;
                    let label = other + usize::from(other >= first.label);
                    first.choices[label] = answer;
                    label
                }
            };
            own.choices.clone_from(&first.choices);
            own.label = label;
        }
        [&self.answers[..counts[0]], &twins.answers[..counts[1]]]
    }
}
