//! Prospects, rules, scenarios and profiles.

use super::{Fields, Reader};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::storyboard::expression::Operator;
use crate::storyboard::prospect::{
    By, LivesForm, NOBODY, PROSPECTS_PACK, ProfilePart, Profiles, Prospect, RuleChoice, ScenarioForm,
    Scenarios, SmallTalk, Wanted, WrittenCase, WrittenValue,
};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Expression, Name, Number};

/// How many moves come before each announcement if that is not given.
const BETWEEN: i64 = 3;

/// How many scenarios there are, and how many steps each has, where that cannot be read.
const FILLED_IN_COUNT: i64 = 50;
const FILLED_IN_STEPS: i64 = 1_000;

/// Some readers of YAML make `true` and `false` of these words.
const NO_AND_YES: [&str; 4] = ["no", "yes", "false", "true"];

impl Reader<'_> {
    pub(super) fn prospects(&mut self, node: Node) -> Vec<Prospect> {
        let mut prospects = Vec::new();
        for (key, value) in self.declared(node, "`prospects`") {
            let Some(name) = self.name(key, "a prospect") else { continue };
            let span = value.span;
            let fields = match value.kind {
                Kind::Empty => None,
                _ => self.fields(value, "prospect"),
            };
            let built_in = || Spanned::new(PROSPECTS_PACK.to_owned(), span);
            let Some(mut fields) = fields else {
                let prospect =
                    Prospect { name, pool: built_in(), by: nobody(span), wants: Vec::new(), decider: None };
                prospects.push(prospect);
                continue;
            };
            let pool =
                fields.take("pool").and_then(|node| self.phrase(node, "a pack")).unwrap_or_else(built_in);
            let by = fields.take("by").and_then(|node| self.authors(node)).unwrap_or_else(|| nobody(span));
            let wants = fields.take("wants").map_or_else(Vec::new, |node| self.wishes(node));
            let decider = fields.take("decider").and_then(|node| self.name(node, "a role"));
            prospects.push(Prospect { name, pool, by, wants, decider });
        }
        prospects
    }

    fn authors(&mut self, node: Node) -> Option<Vec<By>> {
        let names = self.one_or_more(node, "a role, or `nobody`", Self::name)?;
        let by = |name: Name| if name.value == NOBODY { By::Nobody(name.span) } else { By::Role(name) };
        Some(names.into_iter().map(by).collect())
    }

    fn wishes(&mut self, node: Node) -> Vec<(Name, Wanted)> {
        let mut wishes = Vec::new();
        for (key, value) in self.entries(node, "`wants`").unwrap_or_default() {
            let who = self.name(key, "a role");
            let side = self.one_of(value, "what somebody wants is", &["drawn", "1", "2"]);
            let side = side.map(|at| at.checked_sub(1).map_or(Wanted::Drawn, Wanted::Side));
            wishes.extend(who.zip(side));
        }
        wishes
    }

    /// `rules: occ`, or `rules: {pack: occ, told: no}`, or with a parameter in place of `no`
    pub(super) fn rule_choice(&mut self, node: Node) -> Option<RuleChoice> {
        let span = node.span;
        let is_so = |is_so: bool, span| Spanned::new(Expression::Integer(i64::from(is_so)), span);
        if let Kind::Scalar(_) = node.kind {
            return self.phrase(node, "a pack").map(|pack| RuleChoice { pack, told: is_so(true, span) });
        }
        let mut fields = self.fields(node, "rules")?;
        let pack = self.required(&mut fields, "pack").and_then(|node| self.phrase(node, "a pack"));
        let told = match fields.take("told") {
            Some(node) => match &node.kind {
                Kind::Scalar(word) if NO_AND_YES.contains(&word.as_str()) => {
                    let span = node.span;
                    self.yes_or_no(node, "`told` is").map(|is| is_so(is, span))
                }
                _ => self.number(node),
            },
            None => Some(is_so(true, span)),
        };
        Some(RuleChoice { pack: pack?, told: told? })
    }

    fn yes_or_no(&mut self, node: Node, what: &str) -> Option<bool> {
        self.one_of(node, what, &NO_AND_YES).map(|at| at % 2 == 1)
    }

    /// How a story is divided. What cannot be read of it is filled in, so that questions about scenarios are no problem.
    pub(super) fn scenarios(&mut self, node: Node) -> Scenarios {
        let span = node.span;
        let filled_in = |value| Spanned::new(Expression::Integer(value), span);
        let (count, form, small_talk) = match self.fields(node, "scenarios") {
            Some(mut fields) => {
                let small_talk = fields.take("small_talk").map(|node| self.small_talk(node));
                let (count, form) = self.count_and_form(fields, span);
                (count, form, small_talk)
            }
            None => (None, None, None),
        };
        Scenarios {
            count: count.unwrap_or_else(|| filled_in(FILLED_IN_COUNT)),
            form: form.unwrap_or_else(|| ScenarioForm::Steps(filled_in(FILLED_IN_STEPS))),
            small_talk: small_talk.unwrap_or(SmallTalk::BuiltIn),
            span,
        }
    }

    /// `none`, or a pack.
    fn small_talk(&mut self, node: Node) -> SmallTalk {
        match self.phrase(node, "a pack, or `none`") {
            Some(name) if name.value != "none" => SmallTalk::Pack(name),
            Some(_) | None => SmallTalk::None,
        }
    }

    fn count_and_form(&mut self, mut fields: Fields, span: Span) -> (Option<Number>, Option<ScenarioForm>) {
        let count = self.required(&mut fields, "count").and_then(|node| self.number(node));
        let steps = fields.take_with_key("steps");
        let turns = fields.take_with_key("turns");
        let form =
            match (steps, turns) {
                (Some((_, steps)), None) => {
                    for key in ["of", "by", "for", "between", "past"] {
                        if let Some((given, _)) = fields.take_with_key(key) {
                            let message = format!("`{key}` belongs to scenarios by lives");
                            let problem = Diagnostic::error(message, given, "without `turns`");
                            self.problem(problem.help("`turns` says how many announcements a scenario has"));
                        }
                    }
                    self.number(steps).map(ScenarioForm::Steps)
                }
                (None, Some((_, turns))) => self.lives(&mut fields, turns),
                (Some((first, _)), Some((second, _))) => {
                    let message = "scenarios have either `steps` or `turns`";
                    self.problem(Diagnostic::error(message, second, "the second").label(first, "the first"));
                    None
                }
                (None, None) if ["steps", "turns"].iter().any(|key| fields.means(key)) => None,
                (None, None) => {
                    let message = "scenarios need `steps` or `turns`";
                    let problem = Diagnostic::error(message, span, "neither is here");
                    self.problem(problem.help(
                        "`steps: 8` divides any story; `turns: 4` makes lives that might have been led",
                    ));
                    None
                }
            };
        (count, form)
    }

    fn lives(&mut self, fields: &mut Fields, turns: Node) -> Option<ScenarioForm> {
        let turns = self.number(turns);
        let [of, by, whose] = [("of", "a prospect"), ("by", "a role"), ("for", "a role")]
            .map(|(key, what)| self.required(fields, key).and_then(|node| self.name(node, what)));
        let between = fields.take("between").and_then(|node| self.number(node));
        let past = fields.take("past").and_then(|node| self.number(node));
        let (turns, of, by, whose) = (turns?, of?, by?, whose?);
        Some(ScenarioForm::Lives(Box::new(LivesForm { turns, of, by, whose, between, past })))
    }

    pub(super) fn profiles(&mut self, node: Node) -> Profiles {
        let mut profiles = Profiles::default();
        for (key, value) in self.entries(node, "`profiles`").unwrap_or_default() {
            match &key.kind {
                Kind::Scalar(key) if key == "pool" => profiles.pool = self.phrase(value, "a pack"),
                Kind::Scalar(key) if key == "between" => {
                    let span = value.span;
                    let names = self.names(value, "a role", Self::name).unwrap_or_default();
                    let count = names.len();
                    profiles.between = names.try_into().ok();
                    if profiles.between.is_none() {
                        let message = "`between` names two roles";
                        self.problem(Diagnostic::error(message, span, format!("{count} here")));
                    }
                }
                _ => {
                    let who = self.name(key, "a role");
                    let parts = self.profile_parts(value);
                    profiles.of.extend(who.zip(parts));
                }
            }
        }
        profiles
    }

    /// `all`, or some of the parts.
    fn profile_parts(&mut self, node: Node) -> Option<Vec<ProfilePart>> {
        if node.kind == Kind::Scalar("all".to_owned()) {
            return Some(Vec::new());
        }
        if node.kind == Kind::List(Vec::new()) {
            let message = "at least one entry is needed here: what is said of somebody";
            self.problem(
                Diagnostic::error(message, node.span, "empty").help("write `all`, or leave her out"),
            );
            return None;
        }
        let words = ProfilePart::ALL.map(ProfilePart::key);
        let nodes = match node.kind {
            Kind::List(nodes) => nodes,
            kind => vec![Node { kind, span: node.span }],
        };
        let parts: Vec<Option<usize>> = nodes
            .into_iter()
            .map(|node| self.one_of(node, "what is said of somebody is `all`, or", &words))
            .collect();
        parts.into_iter().map(|part| part.map(|at| ProfilePart::ALL[at])).collect()
    }

    /// How a prospect stands: `{side: 1, by: S1, final: no}`.
    pub(super) fn case(&mut self, node: Node) -> Option<WrittenValue> {
        let span = node.span;
        let mut fields = self.fields(node, "case")?;
        let side = match fields.take("side") {
            Some(node) => Some(self.one_of(node, "a side is", &["1", "2"])?),
            None => None,
        };
        let is = fields.take_with_key("is");
        let by = fields.take_with_key("by");
        if let (Some((first, _)), Some((second, _))) = (&is, &by) {
            let message = "what somebody has brought about is settled: `is` says so again, or the contrary";
            self.problem(Diagnostic::error(message, *first, "besides `by`").label(*second, "here"));
            return None;
        }
        let mut is_likely = match is {
            Some((_, node)) => Some(self.one_of(node, "a prospect is", &["settled", "likely"])? == 1),
            None => None,
        };
        let by = match by {
            Some((_, node)) => {
                is_likely = Some(false);
                Some(self.name(node, "a role, or `nobody`")?)
            }
            None => None,
        };
        let is_final = match fields.take("final") {
            Some(node) => Some(self.yes_or_no(node, "`final` is")?),
            None => None,
        };
        Some(WrittenValue::Case(Box::new(WrittenCase { side, is_likely, by, is_final, span })))
    }
}

fn nobody(span: Span) -> Vec<By> {
    vec![By::Nobody(span)]
}

/// The number of steps of a story that is divided like this.
pub(super) fn horizon(scenarios: &Scenarios) -> Number {
    let span = scenarios.span;
    let at = |expression: &Number| Box::new(expression.value.clone());
    let integer = |value| Box::new(Expression::Integer(value));
    let times = |one, other| Expression::Binary(Operator::Times, one, other, span);
    let plus = |one, other| Expression::Binary(Operator::Plus, one, other, span);
    let steps = match &scenarios.form {
        ScenarioForm::Steps(steps) => at(steps),
        ScenarioForm::Lives(lives) => {
            let between = lives.between.as_ref().map_or_else(|| integer(BETWEEN), at);
            let moves = times(between, Box::new(plus(at(&lives.turns), integer(1))));
            Box::new(plus(at(&lives.turns), Box::new(moves)))
        }
    };
    Spanned::new(times(at(&scenarios.count), steps), span)
}

/// The number of moves before each announcement.
pub const fn between_if_not_given() -> i64 {
    BETWEEN
}
