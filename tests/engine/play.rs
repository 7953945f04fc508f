//! Free play with deeds, against all its stories written out: who can do what is drawn does it, who cannot
//! moves, and the stories that meet the conditions are drawn with their probability given that they do.
//!
//! The world is told again here, in names, and shares no code with the one that is tested.

use std::collections::BTreeMap;

use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::plan::Plan;
use storysim::select::{Admitted, Selector, admit};
use storysim::simulate::Story;
use storysim::storyboard::{Storyboard, parse};
use storysim::world::{Act, Hearers, Item, Value};

use crate::effort::times;

/// How many stories of each board are drawn.
fn draws() -> u64 {
    // With fewer, hardly any story is to be expected ten times.
    times(40_000).max(40_000)
}

/// Two people, three places, a ball, and two boxes in `a`, one of them closed.
const BOARD: &str = "storysim: 1
name: tiny
characters: {pool: [A, B]}
roles: [A, B]
places: {a: [b, c], b: [a], c: [a]}
start: {A: a, B: b}
containers: {box: a, chest: {in: a, is: closed}}
objects: {ball: [box, b]}
attitudes: [music]
horizon: 4
";

/// Two people, three places, and something of which one knows whether it is so.
const TALK: &str = "storysim: 1
name: tiny
characters: {pool: [A, B]}
roles: [A, B]
places: {a: [b, c], b: [a], c: [a]}
start: {A: a, B: b}
propositions: {gift: {says: yes, known: [A]}}
horizon: 4
";

#[derive(Clone)]
struct World {
    places: [char; 2],
    /// A place, a container, or `in hand of A`.
    ball: String,
    closed: Vec<&'static str>,
    likes: [bool; 2],
    /// What each believes of the gift; A knows, B has been told.
    gift: [Option<bool>; 2],
    /// Whether B has seen it.
    has_seen: bool,
}

type Told = Vec<String>;

fn ways(place: char) -> &'static str {
    if place == 'a' { "bc" } else { "a" }
}

impl World {
    fn room(&self) -> char {
        match self.ball.as_str() {
            "box" | "chest" => 'a',
            "hand of A" => self.places[0],
            "hand of B" => self.places[1],
            place => place.chars().next().unwrap(),
        }
    }

    /// All that one can do of a kind, and what the world is then.
    fn options(&self, who: usize, kind: &str) -> Vec<(String, World)> {
        let name = ["A", "B"][who];
        let here = self.places[who];
        let hand = format!("hand of {name}");
        let in_hand = self.ball == hand;
        let in_reach = in_hand || !self.ball.starts_with("hand") && self.room() == here;
        let boxes: &[&str] = if here == 'a' { &["box", "chest"] } else { &[] };
        let with_ball = |to: &str| World { ball: to.to_owned(), ..self.clone() };
        let mut options = Vec::new();
        match kind {
            "take" if in_reach && !in_hand => options.push((format!("{name} take"), with_ball(&hand))),
            "put" if in_hand => {
                let down = here.to_string();
                options.push((format!("{name} put {down}"), with_ball(&down)));
                options.extend(boxes.iter().map(|to| (format!("{name} put {to}"), with_ball(to))));
            }
            "move_object" if in_reach => {
                let others = boxes.iter().filter(|to| **to != self.ball);
                options.extend(others.map(|to| (format!("{name} move_object {to}"), with_ball(to))));
            }
            "give" if in_hand && self.places[0] == self.places[1] => {
                let other = ["B", "A"][who];
                options.push((format!("{name} give {other}"), with_ball(&format!("hand of {other}"))));
            }
            "throw" if in_reach => {
                options.extend(
                    ways(here).chars().map(|to| (format!("{name} throw {to}"), with_ball(&to.to_string()))),
                );
            }
            "open" | "close" => {
                for &container in boxes {
                    if self.closed.contains(&container) == (kind == "open") {
                        let mut next = self.clone();
                        next.closed.retain(|other| *other != container);
                        if kind == "close" {
                            next.closed.push(container);
                        }
                        options.push((format!("{name} {kind} {container}"), next));
                    }
                }
            }
            "tell" | "lie" | "whisper" | "phone" => {
                let is_together = self.places[0] == self.places[1];
                let Some(believed) = self.gift[who].filter(|_| is_together == (kind != "phone")) else {
                    return options;
                };
                let said = believed == (kind != "lie");
                let mut next = self.clone();
                // Who has seen what is so does not believe anything else.
                if who == 0 && !self.has_seen {
                    next.gift[1] = Some(said);
                }
                let how = if kind == "lie" { "tell" } else { kind };
                options.push((format!("{name} {how} {said}"), next));
            }
            "react" => options.push((format!("{name} react {}", self.likes[who]), self.clone())),
            "chat" if self.places[0] == self.places[1] => {
                options.push((format!("{name} chat"), self.clone()));
            }
            "reveal" if self.places[0] == self.places[1] && (who == 0 || self.has_seen) => {
                let next = World { gift: [self.gift[0]; 2], has_seen: true, ..self.clone() };
                options.push((format!("{name} reveal {}", self.gift[0].unwrap()), next));
            }
            _ => {}
        }
        options
    }

