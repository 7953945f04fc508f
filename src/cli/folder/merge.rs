//! `storysim merge`: parts of a dataset, made apart, become the whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::super::{Failure, MergeArguments, say};
use super::journal::{Journal, journals};
use super::verify::not_as_divided;
use super::{is_intact, names_in, parts, read_manifest, write_manifest};
use crate::dataset::{FileRecord, Manifest};

/// So many missing parts are named.
const SHOWN_MAX: usize = 20;

/// Joins the parts in a folder: checks that they are parts of one dataset, that all are there, and that every file is
/// what it should be; then writes the card and the manifest of the whole, and removes those of the parts.
///
/// # Errors
/// If they are not, or it cannot be written.
pub fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let root = Path::new(&arguments.folder);
    let wrong = |what: &str| Failure::Usage(format!("{}: {what}", arguments.folder));
    let parts = parts(root, &names_in(root)?)?;
    if let Some(whole) = read_manifest(&root.join("manifest.json"))? {
        let is_of_whole = |part: &Manifest| {
            part.differences(&whole).is_empty() && part.files.iter().all(|file| whole.files.contains(file))
        };
        if parts.is_empty() || !parts.iter().all(is_of_whole) {
            return Err(wrong("there is a manifest.json: this is a whole dataset already"));
        }
        // Another merge was stopped when it had but to clean up.
        return clean_up(root, &parts, Journal::of_merge(root)?, &whole, &arguments.folder);
    }
    let Some(first) = parts.first() else {
        return Err(wrong(
            "there is no manifest of a part (manifest-00000-of-00002.json and so on); `storysim generate … --shard I/N` \
             writes them",
        ));
    };
    let journal = Journal::of_merge(root)?;
    let mut problems = agreement(&parts);
    let unfinished = journals(root)?.into_iter();
    problems.extend(
        unfinished.map(|(name, _)| format!("somebody is making it, or has not finished: .storysim/{name}")),
    );
    if problems.is_empty() {
        problems.extend(parts.iter().filter_map(not_as_divided));
    }
    if problems.is_empty() {
        let files: Vec<&FileRecord> = parts.iter().flat_map(|part| &part.files).collect();
        let damaged = files.par_iter().filter(|record| !is_intact(root, record));
        let damaged = damaged.map(|record| format!("{}: missing or damaged", record.path));
        problems.extend(damaged.collect::<Vec<_>>());
    }
    if !problems.is_empty() {
        problems.iter().for_each(|problem| say(&format!("error: {}: {problem}\n", arguments.folder)));
        say(
            "help: `storysim generate`, with the arguments that made a part, makes what is missing or damaged of it\n",
        );
        journal.remove()?;
        return Err(Failure::Input);
    }
    let files = parts.iter().flat_map(|part| part.files.clone()).collect();
    let whole = Manifest { part: None, ..first.clone() }.with_files(files);
    write_manifest(root, &whole, &journal)?;
    clean_up(root, &parts, journal, &whole, &arguments.folder)
}

/// Removes the manifests of the parts.
fn clean_up(
    root: &Path,
    parts: &[Manifest],
    journal: Journal,
    whole: &Manifest,
    folder: &str,
) -> Result<(), Failure> {
    for part in parts {
        let path = root.join(part.file_name());
        fs::remove_file(&path).map_err(Failure::environment(format!("removing {}", path.display())))?;
    }
    journal.remove()?;
    let (stories, rows, files) = (whole.stories, whole.rows, whole.files.len());
    say(&format!("{} parts: {stories} stories, {rows} rows, {files} files in {folder}\n", parts.len()));
    Ok(())
}

/// What keeps these from being all parts of one dataset.
pub fn agreement(parts: &[Manifest]) -> Vec<String> {
    let mut problems = Vec::new();
    let Some(first) = parts.first() else { return problems };
    for other in &parts[1..] {
        for difference in first.differences(other) {
            problems.push(format!(
                "{} and {} are of two datasets: {}",
                first.file_name(),
                other.file_name(),
                difference.replace(" there", "").replace(" now", "")
            ));
        }
    }
    let totals: BTreeSet<u64> = parts.iter().filter_map(|part| Some(part.part?[1])).collect();
    if totals.len() > 1 {
        let totals: Vec<String> = totals.iter().map(u64::to_string).collect();
        problems.push(format!("these are parts of {}: they overlap", totals.join(" and of ")));
        return problems;
    }
    let there: BTreeSet<u64> = parts.iter().filter_map(|part| Some(part.part?[0])).collect();
    for total in totals {
        let missing: Vec<u64> = (0..total).filter(|part| !there.contains(part)).collect();
        if !missing.is_empty() {
            let shown: Vec<String> =
                missing.iter().take(SHOWN_MAX).map(|part| format!("{part}/{total}")).collect();
            let more = if missing.len() > SHOWN_MAX { ", …" } else { "" };
            let are = if missing.len() == 1 { "a part is" } else { "parts are" };
            problems.push(format!("{are} missing: --shard {}{more}", shown.join(", ")));
        }
    }
    problems
}
