//! What this reading knows of each deed: all that a new one needs here is an arm in each of these.

use super::Replay;
use super::claim::{Act, ActInCheck, Hearers, Item, Telling, Value};
use super::state::{Event, State, demand};
use crate::form::{self, DirectionIn};
use crate::storyboard::{Name, Play, Written, WrittenValue};

/// What matters about a deed, whoever does it.
#[derive(Clone, Copy, Debug, Default)]
struct Facts<'d, 'a> {
    /// Whether the actor goes to another place.
    goes: bool,
    /// The object that it moves.
    moved: Option<&'a str>,
    /// The object that is thrown, and where it lands.
    thrown: Option<(&'a str, &'a str)>,
    /// Who is given something, and so takes part.
    receiver: Option<&'a str>,
    /// What is said.
    telling: Option<&'d Telling<'a>>,
}

impl<'a> ActInCheck<'a> for Act<'a> {
    fn goes(&self) -> bool {
        facts(self).goes
    }

    fn moved(&self) -> Option<&'a str> {
        facts(self).moved
    }

    fn thrown(&self) -> Option<(&'a str, &'a str)> {
        facts(self).thrown
    }

    fn receiver(&self) -> Option<&'a str> {
        facts(self).receiver
    }

    fn telling(&self) -> Option<&Telling<'a>> {
        facts(self).telling
    }

    fn named(&self) -> Option<&[&'a str]> {
        match &self.telling()?.hearers {
            Hearers::Present => None,
            Hearers::Named(hearers) | Hearers::Afar(hearers) => Some(hearers),
        }
    }
}

fn facts<'d, 'a>(act: &'d Act<'a>) -> Facts<'d, 'a> {
    let none = Facts::default();
    match act {
        Act::Go | Act::GoTogether(_) => Facts { goes: true, ..none },
        Act::Carry(object) => Facts { goes: true, moved: Some(object), ..none },
        Act::Take(object) | Act::Put(object, _) | Act::MoveObject(object, _) => {
            Facts { moved: Some(object), ..none }
        }
        Act::Give(object, to) => Facts { moved: Some(object), receiver: Some(to), ..none },
        Act::Throw(object, to) => Facts { moved: Some(object), thrown: Some((object, to)), ..none },
        Act::Tell(telling) => Facts { telling: Some(telling), ..none },
        Act::Open(_)
        | Act::Close(_)
        | Act::React(_)
        | Act::Reveal(_)
        | Act::Turn(_)
        | Act::Chat
        | Act::Show(_) => none,
    }
}

impl<'a> State<'a> {
    /// Says why the deed of an event cannot be done. The actor is where the event begins.
    pub(super) fn can_be_done(&self, event: Event<'a>) -> Result<(), String> {
        let Event { who, from, deed, .. } = event;
        let is_here = |other: &'a str| self.place(other) == Some(from);
        let container_is_here = |container: &'a str| {
            demand(self.container(container) == Some(from), || {
                format!("{container} does not stand in {from}")
            })
        };
        match &deed.act {
            Act::Go => {}
            Act::Turn(news) => self.is_news(news)?,
            Act::Chat => self.is_heard(who, from)?,
            Act::GoTogether(others) => {
                demand(!others.is_empty(), || format!("{who} goes together with nobody"))?;
                for (at, other) in others.iter().enumerate() {
                    let is_new = *other != who && !others[..at].contains(other);
                    demand(is_new, || format!("{other} goes twice"))?;
                    demand(is_here(other), || format!("{other} is not in {from}"))?;
                }
            }
            Act::Carry(object) | Act::Throw(object, _) => self.within_reach(who, object)?,
            Act::Take(object) => {
                self.within_reach(who, object)?;
                let is_free = self.value(Item::Object(object)) != Some(Value::Hands(who));
                demand(is_free, || format!("{who} already has {object} in hand"))?;
            }
            Act::Put(object, spot) => {
                let is_at_hand = self.value(Item::Object(object)) == Some(Value::Hands(who));
                demand(is_at_hand, || format!("{who} does not have {object} in hand"))?;
                match *spot {
                    Value::Container(container) => container_is_here(container)?,
                    spot => {
                        demand(spot == Value::Place(from), || format!("{who} cannot put {object} there"))?
                    }
                }
            }
            Act::MoveObject(object, container) => {
                self.within_reach(who, object)?;
                container_is_here(container)?;
                let is_elsewhere = self.value(Item::Object(object)) != Some(Value::Container(container));
                demand(is_elsewhere, || format!("{object} is already in {container}"))?;
            }
            Act::Give(object, to) => {
                let is_at_hand = self.value(Item::Object(object)) == Some(Value::Hands(who));
                demand(is_at_hand, || format!("{who} does not have {object} in hand"))?;
                demand(*to != who && is_here(to), || format!("{to} is not there to be given {object}"))?;
            }
            Act::Open(container) | Act::Close(container) => {
                container_is_here(container)?;
                let opens = matches!(deed.act, Act::Open(_));
                let state = if opens { "open" } else { "closed" };
                let changes = self.value(Item::Lid(container)) == Some(Value::Truth(!opens));
                demand(changes, || format!("{container} is already {state}"))?;
            }
            Act::Show(object) => {
                demand(self.room(object) == Some(from), || format!("{object} is not in {from}"))?;
            }
            Act::Tell(telling) => self.can_be_told(event, telling)?,
            Act::React((item, likes)) => {
                demand(matches!(item, Item::Likes(whose, _) if *whose == who), || {
                    format!("{who} should show what {who} likes")
                })?;
                let is_true = self.value(*item) == Some(Value::Truth(*likes));
                demand(is_true, || format!("{who} shows something that is not true"))?;
            }
            Act::Reveal((item, is_so)) => {
                self.is_heard(who, from)?;
                demand(matches!(item, Item::Proposition(_)), || {
                    format!("{who} should reveal a proposition")
                })?;
                let is_true = self.value(*item) == Some(Value::Truth(*is_so));
                demand(is_true, || format!("{who} reveals something that is not true"))?;
            }
        }
        Ok(())
    }
}

