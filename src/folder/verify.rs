//! Whether a dataset is what its manifest says, and the manifest what storysim makes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use rayon::prelude::*;

use super::agreement::agreement;
use super::divide::divide;
use super::journal::journals;
use super::{
    Failure, Listener, Setting, Shard, Variant, exists, grid, names_in, parts, pieces, read_manifest,
};
use crate::dataset::{RowMaker, heads};
use crate::diagnostic::counted;
use crate::files::{BoardText, FileRecord, Format, Manifest, PieceRecord, RowReader, SetRecord};
use crate::pack;
use crate::storyboard::Storyboard;

/// The largest number of stories of a file that are made again.
const STORIES_REMADE: u64 = 200;

/// The largest number of stories for a single row; the others have no answer or are in other splits.
const STORIES_WITHOUT_ROWS_MAX: u64 = 1_000_000;

/// The largest number of problems of a folder that are reported.
const SHOWN_MAX: usize = 50;

/// Whether a file exists and has the bytes that are recorded.
pub fn is_intact(root: &Path, record: &FileRecord) -> bool {
    damage(root, record).is_none()
}

/// The problem with a file whose bytes are not those that are recorded. Its path was checked when the manifest was
/// read.
fn damage(root: &Path, record: &FileRecord) -> Option<String> {
    let path = root.join(&record.path);
    let length = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Some("not a file".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some("missing".to_owned()),
        Err(error) => return Some(error.to_string()),
    };
    if length != record.bytes {
        return Some(format!("{} instead of {}", counted(length, "byte"), record.bytes));
    }
    let mut hasher = blake3::Hasher::new();
    match File::open(&path).and_then(|file| hasher.update_reader(file).map(|_| ())) {
        Err(error) => Some(error.to_string()),
        Ok(()) if hasher.finalize().to_hex().as_str() != record.blake3 => {
            Some("damaged: its hash is not the one in the manifest".to_owned())
        }
        Ok(()) => None,
    }
}

/// The contents of a dataset that are as they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of files of rows.
    pub files: usize,
    /// The number of rows.
    pub rows: u64,
    /// The size of the files of rows, in bytes.
    pub bytes: u64,
}

/// Checks a dataset folder, or its parts, on the threads of the pool in which it is called. With `is_deep`, some stories
/// of every file are made again. The listener is told the number of files, and when each has been checked.
///
/// # Errors
/// If something is wrong, or cannot be read.
pub fn verify(folder: &str, is_deep: bool, listener: &dyn Listener) -> Result<Verified, Failure> {
    let root = Path::new(folder);
    exists(root)?;
    let names = names_in(root)?;
    let mut problems: Vec<String> = Vec::new();
    for (name, said) in journals(root)? {
        let count = said.files.len();
        problems
            .push(format!("this folder is unfinished (.storysim/{name}); files complete so far: {count}"));
    }
    let is_finished = problems.is_empty();
    let mut manifests: Vec<Manifest> = read_manifest(&root.join("manifest.json"))?.into_iter().collect();
    if manifests.is_empty() {
        manifests = parts(root, &names)?;
        problems.extend(agreement(&manifests));
    }
    if manifests.is_empty() && problems.is_empty() {
        let what = "not a dataset folder that storysim made: manifest.json is missing";
        return Err(Failure::Wrong(format!("error: {folder}: {what}\n")));
    }
    problems.extend(manifests.iter().filter_map(not_as_divided));
    let files: Vec<(&Manifest, &FileRecord)> = manifests
        .iter()
        .flat_map(|manifest| manifest.files.iter().map(move |file| (manifest, file)))
        .collect();
    let bytes = files.iter().fold(0, |sum: u64, (_, record)| sum.saturating_add(record.bytes));
    let boards = manifests.iter().map(boards).collect::<Result<Vec<_>, _>>();
    listener.begins(files.len() as u64);
    let found = {
        let check = |&(manifest, record): &(&Manifest, &FileRecord)| {
            let mut found = damage(root, record);
            if let (None, true, Ok(boards)) = (&found, is_deep, &boards) {
                let at =
                    manifests.iter().position(|other| std::ptr::eq(other, manifest)).expect("one of them");
                found = remake(root, manifest, &boards[at], record).err();
            }
            listener.advances(1, record.rows, record.bytes);
            found.map(|problem| format!("{}: {problem}", record.path))
        };
        files.par_iter().filter_map(check).collect::<Vec<String>>()
    };
    problems.extend(found);
    if is_deep {
        problems.extend(boards.err());
        problems.extend(manifests.iter().flat_map(other_packs));
    }
    if is_finished {
        problems.extend(strays(root, &names, &manifests)?);
    }
    if let [whole] = &manifests[..]
        && whole.part.is_none()
        && whole.storysim == env!("CARGO_PKG_VERSION")
        && fs::read_to_string(root.join("README.md")).ok().as_deref() != Some(&whole.card())
    {
        problems.push("README.md is missing, or is not the one that was written with the rows".to_owned());
    }
    if !problems.is_empty() {
        let shown = problems.iter().take(SHOWN_MAX);
        let mut wrong: String = shown.map(|problem| format!("error: {folder}: {problem}\n")).collect();
        if problems.len() > SHOWN_MAX {
            wrong.push_str(&format!("and {} more\n", problems.len() - SHOWN_MAX));
        }
        wrong.push_str("help: to restore what is missing or damaged, generate the dataset again in the same way and in the same folder\n");
        return Err(Failure::Wrong(wrong));
    }
    let rows = manifests.iter().fold(0, |sum: u64, manifest| sum.saturating_add(manifest.rows));
    Ok(Verified { files: files.len(), rows, bytes })
}

