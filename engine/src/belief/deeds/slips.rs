//! What the minds along a chain take to have happened unseen, in any order; and what follows where something is unclear.

use super::{DeedTracker, is_noticed_to_miss};
use crate::belief::{Held, Source, WAYS_MAX};
use crate::id::{CharacterId, PlaceId};
use crate::world::{Distraction, Item, Value};
use smallvec::SmallVec;

/// What minds hold: row 0 is reality, row i the mind of the first i members, with one column per item.
#[derive(Debug, Default)]
pub(super) struct Minds {
    /// What is held in each cell.
    pub held: Vec<Held>,
    /// For each cell that is unclear since orders differ, what may be held: at least two entries, sorted.
    pub open: Vec<(usize, Held)>,
    /// When the mind of each row last ceased to have someone in a place; only needed for [`Trust::LaterLeaver`].
    pub departures: Vec<Departure>,
    /// The first cell, at the beginning of a row, of which nothing can be said any more, since there was too much to reckon
    /// with.
    pub lost: usize,
}

/// A change that a mind takes to have happened unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// The item of a column leaves where it was.
    Goes(usize),
    /// The item of a column comes to where it is.
    Comes(usize, Value),
}

/// There are seldom more slips at once.
const SLIPS_MOSTLY: usize = 8;

type Slips = SmallVec<[Slip; SLIPS_MOSTLY]>;

/// What may be held in a cell: seldom more than this.
type Alternatives = SmallVec<[Held; 4]>;

impl Slip {
    fn column(self) -> usize {
        match self {
            Self::Goes(column) | Self::Comes(column, _) => column,
        }
    }
}

/// The record that the mind of a row ceased to have someone in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Departure {
    pub row: u16,
    pub who: CharacterId,
    pub place: PlaceId,
    pub step: u32,
}

impl DeedTracker {
    /// Does something to a row in each case of what is unclear in it. What the cases do not agree on is unclear after it.
    /// Nothing is done to a row that is lost.
    ///
    /// In the last row, no mind is beside another. If nothing is told, each cell then becomes something else, or not,
    /// whatever is in the others, so that as many cases suffice as there are of one cell.
    pub(super) fn by_cases(&mut self, row: usize, act: &mut dyn FnMut(&mut Self)) {
        if row < self.order() {
            return self.by_all_cases(row, act);
        }
        if self.is_row_lost(row) {
            return;
        }
        let first = self.cell(row, 0);
        let begin = self.minds.open.partition_point(|(cell, _)| *cell < first);
        if begin == self.minds.open.len() {
            return act(self);
        }
        let open = self.minds.open.split_off(begin);
        let cells = || open.chunk_by(|one, other| one.0 == other.0);
        if cells().try_fold(self.ways, |ways, cell| ways_times(ways, cell.len())).is_none() {
            return self.lose(row);
        }
        let before = self.take();
        let mut joined: Option<Minds> = None;
        for case in 0..cells().map(<[_]>::len).max().unwrap_or(0) {
            self.minds.clone_from(&before);
            for cell in cells() {
                let (at, held) = cell[case.min(cell.len() - 1)];
                self.minds.held[at] = held;
            }
            act(self);
            self.join_into(&mut joined, first);
        }
        self.resume(joined.expect("at least two cases"));
        self.spare.push(before);
    }

    /// Does so in each combination of what is unclear in cells of the row.
    pub(super) fn by_all_cases(&mut self, row: usize, act: &mut dyn FnMut(&mut Self)) {
        if self.is_row_lost(row) {
            return;
        }
        let width = self.items.len();
        let Some(&(cell, _)) = self.minds.open.iter().find(|(cell, _)| cell / width == row) else {
            return act(self);
        };
        let all: Alternatives = self.minds.alternatives(cell).collect();
        let Some(ways) = ways_times(self.ways, all.len()) else { return self.lose(row) };
        let before = self.take();
        let mut joined: Option<Minds> = None;
        for held in all {
            self.minds.clone_from(&before);
            self.minds.set(cell, &[held]);
            self.agree(row, cell % width);
            let outer = std::mem::replace(&mut self.ways, ways);
            self.by_all_cases(row, act);
            self.ways = outer;
            self.join_into(&mut joined, row * width);
        }
        self.resume(joined.expect("at least two cases"));
        self.spare.push(before);
        self.agree_from(row);
    }

