//! `storysim replay`: published logs, logs of our own, logs that cannot be; and published conversations as accounts.

mod accounts;
mod published;
mod random;

/// The text of a published set, if it is there: in a folder beside the project, which is not part of it.
fn published(file: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/replay").join(file);
    let text = std::fs::read_to_string(&path);
    if text.is_err() {
        eprintln!("skipped: {} is not there", path.display());
    }
    text.ok()
}
