//! Compares rows, as they are written, with the written-out definition of belief.
//!
//! An [`Inspector`] reads the text of a story's rows. From the story's trace it derives again which of the questions have
//! an answer, and what their rows say about it. It uses an [`Oracle`] that shares no code with the trackers or with the
//! code that answers questions.

mod dynamics;
mod matters;
mod news;
mod oracle;
mod row;
mod sayings;
mod unlike;

pub use oracle::{Derived, ORDER_MAX, Oracle, Reply};

use std::fmt;

use crate::id::CharacterId;
use crate::plan::{Moment, Plan, Question, Saying, Target};
use crate::question::{Answer, CHOICES_MAX, Standing, Verdict};
use crate::simulate::Story;
use crate::spelling::{at_start, shown};
use crate::storyboard::{QuestionKind, Style, THINGS};
use crate::text::Lexicon;
use crate::world::{Item, Value};
use dynamics::Compared;
use matters::Expected;
use row::Row;
use unlike::{Mirrors, Unlike};

/// Checks the rows of a plan's stories.
///
/// ```
/// use storysim::{compile::compile, dataset::{RowMaker, RowOptions}, select::Family, storyboard, verify::Inspector};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let (mut maker, mut rows) = (RowMaker::new(&family, 7, &[], RowOptions::default()), String::new());
/// maker.rows(42, &mut rows);
/// let inspector = Inspector::new(maker.plan(), 7, &[]);
/// assert_eq!(inspector.inspect(maker.story(), &rows), []);
/// let forged = rows.replace("\"false_belief\":true", "\"false_belief\":false");
/// assert_eq!(inspector.inspect(maker.story(), &forged)[0].differences[0].field, "false_belief");
/// ```
#[derive(Clone, Debug)]
pub struct Inspector<'a> {
    plan: &'a Plan,
    seed: u64,
    /// The beginning of the id of every row.
    run: String,
    /// Whether rows have the field `of`.
    has_of: bool,
    oracle: Oracle<'a>,
    /// For stories of news in the words of a wording: what they say in plain words.
    plain: Option<Lexicon<'a>>,
}

/// A row that does not say what follows from the definition of belief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The index of the story.
    pub index: u64,
    /// The number of the question; if the line is not a row, the number of the line.
    pub question: usize,
    /// The differences, of which there is at least one.
    pub differences: Vec<Difference>,
}

/// A difference between a row and what follows from the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key of the field.
    pub field: &'static str,
    /// The value in the row.
    pub written: String,
    /// The value that follows from the definition.
    pub derived: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "story {}, question {}: ", self.index, self.question)?;
        for (at, Difference { field, written, derived }) in self.differences.iter().enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            write!(to, "{separator}{field} is {written}, by the definition {derived}")?;
        }
        Ok(())
    }
}

impl<'a> Inspector<'a> {
    /// An inspector of rows made under this seed. `set` names the parameters that appear in the rows' ids.
    pub fn new(plan: &'a Plan, seed: u64, set: &[String]) -> Self {
        let set = plan.parameters.iter().filter(|(name, _)| set.contains(name));
        let set: String = set.map(|(name, value)| format!(",{name}={value}")).collect();
        let has_matters = plan.staging.as_ref().is_some_and(|staging| !staging.matters.is_empty());
        let has_lists = plan.questions.iter().any(|question| !question.of.is_empty());
        Self {
            plan,
            seed,
            run: format!("{}{set}/{seed}/", plan.name),
            has_of: has_matters || has_lists || !plan.bundles.is_empty(),
            oracle: Oracle::new(plan),
            plain: news::is_worded(plan).then(|| Lexicon::new(plan, seed, str::to_owned).plainly()),
        }
    }

