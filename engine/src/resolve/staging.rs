//! What there is besides people: objects, containers, propositions, attitudes, and rules about them.

use std::collections::HashSet;

use super::{Place, Resolver, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{PartForm, Sort};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::plan::{PlannedContainer, PlannedObject, PlannedProposition, PlannedValue, Play, Saying, Staging};
use crate::storyboard::{Known, Moment, Name, Storyboard};
use crate::world::{Item, Knowledge};

/// The largest weight of a kind of free play.
const WEIGHT_MAX: i64 = 1_000;

/// The largest number of characters in stories with `friends`: everyone has a list.
const FRIENDS_MAX: usize = 256;

/// What a name of the storyboard stands for, other than people and places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Container(ContainerId),
    Object(ObjectId),
    Proposition(PropositionId),
    Prospect(ProspectId),
    /// The number of a thing in `attitudes`.
    Attitude(usize),
}

impl Named {
    /// What it is in words, for messages.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Container(_) => "a container",
            Self::Object(_) => "an object",
            Self::Proposition(_) => "a proposition",
            Self::Prospect(_) => "a prospect",
            Self::Attitude(_) => "one of `attitudes`",
        }
    }
}

/// Whether a storyboard contains more than people who go from place to place.
pub fn is_needed(board: &Storyboard) -> bool {
    !board.containers.is_empty()
        || !board.objects.is_empty()
        || !board.propositions.is_empty()
        || !board.attitudes.is_empty()
        || !board.prospects.is_empty()
        || board.place_pool.is_some()
        || !board.profiles.of.is_empty()
        || board.profiles.between.is_some()
        || !board.play.is_empty()
        || !board.friends.is_empty()
        || board.trust.is_some()
        || board.events.iter().any(|event| !event.verb.is_of_walks())
        || board
            .questions
            .iter()
            .any(|question| !question.kind.form().is_of_walks || question.moment != Moment::End)
}

impl<'a> Resolver<'a> {
    /// Adds the names of all things, which must differ from other names.
    pub(super) fn things(&mut self, scope: &mut Scope<'a>) {
        let board = self.storyboard;
        let count_max = ContainerId::COUNT_MAX;
        let numbers = || 0..count_max;
        let containers = board.containers.iter().map(|container| &container.name);
        let containers = containers.zip(numbers().map(|at| Named::Container(ContainerId::new(at))));
        let objects = board.objects.iter().map(|object| &object.name);
        let objects = objects.zip(numbers().map(|at| Named::Object(ObjectId::new(at))));
        // What can be said of matters is called after them, and their names are checked on their own.
        let plain = board.propositions.iter().take_while(|proposition| proposition.of.is_none());
        let propositions = plain.map(|proposition| &proposition.name);
        let propositions = propositions.zip(numbers().map(|at| Named::Proposition(PropositionId::new(at))));
        let attitudes = board.attitudes.iter().zip(numbers().map(Named::Attitude));
        let prospects = board.prospects.iter().map(|prospect| &prospect.name);
        let prospects = prospects.zip(numbers().map(|at| Named::Prospect(ProspectId::new(at))));
        let characters: HashSet<String> = scope.characters.iter().cloned().collect();
        for (name, named) in containers.chain(objects).chain(propositions).chain(attitudes).chain(prospects) {
            let written = name.value.as_str();
            let taken = if let Some(other) = scope.things.get(written) {
                Some(other.phrase())
            } else if scope.places.contains_key(written) {
                Some("a place")
            } else if scope.binds.contains_key(written) {
                Some("a bind")
            } else if scope.roles.contains_key(written) {
                Some("a role")
            } else if characters.contains(written) {
                Some("a character")
            } else {
                None
            };
            if let Some(taken) = taken {
                let message = format!("`{written}` is already the name of {taken}");
                let remark = format!("{} needs a name of its own", named.phrase());
                self.problem(Diagnostic::error(message, name.span, remark));
            }
            // Whatever refers to it is right, and has nothing to report.
            scope.things.entry(written).or_insert(named);
        }
        for (at, proposition) in board.propositions.iter().enumerate().filter(|(_, known)| known.of.is_some())
        {
            let named = Named::Proposition(PropositionId::new(at));
            scope.things.entry(proposition.name.value.as_str()).or_insert(named);
        }
    }

