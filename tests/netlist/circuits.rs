//! Random circuits: the builder against a list of tables, the order, the machine code and the interpreter against the circuit.

use proptest::prelude::*;
use tensorsmith::engine::netlist::circuit::{Builder, Circuit, Signal};
use tensorsmith::engine::netlist::planes::Plane;
use tensorsmith::engine::netlist::{Mode, Runner, ordered, program, split};

use super::modes;

/// A table of at most three of the signals before it, counted from the end; bits of `inverted` invert them.
#[derive(Debug, Clone)]
struct Table {
    table: u64,
    operands: Vec<(usize, bool)>,
}

#[derive(Debug, Clone)]
struct Recipe {
    inputs: u32,
    tables: Vec<Table>,
    /// Signals from the end, inverted or not.
    outputs: Vec<(usize, bool)>,
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let operand = || (prop_oneof![3 => 0..12_usize, 1 => 0..400_usize], any::<bool>());
    let table = (any::<u8>(), prop::collection::vec(operand(), 1..=3))
        .prop_map(|(table, operands)| Table { table: u64::from(table) & ((1 << (1 << operands.len())) - 1), operands });
    let outputs = prop::collection::vec((0..400_usize, any::<bool>()), 1..60);
    (1..90_u32, prop::collection::vec(table, 0..400), outputs).prop_map(|(inputs, tables, outputs)| Recipe {
        inputs,
        tables,
        outputs,
    })
}

/// The values of 64 vectors by the recipe itself, and the circuit that the builder makes of it.
fn build(recipe: &Recipe, inputs: &[u64]) -> (Vec<u64>, Circuit) {
    let mut builder = Builder::new(recipe.inputs);
    let mut signals: Vec<(Signal, u64)> = vec![(Signal::Constant(false), 0), (Signal::Constant(true), u64::MAX)];
    let input = |(value, bits): (usize, &u64)| (Signal::Value { value: value as u32, inverted: false }, *bits);
    signals.extend(inputs.iter().enumerate().map(input));
    let pick = |signals: &[(Signal, u64)], (back, inverted): (usize, bool)| {
        let (signal, bits) = signals[signals.len() - 1 - back % signals.len()];
        match (signal, inverted) {
            (signal, false) => (signal, bits),
            (Signal::Constant(value), true) => (Signal::Constant(!value), !bits),
            (Signal::Value { value, inverted }, true) => (Signal::Value { value, inverted: !inverted }, !bits),
        }
    };
    for table in &recipe.tables {
        let operands: Vec<_> = table.operands.iter().map(|&operand| pick(&signals, operand)).collect();
        let value = (0..64).fold(0, |bits, vector| {
            let row = operands.iter().enumerate().fold(0, |row, (bit, (_, own))| row | (own >> vector & 1) << bit);
            bits | (table.table >> row & 1) << vector
        });
        let operands: Vec<Signal> = operands.into_iter().map(|(signal, _)| signal).collect();
        signals.push((builder.lut(table.table, &operands), value));
    }
    let outputs: Vec<_> = recipe.outputs.iter().map(|&output| pick(&signals, output)).collect();
    let (outputs, values): (Vec<Signal>, Vec<u64>) = outputs.into_iter().unzip();
    (values, builder.finish(&outputs))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn builder_split_order_code_interpreter_random_circuits(
        recipe in recipes(),
        seeds in prop::collection::vec(any::<[u64; 8]>(), 90),
    ) {
        let first: Vec<u64> = seeds[..recipe.inputs as usize].iter().map(|plane| plane[0]).collect();
        let (values, circuit) = build(&recipe, &first);
        prop_assert_eq!(&circuit.evaluate(&first), &values);
        for mode in Mode::ALL {
            let split = split(&circuit, mode);
            prop_assert_eq!(&split.evaluate(&first), &values);
            prop_assert!(split.luts.iter().all(|lut| mode.has(lut.table)));
            let ordered = ordered(&split, mode);
            prop_assert_eq!(&ordered.evaluate(&first), &values);
            prop_assert_eq!(ordered.luts.len(), split.luts.len());
        }
        // Each level's code, and the steps of every level one by one.
        let interpreted = Mode::ALL.map(|mode| Runner::of_program(program(&circuit, mode), Mode::Interpreter));
        for runner in modes().into_iter().map(|mode| Runner::new(&circuit, mode)).chain(interpreted) {
            let runner = runner.expect("code can be placed in memory");
            let mut planes = vec![Plane([0x5a5a_5a5a_5a5a_5a5a; 8]); runner.planes()];
            planes.iter_mut().zip(&seeds).take(recipe.inputs as usize).for_each(|(plane, seed)| *plane = Plane(*seed));
            runner.prepare(&mut planes);
            runner.run(&mut planes);
            for word in 0..8 {
                let inputs: Vec<u64> = seeds[..recipe.inputs as usize].iter().map(|plane| plane[word]).collect();
                let answers = &planes[recipe.inputs as usize..][..recipe.outputs.len()];
                let answers: Vec<u64> = answers.iter().map(|plane| plane.0[word]).collect();
                prop_assert_eq!(answers, circuit.evaluate(&inputs), "{} word {}", runner.mode().name(), word);
            }
        }
    }
}

/// All 256 functions of three inputs, by every means.
#[test]
fn code_interpreter_all_tables() {
    let inputs = [0xf0_u64, 0xcc, 0xaa];
    for table in 0..256_u64 {
        let mut builder = Builder::new(3);
        let signals = [2, 1, 0].map(|value| Signal::Value { value, inverted: false });
        let output = builder.lut(table, &signals);
        let circuit = builder.finish(&[output]);
        assert_eq!(circuit.evaluate(&inputs)[0] & 0xff, table);
        for mode in modes() {
            let runner = Runner::new(&circuit, mode).expect("code can be placed in memory");
            let mut planes = vec![Plane::default(); runner.planes()];
            planes.iter_mut().zip(inputs).for_each(|(plane, bits)| *plane = Plane([bits; 8]));
            runner.prepare(&mut planes);
            runner.run(&mut planes);
            assert!(
                planes[3].0.iter().all(|word| word & 0xff == table),
                "{} table {table:#x}: {:x?}",
                mode.name(),
                planes[3]
            );
        }
    }
}

/// Where tables become the same only when they are split, an output turns out to be constant: it has its value all the same.
#[test]
fn outputs_that_are_constant_once_split() {
    let mut builder = Builder::new(3);
    let [z, y, x] = [2, 1, 0].map(|value| Signal::Value { value, inverted: false });
    // x & y & z, and x & (y & z), differ as tables.
    let (three, two) = (builder.lut(0x80, &[z, y, x]), builder.lut(0b1000, &[z, y]));
    let again = builder.lut(0b1000, &[two, x]);
    let outputs = [builder.lut(0b0110, &[three, again]), builder.lut(0b1001, &[three, again])];
    let circuit = builder.finish(&outputs);
    for mode in modes() {
        let runner = Runner::new(&circuit, mode).expect("code can be placed in memory");
        let mut planes = vec![Plane([0x5a5a_5a5a_5a5a_5a5a; 8]); runner.planes()];
        runner.prepare(&mut planes);
        runner.run(&mut planes);
        assert_eq!(planes[3..5], [Plane([0; 8]), Plane([u64::MAX; 8])], "{}", mode.name());
    }
}
