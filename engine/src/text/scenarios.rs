//! A story in scenarios, in few words and for people to look at: who was where, what was announced, and what became of those who
//! are asked about, in the life that they lead and in others.

use std::ops::Range;

use super::{Display, Lexicon, Words, movers};
use crate::form::State;
use crate::id::{CharacterId, PlaceId, ProspectId};
use crate::plan::Question;
use crate::question::{Answer, AtEnd, Courses, Origin, Shown, Subject, shown};
use crate::simulate::Story;
use crate::world::{Act, Case, Hearers, How, Item, Side, Telling, Value};

/// A story in scenarios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenariosInWords {
    /// What matters in it.
    pub prospects: Vec<ProspectInWords>,
    /// The scenarios, in order.
    pub scenarios: Vec<ScenarioInWords>,
    /// Everybody, in an order that tells nothing about roles.
    pub people: Vec<PersonInWords>,
    /// The names of the places.
    pub places: Vec<String>,
    /// What becomes of those who are asked about.
    pub fates: Vec<FateInWords>,
}

/// A prospect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectInWords {
    /// The name in the storyboard.
    pub name: String,
    /// What it is about: "what becomes of the pool".
    pub about: String,
    /// For each of its two sides, what somebody wants who wants it: "the pool to stay open".
    pub sides: [String; 2],
    /// Who wants each.
    pub wanted_by: [Vec<CharacterId>; 2],
}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioInWords {
    /// Its heading: "Scenario 2, the next day".
    pub heading: String,
    /// Its steps.
    pub steps: Range<usize>,
    /// What is announced in it, or told.
    pub news: Vec<NewsInWords>,
}

/// A piece of news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsInWords {
    /// The step at which it is announced, or told.
    pub step: usize,
    /// Who says it.
    pub by: CharacterId,
    /// Whether it is announced, and so is true.
    pub is_announced: bool,
    /// The number of the prospect that it is about.
    pub prospect: usize,
    /// How that is said to stand: "side 2, settled by Ann, final".
    pub case: String,
    /// Who hears it.
    pub heard_by: Vec<CharacterId>,
}

/// Somebody, and where she is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonInWords {
    /// Who she is.
    pub who: CharacterId,
    /// Her name.
    pub name: String,
    /// Her role, if she has one.
    pub role: Option<String>,
    /// Where she is from step to step, without a gap.
    pub stays: Vec<Stay>,
}

/// A stay of somebody in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The steps before which she is there.
    pub steps: Range<usize>,
    /// The place.
    pub place: PlaceId,
}

/// What becomes of somebody, as a chain of minds has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateInWords {
    /// The minds; the last one's states are asked for.
    pub minds: Vec<CharacterId>,
    /// The number of the prospect.
    pub prospect: usize,
    /// Whether the story is drawn by lives, and these are hers.
    pub is_by_lives: bool,
    /// The life that she leads, and the others of which something else is said.
    pub lives: Vec<LifeInWords>,
}

/// A life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifeInWords {
    /// Whose news makes it.
    pub origin: Origin,
    /// What is so at the end of each scenario.
    pub ends: Vec<EndInWords>,
}

/// What is so of somebody at the end of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndInWords {
    /// The steps of the news that she has heard in the scenario.
    pub heard: Vec<usize>,
    /// What she thinks, feels, wants and does; `None` of what is unclear.
    pub states: [Option<String>; 4],
    /// Which side she had expected before: "side 1".
    pub expected: Option<String>,
    /// Whether she thinks something that is not so.
    pub is_false: bool,
}

impl LifeInWords {
    /// Whether the same is said of both, whatever was heard.
    fn is_like(&self, other: &Self) -> bool {
        let is_like = |(one, other): (&EndInWords, &EndInWords)| {
            (&one.states, &one.expected) == (&other.states, &other.expected)
        };
        self.ends.iter().zip(&other.ends).all(is_like)
    }
}

