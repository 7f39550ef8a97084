//! Every kernel for every target that it names, through NVIDIA's own assembler.

use std::path::PathBuf;
use std::process::Command;

use tensorsmith::describe::fragment::{Tile, columns};
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::emit::ptx::{self, Target};

use super::{support, with_kernels};

/// The assembler: what PTXAS names, what `./x setup` installs, or what is on PATH.
fn assembler() -> Option<PathBuf> {
    let named = std::env::var_os("PTXAS").map(PathBuf::from);
    let installed = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(".tools/nvidia/ptxas");
    let candidates = named.into_iter().chain([installed, PathBuf::from("ptxas")]);
    candidates.into_iter().find(|path| Command::new(path).arg("--version").output().is_ok())
}

/// What the assembler says against a text, if anything.
fn complaint(assembler: &PathBuf, text: &str, target: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let source = folder.path().join("kernel.ptx");
    std::fs::write(&source, text).expect("the file can be written");
    let output = Command::new(assembler)
        .arg(format!("-arch={target}"))
        .arg(&source)
        .arg("-o")
        .arg(folder.path().join("kernel.cubin"))
        .output()
        .expect("the assembler starts");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The instruction's tile, and those with other numbers of columns where it leaves them open.
fn with_all_columns(instruction: &Instruction, tile: &Tile, capability: u32) -> Vec<(Tile, u32)> {
    let open = columns(instruction, 1).is_some();
    // The least and the greatest number in the ordinary tier.
    let numbers: &[usize] = if support::long_tier() { &[8, 16, 24, 32, 80, 128, 256] } else { &[8, 256] };
    let others = numbers.iter().copied().filter(|_| open);
    let others = others.map(|n| Tile::with_columns(instruction, n).expect("the instruction has a tile"));
    [tile.clone()].into_iter().chain(others).map(|tile| (tile, capability)).collect()
}

/// In the ordinary tier a kernel has its first target, and others while few kernels have them; in the long one all.
const FEW: usize = 2;

#[test]
fn every_kernel_assembles_for_every_target() {
    let Some(assembler) = assembler() else { return support::skip("ptxas", "NVIDIA's assembler is not here") };
    let mut targets = std::collections::BTreeMap::<String, usize>::new();
    let mut wrong = Vec::new();
    for (instruction, tile, capabilities) in with_kernels() {
        let first = capabilities.first().copied();
        for (tile, capability) in capabilities.into_iter().flat_map(|own| with_all_columns(&instruction, &tile, own)) {
            let target = Target::of(&instruction, capability);
            let assembled = targets.get(&target.name()).copied().unwrap_or(0);
            if Some(capability) != first && assembled >= FEW && !support::long_tier() {
                continue;
            }
            let text = ptx::kernel(&instruction, &tile, &target).expect("the templates are whole");
            match complaint(&assembler, &text, &target.name()) {
                None => *targets.entry(target.name()).or_default() += 1,
                Some(complaint) => wrong.push(format!("{} for {}: {complaint}", instruction.name, target.name())),
            }
        }
    }
    println!("assembled: {targets:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for target in ["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120", "sm_120a"] {
        assert!(targets.contains_key(target), "a kernel for {target}");
    }
}

#[test]
fn the_assembler_refuses_what_a_target_does_not_have() {
    let Some(assembler) = assembler() else { return support::skip("ptxas", "NVIDIA's assembler is not here") };
    let named = |name: &str| with_kernels().into_iter().find(|(instruction, ..)| instruction.name == name);
    let (instruction, tile, _) = named("hopper-wgmma-k16-fp16-fp32").expect("the instruction has a kernel");
    let text = ptx::kernel(&instruction, &tile, &Target::of(&instruction, 90)).expect("the templates are whole");
    assert!(complaint(&assembler, &text, "sm_80").is_some(), "no wgmma on sm_80");
    let broken = text.replacen("wgmma.mma_async", "wgmma.mma_asink", 1);
    assert!(complaint(&assembler, &broken, "sm_90a").is_some(), "no such instruction");
}
