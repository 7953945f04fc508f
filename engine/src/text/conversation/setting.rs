//! What a reader has to know before a conversation: the occasion, who is where, what is so and who knows it, and the rules.

use super::words::{Line, Part};
use super::{Slotted, TABLE};
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, PlannedAct, Play, Saying, Staging};
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::text::{Display, Lexicon, Words, push_all, separator};
use crate::world::{Item, Knowledge};

/// What the rules of a conversation depend on.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// There are matters, of which people may say what is not so when they are asked.
    matters: bool,
    /// Some confirm what others say of a matter.
    several: bool,
    /// There are propositions besides those of matters.
    plain: bool,
    /// Only some know one of them.
    secret: bool,
    /// One of them may be told.
    told: bool,
    /// One of them may be revealed.
    revealed: bool,
    /// What somebody knows is asked about.
    knowing: bool,
}

impl Uses {
    fn of(staging: &Staging, plan: &Plan) -> Self {
        let says = |at: PropositionId| &staging.propositions[at.index()].says;
        let is_plain = |at: PropositionId| matches!(says(at), Saying::Words { .. });
        // What is left open may be any of them.
        let may_be_plain = |at: Option<PropositionId>| at.is_none_or(is_plain);
        let tells = |act: &PlannedAct| match act {
            PlannedAct::Tell(telling) => match telling.item {
                None => true,
                Some(Item::Proposition(at)) => is_plain(at),
                Some(Item::Character(_) | Item::Object(_) | Item::Lid(_) | Item::Prospect(_)) => false,
            },
            _ => false,
        };
        let reveals = |act: &PlannedAct| matches!(act, PlannedAct::Reveal(at) if may_be_plain(*at));
        let mut acts = staging.deeds.iter().map(|(_, deed)| &deed.act);
        let is_drawn =
            staging.play.iter().any(|(play, weight)| [Play::Tell, Play::Lie].contains(play) && *weight > 0);
        let plain = || staging.propositions.iter().filter(|known| matches!(known.says, Saying::Words { .. }));
        let is_secret = |knowledge: &[Knowledge]| knowledge.iter().any(|known| *known != Knowledge::Right);
        let has_plain = plain().next().is_some();
        Self {
            matters: !staging.matters.is_empty(),
            several: staging.matters.iter().any(|matter| matter.by.len() > 1),
            plain: has_plain,
            secret: plain().any(|known| is_secret(&known.knowledge)),
            told: has_plain && (is_drawn || acts.clone().any(tells)),
            revealed: has_plain && acts.any(reveals),
            knowing: plan.questions.iter().any(|question| is_of_knowledge(question.kind)),
        }
    }
}

/// Whether a question says "know", so that a reader has to know what that means.
const fn is_of_knowledge(kind: QuestionKind) -> bool {
    matches!(
        kind,
        QuestionKind::Knows
            | QuestionKind::WhoKnows
            | QuestionKind::CouldAnswer
            | QuestionKind::Stands
            | QuestionKind::CouldLie
            | QuestionKind::SeesThrough
    )
}

/// The rules of all conversations of a plan.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Whether there are propositions besides those of matters, of which the context says what is so.
    has_propositions: bool,
    /// The rules, in plain words.
    text: String,
}

impl Rules {
    pub(super) fn new(staging: &Staging, plan: &Plan) -> Self {
        let uses = Uses::of(staging, plan);
        Self { has_propositions: uses.plain, text: rules(uses).join(" ") }
    }
}

impl Lexicon<'_> {
    /// Appends the occasion, who is where at first, what is so, and the rules of conversations.
    pub(in crate::text) fn setting(&self, story: &Story, words: &Words, text: &mut String) {
        let (talk, _) = self.talk();
        let pack = &talk.packs[words.talk.pack];
        self.fill(story, words, None, &pack.setting, text);
        let everyone = self.in_order(story, words, Display::People);
        let is_there = |who: &&CharacterId| story.trace.start[who.index()] == TABLE;
        let mut is_first = true;
        for (place, here) in [(&pack.place, true), (&pack.away, false)] {
            let people: Vec<CharacterId> =
                everyone.iter().filter(|who| is_there(who) == here).copied().collect();
            if people.is_empty() {
                continue;
            }
            text.push_str(if std::mem::take(&mut is_first) { " At first, " } else { "; " });
            for (at, &who) in people.iter().enumerate() {
                push_all(text, &[separator(at, people.len()), self.name(story, words, Display::People, who)]);
            }
            text.push_str(if people.len() == 1 { " is " } else { " are " });
            self.fill_within(story, words, place, text);
        }
        text.push_str(". ");
        if talk.rules.has_propositions {
            self.propositions_at_the_start(story, words, &everyone, text);
        }
        text.push_str(&talk.rules.text);
    }

    fn fill_within(&self, story: &Story, words: &Words, line: &Line, text: &mut String) {
        for part in line {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(slot, _) => self.slot(story, words, Slotted { matter: None, slot: *slot }, text),
            }
        }
    }
}

