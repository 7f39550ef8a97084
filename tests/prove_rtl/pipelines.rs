//! Registers inside a unit's module: they only delay, and the module without them is proved as others are.

use std::collections::BTreeSet;

use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::emit;
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::{self, Registered, Verdict};

use super::{LIMIT, files, needs_yosys, prove, support, unit};

fn cut(name: &str, cuts: impl IntoIterator<Item = Cut>) -> Unit {
    unit(name).with_cuts(cuts)
}

fn all(name: &str) -> Unit {
    cut(name, Cut::places(unit(name).scheme).iter().copied())
}

/// What is found of the registers of a unit's files, one of them changed.
fn registers(unit: &Unit, change: impl Fn(&str, &str) -> String) -> (netlist::Netlist, Registered) {
    let mut sources = files(unit);
    sources.iter_mut().for_each(|source| source.text = change(&source.name, &source.text));
    let netlist = netlist::read(&unit.module_name(), &sources, LIMIT).expect("yosys reads it");
    rtl::combinational(&unit.module_name(), netlist, unit.latency())
}

fn as_it_is(_: &str, text: &str) -> String {
    text.to_owned()
}

#[test]
fn registers_only_delay() {
    let Some(()) = needs_yosys("pipelines") else { return };
    let volta = "volta-fp16-fp32";
    // Proofs of the same text with registers elsewhere: of Volta's unit in the long tier, of the others the ordinary one takes one in
    // six.
    let (measured, count) = if support::long_tier() { (10, 20u64) } else { (0, 0) };
    let measured = (1..=measured).filter_map(|count| Some(cut(volta, Cut::best(unit(volta).scheme, count)?)));
    let places = Cut::places(unit(volta).scheme);
    let random = (1..=count).map(|number| {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let taken = places.iter().enumerate().filter(|(place, _)| mixed >> place & 1 == 1).map(|(_, cut)| *cut);
        cut(volta, taken.collect::<BTreeSet<_>>())
    });
    let others = [
        "tiny-fma",
        "tiny-even-odd",
        "tiny-grouped",
        "tiny-scaled",
        "tiny-then-add",
        "tiny-two-groups",
        "tiny-integer",
        "tiny-riscv",
        "tiny-exact",
        "tiny-pairwise",
        "tiny-pair-chain",
    ];
    let others = support::sampled(&others, 6).into_iter().map(|name| all(name));
    let units: Vec<Unit> = measured.chain(random).chain(others).filter(|unit| !unit.build.cuts.is_empty()).collect();
    support::in_parallel(&units, |unit| {
        let (netlist, registered) = registers(unit, as_it_is);
        assert_eq!(registered.gaps, Vec::<String>::new(), "{} {:?}", unit.name, unit.build.cuts);
        assert_eq!(registered.latency, unit.latency() as usize);
        assert!(registered.register_bits > 0);
        let plain = unit.combinational();
        let problem = rtl::pair(&plain, netlist).expect("netlist and text have the same signals");
        let proof = prove(&plain, &problem);
        assert_eq!(proof.verdict, Verdict::Proved, "{} {:?}", unit.name, unit.build.cuts);
    });
    println!("ran {} units with registers: they only delay, and what they delay is proved", units.len());
}

/// Numbers of a list come together only if each waits as long as the links in front of the others take.
#[test]
fn numbers_of_lists_that_wait_too_long_are_caught() {
    let Some(()) = needs_yosys("pipelines-lists") else { return };
    let unit = cut("tiny-pair-chain", [Cut::Input, Cut::Step]);
    let (_, right) = registers(&unit, as_it_is);
    assert_eq!(right.gaps, Vec::<String>::new(), "the unit as it is");
    let (_, registered) = registers(&unit, |name, text| match name == format!("{}.sv", unit.module_name()) {
        true => support::first_replaced(text, ".Latency(2)", ".Latency(3)"),
        false => text.to_owned(),
    });
    assert!(registered.gaps.iter().any(|gap| gap.contains("clock edges meet")), "{:?}", registered.gaps);
}

