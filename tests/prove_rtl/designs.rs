//! `prove --design`: emitted units without their names, registers that were moved by hand, designs of other structure, and faults
//! that must be found.

use std::path::Path;
use std::time::Duration;

use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::design::Design;
use tensorsmith::emit::{self, SourceFile};
use tensorsmith::prove::design::{DesignProof, DesignProofError, Means, Setting, Verdict, prove};
use tensorsmith::prove::sat::lrat;

use super::command::{run, text};
use super::{files, needs_yosys, support, unit};

const MEANS: Means = Means { query: Duration::from_secs(120), total: Duration::from_secs(280) };

/// A design file and its sources in a folder of their own; what becomes of it.
fn proved(unit: &Unit, sources: &[SourceFile], file: &str) -> Result<DesignProof, DesignProofError> {
    let folder = tempfile::tempdir().expect("a folder");
    emit::write(folder.path(), sources).expect("sources");
    let design = Design::parse(folder.path(), "design.toml", file).expect("a design file");
    prove(unit, &design, MEANS, &|_| {})
}

/// A design of the repository's examples, with a fault or without.
fn example(name: &str, fault: Option<(&str, u32)>) -> Result<DesignProof, DesignProofError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/designs").join(name);
    let mut file = std::fs::read_to_string(folder.join("design.toml")).expect("an example");
    if let Some((parameter, value)) = fault {
        file += &format!("\n[parameters]\n{parameter} = {value}\n");
    }
    let unit = Unit::from_file(&folder.join("../unit.toml")).expect("a unit");
    let design = Design::parse(&folder, name, &file).expect("a design file");
    prove(&unit, &design, MEANS, &|_| {})
}

const TINY: &str = r#"
name    = "renamed"
top     = "mine"
sources = ["*.sv"]

[ports]
a = "x"
b = "y"
c = "z"
d = "r"
"#;

/// An emitted unit behind other names; its netlist is flat, and none of its own names are used.
fn renamed(unit: &Unit) -> Vec<SourceFile> {
    let mut sources = files(unit);
    let width = |count: u32, width: u32| count * width - 1;
    let [a, b] = [&unit.formats.a, &unit.formats.b].map(|format| width(unit.products, format.width()));
    let [c, d] = [&unit.formats.c, &unit.formats.d].map(|format| width(1, format.width()));
    let ports = format!("input [{a}:0] x, input [{b}:0] y, input [{c}:0] z, output [{d}:0] r");
    let text = format!(
        "module mine ({ports});\n  {} inner (.a_i(x), .b_i(y), .c_i(z), .d_o(r));\nendmodule\n",
        unit.module_name()
    );
    sources.push(SourceFile { name: "mine.sv".to_owned(), text });
    sources
}

fn is_proved(proof: &DesignProof) -> bool {
    matches!(proof.verdict, Verdict::Proved)
}

#[test]
fn an_emitted_unit_is_proved_without_its_names() {
    let Some(()) = needs_yosys("designs-emitted") else { return };
    let tiny = unit("tiny-nearest");
    let proof = proved(&tiny, &renamed(&tiny), TINY).expect("it is supported");
    assert!(is_proved(&proof), "{:?}", proof.verdict);
    assert_eq!((proof.setting, proof.latency, proof.bits.len()), (Setting::Combinational, 0, 8));
    assert_eq!(proof.numbers, 1, "a sum whose terms stand in another order");
    // What was found counts because its proof is accepted; one with a wrong step is not.
    let refutation = proof.refutation.expect("a proof");
    assert_eq!(lrat::check(&refutation.cnf, &refutation.proof), Ok(()));
    let mut wrong = refutation.proof.clone();
    let step = wrong.steps.iter_mut().rev().find(|step| step.clause.len() == 2).expect("two nodes that are equal");
    step.clause[0] = -step.clause[0];
    assert!(lrat::check(&refutation.cnf, &wrong).is_err(), "a pair that was merged with the wrong sign");
    let mut open = refutation.cnf.clone();
    open.clauses.pop();
    assert!(lrat::check(&open, &refutation.proof).is_err(), "nothing says that a bit differs");
}

