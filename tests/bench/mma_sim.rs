//! MMA-Sim (Xie et al.), a model in Python, as a peer.

use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Emulator, Engine};
use tensorsmith::report::speed::Speed;

use crate::harness::{Contestant, skip};
use crate::python::{Program, said, with_module};

/// Its name.
pub const MMA_SIM: &str = "MMA-Sim";

/// MMA-Sim's names of a unit: class, architecture and instruction.
fn names(unit: &Unit) -> Option<[&'static str; 3]> {
    Some(match unit.name.as_str() {
        "volta-fp16-fp32" => ["MMA", "Volta", "m8n8k4.f32.f16.f16.f32"],
        "ampere-fp16-fp32" => ["MMA", "Ampere", "m16n8k8.f32.f16.f16.f32"],
        "ampere-bf16-fp32" => ["MMA", "Ampere", "m16n8k8.f32.bf16.bf16.f32"],
        "ampere-tf32-fp32" => ["MMA", "Ampere", "m16n8k4.f32.tf32.tf32.f32"],
        "hopper-fp16-fp32" => ["MMA", "Hopper", "m16n8k16.f32.f16.f16.f32"],
        "hopper-fp16-fp16" => ["MMA", "Hopper", "m16n8k16.f16.f16.f16.f16"],
        "hopper-e4m3-fp32" => ["WGMMA", "Hopper", "m64n8k32.f32.e4m3.e4m3"],
        _ => return None,
    })
}

/// MMA-Sim, where a Python has it, on the vectors of a batch, each of so many items; how many of its answers are not the emulator's is
/// told with its version.
pub fn of_mma_sim(unit: &Unit, batch: &Batch, items: usize, speed: &mut Speed) -> Option<Contestant<'static>> {
    let python = match with_module("mmasim.nv_ptx", "pip install mmasim numpy") {
        Ok(python) => python,
        Err(reason) => {
            skip(speed, MMA_SIM, &reason);
            return None;
        }
    };
    let [class, architecture, instruction] = names(unit)?;
    let arguments = [class, architecture, instruction, &unit.products.to_string(), &batch.len().to_string()];
    let words = [&batch.a, &batch.b, &batch.c].into_iter().flatten().flat_map(|word| word.to_le_bytes());
    let mut program = Program::start(&python, "mma_sim.py", &arguments, &words.collect::<Vec<u8>>());
    let answers = program.answer(8 * batch.len());
    let mut expected = Vec::new();
    Emulator::new(unit).run(batch, &mut expected).expect("the emulator answers");
    let d = &unit.formats.d;
    let same =
        |answer: u64, expected: u64| answer == expected || d.to_f64(answer).is_nan() && d.to_f64(expected).is_nan();
    let answers = answers.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes) & d.mask());
    let differences = answers.zip(expected).filter(|&(answer, expected)| !same(answer, expected)).count();
    let about = "import importlib.metadata as m; print(m.version('mmasim'), 'on torch', m.version('torch'))";
    let version = speed.tools.entry(MMA_SIM.to_owned()).or_insert_with(|| said(&python, about).unwrap_or_default());
    version.push_str(&format!("; {differences} of {} answers of {} differ", batch.len(), unit.name));
    Some(Contestant::new(MMA_SIM, items * batch.len(), move || program.turn()))
}
