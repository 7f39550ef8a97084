//! Programs as engines: the lines that they are sent, word by word, for subjects of every shape.

use super::program::Folder;

/// Keeps what it is sent in a file, and answers every vector with one word.
fn keep(answer: &str) -> String {
    format!(
        "read line; echo $line > lines; echo hello 1 script 1; while read line; do echo $line >> lines; case $line in flush) \
         echo flush ;; *) echo {answer} ;; esac; done"
    )
}

/// The lines that a program is sent for one vector, and what is printed.
fn sent(subject: &str, operands: &[&str], answer: &str) -> (Vec<String>, String) {
    let folder = Folder::new();
    folder.write("unit.sh", keep(answer));
    let external = ["--engines", "external", "--external", "sh unit.sh"];
    let run = folder.succeed(&[&["eval", subject], operands, &external].concat());
    (folder.read("lines").lines().map(str::to_owned).collect(), run.stdout)
}

#[test]
fn lines_of_a_unit_with_an_addend() {
    let (lines, _) = sent("tiny-integer", &["--a", "0x1,0x2", "--b", "0x3,0xf", "--c", "0x45"], "7");
    let vector = "1 2 3 f 45";
    // The very first vector is asked twice.
    let hello = "hello 1 subject=tiny-integer products=2 a=int4:4 b=int4:4 c=int8:8 d=int8:8";
    assert_eq!(lines, [hello, vector, vector, "flush"]);
}

#[test]
fn lines_of_a_unit_with_scales() {
    let scales = ["--scale-a", "0x1,0x2,0x3,0x4", "--scale-b", "0x5,0x6,0x7,0x8", "--c", "0x9"];
    let (lines, _) = sent("blackwell-nvf4-fp32", &[&["--a", "0xa", "--b", "0xb"], &scales[..]].concat(), "0");
    assert!(
        lines[0].ends_with(" c=binary32:32 d=binary32:32 scale_a=ue4m3:7 scale_b=ue4m3:7 scales=4"),
        "{}",
        lines[0]
    );
    let operands = |first: &str| format!("{first}{}", " 0".repeat(63));
    assert_eq!(lines[1], format!("{} {} 1 2 3 4 5 6 7 8 9", operands("a"), operands("b")));
}

#[test]
fn lines_of_a_unit_with_flags_and_without_addend() {
    // Both flags, above 0x7f80.
    let (lines, printed) = sent("riscv-e5m2-e4m3-bf16", &["--a", "0x7c", "--b", "0x38"], "37F80");
    assert!(lines[0].ends_with(" a=e5m2:8 b=e4m3:8 d=bfloat16:16 flags=2"), "{}", lines[0]);
    let products: usize =
        lines[0].split("products=").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).expect("a number");
    assert_eq!(lines[1].split(' ').count(), 2 * products, "{}", lines[1]);
    assert!(printed.contains("flags of d (external): invalid, overflow"), "{printed}");
}

/// The vectors of an instruction are whole dot products of its K, and not those of its blocks.
#[test]
fn lines_of_an_instruction() {
    let (lines, _) = sent("hopper-mma-m16n8k32-e4m3-fp32", &["--a", "0x38", "--b", "0x38"], "0");
    assert!(
        lines[0].starts_with("hello 1 subject=hopper-mma-m16n8k32-e4m3-fp32 products=32 a=e4m3:8 "),
        "{}",
        lines[0]
    );
    assert_eq!(lines[1].split(' ').count(), 65);
}
