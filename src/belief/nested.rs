//! The definition of belief, written out: every mind holds a mind for everyone, to a fixed depth.
//!
//! Slow and plain on purpose; the fast [`Tracker`](super::Tracker) is checked against it. It follows
//! the four numbered paragraphs of [the definition](super). It takes events as they were recorded,
//! each with its origin, witnesses and roster, so that a property test can leave events out.
//!
//! Costs O(characters^depth) minds, each with a place per character.

use std::collections::BTreeMap;

use crate::id::{CharacterId, PlaceId};
use crate::trace::{Trace, Witnessed};
use crate::world::Event;

/// A mind: its owner's picture of the world, and of every other mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mind {
    /// Whose mind it is; `None` for reality.
    owner: Option<CharacterId>,
    /// Where it places everyone; `None`: unknown.
    places: BTreeMap<CharacterId, Option<PlaceId>>,
    /// What it takes everyone else to believe.
    minds: BTreeMap<CharacterId, Mind>,
}

/// What someone learns at once: where characters are (`None`: not where they were thought to be).
type Lesson = BTreeMap<CharacterId, Option<PlaceId>>;

impl Mind {
    /// Reality at the start, with all minds to `depth` agreeing with it.
    ///
    /// ```
    /// use storysim::{belief::nested::Mind, id::{CharacterId, PlaceId}, trace::Trace, world::Event};
    /// let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    /// let [ann, bob] = [0, 1].map(CharacterId::new);
    /// let moves = [(a, b), (b, c)].map(|(from, to)| Event { who: bob, from, to });
    /// let trace = Trace::of_moves(vec![a, a], moves.to_vec());
    /// let reality = Mind::after(&trace, 1);
    /// assert_eq!(reality.answer(&[ann], bob), Some(b)); // she saw the first move only
    /// assert_eq!(reality.answer(&[], bob), Some(c));
    /// ```
    pub fn after(trace: &Trace, depth: usize) -> Self {
        let mut reality = Self::start(&trace.start, depth);
        for witnessed in trace.witnessed() {
            reality.happen(&witnessed);
        }
        reality
    }

    /// Reality before anything happens.
    pub fn start(start: &[PlaceId], depth: usize) -> Self {
        let places = start.iter().enumerate().map(|(at, &place)| (CharacterId::new(at), Some(place)));
        Self::agreeing(None, &places.collect(), depth)
    }

    fn agreeing(owner: Option<CharacterId>, places: &Lesson, depth: usize) -> Self {
        let others = places.keys().filter(|&&x| Some(x) != owner && depth > 0);
        let minds = others.map(|&x| (x, Self::agreeing(Some(x), places, depth - 1))).collect();
        Self { owner, places: places.clone(), minds }
    }

    /// Where the chain of `minds` places `target`; `None`: unknown. The chain need not be in its
    /// shortest form.
    ///
    /// # Panics
    /// If the chain is longer than the depth.
    pub fn answer(&self, minds: &[CharacterId], target: CharacterId) -> Option<PlaceId> {
        match minds {
            [] => self.places[&target],
            // M's mind of its own owner is M itself.
            [first, rest @ ..] if Some(*first) == self.owner => self.answer(rest, target),
            [first, rest @ ..] => self.minds[first].answer(rest, target),
        }
    }

    /// The mind that this one holds of `character`.
    pub fn mind(&self, character: CharacterId) -> Option<&Self> {
        self.minds.get(&character)
    }

    /// All minds that this one holds.
    pub fn minds(&self) -> impl Iterator<Item = (CharacterId, &Self)> {
        self.minds.iter().map(|(&character, mind)| (character, mind))
    }

    /// Applies a recorded event to reality.
    pub fn happen(&mut self, witnessed: &Witnessed) {
        let Event { who, to, .. } = witnessed.event;
        self.places.insert(who, Some(to));
        for witness in &witnessed.witnesses {
            let Some(mind) = self.minds.get_mut(witness) else { continue };
            let roster = witnessed.roster.contains(witness).then_some(witnessed.roster.as_slice());
            mind.witness(witnessed.event, roster);
        }
    }

    /// Applies an event that this mind's owner witnesses, with the roster of the destination if the
    /// owner is there now.
    fn witness(&mut self, event: Event, roster: Option<&[CharacterId]>) {
        let Event { who, from, to } = event;
        // 1. Surprises.
        let mut surprises = self.roster_surprises(to, roster, Some(who));
        let mover_surprises = self.places[&who] != Some(from);
        if mover_surprises {
            surprises.insert(who, Some(from));
        }
        self.learn(&surprises);
        if mover_surprises {
            let company = self.company(from);
            for character in &company {
                if let Some(mind) = self.minds.get_mut(character) {
                    mind.be_together(from, &company);
                }
            }
        }
        // 2. Witnesses.
        let sees = |(&x, &place): (&CharacterId, &Option<PlaceId>)| {
            (place == Some(from) || place == Some(to) || x == who).then_some(x)
        };
        let witnesses: Vec<CharacterId> = self.places.iter().filter_map(sees).collect();
        // 3. Effect.
        self.places.insert(who, Some(to));
        // 4. What the witnesses make of it.
        let company = self.company(to);
        for witness in witnesses {
            let Some(mind) = self.minds.get_mut(&witness) else { continue };
            mind.witness(event, company.contains(&witness).then_some(company.as_slice()));
        }
    }

    /// Whom this mind has at `place`.
    fn company(&self, place: PlaceId) -> Vec<CharacterId> {
        self.places.iter().filter(|&(_, &at)| at == Some(place)).map(|(&x, _)| x).collect()
    }

    /// What a roster of `place` shows to be wrong; nothing about `apart_from`.
    fn roster_surprises(
        &self,
        place: PlaceId,
        roster: Option<&[CharacterId]>,
        apart_from: Option<CharacterId>,
    ) -> Lesson {
        let mut surprises = Lesson::new();
        let Some(roster) = roster else { return surprises };
        for (&x, &at) in &self.places {
            if Some(x) == apart_from || Some(x) == self.owner {
                continue;
            }
            let (is_there, was_thought_there) = (roster.contains(&x), at == Some(place));
            if is_there && !was_thought_there {
                surprises.insert(x, Some(place));
            } else if !is_there && was_thought_there {
                surprises.insert(x, None);
            }
        }
        surprises
    }

    /// Takes in a lesson and hands it down.
    fn learn(&mut self, lesson: &Lesson) {
        if lesson.is_empty() {
            return;
        }
        let old = self.places.clone();
        self.places.extend(lesson);
        for (&z, mind) in &mut self.minds {
            let mut handed_down = Lesson::new();
            for (&x, &place) in lesson {
                let was_with_x = old[&z].is_some() && old[&z] == old[&x];
                let places_of_x = [old[&x], place];
                let met_x = lesson.get(&z).is_some_and(|&new| {
                    [old[&z], new].iter().any(|at| at.is_some() && places_of_x.contains(at))
                });
                if x == z {
                    handed_down.insert(x, place);
                } else if was_with_x || met_x {
                    handed_down.insert(x, None);
                }
            }
            mind.learn(&handed_down);
        }
    }

    /// The owner is at `place` with exactly this company, and all of them know.
    fn be_together(&mut self, place: PlaceId, company: &[CharacterId]) {
        let surprises = self.roster_surprises(place, Some(company), None);
        self.learn(&surprises);
        for character in company {
            if let Some(mind) = self.minds.get_mut(character) {
                mind.be_together(place, company);
            }
        }
    }
}
