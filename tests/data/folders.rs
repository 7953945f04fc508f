//! However the making of a dataset folder is stopped, the same command finishes it, and it is then bit for bit as if
//! nothing had happened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use proptest::test_runner::{TestRng, TestRunner};
use rand::Rng;
use storysim::files::Manifest;

use crate::effort::times;
use crate::program::{PROGRAM, stderr};
use crate::tree::{files, manifest};

/// Sixteen files of two boards, three values each of one of them.
const DATASET: [&str; 10] = [
    "first-order-mislead",
    "second-order-mislead",
    "--count",
    "240",
    "--seed",
    "7",
    "--set",
    "mislead_distance=3..9..3",
    "--shard-size",
    "90",
];

fn storysim(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

fn generate(folder: &Path, more: &[&str]) -> Output {
    storysim(folder, &[&["generate"][..], &DATASET, more].concat())
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
}

/// Ends as it should, having said this.
fn refused(output: &Output, code: i32, why: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
    assert!(stderr(output).contains(why), "{}", stderr(output));
    assert!(output.stdout.is_empty());
}

/// The dataset, made without a disturbance.
fn undisturbed(folder: &Path, more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    done(&generate(folder, &[&["--out", "undisturbed"], more].concat()));
    files(&folder.join("undisturbed"))
}

fn random() -> TestRng {
    TestRunner::deterministic().rng().clone()
}

/// At any moment: kill -9, and now and then the loss of what was not synced.
#[test]
fn a_folder_is_finished_after_any_number_of_kills() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let started = Instant::now();
    let whole = undisturbed(here, &[]);
    let usual = started.elapsed();
    let mut random = random();
    let (mut kills, mut folder) = (0, 0);
    while kills < times(5) {
        let name = format!("killed-{folder}");
        let arguments = [&["generate"][..], &DATASET, &["--out", &name]].concat();
        let mut child =
            Command::new(PROGRAM).args(arguments).current_dir(here).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(usual.mul_f64(f64::from(random.next_u32() % 1000) / 900.0));
        child.kill().unwrap();
        let is_finished = child.wait().unwrap().success();
        kills += u64::from(!is_finished);
        let unfinished = here.join(&name).join(".storysim");
        if random.next_u32().is_multiple_of(3) && unfinished.exists() {
            for entry in std::fs::read_dir(&unfinished).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "partial") {
                    std::fs::remove_file(path).unwrap();
                }
            }
        }
        if is_finished || random.next_u32().is_multiple_of(4) {
            done(&generate(here, &["--out", &name]));
            assert!(files(&here.join(&name)) == whole, "{name} is not as it should be");
            folder += 1;
        }
    }
    done(&generate(here, &["--out", &format!("killed-{folder}")]));
    assert!(files(&here.join(format!("killed-{folder}"))) == whole);
}

#[test]
fn ctrl_c_leaves_what_is_finished() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    // Far more than can be made meanwhile.
    let endless = ["generate", "first-order-mislead", "--count", "1000000000", "--jobs", "1"];
    let stopped = |out: &[&str], until: &dyn Fn() -> bool| {
        let arguments = [&endless[..], out].concat();
        let child =
            Command::new(PROGRAM).args(arguments).current_dir(here).stderr(Stdio::piped()).spawn().unwrap();
        let limit = Instant::now() + Duration::from_secs(60);
        while !until() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        refused(&output, 130, "run the same command again to resume a dataset folder");
    };
    let lies = |folder: &str| files(&here.join(folder)).len();
    std::fs::create_dir(here.join("rows")).unwrap();
    stopped(&["--out", "rows/a.jsonl"], &|| lies("rows") > 0);
    assert_eq!(lies("rows"), 0, "no part of a file is left");
    let first = here.join("d/data/train-00000-of-00500.jsonl");
    stopped(&["--shard-size", "2000000", "--out", "d"], &|| here.join("d/.storysim/whole.jsonl").exists());
    assert!(!first.exists());
    let left: Vec<String> = files(&here.join("d")).into_keys().collect();
    assert_eq!(left, [".storysim/whole.jsonl"]);
}

/// A disk that is full at some point: once there is room, the same command finishes.
#[test]
fn a_folder_is_finished_after_a_full_disk() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let whole = undisturbed(here, &[]);
    let largest = whole.values().map(Vec::len).max().unwrap() / 1024;
    // No file may be as large as the largest.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" generate \"$@\" --out d",
        (largest - 1) * 1024 / 512
    );
    let output =
        Command::new("sh").args(["-c", &script, PROGRAM]).args(DATASET).current_dir(here).output().unwrap();
    refused(&output, 3, "File too large");
    assert!(!here.join("d/manifest.json").exists());
    let there = files(&here.join("d"));
    let data = there.iter().filter(|(name, _)| name.starts_with("data/"));
    assert!(data.clone().count() > 0);
    assert!(data.clone().all(|(name, bytes)| whole[name] == *bytes), "whole files only");
    done(&generate(here, &["--out", "d"]));
    assert!(files(&here.join("d")) == whole);
}

