//! Answers once more what news does to somebody: from the text of rows, the words of packs, and the lives that she might have led.
//!
//! A reader finds out from a row's context who starts where, who wants what, and by which rules people feel; and from its story who
//! goes where, and what is announced to whom. From that follow the states of the life that she leads. Of a story itself nothing
//! is used but the announcements that each of the lives hears: whatever else is said, a row has to say.
//!
//! Of chains of several minds, and of stories that are not drawn by lives, the definition of belief says what is held over time, and
//! who is taken to be with whom; all else is read as before.
//!
//! No code is shared with what answers such questions, or puts them into words.

mod chain;
mod choices;
mod context;
mod course;
mod rules;
mod rules_told;
mod telling;
mod words;

use std::collections::BTreeSet;

use super::Difference;
use super::row::Row;
use crate::form;
use crate::id::{CharacterId, ProspectId};
use crate::plan::{Lives, Plan, Question, Target};
use crate::simulate::Story;
use crate::world::Item;

use chain::Followed;
use choices::{Ask, Asked, Speech};
use context::{Known, places, start};
use course::{End, State};
use telling::{Ground, News, Told};
use words::{Case, Clauses};

/// How many choices there are at most, where lives do not say.
const CHOICES: usize = 5;

/// A field of a row, with what is written and what has to be.
pub type Compared = (&'static str, String, String);

/// What follows from the text of a story for one whose states are asked for.
#[derive(Debug)]
pub struct Reading<'p> {
    known: Known<'p>,
    /// The outer minds of the chain as which it is asked.
    as_seen_by: Vec<usize>,
    /// What becomes of her, and then of others who heard something else.
    lives: Vec<Vec<End>>,
    /// How many of them, at the end, she leads in the twins of the story.
    in_twins: usize,
    /// For each of these, the steps of the announcements that are heard in it, where a story is drawn by lives; else none.
    heard: Vec<Vec<usize>>,
    /// Whether the context tells the rules.
    is_told: bool,
    /// How many choices there are at most, where more lives can be offered than those.
    most: Option<usize>,
    /// How many scenarios can be asked about.
    clear: usize,
    all_heard: Vec<End>,
    /// For each scenario, its end if its last announcement had been heard.
    last_turn: Vec<End>,
    /// What is really so at the end of each scenario.
    truths: Vec<Option<Case>>,
    /// What is wrong with the story itself, though it can be read.
    amiss: Vec<Difference>,
}

/// What is wrong with a text.
fn wrong(field: &'static str, written: &str, derived: &str) -> Difference {
    Difference { field, written: written.to_owned(), derived: derived.to_owned() }
}

/// The prospect that a question asks about, if it asks what news does to somebody.
fn asked_of(question: &Question) -> Option<ProspectId> {
    match question.target {
        Target::Item(Item::Prospect(prospect)) if question.dynamic.is_some() => Some(prospect),
        Target::Item(_) | Target::Attitude(_) | Target::Matter(_) => None,
    }
}

/// Whether it is asked what news does to somebody.
pub fn is_read(question: &Question) -> bool {
    asked_of(question).is_some()
}

impl<'p> Reading<'p> {
    /// Reads a context and a story for a question, or says why they cannot be read. `None` if there is too much to reckon with in
    /// the minds along a chain.
    pub fn of(
        plan: &'p Plan,
        drawn: &Story,
        question: &Question,
        (context, story): (&str, &str),
    ) -> Result<Option<Self>, Difference> {
        let prospect = asked_of(question).expect("a question about scenarios");
        let who = question.others.last().expect("somebody's states").index();
        let known = Known::of(plan, drawn, context, who, prospect.index())?;
        let is_hers = |lives: &&Lives| question.others == [lives.whose] && lives.of == prospect;
        match plan.lives().filter(is_hers) {
            Some(lives) => Self::of_lives(plan, (drawn, lives), known, (context, story)).map(Some),
            None => Self::of_chain(plan, drawn, known, (&question.others, prospect)),
        }
    }

