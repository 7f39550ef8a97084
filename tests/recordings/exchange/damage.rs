//! Whatever is wrong with a file of another layout is refused, names the place, and leaves nothing behind.

use super::faults::*;
use super::*;

#[test]
fn json_lines() {
    let faults: Vec<(&str, Fault, &str)> = vec![
        ("missing line", line("", 12, |_| String::new()), "line 31: missing; allowed: 30 vectors after the header"),
        (
            "line too many",
            text("", |text| text.clone() + text.lines().last().unwrap_or_default() + "\n"),
            "line 32: something more",
        ),
        ("wrong digit", line("", 5, replaced("\"a\":[\"0x", "\"a\":[\"0xg")), "line 5: field `a` is \"0xg"),
        ("sign", line("", 5, replaced("\"a\":[\"0x", "\"a\":[\"0x+")), "line 5: field `a` is \"0x+"),
        ("no prefix", line("", 5, replaced("\"d\":\"0x", "\"d\":\"")), "line 5: field `d` is"),
        ("too wide", line("", 6, replaced("\"b\":[\"0x", "\"b\":[\"0x1")), "allowed: 8 bits"),
        (
            "element missing",
            line("", 7, |line| line.replacen("\"a\":[\"0x", "\"a\":[\"", 1).replacen(&line[5..12], "", 1)),
            "line 7",
        ),
        (
            "field missing",
            line("", 7, |line| format!("{{{}", &line[line.find("\"b\"").unwrap_or(0)..])),
            "missing field `a`",
        ),
        ("field too many", line("", 7, replaced("{", "{\"e\":1,")), "unknown field `e`"),
        (
            "addend missing",
            line("", 7, |line| {
                line.replace(&line[line.find(",\"c\"").unwrap_or(0)..line.find(",\"d\"").unwrap_or(0)], "")
            }),
            "field `c` has 0 elements; allowed: 1",
        ),
        ("no JSON", line("", 7, |_| "nonsense".to_owned()), "line 7: no vector"),
        ("no header", line("", 1, |_| "{}".to_owned()), "line 1: no header of a recording"),
        ("empty", text("", |_| String::new()), "line 1: missing"),
        ("version", line("", 1, replaced("\"version\":2", "\"version\":3")), "field `version` is 3; allowed: 1 to 2"),
        (
            "subject",
            line("", 1, replaced("\"subject\":\"hopper", "\"subject\":\"chopper")),
            "field `subject` is \"chopper-e4m3-fp32\"",
        ),
        ("layout", line("", 1, replaced("\"products\":32", "\"products\":16")), "field `layout` is"),
        (
            "too many vectors",
            line("", 1, replaced("\"vectors\":30", "\"vectors\":18446744073709551615")),
            "line 1: field `parts` has more vectors than there are; allowed: at most",
        ),
        ("endless line", text("", |text| text + &" ".repeat(1 << 21)), "line 32: more than 1048576 bytes"),
        (
            "no text",
            Box::new(|other| {
                let mut bytes = fs::read(other).expect("a file");
                bytes.push(0xff);
                fs::write(other, bytes).expect("a file");
            }),
            "line 32: bytes that are no text",
        ),
        (
            "missing file",
            Box::new(|other| fs::rename(other, other.with_extension("away")).expect("a file")),
            "cannot be read",
        ),
    ];
    assert_refused(Form::Jsonl, faults);
}

#[test]
fn comma_separated_values() {
    let faults: Vec<(&str, Fault, &str)> = vec![
        ("missing line", line("", 12, |_| String::new()), "line 32: missing; allowed: 30 vectors"),
        (
            "line too many",
            text("", |text| text.clone() + text.lines().last().unwrap_or_default() + "\n"),
            "line 33: something more",
        ),
        ("wrong digit", line("", 5, replaced("0x", "0xg")), "line 5: field `a0` is \"0xg"),
        ("no prefix", line("", 5, |line| line[2..].to_owned()), "line 5: field `a0` is"),
        ("too wide", line("", 5, replaced("0x", "0x1")), "allowed: 8 bits"),
        ("cell missing", line("", 7, |line| line[5..].to_owned()), "line 7: 65 cells; allowed: 66"),
        ("column missing", line("", 2, replaced("a0,", "")), "line 2: column `a0` is missing"),
        ("column twice", line("", 2, replaced("a0,", "a1,")), "line 2: column `a1` is there twice"),
        ("no column", line("", 2, replaced("a0,", "e,")), "line 2: column e; allowed: a0, "),
        ("flags", line("", 2, replaced("a0,", "flags,")), "line 2: column flags; allowed: a0, "),
        ("no header", line("", 1, |_| "a,b".to_owned()), "line 1: no comment; allowed: # and the header"),
        ("version", line("", 1, replaced("\"version\":2", "\"version\":3")), "field `version` is 3; allowed: 1 to 2"),
    ];
    assert_refused(Form::Csv, faults);
}

