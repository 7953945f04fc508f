//! What is balanced, and how.

use std::ops::RangeInclusive;

use super::difficulty::has_number;
use super::{Resolver, Scope, staging};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::Hardness;
use crate::id::{ContainerId, PlaceId};
use crate::plan::{
    Balance, Bundle, Level, Margin, Moment, Place, PlannedValue, Property, Question, Shortcut, Sight,
    Staging, THIRDS, Target, written_number,
};
use crate::storyboard::{Name, Number, QuestionKind, Share, Shares};
use crate::world::{Item, Value};

/// The largest rank or other number in shares.
const NUMBER_MAX: u64 = 1_000;

/// The largest quantile.
const QUANTILE_MAX: u64 = 100;

/// From how many pilot stories can be learned. The most take an hour and some gigabytes.
const PILOTS: RangeInclusive<i64> = 1_000..=2_000_000;

/// The key that stands for all shortcuts that are not named.
const SHORTCUTS: &str = "shortcuts";

impl Resolver<'_> {
    pub(super) fn balance(
        &mut self,
        scope: &Scope,
        (questions, bundles): (&[Question], &[Bundle]),
        staging: &Staging,
        place_count: usize,
    ) -> Option<Balance> {
        let storyboard = self.storyboard;
        let balance = storyboard.balance.as_ref()?;
        let number = match &balance.question {
            Some(number) => (self.number(number)?, number.span),
            None => (0, balance.span),
        };
        // If one is wrong, that has been said, and the others have moved up.
        if questions.len() < self.storyboard.questions.len() {
            return None;
        }
        if let Some(open) = bundles.first() {
            let message = "shares are balanced where no question leaves open whom or what it is about";
            let open = &self.storyboard.questions[written_number(bundles, open.first)];
            self.problem(
                Diagnostic::error(message, open.span, "this one does").label(balance.span, "balanced here"),
            );
            return None;
        }
        let found = usize::try_from(number.0).ok().and_then(|at| questions.get(at).map(|found| (at, found)));
        let Some((question_number, question)) = found else {
            let message = format!("there is no question {} to balance", number.0);
            let help = "questions are counted from 0";
            self.problem(Diagnostic::error(message, number.1, "").help(help));
            return None;
        };
        let Target::Item(target) = question.target else { return self.not_a_belief(number.1) };
        if question.kind != QuestionKind::Belief || question.moment != Moment::End {
            return self.not_a_belief(number.1);
        }
        let has_things = staging::is_needed(storyboard) && !staging.is_bare();
        let answers = match question.choices.as_slice() {
            [] => all_answers(target, staging, place_count),
            named => named.iter().copied().map(Some).collect(),
        };
        let mut margins: Vec<Margin> = Vec::new();
        let mut of_all_shortcuts = None;
        for (key, shares) in &balance.entries {
            if key.value == SHORTCUTS {
                of_all_shortcuts = self.one(key, shares);
                continue;
            }
            let Some(property) = self.property(key, question, target, has_things) else { continue };
            let shares = match property {
                Property::Answer => self.answer_shares(scope, key, shares, target, &answers),
                Property::Difficulty(Hardness::Quantile) => self.rank_shares(key, shares),
                Property::AnswerRank | Property::AnswerRecency | Property::Difficulty(_) => {
                    self.number_shares(key, shares)
                }
                Property::EvidencePosition => self.third_shares(key, shares),
                Property::Votes => self.vote_shares(key, shares, answers.len()),
                _ => self.one(key, shares).map(yes_and_no),
            };
            margins.extend(shares.map(|shares| margin(property, shares)));
        }
        if let Some(share) = of_all_shortcuts {
            for (shortcut, _) in Shortcut::ALL {
                let property = Property::Shortcut(shortcut);
                let known = |property| margins.iter().any(|margin: &Margin| margin.property == property);
                let is_known = known(property)
                    || shortcut == Shortcut::LowerOrder && known(Property::OrderGap)
                    || shortcut == Shortcut::LastPlace(0) && known(Property::FalseBelief);
                let is_other = question.others.len() > 1 || !is_twice(shortcut);
                if !is_known && is_other && is_of(shortcut, target, has_things) {
                    margins.push(margin(property, yes_and_no(share)));
                }
            }
        }
        if margins.is_empty() && balance.learned.is_empty() && self.problems.is_empty() {
            self.problem(Diagnostic::error("`balance` is empty", balance.span, ""));
        }
        let has_answers = margins.iter().any(|margin| margin.property == Property::Answer);
        if !question.choices.is_empty() && !has_answers && self.problems.is_empty() {
            let message = "where a question has `choices`, `balance` says how often each is the answer";
            let problem = Diagnostic::error(message, balance.span, "no `answer` here");
            self.problem(problem.help("`answer: uniform` makes them equally frequent"));
        }
        let learned = self.learned(&balance.learned, question, &answers);
        let pilots = balance.pilots.as_ref().and_then(|pilots| self.pilots(pilots, !learned.is_empty()));
        Some(Balance { question: question_number, margins, learned, pilots })
    }

    /// How many stories are drawn to find out what can be learned.
    fn pilots(&mut self, pilots: &Number, is_learned: bool) -> Option<u64> {
        let number = self.number(pilots)?;
        let problem = if !is_learned {
            Diagnostic::error(
                "`pilots` are the stories to learn from, and nothing is learned",
                pilots.span,
                "",
            )
            .help("say what learners are given beside it: `learned: [surface, target, minds]`")
        } else if !PILOTS.contains(&number) {
            let [least, most] = [PILOTS.start(), PILOTS.end()];
            let message = format!("`pilots` must be between {least} and {most}");
            Diagnostic::error(message, pilots.span, format!("this is {number}"))
        } else {
            return Some(number as u64);
        };
        self.problem(problem);
        None
    }

    /// What learners are given to see.
    fn learned(&mut self, names: &[Name], question: &Question, answers: &[Option<Value>]) -> Vec<Sight> {
        let mut sights = Vec::new();
        for name in names {
            let Some(&(sight, _)) = Sight::ALL.iter().find(|(_, known)| *known == name.value) else {
                let known = Sight::ALL.map(|(_, known)| known);
                let message = format!("learners are not given `{}`", name.value);
                let help = self.suggest(&name.value, known.into_iter());
                let help = help.unwrap_or_else(|| format!("they can be given {}", known.join(", ")));
                self.problem(Diagnostic::error(message, name.span, "unknown").help(help));
                continue;
            };
            if sights.contains(&sight) {
                let message = format!("`{}` stands here twice", name.value);
                self.problem(Diagnostic::error(message, name.span, "the second time"));
            } else {
                sights.push(sight);
            }
        }
        let are_places = answers.iter().all(|answer| matches!(answer, Some(Value::Place(_))));
        let is_someone = matches!(question.target, Target::Item(Item::Character(_)));
        if let Some(first) = names.first().filter(|_| !are_places && !is_someone) {
            let message = "`learned` only works where all answers are places";
            self.problem(Diagnostic::error(message, first.span, "here they may be something else"));
        }
        sights
    }

    fn not_a_belief<T>(&mut self, span: Span) -> Option<T> {
        let message = "only a question `belief` about the whole story can be balanced";
        self.problem(Diagnostic::error(message, span, "this is another question"));
        None
    }

    /// The property that a key balances.
    fn property(
        &mut self,
        key: &Name,
        question: &Question,
        target: Item,
        has_things: bool,
    ) -> Option<Property> {
        let known: Vec<(Property, &str)> = Property::all().collect();
        let Some(&(property, name)) = known.iter().find(|(_, name)| *name == key.value) else {
            let names =
                known.iter().map(|&(_, name)| name).chain([SHORTCUTS, "learned", "pilots", "question"]);
            let message = format!("`{}` cannot be balanced", key.value);
            let of_quantile = (key.value == Hardness::Quantile.key())
                .then(|| "quantiles are balanced by `difficulty`".to_owned());
            let help = of_quantile.or_else(|| self.suggest(&key.value, names.clone())).unwrap_or_else(|| {
                format!("these can be balanced: {}", names.collect::<Vec<_>>().join(", "))
            });
            self.problem(Diagnostic::error(message, key.span, "unknown").help(help));
            return None;
        };
        let has_places = matches!(target, Item::Character(_) | Item::Object(_));
        let fits = match property {
            property if property.is_rank() => has_places,
            Property::Votes => matches!(target, Item::Character(_)) && !has_things,
            Property::OrderGap => question.others.len() > 1,
            Property::Difficulty(number) => has_number(question, number),
            Property::Shortcut(shortcut) => is_of(shortcut, target, has_things),
            _ => true,
        };
        if !fits {
            let message = format!("`{name}` cannot be balanced here");
            let why = match property {
                Property::OrderGap => "at order 1, use `false_belief`",
                Property::Votes => "it only works where people do nothing but walk",
                Property::Shortcut(_) if matches!(target, Item::Character(_) | Item::Object(_)) => {
                    "this shortcut is not tracked where people do more than walk"
                }
                _ => "the target is not something that goes from place to place",
            };
            self.problem(Diagnostic::error(message, key.span, why));
        }
        fits.then_some(property)
    }

    /// A single share, for whether something is so.
    fn one(&mut self, key: &Name, shares: &Shares) -> Option<Share> {
        if let Shares::One(_, share) = shares {
            return Some(*share);
        }
        let message = format!("`{}` takes one share, such as `1/6`", key.value);
        self.problem(Diagnostic::error(message, shares.span(), ""));
        None
    }

    fn answer_shares(
        &mut self,
        scope: &Scope,
        key: &Name,
        shares: &Shares,
        target: Item,
        answers: &[Option<Value>],
    ) -> Option<Vec<(Level, f64)>> {
        match shares {
            Shares::Uniform(_) => Some(evenly(answers.iter().map(|&answer| Level::Answer(answer)))),
            Shares::Each(span, each) => {
                let read = each.iter().filter_map(|(name, share)| {
                    let value = match name.value.as_str() {
                        "unknown" if answers.contains(&None) => None,
                        _ => Some(self.fixed_value(scope, name, target)?),
                    };
                    Some((Level::Answer(value), *share))
                });
                let read: Vec<(Level, Share)> = read.collect();
                self.whole(*span, &read, each)
            }
            _ => self.wrong_shares(key, shares, "`uniform`, or a map from answers to shares"),
        }
    }

    /// The one value that a name stands for in every story.
    pub(super) fn fixed_value(&mut self, scope: &Scope, name: &Name, target: Item) -> Option<Value> {
        match self.value(scope, name, target)? {
            PlannedValue::Place(Place::Fixed(place)) => Some(Value::Place(place)),
            PlannedValue::Container(container) => Some(Value::Container(container)),
            PlannedValue::Truth(truth) => Some(Value::Truth(truth)),
            _ => {
                let message = format!("`{}` stands for several answers", name.value);
                self.problem(Diagnostic::error(message, name.span, "no place of its own"));
                None
            }
        }
    }

    fn number_shares(&mut self, key: &Name, shares: &Shares) -> Option<Vec<(Level, f64)>> {
        match shares {
            Shares::Range(span, _, None) => {
                let message = "in this range each number is equally frequent, so it needs a last one";
                let help = format!(
                    "write it as `0..5`, or as a map, in which all numbers from one on have one share together: \
                     `{}: {{0..2: 1/2, 3..: 1/2}}`",
                    key.value
                );
                self.problem(Diagnostic::error(message, *span, "").help(help));
                None
            }
            Shares::Range(span, first, Some(last)) => {
                if *last > NUMBER_MAX {
                    let message = format!("a number here is at most {NUMBER_MAX}");
                    self.problem(Diagnostic::error(message, *span, ""));
                    return None;
                }
                Some(evenly((*first..=*last).map(Level::Number)))
            }
            // All rows have this one.
            Shares::One(_, Share { part, whole: 1 }) => {
                Some(evenly([Level::Number(u64::from(*part))].into_iter()))
            }
            Shares::Each(span, each) => self.shares_of_numbers(*span, each, NUMBER_MAX),
            _ => self.wrong_shares(key, shares, "a range such as `0..5`, or a map from numbers to shares"),
        }
    }

    /// The shares of quantiles. A range has one share; within it, each quantile is as frequent as it comes.
    fn rank_shares(&mut self, key: &Name, shares: &Shares) -> Option<Vec<(Level, f64)>> {
        match shares {
            Shares::Range(span, first, last) => {
                let most = (*first).max(last.unwrap_or_default());
                if most > QUANTILE_MAX {
                    let message = format!("a quantile is at most {QUANTILE_MAX}");
                    self.problem(Diagnostic::error(message, *span, format!("this is {most}")));
                    return None;
                }
                Some(vec![(Level::Within(*first, last.unwrap_or(QUANTILE_MAX)), 1.0)])
            }
            // All rows have this one.
            Shares::One(_, Share { part, whole: 1 }) => {
                let quantile = u64::from(*part);
                Some(vec![(Level::Within(quantile, quantile), 1.0)])
            }
            Shares::Each(span, each) => self.shares_of_numbers(*span, each, QUANTILE_MAX),
            _ => self.wrong_shares(
                key,
                shares,
                "a map from ranges to shares, such as `{0..79: 1/2, 80..100: 1/2}`",
            ),
        }
    }

    /// A share for each number, or for all from one to another together.
    fn shares_of_numbers(
        &mut self,
        span: Span,
        each: &[(Name, Share)],
        most: u64,
    ) -> Option<Vec<(Level, f64)>> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number <= most);
        let mut numbers = Vec::new();
        for (name, share) in each {
            let level = match name.value.split_once("..") {
                None => number(&name.value).map(Level::Number),
                Some((first, "")) => number(first).map(|first| Level::Within(first, most)),
                Some((first, last)) => number(if first.is_empty() { "0" } else { first })
                    .zip(number(last))
                    .filter(|(first, last)| first <= last)
                    .map(|(first, last)| Level::Within(first, last)),
            };
            match level {
                Some(level) => numbers.push((level, *share)),
                None => {
                    let message =
                        format!("this has to be a number from 0 to {most}, or a range such as `3..5`");
                    self.problem(Diagnostic::error(message, name.span, ""));
                }
            }
        }
        self.whole(span, &numbers, each)
    }

    fn third_shares(&mut self, key: &Name, shares: &Shares) -> Option<Vec<(Level, f64)>> {
        match shares {
            Shares::Uniform(_) => Some(evenly((0..3).map(Level::Number))),
            Shares::Each(span, each) => {
                let mut thirds = Vec::new();
                for (name, share) in each {
                    match THIRDS.iter().position(|third| *third == name.value) {
                        Some(third) => thirds.push((Level::Number(third as u64), *share)),
                        None => {
                            let message = "evidence lies `early`, in the `middle` or `late`";
                            self.problem(Diagnostic::error(message, name.span, "neither"));
                        }
                    }
                }
                self.whole(*span, &thirds, each)
            }
            _ => self.wrong_shares(key, shares, "`uniform`, or a map of `early`, `middle` and `late`"),
        }
    }

    fn vote_shares(&mut self, key: &Name, shares: &Shares, answers: usize) -> Option<Vec<(Level, f64)>> {
        match shares {
            Shares::Uniform(_) => Some(evenly((0..answers as u64).map(Level::Number))),
            _ => self.wrong_shares(key, shares, "`uniform`"),
        }
    }

    fn wrong_shares<T>(&mut self, key: &Name, shares: &Shares, wanted: &str) -> Option<T> {
        let message = format!("`{}` takes {wanted}", key.value);
        self.problem(Diagnostic::error(message, shares.span(), "something else here"));
        None
    }

    /// Shares that sum to 1 and are of different values. If fewer are left than were written, the problems of the others
    /// have already been reported.
    fn whole(
        &mut self,
        span: Span,
        each: &[(Level, Share)],
        written: &[(Name, Share)],
    ) -> Option<Vec<(Level, f64)>> {
        if each.len() < written.len() {
            return None;
        }
        let overlapped = |at: usize| (0..at).find(|&before| each[before].0.overlaps(each[at].0));
        if let Some((before, at)) = (1..each.len()).find_map(|at| Some((overlapped(at)?, at))) {
            let message = "two of these shares are of the same value";
            let [first, second] = [before, at].map(|at| written[at].0.span);
            self.problem(Diagnostic::error(message, first, "one share").label(second, "the other share"));
            return None;
        }
        let sum = each.iter().fold(0.0, |sum, (_, share)| sum + share.value());
        if !(0.999..=1.001).contains(&sum) {
            let label = format!("the sum is {sum:.3}");
            self.problem(Diagnostic::error("the shares of a map add up to 1", span, label));
            return None;
        }
        Some(each.iter().map(|&(level, share)| (level, share.value() / sum)).collect())
    }
}

