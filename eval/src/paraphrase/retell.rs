//! Which sentences of an answer are taken, and the story that they make.

use std::borrow::Cow;
use std::sync::Arc;

use super::answer::Answer;
use super::fit::Position;
use super::refusal::Refusal;
use super::script::{Line, Script};
use crate::pack::Tense;
use crate::prose::Reader;

/// A story as far as it is retold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retold {
    /// The story, in which each sentence that was not taken is the plain one.
    pub story: String,
    /// Of each sentence that was asked for, its new words or why they are not taken.
    pub outcomes: Vec<Result<String, Refusal>>,
    /// How many sentences of the story read otherwise than before.
    pub reworded: usize,
}

/// A text that says what a sentence does, and the tenses in which it does. Places have no article that the story does not give them.
type Fit<'t> = (Cow<'t, str>, Vec<Tense>);

impl Retold {
    /// Whether each sentence that was asked for was taken.
    pub fn is_whole(&self) -> bool {
        self.outcomes.iter().all(Result::is_ok)
    }
}

impl Script<'_> {
    /// The story if nothing is taken, and why.
    pub fn untaken(&self, refusal: Refusal) -> Retold {
        Retold { story: self.story.clone(), outcomes: vec![Err(refusal); self.asked()], reworded: 0 }
    }

    /// A sentence as it reads now.
    pub fn now<'s>(&'s self, line: &'s Line<'_>, retold: &'s Retold) -> &'s str {
        let before = self.lines.iter().filter(|other| other.is_asked() && other.span.start < line.span.start);
        match retold.outcomes.get(before.count()) {
            Some(Ok(text)) if line.is_asked() => text,
            _ => self.text(line),
        }
    }

    /// Takes of an answer what says the same as the plain sentences.
    pub fn retold<'t>(&'t self, answer: &'t Answer) -> Retold {
        let reader = self.plain.clone().in_words_of(Arc::clone(&self.lexicon));
        let asked = || self.lines.iter().enumerate().filter(|(_, line)| line.is_asked());
        let fitting: Vec<Result<Fit<'t>, Refusal>> = (1..)
            .zip(asked())
            .map(|(number, (at, line))| {
                let text = answer.text(number)?;
                let position = if at == 0 { Position::First } else { Position::Later };
                let fit = |text: Cow<'t, str>| {
                    self.fitting(&reader, line, &text, position).map(|tenses| (text, tenses))
                };
                let mended = mended(text, self.text(line));
                fit(text.into()).or_else(|_| fit(mended.clone())).or_else(|refusal| {
                    let bare = self.plain.without_articles(&mended).ok_or(refusal)?;
                    fit(bare.into())
                })
            })
            .collect();
        let is_in = |tense: Tense| {
            move |fit: &Result<Fit<'_>, Refusal>| {
                fit.as_ref().is_ok_and(|(_, tenses)| tenses.contains(&tense))
            }
        };
        // What stays plain is in the present.
        let is_past = self.asked() == self.lines.len() && fitting.iter().all(is_in(Tense::Past));
        let is_present = fitting.iter().all(is_in(Tense::Present));
        let tense = if is_past && !is_present { Tense::Past } else { Tense::Present };
        let outcomes: Vec<Result<&str, Refusal>> = fitting
            .iter()
            .map(|fit| {
                let (text, tenses) = fit.as_ref().map_err(|refusal| *refusal)?;
                if tenses.contains(&tense) { Ok(&**text) } else { Err(Refusal::OtherTense) }
            })
            .collect();
        self.told(&outcomes, &reader)
    }

    /// The tenses in which a text says what a line does.
    fn fitting(
        &self,
        reader: &Reader<'_>,
        line: &Line<'_>,
        text: &str,
        position: Position,
    ) -> Result<Vec<Tense>, Refusal> {
        let telling = line.telling.as_ref().expect("a sentence that is asked for");
        let tenses = telling.tenses(self.words(), text, position);
        let readings = reader.readings(text);
        let is_right = readings.iter().all(|reading| line.says(reading));
        match (tenses.is_empty(), readings.is_empty(), is_right) {
            (_, true, _) | (true, _, true) => Err(Refusal::Unknown),
            (true, false, false) => Err(Refusal::Differs),
            (false, false, false) => Err(Refusal::Ambiguous),
            (false, false, true) => Ok(tenses),
        }
    }

    /// The story with the sentences that were taken, if it reads back as it should.
    fn told(&self, outcomes: &[Result<&str, Refusal>], reader: &Reader<'_>) -> Retold {
        let (mut story, mut from, mut reworded) = (String::new(), 0, 0);
        let mut outcomes_left = outcomes.iter();
        for line in &self.lines {
            let outcome = if line.is_asked() { outcomes_left.next() } else { None };
            let Some(Ok(text)) = outcome else { continue };
            story.push_str(&self.story[from..line.span.start]);
            story.push_str(text);
            from = line.span.end;
            reworded += usize::from(*text != self.text(line));
        }
        story.push_str(&self.story[from..]);
        if !self.is_told_by(&story, reader) {
            return self.untaken(Refusal::NotReadBack);
        }
        let outcomes = outcomes.iter().map(|outcome| outcome.map(str::to_owned)).collect();
        Retold { story, outcomes, reworded }
    }

    /// Whether another story says the same, sentence by sentence, and what is neither an event nor about who sees or misses one in
    /// the same words.
    pub(super) fn is_told_by(&self, story: &str, reader: &Reader<'_>) -> bool {
        let sentences = reader.sentences(story);
        let is_same =
            |(line, (span, said)): (&Line<'_>, &(crate::diagnostic::Span, crate::prose::Sentence<'_>))| {
                line.says(said) && (line.is_asked() || self.text(line) == &story[span.range()])
            };
        sentences.len() == self.lines.len() && self.lines.iter().zip(&sentences).all(is_same)
    }
}

