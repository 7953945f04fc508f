//! Stories made in parallel, rows written in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use rayon::prelude::*;

use super::output::{Output, Place, Written};
use super::turns::{Crew, in_turn};
use super::volume::Volume;
use super::{Failure, Folder, Listener, Request, Variant};
use crate::check::{Claim, check};
use crate::dataset::{Extras, RowMaker, RowOptions, Search};
use crate::diagnostic::{Diagnostic, counted};
use crate::files::{Manifest, PackText, Shape};
use crate::pack::Pack;
use crate::select::{Family, FamilyWeights, Twinning};
use crate::storyboard::Storyboard;

/// The approximate number of events that the rows of a block tell of. Two blocks, one being made while the other is
/// written, then stay in a cache.
const EVENTS_PER_BLOCK: usize = 5_000;

/// The largest number of blocks of a thread that may wait to be written.
const BLOCKS_WAITING: usize = 4;

/// The approximate limit on the events in the waiting blocks of a thread, unless a block holds a single story.
const EVENTS_WAITING: usize = 1 << 16;

/// In how many stories it is looked whether any row is kept.
pub const STORIES_LOOKED_AT: u64 = 5_000;

/// The largest size, in numbers, that the tables of all families have together while families are kept.
const ENTRIES_KEPT: usize = 1 << 22;

/// Makes volumes, on the threads of the pool in which it is called.
pub struct Job<'a> {
    /// The request to fulfil.
    pub request: &'a Request,
    /// The storyboards of all variants.
    pub boards: &'a [Storyboard],
    /// The families that stories are drawn from.
    pub families: Families<'a>,
    /// The listener that is told about progress.
    pub listener: &'a dyn Listener,
}

impl Job<'_> {
    /// Makes a dataset folder, or what is missing in it. Returns how much was written, and the manifest of the whole.
    ///
    /// # Errors
    /// If the folder contains something else, or somebody else is writing to it; if something cannot be written, a story
    /// violates its storyboard, or the listener wants to stop.
    pub fn make_folder(&self, path: &Path) -> Result<(Totals, Manifest), Failure> {
        let folder = Folder::open(path, self)?;
        let missing = folder.missing();
        let stories = missing.iter().map(|&at| folder.volumes[at].stories());
        self.listener.begins(stories.fold(0, u64::saturating_add));
        let totals = self.make_files(&folder, &missing)?;
        Ok((totals, folder.finish()?))
    }

    /// Looks whether any rows are kept, in the first [`STORIES_LOOKED_AT`] stories of every board and value, before anything is
    /// written.
    ///
    /// # Errors
    /// Why not, with the place in the expression, for the first of them of which none are.
    pub fn look_for_rows(&self) -> Result<(), Diagnostic> {
        let Some(keep) = self.request.keep.as_ref().filter(|_| self.request.count > 0) else { return Ok(()) };
        for (at, variant) in self.families.variants.iter().enumerate() {
            let family = self.families.get(at);
            let run = Run { job: self, variant, family: &family, split: 0 };
            let (mut maker, mut search) = (run.maker(), Search::new(keep));
            let stories = self.request.count.min(STORIES_LOOKED_AT);
            if !(0..stories).any(|index| maker.look(index, &mut search)) {
                let first = if stories < self.request.count { "the first " } else { "" };
                let name = variant.name();
                return Err(search.problem(&format!("of {first}{} of {name}", counted(stories, "story"))));
            }
        }
        Ok(())
    }

    /// Makes files of a folder. As long as there is a file for every thread, each thread makes one alone, so that no
    /// thread waits for another; the remaining files are made by all threads together.
    fn make_files(&self, folder: &Folder, missing: &[usize]) -> Result<Totals, Failure> {
        let shape = self.shape();
        let threads = rayon::current_num_threads();
        let alone = missing.len() / threads * threads;
        let make = |&at: &usize, crew: Crew| {
            let volume = &folder.volumes[at];
            let (path, unfinished) = folder.paths(volume);
            let workers = if crew == Crew::One { 1 } else { threads as u32 };
            let format = self.request.format;
            let output = Output::of_folder(&path, unfinished, format, &shape, workers)?;
            let (totals, written) = self.write(volume, output, crew)?;
            folder.add(at, self.families.variants, (totals.stories, totals.rows), written)?;
            Ok(totals)
        };
        let sum = |sum: Totals, totals: Totals| Ok(sum.plus(&totals));
        let (each, rest) = missing.split_at(alone);
        let of_each =
            each.par_iter().with_max_len(1).map(|at| make(at, Crew::One)).try_reduce(Totals::default, sum)?;
        rest.iter().try_fold(of_each, |sum, at| Ok(sum.plus(&make(at, Crew::All)?)))
    }

    /// Writes the stories of a request to one file or stream, using all threads.
    ///
    /// # Errors
    /// Like [`Self::make_folder`].
    pub fn make_file(&self, place: &Place) -> Result<Totals, Failure> {
        let threads = rayon::current_num_threads() as u32;
        let output = Output::open(place, self.request.format, &self.shape(), threads)?;
        let volume = self.request.volume(place.clone(), self.families.variants.len());
        self.listener.begins(volume.stories());
        Ok(self.write(&volume, output, Crew::All)?.0)
    }

    /// The properties that all rows have in common.
    fn shape(&self) -> Shape {
        let Request { rows, twins, .. } = *self.request;
        let RowOptions { with_events, with_difficulty, prompt, unit } = rows;
        let with_prompt = prompt.is_some();
        let extras = Extras { twins, with_events, with_difficulty, with_prompt, ..Extras::default() };
        Shape { unit, ..Shape::new(self.boards, extras) }
    }

    /// Writes all rows of a volume.
    fn write(&self, volume: &Volume, mut output: Output, crew: Crew) -> Result<(Totals, Written), Failure> {
        let mut totals = Totals::default();
        for piece in &volume.pieces {
            let variant = &self.families.variants[piece.variant];
            let family = self.families.get(piece.variant);
            let run = Run { job: self, variant, family: &family, split: volume.split };
            run.write(piece.stories.clone(), crew, &mut output, &mut totals)?;
        }
        Ok((totals, output.finish()?))
    }
}

