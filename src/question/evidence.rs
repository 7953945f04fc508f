//! From which steps an answer follows.
//!
//! Of all moves of the question's characters, from the first to the last, each is left out if the
//! answer stays the same without it, over and over until none can be. What is left is a smallest set
//! in that none of its steps can be spared. A move in it starts from wherever its mover then is; a
//! move to where the mover is already is none.

use super::watch::Watch;
use crate::id::{CharacterId, PlaceId};
use crate::world::Event;

/// Finds the evidence of one question.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The moves still under consideration.
    moves: Vec<Move>,
    start: Vec<PlaceId>,
    /// The state after the moves that are kept, before the one to decide on.
    before: Replay,
    /// The state that follows if that one is left out, and if it is not.
    without: Replay,
    with: Replay,
}

#[derive(Clone, Copy, Debug)]
struct Move {
    step: usize,
    who: CharacterId,
    to: PlaceId,
}

impl Evidence {
    pub fn new(watch: &Watch) -> Self {
        let replay = Replay { watch: watch.clone(), places: Vec::new() };
        let (before, without, with) = (replay.clone(), replay.clone(), replay);
        Self { moves: Vec::new(), start: Vec::new(), before, without, with }
    }

    /// Begins a story.
    pub fn begin(&mut self, start: &[PlaceId]) {
        self.moves.clear();
        self.start.clear();
        self.start.extend_from_slice(start);
    }

    /// Takes a move of one of the question's characters into consideration.
    pub fn consider(&mut self, step: usize, event: Event) {
        self.moves.push(Move { step, who: event.who, to: event.to });
    }

    /// Puts the steps of the evidence for `answer` into `steps`.
    ///
    /// Most moves make no difference to anything after a few more, so a decision usually costs a few
    /// moves, not all of them.
    pub fn find(&mut self, answer: PlaceId, steps: &mut Vec<usize>) {
        loop {
            let count = self.moves.len();
            self.pass(answer);
            if self.moves.len() == count {
                break;
            }
        }
        steps.extend(self.moves.iter().map(|kept| kept.step));
    }

    /// Decides on every move once, from the first to the last.
    fn pass(&mut self, answer: PlaceId) {
        self.before.start(&self.start);
        let mut kept = 0;
        for at in 0..self.moves.len() {
            if !self.can_spare(at, answer) {
                self.before.apply(self.moves[at]);
                self.moves[kept] = self.moves[at];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    fn can_spare(&mut self, at: usize, answer: PlaceId) -> bool {
        self.without.copy_from(&self.before);
        self.with.copy_from(&self.before);
        self.with.apply(self.moves[at]);
        for &later in &self.moves[at + 1..] {
            if self.without.is_at_one_with(&self.with) {
                return true;
            }
            self.without.apply(later);
            self.with.apply(later);
        }
        self.without.watch.answer() == Some(answer)
    }
}

/// A watch, and where its characters are.
#[derive(Clone, Debug)]
struct Replay {
    watch: Watch,
    places: Vec<PlaceId>,
}

impl Replay {
    fn start(&mut self, start: &[PlaceId]) {
        self.watch.start(start);
        self.places.clear();
        self.places.extend_from_slice(start);
    }

    fn apply(&mut self, Move { who, to, .. }: Move) {
        let from = std::mem::replace(&mut self.places[who.index()], to);
        if from != to {
            self.watch.apply(Event { who, from, to });
        }
    }

    fn copy_from(&mut self, other: &Self) {
        self.watch.copy_from(&other.watch);
        self.places.clear();
        self.places.extend_from_slice(&other.places);
    }

    fn is_at_one_with(&self, other: &Self) -> bool {
        self.watch.is_at_one_with(&other.watch)
    }
}
