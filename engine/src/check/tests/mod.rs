//! A good story passes, and for every rule one that breaks it is refused.

mod deeds;
mod moves;

use super::{Claim, check, violations};
use crate::diagnostic::Source;
use crate::storyboard::parse;

/// What `check` says of a story under a storyboard.
fn said(text: &str, claim: &Claim<'_>) -> String {
    let board = parse(Source { name: "house".into(), text: text.into() }).unwrap();
    let all = violations(&board, claim);
    let first = check(&board, claim).err();
    assert_eq!(first.as_ref(), all.first(), "the first of all");
    let Some(first) = first else { return "nothing".to_owned() };
    let said = first.to_string();
    // What is held instead is not what these tests are about.
    said.split(": at the end").next().unwrap_or_default().to_owned()
}
