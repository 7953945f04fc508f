//! One JSON object a question, on a line of its own.
//!
//! A row is put together by copying fragments that were escaped once; a general JSON serializer is several times slower. What
//! a row says comes from four places, each with a writer and fragments of its own. Of this row (shortened, one part a line):
//!
//! ```text
//! {"id":"sally-anne/7/0/0","board":"sally-anne","seed":7,"index":0   question and index   QuestionFragments
//! ,"params":{},"names":[["the garden","the_garden"],…]                plan                 PlanFragments
//! ,"cast":{"S1":"Celine"},"start":"…","context":"…","story":"…"      story and display    StoryFragments
//! ,"matters":{"m":{"thing":"the soup",…}}   (where there are some)     story and display    StoryFragments
//! ,"question":"…","answer":"drawer","choices":[…],"label":1          this row             RowWriter
//! ,"kind":"belief","order":1,"chain":["Celine"],"about":"marble"     question, this row   QuestionFragments, RowWriter
//! ,"matter":"m","roles":{"Ann":"liar",…}    (likewise)                 story and display    StoryFragments
//! ,"truth":"basket", … ,"foils":{…}                                  this row             RowWriter
//! ,"events":[…]                                                      story and display    StoryFragments
//! ,"difficulty":{…}}                       (where it is asked for)     this row             RowWriter
//! ```
//!
//! Which fields there are, and in which order, [`super::field`] says.

mod fragments;
mod writer;

use super::Splits;
use super::field::{Extras, QUANTILE, WriteParts};
use super::json::escaped;
use super::keep::{Keep, Search, numbers};
use super::prompt::{Prompt, Prompter};
use super::story::{Unit, gather};
use crate::haystack::{Haystack, Tellers};
use crate::plan::{Plan, written_number};
use crate::question::{Answered, Asker, Difficulty, DifficultyGauge};
use crate::select::{Family, Ranking, Selector, Triplets, Twin, Twinning, Twins, ranking};
use crate::simulate::Story;
use crate::storyboard::Storyboard;
use crate::text::{Display, Lexicon, Words};
use fragments::{PlanFragments, StoryFragments};
use writer::{RowWriter, StoryWriter};

/// What rows contain in addition to the fixed fields, and what one row is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowOptions {
    /// Whether rows have `events`.
    pub with_events: bool,
    /// Whether rows have `difficulty`.
    pub with_difficulty: bool,
    /// How a model is asked, if rows have `prompt` and `messages`.
    pub prompt: Option<Prompt>,
    /// What one row is about.
    pub unit: Unit,
}

impl RowOptions {
    /// Rows of questions that have `events`.
    pub const WITH_EVENTS: Self =
        Self { with_events: true, with_difficulty: false, prompt: None, unit: Unit::Question };
}

/// Makes the rows of a storyboard's stories under one seed.
///
/// ```
/// use storysim::{compile::compile, dataset::{RowOptions, RowMaker}, select::Family, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
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
    /// The names of the parameters that appear in ids.
    set: Vec<String>,
    /// What writes the stories of each plan, made when the first of them is drawn.
    writers: Vec<Option<Box<PlanWriter<'a>>>>,
    options: RowOptions,
    story: Story,
    words: Words,
    /// The fragments of the story, for each display, made when a question first needs them.
    told: [StoryFragments; 2],
    /// Decides for which stories rows are made, if not for all.
    filter: Option<SplitFilter>,
    /// Draws the twins of each story, if rows of twins are made.
    twins: Option<Box<TwinDraw<'a>>>,
    /// Adds prompts to rows, if they have any.
    prompter: Option<Box<Prompter>>,
    /// Decides which rows are made, if not all.
    keep: Option<Keep>,
    /// The rows of a story, one a question, before they are gathered.
    scattered: String,
    /// The number of questions that were answered of the story told last, and of its twins.
    answered: usize,
}

impl<'a> RowMaker<'a> {
    /// A maker of the rows of a family's stories under the seed of a run. `set` names the parameters that appear in ids.
    pub fn new(family: &'a Family, seed: u64, set: &[String], options: RowOptions) -> Self {
        Self {
            selector: Selector::new(family, seed),
            seed,
            set: set.to_vec(),
            writers: vec![None; family.plans().len()],
            options,
            story: Story::default(),
            words: Words::default(),
            told: Default::default(),
            filter: None,
            twins: None,
            prompter: options.prompt.map(|prompt| Box::new(prompter(family, seed, prompt))),
            keep: None,
            scattered: String::new(),
            answered: 0,
        }
    }

