//! The world on one small stage: what can be done there, before whose eyes, what it shows and what it changes.

use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use storysim::world::{
    Act, ActInWorld, Container, Deed, Distraction, Event, Hearers, Item, Knowledge, Map, Scene, Stage,
    Telling, Thing, Trust, Value,
};

const KITCHEN: PlaceId = PlaceId::new(0);
const GARDEN: PlaceId = PlaceId::new(1);
const CELLAR: PlaceId = PlaceId::new(2);

const ANN: CharacterId = CharacterId::new(0);
const BOB: CharacterId = CharacterId::new(1);
const CAT: CharacterId = CharacterId::new(2);
const DAN: CharacterId = CharacterId::new(3);
const EVE: CharacterId = CharacterId::new(4);

const BASKET: ContainerId = ContainerId::new(0);
const BOX: ContainerId = ContainerId::new(1);
const SHED: ContainerId = ContainerId::new(2);
const CHEST: ContainerId = ContainerId::new(3);

const BALL: ObjectId = ObjectId::new(0);
const RING: ObjectId = ObjectId::new(1);
const CUP: ObjectId = ObjectId::new(2);
const KEY: ObjectId = ObjectId::new(3);
const COIN: ObjectId = ObjectId::new(4);
const HAT: ObjectId = ObjectId::new(5);

const MUSIC: PropositionId = PropositionId::new(0);
const SPINACH: PropositionId = PropositionId::new(1);

/// Ann, Bob and Eve are in the kitchen, Cat in the garden, Dan in the cellar. In the kitchen stand the open
/// basket, with the ball, and the closed box, with the ring; the cup lies there; Ann has the key in hand, Bob the
/// coin. In the garden stand the open shed, with the hat, and the closed chest. Music is liked, spinach is not.
fn stage() -> Stage {
    let container = |place, is_open| Container { place, is_open };
    let thing = |value| Thing { value, knowledge: vec![] };
    Stage {
        containers: vec![
            container(KITCHEN, true),
            container(KITCHEN, false),
            container(GARDEN, true),
            container(GARDEN, false),
        ],
        objects: vec![
            thing(Value::Container(BASKET)),
            thing(Value::Container(BOX)),
            thing(Value::Place(KITCHEN)),
            thing(Value::Hands(ANN)),
            thing(Value::Hands(BOB)),
            thing(Value::Container(SHED)),
        ],
        propositions: vec![thing(Value::Truth(true)), thing(Value::Truth(false))],
        trust: Trust::default(),
        ..Stage::default()
    }
}

fn scene() -> Scene {
    Scene::new(&[KITCHEN, KITCHEN, GARDEN, CELLAR, KITCHEN], &stage())
}

/// Ann does this in the kitchen, or goes to the garden.
fn by_ann(act: &Act) -> Event {
    Event { who: ANN, from: KITCHEN, to: if act.is_going() { GARDEN } else { KITCHEN } }
}

fn says(hearers: Hearers) -> Act {
    Act::Tell(Telling { hearers, item: Item::Object(BALL), value: Value::Container(BOX), believers: None })
}

fn misses(who: CharacterId) -> Distraction {
    Distraction { who, is_noticed: true }
}

