//! Families of machine instructions, as their makers name them: what an engine needs to know to write one down.

use serde::{Deserialize, Serialize};

use crate::describe::words::words_of;

/// A family of machine instructions with one way of laying operands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// NVIDIA, a warp, operands in registers (PTX ISA, `mma.sync`).
    #[serde(rename = "mma.sync")]
    Mma,
    /// NVIDIA, a warp, operands in registers whose layout is not published (PTX ISA, `wmma.mma.sync`).
    #[serde(rename = "wmma")]
    Wmma,
    /// NVIDIA Hopper, four warps, operands in shared memory (PTX ISA, `wgmma.mma_async`).
    #[serde(rename = "wgmma")]
    Wgmma,
    /// NVIDIA Blackwell, one thread, operands in shared memory, results in tensor memory (PTX ISA, `tcgen05.mma`).
    #[serde(rename = "tcgen05")]
    Tcgen05,
    /// AMD, a wavefront of 64 lanes, operands in registers (CDNA ISA documents, `V_MFMA`).
    #[serde(rename = "mfma")]
    Mfma,
}

/// A variant of a family, as PTX names it (`.kind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    F16,
    Tf32,
    F8f6f4,
    I8,
    Mxf8f6f4,
    Mxf4,
    Mxf4nvf4,
}

impl Kind {
    /// Name in PTX.
    pub fn name(self) -> &'static str {
        words_of::<Kind>()[self as usize]
    }
}
