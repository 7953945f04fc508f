//! The boosted ranker, held against a slow learner of the same trees that knows neither bins nor integers.

use rand::Rng;
use storysim::boost::{Data, Ranker, Settings};
use storysim::rng::{Purpose, Stream, StreamKey, below};

/// A row as the slow learner has it.
struct Row {
    choices: Vec<Vec<f32>>,
    label: usize,
    weight: f64,
}

fn stream(part: u64) -> Stream {
    StreamKey::derive(11, "boost", Purpose::Trial).stream(0, part)
}

fn data(rows: &[Row]) -> Data {
    let mut data = Data::new(rows[0].choices[0].len());
    rows.iter().for_each(|row| data.push(&row.choices.concat(), row.label, row.weight));
    data
}

/// Rows of small integers in which a rule names the right choice two times in three.
fn rows(count: usize, width: usize, part: u64) -> Vec<Row> {
    let mut stream = stream(part);
    let row = |_| {
        let choice_count = 2 + below(&mut stream, 5) as usize;
        let mut choice = || (0..width).map(|_| below(&mut stream, 7) as f32 - 2.0).collect::<Vec<f32>>();
        let choices: Vec<Vec<f32>> = (0..choice_count).map(|_| choice()).collect();
        let by_rule = (0..choice_count).max_by_key(|&at| {
            let [a, b, c] = [0, 1, 2].map(|feature| choices[at][feature] as i32);
            (if a > 1 { b } else { -c }, at)
        });
        let guessed = below(&mut stream, choice_count as u32) as usize;
        let label = if below(&mut stream, 3) > 0 { by_rule.unwrap() } else { guessed };
        Row { choices, label, weight: f64::from(1 + below(&mut stream, 4)) / 2.0 }
    };
    (0..count).map(row).collect()
}

/// A tree of the slow learner.
enum Tree {
    Leaf(f64),
    Asks { feature: usize, cut: f32, below: Box<Tree>, above: Box<Tree> },
}

impl Tree {
    fn score(&self, choice: &[f32]) -> f64 {
        match self {
            Self::Leaf(score) => *score,
            Self::Asks { feature, cut, below, above } => {
                if choice[*feature] <= *cut {
                    below.score(choice)
                } else {
                    above.score(choice)
                }
            }
        }
    }

    /// Tries every split of these choices, each with its gradient and hessian, and sums both sides anew.
    fn grow(choices: &[(&[f32], f64, f64)], depth: usize, settings: &Settings) -> Self {
        let sums = |part: &[(&[f32], f64, f64)]| {
            (part.iter().map(|choice| choice.1).sum::<f64>(), part.iter().map(|choice| choice.2).sum::<f64>())
        };
        let merit = |(g, h): (f64, f64)| g * g / (h + settings.leaf_penalty) / 2.0;
        let mut best: Option<(f64, usize, f32)> = None;
        let width = choices.first().map_or(0, |choice| choice.0.len());
        for feature in (0..width).filter(|_| depth > 0) {
            let mut cuts: Vec<f32> = choices.iter().map(|choice| choice.0[feature]).collect();
            cuts.sort_by(f32::total_cmp);
            cuts.dedup();
            for &cut in &cuts[..cuts.len() - 1] {
                let (below, above): (Vec<_>, Vec<_>) =
                    choices.iter().partition(|choice| choice.0[feature] <= cut);
                let (below, above) = (sums(&below), sums(&above));
                if below.1 < settings.leaf_hessian_min || above.1 < settings.leaf_hessian_min {
                    continue;
                }
                let gain = merit(below) + merit(above) - merit(sums(choices));
                // What differs by less than this is equal, and the first counts.
                if gain > best.map_or(0.0, |best| best.0) + 1e-9 {
                    best = Some((gain, feature, cut));
                }
            }
        }
        let Some((_, feature, cut)) = best else {
            let (g, h) = sums(choices);
            return Self::Leaf(f64::from((-settings.shrinkage * g / (h + settings.leaf_penalty)) as f32));
        };
        let (below, above): (Vec<_>, Vec<_>) = choices.iter().partition(|choice| choice.0[feature] <= cut);
        let child = |part: &[(&[f32], f64, f64)]| Box::new(Self::grow(part, depth - 1, settings));
        Self::Asks { feature, cut, below: child(&below), above: child(&above) }
    }
}

