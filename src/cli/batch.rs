//! `storysim batch`: requests for a model, in the form in which batches of them are sent.

use serde_json::{Map, Value, json};

use super::output::{Output, Place};
use super::rows::{Rows, refuse_to_replace};
use super::{BatchArguments, Failure};
use crate::dataset::{Fields, Prompt};
use crate::files::{Format, Shape};

/// The address to which the requests go, on whatever server.
const URL: &str = "/v1/chat/completions";

/// What all requests of a batch have in common.
pub struct Requests(Map<String, Value>);

pub fn batch(arguments: &BatchArguments) -> Result<(), Failure> {
    let requests = Requests::new(&arguments.model, arguments.body.as_deref())?;
    let (place, format) = arguments.out.resolve(None)?;
    if matches!(place, Place::Folder(_)) || format != Format::Jsonl {
        return Err(Failure::Usage(format!("--out {place}: name a file that ends in .jsonl")));
    }
    if let Place::File(path) = &place {
        refuse_to_replace([arguments.dataset.as_path()], path)?;
    }
    let mut rows = Rows::at(&arguments.dataset)?;
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    while let Some(row) = rows.next()? {
        let read = Fields::of(&row).map_err(|error| format!("this is not a row: {error}"));
        let messages = read.and_then(|fields| Ok((messages(&fields, arguments.prompt)?, fields.id)));
        let Some((messages, id)) = rows.taken(messages) else { continue };
        output.write(&requests.line(&id, messages))?;
    }
    rows.finish()?;
    output.finish()?;
    Ok(())
}

impl Requests {
    /// Requests to a model, with further settings as they are given in JSON.
    ///
    /// # Errors
    /// If these are no settings.
    pub fn new(model: &str, settings: Option<&str>) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::Usage(format!("--body: {why}, such as '{{\"temperature\": 0}}'"));
        let mut body = match settings.map(serde_json::from_str) {
            None => Map::new(),
            Some(Ok(Value::Object(body))) => body,
            Some(_) => return Err(wrong("this is not a JSON object")),
        };
        if body.contains_key("messages") || body.contains_key("model") {
            return Err(wrong("the model and the messages are given otherwise; name other settings"));
        }
        body.insert("model".to_owned(), model.into());
        Ok(Self(body))
    }

    /// The line of a request with these messages.
    pub fn line(&self, id: &str, messages: Value) -> String {
        let mut body = self.0.clone();
        body.insert("messages".to_owned(), messages);
        let request = json!({"custom_id": id, "method": "POST", "url": URL, "body": body});
        format!("{request}\n")
    }
}

/// The messages of a row: its own, if it has any, unless a prompt is asked for.
fn messages(fields: &Fields, prompt: Option<Prompt>) -> Result<Value, String> {
    let prompt = match prompt {
        None if !fields.messages.is_empty() => return Ok(Value::Array(fields.messages.clone())),
        Some(prompt @ Prompt::Shots(_)) => {
            return Err(format!(
                "examples are rows of other stories: make these rows with `generate --prompt {prompt}`"
            ));
        }
        prompt => prompt.unwrap_or(Prompt::Plain),
    };
    if fields.question.is_empty() || fields.choices.is_empty() {
        return Err("this row has no question, or no choices".to_owned());
    }
    let messages = prompt.messages(&[], &fields.asked());
    Ok(messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect())
}
