//! What the README and the first pages of `docs/` show is what the program does.

use std::process::Command;

use crate::program::PROGRAM;

const README: &str = "README.md";
const GETTING_STARTED: &str = "docs/getting-started.md";
const ROWS: &str = "docs/rows.md";
const PACKS: &str = "docs/packs.md";

/// The text of a page, by its path from the root of the repository.
fn page(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The code blocks of a page that are in a language.
fn blocks(path: &str, language: &str) -> Vec<String> {
    let (page, fence) = (page(path), format!("```{language}\n"));
    let blocks = page.split(&fence).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

fn run(arguments: &[&str], stdin_board: Option<&str>) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    if let Some(board) = stdin_board {
        std::fs::write(folder.path().join("kitchen.yaml"), board).unwrap();
    }
    let output = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_story_is_what_show_prints() {
    let (_, shown, _) = run(&["show", "sally-anne", "--seed", "7"], None);
    let story = &blocks(README, "text")[0];
    let mut rest = shown.as_str();
    for line in story.lines().filter(|line| !line.is_empty()) {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line:?} is not in\n{shown}"));
        rest = &rest[at + line.len()..];
    }
    assert!(story.lines().count() > 10);
}

#[test]
fn the_row_is_what_generate_prints() {
    let (_, rows, _) = run(&["generate", "sally-anne", "--seed", "7", "--count", "1"], None);
    let row = rows.lines().next().unwrap();
    let shown = &blocks(ROWS, "json")[0];
    // Wrapped over several lines, and with `…` for what is long.
    let mut rest = row;
    let pieces = shown.lines().flat_map(|line| line.trim().split('…'));
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let at = rest.find(piece).unwrap_or_else(|| panic!("{piece:?} is not in\n{row}"));
        rest = &rest[at + piece.len()..];
    }
    assert_eq!(rest, "");
}

#[test]
fn the_storyboard_works_and_the_mistake_is_explained() {
    let board = &blocks(GETTING_STARTED, "yaml")[0];
    let (code, rows, said) = run(&["generate", "kitchen.yaml", "--count", "10"], Some(board));
    assert_eq!((code, rows.lines().count()), (Some(0), 20), "{said}");
    // The goals, in the place of the events.
    let (head, tail) = (board.find("events:").unwrap(), board.find("questions:").unwrap());
    let with_goals = format!("{}{}{}", &board[..head], blocks(GETTING_STARTED, "yaml")[1], &board[tail..]);
    let (code, rows, said) = run(&["generate", "kitchen.yaml", "--count", "10"], Some(&with_goals));
    assert_eq!((code, rows.lines().count()), (Some(0), 20), "{said}");
    let broken = board.replace("at: 8, meet", "at: 0, meet");
    assert_ne!(&broken, board);
    let (code, rows, said) = run(&["check", "kitchen.yaml"], Some(&broken));
    assert_eq!((code, rows.as_str()), (Some(1), ""));
    assert_eq!(said.trim_end(), blocks(GETTING_STARTED, "text")[0].trim_end());
}

