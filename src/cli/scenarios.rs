//! A story in scenarios as tables: what was announced to whom, and what becomes of those who are asked about.

use std::fmt::Write;

use comfy_table::{Cell, CellAlignment, Color, ColumnConstraint, Table, Width};

use super::report::{header, table};
use crate::id::CharacterId;
use crate::question::Origin;
use crate::render::Look;
use crate::text::{EndInWords, FateInWords, LifeInWords, ScenarioInWords, ScenariosInWords};

/// The largest number of lives that are shown. A question has as many choices.
pub const LIVES_MAX: usize = 5;

/// The least width of a column of states, and the largest of one that says which life it is, what is heard, or what is felt.
const WIDTH_MIN: usize = 12;
const WIDTH_MAX: usize = 16;

const TITLES: [&str; 6] = ["life", "heard", "thinks", "feels", "wants", "does"];

/// What is to be known before the tables, a paragraph a text.
pub fn preface(of: &ScenariosInWords) -> Vec<String> {
    let mut texts = Vec::new();
    for prospect in &of.prospects {
        let mut text = format!("What matters is {}.", prospect.about);
        for (number, (side, wanted_by)) in (1..).zip(prospect.sides.iter().zip(&prospect.wanted_by)) {
            let wanted_by: Vec<String> = wanted_by.iter().map(|&who| name(of, who).to_owned()).collect();
            let wanted = match wanted_by.as_slice() {
                [] => String::new(),
                [one] => format!(", as {one} wants"),
                all => format!(", as {} want", all.join(" and ")),
            };
            write!(text, " Side {number}: {side}{wanted}.").expect("a string takes all");
        }
        texts.push(text);
    }
    texts.push(
        "Open: something can still be done about it. Final: nothing can be done about it any more."
            .to_owned(),
    );
    texts.extend(of.fates.iter().any(|fate| fate.is_by_lives).then(|| {
        "The row “as it is” is the life that is led. The others might have been led, had other news been heard."
            .to_owned()
    }));
    texts.extend(of.fates.iter().any(|fate| !fate.is_by_lives).then(|| {
        "“as it is”: what follows from what came to be thought, at the steps under “heard”. “like Ann”: what would follow \
         from what Ann came to think. “drawn”: what would follow from other announcements, which are drawn anew; questions \
         may offer more of these."
            .replace("Ann", name(of, of.people[0].who))
    }));
    texts
}

/// The name of somebody.
pub fn name(of: &ScenariosInWords, who: CharacterId) -> &str {
    of.people.iter().find(|person| person.who == who).map_or("", |person| &person.name)
}

/// Whose states are told of, and as whom: "Ann", "Ann, as seen by Bob".
pub fn title(of: &ScenariosInWords, fate: &FateInWords) -> String {
    let (who, outer) = fate.minds.split_last().expect("somebody's states");
    let seen = outer.iter().rev().map(|&mind| format!(", as seen by {}", name(of, mind)));
    let about = if of.prospects.len() > 1 {
        format!(", about {}", of.prospects[fate.prospect].name)
    } else {
        String::new()
    };
    name(of, *who).to_owned() + &about + &seen.collect::<String>()
}

/// Which life it is.
fn life(of: &ScenariosInWords, life: &LifeInWords) -> String {
    match life.origin {
        Origin::Own => "as it is".to_owned(),
        Origin::Led(number) => format!("life {}", number + 1),
        Origin::Other(who) => format!("like {}", name(of, who)),
        Origin::Drawn => "drawn".to_owned(),
    }
}

/// The news of a scenario, and who heard it.
pub fn news(of: &ScenariosInWords, scenario: &ScenarioInWords, look: Look) -> Table {
    let mut news = table(look);
    news.set_header(header(&["step", "news", "heard by"], look));
    for piece in &scenario.news {
        let about = if of.prospects.len() > 1 {
            format!("{}: ", of.prospects[piece.prospect].name)
        } else {
            String::new()
        };
        let verb = if piece.is_announced { "announces" } else { "tells" };
        let heard_by: Vec<&str> = piece.heard_by.iter().map(|&who| name(of, who)).collect();
        let heard_by = if heard_by.is_empty() { "nobody".to_owned() } else { heard_by.join(", ") };
        news.add_row([
            Cell::new(piece.step).set_alignment(CellAlignment::Right),
            Cell::new(format!("{} {verb}: {about}{}", name(of, piece.by), piece.case)),
            Cell::new(heard_by),
        ]);
    }
    news
}

/// What somebody thinks, feels, wants and does at the end of a scenario, in each life.
pub fn ends(of: &ScenariosInWords, fate: &FateInWords, scenario: usize, look: Look) -> Table {
    let mut ends = table(look);
    ends.set_header(header(&TITLES, look));
    for one in fate.lives.iter().take(LIVES_MAX) {
        let is_own = one.origin == Origin::Own;
        let coloured = |text: String| {
            let cell = Cell::new(text);
            if is_own && look.colour { cell.fg(Color::Green) } else { cell }
        };
        ends.add_row(cells(of, one, scenario).map(coloured));
    }
    for (column, width) in ends.column_iter_mut().zip(widths(of, fate, look.width)) {
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    ends
}

/// What is said of a life at the end of a scenario: which life it is, what is heard, thought, felt, wanted and done.
pub fn cells(of: &ScenariosInWords, one: &LifeInWords, scenario: usize) -> [String; 6] {
    let end = &one.ends[scenario];
    let [_, feels, wants, does] = &end.states;
    let unclear = |state: &Option<String>| state.clone().unwrap_or_else(|| "unclear".to_owned());
    [
        life(of, one),
        steps(&end.heard),
        thinks(end, one.origin == Origin::Own),
        unclear(feels),
        unclear(wants),
        unclear(does),
    ]
}

/// The widths of the columns, the same for all scenarios: the short ones as wide as they need be, and the others share the rest.
fn widths(of: &ScenariosInWords, fate: &FateInWords, width: usize) -> [u16; 6] {
    let mut widths = TITLES.map(|title| title.len() + 2);
    for one in fate.lives.iter().take(LIVES_MAX) {
        for scenario in 0..one.ends.len() {
            for (width, cell) in widths.iter_mut().zip(cells(of, one, scenario)) {
                *width = (*width).max(cell.chars().count() + 2).min(WIDTH_MAX);
            }
        }
    }
    let short = widths[0] + widths[1] + widths[3];
    let long = (width.saturating_sub(short) / 3).max(WIDTH_MIN);
    [widths[0], widths[1], long, widths[3], long, long].map(|width| u16::try_from(width).unwrap_or(u16::MAX))
}

/// What somebody thinks, with what she expected before; and whether that is not so, if that matters.
fn thinks(end: &EndInWords, says_whether: bool) -> String {
    let Some(thinks) = &end.states[0] else { return "unclear".to_owned() };
    let expected = end.expected.as_ref().map(|side| format!("; expected {side}"));
    let is_false = if says_whether && end.is_false { " (not so)" } else { "" };
    format!("{thinks}{is_false}{}", expected.unwrap_or_default())
}

/// Steps in a row: "3, 7", or a dash.
pub fn steps(steps: &[usize]) -> String {
    let steps: Vec<String> = steps.iter().map(usize::to_string).collect();
    if steps.is_empty() { "-".to_owned() } else { steps.join(", ") }
}
