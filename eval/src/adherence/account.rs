//! What a story says, whatever form it has, and the claim that it amounts to under a cast.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Act, ActInCheck, Around, Claim, Deed, Fact, Item, Things, Value};
use crate::form::Part;
use crate::prose::{Note, Opening, Statement, Told};
use crate::storyboard::{Known, Name, Pool, Start, Storyboard, built_in_pool};

/// What a story says. What it leaves open (who plays whom, where everyone starts …) has to be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account<'a> {
    /// The people in the story, if it lists them.
    pub people: Vec<&'a str>,
    /// Where everyone starts, if it says.
    pub start: SaidStart<'a>,
    /// What it says about things at the start.
    pub opening: Opening<'a>,
    /// What it tells, step by step, but for what others do around the storyboard's own part.
    pub told: Vec<Told<'a>>,
    /// What others do around it.
    pub around: Around<'a>,
    /// The notes; `None` if the story is not in words.
    pub notes: Option<Vec<Note>>,
    /// Whether the story is about things that somebody moves, instead of people.
    pub is_of_things: bool,
}

/// What a story says about where everyone starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaidStart<'a> {
    /// It says nothing about the start.
    #[default]
    Nothing,
    /// Everyone starts in this place.
    Everyone(&'a str),
    /// Each of these people starts in this place.
    Each(Vec<(&'a str, &'a str)>),
}

/// What roles, binds, objects, propositions and attitudes stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Casting<'a> {
    /// The person that each role stands for, in the order of the storyboard.
    pub roles: Vec<&'a str>,
    pub binds: Vec<&'a str>,
    pub objects: Vec<Spot<'a>>,
    pub truths: Vec<bool>,
    pub attitudes: BTreeMap<(&'a str, &'a str), bool>,
}

