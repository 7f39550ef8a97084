//! `prove --design` refuses what tools read differently, by slang's syntax tree; what it proves is simulated too.

use std::path::Path;
use std::sync::Mutex;

use tempfile::TempDir;
use tensorsmith::design::Design;
use tensorsmith::emit::{self, SourceFile};
use tensorsmith::prove::design::{DesignProof, DesignProofError, Means, Verdict, prove};
use tensorsmith::prove::reading;
use tensorsmith::prove::rtl::Simulation;

use super::{LIMIT, files, needs_yosys, support, unit};

const UNIT: &str = "tiny-nearest";

/// A design of one register in front of the unit and one behind it. `body` sets `d` from `r`.
fn design(body: &str) -> String {
    format!(
        "module dut(input clk, input vi, input [7:0] a, input [7:0] b, input [7:0] c, output reg [7:0] d, output vo);\n\
         reg [7:0] aq, bq, cq; wire [7:0] r; reg v1 = 0, v2 = 0;\n\
         tiny_nearest u(.a_i(aq), .b_i(bq), .c_i(cq), .d_o(r));\n\
         always @(posedge clk) begin aq <= a; bq <= b; cq <= c; v1 <= vi; v2 <= v1; end\n\
         {body}\nendmodule\n"
    )
}

const FILE: &str = r#"
name    = "trap"
equals  = "tiny-nearest"
top     = "dut"
sources = ["*.sv", "dut.v"]
include = ["."]
ports   = { a = "a", b = "b", c = "c", d = "d" }
clock   = { port = "clk" }
timing  = { latency = 2 }
input   = { valid = "vi" }
"#;

/// What becomes of a design whose `d` comes from `body`, with another file beside it and more lines in the design file.
fn proved(body: &str, beside: &str, more: &str) -> Result<DesignProof, DesignProofError> {
    let folder = TempDir::new().expect("a folder");
    let mut sources = files(&unit(UNIT));
    sources.push(SourceFile { name: "dut.v".to_owned(), text: design(body) });
    sources.push(SourceFile { name: "beside.svh".to_owned(), text: beside.to_owned() });
    emit::write(folder.path(), &sources).expect("sources");
    let design = Design::parse(folder.path(), "design.toml", &format!("{FILE}{more}")).expect("a design file");
    prove(&unit(UNIT), &design, Means { query: LIMIT, total: LIMIT }, &|_| {})
}

const PLAIN: &str = "assign vo = v2; always @(posedge clk) d <= r;";

