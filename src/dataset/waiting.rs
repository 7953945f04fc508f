//! Twins stand near each other in a data set: what is kept of a row until its twin comes.

use std::collections::{HashMap, VecDeque};

/// The largest number of rows that wait for their twins at the same time.
const WAITING_MAX: usize = 10_000;

/// Rows that wait for their twins, by id.
///
/// ```
/// use storysim::dataset::Waiting;
/// let mut waiting = Waiting::default();
/// assert_eq!(waiting.meet(["b/0/0/0".into(), "b/0/0-twin/0".into()], 'a'), None);
/// assert_eq!(waiting.meet(["b/0/0-twin/0".into(), "b/0/0/0".into()], 'b'), Some(['a', 'b']));
/// assert_eq!(waiting.alone(), Some(0));
/// ```
#[derive(Debug)]
pub struct Waiting<Row> {
    rows: HashMap<String, Row>,
    order: VecDeque<String>,
    /// Whether any row ever had a twin.
    has_twins: bool,
    /// The number of rows that have stopped waiting without meeting their twin.
    gone: u64,
}

impl<Row> Default for Waiting<Row> {
    fn default() -> Self {
        Self { rows: HashMap::new(), order: VecDeque::new(), has_twins: false, gone: 0 }
    }
}

impl<Row> Waiting<Row> {
    /// Takes in a row with its own id and that of its twin. If the twin has already come, returns both.
    pub fn meet(&mut self, [own, other]: [String; 2], row: Row) -> Option<[Row; 2]> {
        self.has_twins = true;
        if let Some(first) = self.rows.remove(&other) {
            return Some([first, row]);
        }
        self.order.push_back(own.clone());
        self.gone += u64::from(self.rows.insert(own, row).is_some());
        if self.order.len() > WAITING_MAX {
            let longest = self.order.pop_front().expect("there are some");
            self.gone += u64::from(self.rows.remove(&longest).is_some());
        }
        None
    }

    /// The number of rows whose twin is not in the dataset; `None` if no row ever had one.
    pub fn alone(&self) -> Option<u64> {
        self.has_twins.then_some(self.gone + self.rows.len() as u64)
    }
}
