//! What stands for the registers of AVX-512 on other processors: nothing of it can be made.

use super::super::Batch;
use super::Numbers;
use crate::describe::plan::Plan;

/// No value of this type exists.
pub enum Kernel {}

/// No value of this type exists.
pub enum Text {}

impl Kernel {
    /// There is none.
    pub fn new(_numbers: &Numbers) -> Option<Kernel> {
        None
    }

    pub fn run(&self, _a: &[u64], _b: &[u64], _c: &[u64], _results: &mut [u64]) {
        match *self {}
    }
}

impl Text {
    /// There is none.
    ///
    /// # Errors
    /// Always.
    pub fn new(_plan: &Plan) -> Result<Text, String> {
        Err("this is no x86-64 processor".to_owned())
    }

    pub fn run(&mut self, _batch: &Batch, _results: &mut [u64]) {
        match *self {}
    }
}
