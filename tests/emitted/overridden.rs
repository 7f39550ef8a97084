//! The unit that parameters make: the one whose instance is given them.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{instance, overridden};

use super::support::random_unit;

fn of(module: &str, given: &[(&str, &str)]) -> Result<Unit, String> {
    let given: Vec<(String, String)> = given.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    overridden::unit(module, &given).map_err(|error| error.to_string())
}

/// Names of custom formats, evidence and words for people are no parameters.
#[test]
fn parameters_of_every_unit_make_it_again() {
    let units: Vec<Unit> = catalogue::units().into_iter().chain(random_unit::units().take(300)).collect();
    for unit in &units {
        let Some(top) = instance::top(unit.scheme) else { continue };
        let parameters = instance::overrides(unit);
        let again =
            overridden::unit(top, &parameters).unwrap_or_else(|error| panic!("{}: {error}: {parameters:?}", unit.name));
        assert_eq!(instance::overrides(&again), parameters, "{}", unit.name);
        assert_eq!(Plan::of(&again).constants(), Plan::of(unit).constants(), "{}", unit.name);
    }
    println!("{} units made again from their parameters", units.len());
}

/// What is not overridden is as the module has it.
#[test]
fn modules_have_their_own_parameters() {
    let unit = of("tensorsmith_fused", &[("Products", "8"), ("ResultRounding", "1")]).expect("a unit");
    assert_eq!((unit.products, unit.alignment().fraction_bits, unit.formats.a.name.as_str()), (8, 24, "binary16"));
    assert_eq!(unit.conversion.nan, 0x7fff_ffff);
    for module in overridden::tops() {
        of(module, &[]).unwrap_or_else(|error| panic!("{module}: {error}"));
    }
}

#[test]
fn parameters_that_make_no_unit() {
    for (module, name, value, said) in [
        (
            "tensorsmith_fusd",
            "Products",
            "8",
            "--top tensorsmith_fusd: no module of a scheme; allowed: tensorsmith_fused",
        ),
        ("tensorsmith_fused", "Product", "8", "no such parameter; nearest: Products"),
        ("tensorsmith_integer", "NanWord", "8", "no such parameter"),
        ("tensorsmith_fused", "Products", "many", "allowed: a number"),
        ("tensorsmith_fused", "Products", "65", "field `products` is 65; allowed: 1 to 64"),
        ("tensorsmith_fused", "Products", "-1", "allowed: 0 and more"),
        ("tensorsmith_fused", "ResultRounding", "6", "allowed: 0 to 5"),
        ("tensorsmith_fused", "CarryBits", "9", "carry_bits"),
        ("tensorsmith_fused", "Cuts", "1024", "allowed: 0 to 1023"),
        ("tensorsmith_fused", "OperandANonFinite", "4", "allowed: 0 to 3"),
        ("tensorsmith_fused", "NanWord", "32'h7f800000", "conversion.nan"),
        ("tensorsmith_integer", "OperandAWidth", "7", "those of"),
    ] {
        let refused = of(module, &[(name, value)]).expect_err(name);
        assert!(refused.contains(said), "{module} {name}={value}: {refused}");
    }
    let unread = of("tensorsmith_fused", &[("HasAddend", "0"), ("AddendBias", "3")]).expect_err("c is not read");
    assert!(unread.contains("AddendBias=3") && unread.contains("none beside the other parameters"), "{unread}");
}

/// Whatever a parameter is, it makes a unit or is refused.
#[test]
fn any_number_is_taken_or_refused() {
    let numbers = ["-2147483648", "-1", "0", "1", "2", "7", "12", "33", "64", "65", "1000", "2147483647", "4294967295"];
    let (mut taken, mut refused) = (0, 0);
    for module in overridden::tops() {
        let own = instance::overrides(&of(module, &[]).expect("the module's own unit"));
        for (name, _) in own {
            for number in numbers {
                match of(module, &[(&name, number)]) {
                    Ok(_) => taken += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 100 && refused > 400, "{taken} taken, {refused} refused");
}
