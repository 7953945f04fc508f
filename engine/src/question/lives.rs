//! Which of the lives that might have been led a choice stands for.

use super::answer::Answer;
use super::dynamics::Courses;
use super::told::shown;
use crate::plan::{Dynamic, Question, Target};
use crate::world::Item;

impl Courses {
    /// For each choice of a question, the steps of the news that is heard in its life; `None` if choices are not made by lives, or
    /// one of them is that of no life of this story but of its twin's.
    pub fn heard_in(&self, question: &Question, choices: &[Answer]) -> Option<Vec<&[usize]>> {
        let of = |choice: &Answer| Some(self.heard[self.life_of(question, *choice)?].steps.as_slice());
        if self.are_by_lives() { choices.iter().map(of).collect() } else { None }
    }

    /// The number of the life of which a choice tells.
    fn life_of(&self, question: &Question, choice: Answer) -> Option<usize> {
        let Dynamic { state, scenario } = question.dynamic?;
        let Target::Item(Item::Prospect(prospect)) = question.target else { return None };
        match choice {
            Answer::Life(_, life) => Some(usize::from(life)),
            Answer::Shown(is) => {
                self.lives.iter().position(|course| shown(&course[scenario], state, prospect) == is)
            }
            _ => None,
        }
    }
}
