//! `storysim generate`: stories made in parallel, rows written in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::boards::{Variant, admit_twins_aloud, compile_aloud, grid, load, of_experiment, variants};
use super::folder::Folder;
use super::interrupt;
use super::output::{Output, Place, Written};
use super::progress::Progress;
use super::turns::{Crew, in_turn};
use super::{Failure, GenerateArguments, ReportFormat, say};
use crate::check::{Claim, check};
use crate::dataset::{Format, RowMaker, RowOptions, Shape};
use crate::plan::{Balance, Plan};

/// The rows of a block tell of about this many events: two blocks, of which one is made while the other is written, stay
/// in a cache.
const EVENTS_PER_BLOCK: usize = 5_000;

/// A thread goes on while so many of its blocks wait to be written,
const BLOCKS_WAITING: usize = 4;

/// or fewer: they have at most about this many events, or hold one story.
const EVENTS_WAITING: usize = 1 << 16;

/// Plans are kept as long as their tables have at most so many numbers together.
const ENTRIES_KEPT: usize = 1 << 22;

/// `I/N`: part I of N, I counting from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub part: u64,
    pub parts: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed =
            text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match parsed {
            Some((part, parts)) if part < parts => Ok(Self { part, parts }),
            _ => Err("write I/N, with I from 0 to N - 1".into()),
        }
    }
}

impl Shard {
    /// Its share of `count`: parts follow one another without gaps.
    pub fn range(self, count: u64) -> Range<u64> {
        let bound = |part: u64| (u128::from(count) * u128::from(part) / u128::from(self.parts)) as u64;
        bound(self.part)..bound(self.part + 1)
    }
}

/// Stories of one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub variant: usize,
    pub stories: Range<u64>,
}

/// One file or stream, and what goes into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    pub place: Place,
    pub pieces: Vec<Piece>,
    /// The number of the split whose stories it holds.
    pub split: usize,
}

pub fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let told = arguments.experiment.map(of_experiment);
    let boards = load(told.as_ref().map_or(&arguments.boards, |(names, _)| names), ReportFormat::Text)?;
    let variants = match &told {
        Some((_, settings)) => grid(&boards, settings.iter().map(Vec::as_slice))?,
        None => variants(&boards, &arguments.settings)?,
    };
    let (events_per_story, balances) = compile_all(&variants, arguments)?;
    let (place, format) = arguments.out.resolve(arguments.format)?;
    let threads = threads(arguments.jobs)?;
    let shape = Shape { with_twins: arguments.twins, ..Shape::new(&boards, arguments.with_events) };
    if let Place::File(_) | Place::Folder(_) = &place {
        interrupt::listen();
    }
    if let Place::Folder(path) = &place {
        let open = || Folder::open(path, arguments, format, &boards, &variants, events_per_story);
        let folder = threads.install(open)?;
        let missing = folder.missing();
        let stories = missing.iter().map(|&at| folder.volumes[at].stories());
        let progress = Progress::new(stories.fold(0, u64::saturating_add), arguments.quiet);
        let job = Job { arguments, format, shape, plans: Plans::new(&variants, balances), progress };
        let totals = threads.install(|| job.make_folder(&folder, &missing))?;
        let to = folder.finish()?;
        job.progress.finish((totals.stories, arguments.twins), totals.unanswered, &to);
        return Ok(());
    }
    for (option, is_given) in [
        ("--experiment", arguments.experiment.is_some()),
        ("--shard-size", arguments.shard_size.is_some()),
        ("--split", arguments.split.is_some()),
    ] {
        if is_given {
            return Err(Failure::Usage(format!("{option} is for a dataset folder; name one with --out")));
        }
    }
    let stories = arguments.shard.range(arguments.count);
    let piece = |variant| Piece { variant, stories: stories.clone() };
    let volume = Volume { place, pieces: (0..variants.len()).map(piece).collect(), split: 0 };
    let progress = Progress::new(volume.stories(), arguments.quiet);
    let job = Job { arguments, format, shape, plans: Plans::new(&variants, balances), progress };
    let output = Output::open(&volume.place, format, &job.shape, threads.current_num_threads() as u32)?;
    let (totals, _) = threads.install(|| job.write(&volume, output, Crew::All))?;
    job.progress.finish((totals.stories, arguments.twins), totals.unanswered, &volume.place.to_string());
    Ok(())
}

