//! The questions of a log of a conversation.

use std::collections::HashMap;

use super::answer::{Answer, Budget, Open, Row, raw};
use super::forms::{Form, Minds, Proposition};
use super::json::Node;
use super::parts::PartsLog;
use super::reader::{Fields, Names, Problems};
use crate::belief::Held;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::id::{CharacterId, PropositionId};
use crate::trace::Trace;
use crate::world::{Item, Value};

/// A question about a conversation.
#[derive(Debug)]
pub struct Asked {
    number: usize,
    id: Option<String>,
    kind: &'static str,
    chain: Vec<CharacterId>,
    pub(super) about: Proposition,
    wants: Wanted,
    published: Option<String>,
    span: Span,
}

/// What is wanted of whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// She knows it.
    Knows,
    /// She was there when the lie was told, and knows that it is none.
    SeesThrough,
}

/// What an answer is.
#[derive(Debug)]
enum Wanted {
    /// The one option that holds.
    Form(Vec<(String, Form)>),
    /// Whether something holds, in these words for yes and no.
    Word(Check, [Option<String>; 2]),
    /// All of whom something holds.
    Who(Test, Vec<CharacterId>),
    /// A text, which follows from nothing.
    Text,
}

#[derive(Debug)]
enum Check {
    Form(Form),
    Test(Test, CharacterId),
}

/// How a question is answered.
#[derive(Clone, Copy)]
enum Way {
    IsSo,
    WhoDiscussed,
    Form,
    List(Test),
    Word(Test),
    Text,
}

const KINDS: [(&str, Way); 12] = [
    ("comprehension", Way::IsSo),
    ("fact_reason", Way::WhoDiscussed),
    ("fact_truth", Way::WhoDiscussed),
    ("belief", Way::Form),
    ("lieability", Way::Form),
    ("infoAccessibility_list", Way::List(Test::Knows)),
    ("infoAccessibility_binary", Way::Word(Test::Knows)),
    ("answerability_list", Way::List(Test::Knows)),
    ("answerability_binary", Way::Word(Test::Knows)),
    ("liedetectability_list", Way::List(Test::SeesThrough)),
    ("liedetectability_binary", Way::Word(Test::SeesThrough)),
    ("justification", Way::Text),
];

impl PartsLog {
    /// Answers all questions that can be answered.
    pub(super) fn answer(&self, problems: &mut Problems) -> Vec<Row> {
        let (trace, discussions) = self.trace();
        let mut listening = Listening {
            trace: &trace,
            discussions: &discussions,
            budget: Budget::default(),
            held: HashMap::new(),
            span: Span::default(),
            problem: None,
        };
        let answered = |asked: &Asked| {
            listening.span = asked.span;
            let found = self.find(asked, &mut listening);
            if let Some(problem) = listening.problem.take() {
                problems.push(problem);
                return None;
            }
            Some(self.row(asked, found))
        };
        self.questions.iter().filter_map(answered).collect()
    }

    fn find(&self, asked: &Asked, minds: &mut Listening<'_>) -> Result<Answer, Open> {
        match &asked.wants {
            Wanted::Text => Err(Open::NotDerivable),
            Wanted::Form(options) => {
                let mut holding = options.iter().filter(|(_, form)| form.holds(minds) == Some(true));
                match (holding.next(), holding.next()) {
                    (Some((option, _)), None) => Ok(Answer::Option(raw(option))),
                    (None, _) => Err(Open::NoOption),
                    (Some(_), Some(_)) => Err(Open::SeveralOptions),
                }
            }
            Wanted::Word(check, [yes, no]) => {
                let holds = match check {
                    Check::Form(form) => form.holds(minds),
                    Check::Test(test, who) => minds.test(*test, *who, asked.about),
                };
                let word = if holds.ok_or(Open::Unclear)? { yes } else { no };
                Ok(Answer::Option(raw(word.as_ref().ok_or(Open::NoOption)?)))
            }
            Wanted::Who(test, of) => {
                let mut who = Vec::new();
                for &one in of {
                    if minds.test(*test, one, asked.about).ok_or(Open::Unclear)? {
                        who.push(self.cast.list()[one.index()].clone());
                    }
                }
                who.sort_unstable();
                Ok(Answer::Several(who))
            }
        }
    }

