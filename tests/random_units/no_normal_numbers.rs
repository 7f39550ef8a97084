//! Results in a format whose largest number, 31/32, is subnormal: products from 1 on are infinite, as the page on unit files says.

use tensorsmith::compute::reference;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Vector};

const UNIT: &str = r#"
name = "no-normal-numbers"
scheme = "fused-then-add"
products = 2
alignment = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "toward-zero", overflow = "ieee" }

[formats]
a = "binary16"
b = "binary16"
c = "binary16"
d = { exponent_bits = 1, fraction_bits = 5, bias = 1, non_finite = "ieee" }

[addition]
groups = "one"
product_overflow = "infinity"
sum_fraction_bits = 31
addend_fraction_bits = 24
rounding = "downward"
exponent_floor = "none"
addend_reach = "unlimited"
"#;

const ONE: u64 = 0x3c00;
const MINUS_ONE: u64 = 0xbc00;
const BELOW_ONE: u64 = 0x3bff;

#[test]
fn products_from_one_on_are_infinite_where_the_largest_number_is_subnormal() {
    let unit = Unit::from_toml("no-normal-numbers.toml", UNIT).expect("the unit is valid");
    let d = &unit.formats.d;
    assert_eq!((d.to_f64(d.largest(false)), d.exponent_min()), (31.0 / 32.0, 0));
    let infinity = d.infinity(false).expect("d has an infinity");
    let answers = [
        // Below 1 a product is a number, and so is their sum, which is cut to the largest one.
        ([BELOW_ONE, 0], d.largest(false)),
        ([BELOW_ONE, BELOW_ONE], d.largest(false)),
        ([ONE, 0], infinity),
        ([ONE, BELOW_ONE], infinity),
        // As numbers they would cancel.
        ([ONE, MINUS_ONE], unit.conversion.nan),
    ];
    let mut emulator = Emulator::new(&unit);
    for (a, answer) in answers {
        let vector = Vector { a: a.to_vec(), b: vec![ONE; 2], ..Vector::default() };
        assert_eq!(emulator.evaluate(vector.inputs()).expect("a vector of the unit"), answer, "emulator: {a:x?}");
        assert_eq!(reference::evaluate(&unit.arithmetic(), vector.inputs()), answer, "reference: {a:x?}");
    }
}
