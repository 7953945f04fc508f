//! What became of a question's target in a story with deeds, and who of its minds was there.

use super::answer::{Answer, Foils};
use super::reading::Replay;
use super::view::reality;
use crate::id::{CharacterId, PlaceId};
use crate::world::{Item, Scene};

/// Where the characters of a question went, and its target.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Minds or company.
    others: Vec<CharacterId>,
    target: Item,
    truth: Answer,
    second_last: Option<Answer>,
    /// Where all of them are together with the target, now and when that first and last became so.
    common: Option<Answer>,
    first_common: Option<Answer>,
    last_common: Option<Answer>,
    /// One past the last step at which the first of the others perceived the target.
    perceived_until: usize,
    /// The first step of the unbroken run, up to now, in which the answer is not the target's real place.
    false_since: Option<usize>,
}

impl Passage {
    /// At the start of a story.
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

    /// After the event of a step, with what now answers the question; `is_perceived` if the event moved the
    /// target before the eyes of the first of the others.
    pub fn step(&mut self, step: usize, replay: &Replay, is_perceived: bool) {
        let scene = &replay.scene;
        let truth = reality(scene, self.target);
        if truth != self.truth {
            self.second_last = Some(std::mem::replace(&mut self.truth, truth));
        }
        if is_perceived || self.others.first().is_some_and(|&first| self.is_seen(scene, scene.place(first))) {
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

    /// What is really so of the target.
    pub fn truth(&self) -> Answer {
        self.truth
    }

    /// Of a belief that is false: see [`super::Asker`]. None if the target is not somewhere.
    pub fn mislead_distance(&self) -> Option<usize> {
        let since = self.false_since.filter(|_| !matches!(self.truth, Answer::Verdict(_)))?;
        Some(since.saturating_sub(self.perceived_until))
    }

    /// All but the one of lower order, where answers may be places or may not.
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
            lower_order: None,
        }
    }

    /// Whether one sees the target in a place.
    fn is_seen(&self, scene: &Scene, place: PlaceId) -> bool {
        match self.target {
            Item::Character(who) => scene.place(who) == place,
            Item::Object(object) => scene.is_visible(object, place),
            Item::Lid(_) | Item::Proposition(_) => false,
        }
    }

    /// Where the target is, if all of the others are there and see it.
    fn common(&self, scene: &Scene) -> Option<Answer> {
        let all_see = self.others.iter().all(|&who| self.is_seen(scene, scene.place(who)));
        (all_see && !self.others.is_empty()).then(|| reality(scene, self.target))
    }
}
