//! Packs of small talk: how scenarios open, and what bystanders say that carries nothing.

use super::brackets::in_case;
use super::feelings::no_word_of_feelings;
use super::read::{PackReader, TextForm};
use super::text::{Piece, Text};
use super::wording::Tense;
use crate::diagnostic::Diagnostic;
use crate::storyboard::Fields;

/// The keys of such a pack.
pub const KEYS: [&str; 3] = ["openings", "replies", "remarks"];

/// How many texts each list needs, in the order of the keys.
const LEAST: [usize; 3] = [8, 8, 16];

/// The longest text: it stands beside others, and is none that matters.
const CHARACTERS_MAX: usize = 100;

/// How a text can end.
const ENDS: [char; 3] = ['.', '!', '?'];

/// What is said in stories of news besides the news.
///
/// ```
/// let words = storysim::pack::built_in("small-talk").unwrap().small_talk().unwrap();
/// assert!(words.replies.len() >= 30 && words.remarks.len() >= 60);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmallTalkWords {
    /// `openings`: the sentence with which a scenario opens
    pub openings: Vec<Text>,
    /// The same openings in the past, if they are written in both tenses: `It [is|was] raining.`
    pub past_openings: Vec<Text>,
    /// `replies`: what somebody says who has heard an announcement
    pub replies: Vec<Text>,
    /// `remarks`: what somebody says at any time to those who are there
    pub remarks: Vec<Text>,
}

impl SmallTalkWords {
    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.openings.iter().chain(&self.past_openings).chain(&self.replies).chain(&self.remarks)
    }

    /// How many entries each list has, by its key.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let Self { openings, replies, remarks, .. } = self;
        KEYS.into_iter().zip([openings, replies, remarks].map(Vec::len))
    }
}

/// Reads a pack of small talk.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> SmallTalkWords {
    const PHRASES: [&str; 3] = ["a text of `openings`", "a text of `replies`", "a text of `remarks`"];
    let lists = [0, 1, 2].map(|at| {
        let form = TextForm { characters_max: CHARACTERS_MAX, ..TextForm::fixed(PHRASES[at]) };
        let texts = reader.wordings(fields, KEYS[at], LEAST[at], &form).unwrap_or_default();
        let tenses = if at == 0 { in_tenses(reader, texts) } else { [texts, Vec::new()] };
        for (number, text) in tenses[0].iter().enumerate() {
            let before = reader.problem_count();
            for told in std::iter::once(text).chain(tenses[1].get(number)) {
                // What is wrong in both tenses is said once.
                if reader.problem_count() == before {
                    no_word_of_feelings(reader, told);
                    one_sentence(reader, told, &form, at == 0);
                }
            }
        }
        tenses
    });
    let [[openings, past_openings], [replies, _], [remarks, _]] = lists;
    let before = reader.problem_count();
    reader.all_different(&openings, "two openings read the same in the present");
    reader.all_different(&past_openings, "two openings read the same in the past");
    if reader.problem_count() == before {
        reader
            .all_different(openings.iter().chain(&replies).chain(&remarks), "this text stands in two lists");
    }
    SmallTalkWords { openings, past_openings, replies, remarks }
}

/// Openings in the present and in the past; none in the past, if no opening is written in both.
fn in_tenses(reader: &mut PackReader<'_>, texts: Vec<Text>) -> [Vec<Text>; 2] {
    if !texts.iter().any(|text| text.to_string().contains(['[', ']', '|'])) {
        return [texts, Vec::new()];
    }
    let mut tenses = [Vec::new(), Vec::new()];
    for text in texts {
        let written = text.to_string();
        let help = "write its verb in the present and in the past, as in `It [is|was] raining.`";
        let told = Tense::ALL.map(|tense| in_case(&written, tense as usize, Tense::ALL.len(), help));
        let wrong = match &told {
            [Ok(present), Ok(past)] if present == past => "it has one tense, and others have two",
            [Ok(_), Ok(_)] => {
                for (told, texts) in told.into_iter().flatten().zip(&mut tenses) {
                    texts.push(Text { pieces: vec![Piece::Words(told)], span: text.span, start: None });
                }
                continue;
            }
            [Err(wrong), _] | [_, Err(wrong)] => &wrong.remark,
        };
        let message = "an opening is in the present, or in the present and in the past";
        reader.problem(Diagnostic::error(message, text.span, wrong).help(help));
    }
    tenses
}

/// Refuses a text that is not one sentence, or not to be put between quotation marks.
fn one_sentence(reader: &mut PackReader<'_>, text: &Text, form: &TextForm, is_told: bool) {
    let written = text.to_string();
    let ends: &[char] = if is_told { &ENDS[..1] } else { &ENDS };
    let inner = written.strip_suffix(ends);
    let goes_on = |at: usize| written[at + 1..].starts_with(char::is_whitespace);
    let wrong = match inner {
        None if is_told => Some(("it has no full stop at its end", "end it with `.`")),
        None => Some(("it does not end like a sentence", "end it with `.`, `!` or `?`")),
        Some(inner) if inner.ends_with(ENDS) => {
            Some(("it has several marks at its end", "leave one of them"))
        }
        Some(_) if written.match_indices(ENDS).any(|(at, _)| goes_on(at)) => {
            Some(("it has several sentences", "leave one of them"))
        }
        Some(_) if written.contains(['“', '”', '"', '\n']) => {
            Some(("it has quotation marks", "it is put between such marks itself: leave them out"))
        }
        Some(_) => None,
    };
    if let Some((wrong, help)) = wrong {
        let message = format!("{} is one sentence", form.phrase);
        reader.problem(Diagnostic::error(message, text.span, wrong).help(help));
    }
}
