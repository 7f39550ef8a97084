//! Which formats hold all of another: the rule against every encoding.

use tensorsmith::describe::format::{Class, Format, Overflow, Rounding};

/// Whether every datum of `inner` goes to `outer` and back unchanged.
fn goes_and_returns(outer: &Format, inner: &Format) -> bool {
    (0..=inner.mask()).all(|bits| {
        let value = inner.to_f64(bits);
        match inner.decode(bits).class {
            Class::Nan => outer.nan().is_some(),
            Class::Infinite => outer.infinity(value < 0.0).is_some(),
            Class::Zero if outer.zero(true) == outer.zero(false) => value.is_sign_positive(),
            _ => {
                let there = outer.from_f64(value, Rounding::TowardZero, Overflow::Ieee);
                outer.to_f64(there).to_bits() == value.to_bits()
            }
        }
    })
}

#[test]
fn holds_exhaustive_standard_formats() {
    let formats = Format::standard();
    let mut held = Vec::new();
    let mut pairs = 0;
    for inner in formats.iter().filter(|format| format.width() <= 16) {
        for outer in &formats {
            let expected = outer.is_integer() == inner.is_integer() && goes_and_returns(outer, inner);
            assert_eq!(outer.holds(inner), expected, "{} in {}", inner.name, outer.name);
            pairs += 1;
            if outer.holds(inner) {
                held.push(format!("{} in {}", inner.name, outer.name));
            }
        }
    }
    for pair in ["e4m3 in binary16", "e5m2 in binary16", "binary16 in tf32", "e2m1 in e4m3", "ue8m0 in bfloat16"] {
        assert!(held.iter().any(|held| held == pair), "{pair}: {held:?}");
    }
    assert!(!held.iter().any(|pair| pair == "bfloat16 in binary16" || pair == "e2m1 in e4m3fnuz"), "{held:?}");
    println!("ran {pairs} pairs of formats: in {} the second holds the first", held.len());
}
