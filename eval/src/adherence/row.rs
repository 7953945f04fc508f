//! A story in a row of a data set: see [`crate::dataset`].

use serde_json::Value as Json;

use super::account::{Account, SaidStart};
use crate::check::{Act, Around, Deed, Hearers, Item, Part, Telling, Value};
use crate::diagnostic::counted;
use crate::form::{ActForm, ActKind, Sort};
use crate::prose::{Reader, Told};
use crate::spelling::{at_start, shown};
use crate::storyboard::{QuestionKind, Storyboard, Style};

/// What a row says about its story.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The id of the row.
    pub id: Option<String>,
    /// The parameters and their values.
    pub parameters: Vec<(String, i64)>,
    /// What roles and binds stand for.
    pub cast: Vec<(String, String)>,
    start: Start,
    context: String,
    /// The wording in which the story is told, and the model that worded it again.
    wording: Option<String>,
    worded_by: Option<String>,
    story: Option<String>,
    events: Option<Vec<Json>>,
    is_of_things: bool,
    /// The first and the last step of the storyboard's own part, if others go about around it.
    own_steps: Option<[usize; 2]>,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Start {
    #[default]
    Nothing,
    Everyone(String),
    Each(Vec<(String, String)>),
}

/// Why a row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The step that is at fault, if it is a single one.
    pub step: Option<usize>,
    /// The reason in words.
    pub what: String,
}

fn problem(step: Option<usize>, what: impl Into<String>) -> RowProblem {
    RowProblem { step, what: what.into() }
}

/// The largest number of names that are drawn for a story: no setting has more, and they are looked for at every word.
const DRAWN_MAX: usize = 1_000;

/// Where names are drawn for each story, each as its readers see it, and the storyboard's own as readers would see it; within sentences and
/// where one begins, the longest first.
fn drawn_names(row: &Json) -> Vec<(String, String)> {
    let pairs = row["names"].as_array().into_iter().flatten();
    let pair = |pair: &Json| Some((pair[0].as_str()?.to_owned(), shown(pair[1].as_str()?).into_owned()));
    let is_drawn = |(drawn, name): &(String, String)| !drawn.is_empty() && drawn != name;
    let within: Vec<(String, String)> = pairs.filter_map(pair).filter(is_drawn).take(DRAWN_MAX).collect();
    let first =
        within.iter().map(|(drawn, name)| (at_start(drawn).into_owned(), at_start(name).into_owned()));
    let mut drawn: Vec<(String, String)> = first.chain(within.iter().cloned()).collect();
    drawn.sort_by_key(|(drawn, _)| std::cmp::Reverse(drawn.len()));
    drawn
}

/// A text with the names that the storyboard has in place of those that are drawn, in one pass.
fn as_written(text: &str, drawn: &[(String, String)]) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (mut told, mut rest, mut before) = (String::new(), text, None);
    while let Some(next) = rest.chars().next() {
        let named = drawn.iter().filter(|_| !is_letter(before)).find_map(|(drawn, name)| {
            let after = rest.strip_prefix(drawn.as_str())?;
            (!is_letter(after.chars().next())).then_some((name, after))
        });
        match named {
            Some((name, after)) => {
                told.push_str(name);
                (rest, before) = (after, name.chars().next_back());
            }
            None => {
                told.push(next);
                (rest, before) = (&rest[next.len_utf8()..], Some(next));
            }
        }
    }
    told
}

/// The first and the last step of the storyboard's own part, if a row has them.
fn own_steps_of(row: &Json, wrong: &mut Vec<String>) -> Option<[usize; 2]> {
    if row["own_steps"].is_null() {
        return None;
    }
    let steps = serde_json::from_value::<[usize; 2]>(row["own_steps"].clone()).ok();
    let steps = steps.filter(|[first, last]| first <= last);
    if steps.is_none() {
        wrong.push("`own_steps` should be two numbers, the smaller first".to_owned());
    }
    steps
}

