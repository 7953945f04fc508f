//! Conditions on what happens in a window of steps, and on who notices it: one entry each.

/// What an author knows of a condition.
#[derive(Debug, PartialEq, Eq)]
pub struct ConditionForm {
    /// Which condition it is.
    pub kind: ConditionKind,
    /// The author's key.
    pub key: &'static str,
    /// What it demands, in a sentence for authors.
    pub about: &'static str,
    /// How its value is written.
    pub shape: Shape,
    /// The parts.
    pub parts: &'static [ConditionPartForm],
    /// Whether it is about one step, and so needs `at`.
    pub is_of_step: bool,
    /// Whether it is about people who go from place to place, and nothing else.
    pub is_of_walks: bool,
}

/// How the value of a condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Its only part: `idle: [S1, T]`.
    Bare,
    /// A map of its parts: `avoid: {who: S1, place: hall}`.
    Map,
    /// Its first part, or a map if there are others: `distracted: S1`, `distracted: {who: S1, noticed: true}`.
    Either,
}

/// What a part of a condition names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionSort {
    /// One role, or a list.
    People,
    /// A list of at least two roles.
    Company,
    /// One role.
    Person,
    /// A place or a bind.
    Place,
    /// A place or a bind; anywhere, if not given.
    Anywhere,
    /// `true` or `false`; `false`, if not given.
    Flag,
}

/// One part of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionPartForm {
    /// The key by which an author writes it.
    pub name: &'static str,
    /// What it names.
    pub sort: ConditionSort,
    /// What it is, in a few words for authors.
    pub about: &'static str,
}

impl ConditionPartForm {
    /// Whether an author has to write it.
    pub const fn is_required(&self) -> bool {
        !matches!(self.sort, ConditionSort::Anywhere | ConditionSort::Flag)
    }
}

/// A part of a condition with what stands there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConditionPart<Person, Place> {
    /// One or more.
    People(Vec<Person>),
    /// Several.
    Company(Vec<Person>),
    /// One.
    Person(Person),
    /// A place.
    Place(Place),
    /// A place, if one is given.
    Anywhere(Option<Place>),
    /// Whether something is so.
    Flag(bool),
}

