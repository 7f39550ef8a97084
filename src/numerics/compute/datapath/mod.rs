//! The one arithmetic text of a unit, generic over the word it computes on.
//!
//! Rules of the text: no closure around arithmetic, no `if` on a flag (only `select`), plain `for` over terms, every
//! width from the plan. Conditions on the *plan* are conditions on the unit's structure and may be `if` and `match`.
//! Every function of the text is always inlined: a register of several words is one only within a function that is compiled
//! for such registers. So are no `zip` and no `map` of arrays in it: the library's functions behind them are not inlined.
//!
//! Architecture invariant: the text reads the plan and computes on words; it never sees a format, a file or an engine.

mod addition_events;
pub mod align;
mod anchor;
pub mod convert;
mod coverage;
mod event_set;
mod events;
mod flag_events;
mod flags;
mod fused_then_add_stages;
mod integer_events;
mod operation_events;
mod product;
pub mod scale;
mod scale_events;
pub mod schemes;
mod special;
mod stages;
mod sum;
mod unpack;
mod unreachable_events;

pub use addition_events::fused_then_add_events;
pub use coverage::Coverage;
pub use event_set::EventSet;
pub use events::{Event, events};
pub use fused_then_add_stages::FusedThenAddStages;
pub use integer_events::integer_events;
pub use operation_events::operation_events;
pub use product::Term;
pub use scale_events::block_scaled_events;
pub use special::Special;
pub use stages::{BlockScaledStages, Normalised, Stages};
pub use unpack::Unpacked;
pub use unreachable_events::{concerns, unreachable};
