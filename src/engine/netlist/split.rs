//! Lookup tables as operations of two inputs, for processors that have no others: AND, OR, exclusive or, and AND with one
//! operand inverted; on NEON a selection too.
//!
//! Nothing else is ever inverted: the complement of each of them is one of them on complements, so that an inverter is a note
//! on whoever reads the value. Tables of three inputs become as few operations as there can be, of equal numbers those of which
//! most are there already.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::circuit::{Builder, COLUMNS, Circuit, Output, Signal};
use super::mode::Mode;
use super::select::with_selections;

/// An operation, by rows as Yosys numbers them, on functions of a list: the last operand first.
#[derive(Debug, Clone)]
struct Gate {
    table: u64,
    operands: Vec<usize>,
}

/// Operations that are put behind three inputs; the last one is the table.
type Formula = Vec<Gate>;

/// Operations of two inputs that are 0 where both are: row `2 y + z`.
const PAIRS: [u64; 5] = [0b1000, 0b0100, 0b0010, 0b1110, 0b0110];
/// Row `4 x + 2 y + z`: y where x is true, else z.
const SELECTION: u64 = 0xca;
/// Formulas of one table that are kept.
const FORMULAS: usize = 64;
/// So many operations are enough for every table.
const DEEPEST: usize = 4;

/// The circuit in tables that the mode has, each one step.
pub fn split(circuit: &Circuit, mode: Mode) -> Circuit {
    if mode.has_all_tables() {
        return circuit.clone();
    }
    static PAIRS: LazyLock<Vec<Vec<Formula>>> = LazyLock::new(|| formulas(false));
    static SELECTIONS: LazyLock<Vec<Vec<Formula>>> = LazyLock::new(|| formulas(true));
    let selects = mode == Mode::Neon;
    let formulas = if selects { &SELECTIONS } else { &PAIRS };
    let mut builder = Builder::new(circuit.inputs);
    let mut signals: Vec<Signal> = (0..circuit.inputs).map(|value| Signal::Value { value, inverted: false }).collect();
    for lut in &circuit.luts {
        let [x, y, z] = lut.inputs.map(|input| signals[input as usize]);
        signals.push(table(&mut builder, formulas, lut.table, [z, y, x]));
    }
    let outputs = circuit.outputs.iter().map(|output| match *output {
        Output::Constant(value) => Signal::Constant(value),
        Output::Value(value) => signals[value as usize],
    });
    let circuit = builder.finish_plain(&outputs.collect::<Vec<_>>());
    if selects { with_selections(&circuit) } else { circuit }
}

/// The value of a table by the formula that needs the fewest new operations.
fn table(builder: &mut Builder, formulas: &[Vec<Formula>], rows: u8, signals: [Signal; 3]) -> Signal {
    // What is left beside a constant has two inputs, and is one operation whatever it is.
    if signals.iter().any(|signal| matches!(signal, Signal::Constant(_))) {
        return builder.lut(u64::from(rows), &signals);
    }
    // Inverted inputs are taken as they are, the table the other way round.
    let inverted = |signal: Signal| matches!(signal, Signal::Value { inverted: true, .. });
    let turned =
        signals.iter().enumerate().fold(0, |turned, (bit, &signal)| turned | usize::from(inverted(signal)) << bit);
    let rows = (0..8).fold(0, |new, row| new | (rows >> (row ^ turned) & 1) << row);
    let plain = signals.map(|signal| match signal {
        Signal::Value { value, .. } => Signal::Value { value, inverted: false },
        constant => constant,
    });
    let complement = rows & 1 == 1;
    let formulas = &formulas[usize::from(if complement { !rows } else { rows })];
    let Some(best) = formulas.iter().min_by_key(|formula| new_gates(builder, formula, plain)) else {
        // Constants and inputs.
        return builder.lut(u64::from(rows), &plain);
    };
    let mut known = plain.to_vec();
    for gate in best {
        let operands: Vec<Signal> = gate.operands.iter().map(|&operand| known[operand]).collect();
        known.push(builder.lut(gate.table, &operands));
    }
    match (known[known.len() - 1], complement) {
        (Signal::Value { value, inverted }, true) => Signal::Value { value, inverted: !inverted },
        (Signal::Constant(value), true) => Signal::Constant(!value),
        (signal, false) => signal,
    }
}

/// How many operations of a formula the circuit has not.
fn new_gates(builder: &Builder, formula: &Formula, signals: [Signal; 3]) -> usize {
    let mut known: Vec<Option<Signal>> = signals.map(Some).to_vec();
    for gate in formula {
        let operands: Option<Vec<Signal>> = gate.operands.iter().map(|&operand| known[operand]).collect();
        known.push(operands.and_then(|operands| builder.known(gate.table, &operands)));
    }
    known.iter().filter(|signal| signal.is_none()).count()
}

