//! Clocked wrappers only delay, and wrappers that do more are noticed.

use tensorsmith::describe::catalogue;
use tensorsmith::emit;
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::{Registered, check_registers};

use super::{LIMIT, files, needs_yosys, read, support, unit};

fn registered(name: &str, change: impl Fn(&str) -> String) -> Registered {
    let unit = unit(name);
    let mut all = files(&unit);
    let mut wrapper = emit::registered(&unit).expect("it is emitted");
    wrapper.text = change(&wrapper.text);
    let module = wrapper.name.trim_end_matches(".sv").to_owned();
    all.push(wrapper);
    let wrapper = netlist::read(&module, &all, LIMIT).expect("yosys reads it");
    check_registers(&module, &wrapper, &read(&unit))
}

#[test]
fn wrappers_only_delay() {
    let Some(()) = needs_yosys("registers") else { return };
    let mut names = vec!["volta-fp16-fp32".to_owned(), "riscv-fp16-fp32".to_owned()];
    if support::long_tier() {
        names = catalogue::units().into_iter().map(|unit| unit.name).collect();
    }
    for name in names {
        let found = registered(&name, str::to_owned);
        assert_eq!(found.gaps, Vec::<String>::new(), "{name}");
        assert_eq!(found.latency, 2);
        assert!(found.register_bits > 2);
    }
}

#[test]
fn wrappers_that_do_more_are_noticed() {
    let Some(()) = needs_yosys("registers-faults") else { return };
    let faults = [
        ("assign d_o     = result_q;", "assign d_o     = result_d;", "d_o[0] is not held by a register"),
        ("a_q              <= a_i;", "a_q              <= {a_i[0], a_i[63:1]};", "does not reach the core through one"),
        ("a_q              <= a_i;", "a_q              <= ~a_i;", "does not reach the core through one"),
        (
            "result_q         <= result_d;",
            "result_q         <= {result_d[31:1], ~result_d[0]};",
            "d_o[0] is computed in another way",
        ),
        (
            "result_valid_q   <= operands_valid_q;",
            "result_valid_q   <= valid_i;",
            "valid_o is not valid_i two registers later",
        ),
        ("{result_valid_q, result_q} <= '0;", "{result_valid_q, result_q} <= '1;", "a register is not reset to 0"),
        (".b_i(b_q)", ".b_i(b_i)", "b_i[0] does not reach the core"),
        ("posedge clk_i or negedge rst_ni", "negedge clk_i or negedge rst_ni", ""),
    ];
    for &(from, to, gap) in support::sampled(&faults, 3) {
        let found = registered("volta-fp16-fp32", |text| {
            assert!(text.contains(from), "the wrapper has {from:?}");
            text.replacen(from, to, 1)
        });
        assert!(found.gaps.iter().any(|found| found.contains(gap)), "{to}: {:?}", found.gaps);
    }
}
