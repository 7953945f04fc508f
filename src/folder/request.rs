//! What is asked for, and who listens meanwhile.

use super::{Piece, Place, Setting, Shard, Volume, of_experiment};
use crate::dataset::{BoardText, Format, Manifest, SetRecord, Splits};
use crate::experiment::Experiment;
use crate::storyboard::Storyboard;

/// Unless a request says otherwise, the rows of a file tell of about this many events: some 300 MB of text.
const EVENTS_PER_FILE: usize = 10_000_000;

/// What rows to make.
#[derive(Clone, Debug)]
pub struct Request {
    /// How many stories, for every board and every value swept.
    pub count: u64,
    /// All randomness follows from this number.
    pub seed: u64,
    /// What is set on every board, values swept included.
    pub settings: Vec<Setting>,
    /// The study whose boards and values these are.
    pub experiment: Option<&'static Experiment>,
    /// The form of the rows.
    pub format: Format,
    /// How many stories a file of a folder holds, on average; if not given, such that it has some 300 MB of text.
    pub shard_size: Option<u64>,
    /// The splits of a folder, if it has any.
    pub split: Option<Splits>,
    /// The part of the stories, or of a folder's files, that is made.
    pub shard: Shard,
    /// Whether rows tell of the events as data.
    pub with_events: bool,
    /// Whether every story has a twin.
    pub with_twins: bool,
    /// Whether every story is replayed against its storyboard before it is written.
    pub is_checked: bool,
}

impl Request {
    /// A request for `count` stories as lines of JSON, and nothing else.
    pub const fn new(count: u64, seed: u64) -> Self {
        Self {
            count,
            seed,
            settings: Vec::new(),
            experiment: None,
            format: Format::Jsonl,
            shard_size: None,
            split: None,
            shard: Shard { part: 0, parts: 1 },
            with_events: false,
            with_twins: false,
            is_checked: false,
        }
    }

    /// One file or stream of all stories of so many variants.
    pub(super) fn volume(&self, place: Place, variants: usize) -> Volume {
        let stories = self.shard.range(self.count);
        let piece = |variant| Piece { variant, stories: stories.clone() };
        Volume { place, pieces: (0..variants).map(piece).collect(), split: 0 }
    }

    /// The manifest of what is asked for, without files. The rows of a story tell of so many events at most.
    pub(super) fn manifest(&self, boards: &[Storyboard], events_per_story: usize) -> Manifest {
        let by_events = (EVENTS_PER_FILE / events_per_story).max(1) as u64;
        let record =
            |setting: &Setting| SetRecord { name: setting.name.clone(), values: setting.values.clone() };
        let of_boards = self.experiment.map_or_else(Vec::new, |experiment| of_experiment(experiment).1);
        let board = |(at, board): (usize, &Storyboard)| BoardText {
            name: board.name.value.clone(),
            blake3: blake3::hash(board.source.text.as_bytes()).to_hex().to_string(),
            text: board.source.text.clone(),
            set: of_boards.get(at).map_or_else(Vec::new, |set| set.iter().map(record).collect()),
        };
        Manifest {
            storysim: env!("CARGO_PKG_VERSION").to_owned(),
            manifest: Manifest::VERSION,
            seed: self.seed,
            count: self.count,
            experiment: self.experiment.map(|experiment| experiment.name.to_owned()),
            set: self.settings.iter().map(record).collect(),
            with_events: self.with_events,
            twins: self.with_twins,
            format: self.format.ending().to_owned(),
            shard_size: self.shard_size.unwrap_or(by_events),
            split: self.split.clone().unwrap_or_default(),
            part: (self.shard.parts > 1).then_some([self.shard.part, self.shard.parts]),
            boards: boards.iter().enumerate().map(board).collect(),
            ..Manifest::default()
        }
    }
}

/// Who wants to know how far something has come. Called from all threads.
pub trait Listener: Sync {
    /// So much is to be done: stories that are to be made, or files that are to be looked at.
    fn begins(&self, _count: u64) {}

    /// So much more of it is done, with so many rows and bytes.
    fn advances(&self, _count: u64, _rows: u64, _bytes: u64) {}

    /// Something that people may want to know, in whole lines.
    fn says(&self, _text: &str) {}

    /// Whether to go on. What is finished stays; what is not goes.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Listens to nothing, and never stops anything.
#[derive(Clone, Copy, Debug)]
pub struct Silence;

impl Listener for Silence {}
