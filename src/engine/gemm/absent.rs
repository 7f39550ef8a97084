//! What stands for the registers of AVX-512 on other processors: nothing of it can be made.

use super::numbers::Numbers;
use super::panel::{Layout, PanelA, PanelB, ROWS, Singles};

/// No value of this type exists.
pub(super) enum Kernel {}

impl Kernel {
    pub fn new(_: Numbers) -> Option<Kernel> {
        None
    }

    pub fn add(&self, _: Layout, _: (&PanelA, usize), _: (&PanelB, usize), _: &mut [[Singles; 2]; ROWS]) {
        match *self {}
    }

    pub fn halves(&self, _: &[u32], _: &mut [u16]) {
        match *self {}
    }
}
