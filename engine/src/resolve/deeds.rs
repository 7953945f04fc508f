//! What is done at a step, beyond going from one place to another, and who misses it.

use std::collections::HashMap;

use super::{Condition, Demand, Resolver, Scope};
use crate::diagnostic::Diagnostic;
use crate::form::{Act, Direction, DirectionIn, Hearers, Part, PartIn, Telling, TellingIn};
use crate::id::CharacterId;
use crate::plan::{Attending, Attention, Planned, PlannedDeed, PlannedTelling, PlannedValue, Staging};
use crate::storyboard::{Event, Name, When, Written, WrittenValue};
use crate::world::Item;

impl Resolver<'_> {
    /// The deed that has to be done, and what it demands of the walks.
    pub(super) fn deed(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        event: &Event,
        direction: &DirectionIn<Written>,
    ) -> Option<(Demand, PlannedDeed)> {
        self.check_props(event, direction);
        let Direction { who, act, to, is_lie } = direction;
        let (company, act) = match act {
            Act::GoTogether(others) => {
                let all = [std::slice::from_ref(who), others].concat();
                let company = self.company(scope, &all);
                let act = company.as_ref().map(|company| Act::GoTogether(company[1..].to_vec()));
                (company, act)
            }
            act => {
                let actor = self.role(scope, who);
                let act = act.map(|_, part| self.part(scope, staging, (who, actor), part));
                (actor.map(|actor| vec![actor]), act)
            }
        };
        let to = match to {
            Some(to) => self.place(scope, to).map(Some),
            None => Some(None),
        };
        let (company, act, to) = (company?, act?, to?);
        let deed = PlannedDeed { who: company[0], act, to, is_lie: *is_lie };
        let mut demand = demand(company, &deed, staging);
        if let Demand::Deed { place, with, without, .. } = &mut demand {
            *place = place.or_else(|| self.table().filter(|_| event.verb.is_said()));
            self.audience(scope, event, &direction.who, (with, without))?;
        }
        Some((demand, deed))
    }

    /// Adds those who have to be there, or elsewhere, when something is said.
    fn audience(
        &mut self,
        scope: &Scope,
        event: &Event,
        speaker: &Name,
        (with, without): (&mut Vec<CharacterId>, &mut Vec<CharacterId>),
    ) -> Option<()> {
        for name in event.with.iter().chain(&event.without) {
            if name.value == speaker.value {
                let message = format!("`{}` is there, since she speaks", name.value);
                let problem = Diagnostic::error(message, name.span, "herself");
                self.problem(problem.label(speaker.span, "the speaker").help("leave her out"));
            }
        }
        for name in &event.without {
            if let Some(other) = event.with.iter().find(|other| other.value == name.value) {
                let message = format!("`{}` cannot both be there and be elsewhere", name.value);
                let problem = Diagnostic::error(message, name.span, "elsewhere");
                self.problem(problem.label(other.span, "there"));
            }
        }
        let (here, elsewhere) = (self.company(scope, &event.with), self.company(scope, &event.without));
        for (all, named) in [(with, here?), (without, elsewhere?)] {
            for character in named {
                if !all.contains(&character) {
                    all.push(character);
                }
            }
        }
        Some(())
    }

    /// One part of a deed, with names replaced by numbers.
    fn part(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        actor: (&Name, Option<CharacterId>),
        part: PartIn<Written>,
    ) -> Option<PartIn<Planned>> {
        Some(match part {
            Part::Company(_) => unreachable!("who goes along is told with the actor"),
            Part::Person(who) => Part::Person(self.another(scope, actor.0, who.as_ref())?),
            Part::Place(name) => Part::Place(given(name, |name| self.place(scope, name))?),
            Part::Object(name) => Part::Object(given(name, |name| self.object(scope, name))?),
            Part::Container(name) => Part::Container(given(name, |name| self.container(scope, name))?),
            Part::Spot(name) => Part::Spot(given(name, |name| self.container(scope, name))?),
            Part::Liking(name) => Part::Liking(given(name, |name| self.attitude(scope, name))?),
            Part::Fact(name) => Part::Fact(given(name, |name| self.proposition(scope, name))?),
            Part::Telling(telling) => Part::Telling(self.telling(scope, staging, actor, &telling)?),
        })
    }

    /// Somebody with whom the actor deals, who must not be the actor.
    fn another(&mut self, scope: &Scope, actor: &Name, who: Option<&Name>) -> Option<Option<CharacterId>> {
        let Some(who) = who else { return Some(None) };
        if who.value == actor.value {
            let message = format!("`{}` cannot do this with herself", who.value);
            self.problem(Diagnostic::error(message, who.span, "herself").label(actor.span, "who acts"));
        }
        self.role(scope, who).map(Some)
    }

    /// Checks that there are any things with which it could be done.
    fn check_props(&mut self, event: &Event, direction: &DirectionIn<Written>) {
        let board = self.storyboard;
        for part in direction.act.parts() {
            let missing = match part {
                Part::Object(None) if board.objects.is_empty() => "an object",
                Part::Container(None) if board.containers.is_empty() => "a container",
                Part::Liking(None) if board.attitudes.is_empty() => "one of `attitudes`",
                Part::Fact(None) if board.propositions.is_empty() => "a proposition",
                Part::Telling(Telling { item: None, .. }) if !self.has_something_to_tell() => {
                    "an object, a proposition, or one of `attitudes`"
                }
                _ => continue,
            };
            self.missing(direction.key(), missing, event.span);
        }
    }

    /// What is said, by whom and to whom.
    fn telling(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        (speaker, who): (&Name, Option<CharacterId>),
        telling: &TellingIn<Written>,
    ) -> Option<PlannedTelling> {
        let named = telling.hearers.named();
        let company = self.company(scope, named);
        if let Some(own) = named.iter().find(|name| name.value == speaker.value) {
            let message = format!("`{}` speaks to herself", speaker.value);
            self.problem(Diagnostic::error(message, own.span, "a hearer").label(speaker.span, "the speaker"));
        } else if let Some(who) = who {
            self.check_friends(scope, staging, (speaker, who), named);
        }
        let that = telling.item.as_ref();
        let item = match that {
            Some(that) => self.item(scope, that).map(Some),
            None => Some(None),
        };
        if let (Some(that), Some(Some(Item::Character(_)))) = (that, item) {
            self.check_whereabouts(speaker, named, that);
        }
        let value = match (&telling.value, item) {
            (Some(WrittenValue::Name(value)), Some(Some(item))) => self.value(scope, value, item).map(Some),
            (Some(WrittenValue::Case(case)), Some(Some(item))) => {
                let Item::Prospect(prospect) = item else {
                    let message = "only a prospect stands like this";
                    self.problem(Diagnostic::error(message, case.span, "of something else"));
                    return None;
                };
                self.case(scope, case, prospect).map(|case| Some(PlannedValue::Case(case)))
            }
            (_, Some(_)) => Some(None),
            (_, None) => None,
        };
        let hearers = match (&telling.hearers, company?) {
            (Hearers::Present, _) => Hearers::Present,
            (Hearers::Named(_), company) => Hearers::Named(company),
            (Hearers::Afar(_), company) => Hearers::Afar(company),
        };
        Some(PlannedTelling { hearers, item: item?, value: value?, believers: None })
    }

    /// Reports when somebody says, or is told, where she herself is.
    fn check_whereabouts(&mut self, speaker: &Name, hearers: &[Name], that: &Name) {
        let is_same = |name: &&Name| name.value == that.value;
        let problem = if is_same(&speaker) {
            let message = format!("`{}` says where she herself is", that.value);
            Some(Diagnostic::error(message, that.span, "herself").label(speaker.span, "the speaker"))
        } else {
            hearers.iter().find(is_same).map(|hearer| {
                let message = format!("`{}` is told where she herself is", that.value);
                Diagnostic::error(message, that.span, "herself").label(hearer.span, "a hearer")
            })
        };
        self.problems.extend(problem.map(|problem| problem.help("everyone knows where she herself is")));
    }

    /// Reports hearers whom the speaker cannot tell something unheard by others.
    fn check_friends(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        (speaker, who): (&Name, CharacterId),
        hearers: &[Name],
    ) {
        let Some(friends) = staging.friends.get(who.index()) else { return };
        for name in hearers {
            let Some(hearer) = scope.roles.get(name.value.as_str()) else { continue };
            if !friends.contains(hearer) {
                let message = format!("`{}` is not a friend of `{}`", name.value, speaker.value);
                let problem = Diagnostic::error(message, name.span, "not among her `friends`");
                self.problem(problem.help("`to: present` is heard by everyone there"));
            }
        }
    }

    /// Adds who misses or watches what happens.
    pub(super) fn attention(
        &mut self,
        event: &Event,
        window: Option<(usize, usize)>,
        attention: Attention,
        staging: &mut Staging,
    ) {
        if let Some((from, until)) = window
            && from < until
        {
            self.check_notice(event, (from, until), &attention, staging);
            let is_demanded = matches!(event.when, When::At(_));
            staging.attention.push(Attending { from, until, is_demanded, attention });
        }
    }

    /// Reports when others at a step have both to notice and not to notice that someone is distracted.
    fn check_notice(
        &mut self,
        event: &Event,
        (from, until): (usize, usize),
        attention: &Attention,
        staging: &Staging,
    ) {
        let Attention::Distracted { who, is_noticed } = attention else { return };
        let clash = staging.attention.iter().find_map(|other| match &other.attention {
            Attention::Distracted { who: others, is_noticed: other_is_noticed }
                if other_is_noticed != is_noticed && from < other.until && other.from < until =>
            {
                let both = who.iter().find(|who| others.contains(who))?;
                Some((from.max(other.from), both))
            }
            _ => None,
        });
        if let Some((step, who)) = clash {
            let name = &self.storyboard.roles[who.index()].value;
            let message = format!("at step {step} `{name}` is distracted twice, once noticed and once not");
            let problem = Diagnostic::error(message, event.span, "the second");
            self.problem(problem.help("let one of the two end where the other begins"));
        }
    }

    /// Reports when somebody has to watch or miss what she does herself at that step, or to peek where she is to see
    /// nothing.
    pub(super) fn check_attention(&mut self, conditions: &[Condition], staging: &Staging) {
        for Attending { from, until, attention, .. } in &staging.attention {
            let Attention::Peek(peeking) = attention else { continue };
            for condition in conditions.iter().filter(|other| other.from < *until && *from < other.until) {
                let Demand::Unseen { by, .. } = &condition.demand else { continue };
                for who in peeking.iter().filter(|who| by.contains(who)) {
                    let name = &self.storyboard.roles[who.index()].value;
                    let message = format!("`{name}` must not see this, but peeks from step {from} on");
                    self.problem(Diagnostic::error(message, condition.span, "a peek would show it"));
                }
            }
        }
        let deeds: HashMap<usize, &Condition> = conditions
            .iter()
            .filter(|condition| condition.demand.is_forced())
            .map(|condition| (condition.from, condition))
            .collect();
        let at_one_step = staging.attention.iter().filter(|attending| attending.is_demanded);
        for Attending { from: step, attention, .. } in at_one_step {
            let Some(condition) = deeds.get(step) else { continue };
            let actors = match &condition.demand {
                Demand::Move { who, .. } | Demand::Deed { who, .. } => std::slice::from_ref(who),
                Demand::GoTogether { who, .. } => who,
                _ => continue,
            };
            let (Attention::Peek(who) | Attention::Distracted { who, .. }) = attention;
            for actor in actors.iter().filter(|actor| who.contains(actor)) {
                let key = if let Attention::Peek(_) = attention { "peek" } else { "distracted" };
                let name = &self.storyboard.roles[actor.index()].value;
                let message =
                    format!("`{name}` acts at step {step}, but `{key}` is for those who do not act");
                self.problem(Diagnostic::error(message, condition.span, "her own deed"));
            }
        }
    }
}

