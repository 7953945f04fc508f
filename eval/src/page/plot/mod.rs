//! Plots as SVG.
//!
//! They are drawn for light paper. Ink and paper have colours that nothing else has, so the style sheet can swap them. The
//! colours of the data differ from both.

mod columns;
mod heat;
mod lines;
mod ranks;
mod stack;

use std::fmt::Display;

use plotters::coord::Shift;
use plotters::prelude::*;

pub use columns::Columns;
pub use heat::HeatMap;
pub use lines::{Lines, Point, Series};
pub use ranks::{Rank, Ranks};
pub use stack::{Bar, Stack};

const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
const AXIS: RGBColor = RGBColor(0x57, 0x60, 0x6a);
const GRID: RGBColor = RGBColor(0xd0, 0xd7, 0xde);
const PAPER: RGBColor = RGBColor(0xfe, 0xfe, 0xfe);

/// The colours that the style sheet changes on dark paper.
#[cfg(test)]
pub(super) const OF_PAPER: [RGBColor; 4] = [INK, AXIS, GRID, PAPER];

/// The colours of data: equally far from white and black, so that they work on both, and white text is readable on each.
pub const COLOURS: [(u8, u8, u8); 16] = [
    (0x1f, 0x6f, 0xb4),
    (0xb5, 0x56, 0x0b),
    (0x2e, 0x7d, 0x32),
    (0xa8, 0x42, 0x8f),
    (0x0b, 0x7c, 0x86),
    (0xc2, 0x3b, 0x3b),
    (0x6a, 0x55, 0xc2),
    (0x6b, 0x73, 0x00),
    (0x7d, 0x5a, 0x3c),
    (0x9c, 0x4a, 0x60),
    (0x76, 0x76, 0x76),
    (0x50, 0x6b, 0x86),
    (0x8a, 0x6d, 0x1f),
    (0x8b, 0x3f, 0xb0),
    (0x1a, 0x7a, 0x5e),
    (0xb0, 0x3a, 0x6f),
];

const WIDTH: u32 = 800;
const HEIGHT: u32 = 380;
const HEIGHT_LOW: u32 = 260;
const BAR_HEIGHT: u32 = 34;
/// The width that is reserved for the names of bars.
const NAMES_WIDTH: u32 = 240;
const NAME_LETTERS_MAX: usize = 34;

/// A plot of shares, in one of several forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Shares along a line.
    Lines(Lines),
    /// Shares that add up.
    Stack(Stack),
    /// Shares with names, from top to bottom.
    Ranks(Ranks),
    /// Shares along an axis of names.
    Columns(Columns),
    /// Shares in a grid.
    HeatMap(HeatMap),
}

fn colour(at: usize) -> RGBColor {
    let (red, green, blue) = COLOURS[at % COLOURS.len()];
    RGBColor(red, green, blue)
}

impl Plot {
    /// The names of the things that have a colour.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Lines(lines) => lines.series.iter().map(|series| series.name.as_str()).collect(),
            Self::Stack(stack) => stack.segments.iter().map(|(_, name)| name.as_str()).collect(),
            Self::Ranks(ranks) => ranks.series.iter().map(String::as_str).collect(),
            Self::Columns(_) | Self::HeatMap(_) => Vec::new(),
        }
    }

    /// A small picture of how a named thing is drawn in a plot.
    pub(super) fn swatch(&self, at: usize) -> String {
        let number = match self {
            Self::Lines(_) => return drawn((14, 14), |root| marker(root, at, (7, 7))),
            Self::Stack(stack) => stack.segments[at].0,
            Self::Ranks(_) | Self::Columns(_) | Self::HeatMap(_) => at,
        };
        let square = Rectangle::new([(1, 2), (12, 13)], colour(number).filled());
        drawn((14, 14), |root| root.draw(&square).map_err(text))
    }

    /// The plot as an SVG element.
    ///
    /// ```
    /// use storysim::page::{Lines, Plot, Point, Series};
    /// let point = |x: f64| Point { x, y: x / 100.0, low: 0.0, high: 1.0 };
    /// let series = vec![Series { name: "one".into(), points: vec![point(10.0), point(90.0)] }];
    /// let lines = Lines { x: "steps".into(), y: "accuracy".into(), series, chance: vec![(0.0, 0.5)] };
    /// let svg = Plot::Lines(lines).svg();
    /// assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    /// ```
    pub fn svg(&self) -> String {
        match self {
            Self::Lines(lines) => drawn((WIDTH, HEIGHT), |root| lines.draw(root)),
            Self::Stack(stack) => {
                let height =
                    60 + BAR_HEIGHT * u32::try_from(stack.bars.len()).unwrap_or(u32::MAX / BAR_HEIGHT - 2);
                drawn((WIDTH, height), |root| stack.draw(root))
            }
            Self::Ranks(ranks) => drawn((WIDTH, ranks.height()), |root| ranks.draw(root)),
            Self::Columns(columns) => drawn((WIDTH, HEIGHT_LOW), |root| columns.draw(root)),
            Self::HeatMap(map) => drawn((WIDTH, map.height()), |root| map.draw(root)),
        }
    }
}

type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The message of a drawing error, which cannot happen when drawing into text.
fn text(error: impl Display) -> String {
    error.to_string()
}

fn drawn(size: (u32, u32), draw: impl FnOnce(&Root<'_>) -> Result<(), String>) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&root).and_then(|()| root.present().map_err(text)).expect("drawing into a string does not fail");
    }
    svg
}

/// A mark at a point of a line. Every line has its own, so that lines can be told apart without colours.
fn marker(root: &Root<'_>, at: usize, place: (i32, i32)) -> Result<(), String> {
    let style = colour(at).filled();
    let (x, y) = place;
    match at % 4 {
        0 => root.draw(&Circle::new(place, 4, style)),
        1 => root.draw(&TriangleMarker::new(place, 5, style)),
        2 => root.draw(&Rectangle::new([(x - 3, y - 3), (x + 4, y + 4)], style)),
        _ => root.draw(&Cross::new(place, 4, colour(at).stroke_width(2))),
    }
    .map_err(text)
}

fn percent(share: &f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The name, shortened if it is too long.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS_MAX {
        return name.to_owned();
    }
    name.chars().take(NAME_LETTERS_MAX - 1).chain(['…']).collect()
}
