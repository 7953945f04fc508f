//! The words of packs, in the spelling of the output.

use super::List;
use crate::pack::{Class, Pack, Piece, Reason, Slot, Text, Turn};
use crate::text::Spelling;

/// A text in the spelling of the output, cut at its slots.
pub(super) type Line = Vec<Part>;

/// A part of a text.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Words(String),
    /// A slot, and whether it begins a sentence.
    Slot(Slot, bool),
}

/// The words of a pack in one spelling. Of two kinds of texts, that for lies comes first.
#[derive(Clone, Debug)]
pub(super) struct PackWords {
    pub name: String,
    /// The class, if there is something of matters in it.
    pub class: Option<Class>,
    pub setting: Line,
    pub place: Line,
    pub away: Line,
    pub matters: Vec<[Line; 3]>,
    /// The reasons of both kinds, each in order of length.
    pub reasons: [Vec<ReasonWords>; 2],
    pub reason: Vec<[Line; 2]>,
    pub truth: Vec<[Line; 2]>,
    pub hint: Vec<Line>,
    pub ask: Vec<Line>,
    pub claim: Vec<Line>,
    pub acts: [Vec<Line>; Turn::ALL.len()],
}

#[derive(Clone, Debug)]
pub(super) struct ReasonWords {
    pub told: Line,
    pub why: Line,
}

impl PackWords {
    /// The words where nothing is said of matters.
    pub fn plain(
        places: &[String],
        acts: [Vec<Line>; Turn::ALL.len()],
        spelling: &Spelling<impl Fn(&str) -> String>,
    ) -> Self {
        let words = |text: &str| Part::Words(spelling.spell(text));
        let place = |at: usize| vec![words("in "), Part::Words(spelling.name(&places[at]))];
        Self {
            name: String::new(),
            class: None,
            setting: vec![Part::Slot(Slot::People, true), words(" are talking.")],
            place: place(0),
            away: place(1),
            matters: Vec::new(),
            reasons: Default::default(),
            reason: Vec::new(),
            truth: Vec::new(),
            hint: Vec::new(),
            ask: Vec::new(),
            claim: Vec::new(),
            acts,
        }
    }

    pub fn new(
        pack: &Pack,
        common: &[Vec<Line>; Turn::ALL.len()],
        spelling: &Spelling<impl Fn(&str) -> String>,
    ) -> Self {
        let words = pack.white_lie().expect("a pack of white lies");
        let spelt = |text: &Text| line(text, spelling);
        let lines = |texts: &[Text]| texts.iter().map(spelt).collect::<Vec<Line>>();
        let reasons = [&words.reasons.pretend, &words.reasons.plain].map(|reasons| {
            let mut reasons: Vec<_> = reasons.iter().collect();
            reasons.sort_by_key(|reason| reason.told.to_string().chars().count());
            let both = |reason: &&Reason| ReasonWords { told: spelt(&reason.told), why: spelt(&reason.why) };
            reasons.iter().map(both).collect()
        });
        Self {
            name: spelling.spell(&pack.name.value),
            class: Some(words.class),
            setting: spelt(&words.setting),
            place: spelt(&words.place),
            away: spelt(&words.away),
            matters: words.matters.iter().map(|of| [&of.thing, &of.says, &of.denies].map(spelt)).collect(),
            reasons,
            reason: words.reason.iter().map(|pair| [&pair.pretend, &pair.plain].map(spelt)).collect(),
            truth: words.truth.iter().map(|pair| [&pair.no, &pair.yes].map(spelt)).collect(),
            hint: lines(&words.hint),
            ask: lines(&words.ask),
            claim: lines(&words.claim),
            acts: Turn::ALL.map(|turn| match words.acts.of(turn) {
                [] => common[turn as usize].clone(),
                own => lines(own),
            }),
        }
    }

    pub fn count(&self, list: List) -> usize {
        match list {
            List::Act(turn) => self.acts[turn as usize].len(),
            List::Reason => self.reason.len(),
            List::Truth => self.truth.len(),
            List::Hint => self.hint.len(),
            List::Ask => self.ask.len(),
            List::Claim => self.claim.len(),
        }
    }
}

/// A text in the spelling of the output. A slot begins a sentence at the start, or after the end of one.
pub(super) fn line(text: &Text, spelling: &Spelling<impl Fn(&str) -> String>) -> Line {
    let mut is_start = true;
    let spelt = |piece: &Piece| match piece {
        Piece::Words(words) => {
            is_start = words.trim_end().ends_with(['.', '!', '?']);
            Part::Words(spelling.spell(words))
        }
        Piece::Slot(slot) => Part::Slot(*slot, std::mem::take(&mut is_start)),
    };
    text.pieces.iter().map(spelt).collect()
}
