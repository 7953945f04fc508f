//! Built-in storyboards that draw no numbers.

use std::sync::LazyLock;

use storysim::compile::compile;
use storysim::plan::Plan;
use storysim::select::Family;
use storysim::storyboard::{BUILT_IN, Storyboard, parse};

use crate::storyboards::compiled_as;

/// The family of one plan. Stories of a built-in storyboard are kept by the factors of all numbers together: to find those of one
/// plan takes long.
pub fn with_known_factors(plan: Plan) -> Family {
    match compiled_as(&plan.name) {
        Some(known) => Family::with_weights(vec![plan], known.weights().clone()),
        None => Family::from(plan),
    }
}

/// All built-in storyboards, each with the one plan of the smallest numbers where it draws some. Compiled once for all tests.
pub fn fixed() -> &'static [(Storyboard, Family)] {
    static FIXED: LazyLock<Vec<(Storyboard, Family)>> = LazyLock::new(|| {
        let fixed = BUILT_IN.iter().map(|known| {
            let board = parse(known.source()).unwrap();
            let plan = compile(&board, &[]).unwrap().plan;
            (board, with_known_factors(plan))
        });
        fixed.collect()
    });
    &FIXED
}
