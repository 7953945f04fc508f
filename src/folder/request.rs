//! What is asked for, and who listens meanwhile.

use super::{Piece, Place, Setting, Shard, Volume, of_experiment};
use crate::dataset::{Keep, RowOptions, Splits, Unit};
use crate::experiment::Experiment;
use crate::files::{BoardText, Format, Manifest, PackText, SetRecord};
use crate::select::Twinning;
use crate::storyboard::{PLAIN, Storyboard};

/// The approximate number of events that the rows of a file tell of, unless a request says otherwise: about 300 MB of text.
const EVENTS_PER_FILE: usize = 10_000_000;

/// A request for rows.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of stories for every board and every swept value.
    pub count: u64,
    /// The number from which all randomness follows.
    pub seed: u64,
    /// The parameters that are set on every board, including swept values.
    pub settings: Vec<Setting>,
    /// The study that determines the boards and values, if any.
    pub experiment: Option<&'static Experiment>,
    /// The form of the rows.
    pub format: Format,
    /// The average number of stories in a file of a folder; if not given, such that a file has about 300 MB of text.
    pub shard_size: Option<u64>,
    /// The splits of a folder, if it has any.
    pub split: Option<Splits>,
    /// The part of the stories, or of a folder's files, that is to be made.
    pub shard: Shard,
    /// What rows contain besides the fixed fields, and what one row is about.
    pub rows: RowOptions,
    /// Which rows are kept, if not all.
    pub keep: Option<Keep>,
    /// The twins that every story has, if any.
    pub twins: Option<Twinning>,
    /// Whether every story is replayed against its storyboard before it is written.
    pub is_checked: bool,
}

impl Request {
    /// A request for `count` stories as lines of JSON, with all other settings off.
    pub fn new(count: u64, seed: u64) -> Self {
        Self {
            count,
            seed,
            settings: Vec::new(),
            experiment: None,
            format: Format::Jsonl,
            shard_size: None,
            split: None,
            shard: Shard { part: 0, parts: 1 },
            rows: RowOptions::default(),
            keep: None,
            twins: None,
            is_checked: false,
        }
    }

    /// A single file or stream with all stories of this number of variants.
    pub(super) fn volume(&self, place: Place, variants: usize) -> Volume {
        let stories = self.shard.range(self.count);
        let piece = |variant| Piece { variant, stories: stories.clone() };
        Volume { place, pieces: (0..variants).map(piece).collect(), split: 0 }
    }

    /// The manifest of the request, without files. The boards come with the packs of their words; `events_per_story` limits
    /// the events that the rows of a story tell of.
    pub(super) fn manifest<'b>(
        &self,
        boards: impl Iterator<Item = (&'b Storyboard, Vec<PackText>)>,
        events_per_story: usize,
    ) -> Manifest {
        let by_events = (EVENTS_PER_FILE / events_per_story).max(1) as u64;
        let record =
            |setting: &Setting| SetRecord { name: setting.name.clone(), values: setting.values.clone() };
        let of_boards = self.experiment.map_or_else(Vec::new, |experiment| of_experiment(experiment).1);
        let board = |(at, (board, packs)): (usize, (&Storyboard, Vec<PackText>))| BoardText {
            name: board.name.value.clone(),
            blake3: blake3::hash(board.source.text.as_bytes()).to_hex().to_string(),
            text: board.source.text.clone(),
            wording: board.is_reworded.then(|| {
                board.wording.as_ref().map_or_else(|| PLAIN.to_owned(), |wording| wording.value.clone())
            }),
            set: of_boards.get(at).map_or_else(Vec::new, |set| set.iter().map(record).collect()),
            packs,
        };
        Manifest {
            storysim: env!("CARGO_PKG_VERSION").to_owned(),
            manifest: Manifest::VERSION,
            seed: self.seed,
            count: self.count,
            experiment: self.experiment.map(|experiment| experiment.name.to_owned()),
            set: self.settings.iter().map(record).collect(),
            with_events: self.rows.with_events,
            with_difficulty: self.rows.with_difficulty,
            prompt: self.rows.prompt.map(|prompt| prompt.to_string()),
            shape: (self.rows.unit != Unit::default()).then(|| self.rows.unit.name().to_owned()),
            keep: self.keep.clone(),
            twins: self.twins,
            format: self.format.ending().to_owned(),
            shard_size: self.shard_size.unwrap_or(by_events),
            split: self.split.clone().unwrap_or_default(),
            part: (self.shard.parts > 1).then_some([self.shard.part, self.shard.parts]),
            boards: boards.enumerate().map(board).collect(),
            ..Manifest::default()
        }
    }
}

/// Something that wants to know about progress. It is called from all threads.
pub trait Listener: Sync {
    /// Work begins on this many stories that are made, or files that are examined.
    fn begins(&self, _count: u64) {}

    /// This much more of the work is done, with this many rows and bytes.
    fn advances(&self, _count: u64, _rows: u64, _bytes: u64) {}

    /// A message for people, in whole lines.
    fn says(&self, _text: &str) {}

    /// Whether to continue. If not, finished files stay and unfinished ones are removed.
    fn goes_on(&self) -> bool {
        true
    }
}

/// A listener that ignores everything and never stops anything.
#[derive(Clone, Copy, Debug)]
pub struct Silence;

impl Listener for Silence {}
