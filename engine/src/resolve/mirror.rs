//! What `unlike` takes: matters enough, and people who could as well be away whenever they are here.
//!
//! Who sees who speaks when, but not who is there, cannot tell a story from the one in which somebody is here and away at exchanged
//! times. Where both are as likely, and deal the answers out otherwise, that is worth nothing.

use super::Resolver;
use crate::diagnostic::{Diagnostic, Span};
use crate::plan::Play;
use crate::storyboard::{Bind, Moment, Name, Number, Question, Start};

/// The largest number of ways to choose matters with different answers.
const CHOICES_OF_MATTERS_MAX: usize = 512;

impl Resolver<'_> {
    /// How many other matters must have other answers. The outer `None` means that this is wrong.
    pub(super) fn unlike(&mut self, question: &Question, matters: &[String]) -> Option<Option<usize>> {
        let Some(number) = &question.unlike else { return Some(None) };
        let before = self.problems.len();
        if question.moment != Moment::End {
            let message = "`unlike` belongs to questions about the end of a story";
            self.problem(Diagnostic::error(message, number.span, "this one is about another moment"));
        }
        let value = self.number(number)?;
        let most = matters.len().saturating_sub(1);
        let unlike = usize::try_from(value).ok().filter(|unlike| (1..=most).contains(unlike));
        if matters.is_empty() {
            let problem = Diagnostic::error(
                "`unlike` is about other matters",
                number.span,
                "this question names its own",
            );
            self.problem(problem.help("leave the matter open: write `matter`, as in `matter.claim`"));
        } else if value < 1 {
            let message = "at least one other matter has to be unlike";
            let problem = Diagnostic::error(message, number.span, format!("this is {value}"));
            self.problem(problem.help("leave `unlike` out if the answers may be alike"));
        } else if unlike.is_none() {
            let message = format!("of {} matters, so many cannot be unlike one", matters.len());
            let problem = Diagnostic::error(message, number.span, format!("this is {value}"));
            self.problem(problem.help(match most {
                0 => "have more matters, or leave `unlike` out".to_owned(),
                most => format!("{most} at most: that many others there are"),
            }));
        } else if unlike
            .is_some_and(|unlike| combinations(matters.len(), unlike + 1) > CHOICES_OF_MATTERS_MAX)
        {
            let message = "there are too many ways to choose so many of these matters";
            self.problem(Diagnostic::error(
                message,
                number.span,
                format!("{} of {}", value + 1, matters.len()),
            ));
        }
        self.check_mirror(question, number, unlike.unwrap_or(1));
        (self.problems.len() == before).then_some(unlike)
    }

    /// Checks that those of groups who are named could be here whenever they are away, and the other way round.
    fn check_mirror(&mut self, question: &Question, number: &Number, unlike: usize) {
        let board = self.storyboard;
        let names = question.roles[..question.roles.len() - 1].iter().chain(&question.of);
        let group_of = |name: &Name| board.groups.iter().find(|(group, _)| group.value == name.value);
        let mut count = 0;
        let mut groups: Vec<&(Name, Vec<Name>)> = Vec::new();
        for name in names {
            match group_of(name) {
                Some(group) => {
                    count += 1;
                    groups.push(group);
                }
                None => {
                    let message = "`unlike` takes people of groups";
                    let problem = Diagnostic::error(message, name.span, "a role");
                    let help = "where a role is at a step may follow from the storyboard, without following the story";
                    self.problem(problem.label(number.span, "needed for this").help(help));
                }
            }
        }
        let fits = match count {
            0 => true,
            2 => matches!(unlike, 1 | 3),
            _ => count == 1 && unlike == 1,
        };
        if !fits {
            let message = "so many cannot be unlike one here";
            let problem = Diagnostic::error(message, number.span, format!("this is {unlike}"));
            self.problem(problem.help(
                "if one of a group is named, it is 1; if two are, it is 1 or 3; a question that names nobody takes any number",
            ));
        }
        groups.sort_by_key(|(name, _)| name.span.start);
        groups.dedup_by_key(|(name, _)| name.span.start);
        for member in groups.iter().flat_map(|(_, members)| members) {
            self.check_member(member, number);
        }
    }

    /// Checks that nothing tells one of a group from herself with here and away exchanged.
    fn check_member(&mut self, member: &Name, number: &Number) {
        let board = self.storyboard;
        let is = |name: &&Name| name.value == member.value;
        let of_events = board.events.iter().flat_map(|event| {
            let names = event.verb.names().into_iter().chain(event.with.clone()).chain(event.without.clone());
            names.collect::<Vec<Name>>()
        });
        let of_goals = board.goals.iter().flat_map(|goal| goal.kind.names());
        let of_matters = board.matters.iter().flat_map(|entry| entry.by.iter().chain([&entry.to]).cloned());
        let found = of_events.chain(of_goals).chain(of_matters).find(|name| is(&name));
        let told = "named here";
        if let Some(found) = found {
            self.not_alike(member, number, (found.span, told));
        }
        match self.start_of(member) {
            Ok(()) => {}
            Err(span) => self.not_alike(member, number, (span, "this is where she starts")),
        }
        let speaks = board.play.iter().find(|(play, _)| play.value != Play::Move);
        if let Some((play, _)) = speaks {
            self.not_alike(member, number, (play.span, "anyone does this"));
        }
    }

    /// Whether somebody starts in either place alike, and nobody else with her; otherwise where the storyboard says so.
    fn start_of(&self, member: &Name) -> Result<(), Span> {
        let board = self.storyboard;
        let (roles, others, span) = match &board.start {
            Start::Everyone(place) => return Err(place.span),
            Start::Drawn(span) => return Err(*span),
            Start::Each { roles, others, span } => (roles, others, *span),
        };
        let Some((_, place)) = roles.iter().find(|(role, _)| role.value == member.value) else {
            return Err(others.as_ref().map_or(span, |place| place.span));
        };
        let is_open =
            |bind: &&Bind| bind.name.value == place.value && bind.next_to.is_none() && bind.not.is_empty();
        let uses = roles.iter().filter(|(_, other)| other.value == place.value).count()
            + usize::from(others.as_ref().is_some_and(|other| other.value == place.value));
        let names_it = |name: &Name| name.value == place.value;
        let is_used = board.events.iter().any(|event| event.verb.names().iter().any(names_it))
            || board.binds.iter().any(|bind| bind.next_to.iter().chain(&bind.not).any(names_it));
        match board.binds.iter().find(is_open) {
            Some(_) if uses == 1 && !is_used => Ok(()),
            _ => Err(place.span),
        }
    }

    fn not_alike(&mut self, member: &Name, number: &Number, (span, what): (Span, &str)) {
        let message = format!("for `unlike`, `{}` has to be here or away by chance alone", member.value);
        let problem = Diagnostic::error(message, span, what).label(number.span, "needed for this");
        self.problem(problem.help(
            "nobody of the group may be named by an event, a goal or a matter, and each starts in a bind of her own, as in \
             `bind: {p: {}}`",
        ));
    }
}

/// In how many ways `count` of `all` can be chosen; saturating.
fn combinations(all: usize, count: usize) -> usize {
    (0..count.min(all)).fold(1_usize, |ways, at| ways.saturating_mul(all - at) / (at + 1))
}
