//! How a story is introduced, in a row's `context`: who is where, where things are, what is true.

use super::words::{Cursor, Expected, literal};
use super::{Reader, Statement};
use crate::check::{Item, Value};
use crate::form::{PhraseKind, PhrasePiece, PhraseSlot};
use crate::pack::Phrase;
use crate::spelling::capital;
use crate::storyboard::Style;

/// The content of an introduction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening<'a> {
    /// The people in the story, each with the place where she starts.
    pub people: Vec<(&'a str, &'a str)>,
    /// The objects, each with where it is.
    pub objects: Vec<(&'a str, Value<'a>)>,
    /// For each proposition that is said to be true or not, all ways to read what is said.
    pub truths: Vec<Vec<Statement<'a>>>,
    /// Attitudes: a person, a thing, and whether the person likes it (or dislikes it).
    pub attitudes: Vec<(&'a str, &'a str, bool)>,
}

impl<'a> Reader<'a> {
    /// Reads an introduction. Sentences about who knows what, and the rules, follow from the storyboard and are skipped.
    ///
    /// ```
    /// use storysim::{prose::Reader, storyboard};
    /// let board = storyboard::BUILT_IN.iter().find(|board| board.name == "sally-anne").unwrap();
    /// let board = storyboard::parse(board.source()).unwrap();
    /// let context = "Hana, Igor and Noor start in the nursery. At the start the marble is in the box.";
    /// let opening = Reader::new(&board, Vec::new()).introduction(context);
    /// assert_eq!((opening.people.len(), opening.objects.len()), (3, 1));
    /// ```
    pub fn introduction(&self, context: &str) -> Opening<'a> {
        let mut opening = Opening::default();
        let mut cursor = Cursor::new(context);
        if self.board.style == Style::Conversation {
            opening.people = self.company(context);
            return opening;
        }
        loop {
            let begin = cursor.skip_to_sentence();
            if cursor.is_at_end() {
                return opening;
            }
            let is_read = self.in_other_words(&mut cursor, &mut opening)
                || cursor.attempt(|cursor| self.people_at_start(cursor, &mut opening)).is_some()
                || cursor.attempt(|cursor| self.fact_at_start(cursor, &mut opening)).is_some()
                || cursor.attempt(|cursor| self.attitudes_at_start(cursor, &mut opening)).is_some();
            if !is_read {
                cursor.at = begin;
                cursor.give_up(begin);
            }
        }
    }

    /// Reads who takes part in a conversation, and where they are at first: `At first, Ann is at the table; Bob is in the kitchen.`
    fn company(&self, context: &str) -> Vec<(&'a str, &'a str)> {
        let places = self.board.place_names();
        let Some((_, at_first)) = context.split_once("At first, ") else { return Vec::new() };
        let mut people = Vec::new();
        // Each part of the sentence is about one place, the first of which is where people talk.
        let parts = at_first.split_once(". ").map_or(at_first, |(sentence, _)| sentence).split("; ");
        for (part, place) in parts.zip(places) {
            let place = place.value.as_str();
            let mut cursor = Cursor::new(part);
            let named = self.people(&mut cursor).unwrap_or_default();
            people.extend(named.into_iter().map(|who| (who, place)));
        }
        people
    }

    /// Reads where people start: `Ann and Bob start in the hall`, `At the start Ann is in the hall and Bob is in the attic`.
    fn people_at_start(&self, cursor: &mut Cursor<'_, 'a>, opening: &mut Opening<'a>) -> Option<()> {
        let mut people = Vec::new();
        if cursor.words("At the start ") {
            loop {
                let who = self.person(cursor)?;
                let place = cursor.words(" is in ").then(|| self.place(cursor)).flatten()?;
                people.push((who, place));
                if !(cursor.words(" and ") || cursor.words(", ") && self.is_person(cursor)) {
                    break;
                }
            }
        } else {
            let names = self.people(cursor)?;
            let starts = cursor.words(" start in ") || cursor.words(" starts in ");
            let place = starts.then(|| self.place(cursor)).flatten()?;
            people.extend(names.into_iter().map(|who| (who, place)));
        }
        let _ = cursor.words(", and everyone knows that, and knows that everyone does")
            || cursor.words("and everyone knows that, and knows that everyone does");
        cursor.end().then(|| opening.people = people)
    }

    fn is_person(&self, cursor: &Cursor<'_, 'a>) -> bool {
        self.people.at_beginning(cursor.rest()).is_some()
    }

    /// Reads a fact about the start: `At the start the marble is in the box`, `In truth the inn is full`.
    fn fact_at_start(&self, cursor: &mut Cursor<'_, 'a>, opening: &mut Opening<'a>) -> Option<()> {
        if !(cursor.words("At the start ") || cursor.words("In truth ")) {
            return None;
        }
        let (item, value, statements) = self.fact(cursor)?;
        match item {
            Item::Object(object) => opening.objects.push((object, value)),
            _ if !statements.is_empty() => opening.truths.push(statements),
            _ => return None,
        }
        Some(())
    }

    /// Reads attitudes: `Ann and Bob like the painting`.
    fn attitudes_at_start(&self, cursor: &mut Cursor<'_, 'a>, opening: &mut Opening<'a>) -> Option<()> {
        if self.board.attitudes.is_empty() {
            return None;
        }
        let people = self.people(cursor)?;
        let likes = cursor.words(" likes ") || cursor.words(" like ");
        let is_said = likes || cursor.words(" dislikes ") || cursor.words(" dislike ");
        let thing = is_said.then(|| cursor.name(&self.attitudes, Expected::Attitude)).flatten()?;
        cursor.end().then(|| opening.attitudes.extend(people.into_iter().map(|who| (who, thing, likes))))
    }

    /// Reads a sentence in the words of the storyboard's wording.
    fn in_other_words(&self, cursor: &mut Cursor<'_, 'a>, opening: &mut Opening<'a>) -> bool {
        let Some(wording) = self.wording.as_ref().and_then(|pack| pack.wording()) else { return false };
        READ.iter().any(|&kind| {
            wording.around.phrases(kind).iter().any(|phrase| {
                phrase.cases.iter().any(|case| {
                    cursor
                        .attempt(|cursor| {
                            let mut said = Said::default();
                            self.phrase(cursor, phrase, case, &mut said)?;
                            (said.has_ended || cursor.end()).then_some(())?;
                            record(kind, said, opening)
                        })
                        .is_some()
                })
            })
        })
    }

    /// Reads the pieces of a phrase.
    fn phrase(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        phrase: &Phrase,
        pieces: &[PhrasePiece],
        said: &mut Said<'a>,
    ) -> Option<()> {
        for (at, piece) in pieces.iter().enumerate() {
            let is_last = at + 1 == pieces.len();
            match piece {
                PhrasePiece::Words(words) if at == 0 => literal(cursor, &capital(words)).then_some(())?,
                PhrasePiece::Words(words) => literal(cursor, words).then_some(())?,
                PhrasePiece::Slot(slot) => self.said(cursor, (*slot, is_last), said)?,
                PhrasePiece::Each(_) => self.each(cursor, phrase, at, said)?,
            }
        }
        Some(())
    }

    /// Reads what is said of each place: in the words for one person, or in those for several.
    fn each(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        phrase: &Phrase,
        at: usize,
        said: &mut Said<'a>,
    ) -> Option<()> {
        loop {
            let begins = at == 0 && said.placed.is_empty();
            let group = phrase.cases.iter().find_map(|case| {
                let PhrasePiece::Each(pieces) = &case[at] else { return None };
                cursor.attempt(|cursor| {
                    let mut group = Said::default();
                    for (within, piece) in pieces.iter().enumerate() {
                        match piece {
                            PhrasePiece::Words(words) if begins && within == 0 => {
                                literal(cursor, &capital(words)).then_some(())?;
                            }
                            PhrasePiece::Words(words) => literal(cursor, words).then_some(())?,
                            PhrasePiece::Slot(slot) => self.said(cursor, (*slot, false), &mut group)?,
                            PhrasePiece::Each(_) => return None,
                        }
                    }
                    Some((group.people, group.place?))
                })
            });
            let (people, place) = group?;
            said.placed.extend(people.into_iter().map(|who| (who, place)));
            // What follows the list may begin with a comma, too.
            let more = [", and ", " and ", ", "].into_iter().any(|joint| {
                let at_joint = cursor.at;
                let goes_on = cursor.words(joint) && self.begins_with_name(cursor, phrase, at);
                if !goes_on {
                    cursor.at = at_joint;
                }
                goes_on
            });
            if !more {
                return Some(());
            }
        }
    }

    /// Whether what follows can be said of one more place.
    fn begins_with_name(&self, cursor: &Cursor<'_, 'a>, phrase: &Phrase, at: usize) -> bool {
        phrase.cases.iter().any(|case| match &case[at] {
            PhrasePiece::Each(pieces) => match &pieces[0] {
                PhrasePiece::Words(words) => cursor.rest().starts_with(words.as_str()),
                PhrasePiece::Slot(PhraseSlot::Everyone) => self.is_person(cursor),
                _ => self.places.at_beginning(cursor.rest()).is_some(),
            },
            _ => false,
        })
    }

    /// Reads what stands in a hole.
    fn said(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        (slot, is_last): (PhraseSlot, bool),
        said: &mut Said<'a>,
    ) -> Option<()> {
        match slot {
            PhraseSlot::Everyone => said.people = self.people(cursor)?,
            PhraseSlot::There => said.place = Some(self.place(cursor)?),
            PhraseSlot::Target => said.thing = Some(cursor.name(&self.attitudes, Expected::Attitude)?),
            // A statement reads up to the end of its sentence.
            PhraseSlot::Fact if is_last => {
                said.fact = Some(self.fact(cursor)?);
                said.has_ended = true;
            }
            _ => return None,
        }
        Some(())
    }
}