#[test]
fn what_can_be_done() {
    let named = |who: &[CharacterId]| says(Hearers::Named(who.to_vec()));
    let afar = |who: &[CharacterId]| says(Hearers::Afar(who.to_vec()));
    let in_place = Value::Place;
    let into = Value::Container;
    let cases = [
        (true, Act::Go),
        (true, Act::GoTogether(vec![BOB])),
        (true, Act::GoTogether(vec![BOB, EVE])),
        (false, Act::GoTogether(vec![ANN])),
        (false, Act::GoTogether(vec![CAT])),
        (false, Act::GoTogether(vec![BOB, DAN])),
        (true, Act::Carry(BALL)),
        (true, Act::Carry(KEY)),
        (false, Act::Carry(COIN)),
        (false, Act::Carry(HAT)),
        (true, Act::Take(CUP)),
        (true, Act::Take(RING)),
        (false, Act::Take(KEY)),
        (false, Act::Take(COIN)),
        (false, Act::Take(HAT)),
        (true, Act::Put(KEY, in_place(KITCHEN))),
        (true, Act::Put(KEY, into(BASKET))),
        (true, Act::Put(KEY, into(BOX))),
        (false, Act::Put(KEY, in_place(GARDEN))),
        (false, Act::Put(KEY, into(SHED))),
        (false, Act::Put(KEY, Value::Hands(BOB))),
        (false, Act::Put(KEY, Value::Truth(true))),
        (false, Act::Put(CUP, in_place(KITCHEN))),
        (false, Act::Put(COIN, into(BASKET))),
        (true, Act::MoveObject(BALL, BOX)),
        (true, Act::MoveObject(CUP, BASKET)),
        (true, Act::MoveObject(KEY, BASKET)),
        (false, Act::MoveObject(BALL, BASKET)),
        (false, Act::MoveObject(BALL, SHED)),
        (false, Act::MoveObject(COIN, BASKET)),
        (false, Act::MoveObject(HAT, BASKET)),
        (true, Act::Give(KEY, BOB)),
        (false, Act::Give(KEY, ANN)),
        (false, Act::Give(KEY, CAT)),
        (false, Act::Give(CUP, BOB)),
        (false, Act::Give(COIN, EVE)),
        (true, Act::Throw(CUP, GARDEN)),
        (true, Act::Throw(KEY, GARDEN)),
        (false, Act::Throw(COIN, GARDEN)),
        (false, Act::Throw(HAT, GARDEN)),
        (true, Act::Open(BOX)),
        (false, Act::Open(BASKET)),
        (false, Act::Open(CHEST)),
        (true, Act::Close(BASKET)),
        (false, Act::Close(BOX)),
        (false, Act::Close(SHED)),
        (true, says(Hearers::Present)),
        (true, named(&[BOB])),
        (true, named(&[BOB, EVE])),
        (false, named(&[CAT])),
        (false, named(&[ANN])),
        (false, named(&[BOB, CAT])),
        (false, named(&[ANN, BOB])),
        (true, afar(&[CAT])),
        (true, afar(&[CAT, DAN])),
        (false, afar(&[BOB])),
        (false, afar(&[ANN])),
        (false, afar(&[CAT, EVE])),
        (true, Act::React((MUSIC, true))),
        (true, Act::React((SPINACH, false))),
        (false, Act::React((MUSIC, false))),
        (false, Act::React((SPINACH, true))),
        (true, Act::Reveal((MUSIC, true))),
        (true, Act::Reveal((SPINACH, false))),
        (false, Act::Reveal((MUSIC, false))),
        (false, Act::Reveal((SPINACH, true))),
        (true, Act::Chat),
    ];
    for (wanted, act) in cases {
        assert_eq!(act.is_going(), act.form().goes, "{act:?}");
        assert_allows(wanted, act);
    }
}

/// Whether Ann can do something where she is is as `wanted`, and elsewhere she cannot.
fn assert_allows(wanted: bool, act: Act) {
    let event = by_ann(&act);
    let deed = Deed { act, ..Deed::default() };
    assert_eq!(scene().allows(event, &deed), wanted, "{deed:?}");
    let elsewhere = |place: PlaceId| if place == KITCHEN { CELLAR } else { place };
    let without_her = Event { who: ANN, from: elsewhere(event.from), to: elsewhere(event.to) };
    assert!(!scene().allows(without_her, &deed), "she is not in the cellar: {deed:?}");
    let other = Event { to: if event.to == KITCHEN { GARDEN } else { KITCHEN }, ..event };
    assert!(
        !scene().allows(other, &deed),
        "who acts goes to another place if and only if she goes: {deed:?}"
    );
}

