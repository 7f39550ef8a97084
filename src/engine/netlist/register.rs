//! Registers by the names of Yosys' gate-level cells (Yosys manual, internal cell library).

/// A register of one clock edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Register {
    pub rising: bool,
    /// What holds its reset back.
    reset: Option<bool>,
    /// What lets it advance.
    enable: Option<bool>,
}

impl Register {
    /// The register with a cell type's name: letters P and N say which level of clock, reset and enable acts, 0 and 1 what a
    /// reset sets. `None` for latches, for registers with set and reset, and for those loaded asynchronously.
    ///
    /// ```text
    ///   $_DFF_ clock _        $_DFF_ clock reset value _     $_SDFF_ clock reset value _
    ///   $_DFFE_ clock enable _  $_DFFE_ clock reset value enable _  $_SDFFE_ and $_SDFFCE_ the same
    /// ```
    pub fn of(name: &str) -> Option<Register> {
        let (kind, letters) = name.strip_prefix("$_")?.strip_suffix('_')?.split_once('_')?;
        let positive = |letter: char| matches!(letter, 'P' | 'N').then_some(letter == 'P');
        let letters: Vec<char> = letters.chars().collect();
        let enabled = match kind {
            "DFF" | "SDFF" => false,
            "DFFE" | "SDFFE" | "SDFFCE" => true,
            _ => return None,
        };
        let (rest, enable) = match letters.split_last() {
            Some((&last, rest)) if enabled => (rest, Some(positive(last)?)),
            _ => (&letters[..], None),
        };
        match *rest {
            [clock] if !kind.starts_with('S') => Some(Register { rising: positive(clock)?, reset: None, enable }),
            [clock, reset, '0' | '1'] => {
                Some(Register { rising: positive(clock)?, reset: Some(!positive(reset)?), enable })
            }
            _ => None,
        }
    }

    /// Ports of controls, and the values at which the register takes its operand at every edge.
    pub fn controls(self) -> impl Iterator<Item = (&'static str, bool)> {
        [("R", self.reset), ("E", self.enable)].into_iter().filter_map(|(port, needed)| Some((port, needed?)))
    }
}
