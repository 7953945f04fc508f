//! A story sentence by sentence, and all that one sentence could say.

use super::worded::End;
use super::words::Cursor;
use super::{Reader, Tale, Told};
use crate::diagnostic::Span;
use crate::form::{ActKind, SentenceKind};

/// What a sentence of a story says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence<'a> {
    /// What happens. It is told without a span, which depends on the words.
    Event(Box<Told<'a>>),
    /// This person, elsewhere, sees or hears in secret what the sentence before tells.
    Peeks(&'a str),
    /// This person misses what the sentence before tells; the flag says whether the others notice.
    Misses(&'a str, bool),
    /// Anything else, such as a note or an announcement.
    Other,
}

impl<'a> Reader<'a> {
    /// The sentences of a story, where they are and what they say. What is neither an event nor about who sees or misses one
    /// ends at its first full stop, exclamation mark or question mark.
    ///
    /// ```
    /// use storysim::{prose::{Reader, Sentence}, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let story = "Georgia enters room 2. It rains. Hank enters room 1.";
    /// let sentences = Reader::new(&board, Vec::new()).sentences(story);
    /// assert_eq!(sentences.iter().map(|(span, _)| &story[span.range()]).collect::<Vec<_>>()[1], "It rains.");
    /// assert_eq!(sentences[1].1, Sentence::Other);
    /// ```
    pub fn sentences(&self, text: &str) -> Vec<(Span, Sentence<'a>)> {
        let mut sentences = Vec::new();
        let mut cursor = Cursor::new(text);
        // How many quotations are open: what is quoted does not happen.
        let (mut quotations, mut counted) = (0_i64, 0);
        let mut before = None;
        loop {
            let begin = cursor.skip_to_sentence();
            if cursor.is_at_end() {
                return sentences;
            }
            let marks = |mark: char| text[counted..begin].matches(mark).count() as i64;
            quotations += marks('“') - marks('”');
            counted = begin;
            let sentence = match quotations {
                0 => self.single(&mut cursor, before),
                _ => None,
            };
            before = match &sentence {
                Some(Sentence::Event(told)) => told.only_person(),
                _ => None,
            };
            let sentence = sentence.unwrap_or_else(|| {
                cursor.at = begin + sentence_length(&text[begin..]);
                Sentence::Other
            });
            sentences.push((Span::new(begin, cursor.at), sentence));
        }
    }

    /// Reads a sentence, if it says what happens, or who sees or misses it. A pronoun stands for the only person whom the sentence
    /// before names.
    fn single(&self, cursor: &mut Cursor<'_, 'a>, before: Option<&'a str>) -> Option<Sentence<'a>> {
        let mut tale = Tale { told: vec![Told::default()], ..Tale::default() };
        if self.aside(cursor, &mut tale) {
            return aside_of(&tale);
        }
        if let Some(told) = self.event(cursor) {
            return Some(event(told));
        }
        if self.worded_aside(cursor, &mut tale) {
            return aside_of(&tale);
        }
        let begin = cursor.at;
        match cursor.attempt(|cursor| self.worded(cursor, before))?.as_slice() {
            [told] => Some(event(told.clone())),
            // Two in one.
            _ => {
                cursor.at = begin;
                None
            }
        }
    }

    /// All that a text could say as one sentence, each once: plainly, and in the words of the reader's wording. None if it is
    /// more than a sentence, or says something else.
    ///
    /// ```
    /// use storysim::{prose::Reader, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let reader = Reader::new(&board, Vec::new());
    /// assert_eq!(reader.readings("Georgia enters room 2.").len(), 1);
    /// assert_eq!(reader.readings("Georgia enters room 2 again.").len(), 0);
    /// ```
    pub fn readings(&self, text: &str) -> Vec<Sentence<'a>> {
        let mut found: Vec<Sentence<'a>> = Vec::new();
        let mut read_from =
            |from: usize, read: &mut dyn FnMut(&mut Cursor<'_, 'a>) -> Option<Sentence<'a>>| {
                let mut cursor = Cursor::new(text);
                cursor.at = from;
                if let Some(sentence) = read(&mut cursor)
                    && cursor.is_at_end()
                    && text.ends_with('.')
                    && !found.contains(&sentence)
                {
                    found.push(sentence);
                }
            };
        read_from(0, &mut |cursor| self.going(cursor).map(event));
        read_from(0, &mut |cursor| {
            let mut tale = Tale { told: vec![Told::default()], ..Tale::default() };
            self.aside(cursor, &mut tale).then(|| aside_of(&tale)).flatten()
        });
        // Announcements have words of their own, and tellings are no announcements.
        let forms = ActKind::ALL.iter().filter(|kind| **kind != ActKind::Turn).map(|kind| kind.form());
        for form in forms.filter(|form| self.has_deeds && self.has_props(form)) {
            read_from(0, &mut |cursor| self.sentence(cursor, form).map(event));
        }
        let Some(words) = self.words() else { return found };
        for (from, start) in self.starts(&mut Cursor::new(text), words) {
            let mut cursor = Cursor::new(text);
            cursor.at = from;
            let beginning = self.beginning(&mut cursor);
            for (kind, way) in self.event_ways(words).filter(|(_, way)| way.can_begin(&beginning)) {
                read_from(from, &mut |cursor| self.way(cursor, kind, way, start, End::StopOrThen).map(event));
            }
        }
        let beginning = self.beginning(&mut Cursor::new(text));
        for (kind, way) in super::worded::aside_ways(words).filter(|(_, way)| way.can_begin(&beginning)) {
            read_from(0, &mut |cursor| {
                let who = self.aside_way(cursor, way)?;
                Some(match kind {
                    SentenceKind::Missed(is_noticed) => Sentence::Misses(who, is_noticed),
                    _ => Sentence::Peeks(who),
                })
            });
        }
        found
    }
}

fn event(told: Told<'_>) -> Sentence<'_> {
    Sentence::Event(Box::new(Told { span: Span::default(), ..told }))
}

/// What was read of the only event of a tale.
fn aside_of<'a>(tale: &Tale<'a>) -> Option<Sentence<'a>> {
    let deed = &tale.told.first()?.deed;
    match (deed.peeking.first(), deed.distracted.first()) {
        (Some(who), _) => Some(Sentence::Peeks(who)),
        (None, Some(&(who, is_noticed))) => Some(Sentence::Misses(who, is_noticed)),
        (None, None) => None,
    }
}