/// What Ann does, who watches it in secret, who misses it, and who witnesses it then; none: it cannot be.
type Attended = (Act, &'static [CharacterId], &'static [CharacterId], Option<&'static [CharacterId]>);

#[test]
fn who_witnesses_it() {
    let whispers = || says(Hearers::Named(vec![BOB]));
    let calls = || says(Hearers::Afar(vec![CAT]));
    let cases: [Attended; 36] = [
        (Act::Take(CUP), &[], &[], Some(&[ANN, BOB, EVE])),
        (Act::Take(CUP), &[], &[BOB], Some(&[ANN, EVE])),
        (Act::Take(CUP), &[], &[BOB, EVE], Some(&[ANN])),
        (Act::Take(CUP), &[CAT], &[], Some(&[ANN, BOB, CAT, EVE])),
        (Act::Take(CUP), &[DAN, CAT], &[BOB], Some(&[ANN, CAT, DAN, EVE])),
        (Act::Take(CUP), &[], &[ANN], None),
        (Act::Take(CUP), &[], &[CAT], None),
        (Act::Take(CUP), &[], &[BOB, CAT], None),
        (Act::Take(CUP), &[ANN], &[], None),
        (Act::Take(CUP), &[BOB], &[], None),
        (Act::Take(CUP), &[CAT, BOB], &[], None),
        (Act::Go, &[], &[], Some(&[ANN, BOB, CAT, EVE])),
        (Act::Go, &[DAN], &[CAT], Some(&[ANN, BOB, DAN, EVE])),
        (Act::Go, &[CAT], &[], None),
        (Act::Go, &[], &[DAN], None),
        (Act::GoTogether(vec![BOB]), &[], &[EVE], Some(&[ANN, BOB, CAT])),
        (Act::GoTogether(vec![BOB]), &[], &[BOB], None),
        (Act::Give(KEY, BOB), &[], &[], Some(&[ANN, BOB, EVE])),
        (Act::Give(KEY, BOB), &[CAT], &[EVE], Some(&[ANN, BOB, CAT])),
        (Act::Give(KEY, BOB), &[], &[BOB], None),
        (Act::Give(KEY, BOB), &[BOB], &[], None),
        (Act::Throw(CUP, CELLAR), &[], &[], Some(&[ANN, BOB, DAN, EVE])),
        (Act::Throw(CUP, CELLAR), &[CAT], &[DAN], Some(&[ANN, BOB, CAT, EVE])),
        (says(Hearers::Present), &[], &[], Some(&[ANN, BOB, EVE])),
        (Act::Reveal((MUSIC, true)), &[], &[], Some(&[ANN, BOB, EVE])),
        (Act::Reveal((MUSIC, true)), &[CAT], &[BOB], Some(&[ANN, CAT, EVE])),
        (Act::Chat, &[], &[], Some(&[ANN, BOB, EVE])),
        (Act::Chat, &[], &[CAT], None),
        (whispers(), &[], &[], Some(&[ANN, BOB])),
        (whispers(), &[EVE], &[], Some(&[ANN, BOB, EVE])),
        (whispers(), &[], &[BOB], Some(&[ANN])),
        (whispers(), &[], &[EVE], None),
        (whispers(), &[BOB], &[], None),
        (calls(), &[], &[], Some(&[ANN, CAT])),
        (calls(), &[BOB, DAN], &[], Some(&[ANN, BOB, CAT, DAN])),
        (calls(), &[], &[BOB], None),
    ];
    for (act, peeking, distracted, wanted) in cases {
        let event = by_ann(&act);
        let distracted = distracted.iter().copied().map(misses).collect();
        let deed = Deed { act, peeking: peeking.to_vec(), distracted };
        assert_eq!(scene().allows(event, &deed), wanted.is_some(), "{deed:?}");
        if let Some(wanted) = wanted {
            assert_eq!(scene().witnesses(event, &deed).collect::<Vec<_>>(), wanted, "{deed:?}");
        }
    }
}

/// What Ann does, what that shows, and what it changes.
type Seen = (Act, &'static [(Item, Value)], &'static [(Item, Value)]);

const AT_KITCHEN: Value = Value::Place(KITCHEN);
const AT_GARDEN: Value = Value::Place(GARDEN);
const ANN_IS_HERE: (Item, Value) = (Item::Character(ANN), AT_KITCHEN);
const BOB_IS_HERE: (Item, Value) = (Item::Character(BOB), AT_KITCHEN);
const WITH_THE_KEY: (Item, Value) = (Item::Object(KEY), Value::Hands(ANN));
const WITH_THE_COIN: (Item, Value) = (Item::Object(COIN), Value::Hands(BOB));
const ANN_GOES: (Item, Value) = (Item::Character(ANN), AT_GARDEN);
const BOB_GOES: (Item, Value) = (Item::Character(BOB), AT_GARDEN);

#[test]
fn what_it_shows_and_what_it_changes() {
    const IN_BASKET: (Item, Value) = (Item::Object(BALL), Value::Container(BASKET));
    const CUP_LIES: (Item, Value) = (Item::Object(CUP), AT_KITCHEN);
    let cases: [Seen; 20] = [
        (Act::Go, &[ANN_IS_HERE, WITH_THE_KEY], &[ANN_GOES]),
        (
            Act::GoTogether(vec![BOB]),
            &[ANN_IS_HERE, BOB_IS_HERE, WITH_THE_KEY, WITH_THE_COIN],
            &[ANN_GOES, BOB_GOES],
        ),
        (
            Act::Carry(BALL),
            &[ANN_IS_HERE, IN_BASKET, WITH_THE_KEY],
            &[ANN_GOES, (Item::Object(BALL), Value::Hands(ANN))],
        ),
        // Only who goes shows what she has in hand.
        (Act::Take(CUP), &[ANN_IS_HERE, CUP_LIES], &[(Item::Object(CUP), Value::Hands(ANN))]),
        (Act::Put(KEY, AT_KITCHEN), &[ANN_IS_HERE, WITH_THE_KEY], &[(Item::Object(KEY), AT_KITCHEN)]),
        (
            Act::MoveObject(BALL, BOX),
            &[ANN_IS_HERE, IN_BASKET],
            &[(Item::Object(BALL), Value::Container(BOX))],
        ),
        // Who is given something is seen, too.
        (
            Act::Give(KEY, BOB),
            &[ANN_IS_HERE, WITH_THE_KEY, BOB_IS_HERE],
            &[(Item::Object(KEY), Value::Hands(BOB))],
        ),
        (Act::Throw(CUP, GARDEN), &[ANN_IS_HERE, CUP_LIES], &[(Item::Object(CUP), AT_GARDEN)]),
        (
            Act::Open(BOX),
            &[ANN_IS_HERE, (Item::Lid(BOX), Value::Truth(false))],
            &[(Item::Lid(BOX), Value::Truth(true))],
        ),
        (
            Act::Close(BASKET),
            &[ANN_IS_HERE, (Item::Lid(BASKET), Value::Truth(true))],
            &[(Item::Lid(BASKET), Value::Truth(false))],
        ),
        (Act::React((MUSIC, true)), &[ANN_IS_HERE, (Item::Proposition(MUSIC), Value::Truth(true))], &[]),
        (
            Act::React((SPINACH, false)),
            &[ANN_IS_HERE, (Item::Proposition(SPINACH), Value::Truth(false))],
            &[],
        ),
        (Act::Reveal((MUSIC, true)), &[ANN_IS_HERE, (Item::Proposition(MUSIC), Value::Truth(true))], &[]),
        (Act::Chat, &[ANN_IS_HERE], &[]),
        (Act::Show(CUP), &[ANN_IS_HERE, CUP_LIES], &[]),
        (Act::Show(KEY), &[ANN_IS_HERE, WITH_THE_KEY], &[]),
        // Whoever has it in hand is seen, too.
        (Act::Show(COIN), &[ANN_IS_HERE, BOB_IS_HERE, WITH_THE_COIN], &[]),
        (says(Hearers::Present), &[ANN_IS_HERE], &[]),
        (says(Hearers::Named(vec![BOB])), &[], &[]),
        (says(Hearers::Afar(vec![CAT])), &[], &[]),
    ];
    for (act, shown, effects) in cases {
        let (before, event) = (scene(), by_ann(&act));
        assert_eq!(before.shown(event, &act).collect::<Vec<_>>(), shown, "{act:?}");
        assert_eq!(Scene::effects(event, &act).collect::<Vec<_>>(), effects, "{act:?}");
        let mut after = scene();
        after.apply(event, &act);
        for item in stage().items(5) {
            let changed = effects.iter().find(|(changed, _)| *changed == item).map(|&(_, value)| value);
            assert_eq!(after.value(item), changed.unwrap_or(before.value(item)), "{item:?} after {act:?}");
        }
    }
}

#[test]
fn what_one_sees_in_a_place() {
    let mut scene = scene();
    let looks = |scene: &Scene| [KITCHEN, GARDEN, CELLAR].map(|place| scene.look(place));
    let lid = |container, is_open| (Item::Lid(container), Value::Truth(is_open));
    let person = |who, place| (Item::Character(who), Value::Place(place));
    let kitchen = [
        ANN_IS_HERE,
        BOB_IS_HERE,
        person(EVE, KITCHEN),
        (Item::Object(BALL), Value::Container(BASKET)),
        (Item::Object(CUP), AT_KITCHEN),
        WITH_THE_KEY,
        WITH_THE_COIN,
        lid(BASKET, true),
        lid(BOX, false),
    ];
    let garden = [
        person(CAT, GARDEN),
        (Item::Object(HAT), Value::Container(SHED)),
        lid(SHED, true),
        lid(CHEST, false),
    ];
    assert_eq!(looks(&scene), [kitchen.to_vec(), garden.to_vec(), vec![person(DAN, CELLAR)]]);
    // What someone has in hand is where she is, and what is in a container is where that stands.
    scene.apply(Event { who: ANN, from: KITCHEN, to: CELLAR }, &Act::Go);
    scene.apply(Event { who: CAT, from: GARDEN, to: GARDEN }, &Act::Close(SHED));
    let rooms = [BALL, RING, CUP, KEY, COIN, HAT].map(|object| scene.room(object));
    assert_eq!(rooms, [KITCHEN, KITCHEN, KITCHEN, CELLAR, KITCHEN, GARDEN]);
    let [_, garden, cellar] = looks(&scene);
    assert_eq!(garden, [person(CAT, GARDEN), lid(SHED, false), lid(CHEST, false)]);
    assert_eq!(cellar, [person(ANN, CELLAR), person(DAN, CELLAR), WITH_THE_KEY]);
    assert_eq!(scene.containers(KITCHEN).collect::<Vec<_>>(), [BASKET, BOX]);
    assert_eq!(scene.containers(CELLAR).count(), 0);
}

/// A copy is the same whatever it was before, and a story begins the same whatever was told before.
#[test]
fn a_scene_takes_the_place_of_another() {
    let begun = scene();
    let mut told = scene();
    for act in [Act::MoveObject(BALL, BOX), Act::Open(BOX), Act::Go] {
        told.apply(by_ann(&act), &act);
    }
    assert_ne!(told, begun);
    let mut other = Scene::new(&[CELLAR], &Stage::default());
    other.clone_from(&told);
    assert_eq!(other, told);
    assert_eq!(told.clone(), told);
    other.begin(&[KITCHEN, KITCHEN, GARDEN, CELLAR, KITCHEN], &stage());
    assert_eq!(other, begun);
}

#[test]
fn things_of_a_stage() {
    let mut stage = stage();
    stage.objects[2].knowledge = vec![Knowledge::Nothing];
    stage.propositions[1].knowledge = vec![Knowledge::Wrong];
    assert_eq!(stage.thing(Item::Object(CUP)).knowledge, [Knowledge::Nothing]);
    assert_eq!(stage.thing(Item::Proposition(SPINACH)).knowledge, [Knowledge::Wrong]);
    let items: Vec<Item> = stage.items(2).collect();
    assert_eq!(items.len(), 2 + 6 + 4 + 2);
    assert!(items.is_sorted(), "characters, objects, lids, propositions");
    assert_eq!(Item::from(BOB), Item::Character(BOB));
    let characters: Vec<Option<CharacterId>> = items.iter().map(|item| item.character()).collect();
    assert_eq!(characters[..3], [Some(ANN), Some(BOB), None]);
    assert!(characters[2..].iter().all(Option::is_none));
}

#[test]
fn ways_of_a_map() {
    let map = Map::new(&[vec![GARDEN, CELLAR], vec![CELLAR, KITCHEN], vec![CELLAR, GARDEN, KITCHEN]]);
    assert_eq!(map.place_count(), 3);
    assert_eq!(map.places().collect::<Vec<_>>(), [KITCHEN, GARDEN, CELLAR]);
    assert_eq!(map.ways(KITCHEN), [GARDEN, CELLAR]);
    assert_eq!(map.ways(GARDEN), [CELLAR, KITCHEN]);
    assert_eq!(map.ways(CELLAR), [CELLAR, GARDEN, KITCHEN]);
    assert!(map.leads(KITCHEN, GARDEN) && map.leads(GARDEN, KITCHEN) && !map.leads(KITCHEN, KITCHEN));
    assert_eq!(map.ways_min(), 2);
    assert_eq!(Map::new(&[]).ways_min(), 0);
}

#[test]
fn who_sees_a_move() {
    let event = Event { who: ANN, from: KITCHEN, to: GARDEN };
    for (who, place, wanted) in [
        (ANN, KITCHEN, true),
        (ANN, CELLAR, true),
        (BOB, KITCHEN, true),
        (BOB, GARDEN, true),
        (BOB, CELLAR, false),
    ] {
        assert_eq!(event.seen_by(who, place), wanted, "{who:?} in {place:?}");
    }
}