impl Lexicon<'_> {
    /// A story in scenarios in few words; `None` if it has none of which somebody is asked.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard::{self, BUILT_IN}, text::{Lexicon, Words}};
    /// let board = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap();
    /// let board = storyboard::parse(board.source()).unwrap();
    /// let plan = compile(&board, &[("n".into(), 2)]).unwrap().plan;
    /// let (mut story, mut words) = (Story::default(), Words::default());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// let shown = lexicon.scenarios(&story, &words).unwrap();
    /// assert_eq!((shown.scenarios.len(), shown.scenarios[1].news.len(), shown.fates[0].lives.len()), (2, 4, 5));
    /// ```
    pub fn scenarios(&self, story: &Story, words: &Words) -> Option<ScenariosInWords> {
        let (scenarios, news) = (self.plan.scenarios?, self.news.as_ref()?);
        if news.courses.is_empty() {
            return None;
        }
        let all = (0..scenarios.count).map(|number| number * scenarios.steps..(number + 1) * scenarios.steps);
        let scenario = |steps: Range<usize>| ScenarioInWords {
            heading: self
                .headings(words, steps.start)
                .first()
                .map_or("", |heading| heading.trim_end_matches('.'))
                .to_owned(),
            news: self.news_in(story, words, &steps),
            steps,
        };
        let fates = news.courses.iter().zip(&words.news.courses);
        Some(ScenariosInWords {
            prospects: self.prospects_in_words(story, words),
            scenarios: all.map(scenario).collect(),
            people: self.people_in_words(story, words),
            places: self.plan.map.places().map(|place| self.place_in(words, place).to_owned()).collect(),
            fates: fates
                .map(|(plan, courses)| self.fate(story, words, plan.subject(), courses, scenarios.steps))
                .collect(),
        })
    }

    /// For each choice of a question, the steps of the news that is heard in the life of which it tells; `None` if its choices
    /// are not made by lives.
    pub fn heard_in<'w>(
        &self,
        words: &'w Words,
        question: &Question,
        choices: &[Answer],
    ) -> Option<Vec<&'w [usize]>> {
        Subject::of(question)?;
        self.courses(words, question).heard_in(question, choices)
    }

    fn prospects_in_words(&self, story: &Story, words: &Words) -> Vec<ProspectInWords> {
        let staging = self.plan.staging.as_ref().expect("prospects are staged");
        let wishes = &story.trace.stage.wishes;
        let prospect = |number: usize| {
            let id = ProspectId::new(number);
            let known = self.prospect(words, id);
            let wanted = |side: Side| {
                let is_it = wishes.iter().filter(|wish| wish.of == id && wish.side == side);
                self.sorted(story, words, &is_it.map(|wish| wish.who).collect::<Vec<_>>())
            };
            ProspectInWords {
                name: staging.prospects[number].name.clone(),
                about: known.about.clone(),
                sides: known.goals.clone(),
                wanted_by: Side::ALL.map(wanted),
            }
        };
        (0..staging.prospects.len()).map(prospect).collect()
    }

    /// What is announced in some steps, or told.
    fn news_in(&self, story: &Story, words: &Words, steps: &Range<usize>) -> Vec<NewsInWords> {
        let mut news = Vec::new();
        for witnessed in story.trace.unfold().take(steps.end).skip(steps.start) {
            let (Act::Turn(telling) | Act::Tell(telling)) = &witnessed.deed.act else { continue };
            let Telling { item: Item::Prospect(prospect), value: Value::Case(case), hearers, .. } = telling
            else {
                continue;
            };
            let by = witnessed.event.who;
            let hearers = match hearers {
                Hearers::Present => &witnessed.witnesses,
                Hearers::Named(hearers) | Hearers::Afar(hearers) => hearers,
            };
            let others: Vec<CharacterId> = hearers.iter().copied().filter(|&who| who != by).collect();
            news.push(NewsInWords {
                step: witnessed.step,
                by,
                is_announced: matches!(witnessed.deed.act, Act::Turn(_)),
                prospect: prospect.index(),
                case: self.case_in_short(story, words, *case),
                heard_by: self.sorted(story, words, &others),
            });
        }
        news
    }

    fn people_in_words(&self, story: &Story, words: &Words) -> Vec<PersonInWords> {
        let trace = &story.trace;
        let person = |who: CharacterId| {
            let mut stays = vec![Stay { steps: 0..trace.events.len(), place: trace.start[who.index()] }];
            for (step, event) in trace.events.iter().enumerate() {
                if movers(story, step).any(|mover| mover == who) {
                    stays.last_mut().expect("one at least").steps.end = step;
                    stays.push(Stay { steps: step..trace.events.len(), place: event.to });
                }
            }
            PersonInWords {
                who,
                name: self.name(story, words, Display::People, who).to_owned(),
                role: self.plan.role_names.get(who.index()).cloned(),
                stays,
            }
        };
        self.in_order(story, words, Display::People).into_iter().map(person).collect()
    }

    /// What becomes of somebody.
    fn fate(
        &self,
        story: &Story,
        words: &Words,
        subject: &Subject,
        courses: &Courses,
        steps: usize,
    ) -> FateInWords {
        let end = |(scenario, end): (usize, &AtEnd), heard: &[usize], is_clear: bool| {
            let within = scenario * steps..(scenario + 1) * steps;
            let state = |state: State| {
                let is_clear = is_clear && (state != State::Action || end.is_clear);
                is_clear.then(|| self.state_in_short(story, words, shown(end, state, subject.prospect)))
            };
            EndInWords {
                heard: heard.iter().copied().filter(|step| within.contains(step)).collect(),
                states: [State::Belief, State::Emotion, State::Intention, State::Action].map(state),
                expected: end.mood.expected.map(|side| side_in_short(side).to_owned()),
                is_false: end.mood.thinks.is_some() && end.mood.thinks != courses.truths[scenario],
            }
        };
        let life = |(number, course): (usize, &Vec<AtEnd>)| {
            let heard = &courses.heard[number];
            // What others came to think is clear even where it is not what the chain has of her.
            let is_clear = |scenario: usize| number > 0 || scenario < courses.clear;
            let ends = course.iter().enumerate().map(|at| end(at, &heard.steps, is_clear(at.0))).collect();
            LifeInWords { origin: heard.origin, ends }
        };
        let mut lives: Vec<LifeInWords> = Vec::new();
        for life in courses.lives.iter().take(courses.count()).enumerate().map(life) {
            if !lives.iter().any(|other| other.is_like(&life)) {
                lives.push(life);
            }
        }
        FateInWords {
            minds: subject.minds.clone(),
            prospect: subject.prospect.index(),
            is_by_lives: courses.are_by_lives(),
            lives,
        }
    }

    fn state_in_short(&self, story: &Story, words: &Words, state: Shown) -> String {
        match state {
            Shown::Belief(_, None) => "nothing".to_owned(),
            Shown::Belief(_, Some(case)) => self.case_in_short(story, words, case),
            state => {
                let mut text = String::new();
                self.shown_state(story, words, state, &mut text);
                text
            }
        }
    }

    /// How a prospect stands, in short: "side 2, settled by Ann, final".
    fn case_in_short(&self, story: &Story, words: &Words, case: Case) -> String {
        let how = match case.how() {
            How::Likely => "likely".to_owned(),
            How::ByNobody => "settled by nobody".to_owned(),
            How::By(who) => format!("settled by {}", self.name(story, words, Display::People, who)),
        };
        let last = if case.is_final() { "final" } else { "open" };
        format!("{}, {how}, {last}", side_in_short(case.side()))
    }
}

const fn side_in_short(side: Side) -> &'static str {
    match side {
        Side::First => "side 1",
        Side::Second => "side 2",
    }
}
