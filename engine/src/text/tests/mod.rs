//! Every form of a sentence, of the context and of a question, in plans and stories made by hand.

mod context;
mod questions;
mod sentences;

use crate::by_hand::*;
use crate::id::{CharacterId, PropositionId};
use crate::plan::{NotePiece, Plan, Saying, Staging};
use crate::simulate::Story;
use crate::world::{Act, Deed, Hearers, Item, Knowledge, Telling, Thing, Trust, Value};

// Two propositions of the stories made by hand.
pub(crate) const GIFT: PropositionId = PropositionId::new(0);
pub(crate) const ANN_LIKES: PropositionId = PropositionId::new(1);