/// The same on a real file system, where whoever runs the tests may make one; and one that nobody may write.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_is_finished_after_a_full_or_read_only_file_system() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let whole = undisturbed(here, &[]);
    let size: usize = whole.values().map(Vec::len).sum();
    // Everything happens in a namespace of its own, and is gone with it.
    let script = format!(
        "mkdir d; mount -t tmpfs -o size={} tmpfs d || exit 77\n\
         \"$0\" generate \"$@\" --out d/d; echo \"full: $?\"\n\
         mount -o remount,size={},ro d; \"$0\" generate \"$@\" --out d/d; echo \"read-only: $?\"\n\
         mount -o remount,rw d; \"$0\" generate \"$@\" --out d/d; echo \"then: $?\"\n\
         mount -o remount,ro d; \"$0\" verify d/d --deep; echo \"verified: $?\"\n\
         \"$0\" generate \"$@\" --out d/d; echo \"read-only again: $?\"; mkdir copy; cp -r d/d/. copy",
        size / 2,
        size * 2
    );
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", &script, PROGRAM])
        .args(DATASET)
        .current_dir(here)
        .output();
    let Ok(output) = output else { return };
    let (said, told) = (stderr(&output), String::from_utf8(output.stdout.clone()).unwrap());
    if output.status.code() == Some(77) || said.starts_with("unshare:") {
        return; // not here
    }
    let codes: Vec<&str> =
        told.lines().filter(|line| line.contains(": ") && !line.contains("files")).collect();
    assert_eq!(codes, ["full: 3", "read-only: 3", "then: 0", "verified: 0", "read-only again: 3"], "{said}");
    assert!(said.contains("No space left on device") && said.contains("Read-only file system"), "{said}");
    assert!(files(&here.join("copy")) == whole);
}

#[test]
fn one_process_at_a_time() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let long =
        ["generate", "first-order-mislead", "--count", "1000000000", "--shard-size", "2000000", "--out", "d"];
    let mut first = Command::new(PROGRAM).args(long).current_dir(here).stderr(Stdio::null()).spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(60);
    while !here.join("d/data").exists() && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Were it not refused, it would write for hours.
    let second = Command::new(PROGRAM).args(long).current_dir(here).stderr(Stdio::piped()).spawn();
    let mut second = second.unwrap();
    while second.try_wait().unwrap().is_none() && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    second.kill().unwrap();
    refused(&second.wait_with_output().unwrap(), 3, "d: another storysim process is writing this folder");
    refused(&storysim(here, &["verify", "d"]), 1, "d: this folder is unfinished ");
    first.kill().unwrap();
    first.wait().unwrap();
    refused(&storysim(here, &[&long[..], &["--seed", "1"]].concat()), 2, "seed: 0 there, 1 now");
}

#[test]
fn damage_is_found_and_mended() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let whole = undisturbed(here, &[]);
    let names: Vec<&String> = whole.keys().filter(|name| name.starts_with("data/")).collect();
    let path = |name: &str| -> PathBuf { here.join("undisturbed").join(name) };
    let flipped = |name: &str| {
        let mut bytes = whole[name].clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(path(name), bytes).unwrap();
    };
    flipped(names[3]);
    std::fs::remove_file(path(names[5])).unwrap();
    std::fs::write(path(names[7]), &whole[names[7]][1..]).unwrap();
    std::fs::write(path("data/notes.txt"), "mine").unwrap();
    std::fs::write(path("README.md"), "mine").unwrap();
    let output = storysim(here, &["verify", "undisturbed"]);
    refused(&output, 1, &format!("{}: damaged", names[3]));
    refused(&output, 1, &format!("{}: missing", names[5]));
    refused(&output, 1, &format!("{}: {} bytes instead of", names[7], whole[names[7]].len() - 1));
    refused(&output, 1, "data/notes.txt does not belong to the dataset");
    refused(&output, 1, "README.md is missing, or is not the one");
    assert_eq!(stderr(&output).lines().filter(|line| line.starts_with("error")).count(), 5);
    std::fs::remove_file(path("data/notes.txt")).unwrap();
    let mended = generate(here, &["--out", "undisturbed"]);
    done(&mended);
    let kept = format!("already complete: {} of {} files", names.len() - 3, names.len());
    assert!(stderr(&mended).contains(&kept), "{}", stderr(&mended));
    assert!(files(&here.join("undisturbed")) == whole);
    done(&storysim(here, &["verify", "undisturbed", "--deep"]));
    let again = generate(here, &["--out", "undisturbed"]);
    done(&again);
    assert!(stderr(&again).contains("nothing left to do"), "{}", stderr(&again));
    assert!(files(&here.join("undisturbed")) == whole);
    refused(&storysim(here, &["verify", "nowhere"]), 3, "reading the folder nowhere");
    // What is refused changes nothing.
    refused(&generate(here, &["--out", "undisturbed", "--with-events"]), 2, "events in rows");
    assert!(files(&here.join("undisturbed")) == whole && !here.join("undisturbed/.storysim").exists());
    done(&storysim(here, &["verify", "undisturbed"]));
}

