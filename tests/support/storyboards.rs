//! Storyboards that are right, and their plans.

use std::sync::{LazyLock, OnceLock};

use storysim::compile::compile_family;
use storysim::diagnostic::Source;
use storysim::select::{Family, Twinning, admit};
use storysim::storyboard::{BUILT_IN, Storyboard, parse};

pub fn board(text: &str) -> Storyboard {
    parse(Source { name: "test".into(), text: text.into() })
        .unwrap_or_else(|broken| panic!("{:?}\n{text}", broken.problems))
}

pub fn built_in(name: &str) -> Storyboard {
    parse(BUILT_IN.iter().find(|board| board.name == name).unwrap().source()).unwrap()
}

/// The plans of all built-in storyboards.
pub fn compiled() -> impl Iterator<Item = &'static Family> {
    BUILT_IN.iter().filter_map(|known| compiled_as(known.name))
}

/// The plans of a built-in storyboard, if there is one of that name. It is compiled once for all tests, and not tried out.
pub fn compiled_as(name: &str) -> Option<&'static Family> {
    static FAMILIES: LazyLock<Vec<OnceLock<Family>>> =
        LazyLock::new(|| vec![OnceLock::new(); BUILT_IN.len()]);
    let at = BUILT_IN.iter().position(|board| board.name == name)?;
    let family = || Family::new(compile_family(&parse(BUILT_IN[at].source()).unwrap(), &[]).unwrap().plans);
    Some(FAMILIES[at].get_or_init(family))
}

/// The plans of a board of which stories can be drawn.
pub fn family(board: &Storyboard) -> Family {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    admit(board, plans).unwrap_or_else(|problem| panic!("{}: {problem:?}", board.name.value)).family
}

/// The plans of a board of which pairs of twins can be drawn.
pub fn family_with_twins(board: &Storyboard) -> Family {
    family_with(board, Twinning::Pairs)
}

/// The plans of a board of which stories with such twins can be drawn.
pub fn family_with(board: &Storyboard, twins: Twinning) -> Family {
    let admitted = twins.admit(board, family(board));
    admitted.unwrap_or_else(|problem| panic!("{}: {problem:?}", board.name.value))
}