impl Volume {
    /// The path of a file within a folder, with `/`.
    ///
    /// # Panics
    /// If it is no file of that folder.
    pub fn path_within(&self, folder: &Path) -> String {
        let Place::File(path) = &self.place else { unreachable!("a folder has files") };
        let within = path.strip_prefix(folder).expect("a file of this folder");
        let names: Vec<&str> = within.iter().filter_map(|name| name.to_str()).collect();
        names.join("/")
    }

    /// How many stories it is made from.
    fn stories(&self) -> u64 {
        let stories = self.pieces.iter().map(|piece| piece.stories.end - piece.stories.start);
        stories.fold(0, u64::saturating_add)
    }
}

/// What it takes to make volumes.
struct Job<'a> {
    arguments: &'a GenerateArguments,
    format: Format,
    shape: Shape,
    plans: Plans<'a>,
    progress: Progress,
}

impl Job<'_> {
    /// Makes the missing files of a folder: as long as there is one for every thread, each thread makes one alone, so
    /// that nobody waits for anybody; the rest are made by all together.
    fn make_folder(&self, folder: &Folder, missing: &[usize]) -> Result<Totals, Failure> {
        let threads = rayon::current_num_threads();
        let alone = missing.len() / threads * threads;
        let make = |&at: &usize, crew: Crew| {
            let volume = &folder.volumes[at];
            let (path, unfinished) = folder.paths(volume);
            let workers = if crew == Crew::One { 1 } else { threads as u32 };
            let output = Output::of_folder(&path, unfinished, self.format, &self.shape, workers)?;
            let (totals, written) = self.write(volume, output, crew)?;
            folder.add(at, self.plans.variants, (totals.stories, totals.rows), written)?;
            Ok(totals)
        };
        let sum = |sum: Totals, totals: Totals| Ok(sum.plus(&totals));
        let (each, rest) = missing.split_at(alone);
        let of_each =
            each.par_iter().with_max_len(1).map(|at| make(at, Crew::One)).try_reduce(Totals::default, sum)?;
        rest.iter().try_fold(of_each, |sum, at| Ok(sum.plus(&make(at, Crew::All)?)))
    }

    /// Writes all rows of a volume.
    fn write(&self, volume: &Volume, mut output: Output, crew: Crew) -> Result<(Totals, Written), Failure> {
        let mut totals = Totals::default();
        for piece in &volume.pieces {
            let variant = &self.plans.variants[piece.variant];
            let plans = self.plans.get(piece.variant);
            let run = Run { job: self, variant, plans: &plans, split: volume.split };
            run.write(piece.stories.clone(), crew, &mut output, &mut totals)?;
        }
        Ok((totals, output.finish()?))
    }
}

/// Compiled variants. A sweep needs each of them for every file, so they are kept as far as there is room.
struct Plans<'a> {
    variants: &'a [Variant<'a>],
    /// What is balanced, with what stories and pairs are kept by: that takes longer to find than all else.
    balances: Vec<Option<Balance>>,
    kept: Mutex<VecDeque<(usize, Arc<Vec<Plan>>)>>,
}

impl<'a> Plans<'a> {
    fn new(variants: &'a [Variant<'a>], balances: Vec<Option<Balance>>) -> Self {
        Self { variants, balances, kept: Mutex::new(VecDeque::new()) }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<(usize, Arc<Vec<Plan>>)>> {
        self.kept.lock().expect("nobody panics here")
    }

    /// The plans of a variant.
    fn get(&self, at: usize) -> Arc<Vec<Plan>> {
        if let Some((_, plans)) = self.kept().iter().find(|(other, _)| *other == at) {
            return Arc::clone(plans);
        }
        let mut plans = self.variants[at].compile();
        plans[0].balance.clone_from(&self.balances[at]);
        let plans = Arc::new(plans);
        let mut kept = self.kept();
        kept.push_back((at, Arc::clone(&plans)));
        let room = |(_, plans): &(usize, Arc<Vec<Plan>>)| plans.iter().map(Plan::room).sum::<usize>();
        while kept.len() > 1 && kept.iter().map(room).sum::<usize>() > ENTRIES_KEPT {
            kept.pop_front();
        }
        plans
    }
}

