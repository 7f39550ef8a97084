//! Whole matrices.
#![allow(unsafe_code, reason = "a C function is exported, and takes the caller's pointers")]

use tensorsmith_numerics::engine::{Matrices, MatrixError, without_products};

use crate::engines::{self, Way};
use crate::memory::{Arrays, Operands, room, shared};
use crate::status::{Failure, Status, entry};
use crate::unit::Unit;

impl From<MatrixError> for Failure {
    fn from(error: MatrixError) -> Failure {
        let status = match error {
            MatrixError::Size { .. } => Status::Length,
            MatrixError::Dimension { .. } | MatrixError::Element { .. } | MatrixError::OtherUnit { .. } => {
                Status::Value
            }
            MatrixError::Engine(_) => Status::Internal,
        };
        Failure::new(status, error.to_string())
    }
}

/// D = A B + C.
fn multiply(unit: &Unit, [m, n, k]: [usize; 3], arrays: &Arrays, d: &mut [u64]) -> Result<(), Failure> {
    if m.checked_mul(n) != Some(d.len()) {
        let text = format!("d_length is {}; allowed: m x n = {m} x {n}", d.len());
        return Err(Failure::new(Status::Length, text));
    }
    let c = if arrays.c.is_empty() { vec![0; d.len()] } else { arrays.c.to_vec() };
    let sizes = [("A", arrays.a.len(), m, k), ("B", arrays.b.len(), k, n), ("C", c.len(), m, n)];
    if [m, n, k].contains(&0) && sizes.iter().all(|(_, length, rows, columns)| *length == rows * columns) {
        d.copy_from_slice(&without_products(&unit.instruction, &c));
        return Ok(());
    }
    let matrices = Matrices {
        m,
        n,
        k,
        a: arrays.a.to_vec(),
        b: arrays.b.to_vec(),
        c,
        scale_a: arrays.scale_a.to_vec(),
        scale_b: arrays.scale_b.to_vec(),
    };
    let multiplied =
        engines::with(unit, Way::Wide, |workplace| matrices.multiply(&unit.instruction, workplace.engine.as_mut()));
    d.copy_from_slice(&multiplied?);
    Ok(())
}

/// D = A B + C of whole matrices, row by row: A m x k, B k x n, C and D m x n, scales of A m x blocks and of B blocks x n. m and n are
/// any, k a multiple of the shape's products; each part of k adds to the result of the one before, as `tensorsmith gemm` does. Where m or
/// n is 0, D is empty; where k is 0, D is C, rounded to nearest where its format is narrower. D holds results alone. The calling
/// thread does all the work; rows of D can be given to several threads.
///
/// # Safety
/// `unit` is open; every pointer points to as many elements as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_multiply(
    unit: *const Unit,
    m: usize,
    n: usize,
    k: usize,
    matrices: *const Operands,
    d: *mut u64,
    d_length: usize,
) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        let (unit, arrays) = unsafe { (shared("unit", unit)?, shared("matrices", matrices)?.arrays()?) };
        // SAFETY: the caller's promise.
        multiply(unit, [m, n, k], &arrays, unsafe { room("d", d, d_length)? })
    })
}
