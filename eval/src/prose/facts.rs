//! What can be said to be so: "the marble is in the box", or a proposition in the storyboard's own words.

use super::words::{Cursor, Expected};
use super::{Reader, Statement};
use crate::check::{Item, Value};
use crate::storyboard::{NotePart, Proposition};

/// A proposition that is not yet determined, since that depends on the cast.
pub(super) const SOME_PROPOSITION: Item<'static> = Item::Proposition("");

impl<'a> Reader<'a> {
    /// Reads a clause that extends to the end of its sentence.
    pub(super) fn fact(
        &self,
        cursor: &mut Cursor<'_, 'a>,
    ) -> Option<(Item<'a>, Value<'a>, Vec<Statement<'a>>)> {
        cursor.expect_statement();
        if let Some(statements) = self.statements(cursor) {
            let value = Value::Truth(statements[0].is_true);
            return Some((SOME_PROPOSITION, value, statements));
        }
        let (item, value) = self.plain_fact(cursor)?;
        Some((item, value, Vec::new()))
    }

    /// Reads a clause that is no proposition of the storyboard, up to the end of its sentence.
    pub(super) fn plain_fact(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Item<'a>, Value<'a>)> {
        cursor
            .attempt(|cursor| self.attitude(cursor).filter(|_| cursor.end()))
            .or_else(|| cursor.attempt(|cursor| self.lid(cursor).filter(|_| cursor.end())))
            .or_else(|| cursor.attempt(|cursor| self.held(cursor).filter(|_| cursor.end())))
            .or_else(|| cursor.attempt(|cursor| self.whereabouts(cursor).filter(|_| cursor.end())))
    }

    /// Reads all propositions that a clause can be, up to the end of its sentence.
    fn statements(&self, cursor: &mut Cursor<'_, 'a>) -> Option<Vec<Statement<'a>>> {
        let begin = cursor.at;
        let mut found: Vec<(usize, Statement<'a>)> = Vec::new();
        let worded = self.board.propositions.iter().filter(|known| known.of.is_none());
        for Proposition { name, says, denies, .. } in worded {
            for (is_true, parts) in [(true, says), (false, denies)] {
                cursor.at = begin;
                let names = self.parts(cursor, parts);
                if let Some(names) = names
                    && cursor.end()
                {
                    found.push((cursor.at, Statement { proposition: &name.value, is_true, names }));
                }
            }
        }
        let end = found.iter().map(|(end, _)| *end).max();
        cursor.at = end.unwrap_or(begin);
        let longest = found.into_iter().filter(|(at, _)| Some(*at) == end);
        let statements: Vec<Statement<'a>> = longest.map(|(_, statement)| statement).collect();
        (!statements.is_empty()).then_some(statements)
    }

    /// Reads the words of a note or a proposition. Returns the roles and binds that it names, with what they are named as.
    pub(super) fn parts(
        &self,
        cursor: &mut Cursor<'_, 'a>,
        parts: &'_ [NotePart],
    ) -> Option<Vec<(&'a str, &'a str)>> {
        let mut named = Vec::new();
        for part in parts {
            match part {
                NotePart::Text(text) => {
                    if !cursor.words(text) {
                        return None;
                    }
                }
                NotePart::Name(name) => {
                    // The storyboard's own name of the role or bind lives as long as the storyboard.
                    let role = self.board.roles.iter().find(|role| role.value == name.value);
                    let bind = self.board.binds.iter().find(|bind| bind.name.value == name.value);
                    let names = if role.is_some() { &self.people } else { &self.places };
                    let (found, length) = names.at_beginning(cursor.rest())?;
                    cursor.at += length;
                    match (role, bind) {
                        (Some(role), _) => named.push((role.value.as_str(), found)),
                        (None, Some(bind)) => named.push((bind.name.value.as_str(), found)),
                        (None, None) if found != name.value => return None,
                        (None, None) => {}
                    }
                }
            }
        }
        Some(named)
    }

    /// Reads an attitude, such as `Ann likes the painting`.
    pub(super) fn attitude(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Item<'a>, Value<'a>)> {
        if self.board.attitudes.is_empty() {
            return None;
        }
        let who = self.person(cursor)?;
        let likes = cursor.phrase(" likes ");
        let thing =
            (likes || cursor.phrase(" dislikes ")).then(|| cursor.name(&self.attitudes, Expected::Attitude));
        Some((Item::Likes(who, thing.flatten()?), Value::Truth(likes)))
    }

    /// Reads whether a container is open, such as `the box is open`.
    fn lid(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Item<'a>, Value<'a>)> {
        if self.board.containers.is_empty() {
            return None;
        }
        let container = self.container(cursor)?;
        let is_open = cursor.phrase(" is open");
        (is_open || cursor.phrase(" is closed")).then_some((Item::Lid(container), Value::Truth(is_open)))
    }

    /// Reads who has an object in hand, such as `Ann has the ball`.
    fn held(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Item<'a>, Value<'a>)> {
        if self.board.objects.is_empty() {
            return None;
        }
        let who = self.person(cursor)?;
        let object = cursor.phrase(" has ").then(|| self.object(cursor)).flatten()?;
        Some((Item::Object(object), Value::Hands(who)))
    }

    /// Reads where something is, such as `Ann is in the hall` or `the ball is in the box`.
    fn whereabouts(&self, cursor: &mut Cursor<'_, 'a>) -> Option<(Item<'a>, Value<'a>)> {
        let item = match cursor.attempt(|cursor| self.person(cursor)) {
            Some(who) => Item::Character(who),
            None if self.board.objects.is_empty() => return None,
            None => Item::Object(self.object(cursor)?),
        };
        if !cursor.phrase(" is in ") {
            return None;
        }
        let container = match item {
            Item::Object(_) if !self.board.containers.is_empty() => {
                cursor.attempt(|cursor| self.container(cursor)).map(Value::Container)
            }
            _ => None,
        };
        Some((item, container.or_else(|| self.place(cursor).map(Value::Place))?))
    }
}
