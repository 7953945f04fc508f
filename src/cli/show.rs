//! `storysim show`: stories to read.

use std::fmt::Write;

use comfy_table::{Attribute, Cell, CellAlignment, Color};

use super::boards::{compile_aloud, load_worded};
use super::generate::{read_keep, refused};
use super::report::{header, table};
use super::scenarios;
use super::sheet::{no_evidence, refuse_sheet, write_sheet};
use super::{Failure, ReportFormat, ShowArguments, look, print};
use crate::belief::Chain;
use crate::dataset::{DIFFICULTY_COLUMNS, Keep, RowMaker, RowOptions, Search};
use crate::diagnostic::counted;
use crate::folder::{STORIES_LOOKED_AT, variants};
use crate::id::CharacterId;
use crate::plan::{Bundle, Moment, Plan, Question, Target, written_number};
use crate::question::{Answer, Answered, Asker, DifficultyGauge, Foils};
use crate::render::Look;
use crate::select::{Family, Ranking, ranking};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::text::{Display, Lexicon, Words};
use crate::world::Item;

/// The largest number of stories that are shown at once.
pub const COUNT_MAX: u64 = 1_000;

pub fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    refuse_sheet(arguments)?;
    let keep = arguments.keep.as_deref().map(read_keep).transpose()?;
    let boards = load_worded(std::slice::from_ref(&arguments.board), &arguments.worded, ReportFormat::Text)?;
    let variants = variants(&boards, &arguments.settings)?;
    let [variant] = &variants[..] else {
        return Err(Failure::Usage("`show` takes one value for each parameter: --set NAME=V".into()));
    };
    let Some(until) = arguments.index.checked_add(arguments.count) else {
        return Err(Failure::Usage(format!("there is no story after number {}", u64::MAX - 1)));
    };
    let family = compile_aloud(variant, &mut Vec::new(), ReportFormat::Text, false)?.family;
    if let Some(html) = &arguments.html {
        return write_sheet(arguments, variant, &family, html);
    }
    let mut maker = RowMaker::new(&family, arguments.seed, &[], RowOptions::default());
    let ranking = arguments.difficulty.then(|| ranking(&family));
    let indices = match &keep {
        None => (arguments.index..until).collect(),
        Some(keep) => kept(arguments, &family, keep)?,
    };
    indices.into_iter().try_for_each(|index| print(&text_of(&mut maker, arguments.seed, index, ranking)))
}

/// The first stories that are kept, from the one that is asked for on. For each, it is looked at so many stories at most.
///
/// # Errors
/// If there are fewer; what keeps them off is reported.
fn kept(arguments: &ShowArguments, family: &Family, keep: &Keep) -> Result<Vec<u64>, Failure> {
    let mut maker = RowMaker::new(family, arguments.seed, &[], RowOptions::default());
    let (mut indices, mut from) = (Vec::new(), arguments.index);
    while (indices.len() as u64) < arguments.count {
        let mut search = Search::new(keep);
        let mut all = from..from.saturating_add(STORIES_LOOKED_AT);
        let Some(index) = all.find(|&index| maker.look(index, &mut search)) else {
            let stories = counted(STORIES_LOOKED_AT, "story");
            let problem = search.problem(&format!("of {stories} from number {from} on"));
            return Err(refused(&problem, keep.source()));
        };
        indices.push(index);
        from = index + 1;
    }
    Ok(indices)
}

/// A story with its questions, as text.
fn text_of(maker: &mut RowMaker<'_>, seed: u64, index: u64, ranking: Option<&Ranking>) -> String {
    let mut words = Words::default();
    maker.draw(index);
    let (plan, story) = (maker.plan(), maker.story());
    let lexicon = Lexicon::new(plan, seed, str::to_owned);
    lexicon.draw(story, &mut words);
    let look = look(&std::io::stdout());
    let mut page = Page { plan, story, words: &words, lexicon: &lexicon, look, text: String::new() };
    page.heading(seed);
    page.events();
    page.scenarios();
    let mut asker = Asker::new(plan, seed);
    let mut gauge = DifficultyGauge::new(plan);
    let answers = asker.ask(story);
    for question in plan.written_questions() {
        let all = question..question + plan.bundle_of(question).map_or(1, Bundle::len);
        match answers.iter().find(|answered| all.contains(&answered.question)) {
            Some(answered) => {
                let difficulty = ranking.map(|ranking| difficulty(&mut gauge, ranking, story, answered));
                page.answered(answered, difficulty.as_deref());
            }
            None => page.unanswered(question),
        }
    }
    page.text
}

