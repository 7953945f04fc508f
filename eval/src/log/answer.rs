//! Questions with their answers, as rows; and what it costs to find them.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::belief::{Chain, DeedTracker};
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::id::CharacterId;
use crate::trace::Trace;
use crate::world::Item;

/// A question with its answer.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The question's own id, or else that of its log.
    pub id: Box<RawValue>,
    /// The number of the question in its log, from 0.
    pub question: usize,
    /// The kind of the question.
    pub kind: String,
    /// The names of the minds, the outermost first.
    pub chain: Vec<String>,
    /// The person or thing that the question is about.
    pub about: String,
    /// The answer; `None` if it is unknown.
    pub answer: Option<Answer>,
    /// The reason why there is no answer.
    pub reading: Option<Open>,
    /// The answer that is given in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Box<RawValue>>,
    /// How many events of the log are left out because they are impossible.
    pub left_out: usize,
}

/// An answer to a question, in the names of the log.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// One name or word.
    One(String),
    /// Several names, sorted.
    Several(Vec<String>),
    /// One of the options, as it is written in the log.
    Option(Box<RawValue>),
}

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Open {
    /// The last mind of the chain has no idea.
    NoIdea,
    /// The minds before the last cannot tell what the last one holds.
    Unclear,
    /// The answer is in none of the rooms.
    Nowhere,
    /// None of the options is true.
    NoOption,
    /// More than one of the options is true.
    SeveralOptions,
    /// The answer does not follow from who witnessed what.
    NotDerivable,
}

impl Row {
    /// Whether the answer agrees with that of the log; `None` if one of them is missing.
    pub fn agrees(&self) -> Option<bool> {
        let ours = serde_json::to_value(self.answer.as_ref()?).ok().map(sorted);
        let published = serde_json::from_str(self.published.as_ref()?.get()).ok().map(sorted);
        Some(ours.is_some() && ours == published)
    }
}

/// The value with lists of names sorted, since they stand for sets.
fn sorted(mut value: Value) -> Value {
    if let Value::Array(items) = &mut value
        && items.iter().all(Value::is_string)
    {
        items.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
    }
    value
}

/// Wraps text that is known to be valid JSON.
pub fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("a part of a line that is JSON")
}

/// What is left to spend on the answers of one log, counted in events times values of items in minds. The whole budget
/// takes some ten seconds.
pub struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(2_000_000_000)
    }
}

/// The cost of an event apart from its values, as a number of values.
const EVENT_COST: usize = 40;

/// The largest number of values that a chain may keep in memory: minds times items.
const VALUES_MAX: usize = 1_000_000;

impl Budget {
    /// The tracker of a chain after a story, if the budget allows it.
    pub fn follow(
        &mut self,
        trace: &Trace,
        minds: &[CharacterId],
        about: Item,
        span: Span,
    ) -> Result<DeedTracker, Box<Diagnostic>> {
        let chain = Chain::new(minds, about);
        let items = trace.stage.items(trace.start.len()).count();
        let values = items.saturating_mul(chain.order() + 1);
        if values > VALUES_MAX {
            let message = format!("this chain of minds has to keep {values} values");
            let remark = format!("{} of {items} people and things", counted(chain.order(), "mind"));
            return Err(Box::new(
                Diagnostic::error(message, span, remark).help(format!("the limit is {VALUES_MAX}")),
            ));
        }
        let cost = (values + EVENT_COST) as u64 * (trace.events.len() as u64 + 1);
        let Some(left) = self.0.checked_sub(cost) else {
            let message = "the questions of this log take too long to answer";
            let remark = format!("{}, {values} values", counted(trace.events.len(), "event"));
            let problem = Diagnostic::error(message, span, remark);
            return Err(Box::new(problem.help("ask fewer questions in one log, or shorter chains")));
        };
        self.0 = left;
        let mut tracker = DeedTracker::new(chain);
        tracker.start(trace);
        for (&event, deed) in trace.events.iter().zip(&trace.deeds) {
            tracker.apply(event, deed);
        }
        Ok(tracker)
    }
}