    /// Reads the story for the one whose lives are drawn.
    fn of_lives(
        plan: &'p Plan,
        (drawn, lives): (&Story, &Lives),
        known: Known<'p>,
        (context, story): (&str, &str),
    ) -> Result<Self, Difference> {
        let places = places(plan, context);
        let ground = Ground {
            people: &known.people,
            start: start(context, &known.people, &places)?,
            places,
            verbs: &plan.verbs,
            clauses: Clauses::new(known.words, &known.people),
            has_notes: !plan.notes.is_empty(),
            small_talk: plan.staging.as_ref().and_then(|staging| staging.small_talk.as_ref()?.small_talk()),
            asked_about: plan
                .questions
                .iter()
                .flat_map(|question| question.others.iter().map(|who| who.index()))
                .chain([lives.whose.index()])
                .collect(),
            tellers: vec![lives.by.index()],
        };
        let told = ground.read(story)?;
        let who = known.who;
        let with_her = |at: &Vec<usize>| at.iter().map(|place| Some(*place == at[who])).collect();
        let here: Vec<Vec<Option<bool>>> = told.ends.iter().map(with_her).collect();
        let person = known.person(&here);
        let news = || told.news.iter().enumerate();
        let hears = |number: usize| told.news[number].heard_by.contains(&who);
        let course = |hears: &dyn Fn(usize) -> bool| {
            person.course(news().filter(|(number, _)| hears(*number)).map(|(_, news)| news))
        };
        let mut amiss = of_lengths(plan, lives, &told);
        let all = drawn.lives.len() / plan.scenarios.expect("there are some").count;
        let in_twins = all.saturating_sub(lives.count());
        let masks = Masks { heard: &drawn.lives, lives: all, turns: lives.turns };
        let mut all = vec![course(&hears)?];
        if amiss.is_empty() {
            for life in 1..masks.lives {
                all.push(course(&|number| masks.hears(life, number))?);
            }
            if let Some((number, news)) = news().find(|(number, _)| masks.hears(0, *number) != hears(*number))
            {
                let said = |is: bool| if is { "heard" } else { "not heard" };
                let derived = format!("{} at step {}", said(hears(number)), news.step);
                amiss.push(wrong("the first life", said(masks.hears(0, number)), &derived));
            }
        }
        let steps = |hears: &dyn Fn(usize) -> bool| -> Vec<usize> {
            news().filter(|(number, _)| hears(*number)).map(|(_, news)| news.step).collect()
        };
        let might = (1..all.len()).map(|life| steps(&|number| masks.hears(life, number)));
        let heard = std::iter::once(steps(&hears)).chain(might).collect();
        let all_heard = course(&|_| true)?;
        let last_turn = (0..told.ends.len()).map(|scenario| {
            let last = told.news.iter().rposition(|news| news.scenario == scenario);
            let course = course(&|number| hears(number) || Some(number) == last)?;
            Ok(course[scenario].clone())
        });
        let last_turn = last_turn.collect::<Result<_, Difference>>()?;
        let truths = truths(&told.news, told.ends.len());
        let (clear, as_seen_by, is_told) = (told.ends.len(), Vec::new(), is_told(plan));
        let (lives, most) = (all, None);
        let mut reading = Self {
            known,
            as_seen_by,
            lives,
            in_twins,
            heard,
            is_told,
            most,
            clear,
            all_heard,
            last_turn,
            truths,
            amiss,
        };
        let alike = reading.alike();
        reading.amiss.extend(alike);
        Ok(reading)
    }

