//! Reads the sentences of a story, as [`crate::text`] writes them, back into what happens.
//!
//! Nothing that we make comes this way: it is for stories that others wrote to order, by hand or by machine, and
//! for rows of data sets. What a sentence can be follows from the storyboard's own words: its people, places,
//! things, verbs and notes. Who plays which role is not asked here: a claim that names a role has as many
//! readings as there are roles.
//!
//! `words.rs` finds names and phrases, `sentences.rs` knows the plain sentences and `worded.rs` those of a wording, `single.rs` what one sentence
//! says by itself, and all that it could say, `facts.rs` what can be said to be so,
//! `opening.rs` how a story is introduced, `misread.rs` which
//! words of an author would be read as something else, `row.rs` which reader a row takes. Everything runs once over the text: O(length · readings of a sentence).

mod facts;
mod misread;
mod opening;
mod row;
mod sentences;
mod single;
mod worded;
mod words;

use std::sync::Arc;

use crate::check::Deed;
use crate::diagnostic::{Diagnostic, Source, Span};
use crate::form::SentenceKind;
use crate::pack::Pack;
use crate::spelling::{capital, shown, with_article};
use crate::storyboard::{NotePart, Places, Pool, Storyboard, THINGS, built_in_pool};
use crate::text::THINGS_VERB;
pub use misread::misread;
pub use opening::Opening;
pub use row::RowReader;
pub use single::Sentence;
use words::{Cursor, Expected, Names, is_letter};

/// The number of unreadable sentences after which the rest is not read.
const PROBLEMS_MAX: usize = 20;

/// The largest number of expected things that a message lists itself; if there are more, the help lists them.
const SHOWN_MAX: usize = 4;

/// The event that a sentence of the story tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told<'a> {
    /// Where the sentence is in the text.
    pub span: Span,
    /// The character who acts.
    pub who: &'a str,
    /// The place where she is, if that is said.
    pub at: Option<&'a str>,
    /// The place that she goes to, if she does.
    pub to: Option<&'a str>,
    /// What she does, who watches it and who misses it. If a proposition is said, the item is an empty name: which
    /// proposition it is depends on who plays whom.
    pub deed: Deed<'a>,
    /// The ways to read what is said, if it is a proposition.
    pub statements: Vec<Statement<'a>>,
}

impl<'a> Told<'a> {
    /// The person who acts, if its sentence names nobody else.
    fn only_person(&self) -> Option<&'a str> {
        Some(self.who).filter(|_| SentenceKind::Deed(self.deed.act.kind()).names_one_person())
    }
}

/// A way to read a clause as a proposition of the storyboard, if roles and binds stand for certain names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// The name of the proposition.
    pub proposition: &'a str,
    /// Whether the proposition is affirmed, rather than denied.
    pub is_true: bool,
    /// The roles and binds that the clause names, with the names that it has for them.
    pub names: Vec<(&'a str, &'a str)>,
}

/// A note that was found in the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The step that the note follows.
    pub step: usize,
    /// The text of the note.
    pub text: String,
}

/// The content of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tale<'a> {
    /// The events, step by step.
    pub told: Vec<Told<'a>>,
    /// For each event, where the sentence begins that tells it. Two events may be told in one.
    pub begins: Vec<usize>,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// The problems with what cannot be read.
    pub problems: Vec<Diagnostic>,
}

impl Tale<'_> {
    /// What in the text could not be read first, and where; `None` if all of it was.
    ///
    /// ```
    /// use storysim::{prose::Reader, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let unread = |text: &str| Reader::new(&board, Vec::new()).read(text).unread(text);
    /// assert_eq!(unread("Georgia enters room 2."), None);
    /// assert!(unread("Georgia enters room 2. It rains.").unwrap().contains("(`It`, line 1, column 24)"));
    /// ```
    pub fn unread(&self, text: &str) -> Option<String> {
        let unread = self.problems.first()?;
        let (span, remark) = &unread.labels[0];
        let source = Source { name: String::new(), text: text.to_owned() };
        let (line, column) = source.line_and_column(span.start);
        let help = unread.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
        let written = &text[span.range()];
        Some(format!("{}: {remark} (`{written}`, line {line}, column {column}){help}", unread.message))
    }
}

