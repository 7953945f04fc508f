//! A question with its story, its choices and its answer, wherever it comes from.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::Itinerary;
use super::announced::{Announced, announced};
use super::mentions::occurrences;
use crate::dataset::Fields;
use crate::diagnostic::counted;

/// The largest number of choices that a question can have.
pub const CHOICES_MAX: usize = 64;

/// A group of questions that are audited together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Group {
    /// The storyboard, or whatever the data is called.
    pub board: String,
    /// The number of the question in its storyboard.
    pub question: Option<u64>,
    /// The kind of question.
    pub kind: String,
    /// How many minds the question nests.
    pub order: usize,
}

/// The kinds of question that can be answered by tracking the world, with no mind in it.
const OF_THE_WORLD: [&str; 5] = ["reality", "start", "memory", "world", "world_things"];

impl Group {
    /// Whether shortcuts ought to fail here. Where a question asks about the real world, they may be right.
    ///
    /// ```
    /// use storysim::audit::Group;
    /// let of = |kind: &str| Group { kind: kind.into(), ..Group::default() }.asks_for_minds();
    /// assert!(of("belief") && of("knows_without") && !of("reality") && !of("reality_before"));
    /// ```
    pub fn asks_for_minds(&self) -> bool {
        let kind = self.kind.trim_end_matches("_before").trim_end_matches("_without");
        !OF_THE_WORLD.contains(&kind)
    }
}

/// The kinds of question about what news does to somebody; with a state (`changed emotion`), or without.
const OF_NEWS: [&str; 8] =
    ["belief_in", "emotion", "intention", "action", "changed", "cause", "influence", "course"];

impl Group {
    /// Whether the questions ask what news does to somebody. Whoever compares two people's walks gets half of the way there, so
    /// shortcuts that do are held to no limit.
    ///
    /// ```
    /// use storysim::audit::Group;
    /// let of = |kind: &str| Group { kind: kind.into(), ..Group::default() }.asks_of_news();
    /// assert!(of("belief_in") && of("changed emotion") && !of("belief"));
    /// ```
    pub fn asks_of_news(&self) -> bool {
        OF_NEWS.contains(&self.kind.split(' ').next().unwrap_or_default())
    }
}

impl Display for Group {
    /// Writes the group for people: `kitchen question 0, belief of order 1`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.board.is_empty() {
            write!(f, "{} ", self.board)?;
        }
        if let Some(number) = self.question {
            write!(f, "question {number}, ")?;
        }
        f.write_str(&self.kind)?;
        match self.order {
            0 => Ok(()),
            order => write!(f, " of order {order}"),
        }
    }
}

/// A question as the audit sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The group in which the question is audited.
    pub group: Group,
    /// The text of the story.
    pub story: String,
    /// The question in words.
    pub question: String,
    /// The possible answers.
    pub choices: Vec<String>,
    /// The index of the right choice.
    pub label: usize,
    /// Whose minds it is about, the outermost first; if it is about none, the others who are named in the question.
    pub company: Vec<String>,
    /// The target of the question.
    pub about: String,
    /// The names of people in the story, as far as they are known.
    pub names: Vec<String>,
    /// Who went where, if that could be read.
    pub itinerary: Option<Itinerary>,
    /// The answers of shortcuts according to the row itself.
    pub foils: BTreeMap<String, Option<String>>,
    /// The steps from which the answer follows.
    pub evidence: Vec<usize>,
    /// What all questions of one story have in common, if not the story's text: there may be none.
    pub unit: Option<String>,
    /// What the story is called, if it has a name; otherwise, stories with the same text are one.
    pub story_id: Option<String>,
    /// What is announced in the scenario that the question asks of, in order, as far as that can be read.
    pub announced: Vec<Announced>,
    /// The row's id and that of its twin: the row that asks the same about a story that differs in one event.
    pub pair: Option<[String; 2]>,
    /// If the row belongs to a triplet, the ids of its three rows, and which of them it is.
    pub trio: Option<([String; 3], usize)>,
    /// The fifth in which the question is by how difficult it is, if the row says so.
    pub fifth: Option<usize>,
}

