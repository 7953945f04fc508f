//! Whether stories have twins, tried out beforehand.

use super::pairs::{Known, Pilot, TRIES_MAX};
use super::pilots::{fitted, number_of, pilots};
use super::same::Same;
use super::woven::admit_strands;
use super::{Twin, Twinning, Twins, asked, cost, is_belief, learning, rake};
use crate::diagnostic::{Diagnostic, Span};
use crate::plan::{Balance, written_number};
use crate::select::balance::{MISFIT_MAX, Weights, entry};
use crate::select::family::{Family, PILOT};
use crate::select::family_weights::FamilyWeights;
use crate::select::selector::Selector;
use crate::select::trial::{TRIAL_COST_MAX, under};
use crate::simulate::Story;
use crate::storyboard::{LivesForm, ScenarioForm, Storyboard};

/// The largest number of stories of each cast that are looked at.
pub(super) const STORIES_MAX: usize = 100;

/// The smallest number of stories of each cast that are looked at.
const STORIES_MIN: usize = 4;

/// A storyboard is refused if all stories that are looked at give fewer kept pairs than this.
const KEPT_MIN: f64 = 40.0;

/// A storyboard is refused if less than one story in this many is kept for its twins.
const STORIES_PER_PAIR_MAX: f64 = 400.0;

/// Tries out whether stories have twins often enough to be drawn again until one has. Returns the family; where shares are
/// balanced, with the factors by which pairs are kept.
///
/// # Errors
/// If no question asks for a belief at the end, or if there is a cast under which none of `STORIES_MAX` stories has a twin
/// (fewer if they are very long). Where shares are balanced, casts and drawn numbers are not distinguished; then also if
/// the shares cannot be reached over stories and their twins, or only with too few stories kept.
///
/// ```
/// use storysim::{compile::compile_family, diagnostic::Source, select::{admit, admit_twins}, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, T]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let admitted = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap();
/// assert!(admit_twins(&board, admitted.family).is_ok());
/// ```
pub fn admit_twins(storyboard: &Storyboard, family: Family) -> Result<Family, Diagnostic> {
    if let Some(weave) = &storyboard.weave {
        let has_twins =
            |board: &Storyboard, family: &Family| Twins::known_by(board, family, 0, unknown()).is_some();
        return admit_strands(weave, family, Twinning::Pairs, (has_twins, admit_twins));
    }
    let Some(mut twins) = Twins::known_by(storyboard, &family, 0, unknown()) else {
        return Err(no_belief(storyboard, &family));
    };
    if let Some((balance, of_stories)) = family.balance() {
        let pilots = |numbers| pilots(storyboard, &family, numbers, Known::default());
        let fit = |found: &[[Pilot; 1]]| rake::fit(balance, found);
        let FamilyWeights { pairs, pair_look, .. } = family.weights();
        let learns = !balance.learned.is_empty();
        let known = pairs.clone().filter(|_| !learns || pair_look.is_some());
        let (of_pairs, look) = known.map(|pairs| (pairs, pair_look.clone())).unwrap_or_else(|| {
            let of_shares = fitted(number_of(&family, of_stories, TRIES_MAX), pilots, fit);
            if !learns || of_shares.kept == 0.0 || of_shares.error > MISFIT_MAX {
                return (of_shares, None);
            }
            let (of_pairs, look) = learning::fit(storyboard, &family, &of_shares);
            (of_pairs, Some(look))
        });
        let has_twin = || pilots(0..STORIES_MAX as u64).iter().any(|[pilot]| pilot.has_twin);
        admit_shares((storyboard, balance), Twinning::Pairs, &of_pairs, has_twin)?;
        return Ok(family.with_pair_weights(of_pairs, look));
    }
    let mut twin = Twin::default();
    match first_without(&family, |number, story, trial| twins.find(number, story, trial, &mut twin)) {
        Some((question, tried, under)) => Err(too_rare(storyboard, question, tried, &under)),
        None => Ok(family),
    }
}

/// The first cast under which nothing is found for any story that is tried: the number, in the storyboard, of the question that
/// counts, how many stories were tried, and the words that tell which cast it is.
pub(super) fn first_without(
    family: &Family,
    mut find: impl FnMut(usize, &mut Story, u64) -> bool,
) -> Option<(usize, usize, String)> {
    let mut selector = Selector::of_trials(family);
    let mut story = Story::default();
    for (number, plan) in family.plans().iter().enumerate() {
        let stories_max =
            (TRIAL_COST_MAX / family.plans().len() / cost(plan)).clamp(STORIES_MIN, STORIES_MAX);
        for cast in 0..plan.casts.len() {
            let is_found = (PILOT..).take(stories_max).any(|trial| {
                selector.draw_trial(number, cast, trial, &mut story);
                find(number, &mut story, trial)
            });
            if !is_found {
                let question = asked(plan).map_or(0, |(question, _)| question);
                let question = written_number(&plan.bundles, question);
                return Some((question, stories_max, under(plan, cast)));
            }
        }
    }
    None
}

/// Twins of which nothing is known yet, and in which the target does the same.
fn unknown<'a>() -> (Same, Known<'a>) {
    (Same::Target, Known::default())
}