    /// The same maker, for stories with twins: the rows of each twin come right after those of its story. The storyboard is
    /// that of the family, which [`crate::select::admit_twins`] has admitted.
    ///
    /// # Panics
    /// If no question asks for a belief at the end, or if shares are balanced and the family was not admitted.
    #[must_use]
    pub fn with_twins(self, storyboard: &'a Storyboard) -> Self {
        self.with(storyboard, Twinning::Pairs)
    }

    /// The same maker, for stories with these twins: pairs as those of [`Self::with_twins`], or triplets, whose storyboard
    /// [`crate::select::admit_triplets`] has admitted. The rows of the twins come right after those of their story.
    ///
    /// # Panics
    /// If no question asks for a belief at the end, or if shares are balanced and the family was not admitted.
    #[must_use]
    pub fn with(self, storyboard: &'a Storyboard, twins: Twinning) -> Self {
        let family = self.selector.family();
        let drawn = match twins {
            Twinning::Pairs => Twins::new(storyboard, family, self.seed).map(Finding::Pairs),
            Twinning::Triplets => Triplets::new(storyboard, family, self.seed).map(Finding::Triplets),
        };
        let finding = drawn.expect("a question asks for a belief");
        let draw = TwinDraw { finding, last: Default::default() };
        let writers = vec![None; self.writers.len()];
        let selector = Selector::for_twins(family, self.seed);
        Self { twins: Some(Box::new(draw)), writers, selector, ..self }
    }

    /// The same maker, for the stories of a single split.
    #[must_use]
    pub fn only(self, splits: Splits, part: usize) -> Self {
        let writers = vec![None; self.writers.len()];
        Self { filter: Some(SplitFilter { splits, part, text: String::new() }), writers, ..self }
    }

    /// The same maker, for rows that an expression keeps. Rows of twins are kept if that of the story is.
    #[must_use]
    pub fn keeping(self, keep: Keep) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Looks at the rows of the story with this index, without making them. Returns whether one is kept.
    pub fn look(&mut self, index: u64, search: &mut Search<'_>) -> bool {
        self.draw(index);
        let Self { selector, story, writers, .. } = self;
        let (plan, mut is_kept) = (selector.plan(), false);
        let Some(PlanWriter { asker, twin_askers, gauge, .. }) =
            writers[selector.plan_number()].as_deref_mut()
        else {
            return false;
        };
        let twins = self.twins.as_ref().map_or(&[][..], |draw| &draw.last[..twin_askers.len()]);
        let answers = match twins {
            [] => asker.ask(story),
            twins => asker.ask_all(twin_askers, story, twins.iter().map(|twin| &twin.story))[0],
        };
        for answered in answers {
            let difficulty = gauge.measure(story, answered);
            let number = written_number(&plan.bundles, answered.question);
            let ranked = search.keep().asks_for(QUANTILE).then(|| ranking(selector.family()));
            let quantile = ranked.and_then(|ranking| ranking.quantile(number, &difficulty));
            is_kept |= search.add(&numbers(plan, answered, &difficulty, quantile));
        }
        is_kept
    }

