//! Arithmetic in times: integers, parameters, `end`, `+ - *`, `min`, `max` and parentheses.

use crate::diagnostic::{Diagnostic, Span, did_you_mean};

/// An expression as written, with the span of each name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `12`
    Integer(i64),
    /// `mislead_distance`, or `end`
    Name(String, Span),
    /// `-x`: the negative of an expression
    Negative(Box<Expression>),
    /// `a + b` and the like, with the span of the whole
    Binary(Operator, Box<Expression>, Box<Expression>, Span),
}

/// An operator that joins two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `a + b`
    Plus,
    /// `a - b`
    Minus,
    /// `a * b`
    Times,
    /// `min(a, b)`: the smaller of the two
    Smaller,
    /// `max(a, b)`: the larger of the two
    Larger,
}

/// The greatest depth of nested parentheses.
const DEPTH_MAX: usize = 32;

/// The largest length of an expression, in bytes.
const LENGTH_MAX: usize = 200;

impl Expression {
    /// Parses `text`, which begins at byte `at` of the source.
    ///
    /// # Errors
    /// A diagnostic at the first character that does not fit.
    ///
    /// ```
    /// use storysim::storyboard::Expression;
    /// let sum = Expression::parse("12 + 2 * distance", 0).unwrap();
    /// assert_eq!(sum.evaluate(&|name| (name == "distance").then_some(30)), Ok(72));
    /// assert!(Expression::parse("12 +", 0).is_err());
    /// ```
    pub fn parse(text: &str, at: usize) -> Result<Self, Diagnostic> {
        if text.len() > LENGTH_MAX {
            let span = Span::new(at, at + text.len());
            let message = format!("an expression has at most {LENGTH_MAX} characters");
            return Err(Diagnostic::error(message, span, format!("{} characters", text.len())));
        }
        let mut parser = Parser { text, position: 0, at };
        let expression = parser.sum(0)?;
        match parser.peek() {
            None => Ok(expression),
            Some(_) => Err(parser.unexpected("an operator or the end")),
        }
    }

    /// The same expression, with `span` as the span of all its parts.
    #[must_use]
    pub fn standing_at(self, span: Span) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(value),
            Self::Name(name, _) => Self::Name(name, span),
            Self::Negative(inner) => Self::Negative(inner.standing_at(span).into()),
            Self::Binary(operator, left, right, _) => {
                Self::Binary(operator, left.standing_at(span).into(), right.standing_at(span).into(), span)
            }
        }
    }

    /// Whether a name stands in it.
    ///
    /// ```
    /// use storysim::storyboard::Expression;
    /// let sum = Expression::parse("12 + distance", 0).unwrap();
    /// assert!(sum.names("distance") && !sum.names("d"));
    /// ```
    pub fn names(&self, name: &str) -> bool {
        match self {
            Self::Integer(_) => false,
            Self::Name(own, _) => own == name,
            Self::Negative(inner) => inner.names(name),
            Self::Binary(_, left, right, _) => left.names(name) || right.names(name),
        }
    }

    /// The value of the expression, where `lookup` gives the value of every name.
    ///
    /// # Errors
    /// A diagnostic for an unknown name, or for a value beyond 64 bits.
    pub fn evaluate(&self, lookup: &dyn Fn(&str) -> Option<i64>) -> Result<i64, EvaluationError> {
        match self {
            Self::Integer(value) => Ok(*value),
            Self::Name(name, span) => {
                lookup(name).ok_or_else(|| EvaluationError::UnknownName(name.clone(), *span))
            }
            Self::Negative(inner) => {
                inner.evaluate(lookup)?.checked_neg().ok_or(EvaluationError::TooLarge(None))
            }
            Self::Binary(operator, left, right, span) => {
                let (left, right) = (left.evaluate(lookup)?, right.evaluate(lookup)?);
                match operator {
                    Operator::Plus => left.checked_add(right),
                    Operator::Minus => left.checked_sub(right),
                    Operator::Times => left.checked_mul(right),
                    Operator::Smaller => Some(left.min(right)),
                    Operator::Larger => Some(left.max(right)),
                }
                .ok_or(EvaluationError::TooLarge(Some(*span)))
            }
        }
    }
}

/// The reason why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// No number has this name.
    UnknownName(String, Span),
    /// The value does not fit into 64 bits.
    TooLarge(Option<Span>),
}

impl EvaluationError {
    /// The error as a message; `whole` is the span of the expression, `known` are the names that exist.
    pub fn diagnostic<'a>(self, whole: Span, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match self {
            Self::UnknownName(name, span) => {
                let known: Vec<&str> = known.into_iter().collect();
                let help = did_you_mean(&name, known.iter().copied()).unwrap_or_else(|| {
                    let names: Vec<String> = known.iter().take(20).map(|name| format!("`{name}`")).collect();
                    match names.is_empty() {
                        true => "only integers can be used here, because there are no parameters".to_owned(),
                        false => format!("available here: integers and {}", names.join(", ")),
                    }
                });
                Diagnostic::error(format!("no parameter is called `{name}`"), span, "unknown").help(help)
            }
            Self::TooLarge(span) => {
                Diagnostic::error("this number is too large", span.unwrap_or(whole), "beyond 64 bits")
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
    at: usize,
}

impl Parser<'_> {
    /// sum = product (("+" | "-") product)*
    fn sum(&mut self, depth: usize) -> Result<Expression, Diagnostic> {
        let start = self.start();
        let mut left = self.product(depth)?;
        while let Some(operator) = match self.peek() {
            Some('+') => Some(Operator::Plus),
            Some('-') => Some(Operator::Minus),
            _ => None,
        } {
            self.position += 1;
            let right = self.product(depth)?;
            left = Expression::Binary(operator, left.into(), right.into(), self.since(start));
        }
        Ok(left)
    }

