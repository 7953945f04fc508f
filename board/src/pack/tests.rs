//! What is read is what was written, and what is refused points to it.

use super::*;

fn read(text: &str) -> Result<Pack, Vec<Diagnostic>> {
    parse(Source { name: "test.yaml".into(), text: text.into() })
}

/// The text of a built-in pack, in which the first place of something is replaced.
fn edited(from: &str, to: &str) -> String {
    let dinner = BUILT_IN.iter().find(|pack| pack.name == "dinner").unwrap().text;
    assert!(dinner.contains(from), "{from}");
    dinner.replacen(from, to, 1)
}

/// What the places of a problem cover.
fn covered<'a>(problem: &Diagnostic, text: &'a str) -> Vec<&'a str> {
    problem.labels.iter().map(|(span, _)| &text[span.range()]).collect()
}

#[test]
fn built_in_packs_can_be_read() {
    for built_in in BUILT_IN {
        let pack =
            parse(built_in.source()).unwrap_or_else(|problems| panic!("{}: {problems:?}", built_in.name));
        assert_eq!(pack.name.value, built_in.name);
        assert!(pack.about.is_some(), "{}", built_in.name);
        assert!(is_pack(&built_in.source()), "{}", built_in.name);
    }
    for class in Class::ALL {
        let of_class = |pack: &&BuiltIn| {
            built_in(pack.name).unwrap().white_lie().is_some_and(|words| words.class == class)
        };
        assert!(BUILT_IN.iter().filter(of_class).count() >= 2, "{}", class.key());
    }
}

/// Every text is displayed as it was written, where its span says.
#[test]
fn texts_are_what_was_written() {
    let mut texts = 0;
    for pack in BUILT_IN.iter().filter_map(|pack| built_in(pack.name)) {
        let of_pack: Vec<&Text> = match &pack.words {
            Words::WhiteLie(words) => {
                let reasons = words.reasons.pretend.iter().chain(&words.reasons.plain);
                let pairs = words.reason.iter().flat_map(|pair| [&pair.pretend, &pair.plain]);
                let truths = words.truth.iter().flat_map(|pair| [&pair.no, &pair.yes]);
                let matters = words.matters.iter().flat_map(Matter::texts);
                let reasons = reasons.flat_map(|reason| [&reason.told, &reason.why]);
                matters.chain(reasons).chain(pairs).chain(truths).chain(&words.claim).collect()
            }
            Words::Acts(acts) => acts.texts().collect(),
            Words::Prospects(words) => words.iter().flat_map(ProspectWords::texts).collect(),
            Words::Settings(words) => {
                words.iter().flat_map(|setting| setting.places.iter().chain([&setting.scene])).collect()
            }
            Words::SmallTalk(words) => words.replies.iter().chain(&words.remarks).collect(),
            Words::Profiles(words) => words.texts().collect(),
            Words::Rules(words) => {
                let intentions = words.intentions.iter().flat_map(|known| [&known.wants, &known.act]);
                words.feelings.iter().map(|(_, text)| text).chain(intentions).collect()
            }
            // Sentences have holes of their own.
            Words::Wording(_) | Words::Setting(_) => continue,
        };
        for text in of_pack {
            let written = pack.source.text[text.span.range()].trim_matches('"');
            assert_eq!(text.to_string(), written, "{}", pack.name.value);
            assert!(text.pieces.windows(2).all(|pair| !matches!(pair, [Piece::Words(_), Piece::Words(_)])));
            texts += 1;
        }
    }
    assert!(texts > 500, "{texts}");
}

#[test]
fn places_are_exact_whatever_stands_before() {
    for before in ["", "\u{feff}", "# é\n"] {
        let text =
            before.to_owned() + &edited("{L}, how did you like {thing}?", "Ölig, {L}, wie war {thnig}?");
        let problems = read(&text).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(covered(&problems[0], &text), ["{thnig}"]);
    }
}

/// Where a text is written with escapes or over several lines, the whole of it is pointed to.
#[test]
fn places_of_texts_that_are_not_written_letter_by_letter() {
    for written in [
        "\"{L}\\u002c how was {thnig}?\"",
        "\"{L}, how\n      was {thnig}?\"",
        ">-\n    {L}, how\n    was {thnig}?",
    ] {
        let text = edited("\"{L}, how did you like {thing}?\"", written);
        let problems = read(&text).unwrap_err();
        assert_eq!(problems[0].message, "no slot is called `{thnig}`", "{problems:?}");
        let [covered] = &covered(&problems[0], &text)[..] else { panic!("one place") };
        assert!(written.contains(covered.trim()) && !covered.is_empty(), "{covered}");
    }
}

