//! Questions about a story, with all that a row says of their answers.
//!
//! An [`Asker`] takes a story and answers the questions of its plan: what a chain of minds holds, what is
//! really so or was, where someone went, who knows. A question whose answer is unknown has no answer here and
//! is not written.
//!
//! People who only walk are followed by `watch` and `course`, which look at nothing but the moves of a question's
//! characters. Whatever else there is to follow, `reading`, `passage` and `deeds` do. `evidence` finds the
//! reason for an answer in both, from a `record` of when opinions changed.

mod answer;
mod bearing;
mod bundle;
mod choices;
mod conversation;
mod course;
mod deeds;
mod difficulty;
mod dynamics;
mod evidence;
mod followed;
mod hardness;
mod lives;
mod matters;
mod passage;
mod picking;
mod probe;
mod query;
mod reading;
mod record;
mod talk;
mod told;
mod twin;
mod view;
mod watch;

pub use answer::{Answer, Answered, Foils, Shown, Standing, Verdict};
pub use choices::{CHOICES_MAX, SPARE_REASONS};
pub use difficulty::{Difficulty, DifficultyGauge};
pub use dynamics::{AtEnd, CoursePlan, Courses, Heard, Origin, Subject};
pub use followed::Followed;
pub use hardness::HardnessGauge;
pub use matters::{Role, roles};
pub use picking::Picking;
pub use probe::{Found, Probe, Reply};
pub use talk::Talk;
pub use told::{Basis, Cause, Told, linked, shown};
pub use view::reality;

use std::ops::Range;

use crate::belief::Chain;
use crate::plan::{Moment, Plan, Question, Target};
use crate::rng::{Purpose, StreamKey, sample_to_front};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use bundle::Pick;
use choices::{Choices, offer_listed};
use conversation::TalkInquiry;
use course::Course;
use deeds::DeedInquiry;
use evidence::WalkEvidence;
use matters::is_said;
use watch::Watch;

/// Answers the questions of a plan.
///
/// The **mislead distance** of a false belief is the number of steps strictly between the last step
/// at which the outermost mind's owner perceived the target (they share a place after the step, or it
/// witnesses the target's move) and the first step of the final unbroken run in which the chain's
/// answer is not the target's real place. The start is the step before step 0: there, everyone knows
/// where everyone is. Where the run begins before that perception, the distance is 0. An object is
/// perceived by those who are in one place with it after the step and see it there, and by those who witness
/// an event that moves it.
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
    /// The numbers of the questions that are asked.
    numbers: Range<usize>,
    /// What is needed to answer each question.
    inquiries: Vec<Asked>,
    /// For each question of the plan, the place of its inquiry, if it has one.
    places: Vec<Option<usize>>,
    /// The places of those whose questions are in no bundle.
    alone: Vec<usize>,
    /// The places of the inquiries that are made of the story asked about last, in order.
    made: Vec<usize>,
    /// What is said in the story asked about last, if any question is answered from that.
    talk: Option<Talk>,
    /// What draws the questions that are asked of those that are written as one; none for who asks for one question, and means it.
    picking: Option<Picking<'a>>,
    /// What is needed to answer what news does to people, for each whose states are asked for.
    dynamics: Vec<CoursePlan<'a>>,
    /// For each question of the plan, the number of the one whose states it asks for, if it does.
    subjects: Vec<Option<usize>>,
    /// What became of each of them in the story asked about last.
    courses: Vec<Courses>,
    /// All characters on whose moves an answer depends, where people only walk.
    followed: Followed,
    answers: Vec<Answered>,
}

/// A question that is asked.
#[derive(Clone, Debug)]
struct Asked {
    /// Its number.
    at: usize,
    /// The number of the bundle that it is in, if it is in one.
    bundle: Option<usize>,
    inquiry: Inquiry,
    choices: Choices,
}

/// What is needed to answer one question.
#[derive(Clone, Debug)]
enum Inquiry {
    /// For stories of people who only walk.
    Walk(Box<WalkInquiry>),
    /// For conversations, as far as nobody has to be followed.
    Talk(Box<TalkInquiry>),
    /// For all other stories.
    Deeds(Box<DeedInquiry>),
}

/// What is needed to answer a question that depends only on some people's walks.
#[derive(Clone, Debug)]
struct WalkInquiry {
    watch: Watch,
    course: Course,
    /// The chain without its outermost mind, for the foil.
    lower: Option<Watch>,
    /// What finds the evidence, if it is needed.
    evidence: Option<WalkEvidence>,
}

impl<'a> Asker<'a> {
    /// An asker for a plan and the seed of a run.
    pub fn new(plan: &'a Plan, seed: u64) -> Self {
        Self::of(plan, seed, 0..plan.questions.len(), Means::default())
    }

    /// An asker of one question alone, for use where the choices do not matter. The evidence, which takes time, is optional.
    pub fn of_one(plan: &'a Plan, question: usize, has_evidence: bool) -> Self {
        Self::of(plan, 0, question..question + 1, Means { has_evidence, follows_minds: false })
    }

