//! The questions of stories with deeds: of two stories that one can check by hand, and of random ones against
//! what the nested oracle says.

use proptest::prelude::*;
use storysim::belief::Held;
use storysim::belief::nested::Mind;
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::fuzzing::story_with_deeds;
use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use storysim::plan::{
    Moment, Place, Plan, PlannedContainer, PlannedObject, PlannedProposition, PlannedValue, Play, Question,
    Saying, Staging, Target,
};
use storysim::question::{Answer, Answered, Asker, Verdict};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{QuestionKind, parse};
use storysim::trace::Trace;
use storysim::world::{Act, Container, Deed, Event, Item, Knowledge, Map, Scene, Stage, Thing, Value};

mod boards;

const PLACES: usize = 3;

fn who(at: usize) -> CharacterId {
    CharacterId::new(at)
}

fn place(at: usize) -> PlaceId {
    PlaceId::new(at)
}

/// A plan as if it had brought about this story, whose last propositions are everyone's attitude to one thing.
fn plan(trace: &Trace, play: Vec<(Play, u32)>, questions: &[Question]) -> Plan {
    let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 3}\nroles: [A, T]\n\
                places: {complete: [p0, p1, p2]}\nstart: p0\nhorizon: 4\n";
    let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
    let mut plan = compile(&board, &[]).unwrap().plan;
    let characters = trace.start.len();
    let ways: Vec<Vec<PlaceId>> =
        (0..PLACES).map(|from| (0..PLACES).filter(|&to| to != from).map(place).collect()).collect();
    plan.map = Map::new(&ways);
    plan.character_count = characters;
    plan.questions = questions.to_vec();
    let first_attitude = trace.stage.propositions.len().saturating_sub(characters);
    let container = |container: &Container| PlannedContainer {
        name: String::new(),
        place: Place::Fixed(container.place),
        is_open: container.is_open,
    };
    let start = |value| match value {
        Value::Place(place) => PlannedValue::Place(Place::Fixed(place)),
        Value::Container(container) => PlannedValue::Container(container),
        Value::Hands(who) => PlannedValue::Hands(who),
        Value::Truth(is_true) => PlannedValue::Truth(is_true),
    };
    let object = |object: &Thing| PlannedObject {
        name: String::new(),
        start: vec![start(object.value)],
        knowledge: object.knowledge.clone(),
    };
    let proposition = |(at, known): (usize, &Thing)| PlannedProposition {
        name: String::new(),
        is_true: Some(known.value == Value::Truth(true)),
        knowledge: known.knowledge.clone(),
        says: match at.checked_sub(first_attitude) {
            Some(character) => Saying::Likes(who(character), 0),
            None => Saying::Words { says: Vec::new(), denies: Vec::new() },
        },
    };
    plan.staging = Some(Staging {
        containers: trace.stage.containers.iter().map(container).collect(),
        objects: trace.stage.objects.iter().map(object).collect(),
        propositions: trace.stage.propositions.iter().enumerate().map(proposition).collect(),
        attitudes: vec!["painting".into()],
        play,
        ..Staging::default()
    });
    plan
}

fn ask(plan: &Plan, trace: &Trace) -> Vec<Answered> {
    let story = Story { trace: trace.clone(), ..Story::default() };
    Asker::new(plan, 7).ask(&story).to_vec()
}

fn question(kind: QuestionKind, others: &[usize], target: Target, moment: Moment) -> Question {
    Question { kind, others: others.iter().copied().map(who).collect(), target, moment }
}

/// A story from what its characters do, each where she is; those who go have a place to go to.
fn story(start: Vec<PlaceId>, stage: Stage, acts: Vec<(usize, Act, Option<usize>)>) -> Trace {
    let mut scene = Scene::new(&start, &stage);
    let mut trace = Trace { start, stage, ..Trace::default() };
    for (actor, act, to) in acts {
        let from = scene.place(who(actor));
        let event = Event { who: who(actor), from, to: to.map_or(from, place) };
        let deed = Deed { act, ..Deed::default() };
        assert!(scene.allows(event, &deed), "{event:?} {deed:?}");
        scene.apply(event, &deed.act);
        trace.events.push(event);
        trace.deeds.push(deed);
    }
    trace
}

const SALLY: usize = 0;
const ANNE: usize = 1;
const BOB: usize = 2;
const ROOM: usize = 0;
const GARDEN: usize = 1;

