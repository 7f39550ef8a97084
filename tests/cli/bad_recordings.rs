//! Recordings that are not accepted: each message names the file, the row and what is wrong.

use super::program::Folder;

const A: &str = "3f800000 00000000 bf800000 40000000\n3f800000 3f800000 3f800000 3f800000\n";
const B: &str = "3f800000 3f800000 3f800000 3f800000\n00000000 00000000 00000000 80000000\n";
/// 1 and -0.5, then the results 3 and -0.5.
const C: &str = "00111111100000000000000000000000\n10111111000000000000000000000000\n";
const D: &str = "01000000010000000000000000000000\n10111111000000000000000000000000\n";

/// A good recording of two rows.
fn recording() -> Folder {
    let folder = Folder::new();
    folder.write("r/V100/fp16/a_V100_fp16.txt", A);
    folder.write("r/V100/fp16/b_V100_fp16.txt", B);
    folder.write("r/V100/fp16/c_V100_fp32.txt", C);
    folder.write("r/V100/fp16/d_V100_fp32.txt", D);
    folder
}

const REPLAY: [&str; 8] =
    ["replay", "r", "--engines", "emulator,reference", "--json", "out.json", "--junit", "out.xml"];

/// The good recording with one file replaced is refused.
fn refused(file: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = recording();
    let path = format!("r/V100/fp16/{file}");
    folder.write(&path, content);
    folder.refuse(&REPLAY, &[&["error: ", path.as_str()], parts].concat());
}

#[test]
fn good_recording_is_accepted() {
    let folder = recording();
    let run = folder.succeed(&REPLAY);
    assert!(run.stdout.contains("emulator: ran 2 recorded rows, 0 mismatches"), "{run:?}");
    // Trailing blanks, capital digits and the line ends of another system change nothing.
    folder.write("r/V100/fp16/a_V100_fp16.txt", A.to_uppercase().replace('\n', " \r\n"));
    folder.write("r/V100/fp16/d_V100_fp32.txt", D.trim_end());
    folder.succeed(&REPLAY);
}

#[test]
fn rows_that_are_wrong() {
    let second = |row: &str| A.replacen("3f800000 3f800000 3f800000 3f800000", row, 1);
    let words = "is not a word of 8 hexadecimal digits";
    let digits = "is not a word of 32 binary digits";
    let cases = [
        ("a_V100_fp16.txt", second("3f800000 3f800000 3f800000"), vec!["row 2: 3 words, but the first row has 4"]),
        ("a_V100_fp16.txt", second("3f800000 3f800000 3f800000 0 0"), vec!["row 2: \"0\"", words]),
        ("a_V100_fp16.txt", second(&["3f800000"; 5].join(" ")), vec!["row 2: 5 words, but the first row has 4"]),
        ("b_V100_fp16.txt", second(""), vec!["row 2: 0 words"]),
        ("b_V100_fp16.txt", second("3f800000 3g800000 3f800000 3f800000"), vec!["row 2: \"3g800000\"", words]),
        ("b_V100_fp16.txt", second("3f800000 3f80000 3f800000 3f800000"), vec!["row 2: \"3f80000\"", words]),
        ("b_V100_fp16.txt", second("3f800000 +3f80000 3f800000 3f800000"), vec!["row 2: \"+3f80000\"", words]),
        ("b_V100_fp16.txt", second("3f800000 3f8000000 3f800000 3f800000"), vec!["row 2: \"3f8000000\"", words]),
        (
            "a_V100_fp16.txt",
            second("3f800001 3f800000 3f800000 3f800000"),
            vec!["row 2: 3f800001", "not a number of binary16"],
        ),
        (
            "a_V100_fp16.txt",
            second("477ff000 3f800000 3f800000 3f800000"),
            vec!["row 2: 477ff000", "not a number of binary16"],
        ),
        (
            "b_V100_fp16.txt",
            B.replace("3f800000 3f800000 3f800000 3f800000", "3f800000").replace(" 00000000 00000000 80000000", ""),
            vec!["row 1: 1 words, but", "a_V100_fp16.txt has 4"],
        ),
        ("c_V100_fp32.txt", C.replacen('1', "2", 1), vec!["row 1: ", digits]),
        ("c_V100_fp32.txt", C.replacen('0', "+", 1), vec!["row 1: \"+0111", digits]),
        ("c_V100_fp32.txt", C.replacen("00\n", "0\n", 1), vec!["row 1: ", digits]),
        ("d_V100_fp32.txt", D.replacen("00\n", "000\n", 1), vec!["row 1: ", digits]),
        ("d_V100_fp32.txt", D.replacen('\n', "\n\n", 1), vec!["row 2: \"\"", digits]),
    ];
    for (file, content, parts) in &cases {
        refused(file, content, parts);
    }
    println!("ran {} recordings with a wrong row", cases.len());
}

