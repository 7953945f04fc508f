//! `storysim merge`: parts of a dataset, made apart, become the whole.

use super::{Failure, MergeArguments, say};
use crate::diagnostic::counted;
use crate::folder;

pub fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let (parts, whole) = folder::merge(&arguments.folder)?;
    say(&format!(
        "merged {} in {}: {}, {}, {}\n",
        counted(parts, "part"),
        arguments.folder,
        counted(whole.stories, "story"),
        counted(whole.rows, "row"),
        counted(whole.files.len(), "file")
    ));
    Ok(())
}
