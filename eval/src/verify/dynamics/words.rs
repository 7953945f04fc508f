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

    /// All cases that a text can be read as, in which each clause begins with `that`.
    pub fn cases(&self, text: &str, that: &str) -> BTreeSet<Case> {
        let mut cases = BTreeSet::new();
        for (side, is_likely, rest) in self.begun(text, that, |clause| clause) {
            if is_likely {
                // Clauses are long, so there is a comma even between two, unless each begins with "that".
                let rest = rest.strip_prefix(if that.is_empty() { ", and " } else { " and " });
                let finals = rest.into_iter().flat_map(|rest| self.finals(rest, that, |clause| clause));
                cases.extend(finals.map(|is_final| Case { side, how: How::Likely, is_final }));
            } else {
                let rest = rest.strip_prefix(", ").into_iter();
                let authors = rest.flat_map(|rest| self.authors(rest, that, |clause| clause));
                cases.extend(authors.flat_map(|(how, rest)| self.settled(side, how, rest, that)));
            }
        }
        cases
    }

    /// All cases that two sentences can be read as, of which the first says the side, and the second all else.
    pub fn spoken(&self, first: &str, rest: &str) -> BTreeSet<Case> {
        let mut cases = BTreeSet::new();
        for (side, is_likely, _) in
            self.begun(first, "", capital).into_iter().filter(|(.., left)| left.is_empty())
        {
            if is_likely {
                let finals = self.finals(rest, "", capital).into_iter();
                cases.extend(finals.map(|is_final| Case { side, how: How::Likely, is_final }));
            } else {
                let authors = self.authors(rest, "", capital).into_iter();
                cases.extend(authors.flat_map(|(how, rest)| self.settled(side, how, rest, "")));
            }
        }
        cases
    }

    /// All that the clause of a side can be read as: the side, whether it is only likely, and what follows. Clauses are `spelt`.
    fn begun<'t>(
        &self,
        text: &'t str,
        that: &str,
        spelt: fn(String) -> String,
    ) -> Vec<(usize, bool, &'t str)> {
        let mut begun = Vec::new();
        for (side, words) in self.words.sides.iter().enumerate() {
            for (is_likely, clauses) in [(true, &words.likely), (false, &words.settled)] {
                let rest = clauses.iter().filter_map(|clause| {
                    text.strip_prefix(that)?.strip_prefix(spelt(filled(clause, "")).as_str())
                });
                begun.extend(rest.map(|rest| (side, is_likely, rest)));
            }
        }
        begun
    }

    /// What is settled, with what follows the clause on who has settled it.
    fn settled(&self, side: usize, how: How, rest: &str, that: &str) -> Vec<Case> {
        let last = rest.strip_prefix(", and ");
        let finals = last.map_or_else(Vec::new, |last| self.finals(last, that, |clause| clause));
        finals.into_iter().map(|is_final| Case { side, how, is_final }).collect()
    }

    /// All that the clause on who has settled it can be read as, each with what follows. Clauses are `spelt`.
    fn authors<'t>(&self, text: &'t str, that: &str, spelt: fn(String) -> String) -> Vec<(How, &'t str)> {
        let Some(text) = text.strip_prefix(that) else { return Vec::new() };
        let nobody = self.words.by_nobody.iter().map(|clause| (How::ByNobody, filled(clause, "")));
        let people = self.people.iter().enumerate();
        let somebody = people.flat_map(|(who, name)| {
            self.words.by_someone.iter().map(move |clause| (How::By(who), filled(clause, name)))
        });
        let all = nobody.chain(somebody);
        all.filter_map(|(how, clause)| Some((how, text.strip_prefix(spelt(clause).as_str())?))).collect()
    }

    /// All that the last clause can be read as. Clauses are `spelt`.
    fn finals(&self, text: &str, that: &str, spelt: fn(String) -> String) -> Vec<bool> {
        let is_among = |clauses: &[Text]| {
            clauses.iter().any(|clause| text.strip_prefix(that) == Some(&spelt(filled(clause, ""))))
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
fn capital(text: String) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to say a case of this prospect, with the case: the first clause, and the others with what stands between them.
    fn said(words: &ProspectWords, people: &[String]) -> Vec<(Case, Vec<String>)> {
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
                    said.push((case, vec![likely, last.clone()]));
                }
                for settled in of_side.settled.iter().map(|text| filled(text, "")) {
                    for (how, by) in &authors {
                        let case = Case { side, how: *how, is_final: *is_final };
                        said.push((case, vec![settled.clone(), by.clone(), last.clone()]));
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
            for (case, said) in said(words, &people) {
                let (first, rest) = (capital(said[0].clone()), capital(said[1..].join(", and ")));
                let plain = match &said[..] {
                    [one, other] => format!("{one}, and {other}"),
                    said => format!("{}, {}, and {}", said[0], said[1], said[2]),
                };
                let that = match &said[..] {
                    [one, other] => format!("that {one} and that {other}"),
                    said => format!("that {}, that {}, and that {}", said[0], said[1], said[2]),
                };
                let read_as =
                    [clauses.spoken(&first, &rest), clauses.cases(&plain, ""), clauses.cases(&that, "that ")];
                for cases in read_as {
                    let cases: Vec<Case> = cases.into_iter().collect();
                    assert_eq!(cases, [case], "{}: {plain}", words.name.value);
                    read += 1;
                }
            }
        }
        println!("{read} announcements");
        assert!(read > 10_000, "{read}");
    }
}
