//! How far a story can get at most under part of a cast: the first step that fails whoever plays the rest.
//!
//! A bound, so that whole families of casts are put aside at once; the verdict on a cast is always that of
//! [`crate::check`]. Steps are gone through once. What a step demands of a role that is not cast yet binds that role
//! from there on: were it somebody else, the story would have failed there, and so no later.

use std::collections::{HashMap, HashSet};

use super::account::{Account, SaidStart};
use crate::check::{Act, Hearers, Item, Value};
use crate::storyboard::{self, Known, Name, Places, Play, Proposition, Start, Storyboard, Verb, When};

/// Stands for a place that is not on the map.
const NOWHERE: u32 = u32::MAX;

/// What a number of steps says: this one, if it is the first to fail; the last, if none does.
pub(super) const NEVER: u64 = u64::MAX;

/// A place, or the bind of this number.
#[derive(Clone, Copy, Debug)]
enum Term {
    Place(u32),
    Bind(usize),
}

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Unknown,
    Place(u32),
    Container(usize),
    Hands(u32),
}

/// Where an object may be at the start.
#[derive(Clone, Copy, Debug)]
enum StartSpot {
    Place(Term),
    Container(usize),
    Role(usize),
    Said(Spot),
}

/// What someone does, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Go,
    Together,
    Carry,
    Take,
    Put,
    MoveObject,
    Throw,
    Open,
    Close,
    Tell,
    Whisper,
    Phone,
    React,
    Show,
}

#[derive(Clone, Debug)]
struct Step {
    who: u32,
    at: Option<u32>,
    to: Option<u32>,
    kind: Kind,
    /// Who goes along, or hears it.
    others: Vec<u32>,
    object: Option<usize>,
    container: Option<usize>,
    peeking: Vec<u32>,
    distracted: Vec<u32>,
    /// Ways to read what is said: roles and binds, by their variables, and what they are.
    statements: Vec<Vec<(usize, u32)>>,
    /// If nobody has spoken of the proposition before: the roles that know, or think they do.
    knowers: Option<Vec<usize>>,
    notes: usize,
}

/// What a condition demands; roles and binds by their numbers.
#[derive(Clone, Debug)]
enum Demand {
    Deed {
        who: usize,
        kinds: &'static [Kind],
        to: Option<Term>,
        object: Option<usize>,
        container: Option<usize>,
    },
    Together {
        who: Vec<usize>,
        to: Term,
    },
    Meet {
        who: Vec<usize>,
        place: Option<Term>,
    },
    Idle(Vec<usize>),
    Apart(Vec<usize>),
    InOnePlace(Vec<usize>),
    Unseen {
        who: Vec<usize>,
        by: Vec<usize>,
    },
    Avoid {
        who: Vec<usize>,
        place: Term,
    },
    Follow {
        who: usize,
        whom: usize,
    },
    Peek(Vec<usize>),
    Distracted(Vec<usize>),
    /// What is said, whatever the speaker believes.
    Say(usize),
    Note,
}

#[derive(Clone, Debug)]
struct Window {
    from: usize,
    until: usize,
    is_single: bool,
    demand: Demand,
}

/// A story and its storyboard in numbers. The variables are the roles, then the binds, then the objects; the value
/// of an object is the number of a spot of its declaration.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    roles: usize,
    binds: usize,
    /// The ways out of each place, in order.
    ways: Vec<Vec<u32>>,
    near: Vec<Option<Term>>,
    not: Vec<Vec<Term>>,
    start: StartPlaces,
    people: usize,
    containers: Vec<Term>,
    lids: Vec<bool>,
    objects: Vec<Vec<StartSpot>>,
    steps: Vec<Step>,
    horizon: usize,
    windows: Vec<Window>,
    has_notes: bool,
    drawn: Vec<Kind>,
    /// Whom each role can tell something unheard by others; none: everyone.
    friends: Vec<Option<Vec<usize>>>,
}

