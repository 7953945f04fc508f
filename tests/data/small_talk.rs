//! What bystanders say carries nothing: it is the same wherever those go who are asked about, and who says it is somebody else.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use storysim::compile::compile;
use storysim::id::{CharacterId, PlaceId};
use storysim::pack::{SmallTalkWords, built_in};
use storysim::plan::Plan;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::BUILT_IN;
use storysim::text::{Display, Lexicon, Words};
use storysim::world::{Act, Scene};

use crate::storyboards::board;

/// The built-in boards of news, some of which are changed.
const BOARDS: [(&str, &[(&str, &str)]); 5] = [
    ("dynamic-minds", &[]),
    ("dynamic-minds", &[("count: 4", "count: 9"), ("turns: 4", "turns: 7"), ("complete: 3", "complete: 2")]),
    ("dynamic-minds", &[("\"n\": 5", "\"n\": 30")]),
    ("dynamic-minds-free", &[]),
    ("dynamic-minds-rumour", &[]),
];

fn text_of(name: &str, replaced: &[(&str, &str)]) -> String {
    let built_in = BUILT_IN.iter().find(|board| board.name == name).unwrap();
    replaced.iter().fold(built_in.text().to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn plan(text: &str) -> Plan {
    compile(&board(text), &[]).unwrap().plan
}

fn texts() -> &'static SmallTalkWords {
    built_in("small-talk").unwrap().small_talk().unwrap()
}

/// What is said in a story that is no event, each with the step that it follows, and with who says it, if anybody does.
fn besides(lexicon: &Lexicon<'_>, story: &Story) -> Vec<(Option<usize>, String)> {
    let mut words = Words::default();
    lexicon.draw(story, &mut words);
    told(lexicon, story, &words)
}

fn told(lexicon: &Lexicon<'_>, story: &Story, words: &Words) -> Vec<(Option<usize>, String)> {
    let (mut step, mut found) = (None, Vec::new());
    for part in lexicon.parts(story, words, Display::People) {
        match part.step {
            Some(at) => step = Some(at),
            None => found.push((step, part.text)),
        }
    }
    found
}

/// Who says it, if anybody says something.
fn speaker(lexicon: &Lexicon<'_>, story: &Story, text: &str) -> Option<CharacterId> {
    let (_, by) = text.split_once("” ")?;
    let name = by.strip_suffix('.')?.split_once(' ')?.1;
    let mut everyone = (0..story.trace.start.len()).map(CharacterId::new);
    let words = Words::default();
    everyone.find(|who| lexicon.name(story, &words, Display::People, *who) == name)
}

/// Those who are asked about, and those who announce something.
fn parties(plan: &Plan, story: &Story) -> [BTreeSet<CharacterId>; 2] {
    let asked = plan.questions.iter().flat_map(|question| question.others.iter().copied()).collect();
    let deeds = story.trace.events.iter().zip(&story.trace.deeds);
    let tellers = deeds.filter(|(_, deed)| matches!(deed.act, Act::Turn(_))).map(|(event, _)| event.who);
    [asked, tellers.collect()]
}

/// Where everyone is after a step.
fn places(story: &Story, step: usize) -> Vec<PlaceId> {
    let mut at = story.trace.start.clone();
    for (event, deed) in story.trace.events.iter().zip(&story.trace.deeds).take(step + 1) {
        Scene::movers(*event, &deed.act).for_each(|who| at[who.index()] = event.to);
    }
    at
}

/// Whoever speaks is there: for a reply, where the announcement was made; for a remark, with somebody who is not asked about.
#[test]
fn bystanders_speak_where_they_are() {
    for (name, replaced) in BOARDS {
        let plan = plan(&text_of(name, replaced));
        let (lexicon, mut simulator) = (Lexicon::new(&plan, 3, str::to_owned), Simulator::new(&plan, 3));
        let scenarios = plan.scenarios.unwrap().count;
        let (mut story, mut replies, mut remarks, mut turns) = (Story::default(), 0, 0, 0);
        for index in 0..20 {
            assert!(simulator.draw(index, &mut story));
            let [asked, tellers] = parties(&plan, &story);
            let all = besides(&lexicon, &story);
            let mut said: Vec<&str> = Vec::new();
            for (step, text) in &all {
                let Some((line, _)) = text.split_once("” ") else { continue };
                let who = speaker(&lexicon, &story, text).unwrap_or_else(|| panic!("{text}"));
                assert!(!asked.contains(&who) && !tellers.contains(&who), "{name}, story {index}: {text}");
                let step = step.unwrap();
                let at = places(&story, step);
                let is_with = |other: CharacterId| other != who && at[other.index()] == at[who.index()];
                let everyone = (0..at.len()).map(CharacterId::new);
                if matches!(story.trace.deeds[step].act, Act::Turn(_)) {
                    assert!(is_with(story.trace.events[step].who), "{name}, story {index}: {text}");
                    replies += 1;
                } else {
                    let mut company = everyone.filter(|other| !asked.contains(other));
                    assert!(company.any(is_with), "{name}, story {index}: {text}");
                    remarks += 1;
                }
                said.push(line);
            }
            let different: BTreeSet<&str> = said.iter().copied().collect();
            assert!(different.len() == said.len() || scenarios > 5, "{name}, story {index}: {said:?}");
            let openings = all
                .iter()
                .filter(|(_, text)| texts().openings.iter().any(|opening| opening.to_string() == *text));
            assert_eq!(openings.count(), scenarios, "{name}, story {index}");
            turns += story.trace.deeds.iter().filter(|deed| matches!(deed.act, Act::Turn(_))).count();
        }
        println!(
            "{name}: {replies} replies to {turns} announcements, {remarks} remarks in {} scenarios",
            20 * scenarios
        );
        assert!(replies * 8 > turns && replies < turns, "{name}: {replies} replies to {turns} announcements");
        assert!(remarks > 5 * scenarios, "{name}: {remarks} remarks");
    }
}

/// In a story by lives, the walks of the others and the announcements leave open where the main character goes when she goes. Wherever
/// that is, and whatever life she leads by it, the same people say the same at the same times.
#[test]
fn what_is_said_is_the_same_in_every_life() {
    let plan = plan(&text_of("dynamic-minds", &[]));
    let (lives, scenarios) = (*plan.lives().unwrap(), plan.scenarios.unwrap());
    let (lexicon, mut simulator) = (Lexicon::new(&plan, 5, str::to_owned), Simulator::new(&plan, 5));
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(1);
    let (mut story, mut led) = (Story::default(), vec![0; lives.count()]);
    let mut lines = 0;
    for index in 0..40 {
        assert!(simulator.draw(index, &mut story));
        let said = besides(&lexicon, &story);
        lines += said.iter().filter(|(_, text)| text.starts_with('“')).count();
        let mut words = Words::default();
        lexicon.draw(&story, &mut words);
        for _ in 0..20 {
            let mut other = story.clone();
            let mut place = other.trace.start[lives.whose.index()];
            for event in other.trace.events.iter_mut().filter(|event| event.who == lives.whose) {
                let ways: Vec<PlaceId> = plan.map.places().filter(|&to| to != place).collect();
                event.from = std::mem::replace(&mut place, ways[random.random_range(0..ways.len())]);
                event.to = place;
            }
            assert_eq!(besides(&lexicon, &other), said, "story {index}");
            let mut again = words.clone();
            lexicon.draw_again(&story, &other, &mut again);
            assert_eq!(told(&lexicon, &other, &again), said, "twin of story {index}");
            for scenario in 0..scenarios.count {
                led[last_heard(&plan, &other, scenario)] += 1;
            }
        }
    }
    println!("{lines} lines; scenarios by the announcement that is heard last: {led:?}");
    assert!(lines > 300 && led.iter().all(|count| *count > 100), "{lines}, {led:?}");
}

/// Which announcement of a scenario the main character hears last, counted from 1, or 0 if she hears none.
fn last_heard(plan: &Plan, story: &Story, scenario: usize) -> usize {
    let (lives, steps) = (plan.lives().unwrap(), plan.scenarios.unwrap().steps);
    let turns = (scenario * steps..(scenario + 1) * steps)
        .filter(|&step| matches!(story.trace.deeds[step].act, Act::Turn(_)));
    let heard = turns.map(|step| {
        let at = places(story, step);
        at[lives.whose.index()] == at[lives.by.index()]
    });
    heard.zip(1..).filter(|(is_heard, _)| *is_heard).last().map_or(0, |(_, turn)| turn)
}

/// A twin in which a bystander goes elsewhere says no more than its story does.
#[test]
fn twins_say_nothing_new() {
    let plan = plan(&text_of("dynamic-minds-rumour", &[]));
    let (lexicon, mut simulator) = (Lexicon::new(&plan, 5, str::to_owned), Simulator::new(&plan, 5));
    let (mut story, mut fewer) = (Story::default(), 0);
    for index in 0..30 {
        assert!(simulator.draw(index, &mut story));
        let mut words = Words::default();
        lexicon.draw(&story, &mut words);
        let said = told(&lexicon, &story, &words);
        let mut twin = story.clone();
        let moves =
            twin.trace.events.iter_mut().filter(|event| event.who.index() >= 3 && event.from != event.to);
        let Some(event) = moves.into_iter().next() else { continue };
        event.to = plan.map.places().find(|to| *to != event.from && *to != event.to).unwrap();
        lexicon.draw_again(&story, &twin, &mut words);
        let twins = told(&lexicon, &twin, &words);
        assert!(twins.iter().all(|line| said.contains(line)), "story {index}");
        fewer += usize::from(twins.len() < said.len());
    }
    assert!(fewer > 0);
}

/// A board can do without, or have words of its own.
#[test]
fn boards_choose_their_small_talk() {
    let context = "Replies and small talk carry no news";
    let told = |small_talk: &str| {
        let text = text_of("dynamic-minds", &[("for: S1}", &format!("for: S1{small_talk}}}"))]);
        let plan = plan(&text);
        let (lexicon, mut simulator) = (Lexicon::new(&plan, 5, str::to_owned), Simulator::new(&plan, 5));
        let (mut story, mut words, mut known) = (Story::default(), Words::default(), String::new());
        assert!(simulator.draw(0, &mut story));
        lexicon.draw(&story, &mut words);
        lexicon.context(&story, &words, Display::People, &mut known);
        (known.contains(context), besides(&lexicon, &story))
    };
    let (is_told, plain) = told(", small_talk: none");
    assert!(
        !is_told && plain.len() == 5 && plain.iter().all(|(_, text)| text.starts_with("Scenario ")),
        "{plain:?}"
    );
    let (is_told, built_in) = told(", small_talk: small-talk");
    assert_eq!((is_told, &built_in), (true, &told("").1));
    assert!(built_in.len() > 10);
    let refused =
        compile(&board(&text_of("dynamic-minds", &[("for: S1}", "for: S1, small_talk: settings}")])), &[]);
    let message = &refused.unwrap_err()[0].message;
    assert_eq!(message, "`settings` is a pack of the kind `settings`");
}

/// The words of people in the built-in pack: those that are long enough to mean something.
fn long_words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 4).collect()
}

