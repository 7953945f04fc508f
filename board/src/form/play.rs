//! What can be drawn in free play.

use super::ActKind;
use super::act::LIE;

/// The people to whom something is said in free play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Everyone who is there.
    Present,
    /// One person who is there.
    Beside,
    /// One person who is elsewhere.
    Afar,
}

/// Generates [`Play`] from one entry for each kind: the deed that is drawn, and its audience if it is told to somebody.
macro_rules! plays {
    ($( $(#[doc = $doc:literal])+ $Play:ident: $key:expr, $act:ident $(to $audience:ident)?; )+) => {
        /// The kinds of deeds that can be drawn in free play. Their order enters the random draws: new ones come last.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Play {
            $( $(#[doc = $doc])+ $Play, )+
        }

        impl Play {
            /// All kinds, in order.
            pub const ALL: &[Self] = &[$(Self::$Play),+];

            /// The key in storyboards.
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

            /// The audience, if something is said.
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
    /// Somebody puts an object into a container or down.
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
    /// Somebody tells everyone present what she believes.
    Tell: "tell", Tell to Present;
    /// Somebody tells one person present what she believes.
    Whisper: "whisper", Tell to Beside;
    /// Somebody tells one person elsewhere what she believes.
    Phone: "phone", Tell to Afar;
    /// Somebody tells everyone present something that she does not believe.
    Lie: LIE, Tell to Present;
    /// Somebody shows whether she likes something.
    React: "react", React;
    /// Somebody gives an object to one person present.
    Give: "give", Give;
    /// Somebody says something that changes nothing.
    Chat: "chat", Chat;
}

impl Play {
    /// Whether the actor goes to another place.
    pub const fn is_going(self) -> bool {
        self.act().form().goes
    }
}
