//! Units that must not build, and which files a unit takes in.

use crate::rtl_harness::units::{DOT4, WEIGHTED_SUM, load, mask, request, source, weighted_sum};
use tensorsmith::engine::rtl::{BuildError, Builder, Model, Request, Shape, build_library};

fn build_error(request: &Request) -> BuildError {
    build_library(request).expect_err("this unit must not build")
}

#[test]
fn a_syntax_error_carries_verilators_message() {
    let text = source("harness_syntax", DOT4, "  assign d_o = c_i +;");
    let error = build_error(&request("harness_syntax", text)).to_string();
    assert!(error.contains("syntax error") && error.contains("harness_syntax.sv:13"), "{error}");
    assert!(error.contains("--top-module harness_syntax"), "no command line: {error}");
}

#[test]
fn a_lint_warning_is_an_error_and_a_mutant_may_leave_signals_unused() {
    let text = source("harness_unused", DOT4, "  assign d_o = c_i;");
    let request = request("harness_unused", text);
    let error = build_error(&request).to_string();
    assert!(error.contains("UNUSEDSIGNAL"), "{error}");
    let mutant = Builder::shared().unwrap().mutant_library(&request).unwrap();
    let mut d = [0];
    Model::load(&mutant).unwrap().run(&[1; 4], &[1; 4], &[77], &mut d).unwrap();
    assert_eq!(d, [77]);
}

#[test]
fn a_combinational_loop_is_an_error_even_in_a_mutant() {
    let body = "  logic [31:0] loop;\n  assign loop = loop ^ {a_i[31:0] & b_i[63:32]};\n  assign d_o = loop + c_i;";
    let request = request("harness_loop", source("harness_loop", DOT4, body));
    let error = Builder::shared().unwrap().mutant_library(&request).unwrap_err().to_string();
    assert!(error.contains("UNOPTFLAT"), "{error}");
}

#[test]
fn a_request_names_the_wrong_field_and_its_range() {
    let wide = Shape { d_width: 65, ..DOT4 };
    let good = source("harness_bad", DOT4, WEIGHTED_SUM);
    let requests = [
        (request("harness_bad", source("harness_bad", wide, WEIGHTED_SUM)), "ResultWidth is 65"),
        (request("harness_bad", good.replace("= 4,", "= 2 + 2,")), "Products is 2 + 2"),
        (request("harness_bad", good.replace("ResultWidth ", "DWidth ")), "ResultWidth"),
        (request("not a name", good.clone()), "single underscores"),
        (Request { sources: Vec::new(), ..request("harness_bad", good.clone()) }, "harness_bad.sv"),
    ];
    for (request, text) in requests {
        let error = build_error(&request);
        assert!(matches!(error, BuildError::Unit(_)) && error.to_string().contains(text), "{error}");
    }
}

#[test]
fn leaves_are_found_by_name() {
    let leaf = "module harness_leaf (
    input  logic [31:0] a_i,
    output logic [31:0] d_o
);
  assign d_o = ~a_i;
endmodule
";
    let body = WEIGHTED_SUM.replace("assign d_o = sum;", "harness_leaf invert (.a_i(sum), .d_o(d_o));");
    let mut unit = request("harness_top", source("harness_top", DOT4, &body));
    assert!(build_error(&unit).to_string().contains("harness_leaf"));
    unit.sources.push(("harness_leaf.sv".to_string(), leaf.to_string()));
    let mut d = [0];
    load(&unit).run(&[1; 4], &[1; 4], &[5], &mut d).unwrap();
    assert_eq!(d[0], !weighted_sum(DOT4, &[1; 4], &[1; 4], 5) & mask(32));
}
