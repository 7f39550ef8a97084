//! Vectors without header, as other programs write them: encodings, and numbers that the operands' formats hold.

use tensorsmith::describe::format::{Class, Format};
use tensorsmith::describe::interface::Interface;
use tensorsmith::recording::{OperandRule, parse};
use tensorsmith::report::hexadecimal_float;

use super::*;

/// Takes away what only this program writes.
fn strip(other: &Path, form: Form) {
    let without = |path: &Path, mark: &str, all: bool| {
        let text = fs::read_to_string(path).expect("a file");
        let kept = text.lines().enumerate().filter(|(place, line)| !(line.starts_with(mark) && (all || *place == 0)));
        fs::write(path, kept.map(|(_, line)| format!("{line}\n")).collect::<String>()).expect("a file");
    };
    match form {
        Form::Jsonl => without(other, "{", false),
        Form::Csv => without(other, "#", false),
        Form::Npy => fs::remove_file(other.join("recording.json")).expect("a file"),
        Form::Readmemh => {
            for entry in fs::read_dir(other).expect("a folder") {
                without(&entry.expect("an entry").path(), "//", true);
            }
        }
        Form::Public => unreachable!("it has no header"),
    }
}

/// What a file holds, as one chunk.
fn vectors(path: &Path) -> (Batch, Vec<u64>) {
    let (header, chunks) = read(&fs::read(path).expect("a file")).expect("a recording");
    assert_eq!((header.version, chunks.len()), (VERSION, 1));
    (chunks[0].batch.clone(), chunks[0].results.clone())
}

#[test]
fn encodings_of_every_kind() {
    let mut count = 0;
    for subject in subjects() {
        let folder = Folder::new(&subject, 20);
        for form in [Form::Jsonl, Form::Csv, Form::Readmemh, Form::Npy] {
            folder.export(form).expect("a recording");
            let import = |told: Option<&Told>| {
                exchange::import(&folder.path("other"), form, told, &folder.path("out.tsrec"))
                    .map_err(|error| error.to_string())
            };
            let told = told(&subject, "a box");
            let refused = import(Some(&told)).expect_err("a header and a subject");
            assert!(refused.contains("allowed: an import without --subject"), "{subject} {form:?}: {refused}");
            strip(&folder.path("other"), form);
            let refused = import(None).expect_err("neither");
            assert!(refused.contains("--subject") || form == Form::Csv, "{subject} {form:?}: {refused}");
            let header = import(Some(&told)).unwrap_or_else(|error| panic!("{subject} {form:?}: {error}"));
            assert_eq!((&header.engine.engine[..], &header.device["name"][..]), ("a box", "a box"));
            assert_eq!((header.vectors(), &header.subject), (20, &subject));
            assert_eq!(vectors(&folder.path("in.tsrec")), vectors(&folder.path("out.tsrec")), "{subject} {form:?}");
            fs::remove_file(folder.path("out.tsrec")).expect("a file");
            let other = folder.path("other");
            let _ = if other.is_dir() { fs::remove_dir_all(&other) } else { fs::remove_file(&other) };
            count += 20;
        }
    }
    println!("{count} vectors without header were read");
}

/// A number, and the encoding that is read from it: of NaN the canonical one, of padding zeros.
fn number(format: &Format, bits: u64) -> (String, u64) {
    if format.is_integer() {
        return (format.integer(bits).to_string(), bits);
    }
    let text = hexadecimal_float(format, bits);
    let expected = match format.decode(bits).class {
        Class::Nan => format.nan().expect("it has one"),
        _ => bits & !((1 << format.padding_bits) - 1),
    };
    assert_eq!(parse(format, &text, OperandRule::Exact).map(|read| read.bits), Ok(expected), "{text}");
    (text, expected)
}

/// Lists of elements of one operand and their format; none of what the interface does not have.
fn operands<'a>(interface: &Interface, batch: &'a Batch) -> Vec<(&'static str, &'a [u64], Format)> {
    let formats = &interface.formats;
    let mut all = vec![("a", &batch.a[..], formats.a.clone()), ("b", &batch.b, formats.b.clone())];
    if let Some(scales) = &interface.scales {
        all.extend([("scale_a", &batch.scale_a[..], scales.a.clone()), ("scale_b", &batch.scale_b, scales.b.clone())]);
    }
    if interface.has_addend() {
        all.push(("c", &batch.c, formats.c.clone()));
    }
    all
}

