//! Where the characters of a question went, in a story of people who only walk.

use super::answer::{Answer, Foils};
use super::watch::Watch;
use crate::id::{CharacterId, PlaceId};
use crate::trace::Trace;
use crate::world::Event;

/// The places that the characters of a question went to.
#[derive(Clone, Debug)]
pub struct Course {
    /// The minds or the company, then the target, each with where they are.
    members: Vec<(CharacterId, PlaceId)>,
    /// One past the last step at which the first member perceived the target.
    perceived_until: usize,
    second_last_place: Option<PlaceId>,
    first_common_place: Option<PlaceId>,
    last_common_place: Option<PlaceId>,
}

impl Course {
    pub fn new(others: &[CharacterId], target: CharacterId) -> Self {
        let members = others.iter().chain([&target]);
        Self {
            members: members.map(|&who| (who, PlaceId::new(0))).collect(),
            perceived_until: 0,
            second_last_place: None,
            first_common_place: None,
            last_common_place: None,
        }
    }

    fn start(&mut self, start: &[PlaceId]) {
        for (who, place) in &mut self.members {
            *place = start[who.index()];
        }
        self.perceived_until = 0;
        (self.second_last_place, self.first_common_place, self.last_common_place) = (None, None, None);
    }

    pub fn truth(&self) -> PlaceId {
        self.members[self.members.len() - 1].1
    }

    fn is_target_near(&self) -> bool {
        self.members.len() > 1 && self.members[0].1 == self.truth()
    }

    /// Follows the members' moves through a story, with `watch`, which is at its start; `note` is told of each move that has been applied, whether
    /// the outermost mind's owner witnessed it, and what the answer was before. All of these moves are among `steps`.
    /// Returns the first step of the final unbroken run in which the answer is not the target's place.
    #[inline]
    pub fn follow(
        &mut self,
        watch: &mut Watch,
        trace: &Trace,
        steps: &[u32],
        mut note: impl FnMut(usize, Event, &Watch, bool, Option<PlaceId>),
    ) -> Option<usize> {
        self.start(&trace.start);
        let mut false_since = None;
        let mut answer = watch.answer();
        for step in steps.iter().map(|&step| step as usize) {
            let event = trace.events[step];
            if !watch.is_member(event.who) {
                continue;
            }
            let witnessed = watch.apply(event);
            note(step, event, watch, witnessed, answer);
            answer = watch.answer();
            self.step(step, event.who, event.to, witnessed);
            if answer == Some(self.truth()) {
                false_since = None;
            } else if false_since.is_none() {
                false_since = Some(step);
            }
        }
        false_since
    }

    /// The mislead distance of a belief that has been false since this step.
    pub fn mislead_distance(&self, since: usize, trace: &Trace) -> usize {
        since.saturating_sub(self.perceived_until(trace.events.len()))
    }

    /// Takes in a move of a member; `witnessed` says whether the first member witnessed it.
    fn step(&mut self, step: usize, who: CharacterId, to: PlaceId, witnessed: bool) {
        if self.is_target_near() {
            self.perceived_until = step;
        }
        let (target, place) = self.members[self.members.len() - 1];
        if who == target {
            self.second_last_place = Some(place);
            if witnessed {
                self.perceived_until = step + 1;
            }
        }
        for (member, place) in &mut self.members {
            if *member == who {
                *place = to;
            }
        }
        if self.members.len() > 1 && self.members.iter().all(|&(_, place)| place == to) {
            self.first_common_place = self.first_common_place.or(Some(to));
            self.last_common_place = Some(to);
        }
    }

    fn perceived_until(&self, horizon: usize) -> usize {
        if self.is_target_near() { horizon } else { self.perceived_until }
    }

    /// All foils except that of lower order.
    pub fn foils(&self) -> Foils {
        Foils {
            last_place: Some(Answer::Place(self.truth())),
            second_last_place: self.second_last_place.map(Answer::Place),
            first_common_place: self.first_common_place.map(Answer::Place),
            last_common_place: self.last_common_place.map(Answer::Place),
            own_place: (self.members.len() > 1).then(|| Answer::Place(self.members[0].1)),
            ..Foils::default()
        }
    }
}
