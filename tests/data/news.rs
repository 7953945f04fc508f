//! What news does to people, read once more from rows: the reader of `verify` finds nothing wrong with rows as they are
//! written, and notices what is forged; and lives are exchangeable, as whoever leads one of the others is asked the same, and
//! answers with it.

use rand::{Rng, RngExt, SeedableRng};
use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};
use storysim::belief::Held;
use storysim::belief::nested::Mind;
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::form::{Addressee, State, Toward};
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::{Dynamic, Lives, Plan};
use storysim::question::{Asker, AtEnd, CoursePlan, Courses, Subject, Told};
use storysim::select::Family;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, QuestionKind};
use storysim::verify::{Difference, Disagreement, Inspector};
use storysim::world::{Event, Item};

use crate::effort::part;
use crate::storyboards::{board, family_with_twins};

/// The built-in board of such stories, with words of its text replaced.
fn plan(replaced: &[(&str, &str)]) -> Plan {
    let built_in = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap();
    let text = replaced.iter().fold(built_in.text().to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    compile(&board(&text), &[]).unwrap().plan
}

/// Calls something with each of some stories, its rows, and the inspector of them.
fn each(plan: &Plan, stories: u64, mut check: impl FnMut(&Inspector<'_>, &Story, &str)) {
    let family = Family::from(plan.clone());
    let inspector = Inspector::new(plan, 11, &[]);
    let mut maker = RowMaker::new(&family, 11, &[], RowOptions::WITH_EVENTS);
    for index in 0..stories {
        let mut text = String::new();
        maker.rows(index, &mut text);
        check(&inspector, maker.story(), &text);
    }
}

#[test]
fn rows_say_what_follows_from_their_text() {
    let boards: [(&[(&str, &str)], u64); 12] = [
        (&[], 150),
        (&[("told: 1", "told: 0")], 20),
        (&[("turns: 4", "turns: 1")], 20),
        (&[("turns: 4", "turns: 7")], 20),
        (&[("complete: 3", "complete: 2")], 20),
        (&[("\"n\": 5", "\"n\": 1")], 30),
        (&[("\"n\": 5", "\"n\": 12")], 6),
        (&[("[nobody, O, S1]", "[nobody, S2, O]")], 20),
        (&[("decider: O", "decider: S2")], 20),
        (&[("{complete: 3, pool: settings}", "{complete: [the_hall, attic, back_yard]}")], 20),
        (&[("start: drawn", "start: drawn\nverb: [enters, walks into]")], 20),
        (&[("questions:", "events:\n  - {at: 3, note: \"It rains. Nobody minds!\"}\nquestions:")], 20),
    ];
    for (replaced, stories) in boards {
        let plan = plan(replaced);
        let mut rows = 0;
        each(&plan, stories, |inspector, story, text| {
            rows += text.lines().count();
            assert_eq!(inspector.inspect(story, text), [], "{replaced:?}");
        });
        assert_eq!(rows, stories as usize * plan.questions.len(), "{replaced:?}");
    }
}

/// A board that is not drawn by lives.
pub const FREE: &str = "storysim: 1
name: free
about: News in free play
characters: {pool: people, count: 5}
roles: [S1, S2, O]
places: {complete: 3, pool: settings}
start: drawn
prospects:
  news: {pool: prospects, by: [nobody, O, S1], wants: {S1: drawn, S2: 1}, decider: O}
rules: occ
scenarios: {count: 3, steps: 12}
events:
  - {at: 2, turn: {who: O, of: news}}
  - {at: 7, turn: {who: O, of: news}}
  - {at: 15, turn: {who: O, of: news}}
  - {at: 18, turn: {who: O, of: news}}
  - {at: 26, turn: {who: O, of: news}}
questions:
  - dynamics: [S1, news]
";

#[test]
fn rows_of_free_play_say_what_the_definition_of_belief_says() {
    let free = compile(&board(FREE), &[]).unwrap().plan;
    each(&free, 40, |inspector, story, text| assert_eq!(inspector.inspect(story, text), []));
    let chains = FREE.to_owned() + "  - dynamics: [S2, S1, news]\n  - dynamics: [S1, S2, news]\n";
    let chains = compile(&board(&chains), &[]).unwrap().plan;
    each(&chains, 20, |inspector, story, text| {
        for disagreement in inspector.inspect(story, text) {
            // Whether somebody is with her may be open, and what she does with it.
            let is_open = |differs: &Difference| {
                (differs.field, &*differs.derived) == ("answer", "not written: it is open who is with her")
            };
            assert!(disagreement.differences.iter().all(is_open), "{disagreement}");
        }
    });
}

/// Whether another is with the last of a chain of minds, as the chain has it by the definition of belief; `None` if that is open.
fn is_with(reality: &Mind, minds: &[CharacterId], other: CharacterId) -> Option<bool> {
    let who = *minds.last().unwrap();
    match [who, other].map(|one| reality.held(minds, one).unwrap()) {
        [Held::Known(place, _), Held::Known(other, _)] => Some(place == other),
        // Whoever is with her she would know to be.
        [Held::Known(..), Held::Nothing] => Some(false),
        _ => None,
    }
}

/// Whether those are with her whom a want is directed at, `None` if that is open; `None` at all if nothing depends on it.
fn is_here(end: &AtEnd, reality: &Mind, minds: &[CharacterId], people: usize) -> Option<Option<bool>> {
    let others = (0..people).map(CharacterId::new).filter(|other| minds.last() != Some(other));
    let with: Vec<Option<bool>> = others.map(|other| is_with(reality, minds, other)).collect();
    match (end.felt.toward, end.whom) {
        (Toward::Company, _) if with.contains(&Some(true)) => Some(Some(true)),
        (Toward::Company, _) => Some(with.iter().all(Option::is_some).then_some(false)),
        (_, whom) => whom.map(|whom| is_with(reality, minds, whom)),
    }
}

/// Of what somebody does nothing is asked, unless it is clear at all ends that a question speaks of who is with her.
fn asks_of_what_is_clear(plan: &Plan, story: &Story, subject: &Subject, found: &Courses) {
    let mut asker = Asker::new(plan, 11);
    let asked: Vec<usize> = asker.ask(story).iter().map(|answered| answered.question).collect();
    for (at, question) in plan.questions.iter().enumerate().filter(|(_, question)| subject.is_of(question)) {
        let Dynamic { state, scenario } = question.dynamic.unwrap();
        let first = match question.kind {
            QuestionKind::Course => 0,
            QuestionKind::Changed | QuestionKind::Cause => scenario - 1,
            _ => scenario,
        };
        let is_clear = scenario < found.clear
            && (state != State::Action || found.lives[0][first..=scenario].iter().all(|end| end.is_clear));
        assert!(is_clear || !asked.contains(&at), "story {}: {question:?}", story.index);
    }
}

/// How often it is clear, and open, who is with whom: where a want is directed at all others, and at one.
fn open_to_chains(plan: &Plan) -> [usize; 4] {
    let (steps, all) = (plan.scenarios.unwrap().steps, CoursePlan::all(plan, 11));
    let (mut simulator, mut story) = (Simulator::new(plan, 11), Story::default());
    let (mut of_company, mut of_one) = ([0, 0], [0, 0]);
    for (index, courses) in (0..200).flat_map(|index| all.iter().map(move |courses| (index, courses))) {
        assert!(simulator.draw(index, &mut story));
        let (minds, found) = (&courses.subject().minds, courses.courses(&story));
        let mut reality = Mind::begin(&story.trace, 2);
        let (mut clear, mut is_open) = (0, false);
        for witnessed in story.trace.unfold() {
            reality.happen(&witnessed);
            let news = reality.held(minds, Item::Prospect(courses.subject().prospect)).unwrap();
            is_open |= news == Held::Unclear;
            if (witnessed.step + 1) % steps != 0 {
                continue;
            }
            clear += usize::from(!is_open);
            let end = &found.lives[0][witnessed.step / steps];
            let Some(is_here) = is_here(end, &reality, minds, plan.character_count) else { continue };
            assert_eq!(end.is_clear, is_here.is_some(), "story {index}, {minds:?}: {end:?}");
            let is_addressed = end.addressee == Addressee::Here;
            assert!(is_here.is_none_or(|is| is == is_addressed), "story {index}, {minds:?}: {end:?}");
            let counts = if end.whom.is_some() { &mut of_one } else { &mut of_company };
            counts[usize::from(is_here.is_none())] += 1;
        }
        assert_eq!(found.clear, clear, "story {index}, {minds:?}");
        asks_of_what_is_clear(plan, &story, courses.subject(), &found);
    }
    [of_company[0], of_company[1], of_one[0], of_one[1]]
}

/// What a chain holds may be open, and who it has with her. The reader of rows takes more to be open, so this is by the definition.
#[test]
fn what_is_open_to_a_chain_is_not_asked_of_it() {
    let chains = FREE.to_owned() + "  - dynamics: [S2, S1, news]\n  - dynamics: [S1, S2, news]\n";
    let rumour = BUILT_IN.iter().find(|board| board.name == "dynamic-minds-rumour").unwrap().text();
    let mut counts = [0; 4];
    for text in [&chains, rumour] {
        let plan = compile(&board(text), &[]).unwrap().plan;
        let found = open_to_chains(&plan);
        counts = std::array::from_fn(|at| counts[at] + found[at]);
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

/// Whoever is taken along has come to where she hears it at that step, as much as who takes her.
#[test]
fn evidence_has_the_step_at_which_she_was_taken_along() {
    let text = "storysim: 1\nname: along\ncharacters: {pool: people, count: 3}\nroles: [S1, S2, O]\n\
                places: {complete: [hall, yard, attic]}\nstart: {O: yard, else: hall}\n\
                prospects: {news: {pool: prospects, by: [nobody, O], wants: {S1: 1}, decider: O}}\nrules: occ\n\
                scenarios: {count: 1, steps: 4}\nevents:\n  - {at: 0, move: {who: [S2, S1], to: yard}}\n  \
                - {at: 1, turn: {who: O, of: news}}\nquestions: [{belief_in: [S1, news], in: 1}]\n";
    let plan = compile(&board(text), &[]).unwrap().plan;
    each(&plan, 5, |_, _, text| {
        rows(text).iter().for_each(|row| assert_eq!(row["evidence"], json!([0, 1]), "{row}"));
    });
}

/// Twins of free play are asked what news does, too. Which wrong choices go with an answer is not the text's to say there.
#[test]
fn answers_of_twins_of_free_play_follow_from_their_own_text() {
    let board = board(&format!("{FREE}  - belief: [S1, O]\n"));
    let family = family_with_twins(&board);
    let plan = &family.plans()[0];
    let inspector = Inspector::new(plan, 11, &[]);
    let mut maker = RowMaker::new(&family, 11, &[], RowOptions::WITH_EVENTS).with_twins(&board);
    let mut of_news = [0, 0];
    for index in 0..20 {
        let mut text = String::new();
        maker.rows(index, &mut text);
        let id = |mark: &str| format!("\"free/11/{index}{mark}/");
        let told = [("", maker.story()), ("-twin", &maker.twin().unwrap().story)];
        for ((mark, story), count) in told.into_iter().zip(&mut of_news) {
            let own: Vec<&str> =
                text.lines().filter(|row| row.starts_with(&format!("{{\"id\":{}", id(mark)))).collect();
            *count += own.iter().filter(|row| row.contains("\"scenario\":")).count();
            // Of a setting, the inspector does not know which place is which.
            let mut found = inspector.inspect(story, &own.join("\n").replace(&id(mark), &id("")));
            found.retain(|disagreement| plan.questions[disagreement.question].dynamic.is_some());
            found.iter_mut().for_each(|of| of.differences.retain(|differs| differs.field != "choices"));
            found.retain(|disagreement| !disagreement.differences.is_empty());
            assert_eq!(found, []);
        }
    }
    assert!(of_news.iter().all(|&count| count > 100), "{of_news:?}");
}

/// The reader knows nothing of what answers such questions and puts them into words.
#[test]
fn the_reader_shares_no_code_with_what_it_checks() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/src/verify/dynamics");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 5);
    for path in files {
        let source = std::fs::read_to_string(&path).unwrap();
        for module in ["question", "appraisal", "text", "dataset", "simulate::Simulator"] {
            assert!(!source.contains(&format!("crate::{module}")), "{}: {module}", path.display());
        }
    }
}

/// The rows of a text as JSON.
fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is found where rows are forged; nothing if there was nothing to forge.
fn forged(
    (inspector, story, text): (&Inspector<'_>, &Story, &str),
    forge: impl Fn(&mut Value),
) -> Option<Vec<Disagreement>> {
    let plain = rows(text);
    let mut forged = plain.clone();
    forged.iter_mut().for_each(forge);
    let lines: Vec<String> = forged.iter().map(Value::to_string).collect();
    (plain != forged).then(|| inspector.inspect(story, &lines.join("\n")))
}

/// The fields that are found to differ.
fn fields(found: &[Disagreement]) -> Vec<&'static str> {
    found.iter().flat_map(|disagreement| &disagreement.differences).map(|differs| differs.field).collect()
}

/// Stages of three scenarios, so that there is less to read.
static THREE_SCENARIOS: LazyLock<Plan> = LazyLock::new(|| {
    let board = board(BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap().text());
    compile(&board, &[("n".to_owned(), 3)]).unwrap().plan
});

/// Stories of all scenarios.
static AS_BUILT_IN: LazyLock<Plan> = LazyLock::new(|| plan(&[]));

/// That a forged field of one kind of rows is found, and named.
fn check_field(key: &str, kind: &str, found_as: &str, forge: impl Fn(&mut Value)) {
    let mut count = 0;
    each(&THREE_SCENARIOS, 2, |inspector, story, text| {
        let found = forged((inspector, story, text), |row| {
            if row["kind"] == kind {
                forge(if key.is_empty() { row } else { &mut row[key] });
            }
        });
        let Some(found) = found else { return };
        count += 1;
        assert!(fields(&found).contains(&found_as), "{key} of {kind}: {found:?}");
    });
    assert!(count > 0, "{key} of {kind}");
}

#[test]
fn forged_fields_are_noticed() {
    for kind in
        part(["belief_in", "emotion", "intention", "action", "changed", "cause", "influence", "course"], 0, 2)
    {
        let other = |row: &Value| (row["label"].as_u64().unwrap() + 1) as usize % 5;
        check_field("", kind, "answer", |row| row["answer"] = row["choices"][other(row)].clone());
        check_field("", kind, "the labelled choice", |row| row["label"] = json!(other(row)));
        check_field("", kind, "choices", |row| {
            let at = other(row);
            row["choices"][at] = json!("to let the matter be");
        });
        check_field("", kind, "choices", |row| {
            let at = other(row);
            row["choices"][at] = row["answer"].clone();
        });
        check_field("caused_by", kind, "caused_by", |steps| steps.as_array_mut().unwrap().push(json!(1)));
        check_field("scenario", kind, "scenario", |scenario| {
            *scenario = json!(scenario.as_u64().unwrap() + 1)
        });
        check_field("state", kind, "state", |state| {
            *state = json!(if state == "belief" { "action" } else { "belief" })
        });
        check_field("question", kind, "question", |asked| {
            *asked = json!(asked.as_str().unwrap().replace(" scenario ", " scenario 1"));
        });
        check_field("rules", kind, "rules", |rules| *rules = json!("untold"));
        check_field("rules", kind, "rules", |rules| *rules = Value::Null);
        check_field("lives", kind, "lives", |lives| *lives = Value::Null);
        check_field("lives", kind, "lives", |lives| lives.as_array_mut().unwrap().swap(1, 4));
        check_field("lives", kind, "lives", |lives| lives[2].as_array_mut().unwrap().push(json!(1)));
        check_field("linked", kind, "linked", |linked| *linked = json!(["dynamic-minds/11/0/70"]));
        check_field("mislead_distance", kind, "mislead_distance", |distance| *distance = json!(3));
        check_field("kind", kind, "kind", |kind| *kind = json!("belief"));
        check_field("order", kind, "order", |order| *order = json!(2));
        check_field("about", kind, "about", |about| *about = json!("views"));
        for foil in ["all_heard", "last_turn", "scenario_before"] {
            check_field("foils", kind, foil, |foils| foils[foil] = json!("glad, or so"));
        }
    }
    check_field("", "belief_in", "truth", |row| row["truth"] = json!("nothing, having heard nothing of it"));
    check_field("false_belief", "belief_in", "false_belief", |is| *is = json!(is != true));
    check_field("false_belief", "emotion", "false_belief", |is| *is = json!(true));
    check_field("truth", "emotion", "truth", |truth| *truth = json!("calm"));
}

/// The text with the first of these pairs of words that it has changed from one to the other, once.
fn changed<'w>(text: &str, pairs: impl IntoIterator<Item = (&'w str, &'w str)>) -> Option<String> {
    let mut found = pairs.into_iter().filter(|(from, _)| text.contains(from));
    found.next().map(|(from, to)| text.replacen(from, to, 1))
}

/// That a change of a text in all rows of a story is found, whatever else it makes wrong.
fn check_text(what: &str, key: &str, change: impl Fn(&Value, &str) -> Option<String>) {
    let mut count = 0;
    each(&AS_BUILT_IN, 12, |inspector, story, text| {
        let found = forged((inspector, story, text), |row| {
            if let Some(changed) = change(row, row[key].as_str().unwrap()) {
                row[key] = json!(changed);
            }
        });
        let Some(found) = found else { return };
        count += 1;
        assert!(!found.is_empty(), "{what}, story {}", story.index);
    });
    println!("{what}: {count} stories");
    assert!(count >= 3, "{what}: {count}");
}

#[test]
fn forged_stories_are_noticed() {
    let pack = storysim::pack::built_in("prospects").unwrap();
    let words = pack.prospects().unwrap();
    check_text("another clause", "story", |_, story| {
        let finals = words.iter().flat_map(|words| &words.open);
        let closed = words.iter().flat_map(|words| &words.closed).map(ToString::to_string);
        let pairs: Vec<(String, String)> = finals.map(ToString::to_string).zip(closed).collect();
        changed(story, pairs.iter().map(|(from, to)| (from.as_str(), to.as_str())))
    });
    check_text("a clause of no prospect", "story", |_, story| {
        changed(story, [(" and ", " and, they say, ")])
    });
    check_text("somebody else brought it about", "story", |row, story| {
        let [hers, others] = ["S1", "O"].map(|role| row["cast"][role].as_str().unwrap());
        // Whoever announces it does not name herself in direct speech.
        let pairs = [" has ", " settled ", " took "]
            .map(|verb| (format!("that {others}{verb}"), format!("that {hers}{verb}")));
        changed(story, pairs.iter().map(|(from, to)| (from.as_str(), to.as_str())))
    });
    check_text("a move of hers less", "story", |row, story| {
        let hers = format!("{} enters ", row["cast"]["S1"].as_str().unwrap());
        let at = story.find(&hers)?;
        let end = at + story[at..].find(". ")? + 2;
        Some(story[..at].to_owned() + &story[end..])
    });
    check_text("a move of the teller less", "story", |row, story| {
        let his = format!("{} enters ", row["cast"]["O"].as_str().unwrap());
        let at = story.find(&his)?;
        let end = at + story[at..].find(". ")? + 2;
        Some(story[..at].to_owned() + &story[end..])
    });
    check_text("a heading less", "story", |_, story| {
        let at = story.find("Scenario 2")?;
        let end = at + story[at..].find(". ")? + 2;
        Some(story[..at].to_owned() + &story[end..])
    });
    let turned = |story: &str, [from, to]: [&str; 2]| changed(story, [(from, to)]);
    check_text("a remark of hers", "story", |row, story| {
        let hers = row["cast"]["S1"].as_str().unwrap();
        let others = row["cast"]["S2"].as_str().unwrap();
        turned(story, [&format!("” says {others}."), &format!("” says {hers}.")])
    });
    check_text("a remark of the teller's", "story", |row, story| {
        let [his, others] = ["O", "S2"].map(|role| row["cast"][role].as_str().unwrap());
        turned(story, [&format!("” replies {others}."), &format!("” replies {his}.")])
    });
    check_text("a remark that is none", "story", |_, story| turned(story, ["asks", "wonders"]));
    check_text("an opening at the end", "story", |_, story| Some(format!("{story} It is a busy morning.")));
    let small_talk = storysim::pack::built_in("small-talk").unwrap().small_talk().unwrap();
    check_text("a reply to nothing", "story", |_, story| {
        let remarks = small_talk.remarks.iter().map(|text| text.to_string().replace('.', ","));
        let said: Vec<String> = remarks.map(|text| format!("“{text}” says ")).collect();
        changed(story, said.iter().map(|said| (said.as_str(), "“Noted,” says ")))
    });
    check_text("a sentence of no meaning", "story", |_, story| Some(format!("{story} They all laugh.")));
}

#[test]
fn forged_contexts_are_noticed() {
    check_text("another wish", "context", |row, context| {
        let name = row["cast"]["S1"].as_str().unwrap();
        let (before, rest) = context.split_once(&format!(". {name} wants "))?;
        let (goals, after) = rest.split_once(". ")?;
        let (wanted, other) = goals.split_once(", and does not want ")?;
        Some(format!("{before}. {name} wants {other}, and does not want {wanted}. {after}"))
    });
    check_text("another rule", "context", |_, context| {
        let calm = "Whoever has heard nothing of it is calm. ";
        changed(context, [(calm, "Whoever has heard nothing of it is glad. ")])
    });
    check_text("a rule less", "context", |_, context| {
        changed(context, [("Whoever has heard nothing of it is calm. ", "")])
    });
    check_text("another want", "context", |_, context| {
        changed(context, [("the act is to go on with the day's", "the act is to go on with the night's")])
    });
    check_text("another way", "context", |_, context| {
        changed(context, [("do it, by letter", "do it, by phone")])
    });
    check_text("no rules", "context", |_, context| {
        context.split_once(" The two ways in which").map(|(before, _)| before.to_owned())
    });
    check_text("another start", "context", |_, context| {
        changed(context, [(" start in the ", " start in that ")])
    });
}

/// A story in which the main character leads another of her lives: she is with the teller just where that life hears. All
/// announcements, the teller's walk, and where everyone is at the end of each scenario are as before; all else is drawn anew.
fn led(plan: &Plan, story: &Story, life: usize, random: &mut impl Rng) -> Story {
    let (lives, steps) = (*plan.lives().unwrap(), plan.scenarios.unwrap().steps);
    let ends = ends_of(story, steps);
    let mut led = story.clone();
    led.lives.chunks_mut(lives.count()).for_each(|scenario| scenario.swap(0, life));
    let mut at = story.trace.start.clone();
    for (scenario, end) in ends.iter().enumerate() {
        for turn in 0..=lives.turns {
            let from = scenario * steps + turn * (lives.between + 1);
            let gap = from..from + lives.between;
            let mut goal = end.clone();
            if turn < lives.turns {
                let teller = story.trace.events[gap.end].from;
                let is_heard = led.lives[scenario * lives.count()] >> turn & 1 == 1;
                let hers = if is_heard { teller } else { elsewhere(plan, teller, random) };
                goal = at.clone();
                (goal[lives.whose.index()], goal[lives.by.index()]) = (hers, teller);
            }
            let moves = walks(plan, &lives, at.clone(), (&goal, turn == lives.turns), random);
            led.trace.events[gap].copy_from_slice(&moves);
            moves.iter().for_each(|event| at[event.who.index()] = event.to);
        }
    }
    led
}

/// Another place than this one.
fn elsewhere(plan: &Plan, place: PlaceId, random: &mut impl Rng) -> PlaceId {
    let others: Vec<PlaceId> = plan.map.places().filter(|&other| other != place).collect();
    others[random.random_range(0..others.len())]
}

/// Moves after which the teller and the main character are where they have to be, each having moved once at most; and so is everyone,
/// if that matters.
fn walks(
    plan: &Plan,
    lives: &Lives,
    start: Vec<PlaceId>,
    (goal, is_for_all): (&[PlaceId], bool),
    random: &mut impl Rng,
) -> Vec<Event> {
    let both = [lives.by, lives.whose];
    let everyone = || (0..plan.character_count).map(CharacterId::new);
    // What can be done next, if all have time enough afterwards to go where they have to be.
    let next = |at: &[PlaceId], left: usize| {
        let mut moves = Vec::new();
        for who in everyone() {
            let (is_both, from) = (both.contains(&who), at[who.index()]);
            for to in plan.map.places().filter(|&to| to != from) {
                if is_both && to != goal[who.index()] {
                    continue;
                }
                let there = |other: CharacterId| if other == who { to } else { at[other.index()] };
                let is_due = |other: &CharacterId| {
                    (is_for_all || both.contains(other)) && there(*other) != goal[other.index()]
                };
                let due = everyone().filter(is_due).count();
                if due <= left && !(is_for_all && left == 1 && due == 0) {
                    moves.push(Event { who, from, to });
                }
            }
        }
        moves
    };
    for _ in 0..1_000 {
        let (mut at, mut moves) = (start.clone(), Vec::new());
        for left in (0..lives.between).rev() {
            let possible = next(&at, left);
            if possible.is_empty() {
                break;
            }
            let event: Event = possible[random.random_range(0..possible.len())];
            at[event.who.index()] = event.to;
            moves.push(event);
        }
        if moves.len() == lives.between {
            return moves;
        }
    }
    panic!("no such walks");
}

/// Where everyone is at the end of each scenario.
fn ends_of(story: &Story, steps: usize) -> Vec<Vec<PlaceId>> {
    let mut at = story.trace.start.clone();
    let mut ends = Vec::new();
    for (step, event) in story.trace.events.iter().enumerate() {
        at[event.who.index()] = event.to;
        if (step + 1) % steps == 0 {
            ends.push(at.clone());
        }
    }
    ends
}

/// Theorem 1: the same announcements and the same walk of the teller leave open which life she leads. The choices of all
/// questions are the same whichever it is, and the answer is that of the life she leads.
#[test]
fn each_life_is_asked_the_same_and_answers_with_its_own() {
    let plan = plan(&[
        ("for: S1}", "for: S1, between: 9}"),
        ("complete: 3", "complete: 4"),
        ("count: 4", "count: 7"),
    ]);
    let lives = *plan.lives().unwrap();
    let steps = plan.scenarios.unwrap().steps;
    let [courses] = &CoursePlan::all(&plan, 11)[..] else { panic!("one subject") };
    let mut simulator = Simulator::new(&plan, 11);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let (mut story, mut checked) = (Story::default(), 0);
    for index in 0..60 {
        assert!(simulator.draw(index, &mut story));
        let before = courses.courses(&story);
        for life in 1..lives.count() {
            let led = led(&plan, &story, life, &mut random);
            assert_eq!(ends_of(&led, steps), ends_of(&story, steps));
            let after = courses.courses(&led);
            for question in &plan.questions {
                let told = |number: usize| before.told(question, number);
                let mut offered: Vec<Told> =
                    (0..lives.count()).map(|number| after.told(question, number)).collect();
                assert_eq!(offered[0], told(life), "story {index}, life {life}: {question:?}");
                offered.swap(0, life);
                let all: Vec<Told> = (0..lives.count()).map(told).collect();
                assert_eq!(offered, all, "story {index}, life {life}: {question:?}");
                checked += 1;
            }
        }
    }
    println!("{checked} questions of other lives");
    assert_eq!(checked, 60 * 4 * 71);
}

/// In the words of a wording, the same follows: what is read is what the story says in plain words.
#[test]
fn worded_rows_say_what_follows_from_their_text() {
    for (name, is_altered) in
        part([("dynamic-minds", true), ("dynamic-minds-free", false), ("dynamic-minds-rumour", false)], 0, 2)
    {
        let built_in = BUILT_IN.iter().find(|board| board.name == name).unwrap();
        let plan = compile(&board(&format!("{}wording: varied\n", built_in.text())), &[]).unwrap().plan;
        let (mut contexts, mut asked, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
        each(&plan, 12, |inspector, story, text| {
            assert_eq!(inspector.inspect(story, text), [], "{name}");
            for row in rows(text) {
                count += 1;
                contexts.insert(row["context"].as_str().unwrap().split(' ').next().unwrap().to_owned());
                asked.insert(row["question"].as_str().unwrap().split(' ').next().unwrap().to_owned());
                if !is_altered {
                    continue;
                }
                // Another answer does not follow.
                let other = row["choices"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|choice| **choice != row["answer"])
                    .unwrap();
                let [from, to] = [&row["answer"], other].map(|answer| format!("\"answer\":{answer},"));
                let id = format!("{{\"id\":{},", row["id"]);
                let forged: String = text
                    .lines()
                    .map(|line| if line.starts_with(&id) { line.replace(&from, &to) } else { line.to_owned() } + "\n")
                    .collect();
                assert_ne!(inspector.inspect(story, &forged), [], "{row}");
            }
        });
        assert!(count > 100 && asked.len() > 4, "{name}: {asked:?}");
    }
}
