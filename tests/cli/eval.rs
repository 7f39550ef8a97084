//! `tensorsmith eval`: operands as people write them, answers, traces.

use serde_json::Value;

use super::program::{Folder, SOFTWARE, assert_fields, snapshot};

/// The JSON of an evaluation.
fn evaluate(unit: &str, arguments: &[&str]) -> Value {
    let all = [&["eval", unit], arguments, &["--json", "-"]].concat();
    serde_json::from_str(&Folder::new().succeed(&all).stdout).expect("JSON and nothing else")
}

/// The encoding that the program reads from a text, as operand c.
fn read_as(unit: &str, text: &str) -> String {
    let shown = evaluate(unit, &["--c", text]);
    let operands = shown["operands"].as_array().expect("a list");
    let c = operands.iter().find(|operand| operand["operand"] == "c").expect("the addend");
    c["hexadecimal"].as_str().expect("text").to_owned()
}

/// Fasi et al. 2021 and Khattak and Mikaitis tell the generations apart with this vector.
const TELLING: [&str; 6] = ["--a", "-8192,-0.5,-0.25,-0.125", "--b", "1024,1,1,1", "--c", "8388608"];

#[test]
fn answers_differ_between_generations() {
    for (unit, decimal, hexadecimal) in [
        ("volta-fp16-fp32", "0", "0x00000000"),
        ("ampere-fp16-fp32", "-0.5", "0xbf000000"),
        ("hopper-fp16-fp32", "-0.75", "0xbf400000"),
    ] {
        let shown = evaluate(unit, &[&TELLING[..], &["--engines", SOFTWARE]].concat());
        assert_fields(&shown, &["unit", "operands", "conversion", "answers", "trace"]);
        assert_eq!(shown["unit"], unit);
        let answers = shown["answers"].as_array().expect("a list");
        assert_eq!(answers.len(), 2);
        for (answer, engine) in answers.iter().zip(["emulator", "reference"]) {
            assert_fields(answer, &["operand", "hexadecimal", "binary", "hexadecimal_float", "decimal"]);
            assert_eq!(answer["operand"], format!("d ({engine})"));
            assert_eq!((&answer["decimal"], &answer["hexadecimal"]), (&decimal.into(), &hexadecimal.into()), "{unit}");
        }
        assert_eq!(shown["trace"], Value::Null);
    }
    println!("ran the telling vector on 3 units");
}

/// Flags stand beside the answer, by name, and an addend that is not there is not shown.
#[test]
fn flags_by_name() {
    for (operands, hexadecimal, flags) in [
        (["--a", "2,0.5", "--b", "3,1"], "0x40d00000", vec![]),
        (["--a", "inf,nan", "--b", "0,1"], "0x7fc00000", vec!["invalid"]),
        (["--a", "0x5f80", "--b", "0x5f80"], "0x7f800000", vec!["overflow"]),
    ] {
        let shown = evaluate("riscv-bf16-fp32", &[&operands[..], &["--engines", SOFTWARE]].concat());
        let operands = shown["operands"].as_array().expect("a list");
        assert!(operands.iter().all(|operand| operand["operand"] != "c"));
        for answer in shown["answers"].as_array().expect("a list") {
            assert_fields(answer, &["operand", "hexadecimal", "binary", "hexadecimal_float", "decimal", "flags"]);
            assert_eq!((&answer["hexadecimal"], &answer["flags"]), (&hexadecimal.into(), &flags.clone().into()));
        }
    }
    let text = Folder::new().succeed(&["eval", "riscv-bf16-fp32", "--a", "1", "--b", "1"]).stdout;
    assert!(text.ends_with("flags of d (emulator): none\n"), "{text}");
}

/// 2^31 - 1 plus a product: beyond int32, it wraps in one unit and saturates in the other. Operands are plain integers.
#[test]
fn integers_wrap_or_saturate() {
    let operands = ["--a", "-128", "--b", "-128", "--c", "2147483647", "--engines", SOFTWARE, "--trace"];
    for (unit, decimal, encoding) in [
        ("integer-int8-int32", "-2147467265", "0x80003fff"),
        ("integer-int8-int32-saturate", "2147483647", "0x7fffffff"),
    ] {
        let shown = evaluate(unit, &operands);
        for answer in shown["answers"].as_array().expect("a list") {
            assert_eq!((&answer["decimal"], &answer["hexadecimal"]), (&decimal.into(), &encoding.into()), "{unit}");
        }
        assert_eq!(shown["trace"][1], serde_json::json!(["sum", ["2147500031"]]));
    }
    let folder = Folder::new();
    folder.refuse(&["eval", "tiny-integer", "--a", "8"], &["--a", "\"8\"", "int4", "an integer from -8 to 7"]);
    folder.refuse(&["eval", "integer-uint8-int32", "--b", "-1"], &["--b", "uint8", "an integer from 0 to 255"]);
    println!("ran 2 integer units, and 2 operands out of range");
}