impl Row {
    /// Reads a row.
    ///
    /// # Errors
    /// The fields that are missing or wrong.
    ///
    /// ```
    /// use storysim::adherence::Row;
    /// let row = serde_json::json!({"story": "Ann enters a.", "cast": {"S1": "Ann"}, "params": {"d": 3}});
    /// assert_eq!(Row::new(&row).unwrap().parameters, [("d".to_owned(), 3)]);
    /// assert!(Row::new(&serde_json::json!({"story": 7})).is_err());
    /// ```
    pub fn new(row: &Json) -> Result<Self, RowProblem> {
        let mut wrong = Vec::new();
        let mut text = |field: &str| match &row[field] {
            Json::String(text) => Some(text.clone()),
            Json::Null => None,
            _ => {
                wrong.push(format!("`{field}` should be text"));
                None
            }
        };
        let (id, story, context, kind) = (text("id"), text("story"), text("context"), text("kind"));
        let (wording, worded_by) = (text("wording"), text("worded_by"));
        let mut pairs = |field: &str| match &row[field] {
            Json::Object(pairs) => {
                let pair = |(name, value): (&String, &Json)| Some((name.clone(), value.as_str()?.to_owned()));
                let read: Option<Vec<(String, String)>> = pairs.iter().map(pair).collect();
                read.unwrap_or_else(|| {
                    wrong.push(format!("`{field}` should map names to names"));
                    Vec::new()
                })
            }
            Json::Null => Vec::new(),
            _ => {
                wrong.push(format!("`{field}` should map names to names"));
                Vec::new()
            }
        };
        let cast = pairs("cast");
        let start = match &row["start"] {
            Json::String(place) => Start::Everyone(place.clone()),
            Json::Null => Start::Nothing,
            _ => Start::Each(pairs("start")),
        };
        let parameters = parameters_of(row, &mut wrong);
        let events = match &row["events"] {
            Json::Array(events) => Some(events.clone()),
            Json::Null => None,
            _ => {
                wrong.push("`events` should be a list".to_owned());
                None
            }
        };
        let own_steps = own_steps_of(row, &mut wrong);
        if story.is_none() && events.is_none() {
            wrong.push("`story` and `events` are both missing".to_owned());
        }
        if !wrong.is_empty() {
            return Err(problem(None, wrong.join("; ")));
        }
        let is_of_things = kind.as_deref() == Some(QuestionKind::WorldThings.key());
        let drawn = drawn_names(row);
        let written = |text: String| if drawn.is_empty() { text } else { as_written(&text, &drawn) };
        let (context, story) = (written(context.unwrap_or_default()), story.map(written));
        Ok(Self {
            id,
            parameters,
            cast,
            start,
            context,
            wording,
            worded_by,
            story,
            events,
            is_of_things,
            own_steps,
        })
    }

