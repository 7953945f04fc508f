//! What shortcuts answer that a row does not tell, and where the target has been: for what is balanced.

use std::cmp::Reverse;

use crate::id::{CharacterId, PlaceId};
use crate::plan::{Plan, Question, Shortcut, Staging, Target};
use crate::question::{Answer, Foils, reality};
use crate::simulate::Story;
use crate::world::{Act, ActInWorld, Event, Item, Scene, Telling, Value};

/// The places where the target of a question and its first character have been, in order, each with the number of steps
/// until they came there.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    target: Vec<(usize, Answer)>,
    own: Vec<(usize, Answer)>,
    /// Where all of the question's characters came together.
    common: Vec<Answer>,
    /// Where the question's first character and the target came together.
    meetings: Vec<Answer>,
    /// Where the innermost mind's owner and the target came together last.
    inner_meeting: Option<Answer>,
    /// Where a character of the question last went, whoever it was.
    last_named: Option<Answer>,
    /// The place last named with the owner of the outermost mind, with the target, with both, and with the innermost mind's
    /// owner and the target; only where people do more than walk.
    named_with: [Option<Answer>; 4],
    /// For each place, how often people went there and the first step at which someone did.
    named: Vec<(usize, usize)>,
    /// Where everyone is at the end.
    ends: Vec<PlaceId>,
    /// Where all of the question's characters started, if they started together.
    common_start: Option<Answer>,
    /// Where all of the question's characters came together, and where she is at the end; only where people do more than
    /// walk.
    foils: Foils,
}

impl Paths {
    /// Follows a story of people who only walk. Costs O(events + moves of the question's characters).
    fn of_walk(&mut self, members: &[CharacterId], story: &Story) {
        let trace = &story.trace;
        let (own, target) = (members[0], members[members.len() - 1]);
        let mut places: Vec<_> = members.iter().map(|who| trace.start[who.index()]).collect();
        self.ends.extend_from_slice(&trace.start);
        trace.events.iter().for_each(|event| self.ends[event.who.index()] = event.to);
        let is_common = places.iter().all(|&place| place == places[0]);
        self.common_start = is_common.then_some(Answer::Place(places[0]));
        self.target.push((0, Answer::Place(trace.start[target.index()])));
        self.own.push((0, Answer::Place(trace.start[own.index()])));
        for (step, event) in trace.events.iter().enumerate() {
            let (count, first) = &mut self.named[event.to.index()];
            *first = if *count == 0 { step } else { *first };
            *count += 1;
            let Some(at) = members.iter().position(|&member| member == event.who) else { continue };
            // A chain may name someone twice.
            members.iter().zip(&mut places).filter(|&(&who, _)| who == event.who).for_each(|(_, place)| {
                *place = event.to;
            });
            let to = Answer::Place(event.to);
            self.last_named = Some(to);
            if at == 0 {
                self.own.push((step + 1, to));
            }
            if event.who == target {
                self.target.push((step + 1, to));
            }
            if places.iter().all(|&place| place == event.to) {
                self.common.push(to);
            }
            let last = places.len() - 1;
            let meets = |at: usize| places[at] == places[last] && [members[at], target].contains(&event.who);
            if meets(0) {
                self.meetings.push(to);
            }
            if last > 0 && meets(last - 1) {
                self.inner_meeting = Some(to);
            }
        }
    }

    /// Follows a story in which people do more than walk. Costs as much as following its state of affairs.
    fn of_deeds(&mut self, minds: &[CharacterId], target: Item, (story, has_places): (&Story, bool)) {
        let (own, inner) = (minds[0], minds[minds.len() - 1]);
        let trace = &story.trace;
        let mut scene = Scene::new(&trace.start, &trace.stage);
        self.target.push((0, reality(&scene, target)));
        self.own.push((0, Answer::Place(scene.place(own))));
        let mut together = together_at(&scene, minds, target);
        for (step, &event) in trace.events.iter().enumerate() {
            let act = trace.deeds.get(step).map_or(&Act::Go, |deed| &deed.act);
            scene.apply(event, act);
            let (is_hers, is_about) = (event.who == own, is_about(act, target));
            let names = [is_hers, is_about, is_hers && is_about, event.who == inner && is_about];
            for (named, is_named) in self.named_with.iter_mut().zip(names) {
                *named = if is_named { place_said(event, act).or(*named) } else { *named };
            }
            let now = [Answer::Place(scene.place(own)), reality(&scene, target)];
            for (path, now) in [&mut self.own, &mut self.target].into_iter().zip(now) {
                if path.last().is_some_and(|&(_, last)| last != now) {
                    path.push((step + 1, now));
                    self.last_named = Some(now);
                }
            }
            let before = std::mem::replace(&mut together, together_at(&scene, minds, target));
            // People come together; an object is found wherever it is.
            if together != before || matches!(target, Item::Object(_)) {
                self.foils.first_common_place = self.foils.first_common_place.or(together);
                self.foils.last_common_place = together.or(self.foils.last_common_place);
            }
        }
        self.foils.own_place = has_places.then(|| Answer::Place(scene.place(own)));
    }

