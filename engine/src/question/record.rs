//! At which steps the opinions of the minds along chains changed, and what has to hold for the last of them.

use std::cmp::Ordering;

/// The opinions of the minds along one chain, numbered.
///
/// First come those of reality about the targets; then for each mind, the outermost first, its opinions of where the
/// further minds' owners are, and of the targets.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    first: usize,
    order: usize,
    targets: usize,
}

impl Cells {
    /// The cells of a chain of so many minds about so many targets.
    pub fn new(first: usize, order: usize, targets: usize) -> Self {
        Self { first, order, targets }
    }

    /// The first cell of the mind of the first `row` members, or of reality.
    pub fn row(self, row: usize) -> usize {
        let widths = (1..row).map(|row| self.order - row + self.targets);
        self.first + usize::from(row > 0) * self.targets + widths.sum::<usize>()
    }

    /// What the mind of the first `row` members has of the place of the next one.
    pub fn link(self, row: usize) -> usize {
        self.row(row)
    }

    /// What the mind of the first `row` members has of a target.
    pub fn target(self, row: usize, target: usize) -> usize {
        let links = if row == 0 { 0 } else { self.order - row };
        self.row(row) + links + target
    }

    /// One past the last cell.
    pub fn end(self) -> usize {
        self.row(self.order + 1)
    }
}

/// When opinions changed, in a story or in some of its steps.
#[derive(Clone, Debug)]
pub struct Record<V> {
    start: Vec<V>,
    now: Vec<V>,
    changes: Vec<Change<V>>,
}

#[derive(Clone, Copy, Debug)]
struct Change<V> {
    step: usize,
    cell: usize,
    value: V,
}

impl<V> Default for Record<V> {
    fn default() -> Self {
        Self { start: Vec::new(), now: Vec::new(), changes: Vec::new() }
    }
}

impl<V: Copy + Eq> Record<V> {
    /// Begins a story, in which nothing is held yet.
    pub fn clear(&mut self) {
        self.start.clear();
        self.now.clear();
        self.changes.clear();
    }

    /// Appends what is held at the start.
    pub fn begin(&mut self, values: impl Iterator<Item = V>) {
        self.start.extend(values);
        self.now.extend_from_slice(&self.start[self.now.len()..]);
    }

    /// Goes back to the start of the story.
    pub fn restart(&mut self, other: &Self) {
        self.start.clone_from(&other.start);
        self.now.clone_from(&other.start);
        self.changes.clear();
    }

    /// Takes in what is held after a step, from the cell `first` on.
    #[inline]
    pub fn note(&mut self, step: usize, first: usize, values: impl Iterator<Item = V>) {
        for ((cell, now), value) in self.now.iter_mut().enumerate().skip(first).zip(values) {
            if *now != value {
                *now = value;
                self.changes.push(Change { step, cell, value });
            }
        }
    }

    /// The step that settled an opinion as it is after the step `until`, and the opinion.
    fn settled(&self, cell: usize, until: usize) -> (Option<usize>, V) {
        let is_last = |change: &&Change<V>| change.cell == cell && change.step <= until;
        match self.changes.iter().rev().find(is_last) {
            Some(change) => (Some(change.step), change.value),
            None => (None, self.start[cell]),
        }
    }

    /// The steps before `until` at which a mind's opinion changed, the last first.
    pub fn turns(&self, chains: &[Cells], until: usize, steps: &mut Vec<usize>) {
        let is_real = |cell: usize| chains.iter().any(|cells| (cells.row(0)..cells.row(1)).contains(&cell));
        let of_minds = self.changes.iter().filter(|change| change.step < until && !is_real(change.cell));
        steps.clear();
        steps.extend(of_minds.map(|change| change.step));
        steps.sort_unstable_by(|one, other| other.cmp(one));
        steps.dedup();
    }
}

/// What has to hold if only some steps are known.
#[derive(Clone, Debug)]
pub struct Needs<V> {
    all: Vec<Need<V>>,
    /// The steps that settled any of it.
    pub steps: Vec<usize>,
    /// Cells, and steps that made them what they were before that.
    earlier: Vec<(usize, usize)>,
    /// Where that is also what was held at the start, the steps at which it was lost in between, and what they take.
    pub lost: Vec<usize>,
}

/// An opinion, as it is after the step `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need<V> {
    cell: usize,
    until: usize,
    settled: Option<usize>,
    value: V,
}

impl<V> Default for Needs<V> {
    fn default() -> Self {
        Self { all: Vec::new(), steps: Vec::new(), earlier: Vec::new(), lost: Vec::new() }
    }
}

impl<V: Copy + Eq> Needs<V> {
    pub fn clear(&mut self) {
        self.all.clear();
        self.steps.clear();
        self.earlier.clear();
        self.lost.clear();
    }

    /// Needs an opinion of the mind of the first `row` members as it is after the step `until`, and what that takes.
    /// `takes_part` says of a step whether it names the owner of the mind in the next row.
    pub fn add(
        &mut self,
        record: &Record<V>,
        cells: Cells,
        (row, cell): (usize, usize),
        until: usize,
        takes_part: &dyn Fn(usize, usize) -> bool,
    ) {
        let (settled, value) = record.settled(cell, until);
        self.steps.extend(settled);
        let need = Need { cell, until, settled, value };
        // Reality is what it is, whatever is known.
        if row == 0 || self.all.contains(&need) {
            return;
        }
        self.all.push(need);
        let Some(step) = settled else { return };
        if value == record.start[cell] {
            self.lose(record, cells, (row, cell), step - 1, takes_part);
        }
        for link in (1..row).filter(|&link| !takes_part(step, link)) {
            self.add(record, cells, (link, cells.link(link)), step, takes_part);
        }
    }

    /// Notes the step that made an opinion what it is after the step `until`, and what that takes.
    fn lose(
        &mut self,
        record: &Record<V>,
        cells: Cells,
        (row, cell): (usize, usize),
        until: usize,
        takes_part: &dyn Fn(usize, usize) -> bool,
    ) {
        let (Some(step), _) = record.settled(cell, until) else { return };
        if self.earlier.contains(&(cell, step)) {
            return;
        }
        self.earlier.push((cell, step));
        self.lost.push(step);
        for link in (1..row).filter(|&link| !takes_part(step, link)) {
            self.lose(record, cells, (link, cells.link(link)), step, takes_part);
        }
    }

    /// Whether what is needed of the opinions in these cells changed at a step of a replay as it should, if at all. If that
    /// is so at each step, all of it holds in the end.
    pub fn are_met_at(&self, step: usize, again: &Record<V>, cells: Cells) -> bool {
        let changes = again.changes.iter().rev().take_while(|change| change.step == step);
        self.of(cells).filter(|need| need.until >= step).all(|need| {
            let change = changes.clone().find(|change| change.cell == need.cell);
            match need.settled.map_or(Ordering::Less, |settled| settled.cmp(&step)) {
                Ordering::Less => change.is_none(),
                Ordering::Equal => change.is_some_and(|change| change.value == need.value),
                Ordering::Greater => true,
            }
        })
    }

    fn of(&self, cells: Cells) -> impl Iterator<Item = &Need<V>> {
        self.all.iter().filter(move |need| (cells.first..cells.end()).contains(&need.cell))
    }
}
