//! Which answer a piece of text gives, if it names several.

use std::collections::BTreeSet;

use super::words::{Mention, Name, Word, mentions, sentences, words};
use crate::dataset::Fields;
use crate::form::Answers;

/// Words after which an answer gives reasons or tells how it came about.
const ASIDES: [&str; 19] = [
    "because", "since", "as", "although", "though", "while", "whereas", "where", "when", "after", "before",
    "which", "who", "from", "given", "until", "but", "based", "instead",
];

/// Words after which any sentence gives reasons.
const REASONS: [&str; 2] = ["because", "since"];

/// Words that may stand between `not` and a name, as in `not in the garden`.
const FILLERS: [&str; 11] = ["in", "at", "to", "the", "a", "an", "into", "inside", "on", "by", "necessarily"];

/// Phrases with which a text that names nothing says that it cannot tell.
const UNDECIDED: [&str; 12] = [
    "cannot be determined",
    "can t be determined",
    "cannot determine",
    "can t determine",
    "not enough information",
    "impossible to say",
    "impossible to tell",
    "impossible to know",
    "i don t know",
    "i do not know",
    "no idea",
    "cannot be known",
];

/// The names that can be given as the answer to a question.
#[derive(Clone, Debug)]
pub struct Options {
    /// The choices, followed by other names that a reader may take for the answer: foils, the start.
    candidates: Vec<String>,
    /// How many of the candidates are choices.
    choices: usize,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// The answer is one of the candidates.
    One(Vec<Name>),
    /// The answer is `yes` or `no`, and perhaps `unknown`.
    YesNo,
    /// The answer is several of these names, or nobody.
    List(Vec<String>, Vec<Name>),
    /// The answer is one of the choices, word for word.
    Phrase,
}

/// What a piece of text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// The text names nothing.
    Nothing,
    /// The text names one of the candidates.
    Named(String),
    /// The text names people who together are not a candidate.
    Outside,
    /// The text names several alternatives: this or that.
    Either,
}

impl Options {
    /// The options of a row.
    pub fn of(fields: &Fields) -> Self {
        let mut candidates = fields.choices.clone();
        let starts = fields.start_of_target().map(str::to_owned);
        for other in fields.foils.values().flatten().cloned().chain(starts) {
            if !candidates.contains(&other) {
                candidates.push(other);
            }
        }
        let all_in = |few: &[&str]| fields.choices.iter().all(|choice| few.contains(&choice.as_str()));
        let answers = fields.question_kind().map(|kind| kind.form().answers);
        let form = if all_in(&["yes", "no", "unknown"]) {
            candidates.truncate(fields.choices.len());
            Form::YesNo
        } else if answers.is_some_and(|answers| is_phrase(answers, &fields.choices)) {
            candidates.truncate(fields.choices.len());
            Form::Phrase
        } else if matches!(answers, Some(Answers::People | Answers::PeopleOrVerdict)) {
            // Of lists no place is one.
            candidates.truncate(fields.choices.len());
            candidates.extend(fields.foils.get("lower_order").cloned().flatten());
            let people: BTreeSet<&str> = candidates.iter().flat_map(|list| list.split(", ")).collect();
            let people: Vec<String> =
                people.into_iter().filter(|name| *name != "nobody").map(str::to_owned).collect();
            let names = people.iter().map(|name| Name::new(name)).collect();
            Form::List(people, names)
        } else {
            Form::One(candidates.iter().map(|name| Name::new(name)).collect())
        };
        Self { choices: fields.choices.len(), candidates, form }
    }

    /// The choices of the question.
    pub(super) fn choices(&self) -> &[String] {
        &self.candidates[..self.choices]
    }

