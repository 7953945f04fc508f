//! `storysim generate`: rows of many stories, to a file, a stream or a dataset folder.

use super::boards::{admit_twins_aloud, compile_aloud, load_worded};
use super::interrupt;
use super::progress::{Progress, meanwhile};
use super::{Failure, GenerateArguments, ReportFormat, look, say};
use crate::dataset::{Keep, RowOptions};
use crate::diagnostic::{Diagnostic, Source, counted};
use crate::experiment::Experiment;
use crate::files::Format;
use crate::folder::{Families, Job, Place, Request, Variant, grid, of_experiment, variants};
use crate::render::render;

/// What is said where no story was asked for.
const NO_STORIES: &str = "no rows, since --count is 0";

pub fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let keep = arguments.keep.as_deref().map(read_keep).transpose()?;
    let (study, mut worded) = (arguments.experiment, arguments.worded.clone());
    for (option, is_given) in [("--setting", worded.setting.is_some()), ("--words", worded.words.is_some())] {
        if study.is_some() && is_given {
            let message = "a study chooses its storyboards, and compares them";
            return Err(Failure::Usage(format!("{message}: give no {option} with --experiment")));
        }
    }
    if study.is_some_and(Experiment::has_length) {
        // The study sets both for each of its cells.
        (worded.words, worded.at_depth) = (Some(1), Some(0));
    }
    let told = arguments.experiment.map(of_experiment);
    let names = told.as_ref().map_or(&arguments.boards, |(names, _)| names);
    let boards = load_worded(names, &worded, ReportFormat::Text)?;
    let variants = match &told {
        Some((_, settings)) => grid(&boards, settings.iter().map(Vec::as_slice))?,
        None => variants(&boards, &arguments.settings)?,
    };
    let families = compile_all(&variants, arguments)?;
    let (place, format) = arguments.out.resolve(arguments.format)?;
    let threads = threads(arguments.jobs)?;
    let request = request(arguments, format, keep);
    let progress = Progress::new(arguments.quiet);
    let job = Job { request: &request, boards: &boards, families, listener: &progress };
    if let Some(keep) = &request.keep {
        let is_any_kept =
            meanwhile(!arguments.quiet, format!("looking for rows with {keep}"), || job.look_for_rows());
        is_any_kept.map_err(|problem| refused(&problem, keep.source()))?;
    }
    if let Place::File(_) | Place::Folder(_) = &place {
        interrupt::listen();
    }
    if let Place::Folder(path) = &place {
        let (totals, manifest) = threads.install(|| job.make_folder(path))?;
        let to = format!("{} in {place}", counted(manifest.files.len(), "file"));
        let nothing = if arguments.count == 0 { NO_STORIES } else { "nothing left to do" };
        progress.finish((totals.stories, arguments.twins), totals.unanswered, &to, nothing);
        return Ok(());
    }
    for (option, is_given) in [
        ("--experiment", arguments.experiment.is_some()),
        ("--shard-size", arguments.shard_size.is_some()),
        ("--split", arguments.split.is_some()),
    ] {
        if is_given {
            return Err(Failure::Usage(format!("{option} needs a dataset folder; name one with --out")));
        }
    }
    let totals = threads.install(|| job.make_file(&place))?;
    let nothing = if arguments.count == 0 { NO_STORIES } else { "no rows, since this part has no stories" };
    progress.finish((totals.stories, arguments.twins), totals.unanswered, &place.to_string(), nothing);
    Ok(())
}

/// Reads which rows are kept.
///
/// # Errors
/// If it cannot be read; that is reported.
pub fn read_keep(text: &str) -> Result<Keep, Failure> {
    Keep::parse(text).map_err(|problem| refused(&problem, &Keep::source_of(text)))
}

/// Reports what is wrong with an argument.
pub fn refused(problem: &Diagnostic, source: &Source) -> Failure {
    say(&render(std::slice::from_ref(problem), source, look(&std::io::stderr())));
    Failure::Input
}

/// The request that the command line makes.
fn request(arguments: &GenerateArguments, format: Format, keep: Option<Keep>) -> Request {
    Request {
        count: arguments.count,
        seed: arguments.seed,
        settings: arguments.settings.clone(),
        experiment: arguments.experiment,
        format,
        shard_size: arguments.shard_size,
        split: arguments.split.clone(),
        shard: arguments.shard,
        rows: RowOptions {
            with_events: arguments.with_events,
            with_difficulty: arguments.difficulty,
            prompt: arguments.prompt,
            unit: arguments.shape,
        },
        keep,
        twins: arguments.twins,
        is_checked: arguments.check,
    }
}

/// Compiles all variants and reports everything that is wrong before anything is written.
fn compile_all<'a>(
    variants: &'a [Variant<'a>],
    arguments: &GenerateArguments,
) -> Result<Families<'a>, Failure> {
    let GenerateArguments { twins, quiet, .. } = *arguments;
    let mut said = Vec::new();
    let mut families = Families::new(variants);
    let mut outcome = Ok(());
    for variant in variants {
        let compiled =
            compile_aloud(variant, &mut said, ReportFormat::Text, quiet).and_then(|admitted| match twins {
                Some(twins) => admit_twins_aloud(variant, (admitted.family, twins), &mut said, quiet),
                None => Ok(admitted.family),
            });
        match (&outcome, compiled) {
            (Ok(()), Ok(family)) => families.add(family),
            (_, Err(failure)) => outcome = outcome.and(Err(failure)),
            (Err(_), Ok(_)) => {}
        }
    }
    outcome.map(|()| families)
}

/// A pool with the number of threads that was asked for, or one thread per core.
pub fn threads(jobs: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build();
    threads.map_err(|error| Failure::Environment("starting threads".into(), std::io::Error::other(error)))
}
