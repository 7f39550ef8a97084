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
use tensorsmith::engine::wide::{BLOCK, singles};
use tensorsmith::engine::{Batch, Emulator, Engine, Wide};
use tensorsmith::isa::Isa;

use super::support;

/// Neither a multiple of a block nor of a register.
const VECTORS: u64 = 40_003;
const SEED: u64 = 12;

/// The levels of instructions that this processor has; for those that it lacks the checks are skipped.
fn levels() -> Vec<Isa> {
    for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_supported()) {
        support::skip(&format!("wide-{}", isa.name()), format!("the processor has no {}", isa.title()));
    }
    Isa::supported().collect()
}

fn shaped(unit: &Unit, engines: Vec<Box<dyn Engine>>) -> Comparison {
    let count = if support::long_tier() { 4 * VECTORS } else { VECTORS / 4 + 3 };
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, SEED), count };
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
    for isa in levels() {
        let (mut kernels, mut texts) = (Vec::new(), 0);
        // Every unit on the level that is used; in the short tier some of them on those below.
        let all = catalogue::units();
        let units = if isa == Isa::best() { all.iter().collect() } else { support::sampled(&all, 4) };
        for unit in units.iter().copied().cloned() {
            let wide = Wide::on(&unit, isa);
            let has_kernel = wide.without_kernel().is_none();
            let comparison = shaped(&unit, vec![Box::new(Emulator::new(&unit)), Box::new(wide)]);
            assert_eq!(comparison.mismatches, 0, "{} on {}: {:?}", unit.name, isa.title(), comparison.first);
            let mut text = Wide::of_text(&unit, isa);
            assert_equal_on(&unit, &mut text, &random(&unit, 2003));
            texts += 1;
            if has_kernel {
                let mut wide = Wide::on(&unit, isa);
                assert_equal_on(&unit, &mut wide, &random(&unit, 10_003));
                let comparison = shaped(&unit, vec![Box::new(text), Box::new(wide)]);
                assert_eq!(comparison.mismatches, 0, "{} on {}: {:?}", unit.name, isa.title(), comparison.first);
                kernels.push(unit.name);
            }
        }
        println!("{}: {texts} units on lanes; kernels of {kernels:?}", isa.title());
        if units.len() < all.len() {
            assert!(texts >= 20 && kernels.len() >= 5, "{texts} units, {} kernels", kernels.len());
            continue;
        }
        for name in
            ["volta-fp16-fp32", "ampere-bf16-fp32", "ampere-tf32-fp32", "hopper-fp16-fp16", "ada-e4m3-e5m2-fp32"]
        {
            assert!(kernels.iter().any(|kernel| kernel == name), "{name} has no kernel on {}", isa.title());
        }
        assert!(texts >= 90 && kernels.len() >= 30, "{texts} units, {} kernels", kernels.len());
    }
}

#[test]
fn wide_batches_of_every_length() {
    for isa in levels() {
        for name in ["volta-fp16-fp32", "hopper-bf16-fp32", "cdna3-fp16-fp32"] {
            let unit = catalogue::unit(name).expect("a unit of the catalogue");
            let mut wide = Wide::on(&unit, isa);
            for count in 0..3 * BLOCK {
                assert_equal_on(&unit, &mut wide, &random(&unit, count));
            }
        }
    }
}

/// Operands of every pair of formats, those of the kernel's columns and those that are nearly so: either the kernel answers as
/// the emulator does, or there is none. Results of so many fraction bits that large ones exceed 32 bits on the way, too.
#[test]
fn kernels_of_every_pair_of_formats_agree() {
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
    let levels = levels();
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
        for &isa in &levels {
            let mut wide = Wide::on(&unit, isa);
            if let Some(reason) = wide.without_kernel() {
                refused.insert(reason.to_owned());
                continue;
            }
            kernels += 1;
            assert_equal_on(&unit, &mut wide, &random(&unit, 2003));
            let comparison = shaped(&unit, vec![Box::new(Emulator::new(&unit)), Box::new(wide)]);
            assert_eq!(comparison.mismatches, 0, "{unit:?} on {}: {:?}", isa.title(), comparison.first);
        }
    }
    println!("{kernels} kernels; none where {refused:?}");
    assert!(kernels >= 60 * levels.len(), "{kernels} kernels");
    for reason in ["place of minus zero", "lies too far above"] {
        assert!(refused.iter().any(|refused| refused.contains(reason)), "{reason}: {refused:?}");
    }
}

/// One vector alone is answered as it is among others, so that a mismatch can be shown again.
#[test]
fn kernels_answer_a_vector_alone_as_among_others() {
    let unit = catalogue::unit("ampere-fp16-fp32").expect("a unit of the catalogue");
    for isa in levels() {
        let mut wide = Wide::on(&unit, isa);
        assert!(wide.details()["path"].starts_with("a kernel"));
        let batch = random(&unit, 100);
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        wide.run(&batch, &mut together).expect("emulators do not fail");
        for (v, answer) in together.iter().enumerate() {
            wide.run(&Batch::of(&batch.vector(v)), &mut alone).expect("emulators do not fail");
            assert_eq!(alone, [*answer], "vector {v} on {}", isa.title());
        }
    }
}

/// Shaped vectors, and random bits.
fn shaped_and_random(unit: &Unit) -> Batch {
    let mut batch = random(unit, 4096);
    let (stimulus, mut shaped) = (Stimulus::shaped(unit, SEED), Batch::of_unit(unit));
    // A floor shows where all terms are tiny, and something else than zero is left of them.
    stimulus.fill(0, 32_768, &mut shaped);
    (0..shaped.len()).for_each(|v| batch.push(&shaped.vector(v)));
    batch
}