    /// What shortcuts answer that a row tells, but for that of lower order; only where people do more than walk.
    pub fn foils(&self) -> &Foils {
        &self.foils
    }

    /// What is really so of the target at the end.
    pub fn truth(&self) -> Answer {
        self.target[self.target.len() - 1].1
    }

    /// Follows a story.
    pub fn follow(&mut self, plan: &Plan, question: &Question, story: &Story) {
        self.target.clear();
        self.own.clear();
        self.common.clear();
        self.meetings.clear();
        (self.last_named, self.inner_meeting, self.common_start) = (None, None, None);
        self.named_with = [None; 4];
        self.foils = Foils::default();
        self.ends.clear();
        self.named.clear();
        self.named.resize(plan.map.place_count(), (0, 0));
        match question.target {
            Target::Item(Item::Character(target)) if plan.things().is_none() => {
                let members: Vec<CharacterId> = question.others.iter().copied().chain([target]).collect();
                self.of_walk(&members, story);
            }
            Target::Item(target) => {
                let is_object = matches!(target, Item::Object(_));
                let has_places = !is_object || plan.things().is_some_and(Staging::has_objects_in_places);
                self.of_deeds(&question.others, target, (story, has_places));
            }
            Target::Attitude(_) | Target::Matter(_) => {}
        }
    }

    /// The rank of an answer when all places are ordered by how many shortcuts name them; 0: the one most name. Ties are
    /// broken by an order of places that rotates from story to story.
    ///
    /// Costs O(places · shortcuts).
    pub fn votes(&self, plan: &Plan, story: &Story, answer: Answer, foils: &Foils) -> Option<usize> {
        let named = Shortcut::ALL.map(|(shortcut, _)| self.answer(plan, shortcut, foils));
        let count = plan.map.place_count();
        let standing = |place: PlaceId| {
            let votes = named.iter().filter(|named| **named == Some(Answer::Place(place))).count();
            (votes, (place.index() + (story.index % count as u64) as usize) % count)
        };
        let own = standing(answer.place()?);
        Some(plan.map.places().filter(|&other| standing(other) > own).count())
    }

    /// How many moves the target made after its last move to this answer; `None` if it has never been there.
    pub fn rank(&self, answer: Answer) -> Option<usize> {
        self.target.iter().rev().position(|&(_, place)| place == answer)
    }

    /// How many other places the target has been in since it was last at this answer; `None` if it has never been there.
    pub fn recency(&self, answer: Answer) -> Option<usize> {
        let later = &self.target[self.target.len() - self.rank(answer)?..];
        let is_new = |at: &usize| later[..*at].iter().all(|&(_, other)| other != later[*at].1);
        Some((0..later.len()).filter(is_new).count())
    }

    /// How often people went to each place.
    fn visits(&self, plan: &Plan) -> impl Iterator<Item = (Answer, usize)> {
        plan.map.places().zip(&self.named).map(|(place, &(count, _))| (Answer::Place(place), count))
    }

