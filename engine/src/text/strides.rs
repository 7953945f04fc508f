//! The sentences of those who walk, in the words of a wording, put together from a few pieces.
//!
//! Each way to word a move is cut behind every name: "Ann goes from |the hall| to the kitchen. ". A piece depends on one name
//! alone, so there are few of them. Each is kept in memory of one size and copied without a look at its length, as whole plain
//! sentences are (`moves.rs`).

use super::ways::{self, SpeltWay};
use super::{Lexicon, Words};
use crate::form::{Hole, Slot, WordedPiece};
use crate::simulate::Story;

/// The size of a piece, of which the last byte is its length.
const SIZE: usize = 64;

type Piece = [u8; SIZE];

/// The pieces for moves, in both tenses.
#[derive(Clone, Debug)]
pub(super) struct Strides {
    ways: [Vec<Stride>; 2],
    /// Those that can be joined, without whoever acts.
    joined: [Vec<Stride>; 2],
    /// Their numbers among all.
    joined_at: Vec<usize>,
    then: Vec<Piece>,
    joints: Vec<Piece>,
}

/// A way to word a move.
#[derive(Clone, Debug)]
struct Stride {
    cuts: Vec<Cut>,
    /// The first piece after words such as "then".
    first_within: Vec<Piece>,
    begins_with_name: bool,
    can_go_on: bool,
    takes_pronoun: bool,
}

/// A piece for each name that can stand at its end.
#[derive(Clone, Debug)]
struct Cut {
    named: Named,
    pieces: Vec<Piece>,
}

/// What is named at the end of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Who,
    Verb,
    Here,
    There,
}

fn piece(text: &str) -> Option<Piece> {
    let mut kept = [0; SIZE];
    kept.get_mut(..text.len()).filter(|room| room.len() < SIZE)?.copy_from_slice(text.as_bytes());
    kept[SIZE - 1] = text.len() as u8;
    Some(kept)
}

/// The largest number of pieces of a step: words such as "then", and one for each name.
const PIECES_MAX: usize = 5;

/// Writes pieces one after another, into room that is there before.
struct Pen<'t> {
    bytes: &'t mut Vec<u8>,
    end: usize,
}

impl<'t> Pen<'t> {
    /// A pen that has room for the pieces of so many steps.
    fn new(bytes: &'t mut Vec<u8>, steps: usize) -> Self {
        bytes.reserve(steps * PIECES_MAX * SIZE);
        Self { end: bytes.len(), bytes }
    }

    #[inline(always)]
    fn write(&mut self, piece: &Piece) {
        debug_assert!(self.end + SIZE <= self.bytes.capacity());
        // SAFETY: a step writes at most `PIECES_MAX` pieces, each of which advances by less than `SIZE`, and there is room for
        // so many of each step.
        unsafe {
            let room = self.bytes.as_mut_ptr().add(self.end);
            piece.as_ptr().copy_to_nonoverlapping(room, SIZE);
        }
        self.end += usize::from(piece[SIZE - 1]);
    }

    fn finish(self) {
        // SAFETY: everything before has been written.
        unsafe { self.bytes.set_len(self.end) };
    }
}

impl Strides {
    /// The pieces of a lexicon's wording; `None` if people do more than walk, or some piece is too long.
    pub fn new(lexicon: &Lexicon<'_>) -> Option<Self> {
        let ways = lexicon.ways.as_ref()?;
        if lexicon.stage.is_some() || !lexicon.notes.is_empty() {
            return None;
        }
        let moves = ways.moves()?;
        let all = |tense: usize| -> Option<Vec<Stride>> {
            moves.ways.iter().map(|way| Stride::new(lexicon, way, tense, false)).collect()
        };
        let joined = |tense: usize| -> Option<Vec<Stride>> {
            moves.joined.iter().map(|&at| Stride::new(lexicon, &moves.ways[at], tense, true)).collect()
        };
        let pieces = |texts: &[String]| texts.iter().map(|text| piece(text)).collect::<Option<Vec<Piece>>>();
        Some(Self {
            ways: [all(0)?, all(1)?],
            joined: [joined(0)?, joined(1)?],
            joined_at: moves.joined.clone(),
            then: pieces(&ways.then)?,
            joints: pieces(&ways.joints)?,
        })
    }

