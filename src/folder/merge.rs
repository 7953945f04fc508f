//! Parts of a dataset, made apart, become the whole.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::agreement::agreement;
use super::journal::{Journal, journals};
use super::verify::not_as_divided;
use super::{Failure, exists, is_intact, names_in, parts, read_manifest, write_manifest};
use crate::files::{FileRecord, Manifest};

/// Joins the parts in a folder: checks that they are all the parts of one dataset and that every file is what it should
/// be, then writes the card and the manifest of the whole and removes those of the parts. Returns the number of parts
/// and the manifest of the whole.
///
/// # Errors
/// If a check fails, or something cannot be written.
pub fn merge(folder: &str) -> Result<(usize, Manifest), Failure> {
    let root = Path::new(folder);
    exists(root)?;
    let wrong = |what: &str| Failure::Wrong(format!("error: {folder}: {what}\n"));
    let parts = parts(root, &names_in(root)?)?;
    if let Some(whole) = read_manifest(&root.join("manifest.json"))? {
        let is_of_whole = |part: &Manifest| {
            part.differences(&whole).is_empty() && part.files.iter().all(|file| whole.files.contains(file))
        };
        if parts.is_empty() || !parts.iter().all(is_of_whole) {
            let what = "this dataset is already complete: it has a manifest.json";
            return Err(Failure::Usage(format!("{folder}: {what}")));
        }
        // Another merge was stopped when it had but to clean up.
        clean_up(root, &parts, Journal::of_merge(root)?)?;
        return Ok((parts.len(), whole));
    }
    let Some(first) = parts.first() else {
        return Err(wrong(
            "this folder holds no finished part of a dataset: it has no manifest-0000I-of-0000N.json",
        ));
    };
    let journal = Journal::of_merge(root)?;
    let mut problems = agreement(&parts);
    let unfinished = journals(root)?.into_iter();
    problems.extend(
        unfinished.map(|(name, _)| format!("a part is unfinished, or still being made (.storysim/{name})")),
    );
    if problems.is_empty() {
        problems.extend(parts.iter().filter_map(not_as_divided));
    }
    if problems.is_empty() {
        let files: Vec<&FileRecord> = parts.iter().flat_map(|part| &part.files).collect();
        let damaged = files.par_iter().filter(|record| !is_intact(root, record));
        let damaged = damaged.map(|record| format!("{} is missing or damaged", record.path));
        problems.extend(damaged.collect::<Vec<_>>());
    }
    if !problems.is_empty() {
        let errors = problems.iter().map(|problem| format!("error: {folder}: {problem}\n"));
        let mut wrong: String = errors.collect();
        wrong.push_str(
            "help: to restore what is missing or damaged, generate that part again in the same way and in the same folder\n",
        );
        journal.remove()?;
        return Err(Failure::Wrong(wrong));
    }
    let files = parts.iter().flat_map(|part| part.files.clone()).collect();
    let whole = Manifest { part: None, ..first.clone() }.with_files(files);
    write_manifest(root, &whole, &journal)?;
    clean_up(root, &parts, journal)?;
    Ok((parts.len(), whole))
}

/// Removes the manifests of the parts.
fn clean_up(root: &Path, parts: &[Manifest], journal: Journal) -> Result<(), Failure> {
    for part in parts {
        let path = root.join(part.file_name());
        fs::remove_file(&path).map_err(Failure::environment(format!("removing {}", path.display())))?;
    }
    journal.remove()
}
