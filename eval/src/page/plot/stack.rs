//! Shares that add up, as bars of segments.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{AXIS, GRID, INK, NAMES_WIDTH, PAPER, Root, colour, percent, shortened, text};

/// The smallest share for which a segment has room for its number.
const LABELLED_MIN: f64 = 0.055;

/// Shares that add up to at most 1, as bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// The label of the axis of shares.
    pub x: String,
    /// The segments, each with the number of its colour in [`COLOURS`](super::COLOURS).
    pub segments: Vec<(usize, String)>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar that consists of segments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// The name beside the bar.
    pub name: String,
    /// The share of each segment.
    pub shares: Vec<f64>,
}

impl Stack {
    pub(super) fn draw(&self, root: &Root<'_>) -> Result<(), String> {
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
