//! How scenarios open, and what bystanders say that carries nothing.
//!
//! A *bystander* is somebody who announces nothing and about whom nothing is asked. Now and then one of them replies to an
//! announcement that she hears, or makes a remark in company. None of that gives anything away:
//!
//! - Whether something is said after a step, and in which words, is drawn from streams of its own, whatever happens.
//! - Who says it, or whether it stays unsaid since nobody could, follows from where the bystanders and the tellers are. Those who
//!   are asked about neither speak nor count as company, and where they are is never looked at.
//!
//! So given the walks of the others, what is said is the same wherever those go who are asked about. It shows that a bystander
//! is with a teller or with another bystander, which their moves show anyway; whoever leaves moves out has to leave it out, too.

use crate::form::ActKind;
use crate::id::{CharacterId, PlaceId};
use crate::pack::Text;
use crate::plan::{Plan, Target};
use crate::rng::{below, sample_to_front};
use crate::simulate::Story;
use crate::text::spelt::Spelling;
use crate::text::{Display, Lexicon, Words, push_all};
use crate::world::{Act, Item, Scene};

/// The parts of the stream of words for the order of texts in a story, and for the first scenario; those of others follow.
const ORDER_PART: u64 = 256;
const SCENARIO_PART: u64 = 257;

/// In how many steps of a hundred somebody says something, if there is somebody who can: after an announcement, and after any
/// other event.
const REPLIES: u32 = 50;
const REMARKS: u32 = 10;

/// The words of small talk in one spelling, and who can use them.
#[derive(Clone, Debug)]
pub(in crate::text) struct SmallTalkIn {
    /// In the present, and in the past; none in the past if they are not written in both.
    openings: [Vec<String>; 2],
    replies: Vec<LineIn>,
    remarks: Vec<LineIn>,
    bystanders: Vec<CharacterId>,
    /// The bystanders, and those who announce something.
    company: Vec<CharacterId>,
}

/// What can be said, as it stands between quotation marks.
#[derive(Clone, Debug)]
struct LineIn {
    text: String,
    mark: char,
}

/// What is said besides the news of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SmallTalkDrawn {
    /// The order of the openings.
    openings: Vec<usize>,
    /// What is said, in the order of steps.
    lines: Vec<Line>,
}

/// What somebody says after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    step: usize,
    who: CharacterId,
    is_reply: bool,
    text: usize,
    verb: u32,
}

impl LineIn {
    fn new(text: &Text, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let written = text.to_string();
        let mark = written.chars().next_back().unwrap_or('.');
        let text = if mark == '.' { written.trim_end_matches('.') } else { &written };
        Self { text: spelling.spell(text), mark }
    }

    /// The words by which somebody says it, in the present and in the past.
    const fn verbs(&self, is_reply: bool) -> &'static [[&'static str; 2]] {
        const SAYS: [&str; 2] = ["says", "said"];
        match (self.mark, is_reply) {
            ('?', _) => &[["asks", "asked"]],
            (_, true) => &[SAYS, ["replies", "replied"], ["answers", "answered"]],
            ('!', false) => &[SAYS],
            (_, false) => &[SAYS, ["remarks", "remarked"]],
        }
    }
}

impl SmallTalkIn {
    /// The words of a plan, if anybody can make small talk, or scenarios open in any way.
    pub fn new(plan: &Plan, spelling: &Spelling<impl Fn(&str) -> String>) -> Option<Self> {
        let words = plan.staging.as_ref()?.small_talk.as_ref()?.small_talk()?;
        let lines = |texts: &[Text]| texts.iter().map(|text| LineIn::new(text, spelling)).collect();
        let [asked, tellers] = [asked_about(plan), tellers(plan)];
        let everyone = || (0..plan.character_count).map(CharacterId::new);
        let is_bystander = |who: &CharacterId| !asked.contains(who) && !tellers.contains(who);
        Some(Self {
            openings: [&words.openings, &words.past_openings]
                .map(|texts| texts.iter().map(|text| spelling.spell(&text.to_string())).collect()),
            replies: lines(&words.replies),
            remarks: lines(&words.remarks),
            bystanders: everyone().filter(is_bystander).collect(),
            company: everyone().filter(|who| !asked.contains(who)).collect(),
        })
    }

    fn list(&self, is_reply: bool) -> &[LineIn] {
        if is_reply { &self.replies } else { &self.remarks }
    }

    /// Who can say something after a step, when people are in these places: of those who hear what is announced there, or of those
    /// who are in company.
    fn speakers(&self, story: &Story, step: usize, at: &[PlaceId]) -> Vec<CharacterId> {
        let deed = &story.trace.deeds[step];
        let is_with = |who: CharacterId, other: CharacterId| at[who.index()] == at[other.index()];
        let can = |who: &CharacterId| {
            if is_announced(story, step) {
                return is_with(*who, story.trace.events[step].who)
                    && !deed.distracted.iter().any(|distraction| distraction.who == *who);
            }
            self.company.iter().any(|other| other != who && is_with(*who, *other))
        };
        self.bystanders.iter().copied().filter(can).collect()
    }
}

/// Those who are named in questions, and whose lives are drawn.
fn asked_about(plan: &Plan) -> Vec<CharacterId> {
    let minds = plan.questions.iter().flat_map(|question| question.others.iter().copied());
    let targets = plan.questions.iter().filter_map(|question| match question.target {
        Target::Item(Item::Character(who)) => Some(who),
        Target::Item(_) | Target::Attitude(_) | Target::Matter(_) => None,
    });
    minds.chain(targets).chain(plan.lives().map(|lives| lives.whose)).collect()
}

