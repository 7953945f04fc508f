//! Stories in the words of a wording say what happens, and nothing else: from the text alone, the events come out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use storysim::adherence::{Judge, Row};
use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::form::{ActKind, PhraseKind, ReaderRule, SentenceKind};
use storysim::id::CharacterId;
use storysim::prose::{Reader, misread};
use storysim::select::{Family, admit};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, NamedFile, Storyboard, Style, parse};
use storysim::text::{Display, Lexicon, Words};

use crate::effort::{part, times};

/// Everything that people can do, watch and miss.
const DEEDS: &str = "
storysim: 1
name: deeds
characters: {pool: [Ann, Bob, Cas, Dora, the_cook]}
roles: [S1, S2, T]
places: {complete: [the_hall, kitchen, room_1]}
start: the_hall
horizon: 24
verb: [enters, walks into]
containers: {box: the_hall, my_chest: {in: kitchen, is: closed}, bag: room_1}
objects: {marble: box, old_key: kitchen, my_ring: S1}
attitudes: [cake, jazz]
propositions: {gift: {says: 'the gift for {T} is a bicycle', denies: 'the gift for {T} is no bicycle'}}
play: {move: 4, move_object: 2, carry: 2, take: 2, put: 2, throw: 2, give: 2, open: 1, close: 1, tell: 2, whisper: 2, phone: 2,
       react: 1, chat: 1}
events:
  - {at: 5, move: {who: [S1, S2], to: kitchen}}
  - {at: 8, reveal: {who: S1, that: gift}}
  - {from: 6, until: 12, peek: T}
  - {from: 6, until: 16, distracted: S2}
  - {from: 13, until: 20, distracted: {who: T, noticed: true}}
questions: [{belief: [S1, T]}, {reality: T}]
";

fn worded(board: Storyboard) -> Storyboard {
    // Fitting shares takes long, and words do not depend on them.
    Storyboard { balance: None, ..board }.reworded("varied")
}

fn family(board: &Storyboard) -> Family {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    admit(board, plans).unwrap_or_else(|problems| panic!("{problems:?}")).family
}

/// Reads the rows of some stories back. Returns how many stories there were.
fn read_back(board: &Storyboard, stories: u64) -> usize {
    let family = family(board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let mut read = 0;
    for index in 0..stories {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let mut seen = BTreeSet::new();
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            if !seen.insert(row["story"].to_string()) {
                continue;
            }
            let told = Row::new(&row).unwrap();
            let judge = Judge::new(board, &told.parameters);
            let account = told.account(board, judge.reader());
            let account = account.unwrap_or_else(|problem| panic!("{problem:?}: {}", row["story"]));
            let verdict = judge.judge(&account, &told.cast).unwrap();
            assert!(verdict.violations.is_empty(), "{:?}: {}", verdict.violations, row["story"]);
            read += 1;
        }
    }
    read
}

#[test]
fn built_in_boards_are_read_back_in_varied_words() {
    let mut read = 0;
    for known in BUILT_IN {
        let board = worded(parse(known.source()).unwrap());
        // Announcements are read by nobody yet, however they are worded.
        if board.style == Style::Report && board.prospects.is_empty() {
            assert_eq!(misread(&board), [], "{}", known.name);
            read += read_back(&board, times(10));
        }
    }
    assert!(read > 80, "{read}");
}

/// Rows say how places are called in their story, where that is drawn.
#[test]
fn stories_in_drawn_places_are_read_back() {
    let text = "storysim: 1\nname: settings\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nhorizon: 20\n\
                places: {complete: 4, pool: settings}\nstart: drawn\nquestions: [{belief: [S1, T]}, {start: T}, {world: [S1, T]}]\n";
    let board = parse(Source { name: "settings.yaml".into(), text: text.into() }).unwrap();
    for board in [board.clone(), worded(board)] {
        assert!(read_back(&board, times(50)) >= times(50) as usize);
    }
}

#[test]
fn all_deeds_are_read_back_in_varied_words() {
    let board = worded(parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap());
    assert!(read_back(&board, times(1000)) >= times(900) as usize);
}