/// Sally leaves the room, Anne moves the marble from the basket to the box, Bob shows that he likes the painting,
/// Anne goes to Sally. Sally knows of the gift, Anne holds the contrary.
fn sally_and_anne() -> Trace {
    use Knowledge::{Nothing, Right, Wrong};
    let open_in_room = Container { place: place(ROOM), is_open: true };
    let marble = Thing { value: Value::Container(ContainerId::new(0)), knowledge: Vec::new() };
    let truth = |is_true, knowledge: [Knowledge; 3]| Thing {
        value: Value::Truth(is_true),
        knowledge: knowledge.to_vec(),
    };
    let stage = Stage {
        containers: vec![open_in_room, open_in_room],
        objects: vec![marble],
        propositions: vec![
            truth(true, [Right, Wrong, Nothing]),
            truth(true, [Right, Nothing, Nothing]),
            truth(false, [Nothing, Right, Nothing]),
            truth(true, [Nothing, Nothing, Right]),
        ],
        ..Stage::default()
    };
    let acts = vec![
        (SALLY, Act::Go, Some(GARDEN)),
        (ANNE, Act::MoveObject(ObjectId::new(0), ContainerId::new(1)), None),
        (BOB, Act::React(PropositionId::new(3), true), None),
        (ANNE, Act::Go, Some(GARDEN)),
    ];
    story(vec![place(ROOM); 3], stage, acts)
}

#[test]
fn sally_and_anne_by_hand() {
    use QuestionKind::*;
    let marble = Target::Item(Item::Object(ObjectId::new(0)));
    let gift = Target::Item(Item::Proposition(PropositionId::new(0)));
    let person = |at| Target::Item(Item::Character(who(at)));
    let [basket, in_box] = [0, 1].map(|at| Some(Answer::Container(ContainerId::new(at))));
    let verdict = |verdict| Some(Answer::Verdict(verdict));
    let (yes, no, unknown) = (verdict(Verdict::Yes), verdict(Verdict::No), verdict(Verdict::Unknown));
    let people = |bits| Some(Answer::People(bits));
    let garden = Some(Answer::Place(place(GARDEN)));
    let (end, before, without) = (Moment::End, Moment::Before, Moment::Without);
    let painting = Target::Attitude(0);
    type Case<'a> = (QuestionKind, &'a [usize], Target, Moment, Option<Answer>, &'a [usize]);
    let cases: [Case; 27] = [
        (Belief, &[SALLY], marble, end, basket, &[]),
        (Belief, &[BOB], marble, end, in_box, &[1]),
        (Belief, &[ANNE, SALLY], marble, end, basket, &[0]),
        (Belief, &[SALLY, ANNE], marble, end, basket, &[]),
        (Belief, &[SALLY], gift, end, yes, &[]),
        (Belief, &[ANNE], gift, end, no, &[]),
        (Belief, &[BOB], gift, end, unknown, &[]),
        (Belief, &[BOB, SALLY], gift, end, None, &[]),
        (Belief, &[BOB], person(ANNE), end, garden, &[3]),
        (Reality, &[], marble, end, in_box, &[1]),
        (Reality, &[], gift, end, yes, &[]),
        (Start, &[], marble, end, basket, &[]),
        (World, &[BOB], person(ANNE), end, garden, &[3]),
        (World, &[SALLY], person(ANNE), end, None, &[]),
        (Knows, &[SALLY], marble, end, no, &[0, 1]),
        (Knows, &[BOB], marble, end, yes, &[]),
        (Knows, &[ANNE, SALLY], marble, end, no, &[0, 1]),
        (WhoKnows, &[], marble, end, people(0b110), &[0, 1]),
        (WhoKnows, &[], gift, end, people(0b001), &[]),
        (CouldAnswer, &[SALLY], marble, end, people(0b111), &[]),
        (WhoLikes, &[ANNE], painting, end, people(0b100), &[2]),
        (WhoDislikes, &[ANNE], painting, end, people(0b010), &[]),
        (WhoLikes, &[], painting, end, people(0b101), &[]),
        (Following, &[], person(ANNE), end, Some(Answer::Character(who(SALLY))), &[0, 3]),
        (Reality, &[], marble, before(1), basket, &[]),
        (Belief, &[SALLY], marble, without(0), in_box, &[1]),
        (Reality, &[], marble, without(1), basket, &[]),
    ];
    let trace = sally_and_anne();
    for (kind, others, target, moment, answer, evidence) in cases {
        let asked = question(kind, others, target, moment);
        let answered = ask(&plan(&trace, Vec::new(), std::slice::from_ref(&asked)), &trace);
        let found = answered.first().and_then(|answered| answered.answer);
        assert_eq!(found, answer, "{asked:?}");
        let Some(answered) = answered.first() else { continue };
        if (kind, others) != (Belief, &[ANNE, SALLY]) {
            assert_eq!(answered.evidence, evidence, "{asked:?}");
        }
        match (kind, target) {
            (Belief, target) if target == gift => {
                assert_eq!(answered.false_belief, Some(others == [ANNE]));
                assert_eq!((answered.truth, answered.mislead_distance), (yes, None));
                assert_eq!(answered.choices.len(), 3);
            }
            (Belief, target) if target == marble && moment == end && others == [SALLY] => {
                assert_eq!(answered.truth, in_box);
                assert_eq!((answered.false_belief, answered.mislead_distance), (Some(true), Some(1)));
                assert_eq!(answered.foils.answers(), [in_box, basket, None, None, None, in_box]);
                assert_eq!(answered.choices.len(), 2);
            }
            (Knows, _) => {
                assert_eq!(answered.truth, answer);
                assert_eq!((answered.false_belief, answered.choices.len()), (None, 2));
            }
            _ => {}
        }
    }
}