    /// The story made last.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The plan of the story made last.
    pub fn plan(&self) -> &'a Plan {
        self.selector.plan()
    }

    /// The number, in its family, of the plan of the story made last.
    pub const fn plan_number(&self) -> usize {
        self.selector.plan_number()
    }

    /// The twin of the story made last, if stories have any.
    pub fn twin(&self) -> Option<&Twin> {
        self.twins().first()
    }

    /// The twins of the story made last: none, that of a pair, or both of a triplet.
    pub fn twins(&self) -> &[Twin] {
        self.twins.as_ref().map_or(&[], |draw| &draw.last[..draw.finding.kind().twins()])
    }

    /// The number of questions that were answered of the story told last, and of its twins.
    pub const fn answered(&self) -> usize {
        self.answered
    }

    /// Appends the rows of the story with this index and of its twins, each ending with a line break. Returns their number.
    pub fn rows(&mut self, index: u64, rows: &mut String) -> usize {
        if self.draw(index) { self.tell(rows) } else { 0 }
    }

    /// Draws the story with this index. Returns whether rows are made of it, which is not the case if it is in another
    /// split. Twins are in the split of their story.
    pub fn draw(&mut self, index: u64) -> bool {
        let is_split = self.filter.is_some();
        let kind = self.twins.as_ref().map(|draw| draw.finding.kind());
        let mut attempts = 0;
        let writer = loop {
            attempts = match &mut self.twins {
                None => self.selector.draw_from(index, attempts, &mut self.story),
                Some(draw) => draw.draw_from(&mut self.selector, (index, attempts), &mut self.story),
            };
            let twins = kind.map_or(0, Twinning::twins);
            let new =
                || Box::new(PlanWriter::new(self.selector.plan(), self.seed, &self.set, is_split, twins));
            let number = self.selector.plan_number();
            if self.writers[number].is_none() {
                forget_if_many(&mut self.writers);
            }
            let writer = self.writers[number].get_or_insert_with(new);
            let twins = self.twins.as_mut().map_or(&mut [][..], |draw| &mut draw.last[..twins]);
            if writer.finish(&mut self.story, twins, attempts - 1, &mut self.words) {
                break writer;
            }
        };
        self.filter.as_mut().zip(writer.plain.as_ref()).is_none_or(|(filter, lexicon)| {
            filter.text.clear();
            lexicon.story(&self.story, &self.words, Display::People, &mut filter.text);
            filter.splits.part(&filter.text) == filter.part
        })
    }

    /// Appends the rows of the story drawn last and of its twins. Returns their number.
    pub fn tell(&mut self, rows: &mut String) -> usize {
        if self.options.unit == Unit::Question {
            let begin = rows.len();
            self.answered = self.tell_questions(rows);
            return match self.keep {
                None => self.answered,
                Some(_) => rows[begin..].lines().count(),
            };
        }
        let mut scattered = std::mem::take(&mut self.scattered);
        scattered.clear();
        self.answered = self.tell_questions(&mut scattered);
        let count = gather(&scattered, rows);
        self.scattered = scattered;
        count
    }

    /// Appends the rows of the story drawn last and of its twins, one a question. Returns how many questions have an answer.
    fn tell_questions(&mut self, rows: &mut String) -> usize {
        let Self { selector, story, words, told, twins, options, prompter, keep, .. } = self;
        let Some(writer) = &mut self.writers[selector.plan_number()] else { return 0 };
        let PlanWriter { asker, twin_askers, gauge, lexicon, written, fragments, .. } = &mut **writer;
        let plan = selector.plan();
        let asks_of_scenarios = plan.questions.iter().any(|question| question.dynamic.is_some());
        let extras = Extras {
            twins: None,
            with_matters: plan.staging.as_ref().is_some_and(|staging| !staging.matters.is_empty()),
            with_people: plan.asks_about_some(),
            with_scenarios: asks_of_scenarios,
            with_events: options.with_events,
            with_lives: asks_of_scenarios && plan.lives().is_some(),
            with_difficulty: options.with_difficulty,
            with_prompt: prompter.is_some(),
            with_wording: plan.wording.is_some(),
            with_length: plan.length.is_some(),
            with_retelling: false,
        };
        let is_ranked = options.with_difficulty || keep.as_ref().is_some_and(|keep| keep.asks_for(QUANTILE));
        let measured = (options.with_difficulty || keep.is_some()).then(|| Measuring {
            gauge,
            ranking: is_ranked.then(|| ranking(selector.family())),
            keep: keep.as_ref(),
            kept: Vec::new(),
        });
        let mut teller =
            Teller { told, extras, measured, prompter: prompter.as_deref(), differs_at: None, rows };
        let of = StoryWriter { plan, fragments, lexicon, written, story, words };
        let Some(draw) = twins else {
            let answers = asker.ask(story);
            teller.rows(&of, answers, ["", ""]);
            return answers.len();
        };
        teller.extras.twins = Some(draw.finding.kind());
        let twins = &draw.last[..twin_askers.len()];
        let answers = asker.ask_all(twin_askers, story, twins.iter().map(|twin| &twin.story));
        teller.differs_at = twins.first().map(|twin| twin.step);
        teller.rows(&of, answers[0], ["", MARKS[1]]);
        for ((twin, answers), mark) in twins.iter().zip(&answers[1..]).zip(&MARKS[1..]) {
            teller.differs_at = Some(twin.step);
            lexicon.draw_again(story, &twin.story, words);
            let of = StoryWriter { plan, fragments, lexicon, written, story: &twin.story, words };
            teller.rows(&of, answers, [mark, ""]);
        }
        answers.into_iter().map(<[_]>::len).sum()
    }
}

