//! A dataset folder: files of rows, a card, and a manifest that is written last.
//!
//! However it is stopped, the same command goes on from there: files that are finished are kept if they are what they
//! should be, and the rest is made. The folder is then, bit for bit, as if nothing had happened.
//!
//! ```
//! use storysim::{compile::compile_family, select::admit, storyboard};
//! use storysim::folder::{Families, Job, Request, Silence, variants};
//!
//! let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
//! let boards = [board];
//! let variants = variants(&boards, &[]).unwrap();
//! let mut families = Families::new(&variants);
//! families.add(admit(&boards[0], compile_family(&boards[0], &[]).unwrap().plans).unwrap().family);
//!
//! let request = Request::new(100, 7);
//! let job = Job { request: &request, boards: &boards, families, listener: &Silence };
//! let folder = tempfile::tempdir().unwrap();
//! let (totals, manifest) = job.make_folder(&folder.path().join("rows")).unwrap();
//! assert_eq!((totals.stories, manifest.files.len()), (100, 1));
//! ```

mod agreement;
mod divide;
mod failure;
mod journal;
mod make;
mod merge;
mod output;
mod request;
mod turns;
mod variant;
mod verify;
mod volume;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use crate::diagnostic::counted;
use crate::files::{FileRecord, Manifest, PieceRecord};
pub use failure::Failure;
use journal::{Journal, Said};
pub use make::{Families, Job, STORIES_LOOKED_AT, Totals};
pub use merge::merge;
use output::sync_folder;
pub use output::{Output, Place, Written, write_file};
pub use request::{Listener, Request, Silence};
pub use variant::{Setting, Variant, grid, of_experiment, variants};
use verify::is_intact;
pub use verify::{Verified, verify};
pub use volume::Shard;
use volume::{Piece, Volume};

/// A dataset folder that is being made.
struct Folder {
    path: PathBuf,
    /// The files of our part.
    volumes: Vec<Volume>,
    /// The manifest, without what is only known of finished files.
    manifest: Manifest,
    journal: Journal,
    /// For each file, its record once it is finished.
    done: Mutex<Vec<Option<FileRecord>>>,
}

impl Folder {
    /// Divides the stories into files, and creates the folder or continues it.
    ///
    /// # Errors
    /// If the folder contains something else, or somebody else is writing to it.
    fn open(path: &Path, job: &Job<'_>) -> Result<Self, Failure> {
        let Job { request, boards, families, listener } = job;
        let variants = families.variants;
        let with_packs = boards.iter().map(|board| (board, families.packs(board)));
        let manifest = request.manifest(with_packs, families.events_per_story(request.twins));
        let all = divide::divide(path, &manifest, request.format, boards, variants)?;
        let shard = request.shard;
        let own = shard.range(all.len() as u64);
        let volumes = all[own.start as usize..own.end as usize].to_vec();
        if volumes.is_empty() {
            return Err(Failure::Usage(format!(
                "part {}/{} would be empty: with {} a file, there are fewer files ({}) than parts; use a smaller \
                 shard size",
                shard.part,
                shard.parts,
                counted(manifest.shard_size, "story"),
                all.len()
            )));
        }
        is_free_for(path, &manifest)?;
        let journal = Journal::open(path, manifest.part)?;
        // Now that nobody else writes this.
        let known = match known(path, &manifest, &journal) {
            Ok(known) => known,
            Err(failure) => {
                // Of a folder that is left as it is, nothing is to be gone on with.
                journal.forget()?;
                return Err(failure);
            }
        };
        let done = Mutex::new(vec![None; volumes.len()]);
        let folder = Self { path: path.to_owned(), volumes, manifest, journal, done };
        folder.go_on(known, variants, *listener)?;
        Ok(folder)
    }

