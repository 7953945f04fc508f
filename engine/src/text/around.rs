//! What stands around a story, in the words of a wording: how things are at its start, the rules, and what is asked.

use rand::Rng as _;

use super::ways::pick_way;
use super::{Display, Lexicon, Spelling, Words, rules, separator};
use crate::form::{PhraseKind, PhrasePiece, PhraseSlot, ReaderRule};
use crate::id::{CharacterId, PlaceId};
use crate::pack::{AroundWords, Phrase};
use crate::plan::Plan;
use crate::rng::Stream;
use crate::simulate::Story;
use crate::spelling::capital;

/// By how many bits a story's number is turned from one phrase to the next.
const TURN: u32 = 17;

/// The rules that readers are told, but for the last: that everyone knows them.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// In plain words, with a blank at the end; and the last one.
    pub plain: [String; 2],
    /// In the words of a wording; empty if the plan has none.
    ways: Vec<RuleWays>,
}

/// The ways to word a rule.
#[derive(Clone, Debug)]
struct RuleWays {
    full: Vec<String>,
    short: Vec<String>,
}

/// The phrases of a wording, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct Around {
    phrases: Vec<(PhraseKind, Vec<SpeltPhrase>)>,
    has_short_rules: bool,
}

/// A way to word a phrase, in the spelling of the output.
#[derive(Clone, Debug)]
pub(super) struct SpeltPhrase {
    cases: Vec<Vec<PhrasePiece>>,
    /// The words with which each case begins a sentence, if it begins with words.
    capitals: Vec<Option<String>>,
    /// Whether it says something of several people at once.
    is_of_several: bool,
}

/// The numbers that say how what stands around a story is worded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AroundDrawn {
    opening: u64,
    asked: u64,
    is_short: bool,
    /// One for each rule.
    rules: Vec<u64>,
}

/// The words of a plan's wording for what stands around a story, if it has any.
fn words(plan: &Plan) -> Option<&AroundWords> {
    let wording = plan.wording.as_ref()?;
    Some(&wording.wording().expect("a pack of wordings").around)
}

impl Rules {
    /// The rules of a plan's stories.
    pub fn new(plan: &Plan, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let mut told = rules::rules(plan.staging.as_ref(), plan);
        let spell = |rule: &ReaderRule| spelling.spell(rule.plain());
        let last = told.pop().expect("everyone knows the rules");
        let plain = [told.iter().map(|rule| spell(rule) + " ").collect(), spell(&last)];
        let Some(words) = words(plan) else { return Self { plain, ways: Vec::new() } };
        told.push(last);
        if plan.staging.is_none() {
            // In plain words, this goes on after where people start.
            told.insert(0, ReaderRule::AllKnown);
        }
        let ways = told.iter().map(|rule| {
            let spelt = |ways: &[String]| ways.iter().map(|way| spelling.spell(way)).collect::<Vec<String>>();
            let full = match words.rules(*rule) {
                [] => vec![spell(rule)],
                ways => spelt(ways),
            };
            let short = match words.short(*rule) {
                [] => full.clone(),
                ways => spelt(ways),
            };
            RuleWays { full, short }
        });
        Self { plain, ways: ways.collect() }
    }

    /// The same rules in plain words.
    pub fn plainly(self) -> Self {
        Self { ways: Vec::new(), ..self }
    }
}

impl Around {
    /// The phrases of a plan's wording, if it has one.
    pub fn new(plan: &Plan, spelling: &Spelling<impl Fn(&str) -> String>) -> Option<Self> {
        let words = words(plan)?;
        let spelt = |(kind, ways): &(PhraseKind, Vec<Phrase>)| {
            (*kind, ways.iter().map(|way| SpeltPhrase::new(way, spelling)).collect())
        };
        let phrases = words.phrases.iter().map(spelt).collect();
        Some(Self { phrases, has_short_rules: !words.short.is_empty() })
    }

    fn ways(&self, kind: PhraseKind) -> Option<&[SpeltPhrase]> {
        self.phrases.iter().find(|(known, _)| *known == kind).map(|(_, ways)| &ways[..])
    }
}

