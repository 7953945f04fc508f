//! One JSON object a question, on a line of its own.
//!
//! A row is put together by copying fragments that were escaped once per plan; a general JSON
//! serializer is several times slower.

use super::Splits;
use super::event::EventWriter;
use crate::belief::Chain;
use crate::id::CharacterId;
use crate::plan::{Moment, Plan, Question, Target};
use crate::question::{Answer, Answered, Asker, Foils};
use crate::select::{Selector, Twin, Twins};
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, Storyboard};
use crate::text::{Display, Lexicon, Words};

/// What rows should hold beyond the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowOptions {
    /// Adds `events`.
    pub with_events: bool,
}

/// Makes the rows of a plan under one seed.
///
/// ```
/// use storysim::{compile::compile, dataset::{RowOptions, RowMaker}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut maker = RowMaker::new(&plan, 7, &[], RowOptions::default());
/// let mut rows = String::new();
/// let count = maker.rows(42, &mut rows);
/// assert_eq!(rows.lines().count(), count);
/// let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
/// assert_eq!(row["id"], "first-order-mislead/7/42/0");
/// ```
#[derive(Clone, Debug)]
pub struct RowMaker<'a> {
    selector: Selector<'a>,
    seed: u64,
    /// Of each plan, once a story of it has been drawn.
    voices: Vec<Option<Box<Voice<'a>>>>,
    options: RowOptions,
    /// `{"id":"board/seed/`
    id_head: String,
    /// Of roles and binds, `"S1":`
    roles: Vec<String>,
    binds: Vec<String>,
    /// Of places, `"room_1",`
    places: Vec<String>,
    /// What is the same in all rows of a question.
    questions: Vec<Always>,
    story: Story,
    words: Words,
    /// The story of each display, made when a question first wants it.
    told: [Told; 2],
    /// Of which stories rows are made.
    only: Option<Only>,
    /// What makes a second story of each.
    pair: Option<Box<Pair<'a>>>,
}

/// The story made last has a twin.
#[derive(Clone, Debug)]
struct Pair<'a> {
    twins: Twins<'a>,
    twin: Twin,
}

/// What it takes to tell the stories of one plan.
#[derive(Clone, Debug)]
struct Voice<'a> {
    asker: Asker<'a>,
    /// Asks their twins.
    twin_asker: Option<Asker<'a>>,
    lexicon: Lexicon<'a>,
    /// The words as they are, whatever the output makes of them; where stories are split.
    plain: Option<Lexicon<'a>>,
    /// `,"params":…,"cast":{`
    parameters: String,
}

impl<'a> Voice<'a> {
    fn new(plan: &'a Plan, seed: u64, is_split: bool, has_twins: bool) -> Self {
        let parameters: Vec<String> =
            plan.parameters.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
        let (asker, lexicon) = (Asker::new(plan, seed), Lexicon::new(plan, seed, escaped));
        Self {
            twin_asker: has_twins.then(|| asker.clone()),
            asker,
            plain: is_split.then(|| lexicon.respelt(str::to_owned)),
            lexicon,
            parameters: format!(",\"params\":{{{}}},\"cast\":{{", parameters.join(",")),
        }
    }
}

/// The stories of one split.
#[derive(Clone, Debug)]
struct Only {
    splits: Splits,
    part: usize,
    text: String,
}

/// What every row begins with.
const ID: &str = "{\"id\":\"";

/// What all rows of a question have in common.
#[derive(Clone, Debug)]
struct Always {
    /// `/question","board":…,"seed":…,"index":`
    board: String,
    /// `,"kind":…,"order":…,"chain":[`
    kind: String,
    /// The minds of its chain.
    minds: Vec<CharacterId>,
}

impl Always {
    fn new(plan: &Plan, seed: u64, number: usize, question: &Question) -> Self {
        let minds = minds(question);
        let when = match question.moment {
            Moment::End => "",
            Moment::Before(_) => "_before",
            Moment::Without(_) => "_without",
        };
        let (kind, order, board) = (question.kind.key(), minds.len(), quoted(&plan.name));
        Self {
            board: format!("/{number}\",\"board\":{board},\"seed\":{seed},\"index\":"),
            kind: format!(",\"kind\":\"{kind}{when}\",\"order\":{order},\"chain\":["),
            minds,
        }
    }
}

