//! Units whose files list their steps: the emulator's results are the reference's, and what contradicts itself is refused.

mod kernels;
mod random;
mod refused;

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::events::{Event, unreachable};
use tensorsmith::compute::{Inputs, reference};
use tensorsmith::describe::arithmetic::Arithmetic;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Cut, Permutation, Scheme, StepList, Unit};
use tensorsmith::engine::{Batch, Emulator, Engine, Wide};
use tensorsmith::isa::Isa;

use crate::support;

/// Sums that no scheme has, as one file each.
const FILES: [(&str, &str); 8] = [
    ("power10-bf16", include_str!("units/power10-bf16.toml")),
    ("groups-of-four", include_str!("units/groups-of-four.toml")),
    ("four-lanes", include_str!("units/four-lanes.toml")),
    ("stored-bf16", include_str!("units/stored-bf16.toml")),
    ("chain-without-c", include_str!("units/chain-without-c.toml")),
    ("tree-without-c", include_str!("units/tree-without-c.toml")),
    ("pairs-without-c", include_str!("units/pairs-without-c.toml")),
    ("scaled-exact", include_str!("units/scaled-exact.toml")),
];

/// The unit of a text.
fn unit(name: &str, text: &str) -> Unit {
    Unit::from_toml(name, text).unwrap_or_else(|error| panic!("{error}"))
}

/// Vectors whose result differs between the emulator, that of no events or lanes of it, and an arithmetic's reference.
fn differing(unit: &Unit, arithmetic: &Arithmetic, vectors: usize) -> usize {
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 3).fill(0, vectors, &mut batch);
    let (mut emulator, mut answers, mut wide) = (Emulator::new(unit), Vec::new(), Vec::new());
    emulator.run(&batch, &mut answers).expect("it evaluates");
    Wide::on(unit, Isa::best()).run(&batch, &mut wide).expect("it evaluates");
    // This one leaves out links that change nothing.
    let uncounted = Emulator::uncounted(unit).answers(&batch).expect("it evaluates");
    let coverage = emulator.coverage().expect("it counts");
    for &event in Event::ALL {
        let reason = unreachable(&Plan::of(unit), event);
        assert!(
            reason.is_none() || coverage.of(event) == 0,
            "{}: {} happened, but {reason:?}",
            unit.name,
            event.name()
        );
    }
    let differs = |v: &usize| {
        let expected = reference::evaluate(arithmetic, batch.inputs(*v));
        [answers[*v], wide[*v], uncounted[*v]].iter().any(|&answer| answer != expected)
    };
    (0..batch.len()).filter(differs).count()
}

#[test]
fn emulator_wide_reference_shaped_step_files() {
    for (name, text) in FILES {
        let unit = unit(name, text);
        assert_eq!(differing(&unit, &unit.arithmetic(), support::vectors(4_000) as usize), 0, "{name}");
        let again = self::unit(name, &unit.to_toml());
        assert_eq!(again, unit, "{name} is written as it was read");
    }
}

/// A unit of the catalogue as its list of steps.
fn listed(unit: &Unit) -> Unit {
    let arithmetic = unit.arithmetic();
    let list = StepList {
        zero: arithmetic.steps[0].zero,
        addend: arithmetic.steps[0].inputs,
        permutation: match arithmetic.permutation.is_empty() {
            true => Permutation::None,
            false => Permutation::Listed(arithmetic.permutation),
        },
        steps: arithmetic.steps,
        ..StepList::default()
    };
    let mut listed = Unit { list: Some(list), ..Unit::plain(Scheme::Steps) };
    (listed.name, listed.products) = (unit.name.clone(), unit.products);
    (listed.formats, listed.conversion, listed.flush) = (unit.formats.clone(), unit.conversion.clone(), unit.flush);
    listed.scales = unit.scales.clone();
    listed.scales.iter_mut().for_each(|scales| scales.group = None);
    listed
}