/// Forgets all writers if there are many: of woven stories there may be thousands of plans, and a writer takes some 200 kB.
fn forget_if_many(writers: &mut [Option<Box<PlanWriter<'_>>>]) {
    const MANY: usize = 1_000;
    const KEPT_MAX: usize = 300;
    if writers.len() > MANY && writers.iter().flatten().count() >= KEPT_MAX {
        writers.fill(None);
    }
}

/// What adds prompts to the rows of a family.
fn prompter(family: &Family, seed: u64, prompt: Prompt) -> Prompter {
    let rows_of = |other, stories| {
        let mut maker = RowMaker::new(family, other, &[], RowOptions::default());
        let mut rows = String::new();
        for index in 0..stories {
            maker.rows(index, &mut rows);
        }
        rows
    };
    Prompter::new(prompt, seed, &family.plans()[0].fingerprint, rows_of)
}

/// The marks after the index in the ids of the rows of a story, of the twin in which the target does the same, and of the twin in
/// which the minds do.
const MARKS: [&str; 3] = ["", "-twin", "-target"];

/// The beginnings of the ids of all rows of a story and of its twins, up to the number of the question.
///
/// ```
/// use storysim::{dataset::heads, select::Twinning};
/// assert_eq!(heads("party", 7, 42, Some(Twinning::Pairs)), ["party/7/42/", "party/7/42-twin/"]);
/// ```
pub fn heads(board: &str, seed: u64, index: u64, twins: Option<Twinning>) -> Vec<String> {
    let marks = &MARKS[..1 + twins.map_or(0, Twinning::twins)];
    marks.iter().map(|mark| format!("{board}/{seed}/{index}{mark}/")).collect()
}

/// Draws stories with their twins.
#[derive(Clone, Debug)]
struct TwinDraw<'a> {
    finding: Finding<'a>,
    /// The twins of the story drawn last; the second is that of a triplet.
    last: [Twin; 2],
}

/// What finds the twins of stories.
#[derive(Clone, Debug)]
enum Finding<'a> {
    Pairs(Twins<'a>),
    Triplets(Triplets<'a>),
}

impl Finding<'_> {
    const fn kind(&self) -> Twinning {
        match self {
            Self::Pairs(_) => Twinning::Pairs,
            Self::Triplets(_) => Twinning::Triplets,
        }
    }
}

impl<'a> TwinDraw<'a> {
    fn draw_from(&mut self, selector: &mut Selector<'a>, from: (u64, u64), story: &mut Story) -> u64 {
        match &mut self.finding {
            Finding::Pairs(twins) => twins.draw_from(selector, from, story, &mut self.last[0]),
            Finding::Triplets(triplets) => triplets.draw_from(selector, from, story, &mut self.last),
        }
    }
}

/// Decides whether a story is in a certain split.
#[derive(Clone, Debug)]
struct SplitFilter {
    splits: Splits,
    part: usize,
    text: String,
}

/// Writes the rows of one plan's stories.
#[derive(Clone, Debug)]
struct PlanWriter<'a> {
    asker: Asker<'a>,
    /// What answers the questions of each twin.
    twin_askers: Vec<Asker<'a>>,
    /// What says how difficult questions are; it costs nothing until it is asked.
    gauge: DifficultyGauge<'a>,
    /// What tells around stories, if they are to be longer.
    haystack: Option<Haystack<'a>>,
    lexicon: Lexicon<'a>,
    /// The same words, with names as the storyboard writes them.
    written: Lexicon<'a>,
    /// The words in their plain form, whatever the output makes of them; needed where stories are split.
    plain: Option<Lexicon<'a>>,
    fragments: PlanFragments,
}

