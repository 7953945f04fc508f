//! Rows of stories that a model worded again: what else in them names the story, or quotes it.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::refusal::Refusal;
use super::retell::Retold;
use super::script::{Line, Script, Teller};
use crate::adherence::Row;
use crate::dataset::{Fields, with_values};
use crate::form::QuestionKind;
use crate::prose::Sentence;

/// How a question begins that quotes a sentence: with its number, and then the sentence in quotation marks.
const QUOTING: [&str; 2] = ["Just before sentence ", "Suppose that what sentence "];

/// Whether a row tells its story of things that somebody moves: that is not retold.
pub fn is_of_things(row: &Fields) -> bool {
    row.question_kind() == Some(QuestionKind::WorldThings)
}

impl Teller<'_> {
    /// Reads a story as a whole, as another reader does, and compares it with the row's events, if it has any, and with the script.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, row: &Fields, story: &str, script: &Script<'_>) -> Result<(), String> {
        if !self.reads_all() {
            return Ok(());
        }
        let reader = script.plain.clone().in_words_of(Arc::clone(self.lexicon()));
        let events = (!row.events.is_empty()).then_some(&row.events);
        let told = json!({"context": row.context, "start": row.start, "story": story, "events": events});
        let read = Row::new(&told).map_err(|problem| problem.what)?;
        let account = read.account(self.board(), reader).map_err(|problem| match problem.step {
            Some(step) => format!("at step {step}: {}", problem.what),
            None => problem.what,
        })?;
        let events = script.lines.iter().filter(|line| matches!(line.said, Sentence::Event(_)));
        let is_same = |(line, told): (&Line<'_>, &crate::prose::Told<'_>)| {
            let mut alone = crate::prose::Told { span: crate::diagnostic::Span::default(), ..told.clone() };
            (alone.deed.peeking, alone.deed.distracted) = (Vec::new(), Vec::new());
            line.says(&Sentence::Event(Box::new(alone)))
        };
        match events.clone().count() == account.told.len() && events.zip(&account.told).all(is_same) {
            true => Ok(()),
            false => Err("its sentences do not say what its story as a whole does".to_owned()),
        }
    }

    /// What was taken for a row's story, if the whole story is read back as it should be; otherwise nothing.
    pub fn confirmed(&self, row: &Fields, script: &Script<'_>, retold: Retold) -> Retold {
        match self.check(row, &retold.story, script) {
            Ok(()) => retold,
            Err(_) => script.untaken(Refusal::NotReadBack),
        }
    }
}

