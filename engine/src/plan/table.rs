//! What one step is drawn from where conditions are pending.

use super::{Memory, Weight};
use crate::id::{CharacterId, PlaceId};
use crate::rng;
use crate::world::{Event, Map};

/// The distribution of one step's event, given where some characters are.
///
/// An event is drawn with its probability under free play times the value of the joint place that it leads to:
/// the probability that the conditions are then met. All characters who are not in the table are *bystanders*,
/// about whom no condition cares.
#[derive(Clone, Debug)]
pub struct Table {
    /// The characters on whose places the draw depends. Their joint place is a mixed-radix number with one digit for
    /// each, the first being the most significant.
    pub characters: Vec<TableCharacter>,
    /// The bystanders who may act, as an index into [`super::Plan::actor_sets`].
    pub bystanders: usize,
    /// Which events the step allows. Boxed like `memories`: most draws read neither, and tables share a cache.
    pub limits: Box<Limits>,
    /// The memories that the event may change.
    pub memories: Box<[TableMemory]>,
    /// For each joint place after the event, the probability that all conditions hold from there on, up to a common
    /// factor.
    pub values: Values,
    /// What can happen at every joint place, worked out in advance if there is room for it. The draws are the same
    /// without it.
    pub rows: Option<Rows>,
}

/// What can happen at every joint place, and which draws of the generator make it happen.
///
/// The outcomes divide the range of draws among themselves, one after another. The first 32 bits of a draw tell which
/// outcome it is, except for about one draw in 2^29 that falls on a limit: that takes all its bits, and the weights.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The number of lines for each joint place.
    pub width: usize,
    /// The lines of all joint places, one after another.
    pub lines: Vec<Line>,
}

/// A few outcomes, in the order of their shares.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))] // one line of a cache
pub struct Line {
    /// The first 32 bits of the first draw beyond each outcome; the largest number after the last outcome.
    pub limits: [u32; Line::SIZE],
    /// The outcomes of this line.
    pub outcomes: [PackedOutcome; Line::SIZE],
}

impl Line {
    /// The number of outcomes in a line.
    pub const SIZE: usize = 8;

    /// How many limits are less than `bits`.
    #[inline]
    pub fn count_below(&self, bits: u32) -> usize {
        // A search by halves, without branches.
        let limits = &self.limits;
        let mut count = usize::from(limits[3] < bits) * 4;
        count += usize::from(limits[count + 1] < bits) * 2;
        count += usize::from(limits[count] < bits);
        count
    }
}

impl Rows {
    /// What a draw makes happen at a joint place; `None` if it falls on a limit.
    #[inline]
    pub fn find(&self, joint_place: usize, draw: u64) -> Option<PackedOutcome> {
        let bits = (draw >> 32) as u32;
        let mut number = joint_place * self.width;
        let mut line = self.lines.get(number)?;
        while bits > line.limits[Line::SIZE - 1] {
            number += 1;
            line = self.lines.get(number)?;
        }
        let at = line.count_below(bits);
        (line.limits[at] != bits).then_some(line.outcomes[at])
    }

    /// Adds the lines of one joint place.
    fn push(&mut self, outcomes: &[PackedOutcome], cumulative: &[f64]) {
        for at in 0..self.width {
            let mut line =
                Line { limits: [u32::MAX; Line::SIZE], outcomes: [PackedOutcome::default(); Line::SIZE] };
            let (from, until) = (at * Line::SIZE, outcomes.len().min((at + 1) * Line::SIZE));
            for (in_line, number) in (from..until).enumerate() {
                line.outcomes[in_line] = outcomes[number];
                if number + 1 < outcomes.len() {
                    line.limits[in_line] = rng::first_bits_of_limit(cumulative, number);
                }
            }
            self.lines.push(line);
        }
    }
}

/// A character on whose place a draw depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCharacter {
    /// The character, or the slot of a memory.
    pub who: CharacterId,
    /// The number of places or, for a memory, of values.
    pub size: u16,
    /// Whether the character may act.
    pub may_act: bool,
    /// The factor of this character's place in the joint place.
    pub stride: usize,
}

/// A memory that an event may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMemory {
    /// The memory that may change.
    pub memory: Memory,
    /// The slot that holds the memory's value.
    pub slot: CharacterId,
    /// The factor of the memory's value in the joint place.
    pub stride: usize,
}

