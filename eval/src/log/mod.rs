//! Logs of stories made elsewhere: what happened in them, and what is asked.
//!
//! A log is one JSON object a line. Either it has `events` (people come and go, and do things with objects:
//! [`EventLog`]) or `parts` of a conversation (who is present, and what is said there: [`PartsLog`]). Both become a
//! [`Trace`](crate::trace::Trace), and every answer follows from that by the definition of [belief](crate::belief).
//! `docs/logs.md` describes the format.
//!
//! Whatever cannot be is a problem, and is left out: an event, a question, the whole line. It is for the caller to
//! decide whether what remains is of use.

mod answer;
mod asked;
mod course;
mod events;
mod forms;
mod json;
mod listening;
mod parts;
mod question;
mod questions;
mod reader;
mod walks;

pub use answer::{Answer, Open, Row};
pub use course::Course;
pub use events::{CHARACTERS_MAX, Entry, EventLog, Happening};
pub use forms::Proposition;
pub use parts::{Conveyed, Part, PartsLog};
pub use question::{Question, QuestionKind};
pub use reader::{Names, Problems};

use crate::diagnostic::Diagnostic;

/// How a log has to be read, in points where published sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// What people who are left behind see.
    pub departures: Departures,
    /// Whether people see what is in containers, at the start and later on.
    pub containers_are_open: bool,
}

impl Default for Conventions {
    fn default() -> Self {
        Self { departures: Departures::default(), containers_are_open: true }
    }
}

/// What people who are left behind see when somebody goes from one room into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Departures {
    /// They see where she goes, and those in the other room see where she comes from.
    #[default]
    Destination,
    /// They see only that she goes, and those in the other room see only that she comes.
    Vanish,
}

impl Departures {
    /// The conventions, with their names.
    pub const WORDS: [(&'static str, Self); 2] =
        [("destination", Self::Destination), ("vanish", Self::Vanish)];
}

/// Conventions that replace those of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// What people who are left behind see.
    pub departures: Option<Departures>,
    /// Whether people see what is in containers.
    pub containers_are_open: Option<bool>,
}

/// A log in either of the two forms.
#[derive(Debug)]
pub enum Told {
    /// A log that has `events`.
    Events(Box<EventLog>),
    /// A log that has `parts`.
    Parts(Box<PartsLog>),
}

/// Reads one line: everything in it that can be read, and what is wrong with the rest. `None` if nothing is usable.
///
/// ```
/// use storysim::log::{Switches, read};
/// let (told, problems) = read(r#"{"id": 1, "characters": ["Ann"]}"#, Switches::default());
/// assert!(told.is_none() && problems.has_error);
/// ```
pub fn read(line: &str, switches: Switches) -> (Option<Told>, Problems) {
    let mut problems = Problems::default();
    let told = read_into(line, switches, &mut problems);
    (told, problems)
}

fn read_into(line: &str, switches: Switches, problems: &mut Problems) -> Option<Told> {
    const ID_BYTES_MAX: usize = 1_000;
    let node = json::parse(line).map_err(|problem| problems.push(*problem)).ok()?;
    let fields = problems.fields(node, "a log")?;
    let id = match fields.get("id") {
        Some(id) if id.written().len() > ID_BYTES_MAX => {
            let message = format!("an `id` has at most {ID_BYTES_MAX} bytes");
            problems.push(Diagnostic::error(message, id.span(), "this is longer"));
            return None;
        }
        Some(id) => id.written().to_owned(),
        None => "null".to_owned(),
    };
    match (fields.get("events"), fields.get("parts")) {
        (Some(_), Some(parts)) => {
            let problem =
                Diagnostic::error("a log has either `events` or `parts`", parts.span(), "it has both");
            problems.push(problem);
            None
        }
        (None, Some(_)) => PartsLog::read(&fields, id, problems).map(|log| Told::Parts(Box::new(log))),
        (None, None) => {
            problems.push(Diagnostic::error(
                "a log needs `events`, or `parts` if it is a conversation",
                fields.span(),
                "both are missing here",
            ));
            None
        }
        (Some(_), None) => {
            let mut log = EventLog::read(&fields, id, switches, problems)?;
            log.questions = questions::read(&fields, &log, problems);
            Some(Told::Events(Box::new(log)))
        }
    }
}

/// The result of replaying one line.
#[derive(Debug)]
pub struct Replayed {
    /// Every question with its answer, in the order of the line.
    pub rows: Vec<Row>,
    /// What is wrong with the line; the faulty parts are left out.
    pub problems: Problems,
}

/// Answers all questions of one line.
///
/// ```
/// use storysim::log::{Switches, replay};
/// let line = r#"{"id": "a", "characters": ["Ann", "Bob"], "locations": ["hall", "attic"],
///     "start": {"Ann": "hall", "Bob": "hall"}, "events": [
///         {"t": 0, "type": "enter", "who": "Ann", "place": "attic"}],
///     "questions": [{"kind": "belief", "chain": ["Bob"], "about": "Ann", "answer": "attic"}]}"#;
/// let replayed = replay(line, Switches::default());
/// assert_eq!(replayed.rows[0].agrees(), Some(true));
/// ```
pub fn replay(line: &str, switches: Switches) -> Replayed {
    let (told, mut problems) = read(line, switches);
    let rows = match told {
        None => Vec::new(),
        Some(Told::Events(log)) => {
            let mut course = log.course();
            problems.extend(std::mem::take(&mut course.problems));
            questions::answer(&log, &course, &mut problems)
        }
        Some(Told::Parts(log)) => log.answer(&mut problems),
    };
    Replayed { rows, problems }
}