#[derive(Clone, Debug)]
enum StartPlaces {
    /// Of each, as the story says; and what the storyboard demands of roles and others.
    Said(Vec<u32>, Vec<Option<Term>>, Option<Term>),
    /// As the storyboard has it, of roles and others.
    Declared(Vec<Option<Term>>, Option<Term>),
}

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

    fn step(&self, told: &crate::prose::Told<'a>, notes: usize) -> Step {
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

    /// What one evaluation costs, in steps.
    pub fn cost(&self) -> u64 {
        (self.steps.len() + self.people) as u64 + 1
    }

    /// The first step, plus 1, that fails whatever the other variables are; 0, if the start does; [`NEVER`], if none
    /// need fail.
    pub fn evaluate(&self, values: &[Option<u32>]) -> u64 {
        let mut run = Run::new(self, values);
        match run.start() {
            Ok(()) => run.steps(),
            Err(Fails) => 0,
        }
    }

    fn leads(&self, from: u32, to: u32) -> bool {
        if from == NOWHERE || to == NOWHERE {
            return false;
        }
        match self.ways.get(from as usize) {
            Some(next) => next.binary_search(&to).is_ok(),
            None => self.ways.is_empty() && from != to,
        }
    }
}

/// It fails here.
struct Fails;

/// One way through a story.
struct Run<'b> {
    bound: &'b Bound,
    roles: Vec<Option<u32>>,
    binds: Vec<Option<u32>>,
    objects: Vec<Option<u32>>,
    /// By person.
    role_of: Vec<Option<usize>>,
    places: Vec<Option<u32>>,
    spots: Vec<Spot>,
    lids: Vec<bool>,
}

impl<'b> Run<'b> {
    fn new(bound: &'b Bound, values: &[Option<u32>]) -> Self {
        let roles = values[..bound.roles].to_vec();
        let mut role_of = vec![None; bound.people];
        for (role, player) in roles.iter().enumerate() {
            if let Some(known) = player.and_then(|player| role_of.get_mut(player as usize)) {
                *known = Some(role);
            }
        }
        Self {
            bound,
            roles,
            binds: values[bound.roles..][..bound.binds].to_vec(),
            objects: values[bound.roles + bound.binds..].iter().take(bound.objects.len()).copied().collect(),
            role_of,
            places: vec![None; bound.people],
            spots: Vec::new(),
            lids: bound.lids.clone(),
        }
    }

    fn term(&self, term: Term) -> Option<u32> {
        match term {
            Term::Place(place) => Some(place),
            Term::Bind(bind) => self.binds[bind],
        }
    }

    /// Binds a place, if it can be this.
    fn bind(&mut self, term: Term, place: u32) -> Result<(), Fails> {
        match (term, self.term(term)) {
            (_, Some(known)) => {
                if known == place {
                    Ok(())
                } else {
                    Err(Fails)
                }
            }
            (Term::Bind(bind), None) => {
                self.binds[bind] = Some(place);
                self.binds_agree()
            }
            (Term::Place(_), None) => Ok(()),
        }
    }

    fn binds_agree(&self) -> Result<(), Fails> {
        for (bind, place) in self.binds.iter().enumerate() {
            let Some(place) = *place else { continue };
            if place == NOWHERE {
                return Err(Fails);
            }
            let near = self.bound.near[bind].and_then(|near| self.term(near));
            let is_not = self.bound.not[bind].iter().any(|&not| self.term(not) == Some(place));
            if is_not || near.is_some_and(|near| !self.bound.leads(near, place)) {
                return Err(Fails);
            }
        }
        Ok(())
    }

    /// Casts a role with someone, if it can be.
    fn cast(&mut self, role: usize, who: u32) -> Result<(), Fails> {
        match self.roles[role] {
            Some(known) if known == who => Ok(()),
            None if self.role_of.get(who as usize).is_some_and(Option::is_none) => {
                self.roles[role] = Some(who);
                self.role_of[who as usize] = Some(role);
                Ok(())
            }
            _ => Err(Fails),
        }
    }

    fn place(&self, who: u32) -> Option<u32> {
        self.places.get(who as usize).copied().flatten()
    }

    fn role_place(&self, role: usize) -> Option<u32> {
        self.roles[role].and_then(|who| self.place(who))
    }

    /// Whether someone plays one of these roles, or may yet.
    fn plays_one_of(&self, who: u32, roles: &[usize]) -> bool {
        match self.role_of[who as usize] {
            Some(role) => roles.contains(&role),
            None => roles.iter().any(|&role| self.roles[role].is_none()),
        }
    }

