//! Logs of conversations: who is present in each part, and what is said there.
//!
//! All parts happen in one room. Who is present when something is conveyed knows it, and knows who else was there;
//! which is a proposition of its own. The liar's lie is not so, and whoever knows the real reason, or the truth,
//! knows that.

use super::asked::{self, Asked};
use super::forms::Proposition;
use super::json::{Kind, Node};
use super::reader::{Fields, Names, Problems};
use super::walks::Walks;
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::trace::Trace;
use crate::world::{Act, Hearers, Item, Knowledge, Stage, Telling, Thing, Value};

/// The largest number of people who may take part.
const CAST_MAX: usize = 100;

/// The largest number of parts that a conversation may have. Everybody may come and go in each.
const PARTS_MAX: usize = 10_000;

/// The largest number of things that may be conveyed.
const CONVEYED_MAX: usize = 900;

/// A conversation as a log tells it.
#[derive(Debug)]
pub struct PartsLog {
    /// The id as it is written, JSON.
    pub id: String,
    pub(super) cast: Names,
    parts: Vec<Part>,
    pub(super) questions: Vec<Asked>,
    pub(super) left_out: usize,
}

/// A part of a conversation, in which nobody comes or goes.
#[derive(Debug)]
pub struct Part {
    number: i64,
    /// Those who are there, in the order of the log.
    pub present: Vec<CharacterId>,
    /// What is conveyed, in order.
    pub conveyed: Vec<Conveyed>,
    span: Span,
}

/// Something that everyone who is there learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conveyed {
    /// What it is.
    pub what: Proposition,
    /// Who says it, if the log says so.
    pub speaker: Option<CharacterId>,
}

impl PartsLog {
    /// Reads as much of a conversation as the line contains.
    pub(super) fn read(fields: &Fields<'_>, id: String, problems: &mut Problems) -> Option<Self> {
        let cast = cast(fields, problems)?;
        let mut log = Self { id, cast, parts: Vec::new(), questions: Vec::new(), left_out: 0 };
        let parts = fields.get("parts").and_then(|node| problems.list(node, "`parts`"))?;
        if parts.len() > PARTS_MAX {
            let message = format!("a log has at most {PARTS_MAX} parts");
            problems.push(Diagnostic::error(message, fields.span(), format!("{} here", parts.len())));
            return None;
        }
        for (at, node) in parts.into_iter().enumerate() {
            log.part(at, node, problems);
        }
        let questions = fields.said("questions").and_then(|node| problems.list(node, "`questions`"));
        for (number, node) in questions.unwrap_or_default().into_iter().enumerate() {
            log.questions.extend(asked::question(number, node, &log.cast, problems));
        }
        log.supply(problems);
        let conveyed: usize = log.parts.iter().map(|part| part.conveyed.len()).sum();
        if conveyed > CONVEYED_MAX {
            let message = format!("a log may convey at most {CONVEYED_MAX} things");
            problems.push(Diagnostic::error(message, fields.span(), format!("{conveyed} here")));
            return None;
        }
        Some(log)
    }

