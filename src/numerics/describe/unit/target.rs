//! What a unit's module is built for. It changes no result: emulator and reference know nothing of it.

use serde::{Deserialize, Serialize};

use super::Scheme;
use crate::describe::words::words_of;

/// What additions are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Plain additions, which tools map to carry chains.
    #[default]
    Fpga,
    /// Rows that carry nothing on, and one prefix network that gives the sum and the sum less one.
    Asic,
}

impl Target {
    pub const ALL: [Target; 2] = [Target::Fpga, Target::Asic];

    /// Name in unit files and on the command line.
    pub fn name(self) -> &'static str {
        words_of::<Target>()[self as usize]
    }

    /// Whether units of a scheme have a choice.
    pub fn is_chosen_in(scheme: Scheme) -> bool {
        !scheme.rounds_each_operation() && scheme != Scheme::Integer
    }

    pub(in crate::describe) fn is_default(&self) -> bool {
        *self == Target::default()
    }
}
