//! A dataset folder: files of rows, a card, and a manifest that is written last.

use std::fs;
use std::path::{Path, PathBuf};

use super::boards::Variant;
use super::generate::{Piece, Volume};
use super::output::{Place, Written, sync_folder, write_file};
use super::{Failure, GenerateArguments};
use crate::dataset::{BoardText, FileRecord, Format, Manifest, PieceRecord, SetRecord};
use crate::storyboard::Storyboard;

/// Unless the command says otherwise, the rows of a file tell of about this many events: some 300 MB of text.
const EVENTS_PER_FILE: usize = 10_000_000;

/// File numbers have five digits.
const FILES_MAX: u128 = 100_000;

/// A folder in the making.
pub struct Folder {
    path: PathBuf,
    /// Of its files, those of our part.
    pub volumes: Vec<Volume>,
    /// All but what is known only of finished files.
    manifest: Manifest,
}

impl Folder {
    /// Divides the stories into files, and makes the folder.
    ///
    /// # Errors
    /// If there is something in it that could be mistaken for part of the dataset.
    pub fn open(
        path: &Path,
        arguments: &GenerateArguments,
        format: Format,
        boards: &[Storyboard],
        variants: &[Variant<'_>],
        events_per_story: usize,
    ) -> Result<Self, Failure> {
        let by_events = (EVENTS_PER_FILE / events_per_story).max(1) as u64;
        let shard_size = arguments.shard_size.unwrap_or(by_events);
        let all = divide(path, arguments.count, shard_size, format, boards, variants)?;
        let shard = arguments.shard;
        let own = shard.range(all.len() as u64);
        let volumes = all[own.start as usize..own.end as usize].to_vec();
        if volumes.is_empty() {
            return Err(Failure::Usage(format!(
                "--shard {}/{}: the dataset has only {} files of {shard_size} stories; make them smaller with --shard-size",
                shard.part,
                shard.parts,
                all.len()
            )));
        }
        let manifest = Manifest {
            storysim: env!("CARGO_PKG_VERSION").to_owned(),
            manifest: Manifest::VERSION,
            seed: arguments.seed,
            count: arguments.count,
            set: arguments
                .settings
                .iter()
                .map(|setting| SetRecord { name: setting.name.clone(), values: setting.values.clone() })
                .collect(),
            with_events: arguments.with_events,
            format: format.ending().to_owned(),
            shard_size,
            part: (shard.parts > 1).then_some([shard.part, shard.parts]),
            boards: boards
                .iter()
                .map(|board| BoardText {
                    name: board.name.value.clone(),
                    blake3: blake3::hash(board.source.text.as_bytes()).to_hex().to_string(),
                    text: board.source.text.clone(),
                })
                .collect(),
            ..Manifest::default()
        };
        let folder = Self { path: path.to_owned(), volumes, manifest };
        folder.make()?;
        Ok(folder)
    }

    fn make(&self) -> Result<(), Failure> {
        let shown = self.path.display();
        let making = || Failure::environment(format!("making the folder {shown}"));
        fs::create_dir_all(&self.path).map_err(making())?;
        let occupied = match self.manifest.part {
            None => fs::read_dir(&self.path).map_err(making())?.next().is_some(),
            // Parts may share a folder.
            Some(_) => {
                let own = self.volumes.iter().map(|volume| match &volume.place {
                    Place::File(path) => path.clone(),
                    _ => unreachable!("a folder has files"),
                });
                let names = ["manifest.json".to_owned(), self.manifest_name()];
                own.chain(names.map(|name| self.path.join(name))).any(|path| path.exists())
            }
        };
        if occupied {
            let message = match self.manifest.part {
                None => format!("--out {shown}: this folder is not empty; a dataset needs one of its own"),
                Some(_) => format!("--out {shown}: this folder holds that part, or a whole dataset, already"),
            };
            return Err(Failure::Usage(message));
        }
        for folder in self.folders() {
            fs::create_dir_all(&folder).map_err(making())?;
        }
        Ok(())
    }

    /// All folders below it that our files are in.
    fn folders(&self) -> Vec<PathBuf> {
        let boards = self.manifest.boards.len();
        let names = self.manifest.boards.iter().map(|board| Manifest::folder(&board.name, boards));
        names.map(|name| self.path.join(name)).collect()
    }

    fn manifest_name(&self) -> String {
        match self.manifest.part {
            None => "manifest.json".to_owned(),
            Some([part, parts]) => format!("manifest-{part:05}-of-{parts:05}.json"),
        }
    }

    /// Writes the card and, last, the manifest. Returns what to call the whole.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(mut self, variants: &[Variant<'_>], files: &[(u64, Written)]) -> Result<String, Failure> {
        for (volume, (rows, written)) in self.volumes.iter().zip(files) {
            let Place::File(path) = &volume.place else { unreachable!("a folder has files") };
            let within = path.strip_prefix(&self.path).expect("a file of this folder");
            let names: Vec<&str> = within.iter().filter_map(|name| name.to_str()).collect();
            let pieces = volume.pieces.iter().map(|piece| {
                let variant = &variants[piece.variant];
                PieceRecord {
                    board: variant.board.name.value.clone(),
                    values: variant.settings.iter().map(|(_, value)| *value).collect(),
                    from: piece.stories.start,
                    until: piece.stories.end,
                }
            });
            let pieces: Vec<PieceRecord> = pieces.collect();
            self.manifest.stories += pieces.iter().map(|piece| piece.until - piece.from).sum::<u64>();
            self.manifest.rows += rows;
            self.manifest.files.push(FileRecord {
                path: names.join("/"),
                pieces,
                rows: *rows,
                bytes: written.bytes,
                blake3: written.blake3.clone(),
            });
        }
        self.folders().iter().try_for_each(|folder| sync_folder(folder))?;
        if self.manifest.part.is_none() {
            write_file(&self.path.join("README.md"), &self.manifest.card())?;
        }
        write_file(&self.path.join(self.manifest_name()), &self.manifest.to_json())?;
        sync_folder(&self.path)?;
        let count = self.volumes.len();
        Ok(format!("{count} {} in {}", if count == 1 { "file" } else { "files" }, self.path.display()))
    }
}

