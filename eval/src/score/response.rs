//! Responses of a model, in the formats that other programs write.

use serde_json::Value;

/// The largest number of bytes of a response that are kept, from its end.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// How a response ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It ended by itself, as far as is known.
    #[default]
    Whole,
    /// It was cut off at a length limit.
    CutOff,
    /// Its envelope says that it was a refusal or stopped by a filter.
    Refused,
}

/// The response of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The text; if it is long, only the last 64 kB, unless the [whole](ResponseLine::whole) is kept.
    pub text: Box<str>,
    /// How the response ended.
    pub ending: Ending,
}

impl Response {
    /// A response that ended by itself.
    pub fn new(text: &str) -> Self {
        Self::ended(text, Ending::Whole).tail()
    }

    fn ended(text: &str, ending: Ending) -> Self {
        Self { text: text.into(), ending }
    }

    /// The same response, of which only the end is kept if it is long.
    fn tail(self) -> Self {
        let Some(mut from) = self.text.len().checked_sub(TEXT_BYTES_MAX) else { return self };
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        Self { text: self.text[from..].into(), ..self }
    }
}

/// One line of a file of responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseLine {
    /// The id of the row that it answers.
    pub id: String,
    /// The response; `None` if the request failed.
    pub response: Option<Response>,
}

impl ResponseLine {
    /// Reads a line in any of the forms of `docs/scoring.md`.
    ///
    /// ```
    /// use storysim::score::{Response, ResponseLine};
    /// let line = ResponseLine::of(r#"{"id": "b/7/0/0", "response": "room_5"}"#).unwrap();
    /// assert_eq!((line.id.as_str(), line.response), ("b/7/0/0", Some(Response::new("room_5"))));
    /// let line = ResponseLine::of(r#"{"doc": {"id": "b/7/0/0"}, "resps": [["room_5"]]}"#).unwrap();
    /// assert_eq!(line.response, Some(Response::new("room_5")));
    /// assert!(ResponseLine::of(r#"{"id": "b/7/0/0"}"#).unwrap_err().contains("no `response`"));
    /// ```
    ///
    /// # Errors
    /// A message that says why the line has none of these forms.
    pub fn of(line: &str) -> Result<Self, String> {
        let whole = Self::whole(line)?;
        Ok(Self { response: whole.response.map(Response::tail), ..whole })
    }

    /// Reads a line as [`ResponseLine::of`] does, but keeps all of a long response.
    ///
    /// ```
    /// use storysim::score::ResponseLine;
    /// let line = format!(r#"{{"id": "b/7/0", "response": "{}"}}"#, "x".repeat(100_000));
    /// assert_eq!(ResponseLine::whole(&line).unwrap().response.unwrap().text.len(), 100_000);
    /// ```
    ///
    /// # Errors
    /// As [`ResponseLine::of`].
    pub fn whole(line: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(line).map_err(|error| format!("this is not JSON: {error}"))?;
        let Some(object) = value.as_object() else {
            return Err("this is JSON, but not an object".to_owned());
        };
        if object.contains_key("custom_id") {
            of_batch(&value)
        } else if object.contains_key("doc") {
            of_harness(&value)
        } else if object.contains_key("id") {
            of_plain(&value)
        } else {
            let shown = |key: &String| key.chars().take(40).flat_map(char::escape_debug).collect::<String>();
            let keys: Vec<String> = object.keys().map(shown).take(5).collect();
            Err(format!(
                "this is not a response: it has neither `id` nor `doc` nor `custom_id`, but {}",
                if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") }
            ))
        }
    }
}

/// `{"id": …, "response": …}`
fn of_plain(value: &Value) -> Result<ResponseLine, String> {
    let text = match &value["response"] {
        Value::String(text) => text,
        // A model that said nothing.
        Value::Null if value.get("response").is_some() => "",
        Value::Null => return Err("this line has an `id`, but no `response`".to_owned()),
        _ => return Err("its `response` is not a string".to_owned()),
    };
    let ending = ending(&value["finish_reason"], &value["refusal"]);
    Ok(ResponseLine { id: id_at(value, "id", "id")?, response: Some(Response::ended(text, ending)) })
}