/// A pack that words everything as it is worded plainly, but for where people start.
fn plainly() -> String {
    let mut pack = "storysim_pack: 1\nkind: wording\nname: plainly\nsentences:\n".to_owned();
    let mut entry = |key: &str, words: &str| {
        writeln!(pack, "  {key}: {}", serde_json::to_string(words).unwrap()).unwrap();
    };
    entry("chat", SentenceKind::Deed(ActKind::Chat).plain());
    for (section, is_question) in [("opening", false), ("questions", true)] {
        writeln!(pack, "{section}:").unwrap();
        let kinds = PhraseKind::ALL.iter().map(|kind| kind.form());
        for form in kinds.filter(|form| form.is_question == is_question) {
            // Where people start goes on in plain words, and these two start alike in each.
            let is_start = [PhraseKind::Together, PhraseKind::Apart].map(|kind| kind.form().key);
            let plain = match is_start.contains(&form.key) {
                true => continue,
                false => form.plain,
            };
            writeln!(pack, "  {}: {}", form.key, serde_json::to_string(plain).unwrap()).unwrap();
        }
    }
    pack + "rules:\n"
        + &ReaderRule::ALL.iter().fold(String::new(), |mut rules, rule| {
            writeln!(rules, "  {}: {}", rule.key(), serde_json::to_string(rule.plain()).unwrap()).unwrap();
            rules
        })
}

/// The plain phrases of the forms say what plain stories say: told by a pack of them, all contexts and questions are the same.
#[test]
fn plain_phrases_are_those_of_plain_stories() {
    let pack = NamedFile { name: "plainly.yaml".into(), path: "plainly.yaml".into(), text: Ok(plainly()) };
    let mut asked = BTreeSet::new();
    for known in part(BUILT_IN, 0, 1) {
        let board = Storyboard { balance: None, ..parse(known.source()).unwrap() };
        if board.style != Style::Report {
            continue;
        }
        let mut worded = board.clone().reworded("plainly.yaml");
        worded.files.push(pack.clone());
        let families = [family(&board), family(&worded)];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 3, &[], RowOptions::WITH_EVENTS));
        for index in 0..times(10) {
            let [plain, worded] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            for (mut plain, mut worded) in plain.into_iter().zip(worded) {
                worded.as_object_mut().unwrap().remove("wording");
                plain.as_object_mut().unwrap().remove("wording");
                let context = plain["context"].as_str().unwrap();
                // A rule of its own, where a pack words rules.
                let told = context.replacen(
                    ", and everyone knows that, and knows that everyone does. ",
                    ". Everyone knows all of this, and knows that everyone does. ",
                    1,
                );
                let is_of_walks = told != context;
                if is_of_walks && plain["kind"] != "world_things" {
                    plain["context"] = told.into();
                }
                asked.insert(plain["kind"].to_string());
                assert_eq!(plain, worded);
            }
        }
    }
    assert!(asked.len() > 10, "{asked:?}");
}

/// In whatever words a story is introduced, the same people, things and facts are read from it.
#[test]
fn openings_are_read_back() {
    let mut contexts = BTreeSet::new();
    let deeds = parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap();
    let built_in = part(BUILT_IN, 0, 1).map(|known| parse(known.source()).unwrap());
    for board in
        built_in.chain([deeds]).filter(|board| board.style == Style::Report && board.prospects.is_empty())
    {
        let board = Storyboard { balance: None, ..board };
        let reworded = worded(board.clone());
        let families = [family(&board), family(&reworded)];
        let readers = [Reader::new(&board, Vec::new()), Reader::new(&reworded, Vec::new())];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 5, &[], RowOptions::default()));
        for index in 0..times(12) {
            let [plain, other] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            for (plain, other) in
                plain.iter().zip(&other).filter(|(plain, _)| plain["kind"] != "world_things")
            {
                let read = |at: usize, row: &serde_json::Value| {
                    let mut opening = readers[at].introduction(row["context"].as_str().unwrap());
                    // People of one place may be named together.
                    opening.people.sort_unstable();
                    format!("{opening:?}")
                };
                assert_eq!(read(0, plain), read(1, other), "{}", other["context"]);
                assert_ne!(read(0, plain), format!("{:?}", storysim::prose::Opening::default()));
                contexts.insert(other["context"].to_string());
            }
        }
    }
    assert!(contexts.len() > 20, "{}", contexts.len());
}

