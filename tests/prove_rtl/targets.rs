//! Units that are made for standard cells: proved, and every planted fault of what only they have is refuted.

use tensorsmith::describe::unit::{Target, Unit};
use tensorsmith::prove::rtl::{self, Files, Means, Method, Outcome, Verdict, prove_unit};

use super::{LIMIT, needs_yosys, problem, support, unit};

fn asic(name: &str) -> Unit {
    unit(name).with_target(Target::Asic)
}

#[test]
fn units_for_standard_cells_are_proved() {
    let Some(()) = needs_yosys("prove-asic") else { return };
    let mut names = vec!["tiny-scaled"];
    if support::long_tier() {
        names.extend([
            "tiny-nearest",
            "tiny-two-groups",
            "tiny-exact",
            "volta-fp16-fp32",
            "hopper-e4m3-fp32",
            "hopper-fp16-fp32",
            "cdna3-fp16-fp32",
            "blackwell-mxf4-fp32",
        ]);
    }
    for name in names {
        let unit = asic(name);
        let proof = rtl::prove(&unit, &problem(&unit), &Means::within(LIMIT), &|_| {});
        assert_eq!(proof.composition.gaps, Vec::<String>::new(), "{name}");
        assert_eq!(proof.verdict, Verdict::Proved, "{name}");
        for signal in ["sum", "sum_less"] {
            let of_list = format!(".{signal}");
            let is_it = |name: &str| name == signal || name.ends_with(&of_list);
            let found = proof.obligations.iter().rfind(|obligation| is_it(&obligation.name));
            let outcome = &found.unwrap_or_else(|| panic!("{name} has {signal}")).outcome;
            assert_eq!(*outcome, Outcome::Proved(Method::Linear), "{name}: {signal}");
        }
    }
}

/// A leaf, what becomes what in it, and the first signal that is wrong then.
const FAULTS: [(&str, &str, &str, &str); 6] = [
    ("tensorsmith_compressor.sv", "odd ^ z_i", "odd | z_i", "sum"),
    ("tensorsmith_compressor.sv", "(x_i & y_i) | (odd & z_i)", "(x_i & y_i) | (y_i & z_i)", "sum"),
    ("tensorsmith_carry_save.sv", "gen_row[First+2].value", "gen_row[First+1].value", "sum"),
    ("tensorsmith_compound_add.sv", "(next_carries << 1) | Width'(1)", "(next_carries << 1)", "sum"),
    (
        "tensorsmith_compound_add.sv",
        "localparam int Below = (i / Half) * Half - 1;",
        "localparam int Below = 0;",
        "sum",
    ),
    ("tensorsmith_normalise.sv", "? ~less_i", "? less_i", "normalised_magnitude"),
];

#[test]
fn planted_faults_of_units_for_standard_cells_are_refuted() {
    let Some(()) = needs_yosys("faults-asic") else { return };
    let unit = asic("tiny-nearest");
    for &(name, from, to, signal) in support::sampled(&FAULTS, 6) {
        let mut files = Files::emitted(&unit).expect("it is emitted");
        let file = files.core.iter_mut().find(|file| file.name == name).expect("a leaf");
        file.text = support::first_replaced(&file.text, from, to);
        let proof = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads the files").proof;
        let Verdict::Refuted(witness) = &proof.verdict else { panic!("{to}: {:?}", proof.verdict) };
        assert_eq!(witness.signal, signal, "{to}");
    }
}