impl SpeltPhrase {
    fn new(way: &Phrase, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let capital_of = |case: &Vec<PhrasePiece>| match case.first() {
            Some(PhrasePiece::Words(words)) => Some(spelling.spell(&capital(words))),
            _ => None,
        };
        Self {
            capitals: way.cases.iter().map(capital_of).collect(),
            cases: way.cases.iter().map(|case| spelt(case, spelling)).collect(),
            is_of_several: way.is_of_several(),
        }
    }

    /// Appends the phrase in a case; `is_at_start` says whether a sentence begins there. `fill` appends what stands in a hole, and
    /// learns whether the sentence begins there.
    pub fn say(
        &self,
        (case, is_at_start): (usize, bool),
        fill: &mut impl FnMut(PhraseSlot, bool, &mut String),
        text: &mut String,
    ) {
        for (at, piece) in self.cases[case].iter().enumerate() {
            let begins = is_at_start && at == 0;
            match piece {
                PhrasePiece::Words(words) => match &self.capitals[case] {
                    Some(capital) if begins => text.push_str(capital),
                    _ => text.push_str(words),
                },
                PhrasePiece::Slot(slot) => fill(*slot, begins, text),
                PhrasePiece::Each(_) => unreachable!("only where people start is repeated"),
            }
        }
    }
}

fn spelt(pieces: &[PhrasePiece], spelling: &Spelling<impl Fn(&str) -> String>) -> Vec<PhrasePiece> {
    let piece = |piece: &PhrasePiece| match piece {
        PhrasePiece::Words(words) => PhrasePiece::Words(spelling.spell(words)),
        PhrasePiece::Slot(slot) => PhrasePiece::Slot(*slot),
        PhrasePiece::Each(each) => PhrasePiece::Each(spelt(each, spelling)),
    };
    pieces.iter().map(piece).collect()
}

/// Who starts where: one place with everyone in it, or each person with her place.
type Whereabouts = Vec<(Vec<CharacterId>, PlaceId)>;

