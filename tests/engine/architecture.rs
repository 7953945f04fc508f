//! House rules, kept by a test: the import table of ARCHITECTURE.md is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use storysim::storyboard::{BUILT_IN, board_in_setting};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of the crates, from left to right.
const CRATES: [&str; 4] = ["board/src", "engine/src", "eval/src", "src"];

/// The modules of each crate, in the order of its table.
fn tables() -> [Vec<String>; 4] {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut tables = text.split("\n| module").skip(1).map(|table| {
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
    });
    std::array::from_fn(|_| tables.next().unwrap())
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

/// The modules that a source names after `crate::`, alone or in braces.
fn imports(source: &str) -> BTreeSet<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.to_owned() + "\n")
        .collect();
    let mut imports = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let name =
            |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match rest.strip_prefix('{') {
            None => {
                imports.insert(name(rest));
            }
            Some(group) => {
                let mut depth = 0;
                let mut starts = true;
                for (at, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => starts = true,
                        c if starts && c.is_alphanumeric() => {
                            imports.insert(name(&group[at..]));
                            starts = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    imports
}

#[test]
fn modules_import_only_from_their_left() {
    let tables = tables();
    for (folder, table) in CRATES.iter().zip(&tables) {
        let library = fs::read_to_string(root().join(folder).join("lib.rs")).unwrap();
        let declared: BTreeSet<&str> =
            library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
        let listed = table.iter().map(String::as_str).collect();
        assert_eq!(declared, listed, "ARCHITECTURE.md lists the modules of {folder}");
    }
    let engine = tables[0].len();
    let table = tables.concat();
    let mut checked = 0;
    for (place, module) in table.iter().enumerate() {
        let folder = root().join(CRATES[usize::from(place >= engine)]);
        let mut files = vec![folder.join(format!("{module}.rs"))];
        sources(&folder.join(module), &mut files);
        for file in files.iter().filter(|file| file.is_file()) {
            for import in imports(&fs::read_to_string(file).unwrap()) {
                // Unit tests share these with other tests, and with those of the other crate.
                let is_shared = ["by_hand", "effort"].contains(&import.as_str());
                let allowed = table[..=place].contains(&import) || is_shared;
                assert!(allowed, "{} imports `{import}`, which is not to its left", file.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn imports_are_found() {
    let source = "use crate::id::{A, B};\nuse crate::{rng, world::{State, Map}, text};\n// crate::no\nx(crate::plan::Y)";
    let wanted = ["id", "plan", "rng", "text", "world"].map(str::to_owned);
    assert_eq!(imports(source), wanted.into());
}

/// `check` is independent of what it checks.
#[test]
fn check_shares_no_code_with_drawing() {
    let files: Vec<_> =
        fs::read_dir(root().join("engine/src/check")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let files: Vec<_> = files.into_iter().filter(|path| path.is_file()).collect();
    assert!(files.iter().any(|path| path.ends_with("check/mod.rs")));
    for path in files {
        let source = fs::read_to_string(&path).unwrap();
        assert!(!imports(&source).contains("compile"), "{}", path.display());
        assert!(!source.contains("Simulator") && !source.contains("Scene"), "{}", path.display());
    }
    let nested = fs::read_to_string(root().join("engine/src/belief/nested.rs")).unwrap();
    assert!(!nested.contains("Tracker>") && !nested.contains("tracker::"));
}

/// Built-in storyboards are files, but for those in settings; each has a comment that says what it is for.
#[test]
fn built_in_storyboards_say_what_they_are_for() {
    let mut files: Vec<String> = fs::read_dir(root().join("storyboards"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.retain(|file| !file.ends_with(".weights.json") && file != "shortcuts.json");
    files.sort();
    let own = BUILT_IN.iter().filter(|board| board_in_setting(board.name).is_none());
    let mut names: Vec<String> = own.map(|board| format!("{}.yaml", board.name)).collect();
    names.sort();
    assert_eq!(files, names);
    for board in BUILT_IN {
        assert!(board.text().starts_with("# "), "{}", board.name);
        assert!(board.text().contains(&format!("\nname: {}\n", board.name)), "{}", board.name);
    }
}

/// Built-in packs are files of their names.
#[test]
fn built_in_packs_are_those_of_the_folder() {
    let files = fs::read_dir(root().join("packs")).unwrap();
    let files: BTreeSet<String> =
        files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let names: BTreeSet<String> =
        storysim::pack::BUILT_IN.iter().map(|pack| format!("{}.yaml", pack.name)).collect();
    assert_eq!(files, names);
}
