//! Plans and stories made by hand, for unit tests of both crates.

use crate::compile::compile;
use crate::diagnostic::Source;
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use crate::plan::{
    NotePiece, Place, Plan, PlannedContainer, PlannedObject, PlannedProposition, PlannedValue, Saying,
    Staging,
};
use crate::simulate::Story;
use crate::storyboard::parse;
use crate::trace::Trace;
use crate::world::{
    Act, ActInWorld, Container, Deed, Event, Hearers, Item, Knowledge, Stage, Telling, Thing, Trust, Value,
};

const BOARD: &str = "
storysim: 1
name: by-hand
characters: {pool: [Ann, Bob, Cid, Zoe]}
roles: [A, B, C, Z]
places: {complete: [the_kitchen, the_hall]}
start: the_kitchen
horizon: 1
questions: [reality: A]
";

pub const ANN: CharacterId = CharacterId::new(0);
pub const BOB: CharacterId = CharacterId::new(1);
pub const CID: CharacterId = CharacterId::new(2);
pub const ZOE: CharacterId = CharacterId::new(3);
pub const KITCHEN: PlaceId = PlaceId::new(0);
pub const HALL: PlaceId = PlaceId::new(1);
pub const BASKET: ContainerId = ContainerId::new(0);
pub const BOX: ContainerId = ContainerId::new(1);
pub const MARBLE: ObjectId = ObjectId::new(0);

pub fn words(text: &str) -> Vec<NotePiece> {
    vec![NotePiece::Text(text.to_owned())]
}

/// A marble in the basket, a box, a gift that only Ann knows of, and everyone's attitude to a painting.
pub fn staging() -> Staging {
    let container =
        |name: &str, is_open| PlannedContainer { name: name.into(), place: Place::Fixed(KITCHEN), is_open };
    let gift = PlannedProposition {
        name: "gift".into(),
        is_true: Some(true),
        knowledge: vec![Knowledge::Right, Knowledge::Wrong, Knowledge::Nothing, Knowledge::Nothing],
        says: Saying::Words {
            says: vec![
                NotePiece::Text("the gift for ".into()),
                NotePiece::Character(BOB),
                NotePiece::Text(" is a bicycle".into()),
            ],
            denies: words("the gift is no bicycle"),
        },
    };
    let likes = |who| PlannedProposition {
        name: "painting".into(),
        is_true: None,
        knowledge: Vec::new(),
        says: Saying::Likes(who, 0),
    };
    Staging {
        containers: vec![container("basket", true), container("Zoe's box", false)],
        objects: vec![PlannedObject {
            name: "marble".into(),
            start: vec![PlannedValue::Container(BASKET)],
            knowledge: Vec::new(),
        }],
        propositions: [gift].into_iter().chain([ANN, BOB, CID, ZOE].map(likes)).collect(),
        attitudes: vec!["painting".into()],
        ..Staging::default()
    }
}

pub fn plan_of(staging: Option<Staging>) -> Plan {
    let board = parse(Source { name: "by-hand.yaml".into(), text: BOARD.into() }).unwrap();
    Plan { staging, ..compile(&board, &[]).unwrap().plan }
}

pub fn plan() -> Plan {
    plan_of(Some(staging()))
}

pub fn stage() -> Stage {
    let container = |is_open| Container { place: KITCHEN, is_open };
    let staging = staging();
    let truth = |proposition: &PlannedProposition| Thing {
        value: Value::Truth(true),
        knowledge: proposition.knowledge.clone(),
    };
    Stage {
        containers: vec![container(true), container(false)],
        objects: vec![Thing { value: Value::Container(BASKET), knowledge: Vec::new() }],
        propositions: staging.propositions.iter().map(truth).collect(),
        trust: Trust::default(),
        ..Stage::default()
    }
}

/// A story in which Ann does these, one after another, in the kitchen; where she goes, to the hall.
pub fn story(deeds: Vec<Deed>) -> Story {
    let event =
        |deed: &Deed| Event { who: ANN, from: KITCHEN, to: if deed.act.is_going() { HALL } else { KITCHEN } };
    let trace = Trace {
        start: vec![KITCHEN, KITCHEN, HALL, HALL],
        events: deeds.iter().map(event).collect(),
        deeds,
        stage: stage(),
    };
    Story {
        index: 0,
        cast: 0,
        names: vec![0, 1, 2, 3],
        trace,
        before: 0,
        lives: Vec::new(),
        strands: Vec::new(),
    }
}

pub fn deed(act: Act) -> Deed {
    Deed { act, ..Deed::default() }
}

pub fn tell(hearers: Hearers, item: Item, value: Value) -> Act {
    Act::Tell(Telling { hearers, item, value, believers: None })
}
