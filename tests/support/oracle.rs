//! Answers worked out from the nested oracle, without the code that answers questions.

use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::id::{CharacterId, PlaceId, PropositionId};
use storysim::plan::{Moment, Question, Target};
use storysim::question::{Answer, Verdict};
use storysim::storyboard::QuestionKind;
use storysim::trace::Trace;
use storysim::world::{ActInWorld, Deed, Item, Scene, Value};

/// What a chain of minds would answer of an item; if nothing, why not.
fn opinion(trace: &Trace, minds: &[CharacterId], item: Item) -> Result<Answer, Held> {
    let chain = Chain::new(minds, item);
    opinion_of(&Mind::after_along(trace, &chain), chain.minds(), item)
}

fn opinion_of(reality: &Mind, minds: &[CharacterId], item: Item) -> Result<Answer, Held> {
    match reality.held(minds, item).expect("there is such an item") {
        Held::Known(Value::Hands(holder), _) => opinion_of(reality, minds, Item::Character(holder)),
        Held::Known(Value::Place(place), _) => Ok(Answer::Place(place)),
        Held::Known(Value::Container(container), _) => Ok(Answer::Container(container)),
        Held::Known(Value::Truth(is_true), _) => Ok(yes_or_no(is_true)),
        open => Err(open),
    }
}

fn yes_or_no(is_so: bool) -> Answer {
    Answer::Verdict(if is_so { Verdict::Yes } else { Verdict::No })
}

/// Where everyone is before the first event and after each.
pub fn places(trace: &Trace) -> Vec<Vec<PlaceId>> {
    let mut all = vec![trace.start.clone()];
    for (step, event) in trace.events.iter().enumerate() {
        let mut next = all[step].clone();
        for mover in movers(trace, step) {
            next[mover.index()] = event.to;
        }
        all.push(next);
    }
    all
}

fn movers(trace: &Trace, step: usize) -> Vec<CharacterId> {
    let plain = Deed::default();
    let deed = trace.deeds.get(step).unwrap_or(&plain);
    Scene::movers(trace.events[step], &deed.act).collect()
}

/// The answer at the end of a story, worked out without the code that answers questions.
#[expect(clippy::too_many_lines, reason = "an arm for each kind of question")]
pub fn independent_answer(trace: &Trace, asked: &Question) -> Option<Answer> {
    let characters: Vec<CharacterId> = (0..trace.start.len()).map(CharacterId::new).collect();
    let minds = asked.others.as_slice();
    let item =
        if let Target::Item(item) = asked.target { item } else { Item::Character(CharacterId::new(0)) };
    let people = |is_so: &dyn Fn(CharacterId) -> Option<bool>| {
        let mut bits = 0;
        for &character in &characters {
            bits |= u64::from(is_so(character)?) << character.index();
        }
        Some(Answer::People(bits))
    };
    match asked.kind {
        QuestionKind::Belief | QuestionKind::Reality => match opinion(trace, minds, item) {
            Err(Held::Nothing) if matches!(item, Item::Proposition(_) | Item::Lid(_)) => {
                Some(Answer::Verdict(Verdict::Unknown))
            }
            answer => answer.ok(),
        },
        QuestionKind::BeliefIn
        | QuestionKind::Emotion
        | QuestionKind::Intention
        | QuestionKind::Action
        | QuestionKind::Changed
        | QuestionKind::Cause
        | QuestionKind::Influence
        | QuestionKind::Course => unreachable!("there are no prospects"),
        QuestionKind::Start => opinion_of(&Mind::begin(trace, 0), &[], item).ok(),
        QuestionKind::Knows => {
            let outer = &minds[..minds.len() - 1];
            let is_so = match (opinion(trace, outer, item), opinion(trace, minds, item)) {
                (really, held) if outer.is_empty() => held == really,
                (_, Err(Held::Nothing)) => false,
                (Ok(really), Ok(held)) => held == really,
                _ => return None,
            };
            Some(yes_or_no(is_so))
        }
        QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
            let wanted = opinion(trace, minds, item).ok()?;
            // Of minds that a reader has to give up, it is open who has them.
            people(&|y| {
                let chain = Chain::new(&[&[y], minds].concat(), item);
                let is_lost = Mind::after_along(trace, &chain).is_lost(chain.minds());
                (!is_lost).then(|| opinion(trace, chain.minds(), item) == Ok(wanted))
            })
        }
        QuestionKind::WhoLikes | QuestionKind::WhoDislikes => {
            let first = trace.stage.propositions.len() - characters.len();
            let wanted = yes_or_no(asked.kind == QuestionKind::WhoLikes);
            people(&|y| {
                let attitude = Item::Proposition(PropositionId::new(first + y.index()));
                match opinion(trace, minds, attitude) {
                    Ok(answer) => Some(answer == wanted),
                    Err(Held::Unclear) => None,
                    Err(_) => Some(false),
                }
            })
        }
        QuestionKind::World | QuestionKind::WorldThings => {
            let places = places(trace);
            let target = item.character()?;
            let is_together =
                |at: &Vec<PlaceId>| minds.iter().all(|other| at[other.index()] == at[target.index()]);
            let last = places.iter().rposition(is_together)?;
            let goes = |step: &usize| {
                let movers = movers(trace, *step);
                movers.contains(&target) || minds.iter().any(|other| movers.contains(other))
            };
            let step = (last..trace.events.len()).find(goes)?;
            movers(trace, step).contains(&target).then_some(Answer::Place(trace.events[step].to))
        }
        QuestionKind::Honest
        | QuestionKind::Why
        | QuestionKind::Present
        | QuestionKind::Stands
        | QuestionKind::CouldLie
        | QuestionKind::SeesThrough => unreachable!("only conversations have matters"),
        QuestionKind::Following => {
            let places = places(trace);
            let follower = item.character()?;
            let moves: Vec<usize> =
                (0..trace.events.len()).filter(|&step| movers(trace, step).contains(&follower)).collect();
            let fits = |other: &CharacterId| {
                *other != follower
                    && moves.iter().all(|&step| places[step + 1][other.index()] == trace.events[step].to)
            };
            let fitting: Vec<CharacterId> = characters.iter().copied().filter(fits).collect();
            (fitting.len() == 1 && !moves.is_empty()).then(|| Answer::Character(fitting[0]))
        }
    }
}