    /// Everything that is declared. Deeds are added with the events.
    pub(super) fn staging(&mut self, scope: &Scope, character_count: usize) -> Staging {
        let board = self.storyboard;
        let mut staging = Staging {
            trust: board.trust(),
            attitudes: board.attitudes.iter().map(|thing| thing.value.clone()).collect(),
            ..Staging::default()
        };
        for container in &board.containers {
            // Where the name is wrong, nothing is made of this; but what refers to it is right.
            let place = self.place(scope, &container.place).unwrap_or(Place::Fixed(PlaceId::new(0)));
            let name = container.name.value.clone();
            staging.containers.push(PlannedContainer { name, place, is_open: container.is_open });
        }
        for object in &board.objects {
            self.no_duplicates(&object.start, "place");
            let start: Vec<PlannedValue> =
                object.start.iter().filter_map(|name| self.spot(scope, name)).collect();
            let knowledge = self.knowledge(scope, &object.known, character_count);
            for (name, value) in object.start.iter().zip(&start) {
                let PlannedValue::Hands(who) = value else { continue };
                if knowledge.get(who.index()) == Some(&Knowledge::Nothing) {
                    let message =
                        format!("`{}` may have this in hand, and then knows where it is", name.value);
                    let help = format!("add `{}` to `known`", name.value);
                    self.problem(Diagnostic::error(message, name.span, "not among `known`").help(help));
                }
            }
            staging.objects.push(PlannedObject { name: object.name.value.clone(), start, knowledge });
        }
        for proposition in &board.propositions {
            let says = self.sentence(scope, &proposition.says);
            if proposition.denies == proposition.says {
                let message = "`denies` says the same as `says`";
                let help =
                    "it has to say the opposite; if it is left out, the words are \"it is not true that …\"";
                self.problem(Diagnostic::error(message, proposition.name.span, "of this").help(help));
            }
            // A denial may end in what it denies; what is wrong with that has been said.
            let denies = match proposition.denies.strip_suffix(proposition.says.as_slice()) {
                Some(denial) => [self.sentence(scope, denial), says.clone()].concat(),
                None => self.sentence(scope, &proposition.denies),
            };
            let knowledge = match proposition.of {
                None => self.knowledge(scope, &proposition.known, character_count),
                Some(_) => known_of_matter(scope, &proposition.known, character_count),
            };
            let says = proposition.of.map_or(Saying::Words { says, denies }, Saying::Of);
            let (name, is_true) = (proposition.name.value.clone(), proposition.is_true);
            staging.propositions.push(PlannedProposition { name, is_true, knowledge, says });
        }
        staging.style = board.style;
        self.matters(scope, &mut staging);
        self.check_told(scope);
        self.conversation(&mut staging);
        self.attitudes(&mut staging, character_count);
        self.prospects(scope, &mut staging);
        self.play(&mut staging);
        self.friends(scope, &mut staging, character_count);
        staging
    }

    /// Adds propositions for whether everyone likes each thing: each character knows what she likes herself.
    fn attitudes(&mut self, staging: &mut Staging, character_count: usize) {
        let board = self.storyboard;
        let Some(first) = board.attitudes.first() else { return };
        let count =
            board.attitudes.len().saturating_mul(character_count).saturating_add(board.propositions.len());
        if count > PropositionId::COUNT_MAX {
            let message = format!(
                "a story has at most {} propositions, with an attitude of everyone to each of `attitudes`",
                PropositionId::COUNT_MAX
            );
            self.problem(Diagnostic::error(message, first.span, format!("{count} here")));
            return;
        }
        for (at, thing) in board.attitudes.iter().enumerate() {
            for who in (0..character_count).map(CharacterId::new) {
                let of = board
                    .roles
                    .get(who.index())
                    .map_or_else(|| format!("character {}", who.index()), |role| role.value.clone());
                let mut knowledge = vec![Knowledge::Nothing; character_count];
                knowledge[who.index()] = Knowledge::Right;
                let name = format!("{of} likes {}", thing.value);
                let says = Saying::Likes(who, at);
                staging.propositions.push(PlannedProposition { name, is_true: None, knowledge, says });
            }
        }
    }