#[test]
fn memory_files() {
    let faults: Vec<(&str, Fault, &str)> = vec![
        ("missing line", line("b.hex", 12, |_| String::new()), "b.hex: line 33: missing; allowed: 30 vectors"),
        (
            "line too many",
            text("d.hex", |text| text + "00000000\n"),
            "d.hex: line 34: something more; allowed: the end, after 30 vectors",
        ),
        ("wrong digit", line("a.hex", 7, |line| format!("x{}", &line[1..])), "a.hex: line 7: field `a` is \"x"),
        ("too wide", line("c.hex", 7, |line| format!("1{line}")), "c.hex: line 7: field `c` is \"1"),
        (
            "too short",
            line("c.hex", 7, |line| line[1..].to_owned()),
            "allowed: 8 hexadecimal digits, 1 elements of 32 bits",
        ),
        ("mark", line("a.hex", 1, replaced("version 1", "version 2")), "a.hex: line 1: "),
        ("header", line("a.hex", 2, replaced("{", "{,")), "a.hex: line 2: no header of a recording"),
        (
            "another header",
            line("c.hex", 2, replaced("2000-01-01", "2001-01-01")),
            "c.hex: line 2: another header than that of",
        ),
        ("width", line("b.hex", 3, replaced("of 8 bits", "of 9 bits")), "b.hex: line 3: "),
        (
            "operand",
            Box::new(|other| assert!(fs::copy(other.join("a.hex"), other.join("b.hex")).is_ok())),
            "b.hex: line 3: ",
        ),
        ("missing file", removed("d.hex"), "d.hex: cannot be read"),
        ("missing first file", removed("a.hex"), "a.hex: cannot be read"),
    ];
    assert_refused(Form::Readmemh, faults);
}

#[test]
fn arrays() {
    let header = |from: &'static str, to: &'static str| {
        assert_eq!(from.len(), to.len(), "a header keeps its length");
        move |bytes: &mut Vec<u8>| {
            let place = bytes.windows(from.len()).position(|part| part == from.as_bytes()).expect("a field");
            bytes[place..place + from.len()].copy_from_slice(to.as_bytes());
        }
    };
    let faults: Vec<(&str, Fault, &str)> = vec![
        (
            "shape",
            bytes("a.npy", header("(30, 32, )", "(32, 30, )")),
            "a.npy: the header: field `shape` is [32, 30]; allowed: [30, 32]",
        ),
        ("too few dimensions", bytes("a.npy", header("(30, 32, )", "(960,)    ")), "field `shape` is [960]"),
        (
            "dtype",
            bytes("c.npy", header("'<u4'", "'<i4'")),
            "c.npy: the header: field `descr` is \"<i4\"; allowed: <u4, >u4",
        ),
        ("wider dtype", bytes("d.npy", header("'<u4'", "'<f8'")), "field `descr` is \"<f8\""),
        (
            "order",
            bytes("b.npy", header("False", "True ")),
            "b.npy: the header: field `fortran_order` is True; allowed: False",
        ),
        ("magic", bytes("b.npy", |bytes| bytes[0] = 0), "b.npy: the header: no NumPy array"),
        (
            "truncated",
            bytes("b.npy", |bytes| bytes.truncate(bytes.len() - 1)),
            "b.npy: the file: 1087 bytes; allowed: 1088",
        ),
        ("longer", bytes("d.npy", |bytes| bytes.push(0)), "d.npy: the file: "),
        ("empty", bytes("d.npy", Vec::clear), "d.npy: the header: no NumPy array"),
        (
            "brackets in each other",
            bytes("d.npy", |bytes| *bytes = [&b"\x93NUMPY\x01\x00\x50\xc3"[..], &[b'('; 50_000]].concat()),
            "d.npy: the header: no NumPy array: a header of many brackets; allowed: 8 at most",
        ),
        ("missing file", removed("c.npy"), "c.npy: cannot be read"),
        (
            "missing header",
            removed("recording.json"),
            "recording.json: the header: missing; allowed: one, or --subject",
        ),
        (
            "header",
            text("recording.json", |text| text.replacen('{', "{,", 1)),
            "recording.json: the header: no header of a recording",
        ),
        (
            "vectors",
            text("recording.json", |text| text.replace("\"vectors\": 30", "\"vectors\": 31")),
            "a.npy: the header: field `shape` is [30, 32]; allowed: [31, 32]",
        ),
        (
            "subject",
            text("recording.json", |text| text.replace("hopper-e4m3", "hopper-e9m9")),
            "field `subject` is \"hopper-e9m9-fp32\"",
        ),
    ];
    assert_refused(Form::Npy, faults);
}

