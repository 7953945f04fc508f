//! Answers a question of any kind in a story with deeds.
//!
//! First it is settled which steps the question asks of ([`Moment`]). They are replayed once, for the answer and
//! all that a row says of it; then ever fewer of them, for the evidence. So each of them may happen where it did
//! not really: a walk starts from wherever the walker then is, and to go where she is already is nothing; any
//! other deed is done where the actor then is, if it can be done there. If it cannot, these steps alone are no
//! story, and evidence of nothing.

use super::answer::{Answer, Answered, Foils, Verdict};
use super::passage::Passage;
use super::reading::{Reading, Replay, item};
use crate::plan::{Moment, Plan, Question, Staging, Target};
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use crate::world::{Act, Deed, Event, Item, Scene};

/// The largest number of steps at which the state of a story is kept, to return to it.
const CHECKPOINTS_MAX: usize = 256;

/// The deed of a step for which the story has none: going somewhere.
static GOES: Deed = Deed { act: Act::Go, peeking: Vec::new(), distracted: Vec::new() };

/// The event and the deed of a step.
pub fn happening(trace: &Trace, step: usize) -> (Event, &Deed) {
    (trace.events[step], trace.deeds.get(step).unwrap_or(&GOES))
}

/// The state needed to answer one question in a story with deeds.
#[derive(Clone, Debug)]
pub struct DeedInquiry {
    replay: Replay,
    /// The replay for the question one order lower, for the foil.
    lower: Option<Replay>,
    /// Whether places are among the possible answers.
    has_places: bool,
    /// Whether the evidence is needed.
    has_evidence: bool,
    /// The steps that the question takes into account.
    steps: Vec<usize>,
    checkpoints: Vec<Replay>,
}

impl DeedInquiry {
    pub fn new(plan: &Plan, question: &Question, has_evidence: bool) -> Self {
        let is_object = matches!(question.target, Target::Item(Item::Object(_)));
        let has_places = !is_object || plan.staging.as_ref().is_some_and(Staging::has_objects_in_places);
        Self {
            replay: Replay::new(Reading::new(plan, question)),
            lower: Reading::lower(plan, question).map(Replay::new),
            has_places,
            has_evidence,
            steps: Vec::new(),
            checkpoints: Vec::new(),
        }
    }

    /// Fills in everything except the choices. Returns whether there is an answer.
    ///
    /// Costs O(events · (size of the state + steps of the evidence)) for each pass over the evidence.
    pub fn answer(&mut self, question: &Question, trace: &Trace, answered: &mut Answered) -> bool {
        if !self.go_to(question.moment, trace) {
            return false;
        }
        self.replay.start(trace);
        let mut passage = has_passage(question.kind)
            .then(|| Passage::new(&question.others, item(question), &self.replay.scene));
        for &step in &self.steps {
            let (event, deed) = happening(trace, step);
            let is_moved = passage.is_some() && self.replay.moves(event, deed, item(question));
            let is_witnessed = self.replay.apply(event, deed);
            if let Some(passage) = &mut passage {
                passage.step(step, &self.replay, is_moved && is_witnessed);
            }
        }
        let Some(answer) = self.replay.reading.answer() else { return false };
        answered.answer = Some(answer);
        let truth = passage.as_ref().map_or(answer, Passage::truth);
        answered.truth = Some(truth);
        answered.false_belief = (question.kind == QuestionKind::Belief).then(|| is_false(answer, truth));
        answered.mislead_distance = passage
            .as_ref()
            .filter(|_| answered.false_belief == Some(true))
            .and_then(Passage::mislead_distance);
        answered.foils =
            passage.map_or_else(Foils::default, |passage| passage.foils(&self.replay.scene, self.has_places));
        answered.foils.lower_order = self.lower_order(trace);
        if self.has_evidence {
            self.find_evidence(trace, answer, &mut answered.evidence);
        }
        true
    }

