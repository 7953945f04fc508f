//! What the random streams of a storyboard depend on.

use crate::belief::Chain;
use crate::form::{ActKind, Hardness, Hearers, Hole, Part, PartIn, Piece};
use crate::id::CharacterId;
use crate::plan::{
    Attending, Attention, Goal, Lives, Planned, PlannedCase, PlannedDeed, PlannedTelling, PlannedValue,
    Saying, Staging,
};
use crate::resolve::{Condition, Demand, Place, Resolved};
use crate::storyboard::{Start, Storyboard};
use crate::world::{How, Item, Knowledge, Side, Trust};

/// Everything that decides what happens in a story, in a canonical form, but not comments, words or
/// questions. It goes into the keys of the random streams, so changing its form would change the
/// bytes that are promised.
///
/// There is one fact per line. No name contains a line break, so different storyboards have different fingerprints.
pub fn fingerprint(storyboard: &Storyboard, resolved: &Resolved) -> String {
    let mut lines = vec![format!("name {}", storyboard.name.value)];
    match resolved.scenarios.and_then(|scenarios| scenarios.lives) {
        // The scenarios of a story are the first of those of a longer one, so their number does not go in.
        Some(lives) => lines.push(by_lives(&lives)),
        None => {
            // How long a story is changes nothing in what the storyboard tells.
            let is_length = |name: &str| storyboard.length.as_ref().is_some_and(|length| length.names(name));
            let parameters = resolved.parameters.iter().filter(|(name, _)| !is_length(name));
            lines.extend(parameters.map(|(name, value)| format!("parameter {name} {value}")));
            lines.push(format!("horizon {}", resolved.horizon));
        }
    }
    lines.push(format!("characters {}", resolved.character_count));
    lines.extend(resolved.pool.iter().map(|name| format!("pool {name}")));
    lines.extend(resolved.role_names.iter().map(|name| format!("role {name}")));
    for (at, name) in resolved.map.places().zip(&resolved.place_names) {
        let ways = resolved.map.ways(at).iter().map(|to| to.index());
        lines.push(format!("place {name}"));
        lines.push(format!("ways {}", numbers(ways)));
    }
    match storyboard.start {
        Start::Drawn(_) => lines.push("start drawn".to_owned()),
        Start::Everyone(_) | Start::Each { .. } => {
            lines.extend(resolved.start.iter().map(|&at| format!("start {}", place(at))));
        }
    }
    for bind in &resolved.binds {
        lines.push(format!("bind {}", bind.name));
        lines.extend(bind.next_to.map(|near| format!("next to {}", place(near))));
        lines.extend(bind.not.iter().map(|&not| format!("not {}", place(not))));
    }
    lines.extend(resolved.conditions.iter().map(condition));
    lines.extend(resolved.goals.iter().filter_map(|ensured| goal(&ensured.goal)));
    lines.extend(resolved.staging.iter().flat_map(staging));
    lines.join("\n")
}

fn by_lives(lives: &Lives) -> String {
    let Lives { turns, between, past, of, by, whose } = lives;
    let [of, by, whose] = [of.index(), by.index(), whose.index()];
    format!("lives of {whose} by {turns} turns {between} apart with past {past}, where {by} announces {of}")
}

fn condition(condition: &Condition) -> String {
    let Condition { from, until, demand, .. } = condition;
    let demand = match demand {
        Demand::Move { who, to } => format!("move {} to {}", who.index(), place(*to)),
        Demand::Meet { who, place: Some(at) } => format!("meet {} in {}", characters(who), place(*at)),
        Demand::Meet { who, place: None } => format!("meet {}", characters(who)),
        Demand::GoTogether { who, to } => format!("go together {} to {}", characters(who), place(*to)),
        Demand::Deed { who, place: at, with, without } => {
            let at = at.map_or(String::new(), |at| format!(" in {}", place(at)));
            format!("deed {}{at} with {} without {}", who.index(), characters(with), characters(without))
        }
        Demand::Idle { who } => format!("idle {}", characters(who)),
        Demand::Apart { who } => format!("apart {}", characters(who)),
        Demand::Together { who } => format!("together {}", characters(who)),
        Demand::Unseen { who, by } => format!("unseen {} by {}", characters(who), characters(by)),
        Demand::Avoid { who, place: at } => format!("avoid {} in {}", place(*at), characters(who)),
        Demand::Follow { who, whom, .. } => format!("follow {} by {}", whom.index(), who.index()),
    };
    format!("from {from} until {until} {demand}")
}