    fn start(&mut self) -> Result<(), Fails> {
        self.binds_agree()?;
        match &self.bound.start {
            StartPlaces::Said(places, of_roles, of_others) => {
                let all_cast = self.roles.iter().all(Option::is_some);
                for (who, &place) in places.iter().enumerate() {
                    self.places[who] = Some(place);
                    let wanted = match self.role_of[who] {
                        Some(role) => of_roles[role],
                        None if all_cast => *of_others,
                        None => continue,
                    };
                    let wanted = wanted.map_or(Some(NOWHERE), |term| self.term(term));
                    if wanted.is_some_and(|wanted| wanted != place) {
                        return Err(Fails);
                    }
                }
            }
            StartPlaces::Declared(of_roles, of_others) => {
                let others = of_others.and_then(|term| self.term(term));
                // Who is not cast may turn out to be one who starts elsewhere.
                let is_certain = self.roles.iter().zip(of_roles).all(|(player, term)| {
                    player.is_some() || term.is_some_and(|term| self.term(term) == others) && others.is_some()
                });
                for who in 0..self.bound.people {
                    self.places[who] = match self.role_of[who] {
                        Some(role) => of_roles[role].and_then(|term| self.term(term)),
                        None => others.filter(|_| is_certain),
                    };
                }
            }
        }
        let spots = self.bound.objects.iter().zip(&self.objects);
        let spots = spots.map(|(options, value)| {
            let option = match (&options[..], value) {
                ([only], _) => *only,
                (_, Some(value)) => options[*value as usize],
                (_, None) => return Spot::Unknown,
            };
            match option {
                StartSpot::Said(spot) => spot,
                StartSpot::Container(container) => Spot::Container(container),
                StartSpot::Place(term) => self.term(term).map_or(Spot::Unknown, Spot::Place),
                StartSpot::Role(role) => self.roles[role].map_or(Spot::Unknown, Spot::Hands),
            }
        });
        self.spots = spots.collect();
        Ok(())
    }

    fn steps(&mut self) -> u64 {
        let bound = self.bound;
        let mut coming = bound.windows.iter().peekable();
        let mut in_force: Vec<&Window> = Vec::new();
        for (at, step) in bound.steps.iter().take(bound.horizon).enumerate() {
            in_force.retain(|window| window.until > at);
            while let Some(window) = coming.next_if(|window| window.from <= at) {
                if window.until > at {
                    in_force.push(window);
                }
            }
            if self.step(at, step, &in_force).is_err() {
                return at as u64 + 1;
            }
        }
        if bound.steps.len() == bound.horizon {
            NEVER
        } else {
            bound.steps.len().min(bound.horizon) as u64 + 1
        }
    }

    fn step(&mut self, at: usize, step: &Step, in_force: &[&Window]) -> Result<(), Fails> {
        let holds = |holds: bool| if holds { Ok(()) } else { Err(Fails) };
        holds(step.who != NOWHERE && step.others.iter().all(|&other| other != NOWHERE))?;
        if let Some(said) = step.at {
            holds(self.place(step.who).is_none_or(|place| place == said))?;
            self.places[step.who as usize] = Some(said);
        }
        let from = self.place(step.who);
        let is_going = matches!(step.kind, Kind::Go | Kind::Together | Kind::Carry);
        let is_there =
            |run: &Self, other: u32| from.is_none() || run.place(other).is_none_or(|at| Some(at) == from);
        match step.kind {
            Kind::Together | Kind::Whisper => {
                holds(!step.others.is_empty() && step.others.iter().all(|&other| is_there(self, other)))?;
            }
            Kind::Phone => {
                let is_away = |other: &u32| from.is_none() || self.place(*other) != from;
                holds(step.others.iter().all(is_away))?;
            }
            Kind::Tell => {
                let mut others = (0..self.bound.people as u32).filter(|&other| other != step.who);
                holds(others.any(|other| is_there(self, other)))?;
            }
            _ => {}
        }
        self.handle(step, from)?;
        let is_deed = |window: &&Window| {
            matches!(window.demand, Demand::Together { .. } | Demand::Say(_))
                || matches!(&window.demand, Demand::Deed { kinds, .. } if *kinds != [Kind::Go])
        };
        let is_played =
            step.kind == Kind::Go || in_force.iter().any(is_deed) || self.bound.drawn.contains(&step.kind);
        holds(is_played)?;
        let has = |is_it: fn(&Demand) -> bool| in_force.iter().any(|window| is_it(&window.demand));
        holds(step.peeking.is_empty() || has(|demand| matches!(demand, Demand::Peek(_))))?;
        holds(step.distracted.is_empty() || has(|demand| matches!(demand, Demand::Distracted(_))))?;
        let compatible = |names: &Vec<(usize, u32)>| {
            names.iter().all(|&(variable, value)| {
                let known = match variable.checked_sub(self.bound.roles) {
                    None => self.roles[variable],
                    Some(bind) => self.binds[bind],
                };
                known.is_none_or(|known| known == value)
            })
        };
        holds(step.statements.is_empty() || step.statements.iter().any(compatible))?;
        if let Some(knowers) = &step.knowers
            && !has(|demand| matches!(demand, Demand::Say(_)))
        {
            holds(self.plays_one_of(step.who, knowers))?;
        }
        if let Kind::Whisper | Kind::Phone = step.kind
            && let Some(role) = self.role_of[step.who as usize]
            && let Some(friends) = &self.bound.friends[role]
        {
            holds(step.others.iter().all(|&other| self.plays_one_of(other, friends)))?;
        }
        if is_going {
            let to = step.to.unwrap_or(NOWHERE);
            holds(from.is_none_or(|from| self.bound.leads(from, to)))?;
            self.places[step.who as usize] = Some(to);
            for &other in &step.others {
                self.places[other as usize] = Some(to);
            }
        }
        for window in in_force {
            self.meets(at, step, from, is_going, window)?;
        }
        let notes = in_force.iter().filter(|window| matches!(window.demand, Demand::Note)).count();
        holds(!self.bound.has_notes || notes == step.notes)
    }

