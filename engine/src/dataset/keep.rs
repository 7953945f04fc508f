//! Which rows are kept, by the numbers that say how difficult they are: `--where`.
//!
//! ```text
//! either     = both ("or" both)*
//! both       = one ("and" one)*
//! one        = "not" one | "(" either ")" | comparison
//! comparison = side (("<" | "<=" | "==" | "!=" | ">=" | ">") side)
//! side       = a name | a whole number
//! ```

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::field::DIFFICULTY_COLUMNS;
use crate::diagnostic::{Diagnostic, Source, Span, counted, did_you_mean};
use crate::plan::Plan;
use crate::question::{Answered, Difficulty};

/// The greatest depth of nested parentheses and of `not`.
const DEPTH_MAX: usize = 32;

/// The largest length of an expression, in bytes.
const LENGTH_MAX: usize = 1_000;

/// What helps who does not know how to write one.
const SUCH_AS: &str = "such as `updates >= 3 and (shortcuts_right == 0 or not quantile < 80)`";

/// What an expression is called in messages.
const SOURCE_NAME: &str = "--where";

/// The names of the numbers of a row that an expression can compare, besides those of how difficult it is.
const PLAIN: [&str; 5] = ["order", "mislead_distance", "false_belief", "scenario", "label"];

/// The names of all numbers that an expression can compare, in the order of [`Numbers`].
pub const KEEP_NAMES: [&str; 14] = {
    let mut names = [""; 14];
    let mut at = 0;
    while at < names.len() {
        let difficulty = DIFFICULTY_COLUMNS.len();
        names[at] = if at < difficulty { DIFFICULTY_COLUMNS[at] } else { PLAIN[at - difficulty] };
        at += 1;
    }
    names
};

/// The numbers of a row, in the order of [`KEEP_NAMES`]; `None` where a row has no such number.
pub type Numbers = [Option<i64>; KEEP_NAMES.len()];

/// The numbers of a row.
pub fn numbers(plan: &Plan, answered: &Answered, difficulty: &Difficulty, quantile: Option<u8>) -> Numbers {
    let scenario = plan.questions[answered.question].dynamic.map(|dynamic| dynamic.scenario as i64 + 1);
    let mut numbers = [None; KEEP_NAMES.len()];
    for (number, value) in numbers.iter_mut().zip(difficulty.numbers()) {
        *number = value.map(|value| value as i64);
    }
    let plain = [
        quantile.map(i64::from),
        Some(difficulty.order as i64),
        answered.mislead_distance.map(|distance| distance as i64),
        answered.false_belief.map(i64::from),
        scenario,
        Some(answered.label as i64),
    ];
    numbers[Difficulty::NAMES.len()..].copy_from_slice(&plain);
    numbers
}

/// An expression that says which rows are kept.
///
/// ```
/// use storysim::dataset::{KEEP_NAMES, Keep};
/// let keep: Keep = "updates >= 3 and not shortcuts_right > 0".parse().unwrap();
/// let mut numbers = [None; KEEP_NAMES.len()];
/// (numbers[0], numbers[4]) = (Some(3), Some(0));
/// assert!(keep.keeps(&numbers));
/// numbers[0] = Some(2);
/// assert!(!keep.keeps(&numbers));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    source: Source,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Any(Vec<Rule>),
    All(Vec<Rule>),
    Not(Box<Rule>),
    Comparison(Comparison),
}

/// Two sides compared, with the span of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Comparison {
    left: Side,
    is: Relation,
    right: Side,
    span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The number with this index in [`KEEP_NAMES`].
    Name(usize),
    Number(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Greater,
}

impl Relation {
    /// The longer ones come before their beginnings.
    const ALL: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    const fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::AtLeast => left >= right,
            Self::Greater => left > right,
        }
    }
}

impl Side {
    const fn of(self, numbers: &Numbers) -> Option<i64> {
        match self {
            Self::Name(at) => numbers[at],
            Self::Number(number) => Some(number),
        }
    }
}