/// Every row of what tools read differently, three or more of a kind: text, what is beside it, and what is said.
const TRAPS: [(&str, &str, &str); 23] = [
    (
        "`ifdef SYNTHESIS\nalways @(posedge clk) d <= r;\n`else\nalways @(posedge clk) d <= ~r;\n`endif",
        "",
        "`ifdef SYNTHESIS",
    ),
    ("`ifndef VERILATOR\nalways @(posedge clk) d <= r;\n`endif", "", "`ifndef VERILATOR"),
    ("`include \"beside.svh\"", "`ifdef __ICARUS__\nalways @(posedge clk) d <= r;\n`endif\n", "`ifdef __ICARUS__"),
    ("always @(posedge clk) d <= r ^ (`__LINE__ == 0);", "", "`__LINE__"),
    (
        "reg [7:0] k; always @* begin k = r;\n// synthesis translate_off\nk = 0;\n// synthesis translate_on\nend always @(posedge clk) d <= k;",
        "",
        "translate_off",
    ),
    ("`include \"beside.svh\"\nalways @(posedge clk) d <= r;", "// rtl_synthesis off\n", "`rtl_synthesis off`"),
    (
        "reg [7:0] k; always @(posedge clk) case (cq) // synopsys full_case\n8'h33: d <= r; default: d <= r; endcase",
        "",
        "full_case",
    ),
    ("reg [7:0] k = r; always @(posedge clk) d <= k;", "", "the variable `k` is declared with a value"),
    ("reg [7:0] k; initial k = r; always @(posedge clk) d <= k;", "", "`initial`"),
    ("reg [7:0] k; always @(aq) k = r; always @(posedge clk) d <= k;", "", "a list of signals"),
    ("reg [7:0] k; always @(aq or bq) k = r; always @(posedge clk) d <= k;", "", "a list of signals"),
    ("always @(posedge clk) d <= #7 r;", "", "a delay"),
    ("wire [7:0] k; assign #3 k = r; always @(posedge clk) d <= k;", "", "a delay"),
    ("wire #1 k = r[0]; always @(posedge clk) d <= {r[7:1], k};", "", "a delay"),
    (
        "reg [7:0] k, l; always @(posedge clk) k = r; always @(posedge clk) l = k; always @* d = l;",
        "",
        "`=` at an edge",
    ),
    ("reg [7:0] k, l; always @* begin d = k; k = l; end always @(posedge clk) l <= r;", "", "`k` is read before"),
    ("function [7:0] f; input x; f = r; endfunction always @(posedge clk) d <= f(cq[0]);", "", "function `f` uses `r`"),
    ("always @(posedge clk) d <= r ^ {8{r === 8'hxx}};", "", "a comparison with x or z"),
    ("always @(posedge clk) casex (cq) 8'h3x: d <= r; default: d <= r; endcase", "", "`casex`"),
    ("always @(posedge clk) d <= u.d_o;", "", "a name in another scope"),
    ("task t; d <= r; endtask always @(posedge clk) t;", "", "the task `t`"),
    (
        "always @(posedge clk) d <= r; import \"DPI-C\" function int abs(input int x);",
        "",
        "a function in another language",
    ),
    ("always @(posedge clk) begin : named\nwhile (0) d <= r;\nd <= r; end", "", "is carried out differently"),
];

#[test]
fn traps_in_designs_are_refused_at_their_line() {
    let (Some(()), Some(())) =
        (needs_yosys("design-traps"), support::needed("design-traps-slang", reading::available()))
    else {
        return;
    };
    support::in_parallel(&TRAPS, |(body, beside, says)| {
        let body = format!("assign vo = v2;\n{body}");
        let said = proved(&body, beside, "").map(|proof| format!("{:?}", proof.verdict));
        let said = said.expect_err(&body).to_string();
        assert!(said.contains(says) && said.contains("allowed: "), "{body}\n{said}");
        let place =
            [format!("{}dut.v:", std::path::MAIN_SEPARATOR), format!("{}beside.svh:", std::path::MAIN_SEPARATOR)];
        assert!(place.iter().any(|place| said.contains(place)), "{said}");
    });
}

/// Text of the same look, which all tools read alike, is proved, and simulators run what is proved.
#[test]
fn honest_designs_are_proved_and_simulated() {
    let (Some(()), Some(())) =
        (needs_yosys("design-honest"), support::needed("design-honest-slang", reading::available()))
    else {
        return;
    };
    let body = "`ifdef WIDE\n`include \"beside.svh\"\n`include \"beside.svh\"\n`endif\n\
                assign vo = v2;\n\
                reg [7:0] k; integer i;\n\
                always @* begin k = 8'd0; for (i = 0; i < 8; i = i + 1) k[i] = `BIT(r, i); end\n\
                always @(posedge clk) begin : block reg [7:0] t; t = k; d <= t; end";
    let beside = "`ifndef BESIDE\n`define BESIDE\n`define BIT(word, place) word[place]\n`endif\n";
    let proof = proved(body, beside, "output = { valid = \"vo\" }\ndefines = { WIDE = 1 }\n").expect("it is supported");
    assert!(matches!(proof.verdict, Verdict::Proved), "{:?}", proof.verdict);
    assert_eq!(proof.control, ["output.valid"]);
    let ran = |simulator: &str| {
        let found = proof.simulated.iter().find(|one| one.simulator == simulator);
        match found.map(|one| &one.simulation) {
            Some(Simulation::Agrees { vectors, .. }) => assert!(*vectors >= 1024, "{vectors}"),
            Some(Simulation::Skipped(why)) => support::skip(&format!("design-honest-{simulator}"), why),
            other => panic!("{simulator}: {other:?}"),
        }
    };
    ["verilator", "icarus"].into_iter().for_each(ran);
}

