//! What can be drawn in free play.

use super::ActKind;
use super::act::LIE;

/// To whom something is said in free play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// To everyone who is there.
    Present,
    /// To one who is there.
    Beside,
    /// To one who is elsewhere.
    Afar,
}

/// Writes [`Play`] from one entry for each kind: the deed that is drawn, and to whom it is said, if it is.
macro_rules! plays {
    ($( $(#[doc = $doc:literal])+ $Play:ident: $key:expr, $act:ident $(to $audience:ident)?; )+) => {
        /// What can be drawn in free play. Their order enters the random draws: new ones come last.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Play {
            $( $(#[doc = $doc])+ $Play, )+
        }

        impl Play {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$Play),+];

            /// The storyboard's key.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$Play => $key,)+
                }
            }

            /// The deed that is drawn.
            pub const fn act(self) -> ActKind {
                match self {
                    $(Self::$Play => ActKind::$act,)+
                }
            }

            /// To whom it is said, if it is.
            pub const fn audience(self) -> Option<Audience> {
                match self {
                    $(Self::$Play => plays!(@audience $($audience)?),)+
                }
            }
        }
    };
    (@audience) => { None };
    (@audience $audience:ident) => { Some(Audience::$audience) };
}

plays! {
    /// Somebody goes.
    Move: "move", Go;
    /// Somebody takes an object in hand.
    Take: "take", Take;
    /// Somebody puts an object down, or into a container.
    Put: "put", Put;
    /// Somebody moves an object into a container.
    MoveObject: "move_object", MoveObject;
    /// Somebody goes with an object.
    Carry: "carry", Carry;
    /// Somebody throws an object.
    Throw: "throw", Throw;
    /// Somebody opens a container.
    Open: "open", Open;
    /// Somebody closes a container.
    Close: "close", Close;
    /// Somebody tells everyone there what she believes.
    Tell: "tell", Tell to Present;
    /// Somebody tells one who is there what she believes.
    Whisper: "whisper", Tell to Beside;
    /// Somebody tells one who is elsewhere what she believes.
    Phone: "phone", Tell to Afar;
    /// Somebody tells everyone there something against what she believes.
    Lie: LIE, Tell to Present;
    /// Somebody shows whether she likes something.
    React: "react", React;
    /// Somebody gives an object to one who is there.
    Give: "give", Give;
}

impl Play {
    /// Whether who does it goes to another place.
    pub const fn is_going(self) -> bool {
        self.act().form().goes
    }
}
