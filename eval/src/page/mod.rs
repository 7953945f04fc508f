//! Reports as one self-contained HTML page: prose, tables, plots.
//!
//! The page is light or dark to match the reader's system, and it can be printed. Everything that is put into it is text
//! and is escaped; there are no scripts. A [`Sheet`] is another page, of texts with questions to tick, and has one.

mod bands;
mod plot;
mod sheet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use bands::{Band, Bands, Form, Mark};
pub use plot::{Bar, COLOURS, Columns, HeatMap, Lines, Plot, Point, Rank, Ranks, Series, Stack};
pub use sheet::{Sheet, SheetDrawing, SheetPart, SheetQuestion, SheetText};

const STYLE: &str = include_str!("style.css");

/// A page of prose, tables and plots.
///
/// ```
/// use storysim::page::{Page, Part};
/// let parts = vec![Part::Heading("Why <b>?".into()), Part::Prose("So that it can be read.".into())];
/// let html = Page { title: "A page".into(), parts }.html();
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h2>Why &lt;b&gt;?</h2>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The title of the page.
    pub title: String,
    /// The parts of the page, from top to bottom.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A heading of a section.
    Heading(String),
    /// A paragraph of prose.
    Prose(String),
    /// A table of text and numbers.
    Table(Table),
    /// A plot with its caption.
    Figure(Plot, String),
}

/// A table of text and numbers, with a caption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The caption of the table.
    pub caption: String,
    /// The titles of the columns.
    pub titles: Vec<String>,
    /// The number of columns, from the left, that hold text. The others hold numbers.
    pub text_columns: usize,
    /// The rows of cells.
    pub rows: Vec<Vec<String>>,
}

/// The head of a page, with its title and its styles.
fn head(title: &str, styles: &[&str]) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { @for style in styles { (PreEscaped(style)) } }
        }
    }
}

impl Page {
    /// The page as the text of a file.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (head(&self.title, &[STYLE]))
                body {
                    h1 { (self.title) }
                    @for part in &self.parts { (part.html()) }
                }
            }
        };
        page.into_string() + "\n"
    }
}

impl Part {
    fn html(&self) -> Markup {
        match self {
            Self::Heading(text) => html! { h2 { (text) } },
            Self::Prose(text) => html! { p { (text) } },
            Self::Table(table) => table.html(),
            Self::Figure(plot, caption) => html! {
                figure {
                    (legend(plot))
                    (PreEscaped(plot.svg()))
                    figcaption { (caption) }
                }
            },
        }
    }
}

