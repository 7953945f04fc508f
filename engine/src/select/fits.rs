//! What was found on pilot stories, kept in a file so that it need not be found again.
//!
//! A file holds what was found for a storyboard, and for each of its values that somebody asked for. Each entry says for what it was
//! found: a hash of all that it depends on. So a file that belongs to another version of a storyboard does no harm, but does not
//! help either.

use serde::{Deserialize, Serialize};

use super::family_weights::FamilyWeights;
use crate::compile::compile_family;
use crate::id::CharacterId;
use crate::plan::{self, Moment, Plan, Target};
use crate::storyboard::{BUILT_IN, QuestionKind, board_in_setting, parse};
use crate::world::Value;

/// The version of what is found, and of how it is written. It changes whenever the same pilot stories would give something else.
const VERSION: u32 = 3;

/// The entries of a file.
///
/// ```
/// use storysim::select::Fits;
/// assert_eq!(Fits::read("{}").unwrap_err(), "it is not a file of weights: missing field `storysim_weights` at line 1 column 2");
/// assert!(Fits::read(&Fits::default().write()).unwrap().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fits {
    storysim_weights: u32,
    fits: Vec<Fit>,
}

/// What was found for some plans.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Fit {
    /// See [`fingerprint`].
    of: String,
    /// The hash of the weights as they are written, so that a damaged file is noticed.
    hash: String,
    weights: FamilyWeights,
}

impl Fits {
    /// Reads a file.
    ///
    /// # Errors
    /// If the text is not that of such a file, or of another version of it.
    pub fn read(text: &str) -> Result<Self, String> {
        let fits: Self =
            serde_json::from_str(text).map_err(|error| format!("it is not a file of weights: {error}"))?;
        if ![0, VERSION].contains(&fits.storysim_weights) {
            let version = fits.storysim_weights;
            return Err(format!("it is of version {version}, and this program reads version {VERSION}"));
        }
        match fits.fits.iter().all(|fit| fit.hash == hash(&fit.weights)) {
            true => Ok(fits),
            false => Err("the file was damaged, or changed by hand".to_owned()),
        }
    }

    /// The text of a file.
    pub fn write(&self) -> String {
        let fits = Self { storysim_weights: VERSION, ..self.clone() };
        serde_json::to_string(&fits).expect("weights can be written") + "\n"
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.fits.is_empty()
    }

    /// Adds what was found for some plans, in place of what was known.
    pub fn add(&mut self, plans: &[Plan], weights: FamilyWeights) {
        let of = fingerprint(plans);
        self.fits.retain(|fit| fit.of != of);
        self.fits.push(Fit { of, hash: hash(&weights), weights });
    }

    /// What was found for these plans.
    pub fn find(&self, plans: &[Plan]) -> Option<&FamilyWeights> {
        let of = fingerprint(plans);
        self.fits.iter().find(|fit| fit.of == of).map(|fit| &fit.weights)
    }
}

/// What was found for built-in plans, if these are such.
pub fn built_in(plans: &[Plan]) -> Option<FamilyWeights> {
    let first = plans.first()?;
    if let Some(board) = BUILT_IN.iter().find(|board| board.name == first.name) {
        return Fits::read(board.weights()?).ok()?.find(plans).cloned();
    }
    // In a setting whose map is the same but for the names, the same happens, just as often.
    let (board, _) = board_in_setting(&first.name)?;
    let fits = Fits::read(board.weights()?).ok()?;
    let original = compile_family(&parse(board.source()).ok()?, first.given()).ok()?.plans;
    let is_same = |(one, other): (&Plan, &Plan)| unnamed(one).eq(unnamed(other));
    let are_same = original.len() == plans.len() && original.iter().zip(plans).all(is_same);
    fits.find(&original).filter(|_| are_same).cloned()
}

/// Everything that decides what happens, but the names of the storyboard, of its places and of its people.
fn unnamed(plan: &Plan) -> impl Iterator<Item = &str> {
    // The name of a place stands before its ways.
    let next = plan.fingerprint.lines().skip(1).chain([""]);
    let is_name = |(line, next): &(&str, &str)| {
        let is_of_place = line.starts_with("place ") && next.starts_with("ways ");
        is_of_place || line.starts_with("name ") || line.starts_with("pool ")
    };
    plan.fingerprint.lines().zip(next).filter(move |both| !is_name(both)).map(|(line, _)| line)
}

/// The hash of weights as they are written.
fn hash(weights: &FamilyWeights) -> String {
    let text = serde_json::to_string(weights).expect("weights can be written");
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// What counts of a question that is balanced, in the words that make part of the hash. Its answer is no list of people.
#[derive(Debug)]
#[expect(dead_code, reason = "written out by its `Debug`")]
struct Question<'p> {
    kind: &'p QuestionKind,
    others: &'p [CharacterId],
    target: &'p Target,
    moment: &'p Moment,
    choices: &'p [Value],
}

/// A hash of all that weights depend on: what happens in stories, the question that is balanced, and how.
fn fingerprint(plans: &[Plan]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&VERSION.to_le_bytes());
    for plan in plans {
        let balanced = plan.balance.as_ref().map(|balance| {
            let plan::Question { kind, others, target, moment, choices, of: _, dynamic: _, counted: _ } =
                &plan.questions[balance.question];
            (balance, Question { kind, others, target, moment, choices })
        });
        let mut parts = vec![plan.fingerprint.to_string(), format!("{balanced:?}")];
        parts.extend(plan.is_of_ranks().then(|| format!("{:?}", plan.goals)));
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex().as_str()[..32].to_owned()
}
