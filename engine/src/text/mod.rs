//! A story in sentences.
//!
//! The same trace can be told of people who move or of things that somebody moves. A move is `NAME VERB PLACE.`;
//! what else people do has a sentence of its own (`text/deeds.rs`); a storyboard's notes stand between them. Words are
//! drawn from a stream of their own and never influence what happens.
//!
//! All fragments are prepared once per plan, in the spelling of the output (plain, or escaped for
//! JSON), so that a story is made by copying. Names are in it as readers see them ([`crate::spelling`]);
//! [`Lexicon::as_written`] has them as the storyboard does, for data.

mod appraisal;
mod around;
mod context;
mod conversation;
mod deeds;
mod held;
mod matters;
mod moves;
mod news_asked;
mod notes;
mod questions;
mod rules;
mod scenarios;
mod spelt;
mod stage;
mod strides;
#[cfg(test)]
pub(crate) mod tests;
mod ways;

use std::ops::Range;

use crate::belief::Held;
use crate::id::{CharacterId, ContainerId, PlaceId};
use crate::plan::{Plan, Question, Target};
use crate::question::{Answer, Verdict};
use crate::rng::{Purpose, StreamKey, below, sample_to_front};
use crate::simulate::Story;
use crate::spelling::at_start;
use crate::storyboard::{QuestionKind, THINGS};
use crate::world::{Event, Item, Value};
use around::{Around, AroundDrawn, Rules};
use conversation::{Drawn, TalkWords};
use deeds::StageWords;
pub use deeds::movers;
pub use matters::MatterInWords;
use moves::{Course, Sentences};
pub use scenarios::{
    EndInWords, FateInWords, LifeInWords, NewsInWords, PersonInWords, ProspectInWords, ScenarioInWords,
    ScenariosInWords, Stay,
};
pub use spelt::shown_names;
use spelt::{Names, Spelling, Wording};
use stage::{NewsDrawn, NewsWords};
use strides::Strides;
pub use ways::past;
use ways::{Ways, WaysDrawn};

/// What a story is told about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Display {
    /// The story is about people who move.
    People,
    /// The story is about things that somebody moves.
    Things,
}

impl Display {
    /// How the story is told for a question of this kind.
    pub fn of(kind: QuestionKind) -> Self {
        match kind {
            QuestionKind::WorldThings => Self::Things,
            _ => Self::People,
        }
    }
}

/// The verb for things that move in a story about things.
pub const THINGS_VERB: &str = "is moved to";

/// The largest number of characters that are put in order by counting who comes before whom.
const RANKED_MAX: usize = 16;

/// The part of the stream of words for verbs. That for names of things follows.
const VERBS_PART: u64 = 0;
const THINGS_PART: u64 = 1;
const TALK_PART: u64 = 2;
const TWIN_PART: u64 = 3;
const WAYS_PART: u64 = 4;

/// The words of a plan in one spelling.
#[derive(Clone, Debug)]
pub struct Lexicon<'a> {
    plan: &'a Plan,
    seed: u64,
    key: StreamKey,
    /// Whether names are as readers see them, rather than as the storyboard writes them.
    is_shown: bool,
    people: Names,
    /// Whether things stand for characters in any question.
    names_things: bool,
    things: Names,
    places: Names,
    /// The verbs, each with a space on either side.
    verbs: Vec<String>,
    /// The complete sentences of people who walk, if there are few enough.
    sentences: Option<Sentences>,
    notes: Vec<[Wording; 2]>,
    /// Other words for sentences, if the plan has a wording.
    ways: Option<Ways>,
    /// The pieces of sentences of people who walk, in the words of the wording.
    strides: Option<Strides>,
    /// The rules that readers are told.
    rules: Rules,
    /// Other words for what stands around a story, if the plan has a wording.
    around: Option<Around>,
    /// The words for things, if the plan has more than people who go from place to place.
    stage: Option<StageWords>,
    /// The words of packs, if stories are told as conversations.
    talk: Option<TalkWords>,
    /// The words of prospects, settings and profiles, if the plan has any.
    news: Option<NewsWords<'a>>,
    quotation_mark: String,
}