#[test]
fn the_verdict_is_what_check_story_says() {
    let folder = tempfile::tempdir().unwrap();
    let program = |arguments: &[&str]| {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    std::fs::write(folder.path().join("kitchen.yaml"), &blocks(GETTING_STARTED, "yaml")[0]).unwrap();
    let rows = program(&["generate", "kitchen.yaml", "--seed", "7", "--count", "1"]);
    let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    // Somebody who should be idle is not.
    let mut story: Vec<&str> = row["story"].as_str().unwrap().split_inclusive(". ").collect();
    story[12] = "Dora enters hall. ";
    std::fs::write(folder.path().join("story.txt"), story.concat()).unwrap();
    let shown = &blocks(GETTING_STARTED, "text")[1];
    let (command, wanted) = shown.trim_start().split_once('\n').unwrap();
    assert_eq!(command, "$ storysim check-story kitchen.yaml story.txt");
    assert_eq!(program(&["check-story", "kitchen.yaml", "story.txt"]), wanted);
}

/// The wordings and the setting of the page are packs that can be used.
#[test]
fn the_wordings_and_the_setting_of_the_page_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, name, wanted) in [
        ("wording", "brisk", [r#""wording":"brisk""#, " from room "]),
        ("wording", "terse", [r#""wording":"terse""#, "From Alice's view"]),
        ("setting", "farm", [r#""board":"first-order-mislead-farm""#, " goes to the well."]),
    ] {
        let is_it = |block: &&String| block.contains(&format!("kind: {kind}\nname: {name}\n"));
        let blocks = blocks(PACKS, "yaml");
        let file = folder.path().join(format!("{name}.yaml"));
        std::fs::write(&file, blocks.iter().find(is_it).unwrap()).unwrap();
        let option = format!("--{kind}");
        let arguments =
            ["generate", "first-order-mislead", "--count", "20", &option, file.to_str().unwrap(), "--quiet"];
        let (code, rows, said) = run(&arguments, None);
        assert_eq!(code, Some(0), "{said}");
        assert!(wanted.iter().all(|wanted| rows.contains(wanted)), "{wanted:?}: {rows}");
    }
}

/// The pack of white lies on the page is a piece of the built-in one, and the mistake is explained as it says.
#[test]
fn the_mistake_in_a_pack_is_explained() {
    let (_, dinner, _) = run(&["list", "--show", "dinner"], None);
    for block in blocks(PACKS, "yaml")
        .iter()
        .filter(|block| !["wording", "setting"].iter().any(|kind| block.contains(&format!("kind: {kind}"))))
    {
        for line in block.lines() {
            assert!(dinner.lines().any(|known| known == line), "{line}");
        }
    }
    let why = "why: \"preserving cheerful night\"";
    assert!(page(PACKS).contains(&format!("`{why}` for the first reason of `dinner`")));
    let first = dinner.find("why: ").unwrap();
    let end = first + dinner[first..].find('}').unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.yaml"), format!("{}{why}{}", &dinner[..first], &dinner[end..]))
        .unwrap();
    let output = Command::new(PROGRAM)
        .args(["check", "mine.yaml"])
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]));
    assert_eq!(String::from_utf8(output.stderr).unwrap().trim_end(), blocks(PACKS, "text")[0].trim_end());
}

#[test]
fn the_things_work() {
    let head = "storysim: 1\nname: nursery\ncharacters: {pool: people, count: 3}\nroles: [S1, S2]\n\
                places: {complete: [nursery, garden]}\nstart: nursery\nhorizon: 10\n";
    let board = head.to_owned() + &blocks(GETTING_STARTED, "yaml")[2];
    let (code, rows, said) = run(&["generate", "kitchen.yaml", "--count", "10", "--check"], Some(&board));
    assert_eq!(code, Some(0), "{said}");
    assert!(rows.lines().count() > 20, "{said}");
}

#[test]
fn its_commands_are_those_that_ci_runs() {
    let ci = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/run")).unwrap();
    for command in
        ["cargo run --release -- generate first-order-mislead --count 1000 --out rows.jsonl", "cargo test"]
    {
        assert!(page(README).contains(&format!("\n    {command}\n")), "{command}");
        assert!(ci.lines().any(|line| line.trim_start() == command), "{command}");
    }
}

/// Every link from one page of the repository to another leads to a file, and to a heading in it.
#[test]
fn links_between_pages_lead_somewhere() {
    let docs = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).unwrap();
    let docs = docs.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let docs = docs.filter(|path| path.ends_with(".md"));
    let others = [README, "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "fuzz/README.md"];
    let mut links = 0;
    for path in docs.chain(others.map(str::to_owned)) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for rest in page(&path).split("](").skip(1) {
            let link = rest.split(')').next().unwrap();
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file.strip_prefix("../") {
                _ if file.is_empty() => path.clone(),
                Some(from_root) => from_root.to_owned(),
                None if folder.is_empty() => file.to_owned(),
                None => format!("{folder}/{file}"),
            };
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            assert!(root.join(&target).is_file(), "{path}: {link}");
            let found = heading.is_empty() || headings(&page(&target)).any(|anchor| anchor == heading);
            assert!(found, "{path}: {link}");
            links += 1;
        }
    }
    assert!(links > 50, "{links}");
}

/// The anchors of a page's headings.
fn headings(page: &str) -> impl Iterator<Item = String> {
    page.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        kept.collect::<String>().replace(' ', "-")
    })
}
