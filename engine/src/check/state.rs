//! Where everyone and everything is, by name, and what can be done there.
//!
//! The rules of [`crate::world`], written once more and from the other side: it is not asked what someone can
//! do, but what is wrong with what is said to be done.

use std::collections::BTreeMap;

use super::claim::ActInCheck;
use super::claim::{Act, Case, Claim, Deed, Hearers, How, Item, Telling, Value};

/// A step of the story.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'a> {
    /// The character who acts.
    pub who: &'a str,
    /// The place where the event begins.
    pub from: &'a str,
    /// The place where the event ends; the same place unless somebody goes.
    pub to: &'a str,
    /// The deed of the event.
    pub deed: &'a Deed<'a>,
}

impl<'a> Event<'a> {
    /// Whether someone acts, as the actor or by going along.
    pub fn has_actor(self, who: &str) -> bool {
        who == self.who || matches!(&self.deed.act, Act::GoTogether(others) if others.contains(&who))
    }

    /// Whether someone takes part, so that she cannot miss the event: she acts, or is given something.
    pub fn has_part_in(self, who: &str) -> bool {
        self.has_actor(who) || self.deed.act.receiver() == Some(who)
    }

    /// Whether someone goes to another place.
    pub fn has_mover(self, who: &str) -> bool {
        self.deed.act.goes() && self.has_actor(who)
    }
}

/// Where everyone and everything is.
#[derive(Clone, Debug)]
pub(super) struct State<'a> {
    claim: &'a Claim<'a>,
    /// The value of every item.
    values: BTreeMap<Item<'a>, Value<'a>>,
}

