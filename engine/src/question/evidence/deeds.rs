//! Evidence in stories with deeds.
//!
//! Every event may teach something, so all are looked at. Keeping the record costs O(order² + order · targets) for each
//! event that is witnessed, and a trial O(events) to replay reality, and O(order · items) for each step of it: for each
//! chain that the question asks about.

use super::super::answer::Answer;
use super::super::reading::{Reading, Replay, happening};
use super::super::record::{Cells, Needs, Record};
use super::super::view::View;
use super::meeting::Meeting;
use super::search::Search;
use crate::belief::DeedTracker;
use crate::id::CharacterId;
use crate::trace::Trace;
use crate::world::{ActInWorld, Deed, Event, Item, Scene};

/// Finds the evidence of one question.
#[derive(Clone, Debug)]
pub struct DeedEvidence {
    /// The chains that are asked about, each with its cells.
    chains: Vec<Cells>,
    targets: Targets,
    /// Whether the answer depends on what is really so.
    is_of_reality: bool,
    record: Record<View>,
    /// The steps that the owner of an outermost mind witnessed.
    witnessed: Vec<usize>,
    needs: Needs<View>,
    search: Search,
    /// The chains in a replay of some steps, and what is held there.
    again: Reading,
    again_record: Record<View>,
    meeting: Meeting,
    /// The moves of somebody who follows: for each, who is not there after it.
    moves: Vec<(usize, Vec<CharacterId>)>,
}

/// What all chains of a question are about.
#[derive(Clone, Debug)]
struct Targets {
    items: Vec<Item>,
    /// Whether it matters if someone has no idea, or that is unclear.
    are_told_apart: bool,
}

impl DeedEvidence {
    pub fn new(reading: &Reading) -> Self {
        let items = reading.targets();
        let mut first = 0;
        let chains: Vec<Cells> = reading
            .trackers()
            .map(|tracker| {
                let cells = Cells::new(first, tracker.chain().order(), items.len());
                first = cells.end();
                cells
            })
            .collect();
        let is_place = |item: &Item| matches!(item, Item::Character(_) | Item::Object(_));
        let are_told_apart = !matches!(reading, Reading::Mind(_)) || !items.iter().all(is_place);
        let is_of_reality = match reading {
            Reading::Knows { depth, .. } => *depth == 0,
            reading => reading.trackers().next().is_some_and(|first| first.chain().order() == 0),
        };
        Self {
            chains,
            targets: Targets { items, are_told_apart },
            is_of_reality,
            record: Record::default(),
            witnessed: Vec::new(),
            needs: Needs::default(),
            search: Search::default(),
            again: reading.clone(),
            again_record: Record::default(),
            meeting: Meeting::default(),
            moves: Vec::new(),
        }
    }

    /// Begins a story, given what is read from its start.
    pub fn begin(&mut self, reading: &Reading) {
        self.record.clear();
        for tracker in reading.trackers() {
            self.record
                .begin((0..=tracker.chain().order()).flat_map(|row| self.targets.opinions(tracker, row)));
        }
        self.witnessed.clear();
        self.moves.clear();
        if let Reading::World(company) = reading {
            self.meeting = Meeting::start(company);
        }
    }

    /// Takes in an event that has been applied.
    pub fn note(&mut self, step: usize, (event, deed): (Event, &Deed), replay: &Replay, is_witnessed: bool) {
        let reading = &replay.reading;
        match reading {
            Reading::Start(..) => return,
            Reading::World(company) => return self.meeting.note(step, company),
            Reading::Following(pursuit) => {
                if Scene::movers(event, &deed.act).any(|mover| mover == pursuit.who) {
                    let is_elsewhere = |&other: &CharacterId| replay.scene().place(other) != event.to;
                    self.moves.push((step, replay.scene().characters().filter(is_elsewhere).collect()));
                }
                return;
            }
            Reading::Told(_) => return,
            // What comes after the claim does not matter.
            Reading::Claimed(claimed) if claimed.step().is_some() => return,
            Reading::Claimed(_)
            | Reading::Stands(_)
            | Reading::Mind(_)
            | Reading::Knows { .. }
            | Reading::WhoKnows { .. }
            | Reading::WhoLikes { .. } => {}
        }
        if self.is_of_reality
            && let Some((tracker, cells)) = reading.trackers().zip(&self.chains).next()
        {
            self.record.note(step, cells.row(0), self.targets.opinions(tracker, 0));
        }
        if is_witnessed {
            self.witnessed.push(step);
            for (tracker, cells) in reading.trackers().zip(&self.chains) {
                self.record.note(step, cells.row(1), self.targets.of_minds(tracker));
            }
        }
    }

    /// Puts the steps of the evidence into `found`, of all steps that the question takes into account.
    pub fn find(
        &mut self,
        reading: &Reading,
        trace: &Trace,
        steps: &[usize],
        answer: Answer,
        found: &mut Vec<usize>,
    ) {
        match reading {
            Reading::Start(..) => {}
            Reading::World(_) => found.extend(self.meeting.steps()),
            Reading::Following(pursuit) => of_pursuit(&self.moves, pursuit.who, answer, found),
            Reading::Told(told) => found.extend(told.steps().into_iter().map(|at| steps[at])),
            Reading::Claimed(claimed) => {
                self.find_of_minds(reading, trace, steps, found);
                found.extend(claimed.step().map(|at| steps[at]));
            }
            Reading::Stands(_)
            | Reading::Mind(_)
            | Reading::Knows { .. }
            | Reading::WhoKnows { .. }
            | Reading::WhoLikes { .. } => {
                self.find_of_minds(reading, trace, steps, found);
            }
        }
    }

