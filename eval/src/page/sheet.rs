//! Texts with questions to tick, as one self-contained HTML page: answers are folded away, and what is ticked can be saved.
//!
//! Everything that is put into the page is text and is escaped. Its script is the same on every page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Bands, STYLE, Table, head};

const SHEET_STYLE: &str = include_str!("sheet.css");
const SCRIPT: &str = include_str!("sheet.js");

/// A page of texts with questions to tick.
///
/// ```
/// use storysim::page::{Sheet, SheetPart, SheetQuestion, SheetText};
/// let question = SheetQuestion { id: "b/0/0".into(), text: "Who?".into(), choices: vec!["<Ann>".into()], ..SheetQuestion::default() };
/// let part = SheetPart { mark: Some(3), speaker: None, text: "Ann waits.".into() };
/// let text = SheetText { title: "One".into(), parts: vec![part], questions: vec![question], ..SheetText::default() };
/// let html = Sheet { title: "Questions".into(), texts: vec![text], ..Sheet::default() }.html();
/// assert!(html.contains("data-mark=\"3\">Ann waits.") && html.contains("value=\"&lt;Ann&gt;\""));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The title of the page.
    pub title: String,
    /// What the page is for, in paragraphs.
    pub about: Vec<String>,
    /// What to do with what was saved: a sentence, and commands.
    pub after: (String, Vec<String>),
    /// The texts, from top to bottom.
    pub texts: Vec<SheetText>,
}

/// A text with its questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetText {
    /// The title of the text.
    pub title: String,
    /// What is to be known beforehand.
    pub context: String,
    /// The text in parts.
    pub parts: Vec<SheetPart>,
    /// Whether every part has a line of its own.
    pub is_in_lines: bool,
    /// What is drawn of it, if anything is.
    pub drawing: Option<SheetDrawing>,
    /// The questions about it.
    pub questions: Vec<SheetQuestion>,
}

/// A drawing that gives answers away, and so is folded away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetDrawing {
    /// What it shows, in a few words.
    pub summary: String,
    /// What has to be known to read it, in paragraphs.
    pub about: Vec<String>,
    /// The drawing.
    pub bands: Bands,
    /// The same as tables.
    pub tables: Vec<Table>,
}

/// A part of a text: a sentence, or what somebody says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetPart {
    /// The number by which questions refer to the part; several parts may have one.
    pub mark: Option<usize>,
    /// Who says it, if it is speech.
    pub speaker: Option<String>,
    /// The words.
    pub text: String,
}

/// A question to tick an answer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetQuestion {
    /// The name of the question in what is saved.
    pub id: String,
    /// The question.
    pub text: String,
    /// The answers to choose from.
    pub choices: Vec<String>,
    /// The number of the right one, from 0.
    pub label: usize,
    /// What else is told with the answer: titles, each with words.
    pub facts: Vec<(String, Vec<String>)>,
    /// The parts of the text that are marked with it.
    pub marks: Vec<usize>,
}

impl Sheet {
    /// The page as the text of a file.
    pub fn html(&self) -> String {
        let (after, commands) = &self.after;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (head(&self.title, &[STYLE, SHEET_STYLE]))
                body.sheet {
                    h1 { (self.title) }
                    @for paragraph in &self.about { p { (paragraph) } }
                    noscript { p { strong { "This browser runs no scripts, so no answer can be unfolded, and nothing can be saved." } } }
                    details.after {
                        summary { "What to do with what was saved" }
                        p { (after) }
                        pre { @for command in commands { (command) "\n" } }
                    }
                    p { button.again type="button" hidden { "Start over" } }
                    @for (at, text) in self.texts.iter().enumerate() { (text.html(at)) }
                    (bar())
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string() + "\n"
    }
}

/// What stays in sight: how much is ticked, and the button.
fn bar() -> Markup {
    html! {
        form.bar {
            label { "Name " input type="text" name="who" value="responses" size="10" maxlength="60" autocomplete="off"; }
            output { "0 ticked" }
            button type="submit" disabled { "Save responses" }
        }
    }
}

impl SheetText {
    /// About how many bytes the text takes in a page.
    pub fn bytes(&self) -> usize {
        // A part, a choice and a question with what stands around them.
        const MARKUP: [usize; 3] = [45, 70, 250];
        let parts = self.parts.iter().map(|part| part.text.len() + MARKUP[0]);
        let questions = self.questions.iter().map(|question| {
            let choices =
                question.choices.iter().map(|choice| 2 * choice.len() + question.id.len() + MARKUP[1]);
            let facts =
                question.facts.iter().flat_map(|(_, words)| words).map(|words| words.len() + MARKUP[0]);
            question.text.len()
                + question.id.len()
                + choices.sum::<usize>()
                + facts.sum::<usize>()
                + MARKUP[2]
        });
        let drawing = self.drawing.as_ref().map_or(0, |drawing| drawing.html("").into_string().len());
        self.context.len() + parts.sum::<usize>() + questions.sum::<usize>() + drawing
    }

