//! How a unit's module is built. It changes no result: emulator and reference never read it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Cut, Scheme, Unit};
use crate::describe::words::words_of;

/// How a unit's module is built: its registers and its adders.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Build {
    /// The places of its registers.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub cuts: BTreeSet<Cut>,
    #[serde(skip_serializing_if = "Target::is_default")]
    pub target: Target,
}

impl Build {
    /// The options with which `emit` builds it; without options it would place registers at `otherwise`.
    pub fn options(&self, otherwise: &BTreeSet<Cut>) -> String {
        let mut options = String::new();
        if self.cuts != *otherwise {
            let cuts: Vec<&str> = self.cuts.iter().map(|cut| cut.name()).collect();
            options += &format!(" --cuts {}", if cuts.is_empty() { "none".to_owned() } else { cuts.join(",") });
        }
        if !self.target.is_default() {
            options += &format!(" --target {}", self.target.name());
        }
        options
    }
}

impl Unit {
    /// The same unit with registers at these places.
    #[must_use]
    pub fn with_cuts(&self, cuts: impl IntoIterator<Item = Cut>) -> Unit {
        let cuts = cuts.into_iter().collect();
        Unit { build: Build { cuts, ..self.build }, ..self.clone() }
    }

    /// The same unit with adders for that target.
    #[must_use]
    pub fn with_target(&self, target: Target) -> Unit {
        Unit { build: Build { target, cuts: self.build.cuts.clone() }, ..self.clone() }
    }
}

/// Adders of a module.
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