    fn gone(&self, who: usize, to: char) -> World {
        let mut next = self.clone();
        next.places[who] = to;
        next
    }

    fn can_carry(&self, who: usize) -> bool {
        let hand = format!("hand of {}", ["A", "B"][who]);
        self.ball == hand || !self.ball.starts_with("hand") && self.room() == self.places[who]
    }
}

/// What a board demands of step `step`, in which `told` happened and led to this world.
type Demand = fn(usize, &str, &World) -> bool;

/// Who does not act at a step.
type Idle = fn(usize) -> Option<usize>;

/// What is scripted at a step: its options; none if free play goes on.
type Script = fn(usize, &World) -> Option<Vec<(String, World)>>;

/// How stories can start, each equally likely.
type Starts = fn() -> Vec<(Told, World)>;

fn with_ball() -> Vec<(Told, World)> {
    let mut starts = Vec::new();
    for likes in 0..4 {
        for ball in ["box", "b"] {
            let likes = [likes & 1 == 1, likes & 2 == 2];
            let told = vec![format!("{ball} {likes:?}")];
            let (ball, closed) = (ball.to_owned(), vec!["chest"]);
            let world = World { places: ['a', 'b'], ball, closed, likes, gift: [None; 2], has_seen: false };
            starts.push((told, world));
        }
    }
    starts
}

fn with_gift() -> Vec<(Told, World)> {
    let start = |is_true: bool| {
        let (gift, ball, has_seen) = ([Some(is_true), None], "hand".to_owned(), false);
        let world = World { places: ['a', 'b'], ball, closed: vec![], likes: [true; 2], gift, has_seen };
        (vec![format!("{is_true}")], world)
    };
    vec![start(true), start(false)]
}

/// All stories of four steps, with their probability given the demands, and how likely those are.
fn brute_force(
    play: &[(&str, u32)],
    starts: Starts,
    idle: Idle,
    demand: Demand,
    script: Script,
) -> (BTreeMap<Told, f64>, f64) {
    let starts = starts();
    let share = 1.0 / starts.len() as f64;
    let mut open: Vec<(Told, World, f64)> =
        starts.into_iter().map(|(told, world)| (told, world, share)).collect();
    let all: u32 = play.iter().map(|(_, weight)| weight).sum();
    for step in 0..4 {
        let mut next: Vec<(Told, World, f64)> = Vec::new();
        for (told, world, probability) in open {
            let mut add = |what: String, then: World, share: f64| {
                if demand(step, &what, &then) {
                    let mut longer = told.clone();
                    longer.push(what);
                    next.push((longer, then, probability * share));
                }
            };
            if let Some(options) = script(step, &world) {
                let count = options.len() as f64;
                options.into_iter().for_each(|(what, then)| add(what, then, 1.0 / count));
                continue;
            }
            let actors: Vec<usize> = (0..2).filter(|who| idle(step) != Some(*who)).collect();
            for &who in &actors {
                let name = ["A", "B"][who];
                for &(kind, weight) in play {
                    let share = f64::from(weight) / f64::from(all) / actors.len() as f64;
                    let options = world.options(who, kind);
                    let ways = ways(world.places[who]);
                    if !options.is_empty() {
                        let count = options.len() as f64;
                        options.into_iter().for_each(|(what, then)| add(what, then, share / count));
                    } else {
                        for to in ways.chars() {
                            let mut then = world.gone(who, to);
                            let mut what = format!("{name} go {to}");
                            if kind == "carry" && world.can_carry(who) {
                                then.ball = format!("hand of {name}");
                                what = format!("{name} carry {to}");
                            }
                            add(what, then, share / ways.len() as f64);
                        }
                    }
                }
            }
        }
        open = next;
    }
    let mut stories: BTreeMap<Told, f64> = BTreeMap::new();
    let total: f64 = open.iter().map(|(.., probability)| probability).sum();
    open.into_iter()
        .for_each(|(told, _, probability)| *stories.entry(told).or_default() += probability / total);
    (stories, total)
}

