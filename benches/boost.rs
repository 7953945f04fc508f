//! What it costs to learn a ranker, and to ask it.
//!
//! `cargo bench --bench boost` runs it; BENCHMARKS.md says what was seen.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng;
use storysim::boost::{Data, Ranker, Settings};
use storysim::rng::{Purpose, StreamKey, below};

const CHOICES: usize = 6;
const FEATURES: usize = 40;

/// Rows in which the right choice mostly has the larger sum of two features; half of the features have few values.
fn data(rows: usize) -> Data {
    let mut stream = StreamKey::derive(7, "bench", Purpose::Trial).stream(0, 0);
    let mut data = Data::new(FEATURES);
    for _ in 0..rows {
        let value = |at: usize| match at % FEATURES % 2 {
            0 => below(&mut stream, 12) as f32,
            _ => (stream.next_u32() >> 8) as f32,
        };
        let values: Vec<f32> = (0..CHOICES * FEATURES).map(value).collect();
        let sum = |choice: &[f32]| choice[0] + choice[2];
        let sums: Vec<f32> = values.chunks_exact(FEATURES).map(sum).collect();
        let best = (0..CHOICES).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or_default();
        let label =
            if below(&mut stream, 3) > 0 { best } else { below(&mut stream, CHOICES as u32) as usize };
        data.push(&values, label, 1.0);
    }
    data
}

fn boost(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("boost: 6 choices, 40 features, depth 5");
    group.sample_size(10);
    let data = data(6_000);
    let settings = Settings { trees: 10, ..Settings::default() };
    group.throughput(Throughput::Elements(6_000 * 10));
    group.bench_function("learn, rows times trees", |bencher| {
        bencher.iter(|| Ranker::learn(&data, &settings))
    });
    let ranker = Ranker::learn(&data, &Settings { trees: 100, ..settings });
    let row: Vec<f32> = (0..CHOICES * FEATURES).map(|at| (at * 37 % 11) as f32).collect();
    let mut probabilities = Vec::new();
    group.throughput(Throughput::Elements(1));
    group.bench_function("the probabilities of a row, 100 trees", |bencher| {
        bencher.iter(|| ranker.probabilities(black_box(&row), &mut probabilities));
    });
    group.finish();
}

criterion_group!(benches, boost);
criterion_main!(benches);
