//! What messages look like to people: with colours, and with an excerpt of what they are about.

mod excerpt;
mod message;

pub use excerpt::{Line, render_line};
pub use message::{Look, render};