/// A note that should follow a certain step.
#[derive(Clone, Copy, Debug)]
pub struct DueNote<'a> {
    /// The step that it should follow.
    pub step: usize,
    /// The text, with roles and binds.
    pub text: &'a [NotePart],
}

/// Reads stories of one storyboard.
///
/// ```
/// use storysim::{prose::Reader, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let tale = Reader::new(&board, Vec::new()).read("1. Georgia enters room 2.\n2. Hank enters room_1.");
/// assert_eq!((tale.told[1].who, tale.told[1].to), ("Hank", Some("room_1")));
/// let wrong = Reader::new(&board, Vec::new()).read("Gorgia enters room 2.");
/// assert_eq!(wrong.problems[0].help.as_deref(), Some("did you mean `Georgia`?"));
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    board: &'a Storyboard,
    people: Names<'a>,
    places: Names<'a>,
    objects: Names<'a>,
    containers: Names<'a>,
    attitudes: Names<'a>,
    verbs: Vec<&'a str>,
    notes: Vec<DueNote<'a>>,
    /// The pack of the storyboard's wording.
    wording: Option<Arc<Pack>>,
    /// Whether people do more than walk.
    has_deeds: bool,
    /// The number of steps after which the rest is not read.
    steps_max: usize,
}

impl<'a> Reader<'a> {
    /// A reader of stories about people. `notes` are those that should be in them, in the order of steps.
    pub fn new(board: &'a Storyboard, notes: Vec<DueNote<'a>>) -> Self {
        let people: Vec<&str> = match &board.characters.pool {
            Pool::Names(names) => names.iter().map(|name| name.value.as_str()).collect(),
            Pool::BuiltIn(name) => built_in_pool(&name.value).unwrap_or_default().to_vec(),
        };
        let places: Vec<&str> = match &board.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name.value.as_str()).collect(),
            Places::Complete(names) => names.iter().map(|name| name.value.as_str()).collect(),
        };
        let nouns = |names: Vec<&'a str>| {
            Names::new(names.into_iter().map(|name| (with_article(name).into_owned(), name)))
        };
        let bare =
            |names: Vec<&'a str>| Names::new(names.into_iter().map(|name| (shown(name).into_owned(), name)));
        Self {
            board,
            people: bare(people),
            places: bare(places),
            objects: nouns(board.objects.iter().map(|object| object.name.value.as_str()).collect()),
            containers: nouns(board.containers.iter().map(|known| known.name.value.as_str()).collect()),
            attitudes: nouns(board.attitudes.iter().map(|thing| thing.value.as_str()).collect()),
            verbs: board.verbs.iter().map(|verb| verb.value.as_str()).collect(),
            notes,
            wording: worded::wording_of(board),
            has_deeds: board.has_deeds(),
            steps_max: usize::MAX,
        }
    }

    /// The same reader, which does not read anything after this number of steps.
    #[must_use]
    pub fn up_to(self, steps: usize) -> Self {
        Self { steps_max: steps, ..self }
    }

    /// The same reader, for stories in which others go about before this step and after the last of the storyboard's own.
    #[must_use]
    pub fn from_step(mut self, first: usize) -> Self {
        self.notes.iter_mut().for_each(|note| note.step += first);
        Self { steps_max: usize::MAX, ..self }
    }

    /// The same reader, for stories in the words of this pack, which has to be a wording.
    #[must_use]
    pub fn in_words_of(self, pack: Arc<Pack>) -> Self {
        Self { wording: Some(pack), ..self }
    }

    /// The same reader, for a story that spells some names of people and places as `shown` says, if it does.
    #[must_use]
    pub fn spelt(self, shown: impl Fn(&str) -> Option<String>) -> Self {
        let (people, places) = (self.people.respelt(&shown), self.places.respelt(&shown));
        Self { people, places, ..self }
    }

    /// The same reader, for a story about things that somebody moves and nothing else.
    #[must_use]
    pub fn of_things(self) -> Self {
        Self {
            people: Names::new(THINGS.iter().map(|&thing| (thing.to_owned(), thing))),
            verbs: vec![THINGS_VERB],
            has_deeds: false,
            notes: Vec::new(),
            wording: None,
            ..self
        }
    }

    /// The storyboard's own name of a person, given as the storyboard writes it or as readers see it; `None` if there is
    /// no such person. Those of places and things follow.
    pub fn person_called(&self, name: &str) -> Option<&'a str> {
        self.people.called(name)
    }

    /// The storyboard's own name of a place.
    pub fn place_called(&self, name: &str) -> Option<&'a str> {
        self.places.called(name)
    }

    /// A text in which places have no article that is not part of their names; `None` if they have none as it is. Where people enter "garden",
    /// "She walks into the garden." becomes "She walks into garden.", and "The garden is where she goes." becomes "Garden is where she
    /// goes."
    ///
    /// Costs O(letters).
    pub fn without_articles(&self, text: &str) -> Option<String> {
        let all = [&self.people, &self.places, &self.objects, &self.containers, &self.attitudes];
        let (mut bare, mut from) = (String::new(), 0);
        let first = text.starts_with("The ").then_some(0);
        for at in first.into_iter().chain(text.match_indices("the ").map(|(at, _)| at)) {
            let rest = &text[at + "the ".len()..];
            let is_word = !text[..at].ends_with(is_letter);
            let is_name = all.iter().any(|names| names.at_beginning(&text[at..]).is_some());
            if is_word && !is_name && self.places.at_beginning(rest).is_some() {
                bare.push_str(&text[from..at]);
                from = at + "the ".len();
            }
        }
        bare.push_str(&text[from..]);
        let begins_bare = first.is_some() && !bare.starts_with("The ");
        (from > 0).then(|| if begins_bare { capital(&bare) } else { bare })
    }

    /// The storyboard's own name of an object.
    pub fn object_called(&self, name: &str) -> Option<&'a str> {
        self.objects.called(&with_article(name))
    }

    /// The storyboard's own name of a container.
    pub fn container_called(&self, name: &str) -> Option<&'a str> {
        self.containers.called(&with_article(name))
    }

    /// The storyboard's own name of something that people like or dislike.
    pub fn attitude_called(&self, name: &str) -> Option<&'a str> {
        self.attitudes.called(&with_article(name))
    }

    /// How sentences have a person whom the storyboard calls so; `None` if there is no such person. That of places follows.
    pub fn person_in_sentences(&self, name: &str) -> Option<&str> {
        self.people.in_sentences(name)
    }

    /// How sentences have a place.
    pub fn place_in_sentences(&self, name: &str) -> Option<&str> {
        self.places.in_sentences(name)
    }

    /// The verbs with which people go somewhere.
    pub fn verbs(&self) -> &[&'a str] {
        &self.verbs
    }

    /// The number of steps after which the rest is not read.
    pub const fn steps_max(&self) -> usize {
        self.steps_max
    }

    /// Whether people do more than walk in stories of this storyboard.
    pub const fn has_deeds(&self) -> bool {
        self.has_deeds
    }

    /// Reads a story: sentences with any spaces and line breaks between words. Numbers and dashes at the beginnings of
    /// lines are skipped, and the full stop at the end of a line is optional.
    pub fn read(&self, text: &str) -> Tale<'a> {
        let mut tale = Tale::default();
        let mut cursor = Cursor::new(text);
        let mut notes = self.notes.iter().peekable();
        // The only person whom the last sentence names, if it is one that a pronoun can follow.
        let mut only = None;
        loop {
            let before = only.take();
            let begin = cursor.skip_to_sentence();
            if cursor.is_at_end() {
                return tale;
            }
            if tale.problems.len() == PROBLEMS_MAX || tale.told.len() == self.steps_max {
                return tale;
            }
            // Notes are due after the last step told, those of earlier steps are missing.
            while notes.next_if(|note| note.step + 1 < tale.told.len()).is_some() {}
            let mut due = notes.clone().take_while(|note| note.step + 1 == tale.told.len());
            let due = due.find_map(|note| self.note(&mut cursor, note.text));
            if let Some(note) = due {
                notes.next();
                tale.notes.push(Note { step: tale.told.len() - 1, text: note });
            } else if self.aside(&mut cursor, &mut tale) {
            } else if let Some(mut told) = self.event(&mut cursor) {
                told.span = Span::new(begin, cursor.at);
                only = told.only_person();
                tale.told.push(told);
                tale.begins.push(begin);
            } else if self.worded_aside(&mut cursor, &mut tale) {
            } else if let Some(told) = cursor.attempt(|cursor| self.worded(cursor, before)) {
                only = told.iter().map(Told::only_person).reduce(|first, second| first.and(second)).flatten();
                tale.told.extend(told);
                tale.begins.resize(tale.told.len(), begin);
            } else if let Some(note) = self.stray_note(&mut cursor, &tale) {
                tale.notes.push(note);
            } else {
                tale.problems.push(self.unreadable(&mut cursor, begin));
            }
        }
    }

    /// Reads a note that is due somewhere else.
    fn stray_note(&self, cursor: &mut Cursor<'_, 'a>, tale: &Tale<'a>) -> Option<Note> {
        let step = tale.told.len().checked_sub(1)?;
        let text = self.notes.iter().find_map(|note| self.note(cursor, note.text))?;
        Some(Note { step, text })
    }

    /// Reports what should be where a sentence becomes unreadable, and moves on to the next sentence.
    fn unreadable(&self, cursor: &mut Cursor<'_, 'a>, begin: usize) -> Diagnostic {
        let (word, expected) = cursor.give_up(begin);
        let written = &cursor.text[word.range()];
        let mut words_max = 1;
        let mut known: Vec<&str> = Vec::new();
        let mut wanted: Vec<String> = Vec::new();
        for expected in expected {
            let (names, noun) = match expected {
                Expected::Person => (&self.people, "a character"),
                Expected::Place => (&self.places, "a place"),
                Expected::Object => (&self.objects, "an object"),
                Expected::Container => (&self.containers, "a container"),
                Expected::Attitude => (&self.attitudes, "one of `attitudes`"),
                Expected::Statement => {
                    wanted.push("a statement".to_owned());
                    continue;
                }
                Expected::Words(words) => {
                    known.push(words.trim());
                    wanted.push(format!("`{}`", words.trim()));
                    continue;
                }
            };
            known.extend(names.spelt());
            words_max = words_max.max(names.words_max());
            wanted.push(noun.to_owned());
        }
        let is_known_elsewhere = |names: &Names<'a>| names.spelt().any(|name| name == written);
        let is_long = wanted.len() > SHOWN_MAX;
        let remark = match (written.is_empty(), wanted.join(", ")) {
            (_, wanted) if wanted.is_empty() => "this part is not understood".to_owned(),
            (false, _) if is_long => "expected something that people can do".to_owned(),
            (_, wanted) => format!("expected {}", or(&wanted)),
        };
        let message = if is_known_elsewhere(&self.people) || wanted != ["a character"] {
            "this sentence cannot be read"
        } else {
            "the pool has no character with this name"
        };
        let sentence = "write sentences as `storysim show` does";
        // A name may be misspelt that has several words.
        let mut meant = (1..=words_max).rev().filter_map(|count| {
            let span = words::first_words(cursor.text, word.start, count);
            let known = known.iter().copied();
            Some((span, crate::diagnostic::did_you_mean(&cursor.text[span.range()], known)?))
        });
        let (span, meant) = meant.next().map_or((word, None), |(span, meant)| (span, Some(meant)));
        let help = meant.unwrap_or_else(|| match wanted[..] {
            [ref only] if only == "a character" => self.some_of(&self.people, "the pool"),
            [ref only] if only == "a place" => self.some_of(&self.places, "the map"),
            _ if is_long => format!("people can do these things: {}", wanted.join(", ")),
            _ => format!("{sentence}: {}", self.example()),
        });
        Diagnostic::error(message, span, remark).help(help)
    }

    fn some_of(&self, names: &Names<'a>, of: &str) -> String {
        const SHOWN: usize = 10;
        let known: Vec<&str> = names.spelt().collect();
        let shown = known[..known.len().min(SHOWN)].join(", ");
        let rest = if known.len() > SHOWN { ", …" } else { "" };
        format!("{of} has {shown}{rest}")
    }

    /// An example of a readable sentence.
    fn example(&self) -> String {
        let first = |names: &Names<'a>| names.spelt().next().unwrap_or_default().to_owned();
        format!("{} {} {}.", first(&self.people), self.verbs[0], first(&self.places))
    }
}

/// A list of names and phrases with `or` before the last one.
fn or(wanted: &str) -> String {
    match wanted.rsplit_once(", ") {
        Some((head, last)) => format!("{head} or {last}"),
        None => wanted.to_owned(),
    }
}
