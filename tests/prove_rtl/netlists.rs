//! What is read of SystemVerilog: operators against their meaning, and text that is not understood.

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::emit::SourceFile;
use tensorsmith::prove::aig::{Aig, Literal, Patterns, simulate};
use tensorsmith::prove::netlist::{self, Blaster, Kind, Netlist, NetlistError};
use tensorsmith::prove::rtl::Whole;

use super::{LIMIT, needs_yosys, problem, support, unit};

fn module(body: &str) -> Result<Netlist, NetlistError> {
    let text = format!("// A probe.\nmodule probe (\n{body}\nendmodule\n");
    netlist::read("probe", &[SourceFile { name: "probe.sv".to_owned(), text }], LIMIT)
}

/// An operator's expression and its meaning.
type Operator = (&'static str, fn(u64, u64) -> u64);

fn signed(value: u64) -> i64 {
    ((value << 60) as i64) >> 60
}

const OPERATORS: [Operator; 24] = [
    ("a + b", |a, b| a + b),
    ("a - b", |a, b| a.wrapping_sub(b)),
    ("a * b", |a, b| a * b),
    ("-a", |a, _| a.wrapping_neg()),
    ("~a", |a, _| !a),
    ("a & b", |a, b| a & b),
    ("a | b", |a, b| a | b),
    ("a ^ b", |a, b| a ^ b),
    ("8'(&a)", |a, _| u64::from(a == 15)),
    ("8'(|a)", |a, _| u64::from(a != 0)),
    ("8'(^a)", |a, _| u64::from(a.count_ones() % 2 == 1)),
    ("8'(!a)", |a, _| u64::from(a == 0)),
    ("8'(a && b)", |a, b| u64::from(a != 0 && b != 0)),
    ("8'(a || b)", |a, b| u64::from(a != 0 || b != 0)),
    ("8'(a == b)", |a, b| u64::from(a == b)),
    ("8'(a != b)", |a, b| u64::from(a != b)),
    ("8'(a < b)", |a, b| u64::from(a < b)),
    ("8'(a >= b)", |a, b| u64::from(a >= b)),
    ("8'($signed(a) <= $signed(b))", |a, b| u64::from(signed(a) <= signed(b))),
    ("8'($signed(a) > $signed(b))", |a, b| u64::from(signed(a) > signed(b))),
    ("$signed(a) * $signed(b)", |a, b| (signed(a) * signed(b)) as u64),
    ("a << b", |a, b| a << b),
    ("a >> b", |a, b| a >> b),
    ("a[0] ? a : b", |a, b| if a & 1 == 1 { a } else { b }),
];

#[test]
fn operators_machine_integers_exhaustive() {
    let Some(()) = needs_yosys("netlist-operators") else { return };
    for (expression, expected) in OPERATORS {
        let ports = "  input logic [3:0] a, input logic [3:0] b, output logic [7:0] y);";
        let design = module(&format!("{ports}\n  assign y = {expression};")).expect("yosys reads it");
        let mut aig = Aig::default();
        let mut blaster = Blaster::new(&design);
        for (_, bits) in &design.inputs {
            let values = aig.word_input(bits.len());
            assert!(blaster.give(bits, &values).is_empty());
        }
        let result = blaster.bits(&mut aig, &design.outputs[0].1).expect("it has a function");
        let row =
            |bit: usize| (0..4).map(|word| (0..64).fold(0, |all, p| all | ((64 * word + p) >> bit & 1) << p)).collect();
        let values = simulate(&aig, &Patterns { words: 4, rows: (0..8).map(row).collect() });
        for pattern in 0..256u64 {
            let got = result.iter().enumerate().fold(0, |all, (place, &bit): (usize, &Literal)| {
                all | u64::from(values.bit(bit, pattern as usize)) << place
            });
            let (a, b) = (pattern & 15, pattern >> 4);
            assert_eq!(got, expected(a, b) & 0xff, "{expression}: a = {a}, b = {b}");
        }
    }
}

#[test]
fn modules_that_are_not_understood_are_refused() {
    let Some(()) = needs_yosys("netlist-refusals") else { return };
    let ports = "  input logic clk, input logic [3:0] a, output logic [3:0] y);";
    let refused = |body: &str| module(&format!("{ports}\n{body}")).expect_err("it is refused").to_string();
    assert!(refused("  assign y = a +;").contains("yosys does not read module probe"));
    assert!(refused("  other u_other (.a(a), .y(y));").contains("other"));
    assert!(refused("  assign y = a / 4'd3;").contains("type $div is not known here"));
    let function = |body: &str| {
        let design = module(&format!("{ports}\n{body}")).expect("yosys reads it");
        let mut aig = Aig::default();
        let mut blaster = Blaster::new(&design);
        for (_, bits) in &design.inputs {
            let values = aig.word_input(bits.len());
            blaster.give(bits, &values);
        }
        blaster.bits(&mut aig, &design.outputs[0].1).expect_err("it has no function").to_string()
    };
    assert!(function("  always_ff @(posedge clk) y <= a;").contains("there is a register"));
    assert!(function("  assign y = {a[3:1], y[0] & a[0]};").contains("depends on its own result"));
    assert!(function("  assign y = {3'b0, 1'bx};").contains("undefined bit"));
    assert!(function("  assign y[2:0] = a[2:0];").contains("no driver"));
}

/// The netlist as it is read here, simulated, has the emulator's signals.
#[test]
fn netlists_emulator_shaped() {
    let Some(()) = needs_yosys("netlist-simulation") else { return };
    let long = support::long_tier();
    let names: &[&str] =
        if long { &["volta-fp16-fp32", "hopper-fp16-fp32", "tiny-then-add"] } else { &["volta-fp16-fp32"] };
    for name in names {
        let unit = unit(name);
        let problem = problem(&unit);
        let whole = Whole::of(&problem).expect("every signal has a function");
        assert_eq!(whole.search(&unit, &problem, 1 << 14), None, "{name}");
        assert!(Stimulus::shaped(&unit, 1).classes().len() > 3);
        assert!(problem.netlist.cells.iter().any(|cell| cell.kind == Kind::Multiply));
    }
}