impl Table {
    fn html(&self) -> Markup {
        let class = |column: usize| (column < self.text_columns).then_some("text");
        html! {
            figure {
                figcaption { (self.caption) }
                div.wide { table {
                    thead { tr { @for (at, title) in self.titles.iter().enumerate() { th class=[class(at)] { (title) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (at, cell) in row.iter().enumerate() { td class=[class(at)] { (cell) } } }
                        }
                    }
                } }
            }
        }
    }
}

/// What each colour of a plot stands for.
fn legend(plot: &Plot) -> Markup {
    let names = plot.names();
    html! {
        @if !names.is_empty() {
            ul.legend {
                @for (at, name) in names.iter().enumerate() {
                    li { (PreEscaped(plot.swatch(at))) (name) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_escaped() {
        let evil = "<script>alert(\"x\") & '".to_owned();
        let table = Table {
            caption: evil.clone(),
            titles: vec![evil.clone()],
            text_columns: 1,
            rows: vec![vec![evil.clone()]],
        };
        let series =
            Series { name: evil.clone(), points: vec![Point { x: 1.0, y: 0.5, low: 0.4, high: 0.6 }] };
        let lines = Lines { x: evil.clone(), y: evil.clone(), series: vec![series], chance: Vec::new() };
        let bars = vec![Bar { name: evil.clone(), shares: vec![0.5] }];
        let stack = Stack { x: evil.clone(), segments: vec![(0, evil.clone())], bars };
        let rank = Rank { name: evil.clone(), share: 0.5, interval: Some((0.4, 0.6)), ..Rank::default() };
        let (series, ranks) = (vec![evil.clone()], vec![rank]);
        let ranks = Ranks { x: evil.clone(), end: 1.0, series, ranks, level: None };
        let columns =
            Columns { x: evil.clone(), y: evil.clone(), columns: vec![(evil.clone(), 0.5)], level: None };
        let map = HeatMap {
            title: evil.clone(),
            x: evil.clone(),
            y: evil.clone(),
            columns: vec![evil.clone()],
            rows: vec![evil.clone()],
            cells: vec![vec![Some(0.5)]],
        };
        let parts = vec![
            Part::Heading(evil.clone()),
            Part::Prose(evil.clone()),
            Part::Table(table),
            Part::Figure(Plot::Lines(lines), evil.clone()),
            Part::Figure(Plot::Stack(stack), evil.clone()),
            Part::Figure(Plot::Ranks(ranks), evil.clone()),
            Part::Figure(Plot::Columns(columns), evil.clone()),
            Part::Figure(Plot::HeatMap(map), evil.clone()),
        ];
        let html = Page { title: evil, parts }.html();
        assert!(!html.contains("<script"), "{html}");
        assert!(html.matches("&lt;script&gt;").count() >= 27, "{html}");
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let lines = Lines { x: "x".into(), y: "y".into(), series: Vec::new(), chance: vec![(0.0, 0.2)] };
        let html =
            Page { title: "t".into(), parts: vec![Part::Figure(Plot::Lines(lines), "c".into())] }.html();
        let elsewhere = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!elsewhere.contains("http") && !elsewhere.contains("src=") && !elsewhere.contains("@import"));
    }

    /// Whatever is drawn, there may be nothing of it, or less than nothing.
    #[test]
    fn plots_of_nothing_are_drawn() {
        let rank = |share: f64| Rank { share, interval: Some((share, 2.0)), series: 99, ..Rank::default() };
        let plots = [
            Plot::Lines(Lines::default()),
            Plot::Stack(Stack::default()),
            Plot::Ranks(Ranks::default()),
            Plot::Ranks(Ranks { level: Some(0.5), ranks: vec![rank(0.0), rank(-1.0)], ..Ranks::default() }),
            Plot::Columns(Columns::default()),
            Plot::Columns(Columns { columns: vec![(String::new(), 0.0)], ..Columns::default() }),
            Plot::HeatMap(HeatMap::default()),
            Plot::HeatMap(HeatMap {
                columns: vec![String::new()],
                rows: vec![String::new(); 2],
                cells: vec![vec![Some(-1.0)], vec![None, Some(2.0)]],
                ..HeatMap::default()
            }),
        ];
        for plot in plots {
            let svg = plot.svg();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{plot:?}");
            assert!(!svg.contains("NaN"), "{plot:?}");
        }
    }

    #[test]
    fn narrow_columns_and_short_axes_can_be_read() {
        let words = |plot: Plot| -> Vec<String> {
            let svg = plot.svg();
            let texts = svg.split("<text").skip(1).filter_map(|rest| rest.split('>').nth(1));
            texts.map(|rest| rest.split('<').next().unwrap_or_default().trim().to_owned()).collect()
        };
        let columns = |count: usize| {
            let columns = (0..count).map(|at| (format!("no. {at}"), 0.011)).collect();
            words(Plot::Columns(Columns { columns, ..Columns::default() }))
        };
        let named = |words: &[String]| words.iter().filter(|word| word.starts_with("no. ")).count();
        let figures = |words: &[String]| words.iter().filter(|word| *word == "1.1%").count();
        let (few, many) = (columns(10), columns(64));
        assert_eq!((named(&few), figures(&few)), (10, 10));
        assert_eq!((named(&many), figures(&many)), (13, 0));
        let mut marks = words(Plot::Ranks(Ranks { end: 0.02, ..Ranks::default() }));
        let count = marks.len();
        marks.sort();
        marks.dedup();
        assert!(marks.len() == count && count > 3, "{marks:?}");
    }

    /// What plots draw in these colours is redrawn on dark paper.
    #[test]
    fn the_style_knows_the_colours_of_plots() {
        for colour in plot::OF_PAPER {
            let (red, green, blue) = (colour.0, colour.1, colour.2);
            assert!(STYLE.contains(&format!("=\"#{red:02X}{green:02X}{blue:02X}\"")), "{colour:?}");
        }
    }
}
