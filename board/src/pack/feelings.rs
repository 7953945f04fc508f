//! Words of feelings, of which none may stand in a story: they would answer a question.

use super::read::PackReader;
use super::rules::RuleWords;
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

fn is_feeling(word: &str) -> bool {
    STEMS.iter().any(|stem| word.starts_with(stem)) && !HARMLESS.contains(&word)
}

/// The first of these texts that names a feeling of these rules, with the feeling. Those that no pack may name are not looked for.
pub fn told_feeling<'t>(
    rules: &RuleWords,
    texts: impl Iterator<Item = &'t Text>,
) -> Option<(&'t Text, String)> {
    let words = |text: &Text| text.runs().into_iter().flatten().map(|(word, _)| word).collect::<Vec<_>>();
    let feelings: Vec<Vec<String>> = rules.feelings.iter().map(|(_, text)| words(text)).collect();
    let open: Vec<&Vec<String>> = feelings
        .iter()
        .filter(|words| !words.is_empty() && !words.iter().any(|word| is_feeling(word)))
        .collect();
    if open.is_empty() {
        return None;
    }
    let named = |text: &Text| {
        let told = words(text);
        // "upset" stands in "upsetting", too.
        let begins = |told: &[String], feeling: &[String]| {
            let last = feeling.len() - 1;
            told[..last] == feeling[..last] && told[last].starts_with(&feeling[last])
        };
        let is_told = |feeling: &&&Vec<String>| told.windows(feeling.len()).any(|told| begins(told, feeling));
        open.iter().find(is_told).map(|feeling| feeling.join(" "))
    };
    let mut texts = texts;
    texts.find_map(|text| Some((text, named(text)?)))
}

/// Refuses a text with a word that begins as words of feelings do.
pub fn no_word_of_feelings(reader: &mut PackReader<'_>, text: &Text) {
    for (word, span) in text.runs().into_iter().flatten() {
        if is_feeling(&word) {
            let message = format!("`{word}` is a word of feelings");
            let problem = Diagnostic::error(message, span, "not in a story");
            reader.problem(problem.help("what people feel is asked for, so no word of a story may name it"));
        }
    }
}
