//! The groups of several models side by side: in tables, and along lines.

use std::collections::BTreeMap;

use super::accuracy::{Accuracy, Group};
use super::tally::Key;
use crate::page::{Lines, Plot, Point, Series};

/// The accuracies of several models for one value or one bin of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The value, or the first and last value of the bin.
    pub name: String,
    /// The position along an axis, if the value is a number.
    pub x: f64,
    /// The accuracy of every model; `None` if it has no such rows.
    pub accuracies: Vec<Option<Accuracy>>,
}

/// How far, as a share, chance at some number has to be from that of all for it to be drawn number by number.
const CHANCE_APART: f64 = 0.02;

/// Puts the groups of several models side by side by value. If there are more than `count_max` values and all are
/// numbers, they are gathered in bins of equal width: 1, 2 or 5 times a power of ten.
pub fn side_by_side(models: &[Vec<Group>], count_max: usize) -> Vec<Line> {
    let mut by_value: BTreeMap<&Key, Vec<Option<Accuracy>>> = BTreeMap::new();
    for (at, groups) in models.iter().enumerate() {
        for group in groups {
            by_value.entry(&group.value).or_insert_with(|| vec![None; models.len()])[at] =
                Some(group.accuracy);
        }
    }
    let number = |key: &&Key| if let Key::Number(number) = key { Some(*number) } else { None };
    let numbers: Option<Vec<i64>> = by_value.keys().map(number).collect();
    let width = numbers.filter(|_| by_value.len() > count_max).map(|numbers| width(&numbers, count_max));
    let mut lines: Vec<Line> = Vec::new();
    for (value, accuracies) in by_value {
        let (name, x) = match (value, width) {
            (Key::Number(number), Some(width)) => {
                let from = i128::from(*number).div_euclid(width) * width;
                (format!("{from} – {}", from + width - 1), from as f64 + (width - 1) as f64 / 2.0)
            }
            (Key::Number(number), None) => (number.to_string(), *number as f64),
            (word, _) => (word.to_string(), 0.0),
        };
        match lines.last_mut().filter(|last| width.is_some() && last.name == name) {
            Some(last) => {
                for (own, more) in last.accuracies.iter_mut().zip(accuracies) {
                    *own = own.map_or(more, |own| Some(more.map_or(own, |more| own.with(&more))));
                }
            }
            None => lines.push(Line { name, x, accuracies }),
        }
    }
    lines
}

/// The smallest round width for which `count_max` bins hold all numbers; the numbers are sorted.
fn width(numbers: &[i64], count_max: usize) -> i128 {
    let (first, last) = (i128::from(numbers[0]), i128::from(numbers[numbers.len() - 1]));
    let bins = |width: i128| last.div_euclid(width) - first.div_euclid(width) + 1;
    let round = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i128.pow(power)));
    round.into_iter().find(|width| bins(*width) <= count_max as i128).expect("one bin holds all")
}

/// A plot with a line for each of these names along an axis of numbers.
pub(super) fn plotted(x: &str, names: &[String], all: &[Vec<Group>], count_max: usize) -> Plot {
    let beside = side_by_side(all, count_max);
    let series = names.iter().enumerate().map(|(at, name)| {
        let points = beside.iter().filter_map(|line| {
            let Accuracy { accuracy, low, high, .. } = line.accuracies[at]?;
            Some(Point { x: line.x, y: accuracy, low, high })
        });
        Series { name: name.clone(), points: points.collect() }
    });
    let series = series.collect();
    let (x, y) = (x.to_owned(), "accuracy".to_owned());
    Plot::Lines(Lines { x, y, series, chance: chances(&beside, chance(all)) })
}

/// The share that guessing would get right: everywhere the same, or, if it differs along the axis, at each number.
fn chances(beside: &[Line], overall: Option<f64>) -> Vec<(f64, f64)> {
    let Some(overall) = overall else { return Vec::new() };
    let at = |line: &Line| {
        let all = line.accuracies.iter().flatten().copied().reduce(|all, more| all.with(&more))?;
        Some((line.x, all.chance))
    };
    let levels: Vec<(f64, f64)> = beside.iter().filter_map(at).collect();
    let differs = levels.iter().any(|(_, level)| (level - overall).abs() > CHANCE_APART);
    if differs { levels } else { vec![(0.0, overall)] }
}

/// The share that guessing would get right over all rows.
pub(super) fn chance(all: &[Vec<Group>]) -> Option<f64> {
    let all = all.iter().flatten().map(|group| group.accuracy).reduce(|all, more| all.with(&more));
    all.map(|all| all.chance)
}

/// A table row for every value, with a cell for each model.
pub(super) fn tabled(all: &[Vec<Group>], count_max: usize) -> Vec<Vec<String>> {
    let cell = |accuracy: &Option<Accuracy>| {
        accuracy.map_or_else(String::new, |Accuracy { of, accuracy, low, high, .. }| {
            format!("{} ({:.1} – {:.1}) of {of}", percent(accuracy), low * 100.0, high * 100.0)
        })
    };
    let beside = side_by_side(all, count_max).into_iter();
    beside.map(|line| std::iter::once(line.name).chain(line.accuracies.iter().map(cell)).collect()).collect()
}

/// The titles of a table's columns.
pub(super) fn titles(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A probability, with only as many digits as are meaningful.
pub fn probability(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::accuracy::accuracy_of;

    fn groups(numbers: impl IntoIterator<Item = i64>) -> Vec<Group> {
        let group = |number| Group { value: Key::Number(number), accuracy: accuracy_of(1, 2) };
        numbers.into_iter().map(group).collect()
    }

    fn names(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.name.as_str()).collect()
    }

    fn rows(lines: &[Line]) -> u64 {
        lines.iter().flat_map(|line| &line.accuracies).flatten().map(|accuracy| accuracy.of).sum()
    }

    #[test]
    fn many_numbers_are_put_into_bins() {
        let few = side_by_side(&[groups([3, 70]), groups([5])], 3);
        assert_eq!(names(&few), ["3", "5", "70"]);
        assert_eq!(few[1].accuracies, [None, Some(accuracy_of(1, 2))]);
        let many = side_by_side(&[groups(0..=99), groups([7])], 24);
        assert_eq!((many.len(), many[0].name.as_str(), many[0].x), (20, "0 – 4", 2.0));
        assert_eq!(many[0].accuracies, [Some(accuracy_of(5, 10)), None]);
        assert_eq!(many[1].accuracies, [Some(accuracy_of(5, 10)), Some(accuracy_of(1, 2))]);
        let wide = side_by_side(&[groups([i64::MIN, -5, 0, 7, i64::MAX])], 2);
        assert_eq!((wide.len(), rows(&wide)), (2, 10));
        assert_eq!(side_by_side(&[], 2), []);
    }

    #[test]
    fn words_are_not() {
        let group = |word: &str| Group { value: Key::Text(word.into()), accuracy: accuracy_of(1, 1) };
        assert_eq!(names(&side_by_side(&[vec![group("b"), group("a"), group("c")]], 2)), ["a", "b", "c"]);
    }
}
