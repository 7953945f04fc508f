//! Chooses stories and twins such that shares are balanced over both.
//!
//! `balance` keeps stories; what a change makes of one is another matter. Most changes let somebody see once more or once less
//! where the target is, and so its last place is the answer of far more twins than of stories. So a pair counts for the product
//! of the factors of both, and these are such that shares come out right over the stories and twins of pilot pairs taken
//! together. Then it is drawn which of the two is called the twin, and shares are right of each.
//!
//! Of the changes of a story that make a twin one is chosen in proportion to what its pair counts for, and the story is kept with
//! a probability in proportion to the mean over all changes that were tried: so every pair is as likely as its story and one of
//! these changes, times what it counts for, but for a limit; and far fewer stories are drawn again than if one change of each
//! were looked at.
//!
//! Where nothing is to be learned, each of the two stories also counts for what it weighs at a second look (`learning.rs`). Most
//! stories weigh little there, and looking for their twins takes longer than drawing others. So twins of stories that weigh less than
//! a *bar* are looked for more rarely, and such a story then counts for as much as one that weighs just that:
//!
//! ```text
//! weight    bar    twins are looked for    the story then counts for
//! 0.5       2.0    1 in 4                  2.0
//! 3.0       2.0    always                  3.0
//! ```

use super::Twin;
use crate::plan::Plan;
use crate::rng::{Stream, below};
use crate::select::balance::{Reader, Weigher, Weights, even, unit};
use crate::select::look::{Look, Looker, Told};
use crate::select::ranking::Ranking;
use crate::simulate::Story;

/// The largest number of changes of a story that are tried. More take longer for each story, fewer keep fewer stories; of
/// 16 to 128, about this number takes the least time per pair on the calibrated storyboards.
pub const TRIES_MAX: usize = 48;

/// Chooses pairs of stories of one plan, so that shares hold over stories and twins.
#[derive(Clone, Debug)]
pub struct Chooser<'a> {
    plan: &'a Plan,
    reader: Reader<'a>,
    weigher: Weigher,
    /// How to take a second look at each story, where nothing is to be learned.
    pub look: Option<(&'a Look, Looker)>,
    /// Twins of stories that weigh less are looked for more rarely.
    bar: f64,
    /// The twin chosen so far.
    pub chosen: Twin,
}

impl<'a> Chooser<'a> {
    /// A chooser of pairs of a plan's stories, by what is known, and given how difficult questions usually are if that is balanced;
    /// `None` if no shares are.
    pub fn new(plan: &'a Plan, known: Known<'a>, ranking: Option<&'a Ranking>) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let weigher = known
            .weights
            .map_or_else(|| Weigher::new(balance, &even(balance)), |of| Weigher::new(balance, of));
        let look = known.look.map(|look| (look, Looker::new(plan)));
        let (reader, bar) = (Reader::new(plan, ranking)?, known.bar);
        Some(Self { plan, reader, weigher, look, bar, chosen: Twin::default() })
    }

    /// The level of each margin for the story that was weighed last.
    pub fn levels(&mut self) -> &[u16] {
        self.reader.levels(&self.weigher)
    }

    /// What a story weighs; `None` if it has a value that no story may have.
    pub fn weigh(&mut self, story: &Story) -> Option<Weighed> {
        let Self { plan, reader, weigher, look, .. } = self;
        let product = weigher.product(reader.read(story, weigher)?);
        let look = look.as_mut().map_or(1.0, |(look, looker)| {
            let answer = reader.place().expect("answers are places").index();
            looker.weigh(plan, look, story, (answer, reader.levels(weigher)))
        });
        Some(Weighed { look, weight: product * look })
    }

    /// Draws whether twins of a story are looked for. Returns what it weighs, and how many stories like it this one stands for; `None`
    /// if they are not.
    pub fn begin(&mut self, story: &Story, stream: &mut Stream) -> Option<(Weighed, f64)> {
        let weighed = self.weigh(story).filter(|weighed| weighed.weight > 0.0)?;
        let chance = if weighed.weight < self.bar { weighed.weight / self.bar } else { 1.0 };
        (chance == 1.0 || unit(stream) < chance).then(|| (weighed, 1.0 / chance))
    }

