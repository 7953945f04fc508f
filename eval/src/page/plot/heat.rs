//! Shares in a grid, as coloured cells: a heat map.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{AXIS, GRID, INK, NAMES_WIDTH, PAPER, Root, WIDTH, percent, shortened, text};

/// The colours of the shares 0 and 1. All others lie between them: one hue, from light to dark, so that a map can be read
/// without colours, too.
const ENDS: [RGBColor; 2] = [RGBColor(0xdc, 0xe9, 0xf6), RGBColor(0x08, 0x30, 0x6b)];

const TOP: i32 = 44;
const CELL_HEIGHT: i32 = 40;
/// The height of the space below the cells, for the names of columns and of their axis.
const BELOW: i32 = 60;
/// The width of the space to the right of the cells, for what the colours stand for.
const SCALE_WIDTH: i32 = 104;
/// The widths of the strip of colours, and of the space before it.
const STRIP: (i32, i32) = (18, 26);
const STRIP_STEPS: i32 = 50;
/// The height from which the strip has marks at all quarters.
const QUARTERS_MIN: i32 = 100;
/// What is taken for the width of a letter.
const LETTER_WIDTH: i32 = 9;
const FONT_SIZE: i32 = 15;
const FONT_SIZE_MIN: i32 = 7;

/// Shares by column and row, each in the colour of its share, with the percentage written in it.
///
/// ```
/// use storysim::page::{HeatMap, Plot};
/// let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
/// let cells = vec![vec![Some(0.5), None], vec![Some(0.25), Some(1.0)]];
/// let (columns, rows) = (names(["1000", "4000"]), names(["0", "100"]));
/// let (title, x, y) = ("order 1".into(), "words".into(), "depth".into());
/// let svg = Plot::HeatMap(HeatMap { title, x, y, columns, rows, cells }).svg();
/// assert!(["order 1", "4000", "depth", "25%"].iter().all(|text| svg.contains(text)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// The title above the map.
    pub title: String,
    /// The label of the axis of columns.
    pub x: String,
    /// The label of the axis of rows.
    pub y: String,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// For every row, the share in each column; `None` if there is nothing.
    pub cells: Vec<Vec<Option<f64>>>,
}

/// Where the cells are.
struct Grid {
    left: i32,
    right: i32,
    bottom: i32,
    columns: i32,
}

impl Grid {
    /// Where a column begins. The columns share the width without a gap, whatever their number.
    const fn column(&self, at: i32) -> i32 {
        self.left + (self.right - self.left) * at / self.columns
    }

    const fn row(at: i32) -> i32 {
        TOP + CELL_HEIGHT * at
    }
}

impl HeatMap {
    /// The height of the picture.
    pub(super) fn height(&self) -> u32 {
        (Grid::row(number(self.rows.len())) + BELOW) as u32
    }

    fn grid(&self) -> Grid {
        let widest = self.rows.iter().map(|name| shortened(name).chars().count()).max().unwrap_or(0);
        let names = (number(widest) * LETTER_WIDTH).min(NAMES_WIDTH as i32);
        Grid {
            left: 48 + names,
            right: WIDTH as i32 - SCALE_WIDTH,
            bottom: Grid::row(number(self.rows.len())),
            columns: number(self.columns.len()).max(1),
        }
    }

    pub(super) fn draw(&self, root: &Root<'_>) -> Result<(), String> {
        let grid = self.grid();
        for (at, row) in self.cells.iter().enumerate() {
            for (column, share) in row.iter().enumerate() {
                cell(root, &grid, (number(column), number(at)), *share)?;
            }
        }
        self.axes(root, &grid)?;
        scale(root, &grid)
    }

