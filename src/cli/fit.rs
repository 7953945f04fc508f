//! `storysim fit`: finds out how stories are to be balanced, and keeps it.

use super::boards::{admit_twins_aloud, compile_aloud, load};
use super::output::write_text;
use super::{Failure, FitArguments, ReportFormat, say};
use crate::folder::variants;
use crate::load::path_of_weights;
use crate::select::Fits;
use crate::storyboard::BUILT_IN;

pub fn fit(arguments: &FitArguments) -> Result<(), Failure> {
    let is_built_in = BUILT_IN.iter().any(|built_in| built_in.name == arguments.board);
    if is_built_in && arguments.out.is_none() {
        let message = format!("{} is built in; give --out to name the file to write", arguments.board);
        return Err(Failure::Usage(message));
    }
    let path = arguments.out.clone().unwrap_or_else(|| path_of_weights(&arguments.board));
    let mut boards = load(std::slice::from_ref(&arguments.board), ReportFormat::Text)?;
    // What cannot be read is of another version, and found again.
    let mut fits = boards[0].weights.as_deref().and_then(|text| Fits::read(text).ok()).unwrap_or_default();
    boards[0].weights = Some(fits.write());
    let mut said = Vec::new();
    for variant in &variants(&boards, &arguments.settings)? {
        if variant.board.balance.is_none() {
            return Err(Failure::Usage(format!("{} has no `balance` to fit", variant.name())));
        }
        let family = compile_aloud(variant, &mut said, ReportFormat::Text, false)?.family;
        let family = match arguments.twins {
            Some(twins) => admit_twins_aloud(variant, (family, twins), &mut said, false)?,
            None => family,
        };
        fits.add(family.plans(), family.weights().clone());
    }
    write_text(&path, &fits.write())?;
    say(&format!("{} is written\n", path.display()));
    Ok(())
}