    /// Keeps those of the known files that are what they should be, and updates the journal.
    fn go_on(
        &self,
        known: HashMap<String, FileRecord>,
        variants: &[Variant<'_>],
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        let paths: Vec<String> = self.volumes.iter().map(|volume| volume.path_within(&self.path)).collect();
        let kept: Vec<Option<FileRecord>> = self
            .volumes
            .par_iter()
            .zip(&paths)
            .map(|(volume, path)| {
                let record = known.get(path)?;
                listener.goes_on().then_some(())?;
                let is_kept = record.pieces == pieces(volume, variants) && is_intact(&self.path, record);
                is_kept.then(|| record.clone())
            })
            .collect();
        if !listener.goes_on() {
            return Err(Failure::Interrupted);
        }
        let count = kept.iter().flatten().count();
        if !known.is_empty() {
            listener.says(&format!("already complete: {count} of {}\n", counted(self.volumes.len(), "file")));
        }
        self.journal.begin(&self.manifest, &kept.iter().flatten().collect::<Vec<_>>())?;
        // Somebody may have begun another part meanwhile, of another dataset: each of the two sees the other now.
        is_free_for(&self.path, &self.manifest)?;
        self.journal.clean(paths.iter().map(String::as_str))?;
        *self.done.lock().expect("nobody panics here") = kept;
        for folder in self.folders() {
            let shown = self.path.display();
            fs::create_dir_all(&folder)
                .map_err(Failure::environment(format!("making the folder {shown}")))?;
            // Its name, too, has to be on the disk, and that of the folder that it is in.
            let within = folder.ancestors().skip(1).take_while(|above| above.starts_with(&self.path));
            within.into_iter().try_for_each(sync_folder)?;
        }
        Ok(())
    }

    /// The indices of the files that are not finished.
    fn missing(&self) -> Vec<usize> {
        let done = self.done.lock().expect("nobody panics here");
        (0..self.volumes.len()).filter(|&at| done[at].is_none()).collect()
    }

    /// The path of a file, and its path until it is finished.
    fn paths(&self, volume: &Volume) -> (PathBuf, PathBuf) {
        let within = volume.path_within(&self.path);
        (self.path.join(&within), self.journal.unfinished(&within))
    }

    /// Records that a file is finished.
    ///
    /// # Errors
    /// If this cannot be written.
    fn add(
        &self,
        at: usize,
        variants: &[Variant<'_>],
        (stories, rows): (u64, u64),
        written: Written,
    ) -> Result<(), Failure> {
        let volume = &self.volumes[at];
        let record = FileRecord {
            path: volume.path_within(&self.path),
            pieces: pieces(volume, variants),
            stories,
            rows,
            bytes: written.bytes,
            blake3: written.blake3.expect("files of a folder are hashed"),
        };
        let (path, _) = self.paths(volume);
        sync_folder(path.parent().expect("a file in a folder"))?;
        self.journal.add(&record)?;
        self.done.lock().expect("nobody panics here")[at] = Some(record);
        Ok(())
    }

    /// Writes the card and, last, the manifest.
    ///
    /// # Errors
    /// If they cannot be written.
    ///
    /// # Panics
    /// If a file is missing.
    fn finish(self) -> Result<Manifest, Failure> {
        let done = self.done.into_inner().expect("nobody panics here");
        let files: Vec<FileRecord> = done.into_iter().map(|record| record.expect("it was made")).collect();
        let manifest = self.manifest.with_files(files);
        write_manifest(&self.path, &manifest, &self.journal)?;
        self.journal.remove()?;
        sync_folder(&self.path)?;
        Ok(manifest)
    }

    /// All folders that our files are in, including this one.
    fn folders(&self) -> Vec<PathBuf> {
        let boards = self.manifest.boards.len();
        let names = self.manifest.boards.iter().map(|board| Manifest::folder(&board.name, boards));
        names.map(|name| self.path.join(name)).collect()
    }
}

/// Writes the card of a whole dataset and, last, the manifest.
fn write_manifest(root: &Path, manifest: &Manifest, journal: &Journal) -> Result<(), Failure> {
    if manifest.part.is_none() {
        write_file(&root.join("README.md"), journal.unfinished("README.md"), &manifest.card())?;
        sync_folder(root)?;
    }
    let name = manifest.file_name();
    write_file(&root.join(&name), journal.unfinished(&name), &manifest.to_json())?;
    sync_folder(root)
}

/// What a file is made from, as recorded in the manifest.
fn pieces(volume: &Volume, variants: &[Variant<'_>]) -> Vec<PieceRecord> {
    let piece = |piece: &Piece| {
        let variant = &variants[piece.variant];
        PieceRecord {
            board: variant.board.name.value.clone(),
            values: variant.settings.iter().map(|(_, value)| *value).collect(),
            from: piece.stories.start,
            until: piece.stories.end,
        }
    };
    volume.pieces.iter().map(piece).collect()
}

/// The names of the entries of a folder, in order; empty if there is no folder.
fn names_in(root: &Path) -> Result<Vec<OsString>, Failure> {
    let reading = || Failure::environment(format!("reading the folder {}", root.display()));
    let entries = match fs::read_dir(root) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(reading())?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = names.collect::<Result<Vec<_>, _>>().map_err(reading())?;
    names.sort();
    Ok(names)
}

/// Makes sure that there is a folder to be read.
fn exists(root: &Path) -> Result<(), Failure> {
    match fs::metadata(root) {
        Ok(metadata) if !metadata.is_dir() => {
            let what = format!("reading {} as a dataset folder", root.display());
            let help =
                "it is a file; `audit` and `score` read files of rows, and to check rows generate them again";
            Err(Failure::Environment(what, std::io::Error::new(std::io::ErrorKind::NotADirectory, help)))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::environment(format!("reading the folder {}", root.display()))(error)),
    }
}

/// Reads a small file that belongs to the folder itself, if it exists.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let reading = || Failure::environment(format!("reading {}", path.display()));
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if !metadata.is_file() => {
            return Err(Failure::Usage(format!("{}: not a file", path.display())));
        }
        found => found.map_err(reading())?,
    };
    fs::read(path).map(Some).map_err(reading())
}

/// Reads a manifest, if it exists.
fn read_manifest(path: &Path) -> Result<Option<Manifest>, Failure> {
    let Some(text) = read_file(path)? else { return Ok(None) };
    Manifest::from_json(&text).map(Some).map_err(|problem| {
        Failure::Wrong(format!("error: {}: not written by storysim: {problem}\n", path.display()))
    })
}

/// The manifests of finished parts in a folder, in order.
fn parts(root: &Path, names: &[OsString]) -> Result<Vec<Manifest>, Failure> {
    let names = names.iter().filter_map(|name| name.to_str());
    let names = names.filter(|name| name.starts_with("manifest-") && name.ends_with(".json"));
    let mut parts = Vec::new();
    for name in names {
        let found = read_manifest(&root.join(name))?;
        parts.extend(found.filter(|part| part.part.is_some() && part.file_name() == name));
    }
    parts.sort_by_key(|part| part.part);
    Ok(parts)
}

/// Refuses a folder that contains something else, before anything is made in it.
fn is_free_for(root: &Path, asked: &Manifest) -> Result<(), Failure> {
    let shown = root.display();
    let refused = |why: &str| Err(Failure::Usage(format!("{shown}: {why}")));
    let names = names_in(root)?;
    let is_begun = names.iter().any(|name| Journal::is_folder(name));
    let has_manifest = names.iter().any(|name| name == "manifest.json");
    let finished = parts(root, &names)?;
    if !is_begun && !has_manifest && !names.is_empty() && (asked.part.is_none() || finished.is_empty()) {
        return refused(match finished.is_empty() {
            true => "this folder is not empty; a dataset needs a folder of its own",
            false => "this folder holds parts of a dataset; merge them, or use another folder",
        });
    }
    let Some([_, parts]) = asked.part else { return Ok(()) };
    if has_manifest {
        return refused("this folder holds a complete dataset");
    }
    // Parts may share a folder, if they are parts of one dataset.
    for other in finished.into_iter().chain(Journal::heads(root)?) {
        is_same(root, &other, asked)?;
        match other.part {
            None => return refused("this folder holds an unfinished dataset that is not divided into parts"),
            Some([_, others]) if others != parts => {
                return refused(&format!(
                    "this folder holds parts of a dataset that is divided into {}, not {parts}",
                    counted(others, "part")
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Refuses to continue a folder that was made from a different request.
fn is_same(root: &Path, there: &Manifest, asked: &Manifest) -> Result<(), Failure> {
    let differences = there.differences(asked);
    if differences.is_empty() {
        return Ok(());
    }
    let mut message = format!("{}: this folder holds a different dataset, or part of one\n", root.display());
    differences.iter().for_each(|difference| message.push_str(&format!("  {difference}\n")));
    message.push_str("use another folder, or remove this one");
    Err(Failure::Usage(message))
}

/// The files of our part that are already finished, by path.
fn known(root: &Path, asked: &Manifest, journal: &Journal) -> Result<HashMap<String, FileRecord>, Failure> {
    let Said { manifest, mut files } = journal.read()?;
    if let Some(begun) = &manifest {
        is_same(root, begun, asked)?;
    }
    let finished = read_manifest(&root.join(asked.file_name()))?;
    if let Some(finished) = &finished {
        is_same(root, finished, asked)?;
        files.extend_from_slice(&finished.files);
    }
    let is_ours = |name: &OsString| Journal::is_folder(name);
    if asked.part.is_none()
        && manifest.is_none()
        && finished.is_none()
        && !names_in(root)?.iter().all(is_ours)
    {
        let message = format!(
            "{}: this folder is not empty, and no journal in {} says what it holds; use another folder, or remove this one",
            root.display(),
            Journal::folder(root).display()
        );
        return Err(Failure::Usage(message));
    }
    Ok(files.into_iter().map(|record| (record.path.clone(), record)).collect())
}
