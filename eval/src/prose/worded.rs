//! The sentences of a wording, read back: in any way, in either tense, with what they begin with and what joins them.

use std::sync::Arc;

use super::words::{Cursor, literal};
use super::{Reader, Tale, Told};
use crate::check::{Act, Hearers, Part, Telling};
use crate::diagnostic::{Source, Span};
use crate::form::{ActKind, Audience, Hole, PartForm, SentenceKind, Slot, Sort, WordedPiece};
use crate::pack::{self, Pack, Way, WordingWords};
use crate::spelling::capital;
use crate::storyboard::Storyboard;

/// The pack of the storyboard's wording, if it has one that can be read.
pub(super) fn wording_of(board: &Storyboard) -> Option<Arc<Pack>> {
    let name = &board.wording.as_ref()?.value;
    if let Some(built_in) = pack::built_in(name) {
        return Some(Arc::clone(built_in));
    }
    let file = board.files.iter().find(|file| file.name == *name)?;
    let text = file.text.clone().ok()?;
    pack::parse(Source { name: name.clone(), text }).ok().map(Arc::new)
}

/// What has been read of a sentence.
#[derive(Default)]
struct Read<'a> {
    told: Told<'a>,
    parts: Vec<Option<Part<'a>>>,
    hearers: Vec<&'a str>,
    telling: Option<Telling<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn words(&self) -> Option<&WordingWords> {
        self.wording.as_ref()?.wording()
    }

    /// Reads a sentence of the wording: one event, or two that are joined. `before` is the only person whom the sentence before
    /// names, if there is one: a pronoun can stand for her.
    pub(super) fn worded(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        before: Option<&'a str>,
    ) -> Option<Vec<Told<'a>>> {
        let words = self.words()?;
        let begins = words.then.iter().any(|then| cursor.attempt(|cursor| begin(cursor, then)).is_some());
        let who = before.filter(|before| pronoun(cursor, words, before, !begins));
        let beginning = match who {
            Some(_) => Beginning::after_pronoun(cursor),
            None => self.beginning(cursor),
        };
        let ways = || {
            let begins_with_name = |way: &Way| matches!(way.pieces[0][0], WordedPiece::Slot(_));
            let ways = self.event_ways(words).filter(|(_, way)| beginning.is_of(way));
            let ways =
                ways.filter(|(kind, way)| who.is_none() || kind.can_go_on() && way.can_begin_with_pronoun());
            ways.filter(move |(_, way)| !begins || begins_with_name(way))
        };
        for (kind, way) in ways() {
            let told = cursor.attempt(|cursor| self.way(cursor, kind, way, who, true));
            if let Some(told) = told {
                return Some(vec![told]);
            }
        }
        if words.joined.is_empty() {
            return None;
        }
        let firsts = ways().filter(|(kind, way)| kind.can_go_on() && way.can_go_on());
        for (kind, way) in firsts {
            let both = cursor.attempt(|cursor| {
                let first = self.way(cursor, kind, way, who, false)?;
                let second = self.joined(cursor, words, first.who)?;
                Some(vec![first, second])
            });
            if both.is_some() {
                return both;
            }
        }
        None
    }

    /// How a text begins, read once for all ways that it may be worded in.
    pub(super) fn beginning<'t>(&self, cursor: &mut Cursor<'t, 'a>) -> Beginning<'t> {
        let at = cursor.at;
        let rest = cursor.rest();
        let after_person = self.person(cursor).map(|_| cursor.rest());
        cursor.at = at;
        let after_people = self.people(cursor).map(|_| cursor.rest());
        cursor.at = at;
        Beginning { rest, after_person, after_people }
    }

    /// Reads what is joined to a sentence about the same person.
    fn joined(&self, cursor: &mut Cursor<'_, 'a>, words: &WordingWords, who: &'a str) -> Option<Told<'a>> {
        words.joined.iter().find_map(|joint| {
            cursor.attempt(|cursor| {
                literal(cursor, &format!(" {joint} ")).then_some(())?;
                self.event_ways(words).filter(|(_, way)| way.can_be_joined()).find_map(|(kind, way)| {
                    cursor.attempt(|cursor| self.way(cursor, kind, way, Some(who), true))
                })
            })
        })
    }

    /// All ways to tell an event that stories of this storyboard can have.
    pub(super) fn event_ways<'w>(
        &self,
        words: &'w WordingWords,
    ) -> impl Iterator<Item = (SentenceKind, &'w Way)> {
        let kinds = words.sentences.iter().filter(|(kind, _)| kind.is_event() && self.can_have(*kind));
        kinds.flat_map(|(kind, ways)| ways.iter().map(move |way| (*kind, way)))
    }

    /// Whether stories of this storyboard can have such sentences.
    fn can_have(&self, kind: SentenceKind) -> bool {
        match kind {
            SentenceKind::Deed(kind) => {
                let form = kind.form();
                self.has_deeds && self.has_props(form) || kind == ActKind::Go
            }
            _ => self.has_deeds,
        }
    }

    /// Reads a sentence in one way, in either tense; with `who`, without the name of whoever acts. `is_whole` says that it ends there.
    pub(super) fn way(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        kind: SentenceKind,
        way: &Way,
        who: Option<&'a str>,
        is_whole: bool,
    ) -> Option<Told<'a>> {
        way.pieces.iter().find_map(|pieces| {
            cursor.attempt(|cursor| {
                let begin = cursor.at;
                let mut read = Read { parts: vec![None; parts_of(kind).len()], ..Read::default() };
                let pieces = match who {
                    None => &pieces[..],
                    Some(who) => {
                        read.told.who = who;
                        &pieces[1..]
                    }
                };
                for (at, piece) in pieces.iter().enumerate() {
                    match piece {
                        WordedPiece::Words(words) => {
                            let is_read = match (at, who) {
                                (0, None) => begin_with(cursor, words),
                                (0, Some(_)) => literal(cursor, words.trim_start()),
                                _ => literal(cursor, words),
                            };
                            is_read.then_some(())?;
                        }
                        WordedPiece::Slot(slot) => self.worded_slot(cursor, kind, *slot, &mut read)?,
                    }
                }
                // What is said reads up to the end of its sentence.
                let is_ended = match kind {
                    SentenceKind::Told(_) => true,
                    _ => parts_of(kind).iter().any(|part| part.sort == Sort::Fact),
                };
                (is_ended || !is_whole || cursor.end()).then_some(())?;
                let mut told = finished(kind, read)?;
                told.span = Span::new(begin, cursor.at);
                Some(told)
            })
        })
    }

    /// Reads what stands in a slot.
    fn worded_slot(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        kind: SentenceKind,
        slot: Slot,
        read: &mut Read<'a>,
    ) -> Option<()> {
        match slot {
            Slot::Hole(Hole::Who) => read.told.who = self.person(cursor)?,
            Slot::Hole(Hole::Everyone) => {
                let mut everyone = self.people(cursor)?;
                (everyone.len() > 1).then_some(())?;
                read.told.who = everyone.remove(0);
                read.parts[0] = Some(Part::Company(everyone));
            }
            Slot::Hole(Hole::Verb) => self.any_verb(cursor).then_some(())?,
            Slot::Hole(Hole::Here) => read.told.at = Some(self.place(cursor)?),
            Slot::Hole(Hole::There) => read.told.to = Some(self.place(cursor)?),
            Slot::Hole(Hole::Part(at)) => {
                read.parts[at] = Some(self.part(cursor, parts_of(kind)[at].sort, &mut read.told)?);
            }
            Slot::Hearers => {
                read.hearers = self.people(cursor)?;
                if read.hearers.len() > 1 && kind == SentenceKind::Told(Audience::Afar) {
                    literal(cursor, ", all in one call,").then_some(())?;
                }
            }
            Slot::Said => {
                let (item, value, statements) = self.fact(cursor)?;
                read.told.statements = statements;
                let hearers = match kind {
                    SentenceKind::Told(Audience::Present) => Hearers::Present,
                    SentenceKind::Told(Audience::Beside) => Hearers::Named(std::mem::take(&mut read.hearers)),
                    _ => Hearers::Afar(std::mem::take(&mut read.hearers)),
                };
                read.telling = Some(Telling { hearers, item, value, believers: None });
            }
        }
        Some(())
    }

    /// Reads one of the storyboard's verbs, in either tense.
    fn any_verb(&self, cursor: &mut Cursor<'_, 'a>) -> bool {
        self.verbs.iter().any(|verb| {
            literal(cursor, verb) || crate::text::past(verb).is_some_and(|past| literal(cursor, &past))
        })
    }

    /// Reads a sentence of the wording that says who watches or misses the last event, and records it there.
    pub(super) fn worded_aside(&self, cursor: &mut Cursor<'_, 'a>, tale: &mut Tale<'a>) -> bool {
        let Some(words) = self.words() else { return false };
        let Some(last) = tale.told.last_mut() else { return false };
        for (kind, way) in aside_ways(words) {
            if let Some(who) = self.aside_way(cursor, way) {
                match kind {
                    SentenceKind::Missed(is_noticed) => last.deed.distracted.push((who, is_noticed)),
                    _ => last.deed.peeking.push(who),
                }
                return true;
            }
        }
        false
    }

    /// Reads a sentence on who watches or misses an event in one way, in either tense.
    pub(super) fn aside_way(&self, cursor: &mut Cursor<'_, 'a>, way: &Way) -> Option<&'a str> {
        way.pieces.iter().find_map(|pieces| {
            cursor.attempt(|cursor| {
                let mut who = None;
                for (at, piece) in pieces.iter().enumerate() {
                    match piece {
                        WordedPiece::Words(words) if at == 0 => begin_with(cursor, words),
                        WordedPiece::Words(words) => literal(cursor, words),
                        WordedPiece::Slot(_) => {
                            who = self.person(cursor);
                            who.is_some()
                        }
                    }
                    .then_some(())?;
                }
                cursor.end().then_some(who).flatten()
            })
        })
    }
}