/// Numbers as comma-separated values, a column a list, flags in a column of their own; and as JSON.
#[test]
fn numbers_of_every_kind() {
    const VECTORS: usize = 40;
    let mut count = 0;
    for subject in subjects() {
        let folder = Folder::new(&subject, VECTORS as u64);
        let interface = Subject::named(&subject).expect("a subject").interface();
        let (batch, results) = vectors(&folder.path("in.tsrec"));
        let lists = operands(&interface, &batch);
        let mut expected: Vec<Vec<u64>> = vec![Vec::new(); lists.len()];
        let mut words = Vec::new();
        let (mut csv, mut json) = (String::new(), String::new());
        let flags_column = if interface.flags { ",flags" } else { "" };
        let names: Vec<&str> = lists.iter().map(|(name, ..)| *name).collect();
        csv += &format!("{},d{flags_column}\n", names.join(","));
        for vector in 0..VECTORS {
            let mut cells = Vec::new();
            for ((_, list, format), expected) in lists.iter().zip(&mut expected) {
                let each = list.len() / VECTORS;
                let texts = list[vector * each..][..each].iter().map(|&bits| {
                    let (text, bits) = number(format, bits);
                    expected.push(bits);
                    text
                });
                cells.push(texts.collect::<Vec<_>>());
            }
            let (d, flags) = interface.split_answer(results[vector]);
            let (text, d) = number(&interface.formats.d, d);
            let bits = flags.map(|flags| flags.bits());
            words.push(bits.map_or(d, |bits| d | bits << interface.formats.d.width()));
            let flags_cell = bits.map_or(String::new(), |bits| format!(",{bits:#x}"));
            let joined: Vec<String> = cells.iter().map(|texts| texts.join(" ")).collect();
            csv += &format!("{},{text}{flags_cell}\n", joined.join(","));
            let fields = lists.iter().zip(&cells).map(|((name, ..), texts)| match *name {
                "c" => format!("\"c\": \"{}\"", texts[0]),
                name => format!("\"{name}\": [\"{}\"]", texts.join("\", \"")),
            });
            let flags_field = bits.map_or(String::new(), |bits| format!(", \"flags\": \"{bits:#x}\""));
            json += &format!("{{{}, \"d\": \"{text}\"{flags_field}}}\n", fields.collect::<Vec<_>>().join(", "));
        }
        for (form, text) in [(Form::Csv, csv), (Form::Jsonl, json)] {
            fs::write(folder.path("other"), text).expect("a file");
            let told = Told { numbers: true, ..told(&subject, "a box") };
            exchange::import(&folder.path("other"), form, Some(&told), &folder.path("out.tsrec"))
                .unwrap_or_else(|error| panic!("{subject} {form:?}: {error}"));
            let (found, answers) = vectors(&folder.path("out.tsrec"));
            let found: Vec<Vec<u64>> = operands(&interface, &found).iter().map(|(_, list, _)| list.to_vec()).collect();
            assert_eq!((found, answers), (expected.clone(), words.clone()), "{subject} {form:?}");
            fs::remove_file(folder.path("out.tsrec")).expect("a file");
            count += VECTORS;
        }
    }
    println!("{count} vectors of numbers were read");
}

/// Asserts that a source is refused with a message, and that nothing is left of it.
fn assert_plain_refused(form: Form, numbers: bool, subject: &str, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let folder = Folder { place: tempfile::tempdir().expect("a folder") };
        fs::write(folder.path("other"), text).expect("a file");
        let told = Told { numbers, ..told(subject, "a box") };
        let error = exchange::import(&folder.path("other"), form, Some(&told), &folder.path("out.tsrec"))
            .expect_err(text)
            .to_string();
        assert!(error.contains(message), "{text:?}: {message:?} is missing in: {error}");
        assert_eq!(folder.names(), [folder.path("other")], "{text:?}: something is left");
    }
}

