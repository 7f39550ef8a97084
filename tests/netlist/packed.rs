//! Cells of an ECP5, as nextpnr packs them, against the emulator; the same with planted faults; and netlists that are refused.

use serde_json::{Value, json};
use tensorsmith::emit::nextpnr::{Nextpnr, NextpnrError, Until};
use tensorsmith::engine::gates::{packed, verilog};
use tensorsmith::engine::{Absence, Kind, Opened};

use super::gates::compared;
use super::{needs_yosys, support, unit};

/// The nextpnr that is there; without it or Yosys the check is skipped.
fn nextpnr() -> Option<Nextpnr> {
    match Nextpnr::find() {
        Ok(nextpnr) => Some(nextpnr).filter(|_| needs_yosys("packed").is_some()),
        Err(reason @ NextpnrError::Missing) => {
            support::skip("nextpnr", reason);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn emulator_packed_shaped() {
    if nextpnr().is_none() {
        return;
    }
    let long = support::long_tier();
    let units: &[&str] = if long {
        &["tiny-scaled", "tiny-riscv", "tiny-fma", "volta-fp16-fp32", "ampere-fp16-fp32", "ada-e4m3-fp32"]
    } else {
        &["tiny-scaled"]
    };
    for name in units {
        let (unit, count) = (unit(name), if long { 100_000 } else { 20_000 });
        let kind: Kind = "packed:ecp5".parse().expect("an engine's name");
        let opened = kind.open(&unit).expect("the cells are simulated");
        let Some(comparison) = compared("packed", &unit, opened, count) else { return };
        assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{name}: {:?}", comparison.first);
        println!("{name} as packed cells: {count} vectors, 0 differ");
    }
}

/// A unit with registers has no core without a clock.
#[test]
fn packed_units_with_registers_are_left_out() {
    let mut unit = unit("tiny-scaled");
    unit.build.cuts = [tensorsmith::describe::unit::Cut::Input].into();
    assert!(matches!(packed::open(&unit), Ok(Opened::Absent(Absence::Missing(_)))));
}

/// Places and wires change no cell, no parameter and no net.
#[test]
fn packed_equals_routed() {
    let Some(nextpnr) = support::long_tier().then(nextpnr).flatten() else { return };
    let unit = unit("tiny-scaled");
    let [packed, routed] = [Until::Packed, Until::Routed].map(|until| {
        let (netlist, _) = packed::netlist(&unit, &nextpnr, until).expect("it is placed and routed");
        (netlist.contains("NEXTPNR_BEL"), verilog(&netlist, "unit").expect("cells are known"))
    });
    assert_eq!([packed.0, routed.0], [false, true], "one of them has places");
    assert!(packed.1 == routed.1, "the netlists differ");
}

/// What a packing tool could do wrong, to a cell; false where there is nothing of the kind.
type Fault = fn(&mut Value) -> bool;

const FAULTS: [(&str, Fault); 4] = [
    ("a bit of a table", |cell| {
        let table = table(cell).filter(|_| is_table(cell));
        table.is_some_and(|table| {
            cell["parameters"]["INITVAL"] = format!("{:016b}", table ^ 1 << 15).into();
            true
        })
    }),
    ("exchanged inputs of a table", |cell| is_table(cell) && exchanged(cell, "C", "D")),
    ("exchanged inputs of a choice", |cell| exchanged(cell, "FXA", "FXB")),
    ("a carry that is taken for 0", |cell| {
        let flag = &mut cell["parameters"]["CCU2_INJECT1"];
        let was = *flag == "NO";
        *flag = if was { "YES".into() } else { flag.take() };
        was && has_net(cell, "F")
    }),
];

fn table(cell: &Value) -> Option<u16> {
    u16::from_str_radix(cell["parameters"]["INITVAL"].as_str()?, 2).ok()
}

fn is_table(cell: &Value) -> bool {
    cell["type"] == "TRELLIS_COMB" && cell["parameters"].get("MODE").is_none()
}

fn has_net(cell: &Value, port: &str) -> bool {
    cell["connections"][port].as_array().is_some_and(|bits| !bits.is_empty())
}

fn exchanged(cell: &mut Value, one: &str, other: &str) -> bool {
    let both = has_net(cell, one) && has_net(cell, other);
    if both {
        let taken = cell["connections"][one].take();
        cell["connections"][one] = cell["connections"][other].take();
        cell["connections"][other] = taken;
    }
    both
}

/// In how many cells a fault is planted.
const PLACES: usize = 6;

/// The netlist with a fault in the `index`th of the cells that lie evenly among those that can have it.
fn faulty(netlist: &str, fault: Fault, index: usize) -> String {
    let mut netlist: Value = serde_json::from_str(netlist).expect("JSON");
    let cells = netlist["modules"]["top"]["cells"].as_object_mut().expect("cells");
    let able: Vec<String> =
        cells.iter().filter(|(_, cell)| fault(&mut (*cell).clone())).map(|(name, _)| name.clone()).collect();
    assert!(fault(&mut cells[&able[(2 * index + 1) * able.len() / (2 * PLACES)]]), "there is such a cell");
    netlist.to_string()
}

#[test]
fn packed_cells_that_are_wrong_are_found() {
    if nextpnr().is_none() {
        return;
    }
    let (unit, long) = (unit("tiny-scaled"), support::long_tier());
    let (mut found_of_all, mut planted_of_all) = (0, 0);
    for &(what, fault) in support::sampled(&FAULTS, 2) {
        let (mut found, mut planted) = (0, 0);
        // The ordinary tier goes on to the next one until one is found.
        while planted < PLACES && (long || found == 0) {
            let wrong = |netlist: String| faulty(&netlist, fault, planted);
            let opened = packed::changed(&unit, wrong).expect("the cells are simulated");
            let Some(comparison) = compared("packed", &unit, opened, 20_000) else { return };
            found += usize::from(comparison.mismatches > 0);
            planted += 1;
        }
        println!("{what}: {found} of {planted} planted faults are found");
        assert!(found > 0, "{what}: none of {planted} planted faults is found");
        (found_of_all, planted_of_all) = (found_of_all + found, planted_of_all + planted);
    }
    // Half of the tables' bits are of values that no operands give.
    assert!(!long || 3 * found_of_all >= planted_of_all, "{found_of_all} of {planted_of_all} planted faults are found");
}

/// Two low bits of a factor exchanged at a multiplier.
#[test]
fn packed_multipliers_that_are_wrong_are_found() {
    if support::long_tier().then(nextpnr).flatten().is_none() {
        return;
    }
    let unit = unit("volta-fp16-fp32");
    let fault: Fault = |cell| cell["type"] == "MULT18X18D" && exchanged(cell, "A0", "A1");
    let opened = packed::changed(&unit, |netlist| faulty(&netlist, fault, 0)).expect("the cells are simulated");
    let Some(comparison) = compared("packed", &unit, opened, 20_000) else { return };
    println!("{} of {} vectors differ", comparison.mismatches, comparison.compared);
    assert!(comparison.mismatches > 0);
}

/// A table of one input and one of another, and a multiplier of nothing.
fn netlist() -> Value {
    let pin = |direction: &str, connections: Value| {
        let parameters = json!({"DIR": direction, "DATAMUX_ODDR": "PADDO", "DATAMUX_MDDR": "PADDO"});
        json!({"type": "TRELLIS_IO", "parameters": parameters, "connections": connections})
    };
    let table = json!({"type": "TRELLIS_COMB", "parameters": {"INITVAL": "0101010101010101"},
        "connections": {"A": [3], "B": [], "F": [4]}});
    let carry = json!({"type": "TRELLIS_COMB",
        "parameters": {"MODE": "CCU2", "CCU2_INJECT1": "NO", "WREMUX": "WRE", "INITVAL": "0000000000001010"},
        "connections": {"A": [3], "FCI": [], "FCO": [6], "F": []}});
    let cells = json!({"from": pin("INPUT", json!({"B": [1], "O": [3]})), "to": pin("OUTPUT", json!({"B": [2], "I": [4]})),
        "table": table, "carry": carry});
    let ports = json!({"a_i": {"direction": "input", "bits": [1]}, "d_o": {"direction": "output", "bits": [2]}});
    json!({"modules": {"top": {"ports": ports, "cells": cells, "netnames": {}}}})
}

#[test]
fn packed_netlists_are_read_or_refused() {
    let text = verilog(&netlist().to_string(), "unit").expect("all is known");
    for line in [
        "module unit (input [0:0] a_i, output [0:0] d_o);",
        "trellis_carry #(.INITVAL(16'h000a), .INJECT(1'b0)) u0 (.a(c1_O), .b(1'b1), .c(1'b1), .d(1'b1), .fci(1'b0), .f(), \
         .fco(c0_FCO));",
        "assign c1_O = a_i[0];",
        "trellis_table #(.INITVAL(16'h5555)) u2 (.a(c1_O), .b(1'b1), .c(1'b1), .d(1'b1), .f(t2));",
        "assign d_o = {c3_B};",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
    let refused = |place: &str, value: Value, message: &str| {
        let mut netlist = netlist();
        let top = &mut netlist["modules"]["top"];
        let (last, path) = place.rsplit_once('/').map(|(path, last)| (last, path)).expect("a path");
        top.pointer_mut(path).expect("a place")[last] = value;
        let error = verilog(&netlist.to_string(), "unit").expect_err(place);
        assert!(error.contains(message), "{place}: {error}");
    };
    refused("/cells/table/type", json!("TRELLIS_FF"), "cell table of type TRELLIS_FF: not known here");
    refused(
        "/cells/table/parameters/MODE",
        json!("DPRAM"),
        "cell table of type TRELLIS_COMB: MODE DPRAM is not known here",
    );
    refused("/cells/table/parameters/REGSET", json!("SET"), "REGSET = \"SET\" is not known here");
    refused("/cells/table/parameters/INITVAL", json!("01"), "INITVAL = \"01\" is no table of 16 bits");
    refused("/cells/table/connections/WD", json!([3]), "a net at WD, which is not known here");
    refused("/cells/table/connections/OFX", json!([9]), "OFX chooses between nets at neither");
    refused("/cells/table/connections/M", json!([3]), "a net at M, which is not known here");
    refused("/cells/table/connections/C", json!([77]), "cell table of type TRELLIS_COMB: C: nothing drives net 77");
    refused("/cells/table/connections/C", json!(["1"]), "C: 1 in a net's place");
    refused("/cells/table/connections/C", json!([3, 4]), "C has several bits");
    refused("/cells/table/connections/F", json!([3]), "net 3 is driven by");
    refused(
        "/cells/carry/parameters/INITVAL",
        json!("1000000000001010"),
        "cell carry of type TRELLIS_COMB: FCI is open",
    );
    refused("/cells/carry/connections/F", json!([9]), "FCI is open, and counts");
    refused("/cells/carry/connections/FCI", json!([3]), "FCI is not FCO of a cell of mode CCU2");
    refused("/cells/carry/parameters/CCU2_INJECT1", json!("MAYBE"), "CCU2_INJECT1 = \"MAYBE\" is not known here");
    refused("/cells/to/parameters/DIR", json!("BIDIR"), "DIR = \"BIDIR\" is not known here");
    refused("/cells/to/connections/T", json!([3]), "a net at T, which is not known here");
    refused("/cells/to/connections/I", json!([]), "cell to of type TRELLIS_IO: I is open");
    refused("/cells/table", json!({"type": "MULT18X18D", "connections": {}}), "A0 has neither a net nor a constant");
    refused("/ports/d_o/direction", json!("inout"), "port d_o is inout");
    refused(
        "/cells/table",
        json!({"type": "MULT18X18D", "parameters": {"REG_OUTPUT_CLK": "CLK0"}, "connections": {}}),
        "REG_OUTPUT_CLK = \"CLK0\" is not known here",
    );
}