    /// The oracle that derives the answers.
    pub fn oracle(&self) -> &Oracle<'a> {
        &self.oracle
    }

    /// All differences between the rows of a story and what follows from its trace, in the order of questions.
    ///
    /// Costs reading the rows, and the cost of [`Oracle::answers`].
    pub fn inspect(&self, story: &Story, rows: &str) -> Vec<Disagreement> {
        let (mut written, mut found) = self.read(story, rows);
        self.put_plainly(story, &mut written);
        let unlike: Vec<_> =
            written.iter().enumerate().map(|(at, row)| self.unlike(at, row.as_ref()?)).collect();
        let told = self.told(story, &written, &unlike);
        let expected = Expected::new(self.plan, story);
        let first = written.iter().flatten().next();
        let news = self.of_news(story, &written);
        let of_first = first.and_then(|row| expected.of_story(row));
        for (question, written) in written.iter().enumerate() {
            // Of questions that are written as one, only one is asked, and any may be.
            let is_asked = written.is_some() || self.plan.bundle_of(question).is_none();
            let derived = if is_asked { told.reply(question) } else { Reply::NoRow };
            let differences = match (written, &derived) {
                _ if dynamics::is_read(&self.plan.questions[question]) => {
                    let mut found = news[question].clone();
                    found.extend(written.as_ref().and_then(|row| expected.of_story(row)));
                    found
                }
                (None, Reply::NoRow) | (_, Reply::Lost) => Vec::new(),
                (Some(row), Reply::Row(derived)) => {
                    // The rows of a story say the same of its matters, as a rule.
                    let is_as_first =
                        first.is_some_and(|first| row.matters == first.matters && row.story == first.story);
                    let of_story = if is_as_first { of_first.clone() } else { expected.of_story(row) };
                    let mut found = self.differences(story, question, row, derived);
                    found.extend(of_story);
                    found.extend(expected.of_question(row, &self.plan.questions[question]));
                    found.extend(match &unlike[question] {
                        Some(Ok(unlike)) => self.difference_of_unlike(story, question, row, (unlike, &told)),
                        Some(Err(difference)) => Some(difference.clone()),
                        None => None,
                    });
                    found
                }
                (Some(row), Reply::NoRow) => vec![Difference {
                    field: "answer",
                    written: row.answer.to_string(),
                    derived: "not written".to_owned(),
                }],
                (None, Reply::Row(derived)) => vec![Difference {
                    field: "answer",
                    written: "not written".to_owned(),
                    derived: self.spell(story, derived.answer),
                }],
            };
            if !differences.is_empty() {
                found.push(Disagreement { index: story.index, question, differences });
            }
        }
        found.sort_by_key(|disagreement| disagreement.question);
        found
    }

    /// The rows of a story by the questions of the plan that they answer, and what is wrong with lines that are no such rows.
    fn read<'r>(&self, story: &Story, rows: &'r str) -> (Vec<Option<Row<'r>>>, Vec<Disagreement>) {
        let mut written: Vec<Option<Row<'_>>> = self.plan.questions.iter().map(|_| None).collect();
        let mut found = Vec::new();
        let mut disagree = |question, field, written: String, derived: String| {
            let differences = vec![Difference { field, written, derived }];
            found.push(Disagreement { index: story.index, question, differences });
        };
        let mut next = 0;
        for (at, line) in rows.lines().enumerate() {
            let mut row: Row<'_> = match serde_json::from_str(line) {
                Ok(row) => row,
                Err(error) => {
                    disagree(at, "the row", error.to_string(), "one JSON object with all fields".to_owned());
                    continue;
                }
            };
            let numbers = row.id.strip_prefix(&self.run).and_then(|rest| rest.split_once('/'));
            let number = numbers.filter(|(index, _)| *index == story.index.to_string());
            let number = number.and_then(|(_, number)| number.parse().ok());
            match number.and_then(|number| self.asked(story, number, &row)) {
                Some(number) if (next..written.len()).contains(&number) => {
                    next = number + 1;
                    if let Some(place) = self.misnamed(story, &row) {
                        let derived = format!("a story that names {place} where somebody goes there");
                        disagree(number, "names", "another story".to_owned(), derived);
                    }
                    row.name_places_as_written();
                    written[number] = Some(row);
                }
                _ => disagree(
                    at,
                    "id",
                    row.id.into_owned(),
                    format!("{}{}/N, N rising", self.run, story.index),
                ),
            }
        }
        (written, found)
    }

    /// Where the names of places are drawn for each story, the first place to which somebody goes that the story does not call there as the
    /// row does.
    fn misnamed<'r>(&self, story: &Story, row: &'r Row<'_>) -> Option<&'r str> {
        let is_place = |name: &String| self.plan.place_names.contains(name);
        let is_drawn = |[drawn, name]: &&[String; 2]| is_place(name) && *drawn != shown(name);
        let staging = self.plan.staging.as_ref();
        let is_conversation = staging.is_some_and(|staging| staging.style == Style::Conversation);
        // What is retold with things may leave out some events, and who comes to a conversation names no place.
        let is_told = row.kind != "world_things" && !is_conversation;
        if !is_told || row.names.iter().find(is_drawn).is_none() {
            return None;
        }
        let mut rest = &*row.story;
        for event in story.trace.events.iter().filter(|event| event.from != event.to) {
            let written = &self.plan.place_names[event.to.index()];
            let known = row.names.iter().find(|[_, name]| name == written);
            let drawn = known.map_or("no name", |[drawn, _]| drawn.as_str());
            let found = [drawn, &*at_start(drawn)].into_iter().filter_map(|name| rest.find(name)).min();
            match found {
                Some(at) => rest = &rest[at + drawn.len()..],
                None => return Some(drawn),
            }
        }
        None
    }

    /// The number in the plan of the question with this number in the storyboard. Of those that are written as one, it is the one
    /// that names whom and what the row does.
    fn asked(&self, story: &Story, written: usize, row: &Row<'_>) -> Option<usize> {
        let first = self.plan.written_questions().nth(written)?;
        let Some(bundle) = self.plan.bundle_of(first) else { return Some(first) };
        let names_the_same = |&at: &usize| {
            let question = &self.plan.questions[at];
            let chain = minds(question).into_iter().map(|who| self.name(story, who));
            chain.eq(row.chain.iter().map(String::as_str))
                && self.about_asked(story, question, row) == row.about
                && self.of(story, question, row) == row.of
        };
        (first..first + bundle.len()).find(names_the_same)
    }

    /// The only people about whom a question asks, or who were with its target, as a row has them; `None` where it does not say.
    fn of(&self, story: &Story, question: &Question, row: &Row<'_>) -> Option<Vec<String>> {
        let is_of_company = matches!(question.kind, QuestionKind::World | QuestionKind::WorldThings);
        let mut of = if is_of_company { question.others.clone() } else { question.of.clone() };
        // In the order of the pool, which says nothing about them.
        of.sort_unstable_by_key(|who| story.names[who.index()]);
        let is_said = self.has_of && !of.is_empty();
        is_said.then(|| of.iter().map(|&who| self.called(story, question, row, who).to_owned()).collect())
    }

    /// What a row says that a question is about: of who was there, what was told, and not its being told.
    fn about_asked<'r>(&'r self, story: &Story, question: &Question, row: &'r Row<'_>) -> &'r str {
        if let Target::Item(Item::Character(who)) = question.target {
            return self.called(story, question, row, who);
        }
        let about = self.about(story, question);
        let is_present = question.kind == QuestionKind::Present;
        about.strip_suffix(".told").filter(|_| is_present).unwrap_or(about)
    }

    /// What there has to be of each question that is asked, and in the mirrors of the story.
    fn told(
        &self,
        story: &Story,
        written: &[Option<Row<'_>>],
        unlike: &[Option<Result<Unlike<'_>, Difference>>],
    ) -> Mirrors {
        if self.plan.bundles.is_empty() {
            return Mirrors::of_story(self.oracle.answers(&story.trace, story.before));
        }
        let is_asked = |at: &usize| written[*at].is_some() || self.plan.bundle_of(*at).is_none();
        let asked = (0..written.len()).filter(is_asked);
        Mirrors::of(self.plan, &story.trace, asked, unlike.iter().flatten().flatten())
    }

    /// The matters that a row says to be unlike, if they have to be; or what is wrong with what it says.
    fn unlike(&self, at: usize, row: &Row<'_>) -> Option<Result<Unlike<'a>, Difference>> {
        let bundle = self.plan.bundle_of(at)?;
        let (way, asked) = bundle.place(at).expect("one of these");
        let named = row.unlike.clone().unwrap_or_default();
        let wrong = |derived: &str| {
            let (written, derived) = (named.join(", "), derived.to_owned());
            Some(Err(Difference { field: "unlike", written, derived }))
        };
        if bundle.unlike.is_none() {
            return if named.is_empty() { None } else { wrong("null") };
        }
        let matters = &self.plan.staging.as_ref().expect("matters are staged").matters;
        let number = |name: &String| matters.iter().position(|matter| matter.name == *name);
        let others: Option<Vec<usize>> = named.iter().map(number).collect();
        let Some(others) = others else { return wrong("matters") };
        let matters = [asked].into_iter().chain(others).collect();
        Some(Ok(Unlike { bundle, way, matters }))
    }

    /// What is wrong with the matters that a row says to be unlike, and with its choices.
    fn difference_of_unlike(
        &self,
        story: &Story,
        at: usize,
        row: &Row<'_>,
        (unlike, told): (&Unlike<'_>, &Mirrors),
    ) -> Option<Difference> {
        let difference = |field, written, derived| Some(Difference { field, written, derived });
        let answers = match unlike.check(told) {
            Ok(answers) => answers,
            Err(wrong) => {
                let named = row.unlike.clone().unwrap_or_default();
                return difference("unlike", named.join(", "), format!("none: there are {wrong}"));
            }
        };
        let mut choices: Vec<String> = row.choices.clone();
        choices.sort_unstable();
        let mut offered: Vec<String> = if self.plan.questions[at].kind == QuestionKind::Why {
            self.whys_told(row).into_iter().filter(|why| choices.contains(why)).collect()
        } else {
            answers.into_iter().map(|answer| self.spell(story, answer)).collect()
        };
        offered.sort_unstable();
        offered.dedup();
        if choices == offered { None } else { difference("choices", choices.join("; "), offered.join("; ")) }
    }

    /// The reasons that are given in a conversation, in words of their own.
    fn whys_told(&self, row: &Row<'_>) -> Vec<String> {
        let packs = self.plan.staging.iter().flat_map(|staging| &staging.packs);
        let words = packs.filter_map(|pack| pack.white_lie());
        let reasons = words.flat_map(|words| words.reasons.pretend.iter().chain(&words.reasons.plain));
        let story = row.story.to_lowercase();
        let told = reasons.filter(|reason| story.contains(&reason.told.to_string().to_lowercase()));
        told.map(|reason| reason.why.to_string()).collect()
    }

    fn differences(&self, story: &Story, at: usize, row: &Row<'_>, derived: &Derived) -> Vec<Difference> {
        let question = &self.plan.questions[at];
        let labelled = row.choices.get(row.label).map_or("nothing", |choice| choice.as_ref());
        let spell = |answer| self.spell(story, answer);
        let open = |answer: Option<Answer>| answer.map_or("null".to_owned(), spell);
        let null_or = |text: Option<String>| text.unwrap_or_else(|| "null".to_owned());
        let answer = match derived.answer {
            Answer::Why(..) => self.why_told(row).unwrap_or_default(),
            answer => spell(answer),
        };
        let mut fields = vec![
            ("answer", row.answer.to_string(), answer.clone()),
            (
                "truth",
                null_or(row.truth.as_ref().map(ToString::to_string)),
                if derived.truth == derived.answer { answer.clone() } else { spell(derived.truth) },
            ),
            (
                "false_belief",
                null_or(row.false_belief.map(|is_false| is_false.to_string())),
                null_or(derived.false_belief.map(|is_false| is_false.to_string())),
            ),
            (
                "mislead_distance",
                null_or(row.mislead_distance.map(|distance| distance.to_string())),
                null_or(derived.mislead_distance.map(|distance| distance.to_string())),
            ),
            ("the labelled choice", labelled.to_owned(), answer),
            (
                "lower_order",
                null_or(row.foils.lower_order.as_ref().map(ToString::to_string)),
                open(derived.lower_order),
            ),
        ];
        if let Some(named) = self.named(story, question) {
            let mut written: Vec<&str> = row.choices.iter().map(String::as_str).collect();
            written.sort_unstable();
            fields.push(("choices", written.join(", "), named));
        }
        fields.extend(self.of_any_row(story, question, row));
        differing(fields)
    }

    /// What any row has to say, whatever the answer: what it asks, and of which story it is.
    fn of_any_row(&self, story: &Story, question: &Question, row: &Row<'_>) -> Vec<Compared> {
        let chain: Vec<&str> = minds(question).iter().map(|&who| self.name(story, who)).collect();
        let about = self.about_asked(story, question, row);
        let listed = |of: &Option<Vec<String>>| of.as_ref().map_or("null".to_owned(), |of| of.join(", "));
        let mut fields = vec![
            ("kind", row.kind.to_string(), kind(question)),
            ("order", row.order.to_string(), chain.len().to_string()),
            ("chain", row.chain.join(", "), chain.join(", ")),
            ("board", row.board.to_string(), self.plan.name.clone()),
            ("seed", row.seed.to_string(), self.seed.to_string()),
            ("index", row.index.to_string(), story.index.to_string()),
            ("about", row.about.to_string(), about.to_owned()),
            ("of", listed(&row.of), listed(&self.of(story, question, row))),
        ];
        if question.kind == QuestionKind::WorldThings && !THINGS.contains(&row.about.as_ref()) {
            fields.push(("about", row.about.to_string(), "a thing".to_owned()));
        }
        fields
    }

    /// The reason that a conversation gives for what the target is told of the thing in the question, in words of its own.
    fn why_told(&self, row: &Row<'_>) -> Option<String> {
        let packs = self.plan.staging.iter().flat_map(|staging| &staging.packs);
        packs.filter_map(|pack| pack.white_lie()).find_map(|words| {
            let names = |text: &str, name: &str| text.to_lowercase().contains(&name.to_lowercase());
            let things = words.matters.iter().map(|matter| matter.thing.to_string());
            let thing = things.filter(|thing| names(&row.question, thing)).max_by_key(String::len)?;
            let reasons = || words.reasons.pretend.iter().chain(&words.reasons.plain);
            let gives = |line: &str| {
                let told = reasons().find(|reason| names(line, &reason.told.to_string()));
                told.filter(|_| names(line, &thing)).map(|reason| reason.why.to_string())
            };
            row.story.lines().find_map(gives)
        })
    }

    /// The choices that the storyboard names, in alphabetical order, if all of them are offered.
    fn named(&self, story: &Story, question: &Question) -> Option<String> {
        let all_are_offered = (1..=CHOICES_MAX).contains(&question.choices.len());
        let spell = |&choice: &Value| Answer::of_value(choice).map(|answer| self.spell(story, answer));
        let mut named: Vec<String> = question.choices.iter().filter_map(spell).collect();
        named.sort_unstable();
        all_are_offered.then(|| named.join(", "))
    }

    /// The name of a character as the storyboard writes it, like that of a question's target.
    fn name(&self, story: &Story, who: CharacterId) -> &'a str {
        &self.plan.pool[story.names[who.index()]]
    }

    /// The name of a character in the story that a question is about. What thing she is in one told of things, only its cast
    /// says.
    fn called<'r>(
        &'r self,
        story: &Story,
        question: &Question,
        row: &'r Row<'_>,
        who: CharacterId,
    ) -> &'r str {
        match self.plan.role_names.get(who.index()).filter(|_| question.kind == QuestionKind::WorldThings) {
            Some(role) => row.cast.get(role).map_or("nothing of the cast", String::as_str),
            None => self.name(story, who),
        }
    }

    fn about(&self, story: &Story, question: &Question) -> &'a str {
        let staging = self.plan.staging.as_ref();
        let staged = || staging.expect("things are staged");
        match question.target {
            Target::Item(Item::Character(who)) => self.name(story, who),
            Target::Item(Item::Object(object)) => &staged().objects[object.index()].name,
            Target::Item(Item::Lid(container)) => &staged().containers[container.index()].name,
            Target::Item(Item::Proposition(proposition)) => {
                let proposition = &staged().propositions[proposition.index()];
                debug_assert!(!matches!(proposition.says, Saying::Likes(..)), "attitudes have lists");
                &proposition.name
            }
            Target::Item(Item::Prospect(prospect)) => &staged().prospects[prospect.index()].name,
            Target::Attitude(thing) => &staged().attitudes[thing],
            Target::Matter(matter) => &staged().matters[matter].name,
        }
    }

    /// An answer in the form in which a row has it.
    fn spell(&self, story: &Story, answer: Answer) -> String {
        match answer {
            Answer::Place(place) => shown(&self.plan.place_names[place.index()]).into_owned(),
            Answer::Container(container) => {
                let staging = self.plan.staging.as_ref().expect("containers are staged");
                shown(&staging.containers[container.index()].name).into_owned()
            }
            Answer::Character(who) => shown(self.name(story, who)).into_owned(),
            Answer::Verdict(Verdict::Yes) => "yes".to_owned(),
            Answer::Verdict(Verdict::No) => "no".to_owned(),
            Answer::Verdict(Verdict::Unknown) => "unknown".to_owned(),
            // Words are drawn, and only they know them.
            Answer::Why(..) | Answer::Shown(_) | Answer::Life(..) => String::new(),
            Answer::Standing(standing, whose) => {
                let [first, second] = whose.map(|who| shown(self.name(story, who)).into_owned());
                match standing {
                    Standing::Both => format!("Both know it, and {first} knows that {second} does."),
                    Standing::BothUnnoticed => {
                        format!("Both know it, but {first} thinks that {second} does not.")
                    }
                    Standing::First => {
                        format!("{first} knows it, and rightly thinks that {second} does not.")
                    }
                    Standing::Second => format!("{second} knows it, and {first} does not."),
                    Standing::Neither => "Neither of them knows it.".to_owned(),
                }
            }
            Answer::People(0) => "nobody".to_owned(),
            Answer::People(people) => {
                let is_among = |who: &usize| people >> who & 1 == 1;
                let mut names: Vec<usize> =
                    (0..self.plan.character_count).filter(is_among).map(|who| story.names[who]).collect();
                names.sort_unstable();
                let names: Vec<_> = names.into_iter().map(|name| shown(&self.plan.pool[name])).collect();
                names.join(", ")
            }
        }
    }
}

/// The fields whose values are not what they have to be.
fn differing(fields: Vec<Compared>) -> Vec<Difference> {
    let differs = |(field, written, derived)| Difference { field, written, derived };
    fields.into_iter().filter(|(_, written, derived)| written != derived).map(differs).collect()
}

/// The kind of a question in the form in which a row has it.
fn kind(question: &Question) -> String {
    let moment = match question.moment {
        Moment::End => "",
        Moment::Before(_) => "_before",
        Moment::Without(_) => "_without",
    };
    format!("{}{moment}", question.kind.key())
}

/// The chain of a question in the form in which a row has it: everyone knows what she thinks herself, and where she is.
fn minds(question: &Question) -> Vec<CharacterId> {
    let mut minds = question.others.clone();
    if matches!(question.kind, QuestionKind::World | QuestionKind::WorldThings) {
        minds.clear(); // these have company
    }
    minds.dedup();
    if minds.last().is_some_and(|&last| question.target == Target::Item(Item::Character(last))) {
        minds.pop();
    }
    minds
}
