//! Stories that are worded again: an honest reteller is taken at its word, and no wrong sentence is taken, whoever tells it.
//!
//! Wrong sentences are made from right ones by changes after which no sentence can be right any more, so no reading of ours
//! decides what is wrong. What was taken is read once more by `check-story`'s judge, who knows the storyboard.

use std::collections::BTreeSet;
use std::sync::Arc;

use storysim::adherence::{Judge, Row};
use storysim::compile::compile_family;
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use storysim::diagnostic::Source;
use storysim::form::SentenceKind;
use storysim::pack::{self, Pack};
use storysim::paraphrase::{Answer, Refusal, Retold, Script, Teller, Unread, is_of_things, retold_row};
use storysim::prose::Reader;
use storysim::score::Response;
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, NamedFile, Pool, Storyboard, Style, built_in_pool, parse};

use crate::effort::{part, times};

/// Everything that people can do, watch and miss, with names that contain each other.
const DEEDS: &str = "
storysim: 1
name: deeds
characters: {pool: [Ann, Anna, Bob, Cas, Dora, the_cook], count: 5}
roles: [S1, S2, T]
places: {complete: [the_hall, the_hallway, kitchen, room_1, room_12]}
start: the_hall
horizon: 24
verb: [enters, walks into]
containers: {box: the_hall, my_chest: {in: kitchen, is: closed}, red_box: room_1}
objects: {marble: box, old_key: kitchen, my_ring: S1, key: kitchen}
attitudes: [cake, jazz]
propositions: {gift: {says: 'the gift for {T} is a bicycle', denies: 'the gift for {T} is no bicycle'}}
play: {move: 4, move_object: 2, carry: 2, take: 2, put: 2, throw: 2, give: 2, open: 1, close: 1, tell: 2, whisper: 2, phone: 2,
       react: 1, chat: 1}
events:
  - {at: 5, move: {who: [S1, S2, T], to: kitchen}}
  - {at: 8, reveal: {who: S1, that: gift}}
  - {from: 6, until: 12, peek: T}
  - {from: 6, until: 16, distracted: S2}
  - {from: 13, until: 20, distracted: {who: T, noticed: true}}
questions: [{belief: [S1, T]}, {reality: T}]
";

fn lexicon() -> Arc<Pack> {
    Arc::clone(pack::built_in("retold").unwrap())
}

/// The wording `varied`, in which no two sentences are joined and nobody is meant by a pronoun, as a model is asked to tell a story.
fn varied() -> String {
    let text = pack::BUILT_IN.iter().find(|pack| pack.name == "varied").unwrap().text;
    let single =
        text.replace("joined: [and, and then]", "joined: []").replace("name: varied", "name: single");
    assert_ne!(text, single);
    let (before, rest) = single.split_once("pronouns:\n").unwrap();
    let (_, after) = rest.split_once("\nsentences:\n").unwrap();
    format!("{before}sentences:\n{after}")
}

/// A storyboard without what takes long to fit: words do not depend on it.
fn quick(source: Source) -> Storyboard {
    Storyboard { balance: None, ..parse(source).unwrap() }
}

/// Those of which something can be worded again.
fn boards() -> impl Iterator<Item = Storyboard> {
    let built_in = BUILT_IN.iter().map(|known| quick(known.source()));
    let deeds = quick(Source { name: "deeds.yaml".into(), text: DEEDS.into() });
    built_in.filter(|board| board.style == Style::Report).chain([deeds])
}

fn family(board: &Storyboard) -> Family {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    admit(board, plans).unwrap_or_else(|problems| panic!("{problems:?}")).family
}

/// The first row of each of some stories about people.
fn rows(board: &Storyboard, seed: u64, stories: u64) -> Vec<String> {
    let family = family(board);
    let mut maker = RowMaker::new(&family, seed, &[], RowOptions::WITH_EVENTS);
    let mut first = Vec::new();
    for index in 0..stories {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        first.extend(rows.lines().find(|row| !is_of_things(&fields(row))).map(str::to_owned));
    }
    first
}

fn fields(row: &str) -> Fields {
    Fields::of(&StoredRow::Line(row.to_owned())).unwrap()
}

/// The same board, whose stories are told in single sentences of `varied`.
fn worded(board: &Storyboard) -> Storyboard {
    // What is announced is not retold, and so stays in the present.
    let tenses = if board.prospects.is_empty() { "tense: [present, past]" } else { "tense: [present]" };
    let text = varied().replacen("tense: [present, past]", tenses, 1);
    let file = NamedFile { name: "single".into(), path: "single.yaml".into(), text: Ok(text) };
    Storyboard { files: vec![file], ..board.clone() }.reworded("single")
}

