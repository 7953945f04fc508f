//! Which part of a goal tables can see to.

use crate::belief::Chain;
use crate::id::CharacterId;
use crate::plan::{Goal, Memory};

/// The part of a goal that tables can see to: all of it if its chains are of order 1, except that of a distance they only
/// know whether there is one. How difficult it is to answer is seen when a story has been drawn.
pub fn in_tables(goal: &Goal) -> Option<Goal> {
    if goal.chains().iter().any(|chain| chain.order() != 1 || chain.character().is_none()) {
        return None;
    }
    match goal {
        Goal::MisleadDistance(chain, ..) => Some(Goal::FalseBelief(chain.clone())),
        Goal::Difficulty(..) => None,
        other => Some(other.clone()),
    }
}

/// The target of a chain in a goal that tables see to.
pub fn walker(chain: &Chain) -> CharacterId {
    chain.character().expect("other targets are not for tables")
}

/// The memory that a chain needs in a goal that tables see to.
pub fn belief(chain: &Chain) -> Memory {
    Memory::Belief { mind: chain.minds()[0], target: walker(chain) }
}