    /// A story as it is learned from, if it may be kept and there is a second look.
    pub fn read_signs(&mut self, story: &Story) -> Option<Told> {
        let Self { plan, reader, weigher, look, .. } = self;
        let (look, looker) = look.as_mut()?;
        reader.read(story, weigher)?;
        let answer = reader.place()?.index();
        Some(Told::read(looker, plan, look, story, (answer, reader.levels(weigher))))
    }

    /// Draws whether a story is kept, by the mean weight of its pairs, and if so whether it is called the twin.
    pub fn draw(&self, mean: f64, stream: &mut Stream) -> Option<bool> {
        self.keeps(mean, stream).then(|| below(stream, 2) == 1)
    }

    /// Draws whether a story is kept, by the mean weight of what it makes with its twins.
    pub fn keeps(&self, mean: f64, stream: &mut Stream) -> bool {
        unit(stream) * self.weigher.weight_max < mean
    }
}

/// What a story weighs.
#[derive(Clone, Copy, Debug)]
pub struct Weighed {
    /// At a second look alone; 1 if there is none.
    pub look: f64,
    /// Times the factors of its values.
    pub weight: f64,
}

/// By what pairs are chosen, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The factors of shares.
    pub weights: Option<&'a Weights>,
    /// What a second look takes, where nothing is to be learned.
    pub look: Option<&'a Look>,
    /// Twins of stories that weigh less are looked for more rarely.
    pub bar: f64,
}

/// A pilot story: its level of each margin, and those of its twins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// The levels of the story; empty if its twins were not looked for.
    pub levels: Vec<u16>,
    /// How many stories it stands for, as twins of others like it were not looked for.
    pub count: f64,
    /// The levels of its twins, one twin after another.
    pub twins: Vec<u16>,
    /// What it weighs at a second look, and what its twins do.
    pub look: f64,
    pub looks: Vec<f64>,
    /// The number of changes that were tried.
    pub tried: usize,
    /// Whether it has a twin at all, whatever its values.
    pub has_twin: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile_family;
    use crate::diagnostic::Source;
    use crate::rng::{Purpose, StreamKey};
    use crate::select::{Family, Selector};
    use crate::storyboard::parse;

    #[test]
    fn a_story_under_the_bar_stands_for_those_whose_twins_are_not_looked_for() {
        let text = "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\n\
                    places: {complete: [a, b, c]}\nhorizon: 24\nbalance: {answer: uniform}\n\
                    questions: [belief: [S1, T]]\n";
        let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
        let family = Family::new(compile_family(&board, &[]).unwrap().plans);
        let plan = &family.plans()[0];
        let mut weights = even(plan.balance.as_ref().unwrap());
        weights.factors[0][0] = 0.25; // where the answer is `a`
        let known = Known { weights: Some(&weights), look: None, bar: 1.0 };
        let mut chooser = Chooser::new(plan, known, None).unwrap();
        let key = StreamKey::derive(1, &plan.fingerprint, Purpose::Twin);
        let (mut selector, mut story) = (Selector::for_twins(&family, 1), Story::default());
        // How many stories there are that weigh 1 or 0.25, of how many twins are looked for, and for how many these stand.
        let mut found = [[0.0; 3]; 2];
        for index in 0..6_000 {
            selector.draw(index, &mut story);
            let weight = chooser.weigh(&story).unwrap().weight;
            let [all, looked_for, stands_for] = &mut found[usize::from(weight < 1.0)];
            *all += 1.0;
            if let Some((weighed, count)) = chooser.begin(&story, &mut key.stream(index, 0)) {
                assert_eq!(weighed.weight, weight);
                *looked_for += 1.0;
                *stands_for += count;
            }
        }
        let [[all, looked_for, stands_for], light] = found;
        assert!(all > 1_000.0 && looked_for == all && stands_for == all, "{found:?}");
        let [all, looked_for, stands_for] = light.map(|number| number / light[0]);
        assert!((looked_for - 0.25).abs() < 0.03 && (stands_for - all).abs() < 0.12, "{found:?}");
    }
}