#[test]
fn wrong_values_are_named() {
    let csv = [
        ("", "other: line 1: missing; allowed: the names of the columns"),
        ("a,b,c,d\n", "line 1: nothing follows; allowed: at least one row"),
        ("a,b,d\n0x1 0x1,0x1 0x1,0x1\n", "line 1: column `c` is missing; allowed: each element once"),
        ("a0,b,c,d\n", "line 1: column `a1` is missing"),
        ("a0,a1,a2,b,c,d\n", "line 1: column a2; allowed: a0, a1, b0, b1, c, d; or a, b and scales as lists"),
        ("a,a1,b,c,d\n", "line 1: column `a1` is there twice"),
        ("a,b,scale_a,c,d\n", "line 1: column scale_a; allowed: a0, a1"),
        ("a,b,c,d,flags\n", "line 1: column flags; allowed: a0"),
        ("a,b,c,d\n0x1 0x1,0x1 0x1,0x1,0x1\n\n0x1,0x1 0x1,0x1,0x1\n", "line 4: field `a` has 1 elements; allowed: 2"),
        ("a,b,c,d\n0x1 0x1,0x1 0x1,0x1\n", "line 2: 3 cells; allowed: 4, as the columns have names"),
        ("a0,a1,b,c,d\n0x1,0x10,0x1 0x1,0x1,0x1\n", "line 2: field `a1` is 0x10; allowed: 4 bits"),
        (
            "a,b,c,d\n0x1 0x1,0x1 1.5,0x1,0x1\n",
            "line 2: field `b` is \"1.5\"; allowed: 0x and hexadecimal digits, 4 bits",
        ),
        ("a,b,c,d\n0x1 0x1,0x1 0x1,0x1,0x\n", "line 2: field `d` is \"0x\""),
    ];
    assert_plain_refused(Form::Csv, false, "tiny-nearest", &csv);
    let numbers = [
        (
            "a,b,c,d\n1 1.5,1 1,0.1,0\n",
            "line 2: field `c`: \"0.1\" is not an operand of e5m2; allowed: numbers that e5m2 holds",
        ),
        (
            "a,b,c,d\n1 7,1 1,0,0\n",
            "field `a`: \"7\" is not an operand of e2m1; allowed: numbers that e2m1 holds exactly",
        ),
        ("a,b,c,d\n1 inf,1 1,0,0\n", "field `a`: \"inf\" is not an operand of e2m1; allowed: finite numbers"),
        ("a,b,c,d\n1 nan,1 1,0,0\n", "field `a`: \"nan\" is not"),
        (
            "a,b,c,d\n1 one,1 1,0,0\n",
            "field `a`: \"one\" is not an operand of e2m1; allowed: an encoding (0x3c00), a decimal",
        ),
        ("a0,a1,b,c,d\n1,,1 1,0,0\n", "field `a1`: \"\" is not an operand"),
    ];
    assert_plain_refused(Form::Csv, true, "tiny-nearest", &numbers);
    let line = "{\"a\": [1, 1.5], \"b\": [\"0x1\", -2e0], \"c\": \"-inf\", \"d\": 0}\n";
    let json = [
        ("", "line 1: missing; allowed: at least one vector"),
        (&line.replace("1.5", "1.50000000000000000001")[..], "\"1.50000000000000000001\" is not an operand of e2m1"),
        (&line.replace("[1, 1.5]", "[1]"), "line 1: field `a` has 1 elements; allowed: 2"),
        (&line.replace("1.5", "true"), "field `a`: \"true\" is not an operand"),
        (&line.replace("\"c\"", "\"e\""), "line 1: no vector: unknown field `e`"),
        (&line.replace("}", ", \"flags\": 1}"), "line 1: field `flags` is given; allowed: none"),
    ];
    assert_plain_refused(Form::Jsonl, true, "tiny-nearest", &json);
    let flags = "{\"a\": [1], \"b\": [1], \"c\": 1, \"d\": 2}\n";
    let text = flags.replace("[1]", &format!("[{}]", ["1"; 16].join(",")));
    let missing = "line 1: field `flags` is missing; allowed: flags beside d, which is a number";
    assert_plain_refused(Form::Jsonl, true, "riscv-fp16-fp32", &[(&text, missing)]);
    let folder = Folder { place: tempfile::tempdir().expect("a folder") };
    fs::write(folder.path("other"), line).expect("a file");
    let told = Told { numbers: true, ..told("tiny-nearest", "a box") };
    exchange::import(&folder.path("other"), Form::Jsonl, Some(&told), &folder.path("out.tsrec")).expect("the line");
    let (batch, results) = vectors(&folder.path("out.tsrec"));
    assert_eq!((batch.a, batch.b, batch.c, results), (vec![2, 3], vec![1, 0xc], vec![0xfc], vec![0]));
}