    fn row(&self, asked: &Asked, found: Result<Answer, Open>) -> Row {
        let (answer, reading) = match found {
            Ok(answer) => (Some(answer), None),
            Err(open) => (None, Some(open)),
        };
        Row {
            id: raw(asked.id.as_ref().unwrap_or(&self.id)),
            question: asked.number,
            kind: asked.kind.to_owned(),
            chain: asked.chain.iter().map(|who| self.cast.list()[who.index()].clone()).collect(),
            about: asked.about.key().to_owned(),
            answer,
            reading,
            published: asked.published.as_deref().map(raw),
            left_out: self.left_out,
        }
    }
}

/// The minds of those who took part.
struct Listening<'a> {
    trace: &'a Trace,
    discussions: &'a [(Proposition, Vec<CharacterId>)],
    budget: Budget,
    /// What each chain holds of every proposition.
    held: HashMap<Vec<CharacterId>, Vec<Held>>,
    /// The question.
    span: Span,
    /// Why it cannot be answered.
    problem: Option<Diagnostic>,
}

impl Listening<'_> {
    /// What is held of a proposition, of all in the trace; none, if the minds before the last cannot tell.
    fn truth(&mut self, minds: &[CharacterId], proposition: usize) -> Option<Option<bool>> {
        if !self.held.contains_key(minds) {
            let item = |at| Item::Proposition(PropositionId::new(at));
            let count = self.trace.stage.propositions.len();
            let tracker = match self.budget.follow(self.trace, minds, item(0), self.span) {
                Ok(tracker) => tracker,
                Err(problem) => {
                    self.problem = Some(*problem);
                    return None;
                }
            };
            let depth = tracker.chain().order();
            let held = (0..count).map(|at| tracker.held_at(depth, item(at))).collect();
            self.held.insert(minds.to_vec(), held);
        }
        match self.held[minds][proposition] {
            Held::Known(Value::Truth(is_true), _) => Some(Some(is_true)),
            Held::Known(..) => unreachable!("a proposition is true or not"),
            Held::Nothing => Some(None),
            Held::Unclear => None,
        }
    }

    fn test(&mut self, test: Test, who: CharacterId, about: Proposition) -> Option<bool> {
        if test == Test::Knows {
            return self.is_so(&[who], about);
        }
        let is_seen_through = self.truth(&[who], Proposition::Lie as usize)? == Some(false);
        let mut was_there = Some(false);
        for at in 0..self.discussions.len() {
            if self.discussions[at].0 == Proposition::Lie {
                was_there = either(was_there, self.truth(&[who], Proposition::WORDS.len() + at));
            }
        }
        Some(is_seen_through && was_there?)
    }
}

/// Whether one of the two is so: the second if it is held to be.
fn either(one: Option<bool>, other: Option<Option<bool>>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(Some(true))) => Some(true),
        (None, _) | (_, None) => None,
        (Some(false), Some(_)) => Some(false),
    }
}

impl Minds for Listening<'_> {
    fn is_so(&mut self, minds: &[CharacterId], proposition: Proposition) -> Option<bool> {
        Some(self.truth(minds, proposition as usize)? == Some(true))
    }

    fn is_discussed(
        &mut self,
        minds: &[CharacterId],
        one: Option<CharacterId>,
        others: &[CharacterId],
        proposition: Proposition,
    ) -> Option<bool> {
        let mut found = Some(false);
        for at in 0..self.discussions.len() {
            let (what, among) = &self.discussions[at];
            let rest = || among.iter().filter(|who| Some(**who) != one);
            let is_it = *what == proposition
                && rest().all(|who| others.contains(who))
                && others.iter().all(|who| Some(*who) != one && among.contains(who));
            if is_it {
                found = either(found, self.truth(minds, Proposition::WORDS.len() + at));
            }
        }
        found
    }
}

