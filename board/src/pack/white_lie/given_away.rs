//! The answer to why somebody spoke as she did shares no word with what is said, so that looking for words tells nothing.

use std::collections::HashMap;

use super::{Reason, WhiteLie};
use crate::diagnostic::{Diagnostic, Span};
use crate::pack::read::PackReader;
use crate::pack::text::Text;

/// How many of the words that a `why` shares are pointed out.
const SHOWN_MAX: usize = 4;

/// Words that are answers, of which the texts of a lie would have more than sincere ones, or fewer.
const VERDICTS: [&str; 2] = ["yes", "no"];

/// Refuses the words `yes` and `no` in texts that depend on whether the claim is so: whoever counts them would know.
pub fn check_verdicts(reader: &mut PackReader<'_>, words: &WhiteLie) {
    let told = words.all_reasons().map(|reason| &reason.told);
    let reasons = words.reason.iter().flat_map(|texts| [&texts.pretend, &texts.plain]);
    let truths = words.truth.iter().flat_map(|texts| [&texts.no, &texts.yes]);
    for (word, place) in told.chain(reasons).chain(truths).flat_map(all_words) {
        if VERDICTS.contains(&word.as_str()) {
            let message = format!("this text says `{word}`");
            let problem = Diagnostic::error(message, place, "an answer to many questions");
            let help =
                "where a lie has it more often than the truth, counting it would do. Say it in other words";
            reader.problem(problem.help(help));
        }
    }
}

/// Refuses every `why` that shares a word with its `told`, or with any other text but the whys.
pub fn check(reader: &mut PackReader<'_>, words: &WhiteLie) {
    let mut first_places: HashMap<String, Span> = HashMap::new();
    let matters = words.matters.iter().flat_map(|matter| matter.texts());
    let told = words.all_reasons().map(|reason| &reason.told);
    for (word, place) in matters.chain(told).chain(words.frames()).flat_map(all_words) {
        first_places.entry(word).or_insert(place);
    }
    for reason in words.all_reasons() {
        check_reason(reader, reason, &first_places);
    }
}

fn check_reason(reader: &mut PackReader<'_>, reason: &Reason, first_places: &HashMap<String, Span>) {
    let told: HashMap<String, Span> = all_words(&reason.told).into_iter().collect();
    let mut shared: Vec<(String, Span, Span)> = Vec::new();
    for (word, place) in all_words(&reason.why) {
        let Some(&elsewhere) = told.get(&word).or_else(|| first_places.get(&word)) else { continue };
        if shared.iter().all(|(found, ..)| *found != word) {
            shared.push((word, place, elsewhere));
        }
    }
    let Some((first, place, _)) = shared.first() else { return };
    let message = match shared.len() - 1 {
        0 => format!("this `why` shares the word `{first}` with another text"),
        1 => format!("this `why` shares `{first}` and another word with other texts"),
        further => format!("this `why` shares `{first}` and {further} other words with other texts"),
    };
    let mut problem = Diagnostic::error(message, *place, "this word");
    for (_, place, _) in shared.iter().skip(1).take(SHOWN_MAX - 1) {
        problem = problem.label(*place, "this word");
    }
    for (_, _, elsewhere) in shared.iter().take(SHOWN_MAX) {
        problem = problem.label(*elsewhere, "stands here, too");
    }
    let help = "it is the answer to a question: shared words, even short ones, would point to it. Say it in other words";
    reader.problem(problem.help(help));
}

fn all_words(text: &Text) -> Vec<(String, Span)> {
    text.runs().into_iter().flatten().collect()
}