    fn html(&self, at: usize) -> Markup {
        let heading = format!("text-{at}");
        html! {
            section aria-labelledby=(heading) {
                h2 id=(heading) { (self.title) }
                @if let Some(drawing) = &self.drawing { (drawing.html(&format!("drawing-{at}"))) }
                div.beside {
                    div.passage tabindex="0" role="group" aria-labelledby=(heading) {
                        @if !self.context.is_empty() { p.context { (self.context) } }
                        (self.parts())
                    }
                    div.questions {
                        @for (number, question) in self.questions.iter().enumerate() { (question.html(number + 1)) }
                    }
                }
            }
        }
    }

    fn parts(&self) -> Markup {
        let part = |part: &SheetPart| {
            html! {
                span.part data-mark=[part.mark] {
                    @if let Some(speaker) = &part.speaker { b { (speaker) ":" } " " }
                    (part.text)
                }
            }
        };
        html! {
            @if self.is_in_lines {
                div.lines { @for own in &self.parts { p { (part(own)) } } }
            } @else {
                p.prose { @for own in &self.parts { (part(own)) " " } }
            }
        }
    }
}

impl SheetDrawing {
    fn html(&self, id: &str) -> Markup {
        html! {
            details.drawing {
                summary { (self.summary) }
                @for paragraph in &self.about { p { (paragraph) } }
                figure {
                    (self.bands.legend())
                    div.wide tabindex="0" role="group" aria-label=(self.bands.title) { (PreEscaped(self.bands.svg(id))) }
                }
                @for table in &self.tables { (table.html()) }
            }
        }
    }
}

impl SheetQuestion {
    fn html(&self, number: usize) -> Markup {
        let marks: Vec<String> = self.marks.iter().map(usize::to_string).collect();
        html! {
            fieldset name=(self.id) data-marks=(marks.join(" ")) data-label=(self.label) {
                legend { (number) ". " (self.text) }
                @for choice in &self.choices {
                    label { input type="radio" name=(self.id) value=(choice); span { (choice) } }
                }
                // Not `details`: browsers search what is folded in them, and are slow where there are thousands.
                button.fold type="button" aria-expanded="false" { "Answer" }
                template { (self.unfolded()) }
            }
        }
    }

    /// The answer with what else is told.
    fn unfolded(&self) -> Markup {
        html! {
            dl {
                dt { "answer" }
                dd { (self.choices.get(self.label).map_or("", String::as_str)) }
                @for (title, words) in &self.facts {
                    dt { (title) }
                    @for words in words { dd { (words) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Band, Form, Mark};
    use super::*;

    #[test]
    fn whatever_is_put_in_is_text() {
        let evil = || "</script><script>alert(1)</script>\"'&".to_owned();
        let question = SheetQuestion {
            id: evil(),
            text: evil(),
            choices: vec![evil()],
            label: 7,
            facts: vec![(evil(), vec![evil()])],
            marks: vec![1, 2],
        };
        let text = SheetText {
            title: evil(),
            context: evil(),
            parts: vec![SheetPart { mark: None, speaker: Some(evil()), text: evil() }],
            is_in_lines: true,
            drawing: Some(drawing(&evil)),
            questions: vec![question],
        };
        let after = (evil(), vec![evil()]);
        let html = Sheet { title: evil(), about: vec![evil()], after, texts: vec![text] }.html();
        assert_eq!(html.matches("<script>").count(), 1, "only that of the page");
        assert_eq!(html.matches("&lt;script&gt;").count(), 16 + 18, "{html}");
    }

    /// A drawing with this text in 18 places.
    fn drawing(text: &impl Fn() -> String) -> SheetDrawing {
        let mark = Mark { step: 0, form: Form::Filled, about: text() };
        let band = Band {
            name: text(),
            stays: vec![(0..4, 0)],
            marks: vec![mark],
            notes: vec![(text(), vec![text()])],
        };
        let bands = Bands {
            title: text(),
            about: text(),
            sections: vec![(0..4, text())],
            kinds: vec![text()],
            forms: [(); 3].map(|()| text()),
            bands: vec![band],
        };
        let table =
            Table { caption: text(), titles: vec![text()], text_columns: 1, rows: vec![vec![text()]] };
        SheetDrawing { summary: text(), about: vec![text()], bands, tables: vec![table] }
    }

    #[test]
    fn a_sheet_needs_nothing_else() {
        let html = Sheet::default().html();
        assert!(
            !["http", "src=", "@import", "url(", "fetch", "import "].iter().any(|what| html.contains(what))
        );
    }
}
