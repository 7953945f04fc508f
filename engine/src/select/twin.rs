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
//! ([`admit_twins`]); one that has none is drawn again. Where shares are balanced, they are over stories and twins
//! (`pairs.rs`).
//!
//! Conversations, which many questions are asked of alike, have twins of their own (`talk.rs`), and so have stories by lives
//! (`lives.rs`).
//!
//! A second kind of twin is found in the same way: in it, those whose minds are asked about do the same, and one event of the
//! target differs. A story with a twin of either kind is a triplet (`triplets.rs`).

mod deeds;
mod learning;
mod lives;
mod pairs;
mod pilots;
mod rake;
mod same;
mod talk;
mod trial;
mod triplets;
mod twinning;
mod walks;
mod woven;

use crate::check::{Claim, check};
use crate::diagnostic::Diagnostic;
use crate::form::ActKind;
use crate::plan::{Moment, Plan, Question, Staging, Target};
use crate::question::{Answer, Reply, chain};
use crate::rng::{Purpose, Stream, StreamKey, below};
use crate::select::balance::{cost_of_event, unit};
use crate::select::family::Family;
use crate::select::ranking::Ranking;
use crate::select::selector::Selector;
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, Storyboard};
use crate::world::{Item, Value};
use deeds::DeedChanges;
use lives::{LivesFinder, share};
use pairs::{Chooser, Known, Pilot, Weighed};
use same::Same;
use talk::TalkFinder;
use walks::WalkChanges;
use woven::WovenTwins;

pub use trial::admit_twins;
pub use triplets::{Triplets, admit_triplets};
pub use twinning::{Twinning, twinning};

/// Roughly the most that the search for the twin of one story may cost: a unit for every event that is followed, and for
/// what has to be followed then.
const TRIES_COST_MAX: usize = 1 << 18;

/// The smallest number of changes of a story that are tried, however long it is.
const TRIES_MIN: usize = 8;

impl Twinning {
    /// Tries out whether stories have such twins often enough; see [`admit_twins`] and [`admit_triplets`].
    ///
    /// # Errors
    /// Like these.
    pub fn admit(self, storyboard: &Storyboard, family: Family) -> Result<Family, Diagnostic> {
        match self {
            Self::Pairs => admit_twins(storyboard, family),
            Self::Triplets => admit_triplets(storyboard, family),
        }
    }
}

/// Whether nobody only passes by.
fn everybody_may_act(plan: &Plan) -> bool {
    plan.actors.iter().all(|&(_, actors)| actors == plan.character_count)
}

/// A story, and the step at which it differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Twin {
    /// The story that differs at that step.
    pub story: Story,
    /// The step of the event that differs.
    pub step: usize,
}

/// Draws the stories of a family with their twins.
///
/// ```
/// use storysim::{compile::compile, diagnostic::Source, select::{Family, Selector, Twin, Twins}, simulate::Story, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, T]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let (mut story, mut twin) = (Story::default(), Twin::default());
/// Twins::new(&board, &family, 7).unwrap().draw(&mut Selector::new(&family, 7), 42, &mut story, &mut twin);
/// assert_eq!(story.trace.events[..twin.step], twin.story.trace.events[..twin.step]);
/// assert_ne!(story.trace.events[twin.step], twin.story.trace.events[twin.step]);
/// ```
#[derive(Clone, Debug)]
pub struct Twins<'a> {
    storyboard: &'a Storyboard,
    family: &'a Family,
    seed: u64,
    /// What does just the same in twins.
    same: Same,
    /// By what twins are chosen, if shares are balanced.
    known: Known<'a>,
    /// What finds the twins of each plan's stories, made when the first of them is needed.
    finders: Vec<Option<Finder<'a>>>,
    /// The same, where they are conversations.
    talk_finders: Vec<Option<TalkFinder<'a>>>,
    /// The same, where they are drawn by lives.
    lives_finders: Vec<Option<LivesFinder<'a>>>,
    /// What draws the twins of the strands' stories, where stories are woven.
    woven: Option<Box<WovenTwins<'a, Self>>>,
}

impl<'a> Twins<'a> {
    /// The twins of a family's stories under the seed of a run; `None` if no question asks for a belief at the end, and stories are
    /// neither conversations nor drawn by lives.
    ///
    /// # Panics
    /// If shares are balanced and [`admit_twins`] has not admitted the family.
    pub fn new(storyboard: &'a Storyboard, family: &'a Family, seed: u64) -> Option<Self> {
        if let Some(weave) = &storyboard.weave {
            let woven = WovenTwins::new(weave, family, seed, Self::new)?;
            let twins = Self::without(storyboard, family, seed, Same::Target);
            return Some(Self { woven: Some(Box::new(woven)), ..twins });
        }
        let weights = family.weights();
        assert!(
            weights.stories.is_none() || weights.pairs.is_some(),
            "where shares are balanced, `admit_twins` finds what pairs count for"
        );
        let look = weights.pair_look.as_ref();
        let bar = look.map_or(0.0, |look| look.bar);
        let known = Known { weights: weights.pairs.as_ref(), look, bar };
        Self::known_by(storyboard, family, seed, (Same::Target, known))
    }

