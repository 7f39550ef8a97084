//! Why cells are skipped: each reason is told once, and cells refer to it by number.

use super::{Cell, Checks, Summary};

impl Summary {
    /// Gives each reason a number.
    pub(super) fn number_notes(&mut self) {
        let notes = &mut self.notes;
        let mut number = |cell: &mut Cell| {
            let Some(reason) = &cell.reason else { return };
            let known = notes.iter().position(|note| note == reason);
            cell.note = Some(
                known.unwrap_or_else(|| {
                    notes.push(reason.clone());
                    notes.len() - 1
                }) + 1,
            );
        };
        let mut all = |checks: &mut Checks| {
            [&mut checks.emulator_reference, &mut checks.rtl_emulator, &mut checks.live, &mut checks.proof]
                .into_iter()
                .for_each(&mut number);
        };
        self.devices.iter_mut().flat_map(|device| &mut device.instructions).for_each(|row| all(&mut row.checks));
        self.units.iter_mut().for_each(|unit| all(&mut unit.checks));
    }
}