/// How difficult a question is, in words.
fn difficulty(
    gauge: &mut DifficultyGauge<'_>,
    ranking: &Ranking,
    story: &Story,
    answered: &Answered,
) -> String {
    let difficulty = gauge.measure(story, answered);
    let number = written_number(&gauge.plan().bundles, answered.question);
    let quantile = ranking.quantile(number, &difficulty).map(usize::from);
    let numbers = DIFFICULTY_COLUMNS.iter().zip(difficulty.numbers().into_iter().chain([quantile]));
    let told: Vec<String> =
        numbers.filter_map(|(name, number)| Some(format!("{name}: {}", number?))).collect();
    told.join(", ")
}

struct Page<'a> {
    plan: &'a Plan,
    story: &'a Story,
    words: &'a Words,
    lexicon: &'a Lexicon<'a>,
    look: Look,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes all");
        self.text.push('\n');
    }

    fn name(&self, who: CharacterId) -> &str {
        self.lexicon.name(self.story, self.words, Display::People, who)
    }

    fn answer(&self, answer: Option<Answer>) -> String {
        let Some(answer) = answer else { return "unknown".to_owned() };
        let mut text = String::new();
        self.lexicon.answer(self.story, self.words, answer, &mut text);
        text
    }

    /// The sentence for what happens at a step.
    fn sentence(&self, display: Display, step: usize) -> String {
        let mut text = String::new();
        self.lexicon.sentence(self.story, self.words, display, step, &mut text);
        text
    }

    /// The same sentence without those before it.
    fn sentence_alone(&self, display: Display, step: usize) -> String {
        let mut text = String::new();
        self.lexicon.sentence_alone(self.story, self.words, display, step, &mut text);
        text
    }

    fn strong(&self, text: &str) -> String {
        if !self.look.colour {
            return text.to_owned();
        }
        let style = anstyle::Style::new().bold();
        format!("{style}{text}{style:#}")
    }

    /// Appends a table, indented by two spaces.
    fn push_table(&mut self, table: &comfy_table::Table) {
        for line in table.to_string().lines() {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    fn heading(&mut self, seed: u64) {
        let parameters: Vec<String> =
            self.plan.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let mut title = format!("{}, seed {seed}, story {}", self.plan.name, self.story.index);
        if !parameters.is_empty() {
            write!(title, " ({})", parameters.join(", ")).expect("a string takes all");
        }
        let title = self.strong(&title);
        self.line(format_args!("{title}\n"));
        let roles = self.plan.role_names.iter().enumerate();
        let roles = roles.map(|(at, role)| format!("{role} is {}", self.name(CharacterId::new(at))));
        let binds = self.plan.bind_names.iter().zip(self.story.binds(self.plan));
        let binds = binds.map(|(bind, place)| format!("{bind} is {}", self.lexicon.place(place)));
        let cast: Vec<String> = roles.chain(binds).collect();
        if !cast.is_empty() {
            self.paragraph(&format!("{}.", cast.join(", ")));
        }
        let mut context = String::new();
        self.lexicon.context(self.story, self.words, Display::People, &mut context);
        self.paragraph(&context);
    }

    /// Appends a paragraph, wrapped at the width of the terminal.
    fn paragraph(&mut self, text: &str) {
        let lines = self.wrapped(text);
        self.line(format_args!("{lines}\n"));
    }

    /// Text in lines that fit the terminal.
    fn wrapped(&self, text: &str) -> String {
        Self::wrapped_in(text, self.look.width)
    }

    /// Text in lines of this width.
    fn wrapped_in(text: &str, width: usize) -> String {
        let mut lines = String::new();
        let mut column = 0;
        for word in text.split(' ') {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width {
                lines.push('\n');
                column = 0;
            }
            if column > 0 {
                lines.push(' ');
                column += 1;
            }
            lines.push_str(word);
            column += length;
        }
        lines
    }

    fn events(&mut self) {
        let has_deeds = self.story.trace.has_deeds();
        let mut events = table(self.look);
        let titles: &[&str] = if has_deeds {
            &["step", "event", "from", "witnesses"]
        } else {
            &["step", "event", "from", "others there", "other witnesses"]
        };
        events.set_header(header(titles, self.look));
        let roles = self.plan.role_names.len();
        let own = self.story.own_steps(self.plan);
        for witnessed in self.story.trace.unfold() {
            let event = witnessed.event;
            if !own.contains(&witnessed.step) {
                self.around(&mut events, witnessed.step, own.end);
                continue;
            }
            for heading in self.lexicon.headings(self.words, witnessed.step) {
                events.add_row([Cell::new(""), Cell::new(self.strong(&heading))]);
            }
            let names = |who: &mut dyn Iterator<Item = CharacterId>| {
                who.map(|who| self.name(who)).collect::<Vec<&str>>().join(", ")
            };
            let is_role = event.who.index() < roles;
            let sentence = Cell::new(self.sentence(Display::People, witnessed.step));
            let sentence = if is_role && self.look.colour { sentence.fg(Color::Cyan) } else { sentence };
            let step = Cell::new(witnessed.step).set_alignment(CellAlignment::Right);
            let mut row = vec![step, sentence, self.lexicon.place_in(self.words, event.from).into()];
            let others = |who: &&CharacterId| **who != event.who;
            if has_deeds {
                row.push(names(&mut witnessed.witnesses.iter().filter(others).copied()).into());
            } else {
                row.push(names(&mut witnessed.roster.iter().filter(others).copied()).into());
                let is_afar = |who: &&CharacterId| !witnessed.roster.contains(who);
                row.push(names(&mut witnessed.witnesses.iter().filter(is_afar).copied()).into());
            }
            events.add_row(row);
            let asides = self.lexicon.asides(self.story, self.words, witnessed.step);
            let said = self.lexicon.said_besides(self.story, self.words, witnessed.step);
            let notes = self.lexicon.notes(self.story, self.words, witnessed.step);
            for note in asides.into_iter().chain(notes).chain(said) {
                events.add_row([Cell::new(""), Cell::new(note)]);
            }
        }
        self.push_table(&events);
    }

    /// Says once for all what others do before or after the storyboard's own part, which ends at a step.
    fn around(&self, events: &mut comfy_table::Table, step: usize, end: usize) {
        let steps = match step {
            0 => self.story.before,
            step if step == end => self.story.trace.events.len() - end,
            _ => return,
        };
        let told = format!("({}: people without a role go about)", counted(steps, "step"));
        events.add_row([Cell::new(step).set_alignment(CellAlignment::Right), Cell::new(told)]);
    }

    /// Appends, of a story in scenarios, what was announced in each, and what becomes of those who are asked about.
    fn scenarios(&mut self) {
        let Some(of) = self.lexicon.scenarios(self.story, self.words) else { return };
        scenarios::preface(&of).iter().for_each(|text| self.paragraph(text));
        for (number, scenario) in of.scenarios.iter().enumerate() {
            let heading = self.strong(&format!("{}.", scenario.heading));
            self.line(format_args!("{heading}"));
            if scenario.news.is_empty() {
                self.line(format_args!("No news.\n"));
            } else {
                self.push_table(&scenarios::news(&of, scenario, self.look));
            }
            for fate in &of.fates {
                let title = self.wrapped(&format!("{}, at the end:", scenarios::title(&of, fate)));
                self.line(format_args!("{title}"));
                self.push_table(&scenarios::ends(&of, fate, number, self.look));
            }
        }
    }

    fn question(&mut self, question: usize) {
        let mut text = format!("{question}. ");
        self.lexicon.question(self.story, self.words, &self.plan.questions[question], &mut text);
        let text = self.strong(&self.wrapped(&text));
        self.line(format_args!("{text}"));
    }

    /// Appends why a question is not written.
    fn not_written(&mut self, why: &str) {
        const INDENT: &str = "   ";
        let lines =
            Self::wrapped_in(&format!("not written: {why}"), self.look.width.saturating_sub(INDENT.len()));
        let lines = lines.replace('\n', &format!("\n{INDENT}"));
        self.line(format_args!("{INDENT}{lines}\n"));
    }

    fn unanswered(&mut self, question: usize) {
        if let Some(bundle) = self.plan.bundle_of(question) {
            let kind = self.plan.questions[question].kind.key();
            let text = self.strong(&self.wrapped(&format!("{kind}: {}", bundle.written.join(", "))));
            self.line(format_args!("{text}"));
            let why = match bundle.unlike {
                Some(_) => "no matters have answers as different as they have to be, or it could not be said",
                None => "a careful reader could not say",
            };
            return self.not_written(why);
        }
        self.question(question);
        let why = match self.plan.questions[question].kind {
            QuestionKind::World | QuestionKind::WorldThings => {
                "the target did not go on from there, or someone else went first"
            }
            _ => "a careful reader could not say",
        };
        self.not_written(why);
    }

    fn answered(&mut self, answered: &Answered, difficulty: Option<&str>) {
        self.question(answered.question);
        let mut facts = table(self.look);
        let answer = Cell::new(self.answer(answered.answer));
        let answer =
            if self.look.colour { answer.fg(Color::Green).add_attribute(Attribute::Bold) } else { answer };
        facts.add_row([Cell::new("   answer"), answer]);
        let reality = self.answer(answered.truth);
        let reality = match (answered.false_belief, answered.mislead_distance) {
            (Some(true), Some(distance)) => format!("{reality} (false belief, mislead distance {distance})"),
            (Some(true), None) => format!("{reality} (false belief)"),
            (Some(false), _) => format!("{reality} (true belief)"),
            (None, _) => reality,
        };
        // Of what news does to people, only what they think can be true.
        let is_of_news = self.plan.questions[answered.question].dynamic.is_some();
        if !(is_of_news && answered.truth.is_none()) {
            facts.add_row(["   truth", &reality]);
        }
        let display = Display::of(self.plan.questions[answered.question].kind);
        if display == Display::Things {
            let thing = |who| self.lexicon.name(self.story, self.words, display, who);
            let things = (0..self.plan.role_names.len()).map(CharacterId::new);
            let things: Vec<String> =
                things.map(|who| format!("{} for {}", thing(who), self.name(who))).collect();
            facts.add_row(["   retold with", &things.join(", ")]);
        }
        let evidence: Vec<String> = answered
            .evidence
            .iter()
            .map(|&step| format!("{step}: {}", self.sentence_alone(display, step)))
            .collect();
        let none = no_evidence(self.plan.questions[answered.question].kind);
        let evidence = if evidence.is_empty() { none.to_owned() } else { evidence.join("\n") };
        facts.add_row(["   evidence", &evidence]);
        let foils = Foils::NAMES.iter().zip(answered.foils.answers()).filter(|(_, place)| place.is_some());
        let foils: Vec<String> =
            foils.map(|(name, place)| format!("{}: {}", name, self.answer(place))).collect();
        if !foils.is_empty() {
            facts.add_row(["   shortcuts say", &foils.join("\n")]);
        }
        if let Some(difficulty) = difficulty {
            facts.add_row(["   difficulty", difficulty]);
        }
        self.push_table(&facts);
        self.minds(answered);
    }

    /// Appends what each mind along the chain holds, at each step at which one of them changes.
    fn minds(&mut self, answered: &Answered) {
        let question = &self.plan.questions[answered.question];
        let Some(chain) = mind_chain(question).filter(|chain| chain.order() > 0) else { return };
        let mut minds = table(self.look);
        let target = self.lexicon.target(self.story, self.words, question);
        let is_somewhere = matches!(chain.target(), Item::Character(_) | Item::Object(_));
        let truth = if is_somewhere { format!("{target} is in") } else { target.to_owned() };
        let mut titles = vec!["   step".to_owned(), truth];
        for depth in 1..=chain.order() {
            let names: Vec<&str> = chain.minds()[..depth].iter().map(|&mind| self.name(mind)).collect();
            titles.push(format!("{} thinks", names.join(" thinks ")));
        }
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        minds.set_header(header(&titles, self.look));
        let mut before: Option<Vec<String>> = None;
        let until = match question.moment_in(&self.story.trace, self.story.before) {
            Moment::Before(step) => step,
            _ => self.story.trace.events.len(),
        };
        let held = self.lexicon.held_along(self.story, self.words, chain, until);
        for (after, now) in held.into_iter().enumerate() {
            if before.as_ref() == Some(&now) {
                continue;
            }
            let step = if after == 0 { "   start".to_owned() } else { format!("   {}", after - 1) };
            let mut row = vec![Cell::new(step)];
            for (depth, held) in now.iter().enumerate() {
                let is_new = before.as_ref().is_none_or(|before| before[depth] != *held);
                let cell = Cell::new(if is_new { held } else { "·" });
                let is_wrong = is_new && *held != now[0];
                row.push(if is_wrong && self.look.colour { cell.fg(Color::Yellow) } else { cell });
            }
            minds.add_row(row);
            before = Some(now);
        }
        self.push_table(&minds);
    }
}

/// The chain of minds that a question is about, if there is one and it asks about the actual story.
fn mind_chain(question: &Question) -> Option<Chain> {
    let has_chain =
        matches!(question.kind, QuestionKind::Belief | QuestionKind::Knows | QuestionKind::CouldAnswer);
    match (question.target, question.moment) {
        (_, Moment::Without(_)) | (Target::Attitude(_) | Target::Matter(_), _) => None,
        (Target::Item(item), _) => has_chain.then(|| Chain::new(&question.others, item)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{ANN, BASKET, BOB, BOX, HALL, KITCHEN, MARBLE, ZOE, deed, plan, story, tell};
    use crate::world::{Act, Deed, Event, Hearers, Trust, Value};

    #[test]
    fn a_story_with_deeds_can_be_read_in_80_columns() {
        let marble = Item::Object(MARBLE);
        let mut story = story(vec![
            deed(Act::Go),
            Deed { act: Act::MoveObject(MARBLE, BOX), peeking: vec![ZOE], distracted: vec![] },
            deed(tell(Hearers::Afar(vec![BOB]), marble, Value::Container(BOX))),
        ]);
        story.trace.events[0] = Event { who: BOB, from: KITCHEN, to: HALL };
        story.trace.stage.trust = Trust::Always;
        let mut plan = plan();
        plan.questions =
            vec![crate::plan::Question::new(QuestionKind::Belief, vec![ANN, BOB], Target::Item(marble))];
        let (lexicon, words) = (Lexicon::new(&plan, 7, str::to_owned), Words::default());
        let look = Look { colour: false, width: 80 };
        let mut page =
            Page { plan: &plan, story: &story, words: &words, lexicon: &lexicon, look, text: String::new() };
        page.heading(7);
        page.events();
        let (answer, truth) = (Some(Answer::Container(BOX)), Some(Answer::Container(BASKET)));
        page.answered(&Answered { answer, truth, evidence: vec![2], ..Answered::default() }, None);
        assert!(page.text.lines().all(|line| line.chars().count() <= 80), "{}", page.text);
        let words: Vec<&str> = page.text.split_whitespace().collect();
        let text = words.join(" ");
        for part in [
            "1 Ann moves the marble into Zoe's box the kitchen Zoe \
             Zoe watches this from elsewhere, and nobody notices Zoe.",
            "2 Ann phones Bob and says that the marble is the kitchen Bob in Zoe's box",
            "0. Where does Ann think that Bob thinks the marble is?",
            "answer Zoe's box",
            "truth basket",
            "evidence 2: Ann phones Bob",
            "step marble is in Ann thinks Ann thinks Bob thinks",
            "start basket basket basket",
            "1 Zoe's box Zoe's box ·",
            "2 · · Zoe's box",
        ] {
            assert!(text.contains(part), "{part}: {}", page.text);
        }
    }
}
