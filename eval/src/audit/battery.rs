//! How well every shortcut does: fixed rules, the best of each family, and learners.
//!
//! The best of a family (which constant, which sentence) is chosen on the rows that learners train on, and tested on the
//! other rows, as learners are.

use super::case::Group;
use super::count::{Count, Counts, Half};
use super::finding::Finding;
use super::learn::{Bag, Bayes, TREE_DEPTH, Tree, credit};
use super::measure::Kept;
use super::shortcut;
use super::tally::Tally;

const LEARN: usize = Half::Learn as usize;
const TRY: usize = Half::Try as usize;

/// The key of the tree among the shortcuts.
pub const TREE: &str = "tree";

/// The key of the shortcut that holds where a mind has been against where the target was. It is the beginning of following minds,
/// so it is judged as the tree is.
pub const BEGINS_TO_FOLLOW: &str = "left_first_unvisited";

/// The facts about each choice that the tree sees, besides what shortcuts name.
const FACTS: [&str; 5] = [
    "times named",
    "times the target was there",
    "times the asker was there",
    "places visited since by the target",
    "number of the choice",
];

/// The findings of all shortcuts that have an answer in some row.
pub fn findings(group: &Group, tally: &Tally, is_taught_elsewhere: bool) -> Vec<Finding> {
    let mut findings = fixed(tally, is_taught_elsewhere);
    let families = [
        Family::constant(tally),
        Family::position(tally),
        Family::sentence(tally, 0),
        Family::sentence(tally, 1),
    ];
    findings.extend(families.iter().flatten().map(|family| family.finding(tally)));
    findings.extend(words(tally));
    findings.extend(tree(group, tally, &families));
    findings.retain(|finding| finding.answered > 0);
    findings
}

fn fixed(tally: &Tally, is_taught_elsewhere: bool) -> Vec<Finding> {
    let both =
        |counts: &Counts| if is_taught_elsewhere { counts[TRY] } else { counts[LEARN].plus(counts[TRY]) };
    let all = both(&tally.all);
    let shares = tally.pairs.shares().zip(tally.triplets.shares());
    let of = |(shortcut, (counts, (of_pairs, of_triplets))): (&shortcut::Shortcut, (&Counts, _))| Finding {
        follows_two: shortcut::FOLLOWING_TWO.contains(&shortcut.key),
        both: of_pairs,
        of_triplets,
        ..Finding::of(shortcut.key, shortcut.about, both(counts), all)
    };
    shortcut::all().zip(tally.named.iter().zip(shares)).map(of).collect()
}

/// A function that says whether a choice of a row is named.
type Names = Box<dyn Fn(&Kept, usize) -> bool>;

/// The best of several shortcuts that differ only in a number or a word.
struct Family {
    key: &'static str,
    about: &'static str,
    which: String,
    counts: Counts,
    /// Whether the shortcut names this choice of a row.
    names: Names,
}

impl Family {
    fn constant(tally: &Tally) -> Option<Self> {
        let (answer, counts) = best(tally.constants.iter())?;
        let hash = super::mentions::hash(answer);
        Some(Self {
            key: "constant",
            about: "always this answer",
            which: answer.clone(),
            counts: *counts,
            names: Box::new(move |row, choice| row.choices[choice] == hash),
        })
    }

    fn position(tally: &Tally) -> Option<Self> {
        let (number, counts) = best(tally.positions.iter().enumerate())?;
        Some(Self {
            key: "position",
            about: "always the choice with this number, from 0",
            which: number.to_string(),
            counts: *counts,
            names: Box::new(move |_, choice| choice == number),
        })
    }

    fn sentence(tally: &Tally, end: usize) -> Option<Self> {
        let (number, counts) = best(tally.sentences[end].iter().enumerate())?;
        let (key, about) = [
            ("sentence_from_start", "what the sentence with this number names, from 0"),
            ("sentence_from_end", "the same, counting from the end; the last is 0"),
        ][end];
        let names = move |row: &Kept, choice: usize| {
            row.sentences[end].get(number).copied().flatten().map(usize::from) == Some(choice)
        };
        Some(Self { key, about, which: number.to_string(), counts: *counts, names: Box::new(names) })
    }

    fn finding(&self, tally: &Tally) -> Finding {
        let everywhere = self.counts[LEARN].plus(self.counts[TRY]);
        let all = tally.all[LEARN].plus(tally.all[TRY]);
        let is_right = |row: usize| {
            let row = &tally.kept[TRY][row];
            f64::from((self.names)(row, usize::from(row.label)))
        };
        Finding {
            both: tally.pairs.share_of(is_right),
            of_triplets: tally.triplets.shares_of(is_right),
            which: Some(self.which.clone()),
            is_learned: true,
            on_all_rows: Some(Finding::of("", "", everywhere, all).accuracy),
            ..Finding::of(self.key, self.about, self.counts[TRY], tally.all[TRY])
        }
    }
}

