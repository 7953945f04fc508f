//! Reads the rules that the context of a story states.

use super::super::Difference;
use super::rules::{Author, Condition, Doing, Expected, Rules, THE_ACT, Toward, Where};
use super::wrong;

/// Words that mean something, each with what.
type Meanings<'m, T> = [(&'m str, T)];

const SIDES: [(&str, &[bool]); 3] = [
    ("the side that they want", &[true]),
    ("the side that they do not want", &[false]),
    ("one of the two sides", &[]),
];
const AUTHORS: [(&str, Author); 3] =
    [("nobody", Author::Nobody), ("themselves", Author::Herself), ("somebody else", Author::Other)];
const EXPECTED: [(&str, Expected); 3] = [
    ("the side that they want", Expected::Wanted),
    ("the side that they do not want", Expected::Unwanted),
    ("neither side", Expected::Neither),
];
const PLACES: [(&str, Where); 3] = [
    ("an act is directed at somebody who is in the same place when the scenario ends", Where::Here),
    ("an act is directed at somebody who is then elsewhere", Where::Away),
    ("an act is directed at nobody", Where::Nobody),
];
const NOTHING: &str = "nothing can be done any more";
const SOMETHING: &str = "something can still be done";

/// The three parts of the rules in a context, each without the sentence that introduces it.
fn parts(context: &str) -> Option<[&str; 3]> {
    let (_, rest) = context.split_once(
        "What people feel follows from what they think and expected; of these rules, the first that fits holds. ",
    )?;
    let (feels, rest) = rest.split_once(
        " What people want follows from what they feel, and what they do from what they want; again, the first rule that \
         fits holds. ",
    )?;
    let (wants, does) = rest.split_once(" Acts are carried out like this: ")?;
    let (does, _) = does.split_once(". Everyone knows all these rules")?;
    Some([feels, wants, does])
}

/// Reads the rules in a context. `people` can be those at whom a want is directed.
pub fn read(context: &str, people: &[String]) -> Result<Rules, Difference> {
    let Some([feels, wants, does]) = parts(context) else {
        return Err(wrong("context", "no rules in this form", "what people feel, want and do"));
    };
    // What somebody expected, and what changes nothing, is said before them, in one way only.
    let said = "The two ways in which it can turn out are its sides. A side that is settled does not count as likely. What \
                somebody expected is the side that they last thought likely, however long ago, before they came to think what they \
                think now; whoever never thought either side likely expected neither. Hearing what one already thinks changes \
                nothing.";
    if !context.contains(said) {
        return Err(wrong("context", "no rule of what is expected", said));
    }
    let unread = |line: &str| wrong("context", line, "a rule with a meaning");
    let mut rules = Rules::default();
    for line in whoever(feels) {
        rules.feels.push(feeling(line).ok_or_else(|| unread(line))?);
    }
    let known: Vec<(&str, String)> =
        rules.feels.iter().map(|(_, feels)| (feels.as_str(), feels.clone())).collect();
    for line in whoever(wants) {
        rules.wants.push(want(line, &known, people).ok_or_else(|| unread(line))?);
    }
    let known: Vec<(&str, String)> =
        rules.wants.iter().map(|line| (line.wants.as_str(), line.wants.clone())).collect();
    for line in does.split("; ") {
        rules.does.push(doing(line, &known).ok_or_else(|| unread(line))?);
    }
    Ok(rules)
}

/// The sentences that begin with "Whoever", each without that and without its full stop.
fn whoever(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix("Whoever ").unwrap_or(text);
    text.strip_suffix('.').unwrap_or(text).split(". Whoever ")
}

/// The longest of these words with which a text begins: what they mean, and what follows.
fn one<'t, T: Clone>(text: &'t str, words: &Meanings<'_, T>) -> Option<(T, &'t str)> {
    let fitting = words.iter().filter(|(word, _)| text.starts_with(word));
    let (word, meaning) = fitting.max_by_key(|(word, _)| word.len())?;
    Some((meaning.clone(), &text[word.len()..]))
}

/// What "a, b or c" means, and what follows.
fn several<'t, T: Clone>(text: &'t str, words: &Meanings<'_, T>) -> Option<(Vec<T>, &'t str)> {
    let (first, mut rest) = one(text, words)?;
    let mut found = vec![first];
    while let Some((next, after)) = [", ", " or "].iter().find_map(|by| one(rest.strip_prefix(by)?, words)) {
        found.push(next);
        rest = after;
    }
    Some((found, rest))
}

