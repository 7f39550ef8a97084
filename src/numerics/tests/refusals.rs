//! Engines refuse what they cannot evaluate: matrices of another instruction, vectors of other sizes, units that no file describes.

use tensorsmith_numerics::compute::Inputs;
use tensorsmith_numerics::describe::catalogue;
use tensorsmith_numerics::describe::format::{Format, NonFinite};
use tensorsmith_numerics::describe::instruction::Instruction;
use tensorsmith_numerics::describe::unit::{Scheme, Unit};
use tensorsmith_numerics::engine::{
    Batch, Composed, Emulator, Engine, EngineError, Gemm, Matrices, MatrixError, Opened, Reference, Vector, Wide,
};
use tensorsmith_numerics::isa::Isa;
use tensorsmith_numerics::stimulus::Stimulus;

/// 1 in binary16.
const ONE: u64 = 0x3c00;

fn volta() -> Unit {
    catalogue::unit("volta-fp16-fp32").expect("a unit")
}

/// Every engine of a unit.
fn engines(unit: &Unit) -> Vec<Box<dyn Engine>> {
    let instruction = Instruction::alone(unit.clone());
    let Opened::Ready(wide) = Wide::open(unit) else { panic!("it runs everywhere") };
    let mut all: Vec<Box<dyn Engine>> = vec![
        Box::new(Emulator::new(unit)),
        Box::new(Emulator::uncounted(unit)),
        Box::new(Reference::new(unit)),
        wide,
        Composed::emulated(&instruction),
        Composed::emulated_wide(&instruction),
    ];
    for isa in Isa::supported() {
        all.push(Box::new(Wide::on(unit, isa)));
        all.push(Box::new(Wide::of_text(unit, isa)));
    }
    all
}

fn refused<T: std::fmt::Debug>(result: Result<T, EngineError>, expected: &str) {
    let error = result.expect_err(expected).to_string();
    assert!(error.contains(expected), "{error}; expected: {expected}");
}

/// Matrices of shaped numbers, whose K is one step of the instruction, or two where D can be an addend.
fn matrices(instruction: &Instruction) -> Matrices {
    let frame = instruction.frame();
    let steps = if instruction.c.holds(instruction.d()) { 2 } else { 1 };
    let (m, n, k) = (4, 5, steps * instruction.shape.k as usize);
    let scales = steps * frame.scale_count() as usize;
    let mut batch = Batch::of_interface(&frame);
    Stimulus::shaped(&frame, 7).fill(0, 512, &mut batch);
    let take = |all: &[u64], count: usize| all.iter().copied().cycle().take(count).collect();
    Matrices {
        m,
        n,
        k,
        a: take(&batch.a, m * k),
        b: take(&batch.b, k * n),
        c: take(&batch.c, m * n),
        scale_a: take(&batch.scale_a, m * scales),
        scale_b: take(&batch.scale_b, scales * n),
    }
}

/// D by the definition in big integers.
fn by_reference(instruction: &Instruction, matrices: &Matrices) -> Vec<u64> {
    let open = |unit: &Unit| Ok(Opened::Ready(Box::new(Reference::new(unit)) as Box<dyn Engine>));
    let Ok(Opened::Ready(mut engine)) = Composed::open(instruction, open) else { panic!("it runs everywhere") };
    matrices.multiply(instruction, engine.as_mut()).expect("matrices that fit")
}

#[test]
fn multiply_reference_shaped_catalogue() {
    let (mut elements, mut refused) = (0, 0);
    for instruction in catalogue::instructions() {
        let matrices = matrices(&instruction);
        let expected = by_reference(&instruction, &matrices);
        assert_eq!(instruction.multiply(&matrices).expect("matrices that fit"), expected, "{}", instruction.name);
        // An engine of the instruction's unit is right where the instruction is that unit, once, and refuses elsewhere.
        match matrices.multiply(&instruction, &mut Emulator::new(&instruction.unit)) {
            Ok(found) => assert_eq!(found, expected, "{}", instruction.name),
            Err(MatrixError::OtherUnit { engine: "emulator", .. }) => refused += 1,
            Err(error) => panic!("{}: {error}", instruction.name),
        }
        elements += expected.len();
    }
    println!("compared {elements} elements; the unit's emulator refused {refused} instructions");
    assert!(elements > 4000 && refused > 90, "{elements} {refused}");
}

