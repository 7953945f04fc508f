//! Questions, and the chains of questions and goals.

use super::open::Readings;
use super::staging::Named;
use super::{Resolver, Scope};
use crate::belief::Chain;
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{Answers, Condition, Others, TargetSort};
use crate::id::CharacterId;
use crate::plan::{Bundle, Dynamic, Moment, Question, Scenarios, Staging, Target};
use crate::storyboard::{self, Name, Pool, QuestionKind, Style, THINGS, Verb};
use crate::world::{Item, Value};

/// The largest number of cells for following all chains of a storyboard: 128 MB per thread.
const CHAIN_CELLS_MAX: usize = 1 << 26;

/// The largest number of characters in stories with questions whose answer is a list of people.
const LISTED_MAX: usize = 64;

impl Resolver<'_> {
    /// The questions, which of them the storyboard writes as one, and the number in the storyboard of each.
    pub(super) fn questions(
        &mut self,
        scope: &Scope,
        character_count: Option<usize>,
        staging: &Staging,
        scenarios: Option<&Scenarios>,
    ) -> (Vec<Question>, Vec<Bundle>, Vec<usize>) {
        let (mut questions, mut bundles, mut authored) = (Vec::new(), Vec::new(), Vec::new());
        for (number, question) in self.storyboard.questions.iter().enumerate() {
            authored.resize(questions.len(), number.saturating_sub(1));
            if let Some(count) = character_count {
                self.check_count(question, count);
            }
            let Some(readings) = self.readings(question) else { continue };
            let first = questions.len();
            let is_of_scenarios = question.kind.is_of_scenarios();
            if is_of_scenarios {
                for reading in &readings.questions {
                    for (asked, scenario) in self.dynamics(reading, scenarios) {
                        let Some(asked) = self.question(scope, &asked, scenario) else { break };
                        questions.push(asked);
                    }
                    if let Some(asked) = questions[first..].first()
                        && let Target::Item(Item::Prospect(prospect)) = asked.target
                    {
                        self.check_wish(reading, asked.others.last().copied(), prospect, staging);
                    }
                }
                continue;
            }
            for reading in &readings.questions {
                let Some(asked) = self.question(scope, reading, 0) else {
                    questions.truncate(first);
                    break;
                };
                questions.push(asked);
            }
            let is_open = readings.questions.len() > 1 || readings.unlike.is_some();
            if is_open && questions.len() > first {
                let role = |name: &Name| scope.roles.get(name.value.as_str()).copied();
                let ways = readings.ways.iter().map(|way| way.iter().filter_map(role).collect()).collect();
                let written = question.roles.iter().map(|name| name.value.clone()).collect();
                let Readings { matters, unlike, .. } = readings;
                bundles.push(Bundle { first, written, ways, matters, unlike });
            }
        }
        authored.resize(questions.len(), self.storyboard.questions.len().saturating_sub(1));
        let chain = |question: &Question| question.others.len() + 1;
        let longest = self.storyboard.questions.iter().max_by_key(|question| question.roles.len());
        let span = longest.map(|question| question.span);
        self.check_chain_cells(questions.iter().map(chain), CHAIN_CELLS_MAX, span, "questions");
        (questions, bundles, authored)
    }

    /// A question that leaves nothing open.
    fn question(
        &mut self,
        scope: &Scope,
        question: &storyboard::Question,
        scenario: usize,
    ) -> Option<Question> {
        let moment = self.moment(question);
        let (target, minds) = question.roles.split_last()?;
        let before = self.problems.len();
        let others: Vec<CharacterId> = minds.iter().filter_map(|name| self.role(scope, name)).collect();
        let of: Vec<CharacterId> = question.of.iter().filter_map(|name| self.role(scope, name)).collect();
        let form = question.kind.form();
        let target = match form.target {
            TargetSort::Item => self.item(scope, target).map(Target::Item),
            TargetSort::Movable => self.started(scope, target),
            TargetSort::Role => self.role(scope, target).map(|who| Target::Item(who.into())),
            TargetSort::Attitude => self.attitude(scope, target).map(Target::Attitude),
            TargetSort::Matter => self.matter(scope, question.kind, target).map(Target::Matter),
            TargetSort::Telling => self.telling_of(scope, target),
            TargetSort::Prospect => {
                self.prospect_named(scope, target).map(|prospect| Target::Item(Item::Prospect(prospect)))
            }
            TargetSort::Proposition => {
                let proposition = self.proposition(scope, target);
                proposition.map(|proposition| Target::Item(Item::Proposition(proposition)))
            }
        };
        if self.problems.len() > before {
            return None;
        }
        self.check_whereabouts_asked(question, target);
        self.check_prospect_asked(question, target);
        self.check_facet(question);
        if !self.has_right_minds(question) {
            return None;
        }
        match form.others {
            Others::Minds => self.check_chain(&question.roles),
            Others::Company => self.no_duplicates(&question.roles, "role"),
            Others::Nobody => {}
        }
        if question.kind == QuestionKind::Following {
            self.check_follows(&question.roles[0]);
        }
        let target = target?;
        let choices = self.choices(scope, question, target);
        let dynamic = question.state.filter(|_| question.kind.is_of_scenarios());
        let dynamic = dynamic.map(|state| Dynamic { state, scenario });
        Some(Question {
            of,
            moment: moment?,
            dynamic,
            choices: choices?,
            ..Question::new(question.kind, others, target)
        })
    }

    /// Reports questions about where somebody is, of stories in which everyone knows that, and which name no places.
    fn check_whereabouts_asked(&mut self, question: &storyboard::Question, target: Option<Target>) {
        let is_of_whereabouts = matches!(target, Some(Target::Item(Item::Character(_))))
            && ![QuestionKind::Following, QuestionKind::WorldThings].contains(&question.kind);
        if self.storyboard.style != Style::Conversation || !is_of_whereabouts {
            return;
        }
        let name = question.roles.last().expect("a question has a target");
        let message = format!("in a conversation, nobody is asked where `{}` is", name.value);
        let problem = Diagnostic::error(message, name.span, "a role");
        self.problem(problem.help(
            "everyone knows at any time who is there and who is away, and the story gives no names to these places: ask about \
             a proposition, or about something of a matter, such as `m.claim`",
        ));
    }

    /// Reports questions of other kinds about a prospect, of which nothing is so before it is announced.
    fn check_prospect_asked(&mut self, question: &storyboard::Question, target: Option<Target>) {
        let is_prospect = matches!(target, Some(Target::Item(Item::Prospect(_))));
        if !is_prospect || question.kind.is_of_scenarios() {
            return;
        }
        let message = format!("`{}` cannot be asked of a prospect", question.kind.key());
        let problem = Diagnostic::error(message, question.span, "of a prospect");
        self.problem(
            problem.help(
                "ask what somebody thinks of it at the end of a scenario: `belief: [S1, news]`, `in: 2`",
            ),
        );
    }

    /// Whether a question about a matter names as many minds as it takes.
    fn has_right_minds(&mut self, question: &storyboard::Question) -> bool {
        if question.kind == QuestionKind::Stands && question.roles.len() != 3 {
            let message = "`stands` is about two people: `[A, B, proposition]`";
            let count = question.roles.len() - 1;
            self.problem(Diagnostic::error(message, question.span, format!("{count} here")));
            return false;
        }
        let minds = &question.roles[..question.roles.len() - 1];
        if question.kind.form().target == TargetSort::Matter
            && let Some(second) = minds.get(1)
        {
            let message = format!("`{}` is asked of one mind at most", question.kind.key());
            self.problem(Diagnostic::error(message, second.span, "the second"));
            return false;
        }
        true
    }

    /// Reports questions of kinds that need stories with fewer characters.
    fn check_count(&mut self, question: &storyboard::Question, count: usize) {
        let lists = question.kind.form().answers == Answers::People;
        if lists && count > LISTED_MAX {
            let message = format!(
                "the answer to `{}` is a list of names, of at most {LISTED_MAX} characters, but a story has {count}",
                question.kind.key()
            );
            self.problem(Diagnostic::error(message, question.span, "too many to list"));
        }
        if lists && let Pool::Names(names) = &self.storyboard.characters.pool {
            for name in names.iter().filter(|name| name.value == "nobody" || name.value.contains(',')) {
                let message = format!("the answer to `{}` is a list of names", question.kind.key());
                let problem = Diagnostic::error(message, question.span, "asked here");
                self.problem(problem.label(name.span, "this name would be ambiguous in such a list"));
            }
        }
        if question.kind == QuestionKind::WorldThings && count > THINGS.len() {
            let message = format!(
                "`world_things` has names for {} things, but a story has {count} characters",
                THINGS.len()
            );
            self.problem(Diagnostic::error(message, question.span, "needs a name for every character"));
        }
    }

    /// The moment that a question asks about, which not every kind lets one choose.
    fn moment(&mut self, question: &storyboard::Question) -> Option<Moment> {
        let (step, key) = match &question.moment {
            storyboard::Moment::End => return Some(Moment::End),
            storyboard::Moment::Before(step) => (step, "before"),
            storyboard::Moment::Without(step) => (step, "without"),
        };
        if question.kind.form().is_of_whole_story {
            let message =
                format!("`{}` asks about the whole story and does not take `{key}`", question.kind.key());
            self.problem(Diagnostic::error(message, step.span, "does not belong here"));
            return None;
        }
        let step = self.step(step)?;
        Some(if key == "before" { Moment::Before(step) } else { Moment::Without(step) })
    }

    /// The answers that are offered to choose from; none if all are.
    fn choices(
        &mut self,
        scope: &Scope,
        question: &storyboard::Question,
        target: Target,
    ) -> Option<Vec<Value>> {
        let [first, others @ ..] = question.choices.as_slice() else { return Some(Vec::new()) };
        let has_places = matches!(question.kind.form().answers, Answers::WhereOrWhether | Answers::Place);
        let Target::Item(item @ (Item::Character(_) | Item::Object(_))) = target else {
            return self.no_choices(first);
        };
        if !has_places {
            return self.no_choices(first);
        }
        let before = self.problems.len();
        self.no_duplicates(&question.choices, "choice");
        if others.is_empty() {
            let message = "there are at least two choices";
            self.problem(Diagnostic::error(message, first.span, "the only one here"));
        }
        let named = question.choices.iter().filter_map(|name| self.fixed_value(scope, name, item));
        let choices: Vec<Value> = named.collect();
        (self.problems.len() == before).then_some(choices)
    }

    fn no_choices<T>(&mut self, first: &Name) -> Option<T> {
        let message = "`choices` only belongs to questions about where somebody or something is";
        self.problem(Diagnostic::error(message, first.span, "the answers here are others"));
        None
    }

    /// The target of a question about where something was at the start.
    fn started(&mut self, scope: &Scope, name: &Name) -> Option<Target> {
        if let Some(Named::Proposition(_)) = scope.things.get(name.value.as_str()) {
            let message = format!("whether `{}` is true never changes", name.value);
            let problem = Diagnostic::error(message, name.span, "a proposition");
            self.problem(problem.help("`reality` asks whether it is true"));
            return None;
        }
        self.item(scope, name).map(Target::Item)
    }

    fn check_follows(&mut self, who: &Name) {
        let mut verbs = self.storyboard.events.iter().map(|event| &event.verb);
        let follows = |verb: &Verb| matches!(verb, Verb::Hold(Condition::Follow { who: follower, .. }) if follower.value == who.value);
        if !verbs.any(follows) {
            let message = format!("`{}` follows nobody in this storyboard", who.value);
            let problem = Diagnostic::error(message, who.span, "there is no answer");
            self.problem(
                problem.help(format!("an event `follow: {{who: {}, whom: …}}` makes her follow", who.value)),
            );
        }
    }

    /// Resolves the chain of a goal.
    pub(super) fn chain(&mut self, scope: &Scope, names: &[Name]) -> Option<Chain> {
        let before = self.problems.len();
        let (target, minds) = names.split_last()?;
        let minds: Vec<CharacterId> = minds.iter().filter_map(|name| self.role(scope, name)).collect();
        let target: Option<Item> = self.item(scope, target);
        if self.problems.len() > before {
            return None;
        }
        self.check_chain(names);
        target.filter(|_| self.problems.len() == before).map(|target| Chain::new(&minds, target))
    }

    /// Checks the cost of following all chains before every step. `longest` is where the longest chain is written.
    pub(super) fn check_chain_cells(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        most: usize,
        longest: Option<Span>,
        what: &str,
    ) {
        let (Some(horizon), Some(longest)) = (self.horizon, longest) else { return };
        let total: usize = lengths.map(|length| length.pow(2)).sum();
        if total.saturating_mul(horizon) > most || total > most / 64 {
            let message = format!("the chains of these {what} are too long for stories with this many steps");
            let help = format!("steps times the sum of (order + 1)² may be {most} at most");
            self.problem(Diagnostic::error(message, longest, "the longest").help(help));
        }
    }

    fn check_chain(&mut self, roles: &[Name]) {
        for (at, pair) in roles.windows(2).enumerate() {
            if pair[0].value != pair[1].value {
                continue;
            }
            let is_last = at + 2 == roles.len();
            let message = if is_last {
                format!("the last mind of this chain is its target, `{}`", pair[1].value)
            } else {
                format!("this chain names `{}` twice in succession", pair[1].value)
            };
            let help = if is_last {
                "everyone knows where she herself is: leave out the last mind"
            } else {
                "everyone knows what she herself thinks: leave out one of the two"
            };
            self.problem(
                Diagnostic::error(message, pair[1].span, "the second")
                    .label(pair[0].span, "the first")
                    .help(help),
            );
        }
    }
}