/// A file whose hash is right, but whose rows are not those that are made.
#[test]
fn a_deep_look_finds_rows_that_were_never_made() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    for format in ["jsonl", "jsonl.gz", "jsonl.zst", "parquet"] {
        if format == "parquet" && !cfg!(feature = "parquet") {
            continue;
        }
        let common = ["--count", "40", "--format", format, "--with-events", "--split", "train=0.7,test=0.3"];
        for (seed, out) in [("7", "true"), ("8", "other")] {
            let out = format!("{out}-{format}");
            let boards = ["generate", "five-events", "sally-anne", "--seed", seed, "--out", &out];
            done(&storysim(here, &[&boards[..], &common].concat()));
            done(&storysim(here, &["verify", "--deep", &out]));
        }
        let [own, other] = ["true", "other"].map(|name| here.join(format!("{name}-{format}")));
        let name = format!("data/sally-anne/test-00000-of-00001.{format}");
        std::fs::copy(other.join(&name), own.join(&name)).unwrap();
        let read = |folder: &Path| manifest(&files(folder), "manifest.json");
        let (mut forged, other) = (read(&own), read(&other));
        let at = forged.files.iter().position(|file| file.path == name).unwrap();
        forged.files[at] = other.files.into_iter().find(|file| file.path == name).unwrap();
        let forged = forged.clone().with_files(forged.files);
        std::fs::write(own.join("manifest.json"), forged.to_json()).unwrap();
        std::fs::write(own.join("README.md"), forged.card()).unwrap();
        let out = format!("true-{format}");
        done(&storysim(here, &["verify", &out]));
        refused(&storysim(here, &["verify", "--deep", &out]), 1, &name);
    }
}

