//! Names and phrases in a text.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::diagnostic::Span;
use crate::spelling::capital;

/// What could have come where a text becomes unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected<'a> {
    Person,
    Place,
    Object,
    Container,
    Attitude,
    Statement,
    Words(&'a str),
}

/// A set of names that are looked up by their first letters.
#[derive(Clone, Debug)]
pub(super) struct Names<'a> {
    /// Each name as sentences have it, and in its bare form; then with the capital letter that they may have where a sentence begins.
    all: Vec<(String, &'a str)>,
    /// The number of names.
    count: usize,
    /// Indices of names, in the order of their first runs of letters and digits, each with the length of this run. Of
    /// those with the same run the longest name comes first.
    by_first_run: Vec<(usize, usize)>,
}

/// The letters and digits at the beginning of a text.
fn first_run(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
}

/// Whether a character can be part of a word.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Names<'a> {
    /// Names, each with the form that it has within a sentence.
    pub fn new(names: impl Iterator<Item = (String, &'a str)>) -> Self {
        let mut all: Vec<(String, &'a str)> = names.collect();
        let count = all.len();
        // A name with a capital letter may be another name.
        let known: BTreeSet<String> = all.iter().map(|(within, _)| within.clone()).collect();
        for at in 0..count {
            let (within, bare) = &all[at];
            let begun = capital(within);
            if !known.contains(&begun) {
                all.push((begun, bare));
            }
        }
        let mut by_first_run: Vec<(usize, usize)> =
            all.iter().enumerate().map(|(at, (spelt, _))| (at, first_run(spelt).len())).collect();
        let key = |&(at, length): &(usize, usize)| (&all[at].0[..length], Reverse(all[at].0.len()));
        by_first_run.sort_by(|one, other| key(one).cmp(&key(other)));
        Self { all, count, by_first_run }
    }

    /// All names, as sentences have them.
    pub fn spelt(&self) -> impl Iterator<Item = &str> {
        self.all[..self.count].iter().map(|(spelt, _)| spelt.as_str())
    }

    /// The longest name at the beginning of a text, in its bare form, and where it ends. The text may have it as the
    /// storyboard does, with underscores.
    pub fn at_beginning(&self, text: &str) -> Option<(&'a str, usize)> {
        let run = first_run(text);
        let of = |&(at, length): &(usize, usize)| &self.all[at].0[..length];
        let begin = self.by_first_run.partition_point(|name| of(name) < run);
        let found = self.by_first_run[begin..].iter().take_while(|name| of(name) == run);
        found.map(|&(at, _)| at).find_map(|at| {
            let (spelt, bare) = &self.all[at];
            let length = matched(text, spelt, |c| c.is_whitespace() || c == '_')?;
            let is_part = spelt.ends_with(is_letter) && text[length..].starts_with(is_letter);
            (!is_part).then_some((*bare, length))
        })
    }

    /// The name that a text consists of, as sentences have it or in its bare form.
    pub fn called(&self, text: &str) -> Option<&'a str> {
        let spelt = self.at_beginning(text).filter(|(_, length)| *length == text.len()).map(|(bare, _)| bare);
        spelt.or_else(|| self.all[..self.count].iter().map(|(_, bare)| *bare).find(|bare| *bare == text))
    }

    /// A name as sentences have it, given in its bare form.
    pub fn in_sentences(&self, bare: &str) -> Option<&str> {
        self.all[..self.count].iter().find(|(_, known)| *known == bare).map(|(spelt, _)| spelt.as_str())
    }

    /// The same names, of which some are spelt otherwise in sentences.
    pub fn respelt(&self, spell: impl Fn(&str) -> Option<String>) -> Self {
        let names = self.all[..self.count].iter();
        Self::new(names.map(|(spelt, bare)| (spell(bare).unwrap_or_else(|| spelt.clone()), *bare)))
    }

    /// The largest number of words in a name.
    pub fn words_max(&self) -> usize {
        self.spelt().map(|spelt| spelt.split(' ').count()).max().unwrap_or(1)
    }
}

