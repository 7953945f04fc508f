//! A mock model that has read only the end of a story.

use std::str::FromStr;

use super::Responder;
use crate::dataset::Fields;
use crate::diagnostic::{counted, did_you_mean};
use crate::prose::RowReader;

/// A mock model, as the command line names it.
///
/// ```
/// use storysim::respond::{Mock, Responder};
/// assert_eq!("perfect".parse(), Ok(Mock::Always(Responder::Perfect)));
/// assert_eq!("last-words:20k".parse(), Ok(Mock::LastWords(20_000)));
/// assert_eq!("prefect".parse::<Mock>().unwrap_err(), "there is no such responder: did you mean `perfect`?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mock {
    /// Answers all rows as this responder does.
    Always(Responder),
    /// Has read so many of the last words of each story. Answers right if they tell all of the evidence, and guesses otherwise.
    LastWords(usize),
}

/// The name of the mock model that has read the last words, before their number.
const LAST_WORDS: &str = "last-words";

impl FromStr for Mock {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some((_, responder)) = Responder::WORDS.iter().find(|(word, _)| *word == name) {
            return Ok(Self::Always(*responder));
        }
        let (word, count) = name.split_once(':').map_or((name, None), |(word, count)| (word, Some(count)));
        if word == LAST_WORDS {
            return number_of_words(count.unwrap_or_default()).map(Self::LastWords).ok_or_else(|| {
                format!("{LAST_WORDS}:N takes a number of words, such as {LAST_WORDS}:4000, 20k or 1M")
            });
        }
        let known = || Responder::WORDS.iter().map(|(word, _)| *word);
        let help = did_you_mean(word, known().chain(["last-words:N"])).unwrap_or_else(|| {
            format!("it is one of {}, {LAST_WORDS}:N", known().collect::<Vec<&str>>().join(", "))
        });
        Err(format!("there is no such responder: {help}"))
    }
}

/// A number of words, which may be written in thousands or millions.
///
/// ```
/// use storysim::respond::number_of_words;
/// assert_eq!(["400", "20k", "1M", "-1", "k"].map(number_of_words), [Some(400), Some(20_000), Some(1_000_000), None, None]);
/// ```
pub fn number_of_words(written: &str) -> Option<usize> {
    let (digits, unit) = match written.strip_suffix(['k', 'M']) {
        Some(digits) => (digits, if written.ends_with('k') { 1000 } else { 1_000_000 }),
        None => (written, 1),
    };
    // A sign would be read, too.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<usize>().ok().filter(|_| is_number)?.checked_mul(unit)
}

impl Mock {
    /// The responder as which the mock model answers a row. `reach` says how many of the last words of the row's story a reader
    /// needs, as [`reach`] does; it is asked only where that matters.
    ///
    /// # Errors
    /// Those of `reach`.
    ///
    /// ```
    /// use storysim::respond::{Mock, Responder};
    /// let of = |words: usize| Mock::LastWords(words).responder(|| Ok(12));
    /// assert_eq!((of(11), of(12)), (Ok(Responder::Random), Ok(Responder::Perfect)));
    /// ```
    pub fn responder(self, reach: impl FnOnce() -> Result<usize, String>) -> Result<Responder, String> {
        match self {
            Self::Always(responder) => Ok(responder),
            Self::LastWords(words) if reach()? <= words => Ok(Responder::Perfect),
            Self::LastWords(_) => Ok(Responder::Random),
        }
    }
}

/// How many of the last words of a row's story it takes to have all sentences that tell the steps of its evidence; all words if it
/// has no evidence. Words are what stands between blanks.
///
/// # Errors
/// Why the story cannot be read, or what in the row does not fit it.
///
/// ```
/// use storysim::{dataset::Fields, prose::RowReader, respond::reach, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let story = "Georgia enters room 2. Hank enters room 1.".to_owned();
/// let row = |evidence: &[usize]| Fields { story: story.clone(), evidence: evidence.to_vec(), ..Fields::default() };
/// let reader = RowReader::new(&board);
/// assert_eq!([&[1][..], &[0, 1], &[]].map(|steps| reach(&reader, &row(steps))), [Ok(4), Ok(8), Ok(8)]);
/// assert!(reach(&reader, &row(&[2])).is_err());
/// ```
pub fn reach(reader: &RowReader<'_>, row: &Fields) -> Result<usize, String> {
    let begins = reader.sentences(row)?;
    let steps = begins.len();
    let place = |&step: &usize| {
        let what =
            || format!("its evidence has step {step}, but its story {}, from 0", counted(steps, "step"));
        begins.get(step).copied().ok_or_else(what)
    };
    let places = row.evidence.iter().map(place).collect::<Result<Vec<usize>, String>>()?;
    let from = places.into_iter().min().unwrap_or(0);
    Ok(row.story[from..].split_whitespace().count())
}
