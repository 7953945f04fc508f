//! Whether parts of a dataset go together.

use std::collections::BTreeSet;

use crate::files::Manifest;

/// The largest number of missing parts that are listed.
const SHOWN_MAX: usize = 20;

/// The reasons why these are not all the parts of one dataset.
pub fn agreement(parts: &[Manifest]) -> Vec<String> {
    let mut problems = Vec::new();
    let Some(first) = parts.first() else { return problems };
    for other in &parts[1..] {
        for difference in first.differences(other) {
            problems.push(format!(
                "{} and {} belong to different datasets: {}",
                first.file_name(),
                other.file_name(),
                difference.replace(" there", "").replace(" now", "")
            ));
        }
    }
    let totals: BTreeSet<u64> = parts.iter().filter_map(|part| Some(part.part?[1])).collect();
    if totals.len() > 1 {
        let totals: Vec<String> = totals.iter().map(u64::to_string).collect();
        problems.push(format!(
            "the parts overlap: the dataset is divided into {} parts",
            totals.join(" and into ")
        ));
        return problems;
    }
    let there: BTreeSet<u64> = parts.iter().filter_map(|part| Some(part.part?[0])).collect();
    for total in totals {
        let missing: Vec<u64> = (0..total).filter(|part| !there.contains(part)).collect();
        if !missing.is_empty() {
            let shown: Vec<String> =
                missing.iter().take(SHOWN_MAX).map(|part| format!("{part}/{total}")).collect();
            let more = if missing.len() > SHOWN_MAX { ", …" } else { "" };
            let (parts, are) = if missing.len() == 1 { ("part", "is") } else { ("parts", "are") };
            problems.push(format!("{parts} {}{more} {are} missing", shown.join(", ")));
        }
    }
    problems
}
