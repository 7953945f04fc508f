//! Writes the rows of one story.

use super::fragments::{ID, PlanFragments, QuestionFragments, StoryFragments};
use crate::dataset::event::EventWriter;
use crate::dataset::field::{DIFFICULTY_COLUMNS, WriteParts};
use crate::dataset::json::{push_all, push_number, quoted};
use crate::dataset::prompt::Prompter;
use crate::id::CharacterId;
use crate::plan::{Plan, PlannedMatter};
use crate::question::{self, Answer, Answered, Difficulty};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::text::{Display, Lexicon, Words};

/// Writes the fragments that all rows of one story share if it is told in one way.
#[derive(Clone, Copy)]
pub struct StoryWriter<'r, 'a> {
    pub plan: &'a Plan,
    pub fragments: &'r PlanFragments,
    /// The words as readers see them.
    pub lexicon: &'r Lexicon<'a>,
    /// The same words, with names as the storyboard writes them.
    pub written: &'r Lexicon<'a>,
    pub story: &'r Story,
    pub words: &'r Words,
}

impl StoryWriter<'_, '_> {
    /// Makes the fragments of this story.
    pub fn write(&self, display: Display, with_events: bool, fragments: &mut StoryFragments) {
        let text = &mut fragments.telling;
        text.clear();
        self.cast(display, text);
        self.start(display, text);
        text.push_str(",\"context\":\"");
        self.lexicon.context(self.story, self.words, display, text);
        text.push_str("\",\"story\":\"");
        let begin = text.len();
        self.lexicon.story(self.story, self.words, display, text);
        if self.plan.length.is_some() {
            fragments.words = text[begin..].split(' ').count();
        }
        text.push('"');
        self.matters(display, fragments);
        fragments.events.clear();
        if with_events {
            self.events(display, &mut fragments.events);
        }
        fragments.is_fresh = true;
    }

    /// The name of a character as the storyboard writes it.
    fn name(&self, display: Display, who: CharacterId) -> &str {
        self.written.name(self.story, self.words, display, who)
    }

    fn cast(&self, display: Display, text: &mut String) {
        let PlanFragments { roles, binds, .. } = self.fragments;
        text.push_str(",\"cast\":{");
        let mut separator = "";
        for (role, who) in roles.iter().zip((0..).map(CharacterId::new)) {
            push_all(text, &[separator, role, "\"", self.name(display, who), "\""]);
            separator = ",";
        }
        for (bind, place) in binds.iter().zip(self.story.binds(self.plan)) {
            push_all(text, &[separator, bind, "\"", self.written.place(place), "\""]);
            separator = ",";
        }
        text.push('}');
    }

    fn start(&self, display: Display, text: &mut String) {
        let start = &self.story.trace.start;
        if start.iter().all(|place| *place == start[0]) {
            push_all(text, &[",\"start\":\"", self.written.place(start[0]), "\""]);
            return;
        }
        let mut separator = ",\"start\":{";
        for who in self.lexicon.in_order(self.story, self.words, display) {
            let (name, place) = (self.name(display, who), self.written.place(start[who.index()]));
            push_all(text, &[separator, "\"", name, "\":\"", place, "\""]);
            separator = ",";
        }
        text.push('}');
    }

