//! Machine code of NEON: its words as a disassembler knows them, and circuits as QEMU executes them, against their definition.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::engine::netlist::assemble_neon::assemble;
use tensorsmith::engine::netlist::circuit::{Builder, Circuit, Signal};
use tensorsmith::engine::netlist::{Mode, Place, Program, Step, Variant, gates, program};

use super::support::qemu::Qemu;
use super::{needs_yosys, steady, support, unit};

/// Words that `aarch64-linux-gnu-objdump` shows as the text beside them.
#[test]
fn words_are_those_of_the_manual() {
    let lut = |table| Step::Lut { table, to: 1, second: 2, third: Place::Register(3) };
    let steps = [
        (lut(gates::AND), vec![0x4e23_1c41], "and v1.16b, v2.16b, v3.16b"),
        (lut(gates::AND_NOT), vec![0x4e63_1c41], "bic v1.16b, v2.16b, v3.16b"),
        (lut(gates::NOT_AND), vec![0x4e62_1c61], "bic v1.16b, v3.16b, v2.16b"),
        (lut(gates::OR), vec![0x4ea3_1c41], "orr v1.16b, v2.16b, v3.16b"),
        (lut(gates::XOR), vec![0x6e23_1c41], "eor v1.16b, v2.16b, v3.16b"),
        (lut(gates::NOT), vec![0x6e20_5861], "mvn v1.16b, v3.16b"),
        (lut(0xca), vec![0x6e63_1c41], "bsl v1.16b, v2.16b, v3.16b"),
        (lut(0xd8), vec![0x6ea3_1c41], "bit v1.16b, v2.16b, v3.16b"),
        (lut(0xe4), vec![0x6ee3_1c41], "bif v1.16b, v2.16b, v3.16b"),
        (Step::Move { to: 1, from: Place::Register(3) }, vec![0x4ea3_1c61], "mov v1.16b, v3.16b"),
        (Step::Move { to: 31, from: Place::Memory(1023) }, vec![0x3dff_f01f], "ldr q31, [x0, #65472]"),
        (
            Step::Store { to: 5 * 1024 + 1, from: 7 },
            vec![0x9141_4010, 0x3d80_1207],
            "add x16, x0, #0x50, lsl #12; str q7, [x16, #64]",
        ),
    ];
    for (step, expected, text) in steps {
        let code = assemble(&Program { steps: vec![step], planes: 8192, constants: Vec::new() }).expect("NEON has it");
        let words: Vec<u32> = code.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        // Four words before it save registers, and four and a return follow.
        assert_eq!(words[4..words.len() - 5], expected, "{text}");
        assert_eq!(words[words.len() - 1], 0xd65f_03c0, "ret");
    }
    for step in [lut(0x96), Step::Lut { table: gates::AND, to: 0, second: 0, third: Place::Memory(0) }] {
        assert!(assemble(&Program { steps: vec![step], planes: 1, constants: Vec::new() }).is_err(), "{step:?}");
    }
    assert!(
        assemble(&Program {
            steps: vec![Step::Store { to: 1 << 18, from: 0 }],
            planes: u32::MAX,
            constants: Vec::new()
        })
        .is_err()
    );
}

/// Compiles the program that runs code, or skips.
fn open() -> Option<Qemu> {
    Qemu::open("tests/netlist/run_code.c", &[])
}

/// The planes after the program.
fn run(qemu: &Qemu, program: &Program, planes: &[[u64; 8]]) -> Vec<[u64; 8]> {
    let file = qemu.folder().join("code");
    std::fs::write(&file, assemble(program).expect("NEON has its steps")).expect("there is room");
    let bytes = planes.as_flattened().iter().flat_map(|word| word.to_le_bytes()).collect();
    let words: Vec<u64> = qemu.run(&file, bytes).as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    assert_eq!(words.len(), 8 * planes.len());
    words.as_chunks().0.to_vec()
}

/// How many words of outputs differ from the circuit's.
fn differing(qemu: &Qemu, circuit: &Circuit, program: &Program, seed: u64) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let planes: Vec<[u64; 8]> = (0..program.planes).map(|_| std::array::from_fn(|_| random.next_u64())).collect();
    let mut answers = run(qemu, program, &planes);
    // Constant outputs are written by no step.
    for &(plane, value) in &program.constants {
        answers[plane as usize] = [if value { u64::MAX } else { 0 }; 8];
    }
    let outputs = circuit.inputs as usize..;
    let wrong = (0..8).map(|word| {
        let inputs: Vec<u64> = planes[..circuit.inputs as usize].iter().map(|plane| plane[word]).collect();
        let pairs = circuit.evaluate(&inputs).into_iter().zip(&answers[outputs.clone()]);
        pairs.filter(|(expected, answer)| *expected != answer[word]).count()
    });
    wrong.sum()
}

/// All functions of three inputs, and some that read them, among so many outputs that planes lie far away.
fn circuit_of_all_tables() -> Circuit {
    let inputs = 40;
    let mut builder = Builder::new(inputs);
    let mut signals: Vec<Signal> = (0..inputs).map(|value| Signal::Value { value, inverted: false }).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for round in 0..12 {
        for table in 0..256 {
            let operands: [Signal; 3] = std::array::from_fn(|_| signals[random.next_u64() as usize % signals.len()]);
            signals.push(builder.lut((table + round) % 256, &operands));
        }
    }
    builder.finish(&signals)
}

#[test]
fn circuit_qemu_neon_all_tables() {
    let Some(qemu) = open() else { return };
    let circuit = circuit_of_all_tables();
    let right = program(&circuit, Mode::Neon);
    assert!(right.planes > 3000, "planes beyond the reach of the argument");
    assert_eq!(differing(&qemu, &circuit, &right, 1), 0);
    // A fault shows.
    let mut caught = 0;
    let operations = (0..right.steps.len()).filter(|&step| matches!(right.steps[step], Step::Lut { .. }));
    for index in operations.step_by(if support::long_tier() { 200 } else { 600 }) {
        let mut wrong = right.clone();
        let Step::Lut { table, .. } = &mut wrong.steps[index] else { unreachable!("others are left out") };
        *table = if *table == gates::XOR { gates::AND } else { gates::XOR };
        caught += usize::from(differing(&qemu, &circuit, &wrong, 2) > 0);
    }
    assert!(caught > if support::long_tier() { 10 } else { 3 }, "{caught} faults caught");
}

#[test]
fn circuit_qemu_neon_units() {
    let Some(qemu) = open().filter(|_| needs_yosys("netlist-neon-units").is_some()) else { return };
    for name in support::sampled(&["tiny-fma", "volta-fp16-fp16"], 2) {
        let (_, _, steady) = steady(&unit(name), Variant::Core);
        let program = program(&steady.circuit, Mode::Neon);
        assert_eq!(differing(&qemu, &steady.circuit, &program, 4), 0, "{name}");
    }
}