impl Lexicon<'_> {
    /// Draws how what stands around a story is worded.
    pub(super) fn draw_around(&self, stream: &mut Stream, drawn: &mut AroundDrawn) {
        let Some(around) = &self.around else { return };
        (drawn.opening, drawn.asked) = (stream.next_u64(), stream.next_u64());
        drawn.is_short = stream.next_u64() & 1 == 1 && around.has_short_rules;
        drawn.rules.clear();
        drawn.rules.extend(self.rules.ways.iter().map(|_| stream.next_u64()));
    }

    /// How a kind of question is worded in a story, if the wording has words for it.
    pub(super) fn asked_way(&self, words: &Words, kind: PhraseKind) -> Option<&SpeltPhrase> {
        let ways = self.around.as_ref()?.ways(kind)?;
        Some(&ways[pick_way(words.around.asked.rotate_left(TURN * kind as u32), ways.len())])
    }

    /// How a kind of sentence before the story is worded, the `nth` time, if the wording has words for it.
    pub(super) fn opening_way(&self, words: &Words, kind: PhraseKind, nth: usize) -> Option<&SpeltPhrase> {
        let ways = self.around.as_ref()?.ways(kind)?;
        let turned = words.around.opening.rotate_left(TURN * kind as u32 + 7 * nth as u32);
        Some(&ways[pick_way(turned, ways.len())])
    }

    /// Appends the rules that stand before the last one, with a blank at the end; then, after what `between` appends, the last.
    pub(super) fn rules(&self, words: &Words, text: &mut String, between: impl FnOnce(&mut String)) {
        let drawn = &words.around;
        let Some((last, ways)) = self.rules.ways.split_last().filter(|_| !drawn.rules.is_empty()) else {
            text.push_str(&self.rules.plain[0]);
            between(text);
            return text.push_str(&self.rules.plain[1]);
        };
        let told = |rule: &RuleWays, number: u64, text: &mut String| {
            let ways = if drawn.is_short { &rule.short } else { &rule.full };
            text.push_str(&ways[pick_way(number, ways.len())]);
        };
        for (rule, number) in ways.iter().zip(&drawn.rules) {
            told(rule, *number, text);
            text.push(' ');
        }
        between(text);
        told(last, *drawn.rules.last().expect("one for each rule"), text);
    }

    /// Appends where people start, without a full stop, if the wording has words for it.
    pub(super) fn worded_whereabouts(
        &self,
        story: &Story,
        words: &Words,
        everyone: &[CharacterId],
        text: &mut String,
    ) -> bool {
        let start = &story.trace.start;
        let is_together = start.iter().all(|place| *place == start[0]);
        let kind = if is_together { PhraseKind::Together } else { PhraseKind::Apart };
        let Some(way) = self.opening_way(words, kind, 0) else { return false };
        let fill =
            |(people, place): &(Vec<CharacterId>, PlaceId), slot, is_at_start, text: &mut String| match (
                slot,
                is_at_start,
            ) {
                (PhraseSlot::There, true) => text.push_str(&self.places.at_start[place.index()]),
                (PhraseSlot::There, false) => text.push_str(self.place_in(words, *place)),
                (_, true) => self.names_at_start(story, words, Display::People, people, text),
                (_, false) => self.names(story, words, Display::People, people, text),
            };
        if is_together {
            let all = (everyone.to_vec(), start[0]);
            let case = usize::from(everyone.len() > 1);
            way.say((case, true), &mut |slot, begins, text| fill(&all, slot, begins, text), text);
            return true;
        }
        let mut whereabouts: Whereabouts = Vec::new();
        for &who in everyone {
            let place = start[who.index()];
            match whereabouts.iter_mut().find(|(_, known)| way.is_of_several && *known == place) {
                Some((people, _)) => people.push(who),
                None => whereabouts.push((vec![who], place)),
            }
        }
        self.each(way, &whereabouts, fill, text);
        true
    }

    /// Appends a phrase that says something of each place.
    fn each(
        &self,
        way: &SpeltPhrase,
        whereabouts: &Whereabouts,
        fill: impl Fn(&(Vec<CharacterId>, PlaceId), PhraseSlot, bool, &mut String),
        text: &mut String,
    ) {
        let has_many = whereabouts.iter().any(|(people, _)| people.len() > 1);
        for (at, piece) in way.cases[0].iter().enumerate() {
            if let PhrasePiece::Words(words) = piece {
                text.push_str(way.capitals[0].as_ref().filter(|_| at == 0).unwrap_or(words));
                continue;
            }
            for (nth, group) in whereabouts.iter().enumerate() {
                // After "Ann and Bob are in the hall", a comma says that "and" begins something new.
                let is_last = nth > 0 && nth + 1 == whereabouts.len();
                text.push_str(if is_last && has_many { ", and " } else { separator(nth, whereabouts.len()) });
                let PhrasePiece::Each(each) = &way.cases[usize::from(group.0.len() > 1)][at] else {
                    unreachable!("all cases have their pieces in the same order")
                };
                for (within, piece) in each.iter().enumerate() {
                    match piece {
                        PhrasePiece::Words(words) if within == 0 && at == 0 && nth == 0 => {
                            text.push_str(&capital(words));
                        }
                        PhrasePiece::Words(words) => text.push_str(words),
                        PhrasePiece::Slot(slot) => {
                            fill(group, *slot, at == 0 && nth == 0 && within == 0, text);
                        }
                        PhrasePiece::Each(_) => unreachable!("nothing is repeated within what is"),
                    }
                }
            }
        }
    }

    /// Appends a sentence about people with its full stop and a blank, if the wording has words for it.
    pub(super) fn worded_on(
        &self,
        story: &Story,
        words: &Words,
        (kind, nth): (PhraseKind, usize),
        people: &[CharacterId],
        rest: impl Fn(PhraseSlot, bool, &mut String),
        text: &mut String,
    ) -> bool {
        let Some(way) = self.opening_way(words, kind, nth) else { return false };
        let case = usize::from(people.len() > 1) % kind.form().bracket.cases();
        let mut fill = |slot, is_at_start, text: &mut String| match (slot, is_at_start) {
            (PhraseSlot::Everyone, true) => self.names_at_start(story, words, Display::People, people, text),
            (PhraseSlot::Everyone, false) => self.names(story, words, Display::People, people, text),
            (slot, begins) => rest(slot, begins, text),
        };
        way.say((case, true), &mut fill, text);
        text.push_str(". ");
        true
    }
}
