//! NVIDIA GPUs without one: kernels through NVIDIA's assembler, and the engine against a library that stands in for the driver.

mod assembler;
mod engine;
mod layouts;
use crate::support;
use crate::support::library;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::fragment::Tile;
use tensorsmith::describe::instruction::Instruction;

/// Every instruction of NVIDIA's devices that has a kernel, with the compute capabilities times ten of its devices.
fn with_kernels() -> Vec<(Instruction, Tile, Vec<u32>)> {
    let mut found: Vec<(Instruction, Tile, Vec<u32>)> = Vec::new();
    for device in catalogue::devices() {
        let capabilities = device.targets.iter().filter_map(|target| target.strip_prefix("sm_")?.parse::<u32>().ok());
        let capabilities: Vec<u32> = capabilities.collect();
        if capabilities.is_empty() {
            continue;
        }
        for instruction in device.instructions {
            let Ok(tile) = Tile::of(&instruction) else { continue };
            match found.iter_mut().find(|(known, ..)| *known == instruction) {
                Some((.., own)) => own.extend(&capabilities),
                None => found.push((instruction, tile, capabilities.clone())),
            }
        }
    }
    found
}