/// What a drawn story tells, in the same words.
fn told(plan: &Plan, story: &Story) -> Told {
    let staging = plan.staging.as_ref().unwrap();
    let spot = |value: Value| match value {
        Value::Place(place) => plan.place_names[place.index()].clone(),
        Value::Container(container) => staging.containers[container.index()].name.clone(),
        other => panic!("{other:?}"),
    };
    let name = |who: storysim::id::CharacterId| plan.role_names[who.index()].clone();
    let stage = &story.trace.stage;
    let likes: Vec<bool> = stage.propositions.iter().map(|thing| thing.value == Value::Truth(true)).collect();
    let mut told = vec![match stage.objects.first() {
        Some(ball) => format!("{} {likes:?}", spot(ball.value)),
        None => format!("{}", likes[0]),
    }];
    for (event, deed) in story.trace.events.iter().zip(&story.trace.deeds) {
        assert!(deed.peeking.is_empty() && deed.distracted.is_empty());
        let (who, to) = (name(event.who), &plan.place_names[event.to.index()]);
        told.push(match &deed.act {
            Act::Go => format!("{who} go {to}"),
            Act::GoTogether(_) => format!("together {to}"),
            Act::Carry(_) => format!("{who} carry {to}"),
            Act::Take(_) => format!("{who} take"),
            Act::Put(_, value) => format!("{who} put {}", spot(*value)),
            Act::MoveObject(_, container) => {
                format!("{who} move_object {}", spot(Value::Container(*container)))
            }
            Act::Give(_, to) => format!("{who} give {}", name(*to)),
            Act::Throw(_, place) => format!("{who} throw {}", spot(Value::Place(*place))),
            Act::Open(container) => format!("{who} open {}", spot(Value::Container(*container))),
            Act::Close(container) => format!("{who} close {}", spot(Value::Container(*container))),
            Act::Show(_) => unreachable!("no storyboard has anything shown"),
            Act::React((proposition, is_true)) => {
                assert_eq!(stage.thing(Item::Proposition(*proposition)).value, Value::Truth(*is_true));
                format!("{who} react {is_true}")
            }
            Act::Reveal((proposition, is_true)) => {
                assert_eq!(stage.thing(Item::Proposition(*proposition)).value, Value::Truth(*is_true));
                format!("{who} reveal {is_true}")
            }
            Act::Turn(_) => unreachable!("free play announces nothing"),
            Act::Chat => format!("{who} chat"),
            Act::Tell(telling) => {
                let how = match telling.hearers {
                    Hearers::Present => "tell",
                    Hearers::Named(_) => "whisper",
                    Hearers::Afar(_) => "phone",
                };
                format!("{who} {how} {}", telling.value == Value::Truth(true))
            }
        });
    }
    told
}

fn board(text: &str, play: &[(&str, u32)], events: &str) -> Storyboard {
    let play: Vec<String> = play.iter().map(|(kind, weight)| format!("{kind}: {weight}")).collect();
    let text = format!("{text}play: {{{}}}\nevents:\n{events}", play.join(", "));
    parse(Source { name: "tiny".into(), text }).unwrap()
}

/// Compares what is drawn with what is written out, by Pearson's chi-square at p = 0.001, rare stories taken
/// together; and what is said of their probability.
fn compare(play: &[(&str, u32)], events: &str, demand: Demand, script: Script) {
    compare_all((BOARD, with_ball), play, events, |_| None, demand, script);
}

