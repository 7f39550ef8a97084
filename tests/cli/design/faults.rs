//! Designs that end, crash, hang, flood or paint: each is named, with exit code 2, and ends nothing but its own process. Without the fault
//! the same design runs. Designs that call C or the system are refused before anything of them runs.

use std::process::Stdio;
use std::time::{Duration, Instant};

use tensorsmith::describe::subject::Subject;
use tensorsmith::design::{Design, Limits, Simulator};

use super::super::external_failures::is_gone;
use super::super::program::{Folder, Run};
use super::{SMALL_FILE, is_simulated, with_small};
use crate::support::{in_parallel, needs_icarus, replaced};

const LETS: &str = "--allow-system-calls";

/// The small design with more text, and with a fault in clock 300.
fn with_fault(declarations: &str, fault: &str) -> String {
    let fault = format!(
        "  {declarations}\n  int count = 0;\n  always @(posedge clk) begin\n    count <= count + 1;\n    if (count == 300) begin {fault} end\n  \
         end\nendmodule\n"
    );
    replaced(super::SMALL, "endmodule\n", &fault)
}

fn folder(source: &str) -> Folder {
    let folder = Folder::new();
    folder.write("dot.sv", source);
    folder.write("design.toml", SMALL_FILE);
    folder
}

fn cosim(folder: &Folder, more: &[&str]) -> Run {
    let usual = [
        "cosim",
        "--design",
        "design.toml",
        "--engines",
        "emulator,design",
        "--vectors",
        "3000",
        "--json",
        "report.json",
    ];
    let mut run = folder.run(&[&usual[..], more].concat());
    // Whether a model is built depends on the cache.
    run.stderr = run.stderr.split_inclusive('\n').filter(|line| !line.starts_with("building ")).collect();
    run
}

/// Declarations, the fault, and what is said of it.
const FAULTS: [(&str, &str, &[&str]); 12] = [
    (
        "import \"DPI-C\" function void exit(input int code);",
        "exit(0);",
        &["ended the simulation by exit(0) in cycle 300"],
    ),
    (
        "import \"DPI-C\" function void exit(input int code);",
        "exit(3);",
        &["ended the simulation by exit(3) in cycle 300"],
    ),
    ("import \"DPI-C\" function void _exit(input int code);", "_exit(0);", &["ended the simulation by exit(0)"]),
    (
        "import \"DPI-C\" function int raise(input int signal);",
        "void'(raise(6));",
        &["signal 6 (SIGABRT) in cycle 300"],
    ),
    ("import \"DPI-C\" function int raise(input int signal);", "void'(raise(9));", &["signal 9 (SIGKILL)"]),
    ("", "$c(\"*(volatile int*)0 = 1;\");", &["signal 11 (SIGSEGV) in cycle 300"]),
    ("", "$system(\"echo printed; kill -9 $PPID\");", &["signal 9 (SIGKILL)", "\n  printed"]),
    ("", "$c(\"for (int file = 0; file < 4096; ++file) close(file); for (;;) pause();\");", &["closed the files"]),
    ("", "$finish;", &["called $finish at dot.sv:"]),
    ("", "$fatal(1, \"too much\");", &["the model stopped ($fatal", "too much"]),
    (
        "",
        "for (int i = 0; i < 100000000; ++i) $display(\"line %0d\", i);",
        &["printed more than 65536 KiB", "\n  line "],
    ),
    (
        "",
        "$display(\"\\033[31m\\n  ::error::red\\n##[error]red\"); $fatal(1, \"painted\");",
        &["\\u{1b}[31m", "\n    \\u{3a}:error::red", "\n  #\\u{23}[error]red", "painted"],
    ),
];

#[test]
fn faults_of_designs_end_designs_alone() {
    if !is_simulated() {
        return;
    }
    in_parallel(&FAULTS, |(declarations, fault, said)| {
        let folder = folder(&with_fault(declarations, fault));
        let run = cosim(&folder, &[LETS]);
        assert!(run.code == 2 && run.stdout.is_empty(), "{fault}: {run:?}");
        assert!(run.stderr.starts_with("error: engine design: vector"), "{fault}: {run:?}");
        assert!(run.stderr.len() < 4000 && !run.stderr.contains('\u{1b}'), "{fault}: {run:?}");
        said.iter()
            .for_each(|part| assert!(run.stderr.contains(part), "{fault}: {part:?} is missing in {}", run.stderr));
        assert_eq!(folder.json("report.json")["passed"], false, "{fault}: a red report");
    });
}

#[test]
fn without_the_fault_the_design_runs() {
    if !is_simulated() {
        return;
    }
    let folder = folder(&with_fault("", ""));
    let run = cosim(&folder, &[]);
    assert!(run.code == 0 && run.stderr.is_empty() && folder.path("report.json").exists(), "{run:?}");
}