/// Learns by the written-out definition, with the platform's exponential function.
fn learn_slowly(rows: &[Row], settings: &Settings) -> Vec<Tree> {
    let mean = rows.iter().map(|row| row.weight).sum::<f64>() / rows.len() as f64;
    let mut trees: Vec<Tree> = Vec::new();
    for _ in 0..settings.trees {
        let mut choices: Vec<(&[f32], f64, f64)> = Vec::new();
        for row in rows {
            let probabilities = probabilities(&trees, row);
            for (at, (choice, p)) in row.choices.iter().zip(probabilities).enumerate() {
                let weight = row.weight / mean;
                let right = f64::from(u8::from(at == row.label));
                choices.push((choice, weight * (p - right), weight * p * (1.0 - p)));
            }
        }
        trees.push(Tree::grow(&choices, settings.depth, settings));
    }
    trees
}

fn probabilities(trees: &[Tree], row: &Row) -> Vec<f64> {
    let score = |choice: &Vec<f32>| trees.iter().map(|tree| tree.score(choice)).sum::<f64>().exp();
    let scores: Vec<f64> = row.choices.iter().map(score).collect();
    scores.iter().map(|score| score / scores.iter().sum::<f64>()).collect()
}

#[test]
fn a_slow_learner_learns_the_same() {
    let cases = [(60, 3, 1, 8), (60, 4, 3, 6), (25, 3, 4, 10), (120, 5, 2, 12), (5, 3, 10, 3), (1, 3, 2, 2)];
    for (part, (count, width, depth, trees)) in cases.into_iter().enumerate() {
        let rows = rows(count, width, part as u64);
        let settings = Settings { trees, depth, leaf_hessian_min: 0.4, ..Settings::default() };
        let (ranker, slow) = (Ranker::learn(&data(&rows), &settings), learn_slowly(&rows, &settings));
        let mut ours = Vec::new();
        for row in rows.iter() {
            ranker.probabilities(&row.choices.concat(), &mut ours);
            for (our, their) in ours.iter().zip(probabilities(&slow, row)) {
                assert!((our - their).abs() < 1e-6, "case {part}: {our} and {their}");
            }
        }
    }
}

/// The share of rows whose right choice has the highest score.
fn accuracy(ranker: &Ranker, rows: &[Row]) -> f64 {
    let is_found = |row: &&Row| {
        let score = |at: usize| ranker.score(&row.choices[at]);
        (0..row.choices.len()).all(|at| at == row.label || score(at) < score(row.label))
    };
    rows.iter().filter(is_found).count() as f64 / rows.len() as f64
}

#[test]
fn a_planted_rule_is_found_and_noise_is_not() {
    let (learned, tested) = (rows(4_000, 6, 20), rows(2_000, 6, 21));
    let ranker = Ranker::learn(&data(&learned), &Settings::default());
    // The rule is right in 2/3 of the rows and in 1/k of the others; ties are broken by a position that nobody sees.
    let found = accuracy(&ranker, &tested);
    assert!(found > 0.62, "{found}");
    let gains = ranker.gains();
    assert!(gains[..3].iter().all(|gain| *gain > 2.0 * gains[3]), "{gains:?}");
    // Labels that follow from nothing.
    let mut noise = rows(4_000, 6, 22);
    let mut stream = stream(23);
    noise.iter_mut().for_each(|row| row.label = below(&mut stream, row.choices.len() as u32) as usize);
    let ranker = Ranker::learn(&data(&noise), &Settings { patience: Some(5), ..Settings::default() });
    assert!(ranker.tree_count() < 10, "{}", ranker.tree_count());
}