/// The line of a goal. Ranks say nothing of what may happen, only which stories are told: they are those of a storyboard without
/// such goals, and found by the same streams.
fn goal(goal: &Goal) -> Option<String> {
    let chain = |chain: &Chain| {
        let members = characters(&chain.members().collect::<Vec<CharacterId>>());
        match chain.target() {
            Item::Character(_) => members,
            other => format!("{members} {}", item(other)),
        }
    };
    Some(match goal {
        Goal::Holds(held, value) => format!("holds {} {}", chain(held), planned(*value)),
        Goal::FalseBelief(held) => format!("false belief {}", chain(held)),
        Goal::TrueBelief(held) => format!("true belief {}", chain(held)),
        Goal::Unknown(held) => format!("unknown {}", chain(held)),
        Goal::Differs([one, other]) => format!("differs {} and {}", chain(one), chain(other)),
        Goal::MisleadDistance(held, least, most) => {
            format!("mislead distance {} from {least} to {most}", chain(held))
        }
        Goal::Difficulty(question, ranges) => {
            let ranges = ranges
                .iter()
                .filter(|(by, _)| *by != Hardness::Quantile)
                .map(|(by, range)| format!(" {} from {} to {}", by.key(), range.start(), range.end()));
            let ranges: String = ranges.collect();
            return (!ranges.is_empty()).then(|| format!("difficulty of {question}:{ranges}"));
        }
    })
}

/// The lines for things and what people do besides walking; none if there is neither.
fn staging(staging: &Staging) -> Vec<String> {
    let mut lines = Vec::new();
    for container in &staging.containers {
        let lid = if container.is_open { "open" } else { "closed" };
        lines.push(format!("container {} in {} {lid}", container.name, place(container.place)));
    }
    for object in &staging.objects {
        lines.push(format!("object {}", object.name));
        lines.extend(object.start.iter().map(|&value| format!("start {}", planned(value))));
        lines.extend(knowledge(&object.knowledge));
    }
    for proposition in &staging.propositions {
        if !matches!(proposition.says, Saying::Likes(..)) {
            let truth = proposition.is_true.map_or("drawn".to_owned(), |is_true| is_true.to_string());
            lines.push(format!("proposition {} {truth}", proposition.name));
            lines.extend(knowledge(&proposition.knowledge));
        }
    }
    for lot in &staging.lots {
        let claims = numbers(lot.claims.iter().map(|claim| claim.index()));
        lines.push(format!("of {claims} so many are false: {}", lot.lies));
    }
    for matter in &staging.matters {
        lines.push(format!("matter {} at level {}", matter.name, matter.level));
    }
    for prospect in &staging.prospects {
        lines.push(format!("prospect {}", prospect.name));
        let by = prospect.by.iter().map(|how| match how {
            How::Likely => "likely".to_owned(),
            How::ByNobody => "nobody".to_owned(),
            How::By(who) => who.index().to_string(),
        });
        lines.push(format!("by {}", by.collect::<Vec<String>>().join(" ")));
        let wants = prospect.wants.iter();
        lines.extend(wants.map(|(who, side)| match side {
            None => format!("{} wants a drawn side", who.index()),
            Some(side) => format!("{} wants side {}", who.index(), *side as usize),
        }));
    }
    // Rules decide which announcements tell lives apart.
    lines.extend(staging.rules.iter().map(|rules| format!("rules {:?}", rules.tables)));
    lines.extend(staging.attitudes.iter().map(|thing| format!("attitude {thing}")));
    if staging.trust != Trust::default() {
        lines.push(format!("trust {}", staging.trust.key()));
    }
    lines.extend(staging.play.iter().map(|(play, weight)| format!("play {} {weight}", play.key())));
    let friends = staging.friends.iter().enumerate();
    lines.extend(friends.map(|(who, friends)| format!("friends {who} {}", characters(friends))));
    let deeds = staging.deeds.iter();
    lines.extend(deeds.map(|(step, deed)| format!("at {step} {} {}", deed.who.index(), act(deed))));
    let windows = staging.attention.iter();
    lines.extend(windows.map(|Attending { from, until, is_demanded, attention: kind }| match is_demanded {
        true => format!("at {from} {}", attention(kind)),
        false => format!("from {from} until {until} {}", attention(kind)),
    }));
    lines
}

/// How many characters in a row know something, how many then do not, and so on.
fn knowledge(knowledge: &[Knowledge]) -> Option<String> {
    let word = |knows: &Knowledge| match knows {
        Knowledge::Right => "right",
        Knowledge::Wrong => "wrong",
        Knowledge::Nothing => "nothing",
    };
    let runs = knowledge.chunk_by(|one, next| one == next);
    let runs: Vec<String> = runs.map(|run| format!("{} {}", run.len(), word(&run[0]))).collect();
    (!runs.is_empty()).then(|| format!("known {}", runs.join(" ")))
}

