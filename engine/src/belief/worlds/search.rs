//! The search for the most plausible histories that fit what someone has observed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{
    At, Done, HISTORIES_MAX, Happening, History, Meant, Observation, Observed, Plausible, State,
    TooManyHistories, What, Worlds, effects,
};
use crate::belief::Source;
use crate::id::CharacterId;
use crate::id::PlaceId;
use crate::world::{Act, Item, Telling, Trust, Value};

/// The search through all states of the world between two observations, ordered by the number of slips it takes to
/// get there, and then by how early they are.
pub(super) struct Search<'a> {
    worlds: &'a Worlds,
    owner: CharacterId,
    observed: &'a Observed,
    /// For each item, the values that later observations show: items only come back to these.
    later: Vec<Vec<BTreeSet<Value>>>,
    /// For each earlier observation of being told something, what she then made of it.
    verdicts: Vec<Meant>,
    nodes: Vec<Node>,
}

/// The cost of a history: how many slips it has, how early they are, and how many things are carried along in them.
type Cost = [usize; 3];

/// A possible next state, what a slip carries along (`None` if it is not a slip), and what happens.
type Next = (State, Option<usize>, Vec<Happening>);

struct Node {
    /// The number of observations made so far.
    made: usize,
    state: State,
    cost: Cost,
    /// The nodes from which this one is reached at that cost, each with what happens on the way.
    before: Vec<(usize, Vec<Happening>)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(worlds: &'a Worlds, owner: CharacterId, observed: &'a Observed) -> Self {
        let count = observed.observations.len();
        let mut later = vec![vec![BTreeSet::new(); worlds.items.len()]; count + 1];
        for (at, (_, observation)) in observed.observations.iter().enumerate().rev() {
            later[at] = later[at + 1].clone();
            let seen: Vec<(Item, Value)> = match observation {
                Observation::Done(done, look) => {
                    done.shown.iter().chain(look.iter().flatten()).copied().collect()
                }
                Observation::Comes(_, _, look) => look.iter().flatten().copied().collect(),
                Observation::Goes(_) | Observation::Told(..) => Vec::new(),
            };
            for (item, value) in seen {
                later[at][worlds.column(item)].insert(value);
            }
        }
        Self { worlds, owner, observed, later, verdicts: Vec::new(), nodes: Vec::new() }
    }

    /// Finds all most plausible histories.
    pub(super) fn run(mut self) -> Result<Vec<Plausible>, TooManyHistories> {
        for (made, (_, observation)) in self.observed.observations.iter().enumerate() {
            let verdict = self.verdict_of(made, observation);
            self.verdicts.push(verdict);
        }
        let ends = self.cheapest(self.observed.observations.len(), |_| true);
        let mut plausible = Vec::new();
        for end in ends {
            self.follow(end, &mut Vec::new(), &self.nodes[end].state, &mut plausible)?;
        }
        Ok(plausible)
    }

    /// What she makes of being told something, judging by what she believes at that point, not by what she knows later.
    fn verdict_of(&mut self, made: usize, observation: &Observation) -> Meant {
        let Observation::Done(Done { event, act: Act::Tell(telling), shown, .. }, _) = observation else {
            return Meant::AsBefore;
        };
        let is_shown = shown.iter().any(|&(item, _)| item == telling.item);
        if event.who == self.owner || is_shown {
            return Meant::AsBefore;
        }
        let worlds = self.worlds;
        let fits = |state: &State| {
            shown.iter().all(|&(item, value)| state.at[worlds.column(item)].value() == Some(value))
        };
        let ends = self.cheapest(made, fits);
        let verdicts = ends.iter().map(|&end| {
            let mut state = self.nodes[end].state.clone();
            shown.iter().for_each(|&(item, value)| {
                self.see(&mut state, item, value);
            });
            self.verdict(&state, event.who, telling)
        });
        let verdicts: Vec<Meant> = verdicts.collect();
        let is_one = verdicts.windows(2).all(|two| two[0] == two[1]);
        if is_one { verdicts[0] } else { Meant::Unclear }
    }

