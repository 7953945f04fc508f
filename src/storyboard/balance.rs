//! `balance`: how often what is to be so, over many stories.

use super::{Name, Number};
use crate::diagnostic::Span;

/// `balance: {answer: uniform, false_belief: 5/6}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// `question`: which one is balanced; the first, if not given.
    pub question: Option<Number>,
    /// What is balanced, and how.
    pub entries: Vec<(Name, Shares)>,
    /// The whole map.
    pub span: Span,
}

/// How often what is to be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shares {
    /// `uniform`: everything as often
    Uniform(Span),
    /// `0..5`: each of these numbers as often, and no other
    Range(Span, [u64; 2]),
    /// `1/6`: so often
    One(Span, Share),
    /// `{room_1: 1/2, room_2: 1/2}`: each so often, and nothing else
    Each(Span, Vec<(Name, Share)>),
}

impl Shares {
    /// Where it stands.
    pub const fn span(&self) -> Span {
        match *self {
            Self::Uniform(span) | Self::Range(span, _) | Self::One(span, _) | Self::Each(span, _) => span,
        }
    }
}

/// Part of a whole: `1/6`, or `0.25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The numerator.
    pub part: u32,
    /// The denominator. It is not 0, and not below the numerator.
    pub whole: u32,
}

impl Share {
    /// Reads `1/6`, `0.25`, `0` or `1`. None if it is none of them, or more than the whole.
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

    /// As a number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.part) / f64::from(self.whole)
    }
}