/// What a design prints is shown in the end, shortened, and commands nothing.
#[test]
fn what_a_design_prints_is_shown_as_text() {
    if !is_simulated() {
        return;
    }
    let folder = folder(&with_fault("always @(posedge clk) $display(\"\\033[31m\\n::error::red\");", ""));
    let run = cosim(&folder, &[]);
    assert!(run.code == 0 && !run.stdout.contains("::error"), "{run:?}");
    assert!(
        run.stderr.starts_with("warning: the design small printed ") && run.stderr.lines().count() == 11,
        "{run:?}"
    );
    assert!(run.stderr.contains("\n  \\u{1b}[31m\n  \\u{3a}:error::red\n"), "{run:?}");
}

/// Limits that faults of these tests reach soon.
const LIMITS: Limits = Limits { time: Duration::from_secs(5), memory: 96 << 20, output: 1 << 20 };

/// What an engine with these limits says of the small design with a fault.
fn failure(fault: &str, simulator: Simulator) -> Option<String> {
    let folder = folder(&with_fault("int queue[$];", fault));
    let design = Design::read(&folder.path("design.toml")).expect("a design file");
    // Icarus has ten times as long.
    let time = if simulator == Simulator::Icarus { LIMITS.time / 5 } else { LIMITS.time };
    let design = Design { limits: Limits { time, ..LIMITS }, simulator, ..design };
    let subject = Subject::named("tiny-integer").expect("in the catalogue");
    let opened = tensorsmith::engine::Simulated::open(&design, &subject.interface()).expect("it can be built");
    let tensorsmith::engine::Opened::Ready(mut engine) = opened else { panic!("it is simulated") };
    let stimulus = tensorsmith::check::stimulus::Stimulus::shaped(subject.frame(), 1);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, 1000, &mut batch);
    let failure = engine.answers(&batch).err().map(|error| error.message);
    if simulator == Simulator::Verilator {
        // It answers no more, and says the same again.
        assert_eq!(engine.answers(&batch).err().map(|error| error.message), failure);
    }
    failure
}

const ENDLESS: &str = "for (int i = 0; count == 300; ++i) if (i == -1) $display(\"never\");";

#[test]
fn limits_of_designs() {
    if !is_simulated() {
        return;
    }
    let growing = "for (int i = 0; i < 1000000000; ++i) begin queue.push_back(i); if (queue.size() == 0) $display(\"never\"); end";
    let printing = "for (int i = 0; i < 1000000; ++i) $display(\"line %0d\", i);";
    let cases = [
        (ENDLESS, "does not end a clock within 5 s in cycle 300"),
        (growing, "takes more than 96 MiB of memory"),
        (printing, "printed more than 1024 KiB"),
    ];
    in_parallel(&cases, |(fault, said)| {
        let failure = failure(fault, Simulator::Verilator).expect("a fault");
        assert!(failure.contains(said), "{fault}: {failure}");
    });
    assert_eq!(failure("", Simulator::Verilator), None);
}

/// A design that takes longer than the limit in all, and less in each clock, is none that hangs.
#[test]
fn slow_designs_are_waited_for() {
    if !is_simulated() {
        return;
    }
    let folder = folder(&with_fault(
        "import \"DPI-C\" function int usleep(input int unsigned microseconds); always @(posedge clk) void'(usleep(7000));",
        "",
    ));
    let design = Design::read(&folder.path("design.toml")).expect("a design file");
    let design = Design { limits: LIMITS, system_calls: true, ..design };
    let subject = Subject::named("tiny-integer").expect("in the catalogue");
    let opened = tensorsmith::engine::Simulated::open(&design, &subject.interface()).expect("it can be built");
    let tensorsmith::engine::Opened::Ready(mut engine) = opened else { panic!("it is simulated") };
    let stimulus = tensorsmith::check::stimulus::Stimulus::shaped(subject.frame(), 1);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, 1000, &mut batch);
    let start = Instant::now();
    engine.answers(&batch).expect("it answers");
    assert!(start.elapsed() > LIMITS.time, "it was to take long");
}

#[test]
fn limits_of_designs_in_icarus() {
    if !is_simulated() || needs_icarus("design-faults-icarus").is_none() {
        return;
    }
    let cases = [
        ("while (count == 300) if (count == 0) $display(\"never\");", "a result takes longer than 10 s"),
        ("while (count == 300) $display(\"line\");", "printed more than 1024 KiB"),
        ("$fatal(1, \"too much\");", "too much"),
        ("$stop;", "vvp failed"),
        ("$finish;", "results for 1000 vectors and no more"),
    ];
    in_parallel(&cases, |(fault, said)| {
        let failure = failure(fault, Simulator::Icarus).expect("a fault");
        assert!(failure.contains(said), "{fault}: {failure}");
    });
    assert_eq!(failure("", Simulator::Icarus), None);
}