/// The families of all variants. A sweep needs each of them for every file, so they are kept as long as there is room.
pub struct Families<'a> {
    pub(super) variants: &'a [Variant<'a>],
    /// The largest number of events that all rows of a story tell of together.
    events_per_story: usize,
    /// For each variant, the factors by which stories are kept, which take longer to find than everything else.
    weights: Vec<FamilyWeights>,
    /// For each variant, the packs from which the words of its stories come.
    packs: Vec<Vec<Arc<Pack>>>,
    kept: Mutex<VecDeque<(usize, Arc<Family>)>>,
}

impl<'a> Families<'a> {
    /// No families yet; [`Self::add`] adds them in the order of variants.
    pub fn new(variants: &'a [Variant<'a>]) -> Self {
        Self {
            variants,
            events_per_story: 1,
            weights: Vec::new(),
            packs: Vec::new(),
            kept: Mutex::new(VecDeque::new()),
        }
    }

    /// Adds the family of the next variant.
    pub fn add(&mut self, family: Family) {
        self.weights.push(family.weights().clone());
        self.events_per_story = events_per_story(&family).max(self.events_per_story);
        let stagings = family.plans().iter().filter_map(|plan| plan.staging.as_ref());
        let of_conversations = stagings.flat_map(|staging| staging.packs.iter().chain(&staging.acts));
        let wordings = family.plans().iter().filter_map(|plan| plan.wording.as_ref());
        self.packs.push(of_conversations.chain(wordings).cloned().collect());
        let mut kept = self.kept();
        let room: usize = kept.iter().map(|(_, family)| family.room()).sum();
        if room + family.room() <= ENTRIES_KEPT {
            kept.push_back((self.weights.len() - 1, Arc::new(family)));
        }
    }

    /// The largest number of events that all rows of a story tell of together, with those of its twins.
    pub(super) fn events_per_story(&self, twins: Option<Twinning>) -> usize {
        self.events_per_story.saturating_mul(1 + twins.map_or(0, Twinning::twins))
    }

    /// The packs of a board, each once: those whose words its stories have, and then those that it only names.
    pub(super) fn packs(&self, board: &Storyboard) -> Vec<PackText> {
        let is_own = |variant: &Variant<'_>| variant.board.name.value == board.name.value;
        let own = self.variants.iter().zip(&self.packs).filter(|(variant, _)| is_own(variant));
        let used = own.flat_map(|(_, packs)| packs).map(|pack| {
            let is_file = board.files.iter().any(|file| file.name == pack.source.name);
            let name = if is_file { &pack.source.name } else { &pack.name.value };
            let text = is_file.then(|| pack.source.text.clone());
            PackText { name: name.clone(), blake3: pack.hash(), text }
        });
        // Of a board that has stories, every file could be read.
        let named = board.files.iter().filter_map(|file| {
            let text = file.text.clone().ok()?;
            let blake3 = blake3::hash(text.as_bytes()).to_hex().to_string();
            Some(PackText { name: file.name.clone(), blake3, text: Some(text) })
        });
        let mut packs: Vec<PackText> = Vec::new();
        for pack in used.chain(named) {
            if packs.iter().all(|other| other.name != pack.name) {
                packs.push(pack);
            }
        }
        packs
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(usize, Arc<Family>)>> {
        self.kept.lock().expect("nobody panics here")
    }

    /// The family of a variant.
    fn get(&self, at: usize) -> Arc<Family> {
        if let Some((_, family)) = self.kept().iter().find(|(other, _)| *other == at) {
            return Arc::clone(family);
        }
        let family = Arc::new(self.variants[at].compile(self.weights[at].clone()));
        let mut kept = self.kept();
        kept.push_back((at, Arc::clone(&family)));
        while kept.len() > 1 && kept.iter().map(|(_, family)| family.room()).sum::<usize>() > ENTRIES_KEPT {
            kept.pop_front();
        }
        family
    }
}

/// The largest number of events that all rows of a story tell of together, without its twins.
fn events_per_story(family: &Family) -> usize {
    family.steps_max().saturating_mul(family.question_count().max(1))
}