/// The words of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// For each character, the thing that stands for it.
    things: Vec<usize>,
    /// For each event, its verb; empty if there is only one verb.
    verbs: Vec<u32>,
    /// For each note, in the order in which they are told, the step that it follows, and its number.
    notes: Vec<(usize, usize)>,
    /// How sentences are worded.
    ways: WaysDrawn,
    /// How what stands around them is.
    around: AroundDrawn,
    /// The words of a conversation.
    talk: Drawn,
    /// Those of prospects, settings and profiles.
    news: NewsDrawn,
}

/// A sentence of a story, or a turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryPart {
    /// The step of the event that it tells of, if it does.
    pub step: Option<usize>,
    /// The text, with its full stop.
    pub text: String,
}

impl<'a> Lexicon<'a> {
    /// The words of a plan under the seed of a run, each spelt by `spell`.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard, text::{Display, Lexicon, Words}};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words, mut text) = (Story::default(), Words::default(), String::new());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// lexicon.story(&story, &words, Display::People, &mut text);
    /// assert!(text.contains(" enters room "));
    /// ```
    pub fn new(plan: &'a Plan, seed: u64, spell: impl Fn(&str) -> String) -> Self {
        let key = StreamKey::derive(seed, &plan.fingerprint, Purpose::Words);
        Self::with(plan, (seed, key), &Spelling::shown(spell), true).with_sentences()
    }

    /// The same words in another spelling.
    #[must_use]
    pub fn respelt(&self, spell: impl Fn(&str) -> String) -> Self {
        Self::with(self.plan, (self.seed, self.key), &Spelling::shown(spell), true).with_sentences()
    }

    /// The same words, with every name as the storyboard writes it: for data that refers to the storyboard.
    #[must_use]
    pub fn as_written(&self, spell: impl Fn(&str) -> String) -> Self {
        Self::with(self.plan, (self.seed, self.key), &Spelling::written(spell), false)
    }

    /// The same words, but for those of the wording: what stories say in plain words, with the same names and the same news.
    ///
    /// ```
    /// use storysim::{compile::compile, diagnostic::Source, simulate::{Simulator, Story}, storyboard, text::{Display, Lexicon, Words}};
    /// let text = storyboard::BUILT_IN[0].source().text + "wording: varied\n";
    /// let board = storyboard::parse(Source { name: "x.yaml".into(), text }).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words, mut text) = (Story::default(), Words::default(), String::new());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// lexicon.plainly().story(&story, &words, Display::People, &mut text);
    /// assert_eq!(text.matches(" enters ").count(), story.trace.events.len());
    /// ```
    #[must_use]
    pub fn plainly(self) -> Self {
        Self { ways: None, strides: None, around: None, rules: self.rules.plainly(), ..self }
    }

    fn with(
        plan: &'a Plan,
        (seed, key): (u64, StreamKey),
        spelling: &Spelling<impl Fn(&str) -> String>,
        is_shown: bool,
    ) -> Self {
        Self {
            plan,
            seed,
            key,
            is_shown,
            news: NewsWords::new(plan, seed, spelling),
            sentences: None,
            people: spelling.names(&plan.pool),
            names_things: plan.questions.iter().any(|question| Display::of(question.kind) == Display::Things),
            things: spelling.names(THINGS),
            places: spelling.names(&plan.place_names),
            verbs: plan.verbs.iter().map(|verb| format!(" {} ", spelling.spell(verb))).collect(),
            notes: plan
                .notes
                .iter()
                .map(|note| [false, true].map(|is_past| spelling.wording(note.told(is_past), true)))
                .collect(),
            ways: Ways::new(plan, spelling),
            strides: None,
            rules: Rules::new(plan, spelling),
            around: Around::new(plan, spelling),
            stage: plan.staging.as_ref().map(|staging| StageWords::new(staging, spelling)),
            talk: plan.staging.as_ref().and_then(|staging| TalkWords::new(staging, plan, spelling)),
            quotation_mark: spelling.spell("\""),
        }
    }

    /// The same words, with the sentences of those who walk, if there are few enough.
    fn with_sentences(self) -> Self {
        let sentences = Sentences::new(&self.people.at_start, &self.verbs, &self.places.within);
        let strides = Strides::new(&self);
        Self { sentences, strides, ..self }
    }