    /// The cheapest states in which `end` observations have been made and `is_end` holds. Leaves all states that cost no
    /// more in `nodes`, with all ways that lead there at that cost (Dijkstra's algorithm).
    fn cheapest(&mut self, end: usize, is_end: impl Fn(&State) -> bool) -> Vec<usize> {
        let mut found: BTreeMap<(usize, State), usize> = BTreeMap::new();
        let mut open: BTreeSet<(Cost, usize, usize)> = BTreeSet::new();
        let start = State { at: self.observed.start.clone(), left: BTreeMap::new() };
        found.insert((0, start.clone()), 0);
        self.nodes = vec![Node { made: 0, state: start, cost: [0; 3], before: Vec::new() }];
        open.insert(([0; 3], 0, 0));
        let mut best: Option<Cost> = None;
        let mut ends = Vec::new();
        // At equal cost, fewer observations first: all ways to a node are known when its turn comes.
        while let Some((cost, made, node)) = open.pop_first() {
            if best.is_some_and(|best| best < cost) {
                break;
            }
            if made == end && is_end(&self.nodes[node].state) {
                best = Some(cost);
                ends.push(node);
                continue;
            }
            for (next, slip, happenings) in self.next(node) {
                let [slips, earliness, carried] = cost;
                let (made, cost) = match slip {
                    None => (made + 1, cost),
                    Some(more) => (made, [slips + 1, earliness + end - made, carried + more]),
                };
                if made > end {
                    continue;
                }
                let id = *found.entry((made, next.clone())).or_insert_with(|| {
                    self.nodes.push(Node { made, state: next, cost: [usize::MAX; 3], before: Vec::new() });
                    self.nodes.len() - 1
                });
                let reached = &mut self.nodes[id];
                if cost < reached.cost {
                    open.remove(&(reached.cost, made, id));
                    (reached.cost, reached.before) = (cost, Vec::new());
                    open.insert((cost, made, id));
                }
                if cost == reached.cost {
                    reached.before.push((node, happenings));
                }
            }
        }
        ends
    }

    /// Follows all ways from the start to a node, each with what comes after it.
    fn follow(
        &self,
        node: usize,
        after: &mut Vec<Happening>,
        end: &State,
        plausible: &mut Vec<Plausible>,
    ) -> Result<(), TooManyHistories> {
        if self.nodes[node].before.is_empty() {
            let start = self.observed.start.iter().map(|at| at.value()).collect();
            let happenings = after.iter().rev().cloned().collect();
            let history = Rc::new(History { is_real: false, start, happenings });
            plausible.push(Plausible { history, end: end.clone() });
            return if plausible.len() > HISTORIES_MAX { Err(TooManyHistories) } else { Ok(()) };
        }
        for (before, happenings) in &self.nodes[node].before {
            let length = after.len();
            after.extend(happenings.iter().rev().cloned());
            self.follow(*before, after, end, plausible)?;
            after.truncate(length);
        }
        Ok(())
    }

