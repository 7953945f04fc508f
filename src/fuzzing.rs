//! Properties that hold for any input, for fuzzers and property tests alike. With the feature `cli`, they also render
//! diagnostics.

mod deeds;
mod histories;
mod logs;
mod minds;

pub use deeds::{story_with_deeds, story_with_news};
pub use histories::{Agreement, histories};
pub use logs::log;
pub use minds::minds;

use crate::check::{Claim, check};
use crate::compile::{HORIZON_MAX, compile_family, problems};
use crate::dataset::{RowMaker, RowOptions};
use crate::diagnostic::{Diagnostic, Severity, Source};
use crate::pack;
use crate::select::admit_within;
use crate::storyboard::parse;
use crate::trace::Trace;
use crate::verify::{Inspector, ORDER_MAX};

/// The largest number of stories, over all casts, that are tried to see whether one can be drawn. Boards that need more
/// are skipped.
const TRIALS_MAX: usize = 64;

/// The largest number of people in stories of which all minds are compared.
const SMALL_MAX: usize = 4;

/// The largest number of people, and of events, in stories of which all histories are searched.
const TINY_MAX: usize = 3;
const EVENTS_MAX: usize = 8;

/// The largest number of values in minds for which rows are also derived by the written-out definition.
const DERIVED_MAX: usize = 100_000;

/// Any text is either refused as a storyboard, with diagnostics that can be drawn, or compiles; then its stories pass
/// [`check`], and their rows are JSON that says what the definition of belief says.
///
/// # Panics
/// If this does not hold.
///
/// ```
/// storysim::fuzzing::storyboard("storysim: 1\nname: [");
/// ```
pub fn storyboard(text: &str) {
    stories(text, &[0, 1, u64::MAX], |_| ());
}

/// Any text is either refused as a pack, with diagnostics that can be drawn, or all that it holds can be told.
///
/// # Panics
/// If this does not hold.
///
/// ```
/// storysim::fuzzing::pack("storysim_pack: 1\nkind: [");
/// ```
pub fn pack(text: &str) {
    let source = Source { name: "fuzz.yaml".to_owned(), text: text.to_owned() };
    match pack::parse(source.clone()) {
        Ok(pack) => {
            assert!(pack::is_pack(&source) && pack.counts().iter().all(|(_, count)| *count > 0));
            assert!(pack.white_lie().is_none_or(|words| words.ways() > 0));
        }
        Err(problems) => is_explained(&problems, &source),
    }
}

/// What [`storyboard()`] says holds for a small storyboard. In its stories, all minds up to order 3 also hold what the
/// definition says, whatever is asked; and in tiny ones what possible histories say, as far as both agree ([`histories`]).
///
/// # Panics
/// If this does not hold.
///
/// ```
/// let board = storysim::storyboard::BUILT_IN.iter().find(|board| board.name == "sally-anne").unwrap();
/// storysim::fuzzing::small_storyboard(board.text());
/// ```
pub fn small_storyboard(text: &str) {
    stories(text, &[0], |trace| {
        if trace.start.len() <= SMALL_MAX {
            minds(trace, 3);
        }
        if trace.start.len() <= TINY_MAX && trace.events.len() <= EVENTS_MAX {
            histories(trace, 3);
        }
    });
}

/// Draws stories of any text that compiles, and passes each to `look_at`.
fn stories(text: &str, indices: &[u64], look_at: impl Fn(&Trace)) {
    let source = Source { name: "fuzz.yaml".to_owned(), text: text.to_owned() };
    let board = match parse(source) {
        Ok(board) => board,
        Err(broken) => return is_explained(&problems(&broken), &broken.source),
    };
    let plans = match compile_family(&board, &[]) {
        Ok(compiled) => compiled.plans,
        Err(problems) => return is_explained(&problems, &board.source),
    };
    let plan = plans.iter().max_by_key(|plan| plan.horizon).expect("there is one");
    if plan.horizon > HORIZON_MAX / 100 || plan.place_names.len() * plan.character_count > 100_000 {
        return; // fine, but slow to write
    }
    let trials = TRIALS_MAX / plan.casts.len() / plans.len();
    let inspector = Inspector::new(plan, 7, &[]);
    let is_derived = inspector.oracle().cost() <= DERIVED_MAX && inspector.oracle().order() <= ORDER_MAX;
    let family = match admit_within(&board, plans, trials.max(1)) {
        Ok(admitted) => admitted.family,
        Err(problem) => return is_explained(&[problem], &board.source),
    };
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    for &index in indices {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        if let Err(violation) = check(&board, &Claim::of(maker.plan(), maker.story())) {
            panic!("story {index}: {violation}");
        }
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).expect("a row is JSON");
            assert_eq!(row["choices"][row["label"].as_u64().expect("a number") as usize], row["answer"]);
        }
        if is_derived {
            let inspector = Inspector::new(maker.plan(), 7, &[]);
            assert_eq!(inspector.inspect(maker.story(), &rows), []);
        }
        look_at(&maker.story().trace);
    }
}

fn is_explained(problems: &[Diagnostic], source: &Source) {
    assert!(problems.iter().any(|problem| problem.severity == Severity::Error), "refused without an error");
    problems.iter().for_each(|problem| is_drawable(problem, &source.text));
    #[cfg(feature = "cli")]
    {
        use crate::render::{Look, render};
        let drawn = render(problems, source, Look { colour: false, width: 80 });
        assert!(drawn.contains("error"), "{drawn}");
    }
}

fn is_drawable(problem: &Diagnostic, text: &str) {
    assert!(!problem.labels.is_empty());
    for (span, _) in &problem.labels {
        assert!(text.get(span.range()).is_some(), "{problem:?} leaves the text");
    }
}