#[test]
fn parts_become_the_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let whole = undisturbed(here, &[]);
    for part in ["2/3", "0/3"] {
        done(&generate(here, &["--out", "parts", "--shard", part]));
    }
    let merge = || storysim(here, &["merge", "parts"]);
    refused(&merge(), 1, "part 1/3 is missing");
    refused(
        &generate(here, &["--out", "parts", "--shard", "1/3", "--with-events"]),
        2,
        "events in rows: false there, true now",
    );
    refused(&generate(here, &["--out", "undisturbed", "--shard", "1/3"]), 2, "holds a complete dataset");
    refused(
        &generate(here, &["--out", "parts", "--shard", "1/2"]),
        2,
        "holds parts of a dataset that is divided into 3 parts, not 2",
    );
    refused(&generate(here, &["--out", "parts"]), 2, "merge them, or use another folder");
    std::fs::create_dir_all(here.join("mine/data")).unwrap();
    std::fs::write(here.join("mine/README.md"), "mine").unwrap();
    refused(&generate(here, &["--out", "mine", "--shard", "1/3"]), 2, "this folder is not empty");
    done(&generate(here, &["--out", "parts", "--shard", "1/3"]));
    done(&storysim(here, &["verify", "parts"]));
    // A part that is not finished.
    std::fs::create_dir(here.join("parts/.storysim")).unwrap();
    std::fs::write(here.join("parts/.storysim/part-00001-of-00003.jsonl"), "{").unwrap();
    refused(&merge(), 1, "unfinished, or still being made (.storysim/part-00001-of-00003.jsonl)");
    done(&generate(here, &["--out", "parts", "--shard", "1/3"]));
    let parts = files(&here.join("parts"));
    let (first, second) = ("manifest-00000-of-00003.json", "manifest-00001-of-00003.json");
    let put = |name: &str, manifest: &Manifest| {
        std::fs::write(here.join("parts").join(name), manifest.to_json()).unwrap();
    };
    // Of another seed, of another number of parts, with the files of another part, with one too few, with other stories.
    let short = |manifest: Manifest, files: Vec<storysim::files::FileRecord>| manifest.with_files(files);
    let own = manifest(&parts, second);
    put(second, &Manifest { seed: 8, ..own.clone() });
    refused(&merge(), 1, "belong to different datasets: seed: 7, 8");
    put(second, &Manifest { part: Some([3, 4]), ..own.clone() });
    refused(&merge(), 1, "part 1/3 is missing"); // its name is not that of such a part
    std::fs::rename(here.join("parts").join(second), here.join("parts/manifest-00003-of-00004.json"))
        .unwrap();
    refused(&merge(), 1, "the parts overlap: the dataset is divided into 3 and into 4 parts");
    std::fs::remove_file(here.join("parts/manifest-00003-of-00004.json")).unwrap();
    let overlap = "manifest-00001-of-00003.json: its files do not match its stories";
    put(second, &short(own.clone(), manifest(&parts, first).files));
    refused(&merge(), 1, overlap);
    put(second, &short(own.clone(), own.files[1..].to_vec()));
    refused(&merge(), 1, overlap);
    refused(&storysim(here, &["verify", "parts"]), 1, overlap);
    let mut other = own.files.clone();
    other[0].pieces[0].from += 1;
    other[0].stories -= 1;
    put(second, &short(own.clone(), other));
    refused(&merge(), 1, overlap);
    put(second, &manifest(&parts, second));
    let data = parts.keys().find(|name| name.starts_with("data/")).unwrap();
    std::fs::write(here.join("parts").join(data), "").unwrap();
    refused(&merge(), 1, "missing or damaged");
    assert!(!here.join("parts/manifest.json").exists());
    std::fs::write(here.join("parts").join(data), &parts[data]).unwrap();
    done(&merge());
    assert!(files(&here.join("parts")) == whole);
    refused(&merge(), 2, "this dataset is already complete");
    // A merge that was stopped before it had cleaned up.
    std::fs::write(here.join("parts").join(first), &parts[first]).unwrap();
    done(&merge());
    assert!(files(&here.join("parts")) == whole);
}

/// The stories of a file, as `(board, values, index)`, and their texts.
fn stories(bytes: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(bytes).unwrap();
    let mut stories: Vec<(String, String)> = text
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let id = row["id"].as_str().unwrap().rsplit_once('/').unwrap().0.to_owned();
            (id, row["story"].as_str().unwrap().to_owned())
        })
        .collect();
    stories.dedup_by(|one, other| one.0 == other.0);
    stories
}

/// Whoever stops a sweep early has as much of every value, and something of every board.
#[test]
fn a_sweep_is_balanced_from_the_first_file_on() {
    let temporary = tempfile::tempdir().unwrap();
    let whole = undisturbed(temporary.path(), &[]);
    let manifest = manifest(&whole, "manifest.json");
    assert_eq!(manifest.files.len(), 16);
    let mut of_value: BTreeMap<String, u64> = BTreeMap::new();
    for (at, file) in manifest.files.iter().enumerate() {
        for piece in &file.pieces {
            *of_value.entry(format!("{} {:?}", piece.board, piece.values)).or_default() +=
                piece.until - piece.from;
        }
        let of_board = |board: &str| {
            let counts = of_value.iter().filter(|(key, _)| key.starts_with(board));
            counts.map(|(_, count)| *count).collect::<Vec<u64>>()
        };
        for board in ["first", "second"] {
            let counts = of_board(board);
            if counts.is_empty() {
                assert_eq!(at, 0);
                continue;
            }
            assert_eq!(counts.len(), 3);
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
    }
    assert!(of_value.values().all(|&count| count == 240));
    // All there is, once each.
    let mut all: Vec<String> =
        manifest.files.iter().flat_map(|file| stories(&whole[&file.path])).map(|(id, _)| id).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), count), (2 * 3 * 240, 2 * 3 * 240));
}

