//! Logs of conversations: who is present in each part, and what is said there.
//!
//! All parts happen in one room. Who is present when something is conveyed knows it, and knows who else was there;
//! which is a proposition of its own. The liar's lie is not so, and whoever knows the real reason, or the truth,
//! knows that.

use std::collections::HashMap;

use super::answer::{Answer, Budget, Open, Row, raw};
use super::forms::{Form, Minds, Proposition};
use super::json::{Kind, Node};
use super::reader::{Fields, Names, Problems};
use super::walks::Walks;
use crate::belief::Held;
use crate::diagnostic::{Diagnostic, Severity, Span, Spanned};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::trace::Trace;
use crate::world::{Act, Hearers, Item, Knowledge, Stage, Telling, Thing, Value};

/// At most so many people take part.
const CAST_MAX: usize = 100;

/// At most so many things are conveyed.
const CONVEYED_MAX: usize = 900;

/// A conversation as a log tells it.
#[derive(Debug)]
pub struct PartsLog {
    id: String,
    cast: Names,
    parts: Vec<Part>,
    questions: Vec<Asked>,
    left_out: usize,
}

#[derive(Debug)]
struct Part {
    number: i64,
    present: Vec<CharacterId>,
    conveyed: Vec<(CharacterId, Proposition)>,
    span: Span,
}

/// A question about a conversation.
#[derive(Debug)]
struct Asked {
    number: usize,
    id: Option<String>,
    kind: &'static str,
    chain: Vec<Spanned<CharacterId>>,
    about: Proposition,
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
    /// Reads what is there of it.
    pub(super) fn read(fields: &Fields<'_>, id: String, problems: &mut Problems) -> Option<Self> {
        let cast = cast(fields, problems)?;
        let mut log = Self { id, cast, parts: Vec::new(), questions: Vec::new(), left_out: 0 };
        let parts = fields.get("parts").and_then(|node| problems.list(node, "`parts`"))?;
        for (at, node) in parts.into_iter().enumerate() {
            log.part(at, node, problems);
        }
        let questions = fields.said("questions").and_then(|node| problems.list(node, "`questions`"));
        for (number, node) in questions.unwrap_or_default().into_iter().enumerate() {
            log.questions.extend(question(number, node, &log.cast, problems));
        }
        log.supply(problems);
        let conveyed: usize = log.parts.iter().map(|part| part.conveyed.len()).sum();
        if conveyed > CONVEYED_MAX {
            let message = format!("in a log at most {CONVEYED_MAX} things are conveyed");
            problems.push(Diagnostic::error(message, fields.span(), format!("{conveyed} here")));
            return None;
        }
        Some(log)
    }

    fn part(&mut self, at: usize, node: Node<'_>, problems: &mut Problems) {
        let Some(fields) = problems.fields(node, "a part") else {
            self.left_out += 1;
            return;
        };
        let number = fields.said("part").and_then(|node| problems.whole_number(node, "the number of a part"));
        let present = problems.required(&fields, "present");
        let present = present.and_then(|node| self.cast.find_all(node, "`present`", problems));
        let Some(present) = present else {
            self.left_out += 1;
            return;
        };
        let mut present: Vec<_> = present.iter().map(|who| CharacterId::new(who.value)).collect();
        present.sort_unstable();
        present.dedup();
        let mut part = Part {
            number: number.unwrap_or(at as i64 + 1),
            present,
            conveyed: Vec::new(),
            span: node.span(),
        };
        let utterances = problems.required(&fields, "utterances");
        let utterances = utterances.and_then(|node| problems.list(node, "`utterances`")).unwrap_or_default();
        for utterance in utterances {
            let conveyed = self.utterance(utterance, &part.present, problems);
            self.left_out += usize::from(conveyed.is_none());
            part.conveyed.extend(conveyed.into_iter().flatten());
        }
        self.parts.push(part);
    }

    /// What an utterance conveys, and by whom.
    fn utterance(
        &self,
        node: Node<'_>,
        present: &[CharacterId],
        problems: &mut Problems,
    ) -> Option<Vec<(CharacterId, Proposition)>> {
        let fields = problems.fields(node, "an utterance")?;
        let speaker = match fields.said("speaker") {
            Some(node) => Some(CharacterId::new(self.cast.find(node, problems)?.value)),
            None => None,
        };
        let conveys = problems.required(&fields, "conveys")?;
        let conveys = problems.list(conveys, "`conveys`")?;
        let word = |node| problems.word(node, "a proposition", &Proposition::WORDS);
        let conveyed: Option<Vec<Proposition>> = conveys.iter().copied().map(word).collect();
        // Who it is that says it makes no difference, but somebody who is there has to.
        let speaker = speaker.filter(|who| present.contains(who)).or(present.first().copied());
        match (speaker, conveyed?) {
            (_, conveyed) if conveyed.is_empty() => Some(Vec::new()),
            (Some(speaker), conveyed) => Some(conveyed.into_iter().map(|what| (speaker, what)).collect()),
            (None, _) => {
                problems.push(Diagnostic::error(
                    "nobody is present to hear this",
                    node.span(),
                    "it is conveyed here",
                ));
                None
            }
        }
    }

