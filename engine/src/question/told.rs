//! What questions about scenarios offer and answer: the choice of each life, how it follows from the life's course, and on what the
//! right one rests.

use super::answer::{Answer, Answered, Shown};
use super::dynamics::{AtEnd, Courses};
use crate::appraisal::Mood;
use crate::form::{Addressee, State, Toward};
use crate::id::{CharacterId, ProspectId};
use crate::plan::{Dynamic, Plan, Question, Target};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::world::{Case, Item};

/// How many choices a question has, where lives do not say.
const CHOICES: usize = 5;

/// What a choice of a question says, whatever its words. Two choices that say the same are told in the same words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A state.
    State(Shown),
    /// That a state is as it was, or from what it changed to what.
    Changed(Shown, Shown),
    /// What accounts for a state, as against the end of the scenario before.
    Cause(Cause),
    /// How a state follows from what comes before it.
    Influence(Basis, Shown),
    /// A state at the end of every scenario.
    Course(Vec<Shown>),
}

/// What accounts for a state, as against the end of the scenario before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It did not change.
    Same(Shown),
    /// Somebody was heard to say so.
    Heard(Option<CharacterId>, Shown),
    /// What comes before the state has changed.
    Basis(Basis),
    /// What is wanted is the same, but somebody else has brought about what it is about.
    Agent(u8, Option<CharacterId>),
    /// What is wanted is the same, but not where the person is whom it is directed at.
    Company(u8, Addressee, Option<CharacterId>),
}

/// What a state follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// What is thought, and what was expected before.
    Mood(Mood),
    /// What is felt, and whether nothing can be done any more; `None` if nothing has been heard.
    Feeling(u8, Option<bool>),
    /// What is wanted.
    Want(u8),
}

/// What a state follows from, at the end of a scenario.
fn basis(state: State, end: &AtEnd) -> Basis {
    match state {
        State::Belief | State::Emotion => Basis::Mood(end.mood),
        State::Intention => Basis::Feeling(end.felt.feels, end.mood.thinks.map(Case::is_final)),
        State::Action => Basis::Want(end.felt.wants),
    }
}

/// What accounts for a state, as against the end of the scenario before.
fn cause(state: State, prospect: ProspectId, [before, now]: [&AtEnd; 2]) -> Cause {
    let [was, is] = [before, now].map(|end| shown(end, state, prospect));
    match state {
        _ if was == is => Cause::Same(is),
        State::Belief => Cause::Heard(now.heard_from, is),
        State::Action if before.felt.wants == now.felt.wants && before.agent != now.agent => {
            Cause::Agent(now.felt.wants, now.agent)
        }
        State::Action if before.felt.wants == now.felt.wants => {
            Cause::Company(now.felt.wants, now.addressee, now.whom)
        }
        state => Cause::Basis(basis(state, now)),
    }
}

impl Courses {
    /// What a question's choice says for one of the lives.
    pub fn told(&self, question: &Question, life: usize) -> Told {
        let Dynamic { state, scenario } = question.dynamic.expect("a question about scenarios");
        let Target::Item(Item::Prospect(prospect)) = question.target else {
            unreachable!("about a prospect")
        };
        let course = &self.lives[life];
        let shown = |scenario: usize| shown(&course[scenario], state, prospect);
        match question.kind {
            QuestionKind::Changed => Told::Changed(shown(scenario - 1), shown(scenario)),
            QuestionKind::Cause => {
                Told::Cause(cause(state, prospect, [&course[scenario - 1], &course[scenario]]))
            }
            QuestionKind::Influence => Told::Influence(basis(state, &course[scenario]), shown(scenario)),
            QuestionKind::Course => Told::Course((0..=scenario).map(shown).collect()),
            _ => Told::State(shown(scenario)),
        }
    }

