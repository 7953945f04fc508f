//! What a model answers: a JSON object from the numbers of sentences to their new words.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::refusal::Refusal;
use crate::score::{Ending, Response};

/// What a model wrote for the sentences of a story, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text for each sentence; `None` if there are several, or it is no text.
    texts: BTreeMap<usize, Option<String>>,
    /// How many keys are no number of a sentence.
    pub strangers: usize,
}

/// Why an answer is not used at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unread {
    /// There is no response to the request.
    Missing,
    /// The request failed.
    Failed,
    /// The model refused.
    Refused,
    /// The answer was cut off.
    CutOff,
    /// It is no JSON object.
    NoObject,
}

impl Unread {
    /// All reasons, in the order in which they are reported.
    pub const ALL: [Self; 5] = [Self::Missing, Self::Failed, Self::Refused, Self::CutOff, Self::NoObject];

    /// The reason in a few words, of a number of stories.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Missing => "without a response",
            Self::Failed => "whose request failed",
            Self::Refused => "refused by the model",
            Self::CutOff => "whose answer is cut off",
            Self::NoObject => "whose answer is not the JSON object that was asked for",
        }
    }
}

impl Answer {
    /// Reads the answer of a response: the object alone, or the only block of code in a longer text.
    ///
    /// # Errors
    /// Why it cannot be used.
    ///
    /// ```
    /// use storysim::{paraphrase::{Answer, Unread}, score::Response};
    /// let answer = Answer::of(&Response::new(r#"{"1": "Ann goes to the hall.", "hm": ""}"#)).unwrap();
    /// assert_eq!((answer.text(1), answer.strangers), (Ok("Ann goes to the hall."), 1));
    /// assert_eq!(Answer::of(&Response::new("I would rather not.")), Err(Unread::NoObject));
    /// ```
    pub fn of(response: &Response) -> Result<Self, Unread> {
        let text = response.text.trim();
        let read =
            serde_json::from_str::<Self>(text).ok().or_else(|| serde_json::from_str(only_block(text)?).ok());
        match (read, response.ending) {
            (_, Ending::Refused) => Err(Unread::Refused),
            (Some(answer), _) => Ok(answer),
            (None, Ending::CutOff) => Err(Unread::CutOff),
            (None, Ending::Whole) => Err(Unread::NoObject),
        }
    }

    /// The text for the sentence with this number.
    ///
    /// # Errors
    /// Whether it is missing, or given twice or as something other than text.
    pub fn text(&self, number: usize) -> Result<&str, Refusal> {
        match self.texts.get(&number) {
            None => Err(Refusal::Missing),
            Some(None) => Err(Refusal::NoText),
            Some(Some(text)) => Ok(text.trim()),
        }
    }

    /// The same answer, in which keys above this number are no sentences, either.
    #[must_use]
    pub fn up_to(mut self, number: usize) -> Self {
        let beyond = self.texts.split_off(&(number + 1));
        self.strangers += beyond.len();
        self
    }
}

/// What stands in the only block of code of a text, without the name of its language.
fn only_block(text: &str) -> Option<&str> {
    let parts: Vec<&str> = text.split("```").collect();
    let [_, block, _] = parts[..] else { return None };
    let (language, rest) = block.split_once('\n')?;
    language.trim().chars().all(char::is_alphanumeric).then_some(rest)
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OfObject;

        impl<'de> Visitor<'de> for OfObject {
            type Value = Answer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut answer = Answer::default();
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    let Some(number) = number_of(&key) else {
                        answer.strangers += 1;
                        continue;
                    };
                    let text = if let Value::String(text) = value { Some(text) } else { None };
                    // Of two texts for one sentence, nobody knows which is meant.
                    answer.texts.entry(number).and_modify(|text| *text = None).or_insert(text);
                }
                Ok(answer)
            }
        }

        from.deserialize_map(OfObject)
    }
}

/// The number that a key is, written as we write it.
fn number_of(key: &str) -> Option<usize> {
    key.parse().ok().filter(|number: &usize| *number > 0 && number.to_string() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Answer, Unread> {
        Answer::of(&Response::new(text))
    }

    #[test]
    fn objects_are_found() {
        for text in [
            r#"{"1":"a","2":"b"}"#,
            " {\"1\":\"a\",\n\"2\":\" b \"}\n",
            "```json\n{\"1\":\"a\",\"2\":\"b\"}\n```",
            "```\n{\"1\":\"a\",\"2\":\"b\"}```",
            "Here it is:\n```json\n{\"1\":\"a\",\"2\":\"b\"}\n```\nEnjoy!",
        ] {
            let answer = read(text).unwrap_or_else(|unread| panic!("{text}: {unread:?}"));
            assert_eq!((answer.text(1), answer.text(2), answer.strangers), (Ok("a"), Ok("b"), 0), "{text}");
        }
    }

    #[test]
    fn nothing_else_is() {
        for text in [
            "",
            "No.",
            "[\"a\",\"b\"]",
            "\"a\"",
            "null",
            "{\"1\":\"a\"",
            "{\"1\":\"a\"} {\"2\":\"b\"}",
            "Here it is: {\"1\":\"a\"}",
            "```json\n{\"1\":\"a\"}\n```\n```json\n{\"1\":\"b\"}\n```",
            "```json\n{\"1\":\"a\"",
        ] {
            assert_eq!(read(text), Err(Unread::NoObject), "{text}");
        }
    }

    #[test]
    fn keys_are_numbers_of_sentences() {
        let answer =
            read(r#"{"1":"a","1":"a","2":["b"],"3":"","03":"x","0":"x","-1":"x","4.":"x","9":"x"}"#).unwrap();
        let answer = answer.up_to(4);
        assert_eq!(answer.text(1), Err(Refusal::NoText));
        assert_eq!(answer.text(2), Err(Refusal::NoText));
        assert_eq!((answer.text(3), answer.text(4)), (Ok(""), Err(Refusal::Missing)));
        assert_eq!(answer.strangers, 5);
    }

    #[test]
    fn envelopes_count() {
        let ended = |text: &str, ending| Answer::of(&Response { text: text.into(), ending });
        assert_eq!(ended("{\"1\":\"a\"}", Ending::Refused), Err(Unread::Refused));
        assert_eq!(ended("{\"1\":\"a", Ending::CutOff), Err(Unread::CutOff));
        assert!(ended("{\"1\":\"a\"}", Ending::CutOff).is_ok());
    }
}