impl<'a> PlanWriter<'a> {
    fn new(plan: &'a Plan, seed: u64, set: &[String], is_split: bool, twins: usize) -> Self {
        let (asker, lexicon) = (Asker::new(plan, seed), Lexicon::new(plan, seed, escaped));
        Self {
            twin_askers: vec![asker.clone(); twins],
            asker,
            gauge: DifficultyGauge::new(plan),
            haystack: Haystack::new(plan, seed),
            plain: is_split.then(|| lexicon.respelt(str::to_owned)),
            written: lexicon.as_written(escaped),
            lexicon,
            fragments: PlanFragments::new(plan, seed, set),
        }
    }

    /// Draws the words of a story, and makes it and its twins as long as wanted. Returns whether that was possible.
    #[inline]
    fn finish(&mut self, story: &mut Story, twins: &mut [Twin], attempt: u64, words: &mut Words) -> bool {
        let Some(haystack) = &mut self.haystack else {
            self.lexicon.draw(story, words);
            return true;
        };
        let tellers = &mut Tellers { asker: &mut self.asker, lexicon: &self.lexicon, words };
        haystack.surround(story, twins, attempt, tellers)
    }
}

/// Writes all rows of a story.
struct Teller<'r, 'a> {
    told: &'r mut [StoryFragments; 2],
    extras: Extras,
    /// What says how difficult questions are, if rows say it or are kept by it.
    measured: Option<Measuring<'r, 'a>>,
    prompter: Option<&'r Prompter>,
    /// The step at which the story differs from its twin, if stories have twins.
    differs_at: Option<usize>,
    rows: &'r mut String,
}

/// Says how difficult questions are, and which rows are kept.
struct Measuring<'r, 'a> {
    gauge: &'r mut DifficultyGauge<'a>,
    /// How difficult questions usually are, if that is needed.
    ranking: Option<&'r Ranking>,
    keep: Option<&'r Keep>,
    /// The questions of the story whose rows are kept, and with them those of its twins.
    kept: Vec<usize>,
}

impl Measuring<'_, '_> {
    /// How difficult a question is, and its quantile; `None` if its row is not kept.
    fn measure(
        &mut self,
        of: &StoryWriter<'_, '_>,
        number: usize,
        answered: &Answered,
        is_first: bool,
    ) -> Option<(Difficulty, Option<u8>)> {
        let difficulty = self.gauge.measure(of.story, answered);
        let quantile = self.ranking.and_then(|ranking| ranking.quantile(number, &difficulty));
        if let Some(keep) = self.keep {
            if is_first && keep.keeps(&numbers(of.plan, answered, &difficulty, quantile)) {
                self.kept.push(answered.question);
            }
            if !self.kept.contains(&answered.question) {
                return None;
            }
        }
        Some((difficulty, quantile))
    }
}

impl Teller<'_, '_> {
    /// Writes the rows of a story. `marks` are the texts after the index in its id and in that of its twin.
    fn rows(&mut self, of: &StoryWriter<'_, '_>, answers: &[Answered], marks: [&str; 2]) {
        let Self { told, extras, measured, prompter, differs_at, rows } = self;
        told.iter_mut().for_each(|told| told.is_fresh = false);
        let mut digits = itoa::Buffer::new();
        let index = digits.format(of.story.index);
        for answered in answers {
            let question = &of.fragments.questions[answered.question];
            let difficulty = match measured {
                None => None,
                Some(measured) => {
                    match measured.measure(of, question.number, answered, marks[0].is_empty()) {
                        None => continue,
                        difficulty => difficulty,
                    }
                }
            };
            let display = Display::of(of.plan.questions[answered.question].kind);
            let told = &mut told[display as usize];
            if !told.is_fresh {
                of.write(display, extras.with_events, told);
            }
            let differs_at = *differs_at;
            let all_marks = &MARKS[..];
            let mut row = RowWriter {
                of,
                told,
                question,
                answered,
                answers,
                display,
                index,
                marks,
                all_marks,
                differs_at,
                difficulty,
                prompter: *prompter,
                begin: rows.len(),
                rows,
            };
            row.write_parts(*extras);
            rows.push_str("}\n");
        }
    }
}

#[cfg(test)]
mod tests;
