//! How difficult a question about a story is, in numbers that need no language model.
//!
//! The numbers are read off the story once more, after it has been answered, so who does not ask for them does not pay for them.
//! What each of them means is said in `docs/rows.md`, under "Difficulty".

use super::Inquiry;
use super::answer::{Answer, Answered};
use super::chain;
use super::deeds::steps_of;
use super::reading::{Reading, Replay, happening};
use super::talk::within;
use super::watch::Watch;
use crate::belief::Chain;
use crate::form::Hardness;
use crate::plan::{Plan, Question, Target};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::trace::Trace;

/// How difficult a question about a story is, number by number. `None` where a number has no meaning for the kind of question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difficulty {
    /// The number of minds; rows have it by itself.
    pub order: usize,
    /// The number of steps after which another answer was right than before. `None` for states at the end of a scenario.
    pub updates: Option<usize>,
    /// The number of steps that bear on the answer: those of its evidence.
    pub bearing: usize,
    /// The number of other steps between the first and the last of these.
    pub between: usize,
    /// The number of steps after the last of these, or of all steps if there is none.
    pub after: usize,
    /// The number of foils that are the right answer.
    pub shortcuts_right: usize,
    /// The number of lower orders at which another answer is right: without the outermost mind, without the two outermost, and
    /// so on. `None` if the question has no lower order.
    pub lower_orders_differ: Option<usize>,
    /// The number of people in the story.
    pub people: usize,
    /// The number of places on the map.
    pub places: usize,
}

impl Difficulty {
    /// The names of the numbers in a row, in the order of [`Self::numbers`].
    pub const NAMES: [&'static str; 8] = [
        "updates",
        "bearing",
        "between",
        "after",
        "shortcuts_right",
        "lower_orders_differ",
        "people",
        "places",
    ];

    /// All numbers, in the order of [`Self::NAMES`].
    ///
    /// ```
    /// use storysim::question::Difficulty;
    /// let difficulty = Difficulty { bearing: 2, people: 5, ..Difficulty::default() };
    /// let named: Vec<_> = Difficulty::NAMES.into_iter().zip(difficulty.numbers()).collect();
    /// assert_eq!((named[0], named[1], named[6]), (("updates", None), ("bearing", Some(2)), ("people", Some(5))));
    /// ```
    pub const fn numbers(&self) -> [Option<usize>; 8] {
        [
            self.updates,
            Some(self.bearing),
            Some(self.between),
            Some(self.after),
            Some(self.shortcuts_right),
            self.lower_orders_differ,
            Some(self.people),
            Some(self.places),
        ]
    }

    /// One of the numbers, if the question has it; for the quantile, the [score](Self::score) by which questions are ranked.
    ///
    /// ```
    /// use storysim::{form::Hardness, question::Difficulty};
    /// let difficulty = Difficulty { bearing: 2, ..Difficulty::default() };
    /// assert_eq!((difficulty.number(Hardness::Bearing), difficulty.number(Hardness::Updates)), (Some(2), None));
    /// ```
    pub fn number(&self, of: Hardness) -> Option<u64> {
        let number = match of {
            Hardness::Updates => self.updates?,
            Hardness::Bearing => self.bearing,
            Hardness::Between => self.between,
            Hardness::After => self.after,
            Hardness::ShortcutsRight => self.shortcuts_right,
            Hardness::LowerOrdersDiffer => self.lower_orders_differ?,
            Hardness::Quantile => return Some(self.score()),
        };
        Some(number as u64)
    }

