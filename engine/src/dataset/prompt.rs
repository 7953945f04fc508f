//! A row as a question to a language model.
//!
//! A prompt holds what a reader needs (`context`, `story`, `question` and the choices), and says in which form the answer is
//! expected: a last line `Answer: …`, which `score` finds without doubt.

use std::collections::BTreeMap;

use rand::Rng;
use serde::Deserialize;

use super::json::quoted;
use crate::rng::{Purpose, Stream, StreamKey, below, sample_to_front};

/// The largest number of examples in a prompt.
pub const SHOTS_MAX: u8 = 32;

/// The smallest number of stories from which examples are taken.
const STORIES_MIN: u64 = 48;

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prompt {
    /// For the answer alone.
    Plain,
    /// To think before it answers.
    Cot,
    /// For the answer alone, after this many examples with their answers.
    Shots(u8),
}

impl Prompt {
    /// The text that asks a row's question.
    ///
    /// ```
    /// use storysim::dataset::{Asked, Prompt};
    /// let choices = vec!["hall".into(), "attic".into()];
    /// let asked = Asked { story: "Ann enters the hall.".into(), question: "Where is Ann?".into(), choices, ..Asked::default() };
    /// let prompt = Prompt::Plain.question(&asked);
    /// assert!(prompt.starts_with("Ann enters the hall.\n\nWhere is Ann?\n- hall\n- attic\n\nReply with one line"));
    /// ```
    pub fn question(self, asked: &Asked) -> String {
        format!("{}\n{}", asked.text(), self.instruction())
    }

    /// How a model is to answer.
    pub const fn instruction(self) -> &'static str {
        match self {
            Self::Plain | Self::Shots(_) => {
                "Reply with one line that reads \"Answer: \", followed by one of these choices, word for word."
            }
            Self::Cot => {
                "Think it through step by step. Then end with one line that reads \"Answer: \", followed by one of these \
                 choices, word for word."
            }
        }
    }

    /// The messages of a chat that asks a row's question, each with its role; examples come first.
    pub fn messages(self, examples: &[&Asked], asked: &Asked) -> Vec<(&'static str, String)> {
        let example = |example: &&Asked| [(USER, self.question(example)), (ASSISTANT, reply(example))];
        let mut messages: Vec<_> = examples.iter().flat_map(example).collect();
        messages.push((USER, self.question(asked)));
        messages
    }

    const fn shots(self) -> usize {
        match self {
            Self::Plain | Self::Cot => 0,
            Self::Shots(count) => count as usize,
        }
    }
}

/// The role of whoever asks.
pub const USER: &str = "user";

/// The role of the model.
pub const ASSISTANT: &str = "assistant";

/// What stands between examples in one text.
const BETWEEN: &str = "\n\n---\n\n";

/// The reply that a prompt asks for.
fn reply(asked: &Asked) -> String {
    format!("Answer: {}", asked.answer)
}

impl std::fmt::Display for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plain => f.write_str("plain"),
            Self::Cot => f.write_str("cot"),
            Self::Shots(count) => write!(f, "shots:{count}"),
        }
    }
}

impl std::str::FromStr for Prompt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = |text: &str| text.parse().ok().filter(|count| (1..=SHOTS_MAX).contains(count));
        match text {
            "plain" => Ok(Self::Plain),
            "cot" => Ok(Self::Cot),
            _ => text.strip_prefix("shots:").and_then(count).map(Self::Shots).ok_or_else(|| {
                format!(
                    "a prompt is `plain`, `cot`, or `shots:K` with 1 to {SHOTS_MAX} examples, not `{text}`"
                )
            }),
        }
    }
}

/// What a prompt takes of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// `context`
    pub context: String,
    /// `story`
    pub story: String,
    /// `question`
    pub question: String,
    /// `answer`
    pub answer: String,
    /// `choices`
    pub choices: Vec<String>,
}

impl Asked {
    /// What a model needs to know, the question, and the choices, one a line.
    pub fn text(&self) -> String {
        let Self { context, story, question, choices, .. } = self;
        let parts = [context, story].into_iter().filter(|part| !part.is_empty());
        let mut text: String = parts.flat_map(|part| [part.as_str(), "\n\n"]).collect();
        text.push_str(question);
        text.push('\n');
        text.extend(choices.iter().flat_map(|choice| ["- ", choice.as_str(), "\n"]));
        text
    }
}

