//! `storysim merge`: parts of a dataset, made apart, become the whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::super::{Failure, MergeArguments, say};
use super::journal::Journal;
use super::{is_intact, names_in, parts, read_manifest, write_manifest};
use crate::dataset::{FileRecord, Manifest};

/// Joins the parts in a folder: checks that they are parts of one dataset, that all are there, and that every file is
/// what it should be; then writes the card and the manifest of the whole.
///
/// # Errors
/// If they are not, or it cannot be written.
pub fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let root = Path::new(&arguments.folder);
    let wrong = |what: &str| Failure::Usage(format!("{}: {what}", arguments.folder));
    let names = names_in(root)?;
    let mut parts = parts(root, &names)?;
    parts.sort_by_key(|manifest| manifest.part);
    if let Some(whole) = read_manifest(&root.join("manifest.json"))? {
        let of_parts = parts.iter().flat_map(|part| &part.files);
        if parts.is_empty() || !whole.files.iter().eq(of_parts) || !whole.differences(&parts[0]).is_empty() {
            return Err(wrong("there is a manifest.json: this is a whole dataset already"));
        }
        // Another merge was stopped when it had but to clean up.
    }
    let Some(first) = parts.first() else {
        return Err(wrong(
            "there is no manifest of a part (manifest-00000-of-00002.json and so on); `storysim generate … --shard I/N` \
             writes them",
        ));
    };
    let whole = Manifest { part: None, files: Vec::new(), ..first.clone() };
    let mut problems = agreement(&parts);
    if problems.is_empty() {
        let files: Vec<&FileRecord> = parts.iter().flat_map(|part| &part.files).collect();
        problems.extend(overlaps(&files));
        let damaged = files.par_iter().filter(|record| !is_intact(root, record));
        problems
            .extend(damaged.map(|record| format!("{}: missing or damaged", record.path)).collect::<Vec<_>>());
    }
    if !problems.is_empty() {
        problems.iter().for_each(|problem| say(&format!("error: {}: {problem}\n", arguments.folder)));
        say("help: make the parts again that are missing or damaged, with the command that made them\n");
        return Err(Failure::Input);
    }
    let journal = Journal::open(root, None)?;
    let files = parts.iter().flat_map(|part| part.files.clone()).collect();
    let whole = whole.with_files(files);
    write_manifest(root, &whole, &journal)?;
    for part in &parts {
        let path = root.join(part.file_name());
        fs::remove_file(&path).map_err(Failure::environment(format!("removing {}", path.display())))?;
    }
    journal.remove()?;
    let (parts, folder) = (parts.len(), &arguments.folder);
    say(&format!(
        "{parts} parts, {} stories, {} rows, {} files in {folder}\n",
        whole.stories,
        whole.rows,
        whole.files.len()
    ));
    Ok(())
}

/// What keeps these from being the parts of one dataset.
fn agreement(parts: &[Manifest]) -> Vec<String> {
    let mut problems = Vec::new();
    let first = &parts[0];
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
        let missing: Vec<String> =
            (0..total).filter(|part| !there.contains(part)).map(|part| format!("{part}/{total}")).collect();
        if !missing.is_empty() {
            problems.push(format!(
                "{} missing: --shard {}",
                if missing.len() == 1 { "a part is" } else { "parts are" },
                missing.join(", ")
            ));
        }
    }
    problems
}

/// Stories that are in two files, or in none.
fn overlaps(files: &[&FileRecord]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut paths = BTreeSet::new();
    for file in files {
        if !paths.insert(file.path.as_str()) {
            problems.push(format!("{} is in two parts", file.path));
        }
    }
    // The name of a file says how many there are.
    let mut families: Vec<(String, usize, usize)> = Vec::new();
    for path in &paths {
        let Some((family, total)) = family(path) else {
            problems.push(format!("{path} is no name of a file of rows"));
            continue;
        };
        match families.iter_mut().find(|(known, of, _)| *known == family && *of == total) {
            Some((_, _, count)) => *count += 1,
            None => families.push((family, total, 1)),
        }
    }
    for (family, total, count) in families {
        if count != total {
            problems.push(format!("of {family}-*, {count} of {total} files are there"));
        }
    }
    problems
}

/// `data/train-00003-of-00008.jsonl`: `data/train`, and 8.
fn family(path: &str) -> Option<(String, usize)> {
    let (family, rest) =
        path.rsplit_once("-of-").and_then(|(front, rest)| Some((front.rsplit_once('-')?.0, rest)))?;
    let total = rest.split_once('.')?.0.parse().ok()?;
    Some((family.to_owned(), total))
}
