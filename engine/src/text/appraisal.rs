//! Rules of feelings in plain words, line by line.

use crate::form::{Addressee, Author, Certainty, Expected, Outcome, Situation, Toward, When};
use crate::pack::{Doing, Line, Piece, RuleWords, Slot, Text};

/// A text that is being put together, with holes for names.
#[derive(Default)]
struct Told(Vec<Piece>);

impl Told {
    fn say(&mut self, words: &str) {
        match self.0.last_mut() {
            Some(Piece::Words(last)) => last.push_str(words),
            _ => self.0.push(Piece::Words(words.to_owned())),
        }
    }

    /// Adds a text, in which `{agent}` has words instead of a name.
    fn add(&mut self, text: &Text) {
        for piece in &text.pieces {
            match piece {
                Piece::Words(words) => self.say(words),
                Piece::Slot(Slot::Agent) => self.say("that person"),
                Piece::Slot(Slot::Act) => self.say("do it"),
                Piece::Slot(slot) => self.0.push(Piece::Slot(*slot)),
            }
        }
    }
}

/// All rules of a pack, as sentences. `{decider}` stays open.
pub(super) fn rules(words: &RuleWords) -> Vec<Piece> {
    let mut told = Told::default();
    told.say(
        "The two ways in which it can turn out are its sides. A side that is settled does not count as likely. What somebody \
         expected is the side that they last thought likely, however long ago, before they came to think what they think now; \
         whoever never thought either side likely expected neither. Hearing what one already thinks changes nothing. What people \
         feel follows from what they think and expected; of these rules, the first that fits holds.",
    );
    for (number, line) in words.feels.iter().enumerate() {
        let feels = words.feelings[line.result].1.to_string();
        told.say(&format!(" Whoever {} is {feels}.", thinks(&decided(words, number))));
    }
    told.say(
        " What people want follows from what they feel, and what they do from what they want; again, the first rule that fits \
         holds.",
    );
    for line in &words.wants {
        want(&mut told, words, line);
    }
    told.say(" Acts are carried out like this:");
    for (number, doing) in words.does.iter().enumerate() {
        told.say(if number == 0 { " " } else { "; " });
        how(&mut told, words, doing);
    }
    told.say(".");
    told.0
}

/// The conditions of a line of `feels`, with whether that is likely or settled where only one of them is left by the lines before.
fn decided(words: &RuleWords, number: usize) -> When {
    let mut when = words.feels[number].when.clone();
    let decides = |situation: &Situation| words.feeling_line(*situation) == Some(number);
    let mut left: Vec<Certainty> = Situation::all()
        .filter(decides)
        .filter_map(|situation| Some(situation.thinks?.certainty()))
        .collect();
    left.sort_unstable();
    left.dedup();
    if when.certainty.is_empty() && !when.thinks_nothing && left.len() == 1 {
        when.certainty = left;
    }
    when
}

/// What somebody thinks whom a line of `feels` fits: "thinks that the side that they want is likely".
fn thinks(when: &When) -> String {
    if when.thinks_nothing {
        return "has heard nothing of it".to_owned();
    }
    let side = match when.outcome.as_slice() {
        [Outcome::Wanted] => "the side that they want",
        [Outcome::Unwanted] => "the side that they do not want",
        _ => "one of the two sides",
    };
    let authors: Vec<&str> = when.author.iter().map(|author| author_of(*author)).collect();
    let state = match (when.certainty.as_slice(), authors.is_empty()) {
        ([Certainty::Likely], true) => "is likely".to_owned(),
        ([Certainty::Settled], true) => "is settled".to_owned(),
        (_, false) => format!("is settled and was brought about by {}", or(&authors)),
        (_, true) => "is likely or settled".to_owned(),
    };
    let mut said = format!("thinks that {side} {state}");
    said.push_str(match when.is_final.as_slice() {
        [true] => " and that nothing can be done any more",
        [false] => " and that something can still be done",
        _ => "",
    });
    let expected: Vec<&str> = when.expected.iter().map(|expected| expected_of(*expected)).collect();
    if !expected.is_empty() && expected.len() < Expected::ALL.len() {
        said.push_str(&format!(", having expected {} before,", or(&expected)));
    }
    said
}

const fn author_of(author: Author) -> &'static str {
    match author {
        Author::Nobody => "nobody",
        Author::Herself => "themselves",
        Author::Other => "somebody else",
    }
}

const fn expected_of(expected: Expected) -> &'static str {
    match expected {
        Expected::Wanted => "the side that they want",
        Expected::Unwanted => "the side that they do not want",
        Expected::Nothing => "neither side",
    }
}

/// "a", "a or b", "a, b or c".
fn or(words: &[&str]) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        words => words.concat(),
    }
}

/// Adds what somebody wants, and the act that follows.
fn want(told: &mut Told, words: &RuleWords, line: &Line) {
    let feels: Vec<String> =
        line.when.feels.iter().map(|feels| words.feelings[*feels].1.to_string()).collect();
    let feels: Vec<&str> = feels.iter().map(String::as_str).collect();
    told.say(" Whoever ");
    if feels.is_empty() {
        told.say(&thinks(&line.when));
    } else {
        told.say(&format!("is {}", or(&feels)));
        let rest = When { feels: Vec::new(), is_final: Vec::new(), ..line.when.clone() };
        if rest != When::default() {
            told.say(&format!(" and {}", thinks(&line.when)));
        } else {
            told.say(match line.when.is_final.as_slice() {
                [true] => " and thinks that nothing can be done any more",
                [false] => " and thinks that something can still be done",
                _ => "",
            });
        }
    }
    let intention = &words.intentions[line.result];
    told.say(" wants ");
    told.add(&intention.wants);
    told.say("; the act is to ");
    told.add(&intention.act);
    match line.toward {
        Toward::Nobody => told.say(", directed at nobody."),
        Toward::Decider => {
            told.say(", directed at ");
            told.0.push(Piece::Slot(Slot::Decider));
            told.say(".");
        }
        Toward::Agent => told.say(", directed at the person who brought it about."),
        Toward::Company => told.say(", directed at the others, of whom one in the same place is enough."),
    }
}

/// Adds how an act is done, depending on where the person is whom it is directed at.
fn how(told: &mut Told, words: &RuleWords, doing: &Doing) {
    let when: Vec<&str> = doing
        .when
        .addressee
        .iter()
        .map(|addressee| match addressee {
            Addressee::Here => {
                "an act is directed at somebody who is in the same place when the scenario ends"
            }
            Addressee::Away => "an act is directed at somebody who is then elsewhere",
            Addressee::Nobody => "an act is directed at nobody",
        })
        .collect();
    let mut cases: Vec<String> = Vec::from_iter((!when.is_empty()).then(|| or(&when)));
    if !doing.when.wants.is_empty() {
        let wants: Vec<String> =
            doing.when.wants.iter().map(|wants| words.intentions[*wants].wants.to_string()).collect();
        let wants: Vec<&str> = wants.iter().map(String::as_str).collect();
        cases.push(format!("it is done by somebody who wants {}", or(&wants)));
    }
    match cases.as_slice() {
        [] => told.say("in any other case, "),
        cases => told.say(&format!("if {}, ", cases.join(" and "))),
    }
    told.say("people will ");
    told.add(&doing.text);
}