    /// Follows a chain of minds by the definition of belief. What it is about, and by which rules, the context says.
    fn of_chain(
        plan: &'p Plan,
        drawn: &Story,
        known: Known<'p>,
        (minds, prospect): (&[CharacterId], ProspectId),
    ) -> Result<Option<Self>, Difference> {
        let scenarios = plan.scenarios.expect("there are some");
        let (count, lengths) = (scenarios.count, [scenarios.count, scenarios.steps]);
        let Some(followed) = Followed::of(&drawn.trace, minds, prospect, lengths) else { return Ok(None) };
        let person = known.person(&followed.here);
        let announced = chain::announced(&drawn.trace, prospect, scenarios.steps);
        let mut lives = vec![person.course(followed.news.iter())?];
        let everyone = (0..plan.character_count).map(CharacterId::new);
        for other in everyone.filter(|other| other.index() != known.who) {
            let Some(heard) = Followed::of(&drawn.trace, &[other], prospect, lengths) else {
                return Ok(None);
            };
            lives.push(person.course(heard.news.iter())?);
        }
        let last_turn = (0..count).map(|scenario| {
            let last = announced.iter().rfind(|news| news.scenario == scenario);
            let is_new = |last: &&News| !followed.news.iter().any(|news| news.step == last.step);
            let mut news: Vec<&News> = followed.news.iter().chain(last.filter(is_new)).collect();
            news.sort_by_key(|news| news.step);
            Ok(person.course(news.into_iter())?[scenario].clone())
        });
        let last_turn = last_turn.collect::<Result<_, Difference>>()?;
        let all_heard = person.course(announced.iter())?;
        let as_seen_by = minds[..minds.len() - 1].iter().map(|mind| mind.index()).collect();
        let (clear, truths, amiss) = (followed.clear, truths(&announced, count), Vec::new());
        let (most, heard, is_told) = (Some(CHOICES), Vec::new(), is_told(plan));
        Ok(Some(Self {
            known,
            as_seen_by,
            lives,
            in_twins: 0,
            heard,
            is_told,
            most,
            clear,
            all_heard,
            last_turn,
            truths,
            amiss,
        }))
    }

    /// Whether a question has to have a row; `None` if that depends on courses that are drawn.
    pub fn has_row(&self, question: &Question) -> Option<bool> {
        let Some(asked) = asked(question).filter(|asked| asked.scenario < self.clear) else {
            return Some(false);
        };
        if self.is_open(asked) {
            return Some(false);
        }
        let speech = self.speech();
        if self.in_twins > 0 {
            return Some(self.of_twins(asked, &speech).len() == self.lives.len() - self.in_twins);
        }
        let answer = speech.choice(asked, &self.lives[0]);
        let is_told_apart = self.lives.iter().any(|life| speech.choice(asked, life) != answer);
        (is_told_apart || self.most.is_none()).then_some(true)
    }

    /// Whether it is open what she does, since it is open who is with her.
    fn is_open(&self, asked: Asked) -> bool {
        asked.state == State::Does && self.lives[0][asked.scenarios()].iter().any(|end| end.is_open)
    }

    /// What is wrong with the story itself, though it can be read.
    pub fn amiss(&self) -> &[Difference] {
        &self.amiss
    }