/// Ann takes the ball, Cat leaves, Ann goes elsewhere with the ball and puts it down.
#[test]
fn what_is_in_hand_is_where_the_hands_are() {
    use QuestionKind::*;
    let ball = ObjectId::new(0);
    let stage = Stage {
        objects: vec![Thing { value: Value::Place(place(0)), knowledge: Vec::new() }],
        ..Stage::default()
    };
    let acts = vec![
        (0, Act::Take(ball), None),
        (2, Act::Go, Some(1)),
        (0, Act::Go, Some(2)),
        (0, Act::Put(ball, Value::Place(place(2))), None),
    ];
    let trace = story(vec![place(0); 3], stage, acts);
    let target = Target::Item(Item::Object(ball));
    let at = |number| Some(Answer::Place(place(number)));
    let cases = [
        (question(Belief, &[1], target, Moment::End), at(2)),
        (question(Belief, &[2], target, Moment::End), at(0)),
        (question(Reality, &[], target, Moment::Before(3)), at(2)),
        (question(Reality, &[], target, Moment::Without(3)), at(2)),
        (question(Reality, &[], target, Moment::Without(0)), None), // there would be nothing to put down
        (question(Knows, &[1], target, Moment::End), Some(Answer::Verdict(Verdict::Yes))),
        (question(WhoKnows, &[], target, Moment::End), Some(Answer::People(0b011))),
    ];
    for (asked, answer) in cases {
        let answered = ask(&plan(&trace, Vec::new(), std::slice::from_ref(&asked)), &trace);
        assert_eq!(answered.first().and_then(|answered| answered.answer), answer, "{asked:?}");
        if asked.others == [who(2)] {
            // Cat saw it last after step 0, and was wrong from step 2 on.
            assert_eq!(answered[0].mislead_distance, Some(1));
            assert_eq!(answered[0].foils.answers(), [at(2), at(0), at(0), at(0), at(1), at(2)]);
        }
    }
}

#[test]
fn whoever_follows_follows_one_only() {
    let moves = |list: &[(usize, usize, usize)]| {
        let event = |&(actor, from, to)| Event { who: who(actor), from: place(from), to: place(to) };
        list.iter().map(event).collect::<Vec<Event>>()
    };
    let cases = [
        (moves(&[(1, 0, 1), (2, 0, 1), (0, 0, 1), (1, 1, 2), (0, 1, 2)]), Some(1), vec![3, 4]),
        (moves(&[(1, 0, 1), (2, 0, 1), (0, 0, 1)]), None, vec![]), // either
        (moves(&[(1, 0, 1), (0, 0, 1), (0, 1, 2)]), None, vec![]), // nobody
        (moves(&[(1, 0, 1)]), None, vec![]),                       // she stays
    ];
    let asked = question(QuestionKind::Following, &[], Target::Item(Item::Character(who(0))), Moment::End);
    for (events, whom, evidence) in cases {
        let trace = Trace::of_moves(vec![place(0); 3], events);
        let mut plan = plan(&trace, Vec::new(), std::slice::from_ref(&asked));
        plan.staging = None;
        let answered = ask(&plan, &trace);
        let answer = answered.first().and_then(|answered| answered.answer);
        assert_eq!(answer, whom.map(|at| Answer::Character(who(at))), "{trace:?}");
        if let Some(answered) = answered.first() {
            assert_eq!(independent_answer(&alone(&trace, &answered.evidence).unwrap(), &asked), answer);
            assert_eq!(answered.evidence, evidence);
            assert_eq!(answered.choices.len(), 2);
        }
    }
}