    /// What each character knows about something; empty if everyone knows it.
    fn knowledge(&mut self, scope: &Scope, known: &Known, character_count: usize) -> Vec<Knowledge> {
        let Known { by, wrong } = known;
        let right = by.as_deref().unwrap_or_default();
        for name in wrong {
            if let Some(other) = right.iter().find(|other| other.value == name.value) {
                let message = format!("`{}` cannot both know this and be wrong about it", name.value);
                let problem = Diagnostic::error(message, name.span, "wrong").label(other.span, "knows");
                self.problem(problem);
            }
        }
        let (right, wrong) = (self.company(scope, right), self.company(scope, wrong));
        let (Some(right), Some(wrong)) = (right, wrong) else { return Vec::new() };
        if by.is_none() && wrong.is_empty() {
            return Vec::new();
        }
        let others = if by.is_none() { Knowledge::Right } else { Knowledge::Nothing };
        let mut knowledge = vec![others; character_count];
        let right = right.into_iter().map(|who| (who, Knowledge::Right));
        for (who, knows) in right.chain(wrong.into_iter().map(|who| (who, Knowledge::Wrong))) {
            if let Some(entry) = knowledge.get_mut(who.index()) {
                *entry = knows;
            }
        }
        knowledge
    }

    /// Adds the kinds of deeds that are drawn in free play, in the order of [`Play`].
    fn play(&mut self, staging: &mut Staging) {
        let board = self.storyboard;
        let before = self.problems.len();
        for (play, number) in &board.play {
            let Some(value) = self.number(number) else { continue };
            if !(0..=WEIGHT_MAX).contains(&value) {
                let message = format!("a weight is from 0 to {WEIGHT_MAX}");
                self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
            } else if value > 0 {
                self.check_play(play.value, play.span);
                staging.play.push((play.value, value as u32));
            }
        }
        staging.play.sort_unstable();
        if let Some((_, number)) = board.play.last()
            && staging.play.is_empty()
            && self.problems.len() == before
        {
            let problem = Diagnostic::error("all weights of `play` are 0", number.span, "the last");
            self.problem(problem.help("at least one weight has to be 1 or more"));
        }
    }

    /// Checks that the things needed for a kind of free play exist.
    fn check_play(&mut self, play: Play, span: Span) {
        let board = self.storyboard;
        let lacks = |part: &PartForm| match part.sort {
            Sort::Object => board.objects.is_empty().then_some("an object"),
            // Out of one and into another.
            Sort::Container if part.leads() => (board.containers.len() < 2).then_some("two containers"),
            Sort::Container => board.containers.is_empty().then_some("a container"),
            Sort::Liking => board.attitudes.is_empty().then_some("one of `attitudes`"),
            Sort::Fact => board.propositions.is_empty().then_some("a proposition"),
            Sort::Telling => {
                (!self.has_something_to_tell()).then_some("an object, a proposition, or one of `attitudes`")
            }
            Sort::Company | Sort::Person | Sort::Place | Sort::Spot => None,
        };
        let missing = play.act().form().parts.iter().rev().find_map(lacks);
        if let Some(missing) = missing {
            self.missing(play.key(), missing, span);
        }
    }

    pub(super) fn has_something_to_tell(&self) -> bool {
        let board = self.storyboard;
        !board.objects.is_empty()
            || !board.propositions.is_empty()
            || !board.attitudes.is_empty()
            || !board.prospects.is_empty()
    }

