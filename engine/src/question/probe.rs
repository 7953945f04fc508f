//! What a chain holds at the end of a story, and no more: for goals.

use super::answer::Answer;
use super::course::Course;
use super::deeds::is_false;
use super::followed::Followed;
use super::passage::Passage;
use super::reading::{Reading, Replay, happening};
use super::watch::Watch;
use crate::belief::{Chain, Tracker};
use crate::plan::Plan;
use crate::simulate::Story;
use crate::trace::Trace;
use crate::world::Value;

/// Finds out what a chain holds at the end of a story.
#[derive(Clone, Debug)]
pub struct Probe {
    chain: Chain,
    means: Means,
}

#[derive(Clone, Debug)]
enum Means {
    /// People only walk.
    Walk(Box<Watch>, Followed),
    /// People do more than walk.
    Deeds(Box<Replay>),
}

/// What a chain holds at the end of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What the chain holds of the target; `None`: unknown.
    pub held: Option<Value>,
    /// The chain's answer: what it holds or, for an object in somebody's hands, the holder's place if that is known.
    pub answer: Option<Value>,
    /// The real state of the target, in the form of an answer.
    pub truth: Value,
    /// The mislead distance of a false belief about where something is; see [`super::Asker`].
    pub mislead_distance: Option<usize>,
}

impl Probe {
    /// A probe of a chain, for the stories of a plan.
    pub fn new(plan: &Plan, chain: &Chain) -> Self {
        let means = match plan.staging {
            None => Means::Walk(
                Box::new(Watch::of_chain(chain.clone(), plan.character_count)),
                Followed::new(plan, chain.members()),
            ),
            Some(_) => Means::Deeds(Box::new(Replay::new(Reading::of_chain(chain.clone())))),
        };
        Self { chain: chain.clone(), means }
    }

    /// Follows a story. Costs O(events).
    pub fn find(&mut self, story: &Story) -> Found {
        match &mut self.means {
            Means::Walk(watch, followed) => {
                find_in_walk(&self.chain, watch, &story.trace, followed.steps(story))
            }
            Means::Deeds(replay) => find_in_deeds(&self.chain, replay, &story.trace),
        }
    }
}

/// What a chain answers at the end of a story, and nothing else of it.
///
/// ```
/// use storysim::{compile::compile, question::{Asker, Reply, chain}, simulate::{Simulator, Story}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut story = Story::default();
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let mut reply = Reply::new(&plan, chain(&plan.questions[0]).unwrap());
/// assert_eq!(reply.find(&story), Asker::new(&plan, 7).ask(&story)[0].answer);
/// ```
#[derive(Clone, Debug)]
pub struct Reply(Following);

#[derive(Clone, Debug)]
enum Following {
    /// People only walk.
    Walk(Box<Tracker>, Followed),
    /// People do more than walk.
    Deeds(Box<Replay>),
}

impl Reply {
    /// The replies of a chain in the stories of a plan.
    pub fn new(plan: &Plan, chain: Chain) -> Self {
        Self(match plan.staging {
            None => {
                let followed = Followed::new(plan, chain.members());
                Following::Walk(Box::new(Tracker::new(chain, plan.character_count)), followed)
            }
            Some(_) => Following::Deeds(Box::new(Replay::new(Reading::of_chain(chain)))),
        })
    }

    /// Follows a story. `None` if a careful reader could not say. Costs O(events); with deeds, O(events · size of the
    /// state).
    pub fn find(&mut self, story: &Story) -> Option<Answer> {
        match &mut self.0 {
            Following::Walk(tracker, followed) => {
                tracker.follow(&story.trace, followed.steps(story)).map(Answer::Place)
            }
            Following::Deeds(replay) => {
                replay.start(&story.trace);
                for step in 0..story.trace.events.len() {
                    let (event, deed) = happening(&story.trace, step);
                    replay.apply(event, deed);
                }
                replay.reading.answer()
            }
        }
    }
}

fn find_in_walk(chain: &Chain, watch: &mut Watch, trace: &Trace, steps: &[u32]) -> Found {
    let target = chain.character().expect("a chain about a character");
    let mut course = Course::new(chain.minds(), target);
    watch.start(&trace.start);
    let false_since = course.follow(watch, trace, steps, |_, _, _, _, _| {});
    let (answer, truth) = (watch.answer(), course.truth());
    let is_false = answer.is_some_and(|answer| answer != truth);
    let mislead_distance =
        false_since.filter(|_| is_false).map(|since| course.mislead_distance(since, trace));
    let answer = answer.map(Value::Place);
    Found { held: answer, answer, truth: Value::Place(truth), mislead_distance }
}

fn find_in_deeds(chain: &Chain, replay: &mut Replay, trace: &Trace) -> Found {
    replay.start(trace);
    let mut passage = Passage::new(chain.minds(), chain.target(), replay.scene());
    for step in 0..trace.events.len() {
        let (event, deed) = happening(trace, step);
        let is_moved = replay.moves(event, deed, chain.target());
        let is_witnessed = replay.apply(event, deed);
        passage.step(step, replay, is_moved && is_witnessed);
    }
    let (answer, truth) = (replay.reading.answer(), passage.truth());
    let is_false = answer.is_some_and(|answer| is_false(answer, truth));
    Found {
        held: replay.reading.held(),
        answer: answer.and_then(Answer::value),
        truth: truth.value().expect("reality is known"),
        mislead_distance: passage.mislead_distance().filter(|_| is_false),
    }
}
