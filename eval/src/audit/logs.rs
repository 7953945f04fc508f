//! The questions of logs (`docs/logs.md`) as cases, with every event as a plain sentence.
//!
//! The choices are all locations, or all containers if the question is about an object; in a conversation, the options.

use std::collections::BTreeMap;

use serde_json::Value;

use super::case::{self, Case, Group};
use super::foreign::plain;
use super::itinerary::Itinerary;
use crate::belief::{Chain, DeedTracker};
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use crate::log::{EventLog, Happening, Problems, Question, QuestionKind, Switches, Told, read};
use crate::trace::Trace;
use crate::world::Item;

/// The most that the lower-order foils of one log may cost, in events times values in minds; further questions have none.
const COST_MAX: usize = 500_000_000;

/// The cost of an event apart from its values, as a number of values.
const EVENT_COST: usize = 40;

/// The most steps that reading the cases of one log may take.
const STEPS_MAX: usize = 20_000_000;

/// Passes the questions of a log line that have an answer among their choices to `take`, one by one. Returns how many have
/// none, and the problems of the line.
///
/// ```
/// let line = r#"{"id": 1, "characters": ["Ann", "Bob"], "locations": ["hall", "attic"],
///     "start": {"Ann": "hall", "Bob": "hall"}, "events": [{"t": 0, "type": "enter", "who": "Ann", "place": "attic"}],
///     "questions": [{"kind": "belief", "chain": ["Bob"], "about": "Ann", "answer": "attic"}]}"#;
/// let mut stories = Vec::new();
/// let (left_out, problems) = storysim::audit::of_log(line, "mine", &mut |case| stories.push((case.story, case.label)));
/// assert_eq!(stories, [("Ann enters attic.".to_owned(), 1)]);
/// assert!(left_out == 0 && !problems.has_error);
/// ```
pub fn of_log(line: &str, board: &str, take: &mut dyn FnMut(Case)) -> (usize, Problems) {
    let (told, mut problems) = read(line, Switches::default());
    let mut taken = 0;
    let mut take = |case: Case| {
        taken += 1;
        take(case);
    };
    let asked = match told {
        None => 0,
        Some(Told::Events(log)) => {
            let mut course = log.course();
            problems.extend(std::mem::take(&mut course.problems));
            let (events, questions) = (log.events.len(), log.questions.len());
            if events.saturating_mul(questions) > STEPS_MAX {
                let remark = format!("{} about {}", counted(questions, "question"), counted(events, "event"));
                let problem = Diagnostic::error("this log is too long to audit", Span::new(0, 0), remark);
                problems.push(problem.help(format!("questions times events may be {STEPS_MAX} at most")));
            } else {
                of_events(&log, &course.trace, board, &mut take);
            }
            questions
        }
        Some(Told::Parts(_)) => of_parts(line, board, &mut take),
    };
    (asked - taken, problems)
}

fn of_events(log: &EventLog, trace: &Trace, board: &str, take: &mut dyn FnMut(Case)) {
    let story: Vec<String> = log.events.iter().map(|entry| sentence(log, &entry.what)).collect();
    let story = story.join(" ");
    let told = itinerary(log);
    let containers: Vec<String> =
        (0..log.rooms.len()).map(|at| log.container(ContainerId::new(at)).to_owned()).collect();
    let names: Vec<String> =
        (0..log.character_count()).map(|at| log.character(CharacterId::new(at)).to_owned()).collect();
    let mut budget = COST_MAX;
    let case = |question: &Question| {
        let published: Value = serde_json::from_str(question.published.as_ref()?.get()).ok()?;
        let (about, choices) = match question.about {
            Item::Object(object) => (log.object(object), &containers[..]),
            about => (log.character(about.character()?), log.locations()),
        };
        let label = choices.iter().position(|choice| Some(choice.as_str()) == published.as_str())?;
        case::check(choices, label).ok()?;
        let chain: Vec<String> = question.chain.iter().map(|&who| log.character(who).to_owned()).collect();
        let kind = match question.kind {
            QuestionKind::Belief => "belief",
            QuestionKind::Reality => "reality",
            QuestionKind::Memory => "memory",
        };
        let minds: String = chain.iter().map(|name| format!("{name} thinks ")).collect();
        let lower = lower_order(log, trace, question, &mut budget).map(str::to_owned);
        Some(Case {
            group: Group {
                board: board.to_owned(),
                question: None,
                kind: kind.to_owned(),
                order: chain.len(),
            },
            story: story.clone(),
            question: format!("Where {minds}is {about}?"),
            choices: choices.to_vec(),
            label,
            company: chain,
            about: about.to_owned(),
            names: names.clone(),
            itinerary: Some(told.clone()),
            foils: BTreeMap::from([("lower_order".to_owned(), lower)]),
            ..Case::default()
        })
    };
    log.questions.iter().filter_map(case).for_each(take);
}

