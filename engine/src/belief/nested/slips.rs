//! What a mind takes to have happened unseen, in any order; and what follows where something is unclear.

use std::collections::BTreeSet;

use super::{Held, Lesson, Look, Mind, Source};
use crate::belief::WAYS_MAX;
use crate::id::{CharacterId, PlaceId};
use crate::world::{Item, Value};

/// A change that a mind takes to have happened unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// An item leaves where it was.
    Goes(Item),
    /// An item comes to where it is.
    Comes(Item, Value),
}

impl Slip {
    fn item(self) -> Item {
        match self {
            Self::Goes(item) | Self::Comes(item, _) => item,
        }
    }
}

impl Mind {
    /// Concludes that what turns out otherwise has changed unseen: each item went from where this mind had it, and came to
    /// where it is, in any order.
    pub(super) fn slip(&mut self, lesson: &Lesson, absent: &[CharacterId], step: usize, ways: usize) {
        let goes = |item: Item| self.held[&item].value().map(|_| Slip::Goes(item));
        let comes = |item: Item, held: &Held| held.value().map(|value| Slip::Comes(item, value));
        let slips = lesson.iter().flat_map(|(&item, held)| goes(item).into_iter().chain(comes(item, held)));
        let is_reckoned = |slip: &Slip| self.reckoned.contains(&slip.item());
        let (slips, first): (Vec<Slip>, Vec<Slip>) = slips.partition(is_reckoned);
        first.iter().for_each(|&slip| self.apply(slip, absent, step, false, ways));
        let items: BTreeSet<Item> = slips.iter().map(|slip| slip.item()).collect();
        if items.len() < 2 || self.minds.is_empty() {
            return slips.iter().for_each(|&slip| self.apply(slip, absent, step, false, ways));
        }
        match multiplied(ways, 1_usize.checked_shl(slips.len() as u32).unwrap_or(usize::MAX)) {
            Some(ways) => self.slip_in_any_order(&slips, absent, step, ways),
            None => {
                self.minds.values_mut().for_each(Self::lose);
                slips.iter().for_each(|&slip| self.apply(slip, absent, step, false, ways));
            }
        }
    }

    /// Gives this mind up: nothing can be said of it any more.
    fn lose(&mut self) {
        self.is_lost = true;
        self.open.clear();
        self.held.values_mut().for_each(|held| *held = Held::Unclear);
        self.minds.values_mut().for_each(Self::lose);
    }

    /// Applies slips in every order in which an item goes before it comes, and nothing that slips is in the hands of someone
    /// who slips.
    ///
    /// When some of them are done, only what their orders do not agree on is unclear: so it takes O(2^slips) states.
    fn slip_in_any_order(&mut self, slips: &[Slip], absent: &[CharacterId], step: usize, ways: usize) {
        let needs: Vec<usize> = slips.iter().map(|&slip| self.before(slip, slips)).collect();
        let mut states: Vec<Option<Self>> = vec![None; 1 << slips.len()];
        states[0] = Some(self.clone());
        for done in 0..states.len() - 1 {
            let Some(state) = states[done].take() else { continue };
            for (at, &slip) in slips.iter().enumerate() {
                if done & (1 << at) != 0 || needs[at] & !done != 0 {
                    continue;
                }
                let mut after = state.clone();
                after.apply(slip, absent, step, false, ways);
                match &mut states[done | (1 << at)] {
                    Some(joined) => joined.join(&after),
                    next => *next = Some(after),
                }
            }
        }
        *self = states.pop().flatten().expect("all slips are done in the end");
    }

    /// The slips that must come before this one, as a set of bits.
    fn before(&self, slip: Slip, slips: &[Slip]) -> usize {
        let is_held_by =
            |value: Option<Value>, who: Item| value == who.character().map(Value::Hands) && value.is_some();
        let is_before = |first: Slip| match (first, slip) {
            (Slip::Goes(item), Slip::Comes(other, _)) => item == other,
            (Slip::Goes(item), Slip::Goes(who)) => is_held_by(self.held[&item].value(), who),
            (Slip::Comes(who, _), Slip::Comes(_, value)) => is_held_by(Some(value), who),
            (Slip::Comes(..), Slip::Goes(_)) => false,
        };
        slips.iter().enumerate().filter(|&(_, &first)| is_before(first)).map(|(at, _)| 1 << at).sum()
    }

    /// Applies a slip to this mind, and to those within it that witness it. If its owner did not see it go, she has no idea
    /// where it is.
    pub(super) fn apply(
        &mut self,
        slip: Slip,
        absent: &[CharacterId],
        step: usize,
        is_seen: bool,
        ways: usize,
    ) {
        let item = slip.item();
        if let Slip::Comes(_, value) = slip {
            self.hold(item, Held::Known(value, Source::Seen), step);
        }
        let (room, in_hand) = (self.room(item), self.held[&item].value());
        let look = match (slip, room) {
            (Slip::Comes(Item::Character(_), _), Some(place)) => Some((self.look(place), place)),
            _ => None,
        };
        for z in self.minds.keys().copied().collect::<Vec<_>>() {
            let is_hers = item == Item::Character(z) || in_hand == Some(Value::Hands(z));
            let is_beside = room.is_some() && self.place(z) == room;
            let mind = self.minds.get_mut(&z).expect("it is kept");
            if !(is_hers || is_beside) || !mind.held.contains_key(&item) {
                continue;
            }
            let before = (absent.contains(&z) && !is_hers).then(|| mind.clone());
            mind.by_cases(ways, &|mind, ways| mind.see_slip(slip, look.as_ref(), step, ways));
            if let Some(before) = before {
                mind.join(&before);
            }
        }
        if let Slip::Goes(_) = slip {
            self.hold(item, if is_seen { Held::Unclear } else { Held::Nothing }, step);
        }
    }

