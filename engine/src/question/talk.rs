//! What is said of matters in a conversation, who hears it, and what minds make of it.
//!
//! At one table it is always known who is there. So what a chain of minds holds follows from what was said while all of them were
//! there, and nobody needs to be followed: masks of people are enough.

use super::answer::Answer;
use super::matters::said;
use super::view::{View, verdict};
use crate::belief::{Held, Source};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::plan::Staging;
use crate::trace::Trace;
use crate::world::{Act, Along, Item, Knowledge, Telling, Value};

/// Where people talk.
const TABLE: PlaceId = PlaceId::new(0);

/// All that is said of propositions in a conversation, in order.
///
/// ```
/// use storysim::{compile::compile, question::{Asker, Talk}, simulate::{Simulator, Story}, storyboard::{BUILT_IN, parse}};
/// let board = BUILT_IN.iter().find(|board| board.name == "white-lies").unwrap();
/// let plan = compile(&parse(board.source()).unwrap(), &[]).unwrap().plan;
/// let (mut story, mut talk) = (Story::default(), Talk::default());
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// talk.read(&story.trace);
/// for answered in Asker::new(&plan, 7).ask(&story) {
///     assert_eq!(talk.answer(&plan, &plan.questions[answered.question]), answered.answer);
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Talk {
    /// Who is there at the start, one bit each.
    at_first: u64,
    steps: Vec<Step>,
    sayings: Vec<Saying>,
    /// For each proposition, the sayings that mean something for it, with their numbers.
    told: Vec<Vec<(usize, Saying, Means)>>,
    /// Whether each proposition is true.
    truths: Vec<bool>,
    /// For each proposition, the number of the first saying that tells it, and of the first that reveals it.
    firsts: Vec<[Option<usize>; 2]>,
}

/// What happens at a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Who comes, goes or speaks.
    pub who: CharacterId,
    /// Who is there after it, one bit each.
    pub here: u64,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Somebody comes or goes.
    Move,
    /// Something is said of a proposition: the saying with this number.
    Saying(usize),
    /// Small talk.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Saying {
    of: PropositionId,
    /// What is said of it.
    pub value: bool,
    is_revealed: bool,
    pub speaker: CharacterId,
    /// Who is there, the speaker included, one bit each.
    pub heard: u64,
    pub step: usize,
}

/// What a saying means for a proposition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Means {
    /// It is seen to be what it is.
    Shown,
    /// It is seen to be so, by those who are there now and by nobody ever after.
    Happened,
    /// Somebody says that it is so, or that it is not.
    Claimed,
}

impl Talk {
    /// Takes in a story. Costs O(events · characters).
    pub fn read(&mut self, trace: &Trace) {
        self.steps.clear();
        self.sayings.clear();
        self.truths.clear();
        let is_true = |thing: &crate::world::Thing| thing.value == Value::Truth(true);
        self.truths.extend(trace.stage.propositions.iter().map(is_true));
        self.told.resize_with(self.truths.len(), Vec::new);
        self.told.iter_mut().for_each(Vec::clear);
        self.firsts.clear();
        self.firsts.resize(self.truths.len(), [None; 2]);
        let is_here = |place: &PlaceId| *place == TABLE;
        let mut here = 0;
        for (at, place) in trace.start.iter().enumerate() {
            here |= u64::from(is_here(place)) << at;
        }
        self.at_first = here;
        for (step, (event, deed)) in trace.events.iter().zip(&trace.deeds).enumerate() {
            let bit = 1 << event.who.index();
            here = if is_here(&event.to) { here | bit } else { here & !bit };
            let what = match said(deed) {
                Some(_) => What::Saying(self.sayings.len()),
                None if event.from == event.to => What::Nothing,
                None => What::Move,
            };
            self.steps.push(Step { who: event.who, here, what });
            let Some((of, is_revealed)) = said(deed) else { continue };
            let value = match &deed.act {
                Act::Tell(Telling { value, .. }) => *value == Value::Truth(true),
                _ => self.truths[of.index()],
            };
            let saying = Saying { of, value, is_revealed, speaker: event.who, heard: here, step };
            self.note(&trace.stage.along, saying);
        }
    }

