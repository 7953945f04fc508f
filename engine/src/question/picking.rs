//! Which questions are asked of a story, and of it and its twins.

use super::answer::Answer;
use super::bundle::{Pick, Picker, Scratch, Stories};
use super::query::{Facts, Heard, Prepared};
use super::talk::Talk;
use crate::plan::{Moment, Plan};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::Story;
use crate::world::Value;

/// Draws, of the questions that are written as one, those that are asked.
#[derive(Clone, Debug)]
pub struct Picking<'a> {
    plan: &'a Plan,
    key: StreamKey,
    pickers: Vec<Picker>,
    /// For each question of the plan, unless it has no answer in a conversation, what answers it.
    prepared: Vec<Option<Prepared>>,
    /// The facts from which answers to those of bundles follow.
    facts: Facts,
    /// What is said in each of the stories.
    heard: Vec<Heard>,
    scratch: Scratch,
}

impl<'a> Picking<'a> {
    /// A picking for a plan and the seed of a run.
    pub fn new(plan: &'a Plan, seed: u64) -> Self {
        let mut facts = Facts::default();
        let is_staged = plan.staging.is_some();
        let prepared = |question| is_staged.then(|| Prepared::new(plan, question)).flatten();
        Self {
            plan,
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Questions),
            prepared: plan.questions.iter().map(prepared).collect(),
            pickers: plan.bundles.iter().map(|bundle| Picker::new(plan, bundle, &mut facts)).collect(),
            facts,
            heard: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// The questions that are asked of all of these stories, of which each is the twin of the first: for each story, one of each
    /// bundle, or none.
    pub fn picks<'s>(&mut self, stories: impl Iterator<Item = &'s Story> + Clone) -> Vec<Vec<Option<Pick>>> {
        let count = self.pickers.len();
        let mut picks: Vec<Vec<Option<Pick>>> = stories.clone().map(|_| Vec::with_capacity(count)).collect();
        if count == 0 {
            return picks;
        }
        let index = self.read(stories);
        (0..count).for_each(|bundle| self.pick(bundle, index, &mut picks));
        picks
    }

    /// What is said in the first of the stories that it picked for last, if it had to know.
    pub(super) fn talk(&self) -> Option<&Talk> {
        self.heard.first().map(Heard::talk)
    }

    /// Whether a question is asked of a story and of another one, and has different answers in them. Of a question that stands for
    /// several, the number is that of the first.
    ///
    /// Costs O(people · sayings); where matters are open, as much for each way to choose them.
    pub fn tells_apart(&mut self, question: usize, story: &Story, twin: &Story) -> bool {
        let index = self.read([story, twin].into_iter());
        let number = match self.plan.bundles.iter().position(|bundle| bundle.first == question) {
            None => question,
            Some(bundle) => {
                let mut picks = vec![Vec::new(); 2];
                self.pick(bundle, index, &mut picks);
                match &picks[0][0] {
                    Some(pick) => pick.question,
                    None => return false,
                }
            }
        };
        let answers = [0, 1].map(|story| self.answer(number, story));
        answers.iter().all(Option::is_some) && answers[0] != answers[1]
    }

    /// Takes in stories. Returns the index of the first.
    fn read<'s>(&mut self, stories: impl Iterator<Item = &'s Story>) -> u64 {
        let (mut index, mut count) = (None, 0);
        for story in stories {
            index.get_or_insert(story.index);
            if self.heard.len() == count {
                self.heard.push(Heard::default());
            }
            self.heard[count].read(&story.trace, &self.facts);
            count += 1;
        }
        self.heard.truncate(count);
        index.expect("a story")
    }

    /// Adds the question that is picked of a bundle, or none, to those of each story.
    fn pick(&mut self, bundle: usize, index: u64, picks: &mut [Vec<Option<Pick>>]) {
        let Self { pickers, facts, heard, key, scratch, .. } = self;
        let stream = &mut key.stream(index, bundle as u64);
        let mut stories = Stories { facts, heard };
        pickers[bundle].pick(&mut stories, stream, scratch, picks);
    }

    /// The answer to a question about the end of one of the stories, if it is offered.
    fn answer(&self, number: usize, story: usize) -> Option<Answer> {
        let question = &self.plan.questions[number];
        let prepared = self.prepared[number].as_ref().filter(|_| question.moment == Moment::End)?;
        let answer = prepared.answer(self.heard[story].talk())?;
        let is_offered = |value: Value| question.choices.is_empty() || question.choices.contains(&value);
        answer.value().is_none_or(is_offered).then_some(answer)
    }
}
