//! Faults in a unit's files, through what the command and the report call, and through the command itself.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use tensorsmith::emit::SourceFile;
use tensorsmith::prove::rtl::{Files, Means, UnitProof, Verdict, prove_unit};
use tensorsmith::report::RtlReport;

use super::command::{run, text};
use super::{LIMIT, needs_yosys, support, unit};

const UNIT: &str = "tiny-nearest";

fn proved(files: &Files) -> UnitProof {
    prove_unit(&unit(UNIT), files, &Means::within(LIMIT), &|_| {}).expect("yosys reads the files")
}

fn plant(file: &mut SourceFile, from: &str, to: &str) {
    file.text = support::first_replaced(&file.text, from, to);
}

/// A leaf, what becomes what in it, and the first signal that is wrong then.
const FAULTS: [(&str, &str, &str, &str); 3] = [
    ("tensorsmith_align.sv", "placed >> (right &", "(placed >> 1'b1) >> (right &", "aligned_row[2]"),
    ("tensorsmith_adder_tree.sv", "gen_node[Left].value + gen_node", "gen_node[Left].value - gen_node", "sum"),
    ("tensorsmith_pack.sv", "not_a_number ? NanWord", "not_a_number ? ~NanWord", "packed_word"),
];

#[test]
fn planted_faults_are_refuted_by_what_the_command_calls() {
    let Some(()) = needs_yosys("faults") else { return };
    let unit = unit(UNIT);
    let emitted = Files::emitted(&unit).expect("it is emitted");
    let sound = proved(&emitted);
    assert!(sound.proof.verdict == Verdict::Proved && RtlReport::of(&unit, &sound, 0.0).is_proved());
    // In the ordinary tier of the leaves one.
    for &(name, from, to, signal) in support::sampled(&FAULTS, 3) {
        let mut files = emitted.clone();
        plant(files.core.iter_mut().find(|file| file.name == name).expect("a leaf"), from, to);
        let broken = proved(&files);
        let Verdict::Refuted(witness) = &broken.proof.verdict else { panic!("{to}: {:?}", broken.proof.verdict) };
        assert_eq!(witness.signal, signal, "{to}");
        assert_ne!(witness.netlist, witness.emulator, "{to}");
        // Verilator's model is built of other files than these, so it is not asked.
        assert_eq!(broken.answers, [("reference", Ok(witness.emulator_result))], "{to}");
        let report = RtlReport::of(&unit, &broken, 0.0);
        assert_eq!(report.verdict, "refuted", "{to}");
    }
    if support::long_tier() {
        let mut files = emitted.clone();
        plant(&mut files.wrapper, "clk_i,     //", "clk_i, output logic extra_o, //");
        let extra = "assign extra_o = a_i[0];\n  assign d_o     = result_q;";
        plant(&mut files.wrapper, "assign d_o     = result_q;", extra);
        let report = RtlReport::of(&unit, &proved(&files), 0.0);
        assert!(
            report.reason.is_some_and(|reason| reason.contains("port extra_o")),
            "a port that is none of the unit's"
        );
    }
    let mut files = emitted.clone();
    let core = files.core.iter_mut().find(|file| file.name == "tiny_nearest.sv").expect("the core");
    plant(core, "output logic [ResultWidth-1:0]            d_o   // d", "output logic [ResultWidth-1:0] d_out");
    plant(core, ".d_o(d_o)", ".d_o(d_out)");
    plant(&mut files.wrapper, ".d_o(result_d)", ".d_out(result_d)");
    let missing = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect_err("an answer is missing");
    assert!(missing.to_string().contains(r#"output ports and widths are [("d_out", 8)]"#), "{missing}");
    let mut files = emitted;
    plant(&mut files.wrapper, "assign d_o     = result_q;", "assign d_o     = result_d;");
    let report = RtlReport::of(&unit, &proved(&files), 0.0);
    assert_eq!(report.verdict, "unknown");
    assert!(report.reason.is_some_and(|reason| reason.contains("is not held by a register")));
}

/// Faults behind the last signal: every signal is proved, and an output is wrong.
#[test]
fn wrong_outputs_are_refuted() {
    let Some(()) = needs_yosys("faults-outputs") else { return };
    let proof = |name: &str, from: &str, to: &str| {
        let unit = unit(name);
        let mut files = Files::emitted(&unit).expect("it is emitted");
        let top = files.core.iter_mut().find(|file| file.name == "tensorsmith_fused.sv");
        plant(top.expect("the module of the scheme"), from, to);
        prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads the files")
    };
    let right = "{flags, packed_word}";
    let faults = [
        ("tiny-riscv", "flags_o", "{~flags, packed_word}"),
        ("tiny-riscv", "d_o", "{flags, packed_word & '0}"),
        ("tiny-nearest", "d_o", "{flags, ~packed_word}"),
        ("tiny-nearest", "d_o", "{flags, packed_word[0], packed_word[7:1]}"),
    ];
    for &(name, output, to) in support::sampled(&faults, 4) {
        let broken = proof(name, right, to);
        let Verdict::Refuted(witness) = &broken.proof.verdict else { panic!("{to}: {:?}", broken.proof.verdict) };
        assert_eq!(witness.signal, output, "{to}");
        assert_ne!(witness.netlist_result, witness.emulator_result, "{to}");
        assert_eq!(broken.answers[0], ("reference", Ok(witness.emulator_result)), "{to}");
    }
    // One that is right in another way is not refuted, and not proved either.
    let same = proof("tiny-nearest", right, "{flags, packed_word | '0}").proof.verdict;
    let Verdict::Unknown(reason) = &same else { panic!("{same:?}") };
    assert!(reason.contains("output d_o is no signal that the text's answer is"), "{reason}");
}

/// A signal inside that differs where nothing depends on it refutes no output: the fraction of a NaN.
#[test]
fn differences_inside_are_told_from_wrong_outputs() {
    let Some(()) = needs_yosys("faults-stage") else { return };
    let unit = unit(UNIT);
    let mut files = Files::emitted(&unit).expect("it is emitted");
    let leaf = files.core.iter_mut().find(|file| file.name == "tensorsmith_unpack.sv").expect("a leaf");
    plant(leaf, "= {hidden, fraction};", "= {hidden, nan_o ? FractionBits'(0) : fraction};");
    let differs = proved(&files);
    let Verdict::StageDiffers { witness, outputs_equal } = &differs.proof.verdict else {
        panic!("{:?}", differs.proof.verdict)
    };
    assert_eq!((witness.signal.as_str(), outputs_equal), ("unpacked_c_significand", &true));
    assert_eq!(witness.netlist_result, witness.emulator_result);
    let report = RtlReport::of(&unit, &differs, 0.0);
    assert_eq!(report.verdict, "stage-differs");
    assert!(report.reason.is_some_and(|reason| reason.contains("no output for any operands")));
}

/// Faults between the signals of the plan, where leaves are cut.
#[test]
fn faults_inside_leaves_are_refuted() {
    let Some(()) = needs_yosys("faults-inside") else { return };
    let unit = unit("tiny-grouped");
    let faults = [
        (
            "tensorsmith_sum.sv",
            "assign aligned[i*AlignedWidth +: AlignedWidth] = (placed ^",
            "assign aligned[i*AlignedWidth +: AlignedWidth] = (placed &",
            "step[0].aligned[0]",
        ),
        (
            "tensorsmith_adder_tree.sv",
            "gen_node[Left].value + gen_node",
            "gen_node[Left].value - gen_node",
            "step[0].sum",
        ),
        ("tensorsmith_sum.sv", " + SumWidth'(sum[SumWidth-1])", "", "step[0].sum_significand"),
        ("tensorsmith_normalise.sv", "&& (free || beside[level])", "&& free", "step[0].normalised_exponent"),
    ];
    for &(name, from, to, signal) in support::sampled(&faults, 4) {
        let mut files = Files::emitted(&unit).expect("it is emitted");
        plant(files.core.iter_mut().find(|file| file.name == name).expect("a leaf"), from, to);
        let proof = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads the files").proof;
        let Verdict::Refuted(witness) = &proof.verdict else { panic!("{to}: {:?}", proof.verdict) };
        assert_eq!(witness.signal, signal, "{to}");
    }
}

/// Faults of the rounding of a total: no carry into the exponent or the significand, another sign.
#[test]
fn faults_of_a_cut_total_are_refuted() {
    let Some(()) = needs_yosys("faults-total") else { return };
    let unit = unit("tiny-two-groups");
    let faults = [
        ("carry ? next_exponent : normalised_exponent", "normalised_exponent", "step[6].rounded_exponent"),
        (
            "carry ? rounded[Precision:1] : rounded[Precision-1:0]",
            "rounded[Precision-1:0]",
            "step[6].rounded_significand",
        ),
        ("negative && has_sign", "negative || has_sign", "step[6].rounded_negative"),
    ];
    for &(from, to, signal) in support::sampled(&faults, 3) {
        let mut files = Files::emitted(&unit).expect("it is emitted");
        let file = files.core.iter_mut().find(|file| file.name == "tensorsmith_number_round.sv");
        plant(file.expect("a leaf"), from, to);
        let proof = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads the files").proof;
        let Verdict::Refuted(witness) = &proof.verdict else { panic!("{from}: {:?}", proof.verdict) };
        assert_eq!(witness.signal, signal, "{from}");
    }
}

/// The folder's report and the exit code of the proof of the files in it.
fn command(folder: &Path) -> (Option<i32>, Value) {
    let at = |name: &str| folder.join(name).display().to_string();
    let (files, json, cache) = (at("rtl"), at("proof.json"), at("kept"));
    let output = run(&["prove", UNIT, "--rtl", "--files", &files, "--json", &json, "--cache", &cache, "--jobs", "1"]);
    let report = std::fs::read_to_string(json).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    (output.status.code(), serde_json::from_str(&report).expect("it is JSON"))
}

#[test]
fn files_of_a_folder_are_proved_or_refuted() {
    let Some(()) = needs_yosys("faults-files") else { return };
    let folder = TempDir::new().expect("a folder");
    let rtl = folder.path().join("rtl");
    let emit = || assert!(run(&["emit", UNIT, "--out", &rtl.display().to_string()]).status.success());
    emit();
    let (code, report) = command(folder.path());
    assert_eq!((code, &report["verdict"]), (Some(0), &"proved".into()), "{report}");
    for &(name, from, to, signal) in support::sampled(&FAULTS, 3) {
        let path = rtl.join(name);
        let mut file = SourceFile { name: name.to_owned(), text: std::fs::read_to_string(&path).expect("a leaf") };
        plant(&mut file, from, to);
        std::fs::write(&path, file.text).expect("it is ours");
        // A refutation is not kept: the second time is as the first. The ordinary tier does not ask a second time.
        for _ in 0..if support::long_tier() { 2 } else { 1 } {
            let (code, report) = command(folder.path());
            assert_eq!((code, &report["verdict"]), (Some(1), &"refuted".into()), "{to}: {report}");
            assert_eq!((&report["witness"]["signal"], &report["cached"]), (&signal.into(), &false.into()), "{report}");
        }
        emit();
    }
    let (code, report) = command(folder.path());
    assert_eq!((code, &report["cached"]), (Some(0), &true.into()), "the files are the first ones again");
    let refused = |what: &str| {
        let output = run(&["prove", UNIT, "--rtl", "--files", &rtl.display().to_string()]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(what), "{}", text(&output.stderr));
    };
    let strange = rtl.join("x ; exec -- true.sv");
    std::fs::write(&strange, "").expect("it is ours");
    refused("the file's name; allowed: letters");
    std::fs::remove_file(strange).expect("it is there");
    std::fs::write(rtl.join("more.sv"), "`include \"/other.svh\"\n").expect("it is ours");
    refused("`include reads another file");
    std::fs::remove_file(rtl.join("more.sv")).expect("it is there");
    std::fs::write(rtl.join("tiny_nearest.sv"), "module tiny_nearest; endmodule\n").expect("it is ours");
    refused("tiny_nearest");
    std::fs::remove_file(rtl.join("tiny_nearest_registered.sv")).expect("it is there");
    refused("there is no file tiny_nearest_registered.sv");
}
