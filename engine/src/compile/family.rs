//! One plan for every combination of the numbers that are drawn for each story.

use super::{Compiled, CompiledFamily, ENTRIES_MAX, compile, weave};
use crate::diagnostic::{Diagnostic, Severity};
use crate::resolve::{Resolved, resolve};
use crate::storyboard::Storyboard;

/// The time to compile an event, as the amount of memory that can be filled meanwhile.
const EVENT_ROOM: usize = 64;

/// The largest number of drawn numbers that are named if there are too many combinations.
const SHOWN_MAX: usize = 5;

/// The largest number of combinations.
pub const FAMILY_MAX: usize = 1_000;

/// Compiles a storyboard for every combination of the numbers that are drawn for each story (`draw`). `settings`
/// override its parameters and fix drawn numbers.
///
/// Costs as much as compiling each combination.
///
/// # Errors
/// Everything that is wrong with the storyboard. If only some combinations are at fault, the problems of the first of them.
///
/// ```
/// use storysim::{compile::compile_family, diagnostic::Source, storyboard};
/// let text = "storysim: 1\nname: brief\ncharacters: {pool: [Ann, Bob]}\nroles: [T]\nplaces: {complete: [a, b, c]}\n\
///             start: a\ndraw: {steps: [3, 5]}\nhorizon: steps\nquestions: [{reality: T}]\n";
/// let board = storyboard::parse(Source { name: "brief.yaml".into(), text: text.into() }).unwrap();
/// let plans = compile_family(&board, &[]).unwrap().plans;
/// assert_eq!(plans.iter().map(|plan| plan.horizon).collect::<Vec<_>>(), [3, 4, 5]);
/// ```
pub fn compile_family(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
) -> Result<CompiledFamily, Vec<Diagnostic>> {
    if let Some(weave) = &storyboard.weave {
        return weave::family(storyboard, weave, settings, compile_family);
    }
    let resolved = resolve(storyboard, settings, &mut Vec::new());
    let family = match resolved {
        Ok(resolved) if !resolved.draws.is_empty() => Combinations::new(storyboard, resolved)?,
        // There is nothing to combine, or something is wrong whatever is drawn.
        _ => {
            let Compiled { plan, warnings } = compile(storyboard, settings)?;
            return Ok(CompiledFamily { plans: vec![plan], warnings });
        }
    };
    let mut found = CompiledFamily { plans: Vec::with_capacity(family.count), warnings: Vec::new() };
    let mut room = 0;
    for number in 0..family.count {
        let Compiled { plan, warnings } = compile(storyboard, &family.settings(number))
            .map_err(|problems| family.where_it_is(storyboard, problems, number))?;
        for warning in warnings {
            if !found.warnings.contains(&warning) {
                found.warnings.push(warning);
            }
        }
        room += plan.room() + plan.pool.len() + EVENT_ROOM * storyboard.events.len();
        room += plan.map.places().map(|place| plan.map.ways(place).len()).sum::<usize>();
        if room > ENTRIES_MAX {
            let (count, told) = (family.count, number + 1);
            let message =
                format!("the first {told} of {count} combinations already take too much memory together");
            return Err(vec![family.too_many(storyboard, message)]);
        }
        found.plans.push(plan);
    }
    Ok(found)
}

/// All combinations of drawn numbers.
struct Combinations {
    /// The values of all parameters, with the smallest value for each drawn one.
    parameters: Vec<(String, i64)>,
    /// The smallest and largest value of each drawn number; these are the last parameters.
    draws: Vec<[i64; 2]>,
    count: usize,
}

impl Combinations {
    fn new(storyboard: &Storyboard, resolved: Resolved) -> Result<Self, Vec<Diagnostic>> {
        let Resolved { parameters, draws, .. } = resolved;
        let count = draws.iter().try_fold(1_usize, |count, &range| count.checked_mul(size(range)));
        let family = Self { parameters, draws, count: count.unwrap_or(usize::MAX) };
        if family.count > FAMILY_MAX {
            let message = format!("drawn numbers have more than {FAMILY_MAX} combinations");
            return Err(vec![family.too_many(storyboard, message)]);
        }
        Ok(family)
    }

    /// The index of the first drawn number among the parameters.
    fn drawn_from(&self) -> usize {
        self.parameters.len() - self.draws.len()
    }

    /// The parameters of one combination.
    fn settings(&self, number: usize) -> Vec<(String, i64)> {
        let mut settings = self.parameters.clone();
        let mut rest = number;
        for ((_, value), &range) in settings[self.drawn_from()..].iter_mut().zip(&self.draws).rev() {
            *value = range[0] + (rest % size(range)) as i64;
            rest /= size(range);
        }
        settings
    }

    /// Adds to problems under which drawn numbers they occur, if they do not occur under all.
    fn where_it_is(
        &self,
        storyboard: &Storyboard,
        problems: Vec<Diagnostic>,
        number: usize,
    ) -> Vec<Diagnostic> {
        let at_last =
            if number == 0 { compile(storyboard, &self.settings(self.count - 1)).err() } else { None };
        if at_last.is_some_and(|at_last| at_last == problems) {
            return problems;
        }
        let settings = self.settings(number);
        let values = settings[self.drawn_from()..].iter().map(|(name, value)| format!("{name} is {value}"));
        let values: Vec<String> = values.collect();
        let mut problems = problems;
        for problem in problems.iter_mut().filter(|problem| problem.severity == Severity::Error) {
            problem.message.push_str(&format!(", where {}", values.join(", ")));
        }
        problems
    }

    fn too_many(&self, storyboard: &Storyboard, message: String) -> Diagnostic {
        let drawn = storyboard.draws.iter().zip(&self.draws);
        let mut spans = drawn.filter(|(_, range)| size(**range) > 1).map(|(drawn, _)| drawn.name.span);
        let first = spans.next().unwrap_or(storyboard.name.span);
        let problem = Diagnostic::error(message, first, "drawn for each story");
        spans
            .take(SHOWN_MAX)
            .fold(problem, |problem, span| problem.label(span, "and this"))
            .help("there is a plan for each combination: draw fewer numbers, or narrow their ranges")
    }
}

/// The number of values in a range.
const fn size([least, most]: [i64; 2]) -> usize {
    most.abs_diff(least) as usize + 1
}
