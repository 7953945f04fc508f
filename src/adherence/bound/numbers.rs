//! A story and its storyboard in numbers.

use std::collections::{HashMap, HashSet};

use super::super::account::{Account, SaidStart};
use super::{Bound, Demand, Kind, NOWHERE, Spot, StartPlaces, StartSpot, Step, Term, Window};
use crate::check::{Act, Hearers, Item, Value};
use crate::prose::Told;
use crate::storyboard::{self, Known, Name, Places, Play, Proposition, Start, Storyboard, Verb, When};

/// Numbers of names.
struct Numbers<'a> {
    people: HashMap<&'a str, u32>,
    places: HashMap<&'a str, u32>,
    board: &'a Storyboard,
}

impl<'a> Numbers<'a> {
    fn place(&self, name: &str) -> u32 {
        self.places.get(name).copied().unwrap_or(NOWHERE)
    }

    fn term(&self, name: &Name) -> Term {
        match self.board.binds.iter().position(|bind| bind.name.value == name.value) {
            Some(bind) => Term::Bind(bind),
            None => Term::Place(self.place(&name.value)),
        }
    }

    fn role(&self, name: &Name) -> usize {
        self.board.roles.iter().position(|role| role.value == name.value).expect("a storyboard that compiles")
    }

    fn roles(&self, names: &[Name]) -> Vec<usize> {
        names.iter().map(|name| self.role(name)).collect()
    }

    fn object(&self, name: &str) -> Option<usize> {
        self.board.objects.iter().position(|object| object.name.value == name)
    }

    fn container(&self, name: &str) -> Option<usize> {
        self.board.containers.iter().position(|container| container.name.value == name)
    }

    fn spot(&self, value: Value<'_>) -> Spot {
        match value {
            Value::Place(place) => Spot::Place(self.place(place)),
            Value::Container(name) => self.container(name).map_or(Spot::Unknown, Spot::Container),
            Value::Hands(who) => self.people.get(who).map_or(Spot::Unknown, |&who| Spot::Hands(who)),
            Value::Truth(_) => Spot::Unknown,
        }
    }