/// In the long tier only: the small unit that is proved without its names has such a sum too.
#[test]
fn sums_in_another_order_are_proved() {
    if !support::long_tier() || needs_yosys("designs-sums").is_none() {
        return;
    }
    let unit =
        Unit::from_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/designs/unit.toml")).expect("a unit");
    let proof = proved(&unit, &renamed(&unit), TINY).expect("it is supported");
    assert!(is_proved(&proof) && proof.numbers == 1, "{:?}", proof.verdict);
}

/// A unit with registers at all places, whose module was changed by hand.
fn retimed(edits: &[[&str; 2]]) -> Result<DesignProof, DesignProofError> {
    let plain = unit("tiny-nearest");
    let unit = plain.with_cuts(Cut::places(plain.scheme).iter().copied());
    let mut sources = files(&unit);
    let core = sources.iter_mut().find(|file| file.name == "tensorsmith_fused.sv").expect("the module of the scheme");
    for [from, to] in edits {
        core.text = support::replaced(&core.text, from, to);
    }
    let (top, latency) = (unit.module_name(), unit.latency());
    let file = format!(
        "name = \"retimed\"\ntop = \"{top}\"\nsources = [\"*.sv\"]\n[ports]\na = \"a_i\"\nb = \"b_i\"\nc = \"c_i\"\nd = \"d_o\"\n\
         [clock]\nport = \"clk_i\"\nenable = \"ce_i\"\n[timing]\nlatency = {latency}\n"
    );
    proved(&unit.combinational(), &sources, &file)
}

/// Registers of the operands, moved behind inverters.
const OPERANDS: [[&str; 2]; 2] = [
    [
        "  tensorsmith_delay #(\n      .Width  (Products*OperandAWidth",
        "  wire [Products*OperandAWidth + Products*OperandBWidth + AddendWidth-1:0] kept;\n  assign {a, b, c} = ~kept;\n\n  \
         tensorsmith_delay #(\n      .Width  (Products*OperandAWidth",
    ],
    [".value_i({a_i, b_i, c_i}),\n      .value_o({a, b, c})", ".value_i(~{a_i, b_i, c_i}),\n      .value_o(kept)"],
];
/// The register of the products' signs, moved in front of the gate that makes them.
const SIGNS: [[&str; 2]; 2] = [
    [
        "  tensorsmith_delay #(\n      .Width  (Products*(1 + BiasedWidth + ProductWidth)),",
        "  wire [Products-1:0] left, right;\n  assign factor_negative = left ^ right;\n\n  \
         tensorsmith_delay #(\n      .Width  (Products*(2 + BiasedWidth + ProductWidth)),",
    ],
    [
        ".value_i({product_negative, product_biased, product_significand}),\n      .value_o({factor_negative,",
        ".value_i({unpacked_a_negative, unpacked_b_negative, product_biased, product_significand}),\n      \
         .value_o({left, right,",
    ],
];
/// The register of the result, moved between two gates that undo each other.
const RESULT: [[&str; 2]; 2] = [
    [
        "  tensorsmith_delay #(\n      .Width  (2 + ResultWidth),",
        "  wire [ResultWidth-1:0] differences;\n  for (genvar i = 0; i < ResultWidth; i = i + 1) begin : gen_result\n    \
         assign d_o[i] = ^differences[i:0];\n  end\n\n  tensorsmith_delay #(\n      .Width  (2 + ResultWidth),",
    ],
    [
        ".value_i({flags, packed_word}),\n      .value_o({flags_o, d_o})",
        ".value_i({flags, packed_word ^ (packed_word << 1)}),\n      .value_o({flags_o, differences})",
    ],
];

#[test]
fn registers_may_be_moved() {
    let Some(()) = needs_yosys("designs-retimed") else { return };
    // In the ordinary tier those of the operands.
    let all = [("operands", &OPERANDS[..]), ("signs", &SIGNS), ("result", &RESULT)];
    for &(what, edits) in support::sampled(&all, 3) {
        let proof = retimed(edits).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(is_proved(&proof), "{what}: {:?}", proof.verdict);
        assert_eq!(proof.setting, Setting::AnyTraffic, "{what}");
        assert!(proof.register_bits > 0 && proof.latency > 2, "{what}");
    }
    // One register too many on one path: its operands are those of another vector.
    let late = [["      .Latency(CutProduct)\n  ) u_c (", "      .Latency(CutProduct + 1)\n  ) u_c ("]];
    let refused = retimed(&late).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        refused.contains("not supported, because") && refused.contains("the result depends on what"),
        "{refused:?}"
    );
}

