//! Units whose files list their steps: the emulator's results are the reference's, and what contradicts itself is refused.

mod refused;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::events::{Event, unreachable};
use tensorsmith::compute::reference;
use tensorsmith::describe::arithmetic::Arithmetic;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::{FileError, Permutation, Scheme, StepList, Unit};
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

/// Vectors whose result differs between the emulator, or lanes of it, and an arithmetic's reference.
fn differing(unit: &Unit, arithmetic: &Arithmetic, vectors: usize) -> usize {
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 3).fill(0, vectors, &mut batch);
    let (mut emulator, mut answers, mut wide) = (Emulator::new(unit), Vec::new(), Vec::new());
    emulator.run(&batch, &mut answers).expect("it evaluates");
    Wide::on(unit, Isa::best()).run(&batch, &mut wide).expect("it evaluates");
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
        answers[*v] != expected || wide[*v] != expected
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
        assert_eq!(again.arithmetic(), listed.arithmetic(), "{}", unit.name);
    }
}

/// A unit file with a random list of steps; some are refused.
fn random(random: &mut Xoshiro256PlusPlus) -> Result<Unit, FileError> {
    let mut pick = |from: &[&str]| from[random.next_u64() as usize % from.len()].to_owned();
    let roundings = ["nearest-even", "nearest-away", "toward-zero", "toward-positive", "toward-negative", "to-odd"];
    let products = pick(&["1", "2", "4", "6", "8", "12"]);
    let operand = ["binary16", "bfloat16", "e4m3", "e5m2", "e2m1", "e4m3fnuz"];
    let (a, b) = (pick(&operand), pick(&operand));
    let (c, d) = (pick(&["binary32", "binary16", "bfloat16"]), pick(&["binary32", "binary16", "bfloat16"]));
    let addend = pick(&["none", "first", "last"]);
    let scaled = pick(&["no", "no", "yes"]) == "yes";
    let mut text = format!("name = \"random\"\nproducts = {products}\n");
    text += &pick(&["", "", "permutation = \"descending\"\n", "permutation = \"interleaved-pairs\"\n"]);
    let port = if addend == "none" { String::new() } else { format!("c = \"{c}\", ") };
    text += &format!("formats = {{ a = \"{a}\", b = \"{b}\", {port}d = \"{d}\" }}\n");
    if addend != "none" {
        text += &pick(&["", "widened = { a = \"binary32\" }\n", "widened = { b = \"bfloat16\", c = \"binary32\" }\n"]);
    }
    let results = pick(&["kept", "flushed", "flushed-if-tiny"]);
    text += &format!(
        "subnormals = {{ operands = \"{}\", addend = \"{}\", result = \"{results}\" }}\n",
        pick(&["kept", "flushed", "flushed-to-plus-zero"]),
        pick(&["kept", "flushed", "flushed-to-plus-zero"]),
    );
    text += &format!(
        "conversion = {{ rounding = \"{}\", overflow = \"{}\", exact_zero = \"{}\", rounded_zero = \"{}\", flags = {} }}\n",
        pick(&roundings),
        pick(&["infinity", "saturate", "ieee"]),
        pick(&["ieee", "positive", "negative"]),
        pick(&["signed", "positive"]),
        pick(&["false", "true"]),
    );
    if scaled {
        text += &format!("scales = {{ a = \"{}\", b = \"ue8m0\", block = {products} }}\n", pick(&["ue8m0", "ue4m3"]));
    }
    for last in [false, false, true] {
        if !last && pick(&["skip", "take"]) == "skip" {
            continue;
        }
        text += "\n[[step]]\n";
        let order = pick(&["at-once", "at-once", "chain", "tree"]);
        text += &format!("order = \"{order}\"\n");
        match (order.as_str(), last) {
            ("chain", true) => text += &pick(&["", "by = 2\n", "start = \"zero\"\n"]),
            ("chain", false) => text += &pick(&["group = 2\n", "start = \"zero\"\nlanes = 2\n", "group = 4\nby = 2\n"]),
            ("tree", true) => text += &pick(&["", "by = 3\n"]),
            (_, false) => text += &pick(&["group = 1\n", "group = 2\n", "lanes = 2\n"]),
            (_, true) => {}
        }
        text += &pick(&["", "", "negate = \"odd\"\n", "negate = \"all\"\n"]);
        if last && addend != "none" {
            text += &format!("c = \"{addend}\"\n");
        }
        if pick(&["exact", "window"]) == "window" {
            let more = pick(&["", ", floor = -20", ", width = 20", ", addend = { fraction_bits = 9, reach = 12 }"]);
            let bits = pick(&["10", "16", "24"]);
            text += &format!("window = {{ fraction_bits = {bits}, rounding = \"{}\"{more} }}\n", pick(&roundings));
            text += &pick(&["", "", "exponent = \"leading\"\n"]);
        }
        if !last {
            text += &pick(&["", "", "shift = -3\n", "zero = \"negative\"\n"]);
            text += &format!("scaled = {}\n", scaled && order == "at-once" && pick(&["yes", "no"]) == "yes");
        }
        let rounding = pick(&roundings);
        let to_format =
            format!("{{ format = \"{}\", rounding = \"{rounding}\", overflow = \"ieee\" }}", pick(&["bfloat16", "d"]));
        let to_range =
            format!("{{ precision = 11, exponent_min = -40, rounding = \"{rounding}\", subnormals = \"flushed\" }}");
        let before = match pick(&["none", "none", "format", "range", "unbounded"]).as_str() {
            "format" => to_format,
            "range" => to_range,
            "unbounded" => "{ exponent_max = 20 }".to_owned(),
            _ => String::new(),
        };
        text += &match (last, before.is_empty()) {
            (true, true) => "round = \"d\"\n".to_owned(),
            (true, false) => format!("round = [{before}, \"d\"]\n"),
            (false, true) => String::new(),
            (false, false) => format!("round = {before}\n"),
        };
    }
    Unit::from_toml("random.toml", &text)
}

#[test]
fn emulator_wide_reference_shaped_random_lists() {
    let mut source = Xoshiro256PlusPlus::seed_from_u64(5);
    let lists = if support::long_tier() { 4_000 } else { 300 };
    let (mut accepted, mut refused) = (0, 0);
    while accepted < lists {
        let Ok(unit) = random(&mut source) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        assert_eq!(differing(&unit, &unit.arithmetic(), 150), 0, "{}", unit.to_toml());
        assert_eq!(self::unit("random.toml", &unit.to_toml()), unit);
    }
    println!("{accepted} lists, {refused} more refused");
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
