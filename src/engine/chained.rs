//! A unit or an instruction answering longer sums than its own, as a program accumulates: its d is the c of the next
//! products, and what is missing to its k at the end are zeros.
//!
//! Architecture invariant: nothing here rounds: c reaches the subject without loss, and d its next c, or it is refused.

use thiserror::Error;

use super::conversion::Conversion;
use super::{Batch, Engine, EngineError, Identity, Trace, Vector};
use crate::describe::format::Format;
use crate::describe::interface::Interface;

/// Why a subject cannot answer such vectors.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChainError {
    #[error("{name} has no c that could hold its d; allowed: its own number of products, {products}")]
    Result { name: String, products: u32 },
    #[error("c of {name} is {own}, which does not hold every number of {given}")]
    Addend { name: String, own: String, given: String },
    #[error("{name} has scales; allowed: multiples of its own number of products, {products}")]
    Scales { name: String, products: u32 },
}

/// A subject that is run once for each of its own k products of a longer vector.
pub struct Chained {
    subject: Box<dyn Engine>,
    /// Products of the vectors.
    products: usize,
    /// From the c of the vectors to the subject's; none for vectors without one.
    c: Option<Conversion>,
    /// From the subject's d to its c; none where the vectors are not longer than the subject's own.
    chained: Option<Conversion>,
    zero_c: u64,
    zeros: [u64; 2],
    /// Bits of d, without flags.
    d_mask: u64,
    /// The subject's own vectors; kept for their room in memory.
    own: Batch,
}

impl Chained {
    /// A subject, whose own vectors are those of `interface`, for vectors of `products` products and addends of format `c`,
    /// which is [`Format::absent`] for vectors without an addend.
    ///
    /// # Errors
    /// The subject's formats would lose something.
    pub fn new(
        subject: Box<dyn Engine>,
        interface: &Interface,
        products: u32,
        c: &Format,
    ) -> Result<Chained, ChainError> {
        let (name, formats) = (interface.name.clone(), &interface.formats);
        let longer = products > interface.products;
        let chained = longer.then(|| Conversion::new(&formats.d, &formats.c)).flatten();
        if longer && (chained.is_none() || !interface.has_addend()) {
            return Err(ChainError::Result { name, products: interface.products });
        }
        if interface.scales.is_some() && !products.is_multiple_of(interface.products) {
            return Err(ChainError::Scales { name, products: interface.products });
        }
        let addend = if c.is_absent() { None } else { Some(Conversion::new(c, &formats.c)) };
        let Some(c) = addend.map_or(Some(None), |conversion| conversion.map(Some)) else {
            return Err(ChainError::Addend { name, own: formats.c.name.clone(), given: c.name.clone() });
        };
        Ok(Chained {
            subject,
            products: products as usize,
            c,
            chained,
            zero_c: formats.c.zero(false),
            zeros: [formats.a.zero(false), formats.b.zero(false)],
            d_mask: formats.d.mask(),
            own: Batch::of_interface(interface),
        })
    }

    /// What the subject answered after each run of one vector; the last one is the result.
    ///
    /// # Errors
    /// The subject failed.
    pub fn steps(&mut self, vector: &Vector) -> Result<Vec<u64>, EngineError> {
        let mut steps = Vec::new();
        self.each_step(&Batch::of(vector), &mut Vec::new(), &mut |_, results| steps.push(results[0]))?;
        Ok(steps)
    }

    /// The trace of each run of one vector; none where the subject has no traces.
    ///
    /// # Errors
    /// The subject failed.
    pub fn traces(&mut self, vector: &Vector) -> Result<Option<Vec<Trace>>, EngineError> {
        let mut runs = Vec::new();
        self.each_step(&Batch::of(vector), &mut Vec::new(), &mut |own, _| runs.push(own.vector(0)))?;
        runs.iter().map(|run| self.subject.trace(run)).collect()
    }

    /// Answers all runs of a batch; the subject's own vectors and what it answered are heard after each run.
    fn each_step(
        &mut self,
        batch: &Batch,
        results: &mut Vec<u64>,
        hears: &mut dyn FnMut(&Batch, &[u64]),
    ) -> Result<(), EngineError> {
        self.own.resize(batch.len());
        match &self.c {
            None => self.own.c.fill(self.zero_c),
            Some(widened) => self.own.c.iter_mut().zip(&batch.c).for_each(|(own, &c)| *own = widened.apply(c)),
        }
        let length = self.own.products() as usize;
        for first in (0..self.products).step_by(length) {
            if let (Some(chained), 1..) = (&self.chained, first) {
                self.own.c.iter_mut().zip(&*results).for_each(|(c, &d)| *c = chained.apply(d & self.d_mask));
            }
            self.gather(batch, first);
            self.subject.run(&self.own, results)?;
            hears(&self.own, results);
        }
        Ok(())
    }

    /// The products of one run, from `first` on, and their scales.
    fn gather(&mut self, batch: &Batch, first: usize) {
        let length = self.own.products() as usize;
        let count = length.min(self.products - first);
        let (own_scales, scales) = (self.own.scales() as usize, batch.scales() as usize);
        let first_scale = first / length * own_scales;
        for v in 0..batch.len() {
            let own = v * length..(v + 1) * length;
            let (own_a, own_b) = (&mut self.own.a[own.clone()], &mut self.own.b[own]);
            own_a[..count].copy_from_slice(&batch.a(v)[first..][..count]);
            own_b[..count].copy_from_slice(&batch.b(v)[first..][..count]);
            own_a[count..].fill(self.zeros[0]);
            own_b[count..].fill(self.zeros[1]);
            let (to, from) = (v * own_scales, v * scales + first_scale);
            self.own.scale_a[to..][..own_scales].copy_from_slice(&batch.scale_a[from..][..own_scales]);
            self.own.scale_b[to..][..own_scales].copy_from_slice(&batch.scale_b[from..][..own_scales]);
        }
    }
}

impl Engine for Chained {
    fn name(&self) -> &'static str {
        self.subject.name()
    }

    fn identity(&self) -> Identity {
        self.subject.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.each_step(batch, results, &mut |_, _| {})
    }

    /// The trace of a vector that is answered in one run.
    fn trace(&mut self, vector: &Vector) -> Result<Option<Trace>, EngineError> {
        if self.products > self.own.products() as usize {
            return Ok(None);
        }
        Ok(self.traces(vector)?.and_then(|mut traces| traces.pop()))
    }
}