/// Where a phrase at the beginning of a text ends. A space in the phrase matches any number of what `is_blank` allows.
fn matched(text: &str, phrase: &str, is_blank: impl Fn(char) -> bool) -> Option<usize> {
    if phrase.is_ascii()
        && text.len() >= phrase.len()
        && &text.as_bytes()[..phrase.len()] == phrase.as_bytes()
    {
        // The usual case; but more blanks may follow one at the end.
        let rest = &text[phrase.len()..];
        let more = if phrase.ends_with(' ') { rest.len() - rest.trim_start().len() } else { 0 };
        return Some(phrase.len() + more);
    }
    let mut rest = text;
    let mut wanted = phrase.chars();
    while let Some(c) = wanted.next() {
        if c.is_whitespace() {
            let trimmed = rest.trim_start_matches(&is_blank);
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
            wanted = wanted.as_str().trim_start().chars();
        } else {
            rest = rest.strip_prefix(c)?;
        }
    }
    Some(text.len() - rest.len())
}

/// A position in a text, and what could have come where reading failed.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t, 'a> {
    pub text: &'t str,
    pub at: usize,
    furthest: usize,
    expected: Vec<Expected<'a>>,
}

impl<'t, 'a> Cursor<'t, 'a> {
    pub const fn new(text: &'t str) -> Self {
        Self { text, at: 0, furthest: 0, expected: Vec::new() }
    }

    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Skips spaces, and numbers and dashes at the beginnings of lines. Returns where the sentence begins and forgets what
    /// was expected before.
    pub fn skip_to_sentence(&mut self) -> usize {
        let is_new_line = |text: &str, at: usize| text[..at].trim_end_matches([' ', '\t']).ends_with('\n');
        loop {
            let blanks = self.rest().len() - self.rest().trim_start().len();
            let starts_line = self.at + blanks == 0
                || self.at == 0
                || self.rest()[..blanks].contains('\n')
                || is_new_line(self.text, self.at);
            self.at += blanks;
            let label = if starts_line { line_label(self.rest()) } else { 0 };
            if label == 0 {
                break;
            }
            self.at += label;
        }
        (self.furthest, self.at) = (self.at, self.at);
        self.expected.clear();
        self.at
    }

    fn expect(&mut self, expected: Expected<'a>) {
        if self.at > self.furthest {
            self.furthest = self.at;
            self.expected.clear();
        }
        if self.at == self.furthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// Reads one of these names.
    pub fn name(&mut self, names: &Names<'a>, expected: Expected<'a>) -> Option<&'a str> {
        match names.at_beginning(self.rest()) {
            Some((name, length)) => {
                self.at += length;
                Some(name)
            }
            None => {
                self.expect(expected);
                None
            }
        }
    }

    /// Reads a phrase, which must not end within a word.
    pub fn phrase(&mut self, phrase: &'a str) -> bool {
        let Some(length) = matched(self.rest(), phrase, char::is_whitespace) else {
            self.skip_blanks_of(phrase, |cursor| cursor.expect(Expected::Words(phrase)));
            return false;
        };
        if phrase.ends_with(is_letter) && self.rest()[length..].starts_with(is_letter) {
            self.skip_blanks_of(phrase, |cursor| cursor.expect(Expected::Words(phrase)));
            return false;
        }
        self.at += length;
        true
    }

    /// Calls `act` after the spaces that a phrase begins with, then goes back: what it expects is expected at the word.
    fn skip_blanks_of(&mut self, phrase: &str, act: impl FnOnce(&mut Self)) {
        let at = self.at;
        if phrase.starts_with(' ') {
            self.at += self.rest().len() - self.rest().trim_start().len();
        }
        act(self);
        self.at = at;
    }

    /// Reads words as they are written in the storyboard; the text may continue within the last word.
    pub fn words(&mut self, words: &str) -> bool {
        let Some(length) = matched(self.rest(), words, char::is_whitespace) else { return false };
        self.at += length;
        true
    }

    /// Reads the end of a sentence: a full stop, which may be missing at the end of a line.
    pub fn end(&mut self) -> bool {
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix('.')
            && (after.is_empty() || after.starts_with(char::is_whitespace))
        {
            self.at += 1;
            return true;
        }
        let line = rest.trim_start_matches([' ', '\t', '\r']);
        if line.is_empty() || line.starts_with('\n') {
            return true;
        }
        self.expect(Expected::Words("."));
        false
    }

    /// Records that a clause was expected here.
    pub fn expect_statement(&mut self) {
        self.expect(Expected::Statement);
    }

