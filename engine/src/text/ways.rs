//! The sentences of a story in the words of a wording.
//!
//! Each step has one number of the stream of words. It says in which of the ways its sentence is worded, with what it begins,
//! and whether it is joined to the sentence before, about the same person: "Ann goes to the hall and takes the marble".
//! The tense is drawn for the whole story.

use rand::Rng as _;

use super::{Display, Lexicon, Spelling, Words, push_all};
use crate::form::{ActKind, Audience, Hearers, Hole, SentenceKind, Slot, WordedPiece};
use crate::id::CharacterId;
use crate::pack::{Tense, Way, WordingWords};
use crate::plan::{Moment, Plan, Question};
use crate::rng::{Stream, below};
use crate::simulate::Story;
use crate::spelling::capital;
use crate::world::{Act, Telling};

/// Of 256 sentences that may begin with a word such as "then", how many do.
const THEN_SHARE: u64 = 64;

/// Of 256 sentences that may be joined to the one before, how many are.
const JOINED_SHARE: u64 = 128;

/// The verbs of storyboards of which the past is known: the first word, in the present and in the past.
const VERBS: [(&str, &str); 22] = [
    ("climbs", "climbed"),
    ("comes", "came"),
    ("crosses", "crossed"),
    ("drives", "drove"),
    ("enters", "entered"),
    ("flies", "flew"),
    ("gets", "got"),
    ("goes", "went"),
    ("hops", "hopped"),
    ("joins", "joined"),
    ("jumps", "jumped"),
    ("leaps", "leapt"),
    ("moves", "moved"),
    ("rides", "rode"),
    ("runs", "ran"),
    ("sails", "sailed"),
    ("steps", "stepped"),
    ("strolls", "strolled"),
    ("swims", "swam"),
    ("visits", "visited"),
    ("walks", "walked"),
    ("wanders", "wandered"),
];

/// The words of a wording, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// The tenses that a story may be told in.
    tenses: Vec<Tense>,
    /// With what a sentence may begin: `Then `.
    pub(super) then: Vec<String>,
    /// What may stand before a sentence that is joined to the one before: ` and `.
    pub(super) joints: Vec<String>,
    /// The pronouns, within a sentence and where one begins.
    pub(super) pronouns: Vec<[String; 2]>,
    /// For each name of the pool, its pronoun, if it has one.
    pronoun_of: Vec<Option<usize>>,
    /// The storyboard's verbs in the past; none if some of them have none that is known.
    pub(super) verbs: Vec<String>,
    kinds: Vec<(SentenceKind, Worded)>,
    /// The questions that name a step.
    naming: Vec<Question>,
}

/// The ways to word one kind of sentence.
#[derive(Clone, Debug)]
pub(super) struct Worded {
    pub ways: Vec<SpeltWay>,
    /// Those that can be joined to a sentence about whoever acts: they begin with her and do not repeat where she is.
    pub joined: Vec<usize>,
}

/// A way to word a sentence, in the spelling of the output.
#[derive(Clone, Debug)]
pub(super) struct SpeltWay {
    pub pieces: [Vec<WordedPiece>; 2],
    /// Whether it begins with a name, so that something may stand before it.
    pub begins_with_name: bool,
    /// Whether another sentence can be joined to it.
    pub can_go_on: bool,
    /// Whether a pronoun can stand for whoever acts.
    pub takes_pronoun: bool,
}

/// The numbers that say how a story is worded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WaysDrawn {
    pub is_past: bool,
    /// One number for each step.
    pub numbers: Vec<u64>,
    /// The steps that questions name: their sentences stand alone.
    named: Vec<usize>,
}

impl WaysDrawn {
    /// Whether a question names a step or the one before.
    pub fn is_named(&self, step: usize) -> bool {
        self.named.iter().any(|&named| named == step || named + 1 == step)
    }
}