    /// How difficult the question is, in one number: what is greater is more difficult.
    ///
    /// By the numbers that it adds up, readers fail who see everything and have only learned what to look for. Where at most one
    /// mind is asked about, these are the steps after the last that bears on the answer, and 10 for every change of the answer.
    /// Where minds are held by minds, they are the steps between those that bear on the answer, and 4 if only one step does. If
    /// none does, they are half of all steps: the answer has been held from the start, and to be sure that it still is, a reader
    /// has to look for what is not there. See `docs/rows.md`.
    ///
    /// ```
    /// use storysim::question::Difficulty;
    /// let first_order = Difficulty { order: 1, bearing: 1, updates: Some(3), after: 12, ..Difficulty::default() };
    /// assert_eq!(first_order.score(), 42);
    /// let second_order = Difficulty { order: 2, bearing: 2, between: 7, ..first_order };
    /// assert_eq!(second_order.score(), 7);
    /// assert_eq!(Difficulty { bearing: 1, between: 0, ..second_order }.score(), 4);
    /// assert_eq!(Difficulty { bearing: 0, between: 0, after: 30, ..second_order }.score(), 15);
    /// ```
    pub const fn score(&self) -> u64 {
        if self.order > 1 {
            return match self.bearing {
                0 => self.after as u64 / 2,
                1 => ALONE,
                _ => self.between as u64,
            };
        }
        let updates = match self.updates {
            Some(updates) => updates as u64,
            None => 0,
        };
        self.after as u64 + CHANGED * updates
    }
}

/// For how many steps a change of the answer counts in a score: what was right before stands in the way of what is right now.
const CHANGED: u64 = 10;

/// For how many steps it counts if a single step bears on what somebody thinks that another thinks: no other step shows what one of
/// them makes of it.
const ALONE: u64 = 4;

/// Measures how difficult the questions of a plan are.
///
/// ```
/// use storysim::{compile::compile, question::{Asker, DifficultyGauge}, simulate::{Simulator, Story}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut story = Story::default();
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let mut asker = Asker::new(&plan, 7);
/// let answered = &asker.ask(&story)[0];
/// let difficulty = DifficultyGauge::new(&plan).measure(&story, answered);
/// assert_eq!(difficulty.bearing, answered.evidence.len());
/// assert_eq!(difficulty.lower_orders_differ, Some(1)); // the belief is false
/// ```
#[derive(Clone, Debug)]
pub struct DifficultyGauge<'a> {
    plan: &'a Plan,
    /// What follows each question, made when it is first needed.
    all: Vec<Option<Following>>,
    /// The steps that a question takes into account.
    steps: Vec<usize>,
}

/// What follows the answer of a question, and those of its lower orders.
#[derive(Clone, Debug)]
enum Following {
    /// Where people only walk.
    Walk(Vec<Watch>),
    /// In all other stories.
    Deeds(Vec<Replay>),
    /// Nothing: the answer is a state at the end of a scenario.
    Nothing,
}

impl<'a> DifficultyGauge<'a> {
    /// A gauge for the stories of a plan.
    pub fn new(plan: &'a Plan) -> Self {
        Self { plan, all: vec![None; plan.questions.len()], steps: Vec::new() }
    }

    /// The plan whose questions are measured.
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Measures a question that has been answered of a story. Costs O(events · orders); with deeds, O(events · size of the
    /// state · orders).
    pub fn measure(&mut self, story: &Story, answered: &Answered) -> Difficulty {
        let Self { plan, all, steps } = self;
        let question = &plan.questions[answered.question];
        let following = all[answered.question].get_or_insert_with(|| Following::new(plan, question));
        steps_of(question.moment_in(&story.trace, story.before), &story.trace, steps);
        let of_orders = match following {
            Following::Walk(watches) => follow_walks(watches, &story.trace),
            Following::Deeds(replays) => follow_deeds(replays, question, &story.trace, steps),
            Following::Nothing => Vec::new(),
        };
        let Answered { answer, evidence, foils, .. } = answered;
        let (first, last) = (evidence.iter().min(), evidence.iter().max());
        // What others do around the storyboard's own part bears on nothing.
        let own = story.own_steps(plan);
        let is_own = |step: &&usize| own.contains(*step);
        let is_between = |step: &&usize| first <= Some(*step) && Some(*step) <= last;
        let is_right = |other: &Option<Answer>| other.is_some() && other == answer;
        let differ = of_orders.iter().skip(1).filter(|(_, lower)| lower != answer).count();
        Difficulty {
            order: order(question),
            updates: of_orders.first().map(|(updates, _)| *updates),
            bearing: evidence.len(),
            between: steps.iter().filter(is_own).filter(is_between).count().saturating_sub(evidence.len()),
            after: steps.iter().filter(is_own).filter(|step| last < Some(*step)).count(),
            shortcuts_right: foils.all_answers().filter(is_right).count(),
            lower_orders_differ: (of_orders.len() > 1).then_some(differ),
            people: plan.character_count,
            places: plan.place_names.len(),
        }
    }
}

impl DifficultyGauge<'_> {
    /// What watches a question of people who only walk, and its lower orders.
    pub(super) fn watches(plan: &Plan, question: &Question) -> Vec<Watch> {
        let lower = lower_chains(question).into_iter();
        let lower = lower.map(|chain| Watch::of_chain(chain, plan.character_count));
        [Watch::new(question, plan.character_count)].into_iter().chain(lower).collect()
    }
}

