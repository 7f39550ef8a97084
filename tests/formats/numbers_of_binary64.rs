//! Operands that are given as numbers of binary64: what the same number as text becomes, by every rule.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::Format;
use tensorsmith::recording::{OperandRule, of_number, parse};

const RULES: [OperandRule; 3] = [OperandRule::Exact, OperandRule::Nearest, OperandRule::Cut];

#[test]
fn binary64_text_random_every_format() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut numbers = vec![0.0, -0.0, 1.0, -1.0, 448.0, 449.0, 65504.0, 65520.0, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    // Numbers around 1, whose last places are those of every format in turn.
    numbers.extend((0..2000).map(|number| {
        let power = (random.next_u64() % 60) as i32 - 30;
        let cut = u64::MAX << (number % 53);
        f64::from_bits(1.5f64.to_bits() | (random.next_u64() >> 12) & cut) * 2f64.powi(power)
    }));
    let mut compared = 0;
    for format in Format::standard().iter().filter(|format| !format.is_integer()) {
        for rule in RULES {
            for &number in &numbers {
                // All digits: the shortest text that is read back as the number is another one.
                let text = parse(format, &format!("{number:.800e}"), rule);
                let own = of_number(format, number, rule);
                assert_eq!(own.as_ref().ok(), text.as_ref().ok(), "{number:e} {} {rule:?}", format.name);
                compared += u32::from(own.is_ok());
            }
        }
        let nan = of_number(format, f64::NAN, OperandRule::Exact);
        assert_eq!(nan.ok().map(|operand| operand.bits), format.nan(), "{}", format.name);
        let infinity = of_number(format, f64::NEG_INFINITY, OperandRule::Nearest);
        assert_eq!(infinity.ok().map(|operand| operand.bits), format.infinity(true), "{}", format.name);
    }
    println!("{compared} numbers compared");
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn binary64_integers() {
    let int8 = Format::named("int8").expect("a format");
    for rule in RULES {
        let bits = |number: f64| of_number(&int8, number, rule).ok().map(|operand| operand.bits);
        assert_eq!([-128.0, 127.0, -1.0, 0.0].map(bits), [Some(0x80), Some(0x7f), Some(0xff), Some(0)]);
        assert_eq!([128.0, -129.0, 0.5, f64::NAN, f64::INFINITY].map(bits), [None; 5]);
    }
}
