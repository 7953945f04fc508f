//! Who is where along the steps of a story, as bands in one drawing: by hand, as no library draws these.
//!
//! Every colour has a letter beside it, and every form of a mark a name, so nothing depends on colours.

use std::ops::Range;

use maud::{Markup, html};

use super::plot::COLOURS;

const INK: &str = "#1B1F24";
const SOFT: &str = "#57606A";
const LINE: &str = "#D0D7DE";

/// The width of the names on the left.
const NAMES_WIDTH: usize = 120;
/// The least widths of a step and of a section.
const STEP_WIDTH_MIN: usize = 9;
const SECTION_WIDTH_MIN: usize = 215;
/// The height of the headings, of a band, of its marks and of a line of a note; and the space below a band.
const HEAD: usize = 44;
const BAND: usize = 20;
const MARKS: usize = 16;
const LINE_HEIGHT: usize = 15;
const GAP: usize = 12;
/// How wide a letter is, in tenths of a pixel, in the sizes of notes; rather too much than too little.
const LETTER_TENTHS: usize = 72;
/// How many letters of a name fit on the left.
const NAME_LETTERS_MAX: usize = 17;

/// Bands along the steps of something that happens.
///
/// ```
/// use storysim::page::{Band, Bands};
/// let ann = Band { name: "Ann".into(), stays: vec![(0..4, 0)], ..Band::default() };
/// let bands = Bands { sections: vec![(0..4, "One".into())], kinds: vec!["hall".into()], bands: vec![ann], ..Bands::default() };
/// let svg = bands.svg("a");
/// assert!(svg.starts_with("<svg ") && svg.contains(">A hall</text>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bands {
    /// What is drawn, in one line.
    pub title: String,
    /// What is to be seen in it, for those who do not see it.
    pub about: String,
    /// The sections from left to right: their steps, and their names.
    pub sections: Vec<(Range<usize>, String)>,
    /// What stays can be in.
    pub kinds: Vec<String>,
    /// What each form of a mark stands for, in the order of [`Form`].
    pub forms: [String; 3],
    /// The bands from top to bottom.
    pub bands: Vec<Band>,
}

/// A band.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Band {
    /// The name on the left.
    pub name: String,
    /// From step to step, the number of the kind.
    pub stays: Vec<(Range<usize>, usize)>,
    /// The marks below it.
    pub marks: Vec<Mark>,
    /// What is written below: a name, and a text for each section.
    pub notes: Vec<(String, Vec<String>)>,
}

/// A mark below a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The step.
    pub step: usize,
    /// How it is drawn.
    pub form: Form,
    /// What it says, in words.
    pub about: String,
}

/// How a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A triangle.
    Source,
    /// A dot.
    Filled,
    /// A ring.
    Hollow,
}

impl Form {
    const ALL: [Self; 3] = [Self::Source, Self::Filled, Self::Hollow];

    /// The mark, around a point.
    fn drawn(self, (x, y): (usize, usize)) -> Markup {
        match self {
            Self::Source => {
                let corners = format!("{},{} {},{} {},{}", x - 5, y + 4, x + 5, y + 4, x, y - 5);
                html! { polygon points=(corners) fill=(INK) {} }
            }
            Self::Filled => html! { circle cx=(x) cy=(y) r="5" fill=(INK) {} },
            Self::Hollow => {
                html! { circle cx=(x) cy=(y) r="4" fill="none" stroke=(INK) stroke-width="1.5" {} }
            }
        }
    }
}

/// A colour of data, as CSS writes it.
fn colour(kind: usize) -> String {
    let (red, green, blue) = COLOURS[kind % COLOURS.len()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The letter of a kind: A to Z, then numbers.
fn letter(kind: usize) -> String {
    u8::try_from(kind)
        .ok()
        .filter(|kind| *kind < 26)
        .map_or_else(|| kind.to_string(), |kind| char::from(b'A' + kind).to_string())
}

/// A text in lines of so many pixels.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let letters = (width * 10 / LETTER_TENTHS).max(1);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A name that fits on the left.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS_MAX {
        return name.to_owned();
    }
    name.chars().take(NAME_LETTERS_MAX - 1).chain(['…']).collect()
}

/// Words at a place.
fn words((x, y): (usize, usize), size: usize, fill: &str, text: &str) -> Markup {
    html! { text x=(x) y=(y) font-size=(size) fill=(fill) { (text) } }
}

/// Where everything is on the page.
#[derive(Clone, Copy, Debug)]
struct Scale {
    step: usize,
}

impl Scale {
    fn x(self, step: usize) -> usize {
        NAMES_WIDTH + step * self.step
    }

    fn width(self, steps: &Range<usize>) -> usize {
        steps.len() * self.step
    }

