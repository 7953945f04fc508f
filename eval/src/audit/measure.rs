//! What the audit keeps of one case: which choice each shortcut names, and what learners look at.
//!
//! Measuring needs nothing but the case, so cases can be measured on many threads at once; [`Audit`](super::Audit)
//! adds them up in their order.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::case::{Case, Group};
use super::lesson::Shown;
use super::mentions::{Mentions, bag, hash, words};
use super::signs::Signs;
use super::{Itinerary, shortcut};
use crate::spelling::at_start;

/// The largest number of sentences that are counted from either end of a story.
pub const SENTENCES_MAX: usize = 100;

/// The largest number of words of a text that are read.
const WORDS_MAX: usize = 5_000;

/// The largest number of different words of a text that are kept. The choice of words is the same for every text.
const WORDS_KEPT_MAX: usize = 256;

/// A case, measured.
#[derive(Debug)]
pub struct Measured {
    pub(super) group: Group,
    /// The question in words.
    pub(super) question: String,
    /// The texts of the choices.
    pub(super) choices: Vec<String>,
    /// A hash of what the story is called, or else of its text.
    pub(super) story: u64,
    pub(super) kept: Kept,
    /// What boosted trees are given.
    pub(super) shown: Shown,
    /// A bit that is the same for all questions of one story and for equal stories.
    pub(super) is_even: bool,
    /// Stand for story and question; and for them with names instead of people and places.
    pub(super) fingerprints: [u128; 2],
    /// How much of the evidence lies in each tenth of the story.
    pub(super) evidence: [u64; 10],
    /// How often people go from one place to another; `None` if that could not be read.
    pub(super) ways: Option<Vec<Way>>,
    /// The row's id and that of its twin.
    pub(super) pair: Option<[String; 2]>,
    /// If the row belongs to a triplet, the ids of its three rows, and which of them it is.
    pub(super) trio: Option<([String; 3], usize)>,
}

/// A way that people go: from where, to where, and how often.
pub type Way = (String, String, u64);

/// The part of a row that learners look at.
#[derive(Debug)]
pub struct Kept {
    /// The index of the right choice.
    pub label: u8,
    /// The hashes of the choices.
    pub choices: Vec<u64>,
    /// The choice that each shortcut names.
    pub named: Vec<Option<u8>>,
    /// The choice that each sentence names, counting from the start and from the end.
    pub sentences: [Vec<Option<u8>>; 2],
    /// For each choice: how often the story names it, how often the target and the asker were there, and in how many other
    /// places the target has been since.
    pub counts: Vec<[u16; 4]>,
    /// The words of the story and the question together.
    pub words: Vec<(u64, u16)>,
    /// The words of the question.
    pub question_words: Vec<(u64, u16)>,
    /// The words of each choice, the pairs of its words, the whole text, and its number.
    pub choice_words: Vec<Vec<(u64, u16)>>,
}

