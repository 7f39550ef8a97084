//! Broken twins: lookup tables, steps of the code and places of operands that are wrong in one place. The stimulus must catch
//! every one that has an effect.

use tensorsmith::check::compare::{Source as Vectors, compare};
use tensorsmith::check::stimulus::{Exhaustive, Stimulus};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::netlist::{
    Interface, Mode, Netlist, Place, Program, Runner, Steady, Step, Variant, allocate, circuit::permuted, ordered, read,
};
use tensorsmith::engine::{Batch, Emulator, Engine};

use super::support::long_tier;
use super::{has_yosys, steady, unit};

const VECTORS: usize = 40_000;
/// Faults of one kind that are planted in a unit.
const FAULTS: usize = 150;

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

    fn of_steady(&self, steady: Steady) -> Netlist {
        let runner = Runner::new(&steady.circuit, Mode::best()).expect("code can be placed in memory");
        self.engine(steady, runner)
    }

    fn of_program(&self, program: Program) -> Netlist {
        self.engine(
            self.steady.clone(),
            Runner::of_program(program, Mode::best()).expect("code can be placed in memory"),
        )
    }
}

/// About `FAULTS` places among `count`, evenly spread.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(FAULTS))
}

#[test]
fn inverted_lookup_tables_are_caught() {
    if !has_yosys("netlist-mutants") {
        return;
    }
    for name in ["tiny-nearest", "volta-fp16-fp16"] {
        let bench = Bench::new(name);
        assert_eq!(bench.differing(bench.of_steady(bench.steady.clone())), 0, "{name}: the right one");
        let (mut caught, mut without_effect) = (0, 0);
        for index in places(bench.steady.circuit.luts.len()) {
            let mut wrong = bench.steady.clone();
            wrong.circuit.luts[index].table ^= 0xff;
            if bench.differing(bench.of_steady(wrong.clone())) > 0 {
                caught += 1;
                continue;
            }
            // Synthesis can leave one on which no result depends.
            let inputs = Exhaustive::of(&bench.unit.interface());
            let inputs = inputs.unwrap_or_else(|| panic!("{name}: lookup table {index} inverted was not caught"));
            let engines: Vec<Box<dyn Engine>> =
                vec![Box::new(Emulator::new(&bench.unit)), Box::new(bench.of_steady(wrong))];
            let comparison = compare(engines, &Vectors::Exhaustive(inputs), &mut |_| {}).expect("both answer");
            assert_eq!(
                comparison.mismatches, 0,
                "{name}: lookup table {index} inverted has an effect and was not caught"
            );
            without_effect += 1;
        }
        println!("{name}: {caught} inverted lookup tables caught, {without_effect} without effect on any input");
        assert!(caught > 50, "{name}: {caught} faults");
    }
}

/// What a user sees of such a fault: mismatches, and a vector that shows one.
#[test]
fn comparison_finds_an_inverted_lookup_table() {
    if !has_yosys("netlist-mutants") {
        return;
    }
    let bench = Bench::new("volta-fp16-fp16");
    let mut wrong = bench.steady.clone();
    let middle = wrong.circuit.luts.len() / 2;
    wrong.circuit.luts[middle].table ^= 0xff;
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(&bench.unit)), Box::new(bench.of_steady(wrong))];
    let vectors = Vectors::Shaped { stimulus: Stimulus::shaped(&bench.unit, 1), count: 20_000 };
    let comparison = compare(engines, &vectors, &mut |_| {}).expect("the engines answer");
    assert!(comparison.mismatches > 0 && comparison.first.is_some(), "{} mismatches", comparison.mismatches);
}

#[test]
fn exchanged_operands_of_the_code_are_caught() {
    if !has_yosys("netlist-mutants") {
        return;
    }
    let bench = Bench::new("volta-fp16-fp16");
    let right = allocate(&ordered(&bench.steady.circuit));
    assert_eq!(bench.differing(bench.of_program(right.clone())), 0, "the right one");
    let mut caught = 0;
    let mut missed = Vec::new();
    for index in places(right.steps.len()) {
        let mut wrong = right.clone();
        let Step::Lut { table, second, third, .. } = &mut wrong.steps[index] else { continue };
        match third {
            // A table that does not mind the order reads a neighbour of the register instead.
            Place::Register(third) if permuted(*table, [0, 2, 1]) != *table => std::mem::swap(second, third),
            Place::Register(third) => *third ^= 1,
            Place::Memory(plane) => *plane = plane.checked_sub(1).unwrap_or(1),
        }
        match bench.differing(bench.of_program(wrong)) {
            0 => missed.push(index),
            _ => caught += 1,
        }
    }
    println!("{caught} exchanged operands caught, {missed:?} missed");
    // A fault may be without effect: some rows of some tables are reached by no operands.
    assert!(caught > 80 && missed.len() * 20 <= caught, "{caught} caught, steps {missed:?} not");
}

/// Steps that leave registers or memory never become code.
#[test]
fn steps_out_of_bounds_are_refused() {
    let lut = |to, second, third| Step::Lut { table: 0x96, to, second, third };
    for step in [
        lut(32, 0, Place::Register(0)),
        lut(0, 32, Place::Register(0)),
        lut(0, 0, Place::Register(32)),
        lut(0, 0, Place::Memory(4)),
        Step::Move { to: 0, from: Place::Memory(4) },
        Step::Store { to: 4, from: 0 },
    ] {
        let program = Program { steps: vec![step], planes: 4 };
        assert!(!program.is_within_bounds(), "{step:?}");
        if Mode::best() == Mode::Code {
            let error = Runner::of_program(program, Mode::Code).err().expect("it is refused");
            assert!(error.to_string().contains("a register or a plane"), "{error}");
        }
    }
    let inside = Program { steps: vec![lut(31, 31, Place::Memory(3))], planes: 4 };
    assert!(inside.is_within_bounds());
}

#[test]
fn exchanged_planes_are_caught() {
    if !has_yosys("netlist-mutants") {
        return;
    }
    for name in ["tiny-scaled", "volta-fp16-fp16"] {
        let bench = Bench::new(name);
        let ports = bench.interface.ports();
        let mut caught = 0;
        for operand in 0..ports.operands.len() {
            // Each is a netlist that is read again: of the larger unit one in three in the ordinary tier.
            let step = if name.starts_with("tiny") || long_tier() { 1 } else { 3 };
            for bit in (1..ports.operands[operand].1.len()).step_by(step) {
                let mut wrong = ports.clone();
                wrong.operands[operand].1.swap(bit - 1, bit);
                let (module, planes) = (bench.unit.module_name(), bench.interface.planes() as u32);
                let steady = read(&bench.source.json, &module, &wrong, planes).expect("it is a netlist");
                let differing = bench.differing(bench.of_steady(steady));
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