    /// Whether somebody is there at the start.
    pub(super) const fn is_there_at_first(&self, who: CharacterId) -> bool {
        self.at_first >> who.index() & 1 == 1
    }

    /// What happens at a step.
    pub(super) fn step(&self, step: usize) -> &Step {
        &self.steps[step]
    }

    /// The steps up to `until`, or all, at which somebody comes or goes; the last first.
    pub(super) fn moves(&self, who: CharacterId, until: usize) -> impl Iterator<Item = usize> + '_ {
        let steps = &self.steps[..self.steps.len().min(until.saturating_add(1))];
        let moves = steps.iter().enumerate().rev();
        moves.filter(move |(_, step)| step.who == who && step.what == What::Move).map(|(step, _)| step)
    }

    /// The sayings that mean something for a proposition, each with its number.
    pub(super) fn told(&self, of: PropositionId) -> impl Iterator<Item = (usize, &Saying, Means)> + '_ {
        self.told[of.index()].iter().map(|(number, saying, means)| (*number, saying, *means))
    }

    /// What is so of a proposition.
    ///
    /// # Panics
    /// If the item is something else.
    pub(super) fn reality(&self, item: Item) -> Answer {
        let Item::Proposition(of) = item else { panic!("conversations are about propositions") };
        Answer::Verdict(verdict(self.truth(of)))
    }

    /// Whether a proposition is true.
    pub(super) fn truth(&self, of: PropositionId) -> bool {
        self.truths[of.index()]
    }

    fn note(&mut self, along: &[Along], saying: Saying) {
        let number = self.sayings.len();
        let along = along.get(saying.of.index());
        let (means, happened) = if saying.is_revealed {
            (Means::Shown, along.and_then(|along| along.revealed))
        } else {
            (Means::Claimed, along.and_then(|along| along.told))
        };
        self.firsts[saying.of.index()][usize::from(saying.is_revealed)].get_or_insert(number);
        self.told[saying.of.index()].push((number, saying, means));
        if let Some(happened) = happened {
            self.told[happened.index()].push((number, saying, Means::Happened));
        }
        for shown in along.iter().filter(|_| saying.is_revealed).flat_map(|along| &along.shows) {
            self.told[shown.index()].push((number, saying, Means::Shown));
        }
        self.sayings.push(saying);
    }

    /// How many times something is said of a proposition.
    pub const fn len(&self) -> usize {
        self.sayings.len()
    }

    /// Whether nothing is said of any.
    pub const fn is_empty(&self) -> bool {
        self.sayings.is_empty()
    }

    /// What a chain holds of a proposition after some of the sayings. No two of its minds in succession are the same.
    ///
    /// Costs O(minds² + sayings), and as much again for each saying by the last mind of the chain.
    pub fn held(&self, staging: &Staging, chain: &[CharacterId], of: PropositionId, until: usize) -> Held {
        self.held_by(&Listening::new(staging, chain, of, 0), until)
    }

    /// The same, of a chain that listens.
    ///
    /// Costs O(sayings), and as much again for each saying by its last mind.
    pub(super) fn held_by(&self, listening: &Listening, until: usize) -> Held {
        let Listening { of, last, all, mirrored, outer, starts } = listening;
        let is_true = self.truths[of.index()];
        let truth = Held::Known(Value::Truth(is_true), Source::Seen);
        let mut held = starts[usize::from(is_true)];
        if last.is_none() {
            return held;
        }
        for (at, saying, means) in self.told(*of).take_while(|(at, ..)| *at < until) {
            let is_heard = (saying.heard ^ mirrored) & all == *all;
            match means {
                Means::Happened if is_heard => return truth,
                Means::Happened => return held,
                Means::Shown if is_heard => held = truth,
                Means::Claimed if is_heard => {
                    // Whoever believes it takes the speaker to think so.
                    let believer = match outer {
                        _ if *last != Some(saying.speaker) => held,
                        Some(outer) => self.held_by(outer, at),
                        None => continue,
                    };
                    held = learned(held, believer, saying.value);
                }
                Means::Shown | Means::Claimed => {}
            }
        }
        held
    }

    /// The saying with a number.
    pub(super) fn saying(&self, number: usize) -> &Saying {
        &self.sayings[number]
    }

    /// The first saying that reveals (or else tells) any of these.
    pub(super) fn first(&self, any: &[(PropositionId, bool)]) -> Option<usize> {
        let first =
            |&(of, is_revealed): &(PropositionId, bool)| self.firsts[of.index()][usize::from(is_revealed)];
        any.iter().filter_map(first).min()
    }
}

