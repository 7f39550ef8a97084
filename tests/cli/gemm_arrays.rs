//! `tensorsmith gemm` on arrays of NumPy: types, orders, padding, what it writes, and arrays that are none.

use serde_json::Value;

use super::external::has_python;
use super::program::Folder;

const INSTRUCTION: &str = "volta-mma-m8n8k4-fp16-fp32";

/// An array (NEP 1) as NumPy 1 and 2 write it.
pub(super) fn array(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let fields = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let length = (10 + fields.len() + 1).next_multiple_of(64) - 10;
    let header = format!("{fields:<0$}\n", length - 1);
    [&b"\x93NUMPY\x01\x00"[..], &(length as u16).to_le_bytes(), header.as_bytes(), data].concat()
}

fn bytes<const N: usize, T: Copy>(elements: &[T], of: fn(T) -> [u8; N]) -> Vec<u8> {
    elements.iter().flat_map(|&element| of(element)).collect()
}

/// 1 to 5 in fp16.
const ONE: u16 = 0x3c00;
const TWO: u16 = 0x4000;
const THREE: u16 = 0x4200;
const FOUR: u16 = 0x4400;
const FIVE: u16 = 0x4500;

/// A is 2 x 4, B 4 x 3.
fn written() -> Folder {
    let folder = Folder::new();
    let a = [ONE, TWO, THREE, FOUR, 0, 0, 0, FIVE];
    let b = [ONE, 0, TWO, ONE, 0, 0, ONE, 0, 0, ONE, ONE, 0];
    let b_by_columns = [ONE, ONE, ONE, ONE, 0, 0, 0, ONE, TWO, 0, 0, 0];
    folder.write("a.npy", array("<f2", false, "(2, 4)", &bytes(&a, u16::to_le_bytes)));
    folder.write("b.npy", array("<f2", false, "(4, 3)", &bytes(&b, u16::to_le_bytes)));
    folder.write("big.npy", array(">f2", false, "(2, 4)", &bytes(&a, u16::to_be_bytes)));
    folder.write("codes.npy", array("<u2", false, "(2, 4)", &bytes(&a, u16::to_le_bytes)));
    folder.write("columns.npy", array("<f2", true, "(4, 3)", &bytes(&b_by_columns, u16::to_le_bytes)));
    folder.write("c.npy", array("<f4", false, "(2, 3)", &bytes(&[0.5f32, 0.0, 0.0, 0.0, 1.0, -1.0], f32::to_le_bytes)));
    folder
}

fn d() -> Vec<u8> {
    array("<f4", false, "(2, 3)", &bytes(&[10.5f32, 4.0, 2.0, 5.0, 6.0, -1.0], f32::to_le_bytes))
}

