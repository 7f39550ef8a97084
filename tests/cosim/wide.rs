//! The wide emulator against the scalar one, bit for bit: every unit of the catalogue that it serves, on shaped and on random
//! vectors, through its kernel and through the datapath text; and kernels with one wrong number, which must be caught.

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::wide::{BLOCK, Kernel, Numbers};
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Opened, Wide};
use tensorsmith::isa::Isa;

use super::support;

/// Neither a multiple of a block nor of a register.
const VECTORS: u64 = 40_003;
const SEED: u64 = 12;

/// Whether this processor has the instructions; where it has not, the check is skipped.
fn supported() -> bool {
    if !Isa::Avx512.is_supported() {
        support::skip("wide", "the processor has no AVX-512");
    }
    Isa::Avx512.is_supported()
}

fn shaped(unit: &Unit, engines: Vec<Box<dyn Engine>>) -> Comparison {
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, SEED), count: support::vectors(VECTORS * 4) };
    compare(engines, &source, &mut |_| {}).expect("emulators do not fail")
}

/// Encodings of random bits: many infinities and NaN, and in formats with few bits every encoding.
fn random(unit: &Unit, count: usize) -> Batch {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut batch = Batch::of_unit(unit);
    batch.resize(count);
    let formats = &unit.formats;
    let scales = unit.scales.as_ref().map_or([0; 2], |scales| [scales.a.mask(), scales.b.mask()]);
    let masks = [formats.a.mask(), formats.b.mask(), formats.c.mask(), scales[0], scales[1]];
    let operands = [&mut batch.a, &mut batch.b, &mut batch.c, &mut batch.scale_a, &mut batch.scale_b];
    for (operands, mask) in operands.into_iter().zip(masks) {
        operands.iter_mut().for_each(|operand| *operand = random.next_u64() & mask);
    }
    batch
}

fn assert_equal_on(unit: &Unit, wide: &mut dyn Engine, batch: &Batch) {
    let (mut expected, mut answers) = (Vec::new(), Vec::new());
    Emulator::new(unit).run(batch, &mut expected).expect("emulators do not fail");
    wide.run(batch, &mut answers).expect("emulators do not fail");
    let differing = (0..batch.len()).find(|&v| expected[v] != answers[v]);
    if let Some(v) = differing {
        let (vector, expected, answer) = (batch.vector(v), expected[v], answers[v]);
        panic!("{}: {vector:x?} is {expected:#x}, and {answer:#x} by {:?}", unit.name, wide.details());
    }
}

#[test]
fn emulator_wide_shaped_and_random_catalogue() {
    if !supported() {
        return;
    }
    let (mut kernels, mut texts) = (Vec::new(), 0);
    for unit in catalogue::units() {
        let wide = match Kind::Wide.open(&unit).expect("the engine starts") {
            Opened::Ready(wide) => wide,
            Opened::Absent(reason) => panic!("{}: {reason}", unit.name),
        };
        let has_kernel = wide.details()["path"].starts_with("a kernel");
        let comparison = shaped(&unit, vec![Box::new(Emulator::new(&unit)), wide]);
        assert_eq!(comparison.mismatches, 0, "{}: {:?}", unit.name, comparison.first);
        let mut text = Wide::of_text(&unit).expect("as before");
        assert_equal_on(&unit, &mut text, &random(&unit, 2003));
        texts += 1;
        if has_kernel {
            let Opened::Ready(mut wide) = Wide::open(&unit) else { panic!("as before") };
            assert_equal_on(&unit, wide.as_mut(), &random(&unit, 20_003));
            let comparison = shaped(&unit, vec![Box::new(text), wide]);
            assert_eq!(comparison.mismatches, 0, "{}: {:?}", unit.name, comparison.first);
            kernels.push(unit.name);
        }
    }
    println!("{texts} units on eight lanes; kernels of {kernels:?}");
    for name in ["volta-fp16-fp32", "ampere-bf16-fp32", "ampere-tf32-fp32", "hopper-fp16-fp16", "ada-e4m3-e5m2-fp32"] {
        assert!(kernels.iter().any(|kernel| kernel == name), "{name} has no kernel");
    }
    assert!(texts >= 90 && kernels.len() >= 30, "{texts} units, {} kernels", kernels.len());
}

#[test]
fn wide_batches_of_every_length() {
    if !supported() {
        return;
    }
    for name in ["volta-fp16-fp32", "hopper-bf16-fp32", "cdna3-fp16-fp32"] {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let Opened::Ready(mut wide) = Wide::open(&unit) else { panic!("{name} is served") };
        for count in 0..3 * BLOCK {
            assert_equal_on(&unit, wide.as_mut(), &random(&unit, count));
        }
    }
}