/// The number that a name stands for, if a name is given.
fn given<T>(name: Option<Name>, find: impl FnOnce(&Name) -> Option<T>) -> Option<Option<T>> {
    name.map_or(Some(None), |name| find(&name).map(Some))
}

/// What a deed demands of the walks: who goes where, or who stays, where, and with whom.
fn demand(company: Vec<CharacterId>, deed: &PlannedDeed, staging: &Staging) -> Demand {
    match (&deed.act, deed.to) {
        (Act::GoTogether(_), Some(to)) => return Demand::GoTogether { who: company, to },
        (_, Some(to)) => return Demand::Move { who: deed.who, to },
        (_, None) => {}
    }
    let (mut place, mut with, mut without) = (None, Vec::new(), Vec::new());
    for part in deed.act.parts() {
        match part {
            Part::Container(Some(container)) | Part::Spot(Some(container)) => {
                place = Some(staging.containers[container.index()].place);
            }
            Part::Person(Some(who)) => with.push(who),
            Part::Telling(Telling { hearers: Hearers::Named(hearers), .. }) => with = hearers,
            Part::Telling(Telling { hearers: Hearers::Afar(hearers), .. }) => without = hearers,
            _ => {}
        }
    }
    Demand::Deed { who: deed.who, place, with, without }
}

