//! What became of a question's target in a story with deeds, and who of its minds was there.

use super::answer::{Answer, Foils};
use super::reading::Replay;
use super::view::reality;
use crate::id::{CharacterId, PlaceId};
use crate::world::{Item, Scene};

/// The places that the characters and the target of a question went to.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The owners of the minds, or the company of the target.
    others: Vec<CharacterId>,
    target: Item,
    truth: Answer,
    second_last: Option<Answer>,
    /// Where all of them are together with the target now.
    common: Option<Answer>,
    first_common: Option<Answer>,
    last_common: Option<Answer>,
    /// One past the last step at which the first of the others perceived the target.
    perceived_until: usize,
    /// The first step of the unbroken run, up to now, in which the answer is not the target's real place.
    false_since: Option<usize>,
}

impl Passage {
    /// The passage at the start of a story.
    pub fn new(others: &[CharacterId], target: Item, scene: &Scene) -> Self {
        let mut passage = Self {
            others: others.to_vec(),
            target,
            truth: reality(scene, target),
            second_last: None,
            common: None,
            first_common: None,
            last_common: None,
            perceived_until: 0,
            false_since: None,
        };
        passage.common = passage.common(scene);
        passage
    }

    /// Takes in the event of a step, with the answer that the question now has. `is_perceived` says whether the event
    /// moved the target before the eyes of the first of the others.
    pub fn step(&mut self, step: usize, replay: &Replay, is_perceived: bool) {
        let scene = replay.scene();
        let truth = reality(scene, self.target);
        if truth != self.truth {
            self.second_last = Some(std::mem::replace(&mut self.truth, truth));
        }
        let is_seen_from = |place| self.sight(scene) == Some(place);
        if is_perceived || self.others.first().is_some_and(|&first| is_seen_from(scene.place(first))) {
            self.perceived_until = step + 1;
        }
        let common = self.common(scene);
        // People come together; an object is found wherever it is.
        let counts = common != self.common || matches!(self.target, Item::Object(_));
        self.common = common;
        if counts && common.is_some() {
            self.first_common = self.first_common.or(common);
            self.last_common = common;
        }
        if replay.reading.answer() == Some(truth) {
            self.false_since = None;
        } else if self.false_since.is_none() {
            self.false_since = Some(step);
        }
    }

    /// The real state of the target.
    pub fn truth(&self) -> Answer {
        self.truth
    }

    /// The mislead distance of a false belief (see [`super::Asker`]); `None` if the target is a proposition or a lid.
    pub fn mislead_distance(&self) -> Option<usize> {
        let since = self.false_since.filter(|_| !matches!(self.truth, Answer::Verdict(_)))?;
        Some(since.saturating_sub(self.perceived_until))
    }

    /// All foils except that of lower order; `has_places` says whether answers can be places.
    pub fn foils(&self, scene: &Scene, has_places: bool) -> Foils {
        let last_place = Some(self.truth);
        if matches!(self.truth, Answer::Verdict(_)) {
            return Foils { last_place, ..Foils::default() };
        }
        let own = self.others.first().filter(|_| has_places);
        Foils {
            last_place,
            second_last_place: self.second_last,
            first_common_place: self.first_common,
            last_common_place: self.last_common,
            own_place: own.map(|&who| Answer::Place(scene.place(who))),
            ..Foils::default()
        }
    }

    /// The place in which the target can be seen.
    fn sight(&self, scene: &Scene) -> Option<PlaceId> {
        match self.target {
            Item::Character(who) => Some(scene.place(who)),
            Item::Object(object) => scene.visible_in(object),
            Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => None,
        }
    }

    /// Where the target is, if all of the others are there and see it.
    fn common(&self, scene: &Scene) -> Option<Answer> {
        let place = self.sight(scene)?;
        let are_there = self.others.iter().all(|&who| scene.place(who) == place);
        (are_there && !self.others.is_empty()).then_some(self.truth)
    }
}