/// The row of a question with its story as it is retold by `model`: the field `story` and whatever repeats or quotes it.
///
/// # Errors
/// What else in the row does not fit its story.
///
/// ```
/// use storysim::paraphrase::retold_row;
/// let row = r#"{"id":"b/7/0/0","story":"Ann enters a.","question":"Who?"}"#;
/// let untold = r#"{"id":"b/7/0/0","story":"Ann enters a.","worded_by":null,"reworded":0,"question":"Who?"}"#;
/// assert_eq!(retold_row(row, None, "gpt").unwrap(), untold);
/// ```
pub fn retold_row(row: &str, retold: Option<(&Script<'_>, &Retold)>, model: &str) -> Result<String, String> {
    let wrong = |error: serde_json::Error| format!("this is not a row: {error}");
    let text_of = |text: &str| Json::from(text).to_string();
    let Some((script, retold)) = retold.filter(|(_, retold)| retold.reworded > 0) else {
        let values = [("worded_by", "null".to_owned()), ("reworded", "0".to_owned())];
        return with_values(row, &values).map_err(wrong);
    };
    let read: Json = serde_json::from_str(row).map_err(wrong)?;
    let text = |field: &str| read[field].as_str().unwrap_or_default();
    let question = requoted(text("question"), script, retold)?;
    let mut values = vec![
        ("story", text_of(&retold.story)),
        ("worded_by", text_of(model)),
        ("reworded", retold.reworded.to_string()),
    ];
    if question != text("question") {
        values.push(("question", text_of(&question)));
    }
    // What is asked last is the row's own story and question; before it stand those of examples.
    let again = |prompt: &str, of: &str| {
        let told = with_last(prompt, script.story(), &retold.story);
        let asked = told.and_then(|told| with_last(&told, text("question"), &question));
        asked.ok_or_else(|| format!("its {of} does not have its story and its question"))
    };
    if let Some(prompt) = read["prompt"].as_str() {
        let prompt = again(prompt, "`prompt`")?;
        values.push(("prompt", text_of(&prompt)));
    }
    if let Some(messages) = read["messages"].as_array().filter(|messages| !messages.is_empty()) {
        let mut messages = messages.clone();
        let last = messages.last_mut().and_then(|message| message.get_mut("content"));
        let last = last.ok_or("its `messages` have no text")?;
        let content = again(last.as_str().unwrap_or_default(), "last message")?;
        *last = content.into();
        values.push(("messages", Json::Array(messages).to_string()));
    }
    with_values(row, &values).map_err(wrong)
}

/// A text in which the last occurrence of a part is another one.
fn with_last(text: &str, part: &str, other: &str) -> Option<String> {
    let at = text.rfind(part)?;
    Some(format!("{}{other}{}", &text[..at], &text[at + part.len()..]))
}

/// A question that quotes the sentence as it now reads, if it quotes one.
fn requoted(question: &str, script: &Script<'_>, retold: &Retold) -> Result<String, String> {
    let Some(rest) = QUOTING.iter().find_map(|opening| question.strip_prefix(opening)) else {
        return Ok(question.to_owned());
    };
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let line = digits.parse().ok().and_then(|number: usize| script.lines().get(number.checked_sub(1)?));
    let quoted = line.map(|line| (line, format!("(\"{}\")", script.text(line))));
    let Some((line, old)) = quoted.filter(|(_, old)| question.contains(old.as_str())) else {
        return Err(format!("its question does not quote sentence {digits} of its story as that reads"));
    };
    let new = script.now(line, retold);
    Ok(question.replacen(&old, &format!("(\"{new}\")"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paraphrase::Answer;
    use crate::score::Response;
    use crate::storyboard::{BUILT_IN, parse};

    #[test]
    fn whatever_repeats_the_story_is_worded_as_it_is() {
        let board = parse(BUILT_IN[0].source()).unwrap();
        let lexicon = Arc::clone(crate::pack::built_in("retold").unwrap());
        let teller = Teller::new(&board, lexicon);
        let story = "Georgia enters room 2. Georgia enters room 2. Hank enters room 1.";
        let question = "Just before sentence 2 of the story (\"Georgia enters room 2.\"), where was Hank?";
        let row = serde_json::json!({
            "story": story, "question": question,
            "prompt": format!("{story}\nWho?\n\n{story}\n{question}"),
            "messages": [{"role": "user", "content": story}, {"role": "user", "content": format!("{story} {question}")}],
        });
        let script = teller.script(&Fields { story: story.into(), ..Fields::default() }).unwrap();
        let answer =
            r#"{"1":"Georgia walks into room 2.","2":"Georgia goes to room 2.","3":"Hank enters room 1."}"#;
        let retold = script.retold(&Answer::of(&Response::new(answer)).unwrap());
        let fields = Fields { story: story.into(), start: "the_hallway".into(), ..Fields::default() };
        assert_eq!(teller.check(&fields, &retold.story, &script), Ok(()));
        assert!(
            teller
                .check(&fields, "Georgia enters room 2. Georgia enters room 2. Hank enters room 2.", &script)
                .is_err()
        );
        assert!(teller.check(&fields, "Georgia enters room 2. Georgia enters room 2.", &script).is_err());
        let told = retold_row(&row.to_string(), Some((&script, &retold)), "gpt").unwrap();
        let told: Json = serde_json::from_str(&told).unwrap();
        let now = "Georgia walks into room 2. Georgia goes to room 2. Hank enters room 1.";
        let asked = "Just before sentence 2 of the story (\"Georgia goes to room 2.\"), where was Hank?";
        assert_eq!(told["story"], now);
        assert_eq!((&told["worded_by"], &told["reworded"]), (&"gpt".into(), &2.into()));
        assert_eq!(told["question"], asked);
        assert_eq!(told["prompt"], format!("{story}\nWho?\n\n{now}\n{asked}"));
        assert_eq!(told["messages"][0]["content"], story);
        assert_eq!(told["messages"][1]["content"], format!("{now} {asked}"));
        for (field, wrong) in [
            ("prompt", "Who?".into()),
            ("messages", serde_json::json!([{"role": "user", "content": "Who?"}])),
            ("question", "Just before sentence 3 of the story (\"Georgia enters room 2.\"), who?".into()),
            ("question", "Just before sentence 0 of the story (\"Georgia enters room 2.\"), who?".into()),
            ("question", "Just before sentence 99999999999999999999 of it, who?".into()),
        ] {
            let mut other = row.clone();
            other[field] = wrong;
            assert!(retold_row(&other.to_string(), Some((&script, &retold)), "gpt").is_err(), "{field}");
        }
    }
}
