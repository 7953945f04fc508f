//! Deeds: one entry each.

use super::{Direction, Naming, Part, PartForm, Sort, TellingIn};

/// Everything that authors and readers know about a deed.
#[derive(Debug, PartialEq, Eq)]
pub struct ActForm {
    /// The kind of deed that the form is for.
    pub kind: ActKind,
    /// The key in storyboards, if authors can write the deed.
    pub key: Option<&'static str>,
    /// The name in the events of rows. There, telling on the phone is called `phone`.
    pub event: &'static str,
    /// A description for authors, in one sentence.
    pub about: &'static str,
    /// The parts, in the order in which rows have them. The actor, and where she goes, are not parts.
    pub parts: &'static [PartForm],
    /// Whether the actor goes to another place.
    pub goes: bool,
    /// The sentence. `{who}`, `{everyone}`, `{verb}`, `{here}` and `{there}` come from the event, other holes are parts.
    pub says: &'static str,
    /// The text that enters the keys of the random streams, which is part of the promise on bytes.
    pub mark: &'static str,
    /// The rule that readers need to know to understand the deed.
    pub rule: Rule,
}

/// A rule about deeds that a reader has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// People go from place to place; no further rule is needed.
    Going,
    /// People have things in hand.
    Hands,
    /// People have things in hand, and hand them on.
    Given,
    /// People do something with things.
    Handled,
    /// Things are thrown from place to place.
    Thrown,
    /// Containers are opened.
    Opened,
    /// Containers are closed.
    Closed,
    /// People show whether they like something.
    Shown,
    /// People talk.
    Said,
    /// People say what is plain to be so.
    Revealed,
    /// People announce news.
    Announced,
    /// People talk of nothing.
    Chatted,
}

/// What is done at a step, with its parts named as in `W`.
pub type ActIn<W> = Act<
    Vec<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Place>,
    <W as Naming>::Open<<W as Naming>::Object>,
    <W as Naming>::Open<<W as Naming>::Container>,
    <W as Naming>::Spot,
    <W as Naming>::Liking,
    <W as Naming>::Fact,
    TellingIn<W>,
>;

/// A deed that a storyboard demands, named as in `W`.
pub type DirectionIn<W> = Direction<<W as Naming>::Person, <W as Naming>::Place, ActIn<W>>;