    /// The possible next states: by the next observation, or by a slip.
    fn next(&self, node: usize) -> Vec<Next> {
        let Node { made, state, .. } = &self.nodes[node];
        let (step, observation) = &self.observed.observations[*made];
        let mut next = Vec::new();
        let verdict = self.verdicts.get(*made).copied();
        if let Some(verdict) = verdict
            && let Some((after, what)) = self.make(state, *step, observation, verdict)
        {
            let happening = |what| Happening { step: *step, what, missed: Vec::new() };
            next.push((after, None, what.into_iter().map(happening).collect()));
        }
        // Who is noticed to miss the event may have missed before what it shows.
        let absent: &[CharacterId] =
            if let Observation::Done(done, ..) = observation { &done.noticed } else { &[] };
        let missed: Vec<Vec<CharacterId>> = subsets(absent);
        for (column, &item) in self.worlds.items.iter().enumerate() {
            let is_her_own = item == Item::Character(self.owner)
                || state.at[column].value() == Some(Value::Hands(self.owner));
            if is_her_own {
                continue; // that she cannot miss
            }
            let slips: Vec<(At, What)> = match state.at[column] {
                At::Known(..) => vec![(At::Nowhere { is_seen: false }, What::Goes(item))],
                At::Nowhere { .. } => {
                    let comes = |&value: &Value| (At::Known(value, Source::Seen), What::Comes(item, value));
                    let is_missed = |value: &&Value| **value != Value::Hands(self.owner);
                    self.later[*made][column].iter().filter(is_missed).map(comes).collect()
                }
            };
            let in_hand = |at: &&At| at.value().is_some() && at.value() == item.character().map(Value::Hands);
            let carried = state.at.iter().filter(in_hand).count();
            for (at, what) in slips {
                let mut after = state.clone();
                self.put(&mut after, item, at, *step);
                for missed in &missed {
                    let slip = Happening { step: *step, what: what.clone(), missed: missed.clone() };
                    next.push((after.clone(), Some(carried), vec![slip]));
                }
            }
        }
        next
    }

    fn put(&self, state: &mut State, item: Item, at: At, step: usize) {
        let column = self.worlds.column(item);
        let before = std::mem::replace(&mut state.at[column], at);
        if self.worlds.stage.trust == Trust::LaterLeaver
            && let (Item::Character(who), Some(Value::Place(place))) = (item, before.value())
            && at.value() != before.value()
        {
            state.left.insert((who, place), step);
        }
    }

    /// The state after an observation, and what has happened; `None` if the observation is impossible in this state.
    fn make(
        &self,
        state: &State,
        step: usize,
        observation: &Observation,
        verdict: Meant,
    ) -> Option<(State, Vec<What>)> {
        let mut after = state.clone();
        match observation {
            Observation::Goes(item) => {
                self.put(&mut after, *item, At::Nowhere { is_seen: true }, step);
                Some((after, vec![What::Goes(*item)]))
            }
            Observation::Comes(item, value, look) => {
                self.is_nowhere(&after, *item).then_some(())?;
                self.put(&mut after, *item, At::Known(*value, Source::Seen), step);
                if let (Some(look), Value::Place(place)) = (look, value) {
                    self.look_about(&mut after, look, *place).then_some(())?;
                }
                Some((after, vec![What::Comes(*item, *value)]))
            }
            Observation::Told(item, value) => {
                self.is_nowhere(&after, *item).then_some(())?;
                self.put(&mut after, *item, At::Known(*value, Source::Seen), step);
                Some((after, vec![What::Told(*item, *value)]))
            }
            Observation::Done(done, look) => {
                if !done.shown.iter().all(|&(item, value)| self.see(&mut after, item, value)) {
                    return None;
                }
                let mut happened = Vec::new();
                let mut done = done.clone();
                if let Act::Tell(telling) = &done.act {
                    if done.event.who != self.owner {
                        done.meant = verdict;
                    }
                    happened.extend(self.mean(&mut after, telling, done.meant, done.event.who, step));
                }
                for (item, value) in effects(&done) {
                    self.put(&mut after, item, At::Known(value, Source::Seen), step);
                }
                if let Some(look) = look {
                    self.look_about(&mut after, look, done.event.to).then_some(())?;
                }
                happened.push(What::Done(done));
                Some((after, happened))
            }
        }
    }

    /// Takes in what is said by someone who is trusted in it, or by oneself as others take it. If the item was elsewhere
    /// before, it has gone from there.
    fn mean(
        &self,
        state: &mut State,
        telling: &Telling,
        meant: Meant,
        speaker: CharacterId,
        step: usize,
    ) -> Vec<What> {
        let Telling { item, value, .. } = *telling;
        let held = state.at[self.worlds.column(item)].value();
        if held == Some(value) {
            return Vec::new();
        }
        let goes = held.map(|_| What::Goes(item));
        match meant {
            Meant::AsSaid => {
                self.put(state, item, At::Known(value, Source::Heard), step);
                goes.into_iter().chain([What::Told(item, value)]).collect()
            }
            Meant::Unclear if speaker == self.owner => {
                self.put(state, item, At::Nowhere { is_seen: true }, step);
                goes.into_iter().collect()
            }
            Meant::Unclear | Meant::AsBefore => Vec::new(),
        }
    }