/// Memory files by hand: comments, blank lines, marks between digits, flags in a file of their own.
#[test]
fn memory_files_by_hand() {
    let folder = Folder { place: tempfile::tempdir().expect("a folder") };
    let other = folder.path("other");
    fs::create_dir(&other).expect("a folder");
    let write = |name: &str, text: &str| fs::write(other.join(name), text).expect("a file");
    let import = || {
        exchange::import(&other, Form::Readmemh, Some(&told("riscv-fp16-fp32", "a box")), &folder.path("out.tsrec"))
            .map_err(|error| error.to_string())
    };
    let products = 4;
    write("a.hex", "// by hand\n\n0000_0000_3c00_3e00 // two products\n0000000000000000\n");
    write("b.hex", "0000000000003c00\n0000000000003C00\n");
    write("d.hex", "3f800000\n00000000\n");
    let error = import().expect_err("no flags");
    assert!(error.contains("d.hex: line 1: field `d` is \"3f800000\"; allowed: 9 hexadecimal digits"), "{error}");
    write("flags.hex", "1\n2\n");
    import().expect("two vectors");
    let (batch, results) = vectors(&folder.path("out.tsrec"));
    assert_eq!((batch.a[0], batch.a[1], batch.b[0], batch.b[products]), (0x3e00, 0x3c00, 0x3c00, 0x3c00));
    assert_eq!(results, [0x3f80_0000 | 1 << 32, 2 << 32]);
    fs::remove_file(folder.path("out.tsrec")).expect("a file");
    for (name, text, message) in [
        ("flags.hex", "1\n4\n", "flags.hex: line 2: field `flags` is \"4\"; allowed: 1 hexadecimal digits"),
        ("flags.hex", "1\n", "flags.hex: line 2: missing; allowed: 2 vectors"),
        ("d.hex", "00000001\n00000002\n00000003\n", "d.hex: line 3: something more; allowed: the end, after 2 vectors"),
        ("b.hex", "1 2\n3\n", "b.hex: line 1: field `b` is \"1 2\""),
        ("b.hex", "@0\n1\n", "b.hex: line 1: field `b` is \"@0\""),
        ("a.hex", "// nothing\n", "a.hex: line 1: no word; allowed: at least one vector"),
    ] {
        let before = fs::read(other.join(name)).expect("a file");
        write(name, text);
        let error = import().expect_err(text);
        assert!(error.contains(message), "{message:?} is missing in: {error}");
        assert!(!folder.path("out.tsrec").exists());
        fs::write(other.join(name), before).expect("a file");
    }
}

/// An array of NumPy.
fn npy(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let fields = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (10 + fields.len() + 1).next_multiple_of(64) - 10;
    let header = format!("{fields:<0$}\n", length - 1);
    [b"\x93NUMPY\x01\x00", &(length as u16).to_le_bytes()[..], header.as_bytes(), elements].concat()
}

