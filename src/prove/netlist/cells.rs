//! The kinds of Yosys' word-level cells that designs here consist of, and what each computes (Yosys manual, cell library).
//!
//! Operands are extended to the width of the operation by their sign where the cell is signed, by zeros elsewhere.

use crate::prove::aig::{Aig, Bits, Literal, Word};

/// Operator of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Add,
    Subtract,
    Multiply,
    Negate,
    Extend,
    Not,
    And,
    Or,
    Xor,
    Xnor,
    ReduceAnd,
    /// Also the truth of a word.
    ReduceOr,
    ReduceXor,
    ReduceXnor,
    LogicNot,
    LogicAnd,
    LogicOr,
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    /// Bits of A from place B on, a place that may be negative; undefined outside of A.
    Index,
    /// B where S holds, A elsewhere.
    Select,
    /// The word of B whose bit of S holds, A where none does; undefined where several do.
    Choose,
    /// Holds D from one clock edge to the next.
    Register,
}

impl Kind {
    /// The kind with a cell type's name.
    pub fn of(name: &str) -> Option<Kind> {
        Some(match name {
            "$add" => Kind::Add,
            "$sub" => Kind::Subtract,
            "$mul" => Kind::Multiply,
            "$neg" => Kind::Negate,
            "$pos" => Kind::Extend,
            "$not" => Kind::Not,
            "$and" => Kind::And,
            "$or" => Kind::Or,
            "$xor" => Kind::Xor,
            "$xnor" => Kind::Xnor,
            "$reduce_and" => Kind::ReduceAnd,
            "$reduce_or" | "$reduce_bool" => Kind::ReduceOr,
            "$reduce_xor" => Kind::ReduceXor,
            "$reduce_xnor" => Kind::ReduceXnor,
            "$logic_not" => Kind::LogicNot,
            "$logic_and" => Kind::LogicAnd,
            "$logic_or" => Kind::LogicOr,
            "$eq" | "$eqx" => Kind::Equal,
            "$ne" | "$nex" => Kind::Different,
            "$lt" => Kind::Less,
            "$le" => Kind::LessEqual,
            "$gt" => Kind::Greater,
            "$ge" => Kind::GreaterEqual,
            "$shl" | "$sshl" => Kind::ShiftLeft,
            "$shr" => Kind::ShiftRight,
            "$sshr" => Kind::ShiftRightSigned,
            "$shiftx" => Kind::Index,
            "$mux" => Kind::Select,
            "$pmux" => Kind::Choose,
            "$dff" | "$dffe" | "$adff" | "$adffe" | "$sdff" | "$sdffe" | "$sdffce" => Kind::Register,
            _ => return None,
        })
    }

    /// Whether one operand may be signed and the other not: the second of a shift is an amount, the truth of a word is the
    /// same however it is extended, and both words of a selection are as wide as the result.
    pub fn allows_mixed_signs(self) -> bool {
        let shift = matches!(self, Kind::ShiftLeft | Kind::ShiftRight | Kind::ShiftRightSigned | Kind::Index);
        shift || matches!(self, Kind::LogicAnd | Kind::LogicOr | Kind::Select)
    }
}

/// What a cell's operator makes of its operands, at the width of its result.
pub(super) fn compute(aig: &mut Aig, kind: Kind, operands: &Operands, width: usize) -> Bits {
    let Operands { a, b, select, signed } = operands;
    let word = |bits: &Bits| Word { bits: bits.clone(), signed: *signed };
    let (wide_a, wide_b) = (word(a).extended(width), word(b).extended(width));
    let common = a.len().max(b.len());
    let (same_a, same_b) = (word(a).extended(common), word(b).extended(common));
    match kind {
        Kind::Add => aig.add(&wide_a, &wide_b, Literal::FALSE),
        Kind::Subtract => aig.subtract(&wide_a, &wide_b),
        Kind::Multiply if *signed => aig.multiply(&wide_a, &wide_b, width),
        Kind::Multiply => aig.multiply(a, b, width),
        Kind::Negate => aig.negate(&wide_a),
        Kind::Extend => wide_a,
        Kind::Not => wide_a.iter().map(|&bit| !bit).collect(),
        Kind::And => zip(aig, &wide_a, &wide_b, Aig::and),
        Kind::Or => zip(aig, &wide_a, &wide_b, Aig::or),
        Kind::Xor => zip(aig, &wide_a, &wide_b, Aig::xor),
        Kind::Xnor => zip(aig, &wide_a, &wide_b, |aig, a, b| !aig.xor(a, b)),
        Kind::Select => aig.select_word(select[0], &wide_b, &wide_a),
        Kind::ShiftLeft => aig.shift_left(&wide_a, b),
        Kind::ShiftRight | Kind::ShiftRightSigned => {
            let arithmetic = kind == Kind::ShiftRightSigned && *signed;
            let value = word(a).extended(width.max(a.len()));
            let fill = if arithmetic { *value.last().unwrap_or(&Literal::FALSE) } else { Literal::FALSE };
            let mut shifted = aig.shift_right(&value, b, fill);
            shifted.truncate(width);
            shifted
        }
        Kind::Register | Kind::Index | Kind::Choose => {
            unreachable!("{kind:?}: its result is no function of its operands alone")
        }
        _ => {
            let truth = truth(aig, kind, operands, &same_a, &same_b);
            Word { bits: vec![truth], signed: false }.extended(width)
        }
    }
}