/// Operands of every pair of formats, those of the kernel's columns and those that are nearly so: either the kernel answers as
/// the emulator does, or there is none. Results of so many fraction bits that large ones exceed 32 bits on the way, too.
#[test]
fn kernels_of_every_pair_of_formats_agree() {
    if !supported() {
        return;
    }
    const FORMATS: [&str; 14] = [
        r#""binary16""#,
        r#""bfloat16""#,
        r#""e5m2""#,
        r#""e4m3""#,
        r#""e5m2fnuz""#,
        r#""e4m3fnuz""#,
        r#""e3m2""#,
        r#""e2m1""#,
        r#"{ exponent_bits = 5, fraction_bits = 10, bias = 15, non_finite = "none" }"#,
        r#"{ exponent_bits = 5, fraction_bits = 10, bias = 15, non_finite = "all-ones-nan" }"#,
        r#"{ exponent_bits = 5, fraction_bits = 9, bias = 15, non_finite = "none" }"#,
        r#"{ exponent_bits = 4, fraction_bits = 10, bias = 7, non_finite = "none" }"#,
        r#""tf32""#,
        r#"{ exponent_bits = 8, fraction_bits = 10, bias = 127, non_finite = "all-ones-nan", padding_bits = 13 }"#,
    ];
    // Formats of c and d, and a floor, where it acts.
    const RESULTS: [(&str, &str, &str); 3] = [
        (r#""binary32""#, r#""binary32""#, "-130"),
        (r#""binary16""#, r#""binary16""#, "-40"),
        (r#""binary32""#, r#"{ exponent_bits = 7, fraction_bits = 24, bias = 63, non_finite = "ieee" }"#, "-64"),
    ];
    let (mut kernels, mut refused) = (0, BTreeSet::new());
    for (number, (a, b)) in FORMATS.iter().flat_map(|a| FORMATS.iter().map(move |b| (a, b))).enumerate() {
        let (c, d, floor) = RESULTS[number % RESULTS.len()];
        let (fraction_bits, rounding) = [(13, "toward-zero"), (24, "nearest-even")][number / 3 % 2];
        let text = |floor: &str| {
            format!(
                r#"
name = "pair"
scheme = "fused"
products = 4
formats = {{ a = {a}, b = {b}, c = {c}, d = {d} }}
alignment = {{ fraction_bits = {fraction_bits}, rounding = "toward-zero", exponent_floor = {floor}, normalise_products = false }}
conversion = {{ rounding = "{rounding}", overflow = "infinity", exact_zero = "positive" }}
subnormals = {{ operands = "kept", addend = "kept", result = "kept" }}
"#
            )
        };
        let read = |floor: &str| Unit::from_toml("pair.toml", &text(floor));
        let unit = read(floor).or_else(|_| read(r#""none""#)).unwrap_or_else(|error| panic!("{error}: {a} {b}"));
        match Wide::kernel(&unit) {
            Err(reason) => _ = refused.insert(reason),
            Ok(_) => {
                kernels += 1;
                let Opened::Ready(mut wide) = Wide::open(&unit) else { panic!("it has a kernel") };
                assert_equal_on(&unit, wide.as_mut(), &random(&unit, 2003));
                let comparison = shaped(&unit, vec![Box::new(Emulator::new(&unit)), wide]);
                assert_eq!(comparison.mismatches, 0, "{unit:?}: {:?}", comparison.first);
            }
        }
    }
    println!("{kernels} kernels; none where {refused:?}");
    assert!(kernels >= 30, "{kernels} kernels");
    for reason in
        ["place of minus zero", "fills its column", "not as in IEEE 754", "fill the column", "lies too far above"]
    {
        assert!(refused.iter().any(|refused| refused.contains(reason)), "{reason}: {refused:?}");
    }
}

/// One vector alone is answered as it is among others, so that a mismatch can be shown again.
#[test]
fn kernels_answer_a_vector_alone_as_among_others() {
    if !supported() {
        return;
    }
    let unit = catalogue::unit("ampere-fp16-fp32").expect("a unit of the catalogue");
    let Opened::Ready(mut wide) = Wide::open(&unit) else { panic!("it is served") };
    assert!(wide.details()["path"].starts_with("a kernel"));
    let batch = random(&unit, 100);
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    wide.run(&batch, &mut together).expect("emulators do not fail");
    for (v, answer) in together.iter().enumerate() {
        wide.run(&Batch::of(&batch.vector(v)), &mut alone).expect("emulators do not fail");
        assert_eq!(alone, [*answer], "vector {v}");
    }
}

/// A change of one number of a kernel.
type Change = fn(&mut Numbers);

const CHANGES: [(&str, Change); 16] = [
    ("products one place lower", |numbers| numbers.a_left -= 1),
    ("products one place higher", |numbers| numbers.b_left += 1),
    ("products cut a bit later", |numbers| numbers.guard_bits += 1),
    ("infinity a number", |numbers| numbers.infinity += 1),
    ("a floor that acts", |numbers| numbers.exponent_floor = (numbers.exponent_floor + 3).max(1)),
    ("the addend one place higher", |numbers| numbers.c.place_left += 1),
    ("the addend's exponent one less", |numbers| numbers.c.exponent_offset -= 1),
    ("subnormal addends lost", |numbers| numbers.c.flush_subnormals = true),
    ("NaN addends numbers", |numbers| numbers.c.special_from += 1),
    ("rounded otherwise", |numbers| numbers.d.nearest_even = !numbers.d.nearest_even),
    ("the least exponent one more", |numbers| numbers.d.exponent_min += 1),
    ("overflow to the largest number", |numbers| numbers.d.overflow -= 1),
    ("another infinity", |numbers| numbers.d.infinity -= 1),
    ("another NaN", |numbers| numbers.d.nan ^= 1),
    ("the sign elsewhere", |numbers| numbers.d.sign >>= 1),
    ("the top one place higher", |numbers| numbers.d.top_offset += 1),
];

/// Each change is seen on shaped and random vectors, of a unit where it can act.
#[test]
fn kernels_with_a_wrong_number_are_caught() {
    if !supported() {
        return;
    }
    for name in ["ampere-bf16-fp32", "hopper-fp16-fp16", "ampere-tf32-fp32", "hopper-e5m2-fp32"] {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let Plan::Fused(plan) = Plan::of(&unit) else { panic!("{name} is a fused unit") };
        let right = Numbers::of(&plan).expect("the unit has a kernel");
        let mut batch = random(&unit, 4096);
        let (stimulus, mut shaped) = (Stimulus::shaped(&unit, SEED), Batch::of_unit(&unit));
        // A floor shows where all terms are tiny, and something else than zero is left of them.
        stimulus.fill(0, 32_768, &mut shaped);
        (0..shaped.len()).for_each(|v| batch.push(&shaped.vector(v)));
        let answers = |numbers: &Numbers| {
            let mut results = vec![0; batch.len()];
            let kernel = Kernel::new(numbers).expect("the processor has the instructions");
            kernel.run(&batch.a, &batch.b, &batch.c, &mut results);
            results
        };
        let expected = answers(&right);
        for (fault, change) in CHANGES {
            let mut wrong = right;
            change(&mut wrong);
            assert_ne!(wrong, right, "{fault}");
            let found = answers(&wrong);
            let differing = expected.iter().zip(&found).filter(|(right, wrong)| right != wrong).count();
            println!("{name}: {fault}: {differing} of {} vectors differ", expected.len());
            // Sums of an addend and products of fp8 never exceed the addend's binade where it is the greatest.
            let without_effect = fault.starts_with("overflow") && name == "hopper-e5m2-fp32";
            assert_eq!(differing == 0, without_effect, "{name}: {fault} was not caught");
        }
    }
}

#[test]
fn units_without_a_kernel_say_why() {
    let reason = |name: &str, change: fn(&mut Unit)| {
        let mut unit = catalogue::unit(name).expect("a unit of the catalogue");
        change(&mut unit);
        Wide::kernel(&unit).err().unwrap_or_else(|| panic!("{} has a kernel", unit.name))
    };
    let as_it_is = |_: &mut Unit| {};
    for (found, expected) in [
        (reason("cdna3-fp16-fp32", as_it_is), "no fused unit"),
        (reason("riscv-fp16-fp32", as_it_is), "no addend"),
        (reason("addition-fp32", as_it_is), "not truncated"),
        (reason("hopper-fp16-fp32", |unit| unit.carry_bits = Some(2)), "the sum wraps"),
        (reason("hopper-fp16-fp32", |unit| unit.flush.operands = true), "subnormal operands"),
        (reason("hopper-fp16-fp32", |unit| unit.flush.result = true), "subnormal results"),
        (reason("hopper-fp16-fp32", |unit| unit.alignment.normalise_products = true), "products are normalised"),
        (reason("hopper-fp16-fp32", |unit| unit.products = 12), "12 products"),
    ] {
        assert!(found.contains(expected), "{found:?} does not say {expected:?}");
    }
}
