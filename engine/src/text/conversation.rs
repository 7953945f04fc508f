//! Stories told as conversations: what people say, one turn a line, in the words of packs.
//!
//! A step is one turn or several. Whoever comes or goes says so; a claim is asked for by its target, if the target is there, and
//! confirmed by the others who speak of the matter; and who is told a reason may reply. The words of a story are drawn once,
//! and no text is said twice while others are left.

mod setting;
mod words;

use smallvec::SmallVec;

use self::setting::Rules;
use self::words::{Line, PackWords, Part, line};
use super::{Display, Lexicon, Spelling, StoryPart, Words};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::pack::{Class, Slot, Turn};
use crate::plan::{Plan, PlannedMatter, Saying, Staging};
use crate::question::SPARE_REASONS;
use crate::rng::{Stream, below, sample_to_front};
use crate::simulate::Story;
use crate::spelling::{at_start, capital};
use crate::storyboard::{Facet, OfMatter, Style};
use crate::world::{Act, ActInWorld, Item, Telling, Value};

/// Where people talk: the first place of the storyboard.
const TABLE: PlaceId = PlaceId::new(0);

/// How somebody begins who shows that a proposition is so; whoever only says it begins with the proposition.
const SHOWS: &str = "see for yourselves: ";

/// The words of all packs of a plan, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct TalkWords {
    packs: Vec<PackWords>,
    /// The names of the matters.
    pub matters: Vec<String>,
    /// The rules of all conversations, as their contexts say them.
    rules: Rules,
    /// What comes before the words of each of the pool who speaks: the end of the line before, her name and a colon.
    heralds: Vec<String>,
    line_break: String,
}

/// The words drawn for one conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    pack: usize,
    /// The thing of each matter, by its number in the pack.
    things: Vec<usize>,
    /// The reason of each matter, by its number among those of its kind.
    reasons: Vec<usize>,
    /// For each matter, reasons that nobody tells: whether they are for sincere words, and their numbers.
    spare: Vec<[(usize, usize); SPARE_REASONS]>,
    opening: usize,
    /// For each step, the numbers of up to two texts.
    turns: Vec<[usize; 2]>,
}

/// Numbers of texts that are drawn without repetition as long as there are others.
#[derive(Default)]
struct Deck {
    /// Those that are left.
    left: SmallVec<[u32; 32]>,
}

impl Deck {
    fn next(&mut self, stream: &mut Stream, count: usize) -> usize {
        if self.left.is_empty() {
            self.left.extend(0..count as u32);
        }
        match self.left.len() {
            0 => 0,
            left => self.left.swap_remove(below(stream, left as u32) as usize) as usize,
        }
    }
}

/// A list of texts from which turns are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Act(Turn),
    Reason,
    Truth,
    Hint,
    Ask,
    Claim,
}

impl List {
    /// The number of lists.
    const COUNT: usize = Turn::ALL.len() + 5;

    fn number(self) -> usize {
        match self {
            Self::Act(turn) => turn as usize,
            Self::Reason => Turn::ALL.len(),
            Self::Truth => Turn::ALL.len() + 1,
            Self::Hint => Turn::ALL.len() + 2,
            Self::Ask => Turn::ALL.len() + 3,
            Self::Claim => Turn::ALL.len() + 4,
        }
    }
}

impl TalkWords {
    pub(super) fn new(
        staging: &Staging,
        plan: &Plan,
        spelling: &Spelling<impl Fn(&str) -> String>,
    ) -> Option<Self> {
        (staging.style == Style::Conversation).then(|| {
            let acts = |turn| {
                staging.acts.iter().flat_map(move |pack| pack.acts()).flat_map(move |acts| acts.of(turn))
            };
            let common = Turn::ALL.map(|turn| acts(turn).map(|text| line(text, spelling)).collect());
            let mut packs: Vec<PackWords> =
                staging.packs.iter().map(|pack| PackWords::new(pack, &common, spelling)).collect();
            if packs.is_empty() {
                packs.push(PackWords::plain(&plan.place_names, common, spelling));
            }
            let matters = staging.matters.iter().map(|matter| spelling.spell(&matter.name)).collect();
            let rules = Rules::new(staging, plan);
            let line_break = spelling.spell("\n");
            let herald = |name: &String| format!("{line_break}{}: ", spelling.name(name));
            Self { packs, matters, rules, heralds: plan.pool.iter().map(herald).collect(), line_break }
        })
    }
}

