//! A good story passes, and for every rule one that breaks it is refused.

mod deeds;
mod moves;

use super::{Claim, check};
use crate::diagnostic::Source;
use crate::storyboard::parse;

/// What `check` says of a story under a storyboard.
fn said(text: &str, claim: &Claim<'_>) -> String {
    let board = parse(Source { name: "house".into(), text: text.into() }).unwrap();
    check(&board, claim).map_or_else(|violation| violation.to_string(), |()| "nothing".to_owned())
}
