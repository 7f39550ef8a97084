//! `mma.sync`: a warp multiplies matrices that lie in its registers.

use std::sync::Arc;

use tensorsmith::describe::instruction::Instruction;

use super::arithmetic::Operands;
use super::{Fragment, Shape, places};
use crate::driver::codes;
use crate::run::{Cta, KernelError, LANES, Outcome};

/// A read instruction.
#[derive(Debug, Clone)]
pub struct Mma {
    pub shape: Shape,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
    pub d: Fragment,
    pub instruction: Arc<Instruction>,
}

impl Mma {
    /// Elements of a matrix of so many in every lane, given the types of A and of the matrix.
    pub fn held(shape: Shape, a: super::Element, elements: usize) -> usize {
        places::matrices(shape, a) * elements / LANES
    }

    /// Whether the layouts of this shape and these elements are known.
    pub fn has_places(shape: Shape, a: super::Element, b: super::Element) -> bool {
        places::of_a(shape, a, 0, 0).is_some() && places::of_b(shape, b, 0, 0).is_some()
    }

    /// Every warp multiplies.
    pub fn run(&self, cta: &mut Cta) -> Outcome<()> {
        for warp in 0..cta.warps()? {
            self.run_warp(cta, warp * LANES)?;
        }
        Ok(())
    }

    fn run_warp(&self, cta: &mut Cta, first: usize) -> Outcome<()> {
        let unknown = || KernelError::new(codes::UNKNOWN, format!("no fragment layout for {:?}", self.shape));
        let element = self.a.element;
        let mut operands: Vec<Operands> =
            (0..places::matrices(self.shape, element)).map(|_| Operands::new(self.shape)).collect();
        for lane in 0..LANES {
            for i in 0..self.a.len() {
                let (matrix, row, k) = places::of_a(self.shape, element, lane, i).ok_or_else(unknown)?;
                *operands[matrix].a_mut(row, k) = self.a.get(cta, first + lane, i);
            }
            for i in 0..self.b.len() {
                let (matrix, k, column) = places::of_b(self.shape, self.b.element, lane, i).ok_or_else(unknown)?;
                *operands[matrix].b_mut(k, column) = self.b.get(cta, first + lane, i);
            }
            for i in 0..self.c.len() {
                let place = places::of_c(self.shape, element, self.c.element, lane, i);
                let (matrix, row, column) = place.ok_or_else(unknown)?;
                *operands[matrix].c_mut(row, column) = self.c.get(cta, first + lane, i);
            }
        }
        let multiply = |operands: Operands| operands.multiply(&self.instruction, cta.fault());
        let d = operands.into_iter().map(multiply).collect::<Outcome<Vec<_>>>()?;
        let mut results = vec![vec![0; self.d.len()]; LANES];
        for (lane, held) in results.iter_mut().enumerate() {
            for (i, element_d) in held.iter_mut().enumerate() {
                let place = places::of_c(self.shape, element, self.d.element, lane, i);
                let (matrix, row, column) = place.ok_or_else(unknown)?;
                *element_d = d[matrix][row * self.shape.n + column];
            }
        }
        cta.deliver(&self.d, first, results);
        Ok(())
    }
}