/// All ways to tell who watches or misses an event.
pub(super) fn aside_ways(words: &WordingWords) -> impl Iterator<Item = (SentenceKind, &Way)> {
    let asides = words.sentences.iter().filter(|(kind, _)| !kind.is_event());
    asides.flat_map(|(kind, ways)| ways.iter().map(move |way| (*kind, way)))
}

/// How a text begins.
pub(super) struct Beginning<'t> {
    rest: &'t str,
    /// What follows a person, if it begins with one.
    after_person: Option<&'t str>,
    /// What follows one person or more.
    after_people: Option<&'t str>,
}

impl<'t> Beginning<'t> {
    /// How it goes on after a pronoun, and the blank after that.
    fn after_pronoun(cursor: &Cursor<'t, '_>) -> Self {
        Self { rest: "", after_person: Some(cursor.rest()), after_people: None }
    }

    /// Whether a way can begin so, in any tense, as far as its first words show. This saves trying most of them.
    pub(super) fn is_of(&self, way: &Way) -> bool {
        way.pieces.iter().any(|pieces| {
            let (rest, words) = match pieces.split_first() {
                Some((WordedPiece::Words(_), _)) => (Some(self.rest), &pieces[..]),
                Some((WordedPiece::Slot(Slot::Hole(Hole::Who)), words)) => (self.after_person, words),
                Some((WordedPiece::Slot(Slot::Hole(Hole::Everyone)), words)) => (self.after_people, words),
                _ => return true,
            };
            let Some(rest) = rest else { return false };
            let Some(WordedPiece::Words(words)) = words.first() else { return true };
            let Some(word) = words.split_whitespace().next() else { return true };
            // Where a sentence begins, its first letter is a capital one, and that may even be two.
            let (mut rest, mut word) = (rest.trim_start().chars(), word.chars());
            let is_one = word.next().is_none_or(|first| first.to_uppercase().count() == 1);
            rest.next();
            !is_one || rest.as_str().starts_with(word.as_str())
        })
    }
}