    fn speech(&self) -> Speech<'_> {
        let known = &self.known;
        Speech {
            people: &known.people,
            who: known.who,
            clauses: Clauses::new(known.words, &known.people),
            about: &known.about,
            as_seen_by: &self.as_seen_by,
        }
    }

    /// The first state that two lives share at the end of a scenario. That she leads in a twin what is another life of the story is
    /// no fault.
    fn alike(&self) -> Option<Difference> {
        let speech = self.speech();
        let lives = match self.in_twins {
            0 => &self.lives[..],
            in_twins => &self.lives[1..self.lives.len() - in_twins],
        };
        for scenario in 0..self.clear {
            for state in State::ALL {
                let mut states: Vec<String> =
                    lives.iter().map(|life| speech.state(state, &life[scenario])).collect();
                states.sort_unstable();
                if let Some(pair) = states.windows(2).find(|pair| pair[0] == pair[1]) {
                    let derived = format!("another {} in every life", state.word());
                    let written = format!("two lives with “{}” in scenario {}", pair[0], scenario + 1);
                    return Some(wrong("lives", &written, &derived));
                }
            }
        }
        None
    }

    /// The fields of a row whose values follow from the text, each with what is written and what has to be. `linked` finds the
    /// id of the row that asks for a state, or whether it changed.
    pub fn compared(
        &self,
        question: &Question,
        row: &Row<'_>,
        linked: impl Fn(&str, &str, usize) -> Option<String>,
    ) -> Vec<Compared> {
        let Some(asked) = asked(question) else {
            return vec![("kind", row.kind.to_string(), "one that asks of scenarios".to_owned())];
        };
        if asked.scenario >= self.clear || self.is_open(asked) {
            let why = if asked.scenario >= self.clear { "what she thinks" } else { "who is with her" };
            return vec![("answer", row.answer.to_string(), format!("not written: it is open {why}"))];
        }
        let speech = self.speech();
        let answer = speech.choice(asked, &self.lives[0]);
        let (truth, false_belief) = self.truth(asked, &speech);
        let labelled = row.choices.get(row.label).map_or("nothing", String::as_str);
        let links: Vec<String> = asked
            .rests_on()
            .into_iter()
            .filter_map(|(kind, state, scenario)| linked(kind, state.word(), scenario + 1))
            .collect();
        let caused_by = asked.caused_by(&self.lives[0]);
        let mut fields = vec![
            ("question", row.question.to_string(), speech.question(asked)),
            ("answer", row.answer.to_string(), answer.clone()),
            ("the labelled choice", labelled.to_owned(), answer),
            ("choices", sorted(row.choices.clone()), self.choices(asked, &speech, &row.choices)),
            ("truth", or_null(row.truth.clone()), or_null(truth)),
            ("false_belief", or_null(row.false_belief), or_null(false_belief)),
            ("mislead_distance", or_null(row.mislead_distance), or_null::<usize>(None)),
            ("scenario", or_null(row.scenario), (asked.scenario + 1).to_string()),
            ("state", or_null(row.state.clone()), asked.state.word().to_owned()),
            (
                "linked",
                listed(row.linked.as_deref()),
                listed(Some(&links).filter(|links| !links.is_empty()).map(Vec::as_slice)),
            ),
            ("caused_by", listed(row.caused_by.as_deref()), listed(Some(&caused_by))),
            ("rules", or_null(row.rules.clone()), if self.is_told { "told" } else { "untold" }.to_owned()),
            ("lower_order", or_null(row.foils.lower_order.clone()), or_null::<String>(None)),
        ];
        fields.extend(self.foils(asked, &speech, row));
        fields.extend(row.events.as_ref().map(|_| {
            let written =
                row.lives.as_ref().map(|lives| lives.iter().map(|life| in_brackets(life)).collect());
            ("lives", or_null::<String>(written), or_null(self.heard(asked, &speech, &row.choices)))
        }));
        fields
    }

    /// For each choice, the steps of the announcements that are heard in the life of which it tells.
    fn heard(&self, asked: Asked, speech: &Speech<'_>, choices: &[String]) -> Option<String> {
        let of = |choice: &String| {
            let life = self.lives.iter().position(|life| speech.choice(asked, life) == *choice);
            life.map_or_else(|| "none".to_owned(), |life| in_brackets(&self.heard[life]))
        };
        (!self.heard.is_empty()).then(|| choices.iter().map(of).collect())
    }

    /// What is really so, and whether she is wrong about it, where it is asked what she thinks.
    fn truth(&self, asked: Asked, speech: &Speech<'_>) -> (Option<String>, Option<bool>) {
        if asked.ask != Ask::State || asked.state != State::Thinks {
            return (None, None);
        }
        let is_so = self.truths[asked.scenario];
        let thinks = self.lives[0][asked.scenario].mood.thinks;
        (Some(speech.clauses.thought(is_so)), Some(thinks.is_some() && thinks != is_so))
    }

    /// What has to be offered, in alphabetical order: one choice for each life, all of them different. Where courses that are
    /// drawn fill up the choices, they can be anything else that is offered.
    fn choices(&self, asked: Asked, speech: &Speech<'_>, written: &[String]) -> String {
        if self.in_twins > 0 {
            return sorted(self.of_twins(asked, speech).into_iter().collect());
        }
        let all = self.lives.iter().map(|life| speech.choice(asked, life));
        let mut offered: Vec<String> = Vec::new();
        let mut twice = 0;
        for choice in all {
            let is_new = !offered.contains(&choice);
            twice += usize::from(!is_new);
            if is_new && self.most.is_none_or(|most| offered.len() < most) {
                offered.push(choice);
            }
        }
        match self.most {
            None if twice > 0 => format!("as many as lives, which make these alone: {}", sorted(offered)),
            None => sorted(offered),
            Some(most) => {
                let others = written.iter().filter(|choice| !offered.contains(choice));
                let others: Vec<String> = others.take(most - offered.len()).cloned().collect();
                offered.extend(others);
                offered.dedup();
                sorted(offered)
            }
        }
    }

    /// What a story and its twins offer: what the lives of the story say, and those that are led in the twins say nothing else. If they
    /// do, the question is not asked.
    fn of_twins(&self, asked: Asked, speech: &Speech<'_>) -> BTreeSet<String> {
        self.lives.iter().map(|life| speech.choice(asked, life)).collect()
    }

    /// The answers of shortcuts, where a state is asked for.
    fn foils(&self, asked: Asked, speech: &Speech<'_>, row: &Row<'_>) -> [Compared; 3] {
        let end = |end: Option<&End>| {
            let end = end.filter(|_| asked.ask == Ask::State);
            or_null(end.map(|end| speech.state(asked.state, end)))
        };
        let foils = &row.foils;
        let before = asked.scenario.checked_sub(1).map(|before| &self.lives[0][before]);
        [
            ("all_heard", or_null(foils.all_heard.clone()), end(self.all_heard.get(asked.scenario))),
            ("last_turn", or_null(foils.last_turn.clone()), end(self.last_turn.get(asked.scenario))),
            ("scenario_before", or_null(foils.scenario_before.clone()), end(before)),
        ]
    }
}

