//! Evidence in conversations, for what minds hold of a proposition.
//!
//! There are two places, so everybody sees everybody come and go, and knows at any time who is there. So what is held after each saying
//! follows from masks of people, and so does what settled it.
//!
//! Somebody who knows of some steps only may be wrong about who is there. Of one mind, or of two, it takes little to try such steps:
//! what each holds, and where the first has the second, which decides whether she takes her to hear what is said. She learns it when the
//! second comes, goes or speaks; and where somebody comes to a place in which she is herself, she sees who else is there, and who is not.
//! Longer chains are followed through the steps that are tried.

use smallvec::SmallVec;

use super::super::answer::Answer;
use super::super::reading::happening;
use super::super::talk::{Means, Saying, Talk, What, at_start, learned, view};
use super::super::view::View;
use super::search::Search;
use crate::belief::{Chain, DeedTracker, Held, Source};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::plan::Staging;
use crate::trace::Trace;
use crate::world::{Item, Value};

/// There are seldom more minds along a chain.
const MINDS_MOSTLY: usize = 3;

/// Finds the evidence of one question.
#[derive(Clone, Debug)]
pub struct TalkEvidence {
    of: PropositionId,
    lines: Vec<Line>,
    search: Search,
}

/// A story, as far as it is taken into account.
#[derive(Clone, Copy, Debug)]
pub struct Said<'s> {
    pub staging: &'s Staging,
    pub talk: &'s Talk,
    pub trace: &'s Trace,
    /// How many sayings count.
    pub until: usize,
}

/// A chain of minds that is asked about.
#[derive(Clone, Debug)]
pub struct Line {
    minds: SmallVec<[CharacterId; MINDS_MOSTLY]>,
    outer: Outer,
    /// What each mind along the chain holds at the start.
    start: Holdings,
    turns: Vec<Turn>,
    needs: SmallVec<[Need; 4]>,
    /// What follows the chain through the steps that are tried, if it has more than two minds.
    tracker: Option<Box<DeedTracker>>,
}

/// What the minds along a chain hold, the outermost first.
type Holdings = SmallVec<[Held; MINDS_MOSTLY]>;

/// Whether the answer depends on what the last mind but one holds, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outer {
    /// It does not.
    Spared,
    /// It does.
    Needed,
    /// It does if the last has an answer.
    NeededIfClear,
}

/// A change of what the mind of the first `row` members says.
#[derive(Clone, Copy, Debug)]
struct Turn {
    step: usize,
    row: usize,
    view: View,
}

/// Something that the mind of the first so many members says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// What is so.
    Held(usize),
    /// Where the next member is.
    Place(usize),
}

/// What has to hold after the step `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need {
    cell: Cell,
    until: usize,
    settled: Option<usize>,
    view: View,
}

impl TalkEvidence {
    /// What finds the evidence for what these chains hold of a proposition.
    pub fn new(of: PropositionId, lines: Vec<Line>) -> Self {
        Self { of, lines, search: Search::default() }
    }

    /// Puts the steps of the evidence into `found`. `bearing` lists the steps that may bear on it, if they are needed.
    pub fn find(&mut self, said: Said<'_>, bearing: &mut dyn FnMut() -> Vec<usize>, found: &mut Vec<usize>) {
        let Self { of, lines, search, .. } = self;
        let (needed, lost) = (&mut search.needed, &mut search.lost);
        needed.clear();
        lost.clear();
        for line in lines.iter_mut() {
            line.read(said, *of);
            line.demand(said.talk, needed, lost);
        }
        needed.sort_unstable();
        needed.dedup();
        let Some(&last) = needed.last() else { return };
        let is_followed = lines.iter().any(|line| line.tracker.is_some());
        let steps = if is_followed { bearing() } else { Vec::new() };
        let mut fails_at =
            |known: &[usize]| lines.iter_mut().find_map(|line| line.fails_at(said, *of, known, &steps));
        if fails_at(needed).is_none() {
            found.extend_from_slice(needed);
            return;
        }
        search.turns.clear();
        lines.iter().for_each(|line| line.turned(said.talk, last, &mut search.turns));
        search.turns.sort_unstable_by(|one, other| other.cmp(one));
        search.turns.dedup();
        let firsts: SmallVec<[CharacterId; 8]> = lines.iter().map(|line| line.minds[0]).collect();
        let mut witnessed = || {
            let mut steps = bearing();
            let is_witness = |step: usize, who: &CharacterId| witnesses(said.talk, step, *who);
            steps.retain(|&step| firsts.iter().any(|who| is_witness(step, who)));
            steps
        };
        let mut fails_at =
            |known: &[usize]| lines.iter_mut().find_map(|line| line.fails_at(said, *of, known, &steps));
        search.find(&mut witnessed, found, &mut fails_at);
    }
}

