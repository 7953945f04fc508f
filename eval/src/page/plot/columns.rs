//! Shares beside each other, as columns: a histogram.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{AXIS, GRID, INK, Root, colour, percent, text};

/// The largest number of columns for which there is room for names and figures.
const NAMED_MAX: usize = 14;

/// Shares along an axis of names.
///
/// ```
/// use storysim::page::{Columns, Plot};
/// let columns = vec![("first half".to_owned(), 0.75), ("second half".to_owned(), 0.25)];
/// assert!(Plot::Columns(Columns { columns, ..Columns::default() }).svg().contains("second half"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The label of the axis of names.
    pub x: String,
    /// The label of the axis of shares.
    pub y: String,
    /// The columns: a name and a share each, from left to right.
    pub columns: Vec<(String, f64)>,
    /// A level to compare with, drawn as a dashed line.
    pub level: Option<f64>,
}

impl Columns {
    /// The end of the axis of shares, above the highest column.
    fn end(&self) -> f64 {
        let highest = self.columns.iter().map(|(_, share)| *share).chain(self.level).fold(0.0, f64::max);
        if highest > 0.0 { highest * 1.05 } else { 1.0 }
    }

    pub(super) fn draw(&self, root: &Root<'_>) -> Result<(), String> {
        let count = self.columns.len() as f64;
        let mut builder = ChartBuilder::on(root);
        builder.margin(12).x_label_area_size(66).y_label_area_size(58);
        let mut chart =
            builder.build_cartesian_2d(0.0..count.max(f64::MIN_POSITIVE), 0.0..self.end()).map_err(text)?;
        let letters = ("sans-serif", 15).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(AXIS)
            .label_style(letters.clone())
            .axis_desc_style(letters.clone())
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_labels(0)
            .y_label_formatter(&percent)
            .y_labels(6)
            .draw()
            .map_err(text)?;
        let (_, floor) = chart.backend_coord(&(0.0, 0.0));
        // Where columns are narrow, some have a name, and none has figures.
        let step = self.columns.len().div_ceil(NAMED_MAX);
        for (at, (name, share)) in self.columns.iter().enumerate() {
            let left = at as f64;
            let column = Rectangle::new([(left + 0.1, 0.0), (left + 0.9, *share)], colour(0).filled());
            chart.draw_series([column]).map_err(text)?;
            if at % step > 0 {
                continue;
            }
            // Both below, where no line passes.
            let (x, _) = chart.backend_coord(&(left + 0.5, 0.0));
            let below = letters.clone().pos(Pos::new(HPos::Center, VPos::Top));
            root.draw_text(name, &below, (x, floor + 5)).map_err(text)?;
            if step == 1 {
                root.draw_text(&format!("{:.1}%", share * 100.0), &below, (x, floor + 21)).map_err(text)?;
            }
        }
        if let Some(level) = self.level {
            let ends = [(0.0, level), (count, level)];
            chart.draw_series(DashedLineSeries::new(ends, 6, 5, INK.stroke_width(1))).map_err(text)?;
        }
        Ok(())
    }
}
