//! Belief about things, story by story: what published data sets get wrong, or decide otherwise.
//!
//! Each story stands in a comment above its events.

use storysim::belief::nested::Mind;
use storysim::belief::{Chain, DeedTracker, Held};
use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use storysim::trace::Trace;
use storysim::world::{
    Act, Container, Deed, Distraction, Event, Hearers, Item, Knowledge, Scene, Stage, Telling, Thing, Trust,
    Value,
};

const ANN: CharacterId = CharacterId::new(0);
const BOB: CharacterId = CharacterId::new(1);
const CAT: CharacterId = CharacterId::new(2);
const KITCHEN: PlaceId = PlaceId::new(0);
const GARDEN: PlaceId = PlaceId::new(1);
const BALL: ObjectId = ObjectId::new(0);
const BASKET: ContainerId = ContainerId::new(0);
const BOX: ContainerId = ContainerId::new(1);

const IN_BASKET: Option<Value> = Some(Value::Container(BASKET));
const IN_BOX: Option<Value> = Some(Value::Container(BOX));

/// A story of Ann, Bob and Cat, who are in the kitchen, and a ball in a basket there; a box stands beside it.
struct Told {
    trace: Trace,
    scene: Scene,
}

fn tale(is_open: bool, trust: Trust) -> Told {
    let stage = Stage {
        containers: vec![Container { place: KITCHEN, is_open }; 2],
        objects: vec![Thing { value: Value::Container(BASKET), knowledge: vec![] }],
        trust,
        ..Stage::default()
    };
    let trace = Trace { start: vec![KITCHEN; 3], stage, ..Trace::default() };
    Told { scene: Scene::new(&trace.start, &trace.stage), trace }
}

impl Told {
    fn go(self, who: CharacterId, to: PlaceId) -> Self {
        self.happens(who, to, Deed::default())
    }

    fn does(self, who: CharacterId, act: Act) -> Self {
        self.deed(who, Deed { act, ..Deed::default() })
    }

    fn deed(self, who: CharacterId, deed: Deed) -> Self {
        let here = self.scene.place(who);
        self.happens(who, here, deed)
    }

    fn happens(mut self, who: CharacterId, to: PlaceId, deed: Deed) -> Self {
        let event = Event { who, from: self.scene.place(who), to };
        assert!(self.scene.allows(event, &deed), "{event:?} {deed:?}");
        self.scene.apply(event, &deed.act);
        self.trace.events.push(event);
        self.trace.deeds.push(deed);
        self
    }

    /// What a chain of minds holds of an item.
    fn of(&self, minds: &[CharacterId], item: Item) -> Held {
        let held = Mind::after(&self.trace, minds.len()).held(minds, item).unwrap();
        let mut tracker = DeedTracker::new(Chain::new(minds, item));
        tracker.start(&self.trace);
        for (&event, deed) in self.trace.events.iter().zip(&self.trace.deeds) {
            tracker.apply(event, deed);
        }
        assert_eq!(tracker.held(), held, "{minds:?} about {item:?}");
        held
    }

    fn ball(&self, minds: &[CharacterId]) -> Held {
        self.of(minds, Item::Object(BALL))
    }

    fn expect(&self, answers: &[(&[CharacterId], Option<Value>)]) {
        for &(minds, wanted) in answers {
            assert_eq!(self.ball(minds).value(), wanted, "{minds:?}");
        }
    }
}

fn says(value: Value, hearers: Hearers) -> Act {
    Act::Tell(Telling { hearers, item: Item::Object(BALL), value, believers: None })
}