/// Says all that is wrong before anything is written. Returns how many events the rows of a story tell of
/// at most, and what is balanced.
fn compile_all(
    variants: &[Variant<'_>],
    arguments: &GenerateArguments,
) -> Result<(usize, Vec<Option<Balance>>), Failure> {
    let GenerateArguments { twins: with_twins, quiet, .. } = *arguments;
    let mut said = Vec::new();
    let mut outcome = Ok((1, Vec::new()));
    for variant in variants {
        let compiled = compile_aloud(variant, &mut said, ReportFormat::Text, quiet).and_then(|(plans, _)| {
            if with_twins {
                admit_twins_aloud(variant, &plans, &mut said, quiet)?;
            }
            Ok(plans)
        });
        outcome = match (outcome, compiled) {
            (Ok((most, mut balances)), Ok(mut plans)) => {
                let most = events_per_story(&plans, with_twins).max(most);
                balances.push(plans.swap_remove(0).balance);
                Ok((most, balances))
            }
            (Err(failure), _) | (_, Err(failure)) => Err(failure),
        };
    }
    outcome
}

/// Of all its rows together, and those of its twin, at most.
fn events_per_story(plans: &[Plan], with_twins: bool) -> usize {
    let stories = 1 + usize::from(with_twins);
    let horizon = plans.iter().map(|plan| plan.horizon).max().unwrap_or(0);
    horizon.saturating_mul(plans[0].questions.len().max(1)).saturating_mul(stories)
}

/// So many threads; one for each core if it is not said how many.
pub fn threads(jobs: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build();
    threads.map_err(|error| Failure::Environment("starting threads".into(), std::io::Error::other(error)))
}

#[derive(Debug, Default)]
struct Totals {
    stories: u64,
    rows: u64,
    unanswered: u64,
}

impl Totals {
    fn plus(&self, other: &Self) -> Self {
        Self {
            stories: self.stories + other.stories,
            rows: self.rows + other.rows,
            unanswered: self.unanswered + other.unanswered,
        }
    }
}

/// The stories of one variant.
struct Run<'a> {
    job: &'a Job<'a>,
    variant: &'a Variant<'a>,
    /// Of all combinations of drawn numbers.
    plans: &'a [Plan],
    split: usize,
}

/// Some stories in succession, and their rows.
#[derive(Debug, Default)]
struct Block {
    stories: Range<u64>,
    text: String,
    /// How many stories have rows in it: not those of other splits.
    told: u64,
    rows: usize,
    violation: Option<String>,
}