impl Measured {
    /// Measures a case.
    ///
    /// ```
    /// use storysim::audit::{Case, Measured};
    /// let case = Case { choices: ["a", "b"].map(str::to_owned).into(), ..Case::default() };
    /// assert_eq!(Measured::of(case).choice_count(), 2);
    /// ```
    pub fn of(case: Case) -> Self {
        let mentions = Mentions::of(&case.story, &case.choices);
        let small = |choice: Option<usize>| choice.map(|choice| choice as u8); // at most CHOICES_MAX
        let named =
            shortcut::shortcuts(&case, &mentions).into_iter().map(|(_, choice)| small(choice)).collect();
        let sentence_count = mentions.sentences.min(SENTENCES_MAX);
        let from = |sentence: &dyn Fn(usize) -> usize| -> Vec<Option<u8>> {
            (0..sentence_count).map(|at| small(mentions.in_sentence(sentence(at)))).collect()
        };
        let sentences = [from(&|at| at), from(&|at| mentions.sentences - 1 - at)];
        let asked = || words(&case.question);
        let kept = Kept {
            label: case.label as u8,
            choices: case.choices.iter().map(|choice| hash(choice)).collect(),
            named,
            sentences,
            counts: counts(&case, &mentions),
            words: some(bag(words(&case.story).chain(asked()), WORDS_MAX)),
            question_words: some(bag(asked(), WORDS_MAX)),
            choice_words: case
                .choices
                .iter()
                .enumerate()
                .map(|(at, choice)| choice_words(at, choice))
                .collect(),
        };
        let steps = case.itinerary.as_ref().map_or(mentions.sentences, |told| told.steps);
        let steps = steps.max(case.evidence.iter().max().map_or(0, |last| last.saturating_add(1)));
        let mut evidence = [0; 10];
        for &step in &case.evidence {
            let tenth = step as u128 * 10 / steps as u128; // whatever number somebody writes
            evidence[tenth.min(9) as usize] += 1;
        }
        let unit = hash(case.unit.as_ref().unwrap_or(&case.story));
        let told = Some(&case.story).filter(|story| !story.is_empty());
        let story = case.story_id.as_ref().or(told).or(case.unit.as_ref());
        let signs = Signs::of(&case, &mentions);
        Self {
            is_even: unit.is_multiple_of(2),
            shown: Shown { signs, choices: kept.choices.clone(), label: kept.label, unit, fifth: case.fifth },
            fingerprints: [
                fingerprint([case.story.as_str(), "\0", &case.question]),
                fingerprint([shape(&case).as_str()]),
            ],
            evidence,
            kept,
            story: story.map_or(unit, |story| hash(story)),
            question: case.question.clone(),
            group: case.group,
            choices: case.choices,
            ways: case.itinerary.as_ref().map(ways),
            pair: case.pair,
            trio: case.trio,
        }
    }

    /// The group in which the question is audited.
    pub const fn group(&self) -> &Group {
        &self.group
    }

    /// The number of choices.
    pub const fn choice_count(&self) -> usize {
        self.choices.len()
    }
}

fn counts(case: &Case, mentions: &Mentions) -> Vec<[u16; 4]> {
    let never = case.choices.len() as u16; // at most CHOICES_MAX
    let mut counts = vec![[0, 0, 0, never]; case.choices.len()];
    let mut add =
        |choice: usize, which: usize| counts[choice][which] = counts[choice][which].saturating_add(1);
    mentions.all.iter().for_each(|&(_, choice)| add(choice, 0));
    if let Some(told) = &case.itinerary {
        let choice_of =
            |place: Option<usize>| case.choices.iter().position(|choice| choice == told.name(place));
        let people = [Some(&case.about), case.company.first()];
        for (which, name) in (1..).zip(people) {
            let Some(who) = name.and_then(|name| told.who(name)) else { continue };
            told.path(who).filter_map(choice_of).for_each(|choice| add(choice, which));
        }
        let latest = told.who(&case.about).map_or_else(Vec::new, |who| told.latest(who));
        for (since, choice) in (0..).zip(latest.into_iter().filter_map(choice_of)) {
            counts[choice][3] = since;
        }
    }
    counts
}

fn ways(told: &Itinerary) -> Vec<Way> {
    let mut places: Vec<Option<usize>> = (0..told.names().len()).map(|who| told.start_of(who)).collect();
    let mut ways: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for stop in told.stops() {
        if let (Some(from), Some(to)) = (std::mem::replace(&mut places[stop.who], stop.place), stop.place) {
            *ways.entry((from, to)).or_default() += 1;
        }
    }
    let named = |((from, to), count): ((usize, usize), u64)| {
        (told.places()[from].clone(), told.places()[to].clone(), count)
    };
    ways.into_iter().map(named).collect()
}

fn choice_words(at: usize, choice: &str) -> Vec<(u64, u16)> {
    let single: Vec<&str> = words(choice).take(WORDS_MAX).collect();
    let pairs: Vec<String> = single.windows(2).map(|pair| pair.join(" ")).collect();
    let (whole, number) = (format!("={choice}"), format!("@{at}"));
    let all = single.iter().copied().chain(pairs.iter().map(String::as_str));
    some(bag([whole.as_str(), &number].into_iter().chain(all), WORDS_MAX))
}