/// Generates [`Act`], [`ActKind`] and the forms from one entry for each deed.
macro_rules! deeds {
    ($(
        $(#[doc = $doc:literal])+
        $Deed:ident $(( $($part:ident $(as $name:literal)? : $sort:ident),+ ))? {
            key: $key:expr, event: $event:literal, about: $about:literal, goes: $goes:literal,
            says: $says:literal, mark: $mark:literal, rule: $rule:ident $(,)?
        }
    )+) => {
        /// What is done at a step, with one parameter for each sort of parts.
        ///
        /// [`ActIn`] fills them in from a [`Naming`]. They are spelt out here so that an act with borrowed names may be used
        /// for a shorter time than the names live.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Act<Company, Person, Place, Object, Container, Spot, Liking, Fact, Telling> {
            $( $(#[doc = $doc])+ $Deed $(( $($sort),+ ))?, )+
        }

        /// The kind of deed of an [`Act`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ActKind {
            $( $(#[doc = $doc])+ $Deed, )+
        }

        impl ActKind {
            /// All deeds, in the order in which they are tried when a sentence is read.
            pub const ALL: &[Self] = &[$(Self::$Deed),+];

            /// What authors and readers know about the deed.
            pub const fn form(self) -> &'static ActForm {
                match self {
                    $(Self::$Deed => {
                        const FORM: ActForm = ActForm {
                            kind: ActKind::$Deed, key: $key, event: $event, about: $about, goes: $goes,
                            says: $says, mark: $mark, rule: Rule::$rule,
                            parts: &[$($(PartForm { name: part_name!($part $($name)?), sort: Sort::$sort }),+)?],
                        };
                        &FORM
                    })+
                }
            }

            /// The act with these parts; `None` unless their number and sorts are those of the form.
            pub fn act<A, B, C, D, E, F, G, H, I>(
                self,
                parts: impl IntoIterator<Item = Part<A, B, C, D, E, F, G, H, I>>,
            ) -> Option<Act<A, B, C, D, E, F, G, H, I>> {
                let mut parts = parts.into_iter();
                let act = match self {
                    $(Self::$Deed => {
                        $($(let Some(Part::$sort($part)) = parts.next() else { return None };)+)?
                        Act::$Deed $(( $($part),+ ))?
                    })+
                };
                parts.next().is_none().then_some(act)
            }
        }

        impl<A, B, C, D, E, F, G, H, I> Act<A, B, C, D, E, F, G, H, I> {
            /// The kind of deed.
            pub const fn kind(&self) -> ActKind {
                match self {
                    $(act_pattern!($Deed $(( $($part),+ ))?) => ActKind::$Deed,)+
                }
            }
        }

        impl<A, B, C, D, E, F, G, H, I> Act<A, B, C, D, E, F, G, H, I>
        where
            A: Clone, B: Clone, C: Clone, D: Clone, E: Clone, F: Clone, G: Clone, H: Clone, I: Clone,
        {
            /// The part at this index in the form, if there is one.
            pub fn part(&self, at: usize) -> Option<Part<A, B, C, D, E, F, G, H, I>> {
                match self {
                    $(Self::$Deed $(( $($part),+ ))? => {
                        let mut _before = 0..at;
                        $($(
                            if _before.next().is_none() {
                                return Some(Part::$sort($part.clone()));
                            }
                        )+)?
                        None
                    })+
                }
            }
        }
    };
}

/// A pattern that matches a deed whatever its parts.
macro_rules! act_pattern {
    ($Deed:ident) => {
        Self::$Deed
    };
    ($Deed:ident ( $($part:ident),+ )) => {
        Self::$Deed(..)
    };
}

deeds! {
    /// The actor goes, and carries along what she has in hand.
    Go {
        key: Some("move"), event: "move", about: "The event of this step is this move. Several go together, from one place.",
        goes: true, says: "{who} {verb} {there}", mark: "goes to {there}", rule: Going,
    }
    /// The actor and these others go together from the same place, in one event.
    GoTogether(company: Company) {
        key: Some("move"), event: "move_together", about: "Several go together.", goes: true,
        says: "{everyone} go to {there} together", mark: "goes with {company} to {there}", rule: Going,
    }
    /// The actor goes and takes along an object that is within reach. Afterwards she has it in hand.
    Carry(object: Object) {
        key: Some("carry"), event: "carry", about: "She goes there and takes an object along.", goes: true,
        says: "{who} carries {object} to {there}", mark: "carries {object} to {there}", rule: Hands,
    }
    /// The actor takes an object into her hands.
    Take(object: Object) {
        key: Some("take"), event: "take", about: "She takes an object in hand.", goes: false,
        says: "{who} takes {object}", mark: "takes {object}", rule: Hands,
    }
    /// The actor puts an object from her hands into a container in this place, or down.
    Put(object: Object, spot as "in": Spot) {
        key: Some("put"), event: "put", about: "She puts an object from her hands into a container, or down.",
        goes: false, says: "{who} puts {object} {in}", mark: "puts {object} {in}", rule: Hands,
    }
    /// The actor moves an object that is within reach into a container in this place.
    MoveObject(object: Object, to: Container) {
        key: Some("move_object"), event: "move_object", about: "She moves an object into a container.", goes: false,
        says: "{who} moves {object} into {to}", mark: "moves {object} to {to}", rule: Handled,
    }
    /// The actor hands an object that she has in hand to somebody here, who then has it in hand.
    Give(object: Object, to: Person) {
        key: Some("give"), event: "give", about: "She hands an object that she has in hand to somebody there.",
        goes: false, says: "{who} gives {object} to {to}", mark: "gives {object} to {to}", rule: Given,
    }
    /// The actor throws an object that is within reach to a neighbouring place, where it then lies and is seen to arrive.
    Throw(object: Object, to: Place) {
        key: Some("throw"), event: "throw", about: "She throws an object to a place next to hers.", goes: false,
        says: "{who} throws {object} to {to}", mark: "throws {object} to {to}", rule: Thrown,
    }
    /// The actor opens a container. Everyone here sees what is in it, and so does everyone who comes in later.
    Open(container: Container) {
        key: Some("open"), event: "open", about: "She opens a container.", goes: false,
        says: "{who} opens {container}", mark: "opens {container}", rule: Opened,
    }
    /// The actor closes a container.
    Close(container: Container) {
        key: Some("close"), event: "close", about: "She closes a container.", goes: false,
        says: "{who} closes {container}", mark: "closes {container}", rule: Closed,
    }
    /// The actor shows whether she likes something.
    React(to: Liking) {
        key: Some("react"), event: "react", about: "She shows whether she likes something.", goes: false,
        says: "{who} shows that {to}", mark: "reacts to {to}", rule: Shown,
    }
    /// The actor says that something is so.
    Tell(telling: Telling) {
        key: Some("tell"), event: "tell", about: "She says what she believes about `that`, or the value that is given there.", goes: false,
        says: "{who} {telling}", mark: "{telling}", rule: Said,
    }
    /// The actor says what is so, and all who are there see that it is.
    Reveal(that: Fact) {
        key: Some("reveal"), event: "reveal", about: "She says what is so, to everyone there, and they see that it is.",
        goes: false, says: "{who} reveals that {that}", mark: "reveals {that}", rule: Revealed,
    }
    /// The actor announces how a prospect stands from now on, to all who are there.
    Turn(news: Telling) {
        key: Some("turn"), event: "turn", about: "She announces how a prospect stands, and from then on that is so.",
        goes: false, says: "{who} {news}", mark: "{news}", rule: Announced,
    }
    /// The actor says something that changes nothing.
    Chat {
        key: Some("chat"), event: "chat", about: "She says something that changes nothing.", goes: false,
        says: "{who} makes small talk", mark: "chats", rule: Chatted,
    }
    /// The actor shows everyone here where an object in this place is, even in a closed container. Nothing changes.
    Show(object: Object) {
        key: None, event: "show", about: "She shows an object to everyone there.", goes: false,
        says: "{who} shows {object} to everyone in {here}", mark: "shows {object}", rule: Handled,
    }
}

/// The key for telling something that one does not believe. Its parts are those of `tell`.
pub const LIE: &str = "lie";

impl ActForm {
    /// The keys of all deeds that an author can write, each once.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let own = ActKind::ALL
            .iter()
            .filter(|kind| **kind != ActKind::GoTogether)
            .filter_map(|kind| kind.form().key);
        own.flat_map(|key| if key == "tell" { vec![key, LIE] } else { vec![key] })
    }

    /// The deed with this key. A `move` of several people turns out to be one of going together.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        let key = if key == LIE { "tell" } else { key };
        ActKind::ALL.iter().map(|kind| kind.form()).find(|form| form.key == Some(key))
    }

    /// The keys of the deed's map in storyboards: who acts, the parts, and where she goes.
    pub fn map_keys(&self) -> Vec<&'static str> {
        let of_part = |part: &PartForm| match part.sort {
            Sort::Telling if self.kind == ActKind::Turn => vec!["of", "to"],
            Sort::Telling => vec!["to", "that"],
            Sort::Company => Vec::new(), // several are named as `who`
            _ => vec![part.name],
        };
        let parts = self.parts.iter().flat_map(of_part);
        ["who"].into_iter().chain(parts).chain(self.goes.then_some("to")).collect()
    }
}