/// The length of the sentence at the beginning of a text, with the marks that end it.
fn sentence_length(text: &str) -> usize {
    let mut is_ended = false;
    for (at, c) in text.char_indices() {
        match c {
            '.' | '!' | '?' | '…' => is_ended = true,
            '"' | '\'' | ')' | '”' | '’' => {}
            c if c.is_whitespace() && is_ended || c == '\n' => return at,
            _ => is_ended = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::storyboard::parse;

    const BOARD: &str = "
storysim: 1
name: x
characters: {pool: [Ann, Bob, Cas, Dr. No]}
roles: [S1, T]
places: {complete: [hall, attic, the_hall]}
start: hall
horizon: 9
containers: {box: hall}
objects: {ball: box}
play: {move: 1, move_object: 1, peek: 1}
events: [{at: 3, move: {who: S1, to: attic}}]
questions: [{belief: [S1, T]}]
";

    fn kinds(text: &str) -> Vec<(&str, bool)> {
        let text_of_board = BOARD.replace(", peek: 1", "");
        let board = parse(Source { name: "x.yaml".into(), text: text_of_board }).unwrap();
        let sentences = Reader::new(&board, Vec::new()).sentences(text);
        sentences.iter().map(|(span, said)| (&text[span.range()], *said != Sentence::Other)).collect()
    }

    #[test]
    fn only_whole_sentences_are_read() {
        let board = parse(Source { name: "x.yaml".into(), text: BOARD.replace(", peek: 1", "") }).unwrap();
        let reader = Reader::new(&board, Vec::new());
        let count = |text: &str| reader.readings(text).len();
        assert_eq!(count("Ann enters attic."), 1);
        for text in [
            "Ann enters attic",
            "Ann enters attic. Bob enters hall.",
            "Ann enters attic. ",
            "1. Ann enters attic.",
        ] {
            assert_eq!(count(text), 0, "{text}");
        }
    }

    /// "hall" and "the hall" are two places here.
    #[test]
    fn an_article_that_tells_places_apart_is_kept() {
        let board = parse(Source { name: "x.yaml".into(), text: BOARD.replace(", peek: 1", "") }).unwrap();
        let reader = Reader::new(&board, Vec::new());
        let bare = |text: &str| reader.without_articles(text);
        assert_eq!(bare("Ann goes from the attic to the hall.").unwrap(), "Ann goes from attic to the hall.");
        assert_eq!(
            bare("The attic is where Ann goes from the attic.").unwrap(),
            "Attic is where Ann goes from attic."
        );
        for text in [
            "Ann enters the hall.",
            "Ann enters attic.",
            "The hall is entered by Ann.",
            "Attic is entered by Ann.",
            "Ann can breathe attic.",
        ] {
            assert_eq!(bare(text), None, "{text}");
        }
    }

    #[test]
    fn sentences_are_told_apart() {
        assert_eq!(
            kinds(
                "Ann enters attic. “Is it late? Bob enters hall. Or not.” Bob enters hall. Dr. No enters the hall."
            ),
            [
                ("Ann enters attic.", true),
                ("“Is it late?", false),
                ("Bob enters hall.", false),
                ("Or not.”", false),
                ("Bob enters hall.", true),
                ("Dr. No enters the hall.", true),
            ]
        );
        assert_eq!(kinds("Ann hums! Bob enters hall."), [("Ann hums!", false), ("Bob enters hall.", true)]);
        assert_eq!(
            kinds("Ann enters attic. Bob watches this from elsewhere, and nobody notices Bob."),
            [("Ann enters attic.", true), ("Bob watches this from elsewhere, and nobody notices Bob.", true)]
        );
    }
}
