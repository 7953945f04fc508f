//! What one story costs, part by part, beside the floor: 100 draws of the generator.
//!
//! `cargo bench` runs it; BENCHMARKS.md says what was seen.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng;
use storysim::belief::{Chain, DeedTracker, Tracker};
use storysim::compile::{compile, compile_family};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::plan::Plan;
use storysim::question::{Asker, Followed, chain};
use storysim::rng::{Purpose, StreamKey};
use storysim::select::{Family, Selector, admit};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, QuestionKind, parse};
use storysim::text::{Display, Lexicon, Words};

const SEED: u64 = 7;

fn text(name: &str) -> String {
    let built_in = BUILT_IN.iter().find(|board| board.name == name).expect("a built-in storyboard");
    built_in.source().text
}

fn plan_of(text: String, settings: &[(&str, i64)]) -> Plan {
    let settings: Vec<(String, i64)> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let board = parse(Source { name: "bench".into(), text }).expect("it parses");
    compile(&board, &settings).expect("it compiles").plan
}

fn plan(name: &str) -> Plan {
    plan_of(text(name), &[])
}

/// The first-order board with another company.
fn with_characters(count: usize) -> Plan {
    let text = text("first-order-mislead");
    let (before, after) = text.split_once("  pool: [").expect("it has a pool");
    let (_, after) = after.split_once('\n').expect("and more lines");
    plan_of(format!("{before}  pool: people\n  count: {count}\n{after}"), &[])
}

/// The first-order board on a map of ten by ten places, each with a way to the four around it (the last row and
/// column are beside the first).
fn on_a_large_map() -> Plan {
    let text = text("first-order-mislead");
    let (before, after) = text.split_once("places:\n").expect("it has places");
    let (_, after) = after.split_once("start: the_hallway").expect("and a start");
    let name = |row: usize, column: usize| format!("p{}_{}", row % 10, column % 10);
    let mut places = String::new();
    for (row, column) in (0..100).map(|at| (at / 10, at % 10)) {
        let around =
            [name(row, column + 1), name(row, column + 9), name(row + 1, column), name(row + 9, column)];
        places.push_str(&format!("  {}: [{}]\n", name(row, column), around.join(", ")));
    }
    plan_of(format!("{before}places:\n{places}start: p0_0{after}"), &[])
}

/// The steps of a plan's stories in which a character of its first question acts, and the tracker of its chain.
fn tracker(plan: &Plan) -> (Followed, Tracker) {
    let question = &plan.questions[0];
    let chain = Chain::new(&question.others, question.character());
    (Followed::new(plan, chain.members()), Tracker::new(chain, plan.character_count))
}

fn parts(criterion: &mut Criterion, name: &str, plan: &Plan) {
    let mut simulator = Simulator::new(plan, SEED);
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
    let (mut followed, mut tracker) = tracker(plan);
    group.bench_function("draw + track", |bencher| {
        bencher.iter(|| {
            index += 1;
            simulator.draw(index, &mut story);
            black_box(tracker.follow(&story.trace, followed.steps(&story)));
        });
    });
    let lexicon = Lexicon::new(plan, SEED, str::to_owned);
    let (mut words, mut text) = (Words::default(), String::new());
    group.bench_function("draw + track + text", |bencher| {
        bencher.iter(|| {
            index += 1;
            simulator.draw(index, &mut story);
            black_box(tracker.follow(&story.trace, followed.steps(&story)));
            text.clear();
            lexicon.draw(&story, &mut words);
            lexicon.story(&story, &words, Display::People, &mut text);
            black_box(&text);
        });
    });
    whole_rows(&mut group, &Family::from(plan.clone()));
    group.finish();
}

/// Stories, drawn as those of a run are.
fn drawn(group: &mut BenchmarkGroup<'_, WallTime>, family: &Family) {
    let (mut selector, mut story, mut index) = (Selector::new(family, SEED), Story::default(), 0);
    group.bench_function("draw", |bencher| {
        bencher.iter(|| {
            index += 1;
            selector.draw(index, &mut story);
        });
    });
}

/// The rows of stories, as they are written.
fn whole_rows(group: &mut BenchmarkGroup<'_, WallTime>, family: &Family) {
    let mut maker = RowMaker::new(family, SEED, &[], RowOptions::default());
    let (mut rows, mut index) = (String::new(), 0);
    group.bench_function("whole rows", |bencher| {
        bencher.iter(|| {
            index += 1;
            rows.clear();
            maker.rows(index, &mut rows);
            black_box(&rows);
        });
    });
}

