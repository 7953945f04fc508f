//! Packed files and dataset folders hold the same rows as plain text, and say the truth about themselves.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use storysim::dataset::FIELDS;
use storysim::files::Manifest;

use crate::effort::times;
use crate::program::{PROGRAM, stderr};
use crate::tree::{files, manifest};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("generate").args(arguments).current_dir(folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output.stdout
}

/// Ends as it should, having said this.
fn refused(folder: &Path, arguments: &[&str], code: i32, why: &str) {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(why), "{said}");
    assert!(output.stdout.is_empty());
}

fn unpacked(format: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match format {
        "jsonl" => text.extend_from_slice(bytes),
        "jsonl.gz" => {
            flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
        }
        "jsonl.zst" => {
            let mut decoder = zstd::Decoder::new(bytes).unwrap().single_frame();
            decoder.read_to_end(&mut text).unwrap();
        }
        _ => panic!("{format}"),
    }
    text
}

/// Boards with a sweep, with questions left out, and with two starts.
const ROWS: [&str; 7] =
    ["first-order-mislead", "--set", "mislead_distance=3..9..3", "--count", "40", "--seed", "7"];

#[test]
fn packed_files_hold_the_same_rows_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let plain = done(folder.path(), &ROWS);
    assert_eq!(plain.iter().filter(|&&byte| byte == b'\n').count(), 240);
    let formats = if cfg!(feature = "parquet") {
        &["jsonl", "jsonl.gz", "jsonl.zst", "parquet"][..]
    } else {
        &["jsonl", "jsonl.gz", "jsonl.zst"]
    };
    for format in formats {
        let mut all = Vec::new();
        for jobs in ["1", "2", "7"] {
            let name = format!("{jobs}.{format}");
            done(folder.path(), &[&ROWS[..], &["--jobs", jobs, "--out", &name]].concat());
            all.push(std::fs::read(folder.path().join(name)).unwrap());
        }
        all.push(done(folder.path(), &[&ROWS[..], &["--format", format]].concat()));
        assert!(all.iter().all(|bytes| *bytes == all[0]), "{format}");
        if *format != "parquet" {
            assert_eq!(unpacked(format, &all[0]), plain, "{format}");
        }
    }
    assert_eq!(files(folder.path()).len(), 3 * formats.len(), "nothing else is left");
}

/// The bytes of packed files hold for one version of storysim, on any machine. To accept others, read
/// CHANGELOG.md, and run with `STORYSIM_GOLDEN=write` in the environment.
#[test]
fn packed_bytes_are_those_of_every_other_machine() {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/packed.txt");
    let mut found = String::new();
    for format in ["jsonl.gz", "jsonl.zst", "parquet"] {
        if format == "parquet" && !cfg!(feature = "parquet") {
            continue;
        }
        let common = ["five-events", "world-model", "--count", "300", "--with-events", "--format", format];
        let bytes = done(folder.path(), &common);
        found.push_str(&format!("{format} {} {}\n", bytes.len(), blake3::hash(&bytes).to_hex()));
    }
    if std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&golden, &found).unwrap();
    }
    let wanted = std::fs::read_to_string(golden).unwrap();
    assert!(wanted.starts_with(&found) && !found.is_empty(), "{found}\nis not\n{wanted}");
}

#[cfg(feature = "parquet")]
mod columns {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use serde_json::json;

    use super::*;