    /// What the row says, in the words of the storyboard, which the reader knows, or of the row's own wording.
    ///
    /// # Errors
    /// If the story cannot be read, or the events do not match it.
    pub fn account<'a>(
        &'a self,
        board: &'a Storyboard,
        reader: Reader<'a>,
    ) -> Result<Account<'a>, RowProblem> {
        let reader = reader
            .in_words_of_row(self.wording.as_deref(), self.worded_by.as_deref())
            .map_err(|what| problem(None, what))?;
        let Some([first, last]) = self.own_steps else { return self.whole(board, reader) };
        let mut account = self.whole(board, reader.from_step(first))?;
        if account.told.len() <= last {
            let what = format!(
                "`own_steps` ends with step {last}, but the story has {}",
                counted(account.told.len(), "step")
            );
            return Err(problem(None, what));
        }
        let after = account.told.split_off(last + 1);
        let own = account.told.split_off(first);
        let before = std::mem::replace(&mut account.told, own);
        for note in account.notes.iter_mut().flatten() {
            let Some(step) = note.step.checked_sub(first) else {
                return Err(problem(Some(note.step), "this note stands before the storyboard's own part"));
            };
            note.step = step;
        }
        let around = Around { before: walks(&before, 0)?, after: walks(&after, last + 1)? };
        Ok(Account { around, ..account })
    }

    /// What the row says, with what others do around the storyboard's own part.
    fn whole<'a>(&'a self, board: &'a Storyboard, reader: Reader<'a>) -> Result<Account<'a>, RowProblem> {
        if self.is_of_things && reader.has_deeds() {
            let what = "a row of `world_things` leaves out some events of this story: check another row of the \
                        story";
            return Err(problem(None, what));
        }
        let reader = if self.is_of_things { reader.of_things() } else { reader };
        let opening = reader.introduction(&self.context);
        let people: Vec<&'a str> = opening.people.iter().map(|&(who, _)| who).collect();
        let start = match &self.start {
            Start::Nothing if opening.people.is_empty() => SaidStart::Nothing,
            Start::Nothing => SaidStart::Each(opening.people.clone()),
            Start::Everyone(place) => SaidStart::Everyone(reader.place_called(place).unwrap_or(place)),
            Start::Each(start) => {
                let known = |(who, place): &'a (String, String)| {
                    (reader.person_called(who).unwrap_or(who), reader.place_called(place).unwrap_or(place))
                };
                SaidStart::Each(start.iter().map(known).collect())
            }
        };
        let people = if let Start::Each(_) = self.start { Vec::new() } else { people };
        let events = self.events.as_ref().map(|events| {
            let mut told = Events { board, reader: &reader, is_of_things: self.is_of_things }.read(events)?;
            told.truncate(reader.steps_max());
            Ok(told)
        });
        let events = events.transpose()?;
        if board.style == Style::Conversation && events.is_none() {
            let what = "what people say in a conversation is not read back: make rows with `--with-events`";
            return Err(problem(None, what));
        }
        let Some(story) = self.story.as_ref().filter(|_| board.style == Style::Report) else {
            let told = events.unwrap_or_default();
            return Ok(Account {
                people,
                start,
                opening,
                told,
                notes: None,
                around: Around::default(),
                is_of_things: self.is_of_things,
            });
        };
        let tale = reader.read(story);
        if let Some(what) = tale.unread(story) {
            return Err(problem(Some(tale.told.len()), what));
        }
        if let Some(events) = &events {
            let differs = tale.told.iter().zip(events).position(|(told, event)| !is_same(told, event));
            let is_shorter = tale.told.len() != events.len();
            if let Some(step) = differs.or_else(|| is_shorter.then(|| tale.told.len().min(events.len()))) {
                return Err(problem(Some(step), "`story` and `events` disagree"));
            }
        }
        let notes = (!self.is_of_things).then_some(tale.notes);
        let (told, around, is_of_things) = (tale.told, Around::default(), self.is_of_things);
        Ok(Account { people, start, opening, told, around, notes, is_of_things })
    }
}

/// Who goes where in steps in which people do nothing else; `first` is the number of the first.
fn walks<'a>(told: &[Told<'a>], first: usize) -> Result<Vec<(&'a str, &'a str)>, RowProblem> {
    let walk = |(step, told): (usize, &Told<'a>)| match told.to {
        Some(to) if told.deed == Deed::default() => Ok((told.who, to)),
        _ => Err(problem(
            Some(step),
            "around the storyboard's own part, people do nothing but go from place to place",
        )),
    };
    (first..).zip(told).map(walk).collect()
}

/// The parameters that a row or a log gives, with their values.
fn parameters_of(json: &Json, wrong: &mut Vec<String>) -> Vec<(String, i64)> {
    let mut parameters = Vec::new();
    match &json["params"] {
        Json::Object(values) => {
            for (name, value) in values {
                match value.as_i64() {
                    Some(value) => parameters.push((name.clone(), value)),
                    None => wrong.push(format!("the value of {name} in `params` is not a 64-bit integer")),
                }
            }
        }
        Json::Null => {}
        _ => wrong.push("`params` should map names to integers".to_owned()),
    }
    parameters
}

