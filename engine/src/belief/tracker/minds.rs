//! What the minds along a chain hold, as one state that can be copied and joined with others.

use smallvec::SmallVec;

use crate::id::PlaceId;

/// In an event there are seldom more slips, and a member may seldom be in more places. Lists of so few take no memory of their
/// own.
pub const FEW: usize = 8;

/// Where minds place members: row 0 is reality, row i the mind of the first i members. A row only tracks the columns from
/// its own number on, since those before are not needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Minds {
    /// The place in each cell; `None` if it is unknown or unclear.
    pub places: Vec<Option<PlaceId>>,
    /// For each cell that is unclear, where the member may be: at least two entries, in order.
    pub open: SmallVec<[Perhaps; FEW]>,
    /// The first cell, at the beginning of a row, of which nothing can be said any more, since there was too much to reckon
    /// with.
    pub lost: usize,
}

/// One of the places where a member may be; `None` if she is in none that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Perhaps {
    pub cell: u16,
    pub place: Option<PlaceId>,
}

impl Minds {
    /// Makes it the same as another state, in the memory that it has.
    pub fn set(&mut self, other: &Self) {
        self.places.clone_from(&other.places);
        self.open.clear();
        self.open.extend_from_slice(&other.open);
        self.lost = other.lost;
    }

    /// Makes everything unclear that is lost.
    pub fn forget(&mut self) {
        self.places[self.lost..].fill(None);
        let lost = self.lost;
        self.open.retain(|perhaps| usize::from(perhaps.cell) < lost);
    }

    /// Where the member of a cell may be.
    pub fn alternatives(&self, cell: usize) -> impl Iterator<Item = Option<PlaceId>> + '_ {
        let own = move |perhaps: &&Perhaps| usize::from(perhaps.cell) == cell;
        let known = self.open.iter().all(|perhaps| usize::from(perhaps.cell) != cell);
        let open = self.open.iter().filter(own).map(|perhaps| perhaps.place);
        open.chain(known.then_some(self.places[cell]))
    }

    /// Makes unclear what two states do not agree on.
    pub fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        self.lost = self.lost.min(other.lost);
        self.forget();
        let mut open = SmallVec::new();
        for cell in 0..self.lost {
            let mut all: SmallVec<[_; FEW]> =
                self.alternatives(cell).chain(other.alternatives(cell)).collect();
            all.sort_unstable();
            all.dedup();
            if let [place] = all[..] {
                self.places[cell] = place;
            } else {
                self.places[cell] = None;
                open.extend(all.iter().map(|&place| Perhaps { cell: cell as u16, place }));
            }
        }
        self.open = open;
    }
}