    /// The last state that a question asks about, in one of the lives.
    pub fn state(&self, question: &Question, life: usize) -> Shown {
        let Dynamic { state, scenario } = question.dynamic.expect("a question about scenarios");
        let Target::Item(Item::Prospect(prospect)) = question.target else {
            unreachable!("about a prospect")
        };
        shown(&self.lives[life][scenario], state, prospect)
    }

    /// Fills in the answer to a question, with all that a row says of it. Returns whether there is one.
    pub fn answer(&self, plan: &Plan, at: usize, story: &Story, answered: &mut Answered) -> bool {
        let question = &plan.questions[at];
        let Dynamic { state, scenario } = question.dynamic.expect("a question about scenarios");
        if scenario >= self.clear {
            return false;
        }
        let ends = match question.kind {
            QuestionKind::Course => 0..scenario + 1,
            kind if spans(kind) => scenario - 1..scenario + 1,
            _ => scenario..scenario + 1,
        };
        // What is done depends on who is there.
        if state == State::Action && self.lives[0][ends.clone()].iter().any(|end| !end.is_clear) {
            return false;
        }
        let Target::Item(Item::Prospect(prospect)) = question.target else { return false };
        *answered = Answered {
            question: at,
            choices: std::mem::take(&mut answered.choices),
            evidence: std::mem::take(&mut answered.evidence),
            caused_by: std::mem::take(&mut answered.caused_by),
            ..Answered::default()
        };
        answered.evidence.clear();
        answered.answer = Some(self.choice(question, at, 0));
        let own = &self.lives[0];
        if question.kind == QuestionKind::BeliefIn {
            let truth = Shown::Belief(prospect, self.truths[scenario]);
            answered.truth = Some(Answer::Shown(truth));
            let thinks = own[scenario].mood.thinks;
            answered.false_belief = Some(thinks.is_some() && thinks != self.truths[scenario]);
        }
        if question.kind != QuestionKind::Course
            && !spans(question.kind)
            && question.kind != QuestionKind::Influence
        {
            let of = |end: &AtEnd| Some(Answer::Shown(shown(end, state, prospect)));
            answered.foils.all_heard = of(&self.all_heard[scenario]);
            answered.foils.last_turn = of(&self.last_heard[scenario]);
            answered.foils.scenario_before = scenario.checked_sub(1).and_then(|before| of(&own[before]));
        }
        answered.caused_by.clear();
        for end in &own[ends.clone()] {
            let past = [end.expected_since, end.given_up_since];
            let past = past.into_iter().flatten().filter(|_| needs_past(state, question.kind));
            answered.caused_by.extend(past.chain(end.since));
        }
        answered.caused_by.sort_unstable();
        answered.caused_by.dedup();
        self.evidence(plan, question, story, ends, answered);
        true
    }

    /// The announcements on which the states rest, and the moves by which those who were there had come there.
    fn evidence(
        &self,
        plan: &Plan,
        question: &Question,
        story: &Story,
        ends: std::ops::Range<usize>,
        answered: &mut Answered,
    ) {
        let trace = &story.trace;
        let who = *question.others.last().expect("somebody's states");
        let last_move = |of: CharacterId, until: usize| {
            let moves = &self.moves[of.index()];
            moves[..moves.partition_point(|&step| (step as usize) < until)].last().map(|&step| step as usize)
        };
        let mut evidence = std::mem::take(&mut answered.evidence);
        for &step in &answered.caused_by {
            evidence.push(step);
            let minds = question.others.iter().copied().chain([trace.events[step].who]);
            evidence.extend(minds.filter_map(|mind| last_move(mind, step)));
        }
        let Dynamic { state, .. } = question.dynamic.expect("a question about scenarios");
        let scenarios = plan.scenarios.expect("there are some");
        for scenario in ends.filter(|_| state == State::Action) {
            let end = &self.lives[0][scenario];
            let until = (scenario + 1) * scenarios.steps;
            if end.felt.toward == Toward::Nobody {
                continue;
            }
            let company: Vec<CharacterId> = match end.whom {
                Some(addressee) => vec![addressee],
                None => (0..trace.start.len()).map(CharacterId::new).filter(|&other| other != who).collect(),
            };
            evidence.extend(company.into_iter().chain([who]).filter_map(|one| last_move(one, until)));
        }
        evidence.sort_unstable();
        evidence.dedup();
        answered.evidence = evidence;
    }

