//! The answers of a story that differs from another in one event.

use super::{Answer, Answered, Asker, CHOICES_MAX};
use crate::rng::below;
use crate::simulate::Story;

/// Where the twin's part of a story's stream of choices begins; from there on it is indexed by question.
const TWIN_PART: u64 = 1 << 32;

impl Asker<'_> {
    /// The answers of a story's twin, given those of the story itself.
    ///
    /// In both, a question offers the same choices in the same order if the twin's answer is among them. Where more can be
    /// answered than is offered, it may not be; then it takes the place of a choice that is wrong in both.
    pub fn ask_twin(&mut self, twin: &Story, answered: &[Answered]) -> &[Answered] {
        let count = self.ask(twin).len();
        for own in &mut self.answers[..count] {
            let Some(first) = answered.iter().find(|first| first.question == own.question) else { continue };
            let answer = own.answer.expect("an answered question");
            let label = match first.choices.iter().position(|&choice| choice == answer) {
                Some(label) => label,
                // Sets of people are made from the answer.
                None if matches!(answer, Answer::People(_)) => continue,
                None => {
                    let mut stream = self.choices_key.stream(twin.index, TWIN_PART + own.question as u64);
                    let other = below(&mut stream, CHOICES_MAX as u32 - 1) as usize;
                    other + usize::from(other >= first.label)
                }
            };
            own.choices.clone_from(&first.choices);
            own.choices[label] = answer;
            own.label = label;
        }
        &self.answers[..count]
    }
}
