//! Rows as text, batch after batch.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use self_cell::self_cell;
use storysim::dataset::{Keep, RowMaker, RowOptions};
use storysim::select::{Family, Twinning};
use storysim::storyboard::Storyboard;

use crate::patience::PAUSE;

/// What stories are drawn from.
pub struct Drawn {
    pub storyboard: Storyboard,
    pub family: Family,
    /// The names of the parameters that were set, which appear in ids.
    pub set: Vec<String>,
    /// The twins of every story, for which the family was admitted.
    pub twins: Option<Twinning>,
}

/// What rows are made with.
#[derive(Clone, Debug)]
pub struct Telling {
    pub seed: u64,
    pub rows: RowOptions,
    /// Which rows are kept; all, if nothing is said.
    pub keep: Option<Keep>,
}

self_cell!(
    /// A maker of rows with what it borrows.
    pub struct Maker {
        owner: Arc<Drawn>,
        #[not_covariant]
        dependent: RowMaker,
    }
);

impl Maker {
    /// A maker of the rows of these stories.
    pub fn of(drawn: Arc<Drawn>, telling: Telling) -> Self {
        Self::new(drawn, |drawn| {
            let maker = RowMaker::new(&drawn.family, telling.seed, &drawn.set, telling.rows);
            let maker = match telling.keep {
                Some(keep) => maker.keeping(keep),
                None => maker,
            };
            match drawn.twins {
                Some(twins) => maker.with(&drawn.storyboard, twins),
                None => maker,
            }
        })
    }

    /// Appends the rows of the story with an index and of its twins.
    pub fn rows(&mut self, index: u64, text: &mut String) -> usize {
        self.with_dependent_mut(|_, maker| maker.rows(index, text))
    }
}

/// The rows of a range of stories, in batches.
pub struct Batches {
    maker: Maker,
    /// The stories whose rows have not been made yet.
    pub stories: Range<u64>,
}

impl Batches {
    pub fn new(drawn: Arc<Drawn>, telling: Telling, stories: Range<u64>) -> Self {
        Self { maker: Maker::of(drawn, telling), stories }
    }

    /// Puts the rows of the next stories into `text`: until there are this many bytes, or it has taken long enough for somebody
    /// to press Ctrl-C. A text without rows means that all stories are told, or that those of a batch have none.
    pub fn next(&mut self, bytes: usize, text: &mut String) {
        let begun = Instant::now();
        text.clear();
        for index in self.stories.by_ref() {
            self.maker.rows(index, text);
            if text.len() >= bytes || begun.elapsed() >= PAUSE {
                break;
            }
        }
    }
}