fn story(criterion: &mut Criterion) {
    for name in ["first-order-mislead", "second-order-mislead", "fourth-order-mislead", "free-play"] {
        parts(criterion, name, &plan(name));
    }
    parts(criterion, "first order, 40 characters", &with_characters(40));
    parts(criterion, "first order, 100 places", &on_a_large_map());
    let long = plan_of(text("first-order-mislead"), &[("mislead_distance", 977)]);
    assert_eq!(long.horizon, 1_000);
    parts(criterion, "first order, 1,000 events", &long);
}

/// The hardest of many walks: by walk, to compare with plain drawing.
fn hardest(criterion: &mut Criterion) {
    const WALKS: u64 = 100;
    for name in ["first-order-mislead", "second-order-mislead"] {
        for by in ["updates", "lower_orders_differ", "quantile"] {
            let family =
                Family::from(plan_of(text(name) + &format!("\nhardest: {{of: {WALKS}, by: {by}}}\n"), &[]));
            let mut group = criterion.benchmark_group(format!("{name}, hardest by {by}"));
            group.throughput(Throughput::Elements(WALKS));
            drawn(&mut group, &family);
            group.finish();
        }
    }
}

/// Stories of people who walk, in other words than the plain ones.
fn worded(criterion: &mut Criterion) {
    let varied = |name: &str| plan_of(text(name) + "\nwording: varied\n", &[]);
    parts(criterion, "first order, varied words", &varied("first-order-mislead"));
}

/// Stories in which people do more than walk, those drawn again included.
fn deeds(criterion: &mut Criterion) {
    for name in ["sally-anne", "tomi-like", "hitom-like", "rumour", "whispers"] {
        let family = Family::from(plan(name));
        let plan = &family.plans()[0];
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        drawn(&mut group, &family);
        let (mut selector, mut story, mut index) = (Selector::new(&family, SEED), Story::default(), 0);
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
        whole_rows(&mut group, &family);
        group.finish();
    }
}

/// Stories about which many questions are asked: conversations, and stages on which news is announced.
fn asked(criterion: &mut Criterion) {
    for name in ["white-lies", "white-lies-several", "white-lies-calibrated", "dynamic-minds"] {
        let board = parse(Source { name: name.into(), text: text(name) }).expect("it parses");
        let plans = compile_family(&board, &[]).expect("it compiles").plans;
        let family = admit(&board, plans).expect("it has stories").family;
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        drawn(&mut group, &family);
        let (mut selector, mut story, mut index) = (Selector::new(&family, SEED), Story::default(), 0);
        let mut askers: Vec<Asker<'_>> = family.plans().iter().map(|plan| Asker::new(plan, SEED)).collect();
        group.bench_function("draw + answers", |bencher| {
            bencher.iter(|| {
                index += 1;
                selector.draw(index, &mut story);
                black_box(askers[selector.plan_number()].ask(&story));
            });
        });
        let lexicons = family.plans().iter().map(|plan| Lexicon::new(plan, SEED, str::to_owned));
        let (lexicons, mut words) = (lexicons.collect::<Vec<_>>(), Words::default());
        let mut text = String::new();
        group.bench_function("draw + answers + story", |bencher| {
            bencher.iter(|| {
                index += 1;
                selector.draw(index, &mut story);
                let plan = selector.plan_number();
                black_box(askers[plan].ask(&story));
                lexicons[plan].draw(&story, &mut words);
                text.clear();
                lexicons[plan].story(&story, &words, Display::People, &mut text);
                black_box(&text);
            });
        });
        whole_rows(&mut group, &family);
        group.finish();
    }
}

/// Stories that are kept such that shortcuts say nothing, those given up included; and finding what they are kept by.
fn balanced(criterion: &mut Criterion) {
    for (order, roles) in [(1, "S1, T"), (2, "S1, S2, T"), (3, "S1, S2, S3, T")] {
        let gap = if order > 1 { "order_gap: 5/6, " } else { "" };
        let text = format!(
            "storysim: 1\nname: balanced\ncharacters: {{pool: people, count: 6}}\nroles: [{roles}]\n\
             places: {{complete: [kitchen, garden, study, cellar, attic, porch]}}\nstart: kitchen\nhorizon: 60\n\
             balance: {{answer: uniform, answer_rank: 0..5, false_belief: 5/6, {gap}votes: uniform, shortcuts: 1/6}}\n\
             questions: [belief: [{roles}]]\n"
        );
        let unfitted = plan_of(text, &[]);
        let mut group = criterion.benchmark_group(format!("balanced, order {order}"));
        group.sample_size(10);
        group.bench_function("fit", |bencher| {
            bencher.iter_batched(|| unfitted.clone(), Family::from, BatchSize::PerIteration);
        });
        group.throughput(Throughput::Elements(1));
        let family = Family::from(unfitted);
        drawn(&mut group, &family);
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

criterion_group!(benches, story, worded, hardest, deeds, asked, balanced, compiling);
criterion_main!(benches);