/// `{"doc": {"id": …}, "resps": [["…"]], "filtered_resps": ["…"]}`, or
/// `{"doc": {"id": …, "choices": ["…", "…"]}, "resps": [[["-1.2", "False"]], [["-0.4", "True"]]]}`
fn of_harness(value: &Value) -> Result<ResponseLine, String> {
    let id = id_at(&value["doc"], "id", "doc.id")?;
    for responses in [&value["resps"], &value["filtered_resps"]] {
        if let Some(likelihoods) = likelihoods(responses) {
            let text = likeliest(&likelihoods, &value["doc"]["choices"])?;
            return Ok(ResponseLine { id, response: Some(Response::ended(text, Ending::Whole)) });
        }
    }
    let said = first_string(&value["resps"]).or_else(|| first_string(&value["filtered_resps"]));
    let Some(text) = said else {
        return Err("neither its `resps` nor its `filtered_resps` contain text or likelihoods".to_owned());
    };
    Ok(ResponseLine { id, response: Some(Response::ended(text, Ending::Whole)) })
}

/// The likelihoods of choices, if these are responses to a question that was asked by likelihood: for each choice its
/// logarithm, and whether it is what the model would have written, as numbers and truth values or as text.
fn likelihoods(responses: &Value) -> Option<Vec<f64>> {
    let pair = |pair: &Value| match pair.as_array()?.as_slice() {
        [likelihood, Value::Bool(_)] => likelihood.as_f64(),
        [Value::String(likelihood), Value::String(is_greedy)]
            if ["True", "False"].contains(&&**is_greedy) =>
        {
            likelihood.parse().ok()
        }
        _ => None,
    };
    // Two texts by themselves are two responses.
    let likelihood = |response: &Value| {
        if response[0].is_string() { None } else { pair(&response[0]).or_else(|| pair(response)) }
    };
    let responses = responses.as_array().filter(|responses| !responses.is_empty())?;
    responses.iter().map(likelihood).collect()
}

/// The likeliest of these choices; of several, the first.
fn likeliest<'c>(likelihoods: &[f64], choices: &'c Value) -> Result<&'c str, String> {
    let choices: Option<Vec<&str>> =
        choices.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(Value::as_str).collect();
    let choices = choices.filter(|choices| choices.len() == likelihoods.len());
    let choices = choices.ok_or_else(|| {
        format!("`doc.choices` does not have a text for each likelihood ({})", likelihoods.len())
    })?;
    if likelihoods.iter().any(|likelihood| likelihood.is_nan()) {
        return Err("one of its likelihoods is not a number".to_owned());
    }
    let mut best = 0;
    for (at, likelihood) in likelihoods.iter().enumerate() {
        if *likelihood > likelihoods[best] {
            best = at;
        }
    }
    Ok(choices[best])
}

/// `{"custom_id": …, "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "…"}}]}}}`
fn of_batch(value: &Value) -> Result<ResponseLine, String> {
    let id = id_at(value, "custom_id", "custom_id")?;
    let response = &value["response"];
    let has_failed = response["status_code"].as_u64().is_some_and(|code| code != 200);
    if has_failed || !value["error"].is_null() {
        return Ok(ResponseLine { id, response: None });
    }
    let choice = &response["body"]["choices"][0];
    let Some(message) = choice["message"].as_object() else {
        return Err("it has no `response.body.choices[0].message`".to_owned());
    };
    let ending = ending(&choice["finish_reason"], message.get("refusal").unwrap_or(&Value::Null));
    let text = match message.get("content").unwrap_or(&Value::Null) {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => return Err("its `message.content` is neither a string nor a list of parts".to_owned()),
    };
    Ok(ResponseLine { id, response: Some(Response::ended(&text, ending)) })
}

/// An id, which is text or a number.
fn id_at(value: &Value, key: &str, name: &str) -> Result<String, String> {
    match &value[key] {
        Value::String(id) => Ok(id.clone()),
        Value::Number(id) => Ok(id.to_string()),
        Value::Null => Err(format!("it has no `{name}`")),
        _ => Err(format!("its `{name}` is not a string")),
    }
}

fn ending(finish_reason: &Value, refusal: &Value) -> Ending {
    if refusal.as_str().is_some_and(|text| !text.is_empty()) {
        return Ending::Refused;
    }
    match finish_reason.as_str() {
        Some("length" | "max_tokens") => Ending::CutOff,
        Some("content_filter" | "refusal") => Ending::Refused,
        _ => Ending::Whole,
    }
}

