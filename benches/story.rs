//! What one story costs, part by part, beside the floor: 100 draws of the generator.
//!
//! `cargo bench` runs it; BENCHMARKS.md says what was seen.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng;
use storysim::belief::{Chain, DeedTracker, Tracker};
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::plan::Plan;
use storysim::question::chain;
use storysim::rng::{Purpose, StreamKey};
use storysim::select::Selector;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, QuestionKind, parse};
use storysim::text::{Display, Lexicon, Words};

const SEED: u64 = 7;

fn plan(name: &str) -> Plan {
    let built_in = BUILT_IN.iter().find(|board| board.name == name).expect("a built-in storyboard");
    compile(&parse(built_in.source()).expect("it parses"), &[]).expect("it compiles").plan
}

/// The tracker of a plan's first question.
fn tracker(plan: &Plan) -> Tracker {
    let question = &plan.questions[0];
    Tracker::new(Chain::new(&question.others, question.character()), plan.character_count)
}

fn track(tracker: &mut Tracker, story: &Story) {
    tracker.start(&story.trace.start);
    story.trace.events.iter().for_each(|&event| {
        tracker.apply(event);
    });
    black_box(tracker.answer());
}

fn parts(criterion: &mut Criterion, name: &str) {
    let plan = plan(name);
    let mut simulator = Simulator::new(&plan, SEED);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1));
    let (mut index, mut story) = (0, Story::default());

    let key = StreamKey::derive(SEED, &plan.fingerprint, Purpose::Walk);
    group.bench_function("floor: 100 draws of the generator", |bencher| {
        bencher.iter(|| {
            index += 1;
            let mut stream = key.stream(index, 0);
            for _ in 0..100 {
                black_box(stream.next_u64());
            }
        });
    });
    group.bench_function("draw", |bencher| {
        bencher.iter(|| {
            index += 1;
            simulator.draw(index, &mut story);
        });
    });
    let mut tracker = tracker(&plan);
    group.bench_function("draw + track", |bencher| {
        bencher.iter(|| {
            index += 1;
            simulator.draw(index, &mut story);
            track(&mut tracker, &story);
        });
    });
    let lexicon = Lexicon::new(&plan, SEED, str::to_owned);
    let (mut words, mut text) = (Words::default(), String::new());
    group.bench_function("draw + track + text", |bencher| {
        bencher.iter(|| {
            index += 1;
            simulator.draw(index, &mut story);
            track(&mut tracker, &story);
            text.clear();
            lexicon.draw(&story, &mut words);
            lexicon.story(&story, &words, Display::People, &mut text);
            black_box(&text);
        });
    });
    let mut maker = RowMaker::new(&plan, SEED, &[], RowOptions::default());
    let mut rows = String::new();
    group.bench_function("whole rows", |bencher| {
        bencher.iter(|| {
            index += 1;
            rows.clear();
            maker.rows(index, &mut rows);
            black_box(&rows);
        });
    });
    group.finish();
}

fn story(criterion: &mut Criterion) {
    for name in ["first-order-mislead", "second-order-mislead", "fourth-order-mislead", "free-play"] {
        parts(criterion, name);
    }
}

/// Stories in which people do more than walk, those drawn again included.
fn deeds(criterion: &mut Criterion) {
    for name in ["sally-anne", "tomi-like", "hitom-like", "rumour", "whispers"] {
        let plan = plan(name);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        let (mut selector, mut story, mut index) = (Selector::new(&plan, SEED), Story::default(), 0);
        group.bench_function("draw", |bencher| {
            bencher.iter(|| {
                index += 1;
                selector.draw(index, &mut story);
            });
        });
        let question = plan.questions.iter().find(|question| question.kind == QuestionKind::Belief);
        let mut tracker = question.and_then(chain).map(DeedTracker::new).expect("a question about a mind");
        group.bench_function("draw + track", |bencher| {
            bencher.iter(|| {
                index += 1;
                selector.draw(index, &mut story);
                tracker.start(&story.trace);
                for (&event, deed) in story.trace.events.iter().zip(&story.trace.deeds) {
                    tracker.apply(event, deed);
                }
                black_box(tracker.held());
            });
        });
        let mut maker = RowMaker::new(&plan, SEED, &[], RowOptions::default());
        let mut rows = String::new();
        group.bench_function("whole rows", |bencher| {
            bencher.iter(|| {
                index += 1;
                rows.clear();
                maker.rows(index, &mut rows);
                black_box(&rows);
            });
        });
        group.finish();
    }
}

fn compiling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    for name in ["first-order-mislead", "second-order-mislead", "fourth-order-mislead"] {
        group.bench_function(name, |bencher| bencher.iter(|| plan(name)));
    }
    group.finish();
}

criterion_group!(benches, story, deeds, compiling);
criterion_main!(benches);
