//! Designs that break their protocol, or depend on what they must not: named with cycle and vector, and never a mismatch.

use super::super::program::Folder;
use super::is_simulated;
use crate::support::{in_parallel, replaced, sampled};

/// A design of one stage that answers in the clock after it took a vector; texts of it are replaced.
const DESIGN: &str = "module dot (
  input  logic        clk, rst, in_valid, out_ready,
  input  logic [7:0]  a, b, c,
  output logic        in_ready, out_valid,
  output logic [7:0]  d
);
  logic       full;
  logic [7:0] kept;
  logic [9:0] count;
  assign in_ready  = !full || out_ready;
  assign out_valid = full;
  assign d         = kept;
  always_ff @(posedge clk) begin
    if (in_ready) full <= in_valid;
    if (in_ready && in_valid) kept <= a ^ b ^ c;
    if (in_ready && in_valid) count <= count + 1;
    if (rst) full <= 0;
    if (rst) count <= 0;
  end
endmodule
";

const FILE: &str = "name = \"dot\"
equals = \"tiny-nearest\"
top = \"dot\"
sources = [\"dot.sv\"]
[ports]
a = \"a\"
b = \"b\"
c = \"c\"
d = \"d\"
[clock]
port = \"clk\"
[reset]
port = \"rst\"
[timing]
patience = 200
[input]
valid = \"in_valid\"
ready = \"in_ready\"
[output]
valid = \"out_valid\"
ready = \"out_ready\"
";

/// What is changed, to what, and what is said then.
const BROKEN: [(&str, &str, &[&str]); 9] = [
    (
        "assign out_valid = full;",
        "assign out_valid = 0;",
        &["vector 0: the design took it in cycle", "no result in 200 cycles"],
    ),
    (
        "assign in_ready  = !full || out_ready;",
        "assign in_ready = 0;",
        &["vector 0: the design does not take it", "200 cycles"],
    ),
    // Loses every hundredth vector.
    (
        "if (in_ready) full <= in_valid;",
        "if (in_ready) full <= in_valid && count != 99;",
        &["gave no result in 200 cycles", "this one or a later one was lost"],
    ),
    // Answers every hundredth twice.
    (
        "if (in_ready) full <= in_valid;",
        "if (in_ready) full <= in_valid || (full && count == 99);",
        &["one more result in cycle"],
    ),
    // Does not wait.
    ("assign in_ready  = !full || out_ready;", "assign in_ready = 1;", &["before it was taken"]),
    ("assign d         = kept;", "assign d = kept ^ {8{out_ready}};", &["the design changes its result"]),
    ("assign out_valid = full;", "assign out_valid = full && !out_ready;", &["withdraws its result"]),
    // Depends on what it must not.
    ("if (rst) full <= 0;", "", &["cycle"]),
    ("kept <= a ^ b ^ c;", "kept <= a ^ b ^ c ^ 8'(count[3]);", &["it depends on the vectors that came before"]),
];

#[test]
fn broken_protocols_are_named() {
    if !is_simulated() {
        return;
    }
    // Unbroken it answers in order, and is no unit: mismatches, and nothing else.
    let folder = Folder::new();
    folder.write("dot.sv", DESIGN);
    folder.write("design.toml", FILE);
    let run = folder.run(&["cosim", "--design", "design.toml", "--vectors", "3000", "--engines", "reference,design"]);
    assert_eq!(run.code, 1, "{run:?}");
    in_parallel(&sampled(&BROKEN, 3), |(from, to, said)| {
        let folder = Folder::new();
        folder.write("dot.sv", replaced(DESIGN, from, to));
        folder.write("design.toml", FILE);
        let run =
            folder.run(&["cosim", "--design", "design.toml", "--vectors", "3000", "--engines", "reference,design"]);
        assert!(run.code == 2 && run.stdout.is_empty(), "{to}: {run:?}");
        said.iter().for_each(|part| assert!(run.stderr.contains(part), "{to}: {part:?} is missing in {}", run.stderr));
    });
}

/// A design with a fixed latency, disturbed by a register.
const DISTURBED: &str = "module dot (
  input  logic       clk, rst, ce, in_valid,
  input  logic [7:0] a, b, c,
  output logic [7:0] d
);
  logic [7:0] disturbance;
  always_ff @(posedge clk) if (ce) d <= a ^ b ^ c ^ disturbance;
";

/// What the register does, and what the answers then depend on.
const CAUSES: [(&str, &str); 5] = [
    ("always_ff @(posedge clk) disturbance <= disturbance;", "the values that its registers start with"),
    ("always_ff @(posedge clk) if (ce) disturbance <= rst ? 0 : {7'd0, !in_valid};", "gaps between vectors"),
    ("always_ff @(posedge clk) disturbance <= rst ? 0 : {7'd0, !ce};", "being stopped"),
    (
        "initial disturbance = 0; always_ff @(posedge clk) if (rst) disturbance <= disturbance + 1;",
        "a reset in mid-run",
    ),
    ("always_ff @(posedge clk) if (ce) disturbance <= rst ? 0 : a;", "the vectors that came before"),
];

/// Which of several causes it is.
#[test]
fn causes_are_told_apart() {
    if !is_simulated() {
        return;
    }
    let (head, _) = FILE.split_once("[timing]").expect("a table");
    let head = head.replace("port = \"clk\"", "port = \"clk\"\nenable = \"ce\"");
    in_parallel(&sampled(&CAUSES, 2), |(register, cause)| {
        let folder = Folder::new();
        folder.write("dot.sv", format!("{DISTURBED}  {register}\nendmodule\n"));
        folder.write("design.toml", format!("{head}[timing]\nlatency = 1\n[input]\nvalid = \"in_valid\"\n"));
        let run =
            folder.run(&["cosim", "--design", "design.toml", "--vectors", "3000", "--engines", "reference,design"]);
        assert!(run.code == 2 && run.stderr.contains(cause), "{register}: {run:?}");
    });
}
