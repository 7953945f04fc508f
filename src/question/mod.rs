//! Questions about a story, with all that a row says of their answers.
//!
//! An [`Asker`] takes a story and answers the questions of its plan: where a chain of minds has
//! someone, where someone really is or was, where someone went. A question whose answer is unknown
//! has no answer here and is not written.

mod evidence;
mod watch;

use crate::belief::Chain;
use crate::id::{CharacterId, ContainerId, PlaceId};
use crate::plan::{Plan, Question};
use crate::rng::{Purpose, StreamKey, below, sample_to_front};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use crate::world::Event;
use evidence::Evidence;
use watch::Watch;

/// At most this many choices are offered.
pub const CHOICES_MAX: usize = 12;

/// A question with its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// Its number among the questions of the storyboard.
    pub question: usize,
    /// The answer.
    pub answer: Option<Answer>,
    /// What is really so.
    pub truth: Option<Answer>,
    /// Of a belief: whether it is false.
    pub false_belief: Option<bool>,
    /// Of a false belief: see [`Asker`].
    pub mislead_distance: Option<usize>,
    /// A smallest set of steps from which the answer follows: applying only their moves, in order,
    /// from the start gives the same answer, and leaving out any one of them does not.
    pub evidence: Vec<usize>,
    /// What shortcuts would answer.
    pub foils: Foils,
    /// What is offered.
    pub choices: Vec<Answer>,
    /// Which of the choices is the answer.
    pub label: usize,
}

/// What can answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// A place.
    Place(PlaceId),
    /// A container.
    Container(ContainerId),
    /// A character.
    Character(CharacterId),
    /// "yes", "no" or "unknown".
    Verdict(Verdict),
    /// Everyone of whom something is so: a bit for each character, by number.
    People(u64),
}

impl Answer {
    /// The place, if it is one.
    pub const fn place(self) -> Option<PlaceId> {
        match self {
            Self::Place(place) => Some(place),
            _ => None,
        }
    }
}

/// Whether something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// There is no telling.
    Unknown,
}

/// What a shortcut would answer that tracks no mind; `None` where it has no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foils {
    /// Where the target is at the end.
    pub last_place: Option<Answer>,
    /// Where it was before that.
    pub second_last_place: Option<Answer>,
    /// Where all of the question's characters came together first (the start does not count).
    pub first_common_place: Option<Answer>,
    /// Where they came together last.
    pub last_common_place: Option<Answer>,
    /// Where the outermost mind's owner, or the first of the company, is at the end.
    pub own_place: Option<Answer>,
    /// What the chain without its outermost mind would answer.
    pub lower_order: Option<Answer>,
}

impl Foils {
    /// The names of the foils, in the order of [`Self::places`].
    pub const NAMES: [&'static str; 6] = [
        "last_place",
        "second_last_place",
        "first_common_place",
        "last_common_place",
        "own_place",
        "lower_order",
    ];

    /// The foils, in the order of [`Self::NAMES`].
    pub fn answers(&self) -> [Option<Answer>; 6] {
        [
            self.last_place,
            self.second_last_place,
            self.first_common_place,
            self.last_common_place,
            self.own_place,
            self.lower_order,
        ]
    }
}

/// Answers the questions of a plan.
///
/// The **mislead distance** of a false belief is the number of steps strictly between the last step
/// at which the outermost mind's owner perceived the target (they share a place after the step, or it
/// witnesses the target's move) and the first step of the final unbroken run in which the chain's
/// answer is not the target's real place. The start is the step before step 0: there, everyone knows
/// where everyone is. Where the run begins before that perception, nothing lies between: 0.
///
/// ```
/// use storysim::{compile::compile, question::Asker, simulate::{Simulator, Story}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let (mut simulator, mut asker, mut story) = (Simulator::new(&plan, 7), Asker::new(&plan, 7), Story::default());
/// simulator.draw(0, &mut story);
/// let belief = &asker.ask(&story)[0];
/// assert_eq!(belief.false_belief, Some(true));
/// assert_eq!(belief.mislead_distance, Some(30));
/// ```
#[derive(Clone, Debug)]
pub struct Asker<'a> {
    plan: &'a Plan,
    choices_key: StreamKey,
    inquiries: Vec<Inquiry>,
    answers: Vec<Answered>,
    all_places: Vec<Answer>,
}

