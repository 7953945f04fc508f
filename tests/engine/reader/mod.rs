//! A reader by the letter: it derives the answer to a question from nothing but the context, the
//! story and the question, and applies a rule only if a sentence of the context states it.

mod mind;
mod question;
mod replay;
pub mod rules;
mod scene;
mod story;

use rules::Rule;

/// Why the reader cannot answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Stumble {
    /// A sentence that the reader does not understand.
    Sentence(String),
    /// A rule that the answer needs and the context does not state.
    Unstated(Rule),
    /// The context leaves the answer open; these are the possibilities.
    Open(Vec<String>),
    /// The story tells something that cannot happen.
    Impossible(String),
    /// More possibilities than the reader follows.
    TooMany,
}

/// The answer to a question, in the form of one of the choices.
pub fn answer(context: &str, story: &str, question: &str, choices: &[String]) -> Result<String, Stumble> {
    let mut scene = scene::Scene::read(context)?;
    scene.rules.need(Rule::InOrder)?;
    let told = scene::sentences(story);
    let mut events = Vec::new();
    for sentence in &told {
        events.push(story::read(&mut scene, sentence)?);
    }
    let answer = question::answer(&scene, &told, &events, question)?;
    Ok(question::in_form(answer, choices))
}