/// Designs whose result is undefined on one vector that no simulator is likely to meet, where Yosys could choose the right value; and
/// the same with a value, which are the unit.
const UNDEFINED: [[&str; 2]; 13] = [
    // An array without a fourth word.
    [
        "wire [7:0] t [0:2]; assign t[0] = r; assign t[1] = r; assign t[2] = r; assign y = t[i];",
        "wire [7:0] t [0:3]; assign t[0] = r; assign t[1] = r; assign t[2] = r; assign t[3] = r; assign y = t[i];",
    ],
    [
        "reg [7:0] k; always @* case (i) 0: k = r; 1: k = r; 2: k = r; default: k = 8'hxx; endcase assign y = k;",
        "reg [7:0] k; always @* case (i) 0: k = r; 1: k = r; 2: k = r; default: k = r; endcase assign y = k;",
    ],
    [
        "reg [7:0] k; always @* begin k = 8'hxx; case (i) 0: k = r; 1: k = r; 2: k = r; endcase end assign y = k;",
        "reg [7:0] k; always @* begin k = r; case (i) 0: k = r; 1: k = r; 2: k = r; endcase end assign y = k;",
    ],
    // A memory without a fourth word.
    [
        "reg [7:0] m [0:2]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; end assign y = r ^ m[i];",
        "reg [7:0] m [0:3]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[i];",
    ],
    [
        "wire [15:0] w; assign w = {r, r}; assign y = w[{i, 3'd0} +: 8];",
        "wire [31:0] w; assign w = {r, r, r, r}; assign y = w[{i, 3'd0} +: 8];",
    ],
    ["assign y = rare ? 8'hxx : r;", "assign y = rare ? r : r;"],
    // A table long enough to become a memory.
    [
        "reg [7:0] k; always @* case ({i, cq[0]}) 0: k = 0; 1: k = 0; 2: k = 0; 3: k = 0; 4: k = 0; 5: k = 0; default: k = 8'hxx; \
         endcase assign y = r ^ k;",
        "reg [7:0] k; always @* case ({i, cq[0]}) 0: k = 0; 1: k = 0; 2: k = 0; 3: k = 0; 4: k = 0; 5: k = 0; default: k = 0; \
         endcase assign y = r ^ k;",
    ],
    // An index with more bits than words are.
    [
        "reg [7:0] m [0:1]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; end assign y = r ^ m[i];",
        "reg [7:0] m [0:1]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; end assign y = r ^ m[i[0]];",
    ],
    ["assign y = r / {7'd0, ~rare};", "assign y = r >> {7'd0, rare & ~rare};"],
    // The same of a whole number of bits, which wraps; one below zero; below the first word; and beyond a row.
    [
        "reg [7:0] m [0:3]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[{rare, i}];",
        "reg [7:0] m [0:3]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[i];",
    ],
    [
        "reg [7:0] m [0:3]; wire signed [1:0] s; assign s = i; \
         always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[s];",
        "reg [7:0] m [0:3]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[i];",
    ],
    [
        "reg [7:0] m [1:4]; always @(posedge clk) begin m[1] <= 0; m[2] <= 0; m[3] <= 0; m[4] <= 0; end assign y = r ^ m[~i];",
        "reg [7:0] m [0:3]; always @(posedge clk) begin m[0] <= 0; m[1] <= 0; m[2] <= 0; m[3] <= 0; end assign y = r ^ m[~i];",
    ],
    [
        "wire [7:0] t [0:1][0:2]; assign t[0][0] = r; assign t[0][1] = r; assign t[0][2] = r; assign t[1][0] = r; \
         assign t[1][1] = r; assign t[1][2] = r; assign y = t[0][i];",
        "wire [7:0] t [0:3]; assign t[0] = r; assign t[1] = r; assign t[2] = r; assign t[3] = r; assign y = t[i];",
    ],
];