/// The sentences of `varied` for those of a script that are asked for, told by the same story in these words.
fn honest(board: &Storyboard, teller: &Teller<'_>, plain: &Fields, told: &Fields) -> Vec<String> {
    let script = teller.script(plain).unwrap();
    let single = Arc::new(pack::parse(Source { name: "single.yaml".into(), text: varied() }).unwrap());
    let shown =
        |name: &str| plain.names.iter().find(|(_, known)| *known == name).map(|(shown, _)| shown.clone());
    let reader = Reader::new(board, Vec::new()).spelt(shown).in_words_of(single);
    let sentences = reader.sentences(&told.story);
    assert_eq!(sentences.len(), script.lines().len(), "{}", told.story);
    let asked = script.lines().iter().zip(sentences).filter(|(line, _)| line.is_asked());
    asked.map(|(_, (span, _))| told.story[span.range()].to_owned()).collect()
}

/// The answer of a model that writes these texts.
fn answer(texts: &[Option<String>]) -> Answer {
    let entries =
        texts.iter().enumerate().filter_map(|(at, text)| Some(((at + 1).to_string(), text.clone()?.into())));
    let object = serde_json::Value::Object(entries.collect());
    Answer::of(&Response::new(&object.to_string())).unwrap()
}

fn all(texts: &[String]) -> Answer {
    answer(&texts.iter().cloned().map(Some).collect::<Vec<_>>())
}

/// The judge of `check-story` finds in a retold row what its storyboard demands, and its events.
fn is_judged_right(board: &Storyboard, row: &str) {
    let worded = board.clone().reworded("retold");
    let row: serde_json::Value = serde_json::from_str(row).unwrap();
    let told = Row::new(&row).unwrap();
    let judge = Judge::new(&worded, &told.parameters);
    let account = told.account(&worded, judge.reader());
    let account = account.unwrap_or_else(|problem| panic!("{problem:?}: {}", row["story"]));
    let verdict = judge.judge(&account, &told.cast).unwrap();
    assert!(verdict.violations.is_empty(), "{:?}: {}", verdict.violations, row["story"]);
}

#[test]
fn an_honest_reteller_is_taken() {
    let (mut sentences, mut taken, mut judged) = (0, 0, 0);
    for board in part(boards(), 1, 2) {
        let teller = Teller::new(&board, lexicon());
        let (plain, told) = (rows(&board, 7, times(1)), rows(&worded(&board), 7, times(1)));
        for (plain, told) in plain.iter().zip(&told) {
            let row = fields(plain);
            let texts = honest(&board, &teller, &row, &fields(told));
            let script = teller.script(&row).unwrap();
            teller.check(&row, &row.story, &script).unwrap();
            let retold = teller.confirmed(&row, &script, script.retold(&all(&texts)));
            for (text, outcome) in texts.iter().zip(&retold.outcomes) {
                sentences += 1;
                taken += u64::from(outcome.is_ok());
                assert!(outcome.is_ok(), "{}: {text}: {outcome:?}", row.id);
            }
            if board.prospects.is_empty() {
                assert_eq!(retold.story, fields(told).story, "{}", row.id);
                is_judged_right(&board, &retold_row(plain, Some((&script, &retold)), "m").unwrap());
                judged += 1;
            }
        }
    }
    eprintln!("{taken} of {sentences} honest sentences are taken; {judged} stories are judged right");
    assert!(sentences > 250 && taken == sentences && judged > 3, "{taken} {sentences} {judged}");
}

/// All that `varied` says can be said by a retelling.
#[test]
fn the_lexicon_has_all_of_varied() {
    let (varied, retold) = (pack::built_in("varied").unwrap(), pack::built_in("retold").unwrap());
    let (varied, retold) = (varied.wording().unwrap(), retold.wording().unwrap());
    for kind in SentenceKind::all() {
        for way in varied.ways(kind) {
            let has = retold.ways(kind).iter().any(|known| known.pieces == way.pieces);
            assert!(has, "{}: {:?}", kind.key(), way.pieces[0]);
        }
    }
    assert!(varied.then.iter().all(|then| retold.then.contains(then)));
}

// --- Wrong sentences ---

/// What a sentence is made wrong with.
struct Wrong<'w> {
    /// The right sentence, without its full stop.
    right: &'w str,
    /// The plain one.
    plain: &'w str,
    /// Another sentence of the story, which tells something else.
    other: &'w str,
    people: &'w [String],
    places: &'w [String],
    things: &'w [String],
    question: &'w str,
    /// Which of many wrong things is done.
    number: usize,
}