/// What has to be done, in the notation of its form.
fn act(deed: &PlannedDeed) -> String {
    let mut mark = String::new();
    for piece in deed.act.form().marks() {
        match piece {
            Piece::Words(words) => mark.push_str(words),
            Piece::Hole(Hole::There) => mark.push_str(&place(deed.to.expect("who goes has somewhere to go"))),
            Piece::Hole(Hole::Part(at)) => {
                mark.push_str(&part(deed, deed.act.part(at).expect("the parts of the form")))
            }
            Piece::Hole(hole) => unreachable!("no mark has {hole:?}"),
        }
    }
    mark
}

fn part(deed: &PlannedDeed, part: PartIn<Planned>) -> String {
    let number = |index: Option<usize>| index.map_or("any".to_owned(), |index| index.to_string());
    match part {
        Part::Company(who) => characters(&who),
        Part::Person(who) => number(who.map(|who| who.index())),
        Part::Place(at) => at.map_or("any".to_owned(), place),
        Part::Object(object) => number(object.map(|object| object.index())),
        Part::Container(container) => number(container.map(|container| container.index())),
        Part::Spot(None) => "down".to_owned(),
        Part::Spot(Some(container)) => container.index().to_string(),
        Part::Liking(thing) => number(thing),
        Part::Fact(fact) => number(fact.map(|fact| fact.index())),
        Part::Telling(telling) => told(&telling, deed),
    }
}

fn told(telling: &PlannedTelling, deed: &PlannedDeed) -> String {
    let PlannedTelling { hearers, item: about, value, .. } = telling;
    let verb = match (deed.act.kind(), deed.is_lie) {
        (ActKind::Turn, _) => "announces to",
        (_, true) => "lies to",
        _ => "tells",
    };
    let to = match hearers {
        Hearers::Present => "present".to_owned(),
        Hearers::Named(who) => characters(who),
        Hearers::Afar(who) => format!("afar {}", characters(who)),
    };
    let of = about.map_or("anything".to_owned(), item);
    format!("{verb} {to} that {of} {}", value.map_or("anything".to_owned(), planned))
}

fn item(item: Item) -> String {
    match item {
        Item::Character(who) => format!("character {}", who.index()),
        Item::Object(object) => format!("object {}", object.index()),
        Item::Lid(container) => format!("lid {}", container.index()),
        Item::Proposition(proposition) => format!("proposition {}", proposition.index()),
        Item::Prospect(prospect) => format!("prospect {}", prospect.index()),
    }
}

fn attention(attention: &Attention) -> String {
    match attention {
        Attention::Peek(who) => format!("peek {}", characters(who)),
        Attention::Distracted { who, is_noticed: true } => {
            format!("distracted and noticed {}", characters(who))
        }
        Attention::Distracted { who, is_noticed: false } => format!("distracted {}", characters(who)),
    }
}

fn planned(value: PlannedValue) -> String {
    match value {
        PlannedValue::Place(at) => format!("in {}", place(at)),
        PlannedValue::Container(container) => format!("in container {}", container.index()),
        PlannedValue::Hands(who) => format!("held by {}", who.index()),
        PlannedValue::Truth(is_true) => is_true.to_string(),
        PlannedValue::Case(case) => planned_case(case),
    }
}

fn planned_case(case: PlannedCase) -> String {
    let PlannedCase { side, is_likely, by, is_final } = case;
    let side = side.map_or("any".to_owned(), |side: Side| (side as usize).to_string());
    let how = match (is_likely, by) {
        (_, Some(None)) => "nobody".to_owned(),
        (_, Some(Some(who))) => who.index().to_string(),
        (Some(true), None) => "likely".to_owned(),
        (Some(false), None) => "settled".to_owned(),
        (None, None) => "any".to_owned(),
    };
    let is_final = is_final.map_or("any".to_owned(), |is_final| is_final.to_string());
    format!("side {side} by {how} final {is_final}")
}

fn place(place: Place) -> String {
    match place {
        Place::Fixed(place) => format!("place {}", place.index()),
        Place::Bound(bind) => format!("bind {bind}"),
    }
}

fn characters(who: &[CharacterId]) -> String {
    numbers(who.iter().map(|who| who.index()))
}

