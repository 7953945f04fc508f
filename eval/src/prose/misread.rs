//! Words of an author that readers would take for something that happens, or that is so.
//!
//! A note changes nothing, and nobody takes note of it. If it were worded like an event, a reader would believe that the
//! event happens, and the answers would contradict the text. The same goes for a proposition that is worded like a fact
//! about people or things, and for a verb that makes a move sound like another deed.

use super::words::Cursor;
use super::{Reader, Tale};
use crate::check::Act;
use crate::diagnostic::Diagnostic;
use crate::storyboard::{NotePart, Storyboard};

/// What somebody's words would be taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Event,
    Attention,
    Fact,
}

impl Taken {
    const fn remark(self) -> &'static str {
        match self {
            Self::Event => "reads like an event",
            Self::Attention => "reads like a sentence on who watches or misses an event",
            Self::Fact => "reads like a statement about people or things",
        }
    }
}

/// Everything in a storyboard's own words that a reader would take for something else.
///
/// ```
/// use storysim::{diagnostic::Source, prose::misread, storyboard::parse};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: [Ann, Bob]}\nroles: [S1]\nplaces: {complete: [a, b]}\n\
///             start: a\nhorizon: 3\nevents: [{at: 1, note: \"{S1} enters b.\"}]\nquestions: [{reality: S1}]\n";
/// let board = parse(Source { name: "doc.yaml".into(), text: text.into() }).unwrap();
/// assert_eq!(misread(&board)[0].message, "this note says that something happens, but a note changes nothing");
/// ```
pub fn misread(board: &Storyboard) -> Vec<Diagnostic> {
    let reader = Reader::new(board, Vec::new());
    let mut problems = Vec::new();
    for (span, text) in board.notes() {
        let sample = reader.sample(text);
        let Some(taken) = reader.taken_for(&sample) else { continue };
        let what = match taken {
            Taken::Event | Taken::Attention => "something happens",
            Taken::Fact => "something is so",
        };
        // Where a board is woven, its notes are not to be seen.
        let which = match board.weave {
            Some(_) => format!("the note \"{sample}\" of this board"),
            None => "this note".to_owned(),
        };
        let what = format!("{which} says that {what}, but a note changes nothing");
        let help = "word it differently, or use an event";
        let problem = Diagnostic::error(what, span, taken.remark()).help(help);
        // A note may be wrong in both tenses.
        if problems.last() != Some(&problem) {
            problems.push(problem);
        }
    }
    // What is said may be any fact; so only what is no proposition counts.
    for proposition in &board.propositions {
        let is_fact = |text| reader.is_fact(&reader.sample(text));
        if is_fact(&proposition.says) || is_fact(&proposition.denies) {
            let message =
                format!("`{}` says something that the story itself decides", proposition.name.value);
            let problem = Diagnostic::error(message, proposition.name.span, Taken::Fact.remark());
            problems.push(problem.help("word it differently, or ask about the thing itself"));
        }
    }
    problems.extend(reader.verbs_like_deeds());
    problems
}

impl<'a> Reader<'a> {
    /// A text with some name in place of each role and bind.
    fn sample(&self, text: &[NotePart]) -> String {
        let is_role = |name: &str| self.board.roles.iter().any(|role| role.value == name);
        let part = |part: &NotePart| match part {
            NotePart::Text(text) => text.clone(),
            NotePart::Name(name) => {
                let names = if is_role(&name.value) { &self.people } else { &self.places };
                names.spelt().next().unwrap_or_default().to_owned()
            }
        };
        text.iter().map(part).collect()
    }

    /// What a reader takes any sentence of a note for, if not for a note.
    fn taken_for(&self, text: &str) -> Option<Taken> {
        let mut cursor = Cursor::new(text);
        loop {
            let begin = cursor.skip_to_sentence();
            if cursor.is_at_end() {
                return None;
            }
            // Who misses or watches an event is said after it.
            let mut tale = Tale { told: vec![super::Told::default()], ..Tale::default() };
            if self.aside(&mut cursor, &mut tale) || self.worded_aside(&mut cursor, &mut tale) {
                return Some(Taken::Attention);
            }
            let is_worded = self.meant().any(|before| {
                let mut cursor = Cursor::new(text);
                cursor.at = begin;
                self.worded(&mut cursor, before).is_some()
            });
            if is_worded || self.event(&mut cursor).is_some() {
                return Some(Taken::Event);
            }
            if cursor.attempt(|cursor| self.fact(cursor)).is_some() {
                return Some(Taken::Fact);
            }
            cursor.at = begin;
            cursor.give_up(begin);
        }
    }

    /// Whom a sentence could mean by a pronoun: nobody, or for each pronoun somebody.
    fn meant(&self) -> impl Iterator<Item = Option<&'a str>> {
        let pronouns = self.words().map_or(0, |words| words.pronouns.len());
        let names = || self.people.spelt().filter_map(|name| self.people.called(name));
        let is_meant = |name: &&str, at| self.words().and_then(|words| words.pronoun_of(name)) == Some(at);
        let somebody = (0..pronouns).filter_map(move |at| names().find(|name| is_meant(name, at)));
        std::iter::once(None).chain(somebody.map(Some))
    }

    /// Whether a clause says where something is, or what somebody likes.
    fn is_fact(&self, text: &str) -> bool {
        self.plain_fact(&mut Cursor::new(text)).is_some()
    }

    /// Verbs with which going to a place sounds like another deed.
    fn verbs_like_deeds(&self) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let mute = Self { verbs: Vec::new(), ..self.clone() };
        for verb in &self.board.verbs {
            let (Some(who), Some(place)) = (self.people.spelt().next(), self.places.spelt().next()) else {
                continue;
            };
            let sentence = format!("{who} {} {place}.", verb.value);
            let is_deed = match mute.event(&mut Cursor::new(&sentence)) {
                Some(_) => true,
                None => mute
                    .worded(&mut Cursor::new(&sentence), None)
                    .is_some_and(|told| told.iter().any(|told| told.deed.act != Act::Go)),
            };
            if is_deed {
                let message =
                    format!("going somewhere with the verb `{}` reads like another deed", verb.value);
                problems.push(
                    Diagnostic::error(message, verb.span, "a deed is told in these words")
                        .help("choose another verb"),
                );
            }
        }
        problems
    }
}