/// Shortest formulas by tables that are 0 in their first row. Operand 0 is z, 1 is y, 2 is x.
fn formulas(selections: bool) -> Vec<Vec<Formula>> {
    let mut found: Vec<Vec<Formula>> = vec![Vec::new(); 256];
    let inputs = vec![COLUMNS[2], COLUMNS[1], COLUMNS[0]];
    let mut states: Vec<(Vec<u8>, Formula)> = vec![(inputs.clone(), Vec::new())];
    for length in 1..=DEEPEST {
        // One way to each set of functions.
        let mut next = BTreeMap::new();
        for (functions, formula) in &states {
            for (function, gate) in gates(functions, selections) {
                if function == 0 || functions.contains(&function) {
                    continue;
                }
                let longer = || [&formula[..], std::slice::from_ref(&gate)].concat();
                let known = &mut found[usize::from(function)];
                if known.len() < FORMULAS && known.first().is_none_or(|first| first.len() == length) {
                    known.push(longer());
                }
                if length < DEEPEST {
                    let mut set = functions.clone();
                    set.push(function);
                    let mut sorted = set.clone();
                    sorted.sort_unstable();
                    next.entry(sorted).or_insert_with(|| (set, longer()));
                }
            }
        }
        states = next.into_values().collect();
    }
    found
}

/// Every operation on some functions, with the function that it is.
fn gates(functions: &[u8], selections: bool) -> Vec<(u8, Gate)> {
    let mut gates = Vec::new();
    let mut add = |table: u64, operands: &[usize]| {
        let row = |bit: usize| {
            operands.iter().enumerate().fold(0, |row, (place, &operand)| row | (functions[operand] >> bit & 1) << place)
        };
        let function = (0..8).fold(0, |function, bit| function | ((table >> row(bit)) as u8 & 1) << bit);
        gates.push((function, Gate { table, operands: operands.to_vec() }));
    };
    for z in 0..functions.len() {
        for y in z + 1..functions.len() {
            PAIRS.iter().for_each(|&table| add(table, &[z, y]));
            for x in (0..functions.len()).filter(|&x| selections && x != y && x != z) {
                add(SELECTION, &[z, y, x]);
                add(SELECTION, &[y, z, x]);
            }
        }
    }
    gates
}

#[cfg(test)]
mod tests {
    use super::super::circuit::Value;
    use super::*;

    /// Every table with each of its inputs constant, inverted or as it is becomes steps that the modes have, and stays itself.
    #[test]
    fn tables_beside_constants_and_inverters_are_steps_of_the_mode() {
        let plain = |value| Signal::Value { value, inverted: false };
        let all: [&dyn Fn(Value) -> Signal; 4] =
            [&plain, &|value| Signal::Value { value, inverted: true }, &|_| Signal::Constant(false), &|_| {
                Signal::Constant(true)
            }];
        for (mode, formulas) in [(Mode::Avx2, formulas(false)), (Mode::Neon, formulas(true))] {
            for case in 0..256 * 64 {
                let (rows, kinds) = ((case / 64) as u8, [case % 4, case / 4 % 4, case / 16 % 4]);
                let mut builder = Builder::new(3);
                let signals = std::array::from_fn(|input| all[kinds[input]](input as Value));
                let output = table(&mut builder, &formulas, rows, signals);
                let split = builder.finish_plain(&[output]);
                let split = if mode == Mode::Neon { with_selections(&split) } else { split };
                let foreign = split.luts.iter().find(|lut| !mode.has(lut.table));
                assert!(foreign.is_none(), "{}: {rows:#x} of {signals:?} has {foreign:?}", mode.name());
                // Input i of three is bit i of a row.
                let inputs = [0xaa, 0xcc, 0xf0];
                let given = |row: usize, input: usize| match signals[input] {
                    Signal::Constant(value) => value,
                    Signal::Value { value, inverted } => (inputs[value as usize] >> row & 1 == 1) != inverted,
                };
                let of_row = |row: usize| (0..3).fold(0, |bits, input| bits | usize::from(given(row, input)) << input);
                let expected = (0..8).fold(0, |bits, row| bits | u64::from(rows >> of_row(row) & 1) << row);
                assert_eq!(split.evaluate(&inputs)[0] & 0xff, expected, "{}: {rows:#x} of {signals:?}", mode.name());
            }
        }
    }
}
