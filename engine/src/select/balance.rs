//! Keeps some stories and draws the others again, such that over many of them shares are what a storyboard demands.
//!
//! Every property of a story ([`Property`]) has a factor for each of its values; a story is kept with a probability in
//! proportion to the product of its factors. The factors are those for which the shares come out right on *pilot* stories,
//! always the same ones, whatever the seed: found by *raking*, one property after another, again and again (Deming and
//! Stephan, 1940). Of all ways to get these shares it changes the stories least (Ireland and Kullback, 1968): among
//! stories that agree in what is balanced, each keeps its probability under free play.
//!
//! Stories of the rarest kinds would have to be kept so much more often than others that these would hardly ever be; so what
//! a story counts for has limits ([`Weigher`]), and raking knows them.

mod deeds;
mod fit;
mod gauge;
mod glance;
mod missing;
mod paths;
mod weigher;
mod weights;

use rand::Rng;

use super::look::{Look, Looker};
use super::ranking::Ranking;
use crate::diagnostic::{Diagnostic, Span};
use crate::plan::{Balance, Plan};
use crate::rng::{Purpose, Stream, StreamKey};
use crate::simulate::Story;
use crate::storyboard::{self, Storyboard};
pub use fit::{CLIPPED_MAX, LOOKS, LOOKS_AT_DEEDS, Limited, cap, corrections, even, fit};
pub use gauge::Reader;
pub use weigher::Weigher;
pub use weights::Weights;

/// The largest number of pilot stories that are drawn to begin with.
const PILOTS_MAX: usize = 200_000;

/// The smallest number of pilot stories that are drawn to begin with.
const PILOTS_MIN: usize = 2_000;

/// Roughly the most that the first pilot stories may cost: a unit for every event, and for what has to be followed then.
const PILOT_COST_MAX: usize = 1 << 23;

/// A storyboard is refused if less than one story in this many is kept.
const ATTEMPTS_MAX: f64 = 4_000.0;

/// A storyboard is refused if a share is off by more than this.
pub const MISFIT_MAX: f64 = 0.005;

/// Decides whether stories are kept.
#[derive(Clone, Debug)]
pub struct Balancer<'a> {
    reader: Reader<'a>,
    key: StreamKey,
    weigher: Weigher,
    plan: &'a Plan,
    /// How to take a second look, where stories are not kept at once.
    look: Option<(&'a Look, Looker)>,
}

impl<'a> Balancer<'a> {
    /// A balancer of a plan's stories under the seed of a run, which decides by these weights, and at a second look; given how
    /// difficult questions usually are if that is balanced.
    ///
    /// # Panics
    /// If the plan is not balanced.
    pub fn new(
        plan: &'a Plan,
        seed: u64,
        weights: &Weights,
        look: Option<&'a Look>,
        ranking: Option<&'a Ranking>,
    ) -> Self {
        let balance = plan.balance.as_ref().expect("a plan that is balanced");
        let key = StreamKey::derive(seed, &plan.fingerprint, Purpose::Balance);
        let reader = Reader::new(plan, ranking).expect("a plan that is balanced");
        let look = look.map(|look| (look, Looker::new(plan)));
        Self { reader, key, weigher: Weigher::new(balance, weights), plan, look }
    }

    /// Whether this story is kept, which is the one of this attempt.
    pub fn keeps(&mut self, story: &Story, attempt: u64) -> bool {
        let mut stream = self.key.stream(story.index, attempt);
        let bar = unit(&mut stream) * self.weigher.weight_max;
        if !self.reader.passes(story, &self.weigher, bar) {
            return false;
        }
        let Some((look, looker)) = &mut self.look else { return true };
        let place = self.reader.place().expect("answers are places");
        let levels = self.reader.levels(&self.weigher);
        looker.keeps(self.plan, look, story, (place.index(), levels), unit(&mut stream))
    }
}

/// A number of at least 0 and less than 1, drawn for a part of a story.
fn uniform(key: &StreamKey, index: u64, part: u64) -> f64 {
    unit(&mut key.stream(index, part))
}

/// A number of at least 0 and less than 1, drawn from a stream.
pub fn unit(stream: &mut Stream) -> f64 {
    let draw = stream.next_u64() >> 11;
    (draw as f64) * (1.0 / (1_u64 << 53) as f64)
}