/// No story is in two splits, were it drawn under another index or seed; and none is lost.
#[test]
fn no_story_is_in_two_splits() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let tiny = "storysim: 1\nname: tiny\ncharacters: {pool: [Ann, \"Bo \\\"B\\\"\"]}\nroles: [S1, T]\n\
                places: {complete: [a, b, c]}\nstart: a\nhorizon: 4\nquestions: [{reality: T}]\n";
    std::fs::write(here.join("tiny.yaml"), tiny).unwrap();
    let (mut split_of, mut repeated) = (BTreeMap::new(), 0);
    for seed in ["7", "8"] {
        let common =
            ["generate", "tomi-like", "tiny.yaml", "--count", "1500", "--seed", seed, "--shard-size", "400"];
        let (plain, divided) = (format!("plain-{seed}"), format!("divided-{seed}"));
        done(&storysim(here, &[&common[..], &["--out", &plain]].concat()));
        done(&storysim(
            here,
            &[&common[..], &["--out", &divided, "--split", "train=0.6,validation=0.2,test=0.2"]].concat(),
        ));
        let (plain, divided) = (files(&here.join(plain)), files(&here.join(divided)));
        let all = |files: &BTreeMap<String, Vec<u8>>| {
            let data = files.iter().filter(|(name, _)| name.starts_with("data/"));
            let mut all: Vec<_> = data.flat_map(|(_, bytes)| stories(bytes)).collect();
            all.sort();
            all
        };
        assert!(all(&plain) == all(&divided));
        let manifest = manifest(&divided, "manifest.json");
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for file in &manifest.files {
            let split = file.path.rsplit('/').next().unwrap().split('-').next().unwrap().to_owned();
            let stories = stories(&divided[&file.path]);
            assert_eq!(file.stories, stories.len() as u64);
            *counts.entry(split.clone()).or_default() += file.stories;
            for (_, story) in stories {
                let share =
                    u64::from_le_bytes(blake3::hash(story.as_bytes()).as_bytes()[..8].try_into().unwrap());
                let wanted = match share as f64 / 2_f64.powi(64) {
                    share if share < 0.6 => "train",
                    share if share < 0.8 => "validation",
                    _ => "test",
                };
                assert_eq!(split, wanted, "as the documentation has it");
                let known = split_of.entry(story).or_insert_with(|| split.clone());
                repeated += usize::from(*known != split);
            }
        }
        assert_eq!(manifest.stories, 3000);
        assert!(
            (1500..2100).contains(&counts["train"]) && (400..800).contains(&counts["test"]),
            "{counts:?}"
        );
    }
    assert_eq!(repeated, 0);
    assert!(split_of.len() < 3500, "some stories are drawn more than once");
    let alone = ["generate", "tiny.yaml", "--count", "9", "--out", "a.jsonl", "--split", "train=1"];
    refused(&storysim(here, &alone), 2, "--split needs a dataset folder");
    refused(
        &generate(here, &["--out", "d", "--split", "train=0.5,test=0.4"]),
        2,
        "the shares add up to 0.9, not to 1",
    );
}

/// What stands in a manifest or a journal may be anybody's.
#[test]
fn hostile_manifests_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let whole = undisturbed(here, &[]);
    let text = String::from_utf8(whole["manifest.json"].clone()).unwrap();
    let path = here.join("undisturbed/manifest.json");
    let refused_with = |from: &str, to: &str, why: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        for command in
            [&["verify", "undisturbed"][..], &["verify", "--deep", "undisturbed"], &["merge", "undisturbed"]]
        {
            refused(&storysim(here, command), 1, why);
        }
        refused(&generate(here, &["--out", "undisturbed"]), 1, why);
    };
    let file = "data/first-order-mislead/train-00000-of-00008.jsonl";
    let cannot = "cannot be a path of one of its files";
    refused_with(file, "/etc/passwd", cannot);
    refused_with(file, "data/../../x", cannot);
    refused_with(file, "data/\\u001b[2J", cannot);
    refused_with(file, &format!("data/{}", "a/".repeat(100_000)), cannot);
    refused_with(file, file.replace("00000", "00001").as_str(), cannot);
    refused_with("\"manifest\": 1", "\"manifest\": 2", "it has format version 2");
    refused_with(
        "\"stories\": 90",
        "\"stories\": 18446744073709551615",
        "cannot hold 18446744073709551615 stories",
    );
    refused_with("\"rows\": 180", "\"rows\": 18446744073709551615", "do not add up");
    refused_with("\"until\": 30", "\"until\": 1000000000000000", "cannot hold the stories");
    refused_with("\"shard_size\": 90", "\"shard_size\": 0", "it has too many files");
    refused_with("roles: [S1, T]", "roles: [S1, U]", "has another hash");
    refused_with("{", "[", "not written by storysim");
    for command in [&["audit", "undisturbed"][..], &["respond", "undisturbed", "--as", "perfect"]] {
        refused(&storysim(here, command), 1, "not written by storysim");
    }
}

#[test]
fn quiet_is_quiet() {
    let temporary = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = generate(temporary.path(), &["--out", "d", "--quiet"]);
        done(&output);
        assert!(output.stderr.is_empty() && output.stdout.is_empty());
    }
}
