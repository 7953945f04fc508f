//! Words of feelings, of which none may stand in a story: they would answer a question.

use super::read::PackReader;
use super::text::Text;
use crate::diagnostic::Diagnostic;

/// How words of feelings begin, in small letters.
const STEMS: [&str; 27] = [
    "hope",
    "hopi",
    "afraid",
    "fear",
    "proud",
    "pride",
    "remorse",
    "sorry",
    "regret",
    "gratef",
    "gratitude",
    "thank",
    "angry",
    "anger",
    "satisf",
    "disappoint",
    "reliev",
    "relief",
    "glad",
    "happy",
    "happi",
    "joy",
    "sad",
    "downcast",
    "calm",
    "worri",
    "worry",
];

/// Words that begin like one of a feeling and are none.
const HARMLESS: [&str; 6] = ["saddle", "saddles", "saddlery", "gladioli", "gladiolus", "joystick"];

/// Refuses a text with a word that begins as words of feelings do.
pub fn no_word_of_feelings(reader: &mut PackReader<'_>, text: &Text) {
    for (word, span) in text.runs().into_iter().flatten() {
        let is_feeling =
            STEMS.iter().any(|stem| word.starts_with(stem)) && !HARMLESS.contains(&word.as_str());
        if is_feeling {
            let message = format!("`{word}` is a word of feelings");
            let problem = Diagnostic::error(message, span, "not in a story");
            reader.problem(problem.help("what people feel is asked for, so no word of a story may name it"));
        }
    }
}