    /// Whether what is done to things can be done.
    fn handle(&mut self, step: &Step, from: Option<u32>) -> Result<(), Fails> {
        let holds = |holds: bool| if holds { Ok(()) } else { Err(Fails) };
        let stands = |run: &Self, container: usize| {
            let place = run.term(run.bound.containers[container]);
            place.is_none() || from.is_none() || place == from
        };
        if let Some(container) = step.container {
            holds(stands(self, container))?;
            if let Kind::Open | Kind::Close = step.kind {
                let opens = step.kind == Kind::Open;
                holds(self.lids[container] != opens)?;
                self.lids[container] = opens;
            }
        }
        let Some(object) = step.object else { return Ok(()) };
        let spot = self.spots[object];
        let in_own_hands = spot == Spot::Hands(step.who);
        let is_reached = match spot {
            Spot::Unknown => true,
            Spot::Hands(_) => in_own_hands,
            Spot::Place(place) => from.is_none_or(|from| from == place),
            Spot::Container(container) => stands(self, container),
        };
        let is_unknown = spot == Spot::Unknown;
        self.spots[object] = match step.kind {
            Kind::Take | Kind::Carry => {
                holds(is_reached && (step.kind == Kind::Carry || !in_own_hands))?;
                Spot::Hands(step.who)
            }
            Kind::Put => {
                holds(is_unknown || in_own_hands)?;
                step.container.map_or_else(|| from.map_or(Spot::Unknown, Spot::Place), Spot::Container)
            }
            Kind::MoveObject => {
                let container = step.container.map_or(Spot::Unknown, Spot::Container);
                holds(is_reached && (is_unknown || spot != container))?;
                container
            }
            Kind::Throw => {
                holds(is_reached)?;
                holds(from.is_none_or(|from| self.bound.leads(from, step.to.unwrap_or(NOWHERE))))?;
                step.to.map_or(Spot::Unknown, Spot::Place)
            }
            _ => spot,
        };
        Ok(())
    }

