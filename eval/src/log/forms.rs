//! What the options of questions about conversations say, and whether it is so.

use super::json::{Kind, Node};
use super::reader::{Names, Problems};
use crate::diagnostic::Diagnostic;
use crate::id::CharacterId;

/// What is said in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proposition {
    /// The real reason for something.
    RealReason,
    /// The truth, without its reason.
    Truth,
    /// The lie that somebody tells.
    Lie,
}

impl Proposition {
    /// All propositions, with their names.
    pub const WORDS: [(&'static str, Self); 3] =
        [("real_reason", Self::RealReason), ("truth", Self::Truth), ("lie", Self::Lie)];

    /// The name of the proposition.
    pub fn key(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// A sentence about minds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The proposition is so.
    So(Proposition),
    /// The people with whom someone has discussed this are exactly these.
    Discussed(Vec<CharacterId>, Proposition),
    /// The character believes the sentence.
    Believes(CharacterId, Box<Form>),
    /// The sentence holds, and the character does not believe it.
    Unaware(CharacterId, Box<Form>),
}

/// The largest number of minds nested in a sentence; each sentence that somebody is unaware of is evaluated twice.
const DEPTH_MAX: usize = 10;

/// The facts about minds from which sentences are evaluated.
pub trait Minds {
    /// Whether the proposition is so according to the chain of minds; `None` if the minds before the last cannot tell.
    fn is_so(&mut self, minds: &[CharacterId], proposition: Proposition) -> Option<bool>;

    /// Whether this was discussed among exactly these characters, or exactly these and `one`, who then takes part, according
    /// to the chain of minds.
    fn is_discussed(
        &mut self,
        minds: &[CharacterId],
        one: Option<CharacterId>,
        others: &[CharacterId],
        proposition: Proposition,
    ) -> Option<bool>;
}

impl Form {
    /// Whether the sentence holds; `None` if somebody in it cannot tell.
    pub fn holds(&self, minds: &mut impl Minds) -> Option<bool> {
        self.holds_in(&mut Vec::new(), None, minds)
    }

    /// Whether the sentence holds, about `one`, in the mind at the end of this chain.
    fn holds_in(
        &self,
        chain: &mut Vec<CharacterId>,
        one: Option<CharacterId>,
        minds: &mut impl Minds,
    ) -> Option<bool> {
        let mut believed = |who: CharacterId, form: &Self, chain: &mut Vec<CharacterId>| {
            chain.push(who);
            let holds = form.holds_in(chain, Some(who), minds);
            chain.pop();
            holds
        };
        match self {
            Self::So(proposition) => minds.is_so(chain, *proposition),
            Self::Discussed(others, proposition) => minds.is_discussed(chain, one, others, *proposition),
            Self::Believes(who, form) => believed(*who, form, chain),
            Self::Unaware(who, form) => {
                let is_believed = believed(*who, form, chain);
                match (form.holds_in(chain, Some(*who), minds), is_believed) {
                    (Some(false), _) | (_, Some(true)) => Some(false),
                    (Some(true), Some(false)) => Some(true),
                    _ => None,
                }
            }
        }
    }

    /// Reads `["B", who, …]`, `["U", who, …]`, `["discussed", [who, …], proposition]` or a proposition; `None` if it is
    /// something else.
    pub fn read(node: Node<'_>, cast: &Names, problems: &mut Problems) -> Option<Self> {
        Self::read_within(node, cast, DEPTH_MAX, problems)
    }

    fn read_within(node: Node<'_>, cast: &Names, depth: usize, problems: &mut Problems) -> Option<Self> {
        if let Ok(Kind::Text(_)) = node.kind() {
            return problems.word(node, "a proposition", &Proposition::WORDS).map(Self::So);
        }
        if depth == 0 {
            let message = format!("a sentence about minds nests at most {DEPTH_MAX} of them");
            problems.push(Diagnostic::error(message, node.span(), "too many"));
            return None;
        }
        #[derive(Clone, Copy)]
        enum Word {
            Believes,
            Unaware,
            Discussed,
        }
        let words = [("B", Word::Believes), ("U", Word::Unaware), ("discussed", Word::Discussed)];
        let items = problems.list(node, "a sentence about minds")?;
        let [word, of, what] = items[..] else {
            let message = "a sentence about minds is a list of three";
            problems.push(Diagnostic::error(message, node.span(), format!("{} here", items.len())));
            return None;
        };
        let word = problems.word(word, "a sentence about minds", &words)?;
        if let Word::Discussed = word {
            let others = cast.find_all(of, "those who discussed it", problems);
            let what = problems.word(what, "a proposition", &Proposition::WORDS);
            return Some(Self::Discussed(
                others?.into_iter().map(|who| CharacterId::new(who.value)).collect(),
                what?,
            ));
        }
        let who = cast.find(of, problems);
        let form = Box::new(Self::read_within(what, cast, depth - 1, problems)?);
        let who = CharacterId::new(who?.value);
        Some(if let Word::Believes = word { Self::Believes(who, form) } else { Self::Unaware(who, form) })
    }
}
