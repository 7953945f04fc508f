//! The published sets of white lies as accounts of a storyboard: they satisfy it, and its own questions have their answers.
//!
//! The storyboard is `white-lies-published.yaml`. At which level a set is follows from its data: 3 if nothing is told of the
//! truth, and else 1 if that is marked as falsifying the lie, and 2 if not. Who conveys what is left out: the sets have it from
//! comparing words, and by that A gives the reason in half of them, O says how things are in a fifth, and A lies in some. Taken
//! at their word, 34 sets satisfy the storyboard.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use storysim::adherence::{Account, Judge, SaidStart};
use storysim::check::{Act, Claim, Item, check};
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::id::{CharacterId, PlaceId, PropositionId};
use storysim::log::{PartsLog, Switches, Told, read};
use storysim::plan::Plan;
use storysim::question::{Answer, Asker, Verdict};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{Storyboard, parse};
use storysim::world::{self, Deed, Event};

use super::published;

const PEOPLE: [&str; 4] = ["L", "A", "O", "T"];

/// The questions of the storyboard, as it writes them: every kind, of everybody who can be asked.
fn questions() -> Vec<String> {
    let told = ["m.reason.told", "m.truth.told"];
    let known = ["m.reason", "m.truth"];
    let mut all = vec!["honest: m".to_owned(), "could_lie: m".to_owned(), "sees_through: m".to_owned()];
    all.extend(known.map(|of| format!("present: {of}")));
    all.extend(known.iter().chain(&told).map(|of| format!("who_knows: {of}")));
    for one in PEOPLE {
        all.extend(known.iter().chain(&told).map(|of| format!("knows: [{one}, {of}]")));
        all.push(format!("belief: [{one}, m.claim]"));
        all.push(format!("sees_through: [{one}, m]"));
        all.extend((one != "T").then(|| format!("could_lie: [{one}, m]")));
        for other in PEOPLE.into_iter().filter(|other| *other != one) {
            all.extend(known.iter().chain(&told).map(|of| format!("knows: [{one}, {other}, {of}]")));
            all.push(format!("belief: [{one}, {other}, m.claim]"));
        }
    }
    all
}

fn board() -> Storyboard {
    let asked: String = questions().iter().map(|question| format!("  - {{{question}}}\n")).collect();
    let text = format!("{}questions:\n{asked}", include_str!("white-lies-published.yaml"));
    parse(Source { name: "white-lies-published.yaml".into(), text }).unwrap()
}

/// At which level a set is.
fn level(set: &Value) -> i64 {
    let is_asked = set["questions"].as_array().unwrap().iter().any(|question| question["about"] == "truth");
    match (is_asked, &set["falsifiable"]) {
        (false, _) => 3,
        (true, Value::Bool(true)) => 1,
        (true, _) => 2,
    }
}

/// The log of a set's line, without who conveys what.
fn log(line: &str) -> Box<PartsLog> {
    let mut line = line.to_owned();
    for who in PEOPLE {
        for what in ["real_reason", "truth", "lie"] {
            let conveys = format!("\"conveys\":[\"{what}\"]");
            line = line.replace(&format!("\"speaker\":\"{who}\",{conveys}"), &conveys);
        }
    }
    let (Some(Told::Parts(log)), problems) = read(&line, Switches::default()) else { panic!("{line}") };
    assert!(!problems.has_error, "{problems:?}");
    assert!(log.parts().iter().flat_map(|part| &part.conveyed).all(|conveyed| conveyed.speaker.is_none()));
    log
}

/// Everyone plays whoever has their name.
fn cast() -> Vec<(String, String)> {
    PEOPLE.map(|who| (who.to_owned(), who.to_owned())).to_vec()
}

/// The story that an account tells, in the numbers of a plan. What things are like at the start is taken from `drawn`.
fn story(plan: &Plan, account: &Account<'_>, drawn: &Story) -> Story {
    let who = |name: &str| CharacterId::new(plan.role_names.iter().position(|role| role == name).unwrap());
    let place = |name: &str| PlaceId::new(plan.place_names.iter().position(|place| place == name).unwrap());
    let staging = plan.staging.as_ref().unwrap();
    let proposition = |item: Item<'_>| {
        let Item::Proposition(name) = item else { panic!("{item:?}") };
        PropositionId::new(staging.propositions.iter().position(|known| known.name == name).unwrap())
    };
    let act = |act: &Act<'_>| match act {
        Act::Go => world::Act::Go,
        Act::Reveal((item, is_so)) => world::Act::Reveal((proposition(*item), *is_so)),
        Act::Tell(telling) => world::Act::Tell(world::Telling {
            hearers: world::Hearers::Present,
            item: world::Item::Proposition(proposition(telling.item)),
            value: world::Value::Truth(telling.value == storysim::check::Value::Truth(true)),
            believers: None,
        }),
        other => panic!("{other:?}"),
    };
    let mut story = drawn.clone();
    let SaidStart::Each(start) = &account.start else { panic!("everyone starts somewhere") };
    story.names = PEOPLE.map(|name| plan.pool.iter().position(|known| known == name).unwrap()).to_vec();
    for (name, at) in start {
        story.trace.start[who(name).index()] = place(at);
    }
    let event = |told: &storysim::prose::Told<'_>| {
        let from = place(told.at.unwrap());
        Event { who: who(told.who), from, to: told.to.map_or(from, place) }
    };
    story.trace.events = account.told.iter().map(event).collect();
    story.trace.deeds =
        account.told.iter().map(|told| Deed { act: act(&told.deed.act), ..Deed::default() }).collect();
    story
}