/// Writes [`Condition`], [`ConditionKind`] and the forms from one entry for each condition.
macro_rules! conditions {
    ($(
        $(#[doc = $doc:literal])+
        $Condition:ident { $($part:ident $(as $name:literal)? : $sort:ident $type:ty = $part_about:literal),+ } {
            key: $key:literal, about: $about:literal, shape: $shape:ident,
            is_of_step: $is_of_step:literal, is_of_walks: $is_of_walks:literal $(,)?
        }
    )+) => {
        /// What is demanded of a window of steps. How people and places are named is up to the parameters.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Condition<Person, Place> {
            $( $(#[doc = $doc])+ $Condition {
                $(#[doc = $part_about] $part: $type,)+
            }, )+
        }

        /// Which condition a [`Condition`] is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ConditionKind {
            $( $(#[doc = $doc])+ $Condition, )+
        }

        impl ConditionKind {
            /// All conditions.
            pub const ALL: &[Self] = &[$(Self::$Condition),+];

            /// What an author knows of it.
            pub const fn form(self) -> &'static ConditionForm {
                match self {
                    $(Self::$Condition => {
                        const FORM: ConditionForm = ConditionForm {
                            kind: ConditionKind::$Condition, key: $key, about: $about, shape: Shape::$shape,
                            is_of_step: $is_of_step, is_of_walks: $is_of_walks,
                            parts: &[$(ConditionPartForm {
                                name: part_name!($part $($name)?), sort: ConditionSort::$sort, about: $part_about,
                            }),+],
                        };
                        &FORM
                    })+
                }
            }

            /// The condition with these parts. None, unless their number and sorts are those of the form.
            pub fn condition<Person, Place>(
                self,
                parts: impl IntoIterator<Item = ConditionPart<Person, Place>>,
            ) -> Option<Condition<Person, Place>> {
                let mut parts = parts.into_iter();
                Some(match self {
                    $(Self::$Condition => {
                        $(let Some(ConditionPart::$sort($part)) = parts.next() else { return None };)+
                        Condition::$Condition { $($part),+ }
                    })+
                })
            }
        }

        impl<Person, Place> Condition<Person, Place> {
            /// Which condition it is.
            pub const fn kind(&self) -> ConditionKind {
                match self {
                    $(Self::$Condition { .. } => ConditionKind::$Condition,)+
                }
            }
        }

        impl<Person: Clone, Place: Clone> Condition<Person, Place> {
            /// The parts, in the order of the form.
            pub fn parts(&self) -> Vec<ConditionPart<Person, Place>> {
                match self {
                    $(Self::$Condition { $($part),+ } => vec![$(ConditionPart::$sort($part.clone())),+],)+
                }
            }
        }
    };
}

conditions! {
    /// After the step all of them are there, one of them arriving in it.
    Meet { who: Company Vec<Person> = "At least two roles.", place as "in": Anywhere Option<Place> = "A place or a bind. Default: anywhere." } {
        key: "meet", about: "After this step all of them are there, and its event is one of them arriving.", shape: Map,
        is_of_step: true, is_of_walks: true,
    }
    /// They do not act.
    Idle { who: People Vec<Person> = "Roles." } {
        key: "idle", about: "These roles do not act in the window.", shape: Bare, is_of_step: false, is_of_walks: true,
    }
    /// After each step no two of them are in one place.
    Apart { who: Company Vec<Person> = "At least two roles." } {
        key: "apart", about: "After each step of the window no two of these roles are in one place.", shape: Bare,
        is_of_step: false, is_of_walks: true,
    }
    /// After each step all of them are in one place.
    Together { who: Company Vec<Person> = "At least two roles." } {
        key: "together", about: "After each step of the window all of these roles are in one place.", shape: Bare,
        is_of_step: false, is_of_walks: true,
    }
    /// Some witness no move of others.
    Unseen { who: People Vec<Person> = "Roles that may move.", by: People Vec<Person> = "Roles that do not see it." } {
        key: "unseen", about: "In the window, the roles under `by` see no move of those under `who`.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// After each step they are elsewhere.
    Avoid { who: People Vec<Person> = "Roles.", place: Place Place = "A place or a bind." } {
        key: "avoid", about: "After each step of the window these roles are elsewhere.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// One moves at least once, and only to where the other is.
    Follow { who: Person Person = "A role.", whom: Person Person = "Another role." } {
        key: "follow", about: "In the window this role moves at least once, and only to where the other is.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// They watch what happens from elsewhere, unnoticed.
    Peek { who: People Vec<Person> = "Roles." } {
        key: "peek", about: "These roles watch what happens from elsewhere, unnoticed.", shape: Bare,
        is_of_step: false, is_of_walks: false,
    }
    /// They do not see what happens where they are.
    Distracted { who: People Vec<Person> = "Roles.", is_noticed as "noticed": Flag bool = "Whether the others notice. Default: false." } {
        key: "distracted", about: "These roles do not see what happens where they are.", shape: Either,
        is_of_step: false, is_of_walks: false,
    }
}

impl ConditionForm {
    /// The condition that an author writes by a key.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        ConditionKind::ALL.iter().map(|kind| kind.form()).find(|form| form.key == key)
    }
}

impl<Person: Clone, Place: Clone> Condition<Person, Place> {
    /// What an author knows of it.
    pub const fn form(&self) -> &'static ConditionForm {
        self.kind().form()
    }

    /// The same condition, its parts named otherwise. None, if one of them has no such name; all are asked for theirs.
    ///
    /// # Panics
    /// If a part becomes one of another sort.
    pub fn map<Q, P>(
        &self,
        name: impl FnMut(ConditionPart<Person, Place>) -> Option<ConditionPart<Q, P>>,
    ) -> Option<Condition<Q, P>> {
        let named: Vec<Option<ConditionPart<Q, P>>> = self.parts().into_iter().map(name).collect();
        let parts = named.into_iter().collect::<Option<Vec<_>>>()?;
        Some(self.kind().condition(parts).expect("parts keep their sorts"))
    }
}