/// What Yosys could choose for an undefined value proves nothing.
#[test]
fn undefined_values_are_chosen_by_no_one() {
    let Some(()) = needs_yosys("design-undefined") else { return };
    let design = |body: &str| {
        format!(
            "assign vo = v2; wire rare; assign rare = aq == 8'h3c && bq == 8'h2d && cq == 8'h1b; wire [1:0] i; \
             assign i = {{2{{rare}}}}; wire [7:0] y; {body} always @(posedge clk) d <= y;"
        )
    };
    let wrong = Mutex::new(Vec::new());
    support::in_parallel(&support::sampled(&UNDEFINED, 4), |&&[trap, twin]| {
        let is_proved =
            |body: &str| proved(&design(body), "", "").map(|proof| matches!(proof.verdict, Verdict::Proved));
        let found = (is_proved(trap), is_proved(twin));
        let is_refused = match &found.0 {
            Ok(is_proved) => !is_proved,
            Err(DesignProofError::Unconfirmed { .. } | DesignProofError::Unsupported { .. }) => true,
            Err(error) => error.to_string().contains("allowed: "),
        };
        if !is_refused || !matches!(found.1, Ok(true)) {
            wrong.lock().expect("no panic").push(format!("{trap}: {found:?}"));
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `output.valid` is part of what is proved: low for one result, too late, high without a vector, or stuck.
#[test]
fn ports_that_say_when_are_proved() {
    let Some(()) = needs_yosys("design-valid") else { return };
    let output = "output = { valid = \"vo\" }\n";
    for (valid, says) in [
        ("v2 & (d != 8'h33)", "output.valid"),
        ("1'b1", "output.valid"),
        ("v1", "output.valid"),
        ("v2 | (d == 8'h33)", "output.valid"),
    ] {
        let body = format!("assign vo = {valid}; always @(posedge clk) d <= r;");
        match proved(&body, "", output) {
            Ok(proof) => match proof.verdict {
                Verdict::Refuted(refuted) => assert!(refuted.design.is_err(), "{valid}: {refuted:?}"),
                other => panic!("{valid}: {other:?}"),
            },
            // What one vector alone does not show is no verdict, and never a proof.
            Err(error) => {
                assert!(error.to_string().contains(says) || error.to_string().contains("not confirm"), "{error}")
            }
        }
    }
    let enabled = |body: &str| {
        let file = "enable = \"vi\"";
        let folder = TempDir::new().expect("a folder");
        let mut sources = files(&unit(UNIT));
        sources.push(SourceFile { name: "dut.v".to_owned(), text: body.to_owned() });
        emit::write(folder.path(), &sources).expect("sources");
        let text = FILE
            .replace("port = \"clk\"", &format!("port = \"clk\", {file}"))
            .replace("input   = { valid = \"vi\" }", "");
        let design = Design::parse(Path::new(folder.path()), "design.toml", &text).expect("a design file");
        prove(&unit(UNIT), &design, Means { query: LIMIT, total: LIMIT }, &|_| {})
    };
    let text = design(PLAIN).replace("always @(posedge clk) begin aq", "always @(posedge clk) if (vi) begin aq");
    let said = enabled(&text).map(|proof| format!("{:?}", proof.verdict)).expect_err("a register goes on").to_string();
    assert!(said.contains("may change while clock.enable is low"), "{said}");
    let stops = enabled(&text.replace("always @(posedge clk) d <= r;", "always @(posedge clk) if (vi) d <= r;"));
    assert!(stops.as_ref().is_ok_and(|proof| matches!(proof.verdict, Verdict::Proved)), "{stops:?}");
}