/// Sally-Anne, with second thoughts: Ann goes to the garden. Bob moves the ball from the basket to the box, and
/// Cat watches. Nobody in the kitchen takes Ann to know, and Ann takes nobody to know anything else: ToMi's
/// generator gives those who have left what was seen by those who stayed.
#[test]
fn who_has_left_is_not_given_what_happens_later_at_second_order() {
    let told = tale(false, Trust::default()).go(ANN, GARDEN).does(BOB, Act::MoveObject(BALL, BOX));
    told.expect(&[
        (&[ANN], IN_BASKET),
        (&[BOB], IN_BOX),
        (&[CAT], IN_BOX),
        (&[ANN, BOB], IN_BASKET),
        (&[ANN, CAT], IN_BASKET),
        (&[BOB, ANN], IN_BASKET),
        (&[CAT, ANN], IN_BASKET),
        (&[BOB, CAT], IN_BOX),
        (&[CAT, BOB], IN_BOX),
        (&[BOB, CAT, ANN], IN_BASKET),
        (&[BOB, ANN, CAT], IN_BASKET),
    ]);
    // She comes back. The containers are closed: she sees nothing of it, and they know that.
    let told = told.go(ANN, KITCHEN);
    told.expect(&[(&[ANN], IN_BASKET), (&[BOB, ANN], IN_BASKET), (&[ANN, BOB], IN_BASKET)]);
    // She opens the basket: the ball is gone. Bob and Cat saw it go, but she can't tell where to.
    let told = told.does(ANN, Act::Open(BASKET));
    assert_eq!(told.ball(&[ANN]), Held::Nothing);
    assert_eq!(told.ball(&[ANN, BOB]), Held::Unclear);
    assert_eq!(told.ball(&[BOB, ANN]), Held::Nothing);
    told.expect(&[(&[BOB], IN_BOX), (&[BOB, CAT], IN_BOX)]);
    // She opens the box too: now all know, and that all know.
    let told = told.does(ANN, Act::Open(BOX));
    told.expect(&[
        (&[ANN], IN_BOX),
        (&[ANN, BOB], IN_BOX),
        (&[BOB, ANN], IN_BOX),
        (&[CAT, BOB, ANN], IN_BOX),
    ]);
}

/// Ann goes to the garden, Cat too. Bob moves the ball to the box. Cat comes back to open containers: she sees it.
/// Ann, in the garden, saw Cat go; she takes Cat to see the ball where it was.
#[test]
fn who_comes_back_to_open_containers_sees_what_was_done() {
    let told = tale(true, Trust::default())
        .go(ANN, GARDEN)
        .go(CAT, GARDEN)
        .does(BOB, Act::MoveObject(BALL, BOX))
        .go(CAT, KITCHEN);
    told.expect(&[
        (&[CAT], IN_BOX),
        (&[CAT, BOB], IN_BOX),
        (&[BOB, CAT], IN_BOX),
        (&[ANN], IN_BASKET),
        (&[ANN, CAT], IN_BASKET),
        (&[CAT, ANN], IN_BASKET),
    ]);
}

/// Bob moves the ball to the box while Ann is distracted, which nobody notices. Her own belief stays, and so does
/// all that she thinks of the others' (ExploreToM updates the latter); Bob and Cat think that she saw it.
#[test]
fn a_distracted_character_keeps_what_she_thinks_that_others_think() {
    let distracted = vec![Distraction { who: ANN, is_noticed: false }];
    let deed = Deed { act: Act::MoveObject(BALL, BOX), distracted, ..Deed::default() };
    tale(false, Trust::default()).deed(BOB, deed).expect(&[
        (&[ANN], IN_BASKET),
        (&[ANN, BOB], IN_BASKET),
        (&[ANN, CAT], IN_BASKET),
        (&[ANN, BOB, ANN], IN_BASKET),
        (&[BOB], IN_BOX),
        (&[BOB, ANN], IN_BOX),
        (&[CAT, BOB, ANN], IN_BOX),
    ]);
}

/// The same, but Bob and Cat notice that she looks away.
#[test]
fn a_noticed_distraction_is_known_to_those_who_notice() {
    let distracted = vec![Distraction { who: ANN, is_noticed: true }];
    let deed = Deed { act: Act::MoveObject(BALL, BOX), distracted, ..Deed::default() };
    tale(false, Trust::default()).deed(BOB, deed).expect(&[
        (&[ANN], IN_BASKET),
        (&[ANN, BOB], IN_BASKET),
        (&[BOB], IN_BOX),
        (&[BOB, ANN], IN_BASKET),
        (&[CAT, BOB, ANN], IN_BASKET),
        (&[CAT, ANN, BOB], IN_BASKET),
        (&[BOB, CAT], IN_BOX),
    ]);
}

/// Ann goes to the garden and peeks while Bob moves the ball. She knows, and knows that Bob and Cat know; they take
/// her to be wrong, and she knows that.
#[test]
fn who_peeks_knows_and_is_not_known_to() {
    let deed = Deed { act: Act::MoveObject(BALL, BOX), peeking: vec![ANN], ..Deed::default() };
    tale(false, Trust::default()).go(ANN, GARDEN).deed(BOB, deed).expect(&[
        (&[ANN], IN_BOX),
        (&[ANN, BOB], IN_BOX),
        (&[ANN, BOB, CAT], IN_BOX),
        (&[BOB, ANN], IN_BASKET),
        (&[ANN, BOB, ANN], IN_BASKET),
    ]);
}

