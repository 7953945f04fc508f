//! What compiling and drawing cost as a storyboard grows, along one axis at a time: places, characters that
//! conditions name together, steps.
//!
//! `cargo bench --bench axes` runs it; BENCHMARKS.md says what was seen.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::plan::Plan;
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

criterion_group!(benches, axes);
criterion_main!(benches);
