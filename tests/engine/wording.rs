//! Names that pass `check` give stories that can be read: what stands in a story's sentences is what its events say.

use rand::{RngExt, SeedableRng};
use storysim::adherence::{Judge, Row};
use storysim::compile::{compile_family, problems};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::prose::misread;
use storysim::select::admit;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, Style, built_in_pool, built_in_pools, parse};
use storysim::text::{Display, Lexicon, Words};

use crate::effort::times;

/// Words of which some names are harmless, and others would join names or end sentences.
const WORDS: [&str; 44] = [
    "Ann", "Bob", "Cas", "hall", "box", "ball", "key", "cake", "old", "red", "of", "on", "my", "the", "a",
    "and", "to", "in", "into", "that", "is", "open", "has", "likes", "enters", "goes", "takes", "puts",
    "down", "together", "tells", "everyone", "nobody", "whispers", "phones", "says", "Ann,", "St.", "1)",
    "-", "is in", "moves", "carries", "shows",
];

/// A storyboard with such names: people, places, containers, objects, something to like.
fn board(names: &[String]) -> String {
    let quoted = |names: &[String]| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>();
    let (people, places) = (quoted(&names[..4]), quoted(&names[4..7]));
    let things = quoted(&names[7..12]);
    format!(
        "storysim: 1\nname: words\ncharacters: {{pool: [{}]}}\nroles: [S1, T]\nplaces: {{complete: [{}]}}\nstart: {}\n\
         verb: [enters, goes to]\nhorizon: 14\ncontainers: {{{}: {}, {}: {{in: {}, is: closed}}}}\n\
         objects: {{{}: {}, {}: {}}}\nattitudes: [{}]\n\
         play: {{move: 3, move_object: 1, carry: 1, take: 1, put: 1, throw: 1, give: 1, open: 1, close: 1, tell: 1, \
         whisper: 1, phone: 1, react: 1}}\nevents: [{{at: 3, move: {{who: [S1, T], to: {}}}}}]\n\
         questions: [{{belief: [S1, T]}}, {{reality: T}}]\n",
        people.join(", "),
        places.join(", "),
        places[0],
        things[0],
        places[0],
        things[1],
        places[1],
        things[2],
        things[0],
        things[3],
        places[2],
        things[4],
        places[1],
    )
}

#[test]
fn names_that_pass_can_be_read() {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let (mut read, mut refused, mut wrong) = (0, 0, Vec::new());
    for number in 0..times(1_000) {
        let mut word = || WORDS[random.random_range(0..WORDS.len())];
        // One name in a board is doubtful; with more, hardly any board would pass.
        let mut names: Vec<String> =
            ["Dora", "Emil", "Fred", "Gus", "attic", "barn", "cellar", "drawer", "bag", "doll", "egg", "tea"]
                .map(str::to_owned)
                .into();
        let doubtful = [word(), word(), word()];
        let also = [word(), word()];
        let [at, other, length] = [0; 3].map(|_: usize| random.random_range(0..12));
        names[other] = also.join(" ");
        names[at] = doubtful[..1 + length % 3].join(" ");
        let source = Source { name: "words.yaml".to_owned(), text: board(&names) };
        let Ok(board) = parse(source) else { continue };
        let Ok(family) = compile_family(&board, &[]) else {
            refused += 1;
            continue;
        };
        if !misread(&board).is_empty() {
            refused += 1;
            continue;
        }
        let Ok(admitted) = admit(&board, family.plans) else { continue };
        let mut maker = RowMaker::new(&admitted.family, 7, &[], RowOptions::WITH_EVENTS);
        let mut rows = String::new();
        (0..6).for_each(|index| assert!(maker.rows(index, &mut rows) > 0));
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let told = Row::new(&row).unwrap();
            let judge = Judge::new(&board, &told.parameters);
            let account = told.account(&board, judge.reader());
            match account.map(|account| judge.judge(&account, &told.cast).unwrap().violations) {
                Ok(violations) if violations.is_empty() => {}
                unread => wrong.push(format!("{number}: {unread:?} with {names:?}: {}", row["story"])),
            }
        }
        read += 1;
    }
    wrong.truncate(9);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 25 && refused > 25, "{read} boards were read, {refused} were refused");
}

#[test]
fn built_in_names_pass() {
    for known in BUILT_IN {
        let board = parse(known.source()).unwrap();
        assert_eq!(misread(&board), [], "{}", known.name);
    }
    for pool in built_in_pools() {
        let names: Vec<String> =
            built_in_pool(pool).unwrap().iter().map(|name| format!("{name:?}")).collect();
        let text = format!(
            "storysim: 1\nname: pool\ncharacters: {{pool: [{}]}}\nplaces: {{complete: [a, b]}}\nstart: a\nhorizon: 3\n\
             attitudes: [cake]\nquestions: []\n",
            names.join(", ")
        );
        let board = parse(Source { name: "pool.yaml".to_owned(), text }).unwrap();
        let wrong = compile_family(&board, &[]).err().unwrap_or_default();
        let wrong: Vec<_> = wrong.iter().filter(|problem| problem.message.contains("name")).collect();
        assert!(wrong.is_empty(), "{pool}: {wrong:?}");
    }
}

/// What can be seen of a storyboard that cannot be used otherwise is told too.
#[test]
fn names_are_judged_beside_other_mistakes() {
    let text = "storysim: 1\nname: both\ncharacters: {pool: [Ann and Bob, Cas]}\nplaces: {complete: [a, b]}\n\
                start: a\nhorizont: 3\nhorizon: 3\nquestions: []\n";
    let broken = parse(Source { name: "both.yaml".to_owned(), text: text.to_owned() }).unwrap_err();
    let messages: Vec<String> = problems(&broken).into_iter().map(|problem| problem.message).collect();
    assert!(messages.iter().any(|message| message.contains("`Ann and Bob`")), "{messages:?}");
}

/// The parts of a story, put together, are the story; what tells of an event has its step.
#[test]
fn stories_are_made_of_their_parts() {
    for (built_in, is_varied) in BUILT_IN.iter().flat_map(|built_in| [(built_in, false), (built_in, true)]) {
        let board = parse(built_in.source()).unwrap();
        let board = match is_varied {
            true if board.style == Style::Conversation => continue,
            true => board.reworded("varied"),
            false => board,
        };
        let plans = compile_family(&board, &[]).unwrap().plans;
        let lexicon = Lexicon::new(&plans[0], 7, str::to_owned);
        let mut simulator = Simulator::new(&plans[0], 7);
        // Shares and goals do not matter here, and fitting them takes minutes.
        for index in 0..5 {
            let (mut story, mut words) = (Story::default(), Words::default());
            simulator.draw(index, &mut story);
            let story = &story;
            lexicon.draw(story, &mut words);
            let is_of_things = board.questions.iter().any(|question| question.kind.key() == "world_things");
            for display in [Display::People, Display::Things].into_iter().take(1 + usize::from(is_of_things))
            {
                let mut text = String::new();
                lexicon.story(story, &words, display, &mut text);
                let parts = lexicon.parts(story, &words, display);
                let between = if text.contains('\n') { "\n" } else { " " };
                let joined: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
                assert_eq!(joined.join(between), text, "{}", built_in.name);
                let steps: Vec<usize> = parts.iter().filter_map(|part| part.step).collect();
                let told: std::collections::BTreeSet<usize> = steps.iter().copied().collect();
                assert!(steps.is_sorted() && told.len() == story.trace.events.len(), "{}", built_in.name);
            }
        }
    }
}
