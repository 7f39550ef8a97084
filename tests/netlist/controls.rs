//! Broken twins: lookup tables, steps of the code and places of operands that are wrong in one place. The stimulus must catch
//! every one that has an effect.

use tensorsmith::check::compare::{Source as Vectors, compare};
use tensorsmith::check::stimulus::{Exhaustive, Stimulus};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::netlist::{
    Interface, Mode, Netlist, Place, Program, Runner, Steady, Step, Variant, circuit::permuted, gates, program, read,
};
use tensorsmith::engine::{Batch, Emulator, Engine};

use super::support::{self, long_tier};
use super::{modes, needs_yosys, steady, unit};

const VECTORS: usize = 40_000;
/// Faults of one kind that are planted in a unit, in the long tier and in the short one.
const FAULTS: [usize; 2] = [150, 24];

struct Bench {
    unit: Unit,
    interface: Interface,
    source: tensorsmith::engine::netlist::Source,
    steady: Steady,
    batch: Batch,
    expected: Vec<u64>,
}

impl Bench {
    fn new(name: &str) -> Bench {
        let unit = unit(name);
        let (interface, source, steady) = steady(&unit, Variant::Core);
        let stimulus = Stimulus::shaped(&unit, 9);
        let mut batch = Batch::of_unit(&unit);
        stimulus.fill(0, VECTORS, &mut batch);
        let mut expected = Vec::new();
        Emulator::new(&unit).run(&batch, &mut expected).expect("the emulator answers");
        Bench { unit, interface, source, steady, batch, expected }
    }

    fn engine(&self, steady: Steady, runner: Runner) -> Netlist {
        Netlist::of_parts(self.interface.clone(), self.source.clone(), steady, runner)
    }

    /// How many answers differ from the emulator's.
    fn differing(&self, mut engine: Netlist) -> usize {
        let mut answers = Vec::new();
        engine.run(&self.batch, &mut answers).expect("the engine answers");
        self.expected.iter().zip(&answers).filter(|(expected, answer)| expected != answer).count()
    }

    fn of_steady(&self, steady: Steady, mode: Mode) -> Netlist {
        let runner = Runner::new(&steady.circuit, mode).expect("code can be placed in memory");
        self.engine(steady, runner)
    }

    fn of_program(&self, program: Program, mode: Mode) -> Netlist {
        self.engine(self.steady.clone(), Runner::of_program(program, mode).expect("code can be placed in memory"))
    }
}

/// Faults of one kind in this tier.
fn faults() -> usize {
    FAULTS[usize::from(!long_tier())]
}

/// About so many places among `count`, evenly spread.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(faults()))
}

/// Levels of machine code; the interpreter, which takes a minute, where there are none and in the long tier.
fn levels() -> Vec<Mode> {
    let mut modes = modes();
    if modes.len() > 1 && !long_tier() {
        modes.remove(0);
    }
    modes
}

#[test]
fn inverted_lookup_tables_are_caught() {
    let Some(()) = needs_yosys("netlist-mutants") else { return };
    for name in support::sampled(&["tiny-nearest", "volta-fp16-fp16"], 2) {
        let bench = Bench::new(name);
        for mode in levels() {
            assert_eq!(bench.differing(bench.of_steady(bench.steady.clone(), mode)), 0, "{name}: the right one");
            let (mut caught, mut without_effect) = (0, 0);
            for index in places(bench.steady.circuit.luts.len()) {
                let mut wrong = bench.steady.clone();
                wrong.circuit.luts[index].table ^= 0xff;
                if bench.differing(bench.of_steady(wrong.clone(), mode)) > 0 {
                    caught += 1;
                } else {
                    // Synthesis can leave one on which no result depends.
                    assert_without_effect(&bench, wrong, mode, &format!("{name}: lookup table {index} inverted"));
                    without_effect += 1;
                }
            }
            let by = mode.name();
            println!(
                "{name}, {by}: {caught} inverted lookup tables caught, {without_effect} without effect on any input"
            );
            assert!(caught > faults() / 3, "{name}, {by}: {caught} faults");
        }
    }
}

/// A fault that shows on no input at all, of which there are few enough.
fn assert_without_effect(bench: &Bench, wrong: Steady, mode: Mode, what: &str) {
    let inputs = Exhaustive::of(&bench.unit.interface());
    let inputs = inputs.unwrap_or_else(|| panic!("{what} was not caught"));
    let engines: Vec<Box<dyn Engine>> =
        vec![Box::new(Emulator::new(&bench.unit)), Box::new(bench.of_steady(wrong, mode))];
    let comparison = compare(engines, &Vectors::Exhaustive(inputs), &mut |_| {}).expect("both answer");
    assert_eq!(comparison.mismatches, 0, "{what} has an effect and was not caught");
}

/// What a user sees of such a fault: mismatches, and a vector that shows one.
#[test]
fn comparison_finds_an_inverted_lookup_table() {
    let Some(()) = needs_yosys("netlist-mutants") else { return };
    let bench = Bench::new("tiny-nearest");
    let mut wrong = bench.steady.clone();
    let middle = wrong.circuit.luts.len() / 2;
    wrong.circuit.luts[middle].table ^= 0xff;
    let engines: Vec<Box<dyn Engine>> =
        vec![Box::new(Emulator::new(&bench.unit)), Box::new(bench.of_steady(wrong, Mode::best()))];
    let vectors = Vectors::Shaped { stimulus: Stimulus::shaped(&bench.unit, 1), count: 20_000 };
    let comparison = compare(engines, &vectors, &mut |_| {}).expect("the engines answer");
    assert!(comparison.mismatches > 0 && comparison.first.is_some(), "{} mismatches", comparison.mismatches);
}