    /// The same, but minds are followed through conversations, too, where it would do to see who is there. The answers are the same, and come
    /// much later: it is there to be compared with.
    pub fn following_minds(plan: &'a Plan, seed: u64) -> Self {
        let means = Means { follows_minds: true, ..Means::default() };
        Self::of(plan, seed, 0..plan.questions.len(), means)
    }

    fn of(plan: &'a Plan, seed: u64, numbers: Range<usize>, means: Means) -> Self {
        let asked = || {
            let all = numbers.clone().zip(&plan.questions[numbers.clone()]);
            all.filter(|(_, question)| question.dynamic.is_none())
        };
        let asks_of_news = plan.questions[numbers.clone()].iter().any(|question| question.dynamic.is_some());
        let bundle = |at: usize| plan.bundles.iter().position(|bundle| bundle.place(at).is_some());
        let inquiry = |(at, question): (usize, &Question)| Asked {
            at,
            bundle: bundle(at),
            inquiry: Inquiry::new(plan, question, means),
            choices: Choices::new(plan, question),
        };
        let inquiries: Vec<Asked> = asked().map(inquiry).collect();
        let walks = asked().filter(|(_, question)| Inquiry::is_of_walks(plan, question));
        let members =
            walks.flat_map(|(_, question)| question.others.iter().copied().chain([question.character()]));
        let is_all = numbers.len() == plan.questions.len();
        let dynamics = if asks_of_news { CoursePlan::all(plan, seed) } else { Vec::new() };
        let mut places = vec![None; plan.questions.len()];
        inquiries.iter().enumerate().for_each(|(place, asked)| places[asked.at] = Some(place));
        let alone = |place: &usize| inquiries[*place].bundle.is_none();
        let subject =
            |question: &Question| dynamics.iter().position(|courses| courses.subject().is_of(question));
        Self {
            plan,
            subjects: plan.questions.iter().map(subject).collect(),
            alone: (0..inquiries.len()).filter(alone).collect(),
            places,
            made: Vec::new(),
            dynamics,
            courses: Vec::new(),
            numbers: numbers.clone(),
            picking: is_all.then(|| Picking::new(plan, seed)),
            choices_key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Choices),
            followed: Followed::new(plan, members),
            talk: inquiries.iter().any(|asked| matches!(asked.inquiry, Inquiry::Talk(_))).then(Talk::default),
            inquiries,
            answers: Vec::new(),
        }
    }

    /// The plan whose questions are asked.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The answers of a story, without the questions that have none. The memory is reused.
    ///
    /// Costs O(events) (see [`Followed::steps`]); with deeds, O(events · size of the state). Evidence costs about as much, as a
    /// rule.
    pub fn ask(&mut self, story: &Story) -> &[Answered] {
        let picks = self.picks(story);
        self.ask_picked(story, &picks, true)
    }

    /// The same, with the questions that are asked of bundles. `is_read` says that they were picked for this story by this asker.
    fn ask_picked(&mut self, story: &Story, picks: &[Option<Pick>], is_read: bool) -> &[Answered] {
        self.choose_inquiries(picks);
        let Self { plan, choices_key, inquiries, made, picking, talk, answers, .. } = self;
        let plan = *plan;
        let steps = self.followed.steps(story);
        let read = picking.as_ref().filter(|_| is_read).and_then(Picking::talk);
        let talk = talk.as_mut().map(|own| {
            read.unwrap_or_else(|| {
                own.read(&story.trace);
                own
            })
        });
        let mut count = 0;
        for &mut place in made {
            let Asked { at, bundle, inquiry, choices } = &mut inquiries[place];
            let at = *at;
            let pick = bundle.and_then(|bundle| picks.get(bundle)).and_then(Option::as_ref);
            if answers.len() == count {
                answers.push(Answered::default());
            }
            let answered = &mut answers[count];
            answered.question = at;
            let question = &plan.questions[at];
            let is_answered = match inquiry {
                Inquiry::Walk(inquiry) => inquiry.answer(question, &story.trace, steps, answered),
                Inquiry::Talk(inquiry) => {
                    let talk = talk.expect("what is said, for questions of it");
                    inquiry.answer(plan, question, (talk, &story.trace), answered)
                }
                Inquiry::Deeds(inquiry) => {
                    is_said(plan, question, &story.trace) && inquiry.answer(question, story, answered)
                }
            };
            if !is_answered {
                continue;
            }
            let answer = answered.answer.expect("an answered question");
            if !question.choices.is_empty() && !choices.allow(answer) {
                continue;
            }
            let mut stream = choices_key.stream(story.index, at as u64);
            answered.unlike.clear();
            answered.label = match pick.filter(|pick| !pick.unlike.is_empty()) {
                None => choices.offer(&mut stream, answer, &mut answered.choices),
                Some(pick) => {
                    answered.unlike.extend_from_slice(&pick.unlike);
                    offer_listed(&mut stream, &pick.answers, answer, &mut answered.choices)
                }
            };
            count += 1;
        }
        count = self.ask_of_news(story, count);
        &self.answers[..count]
    }

    /// Chooses the inquiries that are made of a story: without picks all of them, else those of bundles as they are picked.
    fn choose_inquiries(&mut self, picks: &[Option<Pick>]) {
        let Self { inquiries, places, alone, made, .. } = self;
        made.clear();
        if picks.is_empty() {
            made.extend(0..inquiries.len());
            return;
        }
        made.extend_from_slice(alone);
        made.extend(picks.iter().flatten().filter_map(|pick| places[pick.question]));
        made.sort_unstable();
    }

    /// Answers what news does to people, after so many other answers. Returns how many there are then, in the order of questions.
    fn ask_of_news(&mut self, story: &Story, mut count: usize) -> usize {
        if self.dynamics.is_empty() {
            return count;
        }
        let others = count;
        self.courses.clear();
        self.courses.extend(self.dynamics.iter().map(|plan| plan.courses(story)));
        for at in self.numbers.clone() {
            let Some(number) = self.subjects[at] else { continue };
            let (question, courses) = (&self.plan.questions[at], &self.courses[number]);
            if self.answers.len() == count {
                self.answers.push(Answered::default());
            }
            let answered = &mut self.answers[count];
            if !courses.answer(self.plan, at, story, answered) {
                continue;
            }
            let choices = &mut answered.choices;
            courses.choices(question, at, choices);
            // In a twin, the life that is led may be the only other one.
            if choices.len() < 2 && !courses.are_by_lives() {
                continue;
            }
            let offered = choices.len();
            sample_to_front(&mut self.choices_key.stream(story.index, at as u64), choices, offered);
            let right = choices.iter().position(|choice| Some(*choice) == answered.answer);
            answered.label = right.expect("the life that is led");
            count += 1;
        }
        if others > 0 {
            self.answers[..count].sort_by_key(|answered| answered.question);
        }
        count
    }

    /// The questions that are asked of those that are written as one.
    pub(crate) fn picks(&mut self, story: &Story) -> Vec<Option<Pick>> {
        let picks = self.picking.as_mut().map(|picking| picking.picks(std::iter::once(story)));
        picks.and_then(|picks| picks.into_iter().next()).unwrap_or_default()
    }
}

