//! What shortcuts answer in a walk, no more of it at a time than is asked for.
//!
//! Where shares are balanced, most stories are given up, and most of those after a glance: where the target has been says
//! enough. So what a story shows is read in parts, the cheap ones first, into arrays of small numbers. [`super::paths::Paths`]
//! says the same, all at once, of any story.

use crate::belief::Tracker;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Plan, Property, Question, Shortcut, Target};
use crate::question::{Followed, chain};
use crate::simulate::Story;
use crate::trace::Trace;
use crate::world::Item;

/// What is read off a walk for one question, part by part: first [`Self::begin`], then, for the same story, whatever else
/// is needed: [`Self::find_answer`], [`Self::meet`], [`Self::look_around`], [`Self::find_lower`]. Places are numbers.
#[derive(Clone, Debug)]
pub struct Glance {
    followed: Followed,
    tracker: Tracker,
    lower: Tracker,
    place_count: usize,
    /// How far the order of places is rotated to rank places that equally many shortcuts name, so that none is preferred.
    turn: usize,
    own: CharacterId,
    inner: CharacterId,
    target: CharacterId,
    /// The number of each character among the question's; for other characters, a number that none of these has.
    numbers: Vec<usize>,
    /// Where each of the question's characters is.
    places: Vec<u8>,

    /// The places where the target has been, in order.
    path: Vec<u8>,
    /// How often the target was in each place.
    stays: Counts,
    /// For each place, the point of its path at which the target was last there.
    last: Counts,
    /// Where the owner of the outermost mind is at the end.
    own_place: u8,

    parts: Company,
    /// How often the owner of the outermost mind was in each place.
    own_stays: Counts,

    answer: Option<u8>,
    /// How often anyone went to each place.
    visits: Counts,
    /// How many people are in each place at the end.
    crowd: Counts,
    ends: Vec<u8>,
    first_named: Option<u8>,
    lower_order: Option<u8>,
}

/// A number for each place.
type Counts = [u16; Glance::PLACES_MAX];

/// What follows from the moves of the question's characters relative to each other.
#[derive(Clone, Debug, Default)]
struct Company {
    common_start: Option<u8>,
    first_common: Option<u8>,
    last_common: Option<u8>,
    second_last_common: Option<u8>,
    first_meeting: Option<u8>,
    last_meeting: Option<u8>,
    second_last_meeting: Option<u8>,
    inner_meeting: Option<u8>,
    own_first: Option<u8>,
    own_second_last: Option<u8>,
    own_then: Option<u8>,
    target_then: Option<u8>,
    last_named: Option<u8>,
}

impl Glance {
    /// The largest number of places that a glance can handle.
    pub const PLACES_MAX: usize = 32;

    /// A glance for a question about where someone is. `None` unless people only walk and there are not too many places.
    pub fn new(plan: &Plan, question: &Question) -> Option<Self> {
        let Target::Item(Item::Character(target)) = question.target else { return None };
        let chain = chain(question).filter(|chain| chain.order() > 0)?;
        if plan.staging.is_some()
            || plan.map.place_count() > Self::PLACES_MAX
            || plan.horizon > usize::from(u16::MAX)
        {
            return None;
        }
        let mut members: Vec<CharacterId> = chain.members().collect();
        members.sort();
        members.dedup();
        let number = |who| members.iter().position(|&member| member == CharacterId::new(who));
        let numbers = (0..plan.character_count).map(|who| number(who).unwrap_or(members.len()));
        Some(Self {
            followed: Followed::new(plan, members.iter().copied()),
            lower: Tracker::new(chain.lower(), plan.character_count),
            place_count: plan.map.place_count(),
            turn: 0,
            own: question.others[0],
            inner: question.others[question.others.len() - 1],
            target,
            numbers: numbers.collect(),
            places: vec![0; members.len()],
            tracker: Tracker::new(chain, plan.character_count),
            path: vec![0; plan.horizon + 1],
            stays: [0; Self::PLACES_MAX],
            last: [0; Self::PLACES_MAX],
            own_place: 0,
            parts: Company::default(),
            own_stays: [0; Self::PLACES_MAX],
            answer: None,
            visits: [0; Self::PLACES_MAX],
            crowd: [0; Self::PLACES_MAX],
            ends: Vec::new(),
            first_named: None,
            lower_order: None,
        })
    }

    /// The order of the question's chain.
    pub fn order(&self) -> usize {
        self.tracker.chain().order()
    }

    /// The number of places.
    pub fn place_count(&self) -> usize {
        self.place_count
    }

