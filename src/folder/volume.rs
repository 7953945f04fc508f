//! Which stories go into which file.

use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use super::output::Place;

/// A part of the whole, as in `I/N`: part I of N, with I counting from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this part, `I`.
    pub part: u64,
    /// The number of parts, `N`.
    pub parts: u64,
}

impl Default for Shard {
    /// The whole as a single part.
    fn default() -> Self {
        Self { part: 0, parts: 1 }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed =
            text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match parsed {
            Some((part, parts)) if part < parts => Ok(Self { part, parts }),
            _ => Err("write I/N, with I from 0 to N - 1".into()),
        }
    }
}

impl Shard {
    /// The numbers below `count` that belong to this part; parts follow one another without gaps.
    pub fn range(self, count: u64) -> Range<u64> {
        let bound = |part: u64| (u128::from(count) * u128::from(part) / u128::from(self.parts)) as u64;
        bound(self.part)..bound(self.part + 1)
    }
}

/// Consecutive stories of one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The index of the variant.
    pub variant: usize,
    /// The indices of the stories.
    pub stories: Range<u64>,
}

/// One file or stream, and the stories in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// The place that it is written to.
    pub place: Place,
    /// The stories, in this order.
    pub pieces: Vec<Piece>,
    /// The number of the split whose stories are written.
    pub split: usize,
}

impl Volume {
    /// The path of this file within a folder, with `/`.
    ///
    /// # Panics
    /// If it is not a file in that folder.
    pub fn path_within(&self, folder: &Path) -> String {
        let Place::File(path) = &self.place else { unreachable!("a folder has files") };
        let within = path.strip_prefix(folder).expect("a file of this folder");
        let names: Vec<&str> = within.iter().filter_map(|name| name.to_str()).collect();
        names.join("/")
    }

    /// The number of stories that it is made from.
    pub fn stories(&self) -> u64 {
        let stories = self.pieces.iter().map(|piece| piece.stories.end - piece.stories.start);
        stories.fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_follow_one_another() {
        for (count, parts) in [(10, 4), (3, 5), (1_000_003, 7), (u64::MAX, 3)] {
            let mut next = 0;
            for part in 0..parts {
                let range = Shard { part, parts }.range(count);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, count);
        }
        for wrong in ["4/4", "1", "a/b", "1/0", "-1/2", "0/"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
