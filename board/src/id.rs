//! Typed indices: a character is never mistaken for a place.

use std::num::NonZeroU16;

/// A character of one story, counted from 0.
///
/// The first characters of a story are its roles, in the order in which the storyboard names them:
/// `CharacterId(0)` is the first role. The others follow. Which *name* each of them bears is drawn
/// per story (see `simulate`), so the number gives nothing away.
///
/// ```
/// use storysim::id::CharacterId;
/// assert_eq!(CharacterId::new(3).index(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterId(u16);

impl CharacterId {
    /// The largest number of characters that a story can have.
    pub const COUNT_MAX: usize = 10_000;

    /// The largest number of characters and slots for memories (see `plan::Memory`) together.
    const SLOTS_MAX: usize = Self::COUNT_MAX + 4_096;

    /// The character with this number.
    ///
    /// # Panics
    /// If `index` is so large that not even a memory can have it.
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::SLOTS_MAX);
        Self(index as u16)
    }

    /// The number, for indexing tables by character.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place of a storyboard, counted from 0 in the order of the file.
///
/// It is stored as a non-zero number, so that `Option<PlaceId>` (a belief, which may be *unknown*)
/// takes no more room than a place.
///
/// ```
/// use storysim::id::PlaceId;
/// assert_eq!(PlaceId::new(0).index(), 0);
/// assert_eq!(size_of::<Option<PlaceId>>(), size_of::<PlaceId>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(NonZeroU16);

impl PlaceId {
    /// The largest number of places that a storyboard can have.
    pub const COUNT_MAX: usize = 10_000;

    /// The place with this number. Where a memory needs it, the number of places stands for an unknown one.
    ///
    /// # Panics
    /// If `index` is above [`Self::COUNT_MAX`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index <= Self::COUNT_MAX);
        match NonZeroU16::new(index as u16 + 1) {
            Some(number) => Self(number),
            None => unreachable!(),
        }
    }

    /// The number, for indexing tables by place.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An object of a storyboard, counted from 0 in the order of the file.
///
/// ```
/// use storysim::id::ObjectId;
/// assert_eq!(ObjectId::new(3).index(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u16);

/// A container of a storyboard, counted from 0 in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContainerId(u16);

/// A proposition of a story, counted from 0: those of the file in order, then everyone's attitudes; in woven stories, board by board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropositionId(u16);

/// A prospect of a story, counted from 0 in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProspectId(u16);

macro_rules! counted {
    ($($id:ident)*) => {$(
        impl $id {
            /// The largest number of things of this kind in a story.
            pub const COUNT_MAX: usize = 1_000;

            /// The thing with this number.
            ///
            /// # Panics
            /// If `index` is not below [`Self::COUNT_MAX`].
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index < Self::COUNT_MAX);
                Self(index as u16)
            }

            /// The number, for indexing tables.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

counted!(ObjectId ContainerId PropositionId ProspectId);