#[test]
fn registers_that_do_more_are_caught() {
    let Some(()) = needs_yosys("pipelines-controls") else { return };
    let unit = all("volta-fp16-fp32");
    let faults = [
        ("tensorsmith_delay.sv", "if (ce_i) held_q", "if (!ce_i) held_q", "EN is not the port's"),
        ("tensorsmith_delay.sv", "@(posedge clk_i)", "@(negedge clk_i)", "CLK_POLARITY is inverted"),
        ("tensorsmith_delay.sv", "if (ce_i) held_q", "if (ce_i && !value_i[0]) held_q", "EN is not the port's"),
        (
            "tensorsmith_fused.sv",
            ".Latency(CutProduct)\n  ) u_c (",
            ".Latency(CutProduct + 1)\n  ) u_c (",
            "clock edges meet",
        ),
        (
            "tensorsmith_fused.sv",
            ".value_i({flags, packed_word})",
            ".value_i({flags, packed_word ^ ResultWidth'(ce_i)})",
            "on clock, enable or reset",
        ),
        ("tensorsmith_fused.sv", ".Latency(CutResult)", ".Latency(CutResult + 1)", "not 10"),
    ];
    let (_, right) = registers(&unit, as_it_is);
    assert_eq!(right.gaps, Vec::<String>::new(), "the unit as it is");
    // Registers that nothing can stop, for want of a port.
    let port = "    input  logic                              ce_i,   // 1: registers take their values\n";
    let (_, endless) = registers(&unit, |name, text| match name == format!("{}.sv", unit.module_name()) {
        true => {
            assert!(text.contains(port) && text.contains(".ce_i(ce_i)"), "{text}");
            text.replace(port, "").replace(".ce_i(ce_i)", ".ce_i(1'b1)")
        }
        false => text.to_owned(),
    });
    assert!(endless.gaps.iter().any(|gap| gap.contains("no port ce_i")), "{:?}", endless.gaps);
    for &(file, right, wrong, said) in support::sampled(&faults, 2) {
        let (_, registered) = registers(&unit, |name, text| match name == file {
            true => support::replaced(text, right, wrong),
            false => text.to_owned(),
        });
        assert!(registered.gaps.iter().any(|gap| gap.contains(said)), "{wrong:?}: {:?}", registered.gaps);
    }
}

/// What is found of a pipelined unit's wrapper with valid and enable, its text changed.
fn wrapper(unit: &Unit, change: impl Fn(&str) -> String) -> Registered {
    let (core, inside) = registers(unit, as_it_is);
    assert_eq!(inside.gaps, Vec::<String>::new(), "{}", unit.name);
    let mut sources = files(unit);
    let mut wrapper = emit::registered(unit).expect("it is emitted");
    wrapper.text = change(&wrapper.text);
    let module = wrapper.name.trim_end_matches(".sv").to_owned();
    sources.push(wrapper);
    let wrapper = netlist::read(&module, &sources, LIMIT).expect("yosys reads it");
    rtl::check_wrapper(&module, wrapper, &core, unit.latency())
}

#[test]
fn wrappers_of_units_with_registers_only_delay() {
    let Some(()) = needs_yosys("pipelines-wrappers") else { return };
    // With flags, with scales, without either.
    let names = ["tiny-riscv", "tiny-scaled", "tiny-nearest", "volta-fp16-fp32", "tiny-integer", "tiny-grouped"];
    let names = support::sampled(&names, 2);
    support::in_parallel(&names, |name| {
        let unit = all(name);
        let found = wrapper(&unit, str::to_owned);
        assert_eq!(found.gaps, Vec::<String>::new(), "{name}");
        assert_eq!(found.latency, unit.latency() as usize, "{name}");
    });
    println!("ran {} wrappers of units with registers: they only delay", names.len());
}

#[test]
fn wrappers_of_units_with_registers_that_do_more_are_noticed() {
    let Some(()) = needs_yosys("pipelines-wrappers-controls") else { return };
    let unit = all("tiny-nearest");
    let faults = [
        ("valid_o = valid_q[Latency-1]", "valid_o = valid_q[Latency-2]", "valid_o is not valid_i"),
        ("valid_q <= '0;", "valid_q <= '1;", "a register has ARST"),
        (".ce_i(enable_i)", ".ce_i(1'b1)", "EN is not the port's"),
        (".a_i(a_i)", ".a_i(~a_i)", "is computed in another way"),
        ("else if (enable_i) valid_q", "else if (enable_i && valid_i) valid_q", "EN is not the port's"),
        ("{valid_q, valid_i}", "{valid_q, a_i[0]}", "valid_o is not valid_i"),
        (
            "negedge rst_ni) begin\n    if (!rst_ni) valid_q",
            "posedge rst_ni) begin\n    if (rst_ni) valid_q",
            "a register has ARST",
        ),
        (" or negedge rst_ni", "", "EN is not the port's"),
        ("valid_q <= '0;", "valid_q <= 'x;", "a register has ARST"),
        (".a_i(a_i)", ".a_i(a_i ^ (Products*OperandAWidth)'(rst_ni))", "depends on clock, enable or reset"),
        (".a_i(a_i)", ".a_i(a_i ^ (Products*OperandAWidth)'(valid_i))", "is computed in another way"),
        (
            "output logic                              valid_o,",
            "output logic [1:0] valid_o,",
            "no port valid_o of one bit",
        ),
        (".a_i(a_i), .b_i(b_i)", ".a_i(b_i), .b_i(a_i)", "is computed in another way"),
    ];
    for &(right, wrong, gap) in support::sampled(&faults, 2) {
        let found = wrapper(&unit, |text| support::replaced(text, right, wrong));
        assert!(found.gaps.iter().any(|found| found.contains(gap)), "{wrong}: {:?}", found.gaps);
    }
}