impl Wrong<'_> {
    /// One of some texts.
    fn one<'t>(&self, of: &[&'t str]) -> &'t str {
        of[self.number % of.len()]
    }

    /// The sentence with a name in it that is another one.
    fn renamed(&self, names: &[String]) -> Option<String> {
        let mut named: Vec<(usize, &String)> = Vec::new();
        for name in names {
            let found = self.right.match_indices(name.as_str()).map(|(at, _)| at);
            named.extend(found.filter(|&at| is_word(self.right, at, name.len())).map(|at| (at, name)));
        }
        named.sort_by_key(|(at, name)| (*at, std::cmp::Reverse(name.len())));
        named.dedup_by_key(|(at, _)| *at);
        let (at, name) = *named.get(self.number % named.len().max(1))?;
        let others: Vec<&String> = names.iter().filter(|other| *other != name).collect();
        let other = others.get(self.number % others.len().max(1))?;
        Some(format!("{}{other}{}.", &self.right[..at], &self.right[at + name.len()..]))
    }

    /// The sentence with a word that stands between two others, or at its beginning or end.
    fn with(&self, word: &str) -> String {
        let gaps: Vec<usize> =
            self.right.match_indices(' ').map(|(at, _)| at).chain([self.right.len()]).collect();
        let at = gaps[self.number % gaps.len()];
        format!("{} {word}{}.", &self.right[..at], &self.right[at..])
    }

    /// The sentence with a letter that looks like another one.
    fn lookalike(&self) -> Option<String> {
        const ALIKE: [(char, char); 6] =
            [('a', 'а'), ('e', 'е'), ('o', 'о'), ('n', 'ո'), ('i', 'і'), (' ', '\u{a0}')];
        let found: Vec<(usize, char)> =
            self.right.char_indices().filter(|(_, c)| ALIKE.iter().any(|(plain, _)| plain == c)).collect();
        let (at, c) = *found.get(self.number % found.len().max(1))?;
        let (_, alike) = ALIKE.iter().find(|(plain, _)| *plain == c)?;
        Some(format!("{}{alike}{}.", &self.right[..at], &self.right[at + c.len_utf8()..]))
    }

    /// The sentence without one of its words.
    fn without_name(&self) -> Option<String> {
        let names = self.people.iter().chain(self.places).chain(self.things);
        let found: Vec<&String> = names.filter(|name| self.right.contains(name.as_str())).collect();
        let name = found.get(self.number % found.len().max(1))?;
        Some(format!("{}.", self.right.replacen(name.as_str(), "", 1).replace("  ", " ").trim()))
    }

    /// The first two people who are named, in each other's place.
    fn swapped(&self) -> Option<String> {
        let mut named: Vec<(usize, &String)> = self
            .people
            .iter()
            .filter_map(|name| {
                let mut at = self.right.match_indices(name.as_str()).map(|(at, _)| at);
                Some((at.find(|&at| is_word(self.right, at, name.len()))?, name))
            })
            .collect();
        named.sort_unstable();
        let [(first, one), (second, other), ..] = named[..] else { return None };
        let (before, between) = (&self.right[..first], &self.right[first + one.len()..second]);
        Some(format!("{before}{other}{between}{one}{}.", &self.right[second + other.len()..]))
    }
}

/// Whether these bytes of a text are whole words.
fn is_word(text: &str, at: usize, length: usize) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    !text[..at].ends_with(is_letter) && !text[at + length..].starts_with(is_letter)
}

/// Words that say more or something else, wherever they stand.
const WORDS: [&str; 60] = [
    "again",
    "almost",
    "alone",
    "secretly",
    "first",
    "back",
    "also",
    "not",
    "never",
    "nearly",
    "perhaps",
    "probably",
    "quickly",
    "slowly",
    "quietly",
    "finally",
    "already",
    "still",
    "just",
    "only",
    "even",
    "too",
    "really",
    "suddenly",
    "soon",
    "later",
    "meanwhile",
    "immediately",
    "eventually",
    "unseen",
    "unnoticed",
    "she",
    "he",
    "they",
    "it",
    "him",
    "them",
    "everybody",
    "Zoe",
    "no",
    "without",
    "before",
    "after",
    "because",
    "when",
    "if",
    "while",
    "but",
    "or",
    "instead",
    "pretends",
    "wants",
    "tries",
    "happily",
    "angrily",
    "away",
    "once",
    "twice",
    "last",
    "somewhere",
];

/// A way to tell something wrong: its name, and the wrong sentence, if it can be made of this one.
type Liar = (&'static str, fn(&Wrong<'_>) -> Option<String>);