/// A text with apostrophes as in `plain`, which changes nothing of what it says.
fn mended<'t>(text: &'t str, plain: &str) -> Cow<'t, str> {
    match text.contains('’') && !plain.contains('’') {
        true => text.replace('’', "'").into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Fields;
    use crate::paraphrase::Teller;
    use crate::storyboard::{BUILT_IN, parse};

    #[test]
    fn a_whole_story_is_compared_sentence_by_sentence() {
        let board = parse(BUILT_IN[0].source()).unwrap();
        let lexicon = Arc::clone(crate::pack::built_in("retold").unwrap());
        let teller = Teller::new(&board, Arc::clone(&lexicon));
        let story = "Georgia enters room 2. It rains. Hank enters room 1.";
        let script = teller.script(&Fields { story: story.into(), ..Fields::default() }).unwrap();
        let reader = script.plain.clone().in_words_of(lexicon);
        for same in [story, "Georgia goes to room 2. It rains. Next, Hank walks into room 1."] {
            assert!(script.is_told_by(same, &reader), "{same}");
        }
        for other in [
            "",
            "Georgia enters room 2. It rains.",
            "Georgia enters room 2. Hank enters room 1.",
            "Georgia enters room 2. It pours. Hank enters room 1.",
            "Georgia enters room 2. It rains. Hank enters room 2.",
            "Georgia enters room 2. Hank enters room 1. It rains.",
            "Georgia enters room 2. It rains. Hank enters room 1. Hank enters room 1.",
            "“Georgia enters room 2. It rains. Hank enters room 1.”",
        ] {
            assert!(!script.is_told_by(other, &reader), "{other}");
            let whole: Vec<Result<&str, Refusal>> = vec![Ok("Georgia hums."), Ok("Hank enters room 1.")];
            assert_eq!(script.told(&whole, &reader), script.untaken(Refusal::NotReadBack));
        }
    }
}