    fn meets(
        &mut self,
        at: usize,
        step: &Step,
        from: Option<u32>,
        is_going: bool,
        window: &Window,
    ) -> Result<(), Fails> {
        let holds = |holds: bool| if holds { Ok(()) } else { Err(Fails) };
        let acts = |who: u32| who == step.who || step.kind == Kind::Together && step.others.contains(&who);
        match &window.demand {
            Demand::Deed { who, kinds, to, object, container } => {
                holds(kinds.contains(&step.kind))?;
                self.cast(*who, step.who)?;
                holds(object.is_none() || *object == step.object)?;
                holds(container.is_none() || *container == step.container)?;
                to.map_or(Ok(()), |to| self.bind(to, step.to.unwrap_or(NOWHERE)))
            }
            Demand::Together { who, to } => {
                holds(step.kind == Kind::Together && step.others.len() + 1 == who.len())?;
                let movers = std::iter::once(&step.who).chain(&step.others);
                for mover in movers {
                    let role = self.role_of[*mover as usize];
                    holds(role.is_none_or(|role| who.contains(&role)))?;
                }
                holds(who.iter().all(|&role| self.roles[role].is_none_or(acts)))?;
                self.bind(*to, step.to.unwrap_or(NOWHERE))
            }
            Demand::Meet { who, place } => {
                holds(is_going)?;
                let to = step.to.unwrap_or(NOWHERE);
                place.map_or(Ok(()), |place| self.bind(place, to))?;
                let is_elsewhere = |role: &usize| self.role_place(*role).is_some_and(|at| at != to);
                holds(!who.iter().any(is_elsewhere))?;
                if who.iter().any(|&role| self.roles[role].is_some_and(acts)) {
                    return Ok(());
                }
                let open: Vec<usize> =
                    who.iter().copied().filter(|&role| self.roles[role].is_none()).collect();
                match (&open[..], step.kind) {
                    ([], _) => Err(Fails),
                    ([only], Kind::Go | Kind::Carry) => self.cast(*only, step.who),
                    (_, Kind::Go | Kind::Carry) => holds(self.role_of[step.who as usize].is_none()),
                    _ => Ok(()),
                }
            }
            Demand::Idle(who) => holds(!who.iter().any(|&role| self.roles[role].is_some_and(acts))),
            Demand::Apart(who) => {
                let is_with = |at: usize, role: usize| {
                    let place = self.role_place(role);
                    place.is_some() && who[..at].iter().any(|&other| self.role_place(other) == place)
                };
                holds(!who.iter().enumerate().any(|(at, &role)| is_with(at, role)))
            }
            Demand::InOnePlace(who) => {
                let mut places = who.iter().filter_map(|&role| self.role_place(role));
                let first = places.next();
                holds(places.all(|place| Some(place) == first))
            }
            Demand::Unseen { who, by } => {
                let goes = |&role: &usize| is_going && self.roles[role].is_some_and(acts);
                if !who.iter().any(goes) {
                    return Ok(());
                }
                let sees = |&role: &usize| {
                    let Some(onlooker) = self.roles[role] else { return false };
                    let place = self.place(onlooker);
                    let is_near = place.is_some() && (place == from || place == step.to);
                    is_near && !step.distracted.contains(&onlooker) || step.peeking.contains(&onlooker)
                };
                holds(!by.iter().any(sees))
            }
            Demand::Avoid { who, place } => {
                let place = self.term(*place);
                holds(place.is_none() || !who.iter().any(|&role| self.role_place(role) == place))
            }
            Demand::Follow { who, whom } => {
                let goes = |step: &Step, who: u32| {
                    let is_going = matches!(step.kind, Kind::Go | Kind::Together | Kind::Carry);
                    is_going && (who == step.who || step.kind == Kind::Together && step.others.contains(&who))
                };
                let Some(follower) = self.roles[*who] else { return Ok(()) };
                let place = self.role_place(*whom);
                holds(!goes(step, follower) || place.is_none() || place == step.to)?;
                let is_over = window.until == at + 1;
                let mut steps = self.bound.steps[window.from.min(at)..=at].iter();
                holds(!is_over || steps.any(|step| goes(step, follower)))
            }
            Demand::Peek(who) => {
                let peeks = |&role: &usize| self.roles[role].is_none_or(|who| step.peeking.contains(&who));
                holds(!window.is_single || who.iter().all(peeks))
            }
            Demand::Distracted(who) => {
                let misses =
                    |&role: &usize| self.roles[role].is_none_or(|who| step.distracted.contains(&who));
                holds(!window.is_single || who.iter().all(misses))
            }
            Demand::Say(who) => {
                holds(matches!(step.kind, Kind::Tell | Kind::Whisper | Kind::Phone))?;
                self.cast(*who, step.who)
            }
            Demand::Note => Ok(()),
        }
    }
}

/// What a story shows that someone likes or dislikes, by what she shows first.
pub(super) fn shown<'a>(account: &Account<'a>) -> HashMap<(&'a str, &'a str), bool> {
    let mut shown = HashMap::new();
    for told in &account.told {
        if let Act::React(Item::Likes(who, thing), likes) = told.deed.act {
            shown.entry((who, thing)).or_insert(likes);
        }
    }
    shown
}