/// Reads a question.
pub fn question(number: usize, node: Node<'_>, cast: &Names, problems: &mut Problems) -> Option<Asked> {
    let fields = problems.fields(node, "a question")?;
    let word = problems.required(&fields, "type")?;
    let kinds = KINDS.map(|(word, way)| (word, (word, way)));
    let (kind, way) = problems.word(word, "the type of a question", &kinds)?;
    let about = problems.required(&fields, "about");
    let about =
        about.and_then(|node| problems.word(node, "what a question is about", &Proposition::WORDS))?;
    let chain = match fields.said("asker_chain") {
        Some(node) => cast.find_all(node, "`asker_chain`", problems)?,
        None => Vec::new(),
    };
    let chain: Vec<_> = chain.iter().map(|who| CharacterId::new(who.value)).collect();
    Some(Asked {
        number,
        id: fields.said("id").map(|node| node.written().to_owned()),
        kind,
        wants: wanted(&fields, way, about, &chain, cast, problems)?,
        chain,
        about,
        published: fields.get("answer").map(|node| node.written().to_owned()),
        span: node.span(),
    })
}

fn wanted(
    fields: &Fields<'_>,
    way: Way,
    about: Proposition,
    chain: &[CharacterId],
    cast: &Names,
    problems: &mut Problems,
) -> Option<Wanted> {
    if let Way::Text = way {
        return Some(Wanted::Text);
    }
    let options = problems.required(fields, "options")?;
    let options = problems.list(options, "`options`")?;
    let form_options = |read: &dyn Fn(Node<'_>, &mut Problems) -> Option<Form>, problems: &mut Problems| {
        let option = |node: &Node<'_>| Some((node.written().to_owned(), legible(*node, read, problems)?));
        Wanted::Form(options.iter().filter_map(option).collect())
    };
    let words = |problems: &mut Problems| {
        let mut words = [None, None];
        for &option in &options {
            let text = problems.text(option, "an option")?.value.to_lowercase();
            match text.as_str() {
                "yes" => words[0] = Some(option.written().to_owned()),
                "no" => words[1] = Some(option.written().to_owned()),
                _ => {}
            }
        }
        Some(words)
    };
    match way {
        Way::Text => Some(Wanted::Text),
        Way::Form => Some(form_options(&|node, problems| Form::read(node, cast, problems), problems)),
        Way::WhoDiscussed => {
            let read = |node: Node<'_>, problems: &mut Problems| {
                let who = cast.find_all(node, "those who discussed it", problems)?;
                Some(Form::Discussed(who.iter().map(|who| CharacterId::new(who.value)).collect(), about))
            };
            Some(form_options(&read, problems))
        }
        Way::IsSo => Some(Wanted::Word(Check::Form(Form::So(about)), words(problems)?)),
        Way::Word(test) => {
            let [who] = chain else {
                let message = "this type of question is about one character";
                let span = fields.get("asker_chain").map_or(fields.span(), Node::span);
                problems.push(Diagnostic::error(message, span, format!("{} here", chain.len())));
                return None;
            };
            Some(Wanted::Word(Check::Test(test, *who), words(problems)?))
        }
        Way::List(test) => {
            let of: Option<Vec<_>> = options.iter().map(|&option| cast.find(option, problems)).collect();
            Some(Wanted::Who(test, of?.iter().map(|who| CharacterId::new(who.value)).collect()))
        }
    }
}

/// An option, if it can be read. Published options are not always in order, and those that are not cannot be true.
fn legible(
    node: Node<'_>,
    read: &dyn Fn(Node<'_>, &mut Problems) -> Option<Form>,
    problems: &mut Problems,
) -> Option<Form> {
    if node.written() == "null" {
        return None;
    }
    let mut within = Problems::default();
    let form = read(node, &mut within);
    for problem in within.kept {
        let help = "this option cannot be read, and is not taken to be true";
        problems.push(Diagnostic { severity: Severity::Warning, ..problem }.help(help));
    }
    form
}