fn compare_idle(play: &[(&str, u32)], events: &str, idle: Idle, demand: Demand, script: Script) {
    compare_all((BOARD, with_ball), play, events, idle, demand, script);
}

fn compare_all(
    (text, starts): (&str, Starts),
    play: &[(&str, u32)],
    events: &str,
    idle: Idle,
    demand: Demand,
    script: Script,
) {
    let (wanted, probability) = brute_force(play, starts, idle, demand, script);
    assert!(wanted.len() > 20, "{events}: too few stories to tell anything");
    let board = board(text, play, events);
    let plan = compile(&board, &[]).unwrap().plan;
    let Admitted { family, acceptance } = admit(&board, vec![plan.clone()]).unwrap();
    let share = acceptance.map_or(1.0, |acceptance| acceptance.share(&family));
    let claimed = 10_f64.powf(plan.odds.log10_probability) * share;
    assert!((claimed / probability - 1.0).abs() < 0.4, "{events}: {claimed}, not {probability}");
    let mut counts: BTreeMap<Told, u64> = BTreeMap::new();
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    for index in 0..draws() {
        selector.draw(index, &mut story);
        *counts.entry(told(&plan, &story)).or_default() += 1;
    }
    for what in counts.keys() {
        assert!(wanted.contains_key(what), "{events}: this cannot happen: {what:?}");
    }
    let (mut statistic, mut degrees, mut rest, mut rest_expected) = (0.0, -1.0_f64, 0.0, 0.0);
    for (what, probability) in &wanted {
        let (count, expected) = (*counts.get(what).unwrap_or(&0) as f64, probability * draws() as f64);
        if expected < 10.0 {
            rest += count;
            rest_expected += expected;
        } else {
            statistic += (count - expected).powi(2) / expected;
            degrees += 1.0;
        }
    }
    if rest_expected > 5.0 {
        statistic += (rest - rest_expected).powi(2) / rest_expected;
        degrees += 1.0;
    }
    let spread = 2.0 / (9.0 * degrees);
    let limit = degrees * (1.0 - spread + 3.090 * spread.sqrt()).powi(3);
    assert!(statistic < limit, "{events}: chi-square {statistic} with {degrees} degrees of freedom");
}

const PLAY: &[(&str, u32)] = &[("move", 2), ("move_object", 1), ("take", 1), ("put", 2), ("throw", 1)];
const MORE: &[(&str, u32)] =
    &[("move", 1), ("carry", 2), ("open", 1), ("close", 1), ("react", 1), ("put", 1)];

const HANDS: &[(&str, u32)] = &[("move", 2), ("take", 2), ("give", 3), ("carry", 1)];

fn anything(_: usize, _: &str, _: &World) -> bool {
    true
}

fn nothing(_: usize, _: &World) -> Option<Vec<(String, World)>> {
    None
}

#[test]
fn play_alone() {
    compare(PLAY, "", anything, nothing);
    compare(MORE, "", anything, nothing);
    compare(HANDS, "", anything, nothing);
}

#[test]
fn play_given_a_move() {
    let demand: Demand = |step, what, _| step != 2 || what == "A go b";
    compare(PLAY, "- {at: 2, move: {who: A, to: b}}", demand, nothing);
}

#[test]
fn play_given_a_meeting() {
    let demand: Demand = |step, what, world| {
        step != 3 || world.places == ['a', 'a'] && (what.contains(" go ") || what.contains(" carry "))
    };
    compare(PLAY, "- {at: 3, meet: {who: [A, B], in: a}}", demand, nothing);
    compare(MORE, "- {at: 3, meet: {who: [A, B], in: a}}", demand, nothing);
}

#[test]
fn play_given_windows() {
    let idle: Idle = |step| (step < 2).then_some(1);
    let demand: Demand = |_, _, world| world.places[0] != 'c';
    let events = "- {from: 0, until: 2, idle: B}\n- {from: 0, until: end, avoid: {who: A, place: c}}";
    compare_idle(PLAY, events, idle, demand, nothing);
    compare_idle(MORE, events, idle, demand, nothing);
    let apart: Demand = |_, _, world| world.places[0] != world.places[1];
    compare(PLAY, "- {from: 0, until: end, apart: [A, B]}", apart, nothing);
}

