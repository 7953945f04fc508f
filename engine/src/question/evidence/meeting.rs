//! When a company was together for the last time.

use super::super::watch::Company;

/// When a company met for the last time, and when one of it left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meeting {
    are_together: bool,
    /// The step that brought them together; none, if they were so from the start.
    met: Option<usize>,
    /// The step at which the target left.
    left: Option<usize>,
}

impl Meeting {
    pub fn start(company: &Company) -> Self {
        Self { are_together: company.is_together(), ..Self::default() }
    }

    /// Takes in what a step made of the company.
    pub fn note(&mut self, step: usize, company: &Company) {
        let are_together = company.is_together();
        if are_together && !self.are_together {
            self.met = Some(step);
        }
        if self.are_together && company.went().is_some() {
            self.left = Some(step);
        }
        self.are_together = are_together;
    }

    pub fn steps(&self) -> impl Iterator<Item = usize> {
        self.met.into_iter().chain(self.left)
    }
}