const LIARS: [Liar; 42] = [
    ("drops it", |_| None),
    ("says nothing", |wrong| Some(wrong.one(&["", " ", ".", "…", "null", "{}"]).to_owned())),
    ("swaps names", |wrong| wrong.renamed(wrong.people)),
    ("swaps places", |wrong| wrong.renamed(wrong.places)),
    ("swaps things", |wrong| wrong.renamed(wrong.things)),
    ("merges two", |wrong| {
        let two = [". ", " and ", ", and ", " and then ", "; ", ", then ", " before "];
        Some(format!("{}{}{}.", wrong.right, wrong.one(&two), wrong.other))
    }),
    ("reorders", |wrong| Some(format!("{}.", wrong.other))),
    ("adds a thought", |wrong| {
        let thoughts = [
            ", thinking that nobody sees it",
            ", and feels proud",
            ", hoping to be seen",
            " and knows it",
            ", lost in thought",
        ];
        Some(format!("{}{}.", wrong.right, wrong.one(&thoughts)))
    }),
    ("negates", |wrong| {
        let (who, rest) = wrong.plain.split_once(' ')?;
        Some(match wrong.number % 4 {
            0 => format!("{who} does not {rest}."),
            1 => format!("{who} never {rest}."),
            2 => format!("It is not true that {}.", wrong.right),
            _ => format!("{who} fails to {rest}."),
        })
    }),
    ("invents a person", |wrong| {
        Some(wrong.one(&["Zoe and ", "Zoe, ", "With Zoe, ", "Somebody and "]).to_owned() + wrong.right + ".")
    }),
    ("hedges", |wrong| {
        Some(
            wrong.one(&["Perhaps ", "Maybe ", "It seems that ", "Probably, ", "As it happens, "]).to_owned()
                + wrong.right
                + ".",
        )
    }),
    ("answers the question", |wrong| {
        Some(match wrong.number % 2 {
            0 => wrong.question.to_owned(),
            _ => format!("{}. So that is the answer.", wrong.right),
        })
    }),
    ("tells another time", |wrong| {
        let (who, rest) = wrong.plain.split_once(' ')?;
        let verbs = ["had gone and", "will have", "has", "would", "is going to", "had", "used to"];
        Some(format!("{who} {} {rest}.", wrong.one(&verbs)))
    }),
    ("adds a word", |wrong| Some(wrong.with(WORDS[wrong.number % WORDS.len()]))),
    ("says he or she", |wrong| {
        let who = wrong.people.iter().find(|name| wrong.right.contains(name.as_str()))?;
        let pronoun = wrong.one(&["she", "he", "they", "She", "He", "somebody", "the other one"]);
        Some(format!("{}.", wrong.right.replacen(who.as_str(), pronoun, 1)))
    }),
    ("swaps roles", |wrong| wrong.swapped().filter(|swapped| swapped.trim_end_matches('.') != wrong.right)),
    ("leaves a name out", |wrong| wrong.without_name()),
    ("says when", |wrong| {
        let whens = [
            " before Bob leaves",
            " at last",
            " a moment later",
            " after the others",
            " for the first time",
            " in the morning",
        ];
        Some(format!("{}{}.", wrong.right, wrong.one(&whens)))
    }),
    ("asks", |wrong| Some(format!("{}{}", wrong.right, wrong.one(&["?", "?.", "!", " …", ".?"])))),
    ("shouts", |wrong| {
        Some(format!("{}.", wrong.right.to_uppercase()))
            .filter(|text| text.trim_end_matches('.') != wrong.right)
    }),
    ("whispers", |wrong| {
        Some(format!("{}.", wrong.right.to_lowercase()))
            .filter(|text| text.trim_end_matches('.') != wrong.right)
    }),
    ("writes lookalikes", |wrong| wrong.lookalike()),
    ("writes markdown", |wrong| {
        Some(match wrong.number % 5 {
            0 => format!("**{}.**", wrong.right),
            1 => format!("- {}.", wrong.right),
            2 => format!("# {}.", wrong.right),
            3 => format!("`{}.`", wrong.right),
            _ => format!("{}.<br>", wrong.right),
        })
    }),
    ("numbers", |wrong| Some(format!("{}{}.", wrong.one(&["1. ", "12) ", "Step 1: ", "(1) "]), wrong.right))),
    ("quotes", |wrong| Some(format!("{0}{1}.{0}", wrong.one(&["\"", "“", "'", "’"]), wrong.right))),
    ("forgets the full stop", |wrong| Some(wrong.right.to_owned())),
    ("doubles the full stop", |wrong| {
        Some(format!("{}{}", wrong.right, wrong.one(&["..", ". .", ".\n.", ".)"])))
    }),
    ("says it twice", |wrong| Some(format!("{0}. {0}.", wrong.right))),
    ("refuses", |wrong| {
        Some(
            wrong.one(&["I'm sorry, but I can't help with that.", "As a model, I cannot.", "No."]).to_owned(),
        )
    }),
    ("speaks another language", |wrong| {
        let (who, _) = wrong.plain.split_once(' ')?;
        Some(format!(
            "{who} {}.",
            wrong.one(&["betritt die Halle", "entre dans la salle", "va alla cucina", "进入大厅"])
        ))
    }),
    ("adds a reason", |wrong| {
        Some(format!(
            "{}{}.",
            wrong.right,
            wrong.one(&[" to find out more", ", because it is cold", " in order to leave", " by chance"])
        ))
    }),
    ("makes it a dream", |wrong| {
        let dreams = ["Ann dreams that ", "Everyone knows that ", "It is said that ", "Imagine that ", "If "];
        Some(format!("{}{}.", wrong.one(&dreams), wrong.right))
    }),
    ("adds a witness", |wrong| {
        let seen = [
            ", and everyone sees it",
            ", which nobody notices",
            " while Bob watches",
            ", unnoticed by anyone",
        ];
        Some(format!("{}{}.", wrong.right, wrong.one(&seen))).filter(|_| !wrong.right.contains("this"))
    }),
    ("says there again", |wrong| {
        let (who, rest) = wrong.plain.split_once(' ')?;
        Some(format!("{who} {} {rest}.", wrong.one(&["returns and", "stays and", "waits and", "runs and"])))
    }),
    ("adds an aside", |wrong| {
        Some(format!("{}{}.", wrong.right, wrong.one(&[" (again)", " – alone –", " [sic]", " (not)"])))
    }),
    ("ends in blanks and more", |wrong| {
        Some(format!("{}.{}", wrong.right, wrong.one(&[" \u{a0}x", "\u{200b}", "\u{200d}", " .", "\0"])))
    }),
    ("breaks the line", |wrong| {
        let at = wrong.right.find(' ')?;
        Some(format!("{}\n{}.", &wrong.right[..at], &wrong.right[at + 1..]))
    }),
    ("doubles a blank", |wrong| {
        let at = wrong.right.find(' ')?;
        Some(format!("{}  {}.", &wrong.right[..at], &wrong.right[at + 1..]))
    }),
    ("writes names as the storyboard does", |wrong| {
        let name = wrong
            .places
            .iter()
            .chain(wrong.things)
            .find(|name| name.contains(' ') && wrong.right.contains(name.as_str()))?;
        Some(format!("{}.", wrong.right.replacen(name.as_str(), &name.replace(' ', "_"), 1)))
    }),
    ("makes a name longer", |wrong| {
        let names = wrong.people.iter().chain(wrong.places);
        let name = names.filter(|name| wrong.right.contains(name.as_str())).max_by_key(|name| name.len())?;
        let longer = wrong.one(&["way", "'s sister", "’s room", "-Marie", " Lee", "s", "2"]);
        Some(format!("{}.", wrong.right.replacen(name.as_str(), &format!("{name}{longer}"), 1)))
    }),
    ("tells it of two", |wrong| {
        let (who, rest) = wrong.plain.split_once(' ')?;
        let other =
            wrong.people.iter().find(|other| *other != who && !wrong.plain.contains(other.as_str()))?;
        Some(format!("{who} {} {other} {rest}.", wrong.one(&["and", "or", "with", ","])))
    }),
    ("tells a state", |wrong| {
        let (who, _) = wrong.plain.split_once(' ')?;
        let place = &wrong.places[wrong.number % wrong.places.len()];
        Some(format!(
            "{who} {} {place}.",
            wrong.one(&["is in", "is now in", "stays in", "heads for", "leaves", "looks into", "is seen in"])
        ))
    }),
];

