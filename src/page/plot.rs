//! Plots as SVG.
//!
//! They are drawn for light paper. What is ink and paper has colours that nothing else has, so that the style sheet can
//! turn them; those of the data can be told from both.

use std::fmt::Display;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
const AXIS: RGBColor = RGBColor(0x57, 0x60, 0x6a);
const GRID: RGBColor = RGBColor(0xd0, 0xd7, 0xde);
const PAPER: RGBColor = RGBColor(0xfe, 0xfe, 0xfe);

/// The colours that the style sheet turns.
#[cfg(test)]
pub(super) const OF_PAPER: [RGBColor; 4] = [INK, AXIS, GRID, PAPER];

/// The colours of data: all as far from white as from black, so that they hold on both; white can be read on each.
pub const COLOURS: [(u8, u8, u8); 13] = [
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
];

const WIDTH: u32 = 800;
const HEIGHT: u32 = 380;
const BAR_HEIGHT: u32 = 34;
/// The names of bars take so much room, and no more letters.
const NAMES_WIDTH: u32 = 240;
const NAME_LETTERS_MAX: usize = 34;
/// A segment narrower than that has no room for its number.
const LABELLED_MIN: f64 = 0.055;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Shares along a line.
    Lines(Lines),
    /// Shares that add up.
    Stack(Stack),
}

/// Shares, from 0 to 1, along an axis of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// What is along the axis.
    pub x: String,
    /// What the shares are.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
    /// A level to compare with, drawn as a dashed line.
    pub chance: Option<f64>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// A share with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where on the axis.
    pub x: f64,
    /// The share.
    pub y: f64,
    /// Where its interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Shares that add up to at most 1, as bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// What the shares are of.
    pub x: String,
    /// The segments, each with the number of its colour in [`COLOURS`].
    pub segments: Vec<(usize, String)>,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// The share of each segment.
    pub shares: Vec<f64>,
}

fn colour(at: usize) -> RGBColor {
    let (red, green, blue) = COLOURS[at % COLOURS.len()];
    RGBColor(red, green, blue)
}

impl Plot {
    /// The names of what has a colour.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Lines(lines) => lines.series.iter().map(|series| series.name.as_str()).collect(),
            Self::Stack(stack) => stack.segments.iter().map(|(_, name)| name.as_str()).collect(),
        }
    }

    /// A small picture of what is in a plot under a name.
    pub(super) fn swatch(&self, at: usize) -> String {
        drawn((14, 14), |root| match self {
            Self::Lines(_) => marker(root, at, (7, 7)),
            Self::Stack(stack) => root
                .draw(&Rectangle::new([(1, 2), (12, 13)], colour(stack.segments[at].0).filled()))
                .map_err(text),
        })
    }

    /// The plot as an SVG element.
    ///
    /// ```
    /// use storysim::page::{Lines, Plot, Point, Series};
    /// let point = |x: f64| Point { x, y: x / 100.0, low: 0.0, high: 1.0 };
    /// let series = vec![Series { name: "one".into(), points: vec![point(10.0), point(90.0)] }];
    /// let lines = Lines { x: "steps".into(), y: "accuracy".into(), series, chance: Some(0.5) };
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
        }
    }
}

type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What a drawing says when it fails, which text does not.
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

/// Where a line passes: every line has a mark of its own, so that it can be told without colours.
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

impl Lines {
    /// From where to where the axis goes.
    fn range(&self) -> (f64, f64) {
        let points = || self.series.iter().flat_map(|series| &series.points).map(|point| point.x);
        let (low, high) =
            (points().fold(f64::INFINITY, f64::min), points().fold(f64::NEG_INFINITY, f64::max));
        if low > high {
            return (0.0, 1.0);
        }
        let room = ((high - low) * 0.03).max(0.5);
        (low - room, high + room)
    }

    fn draw(&self, root: &Root<'_>) -> Result<(), String> {
        let (low, high) = self.range();
        let mut builder = ChartBuilder::on(root);
        builder.margin(12).x_label_area_size(46).y_label_area_size(58);
        let mut chart = builder.build_cartesian_2d(low..high, 0.0..1.0_f64).map_err(text)?;
        let letters = ("sans-serif", 15).into_font().color(&INK);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(AXIS)
            .label_style(letters.clone())
            .axis_desc_style(letters)
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&percent)
            .y_labels(6)
            .draw()
            .map_err(text)?;
        if let Some(chance) = self.chance {
            let level = DashedLineSeries::new([(low, chance), (high, chance)], 6, 5, AXIS.stroke_width(1));
            chart.draw_series(level).map_err(text)?;
        }
        for (at, series) in self.series.iter().enumerate() {
            let points = || series.points.iter();
            let upper = points().map(|point| (point.x, point.high));
            let band: Vec<(f64, f64)> =
                upper.chain(points().rev().map(|point| (point.x, point.low))).collect();
            if series.points.len() > 1 {
                let band = Polygon::new(band, colour(at).mix(0.2).filled());
                chart.draw_series([band]).map_err(text)?;
            } else {
                chart.draw_series([PathElement::new(band, colour(at).stroke_width(2))]).map_err(text)?;
            }
            let line = points().map(|point| (point.x, point.y));
            chart.draw_series(LineSeries::new(line, colour(at).stroke_width(2))).map_err(text)?;
            for point in points() {
                marker(root, at, chart.backend_coord(&(point.x, point.y)))?;
            }
        }
        Ok(())
    }
}

impl Stack {
    fn draw(&self, root: &Root<'_>) -> Result<(), String> {
        let count = self.bars.len() as f64;
        let mut builder = ChartBuilder::on(root);
        builder.margin(8).x_label_area_size(44).margin_left(NAMES_WIDTH).margin_right(24);
        let mut chart = builder.build_cartesian_2d(0.0..1.0_f64, count..0.0).map_err(text)?;
        let letters = ("sans-serif", 15).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(AXIS)
            .label_style(letters.clone())
            .axis_desc_style(letters.clone())
            .x_desc(&self.x)
            .x_label_formatter(&percent)
            .draw()
            .map_err(text)?;
        for (at, bar) in self.bars.iter().enumerate() {
            let top = at as f64;
            let mut from = 0.0;
            for ((number, _), share) in
                self.segments.iter().zip(&bar.shares).filter(|(_, share)| **share > 0.0)
            {
                let corners = [(from, top + 0.12), (from + share, top + 0.88)];
                let drawn = [
                    Rectangle::new(corners, colour(*number).filled()),
                    Rectangle::new(corners, PAPER.stroke_width(1)),
                ];
                chart.draw_series(drawn).map_err(text)?;
                if *share >= LABELLED_MIN {
                    let white = ("sans-serif", 14)
                        .into_font()
                        .color(&WHITE)
                        .pos(Pos::new(HPos::Center, VPos::Center));
                    let middle = chart.backend_coord(&(from + share / 2.0, top + 0.5));
                    root.draw_text(&percent(share), &white, middle).map_err(text)?;
                }
                from += share;
            }
            let beside = letters.clone().pos(Pos::new(HPos::Right, VPos::Center));
            let (x, y) = chart.backend_coord(&(0.0, top + 0.5));
            root.draw_text(&shortened(&bar.name), &beside, (x - 8, y)).map_err(text)?;
        }
        Ok(())
    }
}

/// A name that fits.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS_MAX {
        return name.to_owned();
    }
    name.chars().take(NAME_LETTERS_MAX - 1).chain(['…']).collect()
}