    /// Reads where the target has been and where the owner of the outermost mind is at the end. Costs O(steps).
    pub fn begin(&mut self, story: &Story) {
        let Trace { start, events, .. } = &story.trace;
        self.turn = (story.index % self.place_count as u64) as usize;
        self.path.resize(events.len() + 1, 0);
        self.path[0] = small(start[self.target.index()]);
        self.own_place = small(start[self.own.index()]);
        let mut count = 1;
        for &step in self.followed.steps(story) {
            let event = events[step as usize];
            let to = small(event.to);
            self.path[count] = to;
            count += usize::from(event.who == self.target);
            self.own_place = if event.who == self.own { to } else { self.own_place };
        }
        self.path.truncate(count);
        self.stays = [0; Self::PLACES_MAX];
        for (at, &place) in self.path.iter().enumerate() {
            let place = usize::from(place) % Self::PLACES_MAX;
            self.stays[place] += 1;
            self.last[place] = at as u16;
        }
    }

    /// Reads where the question's characters came together and where she, the owner of the outermost mind, was.
    /// Costs O(moves of these characters · their number).
    pub fn meet(&mut self, story: &Story) {
        let Trace { start, events, .. } = &story.trace;
        for (&number, &place) in self.numbers.iter().zip(start) {
            if let Some(own) = self.places.get_mut(number) {
                *own = small(place);
            }
        }
        let [own, inner, target] = [self.own, self.inner, self.target].map(|who| self.numbers[who.index()]);
        let places = &mut self.places[..];
        let are_together = |places: &[u8]| places.iter().all(|&place| place == places[0]);
        let mut parts =
            Company { common_start: are_together(places).then_some(places[0]), ..Company::default() };
        self.own_stays = [0; Self::PLACES_MAX];
        self.own_stays[usize::from(places[own])] = 1;
        for &step in self.followed.found() {
            let event = events[step as usize];
            let (who, to) = (self.numbers[event.who.index()], small(event.to));
            let from = places[who];
            places[who] = to;
            parts.last_named = Some(to);
            if who == own {
                parts.own_first = parts.own_first.or(Some(to));
                parts.own_second_last = Some(from);
                parts.target_then = Some(places[target]);
                self.own_stays[usize::from(to)] += 1;
            }
            if who == target {
                parts.own_then = Some(places[own]);
            }
            if are_together(places) {
                parts.first_common = parts.first_common.or(Some(to));
                parts.second_last_common = parts.last_common.replace(to);
            }
            let meets = |other: usize| (who == other || who == target) && places[other] == places[target];
            if meets(own) {
                parts.first_meeting = parts.first_meeting.or(Some(to));
                parts.second_last_meeting = parts.last_meeting.replace(to);
            }
            if meets(inner) {
                parts.inner_meeting = Some(to);
            }
        }
        self.parts = parts;
    }

    /// Finds the answer. Costs following the chain.
    pub fn find_answer(&mut self, story: &Story) -> Option<u8> {
        self.answer = self.tracker.follow(&story.trace, self.followed.found()).map(small);
        self.answer
    }

    /// Reads what everyone does. Costs O(steps + characters).
    pub fn look_around(&mut self, story: &Story) {
        let Trace { start, events, .. } = &story.trace;
        self.ends.clear();
        self.ends.extend(start.iter().map(|&place| small(place)));
        self.visits = [0; Self::PLACES_MAX];
        for event in events {
            let to = small(event.to);
            self.visits[usize::from(to)] += 1;
            self.ends[event.who.index()] = to;
        }
        self.crowd = [0; Self::PLACES_MAX];
        self.ends.iter().for_each(|&end| self.crowd[usize::from(end)] += 1);
        self.first_named = events.first().map(|event| small(event.to));
    }

    /// Finds the answer of the chain without its outermost mind. Costs following that chain.
    pub fn find_lower(&mut self, story: &Story) {
        self.lower.start(&story.trace.start);
        for &step in self.followed.found() {
            self.lower.apply(story.trace.events[step as usize]); // some moves are of the outermost mind's owner alone
        }
        self.lower_order = self.lower.answer().map(small);
    }

    /// The answer that was found last.
    pub fn answer(&self) -> Option<u8> {
        self.answer
    }

    /// How many moves the target made after its last move to a place; `None` if it has never been there.
    pub fn rank(&self, place: u8) -> Option<usize> {
        let place = usize::from(place);
        (self.stays[place] > 0).then(|| self.path.len() - 1 - usize::from(self.last[place]))
    }

    /// How many other places the target has been in since it was last in a place; `None` if it has never been there.
    pub fn recency(&self, place: u8) -> Option<usize> {
        let place = usize::from(place);
        let is_later = |&other: &usize| self.stays[other] > 0 && self.last[other] > self.last[place];
        (self.stays[place] > 0).then(|| (0..self.place_count).filter(is_later).count())
    }

