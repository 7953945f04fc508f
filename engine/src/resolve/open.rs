//! Questions that leave names open: one of a group, or one of the matters.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::form::Answers;
use crate::storyboard::{ANY_MATTER, Matters, Name, Question};

/// The largest number of questions for which one may stand.
const READINGS_MAX: usize = 4096;

/// A question of a storyboard, once for each way to fill in what it leaves open.
pub(super) struct Readings {
    /// The questions: for each way to name people, one of each matter.
    pub questions: Vec<Question>,
    /// The names of those who are named of groups, for each way.
    pub ways: Vec<Vec<Name>>,
    /// How many questions each way has.
    pub matters: usize,
    /// How many other matters must have other answers.
    pub unlike: Option<usize>,
}

/// What stands at one place of a question.
enum Slot<'a> {
    Name(&'a Name),
    /// One of a group. Of people in a list, whose order does not matter, the members stand in the order of the group, and none
    /// is listed already, by name or of another group.
    Member {
        group: usize,
        is_listed: bool,
    },
}

impl Resolver<'_> {
    /// Checks the groups of the storyboard.
    pub(super) fn groups(&mut self, scope: &super::Scope<'_>) {
        let board = self.storyboard;
        for (name, members) in &board.groups {
            let value = name.value.as_str();
            let is_matter = scope.levels.iter().any(|(name, _)| name == value);
            let is_taken = is_matter
                || scope.roles.contains_key(value)
                || scope.places.contains_key(value)
                || scope.binds.contains_key(value)
                || scope.things.contains_key(value)
                || value == ANY_MATTER;
            if is_taken {
                let message = format!("`{value}` is already the name of something else");
                self.problem(Diagnostic::error(message, name.span, "a group needs a name of its own"));
            }
            self.company(scope, members);
        }
    }

    /// All questions for which a question of the storyboard stands.
    pub(super) fn readings(&mut self, question: &Question) -> Option<Readings> {
        let before = self.problems.len();
        self.check_of(question);
        let matters = self.open_matters(question);
        let unlike = self.unlike(question, &matters)?;
        let slots: Vec<Slot<'_>> = self.slots(question);
        let mut ways: Vec<Vec<Name>> = vec![Vec::new()];
        for at in 0..slots.len() {
            ways = ways.iter().flat_map(|way| self.fill(&question.of, &slots, at, way)).collect();
            if ways.len().saturating_mul(matters.len().max(1)) > READINGS_MAX {
                let message = format!("this stands for more than {READINGS_MAX} questions");
                self.problem(Diagnostic::error(message, question.span, "asked here"));
                return None;
            }
        }
        if ways.is_empty() {
            let problem =
                Diagnostic::error("a group has too few members for this question", question.span, "");
            self.problem(problem.help("each of a group who is named is somebody else"));
        }
        if self.problems.len() > before {
            return None;
        }
        Some(self.filled(question, &slots, &ways, &matters, unlike))
    }

    /// The questions that follow from ways to fill the slots.
    fn filled(
        &self,
        question: &Question,
        slots: &[Slot<'_>],
        ways: &[Vec<Name>],
        matters: &[String],
        unlike: Option<usize>,
    ) -> Readings {
        let mut readings =
            Readings { questions: Vec::new(), ways: Vec::new(), matters: matters.len().max(1), unlike };
        for names in ways {
            let is_member = |(slot, _): &(&Slot<'_>, &Name)| matches!(slot, Slot::Member { .. });
            let members = slots.iter().zip(names).filter(is_member).map(|(_, name)| name.clone());
            readings.ways.push(members.collect());
            let (roles, of) = names.split_at(question.roles.len());
            let asked = Question { roles: roles.to_vec(), of: of.to_vec(), ..question.clone() };
            if matters.is_empty() {
                readings.questions.push(asked);
                continue;
            }
            for matter in matters {
                let mut asked = asked.clone();
                let target = asked.roles.last_mut().expect("a question has a target");
                target.value.replace_range(..ANY_MATTER.len(), matter);
                readings.questions.push(asked);
            }
        }
        readings
    }

    fn slots<'q>(&self, question: &'q Question) -> Vec<Slot<'q>> {
        let groups = &self.storyboard.groups;
        let slot = |name: &'q Name, is_listed| {
            let group = groups.iter().position(|(group, _)| group.value == name.value);
            group.map_or(Slot::Name(name), |group| Slot::Member { group, is_listed })
        };
        let named = question.roles.iter().map(|name| slot(name, false));
        named.chain(question.of.iter().map(|name| slot(name, true))).collect()
    }

    /// The ways to fill one more slot, where these names are listed.
    fn fill(&self, listed: &[Name], slots: &[Slot<'_>], at: usize, way: &[Name]) -> Vec<Vec<Name>> {
        let with = |name: &Name| way.iter().chain([name]).cloned().collect();
        let (group, is_listed) = match &slots[at] {
            Slot::Name(name) => return vec![with(name)],
            Slot::Member { group, is_listed } => (*group, *is_listed),
        };
        let members = &self.storyboard.groups[group].1;
        let number = |name: &Name| members.iter().position(|member| member.value == name.value);
        let taken = |wants_listed: Option<bool>| {
            slots[..at].iter().zip(way).filter_map(move |(slot, name)| match slot {
                Slot::Member { group: other, is_listed: listed }
                    if *other == group && wants_listed.is_none_or(|wants| wants == *listed) =>
                {
                    number(name)
                }
                _ => None,
            })
        };
        let after = taken(Some(true)).max().filter(|_| is_listed);
        let of_list = |(slot, _): &(&Slot<'_>, _)| matches!(slot, Slot::Member { is_listed: true, .. });
        let of_groups = slots[..at].iter().zip(way).filter(of_list).map(|(_, name)| name);
        let already: Vec<&Name> = listed.iter().chain(of_groups).filter(|_| is_listed).collect();
        let is_free = |at: &usize| {
            taken(None).all(|other| other != *at)
                && after.is_none_or(|after| *at > after)
                && already.iter().all(|name| name.value != members[*at].value)
        };
        (0..members.len()).filter(is_free).map(|at| with(&members[at])).collect()
    }

    /// The matters of which one is drawn for a question; none if it names what it is about.
    fn open_matters(&self, question: &Question) -> Vec<String> {
        let target = question.roles.last().map_or("", |target| target.value.as_str());
        let rest = target.strip_prefix(ANY_MATTER);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
            self.storyboard.matters.iter().flat_map(Matters::names).collect()
        } else {
            Vec::new()
        }
    }

    /// Reports people to whom a question is restricted that does not ask for people.
    fn check_of(&mut self, question: &Question) {
        let Some(first) = question.of.first() else { return };
        let lists = match question.kind.form().answers {
            Answers::People => true,
            Answers::PeopleOrVerdict => question.roles.len() == 1,
            _ => false,
        };
        if !lists {
            let message = "`of` belongs to questions whose answer is a list of people";
            self.problem(Diagnostic::error(message, first.span, "the answer here is something else"));
        }
        if question.of.len() == 1 {
            let problem = Diagnostic::error("`of` names at least two", first.span, "the only one");
            self.problem(problem.help("whether it is so of one, other questions ask: `knows: [S1, T]`"));
        }
        let groups = &self.storyboard.groups;
        let is_role = |name: &&Name| groups.iter().all(|(group, _)| group.value != name.value);
        let roles: Vec<Name> = question.of.iter().filter(is_role).cloned().collect();
        self.no_duplicates(&roles, "role");
    }
}
