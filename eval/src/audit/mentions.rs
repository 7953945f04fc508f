//! What a text names, and in which of its sentences; its words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::spelling::at_start;

/// Where a text names the choices of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Every mention as a sentence and a choice, in the order of the text.
    pub all: Vec<(usize, usize)>,
    /// The number of sentences.
    pub sentences: usize,
    /// The byte at which each sentence ends.
    ends: Vec<usize>,
}

impl Mentions {
    /// Finds the choices that a text names as whole words; a choice inside a longer one does not count.
    ///
    /// ```
    /// use storysim::audit::Mentions;
    /// let choices = ["room_1", "room_11"].map(str::to_owned);
    /// let found = Mentions::of("Ann enters room_11. Bob enters room_1.", &choices);
    /// assert_eq!((found.all, found.sentences), (vec![(0, 1), (1, 0)], 2));
    /// ```
    pub fn of(text: &str, choices: &[String]) -> Self {
        let ends = sentence_ends(text);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (number, choice) in choices.iter().enumerate() {
            found.extend(occurrences(text, choice).map(|at| (at, at + choice.len(), number)));
        }
        // The longest of those that begin together comes first; what ends within another is part of it.
        found.sort_unstable_by_key(|&(at, end, number)| (at, std::cmp::Reverse(end), number));
        let mut reached = 0;
        found.retain(|&(_, end, _)| {
            let is_new = end > reached;
            reached = reached.max(end);
            is_new
        });
        let all = found.iter().map(|&(at, _, number)| (ends.partition_point(|&end| end <= at), number));
        Self { all: all.collect(), sentences: ends.len(), ends }
    }

    /// The sentences that contain a name, in order. At the start of a sentence its article may have a capital letter.
    pub fn sentences_with(&self, text: &str, name: &str) -> Vec<usize> {
        let mut found: Vec<usize> = occurrences(text, name).collect();
        if let Cow::Owned(name) = at_start(name) {
            found.extend(occurrences(text, &name));
            found.sort_unstable();
        }
        found.into_iter().map(|at| self.ends.partition_point(|&end| end <= at)).collect()
    }

    /// The last choice that a sentence names.
    pub fn in_sentence(&self, sentence: usize) -> Option<usize> {
        let after = self.all.partition_point(|&(at, _)| at <= sentence);
        let (at, choice) = *self.all.get(after.checked_sub(1)?)?;
        (at == sentence).then_some(choice)
    }
}

/// The sentences of a text, without the blanks around them.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    sentence_ends(text).into_iter().map(move |end| text[std::mem::replace(&mut from, end)..end].trim())
}

/// The ends of sentences: after `.`, `!` or `?` before a blank, at the end of a line, and at the end of the text. A closing quotation
/// mark belongs to what it closes; after it a sentence may go on, with a small letter: "“Who is there?” asks Ann."
fn sentence_ends(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut ends = Vec::new();
    let mut is_empty = true;
    for (at, &byte) in bytes.iter().enumerate() {
        if ends.last().is_some_and(|end| at < *end) {
            continue; // a quotation mark that belongs to the sentence before
        }
        let is_last = at + 1 == bytes.len();
        is_empty &= byte.is_ascii_whitespace();
        let is_mark = matches!(byte, b'.' | b'!' | b'?');
        let quoted = is_mark && text[at + 1..].starts_with('”');
        let end = at + 1 + if quoted { '”'.len_utf8() } else { 0 };
        let closes = is_mark && bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        let goes_on = quoted && text[end..].trim_start().starts_with(char::is_lowercase);
        if (closes && !goes_on || byte == b'\n' || is_last) && !is_empty {
            ends.push(end);
            is_empty = true;
        }
    }
    ends
}

/// The positions at which one or more words occur in a text as whole words.
pub fn occurrences<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let found = (!words.is_empty()).then(|| text.match_indices(words));
    found.into_iter().flatten().map(|(at, _)| at).filter(move |&at| {
        !is_word(text[..at].chars().next_back()) && !is_word(text[at + words.len()..].chars().next())
    })
}

/// The words of a text: letters, digits and `_`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The words of a text, and all other signs but blanks, one by one.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after.trim_start();
        Some(token)
    })
}

/// How often each of the first `words_max` words occurs, by the hash of the word.
pub fn bag<'a>(words: impl Iterator<Item = &'a str>, words_max: usize) -> Vec<(u64, u16)> {
    let mut counts: BTreeMap<&str, u16> = BTreeMap::new();
    for word in words.take(words_max) {
        let count = counts.entry(word).or_default();
        *count = count.saturating_add(1);
    }
    counts.into_iter().map(|(word, count)| (hash(word), count)).collect()
}

/// A 64-bit hash of a text.
pub fn hash(text: &str) -> u64 {
    u64::from_le_bytes(blake3::hash(text.as_bytes()).as_bytes()[..8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(sentence_ends("It is 2.5 m. Yes!\nNo?  \n"), [12, 17, 21]);
        assert_eq!(sentence_ends(""), [0; 0]);
        assert_eq!(sentence_ends("no end"), [6]);
        let said = "“Who is there?” asks Ann. Bob says: “It is me. Bob.” Ann nods. “No!”";
        let ends = sentence_ends(said);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let sentences: Vec<&str> = starts.zip(&ends).map(|(from, &to)| said[from..to].trim()).collect();
        assert_eq!(
            sentences,
            ["“Who is there?” asks Ann.", "Bob says: “It is me.", "Bob.”", "Ann nods.", "“No!”"]
        );
    }

    #[test]
    fn names_are_whole_words() {
        assert_eq!(occurrences("Annika, Ann and Ann_ Ann.", "Ann").collect::<Vec<_>>(), [8, 21]);
        assert_eq!(occurrences("x", "").count(), 0);
        let choices = ["box", "red box"].map(str::to_owned);
        assert_eq!(Mentions::of("A red box. A box.", &choices).all, [(0, 1), (1, 0)]);
    }

    #[test]
    fn a_name_may_have_a_capital_letter() {
        let text = "The bell rings. Ann hears the bell.";
        let found = Mentions::of(text, &[]);
        assert_eq!(found.sentences_with(text, "the bell"), [0, 1]);
    }

    #[test]
    fn a_sentence_names_its_last() {
        let choices = ["a", "b"].map(str::to_owned);
        let found = Mentions::of("From a to b. Nothing. To a.", &choices);
        assert_eq!([0, 1, 2, 3].map(|at| found.in_sentence(at)), [Some(1), None, Some(0), None]);
    }
}
