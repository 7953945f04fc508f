//! How far above chance learners may be, sight by sight.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Serialize;

use super::lesson::Seen;
use crate::diagnostic::closest;

/// The sights that can have a limit. To know who met whom, or who saw whom come, is to follow minds, and nothing is wrong with that.
const SIGHTS: [&str; 6] = ["options", "surface", "turns", "target", "minds", "both"];

/// Limits of learners: one for all sights, or one for some of them, as in `0.02,both=0.12`.
///
/// ```
/// use storysim::audit::Limits;
/// let limits: Limits = "0.02,both=0.12".parse().unwrap();
/// assert_eq!((limits.of("target"), limits.of("both")), (Some(0.02), Some(0.12)));
/// let limits: Limits = "target=0.03".parse().unwrap();
/// assert_eq!((limits.of("target"), limits.of("both")), (Some(0.03), None));
/// assert!(["meetings=0.1", "moves=0.1"].iter().all(|limits| limits.parse::<Limits>().is_err()), "that is following minds");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Limits(BTreeMap<&'static str, f64>);

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = |text: &str| match text.trim().parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
            Ok(_) => Err(format!("{} is not between 0 and 1", text.trim())),
            Err(_) => Err(format!("`{}` is not a number", text.trim())),
        };
        let mut limits = BTreeMap::new();
        let mut others = None;
        for part in text.split(',') {
            let Some((sight, limit)) = part.split_once('=') else {
                if others.replace(share(part)?).is_some() {
                    return Err("two limits are for all sights".into());
                }
                continue;
            };
            let Some(sight) = SIGHTS.iter().copied().find(|known| *known == sight.trim()) else {
                let meant = closest(sight.trim(), SIGHTS);
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                return Err(format!("`{}` is not one of {}{meant}", sight.trim(), SIGHTS.join(", ")));
            };
            if limits.insert(sight, share(limit)?).is_some() {
                return Err(format!("`{sight}` is given twice"));
            }
        }
        if let Some(limit) = others {
            SIGHTS.into_iter().for_each(|sight| {
                limits.entry(sight).or_insert(limit);
            });
        }
        Ok(Self(limits))
    }
}

impl Limits {
    /// The limit of a sight; `None` if it has none.
    pub fn of(&self, sight: &str) -> Option<f64> {
        self.0.get(sight).copied()
    }

    /// Whether a learner is further above chance than its limit, beyond its interval.
    pub fn are_passed_by(&self, seen: &Seen) -> bool {
        self.of(seen.limit).is_some_and(|limit| seen.over_at_least() > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_refused_with_reasons() {
        let reason = |text: &str| text.parse::<Limits>().unwrap_err();
        assert!(reason("targt=0.1").contains("did you mean `target`?"));
        assert!(reason("2").contains("not between 0 and 1"));
        assert!(reason("x").contains("not a number"));
        assert!(reason("0.1,0.2").contains("two limits"));
        assert!(reason("both=0.1,both=0.2").contains("twice"));
    }
}
