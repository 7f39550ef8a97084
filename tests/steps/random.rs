//! Unit files with random lists of steps.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tensorsmith::describe::unit::{FileError, Unit};

const ROUNDINGS: [&str; 6] =
    ["nearest-even", "nearest-away", "toward-zero", "toward-positive", "toward-negative", "to-odd"];

fn pick(source: &mut Xoshiro256PlusPlus, from: &[&str]) -> String {
    from[source.next_u64() as usize % from.len()].to_owned()
}

/// A unit file with a random list of steps; some are refused.
pub fn unit(source: &mut Xoshiro256PlusPlus) -> Result<Unit, FileError> {
    let mut pick = |from: &[&str]| pick(source, from);
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
        pick(&ROUNDINGS),
        pick(&["infinity", "saturate", "ieee"]),
        pick(&["ieee", "positive", "negative"]),
        pick(&["signed", "positive"]),
        pick(&["false", "true"]),
    );
    if scaled {
        text += &format!("scales = {{ a = \"{}\", b = \"ue8m0\", block = {products} }}\n", pick(&["ue8m0", "ue4m3"]));
    }
    for last in [false, false, true] {
        if last || self::pick(source, &["skip", "take"]) == "take" {
            text += &step(source, last, &addend, scaled);
        }
    }
    Unit::from_toml("random.toml", &text)
}

/// One step; the last has c and is rounded to d.
fn step(source: &mut Xoshiro256PlusPlus, last: bool, addend: &str, scaled: bool) -> String {
    let mut pick = |from: &[&str]| pick(source, from);
    let mut text = "\n[[step]]\n".to_owned();
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
    text += &pick(&["", "", "inputs = \"kept\"\n", "inputs = \"flushed\"\n"]);
    if last && addend != "none" {
        text += &format!("c = \"{addend}\"\n");
    }
    if pick(&["exact", "window"]) == "window" {
        let more = pick(&["", ", floor = -20", ", width = 20", ", addend = { fraction_bits = 9, reach = 12 }"]);
        let bits = pick(&["10", "16", "24"]);
        text += &format!("window = {{ fraction_bits = {bits}, rounding = \"{}\"{more} }}\n", pick(&ROUNDINGS));
        text += &pick(&["", "", "exponent = \"leading\"\n", "exponent = -5\n"]);
    }
    if !last {
        text += &pick(&["", "", "shift = -3\n", "zero = \"negative\"\n"]);
        text += &format!("scaled = {}\n", scaled && order == "at-once" && pick(&["yes", "no"]) == "yes");
    }
    let rounding = pick(&ROUNDINGS);
    let to_format =
        format!("{{ format = \"{}\", rounding = \"{rounding}\", overflow = \"ieee\" }}", pick(&["bfloat16", "d"]));
    let to_range = format!(
        "{{ precision = 11, exponent_min = {}, rounding = \"{rounding}\", subnormals = \"{}\", rounded_zero = \"{}\" }}",
        pick(&["-40", "-3"]),
        pick(&["kept", "flushed", "flushed-if-tiny"]),
        pick(&["signed", "positive"]),
    );
    let before = match pick(&["none", "none", "format", "bounded-format", "range", "unbounded"]).as_str() {
        "format" => to_format,
        "bounded-format" => to_format + ", { exponent_max = 90 }",
        "range" => to_range,
        "unbounded" => "{ exponent_max = 20 }".to_owned(),
        _ => String::new(),
    };
    text += &match (last, before.is_empty()) {
        (true, true) => "round = \"d\"\n".to_owned(),
        (true, false) => format!("round = [{before}, \"d\"]\n"),
        (false, true) => String::new(),
        (false, false) => format!("round = [{before}]\n"),
    };
    text
}