/// What a chain of minds would answer of an item; if nothing, why not.
fn opinion(reality: &Mind, minds: &[CharacterId], item: Item) -> Result<Answer, Held> {
    match reality.held(minds, item).expect("there is such an item") {
        Held::Known(Value::Hands(holder), _) => opinion(reality, minds, Item::Character(holder)),
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
fn places(trace: &Trace) -> Vec<Vec<PlaceId>> {
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
fn independent_answer(trace: &Trace, asked: &Question) -> Option<Answer> {
    let characters: Vec<CharacterId> = (0..trace.start.len()).map(who).collect();
    let minds = asked.others.as_slice();
    let item = if let Target::Item(item) = asked.target { item } else { Item::Character(who(0)) };
    let is_world = matches!(asked.kind, QuestionKind::World | QuestionKind::WorldThings);
    let reality = Mind::after(trace, if is_world { 0 } else { minds.len() + 1 });
    let people = |is_so: &dyn Fn(CharacterId) -> Option<bool>| {
        let mut bits = 0;
        for &character in &characters {
            bits |= u64::from(is_so(character)?) << character.index();
        }
        Some(Answer::People(bits))
    };
    match asked.kind {
        QuestionKind::Belief | QuestionKind::Reality => match opinion(&reality, minds, item) {
            Err(Held::Nothing) if matches!(item, Item::Proposition(_) | Item::Lid(_)) => {
                Some(Answer::Verdict(Verdict::Unknown))
            }
            answer => answer.ok(),
        },
        QuestionKind::Start => opinion(&Mind::begin(trace, 0), &[], item).ok(),
        QuestionKind::Knows => {
            let outer = &minds[..minds.len() - 1];
            let is_so = match (opinion(&reality, outer, item), opinion(&reality, minds, item)) {
                (really, held) if outer.is_empty() => held == really,
                (_, Err(Held::Nothing)) => false,
                (Ok(really), Ok(held)) => held == really,
                _ => return None,
            };
            Some(yes_or_no(is_so))
        }
        QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
            let wanted = opinion(&reality, minds, item).ok()?;
            people(&|y| Some(opinion(&reality, &[&[y], minds].concat(), item) == Ok(wanted)))
        }
        QuestionKind::WhoLikes | QuestionKind::WhoDislikes => {
            let first = trace.stage.propositions.len() - characters.len();
            let wanted = yes_or_no(asked.kind == QuestionKind::WhoLikes);
            people(&|y| {
                let attitude = Item::Proposition(PropositionId::new(first + y.index()));
                match opinion(&reality, minds, attitude) {
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

/// The story in which only these steps happen, as evidence has them happen; none, if they cannot.
fn alone(trace: &Trace, steps: &[usize]) -> Option<Trace> {
    let mut scene = Scene::new(&trace.start, &trace.stage);
    let mut left = Trace { start: trace.start.clone(), stage: trace.stage.clone(), ..Trace::default() };
    for &step in steps {
        let Event { who, to, .. } = trace.events[step];
        let deed = trace.deeds.get(step).cloned().unwrap_or_default();
        let here = scene.place(who);
        let event = Event { who, from: here, to: if deed.act.is_going() { to } else { here } };
        match &deed.act {
            Act::Go if here == to => continue,
            Act::GoTogether(others) if here == to && others.iter().all(|&other| scene.place(other) == to) => {
                continue;
            }
            _ if !scene.allows(event, &deed) => return None,
            _ => {}
        }
        scene.apply(event, &deed.act);
        left.events.push(event);
        left.deeds.push(deed);
    }
    Some(left)
}

/// The steps that a question asks of; none, if they cannot happen as they did.
fn steps_of(trace: &Trace, moment: Moment) -> Option<Vec<usize>> {
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
fn independent_distance(trace: &Trace, asked: &Question) -> Option<usize> {
    let Target::Item(item @ (Item::Character(_) | Item::Object(_))) = asked.target else { return None };
    let first = asked.others[0];
    let mut scene = Scene::new(&trace.start, &trace.stage);
    let mut reality = Mind::begin(trace, asked.others.len());
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
            Item::Lid(_) | Item::Proposition(_) => unreachable!("it is somewhere"),
        };
        reality.happen(&witnessed);
        scene.apply(witnessed.event, act);
        let sees = scene.look(scene.place(first)).iter().any(|&(seen, _)| seen == item);
        if sees || is_moved && witnessed.witnesses.contains(&first) {
            perceived = witnessed.step as isize;
        }
        wrong.push(opinion(&reality, &asked.others, item) != opinion(&reality, &[], item));
    }
    let since = wrong.iter().rposition(|is_wrong| !is_wrong).map_or(0, |right| right + 1);
    Some((since as isize - perceived - 1).max(0) as usize)
}

/// What to ask, in numbers that any story can make a question of: the kind, minds, the target, the moment.
type Asked = (usize, Vec<usize>, usize, usize, usize);

fn question_of(trace: &Trace, (kind, minds, target, moment, step): &Asked) -> Option<Question> {
    let characters = trace.start.len();
    let kind = QuestionKind::ALL[*kind];
    let mut minds: Vec<CharacterId> = minds.iter().map(|at| who(at % characters)).collect();
    let items: Vec<Item> = trace.stage.items(characters).collect();
    let character = Item::Character(who(target % characters));
    let (minds_min, item) = match kind {
        QuestionKind::World | QuestionKind::WorldThings => (1, character),
        QuestionKind::Following => (0, character),
        QuestionKind::Belief | QuestionKind::Knows => (1, items[target % items.len()]),
        _ => (0, items[target % items.len()]),
    };
    match kind {
        QuestionKind::World | QuestionKind::WorldThings => {
            minds.retain(|&other| Item::Character(other) != item);
            minds.sort_unstable();
        }
        QuestionKind::Reality | QuestionKind::Start | QuestionKind::WhoKnows | QuestionKind::Following => {
            minds.clear()
        }
        _ => {}
    }
    minds.dedup();
    if minds.last().is_some_and(|&last| Item::Character(last) == item) {
        minds.pop();
    }
    let is_of_attitudes = matches!(kind, QuestionKind::WhoLikes | QuestionKind::WhoDislikes);
    let step = step % trace.events.len().max(1);
    let moment = [Moment::End, Moment::End, Moment::Before(step), Moment::Without(step)][*moment];
    let target = if is_of_attitudes { Target::Attitude(0) } else { Target::Item(item) };
    (minds.len() >= minds_min && !trace.events.is_empty()).then_some(Question {
        kind,
        others: minds,
        target,
        moment,
    })
}

/// Gives everyone an attitude to something, and lets them show it now and then.
fn with_attitudes(mut trace: Trace, bytes: &[u8]) -> Trace {
    let characters = trace.start.len();
    let first = trace.stage.propositions.len();
    let byte = |at: usize| usize::from(bytes[at % bytes.len()]);
    for at in 0..characters {
        let knowledge = [Knowledge::Right, Knowledge::Nothing, Knowledge::Wrong];
        let knowledge = (0..characters).map(|other| knowledge[byte(at * characters + other) % 3]).collect();
        trace.stage.propositions.push(Thing { value: Value::Truth(byte(at) % 2 == 1), knowledge });
    }
    let last = places(&trace).pop().expect("there is a start");
    for at in (0..characters).filter(|&at| byte(at + 7) % 2 == 1) {
        let is_liked = trace.stage.propositions[first + at].value == Value::Truth(true);
        trace.events.push(Event { who: who(at), from: last[at], to: last[at] });
        let act = Act::React(PropositionId::new(first + at), is_liked);
        trace.deeds.push(Deed { act, ..Deed::default() });
    }
    trace
}

/// Everything that is said of an answer, checked without the code that says it.
fn check(trace: &Trace, asked: &Question, answered: Option<&Answered>) -> Result<(), TestCaseError> {
    let Some(steps) = steps_of(trace, asked.moment) else {
        prop_assert!(answered.is_none(), "{:?} of what cannot be", asked);
        return Ok(());
    };
    let told = alone(trace, &steps).expect("these steps can happen");
    let answer = independent_answer(&told, asked);
    prop_assert_eq!(answered.and_then(|answered| answered.answer), answer, "{:?} in {:?}", asked, trace);
    let (Some(answered), Some(answer)) = (answered, answer) else { return Ok(()) };

    let gives = |steps: &[usize]| alone(trace, steps).and_then(|story| independent_answer(&story, asked));
    prop_assert!(answered.evidence.is_sorted() && answered.evidence.iter().all(|step| steps.contains(step)));
    prop_assert_eq!(gives(&answered.evidence), Some(answer), "evidence of {:?}", asked);
    for left_out in &answered.evidence {
        let rest: Vec<usize> = answered.evidence.iter().copied().filter(|step| step != left_out).collect();
        prop_assert_ne!(
            gives(&rest),
            Some(answer),
            "{} can be spared for {:?} in {:?}",
            left_out,
            asked,
            trace
        );
    }

    let count = answered.choices.iter().filter(|&&choice| choice == answer).count();
    prop_assert_eq!((count, answered.choices[answered.label]), (1, answer));

    let reality = Question { kind: QuestionKind::Reality, others: Vec::new(), ..asked.clone() };
    let is_about_one = matches!(
        asked.kind,
        QuestionKind::Belief
            | QuestionKind::Reality
            | QuestionKind::Start
            | QuestionKind::World
            | QuestionKind::WorldThings
    );
    let truth = if is_about_one { independent_answer(&told, &reality) } else { Some(answer) };
    prop_assert_eq!(answered.truth, truth);
    let is_false = Some(answer) != truth && answer != Answer::Verdict(Verdict::Unknown);
    let is_belief = asked.kind == QuestionKind::Belief;
    prop_assert_eq!(answered.false_belief, is_belief.then_some(is_false));
    if !matches!(asked.moment, Moment::Without(_)) {
        let distance = (is_belief && is_false).then(|| independent_distance(&told, asked)).flatten();
        prop_assert_eq!(answered.mislead_distance, distance, "{:?} in {:?}", asked, trace);
    }
    if is_belief {
        let lower = Question { others: asked.others[1..].to_vec(), ..asked.clone() };
        prop_assert_eq!(answered.foils.lower_order, independent_answer(&told, &lower), "{:?}", asked);
    }
    prop_assert_eq!(answered.foils.last_place, if is_about_one { truth } else { None });
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_kind_equals_what_the_oracle_says(
        bytes in prop::collection::vec(any::<u8>(), 20..140),
        asked in prop::collection::vec(
            (0..QuestionKind::ALL.len(), prop::collection::vec(0..12_usize, 0..3), any::<usize>(), 0..4_usize, any::<usize>()),
            24,
        ),
    ) {
        let trace = with_attitudes(story_with_deeds(&bytes), &bytes);
        let questions: Vec<Question> = asked.iter().filter_map(|asked| question_of(&trace, asked)).collect();
        let answered = ask(&plan(&trace, vec![(Play::Move, 1), (Play::Take, 1)], &questions), &trace);
        for (at, question) in questions.iter().enumerate() {
            check(&trace, question, answered.iter().find(|answered| answered.question == at))?;
        }
    }

    /// Where people only walk, the part that knows deeds says the same as the one that knows walks only.
    #[test]
    fn walks_are_stories_with_deeds(text in boards::boards(2..=6, 2..=5, 4..=14), index in any::<u64>()) {
        let board = parse(Source { name: "test".into(), text }).unwrap();
        if let Ok(compiled) = compile(&board, &[]) {
            let mut plan = compiled.plan;
            let roles = plan.role_names.len();
            let item = |at: usize| Target::Item(Item::Character(who(at % roles)));
            plan.questions.clear();
            for at in 0..roles {
                let chain = [at, (at + 1) % roles, at];
                plan.questions.push(question(QuestionKind::Reality, &[], item(at), Moment::End));
                plan.questions.push(question(QuestionKind::Start, &[], item(at), Moment::End));
                plan.questions.push(question(QuestionKind::Belief, &chain[..1], item(at + 1), Moment::End));
                plan.questions.push(question(QuestionKind::World, &chain[..1], item(at + 1), Moment::End));
                if roles > 2 {
                    plan.questions.push(question(QuestionKind::Belief, &chain[..2], item(at + 2), Moment::End));
                    plan.questions.push(question(QuestionKind::Belief, &chain, item(at + 2), Moment::End));
                    plan.questions.push(question(QuestionKind::World, &chain[..2], item(at + 2), Moment::End));
                }
            }
            let mut story = Story::default();
            Simulator::new(&plan, 7).draw(index, &mut story);
            let mut staged = plan.clone();
            staged.staging = Some(Staging::default());
            let (mut walks, mut deeds) = (Asker::new(&plan, 7), Asker::new(&staged, 7));
            prop_assert_eq!(walks.ask(&story), deeds.ask(&story), "{:?}", story.trace);
        }
    }
}