/// Ann goes to the garden. Bob, who stays, sees where she goes (in ExploreToM he learns no more than that she is not in the
/// kitchen). Then Bob goes to the garden, too, and Ann comes back: Cat sees each of them go, and come.
#[test]
fn those_who_are_left_see_where_people_go() {
    let told = tale(false, Trust::default()).go(ANN, GARDEN);
    let in_garden = Some(Value::Place(GARDEN));
    for minds in [&[BOB][..], &[CAT, BOB], &[ANN, BOB]] {
        assert_eq!(told.of(minds, Item::Character(ANN)).value(), in_garden, "{minds:?}");
    }
}

/// Cat goes to the garden. Ann carries the ball from the basket to the cellar, and Cat comes back and finds neither: she has
/// no idea where they are (in ExploreToM she goes on thinking that Ann is there, where she is herself).
#[test]
fn who_does_not_find_a_person_has_no_idea_where_that_person_is() {
    let carry = Deed { act: Act::Carry(BALL), ..Deed::default() };
    let told =
        tale(true, Trust::default()).go(CAT, GARDEN).happens(ANN, PlaceId::new(2), carry).go(CAT, KITCHEN);
    for item in [Item::Character(ANN), Item::Object(BALL)] {
        assert_eq!(told.of(&[CAT], item), Held::Nothing);
        assert_eq!(told.of(&[BOB, CAT], item), Held::Nothing);
        assert_eq!(told.of(&[CAT, BOB], item), Held::Unclear); // he saw it go, she does not know where to
    }
}

/// Ann, who has never been in the cellar and knows nothing of the ball there, peeks from the garden as Cat goes from the
/// kitchen to Bob in the cellar. She sees Cat go, and nothing else: she does not learn of the ball, and so does not take Bob to
/// see it (in ExploreToM she takes him to, though she has no idea of it herself).
#[test]
fn who_peeks_sees_what_is_done_and_not_what_else_is_there() {
    let cellar = PlaceId::new(2);
    let knowledge = vec![Knowledge::Nothing, Knowledge::Right, Knowledge::Nothing];
    let stage = Stage { objects: vec![Thing { value: Value::Place(cellar), knowledge }], ..Stage::default() };
    let trace = Trace { start: vec![GARDEN, cellar, KITCHEN], stage, ..Trace::default() };
    let told = Told { scene: Scene::new(&trace.start, &trace.stage), trace };
    let deed = Deed { peeking: vec![ANN], ..Deed::default() };
    let told = told.happens(CAT, cellar, deed);
    assert_eq!(told.of(&[ANN], Item::Character(CAT)).value(), Some(Value::Place(cellar)));
    assert_eq!(told.ball(&[ANN]), Held::Nothing);
    assert_eq!(told.ball(&[CAT]).value(), Some(Value::Place(cellar)));
    assert_eq!(told.ball(&[ANN, CAT]).value(), None);
    assert_eq!(told.ball(&[BOB, ANN]), Held::Nothing);
}

/// Bob says, with the ball in the basket, that it is in the box. Ann and Cat have seen where it is. So has Bob:
/// under `unless_known_better` all three keep it. Under `always` Ann and Cat believe him, and he does not.
#[test]
fn a_lie_is_believed_by_the_rule_of_the_board_and_never_by_the_liar() {
    let lie = || says(Value::Container(BOX), Hearers::Present);
    for trust in [Trust::UnlessKnownBetter, Trust::Never] {
        let told = tale(false, trust).does(BOB, lie());
        told.expect(&[
            (&[ANN], IN_BASKET),
            (&[BOB], IN_BASKET),
            (&[ANN, BOB], IN_BASKET),
            (&[BOB, ANN], IN_BASKET),
        ]);
    }
    tale(false, Trust::Always).does(BOB, lie()).expect(&[
        (&[ANN], IN_BOX),
        (&[ANN, CAT], IN_BOX),
        (&[ANN, BOB], IN_BOX), // he is taken to mean what he says
        (&[BOB], IN_BASKET),
        (&[BOB, ANN], IN_BOX),
        (&[BOB, ANN, BOB], IN_BOX),
    ]);
}