    /// The answer of a shortcut, if it has one; `foils` are those of the same story.
    pub fn answer(&self, plan: &Plan, shortcut: Shortcut, foils: &Foils) -> Option<Answer> {
        let nth_last =
            |path: &[(usize, Answer)], back: usize| path.len().checked_sub(back + 1).map(|at| path[at].1);
        // Where one was when the other moved last.
        let then = |path: &[(usize, Answer)], other: &[(usize, Answer)]| {
            let &(moved, _) = other.get(1..)?.last()?;
            path.iter().rev().find(|&&(came, _)| came <= moved).map(|&(_, place)| place)
        };
        match shortcut {
            Shortcut::LastPlace(back) => nth_last(&self.target, usize::from(back)),
            Shortcut::FirstPlace => self.target.get(1).map(|&(_, place)| place),
            Shortcut::StartPlace => self.target.first().map(|&(_, place)| place),
            Shortcut::UsualPlace => usual(&self.target),
            Shortcut::LeastUsualPlace => {
                let visits = |place: Answer| self.target.iter().filter(|&&(_, other)| other == place).count();
                only_greatest(
                    plan.map.places().map(Answer::Place).map(|place| (place, Reverse(visits(place)))),
                )
            }
            Shortcut::FirstCommonPlace => foils.first_common_place,
            Shortcut::LastCommonPlace => foils.last_common_place,
            Shortcut::SecondLastCommonPlace => self.common.iter().rev().nth(1).copied(),
            Shortcut::LastCommonOrStart => foils.last_common_place.or(self.common_start),
            Shortcut::FirstMeetingPlace => self.meetings.first().copied(),
            Shortcut::LastMeetingPlace => self.meetings.last().copied(),
            Shortcut::SecondLastMeetingPlace => self.meetings.iter().rev().nth(1).copied(),
            Shortcut::LastInnerMeetingPlace => self.inner_meeting,
            Shortcut::OwnPlace => foils.own_place,
            Shortcut::OwnSecondLastPlace => nth_last(&self.own, 1),
            Shortcut::OwnFirstPlace => self.own.get(1).map(|&(_, place)| place),
            Shortcut::OwnUsualPlace => usual(&self.own),
            Shortcut::OwnPlaceThen => then(&self.own, &self.target),
            Shortcut::PlaceAtOwnLastMove => then(&self.target, &self.own),
            Shortcut::LastMoveOfAny => self.last_named,
            Shortcut::FirstNamed => {
                let named = plan.map.places().zip(&self.named).filter(|(_, (count, _))| *count > 0);
                named.min_by_key(|(_, (_, first))| *first).map(|(place, _)| Answer::Place(place))
            }
            Shortcut::MostVisitedPlace => only_greatest(self.visits(plan)),
            Shortcut::LeastVisitedPlace => {
                only_greatest(self.visits(plan).map(|(place, visits)| (place, Reverse(visits))))
            }
            Shortcut::Crowd => {
                let count = |place| self.ends.iter().filter(|&&end| end == place).count();
                only_greatest(plan.map.places().map(|place| (Answer::Place(place), count(place))))
            }
            Shortcut::LastNamedWithHer => self.named_with[0],
            Shortcut::LastNamedWithTarget => self.named_with[1],
            Shortcut::LastNamedWithBoth => self.named_with[2],
            Shortcut::LastNamedWithInner => self.named_with[3],
            Shortcut::LowerOrder => foils.lower_order,
        }
    }
}

/// Where the target is, if everyone is there and sees it.
fn together_at(scene: &Scene, everyone: &[CharacterId], target: Item) -> Option<Answer> {
    let place = match target {
        Item::Character(who) => Some(scene.place(who)),
        Item::Object(object) => scene.visible_in(object),
        Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => None,
    }?;
    everyone.iter().all(|&who| scene.place(who) == place).then(|| reality(scene, target))
}

/// Whether the sentence of an event names the target.
fn is_about(act: &Act, target: Item) -> bool {
    match act {
        Act::Tell(telling) => telling.item == target,
        _ => act.object().map(Item::Object) == Some(target),
    }
}

/// The last place that the sentence of an event names, if somebody went there, threw something there, or spoke of it.
const fn place_said(event: Event, act: &Act) -> Option<Answer> {
    match act {
        Act::Go | Act::GoTogether(_) | Act::Carry(_) => Some(Answer::Place(event.to)),
        Act::Throw(_, place) => Some(Answer::Place(*place)),
        Act::Put(_, value) | Act::Tell(Telling { value, .. }) => match value {
            Value::Place(place) => Some(Answer::Place(*place)),
            Value::Container(container) => Some(Answer::Container(*container)),
            _ => None,
        },
        Act::MoveObject(_, container) => Some(Answer::Container(*container)),
        _ => None,
    }
}

/// The place where someone has been most often, if there is only one.
fn usual(path: &[(usize, Answer)]) -> Option<Answer> {
    let visits = |place: Answer| path.iter().filter(|&&(_, other)| other == place).count();
    let is_new = |at: &usize| path[..*at].iter().all(|&(_, other)| other != path[*at].1);
    let places = (0..path.len()).filter(is_new).map(|at| path[at].1);
    only_greatest(places.map(|place| (place, visits(place))))
}

/// The answer with the greatest number, if no other has it.
fn only_greatest<N: Ord>(all: impl Iterator<Item = (Answer, N)>) -> Option<Answer> {
    let mut greatest: Option<(Answer, N, bool)> = None;
    for (one, number) in all {
        greatest = match greatest {
            Some((first, most, _)) if most == number => Some((first, most, false)),
            Some(known) if known.1 > number => Some(known),
            _ => Some((one, number, true)),
        };
    }
    greatest.filter(|&(_, _, is_only)| is_only).map(|(one, _, _)| one)
}
