//! Emitted lists of steps: simulated beside the emulator, proved, and refuted with a fault in any of their modules.

#[path = "../steps/random.rs"]
mod random;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Kind, Opened};
use tensorsmith::prove::rtl::{Files, Means, Verdict, prove_unit};

use super::{LIMIT, needs_yosys, support};

/// Pairs of products, rounded twice, below a bound, and a chain from c whose numbers are flushed and negated: small, with every module.
pub(super) const SMALL: &str = r#"
    name = "small-list"
    products = 4
    formats = { a = "e2m1", b = "e5m2", c = "e5m2", d = "e5m2" }
    widened = { a = "e5m2" }
    scales = { a = "ue8m0", b = "ue8m0", block = 2 }
    subnormals = { addend = "flushed-to-plus-zero", result = "flushed-if-tiny" }
    conversion = { rounding = "nearest-even", overflow = "infinity", flags = true }

    [[step]]
    group = 2
    window = { fraction_bits = 3, rounding = "toward-negative" }
    scaled = true
    round = [{ precision = 4, rounding = "nearest-even" }, { exponent_max = 9 }]

    [[step]]
    order = "chain"
    c = "first"
    negate = "odd"
    round = "d"
"#;

/// The same with a chain in windows, whose addend has a cut of its own, and every rounding that is left.
pub(super) const WINDOWED: &str = r#"
    name = "windowed-list"
    products = 6
    formats = { a = "e2m1", b = "e2m1", c = "e5m2", d = "e5m2" }
    conversion = { rounding = "toward-positive", overflow = "saturate" }

    [[step]]
    lanes = 3
    window = { fraction_bits = 1, rounding = "toward-positive", floor = -1, width = 5 }
    exponent = "leading"
    shift = 3

    [[step]]
    order = "chain"
    c = "first"
    window = { fraction_bits = 5, rounding = "nearest-away", addend = { fraction_bits = 3, reach = 6 } }
    round = [{ format = "e4m3", rounding = "toward-zero", overflow = "saturate" }, "d"]
"#;

/// Products in a window, and exactly c: a zero that cancelled has the exponent of its window there, and does not count.
pub(super) const CANCELLED: &str = r#"
    name = "cancelled-list"
    products = 2
    formats = { a = "e2m1", b = "e2m1", c = "e5m2", d = "e5m2" }
    conversion = { rounding = "nearest-even", overflow = "infinity" }

    [[step]]
    window = { fraction_bits = 2, rounding = "toward-zero" }

    [[step]]
    c = "last"
    round = "d"
"#;