/// The rules, one text after another.
fn rules(uses: Uses) -> Vec<&'static str> {
    let mut rules = Vec::new();
    if uses.plain {
        rules.push(if uses.secret { KNOWN_BY_SOME } else { KNOWN_BY_ALL });
    }
    rules.push(TALK);
    if uses.matters {
        rules.push(if uses.several { CLAIMS_OF_SEVERAL } else { CLAIMS });
        rules.push(if uses.plain { ELSE_OF_MATTERS } else { ELSE });
        rules.push(AT_FIRST);
        if uses.several {
            rules.push(CONFIRMING);
        }
    }
    if uses.revealed {
        rules.push(REVEALED);
    }
    if uses.told {
        rules.push(match (uses.matters, uses.revealed) {
            (false, false) => "What people say may be true or not.",
            (false, true) => "What people say without these words may be true or not.",
            (true, false) => "What people say of other things may be true or not.",
            (true, true) => "What people say of other things without these words may be true or not.",
        });
        rules.push(TOLD);
    }
    if uses.knowing {
        rules.push(KNOWING);
    }
    rules.push(RULES_ARE_KNOWN);
    rules
}

const KNOWN_BY_ALL: &str = "Everyone knows all of this, and knows that everyone does.";

const KNOWN_BY_SOME: &str = "Everything else that is said here everyone knows, and knows that everyone does. Where it says that \
    only some know something, everyone knows who has an idea of it and who has none. Those who have an idea take each other to \
    think what they think themselves. Those who have none cannot tell what the others think.";

/// The rules of all conversations.
const TALK: &str = "Each line is what somebody says. Whoever comes or goes says so, and nobody else comes or goes. Everyone who is \
    there hears what is said, and knows who else hears it. Whoever is away hears nothing of it, and learns of it later only from \
    what is said in the story. Everyone knows at any time who is there and who is away.";

/// What people answer when they are asked about a matter.
const CLAIMS: &str = "Somebody who asks about something of their own may get an answer that is not true. Such an answer is \
    believed by all who hear it, unless they are sure of the contrary.";

/// The same, where some confirm what others say.
const CLAIMS_OF_SEVERAL: &str = "Somebody who asks about something of their own may get an answer that is not true, and others \
    may confirm it. What is said in this way is believed by all who hear it, unless they are sure of the contrary.";

/// What else is said, where nothing is said but of matters.
const ELSE: &str =
    "Everything else that people say is true, and all who hear it are sure of it from then on.";

/// The same, where people speak of other things, too.
const ELSE_OF_MATTERS: &str = "Everything else that people say of such a thing is true, and all who hear it are sure of it from \
    then on.";

const AT_FIRST: &str =
    "At first, only those who are going to answer know what is true of it, and why they answer as they do.";

const CONFIRMING: &str = "Those who are going to confirm an answer have to hear of it first.";

const REVEALED: &str = "Whoever begins with the words See for yourselves shows that what follows is so: everyone who is there \
    sees it, and is sure of it from then on.";

/// What hearers make of what they are only told.
const TOLD: &str = "Those who hear it believe it, unless they think something else because they have seen it or have known it \
    from the start. Then they go on thinking that, and conclude nothing from what they hear. Those who believe it take the \
    speaker to think so too. If they did not before, they suppose that the speaker was told so and did not see it. Someone who \
    cannot tell what a person thinks cannot tell either whether this person believes what is said. What speakers think does not \
    change by what they say, whether they think it or not.";

const KNOWING: &str = "To know something is to think what is so about it, sure of it or not. People take others to know it if they \
    take them to think the same about it as they do themselves.";

const RULES_ARE_KNOWN: &str = "Everyone knows all these rules, and knows that everyone does.";