/// The story in which only these steps happen, which can be.
pub fn told(trace: &Trace, steps: &[usize]) -> Trace {
    let deed = |step: &usize| trace.deeds.get(*step).cloned().unwrap_or_default();
    Trace {
        events: steps.iter().map(|&step| trace.events[step]).collect(),
        deeds: steps.iter().map(deed).collect(),
        ..trace.clone()
    }
}

/// What `steps` of a story are called in the story of some `steps` alone; none, if it does not have them.
pub fn renumbered(evidence: &[usize], steps: &[usize]) -> Option<Vec<usize>> {
    evidence.iter().map(|step| steps.binary_search(step).ok()).collect()
}

/// The steps that a question asks of; none, if they cannot happen as they did.
pub fn steps_of(trace: &Trace, moment: Moment) -> Option<Vec<usize>> {
    let all = 0..trace.events.len();
    let Moment::Without(missing) = moment else {
        return Some(if let Moment::Before(step) = moment {
            all.take(step).collect()
        } else {
            all.collect()
        });
    };
    let mut scene = Scene::new(&trace.start, &trace.stage);
    let steps: Vec<usize> = all.filter(|&step| step != missing).collect();
    for &step in &steps {
        if !scene.allows(trace.events[step], &trace.deeds[step]) {
            return None;
        }
        scene.apply(trace.events[step], &trace.deeds[step].act);
    }
    Some(steps)
}

/// The definition, step by step: how far the last perception of the target is from when the belief became false.
/// `steps` says at which step of the whole story each event happened.
pub fn independent_distance(trace: &Trace, steps: &[usize], asked: &Question) -> Option<usize> {
    let Target::Item(item @ (Item::Character(_) | Item::Object(_))) = asked.target else { return None };
    let first = asked.others[0];
    let mut scene = Scene::new(&trace.start, &trace.stage);
    let chain = Chain::new(&asked.others, item);
    let mut reality = Mind::of_chain(trace, &chain);
    let (mut perceived, mut wrong) = (-1, Vec::new());
    for witnessed in trace.witnessed() {
        let act = &witnessed.deed.act;
        let movers: Vec<CharacterId> = Scene::movers(witnessed.event, act).collect();
        let is_moved = match item {
            Item::Character(target) => movers.contains(&target),
            Item::Object(object) => {
                let holder = if let Value::Hands(holder) = scene.value(item) { Some(holder) } else { None };
                act.object() == Some(object) || holder.is_some_and(|holder| movers.contains(&holder))
            }
            Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => unreachable!("it is somewhere"),
        };
        reality.happen(&witnessed);
        scene.apply(witnessed.event, act);
        let sees = scene.look(scene.place(first)).iter().any(|&(seen, _)| seen == item);
        if sees || is_moved && witnessed.witnesses.contains(&first) {
            perceived = steps[witnessed.step] as isize;
        }
        wrong.push(opinion_of(&reality, chain.minds(), item) != opinion_of(&reality, &[], item));
    }
    let since = wrong.iter().rposition(|is_wrong| !is_wrong).map_or(0, |right| right + 1);
    Some((steps[since] as isize - perceived - 1).max(0) as usize)
}