/// The parameters that a log gives, with their values.
///
/// # Errors
/// If they are something else.
///
/// ```
/// use storysim::adherence::parameters_of_log;
/// let log = serde_json::json!({"id": 7, "params": {"level": 3}});
/// assert_eq!(parameters_of_log(&log), Ok(vec![("level".to_owned(), 3)]));
/// assert!(parameters_of_log(&serde_json::json!({"params": 3})).is_err());
/// ```
pub fn parameters_of_log(log: &Json) -> Result<Vec<(String, i64)>, RowProblem> {
    let mut wrong = Vec::new();
    let parameters = parameters_of(log, &mut wrong);
    if wrong.is_empty() { Ok(parameters) } else { Err(problem(None, wrong.join("; "))) }
}

/// Whether a sentence tells of an event.
fn is_same(told: &Told<'_>, event: &Told<'_>) -> bool {
    let mut deed = told.deed.clone();
    let is_meant = |item: Item<'_>, value: Value<'_>| {
        let mut statements = told.statements.iter();
        statements
            .any(|said| item == Item::Proposition(said.proposition) && value == Value::Truth(said.is_true))
    };
    match (&mut deed.act, &event.deed.act) {
        (Act::Tell(said), Act::Tell(Telling { item, value, .. })) if is_meant(*item, *value) => {
            (said.item, said.value) = (*item, *value);
        }
        (Act::Reveal(said), Act::Reveal((item, is_so))) if is_meant(*item, Value::Truth(*is_so)) => {
            *said = (*item, *is_so);
        }
        _ => {}
    }
    told.who == event.who && told.to == event.to && deed == event.deed
}

/// Reads the `events` of a row; see `docs/rows.md`. Names may be written as in the storyboard, or as they are shown.
struct Events<'a, 'r> {
    board: &'a Storyboard,
    reader: &'r Reader<'a>,
    is_of_things: bool,
}