/// The margin of a property. A shortcut that has no answer is neither right nor wrong.
fn margin(property: Property, shares: Vec<(Level, f64)>) -> Margin {
    let may_be_neither = matches!(property, Property::Shortcut(_) | Property::OrderGap);
    let free = may_be_neither.then_some(Level::Number(2));
    Margin { property, shares, free }
}

fn evenly(levels: impl Iterator<Item = Level>) -> Vec<(Level, f64)> {
    let levels: Vec<Level> = levels.collect();
    let share = 1.0 / levels.len() as f64;
    levels.into_iter().map(|level| (level, share)).collect()
}

fn yes_and_no(share: Share) -> Vec<(Level, f64)> {
    let yes = share.value();
    vec![(Level::Number(0), 1.0 - yes), (Level::Number(1), yes)]
}

/// Whether a shortcut can answer a question about this target; `has_things` says whether people do more than walk.
fn is_of(shortcut: Shortcut, target: Item, has_things: bool) -> bool {
    let is_of_walks = matches!(
        shortcut,
        Shortcut::LeastUsualPlace
            | Shortcut::SecondLastCommonPlace
            | Shortcut::LastCommonOrStart
            | Shortcut::FirstMeetingPlace
            | Shortcut::LastMeetingPlace
            | Shortcut::SecondLastMeetingPlace
            | Shortcut::LastInnerMeetingPlace
            | Shortcut::Crowd
            | Shortcut::FirstNamed
            | Shortcut::MostVisitedPlace
            | Shortcut::LeastVisitedPlace
    );
    let is_of_things = matches!(
        shortcut,
        Shortcut::LastNamedWithHer
            | Shortcut::LastNamedWithTarget
            | Shortcut::LastNamedWithBoth
            | Shortcut::LastNamedWithInner
    );
    match target {
        Item::Character(_) | Item::Object(_) if has_things => !is_of_walks,
        Item::Character(_) | Item::Object(_) => !is_of_things,
        Item::Lid(_) | Item::Proposition(_) => shortcut == Shortcut::LowerOrder,
        Item::Prospect(_) => false,
    }
}

/// Whether a shortcut says the same as another one for beliefs of order 1.
fn is_twice(shortcut: Shortcut) -> bool {
    matches!(
        shortcut,
        Shortcut::LowerOrder
            | Shortcut::FirstMeetingPlace
            | Shortcut::LastMeetingPlace
            | Shortcut::SecondLastMeetingPlace
            | Shortcut::LastInnerMeetingPlace
    )
}

/// All possible answers to a question about a target.
fn all_answers(target: Item, staging: &Staging, place_count: usize) -> Vec<Option<Value>> {
    let places = (0..place_count).map(|at| Some(Value::Place(PlaceId::new(at))));
    match target {
        Item::Character(_) => places.collect(),
        Item::Object(_) => {
            let containers = (0..staging.containers.len()).map(ContainerId::new);
            let containers = containers.map(|container| Some(Value::Container(container)));
            containers.chain(places.filter(|_| staging.has_objects_in_places())).collect()
        }
        Item::Prospect(_) => Vec::new(),
        Item::Lid(_) | Item::Proposition(_) => {
            vec![Some(Value::Truth(true)), Some(Value::Truth(false)), None]
        }
    }
}
