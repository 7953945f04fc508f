//! What a story says, whatever form it has, and the claim that it amounts to under a cast.

use std::collections::{HashMap, HashSet};

use crate::check::{Act, Claim, Deed, Fact, Hearers, Item, Things, Value};
use crate::prose::{Note, Opening, Statement, Told};
use crate::storyboard::{Known, Name, Pool, Start, Storyboard, built_in_pool};

/// What a story says. What it leaves open (who plays whom, where everyone starts …) is to be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account<'a> {
    /// Who is in it, if it says.
    pub people: Vec<&'a str>,
    /// Where everyone starts, if it says.
    pub start: SaidStart<'a>,
    /// What it says of things at the start.
    pub opening: Opening<'a>,
    /// Step by step.
    pub told: Vec<Told<'a>>,
    /// Its notes; none, if it is not in words.
    pub notes: Option<Vec<Note>>,
    /// Whether it is told of things that somebody moves, in the place of people.
    pub is_of_things: bool,
}

/// What a story says of where everyone starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaidStart<'a> {
    /// Nothing.
    #[default]
    Nothing,
    /// All in one place.
    Everyone(&'a str),
    /// Each in this one.
    Each(Vec<(&'a str, &'a str)>),
}

/// Whom roles, binds and what is drawn at the start stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Casting<'a> {
    /// By the order of the storyboard.
    pub roles: Vec<&'a str>,
    pub binds: Vec<&'a str>,
    pub objects: Vec<Spot<'a>>,
    pub truths: Vec<bool>,
    pub attitudes: HashMap<(&'a str, &'a str), bool>,
}

/// Where an object is at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot<'a> {
    /// As the storyboard has it: a container, a place, a bind, or a role that has it in hand.
    Declared(&'a Name),
    /// As the story has it.
    Said(Value<'a>),
}

impl<'a> Account<'a> {
    /// Everyone of whom it speaks, in the order of the first time; and then, of the pool, as many as there should
    /// be in all. Returns how many it speaks of.
    pub(super) fn everyone(
        &self,
        board: &'a Storyboard,
        count: usize,
        cast: &[&'a str],
    ) -> (Vec<&'a str>, usize) {
        let mut seen = HashSet::new();
        let mut everyone: Vec<&'a str> = Vec::new();
        let mut add = |who: &'a str| {
            if seen.insert(who) {
                everyone.push(who);
            }
        };
        let is_said = !self.people.is_empty();
        if is_said {
            self.people.iter().copied().for_each(&mut add);
        }
        if let SaidStart::Each(start) = &self.start {
            start.iter().for_each(|(who, _)| add(who));
        }
        let is_listed = is_said || matches!(self.start, SaidStart::Each(_));
        let is_role = |name: &str| board.roles.iter().any(|role| role.value == name);
        let statements = self.told.iter().flat_map(|told| &told.statements);
        let named =
            statements.chain(self.opening.truths.iter().flatten()).flat_map(|statement| &statement.names);
        let named = named.filter(|(name, _)| is_role(name)).map(|(_, who)| *who);
        let mentioned: Vec<&'a str> =
            self.told.iter().flat_map(mentioned).chain(named).chain(cast.iter().copied()).collect();
        if !is_listed {
            mentioned.iter().copied().for_each(&mut add);
        }
        let mentioned: HashSet<&str> = mentioned.into_iter().collect();
        let notes: Vec<&str> = self.notes.iter().flatten().map(|note| note.text.as_str()).collect();
        let is_mentioned = |who: &str| mentioned.contains(who) || notes.iter().any(|note| note.contains(who));
        // Those of whom nothing is told come last.
        everyone.sort_by_key(|who| !is_mentioned(who));
        let spoken_of = everyone.iter().filter(|who| is_mentioned(who)).count();
        if !is_listed {
            let pool: Vec<&'a str> = match &board.characters.pool {
                Pool::Names(names) => names.iter().map(|name| name.value.as_str()).collect(),
                Pool::BuiltIn(name) => built_in_pool(&name.value).unwrap_or_default().to_vec(),
            };
            let rest = pool.into_iter().filter(|who| !seen.contains(who));
            let missing = count.saturating_sub(everyone.len());
            everyone.extend(rest.take(missing));
        }
        (everyone, spoken_of)
    }

    /// The claim under a cast.
    pub(super) fn claim(
        &self,
        board: &'a Storyboard,
        parameters: &'a [(String, i64)],
        everyone: &[&'a str],
        casting: &Casting<'a>,
    ) -> Claim<'a> {
        let names = |names: &'a [Name], values: &[&'a str]| {
            names
                .iter()
                .map(|name| name.value.as_str())
                .zip(values.iter().copied())
                .collect::<HashMap<_, _>>()
        };
        let roles = names(&board.roles, &casting.roles);
        let binds: HashMap<&str, &str> = board
            .binds
            .iter()
            .map(|bind| bind.name.value.as_str())
            .zip(casting.binds.iter().copied())
            .collect();
        let place = |name: &'a Name| binds.get(name.value.as_str()).copied().unwrap_or(&name.value);
        let player = |name: &Name| roles.get(name.value.as_str()).copied();
        let starts_in = |who: &'a str| -> &'a str {
            match (&self.start, &board.start) {
                (SaidStart::Everyone(place), _) => place,
                (SaidStart::Each(start), _) => {
                    start.iter().find(|(other, _)| *other == who).map_or("", |(_, place)| place)
                }
                (SaidStart::Nothing, Start::Everyone(name)) => place(name),
                (SaidStart::Nothing, Start::Each { roles, others, .. }) => {
                    let own = roles.iter().find(|(role, _)| player(role) == Some(who)).map(|(_, name)| name);
                    own.or(others.as_ref()).map_or("", place)
                }
            }
        };
        let start: Vec<(&str, &str)> = everyone.iter().map(|&who| (who, starts_in(who))).collect();
        let containers = &board.containers;
        let spot = |spot: Spot<'a>| match spot {
            Spot::Said(value) => value,
            Spot::Declared(name) if containers.iter().any(|known| known.name.value == name.value) => {
                Value::Container(&name.value)
            }
            Spot::Declared(name) => player(name).map_or_else(|| Value::Place(place(name)), Value::Hands),
        };
        let fact = |item, value, known: &Known| {
            let players = |roles: &[Name]| roles.iter().filter_map(player).collect::<Vec<&str>>();
            let wrong = players(&known.wrong);
            let knows = |who: &&str| {
                !wrong.contains(who) && known.by.as_ref().is_none_or(|by| players(by).contains(who))
            };
            Fact { item, value, known: everyone.iter().copied().filter(knows).collect(), wrong }
        };
        let objects = board.objects.iter().zip(&casting.objects);
        let objects =
            objects.map(|(object, at)| fact(Item::Object(&object.name.value), spot(*at), &object.known));
        let truths = board.propositions.iter().zip(&casting.truths);
        let truths = truths.map(|(known, is_true)| {
            fact(Item::Proposition(&known.name.value), Value::Truth(*is_true), &known.known)
        });
        let attitudes = board.attitudes.iter().flat_map(|thing| {
            everyone.iter().map(move |&who| {
                let likes = casting.attitudes.get(&(who, thing.value.as_str())).copied().unwrap_or(true);
                let (item, value) = (Item::Likes(who, &thing.value), Value::Truth(likes));
                Fact { item, value, known: vec![who], wrong: Vec::new() }
            })
        });
        let things = Things {
            containers: containers
                .iter()
                .map(|known| (known.name.value.as_str(), place(&known.place), known.is_open))
                .collect(),
            facts: objects.chain(truths).chain(attitudes).collect(),
            trust: board.trust.unwrap_or_default(),
        };
        let named = |name: &str| roles.get(name).or_else(|| binds.get(name)).copied();
        let has_deeds = !things.facts.is_empty()
            || !things.containers.is_empty()
            || self.told.iter().any(|told| told.deed != Deed::default());
        let deeds =
            if has_deeds { self.told.iter().map(|told| deed(told, &named)).collect() } else { Vec::new() };
        let notes = self.notes.as_ref();
        Claim {
            parameters: parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            events: self.events(&start),
            start,
            things,
            deeds,
            notes: notes.map(|notes| notes.iter().map(|note| (note.step, note.text.clone())).collect()),
            is_of_things: self.is_of_things,
            roles,
            binds,
        }
    }

    /// Who goes from where to where, as it follows from the start.
    fn events(&self, start: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str, &'a str)> {
        let mut places: HashMap<&str, &'a str> = start.iter().copied().collect();
        let event = |told: &Told<'a>| {
            let from = told.at.or_else(|| places.get(told.who).copied()).unwrap_or_default();
            let to = told.to.unwrap_or(from);
            if told.deed.act.is_going() {
                places.insert(told.who, to);
            }
            if let Act::GoTogether(others) = &told.deed.act {
                places.extend(others.iter().map(|&other| (other, to)));
            }
            (told.who, from, to)
        };
        self.told.iter().map(event).collect()
    }
}