    /// In what form the answer is given, as one word for reports.
    pub(super) const fn format(&self) -> &'static str {
        match self.form {
            Form::YesNo => "yes_no",
            Form::List(..) => "list",
            Form::One(_) | Form::Phrase => "choice",
        }
    }

    /// Whether an answer may be several people.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.form, Form::List(..))
    }

    /// Whether a text says that its author cannot tell.
    pub(super) fn is_undecided(text: &str) -> bool {
        says_any(text, &UNDECIDED)
    }

    /// What a sentence names as its answer.
    pub(super) fn pick(&self, sentence: &str) -> Picked {
        self.pick_until(&ASIDES, sentence)
    }

    /// What a sentence names before any of these words.
    fn pick_until(&self, asides: &[&str], sentence: &str) -> Picked {
        let words = words(sentence);
        match &self.form {
            Form::YesNo => {
                let first = words.iter().find(|word| self.choices().contains(&word.text));
                first.map_or(Picked::Nothing, |word| Picked::Named(word.text.clone()))
            }
            Form::Phrase => self.phrase(sentence),
            Form::One(names) => pick_one(&words, &said(&words, names, asides), &self.candidates),
            Form::List(people, names) => {
                let named: BTreeSet<&str> =
                    said(&words, names, asides).iter().map(|mention| people[mention.name].as_str()).collect();
                let nobody = words.iter().any(|word| matches!(word.text.as_str(), "nobody" | "none"))
                    || words.windows(2).any(|pair| pair[0].text == "no" && pair[1].text == "one");
                self.of_set(&named, nobody)
            }
        }
    }

    /// The choice that stands in a text word for word, and not only as a part of a longer one.
    fn phrase(&self, text: &str) -> Picked {
        let said = spelt(text);
        let stands = |text: &[String], choice: &[String]| {
            text.windows(choice.len().max(1)).any(|words| words == choice)
        };
        let spelt = self.choices().iter().map(|choice| (choice, spelt(choice)));
        let found: Vec<_> = spelt.filter(|(_, choice)| stands(&said, choice)).collect();
        let is_part = |(_, choice): &&(&String, Vec<String>)| {
            found.iter().any(|(_, other)| other.len() > choice.len() && stands(other, choice))
        };
        match &found.iter().filter(|choice| !is_part(choice)).collect::<Vec<_>>()[..] {
            [] => Picked::Nothing,
            [(choice, _)] => Picked::Named((*choice).clone()),
            _ => Picked::Either,
        }
    }

    /// The candidate that lists these names.
    fn of_set(&self, named: &BTreeSet<&str>, nobody: bool) -> Picked {
        let wanted = match (named.is_empty(), nobody) {
            (true, true) => &BTreeSet::from(["nobody"]),
            (true, false) => return Picked::Nothing,
            (false, _) => named,
        };
        let list = self.candidates.iter().find(|list| list.split(", ").collect::<BTreeSet<_>>() == *wanted);
        list.map_or(Picked::Outside, |list| Picked::Named(list.clone()))
    }

    /// Whether a text consists only of names and of words that may stand before a name or between two names.
    pub(super) fn is_only_names(&self, text: &str) -> bool {
        let words = words(text);
        let is_filler = |word: &Word<'_>| FILLERS.contains(&word.text.as_str()) || word.text == "and";
        match &self.form {
            Form::YesNo => words.len() == 1,
            Form::Phrase => self.choices().iter().any(|choice| spelt(choice) == spelt(text)),
            Form::One(names) | Form::List(_, names) => {
                let mut is_named = vec![false; words.len()];
                for mention in mentions(&words, names) {
                    is_named[mention.from..mention.until].fill(true);
                }
                words.iter().zip(is_named).all(|(word, is)| is || is_filler(word) || word.text == "nobody")
            }
        }
    }

    /// What is named by the first sentence that names anything.
    pub(super) fn pick_first(&self, text: &str) -> Picked {
        if let Some(list) = self.bullets(text) {
            return self.pick(&list);
        }
        let picked = sentences(text).into_iter().map(|sentence| self.pick(sentence));
        picked.into_iter().find(|picked| *picked != Picked::Nothing).unwrap_or(Picked::Nothing)
    }

    /// What is named by the last sentence that names anything.
    pub(super) fn pick_last(&self, text: &str) -> Picked {
        let picked = sentences(text).into_iter().rev().map(|sentence| match self.form {
            // In a sentence of its own, `no` is a word like any other: only its ends are answers.
            Form::YesNo => self.pick_ends(sentence),
            _ => self.pick_until(&REASONS, sentence),
        });
        picked.into_iter().find(|picked| *picked != Picked::Nothing).unwrap_or(Picked::Nothing)
    }

    fn pick_ends(&self, sentence: &str) -> Picked {
        let words = words(sentence);
        let ends = [words.first(), words.last()].into_iter().flatten();
        let found = ends.map(|word| &word.text).find(|text| self.choices().contains(text));
        found.map_or(Picked::Nothing, |text| Picked::Named(text.clone()))
    }

    /// The items of a bulleted list at the beginning of a text, as one sentence.
    fn bullets(&self, text: &str) -> Option<String> {
        let item =
            |line: &str| line.trim().strip_prefix(['-', '*', '•', '+']).map(|item| item.trim().to_owned());
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let items: Vec<String> = lines.map_while(item).collect();
        (self.is_list() && items.len() > 1).then(|| items.join(", "))
    }
}

