//! The questions of a log of events, read and answered.

use super::answer::{Answer, Budget, Open, Row, raw};
use super::course::Course;
use super::events::EventLog;
use super::json::Node;
use super::question::{Question, QuestionKind};
use super::reader::{Fields, Problems};
use crate::belief::Held;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::id::{CharacterId, ObjectId};
use crate::trace::Trace;
use crate::world::{Item, Value};

/// Reads all questions of a log.
pub fn read(fields: &Fields<'_>, log: &EventLog, problems: &mut Problems) -> Vec<Question> {
    let list = fields.said("questions").and_then(|node| problems.list(node, "`questions`"));
    let numbered = list.unwrap_or_default().into_iter().enumerate();
    numbered.filter_map(|(number, node)| question(number, node, log, problems)).collect()
}

fn question(number: usize, node: Node<'_>, log: &EventLog, problems: &mut Problems) -> Option<Question> {
    let fields = problems.fields(node, "a question")?;
    let kind = problems.required(&fields, "kind");
    let kind = kind.and_then(|node| problems.word(node, "the kind of a question", &QuestionKind::WORDS));
    let about = problems.required(&fields, "about").and_then(|node| {
        let name = problems.text(node, "whom or what a question is about")?;
        item(&name, log, problems)
    });
    let chain = match fields.get("chain") {
        Some(node) => log.characters.find_all(node, "`chain`", problems)?,
        None => Vec::new(),
    };
    let (kind, about) = (kind?, about?);
    if (kind == QuestionKind::Belief) == chain.is_empty() {
        let (message, remark) = if kind == QuestionKind::Belief {
            ("a question of belief needs a `chain`", "nobody's belief")
        } else {
            ("a question about reality is about nobody's mind", "this question needs no `chain`")
        };
        let span = fields.get("chain").map_or(fields.span(), Node::span);
        problems.push(Diagnostic::error(message, span, remark));
        return None;
    }
    Some(Question {
        number,
        kind,
        chain: chain.into_iter().map(|who| CharacterId::new(who.value)).collect(),
        about,
        published: fields.get("answer").map(|node| raw(node.written())),
        id: fields.said("id").map(|node| raw(node.written())),
        span: node.span(),
    })
}

fn item(name: &Spanned<String>, log: &EventLog, problems: &mut Problems) -> Option<Item> {
    if let Some(who) = log.character_named(&name.value) {
        return Some(Item::Character(who));
    }
    if let Some(object) = log.objects.number(&name.value) {
        return Some(Item::Object(ObjectId::new(object)));
    }
    if log.characters.is_unusable(&name.value) || log.objects.is_unusable(&name.value) {
        return None;
    }
    let known = log.characters.list().iter().chain(log.objects.list());
    let help = problems.suggest(&name.value, known.map(String::as_str));
    let message = format!("there is no character and no object `{}`", name.value);
    problems.push(Diagnostic::error(message, name.span, "unknown name").maybe_help(help));
    None
}

/// Answers all questions that can be answered.
pub fn answer(log: &EventLog, course: &Course, problems: &mut Problems) -> Vec<Row> {
    let mut budget = Budget::default();
    let before = Trace { events: Vec::new(), deeds: Vec::new(), ..course.trace.clone() };
    let answered = |question: &Question| {
        let trace = if question.kind == QuestionKind::Memory { &before } else { &course.trace };
        let held = match budget.follow(trace, &question.chain, question.about, question.span) {
            Ok(tracker) => tracker.held(),
            Err(problem) => {
                problems.push(*problem);
                return None;
            }
        };
        let (answer, reading) = match reading(log, held) {
            Ok(name) => (Some(Answer::One(name.to_owned())), None),
            Err(open) => (None, Some(open)),
        };
        Some(Row {
            id: question.id.clone().unwrap_or_else(|| raw(&log.id)),
            question: question.number,
            kind: question.kind.key().to_owned(),
            chain: question.chain.iter().map(|&who| log.character(who).to_owned()).collect(),
            about: match question.about {
                Item::Object(object) => log.object(object).to_owned(),
                about => log.character(about.character().expect("a character or an object")).to_owned(),
            },
            answer,
            reading,
            published: question.published.clone(),
            left_out: log.unreadable + course.left_out,
        })
    };
    log.questions.iter().filter_map(answered).collect()
}

/// The answer that what is held amounts to, or the reason why there is none.
fn reading(log: &EventLog, held: Held) -> Result<&str, Open> {
    match held {
        Held::Known(Value::Place(place), _) => log.place(place).ok_or(Open::Nowhere),
        Held::Known(Value::Container(container), _) => Ok(log.container(container)),
        Held::Known(Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase, _) => {
            unreachable!("in a log nobody has a thing in hand, and there are no prospects")
        }
        Held::Nothing => Err(Open::NoIdea),
        Held::Unclear => Err(Open::Unclear),
    }
}

impl EventLog {
    /// The answer to a question that what is held amounts to; `None` if it is unknown.
    pub fn reading(&self, held: Held) -> Option<&str> {
        reading(self, held).ok()
    }
}