#[test]
fn eval_snapshot_trace_ampere() {
    let arguments = [&["eval", "ampere-fp16-fp32"], &TELLING[..], &["--trace"]].concat();
    snapshot("eval-trace.txt", &Folder::new().succeed(&arguments).stdout);
}

/// Every step of a chain shows all of its stages.
#[test]
fn eval_snapshot_trace_chain() {
    let arguments = ["eval", "tiny-fma", "--a", "1.5,1", "--b", "1.5,-6", "--c", "3", "--trace"];
    snapshot("eval-trace-chain.txt", &Folder::new().succeed(&arguments).stdout);
}

#[test]
fn trace_as_json() {
    let shown = evaluate("volta-fp16-fp32", &[&TELLING[..], &["--trace"]].concat());
    let trace: Vec<(String, Vec<String>)> = serde_json::from_value(shown["trace"].clone()).expect("names and values");
    let values = |name: &str| &trace.iter().find(|(signal, _)| signal == name).expect("a signal of every unit").1;
    assert_eq!(values("unpacked_a_exponent"), &["13", "-1", "-2", "-3"]);
    assert_eq!(values("anchor"), &["23"]);
    assert_eq!(values("aligned"), &["-8388608", "0", "0", "0", "8388608"]);
    assert_eq!(values("sum"), &["0"]);
    assert_eq!(values("packed_word"), &["0"]);
    println!("ran a trace of {} signals", trace.len());
}

/// Texts and the binary32 encodings they must become.
const BINARY32: [(&str, &str); 40] = [
    ("0x3f800000", "0x3f800000"),
    ("0X3F800000", "0x3f800000"),
    ("0x0", "0x00000000"),
    ("0xffffffff", "0xffffffff"),
    ("1", "0x3f800000"),
    ("+1", "0x3f800000"),
    ("-1.5", "0xbfc00000"),
    (".5", "0x3f000000"),
    ("5.", "0x40a00000"),
    ("2e-3", "0x3b03126f"),
    ("2E-3", "0x3b03126f"),
    ("0.1", "0x3dcccccd"),
    ("-0.1", "0xbdcccccd"),
    ("0", "0x00000000"),
    ("-0", "0x80000000"),
    ("-0.0e10", "0x80000000"),
    ("inf", "0x7f800000"),
    ("-inf", "0xff800000"),
    ("Infinity", "0x7f800000"),
    ("nan", "0x7fc00000"),
    ("NaN", "0x7fc00000"),
    ("0x1.8p+3", "0x41400000"),
    ("-0x1.8p3", "0xc1400000"),
    ("0x1p-149", "0x00000001"),
    ("0x.8", "0x3f000000"),
    ("0xap0", "0x41200000"),
    // Half the smallest subnormal is a tie that goes to zero; a little more does not.
    ("0x1p-150", "0x00000000"),
    ("0x1.000001p-150", "0x00000001"),
    ("-0x1p-150", "0x80000000"),
    ("1.401298464324817e-45", "0x00000001"),
    ("1e-5000", "0x00000000"),
    ("1e5000", "0x7f800000"),
    ("3.4028235e38", "0x7f7fffff"),
    // The largest number and half a unit of its last place: a tie that goes to infinity, and just below it.
    ("0x1.ffffffp+127", "0x7f800000"),
    ("0x1.fffffefffp+127", "0x7f7fffff"),
    ("16777217", "0x4b800000"),
    ("16777217.0000000000000000000000000000000000000000000000000000000000001", "0x4b800001"),
    ("16777219", "0x4b800002"),
    ("16777218.9999999999999999999999999999999999999999999999999999999999999", "0x4b800001"),
    ("1.17549435082228750796873653722224567781866555677e-38", "0x00800000"),
];

#[test]
fn operands_binary32() {
    for (text, expected) in BINARY32 {
        assert_eq!(read_as("volta-fp16-fp32", text), expected, "{text}");
    }
    println!("ran {} operands of binary32", BINARY32.len());
}