#[test]
fn matrices_of_another_instruction() {
    let instruction = catalogue::instruction("volta-mma-m8n8k4-fp16-fp32").expect("an instruction");
    let own = matrices(&instruction);
    let other = catalogue::instruction("turing-mma-m16n8k8-fp16-fp32").expect("an instruction");
    // As many products, and another window.
    let mut wider = volta();
    wider.alignment_mut().fraction_bits += 1;
    let mut all = engines(&wider);
    all.extend([Composed::emulated(&other), Composed::emulated_wide(&other)]);
    for engine in &mut all {
        let error = own.multiply(&instruction, engine.as_mut()).expect_err("another unit");
        assert!(matches!(error, MatrixError::OtherUnit { .. }), "{error}");
    }
    // A unit under another name is no other unit.
    let renamed = Unit { name: "renamed".to_owned(), ..volta() };
    let expected = by_reference(&instruction, &own);
    for engine in &mut engines(&renamed) {
        assert_eq!(own.multiply(&instruction, engine.as_mut()).expect("the same unit"), expected, "{engine:?}");
    }
    let huge = Matrices { m: usize::MAX, ..own.clone() };
    assert!(matches!(instruction.multiply(&huge), Err(MatrixError::Size { matrix: "A", .. })));
    assert!(matches!(instruction.multiply(&Matrices::default()), Err(MatrixError::Dimension { .. })));
}

#[test]
fn vectors_of_other_sizes() {
    let unit = volta();
    let mut emulator = Emulator::new(&unit);
    let ones = [ONE; 8];
    assert_eq!(emulator.evaluate(Inputs::unscaled(&ones[..4], &ones[..4], 0)).expect("four products"), 0x4080_0000);
    for (a, b, expected) in [
        (3, 4, "a has 3 elements; allowed: 4, 4 a vector"),
        (3, 3, "a has 3 elements"),
        (8, 8, "a has 8 elements"),
        (4, 5, "b has 5 elements"),
    ] {
        refused(emulator.evaluate(Inputs::unscaled(&ones[..a], &ones[..b], 0)), expected);
        let vector = Vector { a: ones[..a].to_vec(), b: ones[..b].to_vec(), ..Vector::default() };
        refused(emulator.trace_of(&vector), expected);
        refused(emulator.stages_of(&vector), expected);
    }
    let scales = Inputs { scale_a: &[0], ..Inputs::unscaled(&ones[..4], &ones[..4], 0) };
    refused(emulator.evaluate(scales), "scale_a has 1 elements; allowed: 0, 0 a vector");
    let mx = catalogue::units().into_iter().find(|unit| unit.scale_count() > 0).expect("a unit with scales");
    let products = vec![1; mx.products as usize];
    refused(Emulator::new(&mx).evaluate(Inputs::unscaled(&products, &products, 0)), "scale_a has 0 elements");
}

#[test]
fn batches_of_other_sizes() {
    let unit = volta();
    let mut results = Vec::new();
    for (number, engine) in engines(&unit).iter_mut().enumerate() {
        for (products, scales) in [(3, 0), (8, 0), (4, 1)] {
            let mut batch = Batch::new(products, scales);
            batch.resize(20);
            let expected =
                format!("vectors of {products} products and {scales} scales; allowed: 4 products and 0 scales");
            refused(engine.run(&batch, &mut results), &expected);
        }
        let mut batch = Batch::of_unit(&unit);
        batch.resize(20);
        assert_eq!(engine.answers(&batch).expect("vectors of the unit"), vec![0; 20], "engine {number}");
        batch.b.pop();
        refused(engine.run(&batch, &mut results), "b has 79 elements; allowed: 80, 4 a vector");
    }
    // An instruction's vector has the products of all of its blocks.
    let instruction = catalogue::instruction("ampere-mma-m16n8k16-fp16-fp32").expect("an instruction");
    let mut batch = Batch::of_unit(&instruction.unit);
    batch.resize(1);
    refused(
        Composed::emulated(&instruction).run(&batch, &mut results),
        "vectors of 8 products and 0 scales; allowed: 16",
    );
}

/// Units that no file describes, and what their error names.
fn impossible() -> Vec<(Unit, &'static str)> {
    let with = |change: &dyn Fn(&mut Unit)| {
        let mut unit = volta();
        change(&mut unit);
        unit
    };
    let wide = Format { exponent_bits: u32::MAX, name: "wide".to_owned(), ..volta().formats.a };
    let unsigned =
        Format { signed: false, non_finite: NonFinite::None, name: "unsigned".to_owned(), ..volta().formats.a };
    let mut integer = catalogue::unit("integer-int8-int32-saturate").expect("a unit");
    integer.alignment = volta().alignment;
    vec![
        (with(&|unit| unit.products = 0), "field `products` is 0; allowed: 1 to 64"),
        (with(&|unit| unit.products = 65), "field `products` is 65"),
        (with(&|unit| unit.products = 100_000), "field `products` is 100000"),
        (with(&|unit| unit.alignment_mut().fraction_bits = 0), "field `alignment.fraction_bits` is 0"),
        (
            with(&|unit| unit.alignment_mut().fraction_bits = 4000),
            "field `alignment.fraction_bits` is 4000; allowed: 1 to 100",
        ),
        (with(&|unit| unit.alignment_mut().exponent_floor = Some(i32::MIN)), "field `alignment.exponent_floor`"),
        (with(&|unit| unit.carry_bits = Some(65)), "field `sum.carry_bits` is 65"),
        (with(&|unit| unit.formats.a = Format::absent()), "field `formats.a` is missing"),
        (
            with(&|unit| unit.formats.b = wide.clone()),
            "field `formats.b.exponent_bits` is 4294967295; allowed: 1 to 11",
        ),
        (with(&|unit| unit.formats.a = unsigned.clone()), "field `formats.a` is signed = false"),
        (with(&|unit| unit.conversion.nan = 0), "field `conversion.nan` is 0x0"),
        (with(&|unit| (unit.flush.result, unit.flush.tiny_result) = (true, true)), "field `subnormals.result`"),
        (with(&|unit| unit.scheme = Scheme::Exact), "field `alignment`"),
        (with(&|unit| unit.scheme = Scheme::BlockScaled), "field `scales` is missing"),
        (with(&|unit| unit.scheme = Scheme::Integer), "field `conversion.overflow`"),
        (integer, "field `alignment`"),
        (with(&|unit| unit.alignment = None), "field `alignment` is None; allowed: a table for \"fused\""),
        (Unit::plain(Scheme::Fused), "field `products` is 0"),
        (Unit::plain(Scheme::BlockScaled), "field `products` is 0"),
    ]
}

