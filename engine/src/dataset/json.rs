//! Pieces of JSON text.

/// Appends texts, one after another.
#[inline]
pub fn push_all(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}

/// Appends a number.
#[inline]
pub fn push_number(text: &mut String, number: usize) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

/// A text as a JSON string without its quotes.
pub fn escaped(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}