    fn object(row: &Row) -> Value {
        Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
    }

    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Bool(truth) => json!(truth),
            Field::Int(number) => json!(number),
            Field::Long(number) => json!(number),
            Field::ULong(number) => json!(number),
            Field::Str(text) => json!(text),
            Field::Group(row) => object(row),
            Field::ListInternal(list) => Value::Array(list.elements().iter().map(value).collect()),
            other => panic!("{other:?}"),
        }
    }

    /// What a row becomes: events are objects; roles, binds and parameters of other boards are null; a
    /// start that is an object is text.
    fn in_columns(mut row: Value, cast: &[&str], parameters: &[&str]) -> Value {
        for (key, names) in [("cast", cast), ("params", parameters)] {
            let all = row[key].as_object_mut().unwrap();
            for name in names {
                all.entry(name.to_owned()).or_insert(Value::Null);
            }
        }
        if parameters.is_empty() {
            row.as_object_mut().unwrap().remove("params");
        }
        if row["start"].is_object() {
            row["start"] = json!(row["start"].to_string());
        }
        for name in row["names"].as_array_mut().unwrap() {
            *name = json!({"shown": name[0], "written": name[1]});
        }
        if let Some(events) = row.get_mut("events") {
            for event in events.as_array_mut().unwrap() {
                *event = json!({"step": event[0], "who": event[1], "verb": event[2], "place": event[3]});
            }
        }
        row
    }

    fn compare(boards: &[&str], flags: &[&str], cast: &[&str], parameters: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let arguments = [boards, &["--count", "60", "--seed", "18446744073709551615"], flags].concat();
        let plain = String::from_utf8(done(folder.path(), &arguments)).unwrap();
        done(folder.path(), &[&arguments[..], &["--out", "rows.parquet"]].concat());
        let file = std::fs::File::open(folder.path().join("rows.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<Value> = reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect();
        assert_eq!(rows.len(), plain.lines().count());
        assert!(rows.len() >= 30);
        for (row, line) in rows.iter().zip(plain.lines()) {
            let mut wanted = in_columns(serde_json::from_str(line).unwrap(), cast, parameters);
            // An object in text may have its keys in another order.
            let mut row = row.clone();
            for row in [&mut row, &mut wanted] {
                if row["start"].as_str().unwrap().starts_with('{') {
                    row["start"] = serde_json::from_str(row["start"].as_str().unwrap()).unwrap();
                }
            }
            assert_eq!(row, wanted);
        }
    }

    #[test]
    fn parquet_holds_the_same_rows() {
        compare(&["five-events"], &[], &["S1", "T"], &[]);
        let cast = ["S1", "T", "first", "second", "third"];
        let boards = ["first-order-mislead", "five-events"];
        compare(&boards, &["--with-events"], &cast, &["mislead_distance"]);
    }

    /// What else an entry of `events` has is text, a list being JSON.
    #[test]
    fn parquet_of_a_board_with_deeds() {
        let folder = tempfile::tempdir().unwrap();
        let board = folder.path().join("deeds.yaml");
        let text = "storysim: 1\nname: deeds\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: {S1: a, else: b}\nhorizon: 12\n\
                    containers: {box: a, chest: {in: b, is: closed}}\nobjects: {ball: [box, b, S1]}\n\
                    propositions: {gift: {says: the gift is a bicycle, known: [T]}}\nattitudes: [music]\n\
                    play: {move: 3, take: 1, put: 1, carry: 1, throw: 1, move_object: 1, open: 1, close: 1, tell: 1, \
                    whisper: 1, phone: 1, lie: 1, react: 1}\nevents: [{from: 0, until: 5, peek: S1}, \
                    {from: 5, until: end, distracted: {who: S1, noticed: true}}]\n\
                    questions: [{reality: ball}, {who_knows: gift}, {belief: [S1, gift]}, {who_likes: [S1, music]}, \
                    {knows: [S1, T, ball], before: 9}]\n";
        std::fs::write(&board, text).unwrap();
        let flags = [board.to_str().unwrap(), "--count", "60", "--with-events"];
        let plain = String::from_utf8(done(folder.path(), &flags)).unwrap();
        done(folder.path(), &[&flags[..], &["--out", "rows.parquet"]].concat());
        let file = std::fs::File::open(folder.path().join("rows.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<Value> = reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect();
        assert_eq!(rows.len(), plain.lines().count());
        let mut verbs = std::collections::BTreeSet::new();
        for (mut row, line) in rows.into_iter().zip(plain.lines()) {
            let mut wanted: Value = serde_json::from_str(line).unwrap();
            for event in wanted["events"].as_array_mut().unwrap() {
                verbs.insert(event[2].as_str().unwrap().to_owned());
                let text = |at: usize| match &event[at] {
                    Value::Null => Value::Null,
                    Value::String(text) => json!(text),
                    other => json!(other.to_string()),
                };
                *event = json!({"step": event[0], "who": event[1], "verb": event[2], "first": text(3),
                    "second": text(4), "third": text(5)});
            }
            wanted.as_object_mut().unwrap().remove("params");
            for row in [&mut row, &mut wanted] {
                if let Some(start) = row["start"].as_str() {
                    row["start"] = serde_json::from_str(start).unwrap();
                }
            }
            assert_eq!(row, wanted);
        }
        assert!(verbs.len() >= 12, "{verbs:?}");
    }

    #[test]
    fn parquet_of_a_board_where_all_start_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let board = folder.path().join("apart.yaml");
        let text = "storysim: 1\nname: apart\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: {S1: a, else: b}\nhorizon: 9\n\
                    parameters: {x: -3, y: 9223372036854775807}\n\
                    questions: [{belief: [S1, T]}, {world: [S1, T]}, {start: T}]\n";
        std::fs::write(&board, text).unwrap();
        compare(&[board.to_str().unwrap()], &[], &["S1", "T"], &["x", "y"]);
    }
}

/// What a manifest says of files is so.
fn verify(manifest: &Manifest, files: &BTreeMap<String, Vec<u8>>) {
    let mut rows = 0;
    for file in &manifest.files {
        let bytes = &files[&file.path];
        assert_eq!(file.bytes, bytes.len() as u64);
        assert_eq!(file.blake3, blake3::hash(bytes).to_hex().to_string());
        let text = String::from_utf8(unpacked(&manifest.format, bytes)).unwrap();
        assert_eq!(file.rows, text.lines().count() as u64);
        rows += file.rows;
        let mut stories = Vec::new();
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let values: Vec<Value> =
                manifest.set.iter().map(|set| row["params"][&set.name].clone()).collect();
            stories.push((row["board"].clone(), values, row["index"].as_u64().unwrap()));
        }
        stories.dedup();
        let promised = file.pieces.iter().flat_map(|piece| {
            let values: Vec<Value> = piece.values.iter().map(|&value| value.into()).collect();
            (piece.from..piece.until).map(move |index| (piece.board.clone().into(), values.clone(), index))
        });
        assert_eq!(stories, promised.collect::<Vec<_>>(), "{}", file.path);
        assert!(stories.len() as u64 <= manifest.shard_size);
    }
    assert_eq!(manifest.rows, rows);
}

#[test]
fn a_folder_holds_all_rows_in_files_of_one_size() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let common =
        ["first-order-mislead", "many-characters", "--count", "50", "--seed", "7", "--shard-size", "30"];
    let plain = done(here, &common[..6]);
    for format in ["jsonl", "jsonl.gz", "jsonl.zst"] {
        done(here, &[&common[..], &["--out", format, "--format", format]].concat());
        let files = files(&here.join(format));
        let mut names: Vec<String> = vec!["README.md".into(), "manifest.json".into()];
        for board in ["first-order-mislead", "many-characters"] {
            names.extend((0..2).map(|at| format!("data/{board}/train-{at:05}-of-00002.{format}")));
        }
        names.sort();
        assert_eq!(files.keys().cloned().collect::<Vec<_>>(), names);
        let manifest = manifest(&files, "manifest.json");
        verify(&manifest, &files);
        // The files of both take turns.
        let mut in_order: Vec<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        in_order.sort_unstable();
        let of_files = in_order.iter().flat_map(|path| unpacked(format, &files[*path]));
        assert_eq!(of_files.collect::<Vec<u8>>(), plain, "in the order of rows");
        assert_eq!((manifest.stories, manifest.seed, manifest.count), (100, 7, 50));
        for board in &manifest.boards {
            assert_eq!(board.blake3, blake3::hash(board.text.as_bytes()).to_hex().to_string());
            assert!(board.text.contains(&format!("name: {}\n", board.name)));
        }
        let card = String::from_utf8(files["README.md"].clone()).unwrap();
        assert!(card.contains("100 stories") && card.contains(&format!("train-*.{format}")));
        // Made again with other threads, it is the same to the last bit.
        let again = format!("{format}-again");
        done(here, &[&common[..], &["--out", &again, "--format", format, "--jobs", "1"]].concat());
        assert_eq!(self::files(&here.join(again)), files);
    }
}

