//! `balance`, and `hardest`.

use super::super::yaml::{Kind, Node};
use super::Reader;
use crate::diagnostic::{Diagnostic, Span, Spanned, closest};
use crate::storyboard::{Balance, Hardest, Hardness, Name, Share, Shares};

const HELP: &str = "write a share as `1/6` or `0.25`; it is at most 1";

const HELP_WITH_NUMBERS: &str =
    "write a share as `1/6` or `0.25`, which is at most 1; and a number as `3`, or several as `0..5`";

impl Reader<'_> {
    pub(super) fn balance(&mut self, node: Node) -> Option<Balance> {
        let (span, problems) = (node.span, self.problems.len());
        let mut balance =
            Balance { question: None, entries: Vec::new(), learned: Vec::new(), pilots: None, span };
        for (key, value) in self.entries(node, "`balance`")? {
            let Some(key) = self.identifier(key, "what is balanced") else { continue };
            if key.value == "question" {
                balance.question = self.number(value);
            } else if key.value == "pilots" {
                balance.pilots = self.number(value);
            } else if key.value == "learned" {
                balance.learned =
                    self.names(value, "what is given to learners", Self::text).unwrap_or_default();
            } else if matches!(value.kind, Kind::List(_)) && closest(&key.value, ["learned"]).is_some() {
                let message = format!("`balance` has no `{}`", key.value);
                self.problem(Diagnostic::error(message, key.span, "unknown").help("did you mean `learned`?"));
            } else if let Some(shares) = self.shares(value) {
                balance.entries.push((key, shares));
            }
        }
        // Where nothing is left but what has been told to be wrong, it is not to be told to balance nothing, too.
        let is_told = balance.entries.is_empty() && self.problems.len() > problems;
        (!is_told).then_some(balance)
    }

    pub(super) fn hardest(&mut self, node: Node) -> Option<Hardest> {
        let span = node.span;
        let mut fields = self.fields(node, "hardest")?;
        let of = self.required(&mut fields, "of").and_then(|node| self.number(node));
        let by = self.required(&mut fields, "by").and_then(|node| {
            let (span, keys) = (node.span, Hardness::HARDER.map(Hardness::key));
            let at = self.one_of(node, "the hardest is chosen by", &keys)?;
            Some(Spanned::new(Hardness::HARDER[at], span))
        });
        let question = fields.take("question").and_then(|node| self.number(node));
        Some(Hardest { of: of?, by: by?, question, span })
    }

    /// Reads shares: `uniform`, `0..5`, `1/6`, or a map.
    fn shares(&mut self, node: Node) -> Option<Shares> {
        let span = node.span;
        if let Kind::Map(_) = node.kind {
            let problems = self.problems.len();
            let entries = self.entries(node, "shares")?;
            let each = entries.into_iter().filter_map(|(key, value)| {
                let name = self.name(key, "what has a share");
                let share = self.text(value, "a share").and_then(|text| self.share(&text));
                name.zip(share)
            });
            let each = each.collect();
            // If one is wrong, the others need not sum up.
            return (self.problems.len() == problems).then_some(Shares::Each(span, each));
        }
        let Kind::Scalar(text) = node.kind else {
            let wrong = Diagnostic::error("shares are a single value or a map", span, node.kind.noun());
            self.problem(wrong.help(
                "such as `uniform`, `1/6`, `0..5`, or `{0..2: 1/2, 3..5: 1/2}`; only `learned` has a list",
            ));
            return None;
        };
        let text = Spanned::new(text, span);
        if text.value == "uniform" {
            return Some(Shares::Uniform(span));
        }
        if let Some((first, last)) = text.value.split_once("..") {
            let range = range(first.trim(), last.trim());
            if range.is_none() {
                let wrong = wrong("write a range as `0..5` or `3..`, with its ends included", span);
                self.problem(wrong.help("the ends are whole numbers here, the smaller one first"));
            }
            return range.map(|(first, last)| Shares::Range(span, first, last));
        }
        // A number that is no share may be one of those that are counted.
        match text.value.parse().ok().filter(|number| *number > 1_u64) {
            Some(number) => Some(Shares::Range(span, number, Some(number))),
            None => self
                .share_or(&text, "this is neither a share nor a number", HELP_WITH_NUMBERS)
                .map(|share| Shares::One(span, share)),
        }
    }

    fn share(&mut self, text: &Name) -> Option<Share> {
        self.share_or(text, "this is not a share", HELP)
    }

    /// A share, or a problem with this message.
    fn share_or(&mut self, text: &Name, message: &str, help: &str) -> Option<Share> {
        let share = Share::parse(&text.value);
        if share.is_none() {
            self.problem(wrong(message, text.span).help(help));
        }
        share
    }
}

/// The ends of a range, of which one may be left out: `0..5`, `3..`, `..5`.
fn range(first: &str, last: &str) -> Option<(u64, Option<u64>)> {
    match [first, last] {
        ["", ""] => None,
        [first, ""] => Some((first.parse().ok()?, None)),
        [first, last] => {
            let last = last.parse().ok()?;
            let first = if first.is_empty() { 0 } else { first.parse().ok()? };
            (first <= last).then_some((first, Some(last)))
        }
    }
}

fn wrong(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(message, span, "")
}
