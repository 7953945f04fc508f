//! Whether people do what they should: what a verb demands of a step, and else what free play draws.

use super::claim::{Act, Hearers, Item, Value};
use super::conditions::Window;
use super::state::{Event, State, demand};
use super::{Replay, Violation, at_step};
use crate::diagnostic::Span;
use crate::form::{self, Condition, DirectionIn};
use crate::storyboard::{Name, Play, Verb, Written};

/// The deed that a verb demands, if it is more than going from one place to another.
pub(super) fn deed_of(verb: &Verb) -> Option<&DirectionIn<Written>> {
    match verb {
        Verb::Do(direction) => (direction.act != form::Act::Go).then_some(direction),
        Verb::Hold(_) | Verb::Note { .. } => None,
    }
}

/// Who peeks or is distracted and should not, or the other way round, and what demands this.
pub(super) struct Unattended {
    what: String,
    span: Option<Span>,
}

impl Unattended {
    /// The violation at a step.
    pub fn at(self, step: usize) -> Violation {
        at_step(step, self.what, self.span)
    }
}

impl<'a> Replay<'a> {
    /// Whether what is given satisfies `is`; if nothing is given, anything does.
    fn is_given<'n>(given: Option<&'n Name>, is: impl FnOnce(&'n Name) -> bool) -> bool {
        given.is_none_or(is)
    }

    /// Checks that an event is the demanded deed; otherwise says what is not. (What depends on minds is left to speech.)
    pub(super) fn meets_deed(
        &self,
        wanted: &'a DirectionIn<Written>,
        event: Event<'a>,
    ) -> Result<(), String> {
        let is_there = wanted.to.as_ref().is_none_or(|to| event.to == self.place(to));
        let is_hers = event.who == self.role(&wanted.who);
        let is_met = is_there
            && self.is_act(wanted, event)
            && (is_hers || matches!(wanted.act, form::Act::GoTogether(_)));
        demand(is_met, || self.demanded(wanted))
    }

