//! Designs that err only where they are disturbed in a certain way, or at full rate: each is found, and the cause is named. And the
//! events of handshakes: each that can happen happens often enough.

use serde_json::Value;

use super::super::program::{Folder, Run};
use super::{examples, is_simulated};
use crate::support::{in_parallel, needs_icarus, replaced, sampled};

/// Two stages that wait for each other. Faults are written in place of what follows the words "fault in".
const DESIGN: &str = "module dot (
  input  logic              clk, rst, in_valid, out_ready, ce,
  input  logic signed [3:0] a0, a1, b0, b1,
  input  logic signed [7:0] c,
  output logic              in_ready, out_valid,
  output logic        [7:0] d
);
  logic signed [23:0] operands, x, last = 0, older = 0;
  logic signed [9:0]  sum;
  logic               x_full, full;
  logic        [7:0]  kept, result;
  // What was done to it: clocks that a result waits, without a vector, at full rate, stopped; vectors since the reset.
  logic        [9:0]  waited, idle, stopped = 0;
  logic        [15:0] burst, total, resets = 0;
  logic        [1:0]  equal;
  logic               was_reset = 0, ever = 0, flag = 0;
  wire take = in_valid && in_ready, give = full && out_ready, go = !full || out_ready;
  assign operands  = {a0, a1, b0, b1, c};
  assign in_ready  = !x_full || go;
  assign out_valid = full;
  assign sum       = $signed(x[23:20]) * $signed(x[15:12]) + $signed(x[19:16]) * $signed(x[11:8]) + $signed(x[7:0]);
  assign result    = sum < -10'sd128 ? 8'h80 : sum > 10'sd127 ? 8'h7f : sum[7:0];
  assign d         = kept ^ 8'(0 /* fault in a result that waits */);
  always_ff @(posedge clk) stopped <= ce ? 0 : stopped + 1;
  always_ff @(posedge clk) if (ce) begin
    if (in_ready) x_full <= in_valid;
    if (take) x <= operands ^ 24'(0 /* fault in operands */);
    if (go) full <= x_full;
    if (go) kept <= result ^ 8'(0 /* fault in a result */);
    waited <= full && !out_ready ? waited + 10'(waited != 1023) : 0;
    idle   <= in_valid ? 0 : idle + 10'(idle != 1023);
    burst  <= !in_valid || !out_ready ? 0 : burst + 16'(take && burst != 65535);
    if (take) total <= total + 1;
    if (take) equal <= operands != last ? 0 : equal + 2'(equal != 3);
    if (take) {older, last} <= {last, operands};
    was_reset <= rst;
    ever <= ever || take;
    if (rst && !was_reset) resets <= resets + 1;
    /* fault in state */
    if (rst) {x_full, full, waited, idle, burst, total, equal} <= 0;
    /* fault in a reset */
  end
endmodule
";

const FILE: &str = r#"name    = "dot"
equals  = "tiny-integer"
top     = "dot"
sources = ["dot.sv"]
[ports]
a = ["a0", "a1"]
b = ["b0", "b1"]
c = "c"
d = "d"
[clock]
port   = "clk"
enable = "ce"
[reset]
port = "rst"
[input]
valid = "in_valid"
ready = "in_ready"
[output]
valid = "out_valid"
ready = "out_ready"
"#;

const WAITS: &str = "0 /* fault in a result that waits */";
const OPERANDS: &str = "0 /* fault in operands */";
const RESULT: &str = "0 /* fault in a result */";
const STATE: &str = "/* fault in state */";
const RESET: &str = "/* fault in a reset */";

const STOPS: &str = "it depends on being stopped";
const LONG_GAPS: &str = "it depends on long gaps";
const AGAIN: &str = "it depends on a vector that comes again";
const A_RESET: &str = "it depends on a reset in mid-run";
const FULL_RATE: &str = "it depends on many vectors without a gap";
const MANY: &str = "it depends on how many vectors came before";

/// A fault: where it is, what is written there, and which causes may be named.
type Planted = (&'static str, &'static str, &'static [&'static str]);

const PLANTED: [Planted; 22] = [
    // A vector equal to the one before it is dropped; with the third in a row; the one before last comes out.
    (STATE, "if (take && operands == last) x_full <= 0;", &[AGAIN]),
    (RESULT, "equal == 3", &[AGAIN]),
    (OPERANDS, "operands == older && operands != last && ever", &[AGAIN]),
    // A result that waits for 6 clocks, and for 100.
    (WAITS, "waited >= 6", &[STOPS]),
    (WAITS, "waited >= 100", &[STOPS]),
    // What waits behind a result is lost after so many clocks.
    (STATE, "if (waited == 3) x_full <= 0;", &[STOPS]),
    (STATE, "if (waited == 7) x_full <= 0;", &[STOPS]),
    (STATE, "if (waited == 15) x_full <= 0;", &[STOPS]),
    // As a wait ends a gap begins: the next result is lost.
    (STATE, "flag <= give && waited > 1; if (flag && idle == 0 && !in_valid) full <= 0;", &[]),
    // A result comes again in a gap.
    (STATE, "if (idle == 5 && ever) full <= 1;", &[]),
    (STATE, "if (idle == 90 && ever) full <= 1;", &[LONG_GAPS]),
    // The vector after a gap of 40 clocks, and of 200.
    (OPERANDS, "idle >= 40 && ever", &[LONG_GAPS]),
    (OPERANDS, "idle >= 200 && ever", &[LONG_GAPS]),
    // Stopped twice in a row, or for 60 clocks.
    (OPERANDS, "stopped == 2", &[STOPS]),
    (OPERANDS, "stopped >= 60", &[STOPS]),
    // 200 vectors without a pause, and 1500; every 1024th vector.
    (RESULT, "burst >= 200", &[FULL_RATE]),
    (RESULT, "burst >= 1500", &[FULL_RATE]),
    (RESULT, "total == 1024", &[MANY]),
    // A stale result after a reset in mid-run; one that waited at a reset; the first vector after one.
    (RESET, "if (rst && ever) full <= full;", &[A_RESET]),
    (RESET, "if (rst && waited > 2) flag <= 1; else if (!rst && flag) {full, flag} <= 2'b10;", &[]),
    (OPERANDS, "was_reset && ever", &[A_RESET]),
    (RESULT, "total == 2 && resets > 1", &[A_RESET]),
];