#[test]
fn emulator_wide_reference_shaped_catalogue_as_steps() {
    let units = if support::long_tier() { catalogue::units() } else { support::one_unit_of_each_entry() };
    for unit in units.iter().filter(|unit| unit.scheme != Scheme::Integer) {
        let listed = listed(unit);
        assert_eq!(differing(&listed, &unit.arithmetic(), support::vectors(1_000) as usize), 0, "{}", unit.name);
        let again = self::unit(&unit.name, &listed.to_toml());
        assert_eq!(again.arithmetic(), unit.arithmetic(), "{}", unit.name);
    }
}

/// A short form and the list of its steps have one arithmetic; names, also of formats, and registers are no part of it.
#[test]
fn short_form_and_list_have_one_arithmetic() {
    let fields = "products = 4\nformats = { a = \"binary16\", b = \"binary16\", c = \"binary32\", d = \"binary32\" }\n\
                  conversion = { rounding = \"nearest-even\", overflow = \"infinity\" }\n";
    let short = unit("short.toml", &format!("name = \"short\"\nscheme = \"fma-chain\"\n{fields}"));
    let layout = "a = { exponent_bits = 5, fraction_bits = 10, bias = 15 }";
    let fields = fields.replace("a = \"binary16\"", layout);
    let text = format!("name = \"list\"\n{fields}[[step]]\norder = \"chain\"\nby = 1\nc = \"first\"\nround = \"d\"\n");
    let list = unit("list.toml", &text);
    assert_ne!(short, list);
    assert_eq!(short.with_cuts([Cut::Step]).arithmetic(), list.arithmetic());
    assert!(Subject::from(short.clone()).has_arithmetic_of(&list.into()));
    for (from, to) in [
        ("products = 4", "products = 5"),
        ("bias = 15", "bias = 16"),
        ("nearest-even", "toward-zero"),
        ("by = 1", "by = 2"),
        ("first", "last"),
    ] {
        let changed = unit("changed.toml", &text.replacen(from, to, 1));
        assert_ne!(changed.arithmetic(), short.arithmetic(), "{to}");
        assert!(!Subject::from(short.clone()).has_arithmetic_of(&changed.into()), "{to}");
    }
}

#[test]
fn emulator_wide_reference_shaped_random_lists() {
    let mut source = Xoshiro256PlusPlus::seed_from_u64(5);
    let lists = if support::long_tier() { 4_000 } else { 300 };
    let (mut accepted, mut refused) = (0, 0);
    let mut words = BTreeSet::new();
    while accepted < lists {
        let Ok(unit) = random::unit(&mut source) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        words.insert(Plan::of(&unit).word_bits().div_ceil(64).next_power_of_two());
        assert_eq!(differing(&unit, &unit.arithmetic(), 150), 0, "{}", unit.to_toml());
        assert_eq!(self::unit("random.toml", &unit.to_toml()), unit);
    }
    println!("{accepted} lists, {refused} more refused");
    assert!([1, 2, 4, 8].iter().all(|count| words.contains(count)), "lists on {words:?} words");
    assert!(refused < 3 * accepted, "{refused} of {} are refused", accepted + refused);
}

/// One thing changed in each kind of step shows: the comparison can fail.
#[test]
fn emulator_reference_planted_faults_in_steps() {
    let faults = [
        ("power10-bf16", "precision = 24", "precision = 23"),
        ("power10-bf16", "order = \"chain\"\n", ""),
        ("power10-bf16", "c = \"first\"", "c = \"last\""),
        ("groups-of-four", "group = 4", "group = 2"),
        ("four-lanes", "lanes = 4", "lanes = 2"),
        ("four-lanes", "order = \"tree\"", "order = \"chain\""),
        ("stored-bf16", "format = \"binary32\"", "format = \"tf32\""),
        ("tree-without-c", "order = \"tree\"", "order = \"tree\"\nby = 4"),
        ("scaled-exact", "fraction_bits = 30", "fraction_bits = 20"),
        ("scaled-exact", "shift = 2", "shift = 3"),
    ];
    for (name, from, to) in faults {
        let (_, text) = FILES.into_iter().find(|(known, _)| *known == name).expect("a file");
        assert!(text.contains(from), "{name} has {from}");
        let (right, wrong) = (unit(name, text), unit(name, &text.replacen(from, to, 1)));
        assert_ne!(right.arithmetic(), wrong.arithmetic());
        assert!(differing(&wrong, &right.arithmetic(), 4_000) > 0, "{name}: {from} -> {to} shows");
    }
}