/// Which moves a step allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The arrival that the event has to be, if any.
    pub arrival: Option<Arrival>,
    /// Pairs of characters of whom the first does not move where the second could see it.
    pub unseen: Vec<(CharacterId, CharacterId)>,
    /// Pairs of characters of whom the first moves only to where the second is.
    pub follow: Vec<(CharacterId, CharacterId)>,
    /// The character who does something while nobody goes anywhere, if any.
    pub deed: Option<CharacterId>,
    /// The characters who go from one place to this place together, if any.
    pub together: Option<(Vec<CharacterId>, PlaceId)>,
    /// How often free play draws something that leaves everyone where they are, if it ever does.
    pub play: Option<DeedShare>,
}

/// Of all draws of what is done, how many leave everyone where they are.
///
/// The tables do not know whether someone *can* do what was drawn; if not, she moves. So for the characters of a
/// table they allow both, each with the whole weight of that draw: she stays, or she goes. A story in which what
/// was drawn and what was done do not match is drawn again; the others have exactly their probability under free
/// play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeedShare {
    /// The weight of everything that leaves everyone where they are.
    pub deeds: u32,
    /// The weight of everything that can be drawn.
    pub all: u32,
}

impl DeedShare {
    /// The share as a number from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.deeds) / f64::from(self.all)
    }
}

/// A move in which one of some characters goes to a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// The characters who may arrive.
    pub who: Vec<CharacterId>,
    /// The place of arrival; `None` if it may be any place.
    pub place: Option<PlaceId>,
}

impl Limits {
    /// Whether every move is allowed.
    pub fn is_free(&self) -> bool {
        !self.is_forced() && self.is_blind()
    }

    /// Whether only some characters may act.
    pub fn is_forced(&self) -> bool {
        self.arrival.is_some() || self.is_scripted()
    }

    /// Whether the limits say exactly who goes where.
    pub fn is_scripted(&self) -> bool {
        self.deed.is_some() || self.together.is_some()
    }

    /// Whether the limits do not depend on where the other characters are.
    #[inline]
    pub fn is_blind(&self) -> bool {
        self.unseen.is_empty() && self.follow.is_empty()
    }

    /// Whether the characters who have to go together can: they are in one place, and there is a way.
    pub fn allows_together(&self, map: &Map, place_of: impl Fn(CharacterId) -> PlaceId) -> bool {
        let Some((who, to)) = &self.together else { return false };
        let (from, to) = (place_of(who[0]), *to);
        let is_seen = |mover: CharacterId, by: CharacterId| {
            who.contains(&mover) && Event { who: mover, from, to }.seen_by(by, place_of(by))
        };
        let is_followed = |follower: CharacterId, whom: CharacterId| {
            !who.contains(&follower) || who.contains(&whom) || place_of(whom) == to
        };
        map.leads(from, to)
            && who.iter().all(|&who| place_of(who) == from)
            && !self.unseen.iter().any(|&(mover, by)| is_seen(mover, by))
            && self.follow.iter().all(|&(follower, whom)| is_followed(follower, whom))
    }

    /// Whether a move is allowed, given everyone's place before it.
    pub fn allows(&self, event: Event, place_of: impl Fn(CharacterId) -> PlaceId) -> bool {
        let Event { who, to, .. } = event;
        self.arrival.as_ref().is_none_or(|arrival| arrival.allows(who, to))
            && self.unseen.iter().all(|&(mover, by)| mover != who || !event.seen_by(by, place_of(by)))
            && self.follow.iter().all(|&(follower, whom)| follower != who || to == place_of(whom))
    }
}

/// Numbers indexed by joint place.
#[derive(Clone, Debug)]
pub enum Values {
    /// Numbers within the range of `f64`, the largest being 1.
    Plain(Vec<f64>),
    /// Numbers that differ too much for `f64`.
    Wide(Vec<Weight>),
}

/// What can happen at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This character goes to this place.
    Move(CharacterId, PlaceId),
    /// A bystander does something freely.
    Bystander,
    /// This character does something and stays in place.
    Deed(CharacterId),
    /// The characters whom the limits name go together where the limits say.
    Together,
}

/// An [`Outcome`] and the joint place it leads to, in four bytes: eight of them and their limits fill one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedOutcome {
    /// The joint place afterwards.
    pub next: u16,
    /// The character who moves or, if nobody does, one of the constants below.
    pub who: u8,
    /// Which of the ways out of the character's place it takes; [`Self::NO_WAY`] if it is not a known move.
    pub way: u8,
}

impl PackedOutcome {
    /// The way of an outcome in which nobody goes, or it is not known where to.
    pub const NO_WAY: u8 = u8::MAX;
    const BYSTANDER: u8 = 0;
    const TOGETHER: u8 = 1;
    /// The number that stands for a deed of the first character; those of the other characters follow.
    const DEEDS: u8 = 2;