    fn step(&self, told: &Told<'a>, notes: usize) -> Step {
        let person = |name: &&'a str| self.people.get(name).copied().unwrap_or(NOWHERE);
        let people = |names: &[&'a str]| names.iter().map(person).collect::<Vec<u32>>();
        let (mut others, mut container) = (Vec::new(), None);
        let kind = match &told.deed.act {
            Act::Go => Kind::Go,
            Act::GoTogether(company) => {
                others = people(company);
                Kind::Together
            }
            Act::Carry(_) => Kind::Carry,
            Act::Take(_) => Kind::Take,
            Act::Put(_, spot) => {
                container = if let Value::Container(name) = spot { self.container(name) } else { None };
                Kind::Put
            }
            Act::MoveObject(_, name) => {
                container = self.container(name);
                Kind::MoveObject
            }
            Act::Throw(..) => Kind::Throw,
            Act::Open(name) => {
                container = self.container(name);
                Kind::Open
            }
            Act::Close(name) => {
                container = self.container(name);
                Kind::Close
            }
            Act::Tell(telling) => match &telling.hearers {
                Hearers::Present => Kind::Tell,
                Hearers::Named(hearers) => {
                    others = people(hearers);
                    Kind::Whisper
                }
                Hearers::Afar(hearers) => {
                    others = people(hearers);
                    Kind::Phone
                }
            },
            Act::React(..) => Kind::React,
            Act::Show(_) => Kind::Show,
        };
        let to = match &told.deed.act {
            Act::Throw(_, to) => Some(*to),
            act => told.to.filter(|_| act.is_going()),
        };
        let named = |&(name, is): &(&'a str, &'a str)| {
            let role = self.board.roles.iter().position(|role| role.value == name);
            let bind = self.board.binds.iter().position(|bind| bind.name.value == name);
            match (role, bind) {
                (Some(role), _) => Some((role, person(&is))),
                (None, Some(bind)) => Some((self.board.roles.len() + bind, self.place(is))),
                (None, None) => None,
            }
        };
        Step {
            who: person(&told.who),
            at: told.at.map(|place| self.place(place)),
            to: to.map(|place| self.place(place)),
            kind,
            others,
            object: told.deed.act.object().and_then(|name| self.object(name)),
            container,
            peeking: people(&told.deed.peeking),
            distracted: told.deed.distracted.iter().map(|(who, _)| person(who)).collect(),
            statements: (told.statements.iter())
                .map(|statement| statement.names.iter().filter_map(named).collect())
                .collect(),
            knowers: None,
            notes,
        }
    }

    /// The steps, with who can be the first to speak of a proposition.
    fn with_knowers(&self, account: &Account<'a>, mut steps: Vec<Step>) -> Vec<Step> {
        let mut spoken_of: HashSet<&str> = HashSet::new();
        for (told, step) in account.told.iter().zip(&mut steps) {
            let Act::Tell(telling) = &told.deed.act else { continue };
            let mut names: Vec<&str> =
                told.statements.iter().map(|statement| statement.proposition).collect();
            if let (Item::Proposition(name), []) = (telling.item, &names[..]) {
                names.push(name);
            }
            names.dedup();
            let known = self.board.propositions.iter().find(|known| names == [known.name.value.as_str()]);
            if let Some(Proposition { name, known: Known { by: Some(by), wrong }, .. }) = known
                && !spoken_of.contains(name.value.as_str())
            {
                step.knowers = Some([self.roles(by), self.roles(wrong)].concat());
            }
            spoken_of.extend(names);
        }
        steps
    }

    fn demand(&self, verb: &Verb) -> Demand {
        let object = |name: &Option<Name>| name.as_ref().and_then(|name| self.object(&name.value));
        let container = |name: &Option<Name>| name.as_ref().and_then(|name| self.container(&name.value));
        let deed = |who: &Name, kinds: &'static [Kind]| Demand::Deed {
            who: self.role(who),
            kinds,
            to: None,
            object: None,
            container: None,
        };
        let with =
            |demand: Demand, place: Option<&Name>, thing: Option<usize>, spot: Option<usize>| match demand {
                Demand::Deed { who, kinds, .. } => {
                    let to = place.map(|place| self.term(place));
                    Demand::Deed { who, kinds, to, object: thing, container: spot }
                }
                other => other,
            };
        match verb {
            Verb::Move { who, to } => with(deed(who, &[Kind::Go]), Some(to), None, None),
            Verb::Meet { who, place } => {
                Demand::Meet { who: self.roles(who), place: place.as_ref().map(|place| self.term(place)) }
            }
            Verb::Idle { who } => Demand::Idle(self.roles(who)),
            Verb::Apart { who } => Demand::Apart(self.roles(who)),
            Verb::Together { who } => Demand::InOnePlace(self.roles(who)),
            Verb::Unseen { who, by } => Demand::Unseen { who: self.roles(who), by: self.roles(by) },
            Verb::Avoid { who, place } => Demand::Avoid { who: self.roles(who), place: self.term(place) },
            Verb::Follow { who, whom } => Demand::Follow { who: self.role(who), whom: self.role(whom) },
            Verb::MoveTogether { who, to } => Demand::Together { who: self.roles(who), to: self.term(to) },
            Verb::Carry { who, object: what, to } => {
                with(deed(who, &[Kind::Carry]), Some(to), object(what), None)
            }
            Verb::Take { who, object: what } => with(deed(who, &[Kind::Take]), None, object(what), None),
            Verb::Put { who, object: what, container: into } => {
                with(deed(who, &[Kind::Put]), None, object(what), container(into))
            }
            Verb::MoveObject { who, object: what, to } => {
                with(deed(who, &[Kind::MoveObject]), None, object(what), container(to))
            }
            Verb::Throw { who, object: what, to } => {
                with(deed(who, &[Kind::Throw]), to.as_ref(), object(what), None)
            }
            Verb::Open { who, container: what } => {
                with(deed(who, &[Kind::Open]), None, None, container(what))
            }
            Verb::Close { who, container: what } => {
                with(deed(who, &[Kind::Close]), None, None, container(what))
            }
            Verb::Tell { who, value: Some(_), is_lie: false, .. } => Demand::Say(self.role(who)),
            Verb::Tell { who, to, .. } => deed(
                who,
                match to {
                    storyboard::Hearers::Present => &[Kind::Tell],
                    storyboard::Hearers::Named(_) => &[Kind::Whisper],
                    storyboard::Hearers::Afar(_) => &[Kind::Phone],
                },
            ),
            Verb::React { who, .. } => deed(who, &[Kind::React]),
            Verb::Peek { who } => Demand::Peek(self.roles(who)),
            Verb::Distracted { who, .. } => Demand::Distracted(self.roles(who)),
            Verb::Note { .. } => Demand::Note,
        }
    }
}