#[test]
fn lengths_are_those_of_the_worst_matter() {
    // `{denies}` is 7 characters longer than `{says}` here, and the frames are 7 shorter.
    let like = |dinner: String| {
        dinner.replacen(
            "{no: \"As for {thing}, {L} did not enjoy it one bit.\", yes: \"As for {thing}, {L} did enjoy it quite a bit.\"}",
            "{no: \"As is known, {denies}.\", yes: \"As is well known, {says} ok.\"}",
            1,
        )
    };
    assert!(read(&like(edited("name:", "name:"))).is_ok());
    let text = like(edited(
        "denies: \"{L} did not like the punch\"",
        "denies: \"{L} did not really like the punch\"",
    ));
    let messages: Vec<String> = read(&text).unwrap_err().into_iter().map(|problem| problem.message).collect();
    let [sum, pair] = &messages[..] else { panic!("{messages:?}") };
    assert!(sum.ends_with("longer than those for `yes` with the words of `punch`"), "{sum}");
    assert!(pair.ends_with("with the words of `punch`"), "{pair}");
}

#[test]
fn words_are_compared_whole_and_in_small_letters() {
    for (why, is_shared) in
        [("GOOSE tears", true), ("geese tears", false), ("goose-like", true), ("mongoose", false)]
    {
        let text = edited("preserving cheerful mood", why);
        let is_refused =
            read(&text).unwrap_err().iter().any(|problem| problem.message.starts_with("this `why` shares"));
        assert_eq!(is_refused, is_shared, "{why}");
    }
}

#[test]
fn what_is_no_map_is_no_pack() {
    for text in ["", "storysim_pack", "- storysim_pack: 1\n", "~"] {
        let problems = read(text).unwrap_err();
        assert!(
            problems[0].message.contains("map") || problems[0].message.contains("YAML"),
            "{text}: {problems:?}"
        );
    }
    assert_eq!(read("a: 1\n").unwrap_err()[0].message, "a pack needs `kind`");
}

#[test]
fn a_pack_may_have_acts_of_its_own() {
    let come: String = (0..16).map(|at| format!("\"Here comes number {at}.\", ")).collect();
    let pack = read(&edited("hint:\n", &format!("acts: {{come: [{come}]}}\nhint:\n"))).unwrap();
    let acts = &pack.white_lie().unwrap().acts;
    assert_eq!(Turn::ALL.map(|turn| acts.of(turn).len()), [16, 0, 0, 0, 0, 0]);
    assert_eq!(acts.of(Turn::Come)[3].to_string(), "Here comes number 3.");
}

#[test]
fn too_long_is_too_long() {
    let long = |bytes: usize| format!("storysim_pack: 1\n#{}", "x".repeat(bytes));
    assert!(read(&long(SOURCE_BYTES_MAX)).unwrap_err()[0].message.starts_with("a pack has at most"));
    assert!(read(&long(100)).unwrap_err()[0].message.starts_with("a pack needs"));
}

/// The text of a built-in pack of prospects, in which the first place of something is replaced.
fn of_prospects(from: &str, to: &str) -> Result<Pack, Vec<Diagnostic>> {
    let prospects = BUILT_IN.iter().find(|pack| pack.name == "prospects").unwrap().text;
    assert!(prospects.contains(from), "{from}");
    read(&prospects.replacen(from, to, 1))
}

#[test]
fn clauses_end_in_no_mark() {
    let parts = [
        ("becomes of the old swimming pool\"", "`about`"),
        ("swimming pool to stay open\"", "`goal`"),
        ("pool stays open\"", "a text of `settled`"),
        ("rules for pools\"", "a text of `nobody`"),
    ];
    for (end, phrase) in parts {
        for mark in [".", "!", "?", ",", ";", ":", "…", " —", ")"] {
            let problems = of_prospects(end, &end.replace('"', &format!("{mark}\""))).unwrap_err();
            assert_eq!(problems[0].message, format!("{phrase} is a clause"), "{mark}");
        }
        for kept in ["", " by 5 %", " of the Smiths’"] {
            assert!(of_prospects(end, &end.replace('"', &format!("{kept}\""))).is_ok(), "{end}{kept}");
        }
    }
}

