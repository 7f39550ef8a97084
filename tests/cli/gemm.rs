//! `tensorsmith gemm`: whole matrices from files, and files that are none.

use serde_json::Value;

use super::program::{Folder, SOFTWARE, assert_fields, engines};

const INSTRUCTION: &str = "volta-mma-m8n8k4-fp16-fp32";

/// A is 2 x 8: two blocks of K, chained. B is 8 x 3, its third column zero.
fn written() -> Folder {
    let folder = Folder::new();
    folder.write("a.txt", "# two rows\n1 2 3 4 0 0 0 1\n-8192, -0.5, -0.25, -0.125, 0, 0, 0, 0x1p-3\n");
    folder.write("b.txt", "1 1024 0\n1 1 0\n1 1 0\n1 1 0\n0 0 0\n0 0 0\n0 0 0\n2 1 0\n");
    folder.write("c.txt", "0.5 0 1\n8192 8388608 -3\n");
    folder
}

#[test]
fn matrices_through_all_engines() {
    let folder = written();
    let arguments = ["gemm", INSTRUCTION, "--a", "a.txt", "--b", "b.txt", "--c", "c.txt", "--engines", engines()];
    let run = folder.succeed(&arguments);
    // -8388608 - 0.875 + 8388608 is cut to 0 in the first block; the second one adds 0.125.
    assert_eq!(run.stdout, "12.5 1034 1\n-0.625 0.125 -3\n");
    for engine in ["emulator", "reference"] {
        assert!(run.stderr.contains(&format!("{engine} ran 6 elements, 2 x 3 x 8, in")), "{}", run.stderr);
    }
    let hexadecimal = folder.succeed(&[&arguments[..], &["--encodings"]].concat()).stdout;
    assert_eq!(hexadecimal, "0x41480000 0x44814000 0x3f800000\n0xbf200000 0x3e000000 0xc0400000\n");
    let product: Value =
        serde_json::from_str(&folder.succeed(&[&arguments[..], &["--json", "-"]].concat()).stdout).expect("JSON");
    let sizes = ["instruction", "m", "n", "k", "padded", "promote_every", "split_k", "conversion", "threads"];
    assert_fields(&product, &[&sizes[..], &["engines", "d", "agreed", "checked", "check_differed"]].concat());
    let engine = ["engine", "version", "path", "seconds", "products_per_second"];
    assert_fields(&product["engines"][0], &engine);
    assert_eq!((&product["m"], &product["n"], &product["k"]), (&2.into(), &3.into(), &8.into()));
    assert_eq!((&product["d"][1][1], &product["agreed"]), (&"0x3e000000".into(), &true.into()));
}

/// Sums added in binary32 keep bits that the unit's results leave empty, as text, as encodings and in a file.
#[test]
fn promoted_sums_are_binary32() {
    let folder = Folder::new();
    folder.write("a.txt", vec!["1"; 64].join(" "));
    folder.write("b.txt", vec!["1"; 64].join("\n"));
    folder.write("c.txt", "0x1p-17");
    let plain = ["gemm", "hopper-wgmma-k32-e4m3-fp32", "--a", "a.txt", "--b", "b.txt", "--c", "c.txt"];
    assert_eq!(folder.succeed(&plain).stdout, "64\n", "the unit keeps 13 fraction bits");
    let promoted = [&plain[..], &["--promote-every", "32", "--check", "1"]].concat();
    assert_eq!(folder.succeed(&promoted).stdout, "64.00000762939453\n");
    let run = folder.succeed(&[&promoted[..], &["--encodings"]].concat());
    assert_eq!(run.stdout, "0x42800001\n");
    assert!(run.stderr.contains("2 sums added in binary32") && run.stderr.contains("0 differ"), "{}", run.stderr);
    let json = folder.succeed(&[&promoted[..], &["--json", "-"]].concat()).stdout;
    assert!(json.contains("\"promote_every\": 32"), "{json}");
    let wrong = [&plain[..], &["--promote-every", "48"]].concat();
    folder.refuse(&wrong, &["--promote-every: promotion is 48; allowed: multiples of 32"]);
    // Two parts of K are the two blocks; of one part nothing is added outside.
    let split = |parts: &'static str| [&plain[..], &["--split-k", parts, "--check", "1"]].concat();
    assert_eq!(folder.succeed(&split("2")).stdout, "64.00000762939453\n");
    assert_eq!(folder.succeed(&split("3")).stdout, "64.00000762939453\n", "parts are whole blocks");
    assert_eq!(folder.succeed(&split("1")).stdout, "64\n");
    let json = folder.succeed(&[&split("2")[..], &["--json", "-"]].concat()).stdout;
    assert!(json.contains("\"split_k\": 2"), "{json}");
    folder.refuse(&split("0"), &["--split-k", "1 to 1024"]);
    folder.refuse(&[&split("2")[..], &["--promote-every", "32"]].concat(), &["--promote-every"]);
    let scaled = ["gemm", "integer-int8-int32", "--a", "a.txt", "--b", "b.txt", "--split-k", "2"];
    let allowed = "--split-k: split_k is 2; allowed: 1, or an instruction without scales whose c and d are binary32; \
                   c and d of integer-int8-int32 are int32 and int32";
    folder.refuse(&scaled, &[allowed]);
}