    /// Reports that there is nothing with which something could be done.
    pub(super) fn missing(&mut self, key: &str, missing: &str, span: Span) {
        let message = format!("`{key}` needs {missing}");
        self.problem(Diagnostic::error(message, span, "can never be done"));
    }

    /// Whom each character can tell something without others hearing it. If nothing is said about a character, everyone.
    fn friends(&mut self, scope: &Scope, staging: &mut Staging, character_count: usize) {
        let board = self.storyboard;
        let Some((first, _)) = board.friends.first() else { return };
        if character_count > FRIENDS_MAX {
            let message = format!("stories with `friends` have at most {FRIENDS_MAX} characters");
            self.problem(Diagnostic::error(message, first.span, format!("a story has {character_count}")));
            return;
        }
        let everyone = || (0..character_count).map(CharacterId::new);
        staging.friends = everyone().map(|who| everyone().filter(|&other| other != who).collect()).collect();
        for (who, whom) in &board.friends {
            if let Some(own) = whom.iter().find(|other| other.value == who.value) {
                let message = format!("`{}` cannot be a friend of herself", who.value);
                self.problem(Diagnostic::error(message, own.span, "herself"));
            }
            let (who, whom) = (self.role(scope, who), self.company(scope, whom));
            if let Some((who, mut whom)) = who.zip(whom)
                && let Some(friends) = staging.friends.get_mut(who.index())
            {
                whom.sort_unstable();
                *friends = whom;
            }
        }
    }

    /// Resolves something that minds hold something about: a role, an object or a proposition.
    pub(super) fn item(&mut self, scope: &Scope, name: &Name) -> Option<Item> {
        let written = name.value.as_str();
        match self.named(scope, written) {
            Some(Named::Object(object)) => return Some(Item::Object(object)),
            Some(Named::Proposition(proposition)) => return Some(Item::Proposition(proposition)),
            Some(Named::Prospect(prospect)) => return Some(Item::Prospect(prospect)),
            None if self.storyboard.objects.is_empty() && self.storyboard.propositions.is_empty() => {
                return self.role(scope, name).map(Item::Character);
            }
            _ => {}
        }
        if let Some(&who) = scope.roles.get(written) {
            return Some(Item::Character(who));
        }
        let is_item = |named: &Named| matches!(named, Named::Object(_) | Named::Proposition(_));
        self.unknown(scope, name, "role, object or proposition", is_item, scope.roles.keys().copied());
        None
    }

    /// Resolves the name of a thing of one sort, which messages call `sort`.
    fn thing<T>(
        &mut self,
        scope: &Scope,
        name: &Name,
        sort: &str,
        of_sort: impl Fn(&Named) -> Option<T>,
    ) -> Option<T> {
        let found = self.named(scope, name.value.as_str()).as_ref().and_then(&of_sort);
        if found.is_none() {
            self.unknown(scope, name, sort, |named| of_sort(named).is_some(), std::iter::empty());
        }
        found
    }

    pub(super) fn prospect_named(&mut self, scope: &Scope, name: &Name) -> Option<ProspectId> {
        self.thing(scope, name, "prospect", |named| match named {
            Named::Prospect(prospect) => Some(*prospect),
            _ => None,
        })
    }

    pub(super) fn object(&mut self, scope: &Scope, name: &Name) -> Option<ObjectId> {
        self.thing(scope, name, "object", |named| match named {
            Named::Object(object) => Some(*object),
            _ => None,
        })
    }

    pub(super) fn container(&mut self, scope: &Scope, name: &Name) -> Option<ContainerId> {
        self.thing(scope, name, "container", |named| match named {
            Named::Container(container) => Some(*container),
            _ => None,
        })
    }

    pub(super) fn proposition(&mut self, scope: &Scope, name: &Name) -> Option<PropositionId> {
        self.thing(scope, name, "proposition", |named| match named {
            Named::Proposition(proposition) => Some(*proposition),
            _ => None,
        })
    }