impl Case {
    /// Makes a case of a row of storysim.
    ///
    /// The walks are read from the row's events or else from its sentences, and kept only if they agree with where the row
    /// says that the target is at the end.
    ///
    /// # Errors
    /// If the label does not belong to the answer, or there are too many choices.
    pub fn of_row(fields: Fields) -> Result<Self, String> {
        check(&fields.choices, fields.label)?;
        if fields.choices[fields.label] != fields.answer {
            let Fields { answer, label, choices, .. } = &fields;
            return Err(format!("`answer` is {answer}, but choice {label} is {}", choices[*label]));
        }
        let fields = fields.as_shown();
        let people = fields.cast.values().filter_map(|value| value.as_str());
        let people = people.filter(|name| !fields.choices.iter().any(|choice| choice == name));
        let names: Vec<&str> = fields.chain.iter().map(String::as_str).chain(people).collect();
        let places: Vec<&str> = fields.choices.iter().map(String::as_str).collect();
        let further: Vec<&str> = fields.names.keys().map(String::as_str).collect();
        let mut itinerary = if fields.events.is_empty() {
            Itinerary::of_sentences(&fields.story, &fields.start, &names, &places, &further)
        } else {
            Itinerary::of_events(&fields.events, &fields.start)
        };
        if let Some(told) = &mut itinerary {
            told.begin_all(&fields.start, names.iter().copied());
        }
        itinerary = itinerary.filter(|told| agrees(told, &fields));
        let mut known: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        known.push(fields.about.clone());
        known.extend(itinerary.iter().flat_map(|told| told.names()).cloned());
        known.sort_unstable();
        known.dedup();
        let company = match &fields.chain[..] {
            [] => company(&fields.question, &fields.about, &known),
            chain => chain.to_vec(),
        };
        let trio = fields.trio();
        // All stories of a pair or triplet are for learning, or all for trying.
        let twin = fields.twin.as_deref().map(story_of);
        let unit = twin.map(|twin| fields.story_id().min(twin).to_owned());
        let announced = announced(&fields);
        let story_id = Some(fields.story_id().to_owned());
        let question = fields.id.rsplit_once('/').and_then(|(_, number)| number.parse().ok());
        Ok(Self {
            group: match fields.state {
                // What is asked of every scenario is one group.
                Some(state) => Group {
                    board: fields.board,
                    question: None,
                    kind: of_state(fields.kind, &state),
                    order: fields.order,
                },
                None => Group { board: fields.board, question, kind: fields.kind, order: fields.order },
            },
            story: fields.story,
            question: fields.question,
            choices: fields.choices,
            label: fields.label,
            company,
            about: fields.about,
            names: known,
            itinerary,
            foils: fields.foils,
            evidence: fields.evidence,
            unit,
            story_id,
            announced,
            trio,
            fifth: fields.difficulty.fifth(),
            pair: fields.twin.map(|twin| [fields.id, twin]),
        })
    }
}

/// The id of a row's story, given the id of the row.
fn story_of(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(story, _)| story)
}

/// Reports what is wrong with choices and their label.
pub fn check(choices: &[String], label: usize) -> Result<(), String> {
    match choices.len() {
        0 => Err("it has no choices".into()),
        count if count > CHOICES_MAX => {
            Err(format!("it has {count} choices; the audit compares {CHOICES_MAX} at most"))
        }
        count if label >= count => Err(format!(
            "its label is {label}, but there {} only {}",
            if count == 1 { "is" } else { "are" },
            counted(count, "choice")
        )),
        _ => Ok(()),
    }
}

/// Whether an itinerary has the target where the row has it; true if the row does not say.
fn agrees(told: &Itinerary, fields: &Fields) -> bool {
    let foil = |name: &str| fields.foils.get(name).and_then(Option::as_deref);
    let Some(target) = told.who(&fields.about) else { return true };
    let path: Vec<_> = told.path(target).collect();
    let last = |back: usize| path.len().checked_sub(back).map(|at| told.name(path[at]));
    let says = |foil: Option<&str>, own: Option<&str>| foil.is_none_or(|foil| own == Some(foil));
    says(foil("last_place"), last(1)) && says(foil("second_last_place"), last(2))
}

/// A kind of question with the state that it asks of, where it does not say so: `changed emotion`.
fn of_state(kind: String, state: &str) -> String {
    match kind.as_str() {
        "changed" | "cause" | "influence" | "course" => format!("{kind} {state}"),
        _ => kind,
    }
}

/// The people named in a question, in order, without the target.
fn company(question: &str, about: &str, names: &[String]) -> Vec<String> {
    let mut found: Vec<(usize, &String)> = names
        .iter()
        .filter(|name| *name != about)
        .filter_map(|name| Some((occurrences(question, name).next()?, name)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name.clone()).collect()
}