/// How much has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of stories that have rows.
    pub stories: u64,
    /// The number of rows.
    pub rows: u64,
    /// The number of questions in these stories that have no answer and no row.
    pub unanswered: u64,
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
    family: &'a Family,
    split: usize,
}

/// Consecutive stories and their rows.
#[derive(Debug, Default)]
struct Block {
    stories: Range<u64>,
    text: String,
    /// The number of stories with rows in this block; stories in other splits have none.
    told: u64,
    rows: usize,
    /// The number of questions that were answered.
    answered: usize,
    violation: Option<String>,
}

impl Run<'_> {
    fn maker(&self) -> RowMaker<'_> {
        let Request { seed, rows, split, keep, .. } = self.job.request;
        let mut maker = RowMaker::new(self.family, *seed, &self.variant.set(), *rows);
        if let Some(twins) = self.job.request.twins {
            maker = maker.with(self.variant.board, twins);
        }
        if let Some(keep) = keep {
            maker = maker.keeping(keep.clone());
        }
        match split {
            Some(splits) => maker.only(splits.clone(), self.split),
            None => maker,
        }
    }

    /// How many stories there are for each index, twins included.
    fn stories_each(&self) -> usize {
        1 + self.job.request.twins.map_or(0, Twinning::twins)
    }

    /// Makes the rows of stories, block by block, and writes them in order.
    fn write(
        &self,
        range: Range<u64>,
        crew: Crew,
        output: &mut Output,
        totals: &mut Totals,
    ) -> Result<(), Failure> {
        let events = events_per_story(self.family).saturating_mul(self.stories_each());
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
        (block.told, block.rows, block.answered) = (0, 0, 0);
        for index in block.stories.clone() {
            let is_told = maker.draw(index);
            if is_told {
                let rows = maker.tell(&mut block.text);
                // A story of which no row is kept is left out, whatever it is asked.
                if rows > 0 || self.job.request.keep.is_none() {
                    block.told += 1;
                    block.rows += rows;
                    block.answered += maker.answered();
                }
            }
            if is_told && self.job.request.is_checked {
                let twins = ["the twin of ", "the second twin of "].into_iter().zip(maker.twins());
                let twins = twins.map(|(which, twin)| (which, &twin.story));
                for (which, story) in std::iter::once(("", maker.story())).chain(twins) {
                    if let Err(violation) = check(self.variant.board, &Claim::of(maker.plan(), story)) {
                        block.violation = Some(format!("{which}story {index}: {violation}"));
                        return;
                    }
                }
            }
        }
    }

    fn put(&self, block: &Block, output: &mut Output, totals: &mut Totals) -> Result<(), Failure> {
        if !self.job.listener.goes_on() {
            return Err(Failure::Interrupted);
        }
        if let Some(violation) = &block.violation {
            let seed = self.job.request.seed;
            return Err(Failure::Wrong(format!(
                "error: {} seed {seed}, {violation}; this is a bug\n",
                self.family.name()
            )));
        }
        output.write(&block.text)?;
        let rows = block.rows as u64;
        totals.stories += block.told;
        totals.rows += rows;
        let stories = block.told * self.stories_each() as u64;
        totals.unanswered += stories * self.family.question_count() as u64 - block.answered as u64;
        self.job.listener.advances(block.stories.end - block.stories.start, rows, block.text.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Silence;
    use super::*;
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::files::Format;
    use crate::storyboard::parse;

    /// A storyboard that asks for less than another, and whose stories therefore break it.
    #[test]
    fn check_finds_stories_that_break_their_storyboard() {
        let text = "storysim: 1\nname: pair\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 9\nquestions: [{reality: T}]\n";
        let board = |text: String| parse(Source { name: "pair".into(), text }).unwrap();
        let free = board(text.to_owned());
        let strict = board(text.to_owned() + "events: [{at: 8, move: {who: T, to: b}}]\n");
        let family = Family::from(compile(&free, &[]).unwrap().plan);
        for (is_checked, of, is_found) in
            [(true, &strict, true), (true, &free, false), (false, &strict, false)]
        {
            let request = Request { is_checked, ..Request::new(50, 0) };
            let variant = Variant { board: of, settings: Vec::new() };
            let variants = [variant];
            let job = Job {
                request: &request,
                boards: std::slice::from_ref(of),
                families: Families::new(&variants),
                listener: &Silence,
            };
            let run = Run { job: &job, variant: &variants[0], family: &family, split: 0 };
            let path = tempfile::tempdir().unwrap().keep().join("rows.jsonl");
            let place = Place::File(path.clone());
            let mut output = Output::open(&place, Format::Jsonl, &Shape::default(), 1).unwrap();
            let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let written =
                threads.install(|| run.write(0..50, Crew::All, &mut output, &mut Totals::default()));
            assert_eq!(matches!(written, Err(Failure::Wrong(_))), is_found);
            drop(output);
            assert_eq!(
                std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
                0,
                "nothing is left behind"
            );
            std::fs::remove_dir(path.parent().unwrap()).unwrap();
        }
    }
}
