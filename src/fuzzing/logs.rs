//! Logs of events: whatever they contain, they are refused with an explanation or answered by the definition.

use super::is_drawable;
use crate::belief::nested::Mind;
use crate::belief::{Chain, DeedTracker};
use crate::id::{CharacterId, PropositionId};
use crate::log::{CHARACTERS_MAX, EventLog, Problems, Replayed, Switches, Told, read, replay};
use crate::trace::Trace;
use crate::world::Item;

/// The largest number of minds for which the definition is written out. The oracle keeps all of them.
const MINDS_MAX: usize = 1_000;

/// No text makes the reader of logs panic, hang, or explain itself badly: a line is either refused with diagnostics
/// that point into it, or every answer is what [`crate::belief::nested`] says.
///
/// # Panics
/// If this does not hold.
///
/// ```
/// storysim::fuzzing::log("{\"characters\": [");
/// ```
pub fn log(text: &str) {
    for line in text.lines() {
        let (told, problems) = read(line, Switches::default());
        assert!(told.is_some() || problems.has_error, "nothing is told, and nothing is wrong");
        let replayed = replay(line, Switches::default());
        are_explained(&replayed.problems, line);
        match told {
            None => assert!(replayed.rows.is_empty()),
            Some(Told::Events(log)) => is_answered_by_definition(&log, &replayed),
            Some(Told::Parts(log)) => is_tracked(&log.trace().0),
        }
    }
}

fn are_explained(problems: &Problems, text: &str) {
    for problem in problems.kept.iter().take(50) {
        is_drawable(problem, text);
        #[cfg(feature = "cli")]
        {
            use crate::render::{Line, Look, render_line};
            let drawn = render_line(
                problem,
                Line { name: "log", number: 1, text },
                Look { colour: false, width: 80 },
            );
            assert!(drawn.contains("error") || drawn.contains("warning"), "{drawn}");
            assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'), "{drawn:?}");
        }
    }
}

fn is_answered_by_definition(log: &EventLog, replayed: &Replayed) {
    let course = log.course();
    assert!(log.character_count() <= CHARACTERS_MAX);
    let memory = Trace { events: Vec::new(), deeds: Vec::new(), ..course.trace.clone() };
    for row in &replayed.rows {
        let question = log.questions.iter().find(|question| question.number == row.question);
        let question = question.expect("every row answers a question");
        let minds = u32::try_from(question.chain.len()).ok();
        let minds = minds.and_then(|order| log.character_count().checked_pow(order));
        if minds.is_none_or(|minds| minds > MINDS_MAX) || course.trace.events.len() > 300 {
            continue; // fine, but the oracle is slow
        }
        let trace = if row.kind == "memory" { &memory } else { &course.trace };
        let chain = Chain::new(&question.chain, question.about);
        let held = Mind::after_along(trace, &chain).held(chain.minds(), question.about);
        let held = held.expect("what is asked about exists");
        let answer = serde_json::to_value(&row.answer).expect("an answer is JSON");
        assert_eq!(answer.as_str(), log.reading(held), "{row:?}");
    }
}

/// Checks that both definitions agree on what anybody takes anybody to hold of what is said.
fn is_tracked(trace: &Trace) {
    let people = trace.start.len();
    if people > 6 || trace.events.len() > 300 {
        return;
    }
    for minds in (0..people * people).map(|at| [at / people, at % people].map(CharacterId::new)) {
        for at in 0..trace.stage.propositions.len() {
            let chain = Chain::new(&minds, Item::Proposition(PropositionId::new(at)));
            let mut tracker = DeedTracker::new(chain.clone());
            tracker.start(trace);
            for (&event, deed) in trace.events.iter().zip(&trace.deeds) {
                tracker.apply(event, deed);
            }
            assert_eq!(
                Some(tracker.held()),
                Mind::after_along(trace, &chain).held(chain.minds(), chain.target()),
                "{chain:?} in {trace:?}"
            );
        }
    }
}