impl Following {
    fn new(plan: &Plan, question: &Question) -> Self {
        if question.dynamic.is_some() {
            return Self::Nothing;
        }
        if Inquiry::is_of_walks(plan, question) {
            return Self::Walk(DifficultyGauge::watches(plan, question));
        }
        let chains = lower_chains(question);
        let own = Reading::new(plan, question);
        let lower = match question.kind {
            QuestionKind::Belief => chains.into_iter().map(Reading::of_chain).collect(),
            _ => lower_readings(plan, question),
        };
        Self::Deeds([own].into_iter().chain(lower).map(Replay::new).collect())
    }
}

/// The number of minds of a question, as rows have it.
fn order(question: &Question) -> usize {
    match (question.kind, question.target) {
        // These have company, not minds.
        (QuestionKind::World | QuestionKind::WorldThings, _) => 0,
        (_, Target::Item(item)) => Chain::new(&question.others, item).order(),
        (_, Target::Attitude(_) | Target::Matter(_)) => question.others.len(),
    }
}

/// The chains of all lower orders of a belief, down to reality.
fn lower_chains(question: &Question) -> Vec<Chain> {
    let own = chain(question);
    let lower = |of: &Chain| (of.order() > 0).then(|| of.lower());
    std::iter::successors(own.as_ref().and_then(lower), lower).collect()
}

/// What answers a question at all lower orders, if it is of a kind that has some.
fn lower_readings(plan: &Plan, question: &Question) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut question = question.clone();
    while let Some(reading) = Reading::lower(plan, &question) {
        readings.push(reading);
        question.others.remove(0);
    }
    readings
}

/// How often an answer changed in a story, and what it was at the end.
type Followed = (usize, Option<Answer>);

/// Follows a question and its lower orders through a story of people who only walk.
fn follow_walks(watches: &mut [Watch], trace: &Trace) -> Vec<Followed> {
    let follow = |watch: &mut Watch| {
        let changes = changes_of_walk(watch, trace);
        (changes, watch.answer().map(Answer::Place))
    };
    watches.iter_mut().map(follow).collect()
}

/// How often the answer that is watched changes in a story of people who only walk.
pub(super) fn changes_of_walk(watch: &mut Watch, trace: &Trace) -> usize {
    watch.start(&trace.start);
    let (mut changes, mut held) = (0, watch.answer());
    for event in &trace.events {
        if watch.is_member(event.who) {
            watch.apply(*event);
            let before = std::mem::replace(&mut held, watch.answer());
            changes += usize::from(before != held);
        }
    }
    changes
}

/// At how many lower orders the answer is another one in a story of people who only walk.
pub(super) fn differ_of_walk(watches: &mut [Watch], trace: &Trace) -> usize {
    let followed = follow_walks(watches, trace);
    let (_, answer) = followed[0];
    followed[1..].iter().filter(|(_, lower)| *lower != answer).count()
}

/// The same, for all other stories.
fn follow_deeds(
    replays: &mut [Replay],
    question: &Question,
    trace: &Trace,
    steps: &[usize],
) -> Vec<Followed> {
    let answer = |replay: &Replay| replay.reading.answer().map(|answer| within(answer, &question.of));
    let follow = |replay: &mut Replay| {
        replay.start(trace);
        let (mut changes, mut held) = (0, answer(replay));
        for &step in steps {
            let (event, deed) = happening(trace, step);
            replay.apply(event, deed);
            let before = std::mem::replace(&mut held, answer(replay));
            changes += usize::from(before != held);
        }
        (changes, held)
    };
    replays.iter_mut().map(follow).collect()
}
