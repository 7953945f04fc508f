//! Exit codes: one meaning for each, whatever the command and whatever is broken (`docs/getting-started.md`).

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::program::{run, stderr, stdout};

/// What a command takes.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Board,
    /// A story or stories in any form.
    Story,
    Log,
    /// A folder or a file of rows.
    Dataset,
    Responses,
    Table,
    Folder,
}

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Broken {
    Missing,
    Unreadable,
    /// A folder in place of a file, or a file in place of a folder.
    OfAnotherKind,
    NoManifest,
    ManifestNotJson,
    ManifestNotUtf8,
    Empty,
    CutGz,
    CutZst,
    NotUtf8,
    NotJson,
    CutParquet,
}

/// Every command that reads something, with `PATH` for what it reads.
const COMMANDS: &[(Takes, &[&str])] = &[
    (Takes::Board, &["check", "PATH"]),
    (Takes::Board, &["show", "PATH"]),
    (Takes::Board, &["generate", "PATH", "--count", "1"]),
    (Takes::Board, &["fit", "PATH"]),
    (Takes::Board, &["task", "lm-eval", "tasks", "PATH", "--count", "1"]),
    (Takes::Board, &["verify", "--oracle", "PATH", "--rows", "1"]),
    (Takes::Board, &["check-story", "PATH", "ROWS"]),
    (Takes::Story, &["check-story", "five-events", "PATH"]),
    (Takes::Log, &["replay", "PATH"]),
    (Takes::Log, &["audit", "--log", "PATH"]),
    (Takes::Dataset, &["audit", "PATH"]),
    (Takes::Dataset, &["audit", "ROWS", "--learn-on", "PATH"]),
    (Takes::Dataset, &["respond", "PATH", "--as", "perfect"]),
    (Takes::Dataset, &["score", "PATH", "RESPONSES"]),
    (Takes::Responses, &["score", "ROWS", "PATH"]),
    (Takes::Table, &["audit", "PATH", "--map", "choices=c,answer=a"]),
    (Takes::Folder, &["verify", "PATH"]),
    (Takes::Folder, &["verify", "--deep", "PATH"]),
    (Takes::Folder, &["merge", "PATH"]),
];

const ALL: [Broken; 12] = [
    Broken::Missing,
    Broken::Unreadable,
    Broken::OfAnotherKind,
    Broken::NoManifest,
    Broken::ManifestNotJson,
    Broken::ManifestNotUtf8,
    Broken::Empty,
    Broken::CutGz,
    Broken::CutZst,
    Broken::NotUtf8,
    Broken::NotJson,
    Broken::CutParquet,
];

/// The code that the table in the documentation gives; `None` if a command cannot be given such a thing.
fn wanted(takes: Takes, broken: Broken, command: &str) -> Option<i32> {
    use Broken as B;
    use Takes as T;
    let is_packed = matches!(takes, T::Story | T::Log | T::Dataset | T::Responses);
    Some(match (takes, broken) {
        (T::Folder, B::Missing | B::OfAnotherKind) => 3,
        (T::Folder | T::Dataset, B::NoManifest | B::ManifestNotJson | B::ManifestNotUtf8) => 1,
        (T::Folder, _) | (T::Dataset, B::OfAnotherKind) => return None,
        (_, B::NoManifest | B::ManifestNotJson | B::ManifestNotUtf8) => return None,
        (_, B::Missing | B::Unreadable | B::OfAnotherKind) => 3,
        (_, B::CutGz | B::CutZst) => is_packed.then_some(1)?,
        (_, B::CutParquet) => (takes == T::Dataset).then_some(1)?,
        // Nothing to answer is answered.
        (_, B::Empty) => i32::from(!matches!(command, "replay" | "respond")),
        (T::Table, B::NotJson) => return None,
        (_, B::NotUtf8 | B::NotJson) => 1,
    })
}

/// Good inputs, and the folder in which everything is made.
struct Inputs {
    folder: tempfile::TempDir,
    rows: PathBuf,
    responses: PathBuf,
}

