//! Where a response announces its answer: `Answer: …`, `the answer is …`, a heading `Answer`.

use super::words::words;

/// Words that announce an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    /// The byte at which the announced text begins.
    pub end: usize,
    /// Whether a colon, a dash or the end of a heading shows that only the answer comes next.
    pub is_colon: bool,
}

/// The verbs of an announcement: `the answer is`, `the answer must be`.
const VERBS: [&str; 10] = ["is", "was", "would", "should", "must", "will", "be", "s", "remains", "therefore"];

/// The largest number of words between noun and verb, as in `the answer to the question is`.
const BETWEEN_MAX: usize = 12;

/// All announcements of a text, in order.
pub(super) fn cues(text: &str) -> Vec<Cue> {
    let words = words(text);
    let mut cues = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.text == "answer") {
        let gap = words.get(at + 1).map_or(&text[word.end..], |next| next.gap);
        let is_colon = gap.contains([':', '=', '→', '：']) || gap.contains(" - ") || gap.contains('–');
        let before: Vec<&str> = words[..at].iter().rev().take(2).map(|word| word.text.as_str()).collect();
        let begins = |at: usize| at == 0 || words[at].gap.contains('\n');
        // `## Final answer` on a line of its own.
        let is_first = begins(at)
            || (matches!(before.first(), Some(&("final" | "the" | "my" | "short"))) && begins(at - 1));
        let is_heading = is_first && gap.contains('\n');
        if is_colon || is_heading {
            cues.push(Cue { end: word.end, is_colon: true });
            continue;
        }
        let mut next = at + 1;
        if words.get(next).is_some_and(|word| matches!(word.text.as_str(), "to" | "for" | "here")) {
            let verb =
                words[next..].iter().take(BETWEEN_MAX).position(|word| VERBS.contains(&word.text.as_str()));
            next += verb.unwrap_or(0);
        }
        let verbs = words[next..].iter().take_while(|word| VERBS.contains(&word.text.as_str())).count();
        if verbs > 0 {
            let last = next + verbs - 1;
            let gap = words.get(last + 1).map_or("", |next| next.gap);
            cues.push(Cue { end: words[last].end, is_colon: gap.contains(':') });
        } else if is_first {
            // `Answer room_5`
            cues.push(Cue { end: word.end, is_colon: false });
        }
    }
    cues
}

/// The first line after an announcement that contains a word; for a list, all of its items.
pub(super) fn heads(scope: &str, is_list: bool) -> &str {
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    let mut end = 0;
    for line in scope.split_inclusive('\n') {
        let is_item = line.trim_start().starts_with(['-', '*', '•', '+']) && says(line);
        if says(&scope[..end]) && !(is_list && is_item) {
            break;
        }
        end += line.len();
    }
    let mut head = &scope[..end];
    loop {
        let rest = head.trim_start().trim_start_matches([':', '=', '→', '：', '>']);
        let rest = ["**", "__"].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
        if rest.len() == head.len() {
            return head;
        }
        head = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_found() {
        for (text, wanted) in [
            ("Answer: x", Some("x")),
            ("**Answer:** x", Some("x")),
            ("**Answer**: x", Some("x")),
            ("ANSWER = x", Some("x")),
            ("The answer is x", Some("x")),
            ("So my final answer would be: x", Some("x")),
            ("### Final answer\n\nx\ny", Some("x")),
            ("The answer to the question of where he is, is: x", Some("x")),
            ("Answer x", Some("x")),
            ("Answer: x. The answer is not hard: y", Some("not hard: y")),
            ("To answer this, look at x", None),
            ("She would answer x", None),
            ("The answers are x", None),
        ] {
            let found = cues(text).last().map(|cue| heads(&text[cue.end..], false).trim().to_owned());
            let found =
                found.map(|text| text.trim_start_matches("is").trim_start_matches([':', ' ']).to_owned());
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }
}
