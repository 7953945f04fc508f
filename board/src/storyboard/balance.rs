//! `balance`: how often what is to be so, over many stories.

use super::{Name, Number};
use crate::diagnostic::Span;

/// The key `balance`, as in `balance: {answer: uniform, false_belief: 5/6}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// `question`: the number of the balanced question; if not given, the first is balanced.
    pub question: Option<Number>,
    /// What is balanced, each with its shares.
    pub entries: Vec<(Name, Shares)>,
    /// `learned`: from what nothing is to be learned about the answer.
    pub learned: Vec<Name>,
    /// `pilots`: how many stories are drawn to find out what can be learned.
    pub pilots: Option<Number>,
    /// The span of the whole map.
    pub span: Span,
}

/// The shares that values should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shares {
    /// `uniform`: every value is equally frequent
    Uniform(Span),
    /// `0..5`: only these numbers occur, each equally often where it can be so. Without a second end, `80..`, all from the first on do
    Range(Span, u64, Option<u64>),
    /// `1/6`: the share of rows for which it is so
    One(Span, Share),
    /// `{room_1: 1/2, room_2: 1/2}`: each value has this share, and no other occurs
    Each(Span, Vec<(Name, Share)>),
}

impl Shares {
    /// Where the shares are written.
    pub const fn span(&self) -> Span {
        match *self {
            Self::Uniform(span) | Self::Range(span, ..) | Self::One(span, _) | Self::Each(span, _) => span,
        }
    }
}

/// A fraction of a whole, as in `1/6` or `0.25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The numerator of the fraction.
    pub part: u32,
    /// The denominator. It is not 0 and not less than the numerator.
    pub whole: u32,
}

impl Share {
    /// Reads `1/6`, `0.25`, `0` or `1`. `None` if the text is not a number like these, or more than 1.
    ///
    /// ```
    /// use storysim::storyboard::Share;
    /// assert_eq!(Share::parse("1/6"), Some(Share { part: 1, whole: 6 }));
    /// assert_eq!(Share::parse("0.25"), Some(Share { part: 25, whole: 100 }));
    /// assert_eq!(Share::parse("7/6"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| is_number)
        };
        let (part, whole) = match (text.split_once('/'), text.split_once('.')) {
            (Some((part, whole)), _) => (number(part.trim())?, number(whole.trim())?),
            (None, Some((before, after))) => {
                let whole = 10_u32.checked_pow(u32::try_from(after.len()).ok()?)?;
                (number(before)?.checked_mul(whole)?.checked_add(number(after)?)?, whole)
            }
            (None, None) => (number(text)?, 1),
        };
        (whole > 0 && part <= whole).then_some(Self { part, whole })
    }

    /// The share as a number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.part) / f64::from(self.whole)
    }
}