/// A chain of minds that listens to what is said of a proposition, in a story or in one of its mirrors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listening {
    pub of: PropositionId,
    last: Option<CharacterId>,
    /// All of its minds, one bit each.
    all: u64,
    /// Those of them who are taken to be there whenever they are away, and the other way round, one bit each.
    mirrored: u64,
    /// The chain without its last mind, if that leaves any.
    outer: Option<Box<Self>>,
    /// What it holds at the start if the proposition is not true, and if it is.
    starts: [Held; 2],
}

impl Listening {
    /// A chain that listens, in the story or in the mirror of some people. No two of its minds in succession are the same.
    ///
    /// Costs O(minds²).
    pub fn new(staging: &Staging, chain: &[CharacterId], of: PropositionId, mirrored: u64) -> Self {
        let outer = chain.split_last().map(|(_, outer)| outer).filter(|outer| !outer.is_empty());
        Self {
            of,
            last: chain.last().copied(),
            all: mask(chain),
            mirrored: mirrored & mask(chain),
            outer: outer.map(|outer| Box::new(Self::new(staging, outer, of, mirrored))),
            starts: [false, true].map(|is_true| at_start(staging, chain, of, is_true)),
        }
    }
}

/// What somebody would answer who holds this of a proposition.
pub(super) fn view(held: Held) -> View {
    match held {
        Held::Known(Value::Truth(is_true), _) => View::Clear(Answer::Verdict(verdict(is_true))),
        Held::Unclear => View::Unclear,
        _ => View::Nothing,
    }
}

/// The answer, with no other people in it than these, if any are named.
pub fn within(answer: Answer, people: &[CharacterId]) -> Answer {
    match answer {
        Answer::People(all) if !people.is_empty() => Answer::People(all & mask(people)),
        answer => answer,
    }
}

/// The characters, one bit each.
pub fn mask(people: &[CharacterId]) -> u64 {
    people.iter().fold(0, |mask, who| mask | 1 << who.index())
}

/// What a chain holds at the start: those who know take each other to know, and nobody can tell what others know whom nobody told.
pub(super) fn at_start(staging: &Staging, chain: &[CharacterId], of: PropositionId, is_true: bool) -> Held {
    let knowledge = &staging.propositions[of.index()].knowledge;
    let mut held = Held::Known(Value::Truth(is_true), Source::Seen);
    for (at, who) in chain.iter().enumerate() {
        held = match (knowledge.get(who.index()), held) {
            (Some(Knowledge::Nothing), _) => Held::Nothing,
            (Some(Knowledge::Wrong), Held::Known(Value::Truth(is_true), source)) if at == 0 => {
                Held::Known(Value::Truth(!is_true), source)
            }
            (_, Held::Nothing) => Held::Unclear,
            (_, outer) => outer,
        };
    }
    held
}

/// What somebody holds who held `held` and is told something, if she learns it as one who holds `believer` does.
pub(super) fn learned(held: Held, believer: Held, value: bool) -> Held {
    let value = Value::Truth(value);
    let lesson = match believer {
        Held::Unclear => Held::Unclear,
        Held::Known(known, Source::Seen) if known != value => return held,
        _ => Held::Known(value, Source::Heard),
    };
    if held.value() == Some(value) { held } else { lesson }
}