#[test]
fn weights_count_as_often_as_rows() {
    // A row of weight 3 is three rows of weight 1. Only the average weight differs, which the penalty makes up for.
    let mut weighted = rows(200, 4, 30);
    weighted.iter_mut().enumerate().for_each(|(at, row)| row.weight = [0.0, 1.0, 3.0][at % 3]);
    let mean = weighted.iter().map(|row| row.weight).sum::<f64>() / weighted.len() as f64;
    let mut repeated = Data::new(4);
    for row in &weighted {
        (0..row.weight as usize).for_each(|_| repeated.push(&row.choices.concat(), row.label, 0.25));
    }
    let plain = Settings { trees: 5, depth: 3, leaf_hessian_min: 0.0, ..Settings::default() };
    let scaled = Settings { leaf_penalty: plain.leaf_penalty / mean, ..plain.clone() };
    let one = Ranker::learn(&data(&weighted), &scaled);
    let other = Ranker::learn(&repeated, &plain);
    for row in &weighted {
        for choice in &row.choices {
            assert!((one.score(choice) - other.score(choice)).abs() < 1e-5);
        }
    }
    let none = Ranker::learn(
        &data(&rows(9, 4, 31).into_iter().map(|row| Row { weight: 0.0, ..row }).collect::<Vec<_>>()),
        &plain,
    );
    assert_eq!(none.tree_count(), 0, "rows of weight 0 teach nothing");
}

#[test]
fn learning_stops_where_held_out_rows_say_so() {
    let rows = rows(600, 5, 40);
    let all = Settings { trees: 400, ..Settings::default() };
    let stopped = Ranker::learn(&data(&rows), &Settings { patience: Some(8), ..all.clone() });
    assert!((5..200).contains(&stopped.tree_count()), "{}", stopped.tree_count());
    // The trees that are kept are those that are learned from the other rows.
    let others: Vec<Row> =
        rows.into_iter().enumerate().filter(|(at, _)| at % 5 != 4).map(|(_, row)| row).collect();
    let again = Ranker::learn(&data(&others), &Settings { trees: stopped.tree_count(), ..all });
    assert_eq!(stopped, again);
}

fn written(ranker: &Ranker) -> String {
    serde_json::to_string(ranker).unwrap()
}

#[test]
fn a_ranker_is_read_as_it_was_written() {
    let ranker = Ranker::learn(&data(&rows(300, 4, 50)), &Settings { trees: 30, ..Settings::default() });
    let text = written(&ranker);
    let read: Ranker = serde_json::from_str(&text).unwrap();
    assert_eq!(read, ranker);
    let broken = [
        text.replacen("\"width\":4", "\"width\":2", 1),
        text.replacen("\"depth\":5", "\"depth\":4", 1),
        text.replacen("\"depth\":5", "\"depth\":64", 1),
        text.replacen("\"features\":[", "\"features\":[9,", 1),
        text.replacen("\"leaves\":[", "\"leaves\":[1e300,", 1),
    ];
    for text in broken {
        assert!(serde_json::from_str::<Ranker>(&text).is_err(), "{}", &text[..60]);
    }
}

#[test]
fn bits_are_golden() {
    let mut stream = stream(60);
    let mut rows = rows(500, 4, 61);
    for row in &mut rows {
        // Values that are no integers and more than there are bins, and weights of all sizes.
        row.choices.iter_mut().for_each(|choice| choice[3] = stream.next_u32() as f32 / 1e6);
        row.weight = f64::from(stream.next_u32() >> 16) / f64::from(1 + below(&mut stream, 1_000));
    }
    let settings = Settings { trees: 40, depth: 4, ..Settings::default() };
    let ranker = Ranker::learn(&data(&rows), &settings);
    let hash = blake3::hash(written(&ranker).as_bytes()).to_hex().to_string();
    assert_eq!(hash[..32], *"d255c98ec0c585fe7c01dbb8bd741f1d", "the bits of what is learned are a promise");
}