/// A slot, and the matter in whose words it is filled in.
#[derive(Clone, Copy)]
pub(super) struct Slotted {
    pub matter: Option<usize>,
    pub slot: Slot,
}

/// What is said at a step, and of which matter.
#[derive(Clone, Copy)]
enum Speech<'s> {
    Comes,
    Goes,
    /// Something of a matter is revealed; somebody who is surely there may reply.
    Reveals(OfMatter, Option<CharacterId>),
    /// A claim, for which the target asks if she is there.
    Claims(usize, Option<CharacterId>),
    /// The same claim, by another than the one whom it is about.
    Confirms(usize),
    Chats,
    /// Any other statement.
    Says(&'s Act),
}

/// One turn of a conversation.
struct Uttered<'t> {
    who: CharacterId,
    /// The matter in whose words it is.
    matter: Option<usize>,
    what: Utterance<'t>,
}

/// The words of a turn.
enum Utterance<'t> {
    /// A text of a pack.
    Line(&'t Line),
    /// A statement that has no words in a pack.
    Statement(&'t Act),
}

impl Lexicon<'_> {
    fn talk(&self) -> (&TalkWords, &Staging) {
        let staging = self.plan.staging.as_ref().expect("a conversation is staged");
        (self.talk.as_ref().expect("the story is a conversation"), staging)
    }

    /// What is said at a step of a conversation.
    fn speech<'s>(&self, story: &'s Story, step: usize) -> Speech<'s> {
        let (_, staging) = self.talk();
        let event = story.trace.events[step];
        let of = |proposition: PropositionId| match staging.propositions[proposition.index()].says {
            Saying::Of(of) => Some(of),
            Saying::Words { .. } | Saying::Likes(..) => None,
        };
        let act = &story.trace.deeds[step].act;
        if act.is_going() {
            return if event.to == TABLE { Speech::Comes } else { Speech::Goes };
        }
        let said = match act {
            Act::Reveal((proposition, _))
            | Act::Tell(Telling { item: Item::Proposition(proposition), .. }) => of(*proposition),
            _ => None,
        };
        match (act, said) {
            (Act::Reveal(_), Some(of)) => {
                let audience = staging.audiences.iter().find(|(at, _)| *at == step);
                let replies = of.facet == Facet::Reason;
                let reply = audience.filter(|_| replies).and_then(|(_, with)| with.first().copied());
                Speech::Reveals(of, reply)
            }
            (Act::Tell(_), Some(OfMatter { matter, .. })) => {
                let PlannedMatter { by, to: target, .. } = &staging.matters[matter];
                if by.first() != Some(&event.who) {
                    return Speech::Confirms(matter);
                }
                let target = *target;
                let is_there = place_before(story, step, target) == TABLE && target != event.who;
                Speech::Claims(matter, is_there.then_some(target))
            }
            (Act::Chat, _) => Speech::Chats,
            (act, _) => Speech::Says(act),
        }
    }

    /// The name of a matter, that of the pack whose words it has, and the class of that.
    pub(super) fn labels(&self, words: &Words, matter: usize) -> (String, String, Class) {
        let (talk, _) = self.talk();
        let PackWords { name, class, .. } = &talk.packs[words.talk.pack];
        (talk.matters[matter].clone(), name.clone(), class.expect("a pack of white lies has a class"))
    }

    /// Draws the words of a conversation.
    pub(super) fn draw_talk(&self, story: &Story, stream: &mut Stream, drawn: &mut Drawn) {
        let (talk, staging) = self.talk();
        drawn.pack = below(stream, talk.packs.len() as u32) as usize;
        let pack = &talk.packs[drawn.pack];
        let count = staging.matters.len();
        let dealt = |stream: &mut Stream, all: usize, numbers: &mut Vec<usize>| {
            numbers.clear();
            numbers.extend(0..all);
            sample_to_front(stream, numbers, count.min(all));
            numbers.truncate(count);
        };
        dealt(stream, pack.matters.len(), &mut drawn.things);
        let reasons = pack.reasons.each_ref().map(Vec::len);
        dealt(stream, reasons[0].min(reasons[1]), &mut drawn.reasons);
        for at in drawn.reasons.len()..count {
            drawn.reasons.push(drawn.reasons[at % reasons[0].min(reasons[1])]);
        }
        drawn.spare.clear();
        for at in 0..count {
            let own = (usize::from(self.is_sincere(story, at)), drawn.reasons[at]);
            drawn.spare.push(other_reasons(stream, reasons, own));
        }
        let mut decks: [Deck; List::COUNT] = Default::default();
        let opening = List::Act(Turn::Open);
        drawn.opening = decks[opening.number()].next(stream, pack.count(opening));
        let mut next = |list: List| decks[list.number()].next(stream, pack.count(list));
        drawn.turns.clear();
        for step in 0..story.trace.events.len() {
            drawn.turns.push(self.lists(story, step).map(|list| list.map_or(0, &mut next)));
        }
    }

    /// Draws the words of a twin, whose story's words these are: it says the same where the same is to be said, and otherwise what is
    /// not said yet, as long as there is anything left.
    pub(super) fn draw_twin_talk(&self, story: &Story, twin: &Story, stream: &mut Stream, drawn: &mut Drawn) {
        let (talk, _) = self.talk();
        let pack = &talk.packs[drawn.pack];
        // What a twin gives as the reason is not offered once more.
        for (matter, spare) in drawn.spare.iter_mut().enumerate() {
            let [was, is] = [story, twin].map(|told| usize::from(self.is_sincere(told, matter)));
            let reason = drawn.reasons[matter];
            for offered in spare.iter_mut().filter(|offered| **offered == (is, reason)) {
                *offered = (was, reason);
            }
        }
        let mut said: Vec<(List, usize)> = Vec::new();
        let mut open: Vec<(usize, usize, List)> = Vec::new();
        for step in 0..twin.trace.events.len() {
            let lists = self.lists(story, step).into_iter().zip(self.lists(twin, step));
            for (part, (was, is)) in lists.enumerate() {
                let Some(list) = is else { continue };
                if was == is {
                    said.push((list, drawn.turns[step][part]));
                } else {
                    open.push((step, part, list));
                }
            }
        }
        for (step, part, list) in open {
            let mut left: Vec<usize> = (0..pack.count(list)).collect();
            left.retain(|text| !said.contains(&(list, *text)));
            let text = match left.len() {
                0 => below(stream, pack.count(list).max(1) as u32) as usize,
                count => left[below(stream, count as u32) as usize],
            };
            drawn.turns[step][part] = text;
            said.push((list, text));
        }
    }

    /// The lists from which the turns of a step are drawn.
    fn lists(&self, story: &Story, step: usize) -> [Option<List>; 2] {
        match self.speech(story, step) {
            Speech::Comes => [Some(List::Act(Turn::Come)), None],
            Speech::Goes => [Some(List::Act(Turn::Go)), None],
            Speech::Chats => [Some(List::Act(Turn::Chat)), None],
            Speech::Claims(..) => [Some(List::Ask), Some(List::Claim)],
            Speech::Confirms(_) => [Some(List::Act(Turn::Confirm)), None],
            Speech::Reveals(of, reply) => {
                let list = match of.facet {
                    Facet::Reason => List::Reason,
                    Facet::Hint => List::Hint,
                    _ => List::Truth,
                };
                [Some(list), reply.map(|_| List::Act(Turn::Reply))]
            }
            Speech::Says(_) => [None, None],
        }
    }

    /// Whether what is claimed about a matter is so.
    pub(super) fn is_sincere(&self, story: &Story, matter: usize) -> bool {
        let (_, staging) = self.talk();
        let claim = staging.matters[matter].facet(Facet::Claim);
        story.trace.stage.propositions[claim.index()].value == Value::Truth(true)
    }

    /// Appends a whole conversation, turns separated by line breaks.
    pub(super) fn conversation(&self, story: &Story, words: &Words, text: &mut String) {
        let (talk, _) = self.talk();
        let mut skipped = talk.line_break.len();
        self.each_turn(story, words, |_, turn| {
            text.push_str(&talk.heralds[story.names[turn.who.index()]][skipped..]);
            self.utter(story, words, turn, text);
            skipped = 0;
        });
    }

    /// All turns of a conversation, each with its step.
    pub(super) fn parts_of_talk(&self, story: &Story, words: &Words) -> Vec<StoryPart> {
        let mut parts = Vec::new();
        self.each_turn(story, words, |step, turn| {
            let mut text = String::new();
            self.say(story, words, turn, &mut text);
            parts.push(StoryPart { step, text });
        });
        parts
    }

    /// Visits all turns of a conversation; the opening has no step.
    fn each_turn(&self, story: &Story, words: &Words, mut visit: impl FnMut(Option<usize>, &Uttered<'_>)) {
        let (talk, _) = self.talk();
        let pack = &talk.packs[words.talk.pack];
        if let Some(who) = self.host(story) {
            let line = &pack.acts[Turn::Open as usize][words.talk.opening];
            visit(None, &Uttered { who, matter: None, what: Utterance::Line(line) });
        }
        for step in 0..story.trace.events.len() {
            self.turns(story, words, step).iter().flatten().for_each(|turn| visit(Some(step), turn));
        }
    }

    /// The turns of a step, each with its speaker.
    pub(super) fn turns_of_step(&self, story: &Story, words: &Words, step: usize) -> Vec<String> {
        let text = |turn| {
            let mut text = String::new();
            self.say(story, words, &turn, &mut text);
            text
        };
        self.turns(story, words, step).into_iter().flatten().map(text).collect()
    }

    /// Who opens the conversation: the first role that speaks of no matter, and is there.
    fn host(&self, story: &Story) -> Option<CharacterId> {
        let (_, staging) = self.talk();
        let is_party = |who: &CharacterId| {
            staging.matters.iter().any(|matter| matter.to == *who || matter.by.contains(who))
        };
        let roles = (0..self.plan.role_names.len()).map(CharacterId::new);
        roles.filter(|who| !is_party(who)).find(|who| story.trace.start[who.index()] == TABLE)
    }

    /// The turns of a step.
    fn turns<'t>(&'t self, story: &'t Story, words: &'t Words, step: usize) -> [Option<Uttered<'t>>; 2] {
        let (talk, _) = self.talk();
        let pack = &talk.packs[words.talk.pack];
        let [first, second] = words.talk.turns[step];
        let who = story.trace.events[step].who;
        let turn = |who, matter, line| Some(Uttered { who, matter, what: Utterance::Line(line) });
        let act = |turn: Turn, number: usize| &pack.acts[turn as usize][number];
        match self.speech(story, step) {
            Speech::Comes => [turn(who, None, act(Turn::Come, first)), None],
            Speech::Goes => [turn(who, None, act(Turn::Go, first)), None],
            Speech::Chats => [turn(who, None, act(Turn::Chat, first)), None],
            Speech::Claims(matter, asker) => [
                asker.and_then(|asker| turn(asker, Some(matter), &pack.ask[first])),
                turn(who, Some(matter), &pack.claim[second]),
            ],
            Speech::Confirms(matter) => [turn(who, Some(matter), act(Turn::Confirm, first)), None],
            Speech::Reveals(OfMatter { matter, facet }, reply) => {
                let kind = usize::from(self.is_sincere(story, matter));
                let said = match facet {
                    Facet::Reason => &pack.reason[first][kind],
                    Facet::Hint => &pack.hint[first],
                    _ => &pack.truth[first][kind],
                };
                let reply = reply.and_then(|reply| turn(reply, None, act(Turn::Reply, second)));
                [turn(who, Some(matter), said), reply]
            }
            Speech::Says(act) => [Some(Uttered { who, matter: None, what: Utterance::Statement(act) }), None],
        }
    }

    /// Appends a turn with its speaker.
    fn say(&self, story: &Story, words: &Words, turn: &Uttered<'_>, text: &mut String) {
        let (talk, _) = self.talk();
        text.push_str(&talk.heralds[story.names[turn.who.index()]][talk.line_break.len()..]);
        self.utter(story, words, turn, text);
    }

    /// Appends the words of a turn.
    fn utter(&self, story: &Story, words: &Words, turn: &Uttered<'_>, text: &mut String) {
        let act = match turn.what {
            Utterance::Line(line) => return self.fill(story, words, turn.matter, line, text),
            Utterance::Statement(act) => act,
        };
        let mut said = String::new();
        match act {
            Act::Tell(Telling { item, value, .. }) => self.fact(story, words, *item, *value, &mut said),
            Act::Reveal((proposition, is_so)) => {
                let item = Item::Proposition(*proposition);
                self.fact(story, words, item, Value::Truth(*is_so), &mut said);
                said.insert_str(0, SHOWS);
            }
            _ => unreachable!("in conversations people come, go and speak"),
        }
        text.push_str(&at_start(&capital(&said)));
        text.push('.');
    }

    /// Appends a text with its slots filled in.
    fn fill(&self, story: &Story, words: &Words, matter: Option<usize>, line: &Line, text: &mut String) {
        for part in line {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(slot, is_start) => {
                    let from = text.len();
                    self.slot(story, words, Slotted { matter, slot: *slot }, text);
                    if *is_start {
                        capitalize(text, from);
                    }
                }
            }
        }
    }

    /// Appends what a slot stands for.
    pub(super) fn slot(
        &self,
        story: &Story,
        words: &Words,
        Slotted { matter, slot }: Slotted,
        text: &mut String,
    ) {
        let (talk, staging) = self.talk();
        let pack = &talk.packs[words.talk.pack];
        let name = |who| self.name(story, words, Display::People, who);
        if slot == Slot::People {
            let everyone = self.in_order(story, words, Display::People);
            return self.names_at_start(story, words, Display::People, &everyone, text);
        }
        // What is said of no matter in particular is said of the first.
        let matter = matter.unwrap_or(0);
        let of: &PlannedMatter = &staging.matters[matter];
        let [thing, says, denies] = &pack.matters[words.talk.things[matter]];
        let line = match slot {
            Slot::Liar => return text.push_str(name(of.by[0])),
            Slot::Target => return text.push_str(name(of.to)),
            Slot::Reason => {
                let kind = usize::from(self.is_sincere(story, matter));
                &pack.reasons[kind][words.talk.reasons[matter]].told
            }
            Slot::Thing => thing,
            Slot::Says | Slot::Own => says,
            Slot::Denies | Slot::OwnNot => denies,
            Slot::People => unreachable!("done above"),
            Slot::Who | Slot::First | Slot::Second | Slot::Act | Slot::Decider | Slot::Agent => {
                unreachable!("no conversation has these")
            }
        };
        for part in line {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(slot, _) => {
                    self.slot(story, words, Slotted { matter: Some(matter), slot: *slot }, text)
                }
            }
        }
    }

    /// Appends a claim, or its contrary: "Luke liked the soup".
    pub(super) fn claim(&self, story: &Story, words: &Words, matter: usize, is_so: bool, text: &mut String) {
        let slot = if is_so { Slot::Says } else { Slot::Denies };
        self.slot(story, words, Slotted { matter: Some(matter), slot }, text);
    }

    /// Appends a reason in words of its own: that of a matter or, from 1 on, one that nobody tells.
    pub(super) fn why(&self, story: &Story, words: &Words, matter: usize, spare: usize, text: &mut String) {
        let (talk, _) = self.talk();
        let pack = &talk.packs[words.talk.pack];
        let (kind, reason) = match spare.checked_sub(1) {
            None => (usize::from(self.is_sincere(story, matter)), words.talk.reasons[matter]),
            Some(spare) => words.talk.spare[matter][spare],
        };
        self.fill(story, words, Some(matter), &pack.reasons[kind][reason].why, text);
    }

    /// The number of the first turn of a step, counted from 1 as a reader would.
    pub(super) fn turn_number(&self, story: &Story, words: &Words, step: usize) -> usize {
        let before: usize =
            (0..step).map(|step| self.turns(story, words, step).iter().flatten().count()).sum();
        1 + usize::from(self.host(story).is_some()) + before
    }
}