    /// Makes the fragments about matters.
    fn matters(&self, display: Display, fragments: &mut StoryFragments) {
        let StoryFragments { matters: text, roles, .. } = fragments;
        text.clear();
        roles.clear();
        let Some(staging) = self.plan.staging.as_ref().filter(|staging| !staging.matters.is_empty()) else {
            return;
        };
        let everyone = self.lexicon.in_order(self.story, self.words, display);
        let name = |who: CharacterId| self.name(display, who);
        let mut separator = ",\"matters\":{";
        let all_roles = question::roles(self.plan, &self.story.trace);
        for (number, PlannedMatter { by, to, level, .. }) in staging.matters.iter().enumerate() {
            let told = self.lexicon.matter(self.story, self.words, number);
            push_all(text, &[separator, "\"", &told.name, "\":{\"thing\":\"", &told.thing]);
            push_all(text, &["\",\"pack\":\"", &told.pack, "\",\"class\":\"", told.class.key()]);
            push_all(text, &["\",\"type\":\"", told.class.lie_type().key(), "\",\"level\":"]);
            push_number(text, usize::from(*level));
            text.push_str(if told.is_lie { ",\"lie\":true,\"by\":[" } else { ",\"lie\":false,\"by\":[" });
            for (at, &who) in by.iter().enumerate() {
                push_all(text, &[if at == 0 { "\"" } else { ",\"" }, name(who), "\""]);
            }
            push_all(text, &["],\"to\":\"", name(*to), "\",\"why\":\"", &told.why, "\"}"]);
            separator = ",";
            let mut of_roles = format!(",\"matter\":\"{}\",\"roles\":", told.name);
            for (at, &who) in everyone.iter().enumerate() {
                let begin = if at == 0 { "{\"" } else { ",\"" };
                push_all(
                    &mut of_roles,
                    &[begin, name(who), "\":\"", all_roles[number][who.index()].key(), "\""],
                );
            }
            of_roles.push('}');
            roles.push(of_roles);
        }
        text.push('}');
    }

    fn events(&self, display: Display, text: &mut String) {
        let Self { plan, written, story, words, .. } = *self;
        text.push_str(",\"events\":");
        EventWriter { plan, lexicon: written, story, words, display }.write_all(text);
    }
}

/// Writes one row, part by part.
pub struct RowWriter<'r, 'a> {
    pub of: &'r StoryWriter<'r, 'a>,
    pub told: &'r StoryFragments,
    pub question: &'r QuestionFragments,
    pub answered: &'r Answered,
    /// All that is answered of the story, in the order of questions.
    pub answers: &'r [Answered],
    pub display: Display,
    /// The story's index, as text.
    pub index: &'r str,
    /// The texts after the index: in the row's own id, and in that of its twin.
    pub marks: [&'r str; 2],
    /// The texts after the index in the ids of all stories of a triplet.
    pub all_marks: &'r [&'r str],
    /// The step in which the story differs from its twin, if it has one.
    pub differs_at: Option<usize>,
    /// How difficult the question is, and its quantile, if rows say it.
    pub difficulty: Option<(Difficulty, Option<u8>)>,
    /// What adds prompts, if rows have any.
    pub prompter: Option<&'r Prompter>,
    /// Where the row begins in `rows`.
    pub begin: usize,
    pub rows: &'r mut String,
}

/// Appends a list of names, or null if there are none.
fn push_names<'n>(rows: &mut String, key: &str, names: impl Iterator<Item = &'n str>) {
    rows.push_str(key);
    let from = rows.len();
    for name in names {
        push_all(rows, &[if rows.len() == from { "[\"" } else { ",\"" }, name, "\""]);
    }
    rows.push_str(if rows.len() == from { "null" } else { "]" });
}

/// Appends numbers with commas between them.
#[inline]
fn push_numbers(rows: &mut String, numbers: &[usize]) {
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            rows.push(',');
        }
        push_number(rows, number);
    }
}

impl WriteParts for RowWriter<'_, '_> {
    #[inline]
    fn origin(&mut self) {
        let Self { of, question, index, marks, .. } = self;
        push_all(self.rows, &[&of.fragments.id_head, index, marks[0], &question.board, index]);
    }

    #[inline]
    fn params(&mut self) {
        self.rows.push_str(&self.of.fragments.params);
        if self.of.fragments.has_drawn_places {
            for (shown, written) in self.of.lexicon.drawn_names(self.of.words) {
                let separator = if self.rows.ends_with('[') { "[" } else { ",[" };
                push_all(self.rows, &[separator, &quoted(shown), ",", &quoted(written), "]"]);
            }
        }
        self.rows.push(']');
    }

    fn scenario(&mut self) {
        let Some(scenario) = &self.question.scenario else {
            return self.rows.push_str(
                ",\"scenario\":null,\"state\":null,\"linked\":null,\"caused_by\":null,\"rules\":null",
            );
        };
        self.rows.push_str(scenario);
        let run = &self.of.fragments.id_head[ID.len()..];
        let mut separator = ",\"linked\":[\"";
        for [at, number] in &self.question.linked {
            if self.answers.binary_search_by_key(at, |answered| answered.question).is_ok() {
                push_all(self.rows, &[separator, run, self.index, self.marks[0], "/"]);
                push_number(self.rows, *number);
                separator = "\",\"";
            }
        }
        self.rows.push_str(if separator == "\",\"" { "\"]" } else { ",\"linked\":null" });
        self.rows.push_str(",\"caused_by\":[");
        push_numbers(self.rows, &self.answered.caused_by);
        push_all(self.rows, &["]", self.of.fragments.rules]);
    }