#[test]
fn exchanged_operands_of_the_code_are_caught() {
    let Some(()) = needs_yosys("netlist-mutants") else { return };
    let bench = Bench::new("volta-fp16-fp16");
    for mode in levels() {
        let right = program(&bench.steady.circuit, mode);
        assert_eq!(bench.differing(bench.of_program(right.clone(), mode)), 0, "the right one");
        let mut caught = 0;
        let mut missed = Vec::new();
        let is_lut = |&index: &usize| matches!(right.steps[index], Step::Lut { .. });
        let luts: Vec<usize> = (0..right.steps.len()).filter(is_lut).collect();
        for index in places(luts.len()).map(|place| luts[place]) {
            let mut wrong = right.clone();
            let Step::Lut { table, second, third, .. } = &mut wrong.steps[index] else { continue };
            match third {
                // A table that does not mind the order reads a neighbour of the register instead.
                Place::Register(third) if permuted(*table, [0, 2, 1]) != *table => std::mem::swap(second, third),
                Place::Register(third) => *third ^= 1,
                Place::Memory(plane) => *plane = plane.checked_sub(1).unwrap_or(1),
            }
            match bench.differing(bench.of_program(wrong, mode)) {
                0 => missed.push(index),
                _ => caught += 1,
            }
        }
        println!("{}: {caught} exchanged operands caught, {missed:?} missed", mode.name());
        // A fault may be without effect: some rows of some tables are reached by no operands.
        assert!(
            caught > faults() / 2 && missed.len() * 20 <= caught,
            "{}: {caught} caught, {missed:?} not",
            mode.name()
        );
    }
}

/// Steps that leave registers or memory never become code.
#[test]
fn steps_out_of_bounds_are_refused() {
    for mode in Mode::ALL {
        let registers = mode.registers() as u8;
        let lut = |to, second, third| Step::Lut { table: gates::XOR, to, second, third };
        for step in [
            lut(registers, 0, Place::Register(0)),
            lut(0, registers, Place::Register(0)),
            lut(0, 0, Place::Register(registers)),
            lut(0, 0, Place::Memory(4)),
            Step::Move { to: 0, from: Place::Memory(4) },
            Step::Store { to: 4, from: 0 },
        ] {
            let program = Program { steps: vec![step], planes: 4, constants: Vec::new() };
            assert!(!program.is_within_bounds(mode), "{step:?}");
            if mode != Mode::Interpreter && mode.is_supported() {
                let error = Runner::of_program(program, mode).err().expect("it is refused");
                assert!(error.to_string().contains("a register or a plane"), "{error}");
            }
        }
        let inside = Program {
            steps: vec![lut(registers - 1, registers - 1, Place::Memory(3))],
            planes: 4,
            constants: Vec::new(),
        };
        assert!(inside.is_within_bounds(mode));
    }
}

/// No code is made of operations that a level has not, nor of a level that the processor has not.
#[test]
fn foreign_steps_are_refused() {
    let step = |table| Step::Lut { table, to: 0, second: 1, third: Place::Register(2) };
    for mode in Mode::ALL.into_iter().filter(|mode| *mode != Mode::Interpreter) {
        for table in 0..=u8::MAX {
            let refused =
                Runner::of_program(Program { steps: vec![step(table)], planes: 4, constants: Vec::new() }, mode).err();
            let has = mode.is_supported() && mode.has(table) && (mode != Mode::Avx2 || table != gates::AND_NOT);
            assert_eq!(refused.is_none(), has, "{} table {table:#04x}: {refused:?}", mode.name());
            if !mode.is_supported() {
                assert!(refused.is_some_and(|error| error.to_string().contains(mode.isa().title())));
            }
        }
    }
}

#[test]
fn exchanged_planes_are_caught() {
    let Some(()) = needs_yosys("netlist-mutants") else { return };
    for name in ["tiny-scaled", "volta-fp16-fp16"] {
        let bench = Bench::new(name);
        let ports = bench.interface.ports();
        let mut caught = 0;
        for operand in 0..ports.operands.len() {
            // Each is a netlist that is read again: of the larger unit one in 13 in the ordinary tier.
            let step = if name.starts_with("tiny") || long_tier() { 1 } else { 13 };
            for bit in (1..ports.operands[operand].1.len()).step_by(step) {
                let mut wrong = ports.clone();
                wrong.operands[operand].1.swap(bit - 1, bit);
                let (module, planes) = (bench.unit.module_name(), bench.interface.planes() as u32);
                let steady = read(&bench.source.json, &module, &wrong, planes).expect("it is a netlist");
                let differing = bench.differing(bench.of_steady(steady, Mode::best()));
                let port = ports.operands[operand].0.as_str();
                // Two scales, each 1 or NaN: a NaN of either gives NaN.
                let without_effect = name == "tiny-scaled" && port == "scale_b_i";
                assert_eq!(differing == 0, without_effect, "{name}: bits {} and {bit} of {port} exchanged", bit - 1);
                caught += usize::from(differing > 0);
            }
        }
        println!("{name}: {caught} exchanged planes caught");
        assert!(caught > 10, "{name}: {caught} faults");
    }
}