#[test]
fn arrays_of_numbers() {
    let folder = Folder { place: tempfile::tempdir().expect("a folder") };
    let other = folder.path("other");
    fs::create_dir(&other).expect("a folder");
    let write = |name: &str, bytes: Vec<u8>| fs::write(other.join(name), bytes).expect("a file");
    let f64s = |values: &[f64]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<u8>>();
    let import = |numbers: bool| {
        let told = Told { numbers, ..told("tiny-nearest", "a box") };
        exchange::import(&other, Form::Npy, Some(&told), &folder.path("out.tsrec")).map_err(|error| error.to_string())
    };
    write("a.npy", npy(">f8", "(2, 2)", &f64s(&[1.0, -6.0, 0.5, -0.0])));
    write("b.npy", npy("|i1", "(2, 2)", &[1, 2, 3, 0xff]));
    write("c.npy", npy("<f4", "(2,)", &[1.5f32, f32::INFINITY].map(f32::to_le_bytes).concat()));
    write("d.npy", npy("<f2", "(2, 1)", &[0x00, 0x3c, 0x00, 0x7e]));
    import(true).expect("numbers");
    let (batch, results) = vectors(&folder.path("out.tsrec"));
    assert_eq!((batch.a, batch.b), (vec![2, 0xf, 1, 8], vec![2, 4, 5, 0xa]));
    assert_eq!((batch.c, results), (vec![0x3e, 0x7c], vec![0x3c, Format::e5m2().nan().expect("it has one")]));
    fs::remove_file(folder.path("out.tsrec")).expect("a file");
    let error = import(false).expect_err("numbers are no encodings");
    assert!(error.contains("a.npy: the header: field `descr` is \">f8\"; allowed: |u1, <u2, >u2"), "{error}");
    for (name, bytes, message) in [
        (
            "a.npy",
            npy(">f8", "(2, 2)", &f64s(&[1.0, 1.1, 0.0, 0.0])),
            "a.npy: element [0, 1]: field `a`: 1.1 is not a number",
        ),
        (
            "a.npy",
            npy(">f8", "(2, 1)", &f64s(&[1.0, 1.0])),
            "a.npy: the header: field `shape` is [2, 1]; allowed: [2, 2]",
        ),
        ("a.npy", npy(">f8", "(0, 2)", &[]), "a.npy: the header: field `shape` has no vector"),
        ("a.npy", npy(">f8", "(4294967296, 4294967296)", &[]), "a.npy: the file: "),
        ("b.npy", npy("|u1", "(2, 2)", &[0; 4]), "b.npy: the header: field `descr` is \"|u1\"; allowed: <f2"),
        ("b.npy", npy("|i1", "(3, 2)", &[0; 6]), "b.npy: the header: field `shape` is [3, 2]; allowed: [2, 2]"),
        ("d.npy", npy("<f2", "(2,)", &[0; 3]), "d.npy: the file: "),
    ] {
        let before = fs::read(other.join(name)).expect("a file");
        write(name, bytes);
        let error = import(true).expect_err(message);
        assert!(error.contains(message), "{message:?} is missing in: {error}");
        assert!(!folder.path("out.tsrec").exists());
        write(name, before);
    }
}

/// Whatever byte of a source is changed: vectors or an error that names the file, never a panic, and nothing left of a refused one.
#[test]
fn changed_sources_never_panic() {
    let csv = "a0,a1,b,c,d\n1.5,-0x1p-1,1 6,-inf,nan\n0,1,\"2 0.5\",1e-2,0x3c\n";
    let json = "{\"a\": [1, 1.5], \"b\": [\"0x1\", -2e0], \"c\": \"-inf\", \"d\": 0}\n";
    let (mut read, mut refused) = (0, 0);
    for (form, text) in [(Form::Csv, csv), (Form::Jsonl, json)] {
        let folder = Folder { place: tempfile::tempdir().expect("a folder") };
        let told = Told { numbers: true, ..told("tiny-nearest", "a box") };
        for place in 0..text.len() {
            for byte in [b'9', b'-', b'"', b'\n', 0xff] {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                fs::write(folder.path("other"), bytes).expect("a file");
                match exchange::import(&folder.path("other"), form, Some(&told), &folder.path("out.tsrec")) {
                    Ok(header) => {
                        read += header.vectors();
                        fs::remove_file(folder.path("out.tsrec")).expect("a file");
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("other: line "), "{error}");
                        refused += 1;
                    }
                }
                assert_eq!(folder.names(), [folder.path("other")], "{form:?} {place} {byte}");
            }
        }
    }
    assert!(read > 10 && refused > 400, "{read} vectors read, {refused} sources refused");
}
