//! What a dataset folder says about itself to programs: `manifest.json`. `card.rs` says it to people.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Shape;
use crate::dataset::{Extras, Keep, RowOptions, Split, Splits, Unit};
use crate::diagnostic::{Source, counted};
use crate::select::{Twinning, twinning};
use crate::storyboard::{Broken, NamedFile, Storyboard, parse_beside};

/// The largest number of files: file numbers have five digits.
pub const FILES_MAX: u64 = 100_000;

/// The largest length of a path in a folder, in bytes.
const PATH_MAX: usize = 300;

/// Everything that is needed to make a dataset folder again, bit for bit, and to check that it is complete.
///
/// It contains no date, no path and no number of threads: the same command writes the same manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of storysim that made the folder.
    pub storysim: String,
    /// The version of the manifest's format.
    pub manifest: u32,
    /// `--seed`
    pub seed: u64,
    /// `--count`: the number of stories for every board and every combination of its values.
    pub count: u64,
    /// `--experiment`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// `--set`, in the order given.
    pub set: Vec<SetRecord>,
    /// `--with-events`
    pub with_events: bool,
    /// `--difficulty`
    #[serde(default, skip_serializing_if = "is_no")]
    pub with_difficulty: bool,
    /// `--where`
    #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// `--twins`: `true` for pairs, and otherwise the name of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "twinning")]
    pub twins: Option<Twinning>,
    /// `--prompt`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// `--shape`, unless a row is a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// `--format`
    pub format: String,
    /// The largest number of stories in a file; with splits, the average.
    pub shard_size: u64,
    /// `--split`
    #[serde(default, skip_serializing_if = "Splits::is_empty")]
    pub split: Splits,
    /// `[I, N]` if the folder holds only part I of N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<[u64; 2]>,
    /// The storyboards of the dataset.
    pub boards: Vec<BoardText>,
    /// The number of stories in all files, not counting twins.
    pub stories: u64,
    /// The number of rows in all files.
    pub rows: u64,
    /// The files of the dataset, in order.
    pub files: Vec<FileRecord>,
}

/// A parameter that was set, and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetRecord {
    /// The name of the parameter.
    pub name: String,
    /// The values of the parameter.
    pub values: Vec<i64>,
}

/// A storyboard as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardText {
    /// The storyboard's name.
    pub name: String,
    /// The BLAKE3 hash of the storyboard's text.
    pub blake3: String,
    /// The storyboard's text.
    pub text: String,
    /// The parameters that are set on this board alone, in addition to those set on all boards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<SetRecord>,
    /// `--wording`: how sentences are worded instead of what the storyboard says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wording: Option<String>,
    /// The packs that the words of its stories come from, and the files of the boards that it weaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<PackText>,
}

/// A pack as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackText {
    /// The pack's name, or the path by which the storyboard names it.
    pub name: String,
    /// The BLAKE3 hash of the pack's text.
    pub blake3: String,
    /// The pack's text, unless it is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl BoardText {
    /// The storyboard, with the files among its packs and among the boards that it weaves.
    ///
    /// # Errors
    /// If this version of storysim cannot read it.
    pub(crate) fn storyboard(&self) -> Result<Storyboard, Broken> {
        let file = |pack: &PackText| {
            let (name, path) = (pack.name.clone(), pack.name.clone());
            Some(NamedFile { name, path, text: Ok(pack.text.clone()?) })
        };
        let files = self.packs.iter().filter_map(file).collect();
        let read = parse_beside(Source { name: self.name.clone(), text: self.text.clone() }, files)?;
        Ok(match &self.wording {
            Some(wording) => read.reworded(wording),
            None => read,
        })
    }
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file's path within the folder, with `/`.
    pub path: String,
    /// The stories that the file was made from, in order: it holds all of them, or those in its split.
    pub pieces: Vec<PieceRecord>,
    /// The number of stories that the file holds.
    pub stories: u64,
    /// The number of rows that the file holds.
    pub rows: u64,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the file.
    pub blake3: String,
}

/// Stories of one board and one combination of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceRecord {
    /// The board's name.
    pub board: String,
    /// The values of the parameters that were set, in the order of `set` followed by the board's own.
    pub values: Vec<i64>,
    /// The index of the first story.
    pub from: u64,
    /// The index after the last story.
    pub until: u64,
}

impl Manifest {
    /// The version of the format that this program writes.
    pub const VERSION: u32 = 1;

