//! Kernels written by hand know shapes of sums: a file that lists the steps of a scheme gets the kernel of the scheme.

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::arithmetic::{Arithmetic, Negate, Shape};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::{Permutation, Scheme, StepList, Unit};
use tensorsmith::engine::gemm::{Chain, Elements, Matrix};
use tensorsmith::engine::processor::Operation;
use tensorsmith::engine::{Batch, Emulator, Engine, Gemm, Wide};
use tensorsmith::isa::Isa;

use super::listed;

/// Operands of one row of A and one column of B, and c.
struct Row {
    a: Matrix,
    b: Matrix,
    c: Matrix,
}

impl Row {
    fn new(instruction: &Instruction, batch: &Batch, vector: usize) -> Row {
        let inputs = batch.inputs(vector);
        let k = inputs.a.len();
        Row {
            a: Matrix::of(&instruction.a, 1, k, inputs.a),
            b: Matrix::of(&instruction.b, k, 1, inputs.b),
            c: Matrix::of(&instruction.c, 1, 1, &[inputs.c]),
        }
    }

    /// D by the kernel of matrices, or by the processor's own operations; `None` where neither computes the instruction.
    fn multiply(&self, instruction: &Instruction) -> Option<(&'static str, Elements)> {
        let (a, b, c) = (&self.a, &self.b, &self.c);
        match (Gemm::of(instruction), Chain::of(instruction)) {
            (Ok(gemm), _) => Some(("kernel", gemm.multiply(a, b, c, &|_| {}).elements)),
            (_, Ok(chain)) => Some(("chain", chain.multiply(a, b, c, &|_| {}).elements)),
            _ => None,
        }
    }
}

#[test]
fn lists_take_the_kernels_of_their_short_forms() {
    let units = [
        ("hopper-fp16-fp32", Some("kernel")),
        ("volta-fp16-fp32", Some("kernel")),
        ("hopper-tf32-fp32", Some("kernel")),
        ("fma-fp32", Some("chain")),
        ("fma-fp64", Some("chain")),
        ("arm-bf16-fp32", None),
        ("cdna3-fp16-fp32", None),
    ];
    for (name, expected) in units {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let list = listed(&unit);
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, 4).fill(0, 2_003, &mut batch);
        let results = Emulator::new(&unit).answers(&batch).expect("it evaluates");

        let [by_unit, by_list] = [&unit, &list].map(|unit| {
            let mut wide = Wide::on(unit, Isa::best());
            let results = wide.answers(&batch).expect("it evaluates");
            (wide.details(), results)
        });
        assert_eq!(by_unit, by_list, "{name}");
        assert_eq!(by_list.1, results, "{name}");

        let [unit, list] = [unit, list].map(Instruction::alone);
        for (vector, &result) in results.iter().enumerate().step_by(101) {
            let row = Row::new(&unit, &batch, vector);
            let (of_unit, of_list) = (row.multiply(&unit), row.multiply(&list));
            assert_eq!(of_list.as_ref().map(|(path, _)| *path), expected, "{name}");
            assert_eq!(of_unit.map(|(_, d)| d.get(0)), of_list.as_ref().map(|(_, d)| d.get(0)), "{name}");
            assert!(of_list.is_none_or(|(_, d)| d.get(0) == result), "{name}: vector {vector}");
        }
    }
}

#[test]
fn lists_are_instructions_of_the_processor() {
    let units: Vec<Unit> = catalogue::units().into_iter().filter(|unit| unit.scheme != Scheme::Integer).collect();
    let known = units.iter().filter(|unit| Operation::of(unit).is_some()).count();
    assert!(known >= 4, "{known} units are instructions of the processor");
    for unit in units {
        assert_eq!(Operation::of(&listed(&unit)), Operation::of(&unit), "{}", unit.name);
    }
}

/// What is nearly a shape is none, and a list that is nearly that of a kernel has none.
#[test]
fn other_steps_have_other_shapes() {
    let list = |name: &str| listed(&catalogue::unit(name).expect("a unit of the catalogue"));
    let shape = |name: &str, change: fn(&mut Arithmetic)| {
        let mut arithmetic = list(name).arithmetic();
        change(&mut arithmetic);
        arithmetic.shape()
    };
    let same = |_: &mut Arithmetic| {};
    assert_eq!(shape("fma-fp32", same), Some(Shape::FmaChain { descending: false }));
    assert_eq!(shape("avx512-bf16-fp32", same), Some(Shape::FmaChain { descending: true }));
    assert_eq!(shape("amx-bf16-fp32", same), Some(Shape::EvenOddChain));
    assert_eq!(shape("cdna1-bf16-fp32", same), Some(Shape::Exact));
    assert_eq!(shape("cdna2-fp16-fp32", same), None);
    assert_eq!(shape("avx512-bf16-fp32", |it| it.permutation = vec![0, 0]), None);
    assert_eq!(shape("amx-bf16-fp32", |it| it.steps[0].lanes = 4), None);
    assert_eq!(shape("fma-fp32", |it| it.steps[0].negate = Some(Negate::C)), None);
    assert_eq!(shape("fma-fp32", |it| it.a.widened = Some(it.d.clone())), None);

    let kernel = |change: fn(&mut Unit)| {
        let mut unit = list("hopper-fp16-fp32");
        change(&mut unit);
        Wide::on(&unit, Isa::best()).without_kernel().is_none()
    };
    assert!(kernel(|_| {}));
    fn change(unit: &mut Unit) -> &mut StepList {
        unit.list.as_mut().expect("a list")
    }
    assert!(!kernel(|unit| change(unit).steps[0].window.as_mut().expect("a window").rounding = Rounding::NearestEven));
    assert!(!kernel(|unit| change(unit).permutation = Permutation::Descending));
    assert!(!kernel(|unit| change(unit).steps[0].shift = 1));
}
