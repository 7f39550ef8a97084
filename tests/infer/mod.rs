//! Blind inference: what is found from answers alone is the unit that answered, or nothing is found.

mod catalogue;
mod compositions;
mod dont_care;
mod field_differences;
mod files;
mod final_search;
mod hard_units;
mod integers;
mod live;
mod public_recordings;
mod random_instruction;
mod random_units;
mod recorded;
mod recovery;
mod refusal;
mod support;

use crate::support as shared;
use crate::support::random_unit;