    /// The place that a shortcut answers, if it has an answer.
    pub fn named(&self, shortcut: Shortcut) -> Option<u8> {
        let parts = &self.parts;
        match shortcut {
            Shortcut::LastPlace(back) => {
                self.path.len().checked_sub(usize::from(back) + 1).map(|at| self.path[at])
            }
            Shortcut::FirstPlace => self.path.get(1).copied(),
            Shortcut::StartPlace => self.path.first().copied(),
            Shortcut::UsualPlace => self.only_most(&self.stays),
            Shortcut::LeastUsualPlace => self.only_least(&self.stays),
            Shortcut::FirstCommonPlace => parts.first_common,
            Shortcut::LastCommonPlace => parts.last_common,
            Shortcut::SecondLastCommonPlace => parts.second_last_common,
            Shortcut::LastCommonOrStart => parts.last_common.or(parts.common_start),
            Shortcut::FirstMeetingPlace => parts.first_meeting,
            Shortcut::LastMeetingPlace => parts.last_meeting,
            Shortcut::SecondLastMeetingPlace => parts.second_last_meeting,
            Shortcut::LastInnerMeetingPlace => parts.inner_meeting,
            Shortcut::OwnPlace => Some(self.own_place),
            Shortcut::OwnSecondLastPlace => parts.own_second_last,
            Shortcut::OwnFirstPlace => parts.own_first,
            Shortcut::OwnUsualPlace => self.only_most(&self.own_stays),
            Shortcut::OwnPlaceThen => parts.own_then,
            Shortcut::PlaceAtOwnLastMove => parts.target_then,
            Shortcut::LastMoveOfAny => parts.last_named,
            Shortcut::FirstNamed => self.first_named,
            Shortcut::MostVisitedPlace => self.only_most(&self.visits),
            Shortcut::LeastVisitedPlace => self.only_least(&self.visits),
            Shortcut::Crowd => self.only_most(&self.crowd),
            // Where people only walk, these are `OwnPlace` and `LastPlace`.
            Shortcut::LastNamedWithHer
            | Shortcut::LastNamedWithTarget
            | Shortcut::LastNamedWithBoth
            | Shortcut::LastNamedWithInner => None,
            Shortcut::LowerOrder => self.lower_order,
        }
    }

    /// The rank of an answer among all places, as in [`super::paths::Paths::votes`].
    pub fn votes(&self, answer: u8) -> usize {
        let mut votes = [0_u16; Self::PLACES_MAX];
        for (shortcut, _) in Shortcut::ALL {
            if let Some(named) = self.named(shortcut) {
                votes[usize::from(named)] += 1;
            }
        }
        let count = self.place_count;
        let standing = |place: usize| (votes[place], (place + self.turn) % count);
        let own = standing(usize::from(answer));
        (0..count).filter(|&other| standing(other) > own).count()
    }

    /// The value of a property if this is the answer: for [`Property::Answer`] the place, for others the number of a
    /// [`Level::Number`](crate::plan::Level::Number). `None` if it has no value.
    ///
    /// # Panics
    /// If it takes evidence to read the property; that is more than a glance.
    pub fn value(&self, property: Property, answer: u8) -> Option<usize> {
        Some(match property {
            Property::Answer => usize::from(answer),
            Property::AnswerRank => self.rank(answer)?,
            Property::AnswerRecency => self.recency(answer)?,
            Property::FalseBelief => usize::from(self.path.last() != Some(&answer)),
            Property::OrderGap => self.lower_order.map_or(2, |lower| usize::from(lower != answer)),
            Property::Votes => self.votes(answer),
            Property::Shortcut(shortcut) => {
                self.named(shortcut).map_or(2, |named| usize::from(named == answer))
            }
            Property::EvidencePosition | Property::Difficulty(_) => {
                unreachable!("evidence is not looked for")
            }
        })
    }

    /// The place with the greatest number, if no other has it.
    fn only_most(&self, counts: &Counts) -> Option<u8> {
        let counts = &counts[..self.place_count];
        let most = *counts.iter().max()?;
        only(counts, most)
    }

    /// The place with the smallest number, if no other has it.
    fn only_least(&self, counts: &Counts) -> Option<u8> {
        let counts = &counts[..self.place_count];
        let least = *counts.iter().min()?;
        only(counts, least)
    }
}

/// The place that has this number, if it is the only one.
fn only(counts: &[u16], wanted: u16) -> Option<u8> {
    let mut found = (0..).zip(counts).filter(|&(_, &count)| count == wanted);
    let (place, _) = found.next()?;
    found.next().is_none().then_some(place)
}

fn small(place: PlaceId) -> u8 {
    (place.index() % Glance::PLACES_MAX) as u8
}