    /// Tries to read something, and goes back if that fails.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let at = self.at;
        let read = read(self);
        if read.is_none() {
            self.at = at;
        }
        read
    }

    /// Moves to the end of the sentence that began at `begin`. Returns the word at which it became unreadable, and what
    /// could have come there.
    pub fn give_up(&mut self, begin: usize) -> (Span, Vec<Expected<'a>>) {
        let stopped = self.furthest.max(begin);
        let rest = &self.text[stopped..];
        let span = first_words(self.text, stopped, 1);
        // The next sentence begins after a full stop before a blank, or on the next line.
        let mut previous = ' ';
        let end = rest.char_indices().find(|&(_, c)| {
            let is_end = c == '\n' || c.is_whitespace() && previous == '.';
            previous = c;
            is_end
        });
        self.at = end.map_or(self.text.len(), |(at, _)| stopped + at);
        (span, std::mem::take(&mut self.expected))
    }
}

/// The first words of a sentence from here on, without the mark at their end; at most some 80 bytes.
pub(super) fn first_words(text: &str, from: usize, count: usize) -> Span {
    const BYTES_MAX: usize = 80;
    let mut end = 0;
    let rest = text[from..].split('\n').next().unwrap_or_default();
    for word in rest.split_inclusive(char::is_whitespace).take(count) {
        end += word.len();
        if word.trim_end().ends_with('.') {
            break;
        }
    }
    let words = rest[..end].trim_end().trim_end_matches(['.', ',', ';', '!', '?', ':']);
    let ends = words.char_indices().map(|(at, c)| at + c.len_utf8());
    Span::new(from, from + ends.take_while(|&end| end <= BYTES_MAX).last().unwrap_or(0))
}

/// The length of the number or dash with which a line begins: `12. `, `3) `, `- `; 0 if there is none.
fn line_label(line: &str) -> usize {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match (digits, line[digits..].chars().next()) {
        (1..=7, Some(mark @ ('.' | ')' | ':'))) | (0, Some(mark @ ('-' | '*' | '•' | '–'))) => {
            mark.len_utf8()
        }
        _ => return 0,
    };
    let label = digits + mark;
    if line[label..].starts_with([' ', '\t']) { label } else { 0 }
}

/// Reads words, which must not end within a word of the text.
pub(super) fn literal(cursor: &mut Cursor<'_, '_>, words: &str) -> bool {
    let at = cursor.at;
    let is_read =
        cursor.words(words) && !(words.ends_with(is_letter) && cursor.rest().starts_with(is_letter));
    if !is_read {
        cursor.at = at;
    }
    is_read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelling::shown;

    #[test]
    fn names_are_the_longest() {
        let names = Names::new(
            ["Ann", "Ann-Marie", "Ann Lee", "Ånn"].map(|name| (name.to_owned(), name)).into_iter(),
        );
        for (text, wanted) in [
            ("Ann enters", Some(("Ann", 3))),
            ("Ann-Marie enters", Some(("Ann-Marie", 9))),
            ("Ann \n Lee enters", Some(("Ann Lee", 9))),
            ("Ånn's", Some(("Ånn", 4))),
            ("Anna enters", None),
            ("Ann Leeds", Some(("Ann", 3))),
            ("", None),
        ] {
            assert_eq!(names.at_beginning(text), wanted, "{text}");
        }
    }

    #[test]
    fn names_are_read_as_shown_and_as_written() {
        let names =
            Names::new(["the_hall", "room_1", "room_12"].map(|name| (shown(name).into(), name)).into_iter());
        for (text, wanted) in [
            ("the hall.", Some(("the_hall", 8))),
            ("The hall", Some(("the_hall", 8))),
            ("the_hall", Some(("the_hall", 8))),
            ("Room 12.", Some(("room_12", 7))),
            ("The_hall", Some(("the_hall", 8))),
            ("room\n12", Some(("room_12", 7))),
            ("room_1.", Some(("room_1", 6))),
            ("room 123", None),
            ("room 1_b", None),
            ("the hallway", None),
        ] {
            assert_eq!(names.at_beginning(text), wanted, "{text}");
        }
        assert_eq!([names.called("room 1"), names.called("room 1.")], [Some("room_1"), None]);
        assert_eq!(names.spelt().collect::<Vec<_>>(), ["the hall", "room 1", "room 12"]);
    }

    #[test]
    fn lines_may_be_labelled() {
        for (line, length) in [
            ("1. Ann", 2),
            ("12) Ann", 3),
            ("- Ann", 1),
            ("• Ann", 3),
            ("Ann", 0),
            ("1 Ann", 0),
            ("-Ann", 0),
            ("", 0),
        ] {
            assert_eq!(line_label(line), length, "{line}");
        }
    }
}
