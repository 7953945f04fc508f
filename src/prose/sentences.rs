//! The sentences of a story: `NAME VERB PLACE.`, one for everything else that people do, and those after them.

use super::words::{Cursor, Expected};
use super::{Reader, Tale, Told};
use crate::check::{Act, Deed, Hearers, Item, Telling, Value};
use crate::diagnostic::Span;
use crate::storyboard::NotePart;

/// What a clause says is so, and how to read it if it is a proposition.
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

    /// `Ann`, `Ann and Bob`, `Ann, Bob and Cas`.
    pub(super) fn people(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Vec<&'a str>> {
        let mut people = vec![self.person(cursor)?];
        loop {
            let before_last =
                cursor.attempt(|cursor| (cursor.words(", ")).then(|| self.person(cursor)).flatten());
            if let Some(person) = before_last {
                people.push(person);
                continue;
            }
            let last =
                cursor.attempt(|cursor| (cursor.words(" and ")).then(|| self.person(cursor)).flatten());
            people.extend(last);
            return Some(people);
        }
    }

    /// What happens at a step.
    pub(super) fn event(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Told<'a>> {
        let told = |who, to, act, statements| Told {
            span: Span::default(),
            who,
            at: None,
            to,
            deed: Deed { act, ..Deed::default() },
            statements,
        };
        let going = cursor.attempt(|cursor| {
            let who = self.person(cursor)?;
            let to = self.verbs.iter().find_map(|verb| {
                cursor.attempt(|cursor| {
                    let is_said = cursor.words(" ") && cursor.phrase(verb) && cursor.words(" ");
                    let place = is_said.then(|| self.place(cursor)).flatten()?;
                    cursor.end().then_some(place)
                })
            })?;
            Some(told(who, Some(to), Act::Go, Vec::new()))
        });
        if going.is_some() || !self.has_deeds {
            return going;
        }
        let together = cursor.attempt(|cursor| {
            let mut company = self.people(cursor)?;
            let to = (company.len() > 1 && cursor.phrase(" go to ")).then(|| self.place(cursor)).flatten()?;
            let is_whole = cursor.phrase(" together") && cursor.end();
            let who = company.remove(0);
            is_whole.then(|| told(who, Some(to), Act::GoTogether(company), Vec::new()))
        });
        if together.is_some() {
            return together;
        }
        let carrying = cursor.attempt(|cursor| {
            let who = self.person(cursor)?;
            let object = cursor.phrase(" carries ").then(|| self.object(cursor)).flatten()?;
            let to = cursor.phrase(" to ").then(|| self.place(cursor)).flatten()?;
            cursor.end().then(|| told(who, Some(to), Act::Carry(object), Vec::new()))
        });
        carrying.or_else(|| {
            cursor.attempt(|cursor| {
                let who = self.person(cursor)?;
                let begin = cursor.clone();
                let (act, statements) = self.deed(cursor)?;
                let at = matches!(act, Act::Tell(_)).then(|| self.speakers_place(begin)).flatten();
                Some(Told { at, ..told(who, None, act, statements) })
            })
        })
    }

    /// What someone does where she is, to the end of the sentence.
    fn deed(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Act<'a>, Vec<super::Statement<'a>>)> {
        let plain = |act: Option<Act<'a>>| act.map(|act| (act, Vec::new()));
        let with_object = |cursor: &mut Cursor<'_, 'a>, phrase| {
            let has_any = !self.board.objects.is_empty();
            (has_any && cursor.phrase(phrase)).then(|| self.object(cursor)).flatten()
        };
        let taken = cursor.attempt(|cursor| {
            let object = with_object(cursor, " takes ")?;
            cursor.end().then_some(Act::Take(object))
        });
        let put = |cursor: &mut Cursor<'_, 'a>| {
            let object = with_object(cursor, " puts ")?;
            let place =
                cursor.attempt(|cursor| cursor.phrase(" down in ").then(|| self.place(cursor)).flatten());
            let spot = match place {
                Some(place) => Value::Place(place),
                None => Value::Container(cursor.phrase(" in ").then(|| self.container(cursor)).flatten()?),
            };
            cursor.end().then_some(Act::Put(object, spot))
        };
        let moved = |cursor: &mut Cursor<'_, 'a>| {
            let object = with_object(cursor, " moves ")?;
            let container = cursor.phrase(" into ").then(|| self.container(cursor)).flatten()?;
            cursor.end().then_some(Act::MoveObject(object, container))
        };
        let thrown = |cursor: &mut Cursor<'_, 'a>| {
            let object = with_object(cursor, " throws ")?;
            let place = cursor.phrase(" to ").then(|| self.place(cursor)).flatten()?;
            cursor.end().then_some(Act::Throw(object, place))
        };
        let lid = |cursor: &mut Cursor<'_, 'a>| {
            if self.board.containers.is_empty() {
                return None;
            }
            let opened = cursor.attempt(|cursor| {
                let container = cursor.phrase(" opens ").then(|| self.container(cursor)).flatten()?;
                Some(Act::Open(container))
            });
            let act = opened.or_else(|| {
                let container = cursor.phrase(" closes ").then(|| self.container(cursor)).flatten()?;
                Some(Act::Close(container))
            })?;
            cursor.end().then_some(act)
        };
        plain(taken)
            .or_else(|| plain(cursor.attempt(put)))
            .or_else(|| plain(cursor.attempt(moved)))
            .or_else(|| plain(cursor.attempt(thrown)))
            .or_else(|| plain(cursor.attempt(lid)))
            .or_else(|| cursor.attempt(|cursor| self.reaction(cursor)))
            .or_else(|| cursor.attempt(|cursor| self.telling(cursor)))
    }

    /// `Ann shows that Ann likes the painting.`
    fn reaction(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Act<'a>, Vec<super::Statement<'a>>)> {
        let is_shown = !self.board.attitudes.is_empty() && cursor.phrase(" shows that ");
        let (item, value) = is_shown.then(|| self.attitude(cursor)).flatten()?;
        let Value::Truth(likes) = value else { return None };
        cursor.end().then(|| (Act::React(item, likes), Vec::new()))
    }

    fn telling(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Act<'a>, Vec<super::Statement<'a>>)> {
        let told = cursor.attempt(|cursor| {
            cursor.phrase(" tells everyone in ").then(|| self.place(cursor)).flatten()?;
            cursor.phrase(" that ").then_some(Hearers::Present)
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
        let hearers = told.or_else(|| cursor.attempt(whispered)).or_else(|| cursor.attempt(phoned))?;
        let (item, value, statements): Fact<'a> = self.fact(cursor)?;
        Some((Act::Tell(Telling { hearers, item, value, believers: None }), statements))
    }

    /// Where someone is who tells something to everyone there.
    fn speakers_place(&self, mut cursor: Cursor<'_, 'a>) -> Option<&'a str> {
        cursor.words(" tells everyone in ").then(|| self.place(&mut cursor)).flatten()
    }

    /// A sentence after that of a step, on who watches or misses it.
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

    /// A note: its words, with whatever names.
    pub(super) fn note(&self, cursor: &mut Cursor<'_, 'a>, parts: &[NotePart]) -> Option<String> {
        cursor.attempt(|cursor| {
            let begin = cursor.at;
            self.parts(cursor, parts)?;
            let is_whole = cursor.rest().is_empty() || cursor.rest().starts_with(char::is_whitespace);
            let words: Vec<&str> = cursor.text[begin..cursor.at].split_whitespace().collect();
            is_whole.then(|| words.join(" "))
        })
    }
}
