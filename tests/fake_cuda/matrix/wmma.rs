//! `wmma`: fragments whose layout PTX leaves open. The fake's own is deliberately odd, and differs with matrix and
//! memory layout, so that a program which relies on any of it goes wrong.

use std::sync::Arc;

use tensorsmith::describe::instruction::Instruction;

use super::arithmetic::Operands;
use super::{Element, Fragment, Shape};
use crate::driver::codes;
use crate::ptx::program::{Address, Source};
use crate::run::{Cta, KernelError, LANES, Outcome};

/// Whose fragment it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    A,
    B,
    /// C or D.
    C,
}

/// A load or store of a fragment, from or to global memory.
#[derive(Debug, Clone)]
pub struct WmmaMemory {
    pub role: Role,
    pub rows: usize,
    pub columns: usize,
    pub row_major: bool,
    pub fragment: Fragment,
    pub address: Address,
    /// Elements from one row (or column) to the next; none if they follow each other.
    pub stride: Option<Source>,
}

/// D = A B + C of fragments.
#[derive(Debug, Clone)]
pub struct WmmaMultiply {
    pub shape: Shape,
    pub a: Fragment,
    pub a_row_major: bool,
    pub b: Fragment,
    pub b_row_major: bool,
    pub c: Fragment,
    pub d: Fragment,
    pub instruction: Arc<Instruction>,
}

/// Registers of a fragment (PTX ISA, "Matrix Fragments for WMMA"); f16 multiplicands have each element twice.
pub fn registers(role: Role, element: Element) -> Option<usize> {
    match (role, element) {
        (Role::A | Role::B, Element::F16) => Some(8),
        (Role::A | Role::B, Element::Bf16 | Element::Tf32) => Some(4),
        (Role::C, Element::F16) => Some(4),
        (Role::C, Element::F32) => Some(8),
        _ => None,
    }
}

/// Which element of the matrix, counted row by row, a slot holds: the factors are odd and the sizes powers of two, so that
/// all elements have a place.
fn element_of(role: Role, row_major: bool, slot: usize, elements: usize) -> usize {
    let (factor, shift) = match (role, row_major) {
        (Role::A, true) => (37, 11),
        (Role::A, false) => (53, 3),
        (Role::B, true) => (29, 17),
        (Role::B, false) => (43, 5),
        (Role::C, _) => (61, 7),
    };
    // Slots of C and D stand alike whatever memory they come from: wmma.mma does not know.
    (slot * factor + shift) % elements
}

/// Slot `i` of a lane.
fn slot(lane: usize, i: usize) -> usize {
    i * LANES + (lane * 5 + 2 * i) % LANES
}

impl WmmaMemory {
    /// Address of an element, and that the instruction may use it: 32 bytes for the matrix, 16 for the stride.
    fn addresses(&self, cta: &Cta, first: usize) -> Outcome<(u64, u64)> {
        let size = u64::from(self.fragment.element.container()) / 8;
        let base = cta.uniform(self.address.base, first)?.wrapping_add_signed(self.address.offset);
        let tight = if self.row_major { self.columns } else { self.rows } as u64;
        let stride = self.stride.map_or(Ok(tight), |stride| cta.uniform(stride, first))?;
        if !base.is_multiple_of(32) || !(stride * size).is_multiple_of(16) || stride < tight {
            let message =
                format!("wmma at {base:#x} with a stride of {stride}: the matrix needs 32 bytes, the stride 16");
            return Err(KernelError::new(codes::ILLEGAL_ADDRESS, message));
        }
        Ok((base, stride))
    }

    fn address_of(&self, (base, stride): (u64, u64), element: usize) -> u64 {
        let (row, column) = ((element / self.columns) as u64, (element % self.columns) as u64);
        let place = if self.row_major { row * stride + column } else { column * stride + row };
        base + place * u64::from(self.fragment.element.container()) / 8
    }

    /// Every warp loads.
    pub fn load(&self, cta: &mut Cta) -> Outcome<()> {
        let bytes = self.fragment.element.container() as usize / 8;
        for first in (0..cta.warps()? * LANES).step_by(LANES) {
            let place = self.addresses(cta, first)?;
            for lane in 0..LANES {
                let mut held = vec![0; self.fragment.len()];
                for (i, element) in held.iter_mut().enumerate() {
                    let number = element_of(self.role, self.row_major, slot(lane, i), self.rows * self.columns);
                    *element = cta.load_global(self.address_of(place, number), bytes)?;
                }
                self.fragment.set(cta, first + lane, &held);
            }
        }
        Ok(())
    }

    /// Every warp stores.
    pub fn store(&self, cta: &mut Cta) -> Outcome<()> {
        let bytes = self.fragment.element.container() as usize / 8;
        for first in (0..cta.warps()? * LANES).step_by(LANES) {
            let place = self.addresses(cta, first)?;
            for lane in 0..LANES {
                for i in 0..self.fragment.len() {
                    let number = element_of(self.role, self.row_major, slot(lane, i), self.rows * self.columns);
                    let value = self.fragment.get(cta, first + lane, i);
                    cta.store_global(self.address_of(place, number), bytes, value)?;
                }
            }
        }
        Ok(())
    }
}

impl WmmaMultiply {
    /// Every warp multiplies.
    pub fn run(&self, cta: &mut Cta) -> Outcome<()> {
        let Shape { m, n, k } = self.shape;
        for first in (0..cta.warps()? * LANES).step_by(LANES) {
            let mut operands = Operands::new(self.shape);
            for lane in 0..LANES {
                let thread = first + lane;
                for i in 0..self.a.len() {
                    let number = element_of(Role::A, self.a_row_major, slot(lane, i), m * k);
                    *operands.a_mut(number / k, number % k) = self.a.get(cta, thread, i);
                }
                for i in 0..self.b.len() {
                    let number = element_of(Role::B, self.b_row_major, slot(lane, i), k * n);
                    *operands.b_mut(number / n, number % n) = self.b.get(cta, thread, i);
                }
                for i in 0..self.c.len() {
                    let number = element_of(Role::C, true, slot(lane, i), m * n);
                    *operands.c_mut(number / n, number % n) = self.c.get(cta, thread, i);
                }
            }
            let d = operands.multiply(&self.instruction, cta.fault())?;
            let held =
                |lane: usize| (0..self.d.len()).map(|i| d[element_of(Role::C, true, slot(lane, i), m * n)]).collect();
            let results: Vec<Vec<u64>> = (0..LANES).map(held).collect();
            cta.deliver(&self.d, first, results);
        }
        Ok(())
    }
}