#[test]
fn parts_of_a_folder_make_the_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    let common = [&ROWS[..], &["--shard-size", "17"]].concat();
    done(here, &[&common[..], &["--out", "whole"]].concat());
    for part in ["2/3", "0/3", "1/3"] {
        done(here, &[&common[..], &["--out", "parts", "--shard", part]].concat());
    }
    let (whole, mut parts) = (files(&here.join("whole")), files(&here.join("parts")));
    let manifests: Vec<Manifest> =
        (0..3).map(|part| manifest(&parts, &format!("manifest-{part:05}-of-00003.json"))).collect();
    manifests.iter().for_each(|manifest| verify(manifest, &parts));
    parts.retain(|name, _| name.starts_with("data/"));
    assert!(parts.iter().all(|(name, bytes)| whole[name] == *bytes));
    let of_parts: Vec<_> = manifests.iter().flat_map(|manifest| manifest.files.clone()).collect();
    assert_eq!(of_parts, manifest(&whole, "manifest.json").files);
    assert_eq!(of_parts.len(), parts.len());

    let out = |name: &'static str, more: &[&'static str]| [&common[..], &["--out", name], more].concat();
    refused(
        here,
        &out("few", &["--shard", "0/9"]),
        2,
        "with 17 stories a file, there are fewer files (8) than parts",
    );
}

