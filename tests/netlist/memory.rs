//! Memory that holds code is never writable and executable at once.

use tensorsmith::engine::netlist::circuit::{Builder, Signal};
use tensorsmith::engine::netlist::{Mode, Runner};

use super::{modes, support};

/// Address ranges of the process with their permissions, and the names behind them.
fn mappings() -> Vec<(String, String)> {
    let text = std::fs::read_to_string("/proc/self/maps").expect("the system tells a process its memory");
    let mapping = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields[1].to_owned(), fields.get(5).copied().unwrap_or_default().to_owned())
    };
    text.lines().map(mapping).collect()
}

fn writable_and_executable(mappings: &[(String, String)]) -> usize {
    mappings.iter().filter(|(permissions, _)| permissions.contains('w') && permissions.contains('x')).count()
}

#[test]
fn code_is_not_writable() {
    let modes: Vec<Mode> = modes().into_iter().filter(|mode| *mode != Mode::Interpreter).collect();
    if modes.is_empty() || !std::path::Path::new("/proc/self/maps").exists() {
        return support::skip("netlist-memory", "no code is made for the processor, or the system has no /proc");
    }
    let anonymous = |mappings: &[(String, String)]| {
        mappings.iter().filter(|(permissions, name)| permissions.starts_with("r-x") && name.is_empty()).count()
    };
    for mode in modes {
        let mut builder = Builder::new(2);
        let signals = [0, 1].map(|value| Signal::Value { value, inverted: false });
        let output = builder.lut(0b0110, &signals);
        let runner = Runner::new(&builder.finish(&[output]), mode).expect("code can be placed in memory");
        let found = mappings();
        assert!(runner.code_bytes().is_some_and(|bytes| bytes > 0));
        assert!(anonymous(&found) >= 1, "the code is in no mapping that may be executed: {found:?}");
        assert_eq!(writable_and_executable(&found), 0, "{found:?}");
    }
}

/// The check sees such a mapping.
#[test]
fn writable_code_would_be_seen() {
    let bad = [("r-xp".to_owned(), String::new()), ("rwxp".to_owned(), String::new())];
    assert_eq!(writable_and_executable(&bad), 1);
}