/// Any story of the plan.
fn drawn(plan: &Plan) -> Story {
    let mut story = Story::default();
    Simulator::new(plan, 7).draw(0, &mut story);
    story
}

/// What the storyboard's questions have for answers in one set.
struct Answers {
    level: i64,
    /// The answer of each question that has one, by the storyboard's words for it.
    found: BTreeMap<String, Answer>,
}

/// By what it is judged whether somebody takes something to be so.
#[derive(Clone, Copy)]
enum By {
    /// That it was told among certain people: `m.reason.told`.
    Telling,
    /// What is told itself: `m.reason`, or the value of the claim.
    Content,
}

impl Answers {
    fn is_so(&self, question: &str) -> Option<bool> {
        self.found.get(question).map(|answer| *answer == Answer::Verdict(Verdict::Yes))
    }

    fn people(&self, question: &str) -> BTreeSet<&'static str> {
        match self.found.get(question) {
            Some(Answer::People(mask)) => {
                (0..4).filter(|at| mask >> at & 1 == 1).map(|at| PEOPLE[at]).collect()
            }
            other => panic!("{question}: {other:?}"),
        }
    }

    /// Whether a chain of minds takes something to be so; `None` if the storyboard's question has no answer.
    fn takes(&self, by: By, chain: &[&str], of: &str) -> Option<bool> {
        let chain = chain.join(", ");
        let of = if of == "real_reason" { "reason" } else { of };
        match by {
            By::Telling => self.is_so(&format!("knows: [{chain}, m.{of}.told]")),
            By::Content if of == "truth" && self.level == 1 => {
                let held = self.found.get(&format!("belief: [{chain}, m.claim]"))?;
                Some(*held == self.found["honest: m"])
            }
            By::Content => self.is_so(&format!("knows: [{chain}, m.{of}]")),
        }
    }

    /// Whether an option holds, within the minds of `chain`; `one` is whoever it is about.
    fn holds(&self, by: By, chain: &[&str], one: Option<&str>, form: &Value) -> Option<bool> {
        if let Some(of) = form.as_str() {
            return if chain.is_empty() { Some(true) } else { self.takes(by, chain, of) };
        }
        let [word, who, what] = &form.as_array()?[..] else { return None };
        if word == "discussed" {
            let of = what.as_str()?.trim_start_matches("real_");
            let named: BTreeSet<&str> = who.as_array()?.iter().filter_map(Value::as_str).collect();
            let mut among = self.people(&format!("present: m.{of}"));
            among.retain(|who| Some(*who) != one);
            return match (among == named, chain) {
                (true, []) => Some(true),
                (true, chain) => self.takes(By::Telling, chain, of),
                (false, _) => Some(false),
            };
        }
        let who = who.as_str()?;
        let within: Vec<&str> = chain.iter().copied().chain([who]).collect();
        let is_believed = self.holds(by, &within, Some(who), what);
        if word == "B" {
            return is_believed;
        }
        assert_eq!(word, "U");
        match (self.holds(by, chain, Some(who), what), is_believed) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// The only option that holds, if it is the only one. Whether somebody could lie is asked, and not put together.
    fn option<'q>(&self, question: &'q Value, by: By) -> Option<&'q Value> {
        let (asked, of) = (question["asker_chain"].get(0), question["about"].as_str().unwrap());
        let is_lie = |form: &Value| {
            question["type"] == "lieability" && *form == json!(["B", asked.unwrap(), ["U", "T", of]])
        };
        let holds = |form: &&Value| {
            let could_lie = || self.is_so(&format!("could_lie: [{}, m]", asked.unwrap().as_str().unwrap()));
            let holds = if is_lie(form) { could_lie() } else { self.holds(by, &[], None, form) };
            holds == Some(true)
        };
        let mut holding = question["options"].as_array().unwrap().iter().filter(holds);
        let only = holding.next();
        if holding.next().is_none() { only } else { None }
    }

    /// The answer to a published question.
    fn answer(&self, question: &Value) -> Option<Value> {
        let kind = question["type"].as_str().unwrap();
        let of = question["about"].as_str().unwrap().trim_start_matches("real_");
        let options = question["options"].as_array().unwrap();
        let word = |is_so: bool| {
            let wanted = if is_so { "yes" } else { "no" };
            options
                .iter()
                .find(|option| option.as_str().is_some_and(|option| option.eq_ignore_ascii_case(wanted)))
        };
        let one = || question["asker_chain"][0].as_str().unwrap();
        let list = |people: BTreeSet<&str>| {
            Value::from(
                options
                    .iter()
                    .filter(|who| people.contains(who.as_str().unwrap()))
                    .cloned()
                    .collect::<Vec<_>>(),
            )
        };
        match kind {
            "comprehension" => word(self.is_so("honest: m")?).cloned(),
            "fact_reason" | "fact_truth" => {
                let there = self.people(&format!("present: m.{of}"));
                let names = |option: &&Value| {
                    option.as_array().unwrap().iter().filter_map(Value::as_str).collect::<BTreeSet<_>>()
                        == there
                };
                options.iter().find(names).cloned()
            }
            "belief" | "lieability" => self.option(question, By::Telling).cloned(),
            "infoAccessibility_list" => Some(list(self.people(&format!("who_knows: m.{of}")))),
            "infoAccessibility_binary" => word(self.is_so(&format!("knows: [{}, m.{of}]", one()))?).cloned(),
            "answerability_list" => Some(list(self.people(&format!("who_knows: m.{of}.told")))),
            "answerability_binary" => word(self.is_so(&format!("knows: [{}, m.{of}.told]", one()))?).cloned(),
            "liedetectability_list" => Some(list(self.people("sees_through: m"))),
            "liedetectability_binary" => word(self.is_so(&format!("sees_through: [{}, m]", one()))?).cloned(),
            kind => panic!("{kind}"),
        }
    }
}