    #[inline]
    fn telling(&mut self) {
        self.rows.push_str(&self.told.telling);
    }

    fn wording(&mut self) {
        // Of things it is told plainly that they are moved.
        let wording = self.of.plan.wording.as_ref().filter(|_| self.display == Display::People);
        let name = wording.map(|pack| quoted(&pack.name.value));
        push_all(self.rows, &[",\"wording\":", name.as_deref().unwrap_or("null")]);
    }

    fn retelling(&mut self) {
        // Stories are worded again after they are written.
        self.rows.push_str(",\"worded_by\":null,\"reworded\":null");
    }

    fn matters(&mut self) {
        self.rows.push_str(&self.told.matters);
    }

    #[inline]
    fn question(&mut self) {
        let StoryWriter { plan, lexicon, story, words, .. } = *self.of;
        self.rows.push_str(",\"question\":\"");
        lexicon.question(story, words, &plan.questions[self.answered.question], self.rows);
        self.rows.push('"');
    }

    #[inline]
    fn answer(&mut self) {
        self.rows.push_str(",\"answer\":");
        self.value(self.answered.answer);
    }

    #[inline]
    fn choices(&mut self) {
        self.rows.push_str(",\"choices\":[");
        for (at, &choice) in self.answered.choices.iter().enumerate() {
            self.item(at > 0, choice);
        }
        self.rows.push_str("],\"label\":");
        push_number(self.rows, self.answered.label);
    }

    #[inline]
    fn asked(&mut self) {
        let StoryWriter { plan, written, story, words, .. } = *self.of;
        self.rows.push_str(&self.question.kind);
        for (at, &mind) in self.question.minds.iter().enumerate() {
            let separator = if at == 0 { "\"" } else { ",\"" };
            push_all(self.rows, &[separator, written.name(story, words, self.display, mind), "\""]);
        }
        let about = written.target(story, words, &plan.questions[self.answered.question]);
        push_all(self.rows, &["],\"about\":\"", about, "\""]);
    }

    fn matter(&mut self) {
        let about = self.question.matter.map(|matter| self.told.roles[matter].as_str());
        self.rows.push_str(about.unwrap_or(",\"matter\":null,\"roles\":null"));
    }

    fn people(&mut self) {
        let StoryWriter { plan, lexicon, written, story, words, .. } = *self.of;
        let question = &plan.questions[self.answered.question];
        let of = match question.kind {
            QuestionKind::World | QuestionKind::WorldThings => &question.others,
            _ => &question.of,
        };
        let of = lexicon.sorted(story, words, of);
        let people = of.iter().map(|&who| written.name(story, words, self.display, who));
        push_names(self.rows, ",\"of\":", people);
    }

    fn unlike(&mut self) {
        let matters = &self.of.plan.staging.as_ref().expect("matters are staged").matters;
        let unlike = self.answered.unlike.iter().map(|&matter| matters[matter].name.as_str());
        push_names(self.rows, ",\"unlike\":", unlike);
    }

    #[inline]
    fn truth(&mut self) {
        self.rows.push_str(",\"truth\":");
        self.value(self.answered.truth);
        self.rows.push_str(match self.answered.false_belief {
            Some(true) => ",\"false_belief\":true,\"mislead_distance\":",
            Some(false) => ",\"false_belief\":false,\"mislead_distance\":",
            None => ",\"false_belief\":null,\"mislead_distance\":",
        });
        match self.answered.mislead_distance {
            Some(distance) => push_number(self.rows, distance),
            None => self.rows.push_str("null"),
        }
    }

    #[inline]
    fn evidence(&mut self) {
        self.rows.push_str(",\"evidence\":[");
        push_numbers(self.rows, &self.answered.evidence);
        self.rows.push(']');
    }