/// No reply or remark has a word of news, or of what people may want or do: it could be taken for news, or give an answer away.
#[test]
fn small_talk_has_no_word_of_news() {
    const COMMON: [&str; 16] = [
        "about",
        "again",
        "anyone",
        "anything",
        "first",
        "other",
        "people",
        "right",
        "somebody",
        "something",
        "there",
        "these",
        "where",
        "which",
        "whose",
        "would",
    ];
    let prospects = built_in("prospects").unwrap().prospects().unwrap();
    let rules = built_in("occ").unwrap().rules().unwrap();
    let sides = prospects.iter().flat_map(|words| &words.sides);
    let clauses = sides.flat_map(|side| side.likely.iter().chain(&side.settled).chain([&side.goal]));
    let others = prospects.iter().flat_map(|words| {
        words
            .by_nobody
            .iter()
            .chain(&words.by_someone)
            .chain(&words.open)
            .chain(&words.closed)
            .chain([&words.about])
    });
    let wants = rules.intentions.iter().flat_map(|known| [&known.wants, &known.act]);
    let feelings = rules.feelings.iter().map(|(_, text)| text);
    let news: BTreeSet<String> = clauses
        .chain(others)
        .chain(wants)
        .chain(feelings)
        .flat_map(|text| long_words(&text.to_string()))
        .collect();
    assert!(news.len() > 300, "{}", news.len());
    for text in texts().texts() {
        let shared: Vec<String> = long_words(&text.to_string())
            .into_iter()
            .filter(|word| news.contains(word) && !COMMON.contains(&word.as_str()))
            .collect();
        assert!(shared.is_empty(), "{text}: {shared:?}");
    }
}
