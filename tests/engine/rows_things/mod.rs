//! Rows of boards with things, telling and following, from the outside: their prose is read as a person reads it,
//! and all that a row says is worked out again from that, with the nested oracle.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::id::CharacterId;
use storysim::plan::{Plan, Question, Saying, Target};
use storysim::question::{Answer, Verdict};
use storysim::storyboard::{BUILT_IN, QuestionKind, Storyboard, Style};
use storysim::trace::Trace;
use storysim::world::{Act, Hearers, Item, Scene, Trust, Value};

mod asked;
mod boards;
mod prose;

use crate::fixed::with_known_factors;
use crate::json::{shown, text, texts};
use crate::oracle::{self, independent_answer, independent_distance, renumbered, steps_of};
use crate::reasons::Reasons;
use crate::storyboards::{board, built_in, family};
use boards::{TALK, WORKSHOP};
use prose::Told;

fn plan_of(board: &Storyboard) -> Plan {
    compile(board, &[]).unwrap().plan
}

impl Told {
    fn answer(&self, answer: Answer) -> String {
        match answer {
            Answer::Place(place) => self.places[place.index()].clone(),
            Answer::Container(container) => self.containers[container.index()].clone(),
            Answer::Character(who) => self.people[who.index()].clone(),
            Answer::Verdict(Verdict::Yes) => "yes".to_owned(),
            Answer::Verdict(Verdict::No) => "no".to_owned(),
            Answer::Verdict(Verdict::Unknown) => "unknown".to_owned(),
            Answer::Why(..) | Answer::Standing(..) => unreachable!("only conversations have matters"),
            Answer::Shown(_) | Answer::Life(..) => unreachable!("there are no prospects"),
            Answer::People(0) => "nobody".to_owned(),
            Answer::People(people) => {
                let named = self.people.iter().enumerate().filter(|(at, _)| people >> at & 1 == 1);
                named.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn json(&self, answer: Option<Answer>) -> Json {
        answer.map_or(Json::Null, |answer| self.answer(answer).into())
    }

    fn name(&self, who: CharacterId) -> &str {
        &self.people[who.index()]
    }

    /// The answer after a story of which this is all that happens.
    fn reply(&self, story: &Trace, asked: &Question) -> Option<Answer> {
        let Target::Attitude(thing) = asked.target else { return independent_answer(story, asked) };
        let likes = asked.kind == QuestionKind::WhoLikes;
        let mut people = 0;
        for at in 0..self.people.len() {
            let chain = Chain::new(&asked.others, self.attitude(CharacterId::new(at), thing));
            match Mind::after_along(story, &chain).held(chain.minds(), chain.target()).unwrap() {
                Held::Known(value, _) => people |= u64::from(value == Value::Truth(likes)) << at,
                Held::Nothing => {}
                Held::Unclear => return None,
            }
        }
        Some(Answer::People(people))
    }

    /// The row's `events`, with what the storyboard calls the statements.
    fn events(&self, statements: &[&str]) -> Json {
        let mut events = Vec::new();
        let value = |value: Value| match value {
            Value::Truth(is_true) => json!(is_true),
            Value::Place(place) => json!(self.places[place.index()]),
            Value::Container(container) => json!(self.containers[container.index()]),
            Value::Hands(who) => json!(self.name(who)),
            Value::Case(_) | Value::NoCase => unreachable!("there are no prospects"),
        };
        let names = |who: &[CharacterId]| json!(who.iter().map(|&who| self.name(who)).collect::<Vec<_>>());
        let thing =
            |proposition: usize| &self.attitudes[(proposition - self.statements.len()) / self.people.len()];
        let item = |item: Item| match item {
            Item::Character(who) => json!(self.name(who)),
            Item::Object(object) => json!(self.objects[object.index()]),
            Item::Lid(container) => json!(self.containers[container.index()]),
            Item::Prospect(_) => unreachable!("there are none"),
            Item::Proposition(proposition) => match statements.get(proposition.index()) {
                Some(name) => json!(name),
                None => {
                    let who = (proposition.index() - statements.len()) % self.people.len();
                    json!(format!("{} likes {}", self.people[who], thing(proposition.index())))
                }
            },
        };
        for (step, (event, deed)) in self.trace.events.iter().zip(&self.trace.deeds).enumerate() {
            let object = |object| item(Item::Object(object));
            let to = json!(self.places[event.to.index()]);
            let details = match &deed.act {
                Act::Go => vec![json!(self.verbs[step]), to],
                Act::GoTogether(others) => vec![json!("move_together"), names(others), to],
                Act::Carry(carried) => vec![json!("carry"), object(*carried), to],
                Act::Take(taken) => vec![json!("take"), object(*taken)],
                Act::Put(put, spot) => vec![json!("put"), object(*put), value(*spot)],
                Act::MoveObject(moved, container) => {
                    vec![json!("move_object"), object(*moved), value(Value::Container(*container))]
                }
                Act::Give(given, to) => vec![json!("give"), object(*given), json!(self.name(*to))],
                Act::Throw(thrown, place) => {
                    vec![json!("throw"), object(*thrown), value(Value::Place(*place))]
                }
                Act::Open(container) => vec![json!("open"), item(Item::Lid(*container))],
                Act::Close(container) => vec![json!("close"), item(Item::Lid(*container))],
                Act::Show(_) => unreachable!("no storyboard has anything shown"),
                Act::React((shown, likes)) => vec![json!("react"), json!(thing(shown.index())), json!(likes)],
                Act::Reveal((fact, is_so)) => {
                    vec![json!("reveal"), item(Item::Proposition(*fact)), json!(is_so)]
                }
                Act::Turn(_) => unreachable!("there are no prospects"),
                Act::Chat => vec![json!("chat")],
                Act::Tell(telling) => {
                    let (verb, hearers) = match &telling.hearers {
                        Hearers::Present => ("tell", json!("present")),
                        Hearers::Named(who) => ("tell", names(who)),
                        Hearers::Afar(who) => ("phone", names(who)),
                    };
                    vec![json!(verb), hearers, item(telling.item), value(telling.value)]
                }
            };
            events.push(Json::Array([vec![json!(step), json!(self.name(event.who))], details].concat()));
            events.extend(deed.peeking.iter().map(|&who| json!([step, self.name(who), "peek"])));
            let missed = deed.distracted.iter();
            events.extend(
                missed.map(|missed| json!([step, self.name(missed.who), "distracted", missed.is_noticed])),
            );
        }
        Json::Array(events)
    }
}

/// One row, from its prose.
fn check(row: &Json, plan: &Plan) -> Told {
    let row = &shown(row);
    let id = text(&row["id"]);
    let mut told = Told::new(text(&row["context"]), text(&row["story"]));
    let asked = told.question(text(&row["question"]));
    let statements: Vec<&str> = plan
        .staging
        .iter()
        .flat_map(|staging| &staging.propositions)
        .filter(|proposition| matches!(proposition.says, Saying::Words { .. }))
        .map(|proposition| proposition.name.as_str())
        .collect();
    assert_eq!(told.events(&statements), row["events"], "{id}: events");
    assert_eq!(told.trace.events.len(), plan.horizon, "{id}: a sentence for each step");
    check_start(row, &told);
    check_asked(row, plan, &told, &asked, &statements);

    let steps = steps_of(&told.trace, asked.moment).unwrap_or_else(|| panic!("{id}: that cannot happen"));
    let story = oracle::told(&told.trace, &steps);
    let found = told.reply(&story, &asked);
    assert!(found.is_some(), "{id}: no answer");
    assert_eq!(told.json(found), row["answer"], "{id}: answer");

    // What is really so, and how long the mind has been wrong.
    let reality = Question { kind: QuestionKind::Reality, others: Vec::new(), ..asked.clone() };
    let truth = match asked.kind {
        QuestionKind::Belief | QuestionKind::Reality | QuestionKind::Start | QuestionKind::World => {
            independent_answer(&story, &reality)
        }
        _ => found,
    };
    assert_eq!(told.json(truth), row["truth"], "{id}: truth");
    let is_false = found != truth && found != Some(Answer::Verdict(Verdict::Unknown));
    let is_belief = asked.kind == QuestionKind::Belief;
    assert_eq!(
        if is_belief { json!(is_false) } else { Json::Null },
        row["false_belief"],
        "{id}: false_belief"
    );
    let distance = (is_belief && is_false).then(|| independent_distance(&story, &steps, &asked)).flatten();
    assert_eq!(json!(distance), row["mislead_distance"], "{id}: mislead_distance");

    // Evidence: enough, and nothing to spare.
    let evidence: Vec<usize> =
        row["evidence"].as_array().unwrap().iter().map(|step| step.as_u64().unwrap() as usize).collect();
    let targets = match asked.target {
        Target::Item(item) => vec![item],
        Target::Attitude(thing) => {
            (0..told.people.len()).map(|at| told.attitude(CharacterId::new(at), thing)).collect()
        }
        Target::Matter(_) => unreachable!("only conversations have matters"),
    };
    let evidence = renumbered(&evidence, &steps).expect("steps of which the question asks");
    assert_eq!(Reasons::new(&story, &asked, targets).fault(&evidence), None, "{id}: evidence");
    check_choices(row, &told, &asked);
    check_foils(row, &told, &asked, &story);
    told
}

fn check_start(row: &Json, told: &Told) {
    let start = &told.trace.start;
    let place = |at: usize| json!(told.places[start[at].index()]);
    let wanted = if start.iter().all(|place| *place == start[0]) {
        place(0)
    } else {
        told.people.iter().cloned().enumerate().map(|(at, name)| (name, place(at))).collect()
    };
    assert_eq!(wanted, row["start"], "{}: start", row["id"]);
}

/// What is asked is what the storyboard has under this number, of those whom the cast names.
fn check_asked(row: &Json, plan: &Plan, told: &Told, asked: &Question, statements: &[&str]) {
    let id = text(&row["id"]);
    let number: usize = id.rsplit('/').next().unwrap().parse().unwrap();
    let question = &plan.questions[number];
    let player = |role: &CharacterId| {
        told.person(text(&row["cast"][&plan.role_names[role.index()]]))
            .unwrap_or_else(|| panic!("{id}: cast"))
    };
    assert_eq!(row["cast"].as_object().unwrap().len(), plan.role_names.len() + plan.bind_names.len(), "{id}");
    assert_eq!(question.others.iter().map(player).collect::<Vec<_>>(), asked.others, "{id}: cast");
    assert_eq!((question.kind, question.moment), (asked.kind, asked.moment), "{id}");
    let (kind, about) = (text(&row["kind"]), text(&row["about"]));
    let moment =
        ["", "_before", "_without"].into_iter().find(|end| kind == format!("{}{end}", asked.kind.key()));
    assert_eq!(
        moment,
        Some(match asked.moment {
            storysim::plan::Moment::End => "",
            storysim::plan::Moment::Before(_) => "_before",
            storysim::plan::Moment::Without(_) => "_without",
        }),
        "{id}: kind"
    );
    let target = match asked.target {
        Target::Item(Item::Character(who)) => told.name(who),
        Target::Item(Item::Object(object)) => &told.objects[object.index()],
        Target::Item(Item::Proposition(proposition)) => statements[proposition.index()],
        Target::Item(Item::Lid(container)) => &told.containers[container.index()],
        Target::Item(Item::Prospect(_)) => unreachable!("there are none"),
        Target::Attitude(thing) => &told.attitudes[thing],
        Target::Matter(_) => unreachable!("only conversations have matters"),
    };
    assert_eq!(target, about, "{id}: about");
    let chain = match asked.target {
        _ if asked.kind == QuestionKind::World => Vec::new(),
        Target::Item(item) => Chain::new(&asked.others, item).minds().to_vec(),
        Target::Attitude(_) | Target::Matter(_) => asked.others.clone(),
    };
    let names: Vec<&str> = chain.iter().map(|&who| told.name(who)).collect();
    assert_eq!(names, texts(&row["chain"]), "{id}: chain");
    assert_eq!(row["order"], chain.len(), "{id}: order");
}

fn check_choices(row: &Json, told: &Told, asked: &Question) {
    let id = text(&row["id"]);
    let choices = texts(&row["choices"]);
    assert_eq!(choices[row["label"].as_u64().unwrap() as usize], row["answer"], "{id}: label");
    let mut sorted = choices.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert!(sorted.len() == choices.len() && (2..=12).contains(&choices.len()), "{id}: choices");
    let is_sorted = |wanted: Vec<&str>| {
        let mut wanted = wanted;
        wanted.sort_unstable();
        assert_eq!(sorted, wanted, "{id}: choices");
    };
    let is_true_or_not = matches!(asked.target, Target::Item(Item::Proposition(_) | Item::Lid(_)));
    match asked.kind {
        QuestionKind::Knows => is_sorted(vec!["yes", "no"]),
        QuestionKind::Belief if is_true_or_not => is_sorted(vec!["yes", "no", "unknown"]),
        QuestionKind::Reality if is_true_or_not => is_sorted(vec!["yes", "no"]),
        QuestionKind::Following => {
            let others = told.people.iter().map(String::as_str).filter(|name| *name != row["about"]);
            is_sorted(others.collect());
        }
        QuestionKind::WhoKnows
        | QuestionKind::CouldAnswer
        | QuestionKind::WhoLikes
        | QuestionKind::WhoDislikes => {
            assert_eq!(choices.len(), 4, "{id}");
            for choice in choices.into_iter().filter(|choice| *choice != "nobody") {
                let order: Vec<_> = choice.split(", ").map(|name| told.person(name).unwrap()).collect();
                assert!(order.is_sorted(), "{id}: {choice}");
            }
        }
        _ => {
            let is_object = matches!(asked.target, Target::Item(Item::Object(_)));
            for container in &told.containers {
                assert_eq!(choices.contains(&container.as_str()), is_object, "{id}: {container}");
            }
        }
    }
}

/// Where the target is, if all of those asked of see it there.
fn common(scene: &Scene, asked: &Question, item: Item) -> bool {
    let sees = |who: &CharacterId| scene.look(scene.place(*who)).iter().any(|&(seen, _)| seen == item);
    !asked.others.is_empty() && asked.others.iter().all(sees)
}

fn check_foils(row: &Json, told: &Told, asked: &Question, story: &Trace) {
    let id = text(&row["id"]);
    let mut wanted: BTreeMap<&str, Option<Answer>> = BTreeMap::new();
    let has_passage = matches!(
        asked.kind,
        QuestionKind::Belief | QuestionKind::Reality | QuestionKind::Start | QuestionKind::World
    );
    if let (true, Target::Item(item)) = (has_passage, asked.target) {
        let reality = Question { kind: QuestionKind::Reality, others: Vec::new(), ..asked.clone() };
        let is_so = |events: usize| {
            let (events, deeds) = (story.events[..events].to_vec(), story.deeds[..events].to_vec());
            independent_answer(&Trace { events, deeds, ..story.clone() }, &reality)
        };
        let mut been: Vec<_> = (0..=story.events.len()).map(is_so).collect();
        let mut scene = Scene::new(&story.start, &story.stage);
        let (mut were_common, mut commons) = (common(&scene, asked, item).then_some(been[0]), Vec::new());
        for (step, (event, deed)) in story.events.iter().zip(&story.deeds).enumerate() {
            scene.apply(*event, &deed.act);
            let are_common = common(&scene, asked, item).then_some(been[step + 1]);
            // People come together; a thing is seen wherever it is.
            if are_common != were_common || matches!(item, Item::Object(_)) {
                commons.extend(are_common);
            }
            were_common = are_common;
        }
        been.dedup();
        wanted.insert("last_place", been[been.len() - 1]);
        if matches!(item, Item::Character(_) | Item::Object(_)) {
            wanted.insert("second_last_place", been.len().checked_sub(2).and_then(|at| been[at]));
            wanted.insert("first_common_place", commons.first().copied().flatten());
            wanted.insert("last_common_place", commons.last().copied().flatten());
            // Where no place can be the answer, that of a person cannot.
            let can_be_place =
                texts(&row["choices"]).iter().any(|choice| !told.containers.contains(&choice.to_string()));
            let own = asked.others.first().filter(|_| can_be_place);
            wanted.insert("own_place", own.map(|&who| Answer::Place(scene.place(who))));
        }
    }
    let is_lower = match asked.kind {
        QuestionKind::Belief
        | QuestionKind::CouldAnswer
        | QuestionKind::WhoLikes
        | QuestionKind::WhoDislikes => !asked.others.is_empty(),
        QuestionKind::Knows => asked.others.len() > 1,
        _ => false,
    };
    if is_lower {
        let lower = Question { others: asked.others[1..].to_vec(), ..asked.clone() };
        wanted.insert("lower_order", told.reply(story, &lower));
    }
    let foils = row["foils"].as_object().unwrap();
    assert_eq!(foils.len(), 6, "{id}");
    for (name, foil) in foils {
        assert_eq!(*foil, told.json(wanted.get(name.as_str()).copied().flatten()), "{id}: {name}");
    }
}

/// Checks all rows of so many stories of a board. Returns how many of each question there are, and how many
/// events of each kind.
fn check_board(plan: &Plan, stories: u64) -> BTreeMap<String, usize> {
    let family = with_known_factors(plan.clone());
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let mut counts = BTreeMap::new();
    let mut rows = String::new();
    for index in 0..stories {
        rows.clear();
        maker.rows(index, &mut rows);
        for row in rows.lines() {
            let row: Json = serde_json::from_str(row).unwrap();
            let told = check(&row, plan);
            let number = text(&row["id"]).rsplit('/').next().unwrap();
            let mut count = |what: String| *counts.entry(what).or_default() += 1;
            count(format!("question {number}"));
            if text(&row["context"])
                .contains("Someone who takes or carries a thing, or is given it, has it in hand")
            {
                count(format!("rule of giving, question {number}"));
            }
            for event in row["events"].as_array().unwrap() {
                count(format!("event {}", text(&event[2])));
            }
            let notes = told.sentences.len() - row["events"].as_array().unwrap().len();
            (0..notes).for_each(|_| count("note".to_owned()));
        }
    }
    counts
}

/// That every question of a board has rows.
fn check_asked_enough(plan: &Plan, counts: &BTreeMap<String, usize>) {
    for number in 0..plan.questions.len() {
        let count = counts.get(&format!("question {number}")).copied().unwrap_or_default();
        assert!(count >= 5, "{}: question {number} has {count} rows", plan.name);
    }
}

macro_rules! boards {
    ($($test:ident: $name:literal, $stories:literal;)+) => {
        /// The boards whose rows are checked here.
        const CHECKED: &[&str] = &[$($name),+];
        $(#[test]
        fn $test() {
            let plan = plan_of(&built_in($name));
            check_asked_enough(&plan, &check_board(&plan, $stories));
        })+
    };
}

boards! {
    sally_anne: "sally-anne", 60;
    ice_cream_van: "ice-cream-van", 60;
    hidden_ball: "hidden-ball", 60;
    pursuit: "pursuit", 80;
    gallery: "gallery", 80;
    phone_numbers: "phone-numbers", 60;
    tomi_like: "tomi-like", 50;
    hitom_like: "hitom-like", 40;
    rumour: "rumour", 40;
    whispers: "whispers", 50;
    objects_calibrated: "objects-calibrated", 40;
    telling_calibrated: "telling-calibrated", 40;
}

/// In `whispers` a secret spreads, in every story; and whatever is asked has several answers.
#[test]
fn whispers_are_whispered() {
    let board = built_in("whispers");
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut answers: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for index in 0..400 {
        let mut rows = String::new();
        assert_eq!(maker.rows(index, &mut rows), 5, "every question has an answer");
        for (question, row) in (0..).zip(rows.lines()) {
            let row: Json = serde_json::from_str(row).unwrap();
            let whispers = row["story"].as_str().unwrap().matches(" whispers to ").count();
            assert!(whispers >= 2, "{}", row["story"]);
            answers.entry(question).or_default().insert(row["answer"].as_str().unwrap().to_owned());
        }
    }
    let counts: Vec<usize> = answers.values().map(BTreeSet::len).collect();
    assert!(counts[0] > 20 && counts[1..] == [2, 3, 2, 2], "{answers:?}");
}

/// No built-in board with more than people who walk is forgotten.
#[test]
fn all_boards_with_things_are_checked() {
    for board in BUILT_IN {
        let plan = plan_of(&built_in(board.name));
        let is_following = |question: &Question| question.kind == QuestionKind::Following;
        let is_more = plan.staging.is_some() || plan.questions.iter().any(is_following);
        // Conversations, and stories about prospects, have readers of their own.
        let is_report = plan
            .staging
            .as_ref()
            .is_none_or(|staging| staging.style == Style::Report && staging.prospects.is_empty());
        let is_more = is_more && is_report;
        assert_eq!(is_more, CHECKED.contains(&board.name), "{}", board.name);
    }
}

#[test]
fn chapters() {
    let plan = compile(&built_in("hitom-like"), &[("chapters".to_owned(), 3)]).unwrap().plan;
    check_board(&plan, 6);
}

#[test]
fn things_in_hand_and_out_of_sight() {
    let plan = plan_of(&board(WORKSHOP));
    let counts = check_board(&plan, 40);
    check_asked_enough(&plan, &counts);
    for kind in [
        "enters",
        "steps into",
        "take",
        "put",
        "move_object",
        "give",
        "carry",
        "throw",
        "open",
        "close",
        "peek",
    ] {
        assert!(counts.get(&format!("event {kind}")).is_some_and(|&count| count > 20), "{kind}: {counts:?}");
    }
    assert!(counts["note"] >= 3 * counts["question 0"] && counts["event distracted"] > 20, "{counts:?}");
    assert_eq!(counts["rule of giving, question 0"], counts["question 0"]);
}

#[test]
fn all_that_is_said_under_every_trust() {
    let mut counts = BTreeMap::new();
    for trust in Trust::ALL {
        let name = ["always", "never", "unless_known_better", "later_leaver"][trust as usize];
        let plan = plan_of(&board(&TALK.replace("TRUST", name)));
        assert_eq!(plan.staging.as_ref().unwrap().trust, trust);
        for (what, count) in check_board(&plan, 30) {
            *counts.entry(what).or_default() += count;
        }
        if trust == Trust::LaterLeaver {
            check_asked_enough(&plan, &counts);
        }
    }
    assert!(!counts.contains_key("rule of giving, question 0"), "nobody can give anything there");
    for kind in ["tell", "phone", "react", "peek", "distracted"] {
        assert!(counts.get(&format!("event {kind}")).is_some_and(|&count| count > 100), "{kind}: {counts:?}");
    }
}
