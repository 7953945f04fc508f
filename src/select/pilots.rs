//! The pilot stories that say how difficult questions usually are.
//!
//! They are stories of the same family, not the hardest of several, under a seed that follows from nothing but what decides what happens in them, so the rank
//! of a question is a function of its row.

use rand::Rng;

use super::family::Family;
use super::ranking::Ranking;
use super::selector::Selector;
use crate::plan::written_number;
use crate::question::{Asker, DifficultyGauge};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::Story;

/// The number of pilot stories.
const STORIES: u64 = 500;

/// How difficult the questions of a family's stories usually are. Pilot stories are made when this is asked for first.
pub fn ranking(family: &Family) -> &Ranking {
    family.ranking_or_make(|| {
        let key = StreamKey::derive(0, &family.plans()[0].fingerprint, Purpose::Difficulty);
        let seed = key.stream(0, 0).next_u64();
        let mut members: Vec<_> = family.plans().iter().map(|_| None).collect();
        let (mut selector, mut story) = (Selector::of_pilots(family, seed), Story::default());
        let mut scores = vec![Vec::new(); family.question_count()];
        for index in 0..STORIES {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            let new = || (Asker::new(plan, seed), DifficultyGauge::new(plan));
            let (asker, gauge) = members[selector.plan_number()].get_or_insert_with(new);
            for answered in asker.ask(&story) {
                let number = written_number(&plan.bundles, answered.question);
                scores[number].push(gauge.measure(&story, answered).score());
            }
        }
        Ranking::new(scores)
    })
}
