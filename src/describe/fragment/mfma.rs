//! Fragments of AMD's `V_MFMA` (CDNA ISA documents, "Matrix Arithmetic Instructions").

use super::Tile;
use crate::describe::instruction::Instruction;

/// The tile of a `V_MFMA` instruction.
pub(super) fn tile(instruction: &Instruction) -> Result<Tile, String> {
    Err(format!("the fragments of {} are not described", instruction.name))
}
