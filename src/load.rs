//! From the name of a storyboard to stories that can be drawn, or every reason why not.
//!
//! Whoever takes storyboards from people (a command, another language) begins here. What is wrong comes back as data: it is
//! for the caller to tell it.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::compile::{CompiledFamily, compile_family};
use crate::diagnostic::{Diagnostic, Source, did_you_mean};
use crate::folder::{Failure, Variant};
use crate::prose::misread;
use crate::select::{Admitted, admit};
use crate::storyboard::{BUILT_IN, SOURCE_BYTES_MAX};

/// The text of a storyboard, given its path or the name of a built-in one.
///
/// # Errors
/// If there is no such storyboard, or the file cannot be read, is too long or is not text.
///
/// ```
/// use storysim::{folder::Failure, load::source};
/// assert_eq!(source("sally-anne").unwrap().name, "sally-anne (built in)");
/// let Err(Failure::Usage(message)) = source("sally-ann") else { panic!("there is none") };
/// assert!(message.ends_with("did you mean `sally-anne`?"));
/// ```
pub fn source(board: &str) -> Result<Source, Failure> {
    if let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.name == board) {
        return Ok(built_in.source());
    }
    let looks_like_path = board.contains(['/', '\\', '.']) || Path::new(board).exists();
    if !looks_like_path {
        let help = did_you_mean(board, BUILT_IN.iter().map(|built_in| built_in.name))
            .unwrap_or_else(|| "`storysim list` shows the built-in ones".to_owned());
        return Err(Failure::Usage(format!("`{board}` is neither a file nor a built-in storyboard: {help}")));
    }
    // One byte more than allowed, so that a longer file is told from one that just fits.
    let mut bytes = Vec::new();
    std::fs::File::open(board)
        .and_then(|file| file.take(SOURCE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(Failure::environment(format!("reading {board}")))?;
    if bytes.len() > SOURCE_BYTES_MAX {
        return Err(Failure::Wrong(format!("error: {}\n", too_long(board))));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Failure::Wrong(format!("error: {board} is not UTF-8 text\n")));
    };
    Ok(Source { name: board.to_owned(), text })
}

/// What is said of a storyboard whose text is longer than [`SOURCE_BYTES_MAX`].
pub fn too_long(board: &str) -> String {
    format!("{board} is longer than {SOURCE_BYTES_MAX} bytes, the limit for a storyboard")
}

/// The file in which `storysim fit` keeps what it finds for a storyboard.
pub fn path_of_weights(board: &str) -> PathBuf {
    Path::new(board).with_extension("weights.json")
}

/// What `storysim fit` has written beside a storyboard.
///
/// # Errors
/// If the file cannot be read.
pub fn weights_beside(board: &str) -> Result<Option<String>, Failure> {
    let path = path_of_weights(board);
    if BUILT_IN.iter().any(|built_in| built_in.name == board) || !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path);
    text.map(Some).map_err(Failure::environment(format!("reading {}", path.display())))
}

/// Compiles a variant and tries out whether its goals are met often enough. Returns what stories are drawn from, unless there
/// is an error among the problems.
///
/// Where shares are balanced this may take minutes; see [`admit`].
///
/// ```
/// use storysim::{folder::variants, load::{admitted, source}, storyboard::parse};
/// let boards = [parse(source("sally-anne").unwrap()).unwrap()];
/// let (found, problems) = admitted(&variants(&boards, &[]).unwrap()[0]);
/// assert!(found.is_some() && problems.is_empty());
/// ```
pub fn admitted(variant: &Variant<'_>) -> (Option<Admitted>, Vec<Diagnostic>) {
    let compiled = compile_family(variant.board, &variant.settings).and_then(
        |CompiledFamily { plans, mut warnings }| match admit(variant.board, plans) {
            Ok(admitted) => Ok((admitted, warnings)),
            Err(problem) => {
                warnings.insert(0, problem);
                Err(warnings)
            }
        },
    );
    let mut problems = misread(variant.board);
    let is_readable = problems.is_empty();
    let (admitted, further) = match compiled {
        Ok((admitted, warnings)) => (Some(admitted).filter(|_| is_readable), warnings),
        Err(problems) => (None, problems),
    };
    problems.extend(further);
    (admitted, problems)
}