/// Bits of a word from a place on, and of each whether it lies within the word.
pub(super) fn indexed(aig: &mut Aig, word: &[Literal], place: &Word, width: usize) -> Vec<(Literal, Literal)> {
    // So many bits below the word make the least place that matters 0.
    let below = width.saturating_sub(1);
    let bits = place.bits.len().max(usize::BITS as usize - below.leading_zeros() as usize) + 2;
    let offset: Bits = (0..bits).map(|bit| Literal::constant(bit < 64 && below >> bit & 1 == 1)).collect();
    let from = aig.add(&place.extended(bits), &offset, Literal::FALSE);
    let (negative, from) = (from[bits - 1], &from[..bits - 1]);
    let shifted = |aig: &mut Aig, bits: Bits| {
        let padded = [vec![Literal::FALSE; below], bits, vec![Literal::FALSE; width]].concat();
        aig.shift_right(&padded, from, Literal::FALSE)
    };
    let values = shifted(aig, word.to_vec());
    let inside = shifted(aig, vec![Literal::TRUE; word.len()]);
    values.into_iter().zip(inside).take(width).map(|(value, inside)| (value, aig.and(inside, !negative))).collect()
}

/// A bit of the word that is chosen, and whether that is defined: at most one of the selects holds.
pub(super) fn chosen(aig: &mut Aig, other: Literal, choices: &[(Literal, Literal)]) -> (Literal, Literal) {
    let (mut value, mut any, mut several) = (other, Literal::FALSE, Literal::FALSE);
    for &(select, word) in choices {
        let again = aig.and(any, select);
        several = aig.or(several, again);
        any = aig.or(any, select);
        value = aig.select(select, word, value);
    }
    (value, !several)
}

/// Operands of a cell.
pub(super) struct Operands {
    pub a: Bits,
    pub b: Bits,
    pub select: Bits,
    pub signed: bool,
}

fn zip(aig: &mut Aig, a: &[Literal], b: &[Literal], gate: fn(&mut Aig, Literal, Literal) -> Literal) -> Bits {
    a.iter().zip(b).map(|(&a, &b)| gate(aig, a, b)).collect()
}

/// Operators with a truth value. `same_a` and `same_b` have one width.
fn truth(aig: &mut Aig, kind: Kind, operands: &Operands, same_a: &[Literal], same_b: &[Literal]) -> Literal {
    let Operands { a, b, signed, .. } = operands;
    let less = |aig: &mut Aig, a: &[Literal], b: &[Literal]| match signed {
        true => aig.less_signed(a, b),
        false => aig.less_unsigned(a, b),
    };
    match kind {
        Kind::ReduceAnd => aig.all(a),
        Kind::ReduceOr => aig.any(a),
        Kind::LogicNot => !aig.any(a),
        Kind::LogicAnd | Kind::LogicOr => {
            let (a, b) = (aig.any(a), aig.any(b));
            if kind == Kind::LogicAnd { aig.and(a, b) } else { aig.or(a, b) }
        }
        Kind::Equal => aig.equal(same_a, same_b),
        Kind::Different => !aig.equal(same_a, same_b),
        Kind::Less => less(aig, same_a, same_b),
        Kind::GreaterEqual => !less(aig, same_a, same_b),
        Kind::Greater => less(aig, same_b, same_a),
        Kind::LessEqual => !less(aig, same_b, same_a),
        Kind::ReduceXor | Kind::ReduceXnor => {
            let odd = a.iter().fold(Literal::FALSE, |odd, &bit| aig.xor(odd, bit));
            odd.invert_if(kind == Kind::ReduceXnor)
        }
        _ => unreachable!("{kind:?} gives a word"),
    }
}