/// Elements that have more bits than their format: e2m1 numbers have four, in arrays of bytes.
#[test]
fn wide_elements_of_arrays() {
    let folder = Folder::new("tiny-nearest", 20);
    folder.export(Form::Npy).expect("a recording");
    let path = folder.path("other").join("b.npy");
    let mut bytes = fs::read(&path).expect("a file");
    let last = bytes.len() - 1;
    bytes[last] |= 0x10;
    fs::write(&path, bytes).expect("a file");
    let error = folder.import(Form::Npy, "").expect_err("a wide element");
    assert!(error.contains("b.npy: element [19, 1]: field `b` is 0x1"), "{error}");
    assert!(error.contains("allowed: 4 bits") && !folder.path("out.tsrec").exists(), "{error}");
}

/// Whatever byte of an array's header is changed: an error or a value, never a panic.
#[test]
fn headers_of_arrays_never_panic() {
    let folder = Folder::new("tiny-nearest", 20);
    folder.export(Form::Npy).expect("a recording");
    let path = folder.path("other").join("a.npy");
    let whole = fs::read(&path).expect("a file");
    let mut refused = 0;
    for place in 0..128 {
        for value in [0, b'9', b'(', b'{', 0xff] {
            let mut bytes = whole.clone();
            bytes[place] = value;
            fs::write(&path, bytes).expect("a file");
            match folder.import(Form::Npy, "") {
                Ok(_) => fs::remove_file(folder.path("out.tsrec")).expect("a file"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 300, "only {refused} changes were refused");
}

#[test]
fn public_files() {
    const A: &str = "TEST/E4M3/a_TEST_E4M3.txt";
    const B: &str = "TEST/E4M3/b_TEST_E4M3.txt";
    const C: &str = "TEST/E4M3/c_TEST_fp32.txt";
    const D: &str = "TEST/E4M3/d_TEST_fp32.txt";
    let faults: Vec<(&str, Fault, &str)> = vec![
        (
            "missing line",
            line(B, 3, |_| String::new()),
            "b_TEST_E4M3.txt: line 30: missing; allowed: 30 rows, as many as of a",
        ),
        ("missing line of a", line(A, 3, |_| String::new()), "b_TEST_E4M3.txt: line 30: something more"),
        (
            "line too many",
            text(D, |text| text + "00000000000000000000000000000000\n"),
            "d_TEST_fp32.txt: line 31: something more",
        ),
        ("wrong digit", line(A, 4, |line| format!("g{}", &line[1..])), "a_TEST_E4M3.txt: line 4: field `a` is \"g"),
        ("too wide", line(A, 4, |line| format!("0{line}")), "allowed: words of 8 hexadecimal digits"),
        ("wrong bit", line(C, 4, |line| format!("2{}", &line[1..])), "c_TEST_fp32.txt: line 4: field `c` is \"2"),
        (
            "no number of the format",
            line(A, 4, |line| format!("3f800001{}", &line[8..])),
            "line 4: field `a`: 3f800001",
        ),
        (
            "word missing",
            line(B, 4, |line| line[9..].to_owned()),
            "b_TEST_E4M3.txt: line 4: field `b` has 31 words; allowed: 32",
        ),
        (
            "word too many",
            line(A, 1, |line| format!("{line} 00000000")),
            "line 1: field `a` has 33 words; allowed: 1 to 32",
        ),
        ("missing file", removed(C), "c_TEST_fp32.txt: cannot be read"),
        (
            "missing device",
            Box::new(|other| fs::rename(other.join("TEST"), other.join("REST")).expect("a folder")),
            "a_TEST_E4M3.txt: cannot be read",
        ),
        ("empty", text(A, |_| String::new()), "a_TEST_E4M3.txt: line 1: missing; allowed: at least one row"),
    ];
    assert_refused(Form::Public, faults);
}

/// A damaged recording is not exported, and leaves nothing.
#[test]
fn damaged_recordings() {
    let mut whole = finite_recording(SUBJECT, VECTORS);
    let middle = whole.len() / 2;
    whole[middle] ^= 1;
    let folder = Folder::with(&whole);
    let before = folder.names();
    for form in [Form::Public, Form::Readmemh, Form::Jsonl, Form::Npy, Form::Csv] {
        let error = folder.export(form).expect_err("a damaged recording");
        assert!(error.contains("in.tsrec: is damaged at offset"), "{form:?}: {error}");
        assert_eq!(folder.names(), before);
    }
}