    /// The number of a thing in `attitudes`.
    pub(super) fn attitude(&mut self, scope: &Scope, name: &Name) -> Option<usize> {
        self.thing(scope, name, "thing in `attitudes`", |named| match named {
            Named::Attitude(thing) => Some(*thing),
            _ => None,
        })
    }

    /// Resolves where an object can be.
    fn spot(&mut self, scope: &Scope, name: &Name) -> Option<PlannedValue> {
        let written = name.value.as_str();
        if let Some(&place) = scope.places.get(written) {
            return Some(PlannedValue::Place(Place::Fixed(place)));
        }
        if let Some(&bind) = scope.binds.get(written) {
            return Some(PlannedValue::Place(Place::Bound(bind)));
        }
        if let Some(&who) = scope.roles.get(written) {
            return Some(PlannedValue::Hands(who));
        }
        if let Some(Named::Container(container)) = scope.things.get(written) {
            return Some(PlannedValue::Container(*container));
        }
        let is_container = |named: &Named| matches!(named, Named::Container(_));
        let known = scope.places.keys().chain(scope.binds.keys()).chain(scope.roles.keys()).copied();
        self.unknown(scope, name, "container, place, bind or role", is_container, known);
        None
    }

    /// Resolves the value that an item has, or is said or believed to have.
    pub(super) fn value(&mut self, scope: &Scope, name: &Name, item: Item) -> Option<PlannedValue> {
        match item {
            Item::Character(_) => self.place(scope, name).map(PlannedValue::Place),
            Item::Object(_) => self.spot(scope, name),
            Item::Prospect(_) => {
                let message = format!("`{}` does not say how a prospect stands", name.value);
                let problem = Diagnostic::error(message, name.span, "a name");
                self.problem(problem.help("write what is so of it: `{side: 1, is: likely, final: no}`"));
                None
            }
            Item::Lid(_) | Item::Proposition(_) => match name.value.as_str() {
                "true" => Some(PlannedValue::Truth(true)),
                "false" => Some(PlannedValue::Truth(false)),
                other => {
                    let message = format!("a proposition is `true` or `false`, not `{other}`");
                    self.problem(Diagnostic::error(message, name.span, "neither"));
                    None
                }
            },
        }
    }

    /// Reports a name that is not one of the kind wanted here, nor one of `others`.
    fn unknown<'n>(
        &mut self,
        scope: &'n Scope,
        name: &Name,
        wanted: &str,
        is_wanted: impl Fn(&Named) -> bool,
        others: impl Iterator<Item = &'n str>,
    ) {
        let written = name.value.as_str();
        let other = if let Some(named) = scope.things.get(written) {
            Some(named.phrase())
        } else if scope.places.contains_key(written) {
            Some("a place")
        } else if scope.binds.contains_key(written) {
            Some("a bind")
        } else if scope.roles.contains_key(written) {
            Some("a role")
        } else if scope.characters.iter().any(|character| character == written) {
            Some("a character, but storyboards use roles")
        } else {
            None
        };
        let things = scope.things.iter().filter(|(_, named)| is_wanted(named)).map(|(known, _)| *known);
        let help = match (self.forms(scope, written), other) {
            (Some(forms), _) => Some(forms),
            (None, Some(other)) => Some(format!("this is {other}")),
            (None, None) => self.suggest(written, others.chain(things)),
        };
        let message = format!("no {wanted} is called `{written}`");
        self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
    }
}

/// What each character knows of a matter. Names that are wrong are reported where the matter and its events are.
fn known_of_matter(scope: &Scope, known: &Known, character_count: usize) -> Vec<Knowledge> {
    let mut knowledge = vec![Knowledge::Nothing; character_count];
    for name in known.by.iter().flatten() {
        let who = scope.roles.get(name.value.as_str());
        if let Some(entry) = who.and_then(|who| knowledge.get_mut(who.index())) {
            *entry = Knowledge::Right;
        }
    }
    knowledge
}
