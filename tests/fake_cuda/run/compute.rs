//! Integer arithmetic of one thread, as PTX ISA defines each instruction. No memory here.

use super::{Cta, KernelError, Outcome};
use crate::driver::codes;
use crate::ptx::program::{Comparison, Computation, Operation};
use crate::ptx::types::{Meaning, Type};

/// Generic addresses of shared memory start here.
const SHARED_WINDOW: u64 = 0x7000_0000_0000;
const WINDOW_BYTES: u64 = 1 << 24;

/// Executes a computation in one thread.
pub fn execute(cta: &mut Cta, operation: &Operation, thread: usize) -> Outcome<()> {
    match operation {
        Operation::Compute { computation, kind, d, sources } => {
            let value = |place: usize| sources.get(place).map_or(0, |source| cta.value(*source, thread));
            let result = evaluate(*computation, *kind, [value(0), value(1), value(2)])?;
            cta.set(*d, thread, result);
        }
        Operation::Pack { d, parts, width } => {
            let values = parts.iter().map(|part| cta.value(*part, thread));
            let packed = values.zip(0..).fold(0, |packed, (value, place)| packed | value << (place * width));
            cta.set(*d, thread, packed);
        }
        Operation::Unpack { d, a, width } => {
            let packed = cta.register(*a, thread);
            d.iter().zip(0..).for_each(|(d, place)| cta.set(*d, thread, packed >> (place * width)));
        }
        _ => {}
    }
    Ok(())
}

/// The value as a number: sign-extended if the type is signed.
fn extend(value: u64, kind: Type) -> i128 {
    let value = value & kind.mask();
    match kind.meaning == Meaning::Signed && value >> (kind.width - 1) == 1 {
        true => i128::from(value) - (1_i128 << kind.width),
        false => i128::from(value),
    }
}

/// The result, before it is cut to the register.
fn evaluate(computation: Computation, kind: Type, [a, b, c]: [u64; 3]) -> Outcome<u64> {
    let (x, y) = (extend(a, kind), extend(b, kind));
    let wide = Type { width: 2 * kind.width.min(32), ..kind };
    // Shift amounts are unsigned and clamped to the width.
    let amount = (b & 0xffff_ffff).min(u64::from(kind.width)) as u32;
    let result = match computation {
        Computation::Move => return Ok(a),
        Computation::Convert(from) => extend(a, from),
        Computation::Add => x + y,
        Computation::Sub => x - y,
        Computation::MulLo | Computation::MulWide => return Ok(x.wrapping_mul(y) as u64),
        Computation::MadLo => return Ok((x.wrapping_mul(y) as u64).wrapping_add(c)),
        Computation::MadWide => (x * y).wrapping_add(extend(c, wide)),
        Computation::Shl => return Ok(a.checked_shl(amount).unwrap_or(0)),
        Computation::Shr => x >> amount,
        Computation::And => return Ok(a & b),
        Computation::Or => return Ok(a | b),
        Computation::Xor => return Ok(a ^ b),
        Computation::Not => return Ok(!a),
        Computation::Min => x.min(y),
        Computation::Max => x.max(y),
        Computation::Rem | Computation::Div if y == 0 => -1,
        Computation::Rem => x % y,
        Computation::Div => x / y,
        Computation::Set(comparison) => i128::from(compare(comparison, x, y)),
        Computation::Select => return Ok(if c != 0 { a } else { b }),
        Computation::ToShared => {
            let offset = a.wrapping_sub(SHARED_WINDOW);
            if offset >= WINDOW_BYTES {
                let message = format!("cvta.to.shared of {a:#x}, which is no generic address of shared memory");
                return Err(KernelError::new(codes::ILLEGAL_ADDRESS, message));
            }
            return Ok(offset);
        }
        Computation::FromShared => return Ok(a.wrapping_add(SHARED_WINDOW)),
    };
    Ok(result as u64)
}

fn compare(comparison: Comparison, x: i128, y: i128) -> bool {
    match comparison {
        Comparison::Eq => x == y,
        Comparison::Ne => x != y,
        Comparison::Lt => x < y,
        Comparison::Le => x <= y,
        Comparison::Gt => x > y,
        Comparison::Ge => x >= y,
    }
}