/// The answer of the chain without its outermost mind, as long as the budget allows to find it.
fn lower_order<'l>(
    log: &'l EventLog,
    trace: &Trace,
    question: &Question,
    budget: &mut usize,
) -> Option<&'l str> {
    let chain = Chain::new(question.chain.get(1..)?, question.about);
    let values = trace.stage.items(trace.start.len()).count().saturating_mul(chain.order() + 1);
    let cost = values.saturating_add(EVENT_COST).saturating_mul(trace.events.len() + 1);
    *budget = budget.checked_sub(cost)?;
    let mut tracker = DeedTracker::new(chain);
    tracker.start(trace);
    for (&event, deed) in trace.events.iter().zip(&trace.deeds) {
        tracker.apply(event, deed);
    }
    log.reading(tracker.held())
}

/// Who goes where, and which object is put where.
fn itinerary(log: &EventLog) -> Itinerary {
    let mut told = Itinerary::default();
    let place = |told: &mut Itinerary, place: PlaceId| log.place(place).map(|place| told.add_place(place));
    for (at, start) in log.start.iter().enumerate() {
        let who = told.add_name(log.character(CharacterId::new(at)));
        if let Some(place) = start.and_then(|start| place(&mut told, start)) {
            told.begin(who, place);
        }
    }
    for (at, &room) in log.rooms.iter().enumerate() {
        let container = told.add_place(log.container(ContainerId::new(at)));
        if let Some(room) = place(&mut told, room) {
            told.stand(container, room);
        }
    }
    for (at, &container) in log.first_containers.iter().enumerate() {
        let object = told.add_name(log.object(ObjectId::new(at)));
        let container = told.add_place(log.container(container));
        told.begin(object, container);
    }
    for (step, entry) in log.events.iter().enumerate() {
        match &entry.what {
            Happening::Enter { who, place: to } => {
                let to = place(&mut told, *to);
                for who in who {
                    let who = told.add_name(log.character(who.value));
                    told.go(step, who, to);
                }
            }
            Happening::Leave { who, .. } => {
                let who = told.add_name(log.character(who.value));
                told.go(step, who, None);
            }
            Happening::MoveObject { object, to, .. } => {
                let object = told.add_name(log.object(object.value));
                let to = told.add_place(log.container(to.value));
                told.go(step, object, Some(to));
            }
            Happening::State { .. } | Happening::Tell { .. } | Happening::Nothing => {}
        }
    }
    told.steps = log.events.len();
    told
}

fn sentence(log: &EventLog, what: &Happening) -> String {
    let name = |who: CharacterId| log.character(who);
    match what {
        Happening::Enter { who, place } => {
            let who: Vec<&str> = who.iter().map(|who| name(who.value)).collect();
            format!("{} enters {}.", who.join(" and "), log.place(*place).unwrap_or_default())
        }
        Happening::Leave { who, place } => {
            format!("{} leaves {}.", name(who.value), log.place(place.value).unwrap_or_default())
        }
        Happening::State { object, container, .. } => {
            format!("{} is in {}.", log.object(object.value), log.container(container.value))
        }
        Happening::MoveObject { who, object, to } => {
            let (object, to) = (log.object(object.value), log.container(to.value));
            format!("{} moves {object} to {to}.", name(who.value))
        }
        Happening::Tell { speaker, object, container, .. } => {
            let (object, container) = (log.object(*object), log.container(*container));
            format!("{} says that {object} is in {container}.", name(speaker.value))
        }
        Happening::Nothing => "Nothing happens.".to_owned(),
    }
}

/// Passes the questions of a conversation whose answer is among their options to `take`. Returns the number of questions.
fn of_parts(line: &str, board: &str, take: &mut dyn FnMut(Case)) -> usize {
    let log: Value = serde_json::from_str(line).unwrap_or_default();
    let questions = log["questions"].as_array().map_or(&[][..], Vec::as_slice);
    let case = |question: &Value| {
        let options = question["options"].as_array()?;
        let label = options.iter().position(|option| *option == question["answer"])?;
        let choices: Vec<String> = options.iter().map(plain).collect();
        case::check(&choices, label).ok()?;
        let [kind, about] = ["type", "about"].map(|key| plain(&question[key]));
        let chain: Vec<String> =
            question["asker_chain"].as_array().into_iter().flatten().map(plain).collect();
        Some(Case {
            group: Group { board: board.to_owned(), question: None, kind: kind.clone(), order: chain.len() },
            unit: Some(log["id"].to_string()),
            question: format!("{kind} {} {about}", chain.join(" ")),
            choices,
            label,
            company: chain,
            about,
            ..Case::default()
        })
    };
    questions.iter().filter_map(case).for_each(take);
    questions.len()
}