/// Whatever a story is told in, the same happens in it, and the same is asked and answered.
#[test]
fn words_change_nothing_else() {
    let plain = Storyboard { balance: None, ..parse(built_in("sally-anne")).unwrap() };
    for board in
        [plain, parse(built_in("hitom-like")).unwrap(), parse(built_in("first-order-mislead")).unwrap()]
    {
        let mut texts = BTreeSet::new();
        let worded = worded(board.clone());
        let families = [family(&board), family(&worded)];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 3, &[], RowOptions::WITH_EVENTS));
        for index in 0..times(100) {
            let [plain, worded] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            assert_eq!(plain.len(), worded.len());
            for (mut plain, mut worded) in plain.into_iter().zip(worded) {
                assert_eq!(worded.as_object_mut().unwrap().remove("wording"), Some("varied".into()));
                let [plain_story, story] = [&mut plain, &mut worded].map(|row| {
                    for told in ["context", "question"] {
                        row[told].take();
                    }
                    row["story"].take()
                });
                assert_ne!(plain_story, story);
                texts.insert(story.to_string());
                assert_eq!(plain, worded);
            }
        }
        assert!(texts.len() > 20, "{}", texts.len());
    }
}

fn built_in(name: &str) -> Source {
    BUILT_IN.iter().find(|board| board.name == name).unwrap().source()
}

/// The bytes are a promise, in other words, too.
#[test]
fn golden_words() {
    let sums = ["first-order-mislead", "sally-anne", "hitom-like", "rumour", "free-play"].map(|name| {
        let family = family(&worded(parse(built_in(name)).unwrap()));
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        let mut rows = String::new();
        (0..50).for_each(|index| {
            maker.rows(index, &mut rows);
        });
        blake3::hash(rows.as_bytes()).to_hex()[..16].to_owned()
    });
    let wanted =
        ["00b1c5036f33707c", "6da0b6ab743d0ebb", "8edc1889cf39db45", "a44c9c86142c4266", "5ad3424304e1efe2"];
    assert_eq!(sums, wanted);
}

/// A story in the past is in the past throughout, and one in the present in the present.
#[test]
fn a_story_has_one_tense() {
    let family = family(&worded(parse(built_in("first-order-mislead")).unwrap()));
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut stories_in_the_past = 0;
    for index in 0..200 {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        let words: BTreeSet<&str> = row["story"].as_str().unwrap().split(' ').collect();
        let has = |verbs: [&str; 5]| verbs.iter().any(|verb| words.contains(verb));
        let is_past = has(["went", "moved", "left", "came", "entered"]);
        assert!(is_past != has(["goes", "moves", "leaves", "comes", "enters"]), "{}", row["story"]);
        stories_in_the_past += u32::from(is_past);
    }
    assert!((60..140).contains(&stories_in_the_past), "{stories_in_the_past}");
}

