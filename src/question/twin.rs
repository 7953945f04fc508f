//! The answers of a story and of others that each differ from it in one event.

use super::{Answer, Answered, Asker, CHOICES_MAX};
use crate::rng::below;
use crate::simulate::Story;

/// Where the first twin's part of a story's stream of choices begins; from there on it is indexed by question. That of the
/// second begins as much further on.
const TWIN_PART: u64 = 1 << 32;

impl Asker<'_> {
    /// The answers of a story, followed by those of its twins, each found by one of `twins`. Of questions that are written as one,
    /// the same is asked of all of them.
    ///
    /// In all of them, a question offers the same choices in the same order. Where more can be answered than is offered, a
    /// choice that is wrong in all makes room for a twin's answer: if the lists differed, the difference would tell a reader
    /// of several what the answers are. Only sets of people are made from the answer, and so differ.
    pub fn ask_all<'s, 't>(
        &'s mut self,
        twins: &'s mut [Self],
        story: &'t Story,
        told: impl Iterator<Item = &'t Story> + Clone,
    ) -> Vec<&'s [Answered]> {
        let stories = std::iter::once(story).chain(told.clone());
        let picks = self.picking.as_mut().map_or_else(Vec::new, |picking| picking.picks(stories));
        let picked = |at: usize| picks.get(at).map_or(&[][..], Vec::as_slice);
        let count = self.ask_picked(story, picked(0)).len();
        let asked = twins.iter_mut().zip(told).zip(1..);
        let counts: Vec<usize> =
            asked.map(|((twin, told), at)| twin.ask_picked(told, picked(at)).len()).collect();
        for at in 0..count {
            let question = self.answers[at].question;
            let mut others: Vec<(u64, &mut Answered)> = Vec::new();
            for (number, (twin, &count)) in (1..).zip(twins.iter_mut().zip(&counts)) {
                let own = twin.answers[..count].iter_mut().find(|own| own.question == question);
                others.extend(own.map(|own| (number, own)));
            }
            self.offer_the_same(at, story.index, &mut others);
        }
        let of_twins = twins.iter().zip(&counts).map(|(twin, &count)| &twin.answers[..count]);
        std::iter::once(&self.answers[..count]).chain(of_twins).collect()
    }

    /// Gives the other answers to a question, each with the number of its twin, the choices of the story's own.
    fn offer_the_same(&mut self, at: usize, index: u64, others: &mut [(u64, &mut Answered)]) {
        let first = &mut self.answers[at];
        let mut right = vec![first.label];
        for (number, own) in others.iter_mut() {
            let answer = own.answer.expect("an answered question");
            own.label = match first.choices.iter().position(|&choice| choice == answer) {
                Some(label) => label,
                None if matches!(answer, Answer::People(_)) => continue,
                None => {
                    let part = *number * TWIN_PART + own.question as u64;
                    let mut wrong = (0..CHOICES_MAX).filter(|label| !right.contains(label));
                    let count = (CHOICES_MAX - right.len()) as u32;
                    let drawn = below(&mut self.choices_key.stream(index, part), count);
                    let label = wrong.nth(drawn as usize).expect("fewer are right than are offered");
                    first.choices[label] = answer;
                    label
                }
            };
            if !right.contains(&own.label) {
                right.push(own.label);
            }
        }
        for (_, own) in others {
            if first.choices.get(own.label) == own.answer.as_ref() {
                own.choices.clone_from(&first.choices);
            }
        }
    }
}