    /// Lists the steps that the question takes into account. Returns whether they can all happen.
    fn go_to(&mut self, moment: Moment, trace: &Trace) -> bool {
        let all = 0..trace.events.len();
        self.steps.clear();
        match moment {
            Moment::End => self.steps.extend(all),
            Moment::Before(step) => self.steps.extend(all.take(step)),
            Moment::Without(step) => {
                self.steps.extend(all.filter(|&other| other != step));
                let mut scene = Scene::new(&trace.start, &trace.stage);
                return self.steps.iter().all(|&step| {
                    let (event, deed) = happening(trace, step);
                    let can_happen = scene.allows(event, deed);
                    scene.apply(event, &deed.act);
                    can_happen
                });
            }
        }
        true
    }

    fn lower_order(&mut self, trace: &Trace) -> Option<Answer> {
        let lower = self.lower.as_mut()?;
        lower.start(trace);
        for &step in &self.steps {
            let (event, deed) = happening(trace, step);
            lower.apply(event, deed);
        }
        lower.reading.answer()
    }

    /// Leaves out one step after another, from the last to the first, if the answer stays the same without it, and
    /// repeats this until no more can be left out.
    fn find_evidence(&mut self, trace: &Trace, answer: Answer, kept: &mut Vec<usize>) {
        kept.clone_from(&self.steps);
        loop {
            let count = kept.len();
            self.pass(trace, answer, kept);
            if kept.len() == count {
                return;
            }
        }
    }

    /// Decides about every step once. The steps that are kept gather at the end.
    fn pass(&mut self, trace: &Trace, answer: Answer, steps: &mut Vec<usize>) {
        let stride = steps.len().div_ceil(CHECKPOINTS_MAX).max(1);
        self.replay.start(trace);
        for (at, &step) in steps.iter().enumerate() {
            if at % stride == 0 {
                match self.checkpoints.get_mut(at / stride) {
                    Some(checkpoint) => checkpoint.clone_from(&self.replay),
                    None => self.checkpoints.push(self.replay.clone()),
                }
            }
            happen_again(&mut self.replay, trace, step);
        }
        let mut kept = steps.len();
        for at in (0..steps.len()).rev() {
            self.replay.clone_from(&self.checkpoints[at / stride]);
            let mut before = steps[at / stride * stride..at].iter().chain(&steps[kept..]);
            let can_happen = before.all(|&step| happen_again(&mut self.replay, trace, step));
            if !can_happen || self.replay.reading.answer() != Some(answer) {
                kept -= 1;
                steps[kept] = steps[at];
            }
        }
        steps.drain(..kept);
    }
}

/// Whether answers of this kind depend on where the target goes.
const fn has_passage(kind: QuestionKind) -> bool {
    matches!(
        kind,
        QuestionKind::Belief
            | QuestionKind::Reality
            | QuestionKind::Start
            | QuestionKind::World
            | QuestionKind::WorldThings
    )
}

/// Whether a belief is false. Knowing nothing is not a false belief.
pub fn is_false(answer: Answer, truth: Answer) -> bool {
    answer != truth && answer != Answer::Verdict(Verdict::Unknown)
}

/// Applies what happened at a step although earlier steps may be missing. Returns whether it can happen.
fn happen_again(replay: &mut Replay, trace: &Trace, step: usize) -> bool {
    let (Event { who, to, .. }, deed) = happening(trace, step);
    let from = replay.scene.place(who);
    let to = if deed.act.is_going() { to } else { from };
    let event = Event { who, from, to };
    let is_walk = matches!(deed.act, Act::Go | Act::GoTogether(_));
    if is_walk && Scene::movers(event, &deed.act).all(|mover| replay.scene.place(mover) == to) {
        return true; // they are there already
    }
    let can_happen = replay.scene.allows(event, deed);
    if can_happen {
        replay.apply(event, deed);
    }
    can_happen
}