#[test]
fn units_that_no_file_describes() {
    for (unit, expected) in impossible() {
        let error = unit.validate().expect_err(expected).to_string();
        assert!(error.starts_with(&format!("unit {}: ", unit.name)) && error.contains(expected), "{error}");
        assert!(!unit.is_valid());
        refused(Emulator::new(&unit).evaluate(Inputs::unscaled(&[ONE; 4], &[ONE; 4], 0)), expected);
        refused(Emulator::new(&unit).trace_of(&Vector::default()), expected);
        for engine in &mut engines(&unit) {
            refused(engine.answers(&Batch::new(4, 0)), expected);
        }
        let instruction = Instruction { unit: unit.clone(), ..Instruction::alone(volta()) };
        let matrices = Matrices { m: 1, n: 1, k: 4, a: vec![0; 4], b: vec![0; 4], c: vec![0], ..Matrices::default() };
        assert!(Gemm::of(&instruction).is_err_and(|error| error.contains(expected)));
        for engine in &mut engines(&volta()) {
            assert!(matrices.multiply(&instruction, engine.as_mut()).is_err(), "{expected}");
        }
    }
    let mut instruction = Instruction::alone(volta());
    instruction.shape.k = 0;
    refused(Composed::emulated(&instruction).answers(&Batch::new(4, 0)), "field `shape.k` is 0; allowed: 1 to 1024");
    instruction.shape.k = 4;
    instruction.a = catalogue::unit("fma-fp64").expect("a unit").formats.a;
    refused(Composed::emulated_wide(&instruction).answers(&Batch::new(4, 0)), "field `operands.a`");
}

/// The word of a field can depend on those before it, which the check has to know as a reader does.
#[test]
fn flushed_inputs_of_chains() {
    let mut unit = catalogue::unit("fma-fp32").expect("a unit");
    for bits in 0..8 {
        let [operands, addend, plus] = [1, 2, 4].map(|bit| bits & bit != 0);
        (unit.flush.operands, unit.flush.addend, unit.flush.to_plus_zero) = (operands, addend, plus);
        unit.validate().expect("operands and addends are flushed in one way");
        let read = Unit::from_toml("chain.toml", &unit.to_toml()).expect("what is valid is accepted");
        assert!((operands || addend) <= (read.flush == unit.flush), "{:?}", unit.flush);
    }
}

/// What the checks accept is all that is right: no unit or instruction of the catalogue is refused.
#[test]
fn catalogue_is_valid() {
    let (units, instructions) = (catalogue::units(), catalogue::instructions());
    for unit in &units {
        unit.validate().expect("a unit of the catalogue");
        for engine in &mut engines(unit) {
            let mut batch = Batch::of_unit(unit);
            batch.resize(1);
            engine.answers(&batch).expect("vectors of the unit");
        }
    }
    instructions.iter().for_each(|instruction| instruction.validate().expect("an instruction of the catalogue"));
    assert!(units.len() > 50 && instructions.len() > 200);
}

/// Engines go from thread to thread: without that this does not compile.
const fn is_send<T: Send>() {}
const _: () = {
    is_send::<Emulator>();
    is_send::<Reference>();
    is_send::<Wide>();
    is_send::<Composed>();
    is_send::<Gemm>();
    is_send::<Box<dyn Engine>>();
};

#[test]
fn engines_answer_in_another_thread() {
    let mut batch = Batch::of_unit(&volta());
    batch.push(&Vector { a: vec![ONE; 4], b: vec![ONE; 4], ..Vector::default() });
    for mut engine in engines(&volta()) {
        let name = format!("{engine:?}");
        let batch = batch.clone();
        let answer = std::thread::spawn(move || engine.answers(&batch)).join().expect("no panic");
        assert_eq!(answer.expect("a vector of the unit"), [0x4080_0000], "{name}");
    }
}
