//! `storysim task`: rows as tasks of evaluation harnesses.

use std::fs;
use std::path::Path;

use super::boards::{admit_twins_aloud, compile_aloud, load};
use super::{Failure, LmEvalArguments, ReportFormat, print};
use crate::dataset::{RowMaker, RowOptions};
use crate::diagnostic::counted;
use crate::folder::{Variant, variants};
use crate::task::Tasks;

/// Writes tasks for lm-evaluation-harness into a folder.
pub fn lm_eval(arguments: &LmEvalArguments) -> Result<(), Failure> {
    let mut tasks = Tasks::new(&arguments.name).map_err(|why| Failure::Usage(format!("--name: {why}")))?;
    let boards = load(&arguments.boards, ReportFormat::Text)?;
    let mut said = Vec::new();
    for variant in &variants(&boards, &arguments.settings)? {
        let family = compile_aloud(variant, &mut said, ReportFormat::Text, false)?.family;
        let family = match arguments.twins {
            Some(twins) => admit_twins_aloud(variant, (family, twins), &mut said, false)?,
            None => family,
        };
        let maker = RowMaker::new(&family, arguments.seed, &variant.set(), RowOptions::default());
        add(&mut tasks, arguments, variant, maker);
    }
    if tasks.names().is_empty() {
        return Err(Failure::Usage("there are no rows to make tasks of".to_owned()));
    }
    write(&tasks, &arguments.folder)?;
    let (folder, name) = (arguments.folder.display(), &arguments.name);
    let count = counted(tasks.names().len(), "task");
    print(&format!("{count} written; run with\n  lm_eval --include_path {folder} --tasks {name} --model …\n"))
}

/// Adds the rows of a variant's stories.
fn add<'a>(tasks: &mut Tasks, arguments: &LmEvalArguments, variant: &'a Variant<'a>, maker: RowMaker<'a>) {
    let mut maker = match arguments.twins {
        Some(twins) => maker.with(variant.board, twins),
        None => maker,
    };
    let mut rows = String::new();
    for index in 0..arguments.count {
        rows.clear();
        maker.rows(index, &mut rows);
        rows.lines().for_each(|row| tasks.add(row).expect("a row of our own"));
    }
}

fn write(tasks: &Tasks, folder: &Path) -> Result<(), Failure> {
    let failed = || Failure::environment(format!("writing {}", folder.display()));
    fs::create_dir_all(folder).map_err(failed())?;
    for file in tasks.files() {
        fs::write(folder.join(&file.name), file.text).map_err(failed())?;
    }
    Ok(())
}
