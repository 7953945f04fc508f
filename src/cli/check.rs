//! `storysim check`: whether storyboards and packs can be used, and what is to be known of them.

use std::time::Instant;

use super::boards::{compile_aloud, load_all};
use super::packs::packs_text;
use super::report::{details, overview};
use super::shortcuts::known_shortcuts;
use super::{CheckArguments, Failure, ReportFormat, look, print};
use crate::folder::variants;
use crate::select::Admitted;
use crate::storyboard::Giveaways;
use crate::survey::survey;

pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let (boards, packs) = load_all(&arguments.boards, arguments.format)?;
    if boards.is_empty() && !arguments.settings.is_empty() {
        return Err(Failure::Usage("--set needs a storyboard: packs have no parameters".into()));
    }
    print(&packs_text(&packs, arguments.format, look(&std::io::stdout())))?;
    let variants = variants(&boards, &arguments.settings)?;
    let look = look(&std::io::stdout());
    let mut said = Vec::new();
    let mut outcome = Ok(());
    let mut surveys = Vec::new();
    for variant in &variants {
        let started = Instant::now();
        match compile_aloud(variant, &mut said, arguments.format, arguments.format != ReportFormat::Text) {
            Ok(Admitted { family, acceptance }) => {
                let seconds = started.elapsed().as_secs_f64();
                let survey = survey(variant.board, &family, acceptance.as_ref());
                if arguments.format == ReportFormat::Json {
                    let mut json = serde_json::to_value(&survey).expect("a survey is JSON");
                    json["compile_seconds"] = seconds.into();
                    if let Some(found) = Giveaways::built_in().of_text(&variant.board.source.text) {
                        json["shortcuts"] = serde_json::to_value(found).expect("figures are JSON");
                    }
                    print(&format!("{json}\n"))?;
                }
                let known = known_shortcuts(&variant.board.source.text, !variant.settings.is_empty());
                surveys.push((variant.name(), survey, known, seconds));
            }
            Err(failure) => outcome = Err(failure),
        }
    }
    if arguments.format == ReportFormat::Text && !surveys.is_empty() {
        if !packs.is_empty() {
            print("\n")?;
        }
        print(&overview(&surveys, look))?;
        if let [(_, survey, known, seconds)] = &surveys[..] {
            print(&details(survey, known, *seconds, look))?;
        }
    }
    outcome
}