impl Bound {
    /// A story in numbers: of `everyone` and all places, in this order. `value` says what expressions are.
    pub fn new<'a>(
        board: &'a Storyboard,
        account: &Account<'a>,
        everyone: &[&'a str],
        place_names: &[&'a str],
        value: &dyn Fn(&storyboard::Number) -> i64,
    ) -> Self {
        let number = |names: &[&'a str]| names.iter().zip(0..).map(|(&name, at)| (name, at)).collect();
        let numbers = Numbers { people: number(everyone), places: number(place_names), board };
        let ways = match &board.places {
            Places::Ways(ways) => {
                let next = |names: &Vec<Name>| {
                    let mut next: Vec<u32> = names.iter().map(|name| numbers.place(&name.value)).collect();
                    next.sort_unstable();
                    next
                };
                ways.iter().map(|(_, names)| next(names)).collect()
            }
            Places::Complete(_) => Vec::new(),
        };
        let (of_roles, of_others) = match &board.start {
            Start::Everyone(place) => {
                (vec![Some(numbers.term(place)); board.roles.len()], Some(numbers.term(place)))
            }
            Start::Each { roles, others, .. } => {
                let others = others.as_ref().map(|place| numbers.term(place));
                let own = |role: &Name| {
                    let own = roles.iter().find(|(name, _)| name.value == role.value);
                    own.map(|(_, place)| numbers.term(place)).or(others)
                };
                (board.roles.iter().map(own).collect(), others)
            }
        };
        let start = match &account.start {
            SaidStart::Nothing => StartPlaces::Declared(of_roles, of_others),
            SaidStart::Everyone(place) => {
                StartPlaces::Said(vec![numbers.place(place); everyone.len()], of_roles, of_others)
            }
            SaidStart::Each(said) => {
                let said: HashMap<&str, &str> = said.iter().copied().collect();
                let place = |who: &&str| said.get(who).map_or(NOWHERE, |place| numbers.place(place));
                StartPlaces::Said(everyone.iter().map(place).collect(), of_roles, of_others)
            }
        };
        let spot = |name: &Name| match numbers.container(&name.value) {
            Some(container) => StartSpot::Container(container),
            None => match board.roles.iter().position(|role| role.value == name.value) {
                Some(role) => StartSpot::Role(role),
                None => StartSpot::Place(numbers.term(name)),
            },
        };
        let objects = board.objects.iter().map(|object| {
            let said = account.opening.objects.iter().find(|(name, _)| *name == object.name.value);
            match said {
                Some((_, value)) => vec![StartSpot::Said(numbers.spot(*value))],
                None => object.start.iter().map(spot).collect(),
            }
        });
        let notes = |step: usize| {
            let notes = account.notes.iter().flatten();
            notes.skip_while(|note| note.step < step).take_while(|note| note.step == step).count()
        };
        let mut noted: HashMap<usize, usize> = HashMap::new();
        for note in account.notes.iter().flatten() {
            noted.entry(note.step).or_insert_with(|| notes(note.step));
        }
        let steps = account.told.iter().enumerate();
        let steps = steps.map(|(at, told)| numbers.step(told, noted.get(&at).copied().unwrap_or(0)));
        let is_in_force =
            |event: &&storyboard::Event| event.only_if.as_ref().is_none_or(|number| value(number) > 0);
        let step_number = |number: i64| usize::try_from(number.max(0)).unwrap_or(usize::MAX);
        let windows = board.events.iter().filter(is_in_force).map(|event| {
            let (from, until) = match &event.when {
                When::At(at) => (value(at), value(at).saturating_add(1)),
                When::Until(from, until) => (value(from), value(until)),
                When::For(from, length) => (value(from), value(from).saturating_add(value(length))),
            };
            Window {
                from: step_number(from),
                until: step_number(until),
                is_single: matches!(event.when, When::At(_)),
                demand: numbers.demand(&event.verb),
            }
        });
        let mut windows: Vec<Window> = windows.collect();
        windows.sort_by_key(|window| window.from); // stable
        let friends = |role: &Name| {
            let of_hers = board.friends.iter().find(|(known, _)| known.value == role.value);
            of_hers.map(|(_, friends)| numbers.roles(friends))
        };
        let drawn = board.play.iter().filter(|(_, weight)| value(weight) > 0);
        let drawn = drawn.filter_map(|(kind, _)| match kind.value {
            Play::Move => None,
            Play::Take => Some(Kind::Take),
            Play::Put => Some(Kind::Put),
            Play::MoveObject => Some(Kind::MoveObject),
            Play::Carry => Some(Kind::Carry),
            Play::Throw => Some(Kind::Throw),
            Play::Open => Some(Kind::Open),
            Play::Close => Some(Kind::Close),
            Play::Tell | Play::Lie => Some(Kind::Tell),
            Play::Whisper => Some(Kind::Whisper),
            Play::Phone => Some(Kind::Phone),
            Play::React => Some(Kind::React),
        });
        Self {
            roles: board.roles.len(),
            binds: board.binds.len(),
            ways,
            near: board
                .binds
                .iter()
                .map(|bind| bind.next_to.as_ref().map(|near| numbers.term(near)))
                .collect(),
            not: (board.binds.iter())
                .map(|bind| bind.not.iter().map(|not| numbers.term(not)).collect())
                .collect(),
            start,
            people: everyone.len(),
            containers: board.containers.iter().map(|known| numbers.term(&known.place)).collect(),
            lids: board.containers.iter().map(|known| known.is_open).collect(),
            objects: objects.collect(),
            steps: numbers.with_knowers(account, steps.collect()),
            horizon: step_number(value(&board.horizon)),
            windows,
            has_notes: account.notes.is_some(),
            drawn: drawn.collect(),
            friends: board.roles.iter().map(friends).collect(),
        }
    }
}
