//! What news does to somebody, scenario after scenario: her states, and those that she would have had in other lives.
//!
//! A *course* is what becomes of somebody by the rules of [`crate::appraisal`]: for each scenario her mood at its end, and the
//! four states that follow. Questions offer one choice for each of several courses, all by the same formula; the right one is
//! that of the first. Where stories are drawn by lives, the others are those of the lives that might have been led. Elsewhere
//! they are what became of the chain if it had heard what each other character did, as far as that makes a difference, and
//! then of announcements drawn anew.

use rand::Rng;

use super::answer::{Answer, Answered, Shown};
use crate::appraisal::{Felt, Mood};
use crate::belief::{Chain, DeedTracker, Held};
use crate::form::{Addressee, State, Toward};
use crate::id::{CharacterId, PlaceId, ProspectId};
use crate::pack::{Intention, Slot};
use crate::plan::{Dynamic, Lives, Plan, PlannedProspect, PlannedRules, Question, Scenarios, Target};
use crate::resolve::cases;
use crate::rng::{Purpose, Stream, StreamKey, below};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use crate::world::{Act, Case, How, Item, Scene, Side, Value};

/// How many choices a question has.
const CHOICES: usize = 5;

/// How many courses of announcements drawn anew are tried where others do not suffice.
const DRAWN_MAX: usize = 40;

/// The part of the stream of a story for courses that are drawn, before that of the first subject.
const COURSES_PART: u64 = 1 << 32;

/// A chain and the prospect that it is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The minds; the last is whose states are asked for.
    pub minds: Vec<CharacterId>,
    /// The prospect.
    pub prospect: ProspectId,
}

impl Subject {
    /// The subject of a question, if it asks what news does to somebody.
    pub fn of(question: &Question) -> Option<Self> {
        let Target::Item(Item::Prospect(prospect)) = question.target else { return None };
        question.dynamic.map(|_| Self { minds: question.others.clone(), prospect })
    }

    /// The subjects of all questions of a plan, each once.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for subject in plan.questions.iter().filter_map(Self::of) {
            if !all.contains(&subject) {
                all.push(subject);
            }
        }
        all
    }

    /// Whether a question is about it.
    pub fn is_of(&self, question: &Question) -> bool {
        Self::of(question).is_some_and(|own| own == *self)
    }

    /// Whose states are asked for.
    pub fn who(&self) -> CharacterId {
        *self.minds.last().expect("somebody's states")
    }
}

/// The end of a scenario, in one course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtEnd {
    /// What is thought and was expected.
    pub mood: Mood,
    /// The step of the news that brought that about, if any did.
    pub since: Option<usize>,
    /// The step of the news by which the expected side was thought likely, if one was.
    pub expected_since: Option<usize>,
    /// Who was heard to say so.
    pub heard_from: Option<CharacterId>,
    /// What is felt and wanted.
    pub felt: Felt,
    /// Whom the want is directed at, if that is one person.
    pub whom: Option<CharacterId>,
    /// Who has brought it about, if the act names somebody who has.
    pub agent: Option<CharacterId>,
    /// Where the person is whom the want is directed at.
    pub addressee: Addressee,
    /// Whether that is clear.
    pub is_clear: bool,
    /// The number of the line of `does` that says what is done.
    pub does: u8,
}

/// What becomes of somebody: the ends of all scenarios, in order.
pub type Course = Vec<AtEnd>;

/// Whose news it is that makes a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// That of the life which is led.
    Own,
    /// That of the life with this number, counted from 1, which might have been led.
    Led(usize),
    /// What somebody else came to think.
    Other(CharacterId),
    /// Announcements drawn anew.
    Drawn,
}

/// The news that makes a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Whose news it is.
    pub origin: Origin,
    /// The steps of that news: in a life, of all that is heard; elsewhere, of what changes what is thought.
    pub steps: Vec<usize>,
}

/// The courses of a story for one subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Courses {
    /// What the chain holds, and then the other lives.
    pub lives: Vec<Course>,
    /// For each of these, the news that makes it.
    pub heard: Vec<Heard>,
    /// If the lives are those of a story that is drawn by lives, how many of them choices are made of. Those after them are led in
    /// the story's twins.
    by_lives: Option<usize>,
    /// How many scenarios can be asked about: up to the one at whose end it is unclear what the chain holds.
    pub clear: usize,
    /// What is really so at the end of each scenario.
    pub truths: Vec<Option<Case>>,
    /// What becomes of somebody who hears all news.
    all_heard: Course,
    /// For each scenario, its end if its last news had been heard.
    last_heard: Course,
    /// The steps at which each character moves.
    moves: Vec<Vec<u32>>,
}

