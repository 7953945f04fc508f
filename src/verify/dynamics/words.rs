//! The clauses in which people speak of a prospect: which case a text can be read as, and how a choice says it.

use std::collections::BTreeSet;

use crate::pack::{Piece, ProspectWords, Text};

/// Who has settled a prospect, if it is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It is only likely.
    Likely,
    /// Nobody has.
    ByNobody,
    /// This person has.
    By(usize),
}

/// How a prospect is said to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The side, by its place in the pack.
    pub side: usize,
    /// Who has settled it.
    pub how: How,
    /// Whether nothing can be done any more.
    pub is_final: bool,
}

/// The words of a prospect, and the people whom they can name.
#[derive(Clone, Copy, Debug)]
pub struct Clauses<'w> {
    words: &'w ProspectWords,
    people: &'w [String],
}

impl<'w> Clauses<'w> {
    /// The words of a prospect, and the people whom they can name.
    pub const fn new(words: &'w ProspectWords, people: &'w [String]) -> Self {
        Self { words, people }
    }

    /// What somebody wants who wants this side.
    pub fn goal(&self, side: usize) -> String {
        filled(&self.words.sides[side].goal, "")
    }

    /// All cases that a text can be read as, in which each clause begins with `that`, and the first perhaps with a capital.
    pub fn cases(&self, text: &str, that: &str, has_capital: bool) -> BTreeSet<Case> {
        let mut cases = BTreeSet::new();
        let begun = |clause: &Text| {
            let clause = filled(clause, "");
            text.strip_prefix(that)?.strip_prefix(&if has_capital { capital(&clause) } else { clause })
        };
        for (side, words) in self.words.sides.iter().enumerate() {
            for rest in words.likely.iter().filter_map(begun) {
                let last = rest.strip_prefix(" and ").into_iter();
                cases.extend(last.flat_map(|last| self.finals(last, that)).map(|is_final| Case {
                    side,
                    how: How::Likely,
                    is_final,
                }));
            }
            for rest in words.settled.iter().filter_map(begun) {
                for (how, rest) in self.authors(rest, that) {
                    let last = rest.strip_prefix(", and ").into_iter();
                    let finals = last.flat_map(|last| self.finals(last, that));
                    cases.extend(finals.map(|is_final| Case { side, how, is_final }));
                }
            }
        }
        cases
    }

    /// All that the second of three clauses can be read as, each with what follows.
    fn authors<'t>(&self, text: &'t str, that: &str) -> Vec<(How, &'t str)> {
        let Some(text) = text.strip_prefix(", ").and_then(|text| text.strip_prefix(that)) else {
            return Vec::new();
        };
        let nobody = self.words.by_nobody.iter().map(|clause| (How::ByNobody, filled(clause, "")));
        let people = self.people.iter().enumerate();
        let somebody = people.flat_map(|(who, name)| {
            self.words.by_someone.iter().map(move |clause| (How::By(who), filled(clause, name)))
        });
        let all = nobody.chain(somebody);
        all.filter_map(|(how, clause)| Some((how, text.strip_prefix(clause.as_str())?))).collect()
    }

    /// All that the last clause can be read as.
    fn finals(&self, text: &str, that: &str) -> Vec<bool> {
        let is_among = |clauses: &[Text]| {
            clauses.iter().any(|clause| text.strip_prefix(that) == Some(&filled(clause, "")))
        };
        let all = [(false, &self.words.open), (true, &self.words.closed)];
        all.into_iter().filter(|(_, clauses)| is_among(clauses)).map(|(is_final, _)| is_final).collect()
    }

    /// What a choice says that somebody thinks: always in the first of all wordings.
    pub fn thought(&self, thinks: Option<Case>) -> String {
        let Some(Case { side, how, is_final }) = thinks else {
            return "nothing, having heard nothing of it".to_owned();
        };
        let words = self.words;
        let last = filled(if is_final { &words.closed[0] } else { &words.open[0] }, "");
        let settled = filled(&words.sides[side].settled[0], "");
        match how {
            How::Likely => format!("that {} and that {last}", filled(&words.sides[side].likely[0], "")),
            How::ByNobody => {
                format!("that {settled}, that {}, and that {last}", filled(&words.by_nobody[0], ""))
            }
            How::By(who) => {
                let by = filled(&words.by_someone[0], &self.people[who]);
                format!("that {settled}, that {by}, and that {last}")
            }
        }
    }
}

/// A text in which every slot has this name.
pub fn filled(text: &Text, name: &str) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Slot(_) => name.to_owned(),
    };
    text.pieces.iter().map(word).collect()
}

/// A text with a capital at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to say a case of this prospect, with the case.
    fn said(words: &ProspectWords, people: &[String], that: &str) -> Vec<(Case, String)> {
        let mut said = Vec::new();
        let finals = [(false, &words.open), (true, &words.closed)];
        let finals: Vec<(bool, String)> = finals
            .into_iter()
            .flat_map(|(is_final, all)| all.iter().map(move |text| (is_final, filled(text, ""))))
            .collect();
        let mut authors: Vec<(How, String)> =
            words.by_nobody.iter().map(|text| (How::ByNobody, filled(text, ""))).collect();
        for (who, name) in people.iter().enumerate() {
            authors.extend(words.by_someone.iter().map(|text| (How::By(who), filled(text, name))));
        }
        for (side, of_side) in words.sides.iter().enumerate() {
            for (is_final, last) in &finals {
                for likely in of_side.likely.iter().map(|text| filled(text, "")) {
                    let case = Case { side, how: How::Likely, is_final: *is_final };
                    said.push((case, format!("{that}{likely} and {that}{last}")));
                }
                for settled in of_side.settled.iter().map(|text| filled(text, "")) {
                    for (how, by) in &authors {
                        let case = Case { side, how: *how, is_final: *is_final };
                        said.push((case, format!("{that}{settled}, {that}{by}, and {that}{last}")));
                    }
                }
            }
        }
        said
    }

    #[test]
    fn whatever_is_announced_can_be_read_in_one_way_only() {
        let people = ["Ann", "Anna", "Bo"].map(str::to_owned);
        let packs = crate::pack::BUILT_IN.iter().filter_map(|pack| crate::pack::built_in(pack.name));
        let mut read = 0;
        for words in packs.filter_map(|pack| pack.prospects()).flatten() {
            let clauses = Clauses::new(words, &people);
            for that in ["", "that "] {
                for (case, text) in said(words, &people, that) {
                    let has_capital = that.is_empty();
                    let text = if has_capital { capital(&text) } else { text };
                    let cases: Vec<Case> = clauses.cases(&text, that, has_capital).into_iter().collect();
                    assert_eq!(cases, [case], "{}: {text}", words.name.value);
                    read += 1;
                }
            }
        }
        println!("{read} announcements");
        assert!(read > 10_000, "{read}");
    }
}