/// Needs Verilator, which confirms what is refuted.
#[test]
fn a_planted_fault_is_refuted() {
    let Some(()) = needs_yosys("designs-fault") else { return };
    let proof = example("verilog", Some(("FAULT", 1))).expect("it is supported");
    let Verdict::Refuted(refuted) = proof.verdict else { panic!("{:?}", proof.verdict) };
    assert_ne!(refuted.design, Ok(refuted.emulator));
    assert_eq!(refuted.reference, Ok(refuted.emulator));
}

/// Whether this Yosys has slang, without which SystemVerilog of the examples is not read.
fn reads(name: &str, found: &Result<DesignProof, DesignProofError>) -> bool {
    match found {
        Err(DesignProofError::Netlist { why, .. }) if why.to_string().contains("it has slang") => {
            support::skip(&format!("designs-slang-{name}"), "this Yosys has no slang");
            false
        }
        Err(DesignProofError::Source(why)) if why.to_string().contains("ghdl") => {
            support::skip("designs-ghdl", why.to_string());
            false
        }
        _ => true,
    }
}

#[test]
fn examples_are_proved_and_their_faults_refuted() {
    if !support::long_tier() || needs_yosys("designs-examples").is_none() {
        return;
    }
    // One vector alone does not show what a handshake or earlier vectors do wrong; simulating the proved design does.
    let examples = [
        ("pipelined", "Fault", &[1, 2][..], &[][..], &[][..]),
        ("verilog", "FAULT", &[1, 2], &[], &[]),
        ("vhdl", "fault", &[1, 2], &[], &[]),
        ("elastic", "Fault", &[2], &[1], &[3]),
        ("serial", "Fault", &[2], &[1], &[]),
    ];
    for (name, parameter, refuted, alone, refused) in examples {
        let found = example(name, None);
        if !reads(name, &found) {
            continue;
        }
        let proof = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(is_proved(&proof), "{name}: {:?}", proof.verdict);
        for &fault in refuted {
            let proof =
                example(name, Some((parameter, fault))).unwrap_or_else(|error| panic!("{name} {fault}: {error}"));
            assert!(matches!(proof.verdict, Verdict::Refuted(_)), "{name} {fault}: {:?}", proof.verdict);
        }
        for &fault in alone {
            let proof =
                example(name, Some((parameter, fault))).unwrap_or_else(|error| panic!("{name} {fault}: {error}"));
            let contradicted = matches!(proof.verdict, Verdict::Contradicted(_));
            assert!(contradicted && proof.setting == Setting::Alone, "{name} {fault}: {:?}", proof.verdict);
        }
        // A result that is repeated for some operands only: when one is there is no matter of clocks alone.
        for &fault in refused {
            let said = example(name, Some((parameter, fault))).map(|proof| format!("{:?}", proof.verdict));
            let said = said.expect_err("it is no unit").to_string();
            assert!(said.contains("not supported, because output.valid depends on the operands"), "{name}: {said}");
        }
        println!("ran {name}: proved, and {} faults refuted", refuted.len());
    }
}

#[test]
fn the_command_says_what_is_proved() {
    let Some(()) = needs_yosys("designs-command") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    emit::write(folder.path(), &renamed(&unit("tiny-nearest"))).expect("sources");
    let design = folder.path().join("design.toml");
    std::fs::write(&design, TINY).expect("a design file");
    let design = design.to_str().expect("text");
    let json = folder.path().join("proof.json");
    let output = run(&["prove", "tiny-nearest", "--design", design, "--json", json.to_str().expect("text")]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.contains("renamed: proved to equal tiny-nearest: for all operands"), "{said}");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("a report")).expect("it is JSON");
    assert_eq!((&report["verdict"], &report["unit"]), (&"proved".into(), &"tiny-nearest".into()));
    assert_eq!(report["bits"].as_array().map(Vec::len), Some(8));
    for (arguments, what) in [
        (&["prove", "--design", design][..], "field `equals` is missing"),
        (&["prove", "tiny-nearest", "--rtl", "--design", design], "--rtl: it says nothing of a design"),
        (&["prove", "tiny-truncating-not", "--design", design], "tiny-truncating-not"),
    ] {
        let refused = run(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains(what), "{arguments:?}: {}", text(&refused.stderr));
    }
}
