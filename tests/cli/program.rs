//! Running the program, and looking at what it left behind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::odd_folder;

/// What a run said and how it ended.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder of its own for one test, and the variables that the program sees in it.
pub struct Folder {
    place: tempfile::TempDir,
    variables: Vec<(&'static str, PathBuf)>,
}

/// A text for every engine that needs no tool.
pub const SOFTWARE: &str = "emulator,reference";

/// Those, and the RTL where this build has it.
pub fn engines() -> &'static str {
    if cfg!(feature = "rtl") { "emulator,reference,rtl" } else { SOFTWARE }
}

impl Folder {
    pub fn new() -> Folder {
        Folder { place: tempfile::tempdir().expect("a folder for the test"), variables: Vec::new() }
    }

    /// One with blanks and letters beside ASCII in its name.
    pub fn odd() -> Folder {
        Folder { place: odd_folder(), variables: Vec::new() }
    }

    /// Lets a variable of the program name something in this folder.
    pub fn set(&mut self, variable: &'static str, name: &str) {
        self.variables.push((variable, self.path(name)));
    }

    /// Gives a variable of the program a value.
    pub fn set_value(&mut self, variable: &'static str, value: &str) {
        self.variables.push((variable, value.into()));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the test's folder can be written");
        std::fs::write(path, content).expect("the test's folder can be written");
    }

    pub fn read(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        if text.contains("<testsuites") && text.starts_with("<?xml") {
            super::support::junit::read(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
        }
        text
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes a shell script that can be run.
    pub fn script(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o755)).expect("an executable");
        // A process that another test starts at this moment may hold the file open for writing a little longer.
        let started = || Command::new(self.path(name)).arg("--version").output();
        while started().is_err_and(|error| error.kind() == std::io::ErrorKind::ExecutableFileBusy) {
            std::thread::yield_now();
        }
    }

    /// The program, ready to run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
        command.args(arguments).current_dir(self.place.path());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program here. Whatever happens it must not panic.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output: Output = self.command(arguments).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let run = Run {
            code: output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed: {}", output.status)),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        // Every JUnit file that a test makes.
        for pair in arguments.windows(2).filter(|pair| pair[0] == "--junit" && self.path(pair[1]).is_file()) {
            let text = String::from_utf8_lossy(&std::fs::read(self.path(pair[1])).expect("a report")).into_owned();
            if text.contains("<testsuites") {
                super::support::junit::read(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
            }
        }
        assert!(
            !run.stdout.contains("panicked") && !run.stderr.contains("panicked"),
            "{arguments:?} panicked: {run:?}"
        );
        run
    }

    /// Runs the program, which must find all well.
    pub fn succeed(&self, arguments: &[&str]) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
        run
    }

    /// Runs the program on bad input: exit code 2, nothing on standard output except annotations, nothing created or changed
    /// except reports of the failure, and all of `parts` in the message.
    pub fn refuse(&self, arguments: &[&str], parts: &[&str]) {
        let before = self.content();
        let run = self.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        let annotates = arguments.contains(&"--annotate");
        let printed = run.stdout.lines().find(|line| !(annotates && line.starts_with("::error ")));
        let printed = printed.filter(|_| !arguments.contains(&"-"));
        assert_eq!(printed, None, "{arguments:?} refuses its input, but prints");
        for part in parts {
            assert!(run.stderr.contains(part), "{arguments:?}: {part:?} is missing in: {}", run.stderr);
        }
        let (mut before, mut after) = (before, self.content());
        for pair in arguments.windows(2).filter(|pair| ["--json", "--junit"].contains(&pair[0]) && pair[1] != "-") {
            let path = self.path(pair[1]);
            if self.is_red(pair, parts) {
                before.remove(&path);
                after.remove(&path);
            }
        }
        assert_eq!(after, before, "{arguments:?} refuses its input, but leaves files");
    }

    /// Whether a report, with its option, is one of a failure.
    fn is_red(&self, report: &[&str], parts: &[&str]) -> bool {
        let text = std::fs::read_to_string(self.path(report[1])).unwrap_or_default();
        let names = |text: &str| parts.iter().all(|part| text.contains(part.trim_start_matches("error: ").trim_end()));
        match report[0] {
            "--json" => serde_json::from_str::<Value>(&text)
                .is_ok_and(|value| value["passed"] == false && value["error"].as_str().is_some_and(names)),
            _ => super::support::junit::read(&text)
                .is_ok_and(|cases| cases.iter().any(|case| case.kind == "error" && names(&case.text))),
        }
    }

    /// Every file and folder here, with its content.
    pub fn content(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut content = BTreeMap::new();
        collect(self.place.path(), &mut content);
        content
    }
}

fn collect(folder: &Path, content: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the test") {
        let path = entry.expect("an entry of the test's folder").path();
        if path.is_dir() {
            content.insert(path.clone(), None);
            collect(&path, content);
        } else {
            content.insert(path.clone(), Some(std::fs::read(&path).expect("a file of the test")));
        }
    }
}

/// Compares a text with the file of that name in `tests/cli/snapshots`. With TENSORSMITH_REWRITE_SNAPSHOTS=1 the file is
/// written instead; review it as a diff.
pub fn snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots").join(name);
    if std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(text, expected, "{name} differs; if it should, run the test with TENSORSMITH_REWRITE_SNAPSHOTS=1");
}

/// The fields of an object, in order.
pub fn fields(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Asserts that an object has exactly these fields, and each of them once.
pub fn assert_fields(value: &Value, expected: &[&str]) {
    let (mut found, mut expected) = (fields(value), expected.to_vec());
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// The same command, but that an interrupt ends it even where this test runs in the background, which ignores interrupts.
pub fn interruptible(command: &Command) -> Command {
    let mut through = Command::new("env");
    through.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    command.get_current_dir().map(|folder| through.current_dir(folder));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => through.env(name, value),
            None => through.env_remove(name),
        };
    }
    through
}
