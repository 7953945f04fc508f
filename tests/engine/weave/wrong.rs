//! What cannot be woven, and what is wrong with a woven story.

use storysim::prose::misread;

use super::*;

/// What a note says of a place that only another board has, would be read as an event.
#[test]
fn notes_that_read_like_events_of_other_boards_are_refused() {
    let noted = |note: &str| {
        let text =
            "storysim: 1\nname: t\nweave: [one.yaml, {board: other.yaml, rename: {S1: A, T: U, steps: n}}]\n";
        let other =
            WALKS.replace("p1", "pier").replace("q1", "quay").replace("r1", "road").replace("s1", "stage");
        let one = format!("{WALKS}events: [{{at: 3, note: \"{note}\"}}]\n");
        let file =
            |name: &str, text: String| NamedFile { name: name.into(), path: name.into(), text: Ok(text) };
        let files = vec![file("one.yaml", one.clone()), file("other.yaml", other)];
        let alone = misread(&parse(Source { name: "one.yaml".into(), text: one }).unwrap());
        (alone.len(), misread(&parse_beside(source(text), files).unwrap()))
    };
    let (alone, found) = noted("It rains. {S1} enters quay.");
    assert_eq!(alone, 0, "in this board, there is no quay");
    let [problem] = found.as_slice() else { panic!("{found:?}") };
    assert!(problem.message.starts_with("the note \"It rains. "), "{}", problem.message);
    assert!(
        problem.message.ends_with("of this board says that something happens, but a note changes nothing")
    );
    assert_eq!(noted("It rains on quay, says {S1}."), (0, Vec::new()));
}

