//! Numbers that are drawn for each story.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::storyboard::Number;

/// The largest number of values of one drawn number.
const VALUES_MAX: u64 = 1_000;

impl Resolver<'_> {
    /// The smallest and largest value of each drawn number. The smallest value joins the parameters. If the number is set,
    /// the set value joins them instead, and is both smallest and largest.
    pub(super) fn draws(
        &mut self,
        settings: &[(String, i64)],
        parameters: &mut Vec<(String, i64)>,
    ) -> Vec<[i64; 2]> {
        let mut draws = Vec::new();
        for drawn in &self.storyboard.draws {
            let name = drawn.name.value.as_str();
            let bounds = self.bound(&drawn.least).zip(self.bound(&drawn.most));
            let [least, most] = bounds.map_or([1; 2], |(least, most)| [least, most]);
            let span = drawn.name.span;
            let problem = if least > most {
                Some(
                    Diagnostic::error(
                        format!("`{name}` has no value from {least} to {most}"),
                        span,
                        "this one",
                    )
                    .help("the smaller number comes first: `[8, 30]`"),
                )
            } else if most.abs_diff(least) >= VALUES_MAX {
                let message = format!("`{name}` has more than {VALUES_MAX} values: {least} to {most}");
                Some(Diagnostic::error(message, span, "too many values"))
            } else {
                None
            };
            let is_right = problem.is_none();
            self.problems.extend(problem);
            let value = settings.iter().find(|(set, _)| set == name).map(|&(_, value)| value);
            let range = match value {
                Some(value) if (least..=most).contains(&value) => [value; 2],
                Some(value) if is_right => {
                    let message = format!("`{name}` is set to {value}, but its range is {least} to {most}");
                    self.problem(Diagnostic::error(message, span, "the range"));
                    [least; 2]
                }
                _ if is_right => [least, most],
                _ => [least; 2],
            };
            parameters.push((name.to_owned(), range[0]));
            draws.push(range);
        }
        let names = self.storyboard.draws.iter().map(|drawn| drawn.name.value.as_str());
        self.largest = names.zip(&draws).map(|(name, &[_, most])| (name, most)).collect();
        let values = self.storyboard.draws.iter().zip(&draws);
        self.parameters.extend(values.map(|(drawn, &[value, _])| (drawn.name.value.as_str(), value)));
        draws
    }

    /// The value of a bound, which may contain parameters but nothing that depends on drawn numbers.
    fn bound(&mut self, number: &Number) -> Option<i64> {
        let value = number.value.evaluate(&|name| self.parameters.get(name).copied());
        value
            .map_err(|error| {
                let known: Vec<&str> =
                    self.storyboard.parameters.iter().map(|(name, _)| name.value.as_str()).collect();
                let problem = error.diagnostic(number.span, known);
                self.problem(problem);
            })
            .ok()
    }
}