#[test]
fn wrong_targets_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let here = temporary.path();
    std::fs::write(here.join("notes.txt"), "mine").unwrap();
    let with = |more: &[&'static str]| [&["five-events", "--count", "5"][..], more].concat();
    refused(
        here,
        &with(&["--out", "notes.txt"]),
        2,
        "notes.txt: this file exists, but its name ends in none of",
    );
    refused(here, &with(&["--out", "a.jsonl", "--format", "jsonl.gz"]), 2, "ends in `.jsonl`");
    refused(here, &with(&["--out", "a.jsonl", "--shard-size", "3"]), 2, "needs a dataset folder");
    refused(here, &with(&["--format", "csv"]), 2, "jsonl.zst");
    refused(here, &["five-events", "--count", "99999999999", "--out", "d", "--shard-size", "1"], 2, "files");
    refused(here, &with(&["--out", "notes.txt/d"]), 3, "reading the folder notes.txt/d");
    assert_eq!(files(here).len(), 1, "nothing was made");
    assert_eq!(std::fs::read(here.join("notes.txt")).unwrap(), b"mine");
}

/// The table of `docs/rows.md` has the fields of the list, in its order, each with its meaning first.
#[test]
fn the_page_about_rows_has_all_fields() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rows.md")).unwrap();
    let table = page.lines().skip_while(|line| *line != "| field | meaning |").skip(2);
    let table: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(table.len(), FIELDS.len(), "{table:?}");
    for (line, field) in table.iter().zip(FIELDS) {
        let wanted = format!("| `{}` | {}", field.name, field.meaning);
        assert!(line.starts_with(&wanted), "{line}, not {wanted}");
    }
}

/// However a Parquet file is damaged, the library's assumptions about it are no panic here; and `verify --deep` names it,
/// even where somebody has put the right hash into the manifest.
#[cfg(feature = "parquet")]
#[test]
fn damaged_parquet_is_told_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let arguments = ["five-events", "--count", "30", "--format", "parquet", "--out", "set"];
    done(folder.path(), &arguments);
    let manifest = set.join("manifest.json");
    let record = storysim::files::Manifest::at(&set).unwrap().files[0].clone();
    let file = set.join(&record.path);
    let whole = std::fs::read(&file).unwrap();
    let text = std::fs::read_to_string(&manifest).unwrap();
    let mut told = 0;
    for at in (0..whole.len()).step_by(9 / times(1).min(3) as usize) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        std::fs::write(&file, &damaged).unwrap();
        let Ok(rows) = storysim::files::RowReader::open(&file, storysim::files::Format::Parquet) else {
            continue;
        };
        let damage = rows
            .take(1_000)
            .filter_map(Result::err)
            .find(|error| error.to_string() == "this Parquet file is damaged");
        if damage.is_some() && told < 3 {
            told += 1;
            let hash = blake3::hash(&damaged).to_hex().to_string();
            std::fs::write(&manifest, text.replace(&record.blake3, &hash)).unwrap();
            let output = crate::program::run(&["verify", "--deep", set.to_str().unwrap()]);
            let said = crate::program::stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains(&record.path) && said.contains("this Parquet file is damaged"), "{said}");
            assert!(!said.contains("panicked"), "{said}");
        }
    }
    assert!(told > 0, "no damage made the library panic");
}
