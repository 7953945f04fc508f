//! The questions that are kept of stories, in bounded memory.
//!
//! The rows of a story may stand anywhere, so its questions are kept until the end. Where there are more stories than can be
//! kept, those with the smallest hashes are: which they are depends neither on the order of rows nor on anything else.

use std::collections::BTreeMap;

/// The largest number of stories that are kept.
pub const STORIES_MAX: usize = 2_000;

/// The largest number of bytes of questions and choices that are kept.
const BYTES_MAX: usize = 64 << 20;

/// The largest number of questions of a story, and of their bytes. A story that has more is left out.
pub const QUESTIONS_MAX: usize = 256;
const STORY_BYTES_MAX: usize = 4 << 20;

/// What a text costs besides its bytes.
const TEXT_BYTES: usize = 32;

/// A question as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// The number of the question's group.
    pub group: usize,
    pub question: String,
    pub choices: Vec<String>,
    /// The index of the right choice.
    pub label: usize,
}

impl Asked {
    fn bytes(&self) -> usize {
        let texts = self.choices.iter().chain([&self.question]);
        texts.map(|text| text.len() + TEXT_BYTES).sum()
    }
}

/// The stories that are kept, by the hashes of what they are called.
#[derive(Debug, Default)]
pub struct Stories {
    all: BTreeMap<u64, Story>,
    /// What is kept, in bytes.
    bytes: usize,
    /// Stories with this hash or a greater one are left out.
    end: Option<u64>,
    /// The number of all rows, kept or not.
    rows: u64,
}

#[derive(Debug, Default)]
struct Story {
    asked: Vec<Asked>,
    /// What the story counts for. It only grows, whatever the order of rows.
    bytes: usize,
    is_too_long: bool,
}

impl Stories {
    /// Takes in a question of the story with this hash.
    pub fn add(&mut self, hash: u64, asked: Asked) {
        self.rows += 1;
        if self.end.is_some_and(|end| hash >= end) {
            return;
        }
        let story = self.all.entry(hash).or_default();
        let bytes = (story.bytes + asked.bytes()).min(STORY_BYTES_MAX);
        self.bytes += bytes - story.bytes;
        story.bytes = bytes;
        story.is_too_long |= bytes == STORY_BYTES_MAX || story.asked.len() == QUESTIONS_MAX;
        if story.is_too_long {
            story.asked = Vec::new();
        } else {
            story.asked.push(asked);
        }
        while self.bytes > BYTES_MAX || self.all.len() > STORIES_MAX {
            let Some((hash, story)) = self.all.pop_last() else { break };
            self.bytes -= story.bytes;
            self.end = Some(hash);
        }
    }

    /// The questions of each story that is kept and has several, each question once; and how many rows are left out.
    pub fn finish(self) -> (Vec<Vec<Asked>>, u64) {
        let mut kept = 0;
        let mut stories = Vec::new();
        for mut story in self.all.into_values() {
            kept += story.asked.len() as u64;
            story.asked.sort_unstable();
            story.asked.dedup_by(|one, other| {
                (one.group, &one.question, &one.choices) == (other.group, &other.question, &other.choices)
            });
            if story.asked.len() > 1 {
                stories.push(story.asked);
            }
        }
        (stories, self.rows - kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: usize, length: usize) -> Asked {
        Asked { group: 0, question: question.to_string(), choices: vec!["x".repeat(length); 2], label: 0 }
    }

    /// Rows in two orders: what is kept is the same.
    fn kept_of(mut rows: Vec<(u64, Asked)>) -> (Vec<Vec<Asked>>, u64) {
        let kept = |rows: &[(u64, Asked)]| {
            let mut stories = Stories::default();
            rows.iter().for_each(|(story, asked)| stories.add(*story, asked.clone()));
            stories.finish()
        };
        let first = kept(&rows);
        rows.reverse();
        assert_eq!(first, kept(&rows));
        rows.sort_by_key(|(story, asked)| (asked.question.clone(), *story));
        assert_eq!(first, kept(&rows));
        rows.sort_by_key(|(story, asked)| (asked.question == "0", *story));
        assert_eq!(first, kept(&rows));
        first
    }

    #[test]
    fn the_order_of_rows_changes_nothing() {
        let rows = (0..3_000_u64).flat_map(|story| [0, 1].map(|at| (story * 7_919 % 3_001, asked(at, 1))));
        let (stories, left_out) = kept_of(rows.collect());
        assert_eq!((stories.len(), left_out), (STORIES_MAX, 2 * (3_000 - STORIES_MAX as u64)));
        // Where texts are long, bytes count, also those of a story that is too long itself.
        let long = |story: u64, at: usize| (story, asked(at, 300_000));
        let rows = (0..70).flat_map(|story| [0, 1, 2].map(|at| long(story, at)));
        let (stories, _) = kept_of(rows.chain((0..20).map(|at| long(5, at))).collect());
        assert!((20..50).contains(&stories.len()), "{}", stories.len());
        // What is left of a story that did not fit would fit later on.
        let full = (0..17).flat_map(|story| [0, 1].map(|at| (story, asked(at, 970_000))));
        let late = [(17, asked(0, 1_500_000)), (17, asked(1, 10)), (17, asked(2, 10))];
        let (stories, left_out) = kept_of(full.chain(late).collect());
        assert_eq!((stories.len(), left_out), (17, 3));
        let many = (0..=QUESTIONS_MAX).map(|at| (1, asked(at, 1)));
        let (stories, left_out) = kept_of(many.chain([(2, asked(0, 1)), (2, asked(1, 1))]).collect());
        assert_eq!((stories.len(), left_out), (1, 1 + QUESTIONS_MAX as u64));
    }

    #[test]
    fn a_question_counts_once() {
        let rows =
            vec![(1, asked(0, 1)), (1, asked(0, 1)), (2, asked(0, 1)), (2, asked(1, 1)), (2, asked(0, 1))];
        let (stories, left_out) = kept_of(rows);
        assert_eq!((stories, left_out), (vec![vec![asked(0, 1), asked(1, 1)]], 0));
    }
}