    /// The title, the names of rows and columns, and those of the axes.
    fn axes(&self, root: &Root<'_>, grid: &Grid) -> Result<(), String> {
        let font = ("sans-serif", FONT_SIZE).into_font();
        let letters = font.color(&INK);
        let at = |h: HPos, v: VPos| letters.pos(Pos::new(h, v));
        let (above, below) = (at(HPos::Center, VPos::Bottom), at(HPos::Center, VPos::Top));
        let middle = i32::midpoint(grid.left, grid.right);
        root.draw_text(&self.title, &above, (middle, TOP - 12)).map_err(text)?;
        root.draw_text(&self.x, &below, (middle, grid.bottom + 34)).map_err(text)?;
        let upwards = ("sans-serif", FONT_SIZE).into_font().transform(FontTransform::Rotate270);
        let upwards = upwards.color(&INK).pos(Pos::new(HPos::Center, VPos::Top));
        root.draw_text(&self.y, &upwards, (8, i32::midpoint(TOP, grid.bottom))).map_err(text)?;
        for (row, name) in self.rows.iter().enumerate() {
            let place = (grid.left - 8, Grid::row(number(row)) + CELL_HEIGHT / 2);
            root.draw_text(&shortened(name), &at(HPos::Right, VPos::Center), place).map_err(text)?;
        }
        // Where columns are narrow, some have a name.
        let widest = self.columns.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = ((grid.right - grid.left) / grid.columns).max(1);
        let step = (number(widest + 1) * LETTER_WIDTH).div_euclid(width) + 1;
        for (column, name) in self.columns.iter().enumerate().step_by(step as usize) {
            let place = i32::midpoint(grid.column(number(column)), grid.column(number(column) + 1));
            root.draw_text(&shortened(name), &below, (place, grid.bottom + 8)).map_err(text)?;
        }
        Ok(())
    }
}

/// A cell with its percentage, or an empty one.
fn cell(root: &Root<'_>, grid: &Grid, (column, row): (i32, i32), share: Option<f64>) -> Result<(), String> {
    let (left, right) = (grid.column(column), grid.column(column + 1));
    let (top, bottom) = (Grid::row(row), Grid::row(row + 1));
    let corners = [(left, top), (right, bottom)];
    let size = ((right - left) * 10 / 26).clamp(FONT_SIZE_MIN, FONT_SIZE);
    let (written, letters) = match share {
        Some(share) => {
            root.draw(&Rectangle::new(corners, shade(share).filled())).map_err(text)?;
            root.draw(&Rectangle::new(corners, PAPER.stroke_width(1))).map_err(text)?;
            (percent(&share), letters_on(share))
        }
        None => {
            let inner = [(left + 1, top + 1), (right - 1, bottom - 1)];
            root.draw(&Rectangle::new(inner, GRID.stroke_width(1))).map_err(text)?;
            ("-".to_owned(), INK)
        }
    };
    let letters = ("sans-serif", size).into_font().color(&letters).pos(Pos::new(HPos::Center, VPos::Center));
    let middle = (i32::midpoint(left, right), i32::midpoint(top, bottom));
    root.draw_text(&written, &letters, middle).map_err(text)
}

/// What the colours stand for: a strip of them from 0 at the bottom to 100 % at the top.
fn scale(root: &Root<'_>, grid: &Grid) -> Result<(), String> {
    let height = grid.bottom - TOP;
    let left = grid.right + STRIP.1;
    let right = left + STRIP.0;
    for step in 0..STRIP_STEPS {
        let y = |step: i32| grid.bottom - height * step / STRIP_STEPS;
        let share = (f64::from(step) + 0.5) / f64::from(STRIP_STEPS);
        let corners = [(left, y(step + 1)), (right, y(step))];
        root.draw(&Rectangle::new(corners, shade(share).filled())).map_err(text)?;
    }
    root.draw(&Rectangle::new([(left, TOP), (right, grid.bottom)], AXIS.stroke_width(1))).map_err(text)?;
    let letters = ("sans-serif", FONT_SIZE).into_font().color(&INK);
    let above = letters.pos(Pos::new(HPos::Center, VPos::Bottom));
    root.draw_text("accuracy", &above, (i32::midpoint(left, right), TOP - 12)).map_err(text)?;
    let beside = letters.pos(Pos::new(HPos::Left, VPos::Center));
    for quarter in (0..=4).filter(|quarter| height >= QUARTERS_MIN || quarter % 4 == 0) {
        let y = grid.bottom - height * quarter / 4;
        root.draw_text(&percent(&(f64::from(quarter) / 4.0)), &beside, (right + 6, y)).map_err(text)?;
    }
    Ok(())
}

/// A number of cells or letters. No picture has more than this.
fn number(count: usize) -> i32 {
    i32::try_from(count).map_or(COUNT_MAX, |count| count.min(COUNT_MAX))
}

/// The largest number for which no place in the picture overflows.
const COUNT_MAX: i32 = 100_000;

/// The colour of a share.
fn shade(share: f64) -> RGBColor {
    let share = share.clamp(0.0, 1.0);
    let between =
        |light: u8, dark: u8| (f64::from(light) + (f64::from(dark) - f64::from(light)) * share).round() as u8;
    let [light, dark] = ENDS;
    RGBColor(between(light.0, dark.0), between(light.1, dark.1), between(light.2, dark.2))
}

