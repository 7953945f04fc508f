//! Evidence in stories of people who only walk.
//!
//! Strangers to a chain teach its members nothing, so only moves of its members are looked at. What one mind holds is
//! settled by a move that shows where the target is. Alone, that move changes what is held unless it was held from the
//! start; then it takes one more, the last that shows by itself that the target is not there any more.
//!
//! For one mind, keeping the record costs O(1) a move, and nothing is replayed. For chains of more minds it costs
//! O(order²) a move that is witnessed, and a trial O(order²) for each step of it.

use super::super::record::{Cells, Needs, Record};
use super::super::watch::Watch;
use super::meeting::Meeting;
use super::search::Search;
use crate::belief::Tracker;
use crate::id::PlaceId;
use crate::world::Event;

/// Finds the evidence of one question.
#[derive(Clone, Debug)]
pub enum WalkEvidence {
    /// Of the start, which takes none.
    Start,
    /// Of where the target is: its last move.
    Reality(Option<usize>),
    /// Of where the target went from a company.
    World(Meeting),
    /// Of what one mind holds: the steps at which that changed, and what is held after each.
    Mind(Vec<(usize, Option<PlaceId>)>),
    /// Of what a chain of more minds holds.
    Chain(Box<ChainEvidence>),
}

impl WalkEvidence {
    pub fn new(watch: &Watch) -> Self {
        match watch {
            Watch::Start(..) => Self::Start,
            Watch::World(_) => Self::World(Meeting::default()),
            Watch::Belief(tracker) => match tracker.chain().order() {
                0 => Self::Reality(None),
                1 => Self::Mind(Vec::new()),
                _ => Self::Chain(Box::new(ChainEvidence::new(tracker))),
            },
        }
    }

    /// Begins a story, given what is watched at its start.
    pub fn begin(&mut self, watch: &Watch, start: &[PlaceId]) {
        match (self, watch) {
            (Self::Reality(last), _) => *last = None,
            (Self::World(meeting), Watch::World(company)) => *meeting = Meeting::start(company),
            (Self::Mind(changes), _) => changes.clear(),
            (Self::Chain(chain), Watch::Belief(tracker)) => chain.begin(tracker, start),
            _ => {}
        }
    }

    /// Takes in a move of one of the question's characters, and what it made of what is watched.
    #[inline]
    pub fn note(
        &mut self,
        step: usize,
        event: Event,
        watch: &Watch,
        is_witnessed: bool,
        before: Option<PlaceId>,
    ) {
        match (self, watch) {
            (Self::Mind(changes), watch) => {
                let held = watch.answer();
                if held != before {
                    changes.push((step, held));
                }
            }
            (Self::Reality(last), _) => *last = Some(step),
            (Self::World(meeting), Watch::World(company)) => meeting.note(step, company),
            (Self::Chain(chain), Watch::Belief(tracker)) if is_witnessed => chain.note(step, event, tracker),
            _ => {}
        }
    }

    /// Puts the steps of the evidence into `steps`; `start` is what was held at the start.
    pub fn find(&mut self, start: Option<PlaceId>, steps: &mut Vec<usize>) {
        match self {
            Self::Start => {}
            Self::Reality(last) => steps.extend(*last),
            Self::World(meeting) => steps.extend(meeting.steps()),
            Self::Mind(changes) => steps.extend(of_one_mind(changes, start)),
            Self::Chain(chain) => chain.find(steps),
        }
    }
}

/// The last change and, if it leads back to what was held at the start, the last before it that takes that away.
fn of_one_mind(changes: &[(usize, Option<PlaceId>)], start: Option<PlaceId>) -> impl Iterator<Item = usize> {
    let last = changes.last();
    let held_before = |at: usize| at.checked_sub(1).map_or(start, |before| changes[before].1);
    let takes_away = |&at: &usize| match changes[at].1 {
        Some(place) => start != Some(place),
        // The mind's owner found the target missing where she thought it was.
        None => held_before(at) == start,
    };
    let is_back = last.is_some_and(|&(_, held)| held == start);
    let lost = (0..changes.len()).rev().find(takes_away).filter(|_| is_back);
    lost.map(|at| changes[at].0).into_iter().chain(last.map(|&(step, _)| step))
}

/// Finds the evidence of what a chain of two minds or more holds.
#[derive(Clone, Debug)]
pub struct ChainEvidence {
    cells: Cells,
    record: Record<Option<PlaceId>>,
    /// The moves that the owner of the outermost mind witnessed.
    moves: Vec<(usize, Event)>,
    /// Where each member was before each of them.
    places: Vec<Option<PlaceId>>,
    start: Vec<PlaceId>,
    needs: Needs<Option<PlaceId>>,
    search: Search,
    again: Again,
}

/// A replay of some steps.
#[derive(Clone, Debug)]
struct Again {
    tracker: Tracker,
    record: Record<Option<PlaceId>>,
}

impl ChainEvidence {
    fn new(tracker: &Tracker) -> Self {
        Self {
            cells: Cells::new(0, tracker.chain().order(), 1),
            record: Record::default(),
            moves: Vec::new(),
            places: Vec::new(),
            start: Vec::new(),
            needs: Needs::default(),
            search: Search::default(),
            again: Again { tracker: tracker.clone(), record: Record::default() },
        }
    }

    fn begin(&mut self, tracker: &Tracker, start: &[PlaceId]) {
        self.moves.clear();
        self.places.clear();
        self.start.clear();
        self.start.extend_from_slice(start);
        self.record.clear();
        self.record.begin(std::iter::once(tracker.answer()).chain(opinions(tracker)));
    }

    fn note(&mut self, step: usize, event: Event, tracker: &Tracker) {
        self.record.note(step, self.cells.row(1), opinions(tracker));
        self.moves.push((step, event));
        let before = tracker.members().iter().zip(tracker.row(0));
        self.places
            .extend(before.map(|(&member, &now)| if member == event.who { Some(event.from) } else { now }));
    }

    fn find(&mut self, steps: &mut Vec<usize>) {
        let Self { cells, record, moves, places, start, needs, search, again } = self;
        let order = again.tracker.chain().order();
        let number = |step: usize| moves.binary_search_by_key(&step, |&(step, _)| step);
        let number = |step: usize| number(step).expect("a mind learns only from what it witnesses");
        let members = again.tracker.members().to_vec();
        let takes_part = |step: usize, link: usize| moves[number(step)].1.who == members[link];
        needs.clear();
        needs.add(record, *cells, (order, cells.target(order, 0)), usize::MAX, &takes_part);
        std::mem::swap(&mut search.needed, &mut needs.steps);
        std::mem::swap(&mut search.lost, &mut needs.lost);
        let last = search.needed.iter().copied().max().unwrap_or(0);
        record.turns(&[*cells], last, &mut search.turns);
        let mut witnessed = || moves.iter().map(|&(step, _)| step).collect();
        search.find(&mut witnessed, steps, &mut |steps| {
            again.tracker.start(start);
            again.record.restart(record);
            steps.iter().copied().find(|&step| {
                let at = number(step);
                again.tracker.set_reality(&places[at * members.len()..][..members.len()]);
                again.tracker.apply(moves[at].1);
                again.record.note(step, cells.row(1), opinions(&again.tracker));
                !needs.are_met_at(step, &again.record, *cells)
            })
        });
    }
}

/// What each mind has of the places of the members after it, and of the target.
fn opinions(tracker: &Tracker) -> impl Iterator<Item = Option<PlaceId>> + '_ {
    (1..=tracker.chain().order()).flat_map(|row| tracker.row(row)[row..].iter().copied())
}
