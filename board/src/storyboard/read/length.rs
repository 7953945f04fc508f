//! `words` and `at_depth`.

use super::super::yaml::{Kind, Node};
use super::{Fields, Reader};
use crate::diagnostic::{Diagnostic, Spanned};
use crate::storyboard::{Depth, Length, Share};

impl Reader<'_> {
    /// The keys of a storyboard that say how long its stories are.
    pub(super) fn length(&mut self, fields: &mut Fields) -> Option<Length> {
        let words = fields.take("words");
        let depth = fields.take_with_key("at_depth");
        if let (None, Some((span, _))) = (&words, &depth) {
            let problem = Diagnostic::error("`at_depth` says nothing without `words`", *span, "of how many?");
            self.problem(problem.help("say how long stories are, as in `words: 20000`"));
        }
        let words = words.and_then(|node| self.number(node));
        let depth = depth.map(|(_, node)| self.depth(node));
        // If one of the two is wrong, that has been said.
        Some(Length { words: words?, depth: depth.and_then(|depth| depth) })
    }

    /// Reads a depth: `0.1`, `1/10`, `10%` or `depth%`.
    fn depth(&mut self, node: Node) -> Option<Depth> {
        let text = self.text(node.clone(), "a depth")?;
        if let Some(percent) = text.value.trim_end().strip_suffix('%') {
            let number = Node { span: text.span, kind: Kind::Scalar(percent.trim_end().to_owned()) };
            return self.number(number).map(Depth::Percent);
        }
        let share = Share::parse(&text.value).map(|share| Depth::Share(Spanned::new(share, text.span)));
        if share.is_none() {
            let problem = Diagnostic::error("this is no depth", text.span, "");
            self.problem(problem.help(
                "0 is the beginning of a story and 1 its end: write `0.1`, `1/10` or `10%`, or an expression in percent, as \
                 `depth%`",
            ));
        }
        share
    }
}