/// Where an object is at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot<'a> {
    /// Where the storyboard has it: a container, a place, a bind, or a role that has it in hand.
    Declared(&'a Name),
    /// Where the story has it.
    Said(Value<'a>),
}

impl<'a> Account<'a> {
    /// Everyone who is mentioned, in order of first mention, followed by names from the pool until there are `count`.
    /// Returns the names and how many of them are mentioned.
    pub(super) fn everyone(
        &self,
        board: &'a Storyboard,
        count: usize,
        cast: &[&'a str],
    ) -> (Vec<&'a str>, usize) {
        let mut seen = BTreeSet::new();
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
        let mentioned: BTreeSet<&str> = mentioned.into_iter().collect();
        let notes: Vec<&str> = self.notes.iter().flatten().map(|note| note.text.as_str()).collect();
        let is_mentioned = |who: &str| mentioned.contains(who) || notes.iter().any(|note| note.contains(who));
        if !is_listed {
            let pool: Vec<&'a str> = match &board.characters.pool {
                Pool::Names(names) => names.iter().map(|name| name.value.as_str()).collect(),
                Pool::BuiltIn(name) => built_in_pool(&name.value).unwrap_or_default().to_vec(),
            };
            let mut rest: Vec<&'a str> = pool.into_iter().filter(|who| !seen.contains(who)).collect();
            rest.sort_by_key(|who| !is_mentioned(who));
            let missing = count.saturating_sub(everyone.len());
            everyone.extend(rest.into_iter().take(missing));
        }
        // Those of whom nothing is told come last.
        everyone.sort_by_key(|who| !is_mentioned(who));
        let spoken_of = everyone.iter().filter(|who| is_mentioned(who)).count();
        (everyone, spoken_of)
    }

    /// The claim that the story makes under a cast.
    pub(super) fn claim(
        &self,
        board: &'a Storyboard,
        parameters: &'a [(String, i64)],
        everyone: &[&'a str],
        casting: &Casting<'a>,
    ) -> Claim<'a> {
        let names =
            |names: &mut dyn Iterator<Item = &'a Name>, values: &[&'a str]| -> BTreeMap<&'a str, &'a str> {
                names.map(|name| name.value.as_str()).zip(values.iter().copied()).collect()
            };
        let cast = Cast {
            board,
            everyone,
            roles: names(&mut board.roles.iter(), &casting.roles),
            binds: names(&mut board.binds.iter().map(|bind| &bind.name), &casting.binds),
        };
        let start: Vec<(&str, &str)> =
            everyone.iter().map(|&who| (who, cast.starts_in(who, &self.start))).collect();
        let things = cast.things(casting);
        let has_deeds = !things.facts.is_empty()
            || !things.containers.is_empty()
            || self.told.iter().any(|told| told.deed != Deed::default());
        let named = |name: &str| cast.roles.get(name).or_else(|| cast.binds.get(name)).copied();
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
            around: self.around.clone(),
            roles: cast.roles,
            binds: cast.binds,
        }
    }

    /// Who goes from where to where, as follows from the start.
    fn events(&self, start: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str, &'a str)> {
        let mut places: BTreeMap<&str, &'a str> = start.iter().copied().collect();
        let event = |told: &Told<'a>| {
            let from = told.at.or_else(|| places.get(told.who).copied()).unwrap_or_default();
            let to = told.to.unwrap_or(from);
            if told.deed.act.goes() {
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

/// The people and places that the names of a storyboard stand for.
struct Cast<'a, 'c> {
    board: &'a Storyboard,
    everyone: &'c [&'a str],
    roles: BTreeMap<&'a str, &'a str>,
    binds: BTreeMap<&'a str, &'a str>,
}

impl<'a> Cast<'a, '_> {
    fn place(&self, name: &'a Name) -> &'a str {
        self.binds.get(name.value.as_str()).copied().unwrap_or(&name.value)
    }

    fn player(&self, name: &Name) -> Option<&'a str> {
        self.roles.get(name.value.as_str()).copied()
    }

    fn players(&self, roles: &[Name]) -> Vec<&'a str> {
        roles.iter().filter_map(|role| self.player(role)).collect()
    }

    /// Where someone starts: according to the story or else to the storyboard.
    fn starts_in(&self, who: &str, said: &SaidStart<'a>) -> &'a str {
        match (said, &self.board.start) {
            (SaidStart::Everyone(place), _) => place,
            (SaidStart::Each(start), _) => {
                start.iter().find(|(other, _)| *other == who).map_or("", |(_, place)| place)
            }
            (SaidStart::Nothing, Start::Everyone(name)) => self.place(name),
            (SaidStart::Nothing, Start::Drawn(_)) => "",
            (SaidStart::Nothing, Start::Each { roles, others, .. }) => {
                let own = roles.iter().find(|(role, _)| self.player(role) == Some(who)).map(|(_, name)| name);
                own.or(others.as_ref()).map_or("", |name| self.place(name))
            }
        }
    }

    /// The things at the start.
    fn things(&self, casting: &Casting<'a>) -> Things<'a> {
        let board = self.board;
        let objects =
            board.objects.iter().zip(&casting.objects).map(|(object, at)| {
                self.fact(Item::Object(&object.name.value), self.spot(*at), &object.known)
            });
        let truths = board.propositions.iter().zip(&casting.truths).map(|(known, is_true)| {
            self.fact(Item::Proposition(&known.name.value), Value::Truth(*is_true), &known.known)
        });
        let attitudes = board.attitudes.iter().flat_map(|thing| {
            self.everyone.iter().filter_map(move |&who| {
                let said = casting.attitudes.get(&(who, thing.value.as_str())).copied();
                let likes = if board.weave.is_some() { said? } else { said.unwrap_or(true) };
                let (item, value) = (Item::Likes(who, &thing.value), Value::Truth(likes));
                Some(Fact { item, value, known: vec![who], wrong: Vec::new() })
            })
        });
        let containers = board.containers.iter();
        Things {
            containers: containers
                .map(|known| (known.name.value.as_str(), self.place(&known.place), known.is_open))
                .collect(),
            facts: objects.chain(truths).chain(attitudes).collect(),
            trust: board.trust(),
        }
    }

    fn spot(&self, spot: Spot<'a>) -> Value<'a> {
        let is_container =
            |name: &Name| self.board.containers.iter().any(|known| known.name.value == name.value);
        match spot {
            Spot::Said(value) => value,
            Spot::Declared(name) if is_container(name) => Value::Container(&name.value),
            Spot::Declared(name) => {
                self.player(name).map_or_else(|| Value::Place(self.place(name)), Value::Hands)
            }
        }
    }

    /// The value of an item at the start, with those who know it and those who hold the contrary.
    fn fact(&self, item: Item<'a>, value: Value<'a>, known: &Known) -> Fact<'a> {
        let wrong = self.players(&known.wrong);
        let by = known.by.as_ref().map(|by| self.players(by));
        let knows = |who: &&str| !wrong.contains(who) && by.as_ref().is_none_or(|by| by.contains(who));
        Fact { item, value, known: self.everyone.iter().copied().filter(knows).collect(), wrong }
    }
}

/// The deed, with the proposition that is meant if something is told. One that nobody could mean is unknown.
fn deed<'a>(told: &Told<'a>, named: &impl Fn(&str) -> Option<&'a str>) -> Deed<'a> {
    let mut deed = told.deed.clone();
    if told.statements.is_empty() {
        return deed;
    }
    let is_meant = |statement: &&Statement<'a>| {
        statement.names.iter().all(|(name, as_whom)| named(name) == Some(as_whom))
    };
    if let Some(statement) = told.statements.iter().find(is_meant) {
        let (item, is_true) = (Item::Proposition(statement.proposition), statement.is_true);
        match &mut deed.act {
            Act::Tell(telling) => (telling.item, telling.value) = (item, Value::Truth(is_true)),
            Act::Reveal(fact) => *fact = (item, is_true),
            _ => {}
        }
    }
    deed
}

/// Everyone who is mentioned in a sentence.
fn mentioned<'a>(told: &Told<'a>) -> Vec<&'a str> {
    let mut people = vec![told.who];
    let of_item = |item: Item<'a>| match item {
        Item::Character(who) | Item::Likes(who, _) => Some(who),
        Item::Object(_) | Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => None,
    };
    for part in told.deed.act.parts() {
        match part {
            Part::Company(others) => people.extend(others),
            Part::Person(who) => people.push(who),
            Part::Liking((item, _)) | Part::Fact((item, _)) => people.extend(of_item(item)),
            Part::Telling(telling) => {
                people.extend(telling.hearers.named());
                people.extend(of_item(telling.item));
                people.extend(if let Value::Hands(who) = telling.value { Some(who) } else { None });
            }
            Part::Place(_) | Part::Object(_) | Part::Container(_) | Part::Spot(_) => {}
        }
    }
    people.extend(&told.deed.peeking);
    people.extend(told.deed.distracted.iter().map(|(who, _)| who));
    people
}