    /// What a hearer makes of what someone else says.
    fn verdict(&self, state: &State, speaker: CharacterId, telling: &Telling) -> Meant {
        let Telling { item, value, .. } = *telling;
        let at = state.at[self.worlds.column(item)];
        let own_hand = Some(Value::Hands(self.owner));
        if item == Item::Character(self.owner) || at.value() == own_hand || Some(value) == own_hand {
            return Meant::AsBefore;
        }
        if let Some(believers) = &telling.believers {
            return if believers.contains(&self.owner) { Meant::AsSaid } else { Meant::AsBefore };
        }
        let is_trusted = match self.worlds.stage.trust {
            Trust::Always => true,
            Trust::Never => false,
            Trust::LaterLeaver if self.scene(value).is_some() => {
                let scene = self.scene(value);
                let left = |who: CharacterId| {
                    let is_there = self.worlds.place(&self.world(state), who) == scene;
                    let last = scene.and_then(|scene| state.left.get(&(who, scene)));
                    (is_there, last.filter(|_| !is_there))
                };
                left(speaker) > left(self.owner)
            }
            Trust::LaterLeaver | Trust::UnlessKnownBetter => match at {
                At::Known(known, Source::Seen) => known == value,
                At::Known(_, Source::Heard) | At::Nowhere { is_seen: false } => true,
                At::Nowhere { is_seen: true } => return Meant::Unclear,
            },
        };
        if is_trusted { Meant::AsSaid } else { Meant::AsBefore }
    }

    /// The place that a claim is about.
    fn scene(&self, value: Value) -> Option<PlaceId> {
        match value {
            Value::Place(place) => Some(place),
            Value::Container(container) => Some(self.worlds.stage.containers[container.index()].place),
            Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => None,
        }
    }

    fn world(&self, state: &State) -> Vec<Option<Value>> {
        state.at.iter().map(|at| at.value()).collect()
    }

    fn is_nowhere(&self, state: &State, item: Item) -> bool {
        state.at[self.worlds.column(item)].value().is_none()
    }

    /// Whether she can see that an item has this value; if so, she then has seen it.
    fn see(&self, state: &mut State, item: Item, value: Value) -> bool {
        let at = &mut state.at[self.worlds.column(item)];
        let fits = at.value() == Some(value);
        if fits {
            *at = At::Known(value, Source::Seen);
        }
        fits
    }

    /// Whether she can have this look at a place: everything that is seen is so, and nobody and nothing else is there
    /// to be seen.
    fn look_about(&self, state: &mut State, look: &[(Item, Value)], place: PlaceId) -> bool {
        let is_seen = |item: Item| look.iter().any(|&(other, _)| other == item);
        let is_open = |lid: Item| look.contains(&(lid, Value::Truth(true)));
        let fits = look.iter().all(|&(item, value)| self.see(state, item, value));
        fits && self.worlds.items.iter().zip(&state.at).all(|(&item, at)| {
            let would_be_seen = match at.value() {
                Some(Value::Place(at)) => at == place,
                Some(Value::Container(container)) => is_open(Item::Lid(container)),
                Some(Value::Hands(who)) => is_seen(Item::Character(who)),
                Some(Value::Truth(_) | Value::Case(_) | Value::NoCase) | None => false,
            };
            !would_be_seen || is_seen(item)
        })
    }
}

fn subsets(all: &[CharacterId]) -> Vec<Vec<CharacterId>> {
    let Some((first, rest)) = all.split_first() else { return vec![Vec::new()] };
    let without = subsets(rest);
    let with = without.iter().map(|some| [some.as_slice(), &[*first]].concat());
    with.chain(without.iter().cloned()).collect()
}