/// A note that has its verb in both tenses stands in that of its story, is read back, and counts as many sentences; one that has
/// only one keeps all stories in the present.
#[test]
fn notes_have_the_tense_of_their_story() {
    let noted = |notes: &str| {
        let events = format!(
            "events:\n  - {{at: 9, note: '[Rain. Snow.|Rain.] {{T}} [hums|hummed]. So it [goes|went] on.'}}\n{notes}"
        );
        let questions = "questions: [{belief: [S1, T], before: 20}, ";
        let text = DEEDS.replacen("events:\n", &events, 1).replacen("questions: [", questions, 1);
        worded(parse(Source { name: "deeds.yaml".into(), text }).unwrap())
    };
    let mut numbered = 0;
    let mut hums = |board: &Storyboard| -> Vec<[bool; 2]> {
        let family = family(board);
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        let told = |index| {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
            let [story, question] = ["story", "question"].map(|field| row[field].as_str().unwrap());
            if let Some((before, quoted)) = question.split_once(" (\"") {
                let number = before.split("sentence ").nth(1).unwrap().split(' ').next().unwrap();
                let sentences: Vec<&str> = story.split_inclusive(". ").map(str::trim_end).collect();
                let sentence = sentences[number.parse::<usize>().unwrap() - 1];
                assert_eq!(sentence, quoted.split_once("\")").unwrap().0, "{question} {story}");
                numbered += 1;
            }
            let is_in = |present: &str, past: &str| [present, past].map(|words| story.contains(words));
            let [present, past] = is_in(" hums. So it goes on.", " hummed. So it went on.");
            assert!(present != past, "{story}");
            assert!(!is_in(" goes ", " went ")[usize::from(present)], "{story}");
            [present, past]
        };
        (0..100).map(told).collect()
    };
    let both = noted("");
    assert!(misread(&both).is_empty());
    let past = hums(&both).iter().filter(|[_, is_past]| *is_past).count();
    assert!((25..75).contains(&past), "{past}");
    assert_eq!(read_back(&both, times(40)) as u64, times(40));
    let one = noted("  - {at: 10, note: It rains.}\n");
    assert!(hums(&one).iter().all(|[is_present, _]| *is_present));
    assert!(numbered > 50, "{numbered}");
    let wrong = noted("  - {at: 10, note: '{T} [rests|takes the marble].'}\n");
    assert!(misread(&wrong)[0].message.starts_with("this note says that something happens"));
    // Brackets without a bar are part of the note.
    let plain = noted("  - {at: 10, note: 'It rains [sic].'}\n");
    assert_eq!(read_back(&plain, times(5)) as u64, times(5));
}

/// A question that names a sentence by its number quotes the sentence with this number.
#[test]
fn questions_name_sentences_by_their_numbers() {
    let family = family(&worded(parse(built_in("hidden-ball")).unwrap()));
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let (mut quoted, mut is_any_joined) = (0, false);
    for index in 0..times(100) {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let [story, question] = ["story", "question"].map(|field| row[field].as_str().unwrap());
            let Some((before, after)) = question.split_once(" (\"") else { continue };
            let number: usize =
                before.split("sentence ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            let sentences: Vec<&str> = story.split_inclusive(". ").map(str::trim_end).collect();
            assert_eq!(sentences[number - 1], after.split_once("\")").unwrap().0, "{question} {story}");
            quoted += 1;
            is_any_joined |= sentences[..number].iter().any(|sentence| sentence.contains(" and then "));
        }
    }
    assert!(quoted > 50 && is_any_joined, "{quoted}");
}

/// A pronoun stands for whoever acts where the sentence before names this person and nobody else.
#[test]
fn pronouns_mean_one_person() {
    let pronouns = [("Ann", "she"), ("Dora", "she"), ("Bob", "he")];
    let (mut meant, mut left) = (0, 0);
    // Who watches or misses something is said between two events.
    let lines = DEEDS.lines().filter(|line| !line.contains("until:"));
    let text = lines.collect::<Vec<&str>>().join("\n");
    let board = worded(parse(Source { name: "deeds.yaml".into(), text }).unwrap());
    let plans = compile_family(&board, &[]).unwrap().plans;
    let lexicon = Lexicon::new(&plans[0], 7, str::to_owned);
    let mut simulator = Simulator::new(&plans[0], 7);
    for index in 0..times(3000) {
        let (mut story, mut words, mut text) = (Story::default(), Words::default(), String::new());
        simulator.draw(index, &mut story);
        lexicon.draw(&story, &mut words);
        lexicon.story(&story, &words, Display::People, &mut text);
        let people: BTreeSet<&str> = (0..story.names.len())
            .map(|who| lexicon.name(&story, &words, Display::People, CharacterId::new(who)))
            .collect();
        let named = |sentence: &str| -> Vec<&str> {
            let is_in = |name: &&&str| {
                sentence.split(|c: char| !c.is_alphanumeric() && c != ' ').any(|part| {
                    format!(" {part} ").to_lowercase().contains(&format!(" {} ", name.to_lowercase()))
                })
            };
            people.iter().filter(is_in).copied().collect()
        };
        let parts = lexicon.parts(&story, &words, Display::People);
        // Whom the sentence before speaks of, and whether it is whole: two steps may be told in one.
        let (mut before, mut is_whole) = (BTreeSet::new(), true);
        for part in &parts {
            let begun =
                ["Then ", "Next, ", "After that, "].iter().find_map(|then| part.text.strip_prefix(then));
            let begin = begun.unwrap_or(&part.text).split(' ').next().unwrap().to_lowercase();
            let who = part
                .step
                .map(|step| lexicon.name(&story, &words, Display::People, story.trace.events[step].who));
            let mut spoken_of: BTreeSet<&str> = named(&part.text).into_iter().collect();
            if ["she", "he"].contains(&begin.as_str()) {
                let who = who.unwrap();
                assert!(is_whole && before == BTreeSet::from([who]), "{begin}: {text}");
                assert!(pronouns.contains(&(who, &begin)), "{who}: {text}");
                assert!(!spoken_of.contains(who), "{text}");
                spoken_of.insert(who);
                meant += 1;
            } else if before == who.into_iter().collect()
                && pronouns.iter().any(|(known, _)| Some(*known) == who)
            {
                left += 1;
            }
            if !is_whole {
                spoken_of.append(&mut before);
            }
            is_whole = part.text.ends_with('.');
            before = spoken_of;
        }
    }
    assert!(meant > 80 && left > meant / 4, "{meant}, {left}");
}

