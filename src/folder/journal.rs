//! What a folder in the making knows of itself, so that another run can go on where one was stopped.
//!
//! `FOLDER/.storysim/` is there for as long as somebody writes the folder. It holds, for the whole or for each part,
//! a journal: a line that says what is being made, then one for every finished file; it is locked by whoever
//! writes. Unfinished files lie beside it. A line is written when the bytes and the name of its file are on the disk, so a
//! power loss takes a line, never the truth of one; a torn last line is as good as none.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::output::sync_folder;
use super::{Failure, names_in, read_file};
use crate::files::{FileRecord, Manifest};

/// The name of the folder of journals, within the dataset folder.
const FOLDER: &str = ".storysim";

/// The file name of the journal of a merge.
const MERGE: &str = "merge.jsonl";

/// The journal of a dataset folder, or of one of its parts.
pub struct Journal {
    folder: PathBuf,
    path: PathBuf,
    file: Mutex<File>,
    /// The name of the dataset's folder in messages.
    shown: String,
}

/// The content of a journal.
#[derive(Debug, Default)]
pub struct Said {
    /// The manifest of what is being made, if the journal got that far.
    pub manifest: Option<Manifest>,
    /// The files that are finished.
    pub files: Vec<FileRecord>,
}

impl Journal {
    /// The folder of journals of a dataset.
    pub fn folder(root: &Path) -> PathBuf {
        root.join(FOLDER)
    }

    /// Whether this is the name of the folder of journals.
    pub fn is_folder(name: &std::ffi::OsStr) -> bool {
        name == FOLDER
    }

    fn name(part: Option<[u64; 2]>) -> String {
        match part {
            None => "whole.jsonl".to_owned(),
            Some([part, parts]) => format!("part-{part:05}-of-{parts:05}.jsonl"),
        }
    }

    /// What is being made in a folder, according to all its journals.
    ///
    /// # Errors
    /// If a journal cannot be read.
    pub fn heads(root: &Path) -> Result<Vec<Manifest>, Failure> {
        let said = journals(root)?.into_iter().filter_map(|(_, said)| said.manifest);
        Ok(said.collect())
    }

    /// The journal of a merge, which stays empty: while it is open, nobody else can merge.
    ///
    /// # Errors
    /// If somebody else has it open, or it cannot be written.
    pub fn of_merge(root: &Path) -> Result<Self, Failure> {
        Self::named(root, MERGE)
    }

    /// The journal of the whole dataset, or of a part. Nobody else can open it until it is dropped.
    ///
    /// # Errors
    /// If somebody else has it open, or it cannot be written.
    pub fn open(root: &Path, part: Option<[u64; 2]>) -> Result<Self, Failure> {
        Self::named(root, &Self::name(part))
    }

    fn named(root: &Path, name: &str) -> Result<Self, Failure> {
        let folder = root.join(FOLDER);
        let shown = root.display().to_string();
        let path = folder.join(name);
        let opening = || Failure::environment(format!("making the folder {shown}"));
        loop {
            fs::create_dir_all(&folder).map_err(opening())?;
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let file = match file {
                // Whoever finished has just removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file.map_err(opening())?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let why = "another storysim process is writing this folder; wait until it is done, or use another one";
                    return Err(Failure::Environment(shown, io::Error::new(io::ErrorKind::WouldBlock, why)));
                }
                // Some file systems of networks have no locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(opening()(error)),
            }
            if is_at(&file, &path) {
                return Ok(Self { folder, path, file: Mutex::new(file), shown });
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, File> {
        self.file.lock().expect("nobody panics here")
    }

    fn writing(&self) -> impl FnOnce(io::Error) -> Failure {
        Failure::environment(format!("writing to {}", self.path.display()))
    }

    /// What the journal says so far.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> Result<Said, Failure> {
        let mut text = Vec::new();
        let mut file = self.lock();
        let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text));
        read.map_err(Failure::environment(format!("reading {}", self.path.display())))?;
        Ok(Said::parse(&text))
    }

    /// Records what is being made and which files are done. If the journal already says so, it stays as it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&self, manifest: &Manifest, files: &[&FileRecord]) -> Result<(), Failure> {
        let head = line(manifest);
        let said = self.read()?;
        let is_said = said.manifest.as_ref() == Some(manifest) && said.files.iter().eq(files.iter().copied());
        let text: String = files.iter().copied().map(line).collect();
        let mut file = self.lock();
        let begin = || {
            if is_said {
                // But for a torn line at the end.
                file.set_len((head.len() + text.len()) as u64)?;
                file.seek(SeekFrom::End(0))?;
            } else {
                // Where the head is there already it stays there, whatever happens now.
                file.set_len(head.len() as u64)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all((head + &text).as_bytes())?;
            }
            file.sync_all()
        };
        begin().map_err(self.writing())?;
        sync_folder(&self.folder)
    }

    /// Records a file that is finished and on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, record: &FileRecord) -> Result<(), Failure> {
        let mut file = self.lock();
        let added = file.write_all(line(record).as_bytes()).and_then(|()| file.sync_all());
        added.map_err(self.writing())
    }

    /// The path of a file of the dataset until it is finished.
    pub fn unfinished(&self, path: &str) -> PathBuf {
        let journal = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.folder.join(format!("{journal}-{}.partial", path.replace('/', "-")))
    }

    /// Removes files of this part that were left unfinished.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn clean<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Result<(), Failure> {
        let own: HashSet<PathBuf> = paths.map(|path| self.unfinished(path)).collect();
        let cleaning = || Failure::environment(format!("making the folder {}", self.shown));
        for entry in fs::read_dir(&self.folder).map_err(cleaning())? {
            let path = entry.map_err(cleaning())?.path();
            if own.contains(&path) {
                fs::remove_file(&path).map_err(cleaning())?;
            }
        }
        Ok(())
    }

    /// Removes the journal if nothing has begun.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn forget(self) -> Result<(), Failure> {
        let length = self.lock().metadata().map_err(self.writing())?.len();
        if length == 0 { self.remove() } else { Ok(()) }
    }

    /// Removes the journal, and the folder of journals if no other part is being made.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove(self) -> Result<(), Failure> {
        fs::remove_file(&self.path).map_err(self.writing())?;
        // Journals of other parts keep it.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