impl<'a> Events<'a, '_> {
    fn read(&self, events: &'a [Json]) -> Result<Vec<Told<'a>>, RowProblem> {
        let mut told: Vec<Told<'a>> = Vec::new();
        for (at, event) in events.iter().enumerate() {
            let next = told.len();
            let wrong = || problem(Some(next), format!("entry {at} of `events` cannot be read"));
            let fields = event.as_array().ok_or_else(wrong)?;
            let [step, who, what, details @ ..] = &fields[..] else { return Err(wrong()) };
            let (Some(step), Some(who), Some(what)) = (step.as_u64(), who.as_str(), what.as_str()) else {
                return Err(wrong());
            };
            let who = self.person(who);
            let last = told.last_mut().filter(|_| step + 1 == next as u64);
            match (what, details, last) {
                ("peek", [], Some(last)) => last.deed.peeking.push(who),
                ("distracted", [Json::Bool(is_noticed)], Some(last)) => {
                    last.deed.distracted.push((who, *is_noticed));
                }
                _ if step == next as u64 => told.push(self.event(who, what, details).ok_or_else(wrong)?),
                _ => {
                    let what = format!("`events` continues with step {step}, but step {next} should follow");
                    return Err(problem(Some(next), what));
                }
            }
        }
        Ok(told)
    }

    fn event(&self, who: &'a str, what: &str, details: &'a [Json]) -> Option<Told<'a>> {
        let is_verb = self.is_of_things || self.board.verbs.iter().any(|verb| verb.value == what);
        let told = Told { who, ..Told::default() };
        if let (true, [place]) = (is_verb, details) {
            return Some(Told { to: Some(self.place(place.as_str()?)), ..told });
        }
        let word = if what == "phone" { "tell" } else { what };
        let written = |kind: &ActForm| kind.key.is_some() && kind.kind != ActKind::Go;
        let mut forms = ActKind::ALL.iter().map(|kind| kind.form());
        let form = forms.find(|form| written(form) && form.event == word)?;
        let mut details = details.iter();
        let parts = form.parts.iter().map(|part| self.part(part.sort, what, who, &mut details));
        let act = form.kind.act(parts.collect::<Option<Vec<Part<'a>>>>()?)?;
        let to = match form.goes {
            true => Some(self.place(details.next()?.as_str()?)),
            false => None,
        };
        details.next().is_none().then(|| Told { to, deed: Deed { act, ..Deed::default() }, ..told })
    }

    /// Reads the next part of an event.
    fn part(
        &self,
        sort: Sort,
        what: &str,
        who: &'a str,
        details: &mut std::slice::Iter<'a, Json>,
    ) -> Option<Part<'a>> {
        let names = |list: &'a Json| -> Option<Vec<&'a str>> {
            list.as_array()?.iter().map(|name| Some(self.person(name.as_str()?))).collect()
        };
        let first = details.next()?;
        Some(match sort {
            Sort::Company => Part::Company(names(first)?),
            Sort::Person => Part::Person(self.person(first.as_str()?)),
            Sort::Place => Part::Place(self.place(first.as_str()?)),
            Sort::Object => Part::Object(self.object(first.as_str()?)),
            Sort::Container => Part::Container(self.container(first.as_str()?)),
            Sort::Spot => Part::Spot(self.spot(first.as_str()?)),
            Sort::Liking => {
                let thing = first.as_str()?;
                let thing = self.reader.attitude_called(thing).unwrap_or(thing);
                Part::Liking((Item::Likes(who, thing), details.next()?.as_bool()?))
            }
            Sort::Fact => Part::Fact((self.item(first.as_str()?), details.next()?.as_bool()?)),
            Sort::Telling => {
                let hearers = match (what, first.as_str()) {
                    ("tell", Some("present")) => Hearers::Present,
                    ("tell", _) => Hearers::Named(names(first)?),
                    _ => Hearers::Afar(names(first)?),
                };
                let item = self.item(details.next()?.as_str()?);
                let value = match details.next()? {
                    Json::Bool(is_true) => Value::Truth(*is_true),
                    value => self.value(item, value.as_str()?),
                };
                Part::Telling(Telling { hearers, item, value, believers: None })
            }
        })
    }

    fn person(&self, name: &'a str) -> &'a str {
        self.reader.person_called(name).unwrap_or(name)
    }

    fn place(&self, name: &'a str) -> &'a str {
        self.reader.place_called(name).unwrap_or(name)
    }

    fn object(&self, name: &'a str) -> &'a str {
        self.reader.object_called(name).unwrap_or(name)
    }

    fn container(&self, name: &'a str) -> &'a str {
        self.reader.container_called(name).unwrap_or(name)
    }

    fn item(&self, name: &'a str) -> Item<'a> {
        let likes = name.split_once(" likes ").and_then(|(who, thing)| {
            Some(Item::Likes(self.person(who), self.reader.attitude_called(thing)?))
        });
        if let Some(likes) = likes {
            likes
        } else if let Some(object) = self.reader.object_called(name) {
            Item::Object(object)
        } else if let Some(container) = self.reader.container_called(name) {
            Item::Lid(container)
        } else if self.board.propositions.iter().any(|proposition| proposition.name.value == name) {
            Item::Proposition(name)
        } else {
            Item::Character(self.person(name))
        }
    }

    fn spot(&self, name: &'a str) -> Value<'a> {
        match self.reader.container_called(name) {
            Some(container) => Value::Container(container),
            None => Value::Place(self.place(name)),
        }
    }

    fn value(&self, item: Item<'a>, name: &'a str) -> Value<'a> {
        match (self.spot(name), item) {
            (Value::Place(_), Item::Object(_)) if self.reader.place_called(name).is_none() => {
                Value::Hands(self.person(name))
            }
            (spot, _) => spot,
        }
    }
}