/// Without a pronoun of their own, people are named; and what begins with a pronoun can be read.
#[test]
fn pronouns_are_the_packs_own() {
    let pack = |pronouns: &str| {
        let text = format!(
            "storysim_pack: 1\nkind: wording\nname: own\nthen: [then]\njoined: [and]\n{pronouns}\nsentences:\n  move: ['{{who}} {{verb}} {{there}}', '{{who}}, now here, goes to {{there}}']\n"
        );
        NamedFile { name: "own.yaml".into(), path: "own.yaml".into(), text: Ok(text) }
    };
    let board = parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap();
    let told = |pronouns: &str| {
        let mut board = Storyboard { balance: None, ..board.clone() }.reworded("own.yaml");
        board.files.push(pack(pronouns));
        assert!(read_back(&board, times(100)) >= times(90) as usize);
        let family = family(&board);
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        let mut stories = String::new();
        for index in 0..400 {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
            stories += row["story"].as_str().unwrap();
        }
        let count = |word: &str| stories.matches(&format!(" {word} ")).count();
        [count("Xe"), count("She"), count("xe")]
    };
    let [cooks, hers, within] = told("pronouns: {xe: [the cook], she: [Nobody Here]}");
    assert!(cooks > 8 && hers == 0 && within > 1, "{cooks} {within}");
    assert_eq!(told(""), [0; 3]);
}

