//! The sentences of a wording, read back: in any way, in either tense, with what they begin with and what joins them.

use std::sync::Arc;

use super::words::{Cursor, literal};
use super::{Reader, Tale, Told};
use crate::check::{Act, Hearers, Part, Telling};
use crate::diagnostic::{Source, Span};
use crate::form::{ActKind, Audience, Hole, PartForm, SentenceKind, Slot, Sort, WordedPiece};
use crate::pack::{self, Beginning, Pack, Way, WordingWords};
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

/// Where a sentence is read from.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// From its first word, which has a capital letter.
    Capital,
    /// From what follows words such as `then`.
    AfterThen,
    /// From what follows a pronoun or a joint, which stands for this person.
    AfterPronoun(&'a str),
}

/// How a sentence ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Another one is joined to it.
    Open,
    /// With a full stop.
    Stop,
    /// With a full stop, or with words such as `next` before it.
    StopOrThen,
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
        let from = cursor.at;
        let begins = words.then.iter().any(|then| cursor.attempt(|cursor| begin(cursor, then)).is_some());
        let who = before.filter(|before| pronoun(cursor, words, before, !begins));
        let (start, beginning) = match who {
            Some(who) => (Start::AfterPronoun(who), Beginning::new(None, Some(cursor.rest()), None)),
            None => (if begins { Start::AfterThen } else { Start::Capital }, self.beginning(cursor)),
        };
        let ways = || {
            let begins_with_name = |way: &Way| matches!(way.pieces[0][0], WordedPiece::Slot(_));
            let ways = self.event_ways(words).filter(|(_, way)| way.can_begin(&beginning));
            let ways =
                ways.filter(|(kind, way)| who.is_none() || kind.can_go_on() && way.can_begin_with_pronoun());
            ways.filter(move |(_, way)| !begins || begins_with_name(way))
        };
        for (kind, way) in ways() {
            let told = cursor.attempt(|cursor| self.way(cursor, kind, way, start, End::Stop));
            if let Some(told) = told {
                return Some(vec![told]);
            }
        }
        let firsts = ways().filter(|(kind, way)| kind.can_go_on() && way.can_go_on());
        for (kind, way) in firsts.filter(|_| !words.joined.is_empty()) {
            let both = cursor.attempt(|cursor| {
                let first = self.way(cursor, kind, way, start, End::Open)?;
                let second = self.joined(cursor, words, first.who)?;
                Some(vec![first, second])
            });
            if both.is_some() {
                return both;
            }
        }
        cursor.at = from;
        self.freely_worded(cursor, words).map(|told| vec![told])
    }

    /// Reads a sentence as a writer may place words for "then": before any words, or at the end. Stories that we draw have them before a
    /// name alone.
    fn freely_worded(&self, cursor: &mut Cursor<'_, 'a>, words: &WordingWords) -> Option<Told<'a>> {
        self.starts(cursor, words).into_iter().find_map(|(from, start)| {
            cursor.at = from;
            let beginning = self.beginning(cursor);
            let mut ways = self.event_ways(words).filter(|(_, way)| way.can_begin(&beginning));
            ways.find_map(|(kind, way)| {
                cursor.attempt(|cursor| self.way(cursor, kind, way, start, End::StopOrThen))
            })
        })
    }

    /// Where a sentence can be read from: its beginning, and what follows each of the words for "then" that it may begin with.
    pub(super) fn starts(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        words: &WordingWords,
    ) -> Vec<(usize, Start<'a>)> {
        let from = cursor.at;
        let mut starts = vec![(from, Start::Capital)];
        for then in &words.then {
            if begin(cursor, then).is_some() {
                starts.push((cursor.at, Start::AfterThen));
            }
            cursor.at = from;
        }
        starts
    }

    /// How a text begins, read once for all ways that it may be worded in.
    pub(super) fn beginning(&self, cursor: &mut Cursor<'_, 'a>) -> Beginning {
        let at = cursor.at;
        let rest = cursor.rest();
        let after_person = self.person(cursor).map(|_| cursor.rest());
        cursor.at = at;
        let after_people = self.people(cursor).map(|_| cursor.rest());
        cursor.at = at;
        Beginning::new(Some(rest), after_person, after_people)
    }

    /// Reads what is joined to a sentence about the same person.
    fn joined(&self, cursor: &mut Cursor<'_, 'a>, words: &WordingWords, who: &'a str) -> Option<Told<'a>> {
        words.joined.iter().find_map(|joint| {
            cursor.attempt(|cursor| {
                literal(cursor, &format!(" {joint} ")).then_some(())?;
                self.event_ways(words).filter(|(_, way)| way.can_be_joined()).find_map(|(kind, way)| {
                    cursor.attempt(|cursor| self.way(cursor, kind, way, Start::AfterPronoun(who), End::Stop))
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

    /// Reads a sentence in one way, in either tense.
    pub(super) fn way(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        kind: SentenceKind,
        way: &Way,
        start: Start<'a>,
        end: End,
    ) -> Option<Told<'a>> {
        way.pieces.iter().find_map(|pieces| {
            cursor.attempt(|cursor| {
                let begin = cursor.at;
                let mut read = Read { parts: vec![None; parts_of(kind).len()], ..Read::default() };
                let pieces = match start {
                    Start::AfterPronoun(who) => {
                        read.told.who = who;
                        &pieces[1..]
                    }
                    Start::Capital | Start::AfterThen => &pieces[..],
                };
                for (at, piece) in pieces.iter().enumerate() {
                    match piece {
                        WordedPiece::Words(words) => {
                            let is_read = match (at, start) {
                                (0, Start::Capital) => begin_with(cursor, words),
                                (0, Start::AfterPronoun(_)) => literal(cursor, words.trim_start()),
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
                let is_later = || end == End::StopOrThen && kind.last().is_none();
                (is_ended || end == End::Open || cursor.end() || is_later() && self.end_with_then(cursor))
                    .then_some(())?;
                let mut told = finished(kind, read)?;
                told.span = Span::new(begin, cursor.at);
                Some(told)
            })
        })
    }

    /// Reads the end of a sentence after words such as `next`: "Ann goes to the hall next."
    fn end_with_then(&self, cursor: &mut Cursor<'_, 'a>) -> bool {
        self.words().into_iter().flat_map(WordingWords::last_words).any(|then| {
            let ends = |cursor: &mut Cursor<'_, 'a>| {
                (literal(cursor, " ") && literal(cursor, then) && cursor.end()).then_some(())
            };
            cursor.attempt(ends).is_some()
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
        let beginning = self.beginning(cursor);
        for (kind, way) in aside_ways(words).filter(|(_, way)| way.can_begin(&beginning)) {
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
