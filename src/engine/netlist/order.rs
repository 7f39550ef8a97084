//! The order in which lookup tables are computed: such that few values wait at a time.

use super::circuit::{Circuit, Output, Value};

/// The circuit with its tables in another order: depth first from the outputs, of a table's operands the one with the most
/// tables behind it first.
pub fn depth_first(circuit: &Circuit) -> Circuit {
    let first = circuit.inputs;
    // Values that wait while a table is computed, at least (Sethi and Ullman); exact for trees.
    let mut pressure = vec![0_u32; first as usize + circuit.luts.len()];
    for (index, lut) in circuit.luts.iter().enumerate() {
        let mut below: Vec<u32> = lut.support().map(|input| pressure[input as usize]).collect();
        below.sort_unstable_by(|a, b| b.cmp(a));
        let needed = below.iter().enumerate().map(|(place, below)| below + place as u32).max();
        pressure[first as usize + index] = needed.unwrap_or(0).max(1);
    }
    let mut placed = vec![false; pressure.len()];
    let mut order = Vec::with_capacity(circuit.luts.len());
    for output in &circuit.outputs {
        if let Output::Value(value) = output {
            place(circuit, *value, &pressure, &mut placed, &mut order);
        }
    }
    circuit.reordered(&order)
}

fn place(circuit: &Circuit, output: Value, pressure: &[u32], placed: &mut [bool], order: &mut Vec<Value>) {
    let mut waiting = vec![output];
    while let Some(&value) = waiting.last() {
        let Some(lut) = circuit.lut(value).filter(|_| !placed[value as usize]) else {
            waiting.pop();
            continue;
        };
        let missing = lut.support().filter(|&input| circuit.lut(input).is_some() && !placed[input as usize]);
        match missing.max_by_key(|&input| pressure[input as usize]) {
            Some(input) => waiting.push(input),
            None => {
                placed[value as usize] = true;
                order.push(value);
                waiting.pop();
            }
        }
    }
}