/// Those who announce something.
fn tellers(plan: &Plan) -> Vec<CharacterId> {
    let deeds = plan.staging.iter().flat_map(|staging| &staging.deeds);
    let announced = deeds.filter(|(_, deed)| deed.act.kind() == ActKind::Turn).map(|(_, deed)| deed.who);
    announced.chain(plan.lives().map(|lives| lives.by)).collect()
}

fn is_announced(story: &Story, step: usize) -> bool {
    matches!(story.trace.deeds[step].act, Act::Turn(_))
}

/// Where everyone is after each step.
fn after_each<'s>(story: &'s Story) -> impl Iterator<Item = (usize, Vec<PlaceId>)> + 's {
    let mut at = story.trace.start.clone();
    story.trace.events.iter().zip(&story.trace.deeds).enumerate().map(move |(step, (event, deed))| {
        Scene::movers(*event, &deed.act).for_each(|who| at[who.index()] = event.to);
        (step, at.clone())
    })
}

impl Lexicon<'_> {
    fn small_talk_words(&self) -> Option<&SmallTalkIn> {
        self.news.as_ref()?.small_talk.as_ref()
    }

    /// Draws what is said besides the news of a story.
    pub(super) fn draw_small_talk(&self, story: &Story, drawn: &mut SmallTalkDrawn) {
        drawn.lines.clear();
        let (Some(words), Some(scenarios)) = (self.small_talk_words(), self.plan.scenarios) else { return };
        let mut stream = self.key.stream(story.index, ORDER_PART);
        let mut dealt = |count: usize| {
            let mut order: Vec<usize> = (0..count).collect();
            sample_to_front(&mut stream, &mut order, count);
            order
        };
        drawn.openings = dealt(words.openings[0].len());
        let orders = [dealt(words.remarks.len()), dealt(words.replies.len())];
        let mut next = [0, 0];
        for (step, at) in after_each(story) {
            if step.is_multiple_of(scenarios.steps) {
                let scenario = (step / scenarios.steps) as u64;
                stream = self.key.stream(story.index, SCENARIO_PART + scenario);
            }
            let is_reply = is_announced(story, step);
            let chance = if is_reply { REPLIES } else { REMARKS };
            let is_said = below(&mut stream, 100) < chance;
            // As many draws whatever happens, so that no line depends on where anybody was before.
            let [who, verb] = [(); 2].map(|()| below(&mut stream, 1 << 16));
            if !is_said {
                continue;
            }
            let list = usize::from(is_reply);
            let text = orders[list][next[list] % orders[list].len()];
            next[list] += 1;
            let speakers = words.speakers(story, step, &at);
            if !speakers.is_empty() {
                let who = speakers[who as usize % speakers.len()];
                drawn.lines.push(Line { step, who, is_reply, text, verb });
            }
        }
    }

    /// Leaves out what cannot be said in a twin of the story for which it was drawn.
    pub(super) fn keep_small_talk(&self, twin: &Story, drawn: &mut SmallTalkDrawn) {
        let Some(words) = self.small_talk_words() else { return };
        let mut kept = Vec::with_capacity(drawn.lines.len());
        for (step, at) in after_each(twin) {
            let is_reply = is_announced(twin, step);
            let lines = drawn.lines.iter().filter(|line| line.step == step && line.is_reply == is_reply);
            kept.extend(lines.filter(|line| words.speakers(twin, step, &at).contains(&line.who)));
        }
        drawn.lines = kept;
    }

    /// The sentence with which a scenario opens, if there is one.
    pub(super) fn opening(&self, words: &Words, scenario: usize) -> Option<&str> {
        let small_talk = self.small_talk_words()?;
        let order = &words.news.small_talk.openings;
        Some(&small_talk.openings[self.tense(words)][order[scenario % order.len()]])
    }

    /// What somebody says after a step that carries nothing, as a sentence.
    pub fn said_besides(&self, story: &Story, words: &Words, step: usize) -> Option<String> {
        let small_talk = self.small_talk_words()?;
        let lines = &words.news.small_talk.lines;
        let line = &lines[lines.binary_search_by_key(&step, |line| line.step).ok()?];
        let said = &small_talk.list(line.is_reply)[line.text];
        let verbs = said.verbs(line.is_reply);
        let verb = verbs[line.verb as usize % verbs.len()][self.tense(words)];
        let comma = if said.mark == '.' { "," } else { "" };
        let mut text = String::new();
        let who = self.name(story, words, Display::People, line.who);
        push_all(&mut text, &["“", &said.text, comma, "” ", verb, " ", who, "."]);
        Some(text)
    }

    /// How many lines are said before a step that carry nothing.
    pub(super) fn said_before(&self, words: &Words, step: usize) -> usize {
        words.news.small_talk.lines.partition_point(|line| line.step < step)
    }

    /// Appends that what bystanders say carries nothing, if they can say anything; with a space after it.
    pub(in crate::text) fn rule_of_small_talk(&self, text: &mut String) {
        if self.small_talk_words().is_some_and(|words| !words.bystanders.is_empty()) {
            text.push_str("Replies and small talk carry no news, and nobody concludes anything from them. ");
        }
    }
}
