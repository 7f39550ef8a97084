//! The machine instructions that a kernel becomes, where NVIDIA's own tools are on the machine.
//!
//! PTX names an instruction; the compiler chooses what executes it. On Hopper some `mma.sync` shapes become several
//! instructions of other shapes or formats.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::emit::scratch::Scratch;
use crate::verilate::tied;

/// The matrix instructions of a kernel's text for a target, and the versions of the tools that tell.
pub(super) fn of(text: &str, target: &str) -> Vec<(String, String)> {
    let Ok(folder) = Scratch::new() else { return Vec::new() };
    let (source, object) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
    let mut assemble = Command::new("ptxas");
    assemble.arg(format!("-arch={target}")).arg(&source).arg("-o").arg(&object);
    let assembled = std::fs::write(&source, text).is_ok() && answer(&assemble, Some(folder.path())).is_some();
    let listing = if assembled { listing(&object, folder.path()) } else { None };
    let (Some(listing), Some(tool)) = (listing, answer(Command::new("ptxas").arg("--version"), None)) else {
        return Vec::new();
    };
    let version = tool.lines().find(|line| line.contains("release")).unwrap_or_default().trim().to_owned();
    let instructions: Vec<String> = matrix_instructions(&listing).into_iter().collect();
    vec![("SASS".to_owned(), instructions.join(", ")), ("SASS by ptxas".to_owned(), version)]
}

fn listing(object: &Path, folder: &Path) -> Option<String> {
    answer(Command::new("cuobjdump").arg("-sass").arg(object), Some(folder))
}

/// What a program writes, if it is there and succeeds; in that folder, if it works in one.
fn answer(command: &Command, folder: Option<&Path>) -> Option<String> {
    let output = tied::output(command, folder, tied::LIMIT).ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The opcodes of a listing that multiply matrices, and those of fused multiply-adds, which stand in for them. Lines look like
/// `/*0120*/  HMMA.16816.F32 R4, R8, R12, R4 ;`, with a predicate before the opcode or without.
fn matrix_instructions(listing: &str) -> BTreeSet<String> {
    let words = listing.lines().filter_map(|line| line.split_once("*/")).map(|(_, code)| code.trim());
    let opcodes = words.filter_map(|code| code.split_whitespace().find(|word| !word.starts_with('@')));
    opcodes.filter(|opcode| opcode.contains("MMA") || opcode.contains("FMA")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_found_in_a_listing() {
        let listing = "\t.headerflags @\"EF_CUDA_SM90\"\n        /*0120*/                   HMMA.16816.F32 R4, R8, R12, R4 ;  /* 0x1 */\n        \
                       /*0130*/              @!P0 HGMMA.64x64x16.F32 R24, gdesc[UR4], R24 ;\n        /*0140*/   MOV R1, c[0x0][0x28] ;\n";
        let found: Vec<String> = matrix_instructions(listing).into_iter().collect();
        assert_eq!(found, ["HGMMA.64x64x16.F32", "HMMA.16816.F32"]);
    }
}