/// The sentences that say how a story begins. Who knows of it follows from the storyboard, and so does which containers are open.
const READ: [PhraseKind; 6] = [
    PhraseKind::Together,
    PhraseKind::Apart,
    PhraseKind::Start,
    PhraseKind::Truth,
    PhraseKind::Like,
    PhraseKind::Dislike,
];

/// What has been read of a phrase.
#[derive(Default)]
struct Said<'a> {
    people: Vec<&'a str>,
    place: Option<&'a str>,
    /// Who is where, if it is said of several places.
    placed: Vec<(&'a str, &'a str)>,
    thing: Option<&'a str>,
    fact: Option<Fact<'a>>,
    has_ended: bool,
}

/// An item, its value, and the ways to read a statement.
type Fact<'a> = (Item<'a>, Value<'a>, Vec<Statement<'a>>);

/// Takes over what a phrase says.
fn record<'a>(kind: PhraseKind, said: Said<'a>, opening: &mut Opening<'a>) -> Option<()> {
    match kind {
        PhraseKind::Together => {
            let place = said.place?;
            opening.people = said.people.into_iter().map(|who| (who, place)).collect();
        }
        PhraseKind::Apart => opening.people = said.placed,
        PhraseKind::Like | PhraseKind::Dislike => {
            let thing = said.thing?;
            opening
                .attitudes
                .extend(said.people.into_iter().map(|who| (who, thing, kind == PhraseKind::Like)));
        }
        _ => match said.fact? {
            (Item::Object(object), value, _) => opening.objects.push((object, value)),
            (_, _, statements) if !statements.is_empty() => opening.truths.push(statements),
            _ => return None,
        },
    }
    Some(())
}
