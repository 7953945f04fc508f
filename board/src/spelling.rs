//! How the names of a storyboard are shown to readers: as people write them.
//!
//! What a storyboard calls `the_hallway`, a story calls "the hallway", and "The hallway" where a sentence begins.
//! Everything that is read by people or written by them says so; everything that refers to the storyboard keeps its
//! names. No other module knows how one follows from the other.

use std::borrow::Cow;

/// The words with which a name can begin that takes no article: articles and possessives.
const DETERMINERS: [&str; 10] = ["the", "a", "an", "my", "your", "his", "her", "its", "our", "their"];

/// A name as readers see it: with blanks for the underscores between its words.
///
/// ```
/// use storysim::spelling::shown;
/// assert_eq!((shown("the_hallway"), shown("room 2"), shown("_x")), ("the hallway".into(), "room 2".into(), "_x".into()));
/// ```
pub fn shown(name: &str) -> Cow<'_, str> {
    let inner = name.trim_matches('_');
    if !inner.contains('_') {
        return name.into();
    }
    let (before, after) = name.split_once(inner).expect("it is a part of the name");
    let words: Vec<&str> = inner.split([' ', '_']).filter(|word| !word.is_empty()).collect();
    format!("{before}{}{after}", words.join(" ")).into()
}

/// The name of a thing in a sentence, as readers see it: with an article, if it takes one.
///
/// ```
/// use storysim::spelling::with_article;
/// assert_eq!((with_article("red_box"), with_article("my_box")), ("the red box".into(), "my box".into()));
/// ```
pub fn with_article(name: &str) -> Cow<'_, str> {
    let shown = shown(name);
    if takes_article(&shown) { format!("the {shown}").into() } else { shown }
}

/// Whether a shown name takes `the`: not if it begins with an article, a possessive or a capital letter.
fn takes_article(shown: &str) -> bool {
    let first = shown.split(' ').next().unwrap_or_default();
    let is_possessive = ["'s", "’s", "s'", "s’"].iter().any(|ending| first.ends_with(ending));
    !(has_determiner(shown) || is_possessive || shown.starts_with(char::is_uppercase))
}

/// Whether a shown name has more words than the article or possessive with which it begins.
fn has_determiner(shown: &str) -> bool {
    shown.split_once(' ').is_some_and(|(first, _)| DETERMINERS.contains(&first))
}

/// A shown name without the article or possessive with which it begins.
///
/// ```
/// use storysim::spelling::without_article;
/// assert_eq!((without_article("the red box"), without_article("theatre")), ("red box", "theatre"));
/// ```
pub fn without_article(shown: &str) -> &str {
    if has_determiner(shown) { shown.split_once(' ').map_or(shown, |(_, rest)| rest) } else { shown }
}

/// A shown name where a sentence begins: its article or possessive has a capital letter. Any other name stays as it is.
///
/// ```
/// use storysim::spelling::at_start;
/// assert_eq!((at_start("the hallway"), at_start("room 2")), ("The hallway".into(), "room 2".into()));
/// ```
pub fn at_start(shown: &str) -> Cow<'_, str> {
    if !has_determiner(shown) {
        return shown.into();
    }
    let mut capital = shown.to_owned();
    capital[..1].make_ascii_uppercase();
    capital.into()
}

/// A text with a capital letter at its beginning, whatever it begins with.
///
/// ```
/// assert_eq!(storysim::spelling::capital("after that,"), "After that,");
/// ```
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// What follows these words in a text that begins with them, written with a capital letter.
///
/// ```
/// use storysim::spelling::after_capital;
/// assert_eq!(after_capital("After that, Ann goes.", "after that,"), Some(" Ann goes."));
/// assert_eq!(after_capital("after that, Ann goes.", "after that,"), None);
/// ```
pub fn after_capital<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut words = words.chars();
    let mut capital = words.next().into_iter().flat_map(char::to_uppercase);
    let rest = capital.try_fold(text, |text, letter| text.strip_prefix(letter))?;
    rest.strip_prefix(words.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_stand_between_words() {
        for (name, wanted) in [
            ("a_b_c", "a b c"),
            ("a__b", "a b"),
            ("a _b", "a b"),
            ("a  b", "a  b"),
            ("_a_b__", "_a b__"),
            ("__", "__"),
            ("x_", "x_"),
            ("Küche_2", "Küche 2"),
            ("", ""),
        ] {
            assert_eq!(shown(name), wanted, "{name}");
            assert_eq!(shown(wanted), wanted, "what is shown is shown as it is");
        }
    }

    #[test]
    fn articles_are_added_where_there_is_none() {
        for (name, wanted) in [
            ("marble", "the marble"),
            ("my_marble", "my marble"),
            ("a box", "a box"),
            ("a", "the a"),
            ("the", "the the"),
            ("zoe's box", "zoe's box"),
            ("Excalibur", "Excalibur"),
            ("theatre_ticket", "the theatre ticket"),
        ] {
            assert_eq!(with_article(name), wanted, "{name}");
        }
    }

    #[test]
    fn only_articles_and_possessives_get_a_capital() {
        for (shown, wanted) in [("her book", "Her book"), ("ann", "ann"), ("a", "a"), ("Émile", "Émile")] {
            assert_eq!(at_start(shown), wanted);
        }
    }
}