    /// A copy of what the minds hold, to go back to.
    fn save(&mut self) -> Minds {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.clone_from(&self.minds);
        copy
    }

    /// Goes on with a state that was saved.
    fn resume(&mut self, saved: Minds) {
        self.spare.push(std::mem::replace(&mut self.minds, saved));
    }

    /// What the minds hold. They hold nothing of use then, until a state is put in its place.
    fn take(&mut self) -> Minds {
        let spare = self.spare.pop().unwrap_or_default();
        std::mem::replace(&mut self.minds, spare)
    }

    /// [Takes](Self::take) what the minds hold, and joins it with what they hold in other cases, which agree with it before
    /// the cell `first`.
    fn join_into(&mut self, joined: &mut Option<Minds>, first: usize) {
        match joined {
            None => *joined = Some(self.take()),
            Some(joined) => joined.join(&self.minds, first, &self.is_reckoned),
        }
    }

    /// Gives a row and those below it up: nothing can be said of them any more.
    fn lose(&mut self, row: usize) {
        self.minds.lost = self.minds.lost.min(self.cell(row, 0));
        self.minds.forget();
    }

    fn is_row_lost(&self, row: usize) -> bool {
        self.cell(row, 0) >= self.minds.lost
    }

    /// Everyone knows where she is and what she has in hand: the next row has these things as this one has them.
    pub(super) fn agree(&mut self, row: usize, column: usize) {
        if row == 0 || row >= self.order() || self.is_row_lost(row + 1) {
            return;
        }
        let z = self.owner(row + 1);
        let (cell, next) = (self.cell(row, column), self.cell(row + 1, column));
        if self.is_walk && !self.is_reckoned[next] {
            return;
        }
        let is_hers = |held: &Held| column == z.index() || held.value() == Some(Value::Hands(z));
        let is_open = self.minds.open.iter().any(|(open, _)| *open == cell || *open == next);
        let held = &self.minds.held;
        if !is_open && (held[cell] == held[next] || !is_hers(&held[cell])) {
            return;
        }
        let all: Alternatives = self.minds.alternatives(cell).collect();
        let taken: Alternatives = self.minds.alternatives(next).collect();
        if all.iter().all(is_hers) {
            let own =
                |held: &Held| held.value().map_or(Held::Unclear, |value| Held::Known(value, Source::Seen));
            let mut own: Alternatives = all.iter().map(own).collect();
            own.sort_unstable();
            own.dedup();
            self.minds.set(next, &own);
        } else {
            let can_be = |held: &Held| !is_hers(held) || all.contains(held);
            let possible: Alternatives = taken.iter().copied().filter(can_be).collect();
            if possible.is_empty() || possible.len() == taken.len() {
                return;
            }
            self.minds.set(next, &possible);
        }
        self.agree(row + 1, column);
    }

    /// Does so for this row and all below it.
    pub(super) fn agree_from(&mut self, row: usize) {
        let [objects, lids, ..] = self.first;
        for row in row.max(1)..self.order() {
            self.agree(row, self.owner(row + 1).index());
            for at in 0..self.relevant.len() {
                if (objects..lids).contains(&self.relevant[at]) {
                    self.agree(row, self.relevant[at]);
                }
            }
        }
    }

