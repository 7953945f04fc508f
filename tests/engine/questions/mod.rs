//! The questions of stories with deeds: of two stories that one can check by hand, and of random ones against
//! what the nested oracle says.

use storysim::belief::Chain;
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use storysim::plan::{
    Moment, Place, Plan, PlannedContainer, PlannedObject, PlannedProposition, PlannedValue, Play, Question,
    Saying, Staging, Target,
};
use storysim::question::{Answer, Answered, Asker, Found, Probe, Verdict};
use storysim::simulate::Story;
use storysim::storyboard::{QuestionKind, parse};
use storysim::trace::Trace;
use storysim::world::{Act, Container, Deed, Event, Item, Knowledge, Map, Scene, Stage, Thing, Value};

mod random;
mod reasons;

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
        Value::Case(_) | Value::NoCase => unreachable!("there are no prospects"),
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
    let others = others.iter().copied().map(who).collect();
    Question { moment, ..Question::new(kind, others, target) }
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
        (BOB, Act::React((PropositionId::new(3), true)), None),
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
        (Belief, &[ANNE, SALLY], marble, end, basket, &[]),
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
        (Knows, &[SALLY], marble, end, no, &[1]),
        (Knows, &[BOB], marble, end, yes, &[1]),
        (Knows, &[ANNE, SALLY], marble, end, no, &[0, 1]),
        (WhoKnows, &[], marble, end, people(0b110), &[1]),
        (WhoKnows, &[], gift, end, people(0b001), &[]),
        (CouldAnswer, &[SALLY], marble, end, people(0b111), &[]),
        (WhoLikes, &[ANNE], painting, end, people(0b100), &[2]),
        (WhoDislikes, &[ANNE], painting, end, people(0b010), &[2]), // Bob does not
        (WhoLikes, &[], painting, end, people(0b101), &[]),
        (Following, &[], person(ANNE), end, Some(Answer::Character(who(SALLY))), &[3]),
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
        assert_eq!(answered.evidence, evidence, "{asked:?}");
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
fn ball_carried_off() -> (Trace, ObjectId) {
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
    (story(vec![place(0); 3], stage, acts), ball)
}

#[test]
fn what_is_in_hand_is_where_the_hands_are() {
    use QuestionKind::*;
    let (trace, ball) = ball_carried_off();
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
fn goals_see_both_the_hands_and_where_they_are() {
    let (trace, ball) = ball_carried_off();
    let plan = plan(&trace, Vec::new(), &[]);
    let [here, there] = [0, 2].map(|at| Value::Place(place(at)));
    for (mind, answer, mislead_distance) in [(1, there, None), (2, here, Some(1))] {
        let story = Story { trace: trace.clone(), ..Story::default() };
        let found = Probe::new(&plan, &Chain::new(&[who(mind)], Item::Object(ball))).find(&story);
        let held = Some(Value::Hands(who(0)));
        assert_eq!(found, Found { held, answer: Some(answer), truth: there, mislead_distance });
    }
}

#[test]
fn whoever_follows_follows_one_only() {
    let moves = |list: &[(usize, usize, usize)]| {
        let event = |&(actor, from, to)| Event { who: who(actor), from: place(from), to: place(to) };
        list.iter().map(event).collect::<Vec<Event>>()
    };
    let cases = [
        (moves(&[(1, 0, 1), (2, 0, 1), (0, 0, 1), (1, 1, 2), (0, 1, 2)]), Some(1), vec![4]),
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
            assert_eq!(answered.evidence, evidence);
            assert_eq!(answered.choices.len(), 2);
        }
    }
}