    /// Whether the demanded act is done, whoever does it and wherever it leads.
    fn is_act(&self, wanted: &'a DirectionIn<Written>, event: Event<'a>) -> bool {
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
            form::Act::Tell(wanted) => {
                let Act::Tell(telling) = done else { return false };
                let is_about = Self::is_given(wanted.item.as_ref(), |that| self.item(that) == telling.item);
                let value = wanted.value.as_ref();
                let says = value.is_none_or(|value| self.item_value(telling.item, value) == telling.value);
                is_about && says && self.are_hearers(&wanted.hearers, &telling.hearers)
            }
            form::Act::Show(_) => unreachable!("no storyboard demands this"),
        }
    }

    /// Whether something is said to exactly these hearers.
    fn are_hearers(&self, wanted: &form::Hearers<Name>, hearers: &Hearers<'a>) -> bool {
        let are = |wanted: &[Name], hearers: &[&str]| {
            wanted.len() == hearers.len() && self.players(wanted).iter().all(|who| hearers.contains(who))
        };
        match (wanted, hearers) {
            (form::Hearers::Present, Hearers::Present) => true,
            (form::Hearers::Named(wanted), Hearers::Named(hearers))
            | (form::Hearers::Afar(wanted), Hearers::Afar(hearers)) => are(wanted, hearers),
            _ => false,
        }
    }

    /// The demand, as a sentence.
    fn demanded(&self, wanted: &'a DirectionIn<Written>) -> String {
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
            form::Act::Tell(telling) => {
                let hearers = match &telling.hearers {
                    form::Hearers::Present => "everyone there".to_owned(),
                    form::Hearers::Named(who) => self.players(who).join(", "),
                    form::Hearers::Afar(who) => format!("{}, from afar,", self.players(who).join(", ")),
                };
                let value = telling.value.as_ref();
                let is_so = value.map_or_else(String::new, |value| format!(" that it is {}", value.value));
                format!("tell {hearers} of {}{is_so}", thing(&telling.item))
            }
            form::Act::Show(_) => unreachable!("no storyboard demands this"),
        };
        format!("{} should {what}", self.role(&wanted.who))
    }

    /// Checks that exactly those peek or are distracted who should. `state` is the one before the event.
    pub(super) fn is_attended<'w>(
        &self,
        in_force: impl Iterator<Item = &'w Window<'a>> + Clone,
        event: Event<'a>,
        state: &State<'a>,
    ) -> Result<(), Unattended>
    where
        'a: 'w,
    {
        let demand = |holds: bool, what: String, span: Option<Span>| {
            if holds { Ok(()) } else { Err(Unattended { what, span }) }
        };
        let deed = event.deed;
        let misses = |who: &str, is_noticed| deed.distracted.contains(&(who, is_noticed));
        let (mut may_peek, mut may_miss) = (Vec::new(), Vec::new());
        for window in in_force {
            let Verb::Hold(condition) = window.verb else { continue };
            match condition {
                Condition::Peek { who } => {
                    for who in self.players(who) {
                        let has_to = window.is_single || !state.audience(event).contains(&who);
                        let holds = deed.peeking.contains(&who) || !has_to;
                        demand(holds, format!("{who} should peek"), Some(window.span))?;
                        may_peek.push(who);
                    }
                }
                Condition::Distracted { who, is_noticed } => {
                    for who in self.players(who) {
                        let can = state.audience(event).contains(&who) && !event.has_part_in(who);
                        let how = if *is_noticed { "noticed" } else { "unnoticed" };
                        let holds = misses(who, *is_noticed) || !(window.is_single || can);
                        demand(holds, format!("{who} should be distracted, {how}"), Some(window.span))?;
                        may_miss.push(who);
                    }
                }
                Condition::Meet { .. }
                | Condition::Idle { .. }
                | Condition::Apart { .. }
                | Condition::Together { .. }
                | Condition::Unseen { .. }
                | Condition::Avoid { .. }
                | Condition::Follow { .. } => {}
            }
        }
        if let Some(who) = deed.peeking.iter().find(|who| !may_peek.contains(who)) {
            return demand(false, format!("{who} should not peek"), None);
        }
        match deed.distracted.iter().find(|(who, _)| !may_miss.contains(who)) {
            Some((who, _)) => demand(false, format!("{who} should not be distracted"), None),
            None => Ok(()),
        }
    }

    /// Checks that something that is not demanded can be drawn in free play; otherwise says why not.
    pub(super) fn is_played<'w>(
        &self,
        mut in_force: impl Iterator<Item = &'w Window<'a>>,
        event: Event<'a>,
    ) -> Result<(), String>
    where
        'a: 'w,
    {
        let who = event.who;
        if event.deed.act == Act::Go || in_force.any(|window| deed_of(window.verb).is_some()) {
            return Ok(());
        }
        let kind = match &event.deed.act {
            Act::Go => return Ok(()),
            Act::GoTogether(_) => return Err(format!("{who} should not go together with others")),
            Act::Show(_) => return Err(format!("{who} should not show anything to others")),
            Act::Carry(_) => Play::Carry,
            Act::Take(_) => Play::Take,
            Act::Put(..) => Play::Put,
            Act::MoveObject(..) => Play::MoveObject,
            Act::Give(..) => Play::Give,
            Act::Throw(..) => Play::Throw,
            Act::Open(_) => Play::Open,
            Act::Close(_) => Play::Close,
            Act::React(_) => Play::React,
            Act::Tell(telling) => {
                let (hearers, kind) = match &telling.hearers {
                    // Which of the two it is depends on what she believes.
                    Hearers::Present if self.plays(Play::Lie) => return Ok(()),
                    Hearers::Present => return self.is_drawn(who, Play::Tell),
                    Hearers::Named(hearers) => (hearers, Play::Whisper),
                    Hearers::Afar(hearers) => (hearers, Play::Phone),
                };
                demand(hearers.len() == 1, || format!("{who} should {} to one alone", kind.key()))?;
                kind
            }
        };
        self.is_drawn(who, kind)
    }

    /// Checks that free play draws a kind of deed; otherwise says that it never does.
    pub(super) fn is_drawn(&self, who: &str, kind: Play) -> Result<(), String> {
        demand(self.plays(kind), || format!("{who} should not {}", kind.key().replace('_', " ")))
    }

    fn plays(&self, kind: Play) -> bool {
        self.storyboard.play.iter().any(|(drawn, weight)| drawn.value == kind && self.value(weight) > 0)
    }

    /// Checks that someone may tell another something that others do not hear; otherwise says why not.
    pub(super) fn are_friends(&self, who: &str, other: &str) -> Result<(), String> {
        let of_hers = self.storyboard.friends.iter().find(|(role, _)| self.role(role) == who);
        let is_friend = of_hers.is_none_or(|(_, friends)| self.players(friends).contains(&other));
        demand(is_friend, || format!("{who} should not tell {other}, who is no friend"))
    }
}