impl Line {
    /// The line of a chain of at least one mind about a proposition.
    pub fn new(minds: &[CharacterId], of: PropositionId, outer: Outer) -> Self {
        let tracker = || Box::new(DeedTracker::new(Chain::new(minds, Item::Proposition(of))));
        Self {
            minds: SmallVec::from_slice(minds),
            outer,
            start: Holdings::new(),
            turns: Vec::new(),
            needs: SmallVec::new(),
            tracker: (minds.len() > 2).then(tracker),
        }
    }

    /// Follows what is held through all sayings that count.
    fn read(&mut self, said: Said<'_>, of: PropositionId) {
        let Said { staging, talk, until, .. } = said;
        self.turns.clear();
        self.start.clear();
        for row in 1..=self.minds.len() {
            self.start.push(at_start(staging, &self.minds[..row], of, talk.truth(of)));
        }
        let mut held = self.start.clone();
        for (_, saying, means) in talk.told(of).take_while(|(number, ..)| *number < until) {
            let hearers = self.minds.iter().take_while(|who| is_in(saying.heard, **who)).count();
            for row in (1..=hearers).rev() {
                let before = view(held[row - 1]);
                self.take_in(&mut held, row, talk.truth(of), (saying, means));
                let view = view(held[row - 1]);
                if view != before {
                    self.turns.push(Turn { step: saying.step, row, view });
                }
            }
            if matches!(means, Means::Happened) {
                break; // Nobody ever sees it again.
            }
        }
    }

    /// Lets the mind of the first `row` members take in what is said, which they all hear. Those within it have done so, and those around it
    /// have not.
    fn take_in(&self, held: &mut Holdings, row: usize, is_true: bool, (saying, means): (&Saying, Means)) {
        let own = held[row - 1];
        held[row - 1] = match means {
            Means::Shown | Means::Happened => Held::Known(Value::Truth(is_true), Source::Seen),
            Means::Claimed if saying.speaker != self.minds[row - 1] => learned(own, own, saying.value),
            Means::Claimed if row == 1 => own,
            // Whoever believes it takes the speaker to think so.
            Means::Claimed => learned(own, held[row - 2], saying.value),
        };
    }

    /// Gathers what has to hold, the steps that settled it, and those at which it was lost before.
    fn demand(&mut self, talk: &Talk, needed: &mut Vec<usize>, lost: &mut Vec<usize>) {
        self.needs.clear();
        let last = self.minds.len();
        let is_clear = self.need(talk, last, needed, lost).answer().is_some();
        let is_outer_needed = match self.outer {
            Outer::Spared => false,
            Outer::Needed => true,
            Outer::NeededIfClear => is_clear,
        };
        if is_outer_needed && last > 1 {
            self.need(talk, last - 1, needed, lost);
        }
    }