/// What the rows of one story and display have in common.
#[derive(Clone, Debug, Default)]
struct Told {
    is_fresh: bool,
    /// `"cast":…` to `"story":…`
    text: String,
    /// `,"events":…`
    events: String,
}

impl<'a> RowMaker<'a> {
    /// A maker of rows, of a plan or of those of all combinations of drawn numbers. `set` names the parameters that stand in
    /// the rows' ids.
    ///
    /// # Panics
    /// If there is no plan.
    pub fn new(plans: impl Into<&'a [Plan]>, seed: u64, set: &[String], options: RowOptions) -> Self {
        let plans = plans.into();
        let plan = &plans[0];
        let mut run = plan.name.clone();
        for (name, value) in plan.parameters.iter().filter(|(name, _)| set.contains(name)) {
            run.push_str(&format!(",{name}={value}"));
        }
        let key = |name: &String| format!("{}:", quoted(name));
        let always = |(number, question)| Always::new(plan, seed, number, question);
        Self {
            selector: Selector::new(plans, seed),
            seed,
            voices: vec![None; plans.len()],
            options,
            id_head: format!("{ID}{run}/{seed}/"),
            roles: plan.role_names.iter().map(key).collect(),
            binds: plan.bind_names.iter().map(key).collect(),
            places: listed(&plan.place_names),
            questions: plan.questions.iter().enumerate().map(always).collect(),
            story: Story::default(),
            words: Words::default(),
            told: Default::default(),
            only: None,
            pair: None,
        }
    }

    /// The same, of stories with their twins: the rows of each come right after those of its story. The storyboard is
    /// that of the plan, and [`crate::select::admit_twins`] admits it.
    ///
    /// # Panics
    /// If no question asks for a belief at the end.
    #[must_use]
    pub fn with_twins(self, storyboard: &'a Storyboard) -> Self {
        let twins = Twins::new(storyboard, self.selector.plans(), self.seed);
        let pair = Pair { twins: twins.expect("a question asks for a belief"), twin: Twin::default() };
        let voices = vec![None; self.voices.len()];
        Self { pair: Some(Box::new(pair)), voices, ..self }
    }

    /// The same, for the stories of one split alone.
    #[must_use]
    pub fn only(self, splits: Splits, part: usize) -> Self {
        let voices = vec![None; self.voices.len()];
        Self { only: Some(Only { splits, part, text: String::new() }), voices, ..self }
    }

    /// The story made last.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// Its plan.
    pub fn plan(&self) -> &'a Plan {
        self.selector.plan()
    }

    /// The number of that.
    pub const fn plan_number(&self) -> usize {
        self.selector.plan_number()
    }

    /// Its twin, if stories have any.
    pub fn twin(&self) -> Option<&Twin> {
        self.pair.as_ref().map(|pair| &pair.twin)
    }

    /// Appends the rows of the story with this index, and those of its twin, each with its line end. Returns how many.
    pub fn rows(&mut self, index: u64, rows: &mut String) -> usize {
        if self.draw(index) { self.tell(rows) } else { 0 }
    }

    /// Draws the story with this index. Returns whether rows are made of it, and not only of those of another split. A
    /// twin is in the split of its story.
    pub fn draw(&mut self, index: u64) -> bool {
        match &mut self.pair {
            None => drop(self.selector.draw(index, &mut self.story)),
            Some(pair) => pair.twins.draw(&mut self.selector, index, &mut self.story, &mut pair.twin),
        }
        let (is_split, has_twins) = (self.only.is_some(), self.pair.is_some());
        let new = || Box::new(Voice::new(self.selector.plan(), self.seed, is_split, has_twins));
        let voice = self.voices[self.selector.plan_number()].get_or_insert_with(new);
        voice.lexicon.draw(&self.story, &mut self.words);
        self.only.as_mut().zip(voice.plain.as_ref()).is_none_or(|(only, lexicon)| {
            only.text.clear();
            lexicon.story(&self.story, &self.words, Display::People, &mut only.text);
            only.splits.part(&only.text) == only.part
        })
    }

    /// Appends the rows of the story drawn last, and those of its twin. Returns how many.
    pub fn tell(&mut self, rows: &mut String) -> usize {
        let Self { selector, story, words, places, told, pair, .. } = self;
        let Some(voice) = &mut self.voices[selector.plan_number()] else { return 0 };
        let Voice { asker, twin_asker, lexicon, parameters, .. } = &mut **voice;
        let sheet = Sheet {
            options: self.options,
            id_head: &self.id_head,
            parameters,
            roles: &self.roles,
            binds: &self.binds,
            questions: &self.questions,
        };
        let answers = asker.ask(story);
        let mut teller = Teller { plan: selector.plan(), lexicon, story, words, places, rows };
        let Some((pair, twin_asker)) = pair.as_ref().zip(twin_asker.as_mut()) else {
            teller.rows(&sheet, answers, ["", ""], None, told);
            return answers.len();
        };
        let differs_at = Some(pair.twin.step);
        teller.rows(&sheet, answers, ["", TWIN], differs_at, told);
        let answers_of_twin = twin_asker.ask_twin(&pair.twin.story, answers);
        let mut teller = Teller { story: &pair.twin.story, ..teller };
        teller.rows(&sheet, answers_of_twin, [TWIN, ""], differs_at, told);
        answers.len() + answers_of_twin.len()
    }
}

