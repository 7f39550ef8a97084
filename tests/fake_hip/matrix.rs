//! `V_MFMA`: where lanes hold elements, from AMD's ISA documents, and what they become, from the catalogue's emulator.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::{Form, Instruction};
use tensorsmith::engine::{Batch, Kind, Opened};

const LANES: usize = 64;

/// The matrix instructions of an architecture.
fn instructions(architecture: &str) -> Vec<Instruction> {
    let own = |targets: &[String]| targets.iter().any(|target| target == architecture);
    let devices = catalogue::devices().into_iter().filter(|device| own(&device.targets));
    devices.flat_map(|device| device.instructions).filter(|one| one.form == Some(Form::Mfma)).collect()
}

/// The built-in function's name, after clang's list of them.
fn builtin(instruction: &Instruction) -> String {
    let shape = instruction.shape;
    let operand = |name: &str| if name == "e4m3fnuz" { "fp8" } else { "bf8" };
    let (a, b) = (instruction.a.name.as_str(), instruction.b.name.as_str());
    let operands = match a {
        "binary64" => "f64".to_owned(),
        "binary32" => "f32".to_owned(),
        "binary16" => "f16".to_owned(),
        "tf32" => "_xf32".to_owned(),
        // The older instructions take two elements from a lane.
        "bfloat16" if (shape.m, shape.k) == (32, 4) || (shape.m, shape.k) == (16, 8) || shape.k == 2 => {
            "bf16".to_owned()
        }
        "bfloat16" => "bf16_1k".to_owned(),
        _ => format!("_{}_{}", operand(a), operand(b)),
    };
    let result = if a == "binary64" { "f64" } else { "f32" };
    format!("__builtin_amdgcn_mfma_{result}_{}x{}x{}{operands}", shape.m, shape.n, shape.k)
}

/// All built-in functions of an architecture.
pub fn builtins(architecture: &str) -> Vec<String> {
    instructions(architecture).iter().map(builtin).collect()
}

/// The number at an index of packed elements.
fn element(bytes: &[u8], width: usize, index: usize) -> u64 {
    let mut word = [0; 8];
    word[..width].copy_from_slice(&bytes[index * width..][..width]);
    u64::from_le_bytes(word)
}

/// Block, row and column that a lane's register holds of D.
fn place(m: usize, fp64: bool, lane: usize, register: usize) -> [usize; 3] {
    match (m, fp64) {
        (32, _) => [0, 8 * (register / 4) + 4 * (lane / 32) + register % 4, lane % 32],
        (16, true) => [0, 4 * register + lane / 16, lane % 16],
        (16, false) => [0, 4 * (lane / 16) + register, lane % 16],
        _ => [lane / 4, register, lane % 4],
    }
}

/// D of one instruction, from what the lanes hold of A, B and C, lane by lane.
pub fn multiply(architecture: &str, name: &str, a: &[u8], b: &[u8], c: &[u8]) -> Vec<u8> {
    let instruction = instructions(architecture).into_iter().find(|one| builtin(one) == name);
    let instruction = instruction.expect("the compiler knows its built-in functions");
    let (m, k) = (instruction.shape.m as usize, instruction.shape.k as usize);
    let blocks = if m == 4 { 16 } else { 1 };
    let [width_a, width_b, width_d] =
        [&instruction.a, &instruction.b, instruction.d()].map(|format| format.width().div_ceil(8) as usize);
    let held = m * k * blocks / LANES;
    assert_eq!((a.len(), b.len()), (LANES * held * width_a, LANES * held * width_b), "lanes hold what {name} takes");
    // Rows of A and columns of B: a lane holds neighbours along K.
    let (mut rows, mut columns) = (vec![0; blocks * m * k], vec![0; blocks * m * k]);
    for lane in 0..LANES {
        let (block, line, first) = if m == 4 { (lane / 4, lane % 4, 0) } else { (0, lane % m, held * (lane / m)) };
        for j in 0..held {
            rows[(block * m + line) * k + first + j] = element(a, width_a, lane * held + j);
            columns[(block * m + line) * k + first + j] = element(b, width_b, lane * held + j);
        }
    }
    let registers = m * m * blocks / LANES;
    let mut batch = Batch::of_interface(&instruction.interface());
    batch.resize(LANES * registers);
    for lane in 0..LANES {
        for register in 0..registers {
            let [block, row, column] = place(m, width_d == 8, lane, register);
            let v = lane * registers + register;
            batch.a[v * k..][..k].copy_from_slice(&rows[(block * m + row) * k..][..k]);
            batch.b[v * k..][..k].copy_from_slice(&columns[(block * m + column) * k..][..k]);
            batch.c[v] = element(c, width_d, v);
        }
    }
    let Ok(Opened::Ready(mut emulator)) = Kind::Emulator.open_instruction(&instruction) else {
        panic!("the emulator always runs")
    };
    let mut results = Vec::new();
    emulator.run(&batch, &mut results).expect("the emulator does not fail");
    results.iter().flat_map(|bits| bits.to_le_bytes()[..width_d].to_vec()).collect()
}
