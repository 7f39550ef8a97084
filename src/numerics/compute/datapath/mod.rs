//! The one arithmetic text of a unit, generic over the word it computes on.
//!
//! Rules of the text: no closure around arithmetic, no `if` on a flag (only `select`), plain `for` over terms, every
//! width from the plan. Conditions on the *plan* are conditions on the unit's structure and may be `if` and `match`.
//! Every function of the text is always inlined: a register of several words is one only within a function that is compiled
//! for such registers. So are no `zip` and no `map` of arrays in it: the library's functions behind them are not inlined.
//!
//! Architecture invariant: the text reads the plan and computes on words; it never sees a format, a file or an engine.

pub mod align;
mod anchor;
pub mod convert;
pub(super) mod flags;
pub mod number;
mod product;
pub(super) mod round;
pub mod scale;
pub mod schemes;
mod special;
mod stages;
mod sum;
mod unpack;

pub use product::Term;
pub use special::Special;
pub use stages::{Normalised, Stages};
pub use unpack::Unpacked;