/// The conditions that can be broken: whoever is distracted sees no move anyway.
///
/// Costs O(conditions · attention).
pub(super) fn that_can_be_broken(conditions: Vec<Condition>, staging: &Staging) -> Vec<Condition> {
    let misses = |onlooker: CharacterId, step: usize| {
        staging.attention.iter().any(|Attending { from, until, attention, .. }| {
            let is_distracted =
                matches!(attention, Attention::Distracted { who, .. } if who.contains(&onlooker));
            is_distracted && (*from..*until).contains(&step)
        })
    };
    let mut left = Vec::new();
    for condition in conditions {
        let Demand::Unseen { who, by } = &condition.demand else {
            left.push(condition);
            continue;
        };
        let window = condition.from..condition.until;
        let mut borders: Vec<usize> =
            staging.attention.iter().flat_map(|attending| [attending.from, attending.until]).collect();
        borders.retain(|border| window.contains(border));
        borders.extend([window.start, window.end]);
        borders.sort_unstable();
        borders.dedup();
        for steps in borders.windows(2) {
            let by: Vec<CharacterId> =
                by.iter().copied().filter(|&onlooker| !misses(onlooker, steps[0])).collect();
            if !by.is_empty() {
                let demand = Demand::Unseen { who: who.clone(), by };
                left.push(Condition { from: steps[0], until: steps[1], demand, span: condition.span });
            }
        }
    }
    left
}