/// All files of a dataset, in the order of rows. A file holds stories of one board.
fn divide(
    path: &Path,
    count: u64,
    shard_size: u64,
    format: Format,
    boards: &[Storyboard],
    variants: &[Variant<'_>],
) -> Result<Vec<Volume>, Failure> {
    let mut volumes = Vec::new();
    for board in boards {
        let name = &board.name.value;
        let own: Vec<usize> =
            (0..variants.len()).filter(|&at| std::ptr::eq(variants[at].board, board)).collect();
        let (count, stories) = (u128::from(count), u128::from(count) * own.len() as u128);
        let files = stories.div_ceil(u128::from(shard_size)).max(1);
        if files + volumes.len() as u128 > FILES_MAX {
            return Err(Failure::Usage(format!(
                "that would be more than {FILES_MAX} files; put more stories into each with --shard-size"
            )));
        }
        let folder = path.join(Manifest::folder(name, boards.len()));
        for file in 0..files {
            let (from, until) = (stories * file / files, stories * (file + 1) / files);
            let mut pieces = Vec::new();
            let mut next = from;
            while next < until {
                let variant = next / count;
                let end = until.min((variant + 1) * count);
                let within = |story: u128| (story - variant * count) as u64;
                pieces.push(Piece { variant: own[variant as usize], stories: within(next)..within(end) });
                next = end;
            }
            let name = format!("train-{file:05}-of-{files:05}.{}", format.ending());
            volumes.push(Volume { place: Place::File(folder.join(name)), pieces });
        }
    }
    Ok(volumes)
}
