//! What is known of a storyboard's shortcuts, in words.

use crate::storyboard::{Found, Giveaway, Giveaways, Learner};

/// The shortcut that is shown where there is room for one, and whether it begins to follow a mind.
pub fn shown(found: &Giveaway) -> (&Found, bool) {
    found.telling_beginning().map_or((&found.shortcut, false), |beginning| (beginning, true))
}

/// What is known of a storyboard's shortcuts, in a line. Figures are those of the default values of parameters.
pub fn known_shortcuts(text: &str, is_set: bool) -> String {
    let Some(found) = Giveaways::built_in().of_text(text) else {
        return "Known shortcuts: none were looked for; `storysim audit` finds them in rows\n".to_owned();
    };
    let told = |found: &Found| format!("{} {} points over chance", found.told(), found.points());
    let mut parts = vec![told(&found.shortcut)];
    parts.extend(found.telling_beginning().map(told));
    if let Some((of, learned)) = found.learner.as_ref().map(Learner::best) {
        parts.push(format!("a learner without minds {} ({of})", learned.points()));
    }
    let remark = if is_set { "    with the default values of parameters, not with these\n" } else { "" };
    format!("Known shortcuts: {}\n{remark}", parts.join("; "))
}