/// The group in which a type of question is counted.
fn group(kind: &str) -> &str {
    match kind {
        "fact_reason" | "fact_truth" => "fact",
        kind => kind.split('_').next().unwrap(),
    }
}

/// With the names of a set sorted, since they stand for sets.
fn sorted(mut answer: Value) -> Value {
    if let Value::Array(items) = &mut answer
        && items.iter().all(Value::is_string)
    {
        items.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
    }
    answer
}

#[test]
fn published_sets_satisfy_their_storyboard_and_have_the_published_answers() {
    let Some(text) = published("tactful.jsonl") else { return };
    let board = board();
    let plans: BTreeMap<i64, Plan> =
        (1..=3).map(|level| (level, compile(&board, &[("level".to_owned(), level)]).unwrap().plan)).collect();
    let (mut right, mut by_content, mut levels) = (BTreeMap::new(), [0; 2], BTreeMap::new());
    let cast = cast();
    for line in text.lines() {
        let set: Value = serde_json::from_str(line).unwrap();
        let level = level(&set);
        *levels.entry(level).or_insert(0) += 1;
        let (plan, log) = (&plans[&level], log(line));
        let judge = Judge::new(&board, &plan.parameters);
        let accounts = judge.accounts_of_parts(&log).unwrap();
        assert_eq!(judge.judge_any(&accounts, &cast).unwrap().violations, [], "{}", set["id"]);
        let satisfies = |account: &Account<'_>| judge.judge(account, &cast).unwrap().violations.is_empty();
        let fitting: Vec<Account<'_>> = accounts.iter().filter(satisfies).collect();
        let [account] = &fitting[..] else {
            panic!("{} of {} accounts fit", fitting.len(), accounts.count())
        };
        let story = story(plan, account, &drawn(plan));
        check(&board, &Claim::of(plan, &story)).unwrap();
        let mut asker = Asker::new(plan, 7);
        let asked = questions();
        let found =
            asker.ask(&story).iter().map(|reply| (asked[reply.question].clone(), reply.answer.unwrap()));
        let answers = Answers { level, found: found.collect() };
        for question in set["questions"].as_array().unwrap() {
            let kind = question["type"].as_str().unwrap();
            if kind == "justification" {
                continue;
            }
            let Some(answer) = answers.answer(question) else {
                assert_eq!(question["source_defect"], "truth paraphrased", "{question}");
                continue;
            };
            assert_eq!(
                sorted(answer.clone()),
                sorted(question["answer"].clone()),
                "{} {question}",
                set["id"]
            );
            *right.entry(group(kind).to_owned()).or_insert(0) += 1;
            if kind == "belief" {
                let found = answers.option(question, By::Content);
                let is_known_from_the_start = question["asker_chain"] == json!(["T", "L"]) && {
                    question["about"] == "real_reason" || level == 2
                };
                let wanted = if is_known_from_the_start { None } else { Some(&question["answer"]) };
                assert_eq!(found, wanted, "{} {question}", set["id"]);
                by_content[usize::from(found.is_some())] += 1;
            }
        }
    }
    assert_eq!(levels, [(1, 38), (2, 30), (3, 32)].into());
    let wanted = [
        ("comprehension", 100),
        ("fact", 168),
        ("belief", 2_016),
        ("lieability", 197),
        ("infoAccessibility", 600),
        ("answerability", 672),
        ("liedetectability", 400),
    ];
    assert_eq!(right, wanted.map(|(kind, count)| (kind.to_owned(), count)).into());
    // Everyone knows from the start that L has a reason, and whoever gives a hint the hint. So whether T, who does not have it,
    // takes L to, is left open by the storyboard; and T does not know that L told it.
    assert_eq!(
        by_content,
        [130, 1_886],
        "left open, and answered by what was told rather than by who was there"
    );
}