impl Inputs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (rows, responses) = (folder.path().join("rows.jsonl"), folder.path().join("perfect.jsonl"));
        let made = run(&["generate", "five-events", "--count", "40", "--out", rows.to_str().unwrap()]);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        let answered = run(&[
            "respond",
            rows.to_str().unwrap(),
            "--as",
            "perfect",
            "--out",
            responses.to_str().unwrap(),
        ]);
        assert_eq!(answered.status.code(), Some(0), "{}", stderr(&answered));
        Self { folder, rows, responses }
    }

    /// Makes something broken, and returns where it is.
    fn broken(&self, takes: Takes, broken: Broken) -> PathBuf {
        let ending = match (takes, broken) {
            (Takes::Folder, _) => "",
            (_, Broken::CutGz) => ".jsonl.gz",
            (_, Broken::CutZst) => ".jsonl.zst",
            (_, Broken::CutParquet) => ".parquet",
            (Takes::Board, _) => ".yaml",
            (Takes::Table, _) => ".csv",
            _ => ".jsonl",
        };
        let path = self.folder.path().join(format!("{broken:?}-{}{ending}", takes as u8));
        if path.symlink_metadata().is_ok() {
            return path; // of an earlier command
        }
        let text = std::fs::read(&self.rows).unwrap();
        match broken {
            Broken::Missing => {}
            // It opens, but reading fails, even for root.
            Broken::Unreadable => std::os::unix::fs::symlink("/proc/self/mem", &path).unwrap(),
            Broken::OfAnotherKind if takes == Takes::Folder => std::fs::write(&path, text).unwrap(),
            Broken::OfAnotherKind | Broken::NoManifest => std::fs::create_dir(&path).unwrap(),
            Broken::ManifestNotJson | Broken::ManifestNotUtf8 => {
                std::fs::create_dir(&path).unwrap();
                let text: &[u8] = if broken == Broken::ManifestNotJson { b"{\"" } else { b"\xff\xfe" };
                std::fs::write(path.join("manifest.json"), text).unwrap();
                std::fs::write(path.join("manifest-00000-of-00002.json"), text).unwrap();
            }
            Broken::Empty => std::fs::write(&path, "").unwrap(),
            Broken::NotUtf8 => std::fs::write(&path, b"{\"id\": \"\xff\xfe\"}\n").unwrap(),
            Broken::NotJson => std::fs::write(&path, "{\"id\": 1\n").unwrap(),
            Broken::CutGz => {
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packed.write_all(&text).unwrap();
                cut(&path, &packed.finish().unwrap());
            }
            Broken::CutZst => cut(&path, &zstd::encode_all(&text[..], 1).unwrap()),
            Broken::CutParquet => {
                let whole = self.folder.path().join("whole.parquet");
                let whole = whole.to_str().unwrap();
                let made = run(&["generate", "five-events", "--count", "40", "--out", whole]);
                assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
                cut(&path, &std::fs::read(whole).unwrap());
            }
        }
        path
    }
}

fn cut(path: &Path, bytes: &[u8]) {
    std::fs::write(path, &bytes[..bytes.len() * 2 / 3]).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_ends_with_the_code_of_the_table() {
    let inputs = Inputs::new();
    let mut tried = 0;
    for &(takes, command) in COMMANDS {
        for broken in ALL {
            let Some(code) = wanted(takes, broken, command[0]) else { continue };
            let path = inputs.broken(takes, broken);
            let path = path.to_str().unwrap();
            let arguments: Vec<&str> = command
                .iter()
                .map(|&word| match word {
                    "PATH" => path,
                    "ROWS" => inputs.rows.to_str().unwrap(),
                    "RESPONSES" => inputs.responses.to_str().unwrap(),
                    word => word,
                })
                .collect();
            let output = run(&arguments);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(code), "{command:?} {broken:?}: {said}{}", stdout(&output));
            // Of stories in JSON, what is wrong with each is the result.
            let name = Path::new(path).file_name().unwrap().to_str().unwrap();
            let is_said =
                said.contains(name) || takes == Takes::Story && stdout(&output).contains("\"reason\":");
            assert!(code == 0 || is_said, "{command:?} {broken:?}: {said}");
            assert!(!said.contains("panicked"), "{command:?} {broken:?}: {said}");
            tried += 1;
        }
    }
    assert!(tried > 90, "{tried}");
}

#[test]
fn names_that_nothing_has_are_wrong_usage() {
    for arguments in
        [&["check", "fist-order-mislead"][..], &["show", "no-such-board"], &["verify", "five-events"]]
    {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
    assert!(stderr(&run(&["check", "fist-order-mislead"])).contains("did you mean `first-order-mislead`?"));
}

#[test]
fn a_file_of_rows_is_no_folder() {
    let inputs = Inputs::new();
    let output = run(&["verify", inputs.rows.to_str().unwrap()]);
    assert!(
        stderr(&output).contains("it is a file; `audit` and `score` read files of rows"),
        "{}",
        stderr(&output)
    );
}

/// Logs and stories are read however they are packed.
#[test]
fn packed_logs_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs/the-apple.jsonl");
    let text = std::fs::read(&log).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&text).unwrap();
    let (gz, zst) = (folder.path().join("log.jsonl.gz"), folder.path().join("log.jsonl.zst"));
    std::fs::write(&gz, packed.finish().unwrap()).unwrap();
    std::fs::write(&zst, zstd::encode_all(&text[..], 1).unwrap()).unwrap();
    let plain = run(&["replay", log.to_str().unwrap()]);
    assert!(!plain.stdout.is_empty());
    for path in [&gz, &zst] {
        let output = run(&["replay", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stdout(&output), stdout(&plain));
    }
}

/// What is found for a storyboard goes to a file, or to a device directly: that must not become a file.
#[cfg(target_os = "linux")]
#[test]
fn weights_go_where_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (full, file) = (folder.path().join("full"), folder.path().join("weights.json"));
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let fit = |out: &Path| run(&["fit", "second-order-calibrated", "--out", out.to_str().unwrap()]);
    let output = fit(&full);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(full.is_symlink());
    let output = fit(&file);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("{\"storysim_weights\":3,"));
    let output = run(&["fit", "second-order-calibrated"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is built in; give --out"), "{}", stderr(&output));
}