/// How a sentence begins.
enum Begins<'w> {
    /// On its own.
    Alone,
    /// With a word such as "then".
    Then(&'w str),
    /// After the sentence before: without its first name.
    Joined(&'w str),
}

/// One of `count`, from 8 bits of a number.
const fn pick(number: u64, from_bit: u32, count: usize) -> usize {
    (((number >> from_bit & 0xff) * count as u64) >> 8) as usize
}

/// Whether a number wants a sentence to begin with a word such as "then".
pub(super) const fn wants_then(number: u64) -> bool {
    (number & 0xff) < THEN_SHARE
}

/// Which of so many words such as "then" it begins with.
pub(super) const fn pick_then(number: u64, count: usize) -> usize {
    pick(number, 8, count)
}

/// Whether a number wants a sentence to be joined to the one before.
pub(super) const fn wants_to_join(number: u64) -> bool {
    (number >> 16 & 0xff) < JOINED_SHARE
}

/// Which of so many words joins it.
pub(super) const fn pick_joint(number: u64, count: usize) -> usize {
    pick(number, 24, count)
}

/// Whether a number wants a pronoun, where one can stand: three in four do. Bits 16 to 23 also say whether it wants to join, and of
/// those only the highest counts.
pub(super) const fn wants_pronoun(number: u64) -> bool {
    number >> 16 & 3 != 0
}

/// One of `count` ways, from the upper half of a number.
pub(super) const fn pick_way(number: u64, count: usize) -> usize {
    (((number >> 32) * count as u64) >> 32) as usize
}

/// One of the ways that can be joined, but not the one in which the sentence before is worded: nobody says that Ann goes over to
/// the hall and goes over to the attic.
pub(super) fn pick_joined(number: u64, joined: &[usize], before: Option<usize>) -> usize {
    let at = pick_way(number, joined.len());
    if before == Some(joined[at]) { (at + 1) % joined.len() } else { at }
}

impl Ways {
    /// The words of the plan's wording, if it has one.
    pub fn new(plan: &Plan, spelling: &Spelling<impl Fn(&str) -> String>) -> Option<Self> {
        let words = plan.wording.as_ref()?.wording().expect("a pack of wordings");
        let past: Option<Vec<String>> = plan.verbs.iter().map(|verb| past(verb)).collect();
        let is_past_known = past.is_some() && is_whole(words, plan);
        let mut tenses = words.tenses.clone();
        if !is_past_known {
            tenses.retain(|tense| *tense == Tense::Present);
        }
        if tenses.is_empty() {
            tenses.push(Tense::Present);
        }
        let naming = plan.questions.iter().filter(|question| question.moment != Moment::End);
        let kinds = words.sentences.iter().map(|(kind, ways)| {
            let joined = (0..ways.len()).filter(|&at| ways[at].can_be_joined()).collect();
            (*kind, Worded { ways: ways.iter().map(|way| SpeltWay::new(way, spelling)).collect(), joined })
        });
        Some(Self {
            tenses,
            then: words.then.iter().map(|then| spelling.spell(&format!("{} ", capital(then)))).collect(),
            pronouns: words
                .pronouns
                .iter()
                .map(|known| [&known.word, &known.at_start].map(|word| spelling.spell(word)))
                .collect(),
            pronoun_of: plan.pool.iter().map(|name| words.pronoun_of(name.as_ref())).collect(),
            joints: words.joined.iter().map(|joined| spelling.spell(&format!(" {joined} "))).collect(),
            verbs: past.unwrap_or_default().iter().map(|verb| spelling.spell(verb)).collect(),
            kinds: kinds.collect(),
            naming: naming.cloned().collect(),
        })
    }

    /// Draws how a story is worded.
    pub fn draw(&self, stream: &mut Stream, story: &Story, drawn: &mut WaysDrawn) {
        let trace = &story.trace;
        drawn.is_past = self.tenses[below(stream, self.tenses.len() as u32) as usize] == Tense::Past;
        drawn.numbers.clear();
        drawn.numbers.extend((0..trace.events.len()).map(|_| stream.next_u64()));
        drawn.named.clear();
        let moments = self.naming.iter().map(|question| question.moment_in(trace, story.before));
        drawn.named.extend(moments.filter_map(|moment| match moment {
            Moment::End => None,
            Moment::Before(step) | Moment::Without(step) => Some(step),
        }));
    }

    /// The number of the pronoun of a name of the pool.
    #[inline]
    pub fn pronoun_of(&self, name: usize) -> Option<usize> {
        self.pronoun_of[name]
    }

    /// The ways to word a move of one person.
    pub fn moves(&self) -> Option<&Worded> {
        self.worded(SentenceKind::Deed(ActKind::Go))
    }

    fn worded(&self, kind: SentenceKind) -> Option<&Worded> {
        self.kinds.iter().find(|(known, _)| *known == kind).map(|(_, worded)| worded)
    }
}

impl SpeltWay {
    fn new(way: &Way, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let spelt = |pieces: &Vec<WordedPiece>| {
            let piece = |(at, piece): (usize, &WordedPiece)| match piece {
                WordedPiece::Words(words) if at == 0 => WordedPiece::Words(spelling.spell(&capital(words))),
                WordedPiece::Words(words) => WordedPiece::Words(spelling.spell(words)),
                slot => slot.clone(),
            };
            pieces.iter().enumerate().map(piece).collect()
        };
        Self {
            pieces: [spelt(&way.pieces[0]), spelt(&way.pieces[1])],
            begins_with_name: matches!(way.pieces[0].first(), Some(WordedPiece::Slot(_))),
            can_go_on: way.can_go_on(),
            takes_pronoun: way.can_begin_with_pronoun(),
        }
    }
}

/// A verb in the past, if it is known.
pub fn past(verb: &str) -> Option<String> {
    let (first, rest) = verb.split_once(' ').map_or((verb, ""), |(first, rest)| (first, rest));
    let (_, past) = VERBS.iter().find(|(present, _)| *present == first)?;
    Some(if rest.is_empty() { (*past).to_owned() } else { format!("{past} {rest}") })
}

/// Whether a wording has words for all that a plan's stories say, so that no sentence of a story in the past is in the present.
fn is_whole(words: &WordingWords, plan: &Plan) -> bool {
    let has = |kind| !words.ways(kind).is_empty();
    let is_of_walks = plan.staging.is_none();
    let has_all = match is_of_walks {
        true => has(SentenceKind::Deed(ActKind::Go)),
        false => SentenceKind::all().all(has),
    };
    let small_talk = plan.staging.as_ref().and_then(|staging| staging.small_talk.as_ref()?.small_talk());
    let opens_in_past = small_talk.is_none_or(|words| !words.past_openings.is_empty());
    has_all && opens_in_past && plan.notes.iter().all(|note| note.past.is_some())
}

/// The kind of sentence that tells a deed; `None` for an announcement.
const fn kind_of(act: &Act) -> Option<SentenceKind> {
    Some(match act {
        Act::Turn(_) => return None,
        Act::Tell(telling) => SentenceKind::Told(match telling.hearers {
            Hearers::Present => Audience::Present,
            Hearers::Named(_) => Audience::Beside,
            Hearers::Afar(_) => Audience::Afar,
        }),
        act => SentenceKind::Deed(act.kind()),
    })
}

/// What is done at a step; walking, if nothing else is.
fn act_at(story: &Story, step: usize) -> &Act {
    story.trace.deeds.get(step).map_or(&Act::Go, |deed| &deed.act)
}

impl Lexicon<'_> {
    /// The tense that a story is told in, as a number: 0 is the present, 1 the past.
    pub(super) fn tense(&self, words: &Words) -> usize {
        usize::from(self.ways.is_some() && words.ways.is_past)
    }

    /// How the sentence of a step begins, and which way it is worded in; `None` if the wording has no words for it.
    fn way(&self, story: &Story, words: &Words, step: usize) -> Option<(Begins<'_>, &SpeltWay)> {
        let ways = self.ways.as_ref()?;
        let worded = ways.worded(kind_of(act_at(story, step))?)?;
        let number = words.ways.numbers[step];
        if self.is_joined(story, words, step) {
            let kinds = [step - 1, step].map(|step| kind_of(act_at(story, step)));
            let before = pick_way(words.ways.numbers[step - 1], worded.ways.len());
            let before = Some(before).filter(|_| kinds[0] == kinds[1]);
            let way = &worded.ways[worded.joined[pick_joined(number, &worded.joined, before)]];
            return Some((Begins::Joined(&ways.joints[pick_joint(number, ways.joints.len())]), way));
        }
        let way = &worded.ways[pick_way(number, worded.ways.len())];
        // Nothing is "after that" where a scenario begins.
        let has_then =
            step > 0 && way.begins_with_name && wants_then(number) && self.headings(words, step).is_empty();
        match has_then && !ways.then.is_empty() {
            true => Some((Begins::Then(&ways.then[pick_then(number, ways.then.len())]), way)),
            false => Some((Begins::Alone, way)),
        }
    }

    /// Whether the sentence of a step is joined to the one before. Of a run that could be joined, every second one is: no
    /// sentence tells three events.
    pub(super) fn is_joined(&self, story: &Story, words: &Words, step: usize) -> bool {
        let run = (0..step + 1).rev().take_while(|&step| self.may_join(story, words, step)).count();
        run % 2 == 1
    }

    /// Whether the sentence of a step could be joined to the one before, if that is not joined itself.
    fn may_join(&self, story: &Story, words: &Words, step: usize) -> bool {
        let Some(ways) = &self.ways else { return false };
        if step == 0 || ways.joints.is_empty() {
            return false;
        }
        let (before, number) = (step - 1, words.ways.numbers[step]);
        let is_hers = story.trace.events[before].who == story.trace.events[step].who;
        if !is_hers || !wants_to_join(number) {
            return false;
        }
        let kinds = kind_of(act_at(story, before)).zip(kind_of(act_at(story, step)));
        let Some((first, second)) = kinds.filter(|(first, _)| first.can_go_on()) else { return false };
        let Some((first, second)) = ways.worded(first).zip(ways.worded(second)) else { return false };
        let goes_on = first.ways[pick_way(words.ways.numbers[before], first.ways.len())].can_go_on;
        goes_on && !second.joined.is_empty() && !self.is_parted(story, words, step)
    }

    /// The pronoun that stands for whoever acts at a step, within a sentence and where one begins; `None` if she is named. The
    /// sentence before speaks of her and nobody else, so nobody else can be meant. In "she says that Ann is in the hall", Ann would
    /// seem to be somebody else, so a statement has no pronoun before it.
    fn pronoun(&self, story: &Story, words: &Words, step: usize, way: &SpeltWay) -> Option<&[String; 2]> {
        let ways = self.ways.as_ref()?;
        let who = story.trace.events[step].who;
        let before = step.checked_sub(1)?;
        let can_stand = way.takes_pronoun
            && wants_pronoun(words.ways.numbers[step])
            && story.trace.events[before].who == who
            && kind_of(act_at(story, step)).is_some_and(SentenceKind::can_go_on)
            && self.names_one_person(story, words, before)
            && !self.is_parted(story, words, step);
        let pronoun = ways.pronoun_of(story.names[who.index()]).filter(|_| can_stand)?;
        Some(&ways.pronouns[pronoun])
    }

    /// Whether the sentence that tells of a step names only whoever acts; two events may be told in it.
    fn names_one_person(&self, story: &Story, words: &Words, step: usize) -> bool {
        let names_one = |step| kind_of(act_at(story, step)).is_some_and(SentenceKind::names_one_person);
        names_one(step) && (!self.is_joined(story, words, step) || names_one(step - 1))
    }

    /// Whether something stands between the sentences of a step and of the one before, or a question names one of them.
    fn is_parted(&self, story: &Story, words: &Words, step: usize) -> bool {
        let before = step - 1;
        // Who watches or misses "this" does so with one event.
        let has_asides = [before, step].iter().any(|&step| {
            let deed = story.trace.deeds.get(step);
            deed.is_some_and(|deed| !deed.peeking.is_empty() || !deed.distracted.is_empty())
        });
        has_asides
            || words.ways.is_named(step)
            || self.has_notes(words, before)
            || !self.headings(words, step).is_empty()
            || self.said_besides(story, words, before).is_some()
    }

    /// Appends the sentence of a step in the words of the wording, without its full stop; on its own, or as it follows the one
    /// before. Returns whether there are such words.
    pub(super) fn worded(
        &self,
        story: &Story,
        words: &Words,
        (step, is_alone): (usize, bool),
        text: &mut String,
    ) -> bool {
        let Some((begins, way)) = self.way(story, words, step) else { return false };
        let begins = if is_alone { Begins::Alone } else { begins };
        let pieces = &way.pieces[self.tense(words)];
        let (pieces, is_at_start) = match begins {
            Begins::Alone => (&pieces[..], true),
            Begins::Then(then) => {
                text.push_str(then);
                (&pieces[..], false)
            }
            Begins::Joined(joined) => {
                // The blank after the name is the one at the end of the joint.
                let Some((WordedPiece::Words(first), rest)) = pieces[1..].split_first() else {
                    unreachable!("a verb follows the name")
                };
                push_all(text, &[joined.trim_start(), first.trim_start()]);
                (rest, false)
            }
        };
        let pronoun = match begins {
            Begins::Joined(_) => None,
            _ if is_alone => None,
            Begins::Alone | Begins::Then(_) => self.pronoun(story, words, step, way),
        };
        for (at, piece) in pieces.iter().enumerate() {
            match (piece, pronoun) {
                (WordedPiece::Words(piece), _) => text.push_str(piece),
                (WordedPiece::Slot(_), Some(pronoun)) if at == 0 => {
                    text.push_str(&pronoun[usize::from(is_at_start)])
                }
                (WordedPiece::Slot(slot), _) => {
                    self.worded_slot(story, words, step, (*slot, is_at_start && at == 0), text);
                }
            }
        }
        true
    }

    /// Appends what stands in a slot; `is_at_start` says whether the sentence begins there.
    fn worded_slot(
        &self,
        story: &Story,
        words: &Words,
        step: usize,
        (slot, is_at_start): (Slot, bool),
        text: &mut String,
    ) {
        let (event, act) = (story.trace.events[step], act_at(story, step));
        match (slot, act) {
            (Slot::Hole(Hole::Verb), _) if words.ways.is_past => {
                let ways = self.ways.as_ref().expect("a wording");
                let verb = words.verbs.get(step).map_or(0, |&verb| verb as usize);
                text.push_str(&ways.verbs[verb]);
            }
            (Slot::Hole(hole), _) => self.hole(story, words, (step, act), (hole, is_at_start), text),
            (Slot::Hearers, Act::Tell(Telling { hearers, .. })) => {
                self.names(story, words, Display::People, hearers.named(), text);
                if matches!(hearers, Hearers::Afar(all) if all.len() > 1) {
                    text.push_str(", all in one call,");
                }
            }
            (Slot::Said, Act::Tell(telling)) => self.said(story, words, telling, text),
            (Slot::Hearers | Slot::Said, _) => unreachable!("event {event:?} tells nothing"),
        }
    }

    /// Appends a sentence on who watches or misses an event, if the wording has words for it. `number` tells it from others of
    /// the same step.
    pub(super) fn worded_aside(
        &self,
        story: &Story,
        words: &Words,
        (step, number): (usize, u32),
        (kind, who): (SentenceKind, CharacterId),
    ) -> Option<String> {
        let worded = self.ways.as_ref()?.worded(kind)?;
        // After another one, "this is missed by Bob" would seem to speak of that: it begins with Bob.
        let is_first = number == 0 || !worded.ways.iter().any(|way| way.begins_with_name);
        let fitting: Vec<&SpeltWay> =
            worded.ways.iter().filter(|way| is_first || way.begins_with_name).collect();
        let number = words.ways.numbers[step].rotate_left(17 * (number + 1));
        let way = fitting[pick_way(number, fitting.len())];
        let mut text = String::new();
        for (at, piece) in way.pieces[self.tense(words)].iter().enumerate() {
            text.push_str(match piece {
                WordedPiece::Words(words) => words,
                WordedPiece::Slot(_) if at == 0 => self.name_at_start(story, words, Display::People, who),
                WordedPiece::Slot(_) => self.name(story, words, Display::People, who),
            });
        }
        text.push('.');
        Some(text)
    }

    /// Appends the whole story in the words of the wording, with a blank after the last sentence.
    pub(super) fn worded_story(&self, story: &Story, words: &Words, text: &mut String) {
        if let Some(strides) = &self.strides {
            return strides.tell(self, story, words, text);
        }
        let steps = story.trace.events.len();
        for step in 0..steps {
            self.headings(words, step).iter().for_each(|heading| push_all(text, &[heading, " "]));
            self.sentence(story, words, Display::People, step, text);
            if step + 1 < steps && self.is_joined(story, words, step + 1) {
                text.push(' ');
                continue;
            }
            super::end(text);
            text.push(' ');
            for aside in self.asides(story, words, step).iter().chain(&self.notes(story, words, step)) {
                push_all(text, &[aside, " "]);
            }
            if let Some(said) = self.said_besides(story, words, step) {
                push_all(text, &[&said, " "]);
            }
        }
    }
}
