//! Learners: which choice the words speak for, and a small tree over all shortcuts.
//!
//! They train on some rows and are tested on others, with the learners of the crate `smartcore`. A learner gives every
//! choice of a row a number, and the choice with the largest is its answer. If several share it, each is its answer in
//! part.

use std::collections::BTreeMap;

use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::naive_bayes::multinomial::{MultinomialNB, MultinomialNBParameters};
use smartcore::tree::decision_tree_regressor::{DecisionTreeRegressor, DecisionTreeRegressorParameters};

/// The largest number of different words that a learner looks at; it takes the most frequent ones.
const WORDS_MAX: usize = 1_000;

/// The largest number of answers that a learner of words tells apart.
const CLASSES_MAX: usize = 1_000;

/// The largest number of values in a matrix: if rows are wide, fewer of them are learned from.
const NUMBERS_MAX: usize = 20_000_000;

/// The largest depth of the tree.
pub const TREE_DEPTH: u16 = 4;

/// A text as the hashes of its words and how often each occurs.
pub type Bag<'a> = &'a [(u64, u16)];

/// A naive Bayes classifier over words.
pub struct Bayes {
    columns: BTreeMap<u64, usize>,
    classes: BTreeMap<u64, (f64, Vec<f64>)>,
}

impl Bayes {
    /// Learns which words go with which class. `None` if there is nothing to learn.
    pub fn learn(texts: &[(Bag<'_>, u64)]) -> Option<Self> {
        let columns =
            most_frequent(texts.iter().flat_map(|(bag, _)| bag.iter().map(|&(word, _)| word)), WORDS_MAX);
        let classes = most_frequent(texts.iter().map(|&(_, class)| class), CLASSES_MAX);
        let width = columns.len();
        let texts: Vec<(Bag<'_>, u32)> =
            texts.iter().filter_map(|(bag, class)| Some((*bag, *classes.get(class)? as u32))).collect();
        let texts = &texts[..texts.len().min(NUMBERS_MAX / width.max(1))];
        let mut numbers = vec![0_u16; texts.len() * width];
        for (row, (bag, _)) in texts.iter().enumerate() {
            for (word, count) in *bag {
                if let Some(column) = columns.get(word) {
                    numbers[row * width + column] = *count;
                }
            }
        }
        let answers: Vec<u32> = texts.iter().map(|&(_, class)| class).collect();
        let matrix = DenseMatrix::new(texts.len(), width, numbers, false).ok()?;
        let learned = MultinomialNB::fit(&matrix, &answers, MultinomialNBParameters::default()).ok()?;
        let by_number: BTreeMap<usize, u64> =
            classes.iter().map(|(&class, &number)| (number, class)).collect();
        let all = answers.len() as f64;
        let classes = learned.classes().iter().enumerate().map(|(at, number)| {
            let prior = (learned.class_count()[at] as f64 / all).ln();
            (by_number[&(*number as usize)], (prior, learned.feature_log_prob()[at].clone()))
        });
        Some(Self { classes: classes.collect(), columns })
    }

    /// The logarithm of the probability of a class with these words. `None` if the class never came up.
    pub fn speaks_for(&self, class: u64, bag: Bag<'_>) -> Option<f64> {
        let (prior, words) = self.classes.get(&class)?;
        let of_word = |(word, count): &(u64, u16)| Some(words[*self.columns.get(word)?] * f64::from(*count));
        Some(prior + bag.iter().filter_map(of_word).sum::<f64>())
    }
}

/// The most frequent of these values, numbered; if several are equally frequent, the smallest first.
fn most_frequent(all: impl Iterator<Item = u64>, count_max: usize) -> BTreeMap<u64, usize> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    let mut counts: Vec<(u64, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(one, count)| (std::cmp::Reverse(count), one));
    counts.into_iter().take(count_max).enumerate().map(|(at, (one, _))| (one, at)).collect()
}

type Matrix = DenseMatrix<f32>;

/// A decision tree that estimates from facts about a choice how likely it is the answer.
pub struct Tree(DecisionTreeRegressor<f32, f32, Matrix, Vec<f32>>, Vec<f64>);

impl Tree {
    /// Learns from facts about choices and whether each was the answer. `None` if there is nothing to learn.
    ///
    /// For values of 0 or 1, the mean over a leaf is the share of answers in it, and the split that leaves the least
    /// variance also leaves the least impurity: so this is a classification tree that gives probabilities.
    pub fn learn(choices: &[(Vec<f32>, bool)]) -> Option<Self> {
        const LEAF_MIN: usize = 20;
        let width = choices.first()?.0.len();
        let choices = &choices[..choices.len().min(NUMBERS_MAX / width.max(1))];
        let answers: Vec<f32> = choices.iter().map(|&(_, is_answer)| f32::from(is_answer)).collect();
        let parameters = DecisionTreeRegressorParameters::default()
            .with_max_depth(TREE_DEPTH)
            .with_min_samples_leaf(LEAF_MIN.min(choices.len() / 10 + 1));
        let learned = DecisionTreeRegressor::fit(&matrix(choices)?, &answers, parameters).ok()?;
        let weights = learned.compute_feature_importances(true).unwrap_or_default();
        Some(Self(learned, weights))
    }

    /// The probability that each of these choices is the answer.
    pub fn likely(&self, choices: &[(Vec<f32>, bool)]) -> Vec<f32> {
        matrix(choices).and_then(|matrix| self.0.predict(&matrix).ok()).unwrap_or_default()
    }

    /// The numbers of the facts that the tree uses, with their importance, the most important first.
    pub fn asks_for(&self) -> Vec<(usize, f64)> {
        let asked = self.1.iter().copied().enumerate().filter(|(_, weight)| *weight > 0.0);
        let mut asked: Vec<(usize, f64)> = asked.collect();
        asked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        asked
    }
}

fn matrix(choices: &[(Vec<f32>, bool)]) -> Option<Matrix> {
    let width = choices.first()?.0.len();
    let numbers = choices.iter().flat_map(|(facts, _)| facts.iter().copied()).collect();
    DenseMatrix::new(choices.len(), width, numbers, false).ok()
}

/// The credit for taking the choice with the greatest number: 1 if it is right, 0 if not, and a fraction if several have
/// that number. `None` if no choice has a number.
pub fn credit(numbers: &[Option<f64>], label: usize) -> Option<f64> {
    let greatest = numbers.iter().flatten().copied().max_by(f64::total_cmp)?;
    let is_greatest = |number: &Option<f64>| number.is_some_and(|number| greatest - number <= 1e-9);
    let count = numbers.iter().filter(|number| is_greatest(number)).count();
    Some(if is_greatest(&numbers[label]) { 1.0 / count as f64 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_speak_for_their_class() {
        let texts: Vec<(Bag<'_>, u64)> = vec![(&[(1, 2)], 7), (&[(1, 1), (2, 1)], 7), (&[(2, 3)], 8)];
        let bayes = Bayes::learn(&texts).unwrap();
        assert!(bayes.speaks_for(7, &[(1, 1)]) > bayes.speaks_for(8, &[(1, 1)]));
        assert!(bayes.speaks_for(8, &[(2, 2)]) > bayes.speaks_for(7, &[(2, 2)]));
        assert_eq!(bayes.speaks_for(9, &[]), None);
        // By hand: of 3 texts 2 are of class 7, whose 4 words are 3 times the first; with one of each added, 4 of 6.
        let by_hand = (2.0_f64 / 3.0).ln() + (4.0_f64 / 6.0).ln();
        assert!((bayes.speaks_for(7, &[(1, 1)]).unwrap() - by_hand).abs() < 1e-9);
        assert!(Bayes::learn(&[]).is_none());
    }

    #[test]
    fn a_tree_finds_the_fact_that_matters() {
        let choice = |at: usize| {
            let is_answer = at.is_multiple_of(5);
            (vec![(at % 3) as f32, f32::from(is_answer), (at % 7) as f32], is_answer)
        };
        let choices: Vec<_> = (0..500).map(choice).collect();
        let tree = Tree::learn(&choices).unwrap();
        assert_eq!(tree.asks_for()[0].0, 1);
        let likely = tree.likely(&choices[..6]);
        assert!(likely[0] > 0.99 && likely[1] < 0.01 && likely[5] > 0.99, "{likely:?}");
    }

    #[test]
    fn a_tie_is_worth_its_share() {
        assert_eq!(credit(&[Some(1.0), Some(2.0), Some(2.0)], 1), Some(0.5));
        assert_eq!(credit(&[Some(1.0), Some(2.0), None], 0), Some(0.0));
        assert_eq!(credit(&[None, None], 0), None);
    }
}