    /// The text of the manifest, as it is written to `manifest.json`.
    ///
    /// # Panics
    /// Never: all of its content can be written as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings") + "\n"
    }

    /// The file name of the manifest: `manifest.json`, or that of a part.
    ///
    /// ```
    /// # use storysim::files::Manifest;
    /// assert_eq!(Manifest::default().file_name(), "manifest.json");
    /// let part = Manifest { part: Some([0, 3]), ..Manifest::default() };
    /// assert_eq!(part.file_name(), "manifest-00000-of-00003.json");
    /// ```
    pub fn file_name(&self) -> String {
        match self.part {
            None => "manifest.json".to_owned(),
            Some([part, parts]) => format!("manifest-{part:05}-of-{parts:05}.json"),
        }
    }

    /// The same manifest with these files.
    #[must_use]
    pub fn with_files(self, files: Vec<FileRecord>) -> Self {
        let stories = files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.stories));
        let rows = files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.rows));
        Self { stories, rows, files, ..self }
    }

    /// Reads the manifest of a whole folder.
    ///
    /// # Errors
    /// If there is no manifest that can be read; with the kind `InvalidData` if it is not one that storysim wrote.
    pub fn at(folder: &Path) -> io::Result<Self> {
        let text = fs::read(folder.join("manifest.json"))
            .map_err(|error| io::Error::new(error.kind(), format!("manifest.json: {error}")))?;
        Self::from_json(&text).map_err(|problem| {
            let what = format!("manifest.json was not written by storysim: {problem}");
            io::Error::new(io::ErrorKind::InvalidData, what)
        })
    }

    /// Reads a manifest, which may have been written by anybody.
    ///
    /// # Errors
    /// If the text is not a manifest, or says something that is impossible.
    pub fn from_json(text: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(text).map_err(|problem| problem.to_string())?;
        manifest.validate()?;
        Ok(manifest)
    }

    /// What rows have, and what one row is about, as the manifest says.
    ///
    /// # Errors
    /// If the manifest says something else than storysim does.
    pub fn options(&self) -> Result<RowOptions, String> {
        let prompt = self.prompt.as_deref().map(str::parse).transpose()?;
        let unit = self.shape.as_deref().map_or(Ok(Unit::default()), str::parse)?;
        let Self { with_events, with_difficulty, .. } = *self;
        Ok(RowOptions { with_events, with_difficulty, prompt, unit })
    }

    /// What rows have besides what all rows have.
    pub(super) fn extras(&self) -> Extras {
        let Self { twins, with_events, with_difficulty, .. } = *self;
        let with_prompt = self.prompt.is_some();
        let extras = Extras { twins, with_events, with_difficulty, with_prompt, ..Extras::default() };
        let boards: Vec<Storyboard> =
            self.boards.iter().filter_map(|board| board.storyboard().ok()).collect();
        Shape::new(&boards, extras).extras
    }

    fn validate(&self) -> Result<(), String> {
        self.options()?;
        if self.manifest != Self::VERSION {
            return Err(format!(
                "it has format version {}, but this version of storysim knows version {}",
                self.manifest,
                Self::VERSION
            ));
        }
        if self.part.is_some_and(|[part, parts]| part >= parts || parts > FILES_MAX) {
            return Err("its part number is impossible".to_owned());
        }
        if !self.split.is_empty() && self.splits().parse::<Splits>().as_ref() != Ok(&self.split) {
            return Err("its splits are impossible".to_owned());
        }
        if self.shard_size == 0 || self.files.len() as u64 > FILES_MAX {
            return Err("it has too many files".to_owned());
        }
        let mut paths = BTreeSet::new();
        for file in &self.files {
            let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', ':']);
            let is_path = file.path.len() <= PATH_MAX
                && file.path.starts_with("data/")
                && file.path.split('/').count() <= 3
                && file.path.split('/').all(is_name)
                && !file.path.chars().any(char::is_control);
            if !is_path || !paths.insert(&file.path) {
                return Err(format!("{:?} cannot be a path of one of its files", shortened(&file.path)));
            }
            if file.pieces.iter().any(|piece| piece.from >= piece.until || piece.until > self.count) {
                return Err(format!("{} cannot hold the stories that it lists", file.path));
            }
            let all =
                file.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.until - piece.from));
            let has_all = self.split.is_empty() && self.keep.is_none();
            if file.stories > all || (has_all && file.stories != all) {
                return Err(format!("{} cannot hold {}", file.path, counted(file.stories, "story")));
            }
        }
        for board in &self.boards {
            if blake3::hash(board.text.as_bytes()).to_hex().as_str() != board.blake3 {
                return Err(format!(
                    "the text of its storyboard {:?} has another hash",
                    shortened(&board.name)
                ));
            }
        }
        for pack in self.boards.iter().flat_map(|board| &board.packs) {
            let hash = |text: &String| blake3::hash(text.as_bytes()).to_hex().to_string();
            if pack.text.as_ref().is_some_and(|text| hash(text) != pack.blake3) {
                return Err(format!("the text of its pack {:?} has another hash", shortened(&pack.name)));
            }
        }
        if self.clone().with_files(self.files.clone()) != *self {
            return Err("its files do not add up to its stories and rows".to_owned());
        }
        Ok(())
    }

    /// The path within a dataset folder at which the files of a board are.
    ///
    /// ```
    /// # use storysim::files::Manifest;
    /// assert_eq!(Manifest::folder("sally-anne", 1), "data");
    /// assert_eq!(Manifest::folder("sally-anne", 2), "data/sally-anne");
    /// ```
    pub fn folder(board: &str, boards: usize) -> String {
        if boards == 1 { "data".to_owned() } else { format!("data/{board}") }
    }

    /// The names of the dataset's splits; only `train` if it is not divided.
    pub fn split_names(&self) -> Vec<&str> {
        match self.split.parts() {
            [] => vec!["train"],
            parts => parts.iter().map(|split| split.name.as_str()).collect(),
        }
    }

    /// In words, how another dataset, or another part, was made differently. Empty if both are made from the same request,
    /// even if they are different parts of it.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, own: String, other: String| {
            if own != other {
                differences.push(format!("{what}: {own} there, {other} now"));
            }
        };
        compare("version of storysim", self.storysim.clone(), other.storysim.clone());
        compare("format of the manifest", self.manifest.to_string(), other.manifest.to_string());
        compare("seed", self.seed.to_string(), other.seed.to_string());
        compare("count", self.count.to_string(), other.count.to_string());
        let experiment = |manifest: &Self| manifest.experiment.clone().unwrap_or_else(|| "none".to_owned());
        compare("experiment", experiment(self), experiment(other));
        compare("parameters set", settings(&self.set), settings(&other.set));
        let wording = |manifest: &Self| {
            let given = manifest.boards.iter().find_map(|board| board.wording.clone());
            given.unwrap_or_else(|| "that of the storyboards".to_owned())
        };
        compare("wording", wording(self), wording(other));
        compare("events in rows", self.with_events.to_string(), other.with_events.to_string());
        let difficulty = |manifest: &Self| manifest.with_difficulty.to_string();
        compare("difficulty in rows", difficulty(self), difficulty(other));
        let keep = |manifest: &Self| manifest.keep.as_ref().map_or_else(|| "all".to_owned(), Keep::to_string);
        compare("rows kept", keep(self), keep(other));
        let twins = |manifest: &Self| match manifest.twins {
            None => "false",
            Some(Twinning::Pairs) => "true",
            Some(Twinning::Triplets) => Twinning::Triplets.name(),
        };
        compare("twins", twins(self).to_owned(), twins(other).to_owned());
        let prompt = |manifest: &Self| manifest.prompt.clone().unwrap_or_else(|| "none".to_owned());
        compare("prompts in rows", prompt(self), prompt(other));
        let shape =
            |manifest: &Self| manifest.shape.clone().unwrap_or_else(|| Unit::default().name().to_owned());
        compare("shape of the rows", shape(self), shape(other));
        compare("format of the rows", self.format.clone(), other.format.clone());
        compare("shard size", self.shard_size.to_string(), other.shard_size.to_string());
        compare("splits", self.splits(), other.splits());
        let names = |manifest: &Self| {
            let names: Vec<&str> = manifest.boards.iter().map(|board| board.name.as_str()).collect();
            names.join(", ")
        };
        compare("storyboards", names(self), names(other));
        for board in &self.boards {
            let other = other.boards.iter().find(|other| other.name == board.name);
            if other.is_some_and(|other| other.text != board.text) {
                differences.push(format!("the text of storyboard {} is different", board.name));
            }
            if other.is_some_and(|other| other.packs != board.packs) {
                differences.push(format!("the packs of storyboard {} are different", board.name));
            }
            if other.is_some_and(|other| other.set != board.set) {
                differences.push(format!("the values set on storyboard {} are different", board.name));
            }
        }
        differences
    }

    /// The value of `--split`.
    pub(super) fn splits(&self) -> String {
        let one = |split: &Split| {
            let share = format!("{}.{:06}", split.millionths / 1_000_000, split.millionths % 1_000_000);
            format!("{}={}", split.name, share.trim_end_matches('0').trim_end_matches('.'))
        };
        let all: Vec<String> = self.split.parts().iter().map(one).collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(",") }
    }
}