/// The one that does best on the rows for learning, or the first of several. `None` if there is nothing to learn from.
fn best<'a, T>(all: impl Iterator<Item = (T, &'a Counts)>) -> Option<(T, &'a Counts)> {
    let over = |counts: &Counts| counts[LEARN].hits - counts[LEARN].chance;
    all.filter(|(_, counts)| counts[LEARN].answered > 0)
        .reduce(|best, other| if over(other.1) > over(best.1) { other } else { best })
}

/// How well a learner does on the rows that it is tested on.
fn tried(tally: &Tally, key: &str, about: &str, numbers: impl Fn(&Kept) -> Vec<Option<f64>>) -> Finding {
    let (mut count, mut all) = (Count::default(), Count::default());
    let mut credits = Vec::new();
    for row in &tally.kept[TRY] {
        let choices = row.choices.len();
        all.add(choices, 0.0);
        let credit = credit(&numbers(row), usize::from(row.label));
        if let Some(credit) = credit {
            count.add(choices, credit);
        }
        credits.push(credit.unwrap_or(0.0));
    }
    let both = tally.pairs.share_of(|row| credits[row]);
    let of_triplets = tally.triplets.shares_of(|row| credits[row]);
    Finding { is_learned: true, both, of_triplets, ..Finding::of(key, about, count, all) }
}

/// What learners make of the words alone: of the story, of the question, of the choices.
fn words(tally: &Tally) -> Vec<Finding> {
    let learn = &tally.kept[LEARN];
    let answer = |row: &Kept| row.choices[usize::from(row.label)];
    let by_text = |key, about, text: fn(&Kept) -> Bag<'_>| {
        let texts: Vec<(Bag<'_>, u64)> = learn.iter().map(|row| (text(row), answer(row))).collect();
        let bayes = Bayes::learn(&texts)?;
        Some(tried(tally, key, about, |row| {
            row.choices.iter().map(|&choice| bayes.speaks_for(choice, text(row))).collect()
        }))
    };
    let story = by_text("story_words", "naive Bayes on the words of story and question", |row| &row.words);
    let question = by_text("question_words", "naive Bayes on the words of the question alone", |row| {
        &row.question_words
    });
    let choices = || {
        let texts: Vec<(Bag<'_>, u64)> = learn
            .iter()
            .flat_map(|row| {
                let is_answer = |choice: usize| u64::from(choice == usize::from(row.label));
                row.choice_words
                    .iter()
                    .enumerate()
                    .map(move |(choice, words)| (&words[..], is_answer(choice)))
            })
            .collect();
        let bayes = Bayes::learn(&texts)?;
        let odds = |words: &Vec<(u64, u16)>| Some(bayes.speaks_for(1, words)? - bayes.speaks_for(0, words)?);
        Some(tried(tally, "choice_words", "naive Bayes on the choices alone", |row| {
            row.choice_words.iter().map(odds).collect()
        }))
    };
    [story, question, choices()].into_iter().flatten().collect()
}

/// A small tree over all shortcuts that are held to a limit.
fn tree(group: &Group, tally: &Tally, families: &[Option<Family>]) -> Option<Finding> {
    let is_seen = |key: &str| !(group.asks_of_news() && shortcut::FOLLOWING_TWO.contains(&key));
    let seen: Vec<bool> = shortcut::all().map(|shortcut| is_seen(shortcut.key)).collect();
    let facts = |row: &Kept| -> Vec<(Vec<f32>, bool)> {
        let of = |choice: usize| {
            let named = row.named.iter().zip(&seen).filter(|(_, is_seen)| **is_seen);
            let named = named.map(|(named, _)| named.map(usize::from) == Some(choice));
            let chosen = families.iter().flatten().map(|family| (family.names)(row, choice));
            let counts = row.counts[choice].map(f32::from);
            let facts = named.chain(chosen).map(f32::from).chain(counts).chain([choice as f32]);
            (facts.collect(), choice == usize::from(row.label))
        };
        (0..row.choices.len()).map(of).collect()
    };
    let choices: Vec<(Vec<f32>, bool)> = tally.kept[LEARN].iter().flat_map(facts).collect();
    let tree = Tree::learn(&choices)?;
    let names: Vec<&str> = shortcut::all()
        .map(|shortcut| shortcut.key)
        .filter(|key| is_seen(key))
        .chain(families.iter().flatten().map(|family| family.key))
        .chain(FACTS)
        .collect();
    let asked: Vec<&str> = tree.asks_for().into_iter().take(3).map(|(fact, _)| names[fact]).collect();
    let about = format!("a decision tree of depth {TREE_DEPTH} over all shortcuts");
    let finding = tried(tally, TREE, &about, |row| {
        tree.likely(&facts(row)).into_iter().map(|likely| Some(f64::from(likely))).collect()
    });
    Some(Finding { which: (!asked.is_empty()).then(|| asked.join(", ")), ..finding })
}