    fn find_of_minds(&mut self, reading: &Reading, trace: &Trace, steps: &[usize], found: &mut Vec<usize>) {
        let Self { chains, targets, record, witnessed, needs, search, again, again_record, .. } = self;
        needs.clear();
        for (number, row) in asked_rows(reading) {
            let minds = reading.trackers().nth(number).expect("one of the trackers").chain().minds();
            let takes_part = |step: usize, link: usize| {
                let (event, deed) = happening(trace, step);
                Scene::takes_part(event, &deed.act, minds[link]) || deed.act.named().contains(&minds[link])
            };
            let cells = chains[number];
            for target in 0..targets.items.len() {
                needs.add(record, cells, (row, cells.target(row, target)), usize::MAX, &takes_part);
            }
        }
        std::mem::swap(&mut search.needed, &mut needs.steps);
        std::mem::swap(&mut search.lost, &mut needs.lost);
        let last = search.needed.iter().copied().max().unwrap_or(0);
        record.turns(chains, last, &mut search.turns);
        search.find(&mut || witnessed.clone(), found, &mut |known| {
            again_record.restart(record);
            for (tracker, cells) in again.trackers_mut().zip(chains.iter()) {
                tracker.start(trace);
                for &step in steps.iter().take_while(|step| Some(*step) <= known.last()) {
                    let (event, deed) = happening(trace, step);
                    if known.binary_search(&step).is_err() {
                        tracker.pass(event, deed);
                        continue;
                    }
                    if tracker.follow(event, deed) {
                        again_record.note(step, cells.row(1), targets.of_minds(tracker));
                    }
                    if !needs.are_met_at(step, again_record, *cells) {
                        return Some(step);
                    }
                }
            }
            None
        });
    }
}

impl Targets {
    /// What the mind of the first `row` members says of where the further members are, and of the targets; in row 0, what
    /// is really so of these.
    fn opinions<'t>(&'t self, tracker: &'t DeedTracker, row: usize) -> impl Iterator<Item = View> + 't {
        let minds = tracker.chain().minds();
        let links = if row == 0 { &[] } else { &minds[row..] };
        let links = links.iter().map(move |&who| View::of(tracker, row, Item::Character(who)).of_known());
        let targets = self.items.iter().map(move |&item| {
            let view = View::of(tracker, row, item);
            if self.are_told_apart { view } else { view.of_known() }
        });
        links.chain(targets)
    }

    fn of_minds<'t>(&'t self, tracker: &'t DeedTracker) -> impl Iterator<Item = View> + 't {
        (1..=tracker.chain().order()).flat_map(|row| self.opinions(tracker, row))
    }
}

/// The minds on which the answer depends: of which tracker, and in which row.
fn asked_rows(reading: &Reading) -> Vec<(usize, usize)> {
    let last_rows = reading.trackers().map(|tracker| tracker.chain().order()).enumerate();
    let mut rows: Vec<(usize, usize)> = last_rows.collect();
    if let Reading::Knows { tracker, depth } = reading {
        let order = tracker.chain().order();
        // Whoever holds nothing does not know, whatever there is to know.
        if View::of(tracker, order, tracker.chain().target()).answer().is_some() {
            rows.push((0, *depth));
        }
    }
    // What somebody holds herself, beside what she takes another to hold.
    let own = match reading {
        Reading::Stands(_) => 1,
        Reading::Claimed(claimed) => claimed.trackers.len(),
        _ => 0,
    };
    let of_two = reading.trackers().map(|tracker| tracker.chain().order()).enumerate().take(own);
    rows.extend(of_two.filter(|(_, order)| *order == 2).map(|(number, _)| (number, 1)));
    rows
}

/// The first moves that leave nobody else to follow: one after another is left out, from the last to the first, as long as
/// everyone else is ruled out by others.
fn of_pursuit(
    moves: &[(usize, Vec<CharacterId>)],
    follower: CharacterId,
    answer: Answer,
    found: &mut Vec<usize>,
) {
    let of = |who: CharacterId| Answer::Character(who) != answer && who != follower;
    let rules_out = |kept: &[usize], who: &CharacterId| kept.iter().any(|&at| moves[at].1.contains(who));
    let mut kept: Vec<usize> = (0..moves.len()).collect();
    for at in (0..moves.len()).rev() {
        let others: Vec<usize> = kept.iter().copied().filter(|&other| other != at).collect();
        let ruled_out = moves[at].1.iter().filter(|&&who| of(who));
        if !others.is_empty() && ruled_out.into_iter().all(|who| rules_out(&others, who)) {
            kept = others;
        }
    }
    found.extend(kept.into_iter().map(|at| moves[at].0));
}