    fn part(&mut self, at: usize, node: Node<'_>, problems: &mut Problems) {
        let Some(fields) = problems.fields(node, "a part") else {
            self.left_out += 1;
            return;
        };
        let number = fields.said("part").and_then(|node| problems.whole_number(node, "the number of a part"));
        let present = problems.required(&fields, "present");
        let present = present.and_then(|node| self.cast.find_all(node, "`present`", problems));
        let Some(present) = present else {
            self.left_out += 1;
            return;
        };
        let mut present: Vec<_> = present.iter().map(|who| CharacterId::new(who.value)).collect();
        present.sort_unstable();
        present.dedup();
        let mut part = Part {
            number: number.unwrap_or(at as i64 + 1),
            present,
            conveyed: Vec::new(),
            span: node.span(),
        };
        let utterances = problems.required(&fields, "utterances");
        let utterances = utterances.and_then(|node| problems.list(node, "`utterances`")).unwrap_or_default();
        for utterance in utterances {
            let conveyed = self.utterance(utterance, &part.present, problems);
            self.left_out += usize::from(conveyed.is_none());
            part.conveyed.extend(conveyed.into_iter().flatten());
        }
        self.parts.push(part);
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Everyone who takes part.
    pub fn people(&self) -> impl Iterator<Item = CharacterId> + use<> {
        (0..self.cast.list().len()).map(CharacterId::new)
    }

    /// The name of somebody who takes part.
    pub fn character(&self, who: CharacterId) -> &str {
        &self.cast.list()[who.index()]
    }

    /// What an utterance conveys, and who conveys it.
    fn utterance(
        &self,
        node: Node<'_>,
        present: &[CharacterId],
        problems: &mut Problems,
    ) -> Option<Vec<Conveyed>> {
        let fields = problems.fields(node, "an utterance")?;
        let speaker = match fields.said("speaker") {
            Some(node) => Some(CharacterId::new(self.cast.find(node, problems)?.value)),
            None => None,
        };
        let conveys = problems.required(&fields, "conveys")?;
        let conveys = problems.list(conveys, "`conveys`")?;
        let word = |node| problems.word(node, "a proposition", &Proposition::WORDS);
        let conveyed: Option<Vec<Proposition>> = conveys.iter().copied().map(word).collect();
        let conveyed = conveyed?;
        if present.is_empty() && !conveyed.is_empty() {
            let message = "nobody is present to hear this";
            problems.push(Diagnostic::error(message, node.span(), "it is conveyed here"));
            return None;
        }
        Some(conveyed.into_iter().map(|what| Conveyed { what, speaker }).collect())
    }

    /// Adds what no utterance is known to convey but questions are about, in the part that is designed for it.
    fn supply(&mut self, problems: &mut Problems) {
        let design = [(Proposition::RealReason, 2), (Proposition::Truth, 3), (Proposition::Lie, 4)];
        for (what, number) in design {
            let is_asked = self.questions.iter().any(|asked| asked.about == what);
            let is_conveyed =
                self.parts.iter().flat_map(|part| &part.conveyed).any(|conveyed| conveyed.what == what);
            if !is_asked || is_conveyed {
                continue;
            }
            let part = self.parts.iter_mut().find(|part| part.number == number && !part.present.is_empty());
            let Some(part) = part else { continue };
            let message = format!("no utterance conveys `{}`, but questions are about it", what.key());
            let remark = format!("assumed to be conveyed in part {number}");
            problems.push(
                Diagnostic::warning(message, part.span, remark)
                    .help("by design, part 2 conveys the real reason, part 3 the truth and part 4 the lie"),
            );
            part.conveyed.push(Conveyed { what, speaker: None });
        }
    }

    /// The conversation as a trace, and its discussions: of what and among whom. The first three propositions of the
    /// trace are those that can be said; the discussions follow.
    pub fn trace(&self) -> (Trace, Vec<(Proposition, Vec<CharacterId>)>) {
        let room = PlaceId::new(0);
        let mut walks = Walks::new(1, &vec![None; self.cast.list().len()]);
        let start = walks.places().to_vec();
        let mut discussions: Vec<(Proposition, Vec<CharacterId>)> = Vec::new();
        for part in &self.parts {
            let there: Vec<_> = walks.company(room).collect();
            let gone: Vec<_> = there.iter().copied().filter(|who| !part.present.contains(who)).collect();
            let come: Vec<_> = part.present.iter().copied().filter(|who| !there.contains(who)).collect();
            walks.leave(&gone);
            walks.enter(&come, room);
            for &Conveyed { what, speaker } in &part.conveyed {
                // Who it is that says it makes no difference to minds, but somebody who is there has to.
                let speaker = speaker.filter(|who| part.present.contains(who)).unwrap_or(part.present[0]);
                let discussion = (what, part.present.clone());
                let known = discussions.iter().position(|known| *known == discussion);
                let number = known.unwrap_or(discussions.len());
                if known.is_none() {
                    discussions.push(discussion);
                }
                convey(&mut walks, speaker, what);
                walks.happen(
                    speaker,
                    Act::React((PropositionId::new(Proposition::WORDS.len() + number), true)),
                );
            }
        }
        let knowledge = vec![Knowledge::Nothing; start.len()];
        let thing = |is_true| Thing { value: Value::Truth(is_true), knowledge: knowledge.clone() };
        let said = Proposition::WORDS.iter().map(|&(_, what)| thing(what != Proposition::Lie));
        let propositions = said.chain(discussions.iter().map(|_| thing(true))).collect();
        let stage = Stage { propositions, ..Stage::default() };
        (Trace { start, events: walks.events, deeds: walks.deeds, stage }, discussions)
    }
}

/// Makes everyone present learn a proposition, and learn that the others do.
fn convey(walks: &mut Walks, speaker: CharacterId, what: Proposition) {
    let proposition = |what: Proposition| PropositionId::new(what as usize);
    let lie = Item::Proposition(proposition(Proposition::Lie));
    if what == Proposition::Lie {
        let telling =
            Telling { hearers: Hearers::Present, item: lie, value: Value::Truth(true), believers: None };
        return walks.happen(speaker, Act::Tell(telling));
    }
    walks.happen(speaker, Act::React((proposition(what), true)));
    walks.happen(speaker, Act::React((proposition(Proposition::Lie), false)));
}

/// The participants: a list of names, or an object that maps roles to names, where a role's capitalised first letter
/// also stands for the name.
fn cast(fields: &Fields<'_>, problems: &mut Problems) -> Option<Names> {
    let node = problems.required(fields, "characters")?;
    let mut cast = Names::new("character");
    if let Ok(Kind::List(items)) = node.kind() {
        for item in items {
            if let Some(name) = problems.text(item, "a character") {
                cast.add(name, CAST_MAX, problems);
            }
        }
        return Some(cast);
    }
    let mut spellings = Vec::new();
    for (role, name) in problems.entries(node, "`characters`")? {
        let initial: String = role.value.chars().take(1).flat_map(char::to_uppercase).collect();
        let is_new = cast.number(&initial).is_none();
        let called = Spanned::new(if is_new { initial } else { role.value.clone() }, role.span);
        if let Some(number) = cast.add(called, CAST_MAX, problems) {
            spellings.push((role.value, number));
            spellings.extend(problems.text(name, "the name of a character").map(|name| (name.value, number)));
        }
    }
    spellings.into_iter().for_each(|(spelling, number)| cast.also(spelling, number));
    Some(cast)
}