/// The words that are kept: those with the smallest hashes, so that the choice is the same for every text.
fn some(mut words: Vec<(u64, u16)>) -> Vec<(u64, u16)> {
    words.sort_unstable();
    words.truncate(WORDS_KEPT_MAX);
    words.shrink_to_fit();
    words
}

fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u128 {
    let mut hasher = blake3::Hasher::new();
    texts.into_iter().for_each(|text| {
        hasher.update(text.as_bytes());
    });
    u128::from_le_bytes(hasher.finalize().as_bytes()[..16].try_into().expect("sixteen bytes"))
}

/// Names by their first word, each in the forms in which it can occur; the longest form comes first.
type Forms<'a> = HashMap<String, Vec<(Cow<'a, str>, &'a str)>>;

fn forms<'a>(names: impl Iterator<Item = &'a String>) -> Forms<'a> {
    let mut known = Forms::new();
    for name in names {
        for form in [name.into(), at_start(name)] {
            let first = words(&form).next().filter(|first| form.starts_with(first)).map(str::to_owned);
            if let Some(first) = first {
                known.entry(first).or_default().push((form, name));
            }
        }
    }
    for names in known.values_mut() {
        names.sort_unstable_by(|(one, _), (other, _)| (other.len(), other).cmp(&(one.len(), one)));
    }
    known
}

/// Story and question with numbers instead of the names of people, things and places, in the order of appearance.
fn shape(case: &Case) -> String {
    let names = case.names.iter().chain(&case.choices).chain([&case.about]);
    let told = case.itinerary.iter().flat_map(|told| told.names().iter().chain(told.places()));
    let known = forms(names.chain(told));
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut shape = String::with_capacity(case.story.len());
    for text in [&case.story, "\0", &case.question] {
        let mut rest = text;
        while let Some(word) = words(rest).next() {
            let at = word.as_ptr() as usize - rest.as_ptr() as usize;
            shape.push_str(&rest[..at]);
            rest = &rest[at..];
            let found =
                known.get(word).and_then(|names| names.iter().find(|(form, _)| begins_with(rest, form)));
            if let Some((_, name)) = found {
                let next = numbers.len() + 1;
                shape.push_str(&format!("#{}", numbers.entry(name).or_insert(next)));
            } else {
                shape.push_str(word);
            }
            rest = &rest[found.map_or(word.len(), |(form, _)| form.len())..];
        }
        shape.push_str(rest);
    }
    shape
}

/// Whether a text begins with these words as whole words.
fn begins_with(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(story: &str, question: &str) -> Case {
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        Case {
            story: story.into(),
            question: question.into(),
            choices: names("hall attic"),
            names: names("Ann Bob"),
            ..Case::default()
        }
    }

    #[test]
    fn stories_of_one_shape_differ_in_names_alone() {
        let one = shape(&case("Ann enters hall. Bob enters attic.", "Where is Ann?"));
        assert_eq!(one, "#1 enters #2. #3 enters #4.\0Where is #1?");
        assert_eq!(one, shape(&case("Bob enters attic. Ann enters hall.", "Where is Bob?")));
        assert_ne!(one, shape(&case("Bob enters attic. Ann enters hall.", "Where is Ann?")));
        let mut longer = case("Ann enters hall 2. Bob enters hall.", "Where is Ann?");
        longer.choices.push("hall 2".to_owned());
        assert_eq!(shape(&longer), one, "names may have several words");
        let mut things = case("The bell is moved. The pen is not.", "Where is the bell?");
        things.names = ["the bell", "the pen"].map(str::to_owned).into();
        assert_eq!(shape(&things), "#1 is moved. #2 is not.\0Where is #1?");
    }

    #[test]
    fn evidence_is_counted_by_tenths() {
        let mut case = case("Ann enters hall. Bob enters attic.", "?");
        case.evidence = vec![0, 1];
        assert_eq!(Measured::of(case).evidence, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    }
}