    /// Packs an outcome that leads to the joint place `next`; `None` if a number is too large for that.
    fn of(outcome: Outcome, next: usize, places: &[PlaceId], map: &Map) -> Option<Self> {
        let number = |who: CharacterId| u8::try_from(who.index()).ok();
        let (who, way) = match outcome {
            Outcome::Move(who, to) => (number(who)?, map.way_number(places[who.index()], to)?),
            Outcome::Bystander => (Self::BYSTANDER, Self::NO_WAY),
            Outcome::Together => (Self::TOGETHER, Self::NO_WAY),
            Outcome::Deed(who) => (number(who)?.checked_add(Self::DEEDS)?, Self::NO_WAY),
        };
        Some(Self { next: u16::try_from(next).ok()?, who, way })
    }

    /// The outcome that was packed, given where everyone is.
    #[inline]
    pub fn unpack(self, places: &[PlaceId], map: &Map) -> Outcome {
        if self.way != Self::NO_WAY {
            let who = CharacterId::new(usize::from(self.who));
            return Outcome::Move(who, map.ways(places[who.index()])[usize::from(self.way)]);
        }
        match self.who {
            Self::BYSTANDER => Outcome::Bystander,
            Self::TOGETHER => Outcome::Together,
            who => Outcome::Deed(CharacterId::new(usize::from(who - Self::DEEDS))),
        }
    }
}

/// The events that can happen at one joint place. The memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// The outcomes, each with the joint place that it leads to.
    all: Vec<(Outcome, usize)>,
    /// The cumulative weights of the outcomes.
    cumulative: Vec<f64>,
}

impl Table {
    /// What a draw makes happen when everyone stands at `places`, and the joint place that it leads to. It uses the
    /// weights, not the rows.
    ///
    /// Costs as much as [`Self::for_each_outcome`].
    pub fn weigh(
        &self,
        places: &[PlaceId],
        map: &Map,
        bystander_count: usize,
        draw: u64,
        outcomes: &mut Outcomes,
    ) -> (Outcome, usize) {
        let Outcomes { all, cumulative } = outcomes;
        all.clear();
        cumulative.clear();
        let mut sum = 0.0;
        self.for_each_outcome(places, map, bystander_count, |outcome, next, weight| {
            sum += weight;
            all.push((outcome, next));
            cumulative.push(sum);
        });
        all[rng::chosen(draw, cumulative)]
    }

    /// The joint place of the table's characters when everyone stands at `places`.
    #[inline]
    pub fn joint_place(&self, places: &[PlaceId]) -> usize {
        let add =
            |sum, character: &TableCharacter| sum + places[character.who.index()].index() * character.stride;
        self.characters.iter().fold(0, add)
    }