/// Stands after the index in the id of a twin's row.
const TWIN: &str = "-twin";

/// What the rows of all stories have in common.
struct Sheet<'r> {
    options: RowOptions,
    id_head: &'r str,
    parameters: &'r str,
    roles: &'r [String],
    binds: &'r [String],
    questions: &'r [Always],
}

/// Writes the parts of one story's rows.
struct Teller<'r, 'a> {
    plan: &'a Plan,
    lexicon: &'r Lexicon<'a>,
    story: &'r Story,
    words: &'r Words,
    /// Of places, `"room_1",`
    places: &'r [String],
    rows: &'r mut String,
}

impl Teller<'_, '_> {
    /// The rows of a story. What stands after the index in its id and in that of its twin; and where the two differ, if
    /// it has one.
    fn rows(
        &mut self,
        sheet: &Sheet<'_>,
        answers: &[Answered],
        [own, other]: [&str; 2],
        differs_at: Option<usize>,
        told: &mut [Told; 2],
    ) {
        told.iter_mut().for_each(|told| told.is_fresh = false);
        let mut digits = itoa::Buffer::new();
        let index = digits.format(self.story.index);
        for answered in answers {
            let display = Display::of(self.plan.questions[answered.question].kind);
            let told = &mut told[display as usize];
            if !told.is_fresh {
                told.is_fresh = true;
                self.tell(display, sheet.roles, sheet.binds, sheet.options, told);
            }
            let always = &sheet.questions[answered.question];
            push_all(
                self.rows,
                &[sheet.id_head, index, own, &always.board, index, sheet.parameters, &told.text],
            );
            self.question(answered, always, display);
            if let Some(step) = differs_at {
                let run = &sheet.id_head[ID.len()..];
                push_all(self.rows, &[",\"twin\":\"", run, index, other, "/"]);
                push_number(self.rows, answered.question);
                self.rows.push_str("\",\"differs_at\":");
                push_number(self.rows, step);
            }
            push_all(self.rows, &[&told.events, "}\n"]);
        }
    }

    /// From the entries of `cast` to the story, and the events.
    fn tell(
        &self,
        display: Display,
        roles: &[String],
        binds: &[String],
        options: RowOptions,
        told: &mut Told,
    ) {
        let Self { lexicon, story, words, .. } = *self;
        let text = &mut told.text;
        text.clear();
        let mut separator = "";
        for (role, who) in roles.iter().zip((0..).map(CharacterId::new)) {
            push_all(text, &[separator, role, "\"", lexicon.name(story, words, display, who), "\""]);
            separator = ",";
        }
        for (bind, &place) in binds.iter().zip(&self.plan.casts[story.cast].binds) {
            push_all(text, &[separator, bind, "\"", lexicon.place(place), "\""]);
            separator = ",";
        }
        text.push_str("},\"start\":");
        let start = &story.trace.start;
        if start.iter().all(|place| *place == start[0]) {
            push_all(text, &["\"", lexicon.place(start[0]), "\""]);
        } else {
            let mut separator = "{";
            for who in lexicon.in_order(story, words, display) {
                let (name, place) = (lexicon.name(story, words, display, who), start[who.index()]);
                push_all(text, &[separator, "\"", name, "\":\"", lexicon.place(place), "\""]);
                separator = ",";
            }
            text.push('}');
        }
        text.push_str(",\"context\":\"");
        lexicon.context(story, words, display, text);
        text.push_str("\",\"story\":\"");
        lexicon.story(story, words, display, text);
        text.push('"');
        told.events.clear();
        if options.with_events {
            let events = EventWriter { plan: self.plan, lexicon, story, words, display };
            told.events.push_str(",\"events\":[");
            (0..story.trace.events.len()).for_each(|step| events.write(step, &mut told.events));
            if told.events.ends_with(',') {
                told.events.pop();
            }
            told.events.push(']');
        }
    }