impl Comparison {
    /// Whether it holds; of a number that the row does not have, nothing does.
    fn holds(&self, numbers: &Numbers) -> bool {
        let sides = self.left.of(numbers).zip(self.right.of(numbers));
        sides.is_some_and(|(left, right)| self.is.holds(left, right))
    }

    fn names(&self) -> impl Iterator<Item = usize> {
        [self.left, self.right].into_iter().filter_map(|side| match side {
            Side::Name(at) => Some(at),
            Side::Number(_) => None,
        })
    }
}

impl Rule {
    fn holds(&self, numbers: &Numbers) -> bool {
        match self {
            Self::Any(rules) => rules.iter().any(|rule| rule.holds(numbers)),
            Self::All(rules) => rules.iter().all(|rule| rule.holds(numbers)),
            Self::Not(rule) => !rule.holds(numbers),
            Self::Comparison(comparison) => comparison.holds(numbers),
        }
    }

    fn comparisons(&self) -> Vec<&Comparison> {
        match self {
            Self::Any(rules) | Self::All(rules) => rules.iter().flat_map(Self::comparisons).collect(),
            Self::Not(rule) => rule.comparisons(),
            Self::Comparison(comparison) => vec![comparison],
        }
    }

    /// The least rules that have to hold if this one is to: what is joined by `and`.
    fn demands(&self) -> Vec<&Self> {
        match self {
            Self::All(rules) => rules.iter().flat_map(Self::demands).collect(),
            rule => vec![rule],
        }
    }
}

impl Keep {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it, at the first place that does not fit; the span is that in the text.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        if text.len() > LENGTH_MAX {
            let what = format!("an expression has at most {LENGTH_MAX} characters");
            let span = Span::new(0, text.len());
            return Err(Diagnostic::error(what, span, format!("{} characters", text.len())));
        }
        if text.trim().is_empty() {
            let empty = Diagnostic::error("there is no expression", Span::new(0, 0), "nothing is compared");
            return Err(empty.help(SUCH_AS));
        }
        let mut parser = Parser { text, position: 0 };
        let rule = parser.either(0)?;
        match parser.peek() {
            None => Ok(Self { source: Self::source_of(text), rule }),
            Some(_) => Err(parser.unexpected("`and`, `or` or the end")),
        }
    }

    /// The text of an expression, as the source of messages about it.
    pub fn source_of(text: &str) -> Source {
        Source { name: SOURCE_NAME.to_owned(), text: text.to_owned() }
    }

    /// The expression as it was written, as the source of messages about it.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Whether a row with these numbers is kept. A comparison with a number that the row does not have does not hold.
    pub fn keeps(&self, numbers: &Numbers) -> bool {
        self.rule.holds(numbers)
    }

    /// Whether the expression asks for a number.
    pub fn asks_for(&self, name: &str) -> bool {
        let all = self.rule.comparisons();
        all.into_iter().flat_map(Comparison::names).any(|at| KEEP_NAMES[at] == name)
    }
}

impl std::str::FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|problem| problem.message)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source.text)
    }
}

impl Serialize for Keep {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.source.text)
    }
}

impl<'de> Deserialize<'de> for Keep {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What rows that were looked at have, for whoever finds none that is kept.
#[derive(Clone, Debug)]
pub struct Search<'k> {
    keep: &'k Keep,
    /// How many rows meet each of the rules that are joined by `and`.
    met: Vec<u64>,
    /// The least and the greatest of each number.
    ranges: Vec<Option<[i64; 2]>>,
    rows: u64,
}

impl<'k> Search<'k> {
    /// Nothing has been looked at.
    pub fn new(keep: &'k Keep) -> Self {
        let met = vec![0; keep.rule.demands().len()];
        Self { keep, met, ranges: vec![None; KEEP_NAMES.len()], rows: 0 }
    }

