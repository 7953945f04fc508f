//! How far a story can get at most under part of a cast: the first step that fails whoever plays the rest.
//!
//! A bound, so that whole families of casts are put aside at once; the verdict on a cast is always that of
//! [`crate::check`]. Steps are gone through once. What a step demands of a role that is not cast yet binds that role
//! from there on: were it somebody else, the story would have failed there, and so no later.

mod numbers;
mod run;

use run::{Fails, Run};

/// Stands for a place that is not on the map.
const NOWHERE: u32 = u32::MAX;

/// How far a story gets of which nothing need fail.
pub(super) const NEVER: u64 = u64::MAX;

/// How far a story gets that starts wrongly.
pub(super) const START: u64 = 1;

/// How far a story gets that fails at a step.
pub(super) const fn at_step(step: usize) -> u64 {
    START + 1 + step as u64
}

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

impl Bound {
    /// What one evaluation costs, in steps.
    pub fn cost(&self) -> u64 {
        (self.steps.len() + self.people) as u64 + 1
    }

    /// How far the story gets at most whatever the other variables are: to the step that fails ([`at_step`]), to the
    /// [`START`], to the end ([`NEVER`] fails); nowhere (0), if binds are what they may not be.
    pub fn evaluate(&self, values: &[Option<u32>]) -> u64 {
        let mut run = Run::new(self, values);
        match (run.binds_agree(), run.start()) {
            (Err(Fails), _) => 0,
            (_, Err(Fails)) => START,
            (Ok(()), Ok(())) => run.steps(),
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