/// A result that binary16 does not have, in a recording of binary16 results.
#[test]
fn result_beyond_its_format() {
    let folder = recording();
    folder.write("r/V100/fp16/d_V100_fp16.txt", D.replacen("0000\n", "0001\n", 1));
    folder.refuse(&REPLAY, &["r/V100/fp16/d_V100_fp16.txt: row 1: 40400001", "is not a number of binary16"]);
}

#[test]
fn files_that_do_not_match() {
    let one = |text: &str| text.lines().next().expect("a row").to_owned() + "\n";
    for (file, content) in [("b_V100_fp16.txt", one(B)), ("c_V100_fp32.txt", one(C)), ("d_V100_fp32.txt", one(D))] {
        refused(file, content, &["1 rows, but ", "a_V100_fp16.txt has 2"]);
        refused(file, "", &["0 rows, but ", "a_V100_fp16.txt has 2"]);
        refused(file, [0xff, 0xfe, b'0'], &["cannot be read: ", "UTF-8"]);
    }
    for file in ["a_V100_fp16.txt", "b_V100_fp16.txt", "c_V100_fp32.txt", "d_V100_fp32.txt"] {
        let folder = recording();
        std::fs::remove_file(folder.path(&format!("r/V100/fp16/{file}"))).expect("a file of the recording");
        folder.refuse(&REPLAY, &["error: ", file, "missing; a recording of V100 fp16 needs it"]);
        std::fs::create_dir(folder.path(&format!("r/V100/fp16/{file}"))).expect("a folder in its place");
        let parts: &[&str] = if file.starts_with('d') { &["error: ", file] } else { &["error: ", file, "missing"] };
        folder.refuse(&REPLAY, parts);
    }
    let folder = recording();
    for file in ["a_V100_fp16.txt", "b_V100_fp16.txt", "c_V100_fp32.txt", "d_V100_fp32.txt"] {
        folder.write(&format!("r/V100/fp16/{file}"), "");
    }
    folder.refuse(&REPLAY, &["a_V100_fp16.txt: row 1: missing; at least 1 row is needed"]);
    println!("ran 18 recordings whose files do not match");
}

#[test]
fn folders_without_recordings() {
    let folder = Folder::new();
    folder.refuse(&["replay", "missing"], &["error: missing: cannot be read: No such file"]);
    folder.write("file", "");
    folder.refuse(&["replay", "file"], &["error: file: is damaged at offset 0: it does not begin as a recording does"]);
    std::fs::create_dir_all(folder.path("r/V100/fp16")).expect("empty folders");
    folder.refuse(&REPLAY, &["error: r: no recordings; expected folders <device>/<operands>"]);
    folder.write("r/V100/fp16/readme.txt", "no recording");
    folder.refuse(&REPLAY, &["error: r: no recordings"]);
    println!("ran 4 folders without recordings");
}

/// What no unit answers for is skipped with its reason; where nothing else is left, nothing was checked.
#[test]
fn unknown_device_is_skipped() {
    let folder = recording();
    for (file, text) in [("a_X1_fp16", A), ("b_X1_fp16", B), ("c_X1_fp32", C), ("d_X1_fp32", D)] {
        folder.write(&format!("r/X1/fp16/{file}.txt"), text);
    }
    let run = folder.succeed(&REPLAY);
    assert!(
        run.stdout.contains("skipped, because no instruction of the catalogue answers for X1 fp16 -> fp32"),
        "{run:?}"
    );
    let recordings = folder.json("out.json")["recordings"].clone();
    assert_eq!((&recordings[0]["skipped"], recordings.as_array().map(Vec::len)), (&serde_json::Value::Null, Some(2)));
    std::fs::remove_dir_all(folder.path("r/V100")).expect("the recording of a known device");
    let run = folder.run(&["replay", "r"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("no engine ran any recording"), "{run:?}");
}
