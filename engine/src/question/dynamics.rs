//! What news does to somebody, scenario after scenario: her states, and those that she would have had in other lives.
//!
//! A *course* is what becomes of somebody by the rules of [`crate::appraisal`]: for each scenario her mood at its end, and the
//! four states that follow. Questions offer one choice for each of several courses, all by the same formula; the right one is
//! that of the first. Where stories are drawn by lives, the others are those of the lives that might have been led. Elsewhere
//! they are what became of the chain if it had heard what each other character did, as far as that makes a difference, and
//! then of announcements drawn anew.

use rand::Rng;

use crate::appraisal::{Felt, Mood};
use crate::belief::{Chain, DeedTracker, Held};
use crate::form::{Addressee, Toward};
use crate::id::{CharacterId, PlaceId, ProspectId};
use crate::pack::{Intention, Slot};
use crate::plan::{Lives, Plan, PlannedProspect, PlannedRules, Question, Scenarios, Target};
use crate::resolve::cases;
use crate::rng::{Purpose, Stream, StreamKey, below};
use crate::simulate::Story;
use crate::trace::Trace;
use crate::world::{Act, Case, How, Item, Scene, Side, Value};

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
    /// The step of the news on which she gave that up, if she has come to think the same again: without it she would not have
    /// changed her mind.
    pub given_up_since: Option<usize>,
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
    pub(super) by_lives: Option<usize>,
    /// How many scenarios can be asked about: up to the one at whose end it is unclear what the chain holds.
    pub clear: usize,
    /// What is really so at the end of each scenario.
    pub truths: Vec<Option<Case>>,
    /// What becomes of somebody who hears all news.
    pub(super) all_heard: Course,
    /// For each scenario, its end if its last news had been heard.
    pub(super) last_heard: Course,
    /// The steps at which each character moves.
    pub(super) moves: Vec<Vec<u32>>,
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
        let (mut mood, mut since, mut expected) = (Mood::default(), None, None);
        let mut news = news.iter().peekable();
        let mut course = Course::with_capacity(ends.len());
        for (scenario, &end) in ends.iter().enumerate() {
            while let Some(&(step, case)) = news.next_if(|(step, _)| *step < end) {
                let next = mood.on(case);
                if next == mood {
                    continue;
                }
                if mood.thinks.is_some_and(|held| held.how() == How::Likely) {
                    expected = Some((mood.thinks, since, step));
                }
                (mood, since) = (next, Some(step));
            }
            let end = self.at_end(mood, wish, (company, scenario));
            let expected_since = expected.and_then(|(_, since, _)| since);
            let given_up = expected.filter(|(expected, ..)| *expected == mood.thinks);
            let given_up_since = given_up.map(|(.., step)| step);
            course.push(AtEnd { since, expected_since, given_up_since, ..end });
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
            course.push(self.at_end(also, wish, (company, scenario)));
        }
        course
    }

    /// The end of a scenario for somebody in this mood, whatever it came from.
    fn at_end(&self, mood: Mood, wish: Side, (company, scenario): (&Company, usize)) -> AtEnd {
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
        AtEnd {
            mood,
            since: None,
            expected_since: None,
            given_up_since: None,
            heard_from: None,
            felt,
            whom,
            agent,
            addressee,
            is_clear,
            does,
        }
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
}
