//! The processor's own instructions: detection, and one call for each kind of operand block. The only unsafe code of the
//! processor engine.
//!
//! Every call sets the control register MXCSR for its instruction alone and gives back the flags that it raised.
//!
//! Architecture invariant: computes nothing; a value of these types exists only where the instruction does.
//!
//! Sources: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1 chapter 18 (AMX) and 10.2.3 (MXCSR),
//! volume 2 CPUID; Linux kernel documentation, arch/x86/xstate.rst (permission for tile data).

#![allow(unsafe_code, reason = "the instructions are there in assembly only")]

use std::arch::{asm, is_x86_feature_detected};
use std::sync::OnceLock;

use super::block::{Lanes, Tile};
use super::{LaneOperation, MXCSR_DEFAULT, TileOperation};

/// Bits of MXCSR that a caller may choose: rounding, and subnormal results and operands taken as zeros.
const MXCSR_CONTROLS: u32 = 0xe040;
/// Bits of MXCSR that tell which exceptions happened.
const MXCSR_FLAGS: u32 = 0x003f;

/// One tile instruction between the loads of its registers and the store of its result, under its own MXCSR.
macro_rules! tile_instruction {
    ($instruction:literal, $configuration:expr, $tile:expr, $mxcsr:expr) => {{
        let (configuration, tile) = (&$configuration, $tile);
        let mut control = ($mxcsr & MXCSR_CONTROLS) | MXCSR_DEFAULT;
        let mut saved = 0_u32;
        // SAFETY: `Tiles::open` found the instruction and the permission. The configuration is valid: a tile's extents are 1
        // to 16. a, b and c each hold 16 rows of 64 bytes, the most a tile register loads or stores. All exceptions are
        // masked. Tile registers and MXCSR are as before when it ends.
        unsafe {
            asm!(
                "stmxcsr [{saved}]",
                "ldmxcsr [{control}]",
                "ldtilecfg [{configuration}]",
                "tileloadd tmm0, [{c} + {stride}]",
                "tileloadd tmm1, [{a} + {stride}]",
                "tileloadd tmm2, [{b} + {stride}]",
                $instruction,
                "tilestored [{c} + {stride}], tmm0",
                "tilerelease",
                "stmxcsr [{control}]",
                "ldmxcsr [{saved}]",
                saved = in(reg) &raw mut saved,
                control = in(reg) &raw mut control,
                configuration = in(reg) configuration,
                a = in(reg) tile.a.as_ptr(),
                b = in(reg) tile.b.as_ptr(),
                c = in(reg) tile.c.as_mut_ptr(),
                stride = in(reg) 64_usize,
                out("tmm0") _,
                out("tmm1") _,
                out("tmm2") _,
                options(nostack),
            );
        }
        control & MXCSR_FLAGS
    }};
}

/// One vector instruction on all lanes, as often as their 64 bytes hold its registers, under its own MXCSR.
macro_rules! vector_instruction {
    ($instruction:literal, $sum:tt, $factor:tt, $bytes:literal, $lanes:expr, $mxcsr:expr) => {{
        let lanes = $lanes;
        let mut control = ($mxcsr & MXCSR_CONTROLS) | MXCSR_DEFAULT;
        let mut saved = 0_u32;
        // SAFETY: `Vectors::open` found the instruction. a, b and c hold 64 bytes each, a multiple of the register's. All
        // exceptions are masked. MXCSR is as before when it ends.
        unsafe {
            asm!(
                "stmxcsr [{saved}]",
                "ldmxcsr [{control}]",
                "2:",
                concat!("vmovups ", $sum, ", [{c} + {offset}]"),
                concat!("vmovups ", $factor, ", [{a} + {offset}]"),
                concat!($instruction, " ", $sum, ", ", $factor, ", [{b} + {offset}]"),
                concat!("vmovups [{c} + {offset}], ", $sum),
                concat!("add {offset}, ", $bytes),
                "cmp {offset}, 64",
                "jne 2b",
                "stmxcsr [{control}]",
                "ldmxcsr [{saved}]",
                saved = in(reg) &raw mut saved,
                control = in(reg) &raw mut control,
                a = in(reg) lanes.a.as_ptr(),
                b = in(reg) lanes.b.as_ptr(),
                c = in(reg) lanes.c.as_mut_ptr(),
                offset = inout(reg) 0_usize => _,
                out($sum) _,
                out($factor) _,
                options(nostack),
            );
        }
        control & MXCSR_FLAGS
    }};
}