pub(super) fn read(text: &str) -> Unit {
    Unit::from_toml("list.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Vectors whose result differs between the emulator and an engine made of the emitted files; `None` where it is missing here.
fn differing(unit: &Unit, kind: Kind, vectors: usize) -> Option<usize> {
    let opened = kind.open(unit).unwrap_or_else(|error| panic!("{error}\n{}", unit.to_toml()));
    let mut engine = match opened {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => {
            support::skip(&format!("lists-{}", kind.name()), reason.to_string());
            return None;
        }
    };
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 3).fill(0, vectors, &mut batch);
    let results = engine.answers(&batch).expect("it evaluates");
    let Ok(Opened::Ready(mut emulator)) = Kind::Emulator.open(unit) else { panic!("the emulator is always there") };
    let expected = emulator.answers(&batch).expect("it evaluates");
    Some(results.iter().zip(&expected).filter(|(result, expected)| result != expected).count())
}

#[test]
fn random_lists_are_simulated() {
    let mut source = Xoshiro256PlusPlus::seed_from_u64(72);
    let lists = std::iter::repeat_with(|| random::unit(&mut source)).filter_map(Result::ok);
    let lists: Vec<Unit> = lists.take(if support::long_tier() { 100 } else { 4 }).collect();
    support::in_parallel(&lists, |unit| {
        for (kind, vectors) in [(Kind::Netlist, 2_000), (Kind::Rtl, 2_000), (Kind::Icarus, 60)] {
            if let Some(differing) = differing(unit, kind, vectors) {
                assert_eq!(differing, 0, "{} of {vectors} in {}: {}", differing, kind.name(), unit.to_toml());
            }
        }
    });
    println!("ran {} random lists", lists.len());
}

#[test]
fn lists_are_proved() {
    let Some(()) = needs_yosys("lists") else { return };
    let files = [
        SMALL,
        WINDOWED,
        CANCELLED,
        include_str!("../steps/units/stored-bf16.toml"),
        include_str!("../steps/units/chain-without-c.toml"),
        include_str!("../steps/units/power10-bf16.toml"),
        include_str!("../steps/units/groups-of-four.toml"),
        include_str!("../steps/units/four-lanes.toml"),
        include_str!("../steps/units/tree-without-c.toml"),
        include_str!("../steps/units/pairs-without-c.toml"),
        include_str!("../steps/units/scaled-exact.toml"),
    ];
    for text in if support::long_tier() { &files[..] } else { &files[..3] } {
        let unit = read(text);
        let files = Files::emitted(&unit).expect("it is emitted");
        let proof = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads it").proof;
        assert_eq!(proof.verdict, Verdict::Proved, "{}", unit.name);
    }
}

/// A list, a module of its files, right text, wrong text.
const FAULTS: [(&str, &str, &str, &str); 17] = [
    (SMALL, "tensorsmith_operand", "ShiftWidth'(zeros) < room ?", "1'b1 ?"),
    (SMALL, "tensorsmith_flush", "Flush == 2 && subnormal", "1'b0"),
    (SMALL, "tensorsmith_flush", "significand_i != '0 && !special_i", "significand_i != '0"),
    (SMALL, "tensorsmith_number_product", "x_zero || y_zero", "x_zero"),
    (SMALL, "tensorsmith_number_product", "&& x_zero && !x_infinite_i", "&& x_zero && x_infinite_i"),
    (SMALL, "tensorsmith_sum", "plus && minus", "plus"),
    (SMALL, "tensorsmith_sum", "? AnchorWidth'(Low)\n", "? AnchorWidth'(Low + 3)\n"),
    (SMALL, "tensorsmith_sum", "ZeroSign == 2 && term_negative == '1", "ZeroSign == 2 && term_negative != '0"),
    (SMALL, "tensorsmith_sum", "infinite_o ? minus", "infinite_o ? plus"),
    (SMALL, "tensorsmith_number_round", "carry ? rounded[Precision:1]", "1'b0 ? rounded[Precision:1]"),
    (SMALL, "tensorsmith_number_round", "carry ? next_exponent", "1'b0 ? next_exponent"),
    (SMALL, "tensorsmith_number_round", "above ? LargestSignificand", "1'b0 ? LargestSignificand"),
    (SMALL, "tensorsmith_number_round", "FlushResult != 0 && (subnormal || tiny)", "FlushResult != 0 && subnormal"),
    (SMALL, "tensorsmith_number_round", "above && finite && !tiny", "above && !tiny"),
    (SMALL, "tensorsmith_bound", "leading > WorkWidth'(ExponentMax)", "leading > WorkWidth'(ExponentMax + 1)"),
    (SMALL, "tensorsmith_number_pack", "infinite_i && HasInfinity", "1'b0 && HasInfinity"),
    (CANCELLED, "tensorsmith_sum", "(ZerosAbsent != 0 && significand_i", "(1'b0 && significand_i"),
];

#[test]
fn faults_in_every_module_are_refuted() {
    let Some(()) = needs_yosys("lists-faults") else { return };
    support::in_parallel(&support::sampled(&FAULTS, 5), |&&(text, module, right, wrong)| {
        let unit = read(text);
        let mut files = Files::emitted(&unit).expect("it is emitted");
        let name = format!("{module}.sv");
        let file = files.core.iter_mut().find(|file| file.name == name).expect("a module of the list");
        file.text = support::first_replaced(&file.text, right, wrong);
        let proof = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads it").proof;
        let refuted = matches!(proof.verdict, Verdict::Refuted(_) | Verdict::StageDiffers { .. });
        assert!(refuted, "{module}: {wrong}: {:?}", proof.verdict);
    });
}