/// The names of a board as stories have them.
fn names(board: &Storyboard, row: &Fields) -> [Vec<String>; 3] {
    use storysim::spelling::with_article;
    let people: Vec<String> = match &board.characters.pool {
        Pool::Names(names) => names.iter().map(|name| row.shown(&name.value).to_owned()).collect(),
        Pool::BuiltIn(name) => {
            built_in_pool(&name.value).unwrap().iter().map(|&name| name.to_owned()).collect()
        }
    };
    let places = board.place_names().into_iter().map(|place| row.shown(&place.value).to_owned()).collect();
    let things = board.objects.iter().map(|object| &object.name.value);
    let things = things.chain(board.containers.iter().map(|container| &container.name.value));
    [people, places, things.map(|thing| with_article(thing).into_owned()).collect()]
}

/// Each liar tells one sentence in so many, another liar another one.
const STRIDE: usize = 16;

/// Asks each liar about a story, of which these are right sentences. Returns how many wrong sentences there were.
fn lie(board: &Storyboard, teller: &Teller<'_>, row: &Fields, right: &[String], round: usize) -> usize {
    let script = teller.script(row).unwrap();
    let [people, places, things] = names(board, row);
    let asked: Vec<&str> =
        script.lines().iter().filter(|line| line.is_asked()).map(|line| script.text(line)).collect();
    let mut lies = 0;
    for (who, (name, liar)) in LIARS.into_iter().enumerate() {
        let mut texts = Vec::new();
        let is_hers = |at: usize| (at + who + round).is_multiple_of(STRIDE);
        for (at, (right, plain)) in right.iter().zip(&asked).enumerate() {
            // Something else that happens, wherever it stands.
            let other = asked.iter().cycle().skip(at).take(asked.len()).find(|other| *other != plain);
            let Some(other) = other else { continue };
            let wrong = Wrong {
                right: right.trim_end_matches('.'),
                plain: plain.trim_end_matches('.'),
                other: other.trim_end_matches('.'),
                people: &people,
                places: &places,
                things: &things,
                question: &row.question,
                number: at * 7 + round * 31,
            };
            texts.push(if is_hers(at) { liar(&wrong) } else { None });
        }
        let retold = script.retold(&answer(&texts));
        for ((text, outcome), plain) in texts.iter().zip(&retold.outcomes).zip(&asked) {
            assert!(outcome.is_err(), "{}: who {name} is taken: {plain} -> {text:?}", row.id);
        }
        assert_eq!(
            (retold.story.as_str(), retold.reworded),
            (row.story.as_str(), 0),
            "{}: who {name}",
            row.id
        );
        let is_lie =
            |(at, text): &(usize, &Option<String>)| text.is_some() || name == "drops it" && is_hers(*at);
        lies += texts.iter().enumerate().filter(is_lie).count();
    }
    lies
}