fn parts_of(kind: SentenceKind) -> &'static [PartForm] {
    match kind {
        SentenceKind::Deed(kind) => kind.form().parts,
        _ => &[],
    }
}

/// The event that was read.
fn finished<'a>(kind: SentenceKind, read: Read<'a>) -> Option<Told<'a>> {
    let Read { mut told, parts, telling, .. } = read;
    told.deed.act = match kind {
        SentenceKind::Deed(kind) => kind.act(parts.into_iter().flatten())?,
        _ => Act::Tell(telling?),
    };
    Some(told)
}

/// Reads the pronoun of a person, and the blank after it.
fn pronoun(cursor: &mut Cursor<'_, '_>, words: &WordingWords, who: &str, is_at_start: bool) -> bool {
    words.pronouns.iter().enumerate().any(|(at, pronoun)| {
        let word = if is_at_start { &pronoun.at_start } else { &pronoun.word };
        let read = cursor.attempt(|cursor| {
            (literal(cursor, word) && literal(cursor, " ") && words.pronoun_of(who) == Some(at)).then_some(())
        });
        read.is_some()
    })
}

/// Reads words that begin a sentence, with a capital letter and a blank after them.
pub(super) fn begin(cursor: &mut Cursor<'_, '_>, then: &str) -> Option<()> {
    (begin_with(cursor, then) && literal(cursor, " ")).then_some(())
}

/// Reads words with a capital letter at their beginning.
fn begin_with(cursor: &mut Cursor<'_, '_>, words: &str) -> bool {
    literal(cursor, &capital(words))
}
