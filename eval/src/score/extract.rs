//! Finds the answer in a response by stated rules (`docs/scoring.md`), never by a model.
//!
//! The rules go from formats meant for programs to free text. The first rule that finds an answer decides.

use std::borrow::Cow;

use serde::Serialize;

use super::cue::{cues, heads};
use super::pick::{Options, Picked, says_any};
use super::response::{Ending, Response};
use super::words::words;

/// A stated answer that names no choice counts as another answer if it has at most this many words, otherwise as none.
const STATED_WORDS_MAX: usize = 6;

/// The largest number of announcements that are read, counting back from the last one.
const CUES_MAX: usize = 20;

/// Phrases that make a response a refusal if it names no answer.
const REFUSALS: [&str; 22] = [
    "can t help",
    "cannot help",
    "can not help",
    "can t assist",
    "cannot assist",
    "can t answer",
    "cannot answer",
    "won t answer",
    "will not answer",
    "can t comply",
    "cannot comply",
    "won t comply",
    "unable to help",
    "unable to assist",
    "unable to answer",
    "unable to comply",
    "not able to help",
    "not able to assist",
    "must decline",
    "have to decline",
    "as an ai",
    "against my guidelines",
];

/// The rule that found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The key `answer` of a JSON object.
    Json,
    /// `\boxed{…}`.
    Boxed,
    /// The words after the last `answer:`, `the answer is`, or a heading to that effect.
    Cue,
    /// The whole response is a name, or the letter of an option.
    Whole,
    /// The last name in bold.
    Bold,
    /// The last sentence that names anything.
    LastNamed,
}

/// What a response gives as the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A choice or another name known to the row, in the row's spelling.
    Named(String),
    /// Something that is neither a choice nor known to the row.
    Outside,
    /// No answer.
    Nothing,
    /// A refusal to answer.
    Refusal,
    /// No answer because the response was cut off before it.
    CutOff,
}

/// The answer that a response gives, and the rule that found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// The answer that the response gives.
    pub given: Given,
    /// The rule that found the answer, if one did.
    pub rule: Option<Rule>,
}

/// Finds the answer in a response.
///
/// ```
/// use storysim::{dataset::Fields, score::{Given, Options, Response, Rule, extract}};
/// let choices = ["room_1".to_owned(), "the_hallway".to_owned()].into();
/// let options = Options::of(&Fields { choices, ..Fields::default() });
/// let response = Response::new("She left room_1. **Answer:** the Hallway, since nobody told her.");
/// let found = extract(&response, &options);
/// assert_eq!((found.given, found.rule), (Given::Named("the_hallway".into()), Some(Rule::Cue)));
/// ```
pub fn extract(response: &Response, options: &Options) -> Extraction {
    let without = |given| Extraction { given, rule: None };
    if response.ending == Ending::Refused {
        return without(Given::Refusal);
    }
    let (text, is_thinking) = without_thoughts(&response.text);
    let is_cut = is_thinking || response.ending == Ending::CutOff;
    let stated = by_json(&text, options)
        .or_else(|| by_box(&text, options))
        .or_else(|| by_cue(&text, options))
        .or_else(|| by_whole(&text, options));
    if let Some((given, rule)) = stated {
        if given == Given::Outside && says_any(&text, &REFUSALS) {
            return without(Given::Refusal);
        }
        return Extraction { given, rule: Some(rule) };
    }
    if is_cut {
        // What it named last on its way is no answer.
        return without(Given::CutOff);
    }
    if says_any(&text, &REFUSALS) {
        return without(Given::Refusal);
    }
    let found = by_bold(&text, options).or_else(|| {
        Some((given(options.pick_last(&text))?, Rule::LastNamed))
            .filter(|(given, _)| *given != Given::Outside)
    });
    let found = found.or_else(|| Some((undecided(&text, options)?, Rule::LastNamed)));
    match found {
        Some((given, rule)) => Extraction { given, rule: Some(rule) },
        None => without(Given::Nothing),
    }
}

/// The answer of a text that says it cannot tell: `unknown` if that is a choice, otherwise no answer.
fn undecided(text: &str, options: &Options) -> Option<Given> {
    let unknown = options.choices().iter().find(|choice| *choice == "unknown");
    Options::is_undecided(text).then(|| unknown.cloned().map_or(Given::Nothing, Given::Named))
}

/// What is given as the answer by a text that names this.
fn given(picked: Picked) -> Option<Given> {
    match picked {
        Picked::Nothing => None,
        Picked::Named(name) => Some(Given::Named(name)),
        Picked::Outside => Some(Given::Outside),
        Picked::Either => Some(Given::Nothing),
    }
}

/// The text without any reasoning between tags, and whether it ends in unfinished reasoning.
fn without_thoughts(text: &str) -> (Cow<'_, str>, bool) {
    let mut rest = Cow::Borrowed(text);
    for tag in ["think", "thinking", "thought", "reasoning"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        // A template may have written the opening itself.
        if let Some(at) = rest.rfind(&close) {
            rest = Cow::Owned(rest[at + close.len()..].to_owned());
        }
        if let Some(at) = rest.find(&open) {
            return (Cow::Owned(rest[..at].to_owned()), true);
        }
    }
    (rest, false)
}