    /// Appends a story of people who walk, with a blank after the last sentence. Costs O(1) per step.
    pub fn tell(&self, lexicon: &Lexicon<'_>, story: &Story, words: &Words, text: &mut String) {
        // SAFETY: whole pieces are appended, each of which was a string; what is taken away is the end of one, and ASCII.
        let bytes = unsafe { text.as_mut_vec() };
        let from = bytes.len();
        let ways = lexicon.ways.as_ref().expect("a wording");
        let mut pen = Pen::new(bytes, story.trace.events.len());
        let tense = lexicon.tense(words);
        let (all, joined) = (&self.ways[tense], &self.joined[tense]);
        let numbers = &words.ways.numbers;
        let mut before: Option<usize> = None;
        let mut last = None;
        for (step, (event, &number)) in story.trace.events.iter().zip(numbers).enumerate() {
            let verb = words.verbs.get(step).map_or(0, |&verb| verb as usize);
            let at = |named: Named| match named {
                Named::Who => story.names[event.who.index()],
                Named::Verb => verb,
                Named::Here => event.from.index(),
                Named::There => event.to.index(),
            };
            let goes_on = last == Some(event.who) && !words.ways.is_named(step);
            last = Some(event.who);
            let is_joined = goes_on
                && before.is_some_and(|way| all[way].can_go_on && ways::wants_to_join(number))
                && !joined.is_empty()
                && !self.joints.is_empty();
            if is_joined {
                pen.end -= ". ".len();
                pen.write(&self.joints[ways::pick_joint(number, self.joints.len())]);
                let stride = &joined[ways::pick_joined(number, &self.joined_at, before)];
                stride.cuts.iter().for_each(|cut| pen.write(&cut.pieces[at(cut.named)]));
                before = None;
                continue;
            }
            let way = ways::pick_way(number, all.len());
            let stride = &all[way];
            let (first, rest) = stride.cuts.split_first().expect("a sentence names somebody");
            let has_then = step > 0 && stride.begins_with_name && ways::wants_then(number);
            // The pronouns stand after the names.
            let pronoun = match goes_on && stride.takes_pronoun && ways::wants_pronoun(number) {
                true => ways
                    .pronoun_of(story.names[event.who.index()])
                    .map(|pronoun| pronoun + lexicon.people.within.len()),
                false => None,
            };
            let name = pronoun.unwrap_or_else(|| at(first.named));
            if has_then && !self.then.is_empty() {
                pen.write(&self.then[ways::pick_then(number, self.then.len())]);
                pen.write(&stride.first_within[name]);
            } else {
                pen.write(&first.pieces[name]);
            }
            rest.iter().for_each(|cut| pen.write(&cut.pieces[at(cut.named)]));
            before = Some(way);
        }
        pen.finish();
        debug_assert!(str::from_utf8(&text.as_bytes()[from..]).is_ok());
    }
}

impl Stride {
    fn new(lexicon: &Lexicon<'_>, way: &SpeltWay, tense: usize, is_joined: bool) -> Option<Self> {
        let pieces = &way.pieces[tense][usize::from(is_joined)..];
        let mut cuts: Vec<Cut> = Vec::new();
        let (mut before, mut first_within) = (String::new(), Vec::new());
        for (at, part) in pieces.iter().enumerate() {
            let named = match part {
                WordedPiece::Words(words) if is_joined && at == 0 => {
                    before.push_str(words.trim_start());
                    continue;
                }
                WordedPiece::Words(words) => {
                    before.push_str(words);
                    continue;
                }
                WordedPiece::Slot(Slot::Hole(Hole::Who)) => Named::Who,
                WordedPiece::Slot(Slot::Hole(Hole::Verb)) => Named::Verb,
                WordedPiece::Slot(Slot::Hole(Hole::Here)) => Named::Here,
                WordedPiece::Slot(Slot::Hole(Hole::There)) => Named::There,
                WordedPiece::Slot(_) => unreachable!("a move names nothing else"),
            };
            // What follows the last name ends the sentence.
            let after = match &pieces[at + 1..] {
                [] => ". ".to_owned(),
                [WordedPiece::Words(words)] => format!("{words}. "),
                _ => String::new(),
            };
            let is_first = at == 0 && !is_joined;
            let names = names(lexicon, named, tense, is_first);
            let cut: Option<Vec<Piece>> =
                names.iter().map(|name| piece(&format!("{before}{name}{after}"))).collect();
            if is_first {
                let within = self::names(lexicon, named, tense, false);
                let within = within.iter().map(|name| piece(&format!("{name}{after}")));
                first_within = within.collect::<Option<Vec<Piece>>>()?;
            }
            cuts.push(Cut { named, pieces: cut? });
            before.clear();
        }
        let SpeltWay { begins_with_name, can_go_on, takes_pronoun, .. } = *way;
        Some(Self { cuts, first_within, begins_with_name, can_go_on, takes_pronoun })
    }
}

/// All names that can stand in a hole.
fn names<'l>(lexicon: &'l Lexicon<'_>, named: Named, tense: usize, is_at_start: bool) -> Vec<&'l str> {
    let of = |names: &'l super::Names| -> Vec<&'l str> {
        match is_at_start {
            true => names.at_start.iter().map(String::as_str).collect(),
            false => names.within.iter().map(String::as_str).collect(),
        }
    };
    match named {
        Named::Who => {
            let pronouns = lexicon.ways.iter().flat_map(|ways| &ways.pronouns);
            let pronouns = pronouns.map(|pronoun| pronoun[usize::from(is_at_start)].as_str());
            of(&lexicon.people).into_iter().chain(pronouns).collect()
        }
        Named::Here | Named::There => of(&lexicon.places),
        Named::Verb if tense == 0 => lexicon.verbs.iter().map(|verb| verb.trim()).collect(),
        Named::Verb => {
            let past = &lexicon.ways.as_ref().expect("a wording").verbs;
            // Without a past, no story is told in it.
            if past.is_empty() {
                vec![""; lexicon.verbs.len()]
            } else {
                past.iter().map(String::as_str).collect()
            }
        }
    }
}