/// A fault, and the change of one number of a kernel that plants it.
type Change<N> = (&'static str, fn(&mut N));

/// How many results a change of one number changes, for every change of a list.
fn caught<N: Copy + PartialEq + std::fmt::Debug>(
    name: &str,
    right: N,
    changes: &[Change<N>],
    answers: impl Fn(&N) -> Vec<u64>,
) {
    let expected = answers(&right);
    for (fault, change) in changes {
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

const UNITS: [&str; 4] = ["ampere-bf16-fp32", "hopper-fp16-fp16", "ampere-tf32-fp32", "hopper-e5m2-fp32"];

/// Each change is seen on shaped and random vectors, of a unit where it can act.
#[test]
fn kernels_on_binary32_with_a_wrong_number_are_caught() {
    type Numbers = singles::Numbers;
    const CHANGES: [Change<Numbers>; 18] = [
        ("a's place one higher", |numbers| numbers.a.place_left += 1),
        ("b's sign elsewhere", |numbers| numbers.b.sign_left ^= 1),
        ("a's infinity a number", |numbers| (numbers.a.finite_max, numbers.a.infinity) = (u32::MAX >> 1, None)),
        ("b's infinity NaN", |numbers| numbers.b.infinity = numbers.b.infinity.map(|infinity| infinity - 1)),
        ("cut a bit later", |numbers| numbers.fraction_bits += 1),
        ("cut a bit earlier", |numbers| numbers.fraction_bits -= 1),
        ("a floor that acts", |numbers| numbers.floor = (numbers.floor + 3).max(1)),
        ("another centre", |numbers| numbers.centre += 1),
        ("the addend's exponent one less", |numbers| numbers.addend_offset -= 1),
        ("subnormal addends lost", |numbers| numbers.flush_addends = true),
        ("NaN addends numbers", |numbers| (numbers.c.finite_max, numbers.c.infinity) = (u32::MAX >> 1, None)),
        ("rounded otherwise", |numbers| numbers.d.nearest_even = !numbers.d.nearest_even),
        ("the least exponent one more", |numbers| numbers.d.exponent_min += 1),
        ("overflow to the largest number", |numbers| numbers.d.overflow -= 1),
        ("another infinity", |numbers| numbers.d.infinity -= 1),
        ("another NaN", |numbers| numbers.d.nan ^= 1),
        ("the sign elsewhere", |numbers| numbers.d.sign >>= 1),
        ("the top one place higher", |numbers| numbers.d.top_offset += 1),
    ];
    for isa in levels() {
        for name in UNITS {
            let unit = catalogue::unit(name).expect("a unit of the catalogue");
            let Plan::Fused(plan) = Plan::of(&unit) else { panic!("{name} is a fused unit") };
            let batch = shaped_and_random(&unit);
            caught(name, Numbers::of(&plan).expect("the unit has a kernel"), &CHANGES, |numbers| {
                let mut results = vec![0; batch.len()];
                singles::Kernel::new(numbers, isa).run(&batch.a, &batch.b, &batch.c, &mut results);
                results
            });
        }
    }
}

/// The same of the kernel of AVX-512.
#[test]
#[cfg(target_arch = "x86_64")]
fn kernels_on_columns_with_a_wrong_number_are_caught() {
    use tensorsmith::engine::wide::columns::{Kernel, Numbers};
    const CHANGES: [Change<Numbers>; 16] = [
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

    if !levels().contains(&Isa::Avx512) {
        return;
    }
    for name in UNITS {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let Plan::Fused(plan) = Plan::of(&unit) else { panic!("{name} is a fused unit") };
        let batch = shaped_and_random(&unit);
        caught(name, Numbers::of(&plan).expect("the unit has a kernel"), &CHANGES, |numbers| {
            let mut results = vec![0; batch.len()];
            let kernel = Kernel::new(numbers).expect("the processor has the instructions");
            kernel.run(&batch.a, &batch.b, &batch.c, &mut results);
            results
        });
    }
}

#[test]
fn units_without_a_kernel_say_why() {
    let reason = |name: &str, change: fn(&mut Unit)| {
        let mut unit = catalogue::unit(name).expect("a unit of the catalogue");
        change(&mut unit);
        let wide = Wide::on(&unit, Isa::best());
        wide.without_kernel().unwrap_or_else(|| panic!("{} has a kernel", unit.name)).to_owned()
    };
    let as_it_is = |_: &mut Unit| {};
    for (found, expected) in [
        (reason("cdna3-fp16-fp32", as_it_is), "no fused unit"),
        (reason("riscv-fp16-fp32", as_it_is), "no addend"),
        (reason("addition-fp32", as_it_is), "not truncated"),
        (reason("hopper-fp16-fp32", |unit| unit.carry_bits = Some(2)), "the sum wraps"),
        (reason("hopper-fp16-fp32", |unit| unit.flush.operands = true), "subnormal operands"),
        (reason("hopper-fp16-fp32", |unit| unit.flush.result = true), "subnormal results"),
        (reason("hopper-fp16-fp32", |unit| unit.alignment_mut().normalise_products = true), "products are normalised"),
        (reason("hopper-fp16-fp32", |unit| unit.products = 6), "no multiple of four"),
    ] {
        assert!(found.contains(expected), "{found:?} does not say {expected:?}");
    }
}
