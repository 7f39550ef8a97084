//! Jobs that `init` begins, run: the commands that stand in them, but for the installation, in a copy of the examples.

use std::path::Path;
use std::process::Command;

use super::super::program::{Folder, Run};
use super::{examples, is_simulated, with_fault};
use crate::support::{in_parallel, long_tier, needs_program, sampled};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tensorsmith");
const PLATFORMS: [&str; 4] = ["github", "gitlab", "make", "slurm"];
const DESIGN: &str = "pipelined/design.toml";
const COMMIT: &str = "beefcafe0123456789abcdef0123456789abcdef";

/// Where a platform's job stands.
pub fn file_of(platform: &str) -> &'static str {
    match platform {
        "github" => ".github/workflows/tensorsmith.yml",
        "gitlab" => ".gitlab-ci.yml",
        "slurm" => "tensorsmith.slurm",
        _ => "tensorsmith.mk",
    }
}

/// A step of a job: its name, and its lines.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    name: String,
    script: String,
}

/// The items of a list of YAML, each a line or a block of text, whose marks stand behind `mark`.
fn texts(lines: &[&str], mark: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let Some(text) = line.strip_prefix(mark) else { continue };
        let indent = mark.len() - mark.trim_start().len();
        let is_inside = |line: &&&str| line.is_empty() || line.len() - line.trim_start().len() > indent;
        let block = || lines[place + 1..].iter().take_while(is_inside).map(|line| line.trim_start());
        found.push((place, if text == "|" { block().collect::<Vec<_>>().join("\n") } else { text.to_owned() }));
    }
    found
}

/// The steps of a job of GitHub that run something.
fn github(text: &str) -> Vec<Step> {
    let lines: Vec<&str> = text.lines().collect();
    let name = |place: usize| lines[..place].iter().rev().find_map(|line| line.strip_prefix("      - name: "));
    let step = |(place, script)| Step { name: name(place).expect("a name").to_owned(), script };
    texts(&lines, "        run: ").into_iter().map(step).collect()
}

/// What a job of GitLab runs before its script, and its script.
fn gitlab(text: &str) -> [Step; 2] {
    ["before_script", "script"].map(|name| {
        let lines = text.lines().skip_while(|line| *line != format!("  {name}:")).skip(1);
        let lines: Vec<&str> = lines.take_while(|line| line.starts_with("   ")).collect();
        let items: Vec<String> = texts(&lines, "    - ").into_iter().map(|(_, text)| text).collect();
        Step { name: name.to_owned(), script: items.join("\n") }
    })
}

#[test]
fn steps_of_jobs_are_read() {
    let step = |name: &str, script: &str| Step { name: name.to_owned(), script: script.to_owned() };
    let text = "    steps:\n      - name: One\n        run: |\n          a \\\n            b\n\n      - name: Two\n        run: c\n";
    assert_eq!(github(text), [step("One", "a \\\nb\n"), step("Two", "c")]);
    let text = "t:\n  before_script:\n    - a\n    - |\n      b\n  script:\n    - c\n  artifacts:\n    - d\n";
    assert_eq!(gitlab(text), [step("before_script", "a\nb"), step("script", "c")]);
}

/// Runs what a job runs after the installation, as its platform does: until a command fails.
fn run(folder: &Folder, platform: &str) -> Run {
    let text = folder.read(file_of(platform));
    let scripts: Vec<String> = match platform {
        "github" => {
            let steps = github(&text);
            assert_eq!(steps.len(), text.matches(" run: ").count(), "{text}");
            let (install, others): (Vec<Step>, Vec<Step>) = steps.into_iter().partition(|step| step.name == "Install");
            assert!(
                install.len() == 1 && install[0].script.contains("\ncargo install tensorsmith --version "),
                "{text}"
            );
            others.into_iter().map(|step| step.script).collect()
        }
        "gitlab" => {
            let [before, script] = gitlab(&text);
            assert!(before.script.contains("\ncargo install tensorsmith --version "), "{text}");
            vec![script.script]
        }
        "slurm" => vec![format!("exec bash {}", file_of(platform))],
        _ => vec![format!("make -f {} tensorsmith", file_of(platform))],
    };
    let cache = folder.succeed(&["cache", "list", "--json", "-"]).stdout;
    let cache: serde_json::Value = serde_json::from_str(&cache).expect("JSON");
    let own = Path::new(PROGRAM).parent().expect("a folder").display();
    let path = format!("{own}:{}", std::env::var("PATH").unwrap_or_default());
    let mut all = Run { code: 0, stdout: String::new(), stderr: String::new() };
    for script in scripts {
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", &script]).current_dir(folder.path(".")).env("PATH", &path);
        shell.env("TENSORSMITH_CACHE", cache["folder"].as_str().expect("a folder"));
        for variable in ["GITHUB_SHA", "CI_COMMIT_SHA", "TENSORSMITH_COMMIT"] {
            shell.env(variable, COMMIT);
        }
        let output = shell.output().expect("there is a shell");
        all.stdout += &String::from_utf8_lossy(&output.stdout);
        all.stderr += &String::from_utf8_lossy(&output.stderr);
        all.code = output.status.code().expect("an exit code");
        if all.code != 0 {
            break;
        }
    }
    // Make itself says 2 for any failure, and names that of the command.
    let named = all.stderr.lines().find_map(|line| line.split("Error ").nth(1)?.trim().parse().ok());
    Run { code: if platform == "make" { named.unwrap_or(all.code) } else { all.code }, ..all }
}

