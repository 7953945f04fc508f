//! Questions in words.
//!
//! Each says what its answers mean where plain English would leave that open: whoever thinks that Bob has no idea does
//! not think that Bob thinks so, and yet the answer is not "no" but "unknown".

use super::{Display, Lexicon, Words, end, push_all, push_name, separator};
use crate::form::{Bracket, PhraseKind, PhraseSlot};
use crate::id::CharacterId;
use crate::plan::{Moment, Question, Target};
use crate::simulate::Story;
use crate::spelling::capital;
use crate::storyboard::QuestionKind;
use crate::world::{Item, Value};

/// The words that depend on the moment or condition that a question asks about.
struct Tense {
    moment: Moment,
    /// The auxiliary in "does she think?".
    does: &'static str,
    thinks: &'static str,
    /// The verb within what somebody thinks.
    is: &'static str,
    knows: &'static str,
}

impl Tense {
    const fn of(moment: Moment) -> Self {
        match moment {
            Moment::End => Self { moment, does: "does", thinks: "thinks", is: "is", knows: "knows" },
            Moment::Before(_) => Self { moment, does: "did", thinks: "thought", is: "was", knows: "knew" },
            Moment::Without(_) => Self { moment, does: "would", thinks: "thinks", is: "is", knows: "knows" },
        }
    }

    /// One of three words, depending on the moment.
    const fn pick<'t>(&self, now: &'t str, past: &'t str, would: &'t str) -> &'t str {
        match self.moment {
            Moment::End => now,
            Moment::Before(_) => past,
            Moment::Without(_) => would,
        }
    }
}

impl Lexicon<'_> {
    /// Appends a question.
    pub fn question(&self, story: &Story, words: &Words, question: &Question, text: &mut String) {
        let (is_past, step) = match question.moment_in(&story.trace, story.before) {
            Moment::End => {
                self.ask(story, words, question, text);
                return;
            }
            Moment::Before(step) => (true, step),
            Moment::Without(step) => (false, step),
        };
        if self.talk.is_some() {
            self.lines_in_question(story, words, is_past, step, text);
        } else {
            let opening = if is_past { "Just before sentence " } else { "Suppose that what sentence " };
            let number = self.sentence_number(story, words, step).to_string();
            let says = if is_past { " of the story (" } else { " of the story says (" };
            push_all(text, &[opening, &number, says, &self.quotation_mark]);
            self.sentence(story, words, Display::of(question.kind), step, text);
            end(text);
            text.push_str(&self.quotation_mark);
        }
        text.push_str(if is_past { "), " } else { ") had not happened, and everything else had. " });
        let from = text.len();
        if self.ask(story, words, question, text) == Put::Plainly && is_past {
            text[from..=from].make_ascii_lowercase();
        }
    }

    /// Appends which line of a conversation a question names, up to the quotation: `Just before line 12 of the story ("Ann: …"`.
    /// Lines end in marks of their own. What happens at a step may be two of them; just before it is just before the first.
    fn lines_in_question(&self, story: &Story, words: &Words, is_past: bool, step: usize, text: &mut String) {
        let number = self.turn_number(story, words, step);
        let mut lines = self.turns_of_step(story, words, step);
        if is_past {
            lines.truncate(1);
        }
        let opening = if is_past { "Just before line" } else { "Suppose that what happens in line" };
        text.push_str(opening);
        text.push_str(if lines.len() == 1 { " " } else { "s " });
        for at in 0..lines.len() {
            push_all(text, &[separator(at, lines.len()), &(number + at).to_string()]);
        }
        text.push_str(" of the story (");
        for (at, line) in lines.iter().enumerate() {
            let mark = &self.quotation_mark;
            push_all(text, &[separator(at, lines.len()), mark, line, mark]);
        }
    }

    /// Appends what the question asks, without its condition. In plain words it begins with a capital letter, in the words of a
    /// wording only where a sentence begins.
    fn ask(&self, story: &Story, words: &Words, question: &Question, text: &mut String) -> Put {
        let tense = Tense::of(question.moment);
        let display = Display::of(question.kind);
        let asked = Asked { lexicon: self, story, words, display, tense, question };
        let put = asked.in_other_words(text);
        if put == Put::Plainly {
            asked.plainly(text);
        }
        asked.how_to_answer(text);
        put
    }
}

