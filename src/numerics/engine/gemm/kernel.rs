//! Which kernel adds to a tile of D: that of AVX-512, or the one on binary32 of another level of instructions.

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::numbers::Numbers;
use super::panel::{Layout, PanelA, PanelB, Tile};
use super::singles;
use crate::isa::Isa;

/// Evaluates tiles of D.
pub(super) enum Kernel {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Kernel),
    Singles(singles::Kernel),
}

impl Kernel {
    /// The fastest kernel of a level.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn new(numbers: Numbers, isa: Isa) -> Kernel {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Kernel::Avx512(avx512::Kernel::new(numbers)),
            _ => Kernel::Singles(singles::Kernel::new(numbers, isa)),
        }
    }

    /// An exponent beside a significand as the kernel takes it.
    pub fn exponent_apart(&self, exponent: i32) -> f32 {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(_) => exponent as f32,
            Kernel::Singles(_) => singles::exponent_apart(exponent),
        }
    }

    /// The panels' blocks of K added to a tile: group `a` of rows and group `b` of columns.
    pub fn add(&self, layout: Layout, a: (&PanelA, usize), b: (&PanelB, usize), tile: &mut Tile) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(kernel) => kernel.add(layout, a, b, tile),
            Kernel::Singles(kernel) => kernel.add(layout, a, b, tile),
        }
    }

    /// Results in binary32 as encodings of binary16.
    pub fn halves(&self, singles: &[u32], halves: &mut [u16]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(kernel) => kernel.halves(singles, halves),
            Kernel::Singles(kernel) => kernel.halves(singles, halves),
        }
    }
}
