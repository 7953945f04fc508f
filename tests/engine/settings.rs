//! Storyboards in settings: the same conditions, with other people and places.

use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::pack;
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, SETTINGS, Storyboard, board_in_setting, in_setting, parse};

use crate::effort::takes;

fn source(name: &str) -> Source {
    BUILT_IN.iter().find(|board| board.name == name).unwrap().source()
}

fn setting(name: &str) -> Source {
    let (_, text) = SETTINGS.iter().find(|(known, _)| *known == name).unwrap();
    Source { name: name.to_owned(), text: (*text).to_owned() }
}

fn rows(board: &Storyboard, stories: u64) -> String {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    let family: Family = admit(board, plans).unwrap_or_else(|problems| panic!("{problems:?}")).family;
    let mut maker = RowMaker::new(&family, 5, &[], RowOptions::default());
    let mut rows = String::new();
    (0..stories).for_each(|index| {
        maker.rows(index, &mut rows);
    });
    rows
}

/// These boards once had files of their own; their rows are what they were.
#[test]
fn boards_in_settings_have_the_rows_that_they_had() {
    let sums = ["museum", "station", "calls", "holes", "complete"].map(|setting| {
        let board = parse(source(&format!("first-order-mislead-{setting}"))).unwrap();
        blake3::hash(rows(&board, 200).as_bytes()).to_hex()[..16].to_owned()
    });
    assert_eq!(
        sums,
        ["e2eda59efe26e77b", "01e704a56c205d6b", "15d3f6acb508e64c", "43762edcecd9a76b", "a59f6de191aa53d9"]
    );
}

/// Every storyboard that names no place can be told in every setting; whoever names one is told so.
#[test]
fn boards_without_places_of_their_own_fit_every_setting() {
    let (mut fit, mut refused) = (0, Vec::new());
    for board in BUILT_IN.iter().filter(|board| board_in_setting(board.name).is_none()) {
        for (name, _) in SETTINGS {
            match in_setting(&board.source(), &setting(name)) {
                Ok(source) => {
                    let placed = parse(source).unwrap_or_else(|broken| panic!("{:?}", broken.problems));
                    assert_eq!(placed.name.value, format!("{}-{name}", board.name));
                    let own = parse(board.source()).unwrap();
                    assert_eq!(placed.events.len(), own.events.len());
                    let words = pack::built_in(name).unwrap().setting().unwrap();
                    let places = |names: Vec<&storysim::storyboard::Name>| -> Vec<String> {
                        names.iter().map(|name| name.value.clone()).collect()
                    };
                    assert_eq!(places(placed.place_names()), places(words.places.names()));
                    if board.name.ends_with("order-mislead") {
                        fit += 1;
                        if !takes(fit, 5) {
                            continue; // compiling all of them takes long
                        }
                        assert!(rows(&placed, 20).lines().count() >= 20, "{} {name}", board.name);
                        // Its names do not get into the way of other words, either.
                        let varied = rows(&placed.reworded("varied"), 5);
                        assert!(varied.contains(r#""wording":"varied""#), "{} {name}", board.name);
                    }
                }
                Err(problem) => {
                    assert!(problem.message.contains("names a place of its own"), "{problem:?}");
                    refused.push(board.name);
                }
            }
        }
    }
    refused.dedup();
    assert_eq!(fit, 4 * SETTINGS.len());
    assert!(refused.contains(&"sally-anne") && !refused.contains(&"second-order-mislead"), "{refused:?}");
}

#[test]
fn as_many_people_take_part_as_in_the_storyboard() {
    let names = |board: &str| in_setting(&source(board), &setting("ship")).unwrap().text;
    let line =
        |board: &str| names(board).lines().find(|line| line.starts_with("characters")).unwrap().to_owned();
    // Eight of the setting's twelve names.
    assert!(
        line("first-order-mislead").contains("\"Asta\"")
            && line("first-order-mislead").ends_with("count: 8}")
    );
    // More than there are names in the setting: the storyboard's own.
    assert!(line("false-belief-goal").starts_with("characters: {pool: people, count: 24}"));
}

#[test]
fn what_cannot_be_set_elsewhere_is_said() {
    let board = |text: &str| Source { name: "x.yaml".into(), text: text.into() };
    for (text, wanted) in [
        ("{storysim: 1, name: x}", "to be told in another way, a storyboard needs a key on each line"),
        ("storysim: 1\nabout: y\n", "this has no name"),
        ("name: [x\n", "this is not YAML"),
        ("", "to be told in another way, a storyboard needs a key on each line"),
        ("- a\n", "to be told in another way, a storyboard needs a key on each line"),
        (
            "name: x\nplaces: {a: [b], b: [a]}\nevents:\n  - {at: 1, move: {to: a}}\n",
            "`x` names a place of its own, so it cannot be told in a setting",
        ),
    ] {
        let problem = in_setting(&board(text), &setting("ship")).unwrap_err();
        assert_eq!(problem.message, wanted, "{text}");
    }
    // Comments, marks of editors and ends of lines are no obstacle.
    let text = "\u{feff}# x\r\nname: x\r\n# people\r\nplaces: {a: [b], b: [a]}\r\n\r\nhorizon: 3\r\n";
    let placed = in_setting(&board(text), &setting("complete")).unwrap().text;
    assert!(placed.contains("name: x-complete\nplaces:\n  complete: ["), "{placed}");
    assert!(placed.contains("\nhorizon: 3"), "{placed}");
}
