//! One way through a story, from its start to the step that fails.

use super::{Bound, Demand, Kind, NEVER, NOWHERE, Spot, StartPlaces, StartSpot, Step, Term, Window, at_step};

/// It fails here.
pub(super) struct Fails;

/// One way through a story.
pub(super) struct Run<'b> {
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
    pub fn new(bound: &'b Bound, values: &[Option<u32>]) -> Self {
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

    pub fn binds_agree(&self) -> Result<(), Fails> {
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

    pub fn start(&mut self) -> Result<(), Fails> {
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

    pub fn steps(&mut self) -> u64 {
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
                return at_step(at);
            }
        }
        if bound.steps.len() == bound.horizon { NEVER } else { at_step(bound.steps.len().min(bound.horizon)) }
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
        let is_deed = |window: &Window| {
            matches!(window.demand, Demand::Together { .. } | Demand::Say(_))
                || matches!(&window.demand, Demand::Deed { kinds, .. } if *kinds != [Kind::Go])
        };
        let is_played = step.kind == Kind::Go
            || in_force.iter().any(|window| is_deed(window))
            || self.bound.drawn.contains(&step.kind);
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