/// Words in which a pronoun could mean another person are not read.
#[test]
fn a_pronoun_is_read_where_one_person_can_be_meant() {
    let board = worded(parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap());
    let reader = Reader::new(&board, Vec::new());
    let read = |text: &str| {
        let tale = reader.read(text);
        let whole = tale.problems.is_empty();
        whole.then(|| tale.told.iter().map(|told| told.who).collect::<Vec<&str>>().join(" "))
    };
    for (text, wanted) in [
        ("Ann takes the marble. She goes over to kitchen. Then she takes the old key.", Some("Ann Ann Ann")),
        (
            "Bob takes the marble and goes over to kitchen. He takes the old key and then goes over to the hall.",
            Some("Bob Bob Bob Bob"),
        ),
        // Another's pronoun, no pronoun, or nobody before.
        ("Ann takes the marble. He goes over to kitchen.", None),
        ("Cas takes the marble. She goes over to kitchen.", None),
        ("She goes over to kitchen.", None),
        // Small where a sentence begins, or capital within.
        ("Ann takes the marble. she goes over to kitchen.", None),
        ("Ann takes the marble. Then She goes over to kitchen.", None),
        // Somebody else is named.
        ("Ann gives the marble to Dora. She goes over to kitchen.", None),
        ("Ann gives the marble to Dora and goes over to kitchen. She takes the old key.", None),
        ("Ann and Dora go together to kitchen. She takes the old key.", None),
        ("Ann shows that Dora likes the cake. She takes the old key.", None),
        (
            "Ann takes the marble. Dora is distracted and misses this, and the others notice that. She goes over to kitchen.",
            None,
        ),
        // She says something of somebody, who could be herself.
        ("Ann takes the marble. She shows that Ann likes the cake.", None),
    ] {
        assert_eq!(read(text).as_deref(), wanted, "{text}");
    }
    // A note that would read like an event, and a person who is called so.
    let noted = DEEDS.replace(
        "  - {from: 6, until: 12",
        "  - {at: 6, note: 'She takes the marble.'}\n  - {from: 6, until: 12",
    );
    let noted = worded(parse(Source { name: "deeds.yaml".into(), text: noted }).unwrap());
    assert!(misread(&noted).iter().any(|problem| problem.message.starts_with("this note says")));
    let called = |name: &str| {
        let text = DEEDS.replace("Cas,", &format!("{name},"));
        compile_family(&worded(parse(Source { name: "deeds.yaml".into(), text }).unwrap()), &[]).map(|_| ())
    };
    assert!(called("Sheila").is_ok());
    for name in ["She", "He", "She Wolf"] {
        let problem = &called(name).unwrap_err()[0];
        assert_eq!(problem.message, format!("stories with the name `{name}` could not be read"));
    }
}

/// A question quotes a sentence that can be understood without the one before.
#[test]
fn no_quoted_sentence_has_a_pronoun() {
    let text = "storysim: 1\nname: x\ncharacters: {pool: [Ann, Eva, Bob]}\nroles: [S1, T]\n\
                places: {complete: [hall, attic, loft]}\nstart: hall\nhorizon: 12\n\
                questions: [{belief: [S1, T], before: 6}, {belief: [S1, T], without: 9}]\n";
    let board = worded(parse(Source { name: "x.yaml".into(), text: text.into() }).unwrap());
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let (mut quoted, mut pronouns) = (0, 0);
    for index in 0..times(200) {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let has_pronoun =
                |text: &str| ["She ", "He ", " she ", " he "].iter().any(|word| text.contains(word));
            let question = row["question"].as_str().unwrap();
            let quotation = question.split('"').nth(1).unwrap();
            assert!(!has_pronoun(quotation), "{question}");
            assert!(row["story"].as_str().unwrap().contains(quotation), "{question} {}", row["story"]);
            quoted += 1;
            pronouns += usize::from(has_pronoun(row["story"].as_str().unwrap()));
        }
    }
    assert!(quoted > 50 && pronouns > quoted / 3, "{pronouns} of {quoted}");
}

/// "This" means what the sentence before tells, and a part between commas has its second comma.
#[test]
fn sentences_fit_those_before() {
    let board = worded(parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap());
    let plans = compile_family(&board, &[]).unwrap().plans;
    let lexicon = Lexicon::new(&plans[0], 7, str::to_owned);
    let mut simulator = Simulator::new(&plans[0], 7);
    let (mut firsts, mut seconds, mut carrying) = (0, 0, 0);
    for index in 0..times(300) {
        let (mut story, mut words) = (Story::default(), Words::default());
        simulator.draw(index, &mut story);
        lexicon.draw(&story, &mut words);
        let parts = lexicon.parts(&story, &words, Display::People);
        for three in parts.windows(3) {
            let [before, first, second] = three else { unreachable!() };
            if before.step == first.step {
                continue;
            }
            carrying += usize::from(first.text.contains(", carrying "));
            assert!(!first.text.contains(", carrying ") || first.text.ends_with('.'), "{}", first.text);
            firsts += usize::from(second.step == first.step && second.text.starts_with("This "));
        }
        for three in parts.windows(3).filter(|three| three.iter().all(|part| part.step == three[0].step)) {
            seconds += 1;
            assert!(!three[2].text.starts_with("This "), "{} {}", three[1].text, three[2].text);
        }
    }
    assert!(firsts > 25 && seconds > 25 && carrying > 2, "{firsts} {seconds} {carrying}");
}