/// What follows where it is asked whether a state is another than it was.
pub(super) const FROM_WHAT: &str = " If so, from what to what does it change?";

/// Likewise, where the cause is asked for.
pub(super) const WHY: &str = " If so, why?";

/// How a question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Put {
    /// In plain words.
    Plainly,
    /// In the words of a wording.
    Otherwise,
}

/// A question that is being put into words.
pub(super) struct Asked<'q, 'a> {
    pub lexicon: &'q Lexicon<'a>,
    pub story: &'q Story,
    pub words: &'q Words,
    display: Display,
    tense: Tense,
    pub question: &'q Question,
}

impl Asked<'_, '_> {
    /// Appends the question in plain words.
    fn plainly(&self, text: &mut String) {
        match self.question.kind {
            QuestionKind::Belief => self.belief(text),
            QuestionKind::Reality => self.reality(text),
            QuestionKind::Start => self.start(text),
            QuestionKind::World | QuestionKind::WorldThings => self.world(text),
            QuestionKind::Knows => self.knows(text),
            QuestionKind::WhoKnows => self.who_knows(text),
            QuestionKind::CouldAnswer => self.could_answer(text),
            QuestionKind::Following => {
                let is = self.tense.pick("is", "was", "would");
                let following = self.tense.pick(" following?", " following?", " be following?");
                push_all(text, &["Whom ", is, " ", self.target(), following]);
            }
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action => self.state(text),
            QuestionKind::Changed => self.changed(text),
            QuestionKind::Cause => self.cause(text),
            QuestionKind::Influence => self.influence(text),
            QuestionKind::Course => self.course(text),
            QuestionKind::Honest => self.honest(text),
            QuestionKind::Why => self.why(text),
            QuestionKind::Present => self.present(text),
            QuestionKind::Stands => self.stands(text),
            QuestionKind::CouldLie => self.could_lie(text),
            QuestionKind::SeesThrough => self.sees_through(text),
            QuestionKind::WhoLikes => self.who_likes(["likes", "liked", "like"], text),
            QuestionKind::WhoDislikes => self.who_likes(["dislikes", "disliked", "dislike"], text),
        }
    }

    /// Appends how to answer, where the question does not say it.
    fn how_to_answer(&self, text: &mut String) {
        match (self.question.kind, self.statement()) {
            (QuestionKind::Belief, Some(item)) => self.verdicts(item, text),
            (QuestionKind::Reality | QuestionKind::Start, Some(_)) | (QuestionKind::Knows, _) => {
                text.push_str(" Answer yes or no.");
            }
            (QuestionKind::WhoKnows | QuestionKind::WhoLikes | QuestionKind::WhoDislikes, _) => {
                self.name_everyone(self.tense.does, text);
            }
            (QuestionKind::CouldAnswer, _) => match self.question.others.first() {
                None => self.name_everyone("could", text),
                Some(&first) => {
                    text.push(' ');
                    self.name_those(text);
                    push_all(text, &[" who could, ", self.name(first), " included."]);
                }
            },
            (QuestionKind::Following, _) => {
                // What it means to follow.
                let goes = self.tense.pick(" goes", " went", " would go");
                push_all(text, &[" ", self.follower(), goes, " only to where that person already is."]);
            }
            _ => {}
        }
    }

    /// The kind of phrase that asks the question, if wordings have one.
    fn phrase_kind(&self) -> Option<PhraseKind> {
        let is_stated = self.statement().is_some();
        let [placed, stated] = match self.question.kind {
            QuestionKind::Belief => [PhraseKind::Belief, PhraseKind::BeliefTrue],
            QuestionKind::Reality => [PhraseKind::Reality, PhraseKind::RealityTrue],
            QuestionKind::Start => [PhraseKind::StartAsked, PhraseKind::StartTrue],
            QuestionKind::World => [PhraseKind::World; 2],
            QuestionKind::WorldThings => [PhraseKind::WorldThings; 2],
            QuestionKind::Knows if self.question.others.len() == 1 => [PhraseKind::Knows; 2],
            QuestionKind::Knows => [PhraseKind::ThinksKnows; 2],
            QuestionKind::WhoKnows => [PhraseKind::WhoKnows; 2],
            QuestionKind::CouldAnswer => [PhraseKind::CouldAnswer; 2],
            QuestionKind::Following => [PhraseKind::Following; 2],
            QuestionKind::WhoLikes => [PhraseKind::WhoLikes; 2],
            QuestionKind::WhoDislikes => [PhraseKind::WhoDislikes; 2],
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action => [PhraseKind::State; 2],
            QuestionKind::Changed | QuestionKind::Cause => [PhraseKind::Differs; 2],
            QuestionKind::Influence => [PhraseKind::Influence; 2],
            QuestionKind::Course => [PhraseKind::Course; 2],
            // What is said in conversations is asked in words of its own.
            QuestionKind::Honest
            | QuestionKind::Why
            | QuestionKind::Present
            | QuestionKind::Stands
            | QuestionKind::CouldLie
            | QuestionKind::SeesThrough => return None,
        };
        Some(if is_stated { stated } else { placed })
    }