/// What is done, with the proposition that is meant where one is told of. One that nobody could mean is unknown.
fn deed<'a>(told: &Told<'a>, named: &impl Fn(&str) -> Option<&'a str>) -> Deed<'a> {
    let mut deed = told.deed.clone();
    if told.statements.is_empty() {
        return deed;
    }
    let is_meant = |statement: &&Statement<'a>| {
        statement.names.iter().all(|(name, as_whom)| named(name) == Some(as_whom))
    };
    if let (Act::Tell(telling), Some(statement)) = (&mut deed.act, told.statements.iter().find(is_meant)) {
        telling.item = Item::Proposition(statement.proposition);
        telling.value = Value::Truth(statement.is_true);
    }
    deed
}

/// Everyone of whom a sentence speaks.
fn mentioned<'a>(told: &Told<'a>) -> Vec<&'a str> {
    let mut people = vec![told.who];
    let of_item = |item: &Item<'a>| match item {
        Item::Character(who) | Item::Likes(who, _) => Some(*who),
        _ => None,
    };
    match &told.deed.act {
        Act::GoTogether(others) => people.extend(others),
        Act::React(item, _) => people.extend(of_item(item)),
        Act::Tell(telling) => {
            if let Hearers::Named(hearers) | Hearers::Afar(hearers) = &telling.hearers {
                people.extend(hearers);
            }
            people.extend(of_item(&telling.item));
            people.extend(if let Value::Hands(who) = telling.value { Some(who) } else { None });
        }
        _ => {}
    }
    people.extend(&told.deed.peeking);
    people.extend(told.deed.distracted.iter().map(|(who, _)| who));
    people
}
