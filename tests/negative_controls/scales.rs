//! Faults of scales and groups: other unit descriptions, and changed lines of emitted files.

use tensorsmith::describe::format::{Format, NonFinite};
use tensorsmith::describe::unit::{Scales, Unit};

use super::harness::assert_unit_caught;
use super::units;
use crate::support::unit;

const SCALED: [&str; 3] = ["blackwell-mx-e4m3-fp32", "blackwell-mxf4-fp32", "blackwell-nvf4-fp32"];
const GROUPED: [&str; 2] = ["blackwell-mxf4-fp32", "blackwell-nvf4-fp32"];

/// The unit with other scales.
fn changed(unit: &Unit, change: impl Fn(&mut Scales)) -> Unit {
    units::changed(unit, |unit| change(unit.scales.as_mut().expect("a unit with scales")))
}

#[test]
fn scale_exponent_off_by_one() {
    for right in SCALED.map(unit) {
        for shift in [-1, 1] {
            assert_unit_caught("bias of a's scale", &right, &changed(&right, |scales| scales.a.bias += shift));
            assert_unit_caught("bias of b's scale", &right, &changed(&right, |scales| scales.b.bias += shift));
        }
    }
}

#[test]
fn group_of_another_size() {
    for right in GROUPED.map(unit) {
        assert_unit_caught("groups of 8", &right, &changed(&right, |scales| scales.group = Some(8)));
    }
    let right = unit("blackwell-mxf4-fp32");
    assert_unit_caught("groups of 32", &right, &changed(&right, |scales| scales.group = Some(32)));
}

/// Without groups every product is aligned by itself: exponents of elements take part in the anchor.
#[test]
fn element_exponents_in_the_alignment() {
    for right in GROUPED.map(unit) {
        assert_unit_caught("no groups", &right, &changed(&right, |scales| scales.group = None));
    }
}

#[test]
fn products_grouped_that_are_not() {
    let right = unit("blackwell-mx-e4m3-fp32");
    assert_unit_caught("groups of 16", &right, &changed(&right, |scales| scales.group = Some(16)));
}

#[test]
fn scale_without_nan() {
    for right in SCALED.map(unit) {
        let finite = |format: &mut Format| format.non_finite = NonFinite::None;
        assert_unit_caught("NaN scales of a are numbers", &right, &changed(&right, |scales| finite(&mut scales.a)));
        assert_unit_caught("NaN scales of b are numbers", &right, &changed(&right, |scales| finite(&mut scales.b)));
    }
}

#[cfg(feature = "rtl")]
mod emitted {
    use tensorsmith::compute::record::Stage;

    use super::super::emitted::{Fault, assert_caught_and_located};
    use super::super::support;
    use super::unit;

    const UNIT: &str = "blackwell_nvf4_fp32.sv";

    const FAULTS: [Fault; 6] = [
        Fault {
            name: "every block with the first scale of a",
            file: UNIT,
            right: "scale_a_i[i*ScaleAWidth +: ScaleAWidth]",
            wrong: "scale_a_i[0*ScaleAWidth +: ScaleAWidth]",
            stage: Stage::Unpacked,
        },
        Fault {
            name: "the sign of products lost",
            file: "tensorsmith_number_product.sv",
            right: "x_negative_i ^ y_negative_i",
            wrong: "x_negative_i",
            stage: Stage::Product,
        },
        Fault {
            name: "zero terms in the anchor",
            file: "tensorsmith_sum.sv",
            right: "= number_absent[i] ? AnchorWidth'(Low)",
            wrong: "= number_absent[i] ? AnchorWidth'(Floor + 32)",
            stage: Stage::Packed,
        },
        Fault {
            name: "a product of a group one place too low",
            file: "tensorsmith_sum.sv",
            right: "AlignedWidth'(significand_i[i*SignificandWidth +: SignificandWidth]) << PlaceLeft) << distance;",
            wrong: "AlignedWidth'(significand_i[i*SignificandWidth +: SignificandWidth]) << PlaceLeft) << (distance | AnchorWidth'(i == 0));",
            stage: Stage::Packed,
        },
        Fault {
            name: "NaN of a second factor is a number",
            file: "tensorsmith_number_product.sv",
            right: "x_nan_i || y_nan_i || invalid_o;",
            wrong: "x_nan_i || invalid_o;",
            stage: Stage::Packed,
        },
        Fault {
            name: "subnormal scales with a hidden bit",
            file: "tensorsmith_unpack.sv",
            right: "assign hidden         = exponent_field != '0;",
            wrong: "assign hidden         = exponent_field != '0 || SignBits == 0;",
            stage: Stage::Unpacked,
        },
    ];

    #[test]
    fn changed_lines_of_scales_are_caught_and_located() {
        let mut unit = unit("blackwell-nvf4-fp32");
        if !support::long_tier() {
            // Two blocks instead of four: half as much to compile for each fault.
            unit.products = 32;
        }
        for fault in support::sampled(&FAULTS, 3) {
            assert_caught_and_located(&unit, fault);
        }
    }
}
