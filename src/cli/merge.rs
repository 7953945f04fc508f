//! `storysim merge`: parts of a dataset, made apart, become the whole.

use super::{Failure, MergeArguments, say};
use crate::folder;

pub fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let (parts, whole) = folder::merge(&arguments.folder)?;
    let (stories, rows, files) = (whole.stories, whole.rows, whole.files.len());
    say(&format!(
        "merged {parts} parts in {}: {stories} stories, {rows} rows, {files} files\n",
        arguments.folder
    ));
    Ok(())
}
