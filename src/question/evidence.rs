//! From which steps an answer follows.
//!
//! Of all moves of the question's characters, from the last to the first, each is left out if the
//! answer stays the same without it, over and over until none can be. What is left is a smallest set
//! in that none of its steps can be spared. A move in it starts from wherever its mover then is; a
//! move to where the mover is already is none.
//!
//! Going from the last to the first, a step is judged after all that really went before it, so that
//! what is kept is what really settled the answer.

use super::watch::Watch;
use crate::belief::Perhaps;
use crate::id::{CharacterId, PlaceId};
use crate::world::Event;

/// Finds the evidence of one question.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The moves still under consideration.
    moves: Vec<Move>,
    before: States,
    scratch: Watch,
}

/// The state of the watch before each of the moves.
#[derive(Clone, Debug, Default)]
struct States {
    places: Vec<Option<PlaceId>>,
    open: Vec<Perhaps>,
    /// The length of `open` up to each move.
    ends: Vec<usize>,
}

impl States {
    fn clear(&mut self) {
        self.places.clear();
        self.open.clear();
        self.ends.clear();
    }

    fn push(&mut self, (places, open): (&[Option<PlaceId>], &[Perhaps])) {
        self.places.extend_from_slice(places);
        self.open.extend_from_slice(open);
        self.ends.push(self.open.len());
    }

    fn get(&self, at: usize) -> (&[Option<PlaceId>], &[Perhaps]) {
        let width = self.places.len() / self.ends.len();
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.places[at * width..(at + 1) * width], &self.open[begin..self.ends[at]])
    }
}

#[derive(Clone, Copy, Debug)]
struct Move {
    step: usize,
    who: CharacterId,
    to: PlaceId,
}

impl Evidence {
    pub fn new(watch: &Watch) -> Self {
        Self { moves: Vec::new(), before: States::default(), scratch: watch.clone() }
    }

    /// Begins a story.
    pub fn begin(&mut self) {
        self.moves.clear();
        self.before.clear();
    }

    /// Takes a move of one of the question's characters into consideration; `watch` has not seen it yet.
    pub fn consider(&mut self, step: usize, event: Event, watch: &Watch) {
        self.moves.push(Move { step, who: event.who, to: event.to });
        self.before.push(watch.state());
    }

    /// Puts the steps of the evidence for `answer` into `steps`.
    ///
    /// Costs O(moves · moves that are kept).
    pub fn find(&mut self, answer: PlaceId, start: &[PlaceId], steps: &mut Vec<usize>) {
        loop {
            let count = self.moves.len();
            self.pass(answer);
            if self.moves.len() == count {
                break;
            }
            self.replay(start);
        }
        steps.extend(self.moves.iter().map(|kept| kept.step));
    }

    /// Decides about every move once, from the last to the first. The moves that are kept gather at the end.
    fn pass(&mut self, answer: PlaceId) {
        let mut kept = self.moves.len();
        for at in (0..self.moves.len()).rev() {
            self.scratch.load(self.before.get(at));
            for &later in &self.moves[kept..] {
                self.scratch.go(later.who, later.to);
            }
            if self.scratch.answer() != Some(answer) {
                kept -= 1;
                self.moves[kept] = self.moves[at];
            }
        }
        self.moves.drain(..kept);
    }

    /// Works out the state of the watch before each remaining move, if only these moves happen.
    fn replay(&mut self, start: &[PlaceId]) {
        self.before.clear();
        self.scratch.start(start);
        for &kept in &self.moves {
            self.before.push(self.scratch.state());
            self.scratch.go(kept.who, kept.to);
        }
    }
}
