//! Prospects, rules, scenarios and profiles: from names to numbers, and whether lives can be told apart.

use std::sync::Arc;

use super::lives::{apart, cases};
use super::{Resolver, Scope};
use crate::appraisal::Rules;
use crate::diagnostic::{Diagnostic, Span, Spanned, counted};
use crate::form::State;
use crate::id::{CharacterId, ProspectId};
use crate::pack::Pack;
use crate::plan::{Lives, PlannedCase, PlannedProfiles, PlannedProspect, PlannedRules, Scenarios, Staging};
use crate::storyboard::{
    By, LivesForm, NOBODY, Name, PROFILES_PACK, Prospect, Question, QuestionKind, RULES_PACK,
    SMALL_TALK_PACK, ScenarioForm, SmallTalk, Start, Style, Verb, Wanted, WrittenCase, between_if_not_given,
};
use crate::world::{How, Side};

/// The largest number of scenarios of a story.
const SCENARIOS_MAX: i64 = 50;

/// The largest number of moves before each announcement.
const BETWEEN_MAX: i64 = 100;

impl Resolver<'_> {
    /// Adds prospects, the rules by which people feel about them, and where words come from.
    pub(super) fn prospects(&mut self, scope: &Scope, staging: &mut Staging) {
        let board = self.storyboard;
        if let Some(name) = &board.place_pool {
            staging.settings = self.pack_of(name, "settings", |pack| pack.settings().is_some());
            self.check_settings(name, staging);
        }
        self.profiles(scope, staging);
        for prospect in &board.prospects {
            let Some(planned) = self.prospect(scope, prospect) else { continue };
            staging.prospects.push(planned);
        }
        self.small_talk(staging);
        let Some(first) = board.prospects.first() else {
            if let Some(rules) = &board.rules {
                let message = "without `prospects`, there is nothing that rules could be applied to";
                self.problem(Diagnostic::error(message, rules.pack.span, "no use for them"));
            }
            return;
        };
        if board.style == Style::Conversation {
            let message = "a conversation cannot be about prospects";
            let problem = Diagnostic::error(message, first.name.span, "a prospect");
            self.problem(problem.help("leave `style` out"));
        }
        let of_wishes = board.prospects.iter().any(|prospect| !prospect.wants.is_empty());
        if board.rules.is_some() || of_wishes {
            let built_in = Spanned::new(RULES_PACK.to_owned(), first.name.span);
            let name = board.rules.as_ref().map_or(&built_in, |rules| &rules.pack);
            let told = board.rules.as_ref().map(|rules| {
                let message = "`told` is yes or no; as a number, 1 or 0";
                self.number_within(&rules.told, 0, 1, message)
            });
            let is_told = told.flatten() != Some(0);
            let pack = self.pack_of(name, "rules", |pack| pack.rules().is_some());
            staging.rules = pack.map(|pack| {
                let tables = Rules::new(pack.rules().expect("a pack of rules"));
                PlannedRules { tables, pack, is_told }
            });
            self.check_feelings(staging);
        }
    }

    /// No pack of which a story tells words may name what people feel by the rules.
    fn check_feelings(&mut self, staging: &Staging) {
        let board = self.storyboard;
        let Some(rules) = &staging.rules else { return };
        let prospects = board.prospects.iter().map(|prospect| &prospect.pool).zip(&staging.prospects);
        let named = prospects.map(|(name, prospect)| (name.span, &prospect.pool));
        let first = board.prospects.first().map_or_else(Span::default, |first| first.name.span);
        let others = [&staging.settings, &staging.small_talk].into_iter().flatten();
        let others = others.chain(staging.profiles.iter().map(|profiles| &profiles.pack));
        let all: Vec<_> = named.chain(others.map(|pack| (first, pack))).collect();
        for (span, pack) in all {
            if let Some((text, feeling)) = pack.names_feeling(rules.words()) {
                let message = format!("the pack `{}` has a word of a feeling, `{feeling}`", pack.name.value);
                let problem = Diagnostic::error(message, span, format!("in “{text}”"));
                self.problem(
                    problem.help(
                        "what people feel by the rules is asked for, so no word of a story may name it",
                    ),
                );
            }
        }
    }

    /// How scenarios about prospects open, and what bystanders say.
    fn small_talk(&mut self, staging: &mut Staging) {
        let board = self.storyboard;
        let Some(scenarios) = &board.scenarios else { return };
        let built_in = Spanned::new(SMALL_TALK_PACK.to_owned(), scenarios.span);
        let name = match &scenarios.small_talk {
            SmallTalk::None => return,
            SmallTalk::BuiltIn => &built_in,
            SmallTalk::Pack(name) => name,
        };
        if !board.prospects.is_empty() {
            staging.small_talk = self.pack_of(name, "small-talk", |pack| pack.small_talk().is_some());
        } else if scenarios.small_talk != SmallTalk::BuiltIn {
            let message = "without `prospects`, there is no small talk";
            let problem = Diagnostic::error(message, name.span, "no use for it");
            self.problem(problem.help("it is made beside news: leave `small_talk` out"));
        }
    }

    /// The pack of this name, which has to be of this kind.
    pub(super) fn pack_of(&mut self, name: &Name, kind: &str, is_it: fn(&Pack) -> bool) -> Option<Arc<Pack>> {
        let pack = self.pack(name)?;
        if is_it(&pack) {
            return Some(pack);
        }
        let message = format!("`{}` is a pack of the kind `{}`", name.value, pack.kind().key);
        let problem = Diagnostic::error(message, name.span, format!("needs one of the kind `{kind}`"));
        self.problem(problem.help("`storysim list --packs` shows the built-in ones"));
        None
    }

    /// Every setting has to have as many places as a story.
    fn check_settings(&mut self, name: &Name, staging: &Staging) {
        let wanted = self.storyboard.place_names().len();
        let settings = staging.settings.iter().filter_map(|pack| pack.settings()).flatten();
        let short = settings.into_iter().find(|setting| setting.places.len() < wanted);
        if let Some(short) = short {
            let most = short.places.len();
            let message = format!("the setting `{}` has {}", short.name.value, counted(most, "place"));
            let problem = Diagnostic::error(message, name.span, format!("a story has {wanted}"));
            self.problem(problem.help(format!("have `complete: {most}` at most, or name another pack")));
        }
    }

    fn profiles(&mut self, scope: &Scope, staging: &mut Staging) {
        let profiles = &self.storyboard.profiles;
        if profiles.of.is_empty() && profiles.between.is_none() {
            return;
        }
        let built_in = Spanned::new(PROFILES_PACK.to_owned(), self.storyboard.name.span);
        let name = profiles.pool.as_ref().unwrap_or(&built_in);
        let pack = self.pack_of(name, "profiles", |pack| pack.profiles().is_some());
        let role = |resolver: &mut Self, (name, parts): &(Name, Vec<_>)| {
            resolver.role(scope, name).map(|who| (who, parts.clone()))
        };
        let of: Vec<_> = profiles.of.iter().filter_map(|of| role(self, of)).collect();
        let between = profiles.between.as_ref().and_then(|names| self.company(scope, names));
        let between = between.and_then(|both| both.try_into().ok());
        staging.profiles = pack.map(|pack| PlannedProfiles { pack, of, between });
    }

    fn prospect(&mut self, scope: &Scope, prospect: &Prospect) -> Option<PlannedProspect> {
        let pool = self.pack_of(&prospect.pool, "prospects", |pack| pack.prospects().is_some());
        let mut by = Vec::new();
        for author in &prospect.by {
            let (how, span) = match author {
                By::Nobody(span) => (Some(How::ByNobody), *span),
                By::Role(name) => (self.role(scope, name).map(How::By), name.span),
            };
            let Some(how) = how else { continue };
            if by.contains(&how) {
                let problem = Diagnostic::error("`by` names this twice", span, "the second");
                self.problem(problem.help("leave one of the two out"));
            }
            by.push(how);
        }
        let mut wants = Vec::new();
        for (name, wanted) in &prospect.wants {
            let Some(who) = self.role(scope, name) else { continue };
            let side = match wanted {
                Wanted::Drawn => None,
                Wanted::Side(side) => Some(Side::ALL[*side]),
            };
            wants.push((who, side));
        }
        let decider = prospect.decider.as_ref().and_then(|name| self.role(scope, name));
        if let (Some(decider), Some(name)) = (decider, &prospect.decider)
            && wants.iter().any(|(who, _)| *who == decider)
        {
            let message = format!("`{}` would ask herself to decide", name.value);
            let problem = Diagnostic::error(message, name.span, "the decider");
            self.problem(problem.help("who wants a side is asked about, so let somebody else decide"));
        }
        if let (None, Some((name, _))) = (&prospect.decider, prospect.wants.first()) {
            let message = format!("nobody decides on `{}`", prospect.name.value);
            let problem = Diagnostic::error(message, prospect.name.span, "without `decider`");
            self.problem(
                problem
                    .label(name.span, "asked about")
                    .help("intentions address whoever decides: add `decider: ROLE`"),
            );
        }
        let name = prospect.name.value.clone();
        Some(PlannedProspect { name, by, wants, decider, pool: pool? })
    }

    /// How stories are divided, if they are.
    pub(super) fn scenarios(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        character_count: Option<usize>,
    ) -> Option<Scenarios> {
        let scenarios = self.storyboard.scenarios.as_ref()?;
        let count = self.number_within(&scenarios.count, 1, SCENARIOS_MAX, "a story has 1 to 50 scenarios");
        match &scenarios.form {
            ScenarioForm::Steps(steps) => {
                let most = super::HORIZON_MAX as i64;
                let steps = self.number_within(steps, 1, most, "a scenario has at least one step");
                Some(Scenarios { count: count?, steps: steps?, lives: None })
            }
            ScenarioForm::Lives(form) => {
                self.check_beside_lives();
                let lives = self.lives(scope, form, staging, character_count);
                let lives = lives?;
                let steps = lives.turns + lives.between * (lives.turns + 1);
                Some(Scenarios { count: count?, steps, lives: Some(lives) })
            }
        }
    }

    fn number_within(
        &mut self,
        number: &crate::storyboard::Number,
        least: i64,
        most: i64,
        message: &str,
    ) -> Option<usize> {
        let value = self.number(number)?;
        if (least..=most).contains(&value) {
            return usize::try_from(value).ok();
        }
        self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
        None
    }

    fn lives(
        &mut self,
        scope: &Scope,
        form: &LivesForm,
        staging: &Staging,
        character_count: Option<usize>,
    ) -> Option<Lives> {
        let LivesForm { turns, of, by, whose, between, past } = form;
        let most = Lives::TURNS_MAX as i64;
        let turns_given = self.number_within(turns, 1, most, "a scenario by lives has 1 to 7 turns");
        let between = match between {
            Some(between) => {
                self.number_within(between, 2, BETWEEN_MAX, "2 to 100 moves come between turns")?
            }
            None => between_if_not_given() as usize,
        };
        let past = match past {
            Some(past) => self.number_within(past, 0, 100, "`past` is a share of hundred")?,
            None => 50,
        };
        let (who_tells, who_hears) = (self.role(scope, by), self.role(scope, whose));
        let prospect = self.prospect_named(scope, of)?;
        let (who_tells, who_hears, turns_given) = (who_tells?, who_hears?, turns_given?);
        if who_tells == who_hears {
            let message = format!("`{}` would tell herself the news", by.value);
            let problem = Diagnostic::error(message, by.span, "who announces").label(whose.span, "who hears");
            self.problem(problem.help("name two different roles"));
        }
        if character_count.is_some_and(|count| count < 3) {
            let message = "somebody has to make the moves that nothing depends on";
            let problem = Diagnostic::error(message, self.storyboard.name.span, "two characters");
            self.problem(problem.help("have three characters or more"));
        }
        self.check_places_of_lives(form.turns.span);
        let lives = Lives {
            turns: turns_given,
            between,
            past: past as u32,
            of: prospect,
            by: who_tells,
            whose: who_hears,
        };
        self.check_apart(form, &lives, staging);
        Some(lives)
    }

    /// Lives lead from any place to any other.
    fn check_places_of_lives(&mut self, span: Span) {
        let names = self.storyboard.place_names().len();
        let is_complete = matches!(self.storyboard.places, crate::storyboard::Places::Complete(_));
        if names >= 2 && !is_complete {
            let message = "scenarios by lives need places that all lead to each other";
            let problem = Diagnostic::error(message, span, "`turns` is given here");
            self.problem(problem.help("write `places: {complete: [hall, yard, attic]}`"));
        }
    }

    /// Reports what a storyboard cannot have beside scenarios by lives, in which everything is drawn by them.
    fn check_beside_lives(&mut self) {
        let board = self.storyboard;
        let span = board.scenarios.as_ref().expect("there are some").span;
        let events = board.events.iter().filter(|event| !matches!(event.verb, Verb::Note { .. }));
        let refused = events
            .map(|event| (event.verb.key(), event.span))
            .chain(board.play.first().map(|(play, _)| ("play", play.span)))
            .chain(board.balance.as_ref().map(|_| ("balance", span)))
            .chain(board.goals.first().map(|goal| ("ensure", goal.span)))
            .chain(board.objects.first().map(|object| ("objects", object.name.span)))
            .chain(board.containers.first().map(|container| ("containers", container.name.span)))
            .chain(board.propositions.first().map(|known| ("propositions", known.name.span)))
            .chain(board.attitudes.first().map(|name| ("attitudes", name.span)))
            .chain(board.binds.first().map(|bind| ("bind", bind.name.span)))
            .chain(match &board.start {
                Start::Each { span, .. } => Some(("start", *span)),
                Start::Everyone(_) | Start::Drawn(_) => None,
            });
        for (key, at) in refused {
            let message = format!("`{key}` cannot be used beside scenarios by lives");
            let problem = Diagnostic::error(message, at, "nothing is left to draw").label(span, "by lives");
            self.problem(
                problem.help("drop one of the two: `scenarios: {count: …, steps: …}` goes with everything"),
            );
        }
        for event in board.events.iter().filter(|event| matches!(event.verb, Verb::Note { .. })) {
            if event.only_if.is_some() {
                let problem =
                    Diagnostic::error("`if` cannot be used here", event.span, "beside scenarios by lives");
                self.problem(problem.help("drop one of the two"));
            }
        }
    }

    /// Checks that the rules tell as many lives apart as there are.
    fn check_apart(&mut self, form: &LivesForm, lives: &Lives, staging: &Staging) {
        let Some(planned) = staging.prospects.get(lives.of.index()) else { return };
        if !planned.wants.iter().any(|(who, _)| *who == lives.whose) {
            let message = format!("`{}` wants neither side of `{}`", form.whose.value, form.of.value);
            let problem = Diagnostic::error(message, form.whose.span, "whose lives these are");
            let help = format!("add `wants: {{{}: drawn}}` to the prospect", form.whose.value);
            self.problem(problem.help(help));
            return;
        }
        let Some(rules) = &staging.rules else { return };
        if !self.problems.is_empty() {
            return;
        }
        let most = apart(&rules.tables, &cases(planned), lives.whose);
        if most < lives.turns {
            let message = format!("these rules tell {} apart, and no more", counted(most + 1, "life"));
            let message = message.replace("lifes", "lives");
            let remark = format!("{} turns make {} lives", lives.turns, lives.turns + 1);
            let problem = Diagnostic::error(message, form.turns.span, remark);
            self.problem(problem.help(format!(
                "in a scenario, no two lives may feel or want the same: have {} at most, more under `by`, or rules \
                 with more feelings",
                counted(most, "turn")
            )));
        }
    }

    /// Checks what an announcement is about, and how it leaves things.
    pub(super) fn case(
        &mut self,
        scope: &Scope,
        case: &WrittenCase,
        prospect: ProspectId,
    ) -> Option<PlannedCase> {
        let by = match &case.by {
            None => None,
            Some(name) if name.value == NOBODY => Some(None),
            Some(name) => Some(Some(self.role(scope, name)?)),
        };
        let known = &self.storyboard.prospects[prospect.index()];
        let may = |by: &By| match (by, &case.by) {
            (_, None) => true,
            (By::Nobody(_), Some(name)) => name.value == NOBODY,
            (By::Role(role), Some(name)) => role.value == name.value,
        };
        if let Some(name) = case.by.as_ref().filter(|_| !known.by.iter().any(may)) {
            let message = format!("`{}` cannot bring `{}` about", name.value, known.name.value);
            let problem = Diagnostic::error(message, name.span, "not among those who may");
            self.problem(problem.label(known.name.span, "its `by` says who").help("add the name to `by`"));
            return None;
        }
        let side = case.side.map(|side| Side::ALL[side]);
        Some(PlannedCase { side, is_likely: case.is_likely, by, is_final: case.is_final })
    }

    /// The questions for which one stands: itself, or all that can be asked about what news does to somebody.
    pub(super) fn dynamics(
        &mut self,
        question: &Question,
        scenarios: Option<&Scenarios>,
    ) -> Vec<(Question, usize)> {
        if !question.kind.is_of_scenarios() {
            return vec![(question.clone(), 0)];
        }
        let Some(scenarios) = scenarios else {
            if self.storyboard.scenarios.is_none() {
                let message = format!("`{}` asks about the end of a scenario", question.kind.key());
                let problem = Diagnostic::error(message, question.span, "without scenarios");
                self.problem(problem.help("add `scenarios: {count: 3, steps: 8}`"));
            }
            return Vec::new();
        };
        if question.is_all {
            return all_dynamics(question, scenarios.count);
        }
        if question.kind == QuestionKind::Course {
            if scenarios.count == 1 {
                let message = "`course` needs at least two scenarios";
                self.problem(Diagnostic::error(message, question.span, "there is one"));
                return Vec::new();
            }
            return vec![(question.clone(), scenarios.count - 1)];
        }
        let Some(number) = &question.scenario else { return Vec::new() };
        let Some(value) = self.number(number) else { return Vec::new() };
        let least = if matches!(question.kind, QuestionKind::Changed | QuestionKind::Cause) { 2 } else { 1 };
        if !(least..=scenarios.count as i64).contains(&value) {
            let message = format!(
                "`{}` asks about a scenario from {least} to {}",
                question.kind.key(),
                scenarios.count
            );
            self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
            return Vec::new();
        }
        vec![(question.clone(), value as usize - 1)]
    }

    /// Checks that somebody is asked about who wants a side, by rules.
    pub(super) fn check_wish(
        &mut self,
        question: &Question,
        who: Option<CharacterId>,
        prospect: ProspectId,
        staging: &Staging,
    ) {
        let Some(planned) = staging.prospects.get(prospect.index()) else { return };
        let is_known = who.is_some_and(|who| planned.wants.iter().any(|(other, _)| *other == who));
        if is_known {
            return;
        }
        let (target, minds) = question.roles.split_last().expect("a question has a target");
        let name = minds.last().unwrap_or(target);
        let message = format!("`{}` wants neither side of `{}`", name.value, target.value);
        let problem = Diagnostic::error(message, name.span, "asked about");
        let why = match question.kind {
            QuestionKind::BeliefIn => {
                "what she thinks is worked out together with what she feels, which depends on that"
            }
            _ => "what she feels depends on that",
        };
        self.problem(problem.help(format!("{why}: add `wants: {{{}: drawn}}` to the prospect", name.value)));
    }
}

/// All questions about what news does to somebody, scenario after scenario, each with its scenario: 15n − 4 for n scenarios.
fn all_dynamics(question: &Question, count: usize) -> Vec<(Question, usize)> {
    let mut all = Vec::new();
    let mut ask = |kind, state, scenario| {
        all.push((Question { kind, state: Some(state), is_all: false, ..question.clone() }, scenario));
    };
    let states = [
        (QuestionKind::BeliefIn, State::Belief),
        (QuestionKind::Emotion, State::Emotion),
        (QuestionKind::Intention, State::Intention),
        (QuestionKind::Action, State::Action),
    ];
    for scenario in 0..count {
        states.iter().for_each(|&(kind, state)| ask(kind, state, scenario));
        if scenario > 0 {
            State::ALL.iter().for_each(|&state| ask(QuestionKind::Changed, state, scenario));
            State::ALL.iter().for_each(|&state| ask(QuestionKind::Cause, state, scenario));
        }
        State::ALL[1..].iter().for_each(|&state| ask(QuestionKind::Influence, state, scenario));
    }
    if count > 1 {
        State::ALL.iter().for_each(|&state| ask(QuestionKind::Course, state, count - 1));
    }
    all
}