fn numbers(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::resolve::resolve;

    const BOARD: &str = r#"
storysim: 1
name: things
characters: {pool: [Ann, Bob, Cleo, Dan]}
roles: [S1, S2, T]
places: {complete: [kitchen, garden, hall]}
start: kitchen
bind: {first: {}}
horizon: 20
parameters: {chapters: 1}
questions: [{belief: [S1, T]}]
"#;

    const THINGS: &str = r#"
containers: {basket: kitchen, box: {in: first, is: closed}}
objects: {marble: basket, ball: {in: [box, T, hall, first], known: [S1, T]}}
propositions: {gift: {says: "{S1} gets a bicycle", known: [S1], wrong: [S2]}, rain: {says: it rains, is: true, wrong: T}}
attitudes: [painting]
trust: never
play: {tell: 1, move: chapters + 4, lie: 0}
friends: {S1: [T, S2], S2: []}
events:
  - {at: 15, react: {who: S1, to: painting}}
  - {at: 0, move: {who: [T, S1], to: hall}}
  - {at: 1, carry: {who: S1, to: garden}}
  - {at: 2, take: {who: S1, object: ball}}
  - {at: 3, put: {who: S1, in: box}}
  - {at: 4, put: {who: S1, object: ball}}
  - {at: 5, move_object: {who: S1, object: ball, to: basket}}
  - {at: 6, throw: {who: S1, object: ball, to: first}}
  - {at: 7, open: {who: S1, container: box}}
  - {at: 8, close: {who: S1}}
  - {at: 9, tell: {who: S1, to: present}}
  - {at: 10, tell: {who: S1, to: [T, S2], that: {ball: S2}}}
  - {at: 11, lie: {who: S1, to: {phone: T}, that: {rain: false}}}
  - {at: 12, tell: {who: T, to: S2, that: {S1: first}}}
  - {at: 12, peek: S1}
  - {from: 13, until: 15, distracted: {who: [S1, T], noticed: true}}
  - {at: 16, if: chapters, distracted: T}
  - {at: 99, if: chapters - 1, take: {who: S1}}
ensure:
  - {holds: [S1, gift], is: true}
  - {holds: [S1, marble], in: box}
"#;

    fn lines(text: String) -> Vec<String> {
        let board = crate::storyboard::parse(Source { name: "things".into(), text }).expect("well-formed");
        let resolved = resolve(&board, &[], &mut Vec::new()).expect("nothing is wrong");
        fingerprint(&board, &resolved).lines().map(str::to_owned).collect()
    }

    #[test]
    fn things_and_deeds_go_in() {
        let all = lines(BOARD.to_owned() + THINGS);
        let bare = lines(BOARD.to_owned());
        assert_eq!(all[..bare.len()], bare);
        let added: Vec<&str> = all[bare.len()..].iter().map(|line| line.trim_end()).collect();
        assert_eq!(added, WANTED.trim().lines().collect::<Vec<&str>>());
    }

    const WANTED: &str = "
from 15 until 16 deed 0 with  without
from 0 until 1 go together 2 0 to place 2
from 1 until 2 move 0 to place 1
from 2 until 3 deed 0 with  without
from 3 until 4 deed 0 in bind 0 with  without
from 4 until 5 deed 0 with  without
from 5 until 6 deed 0 in place 0 with  without
from 6 until 7 deed 0 with  without
from 7 until 8 deed 0 in bind 0 with  without
from 8 until 9 deed 0 with  without
from 9 until 10 deed 0 with  without
from 10 until 11 deed 0 with 2 1 without
from 11 until 12 deed 0 with  without 2
from 12 until 13 deed 2 with 1 without
holds 0 proposition 0 true
holds 0 object 0 in container 1
container basket in place 0 open
container box in bind 0 closed
object marble
start in container 0
object ball
start in container 1
start held by 2
start in place 2
start in bind 0
known 1 right 1 nothing 1 right 1 nothing
proposition gift drawn
known 1 right 1 wrong 2 nothing
proposition rain true
known 2 right 1 wrong 1 right
attitude painting
trust never
play move 5
play tell 1
friends 0 1 2
friends 1
friends 2 0 1 3
friends 3 0 1 2
at 0 2 goes with 0 to place 2
at 1 0 carries any to place 1
at 2 0 takes 1
at 3 0 puts any 1
at 4 0 puts 1 down
at 5 0 moves 1 to 0
at 6 0 throws 1 to bind 0
at 7 0 opens 1
at 8 0 closes any
at 9 0 tells present that anything anything
at 10 0 tells 2 1 that object 1 held by 1
at 11 0 lies to afar 2 that proposition 1 false
at 12 2 tells 1 that character 0 in bind 0
at 15 0 reacts to 0
at 12 peek 0
from 13 until 15 distracted and noticed 0 2
at 16 distracted 2
";

    #[test]
    fn questions_stay_out() {
        let board = |questions: &str| BOARD.replace("{belief: [S1, T]}", questions);
        let asked = board("{knows: [S1, T]}, {who_knows: T, before: 3}, {could_answer: [S1, T], without: 2}");
        assert_eq!(lines(asked), lines(BOARD.to_owned()));
    }
}
