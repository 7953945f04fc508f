//! Why an answer is what it is: the step that settled it, and what it takes for that step to have been witnessed, and
//! understood, by the minds of the chain.
//!
//! # The definition
//!
//! *What a mind says* of an item is the place or container where it has it (for what is in somebody's hands: what it
//! says of the holder), whether it has it true, or nothing. Whether its owner has no idea or that is unclear counts
//! only where the answer depends on it. A mind's opinion of an item was *settled* by the last step at which what it
//! says changed; by none, if it is held from the start without a break.
//!
//! *What has to hold.* A question asks for the opinions of some chains `m₁ … mₖ`. For each, what it says at the end
//! and the step that settled it have to hold. To take part in that step, each mind had to be where it could be
//! witnessed, as the mind around it has it: so what `m₁ … mᵢ` says at that step of the place of `mᵢ₊₁` has to hold as
//! well, with the step that settled it, and in turn with what that one takes. But not where the step itself names
//! `mᵢ₊₁` as one who acts, is given something, or is spoken to by name: then it shows that she takes part.
//!
//! *These steps alone.* Some steps are *enough* if all of that holds although the minds know of no other steps.
//! Reality remains that of the whole story: the events of these steps begin where they began, before the same
//! witnesses, who have the same look at what is there; and whoever witnesses one of them knows where she is. So it is
//! no reason if a mind happens to hold the answer from the start, when it was lost in between and learnt again: what
//! made it be lost belongs to the evidence.
//!
//! *Evidence* is a set of steps that is enough, and of which no part is. All settling steps are in it.
//!
//! Of reality, it is the last step at which the answer changed; of the start, none; of where someone went from a
//! company, the step that brought the company together for the last time, and the one at which she left; of whom
//! someone follows, moves of hers that leave nobody else.
//!
//! # How it is found
//!
//! While a question is answered, a [`Record`](super::record::Record) is kept of when which opinion changed. Mostly
//! the settling steps are enough, which takes one replay of these few. Else a step at which an opinion changed is
//! added, the later ones first; then those at which what is held from the start was lost; then two of the first kind;
//! else [`Search`](search::Search) leaves out steps from all that there are. Parts of what is left are tried by size,
//! so none of what is found can be spared.
//!
//! In conversations everybody sees everybody come and go, so what is held and what settled it follow from who is there, and of one mind,
//! or of two, a replay is short ([`TalkEvidence`]).

mod deeds;
mod meeting;
mod search;
mod talk;
mod walks;

pub use deeds::DeedEvidence;
pub use talk::{Line, Outer, Said, TalkEvidence};
pub use walks::WalkEvidence;
