//! Conditions: the values of those verbs, read part by part as their forms have it.

use super::Reader;
use crate::form::{Condition, ConditionForm, ConditionPart, ConditionPartForm, ConditionSort, Shape};
use crate::storyboard::Name;
use crate::storyboard::yaml::{Kind, Node};

type Part = ConditionPart<Name, Name>;

impl Reader<'_> {
    /// Reads the value of a verb that is a condition.
    pub(super) fn condition(&mut self, form: &ConditionForm, node: Node) -> Option<Condition<Name, Name>> {
        let is_bare = match form.shape {
            Shape::Bare => true,
            Shape::Map => false,
            Shape::Either => !matches!(node.kind, Kind::Map(_)),
        };
        let parts: Vec<Option<Part>> = if is_bare {
            let (first, others) = form.parts.split_first().expect("a condition of somebody");
            let first = self.condition_part(first, Some(node));
            std::iter::once(first).chain(others.iter().map(|part| self.condition_part(part, None))).collect()
        } else {
            let mut fields = self.fields(node, form.key)?;
            let read = |part: &ConditionPartForm| {
                let node = match part.is_required() {
                    true => Some(self.required(&mut fields, part.name)?),
                    false => fields.take(part.name),
                };
                self.condition_part(part, node)
            };
            form.parts.iter().map(read).collect()
        };
        let parts = parts.into_iter().collect::<Option<Vec<Part>>>()?;
        Some(form.kind.condition(parts).expect("the parts of the form"))
    }

    /// Reads one part of a condition; `None` if it is wrong. Without a node, the part was left out.
    fn condition_part(&mut self, form: &ConditionPartForm, node: Option<Node>) -> Option<Part> {
        let Some(node) = node else {
            return match form.sort {
                ConditionSort::Anywhere => Some(ConditionPart::Anywhere(None)),
                ConditionSort::Flag => Some(ConditionPart::Flag(false)),
                ConditionSort::People
                | ConditionSort::Company
                | ConditionSort::Person
                | ConditionSort::Place => None,
            };
        };
        Some(match form.sort {
            ConditionSort::People => ConditionPart::People(self.one_or_more(node, "a role", Self::name)?),
            ConditionSort::Company => ConditionPart::Company(self.names(node, "a role", Self::name)?),
            ConditionSort::Person => ConditionPart::Person(self.name(node, "a role")?),
            ConditionSort::Place => ConditionPart::Place(self.name(node, "a place")?),
            ConditionSort::Anywhere => ConditionPart::Anywhere(Some(self.name(node, "a place")?)),
            ConditionSort::Flag => {
                let what = format!("`{}` is", form.name);
                ConditionPart::Flag(self.one_of(node, &what, &["false", "true"])? == 1)
            }
        })
    }
}
