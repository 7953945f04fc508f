//! Compares rows about what news does to people with what a reader finds in their text.

use super::dynamics::{self, Reading};
use super::row::Row;
use super::{Difference, Inspector, differing};
use crate::plan::{Plan, Question};
use crate::simulate::Story;
use crate::text::{Display, Words};

/// What a reader finds in a story of news; `None` if there is too much to reckon with.
type ReadNews<'p> = Result<Option<Reading<'p>>, Difference>;

/// Whether a plan's stories tell news, and are told in the words of a wording.
pub(super) fn is_worded(plan: &Plan) -> bool {
    plan.wording.is_some() && plan.questions.iter().any(dynamics::is_read)
}

impl Inspector<'_> {
    /// Puts plain words in place of those of a wording, which nobody here reads. What happens in the story, and what it is about,
    /// are the same.
    pub(super) fn put_plainly(&self, story: &Story, written: &mut [Option<Row<'_>>]) {
        let Some(plain) = &self.plain else { return };
        let (mut words, mut told) = (Words::default(), [String::new(), String::new()]);
        plain.draw(story, &mut words);
        plain.context(story, &words, Display::People, &mut told[0]);
        plain.story(story, &words, Display::People, &mut told[1]);
        for (row, question) in written.iter_mut().zip(&self.plan.questions) {
            let Some(row) = row.as_mut().filter(|_| Display::of(question.kind) == Display::People) else {
                continue;
            };
            let mut asked = String::new();
            plain.question(story, &words, question, &mut asked);
            let [context, story] = told.clone();
            (row.context, row.story, row.question) = (context.into(), story.into(), asked.into());
        }
    }

    /// For each question of what news does to somebody, what is wrong with its row by what a reader finds in the row's own text.
    /// What is wrong with a story stands at the first of its rows.
    pub(super) fn of_news(&self, story: &Story, written: &[Option<Row<'_>>]) -> Vec<Vec<Difference>> {
        let mut found = vec![Vec::new(); written.len()];
        let any = written.iter().flatten().next();
        // The last of all readings, with what was read, for whom.
        let mut last: Option<(&Question, &Row<'_>, ReadNews<'_>)> = None;
        for (at, question) in self.plan.questions.iter().enumerate() {
            let Some(row) = written[at].as_ref().or(any).filter(|_| dynamics::is_read(question)) else {
                continue;
            };
            let is_known = |(asked, read, _): &(&Question, &Row<'_>, _)| {
                (&asked.others, asked.target) == (&question.others, question.target)
                    && (&read.context, &read.story) == (&row.context, &row.story)
            };
            if !last.as_ref().is_some_and(is_known) {
                let text = (&*row.context, &*row.story);
                let reading = Reading::of(self.plan, story, question, text);
                found[at].extend(reading.iter().flatten().flat_map(|reading| reading.amiss()).cloned());
                last = Some((question, row, reading));
            }
            let (.., reading) = last.as_ref().expect("it was read");
            found[at].extend(match (reading, &written[at]) {
                (Err(difference), _) => vec![difference.clone()],
                (Ok(None), _) => Vec::new(),
                (Ok(Some(reading)), None) => match reading.has_row(question) {
                    Some(true) => {
                        let [written, derived] = ["not written", "written"].map(str::to_owned);
                        vec![Difference { field: "answer", written, derived }]
                    }
                    Some(false) | None => Vec::new(),
                },
                (Ok(Some(reading)), Some(row)) => {
                    let mut fields = reading.compared(question, row, |kind, state, scenario| {
                        linked(written, row, (kind, state, scenario))
                    });
                    fields.extend(self.of_any_row(story, question, row));
                    differing(fields)
                }
            });
        }
        found
    }
}

/// The id of the row that asks, as this one does, for a state at the end of a scenario, or whether it changed.
fn linked(
    written: &[Option<Row<'_>>],
    row: &Row<'_>,
    (kind, state, scenario): (&str, &str, usize),
) -> Option<String> {
    let is_it = |other: &&Row<'_>| {
        (&*other.kind, other.state.as_deref(), other.scenario) == (kind, Some(state), Some(scenario))
            && (&other.chain, &other.about) == (&row.chain, &row.about)
    };
    written.iter().flatten().find(is_it).map(|other| other.id.to_string())
}
