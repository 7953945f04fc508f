//! The answers of a story and of others that each differ from it in one event.

use super::dynamics::Courses;
use super::{Answer, Answered, Asker};
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
    /// of several what the answers are. Only sets of people are made from the answer, and so differ, and so does what news does
    /// to people where stories are not drawn by lives. Where choices
    /// stand for lives, a question is left out whose answer in a twin is none of the story's choices.
    pub fn ask_all<'s, 't>(
        &'s mut self,
        twins: &'s mut [Self],
        story: &'t Story,
        told: impl Iterator<Item = &'t Story> + Clone,
    ) -> Vec<&'s [Answered]> {
        let stories = std::iter::once(story).chain(told.clone());
        let picks = self.picking.as_mut().map_or_else(Vec::new, |picking| picking.picks(stories));
        let picked = |at: usize| picks.get(at).map_or(&[][..], Vec::as_slice);
        let count = self.ask_picked(story, picked(0), true).len();
        let asked = twins.iter_mut().zip(told).zip(1..);
        let mut counts: Vec<usize> =
            asked.map(|((twin, told), at)| twin.ask_picked(told, picked(at), false).len()).collect();
        let mut left_out: Vec<usize> = Vec::new();
        for at in 0..count {
            let question = self.answers[at].question;
            let courses = self.subjects[question].map(|number| &self.courses[number]);
            let is_by_lives = courses.is_some_and(Courses::are_by_lives);
            if !is_by_lives && matches!(self.answers[at].answer, Some(Answer::Life(..))) {
                continue; // made from what others do, which differs
            }
            let mut others: Vec<(u64, &mut Answered)> = Vec::new();
            for (number, (twin, &count)) in (1..).zip(twins.iter_mut().zip(&counts)) {
                let own = twin.answers[..count].iter_mut().find(|own| own.question == question);
                others.extend(own.map(|own| (number, own)));
            }
            if is_by_lives {
                if !self.offer_the_same_lives(at, &mut others) {
                    left_out.push(question);
                }
            } else {
                self.offer_the_same(at, story.index, &mut others);
            }
        }
        let count = leave_out(&mut self.answers[..count], &left_out);
        for (twin, count) in twins.iter_mut().zip(&mut counts) {
            *count = leave_out(&mut twin.answers[..*count], &left_out);
        }
        let of_twins = twins.iter().zip(&counts).map(|(twin, &count)| &twin.answers[..count]);
        std::iter::once(&self.answers[..count]).chain(of_twins).collect()
    }

    /// Gives the other answers to a question, each with the number of its twin, the choices of the story's own.
    fn offer_the_same(&mut self, at: usize, index: u64, others: &mut [(u64, &mut Answered)]) {
        let mut right = vec![self.answers[at].label];
        for (number, own) in others.iter_mut() {
            let answer = own.answer.expect("an answered question");
            let first = &self.answers[at];
            own.label = match first.choices.iter().position(|&choice| choice == answer) {
                Some(label) => label,
                None if matches!(answer, Answer::People(_)) => continue,
                None => match self.give_way(at, &right, (index, *number)) {
                    Some(label) => {
                        self.answers[at].choices[label] = answer;
                        label
                    }
                    None => continue,
                },
            };
            if !right.contains(&own.label) {
                right.push(own.label);
            }
        }
        let first = &self.answers[at];
        for (_, own) in others {
            if first.choices.get(own.label) == own.answer.as_ref() {
                own.choices.clone_from(&first.choices);
            }
        }
    }

    /// The same, where choices stand for lives. The life that is led in a twin has to say what one of the story's says; returns whether
    /// it does.
    ///
    /// No choice makes room for another here: of two choices that say the same of most scenarios, and else nothing alike, one
    /// would be right.
    fn offer_the_same_lives(&mut self, at: usize, others: &mut [(u64, &mut Answered)]) -> bool {
        let Answered { question: number, choices, .. } = &self.answers[at];
        let asked = &self.plan.questions[*number];
        let courses = &self.courses[self.subjects[*number].expect("the subject of a question")];
        let lives = courses.count();
        for (twin, own) in others.iter_mut() {
            let told = courses.told(asked, lives + *twin as usize - 1);
            let Some(life) = (0..lives).find(|&life| courses.told(asked, life) == told) else { return false };
            let says = courses.choice(asked, *number, life);
            own.label = choices.iter().position(|choice| *choice == says).expect("a choice of every life");
        }
        for (twin, own) in others {
            own.choices.clone_from(choices);
            for choice in &mut own.choices {
                if let Answer::Life(_, life) = choice {
                    *life = as_seen_in(*twin as usize, usize::from(*life), lives) as u8;
                }
            }
            own.choices[own.label] = own.answer.expect("an answered question");
        }
        true
    }

    /// The choice of a question that makes room for another, drawn among those that are wrong in the story and all its twins; none
    /// if there is no such choice.
    fn give_way(&self, at: usize, right: &[usize], (index, twin): (u64, u64)) -> Option<usize> {
        let Answered { question, choices, .. } = &self.answers[at];
        let mut wrong = (0..choices.len()).filter(|label| !right.contains(label));
        let count = choices.len() - right.len();
        if count == 0 {
            return None;
        }
        let mut stream = self.choices_key.stream(index, twin * TWIN_PART + *question as u64);
        wrong.nth(below(&mut stream, count as u32) as usize)
    }
}

/// Leaves out the answers to these questions. Returns how many are left; they come first.
fn leave_out(answers: &mut [Answered], questions: &[usize]) -> usize {
    let mut kept = 0;
    for at in 0..answers.len() {
        if !questions.contains(&answers[at].question) {
            answers.swap(kept, at);
            kept += 1;
        }
    }
    kept
}

/// The number that one of a story's lives has among those of a twin. There are first the lives of which choices are made, of which the
/// first is led; then those that are led in the story and the other twins, in order.
///
/// With four lives and two twins, 4 is what the story calls the life led in its first twin, and 5 the one in its second: the
/// second twin calls them 5 and 0, and the one that is led in the story 4.
fn as_seen_in(twin: usize, life: usize, lives: usize) -> usize {
    let led_in = match life {
        0 => 0,
        life if life >= lives => life - lives + 1,
        life => return life,
    };
    match led_in {
        led_in if led_in == twin => 0,
        led_in if led_in < twin => lives + led_in,
        led_in => lives + led_in - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::as_seen_in;

    #[test]
    fn lives_keep_their_numbers_apart() {
        let of = |twin: usize| (0..6).map(|life| as_seen_in(twin, life, 4)).collect::<Vec<_>>();
        assert_eq!(of(1), [4, 1, 2, 3, 0, 5]);
        assert_eq!(of(2), [4, 1, 2, 3, 5, 0]);
    }
}