/// A decimal half way between two numbers goes to the even one, however long it is; one more digit decides otherwise.
#[test]
fn operands_ties_are_exact() {
    // 1 + 2^-24, and 2^-126 - 2^-150: half way above 1, and half way below the smallest normal number.
    let above_one = "1.000000059604644775390625";
    assert_eq!(read_as("volta-fp16-fp32", above_one), "0x3f800000");
    assert_eq!(read_as("volta-fp16-fp32", &format!("{above_one}{}1", "0".repeat(400))), "0x3f800001");
    assert_eq!(read_as("volta-fp16-fp32", "1.000000178813934326171875"), "0x3f800002", "the even one lies above");
    assert_eq!(read_as("volta-fp16-fp32", &format!("1.000000178813934326171874{}", "9".repeat(400))), "0x3f800001");
    // 2^-150 in full: half the smallest subnormal.
    let half = "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-46";
    assert_eq!(read_as("volta-fp16-fp32", half), "0x00000000");
    assert_eq!(read_as("volta-fp16-fp32", &half.replace("e-46", "0001e-46")), "0x00000001");
    // binary16: 2049 lies half way between 2048 and 2050; 65520 half way to infinity.
    assert_eq!(read_as("volta-fp16-fp16", "2049"), "0x6800");
    assert_eq!(read_as("volta-fp16-fp16", "2049.0000000000000000000000000000001"), "0x6801");
    assert_eq!(read_as("volta-fp16-fp16", "65519.99999999999999999999999999999"), "0x7bff");
    assert_eq!(read_as("volta-fp16-fp16", "65520"), "0x7c00");
    assert_eq!(read_as("volta-fp16-fp16", "0.1"), "0x2e66");
    assert_eq!(read_as("volta-fp16-fp16", "6e-8"), "0x0001");
    println!("ran 12 operands half way between numbers, or next to it");
}

#[test]
fn operands_missing_are_zero() {
    let shown = evaluate("volta-fp16-fp32", &["--a", "1,2", "--b", "3"]);
    let decimals: Vec<&str> = shown["operands"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|operand| operand["decimal"].as_str())
        .collect();
    assert_eq!(decimals, ["1", "3", "2", "0", "0", "0", "0", "0", "0"]);
    assert_eq!(shown["answers"][0]["decimal"], "3");
}

#[test]
fn scales_missing_are_one() {
    let arguments = ["--a", "6,1.5", "--b", "6,-2", "--scale-a", "0.5", "--scale-b", "448,2", "--c", "1"];
    let shown = evaluate("blackwell-nvf4-fp32", &[&arguments[..], &["--engines", SOFTWARE]].concat());
    let operands = shown["operands"].as_array().expect("a list");
    let scales = |name: &str| {
        let of =
            operands.iter().filter(|operand| operand["operand"].as_str().is_some_and(|text| text.starts_with(name)));
        of.map(|operand| operand["decimal"].as_str().expect("text")).collect::<Vec<_>>()
    };
    assert_eq!(scales("scale_a"), ["0.5", "1", "1", "1"]);
    assert_eq!(scales("scale_b"), ["448", "2", "1", "1"]);
    // (6 * 6 - 1.5 * 2) * 0.5 * 448 + 1
    for answer in shown["answers"].as_array().expect("a list") {
        assert_eq!(answer["decimal"], "7393");
    }
    let shown = evaluate("blackwell-mx-e4m3-fp32", &["--a", "3", "--b", "1", "--scale-a", "0x1p-127"]);
    assert_eq!(
        (&shown["answers"][0]["hexadecimal"], &shown["operands"][64]["binary"]),
        (&"0x00c00000".into(), &"00000000".into())
    );
}

#[test]
fn special_values_follow_the_unit() {
    for (arguments, expected) in [
        (["--a", "inf", "--b", "0", "--c", "1"], "0x7fffffff"),
        (["--a", "inf", "--b", "-2", "--c", "1"], "0xff800000"),
        (["--a", "inf", "--b", "1", "--c", "-inf"], "0x7fffffff"),
        (["--a", "nan", "--b", "0", "--c", "0"], "0x7fffffff"),
        (["--a", "-0", "--b", "1", "--c", "-0"], "0x00000000"),
        (["--a", "0x0001", "--b", "0x0001", "--c", "0"], "0x27800000"),
        (["--a", "0", "--b", "0", "--c", "0x00000001"], "0x00000001"),
    ] {
        let shown = evaluate("hopper-fp16-fp32", &[&arguments[..], &["--engines", SOFTWARE]].concat());
        for answer in shown["answers"].as_array().expect("a list") {
            assert_eq!(answer["hexadecimal"], expected, "{arguments:?}");
        }
    }
    println!("ran 7 vectors with special values");
}

/// An instruction is evaluated through its blocks; stages belong to units.
#[test]
fn instruction_without_stages() {
    let shown =
        evaluate("hopper-mma-m16n8k32-e4m3-fp32", &["--a", "1,2", "--b", "3,4", "--c", "0.5", "--engines", SOFTWARE]);
    let answers = shown["answers"].as_array().expect("a list");
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer["decimal"] == "11.5"), "{answers:?}");
    let arguments = ["eval", "hopper-mma-m16n8k32-e4m3-fp32", "--trace"];
    Folder::new().refuse(&arguments, &["--trace: hopper-mma-m16n8k32-e4m3-fp32 is an instruction"]);
}