/// Adds prompts to rows.
#[derive(Clone, Debug)]
pub struct Prompter {
    prompt: Prompt,
    /// The examples, by the number of their question and by their answer.
    examples: BTreeMap<usize, BTreeMap<String, Vec<Asked>>>,
    key: StreamKey,
}

impl Prompter {
    /// What adds prompts to rows of a storyboard with this fingerprint. Examples are rows of other stories of the same
    /// storyboard: `rows_of` makes those of so many stories of a seed, which follows from that of the run.
    pub(super) fn new(
        prompt: Prompt,
        seed: u64,
        fingerprint: &str,
        rows_of: impl FnOnce(u64, u64) -> String,
    ) -> Self {
        let key = StreamKey::derive(seed, fingerprint, Purpose::Examples);
        let mut prompter = Self { prompt, examples: BTreeMap::new(), key };
        if prompt.shots() > 0 {
            let other = prompter.key.stream(u64::MAX, u64::MAX).next_u64();
            let rows = rows_of(other, STORIES_MIN.max(2 * prompt.shots() as u64));
            rows.lines().for_each(|row| prompter.add_example(row));
        }
        prompter
    }

    fn add_example(&mut self, row: &str) {
        #[derive(Deserialize)]
        struct Id {
            id: String,
        }
        let Id { id } = serde_json::from_str(row).expect("a row is JSON");
        let asked: Asked = serde_json::from_str(row).expect("a row is JSON");
        let by_answer = self.examples.entry(number(&id)).or_default();
        by_answer.entry(asked.answer.clone()).or_default().push(asked);
    }

    /// The examples for a question of a story: their answers are as evenly spread as can be.
    fn examples_for(&self, index: u64, question: usize, asked: &Asked) -> Vec<&Asked> {
        let count = self.prompt.shots();
        let Some(by_answer) = self.examples.get(&question).filter(|_| count > 0) else { return Vec::new() };
        let mut stream = self.key.stream(index, question as u64);
        let mut groups: Vec<Vec<&Asked>> = by_answer.values().map(|of| of.iter().collect()).collect();
        let all = groups.len();
        sample_to_front(&mut stream, &mut groups, all);
        let mut examples = Vec::new();
        while examples.len() < count && groups.iter().any(|group| !group.is_empty()) {
            for group in &mut groups {
                let drawn = draw(&mut stream, group);
                // As good as impossible, but never what is asked.
                let is_other = |example: &&Asked| example.story != asked.story;
                examples.extend(drawn.filter(is_other).filter(|_| examples.len() < count));
            }
        }
        let drawn = examples.len();
        sample_to_front(&mut stream, &mut examples, drawn);
        examples
    }

    /// Appends the members `prompt` and `messages` of a row that has been begun, of the story with this index.
    pub(super) fn write(&self, begun: &str, index: u64, question: usize, row: &mut String) {
        let asked: Asked = serde_json::from_str(&format!("{begun}}}")).expect("a row is JSON");
        let messages = self.prompt.messages(&self.examples_for(index, question, &asked), &asked);
        let text = |pair: &[(&str, String)]| match pair {
            [(_, question), (_, reply)] => format!("{question}\n\n{reply}"),
            pair => pair[0].1.clone(),
        };
        let prompt: Vec<String> = messages.chunks(2).map(text).collect();
        row.push_str(",\"prompt\":");
        row.push_str(&quoted(&prompt.join(BETWEEN)));
        let mut separator = ",\"messages\":[";
        for (role, content) in &messages {
            row.push_str(separator);
            row.push_str(&format!("{{\"role\":\"{role}\",\"content\":{}}}", quoted(content)));
            separator = ",";
        }
        row.push(']');
    }
}

/// The number of the question in a row's id.
fn number(id: &str) -> usize {
    id.rsplit('/').next().and_then(|number| number.parse().ok()).expect("ids end with a number")
}

fn draw<'e>(stream: &mut Stream, group: &mut Vec<&'e Asked>) -> Option<&'e Asked> {
    let count = u32::try_from(group.len()).expect("few");
    (count > 0).then(|| group.swap_remove(below(stream, count) as usize))
}