/// EAX, EBX, ECX and EDX of a leaf of CPUID.
fn cpuid(leaf: u32) -> [u32; 4] {
    let (eax, ebx, ecx, edx): (u32, u64, u32, u32);
    // SAFETY: every x86-64 processor has CPUID; it touches four registers, and rbx, which the compiler keeps for itself, is
    // put back.
    unsafe {
        asm!(
            "mov {saved}, rbx",
            "cpuid",
            "xchg {saved}, rbx",
            saved = out(reg) ebx,
            inout("eax") leaf => eax,
            inout("ecx") 0 => ecx,
            out("edx") edx,
            options(nomem, nostack),
        );
    }
    [eax, ebx as u32, ecx, edx]
}

/// The processor's name, as it tells it.
pub fn processor() -> String {
    let leaves = [0x8000_0002, 0x8000_0003, 0x8000_0004];
    let bytes: Vec<u8> =
        leaves.into_iter().flat_map(cpuid).flat_map(u32::to_le_bytes).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

/// Asks the kernel for the tile registers, once a process: arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA).
fn tiles_permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| {
        let status: i64;
        // SAFETY: system call 158 takes two numbers and no pointer here; the kernel overwrites rcx and r11 only.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") 158_i64 => status,
                in("rdi") 0x1023,
                in("rsi") 18,
                out("rcx") _,
                out("r11") _,
                options(nostack),
            );
        }
        status == 0
    })
}

/// Proof that the tile instruction is there and permitted.
pub struct Tiles(TileOperation);

/// What LDTILECFG reads: palette 1, and the rows and bytes per row of each tile register.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Tiles {
    /// Asks for the instruction.
    ///
    /// # Errors
    /// What is missing.
    pub fn open(operation: TileOperation) -> Result<Tiles, String> {
        let (feature, bit) = match operation {
            TileOperation::Tdpbf16ps => ("AMX-BF16", 22),
            TileOperation::Tdpbssd => ("AMX-INT8", 25),
        };
        let tile = 24;
        let extended = if cpuid(0)[0] < 7 { 0 } else { cpuid(7)[3] };
        if extended >> bit & 1 == 0 || extended >> tile & 1 == 0 {
            return Err(format!("this CPU has no {feature}"));
        }
        if !tiles_permitted() {
            return Err(format!("the kernel does not permit {feature}: it gives this process no tile registers"));
        }
        Ok(Tiles(operation))
    }

    /// Adds the tile's products to its c; gives back the flags that were raised.
    pub fn run(&self, tile: &mut Tile, mxcsr: u32) -> u32 {
        let [rows, columns, depth] = tile.shape().map(|extent| extent as u8);
        let [wide, deep] = [columns, depth].map(|words| u16::from(words) * 4);
        let mut configuration =
            Configuration { palette: 1, start_row: 0, reserved: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
        configuration.row_bytes[..3].copy_from_slice(&[wide, deep, wide]);
        configuration.rows[..3].copy_from_slice(&[rows, rows, depth]);
        match self.0 {
            TileOperation::Tdpbf16ps => tile_instruction!("tdpbf16ps tmm0, tmm1, tmm2", configuration, tile, mxcsr),
            TileOperation::Tdpbssd => tile_instruction!("tdpbssd tmm0, tmm1, tmm2", configuration, tile, mxcsr),
        }
    }
}

/// Proof that the vector instruction is there.
pub struct Vectors(LaneOperation);

impl Vectors {
    /// Asks for the instruction.
    ///
    /// # Errors
    /// What is missing.
    pub fn open(operation: LaneOperation) -> Result<Vectors, String> {
        let (feature, there) = match operation {
            LaneOperation::Vdpbf16ps => {
                ("AVX512-BF16", is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16"))
            }
            LaneOperation::Fma32 | LaneOperation::Fma64 => ("FMA3", is_x86_feature_detected!("fma")),
        };
        if there { Ok(Vectors(operation)) } else { Err(format!("this CPU has no {feature}")) }
    }

    /// Adds the products of each lane to its c; gives back the flags that were raised.
    pub fn run(&self, lanes: &mut Lanes, mxcsr: u32) -> u32 {
        match self.0 {
            LaneOperation::Vdpbf16ps => vector_instruction!("vdpbf16ps", "zmm16", "zmm17", "64", lanes, mxcsr),
            LaneOperation::Fma32 => vector_instruction!("vfmadd231ps", "xmm0", "xmm1", "16", lanes, mxcsr),
            LaneOperation::Fma64 => vector_instruction!("vfmadd231pd", "xmm0", "xmm1", "16", lanes, mxcsr),
        }
    }
}
