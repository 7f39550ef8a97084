//! Engines that are named have to run; default ones may be skipped.

use super::program::{Folder, Run};
use super::support::long_tier;

/// Runs the program where there are no tools.
fn without_tools(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    let output = command.env("PATH", "/nonexistent").env("VERILATOR", "").output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Commands that take several engines, with the word before their names.
fn commands(folder: &Folder) -> Vec<Vec<&'static str>> {
    folder.succeed(&["record", "tiny-fma", "--engine", "emulator", "--vectors", "50", "--out", "own.tsrec"]);
    vec![
        vec!["cosim", "tiny-fma", "--vectors", "100", "--engines"],
        vec!["replay", "own.tsrec", "--engines"],
        vec!["eval", "tiny-fma", "--engines"],
        vec!["devices", "V100", "--answers", "--engines"],
    ]
}

/// In the ordinary tier each command is asked for one engine.
#[test]
fn named_engines_that_are_missing_are_errors() {
    let folder = Folder::new();
    for (place, command) in commands(&folder).into_iter().enumerate() {
        let missing = ["icarus", "netlist", "cuda:7"];
        let asked = if long_tier() { &missing[..] } else { &missing[place % 3..][..1] };
        for engine in asked {
            let engines = format!("emulator,reference,{engine}");
            let named = [&command[..], &[engines.as_str()]].concat();
            let run = without_tools(&folder, &named);
            let expected = format!("error: engine {engine} was named and is missing: ");
            assert!(run.code == 2 && run.stderr.contains(&expected), "{named:?}: {run:?}");
            assert!(run.stderr.contains("--allow-missing"), "{run:?}");
            let run = without_tools(&folder, &[&named[..], &["--allow-missing"]].concat());
            let said = run.stdout.clone() + &run.stderr;
            assert!(run.code == 0 && said.contains("skipped"), "{named:?}: {run:?}");
        }
    }
}

/// A unit that is not linked into the program needs Verilator, which is not there.
#[cfg(feature = "rtl")]
#[test]
fn simulated_hardware_that_cannot_be_built_is_an_error_where_it_was_named() {
    let mut folder = Folder::new();
    folder.set("TENSORSMITH_CACHE", "cache");
    let shown = folder.succeed(&["show", "tiny-fma", "--toml"]);
    folder.write("mine.toml", shown.stdout.replace("\"tiny-fma\"", "\"mine\""));
    let cosim = ["cosim", "mine.toml", "--vectors", "100"];
    let run = without_tools(&folder, &cosim);
    assert!(run.code == 0 && run.stdout.contains("rtl        skipped, because mine is not linked"), "{run:?}");
    let named = [&cosim[..], &["--engines", "emulator,reference,rtl"]].concat();
    let run = without_tools(&folder, &named);
    assert!(run.code == 2 && run.stderr.contains("engine rtl was named and is missing: mine is not linked"), "{run:?}");
    let run = without_tools(&folder, &[&named[..], &["--allow-missing"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
}

/// What no instruction of this machine computes is skipped for one unit, and an error where nothing else was asked.
#[test]
fn named_engines_that_answer_nothing_are_errors() {
    let folder = Folder::new();
    let eval = ["eval", "volta-fp16-fp32", "--engines", "emulator,processor"];
    let run = folder.run(&eval);
    assert!(run.code == 2 && run.stderr.contains("engine processor was named and answered nothing"), "{run:?}");
    let run = folder.succeed(&[&eval[..], &["--allow-missing"]].concat());
    assert!(run.stderr.contains("processor: skipped, because none of"), "{run:?}");
}

/// A campaign file names engines as a command line does.
#[test]
fn engines_that_a_campaign_names_have_to_run() {
    let folder = Folder::new();
    folder.write(
        "c.toml",
        "name = \"c\"\nengines = [\"emulator\", \"reference\", \"icarus\"]\nvectors = 100\n[[run]]\nsubjects = [\"tiny-nearest\"]\n",
    );
    let run = without_tools(&folder, &["campaign", "c.toml", "--out", "out"]);
    let missing = "tiny-nearest: engine icarus is named in the campaign file and is missing: ";
    assert!(run.code == 2 && run.stderr.contains(missing), "{run:?}");
    let run = without_tools(&folder, &["campaign", "c.toml", "--out", "out", "--allow-missing"]);
    assert_eq!(run.code, 0, "{run:?}");
}