#[test]
fn no_wrong_sentence_is_taken() {
    let mut lies = 0;
    for board in part(boards(), 0, 2) {
        let teller = Teller::new(&board, lexicon());
        let (plain, told) = (rows(&board, 11, times(1)), rows(&worded(&board), 11, times(1)));
        for (round, (plain, told)) in plain.iter().zip(&told).enumerate() {
            let row = fields(plain);
            let script = teller.script(&row).unwrap();
            let asked = script.lines().iter().filter(|line| line.is_asked());
            let asked: Vec<String> = asked.map(|line| script.text(line).to_owned()).collect();
            lies += lie(&board, &teller, &row, &asked, round);
            lies += lie(&board, &teller, &row, &honest(&board, &teller, &row, &fields(told)), round);
        }
    }
    eprintln!("none of {lies} wrong sentences is taken");
    assert!(lies > 1_200, "{lies}");
}

// --- Single sentences ---

/// A short story of everything, and what is taken of new words for one of its sentences.
fn taken(number: usize, text: &str) -> Result<String, Refusal> {
    let board = quick(Source { name: "deeds.yaml".into(), text: DEEDS.into() });
    let teller = Teller::new(&board, lexicon());
    let story = "Ann enters kitchen. Bob moves the marble into the red box. Ann gives the old key to Bob. \
                 Ann, Bob and the cook go to room 1 together. Cas tells everyone in the hallway that the marble is in the red box. \
                 Bob watches this from elsewhere, and nobody notices Bob. Cas whispers to Ann that the box is open. \
                 Bob overhears this, and nobody notices that. Ann puts the key in the box. Ann carries my ring to the hallway. \
                 Bob phones Ann and says that the gift for Dora is no bicycle. Ann shows that Ann likes the cake. \
                 Bob phones Ann and Cas, all in one call, and says that the box is open.";
    let start =
        serde_json::json!({"Ann": "the_hall", "Bob": "kitchen", "Cas": "the_hallway", "the_cook": "kitchen"});
    let row = Fields { story: story.into(), start, ..Fields::default() };
    let script = teller.script(&row).unwrap();
    assert_eq!(script.asked(), script.lines().len());
    let plain = |line| Some(script.text(line).to_owned());
    let mut texts: Vec<Option<String>> = script.lines().iter().map(plain).collect();
    texts[number - 1] = Some(text.to_owned());
    let retold: Retold = script.retold(&answer(&texts));
    retold.outcomes[number - 1].clone()
}

#[test]
fn right_sentences_are_taken() {
    for (number, text) in [
        (1, "Ann makes her way from the hall into kitchen."),
        (1, "Ann leaves the hall and enters kitchen."),
        (1, "Ann walks into kitchen."),
        (1, "kitchen is entered by Ann."),
        (1, "Into kitchen goes Ann."),
        (1, "Leaving the hall, Ann steps into kitchen."),
        (1, "From the hall, Ann goes to kitchen."),
        (1, "Kitchen is entered by Ann."),
        (1, "It is Ann who goes to kitchen."),
        (2, "The marble is moved into the red box by Bob."),
        (2, "Bob moves the marble into the red box next."),
        (2, "Then it is Bob who moves the marble into the red box."),
        (2, "Next, Bob transfers the marble to the red box."),
        (2, "It is Bob who moves the marble into the red box."),
        (3, "Bob is given the old key by Ann."),
        (3, "Bob receives the old key from Ann."),
        (3, "Ann hands Bob the old key."),
        (4, "Together, Ann, Bob and the cook go to room 1."),
        (4, "Ann, Bob, and the cook move to room 1 together."),
        (4, "Next, together, Ann, Bob and the cook go to room 1."),
        (5, "All those in the hallway are told by Cas that the marble is in the red box."),
        (5, "In the hallway, Cas tells everyone that the marble is in the red box."),
        (5, "Then Cas tells everyone present that the marble is in the red box."),
        (6, "Unnoticed, Bob watches this from elsewhere."),
        (7, "Cas tells Ann in a whisper that the box is open."),
        (7, "Cas whispers in Ann's ear that the box is open."),
        (8, "Bob overhears this unnoticed."),
        (9, "Ann puts the key into the box."),
        (9, "The key is put in the box by Ann."),
        (10, "My ring is carried from room 1 to the hallway by Ann."),
        (10, "Ann goes to the hallway with my ring in hand."),
        (11, "Over the phone, Bob tells Ann that the gift for Dora is no bicycle."),
        (12, "Ann makes it clear that Ann likes the cake."),
        (13, "Over the phone, Bob tells Ann and Cas, all in one call, that the box is open."),
    ] {
        assert_eq!(taken(number, text).as_deref(), Ok(text), "{text}");
    }
}

#[test]
fn apostrophes_are_those_of_the_story() {
    let text = "Cas whispers in Ann's ear that the box is open.";
    assert_eq!(taken(7, &text.replace('\'', "’")).as_deref(), Ok(text));
    for wrong in
        ["Cas whispers in Ann´s ear that the box is open.", "Cas whispers in Anns ear that the box is open."]
    {
        assert_eq!(taken(7, wrong), Err(Refusal::Unknown), "{wrong}");
    }
}

