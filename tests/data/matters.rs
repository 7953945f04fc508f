//! Rows of stories with matters beside other rows, and folders of boards whose words come from packs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use storysim::dataset::Fields;
use storysim::files::{Manifest, PackText, files_at, rows_of};
use storysim::pack;

use crate::program::{PROGRAM, stderr, stdout};
use crate::tree::files;

const BOARD: &str = "\
storysim: 1
name: own-words
characters: {pool: people, count: 3}
roles: [L, O, T]
places: {table: [away], away: [table]}
start: table
style: conversation
matters: {supper: {by: L, to: T, class: mistake}}
packs: [./mine.yaml]
horizon: 4
events:
  - {at: 0, move: {who: T, to: away}}
  - {at: 1, reveal: {who: L, that: supper.reason}, with: O, without: T}
  - {at: 2, move: {who: T, to: table}}
  - {at: 3, tell: {who: L, to: present, that: {supper.claim: true}}, with: T}
questions: [{honest: supper}, {knows: [O, supper.reason]}]
";

fn storysim(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = storysim(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

fn refused(folder: &Path, arguments: &[&str], code: i32, why: &str) {
    let output = storysim(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    assert!(stderr(&output).contains(why), "{}", stderr(&output));
}

/// A pack of one's own, which differs from a built-in one in a word.
fn own_pack() -> String {
    let dinner = &pack::built_in("dinner").unwrap().source.text;
    let own = dinner.replacen("name: dinner", "name: mine", 1).replacen("the soup", "the stew", 1);
    assert!(own.contains("name: mine") && own.contains("the stew"));
    own
}

/// The fields of all rows at a path, by their ids.
fn fields_at(path: &Path) -> BTreeMap<String, Fields> {
    let rows = rows_of(files_at(path).unwrap()).map(|(_, _, row)| Fields::of(&row.unwrap()).unwrap());
    rows.map(|row| (row.id.clone(), row)).collect()
}

#[test]
fn rows_with_matters_stand_beside_others() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let boards = ["generate", "white-lies", "sally-anne", "--count", "20", "--seed", "5", "--quiet"];
    let formats = if cfg!(feature = "parquet") { &["jsonl", "parquet"][..] } else { &["jsonl"] };
    let mut found = Vec::new();
    for format in formats {
        for shape in ["questions", "stories"] {
            let out = format!("{format}-{shape}");
            done(here, &[&boards[..], &["--format", format, "--shape", shape, "--out", &out]].concat());
            done(here, &["verify", "--deep", &out]);
            let card = std::fs::read_to_string(here.join(&out).join("README.md")).unwrap();
            assert!(
                ["matters", "matter", "roles"].iter().all(|name| card.contains(&format!("| `{name}` |")))
            );
            found.push(fields_at(&here.join(&out)));
        }
    }
    for other in &found {
        assert_eq!(*other, found[0]);
    }
    let mut levels = BTreeMap::new();
    for row in found[0].values() {
        let is_of_matters = row.board == "white-lies";
        assert_eq!(
            (row.matters.len(), row.matter.as_deref()),
            if is_of_matters { (1, Some("m")) } else { (0, None) }
        );
        assert_eq!(row.roles.len(), if is_of_matters { 4 } else { 0 }, "{row:?}");
        if !is_of_matters {
            continue;
        }
        let matter = &row.matters["m"];
        let role = |name: &str| row.roles[row.cast[name].as_str().unwrap()].as_str();
        let observer = if matter.level == 3 { "outsider" } else { "observer" };
        assert_eq!(["L", "A", "O", "T"].map(role), ["liar", "accomplice", observer, "target"]);
        assert_eq!(
            (&matter.by[..], &matter.to),
            (&[row.cast["L"].as_str().unwrap().to_owned()][..], &row.cast["T"].as_str().unwrap().to_owned())
        );
        match row.kind.as_str() {
            "honest" => assert_eq!(row.answer == "no", matter.lie, "{row:?}"),
            "why" => assert_eq!(row.answer, matter.why),
            _ => {}
        }
        *levels.entry((matter.level, matter.lie)).or_insert(0) += 1;
    }
    assert!(levels.len() >= 4, "{levels:?}");
    done(here, &["generate", "sally-anne", "--count", "2", "--out", "plain", "--quiet"]);
    let card = std::fs::read_to_string(here.join("plain/README.md")).unwrap();
    assert!(!card.contains("`matters`") && !card.contains("packs"), "{card}");
    let manifest = std::fs::read_to_string(here.join("plain/manifest.json")).unwrap();
    assert!(!manifest.contains("packs"), "{manifest}");
}

#[test]
fn a_folder_can_be_made_again_with_its_packs() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let write = |folder: &Path, board: &str, pack: &str| {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("own-words.yaml"), board).unwrap();
        std::fs::write(folder.join("mine.yaml"), pack).unwrap();
    };
    let first = here.join("first");
    write(&first, BOARD, &own_pack());
    let generate = ["generate", "own-words.yaml", "--count", "30", "--quiet", "--out", "set"];
    done(&first, &generate);
    let set = first.join("set");
    assert!(fields_at(&set).values().all(|row| row.matters["supper"].pack == "mine"));
    let board = &Manifest::at(&set).unwrap().boards[0];
    let [mine, everyday] = &board.packs[..] else { panic!("{:?}", board.packs) };
    assert_eq!((mine.name.as_str(), mine.text.as_deref()), ("./mine.yaml", Some(own_pack().as_str())));
    assert_eq!(mine.blake3, blake3::hash(own_pack().as_bytes()).to_hex().as_str());
    assert_eq!((everyday.name.as_str(), &everyday.text), ("everyday", &None));
    assert_eq!(everyday.blake3, pack::built_in("everyday").unwrap().hash());
    assert!(std::fs::read_to_string(set.join("README.md")).unwrap().contains("under `packs`"));

    // From the manifest alone.
    let second = here.join("second");
    write(&second, &board.text, mine.text.as_ref().unwrap());
    done(&second, &generate);
    assert_eq!(files(&second.join("set")), files(&set));
    std::fs::remove_file(first.join("mine.yaml")).unwrap();
    done(&first, &["verify", "--deep", "set"]);

    // Of other words, it is not the same folder.
    write(&first, BOARD, &own_pack().replacen("the stew", "the broth", 1));
    refused(&first, &generate, 2, "the packs of storyboard own-words are different");
}

