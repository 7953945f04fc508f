//! What is known of a storyboard's shortcuts, in words.

use crate::storyboard::{Found, Giveaway, Giveaways, Learner};

/// The shortcut that is shown where there is room for one, and whether it begins to follow a mind.
pub fn shown(found: &Giveaway) -> (&Found, bool) {
    found.telling_beginning().map_or((&found.shortcut, false), |beginning| (beginning, true))
}

/// What is known of a storyboard's shortcuts, a short line for each. Figures are those of the default values of parameters.
pub fn known_shortcuts(text: &str, is_set: bool) -> String {
    let Some(found) = Giveaways::built_in().of_text(text) else {
        return "Known shortcuts: none were looked for; `storysim audit` finds them in rows\n".to_owned();
    };
    let (name, points) = (found.shortcut.told(), found.shortcut.points());
    let mut lines = vec![format!("{name} {points} points over chance ({})", found.shortcut.asked())];
    if let Some(beginning) = found.telling_beginning() {
        lines.push(format!("{} {}, which begins to follow a mind", beginning.told(), beginning.points()));
    }
    if let Some((of, learned)) = found.learner.as_ref().map(Learner::best) {
        let (points, asked) = (learned.points(), learned.asked());
        lines.push(format!("a learner without minds {points} ({asked}; it is shown {})", seen(of)));
    }
    if is_set {
        lines.push("(with the default values of parameters, not with these)".to_owned());
    }
    format!("Known shortcuts: {}\n", lines.join("\n  "))
}

/// What a learner is shown, in words.
fn seen(of: &str) -> &'static str {
    match of {
        "surface" => "the text",
        "target" => "the target",
        "minds" => "one mind",
        _ => "all on one clock",
    }
}