/// Where people enter "kitchen", a model writes "the kitchen": the article is left out again.
#[test]
fn places_have_no_more_articles_than_the_story_gives_them() {
    for (number, text, taken_as) in [
        (1, "Ann goes to the kitchen.", "Ann goes to kitchen."),
        (1, "Leaving the hall, Ann walks into the kitchen.", "Leaving the hall, Ann walks into kitchen."),
        (1, "The kitchen is entered by Ann.", "Kitchen is entered by Ann."),
        (1, "The kitchen is where Ann goes from the hall.", "Kitchen is where Ann goes from the hall."),
        (
            4,
            "Together, Ann, Bob and the cook go to the room 1.",
            "Together, Ann, Bob and the cook go to room 1.",
        ),
    ] {
        assert_eq!(taken(number, text).as_deref(), Ok(taken_as), "{text}");
    }
    for (text, refusal) in [
        ("Ann goes to the the kitchen.", Refusal::Unknown),
        ("Ann goes to a kitchen.", Refusal::Unknown),
        ("Ann goes to the kitchens.", Refusal::Unknown),
        ("The The kitchen is entered by Ann.", Refusal::Unknown),
        ("The room 1 is entered by Ann.", Refusal::Differs),
        ("Ann goes to the room 1.", Refusal::Differs),
        ("Ann breathes kitchen.", Refusal::Unknown),
        ("Ann goes to the key.", Refusal::Unknown),
    ] {
        assert_eq!(taken(1, text), Err(refusal), "{text}");
    }
}

#[test]
fn wrong_sentences_are_not_taken() {
    use Refusal::{Differs, OtherTense, Unknown};
    for (number, text, refusal) in [
        (1, "Then Ann enters kitchen.", Unknown), // nothing comes before it
        (1, "Ann then enters kitchen.", Unknown),
        (1, "Ann enters kitchen next.", Unknown),
        (1, "Then it is Ann who enters kitchen.", Unknown),
        (1, "The hall is where Ann goes.", Differs),
        (1, "Kitchen is the place that Ann enters.", Unknown), // and she enters no other?
        (1, "The one who enters kitchen is Ann.", Unknown),    // and nobody else does?
        (1, "Ann moves on to kitchen.", Unknown),
        (1, "Ann turns up in kitchen.", Unknown),
        (1, "Kitchen enters Ann.", Unknown),
        (1, "Ann enters kitchen then next.", Unknown),
        (1, "Anna enters kitchen.", Differs),
        (1, "Ann and Bob enter kitchen.", Unknown),
        (1, "Ann leaves kitchen for the hall.", Differs),
        (1, "Ann goes from room 1 to kitchen.", Differs), // she is not there
        (1, "Ann entered kitchen.", OtherTense),
        (1, "Ann heads to kitchen.", Unknown),
        (1, "Ann returns to kitchen.", Unknown),
        (2, "Bob moves the marble into the box.", Differs),
        (2, "Bob puts the marble in the red box.", Differs), // that is another deed: he would have it in hand
        (2, "The marble moves Bob into the red box.", Unknown),
        (2, "Bob moves the marble into a red box.", Unknown),
        (3, "Ann is given the old key by Bob.", Differs),
        (3, "Bob gives the old key to Ann.", Differs),
        (3, "Ann gives the key to Bob.", Differs),
        (3, "Ann gives it to Bob.", Unknown),
        (3, "Bob takes the old key from Ann.", Unknown),
        (4, "Ann, Bob and the cook go to room 1.", Unknown),
        (4, "Ann and Bob go to room 1 together.", Differs),
        (4, "Ann, Bob and the cook go to room 12 together.", Differs),
        (4, "Ann, Bob and Cas go to room 1 together.", Differs),
        (5, "Cas tells everyone in the hall that the marble is in the red box.", Differs),
        (5, "Cas tells everyone that the marble is in the red box.", Unknown),
        (5, "Cas tells everyone in the hallway that the marble is in the box.", Differs),
        (5, "Cas tells everyone in the hallway the marble is in the red box.", Unknown),
        (5, "Cas tells everyone in the hallway that the marble is in the red box now.", Unknown),
        (5, "Cas reveals that the gift for Dora is a bicycle.", Differs),
        (5, "Cas says to everyone in the hallway that the marble is in the red box.", Unknown), // that is how news is announced
        (5, "Cas tells everyone there that the marble is in the red box.", Unknown), // where the others went?
        (6, "Bob overhears this, and nobody notices that.", Unknown), // there is nothing to hear but what all hear
        (6, "Bob watches this from elsewhere.", Unknown),
        (6, "Bob watches this from elsewhere, and nobody notices it.", Unknown), // what Bob watches?
        (6, "Nobody notices that Bob is distracted and misses this.", Unknown),  // does anybody miss it?
        (6, "Bob is distracted and misses this, and nobody notices that.", Differs),
        (7, "Cas tells everyone in the hallway that the box is open.", Differs),
        (7, "Cas whispers to Anna that the box is open.", Differs),
        (7, "Cas whispers to Ann that the box is closed.", Differs),
        (7, "Ann whispers to Cas that the box is open.", Differs),
        (9, "Ann puts the key in the red box.", Differs),
        (9, "Ann puts the key down in the hall.", Differs),
        (9, "Ann puts the key back in the box.", Unknown),
        (10, "Ann throws my ring to the hallway.", Differs),
        (10, "Ann carries your ring to the hallway.", Unknown),
        (10, "Ann takes my ring with her to the hallway.", Unknown), // with whom?
        (10, "Ann's ring is carried to the hallway by Ann.", Unknown),
        (11, "Bob phones Ann and says that the gift for Dora is a bicycle.", Differs),
        (11, "Bob phones Ann and says that the gift for Cas is no bicycle.", Differs),
        (11, "Bob phones Ann and tells her that the gift for Dora is no bicycle.", Unknown),
        (11, "Bob phones Ann to say that the gift for Dora is no bicycle.", Unknown), // does he say it?
        (12, "Ann shows that Ann dislikes the cake.", Differs),
        (12, "Ann shows that Bob likes the cake.", Differs),
        (12, "Ann shows that she likes the cake.", Unknown),
        (12, "Ann likes the cake.", Unknown),
        (12, "Ann shows that Ann likes the cake now.", Unknown),
        (13, "Bob phones Ann and Cas and says that the box is open.", Unknown),
    ] {
        assert_eq!(taken(number, text), Err(refusal), "{text}");
    }
}