    /// Draws the words of a story.
    pub fn draw(&self, story: &Story, words: &mut Words) {
        words.verbs.clear();
        // What people say in a conversation has no verbs of the storyboard.
        if self.verbs.len() > 1 && self.talk.is_none() {
            let mut stream = self.key.stream(story.index, VERBS_PART);
            let weave = self.plan.weave.as_ref();
            let mut verb = |event: &Event| match weave.and_then(|weave| weave.verbs(event.who)) {
                None => below(&mut stream, self.verbs.len() as u32),
                Some(own) => own[below(&mut stream, own.len() as u32) as usize],
            };
            words.verbs.extend(story.trace.events.iter().map(&mut verb));
        }
        self.place_notes(story, &mut words.notes);
        if let Some(ways) = &self.ways {
            let stream = &mut self.key.stream(story.index, WAYS_PART);
            ways.draw(stream, story, &mut words.ways);
            self.draw_around(stream, &mut words.around);
        }
        self.draw_news(story, &mut words.news);
        if self.talk.is_some() {
            self.draw_talk(story, &mut self.key.stream(story.index, TALK_PART), &mut words.talk);
        }
        words.things.clear();
        if self.names_things {
            let mut stream = self.key.stream(story.index, THINGS_PART);
            words.things.extend(0..THINGS.len());
            sample_to_front(&mut stream, &mut words.things, self.plan.character_count);
            words.things.truncate(self.plan.character_count);
        }
    }

    /// Draws the words of a twin whose story's words these are: other words only where people say other things.
    pub fn draw_again(&self, story: &Story, twin: &Story, words: &mut Words) {
        if self.talk.is_some() {
            let mut stream = self.key.stream(twin.index, TWIN_PART);
            self.draw_twin_talk(story, twin, &mut stream, &mut words.talk);
        }
        self.draw_news_again(twin, &mut words.news);
    }

    /// The name of a character.
    #[inline]
    pub fn name(&self, story: &Story, words: &Words, display: Display, who: CharacterId) -> &str {
        match display {
            Display::People => &self.people.within[story.names[who.index()]],
            Display::Things => &self.things.within[words.things[who.index()]],
        }
    }

    /// The name of a character at the start of a sentence.
    fn name_at_start(&self, story: &Story, words: &Words, display: Display, who: CharacterId) -> &str {
        match display {
            Display::People => &self.people.at_start[story.names[who.index()]],
            Display::Things => &self.things.at_start[words.things[who.index()]],
        }
    }

