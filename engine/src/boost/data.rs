//! What is learned from: rows of choices with features.

/// Rows, each with some choices of which one is right.
#[derive(Clone, Debug, Default)]
pub struct Data {
    width: usize,
    values: Vec<f32>,
    ends: Vec<usize>,
    labels: Vec<u32>,
    weights: Vec<f64>,
}

/// One row of some data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of the first choice, counted over all rows.
    pub first: usize,
    /// The number of the choice after the last one, counted over all rows.
    pub end: usize,
    /// Which choice of the row is right.
    pub label: usize,
    /// How much the row counts.
    pub weight: f64,
}

impl Data {
    /// No rows yet, of choices with `width` features each.
    ///
    /// # Panics
    /// If `width` is 0 or above 65,535.
    pub fn new(width: usize) -> Self {
        assert!(width > 0 && width <= usize::from(u16::MAX), "{width} features");
        Self { width, ..Self::default() }
    }

    /// Adds a row: the features of one choice after another, which choice is right, and how much the row counts.
    /// Only the ratios of weights matter; a row of weight 0 is not learned from.
    ///
    /// # Panics
    /// If there is not a whole number of choices, if `label` is none of them, or if a number is not finite or a weight
    /// negative.
    pub fn push(&mut self, values: &[f32], label: usize, weight: f64) {
        let count = values.len() / self.width;
        assert!(count * self.width == values.len() && label < count, "choice {label} of {count}");
        assert!(values.iter().all(|value| value.is_finite()), "features are finite");
        assert!(weight.is_finite() && weight >= 0.0, "a weight of {weight}");
        self.values.extend_from_slice(values);
        self.ends.push(self.values.len() / self.width);
        self.labels.push(label as u32);
        self.weights.push(weight);
    }

    /// The number of features of a choice.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of choices, of all rows together.
    pub fn choice_count(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The features of a choice, by its number over all rows.
    pub(super) fn choice(&self, at: usize) -> &[f32] {
        &self.values[at * self.width..][..self.width]
    }

    /// The rows, in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.len()).map(|at| {
            let first = if at == 0 { 0 } else { self.ends[at - 1] };
            Row { first, end: self.ends[at], label: self.labels[at] as usize, weight: self.weights[at] }
        })
    }
}
