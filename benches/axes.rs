//! What compiling and drawing cost as a storyboard grows, along one axis at a time: places, characters that
//! conditions name together, steps. And what a story costs as work grows: with its events, with how many there were
//! before it, with the order of belief.
//!
//! `cargo bench --bench axes` runs it, and draws what it saw in `target/criterion`; BENCHMARKS.md says what that was.

use std::hint::black_box;

use criterion::{AxisScale, BenchmarkId, Criterion, PlotConfiguration, criterion_group, criterion_main};
use storysim::belief::{Chain, Tracker};
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::id::CharacterId;
use storysim::plan::Plan;
use storysim::question::Followed;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::parse;

/// So many characters meet in the middle of a story, on a map of `rows` rows and six columns.
struct Board {
    rows: usize,
    company: usize,
    horizon: usize,
}

const COLUMNS: usize = 6;

impl Board {
    fn text(&self) -> String {
        let Self { rows, company, horizon } = *self;
        let name = |row: usize, column: usize| format!("p{row}_{column}");
        let mut text = format!(
            "storysim: 1\nname: axis\ncharacters: {{pool: people, count: 8}}\nroles: [{}]\nhorizon: {horizon}\n\
             start: p0_0\nbind: {{first: {{}}}}\nevents:\n- {{at: {}, meet: {{who: [{}], in: first}}}}\nplaces:\n",
            roles(company),
            horizon / 2,
            roles(company),
        );
        for row in 0..rows {
            for column in 0..COLUMNS {
                // Round about in both directions: everyone has up to four neighbours.
                let mut next =
                    vec![name(row, (column + 1) % COLUMNS), name(row, (column + COLUMNS - 1) % COLUMNS)];
                if rows > 1 {
                    next.push(name((row + 1) % rows, column));
                }
                if rows > 2 {
                    next.push(name((row + rows - 1) % rows, column));
                }
                text.push_str(&format!("  {}: [{}]\n", name(row, column), next.join(", ")));
            }
        }
        text
    }

    fn plan(&self) -> Plan {
        let source = Source { name: "axis".into(), text: self.text() };
        let board = parse(source).expect("it parses");
        compile(&board, &[]).expect("it compiles").plan
    }
}

fn roles(count: usize) -> String {
    (0..count).map(|at| format!("R{at}")).collect::<Vec<String>>().join(", ")
}

fn axis(criterion: &mut Criterion, name: &str, boards: &[(usize, Board)]) {
    let mut group = criterion.benchmark_group(format!("{name}: compile"));
    group.sample_size(10);
    for (at, board) in boards {
        group.bench_with_input(BenchmarkId::from_parameter(at), board, |bencher, board| {
            bencher.iter(|| board.plan());
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group(format!("{name}: draw"));
    group.sample_size(10);
    for (at, board) in boards {
        let plan = board.plan();
        let (mut simulator, mut story, mut index) = (Simulator::new(&plan, 7), Story::default(), 0);
        group.bench_function(BenchmarkId::from_parameter(at), |bencher| {
            bencher.iter(|| {
                index += 1;
                simulator.draw(index, &mut story);
            });
        });
    }
    group.finish();
}

fn axes(criterion: &mut Criterion) {
    let places = [1, 2, 4, 8].map(|rows| (rows * COLUMNS, Board { rows, company: 2, horizon: 100 }));
    axis(criterion, "places", &places);
    let company = [2, 3, 4].map(|company| (company, Board { rows: 1, company, horizon: 100 }));
    axis(criterion, "characters", &company);
    let horizon = [100, 1_000, 10_000, 100_000, 1_000_000]
        .map(|horizon| (horizon, Board { rows: 1, company: 2, horizon }));
    axis(criterion, "steps", &horizon);
}

/// Free play of so many characters in six places.
fn free_play(characters: usize, horizon: usize) -> Plan {
    let text = format!(
        "storysim: 1\nname: free\ncharacters: {{pool: people, count: {characters}}}\nroles: []\n\
         places: {{complete: [a, b, c, d, e, f]}}\nstart: a\nhorizon: {horizon}\n"
    );
    let board = parse(Source { name: "free".into(), text }).expect("it parses");
    compile(&board, &[]).expect("it compiles").plan
}

/// What A thinks that B thinks that A thinks …, so many times, about C: of any order, so that as many moves matter.
fn chain(order: usize) -> Chain {
    let minds: Vec<CharacterId> = (0..order).map(|at| CharacterId::new(at % 2)).collect();
    Chain::new(&minds, CharacterId::new(2))
}

/// A story from its first draw to the answer to one question.
fn answer(criterion: &mut Criterion, name: &str, scale: AxisScale, cases: &[(u64, &Plan, Chain, u64)]) {
    let mut group = criterion.benchmark_group(format!("a story, by {name}"));
    group.plot_config(PlotConfiguration::default().summary_scale(scale));
    for (at, plan, chain, first) in cases {
        let (mut simulator, mut story, mut index) = (Simulator::new(plan, 7), Story::default(), *first);
        let mut followed = Followed::new(plan, chain.members());
        let mut tracker = Tracker::new(chain.clone(), plan.character_count);
        group.bench_with_input(BenchmarkId::from_parameter(at), at, |bencher, _| {
            bencher.iter(|| {
                index += 1;
                simulator.draw(index, &mut story);
                black_box(tracker.follow(&story.trace, followed.steps(&story)));
            });
        });
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let plans = [100, 200, 400, 800, 1_600, 3_200].map(|events| (events as u64, free_play(8, events)));
    let cases = plans.each_ref().map(|(events, plan)| (*events, plan, chain(2), 0));
    answer(criterion, "events", AxisScale::Linear, &cases);
    let plan = &free_play(8, 100);
    let cases = [1, 1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000]
        .map(|before| (before, plan, chain(2), before));
    answer(criterion, "stories before it", AxisScale::Logarithmic, &cases);
    let cases = [1, 2, 3, 4, 6, 8, 12, 16].map(|order| (order as u64, plan, chain(order), 0));
    answer(criterion, "order of belief", AxisScale::Linear, &cases);
}

criterion_group!(benches, axes, growth);
criterion_main!(benches);
