//! Features, cut into a few bins each, so that a tree need only look at the edges between bins.

use super::data::Data;

/// The largest number of bins of a feature.
pub const BINS: usize = 64;

/// The largest number of choices whose values say where a feature is cut.
const SAMPLE_MAX: usize = 50_000;

/// The bins of all choices, with the features that tell no choices apart left out.
pub struct Binned {
    /// The features that are left, by their numbers in the data, each with its cuts. A value is in the first bin whose cut
    /// is not smaller, or in the last bin, which has none.
    pub features: Vec<(u16, Vec<f32>)>,
    /// For one choice after another, the bin of each of these features.
    bins: Vec<u8>,
}

impl Binned {
    pub fn new(data: &Data) -> Self {
        let cuts = (0..data.width()).map(|feature| (feature as u16, cuts(&mut sample(data, feature))));
        let features: Vec<(u16, Vec<f32>)> = cuts.filter(|(_, cuts)| !cuts.is_empty()).collect();
        let mut bins = Vec::with_capacity(data.choice_count() * features.len());
        for choice in 0..data.choice_count() {
            let values = data.choice(choice);
            bins.extend(features.iter().map(|(feature, cuts)| {
                let value = values[usize::from(*feature)];
                cuts.partition_point(|&cut| cut < value) as u8
            }));
        }
        Self { features, bins }
    }

    /// The bins of a choice, one for each feature that is left.
    #[inline]
    pub fn of(&self, choice: u32) -> &[u8] {
        &self.bins[choice as usize * self.features.len()..][..self.features.len()]
    }
}

/// The values of a feature in evenly spread choices.
fn sample(data: &Data, feature: usize) -> Vec<f32> {
    let count = data.choice_count();
    let taken = count.min(SAMPLE_MAX);
    // -0 is 0 here: they are equal, and so are their bins.
    (0..taken).map(|at| data.choice(at * count / taken)[feature] + 0.0).collect()
}

/// Where to cut, in ascending order: between all values if they are few, and else so that bins are about equally full.
fn cuts(values: &mut [f32]) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let runs: Vec<&[f32]> = values.chunk_by(|one, other| one == other).collect();
    let (mut cuts, mut in_bin, mut left) = (Vec::new(), 0, values.len());
    for (at, run) in runs.iter().enumerate() {
        in_bin += run.len();
        let bins_left = BINS - cuts.len();
        let values_left = runs.len() - at;
        let is_full = values_left <= bins_left || in_bin * bins_left >= left;
        if is_full && bins_left > 1 && values_left > 1 {
            cuts.push(run[0]);
            left -= in_bin;
            in_bin = 0;
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_get_a_bin_each() {
        assert_eq!(cuts(&mut [3.0, 1.0, 1.0, 2.0]), [1.0, 2.0]);
        assert_eq!(cuts(&mut [1.0, 1.0]), [0.0; 0]);
        let mut all: Vec<f32> = (0..BINS).map(|at| at as f32).collect();
        assert_eq!(cuts(&mut all).len(), BINS - 1);
    }

    #[test]
    fn many_values_share_bins_about_equally() {
        let mut values: Vec<f32> = (0..6_400).map(|at| (at * 37 % 6_400) as f32).collect();
        let even: Vec<f32> = (1..BINS).map(|at| (at * 100 - 1) as f32).collect();
        assert_eq!(cuts(&mut values), even);
        // A value that stands for most of all has a bin of its own, and the others share what is left.
        let mut values: Vec<f32> = (0..10_000).map(|at: i32| (at - 9_000).max(0) as f32).collect();
        let cuts = cuts(&mut values);
        assert_eq!((cuts[0], cuts.len()), (0.0, BINS - 1));
        assert!(cuts[1] < 20.0 && cuts[BINS - 2] > 970.0, "{cuts:?}");
    }

    #[test]
    fn bins_keep_the_order_of_values() {
        let mut data = Data::new(2);
        for at in 0..300_i32 {
            let value = (at * 7_919 % 300 - 150) as f32;
            data.push(&[value, 5.0, -0.0, 5.0], 0, 1.0);
        }
        let binned = Binned::new(&data);
        assert_eq!(binned.features.len(), 1, "the second feature is always the same");
        let cuts = &binned.features[0].1;
        for choice in 0..600 {
            let (value, bin) = (data.choice(choice as usize)[0], usize::from(binned.of(choice)[0]));
            assert!(bin == cuts.len() || value <= cuts[bin]);
            assert!(bin == 0 || value > cuts[bin - 1]);
        }
    }
}
