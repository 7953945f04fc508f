//! Texts as words, and where names stand in them.
//!
//! `the_hallway`, `The hallway` and "hallway" are the same name; `room_1` is not in `room_12`.

/// A word, which is a run of letters (in lower case) or of digits.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub text: String,
    /// The text between the previous word and this one.
    pub gap: &'a str,
    /// The byte at which the word ends.
    pub end: usize,
}

impl Word<'_> {
    /// Whether it continues the previous word: `room_5`, `room5`.
    fn is_joined(&self) -> bool {
        self.gap.chars().all(|c| c == '_')
    }

    /// Whether a bracket or a dash stands before it.
    pub fn opens_bracket(&self) -> bool {
        self.gap.contains(['(', '[', '—', '–'])
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut from = 0; // of the gap
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        while let Some((at, c)) =
            chars.next_if(|(_, c)| c.is_alphanumeric() && c.is_ascii_digit() == first.is_ascii_digit())
        {
            end = at + c.len_utf8();
        }
        // Where a text begins there is no word that this one could go on.
        let gap = if words.is_empty() { " " } else { &text[from..start] };
        words.push(Word { text: text[start..end].to_lowercase(), gap, end });
        from = end;
    }
    words
}

/// Words that a name may begin with and that can be left out.
const ARTICLES: [&str; 3] = ["the", "a", "an"];

/// A name, as the words that make it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name(Vec<String>);

impl Name {
    pub fn new(name: &str) -> Self {
        let mut words: Vec<String> = words(name).into_iter().map(|word| word.text).collect();
        if words.len() > 1 && ARTICLES.contains(&words[0].as_str()) {
            words.remove(0);
        }
        Self(words)
    }

    /// The number of words that the name takes up here, if it occurs here.
    fn at(&self, words: &[Word<'_>], at: usize) -> Option<usize> {
        let length = self.0.len();
        let here = words.get(at..at + length).filter(|here| !here.is_empty())?;
        let is_same = here.iter().zip(&self.0).all(|(word, own)| word.text == *own);
        let is_whole = here[1..].iter().all(|word| word.gap.chars().all(is_within_name));
        let starts = !here[0].is_joined() || at == 0 || ARTICLES.contains(&words[at - 1].text.as_str());
        let next = words.get(at + length);
        // `a` and `an` are names only where no word follows that they could be the article of.
        let is_article = length == 1 && ARTICLES.contains(&self.0[0].as_str());
        let goes_on = next.is_some_and(|next| next.is_joined() || (is_article && next.gap.trim().is_empty()));
        (is_same && is_whole && starts && !goes_on).then_some(length)
    }
}

/// Whether a character can separate two words of a name: `room_5`, `Room 5`, `room-5`, `room\_5`.
fn is_within_name(c: char) -> bool {
    matches!(c, ' ' | '_' | '-' | '\\' | '#' | '\u{a0}')
}

/// An occurrence of a name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// The index of the name.
    pub name: usize,
    /// The index of its first word.
    pub from: usize,
    /// The index of the word after its last one.
    pub until: usize,
}

/// The occurrences of names in a text, in order; the longest one if several begin at the same word.
pub(super) fn mentions(words: &[Word<'_>], names: &[Name]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let here =
            names.iter().enumerate().filter_map(|(name, words_of)| Some((words_of.at(words, at)?, name)));
        match here.max_by_key(|(length, name)| (*length, std::cmp::Reverse(*name))) {
            Some((length, name)) => {
                found.push(Mention { name, from: at, until: at + length });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a text names something.
pub(super) fn does_name(text: &str, name: &str) -> bool {
    !mentions(&words(text), &[Name::new(name)]).is_empty()
}

/// The sentences of a text. The end of a line also ends a sentence.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if c == '\n' || matches!(c, '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && !goes_on) {
            found.push(&text[from..at + c.len_utf8()]);
            from = at + c.len_utf8();
        }
    }
    found.push(&text[from..]);
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, names: &[&str]) -> Vec<usize> {
        let names: Vec<Name> = names.iter().map(|name| Name::new(name)).collect();
        mentions(&words(text), &names).iter().map(|mention| mention.name).collect()
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        for text in
            ["the_hallway", "The Hallway.", "in the hallway", "\"hallway\"", "the **hallway**", "„Hallway“"]
        {
            assert_eq!(named(text, &["the_hallway"]), [0], "{text}");
        }
        for text in
            ["room_5", "Room 5", "room5", "ROOM-5", "room\\_5", "`room_5`", "_room_5_", "the room 5's door"]
        {
            assert_eq!(named(text, &["room_5"]), [0], "{text}");
        }
    }

    #[test]
    fn no_name_stands_within_another() {
        for text in
            ["room_12", "room 12", "room12", "bathroom_1", "room_1_b", "room_1b", "room. 1", "room\n1"]
        {
            assert_eq!(named(text, &["room_1"]), [0; 0], "{text}");
        }
        assert_eq!(named("room_12 or room_1", &["room_1", "room_12"]), [1, 0]);
        assert_eq!(named("the green box and the box", &["box", "green_box"]), [1, 0]);
    }

    #[test]
    fn an_article_is_no_name() {
        assert_eq!(named("a place that I know", &["a", "b"]), [0; 0]);
        assert_eq!(named("in a.", &["a", "b"]), [0]);
    }

    #[test]
    fn sentences_end_where_they_should() {
        assert_eq!(sentences("One. Two!\nThree 3.5 four"), ["One.", " Two!", "Three 3.5 four"]);
        assert_eq!(sentences("  \n**\n"), [""; 0]);
    }

    #[test]
    fn names_without_letters_stand_nowhere() {
        assert_eq!(named("what - is", &["-", ""]), [0; 0]);
    }
}