impl Run<'_> {
    fn maker(&self) -> RowMaker<'_> {
        let GenerateArguments { seed, with_events, split, .. } = self.job.arguments;
        let options = RowOptions { with_events: *with_events };
        let mut maker = RowMaker::new(self.plans, *seed, &self.variant.set(), options);
        if self.job.arguments.twins {
            maker = maker.with_twins(self.variant.board);
        }
        match split {
            Some(splits) => maker.only(splits.clone(), self.split),
            None => maker,
        }
    }

    /// Makes the rows of stories, block by block, and writes them in order.
    fn write(
        &self,
        range: Range<u64>,
        crew: Crew,
        output: &mut Output,
        totals: &mut Totals,
    ) -> Result<(), Failure> {
        let events = events_per_story(self.plans, self.job.arguments.twins);
        let per_block = (EVENTS_PER_BLOCK / events).max(1) as u64;
        let make = |number: u64, maker: &mut RowMaker<'_>, block: &mut Block| {
            let from = range.start + number * per_block;
            block.stories = from..from.saturating_add(per_block).min(range.end);
            self.make(block, maker);
        };
        let count = (range.end - range.start).div_ceil(per_block);
        let waiting_max = (EVENTS_WAITING / events).clamp(1, BLOCKS_WAITING);
        in_turn(crew, count, waiting_max, || self.maker(), make, |block| self.put(block, output, totals))
    }

    fn make(&self, block: &mut Block, maker: &mut RowMaker<'_>) {
        block.text.clear();
        (block.told, block.rows) = (0, 0);
        for index in block.stories.clone() {
            let is_told = maker.draw(index);
            if is_told {
                block.told += 1;
                block.rows += maker.tell(&mut block.text);
            }
            if is_told && self.job.arguments.check {
                let stories =
                    [("", Some(maker.story())), ("the twin of ", maker.twin().map(|twin| &twin.story))];
                for (which, story) in stories.into_iter().filter_map(|(which, story)| Some((which, story?))) {
                    if let Err(violation) = check(self.variant.board, &Claim::of(maker.plan(), story)) {
                        block.violation = Some(format!("{which}story {index}: {violation}"));
                        return;
                    }
                }
            }
        }
    }

    fn put(&self, block: &Block, output: &mut Output, totals: &mut Totals) -> Result<(), Failure> {
        interrupt::go_on()?;
        if let Some(violation) = &block.violation {
            let seed = self.job.arguments.seed;
            say(&format!("error: {} seed {seed}, {violation}; this is a bug\n", self.plans[0].name));
            return Err(Failure::Input);
        }
        output.write(&block.text)?;
        let rows = block.rows as u64;
        totals.stories += block.told;
        totals.rows += rows;
        let stories = block.told * (1 + u64::from(self.job.arguments.twins));
        totals.unanswered += stories * self.plans[0].questions.len() as u64 - rows;
        self.job.progress.add(block.stories.end - block.stories.start, rows, block.text.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Arguments, Command};
    use super::*;
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::storyboard::parse;

    /// A storyboard that asks for less than another, and whose stories therefore break it.
    #[test]
    fn check_finds_stories_that_break_their_storyboard() {
        let text = "storysim: 1\nname: pair\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 9\nquestions: [{reality: T}]\n";
        let board = |text: String| parse(Source { name: "pair".into(), text }).unwrap();
        let free = board(text.to_owned());
        let strict = board(text.to_owned() + "events: [{at: 8, move: {who: T, to: b}}]\n");
        let plan = compile(&free, &[]).unwrap().plan;
        for (is_checked, of, is_found) in
            [(true, &strict, true), (true, &free, false), (false, &strict, false)]
        {
            let flags = ["storysim", "generate", "pair", "--count", "50", "--check"];
            let flags = if is_checked { &flags[..] } else { &flags[..5] };
            let Command::Generate(arguments) = Arguments::parse_from(flags).command else {
                panic!("generate")
            };
            let variant = Variant { board: of, settings: Vec::new() };
            let variants = [variant];
            let job = Job {
                arguments: &arguments,
                format: Format::Jsonl,
                shape: Shape::default(),
                plans: Plans::new(&variants, vec![None; variants.len()]),
                progress: Progress::new(50, true),
            };
            let plans = std::slice::from_ref(&plan);
            let run = Run { job: &job, variant: &variants[0], plans, split: 0 };
            let path = tempfile::tempdir().unwrap().keep().join("rows.jsonl");
            let place = Place::File(path.clone());
            let mut output = Output::open(&place, Format::Jsonl, &Shape::default(), 1).unwrap();
            let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let written =
                threads.install(|| run.write(0..50, Crew::All, &mut output, &mut Totals::default()));
            assert_eq!(matches!(written, Err(Failure::Input)), is_found);
            drop(output);
            assert_eq!(
                std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
                0,
                "nothing is left behind"
            );
            std::fs::remove_dir(path.parent().unwrap()).unwrap();
        }
    }

    #[test]
    fn shards_follow_one_another() {
        for (count, parts) in [(10, 4), (3, 5), (1_000_003, 7), (u64::MAX, 3)] {
            let mut next = 0;
            for part in 0..parts {
                let range = Shard { part, parts }.range(count);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, count);
        }
        for wrong in ["4/4", "1", "a/b", "1/0", "-1/2", "0/"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