    /// Needs what the mind of a row says at the end, and what that takes. Returns what it says.
    fn need(&mut self, talk: &Talk, row: usize, needed: &mut Vec<usize>, lost: &mut Vec<usize>) -> View {
        let start = view(self.start[row - 1]);
        let mut turns = self.turns.iter().rev().filter(|turn| turn.row == row);
        let Some(&Turn { step, view, .. }) = turns.next() else {
            self.needs.push(Need { cell: Cell::Held(row), until: usize::MAX, settled: None, view: start });
            return start;
        };
        let earlier = turns.next().map(|turn| turn.step).filter(|_| view == start);
        needed.push(step);
        self.needs.push(Need { cell: Cell::Held(row), until: usize::MAX, settled: Some(step), view });
        if let Some(earlier) = earlier {
            lost.push(earlier);
            self.lose_places(talk, row, earlier, lost);
        }
        self.need_places(talk, row, step, needed, lost);
        view
    }

    /// Needs where each mind outside that of a row has the next member after a step, unless it shows that she takes part.
    fn need_places(
        &mut self,
        talk: &Talk,
        row: usize,
        until: usize,
        needed: &mut Vec<usize>,
        lost: &mut Vec<usize>,
    ) {
        for link in (1..row).filter(|&link| talk.step(until).who != self.minds[link]).collect::<Rows>() {
            let who = self.minds[link];
            let mut moves = talk.moves(who, until);
            let settled = moves.next();
            // With two places, she is where she began after every other move.
            let earlier = moves.next();
            let start = place(Some(talk.is_there_at_first(who)));
            let view = settled.map_or(start, |step| place(Some(is_in(talk.step(step).here, who))));
            needed.extend(settled);
            let need = Need { cell: Cell::Place(link), until, settled, view };
            if self.needs.contains(&need) {
                continue;
            }
            self.needs.push(need);
            let Some(step) = settled else { continue };
            if let Some(earlier) = earlier.filter(|_| view == start) {
                lost.push(earlier);
                self.lose_places(talk, link, earlier, lost);
            }
            self.need_places(talk, link, step, needed, lost);
        }
    }

    /// Notes the steps that made each mind outside that of a row have the next member where it did after a step, and what that takes.
    fn lose_places(&self, talk: &Talk, row: usize, until: usize, lost: &mut Vec<usize>) {
        for link in (1..row).filter(|&link| talk.step(until).who != self.minds[link]) {
            if let Some(step) = talk.moves(self.minds[link], until).next() {
                lost.push(step);
                self.lose_places(talk, link, step, lost);
            }
        }
    }

    /// At which step it is plain that these are not enough. `steps` are all that bear on it, if minds have to be followed.
    fn fails_at(
        &mut self,
        said: Said<'_>,
        of: PropositionId,
        known: &[usize],
        steps: &[usize],
    ) -> Option<usize> {
        match self.tracker.take() {
            None => self.fails_unfollowed(said.talk, of, known),
            Some(mut tracker) => {
                let failed = self.fails_followed(&mut tracker, said.trace, known, steps);
                self.tracker = Some(tracker);
                failed
            }
        }
    }

    /// Tries steps with minds that are followed.
    fn fails_followed(
        &self,
        tracker: &mut DeedTracker,
        trace: &Trace,
        known: &[usize],
        steps: &[usize],
    ) -> Option<usize> {
        let says = |tracker: &DeedTracker, cell: Cell| match cell {
            Cell::Held(row) => View::of(tracker, row, tracker.chain().target()),
            Cell::Place(row) => View::of(tracker, row, Item::Character(self.minds[row])).of_known(),
        };
        tracker.start(trace);
        for &step in steps.iter().take_while(|step| Some(*step) <= known.last()) {
            let (event, deed) = happening(trace, step);
            if known.binary_search(&step).is_err() {
                tracker.pass(event, deed);
                continue;
            }
            let before: SmallVec<[View; 8]> =
                self.needs.iter().map(|need| says(tracker, need.cell)).collect();
            tracker.follow(event, deed);
            let mut pairs = self.needs.iter().zip(before);
            if !pairs.all(|(need, before)| need.is_met(step, before, says(tracker, need.cell))) {
                return Some(step);
            }
        }
        None
    }

