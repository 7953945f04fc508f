//! What boosted trees learn from a group of questions, sight by sight.
//!
//! Three quarters of the stories are learned from and the others tested on, divided by a hash, so that all questions of a
//! story, and its twin, are on one side. Sights are learned on several threads; each is the same whichever thread learns it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::count::Count;
use super::finding::{Finding, wilson};
use super::learn::credit;
use super::signs::{Sight, Signs, names};
use crate::boost::{Data, Ranker, Settings};
use crate::dataset::FIFTHS;

/// The smallest numbers of rows that are learned from and tested on. From fewer, trees learn accidents.
pub const LEARN_MIN: usize = 1_000;
pub const TRY_MIN: usize = 300;

/// The largest number of signs that all groups together keep.
const NUMBERS_MAX: usize = 100_000_000;

/// How many of the signs that trees ask for are named.
const NAMED: usize = 2;

/// With how many rows the usual answer is tempered: what was offered once or twice says little.
const TEMPER: f64 = 20.0;

/// The name of the sign that is not read off a single row.
const USUAL: &str = "how often it was right elsewhere";

/// What learners are given of a row.
#[derive(Debug)]
pub struct Shown {
    pub signs: Signs,
    /// The hashes of the choices.
    pub choices: Vec<u64>,
    /// The index of the right choice.
    pub label: u8,
    /// A hash of what all questions of one story have in common.
    pub unit: u64,
    /// The fifth in which the question is by how difficult it is, if that is known.
    pub fifth: Option<usize>,
}

impl Shown {
    /// Whether the row is tested on; so is a quarter of all stories.
    pub fn is_tried(&self) -> bool {
        self.unit % 4 == 3
    }

    /// In which of two folds the row is.
    fn fold(&self) -> usize {
        (self.unit / 4 % 2) as usize
    }
}

/// The rows that are learned from and tested on.
#[derive(Debug, Default)]
pub struct Lessons {
    learn: Vec<Shown>,
    tried: Vec<Shown>,
}

impl Lessons {
    /// Keeps a row, unless there are enough. `taken` is how many signs all groups together have kept.
    pub fn keep(&mut self, row: Shown, is_tried: bool, sample: usize, taken: &mut usize) {
        let (rows, rows_max) =
            if is_tried { (&mut self.tried, sample) } else { (&mut self.learn, sample.saturating_mul(3)) };
        if rows.len() < rows_max && *taken + row.signs.len() <= NUMBERS_MAX {
            *taken += row.signs.len();
            rows.push(row);
        }
    }

    /// Learns and tests all sights.
    pub fn learning(&self) -> Learning {
        self.learning_on(thread::available_parallelism().map_or(1, usize::from))
    }

    /// The same on so many threads. Their number changes nothing.
    fn learning_on(&self, threads: usize) -> Learning {
        let (learned_from, tried_on) = (self.learn.len() as u64, self.tried.len() as u64);
        let is_enough = self.learn.len() >= LEARN_MIN && self.tried.len() >= TRY_MIN;
        let minds = self.learn.iter().chain(&self.tried).map(|row| row.signs.minds).max().unwrap_or_default();
        let is_talk = self.learn.iter().any(|row| row.signs.is_talk);
        let is_graded = self.learn.iter().chain(&self.tried).all(|row| row.fifth.is_some());
        let sights = if is_enough { Sight::all(minds, is_talk, is_graded) } else { Vec::new() };
        let usual = Usual::of(&self.learn);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        // The last sights take longest, so they begin first.
        let work = || {
            while let Some(at) = sights.len().checked_sub(next.fetch_add(1, Ordering::Relaxed) + 1) {
                let seen = self.seen(sights[at], minds, &usual);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, seen));
            }
        };
        thread::scope(|scope| {
            (1..threads.min(sights.len())).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        let mut sights = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        sights.sort_by_key(|(at, _)| *at);
        Learning { learned_from, tried_on, sights: sights.into_iter().map(|(_, seen)| seen).collect() }
    }

    /// Learns and tests one sight.
    fn seen(&self, sight: Sight, minds: usize, usual: &Usual) -> Seen {
        let mut names = names(sight, minds);
        let has_options = !matches!(sight, Sight::Target | Sight::Mind(_) | Sight::Moves);
        if has_options {
            names.push(USUAL.to_owned());
        }
        let show = |row: &Shown, known: Known, shown: &mut Vec<f32>| {
            shown.clear();
            for (choice, hash) in row.choices.iter().enumerate() {
                row.signs.show(sight, minds, choice, shown);
                if has_options {
                    shown.push(usual.of_choice(*hash, known));
                }
            }
        };
        let mut data = Data::new(names.len());
        let mut shown = Vec::new();
        for row in &self.learn {
            show(row, Known::ButFold(row.fold()), &mut shown);
            data.push(&shown, usize::from(row.label), 1.0);
        }
        let ranker = Ranker::learn(&data, &SETTINGS);
        drop(data);
        let (mut count, mut all) = (Count::default(), Count::default());
        let mut fifths = [Count::default(); FIFTHS.len()];
        for row in &self.tried {
            show(row, Known::All, &mut shown);
            let scores: Vec<Option<f64>> =
                shown.chunks_exact(names.len()).map(|choice| Some(ranker.score(choice))).collect();
            all.add(row.choices.len(), 0.0);
            let credit = credit(&scores, usize::from(row.label)).unwrap_or_default();
            count.add(row.choices.len(), credit);
            if let Some(fifth) = row.fifth.and_then(|fifth| fifths.get_mut(fifth)) {
                fifth.add(row.choices.len(), credit);
            }
        }
        let mut asked: Vec<usize> = (0..names.len()).filter(|&at| ranker.gains()[at] > 0.0).collect();
        asked.sort_by(|&one, &other| ranker.gains()[other].total_cmp(&ranker.gains()[one])); // stable
        let asked: Vec<&str> = asked.into_iter().take(NAMED).map(|at| names[at].as_str()).collect();
        let finding = Finding {
            which: (ranker.tree_count() > 0).then(|| asked.join("; ")),
            is_learned: true,
            ..Finding::of(&sight.key(), &sight.about(), count, all)
        };
        let by_difficulty = Fifth::all(&fifths);
        Seen { finding, limit: sight.limit(), follows_minds: sight.follows_minds(), by_difficulty }
    }
}