/// What it takes to answer one question.
#[derive(Clone, Debug)]
struct Inquiry {
    watch: Watch,
    /// The chain without its outermost mind, for the foil.
    lower: Option<Watch>,
    evidence: Evidence,
}

impl<'a> Asker<'a> {
    /// An asker for a plan and the seed of a run.
    pub fn new(plan: &'a Plan, seed: u64) -> Self {
        let inquiry = |question: &Question| {
            let watch = Watch::new(question, plan.character_count);
            let lower = chain(question).filter(|chain| chain.order() > 0);
            let lower = lower.map(|chain| Watch::of_chain(chain.lower(), plan.character_count));
            Inquiry { evidence: Evidence::new(&watch), watch, lower }
        };
        Self {
            plan,
            choices_key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Choices),
            inquiries: plan.questions.iter().map(inquiry).collect(),
            answers: Vec::new(),
            all_places: plan.map.places().map(Answer::Place).collect(),
        }
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The answers of a story, without the questions that have none. Their memory is used again.
    ///
    /// Costs O(events) and, for the evidence, O(moves of the question's characters · those that are
    /// evidence).
    pub fn ask(&mut self, story: &Story) -> &[Answered] {
        let mut count = 0;
        for at in 0..self.inquiries.len() {
            if self.answers.len() == count {
                self.answers.push(Answered::default());
            }
            self.answers[count].question = at;
            if self.inquiries[at].answer(&self.plan.questions[at], &story.trace, &mut self.answers[count]) {
                self.offer_choices(story.index, count);
                count += 1;
            }
        }
        &self.answers[..count]
    }

    /// All places, or the answer and others, in uniform order.
    fn offer_choices(&mut self, index: u64, at: usize) {
        let Answered { question, answer, choices, label, .. } = &mut self.answers[at];
        let mut stream = self.choices_key.stream(index, *question as u64);
        let answer = answer.expect("an answered question");
        choices.clear();
        if self.all_places.len() <= CHOICES_MAX {
            choices.extend_from_slice(&self.all_places);
            sample_to_front(&mut stream, choices, self.all_places.len());
            *label = choices.iter().position(|&choice| choice == answer).expect("all places are offered");
            return;
        }
        // A sample of the others, each drawn place that is taken already being drawn again (there
        // are more than enough), and the answer at a uniform place among them.
        while choices.len() < CHOICES_MAX - 1 {
            let other = self.all_places[below(&mut stream, self.all_places.len() as u32) as usize];
            if other != answer && !choices.contains(&other) {
                choices.push(other);
            }
        }
        *label = below(&mut stream, CHOICES_MAX as u32) as usize;
        choices.insert(*label, answer);
    }
}

/// The chain of a question about a mind, or about reality.
pub fn chain(question: &Question) -> Option<Chain> {
    match question.kind {
        QuestionKind::Belief | QuestionKind::Reality => {
            Some(Chain::new(&question.others, question.character()))
        }
        _ => None,
    }
}

impl Inquiry {
    /// Fills in all but the choices. Returns whether there is an answer.
    fn answer(&mut self, question: &Question, trace: &Trace, answered: &mut Answered) -> bool {
        let mut course = Course::new(&question.others, question.character(), &trace.start);
        self.evidence.begin();
        let evidence = &mut self.evidence;
        let false_since =
            course.follow(&mut self.watch, trace, |step, event, watch| evidence.consider(step, event, watch));
        let Some(answer) = self.watch.answer() else { return false };
        answered.answer = Some(Answer::Place(answer));
        let truth = course.truth();
        answered.truth = Some(Answer::Place(truth));
        let is_belief = question.kind == QuestionKind::Belief;
        answered.false_belief = is_belief.then_some(answer != truth);
        answered.mislead_distance = false_since
            .filter(|_| answered.false_belief == Some(true))
            .map(|since| course.mislead_distance(since, trace));
        answered.foils = course.foils();
        answered.foils.lower_order = self.lower.as_mut().and_then(|lower| {
            lower.start(&trace.start);
            trace.events.iter().for_each(|&event| {
                lower.apply(event);
            });
            lower.answer().map(Answer::Place)
        });
        answered.evidence.clear();
        self.evidence.find(answer, &trace.start, &mut answered.evidence);
        true
    }
}

/// Finds out what a chain holds at the end of a story, and no more.
#[derive(Clone, Debug)]
pub struct Probe {
    chain: Chain,
    target: CharacterId,
    watch: Watch,
}