/// A folder with the design, changed there.
fn planted(place: &str, fault: &str) -> Folder {
    let folder = Folder::new();
    folder.write("dot.sv", replaced(DESIGN, place, fault));
    folder.write("design.toml", FILE);
    folder
}

fn run(folder: &Folder, vectors: &str) -> Run {
    let line = ["cosim", "--design", "design.toml", "--engines", "emulator,design", "--vectors", vectors];
    folder.run(&[&line[..], &["--json", "report.json"]].concat())
}

/// How often each event of handshakes happened, and the longest of it; those that cannot happen are null.
fn events(folder: &Folder, report: &str) -> Vec<(String, Option<u64>, Option<u64>)> {
    let report = folder.json(report);
    let events = report["units"][0]["handshakes"].as_array().cloned().unwrap_or_default();
    let event = |event: &Value| {
        let count = event["count"].as_u64().filter(|_| event["unreachable"].is_null());
        (event["event"].as_str().expect("a name").to_owned(), count, event["longest"].as_u64())
    };
    events.iter().map(event).collect()
}

/// Unbroken it equals the unit, and everything happens to it.
#[test]
fn every_event_happens_to_a_right_design() {
    if !is_simulated() {
        return;
    }
    let folder = planted(STATE, "");
    let run = run(&folder, "200000");
    assert!(run.code == 0 && run.stdout.contains("handshakes 15 of 15 events: gap "), "{run:?}");
    let events = events(&folder, "report.json");
    assert_eq!(events.len(), 15, "{events:?}");
    let least = |event: &str| match event {
        "gap" | "stop" | "wait" | "equal-neighbours" | "equal-but-one" => 500,
        "long-full-rate" => 3,
        "reset-in-gap" | "reset-in-pause" => 5,
        _ => 20,
    };
    for (event, count, longest) in &events {
        assert!(count.is_some_and(|count| count >= least(event)), "{event}: {count:?}");
        let long = if event == "full-rate" { 2048 } else { 200 };
        assert!(longest.is_none_or(|longest| longest >= long), "{event}: {longest:?}");
    }
}

/// What a design has no ports for is not counted as missed.
#[test]
fn events_that_cannot_happen() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    let line = ["cosim", "--design", "pipelined/design.toml", "--vectors", "3000", "--json", "report.json"];
    let run = folder.succeed(&line);
    assert!(run.stdout.contains(" of 6 events: gap "), "{run:?}");
    let reasons = folder.json("report.json")["units"][0]["handshakes"].to_string();
    for reason in ["no clock enable", "results cannot wait", "no reset", "cannot be stopped, and its results"] {
        assert!(reasons.contains(reason), "{reason:?} is missing in {reasons}");
    }
}

#[test]
fn planted_faults_are_found() {
    if !is_simulated() {
        return;
    }
    in_parallel(&sampled(&PLANTED, 3), |(place, fault, causes)| {
        let run = run(&planted(place, fault), "200000");
        assert!(matches!(run.code, 1 | 2), "{fault}: {run:?}");
        let is_named = run.code == 1 || causes.is_empty() || causes.iter().any(|cause| run.stderr.contains(cause));
        assert!(is_named, "{fault}: {run:?}");
    });
}

/// A mismatch that was found stays one, with its vector and the answers of the run, where the vector by itself is answered alike.
#[test]
fn mismatches_that_no_vector_shows_by_itself() {
    if !is_simulated() {
        return;
    }
    let folder = planted(RESULT, "total == 300");
    let run = run(&folder, "1100");
    assert_eq!(run.code, 1, "{run:?}");
    let first = folder.json("report.json")["units"][0]["first_mismatch"].clone();
    assert!(first["index"].as_u64().is_some_and(|index| index < 1100) && first["not_shrunk"].is_string(), "{first}");
    assert_ne!(first["answers"][0][1], first["answers"][1][1], "{first}");
    assert!(run.stdout.contains("not shrunk:"), "{run:?}");
}

/// Icarus has the same phases, for fewer vectors.
#[test]
fn planted_faults_are_found_in_icarus() {
    if !is_simulated() || needs_icarus("design-icarus").is_none() {
        return;
    }
    let ask = |folder: &Folder| {
        let line = ["cosim", "--design", "design.toml", "--engines", "emulator,design", "--vectors", "8192"];
        folder.run(&[&line[..], &["--design-engine", "icarus"]].concat())
    };
    let right = ask(&planted(STATE, ""));
    assert_eq!(right.code, 0, "{right:?}");
    in_parallel(&sampled(&[0, 3, 5, 9, 13], 2), |place| {
        let (place, fault, _) = PLANTED[**place];
        let run = ask(&planted(place, fault));
        assert!(matches!(run.code, 1 | 2), "{fault}: {run:?}");
    });
}