impl<'a> Event<'a> {
    /// What changes, besides where people are.
    pub(super) fn change(self) -> Option<(Item<'a>, Value<'a>)> {
        match &self.deed.act {
            Act::Carry(object) | Act::Take(object) => Some((Item::Object(object), Value::Hands(self.who))),
            Act::Put(object, spot) => Some((Item::Object(object), *spot)),
            Act::MoveObject(object, container) => Some((Item::Object(object), Value::Container(container))),
            Act::Give(object, to) => Some((Item::Object(object), Value::Hands(to))),
            Act::Throw(object, place) => Some((Item::Object(object), Value::Place(place))),
            Act::Open(container) => Some((Item::Lid(container), Value::Truth(true))),
            Act::Close(container) => Some((Item::Lid(container), Value::Truth(false))),
            Act::Turn(news) => Some((news.item, news.value)),
            Act::Go
            | Act::GoTogether(_)
            | Act::Show(_)
            | Act::Tell(_)
            | Act::React(_)
            | Act::Reveal(_)
            | Act::Chat => None,
        }
    }
}

impl<'a> Replay<'a> {
    /// Whether what is given is this; if nothing is given, anything is.
    fn is_given<'n>(given: Option<&'n Name>, is: impl FnOnce(&'n Name) -> bool) -> bool {
        given.is_none_or(is)
    }

    /// Whether what is done is what is demanded, whoever does it and wherever it leads.
    pub(super) fn is_act(&self, wanted: &'a DirectionIn<Written>, event: Event<'a>) -> bool {
        let is_given =
            |given: &'a Option<Name>, name: &str| Self::is_given(given.as_ref(), |given| given.value == name);
        let done = &event.deed.act;
        match &wanted.act {
            form::Act::Go => *done == Act::Go,
            form::Act::GoTogether(others) => {
                let company = || self.players(others).into_iter().chain([self.role(&wanted.who)]);
                matches!(done, Act::GoTogether(those) if those.len() == others.len())
                    && company().all(|member| event.has_mover(member))
            }
            form::Act::Carry(object) => matches!(done, Act::Carry(carried) if is_given(object, carried)),
            form::Act::Take(object) => matches!(done, Act::Take(taken) if is_given(object, taken)),
            form::Act::Put(object, container) => {
                let wanted = match container {
                    Some(container) => Value::Container(&container.value),
                    None => Value::Place(event.from),
                };
                matches!(done, Act::Put(put, spot) if is_given(object, put) && *spot == wanted)
            }
            form::Act::MoveObject(object, to) => matches!(done, Act::MoveObject(moved, container)
                if is_given(object, moved) && is_given(to, container)),
            form::Act::Give(object, to) => {
                let is_to = |who: &str| Self::is_given(to.as_ref(), |name| self.role(name) == who);
                matches!(done, Act::Give(given, who) if is_given(object, given) && is_to(who))
            }
            form::Act::Throw(object, to) => {
                let is_there = |place: &str| Self::is_given(to.as_ref(), |name| self.place(name) == place);
                matches!(done, Act::Throw(thrown, place) if is_given(object, thrown) && is_there(place))
            }
            form::Act::Open(container) => matches!(done, Act::Open(opened) if is_given(container, opened)),
            form::Act::Close(container) => matches!(done, Act::Close(closed) if is_given(container, closed)),
            form::Act::React(to) => {
                matches!(done, Act::React((Item::Likes(_, thing), _)) if is_given(to, thing))
            }
            form::Act::Reveal(that) => {
                matches!(done, Act::Reveal((item, _))
                    if Self::is_given(that.as_ref(), |that| self.item(that) == *item))
            }
            form::Act::Chat => *done == Act::Chat,
            form::Act::Turn(wanted) => self.is_news_wanted(wanted, done),
            form::Act::Tell(wanted) => {
                let Act::Tell(telling) = done else { return false };
                let is_about = Self::is_given(wanted.item.as_ref(), |that| self.item(that) == telling.item);
                let value = wanted.value.as_ref();
                let says = value.is_none_or(|value| self.is_said(value, telling));
                is_about && says && self.are_hearers(&wanted.hearers, &telling.hearers)
            }
            form::Act::Show(_) => unreachable!("no storyboard demands this"),
        }
    }

