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

    const FAULTS: [Fault; 9] = [
        Fault {
            name: "a scale applied to c",
            file: "tensorsmith_block_scaled.sv",
            right: ".exponent_i(unpacked_c_exponent),",
            wrong: ".exponent_i(unpacked_c_exponent + unpacked_scale_a_exponent[0 +: ExponentWidth]),",
            stage: Stage::Product,
        },
        Fault {
            name: "every block with the first scale of a",
            file: "tensorsmith_block_scaled.sv",
            right: "(scale_a[s*ScaleAWidth +: ScaleAWidth])",
            wrong: "(scale_a[0 +: ScaleAWidth])",
            stage: Stage::Unpacked,
        },
        Fault {
            name: "the sign of each group's last product lost",
            file: "tensorsmith_block_scaled.sv",
            right: "(factor_negative[g*GroupSize +: GroupSize])",
            wrong: "({1'b0, factor_negative[g*GroupSize +: GroupSize-1]})",
            stage: Stage::Product,
        },
        Fault {
            name: "a scale's significand ignored",
            file: "tensorsmith_scale.sv",
            right: "* TermWidth'(scale_b_significand_i);",
            wrong: "* TermWidth'(1 << (ScaleBWidth - 1));",
            stage: Stage::Product,
        },
        Fault {
            name: "the exponent of b's scale halved",
            file: "tensorsmith_scale.sv",
            right: ": exponent_i + scale_a_exponent_i + scale_b_exponent_i;",
            wrong: ": exponent_i + scale_a_exponent_i + (scale_b_exponent_i >>> 1);",
            stage: Stage::Product,
        },
        Fault {
            name: "zero terms in the anchor",
            file: "tensorsmith_scale.sv",
            right: "assign zero          = significand_i == '0 ||",
            wrong: "assign zero          = significand_i == '1 ||",
            stage: Stage::Product,
        },
        Fault {
            name: "a group's product one place too low",
            file: "tensorsmith_group_sum.sv",
            right: "<< distance;",
            wrong: "<< (distance == '0 ? distance : distance - ExponentWidth'(1));",
            stage: Stage::Product,
        },
        Fault {
            name: "NaN scales of b ignored",
            file: "tensorsmith_block_scaled.sv",
            right: "= unpacked_b_nan[i] || unpacked_scale_b_nan[i/BlockSize]",
            wrong: "= unpacked_b_nan[i] || unpacked_scale_b_nan[0]",
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