/// The colour of letters on the colour of a share: black or white, whichever is further from it. Both stay what they are on
/// dark paper, as the cells do.
fn letters_on(share: f64) -> RGBColor {
    let shade = shade(share);
    if contrast(shade, BLACK) >= contrast(shade, WHITE) { BLACK } else { WHITE }
}

/// The contrast of two colours after WCAG 2, from 1 to 21.
fn contrast(one: RGBColor, other: RGBColor) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// How light a colour is, from 0 to 1.
fn luminance(colour: RGBColor) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_is_darker_than_those_below_and_can_be_read() {
        for percent in 0..=100 {
            let share = f64::from(percent) / 100.0;
            let contrast = contrast(shade(share), letters_on(share));
            assert!(contrast >= 4.5, "{percent}%: {contrast}");
            let above = luminance(shade(share + 0.01));
            assert!(percent == 100 || luminance(shade(share)) > above, "{percent}%");
            // Colours that the style sheet changes on dark paper are others.
            assert!(!super::super::OF_PAPER.contains(&shade(share)), "{percent}%");
        }
        assert_eq!([shade(-1.0), shade(2.0)], ENDS);
    }

    /// The rectangles of a picture that have a share's colour: left, top, width and height.
    fn filled(svg: &str, share: f64) -> Vec<[i32; 4]> {
        let RGBColor(red, green, blue) = shade(share);
        let fill = format!("fill=\"#{red:02X}{green:02X}{blue:02X}\"");
        let rectangles =
            svg.split("<rect ").skip(1).filter(|rest| rest.split('>').next().unwrap().contains(&fill));
        let of = |rest: &str, name: &str| {
            format!(" {rest}")
                .split(&format!("{name}=\""))
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        rectangles
            .map(|rest| ["x", "y", "width", "height"].map(|name| of(rest, &format!(" {name}"))))
            .collect()
    }

    #[test]
    fn cells_are_where_their_row_and_column_is() {
        let names = |count: usize| (0..count).map(|at| format!("n{at}")).collect::<Vec<String>>();
        let (rows, columns) = (names(5), names(3));
        let share = |row: usize, column: usize| (row * 3 + column) as f64 / 14.0 * 0.98 + 0.003;
        let cells: Vec<Vec<Option<f64>>> = (0..5)
            .map(|row| (0..3).map(|column| (row + column > 0).then(|| share(row, column))).collect())
            .collect();
        let map = HeatMap { title: "t".into(), x: "x".into(), y: "y".into(), columns, rows, cells };
        let svg = super::super::Plot::HeatMap(map.clone()).svg();
        let grid = map.grid();
        for row in 0..5 {
            for column in 0..3 {
                let found = filled(&svg, share(row, column));
                let (left, right) = (grid.column(column as i32), grid.column(column as i32 + 1));
                let wanted = [left, Grid::row(row as i32), right - left, CELL_HEIGHT];
                let is_there = found.contains(&wanted);
                assert_eq!(is_there, row + column > 0, "{row} {column}: {found:?} {wanted:?}");
            }
        }
        assert_eq!((grid.column(0), grid.column(3)), (grid.left, grid.right));
        assert_eq!(svg.matches("\n-\n").count(), 1, "{svg}");
        // The lightest of the strip is at its bottom, the darkest at its top.
        let strip =
            |share: f64| filled(&svg, share).into_iter().find(|[left, ..]| *left > grid.right).unwrap();
        assert!(strip(0.01)[1] > strip(0.49)[1] && strip(0.49)[1] > strip(0.99)[1]);
        assert_eq!((strip(0.99)[1], strip(0.01)[1] + strip(0.01)[3]), (TOP, grid.bottom));
    }

    #[test]
    fn many_columns_have_names_that_do_not_overlap() {
        let named = |count: usize| {
            let columns: Vec<String> = (0..count).map(|at| format!("{}", 100_000 + at)).collect();
            let cells = vec![vec![Some(0.5); count]];
            let map = HeatMap { columns, rows: vec!["0".into()], cells, ..HeatMap::default() };
            let svg = super::super::Plot::HeatMap(map).svg();
            (svg.matches("\n1000").count(), svg.matches("\n50%\n").count())
        };
        assert_eq!(named(6), (6, 6));
        let (names, cells) = named(40);
        assert!((5..=11).contains(&names) && cells == 40, "{names} {cells}");
    }
}
