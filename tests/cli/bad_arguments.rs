//! Arguments that are not accepted.

use super::program::{Folder, SOFTWARE};

#[test]
fn unknown_words() {
    let folder = Folder::new();
    let cases: [(&[&str], &[&str]); 24] = [
        (&[], &["Usage: tensorsmith"]),
        (&["simulate"], &["unrecognized subcommand 'simulate'"]),
        (
            &["cosim", "--engines", "emulator,gpu"],
            &["'gpu'", "--engines", "nearest: rtl, wide, hip:0; allowed: engines that `--help` lists"],
        ),
        (&["eval", "tiny-nearest", "--engines", ""], &["--engines", "nearest: "]),
        (&["cosim", "--classes", "tie,knot"], &["'knot'", "--classes", "allowed: uniform, close, window-edge"]),
        (
            &["cosim", "tiny-integer", "--classes", "uniform,tie"],
            &["--classes: tie does not fit unit tiny-integer; allowed: uniform, small-integers"],
        ),
        (
            &["cosim", "tiny-nearest", "--classes", "largest-sums"],
            &["largest-sums does not fit", "allowed: uniform, close"],
        ),
        (&["cosim", "--vectors", "0"], &["'0'", "--vectors", "allowed: a whole number from 1 to 18446744073709551615"]),
        (&["cosim", "--vectors", "-5"], &["invalid value '-5' for '--vectors"]),
        (&["cosim", "--vectors", "many"], &["'many'", "--vectors", "a whole number from 1 to"]),
        (&["cosim", "--vectors", "18446744073709551616"], &["--vectors", "a whole number from 1 to"]),
        (&["cosim", "--seed", "-1"], &["invalid value '-1' for '--seed"]),
        (&["cosim", "--sede", "1"], &["unexpected argument '--sede'"]),
        (&["cosim", "--unit"], &["--unit <FILE>"]),
        (&["show"], &["<UNIT>"]),
        (&["emit", "tiny-nearest"], &["--out"]),
        (&["replay"], &["<PATH>"]),
        (&["cache", "empty"], &["unrecognized subcommand 'empty'"]),
        (&["cache", "clear", "--older-than", "36501"], &["--older-than", "a whole number from 0 to 36500"]),
        (&["cache", "clear", "--older-than", "-1"], &["invalid value '-1' for '--older-than"]),
        (
            &["campaign", "x.toml", "--out", "x", "--shard", "-1/3"],
            &["invalid value '-1/3' for '--shard", "allowed: i/N"],
        ),
        (&["devices", "V100", "A100", "V100"], &["V100 is named twice; allowed: each device once"]),
        (&["cosim", "tiny-fma", "volta-fp16-fp32", "tiny-fma"], &["tiny-fma is named twice; allowed: each name once"]),
        (
            &["cosim", "tiny-nearest", "tiny-integer", "--classes", "tie", "--engines", SOFTWARE],
            &["--classes: tie does not fit unit tiny-integer"],
        ),
    ];
    for (arguments, parts) in cases {
        folder.refuse(arguments, parts);
    }
    println!("ran {} lines with an unknown or missing word", cases.len());
}

#[test]
fn options_that_exclude_each_other() {
    let folder = Folder::new();
    let cases: [&[&str]; 23] = [
        &["prove", "tiny-nearest", "--query", "table-4"],
        &["cosim", "tiny-nearest", "--exhaustive", "--classes", "tie"],
        &["cosim", "--case", "case.toml", "--seed", "4"],
        &["cosim", "--case", "case.toml", "--cases", "x"],
        &["infer", "--recording", "x.tsrec", "--confirm", "5"],
        &["prove", "--list", "--cache", "kept"],
        &["prove", "--list", "--no-cache"],
        &["prove", "--list", "--timeout", "5"],
        &["prove", "--list", "--products", "5"],
        &["prove", "tiny-nearest", "--rtl", "--solver", "z3"],
        &["prove", "tiny-nearest", "--rtl", "--memory", "100"],
        &["prove", "--check-certificates", "proof", "--cache", "kept"],
        &["prove", "--check-certificates", "proof", "--jobs", "1"],
        &["prove", "--check-certificates", "proof", "--property", "monotone"],
        &["prove", "tiny-nearest", "--cache", "kept", "--no-cache"],
        &["cosim", "tiny-nearest", "--vectors", "5", "--exhaustive"],
        &["cosim", "--case", "case.toml", "--vectors", "5"],
        &["cosim", "--case", "case.toml", "--exhaustive"],
        &["cosim", "--case", "case.toml", "--classes", "tie"],
        &["cosim", "--case", "case.toml", "tiny-nearest"],
        &["cosim", "--case", "case.toml", "--unit", "mine.toml"],
        &["emit", "tiny-nearest", "--catalogue", "--out", "rtl"],
        &["cosim", "--seed", "1", "--seed", "2"],
    ];
    for arguments in cases {
        folder.refuse(arguments, &["cannot be used"]);
    }
    println!("ran {} lines with options that exclude each other", cases.len());
}

/// An engine would agree with itself; JSON and annotations would mix on standard output.
#[test]
fn options_that_make_no_sense() {
    let folder = Folder::new();
    for command in [&["cosim", "tiny-nearest"][..], &["eval", "tiny-nearest", "--a", "1"], &["replay", "."]] {
        let arguments: Vec<&str> = command.iter().copied().chain(["--engines", "emulator,rtl,emulator"]).collect();
        folder.refuse(&arguments, &["--engines: emulator is named twice; allowed: each engine once"]);
    }
    folder.refuse(&["cosim", "tiny-nearest", "--json", "-", "--annotate"], &["--annotate with --json -"]);
    println!("ran 4 lines with options that make no sense");
}

#[test]
fn operands_that_are_no_numbers() {
    let folder = Folder::new();
    let garbage = [
        "one",
        "",
        " ",
        ".",
        "e5",
        "1e",
        "0x",
        "0x1p",
        "0x.p1",
        "1_0",
        "+-5",
        "--5",
        "0x+5",
        "-0x3c00",
        "0x10000",
        "1e5001",
        "1e-9223372036854775808",
        "1e99999999999999999999",
        "0x1p-9223372036854775808",
        "infinite",
        "\u{0663}",
        "0x\u{0663}",
        "1,,2",
    ];
    for text in garbage {
        folder.refuse(
            &["eval", "volta-fp16-fp16", "--a", text],
            &["--a, number ", "is not an operand of binary16; allowed: "],
        );
    }
    folder.refuse(&["eval", "volta-fp16-fp16", "--c", "1,2"], &["--c: \"1,2\" is not an operand of binary16"]);
    folder.refuse(&["eval", "tiny-nearest", "--a", "inf"], &["--a, number 1: \"inf\"", "e2m1 has no inf"]);
    folder.refuse(&["eval", "tiny-nearest", "--a", "-nan"], &["--a, number 1: \"-nan\"", "e2m1 has no nan"]);
    folder.refuse(&["eval", "volta-fp16-fp32", "--a", "1e5001"], &["exponents of -5000 to 5000"]);
    folder.refuse(
        &["eval", "volta-fp16-fp32", "--b", "1,2,3,4,5"],
        &["--b has 5 numbers; allowed: at most 4, the products of the unit"],
    );
    println!("ran {} operands that are no numbers", garbage.len() + 5);
}