    fn middle(self, step: usize) -> usize {
        self.x(step) + self.step / 2
    }
}

impl Bands {
    fn scale(&self) -> Scale {
        let shortest = self.sections.iter().map(|(steps, _)| steps.len()).min().unwrap_or(1).max(1);
        Scale { step: SECTION_WIDTH_MIN.div_ceil(shortest).max(STEP_WIDTH_MIN) }
    }

    /// For each section, the lines of a note.
    fn lines(&self, texts: &[String], scale: Scale) -> Vec<Vec<String>> {
        let lines = |((steps, _), text): (&(Range<usize>, String), &String)| {
            wrapped(text, scale.width(steps).saturating_sub(8))
        };
        self.sections.iter().zip(texts).map(lines).collect()
    }

    /// The drawing as an SVG element. `id` is not that of anything else on the page.
    pub fn svg(&self, id: &str) -> String {
        let scale = self.scale();
        let end = self.sections.last().map_or(0, |(steps, _)| steps.end);
        let mut y = HEAD;
        let bands: Vec<Markup> = self.bands.iter().map(|band| self.band(band, scale, &mut y)).collect();
        let (width, height) = (scale.x(end) + 8, y);
        let (title, about) = (format!("{id}-title"), format!("{id}-about"));
        let labels = format!("{title} {about}");
        let svg = html! {
            svg role="img" aria-labelledby=(labels) width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) }
                font-family="system-ui, sans-serif" {
                title id=(title) { (self.title) }
                desc id=(about) { (self.about) }
                @for (steps, name) in &self.sections {
                    (words((scale.x(steps.start) + 4, 14), 13, INK, name))
                    line x1=(scale.x(steps.start)) y1="0" x2=(scale.x(steps.start)) y2=(height) stroke=(LINE) {}
                }
                line x1=(scale.x(end)) y1="0" x2=(scale.x(end)) y2=(height) stroke=(LINE) {}
                (self.steps_marked(scale))
                @for band in &bands { (band) }
            }
        };
        svg.into_string()
    }

    /// The numbers of the steps that have marks.
    fn steps_marked(&self, scale: Scale) -> Markup {
        let mut steps: Vec<usize> =
            self.bands.iter().flat_map(|band| &band.marks).map(|mark| mark.step).collect();
        steps.sort_unstable();
        steps.dedup();
        html! {
            @if !steps.is_empty() { (words((0, 34), 11, SOFT, "step")) }
            @for step in steps {
                text x=(scale.middle(step)) y="34" font-size="11" fill=(SOFT) text-anchor="middle" { (step) }
            }
        }
    }

    fn band(&self, band: &Band, scale: Scale, y: &mut usize) -> Markup {
        let top = *y;
        *y += BAND + MARKS;
        let mut notes: Vec<Markup> = Vec::new();
        for (name, texts) in &band.notes {
            let lines = self.lines(texts, scale);
            let names = wrapped(name, NAMES_WIDTH - 8);
            let from = *y;
            notes.push(html! {
                @for (number, line) in (1..).zip(&names) { (words((10, from + number * LINE_HEIGHT), 12, SOFT, line)) }
                @for ((steps, _), lines) in self.sections.iter().zip(&lines) {
                    @for (number, line) in (1..).zip(lines) {
                        (words((scale.x(steps.start) + 4, from + number * LINE_HEIGHT), 12, INK, line))
                    }
                }
            });
            *y += LINE_HEIGHT * lines.iter().map(Vec::len).chain([names.len()]).max().unwrap_or(1);
        }
        *y += GAP;
        html! {
            g { title { (band.name) } (words((0, top + 14), 13, INK, &shortened(&band.name))) }
            @for (steps, kind) in band.stays.iter().filter(|(steps, _)| !steps.is_empty()) {
                (self.stay((steps, *kind), scale, top))
            }
            @for mark in &band.marks {
                g { title { (mark.about) } (mark.form.drawn((scale.middle(mark.step), top + BAND + MARKS / 2))) }
            }
            @for note in &notes { (note) }
        }
    }

    fn stay(&self, (steps, kind): (&Range<usize>, usize), scale: Scale, top: usize) -> Markup {
        let (letter, width) = (letter(kind), scale.width(steps));
        let name = self.kinds.get(kind).map_or("", String::as_str);
        let whole = format!("{letter} {name}");
        let fits = |text: &str| text.chars().count() * LETTER_TENTHS / 10 + 6 <= width;
        let told = if fits(&whole) && !name.is_empty() { &whole } else { &letter };
        html! {
            g {
                title { (name) ", from step " (steps.start) }
                rect x=(scale.x(steps.start)) y=(top) width=(width - 1) height=(BAND) rx="2" fill=(colour(kind)) {}
                text x=(scale.x(steps.start) + width / 2) y=(top + 14) font-size="12" fill="#ffffff" text-anchor="middle" {
                    (told)
                }
            }
        }
    }

    /// What the colours and the marks stand for, as a list.
    pub(super) fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @for (kind, name) in self.kinds.iter().enumerate() {
                    li {
                        svg width="14" height="14" aria-hidden="true" {
                            rect x="1" y="1" width="12" height="12" rx="2" fill=(colour(kind)) {}
                        }
                        (letter(kind)) " " (name)
                    }
                }
                @for (form, name) in Form::ALL.iter().zip(&self.forms) {
                    li { svg width="14" height="14" aria-hidden="true" { (form.drawn((7, 8))) } (name) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bands() -> Bands {
        let mark = |step: usize, form: Form| Mark { step, form, about: format!("at {step} <i>") };
        let ann = Band {
            name: "Ann".into(),
            stays: vec![(0..0, 1), (0..1, 0), (1..12, 1), (12..24, 27)],
            marks: vec![mark(3, Form::Filled), mark(15, Form::Hollow)],
            notes: vec![("thinks".into(), vec!["side 1 ".repeat(9), "nothing".into()])],
        };
        let bob = Band {
            name: "Bob the Builder of Barns".into(),
            marks: vec![mark(3, Form::Source)],
            ..Band::default()
        };
        Bands {
            title: "A & B".into(),
            about: "Who is where".into(),
            sections: vec![(0..12, "One".into()), (12..24, "Two".into())],
            kinds: vec!["hall".into(), "kitchen".into()],
            forms: ["says it", "hears it", "misses it"].map(str::to_owned),
            bands: vec![ann, bob],
        }
    }

    /// The values of an attribute of all elements with a name.
    fn numbers(svg: &str, element: &str, key: &str) -> Vec<usize> {
        let (element, key) = (format!("<{element} "), format!(" {key}=\""));
        let tags = svg.split(&element).skip(1).filter_map(|rest| rest.split('>').next());
        let value = |tag: &str| format!(" {tag}").split(&key).nth(1)?.split('"').next()?.parse().ok();
        tags.filter_map(value).collect()
    }

    #[test]
    fn a_drawing_has_a_name_and_words_beside_each_colour() {
        let svg = bands().svg("x");
        for part in [
            "role=\"img\" aria-labelledby=\"x-title x-about\"",
            "<title id=\"x-title\">A &amp; B</title>",
            "<desc id=\"x-about\">Who is where</desc>",
            "<title>at 3 &lt;i&gt;</title>",
            "<title>kitchen, from step 1</title>",
            ">B kitchen</text>",
            ">A</text>",
            ">27</text>",
            ">15</text>",
            ">Bob the Builder …</text>",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        // A stay of no steps has no place, and step 3 is named once.
        assert_eq!((svg.matches("<rect ").count(), svg.matches(">3</text>").count()), (3, 1));
        assert_eq!((svg.matches("<circle ").count(), svg.matches("<polygon ").count()), (2, 1));
        let legend = bands().legend().into_string();
        assert!(legend.contains("B kitchen") && legend.contains("misses it"), "{legend}");
    }

    #[test]
    fn nothing_is_drawn_over_something_else() {
        let svg = bands().svg("x");
        let height = numbers(&svg, "svg", "height")[0];
        assert!(numbers(&svg, "text", "y").iter().all(|row| *row < height), "{svg}");
        let (from, widths) = (numbers(&svg, "rect", "x"), numbers(&svg, "rect", "width"));
        assert_eq!((from.len(), widths.len()), (3, 3));
        let ends = from.iter().zip(widths).map(|(from, width)| from + width);
        assert!(ends.zip(&from[1..]).all(|(end, next)| end < *next));
        let notes = svg.split("<text ").filter(|text| text.contains(">side 1 side 1"));
        assert!(notes.count() >= 2, "{svg}");
    }

    #[test]
    fn bands_of_nothing_are_drawn() {
        let svg = Bands::default().svg("");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
        let section = Bands { sections: vec![(0..0, String::new())], ..bands() };
        assert!(section.svg("").ends_with("</svg>"));
    }

    /// The style sheet changes these on dark paper.
    #[test]
    fn the_style_knows_the_ink() {
        for rule in
            [format!("[fill=\"{INK}\"]"), format!("[stroke=\"{INK}\"]"), format!("[stroke=\"{LINE}\"]")]
        {
            assert!(super::super::STYLE.contains(&rule), "{rule}");
        }
        assert!(super::super::STYLE.contains(&format!("[fill=\"{SOFT}\"]")));
    }
}
