//! What is done at a step, beyond going from one place to another, and who misses it.

use std::collections::HashMap;

use super::{Condition, Demand, Resolver, Scope};
use crate::diagnostic::Diagnostic;
use crate::id::{CharacterId, ContainerId, ObjectId};
use crate::plan::{Attending, Attention, Audience, Place, PlannedAct, PlannedDeed, PlannedTelling, Staging};
use crate::storyboard::{Event, Hearers, Name, Verb, When};
use crate::world::Item;

impl Resolver<'_> {
    /// What is to be done, and what that demands of the walks.
    pub(super) fn deed(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        event: &Event,
    ) -> Option<(Demand, PlannedDeed)> {
        self.check_props(event);
        let stands = |container: ContainerId| staging.containers[container.index()].place;
        let (who, place, act) = match &event.verb {
            Verb::MoveTogether { who, to } => {
                let (who, to) = (self.company(scope, who), self.place(scope, to));
                let (who, to) = (who?, to?);
                let act = PlannedAct::GoTogether(who[1..].to_vec(), to);
                return Some((Demand::GoTogether { who: who.clone(), to }, PlannedDeed { who: who[0], act }));
            }
            Verb::Carry { who, object, to } => {
                let who = self.role(scope, who);
                let (object, to) = (self.any_object(scope, object.as_ref()), self.place(scope, to));
                let (who, to) = (who?, to?);
                let act = PlannedAct::Carry(object?, to);
                return Some((Demand::Move { who, to }, PlannedDeed { who, act }));
            }
            Verb::Tell { who, to, that, value, is_lie } => {
                let value = value.as_ref();
                return self.telling(scope, staging, (who, to), (that.as_ref(), value), *is_lie);
            }
            Verb::Take { who, object } => {
                let (who, object) = (self.role(scope, who), self.any_object(scope, object.as_ref()));
                (who, None, object.map(PlannedAct::Take))
            }
            Verb::Put { who, object, container } => {
                let (who, object) = (self.role(scope, who), self.any_object(scope, object.as_ref()));
                let container = self.any_container(scope, container.as_ref());
                let act = object.zip(container).map(|(object, into)| PlannedAct::Put(object, into));
                (who, container.flatten().map(stands), act)
            }
            Verb::MoveObject { who, object, to } => {
                let (who, object) = (self.role(scope, who), self.any_object(scope, object.as_ref()));
                let container = self.any_container(scope, to.as_ref());
                let act = object.zip(container).map(|(object, to)| PlannedAct::MoveObject(object, to));
                (who, container.flatten().map(stands), act)
            }
            Verb::Throw { who, object, to } => {
                let (who, object) = (self.role(scope, who), self.any_object(scope, object.as_ref()));
                let to: Option<Option<Place>> = match to {
                    Some(to) => self.place(scope, to).map(Some),
                    None => Some(None),
                };
                (who, None, object.zip(to).map(|(object, to)| PlannedAct::Throw(object, to)))
            }
            Verb::Open { who, container } => {
                let (who, container) = (self.role(scope, who), self.any_container(scope, container.as_ref()));
                (who, container.flatten().map(stands), container.map(PlannedAct::Open))
            }
            Verb::Close { who, container } => {
                let (who, container) = (self.role(scope, who), self.any_container(scope, container.as_ref()));
                (who, container.flatten().map(stands), container.map(PlannedAct::Close))
            }
            Verb::React { who, to } => {
                let who = self.role(scope, who);
                let to = match to {
                    Some(to) => self.attitude(scope, to).map(Some),
                    None => Some(None),
                };
                (who, None, to.map(PlannedAct::React))
            }
            Verb::Move { .. }
            | Verb::Meet { .. }
            | Verb::Idle { .. }
            | Verb::Apart { .. }
            | Verb::Together { .. }
            | Verb::Unseen { .. }
            | Verb::Avoid { .. }
            | Verb::Follow { .. }
            | Verb::Peek { .. }
            | Verb::Distracted { .. }
            | Verb::Note { .. } => unreachable!("no deed"),
        };
        let (who, act) = (who?, act?);
        let demand = Demand::Deed { who, place, with: Vec::new(), without: Vec::new() };
        Some((demand, PlannedDeed { who, act }))
    }

    /// Whether there is anything at all with which it could be done.
    fn check_props(&mut self, event: &Event) {
        let board = self.storyboard;
        let (takes_any_object, takes_any_container) = match &event.verb {
            Verb::Carry { object, .. }
            | Verb::Take { object, .. }
            | Verb::Put { object, .. }
            | Verb::Throw { object, .. } => (object.is_none(), false),
            Verb::MoveObject { object, to, .. } => (object.is_none(), to.is_none()),
            Verb::Open { container, .. } | Verb::Close { container, .. } => (false, container.is_none()),
            Verb::Tell { that: None, .. } => {
                if !self.has_something_to_tell() {
                    self.missing(
                        event.verb.key(),
                        "an object, a proposition, or one of `attitudes`",
                        event.span,
                    );
                }
                (false, false)
            }
            Verb::React { to: None, .. } if board.attitudes.is_empty() => {
                self.missing("react", "one of `attitudes`", event.span);
                (false, false)
            }
            _ => (false, false),
        };
        if takes_any_object && board.objects.is_empty() {
            self.missing(event.verb.key(), "an object", event.span);
        }
        if takes_any_container && board.containers.is_empty() {
            self.missing(event.verb.key(), "a container", event.span);
        }
    }

    /// None if it is not known; else the object, if one is given.
    fn any_object(&mut self, scope: &Scope, name: Option<&Name>) -> Option<Option<ObjectId>> {
        name.map_or(Some(None), |name| self.object(scope, name).map(Some))
    }

    /// None if it is not known; else the container, if one is given.
    fn any_container(&mut self, scope: &Scope, name: Option<&Name>) -> Option<Option<ContainerId>> {
        name.map_or(Some(None), |name| self.container(scope, name).map(Some))
    }

    /// What is said by whom to whom.
    fn telling(
        &mut self,
        scope: &Scope,
        staging: &Staging,
        (speaker, hearers): (&Name, &Hearers),
        (that, value): (Option<&Name>, Option<&Name>),
        is_lie: bool,
    ) -> Option<(Demand, PlannedDeed)> {
        let who = self.role(scope, speaker);
        let named = match hearers {
            Hearers::Present => &[][..],
            Hearers::Named(names) | Hearers::Afar(names) => names,
        };
        let company = self.company(scope, named);
        if let Some(own) = named.iter().find(|name| name.value == speaker.value) {
            let message = format!("`{}` speaks to herself", speaker.value);
            self.problem(Diagnostic::error(message, own.span, "a hearer").label(speaker.span, "the speaker"));
        } else if let Some(who) = who {
            self.check_friends(scope, staging, (speaker, who), named);
        }
        let item = match that {
            Some(that) => self.item(scope, that).map(Some),
            None => Some(None),
        };
        if let (Some(that), Some(Some(Item::Character(_)))) = (that, item) {
            let is_same = |name: &&Name| name.value == that.value;
            let problem = if is_same(&speaker) {
                let message = format!("`{}` says where she herself is", that.value);
                Some(Diagnostic::error(message, that.span, "herself").label(speaker.span, "the speaker"))
            } else {
                named.iter().find(is_same).map(|hearer| {
                    let message = format!("`{}` is told where she herself is", that.value);
                    Diagnostic::error(message, that.span, "herself").label(hearer.span, "a hearer")
                })
            };
            self.problems.extend(problem.map(|problem| problem.help("everyone knows where she herself is")));
        }
        let value = match (value, item) {
            (Some(value), Some(Some(item))) => self.value(scope, value, item).map(Some),
            (_, Some(_)) => Some(None),
            (_, None) => None,
        };
        let (who, company) = (who?, company?);
        let (to, with, without) = match hearers {
            Hearers::Present => (Audience::Present, Vec::new(), Vec::new()),
            Hearers::Named(_) => (Audience::Named(company.clone()), company, Vec::new()),
            Hearers::Afar(_) => (Audience::Afar(company.clone()), Vec::new(), company),
        };
        let telling = PlannedTelling { to, item: item?, value: value?, is_lie };
        let deed = PlannedDeed { who, act: PlannedAct::Tell(telling) };
        Some((Demand::Deed { who, place: None, with, without }, deed))
    }

    /// Whether one can tell these something unheard by others.
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
                let message = format!("`{}` is no friend of `{}`'s", name.value, speaker.value);
                let problem = Diagnostic::error(message, name.span, "not among her `friends`");
                self.problem(problem.help("`to: present` is heard by everyone there"));
            }
        }
    }

    /// Who misses what happens, or watches it.
    pub(super) fn attention(
        &mut self,
        scope: &Scope,
        event: &Event,
        window: Option<(usize, usize)>,
        staging: &mut Staging,
    ) {
        let attention = match &event.verb {
            Verb::Peek { who } => self.company(scope, who).map(Attention::Peek),
            Verb::Distracted { who, is_noticed } => {
                self.company(scope, who).map(|who| Attention::Distracted { who, is_noticed: *is_noticed })
            }
            _ => unreachable!("nothing about attention"),
        };
        if let (Some((from, until)), Some(attention)) = (window, attention)
            && from < until
        {
            self.check_notice(event, (from, until), &attention, staging);
            let is_demanded = matches!(event.when, When::At(_));
            staging.attention.push(Attending { from, until, is_demanded, attention });
        }
    }

    /// Whether those who see it are to notice, at one step, that someone is distracted, and not to notice it.
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

    /// Whether anyone is to watch or to miss at one step what she does at that step herself, or to peek where
    /// she is to see nothing.
    pub(super) fn check_attention(&mut self, conditions: &[Condition], staging: &Staging) {
        for Attending { from, until, attention, .. } in &staging.attention {
            let Attention::Peek(peeking) = attention else { continue };
            for condition in conditions.iter().filter(|other| other.from < *until && *from < other.until) {
                let Demand::Unseen { by, .. } = &condition.demand else { continue };
                for who in peeking.iter().filter(|who| by.contains(who)) {
                    let name = &self.storyboard.roles[who.index()].value;
                    let message = format!("`{name}` is not to see this, and peeks from step {from} on");
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
                let message = format!("at step {step} `{name}` acts herself, and `{key}` is for others");
                self.problem(Diagnostic::error(message, condition.span, "her own doing"));
            }
        }
    }
}

/// The conditions, without what holds anyway: whoever is distracted sees no move.
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
