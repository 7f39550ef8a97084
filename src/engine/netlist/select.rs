//! Selections of one of two values by a third, in a circuit of operations of two inputs: one instruction of NEON in place of two
//! or three.

use super::circuit::{Builder, Circuit, Lut, Output, Signal, Value};
use super::mode::gates;

/// Row `4 x + 2 y + z`: y where x is true, else z.
const SELECTION: u64 = 0xca;

/// A value, or its complement.
type Literal = (Value, bool);

/// `yes` where `by` is true, else `no`.
struct Selection {
    by: Value,
    yes: Value,
    no: Value,
}

/// The circuit with selections where they save an operation.
pub fn with_selections(circuit: &Circuit) -> Circuit {
    let mut readers = vec![0; circuit.inputs as usize + circuit.luts.len()];
    circuit.luts.iter().flat_map(Lut::support).for_each(|operand| readers[operand as usize] += 1);
    for output in &circuit.outputs {
        if let Output::Value(value) = *output {
            readers[value as usize] += 1;
        }
    }
    let mut builder = Builder::new(circuit.inputs);
    let mut signals: Vec<Signal> = (0..circuit.inputs).map(|value| Signal::Value { value, inverted: false }).collect();
    for lut in &circuit.luts {
        let of = |value: Value| signals[value as usize];
        let signal = match selection(circuit, &readers, lut) {
            Some(Selection { by, yes, no }) => builder.lut(SELECTION, &[of(no), of(yes), of(by)]),
            None => builder.lut(u64::from(lut.table), &[of(lut.inputs[2]), of(lut.inputs[1]), of(lut.inputs[0])]),
        };
        signals.push(signal);
    }
    let outputs = circuit.outputs.iter().map(|output| match *output {
        Output::Constant(value) => Signal::Constant(value),
        Output::Value(value) => signals[value as usize],
    });
    builder.finish_plain(&outputs.collect::<Vec<_>>())
}

/// What a table selects, if it does, and one of the operations before it is read by nothing else.
fn selection(circuit: &Circuit, readers: &[u32], lut: &Lut) -> Option<Selection> {
    let [_, y, z] = lut.inputs;
    if !matches!(lut.table, gates::OR | gates::XOR) || readers[y as usize] > 1 && readers[z as usize] > 1 {
        return None;
    }
    [(y, z), (z, y)].into_iter().find_map(|(first, second)| {
        let (first, second_and) = (conjunction(circuit, first)?, conjunction(circuit, second));
        let exchanged = [first, [first[1], first[0]]];
        exchanged.into_iter().find_map(|[by, yes]| {
            let complementary = || of_complementary(by, yes, second_and?);
            let carry = || of_carry(circuit, by, yes, second_and?);
            let difference = || (lut.table == gates::XOR).then(|| of_difference(circuit, by, yes, second)).flatten();
            complementary().or_else(carry).or_else(difference)
        })
    })
}

/// The literals of which a value is the conjunction.
fn conjunction(circuit: &Circuit, value: Value) -> Option<[Literal; 2]> {
    let lut = circuit.lut(value)?;
    let [_, y, z] = lut.inputs;
    match lut.table {
        gates::AND => Some([(y, false), (z, false)]),
        gates::AND_NOT => Some([(y, false), (z, true)]),
        gates::NOT_AND => Some([(y, true), (z, false)]),
        _ => None,
    }
}

/// The operands of an exclusive or.
fn exclusive(circuit: &Circuit, value: Value) -> Option<[Value; 2]> {
    let lut = circuit.lut(value)?;
    (lut.table == gates::XOR).then_some([lut.inputs[1], lut.inputs[2]])
}

/// `yes` where `by` holds, else `no`, neither of them inverted.
fn selected((by, inverted): Literal, yes: Literal, no: Literal) -> Option<Selection> {
    let (yes, no) = if inverted { (no, yes) } else { (yes, no) };
    (!yes.1 && !no.1).then_some(Selection { by, yes: yes.0, no: no.0 })
}

/// `by & yes | !by & no`
fn of_complementary(by: Literal, yes: Literal, others: [Literal; 2]) -> Option<Selection> {
    let opposite = (by.0, !by.1);
    let no = if others[0] == opposite { others[1] } else { others[0] };
    others.contains(&opposite).then(|| selected(by, yes, no)).flatten()
}

/// `by & yes | p & q`, where `by` is false wherever both literals p and q are true: a carry.
fn of_carry(circuit: &Circuit, by: Literal, yes: Literal, others: [Literal; 2]) -> Option<Selection> {
    let [p, q] = others;
    let operands = exclusive(circuit, by.0)?;
    let same = operands == [p.0, q.0] || operands == [q.0, p.0];
    // The exclusive or is true where p and q differ as values.
    (same && (p.1 != q.1) == by.1).then(|| selected(by, yes, p)).flatten()
}

/// `by & (p ^ no) ^ no`
fn of_difference(circuit: &Circuit, by: Literal, yes: Literal, no: Value) -> Option<Selection> {
    let [p, q] = exclusive(circuit, yes.0).filter(|operands| !yes.1 && operands.contains(&no))?;
    selected(by, (if p == no { q } else { p }, false), (no, false))
}