    /// Appends the question in the words of the wording, if it has words for it.
    fn in_other_words(&self, text: &mut String) -> Put {
        let way = self.phrase_kind().and_then(|kind| Some((kind, self.lexicon.asked_way(self.words, kind)?)));
        let Some((kind, way)) = way else { return Put::Plainly };
        let case = match (kind.form().bracket, self.question.moment) {
            (Bracket::Number, _) => usize::from(self.question.others.len() > 1),
            (Bracket::Moment, Moment::Before(_)) => 1,
            (Bracket::Moment, Moment::Without(_)) => 2,
            (Bracket::State, _) => self.dynamic().state as usize,
            _ => 0,
        };
        let mut begins = !matches!(self.question.moment, Moment::Before(_));
        let is_liking = matches!(kind, PhraseKind::WhoLikes | PhraseKind::WhoDislikes);
        if is_liking && !self.question.others.is_empty() {
            text.push_str(if begins { "From " } else { "from " });
            self.view(text);
            text.push_str(", ");
            begins = false;
        }
        way.say((case, begins), &mut |slot, begins, text| self.fill(kind, (slot, begins), text), text);
        text.push('?');
        match self.question.kind {
            QuestionKind::Changed => text.push_str(FROM_WHAT),
            QuestionKind::Cause => text.push_str(WHY),
            _ => {}
        }
        Put::Otherwise
    }

    /// Appends what stands in a hole of a phrase; the flag says whether the sentence begins there.
    fn fill(&self, kind: PhraseKind, (slot, begins): (PhraseSlot, bool), text: &mut String) {
        let minds = &self.question.others;
        let name = |who| match begins {
            true => self.lexicon.name_at_start(self.story, self.words, self.display, who),
            false => self.name(who),
        };
        match slot {
            PhraseSlot::About => push_name(text, self.at_stake(), begins),
            PhraseSlot::Seen => self.as_seen(text),
            PhraseSlot::Number => text.push_str(&(self.dynamic().scenario + 1).to_string()),
            PhraseSlot::Before => text.push_str(&self.dynamic().scenario.to_string()),
            PhraseSlot::Who if self.question.dynamic.is_some() => text.push_str(name(self.whose())),
            PhraseSlot::Who => text.push_str(name(minds[0])),
            PhraseSlot::Knower => text.push_str(name(*minds.last().expect("somebody who knows"))),
            PhraseSlot::Others if kind == PhraseKind::ThinksKnows => {
                self.others(&minds[1..minds.len() - 1], text)
            }
            PhraseSlot::Others => self.others(&minds[1..], text),
            PhraseSlot::Target => push_name(text, self.target(), begins),
            PhraseSlot::Fact => {
                let item = self.statement().expect("a question about a statement");
                self.lexicon.fact_at(self.story, self.words, (item, Value::Truth(true)), begins, text);
            }
            PhraseSlot::View | PhraseSlot::Whether => {
                let mut said = String::new();
                match (slot, kind) {
                    (PhraseSlot::View, _) => self.view(&mut said),
                    (_, PhraseKind::CouldAnswer) => self.what_to_say(&mut said),
                    _ => self.where_or_whether(&mut said),
                }
                text.push_str(&if begins { capital(&said) } else { said });
            }
            PhraseSlot::Everyone if begins => {
                self.lexicon.names_at_start(self.story, self.words, self.display, minds, text);
            }
            PhraseSlot::Everyone => self.lexicon.names(self.story, self.words, self.display, minds, text),
            PhraseSlot::There | PhraseSlot::Container => unreachable!("no question names these"),
        }
    }