/// The first string in nested lists.
fn first_string(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(items) => first_string(items.first()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(line: &str) -> Option<Response> {
        let line = ResponseLine::of(line).unwrap();
        assert_eq!(line.id, "a/1/2/0");
        line.response
    }

    #[test]
    fn every_form_is_read() {
        let whole = Some(Response::new("room_5"));
        for line in [
            r#"{"id":"a/1/2/0","response":"room_5","model":"m"}"#,
            r#"{"doc_id":3,"doc":{"id":"a/1/2/0","story":"…"},"resps":[["room_5","room_6"]],"filtered_resps":["6"]}"#,
            r#"{"doc":{"id":"a/1/2/0"},"filtered_resps":["room_5"]}"#,
            r#"{"id":"batch_req_1","custom_id":"a/1/2/0","response":{"status_code":200,"body":{"choices":[
               {"finish_reason":"stop","message":{"content":"room_5","refusal":null}}]}},"error":null}"#,
            r#"{"custom_id":"a/1/2/0","response":{"body":{"choices":[{"message":
               {"content":[{"type":"text","text":"room"},{"type":"text","text":"_5"}]}}]}}}"#,
        ] {
            assert_eq!(response(line), whole, "{line}");
        }
    }

    #[test]
    fn of_likelihoods_the_likeliest_choice_is_the_response() {
        let line = |resps: &str| {
            format!(r#"{{"doc":{{"id":"a/1/2/0","choices":["hall","attic","cellar"]}},"resps":{resps}}}"#)
        };
        for (resps, likeliest) in [
            (r#"[[["-0.9","False"]],[["-0.45","True"]],[["-inf","False"]]]"#, "attic"),
            (r#"[[["-2.5","False"]],[["-2.5","False"]],[["-2.5","False"]]]"#, "hall"),
            ("[[[-7.5,false]],[[-6.5,false]],[[-6e-1,true]]]", "cellar"),
            ("[[-7.5,false],[-6.5,false],[-6.75,true]]", "attic"),
        ] {
            assert_eq!(response(&line(resps)), Some(Response::new(likeliest)), "{resps}");
        }
        let two = ResponseLine::of(&line(r#"[[["-0.9","False"]],[["-0.45","True"]]]"#)).unwrap_err();
        assert!(two.contains("each likelihood (2)"), "{two}");
        let none = r#"[[["nan","False"]],[["nan","False"]],[["nan","False"]]]"#;
        assert!(ResponseLine::of(&line(none)).unwrap_err().contains("is not a number"));
        // Text that looks like one is text.
        assert_eq!(response(&line(r#"[["-0.9","False"]]"#)).unwrap().text, "-0.9".into());
    }

    #[test]
    fn how_it_ended_is_read() {
        let line = |choice: &str| {
            response(&format!(r#"{{"custom_id":"a/1/2/0","response":{{"body":{{"choices":[{choice}]}}}}}}"#))
                .unwrap()
        };
        let cut = line(r#"{"finish_reason":"length","message":{"content":"He is"}}"#);
        assert_eq!((&*cut.text, cut.ending), ("He is", Ending::CutOff));
        let refused = line(r#"{"message":{"content":null,"refusal":"No."}}"#);
        assert_eq!((&*refused.text, refused.ending), ("", Ending::Refused));
        assert_eq!(line(r#"{"finish_reason":"content_filter","message":{}}"#).ending, Ending::Refused);
        let plain = response(r#"{"id":"a/1/2/0","response":"He","finish_reason":"length"}"#).unwrap();
        assert_eq!(plain.ending, Ending::CutOff);
        assert_eq!(response(r#"{"id":"a/1/2/0","response":null}"#), Some(Response::new("")));
        for failed in [
            r#"{"custom_id":"a/1/2/0","response":null,"error":{"code":"batch_expired"}}"#,
            r#"{"custom_id":"a/1/2/0","response":{"status_code":500,"body":{}},"error":null}"#,
        ] {
            assert_eq!(response(failed), None, "{failed}");
        }
    }

    #[test]
    fn what_is_no_response_is_refused() {
        for (line, wanted) in [
            ("room_5", "not JSON"),
            ("[]", "not an object"),
            ("{}", "but nothing"),
            (r#"{"answer":"x","row":1}"#, "but answer, row"),
            (r#"{"id":"a","response":["x"]}"#, "not a string"),
            (r#"{"id":null,"response":"x"}"#, "no `id`"),
            (r#"{"doc":{},"resps":[["x"]]}"#, "no `doc.id`"),
            (r#"{"doc":{"id":"a"},"resps":[[-1.5,false]]}"#, "a text for each likelihood (1)"),
            (r#"{"doc":{"id":"a"},"resps":[[1.5]]}"#, "contain text or likelihoods"),
            (r#"{"custom_id":"a","response":{"body":{}}}"#, "choices[0]"),
        ] {
            let error = ResponseLine::of(line).unwrap_err();
            assert!(error.contains(wanted), "{line}: {error}");
        }
    }

    #[test]
    fn of_a_long_response_the_tail_is_kept() {
        let text = "é".repeat(40 << 10) + "Answer: x";
        let kept = Response::new(&text).text;
        assert!(kept.len() <= TEXT_BYTES_MAX && kept.len() > TEXT_BYTES_MAX - 4);
        assert!(kept.ends_with("Answer: x"));
    }
}