    /// Lets the mind of `row` conclude that what turns out otherwise than it had it changed unseen. Some characters miss what
    /// shows it.
    pub(super) fn slip(
        &mut self,
        row: usize,
        mut lesson: impl FnMut(&mut Self, usize) -> Option<Held>,
        missing: &[Distraction],
    ) {
        let mut slips = Slips::new();
        for at in 0..self.relevant.len() {
            let column = self.relevant[at];
            if self.is_walk && !self.is_reckoned[self.cell(row, column)] {
                continue;
            }
            let Some(new) = lesson(self, column) else { continue };
            slips.extend(self.at(row, column).value().map(|_| Slip::Goes(column)));
            slips.extend(new.value().map(|value| Slip::Comes(column, value)));
        }
        if slips.len() < 2 || row == self.order() {
            return slips.iter().for_each(|&slip| self.apply_slip(row, slip, missing, false));
        }
        let is_reckoned = |slip: &Slip| self.is_reckoned[self.cell(row, slip.column())];
        let (slips, first): (Slips, Slips) = slips.into_iter().partition(|slip| is_reckoned(slip));
        first.iter().for_each(|&slip| self.apply_slip(row, slip, missing, false));
        if slips.iter().all(|slip| slip.column() == slips[0].column()) {
            return slips.iter().for_each(|&slip| self.apply_slip(row, slip, missing, false));
        }
        match ways_times(self.ways, 1_usize.checked_shl(slips.len() as u32).unwrap_or(usize::MAX)) {
            Some(ways) => {
                let outer = std::mem::replace(&mut self.ways, ways);
                self.in_any_order(row, &slips, missing);
                self.ways = outer;
            }
            None => {
                self.lose(row + 1);
                slips.iter().for_each(|&slip| self.apply_slip(row, slip, missing, false));
            }
        }
    }

    /// Applies slips in every order in which items go before they come, and nothing is in the hands of someone who slips, as
    /// far as that can be. What the orders do not agree on is unclear.
    ///
    /// Only of those that the owner of the next mind may see does the order matter: the others go first, or come last.
    /// What has happened when some of the slips are done is unclear only where the orders of these differ, so that
    /// O(2^slips) states suffice.
    pub(super) fn in_any_order(&mut self, row: usize, slips: &[Slip], missing: &[Distraction]) {
        let (watched, others) = self.watched(row, slips);
        for &slip in others.iter().filter(|slip| matches!(slip, Slip::Goes(_))) {
            self.apply_slip(row, slip, missing, false);
        }
        self.in_any_order_of_watched(row, &watched, missing);
        for &slip in others.iter().filter(|slip| matches!(slip, Slip::Comes(..))) {
            self.apply_slip(row, slip, missing, false);
        }
        self.agree_from(row);
    }

    /// Those slips that the owner of the next mind may see in some order, and the others.
    fn watched(&self, row: usize, slips: &[Slip]) -> (Slips, Slips) {
        let z = self.owner(row + 1);
        let comes = |who: CharacterId| {
            slips.iter().find_map(|&slip| match slip {
                Slip::Comes(column, value) if column == who.index() => self.place_named(value),
                _ => None,
            })
        };
        let places = [self.place(row, z), comes(z)];
        let is_watched = |&slip: &Slip| {
            let (column, value) = match slip {
                Slip::Goes(column) => (column, self.at(row, column).value()),
                Slip::Comes(column, value) => (column, Some(value)),
            };
            // What someone has in hand goes before she does, and comes after her.
            let place = |who: CharacterId| match slip {
                Slip::Goes(_) => self.place(row, who).or_else(|| comes(who)),
                Slip::Comes(..) => comes(who).or_else(|| self.place(row, who)),
            };
            let room = self.room_of(column, value, place);
            column == z.index() || value == Some(Value::Hands(z)) || room.is_some() && places.contains(&room)
        };
        slips.iter().copied().partition(is_watched)
    }

    /// Whether these slips are plainly seen alike in whatever order: no owner of a further mind goes or comes, nobody comes
    /// who could see what there is, nothing is in anybody's hands, and in the further minds nothing is open.
    fn is_seen_alike(&self, row: usize, slips: &[Slip]) -> bool {
        let further = &self.chain.minds()[row..];
        let is_in_hands = |column: usize| {
            (row..=self.order()).any(|row| matches!(self.at(row, column).value(), Some(Value::Hands(_))))
        };
        let is_plain = |slip: &Slip| match (self.items[slip.column()], slip) {
            (Item::Character(who), Slip::Goes(_)) => !further.contains(&who),
            (Item::Character(_), Slip::Comes(..)) | (_, Slip::Comes(_, Value::Hands(_))) => false,
            _ => !is_in_hands(slip.column()),
        };
        let is_open = self.minds.open.last().is_some_and(|(cell, _)| *cell >= self.cell(row + 1, 0));
        !is_open && slips.iter().all(is_plain)
    }