    /// product = factor ("*" factor)*
    fn product(&mut self, depth: usize) -> Result<Expression, Diagnostic> {
        let start = self.start();
        let mut left = self.factor(depth)?;
        while self.peek() == Some('*') {
            self.position += 1;
            let right = self.factor(depth)?;
            left = Expression::Binary(Operator::Times, left.into(), right.into(), self.since(start));
        }
        Ok(left)
    }

    /// factor = integer | "-" factor | "(" sum ")" | ("min" | "max") "(" sum "," sum ")" | name
    fn factor(&mut self, depth: usize) -> Result<Expression, Diagnostic> {
        if depth > DEPTH_MAX {
            let here = Span::new(self.at + self.position, self.at + self.position + 1);
            return Err(Diagnostic::error("too many parentheses", here, format!("nested {DEPTH_MAX} deep")));
        }
        let start = self.start();
        match self.peek() {
            Some('0'..='9') => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map(Expression::Integer).map_err(|_| {
                    Diagnostic::error("this number is too large", self.since(start), "beyond 64 bits")
                })
            }
            Some('-') => {
                self.position += 1;
                Ok(Expression::Negative(self.factor(depth + 1)?.into()))
            }
            Some('(') => {
                self.position += 1;
                let inner = self.sum(depth + 1)?;
                self.expect(')')?;
                Ok(inner)
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.take_while(|c| c.is_alphanumeric() || c == '_').to_owned();
                let span = self.since(start);
                let operator = match name.as_str() {
                    "min" => Operator::Smaller,
                    "max" => Operator::Larger,
                    _ => return Ok(Expression::Name(name, span)),
                };
                self.expect('(')?;
                let left = self.sum(depth + 1)?;
                self.expect(',')?;
                let right = self.sum(depth + 1)?;
                self.expect(')')?;
                Ok(Expression::Binary(operator, left.into(), right.into(), self.since(start)))
            }
            _ => Err(self.unexpected("an integer, a parameter or `(`")),
        }
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        self.text[self.position..].chars().next()
    }

    fn start(&mut self) -> usize {
        self.peek();
        self.position
    }

    fn since(&self, start: usize) -> Span {
        Span::new(self.at + start, self.at + self.position)
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &str {
        let start = self.position;
        let rest = &self.text[start..];
        self.position += rest.find(|c| !fits(c)).unwrap_or(rest.len());
        &self.text[start..self.position]
    }

    fn expect(&mut self, wanted: char) -> Result<(), Diagnostic> {
        if self.peek() == Some(wanted) {
            self.position += 1;
            return Ok(());
        }
        Err(self.unexpected(&format!("`{wanted}`")))
    }

    fn unexpected(&mut self, wanted: &str) -> Diagnostic {
        let found = self.peek();
        let length = found.map_or(0, char::len_utf8);
        let span = Span::new(self.at + self.position, self.at + self.position + length);
        let remark = match found {
            Some(_) => format!("expected {wanted}"),
            None => format!("{wanted} is missing at the end"),
        };
        Diagnostic::error(format!("`{}` cannot be read as a number", self.text.trim()), span, remark).help(
            "a number is made of integers, parameters, `end` (the horizon), + - * min(,) max(,) and ( )",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let lookup = |name: &str| match name {
            "end" => Some(100),
            "mislead_distance" => Some(30),
            _ => None,
        };
        Expression::parse(text, 0)
            .map_err(|d| d.labels[0].1.clone())?
            .evaluate(&lookup)
            .map_err(|e| format!("{e:?}"))
    }

    #[test]
    fn values() {
        for (text, wanted) in [
            ("7", 7),
            (" 12 + mislead_distance", 42),
            ("end-1", 99),
            ("2 - 3 - 4", -5),
            ("2 + 3 * 4", 14),
            ("(2 + 3) * 4", 20),
            ("-3 * -2", 6),
            ("max(100, 23 + mislead_distance * 4)", 143),
            ("min(1, max(0, 5))", 1),
        ] {
            assert_eq!(value(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn errors() {
        for (text, wanted) in [
            ("", "an integer, a parameter or `(` is missing at the end"),
            ("12 +", "an integer, a parameter or `(` is missing at the end"),
            ("12 13", "expected an operator or the end"),
            ("(1", "`)` is missing at the end"),
            ("max(1)", "expected `,`"),
            ("99999999999999999999", "beyond 64 bits"),
            (&"(".repeat(100), "nested 32 deep"),
            (&"-".repeat(100), "nested 32 deep"),
            (&"1+".repeat(100_000), "200000 characters"),
            ("1 / 2", "expected an operator or the end"),
        ] {
            assert_eq!(value(text), Err(wanted.to_owned()), "{:.20}", text);
        }
        assert!(value("9223372036854775807 + 1").unwrap_err().starts_with("TooLarge"));
        assert!(value("foo").unwrap_err().starts_with("UnknownName"));
    }
}
