//! A story in a log of events: see [`crate::log`].

use super::account::{Account, SaidStart};
use crate::check::{ActInCheck, Deed, Item, Names};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::log::{Departures, EventLog};
use crate::prose::{Opening, Reader, Told};
use crate::trace::Trace;

/// Why a log contains something that no storyboard can ask for, and at which step.
pub type LogProblem = super::RowProblem;

/// The account of what a log says, in the names of the storyboard, which the reader knows. `trace` is the log's
/// [`course`](EventLog::course).
///
/// # Errors
/// If somebody is nowhere, or leaves for nowhere: in a storyboard everyone is always in a place.
///
/// ```
/// use storysim::{adherence::account_of_log, log::{Switches, Told, read}, prose::Reader, storyboard};
/// let line = r#"{"id": 1, "characters": ["Ann", "Bob"], "locations": ["hall", "attic"],
///     "start": {"Ann": "hall", "Bob": "hall"}, "events": [{"t": 0, "type": "enter", "who": "Bob", "place": "attic"}]}"#;
/// let (Some(Told::Events(log)), _) = read(line, Switches::default()) else { panic!("a log of events") };
/// let trace = log.course().trace;
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let account = account_of_log(&log, &trace, &Reader::new(&board, Vec::new())).unwrap();
/// assert_eq!(account.told[0].to, Some("attic"));
/// ```
pub fn account_of_log<'a>(
    log: &'a EventLog,
    trace: &'a Trace,
    reader: &Reader<'a>,
) -> Result<Account<'a>, LogProblem> {
    let problem = |step, what: String| LogProblem { step, what };
    if log.conventions.departures == Departures::Vanish {
        let what =
            "its `departures` are `vanish`, but in the stories of a storyboard people see where others go";
        return Err(problem(None, what.to_owned()));
    }
    let names = LogNames { log, reader };
    let mut start = Vec::new();
    for (at, &place) in trace.start.iter().enumerate() {
        let who = names.character(CharacterId::new(at));
        let nowhere = || {
            problem(
                None,
                format!(
                    "{who} is nowhere at the start, but the characters of a storyboard always are somewhere"
                ),
            )
        };
        start.push((who, names.known_place(place).ok_or_else(nowhere)?));
    }
    let mut told = Vec::new();
    for (step, event) in trace.events.iter().enumerate() {
        let who = names.character(event.who);
        let nowhere = || {
            problem(
                Some(step),
                format!(
                    "{who} is nowhere after this step, but the characters of a storyboard always are somewhere"
                ),
            )
        };
        let deed = trace.deeds.get(step).map_or_else(Deed::default, |deed| names.deed(deed));
        let from = names.known_place(event.from).ok_or_else(nowhere)?;
        let to = names.known_place(event.to).ok_or_else(nowhere)?;
        let to = deed.act.goes().then_some(to);
        told.push(Told { span: Default::default(), who, at: Some(from), to, deed, statements: Vec::new() });
    }
    let objects = trace
        .stage
        .objects
        .iter()
        .enumerate()
        .map(|(at, object)| (names.object(ObjectId::new(at)), names.value(object.value)));
    let opening = Opening { objects: objects.collect(), ..Opening::default() };
    Ok(Account { start: SaidStart::Each(start), opening, told, ..Account::default() })
}

/// The names that the numbers of a log stand for, as the storyboard writes them if it has them.
struct LogNames<'a, 'r> {
    log: &'a EventLog,
    reader: &'r Reader<'a>,
}

impl<'a> LogNames<'a, '_> {
    /// The name of a place; `None` for nowhere.
    fn known_place(&self, place: PlaceId) -> Option<&'a str> {
        self.log.place(place).map(|name| self.reader.place_called(name).unwrap_or(name))
    }
}

impl<'a> Names<'a> for LogNames<'a, '_> {
    fn character(&self, who: CharacterId) -> &'a str {
        let name = self.log.character(who);
        self.reader.person_called(name).unwrap_or(name)
    }

    fn place(&self, place: PlaceId) -> &'a str {
        self.known_place(place).unwrap_or_default()
    }

    fn container(&self, container: ContainerId) -> &'a str {
        let name = self.log.container(container);
        self.reader.container_called(name).unwrap_or(name)
    }

    fn object(&self, object: ObjectId) -> &'a str {
        let name = self.log.object(object);
        self.reader.object_called(name).unwrap_or(name)
    }

    /// Nor do they have prospects.
    fn prospect(&self, _: ProspectId) -> &'a str {
        ""
    }

    /// Logs of events have no propositions, so no storyboard knows this name.
    fn proposition(&self, _: PropositionId) -> Item<'a> {
        Item::Proposition("")
    }
}