    /// Where no utterance is known to convey what questions are about, it is conveyed in the part that is made for it.
    fn supply(&mut self, problems: &mut Problems) {
        let design = [(Proposition::RealReason, 2), (Proposition::Truth, 3), (Proposition::Lie, 4)];
        for (what, number) in design {
            let is_asked = self.questions.iter().any(|asked| asked.about == what);
            let is_conveyed =
                self.parts.iter().flat_map(|part| &part.conveyed).any(|&(_, conveyed)| conveyed == what);
            if !is_asked || is_conveyed {
                continue;
            }
            let part = self.parts.iter_mut().find(|part| part.number == number && !part.present.is_empty());
            let Some(part) = part else { continue };
            let message = format!("no utterance conveys `{}`, of which questions are asked", what.key());
            let remark = format!("it is taken to be conveyed in part {number}");
            problems.push(
                Diagnostic::warning(message, part.span, remark)
                    .help("the real reason belongs to part 2, the truth to part 3, the lie to part 4"),
            );
            part.conveyed.push((part.present[0], what));
        }
    }

    /// The conversation as a trace, and which discussions there are: of what, among whom. Of propositions, the first
    /// three are what can be said; then come the discussions.
    pub fn trace(&self) -> (Trace, Vec<(Proposition, Vec<CharacterId>)>) {
        let room = PlaceId::new(0);
        let mut walks = Walks::new(1, &vec![None; self.cast.list().len()]);
        let start = walks.places().to_vec();
        let mut discussions: Vec<(Proposition, Vec<CharacterId>)> = Vec::new();
        for part in &self.parts {
            let there: Vec<_> = walks.company(room).collect();
            let gone: Vec<_> = there.iter().copied().filter(|who| !part.present.contains(who)).collect();
            let come: Vec<_> = part.present.iter().copied().filter(|who| !there.contains(who)).collect();
            walks.leave(&gone);
            walks.enter(&come, room);
            for &(speaker, what) in &part.conveyed {
                let discussion = (what, part.present.clone());
                let known = discussions.iter().position(|known| *known == discussion);
                let number = known.unwrap_or(discussions.len());
                if known.is_none() {
                    discussions.push(discussion);
                }
                convey(&mut walks, speaker, what);
                walks
                    .happen(speaker, Act::React(PropositionId::new(Proposition::WORDS.len() + number), true));
            }
        }
        let knowledge = vec![Knowledge::Nothing; start.len()];
        let thing = |is_true| Thing { value: Value::Truth(is_true), knowledge: knowledge.clone() };
        let said = Proposition::WORDS.iter().map(|&(_, what)| thing(what != Proposition::Lie));
        let propositions = said.chain(discussions.iter().map(|_| thing(true))).collect();
        let stage = Stage { propositions, ..Stage::default() };
        (Trace { start, events: walks.events, deeds: walks.deeds, stage }, discussions)
    }

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
            chain: asked.chain.iter().map(|who| self.cast.list()[who.value.index()].clone()).collect(),
            about: asked.about.key().to_owned(),
            answer,
            reading,
            published: asked.published.as_deref().map(raw),
            left_out: self.left_out,
        }
    }
}

/// Everyone there learns it, and learns that the others do.
fn convey(walks: &mut Walks, speaker: CharacterId, what: Proposition) {
    let proposition = |what: Proposition| PropositionId::new(what as usize);
    let lie = Item::Proposition(proposition(Proposition::Lie));
    if what == Proposition::Lie {
        let telling =
            Telling { hearers: Hearers::Present, item: lie, value: Value::Truth(true), believers: None };
        return walks.happen(speaker, Act::Tell(telling));
    }
    walks.happen(speaker, Act::React(proposition(what), true));
    walks.happen(speaker, Act::React(proposition(Proposition::Lie), false));
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

/// Who takes part: a list of names, or an object from roles to names, where a role's first letter, as a capital,
/// stands for it too.
fn cast(fields: &Fields<'_>, problems: &mut Problems) -> Option<Names> {
    let node = problems.required(fields, "characters")?;
    let mut cast = Names::new("character");
    if let Ok(Kind::List(items)) = node.kind() {
        for item in items {
            if let Some(name) = problems.text(item, "a character") {
                cast.add(name, CAST_MAX, problems);
            }
        }
        return Some(cast);
    }
    let mut spellings = Vec::new();
    for (role, name) in problems.entries(node, "`characters`")? {
        let initial: String = role.value.chars().take(1).flat_map(char::to_uppercase).collect();
        let is_new = cast.number(&initial).is_none();
        let called = Spanned::new(if is_new { initial } else { role.value.clone() }, role.span);
        if let Some(number) = cast.add(called, CAST_MAX, problems) {
            spellings.push((role.value, number));
            spellings.extend(problems.text(name, "the name of a character").map(|name| (name.value, number)));
        }
    }
    spellings.into_iter().for_each(|(spelling, number)| cast.also(spelling, number));
    Some(cast)
}

fn question(number: usize, node: Node<'_>, cast: &Names, problems: &mut Problems) -> Option<Asked> {
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
    let chain: Vec<_> = chain.iter().map(|who| Spanned::new(CharacterId::new(who.value), who.span)).collect();
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
    chain: &[Spanned<CharacterId>],
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
            Some(Wanted::Word(Check::Test(test, who.value), words(problems)?))
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