    /// From the question to the foils.
    fn question(&mut self, answered: &Answered, always: &Always, display: Display) {
        let question = &self.plan.questions[answered.question];
        let Self { lexicon, story, words, .. } = *self;
        let rows = &mut *self.rows;
        rows.push_str(",\"question\":\"");
        lexicon.question(story, words, question, rows);
        rows.push_str("\",\"answer\":");
        self.answer(answered.answer);
        self.rows.push_str("\"choices\":[");
        answered.choices.iter().for_each(|&choice| self.answer(Some(choice)));
        self.close("],\"label\":");
        push_number(self.rows, answered.label);
        self.rows.push_str(&always.kind);
        for (at, &mind) in always.minds.iter().enumerate() {
            let separator = if at == 0 { "\"" } else { ",\"" };
            push_all(self.rows, &[separator, lexicon.name(story, words, display, mind), "\""]);
        }
        let about = lexicon.target(story, words, question);
        push_all(self.rows, &["],\"about\":\"", about, "\",\"truth\":"]);
        self.answer(answered.truth);
        self.rows.push_str(match answered.false_belief {
            Some(true) => "\"false_belief\":true",
            Some(false) => "\"false_belief\":false",
            None => "\"false_belief\":null",
        });
        self.rows.push_str(",\"mislead_distance\":");
        match answered.mislead_distance {
            Some(distance) => push_number(self.rows, distance),
            None => self.rows.push_str("null"),
        }
        self.rows.push_str(",\"evidence\":[");
        for &step in &answered.evidence {
            push_number(self.rows, step);
            self.rows.push(',');
        }
        self.close("],\"foils\":{");
        for (name, place) in Foils::NAMES.iter().zip(answered.foils.answers()) {
            push_all(self.rows, &["\"", name, "\":"]);
            self.answer(place);
        }
        self.close("}");
    }

    /// An answer, and a comma.
    #[inline(always)]
    fn answer(&mut self, answer: Option<Answer>) {
        match answer {
            Some(Answer::Place(place)) => self.rows.push_str(&self.places[place.index()]),
            Some(answer) => {
                self.rows.push('"');
                self.lexicon.answer(self.story, self.words, answer, self.rows);
                self.rows.push_str("\",");
            }
            None => self.rows.push_str("null,"),
        }
    }

    /// The end of a list: in place of the comma after its last item, if it has any.
    fn close(&mut self, end: &str) {
        if self.rows.ends_with(',') {
            self.rows.pop();
        }
        self.rows.push_str(end);
    }
}

/// The minds of a question, the outermost first, in their shortest form; of `knows`, the knower is the last.
fn minds(question: &Question) -> Vec<CharacterId> {
    match (question.kind, question.target) {
        // These have company, not minds.
        (QuestionKind::World | QuestionKind::WorldThings, _) => Vec::new(),
        (_, Target::Item(item)) => Chain::new(&question.others, item).minds().to_vec(),
        (_, Target::Attitude(_)) => question.others.clone(),
    }
}

#[inline]
pub(super) fn push_all(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}

#[inline]
pub(super) fn push_number(text: &mut String, number: usize) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// Names as items of a JSON list, each with the comma after it.
fn listed(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("{},", quoted(name))).collect()
}

/// A JSON string without its quotes.
fn escaped(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

/// A JSON string.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

#[cfg(test)]
mod tests;