#[test]
fn arrays_of_every_order() {
    let folder = written();
    for (a, b) in [("a.npy", "b.npy"), ("big.npy", "b.npy"), ("codes.npy", "columns.npy")] {
        for threads in ["1", "2"] {
            let run = folder.succeed(&[
                "gemm",
                INSTRUCTION,
                "--a",
                a,
                "--b",
                b,
                "--c",
                "c.npy",
                "--out",
                "d.npy",
                "--threads",
                threads,
                "--check",
                "50",
            ]);
            assert_eq!(run.stdout, "");
            assert!(run.stderr.contains("ran 6 elements, 2 x 3 x 4, in"), "{}", run.stderr);
            assert!(run.stderr.contains("check: 6 elements computed again, 0 differ"), "{}", run.stderr);
            assert_eq!(std::fs::read(folder.path("d.npy")).expect("D"), d(), "{a} {b}");
        }
    }
    let json = ["gemm", INSTRUCTION, "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--out", "d.npy", "--json", "-"];
    let product: Value = serde_json::from_str(&folder.succeed(&json).stdout).expect("JSON");
    assert_eq!((&product["d"], &product["threads"]), (&Value::Null, &product["threads"]));
    let engine = &product["engines"][0];
    let path = "the matrix kernel on";
    assert!(engine["path"].as_str().is_some_and(|found| found.starts_with(path)), "{engine}");
    assert!(engine["products_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{engine}");
}

/// NumPy writes arrays of ml_dtypes as bytes without a meaning: the format has to be named, and has to be the operand's.
#[test]
fn arrays_of_ml_dtypes() {
    let folder = Folder::new();
    // bfloat16: 1 is 0x3f80, 2 is 0x4000, -1 is 0xbf80.
    folder.write("a.npy", array("<V2", false, "(1, 8)", &bytes(&[0x3f80; 8], u16::to_le_bytes)));
    folder.write("b.npy", array(">V2", false, "(8, 2)", &bytes(&[0x4000, 0xbf80].repeat(8), u16::to_be_bytes)));
    let product = |more: &[&'static str]| {
        [&["gemm", "hopper-mma-m16n8k8-bf16-fp32", "--a", "a.npy", "--b", "b.npy"][..], more].concat()
    };
    for format in ["bfloat16", "e4m3,bfloat16"] {
        assert_eq!(folder.succeed(&product(&["--format", format])).stdout, "16 -8\n");
    }
    let allowed = "allowed: --format bfloat16, for arrays of ml_dtypes";
    folder.refuse(&product(&[]), &["a.npy: field `descr` is \"<V2\"", allowed]);
    folder.refuse(&product(&["--format", "e5m2"]), &["a.npy: field `descr`", allowed]);
    folder.refuse(&product(&["--format", "bf16"]), &["--format: \"bf16\"; allowed: bfloat16, e4m3, e5m2"]);
    // e4m3: 1 is 0x38, 2 is 0x40. e5m2: 1 is 0x3c.
    folder.write("a.npy", array("<V1", false, "(1, 32)", &[0x38; 32]));
    folder.write("b.npy", array("|V1", false, "(32, 1)", &[0x3c; 32]));
    let mixed = ["gemm", "hopper-mma-m16n8k32-e4m3-e5m2-fp32", "--a", "a.npy", "--b", "b.npy", "--format"];
    let both = [&mixed[..], &["float8_e4m3fn,float8_e5m2"]].concat();
    assert_eq!(folder.succeed(&both).stdout, "32\n");
    folder.refuse(&[&mixed[..], &["e4m3"]].concat(), &["b.npy: field `descr`", "allowed: --format e5m2"]);
    // A number of NumPy's own is never bytes.
    folder.write("a.npy", array("<V2", false, "(1, 4)", &bytes(&[ONE; 4], u16::to_le_bytes)));
    let half = ["gemm", INSTRUCTION, "--a", "a.npy", "--b", "a.npy", "--format", "bfloat16"];
    folder.refuse(&half, &["a.npy: field `descr` is \"<V2\"; allowed: \"f2\", \"u2\", for binary16"]);
}

/// fp8 codes in bytes; K filled up with zeros.
#[test]
fn codes_in_bytes_and_padding() {
    let folder = Folder::new();
    // e4m3: 1 is 0x38, 2 is 0x40, -1 is 0xb8.
    folder.write("a.npy", array("|u1", false, "(1, 5)", &[0x38, 0x40, 0xb8, 0x38, 0x38]));
    folder.write("b.npy", array("|u1", false, "(5, 1)", &[0x38, 0x38, 0x38, 0x38, 0x40]));
    let plain = ["gemm", "hopper-wgmma-k32-e4m3-fp32", "--a", "a.npy", "--b", "b.npy"];
    folder.refuse(&plain, &["k is 5; allowed: multiples of 32", "or --pad"]);
    let run = folder.succeed(&[&plain[..], &["--pad", "--json", "p.json"]].concat());
    assert_eq!(run.stdout, "5\n");
    assert_eq!((&folder.json("p.json")["k"], &folder.json("p.json")["padded"]), (&32.into(), &27.into()));
    // Other kinds of scheme, on the paths that they have.
    for (instruction, d) in [("hopper-mma-m16n8k32-e4m3-fp32", "5\n"), ("ampere-mma-m16n8k32-uint8-int32", "23744\n")] {
        let arguments = ["gemm", instruction, "--a", "a.npy", "--b", "b.npy", "--pad", "--check", "1"];
        assert_eq!(folder.succeed(&arguments).stdout, d, "{instruction}");
    }
    let scaled = ["gemm", "blackwell-mma-mxf8f6f4-m16n8k32-e4m3-fp32", "--a", "a.npy", "--b", "b.npy", "--pad"];
    folder.refuse(&scaled, &["--pad: blackwell-mma-mxf8f6f4-m16n8k32-e4m3-fp32 has scales"]);
}

/// As in NumPy; K still has to be the instruction's.
#[test]
fn matrices_without_rows_or_columns_give_an_empty_d() {
    let folder = written();
    let double = |count: usize| bytes(&vec![ONE; count], u16::to_le_bytes);
    for (name, fortran, shape, count) in [
        ("rows.npy", false, "(0, 4)", 0),
        ("columns-none.npy", true, "(4, 0)", 0),
        ("k.npy", false, "(0, 0)", 0),
        ("sixteen.npy", false, "(0, 64)", 0),
        ("b64.npy", false, "(64, 3)", 192),
    ] {
        folder.write(name, array("<f2", fortran, shape, &double(count)));
    }
    for (a, b, shape, rows) in [
        ("rows.npy", "b.npy", "(0, 3)", serde_json::json!([])),
        ("a.npy", "columns-none.npy", "(2, 0)", serde_json::json!([[], []])),
        ("rows.npy", "columns-none.npy", "(0, 0)", serde_json::json!([])),
    ] {
        let plain = ["gemm", INSTRUCTION, "--a", a, "--b", b, "--engines", "wide,emulator,reference", "--check", "5"];
        folder.succeed(&[&plain[..], &["--out", "d.npy"]].concat());
        assert_eq!(
            std::fs::read(folder.path("d.npy")).expect("D is written"),
            array("<f4", false, shape, &[]),
            "{a} {b}"
        );
        folder.succeed(&[&plain[..], &["--json", "p.json"]].concat());
        assert_eq!((&folder.json("p.json")["d"], &folder.json("p.json")["checked"]), (&rows, &0.into()), "{a} {b}");
    }
    let split = ["gemm", INSTRUCTION, "--a", "sixteen.npy", "--b", "b64.npy", "--split-k", "2", "--out", "d.npy"];
    folder.succeed(&split);
    assert_eq!(std::fs::read(folder.path("d.npy")).expect("D is written"), array("<f4", false, "(0, 3)", &[]));
    let none = ["gemm", INSTRUCTION, "--a", "k.npy", "--b", "k.npy"];
    folder.refuse(&none, &["k is 0; allowed: at least 1"]);
}

#[test]
fn arrays_that_do_not_fit() {
    let folder = written();
    folder.write("single.npy", array("<f4", false, "(2, 4)", &[0; 32]));
    folder.write("long.npy", array("<f2", false, "(2, 4)", &[0; 17]));
    folder.write("short.npy", array("<f2", false, "(2, 4)", &[0; 15]));
    folder.write("line.npy", array("<f2", false, "(8,)", &[0; 16]));
    folder.write("vast.npy", array("<f2", false, "(4294967296, 4294967296)", &[0; 16]));
    folder.write("none.npy", "no array");
    let with = |a| ["gemm", INSTRUCTION, "--a", a, "--b", "b.npy", "--out", "d.npy"];
    let types = "field `descr` is \"<f4\"; allowed: \"f2\", \"u2\", for binary16";
    folder.refuse(&with("single.npy"), &["single.npy", types]);
    folder.refuse(&with("long.npy"), &["long.npy: 1 bytes too many; allowed: 8 elements"]);
    folder.refuse(&with("short.npy"), &["short.npy: 7 elements; allowed: 8 elements, as field `shape` says"]);
    folder.refuse(&with("line.npy"), &["line.npy: field `shape` is [8]; allowed: two dimensions"]);
    folder.refuse(&with("vast.npy"), &["vast.npy: field `shape`", "allowed: what fits into memory"]);
    folder.refuse(&with("none.npy"), &["none.npy: no NumPy array"]);
    folder.write("endless.npy", array("<f2", false, "(4294967296, 2147483648)", &[0; 16]));
    folder.refuse(&with("endless.npy"), &["endless.npy: field `shape`", "allowed: what fits into memory"]);
    folder.write("empty.npy", array("<f2", true, "(5, 0)", &[]));
    folder.refuse(&with("empty.npy"), &["b.npy: 4 rows; allowed: 0, the columns of A"]);
    folder.refuse(&with("missing.npy"), &["missing.npy: cannot be read"]);
    let nested = array("<f2", false, &format!("{}2, 4{}", "(".repeat(20_000), ")".repeat(20_000)), &[0; 16]);
    folder.write("nested.npy", nested);
    folder.refuse(&with("nested.npy"), &["nested.npy: no NumPy array: a header of many brackets; allowed: 8"]);
    folder.write("quoted.npy", array("<f2", false, &"[']',".repeat(5000), &[0; 16]));
    folder.refuse(&with("quoted.npy"), &["quoted.npy: no NumPy array: a header of many brackets; allowed: 8"]);
    let text = ["gemm", INSTRUCTION, "--a", "a.npy", "--b", "b.npy", "--out", "d.txt"];
    folder.refuse(&text, &["--out: d.txt; allowed: a file whose name ends in .npy"]);
    folder.write("six.npy", array("|u1", false, "(1, 32)", &[[0; 31].as_slice(), &[0x40]].concat()));
    folder.write("rows.npy", array("|u1", false, "(32, 1)", &[0; 32]));
    let codes = ["gemm", "blackwell-mma-f8f6f4-m16n8k32-e3m2-fp32", "--a", "six.npy", "--b", "rows.npy"];
    folder.refuse(&codes, &["six.npy: element [0, 31] is 0x40; allowed: encodings of e3m2, of 6 bits"]);
}

/// A program that leaves out a product is found by elements computed again.
#[test]
fn check_finds_a_wrong_engine() {
    if !has_python() {
        return;
    }
    const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/external/example.py");
    let folder = Folder::new();
    let text = std::fs::read_to_string(EXAMPLE).expect("the example is there");
    let wrong = text.replace("FRACTION_BITS = 25", "FRACTION_BITS = 3");
    assert_ne!(text, wrong);
    folder.write("right.py", text);
    folder.write("wrong.py", wrong);
    let row: Vec<String> = (1..=16).map(|number| format!("{number}.3")).collect();
    folder.write("a.txt", row.join(" "));
    folder.write("b.txt", row.join("\n"));
    for (program, code, told) in [("right", 0, "1 elements computed again, 0 differ"), ("wrong", 1, "1 differ")] {
        let external = format!("python3 {program}.py");
        let run = folder.run(&[
            "gemm",
            "hopper-mma-m16n8k16-fp16-fp32",
            "--a",
            "a.txt",
            "--b",
            "b.txt",
            "--check",
            "5",
            "--engines",
            "external",
            "--external",
            &external,
        ]);
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
}
