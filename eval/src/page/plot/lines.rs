//! Shares along an axis of numbers, as lines with bands.

use plotters::prelude::*;

use super::{AXIS, GRID, INK, Root, colour, marker, percent, text};

/// The largest number of labels along an axis.
const X_LABELS_MAX: usize = 10;

/// Shares, from 0 to 1, along an axis of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The label of the axis of numbers.
    pub x: String,
    /// The label of the axis of shares.
    pub y: String,
    /// The lines of the plot.
    pub series: Vec<Series>,
    /// A level to compare with, drawn as a dashed line: at numbers of the axis, or, if there is one alone, everywhere.
    pub chance: Vec<(f64, f64)>,
}

/// A line of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name of the line.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// A share with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The position along the axis.
    pub x: f64,
    /// The share at this point.
    pub y: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl Lines {
    /// The first and last number of the axis.
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

    pub(super) fn draw(&self, root: &Root<'_>) -> Result<(), String> {
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
            .x_labels(((high - low) as usize).clamp(2, X_LABELS_MAX))
            // What is along the axis is counted: between two numbers there is none.
            .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x:.0}") } else { String::new() })
            .y_label_formatter(&percent)
            .y_labels(6)
            .draw()
            .map_err(text)?;
        let level = match self.chance[..] {
            [(_, chance)] => vec![(low, chance), (high, chance)],
            _ => self.chance.clone(),
        };
        let level = DashedLineSeries::new(level, 6, 5, AXIS.stroke_width(1));
        chart.draw_series(level).map_err(text)?;
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
