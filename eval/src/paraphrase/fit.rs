//! Whether a text is a sentence of the lexicon for one event: of this kind, about these people, places and things.

use crate::check::{Act, Hearers, Part, Value};
use crate::form::{Audience, DOWN_IN, Hole, INTO, SentenceKind, Slot, WordedPiece};
use crate::pack::{Beginning, Tense, WordingWords, plain_pieces};
use crate::prose::{Reader, Sentence, Told};
use crate::spelling::{after_capital, at_start, with_article};

/// What a sentence has to tell: its kind, and how each thing that it names may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    kind: SentenceKind,
    named: Vec<(Slot, Vec<String>)>,
    /// The storyboard's verbs, in each tense.
    verbs: [Vec<String>; 2],
}

/// A text that may be a way to word a sentence, whether the sentence begins with it, and how it begins.
type Candidate<'t> = ((&'t str, bool), Beginning);

/// What a sentence follows, which says what its kind can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It is the first of its story.
    First,
    /// It follows another one.
    Later,
}

impl Telling {
    /// What the plain `text` tells, which says `said`, by somebody who is `here`; `None` if it is not the plain sentence for that, or
    /// there are no other words for it.
    pub fn of(text: &str, said: &Sentence<'_>, here: Option<&str>, reader: &Reader<'_>) -> Option<Self> {
        let mut tellings = kinds_of(said).into_iter().flat_map(|kind| {
            // What is said goes from one of its `that` to the end.
            let statements = text.match_indices(" that ").map(|(at, that)| &text[at + that.len()..]);
            let clauses = statements.filter_map(|statement| statement.strip_suffix('.')).map(Some);
            clauses.chain([None]).map(move |clause| (kind, clause))
        });
        tellings.find_map(|(kind, clause)| {
            let telling = Self::with(kind, said, here, clause, reader)?;
            let is_plain = telling.reads(&plain_pieces(kind), text, true, Tense::Present);
            is_plain.then_some(telling)
        })
    }

    fn with(
        kind: SentenceKind,
        said: &Sentence<'_>,
        here: Option<&str>,
        clause: Option<&str>,
        reader: &Reader<'_>,
    ) -> Option<Self> {
        let mut named = Vec::new();
        match said {
            Sentence::Peeks(who) | Sentence::Misses(who, _) => {
                named.push((Slot::Hole(Hole::Who), vec![reader.person_in_sentences(who)?.to_owned()]));
            }
            Sentence::Event(told) => named = named_in(told, here, clause, reader)?,
            Sentence::Other => return None,
        }
        let present: Vec<String> = reader.verbs().iter().map(|&verb| verb.to_owned()).collect();
        let past = present.iter().filter_map(|verb| crate::text::past(verb)).collect();
        Some(Self { kind, named, verbs: [present, past] })
    }

    /// The tenses in which a text tells this in the words of a lexicon: as it is, or without words for "then" before or after it.
    pub fn tenses(&self, words: &WordingWords, text: &str, position: Position) -> Vec<Tense> {
        let is_later = position == Position::Later && self.kind.is_event();
        let after_then = words.then.iter().filter_map(|then| after_capital(text, then)?.strip_prefix(' '));
        let before_then = self.before_then(words, text);
        let at_start = std::iter::once(text).chain(before_then.as_deref().filter(|_| is_later));
        let after_then = after_then.filter(|_| is_later).map(|rest| (rest, false));
        let texts = at_start.map(|text| (text, true)).chain(after_then);
        let candidates: Vec<Candidate<'_>> = texts.map(|text| (text, self.beginning(text))).collect();
        let is_in = |tense: &Tense| {
            let is_plain =
                *tense == Tense::Present && self.reads(&plain_pieces(self.kind), text, true, *tense);
            is_plain || words.tenses.contains(tense) && self.is_worded(words, &candidates, *tense, position)
        };
        Tense::ALL.into_iter().filter(is_in).collect()
    }

    /// A text without words for "then" at its end, if it has them. What is said, and ends its sentence, is none of theirs.
    fn before_then(&self, words: &WordingWords, text: &str) -> Option<String> {
        let sentence = text.strip_suffix('.').filter(|_| self.kind.last().is_none())?;
        let before = words.last_words().find_map(|then| sentence.strip_suffix(then)?.strip_suffix(' '));
        before.map(|before| format!("{before}."))
    }

