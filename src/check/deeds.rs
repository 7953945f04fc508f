//! Whether people do what they should: what a verb demands of a step, and else what free play draws.

use super::Replay;
use super::claim::{Act, Hearers, Item, Value};
use super::conditions::Window;
use super::state::{Event, State, demand};
use crate::storyboard::{self, Name, Play, Verb};

/// Whether a verb says what is done at a step, beyond going from one place to another.
pub(super) fn is_deed(verb: &Verb) -> bool {
    matches!(
        verb,
        Verb::MoveTogether { .. }
            | Verb::Carry { .. }
            | Verb::Take { .. }
            | Verb::Put { .. }
            | Verb::MoveObject { .. }
            | Verb::Throw { .. }
            | Verb::Open { .. }
            | Verb::Close { .. }
            | Verb::Tell { .. }
            | Verb::React { .. }
    )
}

impl<'a> Replay<'a> {
    /// Whether what is given is this; if nothing is given, anything is.
    fn is_given<'n>(given: Option<&'n Name>, is: impl FnOnce(&'n Name) -> bool) -> bool {
        given.is_none_or(is)
    }

    /// Says in what an event is not the deed that a verb demands. (What minds make of it is left to speech.)
    pub(super) fn meets_deed(&self, verb: &'a Verb, event: Event<'a>) -> Result<(), String> {
        let Event { from, to, .. } = event;
        let is_object = |given: &'a Option<Name>, object: &str| {
            Self::is_given(given.as_ref(), |name| name.value == object)
        };
        let (who, is_met) = match (verb, &event.deed.act) {
            (Verb::MoveTogether { who, to: place }, act) => {
                let company = self.players(who);
                let is_company = matches!(act, Act::GoTogether(others) if others.len() + 1 == company.len())
                    && company.iter().all(|member| event.has_mover(member));
                let is_met = is_company && to == self.place(place);
                let place = self.place(place);
                return demand(is_met, || format!("{} should go to {place} together", company.join(", ")));
            }
            (Verb::Carry { who, object, to: place }, act) => {
                let is_carried = matches!(act, Act::Carry(carried) if is_object(object, carried));
                (who, is_carried && to == self.place(place))
            }
            (Verb::Take { who, object }, act) => {
                (who, matches!(act, Act::Take(taken) if is_object(object, taken)))
            }
            (Verb::Put { who, object, container }, act) => {
                let wanted = match container {
                    Some(container) => Value::Container(&container.value),
                    None => Value::Place(from),
                };
                (who, matches!(act, Act::Put(put, spot) if is_object(object, put) && *spot == wanted))
            }
            (Verb::MoveObject { who, object, to }, act) => {
                let is_met = matches!(act, Act::MoveObject(moved, container)
                    if is_object(object, moved) && is_object(to, container));
                (who, is_met)
            }
            (Verb::Throw { who, object, to }, act) => {
                let is_there = |place: &str| Self::is_given(to.as_ref(), |name| self.place(name) == place);
                let is_met =
                    matches!(act, Act::Throw(thrown, place) if is_object(object, thrown) && is_there(place));
                (who, is_met)
            }
            (Verb::Open { who, container }, act) => {
                (who, matches!(act, Act::Open(opened) if is_object(container, opened)))
            }
            (Verb::Close { who, container }, act) => {
                (who, matches!(act, Act::Close(closed) if is_object(container, closed)))
            }
            (Verb::React { who, to }, act) => {
                (who, matches!(act, Act::React(Item::Likes(_, thing), _) if is_object(to, thing)))
            }
            (Verb::Tell { who, to, that, value, .. }, act) => {
                let Act::Tell(telling) = act else { return Err(self.demanded(verb, who)) };
                let is_about = Self::is_given(that.as_ref(), |_| {
                    that.as_ref().is_some_and(|that| self.item(that) == telling.item)
                });
                let says =
                    value.as_ref().is_none_or(|value| self.item_value(telling.item, value) == telling.value);
                (who, is_about && says && self.are_hearers(to, &telling.hearers))
            }
            _ => return Ok(()),
        };
        demand(is_met && event.who == self.role(who), || self.demanded(verb, who))
    }

    /// Whether something is said to exactly these.
    fn are_hearers(&self, wanted: &storyboard::Hearers, hearers: &Hearers<'a>) -> bool {
        let are = |wanted: &[Name], hearers: &[&str]| {
            wanted.len() == hearers.len() && self.players(wanted).iter().all(|who| hearers.contains(who))
        };
        match (wanted, hearers) {
            (storyboard::Hearers::Present, Hearers::Present) => true,
            (storyboard::Hearers::Named(wanted), Hearers::Named(hearers))
            | (storyboard::Hearers::Afar(wanted), Hearers::Afar(hearers)) => are(wanted, hearers),
            _ => false,
        }
    }

    /// What a verb demands, in a sentence.
    fn demanded(&self, verb: &'a Verb, who: &Name) -> String {
        let or =
            |name: &'a Option<Name>, other: &'static str| name.as_ref().map_or(other, |name| &name.value);
        let what = match verb {
            Verb::Carry { object, to, .. } => {
                format!("carry {} to {}", or(object, "something"), self.place(to))
            }
            Verb::Take { object, .. } => format!("take {}", or(object, "something")),
            Verb::Put { object, container: Some(container), .. } => {
                format!("put {} into {}", or(object, "something"), container.value)
            }
            Verb::Put { object, .. } => format!("put {} down", or(object, "something")),
            Verb::MoveObject { object, to, .. } => {
                format!("move {} to {}", or(object, "something"), or(to, "another container"))
            }
            Verb::Throw { object, to, .. } => {
                let place = to.as_ref().map_or("another place", |to| self.place(to));
                format!("throw {} to {place}", or(object, "something"))
            }
            Verb::Open { container, .. } => format!("open {}", or(container, "something")),
            Verb::Close { container, .. } => format!("close {}", or(container, "something")),
            Verb::React { to, .. } => format!("react to {}", or(to, "something")),
            Verb::Tell { to, that, .. } => {
                let hearers = match to {
                    storyboard::Hearers::Present => "everyone there".to_owned(),
                    storyboard::Hearers::Named(who) => self.players(who).join(", "),
                    storyboard::Hearers::Afar(who) => format!("{}, from afar,", self.players(who).join(", ")),
                };
                let is_so = if let Verb::Tell { value: Some(value), .. } = verb {
                    format!(" that it is {}", value.value)
                } else {
                    String::new()
                };
                format!("tell {hearers} of {}{is_so}", or(that, "something"))
            }
            _ => unreachable!("the verb of a deed"),
        };
        format!("{} should {what}", self.role(who))
    }

    /// Says who peeks or is distracted and should not, or the other way round. `state` is that before the event.
    pub(super) fn is_attended<'w>(
        &self,
        in_force: impl Iterator<Item = &'w Window<'a>> + Clone,
        event: Event<'a>,
        state: &State<'a>,
    ) -> Result<(), String>
    where
        'a: 'w,
    {
        let deed = event.deed;
        let misses = |who: &str, is_noticed| deed.distracted.contains(&(who, is_noticed));
        let (mut may_peek, mut may_miss) = (Vec::new(), Vec::new());
        for window in in_force {
            match window.verb {
                Verb::Peek { who } => {
                    for who in self.players(who) {
                        let has_to = window.is_single || !state.audience(event).contains(&who);
                        demand(deed.peeking.contains(&who) || !has_to, || format!("{who} should peek"))?;
                        may_peek.push(who);
                    }
                }
                Verb::Distracted { who, is_noticed } => {
                    for who in self.players(who) {
                        let can = state.audience(event).contains(&who) && !event.has_actor(who);
                        let how = if *is_noticed { "noticed" } else { "unnoticed" };
                        demand(misses(who, *is_noticed) || !(window.is_single || can), || {
                            format!("{who} should be distracted, {how}")
                        })?;
                        may_miss.push(who);
                    }
                }
                _ => {}
            }
        }
        if let Some(who) = deed.peeking.iter().find(|who| !may_peek.contains(who)) {
            return Err(format!("{who} should not peek"));
        }
        match deed.distracted.iter().find(|(who, _)| !may_miss.contains(who)) {
            Some((who, _)) => Err(format!("{who} should not be distracted")),
            None => Ok(()),
        }
    }

    /// Says why something is done though nothing demands it, and free play does not draw it.
    pub(super) fn is_played<'w>(
        &self,
        mut in_force: impl Iterator<Item = &'w Window<'a>>,
        event: Event<'a>,
    ) -> Result<(), String>
    where
        'a: 'w,
    {
        let who = event.who;
        if event.deed.act == Act::Go || in_force.any(|window| is_deed(window.verb)) {
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
            Act::Throw(..) => Play::Throw,
            Act::Open(_) => Play::Open,
            Act::Close(_) => Play::Close,
            Act::React(..) => Play::React,
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

    /// Says that free play never draws a kind.
    pub(super) fn is_drawn(&self, who: &str, kind: Play) -> Result<(), String> {
        demand(self.plays(kind), || format!("{who} should not {}", kind.key().replace('_', " ")))
    }

    fn plays(&self, kind: Play) -> bool {
        self.storyboard.play.iter().any(|(drawn, weight)| drawn.value == kind && self.value(weight) > 0)
    }

    /// Says why someone should not tell another something unheard by others.
    pub(super) fn are_friends(&self, who: &str, other: &str) -> Result<(), String> {
        let of_hers = self.storyboard.friends.iter().find(|(role, _)| self.role(role) == who);
        let is_friend = of_hers.is_none_or(|(_, friends)| self.players(friends).contains(&other));
        demand(is_friend, || format!("{who} should not tell {other}, who is no friend"))
    }
}