/// Whether answers of this form are sentences, or at least longer than a word.
fn is_phrase(answers: Answers, choices: &[String]) -> bool {
    match answers {
        Answers::Why | Answers::Standing => true,
        // What somebody feels is said in a word, and replies say it in sentences of their own.
        Answers::State => choices.iter().any(|choice| choice.contains(' ')),
        _ => false,
    }
}

/// The words of a text, spelt alike.
fn spelt(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

/// The names that a sentence does not deny, up to one of these words or a bracket.
fn said(words: &[Word<'_>], names: &[Name], asides: &[&str]) -> Vec<Mention> {
    let mut said: Vec<Mention> = Vec::new();
    for mention in mentions(words, names) {
        let is_aside = said.last().is_some_and(|last| {
            let between = &words[last.until..=mention.from];
            between.iter().any(|word| asides.contains(&word.text.as_str()) || word.opens_bracket())
        });
        if is_aside {
            break;
        }
        if !is_denied(&words[..mention.from]) {
            said.push(mention);
        }
    }
    said
}

/// Whether a name is denied by the words before it: `not in`, `no longer in`, `isn't in`, `rather than`, `instead of`.
fn is_denied(before: &[Word<'_>]) -> bool {
    let mut before = before.iter().rev().skip_while(|word| FILLERS.contains(&word.text.as_str()));
    let (last, previous) = (before.next(), before.next());
    let [last, previous] = [last, previous].map(|word| word.map_or("", |word| word.text.as_str()));
    matches!(
        (previous, last),
        (_, "not" | "never" | "neither" | "nor") | ("rather", "than") | ("instead", "of") | ("no", "longer")
    ) || (last == "t" && previous.ends_with('n'))
}

/// The last of these names, or none of them if the text says `this or that`.
fn pick_one(words: &[Word<'_>], said: &[Mention], candidates: &[String]) -> Picked {
    let Some(last) = said.last() else { return Picked::Nothing };
    let before = said.iter().rev().nth(1).filter(|before| before.name != last.name);
    let is_either = before.is_some_and(|before| {
        let between = &words[before.until..last.from];
        between.len() <= 4 && between.iter().any(|word| word.text == "or")
    });
    if is_either { Picked::Either } else { Picked::Named(candidates[last.name].clone()) }
}

/// Whether a text contains one of these phrases, which are words in lower case separated by spaces.
pub(super) fn says_any(text: &str, phrases: &[&str]) -> bool {
    let words: Vec<String> = words(text).into_iter().map(|word| word.text).collect();
    let text = format!(" {} ", words.join(" "));
    phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(kind: &str, choices: &[&str]) -> Options {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        Options::of(&Fields { kind: kind.to_owned(), choices, ..Fields::default() })
    }

    fn named(name: &str) -> Picked {
        Picked::Named(name.to_owned())
    }

    #[test]
    fn of_phrases_the_longest_counts() {
        let states = ["to help it along", "to help it along and to be forgiven", "to be comforted"];
        let wants = options("intention", &states);
        for (text, wanted) in [
            ("She wants to help it along.", named(states[0])),
            ("She wants to help it along, and to be forgiven.", named(states[1])),
            ("She wants to help it along or to be comforted.", Picked::Either),
            ("She wants to go on.", Picked::Nothing),
        ] {
            assert_eq!(wants.pick(text), wanted, "{text}");
        }
        let feels = options("emotion", &["proud", "sad"]);
        assert_eq!(feels.pick("She is not proud but sad."), named("sad"));
    }

    #[test]
    fn the_last_name_that_is_not_denied_counts() {
        let rooms = options("belief", &["room_1", "room_2", "room_3"]);
        for (text, wanted) in [
            ("not in room_2 but in room_3", named("room_3")),
            ("room_3, not room_2", named("room_3")),
            ("room_3 rather than room_2", named("room_3")),
            ("he isn't in the room_2, he is in room_3", named("room_3")),
            ("it is no longer in room_2", Picked::Nothing),
            ("room_3 because she left room_2", named("room_3")),
            ("room_3 (he came from room_1)", named("room_3")),
            ("he went from room_1 to room_3", named("room_3")),
            ("room_1, then room_2", named("room_2")),
            ("room_1 or room_2", Picked::Either),
            ("either in room_1 or in the room_2", Picked::Either),
            ("room_1 or, in other words, room 1", named("room_1")),
            ("nowhere", Picked::Nothing),
        ] {
            assert_eq!(rooms.pick(text), wanted, "{text}");
        }
    }

    #[test]
    fn in_prose_only_reasons_are_asides() {
        let rooms = options("belief", &["room_1", "room_2", "room_3"]);
        for (text, wanted) in [
            ("Since Ann was in room_1 when Bob left, she thinks that he is in room_3.", named("room_3")),
            ("She saw him in room_1, but was told that he is in room_3.", named("room_3")),
            ("She thinks that he is in room_3, because she saw him in room_1.", named("room_3")),
            ("He is in room_3. Nobody saw it.", named("room_3")),
            ("He is in room_3. She saw him in room_1.", named("room_1")),
        ] {
            assert_eq!(rooms.pick_last(text), wanted, "{text}");
        }
    }

    #[test]
    fn lists_are_sets() {
        let lists = options("who_knows", &["Ann, Bob", "Bob", "Ann, Bob, Cas", "nobody"]);
        for (text, wanted) in [
            ("Bob and Ann", named("Ann, Bob")),
            ("Ann, Bob, and Cas", named("Ann, Bob, Cas")),
            ("Bob", named("Bob")),
            ("Nobody does.", named("nobody")),
            ("No one", named("nobody")),
            ("Bob, but not Ann", named("Bob")),
            ("Cas", Picked::Outside),
            ("all of them", Picked::Nothing),
        ] {
            assert_eq!(lists.pick(text), wanted, "{text}");
        }
        assert_eq!(lists.pick_first("\n- Ann\n- Bob\n\nCas does not."), named("Ann, Bob"));
    }

    #[test]
    fn of_yes_and_no_the_first_counts() {
        let why = options("why", &["own culinary disaster", "mending recent rift"]);
        assert_eq!(why.pick("It was the mending, recent rift."), Picked::Named("mending recent rift".into()));
        assert_eq!(why.pick("Mending recent rift or own culinary disaster"), Picked::Either);
        assert_eq!(why.pick("Mending a rift"), Picked::Nothing);
        assert!(
            why.is_only_names("Own culinary disaster.") && !why.is_only_names("my own culinary disaster")
        );
        let words = options("knows", &["yes", "no"]);
        assert_eq!(words.pick("No: yes would need that she saw it"), named("no"));
        assert_eq!(words.pick_last("There is no way that she saw it. So no."), named("no"));
        assert_eq!(words.pick_last("There is no way that she saw it."), Picked::Nothing);
        assert!(Options::is_undecided("It can't be determined."));
        assert!(!Options::is_undecided("She does not know."));
    }
}