/// Why what is woven is refused, beside these files.
fn why(weave: &str, files: Vec<NamedFile>) -> String {
    let text = format!("storysim: 1\nname: t\n{weave}\n");
    let found = match parse_beside(source(&text), files) {
        Err(broken) => broken.problems,
        Ok(board) => match compile_family(&board, &[]) {
            Err(problems) => problems,
            Ok(found) => vec![admit(&board, found.plans).expect_err("it is refused")],
        },
    };
    found
        .iter()
        .map(|problem| format!("{} ({})", problem.message, problem.labels[0].1))
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn stories_that_cannot_be_woven_are_refused_with_the_reason() {
    for (weave, expected) in [
        ("weave: [first-order-mislead]", "it takes two boards to weave (1 here)"),
        ("weave: []", "it takes two boards to weave (0 here)"),
        ("weave: 5", "`weave` has to be a list (a single value here)"),
        ("weave: [nobody, first-order-mislead]", "there is no storyboard `nobody`"),
        (
            "weave: [gallery, {board: gallery, rename: {S1: A, S2: B, sculpture: mosaic}}]",
            "`painting` stands for two things",
        ),
        (
            "weave: [sally-anne, {board: sally-anne, rename: {S1: A, S2: B, basket: hamper, box: chest}}]",
            "`drawer` and `marble` each stand for two things",
        ),
        (
            "maps: shared\nweave: [rumour, {board: rumour, rename: {S1: A, S2: B, S3: C, S4: D, full: empty}}]",
            "boards share a map only if people just go from place to place in all of them (they do more in this one)",
        ),
        (
            "weave: [hitom-like, rumour]",
            "a story has one rule of `trust`, and these boards have two (`trust: unless_known_better`)",
        ),
        (
            "weave: [white-lies, first-order-mislead]",
            "`white-lies` cannot be woven (its stories are conversations",
        ),
        (
            "weave: [dynamic-minds, first-order-mislead]",
            "`dynamic-minds` cannot be woven (its stories are about news",
        ),
        ("weave: [first-order-mislead, second-order-mislead-ship]", "`S1` and `T` each stand for two things"),
        (
            "maps: apart\nweave: [first-order-mislead, {board: first-order-mislead, rename: {S1: A, T: B}}]",
            "a place called `room_1`",
        ),
        (
            "maps: shared\nweave: [first-order-mislead, {board: first-order-mislead-ship, rename: {S1: A, T: B}}]",
            "cannot share a map with the first (it has no `",
        ),
        ("maps: shard\nweave: [first-order-mislead, free-play]", "not a way to treat maps"),
        ("horizon: 5\nweave: [first-order-mislead, free-play]", "has no `horizon` of its own"),
        ("maps: apart", "`maps` says nothing without `weave`"),
        (
            "weave: [{board: first-order-mislead, set: {distance: 5}}, free-play]",
            "no parameter or drawn number called `distance`",
        ),
        (
            "weave: [{board: first-order-mislead, rename: {S7: A}}, free-play]",
            "no role, thing, bind, group or drawn number called `S7`",
        ),
        (
            "characters: {pool: people, count: 3}\nweave: [first-order-mislead, free-play]",
            "how many people there are",
        ),
    ] {
        let found = why(weave, Vec::new());
        assert!(found.contains(expected), "{weave}: {found}");
    }
    let renamed = "weave: [{board: first-order-mislead, set: {mislead_distance: X}}, {board: second-order-mislead-ship, \
                   rename: {S1: A, S2: B, T: U}}]";
    for (value, expected) in
        [("-1", "`first-order-mislead`: "), ("9223372036854775807 + 1", "too large"), ("missing", "missing")]
    {
        let found = why(&renamed.replace('X', value), Vec::new());
        assert!(found.contains(expected), "{value}: {found}");
    }
    let found = why(&format!("characters: {{pool: [Ann, Bob]}}\n{}", renamed.replace('X', "5")), Vec::new());
    assert!(found.contains("the pool has 2 names, so a story has 1 to 2 characters (this is 16)"), "{found}");
}

/// A name that is taken already is shown where `rename` gives it.
#[test]
fn a_name_that_is_taken_is_shown_where_it_is_given() {
    let shown = |rename: &str| {
        let text = format!(
            "storysim: 1\nname: t\nweave: [first-order-mislead, {{board: sally-anne, rename: {{S1: A, S2: B{rename}}}}}]\n"
        );
        let problems = compile_family(&board(&text), &[]).expect_err("it is refused");
        let [problem] = problems.as_slice() else { panic!("{problems:?}") };
        (problem.message.clone(), text[problem.labels[0].0.range()].to_owned())
    };
    let taken = |name: &str| format!("`{name}` is already the name of a place");
    assert_eq!(shown(", marble: room_1"), (taken("room_1"), "room_1".to_owned()));
    assert_eq!(shown(", box: the_hallway"), (taken("the_hallway"), "the_hallway".to_owned()));
    let twice = "storysim: 1\nname: t\nweave: [first-order-mislead, {board: sally-anne, rename: {S1: Ann, S2: Ann}}]\n";
    let problems = parse(source(twice)).expect_err("it is refused").problems;
    let [problem] = problems.as_slice() else { panic!("{problems:?}") };
    let [other, first] =
        [twice.rfind("Ann").unwrap(), twice.find("Ann").unwrap()].map(|at| Span::new(at, at + 3));
    assert_eq!(problem.labels, [(other, "and here".to_owned()), (first, "here".to_owned())]);
}

#[test]
fn files_that_cannot_be_woven_are_refused_with_the_reason() {
    let file =
        |text: &str| vec![NamedFile { name: "x.yaml".into(), path: "x.yaml".into(), text: Ok(text.into()) }];
    let found = why("weave: [x.yaml, first-order-mislead]", file("storysim: 1\nname: x\n"));
    assert!(found.contains("`x.yaml`: a storyboard needs `characters`"), "{found}");
    let itself = "storysim: 1\nname: t\nweave: [x.yaml, first-order-mislead]\n";
    let found = why("weave: [x.yaml, first-order-mislead]", file(itself));
    assert!(found.contains("`x.yaml` cannot be woven (it weaves others itself)"), "{found}");
    // Names that only differ until they are shown, in one board each.
    let alike = why(
        "weave: [x.yaml, {board: first-order-mislead, rename: {S1: A, T: B}}]",
        file(&SMALL.replace("c1", "room 1")),
    );
    assert!(alike.contains("are both shown as \"room 1\""), "{alike}");
    let unmet = SMALL
        .replace("start: drawn", "start: c1\nensure: [{false_belief: [S1, T]}]")
        .replace("[3, 6]", "[1, 1]");
    let found = why("weave: [x.yaml, {board: first-order-mislead, rename: {S1: A, T: B}}]", file(&unmet));
    assert!(found.contains("`x.yaml`: "), "{found}");
}

#[test]
fn check_finds_what_is_wrong_in_the_story_of_any_board() {
    let board = board(SHARED);
    let family = family(&board);
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    selector.draw(0, &mut story);
    let plan = selector.plan();
    let claim = Claim::of(plan, &story);
    assert!(violations(&board, &claim).is_empty());
    let wrong = |change: &dyn Fn(&mut Claim<'_>)| {
        let mut claim = Claim::of(plan, &story);
        change(&mut claim);
        let found = violations(&board, &claim);
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    assert!(wrong(&|claim| claim.events.truncate(200)).contains("in `"));
    assert!(wrong(&|claim| claim.events.swap(0, 290)).contains("in `"));
    let of_first = claim.roles["T"];
    let found = wrong(&|claim| claim.events.retain(|(who, _, _)| *who != of_first));
    assert!(found.contains("in `first-order-mislead`"), "{found}");
    // A violation tells the step of the woven story.
    let mut stray = Claim::of(plan, &story);
    stray.events[200].2 = "nowhere";
    assert_eq!(violations(&board, &stray)[0].step(), Some(200));
    let player = claim.roles["U"];
    let meets = claim.events.iter().position(|(who, _, _)| *who == player).unwrap();
    let found = wrong(&|claim| {
        claim.events.remove(meets);
    });
    assert!(found.contains("in `third-order-mislead`"), "{found}");
    assert!(wrong(&|claim| claim.start.push(("Zoltan", "the_hallway"))).contains("none of the boards"));
    assert!(wrong(&|claim| claim.start[15].0 = "Nobody").contains("not in the story"));
    assert!(wrong(&|claim| claim.events[7].0 = "Nobody").contains("Nobody"));
    let more = ("Nobody", "the_hallway", "room_1");
    assert!(
        wrong(&|claim| claim.events.push(more)).contains("Nobody acts in step 300, but is not in the story")
    );
    assert!(
        wrong(&|claim| {
            claim.roles.remove("K");
        })
        .contains("second-order-mislead")
    );
    assert!(
        wrong(&|claim| {
            let other = claim.roles["A"];
            claim.roles.insert("S1", other);
        })
        .contains("plays two roles")
    );
}