/// How boldly trees learn: with few questions each, and until every fifth row no longer gains by it.
const SETTINGS: Settings = Settings {
    trees: 100,
    depth: 5,
    shrinkage: 0.2,
    leaf_penalty: 1.0,
    leaf_hessian_min: 20.0,
    patience: Some(8),
};

/// How often every text was right when it was offered, against chance, in each of two folds.
struct Usual(HashMap<u64, [[f64; 2]; 2]>);

/// Which rows say what is usual. A row that is learned from must not say it of itself.
#[derive(Clone, Copy)]
enum Known {
    All,
    ButFold(usize),
}

impl Usual {
    fn of(rows: &[Shown]) -> Self {
        let mut usual: HashMap<u64, [[f64; 2]; 2]> = HashMap::new();
        for row in rows {
            let chance = 1.0 / row.choices.len() as f64;
            for (at, choice) in row.choices.iter().enumerate() {
                let [over, offered] = &mut usual.entry(*choice).or_default()[row.fold()];
                *over += f64::from(u8::from(at == usize::from(row.label))) - chance;
                *offered += 1.0;
            }
        }
        Self(usual)
    }

    fn of_choice(&self, choice: u64, known: Known) -> f32 {
        let folds = self.0.get(&choice).copied().unwrap_or_default();
        let of = |fold: usize| match known {
            Known::ButFold(but) if but == fold => [0.0; 2],
            _ => folds[fold],
        };
        let ([over, offered], [more_over, more_offered]) = (of(0), of(1));
        ((over + more_over) / (offered + more_offered + TEMPER)) as f32
    }
}

/// What boosted trees have learned of a group of questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learning {
    /// The number of rows that were learned from.
    pub learned_from: u64,
    /// The number of rows that were tested on.
    pub tried_on: u64,
    /// How well each sight does; empty if there are too few rows to learn from.
    pub sights: Vec<Seen>,
}

/// How well trees do that look at certain things.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// The finding; its key is the name of the sight.
    #[serde(flatten)]
    pub finding: Finding,
    /// The name of the sight in a list of limits.
    pub limit: &'static str,
    /// Whether to do well with this sight is to follow minds, so that no limit applies.
    pub follows_minds: bool,
    /// How well it does by how difficult questions are, from the easiest fifth on; empty if rows do not say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_difficulty: Vec<Fifth>,
}

/// How well trees do in questions of about the same difficulty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fifth {
    /// From which quantile to which: `20–39`.
    pub quantiles: &'static str,
    /// The number of rows that were tested on.
    pub rows: u64,
    /// The share of rows that were got right; 0 if there are none.
    pub accuracy: f64,
    /// The lower end of the 95% interval of the accuracy (Wilson's interval).
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
}

impl Fifth {
    /// All fifths, or none if no row is in one.
    fn all(counts: &[Count; FIFTHS.len()]) -> Vec<Self> {
        if counts.iter().all(|count| count.answered == 0) {
            return Vec::new();
        }
        let fifth = |(quantiles, count): (&&'static str, &Count)| {
            let (low, high) = wilson(count.hits, count.answered);
            let accuracy = if count.answered == 0 { 0.0 } else { count.hits / count.answered as f64 };
            Self { quantiles, rows: count.answered, accuracy, low, high }
        };
        FIFTHS.iter().zip(counts).map(fifth).collect()
    }
}