/// What a question asks, if it asks of scenarios.
fn asked(question: &Question) -> Option<Asked> {
    let dynamic = question.dynamic?;
    let state = match dynamic.state {
        form::State::Belief => State::Thinks,
        form::State::Emotion => State::Feels,
        form::State::Intention => State::Wants,
        form::State::Action => State::Does,
    };
    Some(Asked { ask: Ask::of_kind(question.kind.key())?, state, scenario: dynamic.scenario })
}

/// What was announced last before the end of each scenario.
fn truths(announced: &[News], count: usize) -> Vec<Option<Case>> {
    let last = |scenario| announced.iter().rfind(|news| news.scenario <= scenario).map(|news| news.case);
    (0..count).map(last).collect()
}

/// Which announcements each life hears, one bit each, scenario by scenario.
struct Masks<'s> {
    heard: &'s [u8],
    lives: usize,
    turns: usize,
}

impl Masks<'_> {
    fn hears(&self, life: usize, number: usize) -> bool {
        let (scenario, turn) = (number / self.turns, number % self.turns);
        self.heard.get(scenario * self.lives + life).is_some_and(|heard| heard >> turn & 1 == 1)
    }
}

/// What is wrong with the numbers of scenarios, of announcements, and of events.
fn of_lengths(plan: &Plan, lives: &Lives, told: &Told) -> Vec<Difference> {
    let scenarios = plan.scenarios.expect("there are some");
    let mut amiss = Vec::new();
    if told.lengths.len() != scenarios.count {
        amiss.push(wrong("scenarios", &told.lengths.len().to_string(), &scenarios.count.to_string()));
    }
    for (scenario, &length) in told.lengths.iter().enumerate() {
        let announced = told.news.iter().filter(|news| news.scenario == scenario).count();
        if (length, announced) != (scenarios.steps, lives.turns) {
            let said = |length, announced| {
                format!("{length} events and {announced} announcements in scenario {}", scenario + 1)
            };
            amiss.push(wrong("story", &said(length, announced), &said(scenarios.steps, lives.turns)));
        }
    }
    let is_others = |news: &&telling::News| CharacterId::new(news.teller) != lives.by;
    if let Some(news) = told.news.iter().find(is_others) {
        amiss.push(wrong(
            "story",
            &format!("announced by {} at step {}", news.teller, news.step),
            "the teller",
        ));
    }
    amiss
}

/// Whether a plan's contexts tell the rules by which people feel.
fn is_told(plan: &Plan) -> bool {
    plan.staging.as_ref().and_then(|staging| staging.rules.as_ref()).is_some_and(|rules| rules.is_told)
}

fn in_brackets(steps: &[usize]) -> String {
    format!("[{}]", listed(Some(steps)))
}

fn or_null<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn listed<T: ToString>(values: Option<&[T]>) -> String {
    or_null(values.map(|values| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        values.join(", ")
    }))
}

fn sorted(mut texts: Vec<String>) -> String {
    texts.sort_unstable();
    texts.join("; ")
}
