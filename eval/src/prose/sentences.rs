//! The sentences of a story: `NAME VERB PLACE.`, one for everything else that people do, and those after them.

use super::words::{Cursor, Expected};
use super::{Reader, Tale, Told};
use crate::check::{Hearers, Item, Part, Telling, Value};
use crate::form::{ActForm, ActKind, DOWN_IN, Hole, INTO, PartForm, Piece, Sort};
use crate::storyboard::NotePart;

/// The item and value in a clause and, if it is a proposition, the ways to read it.
type Fact<'a> = (Item<'a>, Value<'a>, Vec<super::Statement<'a>>);

impl<'a> Reader<'a> {
    pub(super) fn person(&self, cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
        cursor.name(&self.people, Expected::Person)
    }

    pub(super) fn place(&self, cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
        cursor.name(&self.places, Expected::Place)
    }

    pub(super) fn object(&self, cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
        cursor.name(&self.objects, Expected::Object)
    }

    pub(super) fn container(&self, cursor: &mut Cursor<'_, 'a>) -> Option<&'a str> {
        cursor.name(&self.containers, Expected::Container)
    }

    /// Reads a list of people: `Ann`, `Ann and Bob`, `Ann, Bob and Cas`, `Ann, Bob, and Cas`.
    pub(super) fn people(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Vec<&'a str>> {
        let mut people = vec![self.person(cursor)?];
        loop {
            let before_last =
                cursor.attempt(|cursor| (cursor.words(", ")).then(|| self.person(cursor)).flatten());
            if let Some(person) = before_last {
                people.push(person);
                continue;
            }
            let and = if people.len() > 1 { &[" and ", ", and "][..] } else { &[" and "] };
            let last = and.iter().find_map(|and| {
                cursor.attempt(|cursor| (cursor.words(and)).then(|| self.person(cursor)).flatten())
            });
            people.extend(last);
            return Some(people);
        }
    }

    /// Reads the event of a step.
    pub(super) fn event(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Told<'a>> {
        let going = cursor.attempt(|cursor| self.going(cursor));
        if going.is_some() || !self.has_deeds {
            return going;
        }
        let forms = ActKind::ALL.iter().map(|kind| kind.form()).filter(|form| self.has_props(form));
        forms.into_iter().find_map(|form| cursor.attempt(|cursor| self.sentence(cursor, form)))
    }

    /// Reads a move: `Ann enters the hall.`, with one of the storyboard's verbs.
    pub(super) fn going(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Told<'a>> {
        let who = self.person(cursor)?;
        let to = self.verbs.iter().find_map(|verb| {
            cursor.attempt(|cursor| {
                let is_said = cursor.words(" ") && cursor.phrase(verb) && cursor.words(" ");
                let place = is_said.then(|| self.place(cursor)).flatten()?;
                cursor.end().then_some(place)
            })
        })?;
        Some(Told { who, to: Some(to), ..Told::default() })
    }

    /// Whether stories of this storyboard can contain a deed because the things it needs exist.
    pub(super) fn has_props(&self, form: &ActForm) -> bool {
        let board = self.board;
        let has = |part: &PartForm| match part.sort {
            Sort::Object => !board.objects.is_empty(),
            Sort::Container => !board.containers.is_empty(),
            Sort::Liking => !board.attitudes.is_empty(),
            Sort::Fact => !board.propositions.is_empty(),
            Sort::Company | Sort::Person | Sort::Place | Sort::Spot | Sort::Telling => true,
        };
        form.key.is_some() && form.kind != ActKind::Go && form.parts.iter().all(has)
    }

    /// Reads a whole sentence, piece by piece, according to the form of a deed.
    pub(super) fn sentence(&self, cursor: &mut Cursor<'_, 'a>, form: &ActForm) -> Option<Told<'a>> {
        let mut told = Told::default();
        let mut parts: Vec<Option<Part<'a>>> = vec![None; form.parts.len()];
        for piece in form.sentence() {
            match *piece {
                Piece::Words(words) => cursor.phrase(words).then_some(())?,
                Piece::Hole(Hole::Who) => told.who = self.person(cursor)?,
                Piece::Hole(Hole::Everyone) => {
                    let mut everyone = self.people(cursor)?;
                    (everyone.len() > 1).then_some(())?;
                    told.who = everyone.remove(0);
                    parts[0] = Some(Part::Company(everyone));
                }
                Piece::Hole(Hole::There) => told.to = Some(self.place(cursor)?),
                Piece::Hole(Hole::Here) => told.at = Some(self.place(cursor)?),
                Piece::Hole(Hole::Part(at)) => {
                    parts[at] = Some(self.part(cursor, form.parts[at].sort, &mut told)?);
                }
                Piece::Hole(Hole::Verb) => unreachable!("the storyboard's verbs are read on their own"),
            }
        }
        told.deed.act = form.kind.act(parts.into_iter().flatten()).expect("the parts of the form");
        // What is said reads up to the end of its sentence.
        let is_ended = form.parts.iter().any(|part| matches!(part.sort, Sort::Fact | Sort::Telling));
        (is_ended || cursor.end()).then_some(told)
    }

    /// Reads one part of a deed.
    pub(super) fn part(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        sort: Sort,
        told: &mut Told<'a>,
    ) -> Option<Part<'a>> {
        Some(match sort {
            Sort::Company => Part::Company(self.people(cursor)?),
            Sort::Person => Part::Person(self.person(cursor)?),
            Sort::Place => Part::Place(self.place(cursor)?),
            Sort::Object => Part::Object(self.object(cursor)?),
            Sort::Container => Part::Container(self.container(cursor)?),
            Sort::Spot => Part::Spot(self.spot(cursor)?),
            Sort::Liking => match self.attitude(cursor)? {
                (item, Value::Truth(likes)) => Part::Liking((item, likes)),
                _ => return None,
            },
            Sort::Fact => {
                let (item, value, statements): Fact<'a> = self.fact(cursor)?;
                told.statements = statements;
                match value {
                    Value::Truth(is_so) => Part::Fact((item, is_so)),
                    _ => return None,
                }
            }
            Sort::Telling => Part::Telling(self.telling(cursor, told)?),
        })
    }

    /// Reads where an object is put: ` in the box`, or ` down in the hall`.
    fn spot(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Value<'a>> {
        let place = cursor.attempt(|cursor| cursor.phrase(DOWN_IN).then(|| self.place(cursor)).flatten());
        if let Some(place) = place {
            return Some(Value::Place(place));
        }
        let container = INTO.iter().find_map(|into| {
            cursor.attempt(|cursor| cursor.phrase(into).then(|| self.container(cursor)).flatten())
        });
        container.map(Value::Container)
    }

    /// Reads what is said to whom. Records in `told` where the speaker is and how a proposition can be read.
    fn telling(&self, cursor: &mut Cursor<'_, 'a>, told: &mut Told<'a>) -> Option<Telling<'a>> {
        let to_all = cursor.attempt(|cursor| {
            let place = cursor.phrase(" tells everyone in ").then(|| self.place(cursor)).flatten()?;
            cursor.phrase(" that ").then_some(place)
        });
        let whispered = |cursor: &mut Cursor<'_, 'a>| {
            let hearers = cursor.phrase(" whispers to ").then(|| self.people(cursor)).flatten()?;
            cursor.phrase(" that ").then_some(Hearers::Named(hearers))
        };
        let phoned = |cursor: &mut Cursor<'_, 'a>| {
            let hearers = cursor.phrase(" phones ").then(|| self.people(cursor)).flatten()?;
            let says =
                if hearers.len() == 1 { " and says that " } else { ", all in one call, and says that " };
            cursor.phrase(says).then_some(Hearers::Afar(hearers))
        };
        told.at = to_all;
        let hearers = match to_all {
            Some(_) => Hearers::Present,
            None => cursor.attempt(whispered).or_else(|| cursor.attempt(phoned))?,
        };
        let (item, value, statements): Fact<'a> = self.fact(cursor)?;
        told.statements = statements;
        Some(Telling { hearers, item, value, believers: None })
    }

    /// Reads a sentence that follows that of a step and says who watches or misses it.
    pub(super) fn aside(&self, cursor: &mut Cursor<'_, 'a>, tale: &mut Tale<'a>) -> bool {
        if !self.has_deeds {
            return false;
        }
        let Some(last) = tale.told.last_mut() else { return false };
        let peeking = cursor.attempt(|cursor| {
            let who = self.person(cursor)?;
            let overhears = cursor.words(" overhears this, and nobody notices that");
            let watches = !overhears && cursor.words(" watches this from elsewhere, and nobody notices ");
            let is_said = overhears || watches && self.person(cursor) == Some(who);
            (is_said && cursor.end()).then_some(who)
        });
        if let Some(who) = peeking {
            last.deed.peeking.push(who);
            return true;
        }
        let distracted = cursor.attempt(|cursor| {
            let who = self.person(cursor)?;
            let is_said = cursor.words(" is distracted and misses this, and ");
            let is_noticed = is_said && cursor.words("the others notice that");
            let is_whole = is_noticed || is_said && cursor.words("nobody notices that");
            (is_whole && cursor.end()).then_some((who, is_noticed))
        });
        last.deed.distracted.extend(distracted);
        distracted.is_some()
    }

    /// Reads a note: its words, with any names.
    pub(super) fn note(&self, cursor: &mut Cursor<'_, 'a>, parts: &[NotePart]) -> Option<String> {
        cursor.attempt(|cursor| {
            let mut named = self.parts(cursor, parts)?.into_iter().peekable();
            let is_whole = cursor.rest().is_empty() || cursor.rest().starts_with(char::is_whitespace);
            // With names as the storyboard has them, however the text has them.
            let words: String = parts
                .iter()
                .map(|part| match part {
                    NotePart::Text(text) => text.as_str(),
                    NotePart::Name(name) => {
                        let found = named.next_if(|(known, _)| *known == name.value);
                        found.map_or(name.value.as_str(), |(_, found)| found)
                    }
                })
                .collect();
            is_whole.then(|| words.split_whitespace().collect::<Vec<&str>>().join(" "))
        })
    }
}
