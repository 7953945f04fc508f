//! Which questions are asked of a story, and of it and its twins.

use super::answer::Answer;
use super::bundle::{Pick, Picker};
use super::talk::Talk;
use crate::plan::{Moment, Plan, Question};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::Story;
use crate::world::Value;

/// Draws, of the questions that are written as one, those that are asked.
#[derive(Clone, Debug)]
pub struct Picking<'a> {
    plan: &'a Plan,
    key: StreamKey,
    pickers: Vec<Picker>,
    /// What is said in each of the stories.
    talks: Vec<Talk>,
}

impl<'a> Picking<'a> {
    /// A picking for a plan and the seed of a run.
    pub fn new(plan: &'a Plan, seed: u64) -> Self {
        Self {
            plan,
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Questions),
            pickers: plan.bundles.iter().map(|bundle| Picker::new(plan, bundle)).collect(),
            talks: Vec::new(),
        }
    }

    /// The questions that are asked of all of these stories, of which each is the twin of the first: for each story, one of each
    /// bundle, or none.
    pub fn picks<'s>(&mut self, stories: impl Iterator<Item = &'s Story> + Clone) -> Vec<Vec<Option<Pick>>> {
        let mut picks: Vec<Vec<Option<Pick>>> = stories.clone().map(|_| Vec::new()).collect();
        if self.pickers.is_empty() {
            return picks;
        }
        let index = self.read(stories);
        for number in 0..self.pickers.len() {
            let mut picked = self.pick(number, index).into_iter().flatten();
            picks.iter_mut().for_each(|picks| picks.push(picked.next()));
        }
        picks
    }

    /// Whether a question is asked of a story and of another one, and has different answers in them. Of a question that stands for
    /// several, the number is that of the first.
    ///
    /// Costs O(people · sayings); where matters are open, as much for each way to choose them.
    pub fn tells_apart(&mut self, question: usize, story: &Story, twin: &Story) -> bool {
        let index = self.read([story, twin].into_iter());
        let number = match self.plan.bundles.iter().position(|bundle| bundle.first == question) {
            None => question,
            Some(bundle) => match self.pick(bundle, index) {
                Some(picks) => picks[0].question,
                None => return false,
            },
        };
        let question = &self.plan.questions[number];
        let answers: Vec<Option<Answer>> =
            self.talks.iter().map(|talk| answer(self.plan, talk, question)).collect();
        answers.iter().all(Option::is_some) && answers[0] != answers[1]
    }

    /// Takes in stories. Returns the index of the first.
    fn read<'s>(&mut self, stories: impl Iterator<Item = &'s Story>) -> u64 {
        let (mut index, mut count) = (None, 0);
        for story in stories {
            index.get_or_insert(story.index);
            if self.talks.len() == count {
                self.talks.push(Talk::default());
            }
            self.talks[count].read(&story.trace);
            count += 1;
        }
        self.talks.truncate(count);
        index.expect("a story")
    }

    fn pick(&mut self, bundle: usize, index: u64) -> Option<Vec<Pick>> {
        let Self { plan, pickers, talks, key } = self;
        pickers[bundle].pick(plan, talks, &mut key.stream(index, bundle as u64))
    }
}

/// The answer to a question about the end of a story, if it is offered.
fn answer(plan: &Plan, talk: &Talk, question: &Question) -> Option<Answer> {
    let answer = (question.moment == Moment::End).then(|| talk.answer(plan, question))??;
    let is_offered = |value: Value| question.choices.is_empty() || question.choices.contains(&value);
    answer.value().is_none_or(is_offered).then_some(answer)
}
