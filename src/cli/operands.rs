//! Operands that people give: one rule for numbers that their formats do not hold, and a word about those it changed.

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::output::note;
use tensorsmith::describe::format::Format;
use tensorsmith::recording::{OperandRule, Parsed, of_container, parse};
use tensorsmith::report::{Number, thousands};

/// What becomes of numbers that their formats do not hold.
#[derive(Args)]
pub(super) struct Options {
    /// What becomes of an operand that its format does not hold
    #[arg(long, value_enum, default_value = "nearest", value_name = "RULE")]
    operands: OperandRule,
}

/// The operands of a command: the rule, and what it changed.
#[derive(Serialize)]
pub(super) struct Conversion {
    rule: OperandRule,
    /// Operands that are other numbers than the ones given.
    changed: u64,
    /// The first of them: its place, what was given, and what it is now.
    first: Option<String>,
}

impl Conversion {
    pub fn new(options: &Options) -> Conversion {
        Conversion { rule: options.operands, changed: 0, first: None }
    }

    /// Numbers that a format does not hold are rounded.
    pub fn to_nearest() -> Conversion {
        Conversion { rule: OperandRule::Nearest, changed: 0, first: None }
    }

    /// An operand that stands as text at that place.
    pub fn text(&mut self, format: &Format, text: &str, place: impl Fn() -> String) -> Result<u64, Failure> {
        let parsed = parse(format, text, self.rule).map_err(|error| Failure(format!("{}: {error}", place())))?;
        Ok(self.count(parsed, format, || format!("{}: {text}", place())))
    }

    /// An operand that stands in an array at that place: a number of a wider format, or an encoding, which the hardware gets as
    /// it is.
    pub fn word(
        &mut self,
        format: &Format,
        bits: u64,
        is_number: bool,
        place: impl Fn() -> String,
    ) -> Result<u64, Failure> {
        let rule = if self.rule == OperandRule::Nearest && !is_number { OperandRule::Cut } else { self.rule };
        let parsed = of_container(format, bits, rule).ok_or_else(|| {
            let allowed = format!("numbers that {} holds exactly, or --operands nearest or cut", format.name);
            Failure(format!("{}: {bits:#x} has bits that are ignored; allowed: {allowed}", place()))
        })?;
        Ok(self.count(parsed, format, || format!("{}: {bits:#x}", place())))
    }

    fn count(&mut self, parsed: Parsed, format: &Format, given: impl Fn() -> String) -> u64 {
        if parsed.changed {
            self.changed += 1;
            let now = || Number { format, bits: parsed.bits }.decimal();
            self.first.get_or_insert_with(|| format!("{}, which is {} in {}", given(), now(), format.name));
        }
        parsed.bits
    }

    /// Says on standard error what was changed.
    pub fn tell(&self) {
        let Some(first) = &self.first else { return };
        let how = match self.rule {
            OperandRule::Cut => "cut",
            _ => "rounded, or cut where an encoding was given",
        };
        let (count, noun) = (thousands(self.changed), if self.changed == 1 { "operand" } else { "operands" });
        note!("note: {count} {noun} {how}: the first is {first}; see --operands");
    }
}
