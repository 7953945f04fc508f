//! `storysim generate`: stories made in parallel, rows written in order.

use std::io::IsTerminal;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use rayon::prelude::*;

use super::boards::{Variant, compile_aloud, load, variants};
use super::folder::Folder;
use super::output::{Output, Place};
use super::{Failure, GenerateArguments, ReportFormat, say};
use crate::check::{Claim, check};
use crate::dataset::{RowMaker, RowOptions, Shape};
use crate::plan::Plan;

/// The rows of a block tell of about this many events.
const EVENTS_PER_BLOCK: usize = 10_000;

/// So many blocks a thread are made while as many are written.
const BLOCKS_PER_THREAD: usize = 8;

/// But the blocks of a batch together have at most about this many events, or hold one story.
const EVENTS_PER_BATCH: usize = 1_000_000;

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
}

pub fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let boards = load(&arguments.boards, ReportFormat::Text)?;
    let variants = variants(&boards, &arguments.settings)?;
    let events_per_story = compile_all(&variants)?;
    let (place, format) = arguments.out.resolve(arguments.format)?;
    let threads = threads(arguments.jobs)?;
    let shape = Shape::new(&boards, arguments.with_events);
    let folder = match &place {
        Place::Folder(path) => {
            Some(Folder::open(path, arguments, format, &boards, &variants, events_per_story)?)
        }
        _ => None,
    };
    let volumes = match &folder {
        Some(folder) => folder.volumes.clone(),
        None if arguments.shard_size.is_some() => {
            let message = "--shard-size is for a dataset folder; name one with --out";
            return Err(Failure::Usage(message.to_owned()));
        }
        None => {
            let stories = arguments.shard.range(arguments.count);
            let piece = |variant| Piece { variant, stories: stories.clone() };
            vec![Volume { place, pieces: (0..variants.len()).map(piece).collect() }]
        }
    };
    let pieces = volumes.iter().flat_map(|volume| &volume.pieces);
    let stories =
        pieces.fold(0_u64, |sum, piece| sum.saturating_add(piece.stories.end - piece.stories.start));
    let progress = progress(stories, "stories");
    let mut totals = Totals::default();
    let mut files = Vec::new();
    let mut compiled: Option<(usize, Plan)> = None;
    for volume in &volumes {
        let mut output = Output::open(&volume.place, format, &shape, threads.current_num_threads() as u32)?;
        let rows = totals.rows;
        for piece in &volume.pieces {
            let variant = &variants[piece.variant];
            let plan = match compiled.take() {
                Some((at, plan)) if at == piece.variant => plan,
                _ => variant.compile(),
            };
            let run = Run { arguments, variant, plan: &plan, progress: &progress };
            threads.install(|| run.write(piece.stories.clone(), &mut output, &mut totals))?;
            compiled = Some((piece.variant, plan));
        }
        files.push((totals.rows - rows, output.finish()?));
    }
    let to = match folder {
        None => volumes[0].place.to_string(),
        Some(folder) => folder.finish(&variants, &files)?,
    };
    progress.finish_and_clear();
    let plural =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    say(&format!(
        "{}, {}{}, to {to}\n",
        plural(totals.stories, "story", "stories"),
        plural(totals.rows, "row", "rows"),
        match totals.unanswered {
            0 => String::new(),
            count => format!(" ({} without an answer left out)", plural(count, "question", "questions")),
        }
    ));
    Ok(())
}

/// Says all that is wrong before anything is written. Returns how many events the rows of a story tell of
/// at most.
fn compile_all(variants: &[Variant<'_>]) -> Result<usize, Failure> {
    let mut said = Vec::new();
    let mut outcome = Ok(1);
    for variant in variants {
        outcome = match (outcome, compile_aloud(variant, &mut said, ReportFormat::Text)) {
            (Ok(most), Ok((plan, _))) => Ok(events_per_story(&plan).max(most)),
            (Err(failure), _) | (_, Err(failure)) => Err(failure),
        };
    }
    outcome
}

/// Of all its rows together.
fn events_per_story(plan: &Plan) -> usize {
    plan.horizon.saturating_mul(plan.questions.len().max(1))
}

/// So many threads; one for each core if it is not said how many.
pub fn threads(jobs: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build();
    threads.map_err(|error| Failure::Environment("starting threads".into(), std::io::Error::other(error)))
}

/// A bar that fills as this many stories or rows are done, where somebody sees it.
pub fn progress(count: u64, of_what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden());
    }
    let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {of_what}  {{rate}}  {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a fixed template");
    let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.0}/s", state.per_sec()); // a bar without a rate is a bar
    });
    let bar = ProgressBar::new(count).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[derive(Debug, Default)]
