//! Answers a question of any kind in a story with deeds.
//!
//! First it is settled which steps the question asks of ([`Moment`]). They are replayed once, for the answer and
//! all that a row says of it; on the way, [`DeedEvidence`] notes what settled it.

use super::answer::{Answer, Answered, Foils, Verdict};
use super::bearing::Bearing;
use super::evidence::DeedEvidence;
use super::passage::Passage;
use super::reading::{Reading, Replay, happening, item};
use super::talk::within;
use crate::plan::{Moment, Plan, Question, Staging, Target};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use crate::world::{Item, Scene};

/// The state needed to answer one question in a story with deeds.
#[derive(Clone, Debug)]
pub struct DeedInquiry {
    replay: Replay,
    /// The replay for the question one order lower, for the foil.
    lower: Option<Replay>,
    /// Whether places are among the possible answers.
    has_places: bool,
    /// What finds the evidence, if it is needed.
    evidence: Option<DeedEvidence>,
    /// What can bear on the answer, if not everything can.
    bearing: Option<Bearing>,
    /// The steps that the question takes into account.
    steps: Vec<usize>,
}

impl DeedInquiry {
    pub fn new(plan: &Plan, question: &Question, has_evidence: bool) -> Self {
        let is_object = matches!(question.target, Target::Item(Item::Object(_)));
        let has_places = !is_object || plan.staging.as_ref().is_some_and(Staging::has_objects_in_places);
        let reading = Reading::new(plan, question);
        Self {
            evidence: has_evidence.then(|| DeedEvidence::new(&reading)),
            bearing: Bearing::new(plan, &reading),
            replay: Replay::new(reading),
            lower: Reading::lower(plan, question).map(Replay::new),
            has_places,
            steps: Vec::new(),
        }
    }

    /// Fills in everything except the choices. Returns whether there is an answer.
    ///
    /// Costs O(events · size of the state), and what it takes to find the evidence (see [`super::evidence`]).
    pub fn answer(&mut self, question: &Question, story: &Story, answered: &mut Answered) -> bool {
        let trace = &story.trace;
        if !self.go_to(question.moment_in(trace, story.before), trace) {
            return false;
        }
        self.replay.start(trace);
        let mut passage = has_passage(question.kind)
            .then(|| Passage::new(&question.others, item(question), self.replay.scene()));
        if let Some(evidence) = &mut self.evidence {
            evidence.begin(&self.replay.reading);
        }
        for &step in &self.steps {
            let (event, deed) = happening(trace, step);
            let is_moved = passage.is_some() && self.replay.moves(event, deed, item(question));
            let is_witnessed = self.replay.apply(event, deed);
            if let Some(evidence) = &mut self.evidence {
                evidence.note(step, (event, deed), &self.replay, is_witnessed);
            }
            if let Some(passage) = &mut passage {
                passage.step(step, &self.replay, is_moved && is_witnessed);
            }
        }
        let Some(answer) = self.replay.reading.answer() else { return false };
        let answer = within(answer, &question.of);
        answered.answer = Some(answer);
        let truth = passage.as_ref().map_or(answer, Passage::truth);
        answered.truth = Some(truth);
        answered.false_belief = (question.kind == QuestionKind::Belief).then(|| is_false(answer, truth));
        answered.mislead_distance = passage
            .as_ref()
            .filter(|_| answered.false_belief == Some(true))
            .and_then(Passage::mislead_distance);
        answered.foils = passage
            .map_or_else(Foils::default, |passage| passage.foils(self.replay.scene(), self.has_places));
        answered.foils.lower_order = self.lower_order(trace).map(|answer| within(answer, &question.of));
        answered.evidence.clear();
        if let Some(evidence) = &mut self.evidence {
            evidence.find(&self.replay.reading, trace, &self.steps, answer, &mut answered.evidence);
        }
        true
    }

    /// Lists the steps that the question takes into account. Returns whether they can all happen.
    fn go_to(&mut self, moment: Moment, trace: &Trace) -> bool {
        let can_happen = steps_of(moment, trace, &mut self.steps);
        if let Some(bearing) = self.bearing.as_ref().filter(|_| moment == Moment::End) {
            bearing.keep(trace, &mut self.steps);
        }
        can_happen
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
}

/// Lists the steps of a story that a question about this moment takes into account. Returns whether they can all happen.
pub fn steps_of(moment: Moment, trace: &Trace, steps: &mut Vec<usize>) -> bool {
    let all = 0..trace.events.len();
    steps.clear();
    match moment {
        Moment::End => steps.extend(all),
        Moment::Before(step) => steps.extend(all.take(step)),
        Moment::Without(step) => {
            steps.extend(all.filter(|&other| other != step));
            let mut scene = Scene::new(&trace.start, &trace.stage);
            return steps.iter().all(|&step| {
                let (event, deed) = happening(trace, step);
                let can_happen = scene.allows(event, deed);
                scene.apply(event, &deed.act);
                can_happen
            });
        }
    }
    true
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