/// What is needed to work out the courses of a plan's stories for one subject.
#[derive(Clone, Debug)]
pub struct CoursePlan<'a> {
    plan: &'a Plan,
    subject: Subject,
    number: u64,
    prospect: &'a PlannedProspect,
    rules: &'a PlannedRules,
    /// For each want, whether its act names who has brought it about.
    names_agent: Vec<bool>,
    scenarios: Scenarios,
    key: StreamKey,
}

/// A change of what somebody thinks: the step, and the case.
type News = (usize, Case);

/// Who is with whom at the end of each scenario, as a chain has it.
#[derive(Clone, Debug, Default)]
struct Company {
    /// Those who are with her, one bit each.
    here: Vec<u64>,
    /// Those of whom that is unclear.
    unclear: Vec<u64>,
}

impl<'a> CoursePlan<'a> {
    /// What all subjects of a plan need, under the seed of a run.
    pub fn all(plan: &'a Plan, seed: u64) -> Vec<Self> {
        let key = StreamKey::derive(seed, &plan.fingerprint, Purpose::Choices);
        let subjects = Subject::all(plan).into_iter().zip(0..);
        let new = |(subject, number): (Subject, u64)| {
            let staging = plan.staging.as_ref().expect("prospects are staged");
            let rules = staging.rules.as_ref().expect("somebody is asked about who wants a side");
            let names_agent = |known: &Intention| known.act.has(Slot::Agent);
            Self {
                plan,
                number,
                prospect: &staging.prospects[subject.prospect.index()],
                rules,
                names_agent: rules.words().intentions.iter().map(names_agent).collect(),
                scenarios: plan.scenarios.expect("questions ask about scenarios"),
                subject,
                key,
            }
        };
        subjects.map(new).collect()
    }

    /// The subject.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Whether these are the lives of the subject.
    pub fn is_of(&self, lives: &Lives) -> bool {
        self.subject.minds == [lives.whose] && self.subject.prospect == lives.of
    }

    /// The courses of a story.
    ///
    /// Costs O(events), and for chains that are not of one mind in a story by lives as much as following them.
    pub fn courses(&self, story: &Story) -> Courses {
        let who = self.subject.who();
        let is_it = |wish: &&crate::world::Wish| wish.who == who && wish.of == self.subject.prospect;
        let wish = story.trace.stage.wishes.iter().find(is_it).expect("she wants a side").side;
        let announced = announced(&story.trace, self.subject.prospect);
        let ends: Vec<usize> = (1..=self.scenarios.count).map(|end| end * self.scenarios.steps).collect();
        let truth =
            |&end: &usize| announced.iter().take_while(|(step, _)| *step < end).last().map(|(_, case)| *case);
        let by_lives = self.plan.lives().filter(|lives| self.is_of(lives));
        let (own, clear, company) = match by_lives {
            Some(_) => {
                let (heard, company) = witnessed(&story.trace, who, &announced, &ends);
                (heard, ends.len(), company)
            }
            None => self.followed(&story.trace, &ends),
        };
        let course = |news: &[News]| {
            let mut course = self.course(news, wish, &company, &ends);
            for end in &mut course {
                end.heard_from = end.since.map(|step| story.trace.events[step].who);
            }
            course
        };
        let mut courses = Courses {
            lives: vec![course(&own)],
            heard: vec![Heard::new(Origin::Own, &own)],
            by_lives: by_lives.map(Lives::count),
            clear,
            truths: ends.iter().map(truth).collect(),
            all_heard: course(&announced),
            last_heard: self.last_heard(&own, &announced, wish, &company),
            moves: moves(&story.trace),
        };
        match by_lives {
            Some(lives) => {
                // More than that many, if there are twins.
                let all = story.lives.len() / self.scenarios.count;
                for life in 1..all {
                    let heard = led(story, life, all, lives.turns, &announced);
                    courses.lives.push(course(&heard));
                    courses.heard.push(Heard::new(Origin::Led(life), &heard));
                }
            }
            None => self.other_lives(story, (&announced, &course), &mut courses),
        }
        courses
    }

    /// What becomes of the chain if it hears what others heard, and then what is announced anew.
    fn other_lives(
        &self,
        story: &Story,
        (announced, course): (&[News], &impl Fn(&[News]) -> Course),
        courses: &mut Courses,
    ) {
        let who = self.subject.who();
        let mut add = |origin: Origin, news: &[News]| {
            let becomes = course(news);
            if !courses.lives.contains(&becomes) {
                courses.lives.push(becomes);
                courses.heard.push(Heard::new(origin, news));
            }
        };
        for other in (0..self.plan.character_count).map(CharacterId::new).filter(|&other| other != who) {
            add(Origin::Other(other), &self.held(&story.trace, &[other]).0);
        }
        let mut stream = self.key.stream(story.index, COURSES_PART + self.number);
        let all = cases(self.prospect);
        for _ in 0..DRAWN_MAX {
            let mut heard: Vec<News> = Vec::new();
            for (step, _) in announced {
                if stream.next_u64() & 1 == 1 {
                    heard.push((*step, pick(&mut stream, &all)));
                }
            }
            add(Origin::Drawn, &heard);
        }
    }