/// Draws reasons that nobody tells, of so many of both kinds: none twice, and not `own`. There are more than enough.
fn other_reasons(
    stream: &mut Stream,
    counts: [usize; 2],
    own: (usize, usize),
) -> [(usize, usize); SPARE_REASONS] {
    let mut others = [own; SPARE_REASONS];
    let mut found = 0;
    while found < SPARE_REASONS {
        let number = below(stream, (counts[0] + counts[1]) as u32) as usize;
        let other = number.checked_sub(counts[0]).map_or((0, number), |number| (1, number));
        if other != own && !others[..found].contains(&other) {
            others[found] = other;
            found += 1;
        }
    }
    others
}

/// Where somebody is just before a step.
fn place_before(story: &Story, step: usize, who: CharacterId) -> PlaceId {
    let events = story.trace.events[..step].iter().zip(&story.trace.deeds);
    let went = events.rev().find(|(event, deed)| {
        deed.act.is_going() && crate::world::Scene::movers(**event, &deed.act).any(|mover| mover == who)
    });
    went.map_or(story.trace.start[who.index()], |(event, _)| event.to)
}

/// Gives the part of a text that begins at this byte a capital letter at its beginning.
fn capitalize(text: &mut String, from: usize) {
    if text.as_bytes().get(from).is_some_and(u8::is_ascii) {
        text[from..=from].make_ascii_uppercase();
        return;
    }
    let filled = capital(&text[from..]);
    text.truncate(from);
    text.push_str(&filled);
}