    /// Works out the rows if they have at most `room` lines and their numbers are small enough. Returns how much room is
    /// left.
    ///
    /// Costs as much as [`Self::for_each_outcome`] at every joint place.
    pub fn make_rows(&mut self, map: &Map, slot_count: usize, bystander_count: usize, room: usize) -> usize {
        let size = match &self.values {
            Values::Plain(values) => values.len(),
            Values::Wide(_) => return room,
        };
        if size > room {
            return room;
        }
        let mut places = vec![PlaceId::new(0); slot_count];
        let mut outcomes: Vec<Option<PackedOutcome>> = Vec::new();
        let mut cumulative = Vec::new();
        let mut first = vec![0];
        for joint_place in 0..size {
            for character in &self.characters {
                let place = joint_place / character.stride % usize::from(character.size);
                places[character.who.index()] = PlaceId::new(place);
            }
            let mut sum = 0.0;
            self.for_each_outcome(&places, map, bystander_count, |outcome, next, weight| {
                sum += weight;
                outcomes.push(PackedOutcome::of(outcome, next, &places, map));
                cumulative.push(sum);
            });
            first.push(outcomes.len());
        }
        let Some(outcomes) = outcomes.into_iter().collect::<Option<Vec<PackedOutcome>>>() else {
            return room;
        };
        let most = first.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0);
        let mut rows = Rows { width: most.div_ceil(Line::SIZE).max(1), lines: Vec::new() };
        if rows.width * size > room {
            return room;
        }
        rows.lines.reserve_exact(rows.width * size);
        for row in first.windows(2) {
            rows.push(&outcomes[row[0]..row[1]], &cumulative[row[0]..row[1]]);
        }
        let left = room - rows.lines.len();
        self.rows = Some(rows);
        left
    }

    /// Calls `visit` with every event that is possible when everyone stands at `places`, the joint place that it leads
    /// to, and its weight: the probability up to a common factor.
    ///
    /// Costs O(characters of the table · ways).
    #[inline]
    pub fn for_each_outcome(
        &self,
        places: &[PlaceId],
        map: &Map,
        bystander_count: usize,
        mut visit: impl FnMut(Outcome, usize, f64),
    ) {
        let here = self.joint_place(places);
        match &self.values {
            Values::Plain(values) => {
                self.visit(here, places, map, bystander_count, |outcome, at, factor| {
                    if values[at] > 0.0 {
                        visit(outcome, at, values[at] * factor);
                    }
                });
            }
            Values::Wide(values) => {
                // Relative to the largest of these outcomes, none of which matters if it is far
                // below that one.
                let mut largest = Weight::ZERO;
                self.visit(here, places, map, bystander_count, |_, at, _| {
                    largest = largest.larger(values[at]);
                });
                self.visit(here, places, map, bystander_count, |outcome, at, factor| {
                    if !values[at].is_zero() {
                        visit(outcome, at, values[at].share_of(largest) * factor);
                    }
                });
            }
        }
    }

    #[inline]
    fn visit(
        &self,
        here: usize,
        places: &[PlaceId],
        map: &Map,
        bystander_count: usize,
        mut visit: impl FnMut(Outcome, usize, f64),
    ) {
        if self.limits.is_scripted() {
            return self.visit_script(here, places, map, visit);
        }
        if bystander_count > 0 {
            visit(Outcome::Bystander, here, bystander_count as f64);
        }
        if let Some(play) = self.limits.play
            && self.limits.arrival.is_none()
        {
            for &TableCharacter { who, may_act, .. } in &self.characters {
                if may_act {
                    visit(Outcome::Deed(who), here, play.share());
                }
            }
        }
        let is_plain = self.limits.is_blind() && self.memories.is_empty();
        for &TableCharacter { who, stride, may_act, .. } in &self.characters {
            if !may_act {
                continue;
            }
            let from = places[who.index()];
            let ways = map.ways(from);
            let share = 1.0 / ways.len() as f64;
            if is_plain {
                for &to in ways {
                    if self.limits.arrival.as_ref().is_none_or(|arrival| arrival.allows(who, to)) {
                        let there = here + to.index() * stride - from.index() * stride;
                        visit(Outcome::Move(who, to), there, share);
                    }
                }
                continue;
            }
            for &to in ways {
                let event = Event { who, from, to };
                if self.limits.allows(event, |other| places[other.index()]) {
                    let there = here + to.index() * stride - from.index() * stride;
                    let there = self.remembered(there, places, map.place_count(), event);
                    visit(Outcome::Move(who, to), there, share);
                }
            }
        }
    }

    /// Visits the one event of a step whose limits say exactly who goes where, if it can happen.
    fn visit_script(
        &self,
        here: usize,
        places: &[PlaceId],
        map: &Map,
        mut visit: impl FnMut(Outcome, usize, f64),
    ) {
        if let Some(who) = self.limits.deed {
            visit(Outcome::Deed(who), here, 1.0);
        }
        if let Some((who, to)) = &self.limits.together
            && self.limits.allows_together(map, |who| places[who.index()])
        {
            let members = self.characters.iter().filter(|character| who.contains(&character.who));
            let there = members.fold(here, |there, &TableCharacter { who, stride, .. }| {
                let from = places[who.index()];
                let there = there + to.index() * stride - from.index() * stride;
                self.remembered(there, places, map.place_count(), Event { who, from, to: *to })
            });
            visit(Outcome::Together, there, 1.0);
        }
    }

    /// The joint place `there`, changed by what the event leaves in memory.
    fn remembered(&self, there: usize, places: &[PlaceId], place_count: usize, event: Event) -> usize {
        self.memories.iter().fold(there, |there, &TableMemory { memory, slot, stride }| {
            let value = places[slot.index()];
            let next = memory.next(value, event, place_count, |other| places[other.index()]);
            there + next.index() * stride - value.index() * stride
        })
    }
}

impl Table {
    /// Updates the memories after an event; `places` are those before it.
    pub fn remember(&self, places: &mut [PlaceId], place_count: usize, event: Event) {
        for &TableMemory { memory, slot, .. } in &self.memories {
            let value = places[slot.index()];
            places[slot.index()] = memory.next(value, event, place_count, |other| places[other.index()]);
        }
    }
}

impl Arrival {
    /// Whether the arrival is one certain move, and not a meeting.
    pub fn is_exact(&self) -> bool {
        self.who.len() == 1
    }

    /// Whether this move is such an arrival.
    pub fn allows(&self, who: CharacterId, to: PlaceId) -> bool {
        self.place.is_none_or(|place| place == to) && self.who.contains(&who)
    }
}
