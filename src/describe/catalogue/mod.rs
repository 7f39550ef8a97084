//! The catalogue: units, instructions and devices as data files, each constant with its source and grade.

mod family;
mod read;

use std::sync::LazyLock;

use super::device::Device;
use super::instruction::Instruction;
use super::unit::Unit;
use family::{Entry, F8F6F4, FNUZ, FP8, INT4, INT8, INTEGER_UNITS, INTEGERS, Operands, entries};
use read::Read;

/// Every unit, in the order of listings.
const UNITS: &[Entry] = entries! { "units":
    "volta-fp16-fp32",
    "volta-fp16-fp16",
    "volta-fp16-fp16-from-fp32",
    "turing-fp16-fp32",
    "turing-fp16-fp16",
    "ampere-fp16-fp32",
    "ampere-bf16-fp32",
    "ampere-tf32-fp32",
    "ampere-fp16-fp16",
    "hopper-fp16-fp32",
    "hopper-bf16-fp32",
    "hopper-tf32-fp32",
    "hopper-fp16-fp16",
    "hopper-wgmma-fp16-fp16",
    "ada-e4m3-fp32",
    "ada-e4m3-fp16",
    "ada-e5m2-fp32",
    "ada-e5m2-fp16",
    "ada-e4m3-e5m2-fp32",
    "ada-e4m3-e5m2-fp16",
    "hopper-e4m3-fp32",
    "hopper-e5m2-fp32",
    "hopper-e4m3-e5m2-fp32",
    "hopper-{operands}-fp16" for Operands::Unordered(FP8),
    "blackwell-{operands}-fp32" for Operands::Unordered(F8F6F4),
    "blackwell-mx-{operands}-fp32" for Operands::Unordered(F8F6F4),
    "blackwell-mxf4-fp32",
    "blackwell-nvf4-fp32",
    "cdna1-fp16-fp32",
    "cdna1-bf16-fp32",
    "cdna3-fp16-fp32",
    "cdna3-bf16-fp32",
    "cdna3-xf32-fp32",
    "cdna3-{operands}-fp32" for Operands::Unordered(FNUZ),
    "riscv-fp16-fp32",
    "riscv-fp16-fp32-n8",
    "riscv-bf16-fp32",
    "riscv-e5m2-e4m3-fp32",
    "riscv-e5m2-e4m3-bf16",
    "tf64-fp32-fp64",
    "tf64-tf32-fp64",
    "tf64-fp16-fp64",
    "hickmann-integer-tree-fp16-fp32",
    "addition-fp32",
    "addition-fp16",
    "fma-fp64",
    "fma-fp32",
    "avx512-bf16-fp32",
    "amx-bf16-fp32",
    "cdna-fma-fp64",
    "cdna-fma-fp32",
    "cdna2-fp16-fp32",
    "cdna2-bf16-1k-fp32",
    "cdna2-bf16-fp32",
    "arm-bf16-fp32",
    "hickmann-fma-chain-fp16-fp32",
    "hickmann-adder-tree-fp16-fp32",
    "integer-{operands}-int32" for Operands::Pairs(INTEGER_UNITS),
    "integer-int8-int32-saturate",
    "tiny-truncating",
    "tiny-nearest",
    "tiny-fma",
    "tiny-even-odd",
    "tiny-pairwise",
    "tiny-integer",
    "tiny-scaled",
    "tiny-grouped",
    "tiny-exact",
    "tiny-then-add",
    "tiny-two-groups",
    "tiny-riscv",
};