/// All journals of a folder except that of a merge, by name, with what they say.
///
/// # Errors
/// If a journal cannot be read.
pub fn journals(root: &Path) -> Result<Vec<(String, Said)>, Failure> {
    let folder = root.join(FOLDER);
    let mut journals = Vec::new();
    for name in names_in(&folder)? {
        let (path, name) = (folder.join(&name), name.to_string_lossy().into_owned());
        if name.ends_with(".jsonl") && name != MERGE {
            let text = read_file(&path)?.unwrap_or_default();
            journals.push((name, Said::parse(&text)));
        }
    }
    Ok(journals)
}

impl Said {
    /// Reads a journal up to its last complete line.
    pub fn parse(text: &[u8]) -> Self {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let Some(manifest) = lines.next().and_then(|line| Manifest::from_json(line).ok()) else {
            return Self::default();
        };
        let files = lines.map_while(|line| serde_json::from_slice(line).ok()).collect();
        Self { manifest: Some(manifest), files }
    }
}

fn line<T: serde::Serialize>(record: &T) -> String {
    serde_json::to_string(record).expect("numbers and strings") + "\n"
}

/// Whether an open file is still the one at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id =
        |metadata: io::Result<fs::Metadata>| metadata.map(|metadata| (metadata.dev(), metadata.ino())).ok();
    id(file.metadata()).is_some_and(|own| Some(own) == id(fs::metadata(path)))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(seed: u64) -> Manifest {
        Manifest { manifest: Manifest::VERSION, seed, shard_size: 1, ..Manifest::default() }
    }

    #[test]
    fn a_journal_is_read_as_far_as_it_is_whole() {
        let record = |path: &str| FileRecord {
            path: path.to_owned(),
            pieces: Vec::new(),
            stories: 1,
            rows: 2,
            bytes: 3,
            blake3: "x".to_owned(),
        };
        let manifest = head(7);
        let whole = line(&manifest) + &line(&record("a")) + &line(&record("b"));
        for length in 0..=whole.len() {
            let said = Said::parse(&whole.as_bytes()[..length]);
            let lines = whole[..length].matches('\n').count();
            assert_eq!(said.manifest.is_some(), lines > 0);
            assert_eq!(said.files.len(), lines.saturating_sub(1));
        }
    }

    #[test]
    fn one_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let journal = Journal::open(root.path(), None).unwrap();
        assert!(matches!(Journal::open(root.path(), None), Err(Failure::Environment(..))));
        let part = Journal::open(root.path(), Some([0, 2])).unwrap();
        assert!(Journal::heads(root.path()).unwrap().is_empty(), "nothing is being made yet");
        journal.begin(&head(7), &[]).unwrap();
        assert_eq!(Journal::heads(root.path()).unwrap(), [head(7)]);
        journal.remove().unwrap();
        assert!(Journal::folder(root.path()).exists(), "the other part needs it");
        part.remove().unwrap();
        assert!(!Journal::folder(root.path()).exists());
    }
}