#[test]
fn play_with_scripted_deeds() {
    let script: Script = |step, world| (step == 2).then(|| world.options(0, "move_object"));
    compare(PLAY, "- {at: 2, move_object: {who: A}}", anything, script);
    // Without `in`, down.
    let script: Script = |step, world| {
        let down = |(what, _): &(String, World)| what.len() == "A put a".len();
        (step == 3).then(|| world.options(0, "put").into_iter().filter(down).collect())
    };
    compare(PLAY, "- {at: 3, put: {who: A}}", anything, script);
    let script: Script = |step, world| (step == 3).then(|| world.options(0, "give"));
    compare(HANDS, "- {at: 3, give: {who: A, to: B}}", anything, script);
    let script: Script = |step, world| {
        let thrown = |(what, _): &(String, World)| what.ends_with('b');
        (step == 1).then(|| world.options(0, "throw").into_iter().filter(thrown).collect())
    };
    let demand: Demand = |step, what, _| step != 3 || what == "B go a";
    let events = "- {at: 1, throw: {who: A, object: ball, to: b}}\n- {at: 3, move: {who: B, to: a}}";
    compare(MORE, events, demand, script);
}

#[test]
fn play_with_a_joint_entry() {
    let script: Script = |step, world| {
        (step == 2).then(|| {
            let mut then = world.gone(0, 'c');
            then.places[1] = 'c';
            let can = world.places == ['a', 'a'];
            if can { vec![("together c".to_owned(), then)] } else { Vec::new() }
        })
    };
    compare(PLAY, "- {at: 2, move: {who: [A, B], to: c}}", anything, script);
}

#[test]
fn play_with_tellings() {
    const TELL: &[(&str, u32)] = &[("move", 2), ("tell", 1), ("lie", 1), ("whisper", 2), ("phone", 1)];
    let compare =
        |events, demand, script| compare_all((TALK, with_gift), TELL, events, |_| None, demand, script);
    compare("", anything, nothing);
    let demand: Demand = |step, what, _| step != 3 || what == "B go a";
    compare("- {at: 3, move: {who: B, to: a}}", demand, nothing);
    let script: Script = |step, world| (step == 2).then(|| world.options(0, "lie"));
    compare("- {at: 2, lie: {who: A, to: present}}", anything, script);
    let script: Script = |step, world| (step == 2).then(|| world.options(1, "phone"));
    compare("- {at: 2, tell: {who: B, to: {phone: A}, that: gift}}", anything, script);
}

#[test]
fn play_with_revelations_and_small_talk() {
    const TALKING: &[(&str, u32)] = &[("move", 2), ("chat", 1), ("lie", 2), ("tell", 2)];
    let compare =
        |events, demand, script| compare_all((TALK, with_gift), TALKING, events, |_| None, demand, script);
    compare("", anything, nothing);
    let script: Script = |step, world| (step == 1).then(|| world.options(0, "reveal"));
    compare("- {at: 1, reveal: {who: A, that: gift}}", anything, script);
    compare("- {at: 1, reveal: {who: A}, with: B}", anything, script);
    // B has to have seen it.
    let script: Script = |step, world| match step {
        1 => Some(world.options(0, "reveal")),
        3 => Some(world.options(1, "reveal")),
        _ => None,
    };
    compare("- {at: 1, reveal: {who: A}}\n- {at: 3, reveal: {who: B, that: gift}}", anything, script);
    let script: Script = |step, world| (step == 2).then(|| world.options(0, "chat"));
    compare("- {at: 2, chat: {who: A}, with: [B]}", anything, script);
}

#[test]
fn play_given_that_someone_is_followed() {
    let demand: Demand = |step, what, world| match (step, what) {
        // B has gone only to where A is, and gone at least once: told by where B is after two steps.
        (0 | 1, what) if what.starts_with("B go") || what.starts_with("B carry") => {
            world.places[1] == world.places[0]
        }
        (1, _) => world.places[1] == 'a',
        _ => true,
    };
    compare(PLAY, "- {from: 0, until: 2, follow: {who: B, whom: A}}", demand, nothing);
    compare(MORE, "- {from: 0, until: 2, follow: {who: B, whom: A}}", demand, nothing);
}