/// Every instruction, in the order of listings.
const INSTRUCTIONS: &[Entry] = entries! { "instructions":
    "volta-mma-m8n8k4-fp16-fp16",
    "volta-mma-m8n8k4-fp16-fp32",
    "volta-mma-m8n8k4-fp16-fp32-from-fp16",
    "volta-wmma-m16n16k16-fp16-fp16",
    "volta-wmma-m16n16k16-fp16-fp16-from-fp32",
    "volta-wmma-m16n16k16-fp16-fp32",
    "volta-wmma-m16n16k16-fp16-fp32-from-fp16",
    "turing-mma-m16n8k8-fp16-fp16",
    "turing-mma-m16n8k8-fp16-fp32",
    "turing-wmma-m16n16k16-fp16-fp16",
    "turing-wmma-m16n16k16-fp16-fp32",
    "turing-wmma-m16n16k16-fp16-fp32-from-fp16",
    "ampere-mma-m16n8k16-bf16-fp32",
    "ampere-mma-m16n8k16-fp16-fp16",
    "ampere-mma-m16n8k16-fp16-fp32",
    "ampere-mma-m16n8k8-bf16-fp32",
    "ampere-mma-m16n8k8-fp16-fp16",
    "ampere-mma-m16n8k8-fp16-fp32",
    "ampere-mma-m16n8k8-tf32-fp32",
    "ampere-mma-m16n8k4-tf32-fp32",
    "ampere-wmma-m16n16k16-bf16-fp32",
    "ampere-wmma-m16n16k16-fp16-fp16",
    "ampere-wmma-m16n16k16-fp16-fp32",
    "ampere-wmma-m16n16k16-fp16-fp32-from-fp16",
    "ampere-wmma-m16n16k8-tf32-fp32",
    "turing-mma-m8n8k16-{operands}-int32" for Operands::Ordered(INT8),
    "turing-mma-m8n8k32-{operands}-int32" for Operands::Ordered(INT4),
    "ampere-mma-m16n8k16-{operands}-int32" for Operands::Ordered(INT8),
    "ampere-mma-m16n8k32-{operands}-int32" for Operands::Pairs(INTEGERS),
    "ampere-mma-m16n8k64-{operands}-int32" for Operands::Ordered(INT4),
    "ampere-mma-m16n8k16-int8-int32-saturate",
    "ampere-mma-m8n8k4-fp64-fp64",
    "ampere-mma-m8n8k4-fp16-fp32",
    "ada-mma-m16n8k32-e4m3-fp16",
    "ada-mma-m16n8k32-e4m3-fp32",
    "ada-mma-m16n8k32-e5m2-fp16",
    "ada-mma-m16n8k32-e5m2-fp32",
    "ada-mma-m16n8k32-{operands}-fp16" for Operands::Different(FP8),
    "ada-mma-m16n8k32-{operands}-fp32" for Operands::Different(FP8),
    "ada-mma-m16n8k16-{operands}-fp16" for Operands::Ordered(FP8),
    "ada-mma-m16n8k16-{operands}-fp32" for Operands::Ordered(FP8),
    "hopper-mma-m16n8k16-bf16-fp32",
    "hopper-mma-m16n8k16-fp16-fp16",
    "hopper-mma-m16n8k16-fp16-fp32",
    "hopper-mma-m16n8k8-bf16-fp32",
    "hopper-mma-m16n8k8-fp16-fp16",
    "hopper-mma-m16n8k8-fp16-fp32",
    "hopper-mma-m16n8k8-tf32-fp32",
    "hopper-mma-m16n8k4-tf32-fp32",
    "hopper-mma-m16n8k32-e4m3-fp16",
    "hopper-mma-m16n8k32-e4m3-fp32",
    "hopper-mma-m16n8k32-e5m2-fp16",
    "hopper-mma-m16n8k32-e5m2-fp32",
    "hopper-mma-m16n8k32-{operands}-fp16" for Operands::Different(FP8),
    "hopper-mma-m16n8k32-{operands}-fp32" for Operands::Different(FP8),
    "hopper-wmma-m16n16k16-bf16-fp32",
    "hopper-wmma-m16n16k16-fp16-fp16",
    "hopper-wmma-m16n16k16-fp16-fp32",
    "hopper-wmma-m16n16k16-fp16-fp32-from-fp16",
    "hopper-wmma-m16n16k8-tf32-fp32",
    "hopper-mma-m16n8k4-fp64-fp64",
    "hopper-mma-m16n8k8-fp64-fp64",
    "hopper-mma-m16n8k16-fp64-fp64",
    "hopper-wgmma-k16-bf16-fp32",
    "hopper-wgmma-k16-fp16-fp16",
    "hopper-wgmma-k16-fp16-fp32",
    "hopper-wgmma-k8-tf32-fp32",
    "hopper-wgmma-k32-e4m3-fp32",
    "hopper-wgmma-k32-e5m2-fp32",
    "hopper-wgmma-k32-{operands}-fp32" for Operands::Different(FP8),
    "hopper-wgmma-k32-{operands}-fp16" for Operands::Ordered(FP8),
    "hopper-wgmma-k32-{operands}-int32" for Operands::Ordered(INT8),
    "blackwell-tcgen05-k16-bf16-fp32",
    "blackwell-tcgen05-k16-fp16-fp16",
    "blackwell-tcgen05-k16-fp16-fp32",
    "blackwell-tcgen05-k8-tf32-fp32",
    "blackwell-tcgen05-k32-{operands}-fp32" for Operands::Ordered(F8F6F4),
    "blackwell-tcgen05-k32-{operands}-int32" for Operands::Ordered(INT8),
    "blackwell-tcgen05-mxf8f6f4-k32-{operands}-fp32" for Operands::Ordered(F8F6F4),
    "blackwell-tcgen05-mxf4-k64-e2m1-fp32",
    "blackwell-tcgen05-nvf4-k64-e2m1-fp32",
    "blackwell-mma-f8f6f4-m16n8k32-{operands}-fp32" for Operands::Ordered(F8F6F4),
    "blackwell-mma-mxf8f6f4-m16n8k32-{operands}-fp32" for Operands::Ordered(F8F6F4),
    "blackwell-mma-mxf4-m16n8k64-e2m1-fp32",
    "blackwell-mma-nvf4-m16n8k64-e2m1-fp32",
    "cdna2-mfma-m32n32k8-fp16-fp32",
    "cdna2-mfma-m16n16k16-fp16-fp32",
    "cdna2-mfma-m32n32k8-bf16-1k-fp32",
    "cdna2-mfma-m16n16k16-bf16-1k-fp32",
    "cdna2-mfma-m32n32k4-bf16-fp32",
    "cdna2-mfma-m16n16k8-bf16-fp32",
    "intel-tdpbf16ps",
    "intel-tdpbssd",
    "intel-vdpbf16ps",
    "arm-bfdot",
    "arm-bfmmla",
    "cdna1-mfma-m32n32k8-fp16-fp32",
    "cdna1-mfma-m16n16k16-fp16-fp32",
    "cdna1-mfma-m4n4k4-fp16-fp32",
    "cdna1-mfma-m32n32k4-bf16-fp32",
    "cdna1-mfma-m16n16k8-bf16-fp32",
    "cdna1-mfma-m4n4k2-bf16-fp32",
    "cdna-mfma-m32n32k2-fp32-fp32",
    "cdna-mfma-m16n16k4-fp32-fp32",
    "cdna-mfma-m4n4k1-fp32-fp32",
    "cdna-mfma-m16n16k4-fp64-fp64",
    "cdna3-mfma-m32n32k8-fp16-fp32",
    "cdna3-mfma-m16n16k16-fp16-fp32",
    "cdna3-mfma-m4n4k4-fp16-fp32",
    "cdna3-mfma-m32n32k8-bf16-fp32",
    "cdna3-mfma-m16n16k16-bf16-fp32",
    "cdna3-mfma-m4n4k4-bf16-fp32",
    "cdna3-mfma-m32n32k4-xf32-fp32",
    "cdna3-mfma-m16n16k8-xf32-fp32",
    "cdna3-mfma-m32n32k16-{operands}-fp32" for Operands::Ordered(FNUZ),
    "cdna3-mfma-m16n16k32-{operands}-fp32" for Operands::Ordered(FNUZ),
    "riscv-rvbna-k4-fp16-fp32",
    "riscv-rvbna-k8-fp16-fp32",
    "riscv-rvbna-k4-bf16-fp32",
    "riscv-rvbna-k4-e5m2-e4m3-fp32",
    "riscv-rvbna-k4-e5m2-e4m3-bf16",
};

