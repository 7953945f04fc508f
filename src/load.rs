//! From the name of a storyboard, or of a pack, to its text; and to stories that can be drawn, or every reason why not.
//!
//! Whoever takes storyboards from people (a command, another language) begins here. What is wrong comes back as data: it is
//! for the caller to tell it.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::compile::{CompiledFamily, compile_family};
use crate::diagnostic::{Diagnostic, Source, did_you_mean};
use crate::folder::{Failure, Variant};
use crate::haystack::try_out;
use crate::pack;
use crate::prose::misread;
use crate::select::{Admitted, admit};
use crate::storyboard::{
    BUILT_IN, Broken, NamedFile, SOURCE_BYTES_MAX, Storyboard, built_in_source, parse_beside, woven_files,
};

/// The text of a storyboard, given its path or the name of a built-in one.
///
/// # Errors
/// If there is no such storyboard, or the file cannot be read, is too long or is not text. A built-in storyboard in a built-in
/// setting is called by the names of both.
///
/// ```
/// use storysim::{folder::Failure, load::source};
/// assert_eq!(source("sally-anne").unwrap().name, "sally-anne (built in)");
/// assert!(source("third-order-mislead-ship").unwrap().text.contains("start: the_main_deck"));
/// assert!(source("sally-anne-ship").is_err()); // it names places of its own
/// let Err(Failure::Usage(message)) = source("sally-ann") else { panic!("there is none") };
/// assert!(message.ends_with("did you mean `sally-anne`?"));
/// ```
pub fn source(board: &str) -> Result<Source, Failure> {
    if let Some(pack) = pack::built_in(board).filter(|_| !Path::new(board).exists()) {
        let message = match pack.setting() {
            Some(_) => format!(
                "`{board}` is a setting, and no storyboard: write a storyboard, and `--setting {board}`"
            ),
            None => {
                format!("`{board}` is a pack of words, and no storyboard; `storysim check` takes packs, too")
            }
        };
        return Err(Failure::Usage(message));
    }
    if let Some(source) = built_in_source(board) {
        return source.map_err(|problem| Failure::Usage(problem.message));
    }
    named(board, boards(), "a built-in storyboard", "`storysim list` shows the built-in ones")
}

/// The text of a storyboard or a pack, given its path or the name of a built-in one.
///
/// # Errors
/// As [`source`], of both.
///
/// ```
/// use storysim::{load::source_or_pack, pack::is_pack};
/// assert!(is_pack(&source_or_pack("dinner").unwrap()));
/// assert!(!is_pack(&source_or_pack("sally-anne").unwrap()));
/// ```
pub fn source_or_pack(name: &str) -> Result<Source, Failure> {
    if let Some(source) = built_in_source(name) {
        return source.map_err(|problem| Failure::Usage(problem.message));
    }
    let help = "`storysim list` and `storysim list --packs` show the built-in ones";
    named(name, boards().chain(packs()), "a built-in storyboard or pack", help)
}

/// The text of a pack, given its path or the name of a built-in one.
///
/// # Errors
/// As [`source`]. Whether the text is that of a pack is for [`pack::parse`] to say.
///
/// ```
/// assert_eq!(storysim::load::pack_source("dinner").unwrap().name, "dinner (built in)");
/// ```
pub fn pack_source(name: &str) -> Result<Source, Failure> {
    named(name, packs(), "a built-in pack", "`storysim list --packs` shows the built-in ones")
}

fn boards() -> impl Iterator<Item = (&'static str, Source)> {
    BUILT_IN.iter().map(|board| (board.name, board.source()))
}

fn packs() -> impl Iterator<Item = (&'static str, Source)> {
    pack::BUILT_IN.iter().map(|pack| (pack.name, pack.source()))
}

