//! Answers told again from the definition of belief with all minds written out, and from plain replays of the
//! story; no code is shared with what answers questions.

use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::id::{CharacterId, PlaceId, PropositionId};
use storysim::plan::{Moment, Plan, Question, Saying, Target};
use storysim::question::{Answer, Verdict};
use storysim::storyboard::QuestionKind;
use storysim::trace::Trace;
use storysim::world::{Act, Deed, Item, Scene, Value};

/// The same start, and nothing happens.
fn beginning(trace: &Trace) -> Trace {
    Trace { events: Vec::new(), deeds: Vec::new(), ..trace.clone() }
}

fn deed(trace: &Trace, step: usize) -> Deed {
    trace.deeds.get(step).cloned().unwrap_or_default()
}

fn scene(trace: &Trace) -> Scene {
    let mut scene = Scene::new(&trace.start, &trace.stage);
    for (step, &event) in trace.events.iter().enumerate() {
        scene.apply(event, &deed(trace, step).act);
    }
    scene
}

/// The story of which a question asks, and the steps that it has; none, if it cannot be.
pub fn story_of(question: &Question, trace: &Trace) -> Option<(Trace, Vec<usize>)> {
    let (mut story, mut steps) = (beginning(trace), Vec::new());
    for step in 0..trace.events.len() {
        match question.moment {
            Moment::Before(before) if step >= before => break,
            Moment::Without(without) if step == without => continue,
            _ => {}
        }
        let (event, deed) = (trace.events[step], deed(trace, step));
        if !scene(&story).allows(event, &deed) {
            return None;
        }
        story.events.push(event);
        story.deeds.push(deed);
        steps.push(step);
    }
    Some((story, steps))
}

/// What a mind says of an item.
#[derive(Clone, Copy, PartialEq)]
enum View {
    Is(Answer),
    NoIdea,
    Unclear,
}

fn view(story: &Trace, minds: &[CharacterId], item: Item) -> View {
    let chain = Chain::new(minds, item);
    view_of(&Mind::after_along(story, &chain), chain.minds(), item)
}

fn view_of(reality: &Mind, minds: &[CharacterId], item: Item) -> View {
    match reality.held(minds, item).expect("there is such an item") {
        Held::Nothing => View::NoIdea,
        Held::Unclear => View::Unclear,
        Held::Known(Value::Hands(holder), _) => view_of(reality, minds, Item::Character(holder)),
        Held::Known(value, _) => View::Is(answer_of(value)),
    }
}

fn answer_of(value: Value) -> Answer {
    match value {
        Value::Place(place) => Answer::Place(place),
        Value::Container(container) => Answer::Container(container),
        Value::Truth(true) => Answer::Verdict(Verdict::Yes),
        Value::Truth(false) => Answer::Verdict(Verdict::No),
        Value::Hands(_) | Value::Case(_) | Value::NoCase => unreachable!("no answer is one"),
    }
}