/// Whether the shares can be reached over stories and twins. `has_twin` says whether any story has such twins at all.
pub(super) fn admit_shares(
    (storyboard, balance): (&Storyboard, &Balance),
    twinning: Twinning,
    weights: &Weights,
    has_twin: impl Fn() -> bool,
) -> Result<(), Diagnostic> {
    let Weights { kept, error, pilots, worst, .. } = *weights;
    let Some(written) = &storyboard.balance else { return Ok(()) };
    if error.is_infinite() {
        // There is no pair at all that may be.
        if !has_twin() {
            return Err(match twinning {
                Twinning::Pairs => too_rare(storyboard, balance.question, pilots, ""),
                Twinning::Triplets => no_triplet(storyboard, balance.question, pilots, ""),
            });
        }
        let such = match twinning {
            Twinning::Pairs => "a twin",
            Twinning::Triplets => "two twins",
        };
        let message = format!("none of {pilots} stories has {such} that `balance` allows");
        return Err(Diagnostic::error(message, written.span, "required of a story and its twin").help(
            "the two have different answers, and one of them may be an answer without a share: ask for less, or make no twins",
        ));
    }
    if error > MISFIT_MAX {
        let (property, span) = entry(written, balance, worst);
        let message = format!("these shares cannot be met with twins: `{property}` stays off by {error:.3}");
        return Err(Diagnostic::error(message, span, "could not be met over stories and their twins")
            .help("a twin differs in one event, and too few such changes affect what is balanced: ask for less, or make no twins"));
    }
    if kept * STORIES_PER_PAIR_MAX < 1.0 || kept * (pilots as f64) < KEPT_MIN {
        let message = format!("only one story in {:.0} would be accepted for its twins", 1.0 / kept);
        return Err(Diagnostic::error(message, written.span, "too rare to wait for").help(format!(
            "stories are drawn again until shares are right over stories and their twins, and at least one in \
             {STORIES_PER_PAIR_MAX:.0} has to be accepted. Balance less, or make no twins"
        )));
    }
    Ok(())
}

/// The problem if no question says whose belief is to differ, and about what.
pub(super) fn no_belief(storyboard: &Storyboard, family: &Family) -> Diagnostic {
    let plan = &family.plans()[0];
    if let Some(open) = plan.questions.iter().position(is_belief) {
        let message =
            "twins differ in the answer to one `belief`, but this one leaves open whom or what it is about";
        let span = span_of(storyboard, plan.authored[open]);
        return Diagnostic::error(message, span, "another is asked of every story").help(
            "name a role where this names a group, here or in a further question such as `belief: [S1, T]`, or make no twins",
        );
    }
    if let Some(ScenarioForm::Lives(lives)) = storyboard.scenarios.as_ref().map(|scenarios| &scenarios.form) {
        let LivesForm { whose, of, .. } = &**lives;
        let (whose, of) = (&whose.value, &of.value);
        let message =
            format!("twins differ in what {whose} hears of {of}, but no question asks what that does to her");
        return Diagnostic::error(message, storyboard.name.span, "this storyboard")
            .help(format!("add one to `questions`, such as `dynamics: [{whose}, {of}]`, or make no twins"));
    }
    let message = "twins differ in the answer to a `belief`, but no question asks for one at the end";
    Diagnostic::error(message, storyboard.name.span, "this storyboard")
        .help("add one to `questions`, such as `belief: [S1, T]`, or make no twins")
}

/// The span of the question with this number in the storyboard, whose answer is to differ.
pub(super) fn span_of(storyboard: &Storyboard, question: usize) -> Span {
    storyboard.questions.get(question).map_or(storyboard.name.span, |asked| asked.span)
}

/// The problem if stories have no twins in which this question of the storyboard has another answer.
pub(super) fn too_rare(storyboard: &Storyboard, question: usize, tried: usize, under: &str) -> Diagnostic {
    let message = format!("none of {tried} stories has a twin{under}");
    let span = span_of(storyboard, question);
    let problem = Diagnostic::error(message, span, "twins need a different answer to this");
    problem.help(of_lives(storyboard).unwrap_or_else(|| {
        "a twin differs in one event, keeps everything that the target does, satisfies the storyboard, and has another \
         answer. Where `events` say who goes where and when, nothing is left to differ: allow free play with windows \
         (`from`, `until`) in place of `move` and `meet` at fixed steps, and keep nobody `idle` whom the question is about"
            .to_owned()
    }))
}

/// Stories may have twins, but not of both kinds.
pub(super) fn no_triplet(storyboard: &Storyboard, question: usize, tried: usize, under: &str) -> Diagnostic {
    let message = format!("none of {tried} stories has twins of both kinds{under}");
    let span = span_of(storyboard, question);
    let problem = Diagnostic::error(message, span, "the twins of a triplet need a different answer to this");
    problem.help(of_lives(storyboard).unwrap_or_else(|| {
        "in the second twin, everyone whose mind is asked about does the same, and one event of the target differs: \
         it goes elsewhere, or somebody whose mind is not asked about does something else with it. Let the target move \
         in free play, with windows (`from`, `until`) in place of `move` and `meet` at fixed steps, or make pairs with \
         plain `--twins`"
            .to_owned()
    }))
}

/// What helps stories by lives to twins; `None` for others.
fn of_lives(storyboard: &Storyboard) -> Option<String> {
    let ScenarioForm::Lives(lives) = &storyboard.scenarios.as_ref()?.form else { return None };
    let LivesForm { whose, by, .. } = &**lives;
    Some(match storyboard.place_names().len() {
        0..=2 => format!(
            "in a twin, one move of {} or {} leads elsewhere; with two places, no move can lead anywhere else: have three \
             places or more",
            whose.value, by.value
        ),
        _ => format!(
            "in a twin, one move of {} leads elsewhere, and she thinks something else at the end of that scenario: have \
             more `turns`, or more places",
            whose.value
        ),
    })
}