/// What a chain holds at the end of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it has the target; none: unknown.
    pub answer: Option<PlaceId>,
    /// Where the target is.
    pub truth: PlaceId,
    /// Of a false belief: see [`Asker`].
    pub mislead_distance: Option<usize>,
}

impl Probe {
    /// A probe of a chain, in stories of so many characters.
    pub fn new(chain: &Chain, character_count: usize) -> Self {
        let target = chain.character().expect("a chain about a character");
        Self { chain: chain.clone(), target, watch: Watch::of_chain(chain.clone(), character_count) }
    }

    /// Follows a story. Costs O(events).
    pub fn find(&mut self, trace: &Trace) -> Found {
        let mut course = Course::new(self.chain.minds(), self.target, &trace.start);
        let false_since = course.follow(&mut self.watch, trace, |_, _, _| {});
        let (answer, truth) = (self.watch.answer(), course.truth());
        let is_false = answer.is_some_and(|answer| answer != truth);
        let mislead_distance =
            false_since.filter(|_| is_false).map(|since| course.mislead_distance(since, trace));
        Found { answer, truth, mislead_distance }
    }
}

/// Where the characters of a question went.
struct Course {
    /// Minds or company, and the target last.
    members: Vec<(CharacterId, PlaceId)>,
    /// One past the last step at which the first member perceived the target.
    perceived_until: usize,
    second_last_place: Option<PlaceId>,
    first_common_place: Option<PlaceId>,
    last_common_place: Option<PlaceId>,
}

impl Course {
    fn new(others: &[CharacterId], target: CharacterId, start: &[PlaceId]) -> Self {
        let members = others.iter().chain([&target]);
        Self {
            members: members.map(|&who| (who, start[who.index()])).collect(),
            perceived_until: 0,
            second_last_place: None,
            first_common_place: None,
            last_common_place: None,
        }
    }

    fn truth(&self) -> PlaceId {
        self.members[self.members.len() - 1].1
    }

    fn is_target_near(&self) -> bool {
        self.members.len() > 1 && self.members[0].1 == self.truth()
    }

    /// Follows the members' moves through a story, with `watch`; `consider` sees each beforehand.
    /// Returns the first step of the final unbroken run in which the answer is not the target's place.
    #[inline]
    fn follow(
        &mut self,
        watch: &mut Watch,
        trace: &Trace,
        mut consider: impl FnMut(usize, Event, &Watch),
    ) -> Option<usize> {
        watch.start(&trace.start);
        let mut false_since = None;
        for (step, &event) in trace.events.iter().enumerate() {
            if !watch.is_member(event.who) {
                continue;
            }
            consider(step, event, watch);
            let witnessed = watch.apply(event);
            self.step(step, event.who, event.to, witnessed);
            if watch.answer() == Some(self.truth()) {
                false_since = None;
            } else if false_since.is_none() {
                false_since = Some(step);
            }
        }
        false_since
    }

    /// Of a belief that is false since this step.
    fn mislead_distance(&self, since: usize, trace: &Trace) -> usize {
        since.saturating_sub(self.perceived_until(trace.events.len()))
    }

    /// A move of a member; `witnessed` by the first one or not.
    fn step(&mut self, step: usize, who: CharacterId, to: PlaceId, witnessed: bool) {
        if self.is_target_near() {
            self.perceived_until = step;
        }
        let (target, place) = self.members[self.members.len() - 1];
        if who == target {
            self.second_last_place = Some(place);
            if witnessed {
                self.perceived_until = step + 1;
            }
        }
        for (member, place) in &mut self.members {
            if *member == who {
                *place = to;
            }
        }
        if self.members.len() > 1 && self.members.iter().all(|&(_, place)| place == to) {
            self.first_common_place = self.first_common_place.or(Some(to));
            self.last_common_place = Some(to);
        }
    }

    fn perceived_until(&self, horizon: usize) -> usize {
        if self.is_target_near() { horizon } else { self.perceived_until }
    }

    /// All but the one of lower order.
    fn foils(&self) -> Foils {
        Foils {
            last_place: Some(Answer::Place(self.truth())),
            second_last_place: self.second_last_place.map(Answer::Place),
            first_common_place: self.first_common_place.map(Answer::Place),
            last_common_place: self.last_common_place.map(Answer::Place),
            own_place: (self.members.len() > 1).then(|| Answer::Place(self.members[0].1)),
            lower_order: None,
        }
    }
}