    /// The twins of stories that are chosen by what is known. `None` if no question asks for a belief at the end.
    fn known_by(
        storyboard: &'a Storyboard,
        family: &'a Family,
        seed: u64,
        (same, known): (Same, Known<'a>),
    ) -> Option<Self> {
        let plans = family.plans();
        let talk_finder = |plan| TalkFinder::new(storyboard, plan, seed).filter(|_| same == Same::Target);
        let talk_finders: Vec<Option<TalkFinder<'a>>> = plans.iter().map(talk_finder).collect();
        let lives_finder = |plan| LivesFinder::new(storyboard, plan, seed, same);
        let lives_finders: Vec<Option<LivesFinder<'a>>> = plans.iter().map(lives_finder).collect();
        let has_own = |at: usize| talk_finders[at].is_some() || lives_finders[at].is_some();
        let is_asked = plans.iter().enumerate().any(|(at, plan)| has_own(at) || asked(plan).is_some());
        let none = Self::without(storyboard, family, seed, same);
        is_asked.then_some(Self { known, talk_finders, lives_finders, ..none })
    }

    /// What finds no twins yet.
    fn without(storyboard: &'a Storyboard, family: &'a Family, seed: u64, same: Same) -> Self {
        let count = family.plans().len();
        Self {
            storyboard,
            family,
            seed,
            same,
            known: Known::default(),
            finders: vec![None; count],
            talk_finders: vec![None; count],
            lives_finders: vec![None; count],
            woven: None,
        }
    }

    /// Draws the story with an index as `selector` does, and its twin. If it has no twin, another attempt at this index is
    /// drawn. Where shares are balanced, so it is if the pair is not kept, and either of the two stories is called the
    /// twin. Does not return if no story has a twin; see [`admit_twins`].
    pub fn draw(&mut self, selector: &mut Selector<'a>, index: u64, story: &mut Story, twin: &mut Twin) {
        self.draw_from(selector, (index, 0), story, twin);
    }

    /// The same, starting at the attempt `first`, so that one can go on if a pair will not do. Returns the number of attempts,
    /// including those before the first.
    pub fn draw_from(
        &mut self,
        selector: &mut Selector<'a>,
        (index, first): (u64, u64),
        story: &mut Story,
        twin: &mut Twin,
    ) -> u64 {
        if let Some(woven) = &mut self.woven {
            let twins = std::slice::from_mut(twin);
            return woven.draw_from(
                selector,
                (index, first),
                story,
                twins,
                |own, selector, at, story, twins| own.draw_from(selector, at, story, &mut twins[0]),
            );
        }
        let mut attempts = first;
        loop {
            attempts = selector.draw_from(index, attempts, story);
            if self.find(selector.plan_number(), story, attempts - 1, twin) {
                return attempts;
            }
        }
    }

    /// Looks for a twin of a story, which belongs to an attempt and to the plan with this number. Returns whether the tries
    /// found one and, where shares are balanced, whether the pair is kept.
    fn find(&mut self, plan: usize, story: &mut Story, attempt: u64, twin: &mut Twin) -> bool {
        if let Some(finder) = &mut self.talk_finders[plan] {
            return finder.find(story, attempt, twin);
        }
        if let Some(finder) = &mut self.lives_finders[plan] {
            let is_found = finder.find(story, attempt, twin);
            if is_found {
                share(&self.family.plans()[plan], &mut [story, &mut twin.story]);
            }
            return is_found;
        }
        self.finder(plan).is_some_and(|finder| finder.find(story, attempt, twin))
    }

    /// What finds the twins of stories of the plan with this number.
    fn finder(&mut self, plan: usize) -> Option<&mut Finder<'a>> {
        let Self { storyboard, family, seed, same, known, finders, .. } = self;
        if finders[plan].is_none() {
            let ranking = family.weights().ranking.as_ref();
            finders[plan] = Finder::new(storyboard, &family.plans()[plan], *seed, (*same, *known, ranking));
        }
        finders[plan].as_mut()
    }
}

/// Finds the twins of one plan's stories.
#[derive(Clone, Debug)]
struct Finder<'a> {
    storyboard: &'a Storyboard,
    plan: &'a Plan,
    /// What the question is answered with.
    reply: Reply,
    /// The answers that are offered; empty if all are.
    choices: &'a [Value],
    key: StreamKey,
    changes: Changes<'a>,
    /// Whether there is nothing to satisfy: then any story is valid in which everyone follows the ways of the map and does
    /// what can be done.
    is_free: bool,
    /// The largest number of changes of a story that are tried.
    tries_max: usize,
    /// Chooses among twins if shares are balanced.
    chooser: Option<Chooser<'a>>,
}