    /// The answer that stands for a life.
    pub(super) fn choice(&self, question: &Question, at: usize, life: usize) -> Answer {
        match question.kind {
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action => Answer::Shown(self.state(question, life)),
            _ => Answer::Life(at as u16, life as u8),
        }
    }

    /// Lists what is offered to choose from: one choice for each life that says something else, as many as there are choices. Lives by
    /// which a story is drawn all do, but for the one that is led in a twin.
    pub fn choices(&self, question: &Question, at: usize, choices: &mut Vec<Answer>) {
        choices.clear();
        let offers_all = self.lives.len() == self.count() && self.are_by_lives();
        let most = self.by_lives.unwrap_or(CHOICES);
        let mut told: Vec<Told> = Vec::new();
        for life in 0..self.count() {
            if !offers_all {
                let says = self.told(question, life);
                if choices.len() == most || told.contains(&says) {
                    continue;
                }
                told.push(says);
            }
            choices.push(self.choice(question, at, life));
        }
    }
}

/// The numbers of the questions of a plan on whose answers that of another one rests: a change on the two states; what accounts
/// for it on these and the change; how one state bears on the next on the states that it speaks of; and a course on all its
/// states.
pub fn linked(plan: &Plan, question: &Question) -> Vec<usize> {
    let Some(Dynamic { state, scenario }) = question.dynamic else { return Vec::new() };
    let find = |kind: QuestionKind, state: State, scenario: usize| {
        let is_it = |other: &Question| {
            (other.kind, &other.others, other.target) == (kind, &question.others, question.target)
                && other.dynamic == Some(Dynamic { state, scenario })
        };
        plan.questions.iter().position(is_it)
    };
    let of_state = |state: State, scenario: usize| {
        let kind = match state {
            State::Belief => QuestionKind::BeliefIn,
            State::Emotion => QuestionKind::Emotion,
            State::Intention => QuestionKind::Intention,
            State::Action => QuestionKind::Action,
        };
        find(kind, state, scenario)
    };
    let both = || [scenario.wrapping_sub(1), scenario].map(|scenario| of_state(state, scenario)).to_vec();
    let found = match question.kind {
        QuestionKind::Changed => both(),
        QuestionKind::Cause => [both(), vec![find(QuestionKind::Changed, state, scenario)]].concat(),
        QuestionKind::Influence => {
            let spoken_of: &[State] = match state {
                State::Belief | State::Emotion => &[State::Belief, State::Emotion],
                State::Intention => &[State::Belief, State::Emotion, State::Intention],
                State::Action => &[State::Intention, State::Action],
            };
            spoken_of.iter().map(|&state| of_state(state, scenario)).collect()
        }
        QuestionKind::Course => (0..=scenario).map(|scenario| of_state(state, scenario)).collect(),
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// Whether a kind of question asks about two scenarios.
const fn spans(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Changed | QuestionKind::Cause)
}

/// Whether it matters for a state what was expected before.
fn needs_past(state: State, kind: QuestionKind) -> bool {
    state != State::Belief || kind == QuestionKind::Influence
}

/// A state at the end of a scenario.
pub fn shown(end: &AtEnd, state: State, prospect: ProspectId) -> Shown {
    match state {
        State::Belief => Shown::Belief(prospect, end.mood.thinks),
        State::Emotion => Shown::Emotion(end.felt.feels),
        State::Intention => Shown::Intention(end.felt.wants),
        State::Action => Shown::Action { prospect, wants: end.felt.wants, does: end.does, agent: end.agent },
    }
}
