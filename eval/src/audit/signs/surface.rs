//! Signs of the surface of a text: how often and where it names each choice, whoever it speaks of.

use super::{ago, number, ranks};
use crate::audit::Case;
use crate::audit::mentions::{Mentions, occurrences};

/// How many of the last sentences are counted apart.
const LATE: [usize; 3] = [10, 20, 40];

pub const NAMES: [&str; 13] = [
    "times named",
    "rank by times named",
    "sentence that names it first",
    "sentences since it was named",
    "sentences since it was named before that",
    "rank by when it was named last",
    "rank by when it was named first",
    "times named in the last 10 sentences",
    "times named in the last 20 sentences",
    "times named in the last 40 sentences",
    "sentences",
    "times any choice is named",
    "times named in the question",
];

/// How a text names a choice.
#[derive(Clone, Copy, Default)]
struct Named {
    count: usize,
    first: Option<usize>,
    last: Option<usize>,
    before: Option<usize>,
    late: [usize; LATE.len()],
}

/// The signs of every choice.
pub fn signs(case: &Case, mentions: &Mentions) -> Vec<[i16; NAMES.len()]> {
    let sentences = mentions.sentences;
    let mut named = vec![Named::default(); case.choices.len()];
    for &(sentence, choice) in &mentions.all {
        let named = &mut named[choice];
        named.count += 1;
        named.first = named.first.or(Some(sentence));
        named.before = named.last.replace(sentence);
        for (count, late) in named.late.iter_mut().zip(LATE) {
            *count += usize::from(sentence + late >= sentences);
        }
    }
    let by_count = ranks(&named.iter().map(|named| named.count).collect::<Vec<_>>());
    let by_last = ranks(&named.iter().map(|named| named.last).collect::<Vec<_>>());
    let by_first = ranks(&named.iter().map(|named| named.first).collect::<Vec<_>>());
    let sign = |at: usize| {
        let Named { count, first, last, before, late } = named[at];
        [
            count,
            by_count[at],
            first.unwrap_or(sentences),
            ago(sentences, last),
            ago(sentences, before),
            by_last[at],
            by_first[at],
            late[0],
            late[1],
            late[2],
            sentences,
            mentions.all.len(),
            occurrences(&case.question, &case.choices[at]).count(),
        ]
        .map(number)
    };
    (0..case.choices.len()).map(sign).collect()
}
