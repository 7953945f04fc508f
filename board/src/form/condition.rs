//! Conditions on what happens in a window of steps, and on who notices it: one entry each.

/// Everything that authors know about a condition.
#[derive(Debug, PartialEq, Eq)]
pub struct ConditionForm {
    /// The condition that the form is for.
    pub kind: ConditionKind,
    /// The key in storyboards.
    pub key: &'static str,
    /// What the condition demands, in one sentence for authors.
    pub about: &'static str,
    /// How the value of the key is written.
    pub shape: Shape,
    /// The parts of the condition, in order.
    pub parts: &'static [ConditionPartForm],
    /// Whether it applies to a single step and therefore needs `at`.
    pub is_of_step: bool,
    /// Whether it is only about people who go from place to place.
    pub is_of_walks: bool,
}

/// How the value of a condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The only part: `idle: [S1, T]`.
    Bare,
    /// A map of the parts: `avoid: {who: S1, place: hall}`.
    Map,
    /// The first part, or a map if there are others: `distracted: S1`, `distracted: {who: S1, noticed: true}`.
    Either,
}

/// The kind of value that a part of a condition has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionSort {
    /// One role, or a list of roles.
    People,
    /// A list of at least two roles.
    Company,
    /// One role.
    Person,
    /// A place or a bind.
    Place,
    /// A place or a bind; if not given, any place.
    Anywhere,
    /// `true` or `false`; if not given, `false`.
    Flag,
}

/// One part of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionPartForm {
    /// The key by which an author writes the part.
    pub name: &'static str,
    /// The kind of value.
    pub sort: ConditionSort,
    /// A description for authors, in a few words.
    pub about: &'static str,
}

impl ConditionPartForm {
    /// Whether an author has to write the part.
    pub const fn is_required(&self) -> bool {
        !matches!(self.sort, ConditionSort::Anywhere | ConditionSort::Flag)
    }
}

/// A part of a condition with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConditionPart<Person, Place> {
    /// One or more people.
    People(Vec<Person>),
    /// Several people.
    Company(Vec<Person>),
    /// One person.
    Person(Person),
    /// A place.
    Place(Place),
    /// A place, if one is given.
    Anywhere(Option<Place>),
    /// Whether something is so.
    Flag(bool),
}

/// Generates [`Condition`], [`ConditionKind`] and the forms from one entry for each condition.
macro_rules! conditions {
    ($(
        $(#[doc = $doc:literal])+
        $Condition:ident { $($part:ident $(as $name:literal)? : $sort:ident $type:ty = $part_about:literal),+ } {
            key: $key:literal, about: $about:literal, shape: $shape:ident,
            is_of_step: $is_of_step:literal, is_of_walks: $is_of_walks:literal $(,)?
        }
    )+) => {
        /// A demand on a window of steps. The parameters say how people and places are named.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Condition<Person, Place> {
            $( $(#[doc = $doc])+ $Condition {
                $(#[doc = $part_about] $part: $type,)+
            }, )+
        }

        /// The kind of a [`Condition`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ConditionKind {
            $( $(#[doc = $doc])+ $Condition, )+
        }

        impl ConditionKind {
            /// All conditions.
            pub const ALL: &[Self] = &[$(Self::$Condition),+];

            /// What authors know about the condition.
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

            /// The condition with these parts; `None` unless their number and sorts are those of the form.
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
            /// The kind of the condition.
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
    /// These do not act.
    Idle { who: People Vec<Person> = "Roles." } {
        key: "idle", about: "These roles do not act in the window.", shape: Bare, is_of_step: false, is_of_walks: true,
    }
    /// After each step, no two of these are in the same place.
    Apart { who: Company Vec<Person> = "At least two roles." } {
        key: "apart", about: "After each step of the window no two of these roles are in one place.", shape: Bare,
        is_of_step: false, is_of_walks: true,
    }
    /// After each step, all of these are in the same place.
    Together { who: Company Vec<Person> = "At least two roles." } {
        key: "together", about: "After each step of the window all of these roles are in one place.", shape: Bare,
        is_of_step: false, is_of_walks: true,
    }
    /// Some witness no move of certain others.
    Unseen { who: People Vec<Person> = "Roles that may move.", by: People Vec<Person> = "Roles that do not see it." } {
        key: "unseen", about: "In the window, the roles under `by` see no move of those under `who`.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// After each step, these are not in the place.
    Avoid { who: People Vec<Person> = "Roles.", place: Place Place = "A place or a bind." } {
        key: "avoid", about: "After each step of the window these roles are elsewhere.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// One moves at least once, and only to where another is.
    Follow { who: Person Person = "A role.", whom: Person Person = "Another role." } {
        key: "follow", about: "In the window this role moves at least once, and only to where the other is.", shape: Map,
        is_of_step: false, is_of_walks: true,
    }
    /// These watch what happens from elsewhere, unnoticed.
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
    /// The condition with this key.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        ConditionKind::ALL.iter().map(|kind| kind.form()).find(|form| form.key == key)
    }
}

impl<Person: Clone, Place: Clone> Condition<Person, Place> {
    /// What authors know about the condition.
    pub const fn form(&self) -> &'static ConditionForm {
        self.kind().form()
    }

    /// The same condition with its parts named differently; `None` if any part has no such name. `name` is called for all.
    ///
    /// # Panics
    /// If a part changes its sort.
    pub fn map<Q, P>(
        &self,
        name: impl FnMut(ConditionPart<Person, Place>) -> Option<ConditionPart<Q, P>>,
    ) -> Option<Condition<Q, P>> {
        let named: Vec<Option<ConditionPart<Q, P>>> = self.parts().into_iter().map(name).collect();
        let parts = named.into_iter().collect::<Option<Vec<_>>>()?;
        Some(self.kind().condition(parts).expect("parts keep their sorts"))
    }
}