impl Seen {
    /// How far the accuracy is above chance at least: by the lower end of its interval.
    pub fn over_at_least(&self) -> f64 {
        self.finding.low - self.finding.chance
    }
}

impl Learning {
    /// Why nothing was learned, in words; `None` if something was.
    ///
    /// ```
    /// use storysim::audit::Learning;
    /// let few = Learning { learned_from: 70, tried_on: 30, sights: Vec::new() };
    /// assert_eq!(few.too_few().unwrap(), "70 rows to learn from and 30 to test on are too few");
    /// ```
    pub fn too_few(&self) -> Option<String> {
        let Self { learned_from, tried_on, sights } = self;
        let are_few = sights.is_empty();
        are_few.then(|| format!("{learned_from} rows to learn from and {tried_on} to test on are too few"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Case, Itinerary, Measured};

    /// Stories of two people. If `answer` is given, the target was there at that time, and else an answer is drawn.
    fn lessons(rows: u64, answer_at: Option<usize>) -> Lessons {
        let places = ["attic", "cellar", "garden", "hall"];
        let mut lessons = Lessons::default();
        for row in 0..rows {
            let mut bits = blake3::Hasher::new().update(&row.to_le_bytes()).finalize_xof();
            let mut draw = |below: usize| {
                let mut bytes = [0; 1];
                bits.fill(&mut bytes);
                usize::from(bytes[0]) % below
            };
            let mut path = vec![0];
            let mut story = Vec::new();
            for _ in 0..10 {
                let (is_ann, place) = (draw(2) == 0, draw(4));
                let before = path[path.len() - 1];
                path.push(if is_ann { place } else { before });
                story.push(format!("{} enters {}.", if is_ann { "Ann" } else { "Bob" }, places[place]));
            }
            let story = story.join(" ");
            let itinerary = Itinerary::of_sentences(&story, &"attic".into(), &["Ann", "Bob"], &places, &[]);
            let case = Case {
                choices: places.map(str::to_owned).into(),
                label: answer_at.map_or_else(|| draw(4), |at| path[at]),
                company: vec!["Bob".into()],
                about: "Ann".into(),
                unit: Some(row.to_string()),
                itinerary,
                story,
                ..Case::default()
            };
            let shown = Measured::of(case).shown;
            let is_tried = shown.is_tried();
            lessons.keep(shown, is_tried, 20_000, &mut 0);
        }
        lessons
    }

    #[test]
    fn threads_change_nothing_in_what_is_learned() {
        let lessons = lessons(1_600, Some(6));
        let alone = lessons.learning_on(1);
        assert_eq!(alone.sights.len(), 6);
        assert_eq!(alone, lessons.learning_on(2));
        assert_eq!(alone, lessons.learning_on(9));
        let over = |key: &str| {
            let found = alone.sights.iter().find(|seen| seen.finding.key == key);
            found.unwrap().over_at_least()
        };
        assert!(over("target") > 0.3 && over("mind 1") < 0.05, "{alone:?}");
    }

    /// Of rows that say that they are difficult, the answer is drawn; of easy ones, it is seen.
    #[test]
    fn difficult_questions_are_counted_apart() {
        let (mut easy, mut hard) = (lessons(1_600, Some(6)), lessons(1_600, None));
        assert!(easy.learning_on(1).sights.iter().all(|seen| seen.by_difficulty.is_empty()));
        easy.tried.iter_mut().for_each(|row| row.fifth = Some(0));
        hard.tried.iter_mut().for_each(|row| row.fifth = Some(4));
        let (of_easy, of_hard) = (easy.tried.len() as u64, hard.tried.len() as u64);
        easy.tried.append(&mut hard.tried);
        let sights = easy.learning_on(1).sights;
        assert!(
            sights.iter().all(|seen| seen.finding.key != "moves"),
            "not all rows say how difficult they are"
        );
        let target = sights.iter().find(|seen| seen.finding.key == "target").unwrap();
        let [first, second, .., last] = &target.by_difficulty[..] else { panic!("{target:?}") };
        assert_eq!([first.rows, second.rows, last.rows], [of_easy, 0, of_hard]);
        assert!(first.accuracy > 0.6 && last.accuracy < 0.35 && first.low > last.high, "{target:?}");
        let right: f64 = target.by_difficulty.iter().map(|fifth| fifth.accuracy * fifth.rows as f64).sum();
        assert!((right / target.finding.rows as f64 - target.finding.accuracy).abs() < 1e-9, "{target:?}");
    }

    #[test]
    fn what_is_drawn_is_not_learned() {
        let learning = lessons(3_000, None).learning();
        assert!(learning.sights.iter().all(|seen| seen.over_at_least() < 0.0), "{learning:?}");
        assert!(lessons(1_200, None).learning().too_few().is_some(), "900 rows are too few to learn from");
    }
}
