//! Finds a twin for a story: one that differs from it in one event, and in the answer to a question.
//!
//! The twin is a story of the same storyboard, with the same cast and names. In one event somebody else acts, or it leads
//! to somewhere else (who walks goes to another place, an object into another container, a whisper to another ear);
//! everything that follows from that is derived anew. The question's target does the same at the same steps in both
//! stories, so that what differs is who witnessed what: whoever answers by the target's moves alone answers both
//! alike, and one of them wrongly.
//!
//! Changes are tried out in an order that is drawn, so each that makes a twin is as likely as any other. Cheap tests come
//! first: of walks (`walks.rs`) and deeds (`deeds.rs`) those are listed that can happen, then answers are compared, and
//! the last word has [`check()`], which knows nothing of all this. How many stories have a twin is tried out beforehand
//! ([`admit_twins`]); one that has none is drawn again.

mod deeds;
mod trial;
mod walks;

use crate::check::{Claim, check};
use crate::plan::{Moment, Plan, Target};
use crate::question::{Answer, Asker};
use crate::rng::{Purpose, StreamKey, below};
use crate::select::Selector;
use crate::select::balance::cost_of_event;
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, Storyboard};
use deeds::DeedChanges;
use walks::WalkChanges;

pub use trial::admit_twins;

/// So much is spent on looking for the twin of one story: a unit for every event that is followed, and for what has to be
/// followed then.
const TRIES_COST_MAX: usize = 1 << 18;

/// However long it is, so many changes are tried.
const TRIES_MIN: usize = 8;

/// A story, and the event in which it differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Twin {
    /// The story.
    pub story: Story,
    /// The step of that event.
    pub step: usize,
}

/// Draws the stories of a plan, or of those of all combinations of drawn numbers, with their twins.
///
/// ```
/// use storysim::{compile::compile, diagnostic::Source, select::{Selector, Twin, Twins}, simulate::Story, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, T]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let (mut story, mut twin) = (Story::default(), Twin::default());
/// Twins::new(&board, &plan, 7).unwrap().draw(&mut Selector::new(&plan, 7), 42, &mut story, &mut twin);
/// assert_eq!(story.trace.events[..twin.step], twin.story.trace.events[..twin.step]);
/// assert_ne!(story.trace.events[twin.step], twin.story.trace.events[twin.step]);
/// ```
#[derive(Clone, Debug)]
pub struct Twins<'a> {
    storyboard: &'a Storyboard,
    plans: &'a [Plan],
    seed: u64,
    /// Of each plan, once a story of it has been drawn.
    finders: Vec<Option<Finder<'a>>>,
}

impl<'a> Twins<'a> {
    /// For a storyboard, its plans and the seed of a run. None if no question asks for a belief at the end.
    ///
    /// # Panics
    /// If there is no plan.
    pub fn new(storyboard: &'a Storyboard, plans: impl Into<&'a [Plan]>, seed: u64) -> Option<Self> {
        let plans = plans.into();
        let mut finders = vec![None; plans.len()];
        finders[0] = Some(Finder::new(storyboard, &plans[0], seed)?);
        Some(Self { storyboard, plans, seed, finders })
    }

    /// Draws the story of an index as `selector` does, and its twin. A story without one is drawn again: then the next
    /// attempt at this index is its story. Does not return if no story has a twin: see [`admit_twins`].
    pub fn draw(&mut self, selector: &mut Selector<'a>, index: u64, story: &mut Story, twin: &mut Twin) {
        let mut attempts = 0;
        loop {
            attempts = selector.draw_from(index, attempts, story);
            if self.find(selector.plan_number(), story, attempts - 1, twin) {
                return;
            }
        }
    }

    /// Looks for a twin of a story, which is that of an attempt, of the plan with this number. Returns whether there is one,
    /// as far as it was tried.
    fn find(&mut self, plan: usize, story: &Story, attempt: u64, twin: &mut Twin) -> bool {
        let Self { storyboard, plans, seed, finders } = self;
        if finders[plan].is_none() {
            finders[plan] = Finder::new(storyboard, &plans[plan], *seed);
        }
        finders[plan].as_mut().is_some_and(|finder| finder.find(story, attempt, twin))
    }
}