    /// What is demanded, in a sentence.
    pub(super) fn demanded(&self, wanted: &'a DirectionIn<Written>) -> String {
        let or =
            |name: &'a Option<Name>, other: &'static str| name.as_ref().map_or(other, |name| &name.value);
        let thing = |name| or(name, "something");
        let to = || self.place(wanted.to.as_ref().expect("who goes has somewhere to go"));
        let what = match &wanted.act {
            form::Act::Go => format!("move to {}", to()),
            form::Act::GoTogether(others) => {
                let company: Vec<&str> =
                    [self.role(&wanted.who)].into_iter().chain(self.players(others)).collect();
                return format!("{} should go to {} together", company.join(", "), to());
            }
            form::Act::Carry(object) => format!("carry {} to {}", thing(object), to()),
            form::Act::Take(object) => format!("take {}", thing(object)),
            form::Act::Put(object, Some(container)) => {
                format!("put {} into {}", thing(object), container.value)
            }
            form::Act::Put(object, None) => format!("put {} down", thing(object)),
            form::Act::MoveObject(object, to) => {
                format!("move {} to {}", thing(object), or(to, "another container"))
            }
            form::Act::Give(object, to) => {
                let to = to.as_ref().map_or("somebody", |to| self.role(to));
                format!("give {} to {to}", thing(object))
            }
            form::Act::Throw(object, to) => {
                let place = to.as_ref().map_or("another place", |to| self.place(to));
                format!("throw {} to {place}", thing(object))
            }
            form::Act::Open(container) => format!("open {}", thing(container)),
            form::Act::Close(container) => format!("close {}", thing(container)),
            form::Act::React(to) => format!("react to {}", thing(to)),
            form::Act::Reveal(that) => format!("reveal {}", thing(that)),
            form::Act::Chat => "make small talk".to_owned(),
            form::Act::Turn(news) => format!("announce how {} stands", thing(&news.item)),
            form::Act::Tell(telling) => {
                let hearers = match &telling.hearers {
                    form::Hearers::Present => "everyone there".to_owned(),
                    form::Hearers::Named(who) => self.players(who).join(", "),
                    form::Hearers::Afar(who) => format!("{}, from afar,", self.players(who).join(", ")),
                };
                let value = telling.value.as_ref();
                let is_so = value.map_or_else(String::new, |value| match value {
                    WrittenValue::Name(name) => format!(" that it is {}", name.value),
                    WrittenValue::Case(_) => " that it stands as demanded".to_owned(),
                });
                format!("tell {hearers} of {}{is_so}", thing(&telling.item))
            }
            form::Act::Show(_) => unreachable!("no storyboard demands this"),
        };
        format!("{} should {what}", self.role(&wanted.who))
    }

    /// The kind of free play that draws what is done; none, if that takes more than the deed to say, or nothing draws it.
    ///
    /// # Errors
    /// If free play never draws it.
    pub(super) fn kind_of_play(&self, event: Event<'a>) -> Result<Option<Play>, String> {
        let who = event.who;
        Ok(Some(match &event.deed.act {
            Act::Go => return Ok(None),
            Act::GoTogether(_) => return Err(format!("{who} should not go together with others")),
            Act::Show(_) => return Err(format!("{who} should not show anything to others")),
            Act::Reveal(_) => return Err(format!("{who} should not reveal anything")),
            Act::Turn(_) => return Err(format!("{who} should not announce anything")),
            Act::Carry(_) => Play::Carry,
            Act::Take(_) => Play::Take,
            Act::Put(..) => Play::Put,
            Act::MoveObject(..) => Play::MoveObject,
            Act::Give(..) => Play::Give,
            Act::Throw(..) => Play::Throw,
            Act::Open(_) => Play::Open,
            Act::Close(_) => Play::Close,
            Act::React(_) => Play::React,
            Act::Chat => Play::Chat,
            Act::Tell(telling) => {
                let kind = match &telling.hearers {
                    // Which of the two it is depends on what she believes.
                    Hearers::Present if self.plays(Play::Lie) => return Ok(None),
                    Hearers::Present => return Ok(Some(Play::Tell)),
                    Hearers::Named(_) => Play::Whisper,
                    Hearers::Afar(_) => Play::Phone,
                };
                let is_to_one = telling.hearers.named().len() == 1;
                demand(is_to_one, || format!("{who} should {} to one alone", kind.key()))?;
                kind
            }
        }))
    }
}