/// A vector of binary16 operands, with c and d in binary32, that decides a rule.
struct Decided {
    rule: &'static str,
    steps: &'static str,
    a: [u64; 2],
    b: [u64; 2],
    c: u64,
    d: u64,
}

/// Words of binary16: 1, -1, the greatest power of two, the least one.
const ONE: u64 = 0x3c00;
const MINUS_ONE: u64 = 0xbc00;
const GREATEST: u64 = 0x7800;
const LEAST: u64 = 0x0001;

const DECIDED: [Decided; 6] = [
    Decided {
        rule: "a negated c is flushed to +0 behind its change of sign",
        steps: "{ c = \"last\", negate = \"c\", inputs = \"flushed-to-plus-zero\", round = \"d\" }",
        a: [0x8000, 0x8000],
        b: [ONE, ONE],
        c: 0x0000_0001,
        d: 0,
    },
    Decided {
        rule: "a tiny number becomes +0 in a range",
        steps: "{ round = { precision = 11, exponent_min = 0, rounding = \"nearest-even\", subnormals = \"flushed-if-tiny\", \
                rounded_zero = \"positive\" } }, { c = \"last\", round = \"d\" }",
        a: [LEAST, 0x8000],
        b: [MINUS_ONE, ONE],
        c: 0x8000_0000,
        d: 0,
    },
    Decided {
        rule: "and in a format",
        steps: "{ shift = -130, round = { format = \"bfloat16\", rounding = \"nearest-even\", overflow = \"infinity\", \
                subnormals = \"flushed-if-tiny\", rounded_zero = \"positive\" } }, { c = \"last\", round = \"d\" }",
        a: [ONE, 0x8000],
        b: [MINUS_ONE, ONE],
        c: 0x8000_0000,
        d: 0,
    },
    Decided {
        rule: "a zero that cancelled far above c does not hide it in an exact sum",
        steps: "{ window = { fraction_bits = 2, rounding = \"to-odd\" } }, { c = \"last\", round = \"d\" }",
        a: [GREATEST, GREATEST],
        b: [0x7800, 0xf800],
        c: 0x0000_0001,
        d: 0x0000_0001,
    },
    Decided {
        rule: "a subnormal number of a format is flushed behind a bound and a step that changes nothing",
        steps: "{ round = [{ format = \"e5m2\", rounding = \"to-odd\", overflow = \"infinity\" }, { exponent_max = 9 }] }, \
                { group = 1, negate = \"all\" }, { c = \"last\", inputs = \"flushed\", round = \"d\" }",
        a: [LEAST, 0],
        b: [ONE, ONE],
        c: 0x3f80_0000,
        d: 0x3f80_0000,
    },
    Decided {
        rule: "times a power of two it is not",
        steps: "{ round = { format = \"e5m2\", rounding = \"to-odd\", overflow = \"infinity\" } }, { group = 1, shift = 16 }, \
                { c = \"last\", inputs = \"flushed\", round = \"d\" }",
        a: [LEAST, 0],
        b: [ONE, ONE],
        c: 0x3f80_0000,
        d: 0x4000_0000,
    },
];

#[test]
fn emulator_reference_decided_vectors() {
    for Decided { rule, steps, a, b, c, d } in DECIDED {
        let text = format!(
            r#"
            name = "decided"
            products = 2
            formats = {{ a = "binary16", b = "binary16", c = "binary32", d = "binary32" }}
            conversion = {{ rounding = "nearest-even", overflow = "infinity" }}
            step = [{steps}]
        "#
        );
        let (unit, inputs) = (unit("decided.toml", &text), Inputs::unscaled(&a, &b, c));
        assert_eq!(reference::evaluate(&unit.arithmetic(), inputs), d, "{rule}");
        assert_eq!(Emulator::new(&unit).evaluate(inputs).expect("a vector of the unit"), d, "{rule}");
    }
}