    /// Those that can be seen, in every order in which they can be.
    fn in_any_order_of_watched(&mut self, row: usize, slips: &[Slip], missing: &[Distraction]) {
        let apply = |tracker: &mut Self, slip: Slip| {
            tracker.agree_from(row);
            tracker.apply_slip(row, slip, missing, false);
        };
        if slips.iter().all(|slip| slip.column() == slips[0].column())
            || missing.is_empty() && self.is_seen_alike(row, slips)
        {
            return slips.iter().for_each(|&slip| apply(self, slip));
        }
        let holder = |value: Option<Value>| match value {
            Some(Value::Hands(who)) => Some(who.index()),
            _ => None,
        };
        let is_before = |first: Slip, second: Slip| match (first, second) {
            (Slip::Goes(item), Slip::Comes(other, _)) => item == other,
            (Slip::Goes(item), Slip::Goes(who)) => holder(self.at(row, item).value()) == Some(who),
            (Slip::Comes(who, _), Slip::Comes(_, value)) => holder(Some(value)) == Some(who),
            (Slip::Comes(..), Slip::Goes(_)) => false,
        };
        let needs = |&slip: &Slip| -> usize {
            let before = slips.iter().enumerate().filter(|&(_, &other)| is_before(other, slip));
            before.map(|(at, _)| 1 << at).sum()
        };
        let needs: SmallVec<[usize; SLIPS_MOSTLY]> = slips.iter().map(needs).collect();
        let all = (1_usize << slips.len()) - 1;
        let first = self.cell(row + 1, 0);
        let mut states: Vec<Option<Minds>> = vec![None; all + 1];
        states[0] = Some(self.take());
        for done in 0..all {
            let Some(state) = states[done].take() else { continue };
            for (at, &slip) in slips.iter().enumerate() {
                if done & (1 << at) != 0 || needs[at] & !done != 0 {
                    continue;
                }
                self.minds.clone_from(&state);
                apply(self, slip);
                self.join_into(&mut states[done | (1 << at)], first);
            }
            self.spare.push(state);
        }
        self.resume(states.pop().flatten().expect("all slips are done in the end"));
    }

    /// Applies a slip to the mind of `row`, and to those below it that witness it.
    pub(super) fn apply_slip(&mut self, row: usize, slip: Slip, missing: &[Distraction], is_seen: bool) {
        let column = slip.column();
        if let Slip::Comes(_, value) = slip {
            self.hold(row, column, Held::Known(value, Source::Seen));
        }
        if row < self.order() {
            let z = self.owner(row + 1);
            let room = self.room(row, column);
            let is_hers = column == z.index() || self.at(row, column).value() == Some(Value::Hands(z));
            let is_followed = !self.is_walk || self.is_reckoned[self.cell(row + 1, column)];
            if is_followed && (is_hers || room.is_some() && self.place(row, z) == room) {
                let may_miss = !is_hers && is_noticed_to_miss(z, missing);
                let before = may_miss.then(|| self.save());
                self.by_cases(row + 1, &mut |tracker| tracker.see(row + 1, slip));
                if let Some(before) = before {
                    self.minds.join(&before, self.cell(row + 1, 0), &self.is_reckoned);
                    self.agree_from(row + 1);
                }
            }
        }
        if let Slip::Goes(_) = slip {
            self.hold(row, column, if is_seen { Held::Unclear } else { Held::Nothing });
        }
    }

    /// Lets the owner of `row` see something go or come; and if it is someone who comes, what else there is.
    pub(super) fn see(&mut self, row: usize, slip: Slip) {
        if let Slip::Comes(column, value) = slip {
            let place = match value {
                Value::Place(place) if self.items[column].character().is_some() => Some(place),
                _ => None,
            };
            let lesson = |tracker: &mut Self, other: usize| {
                if other == column {
                    tracker.at(row, column).value().map(|_| Held::Nothing)
                } else {
                    tracker.lesson_of_look(row, other, row - 1, place?)
                }
            };
            self.slip(row, lesson, &[]);
        }
        self.apply_slip(row, slip, &[], true);
    }
}

