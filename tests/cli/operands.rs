//! Operands that their formats do not hold: one rule in `eval` and `gemm`, for texts and for arrays.

use super::gemm_arrays::array;
use super::program::Folder;

/// 1 + 3 * 2^-12, which tf32 rounds to 1 + 2^-10 and cuts to 1, in the 32 bits that tf32 lies in.
const BETWEEN: (&str, u32) = ("1.000732421875", 0x3f80_1800);
/// Rules, what each makes of it, and what it says.
const RULES: [(&[&str], &str, &str); 3] = [
    (&[], "1.0009765625", "rounded, or cut"),
    (&["--operands", "nearest"], "1.0009765625", "rounded, or cut"),
    (&["--operands", "cut"], "1", "cut: "),
];
const INSTRUCTIONS: [&str; 2] = ["ampere-mma-m16n8k8-tf32-fp32", "cdna3-mfma-m16n16k8-xf32-fp32"];

#[test]
fn eval_says_what_it_changed() {
    let folder = Folder::new();
    let unit = ["eval", "ampere-tf32-fp32", "--b", "1", "--a"];
    for (rule, d, said) in RULES {
        let run = folder.succeed(&[&unit[..], &[BETWEEN.0, "--json", "e.json"], rule].concat());
        let shown = folder.json("e.json");
        assert_eq!((&shown["answers"][0]["decimal"], &shown["conversion"]["changed"]), (&d.into(), &1.into()));
        assert!(run.stderr.contains(&format!("note: 1 operand {said}")), "{run:?}");
        let first = format!("--a, number 1: 1.000732421875, which is {d} in tf32");
        assert!(run.stderr.contains(&first), "{run:?}");
    }
    let exact = [&unit[..], &[BETWEEN.0, "--operands", "exact"]].concat();
    folder.refuse(&exact, &["--a, number 1", "1.000732421875", "allowed: numbers that tf32 holds exactly"]);
    // What the format holds is not spoken of; bits of an encoding that it ignores are.
    for (text, changed) in [("1.5", false), ("0x3fc00000", false), ("nan", false), ("0x3f801800", true)] {
        let run = folder.succeed(&[&unit[..], &[text]].concat());
        assert_eq!(run.stderr.contains("note:"), changed, "{run:?}");
    }
    folder.refuse(&[&unit[..], &["0x3f801800", "--operands", "exact"]].concat(), &["--a, number 1", "0x3f801800"]);
}

#[test]
fn gemm_treats_texts_and_arrays_alike() {
    let folder = Folder::new();
    folder.write("a.txt", BETWEEN.0);
    folder.write("a.npy", array("<f4", false, "(1, 1)", &BETWEEN.1.to_le_bytes()));
    folder.write("codes.npy", array("<u4", false, "(1, 1)", &BETWEEN.1.to_le_bytes()));
    folder.write("b.txt", "1");
    for instruction in INSTRUCTIONS {
        let product = |a| ["gemm", instruction, "--b", "b.txt", "--pad", "--a", a];
        for a in ["a.txt", "a.npy"] {
            for (rule, d, said) in RULES {
                let run = folder.succeed(&[&product(a)[..], rule].concat());
                assert_eq!(run.stdout, format!("{d}\n"), "{instruction}, {a}, {rule:?}");
                assert!(run.stderr.contains(&format!("note: 1 operand {said}")), "{run:?}");
            }
            let exact = [&product(a)[..], &["--operands", "exact"]].concat();
            folder.refuse(&exact, &[a, "allowed: numbers that"]);
        }
        // An encoding is what the hardware gets: its last bits are ignored.
        let run = folder.succeed(&product("codes.npy"));
        assert_eq!(run.stdout, "1\n", "{instruction}");
        assert!(run.stderr.contains("the first is codes.npy: element [0, 0]: 0x3f801800, which is 1 in "), "{run:?}");
    }
}

/// A NaN whose only fraction bits are ignored ones stays a NaN where numbers are rounded.
#[test]
fn not_a_number_stays_none() {
    let folder = Folder::new();
    folder.write("a.npy", array("<f4", false, "(1, 1)", &0x7f80_0001u32.to_le_bytes()));
    folder.write("b.txt", "1");
    let product = ["gemm", INSTRUCTIONS[0], "--a", "a.npy", "--b", "b.txt", "--pad"];
    assert_eq!(folder.succeed(&product).stdout, "nan\n");
    assert_eq!(folder.succeed(&[&product[..], &["--operands", "cut"]].concat()).stdout, "inf\n");
}