/// Of a story in the past, all is in the past; otherwise it is told in the present.
#[test]
fn a_story_has_one_tense() {
    let board = quick(BUILT_IN[0].source());
    let teller = Teller::new(&board, lexicon());
    let story = "Georgia enters room 2. Hank enters room 1.";
    let told = |story: &str, texts: [&str; 2]| {
        let script = teller.script(&Fields { story: story.into(), ..Fields::default() }).unwrap();
        script.retold(&all(&texts.map(str::to_owned)))
    };
    let past = told(story, ["Georgia went to room 2.", "ROOM 1 was entered by Hank."]);
    assert_eq!(past.outcomes[1], Err(Refusal::Unknown), "names keep their letters but for a capital one");
    let past = told(story, ["Georgia went to room 2.", "Room 1 was entered by Hank."]);
    assert_eq!(past.story, "Georgia went to room 2. Room 1 was entered by Hank.");
    let past = told(story, ["Georgia went to room 2.", "Hank moved into room 1."]);
    assert_eq!((past.story.as_str(), past.reworded), ("Georgia went to room 2. Hank moved into room 1.", 2));
    let mixed = told(story, ["Georgia goes to room 2.", "Hank moved into room 1."]);
    assert_eq!(mixed.outcomes[1], Err(Refusal::OtherTense));
    assert_eq!(mixed.story, "Georgia goes to room 2. Hank enters room 1.");
    // What is no event stays in the present, so all does.
    let noted = told(
        "Georgia enters room 2. It rains. Hank enters room 1.",
        ["Georgia went to room 2.", "Hank moved into room 1."],
    );
    assert_eq!(noted.outcomes, [Err(Refusal::OtherTense), Err(Refusal::OtherTense)]);
}

/// A truncated answer says nothing, wherever it ends.
#[test]
fn truncated_answers_are_not_used() {
    let whole = r#"{"1": "Georgia goes to room 2.", "2": "Hank moves to room 1."}"#;
    for length in 0..whole.len() {
        assert_eq!(Answer::of(&Response::new(&whole[..length])), Err(Unread::NoObject), "{length}");
    }
    assert!(Answer::of(&Response::new(whole)).is_ok());
}

/// Wherever two sentences of the lexicon could be meant, neither is taken: no text is a sentence for two events.
#[test]
fn a_lexicon_that_is_ambiguous_is_not_believed() {
    let board = quick(Source {
        name: "x.yaml".into(),
        text: DEEDS.replace("kitchen, room_1,", "kitchen, room_1, the_hall_and_kitchen,"),
    });
    let text = "storysim_pack: 1\nkind: wording\nname: x\nsentences:\n  move:\n    - '{who} passes {there} from {here}'\n    - '{who} passes from {here} and kitchen to {there}'\n    - '{who} passes from {here} to {there}'\n";
    let lexicon = Arc::new(pack::parse(Source { name: "x".into(), text: text.into() }).unwrap());
    let teller = Teller::new(&board, lexicon);
    let row = Fields { story: "Ann enters room 1.".into(), start: "the_hall".into(), ..Fields::default() };
    let script: Script<'_> = teller.script(&row).unwrap();
    let fit = |text: &str| script.retold(&all(&[text.to_owned()])).outcomes[0].clone();
    assert_eq!(fit("Ann passes room 1 from the hall."), Ok("Ann passes room 1 from the hall.".into()));
    // Letter by letter it is what was asked for; but a reader would take the longer name for the place.
    assert_eq!(fit("Ann passes from the hall and kitchen to room 1."), Err(Refusal::Ambiguous));
}

#[test]
fn every_refusal_is_said() {
    let words: BTreeSet<&str> = Refusal::ALL.iter().map(|refusal| refusal.words()).collect();
    assert_eq!(words.len(), Refusal::ALL.len());
    let words: BTreeSet<&str> = Unread::ALL.iter().map(|unread| unread.words()).collect();
    assert_eq!(words.len(), Unread::ALL.len());
}
