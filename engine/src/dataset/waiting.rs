//! Twins stand near each other in a data set: what is kept of a row until its twin comes, or its twins.

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

/// Rows of triplets that wait for the other two, by the id of the story's row.
///
/// ```
/// use storysim::dataset::Trios;
/// let mut trios = Trios::default();
/// let ids = || ["b/0/0/0", "b/0/0-twin/0", "b/0/0-target/0"].map(str::to_owned);
/// assert_eq!(trios.meet(ids(), 0, 'a'), None);
/// assert_eq!(trios.meet(ids(), 2, 'c'), None);
/// assert_eq!(trios.meet(ids(), 1, 'b'), Some(['a', 'b', 'c']));
/// assert_eq!(trios.alone(), Some(0));
/// ```
#[derive(Debug)]
pub struct Trios<Row> {
    rows: HashMap<String, [Option<Row>; 3]>,
    order: VecDeque<String>,
    /// Whether there ever was a row of a triplet.
    has_triplets: bool,
    /// The number of rows that have stopped waiting without meeting both others.
    gone: u64,
}

impl<Row> Default for Trios<Row> {
    fn default() -> Self {
        Self { rows: HashMap::new(), order: VecDeque::new(), has_triplets: false, gone: 0 }
    }
}

impl<Row> Trios<Row> {
    /// Takes in the row with this number of a triplet with these ids. If the other two have come, returns all three in order.
    ///
    /// # Panics
    /// If the number is more than 2.
    pub fn meet(&mut self, [first, ..]: [String; 3], number: usize, row: Row) -> Option<[Row; 3]> {
        self.has_triplets = true;
        let trio = self.rows.entry(first.clone()).or_insert_with(|| {
            self.order.push_back(first.clone());
            [None, None, None]
        });
        self.gone += u64::from(trio[number].replace(row).is_some());
        if trio.iter().all(Option::is_some) {
            let [one, two, three] = self.rows.remove(&first)?;
            return Some([one?, two?, three?]);
        }
        if self.order.len() > WAITING_MAX {
            let longest = self.order.pop_front().expect("there are some");
            self.gone += self.rows.remove(&longest).map_or(0, |trio| waiting(&trio));
        }
        None
    }

    /// The number of rows of triplets that are not complete in the dataset; `None` if no row ever belonged to one.
    pub fn alone(&self) -> Option<u64> {
        let waiting: u64 = self.rows.values().map(waiting).sum();
        self.has_triplets.then_some(self.gone + waiting)
    }
}

/// The number of rows of a triplet that have come.
fn waiting<Row>(trio: &[Option<Row>; 3]) -> u64 {
    trio.iter().flatten().count() as u64
}