    pub fn name(&self, who: CharacterId) -> &str {
        self.lexicon.name(self.story, self.words, self.display, who)
    }

    /// What the question is about, as a sentence names it.
    fn target(&self) -> &str {
        match self.question.target {
            Target::Item(Item::Character(who)) => self.name(who),
            Target::Item(Item::Object(object)) => self.lexicon.stage().the_object(object),
            Target::Attitude(thing) => self.lexicon.stage().the_attitude(thing),
            Target::Item(Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_)) | Target::Matter(_) => {
                unreachable!("these are stated, not named")
            }
        }
    }

    /// Whoever follows somebody, at the start of a sentence.
    fn follower(&self) -> &str {
        self.lexicon.name_at_start(self.story, self.words, self.display, self.question.character())
    }

    /// The item, if it is something that is true or not.
    fn statement(&self) -> Option<Item> {
        match self.question.target {
            Target::Item(item @ (Item::Lid(_) | Item::Proposition(_))) => Some(item),
            _ => None,
        }
    }

    fn say(&self, item: Item, is_true: bool, text: &mut String) {
        self.lexicon.fact(self.story, self.words, item, Value::Truth(is_true), text);
    }

    /// `that Bob thinks that Cid thinks`, with a blank before each `that`.
    fn that_they_think(&self, minds: &[CharacterId], text: &mut String) {
        for &mind in minds {
            push_all(text, &[" that ", self.name(mind), " ", self.tense.thinks]);
        }
    }

    /// `Ann thinks that Bob thinks`, or `Ann would think that Bob thinks`.
    fn they_think(&self, minds: &[CharacterId], text: &mut String) {
        let thinks = self.tense.pick("thinks", "thought", "would think");
        push_all(text, &[self.name(minds[0]), " ", thinks]);
        self.that_they_think(&minds[1..], text);
    }

    /// `where the marble is`, or `whether the gift is a bicycle`.
    pub fn where_or_whether(&self, text: &mut String) {
        if self.something_known(text) {
            return;
        }
        match self.statement() {
            None => push_all(text, &["where ", self.target(), " ", self.tense.is]),
            Some(item) => {
                text.push_str("whether ");
                self.say(item, true, text);
            }
        }
    }

    fn belief(&self, text: &mut String) {
        let minds = &self.question.others;
        let Some(item) = self.statement() else {
            push_all(text, &["Where ", self.tense.does, " ", self.name(minds[0]), " think "]);
            self.others(&minds[1..], text);
            return push_all(text, &[self.target(), " ", self.tense.is, "?"]);
        };
        push_all(text, &[self.tense.pick("Does", "Did", "Would"), " ", self.name(minds[0]), " think"]);
        self.that_they_think(&minds[1..], text);
        text.push_str(" that ");
        self.say(item, true, text);
        text.push('?');
    }

    /// Appends what others think, with a blank at the end: `that Bob thinks `. Where there are only people, the shorter form.
    fn others(&self, minds: &[CharacterId], text: &mut String) {
        let has_that = self.lexicon.stage.is_some() || self.statement().is_some();
        let that = if has_that { "that " } else { "" };
        for &mind in minds {
            push_all(text, &[that, self.name(mind), " ", self.tense.thinks, " "]);
        }
    }

    /// Appends which verdict means what, if it is asked what somebody thinks of a statement.
    fn verdicts(&self, item: Item, text: &mut String) {
        let minds = &self.question.others;
        text.push_str(" Answer yes if so, no if ");
        self.they_think(minds, text);
        text.push_str(" that ");
        self.say(item, false, text);
        text.push_str(", and unknown if ");
        let (&last, outer) = minds.split_last().expect("somebody's belief");
        let has = if outer.is_empty() {
            self.tense.pick("has", "had", "would have")
        } else {
            self.they_think(outer, text);
            text.push_str(" that ");
            self.tense.pick("has", "had", "has")
        };
        push_all(text, &[self.name(last), " ", has, " no idea."]);
    }

    fn reality(&self, text: &mut String) {
        match self.statement() {
            None => {
                let [is, end] = match self.tense.moment {
                    Moment::End => ["is ", " at the end?"],
                    Moment::Before(_) => ["was ", "?"],
                    Moment::Without(_) => ["would ", " be at the end?"],
                };
                push_all(text, &["Where ", is, self.target(), end]);
            }
            Some(item) => {
                text.push_str(self.tense.pick("Is it", "Was it", "Would it be"));
                text.push_str(" true that ");
                self.say(item, true, text);
                text.push('?');
            }
        }
    }

    fn start(&self, text: &mut String) {
        match self.statement() {
            None => push_all(text, &["Where was ", self.target(), " at the start?"]),
            Some(item) => {
                text.push_str("Was it true at the start that ");
                self.say(item, true, text);
                text.push('?');
            }
        }
    }

    fn world(&self, text: &mut String) {
        let others = &self.question.others;
        text.push_str("When ");
        for (at, &other) in others.iter().enumerate() {
            push_all(text, &[separator(at, others.len()), self.name(other)]);
        }
        let (were, target) = (if others.len() == 1 { "was" } else { "were" }, self.target());
        push_all(text, &[" ", were, " last in the same place as ", target, ", where "]);
        match self.display {
            Display::People => push_all(text, &["did ", target, " go from there?"]),
            Display::Things => push_all(text, &["was ", target, " moved from there?"]),
        }
    }

    fn knows(&self, text: &mut String) {
        let (&knower, minds) = self.question.others.split_last().expect("a question on what someone knows");
        let knower = self.name(knower);
        let does = self.tense.pick("Does", "Did", "Would");
        match minds.split_first() {
            None => push_all(text, &[does, " ", knower, " know "]),
            Some((&first, minds)) => {
                push_all(text, &[does, " ", self.name(first), " think"]);
                self.that_they_think(minds, text);
                push_all(text, &[" that ", knower, " ", self.tense.knows, " "]);
            }
        }
        self.where_or_whether(text);
        text.push('?');
    }

    fn who_knows(&self, text: &mut String) {
        push_all(text, &["Who ", self.tense.pick("knows", "knew", "would know"), " "]);
        self.where_or_whether(text);
        text.push('?');
    }

    fn could_answer(&self, text: &mut String) {
        text.push_str(self.tense.pick("Who could say ", "Who could say ", "Who could then say "));
        text.push_str("correctly ");
        self.what_to_say(text);
        text.push('?');
    }

    /// Appends what one would have to say: where or whether something is so, or what others think of that.
    fn what_to_say(&self, text: &mut String) {
        let minds = &self.question.others;
        if minds.is_empty() {
            return self.where_or_whether(text);
        }
        text.push_str(if self.statement().is_some() { "whether " } else { "where " });
        self.they_think(minds, text);
        match self.statement() {
            None => push_all(text, &[" ", self.target(), " ", self.tense.is]),
            Some(item) => {
                text.push_str(" that ");
                self.say(item, true, text);
            }
        }
    }

    fn who_likes(&self, [likes, liked, like]: [&str; 3], text: &mut String) {
        if !self.question.others.is_empty() {
            text.push_str("From ");
            self.view(text);
        }
        text.push_str(if self.question.others.is_empty() { "Who " } else { ", who " });
        let would = self.tense.pick("", "", "would then ");
        push_all(text, &[would, self.tense.pick(likes, liked, like), " ", self.target(), "?"]);
    }

    /// Appends whose view it is: `Ann's view of Bob's view`.
    fn view(&self, text: &mut String) {
        for (at, &mind) in self.question.others.iter().enumerate() {
            push_all(text, &[if at == 0 { "" } else { " of " }, self.name(mind), "'s view"]);
        }
    }

    /// Appends that everyone is to be named who does.
    pub fn name_everyone(&self, who_does: &str, text: &mut String) {
        text.push(' ');
        self.name_those(text);
        push_all(text, &[" who ", who_does, ", or say nobody."]);
    }

    /// `Name everyone`, or `Of Ann and Bob, name everyone`.
    pub fn name_those(&self, text: &mut String) {
        let people = self.lexicon.sorted(self.story, self.words, &self.question.of);
        for (at, &who) in people.iter().enumerate() {
            push_all(text, &[if at == 0 { "Of " } else { separator(at, people.len()) }, self.name(who)]);
        }
        text.push_str(if people.is_empty() { "Name everyone" } else { ", name everyone" });
    }
}
