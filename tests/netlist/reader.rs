//! What the reader of netlists refuses, and how it names it: written by hand, as Yosys would.

use tensorsmith::engine::netlist::{Ports, Steady, read};

/// A module `probe` with inputs `clk`, `en` and `a` of two bits, nets 2 to 5, and output `d` of one bit.
fn module(d: &str, cells: &str) -> String {
    format!(
        r#"{{"modules": {{"probe": {{"ports": {{
            "clk": {{"direction": "input", "bits": [2]}}, "en": {{"direction": "input", "bits": [3]}},
            "a": {{"direction": "input", "bits": [4, 5]}}, "d": {{"direction": "output", "bits": [{d}]}}
        }}, "cells": {{{cells}}}, "netnames": {{}}}}}}}}"#
    )
}

fn lut(name: &str, table: &str, a: &str, y: u32) -> String {
    format!(
        r#""{name}": {{"type": "$lut", "parameters": {{"LUT": "{table}"}}, "connections": {{"A": [{a}], "Y": [{y}]}}}}"#
    )
}

fn cell(name: &str, kind: &str, connections: &str) -> String {
    format!(r#""{name}": {{"type": "{kind}", "connections": {{{connections}}}}}"#)
}

fn ports() -> Ports {
    Ports {
        operands: vec![("a".to_owned(), vec![0, 1])],
        held: vec![("en".to_owned(), true)],
        clock: Some("clk".to_owned()),
        results: vec![("d".to_owned(), 1)],
    }
}

fn probe(d: &str, cells: &[String]) -> Result<Steady, String> {
    read(&module(d, &cells.join(", ")), "probe", &ports(), 2)
}

fn refusal(d: &str, cells: &[String]) -> String {
    probe(d, cells).expect_err("it is refused")
}

const REGISTER: &str = "$_DFFE_PP_";

fn register(name: &str, d: u32, q: u32) -> String {
    cell(name, REGISTER, &format!(r#""C": [2], "D": [{d}], "E": [3], "Q": [{q}]"#))
}

#[test]
fn tables_and_registers_are_read() {
    let found = probe("6", &[lut("and", "1000", "4, 5", 6)]).expect("it is a netlist");
    assert_eq!((found.latency, found.circuit.evaluate(&[0b1100, 0b1010])[0]), (0, 0b1000));
    let cells = [register("x", 4, 6), register("y", 5, 7), lut("or", "1110", "6, 7", 8), register("z", 8, 9)];
    let found = probe("9", &cells).expect("it is a netlist");
    assert_eq!((found.latency, found.circuit.evaluate(&[0b1100, 0b1010])[0]), (2, 0b1110));
    // A register that keeps its value while it is not enabled, as a multiplexer in front of it.
    let held = [lut("keep", "11001010", "6, 4, 3", 7), cell("q", "$_DFF_P_", r#""C": [2], "D": [7], "Q": [6]"#)];
    let error = refusal("6", &held);
    assert!(error.contains("loop"), "{error}");
}

#[test]
fn netlists_refused_by_name() {
    let two = |own: &str| [register("early", 4, 6), own.to_owned()];
    for (d, cells, expected) in [
        (
            "6",
            vec![cell("hold", "$_DLATCH_P_", r#""D": [4], "E": [3], "Q": [6]"#)],
            "cell hold is a latch, a $_DLATCH_P_",
        ),
        ("6", vec![cell("hold", "$_SR_PP_", r#""S": [4], "R": [5], "Q": [6]"#)], "cell hold is a latch, a $_SR_PP_"),
        ("6", vec![cell("gate", "$_AND_", r#""A": [4], "B": [5], "Y": [6]"#)], "cell gate is a $_AND_; known here"),
        ("6", vec![cell("load", "$_ALDFF_PP_", r#""D": [4], "Q": [6]"#)], "cell load is a $_ALDFF_PP_; known here"),
        ("6", vec![], "port d: net 6, which it is connected to, has no driver"),
        ("6", vec![lut("half", "1000", "4, 7", 6)], "cell half: net 7, which it is connected to, has no driver"),
        ("6", vec![lut("one", "1000", "4, 7", 6), lut("two", "10", "6", 7)], "a loop, its output depends on itself"),
        ("6", vec![lut("own", "10", "6", 6)], "cell own: a loop, its output depends on itself"),
        ("6", vec![lut("dark", "1000", r#"4, "x""#, 6)], "cell dark: a bit is the undefined constant x"),
        (r#""x""#, vec![], "an output: a bit is the undefined constant x"),
        ("6", vec![lut("odd", "100x", "4, 5", 6)], "cell odd: its table \"100x\" has not 4 bits"),
        ("6", vec![lut("odd", "100", "4, 5", 6)], "cell odd: its table \"100\" has not 4 bits"),
        ("6", vec![lut("wide", "1000", "4, 5, 4, 5", 6)], "cell wide: a lookup table has 1 to 3 inputs here"),
        ("6", vec![lut("x", "10", "4", 6), lut("y", "10", "5", 6)], "cell y: its net 6 has another driver too"),
        ("6", vec![lut("x", "10", "4", 5)], "input a is driven inside the module"),
        ("7", two(&lut("mix", "1000", "6, 5", 7)).to_vec(), "cell mix: paths with 1 and with 0 registers meet"),
        (
            "6",
            vec![cell("odd", REGISTER, r#""C": [3], "D": [4], "E": [3], "Q": [6]"#)],
            "cell odd: a register of another clock than the rising edge of the module's",
        ),
        (
            "6",
            vec![cell("odd", "$_DFF_N_", r#""C": [2], "D": [4], "Q": [6]"#)],
            "cell odd: a register of another clock than the rising edge of the module's",
        ),
        (
            "6",
            vec![cell("odd", REGISTER, r#""C": [2], "D": [4], "E": [5], "Q": [6]"#)],
            "cell odd: the enable of a register is not constant while vectors run",
        ),
        (
            "6",
            vec![cell("odd", "$_DFFE_PN_", r#""C": [2], "D": [4], "E": [3], "Q": [6]"#)],
            "cell odd: the enable of a register is not constant while vectors run",
        ),
        (
            "6",
            vec![cell("odd", "$_DFF_PP0_", r#""C": [2], "D": [4], "R": [3], "Q": [6]"#)],
            "cell odd: the reset of a register is not constant while vectors run",
        ),
    ] {
        let error = refusal(d, &cells);
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    }
}

#[test]
fn outputs_of_different_depth_are_refused() {
    let mut ports = ports();
    ports.results[0].1 = 2;
    let error = read(&module("4, 6", &register("late", 5, 6)), "probe", &ports, 2).expect_err("it is refused");
    assert_eq!(error, "output d[1]: 1 registers on the way there, 0 on the way to the first output");
}

#[test]
fn modules_with_other_ports_are_refused() {
    let text = module("6", &lut("and", "1000", "4, 5", 6));
    let change = |change: fn(&mut Ports)| {
        let mut ports = ports();
        change(&mut ports);
        read(&text, "probe", &ports, 2).expect_err("it is refused")
    };
    assert_eq!(change(|ports| ports.operands[0].0 = "b".to_owned()), "it has no input b of 2 bits");
    assert_eq!(change(|ports| ports.operands[0].1.truncate(1)), "it has no input a of 1 bits");
    assert_eq!(change(|ports| ports.results[0].1 = 2), "it has no output d of 2 bits");
    assert_eq!(read(&text, "other", &ports(), 2).expect_err("it is refused"), "there is no module other");
    for garbage in ["", "garbage", "{}", "[1]", r#"{"modules": {"probe": {}}}"#] {
        let error = read(garbage, "probe", &ports(), 2).expect_err("it is refused");
        assert!(error.starts_with("this is not its JSON: "), "{error}");
    }
}