/// Some readers of YAML write `false` and `true` for `no` and `yes`.
#[test]
fn no_and_yes_may_be_false_and_true() {
    let prospects = BUILT_IN.iter().find(|pack| pack.name == "prospects").unwrap();
    let text =
        prospects.text.replace("      no: [", "      false: [").replace("      yes: [", "      true: [");
    let words = |pack: &Pack| pack.prospects().unwrap()[3].texts().map(Text::to_string).collect::<Vec<_>>();
    assert_eq!(words(&read(&text).unwrap()), words(built_in("prospects").unwrap()));
    let problems = of_prospects("      no: [", "      false: [").unwrap_err();
    assert!(problems.iter().any(|problem| problem.message == "`final` has no key `yes`"), "{problems:?}");
    let occ = BUILT_IN.iter().find(|pack| pack.name == "occ").unwrap();
    let text = occ.text.replace("final: no", "final: false").replace("final: yes", "final: true");
    assert_ne!(text, occ.text);
    let [plain, other] = [occ.text, &text].map(|text| read(text).unwrap().rules().unwrap().clone());
    let conditions = |rules: &RuleWords| rules.wants.iter().map(|line| line.when.clone()).collect::<Vec<_>>();
    assert_eq!(conditions(&plain), conditions(&other));
}

fn of_small_talk(from: &str, to: &str) -> Vec<String> {
    let text = BUILT_IN.iter().find(|pack| pack.name == "small-talk").unwrap().text;
    assert!(text.contains(from), "{from}");
    let problems = read(&text.replacen(from, to, 1)).err().unwrap_or_default();
    problems.into_iter().map(|problem| format!("{}: {}", problem.message, problem.labels[0].1)).collect()
}

#[test]
fn small_talk_is_one_sentence_and_names_no_feeling() {
    let of_remarks = |wrong: &str| vec![format!("a text of `remarks` is one sentence: {wrong}")];
    for (text, wrong) in [
        ("These new shoes pinch", "it does not end like a sentence"),
        ("These new shoes pinch…", "it does not end like a sentence"),
        ("These new shoes pinch!!", "it has several marks at its end"),
        ("These are new. They pinch.", "it has several sentences"),
        ("These new “shoes” pinch.", "it has quotation marks"),
    ] {
        assert_eq!(of_small_talk("These new shoes pinch.", text), of_remarks(wrong), "{text}");
    }
    assert_eq!(
        of_small_talk("It [is|was] a busy morning.", "It [is|was] a busy morning!"),
        ["a text of `openings` is one sentence: it has no full stop at its end"]
    );
    let of_openings = |text: &str| of_small_talk("It [is|was] a busy morning.", text);
    let in_tenses = "an opening is in the present, or in the present and in the past";
    for (text, wrong) in [
        ("It is a busy morning.", "it has one tense, and others have two"),
        ("It [is|was|will be] a busy morning.", "its brackets do not match"),
        ("It [is|was a busy morning.", "its brackets do not match"),
    ] {
        assert_eq!(of_openings(text), [format!("{in_tenses}: {wrong}")], "{text}");
    }
    assert_eq!(
        of_openings("It [has been|was] grey and windy."),
        ["two openings read the same in the past: the second"]
    );
    assert_eq!(
        of_openings("It [is|had been] grey and windy."),
        ["two openings read the same in the present: the second"]
    );
    assert_eq!(
        of_openings("It [is|was] a [busy|glad] morning."),
        ["`glad` is a word of feelings: not in a story"]
    );
    assert_eq!(
        of_small_talk("These new shoes pinch.", "I am glad of these shoes."),
        ["`glad` is a word of feelings: not in a story"]
    );
    assert_eq!(
        of_small_talk("These new shoes pinch.", "Noted."),
        ["this text stands in two lists: the second"]
    );
    assert_eq!(of_small_talk("These new shoes pinch.", "I met Dr.Jones, who is 1.90 metres tall."), [""; 0]);
}

/// What people feel by other rules than the built-in ones is found where a story may tell it.
#[test]
fn feelings_of_other_rules_are_found() {
    let occ = BUILT_IN.iter().find(|pack| pack.name == "occ").unwrap().text;
    let rules = |word: &str| read(&occ.replace("calm: calm", &format!("calm: \"{word}\""))).unwrap();
    let found = |word: &str, pack: &str| {
        let rules = rules(word);
        let found = built_in(pack).unwrap().names_feeling(rules.rules().unwrap());
        found.map(|(text, feeling)| (text.to_string(), feeling))
    };
    let pool = "what becomes of the old swimming pool";
    assert_eq!(found("swim", "prospects").map(|(_, feeling)| feeling), Some("swim".into()));
    assert_eq!(found("of the old swim", "prospects").map(|(text, _)| text), Some(pool.into()));
    assert_eq!(found("swim of the old", "prospects"), None);
    assert_eq!(found("wimming", "prospects"), None);
    assert_eq!(found("calm", "prospects"), None);
    assert_eq!(found("penguin", "small-talk").map(|(text, _)| text), Some("I dreamt about penguins.".into()));
}

#[test]
fn no_list_that_is_counted_is_empty() {
    for pack in BUILT_IN.iter().filter_map(|pack| built_in(pack.name)) {
        let counts = pack.counts();
        assert!(!counts.is_empty() && counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
    }
}