/// Ann says that the box is open, which it is not, and nobody has touched it. Bob goes out, comes back and sees it closed.
#[test]
fn who_was_told_that_a_container_is_open_sees_that_it_is_closed() {
    let is_box_open = |told: &Told| told.of(&[BOB], Item::Lid(BOX)).value();
    let told = tale(false, Trust::Always);
    let act = Act::Tell(Telling {
        hearers: Hearers::Present,
        item: Item::Lid(BOX),
        value: Value::Truth(true),
        believers: None,
    });
    let told = told.does(ANN, act);
    assert_eq!(is_box_open(&told), Some(Value::Truth(true)));
    let told = told.go(BOB, GARDEN).go(BOB, KITCHEN);
    assert_eq!(is_box_open(&told), Some(Value::Truth(false)));
}

/// All leave the kitchen, Ann first, then Bob, who has moved the ball, then Cat. In the garden Cat says to all
/// that the ball is in the basket. Both left before her, and believe it (Hi-ToM's rule: it is believed of those
/// who left later). Then Ann says to all that it is in the box: she left first, and nobody believes that.
#[test]
fn those_who_left_the_scene_later_are_trusted() {
    let told = tale(false, Trust::LaterLeaver)
        .go(ANN, GARDEN)
        .does(BOB, Act::MoveObject(BALL, BOX))
        .go(BOB, GARDEN)
        .go(CAT, GARDEN)
        .does(CAT, says(Value::Container(BASKET), Hearers::Present));
    told.expect(&[(&[ANN], IN_BASKET), (&[BOB], IN_BASKET), (&[CAT], IN_BOX), (&[CAT, BOB], IN_BASKET)]);
    let told = told.does(ANN, says(Value::Container(BOX), Hearers::Present));
    told.expect(&[(&[ANN], IN_BASKET), (&[BOB], IN_BASKET), (&[CAT], IN_BOX), (&[BOB, ANN], IN_BASKET)]);
}

/// Ann goes to the garden, and Bob moves the ball to the box. Then he calls Ann and says where it is. She has seen
/// it in the basket, and keeps that (the default) or believes him (`always`). Cat hears nothing of it.
#[test]
fn who_does_not_hear_a_call_thinks_as_before() {
    let call = || says(Value::Container(BOX), Hearers::Afar(vec![ANN]));
    let told =
        |trust| tale(false, trust).go(ANN, GARDEN).does(BOB, Act::MoveObject(BALL, BOX)).does(BOB, call());
    told(Trust::default()).expect(&[(&[ANN], IN_BASKET), (&[ANN, BOB], IN_BASKET), (&[BOB, ANN], IN_BASKET)]);
    told(Trust::Always).expect(&[
        (&[ANN], IN_BOX),
        (&[ANN, BOB], IN_BOX),
        (&[BOB, ANN], IN_BOX),
        (&[CAT, ANN], IN_BASKET),
        (&[CAT, BOB, ANN], IN_BASKET),
    ]);
    // Cat was there when it was moved: of that Ann concludes no more than that she cannot tell.
    assert_eq!(told(Trust::Always).ball(&[ANN, CAT]), Held::Unclear);
}

/// Ann carries the ball to the garden. Bob, who sees her go, knows where it is; Cat, who was there before, sees her
/// come with it. When Ann throws it back, Bob sees it come, and Cat sees it go.
#[test]
fn what_is_carried_and_thrown_is_seen_from_both_ends() {
    let told = tale(true, Trust::default()).go(CAT, GARDEN).happens(
        ANN,
        GARDEN,
        Deed { act: Act::Carry(BALL), ..Deed::default() },
    );
    let in_hand = Some(Value::Hands(ANN));
    told.expect(&[(&[BOB], in_hand), (&[CAT], in_hand), (&[BOB, CAT], in_hand), (&[CAT, BOB, ANN], in_hand)]);
    let told = told.does(ANN, Act::Throw(BALL, KITCHEN));
    let on_floor = Some(Value::Place(KITCHEN));
    told.expect(&[
        (&[ANN], on_floor),
        (&[BOB], on_floor),
        (&[CAT, BOB], on_floor),
        (&[BOB, CAT, ANN], on_floor),
    ]);
}