/// Finds the twins of one plan's stories.
#[derive(Clone, Debug)]
struct Finder<'a> {
    storyboard: &'a Storyboard,
    plan: &'a Plan,
    asker: Asker<'a>,
    key: StreamKey,
    changes: Changes<'a>,
    /// Whether there is nothing to satisfy: a story in which everyone goes along a way is one.
    is_free: bool,
    /// So many changes of a story are tried at most.
    tries_max: usize,
}

/// What may be changed in a story.
#[derive(Clone, Debug)]
enum Changes<'a> {
    /// People only walk.
    Walks(WalkChanges<'a>),
    /// There is more to it.
    Deeds(Box<DeedChanges<'a>>),
}

/// The question whose answer differs: the one that is balanced, or else the first that asks for a belief at the end.
fn question_of(plan: &Plan) -> Option<usize> {
    let is_belief = |question: &crate::plan::Question| {
        question.kind == QuestionKind::Belief && question.moment == Moment::End
    };
    plan.balance
        .as_ref()
        .map_or_else(|| plan.questions.iter().position(is_belief), |balance| Some(balance.question))
}

/// What it takes to follow a story.
fn cost(plan: &Plan) -> usize {
    plan.horizon.saturating_mul(cost_of_event(plan)).max(1)
}

impl<'a> Finder<'a> {
    /// None if no question asks for a belief at the end.
    fn new(storyboard: &'a Storyboard, plan: &'a Plan, seed: u64) -> Option<Self> {
        let number = question_of(plan)?;
        let question = &plan.questions[number];
        let Target::Item(target) = question.target else { return None };
        let changes = match plan.things() {
            None => Changes::Walks(WalkChanges::new(plan, question)),
            Some(staging) => Changes::Deeds(Box::new(DeedChanges::new(plan, staging, target))),
        };
        Some(Self {
            storyboard,
            plan,
            asker: Asker::of_one(plan, number, false),
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Twin),
            changes,
            is_free: plan.things().is_none() && storyboard.events.is_empty() && storyboard.goals.is_empty(),
            tries_max: (TRIES_COST_MAX / cost(plan)).max(TRIES_MIN),
        })
    }

    /// Looks for a twin of a story, which is that of an attempt. Returns whether there is one, as far as it was tried.
    ///
    /// Costs O(changes · events) at most, and [`check()`] for each change that makes the answer another one.
    fn find(&mut self, story: &Story, attempt: u64, twin: &mut Twin) -> bool {
        let Some(answer) = self.answer(story) else { return false };
        let Story { index, cast, names, trace } = &mut twin.story;
        (*index, *cast) = (story.index, story.cast);
        names.clone_from(&story.names);
        trace.start.clone_from(&story.trace.start);
        trace.stage.clone_from(&story.trace.stage);
        trace.deeds.clear(); // of a story before, in which there may have been more than walking
        let count = match &mut self.changes {
            Changes::Walks(walks) => walks.list(story),
            Changes::Deeds(deeds) => deeds.list(story),
        };
        let mut stream = self.key.stream(story.index, attempt);
        for tried in 0..count.min(self.tries_max) {
            let rest = u32::try_from(count - tried).expect("fewer than 2^32 changes");
            let drawn = tried + below(&mut stream, rest) as usize;
            let made = match &mut self.changes {
                Changes::Walks(walks) => Some(walks.make((tried, drawn), story, &mut twin.story)),
                Changes::Deeds(deeds) => deeds.make((tried, drawn), story, &mut twin.story),
            };
            if let Some(step) = made
                && self.answer(&twin.story).is_some_and(|other| other != answer)
                && (self.is_free || check(self.storyboard, &Claim::of(self.plan, &twin.story)).is_ok())
            {
                twin.step = step;
                return true;
            }
        }
        false
    }

    fn answer(&mut self, story: &Story) -> Option<Answer> {
        self.asker.ask(story).first()?.answer
    }
}