    /// The changes of what a chain thinks, how many scenarios end before it is unclear, and who is with whom at their ends.
    fn followed(&self, trace: &Trace, ends: &[usize]) -> (Vec<News>, usize, Company) {
        let (news, unclear) = self.held(trace, &self.subject.minds);
        let clear = ends.iter().take_while(|&&end| unclear.is_none_or(|step| step >= end)).count();
        let mut company = Company::default();
        let who = self.subject.who();
        let minds = &self.subject.minds;
        let others: Vec<CharacterId> =
            (0..trace.start.len()).map(CharacterId::new).filter(|&other| other != who).collect();
        let mut trackers: Vec<(CharacterId, DeedTracker)> =
            others.iter().map(|&other| (other, DeedTracker::new(Chain::new(minds, other)))).collect();
        let mut own = DeedTracker::new(Chain::new(minds, who));
        own.start(trace);
        trackers.iter_mut().for_each(|(_, tracker)| tracker.start(trace));
        let mut ends = ends.iter().peekable();
        for step in 0..trace.events.len() {
            let (event, deed) = (trace.events[step], &trace.deeds[step]);
            own.follow(event, deed);
            trackers.iter_mut().for_each(|(_, tracker)| {
                tracker.follow(event, deed);
            });
            if ends.next_if(|&&end| end == step + 1).is_some() {
                let (mut here, mut unclear) = (0, 0);
                for (other, tracker) in &trackers {
                    match (own.held(), tracker.held()) {
                        (Held::Known(place, _), Held::Known(other_place, _)) => {
                            here |= u64::from(place == other_place) << other.index();
                        }
                        // Whoever is with her she would know to be.
                        (Held::Known(..), Held::Nothing) => {}
                        _ => unclear |= 1 << other.index(),
                    }
                }
                company.here.push(here);
                company.unclear.push(unclear);
            }
        }
        (news, clear, company)
    }

    /// The changes of what a chain thinks, and the first step from which on that is unclear.
    fn held(&self, trace: &Trace, minds: &[CharacterId]) -> (Vec<News>, Option<usize>) {
        let mut tracker = DeedTracker::new(Chain::new(minds, Item::Prospect(self.subject.prospect)));
        tracker.start(trace);
        let (mut news, mut last, mut unclear) = (Vec::new(), None, None);
        for step in 0..trace.events.len() {
            tracker.follow(trace.events[step], &trace.deeds[step]);
            match tracker.held() {
                Held::Known(Value::Case(case), _) if last != Some(case) => {
                    news.push((step, case));
                    last = Some(case);
                }
                Held::Unclear => unclear = unclear.or(Some(step)),
                _ => {}
            }
        }
        (news, unclear)
    }

    /// What becomes of somebody who comes to think this.
    fn course(&self, news: &[News], wish: Side, company: &Company, ends: &[usize]) -> Course {
        let (mut mood, mut since, mut expected_since) = (Mood::default(), None, None);
        let mut news = news.iter().peekable();
        let mut course = Course::with_capacity(ends.len());
        for (scenario, &end) in ends.iter().enumerate() {
            while let Some(&(step, case)) = news.next_if(|(step, _)| *step < end) {
                let next = mood.on(case);
                if next == mood {
                    continue;
                }
                if mood.thinks.is_some_and(|held| held.how() == How::Likely) {
                    expected_since = since;
                }
                (mood, since) = (next, Some(step));
            }
            course.push(self.at_end(mood, [since, expected_since], wish, (company, scenario)));
        }
        course
    }

    /// For each scenario, its end for somebody who comes to think this, had she also heard the last news of the scenario.
    fn last_heard(&self, own: &[News], announced: &[News], wish: Side, company: &Company) -> Course {
        let (mut own, mut announced) = (own.iter().peekable(), announced.iter().peekable());
        let mut mood = Mood::default();
        let mut course = Course::with_capacity(self.scenarios.count);
        for scenario in 0..self.scenarios.count {
            let end = (scenario + 1) * self.scenarios.steps;
            let mut last = None;
            while let Some(news) = announced.next_if(|(step, _)| *step < end) {
                last = Some(*news);
            }
            let mut also = mood;
            while let Some(&(step, case)) = own.next_if(|(step, _)| *step < end) {
                if let Some((_, case)) = last.take_if(|(at, _)| *at <= step) {
                    also = also.on(case);
                }
                (mood, also) = (mood.on(case), also.on(case));
            }
            also = last.map_or(also, |(_, case)| also.on(case));
            course.push(self.at_end(also, [None; 2], wish, (company, scenario)));
        }
        course
    }