/// The chain of a question about a mind, or about reality.
pub fn chain(question: &Question) -> Option<Chain> {
    match (question.kind, question.target) {
        (QuestionKind::Belief | QuestionKind::Reality, Target::Item(item)) => {
            Some(Chain::new(&question.others, item))
        }
        _ => None,
    }
}

impl Inquiry {
    /// Whether a question depends only on some people's walks.
    fn is_of_walks(plan: &Plan, question: &Question) -> bool {
        let is_of_walks = matches!(
            question.kind,
            QuestionKind::Belief
                | QuestionKind::Reality
                | QuestionKind::Start
                | QuestionKind::World
                | QuestionKind::WorldThings
        );
        plan.staging.is_none() && is_of_walks && question.moment == Moment::End
    }

    fn new(plan: &Plan, question: &Question, means: Means) -> Self {
        let Means { has_evidence, follows_minds } = means;
        if Self::is_of_walks(plan, question) {
            return Self::Walk(Box::new(WalkInquiry::new(plan, question, has_evidence)));
        }
        let talk = (!follows_minds).then(|| TalkInquiry::new(plan, question, has_evidence));
        match talk.flatten() {
            Some(inquiry) => Self::Talk(Box::new(inquiry)),
            None => Self::Deeds(Box::new(DeedInquiry::new(plan, question, has_evidence))),
        }
    }
}

/// How questions are answered.
#[derive(Clone, Copy, Debug)]
struct Means {
    /// Whether the evidence, which takes time, is looked for.
    has_evidence: bool,
    /// Whether minds are followed where it would do to see who is there.
    follows_minds: bool,
}

impl Default for Means {
    fn default() -> Self {
        Self { has_evidence: true, follows_minds: false }
    }
}

impl WalkInquiry {
    fn new(plan: &Plan, question: &Question, has_evidence: bool) -> Self {
        let watch = Watch::new(question, plan.character_count);
        let lower = chain(question).filter(|chain| chain.order() > 0);
        let lower = lower.map(|chain| Watch::of_chain(chain.lower(), plan.character_count));
        let course = Course::new(&question.others, question.character());
        Self { evidence: has_evidence.then(|| WalkEvidence::new(&watch)), watch, course, lower }
    }

    fn answer(&mut self, question: &Question, trace: &Trace, steps: &[u32], answered: &mut Answered) -> bool {
        let Self { course, evidence, .. } = self;
        self.watch.start(&trace.start);
        let start = self.watch.answer();
        let false_since = match evidence {
            Some(evidence) => {
                evidence.begin(&self.watch, &trace.start);
                course.follow(&mut self.watch, trace, steps, |step, event, watch, is_witnessed, before| {
                    evidence.note(step, event, watch, is_witnessed, before)
                })
            }
            None => course.follow(&mut self.watch, trace, steps, |_, _, _, _, _| {}),
        };
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
            for &step in steps {
                lower.apply(trace.events[step as usize]);
            }
            lower.answer().map(Answer::Place)
        });
        answered.evidence.clear();
        if let Some(evidence) = &mut self.evidence {
            evidence.find(start, &mut answered.evidence);
        }
        true
    }
}
