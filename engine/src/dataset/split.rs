//! Which part of a dataset a story belongs to.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The unit of shares: they are counted in millionths.
const WHOLE: u64 = 1_000_000;

/// The parts of a dataset, such as one for training and one for testing, with their shares of the stories.
///
/// A story's part depends only on its words: no story is in two parts, even if it is drawn twice, under two seeds or in two
/// datasets with the same parts. The first eight bytes of the BLAKE3 hash of the story (as in the row; of people, not of
/// things) form a number, with the lowest byte first. Of the 2^64 such numbers, the lowest belong to the first part, and
/// so on.
///
/// ```
/// use storysim::dataset::Splits;
/// let splits: Splits = "train=0.9,test=0.1".parse().unwrap();
/// assert_eq!(splits.part("Ann enters room_1."), splits.part("Ann enters room_1."));
/// let tested = (0..1000).filter(|at| splits.part(&format!("Ann enters room_{at}.")) == 1).count();
/// assert!((60..140).contains(&tested), "{tested}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Splits(Vec<Split>);

/// A part of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The name of the part.
    pub name: String,
    /// The part's share of the stories, in millionths.
    pub millionths: u64,
}

impl Splits {
    /// The parts, in order; empty if the dataset is not divided.
    pub fn parts(&self) -> &[Split] {
        &self.0
    }

    /// Whether the dataset is not divided.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of the part that a story belongs to; 0 if there are no parts.
    pub fn part(&self, story: &str) -> usize {
        let mut first = [0; 8];
        first.copy_from_slice(&blake3::hash(story.as_bytes()).as_bytes()[..8]);
        let at = ((u128::from(u64::from_le_bytes(first)) * u128::from(WHOLE)) >> 64) as u64;
        let ends = self.0.iter().scan(0, |end, split| {
            *end += split.millionths;
            Some(*end)
        });
        ends.take_while(|&end| end <= at).count()
    }
}

impl FromStr for Splits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts: Vec<Split> = Vec::new();
        for part in text.split(',') {
            let (name, share) =
                part.split_once('=').ok_or("write NAME=SHARE,NAME=SHARE, such as train=0.9,test=0.1")?;
            let name = name.trim();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(format!("`{name}` is not a valid name for a split: use letters, digits and `_`"));
            }
            if parts.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
                return Err(format!("`{name}` is given twice"));
            }
            parts.push(Split { name: name.to_owned(), millionths: millionths(share.trim())? });
        }
        // No share is more than the whole, and names are not so many that this could overflow.
        let sum: u64 = parts.iter().map(|split| split.millionths).sum();
        if sum != WHOLE {
            return Err(format!("the shares add up to {}, not to 1", sum as f64 / WHOLE as f64));
        }
        Ok(Self(parts))
    }
}

/// Reads a share as people write it: `0.9`, `.25`, `1`.
fn millionths(share: &str) -> Result<u64, String> {
    let wrong =
        || format!("`{share}` is not a share: write a number above 0 and up to 1, with up to six decimals");
    let (whole, decimals) = share.split_once('.').unwrap_or((share, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + decimals.len() == 0
        || !matches!(whole, "" | "0" | "1")
        || decimals.len() > 6
        || !is_number(decimals)
    {
        return Err(wrong());
    }
    let fraction: u64 = format!("{decimals:0<6}").parse().map_err(|_| wrong())?;
    let all = u64::from(whole == "1") * WHOLE + fraction;
    if (1..=WHOLE).contains(&all) { Ok(all) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        let shares = |text: &str| {
            let splits = text.parse::<Splits>()?;
            Ok(splits.0.iter().map(|split| split.millionths).collect::<Vec<u64>>())
        };
        assert_eq!(shares("train=0.9,test=0.1"), Ok(vec![900_000, 100_000]));
        assert_eq!(shares("a=.25, b=0.5 ,c=0.250000"), Ok(vec![250_000, 500_000, 250_000]));
        assert_eq!(shares("all=1"), Ok(vec![1_000_000]));
        let wrong: [(&str, &str); 9] = [
            ("", "write NAME=SHARE"),
            ("train", "write NAME=SHARE"),
            ("train=0.9,test=0.2", "add up to 1.1"),
            ("train=0.9", "add up to 0.9"),
            ("a=0.5,a=0.5", "`a` is given twice"),
            ("a-b=1", "`a-b` is not a valid name"),
            ("a=1,b=0", "`0` is not a share"),
            ("a=0.9999999,b=0", "up to six decimals"),
            ("a=-1,b=2", "`-1` is not a share"),
        ];
        for (text, why) in wrong {
            let said: Result<Vec<u64>, String> = shares(text);
            assert!(said.as_ref().is_err_and(|said| said.contains(why)), "{text}: {said:?}");
        }
    }

    /// Each part gets its share, and the borders are where they should be.
    #[test]
    fn parts_have_their_shares() {
        let splits: Splits = "a=0.5,b=0.3,c=0.2".parse().unwrap();
        let mut counts = [0_u32; 3];
        for at in 0..100_000 {
            counts[splits.part(&at.to_string())] += 1;
        }
        for (count, share) in counts.iter().zip([0.5, 0.3, 0.2]) {
            let mean: f64 = 1e5 * share;
            assert!((f64::from(*count) - mean).abs() < 5.0 * (mean * (1.0 - share)).sqrt(), "{counts:?}");
        }
        assert_eq!(Splits::default().part("whatever"), 0);
    }

    /// Value stability: which story is in which part may never change.
    #[test]
    fn parts_are_a_promise() {
        let splits: Splits = "a=0.5,b=0.5".parse().unwrap();
        let parts: String =
            (0..32).map(|at| ['a', 'b'][splits.part(&format!("Ann enters room_{at}."))]).collect();
        insta::assert_snapshot!("parts", parts);
    }
}
