//! Signs of the choices and the question alone: no story is needed for them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{number, ranks};
use crate::audit::Case;
use crate::audit::mentions::words;
use crate::audit::shortcut::likenesses;

pub const NAMES: [&str; 17] = [
    "number of the choice",
    "number of choices",
    "letters",
    "rank by letters",
    "words",
    "place in the alphabet",
    "words in the question",
    "words not in the question",
    "numbers of the question",
    "rank by number",
    "rank by likeness",
    "words in other choices",
    "choices that begin alike",
    "choices that end alike",
    "choices that begin with its end",
    "choices that end with its beginning",
    "rank by words in other choices",
];

/// The signs of every choice.
pub fn signs(case: &Case) -> Vec<[i16; NAMES.len()]> {
    let choices = &case.choices;
    let spoken: Vec<Vec<&str>> = choices.iter().map(|choice| words(choice).collect()).collect();
    let asked: BTreeSet<&str> = words(&case.question).collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = spoken
        .iter()
        .map(|spoken| spoken.iter().filter(|word| is_number(word)).find_map(|word| word.parse::<u64>().ok()));
    let lengths: Vec<usize> = choices.iter().map(|choice| choice.chars().count()).collect();
    let (by_length, by_number) = (ranks(&lengths), ranks(&numbers.collect::<Vec<_>>()));
    let alphabet = ranks(&choices.iter().map(Reverse).collect::<Vec<_>>());
    let likeness = ranks(&likenesses(choices));
    let choices_with = choices_with(&spoken);
    let shared = shared(&spoken, &choices_with);
    let by_shared = ranks(&shared);
    let chains = chains(&spoken, &choices_with);
    let sign = |at: usize| {
        let of_question = spoken[at].iter().filter(|word| asked.contains(**word));
        let (in_question, asked_numbers) =
            (of_question.clone().count(), of_question.filter(|word| is_number(word)));
        let [begin, end, next, before] = chains[at];
        [
            at,
            choices.len(),
            lengths[at],
            by_length[at],
            spoken[at].len(),
            alphabet[at],
            in_question,
            spoken[at].len() - in_question,
            asked_numbers.count(),
            by_number[at],
            likeness[at],
            shared[at],
            begin,
            end,
            next,
            before,
            by_shared[at],
        ]
        .map(number)
    };
    (0..choices.len()).map(sign).collect()
}

/// For every word, the number of choices that it stands in.
fn choices_with<'w>(spoken: &[Vec<&'w str>]) -> BTreeMap<&'w str, usize> {
    let mut choices_with = BTreeMap::new();
    for spoken in spoken {
        once(spoken).into_iter().for_each(|word| *choices_with.entry(word).or_default() += 1);
    }
    choices_with
}

/// The words, each once.
fn once<'w>(spoken: &[&'w str]) -> Vec<&'w str> {
    let mut once = spoken.to_vec();
    once.sort_unstable();
    once.dedup();
    once
}

/// For every choice, how often its words stand in other choices.
fn shared(spoken: &[Vec<&str>], choices_with: &BTreeMap<&str, usize>) -> Vec<usize> {
    spoken.iter().map(|spoken| once(spoken).into_iter().map(|word| choices_with[word] - 1).sum()).collect()
}

/// For every choice, how many others begin as it does, end as it does, begin as it ends, and end as it begins.
///
/// What "from the hall to the attic" begins and ends with is "hall" and "attic": words that all choices have, but for
/// one in five, are a frame, unless a choice ends with them.
fn chains(spoken: &[Vec<&str>], choices_with: &BTreeMap<&str, usize>) -> Vec<[usize; 4]> {
    let ends: Vec<(String, String)> = {
        let least = spoken.len() - spoken.len() / 5;
        let last: BTreeSet<&str> = spoken.iter().filter_map(|spoken| spoken.last().copied()).collect();
        let is_frame = |word: &&str| choices_with[word] >= least && !last.contains(*word);
        let part = |spoken: &[&str]| {
            let segments = spoken.split(|word| is_frame(word)).filter(|words| !words.is_empty());
            let segments: Vec<String> = segments.map(|words| words.join(" ")).collect();
            let of = |at: Option<&String>| at.cloned().unwrap_or_default();
            (of(segments.first()), of(segments.last()))
        };
        spoken.iter().map(|spoken| part(spoken)).collect()
    };
    let count = |at: usize, is_so: &dyn Fn(&(String, String)) -> bool| {
        ends.iter().enumerate().filter(|(other, ends)| *other != at && is_so(ends)).count()
    };
    let of = |at: usize| {
        let (begin, end) = &ends[at];
        [
            count(at, &|other| other.0 == *begin),
            count(at, &|other| other.1 == *end),
            count(at, &|other| other.0 == *end),
            count(at, &|other| other.1 == *begin),
        ]
    };
    (0..spoken.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_follow_each_other_are_chains() {
        let of = |choices: &[&str]| {
            let spoken: Vec<Vec<&str>> = choices.iter().map(|choice| words(choice).collect()).collect();
            chains(&spoken, &choices_with(&spoken))
        };
        let ways = [
            "from the hall to the red attic",
            "from the red attic to the cellar",
            "from the hall to the yard",
        ];
        assert_eq!(of(&ways), [[1, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]);
        assert_eq!(of(&["from 1 to 2", "from 2 to 3"]), [[0, 0, 1, 0], [0, 0, 0, 1]]);
        assert_eq!(of(&["hall", "attic"]), [[0; 4]; 2]);
    }
}
