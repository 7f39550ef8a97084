//! Planting faults in what was exported, and asserting that the import names them and leaves nothing behind.

use super::*;

pub const SUBJECT: &str = "hopper-e4m3-fp32";
pub const VECTORS: u64 = 30;

/// Changes what was exported, below the path given.
pub type Fault = Box<dyn Fn(&Path)>;

/// Rewrites a text file.
pub fn text(name: &'static str, change: impl Fn(String) -> String + 'static) -> Fault {
    Box::new(move |other| {
        let path = if name.is_empty() { other.to_owned() } else { other.join(name) };
        let text = fs::read_to_string(&path).expect("a file");
        let changed = change(text.clone());
        assert_ne!(changed, text, "the fault changes something");
        fs::write(path, changed).expect("a file");
    })
}

/// Rewrites one line, counted from 1; an empty one is removed.
pub fn line(name: &'static str, number: usize, change: impl Fn(&str) -> String + 'static) -> Fault {
    text(name, move |text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let changed = change(&lines[number - 1]);
        if changed.is_empty() {
            lines.remove(number - 1);
        } else {
            lines[number - 1] = changed;
        }
        lines.join("\n") + "\n"
    })
}

pub fn bytes(name: &'static str, change: impl Fn(&mut Vec<u8>) + 'static) -> Fault {
    Box::new(move |other| {
        let mut bytes = fs::read(other.join(name)).expect("a file");
        change(&mut bytes);
        fs::write(other.join(name), bytes).expect("a file");
    })
}

pub fn removed(name: &'static str) -> Fault {
    Box::new(move |other| fs::remove_file(other.join(name)).expect("a file"))
}

/// Plants each fault in a fresh export, and asserts that the import names it.
pub fn assert_refused(form: Form, faults: Vec<(&str, Fault, &str)>) {
    let whole =
        if form == Form::Public { finite_recording(SUBJECT, VECTORS) } else { recording(SUBJECT, VECTORS, 4096) };
    let count = faults.len();
    for (name, fault, message) in faults {
        let folder = Folder::with(&whole);
        folder.export(form).expect("a whole recording");
        fault(&folder.path("other"));
        let before = folder.names();
        let error = folder.import(form, SUBJECT).expect_err(name);
        println!("{name}: {error}");
        assert!(error.contains(message), "{name}: {message:?} is missing in: {error}");
        assert!(error.contains("other"), "{name}: no file is named in: {error}");
        assert_eq!(folder.names(), before, "{name}: something is left");
    }
    let folder = Folder::with(&whole);
    folder.export(form).expect("a whole recording");
    folder.import(form, SUBJECT).expect("without a fault it is read");
    println!("{count} faults refused");
}

/// Exchanges one part of a line.
pub fn replaced(from: &'static str, to: &'static str) -> impl Fn(&str) -> String {
    move |line| line.replacen(from, to, 1)
}
