//! A plain story, cut into sentences, and the request to word them again.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::Value as Json;

use super::fit::Telling;
use crate::check::Act;
use crate::dataset::Fields;
use crate::diagnostic::Span;
use crate::pack::{Pack, WordingWords};
use crate::prose::{Reader, Sentence, Told};
use crate::storyboard::{Storyboard, Style};

/// What a model is asked to do, before the sentences.
const TASK: &str = "Below are the sentences of a story. Word each numbered sentence again, in plain, natural English of your own: another verb, \
another order of words, active or passive. Vary them from sentence to sentence, but keep to everyday words.

Each new sentence must say exactly what the old one says:
- the same people, places and things, under the same names, doing the same to each other;
- one event in one sentence, without a pronoun in the place of a name;
- whoever goes somewhere gets there: she enters it or goes to it, but does not head or set out for it, and joins nobody there;
- whoever moves a thing moves it: to put, place or hand it somewhere is another event;
- nothing about what anybody thinks, feels, wants or knows, and nothing about why something is done;
- nothing about how: not \"strolls\", \"hurls\" or \"on foot\", and not \"up\", \"down\", \"out\" or \"back\" either;
- nothing about when, but for \"then\" or \"next\": nobody \"returns\", \"visits\" or does something \"again\" or \"first\";
- whoever tells, tells: she does not \"say\" it \"to everyone\", \"announce\" it, \"inform\" anybody or \"let them know\";
- what somebody says after \"that\" stays word for word as it is.
Leave out no sentence, join no two of them, and keep them in order. Tell all of them in the present tense.
Sentences without a number stay as they are.

Reply with one JSON object and nothing else: from the number of each sentence to the new one, such as
{\"1\": \"…\", \"2\": \"…\"}

";

/// Reads stories of one storyboard: as they are told plainly, and in the words of a lexicon.
///
/// ```
/// use std::sync::Arc;
/// use storysim::{dataset::Fields, pack, paraphrase::{Answer, Teller}, score::Response, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let teller = Teller::new(&board, Arc::clone(pack::built_in("retold").unwrap()));
/// let row = Fields { story: "Georgia enters room 2. Hank enters room 1.".into(), ..Fields::default() };
/// let script = teller.script(&row).unwrap();
/// assert!(script.request().ends_with("1. Georgia enters room 2.\n2. Hank enters room 1.\n"));
/// let answer = r#"{"1": "Georgia makes her way to room 2.", "2": "Hank sneaks into room 1."}"#;
/// let retold = script.retold(&Answer::of(&Response::new(answer)).unwrap());
/// assert_eq!(retold.story, "Georgia makes her way to room 2. Hank enters room 1.");
/// ```
#[derive(Clone, Debug)]
pub struct Teller<'a> {
    board: &'a Storyboard,
    plain: Reader<'a>,
    lexicon: Arc<Pack>,
}

/// A plain story, sentence by sentence.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    pub(super) story: String,
    pub(super) lines: Vec<Line<'a>>,
    pub(super) plain: Reader<'a>,
    pub(super) lexicon: Arc<Pack>,
}

/// A sentence of a plain story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Where it stands in the story.
    pub span: Span,
    /// What it says.
    pub said: Sentence<'a>,
    /// Where whoever acts is at that time, if it is known.
    pub here: Option<&'a str>,
    /// What has to be told in other words; `None` if the sentence stays as it is.
    pub(super) telling: Option<Telling>,
}

impl<'a> Teller<'a> {
    /// Reads stories of this storyboard, in the words of this lexicon.
    ///
    /// # Panics
    /// If the lexicon is no pack of wordings.
    pub fn new(board: &'a Storyboard, lexicon: Arc<Pack>) -> Self {
        assert!(lexicon.wording().is_some(), "a pack of wordings");
        Self { board, plain: Reader::of_board(board), lexicon }
    }

    /// The lexicon.
    pub(super) const fn lexicon(&self) -> &Arc<Pack> {
        &self.lexicon
    }