/// The text of one of these, or of a file. `kind` says what they are, and `help` where they are listed.
fn named(
    name: &str,
    built_in: impl Iterator<Item = (&'static str, Source)>,
    kind: &str,
    help: &str,
) -> Result<Source, Failure> {
    let mut names = Vec::new();
    for (known, source) in built_in {
        if known == name {
            return Ok(source);
        }
        names.push(known);
    }
    let looks_like_path = name.contains(['/', '\\', '.']) || Path::new(name).exists();
    if !looks_like_path {
        let help = did_you_mean(name, names).unwrap_or_else(|| help.to_owned());
        return Err(Failure::Usage(format!("`{name}` is neither a file nor {kind}: {help}")));
    }
    match text_of(name)? {
        Ok(text) => Ok(Source { name: name.to_owned(), text }),
        Err(why) => Err(Failure::Wrong(format!("error: {name} {why}\n"))),
    }
}

/// The text of a file, or why it is none, as it follows the name of the file.
fn text_of(path: &str) -> Result<Result<String, String>, Failure> {
    // One byte more than allowed, so that a longer file is told from one that just fits.
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(SOURCE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(Failure::environment(format!("reading {path}")))?;
    if bytes.len() > SOURCE_BYTES_MAX {
        return Ok(Err(is_too_long()));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned()))
}

/// What is said of a storyboard or a pack whose text is longer than [`SOURCE_BYTES_MAX`].
pub fn too_long(name: &str) -> String {
    format!("{name} {}", is_too_long())
}

fn is_too_long() -> String {
    format!("is longer than {SOURCE_BYTES_MAX} bytes, the limit for a storyboard or a pack")
}

/// The file in which `storysim fit` keeps what it finds for a storyboard.
pub fn path_of_weights(board: &str) -> PathBuf {
    Path::new(board).with_extension("weights.json")
}

/// Reads a storyboard, in another wording if one is given, with the files that it names: packs, and storyboards that it weaves.
/// Paths are seen from where the command is run, or from beside the storyboard.
///
/// # Errors
/// If a file cannot be read. What is too long or no text is for the storyboard to report, where it names it; so is everything that
/// is wrong with the storyboard itself.
///
/// ```
/// use storysim::{diagnostic::Source, load::{read, source}};
/// assert!(read(source("sally-anne").unwrap(), Some("varied")).unwrap().is_ok());
/// let text = "storysim: 1\nname: two\nweave: [sally-anne, no-such-board.yaml]\n".to_owned();
/// assert!(read(Source { name: "two.yaml".into(), text }, None).unwrap().is_err());
/// ```
pub fn read(source: Source, wording: Option<&str>) -> Result<Result<Storyboard, Broken>, Failure> {
    let name = source.name.clone();
    let woven = woven_files(&source);
    let woven = files(&name, woven.iter().map(String::as_str))?.into_iter().map(if_whole).collect();
    let packs = |board: &Storyboard| {
        let names = board.pack_names().map(|name| name.value.as_str());
        files(&name, names.filter(|name| pack::built_in(name).is_none()))
    };
    match parse_beside(source, woven) {
        Ok(mut board) => {
            if let Some(wording) = wording {
                board = board.reworded(wording);
            }
            let packs = packs(&board)?;
            board.files.extend(packs);
            for strand in board.weave.iter_mut().flat_map(|weave| &mut weave.strands) {
                strand.board.weights = weights_beside(&strand.board.source.name)?;
            }
            Ok(Ok(board))
        }
        Err(mut broken) => {
            if let Some(rest) = &mut broken.rest {
                let packs = packs(rest)?;
                rest.files.extend(packs);
            }
            Ok(Err(broken))
        }
    }
}

/// The files of these names that there are, beside a storyboard or where the command is run.
fn files<'a>(board: &str, names: impl Iterator<Item = &'a str>) -> Result<Vec<NamedFile>, Failure> {
    let beside = Path::new(board).parent().unwrap_or(Path::new(""));
    let read = |name: &str| {
        let written = name.strip_prefix("./").unwrap_or(name);
        let paths = [beside.join(written), PathBuf::from(written)];
        let Some(path) = paths.iter().find(|path| path.is_file()) else { return Ok(None) };
        let path = path.display().to_string();
        Ok(Some(NamedFile { name: name.to_owned(), text: text_of(&path)?, path }))
    };
    names.map(read).filter_map(Result::transpose).collect()
}

/// The file, or if it is a pack that cannot be used, why not.
fn if_whole(mut file: NamedFile) -> NamedFile {
    let Ok(text) = &file.text else { return file };
    let source = Source { name: file.path.clone(), text: text.clone() };
    if let Some(Err(problems)) = pack::is_pack(&source).then(|| pack::parse(source)) {
        let first = problems.first().map_or("it cannot be read", |problem| &problem.message);
        let why = format!("is not a whole pack: {first}; `storysim check {}` shows where", file.path);
        file.text = Err(why);
    }
    file
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
            Ok(admitted) => match try_out(variant.board, &admitted.family) {
                Ok(()) => Ok((admitted, warnings)),
                Err(problem) => Err(vec![problem]),
            },
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