#[expect(clippy::derivable_impls, reason = "the macro gives its variants no attributes of their own")]
impl<A, B, C, D, E, F, G, H, I> Default for Act<A, B, C, D, E, F, G, H, I> {
    fn default() -> Self {
        Self::Go
    }
}

impl<A, B, C, D, E, F, G, H, I> Act<A, B, C, D, E, F, G, H, I> {
    /// What authors and readers know about the act's deed.
    pub const fn form(&self) -> &'static ActForm {
        self.kind().form()
    }
}

impl<A, B, C, D, E, F, G, H, I> Act<A, B, C, D, E, F, G, H, I>
where
    A: Clone,
    B: Clone,
    C: Clone,
    D: Clone,
    E: Clone,
    F: Clone,
    G: Clone,
    H: Clone,
    I: Clone,
{
    /// The parts, in the order of the form.
    pub fn parts(&self) -> impl Iterator<Item = Part<A, B, C, D, E, F, G, H, I>> + '_ {
        (0..).map_while(|at| self.part(at))
    }

    /// The same act with another part at this index.
    ///
    /// # Panics
    /// If the part is of another sort.
    #[must_use]
    pub fn with(&self, at: usize, part: Part<A, B, C, D, E, F, G, H, I>) -> Self {
        let mut other = Some(part);
        let parts = self.parts().enumerate().map(|(number, part)| match other.take_if(|_| number == at) {
            Some(other) => other,
            None => part,
        });
        self.kind().act(parts).expect("parts keep their sorts")
    }

    /// The same act with its parts named differently; `None` if any part has no such name. `name` is called for all parts.
    ///
    /// # Panics
    /// If a part changes its sort.
    #[expect(clippy::type_complexity, reason = "a parameter for each sort of parts")]
    pub fn map<J, K, L, M, N, O, P, Q, R>(
        &self,
        mut name: impl FnMut(
            &PartForm,
            Part<A, B, C, D, E, F, G, H, I>,
        ) -> Option<Part<J, K, L, M, N, O, P, Q, R>>,
    ) -> Option<Act<J, K, L, M, N, O, P, Q, R>> {
        let forms = self.form().parts.iter();
        let named: Vec<Option<_>> = forms.zip(self.parts()).map(|(form, part)| name(form, part)).collect();
        let parts = named.into_iter().collect::<Option<Vec<_>>>()?;
        Some(self.kind().act(parts).expect("parts keep their sorts"))
    }
}
