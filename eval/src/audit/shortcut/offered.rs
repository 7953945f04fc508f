//! Shortcuts that look at the choices, and at most at the question as well.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Shortcut, View, only_greatest};
use crate::audit::mentions::words;

pub(super) const SHORTCUTS: [Shortcut; 7] = [
    Shortcut {
        key: "longest_choice",
        about: "the longest choice",
        find: |view| only_greatest(lengths(view).into_iter()),
    },
    Shortcut {
        key: "shortest_choice",
        about: "the shortest choice",
        find: |view| only_greatest(lengths(view).into_iter().map(Reverse)),
    },
    Shortcut {
        key: "odd_one_out",
        about: "the choice that is least like the others",
        find: |view| only_greatest(view.likenesses.iter().map(Reverse)),
    },
    Shortcut {
        key: "most_like_the_others",
        about: "the choice that is most like the others",
        find: |view| only_greatest(view.likenesses.iter()),
    },
    Shortcut {
        key: "first_in_alphabet",
        about: "the choice that comes first in the alphabet",
        find: |view| only_greatest(view.case.choices.iter().map(Reverse)),
    },
    Shortcut {
        key: "last_in_alphabet",
        about: "the choice that comes last in the alphabet",
        find: |view| only_greatest(view.case.choices.iter()),
    },
    Shortcut {
        key: "most_like_the_question",
        about: "the choice that shares most words with the question",
        find: |view| {
            let asked: BTreeSet<&str> = words(&view.case.question).collect();
            let shared = |choice: &String| words(choice).filter(|word| asked.contains(word)).count();
            let shared: Vec<usize> = view.case.choices.iter().map(shared).collect();
            only_greatest(shared.iter()).filter(|&choice| shared[choice] > 0)
        },
    },
];

fn lengths(view: &View<'_>) -> Vec<usize> {
    view.case.choices.iter().map(|choice| choice.chars().count()).collect()
}

/// How similar each choice is to the others: the share of letter pairs, words and word pairs that it has in common with
/// each of them, summed, in thousandths.
pub fn likenesses(choices: &[String]) -> Vec<usize> {
    let parts: Vec<Vec<u64>> = choices.iter().map(|choice| parts(choice)).collect();
    let mut sums = vec![0; choices.len()];
    for (at, one) in parts.iter().enumerate() {
        for (before, other) in parts[..at].iter().enumerate() {
            let shared = shared(one, other);
            let likeness = 1000 * shared / (one.len() + other.len() - shared).max(1);
            sums[at] += likeness;
            sums[before] += likeness;
        }
    }
    sums
}

/// How many numbers two lists have in common; both are in order.
fn shared(one: &[u64], other: &[u64]) -> usize {
    let (mut at, mut of_other, mut shared) = (0, 0, 0);
    while let (Some(part), Some(part_of_other)) = (one.get(at), other.get(of_other)) {
        shared += usize::from(part == part_of_other);
        let (is_next, is_next_of_other) = (part <= part_of_other, part_of_other <= part);
        at += usize::from(is_next);
        of_other += usize::from(is_next_of_other);
    }
    shared
}

/// The words and the pairs of neighbouring letters and words of a text, hashed because they are compared a lot; in order, each
/// once. Only whether two are the same matters, so how they are hashed does not.
fn parts(text: &str) -> Vec<u64> {
    const LETTERS_MAX: usize = 200;
    let letters: Vec<char> = text.chars().take(LETTERS_MAX).collect();
    let of_letters = letters.windows(2).map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1]));
    let of_words: Vec<u64> =
        words(text).take(LETTERS_MAX).map(|word| mixed(word.bytes().map(u64::from))).collect();
    let of_pairs = of_words.windows(2).map(|pair| mixed(pair.iter().copied()));
    let mut parts: Vec<u64> = of_letters.chain(of_pairs).chain(of_words.iter().copied()).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// A hash of some numbers: FNV-1a (Fowler, Noll and Vo) with whole numbers in place of bytes.
fn mixed(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| (hash ^ number).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odd_one_out_is_unlike_the_others() {
        let choices = ["the red box", "the green box", "a drawer"].map(str::to_owned);
        let odd = only_greatest(likenesses(&choices).into_iter().map(Reverse));
        assert_eq!(odd, Some(2));
        let same = ["x", "y", "z"].map(str::to_owned);
        assert_eq!(only_greatest(likenesses(&same).into_iter()), None, "nobody stands out");
    }
}
