//! Products of whole matrices, one or many.

use std::sync::Arc;

use pyo3::prelude::*;
use rayon::prelude::*;

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::gemm::{Elements, Matrix, Multiplied, Operands};
use tensorsmith::engine::{Kind, without_products};

use crate::failure::Failure;
use crate::job::{self, Place, Stop};
use crate::memory::{Words, elements};
use crate::subject::{Subject, kinds};

/// Stacks of matrices, each row by row, one after the other.
struct Stacks {
    a: Elements,
    b: Elements,
    c: Option<Elements>,
    scales: Option<[Elements; 2]>,
    sizes: [usize; 3],
    /// Scales in a row of A, and in a column of B.
    blocks: usize,
}

/// Which matrix of each stack takes part in a product: of a, b, c and the scales of a and b.
type Places = [usize; 5];

/// D of every product, one after the other: A m x k, B k x n, C m x n or zeros; `sizes` are m, n, k. K is summed in at most `split_k`
/// parts.
#[pyfunction]
#[pyo3(signature = (subject, a, b, c, scales, sizes, places, split_k, engine, threads))]
#[expect(clippy::too_many_arguments, reason = "the operands of a product, and where it is computed")]
pub fn multiply(
    py: Python<'_>,
    subject: &Bound<'_, Subject>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    c: Option<&Bound<'_, PyAny>>,
    scales: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    sizes: [usize; 3],
    places: Vec<Places>,
    split_k: usize,
    engine: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Words> {
    let instruction = subject.get().instruction()?;
    let [_, _, k] = sizes;
    let interface = instruction.interface();
    let stacks = Stacks {
        a: elements("a", a)?,
        b: elements("b", b)?,
        c: c.map(|c| elements("c", c)).transpose()?,
        scales: match scales {
            None => None,
            Some((a, b)) => Some([elements("scale_a", &a)?, elements("scale_b", &b)?]),
        },
        sizes,
        blocks: k / instruction.shape.k as usize * interface.scale_count() as usize,
    };
    let kinds = kinds(engine)?;
    check_room(sizes, places.len())?;
    if k == 0 {
        return Ok(stacks.without_products(&instruction, &places)?);
    }
    job::run(py, Place::Shared(threads), &mut job::unasked, move |caller| {
        let stop = caller.stop();
        let stacks = Arc::new(stacks);
        let product =
            |places: &Places| multiplied(&stacks.operands(&instruction, *places)?, &instruction, split_k, &kinds, stop);
        let d = match &places[..] {
            [only] => product(only)?,
            all => Elements::joined(all.par_iter().map(product).collect::<Result<Vec<_>, Failure>>()?),
        };
        Ok(Words::new(d))
    })
}

/// Refuses results that memory does not hold, at most 8 bytes an element.
fn check_room([m, n, _]: [usize; 3], count: usize) -> Result<(), Failure> {
    let mut room: Vec<u64> = Vec::new();
    let all = m.checked_mul(n).and_then(|one| one.checked_mul(count));
    match all.is_some_and(|all| room.try_reserve_exact(all).is_ok()) {
        true => Ok(()),
        false => {
            let text = format!("the result would have {count} x {m} x {n} elements; allowed: what fits into memory");
            Err(Failure::Length(text))
        }
    }
}

impl Stacks {
    /// D of every product where K is 0.
    fn without_products(&self, instruction: &Instruction, places: &[Places]) -> Result<Words, Failure> {
        let all = places.iter().map(|&places| {
            let operands = self.operands(instruction, places)?;
            let c: Vec<u64> = (0..operands.c.elements.len()).map(|place| operands.c.elements.get(place)).collect();
            Ok(Elements::of(instruction.d().width(), &without_products(instruction, &c)))
        });
        Ok(Words::new(Elements::joined(all.collect::<Result<_, Failure>>()?)))
    }

    fn operands(&self, instruction: &Instruction, [a, b, c, scale_a, scale_b]: Places) -> Result<Operands, Failure> {
        let [m, n, k] = self.sizes;
        let matrix = |name: &str, stack: &Elements, place: usize, rows: usize, columns: usize| {
            let count = rows.checked_mul(columns);
            let end = count.and_then(|count| count.checked_mul(place + 1)).filter(|&end| end <= stack.len());
            let (Some(count), Some(_)) = (count, end) else {
                let found = stack.len();
                let allowed = format!("matrices of {rows} x {columns}, {} at least", place + 1);
                return Err(Failure::Length(format!("{name} has {found} elements; allowed: {allowed}")));
            };
            Ok(Matrix { rows, columns, elements: stack.part(place * count, count) })
        };
        let c = match &self.c {
            Some(stack) => matrix("c", stack, c, m, n)?,
            None => Matrix { rows: m, columns: n, elements: Elements::zeros(instruction.c.width(), m * n) },
        };
        let scales = match &self.scales {
            Some([of_a, of_b]) => Some([
                matrix("scale_a", of_a, scale_a, m, self.blocks)?,
                matrix("scale_b", of_b, scale_b, self.blocks, n)?,
            ]),
            None => None,
        };
        Ok(Operands { a: matrix("a", &self.a, a, m, k)?, b: matrix("b", &self.b, b, k, n)?, c, scales })
    }
}

/// D by the first of the engines that is there.
fn multiplied(
    operands: &Operands,
    instruction: &Instruction,
    split_k: usize,
    kinds: &[Kind],
    stop: &Stop,
) -> Result<Elements, Failure> {
    let parts = operands.split(instruction, split_k)?;
    let mut reasons = Vec::new();
    for &kind in kinds {
        stop.check();
        let multiplied = match &parts {
            Some(parts) => parts.multiply(instruction, kind, &|_| stop.check())?,
            None => operands.multiply(instruction, kind, &|_| stop.check())?,
        };
        match multiplied {
            Multiplied::Done(answer) => return Ok(answer.d.elements),
            Multiplied::Absent(reason) => reasons.push(format!("engine {} does not answer: {reason}", kind.name())),
        }
    }
    Err(Failure::Absent(reasons.join("; ")))
}