/// Every device, in the order of listings.
const DEVICES: &[Entry] = entries! { "devices":
    "V100",
    "T4",
    "A100",
    "Ada",
    "H100",
    "B200",
    "RTX-PRO-6000",
    "MI100",
    "MI250X",
    "MI300",
    "Sapphire-Rapids",
    "Armv8.6-A",
    "RISC-V",
};

static READ_UNITS: LazyLock<Read<Unit>> = LazyLock::new(|| Read::of(UNITS, Unit::from_toml));
static READ_INSTRUCTIONS: LazyLock<Read<Instruction>> =
    LazyLock::new(|| Read::of(INSTRUCTIONS, Instruction::from_toml));
static READ_DEVICES: LazyLock<Read<Device>> = LazyLock::new(|| Read::of(DEVICES, Device::from_toml));

/// The names that an entry stands for: its own, or those of its family's members.
fn members(entries: &[Entry], entry: &str) -> Option<Vec<String>> {
    let entry = entries.iter().find(|known| known.name == entry)?;
    Some(entry.members().into_iter().map(|member| member.name).collect())
}

/// Every unit of the catalogue, in the order of listings.
pub fn units() -> Vec<Unit> {
    READ_UNITS.all()
}

/// The unit of that name.
pub fn unit(name: &str) -> Option<Unit> {
    READ_UNITS.named(name)
}

/// The names of all units, in the order of listings.
pub fn names() -> Vec<&'static str> {
    READ_UNITS.names()
}

/// The units' entries: names, and families with placeholders in their names.
pub fn unit_entries() -> Vec<&'static str> {
    UNITS.iter().map(|entry| entry.name).collect()
}

/// The units that an entry stands for.
pub fn unit_members(entry: &str) -> Option<Vec<String>> {
    members(UNITS, entry)
}

/// Every instruction of the catalogue, in the order of listings.
pub fn instructions() -> Vec<Instruction> {
    READ_INSTRUCTIONS.all()
}

/// The instruction of that name.
pub fn instruction(name: &str) -> Option<Instruction> {
    READ_INSTRUCTIONS.named(name)
}

/// The names of all instructions, in the order of listings.
pub fn instruction_names() -> Vec<&'static str> {
    READ_INSTRUCTIONS.names()
}

/// The instructions' entries: names, and families with placeholders in their names.
pub fn instruction_entries() -> Vec<&'static str> {
    INSTRUCTIONS.iter().map(|entry| entry.name).collect()
}

/// The instructions that an entry stands for.
pub fn instruction_members(entry: &str) -> Option<Vec<String>> {
    members(INSTRUCTIONS, entry)
}

/// Every device of the catalogue, in the order of listings.
pub fn devices() -> Vec<Device> {
    READ_DEVICES.all()
}

/// The device of that name.
pub fn device(name: &str) -> Option<Device> {
    READ_DEVICES.named(name)
}

/// The names of all devices, in the order of listings.
pub fn device_names() -> Vec<&'static str> {
    READ_DEVICES.names()
}