    /// Whether any of these is one of the ways of a lexicon.
    fn is_worded(
        &self,
        words: &WordingWords,
        candidates: &[Candidate<'_>],
        tense: Tense,
        position: Position,
    ) -> bool {
        words.ways(self.kind).iter().any(|way| {
            let pieces = &way.pieces[tense as usize];
            let mut begun = candidates.iter().filter(|(_, beginning)| way.can_begin(beginning));
            begun.any(|((text, is_at_start), _)| self.reads(pieces, text, *is_at_start, tense))
                // Nothing comes before the first sentence that it could come after.
                && (position == Position::Later || !says_then(pieces, words))
        })
    }

    /// How a text begins, for ways that begin with the person or the people whom this names, or with words.
    fn beginning(&self, (text, is_at_start): (&str, bool)) -> Beginning {
        let after = |hole: Hole| {
            let names = &self.named.iter().find(|(slot, _)| *slot == Slot::Hole(hole))?.1;
            names.iter().find_map(|name| after_name(text, name, is_at_start))
        };
        Beginning::new(Some(text), after(Hole::Who), after(Hole::Everyone))
    }

    /// Whether a text is these pieces with what is named in their holes, and a full stop.
    fn reads(&self, pieces: &[WordedPiece], text: &str, is_at_start: bool, tense: Tense) -> bool {
        let Some((piece, pieces)) = pieces.split_first() else { return text == "." };
        let goes_on = |rest: Option<&str>| rest.is_some_and(|rest| self.reads(pieces, rest, false, tense));
        match piece {
            WordedPiece::Words(words) if is_at_start => goes_on(after_capital(text, words)),
            WordedPiece::Words(words) => goes_on(text.strip_prefix(&**words)),
            WordedPiece::Slot(slot) => {
                self.written(*slot, tense).iter().any(|name| goes_on(after_name(text, name, is_at_start)))
            }
        }
    }

    /// How a sentence may have what is named in a hole.
    fn written(&self, slot: Slot, tense: Tense) -> &[String] {
        match slot {
            Slot::Hole(Hole::Verb) => &self.verbs[tense as usize],
            slot => self.named.iter().find(|(known, _)| *known == slot).map_or(&[], |(_, names)| names),
        }
    }
}

/// What follows a name. Where a sentence begins, it may have a capital letter, and its article does.
fn after_name<'t>(text: &'t str, name: &str, is_at_start: bool) -> Option<&'t str> {
    match is_at_start {
        true => text.strip_prefix(&*at_start(name)).or_else(|| after_capital(text, name)),
        false => text.strip_prefix(name),
    }
}

/// The kinds of sentences that say this.
fn kinds_of(said: &Sentence<'_>) -> Vec<SentenceKind> {
    match said {
        Sentence::Event(told) => match &told.deed.act {
            Act::Turn(_) => Vec::new(),
            Act::Tell(telling) => vec![SentenceKind::Told(match telling.hearers {
                Hearers::Present => Audience::Present,
                Hearers::Named(_) => Audience::Beside,
                Hearers::Afar(_) => Audience::Afar,
            })],
            act => vec![SentenceKind::Deed(act.kind())],
        },
        // The words of the plain sentence say which it is.
        Sentence::Peeks(_) => vec![SentenceKind::Watched, SentenceKind::Overheard],
        Sentence::Misses(_, is_noticed) => vec![SentenceKind::Missed(*is_noticed)],
        Sentence::Other => Vec::new(),
    }
}

/// How a sentence may have what an event names; `None` if it names something unknown.
fn named_in(
    told: &Told<'_>,
    here: Option<&str>,
    clause: Option<&str>,
    reader: &Reader<'_>,
) -> Option<Vec<(Slot, Vec<String>)>> {
    let person = |who: &str| reader.person_in_sentences(who).map(str::to_owned);
    let place = |place: &str| reader.place_in_sentences(place).map(str::to_owned);
    let people = |people: &[&str]| {
        let names: Option<Vec<String>> = people.iter().map(|who| person(who)).collect();
        names.map(|names| listed(&names))
    };
    let mut named = vec![(Slot::Hole(Hole::Who), vec![person(told.who)?])];
    if let Some(here) = here {
        named.push((Slot::Hole(Hole::Here), vec![place(here)?]));
    }
    if let Some(there) = told.to {
        named.push((Slot::Hole(Hole::There), vec![place(there)?]));
    }
    for (at, part) in told.deed.act.parts().enumerate() {
        let slot = Slot::Hole(Hole::Part(at));
        match part {
            Part::Company(others) => {
                let everyone: Vec<&str> = std::iter::once(told.who).chain(others).collect();
                named.push((Slot::Hole(Hole::Everyone), people(&everyone)?));
            }
            Part::Person(who) => named.push((slot, vec![person(who)?])),
            Part::Place(at) => named.push((slot, vec![place(at)?])),
            Part::Object(thing) | Part::Container(thing) => {
                named.push((slot, vec![with_article(thing).into_owned()]));
            }
            Part::Spot(Value::Container(container)) => {
                named.push((slot, INTO.map(|into| format!("{into}{}", with_article(container))).to_vec()));
            }
            Part::Spot(Value::Place(at)) => named.push((slot, vec![format!("{DOWN_IN}{}", place(at)?)])),
            Part::Spot(_) => return None,
            Part::Liking(_) | Part::Fact(_) => named.push((slot, vec![clause?.to_owned()])),
            Part::Telling(telling) => {
                named.push((Slot::Said, vec![clause?.to_owned()]));
                let mut hearers = people(telling.hearers.named())?;
                if matches!(&telling.hearers, Hearers::Afar(all) if all.len() > 1) {
                    hearers.iter_mut().for_each(|all| all.push_str(", all in one call,"));
                }
                named.push((Slot::Hearers, hearers));
            }
        }
    }
    Some(named)
}

/// A list of names as it may be written, with a comma before `and` or without.
fn listed(names: &[String]) -> Vec<String> {
    match names {
        [] => Vec::new(),
        [only] => vec![only.clone()],
        [first, second] => vec![format!("{first} and {second}")],
        [all @ .., last] => [" and ", ", and "].map(|and| format!("{}{and}{last}", all.join(", "))).to_vec(),
    }
}

/// Whether a sentence says within itself that it comes after something.
fn says_then(pieces: &[WordedPiece], words: &WordingWords) -> bool {
    let spaced = |text: &str| format!(" {} ", text.replace(',', " ").trim());
    pieces.iter().any(|piece| match piece {
        WordedPiece::Words(said) => words.then.iter().any(|then| spaced(said).contains(&spaced(then))),
        WordedPiece::Slot(_) => false,
    })
}