/// The problem if a manifest has other files than its stories would be divided into.
pub fn not_as_divided(manifest: &Manifest) -> Option<String> {
    let divided = || -> Result<Vec<(String, Vec<PieceRecord>)>, String> {
        let boards = boards(manifest)?;
        let variants = variants(manifest, &boards)?;
        let volumes = divide(Path::new(""), manifest, manifest.format.parse()?, &boards, &variants);
        let volumes = volumes.map_err(|_| "it has too many files")?;
        let [part, parts] = manifest.part.unwrap_or([0, 1]);
        let own = Shard { part, parts }.range(volumes.len() as u64);
        let volumes = &volumes[own.start as usize..own.end as usize];
        Ok(volumes
            .iter()
            .map(|volume| (volume.path_within(Path::new("")), pieces(volume, &variants)))
            .collect())
    };
    let is_as_divided = match divided() {
        Err(problem) => return Some(format!("{}: {problem}", manifest.file_name())),
        Ok(divided) => divided
            .iter()
            .map(|(path, pieces)| (path, pieces))
            .eq(manifest.files.iter().map(|file| (&file.path, &file.pieces))),
    };
    (!is_as_divided).then(|| {
        format!("{}: its files do not match its stories: some are missing or overlap", manifest.file_name())
    })
}

/// Files that do not belong to the dataset.
fn strays(root: &Path, names: &[std::ffi::OsString], manifests: &[Manifest]) -> Result<Vec<String>, Failure> {
    let mut known: BTreeSet<String> = BTreeSet::from(["README.md".to_owned(), "data".to_owned()]);
    known.extend(manifests.iter().map(Manifest::file_name));
    for record in manifests.iter().flat_map(|manifest| &manifest.files) {
        let mut path = record.path.as_str();
        known.insert(path.to_owned());
        while let Some((folder, _)) = path.rsplit_once('/') {
            known.insert(folder.to_owned());
            path = folder;
        }
    }
    let mut found = Vec::new();
    let mut look = |within: &str, names: &[std::ffi::OsString]| {
        // What begins with a dot (`.git`, `.gitattributes`) is of other tools; our own has been told of.
        for name in names.iter().filter(|name| !name.to_string_lossy().starts_with('.')) {
            let path = format!("{within}{}", name.to_string_lossy());
            if !known.contains(&path) {
                found.push(format!("{path} does not belong to the dataset"));
            }
        }
    };
    look("", names);
    let folders: BTreeSet<&str> =
        known.iter().filter(|path| root.join(path).is_dir()).map(String::as_str).collect();
    for folder in folders {
        look(&format!("{folder}/"), &names_in(&root.join(folder))?);
    }
    Ok(found)
}

/// The storyboards of a dataset, or the reason why they are not valid.
fn boards(manifest: &Manifest) -> Result<Vec<Storyboard>, String> {
    let board = |board: &BoardText| {
        board.storyboard().map_err(|_| {
            format!("the storyboard {} in the manifest is not valid in this version of storysim", board.name)
        })
    };
    manifest.boards.iter().map(board).collect()
}

/// The built-in packs of a dataset that have other words in this program.
fn other_packs(manifest: &Manifest) -> Vec<String> {
    let packs: BTreeSet<(&str, &str)> = manifest
        .boards
        .iter()
        .flat_map(|board| &board.packs)
        .filter(|pack| pack.text.is_none())
        .map(|pack| (pack.name.as_str(), pack.blake3.as_str()))
        .collect();
    let is_other = |(name, hash): &(&str, &str)| pack::built_in(name).is_none_or(|own| own.hash() != *hash);
    let others = packs.into_iter().filter(is_other);
    others.map(|(name, _)| format!("this version of storysim has another pack {name}, or none")).collect()
}