#[test]
fn forged_packs_are_found() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    std::fs::write(here.join("own-words.yaml"), BOARD).unwrap();
    std::fs::write(here.join("mine.yaml"), own_pack()).unwrap();
    done(here, &["generate", "own-words.yaml", "--count", "40", "--quiet", "--out", "set"]);
    let true_one = Manifest::at(&here.join("set")).unwrap();
    let forge = |change: &dyn Fn(&mut [PackText])| {
        let mut forged = true_one.clone();
        change(&mut forged.boards[0].packs);
        std::fs::write(here.join("set/manifest.json"), forged.to_json()).unwrap();
        std::fs::write(here.join("set/README.md"), forged.card()).unwrap();
    };
    let other = own_pack().replacen("the stew", "the broth", 1);
    forge(&|packs| packs[0].text = Some(other.clone()));
    refused(here, &["verify", "set"], 1, "its pack \"./mine.yaml\" has another hash");
    forge(&|packs| {
        packs[0].text = Some(other.clone());
        packs[0].blake3 = blake3::hash(other.as_bytes()).to_hex().to_string();
    });
    refused(here, &["verify", "--deep", "set"], 1, "differs from the one that storysim generates now");
    forge(&|packs| packs[0].text = None);
    refused(here, &["verify", "--deep", "set"], 1, "does not compile");
    forge(&|packs| packs[1].blake3 = "0".repeat(64));
    refused(here, &["verify", "--deep", "set"], 1, "another pack everyday");
}