    /// The expression by which rows are kept.
    pub const fn keep(&self) -> &'k Keep {
        self.keep
    }

    /// Looks at a row. Returns whether it is kept.
    pub fn add(&mut self, numbers: &Numbers) -> bool {
        self.rows += 1;
        for (met, rule) in self.met.iter_mut().zip(self.keep.rule.demands()) {
            *met += u64::from(rule.holds(numbers));
        }
        for (range, number) in self.ranges.iter_mut().zip(numbers) {
            let Some(number) = *number else { continue };
            let [least, greatest] = range.get_or_insert([number; 2]);
            (*least, *greatest) = (number.min(*least), number.max(*greatest));
        }
        self.keep.keeps(numbers)
    }

    /// Why no row was kept: what is never met, with what there is instead, or that nothing meets all of it. `looked_at` says where
    /// that was looked for.
    ///
    /// ```
    /// use storysim::dataset::{KEEP_NAMES, Keep, Search};
    /// let keep: Keep = "updates > 3 and order == 1".parse().unwrap();
    /// let mut search = Search::new(&keep);
    /// let mut numbers = [None; KEEP_NAMES.len()];
    /// (numbers[0], numbers[9]) = (Some(2), Some(1));
    /// assert!(!search.add(&numbers));
    /// let problem = search.problem("in 1 story");
    /// assert_eq!(problem.labels[0].1, "met by none of 1 row: `updates` is 2");
    /// ```
    pub fn problem(&self, looked_at: &str) -> Diagnostic {
        let rules = self.keep.rule.demands();
        let rows = counted(self.rows, "row");
        let mut labels: Vec<(Span, String)> = Vec::new();
        for (rule, met) in rules.iter().zip(&self.met) {
            let comparisons = rule.comparisons();
            let Some((first, last)) = comparisons.first().zip(comparisons.last()) else { continue };
            let span = Span::new(first.span.start, last.span.end);
            let names: Vec<usize> = comparisons.iter().flat_map(|one| one.names()).collect();
            let ranges = names.iter().enumerate().filter(|(at, name)| !names[..*at].contains(name));
            let ranges: Vec<String> = ranges.map(|(_, &name)| self.range(name)).collect();
            let there = if ranges.is_empty() { String::new() } else { format!(": {}", ranges.join(", ")) };
            if *met == 0 {
                labels.push((span, format!("met by none of {rows}{there}")));
            }
        }
        if labels.is_empty() {
            let of_rule = |(rule, met): (&&Rule, &u64)| {
                let comparisons = rule.comparisons();
                let span = comparisons.first().zip(comparisons.last());
                let span = span.map(|(first, last)| Span::new(first.span.start, last.span.end));
                (span.unwrap_or_default(), format!("met by {met} of {rows}"))
            };
            labels.extend(rules.iter().zip(&self.met).map(of_rule));
        }
        let problem =
            Diagnostic::error(format!("no row {looked_at} is kept"), labels[0].0, labels[0].1.clone());
        let problem = labels[1..].iter().fold(problem, |problem, (span, what)| problem.label(*span, what));
        problem.help("ask for less, or for rows that there are; a comparison with what a row does not have never holds")
    }

    /// What there is of a number, in words.
    fn range(&self, name: usize) -> String {
        let shown = KEEP_NAMES[name];
        match self.ranges[name] {
            None => format!("no row has `{shown}`"),
            Some([least, greatest]) if least == greatest => format!("`{shown}` is {least}"),
            Some([least, greatest]) => format!("`{shown}` is from {least} to {greatest}"),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl Parser<'_> {
    fn either(&mut self, depth: usize) -> Result<Rule, Diagnostic> {
        let mut rules = vec![self.both(depth)?];
        while self.takes_word("or") {
            rules.push(self.both(depth)?);
        }
        Ok(if rules.len() == 1 { rules.remove(0) } else { Rule::Any(rules) })
    }

    fn both(&mut self, depth: usize) -> Result<Rule, Diagnostic> {
        let mut rules = vec![self.one(depth)?];
        while self.takes_word("and") {
            rules.push(self.one(depth)?);
        }
        Ok(if rules.len() == 1 { rules.remove(0) } else { Rule::All(rules) })
    }

    fn one(&mut self, depth: usize) -> Result<Rule, Diagnostic> {
        if depth > DEPTH_MAX {
            let here = Span::new(self.position, self.position);
            return Err(Diagnostic::error("too many parentheses", here, format!("nested {DEPTH_MAX} deep")));
        }
        if self.takes_word("not") {
            return Ok(Rule::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.peek() == Some('(') {
            self.position += 1;
            let inner = self.either(depth + 1)?;
            if self.peek() != Some(')') {
                return Err(self.unexpected("`)`"));
            }
            self.position += 1;
            return Ok(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Rule, Diagnostic> {
        self.peek();
        let start = self.position;
        let left = self.side()?;
        self.peek();
        let rest = &self.text[self.position..];
        let Some((sign, is)) = Relation::ALL.into_iter().find(|(sign, _)| rest.starts_with(sign)) else {
            let problem = self.unexpected("one of `<`, `<=`, `==`, `!=`, `>=`, `>`");
            let is_single = rest.starts_with('=');
            return Err(problem.maybe_help(is_single.then(|| "to be equal is written `==`".to_owned())));
        };
        self.position += sign.len();
        let right = self.side()?;
        let span = Span::new(start, self.position);
        Ok(Rule::Comparison(Comparison { left, is, right, span }))
    }

    fn side(&mut self) -> Result<Side, Diagnostic> {
        let first = self.peek();
        let start = self.position;
        match first {
            Some(c) if c.is_ascii_digit() || c == '-' => {
                self.position += 1;
                self.take_while(|c| c.is_ascii_digit());
                let text = &self.text[start..self.position];
                let number = text.parse().map(Side::Number);
                number.map_err(|_| {
                    let remark = if text == "-" { "digits are missing" } else { "beyond 64 bits" };
                    let span = Span::new(start, self.position);
                    Diagnostic::error(
                        format!("`{text}` is no whole number that can be compared"),
                        span,
                        remark,
                    )
                })
            }
            Some(c) if c.is_alphabetic() => {
                self.take_while(|c| c.is_alphanumeric() || c == '_');
                let (name, span) = (&self.text[start..self.position], Span::new(start, self.position));
                if let Some(at) = KEEP_NAMES.iter().position(|known| *known == name) {
                    return Ok(Side::Name(at));
                }
                let known = || KEEP_NAMES.map(|name| format!("`{name}`")).join(", ");
                let help = did_you_mean(name, KEEP_NAMES).unwrap_or_else(|| format!("there are {}", known()));
                Err(Diagnostic::error(format!("rows have no number `{name}`"), span, "unknown").help(help))
            }
            _ => Err(self.unexpected("a name or a whole number")),
        }
    }

    /// Goes over a word, if it is the next one.
    fn takes_word(&mut self, word: &str) -> bool {
        self.peek();
        let rest = self.text[self.position..].strip_prefix(word);
        let is_next = rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        self.position += if is_next { word.len() } else { 0 };
        is_next
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        self.text[self.position..].chars().next()
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) {
        let rest = &self.text[self.position..];
        self.position += rest.find(|c| !fits(c)).unwrap_or(rest.len());
    }

    fn unexpected(&mut self, wanted: &str) -> Diagnostic {
        let (span, remark) = match self.peek() {
            Some(found) => {
                let span = Span::new(self.position, self.position + found.len_utf8());
                (span, format!("expected {wanted}"))
            }
            // Behind the end there is nothing to point at.
            None => {
                let end = self.text.trim_end().len();
                let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
                (Span::new(end - last, end), format!("{wanted} is missing after this"))
            }
        };
        Diagnostic::error("this expression cannot be read", span, remark).help(SUCH_AS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, decided for every value of two numbers by what a reader would make of it.
    #[test]
    fn rows_are_kept_as_it_is_written() {
        type Plain = fn(i64, i64) -> bool;
        let cases: [(&str, Plain); 9] = [
            ("updates >= 3", |u, _| u >= 3),
            ("3<=updates", |u, _| u >= 3),
            ("updates < bearing", |u, b| u < b),
            ("updates == 1 or updates != 2 and bearing > 2", |u, b| u == 1 || (u != 2 && b > 2)),
            ("(updates == 1 or updates != 2) and bearing > 2", |u, b| (u == 1 || u != 2) && b > 2),
            ("not updates == 1 and bearing <= 1", |u, b| u != 1 && b <= 1),
            ("not (updates == 1 and bearing <= 1)", |u, b| !(u == 1 && b <= 1)),
            ("not not updates > -1", |_, _| true),
            ("1 > 2", |_, _| false),
        ];
        for (text, plain) in cases {
            let keep = Keep::parse(text).unwrap();
            for (updates, bearing) in (0..5).flat_map(|updates| (0..5).map(move |bearing| (updates, bearing)))
            {
                let mut numbers = [None; KEEP_NAMES.len()];
                (numbers[0], numbers[1]) = (Some(updates), Some(bearing));
                assert_eq!(keep.keeps(&numbers), plain(updates, bearing), "{text}: {updates} {bearing}");
            }
        }
        let missing = [None; KEEP_NAMES.len()];
        assert!(!Keep::parse("updates < 3 or updates >= 3").unwrap().keeps(&missing));
        assert!(Keep::parse("not updates < 3").unwrap().keeps(&missing));
    }

    #[test]
    fn what_cannot_be_read_is_shown_where_it_is() {
        for (text, at, remark) in [
            ("", 0..0, "nothing is compared"),
            ("updates", 6..7, "one of `<`, `<=`, `==`, `!=`, `>=`, `>` is missing after this"),
            ("updates = 3", 8..9, "expected one of `<`, `<=`, `==`, `!=`, `>=`, `>`"),
            ("updates > = 3", 10..11, "expected a name or a whole number"),
            ("updtes > 3", 0..6, "unknown"),
            ("updates > 3 bearing", 12..13, "expected `and`, `or` or the end"),
            ("(updates > 3", 11..12, "`)` is missing after this"),
            ("updates > 99999999999999999999", 10..30, "beyond 64 bits"),
            ("updates > -", 10..11, "digits are missing"),
            ("é > 3", 0..2, "unknown"),
            ("updates > 3 and", 14..15, "a name or a whole number is missing after this"),
            ("nothing > 3", 0..7, "unknown"),
        ] {
            let problem = Keep::parse(text).unwrap_err();
            assert_eq!((problem.labels[0].0.range(), problem.labels[0].1.as_str()), (at, remark), "{text}");
        }
        for text in ["(".repeat(900), "not ".repeat(240), "x".repeat(2_000)] {
            assert!(Keep::parse(&text).is_err());
        }
    }

    #[test]
    fn what_is_never_met_is_named() {
        let keep = Keep::parse("updates > 3 and bearing == 1 and order > 0").unwrap();
        let mut search = Search::new(&keep);
        for updates in 0..4 {
            let mut numbers = [None; KEEP_NAMES.len()];
            (numbers[0], numbers[1]) = (Some(updates), Some(1));
            assert!(!search.add(&numbers));
        }
        let problem = search.problem("of 4 stories");
        let told: Vec<(&str, &str)> = problem
            .labels
            .iter()
            .map(|(span, what)| (&keep.source().text[span.range()], what.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("updates > 3", "met by none of 4 rows: `updates` is from 0 to 3"),
                ("order > 0", "met by none of 4 rows: no row has `order`")
            ]
        );
        // Each is met, but not by the same rows.
        let keep = Keep::parse("updates > 2 and updates < 2").unwrap();
        let mut search = Search::new(&keep);
        for updates in 0..4 {
            let mut numbers = [None; KEEP_NAMES.len()];
            numbers[0] = Some(updates);
            assert!(!search.add(&numbers));
        }
        let labels = search.problem("of 4 stories").labels;
        assert_eq!(
            (labels[0].1.as_str(), labels[1].1.as_str()),
            ("met by 1 of 4 rows", "met by 2 of 4 rows")
        );
    }
}
