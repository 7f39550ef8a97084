//! Two units told apart by a solver, or proved to be equivalent.

use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::difference::{Difference, Settled};
use tensorsmith::prove::sum::Sum;
use tensorsmith::prove::{Prover, difference as prove};

use crate::prove::shared::{long_tier, unit};
use crate::prove::support::prover;

fn difference(units: [&Unit; 2], prover: &Prover) -> Settled {
    let sums = units.map(Sum::alone);
    prove::difference(sums.each_ref(), prover).expect("confirmed")
}

/// One bit more at alignment shows in one product and c, and in nothing less.
#[test]
fn one_fraction_bit_shows_with_one_product() {
    let Some(prover) = prover() else { return };
    let volta = unit("volta-fp16-fp32");
    let mut longer = Unit { name: "longer".to_owned(), ..volta.clone() };
    longer.alignment_mut().fraction_bits += 1;
    let settled = difference([&volta, &longer], &prover);
    let Difference::Witness { parts, products, fewest } = settled.difference else { panic!("{settled:?}") };
    println!("{:x?}: {:x} and {:x}, {:.2} s", parts[0].vector, parts[0].answer, parts[1].answer, settled.seconds);
    assert_eq!((products, fewest), (1, true));
    // And by the RTL, where that is built in.
    assert!(parts[0].by.starts_with(&["emulator", "reference"]), "{:?}", parts[0].by);
    assert_ne!(parts[0].answer, parts[1].answer);
}

/// A carry bit more than enough changes nothing, for any input; one fewer does. Of four products, in the ordinary tier of two.
#[test]
fn units_with_spare_carry_bits_are_equivalent() {
    let Some(prover) = prover() else { return };
    let (all, enough) = if long_tier() { (4, 3) } else { (2, 2) };
    let volta = Unit { products: all, ..unit("volta-fp16-fp32") };
    let with = |bits: u32| Unit { name: format!("carry-{bits}"), carry_bits: Some(bits), ..volta.clone() };
    let settled = difference([&volta, &with(enough + 1)], &prover);
    assert_eq!(settled.difference, Difference::None);
    let settled = difference([&volta, &with(enough - 1)], &prover);
    let Difference::Witness { products, fewest, .. } = settled.difference else { panic!("{settled:?}") };
    assert_eq!((products, fewest), (all, true), "the last carry bit takes all products");
}