    /// The storyboard.
    pub(super) const fn board(&self) -> &'a Storyboard {
        self.board
    }

    /// Whether a story can be read back as a whole: nobody reads news yet, nor what people say in conversations.
    pub(super) fn reads_all(&self) -> bool {
        self.board.style == Style::Report && self.board.prospects.is_empty()
    }

    /// The sentences of a row's story.
    ///
    /// # Errors
    /// Why this story is not for retelling.
    pub fn script(&self, row: &Fields) -> Result<Script<'a>, String> {
        if let Some(wording) = &row.wording {
            return Err(format!(
                "its story is told in the words of `{wording}`, and only plain stories are worded again: make these rows with \
                 `--wording plain`"
            ));
        }
        if let Some(model) = &row.worded_by {
            return Err(format!("its story was worded again already, by {model:?}"));
        }
        let plain = self.plain.spelt_as_in(row);
        let lines = if self.board.style == Style::Report { lines(row, &plain) } else { Vec::new() };
        Ok(Script { story: row.story.clone(), lines, plain, lexicon: Arc::clone(&self.lexicon) })
    }
}

/// The sentences of a story, and where those are who act.
fn lines<'a>(row: &Fields, reader: &Reader<'a>) -> Vec<Line<'a>> {
    let mut places: BTreeMap<&'a str, &'a str> = BTreeMap::new();
    let sentences = reader.sentences(&row.story);
    let starts_in = |who: &str| match &row.start {
        Json::String(place) => reader.place_called(place),
        start => {
            let start = start.as_object()?;
            let of_her = start.iter().find(|(name, _)| reader.person_called(name) == Some(who));
            reader.place_called(of_her?.1.as_str()?)
        }
    };
    let mut lines = Vec::new();
    for (span, said) in sentences {
        let mut here = None;
        if let Sentence::Event(told) = &said {
            let known = places.get(told.who).copied().or_else(|| starts_in(told.who));
            here = if told.at.is_none_or(|at| Some(at) == known) { known } else { None };
            if let Some(there) = told.to {
                places.insert(told.who, there);
                if let Act::GoTogether(others) = &told.deed.act {
                    places.extend(others.iter().map(|&other| (other, there)));
                }
            }
        }
        let telling = Telling::of(&row.story[span.range()], &said, here, reader);
        lines.push(Line { span, said, here, telling });
    }
    lines
}

impl Line<'_> {
    /// Whether a model is asked for other words.
    pub const fn is_asked(&self) -> bool {
        self.telling.is_some()
    }

    /// Whether a sentence says what this one does. It need not say where whoever acts is, but if it does, it has to be right.
    pub(super) fn says(&self, other: &Sentence<'_>) -> bool {
        match (&self.said, other) {
            (Sentence::Event(one), Sentence::Event(other)) => {
                let is_there = other.at.is_none_or(|at| Some(at) == self.here.or(one.at));
                is_there && **one == Told { at: one.at, ..(**other).clone() }
            }
            (one, other) => one == other,
        }
    }
}

impl<'a> Script<'a> {
    /// The plain story.
    pub fn story(&self) -> &str {
        &self.story
    }

    /// The sentences, in order.
    pub fn lines(&self) -> &[Line<'a>] {
        &self.lines
    }

    /// The text of a sentence.
    pub fn text(&self, line: &Line<'_>) -> &str {
        &self.story[line.span.range()]
    }

    /// How many sentences a model is asked to word again.
    pub fn asked(&self) -> usize {
        self.lines.iter().filter(|line| line.is_asked()).count()
    }

    /// What a model is asked: to word the numbered sentences again.
    pub fn request(&self) -> String {
        let (mut text, mut number) = (TASK.to_owned(), 0);
        for line in &self.lines {
            let sentence = self.text(line);
            match line.is_asked() {
                true => {
                    number += 1;
                    writeln!(text, "{number}. {sentence}")
                }
                false => writeln!(text, "   {sentence}"),
            }
            .expect("a string takes all");
        }
        text
    }

    pub(super) fn words(&self) -> &WordingWords {
        self.lexicon.wording().expect("a pack of wordings")
    }
}