/// Text that calls C or the system, and what is said of it.
const CALLS: [(&str, &str); 14] = [
    ("import \"DPI-C\" function void exit(input int code);\n  initial exit(3);", "dot.sv:16: exit is a function of C"),
    (
        "export \"DPI-C\" function twice;\n  function int twice(input int x); return 2 * x; endfunction",
        "twice is exported to C",
    ),
    ("initial $system(\"touch ran\");", "dot.sv:16: $system runs a program"),
    ("int code; initial code = $system(\"touch ran\");", "$system runs a program"),
    ("initial $c(\"system(\\\"touch ran\\\");\");", "$c is C++"),
    ("int code; initial code = $c32(\"system(\\\"touch ran\\\")\");", "$c is C++"),
    ("int file; initial file = $fopen(\"ran\", \"w\");", "$fopen writes a file"),
    ("int file; initial file = $fopen(\"ran\", \"r+\");", "$fopen writes a file"),
    ("int file; string mode = \"w\"; initial file = $fopen(\"ran\", mode);", "$fopen writes a file"),
    ("int file; initial file = $fopen(\"ran\");", "$fopen writes a file"),
    ("logic [7:0] memory [2]; initial $writememh(\"ran\", memory);", "$writemem writes a file"),
    ("initial begin $dumpfile(\"ran\"); $dumpvars; end", "$dump.. writes a file"),
    (
        "\n`systemc_imp_header\n#include <cstdlib>\nint run_it = std::system(\"touch ran\");\n`verilog\n",
        "`systemc_.. begins C++",
    ),
    (
        "endmodule\nmodule more; initial $system(\"touch ran\"); endmodule\nbind tensorsmith_design more u_more ();\nmodule last;",
        "$system runs a program",
    ),
];

#[test]
fn calls_of_c_and_the_system_are_refused() {
    if !is_simulated() {
        return;
    }
    in_parallel(&CALLS, |(text, said)| {
        let folder = folder(&replaced(super::SMALL, "endmodule\n", &format!("{text}\nendmodule\n")));
        folder.refuse(&["cosim", "--design", "design.toml", "--vectors", "9"], &["design.toml: dot.sv:", said, LETS]);
    });
    // What only reads, and what only shows, may be.
    let folder = folder(&replaced(
        super::SMALL,
        "endmodule\n",
        "  int file; initial begin file = $fopen(\"table.txt\", \"r\"); $display(\"%0d\", file); end\nendmodule\n",
    ));
    assert_eq!(cosim(&folder, &[]).code, 0);
}

/// A text that Icarus reads and Verilator does not see is looked at too.
#[test]
fn calls_in_the_text_of_icarus_are_refused() {
    if !is_simulated() || needs_icarus("design-faults-icarus").is_none() {
        return;
    }
    let text = "int file;\n`ifndef VERILATOR\n  initial file = $fopen(\"ran\", \"w\");\n`endif\nendmodule\n";
    let folder = folder(&replaced(super::SMALL, "endmodule\n", text));
    let cosim = ["cosim", "--design", "design.toml", "--vectors", "9", "--design-engine", "icarus"];
    folder.refuse(&cosim, &["dot.sv:18: $fopen writes a file", LETS]);
    let run = folder.run(&[&cosim[..], &[LETS]].concat());
    assert!(run.code == 0 && folder.path("design.toml").exists(), "{run:?}");
}

/// The flag is for a design, and lets one call C; everything else of the design is compared.
#[test]
fn the_flag_lets_designs_call() {
    if !is_simulated() {
        return;
    }
    let folder = with_small(folder(&with_fault(
        "import \"DPI-C\" function int abs(input int x);",
        "if (abs(-1) != 1) $fatal(1);",
    )));
    assert_eq!(cosim(&folder, &[LETS]).code, 0);
    folder.refuse(&["cosim", "tiny-integer", "--vectors", "9", LETS], &[LETS, "--design FILE"]);
}

/// A design in an endless loop ends soon after the program that was killed.
#[test]
fn killed_programs_leave_no_design() {
    if !is_simulated() {
        return;
    }
    let folder = folder(&with_fault("", &format!("$system(\"echo $PPID > pid\"); {ENDLESS}")));
    let cosim = ["cosim", "--design", "design.toml", "--engines", "emulator,design", "--vectors", "3000", LETS];
    let mut child =
        folder.command(&cosim).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let pid = || std::fs::read_to_string(folder.path("pid")).unwrap_or_default().trim().to_owned();
    while pid().is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "it waits for the design");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a child of this test");
    child.wait().expect("a child of this test");
    assert!(is_gone(&pid()), "the design {} is left", pid());
}