    /// Sees something go or come; and if it is someone who comes, what else there is.
    fn see_slip(&mut self, slip: Slip, look: Option<&(Look, PlaceId)>, step: usize, ways: usize) {
        let item = slip.item();
        if let Slip::Comes(..) = slip {
            let mut lesson = look.map(|(look, place)| self.surprises(look, *place)).unwrap_or_default();
            lesson.remove(&item);
            if self.held[&item].value().is_some() {
                lesson.insert(item, Held::Nothing);
            }
            self.slip(&lesson, &[], step, ways);
        }
        self.apply(slip, &[], step, true, ways);
        self.see(look.into_iter().flat_map(|(look, _)| look).map(|(&item, &value)| (item, value)));
    }

    /// Does something in each case of what is unclear between values. What the cases do not agree on is unclear after it.
    /// Nothing is done to a mind that is lost.
    pub(super) fn by_cases(&mut self, ways: usize, act: &dyn Fn(&mut Self, usize)) {
        if self.is_lost {
            return;
        }
        let Some((&item, all)) = self.open.first_key_value() else { return act(self, ways) };
        let Some(ways) = multiplied(ways, all.len()) else { return self.lose() };
        let cases = self.open.remove(&item).expect("it is open").into_iter().map(|held| {
            let mut case = self.clone();
            case.set(item, vec![held]);
            case.by_cases(ways, act);
            case
        });
        *self = cases
            .reduce(|mut joined, case| {
                joined.join(&case);
                joined
            })
            .expect("there are at least two cases");
    }

    /// What may be held of an item.
    fn alternatives(&self, item: Item) -> &[Held] {
        self.open.get(&item).map_or_else(|| std::slice::from_ref(&self.held[&item]), Vec::as_slice)
    }

    /// Makes unclear what two states do not agree on.
    fn join(&mut self, other: &Self) {
        if self.is_lost || other.is_lost {
            return self.lose();
        }
        let items: Vec<Item> = self.held.keys().copied().collect();
        for &item in &items {
            let (own, others) = (self.alternatives(item), other.alternatives(item));
            if own.len() == 1 && own == others {
                continue; // as most of what a mind holds
            }
            let mut all = own.to_vec();
            all.extend(others.iter().filter(|held| !own.contains(held)));
            if all.len() > 1 && !self.reckoned.contains(&item) {
                all = vec![agreed(&all)];
            }
            self.put(item, all);
        }
        for (&key, &step) in &other.left {
            let last = self.left.entry(key).or_insert(step);
            *last = step.max(*last);
        }
        for (z, mind) in &mut self.minds {
            mind.join(&other.minds[z]);
        }
        items.into_iter().for_each(|item| self.agree(item));
    }

    fn put(&mut self, item: Item, mut all: Vec<Held>) {
        all.sort_unstable();
        self.held.insert(item, agreed(&all));
        if all.len() > 1 {
            self.open.insert(item, all);
        } else {
            self.open.remove(&item);
        }
    }

    fn set(&mut self, item: Item, all: Vec<Held>) {
        if self.is_lost {
            return;
        }
        self.put(item, all);
        self.agree(item);
    }

    /// Lets the minds within this one have what this one has of their owners' places, and of what these have in hand:
    /// that everyone knows.
    fn agree(&mut self, item: Item) {
        let all = self.alternatives(item).to_vec();
        for (&z, mind) in &mut self.minds {
            let is_hers = |held: &Held| item == Item::Character(z) || held.value() == Some(Value::Hands(z));
            if !mind.held.contains_key(&item) {
                continue;
            }
            let known = mind.alternatives(item);
            if !all.iter().chain(known).any(is_hers) {
                continue;
            }
            let mut possible: Vec<Held> = if all.iter().all(is_hers) {
                let own = |held: &Held| {
                    held.value().map_or(Held::Unclear, |value| Held::Known(value, Source::Seen))
                };
                all.iter().map(own).collect()
            } else {
                known.iter().copied().filter(|held| !is_hers(held) || all.contains(held)).collect()
            };
            possible.sort_unstable();
            possible.dedup();
            if !possible.is_empty() && possible != known {
                mind.set(item, possible);
            }
        }
    }
}

/// What is held in all of these cases. Of a value that was only heard of in one of them there is less to know.
fn agreed(all: &[Held]) -> Held {
    match all {
        [one] => *one,
        [Held::Known(value, _), rest @ ..] if rest.iter().all(|held| held.value() == Some(*value)) => {
            Held::Known(*value, Source::Heard)
        }
        _ => Held::Unclear,
    }
}

/// How many ways there are to go through, if each of these goes on in so many; `None` if they are too many.
fn multiplied(ways: usize, by: usize) -> Option<usize> {
    ways.checked_mul(by).filter(|&ways| ways <= WAYS_MAX)
}
