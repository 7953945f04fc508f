//! Named shares below each other, as bars with intervals.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{AXIS, GRID, INK, NAMES_WIDTH, Root, colour, percent, shortened, text};

/// The height of a bar with the space around it.
const ROW_HEIGHT: u32 = 24;
/// The height of the space above and below the bars.
const AROUND: u32 = 64;
/// The width of the space for figures, to the right of all bars.
const FIGURES_WIDTH: u32 = 64;

/// An axis that ends before this share has marks between whole percents.
const FINE: f64 = 0.05;

/// Shares, each with a name of its own, from top to bottom.
///
/// ```
/// use storysim::page::{Plot, Rank, Ranks};
/// let rank = Rank { name: "guess".into(), share: 0.25, interval: Some((0.2, 0.3)), ..Rank::default() };
/// let ranks = Ranks { x: "accuracy".into(), end: 1.0, ranks: vec![rank], ..Ranks::default() };
/// assert!(Plot::Ranks(ranks).svg().contains("25.0%"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks {
    /// The label of the axis of shares.
    pub x: String,
    /// Where the axis ends; it begins at 0.
    pub end: f64,
    /// What the colours stand for; empty if there is only one colour and it needs no explanation.
    pub series: Vec<String>,
    /// The bars, from top to bottom.
    pub ranks: Vec<Rank>,
    /// A level to compare with, drawn as a dashed line.
    pub level: Option<f64>,
}

/// A share with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rank {
    /// The name beside the bar.
    pub name: String,
    /// The index of the series that the bar belongs to.
    pub series: usize,
    /// The share that the bar shows.
    pub share: f64,
    /// The interval of the share, if it has one.
    pub interval: Option<(f64, f64)>,
}

impl Ranks {
    /// The height of the picture.
    pub(super) fn height(&self) -> u32 {
        let count = u32::try_from(self.ranks.len()).unwrap_or(u32::MAX);
        count.saturating_mul(ROW_HEIGHT).saturating_add(AROUND).min(u32::MAX / 2)
    }

    pub(super) fn draw(&self, root: &Root<'_>) -> Result<(), String> {
        let count = self.ranks.len() as f64;
        let mut builder = ChartBuilder::on(root);
        builder.margin(8).x_label_area_size(44).margin_left(NAMES_WIDTH).margin_right(FIGURES_WIDTH);
        let mut chart =
            builder.build_cartesian_2d(0.0..self.end, count.max(f64::MIN_POSITIVE)..0.0).map_err(text)?;
        let is_fine = self.end < FINE;
        let letters = ("sans-serif", 15).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(AXIS)
            .label_style(letters.clone())
            .axis_desc_style(letters.clone())
            .x_desc(&self.x)
            .x_labels(6)
            .x_label_formatter(&|share| {
                if is_fine { format!("{:.1}%", share * 100.0) } else { percent(share) }
            })
            .draw()
            .map_err(text)?;
        for (at, rank) in self.ranks.iter().enumerate() {
            let middle = at as f64 + 0.5;
            let bar = Rectangle::new(
                [(0.0, middle - 0.32), (rank.share, middle + 0.32)],
                colour(rank.series).filled(),
            );
            chart.draw_series([bar]).map_err(text)?;
            if let Some((low, high)) = rank.interval {
                let ink = INK.stroke_width(1);
                let end = |x: f64| PathElement::new([(x, middle - 0.18), (x, middle + 0.18)], ink);
                let whisker = [PathElement::new([(low, middle), (high, middle)], ink), end(low), end(high)];
                chart.draw_series(whisker).map_err(text)?;
            }
            let beside = letters.clone().pos(Pos::new(HPos::Right, VPos::Center));
            let (x, y) = chart.backend_coord(&(0.0, middle));
            root.draw_text(&shortened(&rank.name), &beside, (x - 8, y)).map_err(text)?;
            let (x, _) = chart.backend_coord(&(self.end, middle));
            let figures = format!("{:.1}%", rank.share * 100.0);
            root.draw_text(&figures, &beside, (x + FIGURES_WIDTH as i32 - 6, y)).map_err(text)?;
        }
        // Over the bars, so that it can be seen where they pass it.
        if let Some(level) = self.level {
            let ends = [(level, 0.0), (level, count)];
            chart.draw_series(DashedLineSeries::new(ends, 5, 4, INK.stroke_width(1))).map_err(text)?;
        }
        Ok(())
    }
}