/// States are saved and restored by copying; [`Clone::clone_from`] reuses memory.
impl Clone for Minds {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.held.clone_from(&other.held);
        self.open.clone_from(&other.open);
        self.departures.clone_from(&other.departures);
        self.lost = other.lost;
    }
}

impl Minds {
    /// What may be held in a cell.
    pub(super) fn alternatives(&self, cell: usize) -> impl Iterator<Item = Held> + '_ {
        let open = self.open.iter().filter(move |(other, _)| *other == cell).map(|&(_, held)| held);
        let is_open = self.open.iter().any(|(other, _)| *other == cell);
        open.chain((!is_open).then(|| self.held[cell]))
    }

    pub(super) fn set(&mut self, cell: usize, all: &[Held]) {
        if !self.open.is_empty() {
            self.open.retain(|(other, _)| *other != cell);
        }
        self.held[cell] = in_all(all);
        if all.len() > 1 {
            self.open.extend(all.iter().map(|&held| (cell, held)));
            self.open.sort_unstable();
        }
    }

    /// Makes everything unclear that is lost.
    fn forget(&mut self) {
        self.held[self.lost..].fill(Held::Unclear);
        self.open.retain(|(cell, _)| *cell < self.lost);
    }

    /// Makes unclear what two states do not agree on, from the cell `first` on: before it, they agree.
    pub(super) fn join(&mut self, other: &Self, first: usize, is_reckoned: &[bool]) {
        if self.lost != other.lost {
            self.lost = self.lost.min(other.lost);
            self.forget();
        }
        let begin = |open: &[(usize, Held)]| open.partition_point(|(cell, _)| *cell < first);
        let (kept, mut theirs) = (begin(&self.open), begin(&other.open));
        let (mut mine, mut open, mut all) = (kept, Vec::new(), Vec::new());
        for (cell, &is_reckoned) in is_reckoned.iter().enumerate().take(self.lost).skip(first) {
            let (one, two) = (of_cell(&self.open, cell, &mut mine), of_cell(&other.open, cell, &mut theirs));
            if self.held[cell] == other.held[cell] && one == two {
                open.extend_from_slice(one);
                continue;
            }
            all.clear();
            for (minds, of_cell) in [(&*self, one), (other, two)] {
                let known = of_cell.is_empty().then_some(minds.held[cell]);
                for held in of_cell.iter().map(|&(_, held)| held).chain(known) {
                    if !all.contains(&held) {
                        all.push(held);
                    }
                }
            }
            self.held[cell] = in_all(&all);
            if all.len() > 1 && is_reckoned {
                all.sort_unstable();
                open.extend(all.iter().map(|&held| (cell, held)));
            }
        }
        self.open.truncate(kept);
        self.open.extend(open);
        let pairs = self.departures.iter().zip(&other.departures);
        let common = pairs.take_while(|(one, two)| one == two).count();
        for gone in &other.departures[common..] {
            if !self.departures.contains(gone) {
                self.departures.push(*gone);
            }
        }
    }
}

/// How many ways there are to go through, if each of these goes on in so many; `None` if they are too many.
fn ways_times(ways: usize, by: usize) -> Option<usize> {
    ways.checked_mul(by).filter(|&ways| ways <= WAYS_MAX)
}

/// The part of what is open that is of a cell, given where it begins, or that of a later cell; which is then moved on.
fn of_cell<'a>(open: &'a [(usize, Held)], cell: usize, at: &mut usize) -> &'a [(usize, Held)] {
    let rest = &open[*at..];
    let count = rest.iter().take_while(|(other, _)| *other == cell).count();
    *at += count;
    &rest[..count]
}

/// What is held in all of these cases; a value counts as heard of if it is in one of them.
fn in_all(all: &[Held]) -> Held {
    match all[0].value() {
        _ if all.len() == 1 => all[0],
        Some(value) if all.iter().all(|held| held.value() == Some(value)) => {
            Held::Known(value, Source::Heard)
        }
        _ => Held::Unclear,
    }
}