/// Changes of a story, tried in random order.
struct Tries {
    /// The answer of the story itself.
    answer: Answer,
    stream: Stream,
    /// The number of changes.
    count: usize,
    /// The number of changes tried so far.
    tried: usize,
    /// The number of changes to try.
    until: usize,
}

/// A twin has been chosen among all that were tried.
struct Choice {
    /// The mean weight of the changes that were tried; nothing was chosen if it is 0.
    mean: f64,
    /// What the story itself counts for.
    story: f64,
    tries: Tries,
}

/// The changes that can be made in a story.
#[derive(Clone, Debug)]
enum Changes<'a> {
    /// Changes of stories in which people only walk.
    Walks(WalkChanges<'a>),
    /// Changes of stories in which people do more than walk.
    Deeds(Box<DeedChanges<'a>>),
}

/// Whether a question asks for a belief at the end.
fn is_belief(question: &Question) -> bool {
    question.kind == QuestionKind::Belief && question.moment == Moment::End
}

/// The question whose answer is to differ, and the item it asks about: the question that is balanced, or else the first
/// that asks for a belief at the end.
fn asked(plan: &Plan) -> Option<(usize, Item)> {
    let is_asked = |at: &usize| is_belief(&plan.questions[*at]) && plan.bundle_of(*at).is_none();
    let first = || (0..plan.questions.len()).find(is_asked);
    let number = plan.balance.as_ref().map(|balance| balance.question).or_else(first)?;
    match plan.questions[number].target {
        Target::Item(target) => Some((number, target)),
        Target::Attitude(_) | Target::Matter(_) => None,
    }
}

/// Whether people say what they believe, which depends on all that happened before.
fn says_what_she_believes(plan: &Plan) -> bool {
    let tells = |staging: &Staging| {
        staging.play.iter().any(|&(play, weight)| weight > 0 && play.act() == ActKind::Tell)
    };
    plan.things().is_some_and(tells)
}

/// The cost of following a story.
fn cost(plan: &Plan) -> usize {
    plan.horizon.saturating_mul(cost_of_event(plan)).max(1)
}

impl<'a> Finder<'a> {
    /// A finder for a plan; `None` if no question asks for a belief at the end.
    fn new(
        storyboard: &'a Storyboard,
        plan: &'a Plan,
        seed: u64,
        (same, known, ranking): (Same, Known<'a>, Option<&'a Ranking>),
    ) -> Option<Self> {
        let (number, target) = asked(plan)?;
        let question = &plan.questions[number];
        let changes = match plan.things() {
            None => Changes::Walks(WalkChanges::new(plan, question, same)),
            Some(staging) => {
                Changes::Deeds(Box::new(DeedChanges::new(plan, staging, (question, target), same)))
            }
        };
        let purpose = match same {
            Same::Target => Purpose::Twin,
            Same::Minds => Purpose::TargetTwin,
        };
        let chooser = Chooser::new(plan, known, ranking);
        let tries_max = (TRIES_COST_MAX / cost(plan)).max(TRIES_MIN);
        Some(Self {
            storyboard,
            plan,
            reply: Reply::new(plan, chain(question)?),
            choices: &question.choices,
            key: StreamKey::derive(seed, &plan.fingerprint, purpose),
            changes,
            is_free: storyboard.events.is_empty()
                && storyboard.goals.is_empty()
                && everybody_may_act(plan)
                && !says_what_she_believes(plan),
            tries_max: if chooser.is_some() { tries_max.min(pairs::TRIES_MAX) } else { tries_max },
            chooser,
        })
    }

    /// Looks for a twin of a story, which belongs to an attempt. Returns whether the tries found one and, where shares are
    /// balanced, whether the pair is kept; then it is drawn which of the two is called the twin.
    ///
    /// Costs at most O(changes · events), and a [`check()`] for each change that changes the answer.
    fn find(&mut self, story: &mut Story, attempt: u64, twin: &mut Twin) -> bool {
        if self.chooser.is_none() {
            let stream = self.key.stream(story.index, attempt);
            let tries = self.begin(story, stream, twin);
            return tries.is_some_and(|mut tries| self.next(story, &mut tries, twin));
        }
        let Some(Choice { mean, story: of_story, mut tries }) = self.choose(story, attempt, twin) else {
            return false;
        };
        let chooser = self.chooser.as_mut().expect("one that chooses");
        let drawn = chooser.draw(of_story * mean, &mut tries.stream);
        if let Some(is_twin) = drawn {
            std::mem::swap(twin, &mut chooser.chosen);
            if is_twin {
                std::mem::swap(story, &mut twin.story);
            }
        }
        drawn.is_some()
    }

    /// Chooses one of a story's twins by their weights, and leaves it with the chooser. `None` if the story has no answer, if its
    /// twins are not looked for, or if nothing is balanced.
    fn choose(&mut self, story: &Story, attempt: u64, twin: &mut Twin) -> Option<Choice> {
        let mut stream = self.key.stream(story.index, attempt);
        let (weighed, count) = self.chooser.as_mut()?.begin(story, &mut stream)?;
        let mut tries = self.begin(story, stream, twin)?;
        let mut chooser = self.chooser.take()?;
        outline(story, &mut chooser.chosen.story);
        let mut sum = 0.0;
        while self.next(story, &mut tries, twin) {
            let weight = chooser.weigh(&twin.story).map_or(0.0, |weighed| weighed.weight);
            sum += weight;
            if unit(&mut tries.stream) * sum < weight {
                std::mem::swap(twin, &mut chooser.chosen);
            }
        }
        self.chooser = Some(chooser);
        let mean = if sum > 0.0 { sum / tries.until as f64 } else { 0.0 };
        Some(Choice { mean, story: weighed.weight * count, tries })
    }

    /// The levels of a story that is only looked at, and of its twins; `None` if they are not looked for.
    fn pilot(&mut self, story: &Story, number: u64, twin: &mut Twin) -> Option<Pilot> {
        let mut stream = self.key.stream(story.index, number);
        let chooser = self.chooser.as_mut()?;
        let (Weighed { look, .. }, count) = chooser.begin(story, &mut stream)?;
        let levels = chooser.levels().to_vec();
        let mut tries = self.begin(story, stream, twin)?;
        let mut pilot = Pilot { levels, count, look, tried: tries.until, ..Pilot::default() };
        let mut chooser = self.chooser.take()?;
        while self.next(story, &mut tries, twin) {
            pilot.has_twin = true;
            let Some(weighed) = chooser.weigh(&twin.story) else { continue };
            pilot.twins.extend_from_slice(chooser.levels());
            pilot.looks.push(weighed.look);
        }
        self.chooser = Some(chooser);
        Some(pilot)
    }

    /// Lists the possible changes of a story, which are tried in an order drawn from `stream`. `None` if the story has no answer.
    fn begin(&mut self, story: &Story, stream: Stream, twin: &mut Twin) -> Option<Tries> {
        let answer = self.answer(story)?;
        outline(story, &mut twin.story);
        let count = match &mut self.changes {
            Changes::Walks(walks) => walks.list(story),
            Changes::Deeds(deeds) => deeds.list(story),
        };
        Some(Tries { answer, stream, count, tried: 0, until: count.min(self.tries_max) })
    }

    /// Tries further changes until one makes a twin. Returns whether one did.
    fn next(&mut self, story: &Story, tries: &mut Tries, twin: &mut Twin) -> bool {
        while tries.tried < tries.until {
            let tried = tries.tried;
            tries.tried += 1;
            let rest = u32::try_from(tries.count - tried).expect("fewer than 2^32 changes");
            let drawn = tried + below(&mut tries.stream, rest) as usize;
            let made = match &mut self.changes {
                Changes::Walks(walks) => Some(walks.make((tried, drawn), story, &mut twin.story)),
                Changes::Deeds(deeds) => deeds.make((tried, drawn), story, &mut twin.story),
            };
            if let Some(step) = made
                && self.answer(&twin.story).is_some_and(|other| other != tries.answer)
                && self.is_valid(&twin.story)
            {
                twin.step = step;
                return true;
            }
        }
        false
    }

    fn answer(&mut self, story: &Story) -> Option<Answer> {
        let answer = self.reply.find(story)?;
        let is_offered = |value: Value| self.choices.is_empty() || self.choices.contains(&value);
        answer.value().is_none_or(is_offered).then_some(answer)
    }

    fn is_valid(&self, story: &Story) -> bool {
        let is_checked = || check(self.storyboard, &Claim::of(self.plan, story)).is_ok();
        debug_assert!(!self.is_free || is_checked());
        self.is_free || is_checked()
    }
}

/// Gives the twin of a story the same people and the same beginning.
fn outline(story: &Story, twin: &mut Story) {
    let Story { index, cast, names, trace, before, lives, strands } = twin;
    (*index, *cast, *before) = (story.index, story.cast, story.before);
    names.clone_from(&story.names);
    lives.clone_from(&story.lives);
    strands.clone_from(&story.strands);
    trace.start.clone_from(&story.trace.start);
    trace.stage.clone_from(&story.trace.stage);
    trace.deeds.clear(); // of a story before, in which there may have been more than walking
}