/// An error that says what is wrong, unless `holds`.
pub(super) fn demand(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl<'a> State<'a> {
    /// The state at the start of a story.
    pub fn new(claim: &'a Claim<'a>) -> Self {
        let people = claim.start.iter().map(|&(who, at)| (Item::Character(who), Value::Place(at)));
        let lids = claim.things.containers.iter();
        let lids = lids.map(|&(container, _, is_open)| (Item::Lid(container), Value::Truth(is_open)));
        let facts = claim.things.facts.iter().map(|fact| (fact.item, fact.value));
        Self { claim, values: people.chain(lids).chain(facts).collect() }
    }

    /// The value of an item, if there is such an item.
    pub fn value(&self, item: Item<'a>) -> Option<Value<'a>> {
        self.values.get(&item).copied()
    }

    /// The place where someone is.
    pub fn place(&self, who: &'a str) -> Option<&'a str> {
        match self.value(Item::Character(who)) {
            Some(Value::Place(place)) => Some(place),
            _ => None,
        }
    }

    /// The characters in these places.
    pub fn company(&self, places: &[&str]) -> Vec<&'a str> {
        let everyone = self.claim.start.iter().map(|&(who, _)| who);
        everyone.filter(|&who| self.place(who).is_some_and(|place| places.contains(&place))).collect()
    }

    /// Where a container stands.
    pub fn container(&self, name: &str) -> Option<&'a str> {
        let containers = &self.claim.things.containers;
        containers.iter().find(|(container, ..)| *container == name).map(|&(_, place, _)| place)
    }

    /// The place in which an object is, in whatever.
    pub fn room(&self, object: &'a str) -> Option<&'a str> {
        match self.value(Item::Object(object))? {
            Value::Place(place) => Some(place),
            Value::Container(container) => self.container(container),
            Value::Hands(holder) => self.place(holder),
            Value::Truth(_) | Value::Case(_) | Value::NoCase => None,
        }
    }

    /// Whether someone can see the value of an item from where she is.
    pub fn sees(&self, who: &'a str, item: Item<'a>) -> bool {
        let room = match item {
            Item::Character(other) => self.place(other),
            Item::Object(object) => match self.value(item) {
                Some(Value::Container(container))
                    if self.value(Item::Lid(container)) == Some(Value::Truth(false)) =>
                {
                    None
                }
                _ => self.room(object),
            },
            Item::Lid(container) => self.container(container),
            Item::Proposition(_) | Item::Prospect(_) | Item::Likes(..) => None,
        };
        room.is_some() && room == self.place(who)
    }

    /// The value of an item; for an object in somebody's hands, the holder's place.
    pub fn answer(&self, item: Item<'a>) -> Option<Value<'a>> {
        match self.value(item)? {
            Value::Hands(holder) => self.value(Item::Character(holder)),
            value => Some(value),
        }
    }

    /// Whether an item goes elsewhere in an event.
    pub fn is_moved(&self, item: Item<'a>, event: Event<'a>) -> bool {
        match item {
            Item::Character(who) => event.has_mover(who),
            Item::Object(object) => {
                let is_carried =
                    matches!(self.value(item), Some(Value::Hands(holder)) if event.has_mover(holder));
                is_carried || event.deed.act.moved() == Some(object)
            }
            Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) | Item::Likes(..) => false,
        }
    }

    /// Checks that an event can happen, regardless of whether there is a way; otherwise says why not.
    pub fn allows(&self, event: Event<'a>) -> Result<(), String> {
        let Event { who, from, to, deed } = event;
        demand(self.place(who) == Some(from), || format!("{who} is not in {from}"))?;
        demand(deed.act.goes() || from == to, || format!("{who} should stay in {from}"))?;
        self.can_be_done(event)?;
        self.can_be_missed(event)
    }

    /// Says why someone cannot take hold of an object.
    pub fn within_reach(&self, who: &'a str, object: &'a str) -> Result<(), String> {
        let holder = match self.value(Item::Object(object)) {
            None => return Err(format!("there is no {object}")),
            Some(Value::Hands(holder)) => Some(holder),
            Some(_) => None,
        };
        match holder {
            Some(holder) => demand(holder == who, || format!("{holder} has {object} in hand, not {who}")),
            None => demand(self.room(object) == self.place(who), || {
                format!("{object} is not within the reach of {who}")
            }),
        }
    }

    /// Says why nobody hears what somebody says to all who are there.
    pub fn is_heard(&self, who: &str, from: &'a str) -> Result<(), String> {
        demand(self.company(&[from]).len() > 1, || format!("nobody is in {from} to hear {who}"))
    }

    /// Says why something cannot be said to these.
    pub fn can_be_told(&self, event: Event<'a>, telling: &Telling<'a>) -> Result<(), String> {
        let Event { who, from, .. } = event;
        demand(self.value(telling.item).is_some(), || {
            format!("{who} speaks about something that does not exist")
        })?;
        let is_said_of = match (telling.item, telling.value) {
            (Item::Character(_) | Item::Object(_), Value::Place(_)) => true,
            (Item::Object(_), Value::Container(container)) => self.container(container).is_some(),
            (Item::Object(_), Value::Hands(holder)) => self.place(holder).is_some(),
            (Item::Lid(_) | Item::Proposition(_) | Item::Likes(..), Value::Truth(_)) => true,
            (Item::Prospect(_), Value::Case(Case { how: How::By(agent), .. })) => self.place(agent).is_some(),
            (Item::Prospect(_), Value::Case(_)) => true,
            _ => false,
        };
        demand(is_said_of, || format!("{who} says something impossible"))?;
        demand(telling.believers.is_none(), || {
            format!("the storyboard decides whether those who hear {who} believe it")
        })?;
        let (hearers, is_afar) = match &telling.hearers {
            Hearers::Present => return self.is_heard(who, from),
            Hearers::Named(hearers) => (hearers, false),
            Hearers::Afar(hearers) => (hearers, true),
        };
        demand(!hearers.is_empty(), || format!("{who} speaks to nobody"))?;
        for (at, hearer) in hearers.iter().enumerate() {
            let is_new = *hearer != who && !hearers[..at].contains(hearer);
            demand(is_new, || format!("{hearer} should not hear it twice"))?;
            let place = self.place(hearer);
            demand(place.is_some(), || format!("{hearer} is not in the story"))?;
            let where_to = if is_afar { "elsewhere" } else { "there" };
            demand((place != Some(from)) == is_afar, || {
                format!("{hearer} should be {where_to} to hear {who} in {from}")
            })?;
        }
        Ok(())
    }

    /// Checks that those who watch an event from elsewhere, or miss it, can; otherwise says why not.
    fn can_be_missed(&self, event: Event<'a>) -> Result<(), String> {
        if event.deed.peeking.is_empty() && event.deed.distracted.is_empty() {
            return Ok(());
        }
        let audience = self.audience(event);
        for (at, peeking) in event.deed.peeking.iter().enumerate() {
            demand(self.place(peeking).is_some(), || format!("{peeking} is not in the story"))?;
            demand(!event.deed.peeking[..at].contains(peeking), || format!("{peeking} peeks twice"))?;
            let is_away = !audience.contains(peeking);
            demand(is_away, || format!("{peeking} should be elsewhere to peek"))?;
        }
        for (at, (distracted, _)) in event.deed.distracted.iter().enumerate() {
            let is_new = !event.deed.distracted[..at].iter().any(|(other, _)| other == distracted);
            demand(is_new, || format!("{distracted} is distracted twice"))?;
            demand(audience.contains(distracted), || {
                format!("{distracted} should be there to be distracted")
            })?;
            demand(!event.has_part_in(distracted), || {
                format!("{distracted} acts, and cannot be distracted")
            })?;
        }
        Ok(())
    }

    /// The characters who see or hear an event where it happens.
    pub fn audience(&self, event: Event<'a>) -> Vec<&'a str> {
        let Event { who, from, to, deed } = event;
        match (deed.act.named(), deed.act.thrown()) {
            (Some(hearers), _) => [&[who][..], hearers].concat(),
            (None, Some((_, lands_in))) => self.company(&[from, to, lands_in]),
            (None, None) => self.company(&[from, to]),
        }
    }

    /// Carries out an event.
    pub fn apply(&mut self, event: Event<'a>) {
        if event.deed.act.goes() {
            self.values.insert(Item::Character(event.who), Value::Place(event.to));
        }
        if let Act::GoTogether(others) = &event.deed.act {
            self.values.extend(others.iter().map(|&other| (Item::Character(other), Value::Place(event.to))));
        }
        self.values.extend(event.change());
    }
}