/// Whether something is not so; then it is not written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_no(is_so: &bool) -> bool {
    !is_so
}

/// The settings of `--set`, in words.
pub(super) fn settings(set: &[SetRecord]) -> String {
    let one = |SetRecord { name, values }: &SetRecord| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        format!("{name}={}", values.join("|"))
    };
    let all: Vec<String> = set.iter().map(one).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(" ") }
}

/// The beginning of a text that may come from anybody.
fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let board = |text: &str| BoardText {
            name: "one".into(),
            text: text.into(),
            packs: vec![PackText { name: format!("./{text}.yaml"), ..PackText::default() }],
            ..BoardText::default()
        };
        let own = Manifest { seed: 7, boards: vec![board("a")], part: Some([0, 2]), ..Manifest::default() };
        assert_eq!(own.differences(&Manifest { part: None, rows: 9, ..own.clone() }), Vec::<String>::new());
        let other = Manifest {
            seed: 8,
            split: "train=0.9,test=0.1".parse().unwrap(),
            set: vec![SetRecord { name: "d".into(), values: vec![5, 10] }],
            boards: vec![board("b")],
            ..own.clone()
        };
        assert_eq!(
            own.differences(&other),
            [
                "seed: 7 there, 8 now",
                "parameters set: nothing there, d=5|10 now",
                "splits: nothing there, train=0.9,test=0.1 now",
                "the text of storyboard one is different",
                "the packs of storyboard one are different"
            ]
        );
    }
}