/// Whether it is feasible to try out enough stories.
///
/// # Errors
/// If the stories are too long for that.
pub fn admit_length(storyboard: &Storyboard, plan: &Plan) -> Result<(), Diagnostic> {
    let Some(written) = &storyboard.balance else { return Ok(()) };
    let steps_max = PILOT_COST_MAX / PILOTS_MIN / cost_of_event(plan);
    if plan.horizon > steps_max {
        let message = format!(
            "balanced stories like these may have {steps_max} steps, but these have {}",
            plan.horizon
        );
        return Err(Diagnostic::error(message, written.span, "too many steps for this")
            .label(storyboard.horizon.span, "the number of steps"));
    }
    Ok(())
}

/// Whether enough stories are kept at a second look, and with the right shares.
///
/// # Errors
/// If not.
pub fn admit_look(
    storyboard: &Storyboard,
    balance: &Balance,
    weights: &Weights,
    look: &Look,
) -> Result<(), Diagnostic> {
    let Some(written) = &storyboard.balance else { return Ok(()) };
    let span = written.learned.first().map_or(written.span, |name| name.span);
    if look.error > MISFIT_MAX {
        let (property, _) = entry(written, balance, look.worst);
        let message = format!("`{property}` stays off by {:.3} if nothing is to be learned", look.error);
        return Err(Diagnostic::error(message, span, "could not be met together with the shares")
            .help("give learners less to see, or balance less"));
    }
    let kept = weights.kept * look.kept;
    if kept * ATTEMPTS_MAX < 1.0 {
        let message = format!("only one story in {:.0} would be accepted", 1.0 / kept);
        return Err(Diagnostic::error(message, span, "too rare to wait for").help(format!(
            "at least one story in {ATTEMPTS_MAX:.0} has to be accepted: give learners less to see, or balance less"
        )));
    }
    Ok(())
}

/// Whether the shares can be reached, judging by the pilot stories.
///
/// # Errors
/// If they cannot be reached, or only with too few stories kept.
pub fn admit(
    storyboard: &Storyboard,
    plan: &Plan,
    balance: &Balance,
    weights: &Weights,
) -> Result<(), Diagnostic> {
    let Some(written) = &storyboard.balance else { return Ok(()) };
    let Weights { kept, error, pilots, .. } = *weights;
    if error > MISFIT_MAX && kept != 0.0 && !weights.missing.is_empty() {
        return Err(missing::problem(written, plan, balance, weights));
    }
    if error > MISFIT_MAX || kept == 0.0 {
        let (property, span) = entry(written, balance, weights.worst);
        let message = match kept {
            0.0 if !storyboard.goals.is_empty() => {
                format!("none of {pilots} stories is one that `balance` allows and that meets the goals")
            }
            0.0 => format!("none of {pilots} stories is one that `balance` allows"),
            _ => format!("these shares cannot all be met together: `{property}` stays off by {error:.3}"),
        };
        return Err(Diagnostic::error(message, span, "could not be met").help(
            "either this is impossible, or stories of some kind are too rare: make them likelier with `events`, or ask for less",
        ));
    }
    if kept * ATTEMPTS_MAX < 1.0 {
        let message = format!("only one story in {:.0} would be accepted", 1.0 / kept);
        return Err(Diagnostic::error(message, written.span, "too rare to wait for").help(format!(
            "stories are drawn again until shares are right, and at least one in {ATTEMPTS_MAX:.0} has to be accepted. \
             Balance less, or use `events` to make likelier what should be frequent"
        )));
    }
    Ok(())
}

/// Whether the shares can be reached, judging by the pilot stories, with enough stories kept.
pub fn is_reached(weights: &Weights) -> bool {
    weights.error <= MISFIT_MAX && weights.kept * ATTEMPTS_MAX >= 1.0
}

/// The name of the property of a margin, and where it is written.
pub fn entry(written: &storyboard::Balance, balance: &Balance, margin: usize) -> (&'static str, Span) {
    let property = balance.margins.get(margin).map(|margin| margin.property.name());
    let entry = written.entries.iter().find(|(name, _)| Some(name.value.as_str()) == property);
    (property.unwrap_or("balance"), entry.map_or(written.span, |(name, _)| name.span))
}

/// The number of pilot stories that are drawn first.
pub fn pilots_of(plan: &Plan) -> usize {
    (PILOT_COST_MAX / plan.horizon.max(1) / cost_of_event(plan)).clamp(PILOTS_MIN, PILOTS_MAX)
}

/// The cost of following one event; where people only walk, it is 1.
pub(super) fn cost_of_event(plan: &Plan) -> usize {
    let places = plan.place_names.len();
    plan.things().map_or(1, |things| 1 + things.event_cost(plan.character_count, places) / 8)
}