    fn at_end(
        &self,
        mood: Mood,
        [since, expected_since]: [Option<usize>; 2],
        wish: Side,
        (company, scenario): (&Company, usize),
    ) -> AtEnd {
        let felt = self.rules.tables.felt(mood.situation(self.subject.who(), wish));
        let here = company.here[scenario];
        let is_here = |who: Option<CharacterId>| match who {
            Some(who) if here >> who.index() & 1 == 1 => Addressee::Here,
            Some(_) => Addressee::Away,
            None => Addressee::Nobody,
        };
        let whom = match felt.toward {
            Toward::Nobody | Toward::Company => None,
            Toward::Decider => self.prospect.decider,
            Toward::Agent => mood.thinks.and_then(Case::agent),
        };
        let addressee = match felt.toward {
            Toward::Company if here != 0 => Addressee::Here,
            Toward::Company => Addressee::Away,
            _ => is_here(whom),
        };
        let unclear = company.unclear[scenario];
        let is_clear = match (felt.toward, whom) {
            (Toward::Company, _) => here != 0 || unclear == 0,
            (_, Some(whom)) => unclear >> whom.index() & 1 == 0,
            (_, None) => true,
        };
        let agent = mood.thinks.and_then(Case::agent).filter(|_| self.names_agent[usize::from(felt.wants)]);
        let does = self.rules.tables.does(felt.wants, addressee);
        AtEnd { agent, is_clear, mood, since, expected_since, heard_from: None, felt, whom, addressee, does }
    }
}

/// What is announced of a prospect, in order.
fn announced(trace: &Trace, prospect: ProspectId) -> Vec<News> {
    let news = trace.deeds.iter().enumerate().filter_map(|(step, deed)| match &deed.act {
        Act::Turn(news) if news.item == Item::Prospect(prospect) => match news.value {
            Value::Case(case) => Some((step, case)),
            _ => None,
        },
        _ => None,
    });
    news.collect()
}

/// The announcements for which somebody is there, and who is with her at the end of each scenario, where people only go from
/// place to place, and announce.
fn witnessed(trace: &Trace, who: CharacterId, announced: &[News], ends: &[usize]) -> (Vec<News>, Company) {
    let mut places: Vec<PlaceId> = trace.start.clone();
    let (mut heard, mut company) = (Vec::new(), Company::default());
    let (mut announced, mut ends) = (announced.iter().peekable(), ends.iter().peekable());
    for (step, event) in trace.events.iter().enumerate() {
        if let Some(&news) = announced.next_if(|(at, _)| *at == step) {
            if places[who.index()] == event.from {
                heard.push(news);
            }
        } else {
            places[event.who.index()] = event.to;
        }
        if ends.next_if(|&&end| end == step + 1).is_some() {
            let is_here = |&other: &usize| other != who.index() && places[other] == places[who.index()];
            company.here.push((0..places.len()).filter(is_here).fold(0, |mask, other| mask | 1 << other));
            company.unclear.push(0);
        }
    }
    (heard, company)
}

/// The announcements that are heard in one of the lives of a story.
fn led(story: &Story, life: usize, lives: usize, turns: usize, announced: &[News]) -> Vec<News> {
    let hears = |(at, _): &(usize, &News)| story.lives[at / turns * lives + life] >> (at % turns) & 1 == 1;
    announced.iter().enumerate().filter(hears).map(|(_, news)| *news).collect()
}

/// The steps at which each character moves.
fn moves(trace: &Trace) -> Vec<Vec<u32>> {
    let mut moves = vec![Vec::new(); trace.start.len()];
    for (step, (event, deed)) in trace.events.iter().zip(&trace.deeds).enumerate() {
        Scene::movers(*event, &deed.act).for_each(|mover| moves[mover.index()].push(step as u32));
    }
    moves
}

fn pick(stream: &mut Stream, cases: &[Case]) -> Case {
    cases[below(stream, cases.len() as u32) as usize]
}

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

impl Heard {
    fn new(origin: Origin, news: &[News]) -> Self {
        Self { origin, steps: news.iter().map(|(step, _)| *step).collect() }
    }
}

impl Courses {
    /// Whether the lives are those of a story that is drawn by lives.
    pub fn are_by_lives(&self) -> bool {
        self.by_lives.is_some()
    }

    /// The number of lives of which choices are made. Those that are led in a story's twins are not among them.
    pub fn count(&self) -> usize {
        self.by_lives.unwrap_or(self.lives.len())
    }

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
            let before = if needs_past(state, question.kind) { end.expected_since } else { None };
            answered.caused_by.extend(before.into_iter().chain(end.since));
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