    /// The name of a place in a story.
    #[inline]
    pub fn place_in<'l>(&'l self, words: &Words, place: PlaceId) -> &'l str {
        match &self.news {
            None => self.place(place),
            Some(_) => self.drawn_place(words, place).unwrap_or_else(|| self.place(place)),
        }
    }

    /// The name of a place, as the storyboard has it.
    #[inline]
    pub fn place(&self, place: PlaceId) -> &str {
        &self.places.within[place.index()]
    }

    /// The verb at a step, with a space on either side.
    #[inline]
    fn verb(&self, words: &Words, step: usize) -> &str {
        match words.verbs.get(step) {
            Some(&verb) => &self.verbs[verb as usize],
            None => &self.verbs[0],
        }
    }

    /// Appends the whole story as sentences separated by spaces.
    pub fn story(&self, story: &Story, words: &Words, display: Display, text: &mut String) {
        if self.talk.is_some() {
            return self.conversation(story, words, text);
        }
        match (display, &self.stage) {
            (Display::People, _) if self.ways.is_some() => self.worded_story(story, words, text),
            (Display::People, None) => {
                let mut told = 0;
                for &(step, note) in &words.notes {
                    let until = step + 1;
                    self.moves(story, words, told..until, text);
                    self.note(story, self.worded_note(words, note), text);
                    text.push(' ');
                    told = until;
                }
                self.moves(story, words, told..story.trace.events.len(), text);
            }
            (Display::People, Some(_)) => {
                for step in 0..story.trace.events.len() {
                    self.headings(words, step).iter().for_each(|heading| push_all(text, &[heading, " "]));
                    self.sentence(story, words, display, step, text);
                    end(text);
                    text.push(' ');
                    for aside in self.asides(story, words, step).iter().chain(&self.notes(story, words, step))
                    {
                        push_all(text, &[aside, " "]);
                    }
                    if let Some(said) = self.said_besides(story, words, step) {
                        push_all(text, &[&said, " "]);
                    }
                }
            }
            // Notes are about people, and so is all that does not move them.
            (Display::Things, _) => {
                for step in 0..story.trace.events.len() {
                    for who in movers(story, step) {
                        let place = self.place_in(words, story.trace.events[step].to);
                        let name = self.name_at_start(story, words, display, who);
                        push_all(text, &[name, " ", THINGS_VERB, " ", place, ". "]);
                    }
                }
            }
        }
        text.pop(); // the blank after the last sentence
    }

    /// The story in parts, in order: sentences, or the turns of a conversation. Between two of them, a story has a blank; between
    /// turns, a line break.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard, text::{Display, Lexicon, Words}};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words, mut text) = (Story::default(), Words::default(), String::new());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// lexicon.story(&story, &words, Display::People, &mut text);
    /// let parts = lexicon.parts(&story, &words, Display::People);
    /// assert!(text.starts_with(&format!("{} {}", parts[0].text, parts[1].text)) && parts[1].step == Some(1));
    /// ```
    pub fn parts(&self, story: &Story, words: &Words, display: Display) -> Vec<StoryPart> {
        if self.talk.is_some() {
            return self.parts_of_talk(story, words);
        }
        let mut parts = Vec::new();
        for step in 0..story.trace.events.len() {
            let mut add = |step, text| parts.push(StoryPart { step, text });
            if display == Display::Things {
                for who in movers(story, step) {
                    let place = self.place_in(words, story.trace.events[step].to);
                    let name = self.name_at_start(story, words, display, who);
                    add(Some(step), format!("{name} {THINGS_VERB} {place}."));
                }
                continue;
            }
            self.headings(words, step).into_iter().for_each(|heading| add(None, heading));
            let mut text = String::new();
            self.sentence(story, words, display, step, &mut text);
            let goes_on = step + 1 < story.trace.events.len() && self.is_joined(story, words, step + 1);
            if !goes_on {
                end(&mut text);
            }
            add(Some(step), text);
            self.asides(story, words, step).into_iter().for_each(|aside| add(Some(step), aside));
            self.notes(story, words, step).into_iter().for_each(|note| add(None, note));
            self.said_besides(story, words, step).into_iter().for_each(|said| add(None, said));
        }
        parts
    }

    /// Appends who goes where in some steps; each sentence with a space after it.
    fn moves(&self, story: &Story, words: &Words, steps: Range<usize>, text: &mut String) {
        if let Some(sentences) = &self.sentences {
            let verbs = words.verbs.get(steps.clone()).unwrap_or(&[]);
            let events = &story.trace.events[steps];
            return sentences.tell(Course { events, verbs, names: &story.names }, text);
        }
        for step in steps {
            let event = story.trace.events[step];
            let name = self.name_at_start(story, words, Display::People, event.who);
            push_all(text, &[name, self.verb(words, step), self.place_in(words, event.to), ". "]);
        }
    }

    /// Appends what happens at a step, without a full stop.
    pub fn sentence(&self, story: &Story, words: &Words, display: Display, step: usize, text: &mut String) {
        if self.talk.is_some() {
            return text.push_str(&self.turns_of_step(story, words, step).join(" "));
        }
        self.sentence_of(story, words, display, (step, false), text);
    }

    /// Appends what happens at a step, as if nothing had been said before: nobody is left out or meant by a pronoun.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, diagnostic::Source, storyboard, text::{Display, Lexicon, Words}};
    /// let text = storyboard::BUILT_IN[0].source().text + "wording: varied\n";
    /// let board = storyboard::parse(Source { name: "x.yaml".into(), text }).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words) = (Story::default(), Words::default());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// for step in 0..story.trace.events.len() {
    ///     let mut text = String::new();
    ///     lexicon.sentence_alone(&story, &words, Display::People, step, &mut text);
    ///     assert!(text.contains(lexicon.name(&story, &words, Display::People, story.trace.events[step].who)));
    /// }
    /// ```
    pub fn sentence_alone(
        &self,
        story: &Story,
        words: &Words,
        display: Display,
        step: usize,
        text: &mut String,
    ) {
        if self.talk.is_some() {
            return self.sentence(story, words, display, step, text);
        }
        self.sentence_of(story, words, display, (step, true), text);
    }

    fn sentence_of(
        &self,
        story: &Story,
        words: &Words,
        display: Display,
        (step, is_alone): (usize, bool),
        text: &mut String,
    ) {
        if display == Display::People && self.worded(story, words, (step, is_alone), text) {
            return;
        }
        match story.trace.deeds.get(step) {
            Some(deed) if display == Display::People => self.deed(story, words, step, &deed.act, text),
            _ => {
                let name = self.name_at_start(story, words, display, story.trace.events[step].who);
                let (verb, place) = self.event(story, words, display, step);
                push_all(text, &[name, " ", verb, " ", place]);
            }
        }
    }

    /// The number of the sentence that tells the event of a step, counted from 1 as a reader would.
    pub fn sentence_number(&self, story: &Story, words: &Words, step: usize) -> usize {
        let asides = |deed: &crate::world::Deed| deed.peeking.len() + deed.distracted.len();
        let joined = (1..=step).filter(|&step| self.is_joined(story, words, step)).count();
        1 + step - joined
            + self.sentences_of_news(story, words, step)
            + story.trace.deeds.iter().take(step).map(asides).sum::<usize>()
            + self.sentences_of_notes(words, step)
    }

    /// What whoever acts at a step does, if she goes somewhere, as `(VERB, PLACE)`.
    pub fn event(&self, story: &Story, words: &Words, display: Display, step: usize) -> (&str, &str) {
        let event = story.trace.events[step];
        let verb = match display {
            Display::People => self.verb(words, step).trim(),
            Display::Things => THINGS_VERB,
        };
        (verb, self.place_in(words, event.to))
    }

    /// All characters, in an order that tells nothing about their roles.
    pub fn in_order(&self, story: &Story, words: &Words, display: Display) -> Vec<CharacterId> {
        let key = |who: CharacterId| match display {
            Display::People => story.names[who.index()],
            Display::Things => words.things[who.index()],
        };
        let characters = (0..self.plan.character_count).map(CharacterId::new);
        let mut everyone: Vec<CharacterId> = characters.clone().collect();
        if everyone.len() > RANKED_MAX {
            everyone.sort_by_key(|&who| key(who));
        } else {
            // For a few, counting takes less time than the branches of sorting, which nobody can predict.
            for who in characters.clone() {
                everyone[characters.clone().filter(|&other| key(other) < key(who)).count()] = who;
            }
        }
        everyone
    }

    /// Some characters, in the order in which all are named.
    pub fn sorted(&self, story: &Story, words: &Words, people: &[CharacterId]) -> Vec<CharacterId> {
        let everyone = || self.in_order(story, words, Display::People);
        if people.is_empty() {
            Vec::new()
        } else {
            everyone().into_iter().filter(|who| people.contains(who)).collect()
        }
    }

    /// Appends an answer: the bare name of a place, a container or a character, a verdict, or names.
    pub fn answer(&self, story: &Story, words: &Words, answer: Answer, text: &mut String) {
        let name = |who| self.name(story, words, Display::People, who);
        match answer {
            Answer::Place(place) => text.push_str(self.place_in(words, place)),
            Answer::Container(container) => text.push_str(self.container(container)),
            Answer::Character(who) => text.push_str(name(who)),
            Answer::Verdict(verdict) => text.push_str(match verdict {
                Verdict::Yes => "yes",
                Verdict::No => "no",
                Verdict::Unknown => "unknown",
            }),
            Answer::Why(matter, spare) => self.why(story, words, matter, spare, text),
            Answer::Shown(shown) => self.shown_state(story, words, shown, text),
            Answer::Life(question, life) => {
                self.life(story, words, usize::from(question), usize::from(life), text);
            }
            Answer::Standing(standing, whose) => self.standing(story, words, (standing, whose), text),
            Answer::People(0) => text.push_str("nobody"),
            Answer::People(people) => {
                let (mut left, mut separator) = (people, "");
                let is_left = |left: u64, who: &CharacterId| left >> who.index() & 1 == 1;
                let everyone = || (0..self.plan.character_count).map(CharacterId::new);
                while let Some(next) =
                    everyone().filter(|who| is_left(left, who)).min_by_key(|who| story.names[who.index()])
                {
                    push_all(text, &[separator, name(next)]);
                    left ^= 1 << next.index();
                    separator = ", ";
                }
            }
        }
    }

    /// What a mind holds of something, for a table: a value, `no idea`, or `unclear`.
    pub fn held(&self, story: &Story, words: &Words, held: Held) -> String {
        match held {
            Held::Known(Value::Truth(true), _) => "yes".to_owned(),
            Held::Known(Value::Truth(false), _) => "no".to_owned(),
            Held::Known(Value::Place(place), _) => self.place_in(words, place).to_owned(),
            Held::Known(Value::Container(container), _) => self.container(container).to_owned(),
            Held::Known(Value::Hands(who), _) => {
                format!("{} has it", self.name(story, words, Display::People, who))
            }
            Held::Known(Value::Case(_) | Value::NoCase, _) => "news".to_owned(),
            Held::Nothing => "no idea".to_owned(),
            Held::Unclear => "unclear".to_owned(),
        }
    }

    /// The bare name of the target of a question.
    pub fn target(&self, story: &Story, words: &Words, question: &Question) -> &str {
        match question.target {
            Target::Item(item) if question.kind == QuestionKind::Present => {
                // Who was there is asked of what was told, not of its being told.
                let name = self.item(story, words, Display::People, item);
                name.strip_suffix(".told").unwrap_or(name)
            }
            Target::Item(item) => self.item(story, words, Display::of(question.kind), item),
            Target::Attitude(thing) => self.attitude(thing),
            Target::Matter(matter) => &self.talk.as_ref().expect("matters are talked of").matters[matter],
        }
    }

    /// The bare name of a character, an object, a container or a proposition.
    pub fn item(&self, story: &Story, words: &Words, display: Display, item: Item) -> &str {
        match item {
            Item::Character(who) => self.name(story, words, display, who),
            Item::Object(object) => self.stage().object(object),
            Item::Lid(container) => self.container(container),
            Item::Proposition(proposition) => self.stage().proposition(proposition),
            Item::Prospect(prospect) => self.stage().prospect(prospect),
        }
    }

    /// The bare name of a container.
    pub fn container(&self, container: ContainerId) -> &str {
        self.stage().container(container)
    }

    /// The bare name of something that people like or dislike.
    pub fn attitude(&self, thing: usize) -> &str {
        self.stage().attitude(thing)
    }

    /// The words for things, in a plan that has any.
    fn stage(&self) -> &StageWords {
        self.stage.as_ref().expect("a plan with things")
    }

    /// Appends names, with `and` before the last.
    fn names(&self, story: &Story, words: &Words, display: Display, who: &[CharacterId], text: &mut String) {
        for (at, &who_at) in who.iter().enumerate() {
            push_all(text, &[separator(at, who.len()), self.name(story, words, display, who_at)]);
        }
    }

    /// Appends names at the start of a sentence, with `and` before the last.
    fn names_at_start(
        &self,
        story: &Story,
        words: &Words,
        display: Display,
        who: &[CharacterId],
        text: &mut String,
    ) {
        for (at, &who_at) in who.iter().enumerate() {
            let name = match at {
                0 => self.name_at_start(story, words, display, who_at),
                _ => self.name(story, words, display, who_at),
            };
            push_all(text, &[separator(at, who.len()), name]);
        }
    }
}

/// The text before item `at` of `count` in an enumeration.
fn separator(at: usize, count: usize) -> &'static str {
    match at {
        0 => "",
        _ if at + 1 == count => " and ",
        _ => ", ",
    }
}

/// Ends a sentence with a full stop, which stands within quotation marks that end there.
fn end(text: &mut String) {
    let is_quoted = text.ends_with('”');
    if is_quoted {
        text.pop();
    }
    text.push_str(if is_quoted { ".”" } else { "." });
}

#[inline]
fn push_all(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

/// Appends a name, or a text that begins with one; with a capital letter if a sentence begins there and the name takes one.
fn push_name(text: &mut String, name: &str, is_at_start: bool) {
    if is_at_start {
        text.push_str(&at_start(name));
    } else {
        text.push_str(name);
    }
}