/// The answer in a piece of text that contains nothing but the answer.
fn of_span(span: &str, options: &Options) -> Option<Given> {
    given(options.pick_first(span))
        .or_else(|| letter(span, options))
        .or_else(|| undecided(span, options))
        .or_else(|| words(span).first().map(|_| Given::Outside))
}

/// The answer in the last value of a key `answer`.
fn by_json(text: &str, options: &Options) -> Option<(Given, Rule)> {
    let lower = text.to_ascii_lowercase();
    let at = lower.rfind("\"answer\"")? + "\"answer\"".len();
    let value = text[at..].trim_start().strip_prefix(':')?;
    let value = serde_json::Deserializer::from_str(value).into_iter::<serde_json::Value>().next()?.ok()?;
    let span = match &value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(items) => {
            items.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(", ")
        }
        serde_json::Value::Bool(is_so) => if *is_so { "yes" } else { "no" }.to_owned(),
        _ => return None,
    };
    // An empty answer is one that says nothing.
    Some((of_span(&span, options).unwrap_or(Given::Nothing), Rule::Json))
}

/// The answer in the last `\boxed{…}`.
fn by_box(text: &str, options: &Options) -> Option<(Given, Rule)> {
    let inside = &text[text.rfind("\\boxed{")? + "\\boxed{".len()..];
    let mut depth = 1;
    let end = inside.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        (depth == 0).then_some(at)
    })?;
    let span = inside[..end].replace("\\text{", " ").replace("\\mathrm{", " ").replace("\\_", "_");
    Some((of_span(&span, options)?, Rule::Boxed))
}

/// The answer named after the last words that announce one.
fn by_cue(text: &str, options: &Options) -> Option<(Given, Rule)> {
    let cues = cues(text);
    let found = cues.iter().rev().take(CUES_MAX).find_map(|cue| {
        let scope = &text[cue.end..];
        let line = heads(scope, options.is_list());
        given(options.pick_first(line)).or_else(|| letter(line, options)).or_else(|| {
            let says = words(line).len();
            undecided(line, options).or_else(|| {
                (cue.is_colon && (1..=STATED_WORDS_MAX).contains(&says)).then_some(Given::Outside)
            })
        })
    });
    let found = found.or_else(|| {
        // An answer announced in one sentence may be given in a later one.
        given(options.pick_last(&text[cues.last()?.end..])).filter(|given| *given != Given::Outside)
    });
    Some((found?, Rule::Cue))
}

/// The answer of a response that consists of a name or a letter.
fn by_whole(text: &str, options: &Options) -> Option<(Given, Rule)> {
    let text = text.trim().trim_matches(['`', '*', '"', '\'']);
    let first = text.lines().next()?;
    let is_one = text.lines().filter(|line| !line.trim().is_empty()).count() == 1;
    let is_name = is_one && options.is_only_names(text);
    let named = is_name.then(|| given(options.pick(text))).flatten();
    let lettered = || if is_one { letter(text, options) } else { marked_letter(first, options) };
    Some((named.or_else(lettered)?, Rule::Whole))
}

/// The answer in the last name in bold.
fn by_bold(text: &str, options: &Options) -> Option<(Given, Rule)> {
    // The pieces between the marks are plain and bold in turn, line by line.
    let bold = text.lines().flat_map(|line| line.split("**").skip(1).step_by(2)).collect::<Vec<_>>();
    let found = bold.into_iter().rev().find_map(|span| match options.pick(span) {
        Picked::Named(name) => Some(Given::Named(name)),
        _ => None,
    });
    Some((found?, Rule::Bold))
}

/// The choice with the letter that a piece of text consists of or begins with.
fn letter(span: &str, options: &Options) -> Option<Given> {
    let span = span.trim().trim_matches(['*', '`', '"', '\'', '$', ' ']);
    let span = ["option ", "choice ", "Option ", "Choice "]
        .iter()
        .find_map(|word| span.strip_prefix(word))
        .unwrap_or(span);
    let mut only = words(span).into_iter();
    let is_alone = only.next().is_some_and(|word| word.text.len() == 1) && only.next().is_none();
    if is_alone {
        return choice(span.chars().find(|c| c.is_alphanumeric())?, options);
    }
    marked_letter(span, options)
}

/// The choice with the letter that a piece of text begins with, if it is marked as such: `(B)`, `B.`, `B)`, `B:`,
/// `B because`. The `A` of `A place` is not.
fn marked_letter(span: &str, options: &Options) -> Option<Given> {
    let span = span.trim_start().trim_start_matches(['*', '`', '"', '$']);
    if let Some(inside) = span.strip_prefix(['(', '[']) {
        let mut chars = inside.chars();
        let (letter, close) = (chars.next()?, chars.next()?);
        return matches!(close, ')' | ']').then(|| choice(letter, options)).flatten();
    }
    let mut chars = span.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    let rest = chars.as_str().trim_start_matches(['*', '`', '"']);
    let is_marked = rest.starts_with(['.', ')', ':', ',', ';', '\n']) || rest.is_empty();
    let because = ["because", "since"].iter().any(|word| rest.trim_start().starts_with(word));
    (is_marked || because).then(|| choice(letter, options)).flatten()
}

fn choice(letter: char, options: &Options) -> Option<Given> {
    let at = letter.is_ascii_alphabetic().then(|| letter.to_ascii_uppercase() as usize - 'A' as usize)?;
    options.choices().get(at).cloned().map(Given::Named)
}