/// The storyboards of a dataset with all combinations of values.
fn variants<'a>(manifest: &Manifest, boards: &'a [Storyboard]) -> Result<Vec<Variant<'a>>, String> {
    let setting = |set: &SetRecord| Setting { name: set.name.clone(), values: set.values.clone() };
    let of_board = |board: &BoardText| manifest.set.iter().chain(&board.set).map(setting).collect();
    let settings: Vec<Vec<Setting>> = manifest.boards.iter().map(of_board).collect();
    grid(boards, settings.iter().map(Vec::as_slice))
        .map_err(|_| "the parameters that are set do not fit the storyboards".to_owned())
}

/// Makes some stories of a file again and compares their rows with those in the file.
fn remake(
    root: &Path,
    manifest: &Manifest,
    boards: &[Storyboard],
    record: &FileRecord,
) -> Result<(), String> {
    let variants = variants(manifest, boards)?;
    let format: Format = manifest.format.parse()?;
    let reader = RowReader::open(&root.join(&record.path), format).map_err(|error| error.to_string())?;
    let mut rows = reader.peekable();
    let split = manifest
        .split_names()
        .iter()
        .position(|name| {
            record.path.rsplit('/').next().is_some_and(|file| file.starts_with(&format!("{name}-")))
        })
        .ok_or("its name does not begin with the name of a split")?;
    let all = record.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.until - piece.from));
    let stride = all.div_ceil(STORIES_REMADE).max(1);
    let (mut number, mut count) = (0, 0);
    let mut text = String::new();
    for piece in &record.pieces {
        let is_it = |variant: &&Variant<'_>| {
            variant.board.name.value == piece.board
                && variant.settings.iter().map(|(_, value)| value).eq(piece.values.iter())
        };
        let variant = variants.iter().find(is_it).ok_or("it has stories of values that were not set")?;
        let compiled = crate::compile::compile_family(variant.board, &variant.settings);
        let plans = compiled.map_err(|_| format!("{} does not compile", variant.name()))?.plans;
        let admitted = crate::select::admit(variant.board, plans);
        let too_rarely = |_| format!("{}: its goals are met too rarely", variant.name());
        let mut family = admitted.map_err(too_rarely)?.family;
        if let Some(twins) = manifest.twins {
            let admitted = twins.admit(variant.board, family);
            family =
                admitted.map_err(|_| format!("{}: too few of its stories have twins", variant.name()))?;
        }
        let mut maker = RowMaker::new(&family, manifest.seed, &variant.set(), manifest.options()?);
        if let Some(twins) = manifest.twins {
            maker = maker.with(variant.board, twins);
        }
        if let Some(keep) = &manifest.keep {
            maker = maker.keeping(keep.clone());
        }
        if !manifest.split.is_empty() {
            maker = maker.only(manifest.split.clone(), split);
        }
        for index in piece.from..piece.until {
            // Whatever the manifest says of how many there are.
            let few = manifest.keep.is_none() && rows.peek().is_none();
            if few && number > STORIES_WITHOUT_ROWS_MAX.saturating_mul(record.rows.max(1)) {
                return Err("it has far fewer rows than it should have".to_owned());
            }
            let is_remade = number % stride == 0 || number + 1 == all;
            number += 1;
            text.clear();
            if is_remade {
                maker.rows(index, &mut text);
            }
            let mut remade = text.lines();
            // The rows of this story in the file.
            let heads = heads(&variant.name(), manifest.seed, index, manifest.twins);
            // The row of a whole story has the id of its questions without their number.
            let is_of_story = |id: &str| {
                heads.iter().any(|head| id.starts_with(head) || head.strip_suffix('/') == Some(id))
            };
            loop {
                let row = match rows.peek() {
                    None => break,
                    Some(Err(problem)) => return Err(format!("row {}: {problem}", count + 1)),
                    Some(Ok(row)) if is_of_story(row.id()) => row,
                    Some(Ok(_)) => break,
                };
                if is_remade && !remade.next().is_some_and(|line| row.says(line)) {
                    return Err(format!("row {} differs from the one that storysim generates now", row.id()));
                }
                count += 1;
                rows.next();
            }
            if remade.next().is_some() {
                return Err(format!("rows of {} are missing", heads[0]));
            }
        }
    }
    if rows.next().is_some() || count != record.rows {
        return Err(format!("it does not have the {} of its stories", counted(record.rows, "row")));
    }
    Ok(())
}