/// The answer to a question in a story that is told as it asks; none: it is not written.
pub fn answer(plan: &Plan, question: &Question, story: &Trace) -> Option<Answer> {
    let others = &question.others;
    let everyone = || (0..story.start.len()).map(CharacterId::new);
    let listed = |is_so: Vec<Option<bool>>| {
        let numbers = is_so.into_iter().enumerate();
        let bits: Option<Vec<u64>> = numbers.map(|(at, is_so)| Some(u64::from(is_so?) << at)).collect();
        bits.map(|bits| Answer::People(bits.iter().sum()))
    };
    if let Target::Attitude(thing) = question.target {
        let wanted = match question.kind {
            QuestionKind::WhoLikes => Answer::Verdict(Verdict::Yes),
            _ => Answer::Verdict(Verdict::No),
        };
        let staging = plan.staging.as_ref().unwrap();
        let attitude = |who| {
            let is_this = |says: &Saying| *says == Saying::Likes(who, thing);
            let at = staging.propositions.iter().position(|known| is_this(&known.says)).unwrap();
            Item::Proposition(PropositionId::new(at))
        };
        let judged = everyone().map(|who| match view(story, others, attitude(who)) {
            View::Is(answer) => Some(answer == wanted),
            View::NoIdea => Some(false),
            View::Unclear => None,
        });
        return listed(judged.collect());
    }
    let Target::Item(item) = question.target else { unreachable!() };
    match question.kind {
        QuestionKind::Belief | QuestionKind::Reality => match view(story, others, item) {
            View::Is(answer) => Some(answer),
            View::NoIdea if matches!(item, Item::Proposition(_)) => Some(Answer::Verdict(Verdict::Unknown)),
            View::NoIdea | View::Unclear => None,
        },
        QuestionKind::Start => match view(&beginning(story), &[], item) {
            View::Is(answer) => Some(answer),
            _ => unreachable!("reality is known"),
        },
        QuestionKind::Knows => {
            let (knower, outer) = others.split_last().unwrap();
            let known = view(story, &[outer, &[*knower]].concat(), item);
            let yes = match (view(story, outer, item), known) {
                (_, View::NoIdea) => false,
                (View::Is(outer), View::Is(known)) => outer == known,
                _ if outer.is_empty() => false,
                _ => return None,
            };
            Some(Answer::Verdict(if yes { Verdict::Yes } else { Verdict::No }))
        }
        QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
            let View::Is(asked) = view(story, others, item) else { return None };
            let says = |who| view(story, &[&[who][..], others].concat(), item) == View::Is(asked);
            listed(everyone().map(|who| Some(says(who))).collect())
        }
        QuestionKind::World | QuestionKind::WorldThings => {
            world(others, question.character(), story).map(Answer::Place)
        }
        QuestionKind::Honest
        | QuestionKind::Why
        | QuestionKind::Present
        | QuestionKind::Stands
        | QuestionKind::CouldLie
        | QuestionKind::SeesThrough => unreachable!("only conversations have matters"),
        QuestionKind::BeliefIn
        | QuestionKind::Emotion
        | QuestionKind::Intention
        | QuestionKind::Action
        | QuestionKind::Changed
        | QuestionKind::Cause
        | QuestionKind::Influence
        | QuestionKind::Course => unreachable!("there are no prospects"),
        QuestionKind::Following => following(question.character(), story).map(Answer::Character),
        QuestionKind::WhoLikes | QuestionKind::WhoDislikes => unreachable!("about attitudes"),
    }
}

/// What is really so of a question's item at the end of a story.
pub fn truth(item: Item, story: &Trace) -> Answer {
    match view(story, &[], item) {
        View::Is(answer) => answer,
        View::NoIdea | View::Unclear => unreachable!("reality is known"),
    }
}

/// Everyone's place before each step and at the end, and who goes at each step.
fn walks(story: &Trace) -> (Vec<Vec<PlaceId>>, Vec<Vec<CharacterId>>) {
    let (mut places, mut movers) = (vec![story.start.clone()], Vec::new());
    for (step, event) in story.events.iter().enumerate() {
        let going = match deed(story, step).act {
            Act::Go | Act::Carry(_) => vec![event.who],
            Act::GoTogether(others) => [&[event.who][..], &others].concat(),
            _ => Vec::new(),
        };
        let mut after = places[step].clone();
        going.iter().for_each(|mover| after[mover.index()] = event.to);
        places.push(after);
        movers.push(going);
    }
    (places, movers)
}

/// Where `target` went after it was last in one place with all of these, if it was the first of them to go, alone or
/// with some of them.
fn world(company: &[CharacterId], target: CharacterId, story: &Trace) -> Option<PlaceId> {
    let (places, movers) = walks(story);
    let is_together = |at: &Vec<PlaceId>| company.iter().all(|who| at[who.index()] == at[target.index()]);
    let last = places.iter().rposition(is_together)?;
    let parted = movers[last..]
        .iter()
        .position(|going| going.contains(&target) || going.iter().any(|mover| company.contains(mover)))?;
    let going = &movers[last + parted];
    going.contains(&target).then(|| story.events[last + parted].to)
}

/// The only other with whom `who` is after each of her moves, if there is one.
fn following(who: CharacterId, story: &Trace) -> Option<CharacterId> {
    let (places, movers) = walks(story);
    let after: Vec<&Vec<PlaceId>> =
        (0..movers.len()).filter(|&step| movers[step].contains(&who)).map(|step| &places[step + 1]).collect();
    let others = (0..story.start.len()).map(CharacterId::new).filter(|&other| other != who);
    let with_her = |other: &CharacterId| after.iter().all(|at| at[other.index()] == at[who.index()]);
    let fitting: Vec<CharacterId> = others.filter(with_her).collect();
    match fitting[..] {
        [whom] if !after.is_empty() => Some(whom),
        _ => None,
    }
}