/// As in kernels that clear their accumulator: without parts the result is minus zero.
#[test]
fn minus_zeros_of_parts_are_added_to_plus_zero() {
    let folder = Folder::new();
    folder.write("a.txt", vec!["-0"; 64].join(" "));
    folder.write("b.txt", vec!["1"; 64].join("\n"));
    folder.write("c.txt", "-0");
    let plain = ["gemm", "fma-fp32", "--a", "a.txt", "--b", "b.txt", "--c", "c.txt", "--encodings", "--check", "1"];
    assert_eq!(folder.succeed(&plain).stdout, "0x80000000\n");
    for parts in [["--promote-every", "32"], ["--split-k", "2"]] {
        assert_eq!(folder.succeed(&[&plain[..], &parts].concat()).stdout, "0x00000000\n", "{parts:?}");
    }
}

#[test]
fn scales_of_blocks() {
    let folder = Folder::new();
    folder.write("a.txt", vec!["1"; 64].join(" "));
    folder.write("b.txt", vec!["1"; 64].join("\n"));
    folder.write("scale_a.txt", "2 1 1 0.5");
    folder.write("scale_b.txt", "1\n1\n4\n1\n");
    let instruction = "blackwell-mma-nvf4-m16n8k64-e2m1-fp32";
    let plain = ["gemm", instruction, "--a", "a.txt", "--b", "b.txt", "--engines", SOFTWARE];
    assert_eq!(folder.succeed(&plain).stdout, "64\n");
    let scaled = [&plain[..], &["--scale-a", "scale_a.txt", "--scale-b", "scale_b.txt"]].concat();
    assert_eq!(folder.succeed(&scaled).stdout, "120\n", "16 * (2 + 1 + 4 + 0.5)");
    let short = [&plain[..], &["--scale-a", "a.txt"]].concat();
    folder.refuse(&short, &["a.txt: 1 x 64; allowed: 1 x 4, a scale a block of K"]);
}

#[test]
fn matrices_that_do_not_fit() {
    let folder = written();
    folder.write("ragged.txt", "1 2 3 4\n1 2 3\n");
    folder.write("words.txt", "1 2 3 4\n1 two 3 4\n");
    folder.write("commas.txt", "1, 2, 3, 4\n1,2,,4\n");
    folder.write("empty.txt", "# nothing\n\n");
    folder.write("six.txt", "1 2 3 4 5 6\n");
    folder.write("six_rows.txt", "1\n2\n3\n4\n5\n6\n");
    let with = |a, b, c| ["gemm", INSTRUCTION, "--a", a, "--b", b, "--c", c];
    folder.refuse(&with("ragged.txt", "b.txt", "c.txt"), &["ragged.txt: line 2 has 3 numbers; allowed: 4"]);
    folder.refuse(&with("words.txt", "b.txt", "c.txt"), &["words.txt: line 2, number 2", "\"two\""]);
    folder.refuse(&with("commas.txt", "b.txt", "c.txt"), &["commas.txt: line 2, number 3", "\"\""]);
    folder.refuse(&with("empty.txt", "b.txt", "c.txt"), &["empty.txt: no numbers"]);
    folder.refuse(&with("missing.txt", "b.txt", "c.txt"), &["missing.txt: cannot be read"]);
    folder.refuse(&with("a.txt", "c.txt", "c.txt"), &["c.txt: 2 rows; allowed: 8, the columns of A"]);
    folder.refuse(&with("a.txt", "b.txt", "a.txt"), &["a.txt: 2 x 8; allowed: 2 x 3"]);
    folder.refuse(
        &["gemm", INSTRUCTION, "--a", "six.txt", "--b", "six_rows.txt"],
        &["k is 6; allowed: multiples of 4, the k of volta-mma-m8n8k4-fp16-fp32, or --pad"],
    );
    let unit = ["gemm", "tf64-chain-fp32-fp64", "--a", "six.txt", "--b", "six_rows.txt"];
    assert_eq!(folder.succeed(&unit).stdout, "91\n", "a unit is an instruction of one block");
    folder.refuse(&["gemm", "mma", "--a", "a.txt", "--b", "b.txt"], &["unknown unit or instruction \"mma\""]);
    let scaled = ["gemm", INSTRUCTION, "--a", "a.txt", "--b", "b.txt", "--scale-b", "b.txt"];
    folder.refuse(&scaled, &["--scale-b: volta-mma-m8n8k4-fp16-fp32 has no scales"]);
}