/// Files of cases and of waveforms that a job has kept.
fn kept(folder: &Folder, ending: &str) -> usize {
    let entries = std::fs::read_dir(folder.path("tensorsmith-out/cases")).expect("the folder for cases");
    entries
        .filter(|entry| entry.as_ref().expect("an entry").path().extension().is_some_and(|own| own == ending))
        .count()
}

/// Right: 0. Broken: 1, with a case, a waveform and the failure in JUnit's file; the case is run first the next time. Not to be
/// built: 2. Repaired: 0, and the case agrees. In the ordinary tier the jobs of two platforms end at the first case.
#[test]
fn jobs_run_as_they_stand() {
    if !is_simulated() {
        return;
    }
    in_parallel(&sampled(&PLATFORMS, 2), |&&platform| {
        if platform == "make" && needs_program("make", "make", "--version").is_none() {
            return;
        }
        let folder = examples();
        let limits = ["--vectors", "20000", "--time-limit", "5m"];
        folder.succeed(&[&["init", "--ci", platform, "--design", DESIGN], &limits[..]].concat());
        let right = folder.read(DESIGN);

        let ran = run(&folder, platform);
        assert!(
            ran.code == 0 && ran.stdout.contains("20,000 vectors compared, 0 mismatches, seed 3203386110,"),
            "{ran:?}"
        );
        assert!(ran.stdout.contains("kept cases in tensorsmith-out/cases: none"), "{ran:?}");
        assert_eq!((kept(&folder, "toml"), kept(&folder, "vcd")), (0, 0));
        assert!(folder.read("tensorsmith-out/junit.xml").contains(r#"failures="0""#));
        assert!(folder.read("tensorsmith-out/report/report.html").contains("dot4-e4m3"));

        folder.write(DESIGN, folder.read(&with_fault(&folder, ("pipelined", "Fault"), 1)));
        let ran = run(&folder, platform);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!((kept(&folder, "toml"), kept(&folder, "vcd")), (1, 1));
        assert!(folder.read("tensorsmith-out/junit.xml").contains(r#"tests="3" failures="1""#));
        assert_eq!(ran.stdout.contains("::error file="), platform == "github", "{ran:?}");
        if platform != "github" && !long_tier() {
            return;
        }

        let ran = run(&folder, platform);
        assert_eq!(ran.code, 1, "{ran:?}");
        let first = ran.stdout.find(
            "kept cases in tensorsmith-out/cases: 1 of dot4-e4m3, run first\ndot4-e4m3: 1 vector compared, 1 MISMATCH",
        );
        assert!(first < ran.stdout.find("20,000 vectors compared") && first.is_some(), "{ran:?}");
        assert!(folder.read("tensorsmith-out/junit.xml").contains(r#"<testsuite name="dot4-e4m3 (kept cases)""#));

        let source = folder.read("pipelined/dot4.sv");
        folder.write("pipelined/dot4.sv", source.replacen("endmodule", "endmodul", 1));
        let ran = run(&folder, platform);
        assert!(ran.code == 2 && ran.stderr.contains("pipelined/design.toml"), "{ran:?}");
        assert!(folder.read("tensorsmith-out/junit.xml").contains(r#"errors="1""#), "a red report");
        assert_eq!(folder.json("tensorsmith-out/cosim.json")["passed"], false);
        let annotation = "::error file=pipelined/dot4.sv,line=";
        assert_eq!(ran.stdout.contains(annotation), platform == "github", "{ran:?}");

        folder.write("pipelined/dot4.sv", source);
        folder.write(DESIGN, right);
        let ran = run(&folder, platform);
        assert!(ran.code == 0 && ran.stdout.contains("dot4-e4m3: 1 vector compared, 0 mismatches"), "{ran:?}");
        assert_eq!(folder.json("tensorsmith-out/cosim.json")["stopped"], false);
        assert_eq!(
            (kept(&folder, "toml"), kept(&folder, "vcd")),
            (1, 0),
            "the case stays, its waveform is of the fault"
        );
    });
}