struct Totals {
    stories: u64,
    rows: u64,
    unanswered: u64,
}

/// The stories of one variant.
struct Run<'a> {
    arguments: &'a GenerateArguments,
    variant: &'a Variant<'a>,
    plan: &'a Plan,
    progress: &'a ProgressBar,
}

/// Some stories in succession, and their rows.
#[derive(Debug, Default)]
struct Block {
    stories: Range<u64>,
    text: String,
    rows: usize,
    violation: Option<String>,
}

impl Run<'_> {
    /// Makes batches of blocks, each while the one before is written: memory does not grow with
    /// their number, and a slow disk holds the makers back.
    fn write(&self, range: Range<u64>, output: &mut Output, totals: &mut Totals) -> Result<(), Failure> {
        let threads = rayon::current_num_threads();
        let options = RowOptions { with_events: self.arguments.with_events };
        let new = || RowMaker::new(self.plan, self.arguments.seed, &self.variant.set(), options);
        // No more of them than are at work at once: of a long story each holds the text.
        let makers = Mutex::new(Vec::new());
        let take = || makers.lock().expect("nobody panics here").pop().unwrap_or_else(new);
        let make = |block: &mut Block| {
            let mut maker = take();
            self.make(block, &mut maker);
            makers.lock().expect("nobody panics here").push(maker);
        };
        let (mut ready, mut making) = (Vec::new(), Vec::new());
        let blocks =
            (threads * BLOCKS_PER_THREAD).min(EVENTS_PER_BATCH / EVENTS_PER_BLOCK.max(self.plan.horizon));
        let blocks = blocks.max(1);
        let mut next = range.start;
        loop {
            next = self.divide(next..range.end, blocks, &mut making);
            let (written, ()) = rayon::join(
                || self.write_blocks(&ready, output, totals),
                || making.par_iter_mut().for_each(make),
            );
            written?;
            if making.is_empty() {
                return Ok(());
            }
            std::mem::swap(&mut ready, &mut making);
        }
    }

    /// Divides the next stories into at most `count` blocks. Returns the first story left over.
    fn divide(&self, stories: Range<u64>, count: usize, blocks: &mut Vec<Block>) -> u64 {
        let per_block = (EVENTS_PER_BLOCK / events_per_story(self.plan)).max(1) as u64;
        let mut next = stories.start;
        let mut used = 0;
        while used < count && next < stories.end {
            let end = next.saturating_add(per_block).min(stories.end);
            if blocks.len() == used {
                blocks.push(Block::default());
            }
            blocks[used].stories = next..end;
            used += 1;
            next = end;
        }
        blocks.truncate(used);
        next
    }

    fn make(&self, block: &mut Block, maker: &mut RowMaker<'_>) {
        block.text.clear();
        block.rows = 0;
        for index in block.stories.clone() {
            block.rows += maker.rows(index, &mut block.text);
            if self.arguments.check {
                let claim = Claim::of(self.plan, maker.story());
                if let Err(violation) = check(self.variant.board, &claim) {
                    block.violation = Some(format!("story {index}: {violation}"));
                    return;
                }
            }
        }
    }

    fn write_blocks(
        &self,
        blocks: &[Block],
        output: &mut Output,
        totals: &mut Totals,
    ) -> Result<(), Failure> {
        for block in blocks {
            if let Some(violation) = &block.violation {
                let seed = self.arguments.seed;
                say(&format!("error: {} seed {seed}, {violation}; this is a bug\n", self.plan.name));
                return Err(Failure::Input);
            }
            output.write(&block.text)?;
            let stories = block.stories.end - block.stories.start;
            totals.stories += stories;
            totals.rows += block.rows as u64;
            totals.unanswered += stories * self.plan.questions.len() as u64 - block.rows as u64;
            self.progress.inc(stories);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Arguments, Command};
    use super::*;
    use crate::compile::compile;
    use crate::dataset::Format;
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
            let progress = ProgressBar::hidden();
            let run = Run { arguments: &arguments, variant: &variant, plan: &plan, progress: &progress };
            let path = tempfile::tempdir().unwrap().keep().join("rows.jsonl");
            let place = Place::File(path.clone());
            let mut output = Output::open(&place, Format::Jsonl, &Shape::default(), 1).unwrap();
            let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let written = threads.install(|| run.write(0..50, &mut output, &mut Totals::default()));
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