    #[inline]
    fn foils(&mut self) {
        self.rows.push_str(",\"foils\":{");
        for (at, (key, answer)) in
            self.of.fragments.foils.iter().zip(self.answered.foils.all_answers()).enumerate()
        {
            self.rows.push_str(&key[usize::from(at == 0)..]);
            self.value(answer);
        }
        self.rows.push('}');
    }

    fn twin(&mut self) {
        let run = &self.of.fragments.id_head[ID.len()..];
        push_all(self.rows, &[",\"twin\":\"", run, self.index, self.marks[1], "/"]);
        push_number(self.rows, self.question.number);
        self.rows.push_str("\",\"differs_at\":");
        match self.differs_at {
            Some(step) => push_number(self.rows, step),
            None => self.rows.push_str("null"),
        }
    }

    fn triplet(&mut self) {
        let run = &self.of.fragments.id_head[ID.len()..];
        let mut separator = ",\"triplet\":[\"";
        for mark in self.all_marks {
            push_all(self.rows, &[separator, run, self.index, mark, "/"]);
            push_number(self.rows, self.question.number);
            separator = "\",\"";
        }
        self.rows.push_str("\"]");
    }

    fn length(&mut self) {
        let StoryWriter { plan, story, .. } = *self.of;
        let steps = story.trace.events.len();
        let own = story.own_steps(plan);
        self.rows.push_str(",\"own_steps\":[");
        push_numbers(self.rows, &[own.start, own.end - 1]);
        self.rows.push_str("],\"words\":");
        push_number(self.rows, self.told.words);
        self.rows.push_str(",\"depth\":");
        match self.answered.evidence.iter().max() {
            Some(settled) => push_number(self.rows, (200 * settled + steps) / (2 * steps)),
            None => self.rows.push_str("null"),
        }
    }

    #[inline]
    fn events(&mut self) {
        self.rows.push_str(&self.told.events);
    }

    fn lives(&mut self) {
        let StoryWriter { plan, lexicon, words, .. } = *self.of;
        let question = &plan.questions[self.answered.question];
        let Some(lives) = lexicon.heard_in(words, question, &self.answered.choices) else {
            return self.rows.push_str(",\"lives\":null");
        };
        let mut separator = ",\"lives\":[[";
        for steps in lives {
            self.rows.push_str(separator);
            push_numbers(self.rows, steps);
            separator = "],[";
        }
        self.rows.push_str("]]");
    }

    fn difficulty(&mut self) {
        let Some((difficulty, quantile)) = &self.difficulty else { return };
        let numbers = difficulty.numbers().into_iter().chain([quantile.map(usize::from)]);
        let mut separator = ",\"difficulty\":{\"";
        for (name, number) in DIFFICULTY_COLUMNS.iter().zip(numbers) {
            push_all(self.rows, &[separator, name, "\":"]);
            match number {
                Some(number) => push_number(self.rows, number),
                None => self.rows.push_str("null"),
            }
            separator = ",\"";
        }
        self.rows.push('}');
    }

    fn prompt(&mut self) {
        let Some(prompter) = self.prompter else { return };
        let mut text = String::new();
        prompter.write(&self.rows[self.begin..], self.of.story.index, self.question.number, &mut text);
        self.rows.push_str(&text);
    }
}

impl RowWriter<'_, '_> {
    /// Appends an answer, or null.
    #[inline(always)]
    fn value(&mut self, answer: Option<Answer>) {
        match answer {
            Some(answer) => self.item(false, answer),
            None => self.rows.push_str("null"),
        }
    }

    /// Appends an answer, with a comma before it if it continues a list.
    #[inline(always)]
    fn item(&mut self, goes_on: bool, answer: Answer) {
        match answer {
            Answer::Place(place) if !self.of.fragments.has_drawn_places => {
                let name = &self.of.fragments.places[place.index()];
                self.rows.push_str(&name[usize::from(!goes_on)..]);
            }
            answer => {
                self.rows.push_str(if goes_on { ",\"" } else { "\"" });
                self.of.lexicon.answer(self.of.story, self.of.words, answer, self.rows);
                self.rows.push('"');
            }
        }
    }
}