/// What "thinks that …" or "has heard nothing of it" asks, and what follows.
fn condition(text: &str) -> Option<(Condition, &str)> {
    if let Some(rest) = text.strip_prefix("has heard nothing of it") {
        return Some((Condition { has_heard_nothing: true, ..Condition::default() }, rest));
    }
    let (wanted, rest) = one(text.strip_prefix("thinks that ")?, &SIDES)?;
    let mut when = Condition { thinks: true, wanted: wanted.to_vec(), ..Condition::default() };
    let mut rest = rest;
    if let Some(after) = rest.strip_prefix(" is settled and was brought about by ") {
        when.likely = vec![false];
        (when.author, rest) = several(after, &AUTHORS)?;
    } else {
        let states: [(&str, &[bool]); 3] =
            [(" is likely", &[true]), (" is settled", &[false]), (" is likely or settled", &[])];
        let (likely, after) = one(rest, &states)?;
        (when.likely, rest) = (likely.to_vec(), after);
    }
    for (word, is_final) in [(NOTHING, true), (SOMETHING, false)] {
        if let Some(after) = rest.strip_prefix(" and that ").and_then(|rest| rest.strip_prefix(word)) {
            (when.is_final, rest) = (vec![is_final], after);
        }
    }
    if let Some(after) = rest.strip_prefix(", having expected ") {
        let (expected, after) = several(after, &EXPECTED)?;
        (when.expected, rest) = (expected, after.strip_prefix(" before,")?);
    }
    Some((when, rest))
}

/// "thinks that the side that they want is likely is hopeful"
fn feeling(line: &str) -> Option<(Condition, String)> {
    let (when, rest) = condition(line)?;
    Some((when, rest.strip_prefix(" is ")?.to_owned()))
}

/// "is afraid and thinks that nothing can be done any more wants to …; the act is to …, directed at …"
fn want(line: &str, feelings: &Meanings<'_, String>, people: &[String]) -> Option<super::rules::Wanting> {
    let (feels, when, rest) = match line.strip_prefix("is ") {
        None => {
            let (when, rest) = condition(line)?;
            (Vec::new(), when, rest)
        }
        Some(rest) => {
            let (feels, rest) = several(rest, feelings)?;
            let (when, rest) = with_feeling(rest)?;
            (feels, when, rest)
        }
    };
    let (wants, rest) = rest.strip_prefix(" wants ")?.split_once("; the act is to ")?;
    let (act, at) = rest.rsplit_once(", directed at ").map(|(act, at)| (act.to_owned(), at))?;
    let toward = match at {
        "nobody" | "the one who decides" => Toward::Nobody,
        "the person who brought it about" => Toward::WhoeverDidIt,
        "the others, of whom one in the same place is enough" => Toward::AnyOther,
        name => Toward::Person(people.iter().position(|known| known == name)?),
    };
    Some(super::rules::Wanting { feels, when, wants: wants.to_owned(), act, toward })
}

/// What is asked besides a feeling, and what follows.
fn with_feeling(rest: &str) -> Option<(Condition, &str)> {
    for (word, is_final) in [(NOTHING, true), (SOMETHING, false)] {
        if let Some(after) = rest.strip_prefix(" and thinks that ").and_then(|rest| rest.strip_prefix(word)) {
            let when = Condition { thinks: true, is_final: vec![is_final], ..Condition::default() };
            return Some((when, after));
        }
    }
    match rest.strip_prefix(" and ") {
        Some(rest) => condition(rest),
        None => Some((Condition::default(), rest)),
    }
}

/// "if an act is directed at nobody and it is done by somebody who wants to …, people will do it, face to face"
fn doing(line: &str, wants: &Meanings<'_, String>) -> Option<Doing> {
    let (mut doing, mut rest) = (Doing { to: Vec::new(), wants: Vec::new(), text: String::new() }, line);
    if let Some(after) = rest.strip_prefix("in any other case, ") {
        rest = after;
    } else {
        rest = rest.strip_prefix("if ")?;
        if let Some((to, after)) = several(rest, &PLACES) {
            (doing.to, rest) = (to, after.strip_prefix(" and ").unwrap_or(after));
        }
        if let Some(after) = rest.strip_prefix("it is done by somebody who wants ") {
            (doing.wants, rest) = several(after, wants)?;
        }
        rest = rest.strip_prefix(", ")?;
    }
    rest = rest.strip_prefix("people will ")?;
    if rest.matches(THE_ACT).count() != 1 {
        return None;
    }
    doing.text = rest.to_owned();
    Some(doing)
}