    /// Tries steps with one mind, or two.
    fn fails_unfollowed(&self, talk: &Talk, of: PropositionId, known: &[usize]) -> Option<usize> {
        let mut held = self.start.clone();
        let mut is_there = self.minds.get(1).map(|second| talk.is_there_at_first(*second));
        let says = |held: &Holdings, is_there, cell| match cell {
            Cell::Held(row) => view(held[row - 1]),
            Cell::Place(_) => place(is_there),
        };
        for &step in known {
            let before = (held.clone(), is_there);
            is_there = self.place_after(talk, step, is_there);
            if let Some(told) = told_at(talk, of, step).filter(|_| is_in(talk.step(step).here, self.minds[0]))
            {
                for row in (1..=1 + usize::from(is_there == Some(true))).rev() {
                    self.take_in(&mut held, row, talk.truth(of), told);
                }
            }
            let is_met = |need: &Need| {
                let before = says(&before.0, before.1, need.cell);
                need.is_met(step, before, says(&held, is_there, need.cell))
            };
            if !self.needs.iter().all(is_met) {
                return Some(step);
            }
        }
        None
    }

    /// Whether the first has the second at the table after a step of which she knows; `None` if she has no idea.
    fn place_after(&self, talk: &Talk, step: usize, is_there: Option<bool>) -> Option<bool> {
        let [first, second] = *self.minds.as_slice() else { return None };
        let now = talk.step(step);
        match now.what {
            What::Move if now.who == second => Some(is_in(now.here, second)),
            What::Move if is_in(now.here, first) == is_in(now.here, now.who) => {
                // She is where somebody comes to, and looks around.
                let (here, really) = (is_in(now.here, first), is_in(now.here, second));
                match is_there {
                    _ if really == here => Some(here),
                    Some(is_there) if is_there == here => None,
                    is_there => is_there,
                }
            }
            What::Saying(_) if now.who == second && is_in(now.here, first) => Some(true),
            _ => is_there,
        }
    }

    /// Adds the steps before the last at which what is held changes, or where any but the first is.
    fn turned(&self, talk: &Talk, last: usize, turns: &mut Vec<usize>) {
        turns.extend(self.turns.iter().map(|turn| turn.step).filter(|step| *step < last));
        for &who in &self.minds[1..] {
            turns.extend(talk.moves(who, last).filter(|step| *step < last));
        }
    }
}

/// Rows of a line.
type Rows = SmallVec<[usize; MINDS_MOSTLY]>;

impl Need {
    /// Whether what is needed changed at a step as it should, if at all.
    fn is_met(&self, step: usize, before: View, after: View) -> bool {
        match self.settled {
            _ if step > self.until => true,
            Some(settled) if settled > step => true,
            Some(settled) if settled == step => after != before && after == self.view,
            _ => after == before,
        }
    }
}

/// What is said at a step, if that means something for a proposition.
fn told_at(talk: &Talk, of: PropositionId, step: usize) -> Option<(&Saying, Means)> {
    let What::Saying(number) = talk.step(step).what else { return None };
    for (other, saying, means) in talk.told(of) {
        if other == number {
            return Some((saying, means));
        }
        if matches!(means, Means::Happened) {
            return None; // It can be seen once only.
        }
    }
    None
}

/// Whether somebody witnesses a step: everybody sees who comes and goes.
fn witnesses(talk: &Talk, step: usize, who: CharacterId) -> bool {
    let now = talk.step(step);
    now.what == What::Move || is_in(now.here, who)
}

fn is_in(mask: u64, who: CharacterId) -> bool {
    mask >> who.index() & 1 == 1
}

/// What somebody says of where another is, if she has an idea: at the table, or away.
fn place(is_there: Option<bool>) -> View {
    is_there
        .map_or(View::Nothing, |is_there| View::Clear(Answer::Place(PlaceId::new(usize::from(!is_there)))))
}
